//! The live book: the files that a run for a page may name, and the command without its feature. The server is tested in
//! `served`, which needs the feature: `book/test` builds it.

#[cfg(feature = "book")]
mod served;

use clap::{CommandFactory, Parser};
use serde_json::{Value as Json, json};
use smoothish::cli::arguments::Arguments;
use smoothish::cli::book::confine::{FileUse, is_inside};
use std::any::TypeId;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

/// A fresh empty folder for a test.
fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("live-book").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A theory with one definition and one claim.
fn theory_named(name: &str) -> String {
    format!("! One.\ntheory {name}\n\n! Two.\nlet two : ℜ = 2\n\nclaim value : two ~ 2 because \"it is\"\n")
}

/// Runs the program in a folder as the server does, without a server.
fn confined(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    command.args(["--confined", "70"]).args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env("NO_COLOR", "1").output().expect("the program starts")
}

/// The shortest command line of each command that names files, and its other words.
const SHORTEST: &[(&str, &[&str])] = &[
    ("eval", &["1"]),
    ("agree", &["1"]),
    ("derive", &["1"]),
    ("trace", &["1"]),
    ("pieces", &["\\x => x", "--from", "0", "--to", "1"]),
    ("audit", &["\\x => x", "--at", "0", "--claim", "1"]),
    ("fragment", &["1"]),
    ("evidence", &["return 1"]),
    ("expect", &["return 1", "\\x => x"]),
    ("estimators", &["\\x => return x", "\\x => x", "--at", "0"]),
    ("pushforward", &["\\x => x", "--of", "return 1", "--at", "0"]),
    ("infer", &["return 1", "\\x => x"]),
    ("plot", &["\\x => x", "--from", "0", "--to", "1"]),
    ("render", &["\\x y => x", "--x", "0", "1", "--y", "0", "1"]),
    ("table", &["\\x => x", "--from", "0", "--to", "1"]),
    ("theorem", &[]),
    ("tuning", &[]),
    ("fmt", &[]),
    ("check", &[]),
    ("repl", &["--json"]),
    ("book", &[]),
    ("campaign", &[]),
    ("fuzz", &["--target", "parse"]),
    ("mutants", &[]),
];

/// Every option whose value is a path is told by `Command::files`, or its command is not run for a page at all.
#[test]
fn every_option_with_a_path_is_known_to_the_confinement() {
    let path = "/elsewhere/file";
    let mut count = 0;
    for command in Arguments::command().get_subcommands() {
        for argument in command.get_arguments() {
            let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
            let names = argument.get_value_names().unwrap_or_default();
            let is_named_so = names.iter().any(|name| matches!(name.as_str(), "FILE" | "FOLDER" | "THEORY" | "PATH"));
            if !is_path && !is_named_so {
                continue;
            }
            count += 1;
            let name = command.get_name();
            let (_, words) = SHORTEST
                .iter()
                .find(|(known, _)| *known == name)
                .unwrap_or_else(|| panic!("{name} is not in SHORTEST"));
            // a file of claims stands in the place of a point and a claim
            let words = if argument.get_long() == Some("claims") { &words[..1] } else { &words[..] };
            let mut line = vec!["smoothish", name];
            line.extend(words);
            let long = argument.get_long().map(|long| format!("--{long}={path}"));
            line.push(long.as_deref().unwrap_or(path));
            let parsed = Arguments::try_parse_from(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
            let found = parsed.command.files();
            let is_told = |files: &Vec<FileUse<'_>>| {
                files
                    .iter()
                    .any(|file| matches!(file, FileUse::Read(at) | FileUse::Write(at) if *at == Path::new(path)))
            };
            assert!(found.as_ref().map_or(true, is_told), "{line:?}: {found:?}");
        }
    }
    assert!(count > 25, "only {count} options with paths were found");
}

/// Paths that lead out of the folder, however they are written.
#[test]
fn a_path_is_inside_by_its_names_alone() {
    for inside in ["a.svg", "pictures/a.svg", "a b", "..a", "-"] {
        assert!(is_inside(Path::new(inside)), "{inside}");
    }
    for outside in ["", "/", "/etc/passwd", "..", "../a", "a/../../b", "./a", ".", "a/..", "//a", "~/../a"] {
        assert!(!is_inside(Path::new(outside)), "{outside}");
    }
    // Folders in folders take time to remove.
    assert!(is_inside(Path::new("a/b/c/d/e/f/g/h")) && !is_inside(Path::new("a/b/c/d/e/f/g/h/i")));
}

