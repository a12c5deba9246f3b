//! Sums over the paths of a program, and quotients of two of them.

mod answer;
mod beyond;

use super::cells::Obstacle;
use super::contribution::{Contribution, Factors, divergence};
use super::draws::{Parameter, Path};
use super::explore::{Ended, Explorer};
use super::hooks::Hooks;
use super::integral::Leaf;
use super::range::{BITS, half_line};
use super::{Fault, Model, Question};
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::pieces::Test;
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::library::TRACE;
use crate::syntax::term::{self, TermKind};
use crate::value::Cause;
use beyond::Beyond;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The most paths that are integrated.
pub(super) const MOST_PATHS: usize = 4096;
/// What part of the tolerance, as a power of two, the paths that are left may have.
const REST: i64 = -3;
/// How many terms are still looked at when the time is up.
const MOST_LATE: usize = 16;
/// How often the integrals of a quotient are asked for more, where the mass is not found to be less than it was thought to be.
const ROUNDS: u32 = 4;
/// What is said of a path that may have no chance.
pub(super) const NO_VALUE: &str = "the program has no value on a path of which it is not shown that it has no chance";
/// Why there is no derivative where a program has a meaning on one side alone.
const ONE_SIDED: &str = "a score is negative for parameters near the place, where the program has no meaning, so that there is no derivative";
/// The highest precision of a sum.
const MOST_BITS: u32 = 1 << 16;
/// By how much finer something is asked for than before, as a power of two.
const FINER: u32 = 8;

type Num = <Mpfr as Context>::Num;

/// What a path contributes to a derivative of a sum, and at most its chance.
struct Term {
    contribution: Contribution,
    chance: Magnitude,
    /// The path as the program has it.
    written: Ended,
}

/// A path that is integrated.
struct Summand {
    /// With guards as draws, where they can be.
    ended: Ended,
    /// As the program has it.
    written: Ended,
    /// Whether its scores are shown to be nowhere negative.
    not_negative: bool,
}

impl Summand {
    /// What is summed in closed form.
    fn closed(beyond: Beyond) -> Self {
        let Beyond { ended, scores, .. } = beyond;
        Self { written: ended.clone(), ended, not_negative: scores }
    }
}

/// What is summed.
#[derive(Clone, Copy)]
enum Total {
    Mass,
    /// Of the values.
    Sum,
    /// Of which nothing is known but what is integrated.
    Derivative,
}

/// The integrals of the paths of a model.
pub(super) struct Sum {
    hooks: &'static dyn Hooks,
    leaves: Vec<Summand>,
    parameter: Option<Parameter>,
    context: Mpfr,
    budget: Arc<Budget>,
    /// What no product of weights is greater than, where that is known.
    most: Option<Magnitude>,
    /// Paths that are not integrated.
    beyond: Vec<Beyond>,
    /// Whether something is asked of the values.
    asks_values: bool,
    /// Where what is asked of the values lies.
    asked: Enclosure,
    /// Whether paths were followed until what is left is as likely as it may be.
    settled: bool,
    /// Whether paths wait.
    waits: bool,
    /// Whether a score was not shown not to be negative.
    unsure: bool,
    /// Whether one is for parameters near the place at which a derivative is wanted.
    one_sided: bool,
    /// Whether one is, since a path has a negative mass.
    negative: bool,
    /// At most the chance of what is left, and of which nothing else is known.
    rest: Magnitude,
    open: usize,
    assumed: Vec<String>,
    unproved: bool,
    why: Option<String>,
}

/// The precision of sums that are to be so narrow.
fn bits(eps: &Rational) -> u32 {
    let own = u32::try_from(-Magnitude::from_rational(eps).log2()).unwrap_or(0);
    BITS.max(own.min(MOST_BITS).saturating_add(BITS / 2))
}

/// Whether a program may weigh its runs: whether a score is made in it, or in what it mentions.
pub(super) fn has_scores(term: &term::Term) -> bool {
    let (mut waiting, mut seen) = (vec![term], FxHashSet::default());
    while let Some(term) = waiting.pop() {
        match term.kind() {
            TermKind::Inject { constructor, .. }
                if &**constructor.data().module() == TRACE && matches!(&**constructor.name(), "Score" | "Seen") =>
            {
                return true;
            }
            TermKind::Global(definition) if seen.insert(Arc::as_ptr(definition) as usize) => {
                waiting.push(&definition.term);
            }
            kind => waiting.extend(kind.children()),
        }
    }
    false
}

