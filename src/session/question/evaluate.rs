//! The question `Evaluate`: the value of a program in one semantics.

use super::{Question, Scope};
use crate::failure::ErrorKind;
use crate::meaning;
use crate::model::answer::{self, Meaning, MeaningError, Number};
use crate::number::memory;
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::places::QUESTION;
use crate::session::reach::Reach;
use crate::session::tolerance::{Digits, Goal, IntoTolerance, ToleranceError, USUAL};
use crate::session::{Session, SessionError, remedy, why};
use crate::syntax::constant::Constant;
use crate::syntax::library::TRACE;
use crate::syntax::mention::{mentioned, namesakes};
use crate::syntax::source::Source;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Value, ValueError};
use std::sync::Arc;

/// Advice for an equation of real numbers, which no finite precision decides.
const NEARNESS: &str = "real numbers are compared by x < y, and near if abs (x - y) < 1e-9; in a theory, `x ~ y` and `x within 1e-9 of 1.5`";

/// Advice for a recursion decided by a number that may be real.
const COUNTS: &str = "annotate a parameter that counts, (n : Nat); otherwise ";

/// A question for the value of a program.
///
/// | requested | by | default |
/// |---|---|---|
/// | the accuracy | [`within`](Self::within), [`relative`](Self::relative), [`digits`](Self::digits) | 10⁻⁶, or 16 digits |
/// | the semantics | [`model`](Self::model) | presheaves |
///
/// # Examples
/// ```
/// use smoothish::session::{Evaluate, Limits, Session};
/// let session = Session::new();
/// let slope = Evaluate::new(r"deriv (\x => max 0 x) 0").within(1e-9);
/// let answer = session.ask(&slope, &Limits::seconds(60))?;
/// assert_eq!(answer.ty().map(ToString::to_string).as_deref(), Some("Real"));
/// // a set, which no width makes a number
/// assert!(!answer.is_reached() && answer.notes()[0].text.contains("this is a set"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluate {
    source: Arc<Source>,
    known: Option<(Term, Ty)>,
    model: String,
    goal: Result<Goal, ToleranceError>,
    /// The accuracy of the computation, if it is finer than that of the answer.
    finer: Option<Goal>,
}

impl Evaluate {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::of(Arc::new(Source::new(QUESTION, text)))
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn of(source: Arc<Source>) -> Self {
        Self { source, known: None, model: meaning::DEFAULT.to_owned(), goal: Ok(Goal::default()), finer: None }
    }

    /// Creates the question for a program whose type is known. Messages quote parts of `source`.
    #[must_use]
    pub fn typed(source: Arc<Source>, term: Term, ty: Ty) -> Self {
        Self { known: Some((term, ty)), ..Self::of(source) }
    }

    /// Selects the semantics by its name.
    #[must_use]
    pub fn model(self, name: &str) -> Self {
        Self { model: name.to_owned(), ..self }
    }

    /// Sets the requested accuracy.
    #[must_use]
    pub fn goal(self, goal: Goal) -> Self {
        Self { goal: Ok(goal), ..self }
    }

    /// Computes more accurately than the goal, so that an exact value is recognised. The answer is judged by the goal.
    #[must_use]
    pub fn asking(self, finer: Goal) -> Self {
        Self { finer: Some(finer), ..self }
    }

    /// Requests intervals of at most this width.
    #[must_use]
    pub fn within(self, eps: impl IntoTolerance) -> Self {
        let goal = self.goal.and_then(|goal| Ok(Goal { eps: Some(eps.into_tolerance()?), ..goal }));
        Self { goal, ..self }
    }

    /// Requests intervals of at most this width relative to the number. With [`within`](Self::within), one of both is
    /// enough.
    #[must_use]
    pub fn relative(self, rel: impl IntoTolerance) -> Self {
        let goal = self.goal.and_then(|goal| Ok(Goal { rel: Some(rel.into_tolerance()?), ..goal }));
        Self { goal, ..self }
    }

    /// Requests a number of significant digits.
    #[must_use]
    pub fn digits(self, count: u32) -> Self {
        let goal = self.goal.and_then(|goal| Ok(Goal { digits: Some(Digits::new(count)?), ..goal }));
        Self { goal, ..self }
    }
}

