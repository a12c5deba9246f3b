//! Closed integrals over draws between two boundaries.
//!
//! With E(y) = e^(-a (y - m)²/2), m = b/a and a > 0, the integrals Iₖ = ∫ yᵏ E(y) dy from l to r are
//!
//! | | between l and r | beyond l | up to r |
//! |---|---|---|---|
//! | I₀·√(2a/π) | erf √(a/2)(r - m) - erf √(a/2)(l - m) | erfc √(a/2)(l - m) | erfc √(a/2)(m - r) |
//!
//! and a Iₖ = a m Iₖ₋₁ + (k - 1) Iₖ₋₂ - (yᵏ⁻¹ E from l to r) by parts. The boundary term is 0 at an infinite end.
//!
//! The integrals of yᵏ e^(by) are Jₖ = ((yᵏ e^(by) from l to r) - k Jₖ₋₁)/b for b ≠ 0, where the sign of b must give
//! decay at an infinite end. Polynomials alone have antiderivatives, between two finite boundaries.

use super::exponential_factors;
use super::form::{ExpPolynomialForm, integer_constant, is_constant_zero, rational_constant};
use super::is_positive_on_box;
use crate::function::Function;
use crate::measure::cells::CellBounds;
use crate::measure::distribution::{add, divide, multiply, negate, power, subtract};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::RationalNormalForm;
use crate::smooth::graph::{Graph, Variable};

/// The assumptions of an integral: the other variables, ranges, and integrability.
#[derive(Clone, Copy, Debug)]
pub struct IntegralAssumptions<'a> {
    /// The other coordinates.
    pub others: &'a [Variable],
    /// `true` if the absolute value of the whole product has an integral over all draws.
    pub absolutely: bool,
    /// Enclosures of the variables.
    pub within: &'a [(Variable, Enclosure)],
    /// The budget.
    pub budget: &'a Budget,
}

/// Integrates a product of factors in `y` between two boundaries, and returns the integral as a sum of products without
/// `y`.
///
/// Returns `None` if it has no closed form. If a polynomial is among the factors, the absolute value of the whole
/// product must have an integral, as for [`eliminated`](super::integrate_normal_draw).
#[must_use]
pub fn definite_integral(
    y: Variable,
    factors: &[Graph],
    borders: &CellBounds,
    known: IntegralAssumptions<'_>,
) -> Option<Vec<Vec<Graph>>> {
    let mut forms = RationalNormalForm::default();
    let form = ExpPolynomialForm::of_factors(y, factors, &mut forms)?;
    if form.has_polynomial && !known.absolutely {
        return None;
    }
    match form.exponent.clone() {
        None => integrate_polynomial(form, borders).map(|product| vec![product]),
        Some([c, b, second]) if is_constant_zero(&second) => {
            integrate_linear_exponential(form, [&b, &c], borders, known, &mut forms)
        }
        Some(exponent) => integrate_gaussian(form, exponent, borders, known, &mut forms).map(|product| vec![product]),
    }
}

/// Returns yᵏ at a boundary.
fn power_at(border: &Graph, k: usize) -> Graph {
    match k {
        0 => integer_constant(1),
        1 => border.clone(),
        _ => power(border, &Rational::from(k as u64)),
    }
}

/// Iterates over the nonzero coefficients with their powers.
fn nonzero_terms(polynomial: &[Graph; 5]) -> impl Iterator<Item = (usize, &Graph)> {
    polynomial.iter().enumerate().filter(|(_, c)| !is_constant_zero(c))
}

/// Returns f(r) - f(l) between boundaries, with 0 for f at infinite ends.
fn difference_between(borders: &CellBounds, f: impl Fn(&Graph) -> Graph) -> Graph {
    match borders {
        [Some(l), Some(r)] => subtract(&f(r), &f(l)),
        [Some(l), None] => negate(&f(l)),
        [None, Some(r)] => f(r),
        [None, None] => integer_constant(0),
    }
}

/// Integrates a polynomial without an exponential.
fn integrate_polynomial(form: ExpPolynomialForm, borders: &CellBounds) -> Option<Vec<Graph>> {
    // a polynomial has no integral over an unbounded interval
    let [Some(l), Some(r)] = borders else { return None };
    let width = subtract(r, l);
    let mut found = form.free;
    // (r^(k+1) - l^(k+1))/(k + 1), with the width as a factor
    let mean = |k: usize| {
        let sum = (0..=k).map(|i| multiply(&power_at(r, i), &power_at(l, k - i))).reduce(|sum, next| add(&sum, &next));
        divide(&sum.unwrap_or_else(|| integer_constant(1)), &integer_constant(k as i64 + 1))
    };
    let sum = nonzero_terms(&form.polynomial).map(|(k, c)| multiply(c, &mean(k))).reduce(|sum, next| add(&sum, &next));
    found.push(width);
    found.push(sum.unwrap_or_else(|| integer_constant(0)));
    Some(found)
}