impl Sum {
    /// The paths of a model, as far as they matter or can be followed.
    ///
    /// # Errors
    /// [`Fault`]
    pub fn of(model: &Model<'_>, question: &Question, finer: i64, budget: &Arc<Budget>) -> Result<Self, Fault> {
        let at = question.at.clone().filter(|_| model.takes_parameter);
        let parameter = at.map(|at| Parameter { variable: Variable::fresh(), at, order: question.order });
        let mut assumed = Vec::new();
        let most = match &question.weight_at_most {
            _ if !has_scores(model.program) => Some(Magnitude::ONE),
            Some(most) => {
                assumed.push(format!("no product of weights is greater than {most}"));
                Some(Magnitude::from_rational(most))
            }
            None => None,
        };
        let goal = Magnitude::from_rational(&question.eps).shifted(REST - finer);
        let until = match most {
            // the inverse of a magnitude is rounded down by the power of two
            Some(most) if most > Magnitude::ONE => goal.shifted(-most.log2() - 1),
            _ => goal,
        };
        // the other half of the time is for the integrals
        let half = budget.part(u64::MAX, budget.remaining().map(|left| left / 2));
        let mut explorer = Explorer::new(model, parameter.as_ref(), budget)?;
        let settled = explorer.go_on(until, MOST_PATHS, &half)?;
        let asked = explorer.asked();
        let order = parameter.as_ref().map_or(0, |parameter| parameter.order);
        if settled && (order > 0 || most.is_none() || !asked.is_bounded()) {
            explorer.follow_rare(&half)?;
        }
        let (tails, unknown) = explorer.tails()?;
        let tails = model.hooks.tails(tails).into_iter().map(|ended| {
            let is_positive = |graph: &Graph| explorer.is_never_negative(&ended.path, graph);
            Beyond {
                positive: ended.value.as_ref().is_none_or(is_positive),
                scores: ended.scores.iter().all(is_positive),
                ended,
            }
        });
        let tails: Vec<Beyond> = tails.collect();
        let unsure = tails.iter().any(|beyond| !beyond.scores);
        let (closed, tails): (Vec<_>, Vec<_>) = tails.into_iter().partition(|beyond| beyond.ended.is_closed());
        let explored = std::mem::take(&mut explorer.explored);
        let is_all_known = unknown.is_zero() && tails.is_empty();
        let waiting = if is_all_known { 0 } else { explorer.waiting() };
        let mut sum = Self {
            hooks: model.hooks,
            leaves: closed.into_iter().map(Summand::closed).collect(),
            unsure,
            one_sided: false,
            negative: false,
            beyond: tails,
            asks_values: model.of.is_some(),
            asked,
            settled,
            waits: waiting > 0,
            parameter: parameter.clone(),
            context: Mpfr::new(bits(&question.eps)),
            budget: budget.clone(),
            most,
            rest: explored.open.iter().fold(unknown, |sum, (_, chance)| sum + *chance),
            open: waiting + explored.open.len(),
            assumed,
            unproved: false,
            why: None,
        };
        if !unknown.is_zero() {
            sum.explain(|| "paths wait that were not followed".to_owned());
        }
        if let Some((found, _)) = explored.open.first() {
            let is_at_border = found.cause == Cause::Undecided && sum.order() > 0;
            sum.explain(|| match is_at_border {
                true => format!(
                    "a path was not followed to its end: {found}; where that is a guard of the parameter on its border, what is drawn \
                     beside it may be something else, and of another dimension, so that a derivative need not exist"
                ),
                false => format!("a path was not followed to its end: {found}"),
            });
        }
        for (path, found) in &explored.undefined {
            match Leaf::shape(path, sum.parameter.as_ref(), budget) {
                Ok(None) => {}
                Ok(Some(leaf)) if leaf.is_somewhere() => return Err(Fault::Undefined(found.clone())),
                Ok(Some(_)) => {
                    sum.rest = sum.rest + Magnitude::ONE;
                    sum.open += 1;
                    sum.explain(|| format!("{NO_VALUE}: {found}"));
                }
                Err(obstacle) => {
                    sum.rest = sum.rest + Magnitude::ONE;
                    sum.leave(&obstacle);
                }
            }
        }
        for ended in explored.ended {
            if budget.is_exhausted() {
                (sum.rest, sum.unsure) = (sum.rest + ended.chance, sum.unsure || !ended.scores.is_empty());
                sum.leave(&Obstacle::Time);
                continue;
            }
            let (written, ended) = (ended.clone(), ended.sheared());
            match Leaf::shape(&ended.path, sum.parameter.as_ref(), budget) {
                Ok(None) => {}
                Err(obstacle) => {
                    sum.leave(&obstacle);
                    let is_positive = |graph: &Graph| explorer.is_never_negative(&ended.path, graph);
                    let positive = ended.value.as_ref().is_none_or(is_positive);
                    let scores = ended.scores.iter().all(is_positive);
                    sum.unsure |= !scores;
                    sum.beyond.push(Beyond { ended, positive, scores });
                }
                Ok(Some(leaf)) => {
                    let mut not_negative = true;
                    for score in &ended.scores {
                        match leaf.fails(score, Test::NonNegative, &ended.path, sum.parameter.as_ref(), budget) {
                            Some(true) => return Err(Fault::NegativeScore),
                            Some(false) => {}
                            None => not_negative &= sum.look_nearby(score, &ended.path, &leaf),
                        }
                    }
                    sum.leaves.push(Summand { ended, written, not_negative });
                }
            }
        }
        if sum.rest.is_zero() {
            sum.asked = sum.values_on_paths().and_then(|values| values.intersection(&sum.asked)).unwrap_or(sum.asked);
        }
        sum.rest = sum.hooks.rest(sum.rest);
        if sum.unsure {
            sum.assumed.push("no score is negative".to_owned());
            sum.unproved = true;
        }
        Ok(sum)
    }

