//! The typing rules (A Fig. 1), and the types of values, environments and closures (A §3).
//!
//! # Value environments ρ
//!
//! Value environments ρ, function environments φ and closures (A §3).

use super::evaluation::TraceError;
use super::number::NumberSystem;
use super::operation::OperationSymbol;
use super::term::{BooleanTerm, CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreValue, CoreVariable};
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// A context Γ of types, or Φ of pairs of types. A later entry shadows an earlier one of the same variable.
#[derive(Clone, Debug)]
pub struct TypingContext<T>(Vec<(CoreVariable, T)>);

impl<T> Default for TypingContext<T> {
    fn default() -> Self {
        TypingContext(Vec::new())
    }
}

impl<T: Clone> TypingContext<T> {
    /// Returns `Γ[x : T]`.
    #[must_use]
    pub fn with_entry(&self, x: &CoreVariable, ty: T) -> Self {
        let mut entries = self.0.clone();
        entries.push((x.clone(), ty));
        TypingContext(entries)
    }

    /// Returns the entry of a variable, from the end, where the innermost entries are.
    fn get(&self, x: &CoreVariable) -> Option<&T> {
        self.0.iter().rev().find(|(y, _)| y == x).map(|(_, ty)| ty)
    }
}

/// A context Γ: the types of variables.
pub type CoreVariableTypes = TypingContext<CoreTy>;
/// A context Φ: domains and codomains of functions.
pub type FunctionTypes = TypingContext<(CoreTy, CoreTy)>;

/// The reason why a term has no type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CoreTypingError {
    /// A variable that is not in Γ, or a function that is not in Φ. In the body of a `letrec`, Γ consists of the
    /// parameter.
    #[error("the variable `{name}` is not in scope")]
    Unbound {
        /// The name of the variable.
        name: String,
    },
    /// A type where another was expected.
    #[error("{construct} expects {expected}, found {found}")]
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
fn expect_type(construct: &'static str, expected: &CoreTy, found: &CoreTy) -> Result<(), CoreTypingError> {
    if expected == found {
        return Ok(());
    }
    Err(type_mismatch(construct, expected, found))
}

fn type_mismatch(construct: &'static str, expected: impl fmt::Display, found: impl fmt::Display) -> CoreTypingError {
    CoreTypingError::Mismatch { construct, expected: expected.to_string(), found: found.to_string() }
}

fn unbound_variable(x: &CoreVariable) -> CoreTypingError {
    CoreTypingError::Unbound { name: x.name().to_string() }
}

/// Returns the unique T with `Φ | Γ ⊢ M : T`.
///
/// # Errors
/// [`CoreTypingError`] for the first rule that does not apply.
pub fn type_of(
    functions: &FunctionTypes,
    variables: &CoreVariableTypes,
    term: &CoreTerm,
) -> Result<CoreTy, CoreTypingError> {
    let of = |term: &CoreTerm| with_stack(|| type_of(functions, variables, term));
    Ok(match term.kind() {
        CoreTermKind::Variable(x) => variables.get(x).cloned().ok_or_else(|| unbound_variable(x))?,
        CoreTermKind::Number(_) => CoreTy::Real,
        CoreTermKind::Add(left, right) => {
            expect_type("+", &CoreTy::Real, &of(left)?)?;
            expect_type("+", &CoreTy::Real, &of(right)?)?;
            CoreTy::Real
        }
        CoreTermKind::Operation(operation, argument) => {
            expect_type("an operation", &OperationSymbol::domain(operation), &of(argument)?)?;
            CoreTy::Real
        }
        CoreTermKind::Let(x, ty, value, body) => {
            expect_type("let", ty, &of(value)?)?;
            // Traces are long chains of `let`s, for which one context is extended instead of copied.
            return let_chain(functions, variables.with_entry(x, ty.clone()), body);
        }
        CoreTermKind::Unit => CoreTy::Unit,
        CoreTermKind::Pair(t, u, left, right) => {
            expect_type("a pair", t, &of(left)?)?;
            expect_type("a pair", u, &of(right)?)?;
            CoreTy::product(t.clone(), u.clone())
        }
        CoreTermKind::First(t, u, pair) => {
            expect_type("fst", &CoreTy::product(t.clone(), u.clone()), &of(pair)?)?;
            t.clone()
        }
        CoreTermKind::Second(t, u, pair) => {
            expect_type("snd", &CoreTy::product(t.clone(), u.clone()), &of(pair)?)?;
            u.clone()
        }
        CoreTermKind::If(condition, then, otherwise) => {
            check_boolean(functions, variables, condition)?;
            let ty = of(then)?;
            expect_type("else", &ty, &of(otherwise)?)?;
            ty
        }
        CoreTermKind::LetRec(definition, rest) => {
            // The body sees no variables but the parameter: functions are closed.
            let functions = functions.with_entry(&definition.function, function_signature(definition));
            let alone = CoreVariableTypes::default().with_entry(&definition.parameter, definition.domain.clone());
            let found = with_stack(|| type_of(&functions, &alone, &definition.body))?;
            expect_type("letrec", &definition.codomain, &found)?;
            with_stack(|| type_of(&functions, variables, rest))?
        }
        CoreTermKind::Call(f, argument) => {
            let (domain, codomain) = functions.get(f).cloned().ok_or_else(|| unbound_variable(f))?;
            expect_type("a call", &domain, &of(argument)?)?;
            codomain
        }
        CoreTermKind::Reverse { cotangent, point, variable, ty, body } => {
            expect_type("rd", ty, &of(point)?)?;
            let codomain = with_stack(|| type_of(functions, &variables.with_entry(variable, ty.clone()), body))?;
            expect_type("rd", &codomain, &of(cotangent)?)?;
            ty.clone()
        }
    })
}

