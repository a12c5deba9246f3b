//! Plots of densities: for each column, the probability that a program gives a number in it, over the width of the
//! column.
//!
//! The mean density over a column is a number, and the column carries an enclosure of it. The probability is that of
//! the distribution proportional to the weights of the program, as enclosed by [`measure::enclose_expectation`]. A column contains
//! its left end and not its right one, so that an atom counts once.
//!
//! # The result for one column of a picture
//!
//! An enclosure of the values of a function over it.

use super::axis::Window;
use super::{CertifiedPlot, PlotError, PlotRequest, axis};
use crate::measure;
use crate::measure::{MeasureError, MeasureQuestion};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::syntax::library::{Library, ProgramError};
use crate::syntax::parser::parse_expression;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use std::sync::{Arc, LazyLock};

/// The number of columns of a density, unless the request gives another. A choice: each column is an integral of its
/// own.
pub const DEFAULT_COLUMNS: u32 = 40;
/// The reciprocal of the width of the probabilities in the first pass, while the height of the picture is unknown. A
/// choice: it must only give the size of the highest column.
const FIRST_PASS_PARTS: u32 = 500;
/// The precision of heights, in bits. A choice, far beyond the width of the probabilities.
const HEIGHT_BITS: u32 = 128;

/// An error of a plot of a density.
#[derive(Debug, thiserror::Error)]
pub enum DensityError {
    /// The picture cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// The program has no distribution.
    #[error(transparent)]
    Measure(#[from] MeasureError),
}

impl From<ProgramError> for DensityError {
    fn from(error: ProgramError) -> Self {
        Self::Plot(error.into())
    }
}

/// Computes the mean densities of a program of type `P Real`, column by column.
///
/// # Errors
/// [`DensityError`] if the request cannot be drawn, or the program has no distribution on the real numbers.
pub fn plot_density(
    program: &Term,
    source: &str,
    request: &PlotRequest,
    budget: &Arc<Budget>,
) -> Result<CertifiedPlot, DensityError> {
    request.check_limits()?;
    let borders = axis::column_borders(&request.from, &request.to, request.columns);
    let mut found: Vec<ColumnValues> = vec![ColumnValues::Unknown; borders.len() - 1];
    let mut eps = Rational::from((1, FIRST_PASS_PARTS));
    // Two passes: the first finds the height of the picture, the second encloses as finely as the picture shows.
    for _ in 0..2 {
        for index in 0..found.len() {
            let ends = [&borders[index], &borders[index + 1]];
            let width = Rational::from(ends[1] - ends[0]);
            if let ColumnValues::Within(known) = &found[index]
                && known.has_width_at_most(&Rational::from(&eps / &width))
            {
                // The first pass was already fine enough.
                continue;
            }
            // Every remaining column gets an equal share of the remaining time; time that a column leaves goes to the
            // later ones.
            let time = budget.remaining_time().map(|left| left / (found.len() - index) as u32);
            let own = Arc::new(budget.for_part(u64::MAX, time));
            if budget.is_exhausted() {
                break;
            }
            let chance = interval_probability(program, ends, &eps, &own)?;
            // The probability was certainly enclosed; the quotient only adds the rounding of 128 bits.
            let context = Mpfr::new(HEIGHT_BITS);
            let height = context.div(&context.round_enclosure(&chance), &context.enclose_rational(&width));
            if chance.is_defined() && chance.is_bounded() {
                found[index] = ColumnValues::Within(context.to_enclosure(&height));
            }
        }
        // Half a row of the highest column, converted from a density to a probability by the width of a column.
        let tops = found.iter().filter_map(density_enclosure).filter_map(|e| e.hi().to_rational());
        let top = tops.max().unwrap_or_else(|| Rational::from(1));
        let width = Rational::from(&request.to - &request.from) / request.columns;
        eps = (top * width / (2 * request.rows)).min(eps);
    }
    let heights: Vec<&Enclosure> = found.iter().filter_map(density_enclosure).collect();
    // A density is nonnegative, so the vertical axis begins at 0 unless the request says otherwise.
    let low = request.low.clone().unwrap_or_default();
    let window = Window::around_values(heights, Magnitude::ZERO, false, Some(&low), request.high.as_ref());
    let pixel = window.height() / request.rows;
    let columns = found.into_iter().zip(borders.windows(2)).map(|(values, ends)| {
        let settled = density_enclosure(&values).is_some_and(|e| e.has_width_at_most(&pixel));
        PlotColumn { x: [ends[0].clone(), ends[1].clone()], values, settled, kink: None }
    });
    let envelope = Envelope { order: 0, columns: columns.collect(), window, marks: Vec::new() };
    Ok(CertifiedPlot {
        source: source.to_owned(),
        request: request.clone(),
        envelopes: vec![envelope],
        assumed: Vec::new(),
        exhausted: budget.is_exhausted(),
    })
}

/// Returns the enclosure of a mean density, if there is one.
fn density_enclosure(values: &ColumnValues) -> Option<&Enclosure> {
    match values {
        ColumnValues::Within(found) => Some(found),
        ColumnValues::Undefined | ColumnValues::Unknown => None,
    }
}

/// The language without theories, for the indicator functions of columns.
static LANGUAGE: LazyLock<Library> = LazyLock::new(Library::default);

/// Parses an expression and checks it at a type.
fn parse_at_type(text: &str, ty: &Ty) -> Result<Term, ProgramError> {
    let expression = parse_expression(text)?;
    Ok(LANGUAGE.check_in_module("", text, &expression, ty)?)
}

/// Encloses the probability of `[from, to)`. Returns ⊥ if the result rests on an assumption.
fn interval_probability(
    program: &Term,
    [from, to]: [&Rational; 2],
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<Enclosure, DensityError> {
    let inside = format!("\\z => if z < ({from}) then 0 else if z < ({to}) then 1 else 0");
    let inside = parse_at_type(&inside, &Ty::function(Ty::real(), Ty::real()))?;
    let question = MeasureQuestion { parameter: None, derivative_order: 0, weight_bound: None, eps: eps.clone() };
    let answer = measure::enclose_expectation(program, false, &inside, &question, budget)?;
    // A plot has no place for assumptions, so an enclosure that needs one is not drawn.
    Ok(if answer.has_unproved_assumption || !answer.assumptions.is_empty() {
        Enclosure::bottom()
    } else {
        answer.enclosure
    })
}

/// The values of a function over a column, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// The function is defined on the whole column and every value lies in the enclosure, which may be a half-line or the
    /// whole line.
    Within(Enclosure),
    /// The function is not shown to be defined on the whole column.
    Undefined,
    /// The budget ended before the column was decided.
    Unknown,
}

/// A closed interval of the horizontal axis, and the values over it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotColumn {
    /// The ends, exactly. Neighbours share theirs.
    pub x: [Rational; 2],
    /// An enclosure of every value over the whole interval.
    pub values: ColumnValues,
    /// `true` if the enclosure is as low as the picture can show: its part inside the window is at most a pixel
    /// higher than the hull of some attained values.
    pub settled: bool,
    /// An enclosure of all values at the kinks of the column, the hull of them if there are several. `None` if no kink
    /// was found: there is none, or the budget ended first. For a derivative the values are Clarke's set. A point is an
    /// interval that remains after [30 or 48 halvings](super::sampler) of a piece of the column.
    pub kink: Option<Enclosure>,
}

