//! The picture of a plot: where everything lies on a rectangle, in pixels. The renderers draw it as it stands.
//!
//! A column is drawn from its left border to its right one, and from the lower end of its enclosure to the upper one,
//! rounded outward: the filled shape contains the graph. Colours are of middle brightness, so that a picture without a
//! background can be read on white and on black.
//!
//! # Marks over an envelope
//!
//! Kinks, the borders and ends of pieces, and the places where it leaves the picture.
//!
//! # The legend of a plot
//!
//! The marks that occur and their meanings, in lines that fit the picture.

use super::axis::{Axis, Tick, elide_middle, format_exact};
use super::pieces::PieceMark;
use super::{CertifiedPlot, ColumnValues, Envelope, PlotRequest, derivative_symbol};
use crate::number::{Enclosure, Rational};

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
        drawing.shapes.extend(legend_shapes(&legend, [drawing.left, drawing.right], f64::from(height) - MARGIN));
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

/// Half of the width of a mark, in pixels. A choice, as are the next two.
const MARK_HALF_WIDTH: f64 = 3.5;
/// The half width of the bar of a kink, the half width of its caps, and the height of these, in pixels.
const KINK_SIZES: [f64; 3] = [1.5, 5.0, 2.0];
/// The distance of the marks along a run of columns that leaves the picture, in pixels.
const MARK_DISTANCE: f64 = 28.0;

impl FigureBuilder {
    /// Draws a bar with caps over each column with a kink. Two columns that share the kink get one bar.
    fn draw_kinks(
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
    fn draw_marks(
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
    fn draw_overflow_marks(
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

pub(super) const KINK: &str = "all values at a kink, a set";
pub(super) const BEYOND: &str = "goes on beyond the picture";
pub(super) const UNDEFINED: &str = "not shown to be defined";

/// A mark of the legend.
#[derive(Clone, Copy)]
enum LegendMark {
    Kink,
    Beyond,
    Texture(Texture),
}

/// A mark and its meaning: one entry of the legend.
pub(super) struct LegendEntry {
    sample: LegendMark,
    text: &'static str,
}

impl LegendEntry {
    /// Returns the width of the entry with the gap behind it, in pixels.
    fn entry_width(&self) -> f64 {
        SAMPLE_WIDTH + LETTER_WIDTH * (self.text.chars().count() + 3) as f64
    }
}

/// The marks that occur in a plot.
#[derive(Clone, Copy)]
pub(super) struct PlotLegend {
    kink: bool,
    beyond: bool,
    undefined: bool,
    unknown: bool,
}

impl PlotLegend {
    /// Collects the marks that occur in `plot`.
    pub(super) fn of_plot(plot: &CertifiedPlot) -> Self {
        let mut entries = Self { kink: false, beyond: false, undefined: false, unknown: false };
        for envelope in &plot.envelopes {
            for column in &envelope.columns {
                entries.kink |= envelope.visible_kink(column).is_some();
                match &column.values {
                    ColumnValues::Within(range) => entries.beyond |= beyond_window(envelope, range).contains(&true),
                    ColumnValues::Undefined => entries.undefined = true,
                    ColumnValues::Unknown => entries.unknown = true,
                }
            }
        }
        entries
    }

    /// Returns the entries of the marks that occur, in lines no longer than `room` pixels. A single entry may be
    /// longer.
    pub(super) fn layout_lines(self, room: f64) -> Vec<Vec<LegendEntry>> {
        let all = [
            (self.kink, LegendMark::Kink, KINK),
            (self.beyond, LegendMark::Beyond, BEYOND),
            (self.undefined, LegendMark::Texture(Texture::Undefined), UNDEFINED),
            (self.unknown, LegendMark::Texture(Texture::Unknown), "not known"),
        ];
        let mut lines: Vec<Vec<LegendEntry>> = Vec::new();
        // A full line: the first entry then begins a new one.
        let mut taken = room;
        for (_, sample, text) in all.into_iter().filter(|(occurs, ..)| *occurs) {
            let entry = LegendEntry { sample, text };
            // The gap behind the last entry of a line is free.
            if taken + entry.entry_width() > room + 3.0 * LETTER_WIDTH {
                lines.push(Vec::new());
                taken = 0.0;
            }
            taken += entry.entry_width();
            if let Some(line) = lines.last_mut() {
                line.push(entry);
            }
        }
        lines
    }
}

/// Draws the lines of the legend between two sides, the last one at the height `last`.
pub(super) fn legend_shapes(lines: &[Vec<LegendEntry>], [left, right]: [f64; 2], last: f64) -> Vec<FigureShape> {
    let mut shapes = Vec::new();
    for (line, above) in lines.iter().zip((0..lines.len()).rev()) {
        let base = last - LINE_HEIGHT * 1.2 * above as f64;
        // A line that is too long for the panels begins at the margin, left of them.
        let long = line.iter().map(LegendEntry::entry_width).sum::<f64>();
        let mut x = if left + long <= right { left } else { MARGIN };
        for entry in line {
            match entry.sample {
                LegendMark::Kink => shapes.extend(kink_shapes(x + 7.0, [base - 10.0, base], Paint::Label)),
                LegendMark::Texture(texture) => {
                    shapes.push(FigureShape::Textured(
                        Bar { left: x, right: x + 14.0, top: base - 10.0, bottom: base },
                        texture,
                    ));
                }
                LegendMark::Beyond => shapes.push(FigureShape::Triangle(
                    [[x + 2.0, base], [x + 12.0, base], [x + 7.0, base - 8.0]],
                    Paint::Envelope(0),
                )),
            }
            let room = ((right + MARGIN - x - SAMPLE_WIDTH) / LETTER_WIDTH) as usize;
            shapes.push(FigureShape::Text(
                [x + SAMPLE_WIDTH, base],
                Anchor::Start,
                Paint::Label,
                shorten_source(entry.text, room),
            ));
            x += entry.entry_width();
        }
    }
    shapes
}

/// Returns whether values may lie below and above the window. A billionth of its height is tolerated, since positions
/// are rounded outward.
pub(super) fn beyond_window(envelope: &Envelope, range: &Enclosure) -> [bool; 2] {
    let [low, high] = envelope.window.position_of(range);
    [low < -1e-9, high > 1.0 + 1e-9]
}
