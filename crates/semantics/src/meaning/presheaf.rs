//! Presheaf semantics of the language (S Fig. 6): terms become elements of [`Dynamic`](crate::presheaf::dynamic).
//!
//! All types denote the one presheaf of all values, so this is a [universe](crate::model::universe). An arrow Γ → A is a
//! natural transformation: it acts on environments of elements at any stage, as [`ArrowCode`].
//!
//! | clause | S Fig. 6 | here |
//! |---|---|---|
//! | variable | projection from the environment | [`environment`](crate::model::universe) |
//! | `λx. e` | `abstract(⟦e⟧)` | a closure: it may be applied at any later stage |
//! | `e₁ e₂` | `⟦e₁⟧(id, ⟦e₂⟧)` | [`Function::apply`](crate::presheaf::dynamic::StageFunction::apply) |
//! | constants | §5.1–5.3 | this module |
//! | `match`, `fold` | H §5.1 | decided while interpreting, for the same reason as `if` |
//! | `if`, recursion on ℕ | §8.1 | decided while interpreting: stages are connected, so discrete data is constant |
//! | `<` on ℜ, `if` by it | §8.1, extended | a [guard](crate::presheaf::dynamic) and a choice by it |
//!
//! Interpretation builds graphs and computes no numbers. Only recursion can keep it from ending, so it counts its steps.
//!
//! # Enclosure of the numbers of an answer
//!
//! Enclosure of the numbers of an answer, one after another.
//!
//! # Notes on first roots at the ends
//!
//! Notes on first roots at the ends of [0, 1], where `firstRoot` may not be what was meant.
//!
//! They also cover first roots inside a number, such as that of `1 + 2 * firstRoot f`.
//!
//! # Denotations of the constants of the language
//!
//! Denotations of the constants of the language (S Fig. 2, §5.1–5.3).
//!
//! # Programs as maps between vector spaces

