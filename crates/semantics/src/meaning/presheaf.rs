//! The presheaf meaning of the language (S Fig. 6): terms become elements of [`Dynamic`](crate::presheaf::dynamic).
//!
//! All types denote the one presheaf of all values, so this is a [universe](crate::model::universe). An arrow Γ → A is a
//! natural transformation: it acts on environments of elements at any stage, as [`Code`].
//!
//! | clause | S Fig. 6 | here |
//! |---|---|---|
//! | variable | projection from the environment | [`environment`](crate::model::environment) |
//! | `λx. e` | `abstract(⟦e⟧)` | a closure: it may be applied at any later stage |
//! | `e₁ e₂` | `⟦e₁⟧(id, ⟦e₂⟧)` | [`Function::apply`](crate::presheaf::dynamic::Function::apply) |
//! | constants | §5.1–5.3 | [`constants`] |
//! | `match`, `fold` | H §5.1 | decided while interpreting, for the same reason as `if` |
//! | `if`, recursion on ℕ | §8.1 | decided while interpreting: stages are connected, so discrete data is constant |
//! | `<` on ℜ, `if` by it | §8.1, extended | a [guard](crate::presheaf::condition) and a choice by it |
//!
//! Interpreting builds graphs and computes no number. Only recursion can make it run for ever; it counts its steps.

mod asking;
pub mod constants;
pub mod map;
mod roots;

pub use crate::model::Place;

use crate::model::answer::{self, Answer, Meaning, MeaningError, Number, Remark};
use crate::model::universe::{Arithmetic, Code, Depth, Evaluator, Universe};
use crate::model::{Choice, InterpretError, Unsupported};
use crate::number::budget::Budget;
use crate::number::real;
use crate::number::why::{Stuck, Why};
use crate::number::work;
use crate::number::{Accuracy, Rational};
use crate::presheaf::condition::{Condition, chosen};
use crate::presheaf::dynamic::Element;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Site};
use crate::smooth::question::Several;
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::lexer::excerpt;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Value, ValueError};
use asking::Asking;
pub use asking::decision;
use constants::Graphs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most steps that interpreting one program may take.
pub const MOST_STEPS: u64 = 2_000_000;
/// How many steps pass between two looks at the budget: a step may have to rebuild much of a graph.
const LOOK_EVERY: u64 = 64;
/// How many steps a node of an adjoint counts for.
const NODE: u64 = 4;
/// Constants of more limbs take longer than the step that makes them: by about as many units for each of their limbs.
const LONG_CONSTANT: u64 = 8;

/// The universe of the elements of [`Dynamic`](crate::presheaf::dynamic), with a budget of steps.
#[derive(Debug)]
pub struct Elements {
    steps: AtomicU64,
    depth: Depth,
    budget: Arc<Budget>,
    places: Mutex<Vec<(Place, Constant)>>,
}

impl Elements {
    /// The universe under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        let places = Mutex::new(Vec::new());
        Self { steps: AtomicU64::new(0), depth: Depth::default(), budget, places }
    }

    /// Where an operation stands.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<Place> {
        Some(self.places().get(site.index()?)?.0.clone())
    }

    /// Spends what the result of a constant has cost, and says in it where it was computed.
    ///
    /// # Errors
    /// [`ValueError::TooLong`], [`ValueError::Exhausted`]
    pub fn settle(&self, constant: Constant, mark: Site, result: Element) -> Result<Element, ValueError> {
        self.spend_for(&result)?;
        if constant == Constant::Rd {
            self.spend_for_nodes(&result)?;
        }
        Ok(standing(result, mark))
    }

    /// Spends what exact arithmetic on long constants costs besides its step.
    fn spend_for(&self, result: &Element) -> Result<(), ValueError> {
        let Value::Real(graph) = result else { return Ok(()) };
        let Some(q) = graph.as_rational() else { return Ok(()) };
        let limbs = work::limbs(q.numer().significant_bits().max(q.denom().significant_bits()));
        if limbs > LONG_CONSTANT && !self.budget.spend(LONG_CONSTANT * limbs) {
            return Err(ValueError::Exhausted { steps: self.steps.load(Ordering::Relaxed) });
        }
        Ok(())
    }

    /// Spends what writing out an adjoint costs: it is a few times as large as the function, so that of an adjoint of an
    /// adjoint and so on is a power.
    fn spend_for_nodes(&self, result: &Element) -> Result<(), ValueError> {
        let cost = NODE * Graph::nodes(result.coordinates()?).len() as u64;
        let steps = self.steps.fetch_add(cost, Ordering::Relaxed) + cost;
        if steps > MOST_STEPS {
            return Err(ValueError::TooLong { most: MOST_STEPS });
        }
        if !self.budget.spend(cost) || self.budget.is_exhausted() {
            return Err(ValueError::Exhausted { steps });
        }
        Ok(())
    }

    fn places(&self) -> std::sync::MutexGuard<'_, Vec<(Place, Constant)>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Arithmetic for Elements {
    type Real = Graph;

    fn compare(&self, constant: Constant, x: &Graph, y: &Graph) -> Result<Condition, ValueError> {
        Graphs.compare(constant, x, y)
    }
    fn rational(&self, value: &Rational) -> Graph {
        Graphs.rational(value)
    }
    fn real(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        Graphs.real(constant, arguments)
    }
}

