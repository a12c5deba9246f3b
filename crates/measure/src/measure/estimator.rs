//! Bias and variance of Monte Carlo estimators of a gradient, beside the gradient itself.
//!
//! Let F(θ) = E f(x, θ), with x drawn from p(·, θ):
//!
//! | estimator | mean of | unbiased if |
//! |---|---|---|
//! | [`GradientEstimator::Reparametrisation`] | the derivative of f(T(z, θ), θ), with x = T(z, θ) and z independent of θ | no guard and no probability depends on θ |
//! | [`GradientEstimator::Score`] | f·∂ log p + ∂f | for fixed x, no guard depends on θ, and no end of the support of x |
//! | [`GradientEstimator::Boundary`] | the first, plus the terms of boundaries that move | always, if x = T(z, θ) exists |
//!
//! The mean of an estimator is an integral, so its bias has an enclosure. The derivative along a draw is the
//! [intensional](crate::pieces::intensional) one: 0 at a jump, as samples see it.
//!
//! The share of a guard in the bias is the derivative of the integral in which only that guard depends on θ.
//!
//! # Paths with other coordinates
//!
//! Paths with other coordinates, and with parts held fixed.

use super::contribution::{PathContribution, PathFactors, divergence_message};
use super::draws::{Draw, ExecutionPath, Parameter};
use super::explore::{EndedPath, PathExplorer};
use super::integral::PathIntegral;
use super::range::PRECISION_BITS;
use super::sum::{MAX_PATHS, NO_VALUE_REASON, has_scores};
use super::{MeasureError, ProbabilisticModel};
use crate::measure::distribution::Distribution;
use crate::measure::draws::TraceCoordinate;
use crate::measure::range::{enclose_rational, half_line, real_line};
use crate::model::SourceLocation;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::term::Term;
use crate::value::SourceId;
use std::sync::Arc;

type EstimatorNumber = <Mpfr as Context>::Num;

/// An estimator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradientEstimator {
    /// The mean of derivatives along draws.
    Reparametrisation,
    /// The score function, also called likelihood ratio or REINFORCE.
    Score,
    /// The mean of derivatives along draws, plus boundary terms.
    Boundary,
}

impl GradientEstimator {
    /// Returns the name, as it is printed.
    #[must_use]
    pub fn estimator_name(self) -> &'static str {
        match self {
            Self::Reparametrisation => "reparametrisation",
            Self::Score => "score function",
            Self::Boundary => "with boundary terms",
        }
    }
}

/// A source of bias.
#[derive(Clone, Debug)]
pub struct BiasSource {
    /// The position in the source; `None` for a draw and for an end of the support of a draw.
    pub place: Option<SourceLocation>,
    /// `true` if the position is in the function, `false` if it is in the program.
    pub in_function: bool,
    /// The kind of source, in words: a guard, discrete draws, or an end of the support of a draw.
    pub kind: &'static str,
    /// The contribution to the gradient that samples miss.
    pub share: Enclosure,
}

/// The mean, bias and variance of an estimator.
#[derive(Clone, Debug)]
pub struct EstimatorMoments {
    /// The mean.
    pub mean: Enclosure,
    /// The mean minus the gradient.
    pub bias: Enclosure,
    /// The variance of one sample. `None` for [`GradientEstimator::Boundary`], whose boundary terms are not sampled.
    pub variance: Option<Enclosure>,
    /// The sources of bias whose contribution is certainly not 0.
    pub bias_sources: Vec<BiasSource>,
}