impl Question for Evaluate {
    type Output = Value<Number>;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Value<Number>, Diagnostic> {
        let goal = session.goal(&self.goal, USUAL)?;
        let (term, ty) = match &self.known {
            Some(known) => known.clone(),
            None => session.infer(&self.source.text).map_err(|e| session.diagnose(&self.source, &e.into()))?,
        };
        on.is_of_type(ty.clone());
        let meaning = session.meaning(&self.model)?;
        match on.limits().unfoldings {
            None => self.evaluated(session, meaning, &term, &ty, &goal, on),
            Some(count) => {
                let limited = meaning.limited(count).ok_or_else(|| session.without_approximants(&self.model, count))?;
                self.evaluated(session, &*limited, &term, &ty, &goal, on)
            }
        }
    }
}

impl Evaluate {
    fn evaluated(
        &self,
        session: &Session,
        meaning: &dyn Meaning,
        term: &Term,
        ty: &Ty,
        goal: &Goal,
        on: &mut Scope<'_>,
    ) -> Result<Value<Number>, Diagnostic> {
        let source = &self.source;
        let asked = self.finer.as_ref().unwrap_or(goal).accuracy();
        let found = meaning.answer_to(term, ty, &asked, on.budget());
        let found = found.map_err(|error| session.unanswered(source, meaning.name(), term, ty, error, on))?;
        // Refused only after evaluation, so that an error of the semantics itself comes first.
        if sampled(ty).is_some() {
            return Err(Diagnostic::wrong(format!(
                "error: a program that samples, of type {ty}, has no single value\n  = help: `smoothish normaliser`, `expect` and `infer` ask for its mass and for means, `plot --density` draws it"
            )));
        }
        if let Err(what) = shows_numbers(&found.value, ty) {
            let cure = remedy::of_type(ty, term, &source.text);
            let text = format!("error: the value is {what}, of type {ty}: {cure}");
            return Err(Diagnostic::wrong(text).named("no-number"));
        }
        session.tell(source, term, ty, goal, &found, on);
        Ok(found.value)
    }
}

impl Session {
    /// Returns the requested accuracy, or the default: a width of 10 to `usual`.
    pub(super) fn goal(&self, goal: &Result<Goal, ToleranceError>, usual: i32) -> Result<Goal, Diagnostic> {
        let goal = goal.as_ref().map_err(|error| Diagnostic::wrong(format!("error: {error}")).named("tolerance"))?;
        Ok(goal.or_power(usual))
    }

    /// Records the notes on a value.
    fn tell(
        &self,
        source: &Arc<Source>,
        term: &Term,
        ty: &Ty,
        goal: &Goal,
        found: &answer::Answer,
        on: &mut Scope<'_>,
    ) {
        // Of several numbers one is enough: any that ran out of budget makes the answer one that was cut short.
        let is_cut = |number: &Number| match number {
            Number::Enclosure(found) => found.exhausted && !found.reached,
            Number::Float { .. } => false,
        };
        if found.value.numbers().into_iter().any(is_cut) {
            on.is_cut_short();
        }
        for place in &found.assumed {
            let note = Note::new("assumed", NoteKind::Assumption, self.promise(source, place));
            on.note(note.at(self.locate(source, place)));
        }
        let mut remark = |id, text: String| on.note(Note::new(id, NoteKind::Remark, text));
        namesakes(None, term)
            .iter()
            .filter_map(|found| Self::means_earlier(source, found))
            .for_each(|text| remark("namesake", text));
        for said in &found.remarks {
            let note = Note::new("remark", NoteKind::Remark, self.remark(source, said));
            on.note(note.at(said.place.as_ref().and_then(|place| self.locate(source, place))));
        }
        let mut remark = |id, text: Option<String>| {
            if let Some(text) = text {
                on.note(Note::new(id, NoteKind::Remark, text));
            }
        };
        // At most one of these two: beside a hint on the value, one on its type would distract.
        match remedy::of_difference(term, &found.value) {
            Some(text) => remark("difference", Some(text)),
            None => remark("rows", remedy::of_rows(ty)),
        }
        remark("tight", remedy::of_tight(&source.text));
        if let Some(undefined) = &found.undefined {
            on.is_undefined(self.undefined(source, undefined));
        }
        if Reach::of_value(&found.value, &goal.accuracy()) != Reach::Reached {
            on.is_wide();
        }
        why::note(&found.value, goal, on);
    }

