//! The commands of the prompt: one table, which the dispatcher, `:help`, completion and "did you mean" read.
//!
//! A command is added by a row.

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

/// A command.
#[derive(Clone, Copy)]
pub struct Command {
    /// The word after the colon.
    pub name: &'static str,
    /// What follows it, as `:help` shows it.
    pub argument: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What completion offers for its argument.
    pub completes: Completes,
    /// What it does.
    pub run: fn(&mut Prompt<'_>, &str, &mut Streams<'_>) -> io::Result<Done>,
}

/// What the argument of a command is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completes {
    /// Names and expressions.
    Names,
    /// Files.
    Files,
    /// Modules.
    Modules,
    /// Nothing that can be guessed.
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

/// Words of other prompts, and what is typed here.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["exit", "q", "bye", "wq", "x"], ":quit"),
    (&["?", "h", "man"], ":help"),
    (&["vars", "who", "names", "ls", "dir", "browse", "show", "env"], ":list"),
    (&["set", "precision", "prec", "tol"], ":eps 1e-9, :digits 12 or :timeout 5"),
    (&["clear", "cls"], "Ctrl-L, which clears the screen"),
    (&["reset", "restart"], ":quit, and begin anew"),
    (&["import", "open", "source"], ":load FILE"),
];

const fn row(
    name: &'static str,
    argument: &'static str,
    about: &'static str,
    completes: Completes,
    run: fn(&mut Prompt<'_>, &str, &mut Streams<'_>) -> io::Result<Done>,
) -> Command {
    Command { name, argument, about, completes, run }
}

/// The command that a word names: in full, or by a beginning that no other command has.
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
            let elsewhere = ELSEWHERE.iter().find(|(words, _)| words.contains(&word));
            let near = nearest(word, COMMANDS.iter().map(|command| command.name)).map(|near| format!(":{near}"));
            let help = match elsewhere.map(|(_, here)| (*here).to_owned()).or(near) {
                Some(meant) => format!("did you mean {meant}?"),
                None => ":help lists the commands".to_owned(),
            };
            let word: String = word.chars().take(40).collect();
            Err(Diagnostic::wrong(format!("error: there is no command `:{word}`\n  = help: {help}")))
        }
        several => {
            let names: Vec<String> = several.iter().map(|command| format!(":{}", command.name)).collect();
            Err(Diagnostic::wrong(format!("error: `:{word}` can be {}", names.join(" or "))))
        }
    }
}

/// Splits an argument into words, at space; `"a b"` and `a\ b` are one word.
#[must_use]
pub fn words(argument: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    let mut letters = argument.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
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

pub(super) fn usage(name: &str) -> Diagnostic {
    let argument = COMMANDS.iter().find(|c| c.name == name).map_or("", |c| c.argument);
    let wanted = if argument.is_empty() { "no argument".to_owned() } else { format!(":{name} {argument}") };
    Diagnostic::wrong(format!("error: expected {wanted}"))
}

fn eps(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    ask_for(|text| text.parse().map(Goal::within), prompt, argument, streams)
}

fn rel(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    ask_for(|text| text.parse().map(Goal::relative), prompt, argument, streams)
}

fn digits(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    ask_for(|text| text.parse().map(Goal::digits), prompt, argument, streams)
}

/// Asks for an accuracy from now on; without one, shows what is asked.
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

fn load(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    let files: Vec<PathBuf> = words(argument).into_iter().map(PathBuf::from).collect();
    if files.is_empty() {
        return streams.refuse(&usage("load"));
    }
    prompt.load(&files, streams)
}

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

fn save(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    match words(argument).as_slice() {
        [file] => match prompt.library.save(&PathBuf::from(file)) {
            Ok((name, count)) => streams.say(&format!("theory {name}: {count} definitions, {file}")),
            Err(refusal) => streams.refuse(&refusal),
        },
        _ => streams.refuse(&usage("save")),
    }
}

fn type_of(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    if argument.is_empty() {
        return streams.refuse(&usage("type"));
    }
    match prompt.library.type_of(&Arc::new(prompt.source(argument))) {
        Ok(ty) => streams.say(&ty),
        Err(refusal) => streams.refuse(&refusal),
    }
}

fn normal(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    if argument.is_empty() {
        return streams.refuse(&usage("normal"));
    }
    streams.tell(prompt.library.normal_of(&Arc::new(prompt.source(argument))))
}

fn info(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    one_name("info", argument, streams, |name| describe::info(prompt.library, name))
}

fn doc(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    one_name("doc", argument, streams, |name| describe::doc(prompt.library, name))
}

fn list(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    match argument {
        "" => streams.tell(describe::list(prompt.library, None)),
        _ => one_name("list", argument, streams, |name| describe::list(prompt.library, Some(name))),
    }
}

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

fn time(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    match argument {
        "" => streams.say(if prompt.timed { "time on" } else { "time off" }),
        "on" | "off" => {
            prompt.timed = argument == "on";
            Ok(Done::Status(Status::Reached))
        }
        expression => {
            let before = std::mem::replace(&mut prompt.timed, true);
            let done = prompt.ask(expression, streams);
            prompt.timed = before;
            done
        }
    }
}

fn plot(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
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

/// The commands; of a command, its line; of another name, what it means.
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

fn quit(_: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    if argument.is_empty() { Ok(Done::Quit) } else { streams.refuse(&usage("quit")) }
}

/// An argument as messages show it.
fn cut(argument: &str) -> String {
    match argument.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &argument[..at]),
        None => argument.to_owned(),
    }
}