#[test]
fn a_page_names_files_of_its_own_folder_only() {
    let folder = empty_folder("confined");
    fs::write(folder.join("../secret.theory"), theory_named("Secret")).unwrap();
    fs::write(folder.join("own.theory"), theory_named("Own")).unwrap();
    let plot = ["plot", "\\x => abs x", "--from", "-1", "--to", "1", "--columns", "8"];
    for (arguments, told) in [
        (&["eval", "-f", "x"][..], "a page reads no files but its own theories: x"),
        (&["eval", "-f", "../secret.theory"], "a page reads no files"),
        (&["eval", "--load", "../secret.theory", "1"], "a page reads no files"),
        (&["eval", "--load=/etc/passwd", "1"], "a page reads no files"),
        (&["check", "../secret.theory"], "a page reads no files"),
        (&["theorem", "--macro", "../secret.theory"], "a page reads no files"),
        (&["fmt", "../secret.theory"], "a page reads no files"),
        (&["repl", "--json", "../secret.theory"], "a page reads no files"),
        (&["repl"], "a page does not run this command: it needs a terminal"),
        (&["check", "--watch", "own.theory"], "a page does not run this command: it waits"),
        (&["campaign", "--programs", "1"], "a page does not run this command"),
        (&["fuzz", "--target", "parse"], "a page does not run this command"),
        (&["mutants", "--list"], "a page does not run this command"),
        (&["man"], "a page does not run this command"),
        (&["completions", "bash"], "a page does not run this command"),
        (&["book"], "a page does not run this command"),
    ] {
        let output = confined(&folder, arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.starts_with(&format!("error: {told}")), "{arguments:?}: {text}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    }
    for output in ["../a.svg", "/tmp/a.svg", "a/../../a.svg"] {
        let run = confined(&folder, &[&plot[..], &["-o", output]].concat());
        let text = String::from_utf8_lossy(&run.stderr);
        assert!(text.starts_with("error: a page writes no file elsewhere"), "{output}: {text}");
        assert!(!folder.join(output).exists(), "{output}");
    }
    // What the chapters ask is answered.
    for arguments in [
        &[&plot[..], &["-o", "a.svg"]].concat()[..],
        &[&plot[..], &["-o", "pictures/b.svg"]].concat(),
        &["check", "own.theory", "--samples", "1"],
        &["eval", "--load", "own.theory", "Own.two"],
        &["eval", "1 + 1"],
        &["doc", "deriv"],
    ] {
        let output = confined(&folder, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(folder.join("a.svg").is_file() && folder.join("pictures/b.svg").is_file());
    // The same without the confinement is read: the refusals above are its doing.
    let free =
        Command::new(env!("CARGO_BIN_EXE_smoothish")).current_dir(&folder).args(["check", "../secret.theory"]).output();
    assert_eq!(free.unwrap().status.code(), Some(0));
}

/// Links could lead out of the folder, though nothing that a page runs can make one.
#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let folder = empty_folder("links");
    fs::write(folder.join("../linked.theory"), theory_named("Linked")).unwrap();
    std::os::unix::fs::symlink("../linked.theory", folder.join("own.theory")).unwrap();
    let output = confined(&folder, &["check", "own.theory"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("a page reads no files"), "{output:?}");
}

#[test]
fn a_wrong_confinement_is_refused() {
    let program = || Command::new(env!("CARGO_BIN_EXE_smoothish"));
    for arguments in [&["--confined"][..], &["--confined", "eval", "1"], &["--confined", "-1", "eval", "1"]] {
        let output = program().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("seconds"), "{output:?}");
    }
    // It is no option of the command line: nobody who writes one gets it by accident.
    let output = program().args(["eval", "--confined", "70", "1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// Sends requests to a confined prompt, and returns the replies to them.
fn prompt_replies(folder: &Path, requests: &[Json]) -> Vec<Json> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    command.args(["--confined", "70", "repl", "--json"]).current_dir(folder).env("NO_COLOR", "1");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    requests.iter().for_each(|request| writeln!(stdin, "{request}").unwrap());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The prompt of a page shows what a terminal shows, and reads and writes no files.
#[test]
fn the_prompt_of_a_page_answers_in_lines() {
    let folder = empty_folder("prompt");
    fs::write(folder.join("../far.theory"), theory_named("Far")).unwrap();
    let inputs = [
        "let f x = x^2",
        "deriv f 3",
        ":digits 5",
        "sqrt 2",
        "1 +",
        ":save t",
        ":load ../far.theory",
        ":load /etc/passwd",
    ];
    let requests: Vec<Json> =
        inputs.iter().enumerate().map(|(id, input)| json!({ "id": id, "input": input, "form": "lines" })).collect();
    let replies = prompt_replies(&folder, &requests);
    let first = |reply: &Json| reply["lines"][0].as_str().unwrap_or_default().to_owned();
    let expected = [
        ("f : Real -> Real", 0, "eps=1e-3"),
        ("6", 0, "eps=1e-3"),
        ("", 0, "digits=5"),
        ("[1.4142", 0, "digits=5"),
        ("error: expected an expression", 2, "digits=5"),
        ("error: a page writes no files: t", 2, "digits=5"),
        ("error: a page reads no files but its own theories: ../far.theory", 2, "digits=5"),
        ("error: a page reads no files but its own theories: /etc/passwd", 2, "digits=5"),
    ];
    for ((reply, input), (line, status, goal)) in replies.iter().zip(inputs).zip(expected) {
        assert!(first(reply).starts_with(line), "{input}: {reply}");
        assert_eq!((&reply["status"], &reply["goal"]), (&json!(status), &json!(goal)), "{input}: {reply}");
    }
    assert_eq!(replies.len(), inputs.len());
    // Errors name the input as a terminal does.
    assert_eq!(replies[4]["lines"][1], " --> prompt:1:4");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is saved");
    let wrong = prompt_replies(&folder, &[json!({ "input": "1", "form": "rows" })]);
    assert!(wrong[0]["error"].to_string().contains("\\\"form\\\" is"), "{wrong:?}");
}

/// Without its feature the command says how to build it.
#[cfg(not(feature = "book"))]
#[test]
fn without_its_feature_the_command_says_how_to_build_it() {
    for arguments in [&["book"][..], &["book", "plots"], &["book", "--write", "pages"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_smoothish")).args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{text}");
        assert!(text.contains("cargo run --release --features book -- book"), "{text}");
    }
}
