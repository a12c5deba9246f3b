//! Enclosure of the numbers of an answer, one after another.

use super::roots::FirstRoots;
use crate::model::SourceLocation;
use crate::model::answer::{AnswerNote, AnswerTruth};
use crate::number::budget::Budget;
use crate::number::real;
use crate::number::why::{UndecidedSearch, WidthReason};
use crate::number::{Accuracy, Sign};
use crate::presheaf::condition::StageCondition;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, SourceId};
use crate::smooth::map::untyped::DynMap;
use crate::smooth::question::QueryBatch;
use crate::smooth::witness::{NonuniqueMaximiser, UndefinedOperation};
use crate::syntax::lexer::message_excerpt;
use crate::value::TryMapReals;
use std::sync::Arc;

/// The enclosure of the numbers of an answer, one after another, with what is needed for notes on them.
pub(super) struct AnswerEncloser<'a> {
    to: &'a Accuracy,
    budget: &'a Budget,
    questions: QueryBatch,
    /// The uses of cutRoot on whose promises the answers rest.
    pub(super) sites: Vec<u32>,
    pub(super) first_undefined: Option<FirstUndefined>,
    /// The number of numbers asked so far.
    asked: usize,
    /// The numbers that are defined but wider than asked although budget remained, each with its index.
    wide_numbers: Vec<(usize, Graph)>,
    /// The first roots in the numbers, outside of all binders.
    roots: FirstRoots,
}

/// The most wide numbers that are examined; a choice.
const MAX_WIDE_NUMBERS: usize = 32;

/// The first number that is not shown to be defined.
pub(super) struct FirstUndefined {
    number: Graph,
    /// `true` if the budget ran out before the number was decided.
    exhausted: bool,
}

impl FirstUndefined {
    /// Returns the reason why the number is not shown to be defined; `None` if none is found.
    pub(super) fn undefined_reason(&self, budget: &Budget) -> Option<UndefinedOperation> {
        if self.exhausted {
            Some(UndefinedOperation::FUEL)
        } else {
            self.number.compile_evaluation().ok()?.diagnose_undefined(budget)
        }
    }
}

impl<'a> AnswerEncloser<'a> {
    /// Starts without any number asked.
    pub(super) fn new(to: &'a Accuracy, budget: &'a Budget, questions: QueryBatch) -> Self {
        let (sites, wide_numbers, roots) = (Vec::new(), Vec::new(), FirstRoots::default());
        Self { to, budget, questions, sites, first_undefined: None, asked: 0, wide_numbers, roots }
    }

    /// Returns notes on places that tie and on first roots at an end, and the tie. Call it when every number has its answer.
    pub(super) fn final_notes(
        &self,
        place: impl Fn(SourceId) -> Option<SourceLocation>,
    ) -> (Vec<AnswerNote>, Option<NonuniqueMaximiser>) {
        let tie = self
            .wide_numbers
            .first()
            .and_then(|(_, number)| number.compile_evaluation().ok()?.find_nonunique_maximiser(self.budget));
        let told = tie.as_ref().map(|tie| {
            let [before, after] = tie.note_texts();
            AnswerNote { before, place: place(tie.site), after }
        });
        (told.into_iter().chain(self.roots.end_notes(self.budget, place)).collect(), tie)
    }

    /// Returns reasons why numbers are wider than asked, by index, where more is found than their questions knew.
    pub(super) fn width_reasons(&self, tie: Option<&NonuniqueMaximiser>) -> Vec<(usize, WidthReason)> {
        // two values enclosed apart prove that the number is a set; a tie is only where the method stops
        let apart = |number: &Graph| {
            number.separate_values(self.budget).ok().flatten().map(|ends| WidthReason::Set(Box::new(ends)))
        };
        let ties = |which: usize| {
            let is_first = self.wide_numbers.first().is_some_and(|(first, _)| *first == which);
            tie.filter(|_| is_first)
                .map(|tie| WidthReason::Method { stuck: UndecidedSearch::MaximiserPlace, site: tie.site.0 })
        };
        let found = self
            .wide_numbers
            .iter()
            .filter_map(|(which, number)| Some((*which, apart(number).or_else(|| ties(*which))?)));
        found.collect()
    }

    fn enclose_number(&mut self, graph: &Graph) -> Result<real::RefinedEnclosure, SmoothError> {
        // compiling costs time too, so it is skipped once no number can be asked
        let answer = match self.budget.is_exhausted() {
            true => real::RefinedEnclosure::unknown(),
            false => self.questions.real_of(graph)?.enclose_to(self.to, self.budget)?,
        };
        self.sites.extend(&answer.assumed);
        if self.first_undefined.is_none() && !answer.enclosure.is_defined() {
            self.first_undefined = Some(FirstUndefined { number: graph.clone(), exhausted: answer.exhausted });
        }
        let is_wide = !answer.reached && !answer.exhausted && answer.enclosure.is_defined();
        if is_wide && self.wide_numbers.len() < MAX_WIDE_NUMBERS {
            self.wide_numbers.push((self.asked, graph.clone()));
        }
        self.roots.collect_from(graph);
        self.asked += 1;
        Ok(answer)
    }
}

impl TryMapReals<Graph, Box<real::RefinedEnclosure>> for AnswerEncloser<'_> {
    type Error = SmoothError;
    fn map_real(&mut self, graph: &Graph) -> Result<Box<real::RefinedEnclosure>, SmoothError> {
        Ok(Box::new(self.enclose_number(graph)?))
    }
    fn map_truth(&mut self, condition: &StageCondition) -> Result<AnswerTruth, SmoothError> {
        decide_condition(condition, |guard| {
            let comparison = guard.to_real()?.decide_sign(self.budget)?;
            self.sites.extend(&comparison.answer.assumed);
            Ok(comparison.sign)
        })
    }
}

/// Decides a condition by the sign of a number; an undecided sign gives [`AnswerTruth::Undecided`].
///
/// # Errors
/// Those of the question.
pub fn decide_condition(
    condition: &StageCondition,
    sign: impl FnOnce(&Graph) -> Result<Sign, SmoothError>,
) -> Result<AnswerTruth, SmoothError> {
    let (guard, [positive, negative]) = match condition {
        StageCondition::Constant(value) => return Ok(AnswerTruth::Decided(*value)),
        StageCondition::Guard(guard) => (guard.number(), [true, false]),
        // an equality: off the border both signs give the same truth value, and a constant difference decides it exactly
        StageCondition::Distinct { difference, holds } => match difference.number().as_rational() {
            Some(difference) => return Ok(AnswerTruth::Decided(difference.is_zero() != *holds)),
            None => (difference.number(), [*holds; 2]),
        },
    };
    Ok(match sign(guard)? {
        Sign::Positive => AnswerTruth::Decided(positive),
        Sign::Negative => AnswerTruth::Decided(negative),
        _ => AnswerTruth::Undecided(format_number(guard)),
    })
}

/// Formats a closed number as a program, cut to the length of an excerpt.
fn format_number(number: &Graph) -> Arc<str> {
    let text = DynMap::of_graphs(&[], std::slice::from_ref(number)).map(|number| number.to_string());
    message_excerpt(&text.unwrap_or_default()).into()
}
