//! What the tests share.

use smoothish::number::Rational;
use smoothish::smooth::graph::{Binary, Graph, Unary};
use smoothish::smooth::map::coordinate_graphs;

pub fn q(p: i64, q: i64) -> Rational {
    Rational::from((p, q))
}

pub fn rationals(x: &[i64]) -> Vec<Rational> {
    x.iter().map(|&x| Rational::from(x)).collect()
}

pub fn x() -> Graph {
    coordinate_graphs(1)[0].clone()
}

pub fn xy() -> (Graph, Graph) {
    let both = coordinate_graphs(2);
    (both[0].clone(), both[1].clone())
}

pub fn add(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}

pub fn mul(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, a, b)
}

pub fn abs(a: &Graph) -> Graph {
    Graph::unary(Unary::Abs, a)
}

pub fn sign(a: &Graph) -> Graph {
    Graph::unary(Unary::Signum, a)
}
