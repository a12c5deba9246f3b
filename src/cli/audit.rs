//! The command `audit`: tests whether a number is the derivative of a function at a point.
//!
//! # Files of claims
//!
//! A file has a point and a claim in each line, as CSV, or in each object, as JSON.
//!
//! ```text
//! x1,x2,g1,g2              [{"x": [1, 0.5], "g": [0.5, 1]},
//! 1,0.5,0.5,1               {"x": [2, 1], "g": [1, "nan"]}]
//! 2,1,1,nan
//! ```

use super::arguments::{ClosedNumber, ClosedPoint, TuningArgs, split_coordinates};
use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::questions::QuestionArgs;
use super::read;
use super::status::Status;
use crate::audit::file::parse_program;
use crate::audit::noise::RoundedProgram;
use crate::audit::{
    AcceptedLevel, AllowanceLevel, Audit, AuditFinding, AuditResult, Claim, ClaimTolerance, FloatFormat, RuleFinding,
};
use crate::number::{Enclosure, Rational, decimal};
use crate::session::tolerance::Timeout;
use crate::session::{Answer, Diagnostic, Limits};
use crate::syntax::source::SourceText;
use clap::Args;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of `audit`.
#[derive(Debug, Args)]
pub struct AuditOptions {
    /// Point: a decimal or a fraction, read exactly, or an expression such as pi/2, rounded to the format of the claim if it is not
    /// exact; of several variables 1,2 or (1, 2) or "1 2"
    #[arg(long, value_name = "X", required_unless_present = "claims_file", allow_hyphen_values = true)]
    pub at: Option<ClosedPoint>,
    /// Claimed derivative: a decimal, a fraction, nan, inf or -inf; a gradient is written as a point, a Hessian row by row; may be repeated
    #[arg(long = "claim", value_name = "G", required_unless_present = "claims_file", allow_hyphen_values = true, value_parser = parse_claims)]
    pub claims: Vec<ClaimedNumbers>,
    /// Points and claims of a file: CSV with the header x1,x2,…,g1,g2,…, or JSON as [{"x": [1, 2], "g": [0.5, 3]}]
    #[arg(long = "claims", id = "claims_file", value_name = "FILE", conflicts_with_all = ["at", "claims", "along"])]
    pub claims_file: Option<PathBuf>,
    /// Order of the claimed derivative: 1, or 2 for a second derivative or a Hessian
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub order: u8,
    /// The widest allowance with which a claim is accepted, in the exit status: ulps, sums, program or rounded
    #[arg(long, value_name = "LEVEL", default_value_t)]
    pub accept: AcceptedLevel,
    /// List of steps, in a file, that computed the gradient: its outputs are the coordinates
    #[arg(long, value_name = "STEPS", conflicts_with = "order")]
    pub rules: Option<PathBuf>,
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

/// Parses a claimed number.
fn parse_claim(text: &str) -> Result<Claim, String> {
    // Infinities and NaN, in any spelling and with any sign, claim no number.
    match text.trim_start_matches(['+', '-']).to_ascii_lowercase().as_str() {
        "nan" | "inf" | "infinity" => Ok(Claim::NotFinite),
        _ => {
            let number: ClosedNumber = text.parse().map_err(|error| format!("{error}; or nan, inf, -inf"))?;
            Ok(Claim::Number(number.lower().clone()))
        }
    }
}

/// Parses the numbers of one `--claim`, which is written as a point.
fn parse_claims(text: &str) -> Result<ClaimedNumbers, String> {
    split_coordinates(text).into_iter().map(parse_claim).collect::<Result<_, _>>().map(ClaimedNumbers)
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
    let asked = match AuditRequest::new(options, streams) {
        Ok(asked) => asked,
        Err(refusal) => {
            writeln!(streams.err, "{}", options.asked.format.render_diagnostic(&refusal))?;
            return Ok(Status::from(refusal.kind));
        }
    };
    // All claims about one expression are audited before the first is printed, so an error leaves no half of an answer.
    let ask = |source: &Arc<SourceText>| asked.audit_source(library, limits, source);
    options.asked.ask_each(limits, input, streams, ask, |source, reports, streams| {
        for (claim, report) in asked.claims.iter().zip(&reports) {
            if options.asked.format.is_json() {
                writeln!(streams.out, "{}", to_json(options, library, source, claim, report))?;
            } else {
                write!(streams.out, "{}", format_report(options, library, source, claim, report))?;
            }
        }
        if options.claims_file.is_some() && !options.asked.format.is_json() {
            writeln!(streams.out, "{}", count_verdicts(&reports))?;
        }
        Ok(Status::worst_of(reports.iter().map(|report| status_of(report, options.accept))))
    })
}

/// A claim at a point.
struct AuditClaim {
    at: Vec<Rational>,
    claims: Vec<Claim>,
    /// The place of the claim in a file.
    place: Option<String>,
}

/// All that is asked about one expression.
struct AuditRequest<'o> {
    options: &'o AuditOptions,
    claims: Vec<AuditClaim>,
    along: Option<Vec<Rational>>,
    rules: Option<RoundedProgram>,
}

