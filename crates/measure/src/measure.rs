//! Certified masses and expectations of programs that sample ([Lew et al. 2021](crate::refs::LEW_2021), W §4).
//!
//! An expectation is a question about a program, not a term of the language: it is not piecewise analytic in general (W29). A program
//! of type `P A` is run along its paths, each an integral over where its draws lie, and what the paths contribute is summed.
//!
//! | module | what it holds |
//! |---|---|
//! | [`distribution`] | distributions: where draws lie, and how likely they are |
//! | [`vocabulary`] | the values of the theory `Trace`, read by the names of their constructors |
//! | [`demand`] | what parameters of distributions have to be |
//! | [`draws`] | a run along a path, with draws as coordinates and decisions replayed |
//! | [`explore`] | the paths, the likeliest first, and what is left of them |
//! | [`cells`] | sets that guards cut out, by borders that are maps |
//! | [`integral`], [`contribution`] | what a path contributes: as maps of the parameter, and as numbers |
//! | [`boxes`], [`cubature`] | draws that are integrated over all at once, in boxes |
//! | [`shear`], [`eliminate`] | guards as draws; normal draws integrated over in closed form |
//! | [`kernel`] | products of powers and exponentials in one draw: about their peak, and in closed form |
//! | [`mod@powers`] | densities as products of powers |
//! | [`mod@range`] | values of maps where draws lie |
//! | [`sign`] | signs of maps on a path, by their form |
//! | [`majorant`], [`moment`] | bounds of maps by polynomials, and their means: what lies far out |
//! | [`trials`] | sums over numbers of trials in closed form |
//! | [`evidence`] | masses to an accuracy that is relative to them, and their logarithms |
//! | [`estimator`] | estimators of gradients: their means, beside the gradient |
//! | [`mod@slope`] | slopes of maps, as maps |
//! | [`support`] | what a program is supported on: charts of several dimensions |
//! | [`change`] | densities of what a map makes of a program's values |
//! | `sum` | sums over paths, and quotients of them |
//! | [`hooks`] | what they do, for mutants |
//!
//! | what is left of the paths | is counted as |
//! |---|---|
//! | of chance c, in a program without scores | between 0 and c |
//! | of chance c, with weights that are at most M, which is assumed | between 0 and M·c |
//! | of chance c, with weights of which nothing is known | between 0 and ∞ |
//!
//! What is not proved is not claimed: where a derivative of what is left is wanted, nothing is known of it.

pub mod boxes;
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
pub mod majorant;
pub mod moment;
pub mod powers;
pub mod range;
pub mod shear;
pub mod sign;
pub mod slope;
mod sum;
pub mod support;
pub mod trials;
pub mod vocabulary;

use crate::failure::{ErrorKind, Failure};
use crate::model::answer::MeaningError;
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Rational};
use crate::syntax::term::Term;
use crate::value::Undefined;
use hooks::Hooks;
use std::sync::Arc;
use sum::Sum;

/// A program that samples, of type `P A`, or `Real -> P A`.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The program.
    pub program: &'a Term,
    /// Whether it is a function of a parameter.
    pub takes_parameter: bool,
    /// What is asked of its values, `A -> Real`; without it the mass is asked for.
    pub of: Option<&'a Term>,
    /// What is asked where a rule may be replaced.
    pub hooks: &'static dyn Hooks,
}

impl<'a> Model<'a> {
    /// A model under the rules of the library.
    #[must_use]
    pub fn new(program: &'a Term, takes_parameter: bool, of: Option<&'a Term>) -> Self {
        Self { program, takes_parameter, of, hooks: &hooks::Library }
    }
}

/// What is asked of a model.
#[derive(Clone, Debug)]
pub struct Question {
    /// The place of the parameter, where the model has one.
    pub at: Option<Rational>,
    /// Which derivative in it.
    pub order: u32,
    /// What no product of weights is greater than: an assumption, of which the answer says that it was made.
    pub weight_at_most: Option<Rational>,
    /// How wide the answer may be.
    pub eps: Rational,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// An enclosure of the number. It is not defined where the number is not shown to exist.
    pub enclosure: Enclosure,
    /// How many paths contribute to it.
    pub paths: usize,
    /// How many paths were not followed to an end, or not integrated.
    pub open: usize,
    /// At most the chance of all these, waiting tails included.
    pub rest: Enclosure,
    /// What was assumed.
    pub assumed: Vec<String>,
    /// Whether something of that is an assumption that nobody asked for, as that no score is negative where that was not shown.
    pub unproved: bool,
    /// Why it is no narrower than was asked, where it is not and that is known.
    pub why: Option<String>,
}

