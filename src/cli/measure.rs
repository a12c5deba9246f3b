//! `smoothish normaliser` and `smoothish expect`: the mass of a program that samples, and means of what it gives.

use super::ask::{Limits, Refusal};
use super::eval::{JSON_VERSION, USUAL};
use super::evaluator::Workbench;
use super::output::Streams;
use super::plot::Coordinate;
use super::setting::{Ended, Setting};
use super::status::Status;
use super::tolerance::{Goal, Tolerance, ToleranceError};
use crate::measure::{self, Answer, Fault, Question};
use crate::number::Rational;
use crate::session::SessionError;
use crate::syntax::library::TRACE;
use crate::syntax::source::Source;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use clap::Args;
use serde_json::json;
use std::sync::Arc;

/// What is asked of a program that samples.
#[derive(Debug, Args)]
pub struct MeasureOptions {
    /// The program: of type P A, or Real -> P A with --at
    #[arg(value_name = "MODEL", allow_hyphen_values = true)]
    pub model: String,
    /// Where the parameter of the program is: a decimal or a fraction, read exactly
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub at: Option<Coordinate>,
    /// Which derivative in the parameter
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=8), requires = "at")]
    pub deriv: u32,
    /// How wide the printed interval may be: a positive decimal or fraction, read exactly; 1e-6 where nothing is asked
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// Assume that no product of weights is greater than M, where that is not known of paths that are left
    #[arg(long, value_name = "M", value_parser = bound)]
    pub weight_at_most: Option<Tolerance>,
    /// How long it may take, which theories it needs, and how it prints
    #[command(flatten)]
    pub setting: Setting,
}

/// A bound of weights.
fn bound(text: &str) -> Result<Tolerance, String> {
    text.parse().map_err(|error| match error {
        ToleranceError::NotPositive => "a bound of weights must be greater than 0".to_owned(),
        other => other.to_string(),
    })
}

/// What is asked of the values of a program that samples.
#[derive(Debug, Args)]
pub struct ExpectOptions {
    /// What is asked of the program
    #[command(flatten)]
    pub measure: MeasureOptions,
    /// Of what the mean is asked: a function A -> Real of the values of the program
    #[arg(value_name = "F", allow_hyphen_values = true)]
    pub of: String,
}

/// A program that samples, read.
pub(super) struct Read {
    pub term: Term,
    /// What it gives.
    pub gives: Ty,
    pub takes_parameter: bool,
}

/// Prints an enclosure of the mass, or of the mean of a function.
///
/// # Errors
/// A refusal, and what writing fails with.
pub fn run(
    options: &MeasureOptions,
    of: Option<&str>,
    library: &Workbench,
    limits: &Limits,
    streams: &mut Streams<'_>,
) -> Result<Status, Ended> {
    let goal = Goal::of_width(options.eps.as_ref(), USUAL);
    let accuracy = goal.accuracy();
    let eps = accuracy.eps().cloned().unwrap_or_default();
    let answer = answered(options, of, &eps, library, limits)?;
    let own = Status::of(&answer.enclosure, &accuracy);
    // what rests on something that was not shown is not reached
    let status = if answer.unproved { Status::worst([own, Status::Wide]) } else { own };
    let ends = accuracy.decimals(&answer.enclosure);
    if options.setting.format.is_json() {
        let rest = accuracy.decimals(&answer.rest);
        let object = json!({
            "version": JSON_VERSION, "question": options.model, "of": of, "lo": ends.lo(), "hi": ends.hi(),
            "eps": eps.to_string(), "reached": status == Status::Reached, "paths": answer.paths, "frontier": answer.open,
            "tail": rest.hi(), "assumed": answer.assumed, "why": answer.why,
        });
        writeln!(streams.out, "{object}")?;
        return Ok(status);
    }
    match options.setting.format.is_short() {
        true => writeln!(streams.out, "{} {}", ends.lo(), ends.hi())?,
        false => writeln!(streams.out, "{ends}")?,
    }
    for assumed in &answer.assumed {
        writeln!(streams.err, "note: assumed: {assumed}")?;
    }
    if status != Status::Reached {
        let paths = if answer.paths == 1 { "path" } else { "paths" };
        let rest = answer.rest.decimals(&Rational::from((1, 1_000_000)));
        writeln!(
            streams.err,
            "note: {} {paths} summed; what is left has at most the chance {}",
            answer.paths,
            rest.hi()
        )?;
        if let Some(why) = &answer.why {
            writeln!(streams.err, "note: {why}")?;
        }
        match own == Status::Reached {
            true => writeln!(streams.err, "note: that is not shown, so the interval need not hold the number")?,
            false => {
                let eps = goal.eps.as_ref().map_or_else(String::new, ToString::to_string);
                writeln!(streams.err, "note: the tolerance of {eps} was not reached")?;
            }
        }
    }
    Ok(status)
}

