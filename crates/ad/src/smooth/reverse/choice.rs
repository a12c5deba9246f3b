//! Cotangents on one branch of a choice.
//!
//! The operands of the branch that is not taken get the cotangent 0. A product with that 0 would still evaluate their
//! slopes: `if x > 0 then sqrt x else 0` would have no gradient at -1. So a node whose cotangent is w on one branch and
//! 0 on the other passes on the cotangents for w, on that branch only. A choice then does not evaluate the branch that
//! is not taken, as in forward mode.

use super::CotangentContributions;
use crate::smooth::graph::{Graph, Guard, NodeOperation};

/// A branch of a choice.
#[derive(Clone, Debug)]
pub(super) struct ChoiceBranch {
    guard: Graph,
    holds: bool,
}

fn is_zero(g: &Graph) -> bool {
    g.as_rational().is_some_and(|q| q.is_zero())
}

impl ChoiceBranch {
    /// Returns the branch on which alone a cotangent is not 0, with its value there. Returns `None` for another
    /// cotangent.
    pub(super) fn of_cotangent(cotangent: &Graph) -> Option<(Self, &Graph)> {
        match cotangent.operation() {
            NodeOperation::Select(guard, w, none) if is_zero(none) => {
                Some((Self { guard: guard.clone(), holds: true }, w))
            }
            NodeOperation::Select(guard, none, w) if is_zero(none) => {
                Some((Self { guard: guard.clone(), holds: false }, w))
            }
            _ => None,
        }
    }

    /// Returns a cotangent that is w on this branch, and 0 on the other.
    pub(super) fn restrict_to(&self, w: &Graph) -> Graph {
        let (guard, none) = (Guard::positive(&self.guard), Graph::integer(0));
        match self.holds {
            true => Graph::select(&guard, w, &none),
            false => Graph::select(&guard, &none, w),
        }
    }

    /// Returns `true` if both are the same branch of one choice.
    fn is_same_branch(&self, other: &Self) -> bool {
        self.holds == other.holds && self.guard.address() == other.guard.address()
    }
}

/// Returns the cotangents that a node passes on. `pull` computes them for a cotangent that is no choice.
pub(super) fn pull_through_choices(
    cotangent: &Graph,
    pull: &mut dyn FnMut(&Graph) -> CotangentContributions,
) -> CotangentContributions {
    let (mut sides, mut inner) = (Vec::new(), cotangent);
    while let Some((side, w)) = ChoiceBranch::of_cotangent(inner) {
        sides.push(side);
        inner = w;
    }
    // the innermost choice is applied first, so that the nesting stays as it was
    let mut handed = pull(inner);
    for (_, w) in &mut handed {
        *w = sides.iter().rev().fold(w.clone(), |w, side| side.restrict_to(&w));
    }
    handed
}

/// Adds two cotangents. If both are 0 off the same branch, the sum is.
pub(super) fn add_on_branch(one: &Graph, another: &Graph, sum: &dyn Fn(&Graph, &Graph) -> Graph) -> Graph {
    let (mut sides, mut both) = (Vec::new(), (one, another));
    while let (Some((side, a)), Some((other, b))) =
        (ChoiceBranch::of_cotangent(both.0), ChoiceBranch::of_cotangent(both.1))
    {
        if !side.is_same_branch(&other) {
            break;
        }
        sides.push(side);
        both = (a, b);
    }
    sides.iter().rev().fold(sum(both.0, both.1), |w, side| side.restrict_to(&w))
}
