//! The commands `evidence` and `expect`: the normalising constant of a probabilistic program, and expectations.
//!
//! # The command `pushforward`
//!
//! The density of f(X) for the value X of a probabilistic program.
//!
//! # The command `estimators`
//!
//! The gradient of an expectation, with the mean, bias and variance of its estimators.
//!
//! # The command `infer`
//!
//! A mean estimated by Monte Carlo, compared with the certified one.

use super::arguments::GoalOptions;
use super::arguments::{ClosedPoint, parse_point_expression};
use super::eval::{DEFAULT_WIDTH_EXPONENT, JSON_VERSION, goal_to_json};
use super::evaluator::TheorySession;
use super::output::{Progress, Streams};
use super::status::{CommandError, CommonArgs, Status};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::measure::change::{Multiplicity, PreimageContribution, PushforwardDensity};
use crate::measure::estimator::{BiasSource, EstimatorComparison, EstimatorMoments};
use crate::measure::{MeasureQuestion, enclose_expectation};
use crate::number::{Accuracy, Enclosure, Rational};
use crate::sampler::user_move::{InvolutionEvidence, UserMove};
use crate::sampler::{
    MIN_SAMPLES, SampleEstimate, SamplerError, SamplerSettings, SamplingMethod, estimate_mean, estimate_mean_by_move,
};
use crate::session::question::sampled::{
    InvolutiveProposal, ProbabilisticProgram, read_involutive_proposal, read_probabilistic_program,
};
use crate::session::tolerance::{AccuracyGoal, Digits, Tolerance, ToleranceError};
use crate::session::{Answer, Diagnostic, Estimators, Evidence, Expectation, Limits, Pushforward, WeightedPathSum};
use crate::syntax::source::SourceText;
use crate::syntax::ty::Ty;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value as Json, json};
use std::io;
use std::sync::Arc;

/// The options that `evidence` and `expect` have in common.
#[derive(Debug, Args)]
pub struct MeasureOptions {
    /// Program of type P A, or with --at Real -> P A or Real * Real -> P A
    #[arg(value_name = "MODEL", allow_hyphen_values = true)]
    pub model: String,
    /// Value of the program's parameter: a decimal or a fraction, read exactly, or an expression, rounded down; several numbers are
    /// written (1, 1/2)
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub at: Option<ClosedPoint>,
    /// Order of the derivative in the parameter; the gradient, for 1, if that is a tuple
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=8), requires = "at")]
    pub deriv: u32,
    /// Upper bound on importance weights, assumed for paths without a known bound
    #[arg(long, value_name = "M", value_parser = parse_weight_bound)]
    pub weight_at_most: Option<Tolerance>,
    /// The time limit, the theories to load, and the output format
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
    /// Maximum width of the interval, such as 1e-9 or 1/3; with --log, of the interval of the logarithm
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// Maximum width relative to the constant: 1e-12 allows 1e-12 times its size [default: 1e-6]. With --eps, either is enough
    #[arg(long, value_name = "REL", allow_hyphen_values = true)]
    pub rel: Option<Tolerance>,
    /// Number of certain significant digits: N is --rel 1e-N
    #[arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with = "rel")]
    pub digits: Option<Digits>,
}

impl From<MassGoal> for AccuracyGoal {
    fn from(MassGoal { eps, rel, digits }: MassGoal) -> Self {
        Self { eps, rel, of_digits: digits, default_digits: None }
    }
}

/// The options of `evidence`.
#[derive(Debug, Args)]
pub struct EvidenceOptions {
    /// The program and its parameter
    #[command(flatten)]
    pub measure: MeasureOptions,
    /// The requested accuracy
    #[command(flatten)]
    pub goal: MassGoal,
    /// Enclose the logarithm of the constant [default width: 1e-6]. Its lower end is -inf unless the constant is shown to be
    /// positive
    #[arg(long, conflicts_with = "deriv")]
    pub log: bool,
}

