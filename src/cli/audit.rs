//! `smoothish audit`: whether a number is the derivative of a function at a point.

use super::ask::{Limits, Refusal};
use super::eval::JSON_VERSION;
use super::evaluator::Workbench;
use super::output::Streams;
use super::plot::Coordinate;
use super::questions::Asked;
use super::status::Status;
use super::tolerance::Timeout;
use crate::audit::{Claim, Finding, Format, Report, Subject, Tolerance};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational, decimal};
use crate::plot::grid::coordinate;
use crate::session::SessionError;
use crate::syntax::source::Source;
use clap::Args;
use serde_json::{Value as Json, json};
use std::io::{self, Read};
use std::sync::Arc;

/// What `audit` is asked.
#[derive(Debug, Args)]
pub struct AuditOptions {
    /// The point: a decimal or a fraction, read exactly
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub at: Coordinate,
    /// What the derivative is said to be: a decimal, a fraction, nan, inf or -inf; may be repeated
    #[arg(long = "claim", value_name = "G", required = true, allow_hyphen_values = true, value_parser = claim)]
    pub claims: Vec<Claim>,
    /// In which floating-point numbers it was computed: float64, float32, float16 or bfloat16
    #[arg(long, value_name = "TYPE", default_value_t)]
    pub format: Format,
    /// How many units in the last place it may be off
    #[arg(long, value_name = "N", default_value_t = Tolerance::default().units)]
    pub ulps: u32,
    /// How many seconds it may take
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// What is asked: functions of type Real -> Real
    #[command(flatten)]
    pub asked: Asked,
}

fn claim(text: &str) -> Result<Claim, String> {
    match text.trim_start_matches(['+', '-']).to_ascii_lowercase().as_str() {
        "nan" | "inf" | "infinity" => Ok(Claim::NotFinite),
        _ => coordinate(text).map(Claim::Number).map_err(|error| format!("{error}; or nan, inf, -inf")),
    }
}

/// Prints what is true of every claim about every function.
///
/// # Errors
/// As [`Asked::each`].
pub fn run(
    options: &AuditOptions,
    library: &Workbench,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let ask = |source: &Source| found(options, library, limits, source);
    options.asked.each(&limits.interrupted, input, streams, ask, |source, reports, streams| {
        for (claim, report) in options.claims.iter().zip(&reports) {
            if options.asked.format.is_json() {
                writeln!(streams.out, "{}", to_json(options, library, source, claim, report))?;
            } else {
                write!(streams.out, "{}", text(options, library, source, claim, report))?;
            }
        }
        Ok(Status::worst(reports.iter().map(|report| status(&report.finding))))
    })
}

fn found(
    options: &AuditOptions,
    library: &Workbench,
    limits: &Limits,
    source: &Source,
) -> Result<Vec<Report>, Refusal> {
    let subject = Subject::new(&library.session, &source.text)
        .map_err(|error| library.refusal(source, &SessionError::Program(error)))?;
    let tolerance = Tolerance { format: options.format, units: options.ulps };
    let one = |claim: &Claim| {
        let budget = Arc::new(Budget::new(u64::MAX, Some(limits.timeout.0), Some(limits.interrupted.clone())));
        let report = subject.audit(&options.at.0, claim, &tolerance, &budget);
        report.map_err(|error| library.refusal(source, &SessionError::Meaning(error)))
    };
    options.claims.iter().map(one).collect()
}

fn status(finding: &Finding) -> Status {
    match finding {
        Finding::Inside => Status::Reached,
        Finding::Outside(_) => Status::Refuted,
        Finding::Unknown(_) => Status::Wide,
        _ => Status::Nothing,
    }
}

/// A claim as it was made.
fn written(claim: &Claim) -> String {
    match claim {
        Claim::Number(q) => decimal::exact(q).unwrap_or_else(|| q.to_string()),
        Claim::NotFinite => "not finite".to_owned(),
    }
}

/// How finely numbers are printed: to as many digits as the numbers have in which the claim was computed.
fn shown(options: &AuditOptions, found: &Enclosure) -> String {
    let size = |x: Option<Rational>| x.map(Rational::abs).unwrap_or_default();
    let size = size(found.lo().to_rational()).max(size(found.hi().to_rational()));
    let ends = found.decimals(&Tolerance { format: options.format, units: 1 }.at(&size));
    if ends.lo() == ends.hi() { ends.lo().to_owned() } else { ends.to_string() }
}

fn text(options: &AuditOptions, library: &Workbench, source: &Source, claim: &Claim, report: &Report) -> String {
    let mut lines = vec![format!("{}  claim {}: {}", report.finding.name(), written(claim), report.finding)];
    let sides = [0, 1].map(|side| report.limits[side].as_ref().map(|e| shown(options, e)));
    let derivative = report.set.as_ref().map(|set| shown(options, set));
    lines.extend(derivative.map(|set| match &sides {
        [Some(left), Some(right)] if left == right => format!("  derivative  {set} (from both sides)"),
        [Some(left), Some(right)] => format!("  derivative  {set} (from the left {left}, from the right {right})"),
        _ => format!("  derivative  enclosed in {set}"),
    }));
    let places = places(library, source, report);
    if !places.is_empty() {
        lines.push(format!("  on borders  {}", places.join(", ")));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

fn places(library: &Workbench, source: &Source, report: &Report) -> Vec<String> {
    report.borders.places.iter().filter_map(|place| library.written(source, place)).collect()
}

fn to_json(options: &AuditOptions, library: &Workbench, source: &Source, claim: &Claim, report: &Report) -> Json {
    let ends = |e: &Enclosure| {
        let exact = |x: Option<Rational>| x.map(|q| q.to_string());
        json!({ "lo": exact(e.lo().to_rational()), "hi": exact(e.hi().to_rational()), "about": shown(options, e) })
    };
    let cause = match &report.finding {
        Finding::Outside(cause) => json!(cause.name()),
        _ => Json::Null,
    };
    json!({
        "version": JSON_VERSION, "question": source.text, "at": options.at.0.to_string(), "claim": written(claim),
        "verdict": report.finding.name(), "because": report.finding.to_string(), "cause": cause,
        "left": report.limits[0].as_ref().map(ends), "right": report.limits[1].as_ref().map(ends),
        "set": report.set.as_ref().map(ends), "borders": places(library, source, report),
    })
}
