//! The question `Agree`: the value of a program in every semantics side by side, and its derivatives at a point.
//!
//! Enclosures of one number must meet: if two are disjoint, one semantics is wrong. A floating-point number is compared
//! with the enclosures ([`agreement`](crate::law::agreement)).

use super::{Question, Scope};
use crate::failure::{ErrorKind, Failure};
use crate::law::agreement::derivatives::{Derivatives, DerivativesError, derivatives};
use crate::law::agreement::{Judgement, Testimony, compiled, judge};
use crate::meaning;
use crate::meaning::taylor::derive::DeriveError;
use crate::model::answer::{Meaning, MeaningError, Number};
use crate::number::real::Refined;
use crate::number::{Accuracy, Rational};
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::limits::Limits;
use crate::session::places::QUESTION;
use crate::session::reach::Reach;
use crate::session::tolerance::{Goal, IntoTolerance, ToleranceError, USUAL};
use crate::session::{Session, SessionError};
use crate::syntax::source::Source;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The rows of the derived program: the semantics that evaluates it, and the name of the row.
const DERIVED: [(&str, &str); 2] = [("presheaf", "taylor"), ("float", "taylor, float")];
/// The rows of compiled programs: the name of the row, and the row whose error estimate it takes.
const COMPILED: [[&str; 2]; 2] = [["float, compiled", "float"], ["taylor, compiled", "taylor, float"]];

/// A question for the value of a program in every semantics, the added ones included. Each has the full limits.
///
/// # Examples
/// ```
/// use smoothish::session::{Agree, Limits, Session};
/// let agreement = Session::new().ask(&Agree::new("sqrt 2 * sqrt 2"), &Limits::seconds(10))?;
/// assert!(!agreement.value().is_refuted() && agreement.value().rows.len() == 5);
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Agree {
    source: Arc<Source>,
    goal: Result<Goal, ToleranceError>,
    at: Option<(Vec<Rational>, usize)>,
}

/// The answers of the semantics to one question, and the comparison of each with the others.
#[derive(Debug)]
#[non_exhaustive]
pub struct Agreement {
    /// The type of the answers; with derivatives, a tuple of numbers.
    pub ty: Ty,
    /// The answers, one row for each semantics.
    pub rows: Vec<Row>,
    /// The names of the components, if derivatives are requested.
    pub derivatives: Vec<String>,
}

/// The answer of one semantics.
#[derive(Debug)]
pub struct Row {
    /// The name of the row.
    pub name: &'static str,
    /// The value, or the message why there is none.
    pub answer: Result<Value<Number>, String>,
    /// The comparison with the other semantics, number by number.
    pub judgements: Vec<Judgement>,
    /// The time that it took.
    pub elapsed: Duration,
}

impl Agreement {
    /// Returns `true` if two enclosures of one number are disjoint.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.rows.iter().any(|row| row.judgements.iter().any(|j| matches!(j, Judgement::Disjoint(_))))
    }
}

impl Agree {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::of(Arc::new(Source::new(QUESTION, text)))
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn of(source: Arc<Source>) -> Self {
        Self { source, goal: Ok(Goal::default()), at: None }
    }

    /// Requests the value of a function at a point, and its derivatives there up to `order`.
    #[must_use]
    pub fn at(self, point: impl IntoIterator<Item = Rational>, order: usize) -> Self {
        Self { at: Some((point.into_iter().collect(), order)), ..self }
    }

    /// Sets the requested accuracy.
    #[must_use]
    pub fn goal(self, goal: Goal) -> Self {
        Self { goal: Ok(goal), ..self }
    }

    /// Requests intervals of at most this width.
    #[must_use]
    pub fn within(self, eps: impl IntoTolerance) -> Self {
        let goal = self.goal.and_then(|goal| Ok(Goal { eps: Some(eps.into_tolerance()?), ..goal }));
        Self { goal, ..self }
    }
}

impl Question for Agree {
    type Output = Agreement;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Agreement, Diagnostic> {
        let accuracy = session.goal(&self.goal, USUAL)?.accuracy();
        let (term, shown) = session.inferred(&self.source)?;
        on.is_of_type(shown.clone());
        let meanings = Meanings { session, accuracy: &accuracy, limits: on.limits() };
        let (ty, statements, derivatives) = match &self.at {
            None => (shown.clone(), meanings.all(&term, &shown), Vec::new()),
            Some((point, order)) => meanings.at(&term, &shown, point, *order)?,
        };
        let rows = rows(session, &self.source, statements)?;
        let agreement = Agreement { ty, rows, derivatives };
        // The answer of the first semantics, presheaves, decides whether the goal is reached: others may know less of a
        // number.
        let first = agreement.rows.iter().find_map(|row| row.answer.as_ref().ok());
        let reach = first.map_or(Reach::Nothing, |value| Reach::of_value(value, &accuracy));
        if reach != Reach::Reached {
            on.is_wide();
        }
        if agreement.is_refuted() {
            on.note(Note::new(
                "disjoint",
                NoteKind::Outcome,
                "two meanings have nothing in common: one of them is wrong",
            ));
        }
        Ok(agreement)
    }
}

/// The semantics of a session, each evaluated within the limits.
struct Meanings<'a> {
    session: &'a Session,
    accuracy: &'a Accuracy,
    limits: &'a Limits,
}

