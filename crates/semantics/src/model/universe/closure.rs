//! Functions of a universe: their code, and the values of what it mentions.

use super::{Code, Next, Ran, Universe, Values};
use crate::model::environment::Environment;
use crate::value::{Rule, Site, ValueError};
use std::sync::Arc;

/// `\x => body` in an environment, or a recursive function that finds itself there.
pub struct Closure<U: Universe> {
    pub(super) universe: Arc<U>,
    pub(super) environment: Environment<Values<U>>,
    pub(super) body: Code<U>,
    pub(super) unfolds: Unfolds,
    /// Where a recursive function stands.
    pub(super) site: Site,
}

/// Whether a function finds itself in its environment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfolds {
    /// It is none that is recursive.
    Never,
    /// µ
    Always,
    /// µⁿ, which finds µⁿ⁻¹, and has no value for n = 0.
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
                self.universe.leave(self.levels());
                Err(error)
            }
        }
    }
}

impl<U: Universe> Closure<U> {
    /// Whether the function finds itself in its environment.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        self.unfolds != Unfolds::Never
    }

    /// The levels that its value takes: those of its code, and what goes around it.
    pub(super) fn levels(&self) -> u64 {
        u64::from(self.body.0.depth) + 2
    }

    pub(super) fn next(&self, argument: &Values<U>) -> Result<Next<'static, U>, ValueError> {
        let unfolds = match self.unfolds {
            Unfolds::Never => return self.body.next(&self.universe, &self.environment.with(argument.clone())),
            Unfolds::Times(0) => return self.universe.folded().map(Next::Value).map_err(|error| error.at(self.site)),
            Unfolds::Times(n) => Unfolds::Times(n - 1),
            Unfolds::Always => Unfolds::Always,
        };
        let itself = self.universe.function(Self { unfolds, ..self.clone() });
        let unrolled = self.body.run(&self.universe, &self.environment.with(itself))?;
        Ok(Next::Apply(unrolled.as_function()?.clone(), argument.clone()))
    }
}
