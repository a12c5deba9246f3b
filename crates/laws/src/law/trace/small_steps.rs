//! Ordinary evaluation by small steps, as an oracle for the big steps of the library: `E[R]` becomes `E[R′]`, on closed
//! terms.
//!
//! There are no environments. Values are substituted for variables, functions keep their definitions under names of
//! their own, and the term is decomposed anew at each step, in all ways that the grammar of contexts has. Independent of
//! [`TraceEvaluator`] and of its [rules](crate::trace::evaluation), but for operations on numbers and for derivatives.
//!
//! # Transformations of programs that keep their meaning
//!
//! Transformations of programs that keep their meaning, by definition of that meaning.

use super::{MAX_STEPS, RunOutcome};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::stack::with_stack;
use crate::trace::evaluation::{TraceError, TraceEvaluator, UndefinedValue};
use crate::trace::number::{NumberSystem, Rationals, evaluate_operation};
use crate::trace::operation::{OperationSymbol, PredicateSymbol};
use crate::trace::term;
use crate::trace::term::{
    BooleanTerm, CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreValue, CoreVariable, Renaming,
};
use crate::trace::typing::{CoreEnvironment, FunctionEnvironment, type_of_value};
use crate::value::UndefinedCause;
use crate::verdict::Verdict;
use crate::wrong::TraceMutationHooks;
use std::cmp::Ordering;
use std::sync::Arc;

/// Rational numbers of limited size, in bits. A choice.
const NUMBERS: Rationals = Rationals { max_bits: 2_000 };
/// The greatest number of steps. A choice.
const MAX_SMALL_STEPS: usize = 4_000;

/// Evaluates a program at a value of its variable. Its functions have different names and no limits.
///
/// All steps are listed that the rules allow: one for each decomposition by the grammar, and for each answer of a guard.
///
/// # Errors
/// A refutation, if there is more than one step.
pub(super) fn run_small_steps(
    rules: &dyn TraceMutationHooks,
    term: &CoreTerm,
    x: &CoreVariable,
    point: &CoreValue<Rational>,
) -> Result<RunOutcome<CoreValue<Rational>>, Verdict> {
    let mut run = SmallStepRun { definitions: Vec::new() };
    let mut term = Renaming::substitute(term, x, value_term(point));
    for _ in 0..MAX_SMALL_STEPS {
        if term.is_value() {
            return Ok(RunOutcome::from_result(read_value(&term)));
        }
        let mut steps = Vec::new();
        for way in all_decompositions(&term, [0, 1]) {
            match run.contract_at(rules, &term, &way) {
                Ok(next) => steps.extend(next),
                Err(obstacle) => return Ok(RunOutcome::from_result(Err(obstacle))),
            }
        }
        term = match <[CoreTerm; 1]>::try_from(steps) {
            Ok([only]) => only,
            Err(several) => {
                let texts: Vec<String> = several.iter().map(super::print_shortened).collect();
                return Err(Verdict::refuted(super::print_shortened(&term), "one step", texts.join(" or ")));
            }
        };
    }
    Ok(RunOutcome::Unknown)
}

/// Returns all decompositions of a term into a context and a redex, by the grammar of contexts (A §3). A decomposition is
/// the list of the positions of the parts on the way to the redex, from outside. A value has none.
///
/// `order` is the order in which two parts are evaluated: a hole in a part needs values in the parts before it.
pub(super) fn all_decompositions(term: &CoreTerm, order: [usize; 2]) -> Vec<Vec<usize>> {
    if term.is_value() {
        return Vec::new();
    }
    let parts = evaluated_parts(term);
    let in_order: Vec<usize> = order.into_iter().filter(|place| *place < parts.len()).collect();
    let mut found = Vec::new();
    for (rank, place) in in_order.iter().enumerate() {
        if in_order[..rank].iter().all(|before| parts[*before].is_value()) {
            let inside = with_stack(|| all_decompositions(parts[*place], order));
            found.extend(inside.into_iter().map(|way| [&[*place][..], &way].concat()));
        }
    }
    if parts.iter().all(|part| part.is_value()) {
        found.push(Vec::new());
    }
    found
}

