//! Functions of a universe: code together with the values of its free variables.

use super::{ArrowCode, RunResult, SemanticValue, SuspendedEvaluation, ValueSemantics};
use crate::model::environment::ValueEnvironment;
use crate::value::{Apply, SourceId, ValueError};
use std::sync::Arc;

/// A function `\x => body` in an environment, or a recursive function that is a variable of its own body.
pub struct CodeClosure<U: ValueSemantics> {
    pub(super) universe: Arc<U>,
    pub(super) environment: ValueEnvironment<SemanticValue<U>>,
    pub(super) body: ArrowCode<U>,
    pub(super) recursion: ClosureRecursion,
    /// The site of a recursive function; [`SourceId::NOWHERE`] for others.
    pub(super) site: SourceId,
}

/// The kind of a function's recursion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClosureRecursion {
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
    pub(super) fn stack_levels(&self) -> u64 {
        u64::from(self.body.0.height) + 2
    }

    /// Begins the function at an argument: evaluates up to its last application.
    pub(super) fn begin_application(
        &self,
        argument: &SemanticValue<U>,
    ) -> Result<SuspendedEvaluation<'static, U>, ValueError> {
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
