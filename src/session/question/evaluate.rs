//! The question `Evaluate`: the value of a program in one semantics.

use super::{Question, QuestionContext};
use crate::failure::ErrorKind;
use crate::meaning;
use crate::model::answer;
use crate::model::answer::{AnswerNumber, Semantics, SemanticsError};
use crate::number::budget;
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::places::QUESTION_NAME;
use crate::session::tolerance::{
    AccuracyClass, AccuracyGoal, DEFAULT_WIDTH_EXPONENT, Digits, IntoTolerance, ToleranceError,
};
use crate::session::{Session, SessionError, remedy};
use crate::syntax::constant::Constant;
use crate::syntax::library::TRACE;
use crate::syntax::source::SourceText;
use crate::syntax::substitution::{find_constant, find_shadowed_recursions};
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Value, ValueError};
use std::sync::Arc;

/// Advice for an equation of real numbers, which no finite precision decides.
const EQUALITY_HINT: &str = "real numbers are compared by x < y, and near if abs (x - y) < 1e-9; in a theory, `x ~ y` and `x within 1e-9 of 1.5`";

/// Advice for a recursion decided by a number that may be real.
const COUNTING_HINT: &str = "annotate a parameter that counts, (n : Nat); otherwise ";

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
            Some(known) => known.clone(),
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
                "error: a program that samples, of type {ty}, has no single value\n  = help: `smoothish normaliser`, `expect` and `infer` ask for its mass and for means, `plot --density` draws it"
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

impl Session {
    /// Returns the requested accuracy, or the default: a width of 10 to `usual`.
    pub(super) fn resolve_goal(
        &self,
        goal: &Result<AccuracyGoal, ToleranceError>,
        usual: i32,
    ) -> Result<AccuracyGoal, Diagnostic> {
        let goal =
            goal.as_ref().map_err(|error| Diagnostic::invalid_input(format!("error: {error}")).with_id("tolerance"))?;
        Ok(goal.or_default(usual))
    }

    /// Records the notes on a value.
    fn record_value_notes(
        &self,
        source: &Arc<SourceText>,
        term: &Term,
        ty: &Ty,
        goal: &AccuracyGoal,
        found: &answer::ProgramAnswer,
        on: &mut QuestionContext<'_>,
    ) {
        // Of several numbers one is enough: any that ran out of budget makes the answer one that was cut short.
        let is_cut = |number: &AnswerNumber| match number {
            AnswerNumber::Enclosure(found) => found.exhausted && !found.reached,
            AnswerNumber::Float { .. } => false,
        };
        if found.value.real_numbers().into_iter().any(is_cut) {
            on.record_limit();
        }
        for place in &found.promises {
            let note = Note::new("assumed", NoteKind::Assumption, self.promise_text(source, place));
            on.record_note(note.with_place(self.locate(source, place)));
        }
        let mut remark = |id, text: String| on.record_note(Note::new(id, NoteKind::Remark, text));
        find_shadowed_recursions(None, term)
            .iter()
            .filter_map(|found| Self::note_shadowed_recursion(source, found))
            .for_each(|text| remark("namesake", text));
        for said in &found.notes {
            let note = Note::new("remark", NoteKind::Remark, self.remark_text(source, said));
            on.record_note(note.with_place(said.place.as_ref().and_then(|place| self.locate(source, place))));
        }
        let mut remark = |id, text: Option<String>| {
            if let Some(text) = text {
                on.record_note(Note::new(id, NoteKind::Remark, text));
            }
        };
        // At most one of these two: beside a hint on the value, one on its type would distract.
        match remedy::hint_for_difference(term, &found.value) {
            Some(text) => remark("difference", Some(text)),
            None => remark("rows", remedy::hint_for_rows(ty)),
        }
        remark("tight", remedy::hint_for_tight_application(&source.text));
        if let Some(undefined) = &found.undefined {
            on.record_undefined(self.locate_undefined(source, undefined));
        }
        if AccuracyClass::of_value(&found.value, &goal.accuracy()) != AccuracyClass::Reached {
            on.record_wide();
        }
        remedy::record_miss(&found.value, goal, on);
    }

    /// Renders the error of a semantics, with advice.
    pub(super) fn semantics_diagnostic(
        &self,
        source: &Arc<SourceText>,
        model: &str,
        term: &Term,
        ty: &Ty,
        error: SemanticsError,
        on: &QuestionContext<'_>,
    ) -> Diagnostic {
        if let Some(unsupported) = error.unsupported_construct() {
            let mut others = meaning::supporting_semantics(term, ty, model);
            let equated = find_constant(term, Constant::equates_reals)
                .and_then(Constant::operator_sign)
                .filter(|sign| unsupported.construct.starts_with(&format!("`{sign}`")));
            // The semantics made for borders comes first, before the one that evaluates by value.
            others.sort_by_key(|other| equated.is_some() && *other != meaning::pap::NAME);
            let others = others.join(", or --model ");
            let recursive = unsupported.construct.strip_prefix("the recursion of `");
            let counts = recursive.map_or_else(String::new, |rest| {
                let function = rest.split('`').next().unwrap_or_default();
                match remedy::rewrite_as_counting(function, term, &source.text) {
                    Some((name, written)) => {
                        format!("annotate a parameter that counts, ({name} : Nat): {written}; otherwise ")
                    }
                    None => COUNTING_HINT.to_owned(),
                }
            });
            let help = match (equated, &*others) {
                (None, "") => String::new(),
                (None, others) => format!("\n  = help: {counts}try --model {others}"),
                (Some(_), "") => format!("\n  = help: {EQUALITY_HINT}"),
                (Some(_), others) => {
                    format!("\n  = help: {EQUALITY_HINT}; whether they are equal, ask --model {others}")
                }
            };
            return Diagnostic::rendered("unsupported", ErrorKind::Unsupported, format!("error: {unsupported}{help}"));
        }
        let limits = on.limits();
        // Only an exhausted unfolding has several causes; the most specific one is reported.
        let error = error.into();
        if !matches!(error, SessionError::Interpretation(ValueError::Exhausted { .. })) {
            return self.diagnose(source, &error);
        }
        if limits.is_interrupted() {
            return Diagnostic::without_answer("error: interrupted before the program was unfolded")
                .with_id("interrupt");
        }
        if budget::was_short() {
            let text =
                "error: 1 GB of memory was not enough to unfold the program: its recursion may be long, or not end";
            return Diagnostic::without_answer(text).with_id("memory");
        }
        if limits.time.is_some_and(|time| on.elapsed() >= time) {
            return Diagnostic::without_answer(format!(
                "error: {} s were not enough to unfold the program: its recursion may be long",
                limits.seconds_written()
            ))
            .with_id("time");
        }
        self.diagnose(source, &error)
    }

    fn without_approximants(&self, model: &str, count: u64) -> Diagnostic {
        let have = self.semantics().filter(|meaning| meaning.with_unfolding_limit(count).is_some());
        let have = have.map(|meaning| format!("--model {}", meaning.name())).collect::<Vec<_>>();
        let have = have.join(", or ");
        Diagnostic::invalid_input(format!(
            "error: the model `{model}` has no approximants of recursion\n  = help: try {have}"
        ))
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
