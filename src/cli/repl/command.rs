//! The commands of the prompt: one table for the dispatcher, `:help`, completion and "did you mean".
//!
//! A new command is a new row.

use super::describe;
use super::laws;
use super::prompt::{Done, Prompt};
use crate::cli::output::Streams;
use crate::cli::status::Status;
use crate::plot::grid::coordinate;
use crate::session::Diagnostic;
use crate::session::tolerance::{Goal, ToleranceError};
use crate::syntax::name::nearest;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// A command of the prompt.
#[derive(Clone, Copy)]
pub struct Command {
    /// The word after the colon.
    pub name: &'static str,
    /// The argument, as `:help` shows it.
    pub argument: &'static str,
    /// The effect, in one line.
    pub about: &'static str,
    /// The kind of words that complete its argument.
    pub completes: Completes,
    /// The function that runs the command with its argument.
    pub run: fn(&mut Prompt<'_>, &str, &mut Streams<'_>) -> io::Result<Done>,
}

/// The kinds of words that complete the argument of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completes {
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
pub const COMMANDS: &[Command] = &[
    row("eps", "E", "how wide an answer may be; alone, show it", Completes::Nothing, eps),
    row("rel", "R", "how wide as a part of the number; alone, show it", Completes::Nothing, rel),
    row("digits", "N", "how many significant digits; alone, show it", Completes::Nothing, digits),
    row("timeout", "S", "how many seconds one question may take", Completes::Nothing, timeout),
    row("load", "FILE…", "load theories", Completes::Files, load),
    row("reload", "", "read every loaded file again", Completes::Nothing, reload),
    row("save", "FILE", "write what was defined here as a theory", Completes::Files, save),
    row("type", "EXPR", "the type of an expression", Completes::Names, type_of),
    row("normal", "EXPR", "the βη-normal form of an expression", Completes::Names, normal),
    row("info", "NAME", "the type of a name, its origin and definition", Completes::Names, info),
    row("doc", "NAME", "what a name means, with an example", Completes::Names, doc),
    row("list", "[MODULE]", "own definitions and modules, or those of one", Completes::Modules, list),
    row("law", "(x : T) : E ~ F", "try a law, as in a theory, on random samples", Completes::Names, laws::law),
    row("check", "[THEORY]", "laws and claims of a theory, or of loaded files", Completes::Modules, laws::check),
    row("plot", "EXPR from A to B", "draw a function of a real number, as text", Completes::Names, plot),
    row("time", "on|off|EXPR", "show how long answers take, always or once", Completes::Names, time),
    row("help", "[NAME]", "this list, or what a name means", Completes::Nothing, help),
    row("quit", "", "leave; Ctrl-D does too", Completes::Nothing, quit),
];

/// Commands of other prompts, with the command of this one.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["exit", "q", "bye", "wq", "x"], ":quit"),
    (&["?", "h", "man"], ":help"),
    (&["vars", "who", "names", "ls", "dir", "browse", "show", "env"], ":list"),
    (&["set", "precision", "prec", "tol"], ":eps 1e-9, :digits 12 or :timeout 5"),
    (&["clear", "cls"], "Ctrl-L, which clears the screen"),
    (&["reset", "restart"], ":quit, and begin anew"),
    (&["import", "open", "source"], ":load FILE"),
];

/// Returns a row of the table.
const fn row(
    name: &'static str,
    argument: &'static str,
    about: &'static str,
    completes: Completes,
    run: fn(&mut Prompt<'_>, &str, &mut Streams<'_>) -> io::Result<Done>,
) -> Command {
    Command { name, argument, about, completes, run }
}