/// The gradient of a mean, and its estimators.
#[derive(Clone, Debug)]
pub struct EstimatorComparison {
    /// The gradient.
    pub gradient: Enclosure,
    /// The estimators. An error is the reason why the estimator does not exist.
    pub estimates: Vec<(GradientEstimator, Result<EstimatorMoments, &'static str>)>,
    /// The number of paths that contribute.
    pub paths: usize,
    /// The reason why the results are no narrower, if it is known.
    pub width_reason: Option<String>,
}

/// A product of maps, whose mean over a path is to be enclosed.
struct PathMean {
    path: ExecutionPath,
    factors: Vec<Graph>,
}

/// Compares the estimators of the derivative of the mean of a function, for a program of type `Real -> P A` without scores.
///
/// # Errors
/// [`MeasureError::WeightsRuns`] for a program that weighs its runs; [`MeasureError::Undefined`] if it is undefined with positive probability;
/// other variants of [`MeasureError`] as for a mean.
pub fn compare_estimators(
    program: &Term,
    of: &Term,
    at: &Rational,
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<EstimatorComparison, MeasureError> {
    if has_scores(program) {
        return Err(MeasureError::WeightsRuns);
    }
    let model = ProbabilisticModel::new(program, true, Some(of));
    let parameter = Parameter { variable: Variable::fresh(), value: at.clone(), order: 1 };
    let mut explorer = PathExplorer::new(&model, Some(&parameter), budget)?;
    // Half of the time is left for the integrals, and paths of total probability 2⁻⁴⁰·eps may stay open. Both are choices.
    let half = budget.for_part(u64::MAX, budget.remaining_time().map(|left| left / 2));
    explorer.explore_until(Magnitude::from_rational(eps).mul_exp2(-40), MAX_PATHS, &half)?;
    let (tails, rest) = explorer.collect_tails(None)?;
    let explored = std::mem::take(&mut explorer.explored);
    let open = explored.open.iter().fold(rest, |sum, (_, chance)| sum + *chance);
    let mut means = EstimatorIntegrals {
        parameter: &parameter,
        eps,
        budget,
        context: Mpfr::new(PRECISION_BITS),
        width_reason: None,
        unexplored_probability: open,
    };
    for (path, found) in &explored.undefined {
        match PathIntegral::of_guards(path, Some(&parameter), budget) {
            Ok(None) => {}
            Ok(Some(leaf)) if leaf.has_cells() => return Err(MeasureError::Undefined(found.clone())),
            // The path may have probability 0. If that is undecided, `open` is raised, so that all means become ⊥.
            found => {
                means.unexplored_probability = means.unexplored_probability + Magnitude::ONE;
                let why = found.err().map_or(NO_VALUE_REASON, |obstacle| obstacle.reason_text());
                means.width_reason.get_or_insert_with(|| why.to_owned());
            }
        }
    }
    let paths: Vec<EndedPath> = explored.ended.into_iter().chain(tails).collect();
    let plain =
        |ended: &EndedPath| PathMean { path: ended.path.clone(), factors: ended.value.iter().cloned().collect() };
    let gradient = means.enclose_sum(paths.iter().map(plain), 1);
    let mut estimates = Vec::new();
    let place = |site| explorer.place_of_site(site);
    match means.estimate_reparametrised(&paths, &gradient, &place) {
        Ok([own, whole]) => {
            estimates.push((GradientEstimator::Reparametrisation, Ok(own)));
            estimates.push((GradientEstimator::Score, Ok(means.estimate_by_score(&paths, &gradient, &place))));
            estimates.push((GradientEstimator::Boundary, Ok(whole)));
        }
        Err(why) => {
            estimates.push((GradientEstimator::Reparametrisation, Err(why)));
            estimates.push((GradientEstimator::Score, Ok(means.estimate_by_score(&paths, &gradient, &place))));
            estimates.push((GradientEstimator::Boundary, Err(why)));
        }
    }
    Ok(EstimatorComparison {
        gradient: means.to_enclosure(&gradient),
        estimates,
        paths: paths.len(),
        width_reason: means.width_reason,
    })
}

/// The position of a site, with `true` if it lies in the function. `None` for a site without position.
type SitePositions<'a> = dyn Fn(SourceId) -> Option<(SourceLocation, bool)> + 'a;

/// The state of the computation of means.
struct EstimatorIntegrals<'a> {
    parameter: &'a Parameter,
    eps: &'a Rational,
    budget: &'a Arc<Budget>,
    context: Mpfr,
    width_reason: Option<String>,
    /// An upper bound on the probability of runs that were not explored.
    unexplored_probability: Magnitude,
}

impl EstimatorIntegrals<'_> {
    /// Returns a number as an enclosure; the whole line if it is undefined.
    fn to_enclosure(&self, found: &EstimatorNumber) -> Enclosure {
        match self.context.is_defined(found) {
            true => self.context.to_enclosure(found),
            false => Enclosure::bottom(),
        }
    }

