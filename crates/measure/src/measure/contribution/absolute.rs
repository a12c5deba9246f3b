//! Proofs that the absolute value of a product of maps has an integral over a path.
//!
//! A mean exists only if `E |f| < ∞`. Iterated integrals may have values without that. For x on [0, 1] and y on [-x, x]
//! the inner integral of y/x² is 0 for each x, but `E |y/x²| = ∫ 1/(2x) dx = ∞`. In another order of integration the
//! same density gives another number, or none.
//!
//! | proof | reason |
//! |---|---|
//! | no factor changes its sign | Tonelli's theorem: the integral of f, if it is found, is that of \|f\| up to its sign |
//! | a bound by moments | [`bound`], for maps that are bounded by polynomials |
//! | the integral of a majorant of \|f\| | sums and products of absolute values |
//! | the integral of \|f\| | the engine of integrals |
//!
//! If a derivative in the parameter is wanted, the proof must hold for all parameters nearby.

use crate::function::Function;
use crate::measure::distribution::{add, divide, multiply, negate, power};
use crate::measure::draws::{ExecutionPath, Parameter};
use crate::measure::integral::{PathIntegral, differentiate_at};
use crate::measure::moment::bound_contribution;
use crate::measure::range::enclose_range;
use crate::measure::sign::PathSigns;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::RationalNormalForm;
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::program::CompiledMap;
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use crate::value::SourceId;

/// The width to which an integral is enclosed that only has to be finite. A choice.
const FINITENESS_WIDTH: u32 = 1 << 20;
/// The greatest number of absolute values to split by sign. A choice: each doubles the number of integrals.
const MAX_SPLITS: u32 = 4;
/// The fraction of the remaining time for each majorant, as a reciprocal. A choice: a failed proof must leave time.
const TIME_FRACTION: u32 = 8;

/// Returns the sign of a map on a path: `AtMost(true)` for nonnegative and `AtMost(false)` for nonpositive, up to a set of
/// probability 0. Returns `None` if neither is shown.
fn sign_on_path(signs: &mut PathSigns<'_>, graph: &Graph) -> Option<bool> {
    if signs.by_form(graph, SignTest::NonNegative) == Some(true) {
        return Some(true);
    }
    (signs.by_form(&negate(graph), SignTest::NonNegative) == Some(true)).then_some(false)
}

/// Writes |f| as f or -f if f has a sign, and as the product of absolute values for products, so that kinks lie where a
/// factor is 0.
fn write_absolute(signs: &mut PathSigns<'_>, graph: &Graph) -> Graph {
    match sign_on_path(signs, graph) {
        Some(true) => return graph.clone(),
        Some(false) => return negate(graph),
        None => {}
    }
    let mut of = |graph: &Graph| with_stack(|| write_absolute(signs, graph));
    match graph.operation() {
        NodeOperation::Unary(Unary::Negate | Unary::Abs, a) => of(a),
        NodeOperation::Binary(Binary::Multiply, a, b) => multiply(&of(a), &of(b)),
        NodeOperation::Binary(Binary::Divide, a, b) => divide(&of(a), &of(b)),
        NodeOperation::Power(a, exponent) => power(&of(a), &Rational::from((exponent.numerator, exponent.denominator))),
        _ => Graph::unary(Unary::Abs, graph),
    }
}

/// Returns a majorant of |log u|: `(uˢ + u⁻ˢ)/(s·e)`, since `log u ≤ uˢ/(s·e)`, with equality where uˢ = e. Here s is
/// 1/64, and 24 > 64/e.
fn log_majorant(u: &Graph) -> Graph {
    let [up, down] = [1, -1].map(|sign| power(u, &Rational::from((sign, 64))));
    multiply(&Graph::integer(24), &add(&up, &down))
}

/// Returns a majorant of |f|: sums and products of majorants of the parts, or a number if f is bounded.
///
/// A divisor keeps its absolute value, since a majorant of |b| gives no majorant of 1/|b|.
fn majorant_of(signs: &mut PathSigns<'_>, graph: &Graph) -> Graph {
    match sign_on_path(signs, graph) {
        Some(true) => return graph.clone(),
        Some(false) => return negate(graph),
        None => {}
    }
    let mut of = |graph: &Graph| with_stack(|| majorant_of(signs, graph));
    match graph.operation() {
        NodeOperation::Unary(Unary::Negate | Unary::Abs, a) => of(a),
        NodeOperation::Binary(Binary::Add | Binary::Subtract | Binary::Maximum | Binary::Minimum, a, b) => {
            add(&of(a), &of(b))
        }
        NodeOperation::Binary(Binary::Multiply, a, b) => multiply(&of(a), &of(b)),
        NodeOperation::Binary(Binary::Divide, a, b) => {
            let above = of(a);
            divide(&above, &write_absolute(signs, b))
        }
        NodeOperation::Power(a, exponent) => {
            // a positive power is monotone, a negative one reverses the inequality
            let base = if exponent.numerator > 0 { of(a) } else { write_absolute(signs, a) };
            power(&base, &Rational::from((exponent.numerator, exponent.denominator)))
        }
        NodeOperation::Unary(Unary::Function(Function::Log), u) => log_majorant(u),
        _ => match signs.max_abs(graph).to_rational() {
            Some(bound) => Graph::rational(bound),
            None => Graph::unary(Unary::Abs, graph),
        },
    }
}

/// A product of maps and its domain of integration.
#[derive(Clone, Copy, Debug)]
pub struct AbsoluteIntegrand<'a> {
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
pub fn is_absolutely_integrable(integrand: AbsoluteIntegrand<'_>, not_negative: usize, budget: &Budget) -> bool {
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
    is_not_negative(graph) || is_not_negative(&negate(graph))
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
            let own = if holds { inside.clone() } else { negate(&inside) };
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
