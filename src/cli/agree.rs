//! `smoothish agree`: an expression in every model that can interpret it, side by side.
//!
//! Enclosures of one number must meet: where they do not, a meaning is refuted, and the status is 1. A floating-point
//! number is judged by the enclosures ([`agreement`](crate::law::agreement)).

mod derivatives;

use super::ask::{Limits, Refusal, Value};
use super::demo::time;
use super::eval::{USUAL, float, printed, shown, status};
use super::evaluator::Workbench;
use super::output::Streams;
use super::plot::Coordinate;
use super::questions::Asked;
use super::status::Status;
use super::tolerance::{Demand, Goal};
use super::value::{self, number};
use crate::failure::{ErrorKind, Failure};
use crate::law::agreement::{Judgement, Testimony, judge};
use crate::meaning;
use crate::model::answer::MeaningError;
use crate::number::width::Width;
use crate::number::{Accuracy, Enclosure, Rational};
use crate::session::SessionError;
use crate::syntax::source::Source;
use crate::syntax::ty::Ty;
use clap::Args;
use serde_json::{Value as Json, json};
use std::io::{self, Read};
use std::time::Instant;

/// What `agree` is asked.
#[derive(Debug, Args)]
#[command(mut_arg("timeout", |timeout| timeout.help("How many seconds one model may take").default_value("10")))]
pub struct AgreeOptions {
    /// How accurate the answers are to be, and how long each model may take
    #[command(flatten)]
    pub demand: Demand,
    /// A point, as numbers with commas between them: the value of a function there, and its derivatives
    #[arg(long, value_name = "POINT", value_delimiter = ',', allow_hyphen_values = true)]
    pub at: Option<Vec<Coordinate>>,
    /// Up to which order the derivatives at the point are taken
    #[arg(long, value_name = "R", default_value_t = 1, requires = "at")]
    pub order: usize,
    /// What is asked
    #[command(flatten)]
    pub asked: Asked,
}

/// What the models say of one question, and what they say of each other.
struct Comparison {
    ty: String,
    rows: Vec<Row>,
    status: Status,
}

/// One model.
struct Row {
    name: &'static str,
    answer: Result<Value, String>,
    judgements: Vec<Judgement>,
    elapsed: std::time::Duration,
}

/// Asks every expression of every model.
///
/// # Errors
/// As [`Asked::each`].
pub fn run(
    options: &AgreeOptions,
    library: &Workbench,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let goal = options.demand.goal.or_power(USUAL);
    let to = &goal.accuracy();
    let point: Option<Vec<Rational>> =
        options.at.as_ref().map(|point| point.iter().map(|coordinate| coordinate.0.clone()).collect());
    let ask = |source: &Source| match &point {
        Some(point) => derivatives::compare(library, source, point, options.order, to, limits),
        None => Ok((compare(library, source, to, limits)?, Vec::new())),
    };
    options.asked.each(&limits.interrupted, input, streams, ask, |source, (comparison, names), Streams { out, .. }| {
        if options.asked.format.is_json() {
            writeln!(out, "{}", to_json(&source.text, &comparison, &names, &goal))?;
        } else if point.is_none() {
            write!(out, "{}", table(&comparison, to))?;
        } else {
            for (index, name) in names.iter().enumerate() {
                let gap = if index == 0 { "" } else { "\n" };
                let table = table(&derivatives::component(&comparison, index), to);
                writeln!(out, "{gap}derivative {name}")?;
                write!(out, "{table}")?;
            }
        }
        Ok(comparison.status)
    })
}

fn compare(library: &Workbench, source: &Source, to: &Accuracy, limits: &Limits) -> Result<Comparison, Refusal> {
    let (term, ty) = library.infer(source)?;
    let statements: Vec<Testimony> = meaning::all()
        .iter()
        .map(|meaning| {
            let start = Instant::now();
            let outcome = library.state(*meaning, &term, &ty, to, limits);
            Testimony { name: meaning.name(), encloses: meaning.encloses(), outcome, elapsed: start.elapsed() }
        })
        .collect();
    let (rows, status) = rows(library, source, statements, &ty, to)?;
    Ok(Comparison { ty: ty.to_string(), rows, status })
}

