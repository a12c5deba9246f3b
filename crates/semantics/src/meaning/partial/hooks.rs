//! The clauses of the meaning where a plausible wrong one exists, for whoever wants to see what becomes of programs under it.

use std::fmt;

/// What is done at each of these places; what is not written is as in A §4 and §5.
///
/// *Theorem to keep*: what is defined is the derivative of a smooth function on an open set, and what the operational semantics
/// gives (A Thms 6.2 and 6.7). Nothing checks that: it is what laws are for.
pub trait Hooks: fmt::Debug + Send + Sync {
    /// What `x < y` and `x > y` are where x = y.
    fn on_the_diagonal(&self) -> Option<bool> {
        None
    }
    /// Whether an operation is defined at the edge of its domain where other meanings have a value.
    fn closes_domains(&self) -> bool {
        false
    }
    /// Whether `let` waits for its value to be used.
    fn binds_lazily(&self) -> bool {
        false
    }
    /// Whether a tuple waits for its parts to be used.
    fn pairs_lazily(&self) -> bool {
        false
    }
    /// Whether both branches of a conditional are run.
    fn runs_both_branches(&self) -> bool {
        false
    }
    /// How many levels of µⁿ there are.
    fn levels(&self, n: u64) -> u64 {
        n
    }
    /// What µ⁰ gives.
    fn bottom(&self) -> Option<i64> {
        None
    }
    /// Whether each derivative has a direction of its own.
    fn directs_apart(&self) -> bool {
        true
    }
    /// Whether `rd` is Jᵗ w, and not J w.
    fn transposes(&self) -> bool {
        true
    }
    /// Whether f̄ is undefined where f is.
    fn restricts(&self) -> bool {
        true
    }
    /// Whether f ∨ g is g where f is undefined, and undefined where both are defined and differ.
    fn joins_both(&self) -> bool {
        true
    }
    /// Whether `rd f x 0` asks for the value of f at x.
    fn runs_for_nothing(&self) -> bool {
        true
    }
}

/// The clauses of A.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl Hooks for Library {}
