//! Evaluators: models in which every type denotes the same object.
//!
//! A [`ValueSemantics`] defines the representation of real numbers and the effect of constants. Values of all types are then those of
//! [`Value`], and arrows are maps from environments to values, represented by [`ArrowCode`]. The rest of [`Model`] is
//! the same for every universe and is given here once. Objects carry nothing, so types are ignored.
//!
//! | module | contents |
//! |---|---|
//! | [`ValueSemantics`] | the operations specific to an evaluator |
//! | [`RealArithmetic`] | the constants on numbers, extended to all other data |
//! | [`EvaluatorModel`] | the model of a universe |
//! | [`ArrowCode`], [`CodeClosure`] | arrows, and functions made of them |
//!
//! **Tail calls take no stack.** A run ends with a value, or with an application that has the value; the caller
//! carries that out, in a loop. So a recursion that passes a sum along runs for as long as its operations are
//! counted.
//!
//! # Functions of a universe
//!
//! Code together with the values of its free variables.
//!
//! # The nesting depth of evaluation
//!
//! The nesting depth of evaluation, which bounds the memory of a recursion that does not end.
//!
//! Evaluation runs on a stack that grows. So a recursion that builds without end would fill the memory long before
//! its steps are used up. Each application counts as many levels as its code has; a loop by tail calls keeps its
//! depth.
//!
//! # The model of a universe
//!
//! All of [`Model`] derived from a [`ValueSemantics`].
//!
//! # Environments
//!
//! The values of the variables in scope, shared between closures.
//!
//! # The first-order constants
//!
//! Those whose arguments are data.

use super::answer::add_location;
use super::{ConditionalInfo, SourceLocation, Unsupported};
use crate::function::{Function, SpecialId};
use crate::model::answer::SemanticsError;
use crate::model::{AppliedOperator, BoundArrow, Model, OperatorApplication, OperatorArgument, answer, interpret};
use crate::number::Rational;
use crate::smooth::graph::LARGEST_EXPONENT;
use crate::stack::with_stack;
use crate::syntax::constant::{Constant, DiscreteValue};
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::term::{Definition, Term};
use crate::syntax::ty::Ty;
use crate::value::{
    Apply, Carrier, NegativeDifference, SharedList, SourceId, TruthType, UndefinedCause, UndefinedValue, Value,
    ValueError, ValueFunction,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// The values of a universe.
pub type SemanticValue<U> = Value<<U as RealArithmetic>::Real>;
/// The result of running a program in a universe.
pub type RunResult<U> = Result<SemanticValue<U>, ValueError>;

/// The operations specific to an evaluator.
///
/// Operations may assume nothing about the kinds of their arguments; an argument of the wrong kind is an error.
pub trait ValueSemantics: RealArithmetic + Sized + 'static {
    /// The data kept for the place of a constant.
    type Mark: Copy + Default + Send + Sync + 'static;
    /// The name of the model.
    const NAME: &'static str;

    /// Counts a step, before each application. A universe keeps its budget of steps here.
    ///
    /// # Errors
    /// Defined by the universe: usually that the budget is exhausted.
    fn charge_step(&self) -> Result<(), ValueError>;
    /// Returns the counter of nested applications, which bounds the memory of a recursion that does not end; `None` for no bound.
    fn recursion_depth(&self) -> Option<&RecursionDepth> {
        None
    }
    /// Returns the error for a recursion that exceeds this bound.
    fn too_deep_error(&self) -> ValueError {
        ValueError::DeepRecursion { levels: RecursionDepth::MAX_LEVELS }
    }
    /// Begins the application of a function whose code has `stack_levels` levels: counts a step, and the levels in
    /// [depth](ValueSemantics::recursion_depth).
    ///
    /// # Errors
    /// The error of a step, or [`too_deep_error`](ValueSemantics::too_deep_error).
    fn enter_application(&self, levels: u64) -> Result<(), ValueError> {
        self.charge_step()?;
        if self.recursion_depth().is_none_or(|depth| depth.enter_levels(levels)) {
            Ok(())
        } else {
            Err(self.too_deep_error())
        }
    }
    /// Ends an application begun by [`enter`](ValueSemantics::enter_application): it has its value, has failed, or is replaced by a tail call.
    fn leave_application(&self, levels: u64) {
        if let Some(depth) = self.recursion_depth() {
            depth.leave_levels(levels);
        }
    }
    /// Looks up the variable with de Bruijn index `index`; `None` if there is none.
    fn look_up(
        &self,
        environment: &ValueEnvironment<SemanticValue<Self>>,
        index: usize,
    ) -> Option<SemanticValue<Self>> {
        environment.get(index)
    }
    /// Extends an environment by the value of a `let`.
    ///
    /// # Errors
    /// That of the value. A lazy universe may defer it.
    fn bind_let(
        &self,
        environment: &ValueEnvironment<SemanticValue<Self>>,
        value: RunResult<Self>,
    ) -> Result<ValueEnvironment<SemanticValue<Self>>, ValueError> {
        Ok(environment.with_value(value?))
    }
    /// Builds a tuple of parts that the iterator computes one after another.
    ///
    /// # Errors
    /// The first error of a part. A lazy universe may defer it.
    fn build_tuple(&self, parts: &mut dyn Iterator<Item = RunResult<Self>>) -> RunResult<Self> {
        Ok(Value::tuple_of(parts.collect::<Result<Vec<_>, _>>()?))
    }
    /// Returns the data kept for the place of a constant that is applied to arguments.
    fn mark_application(
        &self,
        constant: Constant,
        place: &SourceLocation,
        arguments: &[ArrowCode<Self>],
    ) -> Self::Mark {
        let _ = (constant, place, arguments);
        Self::Mark::default()
    }
    /// Returns the site of a recursive function, for errors of running it.
    fn mark_recursion(&self, place: &SourceLocation) -> SourceId {
        let _ = place;
        SourceId::NOWHERE
    }
    /// Returns how many levels deep recursive functions may be unfolded; `None` for no limit.
    fn unfolding_limit(&self) -> Option<u64> {
        None
    }
    /// Returns the value of an application beyond that limit.
    ///
    /// # Errors
    /// The default is that the value is undefined.
    fn value_at_limit(&self) -> RunResult<Self> {
        let what = "a recursive function was unfolded as often as its limit allows";
        Err(ValueError::from_undefined(UndefinedValue {
            certain: true,
            ..UndefinedValue::of_operation(UndefinedCause::Fuel, what)
        }))
    }

    /// Returns the value of a real literal.
    fn real_literal(&self, value: &Rational) -> SemanticValue<Self> {
        Value::Real(self.rational_constant(value))
    }
    /// Wraps a closure as a value.
    fn wrap_closure(&self, closure: CodeClosure<Self>) -> SemanticValue<Self> {
        Value::Function(ValueFunction::new(closure))
    }
    /// Returns `true` if a constant has an [operation](ValueSemantics::apply_constant). The default is `true` for those of the
    /// language.
    fn has_operation(&self, constant: Constant) -> bool {
        constant.as_foreign().is_none()
    }
    /// Returns the error for a constant that the universe does not [have](ValueSemantics::has_operation).
    fn missing_operation(&self, constant: Constant) -> Unsupported {
        Unsupported { model: Self::NAME, construct: constant.describe_missing() }
    }
    /// Decides a condition; `None` leaves the conditional to [`ValueSemantics::branch_undecided`].
    fn decide_condition(&self, condition: &<Self::Real as Carrier>::Truth) -> Option<bool> {
        condition.decided_value()
    }
    /// Evaluates a conditional whose condition is not [decided](ValueSemantics::decide_condition). Calling a branch runs it.
    ///
    /// # Errors
    /// Defined by the universe; by default, that the condition is undecided.
    fn branch_undecided(
        self: &Arc<Self>,
        condition: &<Self::Real as Carrier>::Truth,
        choice: &ConditionalInfo,
        then: &dyn Fn() -> RunResult<Self>,
        otherwise: &dyn Fn() -> RunResult<Self>,
    ) -> RunResult<Self> {
        let _ = (condition, choice, then, otherwise);
        Err(ValueError::Mismatch { expected: "a truth value that is decided", found: "one that is not" })
    }
    /// Returns the index of a variant's constructor, and its argument.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`]
    fn split_variant(&self, variant: &SemanticValue<Self>) -> Result<(usize, SemanticValue<Self>), ValueError> {
        let (index, argument) = variant.as_variant()?;
        Ok((index, argument.clone()))
    }
    /// Builds the list `head :: tail`.
    fn prepend_element(
        &self,
        head: &SemanticValue<Self>,
        tail: &SharedList<SemanticValue<Self>>,
    ) -> SharedList<SemanticValue<Self>> {
        tail.with_head(head.clone())
    }
    /// Applies a constant to all its arguments, as many as its [arity](Constant::arity). Most constants on numbers and other data
    /// are covered by [`RealArithmetic::apply_first_order`].
    ///
    /// # Errors
    /// Defined by the universe.
    fn apply_constant(
        self: &Arc<Self>,
        constant: Constant,
        mark: Self::Mark,
        arguments: &[SemanticValue<Self>],
    ) -> RunResult<Self>;
}

