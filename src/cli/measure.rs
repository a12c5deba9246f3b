//! The commands `normaliser` and `expect`: the normalising constant of a probabilistic program, and expectations.

use super::arguments::GoalOptions;
use super::eval::{JSON_VERSION, goal_to_json};
use super::evaluator::TheorySession;
use super::output::Streams;
use super::plot::ExactNumber;
use super::setting::{CommandError, CommonArgs};
use super::status::Status;
use crate::number::Rational;
use crate::session::tolerance::{AccuracyGoal, Digits, Tolerance, ToleranceError};
use crate::session::{Evidence, Expectation, Limits};
use clap::Args;
use serde_json::{Value as Json, json};

/// The options that `normaliser` and `expect` have in common.
#[derive(Debug, Args)]
pub struct MeasureOptions {
    /// The program: of type P A, or Real -> P A with --at
    #[arg(value_name = "MODEL", allow_hyphen_values = true)]
    pub model: String,
    /// Where the parameter of the program is: a decimal or a fraction, read exactly
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub at: Option<ExactNumber>,
    /// Which derivative in the parameter
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=8), requires = "at")]
    pub deriv: u32,
    /// Assume that no product of weights is greater than M, where that is not known of paths that are left
    #[arg(long, value_name = "M", value_parser = parse_weight_bound)]
    pub weight_at_most: Option<Tolerance>,
    /// How long it may take, which theories it needs, and how it prints
    #[command(flatten)]
    pub setting: CommonArgs,
}

/// Parses a bound on the weights, which must be positive.
fn parse_weight_bound(text: &str) -> Result<Tolerance, String> {
    text.parse().map_err(|error| match error {
        ToleranceError::NotPositive => "a bound of weights must be greater than 0".to_owned(),
        other => other.to_string(),
    })
}

/// The requested accuracy of a normalising constant, as a command line gives it.
#[derive(Debug, Args)]
pub struct MassGoal {
    /// The greatest width that the printed interval may have, such as 1e-9 or 1/3, however small the mass is; with --log, that of the
    /// logarithm
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// The same, relative to the mass: 1e-12 allows a width of 1e-12 times its size. The default is 1e-6. With --eps, one of both is
    /// enough
    #[arg(long, value_name = "REL", allow_hyphen_values = true)]
    pub rel: Option<Tolerance>,
    /// How many significant digits are to be certain: N is --rel 1e-N
    #[arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with = "rel")]
    pub digits: Option<Digits>,
}

impl From<MassGoal> for AccuracyGoal {
    fn from(MassGoal { eps, rel, digits }: MassGoal) -> Self {
        Self { eps, rel, of_digits: digits, default_digits: None }
    }
}

/// The options of `normaliser`.
#[derive(Debug, Args)]
pub struct NormaliserOptions {
    /// What is asked of the program
    #[command(flatten)]
    pub measure: MeasureOptions,
    /// How accurate it is to be
    #[command(flatten)]
    pub goal: MassGoal,
    /// Print the logarithm of the mass, to a width of 1e-6 where nothing is asked; it has no lower end where the mass is not shown to be
    /// positive
    #[arg(long, conflicts_with = "deriv")]
    pub log: bool,
}

/// The options of `expect`.
#[derive(Debug, Args)]
pub struct ExpectOptions {
    /// What is asked of the program
    #[command(flatten)]
    pub measure: MeasureOptions,
    /// How accurate it is to be
    #[command(flatten)]
    pub goal: GoalOptions,
    /// Of what the mean is asked: a function A -> Real of the values of the program
    #[arg(value_name = "F", allow_hyphen_values = true)]
    pub of: String,
}

/// The quantity to enclose.
#[derive(Clone, Copy, Debug)]
pub enum MeasuredQuantity<'a> {
    /// The normalising constant, or its logarithm.
    Mass {
        /// `true` for the logarithm.
        log: bool,
    },
    /// The expectation of a function.
    Mean {
        /// The function.
        of: &'a str,
    },
}

/// Prints an enclosure of the normalising constant, of its logarithm, or of the expectation of a function.
///
/// # Errors
/// Errors of the question and of writing.
pub fn run_measure(
    options: &MeasureOptions,
    goal: &AccuracyGoal,
    asked: MeasuredQuantity<'_>,
    library: &TheorySession,
    limits: &Limits,
    streams: &mut Streams<'_>,
) -> Result<Status, CommandError> {
    // A macro: the two questions are different types with the same methods.
    macro_rules! asked {
        ($question:expr) => {{
            let mut question = $question.derivative(options.deriv).goal(goal.clone());
            if let Some(at) = &options.at {
                question = question.at_exactly(at.0.clone());
            }
            if let Some(most) = &options.weight_at_most {
                question = question.weight_at_most(most.clone());
            }
            library.ask(&question, limits)?
        }};
    }
    let answer = match asked {
        MeasuredQuantity::Mass { log } => asked!(Evidence::new(&options.model).with_log(log)),
        MeasuredQuantity::Mean { of } => asked!(Expectation::new(&options.model, of)),
    };
    let found = answer.value();
    let accuracy = found.goal.accuracy();
    let own = Status::of_enclosure(&found.enclosure, &accuracy);
    // An answer that relies on an unproved assumption does not reach the goal.
    let status = if found.unproved { Status::worst_of([own, Status::Wide]) } else { own };
    let ends = accuracy.print_decimals(&found.enclosure);
    if options.setting.format.is_json() {
        // A choice: six decimals. The JSON has only the upper end, a bound on the unexplored mass.
        let rest = found.unexplored_mass.print_decimals(&Rational::from((1, 1_000_000)));
        let of = if let MeasuredQuantity::Mean { of } = asked { Some(of) } else { None };
        let mut object = json!({
            "version": JSON_VERSION, "question": options.model, "of": of, "lo": ends.lo(), "hi": ends.hi(),
            "reached": status == Status::Reached, "paths": found.paths, "frontier": found.unexplored_paths,
            "tail": rest.hi(), "assumed": found.assumed, "why": found.why,
        });
        if let Json::Object(object) = &mut object {
            object.extend(goal_to_json(&found.goal));
            if let MeasuredQuantity::Mass { log } = asked {
                object.insert("log".to_owned(), json!(log));
            }
        }
        writeln!(streams.out, "{object}")?;
        return Ok(status);
    }
    match options.setting.format.is_short() {
        true => writeln!(streams.out, "{} {}", ends.lo(), ends.hi())?,
        false => writeln!(streams.out, "{ends}")?,
    }
    streams.print_notes(answer.notes())?;
    Ok(status)
}
