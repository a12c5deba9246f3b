//! The clauses of S, one for each type former. Each can be replaced, to test that its absence is refuted (H Thm 3).

use super::claim::DerivativeClaim;
use super::object::{GluingObject, PairSampler};
use super::scope::{PlotPair, PlotScope};
use crate::value::ValueError;
use std::fmt::Debug;

/// The number of arguments at which a function is tested. A choice: it trades the strength of the test for time.
const ARGUMENTS: usize = 2;

/// The clauses of S. The defaults are those of H.
///
/// *Theorem to keep*: at every type, S determines the second plot of a pair. [`pinned`](super::pinned) tests it.
pub trait RelationClauses: Debug + Send + Sync {
    /// Returns the claims on f and its derivatives that relate a pair of reals. `claim` is the clause of H; the plots
    /// in scope are given.
    fn real_claims(&self, claim: DerivativeClaim, _: &PlotScope) -> Vec<DerivativeClaim> {
        vec![claim]
    }
    /// Returns `true` if natural numbers and truth values must be equal.
    fn relates_constants(&self) -> bool {
        true
    }
    /// Returns the number of components, from the first on, that must be related, of `all`.
    fn related_components(&self, all: usize) -> usize {
        all
    }
    /// Returns `true` if two plots must lie in the same summand.
    fn compares_labels(&self) -> bool {
        true
    }
    /// Returns `true` if plots in the same summand must be related there.
    fn relates_summands(&self) -> bool {
        true
    }
    /// Returns `true` if the parts of a recursive type that have the type itself must be related.
    fn relates_recursive_parts(&self) -> bool {
        true
    }
    /// Returns the number of elements, from the first on, that must be related, for lists of these lengths. Returns
    /// `None` if such lists are not related.
    fn related_elements(&self, left: usize, right: usize) -> Option<usize> {
        (left == right).then_some(left)
    }
    /// Returns the number of related arguments at which functions are tested.
    fn argument_count(&self) -> usize {
        ARGUMENTS
    }
    /// Returns `true` if the pairs that are [drawn](RelationClauses::draw_argument) are known to be related. A drawn pair is a
    /// plot with its Taylor representation. If they are not known to be, a pair is refuted only beside arguments that
    /// are found to be related.
    fn relates_drawn_pairs(&self) -> bool {
        false
    }
    /// Draws a related argument.
    ///
    /// # Errors
    /// Those of functions in the scope.
    fn draw_argument(&self, domain: &GluingObject, sampler: &mut PairSampler<'_>) -> Result<PlotPair, ValueError> {
        sampler.draw_pair(domain)
    }
}

/// The clauses of H.
#[derive(Clone, Copy, Debug)]
pub struct PaperClauses;

impl RelationClauses for PaperClauses {
    fn relates_drawn_pairs(&self) -> bool {
        // H relates a plot to its Taylor representation, which is what is drawn
        true
    }
}
