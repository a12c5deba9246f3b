//! Pairs of maxima that may be attained at a common end.
//!
//! The sides of a square share its corners. Let the maximum over one side be attained at its end, and that over the other
//! side at an end where the two functions are the same. Then the two maxima are one function of the inputs. Their maximum
//! is that function, with all derivatives. The sign of their difference, which is 0, would never be decided.

use super::Register;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Operation, SecondOrder};
use crate::stack::deep;
use rustc_hash::FxHashMap;

/// Two maxima whose maximum is computed, and the ends that they have in common.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The registers of the two optima.
    pub optima: [Register; 2],
    /// The pairs of ends, 0 or 1, at which the two functions are the same.
    pub ends: Vec<[usize; 2]>,
}

impl Shared {
    /// Returns the pairs of ends at which two maxima have the same function. It is empty unless both graphs are maxima.
    #[must_use]
    pub fn ends(a: &Graph, b: &Graph) -> Vec<[usize; 2]> {
        let [Some(a), Some(b)] = [a, b].map(at_ends) else { return Vec::new() };
        let all = [[0, 0], [0, 1], [1, 0], [1, 1]];
        all.into_iter().filter(|[i, j]| a[*i].is_same_as(&b[*j])).collect()
    }
}

/// Returns the function whose maximum a graph is, at 0 and at 1, simplified up to where it is defined. `None` for other graphs.
fn at_ends(g: &Graph) -> Option<[Graph; 2]> {
    match g.operation() {
        Operation::Second(SecondOrder::Maximum, v, body) => {
            Some([0, 1].map(|end| Plain::default().of(&body.substitute(&[(*v, Graph::integer(end))]))))
        }
        _ => None,
    }
}

/// A simplifier that removes sums with 0 and products with 0 and 1: the result is equal where the graph is defined.
#[derive(Default)]
struct Plain {
    /// The simplified graphs by address. Each original is kept, so that its address is not used again.
    known: FxHashMap<usize, (Graph, Graph)>,
}

impl Plain {
    /// Simplifies a graph. Shared parts are simplified once.
    fn of(&mut self, g: &Graph) -> Graph {
        if let Some((_, plain)) = self.known.get(&g.address()) {
            return plain.clone();
        }
        let plain = deep(|| self.made(g));
        self.known.insert(g.address(), (g.clone(), plain.clone()));
        plain
    }

    /// Simplifies the operation of a graph and its parts.
    fn made(&mut self, g: &Graph) -> Graph {
        let is = |g: &Graph, number: i32| g.as_rational().is_some_and(|q: &Rational| *q == number);
        match g.operation() {
            Operation::Unary(f, a) => Graph::unary(*f, &self.of(a)),
            Operation::Power(a, exponent) => {
                let a = self.of(a);
                // 1^q = 1, and 0^q = 0 for q > 0; 0^q for q < 0 is undefined.
                let stays = is(&a, 1) || is(&a, 0) && exponent.numerator > 0;
                if stays {
                    a
                } else {
                    Graph::power(&a, &Rational::from((exponent.numerator, exponent.denominator)))
                        .unwrap_or_else(|| g.clone())
                }
            }
            Operation::Binary(f, a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                match f {
                    Binary::Multiply if is(&a, 0) || is(&b, 1) => a,
                    Binary::Multiply if is(&b, 0) || is(&a, 1) => b,
                    Binary::Add if is(&a, 0) => b,
                    Binary::Add | Binary::Subtract if is(&b, 0) => a,
                    Binary::Divide if is(&b, 1) => a,
                    _ => Graph::binary(*f, &a, &b),
                }
            }
            Operation::Second(primitive, v, body) => Graph::second_order(*primitive, *v, self.of(body)),
            _ => g.clone(),
        }
    }
}
