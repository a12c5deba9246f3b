//! Closed integrals over normal draws.
//!
//! Let a normal draw y range over ℝ, without guards on it. Let all factors with y be exponentials of quadratic
//! polynomials in y, and polynomials of degree at most 4 in total. Then
//!
//! ∫ p(y) e^(-a y²/2 + b y + c) dy = √(2π/a) e^(c + b²/2a) E p(b/a + z/√a)
//!
//! for a > 0 and a standard normal z. So chains of normal draws, and observations of them, need no cubature. Normal
//! forms decide that an exponent is quadratic, as an identity of rational functions. Integrals between two boundaries
//! are in `between`.
//!
//! # Closed integrals over draws between two boundaries
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
//!
//! # Normal forms of products of factors in one variable
//!
//! Exponentials of quadratic polynomials, and polynomials.
//!
//! # Linear substitutions for guards of normal draws
//!
//! Linear substitutions that turn a guard of several normal draws into one normal draw.
//!
//! Let a guard be g = a·y + r with a rational a ≠ 0, where y is normal with mean m and deviation s given the earlier
//! draws. Then g is normal with mean a·m + r and deviation |a|·s, given the same. The path draws g instead of y, and y
//! = (g - r)/a.
//!
//! The guard then tests one variable, so that no boundary depends on the draws in r. The normal ones among these are
//! integrated in closed form if the other factors allow it: of `x + y + z < 1` one draw remains.
//!
//! # Logarithms in the place of draws
//!
//! A draw x of a family whose [logarithm](super::distribution::Family::logarithm) z is normal is e^z. The path draws z. Then log x is z,
//! and xᑫ is e^(q z), so that the closed forms above apply. A guard a·x + b with a root r > 0 has the sign of a·(z - log r).

use super::distribution::{Distribution, Normal};
use super::draws::{Draw, ExecutionPath, TraceCoordinate};
use super::range::{real_line, strict_sign_on_box};
use crate::function::Function;
use crate::measure::cells::CellBounds;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::{GuardCondition, SignGuard};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use std::cmp::Ordering;

/// Returns `true` if a map is shown to be positive on a box.
fn is_positive_on_box(graph: &Graph, within: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    strict_sign_on_box(graph, within, budget) == Some(Ordering::Greater)
}

/// Integrates a product of factors in `y` over ℝ, and returns the integral as factors without `y`. Returns `None` if it
/// has no closed form.
///
/// If a polynomial is among the factors, it may change its sign. The absolute value of the whole product must then have
/// an integral over all draws (Fubini's theorem), as `absolutely` states: cancellation would hide that y/x has no mean.
/// Exponentials alone have one sign.
#[must_use]
pub fn integrate_normal_draw(
    y: Variable,
    factors: &[Graph],
    others: &[Variable],
    absolutely: bool,
    within: &[(Variable, Enclosure)],
    budget: &Budget,
) -> Option<Vec<Graph>> {
    let mut forms = RationalNormalForm::default();
    let ExpPolynomialForm { free, exponent, polynomial, has_polynomial } =
        ExpPolynomialForm::of_factors(y, factors, &mut forms)?;
    if has_polynomial && !absolutely {
        return None;
    }
    let [c, b, second] = exponent?;
    let a = forms.simplify_graph(&(-2 * &second));
    // a > 0 for all parameters and draws, or the integral diverges somewhere
    if !is_positive_on_box(&a, within, budget) {
        return None;
    }
    let inverse = forms.simplify_graph(&(1 / &a));
    let mean = forms.simplify_graph(&(&b * &inverse));
    let powers = |n: i64| mean.pow(&Rational::from(n));
    // the moments E (m + z/√a)ᵏ for k = 2, 3, 4
    let square = || powers(2) + &inverse;
    let cube = || powers(3) + 3 * (&mean * &inverse);
    let quartic = || {
        let middle = 6 * (powers(2) * &inverse);
        powers(4) + (&middle + 3 * inverse.pow(&Rational::from(2)))
    };
    let moments: [&dyn Fn() -> Graph; 5] = [&|| Graph::integer(1), &|| mean.clone(), &square, &cube, &quartic];
    let terms = polynomial.iter().zip(moments).filter(|(c, _)| !c.is_constant(0));
    let sum = terms.map(|(c, moment)| c * moment()).reduce(|sum, term| &sum + &term)?;
    // the maximum of the exponent: c + b²/2a, with m = b/a
    let rest = &c + &b * &mean / 2;
    let root = (2 * Graph::pi() * &inverse).pow(&Rational::from((1, 2)));
    let mut found = free;
    found.extend([root, sum]);
    found.extend(exponential_factors(&rest, others, within, &mut forms, budget));
    Some(vec![found.iter().product()])
}

