//! Models in which every type is the same object: evaluators.
//!
//! A [`Universe`] is a set of values that holds numbers, tuples and functions alike. Arrows are then maps from
//! environments to values, kept as [`Code`], and all of [`Model`](super::Model) is the same for every universe: it is given here once.
//! Objects carry nothing, so types are not looked at.

mod evaluator;

pub use evaluator::Evaluator;

use super::environment::Environment;
use super::{Place, Unsupported};
use crate::number::Rational;
use crate::stack::deep;
use crate::syntax::constant::Constant;
use std::sync::{Arc, OnceLock};

/// A set of values for all types at once.
///
/// Operations may assume nothing of the kinds of the values that they are given: what does not fit is an error.
pub trait Universe: Sized + Send + Sync + 'static {
    /// The values.
    type Value: Clone + Send + Sync + 'static;
    /// What can go wrong when a program runs.
    type Error;
    /// What is remembered of the place where a constant stands.
    type Mark: Copy + Send + Sync + 'static;
    /// The name of the model.
    const NAME: &'static str;

    /// Called before each application. It is where a budget of steps is kept.
    ///
    /// # Errors
    /// As the universe says.
    fn step(&self) -> Result<(), Self::Error>;
    /// Called when the value of a function is begun: a step, unless the universe says more.
    ///
    /// # Errors
    /// As the universe says.
    fn enter(&self) -> Result<(), Self::Error> {
        self.step()
    }
    /// Called when a value that was begun is there, or is given up.
    fn leave(&self) {}
    /// The value of the variable of an index.
    fn variable(&self, environment: &Environment<Self::Value>, index: usize) -> Option<Self::Value> {
        environment.get(index)
    }
    /// An environment with the value of a `let`.
    fn bind(&self, environment: &Environment<Self::Value>, value: Self::Value) -> Environment<Self::Value> {
        environment.with(value)
    }
    /// The error for a variable that is not bound.
    fn unbound(&self) -> Self::Error;
    /// What is remembered of a place.
    fn mark(&self, constant: Constant, place: &Place) -> Self::Mark;

    /// A real number.
    fn number(&self, value: &Rational) -> Self::Value;
    /// A natural number.
    fn natural(&self, value: u64) -> Self::Value;
    /// A truth value.
    fn truth(&self, value: bool) -> Self::Value;
    /// A tuple; the unit value for none.
    fn tuple(&self, parts: Vec<Self::Value>) -> Self::Value;
    /// A function.
    fn function(&self, closure: Closure<Self>) -> Self::Value;
    /// Whether there is an [operation](Universe::operation) for a constant.
    ///
    /// # Errors
    /// [`Unsupported`]
    fn admits(&self, constant: Constant) -> Result<(), Unsupported>;

    /// A component of a tuple, counted from 0.
    ///
    /// # Errors
    /// As the universe says.
    fn component(&self, tuple: &Self::Value, index: usize) -> Result<Self::Value, Self::Error>;
    /// A truth value, to choose by.
    ///
    /// # Errors
    /// As the universe says.
    fn decide(&self, condition: &Self::Value) -> Result<bool, Self::Error>;
    /// A variant: the number of a constructor, and its argument.
    fn variant(&self, index: usize, argument: Self::Value) -> Self::Value;
    /// Which constructor a variant has, and its argument.
    ///
    /// # Errors
    /// As the universe says.
    fn split(&self, variant: &Self::Value) -> Result<(usize, Self::Value), Self::Error>;
    /// The list of a variant `1 + A × List A`, see [`Model::roll`](super::Model::roll): that variant, unless the universe says otherwise.
    ///
    /// # Errors
    /// As the universe says.
    fn roll(&self, layer: &Self::Value) -> Result<Self::Value, Self::Error> {
        Ok(layer.clone())
    }
    /// The variant `1 + A × List A` of a list; see [`Model::unroll`](super::Model::unroll).
    ///
    /// # Errors
    /// As the universe says.
    fn unroll(&self, list: &Self::Value) -> Result<Self::Value, Self::Error> {
        Ok(list.clone())
    }
    /// A function at an argument.
    ///
    /// # Errors
    /// As the universe says.
    fn apply(&self, function: &Self::Value, argument: &Self::Value) -> Result<Self::Value, Self::Error>;
    /// One of the two functions of an isomorphism: `to`, for forward, or `from`.
    ///
    /// # Errors
    /// As the universe says.
    fn side(&self, isomorphism: &Self::Value, forward: bool) -> Result<Self::Value, Self::Error>;
    /// A constant at all its arguments, as many as its [arity](Constant::arity) says.
    ///
    /// # Errors
    /// As the universe says.
    fn operation(
        self: &Arc<Self>,
        constant: Constant,
        mark: Self::Mark,
        arguments: &[Self::Value],
    ) -> Result<Self::Value, Self::Error>;
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
    Value(U::Value),
    Lambda(Code<U>),
    Recursion(Code<U>),
    Apply(Code<U>, Code<U>),
    Bind(Code<U>, Code<U>),
    Compose(Box<[Code<U>]>, Code<U>),
    Tuple(Box<[Code<U>]>),
    Component(Code<U>, usize),
    Case([Code<U>; 3]),
    Side(Code<U>, bool),
    Inject(usize, Code<U>),
    Cases(Code<U>, Box<[Code<U>]>),
    Roll(Code<U>),
    Unroll(Code<U>),
    Operation(Constant, U::Mark, Box<[Code<U>]>),
    /// What was computed once is kept.
    Shared(Code<U>, OnceLock<U::Value>),
}

