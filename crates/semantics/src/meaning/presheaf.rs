//! Presheaf semantics of the language (S Fig. 6): terms become elements of [`Dynamic`](crate::presheaf::dynamic).
//!
//! All types denote the one presheaf of all values, so this is a [universe](crate::model::universe). An arrow Γ → A is a
//! natural transformation: it acts on environments of elements at any stage, as [`ArrowCode`].
//!
//! | clause | S Fig. 6 | here |
//! |---|---|---|
//! | variable | projection from the environment | [`environment`](crate::model::environment) |
//! | `λx. e` | `abstract(⟦e⟧)` | a closure: it may be applied at any later stage |
//! | `e₁ e₂` | `⟦e₁⟧(id, ⟦e₂⟧)` | [`Function::apply`](crate::presheaf::dynamic::StageFunction::apply) |
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

pub use crate::model::SourceLocation;

use crate::model::answer::{self, AnswerNote, AnswerNumber, ProgramAnswer, Semantics, SemanticsError};
use crate::model::universe::{ArrowCode, EvaluatorModel, RealArithmetic, RecursionDepth, ValueSemantics};
use crate::model::{ConditionalInfo, InterpretError, Unsupported};
use crate::number::budget::Budget;
use crate::number::real;
use crate::number::why::{UndecidedSearch, WidthReason};
use crate::number::work;
use crate::number::{Accuracy, Rational};
use crate::presheaf::condition::{StageCondition, select_element};
use crate::presheaf::dynamic::Element;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, SourceId};
use crate::smooth::question::QueryBatch;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::lexer::message_excerpt;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Value, ValueError};
use asking::AnswerEncloser;
pub use asking::decide_condition;
use constants::GraphArithmetic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most steps that interpreting one program may take; a choice.
pub const MAX_INTERPRETATION_STEPS: u64 = 2_000_000;
/// The number of steps between two checks of the budget; a choice. It is small because a step may rebuild much of a graph.
const STEPS_PER_BUDGET_CHECK: u64 = 64;
/// The number of steps charged for a node of an adjoint; a choice.
const STEPS_PER_ADJOINT_NODE: u64 = 4;
/// The number of limbs beyond which a constant costs more than its step, and the work units charged for each limb then; a choice.
const LONG_CONSTANT_LIMBS: u64 = 8;

/// The universe of the elements of [`Dynamic`](crate::presheaf::dynamic), with a budget of steps.
#[derive(Debug)]
pub struct PresheafUniverse {
    steps: AtomicU64,
    depth: RecursionDepth,
    budget: Arc<Budget>,
    lock_places: Mutex<Vec<(SourceLocation, Constant)>>,
}

