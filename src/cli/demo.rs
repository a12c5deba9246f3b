//! The command `demo`: programs of the λ_S paper, with true value, interval, width and time.

use super::colour::{BOLD, GREEN, PLAIN, RED};
use super::demo_programs::{DemoProgram, KnownValue, PROGRAMS};
use super::eval::Evaluated;
use super::evaluator::TheorySession;
use super::status::Status;
use crate::model::answer::AnswerNumber;
use crate::number::{Enclosure, Rational, decimal};
use crate::session::{Evaluate, Limits};
use crate::value::Value;
use std::io::{self, Write};
use std::time::Duration;

/// The requested width. A choice: more digits take longer, and fill the line.
const REQUESTED_WIDTH: &str = "1e-9";

/// The width of the output in columns: that of the usual terminal.
const COLUMNS: usize = 80;
const INDENT: &str = "    ";

/// Evaluates every program, and compares it with its true value. In colour, an interval is green if it is right, and
/// red otherwise.
///
/// The status is 1 if an interval misses the true value. A program that is refused adds the status of its diagnostic.
///
/// # Errors
/// Errors of writing to `out`.
pub fn run_demo(library: &TheorySession, limits: &Limits, coloured: bool, out: &mut dyn Write) -> io::Result<Status> {
    let eps = decimal::parse(REQUESTED_WIDTH).expect("a decimal");
    let painted = |colour: &str, text: &str| if coloured { format!("{colour}{text}{PLAIN}") } else { text.to_owned() };
    writeln!(out, "Programs of Sherman, Michel and Carbin (POPL 2021), asked to {REQUESTED_WIDTH}.\n")?;
    let (mut worst, mut total, mut contained, mut asked) = (Status::default(), Duration::ZERO, 0, 0);
    for program in PROGRAMS {
        for line in wrap_to_columns(program.title, "", "  ") {
            writeln!(out, "{}", painted(BOLD, &line))?;
        }
        for line in program.source.lines().flat_map(|line| wrap_to_columns(line, INDENT, "      ")) {
            writeln!(out, "{line}")?;
        }
        asked += 1;
        let status = match library.ask(&Evaluate::new(program.source).with_width(REQUESTED_WIDTH), limits) {
            Ok(answer) => {
                // A wrong interval is a refutation, not a failure of the demonstration: the other programs still run.
                let right = is_right(program, &answer, &eps);
                contained += u32::from(right);
                total += answer.elapsed();
                let (interval, width) = format_interval(&answer, &eps);
                let interval = painted(if right { GREEN } else { RED }, &interval);
                writeln!(out, "{INDENT}{interval}  width {width}, {}", format_duration(answer.elapsed()))?;
                let truth = format!("the true value is {}: {}", format_truth(program), program.because);
                let artifact = program.artifact.map(|artifact| format!("λ_S in Haskell: {artifact}"));
                for line in
                    std::iter::once(truth).chain(artifact).flat_map(|text| wrap_to_columns(&text, INDENT, "      "))
                {
                    writeln!(out, "{line}")?;
                }
                if right { Status::Reached } else { Status::Refuted }
            }
            Err(refusal) => {
                writeln!(out, "{}", refusal.report())?;
                Status::from(refusal.kind)
            }
        };
        writeln!(out)?;
        out.flush()?;
        worst = Status::worst_of([worst, status]);
        if limits.is_interrupted() {
            break;
        }
    }
    if cfg!(debug_assertions) {
        let release = "Built without optimisation: `cargo run --release -- demo` takes longer to build,";
        writeln!(out, "{release}\nand less time to answer.")?;
    }
    writeln!(out, "{contained} of {asked} intervals contain the true value; {} in all.", format_duration(total))?;
    Ok(worst)
}

