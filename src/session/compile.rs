//! Programs as maps and as computable reals: read once as a text, evaluated many times.

use super::{DEFAULT_TIME, Session, SessionError};
use crate::meaning::presheaf::PresheafInterpreter;
use crate::meaning::presheaf::map::map_of_program;
use crate::model::answer::SemanticsError;
use crate::number::budget::Budget;
use crate::number::real::RefinableReal;
use crate::presheaf::dynamic::Element;
use crate::smooth::dimension::Dyn;
use crate::smooth::map::Map;
use crate::smooth::question::GraphEvaluation;
use crate::trace::compiled::CompiledProgram;
use crate::trace::embed::embed_program;
use std::sync::Arc;

impl Session {
    /// Compiles a program to the map ℝⁿ ⇝ ℝᵐ that it denotes; the dimensions are found at run time. The type of the
    /// program is `A -> B`, or `A -> B -> C` and so on, where all of these are vectors: real numbers, tuples of
    /// vectors, unit. The coordinates are those of the arguments from left to right, and of the value.
    ///
    /// # Errors
    /// Those of [`Session::ask`]; [`SessionError::NotMap`] for a program of another type.
    ///
    /// # Examples
    /// ```
    /// use smoothish::prelude::*;
    /// let f = Session::new().compile("\\(x, y) => x * integral01 (\\t => max t y)")?;
    /// // 2 · (1 + y²)/2 at y = ½, enclosed
    /// let value = &f.doubles_slice(&[2.0, 0.5])?[0];
    /// assert!(*value.lo() <= 1.25 && 1.25 <= *value.hi());
    /// // in one sweep: (1 + y²)/2 and x·y
    /// for (slope, true_value) in f.vjp_doubles_slice(&[2.0, 0.5], &[1.0])?.iter().zip([0.625, 1.0]) {
    ///     assert!(*slope.lo() <= true_value && true_value <= *slope.hi());
    /// }
    /// // without a solver it runs on plain doubles too
    /// let mut valley = Session::new().compile("\\x y => (1 - x)^2 + 100 * (y - x^2)^2")?.tape()?;
    /// let mut gradient = [0.0; 2];
    /// assert_eq!(valley.gradient(&[1.0, 2.0], &mut gradient), 100.0);
    /// assert_eq!(gradient, [-400.0, 200.0]);
    /// assert!(Session::new().compile("sqrt 2").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(&self, program: &str) -> Result<Map<Dyn, Dyn>, SessionError> {
        self.compile_within(program, &Arc::new(Budget::with_time_limit(DEFAULT_TIME)))
    }

    /// Compiles a program like [`Session::compile`], within `budget` instead of a minute.
    ///
    /// # Errors
    /// As for [`Session::compile`].
    pub fn compile_within(&self, program: &str, budget: &Arc<Budget>) -> Result<Map<Dyn, Dyn>, SessionError> {
        let (term, ty) = self.infer(program)?;
        map_of_program(&term, &ty, budget)?.ok_or(SessionError::NotMap { ty })
    }
}

impl Session {
    /// Returns the real number that a program of type `RefinableReal` denotes. It can be enclosed repeatedly, and keeps its best
    /// enclosure.
    ///
    /// # Errors
    /// Those of [`Session::ask`]; [`SessionError::NotReal`].
    ///
    /// # Examples
    /// ```
    /// use smoothish::prelude::*;
    /// let budget = std::sync::Arc::new(Budget::unlimited());
    /// let root = Session::new().compile_real("sqrt 2", &budget)?;
    /// let coarse = root.enclose(&Rational::from((1, 10)), &budget)?.enclosure;
    /// let fine = root.enclose(&Rational::from((1, 1_000_000)), &budget)?.enclosure;
    /// assert!(coarse.specializes(&fine) && root.best_enclosure() == fine);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile_real(
        &self,
        program: &str,
        budget: &Arc<Budget>,
    ) -> Result<RefinableReal<GraphEvaluation>, SessionError> {
        let (term, ty) = self.infer(program)?;
        match PresheafInterpreter::new(budget.clone()).interpret_program(&term)? {
            Element::Real(graph) => {
                Ok(graph.to_real().map_err(|error| SessionError::Evaluation { error, place: None })?)
            }
            _ => Err(SessionError::NotReal { ty }),
        }
    }
}

impl Session {
    /// Compiles a program with recursions and conditionals to a partial map ℝⁿ ⇀ ℝᵐ (A §2). Evaluation is by value, and
    /// undefined on the border of a condition. The map runs on numbers of any [kind](crate::trace::number), forwards
    /// and in reverse. Its coordinates are those of [`Session::compile`]; a program without parameters is a map from
    /// ℝ⁰.
    ///
    /// # Errors
    /// Those of [`Session::ask`]; [`SessionError::Semantics`] for a program with other constructs.
    ///
    /// # Examples
    /// ```
    /// use smoothish::prelude::*;
    /// use smoothish::trace::number::Doubles;
    /// // a thousand steps of Newton's method, counted
    /// let root = Session::new().compile_partial(
    ///     "let rec newton (n : Real) (x : Real) (a : Real) : Real = \
    ///        if n < 1/2 then x else newton (n - 1) ((x + a / x) / 2) a in \
    ///      newton 1000 1",
    /// )?;
    /// let [value, slope] = root.pull_back_at(&Doubles, &Budget::unlimited(), &[2.0], &[1.0])?;
    /// assert!((value[0] - 2f64.sqrt()).abs() < 1e-15 && (slope[0] - 0.5 / 2f64.sqrt()).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile_partial(&self, program: &str) -> Result<CompiledProgram, SessionError> {
        let (term, _) = self.infer(program)?;
        let program =
            embed_program(&term).map_err(|error| SessionError::Semantics(SemanticsError::from_failure(error)))?;
        CompiledProgram::from_program(&program)
            .map_err(|error| SessionError::Semantics(SemanticsError::from_failure(error)))
    }
}
