//! The command `infer`: a mean estimated by Monte Carlo, compared with the certified one.

use super::eval::JSON_VERSION;
use super::evaluator::Workbench;
use super::output::Streams;
use super::progress::Progress;
use super::setting::{Ended, Setting};
use super::status::Status;
use crate::failure::{ErrorKind, Failure};
use crate::measure::{Question, expect};
use crate::number::{Enclosure, Rational};
use crate::sampler::{By, Estimate, FEWEST, SamplerFault, Settings, infer};
use crate::session::question::sampled::{Read, read};
use crate::session::{Diagnostic, Limits};
use crate::syntax::source::Source;
use crate::syntax::ty::Ty;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use std::io;
use std::sync::Arc;

/// The options of `infer`.
#[derive(Debug, Args)]
pub struct InferOptions {
    /// The program: of type P A
    #[arg(value_name = "MODEL", allow_hyphen_values = true)]
    pub model: String,
    /// Of what the mean is asked: a function A -> Real of the values of the program
    #[arg(value_name = "F", allow_hyphen_values = true)]
    pub of: String,
    /// The sampler
    #[arg(long, value_name = "SAMPLER", default_value = "importance", value_parser = samplers())]
    pub by: By,
    /// The seed: the same seed gives the same samples, on every machine
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// How many samples are taken
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(FEWEST as u64..=100_000_000))]
    pub samples: u64,
    /// How long it may take, which theories it needs, and how it prints
    #[command(flatten)]
    pub setting: Setting,
}

/// Returns the parser of `--by`, which accepts the names of all samplers.
fn samplers() -> impl TypedValueParser<Value = By> {
    let named = |name: String| By::ALL.into_iter().find(|by| by.name() == name).unwrap_or(By::Importance);
    PossibleValuesParser::new(By::ALL.map(By::name)).map(named)
}

/// The greatest distance of a mean from the certified one, in standard errors. A choice: a normal error exceeds five of
/// them once in 1.7 million runs.
const FAR: f64 = 5.0;
/// The requested width of the certified mean, in standard errors. A choice: negligible beside the error of sampling.
const FINE: f64 = 0.01;

/// Samples the program, and prints the mean, its standard error, and its distance from the certified mean.
///
/// # Errors
/// Errors of the question and of writing.
pub fn run(
    options: &InferOptions,
    library: &Workbench,
    limits: &Limits,
    streams: &mut Streams<'_>,
) -> Result<Status, Ended> {
    let (found, certified) = sampled(options, library, limits)?;
    let z = certified.as_ref().filter(|_| found.error > 0.0).map(|certified| found.z(middle(certified)));
    // Equal samples have an error of 0 but may have missed a rare value. Only a certified point confirms their mean.
    let is_exact = certified.as_ref().is_some_and(|c| found.error == 0.0 && c.is_point() && is_in(found.mean, c));
    let is_worth = found.effective >= FEWEST as f64;
    let is_complete = found.samples as u64 == options.samples;
    let status = match z {
        // With few effective samples the standard error itself is unreliable, and refutes nothing.
        Some(z) if z.abs() > FAR && is_worth => Status::Refuted,
        Some(z) if is_complete && z.abs() <= FAR => Status::Reached,
        _ if is_exact && is_complete => Status::Reached,
        _ => Status::Wide,
    };
    let Estimate { mean, error, effective, accepted, samples } = found;
    let ends = certified.as_ref().map(|certified| certified.decimals(&eps(&found)));
    if options.setting.format.is_json() {
        let certified = ends.as_ref().map(|ends| json!({ "lo": ends.lo(), "hi": ends.hi() }));
        let object = json!({
            "version": JSON_VERSION, "question": options.model, "of": options.of, "by": options.by.name(), "seed": options.seed,
            "mean": mean, "error": error, "effective": effective, "accepted": accepted, "samples": samples,
            "certified": certified, "z": z, "reached": status == Status::Reached,
        });
        writeln!(streams.out, "{object}")?;
        return Ok(status);
    }
    writeln!(
        streams.out,
        "mean: {mean:.6} ± {error:.6}, by {samples} samples of {}, seed {}",
        options.by.name(),
        options.seed
    )?;
    let accepted = accepted.map(|part| format!(", {:.1} % accepted", 100.0 * part)).unwrap_or_default();
    writeln!(streams.out, "worth {effective:.0} independent ones{accepted}")?;
    match (&ends, z) {
        (Some(ends), Some(z)) => writeln!(streams.out, "certified: {ends}, z = {z:.2}")?,
        (Some(ends), None) => writeln!(streams.out, "certified: {ends}")?,
        (None, _) => writeln!(streams.out, "certified: not known")?,
    }
    if ends.is_none() {
        writeln!(
            streams.err,
            "note: no certified mean is known, and there may be none, as of 1/x where x can be 0: samples then say nothing; \
             `smoothish expect` asks for it"
        )?;
    }
    if !is_complete {
        writeln!(streams.err, "note: the time was up after {samples} of {} samples", options.samples)?;
    }
    if found.accepted == Some(0.0) {
        writeln!(streams.err, "note: no proposal was accepted: the chain stood still, and its mean says nothing")?;
    } else if !mean.is_finite() {
        writeln!(streams.err, "note: the sum of the samples is no floating-point number")?;
    } else if error == 0.0 {
        writeln!(streams.err, "note: all samples gave the same number: how far off it may be is not known from them")?;
    } else if !is_worth {
        writeln!(streams.err, "note: so few are worth little: neither the error nor z is to be trusted")?;
    }
    if status == Status::Refuted {
        writeln!(streams.err, "note: the mean is more than {FAR} standard errors from the certified one")?;
    }
    Ok(status)
}

