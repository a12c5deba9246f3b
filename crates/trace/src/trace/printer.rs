//! Translation of core terms back to programs of the library's language. These print as text that parses back.

use super::operation::{Operation, Predicate};
use super::program::Program;
use super::term::{Boolean, Term, TermKind, Variable};
use super::ty::Ty;
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::printer::{Annotated, Of};
use crate::syntax::source::Span;
use crate::syntax::term as program;
use crate::syntax::term::TermKind as Kind;
use crate::syntax::ty::{Ty as ProgramTy, TyKind};
use rustc_hash::FxHashMap;
use std::fmt;

impl Ty {
    /// Returns the type in the library's language. Products stay nested pairs.
    #[must_use]
    pub fn in_language(&self) -> ProgramTy {
        match self {
            Ty::Real => ProgramTy::real(),
            Ty::Unit => ProgramTy::unit(),
            Ty::Product(parts) => ProgramTy::new(TyKind::Tuple(vec![parts.0.in_language(), parts.1.in_language()])),
        }
    }
}

impl Program {
    /// Returns the type of the program in the library's language: a function of its parameters.
    #[must_use]
    pub fn in_language(&self) -> ProgramTy {
        let function = |ty, (_, domain): &(Variable, Ty)| ProgramTy::function(domain.in_language(), ty);
        self.parameters.iter().rev().fold(self.ty.in_language(), function)
    }
}

/// Returns a term as a program: `\x => …`, where the parameters bind the free variables.
#[must_use]
pub fn in_language(parameters: &[(Variable, Ty)], term: &Term) -> program::Term {
    let mut scope = Scope::default();
    parameters.iter().for_each(|(x, _)| scope.push(x));
    let body = of(term, &mut scope);
    parameters
        .iter()
        .rev()
        .fold(body, |body, (x, ty)| program::Term::lambda(x.name().clone(), ty.in_language(), body, Span::default()))
}

/// Returns a term as text, with the types of parameters.
#[must_use]
pub fn text(parameters: &[(Variable, Ty)], term: &Term) -> String {
    Annotated(&in_language(parameters, term), &|_, of| of != Of::Constructor).to_string()
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(&[], self))
    }
}

/// Makes a node without a position.
fn made(kind: Kind) -> program::Term {
    program::Term::new(kind, Span::default())
}

/// Applies a constant to arguments.
fn call(constant: Constant, arguments: impl IntoIterator<Item = program::Term>) -> program::Term {
    let apply = |function, argument| made(Kind::Apply { function, argument });
    arguments.into_iter().fold(program::Term::constant(constant), apply)
}

/// Translates a term in the scope of x.
fn under(x: &Variable, body: &Term, scope: &mut Scope) -> program::Term {
    scope.push(x);
    let body = of(body, scope);
    scope.pop(x);
    body
}

/// Returns the two parts of an argument that is a pair; projections of it, if it is written otherwise.
fn operands(pair: &Term, scope: &mut Scope) -> [program::Term; 2] {
    match pair.kind() {
        TermKind::Pair(_, _, left, right) => [of(left, scope), of(right, scope)],
        _ => [Constant::Fst, Constant::Snd].map(|part| call(part, [of(pair, scope)])),
    }
}

/// Translates a term.
fn of(term: &Term, scope: &mut Scope) -> program::Term {
    deep(|| clause(term, scope))
}

/// The variables in scope. For each, the depths of its binders, the innermost last.
#[derive(Default)]
struct Scope {
    bound: FxHashMap<Variable, Vec<usize>>,
    binders: usize,
}

impl Scope {
    fn push(&mut self, x: &Variable) {
        self.bound.entry(x.clone()).or_default().push(self.binders);
        self.binders += 1;
    }

    fn pop(&mut self, x: &Variable) {
        self.bound.get_mut(x).and_then(Vec::pop);
        self.binders -= 1;
    }

    /// Returns the de Bruijn index of a variable: the number of binders between it and its own. `None` if it is not in
    /// scope.
    fn index(&self, x: &Variable) -> Option<usize> {
        let level = self.bound.get(x)?.last()?;
        Some(self.binders - 1 - level)
    }
}

