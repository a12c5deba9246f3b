//! Why a plot is refused. A function that is undefined somewhere is no error: its columns say so.

use super::grid::written;
use crate::meaning::presheaf::Place;
use crate::number::Rational;
use crate::smooth::error::SmoothError;
use crate::syntax::library::{Error as ProgramError, TRACE};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;

/// An interval, as an error names it.
pub(super) fn interval(name: &str, ends: &[Rational; 2]) -> String {
    let [low, high] = ends.each_ref().map(written);
    format!("{name} in [{low}, {high}]")
}

/// An error of plotting.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The program is malformed or ill-typed.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The program is no function from the real numbers to the real numbers.
    #[error("expected Real -> Real, found {found}; {}", instead_of(found))]
    Type {
        /// The type of the program.
        found: Ty,
    },
    /// The program is no function from the plane to the real numbers.
    #[error("expected Real -> Real -> Real, found {found}; {}", instead_of_plane(found))]
    PlaneType {
        /// The type of the program.
        found: Ty,
    },
    /// It could not be interpreted.
    #[error(transparent)]
    Interpretation(#[from] ValueError),
    /// It could not be evaluated on some interval, or some rectangle.
    #[error("{error} (for {on})")]
    Evaluation {
        /// What went wrong.
        error: SmoothError,
        /// The primitive at fault, where that is known.
        place: Option<Box<Place>>,
        /// Where, as `x in [0, 1]`.
        on: Box<str>,
    },
    /// An end that is no exact number.
    #[error("`{text}` is not a number: expected a decimal or a fraction, such as -2.5, 1e-3 or 1/3{}", near_pi(text))]
    Number {
        /// The text as given.
        text: String,
    },
    /// An end with too many digits to compute with.
    #[error("a number has more than {limit} binary digits; ends are exact, so write shorter ones")]
    Digits {
        /// The most binary digits of an end.
        limit: u32,
    },
    /// The ends of an axis are in the wrong order.
    #[error("the {axis} axis would run from {from} to {to}; the first must be less than the second")]
    Reversed {
        /// `horizontal` or `vertical`.
        axis: &'static str,
        /// The end that was given first.
        from: String,
        /// The end that was given second.
        to: String,
    },
    /// A number of columns, of rows, or an order of differentiation that cannot be drawn.
    #[error("{what} must lie between {least} and {most}, not {found}")]
    Size {
        /// What has the size.
        what: &'static str,
        /// The least that is possible.
        least: u32,
        /// The most that is possible.
        most: u32,
        /// What was asked.
        found: u32,
    },
}

/// What to write for something of another type.
fn instead_of(found: &Ty) -> &'static str {
    match found.kind() {
        TyKind::Data(data, _) if &**data.module() == TRACE => {
            "the density of a program that samples is plotted by --density"
        }
        _ => "write `\\x => …` for the function to be plotted",
    }
}

/// What to write in place of a multiple of π.
fn near_pi(text: &str) -> &'static str {
    if text.to_lowercase().contains("pi") || text.contains('π') {
        "; ends are exact, so for pi write a number near it, such as 3.141592653589793"
    } else {
        ""
    }
}

/// What to write for a function of two variables.
fn instead_of_plane(found: &Ty) -> &'static str {
    let is_condition = |ty: &Ty| matches!(ty.kind(), TyKind::Bool);
    let value = |ty: &Ty| match ty.kind() {
        TyKind::Function(_, value) => Some(value.clone()),
        _ => None,
    };
    let inner = value(found);
    if inner.as_ref().is_some_and(is_condition) || inner.as_ref().and_then(value).as_ref().is_some_and(is_condition) {
        "a set is drawn as where a function is above a level: \\x y => 1 - x^2 - y^2, with --level 0"
    } else {
        "write `\\x y => …` for the function to be drawn"
    }
}
