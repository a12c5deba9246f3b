//! Whether the absolute value of what is integrated has an integral over a path.
//!
//! A mean exists only where `E |f| < ∞`. Integrals one after the other may have values where it does not: for x on [0, 1] and y on [-x, x] the inner
//! integral of y/x² is 0 for each x, and `E |y/x²| = ∫ 1/(2x) dx = ∞`; drawn in another order the same density gives another number, or none.
//!
//! | what shows it | by |
//! |---|---|
//! | no factor changes its sign | Tonelli's theorem: the integral of f itself, if it is found, is that of \|f\|, up to its sign |
//! | a bound by moments | [`bound`], which holds for bounded maps on finite masses |
//! | the integral of a map that is nowhere less than \|f\| | that of sums and products of absolute values |
//! | the integral of \|f\| | the engine of integrals |
//!
//! Where a derivative in the parameter is asked for, it has to be so for all parameters nearby.

use crate::function::Function;
use crate::measure::distribution::{add, divide, multiply, negate, power};
use crate::measure::draws::{Parameter, Path};
use crate::measure::integral::{Leaf, derived};
use crate::measure::moment::bound;
use crate::measure::range::range;
use crate::measure::sign::Signs;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::Normaliser;
use crate::pieces::{Decided, Guard, Test};
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use crate::smooth::program::Program;
use crate::smooth::substitution::Substitution;
use crate::stack::deep;
use crate::value::Site;

/// The width to which an integral is asked for of which nothing matters but that it is finite.
const WIDE: u32 = 1 << 20;
/// The most absolute values of which the signs are told apart, each on two sides.
const MOST_SPLITS: u32 = 4;
/// What part of the time that is left one way may take.
const PART_OF_TIME: u32 = 8;

/// The sign of a map on a path: `Some(true)` where it is nowhere less than 0, `Some(false)` where it is nowhere greater, but for a set of
/// chance 0; `None` where neither is shown.
fn sign(signs: &mut Signs<'_>, graph: &Graph) -> Option<bool> {
    if signs.by_form(graph, Test::NonNegative) == Some(true) {
        return Some(true);
    }
    (signs.by_form(&negate(graph), Test::NonNegative) == Some(true)).then_some(false)
}

/// |f|, with the sign of f where it has one; of products the product of absolute values, so that kinks lie where a factor is 0.
fn absolute(signs: &mut Signs<'_>, graph: &Graph) -> Graph {
    match sign(signs, graph) {
        Some(true) => return graph.clone(),
        Some(false) => return negate(graph),
        None => {}
    }
    let mut of = |graph: &Graph| deep(|| absolute(signs, graph));
    match graph.operation() {
        Operation::Unary(Unary::Negate | Unary::Abs, a) => of(a),
        Operation::Binary(Binary::Multiply, a, b) => multiply(&of(a), &of(b)),
        Operation::Binary(Binary::Divide, a, b) => divide(&of(a), &of(b)),
        Operation::Power(a, exponent) => power(&of(a), &Rational::from((exponent.numerator, exponent.denominator))),
        _ => Graph::unary(Unary::Abs, graph),
    }
}

/// A map that is nowhere less than |log u|: `(uˢ + u⁻ˢ)/(s·e)`, since `log u ≤ uˢ/(s·e)`, with equality where uˢ = e. Here s is 1/64, and 24 is greater
/// than 64/e.
fn above_logarithm(u: &Graph) -> Graph {
    let [up, down] = [1, -1].map(|sign| power(u, &Rational::from((sign, 64))));
    multiply(&Graph::integer(24), &add(&up, &down))
}

/// A map that is nowhere less than |f|: where f is a sum, the sum of such maps of its terms, and so for products; a number where f is bounded. What a
/// product is divided by keeps its absolute value, since 1/|b| is not bounded by a map that is greater than |b|.
fn majorant(signs: &mut Signs<'_>, graph: &Graph) -> Graph {
    match sign(signs, graph) {
        Some(true) => return graph.clone(),
        Some(false) => return negate(graph),
        None => {}
    }
    let mut of = |graph: &Graph| deep(|| majorant(signs, graph));
    match graph.operation() {
        Operation::Unary(Unary::Negate | Unary::Abs, a) => of(a),
        Operation::Binary(Binary::Add | Binary::Subtract | Binary::Maximum | Binary::Minimum, a, b) => {
            add(&of(a), &of(b))
        }
        Operation::Binary(Binary::Multiply, a, b) => multiply(&of(a), &of(b)),
        Operation::Binary(Binary::Divide, a, b) => {
            let above = of(a);
            divide(&above, &absolute(signs, b))
        }
        Operation::Power(a, exponent) => {
            let base = if exponent.numerator > 0 { of(a) } else { absolute(signs, a) };
            power(&base, &Rational::from((exponent.numerator, exponent.denominator)))
        }
        Operation::Unary(Unary::Function(Function::Log), u) => above_logarithm(u),
        _ => match signs.bound(graph).to_rational() {
            Some(bound) => Graph::rational(bound),
            None => Graph::unary(Unary::Abs, graph),
        },
    }
}

/// What is integrated, and where.
#[derive(Clone, Copy, Debug)]
pub struct Integrand<'a> {
    /// The path over which it is integrated.
    pub path: &'a Path,
    /// Maps, of which it is the product.
    pub factors: &'a [Graph],
    /// The parameter, if there is one.
    pub parameter: Option<&'a Parameter>,
    /// Whether groups of draws that have no cells are integrated over as boxes. On these all is bounded.
    pub in_boxes: bool,
}

