//! The legend of a plot: the marks that occur and their meanings, in lines that fit the picture.

use super::figure::{Anchor, Bar, Ink, LETTER, LINE, MARGIN, SAMPLE, Shape, Texture, cut, kink};
use super::{Envelope, Plot, Values};
use crate::number::Enclosure;

pub(super) const KINK: &str = "all values at a kink, a set";
pub(super) const BEYOND: &str = "goes on beyond the picture";
pub(super) const UNDEFINED: &str = "not shown to be defined";

/// A mark of the legend.
#[derive(Clone, Copy)]
enum Sample {
    Kink,
    Beyond,
    Texture(Texture),
}

/// A mark and its meaning: one entry of the legend.
pub(super) struct Entry {
    sample: Sample,
    text: &'static str,
}

impl Entry {
    /// Returns the width of the entry with the gap behind it, in pixels.
    fn width(&self) -> f64 {
        SAMPLE + LETTER * (self.text.chars().count() + 3) as f64
    }
}

/// The marks that occur in a plot.
#[derive(Clone, Copy)]
pub(super) struct Entries {
    kink: bool,
    beyond: bool,
    undefined: bool,
    unknown: bool,
}

impl Entries {
    /// Collects the marks that occur in `plot`.
    pub(super) fn of(plot: &Plot) -> Self {
        let mut entries = Self { kink: false, beyond: false, undefined: false, unknown: false };
        for envelope in &plot.envelopes {
            for column in &envelope.columns {
                entries.kink |= envelope.kink_shown(column).is_some();
                match &column.values {
                    Values::Within(range) => entries.beyond |= beyond(envelope, range).contains(&true),
                    Values::Undefined => entries.undefined = true,
                    Values::Unknown => entries.unknown = true,
                }
            }
        }
        entries
    }

    /// Returns the entries of the marks that occur, in lines no longer than `room` pixels. A single entry may be
    /// longer.
    pub(super) fn lines(self, room: f64) -> Vec<Vec<Entry>> {
        let all = [
            (self.kink, Sample::Kink, KINK),
            (self.beyond, Sample::Beyond, BEYOND),
            (self.undefined, Sample::Texture(Texture::Undefined), UNDEFINED),
            (self.unknown, Sample::Texture(Texture::Unknown), "not known"),
        ];
        let mut lines: Vec<Vec<Entry>> = Vec::new();
        // A full line: the first entry then begins a new one.
        let mut taken = room;
        for (_, sample, text) in all.into_iter().filter(|(occurs, ..)| *occurs) {
            let entry = Entry { sample, text };
            // The gap behind the last entry of a line is free.
            if taken + entry.width() > room + 3.0 * LETTER {
                lines.push(Vec::new());
                taken = 0.0;
            }
            taken += entry.width();
            if let Some(line) = lines.last_mut() {
                line.push(entry);
            }
        }
        lines
    }
}

/// Draws the lines of the legend between two sides, the last one at the height `last`.
pub(super) fn shapes(lines: &[Vec<Entry>], [left, right]: [f64; 2], last: f64) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (line, above) in lines.iter().zip((0..lines.len()).rev()) {
        let base = last - LINE * 1.2 * above as f64;
        // A line that is too long for the panels begins at the margin, left of them.
        let long = line.iter().map(Entry::width).sum::<f64>();
        let mut x = if left + long <= right { left } else { MARGIN };
        for entry in line {
            match entry.sample {
                Sample::Kink => shapes.extend(kink(x + 7.0, [base - 10.0, base], Ink::Label)),
                Sample::Texture(texture) => {
                    shapes.push(Shape::Textured(
                        Bar { left: x, right: x + 14.0, top: base - 10.0, bottom: base },
                        texture,
                    ));
                }
                Sample::Beyond => shapes.push(Shape::Triangle(
                    [[x + 2.0, base], [x + 12.0, base], [x + 7.0, base - 8.0]],
                    Ink::Envelope(0),
                )),
            }
            let room = ((right + MARGIN - x - SAMPLE) / LETTER) as usize;
            shapes.push(Shape::Text([x + SAMPLE, base], Anchor::Start, Ink::Label, cut(entry.text, room)));
            x += entry.width();
        }
    }
    shapes
}

/// Returns whether values may lie below and above the window. A billionth of its height is tolerated, since positions
/// are rounded outward.
pub(super) fn beyond(envelope: &Envelope, range: &Enclosure) -> [bool; 2] {
    let [low, high] = envelope.window.place(range);
    [low < -1e-9, high > 1.0 + 1e-9]
}
