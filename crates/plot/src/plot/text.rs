//! Plots as text, for a terminal.
//!
//! Every dot of a Braille letter is a column of the plot and a band of its values. It is set if the envelope meets
//! the band. In ASCII a letter is one column and two bands.
//!
//! | here | in ASCII | meaning |
//! |---|---|---|
//! | `⡇` and other Braille letters | `'` `.` `\|` | the envelope |
//! | `▲`, `▼` | `^` `v` | the envelope goes on above or below the picture |
//! | `╱` | `/` | the function is not shown to be defined on the column |
//! | `?` | `?` | not known: the budget ended first |

use super::axis::{Axis, Tick, Window, elide_middle};
use super::figure::{BEYOND, KINK, UNDEFINED};
use super::{CertifiedPlot, ColumnValues, Envelope, PlotRequest, derivative_symbol};
use crate::number::Rational;

/// The size and the letters of a plot as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// The most letters of a line.
    pub width: u32,
    /// The lines of one panel.
    pub height: u32,
    /// `true` to use ASCII only.
    pub ascii: bool,
}

/// The width of the labels at the left with the axis, in letters.
const GUTTER: u32 = 12;
/// The least width of the picture inside, in letters. The least height is half of it.
const LEAST: u32 = 8;
/// The distance from a band below which a value still counts as outside of it, in bands. It absorbs the outward
/// rounding of positions.
const BAND_TOLERANCE: f64 = 1e-9;

impl Default for TextStyle {
    /// Returns 80 letters by 16 lines, in Unicode.
    fn default() -> Self {
        Self { width: 80, height: 16, ascii: false }
    }
}

impl TextStyle {
    /// Returns the numbers of letters and of lines of the picture inside.
    fn inner_size(self) -> (usize, usize) {
        (self.width.clamp(GUTTER + LEAST, 1000) as usize - GUTTER as usize, self.height.clamp(LEAST / 2, 1000) as usize)
    }

    /// Returns the numbers of columns and of bands of one letter.
    fn dots_per_letter(self) -> (usize, usize) {
        if self.ascii { (1, 2) } else { (2, 4) }
    }

    /// Returns the letter of the style.
    fn pick_letter(self, unicode: char, ascii: char) -> char {
        if self.ascii { ascii } else { unicode }
    }

    /// Returns the request for a plot that fills the style: one column for each dot.
    #[must_use]
    pub fn plot_request(self, from: Rational, to: Rational) -> PlotRequest {
        let ((letters, lines), (across, down)) = (self.inner_size(), self.dots_per_letter());
        PlotRequest { columns: (letters * across) as u32, rows: (lines * down) as u32, ..PlotRequest::new(from, to) }
    }
}

/// Draws a plot as lines of text: the title, a panel for each envelope, and a legend of the marks that occur.
#[must_use]
pub fn draw_lines(plot: &CertifiedPlot, style: TextStyle) -> Vec<String> {
    let panels: Vec<_> = plot.envelopes.iter().map(|e| TextPanel::new(e, style)).collect();
    let gutter = panels.iter().flat_map(|p| &p.axis.ticks).map(|t| t.label.chars().count()).max().unwrap_or(0);
    let (letters, _) = style.inner_size();
    let mut lines = vec![format_title(plot.title(), style)];
    for panel in &panels {
        let order = panel.order;
        if order > 0 || panels.len() > 1 {
            lines.push(derivative_symbol(order, style.ascii));
        }
        lines.extend(panel.axis.base.iter().map(|base| format_base("counted from", base, style)));
        lines.extend(panel.text_lines(gutter, style));
    }
    let across = Axis::new(&plot.request.from, &plot.request.to, (letters as u32 / 9).max(3));
    lines.extend(horizontal_axis_lines(&across, &plot.request, gutter, letters, style));
    lines.extend(across.base.iter().map(|base| format_base("x is counted from", base, style)));
    let marks: Vec<char> = panels.iter().flat_map(|p| p.cells.iter().flatten().copied()).collect();
    for (mark, meaning) in [
        ([style.pick_letter('▲', '^'), style.pick_letter('▼', 'v')], BEYOND),
        ([style.pick_letter('╱', '/'); 2], UNDEFINED),
        (['?'; 2], "not known: the work was cut short"),
    ] {
        let found: Vec<char> = mark.into_iter().filter(|m| marks.contains(m)).collect();
        if let Some(first) = found.first() {
            // Two arrows that both occur share one line; other marks are one letter, given twice.
            let both =
                if mark[0] != mark[1] && found.len() == 2 { format!("{first} {}", mark[1]) } else { first.to_string() };
            lines.push(format!("{both}  {meaning}"));
        }
    }
    if plot.envelopes.iter().any(|e| e.columns.iter().any(|column| e.visible_kink(column).is_some())) {
        lines.push(format!("{}  {KINK}", style.pick_letter('│', '|')));
    }
    let most = style.width.max(GUTTER + LEAST) as usize;
    lines.iter().map(|line| truncate_line(line, most, style)).collect()
}

