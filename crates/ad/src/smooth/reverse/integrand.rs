//! Integrands with their slopes, for the gradient of an integral.
//!
//! On a piece of the interval where f is continuously differentiable in c and x, endpoints included, the integral of
//! the slopes is the slope of the integral. If f is continuous and such pieces cover the interval, the contributions of
//! their moving endpoints cancel. So maxima, minima and absolute values become choices here, whose boundary a solver
//! finds, and jumps are rejected. Whether f is that smooth on each piece is checked while it is integrated.

use super::{StandardReverseHooks, adjoint_graphs};
use crate::smooth::graph::{Binary, Graph, Guard, NodeOperation, SecondOrder, Unary, Variable};
use crate::stack::with_stack;
use rustc_hash::FxHashMap;

/// Returns the integrand, and its partial derivatives in some variables. Returns `None` if it may jump, or contains
/// operations that are not analysed.
pub(in crate::smooth) fn with_slopes(variables: &[Variable], body: &Graph) -> Option<Vec<Graph>> {
    let is_continuous = |g: &Graph| match g.operation() {
        NodeOperation::Unary(f, _) => *f != Unary::Signum,
        NodeOperation::Binary(f, ..) => !matches!(f, Binary::Planar(_)),
        NodeOperation::Second(primitive, ..) => *primitive == SecondOrder::Integral,
        NodeOperation::Primitive(..) | NodeOperation::Derivative(_) | NodeOperation::Select(..) => false,
        NodeOperation::Variable(_)
        | NodeOperation::Rational(_)
        | NodeOperation::Pi
        | NodeOperation::Euler
        | NodeOperation::Power(..) => true,
    };
    if !Graph::all_nodes([body]).into_iter().all(is_continuous) {
        return None;
    }
    let body = KinkReplacement::default().replace_kinks(body);
    let slopes = adjoint_graphs(&StandardReverseHooks, variables, std::slice::from_ref(&body), &[Graph::integer(1)]);
    let slopes = slopes.into_iter().map(|slope| slope.unwrap_or_else(|| Graph::integer(0)));
    Some(std::iter::once(body).chain(slopes).collect())
}

/// Replaces kinks outside binders by choices.
#[derive(Default)]
struct KinkReplacement(FxHashMap<usize, Graph>);

impl KinkReplacement {
    fn replace_kinks(&mut self, g: &Graph) -> Graph {
        if let Some(known) = self.0.get(&g.address()) {
            return known.clone();
        }
        let result = with_stack(|| self.rebuild_node(g)).at_site(g.site());
        self.0.insert(g.address(), result.clone());
        result
    }

    fn rebuild_node(&mut self, g: &Graph) -> Graph {
        let difference = |a: &Graph, b: &Graph| Guard::positive(&Graph::binary(Binary::Subtract, a, b));
        match g.operation() {
            NodeOperation::Unary(Unary::Abs, a) => {
                let a = self.replace_kinks(a);
                Graph::select(&Guard::positive(&a), &a, &Graph::unary(Unary::Negate, &a))
            }
            NodeOperation::Unary(f, a) => Graph::unary(*f, &self.replace_kinks(a)),
            NodeOperation::Binary(f, a, b) => match (f, self.replace_kinks(a), self.replace_kinks(b)) {
                // a maximum of a number with itself has no kink
                (Binary::Maximum | Binary::Minimum, a, b) if a.address() == b.address() => a,
                (Binary::Maximum, a, b) => Graph::select(&difference(&a, &b), &a, &b),
                (Binary::Minimum, a, b) => Graph::select(&difference(&a, &b), &b, &a),
                (f, a, b) => Graph::binary(*f, &a, &b),
            },
            NodeOperation::Power(a, e) => Graph::new(NodeOperation::Power(self.replace_kinks(a), *e)),
            _ => g.clone(),
        }
    }
}
