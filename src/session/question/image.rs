//! Questions about functions of the values of a probabilistic program: densities of pushforwards, gradient estimators.

use super::sampled::{FUNCTION, MODEL, Read, read};
use super::{Question, Scope};
use crate::measure::change::{ChangeFault, Changed, change};
use crate::measure::estimator::{Comparison, estimators};
use crate::number::Rational;
use crate::session::Session;
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::reach::Reach;
use crate::session::tolerance::{IntoTolerance, Tolerance, ToleranceError, place};
use crate::syntax::source::Source;
use crate::syntax::ty::{Ty, TyKind};
use std::sync::Arc;

/// A question for the density of a pushforward at a point: a change of variables.
#[derive(Clone, Debug)]
pub struct Pushforward {
    map: Arc<Source>,
    model: Arc<Source>,
    point: Arc<Source>,
    eps: Result<Option<Tolerance>, ToleranceError>,
    assumes_injective: bool,
}

impl Pushforward {
    /// Creates the question for a function `A -> B` of the values of a program of type `P A`, at a point of type `B`.
    /// `A` and `B` are `Real` or tuples of these.
    #[must_use]
    pub fn new(map: &str, model: &str, point: &str) -> Self {
        let source = |name: &str, text: &str| Arc::new(Source::new(name, text));
        Self {
            map: source(FUNCTION, map),
            model: source(MODEL, model),
            point: source("point", point),
            eps: Ok(None),
            assumes_injective: false,
        }
    }

    /// Requests intervals of at most this width.
    #[must_use]
    pub fn within(self, eps: impl IntoTolerance) -> Self {
        Self { eps: eps.into_tolerance().map(Some), ..self }
    }

    /// Assumes that the map is injective on the support, if that is not proved.
    #[must_use]
    pub fn assuming_injective(self, assumes: bool) -> Self {
        Self { assumes_injective: assumes, ..self }
    }
}

impl Question for Pushforward {
    type Output = Changed;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Changed, Diagnostic> {
        let goal = session.width(&self.eps)?;
        let Read { term, gives, .. } = read(session, false, &self.model)?;
        let (_, ty) = session.inferred(&self.point)?;
        // A literal such as `2` may be of any type of numbers; a point of ℝⁿ is real.
        let ty = ty.with_real();
        for (what, ty) in [("the program gives", &gives), ("the point is", &ty)] {
            if !is_vector(ty) {
                return Err(Diagnostic::wrong(format!(
                    "error: {what} of type {ty}, and a change of variables is for Real and for tuples of these"
                )));
            }
        }
        let map = session.typed(&self.map, &Ty::function(gives, ty.clone()))?;
        let point = session.typed(&self.point, &ty)?;
        let eps = goal.accuracy().eps().cloned().unwrap_or_default();
        let found = change(&term, &map, &point, &eps, on.budget()).map_err(|fault| match fault {
            ChangeFault::Measure(fault) => session.without_measure(&self.model, fault),
            fault if fault.has_no_answer() => Diagnostic::nothing(format!("error: {fault}")),
            fault => Diagnostic::wrong(format!("error: {fault}")),
        })?;
        for text in &found.assumed {
            on.note(Note::new("assumed", NoteKind::Assumption, format!("assumed: {text}")));
        }
        let accuracy = goal.accuracy();
        let mut is_wide = found.densities.iter().any(|(_, density)| Reach::of(density, &accuracy) != Reach::Reached);
        is_wide |= found.densities.is_empty() && found.why.is_some();
        // An answer that relies on an assumption, neither proved nor requested, does not reach the goal.
        is_wide |= found.assumed.len() > usize::from(found.proved.is_none() && self.assumes_injective);
        if is_wide {
            on.is_wide();
            if let Some(why) = found.why {
                on.note(Note::new("why", NoteKind::Outcome, why));
            }
        }
        Ok(found)
    }
}

/// A question for the gradient of an expectation in the parameter of a program, and for the expectations and variances
/// of its estimators.
#[derive(Clone, Debug)]
pub struct Estimators {
    model: Arc<Source>,
    of: Arc<Source>,
    at: Result<Rational, String>,
    eps: Result<Option<Tolerance>, ToleranceError>,
}

impl Estimators {
    /// Creates the question for a program of type `Real -> P A` without scores, and a function `A -> Real` of its
    /// values. `at` is the value of the parameter, a decimal or a fraction, parsed exactly.
    #[must_use]
    pub fn new(model: &str, of: &str, at: &str) -> Self {
        let source = |name: &str, text: &str| Arc::new(Source::new(name, text));
        Self { model: source(MODEL, model), of: source(FUNCTION, of), at: place(at), eps: Ok(None) }
    }

    /// Sets the exact value of the parameter.
    #[must_use]
    pub fn at_exactly(self, place: Rational) -> Self {
        Self { at: Ok(place), ..self }
    }

    /// Requests intervals of at most this width.
    #[must_use]
    pub fn within(self, eps: impl IntoTolerance) -> Self {
        Self { eps: eps.into_tolerance().map(Some), ..self }
    }
}

impl Question for Estimators {
    type Output = Comparison;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Comparison, Diagnostic> {
        let accuracy = session.width(&self.eps)?.accuracy();
        let at = self.at.clone().map_err(|error| Diagnostic::wrong(format!("error: {error}")).named("parameter"))?;
        let Read { term, gives, .. } = read(session, true, &self.model)?;
        let of = session.typed(&self.of, &Ty::function(gives, Ty::real()))?;
        let eps = accuracy.eps().cloned().unwrap_or_default();
        let found = estimators(&term, &of, &at, &eps, on.budget());
        let found = found.map_err(|fault| session.without_measure(&self.model, fault))?;
        let estimates = found.estimates.iter().filter_map(|(_, estimate)| estimate.as_ref().ok());
        let numbers = estimates.flat_map(|estimate| [Some(&estimate.mean), estimate.variance.as_ref()]).flatten();
        if numbers.chain([&found.gradient]).any(|number| Reach::of(number, &accuracy) != Reach::Reached) {
            on.is_wide();
            if let Some(why) = &found.why {
                on.note(Note::new("why", NoteKind::Outcome, why.to_string()));
            }
        }
        Ok(found)
    }
}

/// Returns `true` for the types of numbers and of tuples of numbers.
fn is_vector(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Tuple(parts) => parts.iter().all(is_vector),
        _ => *ty == Ty::real(),
    }
}
