//! Sums over the paths of a program, and quotients of two such sums.

mod answer;
mod beyond;

use super::cells::DecompositionError;
use super::contribution::{PathContribution, PathFactors, divergence_message};
use super::draws::{ExecutionPath, Parameter};
use super::explore::{EndedPath, PathExplorer};
use super::hooks::MeasureHooks;
use super::integral::PathIntegral;
use super::range::{PRECISION_BITS, half_line};
use super::{MeasureError, MeasureQuestion, ProbabilisticModel};
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::pieces::SignTest;
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::library::TRACE;
use crate::syntax::term::{self, TermKind};
use crate::value::UndefinedCause;
use beyond::UnexploredMass;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The greatest number of paths to integrate. A choice: it bounds the time for integrals.
pub(super) const MAX_PATHS: usize = 4096;
/// The part of the tolerance that unexplored paths may use, as a power of two. A choice.
const UNEXPLORED_SHARE_LOG2: i64 = -3;
/// The greatest number of terms that are all enclosed after the time is up. A choice.
const MAX_LATE_TERMS: usize = 16;
/// The number of refinements of a quotient before an upper bound of its denominator that does not fall ends them. A
/// choice.
const MAX_STALLED_ROUNDS: u32 = 4;
/// The reason for a path without a value that may have probability 0.
pub(super) const NO_VALUE_REASON: &str =
    "the program has no value on a path of which it is not shown that it has no chance";
/// The reason for a missing derivative if a score is negative on one side of the parameter.
const ONE_SIDED_REASON: &str = "a score is negative for parameters near the place, where the program has no meaning, so that there is no derivative";
/// The greatest precision of a sum, in bits.
const MAX_SUM_PRECISION: u32 = 1 << 16;
/// The refinement per round, as a power of two. A choice.
const REFINEMENT_BITS: u32 = 8;

type SumNumber = <Mpfr as Context>::Num;

/// The contribution of a path to a derivative of a sum, with an upper bound on the path's probability.
struct PathTerm {
    contribution: PathContribution,
    probability_bound: Magnitude,
    /// The path as the program has it, for messages.
    original: EndedPath,
}

/// A path that is integrated.
struct IntegratedPath {
    /// The path after linear substitutions.
    path: EndedPath,
    /// The path as the program has it.
    original: EndedPath,
    /// `true` if no score on the path is negative.
    nonnegative_scores: bool,
}

impl IntegratedPath {
    /// Makes the summand of a tail with a closed sum.
    fn of_closed_tail(beyond: UnexploredMass) -> Self {
        let UnexploredMass { ended: path, nonnegative_scores: scores, .. } = beyond;
        Self { original: path.clone(), path, nonnegative_scores: scores }
    }
}

/// The kind of a sum, which decides the bounds of its terms.
#[derive(Clone, Copy)]
enum SumKind {
    /// A normalising constant: terms are nonnegative.
    NormalisingConstant,
    /// A mean times the normalising constant: terms are values times weights.
    WeightedMean,
    /// A derivative: terms are only bounded by their integrals.
    Derivative,
}

/// The explored paths of a model, and bounds for the others.
pub(super) struct PathSum {
    /// The replaceable rules.
    hooks: &'static dyn MeasureHooks,
    /// The paths to integrate.
    integrated: Vec<IntegratedPath>,
    /// The parameter.
    parameter: Option<Parameter>,
    /// The arithmetic of sums.
    context: Mpfr,
    /// The budget.
    budget: Arc<Budget>,
    /// An upper bound on every product of weights. `None` if there is none.
    weight_bound: Option<Magnitude>,
    /// The paths and tails that are bounded without integration.
    unintegrated: Vec<UnexploredMass>,
    /// `true` if the mean of a function of the values is wanted.
    has_mean_function: bool,
    /// An enclosure of the function of the values.
    mean_range: Enclosure,
    /// `true` if exploration stopped because the unexplored paths are rare enough.
    is_explored: bool,
    /// `true` if paths wait.
    has_waiting_paths: bool,
    /// `true` if a score is not shown to be nonnegative.
    has_unproved_score: bool,
    /// `true` if a score is negative for parameters on one side of that of a derivative.
    one_sided: bool,
    /// `true` if a score is negative, since the integral of the weights over a path is negative.
    has_negative_score: bool,
    /// An upper bound on the probability of paths without any other bound.
    unexplored_probability: Magnitude,
    /// The number of paths that were not followed to an end, or not integrated.
    open_paths: usize,
    /// The assumptions made.
    assumptions: Vec<String>,
    /// `true` if one of the assumptions is not part of the question.
    has_unproved_assumption: bool,
    /// The first reason found for a wide answer.
    width_reason: Option<String>,
}

