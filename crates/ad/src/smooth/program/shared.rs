//! Maxima of two optima that may be attained at a place that both have.
//!
//! The sides of a square share its corners. Where the maximum over one side is attained at its end, and that over the other side at an
//! end where the two functions are the same, the two maxima are one function of the inputs, and the greater of them is that function,
//! with all derivatives; the sign of their difference, which is 0, would never be decided.

use super::Register;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Operation, SecondOrder};
use crate::stack::deep;
use rustc_hash::FxHashMap;

/// Two maxima of which the greater one is computed.
#[derive(Clone, Debug)]
pub struct Shared {
    /// They.
    pub optima: [Register; 2],
    /// The ends, 0 or 1, at which the two functions are the same.
    pub ends: Vec<[usize; 2]>,
}

impl Shared {
    /// The ends at which the functions are the same of which two graphs are the maxima.
    #[must_use]
    pub fn ends(a: &Graph, b: &Graph) -> Vec<[usize; 2]> {
        let [Some(a), Some(b)] = [a, b].map(at_ends) else { return Vec::new() };
        let all = [[0, 0], [0, 1], [1, 0], [1, 1]];
        all.into_iter().filter(|[i, j]| a[*i].is_same_as(&b[*j])).collect()
    }
}

/// The function of which a graph is the maximum, at 0 and at 1, up to where it is defined.
fn at_ends(g: &Graph) -> Option<[Graph; 2]> {
    match g.operation() {
        Operation::Second(SecondOrder::Maximum, v, body) => {
            Some([0, 1].map(|end| Plain::default().of(&body.substitute(&[(*v, Graph::integer(end))]))))
        }
        _ => None,
    }
}

/// Graphs without sums with 0 and products with 0 and 1: the same numbers, where they are defined.
#[derive(Default)]
struct Plain {
    /// What was made of a graph, by its address, and the graph, so that its address is not used again.
    known: FxHashMap<usize, (Graph, Graph)>,
}

impl Plain {
    fn of(&mut self, g: &Graph) -> Graph {
        if let Some((_, plain)) = self.known.get(&g.address()) {
            return plain.clone();
        }
        let plain = deep(|| self.made(g));
        self.known.insert(g.address(), (g.clone(), plain.clone()));
        plain
    }

    fn made(&mut self, g: &Graph) -> Graph {
        let is = |g: &Graph, number: i32| g.as_rational().is_some_and(|q: &Rational| *q == number);
        match g.operation() {
            Operation::Unary(f, a) => Graph::unary(*f, &self.of(a)),
            Operation::Power(a, exponent) => {
                let a = self.of(a);
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
