//! The command `agree`: the value of an expression in every semantics, side by side.
//!
//! Enclosures of one number must meet: if two are disjoint, a semantics is refuted, and the status is 1. A
//! floating-point number is compared with the enclosures ([`agreement`](crate::law::agreement)).

use super::arguments::Demand;
use super::demo::time;
use super::eval::{USUAL, float, goal_to_json, printed, shown, status};
use super::evaluator::Workbench;
use super::output::Streams;
use super::plot::Coordinate;
use super::questions::Asked;
use super::status::Status;
use super::value::{self, Value, certain};
use crate::law::agreement::Judgement;
use crate::number::width::Width;
use crate::number::{Accuracy, Rational};
use crate::session::question::agree;
use crate::session::tolerance::Goal;
use crate::session::{Agree, Agreement, Answer, Limits};
use crate::syntax::source::Source;
use clap::Args;
use serde_json::{Value as Json, json};
use std::io::{self, Read};
use std::sync::Arc;

/// The options of `agree`.
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

/// The answers of the semantics and their comparison, as they are printed.
struct Comparison {
    ty: String,
    rows: Vec<Row>,
    status: Status,
}

/// The answer of one semantics.
struct Row {
    name: &'static str,
    answer: Result<Value, String>,
    judgements: Vec<Judgement>,
    elapsed: std::time::Duration,
}

impl Comparison {
    /// Takes the printed form of an answer, and judges its first value by the accuracy `to`.
    fn of(answer: &Answer<Agreement>, to: &Accuracy) -> Self {
        let agreement = answer.value();
        let row = |row: &agree::Row| Row {
            name: row.name,
            answer: row.answer.as_ref().map_err(String::clone).map(|found| {
                // A value that has no printed form is shown by the name of its kind.
                value::printed(found, &agreement.ty).map_or_else(|what| Value::Word(what.to_owned()), certain)
            }),
            judgements: row.judgements.clone(),
            elapsed: row.elapsed,
        };
        let rows: Vec<Row> = agreement.rows.iter().map(row).collect();
        // The answer of the first semantics decides the status: others may know less of a number.
        let first = rows.iter().find_map(|row| row.answer.as_ref().ok());
        let status = match agreement.is_refuted() {
            true => Status::Refuted,
            false => first.map_or(Status::Nothing, |value| status(value, to)),
        };
        Self { ty: answer.ty().map(ToString::to_string).unwrap_or_default(), rows, status }
    }

    /// Returns the rows of one component of the answers.
    fn component(&self, index: usize) -> Self {
        let rows = self.rows.iter().map(|row| Row {
            name: row.name,
            answer: row.answer.as_ref().map_err(String::clone).map(|value| match value {
                // A semantics may answer with one value for all components; that value stands in each table.
                Value::Tuple(parts) if index < parts.len() => parts[index].clone(),
                whole => whole.clone(),
            }),
            judgements: row.judgements.get(index).cloned().into_iter().collect(),
            elapsed: row.elapsed,
        });
        Self { ty: self.ty.clone(), rows: rows.collect(), status: self.status }
    }
}

/// Evaluates every expression in every semantics.
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
    let goal = options.demand.goal.goal().or_power(USUAL);
    let to = &goal.accuracy();
    let point: Option<Vec<Rational>> =
        options.at.as_ref().map(|point| point.iter().map(|coordinate| coordinate.0.clone()).collect());
    let ask = |source: &Arc<Source>| {
        let question = Agree::of(source.clone()).goal(goal.clone());
        let question = match &point {
            Some(point) => question.at(point.iter().cloned(), options.order),
            None => question,
        };
        library.ask_shown("nothing yet", to.eps(), &question, limits)
    };
    options.asked.each(limits, input, streams, ask, |source, answer, Streams { out, .. }| {
        let (comparison, names) = (Comparison::of(&answer, to), &answer.value().derivatives);
        if options.asked.format.is_json() {
            writeln!(out, "{}", to_json(&source.text, &comparison, names, &goal))?;
        } else if point.is_none() {
            write!(out, "{}", table(&comparison, to))?;
        } else {
            for (index, name) in names.iter().enumerate() {
                let gap = if index == 0 { "" } else { "\n" };
                let table = table(&comparison.component(index), to);
                writeln!(out, "{gap}derivative {name}")?;
                write!(out, "{table}")?;
            }
        }
        Ok(comparison.status)
    })
}

