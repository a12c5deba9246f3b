//! Every sentence that a user reads when something is wrong: `messages.txt` holds inputs, each with the identifier of its
//! error and with the report.
//!
//! In a block of that file, `> ` begins a program, `theory> ` the text of a theory, `own> `
//! the lines of one that extends `Prelude`, `ask> `, `evidence> ` and `trace> ` a question to a session with
//! its notes, `$ ` a command; a line that starts with `| ` continues the one above. Errors that no short input causes are made
//! here, [`made`]; their blocks begin with `made`. Identifiers are read from the errors themselves.
//!
//! `UPDATE=1 cargo test --test language messages` writes the reports of today into the file, to be reviewed by eye.

use smoothish::session::{Evaluate, Evidence, Limits, Session, Trace};
use smoothish::syntax::library::{Library, ProgramError};
use smoothish::syntax::source::{SourceText, render_error};
use smoothish::theory::builtin;
use smoothish::theory::error::TheoryError;
use smoothish::theory::loader::TheoryCollection;
use smoothish::theory::texts::TextError;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{any, fs};

mod made;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/language/messages.txt");

/// The built-in theories, read once.
static BUILT_IN: LazyLock<TheoryCollection> = LazyLock::new(builtin::load_theories);

/// Enumerations each of whose variants has a block.
const COMPLETE: &[&str] = &[
    "BasisError",
    "BoundError",
    "ChangeOfVariablesError",
    "CoreTypingError",
    "DeriveError",
    "FragmentError",
    "InterpretError",
    "MeasureError",
    "NormalError",
    "PlotError",
    "ProgramError",
    "ReduceError",
    "SamplerError",
    "SessionError",
    "SmoothError",
    "StatementError",
    "SyntaxError",
    "TextError",
    "TheoryError",
    "ToleranceError",
    "TraceError",
    "TypeError",
    "ValueError",
];

/// Enumerations of which only callers of the Rust interface see the errors, or that wrap others.
const OF_RUST: &[(&str, &str)] = &[
    ("AdArrowError", "functors of Rust; crates/laws/tests/laws/had"),
    ("ArrowError", "categories of Rust; crates/laws/tests/laws/functors"),
    ("AtlasError", "atlases are built in Rust; tests/spaces/diffeology"),
    ("BookError", "the pages of the live book; tests/command/book"),
    ("CommandError", "it wraps diagnostics and errors of streams"),
    ("CompiledError", "cells of the table of `agree`; tests/command/agreement"),
    ("ConstantError", "constants of Rust and Python; tests/meanings/foreign"),
    ("DensityError", "it wraps errors of plots and measures"),
    ("DerivativesError", "cells of the table of `agree`; tests/command/agreement"),
    ("DiffeologyError", "plots are built in Rust; tests/spaces/diffeology"),
    ("EdslError", "expressions of Rust; tests/spaces/host"),
    ("ExtensionFault", "constants of Rust and Python; tests/meanings/foreign"),
    ("ExchangeError", "files of graphs; tests/analysis/exchange"),
    ("FirstOrderError", "terms of Rust; tests/language/first_order"),
    ("FirstOrderTypingError", "terms of Rust; tests/language/first_order"),
    ("ForeignError", "primitives of Rust; tests/meanings/pap"),
    ("GlueError", "theorems of Rust; crates/laws/tests/laws/glue"),
    ("MapError", "maps of Rust; tests/analysis/map"),
    ("NotFirstOrder", "translations of Rust; tests/language/first_order"),
    ("NumberError", "intervals of Rust; tests/analysis/real"),
    ("PrimitiveError", "primitives of Rust; tests/analysis/map"),
    ("RowsError", "rows of a macro; crates/laws/tests/laws/glue/representations"),
    ("SemanticsError", "it wraps the errors of semantics"),
    ("TowerError", "towers of Rust; crates/laws/tests/laws/tower"),
    ("TuningError", "options of the command line; tests/command/demand"),
    ("TypingError", "terms of Rust; tests/language/language/variants"),
];

/// Single errors that need what no text has.
const VARIANTS_OF_RUST: &[(&str, &str)] =
    &[("FragmentError::Foreign", "constants of Rust and Python; tests/meanings/foreign")];