/// Types the body of a `let`, and iterates over further `let`s.
fn let_chain(
    functions: &FunctionTypes,
    mut variables: CoreVariableTypes,
    body: &CoreTerm,
) -> Result<CoreTy, CoreTypingError> {
    let mut body = body;
    while let CoreTermKind::Let(x, ty, value, rest) = body.kind() {
        expect_type("let", ty, &with_stack(|| type_of(functions, &variables, value))?)?;
        variables.0.push((x.clone(), ty.clone()));
        body = rest;
    }
    with_stack(|| type_of(functions, &variables, body))
}

/// Checks `Φ | Γ ⊢ B`.
///
/// # Errors
/// As [`type_of`].
pub fn check_boolean(
    functions: &FunctionTypes,
    variables: &CoreVariableTypes,
    condition: &BooleanTerm,
) -> Result<(), CoreTypingError> {
    match condition {
        BooleanTerm::Value(_) => Ok(()),
        BooleanTerm::Predicate(_, argument) => expect_type(
            "a comparison",
            &CoreTy::real_vector(2),
            &with_stack(|| type_of(functions, variables, argument))?,
        ),
    }
}

fn function_signature(definition: &CoreDefinition) -> (CoreTy, CoreTy) {
    (definition.domain.clone(), definition.codomain.clone())
}

/// Returns T_V, with `⊢ V : T_V`, for a closed value V.
#[must_use]
pub fn type_of_value<R>(value: &CoreValue<R>) -> CoreTy {
    match value {
        CoreValue::Real(_) => CoreTy::Real,
        CoreValue::Unit => CoreTy::Unit,
        CoreValue::Pair(parts) => CoreTy::product(type_of_value(&parts.0), type_of_value(&parts.1)),
    }
}

/// Returns Γ, with `⊢ ρ : Γ`.
#[must_use]
pub fn type_of_environment<R: Clone>(environment: &CoreEnvironment<R>) -> CoreVariableTypes {
    TypingContext(environment.iter().map(|(x, value)| (x.clone(), type_of_value(value))).collect())
}

/// Returns Φ, with `⊢ φ : Φ`. Checks that the body of each closure has the codomain that it declares.
///
/// # Errors
/// As [`type_of`]. The body of a closure may mention its parameter, itself and functions of its environment.
pub fn type_of_functions(functions: &FunctionEnvironment) -> Result<FunctionTypes, CoreTypingError> {
    let mut types = FunctionTypes::default();
    for (f, closure) in functions.iter() {
        let definition = &closure.definition;
        let inside =
            type_of_functions(&closure.functions)?.with_entry(&definition.function, function_signature(definition));
        let alone = CoreVariableTypes::default().with_entry(&definition.parameter, definition.domain.clone());
        expect_type("a closure", &definition.codomain, &type_of(&inside, &alone, &definition.body)?)?;
        // The environment is iterated from the innermost entry, which must come last in a context.
        types.0.insert(0, (f.clone(), function_signature(definition)));
    }
    Ok(types)
}

/// A value environment ρ: closed values for ordinary variables. Changes since a [mark](CoreEnvironment::mark) can be
/// undone.
#[derive(Clone, Debug)]
pub struct CoreEnvironment<R> {
    values: FxHashMap<CoreVariable, CoreValue<R>>,
    undo_log: Vec<(CoreVariable, Option<CoreValue<R>>)>,
}

