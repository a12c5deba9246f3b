//! Contributions of paths to sums, as enclosures: products of integrals over groups of draws.
//!
//! # Finite means of absolute values
//!
//! Proofs that the absolute value of a product of maps has an integral over a path.
//!
//! A mean exists only if `E |f| < ∞`. Iterated integrals may have values without that. For x on [0, 1] and y on [-x, x]
//! the inner integral of y/x² is 0 for each x, but `E |y/x²| = ∫ 1/(2x) dx = ∞`. In another order of integration the
//! same density gives another number, or none.
//!
//! | proof | reason |
//! |---|---|
//! | no factor changes its sign | Tonelli's theorem: the integral of f, if it is found, is that of \|f\| up to its sign |
//! | a bound by moments | `bound`, for maps that are bounded by polynomials |
//! | the integral of a majorant of \|f\| | sums and products of absolute values |
//! | the integral of \|f\| | the engine of integrals |
//!
//! If a derivative in the parameter is wanted, the proof must hold for all parameters nearby.
//!
//! # Derivatives in the parameter as means
//!
//! `d/dt E F = E (∂F + F·∂ log p)`, and similarly for higher orders.
//!
//! Differentiation under the integral is valid if no boundary moves, and if the next derivative of F·p, divided by p,
//! has a bound with a finite mean near the parameter; `bound` decides that. So draws that are integrated over boxes
//! have derivatives.

use super::cells::DecompositionError;
use super::cubature::{BoxIntegral, negligible_probability};
use super::draws::{ExecutionPath, Parameter};
use super::eliminate::{linear_substitution, logarithmic_substitution};
use super::hooks::MeasureHooks;
use super::integral::{MOST_COORDINATES, PathIntegral, differentiate_at, scale_by_power};
use super::majorant::max_abs_of;
use super::polytope::integrate_exactly;
use super::range::{PRECISION_BITS, enclose_rational};
use super::{hooks, moment};
use crate::function::Function;
use crate::measure::draws::Draw;
use crate::measure::moment::bound_contribution;
use crate::measure::range::{PathSigns, enclose_range};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::real::RefinableReal;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::map::DynMap;
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::program::CompiledMap;
use crate::smooth::question::GraphEvaluation;
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use crate::value::SourceId;
use std::sync::OnceLock;
use std::time::Duration;

/// A product of maps of the draws, to integrate over a path.
#[derive(Clone, Debug, Default)]
pub struct PathFactors {
    /// Maps that are nonnegative up to a set of probability 0.
    pub weights: Vec<Graph>,
    /// Maps of any sign.
    pub values: Vec<Graph>,
}

/// A derivative in the parameter of the integral of a product of maps over a path.
#[derive(Debug)]
pub struct PathContribution {
    /// The replaceable rules.
    hooks: &'static dyn MeasureHooks,
    /// The path after linear substitutions.
    path: ExecutionPath,
    /// The weights, followed by the values.
    factors: Vec<Graph>,
    /// The number of weights.
    weight_count: usize,
    /// `true` if the absolute value of the product is shown to have an integral. Unset if that was not examined to the
    /// end.
    absolutely_integrable: OnceLock<bool>,
    /// The parameter.
    parameter: Option<Parameter>,
    /// The order of the derivative.
    order: u32,
    /// The integrals, or the reason why there are none. `Ok(None)` if no draws satisfy the guards.
    source: Result<Option<IntegralSource>, DecompositionError>,
    /// The contribution as the mean of another map, by differentiation under the integral; `None` if this is not justified.
    under_integral: Option<Box<Self>>,
    /// The contribution itself, if it is the integral of a polynomial over a polytope.
    exact: Option<Rational>,
}

/// The integrals whose product is the contribution.
#[derive(Debug)]
struct IntegralSource {
    /// The product of the integrals over cells, of groups without boxes.
    map: Option<RefinableReal<GraphEvaluation>>,
    /// The groups with their integrals.
    leaf: PathIntegral,
}

