//! The picture of a plot: where everything lies on a rectangle, in pixels. The renderers draw it as it stands.
//!
//! A column is drawn from its left border to its right one, and from the lower end of its enclosure to the upper one,
//! rounded outward: the filled shape contains the graph. Colours are of middle brightness, so that a picture without a
//! background can be read on white and on black.

mod marks;

pub(super) use marks::kink;

use super::axis::{Axis, Tick, shortened};
use super::grid::written;
use super::legend::{self, Entries};
use super::pieces::Mark;
use super::{Envelope, Plot, Request, Values, symbol};
use crate::number::Rational;

/// The paint of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
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
pub enum Shape {
    /// Rectangles side by side, from left to right, filled as one region.
    Bars(Vec<Bar>, Ink),
    /// A straight line.
    Line([f64; 2], [f64; 2], Ink),
    /// A filled triangle.
    Triangle([[f64; 2]; 3], Ink),
    /// A rectangle with a pattern.
    Textured(Bar, Texture),
    /// A rectangle that is divided evenly into squares of one colour each. The fields are the rectangle, the number
    /// of squares in a row, and the colours (red, green, blue) row by row from the uppermost.
    Raster(Bar, u32, Vec<[u8; 3]>),
    /// A line of letters; the position lies on the base line.
    Text([f64; 2], Anchor, Ink, String),
}

/// A picture; see the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The shapes, in the order in which they are drawn.
    pub shapes: Vec<Shape>,
}

/// The width of a letter at a size of 12 pixels, in pixels. It is that of the usual monospaced fonts, 0.602 of the
/// size.
pub const LETTER: f64 = 7.22;
/// The height of a line of letters, in pixels.
pub(super) const LINE: f64 = 17.0;
/// The margin at the sides, in pixels.
pub(super) const MARGIN: f64 = 12.0;
/// The default width of a picture, in pixels.
pub const USUAL_WIDTH: u32 = 800;
/// The least width and height of a picture, in pixels.
pub const LEAST: u32 = 160;
/// The least height of a panel, in pixels. A choice: a lower one shows no shape.
const LEAST_PANEL: f64 = 12.0;
/// The greatest width and height of a picture, in pixels.
pub const MOST: u32 = 4_000;

/// Returns the default height of a picture with `panels` panels, in pixels.
#[must_use]
pub fn usual_height(panels: usize) -> u32 {
    140 + 240 * panels as u32
}

/// Returns the rows of pixels of one of several panels in a picture. It is the right value of [`Request::rows`].
#[must_use]
pub fn rows(height: u32, panels: usize) -> u32 {
    panel_height(height, panels, false, 0.0).ceil() as u32
}

/// Returns the height outside of the panels: the heads of panels, and `notes` lines under the labels of the
/// horizontal axis.
fn around(panels: usize, headed: bool, notes: f64) -> f64 {
    let heads = if headed { LINE * 1.5 * panels as f64 } else { 0.0 };
    MARGIN * 2.0 + LINE * (2.2 + 1.2 * notes) + heads
}

/// Returns the height of a panel, in pixels.
fn panel_height(height: u32, panels: usize, headed: bool, notes: f64) -> f64 {
    ((f64::from(height) - around(panels, headed, notes)) / panels as f64).max(LEAST_PANEL)
}

