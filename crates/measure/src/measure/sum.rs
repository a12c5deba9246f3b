//! Sums over the paths of a program, and quotients of two such sums.

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

/// The greatest number of paths to integrate. A choice: it bounds the time for integrals.
pub(super) const MOST_PATHS: usize = 4096;
/// The part of the tolerance that unexplored paths may use, as a power of two. A choice.
const REST: i64 = -3;
/// The greatest number of terms that are all enclosed after the time is up. A choice.
const MOST_LATE: usize = 16;
/// The number of refinements of a quotient before an upper bound of its denominator that does not fall ends them. A
/// choice.
const ROUNDS: u32 = 4;
/// The reason for a path without a value that may have probability 0.
pub(super) const NO_VALUE: &str = "the program has no value on a path of which it is not shown that it has no chance";
/// The reason for a missing derivative if a score is negative on one side of the parameter.
const ONE_SIDED: &str = "a score is negative for parameters near the place, where the program has no meaning, so that there is no derivative";
/// The greatest precision of a sum, in bits.
const MOST_BITS: u32 = 1 << 16;
/// The refinement per round, as a power of two. A choice.
const FINER: u32 = 8;

type Num = <Mpfr as Context>::Num;

/// The contribution of a path to a derivative of a sum, with an upper bound on the path's probability.
struct Term {
    contribution: Contribution,
    chance: Magnitude,
    /// The path as the program has it, for messages.
    written: Ended,
}

/// A path that is integrated.
struct Summand {
    /// The path after linear substitutions.
    ended: Ended,
    /// The path as the program has it.
    written: Ended,
    /// `true` if no score on the path is negative.
    not_negative: bool,
}

impl Summand {
    /// Makes the summand of a tail with a closed sum.
    fn closed(beyond: Beyond) -> Self {
        let Beyond { ended, scores, .. } = beyond;
        Self { written: ended.clone(), ended, not_negative: scores }
    }
}

/// The kind of a sum, which decides the bounds of its terms.
#[derive(Clone, Copy)]
enum Total {
    /// A normalising constant: terms are nonnegative.
    Mass,
    /// A mean times the normalising constant: terms are values times weights.
    Sum,
    /// A derivative: terms are only bounded by their integrals.
    Derivative,
}

/// The explored paths of a model, and bounds for the others.
pub(super) struct Sum {
    /// The replaceable rules.
    hooks: &'static dyn Hooks,
    /// The paths to integrate.
    leaves: Vec<Summand>,
    /// The parameter.
    parameter: Option<Parameter>,
    /// The arithmetic of sums.
    context: Mpfr,
    /// The budget.
    budget: Arc<Budget>,
    /// An upper bound on every product of weights. `None` if there is none.
    most: Option<Magnitude>,
    /// The paths and tails that are bounded without integration.
    beyond: Vec<Beyond>,
    /// `true` if the mean of a function of the values is wanted.
    asks_values: bool,
    /// An enclosure of the function of the values.
    asked: Enclosure,
    /// `true` if exploration stopped because the unexplored paths are rare enough.
    settled: bool,
    /// `true` if paths wait.
    waits: bool,
    /// `true` if a score is not shown to be nonnegative.
    unsure: bool,
    /// `true` if a score is negative for parameters on one side of that of a derivative.
    one_sided: bool,
    /// `true` if a score is negative, since the integral of the weights over a path is negative.
    negative: bool,
    /// An upper bound on the probability of paths without any other bound.
    rest: Magnitude,
    /// The number of paths that were not followed to an end, or not integrated.
    open: usize,
    /// The assumptions made.
    assumed: Vec<String>,
    /// `true` if one of the assumptions is not part of the question.
    unproved: bool,
    /// The first reason found for a wide answer.
    why: Option<String>,
}

/// Returns the precision in bits for sums of a given width.
fn bits(eps: &Rational) -> u32 {
    let own = u32::try_from(-Magnitude::from_rational(eps).log2()).unwrap_or(0);
    // half of the usual precision in addition, for the rounding of many terms
    BITS.max(own.min(MOST_BITS).saturating_add(BITS / 2))
}

