//! Evaluators: models in which every type denotes the same object.
//!
//! A [`ValueSemantics`] defines the representation of real numbers and the effect of constants. Values of all types are then those of
//! [`Value`], and arrows are maps from environments to values, represented by [`ArrowCode`]. The rest of [`Model`](super::Model) is
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

mod arithmetic;
mod closure;
pub mod depth;
mod evaluator;

pub use arithmetic::{RealArithmetic, polygamma_of_order};
pub use closure::CodeClosure;
pub use depth::RecursionDepth;
pub use evaluator::EvaluatorModel;

use closure::ClosureRecursion;

use super::below::add_location;
use super::environment::ValueEnvironment;
use super::{ConditionalInfo, SourceLocation, Unsupported};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::value::{
    Carrier, SharedList, SourceId, TruthType, UndefinedCause, UndefinedValue, Value, ValueError, ValueFunction,
};
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
    /// Returns `true` if a constant has an [operation](ValueSemantics::apply_constant). The default is `true` for all of them.
    fn has_operation(&self, constant: Constant) -> bool {
        let _ = constant;
        true
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
                _ => universe.apply_constant(*constant, *mark, &all(arguments)?)?,
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
