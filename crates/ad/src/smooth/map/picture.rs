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
use super::trust::{PrimitiveNames, operands_and_body};
use super::untyped::{DynMap, coordinate_graphs};
use crate::number::Rational;
use crate::smooth::dimension::MapEnd;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use petgraph::algo::toposort;
use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::fmt;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureNodeKind {
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
pub struct PictureNode {
    /// The text in the node.
    pub label: String,
    /// The kind.
    pub kind: PictureNodeKind,
}

/// The label of an arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrowRole {
    /// An argument without a label: the only one, or one whose order does not matter.
    Argument,
    /// An argument with a name or a number: `1`, `at`, `along`, `body`.
    Named(String),
    /// A variable, towards its binder.
    Binds,
}

impl fmt::Display for ArrowRole {
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
pub struct MapPicture(DiGraph<PictureNode, ArrowRole>);

/// The longest constant or name that is printed in full. A choice: boxes stay narrow.
const LONGEST_LABEL: usize = 24;

fn shorten_label(text: &str) -> String {
    if text.chars().count() <= LONGEST_LABEL {
        return text.to_owned();
    }
    text.chars().take(LONGEST_LABEL - 1).chain(['…']).collect()
}

fn constant_label(q: &Rational) -> String {
    // long constants are not converted to decimal
    let bits = u64::from(q.numer().significant_bits()) + u64::from(q.denom().significant_bits());
    if bits > 400 { format!("a number of {bits} bits") } else { shorten_label(&q.to_string()) }
}

fn operation_label(operation: &NodeOperation, names: &PrimitiveNames) -> String {
    match operation {
        NodeOperation::Variable(_) => "t".to_owned(),
        NodeOperation::Rational(q) => constant_label(q),
        NodeOperation::Pi => "π".to_owned(),
        NodeOperation::Euler => "e".to_owned(),
        NodeOperation::Unary(Unary::Negate, _) => "−".to_owned(),
        NodeOperation::Unary(Unary::Abs, _) => "abs".to_owned(),
        NodeOperation::Unary(Unary::Signum, _) => "signum".to_owned(),
        NodeOperation::Unary(Unary::Function(f), _) => f.to_string(),
        NodeOperation::Binary(f, ..) => match f {
            Binary::Add => "+",
            Binary::Subtract => "−",
            Binary::Multiply => "×",
            Binary::Divide => "÷",
            Binary::Maximum => "max",
            Binary::Minimum => "min",
            Binary::Planar(f) => f.name(),
        }
        .to_owned(),
        NodeOperation::Power(_, e) if e.denominator == 1 => format!("^{}", e.numerator),
        NodeOperation::Power(_, e) => format!("^({}/{})", e.numerator, e.denominator),
        NodeOperation::Primitive(p, _) => shorten_label(names.get(p)),
        NodeOperation::Derivative(_) => "derivative".to_owned(),
        NodeOperation::Select(..) => "if".to_owned(),
        NodeOperation::Second(second, ..) => second.functional().name().to_owned(),
    }
}

/// Returns the labels of the arrows to an operation, in the order of [`parts`].
fn arrow_roles(operation: &NodeOperation) -> Vec<ArrowRole> {
    let named = |name: &str| ArrowRole::Named(name.to_owned());
    match operation {
        NodeOperation::Binary(Binary::Subtract | Binary::Divide | Binary::Planar(_), ..) => {
            vec![named("1"), named("2")]
        }
        NodeOperation::Binary(..) => vec![ArrowRole::Argument, ArrowRole::Argument],
        NodeOperation::Primitive(_, xs) if xs.len() > 1 => (1..=xs.len()).map(|i| named(&i.to_string())).collect(),
        NodeOperation::Select(..) => vec![named("> 0"), named("then"), named("else")],
        NodeOperation::Derivative(d) => {
            let at = d.at.iter().map(|_| named("at"));
            at.chain(d.along.iter().map(|_| named("along"))).chain([named("body")]).collect()
        }
        operation => operands_and_body(operation).iter().map(|_| ArrowRole::Argument).collect(),
    }
}

struct PictureBuilder {
    picture: DiGraph<PictureNode, ArrowRole>,
    variables: FxHashMap<Variable, NodeIndex>,
    known: FxHashMap<usize, NodeIndex>,
    names: PrimitiveNames,
}

impl PictureBuilder {
    fn variable_node(&mut self, v: Variable) -> NodeIndex {
        let count = self.variables.len();
        let picture = &mut self.picture;
        let fresh = || picture.add_node(PictureNode { label: format!("t{count}"), kind: PictureNodeKind::Bound });
        *self.variables.entry(v).or_insert_with(fresh)
    }

