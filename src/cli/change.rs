//! The command `change`: the density of f(X) for the value X of a probabilistic program.

use super::eval::{DEFAULT_WIDTH_EXPONENT, JSON_VERSION};
use super::evaluator::TheorySession;
use super::output::Streams;
use super::setting::{CommandError, CommonArgs};
use super::status::Status;
use crate::measure::change::{PreimageContribution, PushforwardDensity};
use crate::number::{Accuracy, Enclosure};
use crate::session::tolerance::{AccuracyGoal, Tolerance};
use crate::session::{Limits, Pushforward};
use clap::Args;
use serde_json::{Value as Json, json};
use std::io;

/// The options of `change`.
#[derive(Debug, Args)]
pub struct ChangeOptions {
    /// The map: a function A -> B of the values of the program, injective on each chart of its support or forgetting draws there
    #[arg(value_name = "F", allow_hyphen_values = true)]
    pub map: String,
    /// The program: of type P A, where A is Real or a tuple of these
    #[arg(long, value_name = "MODEL", allow_hyphen_values = true)]
    pub of: String,
    /// The point: an expression of type B, where B is Real or a tuple of these
    #[arg(long, value_name = "POINT", allow_hyphen_values = true)]
    pub at: String,
    /// How wide the printed intervals may be: a positive decimal or fraction, read exactly; 1e-6 where nothing is asked
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// Assume that the map is injective on the support, where that is not proved
    #[arg(long)]
    pub assume_injective: bool,
    /// How long it may take, which theories it needs, and how it prints
    #[command(flatten)]
    pub setting: CommonArgs,
}

/// Prints the density at the point, and the preimages that contribute to it.
///
/// # Errors
/// Errors of the question and of writing.
pub fn run_change(
    options: &ChangeOptions,
    library: &TheorySession,
    limits: &Limits,
    streams: &mut Streams<'_>,
) -> Result<Status, CommandError> {
    let accuracy = AccuracyGoal::of_width(options.eps.as_ref(), DEFAULT_WIDTH_EXPONENT).accuracy();
    let question =
        Pushforward::new(&options.map, &options.of, &options.at).assuming_injective(options.assume_injective);
    let question = match &options.eps {
        Some(eps) => question.with_width(eps.clone()),
        None => question,
    };
    let answer = library.ask(&question, limits)?;
    let found = answer.value();
    let shown = PushforwardReport { options, accuracy: &accuracy };
    let status = shown.exit_status(found);
    if options.setting.format.is_json() {
        writeln!(streams.out, "{}", shown.to_json(found, status))?;
        return Ok(status);
    }
    shown.print_rows(found, streams)?;
    if let Some(proved) = found.injectivity_proof {
        let but_for = found.injectivity_exception.map_or_else(String::new, |what| format!(", but for {what}"));
        writeln!(streams.out, "injective{but_for}: {proved}")?;
    }
    streams.print_notes(answer.notes())?;
    Ok(status)
}

/// The printed form of answers to one question.
struct PushforwardReport<'a> {
    options: &'a ChangeOptions,
    accuracy: &'a Accuracy,
}

impl PushforwardReport<'_> {
    /// Returns the worst status of the densities, of the reason for their absence, and of the assumptions.
    fn exit_status(&self, found: &PushforwardDensity) -> Status {
        let own = found.densities.iter().map(|(_, density)| Status::of_enclosure(density, self.accuracy));
        let nothing = (found.densities.is_empty() && found.width_reason.is_some()).then_some(Status::Nothing);
        // An answer that relies on an assumption, neither proved nor requested, does not reach the goal.
        let asked = usize::from(found.injectivity_proof.is_none() && self.options.assume_injective);
        let unproved = (found.assumptions.len() > asked).then_some(Status::Wide);
        Status::worst_of(own.chain(nothing).chain(unproved))
    }

    /// Formats an enclosure in decimals, to the requested accuracy.
    fn format_enclosure(&self, found: &Enclosure) -> String {
        self.accuracy.print_decimals(found).to_string()
    }

    /// Formats the coordinates of a point: one number, or several in parentheses.
    fn format_point(&self, numbers: &[Enclosure]) -> String {
        let all: Vec<String> = numbers.iter().map(|number| self.format_enclosure(number)).collect();
        if all.len() == 1 { all[0].clone() } else { format!("({})", all.join(", ")) }
    }

    /// Prints the density for each dimension, then the parts of which it is the sum.
    fn print_rows(&self, found: &PushforwardDensity, streams: &mut Streams<'_>) -> io::Result<()> {
        if found.densities.is_empty() {
            // Without densities and without a reason the point is proved to lie outside the support: the density is 0.
            let said = if found.width_reason.is_some() {
                "not known"
            } else {
                "[0, 0]: the point lies outside of the support"
            };
            writeln!(streams.out, "density: {said}")?;
        }
        for (dimension, density) in &found.densities {
            writeln!(streams.out, "density: {} with respect to H^{dimension}", self.format_enclosure(density))?;
        }
        for PreimageContribution { dimension, preimage: from, density_before: before, factor, density } in &found.parts
        {
            let density = self.format_enclosure(density);
            // Three kinds of parts: isolated preimages with a change of volume, atoms, and sets that the map collapses.
            match (from, before, factor) {
                (Some(from), Some(before), Some(factor)) if *dimension > 0 => {
                    let (from, before, factor) =
                        (self.format_point(from), self.format_enclosure(before), self.format_enclosure(factor));
                    writeln!(streams.out, "  from {from}, with the density {before} and the factor {factor}")?;
                }
                (Some(from), ..) => {
                    writeln!(streams.out, "  from the atom {}, with the mass {density}", self.format_point(from))?
                }
                _ if *dimension == 0 => {
                    writeln!(streams.out, "  from what is taken to one point, with the mass {density}")?
                }
                _ => writeln!(streams.out, "  {density} from what is partly forgotten, which is integrated over")?,
            }
        }
        Ok(())
    }

    /// Writes the answer as a JSON object. The reason `"why"` is present only if the accuracy is not reached.
    fn to_json(&self, found: &PushforwardDensity, status: Status) -> Json {
        let ends = |e: &Enclosure| {
            let ends = self.accuracy.print_decimals(e);
            json!({ "lo": ends.lo(), "hi": ends.hi() })
        };
        let densities = found.densities.iter().map(|(dimension, density)| {
            let mut object = ends(density);
            object["dimension"] = (*dimension).into();
            object
        });
        let parts = found.parts.iter().map(|part| {
            json!({
                "dimension": part.dimension, "density": ends(&part.density), "before": part.density_before.as_ref().map(ends),
                "factor": part.factor.as_ref().map(ends),
                "from": part.preimage.as_ref().map(|from| from.iter().map(ends).collect::<Vec<_>>()),
            })
        });
        json!({
            "version": JSON_VERSION, "question": self.options.map, "of": self.options.of, "at": self.options.at,
            "densities": densities.collect::<Vec<_>>(), "parts": parts.collect::<Vec<_>>(), "charts": found.charts,
            "injective": found.injectivity_proof, "but_for": found.injectivity_exception, "assumed": found.assumptions, "reached": status == Status::Reached, "why": found.width_reason.filter(|_| status != Status::Reached),
        })
    }
}
