//! The command `derive`: the derivative program by the Taylor macro (H §3, §5), or in reverse mode (A §4.3).

use super::arguments::DeriveOptions;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::status::Status;
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::meaning::taylor::derive::{DeriveError, DerivedProgram, derive_with};
use crate::meaning::taylor::functor::{
    ClarkeTaylorHooks, DefaultTaylorHooks, PiecewiseTaylorHooks, Taylor, TaylorHooks,
};
use crate::meaning::taylor::jet::Basis;
use crate::model::fragment::{Construct, FragmentError};
use crate::session::question::trace::{parse_program, wrong_argument_count};
use crate::session::{Diagnostic, Limits};
use crate::syntax::source::SourceText;
use crate::trace::differentiate::simplify_program;
use crate::trace::embed::CoreProgram;
use crate::trace::printer;
use crate::trace::source::{eliminate_reverse, transposed_derivative as reversed_program};
use serde_json::json;
use std::io;
use std::io::Read;
use std::sync::Arc;

/// Prints the derivative program of every expression.
///
/// # Errors
/// As [`Asked::ask_each`](super::questions::QuestionArgs::ask_each).
pub fn run_derive(
    options: &DeriveOptions,
    library: &TheorySession,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let ask = |source: &Arc<SourceText>| derive_expression(options, library, source);
    options.asked.ask_each(limits, input, streams, ask, |_, text, streams| {
        writeln!(streams.out, "{text}").map(|()| Status::Reached)
    })
}

/// Derives one expression, in forward or in reverse mode, and formats the derivative program.
fn derive_expression(
    options: &DeriveOptions,
    library: &TheorySession,
    source: &Arc<SourceText>,
) -> Result<String, Diagnostic> {
    if options.reverse {
        return derive_in_reverse(options, library, source);
    }
    let wrong = |error: &dyn std::fmt::Display| Diagnostic::invalid_input(format!("error: {error}"));
    let basis = match options.restricted {
        true => Basis::without_unmixed(),
        false => Basis::new(options.k, options.order).map_err(|e| wrong(&e))?,
    };
    let (term, ty) = library.infer(source)?;
    let rules: &'static dyn TaylorHooks = match (options.pieces, options.clarke) {
        (true, _) => &PiecewiseTaylorHooks,
        (_, true) => &ClarkeTaylorHooks,
        _ => &DefaultTaylorHooks,
    };
    let derived = derive_with(&Taylor::with_hooks(rules, basis.clone()), &term, &ty).map_err(|e| match &e {
        // Only this error has a place in the source.
        DeriveError::Fragment(refused) => {
            let found = library.diagnose_at(source, &refused.to_string(), refused.location());
            match option_with_rule(refused, rules) {
                Some(option) => found.with_help(option),
                None => found,
            }
        }
        other => wrong(other),
    })?;
    let program = derived.format_program().map_err(|e| wrong(&e))?;
    Ok(if options.asked.format.is_json() {
        to_json(&source.text, &basis, &derived, &program)
    } else {
        let mut text = format!("! {} : {}\n", format_heading(&basis), derived.ty);
        for declaration in derived.declarations() {
            text += &format!("{declaration}\n");
        }
        text + &program
    })
}

/// Returns the option with which there is a rule for a construct that was refused; `None` if there is none.
fn option_with_rule(refused: &FragmentError, rules: &dyn TaylorHooks) -> Option<&'static str> {
    let FragmentError::Construct { construct: Construct::Constant(constant), .. } = refused else { return None };
    match constant {
        // in pieces there are rules for all of these
        _ if rules.has_pieces() => None,
        _ if constant.compares_reals() => Some("add --pieces: the branches then follow the value"),
        _ if ClarkeTaylorHooks.has_kink_rule(*constant) => {
            Some("add --clarke for sets of slopes at kinks, or --pieces for the slope of one side")
        }
        _ => None,
    }
}

/// Derives in reverse mode, by source transformation.
fn derive_in_reverse(
    options: &DeriveOptions,
    library: &TheorySession,
    source: &Arc<SourceText>,
) -> Result<String, Diagnostic> {
    let program = parse_program(&library.session, source)?;
    // A program that is not a function is printed with the derivatives inside it written out.
    let found = match program.parameters.len() {
        0 => eliminate_reverse(&program),
        1 => reversed_program(&program),
        several => return Err(wrong_argument_count("differentiated in reverse", several)),
    };
    // The transformation leaves redundant terms, which are simplified before printing.
    let found =
        found.and_then(|found| Ok(CoreProgram { term: simplify_program(&found.parameters, &found.term)?, ..found }));
    let found = found.map_err(|error| match error.kind() {
        // A program that is too large is no wrong question: the status says that nothing was found out.
        ErrorKind::Limit => Diagnostic::without_answer(format!("error: {error}")),
        _ => Diagnostic::invalid_input(format!("error: {error}")),
    })?;
    let text = printer::to_text(&found.parameters, &found.term);
    Ok(match options.asked.format.is_json() {
        true => json!({
            "version": super::eval::JSON_VERSION,
            "question": &*source.text,
            "type": found.language_type().to_string(),
            "program": text,
            "size": found.term.size(),
        })
        .to_string(),
        false => {
            let lifted: String = program.lifted.iter().map(|lifted| format!("! {lifted}\n")).collect();
            format!("{lifted}! {}\n{text}", found.language_type())
        }
    })
}

/// Formats the directions, the order and the names of the coordinates of a basis.
fn format_heading(basis: &Basis) -> String {
    // A choice: one line of names; the number of coordinates grows like a binomial coefficient.
    const SHOWN: usize = 12;
    let mut names = basis.names();
    if names.len() > SHOWN {
        // The last name stays: with the first ones it shows the pattern.
        names.drain(SHOWN - 2..names.len() - 1);
        names.insert(SHOWN - 2, "…".into());
    }
    format!(
        "{} direction{}, order {}, coordinates {}",
        basis.directions(),
        plural_ending(basis),
        basis.order(),
        names.join(" ")
    )
}

/// Returns the ending of `direction`: `s`, or empty for one direction.
fn plural_ending(basis: &Basis) -> &'static str {
    if basis.directions() == 1 { "" } else { "s" }
}

/// Writes
/// `{"version":1,"question":…,"k":…,"order":…,"coordinates":[…],"type":…,"declarations":[…],"program":…,"size":…}`.
fn to_json(question: &str, basis: &Basis, derived: &DerivedProgram, program: &str) -> String {
    json!({
        "version": super::eval::JSON_VERSION,
        "question": question,
        "k": basis.directions(),
        "order": basis.order(),
        "coordinates": basis.names(),
        "type": derived.ty.to_string(),
        "declarations": derived.declarations(),
        "program": program,
        "size": derived.node_count(),
    })
    .to_string()
}
