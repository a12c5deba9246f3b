//! Integrands with their slopes, for the gradient of an integral.
//!
//! On a piece of the interval where f is continuously differentiable in c and x, endpoints included, the integral of
//! the slopes is the slope of the integral. If f is continuous and such pieces cover the interval, the contributions of
//! their moving endpoints cancel. So maxima, minima and absolute values become choices here, whose boundary a solver
//! finds, and jumps are rejected. Whether f is that smooth on each piece is checked while it is integrated.

use super::{Library, adjoints};
use crate::smooth::graph::{Binary, Graph, Guard, Operation, SecondOrder, Unary, Variable};
use crate::stack::deep;
use rustc_hash::FxHashMap;

/// Returns the integrand, and its partial derivatives in some variables. Returns `None` if it may jump, or contains
/// operations that are not analysed.
pub(in crate::smooth) fn with_slopes(variables: &[Variable], body: &Graph) -> Option<Vec<Graph>> {
    let is_continuous = |g: &Graph| match g.operation() {
        Operation::Unary(f, _) => *f != Unary::Signum,
        Operation::Binary(f, ..) => !matches!(f, Binary::Planar(_)),
        Operation::Second(primitive, ..) => *primitive == SecondOrder::Integral,
        Operation::Primitive(..) | Operation::Derivative(_) | Operation::Select(..) => false,
        Operation::Variable(_) | Operation::Rational(_) | Operation::Pi | Operation::Euler | Operation::Power(..) => {
            true
        }
    };
    if !Graph::nodes([body]).into_iter().all(is_continuous) {
        return None;
    }
    let body = Chosen::default().apply(body);
    let slopes = adjoints(&Library, variables, std::slice::from_ref(&body), &[Graph::integer(1)]);
    let slopes = slopes.into_iter().map(|slope| slope.unwrap_or_else(|| Graph::integer(0)));
    Some(std::iter::once(body).chain(slopes).collect())
}

/// Replaces kinks outside binders by choices.
#[derive(Default)]
struct Chosen(FxHashMap<usize, Graph>);

impl Chosen {
    fn apply(&mut self, g: &Graph) -> Graph {
        if let Some(known) = self.0.get(&g.address()) {
            return known.clone();
        }
        let result = deep(|| self.chosen(g)).at(g.site());
        self.0.insert(g.address(), result.clone());
        result
    }

    fn chosen(&mut self, g: &Graph) -> Graph {
        let difference = |a: &Graph, b: &Graph| Guard::positive(&Graph::binary(Binary::Subtract, a, b));
        match g.operation() {
            Operation::Unary(Unary::Abs, a) => {
                let a = self.apply(a);
                Graph::select(&Guard::positive(&a), &a, &Graph::unary(Unary::Negate, &a))
            }
            Operation::Unary(f, a) => Graph::unary(*f, &self.apply(a)),
            Operation::Binary(f, a, b) => match (f, self.apply(a), self.apply(b)) {
                // a maximum of a number with itself has no kink
                (Binary::Maximum | Binary::Minimum, a, b) if a.address() == b.address() => a,
                (Binary::Maximum, a, b) => Graph::select(&difference(&a, &b), &a, &b),
                (Binary::Minimum, a, b) => Graph::select(&difference(&a, &b), &b, &a),
                (f, a, b) => Graph::binary(*f, &a, &b),
            },
            Operation::Power(a, e) => Graph::new(Operation::Power(self.apply(a), *e)),
            _ => g.clone(),
        }
    }
}
