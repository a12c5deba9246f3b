//! Questions about functions of the values of a probabilistic program: densities of pushforwards, gradient estimators.

use super::sampled::{FUNCTION, MODEL, ProbabilisticProgram, read_probabilistic_program};
use super::{Question, QuestionContext};
use crate::measure::change::{ChangeOfVariablesError, PushforwardDensity, pushforward_density};
use crate::measure::estimator::{EstimatorComparison, compare_estimators};
use crate::number::Rational;
use crate::session::Session;
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::reach::AccuracyClass;
use crate::session::tolerance::{IntoTolerance, Tolerance, ToleranceError, parse_exact};
use crate::syntax::source::SourceText;
use crate::syntax::ty::{Ty, TyKind};
use std::sync::Arc;

/// A question for the density of a pushforward at a point: a change of variables.
#[derive(Clone, Debug)]
pub struct Pushforward {
    map: Arc<SourceText>,
    model: Arc<SourceText>,
    point: Arc<SourceText>,
    eps: Result<Option<Tolerance>, ToleranceError>,
    assumes_injective: bool,
}

impl Pushforward {
    /// Creates the question for a function `A -> B` of the values of a program of type `P A`, at a point of type `B`.
    /// `A` and `B` are `Real` or tuples of these.
    #[must_use]
    pub fn new(map: &str, model: &str, point: &str) -> Self {
        let source = |name: &str, text: &str| Arc::new(SourceText::new(name, text));
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
    pub fn with_width(self, eps: impl IntoTolerance) -> Self {
        Self { eps: eps.into_tolerance().map(Some), ..self }
    }

    /// Assumes that the map is injective on the support, if that is not proved.
    #[must_use]
    pub fn assuming_injective(self, assumes: bool) -> Self {
        Self { assumes_injective: assumes, ..self }
    }
}

impl Question for Pushforward {
    type Output = PushforwardDensity;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<PushforwardDensity, Diagnostic> {
        let goal = session.resolve_width(&self.eps)?;
        let ProbabilisticProgram { term, result_type: gives, .. } =
            read_probabilistic_program(session, false, &self.model)?;
        let (_, ty) = session.infer_source(&self.point)?;
        // A literal such as `2` may be of any type of numbers; a point of ℝⁿ is real.
        let ty = ty.with_reals();
        for (what, ty) in [("the program gives", &gives), ("the point is", &ty)] {
            if !is_vector(ty) {
                return Err(Diagnostic::invalid_input(format!(
                    "error: {what} of type {ty}, and a change of variables is for Real and for tuples of these"
                )));
            }
        }
        let map = session.check_source(&self.map, &Ty::function(gives, ty.clone()))?;
        let point = session.check_source(&self.point, &ty)?;
        let eps = goal.accuracy().eps().cloned().unwrap_or_default();
        let found = pushforward_density(&term, &map, &point, &eps, on.budget()).map_err(|fault| match fault {
            ChangeOfVariablesError::Measure(fault) => session.measure_diagnostic(&self.model, fault),
            fault if fault.has_no_answer() => Diagnostic::without_answer(format!("error: {fault}")),
            fault => Diagnostic::invalid_input(format!("error: {fault}")),
        })?;
        for text in &found.assumptions {
            on.record_note(Note::new("assumed", NoteKind::Assumption, format!("assumed: {text}")));
        }
        let accuracy = goal.accuracy();
        let mut is_wide = found
            .densities
            .iter()
            .any(|(_, density)| AccuracyClass::of_number(density, &accuracy) != AccuracyClass::Reached);
        is_wide |= found.densities.is_empty() && found.width_reason.is_some();
        // An answer that relies on an assumption, neither proved nor requested, does not reach the goal.
        is_wide |= found.assumptions.len() > usize::from(found.injectivity_proof.is_none() && self.assumes_injective);
        if is_wide {
            on.record_wide();
            if let Some(why) = found.width_reason {
                on.record_note(Note::new("why", NoteKind::Outcome, why));
            }
        }
        Ok(found)
    }
}

/// A question for the gradient of an expectation in the parameter of a program, and for the expectations and variances
/// of its estimators.
#[derive(Clone, Debug)]
pub struct Estimators {
    model: Arc<SourceText>,
    of: Arc<SourceText>,
    at: Result<Rational, String>,
    eps: Result<Option<Tolerance>, ToleranceError>,
}

impl Estimators {
    /// Creates the question for a program of type `Real -> P A` without scores, and a function `A -> Real` of its
    /// values. `at` is the value of the parameter, a decimal or a fraction, parsed exactly.
    #[must_use]
    pub fn new(model: &str, of: &str, at: &str) -> Self {
        let source = |name: &str, text: &str| Arc::new(SourceText::new(name, text));
        Self { model: source(MODEL, model), of: source(FUNCTION, of), at: parse_exact(at), eps: Ok(None) }
    }

    /// Sets the exact value of the parameter.
    #[must_use]
    pub fn at_exactly(self, place: Rational) -> Self {
        Self { at: Ok(place), ..self }
    }

    /// Requests intervals of at most this width.
    #[must_use]
    pub fn with_width(self, eps: impl IntoTolerance) -> Self {
        Self { eps: eps.into_tolerance().map(Some), ..self }
    }
}

impl Question for Estimators {
    type Output = EstimatorComparison;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<EstimatorComparison, Diagnostic> {
        let accuracy = session.resolve_width(&self.eps)?.accuracy();
        let at = self
            .at
            .clone()
            .map_err(|error| Diagnostic::invalid_input(format!("error: {error}")).with_id("parameter"))?;
        let ProbabilisticProgram { term, result_type: gives, .. } =
            read_probabilistic_program(session, true, &self.model)?;
        let of = session.check_source(&self.of, &Ty::function(gives, Ty::real()))?;
        let eps = accuracy.eps().cloned().unwrap_or_default();
        let found = compare_estimators(&term, &of, &at, &eps, on.budget());
        let found = found.map_err(|fault| session.measure_diagnostic(&self.model, fault))?;
        let estimates = found.estimates.iter().filter_map(|(_, estimate)| estimate.as_ref().ok());
        let numbers = estimates.flat_map(|estimate| [Some(&estimate.mean), estimate.variance.as_ref()]).flatten();
        if numbers
            .chain([&found.gradient])
            .any(|number| AccuracyClass::of_number(number, &accuracy) != AccuracyClass::Reached)
        {
            on.record_wide();
            if let Some(why) = &found.width_reason {
                on.record_note(Note::new("why", NoteKind::Outcome, why.to_string()));
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
