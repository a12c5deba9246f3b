//! The command `audit`: tests whether a number is the derivative of a function at a point.

use super::eval::JSON_VERSION;
use super::evaluator::Workbench;
use super::output::Streams;
use super::plot::Coordinate;
use super::questions::Asked;
use super::status::Status;
use crate::audit::{Audit, Audited, Claim, Finding, Format, Tolerance};
use crate::number::{Enclosure, Rational, decimal};
use crate::plot::grid::coordinate;
use crate::session::tolerance::Timeout;
use crate::session::{Answer, Diagnostic, Limits};
use crate::syntax::source::Source;
use clap::Args;
use serde_json::{Value as Json, json};
use std::io::{self, Read};
use std::sync::Arc;

/// The options of `audit`.
#[derive(Debug, Args)]
pub struct AuditOptions {
    /// The point: a decimal or a fraction, read exactly; for a function of several variables as many, with commas
    #[arg(long, value_name = "X", required = true, allow_hyphen_values = true, value_delimiter = ',')]
    pub at: Vec<Coordinate>,
    /// What the derivative is said to be: a decimal, a fraction, nan, inf or -inf; of a gradient all numbers, with commas; may be
    /// repeated
    #[arg(long = "claim", value_name = "G", required = true, allow_hyphen_values = true, value_parser = claim)]
    pub claims: Vec<Claims>,
    /// Of a list of steps: the direction in which it is differentiated at the point, with commas; a claim is then one number
    #[arg(long, value_name = "V", allow_hyphen_values = true, value_delimiter = ',')]
    pub along: Vec<Coordinate>,
    /// In which floating-point numbers it was computed: float64, float32, float16 or bfloat16
    #[arg(long, value_name = "TYPE", default_value_t)]
    pub format: Format,
    /// How many units in the last place each number may be off; where nothing is said 1024 of float64 and float32, 8 of float16, 4 of bfloat16
    #[arg(long, value_name = "N")]
    pub ulps: Option<u32>,
    /// How many seconds it may take
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// What is asked: functions of type Real -> Real, or of as many numbers as the point has, Real * Real -> Real; or lists of steps as
    /// JSON, which begin with a brace
    #[command(flatten)]
    pub asked: Asked,
}

/// A claimed number for each coordinate.
#[derive(Clone, Debug)]
pub struct Claims(Vec<Claim>);

/// Parses the numbers of one `--claim`, separated by commas.
fn claim(text: &str) -> Result<Claims, String> {
    // Infinities and NaN, in any spelling and with any sign, claim no number.
    let one = |text: &str| match text.trim_start_matches(['+', '-']).to_ascii_lowercase().as_str() {
        "nan" | "inf" | "infinity" => Ok(Claim::NotFinite),
        _ => coordinate(text).map(Claim::Number).map_err(|error| format!("{error}; or nan, inf, -inf")),
    };
    text.split(',').map(|part| one(part.trim())).collect::<Result<_, _>>().map(Claims)
}

