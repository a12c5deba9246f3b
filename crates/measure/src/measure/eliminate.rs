//! Draws integrated over in closed form.
//!
//! Where a normal draw y lies on the whole line, no guard looks at it, and all factors in which it occurs are exponentials of quadratic polynomials
//! in it, and polynomials of degree 4 at most,
//!
//! ∫ p(y) e^(-a y²/2 + b y + c) dy = √(2π/a) e^(c + b²/2a) E p(b/a + z/√a)
//!
//! for a > 0 and a standard normal z. So chains of normal draws, and what was seen of them, need no cubature. That an exponent is quadratic is
//! an identity of rational functions, decided by normal forms. Between two borders: [`between`].

pub mod between;
pub(in crate::measure) mod form;

use super::distribution::{add, divide, multiply, negate, power, subtract};
use super::range::range;
use crate::function::Function;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::Normaliser;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use form::{Form, coefficients, fraction, integer, is_zero, product};

/// Whether a map is positive where variables lie, by its range or by its form.
fn is_positive(graph: &Graph, within: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    let found = range(graph, within, budget);
    if found.is_defined() && *found.lo() > 0 {
        return true;
    }
    let of = |graph: &Graph| crate::stack::deep(|| is_positive(graph, within, budget));
    match graph.operation() {
        Operation::Unary(Unary::Function(Function::Exp), _) => found.is_defined(),
        Operation::Binary(Binary::Add | Binary::Multiply | Binary::Divide, a, b) => of(a) && of(b),
        Operation::Power(a, _) => of(a),
        _ => false,
    }
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
    let mut forms = Normaliser::default();
    let Form { free, exponent, polynomial, has_polynomial } = Form::of(y, factors, &mut forms)?;
    if has_polynomial && !absolutely {
        return None;
    }
    let [c, b, second] = exponent?;
    let a = forms.simplest(&multiply(&integer(-2), &second));
    if !is_positive(&a, within, budget) {
        return None;
    }
    let inverse = forms.simplest(&divide(&integer(1), &a));
    let mean = forms.simplest(&multiply(&b, &inverse));
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
    let mut found = free;
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
        let a = forms.simplest(&multiply(&integer(-2), &second));
        if is_positive(&a, within, budget) {
            let mean = forms.simplest(&divide(&b, &a));
            let square = power(&subtract(&Graph::variable(x), &mean), &Rational::from(2));
            let fall = negate(&multiply(&multiply(&fraction(1, 2), &a), &square));
            let top = forms.simplest(&add(&c, &divide(&multiply(&b, &mean), &integer(2))));
            return vec![exp(&fall), exp(&top)];
        }
    }
    vec![exp(&forms.simplest(rest))]
}
