//! The prompt on a terminal: line editing, completion and a history.
//!
//! | key | effect |
//! |---|---|
//! | Tab | completes (this module) |
//! | Ctrl-C | at the prompt, clears the input; while a question runs, ends it with the best so far |
//! | Ctrl-D | leaves |
//!
//! # The completions that Tab offers
//!
//! Commands, names, members of modules, and the signs of the language by their LaTeX
//! names.
//!
//! # The file of the inputs of earlier sessions
//!
//! # Assembly of inputs from lines
//!
//! An input that is unfinished at the end of a line goes on in the next.
//!
//! An input is unfinished if its parse error stands at the end of the text. The parser knows that, so there is no
//! second grammar of open brackets. An `if` without its `else` is an exception: it is complete for a reader who
//! forgot the `else`.

use super::prompt;
use super::prompt::{ArgumentKind, COMMANDS, InputResult, Prompt};
use crate::cli::evaluator::{TheorySession, names_in_scope};
use crate::cli::output::{Streams, Wrapped, output_columns};
use crate::cli::read;
use crate::cli::read::READ_LIMIT;
use crate::cli::status::Status;
use crate::session::Diagnostic;
use crate::syntax::error::SyntaxError;
use crate::syntax::parser::parse_input;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Behavior, CompletionType, Config, Context, Editor, Helper};
use std::ffi::OsString;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::{fs, io};

/// The name of a terminal's input in messages.
pub(super) const TERMINAL_NAME: &str = "prompt";
/// The number of inputs that the history keeps. A choice.
const HISTORY_LENGTH: usize = 1000;

/// The completer of the editor.
#[derive(Default)]
struct EditorHelper {
    vocabulary: PromptVocabulary,
    files: FilenameCompleter,
}

impl Helper for EditorHelper {}
impl Highlighter for EditorHelper {}
impl Validator for EditorHelper {}

impl Hinter for EditorHelper {
    type Hint = String;
}

impl Completer for EditorHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        match complete_word(line, pos, &self.vocabulary) {
            CompletionList::File => self.files.complete_path(line, pos),
            CompletionList::Words(start, words) => {
                let pair = |(display, replacement)| Pair { display, replacement };
                Ok((start, words.into_iter().map(pair).collect()))
            }
        }
    }
}

/// Answers every typed input, until the user leaves. The status is 0: every answer was seen.
///
/// # Errors
/// Errors of reading and of writing.
pub fn run_editor(prompt: &mut Prompt<'_>, streams: &mut Streams<'_>) -> io::Result<Status> {
    TERMINAL_NAME.clone_into(&mut prompt.name);
    // If answers go to a file, the prompt still belongs to the terminal.
    let behavior = if io::stdout().is_terminal() { Behavior::Stdio } else { Behavior::PreferTerm };
    let config =
        Config::builder().completion_type(CompletionType::List).behavior(behavior).max_history_size(HISTORY_LENGTH);
    let config = config.map_err(io::Error::other)?.build();
    let mut editor: Editor<EditorHelper, FileHistory> = Editor::with_config(config).map_err(to_io_error)?;
    editor.set_helper(Some(EditorHelper::default()));
    let file = history_path(|name| std::env::var_os(name));
    if let Some(file) = &file {
        // The first session finds no file; that is no error.
        let _ = editor.load_history(file);
    }
    let (mut out, mut err) = (Wrapped::new(streams.out, output_columns), Wrapped::new(streams.err, output_columns));
    let streams = &mut Streams { out: &mut out, err: &mut err };
    writeln!(streams.err, "smoothish {}. :help lists the commands, Ctrl-D leaves.", env!("CARGO_PKG_VERSION"))?;
    answer_typed_inputs(prompt, streams, &mut editor, file)?;
    streams.err.flush()?;
    streams.out.flush().map(|()| Status::Reached)
}

