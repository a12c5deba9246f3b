//! The test of one law or claim of a theory in one model.
//!
//! A sample of a law is a tuple of closed terms. Both sides are applied to the terms and evaluated at two tolerances,
//! within a budget of work. The budget counts work and not time, so that a seed determines the outcome. If a side has
//! no answer, or is wider than the tolerance, the sample is vacuous and does not count. A counterexample is shrunk.

mod instance;
mod relation;

pub use relation::Sides;

use super::law::{Law, Related, Relation, Right};
use super::{Claim, Statement, Theory};
use crate::failure::{ErrorKind, Failure};
use crate::law::property::{self, Trials};
use crate::meaning::taylor::hooks::{self, Hooks};
use crate::model::answer::{Answer, Cause, Meaning, MeaningError};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::syntax::library::Library;
use crate::syntax::normal;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use instance::Instance;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The outcome of the test of a statement in a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The claim holds.
    Holds,
    /// The law survived this number of samples.
    Survived(u64),
    /// The statement is wrong.
    Refuted(Refuted),
    /// No sample refuted the law, but too few could have. With the reason for the last vacuous sample.
    Vacuous(String),
    /// The statement was neither shown nor refuted. With the reason.
    Open(String),
    /// The model does not support the statement. With the construct that it lacks.
    Lacks(String),
}

/// A counterexample to a statement, with both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// A program that shows both sides at the samples: a pair, or the left side alone. `None` for a claim.
    pub program: Option<String>,
    /// The value of the left side, or the answer.
    pub left: String,
    /// The value of the right side, or the value claimed.
    pub right: String,
}

/// The configuration of a test run.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The number of samples of a law that must survive.
    pub samples: u64,
    /// The seed. The samples depend on it and on the names of the theory and the law.
    pub seed: u64,
    /// The time limit for one claim, or for one law with all its samples.
    pub timeout: Duration,
    /// The flag that stops the run when it is set.
    pub interrupted: Arc<AtomicBool>,
}

impl Default for Effort {
    /// 100 samples, and half a minute for each statement. A choice.
    fn default() -> Self {
        Self { samples: 100, seed: 0, timeout: Duration::from_secs(30), interrupted: Arc::default() }
    }
}

/// The budget of one side of one sample at one tolerance, in work units. A choice: it trades samples that end vacuous
/// for time.
const WORK: u64 = 400_000;
/// The number of samples drawn at most for each that must survive, vacuous ones included. A choice.
const DRAWN: u64 = 8;
/// The size of a random term: the largest number of heads. A choice: small terms give small counterexamples.
const SIZE: usize = 9;
/// The tolerances of the samples of a law. A survivor must reach the first; the second can only refute.
const TOLERANCES: [(i64, i64); 2] = [(1, 1_000), (1, 1_000_000_000)];
/// Returns the tolerance for both sides of a related claim, for `undefined`, and for a value claimed with tolerance 0.
fn smallest() -> Rational {
    Rational::from((1, 1_000_000_000_000_i64))
}

/// The test environment of one theory in one model.
#[derive(Clone, Copy)]
pub struct Trial<'t> {
    /// The library of the definitions.
    pub library: &'t Arc<Library>,
    /// The theory whose statements are tested.
    pub theory: &'t Theory,
    /// The model.
    pub meaning: &'static dyn Meaning,
    /// The rules of the macro that `derives` compares with `deriv`.
    pub rules: &'static dyn Hooks,
    /// The configuration.
    pub effort: &'t Effort,
}

impl<'t> Trial<'t> {
    /// Makes a test environment with the unmutated rules of the macro.
    #[must_use]
    pub fn new(
        library: &'t Arc<Library>,
        theory: &'t Theory,
        meaning: &'static dyn Meaning,
        effort: &'t Effort,
    ) -> Self {
        Self { library, theory, meaning, rules: &hooks::Library, effort }
    }

    /// Makes a budget that only time and the interruption limit.
    fn budget(&self) -> Arc<Budget> {
        Arc::new(Budget::new(u64::MAX, Some(self.effort.timeout), Some(self.effort.interrupted.clone())))
    }

