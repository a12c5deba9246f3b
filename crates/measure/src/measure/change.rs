//! Change of variables ([Lew et al. 2021](crate::refs::LEW_2021), W App. A.2; W22, W23): the density of what a map makes of a program's values.
//!
//! For a chart with the embedding T and a map f that is injective on it, the density of f's image measure at f(x) with respect to the
//! Hausdorff measure of the chart's dimension is
//!
//! `ρ(x) / 𝒥(x)`, `𝒥 = √(det((J·T)ᵀ(J·T)) / det(TᵀT))`,
//!
//! where J is the Jacobian of f that AD gives, an [intensional](crate::pieces::intensional) one: on a support of lower dimension J itself is
//! one of many, with any determinant, but J·T is the slope of f along the support and the same for all of them.
//!
//! | the chart | 𝒥 |
//! |---|---|
//! | of full dimension | the absolute value of det J |
//! | an atom | 1 |
//! | one on which the map forgets draws | what is forgotten is integrated over; where it forgets all there is an atom |
//!
//! A map that takes different values to one point is refused, with two of them. That it does not is [proved](injective) where that is simple,
//! and otherwise an assumption that the answer tells. Where 𝒥 is 0 there is no density.

pub mod injective;
mod interior;
pub mod mass;

use super::Fault;
use super::contribution::{Contribution, Factors};
use super::distribution::{divide, power};
use super::draws::Draws;
use super::range::{BITS, half_line};
use super::support::{Chart, Located, Matrix, Place, Support, determinant, gram, product};
use crate::failure::{ErrorKind, Failure};
use crate::meaning::pap::Pieces;
use crate::model::answer::MeaningError;
use crate::model::universe::Evaluator;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Enclosure, Mpfr, Rational};
use crate::smooth::graph::{Graph, Unary};
use crate::syntax::term::Term;
use injective::Pair;
use std::cmp::Ordering;
use std::sync::Arc;

/// What of the density comes from one place of a chart.
#[derive(Clone, Debug)]
pub struct Part {
    /// The dimension of the image.
    pub dimension: usize,
    /// The value that is taken to the point; of one that is partly forgotten, nothing.
    pub from: Option<Vec<Enclosure>>,
    /// The density before, with respect to the Hausdorff measure of the chart's dimension.
    pub before: Option<Enclosure>,
    /// 𝒥
    pub factor: Option<Enclosure>,
    /// The density after.
    pub density: Enclosure,
}

/// The density of an image measure at a point.
#[derive(Clone, Debug)]
pub struct Changed {
    /// What it is made of.
    pub parts: Vec<Part>,
    /// The densities with respect to the Hausdorff measures of these dimensions, the least first; none where the point lies on no image.
    pub densities: Vec<(usize, Enclosure)>,
    /// How many charts the support of the program has.
    pub charts: usize,
    /// Why the map is injective on each chart, but for what it forgets and for atoms, where that was proved.
    pub proved: Option<&'static str>,
    /// What of that is left out, where something is.
    pub but_for: Option<&'static str>,
    /// What was assumed.
    pub assumed: Vec<String>,
    /// Why it is no narrower, where that is known.
    pub why: Option<&'static str>,
}

