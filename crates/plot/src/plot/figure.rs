//! The picture: where everything of a plot lies on a rectangle, in pixels. The renderers draw it as it stands.
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

/// What a shape is painted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Letters and frames.
    Label,
    /// Lines behind the envelopes.
    Grid,
    /// An envelope, by its number.
    Envelope(usize),
}

/// A pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texture {
    /// Not shown to be defined.
    Undefined,
    /// Not known.
    Unknown,
}

/// Which end of a text lies at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The left one.
    Start,
    /// The middle.
    Middle,
    /// The right one.
    End,
}

/// A rectangle with sides parallel to the axes; y grows downward.
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

/// Something to draw.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Rectangles side by side, from left to right, filled together.
    Bars(Vec<Bar>, Ink),
    /// A straight line.
    Line([f64; 2], [f64; 2], Ink),
    /// A filled triangle.
    Triangle([[f64; 2]; 3], Ink),
    /// A rectangle with a pattern.
    Textured(Bar, Texture),
    /// A rectangle that is divided evenly into squares of one colour each: how many there are in a row, and their colours in red,
    /// green and blue, row by row from the uppermost.
    Raster(Bar, u32, Vec<[u8; 3]>),
    /// A line of letters; the place is on their base line.
    Text([f64; 2], Anchor, Ink, String),
}

/// A picture; see the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// What is drawn, in this order.
    pub shapes: Vec<Shape>,
}

/// The width of a letter, at a size of 12 pixels.
pub const LETTER: f64 = 7.22;
/// The height of a line of letters.
pub(super) const LINE: f64 = 17.0;
/// What is left free at the sides.
pub(super) const MARGIN: f64 = 12.0;
/// The width of a picture, where none is asked for.
pub const USUAL_WIDTH: u32 = 800;
/// The least width and height of a picture.
pub const LEAST: u32 = 160;
/// The least height of a panel.
const LEAST_PANEL: f64 = 12.0;
/// The greatest width and height.
pub const MOST: u32 = 4_000;

/// The height of a picture with this many panels, where none is asked for.
#[must_use]
pub fn usual_height(panels: usize) -> u32 {
    140 + 240 * panels as u32
}

/// The rows of pixels that one of several panels has in a picture: what [`Request::rows`] should be.
#[must_use]
pub fn rows(height: u32, panels: usize) -> u32 {
    panel_height(height, panels, false, 0.0).ceil() as u32
}

/// What is not panel: the heads of panels, and `notes` lines under the labels of the horizontal axis.
fn around(panels: usize, headed: bool, notes: f64) -> f64 {
    let heads = if headed { LINE * 1.5 * panels as f64 } else { 0.0 };
    MARGIN * 2.0 + LINE * (2.2 + 1.2 * notes) + heads
}

/// The height of a panel.
fn panel_height(height: u32, panels: usize, headed: bool, notes: f64) -> f64 {
    ((f64::from(height) - around(panels, headed, notes)) / panels as f64).max(LEAST_PANEL)
}