/// An arrow: a map from environments to values. Cheap to clone, safe to drop at any depth.
pub struct ArrowCode<U: ValueSemantics>(Arc<CodeNode<U>>);

/// A node of code.
struct CodeNode<U: ValueSemantics> {
    kind: CodeKind<U>,
    /// The height of the tree of nodes.
    height: u32,
}

/// The form of a node of code.
enum CodeKind<U: ValueSemantics> {
    /// By de Bruijn index.
    Variable(usize),
    Value(SemanticValue<U>),
    /// A real literal, with its value.
    Number(Rational, SemanticValue<U>),
    Lambda(ArrowCode<U>),
    Recursion(ArrowCode<U>, SourceId),
    Apply(ArrowCode<U>, ArrowCode<U>),
    Bind(ArrowCode<U>, ArrowCode<U>),
    Compose(Box<[ArrowCode<U>]>, ArrowCode<U>),
    Tuple(Box<[ArrowCode<U>]>),
    Component(ArrowCode<U>, usize),
    CaseBoolean([ArrowCode<U>; 3], Arc<ConditionalInfo>),
    Side(ArrowCode<U>, bool),
    Inject(usize, ArrowCode<U>),
    CaseSum(ArrowCode<U>, Box<[ArrowCode<U>]>),
    Roll(ArrowCode<U>),
    Unroll(ArrowCode<U>),
    Operation(Constant, U::Mark, Box<[ArrowCode<U>]>),
    /// An operation with its place, to be added to errors of running it.
    Placed(ArrowCode<U>, Arc<SourceLocation>),
    /// A closed arrow with its value, which is computed at most once.
    Shared(ArrowCode<U>, OnceLock<SemanticValue<U>>),
}

impl<U: ValueSemantics> Clone for ArrowCode<U> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<U: ValueSemantics> CodeKind<U> {
    /// Returns the parts of a node.
    fn child_codes(&self) -> impl Iterator<Item = &ArrowCode<U>> {
        let (few, many): ([Option<&ArrowCode<U>>; 2], &[ArrowCode<U>]) = match self {
            CodeKind::Variable(_) | CodeKind::Value(_) | CodeKind::Number(..) => ([None, None], &[]),
            CodeKind::Lambda(a)
            | CodeKind::Recursion(a, _)
            | CodeKind::Component(a, _)
            | CodeKind::Side(a, _)
            | CodeKind::Inject(_, a)
            | CodeKind::Roll(a)
            | CodeKind::Placed(a, _)
            | CodeKind::Unroll(a)
            | CodeKind::Shared(a, _) => ([Some(a), None], &[]),
            CodeKind::Apply(a, b) | CodeKind::Bind(a, b) => ([Some(a), Some(b)], &[]),
            CodeKind::Compose(parts, a) | CodeKind::CaseSum(a, parts) => ([Some(a), None], parts),
            CodeKind::Tuple(parts) | CodeKind::Operation(_, _, parts) => ([None, None], parts),
            CodeKind::CaseBoolean(parts, _) => ([None, None], parts),
        };
        few.into_iter().flatten().chain(many)
    }
}

