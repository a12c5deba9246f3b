//! Draws integrated over between two borders in closed form.
//!
//! With E(y) = e^(-a (y - m)²/2), m = b/a and a > 0, the integrals Iₖ = ∫ yᵏ E(y) dy from l to r are
//!
//! | | between l and r | beyond l | up to r |
//! |---|---|---|---|
//! | I₀·√(2a/π) | erf √(a/2)(r - m) - erf √(a/2)(l - m) | erfc √(a/2)(l - m) | erfc √(a/2)(m - r) |
//!
//! and a Iₖ = a m Iₖ₋₁ + (k - 1) Iₖ₋₂ - (yᵏ⁻¹ E from l to r) by parts, where nothing is left at an infinite end. The integrals of yᵏ e^(by) are
//! Jₖ = ((yᵏ e^(by) from l to r) - k Jₖ₋₁)/b where b is not 0, and has the sign with which it falls at an infinite end. Polynomials alone have their
//! antiderivatives, between two numbers.

use super::exponential;
use super::form::{Form, fraction, integer, is_zero};
use super::is_positive;
use crate::function::Function;
use crate::measure::cells::Between;
use crate::measure::distribution::{add, divide, multiply, negate, power, subtract};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::Normaliser;
use crate::smooth::graph::{Graph, Variable};

/// What is known of the variables and the sign of the whole.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The other coordinates.
    pub others: &'a [Variable],
    /// Whether the absolute value of the whole has an integral over all that is drawn.
    pub absolutely: bool,
    /// Where variables lie.
    pub within: &'a [(Variable, Enclosure)],
    /// What it may cost.
    pub budget: &'a Budget,
}

/// The integral between two borders of a product of factors in a variable, as a sum of products in which it does not occur; nothing where it has
/// no such form. Where a polynomial is among the factors, the absolute value of the whole must have an integral, as for
/// [`eliminated`](super::eliminated).
#[must_use]
pub fn between(y: Variable, factors: &[Graph], borders: &Between, known: Known<'_>) -> Option<Vec<Vec<Graph>>> {
    let mut forms = Normaliser::default();
    let form = Form::of(y, factors, &mut forms)?;
    if form.has_polynomial && !known.absolutely {
        return None;
    }
    match form.exponent.clone() {
        None => by_powers(form, borders).map(|product| vec![product]),
        Some([c, b, second]) if is_zero(&second) => linear(form, [&b, &c], borders, known, &mut forms),
        Some(exponent) => quadratic(form, exponent, borders, known, &mut forms).map(|product| vec![product]),
    }
}

/// yᵏ at a border.
fn at(border: &Graph, k: usize) -> Graph {
    match k {
        0 => integer(1),
        1 => border.clone(),
        _ => power(border, &Rational::from(k as u64)),
    }
}

/// The coefficients that are not 0, with their powers.
fn terms(polynomial: &[Graph; 5]) -> impl Iterator<Item = (usize, &Graph)> {
    polynomial.iter().enumerate().filter(|(_, c)| !is_zero(c))
}

/// [f] between borders: what f makes of the right one less what it makes of the left one, 0 at infinite ends.
fn difference(borders: &Between, f: impl Fn(&Graph) -> Graph) -> Graph {
    match borders {
        [Some(l), Some(r)] => subtract(&f(r), &f(l)),
        [Some(l), None] => negate(&f(l)),
        [None, Some(r)] => f(r),
        [None, None] => integer(0),
    }
}

/// Of a polynomial alone.
fn by_powers(form: Form, borders: &Between) -> Option<Vec<Graph>> {
    let [Some(l), Some(r)] = borders else { return None };
    let width = subtract(r, l);
    let mut found = form.free;
    // (r^(k+1) - l^(k+1))/(k + 1), with the width as a factor
    let mean = |k: usize| {
        let sum = (0..=k).map(|i| multiply(&at(r, i), &at(l, k - i))).reduce(|sum, next| add(&sum, &next));
        divide(&sum.unwrap_or_else(|| integer(1)), &integer(k as i64 + 1))
    };
    let sum = terms(&form.polynomial).map(|(k, c)| multiply(c, &mean(k))).reduce(|sum, next| add(&sum, &next));
    found.push(width);
    found.push(sum.unwrap_or_else(|| integer(0)));
    Some(found)
}