/// The width, as a power of two, below which iterated integrals are tried before boxes: if all cells are bounded, …
const FINE_WIDTH_BOUNDED: u32 = 8;
/// …and if a cell is unbounded. A choice: boxes at a boundary converge slowly, integrals along an unbounded axis too.
const FINE_WIDTH_UNBOUNDED: u32 = 17;
/// The time and the work units of a bound by moments after the budget is exhausted. A choice.
const MOMENT_BOUND_TIME: Duration = Duration::from_millis(20);
const MOMENT_BOUND_WORK: u64 = 1_000_000;
/// The width, as a power of two, to enclose factors to before their accuracies are chosen. A choice.
const COARSE_WIDTH: u32 = 10;

/// The greatest number of characters of a map in a message.
const MAX_MESSAGE_MAP: usize = 160;

/// Formats the message that the absolute value of a product of maps is not shown to have an integral over a path.
#[must_use]
pub fn divergence_message(path: &ExecutionPath, parameter: Option<&Parameter>, factors: &[Graph]) -> String {
    let product = factors.iter().product::<Graph>();
    let all = path.coordinates().map(|x| x.variable).chain(parameter.map(|p| p.variable));
    let own: Vec<Variable> = all.filter(|v| product.depends_on(*v)).collect();
    let map = DynMap::of_graphs(&own, &[product]).map(|map| map.to_string());
    let map =
        map.ok().filter(|map| map.len() <= MAX_MESSAGE_MAP).map_or_else(|| "it".to_owned(), |map| format!("`{map}`"));
    format!(
        "the integral of the absolute value of {map} over the draws is not shown to be finite; without it there is no mean"
    )
}

impl PathContribution {
    /// Prepares the contribution of a path to a derivative of order `order`.
    #[must_use]
    pub fn new(
        path: &ExecutionPath,
        factors: PathFactors,
        parameter: Option<&Parameter>,
        order: u32,
        budget: &Budget,
    ) -> Self {
        let PathFactors { weights, values } = factors;
        let (weight_count, factors) = (weights.len(), [weights, values].concat());
        // for a lower derivative than the question's, the parameter needs no more than that order
        let parameter = parameter.map(|p| Parameter { order, ..p.clone() });
        let parameter = parameter.as_ref();
        let exact = integrate_exactly(path, &factors).filter(|_| parameter.is_none());
        // a mean that the moments of the draws bound exists, also where those of their logarithms do not tell
        let in_logarithms = logarithmic_substitution(path, &factors);
        let is_bounded = in_logarithms.is_some() && bound_contribution(path, &factors, parameter, 0, budget).is_some();
        let (path, factors) = in_logarithms.unwrap_or_else(|| (path.clone(), factors));
        let (path, factors) = linear_substitution(&path, &factors);
        let source = match budget.is_exhausted() {
            // the number is known: the integral needs no other form
            _ if exact.is_some() => Ok(None),
            true => Err(DecompositionError::BudgetExhausted),
            false => PathIntegral::of_product(&path, &factors, parameter, budget).map(|leaf| {
                leaf.map(|leaf| {
                    let map = differentiate_at(&leaf.to_graph(false, true, parameter, budget), parameter, order)
                        .to_real()
                        .ok();
                    IntegralSource { map, leaf }
                })
            }),
        };
        // the second way is prepared only where the first is hard or missing
        let is_hard = match &source {
            Ok(source) => source.as_ref().is_some_and(|source| source.leaf.is_hard_to_differentiate()),
            Err(obstacle) => *obstacle != DecompositionError::BudgetExhausted,
        };
        let under_integral = parameter.filter(|_| order > 0 && is_hard).and_then(|parameter| {
            let map = differentiate_under_integral(&path, &factors, parameter, order, budget)?;
            let factors = PathFactors { values: vec![map], ..PathFactors::default() };
            let under = Self::new(&path, factors, Some(&Parameter { order: 0, ..parameter.clone() }), 0, budget);
            // the existence of the mean is part of the proof of the bound
            Some(Box::new(Self { absolutely_integrable: OnceLock::from(true), ..under }))
        });
        let absolutely_integrable = if is_bounded { OnceLock::from(true) } else { OnceLock::new() };
        Self {
            hooks: &hooks::DefaultMeasureHooks,
            path,
            factors,
            weight_count,
            absolutely_integrable,
            parameter: parameter.cloned(),
            order,
            source,
            under_integral,
            exact,
        }
    }

