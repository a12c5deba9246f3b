//! What S says at each type, in words that can be replaced to see whether it would be noticed (H Thm 3).

use super::claim::Claim;
use super::object::{Object, Sampler};
use super::scope::{Pair, Scope};
use crate::value::ValueError;
use std::fmt::Debug;

/// How many arguments are tried of a function.
const ARGUMENTS: usize = 2;

/// The clauses of S. What is not written is as H has it.
///
/// *Theorem to keep*: at every type S determines the second plot of a pair. [`pinned`](super::pinned) tries it.
pub trait Connectives: Debug + Send + Sync {
    /// What must hold of f and of what is said to be its derivatives, given what H asks, among the plots in scope.
    fn reals(&self, claim: Claim, _: &Scope) -> Vec<Claim> {
        vec![claim]
    }
    /// Whether natural numbers and truth values must be the same.
    fn constants(&self) -> bool {
        true
    }
    /// How many of so many components must be related, from the first on.
    fn components(&self, all: usize) -> usize {
        all
    }
    /// Whether two plots must be in one summand.
    fn labels(&self) -> bool {
        true
    }
    /// Whether plots in one summand must be related there.
    fn summands(&self) -> bool {
        true
    }
    /// Whether what a declared type holds of itself must be related.
    fn inside(&self) -> bool {
        true
    }
    /// How many elements of lists of these lengths must be related, from the first on; nothing where the lists are not.
    fn elements(&self, left: usize, right: usize) -> Option<usize> {
        (left == right).then_some(left)
    }
    /// How many related arguments functions are tried at.
    fn arguments(&self) -> usize {
        ARGUMENTS
    }
    /// Whether what is [drawn](Connectives::argument) as related is known to be related: what is drawn is a plot with its Taylor
    /// representation. Where it is not known, a pair is refuted only beside arguments that are found to be related.
    fn relates_what_is_drawn(&self) -> bool {
        false
    }
    /// A related argument.
    ///
    /// # Errors
    /// Those of functions in the scope.
    fn argument(&self, domain: &Object, sampler: &mut Sampler<'_>) -> Result<Pair, ValueError> {
        sampler.draw(domain)
    }
}

/// Those of H.
#[derive(Clone, Copy, Debug)]
pub struct Paper;

impl Connectives for Paper {
    fn relates_what_is_drawn(&self) -> bool {
        true
    }
}
