//! Proofs that a map is injective on a support, and counterexamples: pairs of values with equal image.
//!
//! | property that is shown | maps |
//! |---|---|
//! | all slopes, or those of the Jacobian, are numbers, of full rank | a linear map |
//! | a slope has one sign, or the map is monotone by its form inside of the interval | a map of one draw |
//! | the rows can be put in an order in which each has a strict slope in one draw more | triangular maps |
//! | no matrix with entries from the ranges of the slopes is singular | maps on a box (by the mean value theorem) |
//! | the ranges of a coordinate do not overlap | the images of two charts |
//!
//! In more than one dimension, a determinant of one sign proves nothing: (eˣ cos y, eˣ sin y) has period 2π in y.
//!
//! Without a proof, counterexamples are searched: for sample points of a chart, all preimages of the image are
//! [located](SupportChart::find_preimages).
//!
//! # Tests of the slopes of maps on a box
//!
//! Monotone, triangular, or nowhere singular.
//!
//! # Signs and monotonicity of maps in the interior of a box
//!
//! Signs and monotonicity of maps in the interior of a box. On the positive numbers 1/x, log x and √x are monotone, though at
//! 0 they have no value or no slope. The boundary is a null set, so injectivity in the interior suffices.
//!
//! The tests go by the form of the map. A map with a sign, or with a monotonicity, is defined in the interior.

use super::ChangeOfVariablesError;
use crate::measure::range::{BoxContext, PRECISION_BITS, enclose_range, real_line, strict_sign_on_box};
use crate::measure::support::{Preimage, Preimages, ProgramSupport, SupportChart, determinant, gram_determinant};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Mpfr, Rational};
use crate::pieces::analytic::analyticity_conditions;
use crate::pieces::facts::{FactContext, FactDomain, MapFacts, SignSet};
use crate::pieces::{GuardCondition, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::fmt;

/// Two values with equal image. Numbers are texts, exact if the numbers are rational.
#[derive(Clone, Debug)]
pub struct Collision {
    /// The values.
    pub values: [Vec<String>; 2],
    /// The image.
    pub point: Vec<String>,
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tuple = |numbers: &[String]| {
            if numbers.len() == 1 { numbers[0].clone() } else { format!("({})", numbers.join(", ")) }
        };
        let [a, b] = &self.values;
        write!(f, "{} and {} to {}", tuple(a), tuple(b), tuple(&self.point))
    }
}

/// Returns the value of a map at a preimage as text: exact if it is a rational number, or else with an error of 10⁻⁶.
fn value_text(map: &Graph, place: &Preimage, budget: &Budget) -> String {
    if let Preimage::Exact(numbers) = place {
        let fraction = RationalNormalForm::default().normal_form(&map.substitute(numbers));
        if let Some(q) = fraction.and_then(|fraction| fraction.as_rational()) {
            return q.to_string();
        }
    }
    let eps = Rational::from((1, 1_000_000));
    place.enclose_value(map, &eps, budget).print_decimals(&eps).to_string()
}

/// The number of sample points of a chart. A choice: each costs a search for preimages.
const SAMPLES_PER_CHART: usize = 3;

