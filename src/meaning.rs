//! Meanings of programs, one module each.
//!
//! | module | a program of ground type becomes | paper |
//! |---|---|---|
//! | [`presheaf`] | a smoothish map: a value with all its derivatives, as exact reals | S |

pub mod presheaf;