/// Translates a variable.
fn variable(x: &Variable, scope: &Scope) -> program::Term {
    // Variables out of scope are printed by name; half of the maximum cannot overflow when binders are added.
    let index = scope.index(x).unwrap_or(usize::MAX / 2);
    program::Term::variable(index, x.name().clone(), ProgramTy::unknown(), Span::default())
}

/// Translates a term by its form.
fn clause(term: &Term, scope: &mut Scope) -> program::Term {
    match term.kind() {
        TermKind::Variable(x) => variable(x, scope),
        TermKind::Number(q) => made(Kind::Real(q.clone())),
        TermKind::Add(left, right) => call(Constant::Add, [of(left, scope), of(right, scope)]),
        TermKind::Operation(operation, argument) => operation_of(operation, argument, scope),
        TermKind::Let(x, _, value, body) => {
            let value = of(value, scope);
            made(Kind::Let { name: x.name().clone(), value, body: under(x, body, scope) })
        }
        TermKind::Unit => made(Kind::Unit),
        TermKind::Pair(_, _, left, right) => made(Kind::Tuple(vec![of(left, scope), of(right, scope)])),
        TermKind::First(_, _, pair) => call(Constant::Fst, [of(pair, scope)]),
        TermKind::Second(_, _, pair) => call(Constant::Snd, [of(pair, scope)]),
        TermKind::If(condition, then, otherwise) => {
            let condition = match condition {
                Boolean::Value(b) => made(Kind::Bool(*b)),
                Boolean::Predicate(predicate, argument) => {
                    let comparison = match predicate {
                        Predicate::Less => Constant::RealLess,
                        Predicate::Greater => Constant::RealGreater,
                    };
                    call(comparison, operands(argument, scope))
                }
            };
            let (then, otherwise) = (of(then, scope), of(otherwise, scope));
            made(Kind::If { condition, then, otherwise })
        }
        TermKind::LetRec(definition, rest) => {
            scope.push(&definition.function);
            // The function is in scope in its own body, and in the rest.
            let body = under(&definition.parameter, &definition.body, scope);
            let domain = definition.domain.in_language();
            let parameter = definition.parameter.name().clone();
            let ty = ProgramTy::function(domain, definition.codomain.in_language());
            let value = program::Term::typed(Kind::Lambda { name: parameter, body }, ty, Span::default());
            let body = of(rest, scope);
            scope.pop(&definition.function);
            made(Kind::LetRec { name: definition.function.name().clone(), value, body })
        }
        TermKind::Call(f, argument) => {
            let argument = of(argument, scope);
            made(Kind::Apply { function: variable(f, scope), argument })
        }
        TermKind::Reverse { cotangent, point, variable, ty, body } => {
            let body = under(variable, body, scope);
            let function = program::Term::lambda(variable.name().clone(), ty.in_language(), body, Span::default());
            call(Constant::Rd, [function, of(point, scope), of(cotangent, scope)])
        }
    }
}

/// Translates an operation at an argument.
fn operation_of(operation: &Operation, argument: &Term, scope: &mut Scope) -> program::Term {
    match operation {
        Operation::Pi => {
            let pi = call(Constant::Pi, []);
            match argument.kind() {
                TermKind::Unit => pi,
                // The argument of π has no value to use, but it may be undefined.
                _ => made(Kind::Let { name: "_".into(), value: of(argument, scope), body: pi }),
            }
        }
        Operation::Negate => call(Constant::Negate, [of(argument, scope)]),
        Operation::Subtract => call(Constant::Subtract, operands(argument, scope)),
        Operation::Multiply => call(Constant::Multiply, operands(argument, scope)),
        Operation::Divide => call(Constant::Divide, operands(argument, scope)),
        Operation::Power(q) => call(Constant::Power, [of(argument, scope), made(Kind::Real(q.clone()))]),
        Operation::Function(f) => call(Constant::Elementary(*f), [of(argument, scope)]),
        Operation::Planar(f) => call(Constant::Planar(*f), operands(argument, scope)),
    }
}
