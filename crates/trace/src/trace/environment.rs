//! Value environments ρ, function environments φ and closures (A §3).

use super::error::Obstacle;
use super::number::Numbers;
use super::term::{Definition, Term, TermKind, Variable};
use super::value::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A value environment ρ: closed values for ordinary variables. Changes since a [mark](Environment::mark) can be
/// undone.
#[derive(Clone, Debug)]
pub struct Environment<R> {
    values: FxHashMap<Variable, Value<R>>,
    before: Vec<(Variable, Option<Value<R>>)>,
}

impl<R> Default for Environment<R> {
    fn default() -> Self {
        Environment { values: FxHashMap::default(), before: Vec::new() }
    }
}

impl<R: Clone> Environment<R> {
    /// Makes `{x ↦ V}`.
    #[must_use]
    pub fn of(x: &Variable, value: Value<R>) -> Self {
        let mut environment = Self::default();
        environment.set(x, value);
        environment
    }

    /// Changes ρ to `ρ[V/x]`.
    pub fn set(&mut self, x: &Variable, value: Value<R>) {
        let before = self.values.insert(x.clone(), value);
        self.before.push((x.clone(), before));
    }

    /// Returns a mark of the present state, for [`Environment::return_to`].
    #[must_use]
    pub fn mark(&self) -> usize {
        self.before.len()
    }

    /// Undoes all changes since the mark, in reverse order.
    pub fn return_to(&mut self, mark: usize) {
        while self.before.len() > mark {
            match self.before.pop() {
                Some((x, Some(value))) => drop(self.values.insert(x, value)),
                Some((x, None)) => drop(self.values.remove(&x)),
                None => {}
            }
        }
    }

    /// Returns ρ(x); `None` if x is not in Dom(ρ).
    #[must_use]
    pub fn get(&self, x: &Variable) -> Option<&Value<R>> {
        self.values.get(x)
    }

    /// Iterates over the entries, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&Variable, &Value<R>)> {
        self.values.iter()
    }

    /// Returns ρ(V), the closed value of V.
    ///
    /// # Errors
    /// [`Obstacle::Stuck`] if a free variable of V is not in Dom(ρ), and for a term that is no value.
    pub fn close<N: Numbers<Number = R>>(&self, numbers: &N, value: &Term) -> Result<Value<R>, Obstacle> {
        Ok(match value.kind() {
            TermKind::Variable(x) => self.get(x).cloned().ok_or(Obstacle::Stuck { construct: "a variable" })?,
            TermKind::Number(r) => Value::Real(numbers.rational(r)),
            TermKind::Unit => Value::Unit,
            TermKind::Pair(_, _, left, right) => Value::pair(self.close(numbers, left)?, self.close(numbers, right)?),
            _ => return Err(Obstacle::Stuck { construct: "a value" }),
        })
    }
}

/// A closure `clo_φ(f(x : T) : U. M)`.
#[derive(Debug)]
pub struct Closure {
    /// φ, the function environment of the definition.
    pub functions: Functions,
    /// The definition f(x : T) : U = M.
    pub definition: Arc<Definition>,
    /// The number of unfoldings that are left (A §6.2); `None` if they are not limited.
    pub limit: Option<u64>,
}

/// A function environment φ: closures for function variables. A linked list, so it is cheap to clone and to extend.
#[derive(Clone, Debug, Default)]
pub struct Functions(Option<Arc<Entry>>);

#[derive(Debug)]
struct Entry {
    function: Variable,
    closure: Arc<Closure>,
    rest: Functions,
}

impl Functions {
    /// Returns `φ[Cl/f]`.
    #[must_use]
    pub fn with(&self, f: &Variable, closure: Arc<Closure>) -> Functions {
        Functions(Some(Arc::new(Entry { function: f.clone(), closure, rest: self.clone() })))
    }

    /// Returns φ(f).
    ///
    /// # Errors
    /// [`Obstacle::Stuck`] if f is not in Dom(φ).
    pub fn get(&self, f: &Variable) -> Result<&Arc<Closure>, Obstacle> {
        let found = self.iter().find(|(g, _)| *g == f).map(|(_, closure)| closure);
        found.ok_or(Obstacle::Stuck { construct: "a function variable" })
    }

    /// Iterates over the entries, the innermost first.
    pub fn iter(&self) -> impl Iterator<Item = (&Variable, &Arc<Closure>)> {
        std::iter::successors(self.0.as_deref(), |entry| entry.rest.0.as_deref())
            .map(|entry| (&entry.function, &entry.closure))
    }
}