/// Reads and answers inputs until the end of the terminal's input, or `:quit`.
fn answer_typed_inputs(
    prompt: &mut Prompt<'_>,
    streams: &mut Streams<'_>,
    editor: &mut Editor<EditorHelper, FileHistory>,
    mut history: Option<PathBuf>,
) -> io::Result<()> {
    let mut lines = InputLines::default();
    loop {
        if let Some(assistant) = editor.helper_mut() {
            assistant.vocabulary = PromptVocabulary::from_library(prompt.library);
        }
        let shown = format!("{}> ", prompt.goal);
        let shown = if lines.is_waiting() { format!("{:>1$}", "| ", shown.chars().count()) } else { shown };
        let typed = match editor.readline(&shown) {
            Ok(typed) => typed,
            Err(ReadlineError::Interrupted) => {
                lines.take();
                continue;
            }
            Err(ReadlineError::Signal(_)) => continue,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(e) => return Err(to_io_error(e)),
        };
        // A pasted or recalled text may have several lines.
        let mut inputs: Vec<String> =
            typed.split('\n').flat_map(|line| lines.push(line)).map(|(text, _)| text).collect();
        inputs.retain(|text| !text.trim().is_empty());
        for text in inputs {
            let _ = editor.add_history_entry(text.as_str());
            // Saved now, not at the end: a second Ctrl-C ends the program.
            if let Some(file) = &history
                && let Err(e) = save_history(editor, file)
            {
                writeln!(streams.err, "note: the history is not kept: {}: {e}", file.display())?;
                history = None;
            }
            prompt.interrupted.store(false, Ordering::Relaxed);
            let done = prompt.answer_input(&text, streams)?;
            if prompt.interrupted.swap(false, Ordering::Relaxed) {
                // The inputs that were pasted after the interrupted one are dropped too.
                lines.take();
                break;
            }
            if done == InputResult::Quit {
                return Ok(());
            }
        }
    }
}

/// Appends new inputs to the file of the history, and creates its folder if necessary.
fn save_history(editor: &mut Editor<EditorHelper, FileHistory>, file: &Path) -> rustyline::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    editor.append_history(file)
}

/// Converts an error of the editor to one of input.
fn to_io_error(e: ReadlineError) -> io::Error {
    match e {
        ReadlineError::Io(e) => e,
        other => io::Error::other(other.to_string()),
    }
}