    /// Returns the slope of a map in the parameter, for fixed draws; 0 if there is none.
    fn parameter_slope(&self, graph: &Graph) -> Graph {
        graph.slope(self.parameter.variable)
    }

    /// Substitutes the value of the parameter in a map, so that the map no longer depends on it.
    fn fix_parameter(&self, graph: &Graph) -> Graph {
        graph.substitute(&[(self.parameter.variable, Graph::rational(self.parameter.value.clone()))])
    }

    /// Encloses a sum of means, or its derivative of the given order. ⊥ if a part of the runs was not explored.
    fn enclose_sum(&mut self, means: impl Iterator<Item = PathMean>, order: u32) -> EstimatorNumber {
        let context = self.context;
        if !self.unexplored_probability.is_zero() {
            self.width_reason = Some("unexplored paths have no known bound".to_owned());
            return context.bottom();
        }
        let means: Vec<PathMean> =
            means.filter(|mean| !mean.factors.iter().any(|factor| factor.is_constant(0))).collect();
        // The error is split over the means. The factor 8 is a choice: each result is a combination of a few such sums.
        let part = self.eps / Rational::from(8 * means.len().max(1));
        let mut sum = context.enclose_integer(0);
        for (index, mean) in means.iter().enumerate() {
            // Time that a mean leaves unused goes to the following ones.
            let time = self.budget.remaining_time().map(|left| left / (means.len() - index) as u32);
            let own = self.budget.for_part(u64::MAX, time);
            let found = self.enclose_mean(mean, order, &part, &own);
            sum = context.add(&sum, &found);
        }
        sum
    }

    /// Encloses a mean, or its derivative of the given order.
    fn enclose_mean(&mut self, mean: &PathMean, order: u32, eps: &Rational, budget: &Budget) -> EstimatorNumber {
        let parameter = Parameter { order, ..self.parameter.clone() };
        let context = self.context;
        let factors = PathFactors { values: mean.factors.clone(), ..PathFactors::default() };
        let contribution = PathContribution::new(&mean.path, factors, Some(&parameter), order, self.budget);
        if let Some(obstacle) = contribution.missing_reason() {
            self.width_reason.get_or_insert_with(|| obstacle.reason_text().to_owned());
        }
        let found = contribution.enclose(eps, budget);
        if contribution.may_diverge() {
            self.width_reason.get_or_insert_with(|| divergence_message(&mean.path, Some(&parameter), &mean.factors));
        }
        if found.is_defined() { context.round_enclosure(&found) } else { context.bottom() }
    }

    /// Returns the estimate from the mean of the samples, and that of their squares.
    fn estimate_from_samples(
        &mut self,
        samples: &[PathMean],
        gradient: &EstimatorNumber,
        wrong: Vec<BiasSource>,
    ) -> EstimatorMoments {
        let mean = self.enclose_sum(samples.iter().map(PathMean::copy_mean), 0);
        let squares = self.enclose_sum(samples.iter().map(PathMean::square_factors), 0);
        let context = self.context;
        let variance = context.sub(&squares, &context.square(&mean));
        // A variance is not negative, so its enclosure may be cut at 0.
        let variance = match context.intersect(&variance, &context.round_enclosure(&super::range::half_line())) {
            Some(both) if context.is_defined(&variance) => context.mark_defined(both),
            _ => variance,
        };
        let bias = context.sub(&mean, gradient);
        let [mean, bias, variance] = [&mean, &bias, &variance].map(|found| self.to_enclosure(found));
        EstimatorMoments { mean, bias, variance: Some(variance), bias_sources: wrong }
    }

