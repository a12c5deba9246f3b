//! The prompt: answers one input after another, each a question, a definition or a command.

use super::command;
use super::layout;
use crate::cli::eval;
use crate::cli::evaluator::TheorySession;
use crate::cli::output::Streams;
use crate::cli::plot;
use crate::cli::status::Status;
use crate::number::Rational;
use crate::plot::text;
use crate::session::definitions::DefinitionKind;
use crate::session::reach::AccuracyClass;
use crate::session::tolerance::{AccuracyGoal, DEFAULT_DIGITS, Timeout};
use crate::session::{Diagnostic, PlotEnvelopes, Session};
use crate::syntax::mention::find_shadowed_recursions;
use crate::syntax::parser::{PromptInput, parse_input};
use crate::syntax::report;
use crate::syntax::source::SourceText;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The state of a prompt.
pub struct Prompt<'l> {
    /// The theories and definitions.
    pub library: &'l mut TheorySession,
    /// The requested accuracy.
    pub goal: AccuracyGoal,
    /// The limit of time of a question.
    pub timeout: Timeout,
    /// `true` if answers show their times.
    pub shows_time: bool,
    /// The flag that stops the running question.
    pub interrupted: Arc<AtomicBool>,
    /// The name of the input in messages.
    pub name: String,
    /// The line of the input at which the current question begins.
    pub line: usize,
}

/// The result of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputResult {
    /// The status of its answer.
    Status(Status),
    /// The input was `:quit`.
    Quit,
}

impl Streams<'_> {
    /// Prints an answer, unless it is empty.
    pub(super) fn print_answer(&mut self, text: &str) -> io::Result<InputResult> {
        if !text.is_empty() {
            writeln!(self.out, "{text}")?;
            self.out.flush()?;
        }
        Ok(InputResult::Status(Status::Reached))
    }

    /// Prints a diagnostic in place of an answer.
    pub(super) fn print_refusal(&mut self, refusal: &Diagnostic) -> io::Result<InputResult> {
        writeln!(self.err, "{}", refusal.report())?;
        Ok(InputResult::Status(Status::from(refusal.kind)))
    }

    /// Prints an answer or a diagnostic.
    pub(super) fn print_result(&mut self, text: Result<String, Diagnostic>) -> io::Result<InputResult> {
        match text {
            Ok(text) => self.print_answer(&text),
            Err(refusal) => self.print_refusal(&refusal),
        }
    }

    /// Prints the definitions that reloading has removed, with the reasons.
    pub(super) fn print_lost_definitions(&mut self, left: &[Diagnostic]) -> io::Result<Status> {
        for refusal in left {
            writeln!(self.err, "{}\n  = note: this definition is gone", refusal.report())?;
        }
        Ok(Status::worst_of(left.iter().map(|refusal| Status::from(refusal.kind))))
    }
}

