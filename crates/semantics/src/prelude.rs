//! The names that most programs over the crate import: `use smoothish_semantics::prelude::*;`.
//!
//! | name | for |
//! |---|---|
//! | [`Semantics`] | the trait of all semantics of programs |
//! | [`ProgramAnswer`], [`SemanticsError`] | the result of evaluating a program, or the reason why there is none |
//! | the prelude of `smoothish_spaces` | values, maps, numbers |
//! | the prelude of `smoothish_syntax` | libraries of definitions, terms, types |

pub use crate::model::answer::{ProgramAnswer, Semantics, SemanticsError};
pub use smoothish_spaces::prelude::*;
pub use smoothish_syntax::prelude::*;

pub use deprecated::*;

/// The names of the items before version 0.2.0, kept for one release.
mod deprecated {
    use crate::model::answer;

    /// The earlier name of [`ProgramAnswer`](answer::ProgramAnswer).
    #[deprecated(since = "0.2.0", note = "renamed to `ProgramAnswer`")]
    pub type Answer = answer::ProgramAnswer;

    /// The earlier name of [`SemanticsError`](answer::SemanticsError).
    #[deprecated(since = "0.2.0", note = "renamed to `SemanticsError`")]
    pub type MeaningError = answer::SemanticsError;

    /// The earlier name of [`Semantics`](answer::Semantics), which still serves as a bound.
    ///
    /// Rust has no alias of a trait, so this is a trait that every semantics implements. An implementation and a trait
    /// object need the new name.
    #[deprecated(since = "0.2.0", note = "renamed to `Semantics`")]
    pub trait Meaning: answer::Semantics {}

    #[allow(deprecated)]
    impl<S: answer::Semantics + ?Sized> Meaning for S {}
}