    /// Returns the node of a graph. A new node is added to `open`, whose operands are still to be drawn.
    fn graph_node<'g>(&mut self, g: &'g Graph, open: &mut Vec<&'g Graph>) -> NodeIndex {
        // a variable is one node, however many graph nodes mention it
        if let NodeOperation::Variable(v) = g.operation() {
            return self.variable_node(*v);
        }
        if let Some(known) = self.known.get(&g.address()) {
            return *known;
        }
        let kind = if matches!(g.operation(), NodeOperation::Primitive(..)) {
            PictureNodeKind::Trusted
        } else {
            PictureNodeKind::Operation
        };
        let node = self.picture.add_node(PictureNode { label: operation_label(g.operation(), &self.names), kind });
        self.known.insert(g.address(), node);
        open.push(g);
        node
    }
}

impl DynMap {
    /// Draws the graph of the map.
    #[must_use]
    pub fn picture(&self) -> MapPicture {
        let names = PrimitiveNames::of_graphs(self.outputs());
        let mut b = PictureBuilder {
            picture: DiGraph::new(),
            variables: FxHashMap::default(),
            known: FxHashMap::default(),
            names,
        };
        for (i, x) in coordinate_graphs(self.input_count()).iter().enumerate() {
            let label = if self.input_count() <= 3 { ["x", "y", "z"][i].to_owned() } else { format!("x{i}") };
            let node = b.picture.add_node(PictureNode { label, kind: PictureNodeKind::Input });
            b.variables.extend(super::untyped::as_variable(x).map(|v| (v, node)));
        }
        // depth first; deep graphs need no recursion
        let mut open = Vec::new();
        for (i, g) in self.outputs().iter().enumerate() {
            let from = b.graph_node(g, &mut open);
            let label = if self.outputs().len() == 1 { "result".to_owned() } else { format!("result {i}") };
            let to = b.picture.add_node(PictureNode { label, kind: PictureNodeKind::Output });
            b.picture.add_edge(from, to, ArrowRole::Argument);
        }
        while let Some(g) = open.pop() {
            let Some(&to) = b.known.get(&g.address()) else { continue };
            for (part, role) in operands_and_body(g.operation()).into_iter().zip(arrow_roles(g.operation())) {
                let from = b.graph_node(part, &mut open);
                b.picture.add_edge(from, to, role);
            }
            // a dashed arrow from each bound variable to its binder
            for v in g.operation().binder().map_or(&[][..], |(bound, _)| bound) {
                let from = b.variable_node(*v);
                b.picture.add_edge(from, to, ArrowRole::Binds);
            }
        }
        MapPicture(b.picture)
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Draws the graph of the map: [`to_dot`](MapPicture::to_dot), [`to_svg`](MapPicture::to_svg).
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
    pub fn picture(&self) -> MapPicture {
        self.as_dyn.picture()
    }
}

impl MapPicture {
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
    pub fn topological_order(&self) -> Vec<NodeIndex> {
        // graphs have no cycles, so the sort succeeds
        toposort(&self.0, None).unwrap_or_else(|_| self.0.node_indices().collect())
    }

    /// Writes the picture in the language DOT.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let edge =
            |_: &DiGraph<PictureNode, ArrowRole>, e: petgraph::graph::EdgeReference<'_, ArrowRole>| match e.weight() {
                ArrowRole::Binds => "style = dashed".to_owned(),
                ArrowRole::Argument => String::new(),
                ArrowRole::Named(name) => format!("label = {name:?}"),
            };
        let node = |_: &DiGraph<PictureNode, ArrowRole>, (_, node): (NodeIndex, &PictureNode)| {
            let shape = match node.kind {
                PictureNodeKind::Input | PictureNodeKind::Output => "box",
                PictureNodeKind::Trusted => "octagon",
                PictureNodeKind::Bound | PictureNodeKind::Operation => "ellipse",
            };
            format!("label = {:?}, shape = {shape}", node.label)
        };
        let config = [Config::NodeNoLabel, Config::EdgeNoLabel];
        // the debug format of petgraph is the DOT text
        format!("{:?}", Dot::with_attr_getters(&self.0, &config, &edge, &node))
    }
}
