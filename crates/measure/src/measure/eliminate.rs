//! Closed integrals over normal draws.
//!
//! Let a normal draw y range over ℝ, without guards on it. Let all factors with y be exponentials of quadratic
//! polynomials in y, and polynomials of degree at most 4 in total. Then
//!
//! ∫ p(y) e^(-a y²/2 + b y + c) dy = √(2π/a) e^(c + b²/2a) E p(b/a + z/√a)
//!
//! for a > 0 and a standard normal z. So chains of normal draws, and observations of them, need no cubature. Normal
//! forms decide that an exponent is quadratic, as an identity of rational functions. Integrals between two boundaries
//! are in [`between`].

pub mod between;
pub(in crate::measure) mod form;

use super::distribution::{add, divide, multiply, negate, power, subtract};
use super::range::enclose_range;
use crate::function::Function;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::RationalNormalForm;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use form::{
    ExpPolynomialForm, integer_constant, is_constant_zero, product_of, quartic_coefficients, rational_constant,
};

/// Returns `true` if a map is shown to be positive on a box, by its range or by its form.
fn is_positive_on_box(graph: &Graph, within: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    let found = enclose_range(graph, within, budget);
    if found.is_defined() && *found.lo() > 0 {
        return true;
    }
    let of = |graph: &Graph| crate::stack::with_stack(|| is_positive_on_box(graph, within, budget));
    match graph.operation() {
        // the range of an exponential may reach 0 by rounding, or at an infinite end
        NodeOperation::Unary(Unary::Function(Function::Exp), _) => found.is_defined(),
        NodeOperation::Binary(Binary::Add | Binary::Multiply | Binary::Divide, a, b) => of(a) && of(b),
        NodeOperation::Power(a, _) => of(a),
        _ => false,
    }
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
    let a = forms.simplify_graph(&multiply(&integer_constant(-2), &second));
    // a > 0 for all parameters and draws, or the integral diverges somewhere
    if !is_positive_on_box(&a, within, budget) {
        return None;
    }
    let inverse = forms.simplify_graph(&divide(&integer_constant(1), &a));
    let mean = forms.simplify_graph(&multiply(&b, &inverse));
    let powers = |n: i64| power(&mean, &Rational::from(n));
    // the moments E (m + z/√a)ᵏ for k = 2, 3, 4
    let square = || add(&powers(2), &inverse);
    let cube = || add(&powers(3), &multiply(&integer_constant(3), &multiply(&mean, &inverse)));
    let quartic = || {
        let middle = multiply(&integer_constant(6), &multiply(&powers(2), &inverse));
        add(&powers(4), &add(&middle, &multiply(&integer_constant(3), &power(&inverse, &Rational::from(2)))))
    };
    let moments: [&dyn Fn() -> Graph; 5] = [&|| integer_constant(1), &|| mean.clone(), &square, &cube, &quartic];
    let terms = polynomial.iter().zip(moments).filter(|(c, _)| !is_constant_zero(c));
    let sum = terms.map(|(c, moment)| multiply(c, &moment())).reduce(|sum, term| add(&sum, &term))?;
    // the maximum of the exponent: c + b²/2a, with m = b/a
    let rest = add(&c, &divide(&multiply(&b, &mean), &integer_constant(2)));
    let root = power(&multiply(&multiply(&integer_constant(2), &Graph::pi()), &inverse), &Rational::from((1, 2)));
    let mut found = free;
    found.extend([root, sum]);
    found.extend(exponential_factors(&rest, others, within, &mut forms, budget));
    Some(vec![product_of(&found)])
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
    let exp = |graph: &Graph| Graph::function(Function::Exp, graph);
    // in several variables there is no single square
    let own: Vec<Variable> = others.iter().copied().filter(|v| rest.depends_on(*v)).collect();
    if let [x] = own[..]
        && let Some([c, b, second, third, fourth]) = quartic_coefficients(rest, x, forms)
        && is_constant_zero(&third)
        && is_constant_zero(&fourth)
    {
        let a = forms.simplify_graph(&multiply(&integer_constant(-2), &second));
        if is_positive_on_box(&a, within, budget) {
            let mean = forms.simplify_graph(&divide(&b, &a));
            let square = power(&subtract(&Graph::variable(x), &mean), &Rational::from(2));
            let fall = negate(&multiply(&multiply(&rational_constant(1, 2), &a), &square));
            let top = forms.simplify_graph(&add(&c, &divide(&multiply(&b, &mean), &integer_constant(2))));
            return vec![exp(&fall), exp(&top)];
        }
    }
    vec![exp(&forms.simplify_graph(rest))]
}
