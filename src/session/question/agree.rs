//! The question `Agree`: the value of a program in every semantics side by side, and its derivatives at a point.
//!
//! Enclosures of one number must meet: if two are disjoint, one semantics is wrong. A floating-point number is compared
//! with the enclosures ([`agreement`](crate::law::agreement)).

use super::{Question, QuestionContext};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::law::agreement::derivatives::{DerivativePrograms, DerivativesError, derivative_programs};
use crate::law::agreement::{ModelAnswer, PartComparison, compare_answers, derivatives};
use crate::meaning;
use crate::meaning::taylor::derive::DeriveError;
use crate::model::answer::{AnswerNumber, Semantics, SemanticsError};
use crate::number::real::RefinedEnclosure;
use crate::number::{Accuracy, Rational};
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::limits::Limits;
use crate::session::question::QUESTION_NAME;
use crate::session::tolerance::{AccuracyClass, AccuracyGoal, DEFAULT_WIDTH_EXPONENT, IntoTolerance, ToleranceError};
use crate::session::{Session, SessionError};
use crate::syntax::source::SourceText;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The rows of the derived program: the semantics that evaluates it, and the name of the row.
const DERIVED_ROWS: [(&str, &str); 2] = [("presheaf", "taylor"), ("float", "taylor, float")];
/// The rows of compiled programs: the name of the row, and the row whose error estimate it takes.
const COMPILED_ROWS: [[&str; 2]; 2] = [["float, compiled", "float"], ["taylor, compiled", "taylor, float"]];

/// A question for the value of a program in every semantics, the added ones included. Each has the full limits.
///
/// # Examples
/// ```
/// use smoothish::session::{Agree, Limits, Session};
/// let agreement = Session::new().ask(&Agree::new("sqrt 2 * sqrt 2"), &Limits::seconds(10))?;
/// assert!(!agreement.value().is_refuted() && agreement.value().rows.len() == 6);
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Agree {
    source: Arc<SourceText>,
    with_goal: Result<AccuracyGoal, ToleranceError>,
    at_point: Option<(Vec<Rational>, usize)>,
}

/// The answers of the semantics to one question, and the comparison of each with the others.
#[derive(Debug)]
#[non_exhaustive]
pub struct Agreement {
    /// The type of the answers; with derivatives, a tuple of numbers.
    pub ty: Ty,
    /// The answers, one row for each semantics.
    pub rows: Vec<SemanticsRow>,
    /// The names of the components, if derivatives are requested.
    pub derivatives: Vec<String>,
}

/// The answer of one semantics.
#[derive(Debug)]
pub struct SemanticsRow {
    /// The name of the row.
    pub name: &'static str,
    /// The value, or the message why there is none.
    pub answer: Result<Value<AnswerNumber>, String>,
    /// The comparison with the other semantics, number by number.
    pub judgements: Vec<PartComparison>,
    /// The time that it took.
    pub elapsed: Duration,
}

impl Agreement {
    /// Returns `true` if two enclosures of one number are disjoint.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.rows.iter().any(|row| row.judgements.iter().any(|j| matches!(j, PartComparison::Disjoint(_))))
    }
}

impl Agree {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::from_source(Arc::new(SourceText::new(QUESTION_NAME, text)))
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn from_source(source: Arc<SourceText>) -> Self {
        Self { source, with_goal: Ok(AccuracyGoal::default()), at_point: None }
    }

    /// Requests the value of a function at a point, and its derivatives there up to `order`.
    #[must_use]
    pub fn at_point(self, point: impl IntoIterator<Item = Rational>, order: usize) -> Self {
        Self { at_point: Some((point.into_iter().collect(), order)), ..self }
    }

    /// Sets the requested accuracy.
    #[must_use]
    pub fn with_goal(self, goal: AccuracyGoal) -> Self {
        Self { with_goal: Ok(goal), ..self }
    }

    /// Requests intervals of at most this width.
    #[must_use]
    pub fn with_width(self, eps: impl IntoTolerance) -> Self {
        let goal = self.with_goal.and_then(|goal| Ok(AccuracyGoal { eps: Some(eps.into_tolerance()?), ..goal }));
        Self { with_goal: goal, ..self }
    }
}

