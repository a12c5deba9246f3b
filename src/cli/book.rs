//! The book: the examples on its pages.
//!
//! | module | contents |
//! |---|---|
//! | [`example`] | questions in the chapters, with what is printed for them |

pub mod example;