/// The signs that the language reads, by their LaTeX names. Greek letters are names.
pub const LATEX: &[(&str, &str)] = &[
    ("lambda", "λ"),
    ("Rightarrow", "⇒"),
    ("rightarrow", "→"),
    ("to", "→"),
    ("times", "×"),
    ("cdot", "·"),
    ("Re", "ℜ"),
    ("R", "ℝ"),
    ("N", "ℕ"),
    ("B", "𝔹"),
    ("pi", "π"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("le", "≤"),
    ("leq", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("wedge", "∧"),
    ("land", "∧"),
    ("vee", "∨"),
    ("lor", "∨"),
    ("cong", "≅"),
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("^2", "²"),
    ("^3", "³"),
    ("^4", "⁴"),
    ("_0", "₀"),
    ("_1", "₁"),
    ("_2", "₂"),
];

/// The words of the language, which are no names.
const LANGUAGE_WORDS: [&str; 16] = [
    "let", "rec", "in", "if", "then", "else", "match", "with", "type", "tt", "ff", "Real", "Nat", "Bool", "List", "Tan",
];

/// The names in scope at a prompt.
#[derive(Clone, Debug, Default)]
pub struct PromptVocabulary {
    names: Vec<String>,
    modules: Vec<(String, Vec<String>)>,
}

impl PromptVocabulary {
    /// Collects the names of a library, and the words of the language.
    #[must_use]
    pub fn from_library(library: &TheorySession) -> Self {
        let mut names: Vec<String> = names_in_scope(library.modules()).iter().map(|name| name.to_string()).collect();
        names.extend(LANGUAGE_WORDS.map(str::to_owned));
        names.sort_unstable();
        let modules = library.theories().theories().iter().filter_map(|theory| {
            let module = library.modules().module(&theory.name)?;
            let values = module.definitions().iter().map(|definition| definition.name.to_string());
            let members = values.chain(module.named_types().iter().map(|alias| alias.name.to_string()));
            Some((theory.name.to_string(), members.collect()))
        });
        Self { names, modules: modules.collect() }
    }
}

/// The completions at a position of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompletionList {
    /// Words that replace the text from this byte on, each as displayed and as inserted.
    Words(usize, Vec<(String, String)>),
    /// File names, which the editor completes.
    File,
}

/// Completes the word that ends at byte `end` of a line.
#[must_use]
pub fn complete_word(line: &str, end: usize, vocabulary: &PromptVocabulary) -> CompletionList {
    let before = line.get(..end).unwrap_or(line);
    let same = |start: usize, words: Vec<String>| {
        CompletionList::Words(start, words.into_iter().map(|word| (word.clone(), word)).collect())
    };
    let mut completes = ArgumentKind::Names;
    if let Some(rest) = before.trim_start().strip_prefix(':') {
        // Before the first space the command itself is completed, after it its argument.
        let Some((word, _)) = rest.split_once(char::is_whitespace) else {
            let fitting = COMMANDS.iter().filter(|command| command.name.starts_with(rest));
            return same(before.len() - rest.len(), fitting.map(|command| command.name.to_owned()).collect());
        };
        // A command may be abbreviated here too.
        completes = prompt::find_command(word).map_or(ArgumentKind::Nothing, |command| command.completes);
    }
    match completes {
        ArgumentKind::Files => return CompletionList::File,
        ArgumentKind::Nothing => return CompletionList::Words(end, Vec::new()),
        ArgumentKind::Names | ArgumentKind::Modules => {}
    }
    // Signs come before names: after a `\` the letters would otherwise complete as a name.
    let signs = complete_latex(before);
    if let Some((start, signs)) = signs.filter(|(_, signs)| !signs.is_empty()) {
        return CompletionList::Words(start, signs);
    }
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '\'' | '’' | '′' | '.');
    let start = before.char_indices().rev().take_while(|&(_, letter)| is_part(letter)).last();
    let start = start.map_or(before.len(), |(at, _)| at);
    let word = &before[start..];
    let fitting = |words: &[String], beginning: &str| -> Vec<String> {
        words.iter().filter(|word| word.starts_with(beginning)).cloned().collect()
    };
    if completes == ArgumentKind::Modules {
        let modules: Vec<String> = vocabulary.modules.iter().map(|(name, _)| name.clone()).collect();
        return same(start, fitting(&[modules, vec!["language".to_owned()]].concat(), word));
    }
    if let Some((module, beginning)) = word.split_once('.') {
        let members = vocabulary.modules.iter().find(|(name, _)| name == module).map(|(_, members)| members.as_slice());
        return same(start + module.len() + 1, fitting(members.unwrap_or_default(), beginning));
    }
    // All names at once would be no help.
    if word.is_empty() {
        return CompletionList::Words(end, Vec::new());
    }
    let mut words = fitting(&vocabulary.names, word);
    words.extend(
        vocabulary.modules.iter().filter(|(name, _)| name.starts_with(word)).map(|(name, _)| format!("{name}.")),
    );
    same(start, words)
}

/// Returns the signs whose LaTeX names begin with the text after the last `\`, or only the sign of exactly that name.
/// Returns `None` if that text is no LaTeX name.
fn complete_latex(before: &str) -> Option<(usize, Vec<(String, String)>)> {
    let start = before.rfind('\\')?;
    let word = &before[start + 1..];
    if word.is_empty() || !word.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '^' | '_')) {
        return None;
    }
    let shown = |&(name, sign): &(&str, &str)| (format!("\\{name} {sign}"), sign.to_owned());
    // Otherwise `\R` could never be inserted by one key, since other names may begin with the same letters.
    if let Some(exact) = LATEX.iter().find(|(name, _)| *name == word) {
        return Some((start, vec![shown(exact)]));
    }
    Some((start, LATEX.iter().filter(|(name, _)| name.starts_with(word)).map(shown).collect()))
}

