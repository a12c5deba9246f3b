//! The command `trace`: the straight-line trace of a program at a point, and a region where it is valid (A §3, Thm
//! 6.2).
//!
//! # The option `trace --strategy tape`
//!
//! Values and derivatives by a tape, without a trace.

use super::arguments::parse_point_expression;
use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::questions::QuestionArgs;
use super::status::Status;
use crate::number::Enclosure;
use crate::session::question::trace::default_width;
use crate::session::tolerance::Timeout;
use crate::session::{Diagnostic, Limits, RunTape, SweptValue, Trace, TraceResult};
use crate::syntax::source::SourceText;
use crate::trace::number::BoundedDouble;
use crate::trace::question::TapeAnswer;
use crate::trace::steps::DerivationStep;
use crate::trace::term::CoreValue;
use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use std::io;
use std::io::Read;
use std::sync::Arc;

/// The options of `trace`.
#[derive(Debug, Args)]
pub struct TraceOptions {
    /// Point at which a function is traced: an expression; a tuple may be written 1,2 as well
    #[arg(long, value_name = "POINT", allow_hyphen_values = true, value_parser = parse_point_expression)]
    pub at: Option<String>,
    /// Print the transposed derivative of the trace, as a function of the point; unless the value is a real, its second argument is a cotangent
    #[arg(long)]
    pub reverse: bool,
    /// Print every rule as it is applied: the redex, its context, and the trace so far
    #[arg(long)]
    pub steps: bool,
    /// Method for the derivatives of traces
    #[arg(long, value_name = "STRATEGY", value_enum, default_value_t)]
    pub strategy: TraceStrategy,
    /// Run on f64, each number with a bound of its error (strategy `tape`)
    #[arg(long)]
    pub double: bool,
    /// Unfold each recursive function at most N levels deep
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
    /// Time limit of one question, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// The programs to trace
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// The values of `--strategy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TraceStrategy {
    /// One reverse sweep; prints a short program
    #[default]
    Accumulated,
    /// The clauses of the paper, which copy the trace at every let; prints the program as the rules give it
    Literal,
    /// A tape without a printed trace; prints the value and, with --reverse, its derivatives as numbers
    Tape,
}

/// Prints the trace of every expression.
///
/// # Errors
/// As [`QuestionArgs::ask_each`].
pub fn run_trace(
    options: &TraceOptions,
    library: &TheorySession,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    // Combinations of options that depend on the value of `--strategy`, which clap cannot exclude.
    let wrong = |what: &str| Err(Diagnostic::invalid_input(format!("error: {what}")));
    let ask = |source: &Arc<SourceText>| match options.strategy {
        TraceStrategy::Tape if options.steps => {
            wrong("--steps shows the rules of a trace, and the strategy `tape` has none")
        }
        TraceStrategy::Tape => answer_by_tape(options, library, limits, source),
        _ if options.double => wrong("--double is for the strategy `tape`; traces are made on certified numbers"),
        _ => {
            let question = Trace::from_source(source.clone())
                .with_steps(options.steps)
                .with_literal_rules(options.strategy == TraceStrategy::Literal);
            let question = question.reverse(options.reverse).unfoldings(options.fuel);
            let question = match &options.at {
                Some(point) => question.at(point),
                None => question,
            };
            let traced = library.ask(&question, limits)?.into_value();
            let is_json = options.asked.format.is_json();
            Ok(if is_json { to_json(&source.text, &traced, library) } else { format_trace(&traced) })
        }
    };
    options.asked.ask_each(limits, input, streams, ask, |_, line, streams| {
        writeln!(streams.out, "{line}").map(|()| Status::Reached)
    })
}

/// Formats a value, with enclosures rounded outwards to decimals.
fn format_value(value: &CoreValue<Enclosure>) -> String {
    value.map(&mut |number| number.print_decimals(&default_width()).to_string()).to_string()
}