/// Writes the exponential of a map as factors. A quadratic polynomial in one variable is completed to a square, which
/// shows its decay.
fn exponential_factors(
    rest: &Graph,
    others: &[Variable],
    within: &[(Variable, Enclosure)],
    forms: &mut RationalNormalForm,
    budget: &Budget,
) -> Vec<Graph> {
    let exp = |graph: &Graph| graph.exp();
    // in several variables there is no single square
    let own: Vec<Variable> = others.iter().copied().filter(|v| rest.depends_on(*v)).collect();
    if let [x] = own[..]
        && let Some([c, b, second]) = quadratic_coefficients(rest, x, forms)
    {
        let a = forms.simplify_graph(&(-2 * &second));
        if is_positive_on_box(&a, within, budget) {
            let mean = forms.simplify_graph(&(&b / &a));
            let square = (Graph::variable(x) - &mean).pow(&Rational::from(2));
            let fall = -(rational_constant(1, 2) * &a * &square);
            let top = forms.simplify_graph(&(&c + &b * &mean / 2));
            return vec![exp(&fall), exp(&top)];
        }
    }
    vec![exp(&forms.simplify_graph(rest))]
}

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
/// product must have an integral, as for [`eliminated`](integrate_normal_draw).
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
        Some([c, b, second]) if second.is_constant(0) => {
            integrate_linear_exponential(form, [&b, &c], borders, known, &mut forms)
        }
        Some(exponent) => integrate_gaussian(form, exponent, borders, known, &mut forms).map(|product| vec![product]),
    }
}

/// Returns yᵏ at a boundary.
fn power_at(border: &Graph, k: usize) -> Graph {
    match k {
        0 => Graph::integer(1),
        1 => border.clone(),
        _ => border.pow(&Rational::from(k as u64)),
    }
}

/// Iterates over the nonzero coefficients with their powers.
fn nonzero_terms(polynomial: &[Graph; 5]) -> impl Iterator<Item = (usize, &Graph)> {
    polynomial.iter().enumerate().filter(|(_, c)| !c.is_constant(0))
}

/// Returns f(r) - f(l) between boundaries, with 0 for f at infinite ends.
fn difference_between(borders: &CellBounds, f: impl Fn(&Graph) -> Graph) -> Graph {
    match borders {
        [Some(l), Some(r)] => f(r) - f(l),
        [Some(l), None] => -f(l),
        [None, Some(r)] => f(r),
        [None, None] => Graph::integer(0),
    }
}