/// What is wrong with a question, or why it has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The program.
    #[error(transparent)]
    Meaning(#[from] MeaningError),
    /// A weight is negative.
    #[error("a score is negative, and weights are not")]
    NegativeScore,
    /// A parameter of a distribution is not what it has to be.
    #[error("{what} is not {}{has_to_be}{}", if *.certain { "" } else { "shown to be " }, if *.nearby { NEARBY } else { "" })]
    Distribution {
        /// Which parameter of which distribution.
        what: &'static str,
        /// What it has to be.
        has_to_be: &'static str,
        /// Whether it is certain that it is not, with some chance.
        certain: bool,
        /// Whether it has to be so for all parameters of the program near the place, since a derivative is wanted.
        nearby: bool,
    },
    /// The program has no value, or its weight has none, with some chance.
    #[error("with some chance the program has no value: {0}")]
    Undefined(Undefined),
    /// The program weighs its runs.
    #[error(
        "the program weighs its runs by `score` or `observe`, and the estimators of gradients are for programs that only draw\n  = help: `expect \
         --deriv 1` encloses the gradient itself"
    )]
    Scored,
    /// The mass is 0, so that no distribution is proportional to it.
    #[error("the mass is 0: nothing that may be drawn has a positive weight")]
    NoMass,
}

const NEARBY: &str = " for all parameters of the program near the place, as a derivative demands";

impl Failure for Fault {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Meaning(error) => error.kind(),
            Self::Distribution { certain: false, .. } => ErrorKind::Limit,
            _ => ErrorKind::Wrong,
        }
    }
}

impl Fault {
    /// Whether it is about the numbers of the program, which then has no answer, and not about its form.
    #[must_use]
    pub fn has_no_answer(&self) -> bool {
        matches!(self, Self::Undefined(_) | Self::NoMass | Self::Distribution { certain: false, .. })
    }
}

/// The mass of a program that samples: the mean of the product of its weights, or a derivative of it in the parameter.
///
/// # Errors
/// [`Fault`]
pub fn normaliser(
    program: &Term,
    takes_parameter: bool,
    question: &Question,
    budget: &Arc<Budget>,
) -> Result<Answer, Fault> {
    ask(&Model::new(program, takes_parameter, None), question, budget)
}

/// The mean of a function of what a program gives, in the distribution proportional to its weights, or a derivative of it in the parameter:
/// the mass is divided by, and its derivatives count.
///
/// # Errors
/// [`Fault`]
pub fn expect(
    program: &Term,
    takes_parameter: bool,
    of: &Term,
    question: &Question,
    budget: &Arc<Budget>,
) -> Result<Answer, Fault> {
    ask(&Model::new(program, takes_parameter, Some(of)), question, budget)
}

/// What is asked of a model.
///
/// # Errors
/// [`Fault`]
pub fn ask(model: &Model<'_>, question: &Question, budget: &Arc<Budget>) -> Result<Answer, Fault> {
    to_accuracy(model, question, &Accuracy::within(question.eps.clone()), budget)
}

/// What is asked of a model, to an accuracy.
fn to_accuracy(
    model: &Model<'_>,
    question: &Question,
    accuracy: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<Answer, Fault> {
    refined(model, question, accuracy, budget, |sum, question| match model.of {
        None => sum.mass(question, accuracy),
        Some(_) => sum.mean(question, accuracy),
    })
}

/// How much less likely what is left has to be, as powers of two, the first time that it was too likely.
const FINER: i64 = 12;

/// How often paths are followed anew.
const ATTEMPTS: u32 = 6;

/// An answer, with more paths where those that are left make it wide.
fn refined(
    model: &Model<'_>,
    question: &Question,
    accuracy: &Accuracy,
    budget: &Arc<Budget>,
    asked: impl Fn(Sum, &Question) -> Result<Answer, Fault>,
) -> Result<Answer, Fault> {
    let mut question = Question { eps: evidence::first(accuracy), ..question.clone() };
    let (mut finer, mut attempt) = (0, 0);
    let mut best: Option<Answer> = None;
    loop {
        attempt += 1;
        let sum = Sum::of(model, &question, finer, budget)?;
        let may_go_on = sum.may_go_on();
        let mut answer = asked(sum, &question)?;
        if let Some(before) = best {
            let both = answer.enclosure.intersection(&before.enclosure);
            answer.enclosure = both.unwrap_or(answer.enclosure);
        }
        let is_enough = evidence::is_enough(accuracy, &answer.enclosure);
        if is_enough {
            answer.why = None;
        }
        let found = &answer.enclosure;
        let is_last = attempt == ATTEMPTS || !found.is_bounded() || budget.is_exhausted();
        if is_last || is_enough {
            return Ok(answer);
        }
        // what is wider than it was asked for is so because of the paths that are left
        if !found.is_within(&question.eps) {
            if !may_go_on {
                return Ok(answer);
            }
            finer = 2 * finer + FINER;
        }
        if accuracy.is_relative() {
            question.eps = evidence::finer(accuracy, found, &question.eps);
        }
        best = Some(answer);
    }
}