use super::foreign;
use crate::function::Function;
pub use crate::model::SourceLocation;
use crate::model::answer::{AnswerNote, AnswerNumber, AnswerTruth, ProgramAnswer, Semantics, SemanticsError};
use crate::model::universe::{ArrowCode, EvaluatorModel, RealArithmetic, RecursionDepth, ValueSemantics};
use crate::model::{ConditionalInfo, InterpretError, Unsupported, answer};
use crate::number::budget::Budget;
use crate::number::real::{UndecidedSearch, WidthReason};
use crate::number::{Accuracy, Rational, Sign, budget, real};
use crate::presheaf::dynamic::{Element, StageCondition, select_element};
use crate::presheaf::{dynamic, exponential};
use crate::smooth::dimension::Dyn;
use crate::smooth::error::SmoothError;
use crate::smooth::exact::exact_value;
use crate::smooth::graph::{Binary, Graph, Guard, SourceId, Unary, Variable};
use crate::smooth::map::{DynMap, Map};
use crate::smooth::nearby::{NonuniqueMaximiser, UndefinedOperation};
use crate::smooth::question::QueryBatch;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::lexer::message_excerpt;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::undefined::UndefinedCause;
use crate::value::{TryMapReals, Value, ValueError};
use rustc_hash::FxHashSet;
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
        let limbs = budget::limb_count(q.numer().significant_bits().max(q.denom().significant_bits()));
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

    fn has_operation(&self, _: Constant) -> bool {
        true
    }
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
        // Sites count from 1; 0 is [`SourceId::NOWHERE`]. One that no number is left for has no place.
        u32::try_from(places.len()).map_or(SourceId::NOWHERE, SourceId)
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
                "a choice by `{guard}`, a condition on real numbers, between values of type {}: {ty} has no value for the border",
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
        self.charge_and_place(constant, mark, apply_to_elements(constant, mark, arguments)?)
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
        let questions = QueryBatch::new(&element.real_numbers()).with_conditional_integrals();
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
        let mut reasons = asking.width_reasons(tie.as_ref());
        let undefined = asking.first_undefined.as_ref().and_then(|suspect| suspect.undefined_reason(budget));
        if let (Some(suspect), Some(UndefinedCause::Divergence)) =
            (&asking.first_undefined, undefined.as_ref().map(|found| found.cause))
        {
            reasons.push((suspect.which, WidthReason::Diverges));
        }
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
        remarks.extend(self.conditional_note(&value));
        let mut sites = asking.sites;
        sites.sort_unstable();
        let mut assumed: Vec<SourceLocation> = Vec::new();
        for place in sites.into_iter().filter_map(|site| self.location_of(SourceId(site))) {
            if !assumed.contains(&place) {
                assumed.push(place);
            }
        }
        let undefined =
            undefined.map(|found| answer::UndefinedReason::of_number(&found, |site| self.location_of(site), term));
        Ok(EnclosedAnswer { value, promises: assumed, undefined, notes: remarks })
    }

    /// Returns a note on the first integral that is not shown to converge absolutely.
    fn conditional_note(&self, value: &EnclosedValue) -> Option<AnswerNote> {
        let mut first = None;
        drop(value.map_reals(&mut |found| {
            // A number that is not shown to exist has another note.
            first = first.or(found.conditional.filter(|_| found.enclosure.is_defined()));
            found.clone()
        }));
        // A place in the library says less than the program does.
        let place = self.location_of(SourceId(first?)).filter(|place| place.definition.is_none());
        let text = "converges conditionally: the limit of integrals";
        let before = if place.is_some() { format!("{text}:") } else { text.to_owned() };
        Some(AnswerNote { before, place, after: String::new() })
    }

    /// Returns a note on the first integral whose method is stuck at a kink, or whose slopes are sets.
    fn kink_note(&self, value: &EnclosedValue) -> Option<AnswerNote> {
        let mut first = None;
        drop(value.map_reals(&mut |found| {
            if let (None, Some(WidthReason::Method { stuck, site })) = (first, &found.reason) {
                first = match stuck {
                    UndecidedSearch::KinkSide => Some((*site, "the integrand has a kink that is not distinguished:")),
                    UndecidedSearch::SlopeSets => Some((*site, "the slopes of the integrand are known as sets:")),
                    _ => None,
                };
            }
            found.clone()
        }));
        let (site, before) = first?;
        let place = self.location_of(SourceId(site))?;
        Some(AnswerNote { before: before.to_owned(), place: Some(place), after: String::new() })
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

/// The enclosure of the numbers of an answer, one after another, with what is needed for notes on them.
struct AnswerEncloser<'a> {
    to: &'a Accuracy,
    budget: &'a Budget,
    questions: QueryBatch,
    /// The uses of cutRoot on whose promises the answers rest.
    sites: Vec<u32>,
    first_undefined: Option<FirstUndefined>,
    /// The number of numbers asked so far.
    asked: usize,
    /// The numbers that are defined but wider than asked although budget remained, each with its index.
    wide_numbers: Vec<(usize, Graph)>,
    /// The first roots in the numbers, outside of all binders.
    roots: FirstRoots,
}

/// The most wide numbers that are examined; a choice.
const MAX_WIDE_NUMBERS: usize = 32;

/// The first number that is not shown to be defined.
struct FirstUndefined {
    number: Graph,
    /// Its index.
    which: usize,
    /// `true` if the budget ran out before the number was decided.
    exhausted: bool,
}

impl FirstUndefined {
    /// Returns the reason why the number is not shown to be defined; `None` if none is found.
    fn undefined_reason(&self, budget: &Budget) -> Option<UndefinedOperation> {
        if self.exhausted {
            Some(UndefinedOperation::FUEL)
        } else {
            self.number.compile_evaluation().ok()?.diagnose_undefined(budget)
        }
    }
}

impl<'a> AnswerEncloser<'a> {
    /// Starts without any number asked.
    fn new(to: &'a Accuracy, budget: &'a Budget, questions: QueryBatch) -> Self {
        let (sites, wide_numbers, roots) = (Vec::new(), Vec::new(), FirstRoots::default());
        Self { to, budget, questions, sites, first_undefined: None, asked: 0, wide_numbers, roots }
    }

