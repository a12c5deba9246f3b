//! Common imports: `use smoothish::prelude::*;`.
//!
//! | name | for |
//! |---|---|
//! | [`Session`], [`SessionError`] | programs as text |
//! | [`Map`], [`coordinates`], [`U1`], [`U2`], [`U3`] | maps ℝⁿ ⇝ ℝᵐ, first order |
//! | [`Enclosure`], [`Rational`], [`decimal`], [`Budget`] | numbers, and limits on their cost |
//! | [`Verdict`] | the outcome of a law |
//!
//! Programs as Rust expressions have a [prelude](crate::host::prelude) of their own: its constants have the names of
//! the language, `sin`, `max`, `fold`.

pub use crate::number::budget::Budget;
pub use crate::number::{Enclosure, Rational, decimal};
pub use crate::session::{Session, SessionError};
pub use crate::smooth::map::{Map, coordinates};
pub use crate::verdict::Verdict;
pub use typenum::{self, U1, U2, U3};
