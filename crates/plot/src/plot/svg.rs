//! Rendering of a picture as SVG: plain text, without scripts, external styles, or a background.

use super::figure::{Anchor, Bar, Figure, FigureShape, Paint, Texture};
use crate::smooth::map::picture::escape_xml;
use std::fmt;
use std::fmt::Write;

/// Renders the picture as an SVG document.
#[must_use]
pub fn render_svg(figure: &Figure) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_figure(&mut text, figure);
    text
}

/// Returns the colour of a paint. The colours have middle brightness, so that they are visible on white and on black.
pub(super) fn paint_colour(ink: Paint) -> [u8; 3] {
    const ENVELOPES: [[u8; 3]; 5] = [[46, 124, 201], [214, 106, 30], [46, 150, 88], [150, 96, 200], [200, 80, 110]];
    match ink {
        Paint::Label | Paint::Grid => [118, 118, 118],
        Paint::Envelope(number) => ENVELOPES[number % ENVELOPES.len()],
    }
}

/// The opacity of a line of the grid. A choice.
pub(super) const GRID_OPACITY: f64 = 0.28;

/// Returns the colour of a paint in hexadecimal, as in `#767676`.
fn hex_colour(ink: Paint) -> String {
    let [r, g, b] = paint_colour(ink);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A length in pixels. It is written in hundredths, without trailing zeros.
struct PixelLength(f64);

impl fmt::Display for PixelLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2}", self.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Writes the picture as an SVG document.
fn write_figure(out: &mut String, figure: &Figure) -> fmt::Result {
    let Figure { width, height, shapes } = figure;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"'DejaVu Sans Mono', 'Noto Sans Mono', Menlo, Consolas, monospace\" \
         font-size=\"12\">"
    )?;
    let grey = hex_colour(Paint::Label);
    writeln!(
        out,
        "<defs><pattern id=\"undefined\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><path d=\"M0 0H5V5H0Z\" fill=\"{grey}\" opacity=\"0.2\"/>\
         <path d=\"M1 0V5\" stroke=\"{grey}\" stroke-width=\"1.6\"/></pattern>\
         <pattern id=\"unknown\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
         <circle cx=\"3\" cy=\"3\" r=\"1\" fill=\"{grey}\"/></pattern></defs>"
    )?;
    for shape in shapes {
        match shape {
            FigureShape::Bars(bars, ink) => {
                let colour = hex_colour(*ink);
                write!(
                    out,
                    "<path fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-linejoin=\"round\" d=\""
                )?;
                // All bars of a run are one path, so that no seams appear between neighbours.
                write_outline(out, bars)?;
                writeln!(out, "\"/>")?;
            }
            FigureShape::Line(a, b, ink) => {
                let opacity = if *ink == Paint::Grid { GRID_OPACITY } else { 0.8 };
                let [x1, y1, x2, y2] = [a[0], a[1], b[0], b[1]].map(PixelLength);
                let colour = hex_colour(*ink);
                writeln!(out, "<path stroke=\"{colour}\" opacity=\"{opacity}\" d=\"M{x1} {y1}L{x2} {y2}\"/>")?;
            }
            FigureShape::Triangle(corners, ink) => {
                let [[a, b], [c, d], [e, f]] = corners.map(|corner| corner.map(PixelLength));
                writeln!(out, "<path fill=\"{}\" d=\"M{a} {b}L{c} {d}L{e} {f}Z\"/>", hex_colour(*ink))?;
            }
            FigureShape::Textured(Bar { left, right, top, bottom }, texture) => {
                let [x, y, w, h] = [*left, *top, right - left, bottom - top].map(PixelLength);
                let name = match texture {
                    Texture::Undefined => "undefined",
                    Texture::Unknown => "unknown",
                };
                writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"url(#{name})\"/>")?;
            }
            FigureShape::Raster(place, columns, colours) => write_raster(out, *place, *columns as usize, colours)?,
            FigureShape::Text(at, anchor, ink, text) => {
                let [x, y] = at.map(PixelLength);
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let (colour, text) = (hex_colour(*ink), escape_xml(text));
                writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>")?;
            }
        }
    }
    writeln!(out, "</svg>")
}

/// Writes the squares of a raster; neighbours of one colour in a row become one path.
fn write_raster(
    out: &mut String,
    Bar { left, right, top, bottom }: Bar,
    columns: usize,
    colours: &[[u8; 3]],
) -> fmt::Result {
    let rows = colours.len() / columns.max(1);
    let (wide, tall) = ((right - left) / columns as f64, (bottom - top) / rows as f64);
    // Smoothed edges would show the background between neighbouring squares.
    writeln!(out, "<g shape-rendering=\"crispEdges\">")?;
    for (y, row) in colours.chunks(columns.max(1)).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            let [r, g, b] = run[0];
            let place = [left + x as f64 * wide, top + y as f64 * tall, run.len() as f64 * wide, tall].map(PixelLength);
            let [x0, y0, w, h] = place;
            writeln!(out, "<path fill=\"#{r:02x}{g:02x}{b:02x}\" d=\"M{x0} {y0}h{w}v{h}h-{w}Z\"/>")?;
            x += run.len();
        }
    }
    writeln!(out, "</g>")
}

/// Writes the outline of bars side by side: their upper sides from left to right, then their lower sides back.
fn write_outline(out: &mut String, bars: &[Bar]) -> fmt::Result {
    let Some(first) = bars.first() else { return Ok(()) };
    write!(out, "M{} {}", PixelLength(first.left), PixelLength(first.top))?;
    write_steps(out, bars.iter().map(|bar| (bar.top, bar.right)))?;
    write_steps(out, bars.iter().rev().map(|bar| (bar.bottom, bar.left)))?;
    out.write_char('Z')
}

/// Writes steps, each to a height and then along to a position. Successive steps at one height become one.
fn write_steps(out: &mut String, steps: impl Iterator<Item = (f64, f64)>) -> fmt::Result {
    let mut steps = steps.map(|(y, x)| (PixelLength(y).to_string(), x)).peekable();
    while let Some((y, mut x)) = steps.next() {
        while let Some((_, further)) = steps.next_if(|(next, _)| *next == y) {
            x = further;
        }
        write!(out, "V{y}H{}", PixelLength(x))?;
    }
    Ok(())
}