fn answered(
    options: &MeasureOptions,
    of: Option<&str>,
    eps: &Rational,
    library: &Workbench,
    limits: &Limits,
) -> Result<Answer, Refusal> {
    let source = Source::new("model", options.model.as_str());
    let read = read(options.at.is_some(), &source, library)?;
    let question = Question {
        at: options.at.as_ref().map(|at| at.0.clone()),
        order: options.deriv,
        weight_at_most: options.weight_at_most.as_ref().map(|most| most.value().clone()),
        eps: eps.clone(),
    };
    let budget = Arc::new(limits.budget());
    let Read { term, gives, takes_parameter } = read;
    let found = match of {
        None => measure::normaliser(&term, takes_parameter, &question, &budget),
        Some(text) => {
            let of = library.infer_at(&Source::new("function", text), &Ty::function(gives, Ty::real()))?;
            measure::expect(&term, takes_parameter, &of, &question, &budget)
        }
    };
    found.map_err(|fault| refused(fault, &source, library))
}

/// What is wrong with a question about a program that samples, or why it has no answer.
pub(super) fn refused(fault: Fault, source: &Source, library: &Workbench) -> Refusal {
    match fault {
        Fault::Meaning(error) => library.refusal(source, &SessionError::Meaning(error)),
        fault if fault.has_no_answer() => Refusal::nothing(format!("error: {fault}")),
        fault => Refusal::wrong(format!("error: {fault}")),
    }
}

/// A, where a type is P A.
pub(super) fn sampled(ty: &Ty) -> Option<Ty> {
    match ty.kind() {
        TyKind::Data(data, arguments) if &**data.module() == TRACE && &**data.name() == "P" => {
            arguments.first().cloned()
        }
        _ => None,
    }
}

/// The program, where it has the type of one that samples.
pub(super) fn read(has_place: bool, source: &Source, library: &Workbench) -> Result<Read, Refusal> {
    let (mut term, mut ty) = library.infer(source)?;
    if !ty.is_closed() {
        // what is left open are numbers
        ty = ty.with_real();
        term = library.infer_at(source, &ty)?;
    }
    let (gives, takes_parameter) = match (sampled(&ty), ty.kind()) {
        (Some(gives), _) => (gives, false),
        (None, TyKind::Function(a, b)) if *a == Ty::real() && sampled(b).is_some() => {
            (sampled(b).unwrap_or_else(Ty::unit), true)
        }
        _ => {
            return Err(Refusal::wrong(format!(
                "error: expected a program that samples, of type P A or Real -> P A, found one of type {ty}\n  = help: for \
                 example do {{ x <- sample (normal 0 1); observe (normal x 1) 3; return x }}"
            )));
        }
    };
    match (takes_parameter, has_place) {
        (true, false) => {
            Err(Refusal::wrong("error: the program is a function of a parameter\n  = help: --at T says where it is"))
        }
        (false, true) => Err(Refusal::wrong(format!(
            "error: --at is for a program of type Real -> P A, and this one has the type {ty}\n  = help: \\t => do {{ … }} is a \
             function of its parameter t"
        ))),
        _ => Ok(Read { term, gives, takes_parameter }),
    }
}
