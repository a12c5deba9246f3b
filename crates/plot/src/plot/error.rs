//! Errors of plotting. A function that is undefined somewhere is no error: its columns say so.

use super::axis::format_exact;
use crate::meaning::presheaf::SourceLocation;
use crate::number::Rational;
use crate::smooth::error::SmoothError;
use crate::syntax::library::{ProgramError, TRACE};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;

/// Formats an interval for an error message, as `x in [0, 1]`.
pub(super) fn format_interval(name: &str, ends: &[Rational; 2]) -> String {
    let [low, high] = ends.each_ref().map(format_exact);
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
    #[error("expected Real -> Real, found {found}; {}", suggest_function(found))]
    Type {
        /// The type of the program.
        found: Ty,
    },
    /// The program is no function from the plane to the real numbers.
    #[error("expected Real -> Real -> Real, found {found}; {}", suggest_plane_function(found))]
    PlaneType {
        /// The type of the program.
        found: Ty,
    },
    /// The program could not be interpreted.
    #[error(transparent)]
    Interpretation(#[from] ValueError),
    /// The function could not be evaluated on some interval or rectangle.
    #[error("{error} (for {on})")]
    Evaluation {
        /// The error of the evaluation.
        error: SmoothError,
        /// The source of the primitive at fault, if it is known.
        place: Option<Box<SourceLocation>>,
        /// The interval or rectangle, as `x in [0, 1]`.
        on: Box<str>,
    },
    /// An end that is not an exact number.
    #[error("`{text}` is not a number: expected a decimal or a fraction, such as -2.5, 1e-3 or 1/3")]
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
    /// A size out of range: a number of columns, of rows, of panels, of pixels or of variables, or the order of a
    /// derivative.
    #[error("{what} must lie between {least} and {most}, not {found}")]
    Size {
        /// The quantity that has the size.
        what: &'static str,
        /// The least admissible size.
        least: u32,
        /// The greatest admissible size.
        most: u32,
        /// The size of the request.
        found: u32,
    },
}

/// Returns advice for a program of another type.
fn suggest_function(found: &Ty) -> &'static str {
    match found.kind() {
        TyKind::Data(data, _) if &**data.module() == TRACE => {
            "the density of a program that samples is plotted by --density"
        }
        _ => "write `\\x => …` for the function to be plotted",
    }
}

/// Returns advice for a program that is no function of two variables.
fn suggest_plane_function(found: &Ty) -> &'static str {
    let is_condition = |ty: &Ty| matches!(ty.kind(), TyKind::Bool);
    // Both a condition of one variable and a condition of two are mistaken for a set.
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