impl<U: Universe> Clone for Code<U> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<U: Universe> Kind<U> {
    fn parts(&self) -> impl Iterator<Item = &Code<U>> {
        let (few, many): ([Option<&Code<U>>; 2], &[Code<U>]) = match self {
            Kind::Variable(_) | Kind::Value(_) => ([None, None], &[]),
            Kind::Lambda(a)
            | Kind::Recursion(a)
            | Kind::Component(a, _)
            | Kind::Side(a, _)
            | Kind::Inject(_, a)
            | Kind::Roll(a)
            | Kind::Unroll(a)
            | Kind::Shared(a, _) => ([Some(a), None], &[]),
            Kind::Apply(a, b) | Kind::Bind(a, b) => ([Some(a), Some(b)], &[]),
            Kind::Compose(parts, a) | Kind::Cases(a, parts) => ([Some(a), None], parts),
            Kind::Tuple(parts) | Kind::Operation(_, _, parts) => ([None, None], parts),
            Kind::Case(parts) => ([None, None], parts),
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

    /// The value in an environment.
    ///
    /// # Errors
    /// Those of the universe.
    pub fn run(&self, universe: &Arc<U>, environment: &Environment<U::Value>) -> Result<U::Value, U::Error> {
        deep(|| self.step(universe, environment))
    }

    fn step(&self, universe: &Arc<U>, environment: &Environment<U::Value>) -> Result<U::Value, U::Error> {
        let all =
            |parts: &[Self]| parts.iter().map(|part| part.run(universe, environment)).collect::<Result<Vec<_>, _>>();
        let closure = |body: &Self, recursive| {
            let (universe, environment, body) = (universe.clone(), environment.clone(), body.clone());
            Closure { universe, environment, body, recursive }
        };
        match &self.0.kind {
            Kind::Variable(index) => universe.variable(environment, *index).ok_or_else(|| universe.unbound()),
            Kind::Value(value) => Ok(value.clone()),
            Kind::Lambda(body) => Ok(universe.function(closure(body, false))),
            Kind::Recursion(value) => Ok(universe.function(closure(value, true))),
            Kind::Apply(function, argument) => {
                universe.step()?;
                let function = function.run(universe, environment)?;
                universe.apply(&function, &argument.run(universe, environment)?)
            }
            Kind::Bind(value, body) => {
                let value = value.run(universe, environment)?;
                body.run(universe, &universe.bind(environment, value))
            }
            Kind::Compose(parts, outer) => {
                let inner = all(parts)?.into_iter().fold(Environment::default(), |inner, value| inner.with(value));
                outer.run(universe, &inner)
            }
            Kind::Tuple(parts) => Ok(universe.tuple(all(parts)?)),
            Kind::Component(tuple, index) => universe.component(&tuple.run(universe, environment)?, *index),
            Kind::Case([condition, then, otherwise]) => {
                let chosen = universe.decide(&condition.run(universe, environment)?)?;
                if chosen { then } else { otherwise }.run(universe, environment)
            }
            Kind::Inject(index, argument) => Ok(universe.variant(*index, argument.run(universe, environment)?)),
            Kind::Cases(scrutinee, branches) => {
                let (index, argument) = universe.split(&scrutinee.run(universe, environment)?)?;
                let branch = branches.get(index).ok_or_else(|| universe.unbound())?;
                branch.run(universe, &environment.with(argument))
            }
            Kind::Roll(layer) => universe.roll(&layer.run(universe, environment)?),
            Kind::Unroll(list) => universe.unroll(&list.run(universe, environment)?),
            Kind::Side(isomorphism, forward) => universe.side(&isomorphism.run(universe, environment)?, *forward),
            Kind::Operation(constant, mark, arguments) => match &**arguments {
                [x] => {
                    universe.step()?;
                    let x = [x.run(universe, environment)?];
                    universe.operation(*constant, *mark, &x)
                }
                [x, y] => {
                    universe.step()?;
                    universe.step()?;
                    let arguments = [x.run(universe, environment)?, y.run(universe, environment)?];
                    universe.operation(*constant, *mark, &arguments)
                }
                _ => universe.operation(*constant, *mark, &all(arguments)?),
            },
            Kind::Shared(code, known) => {
                if let Some(value) = known.get() {
                    return Ok(value.clone());
                }
                let value = code.run(universe, &Environment::default())?;
                Ok(known.get_or_init(|| value).clone())
            }
        }
    }
}

/// `\x => body` in an environment, or a recursive function that finds itself there.
pub struct Closure<U: Universe> {
    universe: Arc<U>,
    environment: Environment<U::Value>,
    body: Code<U>,
    recursive: bool,
}

impl<U: Universe> Clone for Closure<U> {
    fn clone(&self) -> Self {
        let Self { universe, environment, body, recursive } = self;
        let (universe, environment) = (universe.clone(), environment.clone());
        Self { universe, environment, body: body.clone(), recursive: *recursive }
    }
}

impl<U: Universe> Closure<U> {
    /// The function at an argument.
    ///
    /// # Errors
    /// Those of the universe.
    pub fn apply(&self, argument: &U::Value) -> Result<U::Value, U::Error> {
        self.universe.enter()?;
        let result = self.value(argument);
        self.universe.leave();
        result
    }

    /// Whether the function finds itself in its environment.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        self.recursive
    }

    fn value(&self, argument: &U::Value) -> Result<U::Value, U::Error> {
        if !self.recursive {
            return self.body.run(&self.universe, &self.environment.with(argument.clone()));
        }
        let itself = self.universe.function(self.clone());
        let unrolled = self.body.run(&self.universe, &self.environment.with(itself))?;
        self.universe.apply(&unrolled, argument)
    }
}