/// What is wrong with a change of variables, or why there is no density.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeFault {
    /// The program.
    #[error(transparent)]
    Measure(#[from] Fault),
    /// The map has another number of coordinates than the point.
    #[error("the map gives {found} numbers, and the point has {expected}")]
    Coordinates {
        /// Those of the point.
        expected: usize,
        /// Those of the map.
        found: usize,
    },
    /// The map takes two values to one point.
    #[error(
        "the map is not injective on the support of the program: it takes {0}\n  = help: a change of variables is for maps that are; the density \
             of one that is not is a sum over all values that are taken to the point"
    )]
    NotInjective(Box<Pair>),
    /// The map depends on more draws than the dimension of its image.
    #[error("the map neither is injective nor forgets whole draws: its image has a lower dimension than the draws that it mentions{}",
            .0.as_ref().map_or_else(String::new, |pair| format!(", as it takes {pair}")))]
    Singular(Option<Box<Pair>>),
    /// The program makes values of a lower dimension than the draws that they mention: whatever the map does, draws do not follow from them.
    #[error(
        "what was drawn does not follow from the values of the program, {}: a change of variables is for programs \
         whose values tell the draws that they mention, whatever the map\n  = help: `plot --density` draws the density of one number; a \
         sum of normal draws can be drawn at once, as one of normal",
        if *values < *draws { format!("which makes {values} of {draws} draws") } else { "which have a lower dimension".to_owned() }
    )]
    Folded {
        /// How many numbers a value has.
        values: usize,
        /// How many real draws it mentions.
        draws: usize,
    },
    /// 𝒥 is 0.
    #[error(
        "there is no density at this point: the factor of the change of variables is 0 at the value that is taken to it"
    )]
    NoDensity,
}

impl Failure for ChangeFault {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Measure(fault) => fault.kind(),
            _ => ErrorKind::Wrong,
        }
    }
}

impl ChangeFault {
    /// Whether it is about the numbers, for which there is no answer, and not about the question.
    #[must_use]
    pub fn has_no_answer(&self) -> bool {
        match self {
            Self::Measure(fault) => fault.has_no_answer(),
            other => matches!(other, Self::NoDensity),
        }
    }
}