impl<R> Default for CoreEnvironment<R> {
    fn default() -> Self {
        CoreEnvironment { values: FxHashMap::default(), undo_log: Vec::new() }
    }
}

impl<R: Clone> CoreEnvironment<R> {
    /// Makes `{x ↦ V}`.
    #[must_use]
    pub fn of_variable(x: &CoreVariable, value: CoreValue<R>) -> Self {
        let mut environment = Self::default();
        environment.bind_value(x, value);
        environment
    }

    /// Changes ρ to `ρ[V/x]`.
    pub fn bind_value(&mut self, x: &CoreVariable, value: CoreValue<R>) {
        let before = self.values.insert(x.clone(), value);
        self.undo_log.push((x.clone(), before));
    }

    /// Returns a mark of the present state, for [`CoreEnvironment::restore_to`].
    #[must_use]
    pub fn mark(&self) -> usize {
        self.undo_log.len()
    }

    /// Undoes all changes since the mark, in reverse order.
    pub fn restore_to(&mut self, mark: usize) {
        while self.undo_log.len() > mark {
            match self.undo_log.pop() {
                Some((x, Some(value))) => drop(self.values.insert(x, value)),
                Some((x, None)) => drop(self.values.remove(&x)),
                None => {}
            }
        }
    }

    /// Returns ρ(x); `None` if x is not in Dom(ρ).
    #[must_use]
    pub fn get(&self, x: &CoreVariable) -> Option<&CoreValue<R>> {
        self.values.get(x)
    }

    /// Iterates over the entries, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&CoreVariable, &CoreValue<R>)> {
        self.values.iter()
    }

    /// Returns ρ(V), the closed value of V.
    ///
    /// # Errors
    /// [`TraceError::Stuck`] if a free variable of V is not in Dom(ρ), and for a term that is no value.
    pub fn close_value<N: NumberSystem<Number = R>>(
        &self,
        numbers: &N,
        value: &CoreTerm,
    ) -> Result<CoreValue<R>, TraceError> {
        Ok(match value.kind() {
            CoreTermKind::Variable(x) => self.get(x).cloned().ok_or(TraceError::Stuck { construct: "a variable" })?,
            CoreTermKind::Number(r) => CoreValue::Real(numbers.represent_rational(r)),
            CoreTermKind::Unit => CoreValue::Unit,
            CoreTermKind::Pair(_, _, left, right) => {
                CoreValue::pair(self.close_value(numbers, left)?, self.close_value(numbers, right)?)
            }
            _ => return Err(TraceError::Stuck { construct: "a value" }),
        })
    }
}

/// A closure `clo_φ(f(x : T) : U. M)`.
#[derive(Debug)]
#[doc(alias = "closure")]
pub struct FunctionClosure {
    /// φ, the function environment of the definition.
    pub functions: FunctionEnvironment,
    /// The definition f(x : T) : U = M.
    pub definition: Arc<CoreDefinition>,
    /// The number of unfoldings that are left (A §6.2); `None` if they are not limited.
    pub limit: Option<u64>,
}

/// A function environment φ: closures for function variables. A linked list, so it is cheap to clone and to extend.
#[derive(Clone, Debug, Default)]
pub struct FunctionEnvironment(Option<Arc<ClosureEntry>>);

#[derive(Debug)]
struct ClosureEntry {
    function: CoreVariable,
    closure: Arc<FunctionClosure>,
    rest: FunctionEnvironment,
}

impl FunctionEnvironment {
    /// Returns `φ[Cl/f]`.
    #[must_use]
    pub fn with_closure(&self, f: &CoreVariable, closure: Arc<FunctionClosure>) -> FunctionEnvironment {
        FunctionEnvironment(Some(Arc::new(ClosureEntry { function: f.clone(), closure, rest: self.clone() })))
    }

    /// Returns φ(f).
    ///
    /// # Errors
    /// [`TraceError::Stuck`] if f is not in Dom(φ).
    pub fn get(&self, f: &CoreVariable) -> Result<&Arc<FunctionClosure>, TraceError> {
        let found = self.iter().find(|(g, _)| *g == f).map(|(_, closure)| closure);
        found.ok_or(TraceError::Stuck { construct: "a function variable" })
    }

    /// Iterates over the entries, the innermost first.
    pub fn iter(&self) -> impl Iterator<Item = (&CoreVariable, &Arc<FunctionClosure>)> {
        std::iter::successors(self.0.as_deref(), |entry| entry.rest.0.as_deref())
            .map(|entry| (&entry.function, &entry.closure))
    }
}
