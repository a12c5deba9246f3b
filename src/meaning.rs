//! Meanings of programs, one module each.
//!
//! | module | a program of ground type becomes | paper |
//! |---|---|---|
//! | [`presheaf`] | a smoothish map: a value with all its derivatives, as exact reals | S |
//! | [`first_order`] | for the first-order language: a tower, or graphs | S §4 |

pub mod first_order;
pub mod presheaf;
