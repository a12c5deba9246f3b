//! What the README and the book tell people to run is run, campaigns at a small size; answers that are printed beside a command are held
//! by the tests of the book.

use super::book::texts;
use smoothish::cli::book::example::{find_blocks, split_command_line};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Commands of others, by how they begin, and why they are not run here.
const OTHERS: &[(&str, &str)] = &[
    ("cargo test", "it is what runs this"),
    ("cargo quick", "it is a part of what runs this"),
    ("cargo build", "the program under test is built by it"),
    ("cargo clean", "it would take away what is run"),
    ("cargo bench", "it measures, for minutes; its programs are compiled by `cargo clippy --all-targets`"),
    ("cargo clippy", "it is a step of `.ci/run`"),
    ("cargo doc", "it is a step of `.ci/run`"),
    ("cargo install", "it installs for the person who asks"),
    ("cargo new", "the crate of the book is made and checked by `own_crate`"),
    ("cargo add", "the crate of the book is made and checked by `own_crate`"),
    (
        "cargo run --release --features book",
        "it builds a hundred crates, and serves until it is ended; `book/test` runs it",
    ),
    ("book/test", "it builds a hundred crates; who changes the live book runs it"),
    ("release/build", "it builds a release, for minutes"),
    ("mdbook ", "it is a program of others"),
    ("cargo run --example", "examples are compiled by `cargo test`, and their assertions are those of the chapters"),
    ("cargo +nightly", "it needs a toolchain that need not be here"),
    ("pip ", "it installs for the person who asks; `python/test` builds and installs the package"),
    ("python/test", "it is a step of `.ci/run`"),
    ("python3 ", "it needs Python, and tools from elsewhere"),
    (".ci/run", "it runs this"),
    ("rm -r ", "it takes away what the person has"),
    ("TARGET_CPU=", "the program under test is built without it"),
    ("SMOOTHISH_SAMPLES=", "it takes ten minutes; `cargo test` does the same on fewer samples"),
    ("CARGO_INCREMENTAL=", "it builds"),
];

/// Commands that take long as they are written, or wait for somebody, or need a file, and what is run for them.
const INSTEAD: &[(&str, &str)] = &[
    ("check", "check Prelude"),
    ("check FILE", "check own.theory"),
    ("mutants", "mutants Reverse --mutant exp_value"),
    ("mutants Reverse", "mutants Reverse --mutant exp_value"),
    ("mutants --of macro", "mutants --of macro --seeds 1 --mutant taylor_same_argument"),
    ("campaign", "campaign --programs 20"),
    ("campaign --piecewise", "campaign --piecewise --programs 20"),
    ("campaign --probabilistic", "campaign --probabilistic --programs 2"),
    ("campaign --programs 1000 --seed 1", "campaign --programs 20 --seed 1"),
    (
        "campaign --programs 100000 --millis 50 --resume counts.json",
        "campaign --programs 20 --millis 50 --resume counts.json",
    ),
    ("campaign --probabilistic --programs 2000 --seed 7", "campaign --probabilistic --programs 2 --seed 7"),
    ("fuzz", "fuzz --target parse --executions 1000"),
    ("fuzz --target parse", "fuzz --target parse --executions 1000"),
    ("fuzz --target parse --executions 10000000", "fuzz --target parse --executions 1000"),
    ("fuzz --target check --executions 1000000", "fuzz --target check --executions 1000"),
    ("fuzz --target evaluate --executions 100000", "fuzz --target evaluate --executions 100"),
    ("adequacy", "adequacy --programs 20"),
    ("mutants --of solver", "mutants --of solver --seeds 1 --mutant solver_root_sign"),
    ("mutants --of pieces", "mutants --of pieces --mutant test_border"),
    ("mutants --of law", "mutants --of law --seeds 1 --mutant trace_right_first"),
    ("mutants --of law --seeds 20", "mutants --of law --seeds 2 --mutant trace_right_first"),
    ("mutants --of trace", "mutants --of trace --seeds 1 --mutant trace_right_first"),
    ("adequacy --programs 20000", "adequacy --programs 20"),
    ("adequacy --programs 5000 --over reals", "adequacy --programs 5 --over reals"),
    // it needs a feature, and serves until it is ended; `book/test` runs it
    ("book plots", "book --help"),
    ("book --write FOLDER", "book --help"),
    ("repl FILE", "repl own.theory"),
    ("eval --load FILE", "eval --load own.theory own"),
    ("fmt FILE", "fmt own.theory"),
    ("fmt --check FILE", "fmt --check own.theory"),
    ("completions SHELL", "completions bash"),
    ("doc NAME", "doc floor"),
    ("eval 'PROGRAM'", "eval 1"),
    ("eval -", "eval 1"),
    ("derive --reverse", "derive --reverse '\\x => sin x'"),
    ("plot --density", "plot --density 'sample (normal 0 1)' --from -1 --to 1 --columns 4"),
];

