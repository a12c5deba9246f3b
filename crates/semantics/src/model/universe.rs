//! Evaluators: models in which every type denotes the same object.
//!
//! A [`Universe`] defines the representation of real numbers and the effect of constants. Values of all types are then those of
//! [`Value`], and arrows are maps from environments to values, represented by [`Code`]. The rest of [`Model`](super::Model) is
//! the same for every universe and is given here once. Objects carry nothing, so types are ignored.
//!
//! | module | contents |
//! |---|---|
//! | [`Universe`] | the operations specific to an evaluator |
//! | [`Arithmetic`] | the constants on numbers, extended to all other data |
//! | [`Evaluator`] | the model of a universe |
//! | [`Code`], [`Closure`] | arrows, and functions made of them |

mod arithmetic;
mod closure;
pub mod depth;
mod evaluator;

pub use arithmetic::{Arithmetic, polygamma};
pub use closure::Closure;
pub use depth::Depth;
pub use evaluator::Evaluator;

use closure::Unfolds;

use super::below::placed;
use super::environment::Environment;
use super::{Choice, Place, Unsupported};
use crate::number::Rational;
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::value::{Carrier, Cause, Function, Sequence, Site, Truth, Undefined, Value, ValueError};
use std::sync::{Arc, OnceLock};

/// The values of a universe.
pub type Values<U> = Value<<U as Arithmetic>::Real>;
/// The result of running a program in a universe.
pub type Ran<U> = Result<Values<U>, ValueError>;

