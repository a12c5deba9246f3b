//! One law or claim of a theory, tried in one model.
//!
//! A sample of a law is a tuple of closed terms. Both sides are applied to them and asked for at two tolerances, within a
//! budget that counts work and not time, so that a seed decides the outcome. A side that has no answer, or is not as narrow
//! as was asked, says nothing: the sample is vacuous, and does not count. What refutes is made smaller.

mod relation;

pub use relation::Sides;

use super::law::{Condition, Law, Related, Relation, Right, Variable};
use super::{Claim, Statement, Theory};
use crate::law::property::{self, Property, Trials};
use crate::law::sampling::Binder;
use crate::law::term::Term as Sample;
use crate::model::answer::{Answer, Meaning, MeaningError};
use crate::number::budget::Budget;
use crate::number::{Rational, decimal};
use crate::syntax::library::Library;
use crate::syntax::normal;
use crate::syntax::parser::parse_expression;
use crate::syntax::source::Span;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What became of a statement in a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
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
pub const SMALLEST: &str = "1e-12";

/// A model in which a theory is tried.
#[derive(Clone, Copy)]
pub struct Trial<'t> {
    /// The definitions.
    pub library: &'t Arc<Library>,
    /// The theory.
    pub theory: &'t Theory,
    /// The model.
    pub meaning: &'static dyn Meaning,
    /// How hard.
    pub effort: &'t Effort,
}