impl Question for Agree {
    type Output = Agreement;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<Agreement, Diagnostic> {
        let accuracy = session.resolve_goal(&self.with_goal, DEFAULT_WIDTH_EXPONENT)?.accuracy();
        let (term, shown) = session.infer_source(&self.source)?;
        on.record_type(shown.clone());
        let meanings = SemanticsRunner { session, accuracy: &accuracy, limits: on.limits() };
        let (ty, statements, derivatives) = match &self.at_point {
            None => (shown.clone(), meanings.evaluate_all(&term, &shown), Vec::new()),
            Some((point, order)) => meanings.evaluate_derivatives(&term, &shown, point, *order)?,
        };
        let rows = comparison_rows(session, &self.source, statements)?;
        let agreement = Agreement { ty, rows, derivatives };
        // The answer of the first semantics, presheaves, decides whether the goal is reached: others may know less of a
        // number.
        let first = agreement.rows.iter().find_map(|row| row.answer.as_ref().ok());
        let reach = first.map_or(AccuracyClass::NoBound, |value| AccuracyClass::of_value(value, &accuracy));
        if reach != AccuracyClass::Reached {
            on.record_wide();
        }
        if agreement.is_refuted() {
            on.record_note(Note::new(
                "disjoint",
                NoteKind::Outcome,
                "two semantics have disjoint answers: one of them is wrong",
            ));
        }
        Ok(agreement)
    }
}

/// The semantics of a session, each evaluated within the limits.
struct SemanticsRunner<'a> {
    session: &'a Session,
    accuracy: &'a Accuracy,
    limits: &'a Limits,
}

impl SemanticsRunner<'_> {
    fn evaluate_one(&self, name: &'static str, meaning: &dyn Semantics, term: &Term, ty: &Ty) -> ModelAnswer {
        let start = Instant::now();
        let outcome = meaning.evaluate_to(term, ty, self.accuracy, &Arc::new(self.limits.start_budget()));
        ModelAnswer { name, encloses: meaning.is_certified(), outcome, elapsed: start.elapsed() }
    }

    fn evaluate_all(&self, term: &Term, ty: &Ty) -> Vec<ModelAnswer> {
        self.session.semantics_in_order().map(|meaning| self.evaluate_one(meaning.name(), meaning, term, ty)).collect()
    }

    /// Evaluates the derivatives at a point: nested in every semantics, by the derived program, and both compiled to
    /// tapes.
    fn evaluate_derivatives(
        &self,
        term: &Term,
        shown: &Ty,
        point: &[Rational],
        order: usize,
    ) -> Result<(Ty, Vec<ModelAnswer>, Vec<String>), Diagnostic> {
        let DerivativePrograms { basis, function_type: function, component_paths: places, ty, nested, derived } =
            derivative_programs(term, shown, point, order)
                .map_err(|e: DerivativesError| Diagnostic::invalid_input(format!("error: {e}")))?;
        let mut statements = self.evaluate_all(&nested, &ty);
        for (meaning, name) in DERIVED_ROWS {
            let Some(meaning) = meaning::semantics_named(meaning) else { continue };
            statements.push(match &derived {
                Ok((_, value)) => self.evaluate_one(name, meaning, value, &ty),
                Err(error) => ModelAnswer {
                    name,
                    encloses: meaning.is_certified(),
                    outcome: Err(derivation_error(error)),
                    elapsed: Duration::ZERO,
                },
            });
        }
        let budget = Arc::new(self.limits.start_budget());
        let start = Instant::now();
        let numbers = derivatives::compiled_derivatives(term, &function, point, &basis, &budget);
        statements.push(compiled_answer(&statements, COMPILED_ROWS[0], numbers, start));
        // Timed apart: the time of a row is that of its own tape.
        let start = Instant::now();
        let numbers = match &derived {
            Ok((derived, _)) => derivatives::macro_derivatives(derived, point, &basis, &budget),
            Err(error) => Err(derivation_error(error)),
        };
        statements.push(compiled_answer(&statements, COMPILED_ROWS[1], numbers, start));
        for statement in &mut statements {
            if let Ok(answer) = &mut statement.outcome {
                without_derivatives(&mut answer.value, basis.len());
            }
        }
        let names = places.iter().flat_map(|place| {
            let of: String = place.iter().map(|index| format!("[{index}]")).collect();
            let named = move |name: String| if of.is_empty() { name } else { format!("{name} of {of}") };
            basis.names().into_iter().map(named)
        });
        Ok((ty, statements, names.collect()))
    }
}

