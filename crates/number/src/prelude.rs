//! The names that most programs over this crate import: `use smoothish_number::prelude::*;`.

pub use crate::failure::{ErrorKind, ErrorWithKind};
pub use crate::function::Function;
pub use crate::number::budget::Budget;
pub use crate::number::real::RefinableReal;
pub use crate::number::{Accuracy, Context, Double, Enclosure, Interval, Mpfr, Rational, decimal};
pub use crate::verdict::Verdict;
