//! Certified plots: envelopes of a function and of its derivatives.
//!
//! A picture of a function is a claim about all of its values, which no finite set of samples supports. Here every
//! column of the picture carries an interval that certainly contains every value of the function over the whole
//! closed column. For the k-th derivative these are the values `{f⁽ᵏ⁾(x) | x in the column}`; at order 1, the values
//! at a kink are Clarke's set. The *envelope* is the set of these intervals, and it is what is drawn. The graph lies
//! in it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`axis`] | the horizontal axis: exact ends and borders; the vertical axis: which part is shown; ticks: short exact decimals |
//! | [`sampler`] | values, ranges, and the halving of columns; points with a set of values |
//! | [`column`](density) | the result: [`PlotColumn`] and [`Envelope`] |
//! | [`text`] | a plot as text |
//! | [`figure`], [`svg`], [`png`](mod@png) | where everything lies in a picture, and the picture |
//! | [`pieces`], [`cells`] | plots of functions in pieces; pictures of the pieces of functions of the plane |
//! | [`density`] | densities of programs that sample |
//! | [`plane`] | pictures of functions of two variables, in which every pixel is an enclosure |
//! | [`error`] | why a plot is refused |
//!
//! A column is as low as its values permit, up to a pixel. It is halved until the hull of the ranges of its pieces is
//! at most a pixel higher than the hull of some attained values. The budget bounds the work; columns that it does not
//! reach are [`ColumnValues::Unknown`].
//!
//! Definedness is all or nothing for a column, because only then is the interval a statement about all of it.
//! Borders of columns are short decimals, so that the statement can be printed exactly. The vertical axis shows
//! all values; it is cut only near a possible pole.

pub mod axis;
pub mod cells;
pub mod density;
pub mod error;
pub mod figure;
pub mod pieces;
pub mod plane;
pub mod png;
pub mod sampler;
pub mod svg;
pub mod text;

use crate::meaning::presheaf::{PresheafInterpreter, SourceLocation};
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::presheaf::dynamic::Element;
use crate::smooth::curve::UnivariateMap;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, SourceId, Variable};
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use axis::Window;
pub use density::{ColumnValues, Envelope, PlotColumn, derivative_symbol};
pub use error::PlotError;
use sampler::{ColumnRefinement, CurveFailure, CurveSampler, RefinementGoal};
use std::sync::Arc;

/// The largest number of columns of a picture. A choice, as are the next two: it bounds time and memory.
pub const MOST_COLUMNS: u32 = 10_000;
/// The largest number of rows of pixels.
pub const MOST_ROWS: u32 = 10_000;
/// The highest order of a derivative.
pub const MOST_ORDER: u32 = 20;
/// The largest number of pieces of a column. A choice: more pieces give lower columns and cost time.
const MOST_PIECES: usize = 256;
/// Memory for the pieces of all columns of an envelope, in bytes. A choice: it lowers the number of pieces if there
/// are many columns.
const PIECE_MEMORY: usize = 256 << 20;
/// Largest number of refinement passes over the columns. A choice: a pass can lower the window, which makes more
/// visible.
const MAX_REFINEMENT_PASSES: u32 = 6;
/// Target of the refinement: how far the envelope may exceed the attained values, in pixels. A choice, below what is
/// visible.
const TARGET_OVERSHOOT: f64 = 0.5;

/// Parameters of a plot: the interval, the resolution and the derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotRequest {
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
    /// The lower end of the vertical axis. With `None`, the values decide.
    pub low: Option<Rational>,
    /// The upper end of the vertical axis. With `None`, the values decide.
    pub high: Option<Rational>,
    /// The title above the picture. With `None`, the source is the title.
    pub title: Option<String>,
}

impl PlotRequest {
    /// Creates a request for the function itself on `[from, to]`, in 360 columns and 240 rows.
    #[must_use]
    pub fn new(from: Rational, to: Rational) -> Self {
        Self { from, to, columns: 360, rows: 240, orders: vec![0], low: None, high: None, title: None }
    }

