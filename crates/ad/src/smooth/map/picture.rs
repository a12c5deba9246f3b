//! Maps as pictures: the graph of a map, in the language DOT and as SVG.
//!
//! A node is an operation, and an arrow goes from what is computed to what it is used for, so that inputs are at the top and
//! results at the bottom. What is used twice is one node with two arrows: the picture of a map of sixty nodes has sixty,
//! and not 2⁶⁰. A variable that an integral, a root, a maximum or a derivative binds is a node `t`, with a dashed arrow to
//! the operation that binds it.
//!
//! DOT is what Graphviz reads. The SVG needs no other program: nodes lie in layers, each below everything that it is
//! computed from, and within a layer in the order of the middles of their parts.

pub mod svg;

use super::Map;
use super::trust::{Names, parts};
use super::untyped::{Untyped, coordinates};
use crate::number::Rational;
use crate::smooth::dimension::Shape;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use petgraph::algo::toposort;
use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::fmt;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A coordinate of the domain.
    Input,
    /// A variable that an operation binds.
    Bound,
    /// An operation or a constant.
    Operation,
    /// A primitive from outside.
    Trusted,
    /// A coordinate of the codomain.
    Output,
}

/// A node of a picture.
#[derive(Clone, Debug)]
pub struct Node {
    /// What is written in it.
    pub label: String,
    /// What it is.
    pub kind: Kind,
}

/// What an arrow leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// An argument, where there is one or where the order does not matter.
    Argument,
    /// An argument that has a name or a number: `1`, `at`, `along`, `body`.
    Named(String),
    /// A variable, to what binds it.
    Binds,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument => Ok(()),
            Self::Named(name) => f.write_str(name),
            Self::Binds => f.write_str("binds"),
        }
    }
}

/// The graph of a map: nodes, and arrows from parts to wholes.
#[derive(Clone, Debug)]
pub struct Picture(DiGraph<Node, Role>);

/// The longest constant or name that is written out.
const LONGEST_LABEL: usize = 24;

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_LABEL {
        return text.to_owned();
    }
    text.chars().take(LONGEST_LABEL - 1).chain(['…']).collect()
}

fn number(q: &Rational) -> String {
    let bits = u64::from(q.numer().significant_bits()) + u64::from(q.denom().significant_bits());
    if bits > 400 { format!("a number of {bits} bits") } else { shortened(&q.to_string()) }
}

fn label(operation: &Operation, names: &Names) -> String {
    match operation {
        Operation::Variable(_) => "t".to_owned(),
        Operation::Rational(q) => number(q),
        Operation::Pi => "π".to_owned(),
        Operation::Euler => "e".to_owned(),
        Operation::Unary(Unary::Negate, _) => "−".to_owned(),
        Operation::Unary(Unary::Abs, _) => "abs".to_owned(),
        Operation::Unary(Unary::Signum, _) => "signum".to_owned(),
        Operation::Unary(Unary::Function(f), _) => f.to_string(),
        Operation::Binary(f, ..) => match f {
            Binary::Add => "+",
            Binary::Subtract => "−",
            Binary::Multiply => "×",
            Binary::Divide => "÷",
            Binary::Maximum => "max",
            Binary::Minimum => "min",
            Binary::Planar(f) => f.name(),
        }
        .to_owned(),
        Operation::Power(_, e) if e.denominator == 1 => format!("^{}", e.numerator),
        Operation::Power(_, e) => format!("^({}/{})", e.numerator, e.denominator),
        Operation::Primitive(p, _) => shortened(names.get(p)),
        Operation::Derivative(_) => "derivative".to_owned(),
        Operation::Select(..) => "if".to_owned(),
        Operation::Second(second, ..) => second.functional().name().to_owned(),
    }
}

/// What each part is to its whole, in the order of [`parts`].
fn roles(operation: &Operation) -> Vec<Role> {
    let named = |name: &str| Role::Named(name.to_owned());
    match operation {
        Operation::Binary(Binary::Subtract | Binary::Divide | Binary::Planar(_), ..) => vec![named("1"), named("2")],
        Operation::Binary(..) => vec![Role::Argument, Role::Argument],
        Operation::Primitive(_, xs) if xs.len() > 1 => (1..=xs.len()).map(|i| named(&i.to_string())).collect(),
        Operation::Select(..) => vec![named("> 0"), named("then"), named("else")],
        Operation::Derivative(d) => {
            let at = d.at.iter().map(|_| named("at"));
            at.chain(d.along.iter().map(|_| named("along"))).chain([named("body")]).collect()
        }
        operation => parts(operation).iter().map(|_| Role::Argument).collect(),
    }
}