    /// Returns notes on places that tie and on first roots at an end, and the tie. Call it when every number has its answer.
    fn final_notes(
        &self,
        place: impl Fn(SourceId) -> Option<SourceLocation>,
    ) -> (Vec<AnswerNote>, Option<NonuniqueMaximiser>) {
        let tie = self
            .wide_numbers
            .first()
            .and_then(|(_, number)| number.compile_evaluation().ok()?.find_nonunique_maximiser(self.budget));
        let told = tie.as_ref().map(|tie| {
            let [before, after] = tie.note_texts();
            AnswerNote { before, place: place(tie.site), after }
        });
        (told.into_iter().chain(self.roots.end_notes(self.budget, place)).collect(), tie)
    }

    /// Returns reasons why numbers are wider than asked, by index, where more is found than their questions knew.
    fn width_reasons(&self, tie: Option<&NonuniqueMaximiser>) -> Vec<(usize, WidthReason)> {
        // two values enclosed apart prove that the number is a set; a tie is only where the method stops
        let apart = |number: &Graph| {
            number.separate_values(self.budget).ok().flatten().map(|ends| WidthReason::Set(Box::new(ends)))
        };
        let ties = |which: usize| {
            let is_first = self.wide_numbers.first().is_some_and(|(first, _)| *first == which);
            tie.filter(|_| is_first)
                .map(|tie| WidthReason::Method { stuck: UndecidedSearch::MaximiserPlace, site: tie.site.0 })
        };
        let found = self
            .wide_numbers
            .iter()
            .filter_map(|(which, number)| Some((*which, apart(number).or_else(|| ties(*which))?)));
        found.collect()
    }

    fn enclose_number(&mut self, graph: &Graph) -> Result<real::RefinedEnclosure, SmoothError> {
        // compiling costs time too, so it is skipped once no number can be asked
        let answer = match self.budget.is_exhausted() {
            true => real::RefinedEnclosure::unknown(),
            false => with_exact_value(self.questions.real_of(graph)?.enclose_to(self.to, self.budget)?, graph),
        };
        self.sites.extend(&answer.assumed);
        if self.first_undefined.is_none() && !answer.enclosure.is_defined() {
            self.first_undefined =
                Some(FirstUndefined { number: graph.clone(), which: self.asked, exhausted: answer.exhausted });
        }
        let is_wide = !answer.reached && !answer.exhausted && answer.enclosure.is_defined();
        if is_wide && self.wide_numbers.len() < MAX_WIDE_NUMBERS {
            self.wide_numbers.push((self.asked, graph.clone()));
        }
        self.roots.collect_from(graph);
        self.asked += 1;
        Ok(answer)
    }
}

impl TryMapReals<Graph, Box<real::RefinedEnclosure>> for AnswerEncloser<'_> {
    type Error = SmoothError;
    fn map_real(&mut self, graph: &Graph) -> Result<Box<real::RefinedEnclosure>, SmoothError> {
        Ok(Box::new(self.enclose_number(graph)?))
    }
    fn map_truth(&mut self, condition: &StageCondition) -> Result<AnswerTruth, SmoothError> {
        decide_condition(condition, |guard| {
            let comparison = guard.to_real()?.decide_sign(self.budget)?;
            self.sites.extend(&comparison.answer.assumed);
            Ok(comparison.sign)
        })
    }
}

/// Adds the exact value of a closed graph to its enclosure, if it is defined.
pub(super) fn with_exact_value(answer: real::RefinedEnclosure, graph: &Graph) -> real::RefinedEnclosure {
    let exact = if answer.enclosure.is_defined() { exact_value(graph) } else { None };
    real::RefinedEnclosure { exact, ..answer }
}

/// Decides a condition by the sign of a number; an undecided sign gives [`AnswerTruth::Undecided`].
///
/// # Errors
/// Those of the question.
pub fn decide_condition(
    condition: &StageCondition,
    sign: impl FnOnce(&Graph) -> Result<Sign, SmoothError>,
) -> Result<AnswerTruth, SmoothError> {
    let (guard, [positive, negative]) = match condition {
        StageCondition::Constant(value) => return Ok(AnswerTruth::Decided(*value)),
        StageCondition::Guard(guard) => (guard.number(), [true, false]),
        // an equality: off the border both signs give the same truth value, and a constant difference decides it exactly
        StageCondition::Distinct { difference, holds } => match difference.number().as_rational() {
            Some(difference) => return Ok(AnswerTruth::Decided(difference.is_zero() != *holds)),
            None => (difference.number(), [*holds; 2]),
        },
    };
    Ok(match sign(guard)? {
        Sign::Positive => AnswerTruth::Decided(positive),
        Sign::Negative => AnswerTruth::Decided(negative),
        _ => AnswerTruth::Undecided(format_number(guard)),
    })
}