/// Integrates p(y)·e^(b y + c). Returns a product for the left boundary, and one for the right.
fn integrate_linear_exponential(
    form: ExpPolynomialForm,
    [b, c]: [&Graph; 2],
    borders: &CellBounds,
    known: IntegralAssumptions<'_>,
    forms: &mut RationalNormalForm,
) -> Option<Vec<Vec<Graph>>> {
    let rises = is_positive_on_box(b, known.within, known.budget);
    let falls = !rises && is_positive_on_box(&negate(b), known.within, known.budget);
    let [left, right] = borders;
    // e^(b y) must decay at an infinite end
    let converges = if rises { right.is_some() } else { falls && left.is_some() };
    if !converges {
        return None;
    }
    // the antiderivative is (p/b - p'/b² + …)·e^(b y + c)
    let derivative = |polynomial: &[Graph; 5]| {
        let mut found = [(); 5].map(|()| integer_constant(0));
        for (k, c) in nonzero_terms(polynomial).filter(|(k, _)| *k > 0) {
            found[k - 1] = multiply(&integer_constant(k as i64), c);
        }
        found
    };
    let mut sums: [Option<Graph>; 5] = Default::default();
    let (mut polynomial, mut scale) = (form.polynomial.clone(), divide(&integer_constant(1), b));
    // the fifth derivative of a polynomial of degree 4 is 0
    for _ in 0..5 {
        for (k, c) in nonzero_terms(&polynomial) {
            let term = multiply(c, &scale);
            sums[k] = Some(sums[k].as_ref().map_or(term.clone(), |sum| add(sum, &term)));
        }
        polynomial = derivative(&polynomial);
        scale = negate(&divide(&scale, b));
    }
    let mut over = |border: &Graph, sign: i64| {
        let own = sums.iter().enumerate().filter_map(|(k, c)| c.as_ref().map(|c| multiply(c, &power_at(border, k))));
        let sum = own.reduce(|sum, next| add(&sum, &next)).unwrap_or_else(|| integer_constant(0));
        let exponent = forms.simplify_graph(&add(&multiply(b, border), c));
        let mut found = form.free.clone();
        found.extend([multiply(&integer_constant(sign), &sum), Graph::function(Function::Exp, &exponent)]);
        found
    };
    Some(left.iter().map(|l| (l, -1)).chain(right.iter().map(|r| (r, 1))).map(|(end, sign)| over(end, sign)).collect())
}

/// Integrates p(y)·e^(s y² + b y + c) for s < 0.
fn integrate_gaussian(
    form: ExpPolynomialForm,
    [c, b, second]: [Graph; 3],
    borders: &CellBounds,
    known: IntegralAssumptions<'_>,
    forms: &mut RationalNormalForm,
) -> Option<Vec<Graph>> {
    let a = forms.simplify_graph(&multiply(&integer_constant(-2), &second));
    if !is_positive_on_box(&a, known.within, known.budget) {
        return None;
    }
    let inverse = forms.simplify_graph(&divide(&integer_constant(1), &a));
    let m = forms.simplify_graph(&multiply(&b, &inverse));
    let root = power(&divide(&a, &integer_constant(2)), &Rational::from((1, 2)));
    let scaled = |border: &Graph| multiply(&root, &subtract(border, &m));
    let of = |function: Function, x: &Graph| Graph::function(function, x);
    // erfc at infinite ends: a difference of two values of erf near 1 would cancel
    let first = match borders {
        [Some(l), Some(r)] => subtract(&of(Function::Erf, &scaled(r)), &of(Function::Erf, &scaled(l))),
        [Some(l), None] => of(Function::Erfc, &scaled(l)),
        [None, Some(r)] => of(Function::Erfc, &negate(&scaled(r))),
        [None, None] => integer_constant(2),
    };
    let half = power(&multiply(&rational_constant(1, 2), &multiply(&Graph::pi(), &inverse)), &Rational::from((1, 2)));
    let bell = |y: &Graph| {
        let square = power(&subtract(y, &m), &Rational::from(2));
        of(Function::Exp, &negate(&multiply(&multiply(&rational_constant(1, 2), &a), &square)))
    };
    // the recursion of the header, from I₀ upwards
    let mut integrals = vec![multiply(&half, &first)];
    let highest = nonzero_terms(&form.polynomial).map(|(k, _)| k).last().unwrap_or(0);
    for k in 1..=highest {
        let left = difference_between(borders, |border| multiply(&power_at(border, k - 1), &bell(border)));
        let before = match k {
            1 => integer_constant(0),
            _ => multiply(&integer_constant(k as i64 - 1), &integrals[k - 2]),
        };
        let own = multiply(&inverse, &subtract(&before, &left));
        integrals.push(add(&multiply(&m, &integrals[k - 1]), &own));
    }
    let sum =
        nonzero_terms(&form.polynomial).map(|(k, c)| multiply(c, &integrals[k])).reduce(|sum, next| add(&sum, &next));
    let rest = add(&c, &divide(&multiply(&b, &m), &integer_constant(2)));
    let mut found = form.free;
    found.push(sum.unwrap_or_else(|| integer_constant(0)));
    found.extend(exponential_factors(&rest, known.others, known.within, forms, known.budget));
    Some(found)
}