impl<U: ValueSemantics> Drop for CodeNode<U> {
    fn drop(&mut self) {
        // Deep trees are dropped on a growing stack; 64 is a choice. A shared value may be a closure with deep code of its own.
        if self.height > 64 || matches!(self.kind, CodeKind::Shared(..)) {
            let kind = std::mem::replace(&mut self.kind, CodeKind::Variable(0));
            with_stack(|| drop(kind));
        }
    }
}

impl<U: ValueSemantics> ArrowCode<U> {
    fn new(kind: CodeKind<U>) -> Self {
        let depth = kind.child_codes().map(|part| part.0.height).max().unwrap_or(0).saturating_add(1);
        Self(Arc::new(CodeNode { kind, height: depth }))
    }

    /// Returns the number that the code denotes syntactically: a literal, the opposite of one, or a quotient of two.
    ///
    /// Returns `None` for any other code.
    #[must_use]
    pub fn literal_value(&self) -> Option<Rational> {
        match &self.0.kind {
            CodeKind::Number(q, _) => Some(q.clone()),
            CodeKind::Shared(code, _) => with_stack(|| code.literal_value()),
            CodeKind::Operation(Constant::Negate, _, parts) => Some(-with_stack(|| parts.first()?.literal_value())?),
            CodeKind::Operation(Constant::Divide, _, parts) => match &**parts {
                [p, q] => {
                    let q = with_stack(|| q.literal_value()).filter(|q| !q.is_zero())?;
                    Some(with_stack(|| p.literal_value())? / q)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Evaluates the code in an environment.
    ///
    /// # Errors
    /// Defined by the universe.
    pub fn evaluate_in(&self, universe: &Arc<U>, environment: &ValueEnvironment<SemanticValue<U>>) -> RunResult<U> {
        SuspendedEvaluation::Code(self, environment).finish(universe, 0)
    }

    /// Evaluates up to the last application and returns that unevaluated, so that a chain of tail calls takes no stack.
    fn run_to_tail_call(
        &self,
        universe: &Arc<U>,
        environment: &ValueEnvironment<SemanticValue<U>>,
    ) -> Result<SuspendedEvaluation<'static, U>, ValueError> {
        let run = |code: &Self| code.evaluate_in(universe, environment);
        let all = |parts: &[Self]| parts.iter().map(run).collect::<Result<Vec<_>, _>>();
        let then = |code: &Self, environment: &ValueEnvironment<_>| {
            with_stack(|| code.run_to_tail_call(universe, environment))
        };
        let closure = |body: &Self, unfolds, site| {
            let (universe, environment, body) = (universe.clone(), environment.clone(), body.clone());
            universe.clone().wrap_closure(CodeClosure { universe, environment, body, recursion: unfolds, site })
        };
        Ok(SuspendedEvaluation::Value(match &self.0.kind {
            CodeKind::Variable(index) => universe.look_up(environment, *index).ok_or(UNBOUND_VARIABLE)?,
            CodeKind::Value(value) | CodeKind::Number(_, value) => value.clone(),
            CodeKind::Lambda(body) => closure(body, ClosureRecursion::NotRecursive, SourceId::NOWHERE),
            CodeKind::Recursion(value, site) => closure(
                value,
                universe.unfolding_limit().map_or(ClosureRecursion::FixedPoint, ClosureRecursion::Approximant),
                *site,
            ),
            CodeKind::Apply(function, argument) => {
                universe.charge_step()?;
                let function = run(function)?.as_function()?.clone();
                return Ok(SuspendedEvaluation::Apply(function, run(argument)?));
            }
            // the body is in tail position, as are both branches of a conditional
            CodeKind::Bind(value, body) => return then(body, &universe.bind_let(environment, run(value))?),
            // the environment of `outer` holds the parts alone, not the variables around
            CodeKind::Compose(parts, outer) => {
                let inner =
                    all(parts)?.into_iter().fold(ValueEnvironment::default(), |inner, value| inner.with_value(value));
                return then(outer, &inner);
            }
            CodeKind::Tuple(parts) => universe.build_tuple(&mut parts.iter().map(run))?,
            CodeKind::Component(tuple, index) => {
                let component = run(tuple)?.as_tuple()?.get(*index).cloned();
                component.ok_or(ValueError::Mismatch { expected: "a longer tuple", found: "a tuple" })?
            }
            CodeKind::CaseBoolean([condition, yes, no], choice) => {
                let condition = run(condition)?;
                let condition = condition.as_boolean()?;
                match universe.decide_condition(condition) {
                    Some(chosen) => return then(if chosen { yes } else { no }, environment),
                    None => universe.branch_undecided(condition, choice, &|| run(yes), &|| run(no))?,
                }
            }
            CodeKind::Inject(index, argument) => Value::variant_of(*index, run(argument)?),
            CodeKind::CaseSum(scrutinee, branches) => {
                let (index, argument) = universe.split_variant(&run(scrutinee)?)?;
                return then(branches.get(index).ok_or(UNBOUND_VARIABLE)?, &environment.with_value(argument));
            }
            CodeKind::Roll(layer) => Value::List(match run(layer)?.as_variant()? {
                (0, _) => SharedList::default(),
                (_, pair) => {
                    let (head, tail) = pair.as_pair()?;
                    universe.prepend_element(head, tail.as_list()?)
                }
            }),
            CodeKind::Unroll(list) => match run(list)?.as_list()?.split_first() {
                None => Value::variant_of(0, Value::Unit),
                Some((head, tail)) => Value::variant_of(1, Value::tuple_of([head.clone(), Value::List(tail.clone())])),
            },
            CodeKind::Side(isomorphism, forward) => {
                let isomorphism = run(isomorphism)?;
                let (to, from) = isomorphism.as_isomorphism()?;
                Value::Function(if *forward { to } else { from }.clone())
            }
            CodeKind::Operation(constant, mark, arguments) => match &**arguments {
                [x] => {
                    universe.charge_step()?;
                    universe.apply_constant(*constant, *mark, &[run(x)?])?
                }
                // as many steps as a curried function would take for its applications
                [x, y] => {
                    universe.charge_step()?;
                    universe.charge_step()?;
                    universe.apply_constant(*constant, *mark, &[run(x)?, run(y)?])?
                }
                _ => {
                    arguments.iter().try_for_each(|_| universe.charge_step())?;
                    universe.apply_constant(*constant, *mark, &all(arguments)?)?
                }
            },
            CodeKind::Placed(code, place) => run(code).map_err(|error| add_location(error, place))?,
            CodeKind::Shared(code, known) => match known.get() {
                Some(value) => value.clone(),
                // two threads may both compute it: the first value is kept
                None => {
                    let value = code.evaluate_in(universe, &ValueEnvironment::default())?;
                    known.get_or_init(|| value).clone()
                }
            },
        }))
    }
}

const UNBOUND_VARIABLE: ValueError = ValueError::Mismatch { expected: "a bound variable", found: "a free one" };

/// A suspended evaluation: a value, or the work that remains to obtain it.
enum SuspendedEvaluation<'a, U: ValueSemantics> {
    Value(SemanticValue<U>),
    Code(&'a ArrowCode<U>, &'a ValueEnvironment<SemanticValue<U>>),
    Apply(ValueFunction<U::Real>, SemanticValue<U>),
}

impl<U: ValueSemantics> SuspendedEvaluation<'_, U> {
    /// Evaluates to a value. Tail calls replace the function of the universe that was begun before, which has `begun` levels.
    fn finish(self, universe: &Arc<U>, mut begun: u64) -> RunResult<U> {
        let mut next = Ok(self);
        // the last recursive function that was entered, as the place of an error
        let mut site = SourceId::NOWHERE;
        let value = loop {
            next = match next {
                Err(error) => break Err(error),
                Ok(SuspendedEvaluation::Value(value)) => break Ok(value),
                Ok(SuspendedEvaluation::Code(code, environment)) => {
                    with_stack(|| code.run_to_tail_call(universe, environment))
                }
                Ok(SuspendedEvaluation::Apply(function, argument)) => {
                    match function.downcast_action::<CodeClosure<U>>() {
                        Some(closure) => {
                            // before the new function is entered: a loop by tail calls keeps its depth constant
                            universe.leave_application(std::mem::take(&mut begun));
                            site = if closure.is_recursive() { closure.site } else { site };
                            universe.enter_application(closure.stack_levels()).and_then(|()| {
                                begun = closure.stack_levels();
                                with_stack(|| closure.begin_application(&argument))
                            })
                        }
                        None => function.apply(&argument).map(SuspendedEvaluation::Value),
                    }
                }
            };
        };
        universe.leave_application(begun);
        value.map_err(|error| error.with_source(site))
    }
}

/// A function `\x => body` in an environment, or a recursive function that is a variable of its own body.
pub struct CodeClosure<U: ValueSemantics> {
    universe: Arc<U>,
    environment: ValueEnvironment<SemanticValue<U>>,
    body: ArrowCode<U>,
    recursion: ClosureRecursion,
    /// The site of a recursive function; [`SourceId::NOWHERE`] for others.
    site: SourceId,
}

/// The kind of a function's recursion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClosureRecursion {
    /// Not recursive.
    NotRecursive,
    /// The fixed point µ.
    FixedPoint,
    /// The approximant µⁿ, which calls µⁿ⁻¹, and has no value for n = 0.
    Approximant(u64),
}

