//! The command `infer`: a mean estimated by Monte Carlo, compared with the certified one.

use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::progress::Progress;
use super::setting::{CommandError, CommonArgs};
use super::status::Status;
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::measure::{MeasureQuestion, enclose_expectation};
use crate::number::{Enclosure, Rational};
use crate::sampler::{MIN_SAMPLES, SampleEstimate, SamplerError, SamplerSettings, SamplingMethod, estimate_mean};
use crate::session::question::sampled::{ProbabilisticProgram, read_probabilistic_program};
use crate::session::{Diagnostic, Limits};
use crate::syntax::source::SourceText;
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
    #[arg(long, value_name = "SAMPLER", default_value = "importance", value_parser = sampler_parser())]
    pub by: SamplingMethod,
    /// The seed: the same seed gives the same samples, on every machine
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// How many samples are taken
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(MIN_SAMPLES as u64..=100_000_000))]
    pub samples: u64,
    /// How long it may take, which theories it needs, and how it prints
    #[command(flatten)]
    pub setting: CommonArgs,
}

/// Returns the parser of `--by`, which accepts the names of all samplers.
fn sampler_parser() -> impl TypedValueParser<Value = SamplingMethod> {
    let named = |name: String| {
        SamplingMethod::ALL.into_iter().find(|by| by.method_name() == name).unwrap_or(SamplingMethod::Importance)
    };
    PossibleValuesParser::new(SamplingMethod::ALL.map(SamplingMethod::method_name)).map(named)
}

/// The greatest distance of a mean from the certified one, in standard errors. A choice: a normal error exceeds five of
/// them once in 1.7 million runs.
const MAX_STANDARD_ERRORS: f64 = 5.0;
/// The requested width of the certified mean, in standard errors. A choice: negligible beside the error of sampling.
const CERTIFIED_WIDTH_PART: f64 = 0.01;