    /// Returns the estimates by [`GradientEstimator::Reparametrisation`] and [`GradientEstimator::Boundary`].
    ///
    /// # Errors
    /// The reason why a draw has no form x = T(z, θ).
    fn estimate_reparametrised(
        &mut self,
        paths: &[EndedPath],
        gradient: &EstimatorNumber,
        place: &SitePositions<'_>,
    ) -> Result<[EstimatorMoments; 2], &'static str> {
        let mut moved = Vec::new();
        for ended in paths {
            let (path, maps) = ended.path.reparametrise_draws(self.parameter.variable)?;
            let value = ended.value.iter().map(|value| value.substitute(&maps)).next().unwrap_or_else(constant_one);
            moved.push((path, value));
        }
        let samples: Vec<PathMean> = moved
            .iter()
            .map(|(path, f)| {
                PathMean::of_factor(path.replace_maps(&|_, g| self.fix_parameter(g)), self.parameter_slope(f))
            })
            .collect();
        let values: Vec<PathMean> =
            moved.into_iter().map(|(path, f)| PathMean::of_factor(path, self.fix_parameter(&f))).collect();
        let (culprits, _) = self.find_bias_sources(&values, place);
        let own = self.estimate_from_samples(&samples, gradient, culprits);
        // In `values` only guards and probabilities depend on θ, so this derivative consists of their terms, all at once.
        let brought = self.enclose_sum(values.iter().map(PathMean::copy_mean), 1);
        let mean = self.enclose_sum(samples.iter().map(PathMean::copy_mean), 0);
        let whole = self.context.add(&mean, &brought);
        let bias = self.context.sub(&whole, gradient);
        let [mean, bias] = [&whole, &bias].map(|found| self.to_enclosure(found));
        Ok([own, EstimatorMoments { mean, bias, variance: None, bias_sources: Vec::new() }])
    }

    /// Returns the estimate by [`GradientEstimator::Score`].
    fn estimate_by_score(
        &mut self,
        paths: &[EndedPath],
        gradient: &EstimatorNumber,
        place: &SitePositions<'_>,
    ) -> EstimatorMoments {
        let v = self.parameter.variable;
        let mut samples = Vec::new();
        let mut values = Vec::new();
        let mut has_ends = false;
        for EndedPath { path, value, .. } in paths {
            let value = value.clone().unwrap_or_else(constant_one);
            let mut score = Graph::integer(0);
            for draw in &path.draws {
                let own = match draw {
                    Draw::Natural(_, chance) | Draw::Truth(_, chance) if chance.depends_on(v) => {
                        self.parameter_slope(chance) / chance
                    }
                    Draw::Natural(..) | Draw::Truth(..) => continue,
                    Draw::Real(_) | Draw::Tail(..) => {
                        let Some((x, distribution)) = draw.coordinate() else { continue };
                        has_ends |= distribution.ends().iter().flatten().any(|end| end.depends_on(v));
                        distribution.score(&Graph::variable(x), v)
                    }
                };
                score = score + own;
            }
            let own = match score.is_constant(0) {
                true => Graph::integer(0),
                false => &value * &score,
            };
            let fixed = path.replace_maps(&|_, g| self.fix_parameter(g));
            samples.push(PathMean::of_factor(fixed, self.fix_parameter(&(own + self.parameter_slope(&value)))));
            // To find the shares of guards, θ is kept in guards alone.
            let guards = |part: Option<ParameterDependence>, g: &Graph| match part {
                Some(ParameterDependence::Guard(_)) => g.clone(),
                _ => self.fix_parameter(g),
            };
            values.push(PathMean::of_factor(path.replace_maps(&guards), self.fix_parameter(&value)));
        }
        let (mut wrong, guards) = self.find_bias_sources(&values, place);
        let mut estimate = self.estimate_from_samples(&samples, gradient, Vec::new());
        if has_ends {
            // Ends of supports take the part of the bias that guards do not explain.
            let missed = self.context.neg(&self.context.round_enclosure(&estimate.bias));
            let share = self.to_enclosure(&self.context.sub(&missed, &guards));
            if share.is_defined() && !share.contains(&Rational::new()) {
                wrong.push(BiasSource { place: None, in_function: false, kind: "an end of where a draw lies", share });
            }
        }
        estimate.bias_sources = wrong;
        estimate
    }

    /// Returns the guards and discrete draws whose contribution, which samples miss, is certainly not 0. Also returns the sum of
    /// all such contributions, certain or not.
    fn find_bias_sources(
        &mut self,
        values: &[PathMean],
        place: &SitePositions<'_>,
    ) -> (Vec<BiasSource>, EstimatorNumber) {
        let v = self.parameter.variable;
        let mut sites: Vec<(SourceId, &'static str)> = Vec::new();
        for PathMean { path, .. } in values {
            let guards = path.decisions.iter().filter(|decided| decided.guard.graph.depends_on(v));
            let own = guards.map(|decided| (decided.guard.site, "a guard"));
            let chances = path.draws.iter().filter_map(|draw| match draw {
                Draw::Natural(_, chance) if chance.depends_on(v) => Some((SourceId::NOWHERE, NATURAL_DRAWS)),
                Draw::Truth(_, chance) if chance.depends_on(v) => Some((SourceId::NOWHERE, BOOLEAN_DRAWS)),
                _ => None,
            });
            for found in own.chain(chances) {
                if !sites.contains(&found) {
                    sites.push(found);
                }
            }
        }
        let (mut culprits, mut all) = (Vec::new(), self.context.enclose_integer(0));
        for (site, what) in sites {
            // The derivative in which the parameter is fixed everywhere but in this guard, or in these draws.
            let alone = |mean: &PathMean| {
                let moves = |part: Option<ParameterDependence>| match part {
                    Some(ParameterDependence::Guard(index)) => {
                        what == "a guard" && mean.path.decisions[index].guard.site == site
                    }
                    Some(ParameterDependence::Probability(index)) => match mean.path.draws[index] {
                        Draw::Truth(..) => what == BOOLEAN_DRAWS,
                        _ => what == NATURAL_DRAWS,
                    },
                    None => false,
                };
                let path =
                    mean.path.replace_maps(&|part, g| if moves(part) { g.clone() } else { self.fix_parameter(g) });
                PathMean { path, factors: mean.factors.clone() }
            };
            let alone: Vec<PathMean> = values.iter().map(alone).collect();
            let share = self.enclose_sum(alone.into_iter(), 1);
            all = self.context.add(&all, &share);
            let share = self.to_enclosure(&share);
            // A contribution that may be 0 is not reported, so every reported one is certain.
            if share.is_defined() && !share.contains(&Rational::new()) {
                let (place, in_function) = match place(site) {
                    Some((place, in_function)) => (Some(place), in_function),
                    None => (None, false),
                };
                culprits.push(BiasSource { place, in_function, kind: what, share });
            }
        }
        (culprits, all)
    }
}