/// The options of `expect`.
#[derive(Debug, Args)]
pub struct ExpectOptions {
    /// The program and its parameter
    #[command(flatten)]
    pub measure: MeasureOptions,
    /// The requested accuracy
    #[command(flatten)]
    pub goal: GoalOptions,
    /// Function A -> Real of the program's value, whose mean is enclosed
    #[arg(value_name = "F", allow_hyphen_values = true, required_unless_present = "calls")]
    pub of: Option<String>,
    /// Enclose the mean number of calls of the program's loop instead
    #[arg(long, conflicts_with_all = ["of", "deriv", "at", "weight_at_most"])]
    pub calls: bool,
    /// Bound V of what is left of the program's loop, a polynomial of the arguments of its calls, for example '\s => 3 - 2*s'; it is checked,
    /// and refused if it is not proved
    #[arg(long, value_name = "V", allow_hyphen_values = true, conflicts_with = "deriv")]
    pub bound: Option<String>,
}

impl ExpectOptions {
    /// Returns the quantity to enclose: without a function, the number of calls.
    #[must_use]
    pub fn quantity(&self) -> MeasuredQuantity<'_> {
        let bound = self.bound.as_deref();
        match self.of.as_deref() {
            Some(of) => MeasuredQuantity::Mean { of, bound },
            None => MeasuredQuantity::Calls { bound },
        }
    }
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
        /// A bound of what is left of the loop.
        bound: Option<&'a str>,
    },
    /// The mean number of calls of the loop.
    Calls {
        /// A bound of what is left of the loop.
        bound: Option<&'a str>,
    },
}

