//! `smoothish normaliser` and `smoothish expect`: the mass of a program that samples, and means of what it gives.

use super::ask::{Limits, Refusal, Value};
use super::eval::{JSON_VERSION, USUAL};
use super::evaluator::Workbench;
use super::output::Streams;
use super::plot::Coordinate;
use super::setting::{Ended, Setting};
use super::status::Status;
use super::tolerance::{Digits, Goal, Tolerance, ToleranceError};
use crate::measure::evidence::{evidence, expectation, log_evidence};
use crate::measure::{Answer, Fault, Question};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Magnitude, Rational};
use crate::session::SessionError;
use crate::syntax::library::TRACE;
use crate::syntax::source::Source;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use clap::Args;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The part of the time in which the size of a mass is found, of which a derivative is asked, is one over this.
const PART_FOR_THE_MASS: u32 = 4;

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

/// How accurate a mass is to be.
#[derive(Debug, Args)]
pub struct MassGoal {
    /// The greatest width that the printed interval may have, such as 1e-9 or 1/3, however small the mass is; with --log, that of the
    /// logarithm
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// The same, relative to the mass: 1e-12 allows a width of 1e-12 times its size. The default is 1e-6. With --eps, one of both is
    /// enough
    #[arg(long, value_name = "REL", allow_hyphen_values = true)]
    pub rel: Option<Tolerance>,
    /// How many significant digits are to be certain: N is --rel 1e-N
    #[arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with = "rel")]
    pub digits: Option<Digits>,
}

impl From<MassGoal> for Goal {
    fn from(MassGoal { eps, rel, digits }: MassGoal) -> Self {
        Self { eps, rel, digits, enough: None }
    }
}

/// What is asked of the mass of a program that samples.
#[derive(Debug, Args)]
pub struct NormaliserOptions {
    /// What is asked of the program
    #[command(flatten)]
    pub measure: MeasureOptions,
    /// How accurate it is to be
    #[command(flatten)]
    pub goal: MassGoal,
    /// Print the logarithm of the mass, to a width of 1e-6 where nothing is asked; it has no lower end where the mass is not shown to be
    /// positive
    #[arg(long, conflicts_with = "deriv")]
    pub log: bool,
}

/// What is asked of the values of a program that samples.
#[derive(Debug, Args)]
pub struct ExpectOptions {
    /// What is asked of the program
    #[command(flatten)]
    pub measure: MeasureOptions,
    /// How accurate it is to be
    #[command(flatten)]
    pub goal: Goal,
    /// Of what the mean is asked: a function A -> Real of the values of the program
    #[arg(value_name = "F", allow_hyphen_values = true)]
    pub of: String,
}

/// The quantity that an enclosure is asked of.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    /// The mass, or its logarithm.
    Mass {
        /// Whether of the logarithm.
        log: bool,
    },
    /// The mean of a function.
    Mean {
        /// The function.
        of: &'a str,
    },
}

/// A program that samples, read.
pub(super) struct Read {
    pub term: Term,
    /// What it gives.
    pub gives: Ty,
    pub takes_parameter: bool,
}

/// Prints an enclosure of the mass, of its logarithm, or of the mean of a function.
///
/// # Errors
/// A refusal, and what writing fails with.
pub fn run(
    options: &MeasureOptions,
    goal: &Goal,
    asked: Asked<'_>,
    library: &Workbench,
    limits: &Limits,
    streams: &mut Streams<'_>,
) -> Result<Status, Ended> {
    let (answer, goal) = answered(options, goal, asked, library, limits)?;
    let accuracy = goal.accuracy();
    let own = Status::of(&answer.enclosure, &accuracy);
    // what rests on something that was not shown is not reached
    let status = if answer.unproved { Status::worst([own, Status::Wide]) } else { own };
    let ends = accuracy.decimals(&answer.enclosure);
    if options.setting.format.is_json() {
        let rest = answer.rest.decimals(&Rational::from((1, 1_000_000)));
        let of = if let Asked::Mean { of } = asked { Some(of) } else { None };
        let mut object = json!({
            "version": JSON_VERSION, "question": options.model, "of": of, "lo": ends.lo(), "hi": ends.hi(),
            "reached": status == Status::Reached, "paths": answer.paths, "frontier": answer.open,
            "tail": rest.hi(), "assumed": answer.assumed, "why": answer.why,
        });
        if let Json::Object(object) = &mut object {
            object.extend(goal.to_json());
            if let Asked::Mass { log } = asked {
                object.insert("log".to_owned(), json!(log));
            }
        }
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
            false => writeln!(streams.err, "note: {}", goal.missed(&Value::Real(answer.enclosure.clone()), ""))?,
        }
    }
    Ok(status)
}

/// An answer, with the accuracy that was asked of it.
fn answered(
    options: &MeasureOptions,
    goal: &Goal,
    asked: Asked<'_>,
    library: &Workbench,
    limits: &Limits,
) -> Result<(Answer, Goal), Refusal> {
    let source = Source::new("model", options.model.as_str());
    let read = read(options.at.is_some(), &source, library)?;
    let mut question = Question {
        at: options.at.as_ref().map(|at| at.0.clone()),
        order: options.deriv,
        weight_at_most: options.weight_at_most.as_ref().map(|most| most.value().clone()),
        eps: Rational::new(),
    };
    let budget = Arc::new(limits.budget());
    let Read { term, gives, takes_parameter } = read;
    let mut goal = goal.clone();
    let found = match asked {
        Asked::Mass { log: true } => {
            goal = goal.or_power(USUAL);
            log_evidence(&term, takes_parameter, &question, &goal.accuracy(), &budget)
        }
        Asked::Mass { log: false } if question.order == 0 => {
            goal = goal.or_part(USUAL);
            evidence(&term, takes_parameter, &question, &goal.accuracy(), &budget)
        }
        Asked::Mass { log: false } => {
            if goal == Goal::default() {
                question.order = 0;
                goal = of_the_mass(&term, takes_parameter, &question, &budget);
                question.order = options.deriv;
            }
            evidence(&term, takes_parameter, &question, &goal.accuracy(), &budget)
        }
        Asked::Mean { of } => {
            goal = goal.or_power(USUAL);
            let of = library.infer_at(&Source::new("function", of), &Ty::function(gives, Ty::real()))?;
            expectation(&term, takes_parameter, &of, &question, &goal.accuracy(), &budget)
        }
    };
    Ok((found.map_err(|fault| refused(fault, &source, library))?, goal))
}

/// How accurate a derivative of a mass is to be where nothing is asked: to a part of the mass, which is found roughly in a part of the time.
fn of_the_mass(term: &Term, takes_parameter: bool, question: &Question, budget: &Arc<Budget>) -> Goal {
    let time = budget.remaining().map(|left| left / PART_FOR_THE_MASS);
    let part = Arc::new(Budget::new(u64::MAX, time, budget.interrupt()));
    let rough = evidence(term, takes_parameter, question, &Accuracy::digits(1), &part);
    let size = rough.ok().and_then(|answer| answer.enclosure.lo().to_rational()).filter(|size| *size > 0 && *size < 1);
    // a power of ten that is no greater than the mass
    let power = size.map_or(0, |size| Magnitude::from_rational(&size).log2().unsigned_abs().div_ceil(3));
    let usual = || Goal::default().or_power(USUAL);
    format!("1e-{}", power + u64::from(USUAL.unsigned_abs())).parse().map_or_else(|_| usual(), Goal::within)
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