impl Prompt<'_> {
    /// Answers one input, which may have several lines. An empty one has no answer.
    ///
    /// # Errors
    /// Errors of writing.
    pub fn answer_input(&mut self, text: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
        if let Some(rest) = text.trim().strip_prefix(':') {
            let (word, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            return match command::find_command(word) {
                Ok(command) => (command.run)(self, argument.trim(), streams),
                Err(refusal) => streams.print_refusal(&refusal),
            };
        }
        // The words of other prompts, unless they have a meaning in this session.
        if matches!(text.trim(), "exit" | "quit" | "exit()" | "quit()") && self.library.session.infer(text).is_err() {
            return Ok(InputResult::Quit);
        }
        match parse_input(text, &[]) {
            Ok(PromptInput::Empty) => Ok(InputResult::Status(Status::Reached)),
            Ok(PromptInput::Definition(_) | PromptInput::Type(_)) => self.define_name(text, streams),
            Ok(PromptInput::Expression(_)) => self.answer_expression(text, streams),
            Err(error) => {
                let message = report::render_error(&self.input_source(text), &error.into());
                streams.print_refusal(&Diagnostic::invalid_input(message.trim_end()))
            }
        }
    }

    /// Returns the text of an input as a source with its name and line.
    pub(super) fn input_source(&self, text: &str) -> SourceText {
        SourceText::new(self.name.as_str(), text).from_line(self.line)
    }

    /// Adds a definition to the session, and prints its type.
    fn define_name(&mut self, text: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
        let source = self.input_source(text);
        match self.library.define(source.clone()) {
            Ok(entry) => match &entry.content {
                DefinitionKind::Value(definition) | DefinitionKind::Answer(definition) => {
                    // A name in its own definition means the earlier one, unless `rec` stands there: a frequent
                    // mistake.
                    for found in find_shadowed_recursions(Some(&definition.name), &definition.term) {
                        if let Some(note) = Session::note_shadowed_recursion(&source, &found) {
                            writeln!(streams.err, "note: {note}")?;
                        }
                    }
                    streams.print_answer(&format!("{} : {}", definition.name, definition.scheme))
                }
                DefinitionKind::Type(alias) => streams.print_answer(&format!("type {}", alias.name)),
            },
            Err(refusal) => streams.print_refusal(&refusal),
        }
    }

    /// Answers an expression.
    pub(super) fn answer_expression(&mut self, text: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
        let limits = self.timeout.to_limits(&self.interrupted);
        let source = self.input_source(text);
        let to = &self.goal.accuracy();
        // Asked as accurately as on a command line, so that an exact value is recognised; shown as accurately as there
        // is room.
        let asked = self.goal.clone().with_default_digits(DEFAULT_DIGITS);
        let answer = match self.library.ask_and_set_ans(source, &self.goal, &asked, &limits) {
            Ok(answer) => answer,
            Err(refusal) => return streams.print_refusal(&refusal),
        };
        let elapsed = self.shows_time.then_some(answer.elapsed());
        streams.print_answer(&layout::format_answer(&eval::printable_value(&answer), to, elapsed))?;
        streams.print_notes(answer.notes())?;
        Ok(InputResult::Status(AccuracyClass::of_value(answer.value(), to).into()))
    }

    /// Draws a function between two numbers.
    pub(super) fn plot_function(
        &mut self,
        text: &str,
        [from, to]: [Rational; 2],
        streams: &mut Streams<'_>,
    ) -> io::Result<InputResult> {
        let style = plot::default_style();
        let limits = self.timeout.to_limits(&self.interrupted);
        let question = PlotEnvelopes::of(Arc::new(self.input_source(text)), style.plot_request(from, to))
            .ascii(!plot::is_utf8_locale());
        let drawn = match self.library.ask_with_progress("drawing", Some(&Rational::from(1)), &question, &limits) {
            Ok(drawn) => drawn,
            Err(refusal) => return streams.print_refusal(&refusal),
        };
        streams.print_answer(&text::draw_lines(drawn.value(), style).join("\n"))?;
        streams.print_notes(drawn.notes())?;
        Ok(InputResult::Status(plot::report::plot_status(&drawn.value().envelopes)))
    }

    /// Loads theories, and prints their names.
    pub(super) fn load_theories(&mut self, files: &[PathBuf], streams: &mut Streams<'_>) -> io::Result<InputResult> {
        match self.library.load_files(files) {
            Ok((theories, left)) => {
                let status = streams.print_lost_definitions(&left)?;
                for theory in theories {
                    let definitions = self.library.modules().module(&theory.name);
                    let count = definitions.map_or(0, |module| module.definitions().len() + module.named_types().len());
                    let claims = theory.claims.len();
                    streams.print_answer(&format!("theory {}: {count} definitions, {claims} claims", theory.name))?;
                }
                Ok(InputResult::Status(status))
            }
            Err(refusal) => streams.print_refusal(&refusal),
        }
    }
}
