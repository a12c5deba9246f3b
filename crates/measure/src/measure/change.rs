//! Change of variables ([Lew et al. 2021](crate::refs::LEW_2021), W App. A.2; W22, W23): the density of f(X) for the value X of
//! a probabilistic program.
//!
//! Let T be the embedding of a chart, and f a map that is injective on it. The density of the image measure at f(x), with
//! respect to the Hausdorff measure of the chart's dimension, is
//!
//! `ρ(x) / 𝒥(x)`, `𝒥 = √(det((J·T)ᵀ(J·T)) / det(TᵀT))`,
//!
//! where J is an [intensional](crate::pieces::intensional) Jacobian of f, by AD. On a support of lower dimension J is not
//! unique, and its determinant may be any number. But J·T is the slope of f along the support, and is unique.
//!
//! | chart | 𝒥 |
//! |---|---|
//! | of full dimension | the absolute value of det J |
//! | an atom | 1 |
//! | one with draws on which the map does not depend | these draws are integrated over; if the map depends on none, there is an atom |
//!
//! A map that is not injective is refused, with two values of equal image. Injectivity is [proved](injective) in simple
//! cases. In other cases it is an assumption, which the answer reports. If 𝒥 is 0, there is no density.
//!
//! # A test of a rule for 𝒥
//!
//! The image measure has the same mass as the measure.
//!
//! Let K be a rule in place of 𝒥. The density ρ/K is integrated over the image, pulled back to the chart by the slopes of f∘T,
//! which do not depend on how f is written: `∫ ρ/K dHᵈ = ∫ p·√det((f∘T)′ᵀ(f∘T)′) / (√det(TᵀT)·K)`. For the right K this
//! is ∫ p.

pub mod injective;

use super::MeasureError;
use super::contribution::{PathContribution, PathFactors};
use super::draws::SymbolicExecution;
use super::range::{PRECISION_BITS, half_line};
use super::support::{
    Matrix, Preimage, Preimages, ProgramSupport, SupportChart, determinant, gram_determinant, matrix_product,
};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::meaning::pap::PiecewiseUniverse;
use crate::model::answer::SemanticsError;
use crate::model::universe::EvaluatorModel;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Mpfr, Rational};
use crate::smooth::graph::Graph;
use crate::syntax::term::Term;
use injective::Collision;
use std::cmp::Ordering;
use std::sync::Arc;

/// The contribution of one preimage to the density.
#[derive(Clone, Debug)]
pub struct PreimageContribution {
    /// The dimension of the image.
    pub dimension: usize,
    /// The value with this image. `None` if the map does not depend on all of its draws.
    pub preimage: Option<Vec<Enclosure>>,
    /// The density of the program at that value, with respect to the Hausdorff measure of the chart's dimension. `None` as
    /// for `from`.
    pub density_before: Option<Enclosure>,
    /// 𝒥; `None` as for `from`.
    pub factor: Option<Enclosure>,
    /// The density at the image.
    pub density: Enclosure,
}

/// The density of an image measure at a point.
#[derive(Clone, Debug)]
pub struct PushforwardDensity {
    /// The contributions of the preimages.
    pub parts: Vec<PreimageContribution>,
    /// The densities with respect to the Hausdorff measures of these dimensions, in ascending order. Empty if the point lies
    /// in no image.
    pub densities: Vec<(usize, Enclosure)>,
    /// The number of charts of the program's support.
    pub charts: usize,
    /// The proof that the map is injective on the support, apart from `injectivity_exception`; `None` if it is not proved.
    pub injectivity_proof: Option<&'static str>,
    /// The exception from injectivity, `None` if there is none.
    pub injectivity_exception: Option<&'static str>,
    /// The assumptions.
    pub assumptions: Vec<String>,
    /// The reason why the density is no narrower, if it is known.
    pub width_reason: Option<&'static str>,
}