    /// Checks that the request can be drawn.
    ///
    /// # Errors
    /// [`PlotError`]: ends in the wrong order or with too many digits, a size or an order out of range.
    pub fn check_limits(&self) -> Result<(), PlotError> {
        for (axis, from, to) in
            [("horizontal", Some(&self.from), Some(&self.to)), ("vertical", self.low.as_ref(), self.high.as_ref())]
        {
            // Each axis is checked only if both of its ends are given; the values decide a missing end of the
            // vertical one.
            if let (Some(from), Some(to)) = (from, to)
                && from >= to
            {
                let [from, to] = [from, to].map(axis::format_exact);
                return Err(PlotError::Reversed { axis, from, to });
            }
        }
        // Ends are exact, so a long one would make every later operation on the borders expensive.
        let numbers = [Some(&self.from), Some(&self.to), self.low.as_ref(), self.high.as_ref()];
        if numbers.into_iter().flatten().any(|q| axis::binary_digits(q) > axis::MOST_BITS) {
            return Err(PlotError::Digits { limit: axis::MOST_BITS });
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
pub struct CertifiedPlot {
    /// The source of the function.
    pub source: String,
    /// The request that the plot answers.
    pub request: PlotRequest,
    /// One envelope for each order of the request.
    pub envelopes: Vec<Envelope>,
    /// The uses of cutRoot whose promise the envelopes rest on.
    pub assumed: Vec<SourceLocation>,
    /// `true` if the budget ended the work.
    pub exhausted: bool,
}

impl CertifiedPlot {
    /// Returns the title of the request, or else the source.
    #[must_use]
    pub fn title(&self) -> &str {
        self.request.title.as_deref().unwrap_or(&self.source)
    }
}

/// Computes the envelopes of a program of type `Real -> Real`.
///
/// # Errors
/// [`PlotError`]: the program is ill-formed or has another type, the request cannot be drawn, or a promise of the
/// program is broken on some column.
///
/// # Examples
/// The derivative of |x| jumps at 0. The column that holds the kink shows the whole jump:
/// ```
/// use smoothish_plot::number::{Rational, budget::Budget};
/// use smoothish_plot::plot::{PlotRequest, plot_function};
/// use smoothish_plot::syntax::library::Library;
/// use std::sync::Arc;
/// let request = PlotRequest { columns: 5, orders: vec![1], ..PlotRequest::new(Rational::from(-1), Rational::from(1)) };
/// let source = r"\x => abs x";
/// let program = Library::default().infer_expression(source)?.0;
/// let plot = plot_function(&program, source, &request, &Arc::new(Budget::unlimited()))?;
/// let printed: Vec<_> = plot.envelopes[0].columns.iter().map(|c| c.enclosure().unwrap().to_string()).collect();
/// assert_eq!(printed, ["-1", "-1", "[-1, 1]", "1", "1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plot_function(
    program: &Term,
    source: &str,
    request: &PlotRequest,
    budget: &Arc<Budget>,
) -> Result<CertifiedPlot, PlotError> {
    request.check_limits()?;
    if !is_real_function(program.ty()) {
        return Err(PlotError::Type { found: program.ty().clone() });
    }
    let interpreter = PresheafInterpreter::new(budget.clone());
    // Applying the function to a variable turns the program into a graph, which is compiled once for all orders.
    let variable = Variable::fresh();
    let function = interpreter.interpret_program(program)?;
    let body = function.as_function()?.apply(&Element::Real(Graph::variable(variable)))?;
    // A broken promise names a site; the interpreter knows where in the source it stands.
    let failed = |CurveFailure { error, on }: CurveFailure| {
        let place = match &error {
            SmoothError::PromiseBroken { site, .. } => interpreter.location_of(*site).map(Box::new),
            _ => None,
        };
        PlotError::Evaluation { error, place, on: error::format_interval("x", &on).into() }
    };
    let on = || [request.from.clone(), request.to.clone()];
    let curve =
        UnivariateMap::new(variable, body.as_real()?).map_err(|error| failed(CurveFailure { error, on: on() }))?;
    let borders = axis::column_borders(&request.from, &request.to, request.columns);
    // All derivatives get a first enclosure before any is refined: if the budget is short, every panel shows
    // something.
    let mut drawings = Vec::new();
    for &order in &request.orders {
        drawings.push(EnvelopeBuilder::enclose_columns(&curve, order, &borders, request, budget).map_err(failed)?);
    }
    for drawing in &mut drawings {
        drawing.narrow_at_borders().map_err(failed)?;
    }
    let mut envelopes = Vec::new();
    let mut assumed = std::collections::BTreeSet::new();
    for mut drawing in drawings {
        drawing.refine_columns().map_err(failed)?;
        envelopes.push(drawing.build_envelope().map_err(failed)?);
        assumed.append(&mut drawing.sampler.assumed);
    }
    Ok(CertifiedPlot {
        source: source.to_owned(),
        request: request.clone(),
        envelopes,
        assumed: assumed.into_iter().filter_map(|s| interpreter.location_of(SourceId(s))).collect(),
        exhausted: budget.is_exhausted(),
    })
}

/// Returns `true` if `Real -> Real` is an instance of the type. The type of `\x => x` is an example.
#[must_use]
pub fn is_real_function(ty: &Ty) -> bool {
    let is_real = |ty: &Ty| matches!(ty.kind(), TyKind::Real | TyKind::Variable(..));
    matches!(ty.kind(), TyKind::Function(domain, codomain) if is_real(domain) && is_real(codomain))
}

/// The state of one envelope while it is computed.
struct EnvelopeBuilder<'a> {
    sampler: CurveSampler<'a>,
    borders: &'a [Rational],
    request: &'a PlotRequest,
    cells: Vec<ColumnRefinement>,
    /// The upper quartile of the widths of the enclosures at the borders of the columns.
    noise: Magnitude,
}

impl<'a> EnvelopeBuilder<'a> {
    /// Encloses the values over every column for the first time.
    fn enclose_columns(
        curve: &'a UnivariateMap,
        order: u32,
        borders: &'a [Rational],
        request: &'a PlotRequest,
        budget: &'a Budget,
    ) -> Result<Self, CurveFailure> {
        let mut sampler = CurveSampler::new(curve, order, border_precision(borders), budget);
        let mut cells = Vec::with_capacity(borders.len() - 1);
        for pair in borders.windows(2) {
            cells.push(ColumnRefinement::new(&mut sampler, [&pair[0], &pair[1]])?);
        }
        Ok(Self { sampler, borders, request, cells, noise: Magnitude::ZERO })
    }

