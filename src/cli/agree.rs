//! The command `agree`: the value of an expression in every semantics, side by side.
//!
//! Enclosures of one number must meet: if two are disjoint, a semantics is refuted, and the status is 1. A
//! floating-point number is compared with the enclosures ([`agreement`](crate::law::agreement)).

use super::arguments::ClosedPoint;
use super::arguments::{AccuracyArgs, TuningArgs};
use super::demo::format_duration;
use super::eval::{DEFAULT_WIDTH_EXPONENT, format_float, format_value, goal_to_json, round_to_decimals, value_status};
use super::evaluator::TheorySession;
use super::output::Streams;
use super::questions::QuestionArgs;
use super::status::Status;
use super::value;
use super::value::{PrintableValue, replace_undefined};
use crate::law::agreement::PartComparison;
use crate::number::Accuracy;
use crate::number::decimal::DecimalWidth;
use crate::session::question::agree;
use crate::session::tolerance::AccuracyGoal;
use crate::session::{Agree, Agreement, Answer, Limits};
use crate::syntax::source::SourceText;
use clap::Args;
use serde_json::{Value as Json, json};
use std::io;
use std::io::Read;
use std::sync::Arc;

/// The options of `agree`.
#[derive(Debug, Args)]
#[command(mut_arg("timeout", |timeout| timeout.help("Time limit of one semantics, in seconds").default_value("10")))]
pub struct AgreeOptions {
    /// The requested accuracy, and the time limit of each semantics
    #[command(flatten)]
    pub demand: AccuracyArgs,
    /// The limits of the searches
    #[command(flatten)]
    pub search: TuningArgs,
    /// Evaluate a function and its derivatives at a point: numbers, as 1,2 or (1, 2) or "1 2"
    #[arg(long, value_name = "POINT", allow_hyphen_values = true)]
    pub at: Option<ClosedPoint>,
    /// Highest order of the derivatives at the point
    #[arg(long, value_name = "R", default_value_t = 1, requires = "at")]
    pub order: usize,
    /// The questions
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// The answers of the semantics and their comparison, as they are printed.
struct AgreementTable {
    ty: String,
    rows: Vec<ComparedModelRow>,
    status: Status,
}

/// The answer of one semantics.
struct ComparedModelRow {
    name: &'static str,
    answer: Result<PrintableValue, String>,
    judgements: Vec<PartComparison>,
    elapsed: std::time::Duration,
}

impl AgreementTable {
    /// Takes the printed form of an answer, and judges its first value by the accuracy `to`.
    fn from_answer(answer: &Answer<Agreement>, to: &Accuracy) -> Self {
        let agreement = answer.value();
        let row = |row: &agree::SemanticsRow| ComparedModelRow {
            name: row.name,
            answer: row.answer.as_ref().map_err(String::clone).map(|found| {
                // A value that has no printed form is shown by the name of its kind.
                value::answer_to_printable(found, &agreement.ty)
                    .map_or_else(|what| PrintableValue::Word(what.to_owned()), replace_undefined)
            }),
            judgements: row.judgements.clone(),
            elapsed: row.elapsed,
        };
        let rows: Vec<ComparedModelRow> = agreement.rows.iter().map(row).collect();
        // The answer of the first semantics decides the status: others may know less of a number.
        let first = rows.iter().find_map(|row| row.answer.as_ref().ok());
        let status = match agreement.is_refuted() {
            true => Status::Refuted,
            false => first.map_or(Status::Nothing, |value| value_status(value, to)),
        };
        Self { ty: answer.ty().map(ToString::to_string).unwrap_or_default(), rows, status }
    }

