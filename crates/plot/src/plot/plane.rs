//! Certified pictures of functions of two variables: every pixel is an enclosure.
//!
//! A pixel is a closed rectangle of the plane, with exact sides. A statement about a pixel holds on the whole of it:
//! either an interval contains every value of the function there, or the function is not shown to be defined
//! everywhere on it. Two kinds of pictures follow:
//!
//! - a picture of the **values**, in which the colour of a pixel is that of a narrow enclosure, or says that the
//!   enclosure is wide;
//! - a picture of the **level set** `{f > c}`, with pixels certainly inside of it and pixels certainly outside. A
//!   third kind is certainly met by the border: f is defined on the pixel, above c at one point and below it at
//!   another. All others are undecided.
//!
//! A picture of a level set gives bounds of its area: [`PlanePicture::area_bounds`].
//!
//! | module | what it holds |
//! |---|---|
//! | [`survey`] | division of a rectangle until its pixels are known, on all cores |
//! | [`figure`] | the colours of pixels; the picture with its axes and legend; the picture as letters |

pub mod figure;
pub mod survey;

use super::axis;
use super::axis::format_exact;
use super::error::{PlotError, format_interval};
use crate::meaning::presheaf::{PresheafInterpreter, SourceLocation};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::smooth::dimension::Dyn;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, SourceId, Variable};
use crate::smooth::map::{DynMap, Map};
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use std::sync::Arc;
use survey::Scan;

/// The largest number of pixels of a picture. A choice: it bounds memory and time.
pub const MOST_PIXELS: u32 = 4_000_000;

/// The subject of a picture: the values of a function or one of its level sets.
#[derive(Clone, Debug, PartialEq)]
pub enum PictureSubject {
    /// The values, with the two ends of the scale of colours. With `None`, the values decide.
    Values([Option<Rational>; 2]),
    /// The set on which the function is greater than a number.
    Level(Rational),
}

/// A rectangle of the plane, the resolution, and the subject of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureRequest {
    /// The left and the right side.
    pub x: [Rational; 2],
    /// The lower and the upper side.
    pub y: [Rational; 2],
    /// The number of pixels from left to right.
    pub columns: u32,
    /// The number of pixels from top to bottom.
    pub rows: u32,
    /// The subject of the picture.
    pub subject: PictureSubject,
    /// The number of threads. With `None`, as many as there are cores.
    pub thread_count: Option<usize>,
    /// The title above the picture. With `None`, the source is the title.
    pub title: Option<String>,
}

impl PictureRequest {
    /// Returns the exact borders between columns, and those between rows from the lowest. They are short decimals
    /// that divide the sides evenly, up to a thousandth of a pixel.
    #[must_use]
    pub fn pixel_borders(&self) -> [Vec<Rational>; 2] {
        [(&self.x, self.columns), (&self.y, self.rows)].map(|([from, to], count)| axis::column_borders(from, to, count))
    }

    /// Returns the number of threads.
    fn thread_count(&self) -> usize {
        self.thread_count.unwrap_or_else(crate::parallel::available_threads)
    }

    /// Checks that the request can be drawn.
    ///
    /// # Errors
    /// [`PlotError`]: ends in the wrong order or with too many digits, a size out of range.
    pub fn check_limits(&self) -> Result<(), PlotError> {
        let colours = match &self.subject {
            PictureSubject::Values([Some(low), Some(high)]) => Some(("colour", low, high)),
            _ => None,
        };
        let axes = [("horizontal", &self.x[0], &self.x[1]), ("vertical", &self.y[0], &self.y[1])];
        for (axis, from, to) in axes.into_iter().chain(colours) {
            if from >= to {
                let [from, to] = [from, to].map(format_exact);
                return Err(PlotError::Reversed { axis, from, to });
            }
        }
        // Long numbers would make every operation expensive, the level and the ends of the scale included.
        let given = match &self.subject {
            PictureSubject::Values(ends) => ends.iter().flatten().collect(),
            PictureSubject::Level(level) => vec![level],
        };
        if self.x.iter().chain(&self.y).chain(given).any(|q| axis::binary_digits(q) > axis::MOST_BITS) {
            return Err(PlotError::Digits { limit: axis::MOST_BITS });
        }
        let [least, most] = [1, super::MOST_COLUMNS];
        for (what, found) in [("the number of columns", self.columns), ("the number of rows", self.rows)] {
            if !(least..=most).contains(&found) {
                return Err(PlotError::Size { what, least, most, found });
            }
        }
        // The product may exceed 32 bits; a saturated one is still out of range.
        let found = self.columns.saturating_mul(self.rows);
        if found > MOST_PIXELS {
            return Err(PlotError::Size { what: "the number of pixels", least, most: MOST_PIXELS, found });
        }
        Ok(())
    }
}