impl<U: ValueSemantics> Clone for CodeClosure<U> {
    fn clone(&self) -> Self {
        let Self { universe, environment, body, recursion: unfolds, site } = self;
        let (universe, environment) = (universe.clone(), environment.clone());
        Self { universe, environment, body: body.clone(), recursion: *unfolds, site: *site }
    }
}

impl<U: ValueSemantics> Apply<U::Real> for CodeClosure<U> {
    fn apply(&self, argument: &SemanticValue<U>) -> RunResult<U> {
        self.universe.enter_application(self.stack_levels())?;
        match self.begin_application(argument) {
            Ok(next) => next.finish(&self.universe, self.stack_levels()),
            Err(error) => {
                // `next` failed before the tail call took over the levels
                self.universe.leave_application(self.stack_levels());
                Err(error)
            }
        }
    }
}

impl<U: ValueSemantics> CodeClosure<U> {
    /// Returns `true` if the function is recursive.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        self.recursion != ClosureRecursion::NotRecursive
    }

    /// Returns the levels of an application: the height of the code, and two for the calls around it.
    fn stack_levels(&self) -> u64 {
        u64::from(self.body.0.height) + 2
    }

    /// Begins the function at an argument: evaluates up to its last application.
    fn begin_application(&self, argument: &SemanticValue<U>) -> Result<SuspendedEvaluation<'static, U>, ValueError> {
        let unfolds = match self.recursion {
            ClosureRecursion::NotRecursive => {
                return self.body.run_to_tail_call(&self.universe, &self.environment.with_value(argument.clone()));
            }
            ClosureRecursion::Approximant(0) => {
                return self
                    .universe
                    .value_at_limit()
                    .map(SuspendedEvaluation::Value)
                    .map_err(|error| error.with_source(self.site));
            }
            ClosureRecursion::Approximant(n) => ClosureRecursion::Approximant(n - 1),
            ClosureRecursion::FixedPoint => ClosureRecursion::FixedPoint,
        };
        // the recursion binds a function: run its value with the function itself in scope, then apply what it gives
        let itself = self.universe.wrap_closure(Self { recursion: unfolds, ..self.clone() });
        let unrolled = self.body.evaluate_in(&self.universe, &self.environment.with_value(itself))?;
        Ok(SuspendedEvaluation::Apply(unrolled.as_function()?.clone(), argument.clone()))
    }
}

