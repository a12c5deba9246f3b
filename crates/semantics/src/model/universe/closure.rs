//! Functions of a universe: code together with the values of its free variables.

use super::{Code, Next, Ran, Universe, Values};
use crate::model::environment::Environment;
use crate::value::{Rule, Site, ValueError};
use std::sync::Arc;

/// A function `\x => body` in an environment, or a recursive function that is a variable of its own body.
pub struct Closure<U: Universe> {
    pub(super) universe: Arc<U>,
    pub(super) environment: Environment<Values<U>>,
    pub(super) body: Code<U>,
    pub(super) unfolds: Unfolds,
    /// The site of a recursive function; [`Site::NOWHERE`] for others.
    pub(super) site: Site,
}

/// The kind of a function's recursion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfolds {
    /// Not recursive.
    Never,
    /// The fixed point µ.
    Always,
    /// The approximant µⁿ, which calls µⁿ⁻¹, and has no value for n = 0.
    Times(u64),
}

impl<U: Universe> Clone for Closure<U> {
    fn clone(&self) -> Self {
        let Self { universe, environment, body, unfolds, site } = self;
        let (universe, environment) = (universe.clone(), environment.clone());
        Self { universe, environment, body: body.clone(), unfolds: *unfolds, site: *site }
    }
}

impl<U: Universe> Rule<U::Real> for Closure<U> {
    fn apply(&self, argument: &Values<U>) -> Ran<U> {
        self.universe.enter(self.levels())?;
        match self.next(argument) {
            Ok(next) => next.run(&self.universe, self.levels()),
            Err(error) => {
                // `next` failed before the tail call took over the levels
                self.universe.leave(self.levels());
                Err(error)
            }
        }
    }
}

impl<U: Universe> Closure<U> {
    /// Returns `true` if the function is recursive.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        self.unfolds != Unfolds::Never
    }

    /// Returns the levels of an application: the height of the code, and two for the calls around it.
    pub(super) fn levels(&self) -> u64 {
        u64::from(self.body.0.depth) + 2
    }

    /// Begins the function at an argument: evaluates up to its last application.
    pub(super) fn next(&self, argument: &Values<U>) -> Result<Next<'static, U>, ValueError> {
        let unfolds = match self.unfolds {
            Unfolds::Never => return self.body.next(&self.universe, &self.environment.with(argument.clone())),
            Unfolds::Times(0) => return self.universe.folded().map(Next::Value).map_err(|error| error.at(self.site)),
            Unfolds::Times(n) => Unfolds::Times(n - 1),
            Unfolds::Always => Unfolds::Always,
        };
        // the recursion binds a function: run its value with the function itself in scope, then apply what it gives
        let itself = self.universe.function(Self { unfolds, ..self.clone() });
        let unrolled = self.body.run(&self.universe, &self.environment.with(itself))?;
        Ok(Next::Apply(unrolled.as_function()?.clone(), argument.clone()))
    }
}