/// Integrates a polynomial without an exponential.
fn integrate_polynomial(form: ExpPolynomialForm, borders: &CellBounds) -> Option<Vec<Graph>> {
    // a polynomial has no integral over an unbounded interval
    let [Some(l), Some(r)] = borders else { return None };
    let width = r - l;
    let mut found = form.free;
    // (r^(k+1) - l^(k+1))/(k + 1), with the width as a factor
    let mean = |k: usize| {
        let sum = (0..=k).map(|i| power_at(r, i) * power_at(l, k - i)).reduce(|sum, next| &sum + &next);
        sum.unwrap_or_else(|| Graph::integer(1)) / Graph::integer(k as i64 + 1)
    };
    let sum = nonzero_terms(&form.polynomial).map(|(k, c)| c * mean(k)).reduce(|sum, next| &sum + &next);
    found.push(width);
    found.push(sum.unwrap_or_else(|| Graph::integer(0)));
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
    let falls = !rises && is_positive_on_box(&(-b), known.within, known.budget);
    let [left, right] = borders;
    // e^(b y) must decay at an infinite end
    let converges = if rises { right.is_some() } else { falls && left.is_some() };
    if !converges {
        return None;
    }
    // the antiderivative is (p/b - p'/b² + …)·e^(b y + c)
    let derivative = |polynomial: &[Graph; 5]| {
        let mut found = [(); 5].map(|()| Graph::integer(0));
        for (k, c) in nonzero_terms(polynomial).filter(|(k, _)| *k > 0) {
            found[k - 1] = Graph::integer(k as i64) * c;
        }
        found
    };
    let mut sums: [Option<Graph>; 5] = Default::default();
    let (mut polynomial, mut scale) = (form.polynomial.clone(), 1 / b);
    // the fifth derivative of a polynomial of degree 4 is 0
    for _ in 0..5 {
        for (k, c) in nonzero_terms(&polynomial) {
            let term = c * &scale;
            sums[k] = Some(sums[k].as_ref().map_or(term.clone(), |sum| sum + &term));
        }
        polynomial = derivative(&polynomial);
        scale = -(&scale / b);
    }
    let mut over = |border: &Graph, sign: i64| {
        let own = sums.iter().enumerate().filter_map(|(k, c)| c.as_ref().map(|c| c * power_at(border, k)));
        let sum = own.sum::<Graph>();
        let exponent = forms.simplify_graph(&(b * border + c));
        let mut found = form.free.clone();
        found.extend([Graph::integer(sign) * &sum, exponent.exp()]);
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
    let a = forms.simplify_graph(&(-2 * &second));
    if !is_positive_on_box(&a, known.within, known.budget) {
        return None;
    }
    let inverse = forms.simplify_graph(&(1 / &a));
    let m = forms.simplify_graph(&(&b * &inverse));
    let root = (&a / 2).pow(&Rational::from((1, 2)));
    let scaled = |border: &Graph| &root * (border - &m);
    let of = |function: Function, x: &Graph| Graph::function(function, x);
    // erfc at infinite ends: a difference of two values of erf near 1 would cancel
    let first = match borders {
        [Some(l), Some(r)] => of(Function::Erf, &scaled(r)) - of(Function::Erf, &scaled(l)),
        [Some(l), None] => of(Function::Erfc, &scaled(l)),
        [None, Some(r)] => of(Function::Erfc, &(-scaled(r))),
        [None, None] => Graph::integer(2),
    };
    let half = (rational_constant(1, 2) * (Graph::pi() * &inverse)).pow(&Rational::from((1, 2)));
    let bell = |y: &Graph| {
        let square = (y - &m).pow(&Rational::from(2));
        of(Function::Exp, &(-(rational_constant(1, 2) * &a * &square)))
    };
    // the recursion of the header, from I₀ upwards
    let mut integrals = vec![&half * &first];
    let highest = nonzero_terms(&form.polynomial).map(|(k, _)| k).last().unwrap_or(0);
    for k in 1..=highest {
        let left = difference_between(borders, |border| power_at(border, k - 1) * bell(border));
        let before = match k {
            1 => Graph::integer(0),
            _ => Graph::integer(k as i64 - 1) * &integrals[k - 2],
        };
        let own = &inverse * (&before - &left);
        integrals.push(&m * &integrals[k - 1] + &own);
    }
    let sum = nonzero_terms(&form.polynomial).map(|(k, c)| c * &integrals[k]).reduce(|sum, next| &sum + &next);
    let rest = &c + &b * &m / 2;
    let mut found = form.free;
    found.push(sum.unwrap_or_else(|| Graph::integer(0)));
    found.extend(exponential_factors(&rest, known.others, known.within, forms, known.budget));
    Some(found)
}

/// The greatest number of nodes of the factors. A choice: normal forms of larger maps take too long.
const MOST_NODES: usize = 400;

/// Returns the constant `p/q`.
fn rational_constant(p: i64, q: i64) -> Graph {
    Graph::rational(Rational::from((p, q)))
}

/// The parts of a product, by the occurrence of a variable.
struct FactorParts {
    /// The variable.
    y: Variable,
    /// The factors without the variable.
    free: Vec<Graph>,
    /// The exponents of exponentials with the variable.
    exponents: Vec<Graph>,
    /// The other factors with the variable.
    polynomials: Vec<Graph>,
}

impl FactorParts {
    /// Splits a factor. Returns `None` if the variable is in a divisor that is no exponential.
    fn split_factor(&mut self, graph: &Graph) -> Option<()> {
        let mut is_split = true;
        graph.split_factors(1, &mut |g, n, can_split| {
            match g.operation() {
                _ if !g.depends_on(self.y) => self.free.push(if n < 0 { 1 / g } else { g.clone() }),
                NodeOperation::Unary(Unary::Function(Function::Exp), a) => {
                    self.exponents.push(if n < 0 { -a } else { a.clone() });
                }
                // powers are polynomials as they are
                operation if can_split && !matches!(operation, NodeOperation::Power(..)) => return false,
                _ => {
                    is_split &= n > 0;
                    self.polynomials.push(g.clone());
                }
            }
            true
        });
        is_split.then_some(())
    }
}

/// Returns the coefficients of a polynomial in `y` of degree at most 4, the constant one first. Returns `None` for
/// other maps.
///
/// The coefficients follow from the values at -2, …, 2, and a normal form decides whether the polynomial is the map.
pub(in crate::measure) fn quartic_coefficients(
    graph: &Graph,
    y: Variable,
    forms: &mut RationalNormalForm,
) -> Option<[Graph; 5]> {
    let at = |n: i64| graph.substitute(&[(y, Graph::integer(n))]);
    let [p, q, r, s, t] = [at(-2), at(-1), at(0), at(1), at(2)];
    let mean = |a: &Graph, b: &Graph| (a + b) / 2;
    let half = |a: &Graph, b: &Graph| (a - b) / 2;
    // even and odd parts at 1 and 2: c + b + a, c + 4b + 16a; o₁ + o₃, 2 o₁ + 8 o₃
    let (e1, e2, o1, o2) = (mean(&s, &q) - &r, mean(&t, &p) - &r, half(&s, &q), half(&t, &p));
    let fourth = (&e2 - 4 * &e1) / 12;
    let second = &e1 - &fourth;
    let third = (&o2 - 2 * &o1) / 6;
    let first = &o1 - &third;
    let found = [r, first, second, third, fourth].map(|c| forms.simplify_graph(&c));
    let x = Graph::variable(y);
    let sum = found.iter().rev().fold(Graph::integer(0), |sum, c| &sum * &x + c);
    // five values fit a polynomial to any map: only the identity proves the degree
    forms.normal_form(&(graph - &sum))?.is_zero().then_some(found)
}

/// Returns the coefficients of a polynomial in `y` of degree at most 2, the constant one first. Returns `None` for other maps.
pub(in crate::measure) fn quadratic_coefficients(
    graph: &Graph,
    y: Variable,
    forms: &mut RationalNormalForm,
) -> Option<[Graph; 3]> {
    let [c, b, a, third, fourth] = quartic_coefficients(graph, y, forms)?;
    (third.is_constant(0) && fourth.is_constant(0)).then_some([c, b, a])
}

/// Returns the coefficients `[c, b]` of a map `b·y + c`. Returns `None` if it is not affine in `y`.
pub(in crate::measure) fn affine_coefficients(
    graph: &Graph,
    y: Variable,
    forms: &mut RationalNormalForm,
) -> Option<[Graph; 2]> {
    let at = |n: i64| graph.substitute(&[(y, Graph::integer(n))]);
    let c = at(0);
    let b = at(1) - &c;
    // two values determine a line: the normal form decides whether the map is that line
    let line = &b * Graph::variable(y) + &c;
    forms.normal_form(&(graph - &line))?.is_zero().then(|| [c, b].map(|g| forms.simplify_graph(&g)))
}

/// Multiplies two polynomials. Returns `None` if the degree of the product exceeds 4.
fn multiply_quartics(a: &[Graph; 5], b: &[Graph; 5]) -> Option<[Graph; 5]> {
    let mut product = [(); 5].map(|()| Graph::integer(0));
    for (i, left) in a.iter().enumerate().filter(|(_, c)| !c.is_constant(0)) {
        for (j, right) in b.iter().enumerate().filter(|(_, c)| !c.is_constant(0)) {
            let own = product.get_mut(i + j)?;
            *own = &*own + left * right;
        }
    }
    Some(product)
}

/// A product of factors as one in a variable: factors without the variable, times p(y)·e^(s y² + b y + c).
struct ExpPolynomialForm {
    /// The factors without the variable.
    pub free: Vec<Graph>,
    /// The coefficients `[c, b, s]`. `None` if there is no exponential.
    pub exponent: Option<[Graph; 3]>,
    /// The coefficients of p, the constant one first.
    pub polynomial: [Graph; 5],
    /// `true` if p is not the constant 1, and so may change its sign.
    pub has_polynomial: bool,
}

impl ExpPolynomialForm {
    /// Finds the form of a product of factors. Returns `None` if it has none.
    pub fn of_factors(y: Variable, factors: &[Graph], forms: &mut RationalNormalForm) -> Option<Self> {
        if Graph::all_nodes(factors).len() > MOST_NODES {
            return None;
        }
        let mut parts = FactorParts { y, free: Vec::new(), exponents: Vec::new(), polynomials: Vec::new() };
        for factor in factors {
            parts.split_factor(factor)?;
        }
        let exponent = match parts.exponents.into_iter().reduce(|sum, next| &sum + &next) {
            // a cubic exponent has no closed integral here
            Some(exponent) => Some(quadratic_coefficients(&exponent, y, forms)?),
            None => None,
        };
        let mut polynomial = [(); 5].map(|()| Graph::integer(0));
        polynomial[0] = Graph::integer(1);
        for factor in &parts.polynomials {
            polynomial = multiply_quartics(&polynomial, &quartic_coefficients(factor, y, forms)?)?;
        }
        Some(Self { free: parts.free, exponent, polynomial, has_polynomial: !parts.polynomials.is_empty() })
    }
}

/// Substitutes guards for draws, where possible, in a path and in factors along it. The law of the path is unchanged.
#[must_use]
pub fn linear_substitution(path: &ExecutionPath, factors: &[Graph]) -> (ExecutionPath, Vec<Graph>) {
    let (mut path, mut factors, mut forms) = (path.clone(), factors.to_vec(), RationalNormalForm::default());
    // a tail's distribution is not rewritten below
    if path.has_tail() {
        return (path, factors);
    }
    for index in 0..path.decisions.len() {
        if let Some(shear) = LinearGuard::match_linear(&path, index, &mut forms) {
            shear.substitute_in_path(&mut path, &mut factors, index, &mut forms);
        }
    }
    (path, factors)
}

/// A draw, and its logarithm.
type DrawnLogarithm = (Variable, Variable);

/// Draws logarithms, where that makes integrals easier, in a path and in factors along it. The law of the path is unchanged. Returns `None`
/// if no draw has such a logarithm.
#[must_use]
pub fn logarithmic_substitution(path: &ExecutionPath, factors: &[Graph]) -> Option<(ExecutionPath, Vec<Graph>)> {
    let mut drawn: Vec<DrawnLogarithm> = Vec::new();
    let mut path = path.clone();
    for draw in &mut path.draws {
        draw.replace_maps(&|graph| by_logarithms(graph, &drawn));
        if let Draw::Real(x) = draw
            && let Some(distribution) = x.distribution.logarithm()
        {
            let z = Variable::fresh();
            drawn.push((x.variable, z));
            *x = TraceCoordinate { variable: z, distribution, range: real_line() };
        }
    }
    if drawn.is_empty() {
        return None;
    }
    let mut forms = RationalNormalForm::default();
    for GuardCondition { guard, .. } in &mut path.decisions {
        let graph = guard_of_logarithms(&guard.graph, &drawn, &mut forms)
            .unwrap_or_else(|| by_logarithms(&guard.graph, &drawn));
        *guard = SignGuard::new(&graph, guard.test, guard.site);
    }
    Some((path, factors.iter().map(|factor| by_logarithms(factor, &drawn)).collect()))
}

/// Returns the logarithm of a product of such draws, positive numbers and powers, without a logarithm of a draw. Returns `None` for other
/// maps.
fn logarithm_of(graph: &Graph, drawn: &[DrawnLogarithm]) -> Option<Graph> {
    let of = |part: &Graph| with_stack(|| logarithm_of(part, drawn));
    match graph.operation() {
        NodeOperation::Variable(v) => drawn.iter().find(|(x, _)| x == v).map(|(_, z)| Graph::variable(*z)),
        NodeOperation::Rational(q) if **q > 0 => Some(graph.log()),
        // all factors are positive, so that the logarithm of a product is a sum
        NodeOperation::Binary(Binary::Multiply, a, b) => Some(of(a)? + of(b)?),
        NodeOperation::Binary(Binary::Divide, a, b) => Some(of(a)? - of(b)?),
        NodeOperation::Power(a, e) => {
            Some(Graph::rational(Rational::from((e.numerator, i64::from(e.denominator)))) * of(a)?)
        }
        _ => None,
    }
}

/// Substitutes e^z for x in a map, with log x as z and powers of x as exponentials.
fn by_logarithms(graph: &Graph, drawn: &[DrawnLogarithm]) -> Graph {
    let depends = |graph: &Graph| drawn.iter().any(|(x, _)| graph.depends_on(*x));
    if !depends(graph) {
        return graph.clone();
    }
    let bindings: Vec<(Variable, Graph)> = drawn.iter().map(|(x, z)| (*x, Graph::variable(*z).exp())).collect();
    let mut substitution = Substitution::new(&bindings);
    for node in Graph::all_nodes([graph]).into_iter().filter(|node| depends(node)) {
        let found = match node.operation() {
            NodeOperation::Unary(Unary::Function(Function::Log), of) => logarithm_of(of, drawn),
            NodeOperation::Unary(Unary::Function(Function::Sqrt), of) => {
                logarithm_of(of, drawn).map(|half| (half / 2).exp())
            }
            NodeOperation::Power(..) => logarithm_of(node, drawn).map(|exponent| exponent.exp()),
            _ => None,
        };
        if let Some(found) = found {
            substitution.replace_node(node, found.at_site(node.site()));
        }
    }
    substitution.apply(graph)
}

/// Returns a map with the sign of a guard a·x + b, where a is a number and the root -b/a another one, times another such draw or
/// not: a·(z - log (-b/a)), or a number where the guard has one sign. Returns `None` for other guards.
fn guard_of_logarithms(guard: &Graph, drawn: &[DrawnLogarithm], forms: &mut RationalNormalForm) -> Option<Graph> {
    let mut own = drawn.iter().filter(|(x, _)| guard.depends_on(*x));
    let (x, z) = own.next()?;
    let [rest, slope] = affine_coefficients(guard, *x, forms)?;
    let slope = slope.as_rational().filter(|slope| **slope != 0)?.clone();
    let root = forms.simplify_graph(&(-rest / Graph::rational(slope.clone())));
    let (factor, other) = match own.next() {
        None => (root, None),
        Some((y, w)) => {
            let [constant, factor] = affine_coefficients(&root, *y, forms)?;
            constant.as_rational().filter(|constant| **constant == 0)?;
            (factor, Some(Graph::variable(*w)))
        }
    };
    let factor = factor.as_rational()?;
    // draws are positive, so that none is at a root that is not
    let sign = match *factor > 0 {
        false => Graph::integer(1),
        true => {
            let logarithm = other.into_iter().fold(Graph::rational(factor.clone()).log(), |sum, w| sum + w);
            Graph::variable(*z) - logarithm
        }
    };
    Some(if slope > 0 { sign } else { -sign })
}

/// A guard a·y + r, and the positions of its draws.
struct LinearGuard {
    /// The position of y.
    draw_index: usize,
    /// The position of the last draw in the guard. No draw up to there depends on y.
    last_index: usize,
    /// The coefficient a.
    slope: Rational,
    /// The remainder r.
    remainder: Graph,
}

impl LinearGuard {
    /// Matches a guard that is linear in two or more normal draws which occur in no other guard. Returns `None`
    /// otherwise.
    fn match_linear(path: &ExecutionPath, index: usize, forms: &mut RationalNormalForm) -> Option<Self> {
        let guard = &path.decisions[index].guard.graph;
        let mut others = path.decisions.clone();
        others.remove(index);
        let is_free = |v: Variable| !others.iter().any(|decided| decided.guard.graph.depends_on(v));
        let own: Vec<(usize, &TraceCoordinate)> = (0..)
            .zip(&path.draws)
            .filter_map(|(place, draw)| match draw {
                Draw::Real(x) if guard.depends_on(x.variable) => Some((place, x)),
                _ => None,
            })
            .collect();
        let to = own.last()?.0;
        let mut linear = |x: &TraceCoordinate| {
            if x.distribution.parameters_of(&Normal).is_none() || !is_free(x.variable) {
                return None;
            }
            affine_coefficients(guard, x.variable, forms)
        };
        let found: Vec<_> = own.iter().filter_map(|(place, x)| Some((*place, x.variable, linear(x)?))).collect();
        // with one draw alone, the guard tests one variable already
        if found.len() < 2 {
            return None;
        }
        // the last draw first: fewer draws lie between y and the position of g
        found.into_iter().rev().find_map(|(from, y, [rest, slope])| {
            let slope = slope.as_rational().filter(|slope| **slope != 0)?.clone();
            let depends = |draw: &Draw| match draw {
                Draw::Natural(_, chance) | Draw::Truth(_, chance) => chance.depends_on(y),
                Draw::Real(_) | Draw::Tail(..) => draw.coordinate().is_some_and(|(_, of)| of.depends_on(y)),
            };
            // g is drawn after all draws of r, so none of these may depend on y
            (!path.draws[from..=to].iter().any(depends)).then_some(Self {
                draw_index: from,
                last_index: to,
                slope,
                remainder: rest,
            })
        })
    }

    /// Replaces y by the guard as a draw, placed after the draws that it depends on.
    fn substitute_in_path(
        &self,
        path: &mut ExecutionPath,
        factors: &mut [Graph],
        index: usize,
        forms: &mut RationalNormalForm,
    ) {
        let Self { draw_index: from, last_index: to, slope, remainder: rest } = self;
        let Draw::Real(TraceCoordinate { variable: y, distribution, .. }) = path.draws.remove(*from) else { return };
        let Some([mean, deviation]) = distribution.parameters_of(&Normal) else { return };
        let (d, a) = (Variable::fresh(), Graph::rational(slope.clone()));
        let mean = forms.simplify_graph(&(&a * mean + rest));
        let deviation = Graph::rational(slope.clone().abs()) * deviation;
        let turned = (Graph::variable(d) - rest) / &a;
        let along = |graph: &Graph| graph.substitute(&[(y, turned.clone())]);
        for draw in &mut path.draws[*to..] {
            match draw {
                Draw::Real(x) => x.distribution = x.distribution.map(&along),
                Draw::Natural(_, chance) | Draw::Truth(_, chance) => *chance = along(chance),
                Draw::Tail(..) => {}
            }
        }
        let distribution = Distribution::normal(mean, deviation);
        path.draws.insert(*to, Draw::Real(TraceCoordinate { variable: d, distribution, range: real_line() }));
        factors.iter_mut().for_each(|factor| *factor = along(factor));
        let GuardCondition { guard, .. } = &mut path.decisions[index];
        *guard = SignGuard::new(&Graph::variable(d), guard.test, guard.site);
    }
}
