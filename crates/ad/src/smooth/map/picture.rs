//! Pictures of maps: the graph of a map, in the language DOT and as SVG.
//!
//! A node is an operation. An arrow leads from an operand to the node that uses it, so inputs are at the top and
//! results at the bottom. A shared subterm is one node with several arrows: the picture of a map of sixty nodes has
//! sixty, not 2⁶⁰. A variable that an integral, a root, a maximum or a derivative binds is a node `t`, with a dashed
//! arrow to the operation that binds it.
//!
//! Graphviz reads DOT. The SVG needs no other program: nodes lie in layers, each below all of its operands, and within
//! a layer in the order of the middles of their operands.
//!
//! # Layout of a picture in layers
//!
//! Layout of a picture in layers, and its SVG.

use super::primitive::{PrimitiveNames, operands_and_body};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::algo::toposort;
use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use rustc_hash::FxHashMap;
use std::fmt;
use std::fmt::Write;

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
pub struct MapPicture(pub(crate) DiGraph<PictureNode, ArrowRole>);

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
pub(crate) fn arrow_roles(operation: &NodeOperation) -> Vec<ArrowRole> {
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

pub(crate) struct PictureBuilder {
    pub picture: DiGraph<PictureNode, ArrowRole>,
    pub variables: FxHashMap<Variable, NodeIndex>,
    pub known: FxHashMap<usize, NodeIndex>,
    pub(crate) names: PrimitiveNames,
}

impl PictureBuilder {
    pub(crate) fn variable_node(&mut self, v: Variable) -> NodeIndex {
        let count = self.variables.len();
        let picture = &mut self.picture;
        let fresh = || picture.add_node(PictureNode { label: format!("t{count}"), kind: PictureNodeKind::Bound });
        *self.variables.entry(v).or_insert_with(fresh)
    }

    /// Returns the node of a graph. A new node is added to `open`, whose operands are still to be drawn.
    pub(crate) fn graph_node<'g>(&mut self, g: &'g Graph, open: &mut Vec<&'g Graph>) -> NodeIndex {
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

/// The distance between the middles of two layers, in pixels. Taste, as all sizes here.
const LAYER: f64 = 64.0;
/// The distance between two boxes of a layer, in pixels.
const GAP: f64 = 18.0;
/// The height of a box, in pixels.
const HEIGHT: f64 = 26.0;
/// The margin of the picture, in pixels.
const MARGIN: f64 = 16.0;
/// The width of a character in pixels, about.
const CHARACTER: f64 = 8.0;

fn box_width(node: &PictureNode) -> f64 {
    CHARACTER * node.label.chars().count() as f64 + 18.0
}

/// The middles of the boxes, and the size of the picture, in pixels.
struct Layout {
    places: Vec<(f64, f64)>,
    size: (f64, f64),
}

impl MapPicture {
    /// Returns the layer of each node: one below the lowest of its operands. A node without operands other than an
    /// input moves down to just above its first use.
    fn assign_layers(&self) -> Vec<usize> {
        let order = self.topological_order();
        let mut layers = vec![0usize; self.len()];
        for &node in &order {
            let parts = self.0.neighbors_directed(node, Incoming).map(|p| layers[p.index()] + 1);
            layers[node.index()] = parts.max().unwrap_or(0);
        }
        for &node in order.iter().rev() {
            let movable = self.0[node].kind != PictureNodeKind::Input
                && self.0.neighbors_directed(node, Incoming).next().is_none();
            let wholes = self.0.neighbors_directed(node, Outgoing).map(|w| layers[w.index()]).min();
            if let (true, Some(first)) = (movable, wholes) {
                layers[node.index()] = first.saturating_sub(1);
            }
        }
        // all results in the last layer
        let lowest = layers.iter().copied().max().unwrap_or(0);
        for node in self.0.node_indices().filter(|n| self.0[*n].kind == PictureNodeKind::Output) {
            layers[node.index()] = lowest;
        }
        layers
    }

    fn lay_out(&self) -> Layout {
        let layers = self.assign_layers();
        let count = layers.iter().max().map_or(0, |l| l + 1);
        let mut rows: Vec<Vec<NodeIndex>> = vec![Vec::new(); count];
        for node in self.0.node_indices() {
            rows[layers[node.index()]].push(node);
        }
        let mut places = vec![(0.0, 0.0); self.len()];
        let mut widest = 0.0f64;
        for (depth, row) in rows.iter_mut().enumerate() {
            // the mean position of the operands, all of which lie above and have been placed
            let mut middles: Vec<(f64, NodeIndex)> = Vec::with_capacity(row.len());
            for (i, &node) in row.iter().enumerate() {
                let above = self.0.neighbors_directed(node, Incoming).filter(|p| layers[p.index()] < depth);
                let (mut sum, mut parts) = (0.0, 0.0);
                above.for_each(|p| {
                    sum += places[p.index()].0;
                    parts += 1.0;
                });
                middles.push((if parts > 0.0 { sum / parts } else { i as f64 }, node));
            }
            middles.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut x = 0.0;
            for (_, node) in middles {
                let width = box_width(&self.0[node]);
                places[node.index()] = (x + width / 2.0, MARGIN + HEIGHT / 2.0 + depth as f64 * LAYER);
                x += width + GAP;
            }
            widest = widest.max(x - GAP);
            row.sort_by(|a, b| places[a.index()].0.total_cmp(&places[b.index()].0));
        }
        // rows are centred
        for row in &rows {
            let end = row.last().map_or(0.0, |n| places[n.index()].0 + box_width(&self.0[*n]) / 2.0);
            let shift = MARGIN + (widest - end) / 2.0;
            row.iter().for_each(|n| places[n.index()].0 += shift);
        }
        let height = count.saturating_sub(1) as f64 * LAYER + HEIGHT;
        Layout { places, size: (widest + 2.0 * MARGIN, height + 2.0 * MARGIN) }
    }

    /// Writes the picture as an SVG document: text, without scripts or external styles.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let Layout { places, size: (w, h) } = self.lay_out();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.0}\" height=\"{h:.0}\" viewBox=\"0 0 {w:.0} {h:.0}\" \
             font-family=\"monospace\" font-size=\"13\" text-anchor=\"middle\">\n<g fill=\"none\" stroke=\"#767676\">\n"
        );
        // writing to a string does not fail
        for edge in self.0.edge_references() {
            let ((x0, y0), (x1, y1)) = (places[edge.source().index()], places[edge.target().index()]);
            let (y0, y1) = (y0 + HEIGHT / 2.0, y1 - HEIGHT / 2.0);
            let dashes = if *edge.weight() == ArrowRole::Binds { " stroke-dasharray=\"4 3\"" } else { "" };
            let middle = (y0 + y1) / 2.0;
            let _ = writeln!(
                svg,
                "<path d=\"M{x0:.1} {y0:.1}C{x0:.1} {middle:.1} {x1:.1} {middle:.1} {x1:.1} {y1:.1}\"{dashes}/>"
            );
        }
        svg.push_str("</g>\n<g fill=\"#767676\" font-size=\"10\">\n");
        for edge in self.0.edge_references() {
            if let ArrowRole::Named(name) = edge.weight() {
                let ((x0, _), (x1, y1)) = (places[edge.source().index()], places[edge.target().index()]);
                // the label stands beside the arrow, near its head
                let (x, y) = (x1 + (x0 - x1) * 0.12 + 8.0, y1 - HEIGHT / 2.0 - 8.0);
                let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape_xml(name));
            }
        }
        svg.push_str("</g>\n");
        for node in self.0.node_indices() {
            let (x, y) = places[node.index()];
            let PictureNode { label, kind } = &self.0[node];
            let width = box_width(&self.0[node]);
            let (left, top) = (x - width / 2.0, y - HEIGHT / 2.0);
            let (colour, round) = match kind {
                PictureNodeKind::Input => ("#2e7cc9", 2),
                PictureNodeKind::Output => ("#2e9658", 2),
                PictureNodeKind::Bound => ("#9660c8", 13),
                PictureNodeKind::Trusted => ("#c8506e", 2),
                PictureNodeKind::Operation => ("#767676", 13),
            };
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" rx=\"{round}\" \
                 fill=\"#ffffff\" stroke=\"{colour}\"/><text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                y + 4.5,
                escape_xml(label)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// Escapes the characters that XML reserves, and drops those that it forbids.
#[must_use]
pub fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