/// Returns the proof that the map is injective on the support, up to null sets. Returns `None` if this was neither proved nor
/// refuted.
///
/// # Errors
/// [`ChangeOfVariablesError::NotInjective`] with a counterexample; [`ChangeOfVariablesError::Singular`] or [`ChangeOfVariablesError::SingularValues`] if the image, or
/// the values themselves, have a lower dimension than the draws.
pub fn prove_injective(
    support: &ProgramSupport,
    budget: &Budget,
) -> Result<Option<&'static str>, ChangeOfVariablesError> {
    let charts: Vec<&SupportChart> = support.charts.iter().filter(|chart| !chart.image_draws().is_empty()).collect();
    for chart in &charts {
        if is_singular(chart) {
            let (values, draws) = (chart.value.len(), chart.value_draws().len());
            // If the values alone are singular, the program is to blame and not the map.
            if is_singular(&SupportChart { image: chart.value.clone(), ..(*chart).clone() }) {
                return Err(ChangeOfVariablesError::SingularValues { values, draws });
            }
            return Err(ChangeOfVariablesError::Singular(find_fibre_collision(chart, budget).map(Box::new)));
        }
    }
    let forgets = charts.iter().any(|chart| chart.image_draws().len() < chart.value_draws().len());
    if charts.is_empty() {
        return Ok(Some("not asked for: the image is made of atoms, whose masses are added"));
    }
    // One proof for the map on the whole space also covers pairs of charts.
    if let Some((variables, maps)) = &support.global_map
        && !forgets
    {
        let hull: Vec<_> = variables.iter().map(|v| (*v, real_line())).collect();
        if let Some(why) = injectivity_proof(maps, variables, &hull, budget) {
            return Ok(Some(why));
        }
    }
    // `and` keeps the last proof, and `None` from the first chart without one.
    let mut why = Some("");
    for chart in &charts {
        let own = injectivity_proof(&chart.image, &chart.image_draws(), &chart.draw_ranges(), budget)
            .or_else(|| proof_by_jacobian(chart, budget));
        if own.is_none()
            && let Some(pair) = find_collision(chart, chart, budget)
        {
            return Err(ChangeOfVariablesError::NotInjective(Box::new(pair)));
        }
        why = why.and(own);
    }
    for (i, a) in charts.iter().enumerate() {
        for b in &charts[..i] {
            if budget.is_exhausted() {
                return Ok(None);
            }
            if a.image_draws().len() != b.image_draws().len() || have_disjoint_images(a, b, budget) {
                continue;
            }
            if let Some(pair) = find_collision(a, b, budget).or_else(|| find_collision(b, a, budget)) {
                return Err(ChangeOfVariablesError::NotInjective(Box::new(pair)));
            }
            why = None;
        }
    }
    Ok(why)
}

/// Checks that preimages of one point are not certainly different values.
///
/// # Errors
/// [`ChangeOfVariablesError::NotInjective`] with two such values.
pub fn check_distinct(places: &[(&SupportChart, Preimage)], budget: &Budget) -> Result<(), ChangeOfVariablesError> {
    for (i, (a, at)) in places.iter().enumerate() {
        for (b, other) in &places[..i] {
            let is_same_dimension = a.image_draws().len() == b.image_draws().len() && !a.image_draws().is_empty();
            if is_same_dimension && let Some(pair) = distinct_values((a, at), (b, other), budget) {
                return Err(ChangeOfVariablesError::NotInjective(Box::new(pair)));
            }
        }
    }
    Ok(())
}

/// Returns the values at two preimages of one point. Returns `None` if they are not certainly different.
fn distinct_values(a: (&SupportChart, &Preimage), b: (&SupportChart, &Preimage), budget: &Budget) -> Option<Collision> {
    let fine = Rational::from(1) >> 60;
    let values = |(chart, place): (&SupportChart, &Preimage)| -> Option<Vec<Enclosure>> {
        let is_whole = chart.image_draws().len() == chart.value_draws().len();
        is_whole.then(|| chart.value.iter().map(|map| place.enclose_value(map, &fine, budget)).collect())
    };
    let (x, y) = (values(a)?, values(b)?);
    let is_told = x.iter().chain(&y).all(Enclosure::is_defined);
    let differs = x.iter().zip(&y).any(|(x, y)| !x.overlaps(y));
    let words = |maps: &[Graph], place: &Preimage| maps.iter().map(|map| value_text(map, place, budget)).collect();
    (is_told && differs)
        .then(|| Collision { values: [words(&b.0.value, b.1), words(&a.0.value, a.1)], point: words(&b.0.image, b.1) })
}

/// Returns `true` if the image certainly has a lower dimension than the draws that it mentions.
pub(super) fn is_singular(chart: &SupportChart) -> bool {
    let kept = chart.image_draws();
    if kept.len() > chart.image.len() {
        return true;
    }
    let gram = gram_determinant(&SupportChart::slope_matrix(&chart.image, &kept));
    RationalNormalForm::default().normal_form(&gram).is_some_and(|fraction| fraction.is_zero())
}