impl Universe for Elements {
    type Mark = Site;
    const NAME: &'static str = "presheaf";

    fn step(&self) -> Result<(), ValueError> {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if steps > MOST_STEPS {
            return Err(ValueError::TooLong { most: MOST_STEPS });
        }
        if steps.is_multiple_of(LOOK_EVERY) && (!self.budget.spend(LOOK_EVERY) || self.budget.is_exhausted()) {
            return Err(ValueError::Exhausted { steps });
        }
        Ok(())
    }
    fn depth(&self) -> Option<&Depth> {
        Some(&self.depth)
    }
    fn mark(&self, constant: Constant, place: &Place, _: &[Code<Self>]) -> Site {
        let mut places = self.places();
        places.push((place.clone(), constant));
        Site(places.len() as u32)
    }

    fn branch(
        self: &Arc<Self>,
        condition: &Condition,
        choice: &Choice,
        then: &dyn Fn() -> Result<Element, ValueError>,
        otherwise: &dyn Fn() -> Result<Element, ValueError>,
    ) -> Result<Element, ValueError> {
        let lacks = |construct: String| Err(ValueError::Lacks { model: Self::NAME, construct });
        let condition_as_written = || excerpt(&choice.condition.to_string());
        if let Some(function) = &choice.recursion {
            let guard = condition_as_written();
            return lacks(format!("the recursion of `{function}` under `{guard}`, a condition on real numbers"));
        }
        if let Some(ty) = without_bottom(&choice.ty) {
            let guard = condition_as_written();
            return lacks(format!(
                "a choice by `{guard}`, a condition on real numbers, between values of type {}: {ty} has nothing for the border",
                choice.ty
            ));
        }
        match condition {
            // off its border it is known which
            Condition::Apart { difference, holds } => {
                let taken = if *holds { then()? } else { otherwise()? };
                chosen(difference, &taken, &taken)
            }
            _ => chosen(&condition.guard(), &then()?, &otherwise()?),
        }
    }
    fn operation(
        self: &Arc<Self>,
        constant: Constant,
        mark: Site,
        arguments: &[Element],
    ) -> Result<Element, ValueError> {
        self.settle(constant, mark, constants::apply(constant, mark, arguments)?)
    }
}

/// The numbers of a result, known to be computed at a place where they are not told yet where.
fn standing(result: Element, site: Site) -> Element {
    match result {
        Value::Real(graph) => Value::Real(graph.at(site)),
        Value::Boolean(Condition::Guard(guard)) => Value::Boolean(Condition::Guard(guard.at(site))),
        Value::Boolean(Condition::Apart { difference, holds }) => {
            Value::Boolean(Condition::Apart { difference: difference.at(site), holds })
        }
        other => other,
    }
}

/// A part of a type for the values of which there is no ⊥.
fn without_bottom(ty: &Ty) -> Option<&Ty> {
    deep(|| match ty.kind() {
        TyKind::Real | TyKind::Bool | TyKind::Unit | TyKind::Variable(..) => None,
        TyKind::Tuple(parts) => parts.iter().find_map(without_bottom),
        TyKind::Function(_, codomain) => without_bottom(codomain),
        TyKind::Nat | TyKind::Data(..) | TyKind::Tangent(_) | TyKind::Iso(..) => Some(ty),
    })
}

/// The element that a closed, well-typed term denotes in a universe of elements, at the stage without coordinates.
///
/// # Errors
/// Those of the universe.
pub fn element_of<U: Universe<Real = Graph>>(model: &Evaluator<U>, term: &Term) -> Result<Element, ValueError> {
    model.value(term).map_err(|error| match error {
        MeaningError::Run(error) => error,
        MeaningError::Interpretation(InterpretError::Unbound { .. }) => {
            ValueError::Mismatch { expected: "a bound variable", found: "a free one" }
        }
        MeaningError::Interpretation(InterpretError::Unsupported(Unsupported { model, construct })) => {
            ValueError::Lacks { model, construct }
        }
        _ => ValueError::Mismatch { expected: "a construct of presheaves", found: "another" },
    })
}

