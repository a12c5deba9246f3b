//! Bias and variance of Monte Carlo estimators of a gradient, beside the gradient itself.
//!
//! Let F(θ) = E f(x, θ), with x drawn from p(·, θ):
//!
//! | estimator | mean of | unbiased if |
//! |---|---|---|
//! | [`Name::Reparametrisation`] | the derivative of f(T(z, θ), θ), with x = T(z, θ) and z independent of θ | no guard and no probability depends on θ |
//! | [`Name::Score`] | f·∂ log p + ∂f | for fixed x, no guard depends on θ, and no end of the support of x |
//! | [`Name::Boundary`] | the first, plus the terms of boundaries that move | always, if x = T(z, θ) exists |
//!
//! The mean of an estimator is an integral, so its bias has an enclosure. The derivative along a draw is the
//! [intensional](crate::pieces::intensional) one: 0 at a jump, as samples see it.
//!
//! The share of a guard in the bias is the derivative of the integral in which only that guard depends on θ.

mod path;

use super::contribution::{Contribution, Factors, divergence};
use super::draws::{Draw, Parameter, Path};
use super::explore::{Ended, Explorer};
use super::integral::Leaf;
use super::range::BITS;
use super::slope::slope;
use super::sum::{MOST_PATHS, NO_VALUE, has_scores};
use super::{Fault, Model};
use crate::model::Place;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::term::Term;
use crate::value::Site;
use path::Part;
use std::sync::Arc;

type Num = <Mpfr as Context>::Num;

/// An estimator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// The mean of derivatives along draws.
    Reparametrisation,
    /// The score function, also called likelihood ratio or REINFORCE.
    Score,
    /// The mean of derivatives along draws, plus boundary terms.
    Boundary,
}

impl Name {
    /// Returns the name, as it is printed.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Reparametrisation => "reparametrisation",
            Self::Score => "score function",
            Self::Boundary => "with boundary terms",
        }
    }
}

/// A source of bias.
#[derive(Clone, Debug)]
pub struct Culprit {
    /// The position in the source; `None` for a draw and for an end of the support of a draw.
    pub place: Option<Place>,
    /// `true` if the position is in the function, `false` if it is in the program.
    pub in_function: bool,
    /// The kind of source, in words: a guard, discrete draws, or an end of the support of a draw.
    pub what: &'static str,
    /// The contribution to the gradient that samples miss.
    pub share: Enclosure,
}

/// The mean, bias and variance of an estimator.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The mean.
    pub mean: Enclosure,
    /// The mean minus the gradient.
    pub bias: Enclosure,
    /// The variance of one sample. `None` for [`Name::Boundary`], whose boundary terms are not sampled.
    pub variance: Option<Enclosure>,
    /// The sources of bias whose contribution is certainly not 0.
    pub wrong: Vec<Culprit>,
}

/// The gradient of a mean, and its estimators.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The gradient.
    pub gradient: Enclosure,
    /// The estimators. An error is the reason why the estimator does not exist.
    pub estimates: Vec<(Name, Result<Estimate, &'static str>)>,
    /// The number of paths that contribute.
    pub paths: usize,
    /// The reason why the results are no narrower, if it is known.
    pub why: Option<String>,
}

/// A product of maps, whose mean over a path is to be enclosed.
struct Mean {
    path: Path,
    factors: Vec<Graph>,
}

