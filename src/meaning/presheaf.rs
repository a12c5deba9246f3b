//! The presheaf meaning of the language (S Fig. 6): terms become elements of [`Dynamic`](crate::presheaf::dynamic).
//!
//! All types denote the one presheaf of all values, so this is a [universe](crate::model::universe). An arrow Γ → A is a
//! natural transformation: it acts on environments of elements at any stage, as [`Code`](crate::model::universe::Code).
//!
//! | clause | S Fig. 6 | here |
//! |---|---|---|
//! | variable | projection from the environment | [`environment`](crate::model::environment) |
//! | `λx. e` | `abstract(⟦e⟧)` | a closure: it may be applied at any later stage |
//! | `e₁ e₂` | `⟦e₁⟧(id, ⟦e₂⟧)` | [`Function::apply`] |
//! | constants | §5.1–5.3 | [`constants`] |
//! | `match`, `fold` | H §5.1 | decided while interpreting, for the same reason as `if` |
//! | `if`, recursion on ℕ | §8.1 | decided while interpreting: stages are connected, so discrete data is constant |
//!
//! Interpreting builds graphs and computes no number. Only recursion can make it run for ever; it counts its steps.

pub mod constants;
mod mutant;

pub use crate::model::Place;

use crate::model::answer::{Answer, Meaning, MeaningError, Number, Reply, measure};
use crate::model::environment::Environment;
use crate::model::universe::{Closure, Evaluator, Universe};
use crate::model::{InterpretError, Unsupported, interpret};
use crate::mutation::{Language, Mutation};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::number::real;
use crate::presheaf::dynamic::{Element, Function, Rule};
use crate::presheaf::error::PresheafError;
use crate::presheaf::nested::Nested;
use crate::presheaf::sequence::Sequence;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Site};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most steps that interpreting one program may take.
pub const MOST_STEPS: u64 = 2_000_000;

/// The universe of the elements of [`Dynamic`](crate::presheaf::dynamic), with a budget of steps.
#[derive(Debug)]
pub struct Elements {
    steps: AtomicU64,
    budget: Arc<Budget>,
    places: Mutex<Vec<Place>>,
    mutation: Option<Mutation>,
}

impl Elements {
    /// The universe under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        Self { steps: AtomicU64::new(0), budget, places: Mutex::new(Vec::new()), mutation: None }
    }

    /// The universe with a rule replaced.
    #[must_use]
    pub fn with_mutation(self, mutation: Option<Mutation>) -> Self {
        Self { mutation, ..self }
    }

    fn places(&self) -> std::sync::MutexGuard<'_, Vec<Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rule for Closure<Elements> {
    fn apply(&self, argument: &Element) -> Result<Element, PresheafError> {
        Closure::apply(self, argument)
    }
}

impl Universe for Elements {
    type Value = Element;
    type Error = PresheafError;
    type Mark = Site;
    const NAME: &'static str = "presheaf";

    fn step(&self) -> Result<(), PresheafError> {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if steps > MOST_STEPS {
            return Err(PresheafError::TooLong { most: MOST_STEPS });
        }
        if steps.is_multiple_of(1024) && !self.budget.spend(1024) {
            return Err(PresheafError::Exhausted { steps });
        }
        Ok(())
    }
    fn variable(&self, environment: &Environment<Element>, index: usize) -> Option<Element> {
        match self.mutation {
            None => environment.get(index),
            Some(mutation) => mutant::variable(mutation, environment, index),
        }
    }
    fn bind(&self, environment: &Environment<Element>, value: Element) -> Environment<Element> {
        match self.mutation {
            None => environment.with(value),
            Some(mutation) => mutant::bind(mutation, environment, value),
        }
    }
    fn unbound(&self) -> PresheafError {
        UNBOUND
    }
    fn mark(&self, constant: Constant, place: &Place) -> Site {
        if !constants::makes_a_promise(constant) {
            return Site(0);
        }
        let mut places = self.places();
        places.push(place.clone());
        Site((places.len() - 1) as u32)
    }

