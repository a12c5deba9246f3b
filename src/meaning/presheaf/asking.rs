//! The numbers of an answer, asked one after another.

use crate::model::answer::{Decision, Remark};
use crate::number::budget::Budget;
use crate::number::real::{self, Real};
use crate::number::{Accuracy, Rational, Sign};
use crate::presheaf::condition::Condition;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Graph;
use crate::smooth::map::untyped::Untyped;
use crate::smooth::question::Several;
use crate::smooth::rules::Rulebook;
use crate::smooth::witness::Undefined;
use crate::syntax::lexer::excerpt;
use crate::value::Change;
use std::sync::Arc;

/// The numbers of an answer, one after another.
pub(super) struct Asking<'a> {
    to: &'a Accuracy,
    budget: &'a Budget,
    rules: Option<Arc<dyn Rulebook>>,
    questions: Several,
    pub(super) sites: Vec<u32>,
    pub(super) suspect: Option<Suspect>,
    /// The first number that is defined, and not as narrow as was asked with time to spare.
    pub(super) wide: Option<Graph>,
    /// Whether a number is a first root that is 0, and whether one is 1.
    at_end: [bool; 2],
}

/// What there is to say of them.
const AT_ENDS: [&str; 2] = [
    "firstRoot is 0 where its function is negative at 0; where it is to find a rise through 0, negate the function",
    "firstRoot is 1 where its function does not fall through 0 on [0, 1]",
];

/// The first number that is not shown to be defined.
pub(super) struct Suspect {
    number: Graph,
    /// Whether the budget was used up before that was over.
    exhausted: bool,
}

impl Suspect {
    pub(super) fn undefined(&self, budget: &Budget) -> Option<Undefined> {
        if self.exhausted { Some(Undefined::FUEL) } else { self.number.evaluation().ok()?.undefined(budget) }
    }
}

impl<'a> Asking<'a> {
    /// Nothing is asked yet.
    pub(super) fn new(
        to: &'a Accuracy,
        budget: &'a Budget,
        rules: Option<Arc<dyn Rulebook>>,
        questions: Several,
    ) -> Self {
        Self { to, budget, rules, questions, sites: Vec::new(), suspect: None, wide: None, at_end: [false; 2] }
    }

    /// What there is to say of roots at the ends.
    pub(super) fn at_ends(&self) -> impl Iterator<Item = Remark> + use<> {
        let both = self.at_end.into_iter().zip(AT_ENDS);
        both.filter(|(found, _)| *found).map(|(_, said)| Remark::text(said.to_owned()))
    }

    fn number(&mut self, graph: &Graph) -> Result<real::Refined, SmoothError> {
        // to compile a number that is not asked for would take its time too
        let answer = match self.budget.is_exhausted() {
            true => real::Refined::unknown(),
            false => self.questions.of(graph)?.enclose_to(self.to, self.budget)?,
        };
        self.sites.extend(&answer.assumed);
        // what is undefined by other rules says nothing of the program
        if self.suspect.is_none() && self.rules.is_none() && !answer.enclosure.is_defined() {
            self.suspect = Some(Suspect { number: graph.clone(), exhausted: answer.exhausted });
        }
        if self.wide.is_none() && self.rules.is_none() && !answer.reached && !answer.exhausted {
            self.wide = Some(graph.clone()).filter(|_| answer.enclosure.is_defined());
        }
        if answer.enclosure.is_point() && graph.is_first_root() {
            let [start, end] = &mut self.at_end;
            *start |= answer.enclosure.contains(&Rational::new());
            *end |= answer.enclosure.contains(&Rational::from(1));
        }
        Ok(answer)
    }
}

impl Change<Graph, Box<real::Refined>> for Asking<'_> {
    type Error = SmoothError;
    fn real(&mut self, graph: &Graph) -> Result<Box<real::Refined>, SmoothError> {
        Ok(Box::new(self.number(graph)?))
    }
    fn truth(&mut self, condition: &Condition) -> Result<Decision, SmoothError> {
        let guard = match condition {
            Condition::Constant(value) => return Ok(Decision::Known(*value)),
            Condition::Guard(guard) => guard.number(),
        };
        let comparison = Real::new(guard.evaluation()?.under(self.rules.clone())).sign(self.budget)?;
        self.sites.extend(&comparison.answer.assumed);
        Ok(match comparison.sign {
            Sign::Positive => Decision::Known(true),
            Sign::Negative => Decision::Known(false),
            _ => Decision::Border(written(guard)),
        })
    }
}

/// A closed number as a program, cut short.
fn written(number: &Graph) -> Arc<str> {
    let text = Untyped::of_graphs(&[], std::slice::from_ref(number)).map(|number| number.to_string());
    excerpt(&text.unwrap_or_default()).into()
}