/// The elements that programs denote.
pub struct Interpreter {
    model: Evaluator<Elements>,
}

impl Interpreter {
    /// An interpreter under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        Self { model: Evaluator::new(Elements::new(budget)) }
    }

    /// The element that a closed, well-typed term denotes, at the stage without coordinates.
    ///
    /// # Errors
    /// [`ValueError::TooLong`], [`ValueError::TooDeep`] and [`ValueError::Exhausted`] when a recursion does not end,
    /// [`ValueError::NaturalOverflow`].
    pub fn interpret(&self, term: &Term) -> Result<Element, ValueError> {
        element_of(&self.model, term)
    }

    /// Where an operation stands.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<Place> {
        self.model.0.place(site)
    }

    /// The value of a closed, well-typed program, enclosed, and the promises it rests on; see [`Meaning::answer`].
    ///
    /// # Errors
    /// [`MeaningError::Run`] and [`MeaningError::Evaluation`].
    pub fn enclose(&self, term: &Term, to: &Accuracy, budget: &Budget) -> Result<Found, MeaningError> {
        let element = self.interpret(term)?;
        element.measure()?;
        let questions = Several::new(&element.numbers());
        let mut asking = Asking::new(to, budget, questions);
        let value = element.told(&mut asking).map_err(|error| {
            let place = match &error {
                SmoothError::PromiseBroken { site, .. } => self.place(*site),
                _ => None,
            };
            MeaningError::Evaluation { error, place }
        })?;
        let (mut remarks, tie) = asking.remarks(|site| self.place(site));
        let reasons = asking.reasons(tie.as_ref());
        let mut which = 0;
        let value = value.map(&mut |found| {
            let mut found = found.clone();
            if let Some((_, why)) = reasons.iter().find(|(wide, _)| *wide == which) {
                found.why = Some(why.clone());
            }
            which += 1;
            found
        });
        remarks.extend(self.stuck(&value));
        let mut sites = asking.sites;
        sites.sort_unstable();
        let mut assumed: Vec<Place> = Vec::new();
        for place in sites.into_iter().filter_map(|site| self.place(Site(site))) {
            if !assumed.contains(&place) {
                assumed.push(place);
            }
        }
        // when every number has its answer, so that no answer depends on it
        let undefined = asking.suspect.and_then(|suspect| suspect.undefined(budget));
        let undefined = undefined.map(|found| answer::Undefined::of_number(&found, |site| self.place(site), term));
        Ok(Found { value, assumed, undefined, remarks })
    }

    /// Where the first search is stuck that is.
    fn stuck(&self, value: &Enclosed) -> Option<Remark> {
        let mut first = None;
        drop(value.map(&mut |found| {
            if let (None, Some(Why::Method { stuck: Stuck::Kink, site })) = (first, &found.why) {
                first = Some(*site);
            }
            found.clone()
        }));
        let place = self.place(Site(first?))?;
        Some(Remark {
            before: "the integrand has a kink that is not told apart:".to_owned(),
            place: Some(place),
            after: String::new(),
        })
    }
}

/// A value with an enclosure for every real number in it.
pub type Enclosed = Value<Box<real::Refined>>;

/// What [`Interpreter::enclose`] finds.
#[derive(Clone, Debug)]
pub struct Found {
    /// The value.
    pub value: Enclosed,
    /// The uses of cutRoot whose promise it rests on.
    pub assumed: Vec<Place>,
    /// Why the first number in it that is not shown to be defined is not.
    pub undefined: Option<answer::Undefined>,
    /// What there is to say of places that tie.
    pub remarks: Vec<Remark>,
}

impl Found {
    /// The answer of a meaning.
    #[must_use]
    pub fn answer(self) -> Answer {
        let value = self.value.map(&mut |found| Number::Enclosure(found.clone()));
        Answer { assumed: self.assumed, undefined: self.undefined, remarks: self.remarks, ..Answer::of(value) }
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
    fn answer_to(&self, term: &Term, _: &Ty, to: &Accuracy, budget: &Arc<Budget>) -> Result<Answer, MeaningError> {
        Ok(Interpreter::new(budget.clone()).enclose(term, to, budget)?.answer())
    }
}