struct Builder {
    picture: DiGraph<Node, Role>,
    variables: FxHashMap<Variable, NodeIndex>,
    known: FxHashMap<usize, NodeIndex>,
    names: Names,
}

impl Builder {
    fn variable(&mut self, v: Variable) -> NodeIndex {
        let count = self.variables.len();
        let picture = &mut self.picture;
        let fresh = || picture.add_node(Node { label: format!("t{count}"), kind: Kind::Bound });
        *self.variables.entry(v).or_insert_with(fresh)
    }

    /// The node of a graph; the parts of a new one are put among those still to be drawn.
    fn node<'g>(&mut self, g: &'g Graph, open: &mut Vec<&'g Graph>) -> NodeIndex {
        if let Operation::Variable(v) = g.operation() {
            return self.variable(*v);
        }
        if let Some(known) = self.known.get(&g.address()) {
            return *known;
        }
        let kind = if matches!(g.operation(), Operation::Primitive(..)) { Kind::Trusted } else { Kind::Operation };
        let node = self.picture.add_node(Node { label: label(g.operation(), &self.names), kind });
        self.known.insert(g.address(), node);
        open.push(g);
        node
    }
}

impl Untyped {
    /// The graph of the map as a picture.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let names = Names::of(self.outputs());
        let mut b =
            Builder { picture: DiGraph::new(), variables: FxHashMap::default(), known: FxHashMap::default(), names };
        for (i, x) in coordinates(self.inputs()).iter().enumerate() {
            let label = if self.inputs() <= 3 { ["x", "y", "z"][i].to_owned() } else { format!("x{i}") };
            let node = b.picture.add_node(Node { label, kind: Kind::Input });
            b.variables.extend(super::untyped::variable(x).map(|v| (v, node)));
        }
        let mut open = Vec::new();
        for (i, g) in self.outputs().iter().enumerate() {
            let from = b.node(g, &mut open);
            let label = if self.outputs().len() == 1 { "result".to_owned() } else { format!("result {i}") };
            let to = b.picture.add_node(Node { label, kind: Kind::Output });
            b.picture.add_edge(from, to, Role::Argument);
        }
        while let Some(g) = open.pop() {
            let Some(&to) = b.known.get(&g.address()) else { continue };
            for (part, role) in parts(g.operation()).into_iter().zip(roles(g.operation())) {
                let from = b.node(part, &mut open);
                b.picture.add_edge(from, to, role);
            }
            for v in g.operation().binder().map_or(&[][..], |(bound, _)| bound) {
                let from = b.variable(*v);
                b.picture.add_edge(from, to, Role::Binds);
            }
        }
        Picture(b.picture)
    }
}

impl<N: Shape, M: Shape> Map<N, M> {
    /// The graph of the map as a picture: [`to_dot`](Picture::to_dot), [`to_svg`](Picture::to_svg).
    ///
    /// ```
    /// use smoothish_ad::smooth::map::{Map, coordinates};
    /// use typenum::{U1, U2};
    /// let [x, y] = coordinates();
    /// let s: Map<U2, U1> = x.sin() * y;
    /// let picture = (&s * &s).picture();
    /// assert_eq!(picture.len(), 6); // x, y, sin, two products, and the result
    /// assert!(picture.to_dot().starts_with("digraph {") && picture.to_svg().starts_with("<svg "));
    /// ```
    #[must_use]
    pub fn picture(&self) -> Picture {
        self.untyped.picture()
    }
}

impl Picture {
    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.node_count()
    }

    /// Whether there is nothing to draw.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nodes, each behind all that it is computed from.
    #[must_use]
    pub fn order(&self) -> Vec<NodeIndex> {
        // a graph has no cycles: a part is there before its whole
        toposort(&self.0, None).unwrap_or_else(|_| self.0.node_indices().collect())
    }

    /// The picture in the language DOT.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let edge = |_: &DiGraph<Node, Role>, e: petgraph::graph::EdgeReference<'_, Role>| match e.weight() {
            Role::Binds => "style = dashed".to_owned(),
            Role::Argument => String::new(),
            Role::Named(name) => format!("label = {name:?}"),
        };
        let node = |_: &DiGraph<Node, Role>, (_, node): (NodeIndex, &Node)| {
            let shape = match node.kind {
                Kind::Input | Kind::Output => "box",
                Kind::Trusted => "octagon",
                Kind::Bound | Kind::Operation => "ellipse",
            };
            format!("label = {:?}, shape = {shape}", node.label)
        };
        let config = [Config::NodeNoLabel, Config::EdgeNoLabel];
        format!("{:?}", Dot::with_attr_getters(&self.0, &config, &edge, &node))
    }
}
