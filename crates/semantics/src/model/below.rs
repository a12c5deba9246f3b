//! Errors for differences of natural numbers below 0, explained from the program that contains them.

use super::SourceLocation;
use crate::syntax::counted::{self, DifferenceCause};
use crate::syntax::source::Span;
use crate::syntax::term::Term;
use crate::value::{NegativeDifference, ValueError};

/// Adds the place of the difference to an error that has none. Inside a definition it also explains why the numbers are natural.
pub(super) fn add_location(error: ValueError, place: &SourceLocation) -> ValueError {
    let ValueError::NegativeDifference(below) = error else { return error };
    // the innermost place was added first and is the right one
    if below.span.is_some() {
        return ValueError::NegativeDifference(below);
    }
    let definition = place.definition.as_ref();
    let name = definition.map(|definition| (definition.module.to_string(), definition.name.to_string()));
    let below = NegativeDifference { span: Some((place.span.start, place.span.end)), definition: name, ..*below };
    ValueError::NegativeDifference(Box::new(match definition {
        Some(definition) => add_explanation(below, &definition.term),
        None => below,
    }))
}

/// Explains the error of running a program: a difference below 0 gets the reason why its numbers are natural ones.
#[must_use]
pub fn explain_in_program(error: ValueError, program: &Term) -> ValueError {
    match error {
        // differences inside a definition were explained from that definition when their place was added
        ValueError::NegativeDifference(below) if below.definition.is_none() && below.naturality_reason.is_none() => {
            ValueError::NegativeDifference(Box::new(add_explanation(*below, program)))
        }
        other => other,
    }
}

/// Adds to an error why its numbers are natural ones, and a remedy.
fn add_explanation(below: NegativeDifference, program: &Term) -> NegativeDifference {
    let Some((start, end)) = below.span else { return below };
    match counted::explain_difference(program, Span::new(start, end)) {
        // a variable compared by `==`: the comparison that makes it natural is shown as well
        Some(DifferenceCause::ComparedByEquality(counted)) => NegativeDifference {
            naturality_reason: Some(counted.reason_clause()),
            comparison_span: Some((counted.span.start, counted.span.end)),
            help: Some(counted.help()),
            ..below
        },
        Some(DifferenceCause::NotCompared(Some(name))) => NegativeDifference {
            naturality_reason: Some(format!("`{name}` is a natural number")),
            help: Some(format!("real numbers: toReal {name}; a difference that stops at 0: (m - n : Nat)")),
            ..below
        },
        Some(DifferenceCause::NotCompared(None)) | None => NegativeDifference {
            naturality_reason: Some("natural numbers are subtracted".to_owned()),
            help: Some("real numbers: toReal m - toReal n; a difference that stops at 0: (m - n : Nat)".to_owned()),
            ..below
        },
    }
}