/// Finds two values of one chart with equal image, for a map whose image has a lower dimension. Some draws are moved by ⅛, and
/// the others are solved for.
fn find_fibre_collision(chart: &SupportChart, budget: &Budget) -> Option<Collision> {
    let kept = chart.image_draws();
    // As many draws are moved as the map has too many, so that the others are determined by the image.
    let moves = kept.len().saturating_sub(chart.image.len()).max(1);
    for place in sample_points(chart, budget) {
        let Preimage::Exact(numbers) = &place else { continue };
        for first in 0..kept.len() {
            let moved: Vec<(Variable, Graph)> = numbers
                .iter()
                .cycle()
                .skip(first)
                .take(moves)
                .map(|(v, q)| {
                    (*v, Graph::rational(q.as_rational().cloned().unwrap_or_default() + Rational::from((1, 8))))
                })
                .collect();
            let at = |maps: &[Graph]| maps.iter().map(|map| map.substitute(&moved)).collect::<Vec<_>>();
            if chart.contains_preimage(&Preimage::Exact(moved.clone()), budget) != Some(true) {
                continue;
            }
            let (path, _) = chart.fix_draws(&moved);
            let rest = SupportChart { path, value: at(&chart.value), image: at(&chart.image), ..chart.clone() };
            let point: Vec<Graph> = chart.image.iter().map(|map| map.substitute(numbers)).collect();
            let (Preimages::Complete(found) | Preimages::Incomplete(found, _)) = rest.find_preimages(&point, budget)
            else {
                continue;
            };
            if let Some(pair) = found.iter().find_map(|other| distinct_values((&rest, other), (chart, &place), budget))
            {
                return Some(pair);
            }
        }
    }
    None
}

/// Finds points of two charts with equal image and different values.
fn find_collision(a: &SupportChart, b: &SupportChart, budget: &Budget) -> Option<Collision> {
    sample_points(a, budget).into_iter().find_map(|place| {
        let Preimage::Exact(numbers) = &place else { return None };
        let point: Vec<Graph> = a.image.iter().map(|map| map.substitute(numbers)).collect();
        let (Preimages::Complete(found) | Preimages::Incomplete(found, _)) = b.find_preimages(&point, budget) else {
            return None;
        };
        found.iter().find_map(|other| distinct_values((b, other), (a, &place), budget))
    })
}

/// Returns up to [`SAMPLES_PER_CHART`] points of a chart, at simple numbers.
fn sample_points(chart: &SupportChart, budget: &Budget) -> Vec<Preimage> {
    let hull = chart.draw_ranges();
    // Simple numbers, so that preimages are found exactly. The list is a choice.
    let tried = [(1, 2), (1, 1), (2, 1), (-1, 1), (3, 4), (-1, 2), (1, 3), (5, 8), (-2, 1), (3, 1), (1, 8), (5, 1)];
    let own: Vec<(Variable, Vec<Rational>)> = chart
        .image_draws()
        .into_iter()
        .filter_map(|v| {
            let range = &hull.iter().find(|(own, _)| *own == v)?.1;
            let inside = |q: &Rational| *range.lo() < *q && *range.hi() > *q;
            let mut found: Vec<Rational> = tried.iter().map(|q| Rational::from(*q)).filter(inside).collect();
            if let (Some(a), Some(b), true) = (range.lo().to_rational(), range.hi().to_rational(), found.is_empty()) {
                found.push((a + b) / 2);
            }
            Some((v, found))
        })
        .collect();
    if own.iter().any(|(_, numbers)| numbers.is_empty()) {
        return Vec::new();
    }
    let nth = |k: usize| {
        let number = |(i, (v, numbers)): (usize, &(Variable, Vec<Rational>))| {
            (*v, Graph::rational(numbers[(k + i * k / 2 + i) % numbers.len()].clone()))
        };
        Preimage::Exact(own.iter().enumerate().map(number).collect())
    };
    let places =
        (0..4 * SAMPLES_PER_CHART).map(nth).filter(|place| chart.contains_preimage(place, budget) == Some(true));
    places.take(SAMPLES_PER_CHART).collect()
}

/// Returns `true` if the images of two charts certainly meet in a null set at most.
fn have_disjoint_images(a: &SupportChart, b: &SupportChart, budget: &Budget) -> bool {
    let (own, others) = (a.draw_ranges(), b.draw_ranges());
    a.image.iter().zip(&b.image).any(|(x, y)| {
        let (p, q) = (enclose_range(x, &own, budget), enclose_range(y, &others, budget));
        if !p.is_defined() || !q.is_defined() {
            return false;
        }
        // Ranges that touch are enough: a level set of a nonconstant analytic map is a null set.
        let varies = !a.mentioned_draws(std::slice::from_ref(x)).is_empty() && is_analytic(x, &own, budget);
        !p.overlaps(&q) || varies && (p.lo() == q.hi() || p.hi() == q.lo())
    })
}

/// Returns `true` if the map is proved to be injective in those draws of a chart that it mentions.
pub(super) fn is_injective_in_draws(chart: &SupportChart, budget: &Budget) -> bool {
    injectivity_proof(&chart.image, &chart.image_draws(), &chart.draw_ranges(), budget).is_some()
}