/// The severity up to which a judgement is no fault.
const INSIDE: u8 = 2;

/// Returns the severity of a judgement.
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

/// Describes the most severe judgement of a row, with its component if there are several.
fn verdict(judgements: &[Judgement]) -> String {
    // Reversed, since `max_by_key` returns the last maximum: the first component is the one to show.
    let Some((index, worst)) = judgements.iter().enumerate().rev().max_by_key(|(_, j)| gravity(j)) else {
        return String::new();
    };
    if judgements.len() == 1 || gravity(worst) <= INSIDE || judgements.iter().all(|j| j == worst) {
        worst.to_string()
    } else {
        format!("component {index}: {worst}")
    }
}

/// Returns the width of an answer, or its estimated error. `None` if it has no number.
fn width(value: &Value, to: &Accuracy) -> Option<f64> {
    match value {
        Value::Real(number) => {
            Some(printed(number, to).width().to_rational().map_or(f64::INFINITY, |width| width.to_f64()))
        }
        Value::Float { error, .. } => Some(*error),
        _ => value.parts().iter().filter_map(|part| width(part, to)).reduce(f64::max),
    }
}

/// Writes the width of an answer with one digit. A width that no double holds is written exactly.
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

/// Returns `true` if a number of the value is a floating-point number, which has an estimated error and no width.
fn has_float(value: &Value) -> bool {
    match value {
        Value::Float { .. } => true,
        _ => value.parts().iter().any(has_float),
    }
}

/// Writes a width with one digit.
fn short(width: f64) -> String {
    if width == 0.0 || (1.0..10.0).contains(&width) { format!("{width}") } else { format!("{width:.0e}") }
}

/// Cuts long runs of digits in the middle, for people; `--json` has every digit.
fn abridged(text: &str) -> String {
    // A choice: as many digits as a column is wide are shown in full.
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

/// Formats the comparison as a table with one line for each semantics.
fn table(comparison: &Comparison, to: &Accuracy) -> String {
    let mut lines = vec![["model", "answer", "width", "time", "verdict"].map(str::to_owned)];
    for row in &comparison.rows {
        lines.push(match &row.answer {
            Ok(value) => {
                // The error of a floating-point number is an estimate on both sides of the number, not the width of an
                // enclosure.
                let sign = if has_float(value) { "±" } else { "" };
                let width = width_shown(value, to).map_or_else(String::new, |width| format!("{sign}{width}"));
                [row.name.to_owned(), abridged(&shown(value, to)), width, time(row.elapsed), verdict(&row.judgements)]
            }
            Err(reason) => [row.name.to_owned(), "–".into(), String::new(), time(row.elapsed), reason.clone()],
        });
    }
    // The last column is not padded: the verdict may be long.
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

/// Writes a value as JSON, with the ends of enclosures and the estimated errors of floating-point numbers.
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

/// Writes
/// `{"version":1,"question":…,"type":…,"eps":…,"rel":…,"digits":…,"agree":…,"models":[{"name","answer","verdicts","ms"}
/// …]}`. A model without an answer has a `"reason"` instead. With `--at`, answers are tuples, and `"derivatives"` names
/// the components.
fn to_json(question: &str, comparison: &Comparison, names: &[String], goal: &Goal) -> Json {
    let to = goal.accuracy();
    let model = |row: &Row| {
        // Milliseconds, rounded to microseconds.
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
    goal_to_json(goal).for_each(|(name, asked)| whole[name] = asked);
    whole["agree"] = json!(comparison.status != Status::Refuted);
    whole["models"] = json!(comparison.rows.iter().map(model).collect::<Vec<_>>());
    if !names.is_empty() {
        whole["derivatives"] = json!(names);
    }
    whole
}
