//! Errors for differences of natural numbers below 0, explained from the program that contains them.

use super::Place;
use crate::syntax::counted::{self, Difference};
use crate::syntax::source::Span;
use crate::syntax::term::Term;
use crate::value::{BelowZero, ValueError};

/// Adds the place of the difference to an error that has none. Inside a definition it also explains why the numbers are natural.
pub(super) fn placed(error: ValueError, place: &Place) -> ValueError {
    let ValueError::BelowZero(below) = error else { return error };
    // the innermost place was added first and is the right one
    if below.span.is_some() {
        return ValueError::BelowZero(below);
    }
    let definition = place.definition.as_ref();
    let name = definition.map(|definition| (definition.module.to_string(), definition.name.to_string()));
    let below = BelowZero { span: Some((place.span.start, place.span.end)), definition: name, ..*below };
    ValueError::BelowZero(Box::new(match definition {
        Some(definition) => explained(below, &definition.term),
        None => below,
    }))
}

/// Explains the error of running a program: a difference below 0 gets the reason why its numbers are natural ones.
#[must_use]
pub fn within(error: ValueError, program: &Term) -> ValueError {
    match error {
        // differences inside a definition were explained from that definition when their place was added
        ValueError::BelowZero(below) if below.definition.is_none() && below.because.is_none() => {
            ValueError::BelowZero(Box::new(explained(*below, program)))
        }
        other => other,
    }
}

/// Adds to an error why its numbers are natural ones, and a remedy.
fn explained(below: BelowZero, program: &Term) -> BelowZero {
    let Some((start, end)) = below.span else { return below };
    match counted::difference(program, Span::new(start, end)) {
        // a variable compared by `==`: the comparison that makes it natural is shown as well
        Some(Difference::Counted(counted)) => BelowZero {
            because: Some(counted.because()),
            compared: Some((counted.span.start, counted.span.end)),
            help: Some(counted.help()),
            ..below
        },
        Some(Difference::Other(Some(name))) => BelowZero {
            because: Some(format!("`{name}` is a natural number")),
            help: Some(format!("real numbers: toReal {name}; a difference that stops at 0: (m - n : Nat)")),
            ..below
        },
        Some(Difference::Other(None)) | None => BelowZero {
            because: Some("natural numbers are subtracted".to_owned()),
            help: Some("real numbers: toReal m - toReal n; a difference that stops at 0: (m - n : Nat)".to_owned()),
            ..below
        },
    }
}