impl<'o> AuditRequest<'o> {
    /// Reads the claims, and notes the points that are rounded.
    fn new(options: &'o AuditOptions, streams: &mut Streams<'_>) -> Result<Self, Diagnostic> {
        let mut rounded = |name: &str, point: &ClosedPoint| round_point(name, point, options, streams);
        let claims = match (&options.claims_file, &options.at) {
            (Some(path), _) => read_claims(path, options.order)?,
            (None, at) => {
                let at = at.as_ref().map(|at| rounded("--at", at)).transpose()?.unwrap_or_default();
                let claim = |ClaimedNumbers(claims): &ClaimedNumbers| AuditClaim {
                    at: at.clone(),
                    claims: claims.clone(),
                    place: None,
                };
                options.claims.iter().map(claim).collect()
            }
        };
        let along = options.along.as_ref().map(|along| rounded("--along", along)).transpose()?;
        let rules = options.rules.as_ref().map(|path| {
            let program = parse_program(&read::read_file(path)?);
            program.map_err(|error| Diagnostic::invalid_input(format!("error: --rules {}: {error}", path.display())))
        });
        let rules = rules.transpose()?;
        if let (Some(rules), Some(claim)) = (&rules, claims.first())
            && rules.outputs.len() != claim.at.len()
        {
            let (count, expected) = (rules.outputs.len(), claim.at.len());
            let text = format!(
                "error: --rules has {count} outputs, where the gradient has {expected}\n  = help: the key `outputs` lists the steps that are its coordinates"
            );
            return Err(Diagnostic::invalid_input(text));
        }
        Ok(Self { options, claims, along, rules })
    }

    /// Audits every claim about one expression.
    fn audit_source(
        &self,
        library: &TheorySession,
        limits: &Limits,
        source: &Arc<SourceText>,
    ) -> Result<Vec<AuditResult>, Diagnostic> {
        let options = self.options;
        let audited = |claim: &AuditClaim| {
            let question = Audit::from_source(source.clone(), claim.at.iter().cloned(), claim.claims.iter().cloned());
            let question = question.with_rounding(options.format, options.ulps);
            let mut question = question.with_errors(options.atol.clone(), options.rtol.clone());
            if options.order == 2 {
                question = question.of_second_order();
            }
            if let Some(rules) = &self.rules {
                question = question.computed_by(rules.clone());
            }
            // Without `--along` the question asks for the gradient, not for a directional derivative.
            if let Some(direction) = &self.along {
                question = question.along_direction(direction.iter().cloned());
            }
            library.ask(&question, limits).map(Answer::into_value)
        };
        self.claims.iter().map(audited).collect()
    }
}

/// Returns the coordinates of a point. Those that are not exact are rounded to the format of the claim, with a note.
fn round_point(
    name: &str,
    point: &ClosedPoint,
    options: &AuditOptions,
    streams: &mut Streams<'_>,
) -> Result<Vec<Rational>, Diagnostic> {
    let coordinate = |number: &ClosedNumber| {
        let (lo, hi) = (number.lower(), number.upper());
        let nearest = options.format.round_number(lo);
        if lo != hi && nearest != options.format.round_number(hi) {
            let text = format!("error: {name} is not known well enough to be rounded to {}", options.format);
            return Err(Diagnostic::invalid_input(text));
        }
        if lo == hi {
            return Ok(lo.clone());
        }
        // a number of each format is a double; nowhere to say it does not change the answer
        let _ = writeln!(
            streams.err,
            "note: {name} {} is rounded to {}, a number of {}",
            number.text(),
            nearest.to_f64(),
            options.format
        );
        Ok(nearest)
    };
    point.0.iter().map(coordinate).collect()
}

