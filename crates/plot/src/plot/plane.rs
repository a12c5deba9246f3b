//! Certified pictures of functions of two variables: every pixel is an enclosure.
//!
//! A pixel is a closed rectangle of the plane, with exact sides. What is known of it holds on the whole of it: an interval
//! that contains every value of the function there, or that the function is not shown to be defined everywhere on it. From
//! that follow
//!
//! - a picture of the **values**, in which the colour of a pixel is that of an enclosure which is narrow, or of what says that it is not;
//! - a picture of the **level set** `{f > c}`: pixels certainly inside of it, certainly outside of it, certainly met by its
//!   border (f is defined on the pixel, and is above c at one point and below it at another), and the rest, which is undecided.
//!
//! From a picture of the second kind follow bounds of an area: [`Picture::area`].
//!
//! | module | what it holds |
//! |---|---|
//! | [`survey`] | how a rectangle is divided until its pixels are known, on all cores |
//! | [`colour`] | what is painted |
//! | [`figure`] | the picture with its axes and legend |
//! | [`text`] | the picture as letters |

pub mod colour;
pub mod figure;
pub mod survey;
pub mod text;

use super::error::{PlotError, interval};
use super::grid::{self, written};
use crate::meaning::presheaf::{Interpreter, Place};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::smooth::dimension::Hidden;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Site, Variable};
use crate::smooth::map::Map;
use crate::smooth::map::untyped::Untyped;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use std::sync::Arc;
use survey::Survey;

/// The most pixels of a picture.
pub const MOST_PIXELS: u32 = 4_000_000;

/// What is to be drawn of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// Its values. Colours run between two numbers; where one is not given, the values decide.
    Values([Option<Rational>; 2]),
    /// Where it is greater than a number.
    Level(Rational),
}

/// A rectangle of the plane, and how finely it is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The left and the right side.
    pub x: [Rational; 2],
    /// The lower and the upper side.
    pub y: [Rational; 2],
    /// The number of pixels from left to right.
    pub columns: u32,
    /// The number of pixels from top to bottom.
    pub rows: u32,
    /// What is drawn.
    pub subject: Subject,
    /// How many threads work on it; without a number, as many as there are cores.
    pub threads: Option<usize>,
    /// What stands above the picture; without it, the source.
    pub title: Option<String>,
}

impl Request {
    /// The exact borders between columns, and those between rows from the lowest: short decimals, which divide the sides evenly up to
    /// a thousandth of a pixel.
    #[must_use]
    pub fn borders(&self) -> [Vec<Rational>; 2] {
        [(&self.x, self.columns), (&self.y, self.rows)].map(|([from, to], count)| grid::borders(from, to, count))
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(crate::parallel::cores)
    }

    /// Whether it can be drawn.
    ///
    /// # Errors
    /// [`PlotError`]: ends in the wrong order or with too many digits, a size out of range.
    pub fn check(&self) -> Result<(), PlotError> {
        let colours = match &self.subject {
            Subject::Values([Some(low), Some(high)]) => Some(("colour", low, high)),
            _ => None,
        };
        let axes = [("horizontal", &self.x[0], &self.x[1]), ("vertical", &self.y[0], &self.y[1])];
        for (axis, from, to) in axes.into_iter().chain(colours) {
            if from >= to {
                let [from, to] = [from, to].map(written);
                return Err(PlotError::Reversed { axis, from, to });
            }
        }
        let given = match &self.subject {
            Subject::Values(ends) => ends.iter().flatten().collect(),
            Subject::Level(level) => vec![level],
        };
        if self.x.iter().chain(&self.y).chain(given).any(|q| grid::bits(q) > grid::MOST_BITS) {
            return Err(PlotError::Digits { limit: grid::MOST_BITS });
        }
        let [least, most] = [1, super::MOST_COLUMNS];
        for (what, found) in [("the number of columns", self.columns), ("the number of rows", self.rows)] {
            if !(least..=most).contains(&found) {
                return Err(PlotError::Size { what, least, most, found });
            }
        }
        let found = self.columns.saturating_mul(self.rows);
        if found > MOST_PIXELS {
            return Err(PlotError::Size { what: "the number of pixels", least, most: MOST_PIXELS, found });
        }
        Ok(())
    }
}

/// What is known of a function on a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// Every value on the whole pixel lies between these two.
    Within([f64; 2]),
    /// It is not shown to be defined on the whole pixel.
    Undefined,
    /// Nothing: the budget ended first.
    Unknown,
}

/// A pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixel {
    /// What is known.
    pub known: Known,
    /// Where a level is drawn, on which side of it the pixel lies.
    pub side: Side,
    /// Whether more work would not show in the picture: the side is decided, or the enclosure is narrow, or no wider than some
    /// values that are taken.
    pub settled: bool,
}

/// Where a pixel lies with respect to a level set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// f > c on the whole pixel.
    Inside,
    /// f < c on the whole pixel.
    Outside,
    /// f is defined on the whole pixel, with a value above c and one below it: the border passes through.
    Border,
    /// None of these is known.
    Undecided,
}

