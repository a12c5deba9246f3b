//! Certified plots: envelopes of a function and of its derivatives.
//!
//! A picture of a function is a claim about all of its values, and one that samples cannot make. Here every column of the
//! picture carries an interval that certainly contains every value of the function over the whole closed column: for the
//! k-th derivative, `{f⁽ᵏ⁾(x) | x in the column}`, where at order 1 the values at a kink are Clarke's set. What is drawn
//! is the set of these intervals, the *envelope*. The graph lies in it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`grid`] | the horizontal axis: exact ends and borders |
//! | [`window`] | the vertical axis: which part is shown |
//! | [`sampler`], [`cell`] | values, ranges, and the halving of columns |
//! | [`kink`] | points with a set of values |
//! | [`column`](mod@column) | the result: [`Column`] and [`Envelope`] |
//! | [`axis`] | ticks: short exact decimals |
//! | [`text`] | a plot as text |
//! | [`figure`], [`svg`], [`png`](mod@png) | where everything lies in a picture, and the picture |
//! | [`pieces`] | the same of functions in pieces |
//! | [`density`] | densities of programs that sample |
//! | [`plane`] | pictures of functions of two variables, in which every pixel is an enclosure |
//! | [`error`] | why a plot is refused |
//!
//! A column is as low as its values permit, up to a pixel: it is halved until the hull of the ranges of its pieces is at
//! most a pixel higher than the hull of some values that are taken. Work is bounded by the budget; what it did not reach
//! is [`Values::Unknown`].

pub mod axis;
pub mod cell;
pub mod column;
pub mod density;
pub mod error;
pub mod figure;
pub mod grid;
pub mod kink;
mod legend;
pub mod pieces;
pub mod plane;
pub mod png;
pub mod sampler;
pub mod svg;
pub mod text;
pub mod window;

pub use column::{Column, Envelope, Values, symbol};
pub use error::PlotError;

use crate::meaning::presheaf::{Interpreter, Place};
use crate::number::budget::Budget;
use crate::number::real::Tier;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::presheaf::dynamic::Element;
use crate::smooth::curve::Curve;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Site, Variable};
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use cell::{Cell, Goal};
use sampler::{Failure, Sampler};
use std::sync::Arc;
use window::Window;

/// The most columns of a picture.
pub const MOST_COLUMNS: u32 = 10_000;
/// The most rows of pixels.
pub const MOST_ROWS: u32 = 10_000;
/// The highest derivative.
pub const MOST_ORDER: u32 = 20;
/// The most pieces of a column.
const MOST_PIECES: usize = 256;
/// What the pieces of a plot may take, in bytes.
const MEMORY: usize = 256 << 20;
/// How often the columns are gone through.
const ROUNDS: u32 = 6;
/// How many pixels an envelope may be higher than it must.
const EXCESS: f64 = 0.5;

/// What is to be plotted.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The left end.
    pub from: Rational,
    /// The right end.
    pub to: Rational,
    /// The number of columns.
    pub columns: u32,
    /// The number of rows of pixels: the resolution that the envelopes are refined to.
    pub rows: u32,
    /// The orders of the derivatives, 0 for the function itself.
    pub orders: Vec<u32>,
    /// The lower end of the vertical axis; without it, the values decide.
    pub low: Option<Rational>,
    /// The upper end of the vertical axis.
    pub high: Option<Rational>,
    /// What stands above the picture; without it, the source.
    pub title: Option<String>,
}

impl Request {
    /// The function itself between two numbers, in 360 columns and 240 rows.
    #[must_use]
    pub fn new(from: Rational, to: Rational) -> Self {
        Self { from, to, columns: 360, rows: 240, orders: vec![0], low: None, high: None, title: None }
    }