/// The values of a function on a pixel, as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PixelState {
    /// Every value on the whole pixel lies between these two.
    Within([f64; 2]),
    /// The function is not shown to be defined on the whole pixel.
    Undefined,
    /// The budget ended before the pixel was decided.
    Unknown,
}

/// A pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixel {
    /// The values on the pixel.
    pub state: PixelState,
    /// The side of the level. Undecided in a picture of values.
    pub side: LevelSide,
    /// `true` if more work would not show in the picture: the side is decided, or the enclosure is narrow, or it is
    /// hardly wider than attained values.
    pub settled: bool,
}

/// The position of a pixel with respect to a level set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelSide {
    /// f > c on the whole pixel.
    Inside,
    /// f < c on the whole pixel.
    Outside,
    /// f is defined on the whole pixel, with a value above c and one below it: the border passes through the pixel.
    Border,
    /// None of the other cases is shown.
    Undecided,
}

/// A picture: pixels row by row, the uppermost row first.
#[derive(Clone, Debug)]
pub struct PlanePicture {
    /// The source of the function.
    pub source: String,
    /// The request that the picture answers.
    pub request: PictureRequest,
    /// The pixels.
    pub pixels: Vec<Pixel>,
    /// The ends of the scale of colours of a picture of values.
    pub scale: [f64; 2],
    /// The uses of cutRoot whose promise the picture rests on.
    pub assumed: Vec<SourceLocation>,
    /// `true` if the budget ended the work.
    pub exhausted: bool,
}

impl PlanePicture {
    /// Returns the number of pixels with a property.
    #[must_use]
    pub fn count_pixels(&self, is_such: impl Fn(&Pixel) -> bool) -> usize {
        self.pixels.iter().filter(|pixel| is_such(pixel)).count()
    }

    /// Returns a lower and an upper bound of the area of `{f > c}` in the rectangle. `None` for a picture of values.
    /// A pixel on which f may be undefined counts for the upper bound only.
    #[must_use]
    pub fn area_bounds(&self) -> Option<[Rational; 2]> {
        let PictureSubject::Level(_) = self.request.subject else { return None };
        let lengths = |borders: Vec<Rational>| -> Vec<Rational> {
            borders.windows(2).map(|pair| Rational::from(&pair[1] - &pair[0])).collect()
        };
        let [wide, tall] = self.request.pixel_borders().map(lengths);
        let mut area = [Rational::new(), Rational::new()];
        // The borders of rows run from the lowest, the rows of pixels from the uppermost.
        for (row, height) in self.pixels.chunks(wide.len()).zip(tall.iter().rev()) {
            let length = |is_such: &dyn Fn(LevelSide) -> bool| {
                let such = row.iter().zip(&wide).filter(|(pixel, _)| is_such(pixel.side)).map(|(_, width)| width);
                such.fold(Rational::new(), |sum, width| sum + width)
            };
            area[0] += length(&|side| side == LevelSide::Inside) * height;
            area[1] += length(&|side| side != LevelSide::Outside) * height;
        }
        Some(area)
    }
}