/// The operations specific to an evaluator.
///
/// Operations may assume nothing about the kinds of their arguments; an argument of the wrong kind is an error.
pub trait Universe: Arithmetic + Sized + 'static {
    /// The data kept for the place of a constant.
    type Mark: Copy + Default + Send + Sync + 'static;
    /// The name of the model.
    const NAME: &'static str;

    /// Counts a step, before each application. A universe keeps its budget of steps here.
    ///
    /// # Errors
    /// Defined by the universe: usually that the budget is exhausted.
    fn step(&self) -> Result<(), ValueError>;
    /// Returns the counter of nested applications, which bounds the memory of a recursion that does not end; `None` for no bound.
    fn depth(&self) -> Option<&Depth> {
        None
    }
    /// Returns the error for a recursion that exceeds this bound.
    fn too_deep(&self) -> ValueError {
        ValueError::TooDeep { levels: Depth::MOST }
    }
    /// Begins the application of a function whose code has `levels` levels: counts a step, and the levels in
    /// [depth](Universe::depth).
    ///
    /// # Errors
    /// The error of a step, or [`too_deep`](Universe::too_deep).
    fn enter(&self, levels: u64) -> Result<(), ValueError> {
        self.step()?;
        if self.depth().is_none_or(|depth| depth.enter(levels)) { Ok(()) } else { Err(self.too_deep()) }
    }
    /// Ends an application begun by [`enter`](Universe::enter): it has its value, has failed, or is replaced by a tail call.
    fn leave(&self, levels: u64) {
        if let Some(depth) = self.depth() {
            depth.leave(levels);
        }
    }
    /// Looks up the variable with de Bruijn index `index`; `None` if there is none.
    fn variable(&self, environment: &Environment<Values<Self>>, index: usize) -> Option<Values<Self>> {
        environment.get(index)
    }
    /// Extends an environment by the value of a `let`.
    ///
    /// # Errors
    /// That of the value. A lazy universe may defer it.
    fn bind(
        &self,
        environment: &Environment<Values<Self>>,
        value: Ran<Self>,
    ) -> Result<Environment<Values<Self>>, ValueError> {
        Ok(environment.with(value?))
    }
    /// Builds a tuple of parts that the iterator computes one after another.
    ///
    /// # Errors
    /// The first error of a part. A lazy universe may defer it.
    fn tuple(&self, parts: &mut dyn Iterator<Item = Ran<Self>>) -> Ran<Self> {
        Ok(Value::tuple(parts.collect::<Result<Vec<_>, _>>()?))
    }
    /// Returns the data kept for the place of a constant that is applied to arguments.
    fn mark(&self, constant: Constant, place: &Place, arguments: &[Code<Self>]) -> Self::Mark {
        let _ = (constant, place, arguments);
        Self::Mark::default()
    }
    /// Returns the site of a recursive function, for errors of running it.
    fn stands(&self, place: &Place) -> Site {
        let _ = place;
        Site::NOWHERE
    }
    /// Returns how many levels deep recursive functions may be unfolded; `None` for no limit.
    fn unfoldings(&self) -> Option<u64> {
        None
    }
    /// Returns the value of an application beyond that limit.
    ///
    /// # Errors
    /// The default is that the value is undefined.
    fn folded(&self) -> Ran<Self> {
        let what = "a recursive function was unfolded as often as its limit allows";
        Err(ValueError::undefined(Undefined { certain: true, ..Undefined::of(Cause::Fuel, what) }))
    }

    /// Returns the value of a real literal.
    fn number(&self, value: &Rational) -> Values<Self> {
        Value::Real(self.rational(value))
    }
    /// Wraps a closure as a value.
    fn function(&self, closure: Closure<Self>) -> Values<Self> {
        Value::Function(Function::new(closure))
    }
    /// Returns `true` if a constant has an [operation](Universe::operation). The default is `true` for all of them.
    fn has(&self, constant: Constant) -> bool {
        let _ = constant;
        true
    }
    /// Returns the error for a constant that the universe does not [have](Universe::has).
    fn lacks(&self, constant: Constant) -> Unsupported {
        Unsupported { model: Self::NAME, construct: constant.lacking() }
    }
    /// Decides a condition; `None` leaves the conditional to [`Universe::branch`].
    fn decide(&self, condition: &<Self::Real as Carrier>::Truth) -> Option<bool> {
        condition.known()
    }
    /// Evaluates a conditional whose condition is not [decided](Universe::decide). Calling a branch runs it.
    ///
    /// # Errors
    /// Defined by the universe; by default, that the condition is undecided.
    fn branch(
        self: &Arc<Self>,
        condition: &<Self::Real as Carrier>::Truth,
        choice: &Choice,
        then: &dyn Fn() -> Ran<Self>,
        otherwise: &dyn Fn() -> Ran<Self>,
    ) -> Ran<Self> {
        let _ = (condition, choice, then, otherwise);
        Err(ValueError::Mismatch { expected: "a truth value that is decided", found: "one that is not" })
    }
    /// Returns the index of a variant's constructor, and its argument.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`]
    fn split(&self, variant: &Values<Self>) -> Result<(usize, Values<Self>), ValueError> {
        let (index, argument) = variant.as_variant()?;
        Ok((index, argument.clone()))
    }
    /// Builds the list `head :: tail`.
    fn cons(&self, head: &Values<Self>, tail: &Sequence<Values<Self>>) -> Sequence<Values<Self>> {
        tail.with(head.clone())
    }
    /// Applies a constant to all its arguments, as many as its [arity](Constant::arity). Most constants on numbers and other data
    /// are covered by [`Arithmetic::first_order`].
    ///
    /// # Errors
    /// Defined by the universe.
    fn operation(self: &Arc<Self>, constant: Constant, mark: Self::Mark, arguments: &[Values<Self>]) -> Ran<Self>;
}

/// An arrow: a map from environments to values. Cheap to clone, safe to drop at any depth.
pub struct Code<U: Universe>(Arc<Node<U>>);

/// A node of code.
struct Node<U: Universe> {
    kind: Kind<U>,
    /// The height of the tree of nodes.
    depth: u32,
}

/// The form of a node of code.
enum Kind<U: Universe> {
    /// By de Bruijn index.
    Variable(usize),
    Value(Values<U>),
    /// A real literal, with its value.
    Number(Rational, Values<U>),
    Lambda(Code<U>),
    Recursion(Code<U>, Site),
    Apply(Code<U>, Code<U>),
    Bind(Code<U>, Code<U>),
    Compose(Box<[Code<U>]>, Code<U>),
    Tuple(Box<[Code<U>]>),
    Component(Code<U>, usize),
    Case([Code<U>; 3], Arc<Choice>),
    Side(Code<U>, bool),
    Inject(usize, Code<U>),
    Cases(Code<U>, Box<[Code<U>]>),
    Roll(Code<U>),
    Unroll(Code<U>),
    Operation(Constant, U::Mark, Box<[Code<U>]>),
    /// An operation with its place, to be added to errors of running it.
    Placed(Code<U>, Arc<Place>),
    /// A closed arrow with its value, which is computed at most once.
    Shared(Code<U>, OnceLock<Values<U>>),
}