/// The statements with what they say of each other.
fn rows(
    library: &Workbench,
    source: &Source,
    statements: Vec<Testimony>,
    ty: &Ty,
    to: &Accuracy,
) -> Result<(Vec<Row>, Status), Refusal> {
    let judged = judge(&statements);
    let mut status = None;
    let mut rows = Vec::with_capacity(statements.len());
    for (Testimony { name, encloses, outcome, elapsed }, judgements) in statements.into_iter().zip(judged) {
        let judgements = judgements.unwrap_or_default();
        let answer = match outcome {
            Ok(answer) => Ok(value::value(&answer.value, ty, &mut |found| certain(number(found, &mut false)))
                .unwrap_or_else(|what| Value::Word(what.to_owned()))),
            // what the model lacks is no fault of the question
            Err(error) if error.lacks().is_some() => Err(error.to_string()),
            Err(error) if !encloses => Err(error.to_string()),
            // a model that does not end says so, and the others answer
            Err(error) if SessionError::from(error.clone()).kind() == ErrorKind::Limit => Err(first_part(&error)),
            Err(error) if name == meaning::DEFAULT => return Err(library.refusal(source, &SessionError::from(error))),
            Err(error) => Err(error.to_string()),
        };
        // the answer of the first model counts: of one number, others may know less
        if let (Ok(value), None) = (&answer, status) {
            status = Some(self::status(value, to));
        }
        rows.push(Row { name, answer, judgements, elapsed });
    }
    let refuted = rows.iter().any(|row| row.judgements.iter().any(|j| matches!(j, Judgement::Disjoint(_))));
    let status = if refuted { Status::Refuted } else { status.unwrap_or(Status::Nothing) };
    Ok((rows, status))
}

/// Returns the message without the advice after it.
fn first_part(error: &MeaningError) -> String {
    let message = error.to_string();
    message.split("; ").next().unwrap_or_default().to_owned()
}

/// A number that need not exist lies anywhere on the line: bounds on it would be read as an answer.
fn certain(number: Value) -> Value {
    match number {
        Value::Real(enclosure) if !enclosure.is_defined() => Value::Real(Enclosure::bottom()),
        number => number,
    }
}

/// The gravity of what is as it should be.
const INSIDE: u8 = 2;

/// Judgements by how much there is to say of them.
fn gravity(judgement: &Judgement) -> u8 {
    match judgement {
        Judgement::Agrees => 0,
        Judgement::Alone | Judgement::Only => 1,
        Judgement::Inside | Judgement::NoNumber => INSIDE,
        Judgement::Near(_) => 3,
        Judgement::Open(_) => 4,
        Judgement::Different(_) => 5,
        Judgement::Incomparable(..) => 6,
        Judgement::Disjoint(_) => 7,
    }
}

/// The gravest judgement on a row, with its place where there are several.
fn verdict(judgements: &[Judgement]) -> String {
    let Some((index, worst)) = judgements.iter().enumerate().rev().max_by_key(|(_, j)| gravity(j)) else {
        return String::new();
    };
    if judgements.len() == 1 || gravity(worst) <= INSIDE || judgements.iter().all(|j| j == worst) {
        worst.to_string()
    } else {
        format!("component {index}: {worst}")
    }
}

/// How wide, or how uncertain, an answer is.
fn width(value: &Value, to: &Accuracy) -> Option<f64> {
    match value {
        Value::Real(number) => {
            Some(printed(number, to).width().to_rational().map_or(f64::INFINITY, |width| width.to_f64()))
        }
        Value::Float { error, .. } => Some(*error),
        _ => value.parts().iter().filter_map(|part| width(part, to)).reduce(f64::max),
    }
}

/// The same as text, with one digit; of numbers that no float holds, their own.
fn width_shown(value: &Value, to: &Accuracy) -> Option<String> {
    fn widest(value: &Value, to: &Accuracy) -> Option<Width> {
        match value {
            Value::Real(number) => Some(printed(number, to).width()),
            _ => value.parts().iter().filter_map(|part| widest(part, to)).max(),
        }
    }
    let width = width(value, to)?;
    if width.is_finite() {
        Some(short(width))
    } else {
        Some(widest(value, to).map_or_else(|| "inf".to_owned(), |width| width.to_string()))
    }
}

