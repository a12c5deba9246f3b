//! Value environments ρ, function environments φ and closures (A §3).

use super::error::Obstacle;
use super::number::Numbers;
use super::term::{Definition, Term, TermKind, Variable};
use super::value::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// ρ: closed values for ordinary variables. What was added since a [mark](Environment::mark) can be taken back.
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
    /// `{x ↦ V}`
    #[must_use]
    pub fn of(x: &Variable, value: Value<R>) -> Self {
        let mut environment = Self::default();
        environment.set(x, value);
        environment
    }

    /// `ρ[V/x]`
    pub fn set(&mut self, x: &Variable, value: Value<R>) {
        let before = self.values.insert(x.clone(), value);
        self.before.push((x.clone(), before));
    }

    /// How it stands now.
    #[must_use]
    pub fn mark(&self) -> usize {
        self.before.len()
    }

    /// Takes back what was added since the mark.
    pub fn return_to(&mut self, mark: usize) {
        while self.before.len() > mark {
            match self.before.pop() {
                Some((x, Some(value))) => drop(self.values.insert(x, value)),
                Some((x, None)) => drop(self.values.remove(&x)),
                None => {}
            }
        }
    }

    /// ρ(x)
    #[must_use]
    pub fn get(&self, x: &Variable) -> Option<&Value<R>> {
        self.values.get(x)
    }

    /// Its entries, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&Variable, &Value<R>)> {
        self.values.iter()
    }

    /// ρ(V): the closed value of a value whose free variables are in Dom(ρ).
    ///
    /// # Errors
    /// [`Obstacle::Stuck`] for a variable that is not, and for a term that is no value.
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

/// `clo_φ(f(x : T) : U. M)`
#[derive(Debug)]
pub struct Closure {
    /// φ, in which the function was defined.
    pub functions: Functions,
    /// f(x : T) : U = M
    pub definition: Arc<Definition>,
    /// How often it may still be unfolded (A §6.2), where that is limited.
    pub limit: Option<u64>,
}

/// φ: closures for function variables. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Functions(Option<Arc<Entry>>);

#[derive(Debug)]
struct Entry {
    function: Variable,
    closure: Arc<Closure>,
    rest: Functions,
}

impl Functions {
    /// `φ[Cl/f]`
    #[must_use]
    pub fn with(&self, f: &Variable, closure: Arc<Closure>) -> Functions {
        Functions(Some(Arc::new(Entry { function: f.clone(), closure, rest: self.clone() })))
    }

    /// φ(f)
    ///
    /// # Errors
    /// [`Obstacle::Stuck`] for a function that is not in Dom(φ).
    pub fn get(&self, f: &Variable) -> Result<&Arc<Closure>, Obstacle> {
        let found = self.iter().find(|(g, _)| *g == f).map(|(_, closure)| closure);
        found.ok_or(Obstacle::Stuck { construct: "a function variable" })
    }

    /// Its entries, the innermost first.
    pub fn iter(&self) -> impl Iterator<Item = (&Variable, &Arc<Closure>)> {
        std::iter::successors(self.0.as_deref(), |entry| entry.rest.0.as_deref())
            .map(|entry| (&entry.function, &entry.closure))
    }
}
