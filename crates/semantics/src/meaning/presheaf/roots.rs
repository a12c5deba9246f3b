//! What there is to say of first roots at the ends of [0, 1]: there firstRoot may not be what was meant. It is said of those that a number is
//! computed from as well, as `1 + 2 * firstRoot f` is.

use crate::model::Place;
use crate::model::answer::Remark;
use crate::number::budget::Budget;
use crate::number::{Rational, Sign};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Site, Variable};
use rustc_hash::FxHashSet;

/// Closed first roots.
#[derive(Default)]
pub(super) struct FirstRoots {
    found: Vec<Graph>,
    /// The nodes that were looked through; they are held, so that no other node has their addresses.
    seen: FxHashSet<usize>,
    held: Vec<Graph>,
}

/// More of them than this are not looked at.
const MOST: usize = 32;

/// A first root that is at an end, or may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtEnd {
    /// Its function is negative at 0.
    Negative,
    /// Its function is 0 at 0.
    Zero,
    /// Its function is positive up to 1.
    Positive,
}

impl AtEnd {
    fn said(self) -> &'static str {
        match self {
            Self::Negative => {
                " is 0 where its function is negative at 0; where it is to find a rise through 0, negate the function"
            }
            Self::Zero => {
                ": its function is 0 at 0, so that both 0 and the next place where it falls through 0 count; begin beside 0 to find that"
            }
            Self::Positive => " is 1 where its function does not fall through 0 on [0, 1]",
        }
    }
}

impl FirstRoots {
    /// Adds those that a closed graph is computed from, outside of what binds a variable.
    pub(super) fn gather(&mut self, number: &Graph) {
        if self.found.len() >= MOST || !self.seen.insert(number.address()) {
            return;
        }
        self.held.push(number.clone());
        let mut pending = vec![number];
        while let Some(g) = pending.pop() {
            if g.as_first_root().is_some() && self.found.len() < MOST {
                self.found.push(g.clone());
            }
            pending.extend(g.operation().parts().into_iter().filter(|part| self.seen.insert(part.address())));
        }
    }

    /// What there is to say of them, once for each place.
    pub(super) fn remarks(&self, budget: &Budget, place: impl Fn(Site) -> Option<Place>) -> Vec<Remark> {
        let mut remarks: Vec<Remark> = Vec::new();
        for root in &self.found {
            let Ok(Some(at)) = at_end(root, budget) else { continue };
            let place = place(root.site());
            let before = if place.is_some() { "" } else { "firstRoot" };
            let remark = Remark { before: before.to_owned(), place, after: at.said().to_owned() };
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        remarks
    }
}

/// Whether a first root is at an end, or may be.
fn at_end(root: &Graph, budget: &Budget) -> Result<Option<AtEnd>, SmoothError> {
    let Some((variable, body)) = root.as_first_root() else { return Ok(None) };
    if budget.is_exhausted() {
        return Ok(None);
    }
    let starts = number_at(variable, body, 0).real()?.sign(budget)?;
    Ok(match starts.sign {
        Sign::Negative => Some(AtEnd::Negative),
        Sign::Positive => {
            let ends = number_at(variable, body, 1).real()?.sign(budget)?;
            let one = || -> Result<bool, SmoothError> {
                let found = root.real()?.enclose(&Rational::from((1, 2)), budget)?.enclosure;
                Ok(found.is_point() && found.contains(&Rational::from(1)))
            };
            (ends.sign != Sign::Negative && one()?).then_some(AtEnd::Positive)
        }
        Sign::Undecided => {
            let start = starts.answer.enclosure;
            (start.is_defined() && start.is_point()).then_some(AtEnd::Zero)
        }
    })
}

/// The value of a function at an end of [0, 1].
fn number_at(variable: Variable, body: &Graph, end: i64) -> Graph {
    body.substitute(&[(variable, Graph::integer(end))])
}
