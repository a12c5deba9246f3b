//! Cotangents on one side of a choice.
//!
//! Below a choice, what the side that is not taken is made of is handed 0. A product with that 0 would still ask for the slopes of the
//! side: `if x > 0 then sqrt x else 0` would have no gradient at -1. So a node whose cotangent is w on one side and 0 on the other
//! hands on what it hands on for w, on that side: then a choice asks nothing of the side that is not taken, as it does forwards.

use super::Handed;
use crate::smooth::graph::{Graph, Guard, Operation};

/// A side of a choice.
#[derive(Clone, Debug)]
pub(super) struct Side {
    guard: Graph,
    holds: bool,
}

fn is_zero(g: &Graph) -> bool {
    g.as_rational().is_some_and(|q| q.is_zero())
}

impl Side {
    /// The side on which alone a cotangent is not 0, and what it is there.
    pub(super) fn of(cotangent: &Graph) -> Option<(Self, &Graph)> {
        match cotangent.operation() {
            Operation::Select(guard, w, none) if is_zero(none) => Some((Self { guard: guard.clone(), holds: true }, w)),
            Operation::Select(guard, none, w) if is_zero(none) => {
                Some((Self { guard: guard.clone(), holds: false }, w))
            }
            _ => None,
        }
    }

    /// A cotangent on this side, and 0 on the other.
    pub(super) fn only(&self, w: &Graph) -> Graph {
        let (guard, none) = (Guard::positive(&self.guard), Graph::integer(0));
        match self.holds {
            true => Graph::select(&guard, w, &none),
            false => Graph::select(&guard, &none, w),
        }
    }

    /// Whether it is the same side of the same choice.
    fn is(&self, other: &Self) -> bool {
        self.holds == other.holds && self.guard.address() == other.guard.address()
    }
}

/// What a node hands on for a cotangent, where `pull` says so for one that is no choice.
pub(super) fn pulled(cotangent: &Graph, pull: &mut dyn FnMut(&Graph) -> Handed) -> Handed {
    let (mut sides, mut inner) = (Vec::new(), cotangent);
    while let Some((side, w)) = Side::of(inner) {
        sides.push(side);
        inner = w;
    }
    let mut handed = pull(inner);
    for (_, w) in &mut handed {
        *w = sides.iter().rev().fold(w.clone(), |w, side| side.only(&w));
    }
    handed
}

/// The sum of two cotangents; on one side of a choice, if both are there alone.
pub(super) fn together(one: &Graph, another: &Graph, sum: &dyn Fn(&Graph, &Graph) -> Graph) -> Graph {
    let (mut sides, mut both) = (Vec::new(), (one, another));
    while let (Some((side, a)), Some((other, b))) = (Side::of(both.0), Side::of(both.1)) {
        if !side.is(&other) {
            break;
        }
        sides.push(side);
        both = (a, b);
    }
    sides.iter().rev().fold(sum(both.0, both.1), |w, side| side.only(&w))
}
