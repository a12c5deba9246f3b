//! The picture of a plot: where everything lies on a rectangle, in pixels. The renderers draw it as it stands.
//!
//! A column is drawn from its left border to its right one, and from the lower end of its enclosure to the upper one,
//! rounded outward: the filled shape contains the graph. Colours are of middle brightness, so that a picture without a
//! background can be read on white and on black.

mod marks;

pub(super) use marks::kink_shapes;

use super::axis::{Axis, Tick, elide_middle};
use super::grid::format_exact;
use super::legend::{self, PlotLegend};
use super::pieces::PieceMark;
use super::{CertifiedPlot, ColumnValues, Envelope, PlotRequest, derivative_symbol};
use crate::number::Rational;

/// The paint of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Letters and frames.
    Label,
    /// Lines behind the envelopes.
    Grid,
    /// An envelope, by its index in the plot.
    Envelope(usize),
}

/// A pattern that fills the columns without an enclosure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texture {
    /// The function is not shown to be defined.
    Undefined,
    /// The values are not known: the budget ended first.
    Unknown,
}

/// The point of a text that lies at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

/// A rectangle with sides parallel to the axes, in pixels; y grows downward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// The left side.
    pub left: f64,
    /// The right side.
    pub right: f64,
    /// The upper side.
    pub top: f64,
    /// The lower side.
    pub bottom: f64,
}

/// A shape of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum FigureShape {
    /// Rectangles side by side, from left to right, filled as one region.
    Bars(Vec<Bar>, Paint),
    /// A straight line.
    Line([f64; 2], [f64; 2], Paint),
    /// A filled triangle.
    Triangle([[f64; 2]; 3], Paint),
    /// A rectangle with a pattern.
    Textured(Bar, Texture),
    /// A rectangle that is divided evenly into squares of one colour each. The fields are the rectangle, the number
    /// of squares in a row, and the colours (red, green, blue) row by row from the uppermost.
    Raster(Bar, u32, Vec<[u8; 3]>),
    /// A line of letters; the position lies on the base line.
    Text([f64; 2], Anchor, Paint, String),
}

/// A picture; see the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The shapes, in the order in which they are drawn.
    pub shapes: Vec<FigureShape>,
}

/// The width of a letter at a size of 12 pixels, in pixels. It is that of the usual monospaced fonts, 0.602 of the
/// size.
pub const LETTER_WIDTH: f64 = 7.22;
/// The height of a line of letters, in pixels.
pub(super) const LINE_HEIGHT: f64 = 17.0;
/// The margin at the sides, in pixels.
pub(super) const MARGIN: f64 = 12.0;
/// The default width of a picture, in pixels.
pub const DEFAULT_WIDTH: u32 = 800;
/// The least width and height of a picture, in pixels.
pub const MIN_SIZE: u32 = 160;
/// The least height of a panel, in pixels. A choice: a lower one shows no shape.
const MIN_PANEL_HEIGHT: f64 = 12.0;
/// The greatest width and height of a picture, in pixels.
pub const MAX_SIZE: u32 = 4_000;

/// Returns the default height of a picture with `panels` panels, in pixels.
#[must_use]
pub fn default_height(panels: usize) -> u32 {
    140 + 240 * panels as u32
}

/// Returns the rows of pixels of one of several panels in a picture. It is the right value of [`PlotRequest::rows`].
#[must_use]
pub fn rows_per_panel(height: u32, panels: usize) -> u32 {
    panel_height(height, panels, false, 0.0).ceil() as u32
}

/// Returns the height outside of the panels: the heads of panels, and `notes` lines under the labels of the
/// horizontal axis.
fn height_around_panels(panels: usize, headed: bool, notes: f64) -> f64 {
    let heads = if headed { LINE_HEIGHT * 1.5 * panels as f64 } else { 0.0 };
    MARGIN * 2.0 + LINE_HEIGHT * (2.2 + 1.2 * notes) + heads
}