    fn number(&self, value: &Rational) -> Element {
        Element::Real(Graph::rational(value.clone()))
    }
    fn natural(&self, value: u64) -> Element {
        Element::Natural(value)
    }
    fn truth(&self, value: bool) -> Element {
        Element::Boolean(value)
    }
    fn tuple(&self, parts: Vec<Element>) -> Element {
        if parts.is_empty() { Element::Unit } else { Element::tuple(parts) }
    }
    fn function(&self, closure: Closure<Self>) -> Element {
        match self.mutation {
            None => Element::Function(Function::new(closure)),
            Some(mutation) => mutant::function(mutation, closure),
        }
    }
    fn admits(&self, _: Constant) -> Result<(), Unsupported> {
        Ok(())
    }

    fn component(&self, tuple: &Element, index: usize) -> Result<Element, PresheafError> {
        let component = tuple.as_tuple()?.get(index).cloned();
        component.ok_or(PresheafError::Mismatch { expected: "a longer tuple", found: "a tuple" })
    }
    fn decide(&self, condition: &Element) -> Result<bool, PresheafError> {
        Ok(condition.as_boolean()? != (self.mutation == Some(Language::If.into())))
    }
    fn variant(&self, index: usize, argument: Element) -> Element {
        Element::Variant(index, Nested::new(argument))
    }
    fn split(&self, variant: &Element) -> Result<(usize, Element), PresheafError> {
        let (index, argument) = variant.as_variant()?;
        let before = usize::from(self.mutation == Some(Language::Match.into()));
        Ok((index.saturating_sub(before), argument.clone()))
    }
    fn roll(&self, layer: &Element) -> Result<Element, PresheafError> {
        Ok(Element::List(match layer.as_variant()? {
            (0, _) => Sequence::default(),
            (_, pair) => {
                let (head, tail) = pair.as_pair()?;
                let tail = tail.as_list()?;
                match self.mutation {
                    None => tail.with(head.clone()),
                    Some(mutation) => mutant::cons(mutation, head, tail),
                }
            }
        }))
    }
    fn unroll(&self, list: &Element) -> Result<Element, PresheafError> {
        Ok(match list.as_list()?.parts() {
            None => self.variant(0, Element::Unit),
            Some((head, tail)) => self.variant(1, Element::tuple([head.clone(), Element::List(tail.clone())])),
        })
    }
    fn apply(&self, function: &Element, argument: &Element) -> Result<Element, PresheafError> {
        function.as_function()?.apply(argument)
    }
    fn side(&self, isomorphism: &Element, forward: bool) -> Result<Element, PresheafError> {
        match isomorphism {
            Element::Isomorphism(to, from) => Ok(Element::Function(if forward { to } else { from }.clone())),
            other => Err(PresheafError::Mismatch { expected: "an isomorphism", found: other.kind() }),
        }
    }
    fn operation(
        self: &Arc<Self>,
        constant: Constant,
        mark: Site,
        arguments: &[Element],
    ) -> Result<Element, PresheafError> {
        match self.mutation {
            None => constants::apply(constant, mark, arguments),
            Some(mutation) => mutant::apply(mutation, constant, mark, arguments),
        }
    }
}

const UNBOUND: PresheafError = PresheafError::Mismatch { expected: "a bound variable", found: "a free one" };

/// The elements that programs denote.
pub struct Interpreter {
    model: Evaluator<Elements>,
}