    /// Notes what is known of a score that was not shown not to be negative: where a derivative is wanted, for the parameters nearby. Whether it
    /// is shown so.
    fn look_nearby(&mut self, score: &Graph, path: &Path, leaf: &Leaf) -> bool {
        let nearby = self.parameter.as_ref().filter(|p| p.order > 0);
        let found = nearby.and_then(|p| leaf.turns_negative(score, path, p, &self.budget));
        match found {
            Some(true) => {
                self.one_sided = true;
                self.why = Some(ONE_SIDED.to_owned());
            }
            Some(false) => {}
            None => self.unsure = true,
        }
        found == Some(false)
    }

    fn explain(&mut self, why: impl FnOnce() -> String) {
        if self.why.is_none() {
            self.why = Some(why());
        }
    }

    /// Says why a path is not integrated.
    fn leave(&mut self, obstacle: &Obstacle) {
        self.open += 1;
        self.explain(|| obstacle.text().to_owned());
    }

    fn order(&self) -> u32 {
        self.parameter.as_ref().map_or(0, |parameter| parameter.order)
    }

    /// What the paths contribute to a derivative of a sum.
    fn terms(&self, weighted: bool, of_value: bool, order: u32) -> Vec<Term> {
        let term = |Summand { ended, written, not_negative }: &Summand| {
            let scores = if weighted { self.hooks.weights(&ended.scores) } else { Vec::new() };
            let value = ended.value.iter().filter(|_| of_value).cloned();
            let factors = match not_negative {
                true => Factors { weights: scores, values: value.collect() },
                false => Factors { weights: Vec::new(), values: scores.into_iter().chain(value).collect() },
            };
            let decided = self.hooks.decided(&ended.path.decided, self.parameter.as_ref());
            let path = Path { decided, ..ended.path.clone() };
            let contribution = Contribution::new(&path, factors, self.parameter.as_ref(), order, &self.budget);
            let written = Ended { value: written.value.clone().filter(|_| of_value), ..written.clone() };
            Term { contribution: contribution.under(self.hooks), chance: ended.chance, written }
        };
        self.leaves.iter().map(term).collect()
    }