impl<U: Universe> Clone for Code<U> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<U: Universe> Kind<U> {
    /// Returns the parts of a node.
    fn parts(&self) -> impl Iterator<Item = &Code<U>> {
        let (few, many): ([Option<&Code<U>>; 2], &[Code<U>]) = match self {
            Kind::Variable(_) | Kind::Value(_) | Kind::Number(..) => ([None, None], &[]),
            Kind::Lambda(a)
            | Kind::Recursion(a, _)
            | Kind::Component(a, _)
            | Kind::Side(a, _)
            | Kind::Inject(_, a)
            | Kind::Roll(a)
            | Kind::Placed(a, _)
            | Kind::Unroll(a)
            | Kind::Shared(a, _) => ([Some(a), None], &[]),
            Kind::Apply(a, b) | Kind::Bind(a, b) => ([Some(a), Some(b)], &[]),
            Kind::Compose(parts, a) | Kind::Cases(a, parts) => ([Some(a), None], parts),
            Kind::Tuple(parts) | Kind::Operation(_, _, parts) => ([None, None], parts),
            Kind::Case(parts, _) => ([None, None], parts),
        };
        few.into_iter().flatten().chain(many)
    }
}

impl<U: Universe> Drop for Node<U> {
    fn drop(&mut self) {
        // Deep trees are dropped on a growing stack; 64 is a choice. A shared value may be a closure with deep code of its own.
        if self.depth > 64 || matches!(self.kind, Kind::Shared(..)) {
            let kind = std::mem::replace(&mut self.kind, Kind::Variable(0));
            deep(|| drop(kind));
        }
    }
}

impl<U: Universe> Code<U> {
    fn new(kind: Kind<U>) -> Self {
        let depth = kind.parts().map(|part| part.0.depth).max().unwrap_or(0).saturating_add(1);
        Self(Arc::new(Node { kind, depth }))
    }

