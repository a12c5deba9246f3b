//! A slice of the fuzzing that `smoothish fuzz` does without end, and everything that it ever found.

use smoothish::cli;
use smoothish::cli::evaluator::TheorySession as Evaluator;
use smoothish::law::fuzz::{FuzzOutcome, FuzzTarget, bundled_corpus, fuzz_input, split_texts};
use smoothish::syntax::library::Library;
use smoothish::theory::builtin;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const TARGETS: [FuzzTarget; 3] = [FuzzTarget::Parse, FuzzTarget::Check, FuzzTarget::Evaluate];

fn library() -> Library {
    builtin::library()
}

/// Every text of every file of `crates/laws/corpus`, where each crash that was found has a file.
fn all_texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/laws/corpus");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| split_texts(&String::from_utf8_lossy(&fs::read(path).unwrap()))).collect()
}

/// The crate `fuzz` needs libFuzzer, so it is not built here: its calls are compared with the library's names.
#[test]
fn the_targets_of_libfuzzer_call_the_library_by_its_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
    // a rename of the method must reach the text below it
    let _: fn(FuzzTarget, &Library, &[u8]) -> FuzzOutcome = FuzzTarget::run_input;
    for target in TARGETS {
        let name = format!("{target:?}");
        let text = fs::read_to_string(folder.join(format!("{}.rs", name.to_lowercase()))).unwrap();
        assert!(text.contains(&format!("FuzzTarget::{name}.run_input(&")), "{name}: {text}");
    }
}

#[test]
fn every_text_of_the_corpus_is_answered() {
    let library = library();
    let mut accepted = [0; 3];
    let all = all_texts();
    for text in &all {
        for (target, count) in TARGETS.iter().zip(&mut accepted) {
            *count += usize::from(target.run_input(&library, text.as_bytes()) == FuzzOutcome::Accepted);
        }
    }
    // the questions of the book and the claims of the theories are programs; the others are not
    assert!(accepted.iter().all(|&count| count > 200) && accepted[1] + 40 < all.len(), "{accepted:?} of {}", all.len());
    assert!(bundled_corpus().iter().all(|text| all.contains(text)));
}

#[test]
fn the_book_is_in_the_corpus() {
    let chapters = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src");
    let all = all_texts();
    let mut missing = Vec::new();
    for entry in fs::read_dir(chapters).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "md") {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let questions = text.lines().filter_map(|line| line.strip_prefix("> deriv "));
        missing.extend(questions.filter(|q| !all.iter().any(|t| t.contains(q))).map(str::to_owned));
    }
    if std::env::var_os("UPDATE").is_some_and(|v| v == "1") {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/laws/corpus/book.txt");
        let more: String = missing.iter().map(|q| format!("----\nderiv {q}\n")).collect();
        fs::write(&file, fs::read_to_string(&file).unwrap() + &more).unwrap();
    } else {
        assert_eq!(missing, [""; 0], "UPDATE=1 cargo test --test language fuzz adds them");
    }
}

#[test]
fn a_text_depends_on_seed_index_and_corpus() {
    let corpus = bundled_corpus();
    assert_eq!(fuzz_input(&corpus, 1, 2), fuzz_input(&corpus, 1, 2));
    assert_ne!(fuzz_input(&corpus, 1, 2), fuzz_input(&corpus, 2, 2));
    let distinct: std::collections::BTreeSet<_> = (0..1000).map(|index| fuzz_input(&corpus, 1, index)).collect();
    assert!(distinct.len() > 900, "{}", distinct.len());
    // without a corpus there are programs and nonsense
    assert!((0..100).any(|index| fuzz_input(&[], 1, index).len() > 100));
}

fn fuzz(arguments: &[&str]) -> (u8, String, String) {
    let mut library = Evaluator::load();
    let all = ["smoothish", "fuzz"].iter().chain(arguments).map(Into::into);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = cli::run_command_line(all, &mut library, &Arc::default(), &mut out, &mut err).unwrap();
    (status.code(), String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn the_command_counts() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/laws/corpus");
    let (status, out, _) = fuzz(&["--target", "check", "--executions", "200", "--json", "--corpus", folder]);
    let summary: serde_json::Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!((status, summary["executions"].as_u64(), summary["panics"].as_u64()), (0, Some(200), Some(0)));
    assert_eq!(summary["accepted"].as_u64().unwrap() + summary["refused"].as_u64().unwrap(), 200);
    let (status, out, _) = fuzz(&["--target", "parse", "--executions", "50"]);
    assert!(status == 0 && out.contains("50 texts for parse") && out.contains("0 panics"), "{out}");
    assert_eq!(fuzz(&["--target", "everything"]).0, 2);
    let (status, _, err) = fuzz(&["--target", "parse", "--corpus", "/no/such/folder"]);
    assert!(status == 2 && err.starts_with("error: /no/such/folder"), "{err}");
}

/// Indices go on at 0 behind the last one, also in the command that says how to go on.
#[test]
fn an_interrupt_at_the_last_index_is_answered() {
    let interrupted: Arc<AtomicBool> = Arc::default();
    let flag = interrupted.clone();
    let clock = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        flag.store(true, Ordering::Relaxed);
    });
    let asked = ["fuzz", "--target=parse", "--from=18446744073709551615", "--executions=18446744073709551615"];
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let all = ["smoothish"].iter().chain(&asked).map(Into::into);
    cli::run_command_line(all, &mut Evaluator::load(), &interrupted, &mut out, &mut err).unwrap();
    clock.join().unwrap();
    let out = String::from_utf8(out).unwrap();
    let number =
        |before: &str| -> u64 { out.split(before).nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap() };
    let executions: u64 = out.split(' ').next().unwrap().parse().unwrap();
    assert!(executions > 0 && number("--from ") == executions - 1, "{out}");
    assert_eq!(number("--executions "), u64::MAX - executions, "{out}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn hostile_texts_are_answered() {
        let (library, corpus) = (library(), all_texts());
        for (target, executions) in
            [(FuzzTarget::Parse, 30_000), (FuzzTarget::Check, 4_000), (FuzzTarget::Evaluate, 400)]
        {
            let (mut accepted, mut refused) = (0, 0);
            for index in 0..executions {
                match target.run_input(&library, &fuzz_input(&corpus, 5, index)) {
                    FuzzOutcome::Accepted => accepted += 1,
                    FuzzOutcome::Refused => refused += 1,
                }
            }
            // a fuzzer of which everything is refused reaches nothing
            assert!(accepted > executions / 20 && refused > executions / 20, "{target}: {accepted}, {refused}");
        }
    }
}