/// Finds the command that a word names: in full, or by a prefix that no other command has.
///
/// # Errors
/// A [`Diagnostic`] for a word that names none or several, with what may have been meant.
pub fn named(word: &str) -> Result<&'static Command, Diagnostic> {
    if let Some(exact) = COMMANDS.iter().find(|command| command.name == word) {
        return Ok(exact);
    }
    let begun: Vec<&Command> = COMMANDS.iter().filter(|c| !word.is_empty() && c.name.starts_with(word)).collect();
    match begun.as_slice() {
        [only] => Ok(only),
        [] => {
            // A word of another prompt tells more than a similar spelling.
            let elsewhere = ELSEWHERE.iter().find(|(words, _)| words.contains(&word));
            let near = nearest(word, COMMANDS.iter().map(|command| command.name)).map(|near| format!(":{near}"));
            let help = match elsewhere.map(|(_, here)| (*here).to_owned()).or(near) {
                Some(meant) => format!("did you mean {meant}?"),
                None => ":help lists the commands".to_owned(),
            };
            // A choice: a pasted text must not fill the screen with its own error.
            let word: String = word.chars().take(40).collect();
            Err(Diagnostic::wrong(format!("error: there is no command `:{word}`\n  = help: {help}")))
        }
        several => {
            let names: Vec<String> = several.iter().map(|command| format!(":{}", command.name)).collect();
            Err(Diagnostic::wrong(format!("error: `:{word}` can be {}", names.join(" or "))))
        }
    }
}