/// Formats a closed number as a program, cut to the length of an excerpt.
fn format_number(number: &Graph) -> Arc<str> {
    let text = DynMap::of_graphs(&[], std::slice::from_ref(number)).map(|number| number.to_string());
    message_excerpt(&text.unwrap_or_default()).into()
}

/// The closed first roots in the numbers of an answer.
#[derive(Default)]
struct FirstRoots {
    found: Vec<Graph>,
    /// The addresses of the nodes visited so far. `held` keeps the nodes alive, so that no other node gets such an address.
    seen: FxHashSet<usize>,
    held: Vec<Graph>,
}

/// The most first roots that are examined; a choice.
const MAX_FIRST_ROOTS: usize = 32;

/// The reason why a first root is at an end, or may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstRootEnd {
    /// Its function is negative at 0.
    Negative,
    /// Its function is 0 at 0.
    Zero,
    /// Its function is positive up to 1.
    Positive,
}

impl FirstRootEnd {
    /// Returns the end of the note, after the quotation of the program.
    fn note_text(self) -> &'static str {
        match self {
            Self::Negative => {
                " is 0 where its function is negative at 0; where it is to find a rise through 0, negate the function"
            }
            Self::Zero => {
                ": its function is 0 at 0, so that both 0 and the next place where it falls through 0 count; begin beside 0 to find that"
            }
            Self::Positive => " is 1 where its function does not fall through 0 on [0, 1]",
        }
    }
}

impl FirstRoots {
    /// Adds the first roots from which a closed graph is computed, outside of all binders.
    fn collect_from(&mut self, number: &Graph) {
        if self.found.len() >= MAX_FIRST_ROOTS || !self.seen.insert(number.address()) {
            return;
        }
        self.held.push(number.clone());
        let mut pending = vec![number];
        while let Some(g) = pending.pop() {
            if g.as_first_root().is_some() && self.found.len() < MAX_FIRST_ROOTS {
                self.found.push(g.clone());
            }
            // `parts` leaves out the bodies of binders, so every root found is closed
            pending.extend(g.operation().operands().into_iter().filter(|part| self.seen.insert(part.address())));
        }
    }

    /// Returns a note on each first root at an end, once for each place.
    fn end_notes(&self, budget: &Budget, place: impl Fn(SourceId) -> Option<SourceLocation>) -> Vec<AnswerNote> {
        let mut remarks: Vec<AnswerNote> = Vec::new();
        for root in &self.found {
            let Ok(Some(at)) = classify_end(root, budget) else { continue };
            let place = place(root.site());
            let before = if place.is_some() { "" } else { "firstRoot" };
            let remark = AnswerNote { before: before.to_owned(), place, after: at.note_text().to_owned() };
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        remarks
    }
}

/// Returns the reason why a first root is at an end, or may be; `None` if it is inside, or if this is not decided.
fn classify_end(root: &Graph, budget: &Budget) -> Result<Option<FirstRootEnd>, SmoothError> {
    let Some((variable, body)) = root.as_first_root() else { return Ok(None) };
    if budget.is_exhausted() {
        return Ok(None);
    }
    let starts = value_at_end(variable, body, 0).to_real()?.decide_sign(budget)?;
    Ok(match starts.sign {
        Sign::Negative => Some(FirstRootEnd::Negative),
        Sign::Positive => {
            let ends = value_at_end(variable, body, 1).to_real()?.decide_sign(budget)?;
            // undecided at 1 as well: only an enclosure that is the point 1 shows that there is no root before
            let one = || -> Result<bool, SmoothError> {
                let found = root.to_real()?.enclose(&Rational::from((1, 2)), budget)?.enclosure;
                Ok(found.is_point() && found.contains(&Rational::from(1)))
            };
            (ends.sign != Sign::Negative && one()?).then_some(FirstRootEnd::Positive)
        }
        // undecided at 0: a function that is exactly 0 there encloses to a point
        Sign::Undecided => {
            let start = starts.answer.enclosure;
            (start.is_defined() && start.is_point()).then_some(FirstRootEnd::Zero)
        }
    })
}

/// Returns the value of a function at an end of [0, 1].
fn value_at_end(variable: Variable, body: &Graph, end: i64) -> Graph {
    body.substitute(&[(variable, Graph::integer(end))])
}

/// Arithmetic on graphs.
#[derive(Clone, Copy, Debug)]
pub struct GraphArithmetic;

impl RealArithmetic for GraphArithmetic {
    type Real = Graph;