/// Returns the height of a panel, in pixels.
fn panel_height(height: u32, panels: usize, headed: bool, notes: f64) -> f64 {
    ((f64::from(height) - height_around_panels(panels, headed, notes)) / panels as f64).max(MIN_PANEL_HEIGHT)
}

impl Figure {
    /// Draws a plot. The picture is higher than `height` if its panels would not fit.
    #[must_use]
    pub fn new(plot: &CertifiedPlot, width: u32, height: u32) -> Self {
        let [width, height] = [width, height].map(|n| n.clamp(MIN_SIZE, MAX_SIZE));
        let count = plot.envelopes.len().max(1);
        // A single panel of the function itself needs no name.
        let named = count > 1 || plot.envelopes.iter().any(|e| e.order > 0);
        let entries = PlotLegend::of_plot(plot);
        let across = Axis::new(&plot.request.from, &plot.request.to, 2);
        let legend = entries.layout_lines(f64::from(width) - 2.0 * MARGIN);
        // A base of the horizontal axis takes one more line under the labels.
        let notes = legend.len() as f64 + f64::from(u8::from(across.base.is_some()));
        let axes = |tall: f64| -> Vec<Axis> {
            let most = ((tall / (LINE_HEIGHT * 1.8)) as u32).clamp(3, 12);
            plot.envelopes.iter().map(|e| Axis::new(&e.window.low, &e.window.high, most)).collect()
        };
        // Heads make panels lower, and lower panels have fewer ticks. So the test uses the height with heads: a base
        // then always has room.
        let headed = named || axes(panel_height(height, count, true, notes)).iter().any(|a| a.base.is_some());
        let least = height_around_panels(count, headed, notes) + MIN_PANEL_HEIGHT * count as f64;
        let height = height.max(least.ceil() as u32);
        let tall = panel_height(height, count, headed, notes);
        let axes = axes(tall);
        let longest = axes.iter().flat_map(|a| &a.ticks).map(|t| t.label.chars().count()).max().unwrap_or(0);
        let mut drawing = FigureBuilder {
            // Long labels may take at most half of the width.
            left: (MARGIN + LETTER_WIDTH * longest as f64 + 8.0).min(f64::from(width) / 2.0),
            right: f64::from(width) - MARGIN - 4.0,
            shapes: Vec::new(),
        };
        let room = ((drawing.right - MARGIN) / LETTER_WIDTH) as usize;
        drawing.add_text([MARGIN, MARGIN + 11.0], Anchor::Start, Paint::Label, shorten_source(plot.title(), room));
        let mut top = MARGIN + LINE_HEIGHT * 1.3;
        for (number, (envelope, axis)) in plot.envelopes.iter().zip(&axes).enumerate() {
            if named {
                let name = derivative_symbol(envelope.order, false);
                drawing.add_text([drawing.left, top + 12.0], Anchor::Start, Paint::Envelope(number), name);
            }
            if let Some(base) = &axis.base {
                let base = elide_middle(base, room.saturating_sub(longest + 34).max(9));
                drawing.add_text(
                    [drawing.right, top + 12.0],
                    Anchor::End,
                    Paint::Label,
                    format!("counted from {base}"),
                );
            }
            top += if headed { LINE_HEIGHT * 1.1 } else { 0.0 };
            let panel = PanelFrame { top, bottom: top + tall, number };
            drawing.draw_panel(panel, envelope, axis, &plot.request, number + 1 == plot.envelopes.len());
            top += tall + if headed { LINE_HEIGHT * 0.4 } else { 0.0 };
        }
        drawing.shapes.extend(legend::legend_shapes(
            &legend,
            [drawing.left, drawing.right],
            f64::from(height) - MARGIN,
        ));
        Self { width, height, shapes: drawing.shapes }
    }
}