    /// Whether it can be drawn.
    ///
    /// # Errors
    /// [`PlotError`]: ends in the wrong order or with too many digits, a size or an order out of range.
    pub fn check(&self) -> Result<(), PlotError> {
        for (axis, from, to) in
            [("horizontal", Some(&self.from), Some(&self.to)), ("vertical", self.low.as_ref(), self.high.as_ref())]
        {
            if let (Some(from), Some(to)) = (from, to)
                && from >= to
            {
                let [from, to] = [from, to].map(grid::written);
                return Err(PlotError::Reversed { axis, from, to });
            }
        }
        let numbers = [Some(&self.from), Some(&self.to), self.low.as_ref(), self.high.as_ref()];
        if numbers.into_iter().flatten().any(|q| grid::bits(q) > grid::MOST_BITS) {
            return Err(PlotError::Digits { limit: grid::MOST_BITS });
        }
        let orders = self.orders.iter().map(|&k| ("the order of a derivative", k, 0, MOST_ORDER));
        let sizes = [
            ("the number of columns", self.columns, 1, MOST_COLUMNS),
            ("the number of rows", self.rows, 1, MOST_ROWS),
            ("the number of panels", self.orders.len() as u32, 1, MOST_ORDER + 1),
        ];
        for (what, found, least, most) in sizes.into_iter().chain(orders) {
            if !(least..=most).contains(&found) {
                return Err(PlotError::Size { what, least, most, found });
            }
        }
        Ok(())
    }
}

/// The envelopes of a function and its derivatives.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The source of the function.
    pub source: String,
    /// What was asked.
    pub request: Request,
    /// One envelope for each order that was asked.
    pub envelopes: Vec<Envelope>,
    /// The uses of cutRoot whose promise the envelopes rest on.
    pub assumed: Vec<Place>,
    /// Whether the budget ended the work.
    pub exhausted: bool,
}

impl Plot {
    /// What stands above the picture.
    #[must_use]
    pub fn title(&self) -> &str {
        self.request.title.as_deref().unwrap_or(&self.source)
    }
}

/// The envelopes of a program of type `Real -> Real`.
///
/// # Errors
/// [`PlotError`]: the program is wrong or no such function, the request cannot be drawn, or a promise of the program is
/// broken on some column.
///
/// # Examples
/// The derivative of |x| jumps at 0. The column that holds the kink shows the whole jump:
/// ```
/// use smoothish_plot::number::{Rational, budget::Budget};
/// use smoothish_plot::plot::{Request, envelopes};
/// use smoothish_plot::syntax::library::Library;
/// use std::sync::Arc;
/// let request = Request { columns: 5, orders: vec![1], ..Request::new(Rational::from(-1), Rational::from(1)) };
/// let source = r"\x => abs x";
/// let program = Library::default().infer_expression(source)?.0;
/// let plot = envelopes(&program, source, &request, &Arc::new(Budget::unlimited()))?;
/// let printed: Vec<_> = plot.envelopes[0].columns.iter().map(|c| c.enclosure().unwrap().to_string()).collect();
/// assert_eq!(printed, ["[-1, -1]", "[-1, -1]", "[-1, 1]", "[1, 1]", "[1, 1]"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn envelopes(program: &Term, source: &str, request: &Request, budget: &Arc<Budget>) -> Result<Plot, PlotError> {
    request.check()?;
    if !is_curve(program.ty()) {
        return Err(PlotError::Type { found: program.ty().clone() });
    }
    let interpreter = Interpreter::new(budget.clone());
    let variable = Variable::fresh();
    let function = interpreter.interpret(program)?;
    let body = function.as_function()?.apply(&Element::Real(Graph::variable(variable)))?;
    let failed = |Failure { error, on }: Failure| {
        let place = match &error {
            SmoothError::PromiseBroken { site, .. } => interpreter.place(*site).map(Box::new),
            _ => None,
        };
        PlotError::Evaluation { error, place, on: error::interval("x", &on).into() }
    };
    let on = || [request.from.clone(), request.to.clone()];
    let curve = Curve::new(variable, body.as_real()?).map_err(|error| failed(Failure { error, on: on() }))?;
    let borders = grid::borders(&request.from, &request.to, request.columns);
    let mut drawings = Vec::new();
    for &order in &request.orders {
        drawings.push(Drawing::begin(&curve, order, &borders, request, budget).map_err(failed)?);
    }
    for drawing in &mut drawings {
        drawing.measure().map_err(failed)?;
    }
    let mut envelopes = Vec::new();
    let mut assumed = std::collections::BTreeSet::new();
    for mut drawing in drawings {
        drawing.refine().map_err(failed)?;
        envelopes.push(drawing.finish().map_err(failed)?);
        assumed.append(&mut drawing.sampler.assumed);
    }
    Ok(Plot {
        source: source.to_owned(),
        request: request.clone(),
        envelopes,
        assumed: assumed.into_iter().filter_map(|s| interpreter.place(Site(s))).collect(),
        exhausted: budget.is_exhausted(),
    })
}