    fn rational_constant(&self, value: &Rational) -> Graph {
        Graph::rational(value.clone())
    }
    fn compare_reals(&self, constant: Constant, x: &Graph, y: &Graph) -> Result<StageCondition, ValueError> {
        Ok(StageCondition::Guard(match constant {
            // on its border a comparison is undefined, so strict and non-strict ones agree
            Constant::RealLess | Constant::RealLessEqual => Guard::less_than(x, y),
            Constant::RealGreater | Constant::RealGreaterEqual => Guard::less_than(y, x),
            // equality is constant off the border x = y and undefined on it; `holds` is its value off the border
            Constant::RealEqual | Constant::RealNotEqual => {
                let holds = constant == Constant::RealNotEqual;
                return Ok(StageCondition::Distinct { difference: Guard::less_than(x, y), holds });
            }
            _ => return self.missing_rule(constant),
        }))
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        Ok(match (constant, arguments) {
            (Constant::Pi, []) => Graph::pi(),
            (Constant::E, []) => Graph::euler(),
            (Constant::Negate, [x]) => Graph::unary(Unary::Negate, x),
            (Constant::Abs, [x]) => Graph::unary(Unary::Abs, x),
            (Constant::Signum, [x]) => Graph::unary(Unary::Signum, x),
            (Constant::Add, [x, y]) => Graph::binary(Binary::Add, x, y),
            (Constant::Subtract, [x, y]) => Graph::binary(Binary::Subtract, x, y),
            (Constant::Multiply, [x, y]) => Graph::binary(Binary::Multiply, x, y),
            (Constant::Divide, [x, y]) => Graph::binary(Binary::Divide, x, y),
            (Constant::Max, [x, y]) => Graph::binary(Binary::Maximum, x, y),
            (Constant::Min, [x, y]) => Graph::binary(Binary::Minimum, x, y),
            (Constant::Power, [x, y]) => constant_power(x, y),
            (Constant::RealPower, [x, y]) => real_power(x, y, SourceId::NOWHERE),
            (Constant::Planar(f), [x, y]) => Graph::binary(Binary::Planar(f), x, y),
            (_, [x]) => match constant.as_elementary() {
                Some(f) => Graph::function(f, x),
                None => return self.missing_rule(constant),
            },
            _ => return self.missing_rule(constant),
        })
    }
}

/// Applies a constant to all its arguments; the result is an element at every stage.
///
/// # Errors
/// [`ValueError`]
pub fn apply_to_elements(constant: Constant, site: SourceId, arguments: &[Element]) -> Result<Element, ValueError> {
    if let Constant::Foreign(id) = constant {
        return foreign::apply_foreign(id, site, arguments);
    }
    // made of several nodes, each of which needs the site
    if let (Constant::RealPower, [x, y]) = (constant, arguments) {
        return Ok(Element::Real(real_power(x.as_real()?, y.as_real()?, site)));
    }
    GraphArithmetic.apply_first_order(constant, arguments).unwrap_or_else(|| match arguments {
        [] => tangent_isomorphism(constant),
        [f] => match constant.as_functional() {
            Some(primitive) => exponential::apply_second_order(primitive, f.as_function()?, site),
            None => Ok(dynamic::tangent_value(f.as_tangent()?)),
        },
        [f, x] if constant == Constant::Deriv => exponential::derivative_at(f.as_function()?, x.as_real()?),
        [f, x, v] if constant == Constant::Jvp => dynamic::forward_derivative(f.as_function()?, x, v),
        [f, x, w] if constant == Constant::Rd => dynamic::reverse_derivative(f.as_function()?, x, w),
        [f, v] => dynamic::tangent_map(f.as_function()?, v.as_tangent()?),
        _ => GraphArithmetic.missing_rule(constant),
    })
}

fn tangent_isomorphism(constant: Constant) -> Result<Element, ValueError> {
    Ok(match constant {
        Constant::TangentR => Element::iso_from_closures(
            |v| dynamic::real_to(v.as_tangent()?),
            |p| {
                let (x, dx) = p.as_pair()?;
                Ok(dynamic::real_from(x.as_real()?, dx.as_real()?))
            },
        ),
        Constant::TangentProd => Element::iso_from_closures(
            |v| dynamic::product_to(v.as_tangent()?),
            |p| {
                let parts: Result<Vec<_>, _> = p.as_tuple()?.iter().map(|t| t.as_tangent().cloned()).collect();
                Ok(dynamic::product_from(&parts?))
            },
        ),
        Constant::TangentToR => Element::iso_from_closures(
            |v| dynamic::function_to(v.as_tangent()?),
            |p| {
                let (f, df) = p.as_pair()?;
                Ok(dynamic::function_from(f.as_function()?, df.as_function()?))
            },
        ),
        _ => return GraphArithmetic.missing_rule(constant),
    })
}

/// Returns x^q (S74): a rational power if q is a rational number of moderate size, otherwise exp(q·log x).
fn constant_power(x: &Graph, q: &Graph) -> Graph {
    q.as_rational().and_then(|q| Graph::power(x, q)).unwrap_or_else(|| real_power(x, q, SourceId::NOWHERE))
}

/// Returns exp(y·log x) with a site. A rational y is not treated differently: the function of y must stay the same.
fn real_power(x: &Graph, y: &Graph, site: SourceId) -> Graph {
    let log = Graph::function(Function::Log, x).at_site(site);
    Graph::function(Function::Exp, &Graph::binary(Binary::Multiply, y, &log).at_site(site)).at_site(site)
}

/// Returns the map ℝⁿ ⇝ ℝᵐ that a closed program denotes.
///
/// The type is `A -> B`, or `A -> B -> C` and so on, where all of these are vectors: real numbers, tuples of vectors, unit. The n
/// coordinates are those of the arguments from left to right, the m coordinates those of the value.
///
/// Returns `None` for a program of another type.
///
/// # Errors
/// Those of [`PresheafInterpreter::interpret_program`].
pub fn map_of_program(term: &Term, ty: &Ty, budget: &Arc<Budget>) -> Result<Option<Map<Dyn, Dyn>>, ValueError> {
    let mut variables = Vec::new();
    let (mut arguments, mut rest) = (Vec::new(), ty);
    while let TyKind::Function(domain, codomain) = rest.kind() {
        let Some(argument) = vector_of_variables(domain, &mut variables) else { return Ok(None) };
        arguments.push(argument);
        rest = codomain;
    }
    if arguments.is_empty() || !is_vector(rest) {
        return Ok(None);
    }
    let mut value = PresheafInterpreter::new(budget.clone()).interpret_program(term)?;
    for argument in &arguments {
        value = value.as_function()?.apply(argument)?;
    }
    let outputs: Vec<_> = value.coordinates()?.into_iter().cloned().collect();
    Ok(DynMap::of_graphs(&variables, &outputs).map(Map::from_dyn).ok())
}

/// Returns a vector of a type with new variables as coordinates; `None` if the type is not one of vectors.
fn vector_of_variables(ty: &Ty, variables: &mut Vec<Variable>) -> Option<Element> {
    with_stack(|| match ty.kind() {
        TyKind::Real => {
            let variable = Variable::fresh();
            variables.push(variable);
            Some(Element::Real(Graph::variable(variable)))
        }
        TyKind::Unit => Some(Element::Unit),
        TyKind::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|part| vector_of_variables(part, variables)).collect();
            Some(Element::tuple_of(parts?))
        }
        _ => None,
    })
}

fn is_vector(ty: &Ty) -> bool {
    with_stack(|| match ty.kind() {
        TyKind::Real | TyKind::Unit => true,
        TyKind::Tuple(parts) => parts.iter().all(is_vector),
        _ => false,
    })
}