/// A counter of the levels of nested applications. Each application counts the height of the function's code, and two more.
///
/// Evaluation runs on a stack that grows. Without this bound a recursion would exhaust the memory before it exhausts its
/// budget of steps.
#[derive(Debug, Default)]
pub struct RecursionDepth(AtomicU64);

impl RecursionDepth {
    /// The most levels; a choice: some hundred megabytes of stack.
    pub const MAX_LEVELS: u64 = 1_000_000;

    /// Enters `levels` more levels. Returns `false`, and enters none, if that exceeds [`RecursionDepth::MAX_LEVELS`].
    #[must_use]
    pub fn enter_levels(&self, levels: u64) -> bool {
        // add first, then take back: a check before the addition could be overtaken by another thread
        let inside = self.0.fetch_add(levels, Ordering::Relaxed) + levels <= Self::MAX_LEVELS;
        if !inside {
            self.leave_levels(levels);
        }
        inside
    }

    /// Leaves `levels` levels.
    pub fn leave_levels(&self, levels: u64) {
        self.0.fetch_sub(levels, Ordering::Relaxed);
    }
}

/// The model of a universe.
pub struct EvaluatorModel<U>(pub Arc<U>);

impl<U: ValueSemantics> EvaluatorModel<U> {
    /// Builds the model of a universe.
    #[must_use]
    pub fn new(universe: U) -> Self {
        Self(Arc::new(universe))
    }

    /// Evaluates a closed, well-typed program.
    ///
    /// # Errors
    /// [`SemanticsError::Interpretation`] for a construct that the model lacks, [`SemanticsError::Run`] for an error of the universe.
    pub fn evaluate_closed(&self, term: &Term) -> Result<SemanticValue<U>, SemanticsError> {
        // a universal model ignores types, so that of the program is not needed
        let arrow = interpret(self, &[], term)?;
        Ok(arrow
            .evaluate_in(&self.0, &ValueEnvironment::default())
            .map_err(|error| answer::explain_in_program(error, term))?)
    }

    fn check_constant(&self, constant: Constant) -> Result<(), Unsupported> {
        if self.0.has_operation(constant) { Ok(()) } else { Err(self.0.missing_operation(constant)) }
    }

    fn operand_codes(&self, arguments: &[OperatorArgument<Self>]) -> Box<[ArrowCode<U>]> {
        let operand = |argument: &OperatorArgument<Self>| match argument {
            OperatorArgument::Value(value) => value.clone(),
            OperatorArgument::Function { body, .. } => ArrowCode::new(CodeKind::Lambda(body.body.clone())),
        };
        arguments.iter().map(operand).collect()
    }
}

/// Adds its place to an operation, if one of its errors reports the place.
fn add_location_to_operation<U: ValueSemantics>(
    operation: ArrowCode<U>,
    constant: Constant,
    place: &SourceLocation,
) -> ArrowCode<U> {
    match constant {
        Constant::NaturalDifference => ArrowCode::new(CodeKind::Placed(operation, Arc::new(place.clone()))),
        _ => operation,
    }
}

impl<U: ValueSemantics> Model for EvaluatorModel<U> {
    type Object = ();
    type Arrow = ArrowCode<U>;
    const NAME: &'static str = U::NAME;
    const SPECIALISES_CONDITIONALS: bool = true;

    fn universal_object(&self) -> Option<()> {
        Some(())
    }
    fn expands_constant(&self, constant: Constant) -> bool {
        // a universe may compute vector operations itself; otherwise they are expanded into sums and products
        constant.is_determined_by_type() || constant.is_linear_algebra() && !self.0.has_operation(constant)
    }
    fn real_object(&self) {}
    fn natural_object(&self) -> Result<(), Unsupported> {
        Ok(())
    }
    fn boolean_object(&self) -> Result<(), Unsupported> {
        Ok(())
    }
    fn product_object(&self, _: &[()]) {}
    fn exponential_object(&self, (): &(), (): &()) -> Result<(), Unsupported> {
        Ok(())
    }
    fn tangent_object(&self, (): &()) -> Result<(), Unsupported> {
        Ok(())
    }

