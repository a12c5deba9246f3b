//! The names that most programs over this crate import: `use smoothish_number::prelude::*;`.

pub use crate::failure::{ErrorKind, ErrorWithKind};
pub use crate::function::Function;
pub use crate::number::budget::Budget;
pub use crate::number::real::RefinableReal;
pub use crate::number::{Accuracy, Context, Double, Enclosure, Interval, Mpfr, Rational, decimal};
pub use crate::verdict::Verdict;

pub use deprecated::*;

/// Earlier names, for one release.
mod deprecated {
    /// The earlier name of [`RefinableReal`](crate::number::real::RefinableReal).
    #[deprecated(since = "0.2.0", note = "renamed to `RefinableReal`")]
    pub type Real<A> = crate::number::real::RefinableReal<A>;

    /// The earlier name of [`ErrorWithKind`](crate::failure::ErrorWithKind), as a bound. An implementation needs the new
    /// name: Rust has no alias of a trait.
    #[deprecated(since = "0.2.0", note = "renamed to `ErrorWithKind`")]
    pub trait Failure: crate::failure::ErrorWithKind {}

    #[allow(deprecated)]
    impl<E: crate::failure::ErrorWithKind + ?Sized> Failure for E {}
}
