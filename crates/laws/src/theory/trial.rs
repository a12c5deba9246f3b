//! The test of one law or claim of a theory in one model.
//!
//! A sample of a law is a tuple of closed terms. Both sides are applied to the terms and evaluated at two tolerances,
//! within a budget of work. The budget counts work and not time, so that a seed determines the outcome. If a side has
//! no answer, or is wider than the tolerance, the sample is vacuous and does not count. A counterexample is shrunk.
//!
//! `e derives R` compares, in one model, the nested `deriv`s of e with the derived program at the jets of the
//! numbers. A term former `derive` would need a meaning in every model. Samples of other variables are substituted
//! first, since the macro takes closed programs.

mod instance;
mod relation;

pub use relation::ComparedSides;

use super::law::{RelatedTerms, RightSide, StatementRelation, TheoryLaw};
use super::{ClaimStatement, Theory, TheoryClaim};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::law::property::{self, TestConfig};
use crate::meaning::taylor::hooks::{self, TaylorHooks};
use crate::model::answer::{ProgramAnswer, Semantics, SemanticsError, UndefinedCause};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::syntax::library::Library;
use crate::syntax::normal;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use instance::LawInstance;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The outcome of the test of a statement in a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementOutcome {
    /// The claim holds.
    Holds,
    /// The law survived this number of samples.
    Survived(u64),
    /// The statement is wrong.
    Refuted(StatementRefutation),
    /// No sample refuted the law, but too few could have. With the reason for the last vacuous sample.
    Vacuous(String),
    /// The statement was neither shown nor refuted. With the reason.
    Undecided(String),
    /// The model does not support the statement. With the construct that it lacks.
    Unsupported(String),
}

/// A counterexample to a statement, with both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementRefutation {
    /// A program that shows both sides at the samples: a pair, or the left side alone. `None` for a claim.
    pub program: Option<String>,
    /// The value of the left side, or the answer.
    pub left: String,
    /// The value of the right side, or the value claimed.
    pub right: String,
}

/// The configuration of a test run.
#[derive(Clone, Debug)]
pub struct StatementTestConfig {
    /// The number of samples of a law that must survive.
    pub samples: u64,
    /// The seed. The samples depend on it and on the names of the theory and the law.
    pub seed: u64,
    /// The time limit for one claim, or for one law with all its samples.
    pub timeout: Duration,
    /// The flag that stops the run when it is set.
    pub interrupted: Arc<AtomicBool>,
}

impl Default for StatementTestConfig {
    /// 100 samples, and half a minute for each statement. A choice.
    fn default() -> Self {
        Self { samples: 100, seed: 0, timeout: Duration::from_secs(30), interrupted: Arc::default() }
    }
}

/// The budget of one side of one sample at one tolerance, in work units. A choice: it trades samples that end vacuous
/// for time.
const SAMPLE_BUDGET: u64 = 400_000;
/// The number of samples drawn at most for each that must survive, vacuous ones included. A choice.
const DRAWS_PER_SAMPLE: u64 = 8;
/// The size of a random term: the largest number of heads. A choice: small terms give small counterexamples.
const MOST_HEADS: usize = 9;
/// The tolerances of the samples of a law. A survivor must reach the first; the second can only refute.
const TOLERANCES: [(i64, i64); 2] = [(1, 1_000), (1, 1_000_000_000)];
/// Returns the tolerance for both sides of a related claim, for `undefined`, and for a value claimed with tolerance 0.
fn claim_tolerance() -> Rational {
    Rational::from((1, 1_000_000_000_000_i64))
}

/// The test environment of one theory in one model.
#[derive(Clone, Copy)]
pub struct StatementTest<'t> {
    /// The library of the definitions.
    pub library: &'t Arc<Library>,
    /// The theory whose statements are tested.
    pub theory: &'t Theory,
    /// The model.
    pub meaning: &'static dyn Semantics,
    /// The rules of the macro that `derives` compares with `deriv`.
    pub hooks: &'static dyn TaylorHooks,
    /// The configuration.
    pub effort: &'t StatementTestConfig,
}

impl<'t> StatementTest<'t> {
    /// Makes a test environment with the unmutated rules of the macro.
    #[must_use]
    pub fn new(
        library: &'t Arc<Library>,
        theory: &'t Theory,
        meaning: &'static dyn Semantics,
        effort: &'t StatementTestConfig,
    ) -> Self {
        Self { library, theory, meaning, hooks: &hooks::DefaultTaylorHooks, effort }
    }

    /// Makes a budget that only time and the interruption limit.
    fn time_budget(&self) -> Arc<Budget> {
        Arc::new(Budget::new(u64::MAX, Some(self.effort.timeout), Some(self.effort.interrupted.clone())))
    }

