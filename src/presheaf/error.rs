//! What can go wrong with elements.

/// An error of the presheaf layer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PresheafError {
    /// An element of another type was expected; a well-typed program never gives this.
    #[error("expected {expected}, found {found}")]
    Mismatch {
        /// The kind of element that was expected.
        expected: &'static str,
        /// The kind that was found.
        found: &'static str,
    },
    /// A natural number beyond 2⁶⁴ - 1.
    #[error("a natural number grew beyond 18446744073709551615; use Real numbers for larger ones")]
    NaturalOverflow,
    /// The answer is too large to be given.
    #[error("the answer has more than {parts} parts; ask for some of them")]
    LargeAnswer {
        /// How many it may have.
        parts: usize,
    },
    /// The program took more steps than it may, or its time is up: it may not end at all.
    #[error(
        "the program did not end within {steps} steps of its discrete part; check that every recursion on Nat comes to an end"
    )]
    Exhausted {
        /// The number of steps taken.
        steps: u64,
    },
}