impl PlotColumn {
    /// Returns the enclosure, if there is one.
    #[must_use]
    pub fn enclosure(&self) -> Option<&Enclosure> {
        match &self.values {
            ColumnValues::Within(e) => Some(e),
            ColumnValues::Undefined | ColumnValues::Unknown => None,
        }
    }
}

/// The superscript digits, in order.
const SUPERSCRIPT_DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// Returns the digit whose superscript is `c`, if there is one.
pub(super) fn superscript_digit(c: char) -> Option<usize> {
    SUPERSCRIPT_DIGITS.iter().position(|&digit| digit == c)
}

/// Returns the symbol of a function or of its derivative: f, f′, f″, f‴, f⁽⁴⁾. In ASCII: f, f', f'', f''', f^(4).
#[must_use]
pub fn derivative_symbol(order: u32, ascii: bool) -> String {
    match (order, ascii) {
        (0..=3, true) => format!("f{}", "'".repeat(order as usize)),
        (0..=3, false) => format!("f{}", ["", "′", "″", "‴"][order as usize]),
        (_, true) => format!("f^({order})"),
        (_, false) => {
            let digits = order.to_string();
            let raised: String = digits.bytes().map(|digit| SUPERSCRIPT_DIGITS[usize::from(digit - b'0')]).collect();
            format!("f⁽{raised}⁾")
        }
    }
}

/// A function, or one of its derivatives, over an interval: an enclosure for each column.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// The order of the derivative; 0 stands for the function itself.
    pub order: u32,
    /// The columns, from left to right. They cover the interval of the plot without gaps.
    pub columns: Vec<PlotColumn>,
    /// The part of the vertical axis that is shown.
    pub window: super::axis::Window,
    /// The borders and the ends of the pieces, for a function in pieces; empty otherwise.
    pub marks: Vec<super::pieces::PieceMark>,
}

impl Envelope {
    /// Returns the values at the kinks of `column` if some of them lie in the window.
    #[must_use]
    pub fn visible_kink<'c>(&self, column: &'c PlotColumn) -> Option<&'c Enclosure> {
        column.kink.as_ref().filter(|set| {
            let [low, high] = self.window.position_of(set);
            low <= 1.0 && high >= 0.0
        })
    }

    /// Returns the column that contains `x`, the left one if two share it.
    #[must_use]
    pub fn column_at(&self, x: &Rational) -> Option<&PlotColumn> {
        self.columns.iter().find(|c| c.x[0] <= *x && *x <= c.x[1])
    }
}