    fn project_variable(&self, context: &[()], index: usize) -> ArrowCode<U> {
        // the model counts variables from the outermost, code from the innermost
        ArrowCode::new(CodeKind::Variable(context.len() - 1 - index))
    }
    fn compose(&self, _: &[()], parts: &[ArrowCode<U>], outer: &ArrowCode<U>) -> ArrowCode<U> {
        ArrowCode::new(match (parts, &outer.0.kind) {
            // a shared value is closed: weakening would only recompute the environment
            ([], CodeKind::Shared(..)) => return outer.clone(),
            _ => CodeKind::Compose(parts.into(), outer.clone()),
        })
    }
    fn bind(&self, _: &[()], value: &ArrowCode<U>, body: &BoundArrow<ArrowCode<U>>) -> ArrowCode<U> {
        ArrowCode::new(CodeKind::Bind(value.clone(), body.body.clone()))
    }
    fn tuple(&self, _: &[()], parts: &[ArrowCode<U>]) -> ArrowCode<U> {
        ArrowCode::new(CodeKind::Tuple(parts.into()))
    }
    fn project_component(&self, _: &[()], tuple: &ArrowCode<U>, index: usize) -> ArrowCode<U> {
        ArrowCode::new(CodeKind::Component(tuple.clone(), index))
    }
    fn curry(&self, _: &[()], (): &(), (): &(), body: &BoundArrow<ArrowCode<U>>) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Lambda(body.body.clone())))
    }
    fn apply(&self, _: &[()], function: &ArrowCode<U>, argument: &ArrowCode<U>) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Apply(function.clone(), argument.clone())))
    }
    fn case_boolean(
        &self,
        condition: &ArrowCode<U>,
        then: &ArrowCode<U>,
        otherwise: &ArrowCode<U>,
        choice: &ConditionalInfo,
    ) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::CaseBoolean(
            [condition, then, otherwise].map(ArrowCode::clone),
            Arc::new(choice.clone()),
        )))
    }
    fn sum_object(&self, _: &DataType, _: &[()]) -> Result<(), Unsupported> {
        Ok(())
    }
    fn list_object(&self, (): &()) -> Result<(), Unsupported> {
        Ok(())
    }
    fn inject(
        &self,
        _: &[()],
        _: &[()],
        (constructor, _): (&Constructor, &Ty),
        argument: &ArrowCode<U>,
    ) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Inject(constructor.index(), argument.clone())))
    }
    fn case_sum(
        &self,
        _: &[()],
        _: &[()],
        _: &DataType,
        scrutinee: &ArrowCode<U>,
        branches: &[BoundArrow<ArrowCode<U>>],
    ) -> Result<ArrowCode<U>, Unsupported> {
        let branches = branches.iter().map(|branch| branch.body.clone()).collect();
        Ok(ArrowCode::new(CodeKind::CaseSum(scrutinee.clone(), branches)))
    }
    fn roll_list(&self, _: &[()], layer: &ArrowCode<U>) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Roll(layer.clone())))
    }
    fn unroll_list(&self, _: &[()], list: &ArrowCode<U>) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Unroll(list.clone())))
    }
    fn fixed_point(
        &self,
        _: &[()],
        value: &BoundArrow<ArrowCode<U>>,
        place: &SourceLocation,
    ) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Recursion(value.body.clone(), self.0.mark_recursion(place))))
    }
    fn isomorphism_side(&self, isomorphism: &ArrowCode<U>, forward: bool) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Side(isomorphism.clone(), forward)))
    }

    fn real_number(&self, _: &[()], value: &Rational) -> ArrowCode<U> {
        ArrowCode::new(CodeKind::Number(value.clone(), self.0.real_literal(value)))
    }
    fn natural_number(&self, _: &[()], value: u64) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Value(Value::Natural(value))))
    }
    fn truth_value(&self, _: &[()], value: bool) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Value(Value::from_bool(value))))
    }
    fn interpret_constant(
        &self,
        _: &[()],
        constant: Constant,
        _: Option<&Ty>,
        place: &SourceLocation,
    ) -> Result<ArrowCode<U>, Unsupported> {
        self.check_constant(constant)?;
        let arity = constant.arity();
        // a constant as a value: η-expanded to a curried function around the saturated operation
        let arguments: Box<[_]> = (0..arity).rev().map(|index| ArrowCode::new(CodeKind::Variable(index))).collect();
        let mark = self.0.mark_application(constant, place, &arguments);
        let saturated =
            add_location_to_operation(ArrowCode::new(CodeKind::Operation(constant, mark, arguments)), constant, place);
        Ok((0..arity).fold(saturated, |body, _| ArrowCode::new(CodeKind::Lambda(body))))
    }
    fn interpret_operation(&self, application: &OperatorApplication<'_, Self>) -> Result<ArrowCode<U>, Unsupported> {
        let OperatorApplication { operator, arguments, place, .. } = *application;
        Ok(match operator {
            AppliedOperator::Constant(constant) => {
                self.check_constant(constant)?;
                let operands = self.operand_codes(arguments);
                let operation =
                    CodeKind::Operation(constant, self.0.mark_application(constant, place, &operands), operands);
                add_location_to_operation(ArrowCode::new(operation), constant, place)
            }
            AppliedOperator::To(constant) | AppliedOperator::From(constant) => {
                let isomorphism = self.interpret_constant(&[], constant, None, place)?;
                let side = self.isomorphism_side(&isomorphism, matches!(operator, AppliedOperator::To(_)))?;
                self.operand_codes(arguments).iter().fold(side, |f, x| ArrowCode::new(CodeKind::Apply(f, x.clone())))
            }
        })
    }
    fn share_definition(&self, _: &Arc<Definition>, closed: &ArrowCode<U>) -> ArrowCode<U> {
        ArrowCode::new(CodeKind::Shared(closed.clone(), OnceLock::new()))
    }
}

/// The values of variables, the innermost first, as a persistent linked list. Cheap to clone and to extend.
#[derive(Debug)]
pub struct ValueEnvironment<V>(Option<Arc<EnvironmentLink<V>>>);

#[derive(Debug)]
struct EnvironmentLink<V> {
    value: Option<V>,
    rest: ValueEnvironment<V>,
}

impl<V> Clone for ValueEnvironment<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V> Default for ValueEnvironment<V> {
    fn default() -> Self {
        Self(None)
    }
}

impl<V: Clone> ValueEnvironment<V> {
    /// Returns the environment with one more variable, of index 0.
    #[must_use]
    pub fn with_value(&self, value: V) -> Self {
        Self(Some(Arc::new(EnvironmentLink { value: Some(value), rest: self.clone() })))
    }

    /// Returns the environment without the variable of index 0; the empty one if there is none.
    #[must_use]
    pub fn without_innermost(&self) -> Self {
        self.0.as_ref().map_or_else(Self::default, |link| link.rest.clone())
    }

