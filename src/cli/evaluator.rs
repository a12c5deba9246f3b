//! The evaluator: the theories that come with the program, and a session in which programs see their definitions.

mod pictures;

use super::ask::{Drawn, Limits, Refusal, Report, Respondent, Undefined};
use super::measure::{self, Read};
use super::progress::Progress;
use super::remedy;
use super::status::Status;
use super::value::{number, value};
use crate::failure::{ErrorKind, Failure};
use crate::meaning;
use crate::meaning::presheaf::{Place, Presheaf};
use crate::model::answer::{self, Meaning, MeaningError, Remark};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, memory};
use crate::plot::density::{self, DensityError};
use crate::plot::{self};
use crate::session::definitions::MODULE;
use crate::session::{Session, SessionError};
use crate::syntax::constant::Constant;
use crate::syntax::lexer::excerpt;
use crate::syntax::mention::{Namesake, mentioned, namesakes};
use crate::syntax::report;
use crate::syntax::source::{Source, Span};
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::theory::builtin;
use crate::theory::loader::Theories;
use crate::value::{BelowZero, ValueError};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// What is written in place of an equation of real numbers, which no finite precision decides.
const NEARNESS: &str = "real numbers are compared by x < y, and near if abs (x - y) < 1e-9; in a theory, `x ~ y` and `x within 1e-9 of 1.5`";

/// What a question is called in messages.
const QUESTION: &str = "question";

/// What helps where a recursion is decided by a number that nothing says is natural.
const COUNTS: &str = "annotate a parameter that counts, (n : Nat); otherwise ";

/// The theories, and a session over them.
#[derive(Debug)]
pub struct Workbench {
    pub(super) theories: Theories,
    pub(super) session: Session,
    pub(super) files: Vec<PathBuf>,
    pub(super) shows_progress: bool,
}

impl Workbench {
    /// The theories that come with the program.
    #[must_use]
    pub fn load() -> Self {
        Self::with(builtin::load())
    }

    fn with(theories: Theories) -> Self {
        let session = Session::with(theories.library().clone());
        Self { theories, session, files: Vec::new(), shows_progress: false }
    }

    /// Whether questions that take long show how far they are, on the error stream: for a terminal.
    pub fn show_progress(&mut self, shows: bool) {
        self.shows_progress = shows;
    }

    /// An error at its place: in the question, or in the theory whose definition it stands in.
    pub(super) fn refusal(&self, source: &Source, error: &SessionError) -> Refusal {
        let status = match error.kind() {
            ErrorKind::Limit | ErrorKind::Contradiction => Status::Nothing,
            ErrorKind::Wrong | ErrorKind::Unsupported => Status::Wrong,
        };
        let undefined = match error {
            SessionError::Meaning(MeaningError::Undefined(found)) => Some(self.undefined(source, found)),
            _ => None,
        };
        let message = match error {
            SessionError::Program(error) => report::render(source, error),
            SessionError::Interpretation(ValueError::BelowZero(below)) => self.below_zero(source, below),
            SessionError::Evaluation { place: Some(place), .. } => self.message_at(source, &error.to_string(), place),
            SessionError::Meaning(MeaningError::Undefined(found)) => match &found.place {
                Some(place) => self.message_at(source, &found.message, place),
                None => format!("error: {}", found.message),
            },
            other => format!("error: {other}"),
        };
        Refusal { message: message.trim_end().to_owned(), status, undefined }
    }

    /// That a difference of natural numbers is less than 0, where it stands, and what to write instead.
    pub(super) fn below_zero(&self, question: &Source, below: &BelowZero) -> String {
        let definitions = self.session.definitions();
        let source = match &below.definition {
            None => Some(question),
            Some((module, name)) => {
                let definition = self.session.library().module(module).and_then(|module| module.definition(name));
                match definition.and_then(|definition| definitions.source_of(definition)) {
                    Some(source) => Some(&**source),
                    None => self.theories.source(module).map(|source| &**source),
                }
            }
        };
        let (Some(source), Some((start, end))) = (source, below.span) else { return format!("error: {below}") };
        let compared = below.compared.map(|(start, _)| source.position(start));
        report::render_message(source, &below.message(compared), Span::new(start, end), below.help.clone())
    }