/// Returns the parts of a term in which a context may have its hole, in the order of evaluation.
fn evaluated_parts(term: &CoreTerm) -> Vec<&CoreTerm> {
    match term.kind() {
        CoreTermKind::Variable(_)
        | CoreTermKind::Number(_)
        | CoreTermKind::Unit
        | CoreTermKind::LetRec(..)
        | CoreTermKind::If(BooleanTerm::Value(_), ..) => Vec::new(),
        CoreTermKind::Add(left, right) | CoreTermKind::Pair(_, _, left, right) => vec![left, right],
        CoreTermKind::Reverse { cotangent, point, .. } => vec![point, cotangent],
        CoreTermKind::If(BooleanTerm::Predicate(_, part), ..)
        | CoreTermKind::Operation(_, part)
        | CoreTermKind::Let(_, _, part, _)
        | CoreTermKind::First(_, _, part)
        | CoreTermKind::Second(_, _, part)
        | CoreTermKind::Call(_, part) => vec![part],
    }
}

/// Returns the term with another part at a position of [`evaluated_parts`].
fn with_part(term: &CoreTerm, place: usize, new: &CoreTerm) -> CoreTerm {
    let kind = match term.kind() {
        // the point of a derivative is evaluated first, and is its second part in the order of `map_children`
        CoreTermKind::Reverse { cotangent, variable, ty, body, .. } if place == 0 => CoreTermKind::Reverse {
            cotangent: cotangent.clone(),
            point: new.clone(),
            variable: variable.clone(),
            ty: ty.clone(),
            body: body.clone(),
        },
        kind => {
            // of other terms the parts that are evaluated stand first; a derivative has its cotangent there
            let place = if matches!(kind, CoreTermKind::Reverse { .. }) { 0 } else { place };
            let mut index = 0;
            kind.map_children(&mut |part| {
                index += 1;
                if index - 1 == place { new.clone() } else { part.clone() }
            })
        }
    };
    kind.into()
}

/// The state of a small-step run.
struct SmallStepRun {
    /// The definitions met so far, outer ones first.
    definitions: Vec<Arc<CoreDefinition>>,
}

impl SmallStepRun {
    /// Returns the terms to which a term steps by the rules for the redex at a position.
    fn contract_at(
        &mut self,
        rules: &dyn TraceMutationHooks,
        term: &CoreTerm,
        way: &[usize],
    ) -> Result<Vec<CoreTerm>, TraceError> {
        if let [first, rest @ ..] = way {
            let part = evaluated_parts(term)[*first].clone();
            let inside = with_stack(|| self.contract_at(rules, &part, rest))?;
            return Ok(inside.iter().map(|next| with_part(term, *first, next)).collect());
        }
        let CoreTermKind::If(BooleanTerm::Predicate(predicate, argument), then, otherwise) = term.kind() else {
            return Ok(vec![self.contract_redex(term)?]);
        };
        let (holds, apart) = decide_predicate(*predicate, argument)?;
        let choose = |holds| CoreTermKind::If(BooleanTerm::Value(holds), then.clone(), otherwise.clone()).into();
        Ok(rules.guard_answers(holds, &apart).into_iter().map(choose).collect())
    }