/// Computes the picture of a program of type `Real -> Real -> Real`, or `Real × Real -> Real`.
///
/// The pixels do not depend on the number of threads, unless the budget ends the work.
///
/// # Errors
/// [`PlotError`]: the program is ill-formed or has another type, the request cannot be drawn, or a promise of the
/// program is broken on some rectangle.
///
/// # Examples
/// The unit disc on 64 by 64 pixels: its area lies between two numbers.
/// ```
/// use smoothish_plot::number::{Rational, budget::Budget};
/// use smoothish_plot::plot::plane::{PictureRequest, PictureSubject, plot_plane};
/// use smoothish_plot::syntax::library::Library;
/// use std::sync::Arc;
/// let side = || [-1, 1].map(Rational::from);
/// let request = PictureRequest { x: side(), y: side(), columns: 64, rows: 64, subject: PictureSubject::Level(Rational::from(0)), thread_count: None, title: None };
/// let source = r"\x y => 1 - x^2 - y^2";
/// let program = Library::default().infer_expression(source)?.0;
/// let disc = plot_plane(&program, source, &request, &Arc::new(Budget::unlimited()))?;
/// let [low, high] = disc.area_bounds().expect("a level set");
/// assert!(low < 3.1416 && high > 3.1415 && high - low < 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plot_plane(
    program: &Term,
    source: &str,
    request: &PictureRequest,
    budget: &Arc<Budget>,
) -> Result<PlanePicture, PlotError> {
    request.check_limits()?;
    let interpreter = PresheafInterpreter::new(budget.clone());
    let map = denoted_map(&interpreter, program)?;
    let failed = |survey::RectangleFailure { error, on }: survey::RectangleFailure| {
        // A broken promise names a site; the interpreter knows where in the source it stands.
        let place = match &error {
            SmoothError::PromiseBroken { site, .. } => interpreter.location_of(*site).map(Box::new),
            _ => None,
        };
        let [x, y] = *on;
        let on = format!("{}, {}", format_interval("x", &x), format_interval("y", &y)).into();
        PlotError::Evaluation { error, place, on }
    };
    let survey = Scan::new(&map, request, budget).map_err(failed)?;
    let (pixels, assumed) = survey.compute_pixels(request.thread_count()).map_err(failed)?;
    let scale = survey.colour_scale(&pixels);
    Ok(PlanePicture {
        source: source.to_owned(),
        request: request.clone(),
        pixels,
        scale,
        assumed: assumed.into_iter().filter_map(|site| interpreter.location_of(SourceId(site))).collect(),
        exhausted: budget.is_exhausted(),
    })
}

/// Returns the types of the programs that have pictures: ℝ → ℝ → ℝ and ℝ × ℝ → ℝ.
#[must_use]
pub fn plottable_types() -> [Ty; 2] {
    let (real, point) = (Ty::real(), Ty::new(TyKind::Tuple(vec![Ty::real(), Ty::real()])));
    let curried = Ty::function(real.clone(), Ty::function(real.clone(), real.clone()));
    [curried, Ty::function(point, real)]
}

/// Returns the map that a program denotes.
fn denoted_map(interpreter: &PresheafInterpreter, program: &Term) -> Result<Map<Dyn, Dyn>, PlotError> {
    // Applying the program to two variables turns it into a graph.
    let variables = [Variable::fresh(), Variable::fresh()];
    let both = variables.map(|v| Element::Real(Graph::variable(v)));
    let [curried, uncurried] = plottable_types();
    let arguments = match program.ty() {
        ty if *ty == curried => both.to_vec(),
        ty if *ty == uncurried => vec![Element::tuple_of(both)],
        found => return Err(PlotError::PlaneType { found: found.clone() }),
    };
    let mut value = interpreter.interpret_program(program)?;
    for argument in &arguments {
        value = value.as_function()?.apply(argument)?;
    }
    let map = DynMap::of_graphs(&variables, std::slice::from_ref(value.as_real()?));
    Ok(Map::from_dyn(map.map_err(|_| ValueError::Mismatch { expected: "a closed program", found: "a free variable" })?))
}
