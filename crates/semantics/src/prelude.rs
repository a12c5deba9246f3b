//! The names that most programs over the crate import: `use smoothish_semantics::prelude::*;`.

pub use crate::model::answer::{ProgramAnswer, Semantics, SemanticsError};
pub use smoothish_spaces::prelude::*;
pub use smoothish_syntax::prelude::*;

pub use deprecated::*;

/// Earlier names, for one release.
mod deprecated {
    use crate::model::answer;

    /// The earlier name of [`ProgramAnswer`](answer::ProgramAnswer).
    #[deprecated(since = "0.2.0", note = "renamed to `ProgramAnswer`")]
    pub type Answer = answer::ProgramAnswer;

    /// The earlier name of [`SemanticsError`](answer::SemanticsError).
    #[deprecated(since = "0.2.0", note = "renamed to `SemanticsError`")]
    pub type MeaningError = answer::SemanticsError;

    /// The earlier name of [`Semantics`](answer::Semantics), as a bound. An implementation needs the new name: Rust has
    /// no alias of a trait.
    #[deprecated(since = "0.2.0", note = "renamed to `Semantics`")]
    pub trait Meaning: answer::Semantics {}

    #[allow(deprecated)]
    impl<S: answer::Semantics + ?Sized> Meaning for S {}
}
