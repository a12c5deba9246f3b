//! The question `Evaluate`: the value of a program in one semantics.

use super::{Question, QuestionContext};
use crate::meaning;
use crate::model::answer::{AnswerNumber, Semantics};
use crate::session::answer::Diagnostic;
use crate::session::question::QUESTION_NAME;
use crate::session::tolerance::{AccuracyGoal, DEFAULT_WIDTH_EXPONENT, Digits, IntoTolerance, ToleranceError};
use crate::session::{Session, foreign, remedy};
use crate::syntax::library::TRACE;
use crate::syntax::source::SourceText;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Value;
use std::sync::Arc;

/// Advice for an equation of real numbers, which no finite precision decides.
pub(crate) const EQUALITY_HINT: &str = "real numbers are compared by x < y, and near if abs (x - y) < 1e-9; in a theory, `x ~ y` and `x within 1e-9 of 1.5`";

/// Advice for a recursion decided by a number that may be real.
pub(crate) const COUNTING_HINT: &str = "annotate a parameter that counts, (n : Nat); otherwise ";

/// A question for the value of a program.
///
/// | requested | by | default |
/// |---|---|---|
/// | the accuracy | [`within`](Self::with_width), [`relative`](Self::with_relative_width), [`digits`](Self::with_digits) | 10⁻⁶, or 16 digits |
/// | the semantics | [`model`](Self::with_model) | presheaves |
///
/// # Examples
/// ```
/// use smoothish::session::{Evaluate, Limits, Session};
/// let session = Session::new();
/// let slope = Evaluate::new(r"deriv (\x => max 0 x) 0").with_width(1e-9);
/// let answer = session.ask(&slope, &Limits::seconds(60))?;
/// assert_eq!(answer.ty().map(ToString::to_string).as_deref(), Some("Real"));
/// // a set, which no width makes a number
/// assert!(!answer.is_reached() && answer.notes()[0].text.contains("this is a set"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluate {
    source: Arc<SourceText>,
    typed_program: Option<(Term, Ty)>,
    with_model: String,
    with_goal: Result<AccuracyGoal, ToleranceError>,
    /// The accuracy of the computation, if it is finer than that of the answer.
    finer: Option<AccuracyGoal>,
}

impl Evaluate {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::from_source(Arc::new(SourceText::new(QUESTION_NAME, text)))
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn from_source(source: Arc<SourceText>) -> Self {
        Self {
            source,
            typed_program: None,
            with_model: meaning::DEFAULT_SEMANTICS.to_owned(),
            with_goal: Ok(AccuracyGoal::default()),
            finer: None,
        }
    }

    /// Creates the question for a program whose type is known. Messages quote parts of `source`.
    #[must_use]
    pub fn from_term(source: Arc<SourceText>, term: Term, ty: Ty) -> Self {
        Self { typed_program: Some((term, ty)), ..Self::from_source(source) }
    }

    /// Selects the semantics by its name.
    #[must_use]
    pub fn with_model(self, name: &str) -> Self {
        Self { with_model: name.to_owned(), ..self }
    }

    /// Sets the requested accuracy.
    #[must_use]
    pub fn with_goal(self, goal: AccuracyGoal) -> Self {
        Self { with_goal: Ok(goal), ..self }
    }

    /// Computes more accurately than the goal, so that an exact value is recognised. The answer is judged by the goal.
    #[must_use]
    pub fn with_finer_goal(self, finer: AccuracyGoal) -> Self {
        Self { finer: Some(finer), ..self }
    }

    /// Requests intervals of at most this width.
    #[must_use]
    pub fn with_width(self, eps: impl IntoTolerance) -> Self {
        let goal = self.with_goal.and_then(|goal| Ok(AccuracyGoal { eps: Some(eps.into_tolerance()?), ..goal }));
        Self { with_goal: goal, ..self }
    }

    /// Requests intervals of at most this width relative to the number. With [`within`](Self::with_width), one of both is
    /// enough.
    #[must_use]
    pub fn with_relative_width(self, rel: impl IntoTolerance) -> Self {
        let goal = self.with_goal.and_then(|goal| Ok(AccuracyGoal { rel: Some(rel.into_tolerance()?), ..goal }));
        Self { with_goal: goal, ..self }
    }

