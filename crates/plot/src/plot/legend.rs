//! The legend of a plot: the marks that occur and their meanings, in lines that fit the picture.

use super::figure::{
    Anchor, Bar, FigureShape, LETTER_WIDTH, LINE_HEIGHT, MARGIN, Paint, SAMPLE_WIDTH, Texture, kink_shapes,
    shorten_source,
};
use super::{CertifiedPlot, ColumnValues, Envelope};
use crate::number::Enclosure;

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
