//! Sums over the paths of a program, and quotients of two such sums.
//!
//! # Answers from sums
//!
//! Normalising constants, and quotients of sums by them.
//!
//! # Bounds for paths that are not integrated
//!
//! By moments, and by the range of the function of the values.
//!
//! # Closed sums over numbers of trials
//!
//! The contribution of a geometric tail to the mean of a polynomial.
//!
//! With `q = 1 - p`, the sum `Σ p qⁿ⁻¹ fₙ` over n ≥ N is `q^(N - 1)·E f(N - 1 + g)` for a geometric g, as a waiting
//! time is memoryless. Moreover `E g (g - 1) … (g - i + 1) = i! q^(i - 1)/pⁱ` for i ≥ 1, the ith derivative at z = 1 of
//! the generating function `p z/(1 - q z)`. Therefore
//!
//! `E gᵏ = Σ S(k, i) i! q^(i - 1)/pⁱ`, with Stirling's numbers of the second kind.
//!
//! A finite range is the difference of two such tails. All series converge absolutely for 0 < p < 1, and so do their
//! derivatives in p, since the terms are a polynomial in n times a power of q < 1. A guard that is affine in n splits
//! the numbers into ranges.

use super::cells::DecompositionError;
use super::contribution::{PathContribution, PathFactors, divergence_message};
use super::distribution::Geometric;
use super::draws::{Draw, ExecutionPath, NaturalRange, Parameter};
use super::explore::{EndedPath, PathExplorer};
use super::hooks::MeasureHooks;
use super::integral::PathIntegral;
use super::loops::{LoopCost, LoopSummary};
use super::polytope::integrate_exactly;
use super::range::{PRECISION_BITS, half_line};
use super::{MeasureError, MeasureQuestion, ProbabilisticModel};
use crate::measure::MeasureAnswer;
use crate::measure::evidence::{meets_accuracy, next_width};
use crate::measure::majorant::max_abs_of;
use crate::measure::moment::bound_contribution;
use crate::measure::range::{enclose_range, enclose_rational};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Magnitude, Mpfr, Rational};
use crate::pieces::{GuardCondition, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::syntax::library::TRACE;
use crate::syntax::term;
use crate::syntax::term::TermKind;
use crate::value::UndefinedCause;
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
pub(super) const NO_VALUE_REASON: &str = "the program has no value on a path whose probability is not shown to be 0";
/// The reason for a missing derivative if a score is negative on one side of the parameter.
const ONE_SIDED_REASON: &str = "a score is negative for parameters near the place, where the program has no meaning, so that there is no derivative";
/// The reason for an unbounded mean over a loop for whose states no bound is found.
const NO_BOUND_REASON: &str = "no bound of what is left was found: the loop goes on with a probability that is small, but the function of what it \
                               returns may be large then";
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
        let mut explorer = PathExplorer::new(model, parameter.as_ref(), budget)?;
        let summary = explorer.summarise_loop();
        let mut assumed = Vec::new();
        let most = match &question.weight_bound {
            _ if !has_scores(model.program) => Some(Magnitude::ONE),
            Some(most) => {
                assumed.push(format!("no product of weights is greater than {most}"));
                Some(Magnitude::from_rational(most))
            }
            None => summary.as_ref().and_then(|summary| summary.weight_bound),
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
        // a loop that never returns has no paths to find
        let is_endless = summary.as_ref().is_some_and(|summary| summary.returned.is_none());
        let settled = is_endless || explorer.explore_until(until, MAX_PATHS, &half)?;
        let mut asked = explorer.enclose_mean_function();
        if let Some(returned) = summary.as_ref().and_then(LoopSummary::enclose_returned) {
            asked = asked.intersection(&returned).unwrap_or(asked);
        }
        // where what is returned has no bound, one that depends on the state takes its place
        let is_unbounded = model.mean_of.is_some() && !asked.is_bounded() && explorer.waiting_count() > 0;
        let bounded = summary.as_ref().filter(|summary| is_unbounded && summary.weight_bound.is_some());
        let bound = match (bounded, model.loop_bound) {
            (Some(summary), _) => explorer.loop_bound(summary, LoopCost::Returned)?,
            (None, None) => None,
            // the bound is not needed, and has to be one all the same
            (None, Some(_)) => {
                let summary = summary.as_ref().ok_or(MeasureError::NoLoop)?;
                explorer.loop_bound(summary, LoopCost::Returned)?.filter(|_| is_unbounded)
            }
        };
        let order = parameter.as_ref().map_or(0, |parameter| parameter.order);
        // where weights, values or derivatives are unbounded, no probability is small enough: rare paths must be
        // followed
        if settled && (order > 0 || most.is_none() || !asked.is_bounded()) {
            explorer.follow_rare(&half)?;
        }
        let (tails, unknown) = explorer.collect_tails(bound.as_ref())?;
        let tails = model.hooks.tails_to_sum(tails).into_iter().map(|ended| {
            let is_positive = |graph: &Graph| explorer.is_never_negative(&ended.path, graph);
            // a bound of the absolute value says nothing of the sign
            let is_bound = bound.is_some() && !summary.as_ref().is_some_and(LoopSummary::is_nonnegative);
            UnexploredMass {
                nonnegative_value: !is_bound && ended.value.as_ref().is_none_or(is_positive),
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
        if is_endless {
            sum.set_reason(|| "no run of the loop returns a value".to_owned());
        }
        if !unknown.is_zero() {
            sum.set_reason(|| match is_unbounded && summary.is_some() {
                true => NO_BOUND_REASON.to_owned(),
                false => "some paths were not followed".to_owned(),
            });
        }
        // an open path is counted by its probability only
        if let Some((found, _)) = explored.open.first() {
            let is_at_border = found.cause == UndefinedCause::Undecided && sum.derivative_order() > 0;
            sum.set_reason(|| match is_at_border {
                true => format!(
                    "a path was not followed to its end: {found}. A guard of the parameter may be on its border, with draws of another dimension \
                     on its other side: then a derivative need not exist"
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
            let exact = integrate_exactly(&written.path, &[]).filter(|_| sum.parameter.is_none());
            if let Some(exact) = exact.filter(|_| written.scores.is_empty()) {
                // a polytope has any number of draws: it needs no cells
                if exact != 0 {
                    let path = written.clone();
                    sum.integrated.push(IntegratedPath { path, original: written, nonnegative_scores: true });
                }
                continue;
            }
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
        if sum.unexplored_probability.is_zero() && bound.is_none() {
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

/// The greatest number of refinements of a normalising constant. A choice.
const MAX_CONSTANT_ROUNDS: u32 = 16;

impl PathSum {
    /// Encloses the normalising constant, or a derivative of it: first to the width of the question, then refined until
    /// `accuracy` is met.
    ///
    /// # Errors
    /// [`MeasureError::NegativeScore`] if the integral of the weights over a path is negative.
    pub fn normalising_constant(
        mut self,
        question: &MeasureQuestion,
        accuracy: &Accuracy,
    ) -> Result<MeasureAnswer, MeasureError> {
        self.unexplored_probability = self.bound_unexplored(&question.eps);
        let mut eps = question.eps.clone();
        let order = self.derivative_order();
        let terms = self.path_terms(true, false, order);
        let beyond = self.enclose_unintegrated(true, false, order);
        let mut best = self.context.bottom();
        for _ in 0..MAX_CONSTANT_ROUNDS {
            let half = Rational::from(&eps / 2);
            let known = self.sum_terms(
                &terms,
                &half,
                if order == 0 { SumKind::NormalisingConstant } else { SumKind::Derivative },
                1,
            );
            if self.has_negative_score {
                return Err(MeasureError::NegativeScore);
            }
            let mut sum = self.context.add(&known, &beyond);
            // weights between 0 and their bound have an integral between 0 and that bound
            if order == 0
                && self.weight_bound.is_some()
                && let Some(both) = self.weight_share(Magnitude::ONE).and_then(|all| self.context.intersect(&sum, &all))
            {
                sum = self.context.mark_defined(both);
            }
            // an undefined result after a defined one: more refinement finds nothing
            if !self.context.is_defined(&sum) && self.context.is_defined(&best) {
                break;
            }
            let both = self.context.intersect(&sum, &best).filter(|_| self.context.is_defined(&sum));
            best = both.map_or(sum, |both| self.context.mark_defined(both));
            let found = self.context.to_enclosure(&best);
            // a width beyond the tolerance comes from unexplored paths, which integrals cannot narrow
            if meets_accuracy(accuracy, &found) || !found.has_width_at_most(&eps) || self.budget.is_exhausted() {
                break;
            }
            eps = next_width(accuracy, &found, &eps);
        }
        Ok(self.into_answer(&best))
    }

    /// Encloses the mean of the function of the values, or a derivative of it.
    ///
    /// # Errors
    /// [`MeasureError::ZeroNormalisingConstant`] if the normalising constant is 0, [`MeasureError::NegativeScore`] if the integral of the weights over
    /// a path is negative.
    pub fn normalised_mean(
        mut self,
        question: &MeasureQuestion,
        accuracy: &Accuracy,
    ) -> Result<MeasureAnswer, MeasureError> {
        self.unexplored_probability = self.bound_unexplored(&question.eps);
        let order = self.derivative_order();
        let [masses, sums] =
            [false, true].map(|of| (0..=order).map(|k| self.path_terms(true, of, k)).collect::<Vec<_>>());
        // an eighth: numerator, denominator and quotient share the tolerance
        let eps_asked = Rational::from(&question.eps / 8);
        let (mut eps, mut least) = (eps_asked.clone(), half_line().hi().clone());
        let mut best = self.context.bottom();
        let mut unknown_mass = None;
        let beyond = |of| (0..=order).map(|k| self.enclose_unintegrated(true, of, k)).collect::<Vec<_>>();
        let [beyond_masses, beyond_sums] = [false, true].map(beyond);
        for round in 0.. {
            let mut coefficients: Vec<[SumNumber; 2]> = Vec::new();
            let mut factorial = 1u64;
            for k in 0..=order {
                factorial = factorial.saturating_mul(u64::from(k.max(1)));
                let [mass, value] = if k == 0 {
                    [SumKind::NormalisingConstant, SumKind::WeightedMean]
                } else {
                    [SumKind::Derivative; 2]
                };
                // each sum gets an equal part of the time that remains for those after it
                let known = self.sum_terms(&masses[k as usize], &eps, mass, 2 * (order + 1 - k));
                let mass = self.context.add(&known, &beyond_masses[k as usize]);
                let known = self.sum_terms(&sums[k as usize], &eps, value, 2 * (order + 1 - k) - 1);
                let sum = self.context.add(&known, &beyond_sums[k as usize]);
                // Taylor coefficients of numerator and denominator, for the quotient of power series
                coefficients.push([sum, mass].map(|c| self.context.div_integer(&c, factorial)));
            }
            if self.has_negative_score {
                return Err(MeasureError::NegativeScore);
            }
            // with an unproved assumption on scores, 0 need not be the normalising constant
            let mass = self.context.to_enclosure(&coefficients[0][1]);
            if mass.is_defined() && *mass.hi() <= 0 && !self.has_unproved_assumption {
                return Err(MeasureError::ZeroNormalisingConstant);
            }
            if *mass.lo() <= 0 {
                unknown_mass = Some("the normalising constant is not shown to be positive");
            } else {
                unknown_mass = None;
            }
            // only the wrong rule of a mutant leaves the mean unnormalised
            if !self.hooks.divides_by_the_mass() {
                coefficients
                    .iter_mut()
                    .enumerate()
                    .for_each(|(k, [_, mass])| *mass = self.context.enclose_integer(i64::from(k == 0)));
            }
            best = self.quotient_coefficient(&coefficients, factorial);
            if order == 0 {
                best = self.intersect_mean_range(best);
            }
            let found = self.context.to_enclosure(&best);
            // further rounds cannot help: the quotient is unbounded although its denominator is positive, or it is
            // narrow enough
            let is_found = found.has_width_at_most(&question.eps) || meets_accuracy(accuracy, &found);
            if !found.is_bounded() && *mass.lo() > 0 || is_found || self.budget.is_exhausted() {
                break;
            }
            // for a small normalising constant, the numerator and the denominator need a smaller width
            let scale = mass.hi().to_rational().filter(|most| *most > 0 && *most < 1);
            eps = (eps >> REFINEMENT_BITS).min(scale.map_or_else(|| eps_asked.clone(), |most| most * &eps_asked));
            // a constant that no longer falls is known well enough: other causes keep the quotient wide
            if round >= MAX_STALLED_ROUNDS && mass.hi() >= &least {
                break;
            }
            least = mass.hi().clone();
        }
        if let Some(why) = unknown_mass {
            self.set_reason(|| why.to_owned());
        }
        Ok(self.into_answer(&best))
    }

    /// Returns the last Taylor coefficient of a quotient of power series, times `factorial`.
    fn quotient_coefficient(&self, coefficients: &[[SumNumber; 2]], factorial: u64) -> SumNumber {
        let context = &self.context;
        let mut found: Vec<SumNumber> = Vec::new();
        // eₖ = (sₖ - Σ eⱼ mₖ₋ⱼ)/m₀
        for k in 0..coefficients.len() {
            let mut rest = coefficients[k][0].clone();
            for (j, e) in found.iter().enumerate() {
                rest = context.sub(&rest, &context.mul(e, &coefficients[k - j][1]));
            }
            found.push(context.div(&rest, &coefficients[0][1]));
        }
        let last = found.pop().unwrap_or_else(|| context.bottom());
        context.mul_integer(&last, factorial as i64)
    }

    /// Makes the answer from an enclosure of the number.
    fn into_answer(self, found: &SumNumber) -> MeasureAnswer {
        // with a meaning on one side only there is no derivative
        let enclosure = match self.context.is_defined(found) && !self.one_sided {
            true => self.context.to_enclosure(found),
            false => Enclosure::bottom(),
        };
        let rest = match self.unintegrated_probability().to_rational() {
            Some(most) => enclose_rational(&Rational::new()).hull(&enclose_rational(&most)),
            None => half_line(),
        };
        let paths = self.integrated.len();
        MeasureAnswer {
            enclosure,
            paths,
            open_paths: self.open_paths,
            unexplored_probability: rest,
            assumptions: self.assumptions,
            has_unproved_assumption: self.has_unproved_assumption,
            width_reason: self.width_reason,
        }
    }
}

/// A path or a tail that is not integrated.
struct UnexploredMass {
    /// The path.
    pub ended: EndedPath,
    /// `true` if all scores on the path are shown to be nonnegative.
    pub nonnegative_scores: bool,
    /// `true` if the function of the values is shown to be nonnegative on the path.
    pub nonnegative_value: bool,
}

impl PathSum {
    /// Returns an upper bound on the absolute value of the contribution of such a path to a derivative of a sum.
    /// Returns `None` if there is none.
    fn bound_path(&self, beyond: &UnexploredMass, weighted: bool, of_value: bool, order: u32) -> Option<Magnitude> {
        let EndedPath { path, scores, value, probability_bound: chance } = &beyond.ended;
        let mut factors = if weighted { scores.clone() } else { Vec::new() };
        factors.extend(value.iter().filter(|_| of_value).cloned());
        let by_moments = bound_contribution(path, &factors, self.parameter.as_ref(), order, &self.budget);
        // a range bounds no derivative
        if order > 0 {
            return by_moments;
        }
        let least = |a: Option<Magnitude>, b: Magnitude| Some(a.map_or(b, |a| a.min(b))).filter(|m| m.is_finite());
        let within = path.coordinate_ranges(self.parameter.as_ref());
        let largest = |graph: &Graph| max_abs_of(&enclose_range(graph, &within, &self.budget));
        // three bounds of the weight: the assumed one, the range, and below the moments
        let by_range = || scores.iter().map(largest).fold(Magnitude::ONE, |product, own| product * own);
        let weight = match self.weight_bound {
            _ if !weighted => Magnitude::ONE,
            Some(most) => most.min(by_range()),
            None => by_range(),
        };
        let value = match value.as_ref().filter(|_| of_value) {
            Some(value) => largest(value).min(max_abs_of(&self.mean_range)),
            None => Magnitude::ONE,
        };
        match weight.is_finite() && value.is_finite() {
            true => least(by_moments, weight * value * *chance),
            false => by_moments,
        }
    }

    /// Encloses the function of the values on all paths. Returns `None` if it is unknown on one, or if there is no
    /// function.
    fn values_on_paths(&self) -> Option<Enclosure> {
        let ended = self
            .integrated
            .iter()
            .map(|summand| &summand.path)
            .chain(self.unintegrated.iter().map(|beyond| &beyond.ended));
        let ranges = ended.map(|EndedPath { path, value, .. }| {
            let found = enclose_range(value.as_ref()?, &path.coordinate_ranges(self.parameter.as_ref()), &self.budget);
            found.is_defined().then_some(found)
        });
        let ranges: Option<Vec<Enclosure>> = ranges.collect();
        ranges?.into_iter().reduce(|hull, next| hull.hull(&next))
    }

    /// Encloses the contribution of all paths that are not integrated, unexplored ones included, to a derivative of a
    /// sum.
    fn enclose_unintegrated(&mut self, weighted: bool, of_value: bool, order: u32) -> SumNumber {
        let context = self.context;
        let mut sum = context.enclose_integer(0);
        for index in 0..self.unintegrated.len() {
            let beyond = &self.unintegrated[index];
            let bound = self.bound_path(beyond, weighted, of_value, order);
            // weights are nonnegative by assumption, so that the sign is that of the values
            let positive = order == 0 && (!of_value || beyond.nonnegative_value || *self.mean_range.lo() >= 0);
            if bound.is_none() {
                self.set_reason(|| {
                    "no bound is proved for the function or for the weights where the draws are large".to_owned()
                });
            }
            let up = self.zero_to_bound(bound);
            let part = match (positive, order) {
                (true, _) => up,
                (false, _) => context.hull(&context.neg(&up), &up),
            };
            // a derivative without a bound need not exist
            let part = if bound.is_none() && order > 0 { context.bottom() } else { part };
            sum = context.add(&sum, &part);
        }
        if self.unexplored_probability.is_zero() {
            return sum;
        }
        if order > 0 {
            self.set_reason(|| "the derivative of the unexplored paths has no known bound".to_owned());
            return context.bottom();
        }
        // without weights the sum is a probability
        let weight = if weighted { self.weight_bound } else { Some(Magnitude::ONE) };
        if weight.is_none() {
            let advice = if self.may_have_bounded_weights() { "; --weight-at-most M assumes the bound M" } else { "" };
            self.width_reason = Some(format!("the weights of the unexplored paths have no known bound{advice}"));
        }
        let share = self.zero_to_bound(weight.map(|weight| weight * self.unexplored_probability));
        if of_value && !self.mean_range.is_bounded() {
            self.set_reason(|| "the function of the values has no bound on the unexplored paths".to_owned());
        }
        let share = match of_value {
            true => self.times_mean_range(&share).unwrap_or_else(|| context.bottom()),
            false => share,
        };
        context.add(&sum, &context.mark_defined(share))
    }

    /// Returns `true` if assuming a bound on weights may help: those on known paths are bounded, and so is the function
    /// of the values.
    fn may_have_bounded_weights(&self) -> bool {
        let is_bounded = |IntegratedPath { path: ended, .. }: &IntegratedPath| {
            let within = ended.path.coordinate_ranges(self.parameter.as_ref());
            let weight = ended.scores.iter().product::<Graph>();
            let found = enclose_range(&weight, &within, &self.budget);
            found.is_defined() && found.is_bounded()
        };
        (!self.has_mean_function || self.mean_range.is_bounded()) && self.integrated.iter().all(is_bounded)
    }

    /// Encloses the function of the values times a weight in `weight`. Returns `None` if neither its range nor its sign
    /// is known.
    fn times_mean_range(&self, weight: &SumNumber) -> Option<SumNumber> {
        let context = &self.context;
        let all = || context.mark_defined(context.round_enclosure(&half_line()));
        match (self.mean_range.is_bounded(), *self.mean_range.lo() >= 0, *self.mean_range.hi() <= 0) {
            (true, ..) => {
                // the hull with 0 includes paths of any smaller weight
                Some(context.mul(
                    weight,
                    &context.hull(&context.enclose_integer(0), &context.round_enclosure(&self.mean_range)),
                ))
            }
            (_, true, _) => Some(all()),
            (_, _, true) => Some(context.neg(&all())),
            _ => None,
        }
    }

    /// Returns the interval from 0 to a bound, or [0, ∞) without one.
    fn zero_to_bound(&self, bound: Option<Magnitude>) -> SumNumber {
        let context = &self.context;
        match bound.and_then(Magnitude::to_rational) {
            Some(most) => context.hull(&context.enclose_integer(0), &context.enclose_rational(&most)),
            None => context.mark_defined(context.round_enclosure(&half_line())),
        }
    }

    /// Returns an upper bound on the probability of all paths that are not integrated.
    fn unintegrated_probability(&self) -> Magnitude {
        self.unintegrated
            .iter()
            .fold(self.unexplored_probability, |sum, beyond| sum + beyond.ended.probability_bound)
            .min(Magnitude::ONE)
    }

    /// Intersects a mean with the range of the function.
    fn intersect_mean_range(&self, mean: SumNumber) -> SumNumber {
        let asked: &Enclosure = &self.mean_range;
        match self.context.intersect(&mean, &self.context.mark_defined(self.context.round_enclosure(asked))) {
            // an undefined mean stays undefined: the range proves nothing about its existence
            Some(both) if self.context.is_defined(&mean) => self.context.mark_defined(both),
            _ => mean,
        }
    }
}

/// The highest degree of a polynomial. A choice.
const MAX_DEGREE: usize = 32;
/// The greatest number of ranges after splitting by guards. A choice.
const MAX_RANGES: usize = 64;

/// Sums the contribution of a path with one number of trials and no other free draw, to the mean of a product of maps.
/// Returns `None` if the product is no polynomial in the number, or if the path has another form.
#[must_use]
pub fn sum_over_trials(path: &ExecutionPath, factors: &[Graph]) -> Option<Graph> {
    let mut forms = RationalNormalForm::default();
    let (mut constant, mut tail) = (Graph::integer(1), None);
    for draw in &path.draws {
        match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => constant = &constant * chance,
            Draw::Tail(n, distribution, span) if tail.is_none() => {
                let [p] = distribution.parameters_of(&Geometric)? else { return None };
                tail = Some((*n, p, *span));
            }
            Draw::Tail(..) | Draw::Real(_) => return None,
        }
    }
    let (n, p, span) = tail?;
    if p.depends_on(n) || constant.depends_on(n) {
        return None;
    }
    let mut polynomial = vec![Rational::from(1)];
    for factor in factors {
        if !factor.depends_on(n) {
            constant = &constant * factor;
            continue;
        }
        let own = forms.as_polynomial(factor, n)?;
        let mut product = vec![Rational::new(); polynomial.len() + own.len() - 1];
        for (i, a) in polynomial.iter().enumerate() {
            for (j, b) in own.iter().enumerate() {
                product[i + j] += Rational::from(a * b);
            }
        }
        polynomial = product;
        if polynomial.len() > MAX_DEGREE + 1 {
            return None;
        }
    }
    let moments = geometric_moments(p, polynomial.len());
    let mut sum = Graph::integer(0);
    for span in satisfying_ranges(span, n, &path.decisions, &mut forms)? {
        sum = &sum + tail_sum(&polynomial, span.first, p, &moments);
        if let Some(last) = span.last {
            sum = &sum - tail_sum(&polynomial, last.checked_add(1)?, p, &moments);
        }
    }
    Some(&constant * &sum)
}

/// Returns E gᵏ for all k below `count`, as numbers if p is one.
fn geometric_moments(p: &Graph, count: usize) -> Vec<Graph> {
    let (one, exact) = (Graph::integer(1), p.as_rational());
    // i! q^(i - 1)/pⁱ
    let factor = |i: usize| {
        let factorial = (1..=i).fold(Rational::from(1), |product, j| product * j as u64);
        match exact {
            Some(p) => {
                let ratio = Rational::from(1 - p) / p;
                let powers = (1..i).fold(Rational::from(p.recip_ref()), |product, _| product * &ratio);
                Graph::rational(powers * factorial)
            }
            None => {
                let over = Graph::rational(factorial) * power_of(&(&one - p), i as u64 - 1);
                &over / power_of(p, i as u64)
            }
        }
    };
    let factors: Vec<Graph> = (1..count).map(factor).collect();
    // Stirling's numbers S(k, i), one row after the other
    let mut row = vec![Rational::from(1)];
    let mut found = vec![one.clone()];
    for _ in 1..count {
        let mut next = vec![Rational::new(); row.len() + 1];
        for (i, s) in row.iter().enumerate() {
            next[i] += Rational::from(s * i as u64);
            next[i + 1] += s;
        }
        let terms = next.iter().skip(1).zip(&factors).map(|(s, f)| Graph::rational(s.clone()) * f);
        found.push(terms.sum::<Graph>());
        row = next;
    }
    found
}

/// Returns `aⁿ`.
fn power_of(a: &Graph, n: u64) -> Graph {
    if n == 0 { Graph::integer(1) } else { a.pow(&Rational::from(n)) }
}

/// Returns Σ p qⁿ⁻¹ f(n) over all n ≥ `first`, where `first` counts as at least 1.
fn tail_sum(polynomial: &[Rational], first: u64, p: &Graph, moments: &[Graph]) -> Graph {
    let before = Rational::from(first.max(1) - 1);
    // the coefficients of f(before + g) in g, by Horner's rule
    let mut moved: Vec<Rational> = Vec::new();
    for c in polynomial.iter().rev() {
        moved.insert(0, Rational::new());
        for i in 0..moved.len() - 1 {
            let next = Rational::from(&moved[i + 1] * &before);
            moved[i] += next;
        }
        moved[0] += c;
    }
    let terms = moved.iter().zip(moments).map(|(c, moment)| Graph::rational(c.clone()) * moment);
    let sum = terms.sum::<Graph>();
    power_of(&(1 - p), first.max(1) - 1) * &sum
}

/// Returns the numbers of a range that satisfy all decisions, as ranges. Returns `None` if a guard is not affine in the
/// number alone.
fn satisfying_ranges(
    all: NaturalRange,
    n: Variable,
    decided: &[GuardCondition],
    forms: &mut RationalNormalForm,
) -> Option<Vec<NaturalRange>> {
    let mut found = vec![NaturalRange { first: all.first.max(1), ..all }];
    for GuardCondition { guard, holds, .. } in decided {
        let coefficients = forms.as_polynomial(&guard.graph, n)?;
        let [c, slope] = match &coefficients[..] {
            [] => [Rational::new(), Rational::new()],
            [c] => [c.clone(), Rational::new()],
            [c, slope] => [c.clone(), slope.clone()],
            _ => return None,
        };
        let is_so = |k: &Rational| guard.test.is_satisfied_by((&c + Rational::from(&slope * k)).cmp0()) == *holds;
        if slope == 0 {
            if !is_so(&Rational::new()) {
                found.clear();
            }
            continue;
        }
        // the sign changes only at the zero: all numbers before it are alike, and so are all after it
        let zero = -Rational::from(&c / &slope);
        let (floor, ceiling) = (zero.clone().floor(), zero.ceil());
        let pieces = [
            [None, Some(Rational::from(&ceiling - 1))],
            [Some(ceiling.clone()), Some(floor.clone())],
            [Some(Rational::from(&floor + 1)), None],
        ];
        let mut next = Vec::new();
        for NaturalRange { first, last } in found {
            let (low, high) = (Rational::from(first), last.map(Rational::from));
            for [a, b] in &pieces {
                let from = a.clone().map_or_else(|| low.clone(), |a| a.max(low.clone()));
                let to = b.iter().chain(&high).min().cloned();
                // one number decides for the whole piece
                if to.as_ref().is_some_and(|to| *to < from) || !is_so(&from) {
                    continue;
                }
                let last = match to {
                    Some(to) => Some(to.numer().to_u64()?),
                    None => None,
                };
                next.push(NaturalRange { first: from.numer().to_u64()?, last });
            }
        }
        found = next;
        if found.len() > MAX_RANGES {
            return None;
        }
    }
    Some(found)
}