impl Meanings<'_> {
    fn state(&self, name: &'static str, meaning: &dyn Meaning, term: &Term, ty: &Ty) -> Testimony {
        let start = Instant::now();
        let outcome = meaning.answer_to(term, ty, self.accuracy, &Arc::new(self.limits.budget()));
        Testimony { name, encloses: meaning.encloses(), outcome, elapsed: start.elapsed() }
    }

    fn all(&self, term: &Term, ty: &Ty) -> Vec<Testimony> {
        self.session.meanings_in_order().map(|meaning| self.state(meaning.name(), meaning, term, ty)).collect()
    }

    /// Evaluates the derivatives at a point: nested in every semantics, by the derived program, and both compiled to
    /// tapes.
    fn at(
        &self,
        term: &Term,
        shown: &Ty,
        point: &[Rational],
        order: usize,
    ) -> Result<(Ty, Vec<Testimony>, Vec<String>), Diagnostic> {
        let Derivatives { basis, function, places, ty, nested, derived } = derivatives(term, shown, point, order)
            .map_err(|e: DerivativesError| Diagnostic::wrong(format!("error: {e}")))?;
        let mut statements = self.all(&nested, &ty);
        for (meaning, name) in DERIVED {
            let Some(meaning) = meaning::named(meaning) else { continue };
            statements.push(match &derived {
                Ok((_, value)) => self.state(name, meaning, value, &ty),
                Err(error) => Testimony {
                    name,
                    encloses: meaning.encloses(),
                    outcome: Err(not_derived(error)),
                    elapsed: Duration::ZERO,
                },
            });
        }
        let budget = Arc::new(self.limits.budget());
        let start = Instant::now();
        let numbers = compiled::function(term, &function, point, &basis, &budget);
        statements.push(beside(&statements, COMPILED[0], numbers, start));
        // Timed apart: the time of a row is that of its own tape.
        let start = Instant::now();
        let numbers = match &derived {
            Ok((derived, _)) => compiled::derived(derived, point, &basis, &budget),
            Err(error) => Err(not_derived(error)),
        };
        statements.push(beside(&statements, COMPILED[1], numbers, start));
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
fn rows(session: &Session, source: &Arc<Source>, statements: Vec<Testimony>) -> Result<Vec<Row>, Diagnostic> {
    let judged = judge(&statements);
    let mut rows = Vec::with_capacity(statements.len());
    for (Testimony { name, encloses, outcome, elapsed }, judgements) in statements.into_iter().zip(judged) {
        let judgements = judgements.unwrap_or_default();
        let answer = match outcome {
            Ok(answer) => Ok(answer.value),
            // A construct that a semantics lacks is no error of the question.
            Err(error) if error.lacks().is_some() => Err(error.to_string()),
            Err(error) if !encloses => Err(error.to_string()),
            // Likewise for one that ran into a limit: it says so, and the others answer.
            Err(error) if SessionError::from(error.clone()).kind() == ErrorKind::Limit => Err(first_part(&error)),
            // Any other error of the default semantics is the error of the question.
            Err(error) if name == meaning::DEFAULT => return Err(session.diagnose(source, &SessionError::from(error))),
            Err(error) => Err(error.to_string()),
        };
        rows.push(Row { name, answer, judgements, elapsed });
    }
    Ok(rows)
}

/// Returns the message without the advice after it.
fn first_part(error: &MeaningError) -> String {
    let message = error.to_string();
    message.split("; ").next().unwrap_or_default().to_owned()
}

/// Replaces derivatives at a point where the function has no value by unknown numbers: there are none, whatever was
/// computed. The value of each number stands before its derivatives, `length` numbers in all.
fn without_derivatives(answer: &mut Value<Number>, length: usize) {
    let Value::Tuple(parts) = answer else { return };
    let mut numbers: Vec<_> = parts.iter().cloned().collect();
    for derivatives in numbers.chunks_mut(length.max(1)) {
        let Some((value, derivatives)) = derivatives.split_first_mut() else { continue };
        let nothing = match value {
            Value::Real(Number::Enclosure(found)) if !found.enclosure.is_defined() => {
                Number::Enclosure(Box::new(Refined::unknown()))
            }
            Value::Real(Number::Float { value, .. }) if value.is_nan() => {
                Number::Float { value: f64::NAN, error: f64::INFINITY }
            }
            _ => continue,
        };
        derivatives.fill(Value::Real(nothing));
    }
    *answer = Value::tuple(numbers);
}

/// Returns the answer of a compiled program, with the error estimate of the row named `beside`.
fn beside(
    statements: &[Testimony],
    [name, beside]: [&'static str; 2],
    numbers: Result<Vec<f64>, MeaningError>,
    start: Instant,
) -> Testimony {
    let elapsed = start.elapsed();
    let beside = statements.iter().find(|statement| statement.name == beside);
    let beside = beside.and_then(|statement| statement.outcome.as_ref().ok());
    Testimony { name, encloses: false, outcome: numbers.map(|numbers| compiled::answer(numbers, beside)), elapsed }
}

fn not_derived(error: &DeriveError) -> MeaningError {
    match error {
        DeriveError::Interpretation(error) => MeaningError::Interpretation(error.clone()),
        error => MeaningError::other(error.to_string()),
    }
}
