//! What sums over paths do where a plausible wrong way exists, for whoever wants to see what becomes of them under it.

use super::draws::Parameter;
use super::explore::Ended;
use crate::number::Magnitude;
use crate::pieces::Decided;
use crate::smooth::graph::Graph;
use std::fmt;

/// What is done at each of these places; what is not written is right.
///
/// *Theorem to keep*: the mass is the mean of the product of all weights over all that may be drawn, and a mean that of the value times
/// that product, divided by the mass. Nothing checks that: it is what laws are for.
pub trait Rules: fmt::Debug + Send + Sync {
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
}

/// The right ones.
#[derive(Clone, Copy, Debug)]
pub struct Paper;

impl Rules for Paper {}