    /// Tests a claim.
    #[must_use]
    pub fn test_claim(&self, claim: &TheoryClaim) -> StatementOutcome {
        let budget = self.time_budget();
        match &claim.statement {
            ClaimStatement::Rejects { refused: Ok(message), part } if message.contains(part.as_str()) => {
                StatementOutcome::Holds
            }
            ClaimStatement::Rejects { refused, part } => StatementOutcome::Refuted(StatementRefutation {
                program: None,
                left: match refused {
                    Ok(message) => format!("the message `{message}`"),
                    Err(ty) => format!("a program of type {ty}"),
                },
                right: format!("a message with `{part}`"),
            }),
            ClaimStatement::Within { term, tolerance, low, high, reached } => {
                let span = Rational::from(high - low);
                // an answer that encloses `[low, high]` cannot be narrower, so its width counts towards the tolerance
                let eps = if *reached { span + tolerance } else { tolerance.clone() };
                let eps = if eps > 0 { eps } else { claim_tolerance() };
                let claimed = relation::WithinClaim { tolerance, low, high, reached: *reached };
                match self.meaning.evaluate(term, &Ty::real(), &eps, &budget) {
                    Ok(answer) => relation::within_outcome(&answer, claimed, &eps),
                    Err(error) => outcome_of_error(&error),
                }
            }
            ClaimStatement::Undefined(term) => {
                let eps = claim_tolerance();
                match self.meaning.evaluate(term, &Ty::real(), &eps, &budget) {
                    Ok(answer) => relation::undefined_outcome(&answer, &eps),
                    // ⊥ by lack of fuel is no proof: more fuel might define the value
                    Err(SemanticsError::Undefined(found)) if found.cause != UndefinedCause::Fuel => {
                        StatementOutcome::Holds
                    }
                    Err(error) => outcome_of_error(&error),
                }
            }
            ClaimStatement::Related(related) if related.relation == StatementRelation::NormalForm => {
                self.compare_normal_forms(related)
            }
            ClaimStatement::Related(related) => {
                let eps = claim_tolerance();
                let answer = |term: &Term| self.meaning.evaluate(term, &related.ty, &eps, &budget);
                let sides =
                    answer(&related.left).and_then(|left| Ok((left, evaluate_right_side(&related.right, answer)?)));
                match sides {
                    Ok((left, right)) => {
                        ComparedSides::new(related.relation, &left, right.as_ref(), &related.right).claim_outcome(&eps)
                    }
                    Err(error) => outcome_of_error(&error),
                }
            }
        }
    }

    /// Tests a law at each of its instances.
    #[must_use]
    pub fn test_law(&self, law: &TheoryLaw) -> StatementOutcome {
        if law.statement.relation == StatementRelation::NormalForm {
            return self.compare_normal_forms(&law.statement);
        }
        let instances = law.instance_types();
        let samples = self.effort.samples.div_ceil(instances.len() as u64);
        let (mut survived, mut vacuous) = (0, None);
        // one time limit for all samples of all instances
        let clock = self.time_budget();
        for (index, instance) in instances.iter().enumerate() {
            let at = LawInstance::new(self, law, instance, &clock);
            // each instance has its own stream of samples
            let seed = seed_of(&[&self.theory.name, &law.name], self.effort.seed.wrapping_add(index as u64));
            let trials =
                TestConfig { samples, max_samples: samples.saturating_mul(DRAWS_PER_SAMPLE), size: MOST_HEADS, seed };
            let over = clock.clone();
            match at.to_property().stop_when(move || over.is_exhausted()).run_tests(trials) {
                property::TestOutcome::Refuted(refutation) => {
                    let program = at.counterexample_program(&refutation.witness);
                    let (left, right) = (refutation.left.clone(), refutation.right.clone());
                    return StatementOutcome::Refuted(StatementRefutation { program: Some(program), left, right });
                }
                property::TestOutcome::Survived => survived += samples,
                // a vacuous instance does not end the test: the next one may still refute
                property::TestOutcome::Vacuous { drawn } => vacuous = Some(at.why_vacuous(drawn)),
            }
        }
        // one vacuous instance makes the law vacuous, however many samples of the others survived
        vacuous.unwrap_or(StatementOutcome::Survived(survived))
    }

    /// Compares βη-normal forms. No samples are needed.
    fn compare_normal_forms(&self, related: &RelatedTerms) -> StatementOutcome {
        let RightSide::Term(right) = &related.right else {
            return StatementOutcome::Undecided("only programs have normal forms".to_owned());
        };
        match (normal::normalise(&related.left), normal::normalise(right)) {
            (Ok(left), Ok(right)) if left == right => StatementOutcome::Holds,
            (Ok(left), Ok(right)) => {
                let text = |form: &normal::BetaEtaNormalForm| form.to_program(self.library, Some(&self.theory.name));
                let text = |form: &normal::BetaEtaNormalForm| text(form).unwrap_or_else(|error| error.to_string());
                StatementOutcome::Refuted(StatementRefutation { program: None, left: text(&left), right: text(&right) })
            }
            (Err(error), _) | (_, Err(error)) => StatementOutcome::Undecided(error.to_string()),
        }
    }
}

/// Evaluates the right side if it is a program. Returns `None` for an interval and for the result of the macro.
fn evaluate_right_side(
    right: &RightSide,
    answer: impl FnOnce(&Term) -> Result<ProgramAnswer, SemanticsError>,
) -> Result<Option<ProgramAnswer>, SemanticsError> {
    match right {
        RightSide::Term(term) => answer(term).map(Some),
        RightSide::Interval(..) | RightSide::Derived => Ok(None),
    }
}

/// Returns the outcome for an evaluation that failed. A model that contradicts itself has no value there, so the
/// statement is refuted in it.
fn outcome_of_error(error: &SemanticsError) -> StatementOutcome {
    if error.kind() == ErrorKind::DisjointEnclosures {
        let (left, right) = (error.to_string(), "one number".to_owned());
        return StatementOutcome::Refuted(StatementRefutation { program: None, left, right });
    }
    match error.unsupported_construct() {
        Some(lacks) => StatementOutcome::Unsupported(lacks.construct.clone()),
        None => StatementOutcome::Undecided(error.to_string()),
    }
}

/// Returns a seed that depends on `names` and `seed`.
fn seed_of(names: &[&str], seed: u64) -> u64 {
    // FNV-1a of 64 bits; a zero byte ends each name, so that `ab, c` and `a, bc` differ.
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0])).chain(seed.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
