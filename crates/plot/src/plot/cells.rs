//! Pictures of the pieces of a function of the plane: each pixel has the colour of the piece that certainly contains it.
//!
//! A rectangle of pixels on which the guards of one piece certainly hold is of that piece. Otherwise it is divided, down to single
//! pixels; one that is undecided is drawn as a border. So the coloured areas are certain, and the borders are within the dark pixels.

use super::PlotError;
use super::axis::{Axis, Tick, elide_middle};
use super::figure::{
    Anchor, Bar, Figure, FigureShape, LABEL_HEIGHT, LETTER_WIDTH, LINE_HEIGHT, LabelSpace, MARGIN, Paint, SAMPLE_WIDTH,
    shorten_source,
};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::paving::decide_on_box;
use crate::pieces::{PiecewiseMap, RationalBox};

/// The number of pixels along each side. A choice: a power of two, so that halves are whole.
pub const PIXELS_PER_SIDE: usize = 128;
/// The side of a pixel, in units of the picture.
const PIXEL_SIZE: f64 = 3.0;
/// The most pieces in the legend. A choice: more do not fit below the picture.
const MOST_LEGEND_LINES: usize = 8;
/// The work units for each guard on a rectangle. A choice.
const WORK_PER_GUARD: u64 = 16;

/// The colours of pieces, which are repeated, and that of borders.
const PIECE_COLOURS: [[u8; 3]; 6] =
    [[120, 170, 220], [240, 190, 130], [140, 200, 160], [200, 170, 225], [230, 160, 170], [205, 205, 140]];
const BORDER_COLOUR: [u8; 3] = [70, 70, 70];

/// The content of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellPixel {
    /// The whole pixel lies on this piece.
    Piece(usize),
    /// Undecided: a border may pass through, or the pixel lies in an unexplored part.
    Border,
}

/// A picture of the pieces of a function of the plane.
#[derive(Clone, Debug)]
pub struct CellPicture {
    /// The box.
    pub domain: RationalBox,
    /// The pixels, in rows from the uppermost, [`PIXELS_PER_SIDE`] in each.
    pub pixels: Vec<CellPixel>,
}

/// The state of a search for the pieces of pixels.
struct CellScan<'a> {
    map: &'a PiecewiseMap,
    domain: &'a [[Rational; 2]],
    budget: &'a Budget,
    pixels: Vec<CellPixel>,
}

/// A rectangle of pixels: the first column and row, and the number of each. Rows count from below.
#[derive(Clone, Copy)]
struct PixelSquare {
    column: usize,
    row: usize,
    size: usize,
}

impl CellScan<'_> {
    /// Returns the rectangle of the plane that a square of pixels shows.
    fn box_of(&self, square: PixelSquare) -> RationalBox {
        let side = |axis: usize, first: usize| {
            let [from, to] = &self.domain[axis];
            let at = |index: usize| {
                let share = Rational::from((index as u64, PIXELS_PER_SIDE as u64));
                Rational::from(to - from) * share + from
            };
            [at(first), at(first + square.size)]
        };
        vec![side(0, square.column), side(1, square.row)]
    }

    /// Colours a square of pixels, on which only some pieces may lie.
    fn colour(&mut self, square: PixelSquare, pieces: &[usize]) {
        let sides = self.box_of(square);
        let mut possible = Vec::new();
        for index in pieces {
            let guards = &self.map.pieces[*index].guards;
            // What is left without budget has the colour of borders, which claims nothing.
            if !self.budget.spend(WORK_PER_GUARD * (1 + guards.len() as u64)) {
                return;
            }
            let found: Vec<_> =
                guards.iter().map(|decided| decide_on_box(decided, &self.map.variables, &sides)).collect();
            // pieces are disjoint, so the others need not be asked
            if found.iter().all(|holds| *holds == Some(true)) {
                return self.fill(square, CellPixel::Piece(*index));
            }
            if !found.contains(&Some(false)) {
                possible.push(*index);
            }
        }
        // undecided pixels keep the colour of borders
        if square.size == 1 {
            return;
        }
        let size = square.size / 2;
        for (column, row) in [(0, 0), (size, 0), (0, size), (size, size)] {
            self.colour(PixelSquare { column: square.column + column, row: square.row + row, size }, &possible);
        }
    }

    fn fill(&mut self, square: PixelSquare, with: CellPixel) {
        for row in square.row..square.row + square.size {
            // rows of pixels go down, and the second coordinate goes up
            let start = (PIXELS_PER_SIDE - 1 - row) * PIXELS_PER_SIDE + square.column;
            self.pixels[start..start + square.size].fill(with);
        }
    }
}

/// Computes the picture of the pieces of a function of two variables on a box.
///
/// # Errors
/// [`PlotError::Size`] for a function of another number of variables, or without a box.
pub fn plot_cells(map: &PiecewiseMap, budget: &Budget) -> Result<CellPicture, PlotError> {
    let found = map.variables.len() as u32;
    let wrong = || PlotError::Size { what: "the number of variables", least: 2, most: 2, found };
    let domain = map.domain.as_deref().filter(|domain| domain.len() == 2).ok_or_else(wrong)?;
    let pixels = vec![CellPixel::Border; PIXELS_PER_SIDE * PIXELS_PER_SIDE];
    let mut scan = CellScan { map, domain, budget, pixels };
    let all: Vec<usize> = (0..map.pieces.len()).collect();
    scan.colour(PixelSquare { column: 0, row: 0, size: PIXELS_PER_SIDE }, &all);
    Ok(CellPicture { pixels: scan.pixels, domain: domain.to_vec() })
}

