//! Marks over an envelope: kinks, the borders and ends of pieces, and the places where it leaves the picture.

use super::{Bar, FigureBuilder, FigureShape, Paint, PanelFrame};
use crate::plot::legend::beyond_window;
use crate::plot::pieces::PieceMark;
use crate::plot::{Envelope, PlotRequest};

/// Half of the width of a mark, in pixels. A choice, as are the next two.
const MARK_HALF_WIDTH: f64 = 3.5;
/// The half width of the bar of a kink, the half width of its caps, and the height of these, in pixels.
const KINK_SIZES: [f64; 3] = [1.5, 5.0, 2.0];
/// The distance of the marks along a run of columns that leaves the picture, in pixels.
const MARK_DISTANCE: f64 = 28.0;

impl FigureBuilder {
    /// Draws a bar with caps over each column with a kink. Two columns that share the kink get one bar.
    pub(super) fn draw_kinks(
        &mut self,
        PanelFrame { top, bottom, number }: PanelFrame,
        envelope: &Envelope,
        request: &PlotRequest,
    ) {
        let columns: Vec<_> =
            envelope.columns.iter().filter_map(|c| envelope.visible_kink(c).map(|set| (&c.x, set))).collect();
        let mut rest = columns.as_slice();
        while let [(x, set), after @ ..] = rest {
            // A kink on a border belongs to both columns. More than two cannot share a point, so only the next one is
            // looked at.
            let shared = after.first().filter(|(next, _)| next[0] == x[1]);
            let (end, set) = shared.map_or((&x[1], (*set).clone()), |(next, other)| (&next[1], set.hull(other)));
            rest = if shared.is_some() { &after[1..] } else { after };
            let x = (self.x_position(&x[0], request) + self.x_position(end, request)) / 2.0;
            let ends = envelope.window.position_of(&set).map(|y| (bottom - y * (bottom - top)).clamp(top, bottom));
            self.shapes.extend(kink_shapes(x, [ends[1], ends[0]], Paint::Envelope(number)));
        }
    }

    /// Draws the borders of pieces and their ends, in the order of the marks. An end is filled if the point belongs
    /// to the piece, and an outline otherwise.
    pub(super) fn draw_marks(
        &mut self,
        PanelFrame { top, bottom, number }: PanelFrame,
        envelope: &Envelope,
        request: &PlotRequest,
    ) {
        let ink = Paint::Envelope(number);
        for mark in &envelope.marks {
            let x = self.x_position(mark.position(), request);
            match mark {
                PieceMark::Border(_) => self.shapes.push(FigureShape::Line([x, top], [x, bottom], Paint::Grid)),
                PieceMark::End { y, belongs, .. } => {
                    let [low, high] = envelope.window.position_of(y);
                    // The enclosure of the value is narrow; its middle gives the height of the mark.
                    let y = bottom - (low + high) / 2.0 * (bottom - top);
                    if !(top..=bottom).contains(&y) {
                        continue;
                    }
                    let (left, right, above, below) =
                        (x - MARK_HALF_WIDTH, x + MARK_HALF_WIDTH, y - MARK_HALF_WIDTH, y + MARK_HALF_WIDTH);
                    if *belongs {
                        self.shapes.push(FigureShape::Bars(vec![Bar { left, right, top: above, bottom: below }], ink));
                    } else {
                        let corners = [[left, above], [right, above], [right, below], [left, below], [left, above]];
                        self.shapes.extend(corners.windows(2).map(|c| FigureShape::Line(c[0], c[1], ink)));
                    }
                }
            }
        }
    }

    /// Draws marks at the edge along every run of columns that goes on beyond it. A line would look like the graph.
    pub(super) fn draw_overflow_marks(
        &mut self,
        PanelFrame { top, bottom, .. }: PanelFrame,
        envelope: &Envelope,
        request: &PlotRequest,
        ink: Paint,
    ) {
        // Places grow upward and pixels downward: side 1 of an enclosure leaves at the top.
        for (side, edge, outward) in [(1, top, -1.0), (0, bottom, 1.0)] {
            let mut run: Option<[f64; 2]> = None;
            let mut marks = Vec::new();
            for column in &envelope.columns {
                let is_beyond = column.enclosure().is_some_and(|range| beyond_window(envelope, range)[side]);
                let [left, right] = column.x.each_ref().map(|x| self.x_position(x, request));
                match (&mut run, is_beyond) {
                    (Some(run), true) => run[1] = right,
                    (None, true) => run = Some([left, right]),
                    (_, false) => marks.extend(run.take()),
                }
            }
            marks.extend(run);
            for [left, right] in marks {
                // The tip of a triangle is a pixel inside of the frame, its foot nine.
                let (tip, foot) = (edge - outward * 1.0, edge - outward * 9.0);
                let count = ((right - left) / MARK_DISTANCE).max(1.0).floor();
                for mark in 0..count as u32 {
                    let x = left + (right - left) * (f64::from(mark) + 0.5) / count;
                    self.shapes.push(FigureShape::Triangle([[x - 5.0, foot], [x + 5.0, foot], [x, tip]], ink));
                }
            }
        }
    }
}

/// Returns the shapes of a kink: a bar with caps, drawn like an error bar, which no graph looks like.
pub(in crate::plot) fn kink_shapes(x: f64, [top, bottom]: [f64; 2], ink: Paint) -> [FigureShape; 3] {
    let [stem, cap, high] = KINK_SIZES;
    let bar = |half: f64, top: f64, bottom: f64| Bar { left: x - half, right: x + half, top, bottom };
    [bar(cap, top, top + high), bar(stem, top, bottom), bar(cap, bottom - high, bottom)]
        .map(|bar| FigureShape::Bars(vec![bar], ink))
}
