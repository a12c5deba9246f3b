//! Normal forms of products of factors in one variable: exponentials of quadratic polynomials, and polynomials.

use crate::function::Function;
use crate::measure::distribution::{add, divide, multiply, negate, subtract};
use crate::number::Rational;
use crate::pieces::fraction::RationalNormalForm;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};

/// The greatest number of nodes of the factors. A choice: normal forms of larger maps take too long.
const MOST_NODES: usize = 400;

/// Returns the constant `n`.
pub(super) fn integer_constant(n: i64) -> Graph {
    Graph::integer(n)
}

/// Returns the constant `p/q`.
pub(super) fn rational_constant(p: i64, q: i64) -> Graph {
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
    /// Splits `graph`, or its reciprocal if `inverted`. Returns `None` if the variable is in a divisor that is no
    /// exponential.
    fn split_factor(&mut self, graph: &Graph, inverted: bool) -> Option<()> {
        let one = integer_constant(1);
        if !graph.depends_on(self.y) {
            self.free.push(if inverted { divide(&one, graph) } else { graph.clone() });
            return Some(());
        }
        match graph.operation() {
            NodeOperation::Binary(Binary::Multiply, a, b) => {
                self.split_factor(a, inverted)?;
                self.split_factor(b, inverted)
            }
            NodeOperation::Binary(Binary::Divide, a, b) => {
                self.split_factor(a, inverted)?;
                self.split_factor(b, !inverted)
            }
            NodeOperation::Unary(Unary::Negate, a) => {
                self.free.push(integer_constant(-1));
                self.split_factor(a, inverted)
            }
            NodeOperation::Unary(Unary::Function(Function::Exp), a) => {
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

/// Returns the product of the factors.
pub(super) fn product_of(factors: &[Graph]) -> Graph {
    factors.iter().fold(integer_constant(1), |product, factor| multiply(&product, factor))
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
    let at = |n: i64| graph.substitute(&[(y, integer_constant(n))]);
    let [p, q, r, s, t] = [at(-2), at(-1), at(0), at(1), at(2)];
    let mean = |a: &Graph, b: &Graph| divide(&add(a, b), &integer_constant(2));
    let half = |a: &Graph, b: &Graph| divide(&subtract(a, b), &integer_constant(2));
    // even and odd parts at 1 and 2: c + b + a, c + 4b + 16a; o₁ + o₃, 2 o₁ + 8 o₃
    let (e1, e2, o1, o2) = (subtract(&mean(&s, &q), &r), subtract(&mean(&t, &p), &r), half(&s, &q), half(&t, &p));
    let fourth = divide(&subtract(&e2, &multiply(&integer_constant(4), &e1)), &integer_constant(12));
    let second = subtract(&e1, &fourth);
    let third = divide(&subtract(&o2, &multiply(&integer_constant(2), &o1)), &integer_constant(6));
    let first = subtract(&o1, &third);
    let found = [r, first, second, third, fourth].map(|c| forms.simplify_graph(&c));
    let x = Graph::variable(y);
    let sum = found.iter().rev().fold(integer_constant(0), |sum, c| add(&multiply(&sum, &x), c));
    // five values fit a polynomial to any map: only the identity proves the degree
    forms.normal_form(&subtract(graph, &sum))?.is_zero().then_some(found)
}

/// Returns `true` for the constant 0.
pub(in crate::measure) fn is_constant_zero(graph: &Graph) -> bool {
    graph.as_rational().is_some_and(|q| *q == 0)
}

/// Multiplies two polynomials. Returns `None` if the degree of the product exceeds 4.
fn multiply_quartics(a: &[Graph; 5], b: &[Graph; 5]) -> Option<[Graph; 5]> {
    let mut product = [(); 5].map(|()| integer_constant(0));
    for (i, left) in a.iter().enumerate().filter(|(_, c)| !is_constant_zero(c)) {
        for (j, right) in b.iter().enumerate().filter(|(_, c)| !is_constant_zero(c)) {
            let own = product.get_mut(i + j)?;
            *own = add(own, &multiply(left, right));
        }
    }
    Some(product)
}

/// A product of factors as one in a variable: factors without the variable, times p(y)·e^(s y² + b y + c).
pub(super) struct ExpPolynomialForm {
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
            parts.split_factor(factor, false)?;
        }
        let exponent = match parts.exponents.into_iter().reduce(|sum, next| add(&sum, &next)) {
            Some(exponent) => {
                let [c, b, second, third, fourth] = quartic_coefficients(&exponent, y, forms)?;
                // a cubic exponent has no closed integral here
                if !is_constant_zero(&third) || !is_constant_zero(&fourth) {
                    return None;
                }
                Some([c, b, second])
            }
            None => None,
        };
        let mut polynomial = [(); 5].map(|()| integer_constant(0));
        polynomial[0] = integer_constant(1);
        for factor in &parts.polynomials {
            polynomial = multiply_quartics(&polynomial, &quartic_coefficients(factor, y, forms)?)?;
        }
        Some(Self { free: parts.free, exponent, polynomial, has_polynomial: !parts.polynomials.is_empty() })
    }
}