/// Returns a proof that maps are jointly injective in these variables, on these intervals; `None` if none is found.
pub(in crate::measure) fn injectivity_proof(
    maps: &[Graph],
    variables: &[Variable],
    hull: &[(Variable, Enclosure)],
    budget: &Budget,
) -> Option<&'static str> {
    if variables.is_empty() || maps.len() < variables.len() {
        return None;
    }
    let slopes = SupportChart::slope_matrix(maps, variables);
    let mut forms = RationalNormalForm::default();
    let mut constant = |slope: &Graph| forms.normal_form(slope).and_then(|fraction| fraction.as_rational());
    let numbers: Option<Vec<Vec<Graph>>> =
        slopes.iter().map(|row| row.iter().map(|slope| constant(slope).map(Graph::rational)).collect()).collect();
    // For a linear map full rank is necessary as well, so the other tests need not be tried.
    if let Some(numbers) = numbers {
        let is_full = constant(&gram_determinant(&numbers)).is_some_and(|q| q != 0);
        return is_full.then_some("it is linear on each chart, and of full rank");
    }
    let has_course = |map: &Graph, slope: &Graph| {
        is_monotone(map, slope, hull, budget) || course_in_interior(map, variables[0], hull, budget).is_some()
    };
    if variables.len() == 1 && maps.iter().zip(&slopes).any(|(map, row)| has_course(map, &row[0])) {
        return Some("it is monotone on each chart");
    }
    if is_triangular(&slopes, hull, budget) {
        return Some("it is triangular on each chart, and strictly monotone in each draw");
    }
    is_regular(&slopes, hull, budget).then_some("its slopes are nowhere singular, taken at any places of a chart")
}

/// Returns a proof for a map whose Jacobian J on a chart is constant and has full rank; `None` for other maps.
///
/// The draws lie in a box, which is connected, so the map differs from J·x by a constant there.
fn proof_by_jacobian(chart: &SupportChart, budget: &Budget) -> Option<&'static str> {
    let is_number = |slope: &Graph| slope.as_rational().is_some();
    let hull = chart.draw_ranges();
    let slopes = SupportChart::slope_matrix(&chart.image, &chart.image_draws());
    let is_smooth = slopes.iter().flatten().all(|slope| enclose_range(slope, &hull, budget).is_defined());
    if !is_smooth || !chart.jacobian.iter().flatten().all(is_number) {
        return None;
    }
    let fraction = RationalNormalForm::default().normal_form(&gram_determinant(&chart.jacobian))?;
    (!fraction.is_zero()).then_some("it is linear on each chart, and of full rank")
}

/// Returns `true` if a map of one variable, which is not constant, is certainly strictly monotone.
fn is_monotone(map: &Graph, slope: &Graph, hull: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    if strict_sign_on_box(slope, hull, budget).is_some() {
        return true;
    }
    let found = enclose_range(slope, hull, budget);
    // The zeros of an analytic slope are isolated, unless it is 0 everywhere. So one weak sign is enough.
    let has_one_sign = found.is_defined() && (*found.lo() >= 0 || *found.hi() <= 0);
    has_one_sign && is_analytic(map, hull, budget)
}

/// Returns `Greater` if a map of one variable is strictly increasing in the interior of a box by its form, `Less` if it is decreasing,
/// and `None` otherwise.
pub(super) fn course_in_interior(
    map: &Graph,
    along: Variable,
    hull: &[(Variable, Enclosure)],
    budget: &Budget,
) -> Option<Ordering> {
    let interior = BoxInterior { within: BoxContext { hull, budget }, along, forms: RationalNormalForm::default() };
    FactDomain::over_graphs(interior).facts_of(map).course.filter(|course| *course != Ordering::Equal)
}

/// Returns `true` if a map is certainly analytic on these intervals.
pub(super) fn is_analytic(map: &Graph, hull: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    let holds = |decided: &GuardCondition| {
        let found = enclose_range(&decided.guard.graph, hull, budget);
        found.is_defined()
            && match (decided.guard.test, decided.holds) {
                (SignTest::Positive, true) => *found.lo() > 0,
                (SignTest::Zero, false) => *found.lo() > 0 || *found.hi() < 0,
                _ => false,
            }
    };
    analyticity_conditions(map, &FxHashSet::default())
        .is_ok_and(|all| all.iter().all(|need| need.any.iter().any(holds)))
}

