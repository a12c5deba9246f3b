//! Models in which every type is the same object: evaluators.
//!
//! A [`Universe`] says what stands for a real number, and what constants do; values of all types are then those of
//! [`Value`], arrows are maps from environments to values, kept as [`Code`], and all of [`Model`](super::Model) is the same
//! for every universe: it is given here once. Objects carry nothing, so types are not looked at.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Universe`] | what an evaluator has of its own |
//! | [`Arithmetic`] | the constants on numbers, with what they do to all other data |
//! | [`Evaluator`] | the model of a universe |
//! | [`Code`], [`Closure`] | arrows, and functions that are made of them |

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
/// What running a program gives in a universe.
pub type Ran<U> = Result<Values<U>, ValueError>;

/// What an evaluator has of its own.
///
/// Operations may assume nothing of the kinds of the values that they are given: what does not fit is an error.
pub trait Universe: Arithmetic + Sized + 'static {
    /// What is remembered of the place where a constant stands.
    type Mark: Copy + Default + Send + Sync + 'static;
    /// The name of the model.
    const NAME: &'static str;

    /// Called before each application. It is where a budget of steps is kept.
    ///
    /// # Errors
    /// As the universe says.
    fn step(&self) -> Result<(), ValueError>;
    /// How deep evaluation is: what bounds the memory of a recursion that does not end.
    fn depth(&self) -> Option<&Depth> {
        None
    }
    /// The error for a recursion that is deeper than that.
    fn too_deep(&self) -> ValueError {
        ValueError::TooDeep { levels: Depth::MOST }
    }
    /// Called when the value of a function is begun, whose code has so many levels: a step, and so many levels of [depth](Universe::depth).
    ///
    /// # Errors
    /// Those of a step, and [`too_deep`](Universe::too_deep).
    fn enter(&self, levels: u64) -> Result<(), ValueError> {
        self.step()?;
        if self.depth().is_none_or(|depth| depth.enter(levels)) { Ok(()) } else { Err(self.too_deep()) }
    }
    /// Called when a value that was begun is there, or is given up, or is that of another function that is begun now.
    fn leave(&self, levels: u64) {
        if let Some(depth) = self.depth() {
            depth.leave(levels);
        }
    }
    /// The value of the variable of an index.
    fn variable(&self, environment: &Environment<Values<Self>>, index: usize) -> Option<Values<Self>> {
        environment.get(index)
    }
    /// An environment with the value of a `let`.
    ///
    /// # Errors
    /// That of the value, unless the universe says otherwise.
    fn bind(
        &self,
        environment: &Environment<Values<Self>>,
        value: Ran<Self>,
    ) -> Result<Environment<Values<Self>>, ValueError> {
        Ok(environment.with(value?))
    }
    /// A tuple of parts that are computed one after another.
    ///
    /// # Errors
    /// The first of the parts, unless the universe says otherwise.
    fn tuple(&self, parts: &mut dyn Iterator<Item = Ran<Self>>) -> Ran<Self> {
        Ok(Value::tuple(parts.collect::<Result<Vec<_>, _>>()?))
    }
    /// What is remembered of a place, where a constant is applied to arguments.
    fn mark(&self, constant: Constant, place: &Place, arguments: &[Code<Self>]) -> Self::Mark {
        let _ = (constant, place, arguments);
        Self::Mark::default()
    }
    /// The site of a recursive function, for errors of running it.
    fn stands(&self, place: &Place) -> Site {
        let _ = place;
        Site::NOWHERE
    }
    /// How many levels deep a recursive function may be unfolded, where that is limited.
    fn unfoldings(&self) -> Option<u64> {
        None
    }
    /// The value of a function that may not be unfolded any more.
    ///
    /// # Errors
    /// That there is none, unless the universe says otherwise.
    fn folded(&self) -> Ran<Self> {
        let what = "a recursive function was unfolded as often as its limit allows";
        Err(ValueError::undefined(Undefined { certain: true, ..Undefined::of(Cause::Fuel, what) }))
    }

    /// A real number, as the arithmetic has it unless the universe says otherwise.
    fn number(&self, value: &Rational) -> Values<Self> {
        Value::Real(self.rational(value))
    }
    /// A function.
    fn function(&self, closure: Closure<Self>) -> Values<Self> {
        Value::Function(Function::new(closure))
    }
    /// Whether there is an [operation](Universe::operation) for a constant: for every one, unless the universe says otherwise.
    fn has(&self, constant: Constant) -> bool {
        let _ = constant;
        true
    }
    /// The error for a constant that the universe does not [have](Universe::has).
    fn lacks(&self, constant: Constant) -> Unsupported {
        Unsupported { model: Self::NAME, construct: constant.lacking() }
    }
    /// Which of the two a truth value is, to choose by; `None` leaves it to [`Universe::branch`].
    fn decide(&self, condition: &<Self::Real as Carrier>::Truth) -> Option<bool> {
        condition.known()
    }
    /// `if`, where the condition is not [decided](Universe::decide): either branch is run by calling it.
    ///
    /// # Errors
    /// As the universe says: that it cannot branch, unless it says otherwise.
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
    /// Which constructor a variant has, and its argument.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`]
    fn split(&self, variant: &Values<Self>) -> Result<(usize, Values<Self>), ValueError> {
        let (index, argument) = variant.as_variant()?;
        Ok((index, argument.clone()))
    }
    /// `head :: tail`
    fn cons(&self, head: &Values<Self>, tail: &Sequence<Values<Self>>) -> Sequence<Values<Self>> {
        tail.with(head.clone())
    }
    /// A constant at all its arguments, as many as its [arity](Constant::arity) says. What constants do to numbers and other
    /// data is in [`Arithmetic::first_order`].
    ///
    /// # Errors
    /// As the universe says.
    fn operation(self: &Arc<Self>, constant: Constant, mark: Self::Mark, arguments: &[Values<Self>]) -> Ran<Self>;
}