/// Splits an argument into words at white space. `"a b"` and `a\ b` are one word.
#[must_use]
pub fn words(argument: &str) -> Vec<String> {
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
pub(super) fn usage(name: &str) -> Diagnostic {
    let argument = COMMANDS.iter().find(|c| c.name == name).map_or("", |c| c.argument);
    let wanted = if argument.is_empty() { "no argument".to_owned() } else { format!(":{name} {argument}") };
    Diagnostic::wrong(format!("error: expected {wanted}"))
}

/// Sets or shows the requested width.
fn eps(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    ask_for(|text| text.parse().map(Goal::within), prompt, argument, streams)
}

/// Sets or shows the requested relative width.
fn rel(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    ask_for(|text| text.parse().map(Goal::relative), prompt, argument, streams)
}

/// Sets or shows the requested number of significant digits.
fn digits(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    ask_for(|text| text.parse().map(Goal::digits), prompt, argument, streams)
}

/// Sets the requested accuracy from now on. Shows the current one if the argument is empty.
fn ask_for(
    goal: impl Fn(&str) -> Result<Goal, ToleranceError>,
    prompt: &mut Prompt<'_>,
    argument: &str,
    streams: &mut Streams<'_>,
) -> io::Result<Done> {
    if argument.is_empty() {
        return streams.say(&prompt.goal.to_string());
    }
    match goal(argument) {
        Ok(goal) => {
            prompt.goal = goal;
            Ok(Done::Status(Status::Reached))
        }
        Err(e) => streams.refuse(&Diagnostic::wrong(format!("error: `{}`: {e}", cut(argument)))),
    }
}

/// Sets or shows the limit of time of one question.
fn timeout(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    if argument.is_empty() {
        return streams.say(&format!("timeout {} s", prompt.timeout));
    }
    match argument.parse() {
        Ok(timeout) => {
            prompt.timeout = timeout;
            Ok(Done::Status(Status::Reached))
        }
        Err(e) => streams.refuse(&Diagnostic::wrong(format!("error: `{}`: {e}", cut(argument)))),
    }
}

/// Loads theories from files.
fn load(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    let files: Vec<PathBuf> = words(argument).into_iter().map(PathBuf::from).collect();
    if files.is_empty() {
        return streams.refuse(&usage("load"));
    }
    prompt.load(&files, streams)
}

/// Reads every loaded file again, and prints the definitions that no longer hold.
fn reload(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    if !argument.is_empty() {
        return streams.refuse(&usage("reload"));
    }
    match prompt.library.reload() {
        Ok(left) => {
            let status = streams.left_behind(&left)?;
            streams.say(&format!("{} theories", prompt.library.theories().theories().len()))?;
            Ok(Done::Status(status))
        }
        Err(refusal) => streams.refuse(&refusal),
    }
}

/// Writes the definitions of the session to a file, as a theory.
fn save(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    match words(argument).as_slice() {
        [file] => match prompt.library.save(&PathBuf::from(file)) {
            Ok((name, count)) => streams.say(&format!("theory {name}: {count} definitions, {file}")),
            Err(refusal) => streams.refuse(&refusal),
        },
        _ => streams.refuse(&usage("save")),
    }
}

/// Prints the type of an expression.
fn type_of(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    if argument.is_empty() {
        return streams.refuse(&usage("type"));
    }
    match prompt.library.type_of(&Arc::new(prompt.source(argument))) {
        Ok(ty) => streams.say(&ty),
        Err(refusal) => streams.refuse(&refusal),
    }
}

/// Prints the βη-normal form of an expression.
fn normal(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    if argument.is_empty() {
        return streams.refuse(&usage("normal"));
    }
    streams.tell(prompt.library.normal_of(&Arc::new(prompt.source(argument))))
}

/// Prints the type, the origin and the definition of a name.
fn info(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    one_name("info", argument, streams, |name| describe::info(prompt.library, name))
}

/// Prints the meaning of a name, with an example.
fn doc(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    one_name("doc", argument, streams, |name| describe::doc(prompt.library, name))
}

/// Lists the definitions of the session, or those of a module.
fn list(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    match argument {
        "" => streams.tell(describe::list(prompt.library, None)),
        _ => one_name("list", argument, streams, |name| describe::list(prompt.library, Some(name))),
    }
}

/// Prints the description of the one name that a command expects.
fn one_name(
    command: &str,
    argument: &str,
    streams: &mut Streams<'_>,
    describe: impl FnOnce(&str) -> Result<String, Diagnostic>,
) -> io::Result<Done> {
    if argument.is_empty() || argument.contains(char::is_whitespace) {
        return streams.refuse(&usage(command));
    }
    streams.tell(describe(argument))
}

/// Switches the display of times on or off, or shows the time of one expression.
fn time(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    match argument {
        "" => streams.say(if prompt.timed { "time on" } else { "time off" }),
        "on" | "off" => {
            prompt.timed = argument == "on";
            Ok(Done::Status(Status::Reached))
        }
        expression => {
            // Also after an error the setting is the one before: the result is returned last.
            let before = std::mem::replace(&mut prompt.timed, true);
            let done = prompt.ask(expression, streams);
            prompt.timed = before;
            done
        }
    }
}

/// Draws a function between two numbers.
fn plot(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    // The last ` from `: an expression may use the word itself, as in `i.from x`.
    let parts = argument.rsplit_once(" from ").and_then(|(expression, range)| {
        let (from, to) = range.split_once(" to ")?;
        Some((expression.trim(), from.trim(), to.trim()))
    });
    let Some((expression, from, to)) = parts else { return streams.refuse(&usage("plot")) };
    match (coordinate(from), coordinate(to)) {
        (Ok(from), Ok(to)) => prompt.plot(expression, [from, to], streams),
        (Err(e), _) | (_, Err(e)) => streams.refuse(&Diagnostic::wrong(format!("error: {e}"))),
    }
}

/// Prints the list of commands, the line of one command, or the meaning of another name.
fn help(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    let line = |command: &Command| {
        let use_of = format!(":{} {}", command.name, command.argument);
        format!("{use_of:<24} {}", command.about)
    };
    if !argument.is_empty() {
        let name = argument.trim_start_matches(':');
        return match COMMANDS.iter().find(|command| command.name == name) {
            Some(command) => streams.say(&line(command)),
            None => doc(prompt, argument, streams),
        };
    }
    let mut lines = vec![
        "An expression is answered by an interval that contains its value; `ans` is".to_owned(),
        "the last one. `let f x = e`, `type A = T` and `type A = C | D T` define names".to_owned(),
        "for this session. An unfinished line, such as one that ends in `|`, goes on in".to_owned(),
        "the next; an empty line ends it.".to_owned(),
    ];
    lines.extend(COMMANDS.iter().map(line));
    streams.say(&lines.join("\n"))
}

/// Ends the prompt.
fn quit(_: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    if argument.is_empty() { Ok(Done::Quit) } else { streams.refuse(&usage("quit")) }
}

/// Shortens an argument for messages, to 40 letters. A choice.
fn cut(argument: &str) -> String {
    match argument.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &argument[..at]),
        None => argument.to_owned(),
    }
}
