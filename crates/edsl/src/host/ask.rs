//! Evaluation of programs: an enclosure, or the value in any model.

use super::close::close;
use super::error::HostError;
use super::expr::Expr;
use super::types::{Real, Type};
use crate::meaning;
use crate::model::answer::{Answer, Meaning, Number};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, real};
use crate::syntax::term::Term;
use crate::syntax::ty::Scheme;
use crate::syntax::typing::typed;
use crate::value::Value;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The time limit of [`Expr::enclose`]. A choice: an interactive user waits no longer.
const TIME: Duration = Duration::from_secs(60);

/// Converts a width to a rational number. It must be positive and finite.
fn width(eps: f64) -> Result<Rational, HostError> {
    Rational::from_f64(eps).filter(|eps| *eps > 0).ok_or(HostError::Width { eps })
}

impl<A: Type> Expr<A> {
    /// Returns the closed term of the program, annotated with types. If type inference fails, for example on a term
    /// that is too large, the term is returned without annotations.
    ///
    /// # Errors
    /// [`HostError::Escaped`] if the program mentions a variable outside of its function. [`HostError::NotFinite`] if
    /// it contains an infinite literal.
    pub fn term(&self) -> Result<Term, HostError> {
        let term = close(&self.node)?;
        Ok(typed(&term, &Scheme { parameters: Vec::new(), ty: A::ty() }).unwrap_or(term))
    }

    /// Evaluates the program in a model. Each real number is enclosed to the width `eps`, or as narrowly as the model
    /// and the budget allow.
    ///
    /// # Errors
    /// - The errors of [`Expr::term`].
    /// - [`HostError::Width`] unless 0 < eps < ∞.
    /// - [`HostError::Meaning`] if the model lacks a construct, a recursion does not end, or a promise is broken.
    ///
    /// # Examples
    /// ```
    /// use smoothish_edsl::host::prelude::*;
    /// use smoothish_edsl::{meaning, number::budget::Budget};
    /// let slope = deriv(lam(sin)).apply(1);
    /// for model in meaning::all() {
    ///     let answer = slope.value_in(*model, 1e-9, &Budget::unlimited().into())?;
    ///     println!("{}: {:?}", model.name(), answer.value);
    /// }
    /// # Ok::<(), HostError>(())
    /// ```
    pub fn value_in(&self, model: &dyn Meaning, eps: f64, budget: &Arc<Budget>) -> Result<Answer, HostError> {
        Ok(model.answer(&self.term()?, &A::ty(), &width(eps)?, budget)?)
    }
}

impl Expr<Real> {
    /// Encloses the value of the program within a minute. The width is at most `eps` if the result is
    /// [reached](real::Refined::reached).
    ///
    /// # Errors
    /// The errors of [`Expr::value_in`].
    pub fn enclose(&self, eps: f64) -> Result<real::Refined, HostError> {
        self.enclose_within(eps, &Arc::new(Budget::within(TIME)))
    }

    /// Encloses the value of the program like [`Expr::enclose`], within the given budget.
    ///
    /// # Errors
    /// The errors of [`Expr::value_in`].
    pub fn enclose_within(&self, eps: f64, budget: &Arc<Budget>) -> Result<real::Refined, HostError> {
        self.enclose_to(width(eps)?, budget)
    }

    /// Encloses the value of the program within a budget. The enclosure has the requested accuracy if the result is
    /// [reached](real::Refined::reached).
    ///
    /// # Errors
    /// The errors of [`Expr::value_in`]. [`HostError::Accuracy`] if a tolerance is not positive.
    ///
    /// # Examples
    /// ```
    /// use smoothish_edsl::host::prelude::*;
    /// use smoothish_edsl::number::{Accuracy, budget::Budget};
    /// let tiny = exp(-700);
    /// assert!(tiny.enclose_to(Accuracy::digits(20), &Budget::unlimited().into())?.reached);
    /// # Ok::<(), HostError>(())
    /// ```
    pub fn enclose_to(&self, accuracy: impl Into<Accuracy>, budget: &Arc<Budget>) -> Result<real::Refined, HostError> {
        let (model, accuracy) = (&meaning::presheaf::Presheaf, accuracy.into());
        if !accuracy.is_positive() {
            return Err(HostError::Accuracy);
        }
        // This model ignores the types of a term, so they are not inferred.
        match model.answer_to(&close(&self.node)?, &Real::ty(), &accuracy, budget)?.value {
            Value::Real(Number::Enclosure(answer)) => Ok(*answer),
            _ => Err(HostError::NoEnclosure { model: model.name() }),
        }
    }
}

impl<A: Type> fmt::Display for Expr<A> {
    /// Formats the program in the language. An error is formatted in its place, in angle brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match close(&self.node) {
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