/// Notes that no question of `ask> `, `evidence> ` or `trace> ` has.
const NOTES_ELSEWHERE: &[(&str, &str)] = &[
    ("trusted", "constants of Rust and Python; tests/meanings/foreign"),
    ("area", "of pictures; tests/command/render"),
    ("disjoint", "of two semantics, one of which is wrong; tests/meanings/model"),
    ("floating-point", "of the model `float`; tests/command/table"),
    ("remark", "of single semantics; tests/meanings/pap"),
];

/// Returns the identifiers of the notes that a source makes.
fn notes(source: &str) -> Vec<String> {
    let calls = ["Note::new(", "outcome("].into_iter().flat_map(|call| source.split(call).skip(1));
    calls
        .filter_map(|rest| rest.trim_start().strip_prefix('"')?.split_once('"'))
        .map(|(id, _)| id.to_owned())
        .filter(|id| id.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        .collect()
}

/// An enumeration with messages, and its variants, without those that only wrap another error.
struct Enumeration {
    name: String,
    variants: Vec<String>,
}

/// Returns the enumerations of a source that have messages.
fn enumerations(source: &str) -> Vec<Enumeration> {
    let mut found: Vec<Enumeration> = Vec::new();
    let (mut open, mut is_transparent, mut has_message) = (None::<Enumeration>, false, false);
    for line in source.lines() {
        if let Some(rest) = line.strip_prefix("pub enum ") {
            let name = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned();
            open = Some(Enumeration { name, variants: Vec::new() });
            has_message = false;
        } else if line == "}" {
            found.extend(open.take().filter(|_| has_message));
        } else if let Some(enumeration) = &mut open {
            let text = line.strip_prefix("    ").unwrap_or_default();
            // A message that is another error's is that one's.
            is_transparent |= ["#[error(transparent)]", "#[error(\"{error}\")]"].contains(&text);
            has_message |= text.starts_with("#[error(");
            if text.starts_with(|c: char| c.is_ascii_uppercase()) {
                let name = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                enumeration.variants.extend((!is_transparent).then(|| name.to_owned()));
                is_transparent = false;
            }
        }
    }
    found
}

/// Returns the variants without a block, and the enumerations that no list names.
fn missing(enumerations: &[Enumeration], ids: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for Enumeration { name, variants } in enumerations {
        if OF_RUST.iter().any(|(other, _)| other == name) {
            continue;
        }
        if !COMPLETE.contains(&name.as_str()) {
            faults.push(format!("{name} is in no list"));
            continue;
        }
        let is_elsewhere = |id: &String| VARIANTS_OF_RUST.iter().any(|(variant, _)| variant == id);
        let lacking = variants.iter().map(|variant| format!("{name}::{variant}"));
        let lacking = lacking.filter(|id| !ids.contains(id) && !is_elsewhere(id));
        faults.extend(lacking.map(|id| format!("{id} has no block in messages.txt")));
    }
    faults
}

/// Returns `Enumeration::Variant` of an error, as its type and its `Debug` text say.
fn id_of<E: Error>(error: &E) -> String {
    let name = any::type_name::<E>().rsplit("::").next().unwrap_or_default();
    let debug = format!("{error:?}");
    let variant: String = debug.chars().take_while(|c| c.is_alphanumeric()).collect();
    format!("{name}::{variant}")
}

/// Returns the identifier of the error of a program.
fn id_of_program(error: &ProgramError) -> String {
    match error {
        ProgramError::Syntax(error) => id_of(error),
        ProgramError::Type(error) => id_of(error),
        other => id_of(other),
    }
}

/// Returns the identifier and the report of a program that is refused.
fn of_program(library: &Library, text: &str) -> (String, String) {
    match library.infer_expression(text) {
        Ok((_, ty)) => ("no error".to_owned(), ty.to_string()),
        Err(error) => (id_of_program(&error), render_error(&SourceText::new("question", text), &error)),
    }
}

/// Returns the identifier and the report of theories that are not loaded: for the mark `own> `, of the lines of a theory that
/// extends two of the built-in ones.
fn of_theories(mark: &str, texts: &[String]) -> (String, String) {
    let loaded = match mark {
        "own> " => {
            let text = format!("theory Own extends Prelude, Integral\n{}", texts[0]);
            BUILT_IN.clone().load([SourceText::new("own.theory", text)])
        }
        _ => {
            let sources = texts.iter().enumerate().map(|(n, text)| SourceText::new(format!("file{n}"), text.as_str()));
            TheoryCollection::new().load(sources)
        }
    };
    match loaded {
        Ok(()) => ("no error".to_owned(), String::new()),
        Err(error) => {
            let id = match &error {
                TheoryError::Text(TextError::Program { error, .. }) => id_of_program(error),
                TheoryError::Text(error) => id_of(error),
                TheoryError::Statement { error, .. } => id_of(&**error),
                other => id_of(other),
            };
            (id, error.render())
        }
    }
}

/// Returns the identifiers and texts of the notes of an answer, or of its diagnostic.
fn of_question(mark: &str, text: &str) -> (String, String) {
    let (session, limits) = (Session::new(), Limits::seconds(20));
    let notes = match mark {
        "evidence> " => session.ask(&Evidence::new(text), &limits).map(|answer| answer.notes().to_vec()),
        "trace> " => session.ask(&Trace::new(text), &limits).map(|answer| answer.notes().to_vec()),
        _ => session.ask(&Evaluate::new(text), &limits).map(|answer| answer.notes().to_vec()),
    };
    match notes {
        Ok(notes) => {
            let ids: Vec<String> = notes.iter().map(|note| format!("note::{}", note.id)).collect();
            (ids.join(" "), notes.iter().map(|note| note.text.as_str()).collect::<Vec<_>>().join("\n"))
        }
        Err(diagnostic) => (format!("diagnostic::{}", diagnostic.id), diagnostic.report().to_owned()),
    }
}

/// Splits a command line at spaces outside of single quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    words
}

