//! Enclosure of the numbers of an answer, one after another.

use super::roots::FirstRoots;
use crate::model::Place;
use crate::model::answer::{Decision, Remark};
use crate::number::budget::Budget;
use crate::number::real;
use crate::number::why::{Stuck, Why};
use crate::number::{Accuracy, Sign};
use crate::presheaf::condition::Condition;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Site};
use crate::smooth::map::untyped::Untyped;
use crate::smooth::question::Several;
use crate::smooth::witness::{Tie, Undefined};
use crate::syntax::lexer::excerpt;
use crate::value::Change;
use std::sync::Arc;

/// The enclosure of the numbers of an answer, one after another, with what is needed for notes on them.
pub(super) struct Asking<'a> {
    to: &'a Accuracy,
    budget: &'a Budget,
    questions: Several,
    /// The uses of cutRoot on whose promises the answers rest.
    pub(super) sites: Vec<u32>,
    pub(super) suspect: Option<Suspect>,
    /// The number of numbers asked so far.
    asked: usize,
    /// The numbers that are defined but wider than asked although budget remained, each with its index.
    wide: Vec<(usize, Graph)>,
    /// The first roots in the numbers, outside of all binders.
    roots: FirstRoots,
}

/// The most wide numbers that are examined; a choice.
const MOST_WIDE: usize = 32;

/// The first number that is not shown to be defined.
pub(super) struct Suspect {
    number: Graph,
    /// `true` if the budget ran out before the number was decided.
    exhausted: bool,
}

impl Suspect {
    /// Returns the reason why the number is not shown to be defined; `None` if none is found.
    pub(super) fn undefined(&self, budget: &Budget) -> Option<Undefined> {
        if self.exhausted { Some(Undefined::FUEL) } else { self.number.evaluation().ok()?.undefined(budget) }
    }
}

impl<'a> Asking<'a> {
    /// Starts without any number asked.
    pub(super) fn new(to: &'a Accuracy, budget: &'a Budget, questions: Several) -> Self {
        let (sites, wide, roots) = (Vec::new(), Vec::new(), FirstRoots::default());
        Self { to, budget, questions, sites, suspect: None, asked: 0, wide, roots }
    }

    /// Returns notes on places that tie and on first roots at an end, and the tie. Call it when every number has its answer.
    pub(super) fn remarks(&self, place: impl Fn(Site) -> Option<Place>) -> (Vec<Remark>, Option<Tie>) {
        let tie = self.wide.first().and_then(|(_, number)| number.evaluation().ok()?.tie(self.budget));
        let told = tie.as_ref().map(|tie| {
            let [before, after] = tie.remark();
            Remark { before, place: place(tie.site), after }
        });
        (told.into_iter().chain(self.roots.remarks(self.budget, place)).collect(), tie)
    }

    /// Returns reasons why numbers are wider than asked, by index, where more is found than their questions knew.
    pub(super) fn reasons(&self, tie: Option<&Tie>) -> Vec<(usize, Why)> {
        // two values enclosed apart prove that the number is a set; a tie is only where the method stops
        let apart = |number: &Graph| number.apart(self.budget).ok().flatten().map(|ends| Why::Set(Box::new(ends)));
        let ties = |which: usize| {
            let is_first = self.wide.first().is_some_and(|(first, _)| *first == which);
            tie.filter(|_| is_first).map(|tie| Why::Method { stuck: Stuck::Places, site: tie.site.0 })
        };
        let found =
            self.wide.iter().filter_map(|(which, number)| Some((*which, apart(number).or_else(|| ties(*which))?)));
        found.collect()
    }

    fn number(&mut self, graph: &Graph) -> Result<real::Refined, SmoothError> {
        // compiling costs time too, so it is skipped once no number can be asked
        let answer = match self.budget.is_exhausted() {
            true => real::Refined::unknown(),
            false => self.questions.of(graph)?.enclose_to(self.to, self.budget)?,
        };
        self.sites.extend(&answer.assumed);
        if self.suspect.is_none() && !answer.enclosure.is_defined() {
            self.suspect = Some(Suspect { number: graph.clone(), exhausted: answer.exhausted });
        }
        let is_wide = !answer.reached && !answer.exhausted && answer.enclosure.is_defined();
        if is_wide && self.wide.len() < MOST_WIDE {
            self.wide.push((self.asked, graph.clone()));
        }
        self.roots.gather(graph);
        self.asked += 1;
        Ok(answer)
    }
}

impl Change<Graph, Box<real::Refined>> for Asking<'_> {
    type Error = SmoothError;
    fn real(&mut self, graph: &Graph) -> Result<Box<real::Refined>, SmoothError> {
        Ok(Box::new(self.number(graph)?))
    }
    fn truth(&mut self, condition: &Condition) -> Result<Decision, SmoothError> {
        decision(condition, |guard| {
            let comparison = guard.real()?.sign(self.budget)?;
            self.sites.extend(&comparison.answer.assumed);
            Ok(comparison.sign)
        })
    }
}

/// Decides a condition by the sign of a number; an undecided sign gives [`Decision::Border`].
///
/// # Errors
/// Those of the question.
pub fn decision(
    condition: &Condition,
    sign: impl FnOnce(&Graph) -> Result<Sign, SmoothError>,
) -> Result<Decision, SmoothError> {
    let (guard, [positive, negative]) = match condition {
        Condition::Constant(value) => return Ok(Decision::Known(*value)),
        Condition::Guard(guard) => (guard.number(), [true, false]),
        // an equality: off the border both signs give the same truth value, and a constant difference decides it exactly
        Condition::Apart { difference, holds } => match difference.number().as_rational() {
            Some(difference) => return Ok(Decision::Known(difference.is_zero() != *holds)),
            None => (difference.number(), [*holds; 2]),
        },
    };
    Ok(match sign(guard)? {
        Sign::Positive => Decision::Known(positive),
        Sign::Negative => Decision::Known(negative),
        _ => Decision::Border(written(guard)),
    })
}

/// Formats a closed number as a program, cut to the length of an excerpt.
fn written(number: &Graph) -> Arc<str> {
    let text = Untyped::of_graphs(&[], std::slice::from_ref(number)).map(|number| number.to_string());
    excerpt(&text.unwrap_or_default()).into()
}