/// Returns the precision in bits for sums of a given width.
fn sum_precision(eps: &Rational) -> u32 {
    let own = u32::try_from(-Magnitude::from_rational(eps).floor_log2()).unwrap_or(0);
    // half of the usual precision in addition, for the rounding of many terms
    PRECISION_BITS.max(own.min(MAX_SUM_PRECISION).saturating_add(PRECISION_BITS / 2))
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

impl PathSum {
    /// Explores the paths of a model, and classifies them. `finer` lowers the bound on unexplored paths by that power
    /// of two.
    ///
    /// # Errors
    /// A negative score, a violated constraint, a program without a value on a path of positive probability, or an
    /// error of the semantics.
    pub fn explore_model(
        model: &ProbabilisticModel<'_>,
        question: &MeasureQuestion,
        finer: i64,
        budget: &Arc<Budget>,
    ) -> Result<Self, MeasureError> {
        let at = question.parameter.clone().filter(|_| model.takes_parameter);
        let parameter =
            at.map(|at| Parameter { variable: Variable::fresh(), value: at, order: question.derivative_order });
        let mut assumed = Vec::new();
        let most = match &question.weight_bound {
            _ if !has_scores(model.program) => Some(Magnitude::ONE),
            Some(most) => {
                assumed.push(format!("no product of weights is greater than {most}"));
                Some(Magnitude::from_rational(most))
            }
            None => None,
        };
        // a part of the tolerance only, since the integrals need most of it
        let goal = Magnitude::from_rational(&question.eps).mul_exp2(UNEXPLORED_SHARE_LOG2 - finer);
        let until = match most {
            // the inverse of a magnitude is rounded down by the power of two
            Some(most) if most > Magnitude::ONE => goal.mul_exp2(-most.floor_log2() - 1),
            _ => goal,
        };
        // half of the time remains for the integrals
        let half = budget.for_part(u64::MAX, budget.remaining_time().map(|left| left / 2));
        let mut explorer = PathExplorer::new(model, parameter.as_ref(), budget)?;
        let settled = explorer.explore_until(until, MAX_PATHS, &half)?;
        let asked = explorer.enclose_mean_function();
        let order = parameter.as_ref().map_or(0, |parameter| parameter.order);
        // where weights, values or derivatives are unbounded, no probability is small enough: rare paths must be
        // followed
        if settled && (order > 0 || most.is_none() || !asked.is_bounded()) {
            explorer.follow_rare(&half)?;
        }
        let (tails, unknown) = explorer.collect_tails()?;
        let tails = model.hooks.tails_to_sum(tails).into_iter().map(|ended| {
            let is_positive = |graph: &Graph| explorer.is_never_negative(&ended.path, graph);
            UnexploredMass {
                nonnegative_value: ended.value.as_ref().is_none_or(is_positive),
                nonnegative_scores: ended.scores.iter().all(is_positive),
                ended,
            }
        });
        let tails: Vec<UnexploredMass> = tails.collect();
        let unsure = tails.iter().any(|beyond| !beyond.nonnegative_scores);
        // tails with closed sums are integrated like paths
        let (closed, tails): (Vec<_>, Vec<_>) = tails.into_iter().partition(|beyond| beyond.ended.has_closed_sum());
        let explored = std::mem::take(&mut explorer.explored);
        let is_all_known = unknown.is_zero() && tails.is_empty();
        let waiting = if is_all_known { 0 } else { explorer.waiting_count() };
        let mut sum = Self {
            hooks: model.hooks,
            integrated: closed.into_iter().map(IntegratedPath::of_closed_tail).collect(),
            has_unproved_score: unsure,
            one_sided: false,
            has_negative_score: false,
            unintegrated: tails,
            has_mean_function: model.mean_of.is_some(),
            mean_range: asked,
            is_explored: settled,
            has_waiting_paths: waiting > 0,
            parameter: parameter.clone(),
            context: Mpfr::new(sum_precision(&question.eps)),
            budget: budget.clone(),
            weight_bound: most,
            unexplored_probability: explored.open.iter().fold(unknown, |sum, (_, chance)| sum + *chance),
            open_paths: waiting + explored.open.len(),
            assumptions: assumed,
            has_unproved_assumption: false,
            width_reason: None,
        };
        if !unknown.is_zero() {
            sum.set_reason(|| "paths wait that were not followed".to_owned());
        }
        // an open path is counted by its probability only
        if let Some((found, _)) = explored.open.first() {
            let is_at_border = found.cause == UndefinedCause::Undecided && sum.derivative_order() > 0;
            sum.set_reason(|| match is_at_border {
                true => format!(
                    "a path was not followed to its end: {found}; where that is a guard of the parameter on its border, what is drawn \
                     beside it may be something else, and of another dimension, so that a derivative need not exist"
                ),
                false => format!("a path was not followed to its end: {found}"),
            });
        }
        for (path, found) in &explored.undefined {
            match PathIntegral::of_guards(path, sum.parameter.as_ref(), budget) {
                // no draws satisfy the guards: the program is defined after all
                Ok(None) => {}
                Ok(Some(leaf)) if leaf.has_cells() => return Err(MeasureError::Undefined(found.clone())),
                Ok(Some(_)) => {
                    sum.unexplored_probability = sum.unexplored_probability + Magnitude::ONE;
                    sum.open_paths += 1;
                    sum.set_reason(|| format!("{NO_VALUE_REASON}: {found}"));
                }
                Err(obstacle) => {
                    // the probability of the path is unknown, so that 1 is the only bound
                    sum.unexplored_probability = sum.unexplored_probability + Magnitude::ONE;
                    sum.count_open_path(&obstacle);
                }
            }
        }
        for ended in explored.ended {
            if budget.is_exhausted() {
                (sum.unexplored_probability, sum.has_unproved_score) = (
                    sum.unexplored_probability + ended.probability_bound,
                    sum.has_unproved_score || !ended.scores.is_empty(),
                );
                sum.count_open_path(&DecompositionError::BudgetExhausted);
                continue;
            }
            // the substituted path is easier to integrate, and the written one is shown in messages
            let (written, ended) = (ended.clone(), ended.substitute_guards());
            match PathIntegral::of_guards(&ended.path, sum.parameter.as_ref(), budget) {
                Ok(None) => {}
                Err(obstacle) => {
                    sum.count_open_path(&obstacle);
                    let is_positive = |graph: &Graph| explorer.is_never_negative(&ended.path, graph);
                    let positive = ended.value.as_ref().is_none_or(is_positive);
                    let scores = ended.scores.iter().all(is_positive);
                    sum.has_unproved_score |= !scores;
                    sum.unintegrated.push(UnexploredMass {
                        ended,
                        nonnegative_value: positive,
                        nonnegative_scores: scores,
                    });
                }
                Ok(Some(leaf)) => {
                    let mut not_negative = true;
                    for score in &ended.scores {
                        match leaf.test_fails(score, SignTest::NonNegative, &ended.path, sum.parameter.as_ref(), budget)
                        {
                            Some(true) => return Err(MeasureError::NegativeScore),
                            // inequality undecided: for a derivative the sign nearby may still be known
                            Some(false) => {}
                            None => not_negative &= sum.look_nearby(score, &ended.path, &leaf),
                        }
                    }
                    sum.integrated.push(IntegratedPath {
                        path: ended,
                        original: written,
                        nonnegative_scores: not_negative,
                    });
                }
            }
        }
        // with every path known, the values on paths bound the function better than its whole range does
        if sum.unexplored_probability.is_zero() {
            sum.mean_range =
                sum.values_on_paths().and_then(|values| values.intersection(&sum.mean_range)).unwrap_or(sum.mean_range);
        }
        sum.unexplored_probability = sum.hooks.unexplored_probability(sum.unexplored_probability);
        if sum.has_unproved_score {
            sum.assumptions.push("no score is negative".to_owned());
            sum.has_unproved_assumption = true;
        }
        Ok(sum)
    }

    /// Examines a score that is not shown to be nonnegative, for parameters near that of a derivative. Returns `true`
    /// if it is nonnegative nearby.
    fn look_nearby(&mut self, score: &Graph, path: &ExecutionPath, leaf: &PathIntegral) -> bool {
        let nearby = self.parameter.as_ref().filter(|p| p.order > 0);
        let found = nearby.and_then(|p| leaf.is_negative_nearby(score, path, p, &self.budget));
        match found {
            Some(true) => {
                self.one_sided = true;
                self.width_reason = Some(ONE_SIDED_REASON.to_owned());
            }
            Some(false) => {}
            None => self.has_unproved_score = true,
        }
        found == Some(false)
    }

    /// Sets the reason for a wide answer, if there is none yet.
    fn set_reason(&mut self, why: impl FnOnce() -> String) {
        if self.width_reason.is_none() {
            self.width_reason = Some(why());
        }
    }

    /// Counts a path that is not integrated, with the reason.
    fn count_open_path(&mut self, obstacle: &DecompositionError) {
        self.open_paths += 1;
        self.set_reason(|| obstacle.reason_text().to_owned());
    }

    /// Returns the order of the derivative in the parameter; 0 without one.
    fn derivative_order(&self) -> u32 {
        self.parameter.as_ref().map_or(0, |parameter| parameter.order)
    }

    /// Makes the contributions of the paths to a derivative of a sum, with or without weights and the function of the
    /// values.
    fn path_terms(&self, weighted: bool, of_value: bool, order: u32) -> Vec<PathTerm> {
        let term =
            |IntegratedPath { path: ended, original: written, nonnegative_scores: not_negative }: &IntegratedPath| {
                let scores = if weighted { self.hooks.path_weights(&ended.scores) } else { Vec::new() };
                let value = ended.value.iter().filter(|_| of_value).cloned();
                // only proved signs may be used as such: other scores count as values of any sign
                let factors = match not_negative {
                    true => PathFactors { weights: scores, values: value.collect() },
                    false => PathFactors { weights: Vec::new(), values: scores.into_iter().chain(value).collect() },
                };
                let decided = self.hooks.path_decisions(&ended.path.decisions, self.parameter.as_ref());
                let path = ExecutionPath { decisions: decided, ..ended.path.clone() };
                let contribution = PathContribution::new(&path, factors, self.parameter.as_ref(), order, &self.budget);
                let written = EndedPath { value: written.value.clone().filter(|_| of_value), ..written.clone() };
                PathTerm {
                    contribution: contribution.under_integral(self.hooks),
                    probability_bound: ended.probability_bound,
                    original: written,
                }
            };
        self.integrated.iter().map(term).collect()
    }

    /// Sums the contributions of the paths, each to a part of the width, in `1/part_of_time` of the remaining time.
    fn sum_terms(&mut self, terms: &[PathTerm], eps: &Rational, what: SumKind, part_of_time: u32) -> SumNumber {
        let context = self.context;
        let whole = self.budget.remaining_time().map(|left| left / part_of_time);
        let whole = self.budget.for_part(u64::MAX, whole);
        let part = eps / Rational::from(terms.len().max(1));
        let (mut all, mut again) = (Vec::with_capacity(terms.len()), Vec::new());
        for (index, term) in terms.iter().enumerate() {
            // an equal share of the remaining time: a hard path leaves time for the others
            let time = whole.remaining_time().map(|left| left / (terms.len() - index) as u32);
            let own = self.budget.for_part(u64::MAX, time);
            // with many terms, those left when the time is up are not enclosed one by one
            let is_late = terms.len() > MAX_LATE_TERMS && whole.is_exhausted();
            all.push(if is_late { Enclosure::bottom() } else { term.contribution.enclose(&part, &own) });
            if !all[index].is_defined() && own.is_exhausted() {
                again.push(index);
            }
        }
        // terms cut short by their share are tried again in the time that the others left
        for (asked, &index) in again.iter().enumerate().take_while(|_| !whole.is_exhausted()) {
            let time = whole.remaining_time().map(|left| left / (again.len() - asked) as u32);
            let own = self.budget.for_part(u64::MAX, time);
            all[index] = terms[index].contribution.enclose(&part, &own);
        }
        let mut sum = context.enclose_integer(0);
        for (term, found) in terms.iter().zip(all) {
            if let Some(obstacle) = term.contribution.missing_reason() {
                self.set_reason(|| obstacle.reason_text().to_owned());
            }
            if term.contribution.may_diverge() {
                let EndedPath { path, scores, value, .. } = &term.original;
                let factors: Vec<Graph> = value.iter().chain(scores).cloned().collect();
                let why = divergence_message(path, self.parameter.as_ref(), &factors);
                self.set_reason(|| why);
            }
            if term.contribution.has_many_coordinates() && !found.has_width_at_most(&part) {
                self.set_reason(|| DecompositionError::TooManyDraws.reason_text().to_owned());
            }
            // weights are nonnegative, so that a negative integral proves a negative score
            self.has_negative_score |=
                matches!(what, SumKind::NormalisingConstant) && found.is_defined() && *found.hi() < 0;
            let mut number = context.round_enclosure(&found);
            // the weights of a path integrate to a number between 0 and its probability times the greatest weight
            let bound = match what {
                SumKind::NormalisingConstant => self.weight_share(term.probability_bound),
                SumKind::WeightedMean => {
                    self.weight_share(term.probability_bound).and_then(|share| self.times_mean_range(&share))
                }
                SumKind::Derivative => None,
            };
            if let Some(both) = bound.and_then(|bound| context.intersect(&number, &bound)) {
                number = context.mark_defined(both);
            }
            sum = context.add(&sum, &number);
        }
        sum
    }

    /// Encloses the integral of the weights over paths of probability at most `chance`.
    fn weight_share(&self, chance: Magnitude) -> Option<SumNumber> {
        let context = &self.context;
        let all = context.mark_defined(context.round_enclosure(&half_line()));
        let Some(most) = self.weight_bound.and_then(|most| (most * chance).to_rational()) else { return Some(all) };
        Some(context.hull(&context.enclose_integer(0), &context.enclose_rational(&most)))
    }

    /// Returns an upper bound on the probability of the unexplored paths: 1 less the probability of the known paths, if
    /// that is better.
    fn bound_unexplored(&mut self, eps: &Rational) -> Magnitude {
        let rest = self.unexplored_probability.min(Magnitude::ONE);
        // for derivatives the bound has no use, so that its computation would be wasted
        if rest.is_zero() || self.derivative_order() > 0 {
            return rest;
        }
        let most = self
            .weight_bound
            .and_then(Magnitude::to_rational)
            .map_or_else(|| Rational::from(1), |most| most.max(1.into()));
        let eps = Rational::from(eps >> REFINEMENT_BITS) / most;
        let terms = self.path_terms(false, false, 0);
        // a quarter of the time, as most of it is for the answer
        let known = self.sum_terms(&terms, &eps, SumKind::NormalisingConstant, 4);
        let context = &self.context;
        let rest = context.to_enclosure(&context.sub(&context.enclose_integer(1), &known));
        // rounding and the remaining error may leave a negative rest, which proves nothing
        if !rest.is_defined() || *rest.hi() < 0 {
            return self.unexplored_probability.min(Magnitude::ONE);
        }
        self.unexplored_probability.min(Magnitude::from_float(rest.hi()))
    }

    /// Returns `true` if more exploration may narrow the answer.
    #[must_use]
    pub fn may_explore_further(&self) -> bool {
        self.is_explored && self.has_waiting_paths
    }
}