/// The kind of source of bias for draws of truth values.
const BOOLEAN_DRAWS: &str = "the draws of truth values";
/// The kind of source of bias for draws of natural numbers.
const NATURAL_DRAWS: &str = "the draws of natural numbers";

fn constant_one() -> Graph {
    Graph::integer(1)
}

impl PathMean {
    fn of_factor(path: ExecutionPath, factor: Graph) -> Self {
        Self { path, factors: vec![factor] }
    }

    fn copy_mean(&self) -> Self {
        Self { path: self.path.clone(), factors: self.factors.clone() }
    }

    fn square_factors(&self) -> Self {
        let square = |graph: &Graph| graph.pow(&Rational::from(2));
        Self { path: self.path.clone(), factors: self.factors.iter().map(square).collect() }
    }
}

/// Draws as maps of others.
type DrawSubstitution = Vec<(Variable, Graph)>;

/// A part of a path that depends on the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterDependence {
    /// The guard at a place among those that were decided.
    Guard(usize),
    /// The chance of the draw at a place.
    Probability(usize),
}

impl ExecutionPath {
    /// Replaces the maps of the path: the parameters and probabilities of its draws, and its decisions.
    pub fn replace_maps(&self, of: &dyn Fn(Option<ParameterDependence>, &Graph) -> Graph) -> ExecutionPath {
        let draw = |(index, draw): (usize, &Draw)| {
            let chance = |graph: &Graph| of(Some(ParameterDependence::Probability(index)), graph);
            let from = |distribution: &Distribution| distribution.map(&|graph| of(None, graph));
            match draw {
                Draw::Real(x) => Draw::Real(TraceCoordinate { distribution: from(&x.distribution), ..x.clone() }),
                Draw::Natural(n, graph) => Draw::Natural(*n, chance(graph)),
                Draw::Truth(b, graph) => Draw::Truth(*b, chance(graph)),
                Draw::Tail(n, distribution, first) => Draw::Tail(
                    *n,
                    distribution.map(&|graph| of(Some(ParameterDependence::Probability(index)), graph)),
                    *first,
                ),
            }
        };
        let mut path = ExecutionPath { draws: self.draws.iter().enumerate().map(draw).collect(), ..self.clone() };
        for (index, decided) in path.decisions.iter_mut().enumerate() {
            decided.guard.graph = of(Some(ParameterDependence::Guard(index)), &decided.guard.graph);
        }
        path
    }