    /// Contracts the redex R to R′.
    fn contract_redex(&mut self, redex: &CoreTerm) -> Result<CoreTerm, TraceError> {
        Ok(match redex.kind() {
            CoreTermKind::Add(left, right) => match (read_value(left)?, read_value(right)?) {
                (CoreValue::Real(r), CoreValue::Real(s)) => CoreTerm::number(NUMBERS.add(&r, &s)),
                _ => return stuck_error("+"),
            },
            CoreTermKind::Operation(operation, argument) => {
                value_term(&evaluate_operation(&NUMBERS, operation, &read_value(argument)?, &Budget::unlimited())?)
            }
            CoreTermKind::Let(x, _, value, body) => Renaming::substitute(body, x, value.clone()),
            CoreTermKind::First(_, _, pair) | CoreTermKind::Second(_, _, pair) => match pair.kind() {
                CoreTermKind::Pair(_, _, left, _) if matches!(redex.kind(), CoreTermKind::First(..)) => left.clone(),
                CoreTermKind::Pair(_, _, _, right) => right.clone(),
                _ => return stuck_error("a projection"),
            },
            CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise) => {
                if *holds { then } else { otherwise }.clone()
            }
            CoreTermKind::LetRec(definition, rest) => {
                // a recursive call meets its own definition again, which is kept once
                if self.find_definition(&definition.function).is_none() {
                    self.definitions.push(definition.clone());
                }
                rest.clone()
            }
            CoreTermKind::Call(f, argument) => match self.find_definition(f) {
                Some(definition) => Renaming::substitute(&definition.body, &definition.parameter, argument.clone()),
                None => return stuck_error("a function variable"),
            },
            CoreTermKind::Reverse { .. } => {
                // derivatives are evaluated by the library: small steps are an oracle for ordinary evaluation only
                let around =
                    |term, definition: &Arc<CoreDefinition>| CoreTermKind::LetRec(definition.clone(), term).into();
                let whole = self.definitions.iter().rev().fold(redex.clone(), around);
                let evaluator = TraceEvaluator::new(&NUMBERS).with_step_limit(MAX_STEPS);
                value_term(&evaluator.evaluate_ordinary(
                    &FunctionEnvironment::default(),
                    &CoreEnvironment::default(),
                    &whole,
                )?)
            }
            _ => return stuck_error("a redex"),
        })
    }

    /// Returns the definition of a function variable.
    fn find_definition(&self, f: &CoreVariable) -> Option<&Arc<CoreDefinition>> {
        self.definitions.iter().find(|definition| definition.function == *f)
    }
}

/// Decides a predicate on a pair of numbers, and returns their distance. Undefined if the numbers are equal (A §2).
fn decide_predicate(predicate: PredicateSymbol, argument: &CoreTerm) -> Result<(bool, Rational), TraceError> {
    match &read_value(argument)? {
        CoreValue::Pair(parts) => match (&parts.0, &parts.1) {
            (CoreValue::Real(a), CoreValue::Real(b)) => match a.cmp(b) {
                Ordering::Less => Ok((predicate == PredicateSymbol::Less, Rational::from(b - a))),
                Ordering::Greater => Ok((predicate == PredicateSymbol::Greater, Rational::from(a - b))),
                Ordering::Equal => Err(UndefinedValue {
                    certain: true,
                    ..UndefinedValue::of_operation(UndefinedCause::Boundary, predicate)
                }
                .into()),
            },
            _ => stuck_error("a comparison"),
        },
        _ => stuck_error("a comparison"),
    }
}

/// Reads a closed value off a term.
fn read_value(term: &CoreTerm) -> Result<CoreValue<Rational>, TraceError> {
    CoreEnvironment::default().close_value(&NUMBERS, term)
}

/// Returns a value as a term.
pub(in crate::law) fn value_term(value: &CoreValue<Rational>) -> CoreTerm {
    match value {
        CoreValue::Real(r) => CoreTerm::number(r.clone()),
        CoreValue::Unit => CoreTerm::unit(),
        CoreValue::Pair(parts) => {
            CoreTerm::pair(type_of_value(&parts.0), type_of_value(&parts.1), value_term(&parts.0), value_term(&parts.1))
        }
    }
}

/// Returns the error of a stuck term.
fn stuck_error<A>(construct: &'static str) -> Result<A, TraceError> {
    Err(TraceError::Stuck { construct })
}

/// Turns every `if a < b then M else N` into `if b < a then N else M`, where the pair of a and b is written out.
pub(super) fn turn_guards(term: &CoreTerm) -> CoreTerm {
    let kind = term.kind().map_children(&mut |part| with_stack(|| turn_guards(part)));
    let CoreTermKind::If(BooleanTerm::Predicate(predicate, pair), then, otherwise) = &kind else { return kind.into() };
    let CoreTermKind::Pair(t, u, left, right) = pair.kind() else { return kind.into() };
    // both sides are bound first, in their order: whichever is undefined stays first
    let [a, b] = ["a", "b"].map(|name| CoreVariable::fresh(&name.into()));
    let pair = CoreTerm::pair(CoreTy::Real, CoreTy::Real, CoreTerm::variable(&b), CoreTerm::variable(&a));
    let choice = CoreTermKind::If(BooleanTerm::Predicate(*predicate, pair), otherwise.clone(), then.clone()).into();
    CoreTerm::bind(&a, t.clone(), left.clone(), CoreTerm::bind(&b, u.clone(), right.clone(), choice))
}