    /// Replaces the rules, for mutation testing.
    #[must_use]
    pub fn under_integral(self, hooks: &'static dyn MeasureHooks) -> Self {
        Self { hooks, under_integral: self.under_integral.map(|under| Box::new(under.under_integral(hooks))), ..self }
    }

    /// Returns the reason why there are no integrals. Returns `None` if there are any.
    #[must_use]
    pub fn missing_reason(&self) -> Option<&DecompositionError> {
        self.source.as_ref().err().filter(|_| self.under_integral.is_none())
    }

    /// Returns `true` if the absolute value of the product is shown to have an integral, so that the order of
    /// integration does not matter.
    fn is_absolute(&self, source: &IntegralSource, budget: &Budget) -> bool {
        if !self.hooks.needs_absolute_integrals() {
            return true;
        }
        if let Some(found) = self.absolutely_integrable.get() {
            return *found;
        }
        let integrand = AbsoluteIntegrand {
            path: &self.path,
            factors: &self.factors,
            parameter: self.parameter.as_ref(),
            in_boxes: !source.leaf.has_cells(),
        };
        let found = is_absolutely_integrable(integrand, self.weight_count, budget);
        // a failure for lack of time is not final
        if found || !budget.is_exhausted() {
            let _ = self.absolutely_integrable.set(found);
        }
        found
    }

    /// Returns `true` if absolute integrability was examined and not shown.
    #[must_use]
    pub fn may_diverge(&self) -> bool {
        self.absolutely_integrable.get() == Some(&false)
    }

    /// Returns `true` if more draws depend on each other than are integrated along axes.
    #[must_use]
    pub fn has_many_coordinates(&self) -> bool {
        let source = self.source.as_ref().ok().and_then(Option::as_ref);
        source.is_some_and(|source| source.leaf.box_integrals().any(|boxes| boxes.dimension() > MOST_COORDINATES))
    }

    /// Encloses the contribution to a width, or as far as the budget goes. Returns ⊥ if nothing is known.
    #[must_use]
    pub fn enclose(&self, eps: &Rational, budget: &Budget) -> Enclosure {
        if let Some(exact) = &self.exact {
            return enclose_rational(exact);
        }
        // half of the time for each of the two ways
        let half = budget.remaining_time().map(|left| left / 2);
        let under = self.under_integral.as_ref().map(|under| under.enclose(eps, &budget.for_part(u64::MAX, half)));
        let under = under.filter(Enclosure::is_defined);
        if let Some(found) = under.as_ref().filter(|found| found.has_width_at_most(eps)) {
            return found.clone();
        }
        let found = match &self.source {
            Ok(None) => return enclose_rational(&Rational::new()),
            Ok(Some(source)) if self.is_absolute(source, budget) => self.enclose_scaled(source, eps, budget),
            Ok(Some(_)) | Err(_) => None,
        };
        let found = found.filter(Enclosure::is_defined);
        // both are enclosures of the same number
        let found = match (found, under) {
            (Some(a), Some(b)) => a.intersection(&b),
            (a, b) => a.or(b),
        };
        match found {
            // a bound of the absolute value is the last resort, and cuts a wide enclosure
            Some(found) if found.has_width_at_most(eps) => found,
            found => match self.enclose_by_moments(budget) {
                Some(most) => found.and_then(|found| found.intersection(&most)).unwrap_or(most),
                None => found.unwrap_or_else(Enclosure::bottom),
            },
        }
    }