    /// Tests a claim.
    #[must_use]
    pub fn claim(&self, claim: &Claim) -> Standing {
        let budget = self.budget();
        match &claim.statement {
            Statement::Rejects { refused: Ok(message), part } if message.contains(part.as_str()) => Standing::Holds,
            Statement::Rejects { refused, part } => Standing::Refuted(Refuted {
                program: None,
                left: match refused {
                    Ok(message) => format!("the message `{message}`"),
                    Err(ty) => format!("a program of type {ty}"),
                },
                right: format!("a message with `{part}`"),
            }),
            Statement::Within { term, tolerance, low, high, reached } => {
                let span = Rational::from(high - low);
                // an answer that encloses `[low, high]` cannot be narrower, so its width counts towards the tolerance
                let eps = if *reached { span + tolerance } else { tolerance.clone() };
                let eps = if eps > 0 { eps } else { smallest() };
                let claimed = relation::Claimed { tolerance, low, high, reached: *reached };
                match self.meaning.answer(term, &Ty::real(), &eps, &budget) {
                    Ok(answer) => relation::within(&answer, claimed, &eps),
                    Err(error) => without_answer(&error),
                }
            }
            Statement::Undefined(term) => {
                let eps = smallest();
                match self.meaning.answer(term, &Ty::real(), &eps, &budget) {
                    Ok(answer) => relation::undefined(&answer, &eps),
                    // ⊥ by lack of fuel is no proof: more fuel might define the value
                    Err(MeaningError::Undefined(found)) if found.cause != Cause::Fuel => Standing::Holds,
                    Err(error) => without_answer(&error),
                }
            }
            Statement::Related(related) if related.relation == Relation::NormalForm => self.normal_forms(related),
            Statement::Related(related) => {
                let eps = smallest();
                let answer = |term: &Term| self.meaning.answer(term, &related.ty, &eps, &budget);
                let sides = answer(&related.left).and_then(|left| Ok((left, answered(&related.right, answer)?)));
                match sides {
                    Ok((left, right)) => {
                        Sides::new(related.relation, &left, right.as_ref(), &related.right).claim(&eps)
                    }
                    Err(error) => without_answer(&error),
                }
            }
        }
    }

    /// Tests a law at each of its instances.
    #[must_use]
    pub fn law(&self, law: &Law) -> Standing {
        if law.statement.relation == Relation::NormalForm {
            return self.normal_forms(&law.statement);
        }
        let instances = law.instances();
        let samples = self.effort.samples.div_ceil(instances.len() as u64);
        let (mut survived, mut vacuous) = (0, None);
        // one time limit for all samples of all instances
        let clock = self.budget();
        for (index, instance) in instances.iter().enumerate() {
            let at = Instance::new(self, law, instance, &clock);
            // each instance has its own stream of samples
            let seed = seed_of(&[&self.theory.name, &law.name], self.effort.seed.wrapping_add(index as u64));
            let trials = Trials { samples, most: samples.saturating_mul(DRAWN), size: SIZE, seed };
            let over = clock.clone();
            match at.property().until(move || over.is_exhausted()).tried(trials) {
                property::Conclusion::Refuted(refutation) => {
                    let program = at.program(&refutation.witness);
                    let (left, right) = (refutation.left.clone(), refutation.right.clone());
                    return Standing::Refuted(Refuted { program: Some(program), left, right });
                }
                property::Conclusion::Survived => survived += samples,
                // a vacuous instance does not end the test: the next one may still refute
                property::Conclusion::Vacuous { drawn } => vacuous = Some(at.why_vacuous(drawn)),
            }
        }
        // one vacuous instance makes the law vacuous, however many samples of the others survived
        vacuous.unwrap_or(Standing::Survived(survived))
    }

    /// Compares βη-normal forms. No samples are needed.
    fn normal_forms(&self, related: &Related) -> Standing {
        let Right::Term(right) = &related.right else {
            return Standing::Open("only programs have normal forms".to_owned());
        };
        match (normal::normalise(&related.left), normal::normalise(right)) {
            (Ok(left), Ok(right)) if left == right => Standing::Holds,
            (Ok(left), Ok(right)) => {
                let text = |form: &normal::Normal| form.program(self.library, Some(&self.theory.name));
                let text = |form: &normal::Normal| text(form).unwrap_or_else(|error| error.to_string());
                Standing::Refuted(Refuted { program: None, left: text(&left), right: text(&right) })
            }
            (Err(error), _) | (_, Err(error)) => Standing::Open(error.to_string()),
        }
    }
}

/// Evaluates the right side if it is a program. Returns `None` for an interval and for the result of the macro.
fn answered(
    right: &Right,
    answer: impl FnOnce(&Term) -> Result<Answer, MeaningError>,
) -> Result<Option<Answer>, MeaningError> {
    match right {
        Right::Term(term) => answer(term).map(Some),
        Right::Interval(..) | Right::Derived => Ok(None),
    }
}

/// Returns the outcome for an evaluation that failed. A model that contradicts itself has no value there, so the
/// statement is refuted in it.
fn without_answer(error: &MeaningError) -> Standing {
    if error.kind() == ErrorKind::Contradiction {
        let (left, right) = (error.to_string(), "one number".to_owned());
        return Standing::Refuted(Refuted { program: None, left, right });
    }
    match error.lacks() {
        Some(lacks) => Standing::Lacks(lacks.construct.clone()),
        None => Standing::Open(error.to_string()),
    }
}

/// Returns a seed that depends on `names` and `seed`.
fn seed_of(names: &[&str], seed: u64) -> u64 {
    // FNV-1a of 64 bits; a zero byte ends each name, so that `ab, c` and `a, bc` differ.
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0])).chain(seed.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