/// Returns a line without its end if it has more than `most` letters.
fn truncate_line(line: &str, most: usize, style: TextStyle) -> String {
    if line.chars().count() <= most {
        return line.to_owned();
    }
    // Three letters of room, since the ellipsis is three dots in ASCII.
    in_style(format!("{}…", line.chars().take(most - 3).collect::<String>()), style)
}

/// Returns the line that gives the base of an axis.
fn format_base(from: &str, base: &str, style: TextStyle) -> String {
    let room = (style.width.max(GUTTER + LEAST) as usize).saturating_sub(from.len() + 4);
    in_style(format!("{from} {}", elide_middle(base, room.max(8))), style)
}

/// Replaces the ellipsis by three dots in ASCII.
fn in_style(text: String, style: TextStyle) -> String {
    if style.ascii { text.replace('…', "...") } else { text }
}

/// Returns the title in one line. Characters that the style lacks become question marks: control characters, and in
/// ASCII all that are not ASCII.
fn format_title(source: &str, style: TextStyle) -> String {
    let words = source.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = |c: char| if c.is_control() || (style.ascii && !c.is_ascii()) { '?' } else { c };
    let most = style.width.max(GUTTER + LEAST) as usize;
    truncate_line(&words.chars().map(shown).collect::<String>(), most, style)
}

/// One envelope as a grid of letters.
struct TextPanel {
    order: u32,
    axis: Axis,
    window: Window,
    cells: Vec<Vec<char>>,
}

impl TextPanel {
    fn new(envelope: &Envelope, style: TextStyle) -> Self {
        let ((letters, height), (across, down)) = (style.inner_size(), style.dots_per_letter());
        let window = envelope.window.clone();
        let mut raster = DotRaster { dots: vec![vec![false; letters * across]; height * down] };
        let mut marks = vec![vec![None; letters]; height];
        let wide = letters * across;
        let count = envelope.columns.len();
        for (i, column) in envelope.columns.iter().enumerate() {
            // A column covers every dot that it meets, so that the set dots contain the graph.
            let dots = i * wide / count..((i + 1) * wide).div_ceil(count);
            match &column.values {
                ColumnValues::Within(range) => {
                    let [lo, hi] = window.position_of(range);
                    raster.fill_between(dots.clone(), lo, hi);
                    for x in dots {
                        if hi > 1.0 + BAND_TOLERANCE {
                            marks[0][x / across] = Some(style.pick_letter('▲', '^'));
                        }
                        if lo < -BAND_TOLERANCE {
                            marks[height - 1][x / across] = Some(style.pick_letter('▼', 'v'));
                        }
                    }
                }
                ColumnValues::Undefined | ColumnValues::Unknown => {
                    let mark = if column.values == ColumnValues::Unknown { '?' } else { style.pick_letter('╱', '/') };
                    for row in &mut marks {
                        // An arrow of a neighbouring column in the same letter remains: it is rarer than a texture.
                        for x in dots.clone() {
                            row[x / across].get_or_insert(mark);
                        }
                    }
                }
            }
        }
        let axis = Axis::new(&window.low, &window.high, (height as u32 / 2).max(3));
        let cells = (0..height)
            .map(|y| {
                let letter = |x: usize| match (raster.letter_at(x, y, style), marks[y][x]) {
                    // Arrows cover the envelope, and the envelope covers textures.
                    (_, Some(mark)) if !matches!(mark, '╱' | '/' | '?') => mark,
                    (Some(dots), _) => dots,
                    (None, Some(mark)) => mark,
                    (None, None) => ' ',
                };
                (0..letters).map(letter).collect()
            })
            .collect();
        Self { order: envelope.order, axis, window, cells }
    }