/// Samples the program, and prints the mean, its standard error, and its distance from the certified mean.
///
/// # Errors
/// Errors of the question and of writing.
pub fn run_infer(
    options: &InferOptions,
    library: &TheorySession,
    limits: &Limits,
    streams: &mut Streams<'_>,
) -> Result<Status, CommandError> {
    let (found, certified) = sample_and_certify(options, library, limits)?;
    let z = certified
        .as_ref()
        .filter(|_| found.standard_error > 0.0)
        .map(|certified| found.z_score(midpoint_f64(certified)));
    // Equal samples have an error of 0 but may have missed a rare value. Only a certified point confirms their mean.
    let is_exact = certified
        .as_ref()
        .is_some_and(|c| found.standard_error == 0.0 && c.is_point() && contains_up_to_rounding(found.mean, c));
    let is_worth = found.effective_samples >= MIN_SAMPLES as f64;
    let is_complete = found.samples as u64 == options.samples;
    let status = match z {
        // With few effective samples the standard error itself is unreliable, and refutes nothing.
        Some(z) if z.abs() > MAX_STANDARD_ERRORS && is_worth => Status::Refuted,
        Some(z) if is_complete && z.abs() <= MAX_STANDARD_ERRORS => Status::Reached,
        _ if is_exact && is_complete => Status::Reached,
        _ => Status::Wide,
    };
    let SampleEstimate {
        mean,
        standard_error: error,
        effective_samples: effective,
        acceptance_rate: accepted,
        samples,
    } = found;
    let ends = certified.as_ref().map(|certified| certified.print_decimals(&certified_width(&found)));
    if options.setting.format.is_json() {
        let certified = ends.as_ref().map(|ends| json!({ "lo": ends.lo(), "hi": ends.hi() }));
        let object = json!({
            "version": JSON_VERSION, "question": options.model, "of": options.of, "by": options.by.method_name(), "seed": options.seed,
            "mean": mean, "error": error, "effective": effective, "accepted": accepted, "samples": samples,
            "certified": certified, "z": z, "reached": status == Status::Reached,
        });
        writeln!(streams.out, "{object}")?;
        return Ok(status);
    }
    writeln!(
        streams.out,
        "mean: {mean:.6} ± {error:.6}, by {samples} samples of {}, seed {}",
        options.by.method_name(),
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
    if found.acceptance_rate == Some(0.0) {
        writeln!(streams.err, "note: no proposal was accepted: the chain stood still, and its mean says nothing")?;
    } else if !mean.is_finite() {
        writeln!(streams.err, "note: the sum of the samples is no floating-point number")?;
    } else if error == 0.0 {
        writeln!(streams.err, "note: all samples gave the same number: how far off it may be is not known from them")?;
    } else if !is_worth {
        writeln!(streams.err, "note: so few are worth little: neither the error nor z is to be trusted")?;
    }
    if status == Status::Refuted {
        writeln!(
            streams.err,
            "note: the mean is more than {MAX_STANDARD_ERRORS} standard errors from the certified one"
        )?;
    }
    Ok(status)
}

/// Returns the midpoint of the certified mean.
fn midpoint_f64(certified: &Enclosure) -> f64 {
    // Each end is halved first: the sum of two large ends could overflow.
    0.5 * certified.lo().to_f64() + 0.5 * certified.hi().to_f64()
}

/// Returns `true` if a floating-point mean lies in the certified interval, up to rounding.
fn contains_up_to_rounding(mean: f64, certified: &Enclosure) -> bool {
    // A choice: far above the rounding errors of a sum of equal samples, far below a visible difference.
    let slack = 1e-9 * (1.0 + mean.abs());
    *certified.lo() <= mean + slack && *certified.hi() >= mean - slack
}

/// Returns the requested width of the certified mean.
fn certified_width(found: &SampleEstimate) -> Rational {
    // An error of 0 must not ask for a width of 0, nor a large error for a useless mean. The bounds are a choice.
    let wanted = (CERTIFIED_WIDTH_PART * found.standard_error).clamp(1e-12, 1e-2);
    // The error is no number if the samples overflow.
    Rational::from_f64(wanted).filter(|eps| *eps > 0).unwrap_or_else(|| Rational::from((1, 1_000_000)))
}

/// Samples the program, then encloses its mean. The second is `None` if the mean is not certified, or too wide to
/// compare.
fn sample_and_certify(
    options: &InferOptions,
    library: &TheorySession,
    limits: &Limits,
) -> Result<(SampleEstimate, Option<Enclosure>), Diagnostic> {
    let source = Arc::new(SourceText::new("model", options.model.as_str()));
    let ProbabilisticProgram { term, result_type: gives, .. } =
        read_probabilistic_program(&library.session, false, &source)?;
    let function = Arc::new(SourceText::new("function", options.of.as_str()));
    let of = library.session.check_source(&function, &Ty::function(gives, Ty::real()))?;
    let budget = limits.start_budget();
    let settings =
        SamplerSettings::new(options.by, usize::try_from(options.samples).unwrap_or(usize::MAX), options.seed);
    let progress = library.shows_progress.then(|| Arc::new(Progress::new("sampling", None, Box::new(io::stderr()))));
    let budget = Arc::new(match &progress {
        Some(progress) => budget.with_observer(progress.clone()),
        None => budget,
    });
    // Half of the time is kept for the certified mean.
    let half = Arc::new(budget.for_part(u64::MAX, budget.remaining_time().map(|left| left / 2)));
    let mut told = |samples: usize| {
        if let Some(progress) = &progress {
            progress.set_work(format!("{samples} of {} samples", options.samples));
        }
    };
    let found = estimate_mean(&term, &of, &settings, &half, &mut told);
    let certified = found.as_ref().ok().and_then(|found| {
        if let Some(progress) = &progress {
            progress.set_work("the certified mean");
        }
        let question =
            MeasureQuestion { parameter: None, derivative_order: 0, weight_bound: None, eps: certified_width(found) };
        let answer = enclose_expectation(&term, false, &of, &question, &budget).ok()?;
        // A mean of up to 100 times the requested width, one standard error, still tells a gross error. Without proof
        // it does not.
        let is_fine =
            answer.enclosure.is_defined() && answer.enclosure.has_width_at_most(&Rational::from(&question.eps * 100));
        (is_fine && !answer.has_unproved_assumption).then_some(answer.enclosure)
    });
    if let Some(progress) = &progress {
        progress.clear_line();
    }
    let found = found.map_err(|fault| match fault {
        SamplerError::Measure(fault) => library.session.measure_diagnostic(&source, fault),
        fault if fault.kind() == ErrorKind::Limit => Diagnostic::without_answer(format!("error: {fault}")),
        fault => Diagnostic::invalid_input(format!("error: {fault}")),
    })?;
    Ok((found, certified))
}
