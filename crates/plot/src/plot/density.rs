//! Plots of densities: for each column, the chance that a program that samples gives a number in it, over its width.
//!
//! The mean density over a column is a number, of which the column carries an enclosure: the chance is that of the distribution proportional to
//! the weights of the program, as [`measure::expect`] encloses it. A column has its left end and not its right one, so that an atom counts once.

use super::window::Window;
use super::{Column, Envelope, Plot, PlotError, Request, Values, grid};
use crate::measure::{self, Fault, Question};
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::syntax::library::{Error as ProgramError, Library};
use crate::syntax::parser::parse_expression;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use std::sync::{Arc, LazyLock};

/// In how many columns a density is drawn, where nothing else is asked.
pub const COLUMNS: u32 = 40;
/// How narrow a chance is asked for before it is known how high the picture is, as a part of 1.
const FIRST: u32 = 500;
/// The precision of heights.
const BITS: u32 = 128;

/// Why a density is not drawn.
#[derive(Debug, thiserror::Error)]
pub enum DensityError {
    /// The picture cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// The program has no distribution.
    #[error(transparent)]
    Measure(#[from] Fault),
}

impl From<ProgramError> for DensityError {
    fn from(error: ProgramError) -> Self {
        Self::Plot(error.into())
    }
}

/// The mean densities of a program of type `P Real`, column by column.
///
/// # Errors
/// [`DensityError`]
pub fn envelopes(program: &Term, source: &str, request: &Request, budget: &Arc<Budget>) -> Result<Plot, DensityError> {
    request.check()?;
    let borders = grid::borders(&request.from, &request.to, request.columns);
    let mut found: Vec<Values> = vec![Values::Unknown; borders.len() - 1];
    let mut eps = Rational::from((1, FIRST));
    // first how high the picture is, then as finely as it shows
    for _ in 0..2 {
        for index in 0..found.len() {
            let ends = [&borders[index], &borders[index + 1]];
            let width = Rational::from(ends[1] - ends[0]);
            if let Values::Within(known) = &found[index]
                && known.is_within(&Rational::from(&eps / &width))
            {
                continue;
            }
            let time = budget.remaining().map(|left| left / (found.len() - index) as u32);
            let own = Arc::new(budget.part(u64::MAX, time));
            if budget.is_exhausted() {
                break;
            }
            let chance = chance(program, ends, &eps, &own)?;
            let context = Mpfr::new(BITS);
            let height = context.div(&context.enclosure(&chance), &context.rational(&width));
            if chance.is_defined() && chance.is_bounded() {
                found[index] = Values::Within(context.to_enclosure(&height));
            }
        }
        let tops = found.iter().filter_map(height).filter_map(|e| e.hi().to_rational());
        let top = tops.max().unwrap_or_else(|| Rational::from(1));
        let width = Rational::from(&request.to - &request.from) / request.columns;
        eps = (top * width / (2 * request.rows)).min(eps);
    }
    let heights: Vec<&Enclosure> = found.iter().filter_map(height).collect();
    let low = request.low.clone().unwrap_or_default();
    let window = Window::of(heights, Magnitude::ZERO, false, Some(&low), request.high.as_ref());
    let pixel = window.height() / request.rows;
    let columns = found.into_iter().zip(borders.windows(2)).map(|(values, ends)| {
        let settled = height(&values).is_some_and(|e| e.is_within(&pixel));
        Column { x: [ends[0].clone(), ends[1].clone()], values, settled, kink: None }
    });
    let envelope = Envelope { order: 0, columns: columns.collect(), window, marks: Vec::new() };
    Ok(Plot {
        source: source.to_owned(),
        request: request.clone(),
        envelopes: vec![envelope],
        assumed: Vec::new(),
        exhausted: budget.is_exhausted(),
    })
}

fn height(values: &Values) -> Option<&Enclosure> {
    match values {
        Values::Within(found) => Some(found),
        Values::Undefined | Values::Unknown => None,
    }
}

/// The language without theories.
static LANGUAGE: LazyLock<Library> = LazyLock::new(Library::default);

fn typed(text: &str, ty: &Ty) -> Result<Term, ProgramError> {
    let expression = parse_expression(text)?;
    Ok(LANGUAGE.infer_at("", text, &expression, ty)?)
}

/// How likely the program gives a number from one to another, without this one; ⊥ where something was assumed.
fn chance(
    program: &Term,
    [from, to]: [&Rational; 2],
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<Enclosure, DensityError> {
    let inside = format!("\\z => if z < ({from}) then 0 else if z < ({to}) then 1 else 0");
    let inside = typed(&inside, &Ty::function(Ty::real(), Ty::real()))?;
    let question = Question { at: None, order: 0, weight_at_most: None, eps: eps.clone() };
    let answer = measure::expect(program, false, &inside, &question, budget)?;
    Ok(if answer.unproved || !answer.assumed.is_empty() { Enclosure::bottom() } else { answer.enclosure })
}
