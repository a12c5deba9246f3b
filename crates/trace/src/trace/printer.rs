//! Translation of core terms back to programs of the library's language. These print as text that parses back.

use super::embed::CoreProgram;
use super::operation::{OperationSymbol, PredicateSymbol};
use super::term::{BooleanTerm, CoreTerm, CoreTermKind, CoreTy, CoreVariable};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::printer::{AnnotatedTerm, TypePosition};
use crate::syntax::source::Span;
use crate::syntax::term as program;
use crate::syntax::term::TermKind as Kind;
use crate::syntax::ty::{Ty as ProgramTy, TyKind};
use rustc_hash::FxHashMap;
use std::fmt;

impl CoreTy {
    /// Returns the type in the library's language. Products stay nested pairs.
    #[must_use]
    pub fn to_language_type(&self) -> ProgramTy {
        match self {
            CoreTy::Real => ProgramTy::real(),
            CoreTy::Unit => ProgramTy::unit(),
            CoreTy::Product(parts) => {
                ProgramTy::new(TyKind::Tuple(vec![parts.0.to_language_type(), parts.1.to_language_type()]))
            }
        }
    }
}

impl CoreProgram {
    /// Returns the type of the program in the library's language: a function of its parameters.
    #[must_use]
    pub fn language_type(&self) -> ProgramTy {
        let function = |ty, (_, domain): &(CoreVariable, CoreTy)| ProgramTy::function(domain.to_language_type(), ty);
        self.parameters.iter().rev().fold(self.ty.to_language_type(), function)
    }
}

/// Returns a term as a program: `\x => …`, where the parameters bind the free variables.
#[must_use]
pub fn to_language_program(parameters: &[(CoreVariable, CoreTy)], term: &CoreTerm) -> program::Term {
    let mut scope = BinderDepths::default();
    parameters.iter().for_each(|(x, _)| scope.push(x));
    let body = translate_term(term, &mut scope);
    parameters.iter().rev().fold(body, |body, (x, ty)| {
        program::Term::lambda(x.name().clone(), ty.to_language_type(), body, Span::default())
    })
}

/// Returns a term as text, with the types of parameters.
#[must_use]
pub fn to_text(parameters: &[(CoreVariable, CoreTy)], term: &CoreTerm) -> String {
    AnnotatedTerm(&to_language_program(parameters, term), &|_, of| of != TypePosition::Constructor).to_string()
}

impl fmt::Display for CoreTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_text(&[], self))
    }
}

/// Makes a node without a position.
fn make_node(kind: Kind) -> program::Term {
    program::Term::new(kind, Span::default())
}

/// Applies a constant to arguments.
fn apply_constant(constant: Constant, arguments: impl IntoIterator<Item = program::Term>) -> program::Term {
    let apply = |function, argument| make_node(Kind::Apply { function, argument });
    arguments.into_iter().fold(program::Term::constant(constant), apply)
}

/// Translates a term in the scope of x.
fn translate_under(x: &CoreVariable, body: &CoreTerm, scope: &mut BinderDepths) -> program::Term {
    scope.push(x);
    let body = translate_term(body, scope);
    scope.pop(x);
    body
}

/// Returns the two parts of an argument that is a pair; projections of it, if it is written otherwise.
fn translate_operands(pair: &CoreTerm, scope: &mut BinderDepths) -> [program::Term; 2] {
    match pair.kind() {
        CoreTermKind::Pair(_, _, left, right) => [translate_term(left, scope), translate_term(right, scope)],
        _ => [Constant::Fst, Constant::Snd].map(|part| apply_constant(part, [translate_term(pair, scope)])),
    }
}

/// Translates a term.
fn translate_term(term: &CoreTerm, scope: &mut BinderDepths) -> program::Term {
    with_stack(|| translate_form(term, scope))
}

/// The variables in scope. For each, the depths of its binders, the innermost last.
#[derive(Default)]
struct BinderDepths {
    bound: FxHashMap<CoreVariable, Vec<usize>>,
    binders: usize,
}

impl BinderDepths {
    fn push(&mut self, x: &CoreVariable) {
        self.bound.entry(x.clone()).or_default().push(self.binders);
        self.binders += 1;
    }

    fn pop(&mut self, x: &CoreVariable) {
        self.bound.get_mut(x).and_then(Vec::pop);
        self.binders -= 1;
    }

    /// Returns the de Bruijn index of a variable: the number of binders between it and its own. `None` if it is not in
    /// scope.
    fn index(&self, x: &CoreVariable) -> Option<usize> {
        let level = self.bound.get(x)?.last()?;
        Some(self.binders - 1 - level)
    }
}

