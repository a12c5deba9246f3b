//! A law at types for its type parameters: samples, and what they say.

use super::relation::{self, Sides};
use super::{Standing, TOLERANCES, Trial, WORK, answered};
use crate::law::agreement::derivatives::derivatives_under;
use crate::law::property::Property;
use crate::law::sampling::Binder;
use crate::law::term::Term as Drawn;
use crate::meaning::taylor::hooks::Hooks;
use crate::model::answer::{Answer, Meaning};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::syntax::lexer::Lexer;
use crate::syntax::source::Span;
use crate::syntax::substitution::instantiated;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::token::Token;
use crate::syntax::ty::{Ty, TyKind};
use crate::syntax::typing::TypingError;
use crate::theory::law::{Condition, Law, Relation, Right, Sample, Sort, Variable};
use crate::verdict::Verdict;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// A law at arguments for its type parameters, in a model.
pub(super) struct Instance {
    meaning: &'static dyn Meaning,
    rules: &'static dyn Hooks,
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

/// The law with these types for its parameters in its sides and conditions.
fn instance_of(law: &Law, instance: &[Ty]) -> Law {
    let mut law = law.clone();
    if !instance.is_empty() {
        let at = |term: &mut Term| *term = instantiated(term, instance);
        at(&mut law.statement.left);
        if let Right::Term(right) = &mut law.statement.right {
            at(right);
        }
        for condition in &mut law.conditions {
            match condition {
                Condition::Apart(left, right, _) => [left, right].into_iter().for_each(at),
                Condition::Positive(term, _) => at(term),
            }
        }
    }
    law
}

impl Instance {
    pub(super) fn new(trial: &Trial<'_>, law: &Law, instance: &[Ty], clock: &Arc<Budget>) -> Arc<Self> {
        let mut binders: Vec<Binder> = Vec::new();
        for Variable { ty, sort, demand, .. } in &law.variables {
            let sort = sort.as_ref().map(|sort| Sort {
                name: sort.name.clone(),
                arguments: sort.arguments.iter().map(|argument| argument.with(instance)).collect(),
            });
            let sampler = sort.and_then(|sort| Sample::of(&trial.theory.samples, &sort));
            binders.push(Binder { demand: *demand, sampler, ..ty.with(instance).into() });
        }
        let mut ty = law.statement.ty.with(instance);
        let mut extra = 0;
        while let TyKind::Function(domain, codomain) = ty.clone().kind() {
            binders.push(domain.clone().into());
            extra += 1;
            ty = codomain.clone();
        }
        let parameters: Vec<(&str, &Ty)> = law.parameters.iter().map(|(name, _)| &**name).zip(instance).collect();
        let text = |span: Span| one_line(span.of(&trial.theory.source.text), &parameters);
        Arc::new(Self {
            meaning: trial.meaning,
            rules: trial.rules,
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

    pub(super) fn property(self: &Arc<Self>) -> Property {
        let this = self.clone();
        Property::of(self.binders.clone(), move |samples| this.at(samples))
    }

    fn silent(&self, why: impl FnOnce(&mut Silence)) -> Verdict {
        why(&mut self.silence.lock().unwrap_or_else(PoisonError::into_inner));
        Verdict::Vacuous
    }

    pub(super) fn why_vacuous(&self, drawn: u64) -> Standing {
        let silence = self.silence.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match silence {
            Silence { lacks: Some(construct), .. } => Standing::Lacks(construct),
            _ if self.clock.is_exhausted() => Standing::Vacuous("its time was up".to_owned()),
            Silence { unmet, .. } if unmet == drawn => {
                Standing::Vacuous(format!("none of {drawn} samples meets the conditions"))
            }
            Silence { last, .. } => Standing::Vacuous(last),
        }
    }

    /// The verdict on one sample.
    fn at(&self, samples: &[Drawn]) -> Verdict {
        if self.clock.is_exhausted() {
            return Verdict::Vacuous;
        }
        // a smaller neighbour of a sample may have lost what was demanded
        if !self.binders.iter().zip(samples).all(|(binder, sample)| binder.admits(sample)) {
            return Verdict::Vacuous;
        }
        // a smaller neighbour of a sample need not be a program
        let terms: Option<Vec<Term>> = samples.iter().map(Drawn::core).collect();
        let Some(terms) = terms else { return Verdict::Vacuous };
        if let Some(verdict) = self.unmet(&terms) {
            return verdict;
        }
        let statement = &self.law.statement;
        let apply = |side: &Term| terms.iter().fold(side.clone(), |f, x| Term::apply(f, x.clone(), Span::default()));
        let mut ty = self.ty.clone();
        let (left, right) = match (&statement.right, statement.relation) {
            (Right::Term(term), _) => (apply(&statement.left), Right::Term(apply(term))),
            (Right::Derived, Relation::Derives(order)) => match self.derived(&terms, order) {
                Ok(sides) => {
                    ty = sides.ty;
                    (sides.nested, Right::Term(sides.derived))
                }
                Err(Without::Type(ty)) => {
                    let left = format!("a program of type {ty}");
                    return Verdict::refuted("", left, "a derived program without a type".to_owned());
                }
                Err(Without::Rule(why)) => return self.silent(|silence| silence.last = why),
            },
            (other, _) => (apply(&statement.left), other.clone()),
        };
        let (mut verdict, mut last) = (Verdict::Vacuous, None);
        for (index, eps) in TOLERANCES.into_iter().map(Rational::from).enumerate() {
            let answer = |term: &Term| self.meaning.answer(term, &ty, &eps, &self.budget());
            let again = |before: Option<Answer>, term: &Term| match before {
                Some(before) if relation::has_no_more(&before) => Ok(before),
                _ => answer(term),
            };
            let (left_before, right_before) = last.take().unwrap_or_default();
            let sides = again(left_before, &left)
                .and_then(|left| Ok((left, answered(&right, |right| again(right_before, right))?)));
            let (left_answer, right_answer) = match sides {
                Ok(sides) => sides,
                Err(error) if index == 0 => {
                    return self.silent(|silence| match error.lacks() {
                        Some(lacks) => silence.lacks = Some(lacks.construct.clone()),
                        None => silence.last = error.to_string(),
                    });
                }
                Err(_) => break,
            };
            match Sides::new(statement.relation, &left_answer, right_answer.as_ref(), &right).law(&eps) {
                refuted @ Verdict::Refuted { .. } => return refuted,
                Verdict::Survived if index == 0 => verdict = Verdict::Survived,
                Verdict::Vacuous if index == 0 => {
                    return self.silent(|silence| {
                        silence.last = "the sides are undefined, or not as narrow as was asked".to_owned();
                    });
                }
                _ => {}
            }
            last = Some((Some(left_answer), right_answer));
        }
        verdict
    }

    /// The derivatives of the left side in its numbers, by `deriv` and by the macro; or why there are none. The other variables are
    /// what was drawn for them.
    fn derived(&self, terms: &[Term], order: usize) -> Result<Both, Without> {
        let is_number: Vec<bool> = self.binders.iter().map(|binder| binder.ty.numbers().is_some()).collect();
        let all = is_number.iter().filter(|is_number| **is_number).count();
        let (mut seen, mut point) = (0, Vec::new());
        let mut body = self.law.statement.left.clone();
        for ((binder, term), is_number) in self.binders.iter().zip(terms).zip(&is_number) {
            let argument = if *is_number {
                seen += 1;
                leaves(term, &binder.ty, &mut point);
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
        let found = derivatives_under(self.rules, &function, &ty, &point, order);
        let found = found.map_err(|error| Without::Rule(error.to_string()))?;
        let (program, derived) = found.derived.map_err(|error| Without::Rule(error.to_string()))?;
        match program.check() {
            Err(TypingError::IllTyped) => return Err(Without::Type(ty)),
            Err(error) => return Err(Without::Rule(error.to_string())),
            Ok(()) => {}
        }
        Ok(Both { ty: found.ty, nested: found.nested, derived })
    }

    fn budget(&self) -> Arc<Budget> {
        Arc::new(Budget::new(WORK, self.clock.remaining(), Some(self.interrupted.clone())))
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
    pub(super) fn program(&self, samples: &[Drawn]) -> String {
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
            Right::Interval(..) | Right::Derived => text + &side(&self.texts[0]),
        }
    }
}

/// Derivatives of both kinds, of one type.
struct Both {
    ty: Ty,
    nested: Term,
    derived: Term,
}

/// Why there are none.
enum Without {
    /// The derived program of a program of this type has no type (H Lemma 1).
    Type(Ty),
    /// The macro has no rule for the program, or it is too large.
    Rule(String),
}

/// The numbers of an element of a type that is made of numbers.
fn leaves(term: &Term, ty: &Ty, found: &mut Vec<Term>) {
    match ty.kind() {
        TyKind::Tuple(parts) => {
            for (index, part) in parts.iter().enumerate() {
                let component = TermKind::Project { tuple: term.clone(), index };
                leaves(&Term::typed(component, part.clone(), Span::default()), part, found);
            }
        }
        _ => found.push(term.clone()),
    }
}

/// A text of the language in one line, without comments, and with types in the place of parameters.
fn one_line(text: &str, parameters: &[(&str, &Ty)]) -> String {
    let mut out = String::new();
    let mut end = 0;
    let mut lexer = Lexer::new(text);
    // the text was read before
    while let Ok(lexeme) = lexer.lexeme() {
        if lexeme.token == Token::End {
            break;
        }
        let (start, word) = (lexeme.span.start as usize, lexeme.span.of(text));
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