    /// Why there is no number, with its place in words.
    fn undefined(&self, source: &Source, found: &answer::Undefined) -> Undefined {
        Undefined {
            place: found.place.as_ref().and_then(|place| self.position(source, place)),
            cause: found.cause,
            message: found.message.clone(),
            help: self.help_for(source, found),
        }
    }

    /// Returns the help for a number that is not defined; `None` if there is nothing to add.
    fn help_for(&self, source: &Source, found: &answer::Undefined) -> Option<String> {
        if let Some(name) = &found.library {
            let is_told = remedy::of_undefined(name, "", None);
            return Some(is_told.unwrap_or_else(|| format!("smoothish doc {name} says where it has a value")));
        }
        self.cause_of(source, found.place.as_ref()?, &found.message)
    }

    /// What explains that there is no number at a place.
    fn cause_of(&self, source: &Source, place: &Place, operation: &str) -> Option<String> {
        let written = place.span.of(&self.source_of(source, place)?.text);
        let of = place.definition.as_ref().filter(|of| self.session.definitions().source_of(of).is_none());
        remedy::of_undefined(written, operation, of.map(|of| &*of.name))
    }

    /// A message at a place, in the question or in the theory whose definition it stands in.
    fn message_at(&self, source: &Source, message: &str, place: &Place) -> String {
        match self.source_of(source, place) {
            Some(source) => report::render_message(source, message, place.span, None),
            None => format!("error: {message}"),
        }
    }

    /// The refusal of a question that is wrong at a place.
    pub(super) fn refusal_at(&self, source: &Source, message: &str, place: &Place) -> Refusal {
        Refusal::wrong(self.message_at(source, message, place).trim_end())
    }

    fn source_of<'a>(&'a self, question: &'a Source, place: &Place) -> Option<&'a Source> {
        match &place.definition {
            None => Some(question),
            Some(definition) => match self.session.definitions().source_of(definition) {
                Some(source) => Some(source),
                None => self.theories.source(&definition.module).map(|source| &**source),
            },
        }
    }

    /// The promise that an answer relies on, where it was made.
    fn promise(&self, question: &Source, place: &Place) -> String {
        let promise = "assuming that cutRoot was given a function with one change of sign";
        match self.position(question, place) {
            Some(position) => format!("{promise}, at {position}"),
            None => promise.to_owned(),
        }
    }

    /// What there is to say of an answer, with what is written at its place.
    fn remark(&self, question: &Source, Remark { before, place, after }: &Remark) -> String {
        let written = place.as_ref().and_then(|place| self.written(question, place));
        let written = written.map_or_else(String::new, |text| format!(" {text}"));
        format!("{before}{written}{after}").trim_start().to_owned()
    }

    /// That a function means another of its own name where it may be meant to call itself. A name with its module is meant.
    pub(super) fn means_earlier(source: &Source, Namesake { name, module, span }: &Namesake) -> Option<String> {
        let (line, column) = source.position(span.start);
        let whose = match module.as_deref() {
            None => "that of the language".to_owned(),
            Some(MODULE) => "the earlier one".to_owned(),
            Some(theory) => format!("that of the theory {theory}"),
        };
        (span.of(&source.text) == &**name).then(|| {
            format!(
                "in its own definition `{name}` ({line}:{column}) is {whose}; a function that calls itself is defined by \
                 let rec {name}"
            )
        })
    }

    /// What is written at a place, and where that is: `x == 0 (1:15)`.
    pub(super) fn written(&self, question: &Source, place: &Place) -> Option<String> {
        let text = excerpt(place.span.of(&self.source_of(question, place)?.text));
        let position = self.position(question, place)?;
        let position = position.strip_prefix(&format!("{QUESTION}:")).unwrap_or(&position);
        Some(format!("{text} ({position})"))
    }

    /// `source:line:column`
    pub(super) fn position(&self, question: &Source, place: &Place) -> Option<String> {
        let source = self.source_of(question, place)?;
        let (line, column) = source.position(place.span.start);
        Some(format!("{}:{line}:{column}", source.name))
    }
}