/// An arrow: a map from environments to values. Cheap to clone, safe to drop at any depth.
pub struct Code<U: Universe>(Arc<Node<U>>);

struct Node<U: Universe> {
    kind: Kind<U>,
    depth: u32,
}

enum Kind<U: Universe> {
    /// By de Bruijn index.
    Variable(usize),
    Value(Values<U>),
    /// A real number as it is written.
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
    /// An operation with its place, for errors of running it.
    Placed(Code<U>, Arc<Place>),
    /// What was computed once is kept.
    Shared(Code<U>, OnceLock<Values<U>>),
}

impl<U: Universe> Clone for Code<U> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<U: Universe> Kind<U> {
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
        // a shared value may be a closure, with code of its own
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

    /// The number that it is, where it is written as one: as a literal, its opposite, or a quotient of two.
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

    /// The value in an environment.
    ///
    /// # Errors
    /// Those of the universe.
    pub fn run(&self, universe: &Arc<U>, environment: &Environment<Values<U>>) -> Ran<U> {
        Next::Code(self, environment).run(universe, 0)
    }

    /// The value, or the application whose value it is: that is left to the caller, so that a chain of them takes no stack.
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
            Kind::Bind(value, body) => return then(body, &universe.bind(environment, run(value))?),
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
                None => {
                    let value = code.run(universe, &Environment::default())?;
                    known.get_or_init(|| value).clone()
                }
            },
        }))
    }
}

const UNBOUND: ValueError = ValueError::Mismatch { expected: "a bound variable", found: "a free one" };

/// What is left to do for a value.
enum Next<'a, U: Universe> {
    Value(Values<U>),
    Code(&'a Code<U>, &'a Environment<Values<U>>),
    Apply(Function<U::Real>, Values<U>),
}

impl<U: Universe> Next<'_, U> {
    /// The value. Where it is that of a function of the universe, the function is begun in place of the one before, which has
    /// `begun` levels.
    fn run(self, universe: &Arc<U>, mut begun: u64) -> Ran<U> {
        let mut next = Ok(self);
        // the recursive function that goes on
        let mut site = Site::NOWHERE;
        let value = loop {
            next = match next {
                Err(error) => break Err(error),
                Ok(Next::Value(value)) => break Ok(value),
                Ok(Next::Code(code, environment)) => deep(|| code.next(universe, environment)),
                Ok(Next::Apply(function, argument)) => match function.rule::<Closure<U>>() {
                    Some(closure) => {
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