/// Whether `Real -> Real` is an instance of the type, as it is of that of `\x => x`.
#[must_use]
pub fn is_curve(ty: &Ty) -> bool {
    let is_real = |ty: &Ty| matches!(ty.kind(), TyKind::Real | TyKind::Variable(..));
    matches!(ty.kind(), TyKind::Function(domain, codomain) if is_real(domain) && is_real(codomain))
}

/// One envelope in the making.
struct Drawing<'a> {
    sampler: Sampler<'a>,
    borders: &'a [Rational],
    request: &'a Request,
    cells: Vec<Cell>,
    /// The width of a value at a point, where it is not as narrow as three quarters of them are.
    noise: Magnitude,
}

impl<'a> Drawing<'a> {
    /// A first enclosure for every column.
    fn begin(
        curve: &'a Curve,
        order: u32,
        borders: &'a [Rational],
        request: &'a Request,
        budget: &'a Budget,
    ) -> Result<Self, Failure> {
        let mut sampler = Sampler::new(curve, order, precision(borders), budget);
        let mut cells = Vec::with_capacity(borders.len() - 1);
        for pair in borders.windows(2) {
            cells.push(Cell::new(&mut sampler, [&pair[0], &pair[1]])?);
        }
        Ok(Self { sampler, borders, request, cells, noise: Magnitude::ZERO })
    }

    /// The values at the borders, and what follows from them.
    fn measure(&mut self) -> Result<(), Failure> {
        set_scale(&mut self.sampler, self.borders, self.request.rows)?;
        let mut left = self.sampler.at(&self.borders[0])?;
        let mut widths = vec![left.width()];
        for (cell, border) in self.cells.iter_mut().zip(&self.borders[1..]) {
            if self.sampler.is_exhausted() {
                break;
            }
            let right = self.sampler.at(border)?;
            cell.narrow(&mut self.sampler, [&left, &right])?;
            left = right;
            widths.push(left.width());
        }
        widths.retain(|w| w.is_finite());
        widths.sort();
        self.noise = widths.get(widths.len() * 3 / 4).copied().unwrap_or(Magnitude::ZERO);
        Ok(())
    }

    /// The part of the height that an envelope may be too high.
    fn pixel(&self) -> f64 {
        EXCESS / f64::from(self.request.rows)
    }

    /// How many pieces of a column fit the memory, in which a piece holds eight numbers.
    fn most_pieces(&self) -> usize {
        let digits = [&self.request.from, &self.request.to].map(grid::bits).into_iter().max().unwrap_or(0);
        (MEMORY / (1000 + digits as usize) / self.cells.len().max(1)).clamp(1, MOST_PIECES)
    }

    fn window_of(&self, values: &[Enclosure]) -> Window {
        let cut = self.cells.iter().any(Cell::may_be_unbounded);
        Window::of(values, self.noise, cut, self.request.low.as_ref(), self.request.high.as_ref())
    }

    /// The window for the values that are known to be taken: what is drawn. Where none is, that for those that may be.
    fn window(&self) -> Window {
        let taken: Vec<_> = self.cells.iter().filter_map(|c| c.taken().cloned()).collect();
        self.window_of(&if taken.is_empty() { self.ranges() } else { taken })
    }

