//! Normal draws integrated over in closed form.
//!
//! Where a draw y lies on the whole line, no guard looks at it, and all factors in which it occurs are exponentials of quadratic polynomials in
//! it, and polynomials of degree 4 at most,
//!
//! ∫ p(y) e^(-a y²/2 + b y + c) dy = √(2π/a) e^(c + b²/2a) E p(b/a + z/√a)
//!
//! for a > 0 and a standard normal z. So chains of normal draws, and what was seen of them, need no cubature. That an exponent is quadratic is
//! an identity of rational functions, decided by normal forms.

use super::distribution::{add, divide, multiply, negate, power, subtract};
use super::majorant::magnitude;
use super::range::range;
use crate::function::Function;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::Normaliser;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};

/// The most nodes of factors that are looked at.
const MOST_NODES: usize = 400;

fn integer(n: i64) -> Graph {
    Graph::integer(n)
}

fn fraction(p: i64, q: i64) -> Graph {
    Graph::rational(Rational::from((p, q)))
}

/// Products of factors, taken apart by how a variable occurs in them.
struct Parts {
    y: Variable,
    /// In which it does not.
    free: Vec<Graph>,
    exponents: Vec<Graph>,
    polynomials: Vec<Graph>,
}

impl Parts {
    fn take(&mut self, graph: &Graph, inverted: bool) -> Option<()> {
        let one = integer(1);
        if !graph.depends_on(self.y) {
            self.free.push(if inverted { divide(&one, graph) } else { graph.clone() });
            return Some(());
        }
        match graph.operation() {
            Operation::Binary(Binary::Multiply, a, b) => {
                self.take(a, inverted)?;
                self.take(b, inverted)
            }
            Operation::Binary(Binary::Divide, a, b) => {
                self.take(a, inverted)?;
                self.take(b, !inverted)
            }
            Operation::Unary(Unary::Negate, a) => {
                self.free.push(integer(-1));
                self.take(a, inverted)
            }
            Operation::Unary(Unary::Function(Function::Exp), a) => {
                self.exponents.push(if inverted { negate(a) } else { a.clone() });
                Some(())
            }
            _ if !inverted => {
                self.polynomials.push(graph.clone());
                Some(())
            }
            _ => None,
        }
    }
}

fn product(factors: &[Graph]) -> Graph {
    factors.iter().fold(integer(1), |product, factor| multiply(&product, factor))
}

/// What is a number is written as one.
fn simple(forms: &mut Normaliser, graph: &Graph) -> Graph {
    forms.fraction(graph).and_then(|f| f.as_rational()).map_or_else(|| graph.clone(), Graph::rational)
}

/// The coefficients of a polynomial in a variable of degree 4 at most, that of the constant first: by its values at five places, and tried
/// by normal forms.
fn coefficients(graph: &Graph, y: Variable, forms: &mut Normaliser) -> Option<[Graph; 5]> {
    let at = |n: i64| graph.substitute(&[(y, integer(n))]);
    let [p, q, r, s, t] = [at(-2), at(-1), at(0), at(1), at(2)];
    let mean = |a: &Graph, b: &Graph| divide(&add(a, b), &integer(2));
    let half = |a: &Graph, b: &Graph| divide(&subtract(a, b), &integer(2));
    // even and odd parts at 1 and 2: c + b + a, c + 4b + 16a; o₁ + o₃, 2 o₁ + 8 o₃
    let (e1, e2, o1, o2) = (subtract(&mean(&s, &q), &r), subtract(&mean(&t, &p), &r), half(&s, &q), half(&t, &p));
    let fourth = divide(&subtract(&e2, &multiply(&integer(4), &e1)), &integer(12));
    let second = subtract(&e1, &fourth);
    let third = divide(&subtract(&o2, &multiply(&integer(2), &o1)), &integer(6));
    let first = subtract(&o1, &third);
    let found = [r, first, second, third, fourth].map(|c| simple(forms, &c));
    let x = Graph::variable(y);
    let sum = found.iter().rev().fold(integer(0), |sum, c| add(&multiply(&sum, &x), c));
    forms.fraction(&subtract(graph, &sum))?.is_zero().then_some(found)
}

fn is_zero(graph: &Graph) -> bool {
    graph.as_rational().is_some_and(|q| *q == 0)
}

/// The product of two polynomials of degree 4 at most in all.
fn times(a: &[Graph; 5], b: &[Graph; 5]) -> Option<[Graph; 5]> {
    let mut product = [(); 5].map(|()| integer(0));
    for (i, left) in a.iter().enumerate().filter(|(_, c)| !is_zero(c)) {
        for (j, right) in b.iter().enumerate().filter(|(_, c)| !is_zero(c)) {
            let own = product.get_mut(i + j)?;
            *own = add(own, &multiply(left, right));
        }
    }
    Some(product)
}