    /// The path with real draws that depend on a parameter written as maps of draws that do not: by location and scale. The draws, as
    /// maps of those; why not, where one has no such form.
    pub fn reparametrise_draws(&self, parameter: Variable) -> Result<(ExecutionPath, DrawSubstitution), &'static str> {
        let mut maps = DrawSubstitution::new();
        let mut path = self.clone();
        for draw in &mut path.draws {
            draw.replace_maps(&|graph| graph.substitute(&maps));
            if let Draw::Real(x) = draw
                && let Some((fresh, map)) = standardise_draw(x, parameter)?
            {
                maps.push((x.variable, map));
                *x = fresh;
            }
        }
        for decided in &mut path.decisions {
            decided.guard.graph = decided.guard.graph.substitute(&maps);
        }
        Ok((path, maps))
    }
}

/// A draw as a map of one from a distribution without the parameter; nothing where it is one already.
fn standardise_draw(
    x: &TraceCoordinate,
    parameter: Variable,
) -> Result<Option<(TraceCoordinate, Graph)>, &'static str> {
    let moves: Vec<bool> = x.distribution.parameters().iter().map(|graph| graph.depends_on(parameter)).collect();
    let shapes = x.distribution.family().shapes();
    if let Some(reason) = moves.iter().zip(shapes).find_map(|(moves, reason)| reason.filter(|_| *moves)) {
        return Err(reason);
    }
    if !moves.contains(&true) {
        return Ok(None);
    }
    let variable = Variable::fresh();
    let (distribution, map) = x.distribution.standard(&Graph::variable(variable));
    // its ends are numbers
    let end = |end: &Option<Graph>| end.as_ref().and_then(Graph::as_rational).map(enclose_rational);
    let range = match distribution.ends().each_ref().map(end) {
        [Some(a), Some(b)] => a.hull(&b),
        [Some(_), None] => half_line(),
        _ => real_line(),
    };
    Ok(Some((TraceCoordinate { variable, distribution, range }, map)))
}
