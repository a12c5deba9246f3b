//! Hooks of sums over paths, which replace rules for mutation testing. A wrong rule for pushforwards is a wrong
//! [support](super::support).

use super::draws::Parameter;
use super::explore::EndedPath;
use crate::number::Magnitude;
use crate::pieces::GuardCondition;
use crate::smooth::graph::Graph;
use std::fmt;

/// The replaceable rules of a sum. Default methods are the rules of the library.
///
/// *Theorem to keep*: the normalising constant is the mean of the product of all weights over all draws, and a mean is
/// that of the value times the product, divided by the normalising constant. Nothing here checks it: the laws do.
pub trait MeasureHooks: fmt::Debug + Send + Sync {
    /// Returns the factors by which a path is weighted, from its scores.
    fn path_weights(&self, scores: &[Graph]) -> Vec<Graph> {
        scores.to_vec()
    }
    /// Returns the upper bound on the probability of unexplored paths.
    fn unexplored_probability(&self, chance: Magnitude) -> Magnitude {
        chance
    }
    /// Returns the tails of natural numbers to sum.
    fn tails_to_sum(&self, tails: Vec<EndedPath>) -> Vec<EndedPath> {
        tails
    }
    /// Returns the decisions that bound the domain of a path.
    fn path_decisions(&self, decided: &[GuardCondition], _: Option<&Parameter>) -> Vec<GuardCondition> {
        decided.to_vec()
    }
    /// Returns `true` if a mean is divided by the normalising constant.
    fn divides_by_the_mass(&self) -> bool {
        true
    }
    /// Returns `true` if a mean must have an integral of its absolute value.
    fn needs_absolute_integrals(&self) -> bool {
        true
    }
    /// Returns `true` if a box crossed by a boundary counts as a whole.
    fn counts_whole_boxes(&self) -> bool {
        false
    }
}

/// The rules of the library.
#[derive(Clone, Copy, Debug)]
pub struct DefaultMeasureHooks;

impl MeasureHooks for DefaultMeasureHooks {}
