//! What a map rests on: the primitives from outside that it mentions.

use super::Map;
use super::untyped::Untyped;
use crate::smooth::dimension::Shape;
use crate::smooth::graph::{Graph, Operation};
use rustc_hash::FxHashSet;

/// The graphs that an operation is made of.
pub(super) fn parts(operation: &Operation) -> Vec<&Graph> {
    match operation {
        Operation::Variable(_) | Operation::Rational(_) | Operation::Pi | Operation::Euler => Vec::new(),
        Operation::Unary(_, a) | Operation::Power(a, _) | Operation::Second(_, _, a, _) => vec![a],
        Operation::Binary(_, a, b) => vec![a, b],
        Operation::Primitive(_, xs) => xs.iter().collect(),
        Operation::Derivative(d) => d.at.iter().chain(&d.along).chain([&d.body]).collect(),
    }
}

impl Untyped {
    /// The names of the primitives from outside that the map mentions, each once, in alphabetical order.
    #[must_use]
    pub fn trusted(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open: Vec<&Graph> = self.outputs().iter().collect();
        while let Some(g) = open.pop() {
            if !seen.insert(g.address()) {
                continue;
            }
            if let Operation::Primitive(p, _) = g.operation()
                && !names.contains(&p.name)
            {
                names.push(p.name.clone());
            }
            open.extend(parts(g.operation()));
        }
        names.sort();
        names
    }
}

impl<N: Shape, M: Shape> Map<N, M> {
    /// The names of the primitives from outside that the map mentions: its answers are as good as their enclosures and
    /// derivatives, which nothing proves. Empty for a map made of the library's own operations.
    #[must_use]
    pub fn trusted(&self) -> Vec<String> {
        self.untyped.trusted()
    }
}
