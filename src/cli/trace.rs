//! `smoothish trace`: the straight program that a program is at a point, and where it stays that (A §3, Thm 6.2).

mod swept;

use super::ask::{Limits, Refusal, Undefined};
use super::eval::JSON_VERSION;
use super::evaluator::Workbench;
use super::output::Streams;
use super::questions::Asked;
use super::status::Status;
use super::tolerance::Timeout;
use crate::model::Place;
use crate::model::answer;
use crate::model::culprit::Culprit;
use crate::number::{Enclosure, Rational, memory};
use crate::stack::deep;
use crate::syntax::source::Source;
use crate::trace::embed::embed;
use crate::trace::error::Obstacle;
use crate::trace::evaluation::{Evaluator, Strategy};
use crate::trace::limited::approximant;
use crate::trace::number::Rationals;
use crate::trace::printer;
use crate::trace::program::{Program, Transposed};
use crate::trace::question::{self, Answer, Question};
use crate::trace::steps::{Record, Step};
use crate::trace::term::Term;
use crate::trace::tidy::tidy;
use crate::trace::value::Value;
use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use std::io::{self, Read};

/// What `trace` is asked.
#[derive(Debug, Args)]
pub struct TraceOptions {
    /// The point at which a function is traced: an expression
    #[arg(long, value_name = "POINT", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Print the transposed derivative of the trace, as a function of the point; a cotangent is its second argument, unless the values are reals
    #[arg(long)]
    pub reverse: bool,
    /// Print every rule that is applied: the redex, its context, and the trace up to there
    #[arg(long)]
    pub steps: bool,
    /// How derivatives of traces are taken
    #[arg(long, value_name = "STRATEGY", value_enum, default_value_t)]
    pub strategy: By,
    /// With the strategy `tape`: run on doubles, of which nothing is certain
    #[arg(long)]
    pub double: bool,
    /// Unfold each recursive function at most N levels deep
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
    /// How many seconds one question may take
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// What is traced
    #[command(flatten)]
    pub asked: Asked,
}

/// The values of `--strategy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// By one sweep back; what is printed is in few words
    #[default]
    Accumulated,
    /// By the clauses of the paper, which copy the trace at every let; what is printed is as the rules give it
    Literal,
    /// By a tape: no trace is written down, and what is printed are the value and, with --reverse, its derivatives as numbers
    Tape,
}

/// What is printed of a trace.
struct Traced {
    program: Program,
    text: String,
    ty: String,
    answer: Answer,
    /// Where they are asked for.
    steps: Option<(Vec<Step>, u64)>,
}

/// Prints the trace of every expression.
///
/// # Errors
/// As [`Asked::each`].
pub fn run(
    options: &TraceOptions,
    library: &Workbench,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let ask = |source: &Source| match options.strategy {
        By::Tape => swept::line(options, library, limits, source),
        _ => {
            let traced = traced(options, library, limits, source)?;
            let is_json = options.asked.format.is_json();
            Ok(if is_json { to_json(&source.text, &traced, library) } else { shown(&traced) })
        }
    };
    options.asked.each(&limits.interrupted, input, streams, ask, |_, line, streams| {
        writeln!(streams.out, "{line}").map(|()| Status::Reached)
    })
}

/// The program, and the point of a function.
fn asked(options: &TraceOptions, library: &Workbench, source: &Source) -> Result<(Program, Option<Program>), Refusal> {
    let mut program = program(library, source)?;
    if let Some(n) = options.fuel {
        program.term = deep(|| approximant(&program.term, n));
    }
    let point_source = options.at.as_ref().map(|text| Source::new("point", text.as_str()));
    let point = point_source.as_ref().map(|source| self::program(library, source)).transpose()?;
    let wrong = |what: String| Err(Refusal::wrong(format!("error: {what}")));
    if options.steps && options.strategy == By::Tape {
        return wrong("--steps shows the rules of a trace, and the strategy `tape` has none".to_owned());
    }
    if options.double && options.strategy != By::Tape {
        return wrong("--double is for the strategy `tape`; traces are made on certified numbers".to_owned());
    }
    match (&program.parameters[..], &point) {
        ([], _) if options.reverse => return wrong("--reverse is for functions, and this is none".to_owned()),
        ([], None) => {}
        ([], Some(_)) => return wrong("--at is for functions, and this is none".to_owned()),
        ([(_, ty)], None) => {
            return wrong(format!("a function is traced at a point; give one of type {}, by --at", ty.in_language()));
        }
        ([(_, ty)], Some(point)) if point.parameters.is_empty() && *ty == point.ty => {}
        ([(_, ty)], Some(point)) if point.parameters.is_empty() => {
            let (expected, found) = (ty.in_language(), point.ty.in_language());
            return wrong(format!("the function takes {expected}, and the point is {found}"));
        }
        ([_], Some(_)) => return wrong("the point is a function".to_owned()),
        (several, _) => return Err(of_several("traced", several.len())),
    }
    Ok((program, point))
}