/// Whether a map is positive where variables lie.
fn is_positive(graph: &Graph, within: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    let found = range(graph, within, budget);
    found.is_defined() && *found.lo() > 0 && magnitude(&found).is_finite()
}

/// The integral over the line of a product of factors in a variable, as a product of factors in which it does not occur; nothing where it has
/// no such form. Where a polynomial is among the factors, which has both signs, the absolute value of the whole must have an integral over all
/// that is drawn (Fubini's theorem): what cancels here would hide that y/x has no mean. Without one the exponentials have one sign.
#[must_use]
pub fn eliminated(
    y: Variable,
    factors: &[Graph],
    others: &[Variable],
    absolutely: bool,
    within: &[(Variable, Enclosure)],
    budget: &Budget,
) -> Option<Vec<Graph>> {
    if Graph::nodes(factors).len() > MOST_NODES {
        return None;
    }
    let mut forms = Normaliser::default();
    let mut parts = Parts { y, free: Vec::new(), exponents: Vec::new(), polynomials: Vec::new() };
    for factor in factors {
        parts.take(factor, false)?;
    }
    if !parts.polynomials.is_empty() && !absolutely {
        return None;
    }
    let exponent = parts.exponents.into_iter().reduce(|sum, next| add(&sum, &next))?;
    let [c, b, second, third, fourth] = coefficients(&exponent, y, &mut forms)?;
    if !is_zero(&third) || !is_zero(&fourth) {
        return None;
    }
    let a = simple(&mut forms, &multiply(&integer(-2), &second));
    if !is_positive(&a, within, budget) {
        return None;
    }
    let mut polynomial = [(); 5].map(|()| integer(0));
    polynomial[0] = integer(1);
    for factor in &parts.polynomials {
        polynomial = times(&polynomial, &coefficients(factor, y, &mut forms)?)?;
    }
    let inverse = simple(&mut forms, &divide(&integer(1), &a));
    let mean = simple(&mut forms, &multiply(&b, &inverse));
    let powers = |n: i64| power(&mean, &Rational::from(n));
    // E (m + z/√a)ᵏ
    let square = || add(&powers(2), &inverse);
    let cube = || add(&powers(3), &multiply(&integer(3), &multiply(&mean, &inverse)));
    let quartic = || {
        let middle = multiply(&integer(6), &multiply(&powers(2), &inverse));
        add(&powers(4), &add(&middle, &multiply(&integer(3), &power(&inverse, &Rational::from(2)))))
    };
    let moments: [&dyn Fn() -> Graph; 5] = [&|| integer(1), &|| mean.clone(), &square, &cube, &quartic];
    let terms = polynomial.iter().zip(moments).filter(|(c, _)| !is_zero(c));
    let sum = terms.map(|(c, moment)| multiply(c, &moment())).reduce(|sum, term| add(&sum, &term))?;
    let rest = add(&c, &divide(&multiply(&b, &mean), &integer(2)));
    let root = power(&multiply(&multiply(&integer(2), &Graph::pi()), &inverse), &Rational::from((1, 2)));
    let mut found = parts.free;
    found.extend([root, sum]);
    found.extend(exponential(&rest, others, within, &mut forms, budget));
    Some(vec![product(&found)])
}

/// The exponential of a map, as factors: a quadratic polynomial in one variable is written as a square, so that it is seen to fall.
fn exponential(
    rest: &Graph,
    others: &[Variable],
    within: &[(Variable, Enclosure)],
    forms: &mut Normaliser,
    budget: &Budget,
) -> Vec<Graph> {
    let exp = |graph: &Graph| Graph::function(Function::Exp, graph);
    let own: Vec<Variable> = others.iter().copied().filter(|v| rest.depends_on(*v)).collect();
    if let [x] = own[..]
        && let Some([c, b, second, third, fourth]) = coefficients(rest, x, forms)
        && is_zero(&third)
        && is_zero(&fourth)
    {
        let a = simple(forms, &multiply(&integer(-2), &second));
        if is_positive(&a, within, budget) {
            let mean = simple(forms, &divide(&b, &a));
            let square = power(&subtract(&Graph::variable(x), &mean), &Rational::from(2));
            let fall = negate(&multiply(&multiply(&fraction(1, 2), &a), &square));
            let top = simple(forms, &add(&c, &divide(&multiply(&b, &mean), &integer(2))));
            return vec![exp(&fall), exp(&top)];
        }
    }
    vec![exp(&simple(forms, rest))]
}