/// Returns `true` if a program may weight its runs: if a score or an observation occurs in it, or in its definitions.
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
    /// Explores the paths of a model, and classifies them. `finer` lowers the bound on unexplored paths by that power
    /// of two.
    ///
    /// # Errors
    /// A negative score, a violated constraint, a program without a value on a path of positive probability, or an
    /// error of the semantics.
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
        // a part of the tolerance only, since the integrals need most of it
        let goal = Magnitude::from_rational(&question.eps).shifted(REST - finer);
        let until = match most {
            // the inverse of a magnitude is rounded down by the power of two
            Some(most) if most > Magnitude::ONE => goal.shifted(-most.log2() - 1),
            _ => goal,
        };
        // half of the time remains for the integrals
        let half = budget.part(u64::MAX, budget.remaining().map(|left| left / 2));
        let mut explorer = Explorer::new(model, parameter.as_ref(), budget)?;
        let settled = explorer.go_on(until, MOST_PATHS, &half)?;
        let asked = explorer.asked();
        let order = parameter.as_ref().map_or(0, |parameter| parameter.order);
        // where weights, values or derivatives are unbounded, no probability is small enough: rare paths must be
        // followed
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
        // tails with closed sums are integrated like paths
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
        // an open path is counted by its probability only
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
                // no draws satisfy the guards: the program is defined after all
                Ok(None) => {}
                Ok(Some(leaf)) if leaf.is_somewhere() => return Err(Fault::Undefined(found.clone())),
                Ok(Some(_)) => {
                    sum.rest = sum.rest + Magnitude::ONE;
                    sum.open += 1;
                    sum.explain(|| format!("{NO_VALUE}: {found}"));
                }
                Err(obstacle) => {
                    // the probability of the path is unknown, so that 1 is the only bound
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
            // the substituted path is easier to integrate, and the written one is shown in messages
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
                            // inequality undecided: for a derivative the sign nearby may still be known
                            Some(false) => {}
                            None => not_negative &= sum.look_nearby(score, &ended.path, &leaf),
                        }
                    }
                    sum.leaves.push(Summand { ended, written, not_negative });
                }
            }
        }
        // with every path known, the values on paths bound the function better than its whole range does
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

    /// Examines a score that is not shown to be nonnegative, for parameters near that of a derivative. Returns `true`
    /// if it is nonnegative nearby.
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

    /// Sets the reason for a wide answer, if there is none yet.
    fn explain(&mut self, why: impl FnOnce() -> String) {
        if self.why.is_none() {
            self.why = Some(why());
        }
    }

    /// Counts a path that is not integrated, with the reason.
    fn leave(&mut self, obstacle: &Obstacle) {
        self.open += 1;
        self.explain(|| obstacle.text().to_owned());
    }

    /// Returns the order of the derivative in the parameter; 0 without one.
    fn order(&self) -> u32 {
        self.parameter.as_ref().map_or(0, |parameter| parameter.order)
    }

    /// Makes the contributions of the paths to a derivative of a sum, with or without weights and the function of the
    /// values.
    fn terms(&self, weighted: bool, of_value: bool, order: u32) -> Vec<Term> {
        let term = |Summand { ended, written, not_negative }: &Summand| {
            let scores = if weighted { self.hooks.weights(&ended.scores) } else { Vec::new() };
            let value = ended.value.iter().filter(|_| of_value).cloned();
            // only proved signs may be used as such: other scores count as values of any sign
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

    /// Sums the contributions of the paths, each to a part of the width, in `1/part_of_time` of the remaining time.
    fn total(&mut self, terms: &[Term], eps: &Rational, what: Total, part_of_time: u32) -> Num {
        let context = self.context;
        let whole = self.budget.remaining().map(|left| left / part_of_time);
        let whole = self.budget.part(u64::MAX, whole);
        let part = eps / Rational::from(terms.len().max(1));
        let (mut all, mut again) = (Vec::with_capacity(terms.len()), Vec::new());
        for (index, term) in terms.iter().enumerate() {
            // an equal share of the remaining time: a hard path leaves time for the others
            let time = whole.remaining().map(|left| left / (terms.len() - index) as u32);
            let own = self.budget.part(u64::MAX, time);
            // with many terms, those left when the time is up are not enclosed one by one
            let is_late = terms.len() > MOST_LATE && whole.is_exhausted();
            all.push(if is_late { Enclosure::bottom() } else { term.contribution.enclose(&part, &own) });
            if !all[index].is_defined() && own.is_exhausted() {
                again.push(index);
            }
        }
        // terms cut short by their share are tried again in the time that the others left
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
            // weights are nonnegative, so that a negative integral proves a negative score
            self.negative |= matches!(what, Total::Mass) && found.is_defined() && *found.hi() < 0;
            let mut number = context.enclosure(&found);
            // the weights of a path integrate to a number between 0 and its probability times the greatest weight
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

    /// Encloses the integral of the weights over paths of probability at most `chance`.
    fn share(&self, chance: Magnitude) -> Option<Num> {
        let context = &self.context;
        let all = context.assert_defined(context.enclosure(&half_line()));
        let Some(most) = self.most.and_then(|most| (most * chance).to_rational()) else { return Some(all) };
        Some(context.hull(&context.integer(0), &context.rational(&most)))
    }

    /// Returns an upper bound on the probability of the unexplored paths: 1 less the probability of the known paths, if
    /// that is better.
    fn at_most_the_rest(&mut self, eps: &Rational) -> Magnitude {
        let rest = self.rest.min(Magnitude::ONE);
        // for derivatives the bound has no use, so that its computation would be wasted
        if rest.is_zero() || self.order() > 0 {
            return rest;
        }
        let most =
            self.most.and_then(Magnitude::to_rational).map_or_else(|| Rational::from(1), |most| most.max(1.into()));
        let eps = Rational::from(eps >> FINER) / most;
        let terms = self.terms(false, false, 0);
        // a quarter of the time, as most of it is for the answer
        let known = self.total(&terms, &eps, Total::Mass, 4);
        let context = &self.context;
        let rest = context.to_enclosure(&context.sub(&context.integer(1), &known));
        // rounding and the remaining error may leave a negative rest, which proves nothing
        if !rest.is_defined() || *rest.hi() < 0 {
            return self.rest.min(Magnitude::ONE);
        }
        self.rest.min(Magnitude::from_float(rest.hi()))
    }

    /// Returns `true` if more exploration may narrow the answer.
    #[must_use]
    pub fn may_go_on(&self) -> bool {
        self.settled && self.waits
    }
}