    /// Returns the value of the variable with de Bruijn index `index`; `None` if there is none.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<V> {
        let mut here = self.0.as_ref()?;
        for _ in 0..index {
            here = here.rest.0.as_ref()?;
        }
        here.value.clone()
    }
}

impl<V> Drop for EnvironmentLink<V> {
    fn drop(&mut self) {
        // a value may be a closure with an environment of its own, and so on: dropping a `Function` unwinds such chains in turn
        drop(self.value.take());
        // a loop, not recursion: an environment may be longer than the stack is deep; the first shared link ends it
        let mut rest = self.rest.0.take();
        while let Some(link) = rest {
            rest = Arc::into_inner(link).and_then(|mut link| link.rest.0.take());
        }
    }
}

/// Arithmetic on the representation of real numbers.
///
/// The effect of the same constants on natural numbers, truth values, tuples and lists is derived here.
pub trait RealArithmetic: Send + Sync {
    /// The representation of a real number.
    type Real: Carrier;

    /// Applies a constant of real numbers to all its arguments: `+ - * / ^`, negation, π and e, `max`, `min`, `abs`, `signum`,
    /// and the elementary functions.
    ///
    /// # Errors
    /// [`missing_rule`](Self::missing_rule) for a constant that the arithmetic lacks.
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Self::Real]) -> Result<Self::Real, ValueError>;

    /// Returns x to the power of a literal.
    ///
    /// # Errors
    /// Those of the operation.
    fn literal_power(&self, x: &Self::Real, exponent: &Rational) -> Result<Self::Real, ValueError> {
        self.apply_real_constant(Constant::Power, &[x, &self.rational_constant(exponent)])
    }

    /// Returns the product of `exponent` factors x; `exponent` may exceed the largest exponent of a literal.
    ///
    /// # Errors
    /// Those of the operation.
    fn natural_power(&self, x: &Self::Real, exponent: u64) -> Result<Self::Real, ValueError> {
        // in base LARGEST_EXPONENT, by Horner's rule: xᵉ = (xᴸ)^⌊e/L⌋ · x^(e mod L)
        let (whole, rest) = (exponent / LARGEST_EXPONENT, exponent % LARGEST_EXPONENT);
        let power = self.literal_power(x, &rest.into())?;
        if whole == 0 {
            return Ok(power);
        }
        let large = self.literal_power(x, &LARGEST_EXPONENT.into())?;
        self.apply_real_constant(Constant::Multiply, &[&self.natural_power(&large, whole)?, &power])
    }

    /// Compares two numbers.
    ///
    /// # Errors
    /// [`missing_rule`](Self::missing_rule), unless the arithmetic overrides the method.
    fn compare_reals(
        &self,
        constant: Constant,
        x: &Self::Real,
        y: &Self::Real,
    ) -> Result<<Self::Real as Carrier>::Truth, ValueError> {
        let _ = (x, y);
        self.missing_rule(constant)
    }

    /// Represents a rational number.
    fn rational_constant(&self, value: &Rational) -> Self::Real;

    /// Returns the error for a constant that the arithmetic lacks.
    ///
    /// # Errors
    /// Always.
    fn missing_rule<T>(&self, constant: Constant) -> Result<T, ValueError> {
        Err(ValueError::Mismatch { expected: "a constant that has a rule", found: constant.name() })
    }

    /// Applies a first-order constant to all its arguments.
    ///
    /// Returns `None` for isomorphisms, for tangents, and for constants other than `fold` that take functions.
    fn apply_first_order(
        &self,
        constant: Constant,
        arguments: &[Value<Self::Real>],
    ) -> Option<Result<Value<Self::Real>, ValueError>> {
        use Constant::{Add, Deriv, Functional, Jvp, Rd, Subtract, TangentProd, TangentR, TangentToR, TangentValue};
        Some(match (constant, arguments) {
            (TangentR | TangentProd | TangentToR | TangentValue | Constant::Tangent | Deriv | Jvp | Rd, _)
            | (Functional(_), _) => return None,
            // before the rules on real numbers: the same names `+`, `*`, … on two natural numbers
            (_, [Value::Natural(x), Value::Natural(y)]) if let Some(rule) = constant.natural_operation() => {
                match rule(*x, *y) {
                    None if constant == Constant::NaturalDifference => {
                        Err(ValueError::NegativeDifference(Box::new(NegativeDifference::from_operands(*x, *y))))
                    }
                    found => natural_result(found),
                }
            }
            (Constant::NaturalPower, [x, n]) => {
                x.as_real().and_then(|x| self.natural_power(x, n.as_natural()?)).map(Value::Real)
            }
            (Add | Subtract, [x, y]) => self.apply_componentwise(constant, x, y),
            (Constant::Negate, [x]) => self.negate_vector(x),
            (_, [x, y]) if constant.compares_reals() => {
                x.as_real().and_then(|x| self.compare_reals(constant, x, y.as_real()?)).map(Value::Boolean)
            }
            (Constant::Scale, [c, x]) => c.as_real().and_then(|c| self.scale_vector(c, x)),
            (Constant::Dot, [x, y]) => self.dot_product(x, y).map(Value::Real),
            (Constant::Not, [x]) => x.as_boolean().map(|b| Value::Boolean(b.negate())),
            (Constant::ToReal, [x]) => x.as_natural().map(|n| Value::Real(self.rational_constant(&n.into()))),
            (Constant::Special(id), [n, x]) => self.apply_special(id, n, x).map(Value::Real),
            (Constant::Sigmoid, [Value::Real(x)]) => self.sigmoid(x).map(Value::Real),
            (Constant::Fst, [x]) => x.as_pair().map(|(a, _)| a.clone()),
            (Constant::Snd, [x]) => x.as_pair().map(|(_, b)| b.clone()),
            (Constant::Fold, [step, start, list]) => fold_list(step, start, list),
            (_, []) => self.apply_real_constant(constant, &[]).map(Value::Real),
            (_, [x]) => x.as_real().and_then(|x| self.apply_real_constant(constant, &[x])).map(Value::Real),
            (_, [x, y]) => self.apply_binary(constant, x, y),
            _ => self.missing_rule(constant),
        })
    }

    /// Applies a binary operation to numbers or natural numbers, or to tuples of them componentwise.
    ///
    /// # Errors
    /// Those of the operation on numbers; [`ValueError::NaturalOverflow`].
    fn apply_componentwise(
        &self,
        constant: Constant,
        x: &Value<Self::Real>,
        y: &Value<Self::Real>,
    ) -> Result<Value<Self::Real>, ValueError> {
        match (x, y) {
            (Value::Natural(x), Value::Natural(y)) => {
                natural_result(constant.natural_operation().and_then(|rule| rule(*x, *y)))
            }
            (Value::Unit, Value::Unit) => Ok(Value::Unit),
            (Value::Tuple(a), Value::Tuple(b)) => {
                let parts = a.iter().zip(b.iter()).map(|(a, b)| self.apply_componentwise(constant, a, b));
                Ok(Value::Tuple(parts.collect::<Result<_, _>>()?))
            }
            _ => self.apply_binary(constant, x, y),
        }
    }

    /// Returns the product of a number and a vector.
    ///
    /// # Errors
    /// Those of the product of numbers; [`ValueError::Mismatch`] if `x` is no vector.
    fn scale_vector(&self, c: &Self::Real, x: &Value<Self::Real>) -> Result<Value<Self::Real>, ValueError> {
        let products = x.coordinates()?.into_iter().map(|x| self.apply_real_constant(Constant::Multiply, &[c, x]));
        Ok(x.with_coordinates(&mut products.collect::<Result<Vec<_>, _>>()?.into_iter()))
    }

    /// Returns the sum of the products of coordinates.
    ///
    /// # Errors
    /// Those of products and sums of numbers; [`ValueError::Mismatch`] if an argument is no vector.
    fn dot_product(&self, x: &Value<Self::Real>, y: &Value<Self::Real>) -> Result<Self::Real, ValueError> {
        let pairs = x.coordinates()?.into_iter().zip(y.coordinates()?);
        let mut products = pairs.map(|(x, y)| self.apply_real_constant(Constant::Multiply, &[x, y]));
        // start from the first product, not from 0: one operation less to round
        let Some(first) = products.next() else { return Ok(self.rational_constant(&0.into())) };
        products.try_fold(first?, |sum, product| self.apply_real_constant(Constant::Add, &[&sum, &product?]))
    }

    /// Returns the logistic function as 1/(1 + e⁻ˣ), in which x occurs once: in interval arithmetic it loses nothing.
    ///
    /// # Errors
    /// Those of the operations on numbers.
    fn sigmoid(&self, x: &Self::Real) -> Result<Self::Real, ValueError> {
        let decay = self.apply_real_constant(
            Constant::Elementary(Function::Exp),
            &[&self.apply_real_constant(Constant::Negate, &[x])?],
        )?;
        let one = self.rational_constant(&1.into());
        self.apply_real_constant(Constant::Divide, &[&one, &self.apply_real_constant(Constant::Add, &[&one, &decay])?])
    }

    /// Returns the derivative of order n of a special function at x.
    ///
    /// # Errors
    /// [`ValueError::SpecialOrder`], and those of the operations on numbers.
    fn apply_special(
        &self,
        id: SpecialId,
        n: &Value<Self::Real>,
        x: &Value<Self::Real>,
    ) -> Result<Self::Real, ValueError> {
        self.apply_real_constant(Constant::Elementary(special_of_order(id, n.as_natural()?)?), &[x.as_real()?])
    }

    /// Applies an operation to two numbers.
    ///
    /// # Errors
    /// Those of the operation.
    fn apply_binary(
        &self,
        constant: Constant,
        x: &Value<Self::Real>,
        y: &Value<Self::Real>,
    ) -> Result<Value<Self::Real>, ValueError> {
        self.apply_real_constant(constant, &[x.as_real()?, y.as_real()?]).map(Value::Real)
    }

    /// Returns the opposite, componentwise on tuples.
    ///
    /// # Errors
    /// Those of the operation on numbers.
    fn negate_vector(&self, x: &Value<Self::Real>) -> Result<Value<Self::Real>, ValueError> {
        match x {
            Value::Unit => Ok(Value::Unit),
            Value::Tuple(parts) => {
                Ok(Value::Tuple(parts.iter().map(|part| self.negate_vector(part)).collect::<Result<_, _>>()?))
            }
            _ => Ok(Value::Real(self.apply_real_constant(Constant::Negate, &[x.as_real()?])?)),
        }
    }
}

/// Returns the derivative of a special function that the language has under an order.
///
/// # Errors
/// [`ValueError::SpecialOrder`]
pub fn special_of_order(id: SpecialId, order: u64) -> Result<Function, ValueError> {
    let too_high = ValueError::SpecialOrder { family: id.family().name, order, highest: SpecialId::HIGHEST_ORDER };
    id.member(order).ok_or(too_high)
}

fn natural_result<R: Carrier>(found: Option<DiscreteValue>) -> Result<Value<R>, ValueError> {
    match found.ok_or(ValueError::NaturalOverflow)? {
        DiscreteValue::Natural(n) => Ok(Value::Natural(n)),
        DiscreteValue::Truth(b) => Ok(Value::from_bool(b)),
    }
}

fn fold_list<R: Carrier>(step: &Value<R>, start: &Value<R>, list: &Value<R>) -> Result<Value<R>, ValueError> {
    let step = step.as_function()?;
    list.as_list()?.try_fold_right(start.clone(), |x, rest| step.apply(x)?.as_function()?.apply(&rest))
}
