//! The commands of the prompt: one table for the dispatcher, `:help`, completion and "did you mean".
//!
//! A new command is a new row.

use super::describe;
use super::laws;
use super::prompt::{InputResult, Prompt};
use crate::cli::output::Streams;
use crate::cli::status::Status;
use crate::plot::grid::parse_coordinate;
use crate::session::Diagnostic;
use crate::session::tolerance::{AccuracyGoal, ToleranceError};
use crate::syntax::name::nearest_name;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

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
    command_row("eps", "E", "how wide an answer may be; alone, show it", ArgumentKind::Nothing, set_eps),
    command_row("rel", "R", "how wide as a part of the number; alone, show it", ArgumentKind::Nothing, set_rel),
    command_row("digits", "N", "how many significant digits; alone, show it", ArgumentKind::Nothing, set_digits),
    command_row("timeout", "S", "how many seconds one question may take", ArgumentKind::Nothing, set_timeout),
    command_row("load", "FILE…", "load theories", ArgumentKind::Files, load_theories),
    command_row("reload", "", "read every loaded file again", ArgumentKind::Nothing, reload_theories),
    command_row("save", "FILE", "write what was defined here as a theory", ArgumentKind::Files, save_definitions),
    command_row("type", "EXPR", "the type of an expression", ArgumentKind::Names, print_type),
    command_row("normal", "EXPR", "the βη-normal form of an expression", ArgumentKind::Names, print_normal_form),
    command_row("info", "NAME", "the type of a name, its origin and definition", ArgumentKind::Names, print_info),
    command_row("doc", "NAME", "what a name means, with an example", ArgumentKind::Names, print_doc),
    command_row("list", "[MODULE]", "own definitions and modules, or those of one", ArgumentKind::Modules, print_list),
    command_row(
        "law",
        "(x : T) : E ~ F",
        "try a law, as in a theory, on random samples",
        ArgumentKind::Names,
        laws::print_law_test,
    ),
    command_row(
        "check",
        "[THEORY]",
        "laws and claims of a theory, or of loaded files",
        ArgumentKind::Modules,
        laws::print_check,
    ),
    command_row(
        "plot",
        "EXPR from A to B",
        "draw a function of a real number, as text",
        ArgumentKind::Names,
        draw_plot,
    ),
    command_row("time", "on|off|EXPR", "show how long answers take, always or once", ArgumentKind::Names, show_time),
    command_row("help", "[NAME]", "this list, or what a name means", ArgumentKind::Nothing, print_help),
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
    print_description("info", argument, streams, |name| describe::describe_for_info(prompt.library, name))
}

/// Prints the meaning of a name, with an example.
fn print_doc(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    print_description("doc", argument, streams, |name| describe::describe_for_doc(prompt.library, name))
}

/// Lists the definitions of the session, or those of a module.
fn print_list(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<InputResult> {
    match argument {
        "" => streams.print_result(describe::list_definitions(prompt.library, None)),
        _ => {
            print_description("list", argument, streams, |name| describe::list_definitions(prompt.library, Some(name)))
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
    match (parse_coordinate(from), parse_coordinate(to)) {
        (Ok(from), Ok(to)) => prompt.plot_function(expression, [from, to], streams),
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
