//! The questions `Trace` and `Sweep`. A trace is the straight-line program that a program runs at a point, with its
//! validity region. A sweep computes values and derivatives by a tape, without a trace (Abadi and Plotkin 2020, §3, Thm
//! 6.2).

use super::{Question, Scope};
use crate::failure::ErrorKind;
use crate::model::Place;
use crate::model::answer;
use crate::model::culprit::Culprit;
use crate::number::{Accuracy, Enclosure, Rational, memory};
use crate::session::Session;
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::places::QUESTION;
use crate::session::reach::Reach;
use crate::stack::deep;
use crate::syntax::source::Source;
use crate::trace::embed::embed;
use crate::trace::error::Obstacle;
use crate::trace::evaluation::{Evaluator, Strategy};
use crate::trace::limited::approximant;
use crate::trace::number::Rationals;
use crate::trace::printer;
use crate::trace::program::{Program, Transposed};
use crate::trace::question::{self, Answer, Swept};
use crate::trace::steps::{Record, Step};
use crate::trace::term::Term;
use crate::trace::tidy::tidy;
use crate::trace::value::Value;
use std::sync::Arc;

/// The arguments that both questions share.
#[derive(Clone, Debug)]
struct Asked {
    source: Arc<Source>,
    at: Option<Arc<Source>>,
    reverse: bool,
    unfoldings: Option<u64>,
}

impl Asked {
    fn new(source: Arc<Source>) -> Self {
        Self { source, at: None, reverse: false, unfoldings: None }
    }

    /// Parses the program, and the point of a function.
    fn read(&self, session: &Session) -> Result<(Program, Option<Program>), Diagnostic> {
        let mut program = program(session, &self.source)?;
        if let Some(n) = self.unfoldings {
            program.term = deep(|| approximant(&program.term, n));
        }
        let point = self.at.as_ref().map(|source| self::program(session, source)).transpose()?;
        let wrong = |what: String| Err(Diagnostic::wrong(format!("error: {what}")));
        match (&program.parameters[..], &point) {
            ([], _) if self.reverse => return wrong("--reverse is for functions, and this is none".to_owned()),
            ([], None) => {}
            ([], Some(_)) => return wrong("--at is for functions, and this is none".to_owned()),
            ([(_, ty)], None) => {
                return wrong(format!(
                    "a function is traced at a point; give one of type {}, by --at",
                    ty.in_language()
                ));
            }
            ([(_, ty)], Some(point)) if point.parameters.is_empty() && *ty == point.ty => {}
            ([(_, ty)], Some(point)) if point.parameters.is_empty() => {
                let (expected, found) = (ty.in_language(), point.ty.in_language());
                return wrong(format!("the function takes {expected}, and the point is {found}"));
            }
            ([_], Some(_)) => return wrong("the point is a function".to_owned()),
            (several, _) => return Err(of_several("traced", several.len())),
        }
        Ok((program, point))
    }
}

macro_rules! asked {
    ($question:ident) => {
        impl $question {
            /// Sets the point of a function: an expression.
            #[must_use]
            pub fn at(mut self, point: &str) -> Self {
                self.asked.at = Some(Arc::new(Source::new("point", point)));
                self
            }

            /// Requests the reverse derivative as a function of the point. Unless the values are reals, a cotangent is
            /// its second argument.
            #[must_use]
            pub fn reverse(mut self, reverse: bool) -> Self {
                self.asked.reverse = reverse;
                self
            }

            /// Limits the depth of unfolded recursive calls.
            #[must_use]
            pub fn unfoldings(mut self, most: Option<u64>) -> Self {
                self.asked.unfoldings = most;
                self
            }
        }
    };
}

/// A question for the trace of a program at a point.
///
/// # Examples
/// ```
/// use smoothish::session::{Limits, Session, Trace};
/// let relu = Trace::new(r"\x => if x > 0 then x else 0").at("2");
/// let traced = Session::new().ask(&relu, &Limits::seconds(60))?;
/// assert!(traced.value().text.contains("x") && !traced.value().text.contains("if"));
/// assert_eq!(traced.value().answer.guards.len(), 1);
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trace {
    asked: Asked,
    literal: bool,
    steps: bool,
}
asked!(Trace);