    /// Requests a number of significant digits.
    #[must_use]
    pub fn with_digits(self, count: u32) -> Self {
        let goal = self.with_goal.and_then(|goal| Ok(AccuracyGoal { of_digits: Some(Digits::new(count)?), ..goal }));
        Self { with_goal: goal, ..self }
    }
}

impl Question for Evaluate {
    type Output = Value<AnswerNumber>;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<Value<AnswerNumber>, Diagnostic> {
        let goal = session.resolve_goal(&self.with_goal, DEFAULT_WIDTH_EXPONENT)?;
        let (term, ty) = match &self.typed_program {
            Some(known) => {
                foreign::record_uses(session, &known.0);
                known.clone()
            }
            None => session.infer(&self.source.text).map_err(|e| session.diagnose(&self.source, &e.into()))?,
        };
        on.record_type(ty.clone());
        let meaning = session.find_semantics(&self.with_model)?;
        match on.limits().unfoldings {
            None => self.evaluate_program(session, meaning, &term, &ty, &goal, on),
            Some(count) => {
                let limited = meaning
                    .with_unfolding_limit(count)
                    .ok_or_else(|| session.without_approximants(&self.with_model, count))?;
                self.evaluate_program(session, &*limited, &term, &ty, &goal, on)
            }
        }
    }
}

impl Evaluate {
    fn evaluate_program(
        &self,
        session: &Session,
        meaning: &dyn Semantics,
        term: &Term,
        ty: &Ty,
        goal: &AccuracyGoal,
        on: &mut QuestionContext<'_>,
    ) -> Result<Value<AnswerNumber>, Diagnostic> {
        let source = &self.source;
        let asked = self.finer.as_ref().unwrap_or(goal).accuracy();
        let found = meaning.evaluate_to(term, ty, &asked, on.budget());
        let found = found.map_err(|error| session.semantics_diagnostic(source, meaning.name(), term, ty, error, on))?;
        // Refused only after evaluation, so that an error of the semantics itself comes first.
        if sampled_type(ty).is_some() {
            return Err(Diagnostic::invalid_input(format!(
                "error: a program that samples, of type {ty}, has no single value\n  = help: use `smoothish evidence`, `expect` or `infer` for its normalising constant and means, `plot --density` for its density"
            )));
        }
        if let Err(what) = shows_numbers(&found.value, ty) {
            let cure = remedy::hint_for_type(ty, term, &source.text);
            let text = format!("error: the value is {what}, of type {ty}: {cure}");
            return Err(Diagnostic::invalid_input(text).with_id("no-number"));
        }
        session.record_value_notes(source, term, ty, goal, &found, on);
        Ok(found.value)
    }
}

/// Returns `A` for the type `P A` of probabilistic programs. `None` for other types.
#[must_use]
pub fn sampled_type(ty: &Ty) -> Option<Ty> {
    match ty.kind() {
        TyKind::Data(data, arguments) if &**data.module() == TRACE && &**data.name() == "P" => {
            arguments.first().cloned()
        }
        _ => None,
    }
}

/// Checks that all parts of a value are printed as numbers and words.
///
/// # Errors
/// The kind of the part that is not: a function, a tangent, a value of an unknown type.
fn shows_numbers(value: &Value<AnswerNumber>, ty: &Ty) -> Result<(), &'static str> {
    match (value, ty.kind()) {
        (Value::Real(_) | Value::Natural(_) | Value::Boolean(_) | Value::Unit, _) => Ok(()),
        (Value::Tuple(parts), TyKind::Tuple(types)) => {
            parts.iter().zip(types).try_for_each(|(part, ty)| shows_numbers(part, ty))
        }
        (Value::List(parts), TyKind::Data(_, of)) => {
            let of = of.first().ok_or("a list of an unknown type")?;
            parts.iter().try_for_each(|part| shows_numbers(part, of))
        }
        (Value::Variant(index, argument), TyKind::Data(data, arguments)) => {
            let constructor = data.constructors().nth(*index).ok_or("a variant of an unknown type")?;
            match constructor.argument() {
                // A value of a recursive type may be deeper than the stack.
                Some(ty) => crate::stack::with_stack(|| shows_numbers(argument, &ty.with_arguments(arguments))),
                None => Ok(()),
            }
        }
        (Value::Function(_) | Value::Tangent(_) | Value::Isomorphism(..), _) => Err(value.kind().noun_phrase()),
        (Value::Tuple(_) | Value::List(_) | Value::Variant(..), _) => Err("a value of an unknown type"),
    }
}