/// Whether `E |f| < ∞` is shown, near the parameter where a derivative is asked for. The first `not_negative` factors are nowhere less than 0.
pub fn is_shown(integrand: Integrand<'_>, not_negative: usize, budget: &Budget) -> bool {
    let Integrand { path, factors, parameter, .. } = integrand;
    let (weights, values) = factors.split_at(not_negative);
    // what does not vary with what is integrated over has one sign, and sums over numbers of trials converge absolutely
    let varies = |value: &Graph| path.coordinates().any(|x| value.depends_on(x.variable));
    if !values.iter().any(varies) || bound(path, factors, parameter, 0, budget).is_some() {
        return true;
    }
    let within = path.within(parameter);
    let mut forms = Normaliser::default();
    let mut signs = Signs::new(path, &within, &mut forms, budget).with(&path.decided);
    if values.iter().all(|value| sign(&mut signs, value).is_some() || has_one_sign(value, path, parameter, budget)) {
        return true;
    }
    let ways: [fn(&mut Signs<'_>, &Graph) -> Graph; 2] = [majorant, absolute];
    let ways = ways.map(|way| {
        let values = values.iter().map(|value| way(&mut signs, value));
        weights.iter().cloned().chain(values).collect::<Vec<Graph>>()
    });
    ways.iter().any(|factors| {
        let part = budget.part(u64::MAX, budget.remaining().map(|left| left / PART_OF_TIME));
        is_finite(Integrand { factors, ..integrand }, MOST_SPLITS, &part) == Some(true)
    })
}

/// Whether a map has one sign on the cells of a path.
fn has_one_sign(graph: &Graph, path: &Path, parameter: Option<&Parameter>, budget: &Budget) -> bool {
    let Ok(Some(leaf)) = Leaf::shape(path, parameter, budget) else { return false };
    let is_not_negative = |graph: &Graph| leaf.fails(graph, Test::NonNegative, path, parameter, budget) == Some(false);
    is_not_negative(graph) || is_not_negative(&negate(graph))
}

/// What an absolute value in some maps is taken of, if it is a map of draws and the parameter alone.
fn inside(path: &Path, factors: &[Graph], parameter: Option<&Parameter>) -> Option<Graph> {
    let all: Vec<Variable> =
        path.coordinates().map(|x| x.variable).chain(parameter.map(|parameter| parameter.variable)).collect();
    let of = |graph: &Graph| match graph.operation() {
        Operation::Unary(Unary::Abs, a)
            if path.coordinates().any(|x| a.depends_on(x.variable))
                && Program::unbound(&all, std::slice::from_ref(a)).is_empty() =>
        {
            Some(a.clone())
        }
        _ => None,
    };
    Graph::nodes(factors).into_iter().find_map(of)
}

/// Maps with another one in the place of the absolute values of a map.
fn without_absolute_value(factors: &[Graph], inside: &Graph, by: &Graph) -> Vec<Graph> {
    let mut substitution = Substitution::new(&[]);
    for graph in Graph::nodes(factors) {
        if let Operation::Unary(Unary::Abs, a) = graph.operation()
            && a.address() == inside.address()
        {
            substitution.replace(graph, by.clone());
        }
    }
    factors.iter().map(|factor| substitution.apply(factor)).collect()
}

/// Whether the integral of a product of factors that are nowhere less than 0 is shown to be finite; `None` where it has no cells. A path is
/// split where what absolute values are taken of is 0, so that no kink lies on a side.
fn is_finite(integrand: Integrand<'_>, splits: u32, budget: &Budget) -> Option<bool> {
    let Integrand { path, factors, parameter, .. } = integrand;
    if let Some(left) = splits.checked_sub(1)
        && let Some(inside) = inside(path, factors, parameter)
    {
        let on_side = |holds: bool| {
            let guard = Guard::new(&inside, Test::Positive, Site::NOWHERE);
            let mut side = path.clone();
            side.decided.push(Decided { guard, holds, is_condition: false });
            let own = if holds { inside.clone() } else { negate(&inside) };
            let factors = without_absolute_value(factors, &inside, &own);
            is_finite(Integrand { path: &side, factors: &factors, ..integrand }, left, budget)
        };
        match on_side(true) {
            Some(true) => match on_side(false) {
                None => {}
                found => return found,
            },
            Some(false) => return Some(false),
            None => {}
        }
    }
    is_finite_as_it_stands(integrand, budget)
}

/// The same without a split.
fn is_finite_as_it_stands(
    Integrand { path, factors, parameter, in_boxes }: Integrand<'_>,
    budget: &Budget,
) -> Option<bool> {
    let leaf = match Leaf::not_negative(path, factors, parameter, budget) {
        Ok(Some(leaf)) if leaf.is_somewhere() || in_boxes => leaf,
        Ok(None) => return Some(true),
        Ok(Some(_)) | Err(_) => return None,
    };
    let is_bounded = |found: &Enclosure| found.is_defined() && found.is_bounded();
    let ways: &[bool] = if leaf.has_closed_forms() { &[true, false] } else { &[false] };
    let found = ways.iter().any(|closed| {
        let map = leaf.integral(leaf.is_somewhere(), *closed, parameter, budget);
        let within: Vec<_> = parameter.map(|p| (p.variable, p.near())).into_iter().collect();
        if is_bounded(&range(&map, &within, budget)) {
            return true;
        }
        // a derivative is claimed only where the map is defined nearby
        let order = u32::from(parameter.is_some_and(|p| p.order > 0));
        let map = derived(&map, parameter, order).real();
        map.ok()
            .and_then(|map| map.enclose(&Rational::from(WIDE), budget).ok())
            .is_some_and(|found| is_bounded(&found.enclosure))
    });
    Some(found)
}