/// Gives the question a bound of what is left of the loop, if there is one.
fn with_bound(question: Expectation, bound: Option<&str>) -> Expectation {
    bound.into_iter().fold(question, Expectation::bound)
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
                streams.print_notes(&at.rounding_notes("--at"))?;
                question = question.at_point(at.coordinates());
            }
            if let Some(most) = &options.weight_at_most {
                question = question.weight_at_most(most.clone());
            }
            if options.deriv == 1 && options.at.as_ref().is_some_and(|at| at.0.len() > 1) {
                let partials = question.gradient();
                let answers =
                    partials.iter().map(|partial| library.ask(partial, limits)).collect::<Result<Vec<_>, _>>()?;
                return print_gradient(options, asked, &answers, streams);
            }
            library.ask(&question, limits)?
        }};
    }
    let answer = match asked {
        MeasuredQuantity::Mass { log } => asked!(Evidence::new(&options.model).with_log(log)),
        MeasuredQuantity::Mean { of, bound } => asked!(with_bound(Expectation::new(&options.model, of), bound)),
        MeasuredQuantity::Calls { bound } => asked!(with_bound(Expectation::of_calls(&options.model), bound)),
    };
    let found = answer.value();
    let accuracy = found.goal.accuracy();
    let status = status_of_sum(found);
    let ends = accuracy.print_decimals(&found.enclosure);
    if options.setting.format.is_json() {
        let of = if let MeasuredQuantity::Mean { of, .. } = asked { Some(of) } else { None };
        let mut object = json!({ "version": JSON_VERSION, "question": options.model, "of": of });
        if let Json::Object(object) = &mut object {
            if let Json::Object(own) = sum_to_json(found) {
                object.extend(own);
            }
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

/// Returns the exit status of an answer.
fn status_of_sum(found: &WeightedPathSum) -> Status {
    let own = Status::of_enclosure(&found.enclosure, &found.goal.accuracy());
    // An answer that relies on an unproved assumption does not reach the goal.
    if found.unproved { Status::worst_of([own, Status::Wide]) } else { own }
}

/// Returns what an answer says, as a JSON object.
fn sum_to_json(found: &WeightedPathSum) -> Json {
    let ends = found.goal.accuracy().print_decimals(&found.enclosure);
    // A choice: six decimals. The JSON has only the upper end, a bound on the unexplored mass.
    let rest = found.unexplored_mass.print_decimals(&Rational::from((1, 1_000_000)));
    json!({
        "lo": ends.lo(), "hi": ends.hi(), "reached": status_of_sum(found) == Status::Reached, "paths": found.paths,
        "frontier": found.unexplored_paths, "tail": rest.hi(), "assumed": found.assumed, "why": found.why,
    })
}

/// Prints the partial derivatives in the numbers of a parameter: the gradient.
fn print_gradient(
    options: &MeasureOptions,
    asked: MeasuredQuantity<'_>,
    answers: &[Answer<WeightedPathSum>],
    streams: &mut Streams<'_>,
) -> Result<Status, CommandError> {
    let found = || answers.iter().map(Answer::value);
    let status = Status::worst_of(found().map(status_of_sum));
    if options.setting.format.is_json() {
        let of = if let MeasuredQuantity::Mean { of, .. } = asked { Some(of) } else { None };
        let at = options.at.iter().flat_map(ClosedPoint::coordinates).map(|q| q.to_string()).collect::<Vec<_>>();
        let object = json!({
            "version": JSON_VERSION, "question": options.model, "of": of, "at": at,
            "gradient": found().map(sum_to_json).collect::<Vec<_>>(), "reached": status == Status::Reached,
        });
        writeln!(streams.out, "{object}")?;
        return Ok(status);
    }
    let ends = || found().map(|found| found.goal.accuracy().print_decimals(&found.enclosure));
    match options.setting.format.is_short() {
        true => {
            let all = ends().map(|ends| format!("{} {}", ends.lo(), ends.hi())).collect::<Vec<_>>();
            writeln!(streams.out, "{}", all.join("\n"))?;
        }
        false => {
            let all = ends().map(|ends| ends.to_string()).collect::<Vec<_>>();
            writeln!(streams.out, "({})", all.join(", "))?;
        }
    }
    for answer in answers {
        streams.print_notes(answer.notes())?;
    }
    Ok(status)
}

/// The options of `pushforward`.
#[derive(Debug, Args)]
pub struct PushforwardOptions {
    /// Map A -> B of the program's value
    #[arg(value_name = "F", allow_hyphen_values = true)]
    pub map: String,
    /// Program of type P A, where A is Real or a tuple of Real
    #[arg(long, value_name = "MODEL", allow_hyphen_values = true)]
    pub of: String,
    /// Point: an expression of type B, where B is Real or a tuple of Real; a tuple may be written 1,2 as well
    #[arg(long, value_name = "POINT", allow_hyphen_values = true, value_parser = parse_point_expression)]
    pub at: String,
    /// Maximum width of the printed intervals: a positive decimal or fraction, read exactly [default: 1e-6]
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// Refuse a map that is not injective on the support; by default the density is the sum over all preimages of the point
    #[arg(long)]
    pub injective: bool,
    /// Like --injective, and assume that the map is injective if that is not proved
    #[arg(long)]
    pub assume_injective: bool,
    /// The time limit, the theories to load, and the output format
    #[command(flatten)]
    pub setting: CommonArgs,
}

/// Prints the density at the point, and the preimages that contribute to it.
///
/// # Errors
/// Errors of the question and of writing.
pub fn run_pushforward(
    options: &PushforwardOptions,
    library: &TheorySession,
    limits: &Limits,
    streams: &mut Streams<'_>,
) -> Result<Status, CommandError> {
    let accuracy = AccuracyGoal::of_width(options.eps.as_ref(), DEFAULT_WIDTH_EXPONENT).accuracy();
    let multiplicity = if options.injective { Multiplicity::One } else { Multiplicity::Any };
    let question = Pushforward::new(&options.map, &options.of, &options.at)
        .with_multiplicity(multiplicity)
        .assuming_injective(options.assume_injective);
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
    } else if found.is_complete
        && found.rests.is_empty()
        && found.parts.len() > 1
        && found.parts.iter().all(|part| part.preimage.is_some())
    {
        writeln!(streams.out, "preimages: {}, and no others", found.parts.len())?;
    }
    streams.print_notes(answer.notes())?;
    Ok(status)
}

/// The printed form of answers to one question.
struct PushforwardReport<'a> {
    options: &'a PushforwardOptions,
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
            let said =
                if found.width_reason.is_some() { "not known" } else { "0: the point lies outside of the support" };
            writeln!(streams.out, "density: {said}")?;
        }
        for (dimension, density) in &found.densities {
            writeln!(streams.out, "density: {} with respect to H^{dimension}", self.format_enclosure(density))?;
        }
        for dimension in &found.without_density {
            writeln!(streams.out, "density: none with respect to H^{dimension}, at the image of a border")?;
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
        for (_, rest) in found.rests.iter().filter(|(_, rest)| *rest.hi() > 0) {
            writeln!(streams.out, "  {} from infinitely many others", self.format_enclosure(rest))?;
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
            "densities": densities.collect::<Vec<_>>(), "parts": parts.collect::<Vec<_>>(), "rests": found.rests.iter().map(|(dimension, rest)| json!({ "dimension": dimension, "density": ends(rest) })).collect::<Vec<_>>(), "without_density": found.without_density, "charts": found.charts, "complete": found.is_complete,
            "injective": found.injectivity_proof, "but_for": found.injectivity_exception, "assumed": found.assumptions, "reached": status == Status::Reached, "why": found.width_reason.filter(|_| status != Status::Reached),
        })
    }
}

