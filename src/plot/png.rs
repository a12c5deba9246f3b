//! A picture as PNG, on white.

use super::column::raised;
use super::figure::{Anchor, Bar, Figure, Ink, LETTER, Shape, Texture};
use super::svg::{GRID_OPACITY, colour};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};

/// The picture as the bytes of a PNG file.
///
/// # Errors
/// Those of the encoder, which an in-memory file does not give.
pub fn render(figure: &Figure) -> Result<Vec<u8>, png::EncodingError> {
    let mut canvas = Canvas::new(figure.width as usize, figure.height as usize);
    for shape in &figure.shapes {
        canvas.draw(shape);
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, figure.width, figure.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// How far a shape is drawn beyond its outline, so that a thin envelope is seen.
const STROKE: f64 = 0.75;

struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![255; width * height * 3] }
    }

    fn blend(&mut self, x: usize, y: usize, ink: Ink, share: f64) {
        if x < self.width && y < self.height {
            let at = (y * self.width + x) * 3;
            for (ground, ink) in self.pixels[at..at + 3].iter_mut().zip(colour(ink)) {
                let mixed = f64::from(*ground) + (f64::from(ink) - f64::from(*ground)) * share.clamp(0.0, 1.0);
                *ground = mixed.round() as u8;
            }
        }
    }

    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Bars(bars, ink) => self.bars(bars, *ink),
            Shape::Line(a, b, ink) => {
                let share = if *ink == Ink::Grid { GRID_OPACITY } else { 0.8 };
                let [left, right] = [a[0].min(b[0]), a[0].max(b[0])].map(|x| x.floor() as usize);
                let [top, bottom] = [a[1].min(b[1]), a[1].max(b[1])].map(|y| y.floor() as usize);
                (top..=bottom).for_each(|y| (left..=right).for_each(|x| self.blend(x, y, *ink, share)));
            }
            Shape::Triangle(corners, ink) => self.triangle(corners, *ink),
            Shape::Textured(bar, texture) => self.texture(*bar, *texture),
            Shape::Raster(place, columns, colours) => self.raster(*place, *columns as usize, colours),
            Shape::Text(at, anchor, ink, text) => self.text(*at, *anchor, *ink, text),
        }
    }

    /// Bars, each pixel by the share of it that they cover together.
    fn bars(&mut self, bars: &[Bar], ink: Ink) {
        let (Some(first), Some(last)) = (bars.first(), bars.last()) else { return };
        let across = pixels(first.left - STROKE, last.right + STROKE, self.width);
        let mut covered = vec![0f32; across.len() * self.height];
        for bar in bars {
            let (left, right) = (bar.left - STROKE, bar.right + STROKE);
            let (top, bottom) = (bar.top - STROKE, bar.bottom + STROKE);
            for y in pixels(top, bottom, self.height) {
                for x in pixels(left, right, self.width) {
                    let share = overlap(x, left, right) * overlap(y, top, bottom);
                    let known = &mut covered[y * across.len() + (x - across.start)];
                    // neighbours overlap by the stroke: what both cover counts once
                    *known = known.max(share as f32);
                }
            }
        }
        for y in 0..self.height {
            for x in across.clone() {
                let share = covered[y * across.len() + (x - across.start)];
                if share > 0.0 {
                    self.blend(x, y, ink, share.into());
                }
            }
        }
    }

    fn triangle(&mut self, corners: &[[f64; 2]; 3], ink: Ink) {
        let [[ax, ay], [bx, by], [cx, cy]] = *corners;
        let side = |x0: f64, y0: f64, x1: f64, y1: f64, x: f64, y: f64| (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
        for y in pixels(ay.min(by).min(cy), ay.max(by).max(cy), self.height) {
            for x in pixels(ax.min(bx).min(cx), ax.max(bx).max(cx), self.width) {
                let inside = (0..16).filter(|i| {
                    let (px, py) =
                        (x as f64 + f64::from(i % 4) / 4.0 + 0.125, y as f64 + f64::from(i / 4) / 4.0 + 0.125);
                    let sides =
                        [side(ax, ay, bx, by, px, py), side(bx, by, cx, cy, px, py), side(cx, cy, ax, ay, px, py)];
                    sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0)
                });
                let share = inside.count() as f64 / 16.0;
                self.blend(x, y, ink, share);
            }
        }
    }

    fn raster(&mut self, Bar { left, right, top, bottom }: Bar, columns: usize, colours: &[[u8; 3]]) {
        let rows = colours.len() / columns.max(1);
        let [left, right, top, bottom] = [left, right, top, bottom].map(|x| x.round().max(0.0));
        for y in pixels(top, bottom, self.height) {
            for x in pixels(left, right, self.width) {
                let place = |at: usize, from: f64, to: f64, count: usize| {
                    (((at as f64 + 0.5 - from) / (to - from) * count as f64) as usize).min(count.saturating_sub(1))
                };
                let (i, j) = (place(x, left, right, columns), place(y, top, bottom, rows));
                let at = (y * self.width + x) * 3;
                self.pixels[at..at + 3].copy_from_slice(&colours[j * columns + i]);
            }
        }
    }

    fn texture(&mut self, Bar { left, right, top, bottom }: Bar, texture: Texture) {
        for y in pixels(top, bottom, self.height) {
            for x in pixels(left, right, self.width) {
                let share = match texture {
                    Texture::Undefined => [0.9, 0.5, 0.2, 0.2, 0.2, 0.2, 0.5][(x + y) % 7],
                    Texture::Unknown => {
                        if x % 6 < 2 && y % 6 < 2 {
                            0.7
                        } else {
                            0.0
                        }
                    }
                };
                self.blend(x, y, Ink::Label, share * overlap(x, left, right));
            }
        }
    }

    fn text(&mut self, at: [f64; 2], anchor: Anchor, ink: Ink, text: &str) {
        let letters: Vec<char> = text.chars().flat_map(|c| spelled(c).chars().collect::<Vec<_>>()).collect();
        let long = letters.len() as f64 * LETTER;
        let start = match anchor {
            Anchor::Start => at[0],
            Anchor::Middle => at[0] - long / 2.0,
            Anchor::End => at[0] - long,
        };
        // the base line of a letter lies four rows above the lower edge of its raster
        let top = at[1] - 13.0;
        for (i, letter) in letters.into_iter().enumerate() {
            let Some(raster) = get_raster(letter, FontWeight::Regular, RasterHeight::Size16) else { continue };
            let left = start + i as f64 * LETTER;
            for (dy, row) in raster.rows().enumerate() {
                for (dx, share) in row.iter().enumerate() {
                    let [x, y] = [left.round() + dx as f64, top.round() + dy as f64];
                    if x >= 0.0 && y >= 0.0 {
                        self.blend(x as usize, y as usize, ink, f64::from(*share) / 255.0 * 1.2);
                    }
                }
            }
        }
    }
}

/// A letter as the font can write it.
fn spelled(c: char) -> String {
    match c {
        'λ' => "\\".into(),
        '⇒' => "=>".into(),
        '→' => "->".into(),
        'ℜ' | 'ℝ' => "Real".into(),
        '…' => "...".into(),
        c if get_raster(c, FontWeight::Regular, RasterHeight::Size16).is_some() => c.into(),
        '′' => "'".into(),
        '″' => "''".into(),
        '‴' => "'''".into(),
        '⁽' => "(".into(),
        '⁾' => ")".into(),
        c => raised(c).map_or_else(|| "?".into(), |digit| digit.to_string()),
    }
}

/// The pixels that meet an interval.
fn pixels(from: f64, to: f64, most: usize) -> std::ops::Range<usize> {
    from.floor().max(0.0) as usize..(to.ceil().max(0.0) as usize).min(most)
}

/// How much of a pixel lies in an interval.
fn overlap(pixel: usize, from: f64, to: f64) -> f64 {
    let left = pixel as f64;
    (to.min(left + 1.0) - from.max(left)).clamp(0.0, 1.0)
}