/// Returns `command::NAME` and what a command prints on the error stream, with its exit status.
fn of_command(line: &str) -> (String, String) {
    let words = words(line);
    let output = Command::new(env!("CARGO_BIN_EXE_smoothish")).args(&words).env("NO_COLOR", "1").output();
    let output = output.expect("the program runs");
    // An empty line would end the block.
    let told: Vec<&str> = std::str::from_utf8(&output.stderr).expect("text").lines().collect();
    let told: Vec<&str> = told.into_iter().filter(|line| !line.trim().is_empty()).collect();
    let status = output.status.code().map_or_else(|| "none".to_owned(), |code| code.to_string());
    (format!("command::{}", words[0]), format!("{}\nexit status {status}", told.join("\n")))
}

/// The input of a block, by its mark, with each text of it.
fn inputs(block: &str) -> (&str, Vec<String>) {
    const MARKS: [&str; 7] = ["> ", "theory> ", "own> ", "ask> ", "evidence> ", "trace> ", "$ "];
    let mut found: (&str, Vec<String>) = ("", Vec::new());
    for line in block.lines() {
        // The mark of an empty text has no space behind it.
        let text_behind = |mark| line.strip_prefix(mark).or((line == str::trim_end(mark)).then_some(""));
        let mark = MARKS.into_iter().find_map(|mark| Some((mark, text_behind(mark)?)));
        match (mark, line.strip_prefix("| ")) {
            (Some((mark, text)), _) => {
                found.0 = mark;
                found.1.push(text.to_owned());
            }
            (None, Some(more)) if !found.1.is_empty() => {
                let last = found.1.len() - 1;
                found.1[last] += "\n";
                found.1[last] += more;
            }
            _ => break,
        }
    }
    found
}

/// Returns the text of a block, as it should be, and its identifiers.
fn rewritten(library: &Library, mark: &str, texts: &[String]) -> (String, Vec<String>) {
    let (id, report) = match mark {
        "theory> " | "own> " => of_theories(mark, texts),
        "ask> " | "evidence> " | "trace> " => of_question(mark, &texts[0]),
        "$ " => of_command(&texts[0]),
        _ => of_program(library, &texts[0]),
    };
    let mut text = String::new();
    for input in texts {
        writeln!(text, "{}", format!("{mark}{}", input.replace('\n', "\n| ")).trim_end()).unwrap();
    }
    let ids = id.split(' ').map(str::to_owned).collect();
    (format!("{text}{id}\n{}", report.trim_end()).trim_end().to_owned(), ids)
}