/// The options of `estimators`.
#[derive(Debug, Args)]
pub struct EstimatorsOptions {
    /// Program of type Real -> P A or Real * Real -> P A, without score and observe
    #[arg(value_name = "MODEL", allow_hyphen_values = true)]
    pub model: String,
    /// Function A -> Real of the program's value, whose mean is differentiated
    #[arg(value_name = "F", allow_hyphen_values = true)]
    pub of: String,
    /// Value of the program's parameter: a decimal or a fraction, read exactly, or an expression, rounded down; several numbers are
    /// written (1, 1/2)
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub at: ClosedPoint,
    /// Maximum width of the printed intervals: a positive decimal or fraction, read exactly [default: 1e-6]
    #[arg(long, value_name = "EPS", allow_hyphen_values = true)]
    pub eps: Option<Tolerance>,
    /// The time limit, the theories to load, and the output format
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
    streams.print_notes(&options.at.rounding_notes("--at"))?;
    let question = Estimators::new(&options.model, &options.of, "0").at_point(options.at.coordinates());
    let question = match &options.eps {
        Some(eps) => question.with_width(eps.clone()),
        None => question,
    };
    let count = options.at.0.len();
    let partials = if count == 1 { vec![question] } else { (0..count).map(|i| question.clone().partial(i)).collect() };
    let answers = partials.iter().map(|partial| library.ask(partial, limits)).collect::<Result<Vec<_>, _>>()?;
    let shown = EstimatorsReport { options, accuracy: &accuracy };
    let status = Status::worst_of(answers.iter().map(|answer| shown.exit_status(answer.value())));
    if options.setting.format.is_json() {
        let object = match &answers[..] {
            [answer] => shown.to_json(answer.value(), status),
            _ => json!({
                "version": JSON_VERSION, "question": options.model, "of": options.of, "reached": status == Status::Reached,
                "partials": answers.iter().map(|a| shown.to_json(a.value(), shown.exit_status(a.value()))).collect::<Vec<_>>(),
            }),
        };
        writeln!(streams.out, "{object}")?;
        return Ok(status);
    }
    for (index, answer) in answers.iter().enumerate() {
        if answers.len() > 1 {
            writeln!(streams.out, "number {} of the parameter", index + 1)?;
        }
        shown.print_rows(answer.value(), streams)?;
        streams.print_notes(answer.notes())?;
    }
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
            "version": JSON_VERSION, "question": self.options.model, "of": self.options.of, "at": self.options.at.0.iter().map(|x| x.lower().to_string()).collect::<Vec<_>>().join(", "),
            "gradient": ends(&found.gradient), "estimators": estimates.collect::<Vec<_>>(), "paths": found.paths,
            "reached": status == Status::Reached, "why": found.width_reason.as_ref().filter(|_| status != Status::Reached),
        })
    }
}

