//! One instance of a law, at types for its type parameters: samples and their verdicts.

use super::relation::{self, ComparedSides};
use super::{SAMPLE_BUDGET, StatementOutcome, StatementTest, TOLERANCES, evaluate_right_side};
use crate::law::agreement::derivatives::derivative_programs_with;
use crate::law::property::Property;
use crate::law::sampling::LawBinder;
use crate::law::term::TestTerm as Drawn;
use crate::meaning::taylor::hooks::TaylorHooks;
use crate::model::answer::{ProgramAnswer, Semantics};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::syntax::lexer::Lexer;
use crate::syntax::source::Span;
use crate::syntax::substitution::instantiate_types;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::token::Token;
use crate::syntax::ty::{Ty, TyKind};
use crate::syntax::typing::TypingError;
use crate::theory::law::{
    LawCondition, LawVariable, RightSide, StatementRelation, TheoryLaw, TypeApplication, TypeSampler,
};
use crate::verdict::Verdict;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// A law at types for its type parameters, in a model.
pub(super) struct LawInstance {
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
    pub(super) fn new(trial: &StatementTest<'_>, law: &TheoryLaw, instance: &[Ty], clock: &Arc<Budget>) -> Arc<Self> {
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
    pub(super) fn to_property(self: &Arc<Self>) -> Property {
        let this = self.clone();
        Property::with_binders(self.binders.clone(), move |samples| this.judge_sample(samples))
    }

    /// Records why a sample is vacuous.
    fn record_vacuous(&self, why: impl FnOnce(&mut VacuityReasons)) -> Verdict {
        why(&mut self.silence.lock().unwrap_or_else(PoisonError::into_inner));
        Verdict::Vacuous
    }

    /// Returns the outcome of a vacuous instance after `drawn` samples, with the most telling reason.
    pub(super) fn why_vacuous(&self, drawn: u64) -> StatementOutcome {
        let silence = self.silence.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match silence {
            VacuityReasons { lacks: Some(construct), .. } => StatementOutcome::Unsupported(construct),
            _ if self.clock.is_exhausted() => StatementOutcome::Vacuous("its time was up".to_owned()),
            VacuityReasons { unmet, .. } if unmet == drawn => {
                StatementOutcome::Vacuous(format!("none of {drawn} samples meets the conditions"))
            }
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
                Some(before) if relation::stays_wide(&before) => Ok(before),
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
                        silence.last = "the sides are undefined, or not as narrow as was asked".to_owned();
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
            relation::only_enclosure(&answer).filter(|found| found.is_defined())
        };
        let met = self.law.conditions.iter().all(|condition| match condition {
            LawCondition::Positive(e, _) => number(e).is_some_and(|e| *e.lo() > 0),
            LawCondition::Apart(e, f, _) => number(e).zip(number(f)).is_some_and(|(e, f)| !e.overlaps(&f)),
        });
        (!met).then(|| self.record_vacuous(|silence| silence.unmet += 1))
    }

    /// Returns a program that shows both sides at the samples.
    pub(super) fn counterexample_program(&self, samples: &[Drawn]) -> String {
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