/// Returns the file of the history. `None` if no history is kept.
///
/// `SMOOTHISH_HISTORY` names the file; an empty value switches the history off. Otherwise it is `smoothish/history` in
/// the folder for the state of programs: `XDG_STATE_HOME`, or `.local/state` in `HOME`, or `LOCALAPPDATA`. If none of
/// these is set, there is no history.
#[must_use]
pub fn history_path(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(file) = variable("SMOOTHISH_HISTORY") {
        return (!file.is_empty()).then(|| file.into());
    }
    // The XDG base directory specification ignores relative paths.
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".local").join("state")))
        .or_else(|| folder("LOCALAPPDATA"))?;
    Some(state.join("smoothish").join("history"))
}

/// The number of bytes that are parsed to find the end of one input. Beyond it, an empty line ends the input. A choice:
/// each line parses the whole input again, which is quadratic.
const PARSED_BYTES_LIMIT: usize = 20_000_000;

/// The lines of an unfinished input.
#[derive(Debug, Default)]
pub struct InputLines {
    text: String,
    line_count: usize,
    parsed_bytes: usize,
    /// `true` if the lines are complete except for the `else` of an `if`.
    lacks_else: bool,
}

/// Returns `true` if a line begins with the word `else`.
fn begins_with_else(line: &str) -> bool {
    line.strip_prefix("else").is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

impl InputLines {
    /// Returns `true` if an unfinished input waits for more lines.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.line_count > 0
    }

    /// Adds a line. Returns the inputs that it completes or ends, each with its number of lines. An `if` that lacks
    /// only its `else` is ended by a line that begins neither with `else` nor with space. Then the missing `else` is
    /// reported, and the line is an input of its own.
    pub fn push(&mut self, line: &str) -> Vec<(String, usize)> {
        let mut ended = Vec::new();
        if self.lacks_else
            && !line.trim().is_empty()
            && !line.starts_with(char::is_whitespace)
            && !begins_with_else(line)
        {
            ended.extend(self.take());
        }
        ended.extend(self.add(line));
        ended
    }

    /// Adds a line to the unfinished input. Returns the input if that completes or ends it.
    fn add(&mut self, line: &str) -> Option<(String, usize)> {
        // An empty line ends an unfinished input in every case, so a user is never caught in it.
        let ends = self.is_waiting() && line.trim().is_empty();
        if self.is_waiting() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.line_count += 1;
        if ends || !self.is_unfinished() { self.take() } else { None }
    }

    /// Takes the input so far, complete or not. Returns `None` if no line waits.
    pub fn take(&mut self) -> Option<(String, usize)> {
        let lines = std::mem::take(self);
        lines.is_waiting().then_some((lines.text, lines.line_count))
    }

    /// Returns `true` if the input could become valid by more text. Commands have one line.
    fn is_unfinished(&mut self) -> bool {
        if self.text.trim_start().starts_with(':') {
            return false;
        }
        self.parsed_bytes += self.text.len();
        if self.parsed_bytes > PARSED_BYTES_LIMIT {
            return true;
        }
        let error = parse_input(&self.text, &[]).err().filter(SyntaxError::is_unfinished);
        self.lacks_else = error.as_ref().is_some_and(SyntaxError::lacks_else);
        error.is_some()
    }
}

/// Reads the next line of a stream, without its end. Returns `None` at the end of the stream. Bytes beyond the greatest
/// length are skipped; one more is kept, so that the line is refused for its length.
///
/// # Errors
/// Errors of reading; the inner [`Diagnostic`] if the line is not UTF-8.
pub fn read_line(input: &mut dyn BufRead, name: &str, number: usize) -> io::Result<Option<Result<String, Diagnostic>>> {
    let mut line: Vec<u8> = Vec::new();
    let mut begun = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        if available.is_empty() {
            break;
        }
        begun = true;
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        // A line without end, as of a device, must not fill the memory.
        let room = (READ_LIMIT as usize).saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if !begun {
        return Ok(None);
    }
    if line.ends_with(b"\r") {
        line.pop();
    }
    Ok(Some(read::decode(name, line, number)))
}
