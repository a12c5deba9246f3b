//! Certified normalising constants and expectations of programs that sample ([Lew et al. 2021](crate::refs::LEW_2021),
//! W §4).
//!
//! An expectation is a question about a program, not a term of the language: it is not piecewise analytic in general
//! (W29). A program of type `P A` is run along its paths. Each path is an integral over the region where its draws lie,
//! and the contributions of the paths are summed.
//!
//! | module | what it holds |
//! |---|---|
//! | [`distribution`] | distributions: supports and densities |
//! | [`vocabulary`] | the values of the theory `Trace`, read by the names of their constructors |
//! | [`demand`] | constraints on the parameters of distributions |
//! | [`draws`] | symbolic runs along a path, with draws as coordinates and decisions replayed |
//! | [`explore`] | the paths in order of decreasing probability, and a bound on those not followed |
//! | [`loops`] | states of loops, what they return, and bounds of what is left of a mean |
//! | [`cells`] | decompositions of sets given by guards into cells, with maps as boundaries |
//! | [`integral`], [`contribution`] | contributions of paths: as maps of the parameter, and as numbers |
//! | [`cubature`] | groups of draws integrated jointly, over boxes |
//! | [`eliminate`] | linear substitutions that make a guard a coordinate; closed integrals over normal draws |
//! | [`polytope`] | exact integrals of polynomials over uniform draws under affine guards |
//! | [`kernel`] | products of powers and exponentials in one draw: around their peak, and in closed form |
//! | [`range`] | densities as products of powers; signs of maps on a path, from their form; partial derivatives of maps, as maps |
//! | [`mod@range`] | ranges of maps over boxes of draws |
//! | [`majorant`], [`moment`] | polynomial bounds of maps, and their means: bounds of tails |
//! | `sum` | sums over numbers of trials in closed form; sums over paths, and quotients of them |
//! | [`evidence`] | normalising constants to a relative accuracy, and their logarithms |
//! | [`estimator`] | estimators of gradients: their means, compared with the gradient |
//! | [`support`] | supports of programs: charts of several dimensions |
//! | [`change`] | densities of pushforwards of programs |
//! | [`volume`] | volumes of analytic sets in a box: cells of piecewise analytic functions |
//! | [`hooks`] | replaceable rules, for mutation testing |
//!
//! | unexplored paths | contribution to the enclosure |
//! |---|---|
//! | of probability p, in a program without scores | between 0 and p |
//! | of probability p, with weights assumed to be at most M | between 0 and M·p |
//! | of probability p, with unbounded weights | between 0 and ∞ |
//!
//! Nothing is claimed without proof: the contribution of unexplored paths to a derivative is unbounded.

pub mod cells;
pub mod change;
pub mod contribution;
pub mod cubature;
pub mod demand;
pub mod distribution;
pub mod draws;
pub mod eliminate;
pub mod estimator;
pub mod evidence;
pub mod explore;
pub mod hooks;
pub mod integral;
pub mod kernel;
pub mod loops;
pub mod majorant;
pub mod moment;
pub mod polytope;
pub mod range;
mod sum;
pub mod support;
pub mod vocabulary;
pub mod volume;

use crate::failure::{ErrorKind, ErrorWithKind};
use crate::model::answer::SemanticsError;
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Rational};
use crate::syntax::term::Term;
use crate::value::UndefinedValue;
use hooks::MeasureHooks;
use loops::BoundError;
use std::sync::Arc;
use sum::PathSum;

/// A probabilistic program of type `P A`, or `Real -> P A`, with the function whose mean is wanted.
#[derive(Clone, Copy, Debug)]
pub struct ProbabilisticModel<'a> {
    /// The program.
    pub program: &'a Term,
    /// `true` if the program is a function of a parameter.
    pub takes_parameter: bool,
    /// The function of the values, `A -> Real`, whose mean is wanted. `None` for the normalising constant.
    pub mean_of: Option<&'a Term>,
    /// A bound of what is left of the program's loop, as a function of the arguments of its calls. `None` if one is to be found.
    pub loop_bound: Option<&'a Term>,
    /// The replaceable rules.
    pub hooks: &'static dyn MeasureHooks,
}

impl<'a> ProbabilisticModel<'a> {
    /// Makes a model under the rules of the library.
    #[must_use]
    pub fn new(program: &'a Term, takes_parameter: bool, mean_of: Option<&'a Term>) -> Self {
        Self { program, takes_parameter, mean_of, loop_bound: None, hooks: &hooks::DefaultMeasureHooks }
    }
}

