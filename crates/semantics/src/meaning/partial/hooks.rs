//! The clauses of the semantics for which a plausible wrong one exists: the points of mutation for tests.

use std::fmt;

/// The replaceable clauses. Everything else is as in A §4 and §5; the defaults are the clauses of A.
///
/// *Invariant to keep*: a defined result is the derivative of a smooth function on an open set, and equals that of the
/// operational semantics (A Thms 6.2 and 6.7). Nothing here checks it; the laws do.
pub trait PartialHooks: fmt::Debug + Send + Sync {
    /// Returns the truth of `x < y` and `x > y` for x = y; `None` leaves it undefined.
    fn comparison_on_diagonal(&self) -> Option<bool> {
        None
    }
    /// Returns `true` if an operation is defined at the edge of its domain where other semantics have a value.
    fn closes_domains(&self) -> bool {
        false
    }
    /// Returns `true` if `let` is lazy: an undefined value matters only when it is used.
    fn binds_lazily(&self) -> bool {
        false
    }
    /// Returns `true` if tuples are lazy in their parts.
    fn pairs_lazily(&self) -> bool {
        false
    }
    /// Returns `true` if a conditional runs both branches.
    fn runs_both_branches(&self) -> bool {
        false
    }
    /// Returns the number of levels of µⁿ.
    fn approximant_levels(&self, n: u64) -> u64 {
        n
    }
    /// Returns the value of µ⁰; `None` leaves it undefined.
    fn bottom_value(&self) -> Option<i64> {
        None
    }
    /// Returns `true` if each derivative has a direction of its own.
    fn separates_directions(&self) -> bool {
        true
    }
    /// Returns `true` if `rd` is Jᵗ w, `false` if it is J w.
    fn transposes_reverse(&self) -> bool {
        true
    }
    /// Returns `true` if f̄ is undefined where f is.
    fn restricts_domain(&self) -> bool {
        true
    }
    /// Returns `true` if f ∨ g is g where f is undefined, and undefined where both are defined and differ.
    fn joins_both_sides(&self) -> bool {
        true
    }
    /// Returns `true` if `rd f x 0` needs the value of f at x.
    fn runs_for_zero_cotangent(&self) -> bool {
        true
    }
}

/// The clauses of A.
#[derive(Clone, Copy, Debug)]
pub struct DefaultPartialHooks;

impl PartialHooks for DefaultPartialHooks {}