/// The mark that some editors write in front of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads the points and claims of a file.
fn read_claims(path: &Path, order: u8) -> Result<Vec<AuditClaim>, Diagnostic> {
    let text = read::read_file(path)?;
    let (text, name) = (text.trim_start_matches(BYTE_ORDER_MARK), path.display().to_string());
    let is_json = text.trim_start().starts_with(['[', '{']);
    let claims = if is_json { parse_json_claims(text) } else { parse_csv_claims(text) };
    let claims = claims.map_err(|reason| Diagnostic::invalid_input(format!("error: {name}{reason}")))?;
    for claim in &claims {
        let (count, expected) = (claim.claims.len(), claim.at.len().pow(order.into()));
        let place = claim.place.as_deref().unwrap_or_default();
        if count != expected {
            let text = format!(
                "error: {name}, {place}: a claim of {count} numbers, where a point of {} has {expected}",
                claim.at.len()
            );
            return Err(Diagnostic::invalid_input(text));
        }
    }
    if claims.is_empty() {
        return Err(Diagnostic::invalid_input(format!("error: {name}: no claims")));
    }
    Ok(claims)
}

/// Parses CSV: the header names the columns, in any order.
fn parse_csv_claims(text: &str) -> Result<Vec<AuditClaim>, String> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let cells = |line: &str| line.split(',').map(|cell| cell.trim().trim_matches('"').to_owned()).collect::<Vec<_>>();
    let (at, header) = lines.next().ok_or_else(|| ": no header: expected x1,…,g1,…".to_owned())?;
    let header = cells(header);
    let wrong = |line: usize, reason: String| format!(":{}: {reason}", line + 1);
    let columns = ["x", "g"].map(|letter| {
        let named = |n: usize| header.iter().position(|cell| *cell == format!("{letter}{n}"));
        let several: Vec<_> = (1..).map_while(named).collect();
        match header.iter().position(|cell| cell == letter) {
            Some(only) if several.is_empty() => vec![only],
            _ => several,
        }
    });
    let [points, claims] = &columns;
    let is_known = |place: &usize| points.contains(place) || claims.contains(place);
    if let Some(other) = (0..header.len()).find(|place| !is_known(place)) {
        return Err(wrong(at, format!("expected the columns x1,…,g1,…, found `{}`", header[other])));
    }
    if points.is_empty() || claims.is_empty() {
        return Err(wrong(at, format!("expected the columns x1,…,g1,…, found `{}`", header.join(","))));
    }
    lines
        .map(|(line, text)| {
            let cells = cells(text);
            if cells.len() != header.len() {
                let reason = format!("expected {} numbers, as in the header, found {}", header.len(), cells.len());
                return Err(wrong(line, reason));
            }
            let point = points.iter().map(|place| parse_exactly(&cells[*place])).collect::<Result<_, _>>();
            let claim = claims.iter().map(|place| parse_claim(&cells[*place])).collect::<Result<_, _>>();
            let place = Some(format!("line {}", line + 1));
            Ok(AuditClaim {
                at: point.map_err(|reason| wrong(line, reason))?,
                claims: claim.map_err(|reason| wrong(line, reason))?,
                place,
            })
        })
        .collect()
}