    /// Returns the number that the code denotes syntactically: a literal, the opposite of one, or a quotient of two.
    ///
    /// Returns `None` for any other code.
    #[must_use]
    pub fn written(&self) -> Option<Rational> {
        match &self.0.kind {
            Kind::Number(q, _) => Some(q.clone()),
            Kind::Shared(code, _) => deep(|| code.written()),
            Kind::Operation(Constant::Negate, _, parts) => Some(-deep(|| parts.first()?.written())?),
            Kind::Operation(Constant::Divide, _, parts) => match &**parts {
                [p, q] => {
                    let q = deep(|| q.written()).filter(|q| !q.is_zero())?;
                    Some(deep(|| p.written())? / q)
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
    pub fn run(&self, universe: &Arc<U>, environment: &Environment<Values<U>>) -> Ran<U> {
        Next::Code(self, environment).run(universe, 0)
    }

    /// Evaluates up to the last application and returns that unevaluated, so that a chain of tail calls takes no stack.
    fn next(&self, universe: &Arc<U>, environment: &Environment<Values<U>>) -> Result<Next<'static, U>, ValueError> {
        let run = |code: &Self| code.run(universe, environment);
        let all = |parts: &[Self]| parts.iter().map(run).collect::<Result<Vec<_>, _>>();
        let then = |code: &Self, environment: &Environment<_>| deep(|| code.next(universe, environment));
        let closure = |body: &Self, unfolds, site| {
            let (universe, environment, body) = (universe.clone(), environment.clone(), body.clone());
            universe.clone().function(Closure { universe, environment, body, unfolds, site })
        };
        Ok(Next::Value(match &self.0.kind {
            Kind::Variable(index) => universe.variable(environment, *index).ok_or(UNBOUND)?,
            Kind::Value(value) | Kind::Number(_, value) => value.clone(),
            Kind::Lambda(body) => closure(body, Unfolds::Never, Site::NOWHERE),
            Kind::Recursion(value, site) => {
                closure(value, universe.unfoldings().map_or(Unfolds::Always, Unfolds::Times), *site)
            }
            Kind::Apply(function, argument) => {
                universe.step()?;
                let function = run(function)?.as_function()?.clone();
                return Ok(Next::Apply(function, run(argument)?));
            }
            // the body is in tail position, as are both branches of a conditional
            Kind::Bind(value, body) => return then(body, &universe.bind(environment, run(value))?),
            // the environment of `outer` holds the parts alone, not the variables around
            Kind::Compose(parts, outer) => {
                let inner = all(parts)?.into_iter().fold(Environment::default(), |inner, value| inner.with(value));
                return then(outer, &inner);
            }
            Kind::Tuple(parts) => universe.tuple(&mut parts.iter().map(run))?,
            Kind::Component(tuple, index) => {
                let component = run(tuple)?.as_tuple()?.get(*index).cloned();
                component.ok_or(ValueError::Mismatch { expected: "a longer tuple", found: "a tuple" })?
            }
            Kind::Case([condition, yes, no], choice) => {
                let condition = run(condition)?;
                let condition = condition.as_boolean()?;
                match universe.decide(condition) {
                    Some(chosen) => return then(if chosen { yes } else { no }, environment),
                    None => universe.branch(condition, choice, &|| run(yes), &|| run(no))?,
                }
            }
            Kind::Inject(index, argument) => Value::variant(*index, run(argument)?),
            Kind::Cases(scrutinee, branches) => {
                let (index, argument) = universe.split(&run(scrutinee)?)?;
                return then(branches.get(index).ok_or(UNBOUND)?, &environment.with(argument));
            }
            Kind::Roll(layer) => Value::List(match run(layer)?.as_variant()? {
                (0, _) => Sequence::default(),
                (_, pair) => {
                    let (head, tail) = pair.as_pair()?;
                    universe.cons(head, tail.as_list()?)
                }
            }),
            Kind::Unroll(list) => match run(list)?.as_list()?.parts() {
                None => Value::variant(0, Value::Unit),
                Some((head, tail)) => Value::variant(1, Value::tuple([head.clone(), Value::List(tail.clone())])),
            },
            Kind::Side(isomorphism, forward) => {
                let isomorphism = run(isomorphism)?;
                let (to, from) = isomorphism.as_isomorphism()?;
                Value::Function(if *forward { to } else { from }.clone())
            }
            Kind::Operation(constant, mark, arguments) => match &**arguments {
                [x] => {
                    universe.step()?;
                    universe.operation(*constant, *mark, &[run(x)?])?
                }
                // as many steps as a curried function would take for its applications
                [x, y] => {
                    universe.step()?;
                    universe.step()?;
                    universe.operation(*constant, *mark, &[run(x)?, run(y)?])?
                }
                _ => universe.operation(*constant, *mark, &all(arguments)?)?,
            },
            Kind::Placed(code, place) => run(code).map_err(|error| placed(error, place))?,
            Kind::Shared(code, known) => match known.get() {
                Some(value) => value.clone(),
                // two threads may both compute it: the first value is kept
                None => {
                    let value = code.run(universe, &Environment::default())?;
                    known.get_or_init(|| value).clone()
                }
            },
        }))
    }
}

const UNBOUND: ValueError = ValueError::Mismatch { expected: "a bound variable", found: "a free one" };

/// A suspended evaluation: a value, or the work that remains to obtain it.
enum Next<'a, U: Universe> {
    Value(Values<U>),
    Code(&'a Code<U>, &'a Environment<Values<U>>),
    Apply(Function<U::Real>, Values<U>),
}

impl<U: Universe> Next<'_, U> {
    /// Evaluates to a value. Tail calls replace the function of the universe that was begun before, which has `begun` levels.
    fn run(self, universe: &Arc<U>, mut begun: u64) -> Ran<U> {
        let mut next = Ok(self);
        // the last recursive function that was entered, as the place of an error
        let mut site = Site::NOWHERE;
        let value = loop {
            next = match next {
                Err(error) => break Err(error),
                Ok(Next::Value(value)) => break Ok(value),
                Ok(Next::Code(code, environment)) => deep(|| code.next(universe, environment)),
                Ok(Next::Apply(function, argument)) => match function.rule::<Closure<U>>() {
                    Some(closure) => {
                        // before the new function is entered: a loop by tail calls keeps its depth constant
                        universe.leave(std::mem::take(&mut begun));
                        site = if closure.is_recursive() { closure.site } else { site };
                        universe.enter(closure.levels()).and_then(|()| {
                            begun = closure.levels();
                            deep(|| closure.next(&argument))
                        })
                    }
                    None => function.apply(&argument).map(Next::Value),
                },
            };
        };
        universe.leave(begun);
        value.map_err(|error| error.at(site))
    }
}