    /// Encloses the contribution by integrals scaled to the size of 1, multiplied by a power of two.
    fn enclose_scaled(&self, source: &IntegralSource, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let shift = i32::try_from(source.leaf.scale_shift()).ok()?;
        if shift == 0 {
            return self.enclose_by_either(source, eps, budget);
        }
        let found = self.enclose_by_either(source, &scale_by_power(eps.clone(), -i64::from(shift)), budget)?;
        let [lo, hi] = [found.lo(), found.hi()].map(|end| end.clone() << shift);
        // multiplication by a power of two is exact
        Enclosure::new(lo, hi, found.is_defined()).ok()
    }

    /// Encloses the contribution by a bound of its absolute value. Returns `None` if there is none.
    fn enclose_by_moments(&self, budget: &Budget) -> Option<Enclosure> {
        // the last resort gets a moment even after the budget is exhausted
        let moment = budget.for_part(MOMENT_BOUND_WORK, Some(MOMENT_BOUND_TIME));
        let budget = if budget.is_exhausted() { &moment } else { budget };
        let most = moment::bound_contribution(&self.path, &self.factors, self.parameter.as_ref(), self.order, budget)?
            .to_rational()?;
        Some(enclose_rational(&Rational::from(-&most)).hull(&enclose_rational(&most)))
    }

    /// Encloses the contribution by boxes or along axes.
    ///
    /// Axes come first if one draw remains in each group, or if the width is small and there are boundaries. Otherwise
    /// boxes come first.
    fn enclose_by_either(&self, source: &IntegralSource, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let fine = if source.leaf.has_bounded_cells() { FINE_WIDTH_BOUNDED } else { FINE_WIDTH_UNBOUNDED };
        let is_fine = *eps < Rational::from(1) >> fine && source.leaf.box_integrals().any(BoxIntegral::has_borders);
        let may_be_boxes = source.leaf.box_integrals().next().is_some();
        if source.leaf.has_cells() && may_be_boxes && (is_fine || source.leaf.is_nearly_closed()) {
            // a third of the time, as boxes may still be needed
            let time = budget.remaining_time().map(|left| left / 3);
            let found = self.integrate_along_axes(source, eps, &budget.for_part(u64::MAX, time));
            let found = found.filter(Enclosure::is_defined);
            if found.as_ref().is_some_and(|found| found.has_width_at_most(eps)) {
                return found;
            }
            let other = self.enclose_product(source, eps, budget).filter(Enclosure::is_defined);
            return match (found, other) {
                (Some(a), Some(b)) => a.intersection(&b),
                (a, b) => a.or(b),
            };
        }
        self.enclose_product(source, eps, budget).or_else(|| self.integrate_along_axes(source, eps, budget))
    }

    /// Encloses the contribution by iterated integrals. Returns `None` if a group has no cells.
    fn integrate_along_axes(&self, source: &IntegralSource, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        if !source.leaf.has_cells() {
            return None;
        }
        let first = self.closed_form_share(source, budget);
        self.improve_without_closed(
            source,
            self.enclose_along_axes(source, true, eps, first.as_ref().unwrap_or(budget)),
            eps,
            budget,
        )
    }

    /// Returns `true` if integrals may replace closed forms: there are closed forms, and no boxes as a second way.
    fn may_ask_again(source: &IntegralSource) -> bool {
        source.leaf.has_closed_forms() && source.leaf.box_integrals().next().is_none()
    }

    /// Encloses the iterated integral, with or without closed forms.
    fn enclose_along_axes(
        &self,
        source: &IntegralSource,
        closed: bool,
        eps: &Rational,
        budget: &Budget,
    ) -> Option<Enclosure> {
        let map = source.leaf.to_graph(true, closed, self.parameter.as_ref(), budget);
        let map = differentiate_at(&map, self.parameter.as_ref(), self.order).to_real().ok()?;
        map.enclose(eps, budget).ok().map(|found| found.enclosure)
    }

    /// Returns the part of the budget for closed forms. Returns `None` if there is no second way.
    fn closed_form_share(&self, source: &IntegralSource, budget: &Budget) -> Option<Budget> {
        let half = budget.remaining_time().map(|left| left / 2);
        Self::may_ask_again(source).then(|| budget.for_part(u64::MAX, half))
    }