    /// The sum of what the paths contribute, each to a part of a width, in a part of the time.
    fn total(&mut self, terms: &[Term], eps: &Rational, what: Total, part_of_time: u32) -> Num {
        let context = self.context;
        let whole = self.budget.remaining().map(|left| left / part_of_time);
        let whole = self.budget.part(u64::MAX, whole);
        let part = eps / Rational::from(terms.len().max(1));
        let (mut all, mut again) = (Vec::with_capacity(terms.len()), Vec::new());
        for (index, term) in terms.iter().enumerate() {
            // a path that is hard leaves time for the others
            let time = whole.remaining().map(|left| left / (terms.len() - index) as u32);
            let own = self.budget.part(u64::MAX, time);
            // of many terms those that are left when the time is up are not bounded one by one
            let is_late = terms.len() > MOST_LATE && whole.is_exhausted();
            all.push(if is_late { Enclosure::bottom() } else { term.contribution.enclose(&part, &own) });
            if !all[index].is_defined() && own.is_exhausted() {
                again.push(index);
            }
        }
        // one that was cut short by its small share of the time is asked again in what the others left
        for (asked, &index) in again.iter().enumerate().take_while(|_| !whole.is_exhausted()) {
            let time = whole.remaining().map(|left| left / (again.len() - asked) as u32);
            let own = self.budget.part(u64::MAX, time);
            all[index] = terms[index].contribution.enclose(&part, &own);
        }
        let mut sum = context.integer(0);
        for (term, found) in terms.iter().zip(all) {
            if let Some(obstacle) = term.contribution.obstacle() {
                self.explain(|| obstacle.text().to_owned());
            }
            if term.contribution.may_diverge() {
                let Ended { path, scores, value, .. } = &term.written;
                let factors: Vec<Graph> = value.iter().chain(scores).cloned().collect();
                let why = divergence(path, self.parameter.as_ref(), &factors);
                self.explain(|| why);
            }
            if term.contribution.has_many_coordinates() && !found.is_within(&part) {
                self.explain(|| Obstacle::Dimension.text().to_owned());
            }
            self.negative |= matches!(what, Total::Mass) && found.is_defined() && *found.hi() < 0;
            let mut number = context.enclosure(&found);
            // a mass lies between 0 and the chance of its path times the most that it weighs
            let bound = match what {
                Total::Mass => self.share(term.chance),
                Total::Sum => self.share(term.chance).and_then(|share| self.valued(&share)),
                Total::Derivative => None,
            };
            if let Some(both) = bound.and_then(|bound| context.intersect(&number, &bound)) {
                number = context.assert_defined(both);
            }
            sum = context.add(&sum, &number);
        }
        sum
    }

    /// What paths of a chance may have of the mass.
    fn share(&self, chance: Magnitude) -> Option<Num> {
        let context = &self.context;
        let all = context.assert_defined(context.enclosure(&half_line()));
        let Some(most) = self.most.and_then(|most| (most * chance).to_rational()) else { return Some(all) };
        Some(context.hull(&context.integer(0), &context.rational(&most)))
    }

    /// At most the chance of what is left: all that is not on paths that are known.
    fn at_most_the_rest(&mut self, eps: &Rational) -> Magnitude {
        let rest = self.rest.min(Magnitude::ONE);
        if rest.is_zero() || self.order() > 0 {
            return rest;
        }
        let most =
            self.most.and_then(Magnitude::to_rational).map_or_else(|| Rational::from(1), |most| most.max(1.into()));
        let eps = Rational::from(eps >> FINER) / most;
        let terms = self.terms(false, false, 0);
        // most of the time is for what is asked
        let known = self.total(&terms, &eps, Total::Mass, 4);
        let context = &self.context;
        let rest = context.to_enclosure(&context.sub(&context.integer(1), &known));
        if !rest.is_defined() || *rest.hi() < 0 {
            return self.rest.min(Magnitude::ONE);
        }
        self.rest.min(Magnitude::from_float(rest.hi()))
    }

    /// Whether more would be known if more paths were followed.
    #[must_use]
    pub fn may_go_on(&self) -> bool {
        self.settled && self.waits
    }
}
