//! Layout of a picture in layers, and its SVG.

use super::{ArrowRole, MapPicture, PictureNode, PictureNodeKind};
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use std::fmt::Write;

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