impl Trace {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::of(Arc::new(Source::new(QUESTION, text)))
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn of(source: Arc<Source>) -> Self {
        Self { asked: Asked::new(source), literal: false, steps: false }
    }

    /// Differentiates by the clauses of the paper, which copy the trace at every `let`.
    #[must_use]
    pub fn literal(self, literal: bool) -> Self {
        Self { literal, ..self }
    }

    /// Records every rule that is applied.
    #[must_use]
    pub fn steps(self, steps: bool) -> Self {
        Self { steps, ..self }
    }
}

/// The trace of a program at a point.
#[derive(Debug)]
#[non_exhaustive]
pub struct Traced {
    /// The program.
    pub program: Program,
    /// The trace as a program, or its reverse derivative.
    pub text: String,
    /// The type of that program, in the syntax of the language.
    pub ty: String,
    /// The value at the point, the guards, and the validity region of the trace.
    pub answer: Answer,
    /// The recorded rules, and the number of those that were not kept. `None` unless requested.
    pub steps: Option<(Vec<Step>, u64)>,
}

/// A question for values and derivatives by a tape. No trace is built.
///
/// # Examples
/// ```
/// use smoothish::session::{Limits, Session, Sweep, SweptValue};
/// let slope = Sweep::new(r"\x => x * x").at("3").reverse(true);
/// let SweptValue::Certified(found) = Session::new().ask(&slope, &Limits::seconds(60))?.into_value() else { unreachable!() };
/// assert_eq!(found.reverse.len(), 1);
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep {
    asked: Asked,
    doubles: bool,
}
asked!(Sweep);

impl Sweep {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::of(Arc::new(Source::new(QUESTION, text)))
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn of(source: Arc<Source>) -> Self {
        Self { asked: Asked::new(source), doubles: false }
    }

    /// Runs on doubles. The result is not certified.
    #[must_use]
    pub fn in_doubles(self, doubles: bool) -> Self {
        Self { doubles, ..self }
    }
}

/// The results of a tape, over either kind of number.
#[derive(Debug)]
pub enum SweptValue {
    /// Certified enclosures.
    Certified(Swept<Enclosure>),
    /// Doubles, not certified.
    Doubles(Swept<f64>),
}

impl Question for Sweep {
    type Output = SweptValue;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<SweptValue, Diagnostic> {
        let (program, point) = self.asked.read(session)?;
        let (strategy, record, budget) = (Strategy::default(), None, &**on.budget());
        let question = question::Question { program: &program, point: point.as_ref(), strategy, record, budget };
        let found = if self.doubles {
            question::swept_in_doubles(&question, self.asked.reverse).map(SweptValue::Doubles)
        } else {
            question::swept(&question, self.asked.reverse, &eps()).map(SweptValue::Certified)
        };
        let found = found.map_err(|error| refused(session, &self.asked.source, &program, &error))?;
        match &found {
            SweptValue::Doubles(_) => {
                let text = "floating-point: nothing is certain";
                on.note(Note::new("floating-point", NoteKind::Outcome, text));
                on.is_wide();
            }
            SweptValue::Certified(found) => {
                let to = Accuracy::within(eps());
                let is_reached = |number: &Enclosure| Reach::of(number, &to) == Reach::Reached;
                let numbers = std::iter::once(&found.value).chain(&found.reverse);
                if !numbers.flat_map(Value::reals).all(is_reached) {
                    on.is_wide();
                }
            }
        }
        Ok(found)
    }
}

/// Returns the width to which values are enclosed. A choice.
pub(crate) fn eps() -> Rational {
    Rational::from((1, 1_000_000))
}

