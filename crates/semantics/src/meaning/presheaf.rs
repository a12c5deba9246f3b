//! Presheaf semantics of the language (S Fig. 6): terms become elements of [`Dynamic`](crate::presheaf::dynamic).
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
//! Interpretation builds graphs and computes no numbers. Only recursion can keep it from ending, so it counts its steps.

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

/// The most steps that interpreting one program may take; a choice.
pub const MOST_STEPS: u64 = 2_000_000;
/// The number of steps between two checks of the budget; a choice. It is small because a step may rebuild much of a graph.
const LOOK_EVERY: u64 = 64;
/// The number of steps charged for a node of an adjoint; a choice.
const NODE: u64 = 4;
/// The number of limbs beyond which a constant costs more than its step, and the work units charged for each limb then; a choice.
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
    /// Builds the universe under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        let places = Mutex::new(Vec::new());
        Self { steps: AtomicU64::new(0), depth: Depth::default(), budget, places }
    }

    /// Returns the place of an operation; `None` for an unknown site.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<Place> {
        Some(self.places().get(site.index()?)?.0.clone())
    }

    /// Charges the budget for the result of a constant, and adds the site of the constant to it.
    ///
    /// # Errors
    /// [`ValueError::TooLong`], [`ValueError::Exhausted`]
    pub fn settle(&self, constant: Constant, mark: Site, result: Element) -> Result<Element, ValueError> {
        self.spend_for(&result)?;
        // only an adjoint may be much larger than the step that makes it
        if constant == Constant::Rd {
            self.spend_for_nodes(&result)?;
        }
        Ok(standing(result, mark))
    }

    /// Charges the budget for exact arithmetic on long constants.
    fn spend_for(&self, result: &Element) -> Result<(), ValueError> {
        let Value::Real(graph) = result else { return Ok(()) };
        let Some(q) = graph.as_rational() else { return Ok(()) };
        let limbs = work::limbs(q.numer().significant_bits().max(q.denom().significant_bits()));
        if limbs > LONG_CONSTANT && !self.budget.spend(LONG_CONSTANT * limbs) {
            return Err(ValueError::Exhausted { steps: self.steps.load(Ordering::Relaxed) });
        }
        Ok(())
    }

    /// Charges steps and budget for writing out an adjoint. It is a constant factor larger than the function, so nested adjoints
    /// grow exponentially in their depth.
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
        // sites count from 1; 0 is [`Site::NOWHERE`]
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
        // A recursion that a real number decides would build an infinite graph; it is refused before either branch is run.
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
            // off the border the test is constant; on the border the choice has no value
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

/// Adds a site to the numbers of a result that have none yet.
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

/// Returns a part of a type whose values have no ⊥; `None` if all parts have one.
fn without_bottom(ty: &Ty) -> Option<&Ty> {
    deep(|| match ty.kind() {
        TyKind::Real | TyKind::Bool | TyKind::Unit | TyKind::Variable(..) => None,
        TyKind::Tuple(parts) => parts.iter().find_map(without_bottom),
        TyKind::Function(_, codomain) => without_bottom(codomain),
        TyKind::Nat | TyKind::Data(..) | TyKind::Tangent(_) | TyKind::Iso(..) => Some(ty),
    })
}

/// Interprets a closed, well-typed term in a universe of elements, at the stage without coordinates.
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

/// An interpreter of programs as elements of presheaves.
pub struct Interpreter {
    model: Evaluator<Elements>,
}

impl Interpreter {
    /// Builds an interpreter under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        Self { model: Evaluator::new(Elements::new(budget)) }
    }

    /// Returns the element that a closed, well-typed term denotes, at the stage without coordinates.
    ///
    /// # Errors
    /// [`ValueError::TooLong`], [`ValueError::TooDeep`] and [`ValueError::Exhausted`] when a recursion does not end,
    /// [`ValueError::NaturalOverflow`].
    pub fn interpret(&self, term: &Term) -> Result<Element, ValueError> {
        element_of(&self.model, term)
    }

    /// Returns the place of an operation; `None` for an unknown site.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<Place> {
        self.model.0.place(site)
    }

    /// Encloses the value of a closed, well-typed program, and collects the promises on which it rests; see [`Meaning::answer`].
    ///
    /// # Errors
    /// [`MeaningError::Run`] and [`MeaningError::Evaluation`].
    pub fn enclose(&self, term: &Term, to: &Accuracy, budget: &Budget) -> Result<Found, MeaningError> {
        let element = self.interpret(term)?;
        element.measure()?;
        // the numbers are asked together, so that they can share searches
        let questions = Several::new(&element.numbers());
        let mut asking = Asking::new(to, budget, questions);
        let value = element.told(&mut asking).map_err(|error| {
            let place = match &error {
                SmoothError::PromiseBroken { site, .. } => self.place(*site),
                _ => None,
            };
            MeaningError::Evaluation { error, place }
        })?;
        // Notes and reasons come after all numbers have answers: they may use the rest of the budget, and no answer depends on
        // them.
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
        // likewise after all answers
        let undefined = asking.suspect.and_then(|suspect| suspect.undefined(budget));
        let undefined = undefined.map(|found| answer::Undefined::of_number(&found, |site| self.place(site), term));
        Ok(Found { value, assumed, undefined, remarks })
    }

    /// Returns a note on the first integral whose method is stuck at a kink.
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

/// The result of [`Interpreter::enclose`].
#[derive(Clone, Debug)]
pub struct Found {
    /// The value.
    pub value: Enclosed,
    /// The uses of cutRoot on whose promises it rests.
    pub assumed: Vec<Place>,
    /// The reason why the first number that is not shown to be defined is not.
    pub undefined: Option<answer::Undefined>,
    /// Notes on places that tie and on first roots at an end.
    pub remarks: Vec<Remark>,
}

impl Found {
    /// Converts to the answer of a semantics.
    #[must_use]
    pub fn answer(self) -> Answer {
        let value = self.value.map(&mut |found| Number::Enclosure(found.clone()));
        Answer { assumed: self.assumed, undefined: self.undefined, remarks: self.remarks, ..Answer::of(value) }
    }
}

/// The semantics by presheaves over smoothish maps, called HAD in the paper.
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