/// The reason why there is no density of the image.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeOfVariablesError {
    /// An error of the program.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// The map has another number of coordinates than the point.
    #[error("expected a map with {expected} numbers, as many as the point has, found one with {found}")]
    CoordinateMismatch {
        /// The number of coordinates of the point.
        expected: usize,
        /// The number of coordinates of the map.
        found: usize,
    },
    /// The map takes two values to one point, so it is not injective.
    #[error(
        "the map is not injective on the support of the program: it takes {0}\n  = help: a change of variables needs an \
         injective map; otherwise the density is a sum over all values that the map takes to the point"
    )]
    NotInjective(Box<Collision>),
    /// The map depends on more draws than the dimension of its image.
    #[error("expected a map that is injective or independent of some draws; the image of this one has a lower dimension than its draws{}",
            .0.as_ref().map_or_else(String::new, |pair| format!(", as it takes {pair}")))]
    Singular(Option<Box<Collision>>),
    /// The values of the program have a lower dimension than the draws that they mention, so no map makes the draws follow
    /// from the image.
    #[error(
        "the draws do not follow from the values of the program, {}. A change of variables needs values that \
         determine their draws, whatever the map\n  = help: `plot --density` draws the density of one number; a \
         sum of normal draws can be drawn at once, as one of normal",
        if *values < *draws { format!("of dimension {values} with {draws} draws") } else { "of a lower dimension".to_owned() }
    )]
    SingularValues {
        /// The number of coordinates of a value.
        values: usize,
        /// The number of real draws that a value mentions.
        draws: usize,
    },
    /// 𝒥 is 0 at the preimage.
    #[error(
        "there is no density at this point: the factor of the change of variables is 0 at the value that is taken to it"
    )]
    ZeroFactor,
}

impl ErrorWithKind for ChangeOfVariablesError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Measure(fault) => fault.kind(),
            _ => ErrorKind::InvalidInput,
        }
    }
}

impl ChangeOfVariablesError {
    /// Returns `true` if the question is well posed, and the numbers have no answer.
    #[must_use]
    pub fn has_no_answer(&self) -> bool {
        match self {
            Self::Measure(fault) => fault.has_no_answer(),
            other => matches!(other, Self::ZeroFactor),
        }
    }
}