/// The density of the image of a program's measure under a map, at a point.
///
/// The program is of type `P A`, the map of type `A -> B` and the point of type `B`, for numbers or tuples of numbers A and B. Where the program
/// weighs its runs the measure is that of all runs, not divided by its mass.
///
/// # Errors
/// [`ChangeFault`]
pub fn change(
    program: &Term,
    map: &Term,
    point: &Term,
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<Changed, ChangeFault> {
    let support = Support::of(program, Some(map), budget)?;
    of_support(&support, &coordinates(point, budget)?, eps, budget)
}

/// The coordinates of a closed program that is a number or a tuple of numbers.
///
/// # Errors
/// [`Fault`]
pub fn coordinates(term: &Term, budget: &Arc<Budget>) -> Result<Vec<Graph>, Fault> {
    let universe = Evaluator::new(Pieces::new(Draws::new(None, budget.clone()), budget.clone()));
    let value = universe.value(term)?;
    let found = value.coordinates().map_err(MeaningError::from)?;
    Ok(found.into_iter().cloned().collect())
}

/// The same for a support that is known.
///
/// # Errors
/// [`ChangeFault`]
pub fn of_support(
    support: &Support,
    point: &[Graph],
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<Changed, ChangeFault> {
    let Some(first) = support.charts.first() else { return Err(Fault::NoMass.into()) };
    if first.image.len() != point.len() {
        return Err(ChangeFault::Coordinates { expected: point.len(), found: first.image.len() });
    }
    let certificate = injective::certificate(support, budget)?;
    let mut assumed = Vec::new();
    if certificate.is_none() {
        assumed.push(
            "the map is injective on the support: no two values that it takes to one point were found".to_owned(),
        );
    }
    if support.unproved {
        assumed.push("no score is negative".to_owned());
    }
    let mut found = Changed {
        parts: Vec::new(),
        densities: Vec::new(),
        charts: support.charts.len(),
        proved: certificate,
        but_for: left_out(support),
        assumed,
        why: support.rest,
    };
    let (mut places, mut unknown): (Vec<(&Chart, Place)>, Vec<usize>) = (Vec::new(), Vec::new());
    for chart in &support.charts {
        match chart.locate(point, budget) {
            Located::Nowhere => {}
            Located::At(own) => places.extend(own.into_iter().map(|place| (chart, place))),
            Located::AtLeast(own, why) => {
                // where the draws follow from the image there is one; that its values do is not enough, as several draws may have one
                if own.is_empty() || !injective::is_injective_in_draws(chart, budget) {
                    unknown.push(chart.kept().len());
                    found.why = found.why.or(Some(why));
                }
                places.extend(own.into_iter().map(|place| (chart, place)));
            }
        }
    }
    injective::apart(&places, budget)?;
    let part = eps / Rational::from(4 * places.len().max(1));
    for (chart, place) in &places {
        let own = chart.part(place, &part, budget)?;
        found.parts.push(own);
    }
    found.densities = totals(&found.parts, &unknown, support.rest.is_some());
    Ok(found)
}

/// Where a map need not be injective, and is not: of draws that it forgets, and of several atoms.
fn left_out(support: &Support) -> Option<&'static str> {
    let charts = &support.charts;
    let atoms = charts.iter().filter(|chart| chart.kept().is_empty()).count();
    match charts.iter().any(|chart| chart.kept().len() < chart.coordinates().len()) {
        _ if atoms == charts.len() => None,
        true => Some("draws that it forgets"),
        false if atoms > 1 => Some("atoms, whose masses are added"),
        false => None,
    }
}

/// The sums over places, for each dimension.
fn totals(parts: &[Part], unknown: &[usize], is_partial: bool) -> Vec<(usize, Enclosure)> {
    let context = Mpfr::new(BITS);
    let mut dimensions: Vec<usize> = parts.iter().map(|part| part.dimension).chain(unknown.iter().copied()).collect();
    dimensions.sort_unstable();
    dimensions.dedup();
    let total = |d: usize| {
        let own = parts.iter().filter(|part| part.dimension == d);
        let mut sum = own.fold(context.integer(0), |sum, part| context.add(&sum, &context.enclosure(&part.density)));
        if is_partial || unknown.contains(&d) {
            sum = context.add(&sum, &context.enclosure(&half_line()));
        }
        (d, if context.is_defined(&sum) { context.to_enclosure(&sum) } else { Enclosure::bottom() })
    };
    dimensions.into_iter().map(total).collect()
}

/// √det(AᵀA): of a square matrix the absolute value of its determinant.
#[must_use]
pub fn volume(a: &Matrix) -> Graph {
    match a.first().map_or(0, Vec::len) {
        0 => Graph::integer(1),
        columns if columns == a.len() => Graph::unary(Unary::Abs, &determinant(a)),
        _ => power(&gram(a), &Rational::from((1, 2))),
    }
}

impl Chart {
    /// What a place brings to the density at its image.
    fn part(&self, place: &Place, eps: &Rational, budget: &Budget) -> Result<Part, ChangeFault> {
        let kept = self.kept();
        let dimension = kept.len();
        let is_whole = self.coordinates().len() == dimension;
        let t = Self::slopes(&self.value, &kept);
        let before = volume(&t);
        // of what is forgotten the Jacobian has entries of its own, which change nothing
        let after = match is_whole {
            true => volume(&product(&self.jacobian, &t)),
            false => volume(&Self::slopes(&self.image, &kept)),
        };
        if dimension > 0 && place.sign(&after, budget) == Some(Ordering::Equal) {
            return Err(ChangeFault::NoDensity);
        }
        let over = |volume: &Graph| self.over(place, volume, eps, budget);
        let factor = is_whole.then(|| place.number(&divide(&after, &before), eps, budget));
        let from = is_whole.then(|| self.value.iter().map(|map| place.number(map, eps, budget)).collect());
        Ok(Part { dimension, from, before: is_whole.then(|| over(&before)), factor, density: over(&after) })
    }

    /// The density of the draws at a place over a map, the others integrated over.
    fn over(&self, place: &Place, under: &Graph, eps: &Rational, budget: &Budget) -> Enclosure {
        let Place::At(numbers) = place else {
            let is_all = self.path.coordinates().count() == self.kept().len();
            return match is_all {
                true => place.number(&divide(&self.density(), under), eps, budget),
                false => Enclosure::bottom(),
            };
        };
        let (path, weights) = self.fixed(numbers);
        let factors = Factors { weights, values: vec![divide(&Graph::integer(1), &under.substitute(numbers))] };
        Contribution::new(&path, factors, None, 0, budget).enclose(eps, budget)
    }
}