/// Compares the answers with each other, and makes a row of each.
fn comparison_rows(
    session: &Session,
    source: &Arc<SourceText>,
    statements: Vec<ModelAnswer>,
) -> Result<Vec<SemanticsRow>, Diagnostic> {
    let judged = compare_answers(&statements);
    let mut rows = Vec::with_capacity(statements.len());
    for (ModelAnswer { name, encloses, outcome, elapsed }, judgements) in statements.into_iter().zip(judged) {
        let judgements = judgements.unwrap_or_default();
        let answer = match outcome {
            Ok(answer) => Ok(answer.value),
            // A construct that a semantics lacks is no error of the question.
            Err(error) if error.unsupported_construct().is_some() => Err(error.to_string()),
            Err(error) if !encloses => Err(error.to_string()),
            // Likewise for one that ran into a limit: it says so, and the others answer.
            Err(error) if SessionError::from(error.clone()).kind() == ErrorKind::Limit => Err(without_advice(&error)),
            // Any other error of the default semantics is the error of the question.
            Err(error) if name == meaning::DEFAULT_SEMANTICS => {
                return Err(session.diagnose(source, &SessionError::from(error)));
            }
            Err(error) => Err(error.to_string()),
        };
        rows.push(SemanticsRow { name, answer, judgements, elapsed });
    }
    Ok(rows)
}

/// Returns the message without the advice after it.
fn without_advice(error: &SemanticsError) -> String {
    let message = error.to_string();
    message.split("; ").next().unwrap_or_default().to_owned()
}

/// Replaces derivatives at a point where the function has no value by unknown numbers: there are none, whatever was
/// computed. The value of each number stands before its derivatives, `length` numbers in all.
fn without_derivatives(answer: &mut Value<AnswerNumber>, length: usize) {
    let Value::Tuple(parts) = answer else { return };
    let mut numbers: Vec<_> = parts.iter().cloned().collect();
    for derivatives in numbers.chunks_mut(length.max(1)) {
        let Some((value, derivatives)) = derivatives.split_first_mut() else { continue };
        let nothing = match value {
            Value::Real(AnswerNumber::Enclosure(found)) if !found.enclosure.is_defined() => {
                AnswerNumber::Enclosure(Box::new(RefinedEnclosure::unknown()))
            }
            Value::Real(AnswerNumber::Float { value, .. }) if value.is_nan() => {
                AnswerNumber::Float { value: f64::NAN, error: f64::INFINITY }
            }
            _ => continue,
        };
        derivatives.fill(Value::Real(nothing));
    }
    *answer = Value::tuple_of(numbers);
}

/// Returns the answer of a compiled program, with the error estimate of the row named `beside`.
fn compiled_answer(
    statements: &[ModelAnswer],
    [name, beside]: [&'static str; 2],
    numbers: Result<Vec<f64>, SemanticsError>,
    start: Instant,
) -> ModelAnswer {
    let elapsed = start.elapsed();
    let beside = statements.iter().find(|statement| statement.name == beside);
    let beside = beside.and_then(|statement| statement.outcome.as_ref().ok());
    ModelAnswer {
        name,
        encloses: false,
        outcome: numbers.map(|numbers| derivatives::float_answer(numbers, beside)),
        elapsed,
    }
}

fn derivation_error(error: &DeriveError) -> SemanticsError {
    match error {
        DeriveError::Interpretation(error) => SemanticsError::Interpretation(error.clone()),
        error => SemanticsError::from_external(error.to_string()),
    }
}