impl PresheafUniverse {
    /// Builds the universe under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        let lock_places = Mutex::new(Vec::new());
        Self { steps: AtomicU64::new(0), depth: RecursionDepth::default(), budget, lock_places }
    }

    /// Returns the place of an operation; `None` for an unknown site.
    #[must_use]
    pub fn location_of(&self, site: SourceId) -> Option<SourceLocation> {
        Some(self.lock_places().get(site.index()?)?.0.clone())
    }

    /// Charges the budget for the result of a constant, and adds the site of the constant to it.
    ///
    /// # Errors
    /// [`ValueError::TooManySteps`], [`ValueError::Exhausted`]
    pub fn charge_and_place(&self, constant: Constant, mark: SourceId, result: Element) -> Result<Element, ValueError> {
        self.charge_long_constant(&result)?;
        // only an adjoint may be much larger than the step that makes it
        if constant == Constant::Rd {
            self.charge_adjoint(&result)?;
        }
        Ok(with_site(result, mark))
    }

    /// Charges the budget for exact arithmetic on long constants.
    fn charge_long_constant(&self, result: &Element) -> Result<(), ValueError> {
        let Value::Real(graph) = result else { return Ok(()) };
        let Some(q) = graph.as_rational() else { return Ok(()) };
        let limbs = work::limb_count(q.numer().significant_bits().max(q.denom().significant_bits()));
        if limbs > LONG_CONSTANT_LIMBS && !self.budget.spend(LONG_CONSTANT_LIMBS * limbs) {
            return Err(ValueError::Exhausted { steps: self.steps.load(Ordering::Relaxed) });
        }
        Ok(())
    }

    /// Charges steps and budget for writing out an adjoint. It is a constant factor larger than the function, so nested adjoints
    /// grow exponentially in their depth.
    fn charge_adjoint(&self, result: &Element) -> Result<(), ValueError> {
        let cost = STEPS_PER_ADJOINT_NODE * Graph::all_nodes(result.coordinates()?).len() as u64;
        let steps = self.steps.fetch_add(cost, Ordering::Relaxed) + cost;
        if steps > MAX_INTERPRETATION_STEPS {
            return Err(ValueError::TooManySteps { most: MAX_INTERPRETATION_STEPS });
        }
        if !self.budget.spend(cost) || self.budget.is_exhausted() {
            return Err(ValueError::Exhausted { steps });
        }
        Ok(())
    }

    fn lock_places(&self) -> std::sync::MutexGuard<'_, Vec<(SourceLocation, Constant)>> {
        self.lock_places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RealArithmetic for PresheafUniverse {
    type Real = Graph;

    fn compare_reals(&self, constant: Constant, x: &Graph, y: &Graph) -> Result<StageCondition, ValueError> {
        GraphArithmetic.compare_reals(constant, x, y)
    }
    fn rational_constant(&self, value: &Rational) -> Graph {
        GraphArithmetic.rational_constant(value)
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        GraphArithmetic.apply_real_constant(constant, arguments)
    }
}

impl ValueSemantics for PresheafUniverse {
    type Mark = SourceId;
    const NAME: &'static str = "presheaf";

    fn charge_step(&self) -> Result<(), ValueError> {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if steps > MAX_INTERPRETATION_STEPS {
            return Err(ValueError::TooManySteps { most: MAX_INTERPRETATION_STEPS });
        }
        if steps.is_multiple_of(STEPS_PER_BUDGET_CHECK)
            && (!self.budget.spend(STEPS_PER_BUDGET_CHECK) || self.budget.is_exhausted())
        {
            return Err(ValueError::Exhausted { steps });
        }
        Ok(())
    }
    fn recursion_depth(&self) -> Option<&RecursionDepth> {
        Some(&self.depth)
    }
    fn mark_application(&self, constant: Constant, place: &SourceLocation, _: &[ArrowCode<Self>]) -> SourceId {
        let mut places = self.lock_places();
        places.push((place.clone(), constant));
        // sites count from 1; 0 is [`SourceId::NOWHERE`]
        SourceId(places.len() as u32)
    }

    fn branch_undecided(
        self: &Arc<Self>,
        condition: &StageCondition,
        choice: &ConditionalInfo,
        then: &dyn Fn() -> Result<Element, ValueError>,
        otherwise: &dyn Fn() -> Result<Element, ValueError>,
    ) -> Result<Element, ValueError> {
        let lacks = |construct: String| Err(ValueError::Unsupported { model: Self::NAME, construct });
        // A recursion that a real number decides would build an infinite graph; it is refused before either branch is run.
        let condition_as_written = || message_excerpt(&choice.condition.to_string());
        if let Some(function) = &choice.recursion {
            let guard = condition_as_written();
            return lacks(format!("the recursion of `{function}` under `{guard}`, a condition on real numbers"));
        }
        if let Some(ty) = part_without_bottom(&choice.ty) {
            let guard = condition_as_written();
            return lacks(format!(
                "a choice by `{guard}`, a condition on real numbers, between values of type {}: {ty} has nothing for the border",
                choice.ty
            ));
        }
        match condition {
            // off the border the test is constant; on the border the choice has no value
            StageCondition::Distinct { difference, holds } => {
                let taken = if *holds { then()? } else { otherwise()? };
                select_element(difference, &taken, &taken)
            }
            _ => select_element(&condition.to_guard(), &then()?, &otherwise()?),
        }
    }
    fn apply_constant(
        self: &Arc<Self>,
        constant: Constant,
        mark: SourceId,
        arguments: &[Element],
    ) -> Result<Element, ValueError> {
        self.charge_and_place(constant, mark, constants::apply_to_elements(constant, mark, arguments)?)
    }
}