/// A picture: pixels row by row, the uppermost row first.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The source of the function.
    pub source: String,
    /// What was asked.
    pub request: Request,
    /// The pixels.
    pub pixels: Vec<Pixel>,
    /// The numbers between which colours run, where values are drawn.
    pub scale: [f64; 2],
    /// The uses of cutRoot whose promise the picture rests on.
    pub assumed: Vec<Place>,
    /// Whether the budget ended the work.
    pub exhausted: bool,
}

impl Picture {
    /// How many pixels are such.
    #[must_use]
    pub fn count(&self, is_such: impl Fn(&Pixel) -> bool) -> usize {
        self.pixels.iter().filter(|pixel| is_such(pixel)).count()
    }

    /// Two bounds of the area of `{f > c}` in the rectangle, where the picture is one of a level. Where f may be undefined, what
    /// is not defined counts for the upper one only.
    #[must_use]
    pub fn area(&self) -> Option<[Rational; 2]> {
        let Subject::Level(_) = self.request.subject else { return None };
        let lengths = |borders: Vec<Rational>| -> Vec<Rational> {
            borders.windows(2).map(|pair| Rational::from(&pair[1] - &pair[0])).collect()
        };
        let [wide, tall] = self.request.borders().map(lengths);
        let mut area = [Rational::new(), Rational::new()];
        for (row, height) in self.pixels.chunks(wide.len()).zip(tall.iter().rev()) {
            let length = |is_such: &dyn Fn(Side) -> bool| {
                let such = row.iter().zip(&wide).filter(|(pixel, _)| is_such(pixel.side)).map(|(_, width)| width);
                such.fold(Rational::new(), |sum, width| sum + width)
            };
            area[0] += length(&|side| side == Side::Inside) * height;
            area[1] += length(&|side| side != Side::Outside) * height;
        }
        Some(area)
    }
}

/// The picture of a program of type `Real -> Real -> Real`, or `Real × Real -> Real`.
///
/// Pixels do not depend on the number of cores, as long as the budget does not end the work.
///
/// # Errors
/// [`PlotError`]: the program is wrong or no such function, the request cannot be drawn, or a promise of the program is
/// broken on some rectangle.
///
/// # Examples
/// The unit disc on 64 by 64 pixels: its area lies between two numbers.
/// ```
/// use smoothish_plot::number::{Rational, budget::Budget};
/// use smoothish_plot::plot::plane::{Request, Subject, picture};
/// use smoothish_plot::syntax::library::Library;
/// use std::sync::Arc;
/// let side = || [-1, 1].map(Rational::from);
/// let request = Request { x: side(), y: side(), columns: 64, rows: 64, subject: Subject::Level(Rational::from(0)), threads: None, title: None };
/// let source = r"\x y => 1 - x^2 - y^2";
/// let program = Library::default().infer_expression(source)?.0;
/// let disc = picture(&program, source, &request, &Arc::new(Budget::unlimited()))?;
/// let [low, high] = disc.area().expect("a level set");
/// assert!(low < 3.1416 && high > 3.1415 && high - low < 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn picture(program: &Term, source: &str, request: &Request, budget: &Arc<Budget>) -> Result<Picture, PlotError> {
    request.check()?;
    let interpreter = Interpreter::new(budget.clone());
    let map = map_of(&interpreter, program)?;
    let failed = |survey::Failure { error, on }: survey::Failure| {
        let place = match &error {
            SmoothError::PromiseBroken { site, .. } => interpreter.place(*site).map(Box::new),
            _ => None,
        };
        let [x, y] = *on;
        let on = format!("{}, {}", interval("x", &x), interval("y", &y)).into();
        PlotError::Evaluation { error, place, on }
    };
    let survey = Survey::new(&map, request, budget).map_err(failed)?;
    let (pixels, assumed) = survey.pixels(request.threads()).map_err(failed)?;
    let scale = survey.scale(&pixels);
    Ok(Picture {
        source: source.to_owned(),
        request: request.clone(),
        pixels,
        scale,
        assumed: assumed.into_iter().filter_map(|site| interpreter.place(Site(site))).collect(),
        exhausted: budget.is_exhausted(),
    })
}

/// The types of the programs that have pictures: ℝ → ℝ → ℝ and ℝ × ℝ → ℝ.
#[must_use]
pub fn types() -> [Ty; 2] {
    let (real, point) = (Ty::real(), Ty::new(TyKind::Tuple(vec![Ty::real(), Ty::real()])));
    let curried = Ty::function(real.clone(), Ty::function(real.clone(), real.clone()));
    [curried, Ty::function(point, real)]
}

/// The map that a program denotes.
fn map_of(interpreter: &Interpreter, program: &Term) -> Result<Map<Hidden, Hidden>, PlotError> {
    let variables = [Variable::fresh(), Variable::fresh()];
    let both = variables.map(|v| Element::Real(Graph::variable(v)));
    let [curried, uncurried] = types();
    let arguments = match program.ty() {
        ty if *ty == curried => both.to_vec(),
        ty if *ty == uncurried => vec![Element::tuple(both)],
        found => return Err(PlotError::PlaneType { found: found.clone() }),
    };
    let mut value = interpreter.interpret(program)?;
    for argument in &arguments {
        value = value.as_function()?.apply(argument)?;
    }
    let map = Untyped::of_graphs(&variables, std::slice::from_ref(value.as_real()?));
    Ok(Map::hidden(map.map_err(|_| ValueError::Mismatch { expected: "a closed program", found: "a free variable" })?))
}