impl Respondent for Workbench {
    fn ask(&mut self, text: &str, to: &Accuracy, limits: &Limits) -> Result<Report, Refusal> {
        self.ask_source(&Source::new(QUESTION, text), to, limits)
    }

    fn ask_source(&mut self, source: &Source, to: &Accuracy, limits: &Limits) -> Result<Report, Refusal> {
        let (term, ty) = self.infer(source)?;
        self.answer(source, &term, ty, to, limits)
    }

    fn ask_in(&mut self, model: &str, source: &Source, to: &Accuracy, limits: &Limits) -> Result<Report, Refusal> {
        let meaning =
            meaning::named(model).ok_or_else(|| Refusal::wrong(format!("error: there is no model `{model}`")))?;
        let (term, ty) = self.infer(source)?;
        let Some(fuel) = limits.fuel else { return self.answer_in(meaning, source, &term, &ty, to, limits) };
        let limited = meaning.limited(fuel).ok_or_else(|| {
            let have = meaning::all().iter().filter(|meaning| meaning.limited(fuel).is_some());
            let have = have.map(|meaning| format!("--model {}", meaning.name())).collect::<Vec<_>>();
            let have = have.join(", or ");
            Refusal::wrong(format!("error: the model `{model}` has no approximants of recursion\n  = help: try {have}"))
        })?;
        self.answer_in(&*limited, source, &term, &ty, to, limits)
    }

    fn plot(&mut self, source: &Source, request: &plot::Request, limits: &Limits) -> Result<Drawn, Refusal> {
        let start = Instant::now();
        let drawn = self.watched("drawing", &Rational::from(1).into(), limits, |budget| {
            request.check()?;
            plot::envelopes(&self.session.curve(&source.text)?, &source.text, request, budget)
        });
        let plot = drawn.map_err(|error| self.undrawn(source, error))?;
        Ok(self.drawn(source, plot, start, limits))
    }

    fn density(&mut self, source: &Source, request: &plot::Request, limits: &Limits) -> Result<Drawn, Refusal> {
        let start = Instant::now();
        let Read { term, gives, .. } = measure::read(false, source, self)?;
        if gives != Ty::real() {
            return Err(Refusal::wrong(format!(
                "error: a density is drawn of a program that gives real numbers, of type P Real, and this one gives {gives}"
            )));
        }
        let drawn = self.watched("drawing", &Rational::from(1).into(), limits, |budget| {
            density::envelopes(&term, &source.text, request, budget)
        });
        let plot = drawn.map_err(|error| match error {
            DensityError::Plot(error) => self.undrawn(source, error),
            DensityError::Measure(fault) => measure::refused(fault, source, self),
        })?;
        Ok(self.drawn(source, plot, start, limits))
    }
}

impl Workbench {
    /// The term and the type of an expression.
    ///
    /// # Errors
    /// A [`Refusal`] that shows the place of what is wrong.
    pub(super) fn infer(&self, source: &Source) -> Result<(Term, Ty), Refusal> {
        self.session.infer(&source.text).map_err(|e| self.refusal(source, &e.into()))
    }

    /// The term of an expression of this type.
    ///
    /// # Errors
    /// A [`Refusal`] that shows the place of what is wrong.
    pub(super) fn infer_at(&self, source: &Source, ty: &Ty) -> Result<Term, Refusal> {
        self.session.infer_at(&source.text, ty).map_err(|e| self.refusal(source, &SessionError::Program(e)))
    }

    /// What is done within limits, watched on a terminal.
    fn watched<R>(&self, work: &str, to: &Accuracy, limits: &Limits, run: impl FnOnce(&Arc<Budget>) -> R) -> R {
        let budget = limits.budget();
        if !self.shows_progress {
            return run(&Arc::new(budget));
        }
        let progress = Arc::new(Progress::new(work, to.eps(), Box::new(io::stderr())));
        let result = run(&Arc::new(budget.observed_by(progress.clone())));
        progress.end();
        result
    }

