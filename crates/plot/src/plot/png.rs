//! Rendering of a picture as PNG.

use super::density::superscript_digit;
use super::figure::{Anchor, Bar, Figure, FigureShape, LETTER_WIDTH, Paint, Texture};
use super::svg::{GRID_OPACITY, paint_colour};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};

/// The dots per inch at which a dot of the picture is a pixel of the layout.
pub const DEFAULT_DPI: u32 = 96;

/// The background of light pages.
pub const WHITE: [u8; 3] = [255; 3];
/// The background of dark pages.
pub const BLACK: [u8; 3] = [0; 3];

/// The resolution and the background of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PngPage {
    /// The dots per inch, at least 1.
    pub dpi: u32,
    /// The colour of the background: red, green and blue.
    pub ground: [u8; 3],
}

impl Default for PngPage {
    fn default() -> Self {
        Self { dpi: DEFAULT_DPI, ground: WHITE }
    }
}

/// Renders the picture as the bytes of a PNG file, on white, at 96 dots per inch.
///
/// # Errors
/// Errors of the encoder. Writing to memory gives none.
pub fn render_png(figure: &Figure) -> Result<Vec<u8>, png::EncodingError> {
    render_png_on(figure, PngPage::default())
}

/// Renders the picture as the bytes of a PNG file on a page. The printed size is the same at any resolution, letters
/// and lines included.
///
/// # Errors
/// Errors of the encoder. Writing to memory gives none.
pub fn render_png_on(figure: &Figure, PngPage { dpi, ground }: PngPage) -> Result<Vec<u8>, png::EncodingError> {
    let scale = f64::from(dpi) / f64::from(DEFAULT_DPI);
    let [width, height] = [figure.width, figure.height].map(|n| (f64::from(n) * scale).ceil().max(1.0) as u32);
    let mut canvas = Canvas::new([width as usize, height as usize], scale, ground);
    for shape in &figure.shapes {
        canvas.draw_shape(shape);
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // An inch is 0.0254 m, and PNG stores dots per metre.
    let to_metre = (f64::from(dpi) / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: to_metre, yppu: to_metre, unit: png::Unit::Meter }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// The width by which a shape is drawn beyond its outline, in pixels of the layout, so that a thin envelope is
/// visible. Half of the stroke in the SVG picture.
const STROKE: f64 = 0.75;

/// A bitmap, red, green and blue row by row from the uppermost.
struct Canvas {
    width: usize,
    height: usize,
    /// The number of dots per pixel of the layout.
    scale: f64,
    pixels: Vec<u8>,
}

impl Canvas {
    fn new([width, height]: [usize; 2], scale: f64, ground: [u8; 3]) -> Self {
        Self { width, height, scale, pixels: ground.repeat(width * height) }
    }

    /// Mixes paint into a dot, by the share of the dot that it covers.
    fn blend(&mut self, x: usize, y: usize, ink: Paint, share: f64) {
        if x < self.width && y < self.height {
            let at = (y * self.width + x) * 3;
            for (ground, ink) in self.pixels[at..at + 3].iter_mut().zip(paint_colour(ink)) {
                let mixed = f64::from(*ground) + (f64::from(ink) - f64::from(*ground)) * share.clamp(0.0, 1.0);
                *ground = mixed.round() as u8;
            }
        }
    }

    fn draw_shape(&mut self, shape: &FigureShape) {
        let scale = self.scale;
        let at = |[x, y]: [f64; 2]| [x * scale, y * scale];
        match shape {
            FigureShape::Bars(bars, ink) => {
                self.draw_bars(&bars.iter().map(|bar| scale_bar(*bar, scale)).collect::<Vec<_>>(), *ink)
            }
            FigureShape::Line(a, b, ink) => {
                let share = if *ink == Paint::Grid { GRID_OPACITY } else { 0.8 };
                let ([a, b], more) = ([*a, *b].map(at), (scale.round() as usize).saturating_sub(1));
                let [left, right] = [a[0].min(b[0]), a[0].max(b[0])].map(|x| x.floor() as usize);
                let [top, bottom] = [a[1].min(b[1]), a[1].max(b[1])].map(|y| y.floor() as usize);
                (top..=bottom + more).for_each(|y| (left..=right + more).for_each(|x| self.blend(x, y, *ink, share)));
            }
            FigureShape::Triangle(corners, ink) => self.fill_triangle(&corners.map(at), *ink),
            FigureShape::Textured(bar, texture) => self.draw_texture(scale_bar(*bar, scale), *texture),
            FigureShape::Raster(place, columns, colours) => {
                self.draw_raster(scale_bar(*place, scale), *columns as usize, colours)
            }
            FigureShape::Text(place, anchor, ink, text) => self.draw_text(at(*place), *anchor, *ink, text),
        }
    }

    /// Draws bars, each dot by the share of it that they cover together.
    fn draw_bars(&mut self, bars: &[Bar], ink: Paint) {
        let (Some(first), Some(last)) = (bars.first(), bars.last()) else { return };
        let stroke = STROKE * self.scale;
        let across = pixel_range(first.left - stroke, last.right + stroke, self.width);
        let mut covered = vec![0f32; across.len() * self.height];
        for bar in bars {
            let (left, right) = (bar.left - stroke, bar.right + stroke);
            let (top, bottom) = (bar.top - stroke, bar.bottom + stroke);
            for y in pixel_range(top, bottom, self.height) {
                for x in pixel_range(left, right, self.width) {
                    let share = covered_share(x, left, right) * covered_share(y, top, bottom);
                    let known = &mut covered[y * across.len() + (x - across.start)];
                    // Neighbours overlap by the stroke: a dot that both cover counts once, or seams would appear
                    // darker.
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

    /// Fills a triangle.
    fn fill_triangle(&mut self, corners: &[[f64; 2]; 3], ink: Paint) {
        let [[ax, ay], [bx, by], [cx, cy]] = *corners;
        let side = |x0: f64, y0: f64, x1: f64, y1: f64, x: f64, y: f64| (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
        for y in pixel_range(ay.min(by).min(cy), ay.max(by).max(cy), self.height) {
            for x in pixel_range(ax.min(bx).min(cx), ax.max(bx).max(cx), self.width) {
                // Sixteen samples per dot, on a grid of 4 × 4, smooth the sides.
                let inside = (0..16).filter(|i| {
                    let (px, py) =
                        (x as f64 + f64::from(i % 4) / 4.0 + 0.125, y as f64 + f64::from(i / 4) / 4.0 + 0.125);
                    let sides =
                        [side(ax, ay, bx, by, px, py), side(bx, by, cx, cy, px, py), side(cx, cy, ax, ay, px, py)];
                    // The corners may run either way round.
                    sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0)
                });
                let share = inside.count() as f64 / 16.0;
                self.blend(x, y, ink, share);
            }
        }
    }

    /// Draws a raster without smoothing: every dot has the colour of the square that contains its centre.
    fn draw_raster(&mut self, Bar { left, right, top, bottom }: Bar, columns: usize, colours: &[[u8; 3]]) {
        let rows = colours.len() / columns.max(1);
        // Sides on whole dots: squares of a raster must not mix with what is behind them.
        let [left, right, top, bottom] = [left, right, top, bottom].map(|x| x.round().max(0.0));
        for y in pixel_range(top, bottom, self.height) {
            for x in pixel_range(left, right, self.width) {
                let place = |at: usize, from: f64, to: f64, count: usize| {
                    (((at as f64 + 0.5 - from) / (to - from) * count as f64) as usize).min(count.saturating_sub(1))
                };
                let (i, j) = (place(x, left, right, columns), place(y, top, bottom, rows));
                let at = (y * self.width + x) * 3;
                self.pixels[at..at + 3].copy_from_slice(&colours[j * columns + i]);
            }
        }
    }

    /// Draws a pattern, whose parts grow with the resolution.
    fn draw_texture(&mut self, Bar { left, right, top, bottom }: Bar, texture: Texture) {
        for y in pixel_range(top, bottom, self.height) {
            for x in pixel_range(left, right, self.width) {
                let [i, j] = [x, y].map(|n| (n as f64 / self.scale) as usize);
                let share = match texture {
                    Texture::Undefined => [0.9, 0.5, 0.2, 0.2, 0.2, 0.2, 0.5][(i + j) % 7],
                    Texture::Unknown => {
                        if i % 6 < 2 && j % 6 < 2 {
                            0.7
                        } else {
                            0.0
                        }
                    }
                };
                self.blend(x, y, Paint::Label, share * covered_share(x, left, right));
            }
        }
    }

    /// Draws a line of letters.
    fn draw_text(&mut self, at: [f64; 2], anchor: Anchor, ink: Paint, text: &str) {
        let letters: Vec<char> = text.chars().flat_map(|c| spell_letter(c).chars().collect::<Vec<_>>()).collect();
        let letter = LETTER_WIDTH * self.scale;
        let long = letters.len() as f64 * letter;
        let start = match anchor {
            Anchor::Start => at[0],
            Anchor::Middle => at[0] - long / 2.0,
            Anchor::End => at[0] - long,
        };
        // The base line of a letter lies 13 rows below the upper edge of its raster of 16 rows.
        let top = (at[1] - 13.0 * self.scale).round();
        // The larger raster is only needed if dots are smaller than those of the smaller one.
        let height = if self.scale > 1.0 { RasterHeight::Size32 } else { RasterHeight::Size16 };
        // The number of rows of the raster in a row of dots.
        let step = height.val() as f64 / (16.0 * self.scale);
        for (i, c) in letters.into_iter().enumerate() {
            let Some(raster) = get_raster(c, FontWeight::Regular, height) else { continue };
            let left = (start + i as f64 * letter).round();
            let rows: Vec<&[u8]> = raster.rows().collect();
            let wide = rows.first().map_or(0, |row| row.len());
            let (wide, high) = ((wide as f64 / step).ceil() as usize, (16.0 * self.scale).ceil() as usize);
            for dy in 0..high {
                for dx in 0..wide {
                    let share = mean_over(&rows, [dx, dy].map(|n| [n as f64 * step, (n + 1) as f64 * step]));
                    let [x, y] = [left + dx as f64, top + dy as f64];
                    if share > 0.0 && x >= 0.0 && y >= 0.0 {
                        // A factor of 1.2 strengthens thin strokes, which shares alone make pale: a choice.
                        self.blend(x as usize, y as usize, ink, share / 255.0 * 1.2);
                    }
                }
            }
        }
    }
}

fn scale_bar(Bar { left, right, top, bottom }: Bar, scale: f64) -> Bar {
    Bar { left: left * scale, right: right * scale, top: top * scale, bottom: bottom * scale }
}

/// Returns the mean of a raster over a rectangle. `across` and `down` are the ends of its columns and rows.
fn mean_over(raster: &[&[u8]], [across, down]: [[f64; 2]; 2]) -> f64 {
    let area = (across[1] - across[0]) * (down[1] - down[0]);
    let rows = pixel_range(down[0], down[1], raster.len());
    let sums = rows.map(|y| {
        let row = raster[y];
        let of = |x: usize| f64::from(row[x]) * covered_share(x, across[0], across[1]);
        pixel_range(across[0], across[1], row.len()).map(of).sum::<f64>() * covered_share(y, down[0], down[1])
    });
    sums.sum::<f64>() / area
}

/// Spells a letter with letters that the font has; `?` if it cannot.
fn spell_letter(c: char) -> String {
    match c {
        'λ' => "\\".into(),
        '⇒' => "=>".into(),
        '→' => "->".into(),
        'ℜ' | 'ℝ' => "Real".into(),
        'ℕ' => "Nat".into(),
        '𝔅' | '𝔹' => "Bool".into(),
        '∫' => "int".into(),
        '∑' => "sum".into(),
        '√' => "sqrt".into(),
        '∂' => "d".into(),
        '∇' => "grad".into(),
        '∞' => "inf".into(),
        '≤' => "<=".into(),
        '≥' => ">=".into(),
        '≠' => "/=".into(),
        '≈' => "~".into(),
        '∧' => "&&".into(),
        '∨' => "||".into(),
        '∘' => "o".into(),
        '−' | '–' | '—' => "-".into(),
        '‖' => "||".into(),
        '‘' | '’' => "'".into(),
        '“' | '”' | '„' => "\"".into(),
        'α'..='ω' | 'Α'..='Ω' => greek_name(c).into(),
        '₀'..='₉' => char::from(b'0' + (c as u32 - '₀' as u32) as u8).into(),
        '…' => "...".into(),
        c if get_raster(c, FontWeight::Regular, RasterHeight::Size16).is_some() => c.into(),
        '′' => "'".into(),
        '″' => "''".into(),
        '‴' => "'''".into(),
        '⁽' => "(".into(),
        '⁾' => ")".into(),
        c => superscript_digit(c).map_or_else(|| "?".into(), |digit| digit.to_string()),
    }
}

/// Returns the name of a Greek letter.
fn greek_name(c: char) -> &'static str {
    // Sigma stands twice: in Unicode the final sigma precedes the other one.
    const NAMES: [&str; 25] = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
        "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
    ];
    let first = if c >= 'α' { 'α' } else { 'Α' };
    NAMES.get((c as usize).wrapping_sub(first as usize)).copied().unwrap_or("?")
}

/// Returns the dots that meet an interval, of `most` dots.
fn pixel_range(from: f64, to: f64, most: usize) -> std::ops::Range<usize> {
    from.floor().max(0.0) as usize..(to.ceil().max(0.0) as usize).min(most)
}

/// Returns the share of a dot that lies in an interval.
fn covered_share(pixel: usize, from: f64, to: f64) -> f64 {
    let left = pixel as f64;
    (to.min(left + 1.0) - from.max(left)).clamp(0.0, 1.0)
}
