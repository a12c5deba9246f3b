//! Pictures of maps: the graph of a map, in the language DOT and as SVG.
//!
//! A node is an operation. An arrow leads from an operand to the node that uses it, so inputs are at the top and
//! results at the bottom. A shared subterm is one node with several arrows: the picture of a map of sixty nodes has
//! sixty, not 2⁶⁰. A variable that an integral, a root, a maximum or a derivative binds is a node `t`, with a dashed
//! arrow to the operation that binds it.
//!
//! Graphviz reads DOT. The SVG needs no other program: nodes lie in layers, each below all of its operands, and within
//! a layer in the order of the middles of their operands.

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

/// The kind of a node.
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
    /// The text in the node.
    pub label: String,
    /// The kind.
    pub kind: Kind,
}

/// The label of an arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// An argument without a label: the only one, or one whose order does not matter.
    Argument,
    /// An argument with a name or a number: `1`, `at`, `along`, `body`.
    Named(String),
    /// A variable, towards its binder.
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

/// The graph of a map: nodes, and arrows from operands to the nodes that use them.
#[derive(Clone, Debug)]
pub struct Picture(DiGraph<Node, Role>);

/// The longest constant or name that is printed in full. A choice: boxes stay narrow.
const LONGEST_LABEL: usize = 24;

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_LABEL {
        return text.to_owned();
    }
    text.chars().take(LONGEST_LABEL - 1).chain(['…']).collect()
}

fn number(q: &Rational) -> String {
    // long constants are not converted to decimal
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

/// Returns the labels of the arrows to an operation, in the order of [`parts`].
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

    /// Returns the node of a graph. A new node is added to `open`, whose operands are still to be drawn.
    fn node<'g>(&mut self, g: &'g Graph, open: &mut Vec<&'g Graph>) -> NodeIndex {
        // a variable is one node, however many graph nodes mention it
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
    /// Draws the graph of the map.
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
        // depth first; deep graphs need no recursion
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
            // a dashed arrow from each bound variable to its binder
            for v in g.operation().binder().map_or(&[][..], |(bound, _)| bound) {
                let from = b.variable(*v);
                b.picture.add_edge(from, to, Role::Binds);
            }
        }
        Picture(b.picture)
    }
}

impl<N: Shape, M: Shape> Map<N, M> {
    /// Draws the graph of the map: [`to_dot`](Picture::to_dot), [`to_svg`](Picture::to_svg).
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
    /// Returns the number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.node_count()
    }

    /// Returns `true` if the picture is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the nodes in topological order: each after all of its operands.
    #[must_use]
    pub fn order(&self) -> Vec<NodeIndex> {
        // graphs have no cycles, so the sort succeeds
        toposort(&self.0, None).unwrap_or_else(|_| self.0.node_indices().collect())
    }

    /// Writes the picture in the language DOT.
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
        // the debug format of petgraph is the DOT text
        format!("{:?}", Dot::with_attr_getters(&self.0, &config, &edge, &node))
    }
}
