//! The command `estimators`: the gradient of an expectation, with the mean, bias and variance of its estimators.

use super::eval::{DEFAULT_WIDTH_EXPONENT, JSON_VERSION};
use super::evaluator::TheorySession;
use super::output::Streams;
use super::plot::ExactNumber;
use super::setting::{CommandError, CommonArgs};
use super::status::Status;
use crate::measure::estimator::{BiasSource, EstimatorComparison, EstimatorMoments};
use crate::number::{Accuracy, Enclosure};
use crate::session::tolerance::{AccuracyGoal, Tolerance};
use crate::session::{Estimators, Limits};
use crate::syntax::source::SourceText;
use clap::Args;
use serde_json::{Value as Json, json};
use std::io;

/// The options of `estimators`.
#[derive(Debug, Args)]
pub struct EstimatorsOptions {
    /// The program: of type Real -> P A, without score and observe
    #[arg(value_name = "MODEL", allow_hyphen_values = true)]
    pub model: String,
    /// Of what the mean is differentiated: a function A -> Real of the values of the program
    #[arg(value_name = "F", allow_hyphen_values = true)]
    pub of: String,
    /// Where the parameter of the program is: a decimal or a fraction, read exactly
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub at: ExactNumber,
    /// How wide the printed intervals may be: a positive decimal or fraction, read exactly; 1e-6 where nothing is asked
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// How long it may take, which theories it needs, and how it prints
    #[command(flatten)]
    pub setting: CommonArgs,
}

/// Prints the gradient, and the mean, the bias and the variance of each estimator.
///
/// # Errors
/// Errors of the question and of writing.
pub fn run_estimators(
    options: &EstimatorsOptions,
    library: &TheorySession,
    limits: &Limits,
    streams: &mut Streams<'_>,
) -> Result<Status, CommandError> {
    let accuracy = AccuracyGoal::of_width(options.eps.as_ref(), DEFAULT_WIDTH_EXPONENT).accuracy();
    let question = Estimators::new(&options.model, &options.of, "0").at_exactly(options.at.0.clone());
    let question = match &options.eps {
        Some(eps) => question.with_width(eps.clone()),
        None => question,
    };
    let answer = library.ask(&question, limits)?;
    let found = answer.value();
    let shown = EstimatorsReport { options, accuracy: &accuracy };
    let status = shown.exit_status(found);
    if options.setting.format.is_json() {
        writeln!(streams.out, "{}", shown.to_json(found, status))?;
        return Ok(status);
    }
    shown.print_rows(found, streams)?;
    streams.print_notes(answer.notes())?;
    Ok(status)
}

/// The printed form of answers to one question.
struct EstimatorsReport<'a> {
    options: &'a EstimatorsOptions,
    accuracy: &'a Accuracy,
}

impl EstimatorsReport<'_> {
    /// Returns the worst status of the gradient, the means and the variances that are known.
    fn exit_status(&self, found: &EstimatorComparison) -> Status {
        let of = |e: &Enclosure| Status::of_enclosure(e, self.accuracy);
        // An estimator that is not applicable is an answer, not a lack of accuracy.
        let estimates = found.estimates.iter().filter_map(|(_, estimate)| estimate.as_ref().ok());
        let numbers = estimates.flat_map(|estimate| [Some(&estimate.mean), estimate.variance.as_ref()]).flatten();
        Status::worst_of(numbers.map(of).chain([of(&found.gradient)]))
    }

    /// Formats an enclosure in decimals, to the requested accuracy.
    fn format_enclosure(&self, found: &Enclosure) -> String {
        self.accuracy.print_decimals(found).to_string()
    }

    /// Describes the source of a bias, with its text and its position.
    fn describe_bias_source(&self, culprit: &BiasSource) -> String {
        // A definition of a theory has no text here; its name is enough to look it up.
        let Some(place) = &culprit.place else { return culprit.kind.to_owned() };
        if let Some(definition) = &place.definition {
            return format!("{} in {}.{}", culprit.kind, definition.module, definition.name);
        }
        let (text, whose) = match culprit.in_function {
            true => (&self.options.of, "F"),
            false => (&self.options.model, "MODEL"),
        };
        let source = SourceText::new(whose, text.as_str());
        let (line, column) = source.line_and_column(place.span.start);
        let written = text.get(place.span.start as usize..place.span.end as usize).unwrap_or_default();
        format!("{} `{written}` of {whose} ({line}:{column})", culprit.kind)
    }

    /// Prints the gradient, then each estimator with the sources of its bias.
    fn print_rows(&self, found: &EstimatorComparison, streams: &mut Streams<'_>) -> io::Result<()> {
        writeln!(streams.out, "gradient: {}", self.format_enclosure(&found.gradient))?;
        for (name, estimate) in &found.estimates {
            match estimate {
                Err(why) => writeln!(streams.out, "{}: not applicable: {why}", name.estimator_name())?,
                Ok(EstimatorMoments { mean, bias, variance, bias_sources: wrong }) => {
                    let (mean, bias) = (self.format_enclosure(mean), self.format_enclosure(bias));
                    let variance =
                        variance.as_ref().map(|found| format!(", variance {}", self.format_enclosure(found)));
                    writeln!(
                        streams.out,
                        "{}: mean {mean}, bias {bias}{}",
                        name.estimator_name(),
                        variance.unwrap_or_default()
                    )?;
                    for culprit in wrong {
                        let share = self.format_enclosure(&culprit.share);
                        writeln!(streams.out, "  it misses {share}: {}", self.describe_bias_source(culprit))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the comparison as a JSON object. The reason `"why"` is present only if the accuracy is not reached.
    fn to_json(&self, found: &EstimatorComparison, status: Status) -> Json {
        let ends = |e: &Enclosure| {
            let ends = self.accuracy.print_decimals(e);
            json!({ "lo": ends.lo(), "hi": ends.hi() })
        };
        let estimates = found.estimates.iter().map(|(name, estimate)| match estimate {
            Err(why) => json!({ "name": name.estimator_name(), "applicable": false, "why": why }),
            Ok(EstimatorMoments { mean, bias, variance, bias_sources: wrong }) => json!({
                "name": name.estimator_name(), "applicable": true, "mean": ends(mean), "bias": ends(bias),
                "variance": variance.as_ref().map(ends),
                "misses": wrong.iter().map(|culprit| json!({
                    "what": self.describe_bias_source(culprit), "share": ends(&culprit.share),
                })).collect::<Vec<_>>(),
            }),
        });
        json!({
            "version": JSON_VERSION, "question": self.options.model, "of": self.options.of, "at": self.options.at.0.to_string(),
            "gradient": ends(&found.gradient), "estimators": estimates.collect::<Vec<_>>(), "paths": found.paths,
            "reached": status == Status::Reached, "why": found.width_reason.as_ref().filter(|_| status != Status::Reached),
        })
    }
}
