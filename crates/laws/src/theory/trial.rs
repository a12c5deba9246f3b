//! One law or claim of a theory, tried in one model.
//!
//! A sample of a law is a tuple of closed terms. Both sides are applied to them and asked for at two tolerances, within a
//! budget that counts work and not time, so that a seed decides the outcome. A side that has no answer, or is not as narrow
//! as was asked, says nothing: the sample is vacuous, and does not count. What refutes is made smaller.

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

/// What became of a statement in a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A claim holds.
    Holds,
    /// A law survived so many samples.
    Survived(u64),
    /// It is wrong.
    Refuted(Refuted),
    /// Nothing refuted it, but too few samples said anything; and why the last did not.
    Vacuous(String),
    /// Neither was shown, and why.
    Open(String),
    /// The model lacks something, and what.
    Lacks(String),
}

/// Why a statement is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// A program that shows both sides at the samples: a pair, or one side. Nothing for a claim.
    pub program: Option<String>,
    /// The left side, or what was computed.
    pub left: String,
    /// The right side, or what is claimed.
    pub right: String,
}

/// How hard statements are tried.
#[derive(Clone, Debug)]
pub struct Effort {
    /// How many samples of a law must survive.
    pub samples: u64,
    /// What the samples depend on, together with the names of theory and law.
    pub seed: u64,
    /// How long one claim may take, or one law with all its samples.
    pub timeout: Duration,
    /// Set when everything is to stop.
    pub interrupted: Arc<AtomicBool>,
}

impl Default for Effort {
    /// 100 samples, half a minute.
    fn default() -> Self {
        Self { samples: 100, seed: 0, timeout: Duration::from_secs(30), interrupted: Arc::default() }
    }
}

/// The work that one side of one sample may take at one tolerance.
const WORK: u64 = 400_000;
/// So many samples are drawn for each that must survive.
const DRAWN: u64 = 8;
/// How many heads a sample has, at most.
const SIZE: usize = 9;
/// The tolerances of laws: of survivors, the first must be reached.
const TOLERANCES: [(i64, i64); 2] = [(1, 1_000), (1, 1_000_000_000)];
/// The tolerance to which both sides of a claim are asked, and a value claimed without one.
fn smallest() -> Rational {
    Rational::from((1, 1_000_000_000_000_i64))
}

/// A model in which a theory is tried.
#[derive(Clone, Copy)]
pub struct Trial<'t> {
    /// The definitions.
    pub library: &'t Arc<Library>,
    /// The theory.
    pub theory: &'t Theory,
    /// The model.
    pub meaning: &'static dyn Meaning,
    /// The rules of the macro that `derives` speaks of.
    pub rules: &'static dyn Hooks,
    /// How hard.
    pub effort: &'t Effort,
}

impl<'t> Trial<'t> {
    /// With the macro as it is.
    #[must_use]
    pub fn new(
        library: &'t Arc<Library>,
        theory: &'t Theory,
        meaning: &'static dyn Meaning,
        effort: &'t Effort,
    ) -> Self {
        Self { library, theory, meaning, rules: &hooks::Library, effort }
    }

    fn budget(&self) -> Arc<Budget> {
        Arc::new(Budget::new(u64::MAX, Some(self.effort.timeout), Some(self.effort.interrupted.clone())))
    }

    /// Whether a claim holds.
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

    /// Tries a law.
    #[must_use]
    pub fn law(&self, law: &Law) -> Standing {
        if law.statement.relation == Relation::NormalForm {
            return self.normal_forms(&law.statement);
        }
        let instances = law.instances();
        let samples = self.effort.samples.div_ceil(instances.len() as u64);
        let (mut survived, mut vacuous) = (0, None);
        // one clock for all samples
        let clock = self.budget();
        for (index, instance) in instances.iter().enumerate() {
            let at = Instance::new(self, law, instance, &clock);
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
                property::Conclusion::Vacuous { drawn } => vacuous = Some(at.why_vacuous(drawn)),
            }
        }
        // another type may refute what says nothing at one
        vacuous.unwrap_or(Standing::Survived(survived))
    }

    /// `=`: no samples are needed.
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

/// The answer for the right side, unless it is an interval.
fn answered(
    right: &Right,
    answer: impl FnOnce(&Term) -> Result<Answer, MeaningError>,
) -> Result<Option<Answer>, MeaningError> {
    match right {
        Right::Term(term) => answer(term).map(Some),
        Right::Interval(..) | Right::Derived => Ok(None),
    }
}

/// A model that contradicts itself on one side of a statement has no number there, so the statement is wrong in it.
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

/// A number that depends on names and on another number.
fn seed_of(names: &[&str], seed: u64) -> u64 {
    // Fowler, Noll and Vo's hash
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0])).chain(seed.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