impl CellPicture {
    /// Returns bounds of the area of a piece: that of its pixels, and that of these and of all undecided ones.
    #[must_use]
    pub fn area_bounds(&self, piece: usize) -> [Rational; 2] {
        let pixel = crate::pieces::paving::box_volume(&self.domain) / (PIXELS_PER_SIDE * PIXELS_PER_SIDE) as u64;
        let count = |wanted: CellPixel| self.pixels.iter().filter(|pixel| **pixel == wanted).count() as u64;
        let [own, open] = [count(CellPixel::Piece(piece)), count(CellPixel::Border)];
        [own, own + open].map(|n| Rational::from(&pixel * n))
    }

    /// Lays the picture out, with axes, a title, and a legend: `names[i]` says what piece i is.
    #[must_use]
    pub fn to_figure(&self, title: &str, names: &[String]) -> Figure {
        let side = PIXELS_PER_SIDE as f64 * PIXEL_SIZE;
        let [across, up] = [0, 1].map(|axis| Axis::new(&self.domain[axis][0], &self.domain[axis][1], 6));
        let longest = up.ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(0);
        let left = MARGIN + LETTER_WIDTH * longest as f64 + 8.0;
        let top = MARGIN + LINE_HEIGHT * 1.4;
        let place = Bar { left, right: left + side, top, bottom: top + side };
        let colour = |pixel: &CellPixel| match pixel {
            CellPixel::Piece(index) => PIECE_COLOURS[index % PIECE_COLOURS.len()],
            CellPixel::Border => BORDER_COLOUR,
        };
        let colours = self.pixels.iter().map(colour).collect();
        let mut shapes = vec![FigureShape::Raster(place, PIXELS_PER_SIDE as u32, colours)];
        let width = place.right + MARGIN;
        let room = ((width - 2.0 * MARGIN) / LETTER_WIDTH) as usize;
        let label = |at, anchor, text| FigureShape::Text(at, anchor, Paint::Label, text);
        shapes.push(label([MARGIN, MARGIN + 11.0], Anchor::Start, shorten_source(title, room)));
        let corners = [[left, top], [place.right, top], [place.right, place.bottom], [left, place.bottom], [left, top]];
        shapes.extend(corners.windows(2).map(|c| FigureShape::Line(c[0], c[1], Paint::Label)));
        let position = |at: &Rational, [from, to]: &[Rational; 2]| {
            (Rational::from(at - from) / Rational::from(to - from)).to_f64()
        };
        let mut free = LabelSpace::new();
        for Tick { at, label: text } in &across.ticks {
            let x = left + position(at, &self.domain[0]) * side;
            let long = LETTER_WIDTH * text.chars().count() as f64;
            let middle = x.max(long / 2.0).min(width - long / 2.0);
            shapes.push(FigureShape::Line([x, place.bottom], [x, place.bottom + 4.0], Paint::Label));
            if free.try_occupy(middle, long, LETTER_WIDTH) {
                shapes.push(label([middle, place.bottom + LINE_HEIGHT], Anchor::Middle, text.clone()));
            }
        }
        let mut free = LabelSpace::new();
        for Tick { at, label: text } in &up.ticks {
            let y = place.bottom - position(at, &self.domain[1]) * side;
            shapes.push(FigureShape::Line([left - 4.0, y], [left, y], Paint::Label));
            // labels occupy the axis from bottom to top, and `y` grows downward
            if free.try_occupy(-y, LABEL_HEIGHT, 0.0) {
                shapes.push(label([left - 6.0, y + 4.0], Anchor::End, text.clone()));
            }
        }
        let mut base = place.bottom + LINE_HEIGHT * 2.2;
        // numbers that the labels count from, for sides far from 0
        for (name, axis) in [("x", &across), ("y", &up)] {
            if let Some(from) = &axis.base {
                let note = format!("{name} is counted from {}", elide_middle(from, 30));
                shapes.push(label([left, base], Anchor::Start, shorten_source(&note, room)));
                base += LINE_HEIGHT;
            }
        }
        let is_shown = |pixel: CellPixel| self.pixels.contains(&pixel);
        let own = names.iter().enumerate().map(|(index, name)| (CellPixel::Piece(index), name.as_str()));
        let border = (CellPixel::Border, "a border, within these pixels");
        let entries = own.filter(|(pixel, _)| is_shown(*pixel)).take(MOST_LEGEND_LINES);
        for (pixel, text) in entries.chain([border].into_iter().filter(|(pixel, _)| is_shown(*pixel))) {
            let square = Bar { left, right: left + 14.0, top: base - 11.0, bottom: base + 3.0 };
            shapes.push(FigureShape::Raster(square, 1, vec![colour(&pixel)]));
            let text = shorten_source(text, room.saturating_sub((SAMPLE_WIDTH / LETTER_WIDTH) as usize));
            shapes.push(label([left + SAMPLE_WIDTH, base], Anchor::Start, text));
            base += LINE_HEIGHT;
        }
        Figure { width: width.ceil() as u32, height: (base + MARGIN).ceil() as u32, shapes }
    }
}
