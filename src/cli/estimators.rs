//! The command `estimators`: the gradient of an expectation, with the mean, bias and variance of its estimators.

use super::eval::{JSON_VERSION, USUAL};
use super::evaluator::Workbench;
use super::output::Streams;
use super::plot::Coordinate;
use super::setting::{Ended, Setting};
use super::status::Status;
use crate::measure::estimator::{Comparison, Culprit, Estimate};
use crate::number::{Accuracy, Enclosure};
use crate::session::tolerance::{Goal, Tolerance};
use crate::session::{Estimators, Limits};
use crate::syntax::source::Source;
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
    pub at: Coordinate,
    /// How wide the printed intervals may be: a positive decimal or fraction, read exactly; 1e-6 where nothing is asked
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// How long it may take, which theories it needs, and how it prints
    #[command(flatten)]
    pub setting: Setting,
}

/// Prints the gradient, and the mean, the bias and the variance of each estimator.
///
/// # Errors
/// Errors of the question and of writing.
pub fn run(
    options: &EstimatorsOptions,
    library: &Workbench,
    limits: &Limits,
    streams: &mut Streams<'_>,
) -> Result<Status, Ended> {
    let accuracy = Goal::of_width(options.eps.as_ref(), USUAL).accuracy();
    let question = Estimators::new(&options.model, &options.of, "0").at_exactly(options.at.0.clone());
    let question = match &options.eps {
        Some(eps) => question.within(eps.clone()),
        None => question,
    };
    let answer = library.ask(&question, limits)?;
    let found = answer.value();
    let shown = Shown { options, accuracy: &accuracy };
    let status = shown.status(found);
    if options.setting.format.is_json() {
        writeln!(streams.out, "{}", shown.json(found, status))?;
        return Ok(status);
    }
    shown.rows(found, streams)?;
    streams.notes(answer.notes())?;
    Ok(status)
}

/// The printed form of answers to one question.
struct Shown<'a> {
    options: &'a EstimatorsOptions,
    accuracy: &'a Accuracy,
}

impl Shown<'_> {
    /// Returns the worst status of the gradient, the means and the variances that are known.
    fn status(&self, found: &Comparison) -> Status {
        let of = |e: &Enclosure| Status::of(e, self.accuracy);
        // An estimator that is not applicable is an answer, not a lack of accuracy.
        let estimates = found.estimates.iter().filter_map(|(_, estimate)| estimate.as_ref().ok());
        let numbers = estimates.flat_map(|estimate| [Some(&estimate.mean), estimate.variance.as_ref()]).flatten();
        Status::worst(numbers.map(of).chain([of(&found.gradient)]))
    }

    /// Formats an enclosure in decimals, to the requested accuracy.
    fn text(&self, found: &Enclosure) -> String {
        self.accuracy.decimals(found).to_string()
    }

    /// Describes the source of a bias, with its text and its position.
    fn culprit(&self, culprit: &Culprit) -> String {
        // A definition of a theory has no text here; its name is enough to look it up.
        let Some(place) = &culprit.place else { return culprit.what.to_owned() };
        if let Some(definition) = &place.definition {
            return format!("{} in {}.{}", culprit.what, definition.module, definition.name);
        }
        let (text, whose) = match culprit.in_function {
            true => (&self.options.of, "F"),
            false => (&self.options.model, "MODEL"),
        };
        let source = Source::new(whose, text.as_str());
        let (line, column) = source.position(place.span.start);
        let written = text.get(place.span.start as usize..place.span.end as usize).unwrap_or_default();
        format!("{} `{written}` of {whose} ({line}:{column})", culprit.what)
    }

    /// Prints the gradient, then each estimator with the sources of its bias.
    fn rows(&self, found: &Comparison, streams: &mut Streams<'_>) -> io::Result<()> {
        writeln!(streams.out, "gradient: {}", self.text(&found.gradient))?;
        for (name, estimate) in &found.estimates {
            match estimate {
                Err(why) => writeln!(streams.out, "{}: not applicable: {why}", name.text())?,
                Ok(Estimate { mean, bias, variance, wrong }) => {
                    let (mean, bias) = (self.text(mean), self.text(bias));
                    let variance = variance.as_ref().map(|found| format!(", variance {}", self.text(found)));
                    writeln!(streams.out, "{}: mean {mean}, bias {bias}{}", name.text(), variance.unwrap_or_default())?;
                    for culprit in wrong {
                        let share = self.text(&culprit.share);
                        writeln!(streams.out, "  it misses {share}: {}", self.culprit(culprit))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the comparison as a JSON object. The reason `"why"` is present only if the accuracy is not reached.
    fn json(&self, found: &Comparison, status: Status) -> Json {
        let ends = |e: &Enclosure| {
            let ends = self.accuracy.decimals(e);
            json!({ "lo": ends.lo(), "hi": ends.hi() })
        };
        let estimates = found.estimates.iter().map(|(name, estimate)| match estimate {
            Err(why) => json!({ "name": name.text(), "applicable": false, "why": why }),
            Ok(Estimate { mean, bias, variance, wrong }) => json!({
                "name": name.text(), "applicable": true, "mean": ends(mean), "bias": ends(bias),
                "variance": variance.as_ref().map(ends),
                "misses": wrong.iter().map(|culprit| json!({
                    "what": self.culprit(culprit), "share": ends(&culprit.share),
                })).collect::<Vec<_>>(),
            }),
        });
        json!({
            "version": JSON_VERSION, "question": self.options.model, "of": self.options.of, "at": self.options.at.0.to_string(),
            "gradient": ends(&found.gradient), "estimators": estimates.collect::<Vec<_>>(), "paths": found.paths,
            "reached": status == Status::Reached, "why": found.why.as_ref().filter(|_| status != Status::Reached),
        })
    }
}