/// Returns `true` if the slopes are triangular, after a permutation of rows and columns, with strict signs on the diagonal.
///
/// Each chosen row has a strict slope in one new variable, and the slope 0 in all variables that are not chosen yet.
fn is_triangular(slopes: &[Vec<Graph>], hull: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    let mut forms = RationalNormalForm::default();
    let mut is_zero = |g: &Graph| forms.normal_form(g).is_some_and(|fraction| fraction.is_zero());
    let zeros: Vec<Vec<bool>> = slopes.iter().map(|row| row.iter().map(&mut is_zero).collect()).collect();
    let n = slopes.first().map_or(0, Vec::len);
    let mut done = vec![false; n];
    // Greedy choice is enough: an available row stays so until its column is done.
    while let Some((row, column)) = zeros.iter().enumerate().find_map(|(row, zeros)| {
        let mut open = (0..n).filter(|j| !done[*j] && !zeros[*j]);
        match (open.next(), open.next()) {
            (Some(j), None) if strict_sign_on_box(&slopes[row][j], hull, budget).is_some() => Some((row, j)),
            _ => None,
        }
    }) {
        let _ = row;
        done[column] = true;
    }
    done.into_iter().all(|done| done)
}

/// Returns `true` if, for some `n` adjacent rows of the `m × n` slopes, no matrix with entries in their ranges is singular.
///
/// By the mean value theorem, a difference of values is such a matrix times the difference of the arguments.
fn is_regular(slopes: &[Vec<Graph>], hull: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    let n = slopes.first().map_or(0, Vec::len);
    let variables: Vec<Variable> = (0..n * n).map(|_| Variable::fresh()).collect();
    let context = Mpfr::new(PRECISION_BITS);
    let ranges: Vec<Vec<Enclosure>> =
        slopes.iter().map(|row| row.iter().map(|slope| enclose_range(slope, hull, budget)).collect()).collect();
    let starts = 0..=slopes.len().saturating_sub(n);
    let mut rows = starts.map(|start| &ranges[start..start + n]);
    rows.any(|rows| {
        let within: Vec<(Variable, Enclosure)> =
            variables.iter().copied().zip(rows.iter().flatten().cloned()).collect();
        let is_defined = within.iter().all(|(_, range)| range.is_defined());
        // Entries that are 0 are constants: 0 times an unbounded range would be the whole line.
        let entry = |(v, range): &(Variable, Enclosure)| match range.is_point() && range.contains(&Rational::new()) {
            true => Graph::integer(0),
            false => Graph::variable(*v),
        };
        let entries: Vec<Graph> = within.iter().map(entry).collect();
        let matrix: Vec<Vec<Graph>> = entries.chunks(n).map(<[Graph]>::to_vec).collect();
        let found = enclose_range(&determinant(&matrix), &within, budget);
        let number = context.round_enclosure(&found);
        is_defined && found.is_defined() && !context.contains_zero(&number)
    })
}

/// The interior of a box, as a context of [facts](crate::pieces::facts).
pub struct BoxInterior<'a> {
    /// The box.
    pub within: BoxContext<'a>,
    /// The variable in which maps may be monotone.
    pub along: Variable,
    /// Normal forms of maps.
    pub forms: RationalNormalForm,
}

impl FactContext for BoxInterior<'_> {
    fn facts_of_variable(&self, v: Variable) -> MapFacts {
        self.within.facts_of_variable(v)
    }

    /// Returns the sign of a map `a·x + b` of one variable, if its root does not lie in the interior.
    fn known_signs(&mut self, node: &Graph, facts: &MapFacts) -> SignSet {
        if facts.signs.only_sign().is_some() {
            return SignSet::ANY;
        }
        // in several variables the zeros are no single point
        let mut own = self.within.hull.iter().filter(|(v, _)| node.depends_on(*v));
        let (Some((v, hull)), None) = (own.next(), own.next()) else { return SignSet::ANY };
        let coefficients = self.forms.as_polynomial(node, *v).and_then(|all| <[Rational; 2]>::try_from(all).ok());
        let Some([b, a]) = coefficients.filter(|[_, a]| *a != 0) else { return SignSet::ANY };
        // An end at the root is allowed, since ends are left out.
        let root = -b / &a;
        let side = match () {
            () if *hull.lo() >= root => SignSet::POSITIVE,
            () if *hull.hi() <= root => SignSet::NEGATIVE,
            () => return SignSet::ANY,
        };
        side.multiply_signs(SignSet::of_sign(a.cmp0()))
    }

    fn enclose_node(&self, node: &Graph) -> Enclosure {
        self.within.enclose_node(node)
    }

    fn course_variable(&self) -> Option<Variable> {
        Some(self.along)
    }
}