/// Prints the verdict on every claim about every function.
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
    // All claims about one expression are audited before the first is printed, so an error leaves no half of an answer.
    let ask = |source: &Arc<Source>| found(options, library, limits, source);
    options.asked.each(limits, input, streams, ask, |source, reports, streams| {
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

/// Audits every claim about one expression.
fn found(
    options: &AuditOptions,
    library: &Workbench,
    limits: &Limits,
    source: &Arc<Source>,
) -> Result<Vec<Audited>, Diagnostic> {
    let numbers = |coordinates: &[Coordinate]| coordinates.iter().map(|x| x.0.clone()).collect::<Vec<_>>();
    let audited = |Claims(claims): &Claims| {
        let question = Audit::of(source.clone(), numbers(&options.at), claims.iter().cloned());
        let question = question.rounded(options.format, options.ulps);
        // Without `--along` the question asks for the gradient, not for a directional derivative.
        let question = if options.along.is_empty() { question } else { question.along(numbers(&options.along)) };
        library.ask(&question, limits).map(Answer::into_value)
    };
    options.claims.iter().map(audited).collect()
}

// Only a proof that the claim is wrong is a refutation; an undefined function refutes no number.
fn status(finding: &Finding) -> Status {
    match finding {
        Finding::Inside => Status::Reached,
        Finding::Outside(_) => Status::Refuted,
        Finding::Unknown(_) => Status::Wide,
        _ => Status::Nothing,
    }
}

/// Writes a claim as it was made.
fn written(Claims(claims): &Claims) -> String {
    let one = |claim: &Claim| match claim {
        Claim::Number(q) => decimal::exact(q).unwrap_or_else(|| q.to_string()),
        Claim::NotFinite => "not finite".to_owned(),
    };
    listed(&claims.iter().map(one).collect::<Vec<_>>())
}

/// Writes one number, or several in parentheses.
fn listed(all: &[String]) -> String {
    if let [one] = all { one.clone() } else { format!("({})", all.join(", ")) }
}

/// Writes an enclosure to as many digits as the format of the claim has.
fn shown(options: &AuditOptions, found: &Enclosure) -> String {
    let size = |x: Option<Rational>| x.map(Rational::abs).unwrap_or_default();
    let size = size(found.lo().to_rational()).max(size(found.hi().to_rational()));
    // A unit in the last place of the larger end: more digits than the claim's format would compare nothing.
    let ends = found.decimals(&Tolerance { units: 1, ..Tolerance::of(options.format) }.at(&size));
    if ends.lo() == ends.hi() { ends.lo().to_owned() } else { ends.to_string() }
}

/// Formats the report on one claim: the finding, the derivative, and the borders on which the point lies.
fn text(options: &AuditOptions, library: &Workbench, source: &Arc<Source>, claim: &Claims, report: &Audited) -> String {
    let place = report.coordinate.map_or_else(String::new, |place| format!(" (coordinate {})", place + 1));
    let mut lines = vec![format!("{}  claim {}: {}{place}", report.finding.name(), written(claim), report.finding)];
    let sides = [0, 1].map(|side| report.limits[side].as_ref().map(|e| shown(options, e)));
    let all = |set: &Vec<Enclosure>| listed(&set.iter().map(|e| shown(options, e)).collect::<Vec<_>>());
    // One-sided limits exist only in one variable; they are shown when both are known.
    lines.extend(report.set.as_ref().map(|set| match &sides {
        [Some(left), Some(right)] if left == right => format!("  derivative  {} (from both sides)", all(set)),
        [Some(left), Some(right)] => {
            format!("  derivative  {} (from the left {left}, from the right {right})", all(set))
        }
        _ => format!("  derivative  enclosed in {}", all(set)),
    }));
    let places = places(library, source, report);
    if !places.is_empty() {
        lines.push(format!("  on borders  {}", places.join(", ")));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Lists the borders on which the point lies: conditions of the program, as they are written, then steps of a list.
fn places(library: &Workbench, source: &Arc<Source>, report: &Audited) -> Vec<String> {
    let written = report.borders.places.iter().filter_map(|place| library.written(source, place));
    written.chain(report.borders.steps.iter().map(|step| format!("step {step}"))).collect()
}

/// Writes the report on one claim as a JSON object.
fn to_json(
    options: &AuditOptions,
    library: &Workbench,
    source: &Arc<Source>,
    claim: &Claims,
    report: &Audited,
) -> Json {
    let ends = |e: &Enclosure| {
        // Exact fractions, so that a program can compare them itself; `null` for an infinite end.
        let exact = |x: Option<Rational>| x.map(|q| q.to_string());
        json!({ "lo": exact(e.lo().to_rational()), "hi": exact(e.hi().to_rational()), "about": shown(options, e) })
    };
    let cause = match &report.finding {
        Finding::Outside(cause) => json!(cause.name()),
        _ => Json::Null,
    };
    let set = match report.set.as_deref() {
        None => Json::Null,
        Some([one]) => ends(one),
        Some(all) => json!(all.iter().map(ends).collect::<Vec<_>>()),
    };
    json!({
        "version": JSON_VERSION, "question": source.text,
        "at": listed(&options.at.iter().map(|x| x.0.to_string()).collect::<Vec<_>>()), "claim": written(claim),
        "verdict": report.finding.name(), "because": report.finding.to_string(), "cause": cause, "coordinate": report.coordinate,
        "left": report.limits[0].as_ref().map(ends), "right": report.limits[1].as_ref().map(ends),
        "set": set, "borders": places(library, source, report),
    })
}
