//! Pairs of maxima that may be attained at a common end.
//!
//! The sides of a square share its corners. Let the maximum over one side be attained at its end, and that over the other
//! side at an end where the two functions are the same. Then the two maxima are one function of the inputs. Their maximum
//! is that function, with all derivatives. The sign of their difference, which is 0, would never be decided.

use super::BlockRegister;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, NodeOperation, SecondOrder};
use crate::stack::with_stack;
use rustc_hash::FxHashMap;

/// Two maxima whose maximum is computed, and the ends that they have in common.
#[derive(Clone, Debug)]
pub struct TiedMaxima {
    /// The registers of the two optima.
    pub optima: [BlockRegister; 2],
    /// The pairs of ends, 0 or 1, at which the two functions are the same.
    pub common_ends: Vec<[usize; 2]>,
}

impl TiedMaxima {
    /// Returns the pairs of ends at which two maxima have the same function. It is empty unless both graphs are maxima.
    #[must_use]
    pub fn common_ends(a: &Graph, b: &Graph) -> Vec<[usize; 2]> {
        let [Some(a), Some(b)] = [a, b].map(at_ends) else { return Vec::new() };
        let all = [[0, 0], [0, 1], [1, 0], [1, 1]];
        all.into_iter().filter(|[i, j]| a[*i].is_alpha_equivalent(&b[*j])).collect()
    }
}

/// Returns the function whose maximum a graph is, at 0 and at 1, simplified up to where it is defined. `None` for other graphs.
fn at_ends(g: &Graph) -> Option<[Graph; 2]> {
    match g.operation() {
        NodeOperation::Second(SecondOrder::Maximum, v, body) => Some(
            [0, 1]
                .map(|end| ZeroOneSimplifier::default().simplify_graph(&body.substitute(&[(*v, Graph::integer(end))]))),
        ),
        _ => None,
    }
}

/// A simplifier that removes sums with 0 and products with 0 and 1: the result is equal where the graph is defined.
#[derive(Default)]
struct ZeroOneSimplifier {
    /// The simplified graphs by address. Each original is kept, so that its address is not used again.
    known: FxHashMap<usize, (Graph, Graph)>,
}

impl ZeroOneSimplifier {
    /// Simplifies a graph. Shared parts are simplified once.
    fn simplify_graph(&mut self, g: &Graph) -> Graph {
        if let Some((_, plain)) = self.known.get(&g.address()) {
            return plain.clone();
        }
        let plain = with_stack(|| self.simplify_operation(g));
        self.known.insert(g.address(), (g.clone(), plain.clone()));
        plain
    }

    /// Simplifies the operation of a graph and its parts.
    fn simplify_operation(&mut self, g: &Graph) -> Graph {
        let is = |g: &Graph, number: i32| g.as_rational().is_some_and(|q: &Rational| *q == number);
        match g.operation() {
            NodeOperation::Unary(f, a) => Graph::unary(*f, &self.simplify_graph(a)),
            NodeOperation::Power(a, exponent) => {
                let a = self.simplify_graph(a);
                // 1^q = 1, and 0^q = 0 for q > 0; 0^q for q < 0 is undefined.
                let stays = is(&a, 1) || is(&a, 0) && exponent.numerator > 0;
                if stays {
                    a
                } else {
                    Graph::power(&a, &Rational::from((exponent.numerator, exponent.denominator)))
                        .unwrap_or_else(|| g.clone())
                }
            }
            NodeOperation::Binary(f, a, b) => {
                let (a, b) = (self.simplify_graph(a), self.simplify_graph(b));
                match f {
                    Binary::Multiply if is(&a, 0) || is(&b, 1) => a,
                    Binary::Multiply if is(&b, 0) || is(&a, 1) => b,
                    Binary::Add if is(&a, 0) => b,
                    Binary::Add | Binary::Subtract if is(&b, 0) => a,
                    Binary::Divide if is(&b, 1) => a,
                    _ => Graph::binary(*f, &a, &b),
                }
            }
            NodeOperation::Second(primitive, v, body) => Graph::second_order(*primitive, *v, self.simplify_graph(body)),
            _ => g.clone(),
        }
    }
}