/// Formats a trace: the steps and a heading as comments, then the program.
fn format_trace(traced: &TraceResult) -> String {
    let answer = &traced.answer;
    let guards = match answer.guards.len() {
        0 => "no guards".to_owned(),
        1 => "1 guard decided".to_owned(),
        n => format!("{n} guards decided"),
    };
    let mut heading = format!("! {guards}; the value is {}", format_value(&answer.value));
    if let Some((x, _)) = traced.program.parameters.first() {
        let ranges = answer.validity_region.as_ref().map(|ranges| {
            let ranges = ranges.iter().map(|range| format!("[{}]", range.to_decimals().join(", ")));
            ranges.collect::<Vec<_>>().join(" × ")
        });
        heading += &match ranges {
            // No ranges: the parameter has no real number that could vary.
            Some(ranges) if ranges.is_empty() => String::new(),
            Some(ranges) => format!("\n! valid at least for {} in {ranges}", x.name()),
            None => "\n! no interval was found on which it is certainly valid".to_owned(),
        };
    }
    let mut steps = String::new();
    if let Some((kept, further)) = &traced.steps {
        for (index, step) in kept.iter().enumerate() {
            // A choice: deeper levels are not indented further, so that lines stay readable.
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
    let lifted: String = traced.program.lifted.iter().map(|lifted| format!("! {lifted}\n")).collect();
    format!("{lifted}{steps}{heading}\n{}", traced.text)
}

/// Writes `{"version":1,"question":…,"type":…,"program":…,"size":…,"steps":…,"value":…,"guards":[…],"valid":[…]}`. With
/// `--steps` it also has `"reduction":{"steps":[{"rule","level","redex","context","trace"} …],"further":…}`.
fn to_json(question: &str, traced: &TraceResult, library: &TheorySession) -> String {
    let answer = &traced.answer;
    let source = Arc::new(SourceText::new("question", question));
    let guards = answer.guards.iter().map(|guard| {
        let place = traced.program.position_of(guard.site).and_then(|place| library.format_position(&source, place));
        json!({ "predicate": guard.predicate.to_string(), "holds": guard.holds, "place": place })
    });
    let ranges = answer.validity_region.as_ref().map(|ranges| {
        let range = |[lo, hi]: [String; 2]| json!({ "lo": lo, "hi": hi });
        ranges.iter().map(|found| range(found.to_decimals())).collect::<Vec<_>>()
    });
    let step = |step: &DerivationStep| {
        let DerivationStep { rule, level, redex, context, trace } = step;
        json!({ "rule": rule.to_string(), "level": level, "redex": redex, "context": context, "trace": trace })
    };
    let mut whole = json!({
        "version": JSON_VERSION,
        "question": question,
        "type": traced.ty,
        "program": traced.text,
        "size": answer.trace.size(),
        "steps": answer.steps,
        "value": value_to_json(&answer.value),
        "guards": guards.collect::<Vec<_>>(),
        "valid": ranges,
    });
    if let Some((kept, further)) = &traced.steps {
        whole["reduction"] = json!({ "steps": kept.iter().map(step).collect::<Vec<_>>(), "further": further });
    }
    whole.to_string()
}

/// Writes a value as JSON, with the ends of its enclosures.
fn value_to_json(value: &CoreValue<Enclosure>) -> Json {
    match value {
        CoreValue::Real(number) => {
            let decimals = number.print_decimals(&default_width());
            json!({ "lo": decimals.lo(), "hi": decimals.hi() })
        }
        CoreValue::Unit => json!([]),
        CoreValue::Pair(parts) => json!([value_to_json(&parts.0), value_to_json(&parts.1)]),
    }
}

/// Evaluates an expression by a tape, and formats its value, and its derivative if requested.
fn answer_by_tape(
    options: &TraceOptions,
    library: &TheorySession,
    limits: &Limits,
    source: &Arc<SourceText>,
) -> Result<String, Diagnostic> {
    let question = RunTape::from_source(source.clone()).reverse(options.reverse).unfoldings(options.fuel);
    let question = question.in_doubles(options.double);
    let question = match &options.at {
        Some(point) => question.at(point),
        None => question,
    };
    let found = library.ask(&question, limits)?.into_value();
    Ok(if options.asked.format.is_json() { sweep_to_json(&source.text, &found) } else { format_swept(&found) })
}

/// Formats a value with the arithmetic by which it was computed.
fn format_swept(found: &SweptValue) -> String {
    match found {
        SweptValue::Certified(swept) => format_sweep(swept, "certified", &format_value),
        SweptValue::Doubles(swept) => format_sweep(swept, "doubles", &|found| found.to_string()),
    }
}

/// Formats the value. With derivatives, the value is a comment, and the derivative of each of its numbers follows.
fn format_sweep<R>(swept: &TapeAnswer<R>, numbers: &str, of: &dyn Fn(&CoreValue<R>) -> String) -> String {
    let value = of(&swept.value);
    let rows: Vec<String> = swept.reverse.iter().map(of).collect();
    match &rows[..] {
        [] => format!("! by a tape, {numbers}\n{value}"),
        [row] => format!("! by a tape, {numbers}; the value is {value}\n{row}"),
        rows => format!("! by a tape, {numbers}; the value is {value}\n({})", rows.join(", ")),
    }
}

/// Writes `{"version":1,"question":…,"certified":true,"value":…,"reverse":[…]}`.
fn sweep_to_json(question: &str, found: &SweptValue) -> String {
    let (value, reverse) = match found {
        SweptValue::Certified(swept) => (value_to_json(&swept.value), rows_to_json(&swept.reverse, &value_to_json)),
        SweptValue::Doubles(swept) => (doubles_to_json(&swept.value), rows_to_json(&swept.reverse, &doubles_to_json)),
    };
    json!({
        "version": JSON_VERSION,
        "question": question,
        "certified": true,
        "value": value,
        "reverse": reverse,
    })
    .to_string()
}

/// Writes each row as JSON.
fn rows_to_json<R>(rows: &[CoreValue<R>], of: &dyn Fn(&CoreValue<R>) -> Json) -> Vec<Json> {
    rows.iter().map(of).collect()
}

/// Writes a value of doubles as JSON, each as `{"value":…,"error":…}`.
fn doubles_to_json(value: &CoreValue<BoundedDouble>) -> Json {
    match value {
        // JSON has no infinities: these become `null`.
        CoreValue::Real(x) => json!({ "value": x.value(), "error": x.error_bound() }),
        CoreValue::Unit => json!([]),
        CoreValue::Pair(parts) => json!([doubles_to_json(&parts.0), doubles_to_json(&parts.1)]),
    }
}