    /// Returns the index of the line that holds a number.
    fn line_of(&self, y: &Rational) -> usize {
        let place = Rational::from(y - &self.window.low) / self.window.height();
        let height = self.cells.len();
        (((1.0 - place.to_f64()) * height as f64) as usize).min(height - 1)
    }

    /// Returns the lines of the panel, with labels in a column of `gutter` letters.
    fn text_lines(&self, gutter: usize, style: TextStyle) -> Vec<String> {
        let mut labels = vec![None; self.cells.len()];
        for Tick { at, label } in &self.axis.ticks {
            labels[self.line_of(at)] = Some((label.as_str(), *at == 0));
        }
        let line = |(cells, label): (&Vec<char>, &Option<(&str, bool)>)| {
            let zero = label.is_some_and(|(_, zero)| zero);
            let bar = if label.is_some() { style.pick_letter('┤', '+') } else { style.pick_letter('│', '|') };
            let letters = cells.iter().map(|&c| if c == ' ' && zero { style.pick_letter('┈', '-') } else { c });
            let text: String = letters.collect();
            format!("{:>gutter$} {bar}{}", label.map_or("", |(label, _)| label), text.trim_end())
        };
        self.cells.iter().zip(&labels).map(line).collect()
    }
}

/// Returns the two lines below a plot: the horizontal axis and its labels.
fn horizontal_axis_lines(
    axis: &Axis,
    request: &PlotRequest,
    gutter: usize,
    letters: usize,
    style: TextStyle,
) -> [String; 2] {
    let mut bar = vec![style.pick_letter('─', '-'); letters];
    let mut labels = vec![' '; gutter + 2 + letters];
    let mut free = 0;
    for Tick { at, label } in &axis.ticks {
        let place = Rational::from(at - &request.from) / Rational::from(&request.to - &request.from);
        let x = ((place.to_f64() * letters as f64) as usize).min(letters - 1);
        bar[x] = style.pick_letter('┬', '+');
        let count = label.chars().count();
        let start = (gutter + 2 + x).saturating_sub(count / 2).min(labels.len().saturating_sub(count));
        // A label that would touch the one before is left out.
        if start >= free && start + count <= labels.len() {
            label.chars().enumerate().for_each(|(i, c)| labels[start + i] = c);
            free = start + count + 1;
        }
    }
    let corner = style.pick_letter('└', '+');
    let bar: String = bar.into_iter().collect();
    let labels: String = labels.into_iter().collect();
    [format!("{:gutter$} {corner}{bar}", ""), labels.trim_end().to_owned()]
}

/// A grid of dots, the first row at the top.
struct DotRaster {
    dots: Vec<Vec<bool>>,
}

impl DotRaster {
    /// Sets the dots between two heights, 0 at the bottom of the grid and 1 at its top.
    fn fill_between(&mut self, across: std::ops::Range<usize>, lo: f64, hi: f64) {
        let rows = self.dots.len();
        if hi < -BAND_TOLERANCE || lo > 1.0 + BAND_TOLERANCE {
            return;
        }
        // Outward rounding gives a value on the border of two bands a share of both; the tolerance keeps one of them.
        let top = (((1.0 - hi) * rows as f64 + BAND_TOLERANCE).floor().max(0.0) as usize).min(rows - 1);
        let bottom = (((1.0 - lo) * rows as f64 - BAND_TOLERANCE).ceil().max(1.0) as usize - 1).clamp(top, rows - 1);
        for row in &mut self.dots[top..=bottom] {
            row[across.clone()].fill(true);
        }
    }

    /// Returns the letter at a position, or `None` if no dot of it is set.
    fn letter_at(&self, x: usize, y: usize, style: TextStyle) -> Option<char> {
        let (across, down) = style.dots_per_letter();
        let dot = |dx: usize, dy: usize| self.dots[y * down + dy][x * across + dx];
        if style.ascii {
            return match (dot(0, 0), dot(0, 1)) {
                (false, false) => None,
                (true, false) => Some('\''),
                (false, true) => Some('.'),
                (true, true) => Some('|'),
            };
        }
        /// The bits of the dots in U+2800, by row.
        const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        let set = (0..4).flat_map(|dy| (0..2).map(move |dx| (dx, dy))).filter(|&(dx, dy)| dot(dx, dy));
        let bits: u32 = set.map(|(dx, dy)| BITS[dy][dx]).sum();
        if bits == 0 { None } else { char::from_u32(0x2800 + bits) }
    }
}
