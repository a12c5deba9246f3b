//! The typing rules (A Fig. 1), and the types of values, environments and closures (A §3).

use super::environment::{Environment, Functions};
use super::operation::Operation;
use super::term::{Boolean, Definition, Term, TermKind, Variable};
use super::ty::Ty;
use super::value::Value;
use crate::stack::deep;
use std::fmt;

/// A context Γ of types, or Φ of pairs of types. A later entry shadows an earlier one of the same variable.
#[derive(Clone, Debug)]
pub struct Context<T>(Vec<(Variable, T)>);

impl<T> Default for Context<T> {
    fn default() -> Self {
        Context(Vec::new())
    }
}

impl<T: Clone> Context<T> {
    /// Returns `Γ[x : T]`.
    #[must_use]
    pub fn with(&self, x: &Variable, ty: T) -> Self {
        let mut entries = self.0.clone();
        entries.push((x.clone(), ty));
        Context(entries)
    }

    /// Returns the entry of a variable, from the end, where the innermost entries are.
    fn get(&self, x: &Variable) -> Option<&T> {
        self.0.iter().rev().find(|(y, _)| y == x).map(|(_, ty)| ty)
    }
}

/// A context Γ: the types of variables.
pub type Variables = Context<Ty>;
/// A context Φ: domains and codomains of functions.
pub type FunctionTypes = Context<(Ty, Ty)>;

/// The reason why a term has no type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypingError {
    /// A variable that is not in Γ, or a function that is not in Φ. In the body of a `letrec`, Γ consists of the
    /// parameter.
    #[error("the variable `{name}` is not in scope")]
    Unbound {
        /// The name of the variable.
        name: String,
    },
    /// A type where another was expected.
    #[error("{construct} expects {expected}, and has {found}")]
    Mismatch {
        /// The construct whose rule fails.
        construct: &'static str,
        /// The type that the rule requires.
        expected: String,
        /// The type that was found.
        found: String,
    },
}

/// Checks that two types are equal.
fn expect(construct: &'static str, expected: &Ty, found: &Ty) -> Result<(), TypingError> {
    if expected == found {
        return Ok(());
    }
    Err(mismatch(construct, expected, found))
}

fn mismatch(construct: &'static str, expected: impl fmt::Display, found: impl fmt::Display) -> TypingError {
    TypingError::Mismatch { construct, expected: expected.to_string(), found: found.to_string() }
}

fn unbound(x: &Variable) -> TypingError {
    TypingError::Unbound { name: x.name().to_string() }
}

/// Returns the unique T with `Φ | Γ ⊢ M : T`.
///
/// # Errors
/// [`TypingError`] for the first rule that does not apply.
pub fn type_of(functions: &FunctionTypes, variables: &Variables, term: &Term) -> Result<Ty, TypingError> {
    let of = |term: &Term| deep(|| type_of(functions, variables, term));
    Ok(match term.kind() {
        TermKind::Variable(x) => variables.get(x).cloned().ok_or_else(|| unbound(x))?,
        TermKind::Number(_) => Ty::Real,
        TermKind::Add(left, right) => {
            expect("+", &Ty::Real, &of(left)?)?;
            expect("+", &Ty::Real, &of(right)?)?;
            Ty::Real
        }
        TermKind::Operation(operation, argument) => {
            expect("an operation", &Operation::domain(operation), &of(argument)?)?;
            Ty::Real
        }
        TermKind::Let(x, ty, value, body) => {
            expect("let", ty, &of(value)?)?;
            // Traces are long chains of `let`s, for which one context is extended instead of copied.
            return let_chain(functions, variables.with(x, ty.clone()), body);
        }
        TermKind::Unit => Ty::Unit,
        TermKind::Pair(t, u, left, right) => {
            expect("a pair", t, &of(left)?)?;
            expect("a pair", u, &of(right)?)?;
            Ty::product(t.clone(), u.clone())
        }
        TermKind::First(t, u, pair) => {
            expect("fst", &Ty::product(t.clone(), u.clone()), &of(pair)?)?;
            t.clone()
        }
        TermKind::Second(t, u, pair) => {
            expect("snd", &Ty::product(t.clone(), u.clone()), &of(pair)?)?;
            u.clone()
        }
        TermKind::If(condition, then, otherwise) => {
            check_boolean(functions, variables, condition)?;
            let ty = of(then)?;
            expect("else", &ty, &of(otherwise)?)?;
            ty
        }
        TermKind::LetRec(definition, rest) => {
            // The body sees no variables but the parameter: functions are closed.
            let functions = functions.with(&definition.function, signature(definition));
            let alone = Variables::default().with(&definition.parameter, definition.domain.clone());
            let found = deep(|| type_of(&functions, &alone, &definition.body))?;
            expect("letrec", &definition.codomain, &found)?;
            deep(|| type_of(&functions, variables, rest))?
        }
        TermKind::Call(f, argument) => {
            let (domain, codomain) = functions.get(f).cloned().ok_or_else(|| unbound(f))?;
            expect("a call", &domain, &of(argument)?)?;
            codomain
        }
        TermKind::Reverse { cotangent, point, variable, ty, body } => {
            expect("rd", ty, &of(point)?)?;
            let codomain = deep(|| type_of(functions, &variables.with(variable, ty.clone()), body))?;
            expect("rd", &codomain, &of(cotangent)?)?;
            ty.clone()
        }
    })
}