    /// Improves an enclosure from closed forms by integrals without them, if it is too wide.
    fn improve_without_closed(
        &self,
        source: &IntegralSource,
        found: Option<Enclosure>,
        eps: &Rational,
        budget: &Budget,
    ) -> Option<Enclosure> {
        let found = found.filter(Enclosure::is_defined);
        if found.as_ref().is_some_and(|found| found.has_width_at_most(eps)) || !Self::may_ask_again(source) {
            return found;
        }
        let other = self.enclose_along_axes(source, false, eps, budget).filter(Enclosure::is_defined);
        match (found, other) {
            (Some(a), Some(b)) => a.intersection(&b),
            (a, b) => a.or(b),
        }
    }

    /// Encloses the product of the integrals over cells and over boxes.
    fn enclose_product(&self, source: &IntegralSource, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let map = source.map.as_ref()?;
        let asked = |eps: &Rational| map.enclose(eps, budget).ok().map(|found| found.enclosure);
        let boxes: Vec<&BoxIntegral> = source.leaf.box_integrals().collect();
        // without boxes one map holds the whole product
        if boxes.is_empty() {
            let first = self.closed_form_share(source, budget);
            let first = first.as_ref().unwrap_or(budget);
            let found = map.enclose(eps, first).ok().map(|found| found.enclosure);
            return self.improve_without_closed(source, found, eps, budget);
        }
        let context = Mpfr::new(PRECISION_BITS);
        // a quarter for the draws outside of the boxes, and the rest for the factors
        let part = Rational::from(eps / 4);
        let is_bounded = boxes.iter().all(|boxes| boxes.is_bounded());
        let most = match is_bounded {
            true => Rational::from(1),
            false => negligible_probability(&self.path, &self.factors, self.parameter.as_ref(), &part, budget)?,
        };
        let own = most / boxes.len() as u32;
        let ends = boxes.iter().map(|boxes| boxes.find_box(&own, &self.path, self.parameter.as_ref(), budget));
        let ends = ends.collect::<Option<Vec<_>>>()?;
        // coarse enclosures first: the size of the other factors decides how accurate one must be
        let coarse = Rational::from(1) >> COARSE_WIDTH;
        let first = if part < coarse { &coarse } else { &part };
        let mut found: Vec<Enclosure> = vec![asked(first)?];
        // a factor 0 makes the others irrelevant, if they are bounded
        let is_nothing = found[0].is_defined() && *found[0].lo() == 0 && *found[0].hi() == 0;
        let first = if is_nothing { &Rational::from(1) } else { first };
        found.extend(boxes.iter().zip(&ends).map(|(boxes, ends)| boxes.enclose_over(self.hooks, ends, first, budget)));
        let sizes: Vec<Magnitude> = found.iter().map(max_abs_of).collect();
        for index in 0..found.len() {
            let others = sizes.iter().enumerate().filter(|(other, _)| *other != index);
            // the error of a factor is multiplied by the size of all others
            let scale = others.fold(Magnitude::ONE, |product, (_, size)| product * *size).to_rational()?;
            let wanted = match scale == 0 {
                true => continue,
                false => &part / scale / found.len() as u32,
            };
            if found[index].has_width_at_most(&wanted) {
                continue;
            }
            found[index] = match index.checked_sub(1) {
                None => asked(&wanted)?,
                Some(own) => {
                    boxes[own].enclose_over(self.hooks, &ends[own], &wanted, budget).intersection(&found[index])?
                }
            };
        }
        let product = found
            .iter()
            .fold(context.enclose_integer(1), |product, e| context.mul(&product, &context.round_enclosure(e)));
        let product = match is_bounded {
            true => product,
            false => {
                let tail =
                    context.hull(&context.enclose_rational(&Rational::from(-&part)), &context.enclose_rational(&part));
                context.add(&product, &tail)
            }
        };
        context.is_defined(&product).then(|| context.to_enclosure(&product))
    }
}