impl Question for Trace {
    type Output = Traced;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Traced, Diagnostic> {
        let source = &self.asked.source;
        let (program, point) = self.asked.read(session)?;
        let strategy = if self.literal { Strategy::Literal } else { Strategy::Accumulated };
        let budget = &**on.budget();
        let record = self.steps.then(|| Record::of(&program));
        let question =
            question::Question { program: &program, point: point.as_ref(), strategy, record: record.as_ref(), budget };
        let refused = |error| refused(session, source, &program, &error);
        let answer = question::traced(&question).map_err(refused)?;
        let in_words = |trace: &Term| if strategy == Strategy::Literal { Ok(trace.clone()) } else { tidy(trace) };
        let (parameters, term, ty) = match program.transposed() {
            Some(Transposed { x, ty, point, cotangent, parameters }) if self.asked.reverse => {
                // Differentiation is symbolic: the evaluator needs numbers by type, but computes none.
                let numbers = Rationals::default();
                let evaluator = Evaluator::new(&numbers).by(strategy).paid_by(budget);
                let reverse = evaluator.differentiate(&cotangent, &point, x, ty, &answer.trace).map_err(refused)?;
                (parameters, reverse, ty.clone())
            }
            _ => (program.parameters.clone(), answer.trace.clone(), program.ty.clone()),
        };
        // Refused before it is printed: a literal derivative may be exponentially larger than its program.
        if !budget.affords_parts(term.size().saturating_mul(PRINTED_PARTS)) {
            return Err(unwritten(&term));
        }
        let text = printer::text(&parameters, &in_words(&term).map_err(refused)?);
        drop(term);
        // Last, within the time that is left: the trace is an answer without its validity region too.
        let neighbourhood = question::neighbourhood(&question, &answer);
        let answer = Answer { neighbourhood, ..answer };
        let arrows = parameters.iter().map(|(_, ty)| format!("{} -> ", ty.in_language().as_argument()));
        let ty = arrows.collect::<String>() + &ty.in_language().to_string();
        let steps = record.map(|record| record.steps());
        Ok(Traced { text, ty, program, answer, steps })
    }
}

/// The approximate number of parts allocated for each node of a printed term: an estimate, not a bound.
const PRINTED_PARTS: u64 = 2;

/// Creates the diagnostic of a trace that was found, but is too large to print.
fn unwritten(term: &Term) -> Diagnostic {
    let what = memory::or_time();
    Diagnostic::nothing(format!(
        "error: its {what} was up before what was found was written down, which has {} nodes; the strategy `tape` gives values and \
         derivatives without it",
        term.size()
    ))
}

fn refused(session: &Session, source: &Arc<Source>, program: &Program, error: &Obstacle) -> Diagnostic {
    let Some(undefined) = error.undefined() else {
        let refusal = if *error == Obstacle::TooLarge { Diagnostic::nothing } else { Diagnostic::wrong };
        return refusal(format!("error: {error}"));
    };
    // The message names the operation as the user wrote it, which only the term of the surface language tells.
    let (cause, place) = (undefined.cause, program.place(undefined.site).cloned());
    let (message, place) = match session.infer(&source.text) {
        Ok((term, _)) => {
            let told = answer::Undefined::of_value(undefined, place, &term, ToString::to_string);
            (told.message, told.place)
        }
        Err(_) => (undefined.to_string(), place),
    };
    session.undefined_at(source, cause, message, place.as_ref())
}

/// Parses a program, and translates it to the core language.
///
/// # Errors
/// A [`Diagnostic`]: the text is wrong, or has constructs that the core language lacks.
pub fn program(session: &Session, source: &Arc<Source>) -> Result<Program, Diagnostic> {
    let (term, _) = session.inferred(source)?;
    embed(&term).map_err(|error| {
        let culprit = Culprit::of(None, Some(error.place().clone()), &term);
        let message = match &culprit.library {
            Some(name) => format!("{error}, in the library's `{name}`"),
            None => error.to_string(),
        };
        at(session, source, &message, culprit.place.as_ref())
    })
}

fn at(session: &Session, source: &Arc<Source>, message: &str, place: Option<&Place>) -> Diagnostic {
    match place {
        Some(place) => session.at("unsupported", ErrorKind::Wrong, source, message, place),
        None => Diagnostic::wrong(format!("error: {message}")),
    }
}

/// Creates the diagnostic of a function of more than one argument.
pub(crate) fn of_several(what: &str, arguments: usize) -> Diagnostic {
    Diagnostic::wrong(format!(
        "error: a function of one argument is {what}, and this has {arguments}; make them a tuple, `\\(x, y) => …`"
    ))
}