impl Trial<'_> {
    fn budget(&self) -> Arc<Budget> {
        Arc::new(Budget::new(u64::MAX, Some(self.effort.timeout), Some(self.effort.interrupted.clone())))
    }

    /// Whether a claim holds.
    #[must_use]
    pub fn claim(&self, claim: &Claim) -> Outcome {
        let budget = self.budget();
        match &claim.statement {
            Statement::Rejects { refused: Ok(message), part } if message.contains(part.as_str()) => Outcome::Holds,
            Statement::Rejects { refused, part } => Outcome::Refuted(Refuted {
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
                let eps = if eps > 0 { eps } else { decimal::parse(SMALLEST).expect("a decimal") };
                let claimed = relation::Claimed { tolerance, low, high, reached: *reached };
                match self.meaning.answer(term, &Ty::real(), &eps, &budget) {
                    Ok(answer) => relation::within(&answer, claimed, &eps),
                    Err(error) => without_answer(&error),
                }
            }
            Statement::Undefined(term) => {
                let eps = decimal::parse(SMALLEST).expect("a decimal");
                match self.meaning.answer(term, &Ty::real(), &eps, &budget) {
                    Ok(answer) => relation::undefined(&answer, &eps),
                    Err(error) => without_answer(&error),
                }
            }
            Statement::Related(related) if related.relation == Relation::NormalForm => self.normal_forms(related, &[]),
            Statement::Related(related) => {
                let eps = decimal::parse(SMALLEST).expect("a decimal");
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
    pub fn law(&self, law: &Law) -> Outcome {
        if law.statement.relation == Relation::NormalForm {
            return self.normal_forms(&law.statement, &law.variables);
        }
        let instances = law.instances();
        let samples = self.effort.samples.div_ceil(instances.len() as u64);
        let mut survived = 0;
        // one clock for all samples
        let clock = self.budget();
        for (index, instance) in instances.iter().enumerate() {
            let at = Instance::new(self, law, instance, &clock);
            let seed = seed_of(&[&self.theory.name, &law.name], self.effort.seed.wrapping_add(index as u64));
            let trials = Trials { samples, most: samples * DRAWN, size: SIZE, seed };
            match at.property().tried(trials) {
                property::Outcome::Refuted(refutation) => {
                    let program = at.program(&refutation.witness);
                    let (left, right) = (refutation.left.clone(), refutation.right.clone());
                    return Outcome::Refuted(Refuted { program: Some(program), left, right });
                }
                property::Outcome::Survived => survived += samples,
                property::Outcome::Vacuous => return at.why_vacuous(samples * DRAWN),
            }
        }
        Outcome::Survived(survived)
    }

    /// `=`: no samples are needed.
    fn normal_forms(&self, related: &Related, variables: &[Variable]) -> Outcome {
        let Right::Term(right) = &related.right else {
            return Outcome::Open("an interval has no normal form".to_owned());
        };
        let whole = variables.iter().rev().fold(related.ty.clone(), |ty, x| Ty::function(x.ty.clone(), ty));
        let normal = |term: &Term| normal::normalise(term, &whole);
        match (normal(&related.left), normal(right)) {
            (Ok(left), Ok(right)) if left == right => Outcome::Holds,
            (Ok(left), Ok(right)) => {
                let text = |form: &normal::Normal| form.program(self.library, Some(&self.theory.name));
                let text = |form: &normal::Normal| text(form).unwrap_or_else(|error| error.to_string());
                Outcome::Refuted(Refuted { program: None, left: text(&left), right: text(&right) })
            }
            (Err(error), _) | (_, Err(error)) => Outcome::Open(error.to_string()),
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
        Right::Interval(..) => Ok(None),
    }
}

fn without_answer(error: &MeaningError) -> Outcome {
    match error.lacks() {
        Some(lacks) => Outcome::Lacks(lacks.construct.clone()),
        None => Outcome::Open(error.to_string()),
    }
}

/// A number that depends on names and on another number.
fn seed_of(names: &[&str], seed: u64) -> u64 {
    // Fowler, Noll and Vo's hash
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0])).chain(seed.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// A law at arguments for its type parameters, in a model.
struct Instance {
    library: Arc<Library>,
    module: Arc<str>,
    meaning: &'static dyn Meaning,
    clock: Arc<Budget>,
    interrupted: Arc<AtomicBool>,
    law: Law,
    /// The variables, and then the arguments of the sides, where they are functions.
    binders: Vec<Binder>,
    /// How many of the binders are arguments of the sides.
    extra: usize,
    /// The type of the sides at all of them.
    ty: Ty,
    /// The sides, as written.
    texts: [String; 2],
    /// Why samples said nothing, and how often the conditions failed.
    silence: Mutex<Silence>,
}

#[derive(Clone, Debug, Default)]
struct Silence {
    lacks: Option<String>,
    last: String,
    unmet: u64,
}

impl Instance {
    fn new(trial: &Trial<'_>, law: &Law, instance: &[Ty], clock: &Arc<Budget>) -> Arc<Self> {
        let mut binders: Vec<Binder> = Vec::new();
        for Variable { ty, sort, demand, .. } in &law.variables {
            let sort = sort.as_ref().map(|sort| super::law::Sort {
                name: sort.name.clone(),
                arguments: sort.arguments.iter().map(|argument| argument.with(instance)).collect(),
            });
            let samples = trial.theory.samples.iter().rev();
            let sampler = sort.and_then(|sort| samples.clone().find(|sample| sample.sort == sort));
            let sampler = sampler.map(|sample| sample.sampler.clone());
            binders.push(Binder { demand: *demand, sampler, ..ty.with(instance).into() });
        }
        let mut ty = law.statement.ty.with(instance);
        let mut extra = 0;
        while let TyKind::Function(domain, codomain) = ty.clone().kind() {
            binders.push(domain.clone().into());
            extra += 1;
            ty = codomain.clone();
        }
        let text = |span: Span| span.of(&trial.theory.source.text).split_whitespace().collect::<Vec<_>>().join(" ");
        Arc::new(Self {
            library: trial.library.clone(),
            module: trial.theory.name.clone(),
            meaning: trial.meaning,
            clock: clock.clone(),
            interrupted: trial.effort.interrupted.clone(),
            law: law.clone(),
            binders,
            extra,
            ty,
            texts: [text(law.statement.left_span), text(law.statement.right_span)],
            silence: Mutex::default(),
        })
    }

    fn property(self: &Arc<Self>) -> Property {
        let this = self.clone();
        Property::of(self.binders.clone(), move |samples| this.at(samples))
    }

    fn silent(&self, why: impl FnOnce(&mut Silence)) -> Verdict {
        why(&mut self.silence.lock().unwrap_or_else(PoisonError::into_inner));
        Verdict::Vacuous
    }

    fn why_vacuous(&self, drawn: u64) -> Outcome {
        let silence = self.silence.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match silence {
            Silence { lacks: Some(construct), .. } => Outcome::Lacks(construct),
            _ if self.clock.is_exhausted() => Outcome::Vacuous("its time was up".to_owned()),
            Silence { unmet, .. } if unmet == drawn => {
                Outcome::Vacuous(format!("none of {drawn} samples meets the conditions"))
            }
            Silence { last, .. } => Outcome::Vacuous(last),
        }
    }

    /// The verdict on one sample.
    fn at(&self, samples: &[Sample]) -> Verdict {
        if self.clock.is_exhausted() {
            return Verdict::Vacuous;
        }
        if !self.binders.iter().zip(samples).all(|(binder, sample)| binder.admits(sample)) {
            return Verdict::Vacuous;
        }
        // a smaller neighbour of a sample need not be a program
        let terms: Option<Vec<Term>> = samples.iter().zip(&self.binders).map(|(s, b)| self.term(s, &b.ty)).collect();
        let Some(terms) = terms else { return Verdict::Vacuous };
        if let Some(verdict) = self.unmet(&terms) {
            return verdict;
        }
        let statement = &self.law.statement;
        let apply = |side: &Term| terms.iter().fold(side.clone(), |f, x| Term::apply(f, x.clone(), Span::default()));
        let (left, right) = (
            apply(&statement.left),
            match &statement.right {
                Right::Term(term) => Right::Term(apply(term)),
                interval => interval.clone(),
            },
        );
        let mut verdict = Verdict::Vacuous;
        for (index, eps) in TOLERANCES.into_iter().map(Rational::from).enumerate() {
            let answer = |term: &Term| self.meaning.answer(term, &self.ty, &eps, &self.budget());
            let sides = answer(&left).and_then(|left| Ok((left, answered(&right, answer)?)));
            let (left, right_answer) = match sides {
                Ok(sides) => sides,
                Err(error) if index == 0 => {
                    return self.silent(|silence| match error.lacks() {
                        Some(lacks) => silence.lacks = Some(lacks.construct.clone()),
                        None => silence.last = error.to_string(),
                    });
                }
                Err(_) => break,
            };
            match Sides::new(statement.relation, &left, right_answer.as_ref(), &right).law(&eps) {
                refuted @ Verdict::Refuted { .. } => return refuted,
                Verdict::Survived if index == 0 => verdict = Verdict::Survived,
                Verdict::Vacuous if index == 0 => {
                    return self.silent(|silence| {
                        silence.last = "the sides are undefined, or not as narrow as was asked".to_owned();
                    });
                }
                _ => {}
            }
        }
        verdict
    }

    fn budget(&self) -> Arc<Budget> {
        Arc::new(Budget::new(WORK, self.clock.remaining(), Some(self.interrupted.clone())))
    }

    fn term(&self, sample: &Sample, ty: &Ty) -> Option<Term> {
        // the literal 2 is a real number unless its type is written
        let typed = |text: String| {
            let expression = parse_expression(&text).ok()?;
            let (term, found) = self.library.infer_in(&self.module, &text, &expression).ok()?;
            (found == *ty).then_some(term)
        };
        typed(sample.to_string()).or_else(|| typed(format!("({sample} : {ty})")))
    }

    /// Vacuous, if a condition is not met.
    fn unmet(&self, terms: &[Term]) -> Option<Verdict> {
        let eps = Rational::from((1, 1_000_000));
        let number = |function: &Term| {
            let own = &terms[..terms.len() - self.extra];
            let term = own.iter().fold(function.clone(), |f, x| Term::apply(f, x.clone(), Span::default()));
            let answer = self.meaning.answer(&term, &Ty::real(), &eps, &self.budget()).ok()?;
            relation::only_enclosure(&answer).filter(|found| found.is_defined())
        };
        let met = self.law.conditions.iter().all(|condition| match condition {
            Condition::Positive(e, _) => number(e).is_some_and(|e| *e.lo() > 0),
            Condition::Apart(e, f, _) => number(e).zip(number(f)).is_some_and(|(e, f)| !e.overlaps(&f)),
        });
        (!met).then(|| self.silent(|silence| silence.unmet += 1))
    }

    /// A program that shows both sides at some samples.
    fn program(&self, samples: &[Sample]) -> String {
        let own = samples.len() - self.extra;
        let mut text = String::new();
        for (variable, sample) in self.law.variables.iter().zip(samples) {
            let ty = &sample.ty;
            text += &format!("let {} : {ty} = {sample} in ", variable.pattern);
        }
        let arguments: String = samples[own..].iter().map(|sample| format!(" ({sample})")).collect();
        let side = |text: &str| if arguments.is_empty() { text.to_owned() } else { format!("({text}){arguments}") };
        match self.law.statement.right {
            Right::Term(_) => text + &format!("({}, {})", side(&self.texts[0]), side(&self.texts[1])),
            Right::Interval(..) => text + &side(&self.texts[0]),
        }
    }
}