    /// Encloses the values at the borders and narrows every column by them.
    fn narrow_at_borders(&mut self) -> Result<(), CurveFailure> {
        calibrate_tolerance(&mut self.sampler, self.borders, self.request.rows)?;
        let mut left = self.sampler.value_at(&self.borders[0])?;
        // Neighbouring columns share a border, so every border is evaluated once.
        let mut widths = vec![left.width()];
        for (cell, border) in self.cells.iter_mut().zip(&self.borders[1..]) {
            if self.sampler.is_exhausted() {
                break;
            }
            let right = self.sampler.value_at(border)?;
            cell.narrow_by_ends(&mut self.sampler, [&left, &right])?;
            left = right;
            widths.push(left.width());
        }
        // Infinite widths belong to borders at which the value is unbounded or not known; they say nothing of
        // rounding.
        widths.retain(|w| w.is_finite());
        widths.sort();
        // The upper quartile: a few borders near a pole may have wide values without widening the margin of the
        // window.
        self.noise = widths.get(widths.len() * 3 / 4).copied().unwrap_or(Magnitude::ZERO);
        Ok(())
    }

    /// Returns the overshoot at which refinement stops, in heights of the window.
    fn target_overshoot(&self) -> f64 {
        TARGET_OVERSHOOT / f64::from(self.request.rows)
    }

    /// Returns the number of pieces per column that fit [`PIECE_MEMORY`]. A piece holds eight numbers, estimated at 1000
    /// bytes and the digits of the ends.
    fn pieces_per_column(&self) -> usize {
        let digits = [&self.request.from, &self.request.to].map(axis::binary_digits).into_iter().max().unwrap_or(0);
        (PIECE_MEMORY / (1000 + digits as usize) / self.cells.len().max(1)).clamp(1, MOST_PIECES)
    }

    /// Returns the window for values that are or may be attained.
    fn window_for_values(&self, values: &[Enclosure]) -> Window {
        // A column that may hold a pole has values of any size, so the window then cuts the outer ones off.
        let cut = self.cells.iter().any(ColumnRefinement::may_be_unbounded);
        Window::around_values(values, self.noise, cut, self.request.low.as_ref(), self.request.high.as_ref())
    }

    /// Returns the window that is drawn, for the values that are certainly attained. If none is known, the enclosures
    /// decide.
    fn drawn_window(&self) -> Window {
        let taken: Vec<_> = self.cells.iter().filter_map(|c| c.attained().cloned()).collect();
        self.window_for_values(&if taken.is_empty() { self.column_enclosures() } else { taken })
    }

    /// Returns the window that is refined for. It also contains the values that may be attained.
    fn refinement_window(&self) -> Window {
        self.window_for_values(&self.column_enclosures()).hull(&self.drawn_window())
    }

    /// Returns the enclosures of all columns that have one.
    fn column_enclosures(&self) -> Vec<Enclosure> {
        let within = |c: &ColumnRefinement| match c.enclosed_values() {
            ColumnValues::Within(e) => Some(e),
            ColumnValues::Undefined | ColumnValues::Unknown => None,
        };
        self.cells.iter().filter_map(within).collect()
    }