/// Compares the estimators of the derivative of the mean of a function, for a program of type `Real -> P A` without scores.
///
/// # Errors
/// [`Fault::Scored`] for a program that weighs its runs; [`Fault::Undefined`] if it is undefined with positive probability;
/// other variants of [`Fault`] as for a mean.
pub fn estimators(
    program: &Term,
    of: &Term,
    at: &Rational,
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<Comparison, Fault> {
    if has_scores(program) {
        return Err(Fault::Scored);
    }
    let model = Model::new(program, true, Some(of));
    let parameter = Parameter { variable: Variable::fresh(), at: at.clone(), order: 1 };
    let mut explorer = Explorer::new(&model, Some(&parameter), budget)?;
    // Half of the time is left for the integrals, and paths of total probability 2⁻⁴⁰·eps may stay open. Both are choices.
    let half = budget.part(u64::MAX, budget.remaining().map(|left| left / 2));
    explorer.go_on(Magnitude::from_rational(eps).shifted(-40), MOST_PATHS, &half)?;
    let (tails, rest) = explorer.tails()?;
    let explored = std::mem::take(&mut explorer.explored);
    let open = explored.open.iter().fold(rest, |sum, (_, chance)| sum + *chance);
    let mut means = Means { parameter: &parameter, eps, budget, context: Mpfr::new(BITS), why: None, open };
    for (path, found) in &explored.undefined {
        match Leaf::shape(path, Some(&parameter), budget) {
            Ok(None) => {}
            Ok(Some(leaf)) if leaf.is_somewhere() => return Err(Fault::Undefined(found.clone())),
            // The path may have probability 0. If that is undecided, `open` is raised, so that all means become ⊥.
            found => {
                means.open = means.open + Magnitude::ONE;
                let why = found.err().map_or(NO_VALUE, |obstacle| obstacle.text());
                means.why.get_or_insert_with(|| why.to_owned());
            }
        }
    }
    let paths: Vec<Ended> = explored.ended.into_iter().chain(tails).collect();
    let plain = |ended: &Ended| Mean { path: ended.path.clone(), factors: ended.value.iter().cloned().collect() };
    let gradient = means.sum(paths.iter().map(plain), 1);
    let mut estimates = Vec::new();
    let place = |site| explorer.place(site);
    match means.reparametrised(&paths, &gradient, &place) {
        Ok([own, whole]) => {
            estimates.push((Name::Reparametrisation, Ok(own)));
            estimates.push((Name::Score, Ok(means.score(&paths, &gradient, &place))));
            estimates.push((Name::Boundary, Ok(whole)));
        }
        Err(why) => {
            estimates.push((Name::Reparametrisation, Err(why)));
            estimates.push((Name::Score, Ok(means.score(&paths, &gradient, &place))));
            estimates.push((Name::Boundary, Err(why)));
        }
    }
    Ok(Comparison { gradient: means.enclosure(&gradient), estimates, paths: paths.len(), why: means.why })
}

/// The position of a site, with `true` if it lies in the function. `None` for a site without position.
type Places<'a> = dyn Fn(Site) -> Option<(Place, bool)> + 'a;

/// The state of the computation of means.
struct Means<'a> {
    parameter: &'a Parameter,
    eps: &'a Rational,
    budget: &'a Arc<Budget>,
    context: Mpfr,
    why: Option<String>,
    /// An upper bound on the probability of runs that were not explored.
    open: Magnitude,
}

