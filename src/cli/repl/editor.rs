//! The prompt on a terminal: line editing, completion and a history.
//!
//! | key | effect |
//! |---|---|
//! | Tab | completes ([`completion`]) |
//! | Ctrl-C | at the prompt, clears the input; while a question runs, ends it with the best so far |
//! | Ctrl-D | leaves |

use super::completion::{self, CompletionList, PromptVocabulary};
use super::history;
use super::lines::InputLines;
use super::prompt::{InputResult, Prompt};
use crate::cli::output::Streams;
use crate::cli::status::Status;
use crate::cli::wrapped::{Wrapped, output_columns};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Behavior, CompletionType, Config, Context, Editor, Helper};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// The name of a terminal's input in messages.
const TERMINAL_NAME: &str = "prompt";
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
        match completion::complete_word(line, pos, &self.vocabulary) {
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
    let file = history::history_path(|name| std::env::var_os(name));
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