/// Types the body of a `let`, and iterates over further `let`s.
fn let_chain(functions: &FunctionTypes, mut variables: Variables, body: &Term) -> Result<Ty, TypingError> {
    let mut body = body;
    while let TermKind::Let(x, ty, value, rest) = body.kind() {
        expect("let", ty, &deep(|| type_of(functions, &variables, value))?)?;
        variables.0.push((x.clone(), ty.clone()));
        body = rest;
    }
    deep(|| type_of(functions, &variables, body))
}

/// Checks `Φ | Γ ⊢ B`.
///
/// # Errors
/// As [`type_of`].
pub fn check_boolean(functions: &FunctionTypes, variables: &Variables, condition: &Boolean) -> Result<(), TypingError> {
    match condition {
        Boolean::Value(_) => Ok(()),
        Boolean::Predicate(_, argument) => {
            expect("a comparison", &Ty::reals(2), &deep(|| type_of(functions, variables, argument))?)
        }
    }
}

fn signature(definition: &Definition) -> (Ty, Ty) {
    (definition.domain.clone(), definition.codomain.clone())
}

/// Returns T_V, with `⊢ V : T_V`, for a closed value V.
#[must_use]
pub fn type_of_value<R>(value: &Value<R>) -> Ty {
    match value {
        Value::Real(_) => Ty::Real,
        Value::Unit => Ty::Unit,
        Value::Pair(parts) => Ty::product(type_of_value(&parts.0), type_of_value(&parts.1)),
    }
}

/// Returns Γ, with `⊢ ρ : Γ`.
#[must_use]
pub fn type_of_environment<R: Clone>(environment: &Environment<R>) -> Variables {
    Context(environment.iter().map(|(x, value)| (x.clone(), type_of_value(value))).collect())
}

/// Returns Φ, with `⊢ φ : Φ`. Checks that the body of each closure has the codomain that it declares.
///
/// # Errors
/// As [`type_of`]. The body of a closure may mention its parameter, itself and functions of its environment.
pub fn type_of_functions(functions: &Functions) -> Result<FunctionTypes, TypingError> {
    let mut types = FunctionTypes::default();
    for (f, closure) in functions.iter() {
        let definition = &closure.definition;
        let inside = type_of_functions(&closure.functions)?.with(&definition.function, signature(definition));
        let alone = Variables::default().with(&definition.parameter, definition.domain.clone());
        expect("a closure", &definition.codomain, &type_of(&inside, &alone, &definition.body)?)?;
        // The environment is iterated from the innermost entry, which must come last in a context.
        types.0.insert(0, (f.clone(), signature(definition)));
    }
    Ok(types)
}