/// Translates a variable.
fn translate_variable(x: &CoreVariable, scope: &BinderDepths) -> program::Term {
    // Variables out of scope are printed by name; half of the maximum cannot overflow when binders are added.
    let index = scope.index(x).unwrap_or(usize::MAX / 2);
    program::Term::variable(index, x.name().clone(), ProgramTy::unknown(), Span::default())
}

/// Translates a term by its form.
fn translate_form(term: &CoreTerm, scope: &mut BinderDepths) -> program::Term {
    match term.kind() {
        CoreTermKind::Variable(x) => translate_variable(x, scope),
        CoreTermKind::Number(q) => make_node(Kind::Real(q.clone())),
        CoreTermKind::Add(left, right) => {
            apply_constant(Constant::Add, [translate_term(left, scope), translate_term(right, scope)])
        }
        CoreTermKind::Operation(operation, argument) => translate_operation(operation, argument, scope),
        CoreTermKind::Let(x, _, value, body) => {
            let value = translate_term(value, scope);
            make_node(Kind::Let { name: x.name().clone(), value, body: translate_under(x, body, scope) })
        }
        CoreTermKind::Unit => make_node(Kind::Unit),
        CoreTermKind::Pair(_, _, left, right) => {
            make_node(Kind::Tuple(vec![translate_term(left, scope), translate_term(right, scope)]))
        }
        CoreTermKind::First(_, _, pair) => apply_constant(Constant::Fst, [translate_term(pair, scope)]),
        CoreTermKind::Second(_, _, pair) => apply_constant(Constant::Snd, [translate_term(pair, scope)]),
        CoreTermKind::If(condition, then, otherwise) => {
            let condition = match condition {
                BooleanTerm::Value(b) => make_node(Kind::Bool(*b)),
                BooleanTerm::Predicate(predicate, argument) => {
                    let comparison = match predicate {
                        PredicateSymbol::Less => Constant::RealLess,
                        PredicateSymbol::Greater => Constant::RealGreater,
                    };
                    apply_constant(comparison, translate_operands(argument, scope))
                }
            };
            let (then, otherwise) = (translate_term(then, scope), translate_term(otherwise, scope));
            make_node(Kind::If { condition, then, otherwise })
        }
        CoreTermKind::LetRec(definition, rest) => {
            scope.push(&definition.function);
            // The function is in scope in its own body, and in the rest.
            let body = translate_under(&definition.parameter, &definition.body, scope);
            let domain = definition.domain.to_language_type();
            let parameter = definition.parameter.name().clone();
            let ty = ProgramTy::function(domain, definition.codomain.to_language_type());
            let value = program::Term::with_type(Kind::Lambda { name: parameter, body }, ty, Span::default());
            let body = translate_term(rest, scope);
            scope.pop(&definition.function);
            make_node(Kind::LetRec { name: definition.function.name().clone(), value, body })
        }
        CoreTermKind::Call(f, argument) => {
            let argument = translate_term(argument, scope);
            make_node(Kind::Apply { function: translate_variable(f, scope), argument })
        }
        CoreTermKind::Reverse { cotangent, point, variable, ty, body } => {
            let body = translate_under(variable, body, scope);
            let function = program::Term::lambda(variable.name().clone(), ty.to_language_type(), body, Span::default());
            apply_constant(Constant::Rd, [function, translate_term(point, scope), translate_term(cotangent, scope)])
        }
    }
}

/// Translates an operation at an argument.
fn translate_operation(operation: &OperationSymbol, argument: &CoreTerm, scope: &mut BinderDepths) -> program::Term {
    match operation {
        OperationSymbol::Pi => {
            let pi = apply_constant(Constant::Pi, []);
            match argument.kind() {
                CoreTermKind::Unit => pi,
                // The argument of π has no value to use, but it may be undefined.
                _ => make_node(Kind::Let { name: "_".into(), value: translate_term(argument, scope), body: pi }),
            }
        }
        OperationSymbol::Negate => apply_constant(Constant::Negate, [translate_term(argument, scope)]),
        OperationSymbol::Subtract => apply_constant(Constant::Subtract, translate_operands(argument, scope)),
        OperationSymbol::Multiply => apply_constant(Constant::Multiply, translate_operands(argument, scope)),
        OperationSymbol::Divide => apply_constant(Constant::Divide, translate_operands(argument, scope)),
        OperationSymbol::Power(q) => {
            apply_constant(Constant::Power, [translate_term(argument, scope), make_node(Kind::Real(q.clone()))])
        }
        OperationSymbol::Function(f) => apply_constant(Constant::Elementary(*f), [translate_term(argument, scope)]),
        OperationSymbol::BinaryFunction(f) => apply_constant(Constant::Planar(*f), translate_operands(argument, scope)),
        OperationSymbol::Foreign(id) => apply_constant(Constant::Foreign(*id), [translate_term(argument, scope)]),
    }
}
