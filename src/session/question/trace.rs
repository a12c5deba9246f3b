//! The questions `Trace` and `RunTape`. A trace is the straight-line program that a program runs at a point, with its
//! validity region. A sweep computes values and derivatives by a tape, without a trace (Abadi and Plotkin 2020, §3, Thm
//! 6.2).

use super::{Question, QuestionContext};
use crate::failure::ErrorKind;
use crate::model::answer::FaultyOperation;
use crate::model::{SourceLocation, answer};
use crate::number::{Accuracy, Enclosure, Rational, budget};
use crate::session::Session;
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::question::QUESTION_NAME;
use crate::session::tolerance::AccuracyClass;
use crate::stack::with_stack;
use crate::syntax::source::SourceText;
use crate::trace::differentiate::simplify_trace;
use crate::trace::embed::{CoreProgram, TransposedParts, embed_program};
use crate::trace::evaluation::{Strategy, TraceError, TraceEvaluator};
use crate::trace::number::{BoundedDouble, Rationals};
use crate::trace::question::{TapeAnswer, TraceAnswer};
use crate::trace::steps::{DerivationRecord, DerivationStep};
use crate::trace::term::{CoreTerm, approximant};
use crate::trace::{printer, question};
use std::sync::Arc;

/// The arguments that both questions share.
#[derive(Clone, Debug)]
struct TraceArguments {
    source: Arc<SourceText>,
    at: Option<Arc<SourceText>>,
    reverse: bool,
    unfoldings: Option<u64>,
}

impl TraceArguments {
    fn new(source: Arc<SourceText>) -> Self {
        Self { source, at: None, reverse: false, unfoldings: None }
    }

    /// Parses the program, and the point of a function.
    fn parse_arguments(&self, session: &Session) -> Result<(CoreProgram, Option<CoreProgram>), Diagnostic> {
        let mut program = parse_program(session, &self.source)?;
        if let Some(n) = self.unfoldings {
            program.term = with_stack(|| approximant(&program.term, n));
        }
        let point = self.at.as_ref().map(|source| self::parse_program(session, source)).transpose()?;
        let wrong = |what: String| Err(Diagnostic::invalid_input(format!("error: {what}")));
        match (&program.parameters[..], &point) {
            ([], _) if self.reverse => return wrong("--reverse needs a function, and this program is none".to_owned()),
            ([], None) => {}
            ([], Some(_)) => return wrong("--at needs a function, and this program is none".to_owned()),
            ([(_, ty)], None) => {
                return wrong(format!(
                    "a function is traced at a point; give one of type {}, by --at",
                    ty.to_language_type()
                ));
            }
            ([(_, ty)], Some(point)) if point.parameters.is_empty() && *ty == point.ty => {}
            ([(_, ty)], Some(point)) if point.parameters.is_empty() => {
                let (expected, found) = (ty.to_language_type(), point.ty.to_language_type());
                return wrong(format!("the function takes {expected}, and the point is {found}"));
            }
            ([_], Some(_)) => return wrong("the point is a function".to_owned()),
            (several, _) => return Err(wrong_argument_count("traced", several.len())),
        }
        Ok((program, point))
    }
}

