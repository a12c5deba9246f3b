//! Evaluation of programs: an enclosure, or the value in any model.

use super::close::to_closed_term;
use super::error::EdslError;
use super::expr::Expr;
use super::types::{Real, Type};
use crate::meaning;
use crate::model::answer::{AnswerNumber, ProgramAnswer, Semantics};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, real};
use crate::syntax::term::Term;
use crate::syntax::ty::Scheme;
use crate::syntax::typing::check_term;
use crate::value::Value;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The time limit of [`Expr::enclose`]. A choice: an interactive user waits no longer.
const ENCLOSE_TIME_LIMIT: Duration = Duration::from_secs(60);

/// Converts a width to a rational number. It must be positive and finite.
fn parse_width(eps: f64) -> Result<Rational, EdslError> {
    Rational::from_f64(eps).filter(|eps| *eps > 0).ok_or(EdslError::Width { eps })
}

impl<A: Type> Expr<A> {
    /// Returns the closed term of the program, annotated with types. If type inference fails, for example on a term
    /// that is too large, the term is returned without annotations.
    ///
    /// # Errors
    /// [`EdslError::EscapedVariable`] if the program mentions a variable outside of its function. [`EdslError::NotFinite`] if
    /// it contains an infinite literal.
    pub fn to_term(&self) -> Result<Term, EdslError> {
        let term = to_closed_term(&self.node)?;
        Ok(check_term(&term, &Scheme { parameters: Vec::new(), ty: A::language_type() }).unwrap_or(term))
    }

    /// Evaluates the program in a model. Each real number is enclosed to the width `eps`, or as narrowly as the model
    /// and the budget allow.
    ///
    /// # Errors
    /// - The errors of [`Expr::to_term`].
    /// - [`EdslError::Width`] unless 0 < eps < ∞.
    /// - [`EdslError::Evaluation`] if the model lacks a construct, a recursion does not end, or a promise is broken.
    ///
    /// # Examples
    /// ```
    /// use smoothish_edsl::host::prelude::*;
    /// use smoothish_edsl::{meaning, number::budget::Budget};
    /// let slope = deriv(lam(sin)).apply(1);
    /// for model in meaning::all_semantics() {
    ///     let answer = slope.value_in(*model, 1e-9, &Budget::unlimited().into())?;
    ///     println!("{}: {:?}", model.name(), answer.value);
    /// }
    /// # Ok::<(), EdslError>(())
    /// ```
    pub fn value_in(&self, model: &dyn Semantics, eps: f64, budget: &Arc<Budget>) -> Result<ProgramAnswer, EdslError> {
        Ok(model.evaluate(&self.to_term()?, &A::language_type(), &parse_width(eps)?, budget)?)
    }
}

impl Expr<Real> {
    /// Encloses the value of the program within a minute. The width is at most `eps` if the result is
    /// [reached](real::RefinedEnclosure::reached).
    ///
    /// # Errors
    /// The errors of [`Expr::value_in`].
    pub fn enclose(&self, eps: f64) -> Result<real::RefinedEnclosure, EdslError> {
        self.enclose_within(eps, &Arc::new(Budget::with_time_limit(ENCLOSE_TIME_LIMIT)))
    }

    /// Encloses the value of the program like [`Expr::enclose`], within the given budget.
    ///
    /// # Errors
    /// The errors of [`Expr::value_in`].
    pub fn enclose_within(&self, eps: f64, budget: &Arc<Budget>) -> Result<real::RefinedEnclosure, EdslError> {
        self.enclose_to(parse_width(eps)?, budget)
    }

    /// Encloses the value of the program within a budget. The enclosure has the requested accuracy if the result is
    /// [reached](real::RefinedEnclosure::reached).
    ///
    /// # Errors
    /// The errors of [`Expr::value_in`]. [`EdslError::Accuracy`] if a tolerance is not positive.
    ///
    /// # Examples
    /// ```
    /// use smoothish_edsl::host::prelude::*;
    /// use smoothish_edsl::number::{Accuracy, budget::Budget};
    /// let tiny = exp(-700);
    /// assert!(tiny.enclose_to(Accuracy::significant_digits(20), &Budget::unlimited().into())?.reached);
    /// # Ok::<(), EdslError>(())
    /// ```
    pub fn enclose_to(
        &self,
        accuracy: impl Into<Accuracy>,
        budget: &Arc<Budget>,
    ) -> Result<real::RefinedEnclosure, EdslError> {
        let (model, accuracy) = (&meaning::presheaf::PresheafSemantics, accuracy.into());
        if !accuracy.is_positive() {
            return Err(EdslError::Accuracy);
        }
        // This model ignores the types of a term, so they are not inferred.
        match model.evaluate_to(&to_closed_term(&self.node)?, &Real::language_type(), &accuracy, budget)?.value {
            Value::Real(AnswerNumber::Enclosure(answer)) => Ok(*answer),
            _ => Err(EdslError::NoEnclosure { model: model.name() }),
        }
    }
}

impl<A: Type> fmt::Display for Expr<A> {
    /// Formats the program in the language. An error is formatted in its place, in angle brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match to_closed_term(&self.node) {
            Ok(term) => term.fmt(f),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

impl<A: Type> fmt::Debug for Expr<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