    /// The value of a program of this source.
    ///
    /// # Errors
    /// As [`Respondent::ask`].
    pub(super) fn answer(
        &self,
        source: &Source,
        term: &Term,
        ty: Ty,
        to: &Accuracy,
        limits: &Limits,
    ) -> Result<Report, Refusal> {
        let meaning: &dyn Meaning = &Presheaf;
        self.answer_in(meaning, source, term, &ty, to, limits)
    }

    /// The answer of a meaning, watched on a terminal.
    ///
    /// # Errors
    /// [`MeaningError`]
    pub(super) fn state(
        &self,
        meaning: &dyn Meaning,
        term: &Term,
        ty: &Ty,
        to: &Accuracy,
        limits: &Limits,
    ) -> Result<answer::Answer, MeaningError> {
        self.watched("nothing yet", to, limits, |budget| meaning.answer_to(term, ty, to, budget))
    }

    pub(super) fn answer_in(
        &self,
        meaning: &dyn Meaning,
        source: &Source,
        term: &Term,
        ty: &Ty,
        to: &Accuracy,
        limits: &Limits,
    ) -> Result<Report, Refusal> {
        let start = Instant::now();
        let outcome = self.state(meaning, term, ty, to, limits).map_err(|error| match error.lacks() {
            Some(unsupported) => {
                let mut others = meaning::that_have(term, ty, meaning.name());
                let equated = mentioned(term, Constant::equates_reals)
                    .and_then(Constant::operator)
                    .filter(|sign| unsupported.construct.starts_with(&format!("`{sign}`")));
                // the model that is made for borders, before the one by value
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
                    (Some(_), others) => {
                        format!("\n  = help: {NEARNESS}; whether they are equal, ask --model {others}")
                    }
                };
                Refusal::wrong(format!("error: {unsupported}{help}"))
            }
            None => match error.into() {
                SessionError::Interpretation(ValueError::Exhausted { .. }) if limits.is_interrupted() => {
                    Refusal::nothing("error: interrupted before the program was unfolded")
                }
                SessionError::Interpretation(ValueError::Exhausted { .. }) if memory::was_short() => Refusal::nothing(
                    "error: 1 GB of memory was not enough to unfold the program: its recursion may be long, or not end",
                ),
                SessionError::Interpretation(ValueError::Exhausted { .. }) if start.elapsed() >= limits.timeout.0 => {
                    let seconds = limits.timeout;
                    Refusal::nothing(format!(
                        "error: {seconds} s were not enough to unfold the program: its recursion may be long"
                    ))
                }
                error => self.refusal(source, &error),
            },
        })?;
        if measure::sampled(ty).is_some() {
            return Err(Refusal::wrong(format!(
                "error: a program that samples, of type {ty}, has no single value\n  = help: `smoothish normaliser`, `expect` and `infer` ask for its mass and for means, `plot --density` draws it"
            )));
        }
        let cure = remedy::of_type(ty, term, &source.text);
        let (mut exhausted, mut whys) = (false, Vec::new());
        let told = &mut |found: &answer::Number| {
            whys.push(match found {
                answer::Number::Enclosure(found) => found.why.clone(),
                answer::Number::Float { .. } => None,
            });
            number(found, &mut exhausted)
        };
        let value = value(&outcome.value, ty, told)
            .map_err(|what| Refusal::wrong(format!("error: the value is {what}, of type {ty}: {cure}")))?;
        let remedy = remedy::of_difference(term, &value).or_else(|| remedy::of_rows(ty));
        let stop = limits.stop();
        Ok(Report {
            ty: ty.to_string(),
            value,
            stopped: exhausted.then_some(stop),
            whys,
            notes: outcome
                .assumed
                .iter()
                .map(|place| self.promise(source, place))
                .chain(namesakes(None, term).iter().filter_map(|found| Self::means_earlier(source, found)))
                .chain(outcome.remarks.iter().map(|remark| self.remark(source, remark)))
                .chain(remedy)
                .chain(remedy::of_tight(&source.text))
                .collect(),
            undefined: outcome.undefined.map(|found| self.undefined(source, &found)),
            elapsed: start.elapsed(),
        })
    }
}
