//! The presheaf meaning of the language (S Fig. 6): terms become elements of [`Dynamic`](crate::presheaf::dynamic).
//!
//! | clause | S Fig. 6 | here |
//! |---|---|---|
//! | variable | projection from the environment | [`environment`] |
//! | `λx. e` | `abstract(⟦e⟧)` | a closure: it may be applied at any later stage |
//! | `e₁ e₂` | `⟦e₁⟧(id, ⟦e₂⟧)` | [`Function::apply`] |
//! | constants | §5.1–5.3 | [`constants`] |
//! | `if`, recursion on ℕ | §8.1 | decided while interpreting: stages are connected, so discrete data is constant |
//!
//! Interpreting builds graphs and computes no number. Only recursion can make it run for ever; it counts its steps.

pub mod constants;
pub mod environment;

use crate::number::budget::Budget;
use crate::presheaf::dynamic::{Element, Function, Natural};
use crate::presheaf::error::PresheafError;
use crate::smooth::graph::{Graph, Site};
use crate::syntax::limit::deep;
use crate::syntax::source::Span;
use crate::syntax::term::{Definition, Term, TermKind};
use environment::Environment;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most steps that interpreting one program may take.
pub const MOST_STEPS: u64 = 2_000_000;

/// A place in a program: where a second-order primitive stands.
#[derive(Clone, Debug)]
pub struct Place {
    /// The definition it stands in; `None` for the program itself.
    pub definition: Option<Arc<Definition>>,
    /// The place in that source.
    pub span: Span,
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.span == other.span
            && match (&self.definition, &other.definition) {
                (Some(left), Some(right)) => Arc::ptr_eq(left, right),
                (None, None) => true,
                _ => false,
            }
    }
}

impl Eq for Place {}

/// What interprets one program.
#[derive(Debug)]
pub struct Interpreter {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    steps: AtomicU64,
    budget: Arc<Budget>,
    places: Mutex<Vec<Place>>,
    globals: Mutex<FxHashMap<usize, (Arc<Definition>, Element)>>,
}

impl Drop for Interpreter {
    fn drop(&mut self) {
        // the values of definitions hold the interpreter: let go of them
        lock(&self.shared.globals).clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Interpreter {
    /// An interpreter under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        let (places, globals) = (Mutex::new(vec![]), Mutex::default());
        Self { shared: Arc::new(Shared { steps: AtomicU64::new(0), budget, places, globals }) }
    }

    /// The element that a closed, well-typed term denotes, at the stage without coordinates.
    ///
    /// # Errors
    /// [`PresheafError::Exhausted`] when a recursion does not end, [`PresheafError::NaturalOverflow`].
    pub fn interpret(&self, term: &Term) -> Result<Element, PresheafError> {
        evaluate(&self.shared, term, &Environment::default(), &None)
    }

    /// Where a second-order primitive stands.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<Place> {
        lock(&self.shared.places).get(site.0 as usize).cloned()
    }
}

impl Shared {
    fn step(&self) -> Result<(), PresheafError> {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if steps > MOST_STEPS || (steps.is_multiple_of(1024) && !self.budget.spend(1024)) {
            return Err(PresheafError::Exhausted { steps });
        }
        Ok(())
    }

    fn site(&self, home: &Home, span: Span) -> Site {
        let place = Place { definition: home.clone(), span };
        let mut places = lock(&self.places);
        let index = places.iter().position(|p| *p == place).unwrap_or_else(|| {
            places.push(place);
            places.len() - 1
        });
        Site(index as u32)
    }

    /// The value of a definition, computed once.
    fn global(self: &Arc<Self>, definition: &Arc<Definition>) -> Result<Element, PresheafError> {
        let key = Arc::as_ptr(definition) as usize;
        if let Some((_, known)) = lock(&self.globals).get(&key) {
            return Ok(known.clone());
        }
        let home = Some(definition.clone());
        let value = evaluate(self, &definition.term, &Environment::default(), &home)?;
        lock(&self.globals).insert(key, (definition.clone(), value.clone()));
        Ok(value)
    }
}

/// The definition whose term is being interpreted.
type Home = Option<Arc<Definition>>;