/// A function of more than one argument.
pub(super) fn of_several(what: &str, arguments: usize) -> Refusal {
    Refusal::wrong(format!(
        "error: a function of one argument is {what}, and this has {arguments}; make them a tuple, `\\(x, y) => …`"
    ))
}

fn refused(library: &Workbench, source: &Source, program: &Program, error: &Obstacle) -> Refusal {
    let Some(undefined) = error.undefined() else {
        let refusal = if *error == Obstacle::TooLarge { Refusal::nothing } else { Refusal::wrong };
        return refusal(format!("error: {error}"));
    };
    let (cause, place) = (undefined.cause, program.place(undefined.site).cloned());
    let (message, place) = match library.infer(source) {
        Ok((term, _)) => {
            let told = answer::Undefined::of_value(undefined, place, &term, ToString::to_string);
            (told.message, told.place)
        }
        Err(_) => (undefined.to_string(), place),
    };
    let place = place.as_ref();
    let refusal = refusal_at(library, source, &message, place);
    let place = place.and_then(|place| library.position(source, place));
    Refusal { status: Status::Nothing, undefined: Some(Undefined { cause, message, place, help: None }), ..refusal }
}

fn traced(options: &TraceOptions, library: &Workbench, limits: &Limits, source: &Source) -> Result<Traced, Refusal> {
    let (program, point) = asked(options, library, source)?;
    let strategy = if options.strategy == By::Literal { Strategy::Literal } else { Strategy::Accumulated };
    let budget = limits.budget();
    let record = options.steps.then(|| Record::of(&program));
    let question =
        Question { program: &program, point: point.as_ref(), strategy, record: record.as_ref(), budget: &budget };
    let refused = |error| refused(library, source, &program, &error);
    let answer = question::traced(&question).map_err(refused)?;
    let in_words = |trace: &Term| if strategy == Strategy::Literal { Ok(trace.clone()) } else { tidy(trace) };
    let (parameters, term, ty) = match program.transposed() {
        Some(Transposed { x, ty, point, cotangent, parameters }) if options.reverse => {
            // no number is computed here
            let numbers = Rationals::default();
            let evaluator = Evaluator::new(&numbers).by(strategy).paid_by(&budget);
            let reverse = evaluator.differentiate(&cotangent, &point, x, ty, &answer.trace).map_err(refused)?;
            (parameters, reverse, ty.clone())
        }
        _ => (program.parameters.clone(), answer.trace.clone(), program.ty.clone()),
    };
    if !budget.affords_parts(term.size().saturating_mul(PRINTED_PARTS)) {
        return Err(unwritten(&term));
    }
    let text = printer::text(&parameters, &in_words(&term).map_err(refused)?);
    drop(term);
    // with the time that is left
    let neighbourhood = question::neighbourhood(&question, &answer);
    let answer = Answer { neighbourhood, ..answer };
    let arrows = parameters.iter().map(|(_, ty)| format!("{} -> ", ty.in_language().as_argument()));
    let ty = arrows.collect::<String>() + &ty.in_language().to_string();
    let steps = record.map(|record| record.steps());
    Ok(Traced { text, ty, program, answer, steps })
}

/// How many parts are made, about, for each of a term that is written down.
const PRINTED_PARTS: u64 = 2;

/// That a trace was found, and there is no time or no memory to write it down.
fn unwritten(term: &Term) -> Refusal {
    let what = memory::or_time();
    Refusal::nothing(format!(
        "error: its {what} was up before what was found was written down, which has {} nodes; the strategy `tape` gives values and \
         derivatives without it",
        term.size()
    ))
}