/// The sources of all crates.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|end| end == "rs") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn messages_are_those_of_the_file() {
    let file = fs::read_to_string(PATH).expect("messages.txt");
    let library = builtin::library();
    let (mut written, mut ids) = (String::new(), BTreeSet::new());
    for block in file.split("\n\n").map(str::trim_end).filter(|block| !block.is_empty()) {
        if block.starts_with("made\n") {
            continue;
        }
        let (mark, texts) = inputs(block);
        match texts.is_empty() {
            // A heading.
            true => written += block,
            false => {
                let (text, found) = rewritten(&library, mark, &texts);
                assert_ne!(found, ["no error"], "{block}");
                written += &text;
                ids.extend(found);
            }
        }
        written += "\n\n";
    }
    for (id, message) in made::errors() {
        write!(written, "made\n{id}\n{message}\n\n").unwrap();
        ids.insert(id);
    }
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(PATH, written.trim_end().to_owned() + "\n").unwrap();
    } else {
        let (found, told): (Vec<_>, Vec<_>) = (written.trim_end().lines().collect(), file.trim_end().lines().collect());
        let first = found.iter().zip(&told).position(|(found, told)| found != told);
        let first = first.or((found.len() != told.len()).then_some(found.len().min(told.len())));
        assert!(
            first.is_none(),
            "line {}: the file has {:?}, the program says {:?}; after a review: UPDATE=1",
            first.unwrap_or_default() + 1,
            first.and_then(|at| told.get(at)),
            first.and_then(|at| found.get(at))
        );
    }

    let (mut files, root) = (Vec::new(), Path::new(env!("CARGO_MANIFEST_DIR")));
    sources(&root.join("src"), &mut files);
    for krate in fs::read_dir(root.join("crates")).expect("crates").flatten() {
        sources(&krate.path().join("src"), &mut files);
    }
    let read = |path: &PathBuf| enumerations(&fs::read_to_string(path).expect("a source"));
    let found: Vec<Enumeration> = files.iter().flat_map(read).collect();
    for name in COMPLETE.iter().chain(OF_RUST.iter().map(|(name, _)| name)) {
        assert!(found.iter().any(|enumeration| enumeration.name == *name), "there is no enumeration {name}");
    }
    let mut faults = missing(&found, &ids);
    let own = files.iter().filter(|file| file.starts_with(root.join("src/session")));
    let made: BTreeSet<String> = own.flat_map(|file| notes(&fs::read_to_string(file).expect("a source"))).collect();
    assert!(made.len() > 9, "{made:?}");
    let is_shown = |id: &String| {
        ids.contains(&format!("note::{id}")) || NOTES_ELSEWHERE.iter().any(|(elsewhere, _)| elsewhere == id)
    };
    faults.extend(made.iter().filter(|id| !is_shown(id)).map(|id| format!("note::{id} has no block in messages.txt")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Phrases that no message has: they name no subject, or make a person of a program.
const PRIVATE_PHRASES: &[&str] = &[
    "nobody",
    "somebody",
    "whoever",
    "who asks",
    "is told",
    "not told",
    "nothing is",
    "says nothing",
    "of which nothing",
    "behind the point",
    "is asked by",
    "where nothing",
    "has at most the chance",
];

#[test]
fn messages_have_no_riddles() {
    let file = fs::read_to_string(PATH).expect("messages.txt");
    let is_input = |line: &&str| {
        ["> ", "theory> ", "own> ", "ask> ", "evidence> ", "trace> ", "$ ", "| "]
            .iter()
            .any(|mark| line.starts_with(mark))
    };
    let found: Vec<&str> = file
        .lines()
        .filter(|line| !is_input(line))
        .filter(|line| PRIVATE_PHRASES.iter().any(|phrase| line.contains(phrase)))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_variant_without_a_block_is_refused() {
    let source = "pub enum BasisError {\n    #[error(\"a\")]\n    Known,\n    #[error(\"b\")]\n    New {\n        /// A number.\n        \
                  number: u8,\n    },\n    #[error(transparent)]\n    Wrapped(#[from] Other),\n}\n\npub enum Plain {\n    One,\n}\n\n\
                  pub enum FreshError {\n    #[error(\"c\")]\n    Any,\n}\n";
    let found = missing(&enumerations(source), &BTreeSet::from(["BasisError::Known".to_owned()]));
    assert_eq!(found, ["BasisError::New has no block in messages.txt", "FreshError is in no list"]);
}
