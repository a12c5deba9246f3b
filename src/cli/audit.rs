//! The command `audit`: tests whether a number is the derivative of a function at a point.

use super::arguments::{ClosedNumber, ClosedPoint, TuningArgs, split_coordinates};
use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::questions::QuestionArgs;
use super::status::Status;
use crate::audit::{AllowanceLevel, Audit, AuditFinding, AuditResult, Claim, ClaimTolerance, FloatFormat};
use crate::number::{Enclosure, Rational, decimal};
use crate::session::tolerance::Timeout;
use crate::session::{Answer, Diagnostic, Limits};
use crate::syntax::source::SourceText;
use clap::Args;
use serde_json::{Value as Json, json};
use std::io;
use std::io::Read;
use std::sync::Arc;

/// The options of `audit`.
#[derive(Debug, Args)]
pub struct AuditOptions {
    /// Point: a decimal or a fraction, read exactly, or an expression with an exact value; of several variables 1,2 or (1, 2) or "1 2"
    #[arg(long, value_name = "X", required = true, allow_hyphen_values = true)]
    pub at: ClosedPoint,
    /// Claimed derivative: a decimal, a fraction, nan, inf or -inf; a gradient is written as a point; may be repeated
    #[arg(long = "claim", value_name = "G", required = true, allow_hyphen_values = true, value_parser = parse_claims)]
    pub claims: Vec<ClaimedNumbers>,
    /// Direction of the derivative of a list of steps, written as a point; a claim is then one number
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub along: Option<ClosedPoint>,
    /// Floating-point format of the claim: float64, float32, float16 or bfloat16
    #[arg(long, value_name = "TYPE", default_value_t)]
    pub format: FloatFormat,
    /// Absolute error allowed for each number, beside the units in the last place
    #[arg(long, value_name = "E", default_value = "0", value_parser = parse_error_bound)]
    pub atol: Rational,
    /// Error allowed for each number, relative to the derivative, if that is more than the units in the last place
    #[arg(long, value_name = "E", default_value = "0", value_parser = parse_error_bound)]
    pub rtol: Rational,
    /// Error allowed for each number, in units in the last place [default: 1024 for float64 and float32, 8 for float16, 4 for bfloat16]
    #[arg(long, value_name = "N")]
    pub ulps: Option<u32>,
    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// The limits of the searches
    #[command(flatten)]
    pub search: TuningArgs,
    /// The questions: functions of type Real -> Real, or of as many numbers as the point has; or lists of steps in JSON, which begin
    /// with a brace
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// A claimed number for each coordinate.
#[derive(Clone, Debug)]
pub struct ClaimedNumbers(Vec<Claim>);

/// Parses the numbers of one `--claim`, which is written as a point.
fn parse_claims(text: &str) -> Result<ClaimedNumbers, String> {
    // Infinities and NaN, in any spelling and with any sign, claim no number.
    let one = |text: &str| match text.trim_start_matches(['+', '-']).to_ascii_lowercase().as_str() {
        "nan" | "inf" | "infinity" => Ok(Claim::NotFinite),
        _ => {
            let number: ClosedNumber = text.parse().map_err(|error| format!("{error}; or nan, inf, -inf"))?;
            Ok(Claim::Number(number.lower().clone()))
        }
    };
    split_coordinates(text).into_iter().map(one).collect::<Result<_, _>>().map(ClaimedNumbers)
}

/// Parses an error that is allowed: an exact number that is not negative.
fn parse_error_bound(text: &str) -> Result<Rational, String> {
    let number: ClosedNumber = text.parse().map_err(|error: String| error)?;
    let bound = number.lower().clone();
    if bound < 0 { Err(format!("expected an error of 0 or more, found {text}")) } else { Ok(bound) }
}

/// Prints the verdict on every claim about every function.
///
/// # Errors
/// As [`QuestionArgs::ask_each`].
pub fn run_audit(
    options: &AuditOptions,
    library: &TheorySession,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    // All claims about one expression are audited before the first is printed, so an error leaves no half of an answer.
    let ask = |source: &Arc<SourceText>| audit_source(options, library, limits, source);
    // A claim is judged to the last place, so that a rounded point would be another question.
    for (option, point) in [("--at", Some(&options.at)), ("--along", options.along.as_ref())] {
        if let Some(rounded) = point.and_then(|point| point.rounding_notes(option).into_iter().next()) {
            let refusal = Diagnostic::invalid_input(format!(
                "error: an audit is of an exact point, and {rounded}\n  = help: write the number at which the claim was computed, such as 1.5707963267948966"
            ));
            writeln!(streams.err, "{}", options.asked.format.render_diagnostic(&refusal))?;
            return Ok(Status::from(refusal.kind));
        }
    }
    options.asked.ask_each(limits, input, streams, ask, |source, reports, streams| {
        for (claim, report) in options.claims.iter().zip(&reports) {
            if options.asked.format.is_json() {
                writeln!(streams.out, "{}", to_json(options, library, source, claim, report))?;
            } else {
                write!(streams.out, "{}", format_report(options, library, source, claim, report))?;
            }
        }
        Ok(Status::worst_of(reports.iter().map(|report| finding_status(&report.finding))))
    })
}

/// Audits every claim about one expression.
fn audit_source(
    options: &AuditOptions,
    library: &TheorySession,
    limits: &Limits,
    source: &Arc<SourceText>,
) -> Result<Vec<AuditResult>, Diagnostic> {
    let audited = |ClaimedNumbers(claims): &ClaimedNumbers| {
        let question = Audit::from_source(source.clone(), options.at.coordinates(), claims.iter().cloned());
        let question = question.with_rounding(options.format, options.ulps);
        let question = question.with_errors(options.atol.clone(), options.rtol.clone());
        // Without `--along` the question asks for the gradient, not for a directional derivative.
        let question = match &options.along {
            Some(direction) => question.along_direction(direction.coordinates()),
            None => question,
        };
        library.ask(&question, limits).map(Answer::into_value)
    };
    options.claims.iter().map(audited).collect()
}

// Only a proof that the claim is wrong is a refutation; an undefined function refutes no number.
fn finding_status(finding: &AuditFinding) -> Status {
    match finding {
        AuditFinding::Inside => Status::Reached,
        AuditFinding::Outside(_) => Status::Refuted,
        AuditFinding::Rounded(_) => Status::Rounded,
        AuditFinding::Unknown(_) => Status::Wide,
        _ => Status::Nothing,
    }
}

/// Writes a claim as it was made.
fn format_claims(ClaimedNumbers(claims): &ClaimedNumbers) -> String {
    let one = |claim: &Claim| match claim {
        Claim::Number(q) => decimal::print_exactly(q).unwrap_or_else(|| q.to_string()),
        Claim::NotFinite => "not finite".to_owned(),
    };
    format_tuple(&claims.iter().map(one).collect::<Vec<_>>())
}

/// Writes one number, or several in parentheses.
fn format_tuple(all: &[String]) -> String {
    if let [one] = all { one.clone() } else { format!("({})", all.join(", ")) }
}

/// Writes an enclosure to as many digits as the format of the claim has.
fn format_enclosure(options: &AuditOptions, found: &Enclosure) -> String {
    let size = |x: Option<Rational>| x.map(Rational::abs).unwrap_or_default();
    let size = size(found.lo().to_rational()).max(size(found.hi().to_rational()));
    // A unit in the last place of the larger end: more digits than the claim's format would compare nothing.
    let ends = found.print_decimals(
        &ClaimTolerance { units: 1, ..ClaimTolerance::for_format(options.format) }.allowed_distance(&size),
    );
    if ends.lo() == ends.hi() { ends.lo().to_owned() } else { ends.to_string() }
}

/// Formats the report on one claim: the finding, the derivative, and the borders on which the point lies.
fn format_report(
    options: &AuditOptions,
    library: &TheorySession,
    source: &Arc<SourceText>,
    claim: &ClaimedNumbers,
    report: &AuditResult,
) -> String {
    let place = report.coordinate.map_or_else(String::new, |place| format!(" (coordinate {})", place + 1));
    let mut lines =
        vec![format!("{}  claim {}: {}{place}", report.finding.name(), format_claims(claim), report.finding)];
    let sides = [0, 1].map(|side| report.limits[side].as_ref().map(|e| format_enclosure(options, e)));
    let all =
        |set: &Vec<Enclosure>| format_tuple(&set.iter().map(|e| format_enclosure(options, e)).collect::<Vec<_>>());
    // One-sided limits exist only in one variable; they are shown when both are known.
    lines.extend(report.set.as_ref().map(|set| match &sides {
        [Some(left), Some(right)] if left == right => format!("  derivative  {} (from both sides)", all(set)),
        [Some(left), Some(right)] => {
            format!("  derivative  {} (from the left {left}, from the right {right})", all(set))
        }
        _ => format!("  derivative  enclosed in {}", all(set)),
    }));
    let places = list_borders(library, source, report);
    if !places.is_empty() {
        lines.push(format!("  on borders  {}", places.join(", ")));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Lists the borders on which the point lies: conditions of the program, as they are written, then steps of a list.
fn list_borders(library: &TheorySession, source: &Arc<SourceText>, report: &AuditResult) -> Vec<String> {
    let written = report.borders.places.iter().filter_map(|place| library.excerpt_at(source, place));
    written.chain(report.borders.steps.iter().map(|step| format!("step {step}"))).collect()
}

/// Writes the report on one claim as a JSON object.
fn to_json(
    options: &AuditOptions,
    library: &TheorySession,
    source: &Arc<SourceText>,
    claim: &ClaimedNumbers,
    report: &AuditResult,
) -> Json {
    let ends = |e: &Enclosure| {
        // Exact fractions, so that a program can compare them itself; `null` for an infinite end.
        let exact = |x: Option<Rational>| x.map(|q| q.to_string());
        json!({ "lo": exact(e.lo().to_rational()), "hi": exact(e.hi().to_rational()), "about": format_enclosure(options, e) })
    };
    let cause = match &report.finding {
        AuditFinding::Outside(cause) => json!(cause.name()),
        AuditFinding::Rounded(rounded) => json!(rounded.cause()),
        _ => Json::Null,
    };
    let set = match report.set.as_deref() {
        None => Json::Null,
        Some([one]) => ends(one),
        Some(all) => json!(all.iter().map(ends).collect::<Vec<_>>()),
    };
    json!({
        "version": JSON_VERSION, "question": source.text,
        "at": format_tuple(&options.at.coordinates().iter().map(ToString::to_string).collect::<Vec<_>>()), "claim": format_claims(claim),
        "verdict": report.finding.name(), "because": report.finding.to_string(), "cause": cause, "coordinate": report.coordinate,
        "level": report.level.map(AllowanceLevel::name),
        "left": report.limits[0].as_ref().map(ends), "right": report.limits[1].as_ref().map(ends),
        "set": set, "borders": list_borders(library, source, report),
    })
}