/// A program of the core language.
pub(super) fn program(library: &Workbench, source: &Source) -> Result<Program, Refusal> {
    let (term, _) = library.infer(source)?;
    embed(&term).map_err(|error| {
        let culprit = Culprit::of(None, Some(error.place().clone()), &term);
        let message = match &culprit.library {
            Some(name) => format!("{error}, in the library's `{name}`"),
            None => error.to_string(),
        };
        refusal_at(library, source, &message, culprit.place.as_ref())
    })
}

fn refusal_at(library: &Workbench, source: &Source, message: &str, place: Option<&Place>) -> Refusal {
    match place {
        Some(place) => library.refusal_at(source, message, place),
        None => Refusal::wrong(format!("error: {message}")),
    }
}

/// The tolerance of printed values.
fn eps() -> Rational {
    Rational::from((1, 1_000_000))
}

fn value(value: &Value<Enclosure>) -> String {
    value.map(&mut |number| number.decimals(&eps()).to_string()).to_string()
}

/// A heading, as a comment, and the program.
fn shown(traced: &Traced) -> String {
    let answer = &traced.answer;
    let guards = match answer.guards.len() {
        0 => "no guards".to_owned(),
        1 => "1 guard decided".to_owned(),
        n => format!("{n} guards decided"),
    };
    let mut heading = format!("! {guards}; the value is {}", value(&answer.value));
    if let Some((x, _)) = traced.program.parameters.first() {
        let ranges = answer.neighbourhood.as_ref().map(|ranges| {
            let ranges = ranges.iter().map(|range| format!("[{}]", range.decimals().join(", ")));
            ranges.collect::<Vec<_>>().join(" × ")
        });
        heading += &match ranges {
            Some(ranges) if ranges.is_empty() => String::new(),
            Some(ranges) => format!("\n! valid at least for {} in {ranges}", x.name()),
            None => "\n! no interval was found on which it is certainly valid".to_owned(),
        };
    }
    let mut steps = String::new();
    if let Some((kept, further)) = &traced.steps {
        for (index, step) in kept.iter().enumerate() {
            let indent = "  ".repeat(step.level.min(20));
            steps += &format!("! {}. {indent}{}\n!      redex    {}\n", index + 1, step.rule, step.redex);
            if let Some(context) = &step.context {
                steps += &format!("!      context  {context}\n");
            }
            steps += &format!("!      trace    {}\n", step.trace);
        }
        if *further > 0 {
            steps += &format!("! … and {further} more steps\n");
        }
    }
    format!("{steps}{heading}\n{}", traced.text)
}

/// `{"version":1,"question":…,"type":…,"program":…,"size":…,"steps":…,"value":…,"guards":[…],"valid":[…]}`; with `--steps` also
/// `"reduction":{"steps":[{"rule","level","redex","context","trace"} …],"further":…}`.
fn to_json(question: &str, traced: &Traced, library: &Workbench) -> String {
    let answer = &traced.answer;
    let source = Source::new("question", question);
    let guards = answer.guards.iter().map(|guard| {
        let place = traced.program.place(guard.site).and_then(|place| library.position(&source, place));
        json!({ "predicate": guard.predicate.to_string(), "holds": guard.holds, "place": place })
    });
    let ranges = answer.neighbourhood.as_ref().map(|ranges| {
        let range = |[lo, hi]: [String; 2]| json!({ "lo": lo, "hi": hi });
        ranges.iter().map(|found| range(found.decimals())).collect::<Vec<_>>()
    });
    let step = |step: &Step| {
        let Step { rule, level, redex, context, trace } = step;
        json!({ "rule": rule.to_string(), "level": level, "redex": redex, "context": context, "trace": trace })
    };
    let mut whole = json!({
        "version": JSON_VERSION,
        "question": question,
        "type": traced.ty,
        "program": traced.text,
        "size": answer.trace.size(),
        "steps": answer.steps,
        "value": json_value(&answer.value),
        "guards": guards.collect::<Vec<_>>(),
        "valid": ranges,
    });
    if let Some((kept, further)) = &traced.steps {
        whole["reduction"] = json!({ "steps": kept.iter().map(step).collect::<Vec<_>>(), "further": further });
    }
    whole.to_string()
}

fn json_value(value: &Value<Enclosure>) -> Json {
    match value {
        Value::Real(number) => {
            let decimals = number.decimals(&eps());
            json!({ "lo": decimals.lo(), "hi": decimals.hi() })
        }
        Value::Unit => json!([]),
        Value::Pair(parts) => json!([json_value(&parts.0), json_value(&parts.1)]),
    }
}