/// The options of `infer`.
#[derive(Debug, Args)]
pub struct InferOptions {
    /// Program of type P A
    #[arg(value_name = "MODEL", allow_hyphen_values = true)]
    pub model: String,
    /// Function A -> Real of the program's value, whose mean is estimated
    #[arg(value_name = "F", allow_hyphen_values = true)]
    pub of: String,
    /// Sampling method
    #[arg(long, value_name = "SAMPLER", default_value = "importance", value_parser = sampler_parser())]
    pub by: SamplingMethod,
    /// Move for --by involutive: a function A -> A that is its own inverse, or A * U -> A * U with --auxiliary; for example
    /// '\(x, u) => (x*u, 1/u)'
    #[arg(long = "move", value_name = "T", allow_hyphen_values = true)]
    pub involution: Option<String>,
    /// Distribution of the auxiliary numbers of the move: a function A -> Dist U or A -> P U, for example '\x => logNormal 0 1'
    #[arg(long, value_name = "Q", allow_hyphen_values = true, requires = "involution")]
    pub auxiliary: Option<String>,
    /// Seed: the same seed gives the same samples on every machine
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Number of samples
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(MIN_SAMPLES as u64..=100_000_000))]
    pub samples: u64,
    /// The time limit, the theories to load, and the output format
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
    let (found, certified, evidence) = sample_and_certify(options, library, limits)?;
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
            "move": options.involution, "auxiliary": options.auxiliary, "involution": evidence.map(evidence_name),
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
    if evidence == Some(InvolutionEvidence::Points) {
        writeln!(streams.err, "note: T is its own inverse at all points that were tried; normal forms do not show it")?;
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
        writeln!(streams.err, "note: no proposal was accepted: the chain stood still, and its mean is meaningless")?;
    } else if !mean.is_finite() {
        writeln!(streams.err, "note: the sum of the samples is no floating-point number")?;
    } else if error == 0.0 {
        writeln!(streams.err, "note: all samples gave the same number: how far off it may be is not known from them")?;
    } else if !is_worth {
        writeln!(streams.err, "note: so few samples give no reliable error, and no reliable z")?;
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

/// Returns the name in JSON of the reason why a move is known to be its own inverse.
fn evidence_name(evidence: InvolutionEvidence) -> &'static str {
    match evidence {
        InvolutionEvidence::NormalForms => "shown",
        InvolutionEvidence::Points => "tried",
    }
}

/// Reads the move of the options. Returns `None` if there is none.
fn read_move(
    options: &InferOptions,
    library: &TheorySession,
    program: &ProbabilisticProgram,
) -> Result<Option<InvolutiveProposal>, Diagnostic> {
    let Some(involution) = &options.involution else { return Ok(None) };
    if options.by != SamplingMethod::Involutive {
        let by = options.by.method_name();
        return Err(Diagnostic::invalid_input(format!(
            "error: --move is a proposal of the sampler involutive, not of {by}\n  = help: add --by involutive"
        )));
    }
    let source = |name: &str, text: &String| Arc::new(SourceText::new(name, text.as_str()));
    let auxiliary = options.auxiliary.as_ref().map(|text| source("auxiliary", text));
    read_involutive_proposal(&library.session, program, &source("move", involution), auxiliary.as_ref()).map(Some)
}

/// Samples the program, then encloses its mean. The second is `None` if the mean is not certified, or too wide to
/// compare; the third if no move is given.
fn sample_and_certify(
    options: &InferOptions,
    library: &TheorySession,
    limits: &Limits,
) -> Result<(SampleEstimate, Option<Enclosure>, Option<InvolutionEvidence>), Diagnostic> {
    let source = Arc::new(SourceText::new("model", options.model.as_str()));
    let program = read_probabilistic_program(&library.session, false, &source)?;
    let own = read_move(options, library, &program)?;
    let ProbabilisticProgram { term, result_type: gives, .. } = program;
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
    let found = match &own {
        None => estimate_mean(&term, &of, &settings, &half, &mut told).map(|found| (found, None)),
        Some(InvolutiveProposal { pairs, involution }) => {
            let own = UserMove { pairs, involution };
            estimate_mean_by_move(&term, &of, own, &settings, &half, &mut told).map(|(found, why)| (found, Some(why)))
        }
    };
    let certified = found.as_ref().ok().and_then(|(found, _)| {
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
    let (found, evidence) = found.map_err(|fault| match fault {
        SamplerError::Measure(fault) => library.session.measure_diagnostic(&source, fault),
        fault if fault.kind() == ErrorKind::Limit => Diagnostic::without_answer(format!("error: {fault}")),
        fault => Diagnostic::invalid_input(format!("error: {fault}")),
    })?;
    Ok((found, certified, evidence))
}
