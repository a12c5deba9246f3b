//! The test of one law or claim of a theory in one model.
//!
//! A sample of a law is a tuple of closed terms. Both sides are applied to the terms and evaluated at two tolerances,
//! within a budget of work. The budget counts work and not time, so that a seed determines the outcome. If a side has
//! no answer, or is wider than the tolerance, the sample is vacuous and does not count. A counterexample is shrunk.
//!
//! `e derives R` compares, in one model, the nested `deriv`s of e with the derived program at the jets of the
//! numbers. A term former `derive` would need a meaning in every model. Samples of other variables are substituted
//! first, since the macro takes closed programs.
//!
//! # One instance of a law
//!
//! One instance of a law, at types for its type parameters: samples and their verdicts.
//!
//! # The comparison of two answers
//!
//! The comparison of two answers, or of an answer and an interval.
//!
//! For `~`, a side that is undefined, a set, or wider than asked decides nothing. For `>=` the larger side must be
//! bounded, and the smaller one narrow, or an interval. So the model that always answers ⊥ lets no law survive.

use super::law::{RelatedTerms, RightSide, StatementRelation, TheoryLaw};
use super::{ClaimStatement, Theory, TheoryClaim};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::law::agreement::derivatives::derivative_programs_with;
use crate::law::agreement::{AnswerPart, Mismatch, answer_parts};
use crate::law::property;
use crate::law::property::{LawBinder, Property, TestConfig};
use crate::law::term::TestTerm as Drawn;
use crate::meaning::taylor::functor;
use crate::meaning::taylor::functor::TaylorHooks;
use crate::meaning::tower;
use crate::model::answer::{ProgramAnswer, Semantics, SemanticsError, UndefinedCause};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational, real};
use crate::syntax::lexer::{Lexer, Token};
use crate::syntax::library::Library;
use crate::syntax::normal;
use crate::syntax::source::Span;
use crate::syntax::substitution::instantiate_types;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::syntax::typing::TypingError;
use crate::theory::law::{LawCondition, LawVariable, TypeApplication, TypeSampler};
use crate::verdict::Verdict;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
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
const DRAWS_PER_SAMPLE: u64 = 12;
/// The factor of the samples of a law that is said to be false, of which one has to refute it. A choice.
const DRAWS_TO_REFUTE: u64 = 10;
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
        // towers are tested without second-order primitives, which cost too much in random programs
        let meaning: &'static dyn Semantics =
            if meaning.name() == tower::TowerSemantics.name() { &tower::PlainTowerSemantics } else { meaning };
        Self { library, theory, meaning, hooks: &functor::DefaultTaylorHooks, effort }
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
                let claimed = WithinClaim { tolerance, low, high, reached: *reached };
                match self.meaning.evaluate(term, &Ty::real(), &eps, &budget) {
                    Ok(answer) => within_outcome(&answer, claimed, &eps),
                    Err(error) => outcome_of_error(&error),
                }
            }
            ClaimStatement::Undefined(term) => {
                let eps = claim_tolerance();
                match self.meaning.evaluate(term, &Ty::real(), &eps, &budget) {
                    Ok(answer) => undefined_outcome(&answer, &eps),
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
        let asked = self.effort.samples.saturating_mul(if law.refuted { DRAWS_TO_REFUTE } else { 1 });
        let samples = asked.div_ceil(instances.len() as u64);
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

/// A law at types for its type parameters, in a model.
struct LawInstance {
    /// The model.
    meaning: &'static dyn Semantics,
    /// The rules of the macro.
    hooks: &'static dyn TaylorHooks,
    /// The time limit of the whole law.
    clock: Arc<Budget>,
    /// The flag that stops the run.
    interrupted: Arc<AtomicBool>,
    /// The law, with its type parameters substituted.
    law: TheoryLaw,
    /// The variables, followed by the arguments of the sides if these are functions.
    binders: Vec<LawBinder>,
    /// The number of binders that are arguments of the sides.
    extra: usize,
    /// The type of the sides after all binders are supplied.
    ty: Ty,
    /// The source text of both sides, on one line each.
    texts: [String; 2],
    /// The reasons why samples were vacuous.
    silence: Mutex<VacuityReasons>,
}

/// The reasons why samples were vacuous.
#[derive(Clone, Debug, Default)]
struct VacuityReasons {
    /// A construct that the model lacks.
    lacks: Option<String>,
    /// The reason of the last vacuous sample.
    last: String,
    /// The number of samples that did not meet the conditions.
    unmet: u64,
}

/// Substitutes `instance` for the type parameters in the sides and conditions of a law.
fn instance_of(law: &TheoryLaw, instance: &[Ty]) -> TheoryLaw {
    let mut law = law.clone();
    if !instance.is_empty() {
        let at = |term: &mut Term| *term = instantiate_types(term, instance);
        at(&mut law.statement.left);
        if let RightSide::Term(right) = &mut law.statement.right {
            at(right);
        }
        for condition in &mut law.conditions {
            match condition {
                LawCondition::Apart(left, right, _) => [left, right].into_iter().for_each(at),
                LawCondition::Positive(term, _) => at(term),
            }
        }
    }
    law
}

impl LawInstance {
    /// Makes the instance of `law` at the types `instance`. All its evaluations share the time limit `clock`.
    fn new(trial: &StatementTest<'_>, law: &TheoryLaw, instance: &[Ty], clock: &Arc<Budget>) -> Arc<Self> {
        let mut binders: Vec<LawBinder> = Vec::new();
        for LawVariable { ty, sort, demand, .. } in &law.variables {
            let sort = sort.as_ref().map(|sort| TypeApplication {
                name: sort.name.clone(),
                arguments: sort.arguments.iter().map(|argument| argument.with_arguments(instance)).collect(),
            });
            let sampler = sort.and_then(|sort| TypeSampler::find_sampler(&trial.theory.samples, &sort));
            binders.push(LawBinder { condition: *demand, sampler, ..ty.with_arguments(instance).into() });
        }
        let mut ty = law.statement.ty.with_arguments(instance);
        let mut extra = 0;
        // functions are compared at random arguments, which become further binders
        while let TyKind::Function(domain, codomain) = ty.clone().kind() {
            binders.push(domain.clone().into());
            extra += 1;
            ty = codomain.clone();
        }
        // the texts show the types of this instance in place of the parameters
        let parameters: Vec<(&str, &Ty)> = law.parameters.iter().map(|(name, _)| &**name).zip(instance).collect();
        let text = |span: Span| one_line(span.text_in(&trial.theory.source.text), &parameters);
        Arc::new(Self {
            meaning: trial.meaning,
            hooks: trial.hooks,
            clock: clock.clone(),
            interrupted: trial.effort.interrupted.clone(),
            law: instance_of(law, instance),
            binders,
            extra,
            ty,
            texts: [text(law.statement.left_span), text(law.statement.right_span)],
            silence: Mutex::default(),
        })
    }

    /// Returns the property for quickcheck: the verdict on each tuple of samples.
    fn to_property(self: &Arc<Self>) -> Property {
        let this = self.clone();
        Property::with_binders(self.binders.clone(), move |samples| this.judge_sample(samples))
    }

    /// Records why a sample is vacuous.
    fn record_vacuous(&self, why: impl FnOnce(&mut VacuityReasons)) -> Verdict {
        why(&mut self.silence.lock().unwrap_or_else(PoisonError::into_inner));
        Verdict::Vacuous
    }

    /// Returns the outcome of a vacuous instance after `drawn` samples, with the most telling reason.
    fn why_vacuous(&self, drawn: u64) -> StatementOutcome {
        let silence = self.silence.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match silence {
            VacuityReasons { lacks: Some(construct), .. } => StatementOutcome::Unsupported(construct),
            _ if self.clock.is_exhausted() => StatementOutcome::Vacuous("its time was up".to_owned()),
            VacuityReasons { unmet, .. } if unmet == drawn => {
                StatementOutcome::Vacuous(format!("none of {drawn} samples meets the conditions"))
            }
            VacuityReasons { unmet, last, .. } if last.is_empty() => StatementOutcome::Vacuous(format!(
                "only {} of {drawn} samples meet the conditions",
                drawn.saturating_sub(unmet)
            )),
            VacuityReasons { last, .. } => StatementOutcome::Vacuous(last),
        }
    }

    /// Returns the verdict on one sample, a term for each binder.
    fn judge_sample(&self, samples: &[Drawn]) -> Verdict {
        if self.clock.is_exhausted() {
            return Verdict::Vacuous;
        }
        // Shrinking may lose a property that the draw had by construction.
        if !self.binders.iter().zip(samples).all(|(binder, sample)| binder.admits_term(sample)) {
            return Verdict::Vacuous;
        }
        // A shrunk term need not be well-typed. Then it has no core term.
        let terms: Option<Vec<Term>> = samples.iter().map(Drawn::to_core).collect();
        let Some(terms) = terms else { return Verdict::Vacuous };
        if let Some(verdict) = self.check_conditions(&terms) {
            return verdict;
        }
        let statement = &self.law.statement;
        let apply = |side: &Term| terms.iter().fold(side.clone(), |f, x| Term::apply(f, x.clone(), Span::default()));
        let mut ty = self.ty.clone();
        let (left, right) = match (&statement.right, statement.relation) {
            (RightSide::Term(term), _) => (apply(&statement.left), RightSide::Term(apply(term))),
            (RightSide::Derived, StatementRelation::Derives(order)) => {
                match self.differentiate_both_ways(&terms, order) {
                    Ok(sides) => {
                        ty = sides.ty;
                        (sides.nested, RightSide::Term(sides.derived))
                    }
                    // the derived program must be well-typed (H Lemma 1), so a type error refutes the macro
                    Err(MissingDerivatives::Type(ty)) => {
                        let left = format!("a program of type {ty}");
                        return Verdict::refuted("", left, "a derived program without a type".to_owned());
                    }
                    Err(MissingDerivatives::Rule(why)) => return self.record_vacuous(|silence| silence.last = why),
                }
            }
            (other, _) => (apply(&statement.left), other.clone()),
        };
        let (mut verdict, mut last) = (Verdict::Vacuous, None);
        // from the coarse tolerance to the fine one: the coarse decides what is vacuous
        for (index, eps) in TOLERANCES.into_iter().map(Rational::from).enumerate() {
            let answer = |term: &Term| self.meaning.evaluate(term, &ty, &eps, &self.work_budget());
            let again = |before: Option<ProgramAnswer>, term: &Term| match before {
                // a set stays as wide at the finer tolerance, so the same work need not be done twice
                Some(before) if stays_wide(&before) => Ok(before),
                _ => answer(term),
            };
            let (left_before, right_before) = last.take().unwrap_or_default();
            let sides = again(left_before, &left)
                .and_then(|left| Ok((left, evaluate_right_side(&right, |right| again(right_before, right))?)));
            let (left_answer, right_answer) = match sides {
                Ok(sides) => sides,
                Err(error) if index == 0 => {
                    return self.record_vacuous(|silence| match error.unsupported_construct() {
                        Some(lacks) => silence.lacks = Some(lacks.construct.clone()),
                        None => silence.last = error.to_string(),
                    });
                }
                // the sample survived the coarse tolerance, which is enough
                Err(_) => break,
            };
            match ComparedSides::new(statement.relation, &left_answer, right_answer.as_ref(), &right).law_verdict(&eps)
            {
                // disjoint enclosures refute at either tolerance
                refuted @ Verdict::Refuted { .. } => return refuted,
                Verdict::Survived if index == 0 => verdict = Verdict::Survived,
                Verdict::Vacuous if index == 0 => {
                    return self.record_vacuous(|silence| {
                        silence.last = "the sides are undefined, or wider than asked".to_owned();
                    });
                }
                // at the finer tolerance, a wide answer is no reason to discard the sample
                _ => {}
            }
            last = Some((Some(left_answer), right_answer));
        }
        verdict
    }

    /// Returns the derivatives of the left side, by `deriv` and by the macro, in the binders that are made of numbers.
    /// The other binders are fixed at their samples. Returns an error if the macro has no rule for the program, or the
    /// derived program no type.
    fn differentiate_both_ways(&self, terms: &[Term], order: usize) -> Result<DerivativePair, MissingDerivatives> {
        // de Bruijn indices: the first number binder is the outermost lambda, hence the highest index
        let is_number: Vec<bool> = self.binders.iter().map(|binder| binder.ty.real_dimension().is_some()).collect();
        let all = is_number.iter().filter(|is_number| **is_number).count();
        let (mut seen, mut point) = (0, Vec::new());
        let mut body = self.law.statement.left.clone();
        for ((binder, term), is_number) in self.binders.iter().zip(terms).zip(&is_number) {
            let argument = if *is_number {
                seen += 1;
                number_leaves(term, &binder.ty, &mut point);
                Term::variable(all - seen, "x".into(), binder.ty.clone(), Span::default())
            } else {
                term.clone()
            };
            body = Term::apply(body, argument, Span::default());
        }
        let binders = self.binders.iter().zip(&is_number).filter(|(_, is_number)| **is_number).rev();
        let function =
            binders.fold(body, |body, (binder, _)| Term::lambda("x".into(), binder.ty.clone(), body, Span::default()));
        let ty = function.ty().clone();
        let found = derivative_programs_with(self.hooks, &function, &ty, &point, order);
        // the check of the derived program is what tests that the macro preserves types
        let found = found.map_err(|error| MissingDerivatives::Rule(error.to_string()))?;
        let (program, derived) = found.derived.map_err(|error| MissingDerivatives::Rule(error.to_string()))?;
        match program.check_types() {
            Err(TypingError::IllTyped) => return Err(MissingDerivatives::Type(ty)),
            Err(error) => return Err(MissingDerivatives::Rule(error.to_string())),
            Ok(()) => {}
        }
        Ok(DerivativePair { ty: found.ty, nested: found.nested, derived })
    }

    /// Makes the budget of one evaluation: work units, and what is left of the time limit.
    fn work_budget(&self) -> Arc<Budget> {
        Arc::new(Budget::new(SAMPLE_BUDGET, self.clock.remaining_time(), Some(self.interrupted.clone())))
    }

    /// Returns the vacuous verdict if a condition is not certainly met. Returns `None` if all are.
    fn check_conditions(&self, terms: &[Term]) -> Option<Verdict> {
        // a choice: a condition is decided at 10⁻⁶, and an undecided one discards the sample
        let eps = Rational::from((1, 1_000_000));
        let number = |function: &Term| {
            // the conditions are functions of the variables alone, without the arguments of the sides
            let own = &terms[..terms.len() - self.extra];
            let term = own.iter().fold(function.clone(), |f, x| Term::apply(f, x.clone(), Span::default()));
            let answer = self.meaning.evaluate(&term, &Ty::real(), &eps, &self.work_budget()).ok()?;
            only_enclosure(&answer).filter(|found| found.is_defined())
        };
        let met = self.law.conditions.iter().all(|condition| match condition {
            LawCondition::Positive(e, _) => number(e).is_some_and(|e| *e.lo() > 0),
            LawCondition::Apart(e, f, _) => number(e).zip(number(f)).is_some_and(|(e, f)| !e.overlaps(&f)),
        });
        (!met).then(|| self.record_vacuous(|silence| silence.unmet += 1))
    }

    /// Returns a program that shows both sides at the samples.
    fn counterexample_program(&self, samples: &[Drawn]) -> String {
        let own = samples.len() - self.extra;
        let mut text = String::new();
        for (variable, sample) in self.law.variables.iter().zip(samples) {
            let ty = &sample.ty;
            text += &format!("let {} : {ty} = {sample} in ", variable.pattern);
        }
        let arguments: String = samples[own..].iter().map(|sample| format!(" ({sample})")).collect();
        let side = |text: &str| if arguments.is_empty() { text.to_owned() } else { format!("({text}){arguments}") };
        match self.law.statement.right {
            RightSide::Term(_) => text + &format!("({}, {})", side(&self.texts[0]), side(&self.texts[1])),
            RightSide::Interval(..) | RightSide::Derived => text + &side(&self.texts[0]),
        }
    }
}

/// The derivatives of a program by both methods, of one type.
struct DerivativePair {
    /// The type of both.
    ty: Ty,
    /// The derivatives by `deriv`.
    nested: Term,
    /// The derivatives by the macro.
    derived: Term,
}

/// The reason why the derivatives cannot be compared.
enum MissingDerivatives {
    /// The derived program of a program of this type has no type (H Lemma 1).
    Type(Ty),
    /// The macro has no rule for the program, or it is too large.
    Rule(String),
}

/// Collects the numbers of a term whose type is made of numbers, from left to right.
fn number_leaves(term: &Term, ty: &Ty, found: &mut Vec<Term>) {
    match ty.kind() {
        TyKind::Tuple(parts) => {
            for (index, part) in parts.iter().enumerate() {
                let component = TermKind::Project { tuple: term.clone(), index };
                number_leaves(&Term::with_type(component, part.clone(), Span::default()), part, found);
            }
        }
        _ => found.push(term.clone()),
    }
}

/// Prints a text of the language on one line, without comments, with types in place of type parameters.
fn one_line(text: &str, parameters: &[(&str, &Ty)]) -> String {
    let mut out = String::new();
    let mut end = 0;
    let mut lexer = Lexer::new(text);
    // The text was parsed before, so the lexer reports no error here.
    while let Ok(lexeme) = lexer.next_lexeme() {
        if lexeme.token == Token::End {
            break;
        }
        let (start, word) = (lexeme.span.start as usize, lexeme.span.text_in(text));
        // the spacing of the source is kept as one space or none
        if start > end && end > 0 {
            out.push(' ');
        }
        match parameters.iter().find(|(name, _)| *name == word) {
            Some((_, ty)) => out += &format!("({ty})"),
            None => out += word,
        }
        end = lexeme.span.end as usize;
    }
    out
}

/// The two sides of a relation, evaluated at a tolerance.
#[derive(Debug)]
pub struct ComparedSides {
    /// The relation that is asserted.
    relation: StatementRelation,
    /// The parts of the left answer.
    left: Vec<AnswerPart>,
    /// The parts of the right answer; empty for an interval.
    right: Vec<AnswerPart>,
    /// The ends of the interval on the right side, if there is one.
    interval: Option<(Rational, Rational)>,
}

/// The result of the comparison of one pair of parts.
enum PairComparison {
    /// The parts are related, as far as enclosures can show it.
    Related,
    /// The parts are certainly not related.
    Unrelated,
    /// The answers are too wide, or undefined.
    Unknown,
}

impl ComparedSides {
    /// Collects the parts of both sides. `answer` is `None` for an interval, which is taken from `right`.
    #[must_use]
    pub fn new(
        relation: StatementRelation,
        left: &ProgramAnswer,
        answer: Option<&ProgramAnswer>,
        right: &RightSide,
    ) -> Self {
        let interval = match right {
            RightSide::Interval(low, high) => Some((low.clone(), high.clone())),
            RightSide::Term(_) | RightSide::Derived => None,
        };
        Self { relation, left: answer_parts(left), right: answer.map(answer_parts).unwrap_or_default(), interval }
    }

    /// Returns the verdict on a sample of a law.
    pub fn law_verdict(&self, eps: &Rational) -> Verdict {
        match self.compare_parts(eps) {
            PairComparison::Related => Verdict::Survived,
            PairComparison::Unrelated => Verdict::refuted("", self.shown_left(eps), self.shown_right(eps)),
            PairComparison::Unknown => Verdict::Vacuous,
        }
    }

    /// Returns the outcome of a claim.
    #[must_use]
    pub fn claim_outcome(&self, eps: &Rational) -> StatementOutcome {
        let (left, right) = (self.shown_left(eps), self.shown_right(eps));
        match self.compare_parts(eps) {
            PairComparison::Related => StatementOutcome::Holds,
            PairComparison::Unrelated => StatementOutcome::Refuted(StatementRefutation { program: None, left, right }),
            PairComparison::Unknown => StatementOutcome::Undecided(format!(
                "{left} and {right} may be related, but not both are as narrow as {eps}"
            )),
        }
    }

    /// Compares all parts. One unrelated pair decides; otherwise one unknown pair leaves the whole unknown.
    fn compare_parts(&self, eps: &Rational) -> PairComparison {
        if let Some((low, high)) = &self.interval {
            return match &self.left[..] {
                [AnswerPart::Enclosure(left)] => compare_containment(left, low, high, eps),
                _ => PairComparison::Unknown,
            };
        }
        let mut result = PairComparison::Related;
        for place in 0..self.left.len().max(self.right.len()) {
            // answers of different shapes are different values, whatever their numbers are
            if Mismatch::find_mismatch(&self.left, &self.right, place).is_some() {
                return PairComparison::Unrelated;
            }
            let compared = match (&self.left[place], &self.right[place]) {
                // `left >= right` is decided against an interval, so the right side must be exact to within `eps`
                (AnswerPart::Enclosure(left), AnswerPart::Enclosure(right)) => match self.relation {
                    StatementRelation::Contains => {
                        let found = &right.enclosure;
                        match (found.lo().to_rational(), found.hi().to_rational()) {
                            (Some(low), Some(high)) if found.is_defined() && right.reached => {
                                compare_containment(left, &low, &high, eps)
                            }
                            _ => PairComparison::Unknown,
                        }
                    }
                    _ => compare_overlap(left, right),
                },
                (AnswerPart::Word { text, .. }, AnswerPart::Word { text: other, .. }) if text == other => {
                    PairComparison::Related
                }
                (AnswerPart::Word { .. }, AnswerPart::Word { .. }) => PairComparison::Unrelated,
                _ => PairComparison::Unknown,
            };
            match compared {
                PairComparison::Unrelated => return PairComparison::Unrelated,
                PairComparison::Unknown => result = PairComparison::Unknown,
                PairComparison::Related => {}
            }
        }
        result
    }

    /// Prints the left side, to within `eps`.
    fn shown_left(&self, eps: &Rational) -> String {
        format_parts(&self.left, eps)
    }

    /// Prints the right side, to within `eps`.
    fn shown_right(&self, eps: &Rational) -> String {
        match &self.interval {
            Some((low, high)) => format!("{low} .. {high}"),
            None => format_parts(&self.right, eps),
        }
    }
}

/// Compares two enclosures of a number for overlap. Disjoint defined enclosures refute; overlap counts only if both are
/// narrow.
fn compare_overlap(left: &real::RefinedEnclosure, right: &real::RefinedEnclosure) -> PairComparison {
    let both_defined = left.enclosure.is_defined() && right.enclosure.is_defined();
    match (both_defined, left.enclosure.overlaps(&right.enclosure)) {
        (true, false) => PairComparison::Unrelated,
        (true, true) if left.reached && right.reached => PairComparison::Related,
        _ => PairComparison::Unknown,
    }
}

/// Compares the enclosure of a set with an interval that is known to within `eps`. The set is unrelated if it certainly
/// does not contain it.
fn compare_containment(
    left: &real::RefinedEnclosure,
    low: &Rational,
    high: &Rational,
    eps: &Rational,
) -> PairComparison {
    let found = &left.enclosure;
    // ⊥ contains every interval, which carries no information
    if !found.is_defined() || !found.is_bounded() {
        return PairComparison::Unknown;
    }
    let inside = *found.lo() <= Rational::from(low + eps) && *found.hi() >= Rational::from(high - eps);
    match (inside, left.exhausted) {
        (false, _) => PairComparison::Unrelated,
        (true, false) => PairComparison::Related,
        // the enclosure is wider than the set might be: more work may leave the interval outside
        (true, true) => PairComparison::Unknown,
    }
}

/// Returns the enclosure of an answer that is a single real number. Returns `None` for every other answer.
fn only_enclosure(answer: &ProgramAnswer) -> Option<Enclosure> {
    match &answer_parts(answer)[..] {
        [AnswerPart::Enclosure(answer)] => Some(answer.enclosure.clone()),
        _ => None,
    }
}

/// Returns `true` if every part is a number that stayed wider than the tolerance although work was left. Such sets do
/// not become narrower at a finer tolerance.
fn stays_wide(answer: &ProgramAnswer) -> bool {
    let parts = answer_parts(answer);
    let stayed = |part: &AnswerPart| matches!(part, AnswerPart::Enclosure(found) if !found.reached && !found.exhausted);
    !parts.is_empty() && parts.iter().all(stayed)
}

/// Prints the parts of an answer on one line.
fn format_parts(parts: &[AnswerPart], eps: &Rational) -> String {
    let shown: Vec<String> = parts
        .iter()
        .map(|part| match part {
            AnswerPart::Enclosure(answer) if !answer.enclosure.is_defined() => "undefined".to_owned(),
            AnswerPart::Enclosure(answer) => answer.enclosure.print_decimals(eps).to_string(),
            AnswerPart::Float { value, .. } => value.to_string(),
            AnswerPart::Word { text, .. } => text.clone(),
            AnswerPart::Undecided => "undefined".to_owned(),
        })
        .collect();
    match &shown[..] {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

/// Returns the outcome of `e undefined` for this answer.
fn undefined_outcome(answer: &ProgramAnswer, eps: &Rational) -> StatementOutcome {
    let answers = answer_parts(answer);
    if let [AnswerPart::Undecided] = &answers[..] {
        return StatementOutcome::Holds;
    }
    let [AnswerPart::Enclosure(answer)] = &answers[..] else {
        return StatementOutcome::Undecided("not a real number".to_owned());
    };
    let found = &answer.enclosure;
    // ⊥ by exhaustion is no proof: more work might define the value
    match (found.is_bottom() || !found.is_defined(), answer.exhausted) {
        (true, false) => StatementOutcome::Holds,
        (true, true) => StatementOutcome::Undecided("no result was found within the time".to_owned()),
        (false, _) => {
            let (left, right) = (found.print_decimals(eps).to_string(), "undefined".to_owned());
            StatementOutcome::Refuted(StatementRefutation { program: None, left, right })
        }
    }
}

/// The value that `within` asserts.
#[derive(Clone, Copy, Debug)]
struct WithinClaim<'c> {
    /// The distance by which the answer may extend beyond the ends.
    tolerance: &'c Rational,
    /// The lower end.
    low: &'c Rational,
    /// The upper end.
    high: &'c Rational,
    /// `true` if the tolerance must be reached.
    reached: bool,
}

/// Returns the outcome of `e within d of a .. b` for this answer.
fn within_outcome(answer: &ProgramAnswer, claimed: WithinClaim<'_>, eps: &Rational) -> StatementOutcome {
    let WithinClaim { tolerance, low, high, reached } = claimed;
    let answers = answer_parts(answer);
    let [AnswerPart::Enclosure(answer)] = &answers[..] else {
        return StatementOutcome::Undecided("not a real number".to_owned());
    };
    let found = &answer.enclosure;
    let inside = *found.lo() >= Rational::from(low - tolerance) && *found.hi() <= Rational::from(high + tolerance);
    let encloses = found.contains(low) && found.contains(high);
    if found.is_defined() && inside && encloses && answer.reached == reached {
        return StatementOutcome::Holds;
    }
    // more work might narrow the answer into the tolerance; an answer that misses an end is wrong already
    if encloses && answer.exhausted {
        return StatementOutcome::Undecided(format!("only {} was found in the time", found.print_decimals(eps)));
    }
    let ends = if low == high { low.to_string() } else { format!("{low} .. {high}") };
    let word = |reached: bool| if reached { "reached" } else { "not reached" };
    StatementOutcome::Refuted(StatementRefutation {
        program: None,
        left: format!("{}, {}", found.print_decimals(eps), word(answer.reached)),
        right: format!(
            "within {tolerance} of {ends}, {}{}",
            word(reached),
            // a decimal that is near and not exact is the usual mistake, so the message names it
            if low == high && inside && !encloses { more_digits_advice(low) } else { String::new() }
        ),
    })
}

/// The largest number of decimals that a message states. A choice.
const MOST_DIGITS: usize = 1000;

/// Returns the advice for a claimed number that is near the value and not equal to it: more digits, or an expression.
fn more_digits_advice(claimed: &Rational) -> String {
    let mut rest = Rational::from(claimed.abs_ref());
    let digits = (0..=MOST_DIGITS).find(|_| {
        let is_whole = rest.is_integer();
        rest *= 10;
        is_whole
    });
    let stated = match digits {
        // A whole number has no decimal places of which more could be stated.
        Some(0) => "decimal places".to_owned(),
        Some(1) => "more than 1 decimal place".to_owned(),
        Some(digits) => format!("more than {digits} decimal places"),
        None => "more decimal places".to_owned(),
    };
    format!(
        "; the value is that near, but the claim is of the exact value: give {stated}, or write e ~ and an expression"
    )
}
