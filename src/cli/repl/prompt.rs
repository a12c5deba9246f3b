//! The prompt: answers one input after another, each a question, a definition or a command.
//!
//! # The commands of the prompt
//!
//! One table for the dispatcher, `:help`, completion and "did you mean".
//!
//! A new command is a new row.
//!
//! # The commands `
//!
//! The commands `:law` and `:check`: tests of statements at the prompt.
//!
//! # The layout of an answer at the prompt
//!
//! One line with an enclosure, its width, and the digits that are certain.
//!
//! ```text
//! [1.41413, 1.41422]  width 9e-5  1.414…
//! ```
//! | part | meaning |
//! |---|---|
//! | `[lo, hi]` | the number lies between these ends, which are rounded outward |
//! | `width` | `hi - lo` as printed, rounded up to two digits; of a tuple, the largest |
//! | `width … of it` | the width relative to the number, if only that reaches the requested accuracy |
//! | digits | the digits on which both ends agree, and so every number between them; absent without any, or without room |
//!
//! Digits that end in `…` go on, others are the whole number. A value that is not known to be defined has none.

use crate::cli::arguments::{ClosedNumber, OutputFormat};
use crate::cli::correspondence::find_rows;
use crate::cli::demo::format_duration;
use crate::cli::evaluator::TheorySession;
use crate::cli::output::Streams;
use crate::cli::plot::end_notes;
use crate::cli::status::Status;
use crate::cli::value::{self, PrintableValue, format_with};
use crate::cli::{check, eval, plot, reference};
use crate::number::decimal::DecimalWidth;
use crate::number::tuning::Tuning;
use crate::number::{Accuracy, Rational};
use crate::plot::text;
use crate::session::compile::{DefinitionKind, SESSION_MODULE};
use crate::session::tolerance::{AccuracyClass, AccuracyGoal, DEFAULT_DIGITS, Timeout, ToleranceError};
use crate::session::{Diagnostic, Limits, PlotEnvelopes, Session};
use crate::syntax::name::nearest_name;
use crate::syntax::parser::{PromptInput, parse_input};
use crate::syntax::source;
use crate::syntax::source::SourceText;
use crate::syntax::substitution::find_shadowed_recursions;
use crate::theory::Theory;
use crate::theory::check::list_tasks;
use crate::theory::trial::{StatementOutcome, StatementTest, StatementTestConfig};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The state of a prompt.
pub struct Prompt<'l> {
    /// The theories and definitions.
    pub library: &'l mut TheorySession,
    /// The requested accuracy.
    pub goal: AccuracyGoal,
    /// The limit of time of a question.
    pub timeout: Timeout,
    /// The limits of the searches, unless they are the usual ones.
    pub tuning: Option<Arc<Tuning>>,
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

impl Prompt<'_> {
    /// Returns the limits of a question that is asked now.
    pub(super) fn limits(&self) -> Limits {
        Limits { tuning: self.tuning.clone(), ..self.timeout.to_limits(&self.interrupted) }
    }
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

/// Returns an input without the prompt in front of it, `> ` or `eps=1e-3> `, with which it was copied from a page. No expression begins so.
fn strip_pasted_prompt(text: &str) -> &str {
    let Some((prompt, rest)) = text.split_once("> ") else { return text };
    let goal = prompt.split_once('=').filter(|(name, width)| {
        matches!(*name, "eps" | "rel" | "digits") && !width.is_empty() && !width.contains(char::is_whitespace)
    });
    if prompt.is_empty() || goal.is_some() { rest } else { text }
}

