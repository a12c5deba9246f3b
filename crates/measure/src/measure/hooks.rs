//! Hooks of sums over paths, with which a rule of them is replaced: to see what becomes of masses and means under a wrong one. A wrong rule for
//! changes of variables is a wrong [support](super::support).

use super::draws::Parameter;
use super::explore::Ended;
use crate::number::Magnitude;
use crate::pieces::Decided;
use crate::smooth::graph::Graph;
use std::fmt;

/// What a sum asks where a rule may be replaced. What is not written is the rule of the library.
///
/// *Theorem to keep*: the mass is the mean of the product of all weights over all that may be drawn, and a mean that of the value times
/// that product, divided by the mass. Nothing checks that: it is what laws are for.
pub trait Hooks: fmt::Debug + Send + Sync {
    /// The factors by which a path is weighed, of its scores.
    fn weights(&self, scores: &[Graph]) -> Vec<Graph> {
        scores.to_vec()
    }
    /// At most the chance of paths that were not followed.
    fn rest(&self, chance: Magnitude) -> Magnitude {
        chance
    }
    /// What is left of natural numbers.
    fn tails(&self, tails: Vec<Ended>) -> Vec<Ended> {
        tails
    }
    /// Where a path leads.
    fn decided(&self, decided: &[Decided], _: Option<&Parameter>) -> Vec<Decided> {
        decided.to_vec()
    }
    /// Whether a mean is divided by the mass.
    fn divides_by_the_mass(&self) -> bool {
        true
    }
    /// Whether a mean has to have an integral of its absolute value.
    fn needs_absolute_integrals(&self) -> bool {
        true
    }
    /// Whether a box counts as a whole though a border crosses it.
    fn counts_whole_boxes(&self) -> bool {
        false
    }
}

/// Those of the library.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl Hooks for Library {}