/// `λx. body` in an environment.
struct Closure {
    shared: Arc<Shared>,
    environment: Environment,
    body: Term,
    home: Home,
}

impl Natural for Closure {
    fn apply(&self, argument: &Element) -> Result<Element, PresheafError> {
        self.shared.step()?;
        let environment = self.environment.with(argument.clone());
        evaluate(&self.shared, &self.body, &environment, &self.home)
    }
}

/// `let rec f = value`, the value a function that finds itself in its environment.
#[derive(Clone)]
struct Recursive {
    shared: Arc<Shared>,
    environment: Environment,
    value: Term,
    home: Home,
}

impl Natural for Recursive {
    fn apply(&self, argument: &Element) -> Result<Element, PresheafError> {
        self.shared.step()?;
        let environment = self.environment.with(Element::Function(Function::new(self.clone())));
        let unrolled = evaluate(&self.shared, &self.value, &environment, &self.home)?;
        unrolled.as_function()?.apply(argument)
    }
}

fn evaluate(
    shared: &Arc<Shared>,
    term: &Term,
    environment: &Environment,
    home: &Home,
) -> Result<Element, PresheafError> {
    deep(|| clause(shared, term, environment, home))
}

fn clause(shared: &Arc<Shared>, term: &Term, environment: &Environment, home: &Home) -> Result<Element, PresheafError> {
    let value = |t: &Term, e: &Environment| evaluate(shared, t, e, home);
    Ok(match term.kind() {
        TermKind::Variable { index, .. } => environment.get(*index).ok_or(UNBOUND)?,
        TermKind::Global(definition) => shared.global(definition)?,
        TermKind::Constant(constant) => constants::constant(*constant, shared.site(home, term.span())),
        TermKind::Real(q) => Element::Real(Graph::rational(q.clone())),
        TermKind::Nat(n) => Element::Natural(*n),
        TermKind::Bool(b) => Element::Boolean(*b),
        TermKind::Unit => Element::Unit,
        TermKind::Lambda { body, .. } => Element::Function(Function::new(Closure {
            shared: shared.clone(),
            environment: environment.clone(),
            body: body.clone(),
            home: home.clone(),
        })),
        TermKind::Apply { function, argument } => {
            shared.step()?;
            let function = value(function, environment)?;
            function.as_function()?.apply(&value(argument, environment)?)?
        }
        TermKind::Let { value: bound, body, .. } => {
            let bound = value(bound, environment)?;
            value(body, &environment.with(bound))?
        }
        TermKind::LetRec { value: bound, body, .. } => {
            let recursive = Recursive {
                shared: shared.clone(),
                environment: environment.clone(),
                value: bound.clone(),
                home: home.clone(),
            };
            value(body, &environment.with(Element::Function(Function::new(recursive))))?
        }
        TermKind::Tuple(parts) => {
            let parts: Result<Vec<_>, _> = parts.iter().map(|p| value(p, environment)).collect();
            Element::tuple(parts?)
        }
        TermKind::Project { tuple, index } => {
            let tuple = value(tuple, environment)?;
            let parts = tuple.as_tuple()?;
            parts
                .get(*index)
                .cloned()
                .ok_or(PresheafError::Mismatch { expected: "a longer tuple", found: "a tuple" })?
        }
        TermKind::If { condition, then, otherwise } => {
            let chosen = if value(condition, environment)?.as_boolean()? { then } else { otherwise };
            value(chosen, environment)?
        }
        TermKind::To(e) => match value(e, environment)? {
            Element::Isomorphism(to, _) => Element::Function(to),
            other => return Err(not_an_isomorphism(&other)),
        },
        TermKind::From(e) => match value(e, environment)? {
            Element::Isomorphism(_, from) => Element::Function(from),
            other => return Err(not_an_isomorphism(&other)),
        },
    })
}

const UNBOUND: PresheafError = PresheafError::Mismatch { expected: "a bound variable", found: "a free one" };

fn not_an_isomorphism(found: &Element) -> PresheafError {
    PresheafError::Mismatch { expected: "an isomorphism", found: found.kind() }
}