/// Renames all bound variables to one name. They remain different variables.
pub(super) fn rename_alike(term: &CoreTerm) -> CoreTerm {
    rename_alike_with(term, &mut Renaming::default())
}

/// Like [`rename_alike`], under a renaming of the variables in scope.
fn rename_alike_with(term: &CoreTerm, names: &mut Renaming) -> CoreTerm {
    let fresh = || CoreVariable::fresh(&"v".into());
    with_stack(|| match term.kind() {
        CoreTermKind::Variable(x) => names.get(x),
        CoreTermKind::Let(x, ty, value, body) => {
            let (value, y) = (rename_alike_with(value, names), fresh());
            let body = names.with_binding(x, CoreTerm::variable(&y), |names| rename_alike_with(body, names));
            CoreTerm::bind(&y, ty.clone(), value, body).with_site(term.site())
        }
        CoreTermKind::Reverse { cotangent, point, variable, ty, body } => {
            let (cotangent, point, y) = (rename_alike_with(cotangent, names), rename_alike_with(point, names), fresh());
            let body = names.with_binding(variable, CoreTerm::variable(&y), |names| rename_alike_with(body, names));
            CoreTermKind::Reverse { cotangent, point, variable: y, ty: ty.clone(), body }.into()
        }
        CoreTermKind::LetRec(definition, rest) => {
            let parameter = fresh();
            let body = names.with_binding(&definition.parameter, CoreTerm::variable(&parameter), |names| {
                rename_alike_with(&definition.body, names)
            });
            let definition = CoreDefinition { parameter, body, ..(**definition).clone() };
            CoreTermKind::LetRec(Arc::new(definition), rename_alike_with(rest, names)).into()
        }
        kind => CoreTerm::from(kind.map_children(&mut |part| rename_alike_with(part, names))).with_site(term.site()),
    })
}

/// Unrolls `letrec f(x) = M in N` to `f₀(x) = ⊥, f₁(x) = M[f₀/f], …, N[fₙ/f]`, without recursion. All functions get
/// different names.
pub(super) fn unroll_recursions(term: &CoreTerm, n: u64) -> CoreTerm {
    let kind = term.kind().map_children(&mut |part| with_stack(|| unroll_recursions(part, n)));
    let CoreTermKind::LetRec(definition, rest) = &kind else { return kind.into() };
    let again = |f: &CoreVariable, body: CoreTerm, rest: CoreTerm| -> CoreTerm {
        let definition = CoreDefinition { function: f.clone(), body, ..(**definition).clone() };
        CoreTermKind::LetRec(Arc::new(definition), rest).into()
    };
    let functions: Vec<CoreVariable> = (0..=n).map(|_| definition.function.renamed()).collect();
    let calling = |f: &CoreVariable, term: &CoreTerm| {
        term::separate_functions(term, &[(definition.function.clone(), f.clone())].into_iter().collect())
    };
    let mut all = calling(functions.last().unwrap_or(&definition.function), rest);
    for pair in functions.windows(2).rev() {
        all = again(&pair[1], calling(&pair[0], &definition.body), all);
    }
    // ⊥ at any type: a division by 0, bound before a zero of the codomain
    let bottom = CoreTerm::binary_operation(OperationSymbol::Divide, CoreTerm::number(1), CoreTerm::number(0));
    let nothing = CoreVariable::fresh(&"bottom".into());
    let undefined = CoreTerm::bind(&nothing, CoreTy::Real, bottom, term::zero_of_type(&definition.codomain));
    again(&functions[0], undefined, all)
}