macro_rules! trace_question_builders {
    ($question:ident) => {
        impl $question {
            /// Sets the point of a function: an expression.
            #[must_use]
            pub fn at(mut self, point: &str) -> Self {
                self.asked.at = Some(Arc::new(SourceText::new("point", point)));
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
    asked: TraceArguments,
    with_literal_rules: bool,
    with_steps: bool,
}
trace_question_builders!(Trace);

impl Trace {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::from_source(Arc::new(SourceText::new(QUESTION_NAME, text)))
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn from_source(source: Arc<SourceText>) -> Self {
        Self { asked: TraceArguments::new(source), with_literal_rules: false, with_steps: false }
    }

    /// Differentiates by the clauses of the paper, which copy the trace at every `let`.
    #[must_use]
    pub fn with_literal_rules(self, literal: bool) -> Self {
        Self { with_literal_rules: literal, ..self }
    }

    /// Records every rule that is applied.
    #[must_use]
    pub fn with_steps(self, steps: bool) -> Self {
        Self { with_steps: steps, ..self }
    }
}

/// The trace of a program at a point.
#[derive(Debug)]
#[non_exhaustive]
pub struct TraceResult {
    /// The program.
    pub program: CoreProgram,
    /// The trace as a program, or its reverse derivative.
    pub text: String,
    /// The type of that program, in the syntax of the language.
    pub ty: String,
    /// The value at the point, the guards, and the validity region of the trace.
    pub answer: TraceAnswer,
    /// The recorded rules, and the number of those that were not kept. `None` unless requested.
    pub steps: Option<(Vec<DerivationStep>, u64)>,
}

/// A question for values and derivatives by a tape. No trace is built.
///
/// # Examples
/// ```
/// use smoothish::session::{Limits, Session, RunTape, SweptValue};
/// let slope = RunTape::new(r"\x => x * x").at("3").reverse(true);
/// let SweptValue::Certified(found) = Session::new().ask(&slope, &Limits::seconds(60))?.into_value() else { unreachable!() };
/// assert_eq!(found.reverse.len(), 1);
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct RunTape {
    asked: TraceArguments,
    doubles: bool,
}
trace_question_builders!(RunTape);

impl RunTape {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::from_source(Arc::new(SourceText::new(QUESTION_NAME, text)))
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn from_source(source: Arc<SourceText>) -> Self {
        Self { asked: TraceArguments::new(source), doubles: false }
    }

    /// Runs on doubles. Each has a bound of its error, which is certain.
    #[must_use]
    pub fn in_doubles(self, doubles: bool) -> Self {
        Self { doubles, ..self }
    }
}

/// The results of a tape, over either kind of number.
#[derive(Debug)]
pub enum SweptValue {
    /// Certified enclosures.
    Certified(TapeAnswer<Enclosure>),
    /// Doubles, each with a bound of its error.
    Doubles(TapeAnswer<BoundedDouble>),
}

impl Question for RunTape {
    type Output = SweptValue;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<SweptValue, Diagnostic> {
        let (program, point) = self.asked.parse_arguments(session)?;
        record_lifted(&program, on);
        let (strategy, record, budget) = (Strategy::default(), None, &**on.budget());
        let question = question::TraceQuestion { program: &program, point: point.as_ref(), strategy, record, budget };
        let found = if self.doubles {
            question::evaluate_by_tape_in_doubles(&question, self.asked.reverse).map(SweptValue::Doubles)
        } else {
            question::evaluate_by_tape(&question, self.asked.reverse, &default_width()).map(SweptValue::Certified)
        };
        let found = found.map_err(|error| trace_diagnostic(session, &self.asked.source, &program, &error))?;
        let to = Accuracy::within(default_width());
        let is_reached = match &found {
            // A bound of the error is half of a width.
            SweptValue::Doubles(found) => found.all_numbers(|number| {
                Rational::from_f64(2.0 * number.error_bound()).is_some_and(|width| width <= default_width())
            }),
            SweptValue::Certified(found) => {
                found.all_numbers(|number| AccuracyClass::of_number(number, &to) == AccuracyClass::Reached)
            }
        };
        if !is_reached {
            on.record_wide();
        }
        Ok(found)
    }
}

/// Returns the width to which values are enclosed. A choice.
pub(crate) fn default_width() -> Rational {
    Rational::from((1, 1_000_000))
}

impl Question for Trace {
    type Output = TraceResult;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<TraceResult, Diagnostic> {
        let source = &self.asked.source;
        let (program, point) = self.asked.parse_arguments(session)?;
        record_lifted(&program, on);
        let strategy = if self.with_literal_rules { Strategy::Literal } else { Strategy::Accumulated };
        let budget = &**on.budget();
        let record = self.with_steps.then(|| DerivationRecord::for_program(&program));
        let question = question::TraceQuestion {
            program: &program,
            point: point.as_ref(),
            strategy,
            record: record.as_ref(),
            budget,
        };
        let refused = |error| trace_diagnostic(session, source, &program, &error);
        let answer = question::trace_at_point(&question).map_err(refused)?;
        let in_words =
            |trace: &CoreTerm| if strategy == Strategy::Literal { Ok(trace.clone()) } else { simplify_trace(trace) };
        let (parameters, term, ty) = match program.transposed_parts() {
            Some(TransposedParts { x, ty, point, cotangent, parameters }) if self.asked.reverse => {
                // Differentiation is symbolic: the evaluator needs numbers by type, but computes none.
                let numbers = Rationals::default();
                let evaluator = TraceEvaluator::new(&numbers).with_strategy(strategy).with_budget(budget);
                let reverse = evaluator.differentiate(&cotangent, &point, x, ty, &answer.trace).map_err(refused)?;
                (parameters, reverse, ty.clone())
            }
            _ => (program.parameters.clone(), answer.trace.clone(), program.ty.clone()),
        };
        // Refused before it is printed: a literal derivative may be exponentially larger than its program.
        if !budget.check_parts(term.size().saturating_mul(PRINTED_PARTS)) {
            return Err(too_large_to_print(&term));
        }
        let text = printer::to_text(&parameters, &in_words(&term).map_err(refused)?);
        drop(term);
        // Last, within the time that is left: the trace is an answer without its validity region too.
        let neighbourhood = question::find_validity_region(&question, &answer);
        let answer = TraceAnswer { validity_region: neighbourhood, ..answer };
        let arrows = parameters.iter().map(|(_, ty)| format!("{} -> ", ty.to_language_type().as_argument()));
        let ty = arrows.collect::<String>() + &ty.to_language_type().to_string();
        let steps = record.map(|record| record.kept_steps());
        Ok(TraceResult { text, ty, program, answer, steps })
    }
}

/// Records which functions take variables from outside as arguments.
fn record_lifted(program: &CoreProgram, on: &mut QuestionContext<'_>) {
    for lifted in &program.lifted {
        on.record_note(Note::new("lifted", NoteKind::Remark, lifted.to_string()));
    }
}

/// The approximate number of parts allocated for each node of a printed term: an estimate, not a bound.
const PRINTED_PARTS: u64 = 2;

/// Creates the diagnostic of a trace that was found, but is too large to print.
fn too_large_to_print(term: &CoreTerm) -> Diagnostic {
    let what = budget::exhausted_resource();
    Diagnostic::without_answer(format!(
        "error: its {what} was up before what was found was written down, which has {} nodes; the strategy `tape` gives values and \
         derivatives without it",
        term.size()
    ))
}

fn trace_diagnostic(
    session: &Session,
    source: &Arc<SourceText>,
    program: &CoreProgram,
    error: &TraceError,
) -> Diagnostic {
    let Some(undefined) = error.as_undefined() else {
        let refusal =
            if *error == TraceError::LiteralTooLarge { Diagnostic::without_answer } else { Diagnostic::invalid_input };
        return refusal(format!("error: {error}"));
    };
    // The message names the operation as the user wrote it, which only the term of the surface language tells.
    let (cause, place) = (undefined.cause, program.position_of(undefined.site).cloned());
    let (message, place) = match session.infer(&source.text) {
        Ok((term, _)) => {
            let told = answer::UndefinedReason::of_value(undefined, place, &term, ToString::to_string);
            (told.message, told.place)
        }
        Err(_) => (undefined.to_string(), place),
    };
    session.undefined_diagnostic(source, cause, message, place.as_ref())
}

/// Parses a program, and translates it to the core language.
///
/// # Errors
/// A [`Diagnostic`]: the text is wrong, or has constructs that the core language lacks.
pub fn parse_program(session: &Session, source: &Arc<SourceText>) -> Result<CoreProgram, Diagnostic> {
    let (term, _) = session.infer_source(source)?;
    embed_program(&term).map_err(|error| {
        let culprit = FaultyOperation::locate(None, Some(error.location().clone()), &term);
        let message = match &culprit.library {
            Some(name) => format!("{error}, in the library's `{name}`"),
            None => error.to_string(),
        };
        diagnostic_at(session, source, &message, culprit.place.as_ref())
    })
}

fn diagnostic_at(
    session: &Session,
    source: &Arc<SourceText>,
    message: &str,
    place: Option<&SourceLocation>,
) -> Diagnostic {
    match place {
        Some(place) => session.diagnostic_at("unsupported", ErrorKind::InvalidInput, source, message, place),
        None => Diagnostic::invalid_input(format!("error: {message}")),
    }
}

/// Creates the diagnostic of a function of more than one argument.
pub(crate) fn wrong_argument_count(what: &str, arguments: usize) -> Diagnostic {
    Diagnostic::invalid_input(format!(
        "error: a function of one argument is {what}, and this has {arguments}; make them a tuple, `\\(x, y) => …`"
    ))
}
