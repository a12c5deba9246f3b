//! What sums over paths do where a plausible wrong way exists, for whoever wants to see what becomes of them under it.

use super::change::volume;
use super::draws::Parameter;
use super::explore::Ended;
use super::support::{Matrix, product};
use crate::number::Magnitude;
use crate::pieces::Decided;
use crate::smooth::graph::Graph;
use crate::syntax::term::Term;
use std::fmt;

/// What is done at each of these places; what is not written is right.
///
/// *Theorems to keep*: the mass is the mean of the product of all weights over all that may be drawn, and a mean that of the value times
/// that product, divided by the mass; a change of variables keeps the mass of each chart. Nothing checks that: it is what laws are for.
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
    /// Whether a mean has to have an integral of its absolute value.
    fn needs_absolute_integrals(&self) -> bool {
        true
    }
    /// Whether a box counts as a whole though a border crosses it.
    fn counts_whole_boxes(&self) -> bool {
        false
    }

    // ---- changes of variables

    /// The map whose slopes are taken.
    fn differentiated(&self, map: &Term) -> Term {
        map.clone()
    }
    /// J, of the slopes of each coordinate of the image.
    fn jacobian(&self, rows: Matrix) -> Matrix {
        rows
    }
    /// √det((J·T)ᵀ(J·T)), of J and T.
    fn stretched(&self, jacobian: &Matrix, embedding: &Matrix) -> Graph {
        volume(&product(jacobian, embedding))
    }
}

/// The right ones.
#[derive(Clone, Copy, Debug)]
pub struct Paper;

impl Rules for Paper {}