/// A question about a model: a derivative at a place, and a width.
#[derive(Clone, Debug)]
pub struct MeasureQuestion {
    /// The value of the parameter. `None` if the model has no parameter.
    pub parameter: Option<Rational>,
    /// The order of the derivative in the parameter; 0 for the number itself.
    pub derivative_order: u32,
    /// An assumed upper bound on every product of weights. The answer lists the assumption.
    pub weight_bound: Option<Rational>,
    /// The greatest width of the answer.
    pub eps: Rational,
}

/// An answer to a question about a model.
#[derive(Clone, Debug)]
pub struct MeasureAnswer {
    /// An enclosure of the number. It is defined only if the number is shown to exist.
    pub enclosure: Enclosure,
    /// The number of paths that contribute.
    pub paths: usize,
    /// The number of paths that were not followed to an end, or not integrated.
    pub open_paths: usize,
    /// An enclosure whose upper end bounds the probability of all open paths, waiting tails included.
    pub unexplored_probability: Enclosure,
    /// The assumptions made.
    pub assumptions: Vec<String>,
    /// `true` if an assumption was made that the question does not state, such as that a score is not negative.
    pub has_unproved_assumption: bool,
    /// The reason why the enclosure is wider than requested. `None` if it is not, or if no reason is known.
    pub width_reason: Option<String>,
}

/// An error in a question, or a reason why it has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// An error of the program's semantics.
    #[error(transparent)]
    Meaning(#[from] SemanticsError),
    /// A score is negative.
    #[error("a score is negative: every weight must be at least 0")]
    NegativeScore,
    /// A parameter of a distribution violates its constraint, or is not shown to satisfy it.
    #[error("{what} is not {}{has_to_be}{}", if *.certain { "" } else { "shown to be " }, if *.nearby { NEARBY_MESSAGE } else { "" })]
    ParameterConstraint {
        /// The name of the parameter and its distribution.
        what: &'static str,
        /// The constraint, in words.
        has_to_be: &'static str,
        /// `true` if the constraint certainly fails with positive probability; `false` if it is only unproved.
        certain: bool,
        /// `true` if the constraint must hold for all parameters of the program near the place, as for a derivative.
        nearby: bool,
    },
    /// The program or its weight is undefined with positive probability.
    #[error("with positive probability the program has no value: {0}")]
    Undefined(UndefinedValue),
    /// The program uses `score` or `observe`, where only draws are allowed.
    #[error(
        "the estimators of gradients, and the number of calls of a loop, need a program without `score` and `observe`; this one weighs its \
         runs\n  = help: `expect --deriv 1` encloses the gradient itself"
    )]
    WeightsRuns,
    /// A bound of what is left of a loop is not accepted.
    #[error(transparent)]
    LoopBound(#[from] BoundError),
    /// The program has no loop whose calls are understood.
    #[error(
        "the program has no loop whose calls are understood: no recursive function with numbers as its arguments, or several, or its \
         calls are not its last steps\n  = help: a loop is written as let rec go (s : Real) : P Real = do {{ …; go (s + 1) }} in go 0"
    )]
    NoLoop,
    /// The normalising constant is 0, so there is no normalised distribution.
    #[error("the normalising constant is 0: no run has a positive weight")]
    ZeroNormalisingConstant,
}

/// The end of the message for a constraint that must hold near the place.
const NEARBY_MESSAGE: &str = " for all parameters of the program near the place, as a derivative demands";

impl ErrorWithKind for MeasureError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Meaning(error) => error.kind(),
            Self::ParameterConstraint { certain: false, .. } | Self::LoopBound(BoundError::Unproved) => {
                ErrorKind::Limit
            }
            _ => ErrorKind::InvalidInput,
        }
    }
}

impl MeasureError {
    /// Returns `true` if the error is about the numbers of the program, which then has no answer, and not about its
    /// form.
    #[must_use]
    pub fn has_no_answer(&self) -> bool {
        matches!(
            self,
            Self::Undefined(_)
                | Self::ZeroNormalisingConstant
                | Self::ParameterConstraint { certain: false, .. }
                | Self::LoopBound(BoundError::Unproved)
        )
    }
}