/// The width to which an integral is enclosed that only has to be finite. A choice.
const FINITENESS_WIDTH: u32 = 1 << 20;
/// The greatest number of absolute values to split by sign. A choice: each doubles the number of integrals.
const MAX_SPLITS: u32 = 4;
/// The fraction of the remaining time for each majorant, as a reciprocal. A choice: a failed proof must leave time.
const TIME_FRACTION: u32 = 8;

/// Returns the sign of a map on a path: `Some(true)` for nonnegative and `Some(false)` for nonpositive, up to a set of
/// probability 0. Returns `None` if neither is shown.
fn sign_on_path(signs: &mut PathSigns<'_>, graph: &Graph) -> Option<bool> {
    if signs.by_form(graph, SignTest::NonNegative) == Some(true) {
        return Some(true);
    }
    (signs.by_form(&(-graph), SignTest::NonNegative) == Some(true)).then_some(false)
}

/// Writes |f| as f or -f if f has a sign, and as the product of absolute values for products, so that kinks lie where a
/// factor is 0.
fn write_absolute(signs: &mut PathSigns<'_>, graph: &Graph) -> Graph {
    match sign_on_path(signs, graph) {
        Some(true) => return graph.clone(),
        Some(false) => return -graph,
        None => {}
    }
    let mut of = |graph: &Graph| with_stack(|| write_absolute(signs, graph));
    match graph.operation() {
        NodeOperation::Unary(Unary::Negate | Unary::Abs, a) => of(a),
        NodeOperation::Binary(Binary::Multiply, a, b) => of(a) * of(b),
        NodeOperation::Binary(Binary::Divide, a, b) => of(a) / of(b),
        NodeOperation::Power(a, exponent) => of(a).pow(&Rational::from((exponent.numerator, exponent.denominator))),
        _ => graph.abs(),
    }
}

/// Returns a majorant of |log u|: `(uˢ + u⁻ˢ)/(s·e)`, since `log u ≤ uˢ/(s·e)`, with equality where uˢ = e. Here s is
/// 1/64, and 24 > 64/e.
fn log_majorant(u: &Graph) -> Graph {
    let [up, down] = [1, -1].map(|sign| u.pow(&Rational::from((sign, 64))));
    24 * (&up + &down)
}

/// Returns a majorant of |f|: sums and products of majorants of the parts, or a number if f is bounded.
///
/// A divisor keeps its absolute value, since a majorant of |b| gives no majorant of 1/|b|.
fn majorant_of(signs: &mut PathSigns<'_>, graph: &Graph) -> Graph {
    match sign_on_path(signs, graph) {
        Some(true) => return graph.clone(),
        Some(false) => return -graph,
        None => {}
    }
    let mut of = |graph: &Graph| with_stack(|| majorant_of(signs, graph));
    match graph.operation() {
        NodeOperation::Unary(Unary::Negate | Unary::Abs, a) => of(a),
        NodeOperation::Binary(Binary::Add | Binary::Subtract | Binary::Maximum | Binary::Minimum, a, b) => {
            of(a) + of(b)
        }
        NodeOperation::Binary(Binary::Multiply, a, b) => of(a) * of(b),
        NodeOperation::Binary(Binary::Divide, a, b) => {
            let above = of(a);
            &above / write_absolute(signs, b)
        }
        NodeOperation::Power(a, exponent) => {
            // a positive power is monotone, a negative one reverses the inequality
            let base = if exponent.numerator > 0 { of(a) } else { write_absolute(signs, a) };
            base.pow(&Rational::from((exponent.numerator, exponent.denominator)))
        }
        NodeOperation::Unary(Unary::Function(Function::Log), u) => log_majorant(u),
        _ => match signs.max_abs(graph).to_rational() {
            Some(bound) => Graph::rational(bound),
            None => graph.abs(),
        },
    }
}