impl Means<'_> {
    /// Returns a number as an enclosure; the whole line if it is undefined.
    fn enclosure(&self, found: &Num) -> Enclosure {
        match self.context.is_defined(found) {
            true => self.context.to_enclosure(found),
            false => Enclosure::bottom(),
        }
    }

    /// Returns the slope of a map in the parameter, for fixed draws; 0 if there is none.
    fn slope(&self, graph: &Graph) -> Graph {
        slope(graph, self.parameter.variable).unwrap_or_else(|| Graph::integer(0))
    }

    /// Substitutes the value of the parameter in a map, so that the map no longer depends on it.
    fn fixed(&self, graph: &Graph) -> Graph {
        graph.substitute(&[(self.parameter.variable, Graph::rational(self.parameter.at.clone()))])
    }

    /// Encloses a sum of means, or its derivative of the given order. ⊥ if a part of the runs was not explored.
    fn sum(&mut self, means: impl Iterator<Item = Mean>, order: u32) -> Num {
        let context = self.context;
        if !self.open.is_zero() {
            self.why = Some("paths are left of which nothing is known".to_owned());
            return context.bottom();
        }
        let means: Vec<Mean> = means.filter(|mean| !mean.factors.iter().any(is_zero)).collect();
        // The error is split over the means. The factor 8 is a choice: each result is a combination of a few such sums.
        let part = self.eps / Rational::from(8 * means.len().max(1));
        let mut sum = context.integer(0);
        for (index, mean) in means.iter().enumerate() {
            // Time that a mean leaves unused goes to the following ones.
            let time = self.budget.remaining().map(|left| left / (means.len() - index) as u32);
            let own = self.budget.part(u64::MAX, time);
            let found = self.integral(mean, order, &part, &own);
            sum = context.add(&sum, &found);
        }
        sum
    }

    /// Encloses a mean, or its derivative of the given order.
    fn integral(&mut self, mean: &Mean, order: u32, eps: &Rational, budget: &Budget) -> Num {
        let parameter = Parameter { order, ..self.parameter.clone() };
        let context = self.context;
        let factors = Factors { values: mean.factors.clone(), ..Factors::default() };
        let contribution = Contribution::new(&mean.path, factors, Some(&parameter), order, self.budget);
        if let Some(obstacle) = contribution.obstacle() {
            self.why.get_or_insert_with(|| obstacle.text().to_owned());
        }
        let found = contribution.enclose(eps, budget);
        if contribution.may_diverge() {
            self.why.get_or_insert_with(|| divergence(&mean.path, Some(&parameter), &mean.factors));
        }
        if found.is_defined() { context.enclosure(&found) } else { context.bottom() }
    }

    /// Returns the estimate from the mean of the samples, and that of their squares.
    fn estimate(&mut self, samples: &[Mean], gradient: &Num, wrong: Vec<Culprit>) -> Estimate {
        let mean = self.sum(samples.iter().map(Mean::again), 0);
        let squares = self.sum(samples.iter().map(Mean::squared), 0);
        let context = self.context;
        let variance = context.sub(&squares, &context.square(&mean));
        // A variance is not negative, so its enclosure may be cut at 0.
        let variance = match context.intersect(&variance, &context.enclosure(&super::range::half_line())) {
            Some(both) if context.is_defined(&variance) => context.assert_defined(both),
            _ => variance,
        };
        let bias = context.sub(&mean, gradient);
        let [mean, bias, variance] = [&mean, &bias, &variance].map(|found| self.enclosure(found));
        Estimate { mean, bias, variance: Some(variance), wrong }
    }

    /// Returns the estimates by [`Name::Reparametrisation`] and [`Name::Boundary`].
    ///
    /// # Errors
    /// The reason why a draw has no form x = T(z, θ).
    fn reparametrised(
        &mut self,
        paths: &[Ended],
        gradient: &Num,
        place: &Places<'_>,
    ) -> Result<[Estimate; 2], &'static str> {
        let mut moved = Vec::new();
        for ended in paths {
            let (path, maps) = ended.path.reparametrised(self.parameter.variable)?;
            let value = ended.value.iter().map(|value| value.substitute(&maps)).next().unwrap_or_else(one);
            moved.push((path, value));
        }
        let samples: Vec<Mean> =
            moved.iter().map(|(path, f)| Mean::of(path.replaced(&|_, g| self.fixed(g)), self.slope(f))).collect();
        let values: Vec<Mean> = moved.into_iter().map(|(path, f)| Mean::of(path, self.fixed(&f))).collect();
        let (culprits, _) = self.culprits(&values, place);
        let own = self.estimate(&samples, gradient, culprits);
        // In `values` only guards and probabilities depend on θ, so this derivative consists of their terms, all at once.
        let brought = self.sum(values.iter().map(Mean::again), 1);
        let mean = self.sum(samples.iter().map(Mean::again), 0);
        let whole = self.context.add(&mean, &brought);
        let bias = self.context.sub(&whole, gradient);
        let [mean, bias] = [&whole, &bias].map(|found| self.enclosure(found));
        Ok([own, Estimate { mean, bias, variance: None, wrong: Vec::new() }])
    }

    /// Returns the estimate by [`Name::Score`].
    fn score(&mut self, paths: &[Ended], gradient: &Num, place: &Places<'_>) -> Estimate {
        let v = self.parameter.variable;
        let mut samples = Vec::new();
        let mut values = Vec::new();
        let mut has_ends = false;
        for Ended { path, value, .. } in paths {
            let value = value.clone().unwrap_or_else(one);
            let mut score = Graph::integer(0);
            for draw in &path.draws {
                let own = match draw {
                    Draw::Natural(_, chance) | Draw::Truth(_, chance) if chance.depends_on(v) => {
                        super::distribution::divide(&self.slope(chance), chance)
                    }
                    Draw::Natural(..) | Draw::Truth(..) => continue,
                    Draw::Real(_) | Draw::Tail(..) => {
                        let Some((x, distribution)) = draw.coordinate() else { continue };
                        has_ends |= distribution.ends().iter().flatten().any(|end| end.depends_on(v));
                        distribution.score(&Graph::variable(x), v)
                    }
                };
                score = super::distribution::add(&score, &own);
            }
            let own = match is_zero(&score) {
                true => Graph::integer(0),
                false => super::distribution::multiply(&value, &score),
            };
            let fixed = path.replaced(&|_, g| self.fixed(g));
            samples.push(Mean::of(fixed, self.fixed(&super::distribution::add(&own, &self.slope(&value)))));
            // To find the shares of guards, θ is kept in guards alone.
            let guards = |part: Option<Part>, g: &Graph| match part {
                Some(Part::Guard(_)) => g.clone(),
                _ => self.fixed(g),
            };
            values.push(Mean::of(path.replaced(&guards), self.fixed(&value)));
        }
        let (mut wrong, guards) = self.culprits(&values, place);
        let mut estimate = self.estimate(&samples, gradient, Vec::new());
        if has_ends {
            // Ends of supports take the part of the bias that guards do not explain.
            let missed = self.context.neg(&self.context.enclosure(&estimate.bias));
            let share = self.enclosure(&self.context.sub(&missed, &guards));
            if share.is_defined() && !share.contains(&Rational::new()) {
                wrong.push(Culprit { place: None, in_function: false, what: "an end of where a draw lies", share });
            }
        }
        estimate.wrong = wrong;
        estimate
    }

    /// Returns the guards and discrete draws whose contribution, which samples miss, is certainly not 0. Also returns the sum of
    /// all such contributions, certain or not.
    fn culprits(&mut self, values: &[Mean], place: &Places<'_>) -> (Vec<Culprit>, Num) {
        let v = self.parameter.variable;
        let mut sites: Vec<(Site, &'static str)> = Vec::new();
        for Mean { path, .. } in values {
            let guards = path.decided.iter().filter(|decided| decided.guard.graph.depends_on(v));
            let own = guards.map(|decided| (decided.guard.site, "a guard"));
            let chances = path.draws.iter().filter_map(|draw| match draw {
                Draw::Natural(_, chance) if chance.depends_on(v) => Some((Site::NOWHERE, NATURALS)),
                Draw::Truth(_, chance) if chance.depends_on(v) => Some((Site::NOWHERE, TRUTHS)),
                _ => None,
            });
            for found in own.chain(chances) {
                if !sites.contains(&found) {
                    sites.push(found);
                }
            }
        }
        let (mut culprits, mut all) = (Vec::new(), self.context.integer(0));
        for (site, what) in sites {
            // The derivative in which the parameter is fixed everywhere but in this guard, or in these draws.
            let alone = |mean: &Mean| {
                let moves = |part: Option<Part>| match part {
                    Some(Part::Guard(index)) => what == "a guard" && mean.path.decided[index].guard.site == site,
                    Some(Part::Chance(index)) => match mean.path.draws[index] {
                        Draw::Truth(..) => what == TRUTHS,
                        _ => what == NATURALS,
                    },
                    None => false,
                };
                let path = mean.path.replaced(&|part, g| if moves(part) { g.clone() } else { self.fixed(g) });
                Mean { path, factors: mean.factors.clone() }
            };
            let alone: Vec<Mean> = values.iter().map(alone).collect();
            let share = self.sum(alone.into_iter(), 1);
            all = self.context.add(&all, &share);
            let share = self.enclosure(&share);
            // A contribution that may be 0 is not reported, so every reported one is certain.
            if share.is_defined() && !share.contains(&Rational::new()) {
                let (place, in_function) = match place(site) {
                    Some((place, in_function)) => (Some(place), in_function),
                    None => (None, false),
                };
                culprits.push(Culprit { place, in_function, what, share });
            }
        }
        (culprits, all)
    }
}

/// The kind of source of bias for draws of truth values.
const TRUTHS: &str = "the draws of truth values";
/// The kind of source of bias for draws of natural numbers.
const NATURALS: &str = "the draws of natural numbers";

fn one() -> Graph {
    Graph::integer(1)
}

fn is_zero(graph: &Graph) -> bool {
    graph.as_rational().is_some_and(|q| *q == 0)
}

impl Mean {
    fn of(path: Path, factor: Graph) -> Self {
        Self { path, factors: vec![factor] }
    }

    fn again(&self) -> Self {
        Self { path: self.path.clone(), factors: self.factors.clone() }
    }

    fn squared(&self) -> Self {
        let square = |graph: &Graph| super::distribution::power(graph, &Rational::from(2));
        Self { path: self.path.clone(), factors: self.factors.iter().map(square).collect() }
    }
}