/// Wraps a line to the usual width of a terminal. `first` and `others` are the indents.
fn wrap_to_columns(text: &str, first: &str, others: &str) -> Vec<String> {
    let mut lines = vec![first.to_owned()];
    // The indent of the line itself is kept.
    let indent = text.len() - text.trim_start().len();
    let (mut begun, mut gap) = (false, &text[..indent]);
    for word in text[indent..].split(' ') {
        let line = lines.last_mut().expect("there is one");
        if begun && line.chars().count() + gap.len() + word.chars().count() > COLUMNS {
            lines.push(format!("{others}{word}"));
        } else {
            *line += gap;
            *line += word;
        }
        (begun, gap) = (true, " ");
    }
    lines
}

/// Formats the true value. Digits are cut to 18 or fewer decimals, so that a line stays short.
fn format_truth(program: &DemoProgram) -> String {
    match program.truth {
        KnownValue::Exact(value) => value.to_owned(),
        KnownValue::Digits { name: "", digits } => format!("{}…", &digits[..20]),
        KnownValue::Digits { name, digits } => format!("{name} = {}…", &digits[..14]),
        KnownValue::Set(lo, hi) => format!("the set [{lo}, {hi}]"),
    }
}

/// Returns the interval and its width, as texts.
fn format_interval(answer: &Evaluated, eps: &Rational) -> (String, String) {
    match answer.value() {
        Value::Real(AnswerNumber::Enclosure(number)) => {
            let printed = number.enclosure.print_decimals(eps);
            let width = printed.width().to_rational().map_or("inf".to_owned(), |width| format_width(&width));
            (printed.to_string(), width)
        }
        other => (format!("{other:?}"), String::new()),
    }
}

/// Returns `true` if the interval contains the true value. A set must be contained, and the interval must not be wider
/// by more than `eps` on either side.
fn is_right(program: &DemoProgram, answer: &Evaluated, eps: &Rational) -> bool {
    let Value::Real(AnswerNumber::Enclosure(number)) = answer.value() else {
        return false;
    };
    let number = &number.enclosure;
    let (lo, hi) = enclose_truth(&program.truth);
    match program.truth {
        // The true value lies in [lo, hi], of width 10⁻ⁿ: an enclosure of it must meet that interval.
        KnownValue::Exact(_) | KnownValue::Digits { .. } => *number.lo() <= hi && *number.hi() >= lo,
        KnownValue::Set(..) => {
            contains_both_ends(number, &lo, &hi) && *number.lo() >= lo - eps && *number.hi() <= hi + eps
        }
    }
}

/// Returns `true` if both ends, and with them all numbers between, lie in the interval.
fn contains_both_ends(number: &Enclosure, lo: &Rational, hi: &Rational) -> bool {
    number.contains(lo) && number.contains(hi)
}

/// Returns an interval that contains the true value.
pub fn enclose_truth(truth: &KnownValue) -> (Rational, Rational) {
    let read = |text: &str| decimal::parse(text).expect("a decimal");
    match *truth {
        KnownValue::Exact(value) => (read(value), read(value)),
        KnownValue::Set(lo, hi) => (read(lo), read(hi)),
        KnownValue::Digits { digits, .. } => {
            let decimals = digits.split_once('.').map_or(0, |(_, rest)| rest.len());
            let last = read(&format!("1e-{decimals}"));
            let value = read(digits);
            // The digits are truncated towards 0, so the value lies farther from 0.
            if digits.starts_with('-') { (value.clone() - last, value) } else { (value.clone(), value + last) }
        }
    }
}

/// Writes a width in at most two decimals, or with one digit.
pub fn format_width(width: &Rational) -> String {
    match width.to_f64() {
        0.0 => "0".to_owned(),
        width if width >= 0.01 => format!("{}", (width * 100.0).round() / 100.0),
        width => format!("{width:.0e}"),
    }
}

/// Writes a duration, in a unit that suits it.
pub fn format_duration(elapsed: Duration) -> String {
    let micros = elapsed.as_secs_f64() * 1e6;
    match micros {
        ..1e3 => format!("{micros:.0} µs"),
        ..1e6 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.1} s", micros / 1e6),
    }
}