/// A product of maps and its domain of integration.
#[derive(Clone, Copy, Debug)]
struct AbsoluteIntegrand<'a> {
    /// The path.
    pub path: &'a ExecutionPath,
    /// The factors.
    pub factors: &'a [Graph],
    /// The parameter, if there is one.
    pub parameter: Option<&'a Parameter>,
    /// `true` if groups of draws without cells are integrated over boxes, on which everything is bounded.
    pub in_boxes: bool,
}

/// Returns `true` if `E |f| < ∞` is shown, for all parameters nearby if a derivative is wanted. The first
/// `of_nonnegative` factors are nonnegative.
fn is_absolutely_integrable(integrand: AbsoluteIntegrand<'_>, not_negative: usize, budget: &Budget) -> bool {
    let AbsoluteIntegrand { path, factors, parameter, .. } = integrand;
    let (weights, values) = factors.split_at(not_negative);
    // a factor without draws has one sign, and sums over numbers of trials converge absolutely
    let varies = |value: &Graph| path.coordinates().any(|x| value.depends_on(x.variable));
    if !values.iter().any(varies) || bound_contribution(path, factors, parameter, 0, budget).is_some() {
        return true;
    }
    let within = path.coordinate_ranges(parameter);
    let mut forms = RationalNormalForm::default();
    let mut signs = PathSigns::new(path, &within, &mut forms, budget).with_decisions(&path.decisions);
    if values
        .iter()
        .all(|value| sign_on_path(&mut signs, value).is_some() || has_one_sign(value, path, parameter, budget))
    {
        return true;
    }
    // the majorant first: it often has a simpler integral
    let ways: [fn(&mut PathSigns<'_>, &Graph) -> Graph; 2] = [majorant_of, write_absolute];
    let ways = ways.map(|way| {
        let values = values.iter().map(|value| way(&mut signs, value));
        weights.iter().cloned().chain(values).collect::<Vec<Graph>>()
    });
    ways.iter().any(|factors| {
        let part = budget.for_part(u64::MAX, budget.remaining_time().map(|left| left / TIME_FRACTION));
        has_finite_integral(AbsoluteIntegrand { factors, ..integrand }, MAX_SPLITS, &part) == Some(true)
    })
}

/// Returns `true` if a map is shown to have one sign on the cells of a path.
fn has_one_sign(graph: &Graph, path: &ExecutionPath, parameter: Option<&Parameter>, budget: &Budget) -> bool {
    let Ok(Some(leaf)) = PathIntegral::of_guards(path, parameter, budget) else { return false };
    let is_not_negative =
        |graph: &Graph| leaf.test_fails(graph, SignTest::NonNegative, path, parameter, budget) == Some(false);
    is_not_negative(graph) || is_not_negative(&(-graph))
}

/// Returns the argument of an absolute value in some maps, if it depends on draws and contains no bound variables.
/// Returns `None` otherwise.
fn absolute_argument(path: &ExecutionPath, factors: &[Graph], parameter: Option<&Parameter>) -> Option<Graph> {
    let all: Vec<Variable> =
        path.coordinates().map(|x| x.variable).chain(parameter.map(|parameter| parameter.variable)).collect();
    let of = |graph: &Graph| match graph.operation() {
        NodeOperation::Unary(Unary::Abs, a)
            if path.coordinates().any(|x| a.depends_on(x.variable))
                // variables bound inside of an integral have no sign on the path
                && CompiledMap::unbound_variables(&all, std::slice::from_ref(a)).is_empty() =>
        {
            Some(a.clone())
        }
        _ => None,
    };
    Graph::all_nodes(factors).into_iter().find_map(of)
}

/// Replaces the absolute values of a map by another map.
fn without_absolute_value(factors: &[Graph], inside: &Graph, by: &Graph) -> Vec<Graph> {
    let mut substitution = Substitution::new(&[]);
    for graph in Graph::all_nodes(factors) {
        if let NodeOperation::Unary(Unary::Abs, a) = graph.operation()
            && a.address() == inside.address()
        {
            substitution.replace_node(graph, by.clone());
        }
    }
    factors.iter().map(|factor| substitution.apply(factor)).collect()
}

/// Decides whether the integral of a product of nonnegative factors is finite. Returns `None` if the path has no cells.
///
/// The path is split where arguments of absolute values are 0, so that the sides have no kinks.
fn has_finite_integral(integrand: AbsoluteIntegrand<'_>, splits: u32, budget: &Budget) -> Option<bool> {
    let AbsoluteIntegrand { path, factors, parameter, .. } = integrand;
    if let Some(left) = splits.checked_sub(1)
        && let Some(inside) = absolute_argument(path, factors, parameter)
    {
        let on_side = |holds: bool| {
            let guard = SignGuard::new(&inside, SignTest::Positive, SourceId::NOWHERE);
            let mut side = path.clone();
            side.decisions.push(GuardCondition { guard, holds, is_condition: false });
            let own = if holds { inside.clone() } else { -&inside };
            let factors = without_absolute_value(factors, &inside, &own);
            has_finite_integral(AbsoluteIntegrand { path: &side, factors: &factors, ..integrand }, left, budget)
        };
        match on_side(true) {
            // both sides must be finite; a side without cells leaves the path unsplit
            Some(true) => match on_side(false) {
                None => {}
                found => return found,
            },
            Some(false) => return Some(false),
            None => {}
        }
    }
    has_finite_integral_unsplit(integrand, budget)
}

/// Like [`has_finite_integral`], but without splitting the path.
fn has_finite_integral_unsplit(
    AbsoluteIntegrand { path, factors, parameter, in_boxes }: AbsoluteIntegrand<'_>,
    budget: &Budget,
) -> Option<bool> {
    let leaf = match PathIntegral::of_nonnegative(path, factors, parameter, budget) {
        Ok(Some(leaf)) if leaf.has_cells() || in_boxes => leaf,
        // no draws: the integral is 0
        Ok(None) => return Some(true),
        Ok(Some(_)) | Err(_) => return None,
    };
    let is_bounded = |found: &Enclosure| found.is_defined() && found.is_bounded();
    // the closed form may be hard to enclose where the integral itself is not
    let ways: &[bool] = if leaf.has_closed_forms() { &[true, false] } else { &[false] };
    let found = ways.iter().any(|closed| {
        let map = leaf.to_graph(leaf.has_cells(), *closed, parameter, budget);
        let within: Vec<_> = parameter.map(|p| (p.variable, p.enclose_nearby())).into_iter().collect();
        if is_bounded(&enclose_range(&map, &within, budget)) {
            return true;
        }
        // a derivative requires the integral to exist on both sides of the parameter
        let order = u32::from(parameter.is_some_and(|p| p.order > 0));
        let map = differentiate_at(&map, parameter, order).to_real();
        map.ok()
            .and_then(|map| map.enclose(&Rational::from(FINITENESS_WIDTH), budget).ok())
            .is_some_and(|found| is_bounded(&found.enclosure))
    });
    Some(found)
}

/// Returns the map whose mean is the derivative. Returns `None` if differentiation under the integral is not justified.
fn differentiate_under_integral(
    path: &ExecutionPath,
    factors: &[Graph],
    parameter: &Parameter,
    order: u32,
    budget: &Budget,
) -> Option<Graph> {
    // a finite bound is the proof; its value is not needed
    bound_contribution(path, factors, Some(parameter), order, budget)?;
    let v = parameter.variable;
    let mut score = Graph::integer(0);
    for draw in &path.draws {
        let own = match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) if !chance.depends_on(v) => continue,
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => chance.slope(v) / chance,
            Draw::Real(_) | Draw::Tail(..) => {
                let (x, distribution) = draw.coordinate()?;
                distribution.score(&Graph::variable(x), v)
            }
        };
        score = &score + &own;
    }
    let product = factors.iter().product::<Graph>();
    let next = |f: Graph, _| f.slope(v) + &f * &score;
    Some((0..order).fold(product, next))
}
