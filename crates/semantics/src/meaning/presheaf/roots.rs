//! Notes on first roots at the ends of [0, 1], where `firstRoot` may not be what was meant.
//!
//! They also cover first roots inside a number, such as that of `1 + 2 * firstRoot f`.

use crate::model::SourceLocation;
use crate::model::answer::AnswerNote;
use crate::number::budget::Budget;
use crate::number::{Rational, Sign};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, SourceId, Variable};
use rustc_hash::FxHashSet;

/// The closed first roots in the numbers of an answer.
#[derive(Default)]
pub(super) struct FirstRoots {
    found: Vec<Graph>,
    /// The addresses of the nodes visited so far. `held` keeps the nodes alive, so that no other node gets such an address.
    seen: FxHashSet<usize>,
    held: Vec<Graph>,
}

/// The most first roots that are examined; a choice.
const MAX_FIRST_ROOTS: usize = 32;

/// The reason why a first root is at an end, or may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstRootEnd {
    /// Its function is negative at 0.
    Negative,
    /// Its function is 0 at 0.
    Zero,
    /// Its function is positive up to 1.
    Positive,
}

impl FirstRootEnd {
    /// Returns the end of the note, after the quotation of the program.
    fn note_text(self) -> &'static str {
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
    /// Adds the first roots from which a closed graph is computed, outside of all binders.
    pub(super) fn collect_from(&mut self, number: &Graph) {
        if self.found.len() >= MAX_FIRST_ROOTS || !self.seen.insert(number.address()) {
            return;
        }
        self.held.push(number.clone());
        let mut pending = vec![number];
        while let Some(g) = pending.pop() {
            if g.as_first_root().is_some() && self.found.len() < MAX_FIRST_ROOTS {
                self.found.push(g.clone());
            }
            // `parts` leaves out the bodies of binders, so every root found is closed
            pending.extend(g.operation().operands().into_iter().filter(|part| self.seen.insert(part.address())));
        }
    }

    /// Returns a note on each first root at an end, once for each place.
    pub(super) fn end_notes(
        &self,
        budget: &Budget,
        place: impl Fn(SourceId) -> Option<SourceLocation>,
    ) -> Vec<AnswerNote> {
        let mut remarks: Vec<AnswerNote> = Vec::new();
        for root in &self.found {
            let Ok(Some(at)) = classify_end(root, budget) else { continue };
            let place = place(root.site());
            let before = if place.is_some() { "" } else { "firstRoot" };
            let remark = AnswerNote { before: before.to_owned(), place, after: at.note_text().to_owned() };
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        remarks
    }
}

/// Returns the reason why a first root is at an end, or may be; `None` if it is inside, or if this is not decided.
fn classify_end(root: &Graph, budget: &Budget) -> Result<Option<FirstRootEnd>, SmoothError> {
    let Some((variable, body)) = root.as_first_root() else { return Ok(None) };
    if budget.is_exhausted() {
        return Ok(None);
    }
    let starts = value_at_end(variable, body, 0).to_real()?.decide_sign(budget)?;
    Ok(match starts.sign {
        Sign::Negative => Some(FirstRootEnd::Negative),
        Sign::Positive => {
            let ends = value_at_end(variable, body, 1).to_real()?.decide_sign(budget)?;
            // undecided at 1 as well: only an enclosure that is the point 1 shows that there is no root before
            let one = || -> Result<bool, SmoothError> {
                let found = root.to_real()?.enclose(&Rational::from((1, 2)), budget)?.enclosure;
                Ok(found.is_point() && found.contains(&Rational::from(1)))
            };
            (ends.sign != Sign::Negative && one()?).then_some(FirstRootEnd::Positive)
        }
        // undecided at 0: a function that is exactly 0 there encloses to a point
        Sign::Undecided => {
            let start = starts.answer.enclosure;
            (start.is_defined() && start.is_point()).then_some(FirstRootEnd::Zero)
        }
    })
}

/// Returns the value of a function at an end of [0, 1].
fn value_at_end(variable: Variable, body: &Graph, end: i64) -> Graph {
    body.substitute(&[(variable, Graph::integer(end))])
}
