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
//! If several values are taken to the point, the density is the sum over all of them, its [fibre]. If there are fewer
//! coordinates than draws, it is an integral over the fibre. No preimage may be missing: a fibre that is not shown to be complete
//! gives a lower bound of the density.
//!
//! On request the map has to be injective: others are refused, with two values of equal image. Injectivity is
//! [proved](injective) in simple cases. In other cases it is an assumption, which the answer reports. If 𝒥 is 0, there is no
//! density.
//!
//! # A test of a rule for 𝒥
//!
//! The image measure has the same mass as the measure.
//!
//! Let K be a rule in place of 𝒥. The density ρ/K is integrated over the image, pulled back to the chart by the slopes of f∘T,
//! which do not depend on how f is written: `∫ ρ/K dHᵈ = ∫ p·√det((f∘T)′ᵀ(f∘T)′) / (√det(TᵀT)·K)`. For the right K this
//! is ∫ p.

pub mod fibre;
pub mod injective;
pub mod inverse;
pub mod rest;
pub mod roots;

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
use fibre::{FibreObstacle, FibrePart};
use injective::Collision;
use std::cmp::Ordering;
use std::sync::Arc;

/// The number of preimages that a point may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multiplicity {
    /// Any number. The density is the sum over all of them.
    #[default]
    Any,
    /// At most one: the map has to be injective on the support, apart from draws that it forgets.
    One,
}

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
    /// Bounds of the sums over infinitely many preimages that are not among the parts, by dimension.
    pub rests: Vec<(usize, Enclosure)>,
    /// The dimensions in which there is no density at the point, beside those in which there is one: a preimage lies at the
    /// border of a chart.
    pub without_density: Vec<usize>,
    /// The number of charts of the program's support.
    pub charts: usize,
    /// `true` if no preimage of the point is missing.
    pub is_complete: bool,
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
        "the map is not injective on the support of the program: it takes {0}\n  = help: without `--injective` the density is \
         the sum over all values that the map takes to the point"
    )]
    NotInjective(Box<Collision>),
    /// The image of the map has a lower dimension than its draws, where it has to be injective, or than it has coordinates.
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
    /// A preimage lies at the border of a chart.
    #[error(
        "there is no density at this point: a value that is taken to it lies where the density before jumps or ends, or where \
         the map has another branch\n  = help: beside the point there may be one"
    )]
    Border,
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
            other => matches!(other, Self::ZeroFactor | Self::Border),
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
    multiplicity: Multiplicity,
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<PushforwardDensity, ChangeOfVariablesError> {
    let support = ProgramSupport::of_program(program, Some(map), budget)?;
    pushforward_of_support(&support, &evaluate_coordinates(point, budget)?, multiplicity, eps, budget)
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
    multiplicity: Multiplicity,
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<PushforwardDensity, ChangeOfVariablesError> {
    let Some(first) = support.charts.first() else { return Err(MeasureError::ZeroNormalisingConstant.into()) };
    if first.image.len() != point.len() {
        return Err(ChangeOfVariablesError::CoordinateMismatch { expected: point.len(), found: first.image.len() });
    }
    let mut found = PushforwardDensity {
        parts: Vec::new(),
        densities: Vec::new(),
        rests: Vec::new(),
        without_density: Vec::new(),
        charts: support.charts.len(),
        is_complete: false,
        injectivity_proof: None,
        injectivity_exception: None,
        assumptions: Vec::new(),
        width_reason: None,
    };
    // Numbers of natural draws that are not followed have bounds; the map is not shown to be injective on their charts.
    let tails = support.tails.as_deref().filter(|_| multiplicity == Multiplicity::Any);
    let is_partial = tails.is_none() && support.missing_charts_reason.is_some();
    found.width_reason = support.missing_charts_reason.filter(|_| is_partial);
    if multiplicity == Multiplicity::One {
        found.injectivity_proof = injective::prove_injective(support, budget)?;
        found.injectivity_exception = injectivity_exception(support);
        if found.injectivity_proof.is_none() {
            found.assumptions.push(
                "the map is injective on the support: no two values that it takes to one point were found".to_owned(),
            );
        }
    }
    if support.has_unproved_score {
        found.assumptions.push("no score is negative".to_owned());
    }
    let (mut places, mut fibres, mut unknown) = (Vec::new(), Vec::new(), Vec::<usize>::new());
    for chart in &support.charts {
        let (own, why) = match multiplicity {
            Multiplicity::One => chart.single_preimage(point, budget),
            Multiplicity::Any => match chart.whole_fibre(point, eps, &mut found.rests, budget) {
                Err(ChangeOfVariablesError::Border) => {
                    found.without_density.push(chart.image_draws().len().min(point.len()));
                    continue;
                }
                own => own?,
            },
        };
        if let Some(why) = why {
            unknown.push(chart.image_draws().len().min(point.len()));
            found.width_reason = found.width_reason.or(Some(why));
        }
        match own {
            ChartFibre::Points(own) => places.extend(own.into_iter().map(|place| (chart, place))),
            ChartFibre::Family => fibres.push(chart),
        }
    }
    if multiplicity == Multiplicity::One {
        // After the search, since a pair found here refutes injectivity even where it is assumed.
        injective::check_distinct(&places, budget)?;
    }
    // The error is split over the preimages. The factor 4 is a choice; it leaves room for the rounding of the sums.
    let part = eps / Rational::from(4 * (places.len() + fibres.len()).max(1));
    for (chart, place) in &places {
        let own = chart.preimage_contribution(place, &part, budget)?;
        found.parts.push(own);
    }
    for chart in fibres {
        match chart.fibre_contribution(point, &part, budget) {
            Err(ChangeOfVariablesError::Border) => found.without_density.push(point.len()),
            Err(fault) => return Err(fault),
            Ok(Ok(own)) => found.parts.extend(own),
            Ok(Err(why)) => {
                unknown.push(point.len());
                found.width_reason = found.width_reason.or(Some(why));
            }
        }
    }
    for chart in tails.unwrap_or_default() {
        let dimension = chart.image_draws().len().min(point.len());
        match rest::tail_bound(chart, point, budget) {
            Some(bound) => found.rests.extend(bound.map(|bound| (dimension, bound))),
            None => {
                unknown.push(dimension);
                found.width_reason = found.width_reason.or(support.missing_charts_reason);
            }
        }
    }
    // In another dimension, as that of an atom, there may be a density all the same.
    found.parts.retain(|part| !found.without_density.contains(&part.dimension));
    found.rests.retain(|(dimension, _)| !found.without_density.contains(dimension));
    unknown.retain(|dimension| !found.without_density.contains(dimension));
    if !found.without_density.is_empty() && found.parts.is_empty() {
        return Err(ChangeOfVariablesError::Border);
    }
    found.without_density.sort_unstable();
    found.without_density.dedup();
    found.is_complete = unknown.is_empty() && !is_partial;
    found.densities = densities_by_dimension(&found.parts, &found.rests, &unknown, is_partial);
    Ok(found)
}

/// The preimages of a point in one chart.
enum ChartFibre {
    /// These points.
    Points(Vec<Preimage>),
    /// A family, as the map has fewer coordinates than draws.
    Family,
}

impl SupportChart {
    /// Returns the preimage in the chart, for a map that is injective on the support; and the reason why it may be missing.
    fn single_preimage(&self, point: &[Graph], budget: &Budget) -> (ChartFibre, Option<&'static str>) {
        match self.find_preimages(point, budget) {
            Preimages::Empty => (ChartFibre::Points(Vec::new()), None),
            Preimages::Complete(own) => (ChartFibre::Points(own), None),
            Preimages::Incomplete(own, why) => {
                // If the draws follow from the image, a preimage that was found is the only one. It is not enough that the values
                // follow from the image, as several draws may have one value.
                let is_missing = own.is_empty() || !injective::is_injective_in_draws(self, budget);
                (ChartFibre::Points(own), is_missing.then_some(why))
            }
        }
    }

    /// Returns all preimages in the chart; and the reason why some may be missing.
    ///
    /// # Errors
    /// [`ChangeOfVariablesError::Border`] and [`ChangeOfVariablesError::Singular`].
    fn whole_fibre(
        &self,
        point: &[Graph],
        eps: &Rational,
        rests: &mut Vec<(usize, Enclosure)>,
        budget: &Budget,
    ) -> Result<(ChartFibre, Option<&'static str>), ChangeOfVariablesError> {
        let draws = self.image_draws().len();
        if draws > point.len() {
            return Ok((ChartFibre::Family, None));
        }
        if draws > 0 && injective::is_singular(self) {
            return Err(ChangeOfVariablesError::Singular(None));
        }
        // Formulas come first on unbounded charts, where the search in boxes is slow, and last on bounded ones, where it finds
        // rational numbers.
        let mut by_formulas = || match self.fibre_over(point, 0, budget) {
            Ok(parts) => Ok(Some(parts.into_iter().map(|part| Preimage::Exact(part.solved)).collect::<Vec<_>>())),
            Err(FibreObstacle::NoDensity(fault)) => Err(fault),
            Err(FibreObstacle::Countable) => match rest::periodic_fibre(self, point, eps, budget) {
                Ok(Some((own, rest))) => {
                    rests.push((draws, rest));
                    Ok(Some(own))
                }
                Err(FibreObstacle::NoDensity(fault)) => Err(fault),
                _ => Ok(None),
            },
            Err(FibreObstacle::Unknown(_)) => Ok(None),
        };
        let is_bounded = self.draw_ranges().iter().all(|(_, range)| range.is_bounded());
        if draws > 0
            && !is_bounded
            && let Some(found) = by_formulas()?
        {
            return Ok((ChartFibre::Points(found), None));
        }
        let (mut found, mut why) = match self.single_preimage(point, budget) {
            (ChartFibre::Points(own), why) => (own, why),
            (ChartFibre::Family, why) => (Vec::new(), why),
        };
        if draws > 0
            && is_bounded
            && why.is_some()
            && let Some(all) = by_formulas()?
        {
            (found, why) = (all, None);
        }
        match draws > 0 && found.iter().any(|place| self.is_on_border(place, budget)) {
            true => Err(ChangeOfVariablesError::Border),
            false => Ok((ChartFibre::Points(found), why)),
        }
    }

    /// Encloses the integral over a fibre of positive dimension. The inner error is the reason why it is not known.
    ///
    /// # Errors
    /// [`ChangeOfVariablesError::Border`] and [`ChangeOfVariablesError::Singular`].
    fn fibre_contribution(
        &self,
        point: &[Graph],
        eps: &Rational,
        budget: &Budget,
    ) -> Result<Result<Vec<PreimageContribution>, &'static str>, ChangeOfVariablesError> {
        let mut best: Result<Vec<PreimageContribution>, &'static str> =
            Err("the integral over the fibre of the point is not known");
        // The draws can be split in several ways; the integrals are equal, and some are easier.
        for choice in 0..self.image_draws().len() {
            let parts = match self.fibre_over(point, choice, budget) {
                Ok(parts) => parts,
                Err(FibreObstacle::NoDensity(fault)) => return Err(fault),
                Err(FibreObstacle::Unknown(why)) => return Ok(best.map_err(|_| why)),
                Err(FibreObstacle::Countable) => return Ok(best.map_err(|_| "the fibre has infinitely many parts")),
            };
            let part_eps = eps / Rational::from(parts.len().max(1));
            let integral = |part: &FibrePart| self.fibre_integral(part, &part_eps, budget);
            let Some(found) = parts.iter().map(integral).collect::<Option<Vec<Enclosure>>>() else { continue };
            let contribution = |density: Enclosure| PreimageContribution {
                dimension: point.len(),
                preimage: None,
                density_before: None,
                factor: None,
                density,
            };
            if found.iter().all(Enclosure::is_defined) {
                let is_narrow = found.iter().all(|density| density.has_width_at_most(eps));
                best = Ok(found.into_iter().map(contribution).collect());
                if is_narrow {
                    break;
                }
            }
        }
        Ok(best)
    }
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
    rests: &[(usize, Enclosure)],
    unknown: &[usize],
    is_partial: bool,
) -> Vec<(usize, Enclosure)> {
    let context = Mpfr::new(PRECISION_BITS);
    let own = parts.iter().map(|part| part.dimension).chain(rests.iter().map(|(dimension, _)| *dimension));
    let mut dimensions: Vec<usize> = own.chain(unknown.iter().copied()).collect();
    dimensions.sort_unstable();
    dimensions.dedup();
    let total = |d: usize| {
        let own = parts.iter().filter(|part| part.dimension == d).map(|part| &part.density);
        let own = own.chain(rests.iter().filter(|(dimension, _)| *dimension == d).map(|(_, rest)| rest));
        let mut sum =
            own.fold(context.enclose_integer(0), |sum, density| context.add(&sum, &context.round_enclosure(density)));
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