    /// The window for all values that may be taken as well: what is refined.
    fn outer_window(&self) -> Window {
        self.window_of(&self.ranges()).hull(&self.window())
    }

    fn ranges(&self) -> Vec<Enclosure> {
        let within = |c: &Cell| match c.values() {
            Values::Within(e) => Some(e),
            Values::Undefined | Values::Unknown => None,
        };
        self.cells.iter().filter_map(within).collect()
    }

    /// Halves columns until they are as low as the picture can show.
    fn refine(&mut self) -> Result<(), Failure> {
        let goal = Goal { pixel: self.pixel(), most_pieces: self.most_pieces() };
        let mut window = self.outer_window();
        for _ in 0..ROUNDS {
            self.sampler.tolerance = tolerance(&window.height(), self.request.rows);
            for cell in &mut self.cells {
                cell.refine(&mut self.sampler, &window, goal)?;
            }
            // lower columns may make a lower picture, of which more can be seen
            let next = self.outer_window();
            let done = next.height() > window.height() * 4u32 / 5u32;
            window = next;
            if done || self.sampler.is_exhausted() {
                break;
            }
        }
        Ok(())
    }

    /// The envelope, in which the columns with a kink are marked.
    fn finish(&mut self) -> Result<Envelope, Failure> {
        let (window, row) = (self.window(), 1.0 / f64::from(self.request.rows));
        let search = kink::Search::new(&window.height(), self.request.rows);
        let mut columns = Vec::with_capacity(self.cells.len());
        for (cell, x) in self.cells.iter_mut().zip(self.borders.windows(2)) {
            let kink = cell.kink(&mut self.sampler, &search)?;
            columns.push(cell.column([x[0].clone(), x[1].clone()], &window, 2.0 * EXCESS * row, kink));
        }
        Ok(Envelope { order: self.sampler.order(), columns, window, marks: Vec::new() })
    }
}

/// The arithmetic that tells the borders apart, with digits to spare.
pub(crate) fn precision(borders: &[Rational]) -> Tier {
    let exponents = borders.iter().filter(|q| **q != 0).map(grid::binary_exponent);
    let (least, most) = exponents.fold((0, 0), |(a, b), e| (a.min(e), b.max(e)));
    let width = grid::binary_exponent(&Rational::from(&borders[1] - &borders[0]));
    let size = borders.iter().filter(|q| **q != 0).map(grid::binary_exponent).max().unwrap_or(0);
    let bits = (size - width).clamp(0, 1 << 20) as u32 + 32;
    if bits <= 53 && least > -300 && most < 300 { Tier::Double } else { Tier::Mpfr(bits.max(64) + 64) }
}

/// The width that values should have for a picture of some height.
fn tolerance(height: &Rational, rows: u32) -> Magnitude {
    Magnitude::from_rational(&(height.clone() / rows)).shifted(-4)
}

/// Finds out how large the values are from a few of them, so that engines know what they should aim at.
fn set_scale(sampler: &mut Sampler, borders: &[Rational], rows: u32) -> Result<(), Failure> {
    for _ in 0..6 {
        let step = (borders.len() / 8).max(1);
        let mut all: Option<Enclosure> = None;
        let mut widest = Magnitude::ZERO;
        for x in borders.iter().step_by(step) {
            let value = sampler.at(x)?;
            if value.is_defined() && value.is_bounded() {
                widest = widest.max(value.width());
                all = Some(all.map_or(value.clone(), |all| all.hull(&value)));
            }
        }
        let Some(all) = all else { return Ok(()) };
        let height = all.width();
        let enough = widest <= height.shifted(-4) || widest <= sampler.tolerance.shifted(-20);
        sampler.tolerance = height.shifted(-4 - i64::from(rows.ilog2())).max(sampler.tolerance.shifted(-24));
        if enough || sampler.is_exhausted() {
            break;
        }
    }
    Ok(())
}