/// Encloses the normalising constant of a program: the mean of the product of its weights, or a derivative of it in the
/// parameter.
///
/// # Errors
/// Every cause of [`MeasureError`] but `WeightsRuns` and `ZeroNormalisingConstant`.
pub fn normalising_constant(
    program: &Term,
    takes_parameter: bool,
    question: &MeasureQuestion,
    budget: &Arc<Budget>,
) -> Result<MeasureAnswer, MeasureError> {
    answer_question(&ProbabilisticModel::new(program, takes_parameter, None), question, budget)
}

/// Encloses the mean of a function of a program's value, or a derivative of it in the parameter.
///
/// The distribution is the normalised one, so derivatives include those of the normalising constant.
///
/// # Errors
/// Every cause of [`MeasureError`] but `WeightsRuns`.
pub fn enclose_expectation(
    program: &Term,
    takes_parameter: bool,
    of: &Term,
    question: &MeasureQuestion,
    budget: &Arc<Budget>,
) -> Result<MeasureAnswer, MeasureError> {
    answer_question(&ProbabilisticModel::new(program, takes_parameter, Some(of)), question, budget)
}

/// Answers a question about a model, to the width `question.eps`.
///
/// # Errors
/// Every cause of [`MeasureError`] but `WeightsRuns`.
pub fn answer_question(
    model: &ProbabilisticModel<'_>,
    question: &MeasureQuestion,
    budget: &Arc<Budget>,
) -> Result<MeasureAnswer, MeasureError> {
    answer_to_accuracy(model, question, &Accuracy::within(question.eps.clone()), budget)
}

/// Answers a question about a model, to an absolute or relative accuracy. The width of the question is not used.
///
/// # Errors
/// Every cause of [`MeasureError`] but `WeightsRuns`.
pub fn answer_to_accuracy(
    model: &ProbabilisticModel<'_>,
    question: &MeasureQuestion,
    accuracy: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<MeasureAnswer, MeasureError> {
    refine_answer(model, question, accuracy, budget, |sum, question| match model.mean_of {
        // without a function of the values, the normalising constant is wanted
        None => sum.normalising_constant(question, accuracy),
        Some(_) => sum.normalised_mean(question, accuracy),
    })
}

/// The first refinement of the bound on unexplored paths, in powers of two. A choice: more paths per round against
/// further rounds.
const FIRST_REFINEMENT_BITS: i64 = 12;

/// The greatest number of explorations for one answer. A choice: `next_width` doubles, so the sixth asks for 2⁻³⁷².
const MAX_EXPLORATIONS: u32 = 6;

/// Answers a question by `asked`, and explores more paths while the unexplored ones make the enclosure too wide.
fn refine_answer(
    model: &ProbabilisticModel<'_>,
    question: &MeasureQuestion,
    accuracy: &Accuracy,
    budget: &Arc<Budget>,
    asked: impl Fn(PathSum, &MeasureQuestion) -> Result<MeasureAnswer, MeasureError>,
) -> Result<MeasureAnswer, MeasureError> {
    let mut question = MeasureQuestion { eps: evidence::first_width(accuracy), ..question.clone() };
    let (mut finer, mut attempt) = (0, 0);
    let mut best: Option<MeasureAnswer> = None;
    loop {
        attempt += 1;
        let sum = PathSum::explore_model(model, &question, finer, budget)?;
        let may_go_on = sum.may_explore_further();
        let mut answer = asked(sum, &question)?;
        if let Some(before) = best {
            let both = answer.enclosure.intersection(&before.enclosure);
            // both attempts are proofs, so their intersection encloses the number; disjoint enclosures leave the newer
            // one
            answer.enclosure = both.unwrap_or(answer.enclosure);
        }
        let is_enough = evidence::meets_accuracy(accuracy, &answer.enclosure);
        if is_enough {
            // the reason belongs to the previous width
            answer.width_reason = None;
        }
        let found = &answer.enclosure;
        let is_last = attempt == MAX_EXPLORATIONS || !found.is_bounded() || budget.is_exhausted();
        if is_last || is_enough {
            return Ok(answer);
        }
        // the integrals are accurate enough by themselves: an excess of width comes from unexplored paths
        if !found.has_width_at_most(&question.eps) {
            if !may_go_on {
                return Ok(answer);
            }
            finer = 2 * finer + FIRST_REFINEMENT_BITS;
        }
        if accuracy.is_relative() {
            question.eps = evidence::next_width(accuracy, found, &question.eps);
        }
        best = Some(answer);
    }
}