/// Returns the source in one line of at most `room` letters.
pub(super) fn shorten_source(source: &str, room: usize) -> String {
    let words = source.split_whitespace().collect::<Vec<_>>().join(" ");
    // Control characters have no glyph and would break the SVG document.
    let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if words.chars().count() <= room {
        return words;
    }
    words.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}

/// The vertical extent of a panel, and the index of its envelope.
#[derive(Clone, Copy)]
struct PanelFrame {
    top: f64,
    bottom: f64,
    number: usize,
}

/// A picture while it is drawn: the sides of its panels, and the shapes so far.
struct FigureBuilder {
    left: f64,
    right: f64,
    shapes: Vec<FigureShape>,
}

impl FigureBuilder {
    fn add_text(&mut self, at: [f64; 2], anchor: Anchor, ink: Paint, text: String) {
        self.shapes.push(FigureShape::Text(at, anchor, ink, text));
    }

    /// Returns the horizontal position of a number, in pixels. The quotient is exact, so long ends lose no digits.
    fn x_position(&self, at: &Rational, request: &PlotRequest) -> f64 {
        let place = Rational::from(at - &request.from) / Rational::from(&request.to - &request.from);
        self.left + place.to_f64() * (self.right - self.left)
    }

    /// Draws a panel: the grid, the envelope, its marks, and the frame.
    fn draw_panel(
        &mut self,
        panel: PanelFrame,
        envelope: &Envelope,
        axis: &Axis,
        request: &PlotRequest,
        is_last: bool,
    ) {
        let PanelFrame { top, bottom, number } = panel;
        let window = &envelope.window;
        let mut free = LabelSpace::new();
        for Tick { at, label } in &axis.ticks {
            let place = Rational::from(at - &window.low) / window.height();
            let y = bottom - place.to_f64() * (bottom - top);
            // The axes themselves are drawn darker than the rest of the grid.
            let ink = if *at == 0 { Paint::Label } else { Paint::Grid };
            self.shapes.push(FigureShape::Line([self.left, y], [self.right, y], ink));
            if free.try_occupy(bottom - y, LABEL_HEIGHT, 0.0) {
                self.add_text([self.left - 6.0, y + 4.0], Anchor::End, Paint::Label, label.clone());
            }
        }
        // Later shapes cover earlier ones, so marks come after the columns, and the frame after all that it bounds.
        self.draw_horizontal_axis(panel, request, is_last);
        self.draw_columns(panel, envelope, request);
        self.draw_kinks(panel, envelope, request);
        self.draw_marks(panel, envelope, request);
        let corners =
            [[self.left, top], [self.right, top], [self.right, bottom], [self.left, bottom], [self.left, top]];
        self.shapes.extend(corners.windows(2).map(|c| FigureShape::Line(c[0], c[1], Paint::Label)));
        self.draw_overflow_marks(panel, envelope, request, Paint::Envelope(number));
    }

    /// Draws the horizontal axis of a panel, and its labels if the panel is the last.
    fn draw_horizontal_axis(
        &mut self,
        PanelFrame { top, bottom, .. }: PanelFrame,
        request: &PlotRequest,
        is_last: bool,
    ) {
        let wide = self.right - self.left;
        // The ends of the axis tell how long its labels will be; the number of ticks follows from it.
        let written =
            format_exact(&request.from).chars().count().max(format_exact(&request.to).chars().count()).clamp(4, 12);
        let most = ((wide / (LETTER_WIDTH * (written as f64 + 4.0))) as u32).clamp(2, 12);
        let axis = Axis::new(&request.from, &request.to, most);
        let mut free = LabelSpace::new();
        for Tick { at, label } in &axis.ticks {
            let x = self.x_position(at, request);
            let ink = if *at == 0 { Paint::Label } else { Paint::Grid };
            self.shapes.push(FigureShape::Line([x, top], [x, bottom], ink));
            let long = LETTER_WIDTH * label.chars().count() as f64;
            // The last label may not leave the picture at the right.
            let middle = x.min(self.right + MARGIN - long / 2.0);
            if is_last && free.try_occupy(middle, long, LETTER_WIDTH) {
                self.add_text([middle, bottom + LINE_HEIGHT], Anchor::Middle, Paint::Label, label.clone());
            }
        }
        if let (true, Some(base)) = (is_last, &axis.base) {
            let room = (wide / LETTER_WIDTH) as usize;
            let text = format!("x is counted from {}", elide_middle(base, room.saturating_sub(18).max(9)));
            self.add_text([self.right, bottom + LINE_HEIGHT * 1.9], Anchor::End, Paint::Label, text);
        }
    }