fn has_float(value: &Value) -> bool {
    match value {
        Value::Float { .. } => true,
        _ => value.parts().iter().any(has_float),
    }
}

/// One digit.
fn short(width: f64) -> String {
    if width == 0.0 || (1.0..10.0).contains(&width) { format!("{width}") } else { format!("{width:.0e}") }
}

/// A text with its long runs of digits cut in the middle, for people; `--json` has every digit.
fn abridged(text: &str) -> String {
    const LONGEST: usize = 60;
    const KEPT: usize = 20;
    let mut short = String::with_capacity(text.len().min(4 * LONGEST));
    for run in text.split_inclusive(|c: char| !c.is_ascii_digit()) {
        let digits = run.trim_end_matches(|c: char| !c.is_ascii_digit());
        if digits.len() > LONGEST {
            let hidden = digits.len() - 2 * KEPT;
            let (start, end) = (&digits[..KEPT], &digits[digits.len() - KEPT..]);
            short += &format!("{start}…({hidden} digits)…{end}{}", &run[digits.len()..]);
        } else {
            short += run;
        }
    }
    short
}

fn table(comparison: &Comparison, to: &Accuracy) -> String {
    let mut lines = vec![["model", "answer", "width", "time", "verdict"].map(str::to_owned)];
    for row in &comparison.rows {
        lines.push(match &row.answer {
            Ok(value) => {
                let sign = if has_float(value) { "±" } else { "" };
                let width = width_shown(value, to).map_or_else(String::new, |width| format!("{sign}{width}"));
                [row.name.to_owned(), abridged(&shown(value, to)), width, time(row.elapsed), verdict(&row.judgements)]
            }
            Err(reason) => [row.name.to_owned(), "–".into(), String::new(), time(row.elapsed), reason.clone()],
        });
    }
    let mut widths = [0; 4];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count().min(60));
        }
    }
    let mut text = String::new();
    for line in lines {
        let mut row = String::new();
        for (cell, width) in line.iter().zip(widths) {
            row += &format!("{cell:<width$}  ");
        }
        text += (row + &line[4]).trim_end();
        text.push('\n');
    }
    text
}

fn json_value(whole: &Value, to: &Accuracy) -> Json {
    value::json(whole, &|number| match number {
        Value::Real(number) => {
            let ends = printed(number, to);
            json!({ "lo": ends.lo(), "hi": ends.hi(), "defined": number.is_defined() })
        }
        Value::Float { value, error } => json!({ "float": float(*value), "error": float(*error) }),
        _ => Json::Null,
    })
}

/// `{"version":1,"question":…,"type":…,"eps":…,"rel":…,"digits":…,"agree":…,"models":[{"name","answer","verdicts","ms"} …]}`; in place of
/// the answer a `"reason"` where a model has none. With `--at`, answers are tuples, and `"derivatives"` names the components.
fn to_json(question: &str, comparison: &Comparison, names: &[String], goal: &Goal) -> Json {
    let to = goal.accuracy();
    let model = |row: &Row| {
        let ms = (row.elapsed.as_secs_f64() * 1e6).round() / 1e3;
        match &row.answer {
            Ok(value) => {
                let verdicts: Vec<_> = row.judgements.iter().map(Judgement::to_string).collect();
                let answer = json_value(value, &to);
                json!({ "name": row.name, "answer": answer, "verdicts": verdicts, "ms": ms })
            }
            Err(reason) => json!({ "name": row.name, "reason": reason, "ms": ms }),
        }
    };
    let mut whole = json!({
        "version": super::eval::JSON_VERSION,
        "question": question,
        "type": comparison.ty,
    });
    goal.to_json().for_each(|(name, asked)| whole[name] = asked);
    whole["agree"] = json!(comparison.status != Status::Refuted);
    whole["models"] = json!(comparison.rows.iter().map(model).collect::<Vec<_>>());
    if !names.is_empty() {
        whole["derivatives"] = json!(names);
    }
    whole
}