/// Adds a site to the numbers of a result that have none yet.
fn with_site(result: Element, site: SourceId) -> Element {
    match result {
        Value::Real(graph) => Value::Real(graph.at_site(site)),
        Value::Boolean(StageCondition::Guard(guard)) => Value::Boolean(StageCondition::Guard(guard.at_site(site))),
        Value::Boolean(StageCondition::Distinct { difference, holds }) => {
            Value::Boolean(StageCondition::Distinct { difference: difference.at_site(site), holds })
        }
        other => other,
    }
}

/// Returns a part of a type whose values have no ⊥; `None` if all parts have one.
fn part_without_bottom(ty: &Ty) -> Option<&Ty> {
    with_stack(|| match ty.kind() {
        TyKind::Real | TyKind::Bool | TyKind::Unit | TyKind::Variable(..) => None,
        TyKind::Tuple(parts) => parts.iter().find_map(part_without_bottom),
        TyKind::Function(_, codomain) => part_without_bottom(codomain),
        TyKind::Nat | TyKind::Data(..) | TyKind::Tangent(_) | TyKind::Iso(..) => Some(ty),
    })
}

/// Interprets a closed, well-typed term in a universe of elements, at the stage without coordinates.
///
/// # Errors
/// Those of the universe.
pub fn interpret_element<U: ValueSemantics<Real = Graph>>(
    model: &EvaluatorModel<U>,
    term: &Term,
) -> Result<Element, ValueError> {
    model.evaluate_closed(term).map_err(|error| match error {
        SemanticsError::Run(error) => error,
        SemanticsError::Interpretation(InterpretError::Unbound { .. }) => {
            ValueError::Mismatch { expected: "a bound variable", found: "a free one" }
        }
        SemanticsError::Interpretation(InterpretError::Unsupported(Unsupported { model, construct })) => {
            ValueError::Unsupported { model, construct }
        }
        _ => ValueError::Mismatch { expected: "a construct of presheaves", found: "another" },
    })
}

/// An interpreter of programs as elements of presheaves.
pub struct PresheafInterpreter {
    model: EvaluatorModel<PresheafUniverse>,
}