impl Prompt<'_> {
    /// Answers one input, which may have several lines. An empty one has no answer.
    ///
    /// # Errors
    /// Errors of writing.
    pub fn answer_input(&mut self, text: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
        let text = strip_pasted_prompt(text);
        if let Some(rest) = text.trim().strip_prefix(':') {
            let (word, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            return match find_command(word) {
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
                let message = source::render_error(&self.input_source(text), &error.into());
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
                DefinitionKind::Value(definition)
                | DefinitionKind::Answer(definition)
                | DefinitionKind::Foreign(definition) => {
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
        let limits = self.limits();
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
        streams.print_answer(&format_answer(&eval::printable_value(&answer), to, elapsed))?;
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
        let limits = self.limits();
        let question = PlotEnvelopes::of(Arc::new(self.input_source(text)), style.plot_request(from, to))
            .ascii(!plot::is_utf8_locale());
        let drawn = match self.library.ask_with_progress("drawing", Some(&Rational::from(1)), &question, &limits) {
            Ok(drawn) => drawn,
            Err(refusal) => return streams.print_refusal(&refusal),
        };
        streams.print_answer(&text::draw_lines(drawn.value(), style).join("\n"))?;
        streams.print_notes(drawn.notes())?;
        Ok(InputResult::Status(plot::plot_status(&drawn.value().envelopes)))
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

/// A command of the prompt.
#[derive(Clone, Copy)]
pub struct PromptCommand {
    /// The word after the colon.
    pub name: &'static str,
    /// The argument, as `:help` shows it.
    pub argument: &'static str,
    /// The effect, in one line.
    pub about: &'static str,
    /// The kind of words that complete its argument.
    pub completes: ArgumentKind,
    /// The function that runs the command with its argument.
    pub run: fn(&mut Prompt<'_>, &str, &mut Streams<'_>) -> io::Result<InputResult>,
}

/// The kinds of words that complete the argument of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// Names and expressions.
    Names,
    /// Files.
    Files,
    /// Modules.
    Modules,
    /// No words: the argument cannot be guessed.
    Nothing,
}

/// Every command, in the order of `:help`.
pub const COMMANDS: &[PromptCommand] = &[
    command_row("eps", "E", "set the maximum width of answers; alone, show it", ArgumentKind::Nothing, set_eps),
    command_row("rel", "R", "set the maximum relative width; alone, show it", ArgumentKind::Nothing, set_rel),
    command_row(
        "digits",
        "N",
        "set the number of significant digits; alone, show it",
        ArgumentKind::Nothing,
        set_digits,
    ),
    command_row("timeout", "S", "set the time limit of a question, in seconds", ArgumentKind::Nothing, set_timeout),
    command_row("load", "FILE…", "load theories", ArgumentKind::Files, load_theories),
    command_row("reload", "", "read every loaded file again", ArgumentKind::Nothing, reload_theories),
    command_row(
        "save",
        "FILE",
        "write the definitions of the session as a theory",
        ArgumentKind::Files,
        save_definitions,
    ),
    command_row("type", "EXPR", "print the type of an expression", ArgumentKind::Names, print_type),
    command_row("normal", "EXPR", "print the βη-normal form of an expression", ArgumentKind::Names, print_normal_form),
    command_row("info", "NAME", "print the type of a name, its origin and definition", ArgumentKind::Names, print_info),
    command_row("doc", "NAME", "explain a name, with an example", ArgumentKind::Names, print_doc),
    command_row(
        "list",
        "[MODULE]",
        "list own definitions and modules, or those of one",
        ArgumentKind::Modules,
        print_list,
    ),
    command_row(
        "law",
        "(x : T) : E ~ F",
        "test a law, as in a theory, on random samples",
        ArgumentKind::Names,
        print_law_test,
    ),
    command_row(
        "check",
        "[THEORY]",
        "test laws and claims of a theory, or of loaded files",
        ArgumentKind::Modules,
        print_check,
    ),
    command_row(
        "plot",
        "EXPR from A to B",
        "draw a function of a real number, as text",
        ArgumentKind::Names,
        draw_plot,
    ),
    command_row("time", "on|off|EXPR", "show how long answers take, always or once", ArgumentKind::Names, show_time),
    command_row("help", "[NAME]", "list the commands, or explain a name", ArgumentKind::Nothing, print_help),
    command_row("quit", "", "leave; Ctrl-D does too", ArgumentKind::Nothing, quit_prompt),
];

/// Commands of other prompts, with the command of this one.
const FOREIGN_COMMANDS: &[(&[&str], &str)] = &[
    (&["exit", "q", "bye", "wq", "x"], ":quit"),
    (&["?", "h", "man"], ":help"),
    (&["vars", "who", "names", "ls", "dir", "browse", "show", "env"], ":list"),
    (&["set", "precision", "prec", "tol"], ":eps 1e-9, :digits 12 or :timeout 5"),
    (&["clear", "cls"], "Ctrl-L, which clears the screen"),
    (&["reset", "restart"], ":quit, and begin anew"),
    (&["import", "open", "source"], ":load FILE"),
];

/// Returns a row of the table.
const fn command_row(
    name: &'static str,
    argument: &'static str,
    about: &'static str,
    completes: ArgumentKind,
    run: fn(&mut Prompt<'_>, &str, &mut Streams<'_>) -> io::Result<InputResult>,
) -> PromptCommand {
    PromptCommand { name, argument, about, completes, run }
}

/// Finds the command that a word names: in full, or by a prefix that no other command has.
///
/// # Errors
/// A [`Diagnostic`] for a word that names none or several, with what may have been meant.
pub fn find_command(word: &str) -> Result<&'static PromptCommand, Diagnostic> {
    if let Some(exact) = COMMANDS.iter().find(|command| command.name == word) {
        return Ok(exact);
    }
    let begun: Vec<&PromptCommand> = COMMANDS.iter().filter(|c| !word.is_empty() && c.name.starts_with(word)).collect();
    match begun.as_slice() {
        [only] => Ok(only),
        [] => {
            // A word of another prompt tells more than a similar spelling.
            let elsewhere = FOREIGN_COMMANDS.iter().find(|(words, _)| words.contains(&word));
            let near = nearest_name(word, COMMANDS.iter().map(|command| command.name)).map(|near| format!(":{near}"));
            let help = match elsewhere.map(|(_, here)| (*here).to_owned()).or(near) {
                Some(meant) => format!("did you mean {meant}?"),
                None => ":help lists the commands".to_owned(),
            };
            // A choice: a pasted text must not fill the screen with its own error.
            let word: String = word.chars().take(40).collect();
            Err(Diagnostic::invalid_input(format!("error: there is no command `:{word}`\n  = help: {help}")))
        }
        several => {
            let names: Vec<String> = several.iter().map(|command| format!(":{}", command.name)).collect();
            Err(Diagnostic::invalid_input(format!("error: `:{word}` can be {}", names.join(" or "))))
        }
    }
}

/// Splits an argument into words at white space. `"a b"` and `a\ b` are one word.
#[must_use]
pub fn split_words(argument: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    let mut letters = argument.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                quoted = !quoted;
                // Two quotes are an empty word, not none.
                word.get_or_insert_default();
            }
            // Before any other letter a backslash stays, as in the paths of Windows.
            '\\' if letters.peek().is_some_and(|next| matches!(next, ' ' | '"' | '\\')) => {
                word.get_or_insert_default().extend(letters.next());
            }
            letter if letter.is_whitespace() && !quoted => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Returns the diagnostic of a wrong argument, with the expected one.
pub(super) fn usage_error(name: &str) -> Diagnostic {
    let argument = COMMANDS.iter().find(|c| c.name == name).map_or("", |c| c.argument);
    let wanted = if argument.is_empty() { "no argument".to_owned() } else { format!(":{name} {argument}") };
    Diagnostic::invalid_input(format!("error: expected {wanted}"))
}

/// Sets or shows the requested width.
fn set_eps(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    set_goal(|text| text.parse().map(AccuracyGoal::of_absolute_width), prompt, argument, streams)
}

/// Sets or shows the requested relative width.
fn set_rel(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    set_goal(|text| text.parse().map(AccuracyGoal::of_relative_width), prompt, argument, streams)
}

/// Sets or shows the requested number of significant digits.
fn set_digits(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    set_goal(|text| text.parse().map(AccuracyGoal::of_digits), prompt, argument, streams)
}

/// Sets the requested accuracy from now on. Shows the current one if the argument is empty.
fn set_goal(
    goal: impl Fn(&str) -> Result<AccuracyGoal, ToleranceError>,
    prompt: &mut Prompt<'_>,
    argument: &str,
    streams: &mut Streams<'_>,
) -> io::Result<InputResult> {
    if argument.is_empty() {
        return streams.print_answer(&prompt.goal.to_string());
    }
    match goal(argument) {
        Ok(goal) => {
            prompt.goal = goal;
            Ok(InputResult::Status(Status::Reached))
        }
        Err(e) => {
            streams.print_refusal(&Diagnostic::invalid_input(format!("error: `{}`: {e}", shorten_argument(argument))))
        }
    }
}

/// Sets or shows the limit of time of one question.
fn set_timeout(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    if argument.is_empty() {
        return streams.print_answer(&format!("timeout {} s", prompt.timeout));
    }
    match argument.parse() {
        Ok(timeout) => {
            prompt.timeout = timeout;
            Ok(InputResult::Status(Status::Reached))
        }
        Err(e) => {
            streams.print_refusal(&Diagnostic::invalid_input(format!("error: `{}`: {e}", shorten_argument(argument))))
        }
    }
}

/// Loads theories from files.
fn load_theories(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    let files: Vec<PathBuf> = split_words(argument).into_iter().map(PathBuf::from).collect();
    if files.is_empty() {
        return streams.print_refusal(&usage_error("load"));
    }
    prompt.load_theories(&files, streams)
}

/// Reads every loaded file again, and prints the definitions that no longer hold.
fn reload_theories(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    if !argument.is_empty() {
        return streams.print_refusal(&usage_error("reload"));
    }
    match prompt.library.reload() {
        Ok(left) => {
            let status = streams.print_lost_definitions(&left)?;
            streams.print_answer(&format!("{} theories", prompt.library.theories().theories().len()))?;
            Ok(InputResult::Status(status))
        }
        Err(refusal) => streams.print_refusal(&refusal),
    }
}

/// Writes the definitions of the session to a file, as a theory.
fn save_definitions(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    match split_words(argument).as_slice() {
        [file] => match prompt.library.save_definitions(&PathBuf::from(file)) {
            Ok((name, count)) => streams.print_answer(&format!("theory {name}: {count} definitions, {file}")),
            Err(refusal) => streams.print_refusal(&refusal),
        },
        _ => streams.print_refusal(&usage_error("save")),
    }
}

/// Prints the type of an expression.
fn print_type(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    if argument.is_empty() {
        return streams.print_refusal(&usage_error("type"));
    }
    match prompt.library.type_of(&Arc::new(prompt.input_source(argument))) {
        Ok(ty) => streams.print_answer(&ty),
        Err(refusal) => streams.print_refusal(&refusal),
    }
}

/// Prints the βη-normal form of an expression.
fn print_normal_form(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    if argument.is_empty() {
        return streams.print_refusal(&usage_error("normal"));
    }
    streams.print_result(prompt.library.normal_form_of(&Arc::new(prompt.input_source(argument))))
}

/// Prints the type, the origin and the definition of a name.
fn print_info(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    print_description("info", argument, streams, |name| reference::describe_for_info(prompt.library, name))
}

/// Prints the meaning of a name, with an example.
fn print_doc(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    // A place in a paper, as `H Lemma 7`, is a name of several words.
    if find_rows(argument).is_ok_and(|rows| !rows.is_empty()) {
        return streams.print_result(reference::describe_for_doc(prompt.library, argument));
    }
    print_description("doc", argument, streams, |name| reference::describe_for_doc(prompt.library, name))
}

/// Lists the definitions of the session, or those of a module.
fn print_list(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    match argument {
        "" => streams.print_result(reference::list_definitions(prompt.library, None)),
        _ => {
            print_description("list", argument, streams, |name| reference::list_definitions(prompt.library, Some(name)))
        }
    }
}

/// Prints the description of the one name that a command expects.
fn print_description(
    command: &str,
    argument: &str,
    streams: &mut Streams<'_>,
    describe: impl FnOnce(&str) -> Result<String, Diagnostic>,
) -> io::Result<InputResult> {
    if argument.is_empty() || argument.contains(char::is_whitespace) {
        return streams.print_refusal(&usage_error(command));
    }
    streams.print_result(describe(argument))
}

/// Switches the display of times on or off, or shows the time of one expression.
fn show_time(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    match argument {
        "" => streams.print_answer(if prompt.shows_time { "time on" } else { "time off" }),
        "on" | "off" => {
            prompt.shows_time = argument == "on";
            Ok(InputResult::Status(Status::Reached))
        }
        expression => {
            // Also after an error the setting is the one before: the result is returned last.
            let before = std::mem::replace(&mut prompt.shows_time, true);
            let done = prompt.answer_expression(expression, streams);
            prompt.shows_time = before;
            done
        }
    }
}

/// Draws a function between two numbers.
fn draw_plot(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    // The last ` from `: an expression may use the word itself, as in `i.from x`.
    let parts = argument.rsplit_once(" from ").and_then(|(expression, range)| {
        let (from, to) = range.split_once(" to ")?;
        Some((expression.trim(), from.trim(), to.trim()))
    });
    let Some((expression, from, to)) = parts else { return streams.print_refusal(&usage_error("plot")) };
    match (from.parse::<ClosedNumber>(), to.parse::<ClosedNumber>()) {
        (Ok(from), Ok(to)) => {
            streams.print_notes(&end_notes(&from, &to))?;
            prompt.plot_function(expression, [from.lower().clone(), to.upper().clone()], streams)
        }
        (Err(e), _) | (_, Err(e)) => streams.print_refusal(&Diagnostic::invalid_input(format!("error: {e}"))),
    }
}

/// Prints the list of commands, the line of one command, or the meaning of another name.
fn print_help(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    let line = |command: &PromptCommand| {
        let use_of = format!(":{} {}", command.name, command.argument);
        format!("{use_of:<24} {}", command.about)
    };
    if !argument.is_empty() {
        let name = argument.trim_start_matches(':');
        return match COMMANDS.iter().find(|command| command.name == name) {
            Some(command) => streams.print_answer(&line(command)),
            None => print_doc(prompt, argument, streams),
        };
    }
    let mut lines = vec![
        "An expression is answered by an interval that contains its value; `ans` is".to_owned(),
        "the last one. `let f x = e`, `type A = T` and `type A = C | D T` define names".to_owned(),
        "for this session. An unfinished line, such as one that ends in `|`, goes on in".to_owned(),
        "the next; an empty line ends it.".to_owned(),
    ];
    lines.extend(COMMANDS.iter().map(line));
    streams.print_answer(&lines.join("\n"))
}

/// Ends the prompt.
fn quit_prompt(_: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    if argument.is_empty() { Ok(InputResult::Quit) } else { streams.print_refusal(&usage_error("quit")) }
}

/// Shortens an argument for messages, to 40 letters. A choice.
fn shorten_argument(argument: &str) -> String {
    match argument.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &argument[..at]),
        None => argument.to_owned(),
    }
}

/// Tests a law over the definitions in scope, at once.
pub(super) fn print_law_test(
    prompt: &mut Prompt<'_>,
    argument: &str,
    streams: &mut Streams<'_>,
) -> io::Result<InputResult> {
    if argument.is_empty() {
        return streams.print_refusal(&usage_error("law"));
    }
    let library = Arc::new(prompt.library.modules().clone());
    let theory =
        match prompt.library.theories().elaborate_single_law(&library, SESSION_MODULE, prompt.input_source(argument)) {
            Ok(theory) => theory,
            Err(error) => return streams.print_refusal(&Diagnostic::invalid_input(error.render().trim_end())),
        };
    let effort = build_effort(prompt);
    let meaning = crate::meaning::semantics_named(crate::meaning::DEFAULT_SEMANTICS);
    // The default semantics always exists, and a text that parses has a law: the other case is a safeguard.
    let (Some(law), Some(meaning)) = (theory.laws.first(), meaning) else {
        return Ok(InputResult::Status(Status::Wrong));
    };
    let trial = StatementTest::new(&library, &theory, meaning, &effort);
    let (text, status) = match trial.test_law(law) {
        StatementOutcome::Holds => ("holds: the normal forms are equal".to_owned(), Status::Reached),
        StatementOutcome::Survived(samples) => (format!("survived {samples} samples"), Status::Reached),
        StatementOutcome::Refuted(refuted) => {
            let at = refuted.program.map_or_else(String::new, |program| format!("\n  at    {program}"));
            (format!("refuted{at}\n  left  {}\n  right {}", refuted.left, refuted.right), Status::Refuted)
        }
        StatementOutcome::Vacuous(why) => (format!("vacuous: {why}"), Status::Nothing),
        StatementOutcome::Undecided(why) => (format!("open: {why}"), Status::Nothing),
        StatementOutcome::Unsupported(what) => (format!("{} lacks {what}", meaning.name()), Status::Wrong),
    };
    streams.print_answer(&text)?;
    Ok(InputResult::Status(status))
}

/// Tests the statements of a theory, or those of the loaded files.
pub(super) fn print_check(
    prompt: &mut Prompt<'_>,
    argument: &str,
    streams: &mut Streams<'_>,
) -> io::Result<InputResult> {
    let effort = build_effort(prompt);
    let all = prompt.library.theories();
    // A theory is from a loaded file if its source has the name of the file.
    let loaded =
        |theory: &&Theory| prompt.library.files().iter().any(|file| file.display().to_string() == theory.source.name);
    let chosen: Vec<&Theory> = match argument {
        "" => all.theories().iter().filter(loaded).collect(),
        name => all.find_theory(name).into_iter().collect(),
    };
    if chosen.is_empty() {
        let names = all.theories().iter().map(|theory| &*theory.name);
        let message = match (argument, nearest_name(argument, names)) {
            ("", _) => "error: no file was loaded; name a theory, as in :check Prelude".to_owned(),
            (name, Some(near)) => format!("error: there is no theory `{name}`\n  = help: did you mean `{near}`?"),
            (name, None) => {
                format!("error: there is no theory `{name}`\n  = help: :list shows them; :load reads files")
            }
        };
        return streams.print_refusal(&Diagnostic::invalid_input(message));
    }
    let library = Arc::new(all.library().clone());
    let status = check::check_and_print(
        OutputFormat::default(),
        false,
        &library,
        &list_tasks(&chosen, &[]),
        &effort,
        streams.out,
    )?;
    Ok(InputResult::Status(status))
}

/// Returns the default effort, within the limit of time of the prompt.
fn build_effort(prompt: &Prompt<'_>) -> StatementTestConfig {
    StatementTestConfig {
        timeout: prompt.timeout.0,
        interrupted: prompt.interrupted.clone(),
        ..StatementTestConfig::default()
    }
}

/// Formats an answer on one line, to the accuracy `to`; with its time if `elapsed` is given.
#[must_use]
pub fn format_answer(value: &PrintableValue, to: &Accuracy, elapsed: Option<Duration>) -> String {
    let mut parts = vec![eval::format_value(value, to)];
    let width = match widest_relative(value, to) {
        Some(part) => Some(format!("width {part} of it")),
        None => widest_absolute(value, to).map(|width| format!("width {width}")),
    };
    let certain = width.as_ref().and_then(|_| certain_digits(value, to));
    parts.extend(width);
    let elapsed = elapsed.map(format_duration);
    let letters: usize =
        parts.iter().chain(&certain).chain(&elapsed).map(|part| part.chars().count() + GAP.len()).sum();
    // The digits repeat what the enclosure tells, so they give way first.
    parts.extend(certain.filter(|_| letters <= LINE_LETTERS + GAP.len()));
    parts.extend(elapsed);
    parts.join(GAP)
}

/// The number of letters of a line. A choice: the width of the usual terminal.
const LINE_LETTERS: usize = 80;
/// The gap between the parts of a line.
const GAP: &str = "  ";

/// Returns the largest relative width of the numbers in a value that are wider than `eps`, but accurate enough by their
/// size. `None` if there is no such number.
fn widest_relative(value: &PrintableValue, to: &Accuracy) -> Option<DecimalWidth> {
    match value {
        PrintableValue::Real { enclosure: number, exact } => {
            if value::format_exact_number(number, exact.as_ref(), to).is_some() {
                return None;
            }
            let eps = to.eps()?;
            let printed = eval::round_to_decimals(number, to);
            let is_by_size = to.is_reached_by(number) && !printed.width().is_at_most(eps);
            is_by_size.then(|| DecimalWidth::relative_width(printed.lo(), printed.hi())).flatten()
        }
        _ => value.parts().iter().filter_map(|part| widest_relative(part, to)).max(),
    }
}

/// Returns the largest width of the numbers in a value, as printed. `None` if the value has no number.
fn widest_absolute(value: &PrintableValue, to: &Accuracy) -> Option<DecimalWidth> {
    match value {
        // the width of a number that is printed exactly tells nothing
        PrintableValue::Real { enclosure, exact } => value::format_exact_number(enclosure, exact.as_ref(), to)
            .is_none()
            .then(|| eval::round_to_decimals(enclosure, to).width()),
        _ => value.parts().iter().filter_map(|part| widest_absolute(part, to)).max(),
    }
}

/// Returns the certain digits of a value, without its type. `None` if a number in it has none.
fn certain_digits(value: &PrintableValue, to: &Accuracy) -> Option<String> {
    let untyped = if let PrintableValue::Typed(value, _) = value { value } else { value };
    format_with(untyped, &|number| match number {
        PrintableValue::Real { enclosure, exact } if enclosure.is_defined() => {
            let plain = value::format_exact_number(enclosure, exact.as_ref(), to);
            plain.or_else(|| eval::round_to_decimals(enclosure, to).certain_digits())
        }
        _ => None,
    })
}
