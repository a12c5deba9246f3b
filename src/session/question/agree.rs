//! A program in every meaning that can interpret it, side by side; and its derivatives at a point.
//!
//! Enclosures of one number must meet: where they do not, a meaning is refuted. A floating-point number is judged by the enclosures
//! ([`agreement`](crate::law::agreement)).

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

/// The derived program in a meaning: how its row is called.
const DERIVED: [(&str, &str); 2] = [("presheaf", "taylor"), ("float", "taylor, float")];
/// What is compiled: how its row is called, and that by whose estimate it is judged.
const COMPILED: [[&str; 2]; 2] = [["float, compiled", "float"], ["taylor, compiled", "taylor, float"]];

/// The question for the value of a program in every meaning, those of the session's own included. Each has the limits for itself.
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

/// What the meanings say of one question, and what they say of each other.
#[derive(Debug)]
#[non_exhaustive]
pub struct Agreement {
    /// The type of the answers: of derivatives, a tuple of numbers.
    pub ty: Ty,
    /// The meanings.
    pub rows: Vec<Row>,
    /// Of derivatives, what each component is.
    pub derivatives: Vec<String>,
}

/// What one meaning says.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Its value; or why there is none.
    pub answer: Result<Value<Number>, String>,
    /// What the other meanings say of it, number by number.
    pub judgements: Vec<Judgement>,
    /// How long it took.
    pub elapsed: Duration,
}

impl Agreement {
    /// Whether two enclosures of one number are disjoint.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.rows.iter().any(|row| row.judgements.iter().any(|j| matches!(j, Judgement::Disjoint(_))))
    }
}

impl Agree {
    /// The question, of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::of(Arc::new(Source::new(QUESTION, text)))
    }

    /// The question, of a text from somewhere, which messages name.
    #[must_use]
    pub fn of(source: Arc<Source>) -> Self {
        Self { source, goal: Ok(Goal::default()), at: None }
    }

    /// Asks for the value of a function at a point and its derivatives there, up to an order.
    #[must_use]
    pub fn at(self, point: impl IntoIterator<Item = Rational>, order: usize) -> Self {
        Self { at: Some((point.into_iter().collect(), order)), ..self }
    }

    /// Asks to an accuracy.
    #[must_use]
    pub fn goal(self, goal: Goal) -> Self {
        Self { goal: Ok(goal), ..self }
    }

    /// Asks for intervals of at most this width.
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
        // the answer of the first model counts: of one number, others may know less
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

/// The meanings of a session, each asked within the limits.
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

    /// The derivatives at a point: nested in every meaning; by the derived program; and both compiled.
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

/// The statements with what they say of each other.
fn rows(session: &Session, source: &Arc<Source>, statements: Vec<Testimony>) -> Result<Vec<Row>, Diagnostic> {
    let judged = judge(&statements);
    let mut rows = Vec::with_capacity(statements.len());
    for (Testimony { name, encloses, outcome, elapsed }, judgements) in statements.into_iter().zip(judged) {
        let judgements = judgements.unwrap_or_default();
        let answer = match outcome {
            Ok(answer) => Ok(answer.value),
            // what the model lacks is no fault of the question
            Err(error) if error.lacks().is_some() => Err(error.to_string()),
            Err(error) if !encloses => Err(error.to_string()),
            // a model that does not end says so, and the others answer
            Err(error) if SessionError::from(error.clone()).kind() == ErrorKind::Limit => Err(first_part(&error)),
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

/// A function without a value at the point has no derivatives there, whatever is computed for them. In an answer the value of each number
/// stands before its derivatives, so many numbers in all.
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

/// What a compiled program says, with the estimate of another.
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