/// Commands that are named and need something to be asked: their help is.
const NAMED: &[&str] = &[
    "eval",
    "agree",
    "plot",
    "render",
    "table",
    "audit",
    "pieces",
    "derive",
    "trace",
    "fragment",
    "estimators",
    "expect",
    "infer",
    "evidence",
    "pushforward",
    "doc",
    "book",
    "graph",
    "support",
    "normalise",
    "canonical",
];

/// Exit statuses other than 0 that a command is there to show.
const STATUSES: &[(&str, i32)] = &[
    ("eval --model partial integral01 exp", 2),
    // at 0 the slope is a set
    ("table \\x => abs (sin x) --from -4 --to 4 --steps 16 --deriv 0 --deriv 1 --csv", 3),
];

/// Returns `true` if the test of pictures runs each command of a `console` block of this text.
fn has_pictures(text: &str) -> bool {
    text.contains(" -o pictures/")
}

/// A file with one definition and one claim.
const OWN: &str =
    "! A theory of one's own.\ntheory Own\n\n! Two.\nlet own : ℜ = 2\n\nclaim two : own ~ 2 because \"it is\"\n";

/// What stands in code in the lines of a text outside of its blocks; a span may go on in the next line.
fn spans(text: &str) -> Vec<String> {
    let blocks = find_blocks(text);
    let is_inside = |line: usize| blocks.iter().any(|(_, start, end)| (start - 1..=*end).contains(&line));
    let outside: Vec<_> = text.lines().enumerate().map(|(i, line)| if is_inside(i) { "" } else { line }).collect();
    let paragraphs = outside.join("\n");
    let spans =
        paragraphs.split("\n\n").flat_map(|paragraph| paragraph.split('`').skip(1).step_by(2).collect::<Vec<_>>());
    spans.map(|span| span.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The commands of a text that no other test runs: those behind `$ ` in its blocks, and those in its sentences.
fn told(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (tag, start, end) in find_blocks(text) {
        let is_run = tag == "shell" || (tag == "console" && has_pictures(text));
        let commands = lines[start..end].iter().filter_map(|line| line.strip_prefix("$ "));
        found
            .extend(commands.filter(|_| !is_run).map(|command| command.split(" # ").next().unwrap().trim().to_owned()));
    }
    let is_command = |span: &String| {
        let first = span.split(' ').next().unwrap_or_default();
        let begins = OTHERS.iter().any(|(others, _)| span.starts_with(others));
        begins
            || (first == "smoothish" && span.contains(' '))
            || span.starts_with("cargo ")
            || span.starts_with("mdbook ")
    };
    found.extend(spans(text).into_iter().filter(is_command));
    found
}

/// What is run for a command; nothing for one of others.
fn run_for(command: &str) -> Option<Result<(Vec<String>, String), String>> {
    let command = command.strip_prefix("cargo run -- ").map_or(command.to_owned(), |own| format!("smoothish {own}"));
    if OTHERS.iter().any(|(others, _)| command.starts_with(others)) {
        return None;
    }
    let (input, command) = match command.split_once(" | ") {
        None => (String::new(), command.as_str()),
        Some((print, command)) => match print.strip_prefix("printf '") {
            Some(text) => (text.trim_end_matches('\'').replace("\\n", "\n"), command),
            None => return Some(Err(format!("{print} is not known"))),
        },
    };
    let Some(own) = command.strip_prefix("smoothish ") else {
        return Some(Err("who it is for is not said".to_owned()));
    };
    if NAMED.contains(&own) {
        return Some(Ok((vec![own.to_owned(), "--help".to_owned()], input)));
    }
    let instead = INSTEAD.iter().find(|(written, _)| *written == own).map_or(own, |(_, instead)| instead);
    Some(Ok((split_command_line(instead), input)))
}

/// Runs a command in a folder: what is wrong with it, and how long it took.
fn fault(arguments: &[String], input: &str, folder: &Path) -> (Option<String>, Duration) {
    let started = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").env("HOME", folder).env_remove("XDG_STATE_HOME");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // a program that does not read is no fault
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let line = arguments.join(" ");
    let expected = STATUSES.iter().find(|(shown, _)| *shown == line).map_or(0, |(_, status)| *status);
    let found = output.status.code();
    let said = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned();
    ((found != Some(expected)).then(|| format!("{line}\n  ends with {found:?}: {said}")), started.elapsed())
}

/// The theory of bars in the book.
fn bars() -> String {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src/programs.md")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (_, start, end) = find_blocks(&text)
        .into_iter()
        .find(|(_, start, _)| lines[*start].starts_with("theory Bars "))
        .expect("a theory");
    lines[start..end].join("\n") + "\n"
}

#[test]
fn commands_are_found_in_blocks_and_sentences() {
    let page = "Say `smoothish eval\n'1/3'` or `smoothish check`, not `smoothish`.\n\n```console\n$ smoothish campaign\n$ cargo test   # all\n```\n\n```shell\n$ smoothish eval 1\n```\n";
    assert_eq!(told(page), ["smoothish campaign", "cargo test", "smoothish eval '1/3'", "smoothish check"]);
    assert!(run_for("cargo test").is_none());
    let run = |command: &str| run_for(command).unwrap().unwrap().0.join(" ");
    assert_eq!(run("smoothish campaign"), "campaign --programs 20");
    assert_eq!(run("cargo run -- demo"), "demo");
    assert!(run_for("frobnicate now").unwrap().is_err());
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn what_people_are_told_to_run_is_run() {
        let mut wanted: BTreeMap<(Vec<String>, String), Vec<String>> = BTreeMap::new();
        let mut faults = Vec::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for path in texts().into_iter().chain(["CONTRIBUTING.md", "python/README.md"].map(|name| root.join(name))) {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if ["reference.md", "the-theories.md"].contains(&&*name) {
                continue;
            }
            for command in told(&text) {
                match run_for(&command) {
                    None => {}
                    Some(Ok(run)) => wanted.entry(run).or_default().push(format!("{name}: {command}")),
                    Some(Err(why)) => faults.push(format!("{name}: {command}: {why}")),
                }
            }
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("told");
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in [("own.theory", OWN), ("bars.theory", &bars())] {
            fs::write(folder.join(file), text).unwrap();
        }
        let (all, next, slow) = (wanted.iter().collect::<Vec<_>>(), AtomicUsize::new(0), Mutex::new(Vec::new()));
        let lane = || {
            let own = std::iter::from_fn(|| all.get(next.fetch_add(1, Ordering::Relaxed)));
            own.filter_map(|((arguments, input), told)| {
                let (fault, time) = fault(arguments, input, &folder);
                slow.lock().unwrap().push((time, arguments.join(" ")));
                fault.map(|fault| format!("{}\n  told in {}", fault, told.join(", ")))
            })
            .collect::<Vec<_>>()
        };
        let found = thread::scope(|scope| [scope.spawn(lane), scope.spawn(lane)].map(|lane| lane.join().unwrap()));
        faults.extend(found.into_iter().flatten());
        let mut slow = slow.into_inner().unwrap();
        slow.sort();
        eprintln!("{} commands; the slowest: {:?}", all.len(), slow.iter().rev().take(5).collect::<Vec<_>>());
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert!(all.len() > 40, "{} commands are told", all.len());
    }
}