impl Figure {
    /// Draws a plot. The picture is higher than `height` if its panels would not fit.
    #[must_use]
    pub fn new(plot: &Plot, width: u32, height: u32) -> Self {
        let [width, height] = [width, height].map(|n| n.clamp(LEAST, MOST));
        let count = plot.envelopes.len().max(1);
        // A single panel of the function itself needs no name.
        let named = count > 1 || plot.envelopes.iter().any(|e| e.order > 0);
        let entries = Entries::of(plot);
        let across = Axis::new(&plot.request.from, &plot.request.to, 2);
        let legend = entries.lines(f64::from(width) - 2.0 * MARGIN);
        // A base of the horizontal axis takes one more line under the labels.
        let notes = legend.len() as f64 + f64::from(u8::from(across.base.is_some()));
        let axes = |tall: f64| -> Vec<Axis> {
            let most = ((tall / (LINE * 1.8)) as u32).clamp(3, 12);
            plot.envelopes.iter().map(|e| Axis::new(&e.window.low, &e.window.high, most)).collect()
        };
        // Heads make panels lower, and lower panels have fewer ticks. So the test uses the height with heads: a base
        // then always has room.
        let headed = named || axes(panel_height(height, count, true, notes)).iter().any(|a| a.base.is_some());
        let least = around(count, headed, notes) + LEAST_PANEL * count as f64;
        let height = height.max(least.ceil() as u32);
        let tall = panel_height(height, count, headed, notes);
        let axes = axes(tall);
        let longest = axes.iter().flat_map(|a| &a.ticks).map(|t| t.label.chars().count()).max().unwrap_or(0);
        let mut drawing = Drawing {
            // Long labels may take at most half of the width.
            left: (MARGIN + LETTER * longest as f64 + 8.0).min(f64::from(width) / 2.0),
            right: f64::from(width) - MARGIN - 4.0,
            shapes: Vec::new(),
        };
        let room = ((drawing.right - MARGIN) / LETTER) as usize;
        drawing.text([MARGIN, MARGIN + 11.0], Anchor::Start, Ink::Label, cut(plot.title(), room));
        let mut top = MARGIN + LINE * 1.3;
        for (number, (envelope, axis)) in plot.envelopes.iter().zip(&axes).enumerate() {
            if named {
                let name = symbol(envelope.order, false);
                drawing.text([drawing.left, top + 12.0], Anchor::Start, Ink::Envelope(number), name);
            }
            if let Some(base) = &axis.base {
                let base = shortened(base, room.saturating_sub(longest + 34).max(9));
                drawing.text([drawing.right, top + 12.0], Anchor::End, Ink::Label, format!("counted from {base}"));
            }
            top += if headed { LINE * 1.1 } else { 0.0 };
            let panel = Panel { top, bottom: top + tall, number };
            drawing.panel(panel, envelope, axis, &plot.request, number + 1 == plot.envelopes.len());
            top += tall + if headed { LINE * 0.4 } else { 0.0 };
        }
        drawing.shapes.extend(legend::shapes(&legend, [drawing.left, drawing.right], f64::from(height) - MARGIN));
        Self { width, height, shapes: drawing.shapes }
    }
}