/// Of p(y)·e^(b y + c): the right border, and the left one.
fn linear(
    form: Form,
    [b, c]: [&Graph; 2],
    borders: &Between,
    known: Known<'_>,
    forms: &mut Normaliser,
) -> Option<Vec<Vec<Graph>>> {
    let rises = is_positive(b, known.within, known.budget);
    let falls = !rises && is_positive(&negate(b), known.within, known.budget);
    let [left, right] = borders;
    let converges = if rises { right.is_some() } else { falls && left.is_some() };
    if !converges {
        return None;
    }
    // p(y)/b - p'(y)/b² + …, so that the antiderivative is that times e^(b y + c)
    let derivative = |polynomial: &[Graph; 5]| {
        let mut found = [(); 5].map(|()| integer(0));
        for (k, c) in terms(polynomial).filter(|(k, _)| *k > 0) {
            found[k - 1] = multiply(&integer(k as i64), c);
        }
        found
    };
    let mut sums: [Option<Graph>; 5] = Default::default();
    let (mut polynomial, mut scale) = (form.polynomial.clone(), divide(&integer(1), b));
    for _ in 0..5 {
        for (k, c) in terms(&polynomial) {
            let term = multiply(c, &scale);
            sums[k] = Some(sums[k].as_ref().map_or(term.clone(), |sum| add(sum, &term)));
        }
        polynomial = derivative(&polynomial);
        scale = negate(&divide(&scale, b));
    }
    let mut over = |border: &Graph, sign: i64| {
        let own = sums.iter().enumerate().filter_map(|(k, c)| c.as_ref().map(|c| multiply(c, &at(border, k))));
        let sum = own.reduce(|sum, next| add(&sum, &next)).unwrap_or_else(|| integer(0));
        let exponent = forms.simplest(&add(&multiply(b, border), c));
        let mut found = form.free.clone();
        found.extend([multiply(&integer(sign), &sum), Graph::function(Function::Exp, &exponent)]);
        found
    };
    Some(left.iter().map(|l| (l, -1)).chain(right.iter().map(|r| (r, 1))).map(|(end, sign)| over(end, sign)).collect())
}

/// Of p(y)·e^(s y² + b y + c) with s < 0.
fn quadratic(
    form: Form,
    [c, b, second]: [Graph; 3],
    borders: &Between,
    known: Known<'_>,
    forms: &mut Normaliser,
) -> Option<Vec<Graph>> {
    let a = forms.simplest(&multiply(&integer(-2), &second));
    if !is_positive(&a, known.within, known.budget) {
        return None;
    }
    let inverse = forms.simplest(&divide(&integer(1), &a));
    let m = forms.simplest(&multiply(&b, &inverse));
    let root = power(&divide(&a, &integer(2)), &Rational::from((1, 2)));
    let scaled = |border: &Graph| multiply(&root, &subtract(border, &m));
    let of = |function: Function, x: &Graph| Graph::function(function, x);
    let first = match borders {
        [Some(l), Some(r)] => subtract(&of(Function::Erf, &scaled(r)), &of(Function::Erf, &scaled(l))),
        [Some(l), None] => of(Function::Erfc, &scaled(l)),
        [None, Some(r)] => of(Function::Erfc, &negate(&scaled(r))),
        [None, None] => integer(2),
    };
    let half = power(&multiply(&fraction(1, 2), &multiply(&Graph::pi(), &inverse)), &Rational::from((1, 2)));
    let bell = |y: &Graph| {
        let square = power(&subtract(y, &m), &Rational::from(2));
        of(Function::Exp, &negate(&multiply(&multiply(&fraction(1, 2), &a), &square)))
    };
    let mut integrals = vec![multiply(&half, &first)];
    let highest = terms(&form.polynomial).map(|(k, _)| k).last().unwrap_or(0);
    for k in 1..=highest {
        let left = difference(borders, |border| multiply(&at(border, k - 1), &bell(border)));
        let before = match k {
            1 => integer(0),
            _ => multiply(&integer(k as i64 - 1), &integrals[k - 2]),
        };
        let own = multiply(&inverse, &subtract(&before, &left));
        integrals.push(add(&multiply(&m, &integrals[k - 1]), &own));
    }
    let sum = terms(&form.polynomial).map(|(k, c)| multiply(c, &integrals[k])).reduce(|sum, next| add(&sum, &next));
    let rest = add(&c, &divide(&multiply(&b, &m), &integer(2)));
    let mut found = form.free;
    found.push(sum.unwrap_or_else(|| integer(0)));
    found.extend(exponential(&rest, known.others, known.within, forms, known.budget));
    Some(found)
}
