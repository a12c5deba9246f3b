//! Value environments ρ, function environments φ and closures (A §3).

use super::error::TraceError;
use super::number::NumberSystem;
use super::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreVariable};
use super::value::CoreValue;
use rustc_hash::FxHashMap;
use std::sync::Arc;

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