impl Interpreter {
    /// An interpreter under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        Self::with_mutation(budget, None)
    }

    /// An interpreter with a rule replaced.
    #[must_use]
    pub fn with_mutation(budget: Arc<Budget>, mutation: Option<Mutation>) -> Self {
        Self { model: Evaluator::new(Elements::new(budget).with_mutation(mutation)) }
    }

    /// The element that a closed, well-typed term denotes, at the stage without coordinates.
    ///
    /// # Errors
    /// [`PresheafError::TooLong`] and [`PresheafError::Exhausted`] when a recursion does not end,
    /// [`PresheafError::NaturalOverflow`].
    pub fn interpret(&self, term: &Term) -> Result<Element, PresheafError> {
        // a universal model does not look at types
        let arrow = interpret(&self.model, &[], term, &Ty::new(TyKind::Unit)).map_err(|error| match error {
            InterpretError::Unbound { .. } => UNBOUND,
            _ => PresheafError::Mismatch { expected: "a construct of presheaves", found: "another" },
        })?;
        arrow.run(&self.model.0, &Environment::default())
    }

    /// Where a second-order primitive stands.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<Place> {
        self.model.0.places().get(site.0 as usize).cloned()
    }

    /// The value of a closed, well-typed program, enclosed, and the promises it rests on; see [`Meaning::answer`].
    ///
    /// # Errors
    /// [`MeaningError::Run`] and [`MeaningError::Evaluation`].
    pub fn enclose(
        &self,
        term: &Term,
        eps: &Rational,
        budget: &Budget,
    ) -> Result<(Enclosed, Vec<Place>), MeaningError> {
        let element = self.interpret(term)?;
        measure(&element, Element::parts)?;
        let mutation = self.model.0.mutation;
        let mut asking = Asking { eps, budget, mutation, asked: 0, sites: Vec::new() };
        let value = asking.reply(&element).map_err(|error| {
            let place = match &error {
                SmoothError::PromiseBroken { site, .. } => self.place(*site),
                _ => None,
            };
            MeaningError::Evaluation { error, place }
        })?;
        let mut sites = asking.sites;
        sites.sort_unstable();
        let mut assumed: Vec<Place> = Vec::new();
        for place in sites.into_iter().filter_map(|site| self.place(Site(site))) {
            if !assumed.contains(&place) {
                assumed.push(place);
            }
        }
        Ok((value, assumed))
    }
}

/// A value with an enclosure for every real number in it.
pub type Enclosed = Reply<Box<real::Answer>>;

/// How many numbers of an answer are asked for when no time is left: each has a first pass, which is cheap.
const ASKED_ANYWAY: usize = 1_000;

/// The numbers of an answer, one after another.
struct Asking<'a> {
    eps: &'a Rational,
    budget: &'a Budget,
    mutation: Option<Mutation>,
    asked: usize,
    sites: Vec<u32>,
}

impl Asking<'_> {
    fn number(&mut self, graph: &Graph) -> Result<real::Answer, SmoothError> {
        self.asked += 1;
        if self.asked > ASKED_ANYWAY && self.budget.is_exhausted() {
            return Ok(real::Answer::unknown());
        }
        let answer = graph.real()?.with_mutation(self.mutation).enclose(self.eps, self.budget)?;
        self.sites.extend(&answer.assumed);
        Ok(answer)
    }

    fn reply(&mut self, element: &Element) -> Result<Enclosed, SmoothError> {
        Ok(match element {
            Element::Real(graph) => Reply::Real(Box::new(self.number(graph)?)),
            Element::Natural(n) => Reply::Natural(*n),
            Element::Boolean(b) => Reply::Boolean(*b),
            Element::Unit => Reply::Unit,
            Element::Tuple(parts) => Reply::Tuple(parts.iter().map(|part| self.reply(part)).collect::<Result<_, _>>()?),
            Element::Variant(index, argument) => Reply::Variant(*index, Box::new(deep(|| self.reply(argument))?)),
            Element::List(list) => Reply::List(list.iter().map(|part| self.reply(part)).collect::<Result<_, _>>()?),
            Element::Function(_) => Reply::Function,
            Element::Tangent(_) => Reply::Tangent,
            Element::Isomorphism(..) => Reply::Isomorphism,
        })
    }
}

/// HAD: presheaves over smoothish maps.
#[derive(Clone, Copy, Debug)]
pub struct Presheaf;

impl Meaning for Presheaf {
    fn name(&self) -> &'static str {
        Elements::NAME
    }
    fn about(&self) -> &'static str {
        "presheaves over smooth maps: values and derivatives of every order, enclosed as narrowly as asked"
    }
    fn encloses(&self) -> bool {
        true
    }
    fn answer(&self, term: &Term, _: &Ty, eps: &Rational, budget: &Arc<Budget>) -> Result<Answer, MeaningError> {
        let (value, assumed) = Interpreter::new(budget.clone()).enclose(term, eps, budget)?;
        Ok(Answer { value: value.map(&mut Number::Enclosure), assumed })
    }
}