    /// Draws the envelope: runs of columns that have an enclosure, and textures for the others.
    fn draw_columns(
        &mut self,
        PanelFrame { top, bottom, number }: PanelFrame,
        envelope: &Envelope,
        request: &PlotRequest,
    ) {
        let mut run: Vec<Bar> = Vec::new();
        let mut texture: Option<(Bar, Texture)> = None;
        let borders: Vec<&Rational> = envelope
            .marks
            .iter()
            .filter_map(|mark| if let PieceMark::Border(x) = mark { Some(x) } else { None })
            .collect();
        for column in &envelope.columns {
            let [left, right] = column.x.each_ref().map(|x| self.x_position(x, request));
            // Columns on two sides of a border of pieces are not joined: the function may jump there.
            if borders.binary_search(&&column.x[0]).is_ok() {
                self.end_run(&mut run, number);
            }
            let found = match &column.values {
                ColumnValues::Within(range) => {
                    let place = envelope.window.position_of(range);
                    let [low, high] = place.map(|y| bottom - y * (bottom - top));
                    let bar = Bar { left, right, top: high.max(top), bottom: low.min(bottom) };
                    // A column wholly above or below the panel would be an inverted rectangle.
                    if bar.top <= bar.bottom {
                        run.push(bar);
                    } else {
                        self.end_run(&mut run, number);
                    }
                    None
                }
                ColumnValues::Undefined => Some(Texture::Undefined),
                ColumnValues::Unknown => Some(Texture::Unknown),
            };
            if found.is_some() {
                self.end_run(&mut run, number);
            }
            match (&mut texture, found) {
                // Neighbouring columns with one texture form one rectangle, so that the pattern has no seams.
                (Some((bar, known)), Some(found)) if *known == found => bar.right = right,
                (open, found) => {
                    self.shapes.extend(open.take().map(|(bar, texture)| FigureShape::Textured(bar, texture)));
                    *open = found.map(|found| (Bar { left, right, top, bottom }, found));
                }
            }
        }
        self.end_run(&mut run, number);
        self.shapes.extend(texture.map(|(bar, texture)| FigureShape::Textured(bar, texture)));
    }

    /// Adds the columns of a run as one shape and empties the run.
    fn end_run(&mut self, run: &mut Vec<Bar>, number: usize) {
        if !run.is_empty() {
            self.shapes.push(FigureShape::Bars(std::mem::take(run), Paint::Envelope(number)));
        }
    }
}

/// The width of a sample in the legend, in pixels.
pub(super) const SAMPLE_WIDTH: f64 = 20.0;
/// The height of a label, in pixels.
pub(super) const LABEL_HEIGHT: f64 = 11.0;

/// The end of the part of an axis that labels occupy.
pub(super) struct LabelSpace(f64);

impl LabelSpace {
    pub(super) fn new() -> Self {
        Self(f64::NEG_INFINITY)
    }

    /// Returns `true` if a label of length `long` fits around `middle`, `gap` after the one before. Then the label
    /// occupies the place.
    pub(super) fn try_occupy(&mut self, middle: f64, long: f64, gap: f64) -> bool {
        let is_free = middle - long / 2.0 >= self.0 + gap;
        if is_free {
            self.0 = middle + long / 2.0;
        }
        is_free
    }
}