impl Figure {
    /// The picture of a plot; higher than asked for where its panels would not fit.
    #[must_use]
    pub fn new(plot: &Plot, width: u32, height: u32) -> Self {
        let [width, height] = [width, height].map(|n| n.clamp(LEAST, MOST));
        let count = plot.envelopes.len().max(1);
        let named = count > 1 || plot.envelopes.iter().any(|e| e.order > 0);
        let entries = Entries::of(plot);
        let across = Axis::new(&plot.request.from, &plot.request.to, 2);
        let legend = entries.lines(f64::from(width) - 2.0 * MARGIN);
        let notes = legend.len() as f64 + f64::from(u8::from(across.base.is_some()));
        let axes = |tall: f64| -> Vec<Axis> {
            let most = ((tall / (LINE * 1.8)) as u32).clamp(3, 12);
            plot.envelopes.iter().map(|e| Axis::new(&e.window.low, &e.window.high, most)).collect()
        };
        let headed = named || axes(panel_height(height, count, true, notes)).iter().any(|a| a.base.is_some());
        let least = around(count, headed, notes) + LEAST_PANEL * count as f64;
        let height = height.max(least.ceil() as u32);
        let tall = panel_height(height, count, headed, notes);
        let axes = axes(tall);
        let longest = axes.iter().flat_map(|a| &a.ticks).map(|t| t.label.chars().count()).max().unwrap_or(0);
        let mut drawing = Drawing {
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

/// The source in one line of at most `room` letters.
pub(super) fn cut(source: &str, room: usize) -> String {
    let words = source.split_whitespace().collect::<Vec<_>>().join(" ");
    let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if words.chars().count() <= room {
        return words;
    }
    words.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}

#[derive(Clone, Copy)]
struct Panel {
    top: f64,
    bottom: f64,
    number: usize,
}

struct Drawing {
    left: f64,
    right: f64,
    shapes: Vec<Shape>,
}

impl Drawing {
    fn text(&mut self, at: [f64; 2], anchor: Anchor, ink: Ink, text: String) {
        self.shapes.push(Shape::Text(at, anchor, ink, text));
    }

    fn x(&self, at: &Rational, request: &Request) -> f64 {
        let place = Rational::from(at - &request.from) / Rational::from(&request.to - &request.from);
        self.left + place.to_f64() * (self.right - self.left)
    }

    fn panel(&mut self, panel: Panel, envelope: &Envelope, axis: &Axis, request: &Request, is_last: bool) {
        let Panel { top, bottom, number } = panel;
        let window = &envelope.window;
        let mut free = Free::new();
        for Tick { at, label } in &axis.ticks {
            let place = Rational::from(at - &window.low) / window.height();
            let y = bottom - place.to_f64() * (bottom - top);
            let ink = if *at == 0 { Ink::Label } else { Ink::Grid };
            self.shapes.push(Shape::Line([self.left, y], [self.right, y], ink));
            if free.takes(bottom - y, HIGH, 0.0) {
                self.text([self.left - 6.0, y + 4.0], Anchor::End, Ink::Label, label.clone());
            }
        }
        self.across(panel, request, is_last);
        self.columns(panel, envelope, request);
        self.kinks(panel, envelope, request);
        self.marks(panel, envelope, request);
        let corners =
            [[self.left, top], [self.right, top], [self.right, bottom], [self.left, bottom], [self.left, top]];
        self.shapes.extend(corners.windows(2).map(|c| Shape::Line(c[0], c[1], Ink::Label)));
        self.beyond(panel, envelope, request, Ink::Envelope(number));
    }

    /// The horizontal axis of a panel; its labels where the panel is the last.
    fn across(&mut self, Panel { top, bottom, .. }: Panel, request: &Request, is_last: bool) {
        let wide = self.right - self.left;
        let written = written(&request.from).chars().count().max(written(&request.to).chars().count()).clamp(4, 12);
        let most = ((wide / (LETTER * (written as f64 + 4.0))) as u32).clamp(2, 12);
        let axis = Axis::new(&request.from, &request.to, most);
        let mut free = Free::new();
        for Tick { at, label } in &axis.ticks {
            let x = self.x(at, request);
            let ink = if *at == 0 { Ink::Label } else { Ink::Grid };
            self.shapes.push(Shape::Line([x, top], [x, bottom], ink));
            let long = LETTER * label.chars().count() as f64;
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

    /// The envelope, as runs of columns that have one, and textures where there is none.
    fn columns(&mut self, Panel { top, bottom, number }: Panel, envelope: &Envelope, request: &Request) {
        let mut run: Vec<Bar> = Vec::new();
        let mut texture: Option<(Bar, Texture)> = None;
        let borders: Vec<&Rational> =
            envelope.marks.iter().filter_map(|mark| if let Mark::Border(x) = mark { Some(x) } else { None }).collect();
        for column in &envelope.columns {
            let [left, right] = column.x.each_ref().map(|x| self.x(x, request));
            // what is on two sides of a border is not joined
            if borders.binary_search(&&column.x[0]).is_ok() {
                self.end_run(&mut run, number);
            }
            let found = match &column.values {
                Values::Within(range) => {
                    let place = envelope.window.place(range);
                    let [low, high] = place.map(|y| bottom - y * (bottom - top));
                    let bar = Bar { left, right, top: high.max(top), bottom: low.min(bottom) };
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

    fn end_run(&mut self, run: &mut Vec<Bar>, number: usize) {
        if !run.is_empty() {
            self.shapes.push(Shape::Bars(std::mem::take(run), Ink::Envelope(number)));
        }
    }
}

/// The width of a sample in the legend.
pub(super) const SAMPLE: f64 = 20.0;
/// The height that a label needs.
pub(super) const HIGH: f64 = 11.0;

/// The end of what labels have taken of an axis.
pub(super) struct Free(f64);

impl Free {
    pub(super) fn new() -> Self {
        Self(f64::NEG_INFINITY)
    }

    /// Whether a label of this length has room round a place, `gap` behind the one before; then the room is taken.
    pub(super) fn takes(&mut self, middle: f64, long: f64, gap: f64) -> bool {
        let is_free = middle - long / 2.0 >= self.0 + gap;
        if is_free {
            self.0 = middle + long / 2.0;
        }
        is_free
    }
}
