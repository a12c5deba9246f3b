//! Deterministic random numbers, vectors, maps and graphs.

use super::support::{Map, Num, context};
use smoothish_laws::law::graphs;
pub use smoothish_laws::law::graphs::GraphGenerator;
use smoothish_laws::law::theorem::smooth::draw_tower;
use smoothish_laws::number::{Context, Rational};
pub use smoothish_laws::random::SplitMix64;
use smoothish_laws::smooth::graph::Graph;

/// What the tests draw.
pub trait Draw {
    fn one_in(&mut self, n: usize) -> bool;
    fn point(&mut self, n: usize) -> Vec<Rational>;
    fn direction(&mut self, n: usize) -> Vec<Rational>;
    /// A dyadic that is no integer.
    fn odd_dyadic(&mut self) -> Num;
}

impl Draw for SplitMix64 {
    fn one_in(&mut self, n: usize) -> bool {
        self.next_below(n) == 0
    }

    fn point(&mut self, n: usize) -> Vec<Rational> {
        graphs::random_point(self, n)
    }

    fn direction(&mut self, n: usize) -> Vec<Rational> {
        graphs::random_direction(self, n)
    }

    fn odd_dyadic(&mut self) -> Num {
        context().enclose_rational(&graphs::random_odd_dyadic(self))
    }
}

/// A random map ℝⁿ ⇝ ℝᵐ made of a few primitives, smooth everywhere.
pub fn smooth_map(random: &mut SplitMix64, inputs: usize, outputs: usize) -> Map {
    draw_tower(random, inputs, outputs, false).unwrap().tower
}

/// A random map with kinks.
pub fn kinked_map(random: &mut SplitMix64, inputs: usize, outputs: usize) -> Map {
    draw_tower(random, inputs, outputs, true).unwrap().tower
}

/// A graph as a formula, for messages.
pub fn formula(g: &Graph) -> String {
    use smoothish_laws::smooth::graph::NodeOperation;
    let list = |gs: &[Graph]| gs.iter().map(formula).collect::<Vec<_>>().join(", ");
    match g.operation() {
        NodeOperation::Variable(v) => format!("{v:?}"),
        NodeOperation::Rational(q) => format!("{q}"),
        NodeOperation::Pi => "π".into(),
        NodeOperation::Euler => "e".into(),
        NodeOperation::Unary(f, a) => format!("{f:?}({})", formula(a)),
        NodeOperation::Binary(f, a, b) => format!("{f:?}({}, {})", formula(a), formula(b)),
        NodeOperation::Power(a, e) => format!("({})^({}/{})", formula(a), e.numerator, e.denominator),
        NodeOperation::Primitive(p, xs) => format!("{p:?}({})", list(xs)),
        NodeOperation::Derivative(d) => {
            format!("D[{:?}. {}]({})·({})", d.variables, formula(&d.body), list(&d.at), list(&d.along))
        }
        NodeOperation::Select(guard, a, b) => {
            format!("if {} > 0 then {} else {}", formula(guard), formula(a), formula(b))
        }
        NodeOperation::Second(p, v, body) => format!("{p:?}({v:?}. {})", formula(body)),
    }
}