/// Parses JSON: a list of objects with a point `x` and a claim `g`, or one object in each line. Numbers have the value that is written,
/// which a double may not hold.
fn parse_json_claims(text: &str) -> Result<Vec<AuditClaim>, String> {
    // Lines of objects are a stream of values, in which a syntax error has its own line.
    let entries: Result<Vec<&RawValue>, _> = match text.trim_start().starts_with('[') {
        true => serde_json::from_str(text),
        false => serde_json::Deserializer::from_str(text).into_iter().collect(),
    };
    let entries = entries.map_err(|error| format!(": {error}; infinities and NaN are written \"inf\" and \"nan\""))?;
    let entry = |(index, entry): (usize, &&RawValue)| {
        let place = format!("entry {}", index + 1);
        let wrong = |reason: String| format!(", {place}: {reason}");
        // What is no object has no members.
        let object: HashMap<String, &RawValue> = serde_json::from_str(entry.get()).unwrap_or_default();
        let numbers = |key: &str| {
            let found = object.get(key).ok_or_else(|| {
                wrong(format!("expected an object {{\"x\": [1, 2], \"g\": [0.5, 3]}}, found no `{key}`"))
            })?;
            // deeper lists than those of a Hessian are refused as no numbers
            list_numbers(found, 2).map_err(|reason| wrong(format!("`{key}`: {reason}")))
        };
        let at = numbers("x")?.iter().map(|text| parse_exactly(text)).collect::<Result<_, _>>().map_err(wrong)?;
        let claims = numbers("g")?.iter().map(|text| parse_claim(text)).collect::<Result<_, _>>().map_err(wrong)?;
        Ok(AuditClaim { at, claims, place: Some(place.clone()) })
    };
    entries.iter().enumerate().map(entry).collect()
}

/// Lists the numbers of lists that are nested at most `depth` deep, as they are written.
fn list_numbers(found: &RawValue, depth: usize) -> Result<Vec<String>, String> {
    let text = found.get();
    let refused = || format!("expected numbers, found {text}");
    match text.as_bytes().first() {
        Some(b'[') if depth > 0 => {
            let parts: Vec<&RawValue> = serde_json::from_str(text).map_err(|_| refused())?;
            let parts = parts.into_iter().map(|part| list_numbers(part, depth - 1)).collect::<Result<Vec<_>, _>>()?;
            Ok(parts.concat())
        }
        Some(b'"') => Ok(vec![serde_json::from_str(text).map_err(|_| refused())?]),
        Some(b'-' | b'0'..=b'9') => Ok(vec![text.to_owned()]),
        _ => Err(refused()),
    }
}

/// Parses an exact number of a file.
fn parse_exactly(text: &str) -> Result<Rational, String> {
    let number: ClosedNumber = text.parse()?;
    match number.lower() == number.upper() {
        true => Ok(number.lower().clone()),
        false => Err(format!("expected a decimal or a fraction, found `{text}`")),
    }
}

/// Counts the verdicts, in the order in which they first come.
fn count_verdicts(reports: &[AuditResult]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for name in reports.iter().map(|report| report.finding.name()) {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let counts: Vec<_> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let claims = if reports.len() == 1 { "claim" } else { "claims" };
    format!("{} {claims}: {}", reports.len(), counts.join(", "))
}

/// Returns the status of a verdict, if claims are accepted up to a level.
fn status_of(report: &AuditResult, accept: AcceptedLevel) -> Status {
    match &report.finding {
        // its numbers are right, and its rules are not
        AuditFinding::Inside if report.rules == Some(RuleFinding::Refuted) && accept != AcceptedLevel::Units => {
            Status::Refuted
        }
        AuditFinding::Inside if report.level.is_some_and(|level| !accept.accepts_level(level)) => Status::Rounded,
        AuditFinding::Rounded(_) if accept == AcceptedLevel::Rounded => Status::Reached,
        finding => finding_status(finding),
    }
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
fn format_claims(claims: &[Claim]) -> String {
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
    claim: &AuditClaim,
    report: &AuditResult,
) -> String {
    let place = report.coordinate.map_or_else(String::new, |place| format!(" (coordinate {})", place + 1));
    let line = claim.place.as_ref().map_or_else(String::new, |line| format!("{line}: "));
    let claimed = format_claims(&claim.claims);
    let mut lines = vec![format!("{line}{}  claim {claimed}: {}{place}", report.finding.name(), report.finding)];
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
    claim: &AuditClaim,
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
        "at": format_tuple(&claim.at.iter().map(ToString::to_string).collect::<Vec<_>>()), "claim": format_claims(&claim.claims),
        "place": claim.place,
        "verdict": report.finding.name(), "because": report.finding.to_string(), "cause": cause, "coordinate": report.coordinate,
        "level": report.level.map(AllowanceLevel::name), "rules": report.rules.map(RuleFinding::name),
        "left": report.limits[0].as_ref().map(ends), "right": report.limits[1].as_ref().map(ends),
        "set": set, "borders": list_borders(library, source, report),
    })
}