/// Returns the midpoint of the certified mean.
fn middle(certified: &Enclosure) -> f64 {
    // Each end is halved first: the sum of two large ends could overflow.
    0.5 * certified.lo().to_f64() + 0.5 * certified.hi().to_f64()
}

/// Returns `true` if a floating-point mean lies in the certified interval, up to rounding.
fn is_in(mean: f64, certified: &Enclosure) -> bool {
    // A choice: far above the rounding errors of a sum of equal samples, far below a visible difference.
    let slack = 1e-9 * (1.0 + mean.abs());
    *certified.lo() <= mean + slack && *certified.hi() >= mean - slack
}

/// Returns the requested width of the certified mean.
fn eps(found: &Estimate) -> Rational {
    // An error of 0 must not ask for a width of 0, nor a large error for a useless mean. The bounds are a choice.
    let wanted = (FINE * found.error).clamp(1e-12, 1e-2);
    // The error is no number if the samples overflow.
    Rational::from_f64(wanted).filter(|eps| *eps > 0).unwrap_or_else(|| Rational::from((1, 1_000_000)))
}

/// Samples the program, then encloses its mean. The second is `None` if the mean is not certified, or too wide to
/// compare.
fn sampled(
    options: &InferOptions,
    library: &Workbench,
    limits: &Limits,
) -> Result<(Estimate, Option<Enclosure>), Diagnostic> {
    let source = Arc::new(Source::new("model", options.model.as_str()));
    let Read { term, gives, .. } = read(&library.session, false, &source)?;
    let function = Arc::new(Source::new("function", options.of.as_str()));
    let of = library.session.typed(&function, &Ty::function(gives, Ty::real()))?;
    let budget = limits.budget();
    let settings = Settings::new(options.by, usize::try_from(options.samples).unwrap_or(usize::MAX), options.seed);
    let progress = library.shows_progress.then(|| Arc::new(Progress::new("sampling", None, Box::new(io::stderr()))));
    let budget = Arc::new(match &progress {
        Some(progress) => budget.observed_by(progress.clone()),
        None => budget,
    });
    // Half of the time is kept for the certified mean.
    let half = Arc::new(budget.part(u64::MAX, budget.remaining().map(|left| left / 2)));
    let mut told = |samples: usize| {
        if let Some(progress) = &progress {
            progress.turn_to(format!("{samples} of {} samples", options.samples));
        }
    };
    let found = infer(&term, &of, &settings, &half, &mut told);
    let certified = found.as_ref().ok().and_then(|found| {
        if let Some(progress) = &progress {
            progress.turn_to("the certified mean");
        }
        let question = Question { at: None, order: 0, weight_at_most: None, eps: eps(found) };
        let answer = expect(&term, false, &of, &question, &budget).ok()?;
        // A mean of up to 100 times the requested width, one standard error, still tells a gross error. Without proof
        // it does not.
        let is_fine = answer.enclosure.is_defined() && answer.enclosure.is_within(&Rational::from(&question.eps * 100));
        (is_fine && !answer.unproved).then_some(answer.enclosure)
    });
    if let Some(progress) = &progress {
        progress.end();
    }
    let found = found.map_err(|fault| match fault {
        SamplerFault::Measure(fault) => library.session.without_measure(&source, fault),
        fault if fault.kind() == ErrorKind::Limit => Diagnostic::nothing(format!("error: {fault}")),
        fault => Diagnostic::wrong(format!("error: {fault}")),
    })?;
    Ok((found, certified))
}
