//! The prompt: answers one input after another, each a question, a definition or a command.

use super::command;
use super::layout;
use crate::cli::eval;
use crate::cli::evaluator::Workbench;
use crate::cli::output::Streams;
use crate::cli::plot;
use crate::cli::status::Status;
use crate::number::Rational;
use crate::plot::text;
use crate::session::definitions::Content;
use crate::session::reach::Reach;
use crate::session::tolerance::{ENOUGH, Goal, Timeout};
use crate::session::{Diagnostic, Envelope, Session};
use crate::syntax::mention::namesakes;
use crate::syntax::parser::{Input, parse_input};
use crate::syntax::report;
use crate::syntax::source::Source;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The state of a prompt.
pub struct Prompt<'l> {
    /// The theories and definitions.
    pub library: &'l mut Workbench,
    /// The requested accuracy.
    pub goal: Goal,
    /// The limit of time of a question.
    pub timeout: Timeout,
    /// `true` if answers show their times.
    pub timed: bool,
    /// The flag that stops the running question.
    pub interrupted: Arc<AtomicBool>,
    /// The name of the input in messages.
    pub name: String,
    /// The line of the input at which the current question begins.
    pub line: usize,
}

/// The result of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// The status of its answer.
    Status(Status),
    /// The input was `:quit`.
    Quit,
}

impl Streams<'_> {
    /// Prints an answer, unless it is empty.
    pub(super) fn say(&mut self, text: &str) -> io::Result<Done> {
        if !text.is_empty() {
            writeln!(self.out, "{text}")?;
            self.out.flush()?;
        }
        Ok(Done::Status(Status::Reached))
    }

    /// Prints a diagnostic in place of an answer.
    pub(super) fn refuse(&mut self, refusal: &Diagnostic) -> io::Result<Done> {
        writeln!(self.err, "{}", refusal.report())?;
        Ok(Done::Status(Status::from(refusal.kind)))
    }

    /// Prints an answer or a diagnostic.
    pub(super) fn tell(&mut self, text: Result<String, Diagnostic>) -> io::Result<Done> {
        match text {
            Ok(text) => self.say(&text),
            Err(refusal) => self.refuse(&refusal),
        }
    }

    /// Prints the definitions that reloading has removed, with the reasons.
    pub(super) fn left_behind(&mut self, left: &[Diagnostic]) -> io::Result<Status> {
        for refusal in left {
            writeln!(self.err, "{}\n  = note: this definition is gone", refusal.report())?;
        }
        Ok(Status::worst(left.iter().map(|refusal| Status::from(refusal.kind))))
    }
}

impl Prompt<'_> {
    /// Answers one input, which may have several lines. An empty one has no answer.
    ///
    /// # Errors
    /// Errors of writing.
    pub fn enter(&mut self, text: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
        if let Some(rest) = text.trim().strip_prefix(':') {
            let (word, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            return match command::named(word) {
                Ok(command) => (command.run)(self, argument.trim(), streams),
                Err(refusal) => streams.refuse(&refusal),
            };
        }
        // The words of other prompts, unless they have a meaning in this session.
        if matches!(text.trim(), "exit" | "quit" | "exit()" | "quit()") && self.library.session.infer(text).is_err() {
            return Ok(Done::Quit);
        }
        match parse_input(text, &[]) {
            Ok(Input::Nothing) => Ok(Done::Status(Status::Reached)),
            Ok(Input::Definition(_) | Input::Type(_)) => self.define(text, streams),
            Ok(Input::Expression(_)) => self.ask(text, streams),
            Err(error) => {
                let message = report::render(&self.source(text), &error.into());
                streams.refuse(&Diagnostic::wrong(message.trim_end()))
            }
        }
    }

    /// Returns the text of an input as a source with its name and line.
    pub(super) fn source(&self, text: &str) -> Source {
        Source::new(self.name.as_str(), text).from_line(self.line)
    }

    /// Adds a definition to the session, and prints its type.
    fn define(&mut self, text: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
        let source = self.source(text);
        match self.library.define(source.clone()) {
            Ok(entry) => match &entry.content {
                Content::Value(definition) | Content::Answer(definition) => {
                    // A name in its own definition means the earlier one, unless `rec` stands there: a frequent
                    // mistake.
                    for found in namesakes(Some(&definition.name), &definition.term) {
                        if let Some(note) = Session::means_earlier(&source, &found) {
                            writeln!(streams.err, "note: {note}")?;
                        }
                    }
                    streams.say(&format!("{} : {}", definition.name, definition.scheme))
                }
                Content::Type(alias) => streams.say(&format!("type {}", alias.name)),
            },
            Err(refusal) => streams.refuse(&refusal),
        }
    }

    /// Answers an expression.
    pub(super) fn ask(&mut self, text: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
        let limits = self.timeout.limits(&self.interrupted);
        let source = self.source(text);
        let to = &self.goal.accuracy();
        // Asked as accurately as on a command line, so that an exact value is recognised; shown as accurately as there
        // is room.
        let asked = self.goal.clone().with_enough(ENOUGH);
        let answer = match self.library.ask_and_remember(source, &self.goal, &asked, &limits) {
            Ok(answer) => answer,
            Err(refusal) => return streams.refuse(&refusal),
        };
        let elapsed = self.timed.then_some(answer.elapsed());
        streams.say(&layout::line(&eval::shown_value(&answer), to, elapsed))?;
        streams.notes(answer.notes())?;
        Ok(Done::Status(Reach::of_value(answer.value(), to).into()))
    }

    /// Draws a function between two numbers.
    pub(super) fn plot(
        &mut self,
        text: &str,
        [from, to]: [Rational; 2],
        streams: &mut Streams<'_>,
    ) -> io::Result<Done> {
        let style = plot::usual_style();
        let limits = self.timeout.limits(&self.interrupted);
        let question = Envelope::of(Arc::new(self.source(text)), style.request(from, to)).ascii(!plot::is_utf8());
        let drawn = match self.library.ask_shown("drawing", Some(&Rational::from(1)), &question, &limits) {
            Ok(drawn) => drawn,
            Err(refusal) => return streams.refuse(&refusal),
        };
        streams.say(&text::draw(drawn.value(), style).join("\n"))?;
        streams.notes(drawn.notes())?;
        Ok(Done::Status(plot::report::status(&drawn.value().envelopes)))
    }

    /// Loads theories, and prints their names.
    pub(super) fn load(&mut self, files: &[PathBuf], streams: &mut Streams<'_>) -> io::Result<Done> {
        match self.library.load_files(files) {
            Ok((theories, left)) => {
                let status = streams.left_behind(&left)?;
                for theory in theories {
                    let definitions = self.library.modules().module(&theory.name);
                    let count = definitions.map_or(0, |module| module.definitions().len() + module.aliases().len());
                    let claims = theory.claims.len();
                    streams.say(&format!("theory {}: {count} definitions, {claims} claims", theory.name))?;
                }
                Ok(Done::Status(status))
            }
            Err(refusal) => streams.refuse(&refusal),
        }
    }
}