    /// Renders the error of a semantics, with advice.
    pub(super) fn unanswered(
        &self,
        source: &Arc<Source>,
        model: &str,
        term: &Term,
        ty: &Ty,
        error: MeaningError,
        on: &Scope<'_>,
    ) -> Diagnostic {
        if let Some(unsupported) = error.lacks() {
            let mut others = meaning::that_have(term, ty, model);
            let equated = mentioned(term, Constant::equates_reals)
                .and_then(Constant::operator)
                .filter(|sign| unsupported.construct.starts_with(&format!("`{sign}`")));
            // The semantics made for borders comes first, before the one that evaluates by value.
            others.sort_by_key(|other| equated.is_some() && *other != meaning::pap::NAME);
            let others = others.join(", or --model ");
            let recursive = unsupported.construct.strip_prefix("the recursion of `");
            let counts = recursive.map_or_else(String::new, |rest| {
                let function = rest.split('`').next().unwrap_or_default();
                match remedy::counting(function, term, &source.text) {
                    Some((name, written)) => {
                        format!("annotate a parameter that counts, ({name} : Nat): {written}; otherwise ")
                    }
                    None => COUNTS.to_owned(),
                }
            });
            let help = match (equated, &*others) {
                (None, "") => String::new(),
                (None, others) => format!("\n  = help: {counts}try --model {others}"),
                (Some(_), "") => format!("\n  = help: {NEARNESS}"),
                (Some(_), others) => format!("\n  = help: {NEARNESS}; whether they are equal, ask --model {others}"),
            };
            return Diagnostic::shown("unsupported", ErrorKind::Unsupported, format!("error: {unsupported}{help}"));
        }
        let limits = on.limits();
        // Only an exhausted unfolding has several causes; the most specific one is reported.
        let error = error.into();
        if !matches!(error, SessionError::Interpretation(ValueError::Exhausted { .. })) {
            return self.diagnose(source, &error);
        }
        if limits.is_interrupted() {
            return Diagnostic::nothing("error: interrupted before the program was unfolded").named("interrupt");
        }
        if memory::was_short() {
            let text =
                "error: 1 GB of memory was not enough to unfold the program: its recursion may be long, or not end";
            return Diagnostic::nothing(text).named("memory");
        }
        if limits.time.is_some_and(|time| on.elapsed() >= time) {
            return Diagnostic::nothing(format!(
                "error: {} s were not enough to unfold the program: its recursion may be long",
                limits.seconds_written()
            ))
            .named("time");
        }
        self.diagnose(source, &error)
    }

    fn without_approximants(&self, model: &str, count: u64) -> Diagnostic {
        let have = self.meanings().filter(|meaning| meaning.limited(count).is_some());
        let have = have.map(|meaning| format!("--model {}", meaning.name())).collect::<Vec<_>>();
        let have = have.join(", or ");
        Diagnostic::wrong(format!("error: the model `{model}` has no approximants of recursion\n  = help: try {have}"))
    }
}

/// Returns `A` for the type `P A` of probabilistic programs. `None` for other types.
#[must_use]
pub fn sampled(ty: &Ty) -> Option<Ty> {
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
fn shows_numbers(value: &Value<Number>, ty: &Ty) -> Result<(), &'static str> {
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
                Some(ty) => crate::stack::deep(|| shows_numbers(argument, &ty.with(arguments))),
                None => Ok(()),
            }
        }
        (Value::Function(_) | Value::Tangent(_) | Value::Isomorphism(..), _) => Err(value.kind().name()),
        (Value::Tuple(_) | Value::List(_) | Value::Variant(..), _) => Err("a value of an unknown type"),
    }
}