    /// Returns the rows of one component of the answers.
    fn select_component(&self, index: usize) -> Self {
        let rows = self.rows.iter().map(|row| ComparedModelRow {
            name: row.name,
            answer: row.answer.as_ref().map_err(String::clone).map(|value| match value {
                // A semantics may answer with one value for all components; that value stands in each table.
                PrintableValue::Tuple(parts) if index < parts.len() => parts[index].clone(),
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
/// As [`QuestionArgs::ask_each`].
pub fn run_agree(
    options: &AgreeOptions,
    library: &TheorySession,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let goal = options.demand.goal.goal().or_default(DEFAULT_WIDTH_EXPONENT);
    let to = &goal.accuracy();
    let point = options.at.as_ref().map(ClosedPoint::coordinates);
    streams.print_notes(&options.at.as_ref().map_or_else(Vec::new, |point| point.rounding_notes("--at")))?;
    let ask = |source: &Arc<SourceText>| {
        let question = Agree::from_source(source.clone()).with_goal(goal.clone());
        let question = match &point {
            Some(point) => question.at_point(point.iter().cloned(), options.order),
            None => question,
        };
        library.ask_with_progress("nothing yet", to.eps(), &question, limits)
    };
    options.asked.ask_each(limits, input, streams, ask, |source, answer, Streams { out, .. }| {
        let (comparison, names) = (AgreementTable::from_answer(&answer, to), &answer.value().derivatives);
        if options.asked.format.is_json() {
            writeln!(out, "{}", to_json(&source.text, &comparison, names, &goal))?;
        } else if point.is_none() {
            write!(out, "{}", format_table(&comparison, to))?;
        } else {
            for (index, name) in names.iter().enumerate() {
                let gap = if index == 0 { "" } else { "\n" };
                let table = format_table(&comparison.select_component(index), to);
                writeln!(out, "{gap}derivative {name}")?;
                write!(out, "{table}")?;
            }
        }
        Ok(comparison.status)
    })
}

/// The severity up to which a judgement is no fault.
const MAX_HARMLESS_SEVERITY: u8 = 2;

/// Returns the severity of a judgement.
fn severity(judgement: &PartComparison) -> u8 {
    match judgement {
        PartComparison::Agrees => 0,
        PartComparison::OnlyEnclosure | PartComparison::OnlyAnswer => 1,
        PartComparison::Inside | PartComparison::NoNumber => MAX_HARMLESS_SEVERITY,
        PartComparison::Near(_) => 3,
        PartComparison::NotCompared(_) => 4,
        PartComparison::Different(_) => 5,
        PartComparison::Incomparable(..) => 6,
        PartComparison::Disjoint(_) => 7,
    }
}

/// Describes the most severe judgement of a row, with its component if there are several.
fn describe_worst_judgement(judgements: &[PartComparison]) -> String {
    // Reversed, since `max_by_key` returns the last maximum: the first component is the one to show.
    let Some((index, worst)) = judgements.iter().enumerate().rev().max_by_key(|(_, j)| severity(j)) else {
        return String::new();
    };
    if judgements.len() == 1 || severity(worst) <= MAX_HARMLESS_SEVERITY || judgements.iter().all(|j| j == worst) {
        worst.to_string()
    } else {
        format!("component {index}: {worst}")
    }
}

/// Returns the width of an answer, or its estimated error. `None` if it has no number.
fn numeric_width(value: &PrintableValue, to: &Accuracy) -> Option<f64> {
    match value {
        PrintableValue::Real { enclosure, .. } => {
            Some(round_to_decimals(enclosure, to).width().to_rational().map_or(f64::INFINITY, |width| width.to_f64()))
        }
        PrintableValue::Float { error, .. } => Some(*error),
        _ => value.parts().iter().filter_map(|part| numeric_width(part, to)).reduce(f64::max),
    }
}

/// Writes the width of an answer with one digit. A width that no double holds is written exactly.
fn width_shown(value: &PrintableValue, to: &Accuracy) -> Option<String> {
    fn widest(value: &PrintableValue, to: &Accuracy) -> Option<DecimalWidth> {
        match value {
            PrintableValue::Real { enclosure, .. } => Some(round_to_decimals(enclosure, to).width()),
            _ => value.parts().iter().filter_map(|part| widest(part, to)).max(),
        }
    }
    let width = numeric_width(value, to)?;
    if width.is_finite() {
        Some(format_one_digit(width))
    } else {
        Some(widest(value, to).map_or_else(|| "inf".to_owned(), |width| width.to_string()))
    }
}

/// Returns `true` if a number of the value is a floating-point number, which has an estimated error and no width.
fn has_float(value: &PrintableValue) -> bool {
    match value {
        PrintableValue::Float { .. } => true,
        _ => value.parts().iter().any(has_float),
    }
}

/// Writes a width with one digit.
fn format_one_digit(width: f64) -> String {
    if width == 0.0 || (1.0..10.0).contains(&width) { format!("{width}") } else { format!("{width:.0e}") }
}

/// Cuts long runs of digits in the middle, for people; `--json` has every digit.
fn abridge_digits(text: &str) -> String {
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
fn format_table(comparison: &AgreementTable, to: &Accuracy) -> String {
    let mut lines = vec![["model", "answer", "width", "time", "verdict"].map(str::to_owned)];
    for row in &comparison.rows {
        lines.push(match &row.answer {
            Ok(value) => {
                // The error of a floating-point number is an estimate on both sides of the number, not the width of an
                // enclosure.
                let sign = if has_float(value) { "±" } else { "" };
                let width = width_shown(value, to).map_or_else(String::new, |width| format!("{sign}{width}"));
                [
                    row.name.to_owned(),
                    abridge_digits(&format_value(value, to)),
                    width,
                    format_duration(row.elapsed),
                    describe_worst_judgement(&row.judgements),
                ]
            }
            Err(reason) => {
                [row.name.to_owned(), "–".into(), String::new(), format_duration(row.elapsed), reason.clone()]
            }
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
fn json_value(whole: &PrintableValue, to: &Accuracy) -> Json {
    value::json_with(whole, &|number| match number {
        PrintableValue::Real { enclosure, .. } => {
            let ends = round_to_decimals(enclosure, to);
            json!({ "lo": ends.lo(), "hi": ends.hi(), "defined": enclosure.is_defined() })
        }
        PrintableValue::Float { value, error } => {
            json!({ "float": format_float(*value), "error": format_float(*error) })
        }
        _ => Json::Null,
    })
}

/// Writes
/// `{"version":1,"question":…,"type":…,"eps":…,"rel":…,"digits":…,"agree":…,"models":[{"name","answer","verdicts","ms"}
/// …]}`. A model without an answer has a `"reason"` instead. With `--at`, answers are tuples, and `"derivatives"` names
/// the components.
fn to_json(question: &str, comparison: &AgreementTable, names: &[String], goal: &AccuracyGoal) -> Json {
    let to = goal.accuracy();
    let model = |row: &ComparedModelRow| {
        // Milliseconds, rounded to microseconds.
        let ms = (row.elapsed.as_secs_f64() * 1e6).round() / 1e3;
        match &row.answer {
            Ok(value) => {
                let verdicts: Vec<_> = row.judgements.iter().map(PartComparison::to_string).collect();
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