    /// Halves columns until they are as low as the picture can show.
    fn refine_columns(&mut self) -> Result<(), CurveFailure> {
        let goal = RefinementGoal { pixel: self.target_overshoot(), most_pieces: self.pieces_per_column() };
        let mut window = self.refinement_window();
        for _ in 0..MAX_REFINEMENT_PASSES {
            // The window sets the size of a pixel, and so the width of values that is worth computing.
            self.sampler.tolerance = row_tolerance(&window.height(), self.request.rows);
            for cell in &mut self.cells {
                cell.refine(&mut self.sampler, &window, goal)?;
            }
            // Lower columns may make a lower window, in which smaller differences are visible. A gain below one fifth
            // is not worth another pass: a choice.
            let next = self.refinement_window();
            let done = next.height() > window.height() * 4u32 / 5u32;
            window = next;
            if done || self.sampler.is_exhausted() {
                break;
            }
        }
        Ok(())
    }

    /// Returns the envelope, with the kinks marked in the columns that hold them.
    fn build_envelope(&mut self) -> Result<Envelope, CurveFailure> {
        let (window, row) = (self.drawn_window(), 1.0 / f64::from(self.request.rows));
        let search = sampler::KinkSearch::new(&window.height(), self.request.rows);
        let mut columns = Vec::with_capacity(self.cells.len());
        for (cell, x) in self.cells.iter_mut().zip(self.borders.windows(2)) {
            let kink = cell.enclose_kinks(&mut self.sampler, &search)?;
            // Twice the target of refinement: the window that is drawn may be lower than the one that was refined
            // for.
            columns.push(cell.drawn_column([x[0].clone(), x[1].clone()], &window, 2.0 * TARGET_OVERSHOOT * row, kink));
        }
        Ok(Envelope { order: self.sampler.order(), columns, window, marks: Vec::new() })
    }
}

/// Returns a precision that distinguishes the borders of neighbouring columns, with at least 32 bits to spare.
pub(crate) fn border_precision(borders: &[Rational]) -> Precision {
    let exponents = borders.iter().filter(|q| **q != 0).map(axis::binary_exponent);
    // `least` and `most` bound the binary exponents; 0 is included, which does no harm.
    let (least, most) = exponents.fold((0, 0), |(a, b), e| (a.min(e), b.max(e)));
    let width = axis::binary_exponent(&Rational::from(&borders[1] - &borders[0]));
    let size = borders.iter().filter(|q| **q != 0).map(axis::binary_exponent).max().unwrap_or(0);
    let bits = (size - width).clamp(0, 1 << 20) as u32 + 32;
    // A double has 53 bits. Exponents beyond ±300 are left to MPFR, far from the overflow and underflow of doubles.
    if bits <= 53 && least > -300 && most < 300 { Precision::Double } else { Precision::Mpfr(bits.max(64) + 64) }
}

/// Returns the width that values should have for a window of height `height`: a sixteenth of a row.
fn row_tolerance(height: &Rational, rows: u32) -> Magnitude {
    Magnitude::from_rational(&(height.clone() / rows)).mul_exp2(-4)
}

/// Sets the tolerance of the sampler from a few values, so that solvers aim at a width that fits the size of the
/// function.
fn calibrate_tolerance(sampler: &mut CurveSampler, borders: &[Rational], rows: u32) -> Result<(), CurveFailure> {
    for _ in 0..6 {
        // At most 15 borders are tried: a choice that costs little beside the columns themselves.
        let step = (borders.len() / 8).max(1);
        let mut all: Option<Enclosure> = None;
        let mut widest = Magnitude::ZERO;
        for x in borders.iter().step_by(step) {
            let value = sampler.value_at(x)?;
            if value.is_defined() && value.is_bounded() {
                widest = widest.max(value.width());
                all = Some(all.map_or(value.clone(), |all| all.hull(&value)));
            }
        }
        let Some(all) = all else { return Ok(()) };
        let height = all.width();
        // Done if the widths are small beside the differences of the values, or if no narrower value can be expected.
        let enough = widest <= height.mul_exp2(-4) || widest <= sampler.tolerance.mul_exp2(-20);
        // At most 24 binary digits more in a round: a function that is nearly constant must not ask for a width near
        // 0 at once.
        sampler.tolerance = height.mul_exp2(-4 - i64::from(rows.ilog2())).max(sampler.tolerance.mul_exp2(-24));
        if enough || sampler.is_exhausted() {
            break;
        }
    }
    Ok(())
}