/// Encloses the density of the image of a program's measure under a map, at a point.
///
/// The program has type `P A`, the map type `A -> B` and the point type `B`, where A and B are numbers or tuples of numbers.
/// If the program weighs its runs, the measure is not divided by the normalising constant.
///
/// # Errors
/// [`ChangeOfVariablesError`], for every cause that it lists.
pub fn pushforward_density(
    program: &Term,
    map: &Term,
    point: &Term,
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<PushforwardDensity, ChangeOfVariablesError> {
    let support = ProgramSupport::of_program(program, Some(map), budget)?;
    pushforward_of_support(&support, &evaluate_coordinates(point, budget)?, eps, budget)
}

/// Returns the coordinates of a closed program that is a number or a tuple of numbers.
///
/// # Errors
/// [`MeasureError`] if the program has no value.
pub fn evaluate_coordinates(term: &Term, budget: &Arc<Budget>) -> Result<Vec<Graph>, MeasureError> {
    let universe =
        EvaluatorModel::new(PiecewiseUniverse::new(SymbolicExecution::new(None, budget.clone()), budget.clone()));
    let value = universe.evaluate_closed(term)?;
    let found = value.coordinates().map_err(SemanticsError::from)?;
    Ok(found.into_iter().cloned().collect())
}

/// Encloses the density like [`pushforward_density`], for a given support.
///
/// # Errors
/// [`ChangeOfVariablesError`], for every cause that it lists.
pub fn pushforward_of_support(
    support: &ProgramSupport,
    point: &[Graph],
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<PushforwardDensity, ChangeOfVariablesError> {
    let Some(first) = support.charts.first() else { return Err(MeasureError::ZeroNormalisingConstant.into()) };
    if first.image.len() != point.len() {
        return Err(ChangeOfVariablesError::CoordinateMismatch { expected: point.len(), found: first.image.len() });
    }
    let certificate = injective::prove_injective(support, budget)?;
    let mut assumed = Vec::new();
    if certificate.is_none() {
        assumed.push(
            "the map is injective on the support: no two values that it takes to one point were found".to_owned(),
        );
    }
    if support.has_unproved_score {
        assumed.push("no score is negative".to_owned());
    }
    let mut found = PushforwardDensity {
        parts: Vec::new(),
        densities: Vec::new(),
        charts: support.charts.len(),
        injectivity_proof: certificate,
        injectivity_exception: injectivity_exception(support),
        assumptions: assumed,
        width_reason: support.missing_charts_reason,
    };
    let (mut places, mut unknown): (Vec<(&SupportChart, Preimage)>, Vec<usize>) = (Vec::new(), Vec::new());
    for chart in &support.charts {
        match chart.find_preimages(point, budget) {
            Preimages::Empty => {}
            Preimages::Complete(own) => places.extend(own.into_iter().map(|place| (chart, place))),
            Preimages::Incomplete(own, why) => {
                // If the draws follow from the image, a preimage that was found is the only one. It is not enough that the values
                // follow from the image, as several draws may have one value.
                if own.is_empty() || !injective::is_injective_in_draws(chart, budget) {
                    unknown.push(chart.image_draws().len());
                    found.width_reason = found.width_reason.or(Some(why));
                }
                places.extend(own.into_iter().map(|place| (chart, place)));
            }
        }
    }
    // After the search, since a pair found here refutes injectivity even where it is assumed.
    injective::check_distinct(&places, budget)?;
    // The error is split over the preimages. The factor 4 is a choice; it leaves room for the rounding of the sums.
    let part = eps / Rational::from(4 * places.len().max(1));
    for (chart, place) in &places {
        let own = chart.preimage_contribution(place, &part, budget)?;
        found.parts.push(own);
    }
    found.densities = densities_by_dimension(&found.parts, &unknown, support.missing_charts_reason.is_some());
    Ok(found)
}

/// Returns the admissible exceptions from injectivity: draws on which the map does not depend, and several atoms.
fn injectivity_exception(support: &ProgramSupport) -> Option<&'static str> {
    let charts = &support.charts;
    let atoms = charts.iter().filter(|chart| chart.image_draws().is_empty()).count();
    match charts.iter().any(|chart| chart.image_draws().len() < chart.value_draws().len()) {
        _ if atoms == charts.len() => None,
        true => Some("draws that it forgets"),
        false if atoms > 1 => Some("atoms, whose masses are added"),
        false => None,
    }
}

/// Sums the contributions of each dimension. Dimensions in `unknown`, or all if `is_partial`, have only a lower bound.
fn densities_by_dimension(
    parts: &[PreimageContribution],
    unknown: &[usize],
    is_partial: bool,
) -> Vec<(usize, Enclosure)> {
    let context = Mpfr::new(PRECISION_BITS);
    let mut dimensions: Vec<usize> = parts.iter().map(|part| part.dimension).chain(unknown.iter().copied()).collect();
    dimensions.sort_unstable();
    dimensions.dedup();
    let total = |d: usize| {
        let own = parts.iter().filter(|part| part.dimension == d);
        let mut sum = own
            .fold(context.enclose_integer(0), |sum, part| context.add(&sum, &context.round_enclosure(&part.density)));
        if is_partial || unknown.contains(&d) {
            // What was not found is some number in [0, ∞).
            sum = context.add(&sum, &context.round_enclosure(&half_line()));
        }
        (d, if context.is_defined(&sum) { context.to_enclosure(&sum) } else { Enclosure::bottom() })
    };
    dimensions.into_iter().map(total).collect()
}

/// Returns √det(AᵀA). For a square matrix this is the absolute value of its determinant; without columns it is 1.
#[must_use]
pub fn volume_factor(a: &Matrix) -> Graph {
    match a.first().map_or(0, Vec::len) {
        0 => Graph::integer(1),
        columns if columns == a.len() => determinant(a).abs(),
        _ => gram_determinant(a).pow(&Rational::from((1, 2))),
    }
}

impl SupportChart {
    /// Encloses the contribution of a preimage to the density at its image.
    ///
    /// # Errors
    /// [`ChangeOfVariablesError::ZeroFactor`] if 𝒥 is 0 there.
    fn preimage_contribution(
        &self,
        place: &Preimage,
        eps: &Rational,
        budget: &Budget,
    ) -> Result<PreimageContribution, ChangeOfVariablesError> {
        let kept = self.image_draws();
        let dimension = kept.len();
        let is_whole = self.value_draws().len() == dimension;
        let t = Self::slope_matrix(&self.value, &kept);
        let before = volume_factor(&t);
        // If the map forgets draws, J has entries for them too. Then the slopes of f∘T in the other draws are taken directly.
        let after = match is_whole {
            true => volume_factor(&matrix_product(&self.jacobian, &t)),
            false => volume_factor(&Self::slope_matrix(&self.image, &kept)),
        };
        if dimension > 0 && place.sign_of(&after, budget) == Some(Ordering::Equal) {
            return Err(ChangeOfVariablesError::ZeroFactor);
        }
        let over = |volume: &Graph| self.integrate_density(place, volume, eps, budget);
        let factor = is_whole.then(|| place.enclose_value(&(&after / &before), eps, budget));
        let from = is_whole.then(|| self.value.iter().map(|map| place.enclose_value(map, eps, budget)).collect());
        Ok(PreimageContribution {
            dimension,
            preimage: from,
            density_before: is_whole.then(|| over(&before)),
            factor,
            density: over(&after),
        })
    }

    /// Encloses the density of the draws at a preimage, divided by `under`. Other draws are integrated over.
    fn integrate_density(&self, place: &Preimage, under: &Graph, eps: &Rational, budget: &Budget) -> Enclosure {
        let Preimage::Exact(numbers) = place else {
            // A preimage in a box is no number that can be substituted into an integral.
            let is_all = self.path.coordinates().count() == self.image_draws().len();
            return match is_all {
                true => place.enclose_value(&(self.draw_density() / under), eps, budget),
                false => Enclosure::bottom(),
            };
        };
        let (path, weights) = self.fix_draws(numbers);
        let factors = PathFactors { weights, values: vec![1 / under.substitute(numbers)] };
        PathContribution::new(&path, factors, None, 0, budget).enclose(eps, budget)
    }
}

/// Encloses the mass of each chart before and after the map. Densities are divided by 𝒥, from the Jacobians of the support.
///
/// # Errors
/// None at present; the type leaves room for a [`MeasureError`].
pub fn masses_by_chart(
    support: &ProgramSupport,
    eps: &Rational,
    budget: &Budget,
) -> Result<Vec<[Enclosure; 2]>, MeasureError> {
    let own = |chart: &SupportChart| {
        let kept = chart.image_draws();
        let slopes = SupportChart::slope_matrix(&chart.value, &kept);
        let t = volume_factor(&slopes);
        let along = volume_factor(&SupportChart::slope_matrix(&chart.image, &kept));
        let factor = volume_factor(&matrix_product(&chart.jacobian, &slopes)) / &t;
        let after = &along / (&t * &factor);
        [Graph::integer(1), after].map(|over| {
            let factors = PathFactors { weights: chart.scores.clone(), values: vec![over] };
            PathContribution::new(&chart.path, factors, None, 0, budget).enclose(eps, budget)
        })
    };
    Ok(support.charts.iter().map(own).collect())
}

/// Encloses a sum of masses.
#[must_use]
pub fn total_mass(masses: impl IntoIterator<Item = Enclosure>) -> Enclosure {
    let context = Mpfr::new(PRECISION_BITS);
    let sum = masses
        .into_iter()
        .fold(context.enclose_integer(0), |sum, mass| context.add(&sum, &context.round_enclosure(&mass)));
    if context.is_defined(&sum) { context.to_enclosure(&sum) } else { Enclosure::bottom() }
}