/// Returns the source in one line of at most `room` letters.
pub(super) fn cut(source: &str, room: usize) -> String {
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
struct Panel {
    top: f64,
    bottom: f64,
    number: usize,
}

/// A picture while it is drawn: the sides of its panels, and the shapes so far.
struct Drawing {
    left: f64,
    right: f64,
    shapes: Vec<Shape>,
}

impl Drawing {
    fn text(&mut self, at: [f64; 2], anchor: Anchor, ink: Ink, text: String) {
        self.shapes.push(Shape::Text(at, anchor, ink, text));
    }

    /// Returns the horizontal position of a number, in pixels. The quotient is exact, so long ends lose no digits.
    fn x(&self, at: &Rational, request: &Request) -> f64 {
        let place = Rational::from(at - &request.from) / Rational::from(&request.to - &request.from);
        self.left + place.to_f64() * (self.right - self.left)
    }

    /// Draws a panel: the grid, the envelope, its marks, and the frame.
    fn panel(&mut self, panel: Panel, envelope: &Envelope, axis: &Axis, request: &Request, is_last: bool) {
        let Panel { top, bottom, number } = panel;
        let window = &envelope.window;
        let mut free = Free::new();
        for Tick { at, label } in &axis.ticks {
            let place = Rational::from(at - &window.low) / window.height();
            let y = bottom - place.to_f64() * (bottom - top);
            // The axes themselves are drawn darker than the rest of the grid.
            let ink = if *at == 0 { Ink::Label } else { Ink::Grid };
            self.shapes.push(Shape::Line([self.left, y], [self.right, y], ink));
            if free.takes(bottom - y, HIGH, 0.0) {
                self.text([self.left - 6.0, y + 4.0], Anchor::End, Ink::Label, label.clone());
            }
        }
        // Later shapes cover earlier ones, so marks come after the columns, and the frame after all that it bounds.
        self.across(panel, request, is_last);
        self.columns(panel, envelope, request);
        self.kinks(panel, envelope, request);
        self.marks(panel, envelope, request);
        let corners =
            [[self.left, top], [self.right, top], [self.right, bottom], [self.left, bottom], [self.left, top]];
        self.shapes.extend(corners.windows(2).map(|c| Shape::Line(c[0], c[1], Ink::Label)));
        self.beyond(panel, envelope, request, Ink::Envelope(number));
    }

    /// Draws the horizontal axis of a panel, and its labels if the panel is the last.
    fn across(&mut self, Panel { top, bottom, .. }: Panel, request: &Request, is_last: bool) {
        let wide = self.right - self.left;
        // The ends of the axis tell how long its labels will be; the number of ticks follows from it.
        let written = written(&request.from).chars().count().max(written(&request.to).chars().count()).clamp(4, 12);
        let most = ((wide / (LETTER * (written as f64 + 4.0))) as u32).clamp(2, 12);
        let axis = Axis::new(&request.from, &request.to, most);
        let mut free = Free::new();
        for Tick { at, label } in &axis.ticks {
            let x = self.x(at, request);
            let ink = if *at == 0 { Ink::Label } else { Ink::Grid };
            self.shapes.push(Shape::Line([x, top], [x, bottom], ink));
            let long = LETTER * label.chars().count() as f64;
            // The last label may not leave the picture at the right.
            let middle = x.min(self.right + MARGIN - long / 2.0);
            if is_last && free.takes(middle, long, LETTER) {
                self.text([middle, bottom + LINE], Anchor::Middle, Ink::Label, label.clone());
            }
        }
        if let (true, Some(base)) = (is_last, &axis.base) {
            let room = (wide / LETTER) as usize;
            let text = format!("x is counted from {}", shortened(base, room.saturating_sub(18).max(9)));
            self.text([self.right, bottom + LINE * 1.9], Anchor::End, Ink::Label, text);
        }
    }

    /// Draws the envelope: runs of columns that have an enclosure, and textures for the others.
    fn columns(&mut self, Panel { top, bottom, number }: Panel, envelope: &Envelope, request: &Request) {
        let mut run: Vec<Bar> = Vec::new();
        let mut texture: Option<(Bar, Texture)> = None;
        let borders: Vec<&Rational> =
            envelope.marks.iter().filter_map(|mark| if let Mark::Border(x) = mark { Some(x) } else { None }).collect();
        for column in &envelope.columns {
            let [left, right] = column.x.each_ref().map(|x| self.x(x, request));
            // Columns on two sides of a border of pieces are not joined: the function may jump there.
            if borders.binary_search(&&column.x[0]).is_ok() {
                self.end_run(&mut run, number);
            }
            let found = match &column.values {
                Values::Within(range) => {
                    let place = envelope.window.place(range);
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
                Values::Undefined => Some(Texture::Undefined),
                Values::Unknown => Some(Texture::Unknown),
            };
            if found.is_some() {
                self.end_run(&mut run, number);
            }
            match (&mut texture, found) {
                // Neighbouring columns with one texture form one rectangle, so that the pattern has no seams.
                (Some((bar, known)), Some(found)) if *known == found => bar.right = right,
                (open, found) => {
                    self.shapes.extend(open.take().map(|(bar, texture)| Shape::Textured(bar, texture)));
                    *open = found.map(|found| (Bar { left, right, top, bottom }, found));
                }
            }
        }
        self.end_run(&mut run, number);
        self.shapes.extend(texture.map(|(bar, texture)| Shape::Textured(bar, texture)));
    }

    /// Adds the columns of a run as one shape and empties the run.
    fn end_run(&mut self, run: &mut Vec<Bar>, number: usize) {
        if !run.is_empty() {
            self.shapes.push(Shape::Bars(std::mem::take(run), Ink::Envelope(number)));
        }
    }
}

/// The width of a sample in the legend, in pixels.
pub(super) const SAMPLE: f64 = 20.0;
/// The height of a label, in pixels.
pub(super) const HIGH: f64 = 11.0;

/// The end of the part of an axis that labels occupy.
pub(super) struct Free(f64);

impl Free {
    pub(super) fn new() -> Self {
        Self(f64::NEG_INFINITY)
    }

    /// Returns `true` if a label of length `long` fits around `middle`, `gap` after the one before. Then the label
    /// occupies the place.
    pub(super) fn takes(&mut self, middle: f64, long: f64, gap: f64) -> bool {
        let is_free = middle - long / 2.0 >= self.0 + gap;
        if is_free {
            self.0 = middle + long / 2.0;
        }
        is_free
    }
}
