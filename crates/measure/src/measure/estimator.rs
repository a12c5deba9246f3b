//! Estimators of a gradient by samples: what they are in the mean, and how much they vary, beside the gradient itself.
//!
//! With F(θ) = E f(x, θ), x drawn from p(·, θ):
//!
//! | estimator | takes the mean of | is right where |
//! |---|---|---|
//! | [`Name::Reparametrisation`] | the derivative of f(T(z, θ), θ), with x = T(z, θ) and z drawn without θ | no guard and no chance moves with θ |
//! | [`Name::Score`] | f·∂ log p + ∂f | no guard moves with θ where x is held fixed, nor an end of where x lies |
//! | [`Name::Boundary`] | the first, and what the borders that move bring along | always, where it has a form |
//!
//! The mean of an estimator is an integral like any other, so its bias is a number with an enclosure. The derivative along a draw is the
//! intensional one ([`crate::pieces::intensional`]): 0 for a jump, which is what a sampler sees.
//!
//! The share of a guard in what is missed is the derivative of the integral in which that guard moves and nothing else does.

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
    /// The first, with what borders bring along.
    Boundary,
}

impl Name {
    /// What it is called.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Reparametrisation => "reparametrisation",
            Self::Score => "score function",
            Self::Boundary => "with boundary terms",
        }
    }
}

/// What makes an estimator wrong.
#[derive(Clone, Debug)]
pub struct Culprit {
    /// Where it stands; nothing for an end of where a draw lies.
    pub place: Option<Place>,
    /// Whether that is in the function of the values, and not in the program.
    pub in_function: bool,
    /// What it is: a guard, a draw that is not real, an end of where a draw lies.
    pub what: &'static str,
    /// What it brings to the gradient.
    pub share: Enclosure,
}

/// What an estimator is in the mean.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Its mean.
    pub mean: Enclosure,
    /// What that is more than the gradient.
    pub bias: Enclosure,
    /// The variance of one sample; nothing for the one with boundary terms, which are no samples.
    pub variance: Option<Enclosure>,
    /// What is missed, where it is certain that something is.
    pub wrong: Vec<Culprit>,
}

/// The gradient of a mean, and its estimators; of one without a form, why.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The gradient.
    pub gradient: Enclosure,
    /// The estimators.
    pub estimates: Vec<(Name, Result<Estimate, &'static str>)>,
    /// How many paths contribute.
    pub paths: usize,
    /// Why it is no narrower, where that is known.
    pub why: Option<String>,
}

/// A product of maps, the mean of which is wanted over a path.
struct Mean {
    path: Path,
    factors: Vec<Graph>,
}

/// The estimators of the derivative of the mean of a function, for a program of type `Real -> P A` without scores.
///
/// # Errors
/// [`Fault`]; [`Fault::Scored`] for a program that weighs its runs.
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
            // it may have no chance
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

/// Where something stands, and whether in the function.
type Places<'a> = dyn Fn(Site) -> Option<(Place, bool)> + 'a;

struct Means<'a> {
    parameter: &'a Parameter,
    eps: &'a Rational,
    budget: &'a Arc<Budget>,
    context: Mpfr,
    why: Option<String>,
    /// At most the chance of what is not known.
    open: Magnitude,
}

impl Means<'_> {
    fn enclosure(&self, found: &Num) -> Enclosure {
        match self.context.is_defined(found) {
            true => self.context.to_enclosure(found),
            false => Enclosure::bottom(),
        }
    }

    /// The slope of a map in the parameter, the draws being held fixed.
    fn slope(&self, graph: &Graph) -> Graph {
        slope(graph, self.parameter.variable).unwrap_or_else(|| Graph::integer(0))
    }

    /// A map at the place of the parameter.
    fn fixed(&self, graph: &Graph) -> Graph {
        graph.substitute(&[(self.parameter.variable, Graph::rational(self.parameter.at.clone()))])
    }

    /// A sum over paths, or its derivative.
    fn sum(&mut self, means: impl Iterator<Item = Mean>, order: u32) -> Num {
        let context = self.context;
        if !self.open.is_zero() {
            self.why = Some("paths are left of which nothing is known".to_owned());
            return context.bottom();
        }
        let means: Vec<Mean> = means.filter(|mean| !mean.factors.iter().any(is_zero)).collect();
        let part = self.eps / Rational::from(8 * means.len().max(1));
        let mut sum = context.integer(0);
        for (index, mean) in means.iter().enumerate() {
            let time = self.budget.remaining().map(|left| left / (means.len() - index) as u32);
            let own = self.budget.part(u64::MAX, time);
            let found = self.integral(mean, order, &part, &own);
            sum = context.add(&sum, &found);
        }
        sum
    }

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

    /// An estimator from its samples: their mean, and that of their squares.
    fn estimate(&mut self, samples: &[Mean], gradient: &Num, wrong: Vec<Culprit>) -> Estimate {
        let mean = self.sum(samples.iter().map(Mean::again), 0);
        let squares = self.sum(samples.iter().map(Mean::squared), 0);
        let context = self.context;
        let variance = context.sub(&squares, &context.square(&mean));
        // a variance is not negative
        let variance = match context.intersect(&variance, &context.enclosure(&super::range::half_line())) {
            Some(both) if context.is_defined(&variance) => context.assert_defined(both),
            _ => variance,
        };
        let bias = context.sub(&mean, gradient);
        let [mean, bias, variance] = [&mean, &bias, &variance].map(|found| self.enclosure(found));
        Estimate { mean, bias, variance: Some(variance), wrong }
    }

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
        // what the borders and the chances bring along, of all at once
        let brought = self.sum(values.iter().map(Mean::again), 1);
        let mean = self.sum(samples.iter().map(Mean::again), 0);
        let whole = self.context.add(&mean, &brought);
        let bias = self.context.sub(&whole, gradient);
        let [mean, bias] = [&whole, &bias].map(|found| self.enclosure(found));
        Ok([own, Estimate { mean, bias, variance: None, wrong: Vec::new() }])
    }

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
            let guards = |part: Option<Part>, g: &Graph| match part {
                Some(Part::Guard(_)) => g.clone(),
                _ => self.fixed(g),
            };
            values.push(Mean::of(path.replaced(&guards), self.fixed(&value)));
        }
        let (mut wrong, guards) = self.culprits(&values, place);
        let mut estimate = self.estimate(&samples, gradient, Vec::new());
        if has_ends {
            // what the guards leave
            let missed = self.context.neg(&self.context.enclosure(&estimate.bias));
            let share = self.enclosure(&self.context.sub(&missed, &guards));
            if share.is_defined() && !share.contains(&Rational::new()) {
                wrong.push(Culprit { place: None, in_function: false, what: "an end of where a draw lies", share });
            }
        }
        estimate.wrong = wrong;
        estimate
    }

    /// What brings something to the gradient that samples do not see: guards and chances that move, of which it is certain that they do; and
    /// what all of them bring.
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
            // what is not told from 0 is not blamed
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

const TRUTHS: &str = "the draws of truth values";
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