impl PresheafInterpreter {
    /// Builds an interpreter under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        Self { model: EvaluatorModel::new(PresheafUniverse::new(budget)) }
    }

    /// Returns the element that a closed, well-typed term denotes, at the stage without coordinates.
    ///
    /// # Errors
    /// [`ValueError::TooManySteps`], [`ValueError::DeepRecursion`] and [`ValueError::Exhausted`] when a recursion does not end,
    /// [`ValueError::NaturalOverflow`].
    pub fn interpret_program(&self, term: &Term) -> Result<Element, ValueError> {
        interpret_element(&self.model, term)
    }

    /// Returns the place of an operation; `None` for an unknown site.
    #[must_use]
    pub fn location_of(&self, site: SourceId) -> Option<SourceLocation> {
        self.model.0.location_of(site)
    }

    /// Encloses the value of a closed, well-typed program, and collects the promises on which it rests; see [`Semantics::evaluate`].
    ///
    /// # Errors
    /// [`SemanticsError::Run`] and [`SemanticsError::Evaluation`].
    pub fn enclose_program(
        &self,
        term: &Term,
        to: &Accuracy,
        budget: &Budget,
    ) -> Result<EnclosedAnswer, SemanticsError> {
        let element = self.interpret_program(term)?;
        element.check_size()?;
        // the numbers are asked together, so that they can share searches
        let questions = QueryBatch::new(&element.real_numbers());
        let mut asking = AnswerEncloser::new(to, budget, questions);
        let value = element.try_map_reals(&mut asking).map_err(|error| {
            let place = match &error {
                SmoothError::PromiseBroken { site, .. } => self.location_of(*site),
                _ => None,
            };
            SemanticsError::Evaluation { error, place }
        })?;
        // Notes and reasons come after all numbers have answers: they may use the rest of the budget, and no answer depends on
        // them.
        let (mut remarks, tie) = asking.final_notes(|site| self.location_of(site));
        let reasons = asking.width_reasons(tie.as_ref());
        let mut which = 0;
        let value = value.map_reals(&mut |found| {
            let mut found = found.clone();
            if let Some((_, why)) = reasons.iter().find(|(wide, _)| *wide == which) {
                found.reason = Some(why.clone());
            }
            which += 1;
            found
        });
        remarks.extend(self.kink_note(&value));
        let mut sites = asking.sites;
        sites.sort_unstable();
        let mut assumed: Vec<SourceLocation> = Vec::new();
        for place in sites.into_iter().filter_map(|site| self.location_of(SourceId(site))) {
            if !assumed.contains(&place) {
                assumed.push(place);
            }
        }
        // likewise after all answers
        let undefined = asking.first_undefined.and_then(|suspect| suspect.undefined_reason(budget));
        let undefined =
            undefined.map(|found| answer::UndefinedReason::of_number(&found, |site| self.location_of(site), term));
        Ok(EnclosedAnswer { value, promises: assumed, undefined, notes: remarks })
    }

    /// Returns a note on the first integral whose method is stuck at a kink.
    fn kink_note(&self, value: &EnclosedValue) -> Option<AnswerNote> {
        let mut first = None;
        drop(value.map_reals(&mut |found| {
            if let (None, Some(WidthReason::Method { stuck: UndecidedSearch::KinkSide, site })) = (first, &found.reason)
            {
                first = Some(*site);
            }
            found.clone()
        }));
        let place = self.location_of(SourceId(first?))?;
        Some(AnswerNote {
            before: "the integrand has a kink that is not told apart:".to_owned(),
            place: Some(place),
            after: String::new(),
        })
    }
}

/// A value with an enclosure for every real number in it.
pub type EnclosedValue = Value<Box<real::RefinedEnclosure>>;

/// The result of [`PresheafInterpreter::enclose_program`].
#[derive(Clone, Debug)]
pub struct EnclosedAnswer {
    /// The value.
    pub value: EnclosedValue,
    /// The uses of cutRoot on whose promises it rests.
    pub promises: Vec<SourceLocation>,
    /// The reason why the first number that is not shown to be defined is not.
    pub undefined: Option<answer::UndefinedReason>,
    /// Notes on places that tie and on first roots at an end.
    pub notes: Vec<AnswerNote>,
}

impl EnclosedAnswer {
    /// Converts to the answer of a semantics.
    #[must_use]
    pub fn into_answer(self) -> ProgramAnswer {
        let value = self.value.map_reals(&mut |found| AnswerNumber::Enclosure(found.clone()));
        ProgramAnswer {
            promises: self.promises,
            undefined: self.undefined,
            notes: self.notes,
            ..ProgramAnswer::from_value(value)
        }
    }
}

/// The semantics by presheaves over smoothish maps, called HAD in the paper.
#[derive(Clone, Copy, Debug)]
pub struct PresheafSemantics;

impl Semantics for PresheafSemantics {
    fn name(&self) -> &'static str {
        PresheafUniverse::NAME
    }
    fn summary(&self) -> &'static str {
        "presheaves over smooth maps: values and derivatives of every order, enclosed as narrowly as asked"
    }
    fn is_certified(&self) -> bool {
        true
    }
    fn evaluate_to(
        &self,
        term: &Term,
        _: &Ty,
        to: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        Ok(PresheafInterpreter::new(budget.clone()).enclose_program(term, to, budget)?.into_answer())
    }
}
