//! The built program, as a person meets it: what is printed where, and the exit status, for right and wrong questions.

use smoothish::cli::book::example::split_command_line;
use smoothish::cli::evaluator::TheorySession;
use smoothish::cli::run_command_line;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// How a run of the program ended.
#[derive(Debug, PartialEq)]
pub struct Run {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

/// No question of this file may take longer, `--timeout` or not.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    command.args(arguments).env("NO_COLOR", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Waits for the end, and no longer than that.
pub fn finish(mut child: Child, input: Vec<u8>) -> Run {
    let mut stdin = child.stdin.take().expect("piped");
    // A program that refuses its input early closes the pipe: then there is nobody to write to.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let reader = |mut pipe: Box<dyn Read + Send>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).expect("the pipe is read");
            String::from_utf8(bytes).expect("what is printed is UTF-8")
        })
    };
    let out = reader(Box::new(child.stdout.take().expect("piped")));
    let err = reader(Box::new(child.stderr.take().expect("piped")));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the program is there") {
            break status.code();
        }
        if begun.elapsed() > PATIENCE {
            child.kill().expect("the program is there");
            panic!("the program did not end");
        }
        thread::sleep(Duration::from_millis(5));
    };
    writer.join().expect("the input is written");
    Run { status, out: out.join().unwrap(), err: err.join().unwrap() }
}

pub fn run(arguments: &[&str]) -> Run {
    finish(start(arguments), Vec::new())
}

/// Runs a command inside of this process, and interrupts it once it has printed `trigger`. Returns what it printed.
pub fn run_interrupted(arguments: &[&str], trigger: &str) -> (String, String) {
    struct InterruptAt<'t> {
        text: String,
        trigger: &'t str,
        interrupt: Arc<AtomicBool>,
    }
    impl Write for InterruptAt<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.text += std::str::from_utf8(bytes).expect("what is printed is UTF-8");
            self.interrupt.store(self.text.contains(self.trigger), Ordering::Relaxed);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let interrupt: Arc<AtomicBool> = Arc::default();
    let mut out = InterruptAt { text: String::new(), trigger, interrupt: interrupt.clone() };
    let (mut library, mut err) = (TheorySession::load(), Vec::new());
    let all = ["smoothish"].iter().chain(arguments).map(Into::into);
    run_command_line(all, &mut library, &interrupt, &mut out, &mut err).expect("what is printed is kept");
    (out.text, String::from_utf8(err).expect("what is printed is UTF-8"))
}

/// A question, what is printed, the exit status, and what the error stream must say.
type Row<'a> = (&'a [&'a str], &'a str, i32, &'a str);

#[track_caller]
fn holds((arguments, out, status, err): Row) {
    let run = run(&[&["eval"], arguments].concat());
    assert_eq!((run.status, run.out.as_str()), (Some(status), out), "{arguments:?}\n{run:?}");
    assert!(if err.is_empty() { run.err.is_empty() } else { run.err.contains(err) }, "{arguments:?}\n{run:?}");
    assert!(!run.err.contains("panicked"), "{run:?}");
}

#[test]
fn questions_that_are_answered() {
    for row in [
        (&["1/4"][..], "0.25\n", 0, ""),
        (&["1e400"], "[9.99999999999999999e399, 1.000000000000000001e400]\n", 0, ""),
        (&["--eps=1e-8", "1e400"], "1e400\n", 0, ""),
        (&["--", "-1/4"], "-0.25\n", 0, ""),
        (&["(1/2, tt)"], "(0.5, tt)\n", 0, ""),
        (&["--eps", "1", "deriv relu 0"], "[0, 1]\n", 0, ""),
        (&["1/4", "1/2"], "0.25\n0.5\n", 0, ""),
    ] {
        holds(row);
    }
}

#[test]
fn questions_with_too_little_for_an_answer() {
    for row in [
        (&["--eps", "0.1", "deriv relu 0"][..], "[0, 1]\n", 3, "the tolerance of 0.1 was not reached"),
        (&["1/0"], "[-inf, inf]\n", 4, "not defined"),
        (&["log (-1)"], "[-inf, inf]\n", 4, "not defined"),
        (&[r"(\x => sqrt (x - x)) pi"], "[-inf, inf]\n", 4, "not shown to be defined"),
        (&[r"integral01 (\x => 1/x)"], "[-inf, inf]\n", 4, "the integral diverges: beside x = 0"),
        (&[r"let rec f (n : Nat) : Real = f (n + 1) in f 0"], "", 4, "did not end within"),
        (&[r"deriv (\x => 1/0) 3"], "[-inf, inf]\n", 4, "not defined"),
        (&["deriv signum 0"], "[-inf, inf]\n", 4, "not defined"),
        (&[r"cutRoot exp"], "[-inf, inf]\n", 4, "not defined"),
        (&["1/0", "--eps", "0.1", "deriv relu 0"], "[-inf, inf]\n[0, 1]\n", 4, "was not reached"),
    ] {
        holds(row);
    }
}

/// A function that rises is to be negated; what firstRoot would make of it is said where firstRoot is recommended.
#[test]
fn the_advice_for_a_root_with_the_wrong_sign_leads_to_the_root() {
    for row in [
        (&[r"cutRoot (\x => x - 1/2)"][..], "", 2, "negate it if that is its one change of sign"),
        (&[r"cutRoot (\x => x - 1/2)"], "", 2, "it is 0 if the function is negative at 0"),
        (&[r"cutRoot (\x => -(x - 1/2))"], "0.5\n", 0, ""),
        (&[r"firstRoot (\x => -(x - 1/2))"], "0.5\n", 0, ""),
        (&[r"firstRoot (\x => x - 1/2)"], "0\n", 0, "negative at 0; where it is to find a rise"),
        (&[r"firstRoot (\x => (x - 1/4) * (x - 1/2) * (3/4 - x))"], "0.25\n", 0, ""),
        (
            &[r"firstRoot (\x => (x - 1/4) * (x - 1/2) * (x - 3/4))"],
            "0\n",
            0,
            "negative at 0; where it is to find a rise",
        ),
    ] {
        holds(row);
    }
}

#[test]
fn questions_that_are_wrong() {
    for row in [
        (&["derv sin 0"][..], "", 2, "did you mean"),
        (&["sin tt"], "", 2, "expected Real, found Bool"),
        (&["sin 1 2"], "", 2, "error: "),
        (&["(1 + 2"], "", 2, "expected `)`"),
        (&[""], "", 2, "expected an expression"),
        (&["sin"], "", 2, "a function, of type Real -> Real"),
        (&[r"cutRoot (\x => x)"], "", 2, "cutRoot needs a function"),
        (&[r"cutRoot (\x => x^3 - x)"], "", 2, "negative at -2 and positive at 2"),
        (&["--eps", "1e-999999999", "1"], "", 2, "100000"),
        (&[r"(\x => x^1000000) 2"], "", 2, "is too large"),
        (&["1e999999999"], "", 2, "too long"),
        (&[r"\(x : Real^1000000000) => 1"], "", 2, "too wide"),
        (&["--eps", "0", "1"], "", 2, "must be greater than 0"),
        (&["--eps", "-1e-3", "1"], "", 2, "must be greater than 0"),
        (&["--eps", "x", "1"], "", 2, "expected a positive number"),
        (&["--timeout", "0", "1"], "", 2, "greater than 0"),
        (&["--model", "floot", "1"], "", 2, "presheaf, tower, partial, pap, clarke, float"),
        (&[], "", 2, "EXPR"),
        (&["1/4", "derv"], "0.25\n", 2, "not known here"),
    ] {
        holds(row);
    }
    assert_eq!(run(&["--help"]).status, Some(0));
}

#[test]
fn programs_on_the_standard_input() {
    let doubled = |depth: usize| {
        let lets = (1..depth).map(|i| format!("let x{i} = (x{p}, x{p}) in ", p = i - 1));
        format!("let x0 = \\y => y in {}1", lets.collect::<String>())
    };
    let rows: [(Vec<u8>, &str, i32, &str); 7] = [
        (b"1/4 \n+ 1/4 ! a comment\n".into(), "0.5\n", 0, ""),
        (b"1 + \xff".into(), "", 2, "not UTF-8: line 1, byte 4"),
        (["(".repeat(100_000), "1".into(), ")".repeat(100_000)].concat().into(), "", 2, "10000 levels"),
        (["1", &"+1".repeat(999_999)].concat().into(), "", 2, "10000 levels"),
        (["1/4", &" ".repeat(9_999_000)].concat().into(), "0.25\n", 0, ""),
        (" ".repeat(10_000_001).into(), "", 2, "10000000 are read"),
        (doubled(40).into(), "", 2, "too large"),
    ];
    for (input, out, status, err) in rows {
        let start_of_input = String::from_utf8_lossy(&input[..input.len().min(40)]).into_owned();
        let run = finish(start(&["eval", "-"]), input);
        assert_eq!((run.status, run.out.as_str()), (Some(status), out), "{start_of_input}\n{run:?}");
        assert!(run.err.contains(err), "{start_of_input}\n{run:?}");
    }
}

#[test]
fn json_is_for_programs() {
    let run = run(&["eval", "--json", "--eps", "1e-3", "1/4"]);
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    for (key, value) in [("question", "1/4"), ("type", "Real"), ("lo", "0.25"), ("hi", "0.25"), ("eps", "1e-3")] {
        assert_eq!(object[key], value, "{object}");
    }
    assert_eq!((&object["version"], &object["reached"], &object["defined"]), (&1.into(), &true.into(), &true.into()));
    assert!(object["ms"].is_number());
}

/// The narrowest tolerances are met, or end with the budget.
#[test]
fn thousands_of_digits() {
    let run1 = run(&["eval", "--eps", "1e-5000", "sqrt 2"]);
    assert_eq!(run1.status, Some(0), "{}", run1.err);
    assert!(run1.out.starts_with("[1.41421356237309504880168872420969807856967187537694"));
    assert!(run1.out.len() > 10_000);
    let begun = Instant::now();
    let run2 = run(&["eval", "--eps", "1e-5000", "--timeout", "1", r"integral01 (\x => sin (x + exp x))"]);
    assert_eq!(run2.status, Some(3), "{}", run2.err);
    assert!(begun.elapsed() < Duration::from_secs(20));
}

/// Nested derivatives cost polynomially in their depth, also where each is taken of a product.
#[test]
fn deep_nests_of_derivatives() {
    let nest = r"let rec d (n : Nat) (f : Real -> Real) : Real -> Real = if n == 0 then f else d (n - 1) (\x => x * deriv f x)";
    // (x d/dx)²⁰ x² = 2²⁰ x²
    holds((&[&format!(r"{nest} in d 20 (\x => x^2) 3")], "9437184\n", 0, ""));
    // every derivative of exp is exp
    holds((&["nthDeriv 40 exp 0"], "[0.99999999, 1.00000001]\n", 0, ""));
}

/// Numbers of hundreds of thousands of digits take no longer than the time there is, and two ends of at most 100,000 digits.
#[test]
fn huge_numbers_are_answered_in_time() {
    for (question, longest) in [
        // a sum of 109,999 digits before the point, as far as it is known
        ("1e99999 * 1e9999 + 1/4", 250_000),
        ("cosh (2^30)", 5_000),
        ("exp (1e9) * 1e99999", 5_000),
        ("sin (2^30000) / 1e-99999", 5_000),
        ("(1 + 1/3)^(1/99999)", 5_000),
    ] {
        let begun = Instant::now();
        let run = run(&["eval", "--timeout", "0.01", question]);
        assert!(matches!(run.status, Some(0 | 3 | 4)) && run.out.len() < longest, "{question}: {run:?}");
        // far more than is needed on a machine that does nothing else
        assert!(begun.elapsed() < Duration::from_secs(10), "{question}: {:?}", begun.elapsed());
    }
}

/// A question that takes longer than anybody would wait.
const LONG: &str =
    r"integral01 (\x => integral01 (\y => integral01 (\z => abs (sin (17*x) + cos (23*y) - z*exp (x*y)))))";

#[test]
fn the_demonstration_finds_every_true_value() {
    let run = run(&["demo"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let last = run.out.lines().find(|line| line.contains(" intervals contain the true value")).unwrap();
    let (found, of) = last.split_once(" of ").unwrap();
    assert!(of.starts_with(&format!("{found} intervals contain the true value")), "{last}");
}

/// The demonstration ends with a picture, and with commands that are there.
#[test]
fn the_demonstration_says_what_to_try_next() {
    let demo = run(&["demo"]);
    let (_, below) = demo.out.split_once(" intervals contain the true value").unwrap();
    let plotted = below.lines().nth(2).unwrap();
    let next: Vec<&str> = below.lines().filter_map(|line| line.strip_prefix("next: ")).collect();
    let [book, "cargo run -- repl", plot] = next[..] else { panic!("{next:?}") };
    assert_eq!(book, "cargo run --release --features book -- book twenty-minutes");
    assert!(below.lines().count() > 15 && below.lines().all(|line| line.chars().count() <= 80), "{below}");
    let words = split_command_line(plot.strip_prefix("cargo run -- ").unwrap());
    assert_eq!((&*words[0], &*words[1]), ("plot", plotted));
    // at its kinks the slope is a set
    assert_eq!(run(&words.iter().map(String::as_str).collect::<Vec<_>>()).status, Some(0), "{plot}");
}

#[test]
fn claims_of_a_file_are_checked() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted.theory");
    let theory = r#"theory Planted extends Prelude
        about "Three claims, of which two are right."
        claim right : sqrt 2 within 1e-9 of 1.4142135623730950488016887242096980785696 because "1.414…² = 2"
        claim agree : sqrt 2 * sqrt 2 ~ 2 because "definition"
        claim wrong : sqrt 2 within 1e-9 of 1.5 because "a mistake""#;
    fs::write(&path, theory).unwrap();
    let run1 = run(&["check", path.to_str().unwrap()]);
    assert_eq!(run1.status, Some(1), "{run1:?}");
    for line in [
        "Planted        presheaf",
        "  claim right  holds",
        "  claim agree  holds",
        "  claim wrong  refuted",
        "        claimed  within 1/1000000000 of 3/2, reached",
        "2 as they should be, 1 refuted, 0 open",
    ] {
        assert!(run1.out.lines().any(|l| l == line), "{line}\n{}", run1.out);
    }
    fs::write(&path, "theory Planted extends Prelud").unwrap();
    let run2 = run(&["check", path.to_str().unwrap()]);
    assert_eq!(run2.status, Some(2), "{run2:?}");
    assert!(run2.err.contains("did you mean `Prelude`?"), "{run2:?}");
    assert_eq!(run(&["check", "no such file"]).status, Some(2));
}

/// A file of the tests, with this text.
pub fn file(name: &str, text: impl AsRef<[u8]>) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn questions_come_from_files_and_options_in_their_order() {
    let half = file("half", "! a comment\n1/\n2\n");
    holds((&["1/4", "-f", &half, "-e", "-1/4", "3/4"], "0.25\n0.5\n-0.25\n0.75\n", 0, ""));
    let wrong = file("wrong", "1 +\n derv 2");
    holds((&["--file", &wrong], "", 2, &format!("--> {wrong}:2:2")));
    holds((&["-f", &file("binary", b"1\n\xff")], "", 2, "binary is not UTF-8: line 2, byte 2 of the whole"));
    holds((&["-f", "no such file", "1"], "1\n", 2, "error: no such file: "));
    holds((&["-f", env!("CARGO_TARGET_TMPDIR"), "1"], "1\n", 2, "error: "));
    let piped = finish(start(&["eval", "-f", "-"]), b"1/4".into());
    assert_eq!((piped.status, piped.out.as_str()), (Some(0), "0.25\n"), "{piped:?}");
    #[cfg(unix)]
    holds((&["-f", "/dev/zero"], "", 2, "10000000 are read"));
}

#[test]
fn theories_of_ones_own_are_loaded() {
    let own = file("own.theory", "theory Own extends Prelude\nlet threefold (x : Real) : Real = 3 * x");
    holds((&["--load", &own, "threefold 2"], "6\n", 0, ""));
    holds((&["--load", &own, "--load", &own, "Own.threefold 2"], "6\n", 0, ""));
    holds((&["--load", "no such file", "1"], "", 2, "error: no such file: "));
    holds((&["--load", &file("bad.theory", "theory Bad extends Prelud"), "1"], "", 2, "did you mean `Prelude`?"));
    // a broken promise points into the theory
    let cut = file("cut.theory", "theory Cut\nlet f x = cutRoot (\\y => y - x)");
    holds((&["--load", &cut, "f 1"], "", 2, &format!("--> {cut}:2:11")));
}

#[test]
fn the_short_format_is_for_scripts_and_editors() {
    let short = "--message-format=short";
    holds((&[short, "1/4", "(1, tt)"], "0.25 0.25\n1 1 tt\n", 0, ""));
    let wrong = file("short", "1 +\n derv 2");
    let run1 = run(&["eval", short, "-f", &wrong, "1 +"]);
    let lines = [
        format!("{wrong}:2:2: error: the name `derv` is not known here"),
        "question:1:4: error: expected an expression, found the end".to_owned(),
    ];
    assert_eq!(
        (run1.status, run1.err.lines().collect::<Vec<_>>()),
        (Some(2), lines.iter().map(String::as_str).collect())
    );
    let theory = file(
        "short.theory",
        "theory Short\nclaim a : 1 within 0 of 1 because \"\"\nclaim b : 1 within 0 of 2 because \"\"",
    );
    let run2 = run(&["check", short, &theory]);
    assert_eq!(run2.status, Some(1));
    let lines: Vec<&str> = run2.out.lines().collect();
    assert_eq!(lines.len(), 1, "{run2:?}");
    assert!(lines[0].starts_with(&format!("{theory}:3:11: refuted: Short.b: computed 1")), "{run2:?}");
}

#[test]
fn colours_are_for_terminals_or_when_forced() {
    let coloured = |set: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
        command.args(["eval", "derv"]).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(set.iter().copied());
        let output = command.stdin(Stdio::null()).output().expect("the program starts");
        String::from_utf8(output.stderr).unwrap().contains("\x1b[")
    };
    assert!(!coloured(&[]), "a pipe is no terminal");
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn shells_and_manuals_are_told_about_the_command_line() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = run(&["completions", shell]);
        assert!(run.status == Some(0) && run.out.contains("timeout") && run.out.contains("repl"), "{shell}");
    }
    assert_eq!(run(&["completions", "tcsh"]).status, Some(2));
    let page = run(&["man"]);
    assert!(
        page.status == Some(0) && page.out.contains(".TH smoothish 1") && page.out.contains("Exit status"),
        "{page:?}"
    );
    let page = run(&["man", "eval"]);
    assert!(
        page.status == Some(0) && page.out.contains("smoothish\\-eval") && page.out.contains("message\\-format"),
        "{page:?}"
    );
    let none = run(&["man", "evil"]);
    assert!(none.status == Some(2) && none.err.contains("no command `evil`"), "{none:?}");
}

#[test]
fn theories_are_laid_out() {
    let path = file("layout.theory", "theory Layout\n   let   x = 1\n");
    let found = run(&["fmt", "--check", &path]);
    assert_eq!((found.status, found.out), (Some(1), format!("{path} is not laid out\n")));
    assert_eq!(run(&["fmt", &path]).status, Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap(), "theory Layout\nlet x = 1\n");
    assert_eq!(run(&["fmt", "--check", &path]).status, Some(0));
    let wrong = run(&["fmt", &file("wrong.theory", "theory")]);
    assert!(wrong.status == Some(2) && wrong.err.contains("expected the name of the theory"), "{wrong:?}");
    let piped = finish(start(&["fmt", "-"]), b"theory   A".into());
    assert_eq!((piped.status, piped.out.as_str()), (Some(0), "theory A\n"));
}

#[test]
fn theorems_are_listed_tried_and_refuted() {
    let listed = run(&["theorem"]);
    assert_eq!(listed.status, Some(0), "{listed:?}");
    assert!(listed.out.contains("theorem-3") && listed.out.contains("proposition-10 "), "{}", listed.out);
    let held = run(&["theorem", "theorem-3", "multiplication", "--samples", "20"]);
    assert_eq!((held.status, &*held.err), (Some(0), ""), "{held:?}");
    let lines: Vec<_> = held.out.lines().collect();
    assert!(lines.len() == 3 && lines[0].starts_with("theorem-3: holds of "), "{held:?}");
    assert!(lines[1].starts_with("  programs use functions "), "{held:?}");
    assert_eq!(lines[2], "multiplication: holds of 20 samples, 20 with a derivative that is not 0");
    let again = run(&["theorem", "proposition-10", "--seed", "3"]);
    assert_eq!(again, run(&["theorem", "proposition-10", "--seed", "3"]));
    assert_eq!(again.status, Some(1), "{again:?}");
    assert!(again.out.contains("refuted at sample") && again.out.contains("  program  "), "{}", again.out);
    let json = run(&["theorem", "proposition-10", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&json.out).expect("one object");
    assert_eq!((object["item"].as_str(), object["holds"].as_bool()), (Some("E37"), Some(false)));
    assert_eq!(object["refuted"]["k"].as_u64(), Some(1));
}

#[test]
fn theorems_that_cannot_be_tried_are_refused() {
    for (arguments, reason) in [
        (&["theorem", "theorm-3"][..], "did you mean `theorem-3`?"),
        (&["theorem", "theorem-3", "--k", "0"], "k is 0"),
        (&["theorem", "theorem-3", "--order", "0"], "order 0"),
        (&["theorem", "theorem-3", "--k", "40", "--order", "40"], "smaller order"),
        (&["theorem", "theorem-3", "--k", "18446744073709551615"], "smaller order"),
        (&["theorem", "theorem-3", "--order", "9"], "at most 130"),
        (&["theorem", "proposition-10", "--k", "2"], "k = 1 and R = 1"),
        (&["theorem", "theorem-3", "--samples", "0"], "--samples"),
        (&["theorem", "theorem-3", "--k", "-1"], "-1"),
    ] {
        let refused = run(arguments);
        assert_eq!((refused.status, &*refused.out), (Some(2), ""), "{arguments:?}: {refused:?}");
        assert!(refused.err.contains(reason), "{arguments:?}: {}", refused.err);
    }
}

/// A macro and a relation in a file, behind a theory with what they use.
#[test]
fn macros_of_ones_own_are_tried_and_refused() {
    let folder = std::env::temp_dir().join(format!("smoothish-macros-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let tried = |text: &str, arguments: &[&str]| {
        let file = folder.join("mine.theory");
        std::fs::write(&file, text).expect("a file");
        run(&[&["theorem", "--macro", file.to_str().expect("a path"), "--samples", "30"][..], arguments].concat())
    };
    const DUAL: &str = "! numbers with a slope
theory Mine extends Prelude
about \"Dual numbers.\"
let dualProduct (x y : Real * Real) : Real * Real = (x[0] * y[0], x[0] * y[1] + x[1] * y[0])

representation Dual = Real * Real
constant c = (c, 0)
coordinate u = (u, 1)
x + y = (x[0] + y[0], x[1] + y[1])
x - y = (x[0] - y[0], x[1] - y[1])
- x = (- x[0], - x[1])
x * y = dualProduct x y
sin x = (sin x[0],
  x[1] * cos x[0])
relates f r at u : r[0] = f u
relates f r at u : r[1] = deriv f u
";
    let right = tried(DUAL, &[]);
    assert_eq!((right.status, &*right.err), (Some(0), ""), "{right:?}");
    for name in ["base-pairs", "related-pairs", "fundamental-lemma", "proposition-5"] {
        assert!(right.out.contains(&format!("{name}: holds of ")), "{}", right.out);
    }
    let wrong = tried(&DUAL.replace("x[1] * cos", "cos"), &["fundamental-lemma"]);
    assert_eq!(wrong.status, Some(1), "{wrong:?}");
    assert!(wrong.out.contains("fundamental-lemma: refuted at sample "), "{}", wrong.out);
    let alone = tried(&DUAL.replace("coordinate u = (u, 1)", "coordinate u = (u, 2)"), &["base-pairs"]);
    assert_eq!(alone.status, Some(1), "{alone:?}");
    for (text, arguments, reason) in [
        (DUAL.replace("r[0] = f u", "r[0] < f u"), &[][..], "say <=: no number tells < from <="),
        (DUAL.replace("representation", "numbers"), &[], "no line begins with `representation Name = Type`"),
        (DUAL.replace("dualProduct x y", "dualProducd x y"), &[], "dualProducd"),
        (DUAL.replace("extends Prelude", "extends Preludes"), &[], "Preludes"),
        (
            DUAL.to_owned(),
            &["theorem-8"],
            "`theorem-8` is about the Taylor macro alone; with --macro there are base-pairs",
        ),
        (DUAL.to_owned(), &["--k", "2"], "k = 1 and R = 1"),
        (
            DUAL.replace("(sin x[0],\n  x[1] * cos x[0])", "sin x[0]"),
            &[],
            "line 13: `sin x = sin x[0]`: the right side has type `Real`",
        ),
    ] {
        let refused = tried(&text, arguments);
        assert_eq!((refused.status, &*refused.out), (Some(2), ""), "{reason}: {refused:?}");
        assert!(refused.err.contains(reason), "{reason}: {}", refused.err);
    }
    let missing = run(&["theorem", "--macro", "nowhere.theory"]);
    assert_eq!(missing.status, Some(2), "{missing:?}");
    std::fs::remove_dir_all(&folder).expect("the folder");
}

/// `pieces`: a line for each, what is left, and what is wrong.
#[test]
fn pieces_are_listed() {
    let pieces = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_smoothish")).arg("pieces").args(arguments).env("NO_COLOR", "1").output();
        let std::process::Output { status, stdout, stderr } = output.expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (status.code(), text(stdout), text(stderr))
    };
    let (status, out, err) = pieces(&["--from=-1", "--to", "1", r"\x => if x == 0 then 0 else x * x"]);
    let expected = "on                length  function  derivative  where\n\
                    [-1, 0) ∪ (0, 1]  2       x^2       2 * x       x /= 0\n\
                    {0}               0       0         0           x == 0\n";
    assert_eq!((status, &*out, &*err), (Some(0), expected, ""));
    let (status, out, _) =
        pieces(&["--from=0", "--to=1", "--limit=1", "--deriv=2", r"\x => if x < 1/2 then x else x^3"]);
    assert!(
        status == Some(3)
            && out.ends_with(
                "not unfolded: 1 part of length 1/2 (as many pieces as were wanted, or as many paths as may be)\n"
            ),
        "{out}"
    );
    let (status, out, _) = pieces(&["--from=0", "--to=1", "--json", "abs"]);
    let object: serde_json::Value = serde_json::from_str(&out).expect("an object");
    assert_eq!(
        (status, &object["pieces"][0]["maps"][1], &object["pieces"][0]["length"]["lo"]),
        (Some(0), &"1".into(), &"1".into())
    );
    for (arguments, words) in [
        (&["--from=1", "--to=0", "abs"][..], "--from must be less than --to"),
        (&["--from=0", "--to=1", "max"], "the function takes 2 numbers, and the ends have 1"),
        (&["--from=(0,0)", "--to=(1,1,1)", "max"], "--from has 2 numbers, and --to has 3 numbers"),
        (&["--from=(0,1)", "--to=(1,0)", "max"], "--from must be less than --to in coordinate 2"),
        (&["--from=(0,0)", "--to=(1,inf)", "max"], "`inf` is not a number"),
        (
            &["--from=(0,0)", "--to=(1,1)", "--deriv=2", "max"],
            "derivatives of functions of 2 variables go up to order 1",
        ),
        (&["--from=(0,0,0,0,0,0,0)", "--to=(1,1,1,1,1,1,1)", "max"], "up to 6 variables, not 7"),
        (&["--from=(0,0)", "--to=(1,1)", r"\x y => x < y"], "expected Real, found Bool"),
        (&["--from=0", "--to=1", r"\x => integral01 (\y => x * y)"], "`pap` does not define `integral01`"),
    ] {
        let (status, _, err) = pieces(arguments);
        assert!(status == Some(2) && err.contains(words), "{arguments:?}: {err}");
    }
}

/// `pieces` of functions of several variables: a line for each, with a point, its dimension and its volume.
#[test]
fn cells_are_listed() {
    let below = run(&["pieces", "--from=(0,0)", "--to=(1,1)", r"\x y => if x < y then (x, x * y) else (y, 0)"]);
    let expected = "a point        dimension  volume  function    derivative        where\n\
                    (3/8, 5/8)     2          1/2     (x, x * y)  ((1, 0), (y, x))  x < y\n";
    assert_eq!(below.status, Some(0), "{below:?}");
    let lines: Vec<&str> = below.out.lines().collect();
    let words = |line: &str| {
        line.split("  ").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(words(lines[0]), words(expected.lines().next().unwrap()), "{below:?}");
    // the point is a choice; the rest is not
    let rows: Vec<Vec<String>> = lines[1..].iter().map(|line| words(line)[1..].to_vec()).collect();
    assert!(rows.contains(&words(expected.lines().nth(1).unwrap())[1..].to_vec()), "{below:?}");
    assert!(rows.contains(&words("p  2  1/2  (y, 0)  ((0, 1), (0, 0))  y <= x")[1..].to_vec()), "{below:?}");
    // x < y < z < x is empty, which no box shows
    let cycle = r"\x y z => if x < y then (if y < z then (if z < x then 1 else 2) else 3) else 4";
    let open = run(&["pieces", "--from=(0,0,0)", "--to=(1,1,1)", "--deriv=0", cycle]);
    assert!(open.status == Some(3) && open.out.contains("not known"), "{open:?}");
    assert!(open.err.contains("note: of 1 piece no point is known: it may be empty"), "{open:?}");
    let object: serde_json::Value =
        serde_json::from_str(&run(&["pieces", "--from=(0,0)", "--to=(1,1)", "--json", "max"]).out).expect("an object");
    let piece = &object["pieces"][0];
    assert!(piece["not_empty"] == true && piece["sample"].as_array().is_some_and(|point| point.len() == 2), "{object}");
    assert_eq!(piece["dimension"], serde_json::json!({ "at_least": 2, "at_most": 2 }));
    assert!(piece["volume"]["lo"].is_string() && object["variables"] == 2, "{object}");
    // what never ends is told, with its volume, and more paths than may be followed are as well
    let endless = "let rec f (x : Real) (y : Real) : Real = f y x + 1 in f";
    let found = run(&["pieces", "--from=(0,0)", "--to=(1,1)", endless]);
    assert!(
        found.status == Some(3) && found.out.contains("not unfolded: 1 part of volume 1 (not within its steps"),
        "{found:?}"
    );
}

/// What would take long is left, and said to be: the other way of a program that ends, and roots of large polynomials.
#[test]
fn notes_and_roots_do_not_take_the_time() {
    let product = r"deriv (\x => let rec f (y : Real) : Real = if y == 0 then 1 else y * f (y - 1) in f x) 3";
    let begun = Instant::now();
    let found = run(&["eval", "--model", "pap", product]);
    // 3x² - 6x + 2
    assert!(found.status == Some(0) && found.out == "11\n", "{found:?}");
    assert!(
        found.err.contains("derivative; 3 lies on the guard y == 0")
            && found.err.contains("no value was found: it did"),
        "{found:?}"
    );
    let guard = r"\x => if (10^60 * x^2 - 1)^30 - 1/3 > 0 then 1 else 0";
    let found = run(&["pieces", "--from=-1", "--to=1", "--timeout=10", guard]);
    assert!(found.status == Some(3) && found.out.contains("not unfolded"), "{found:?}");
    assert!(begun.elapsed() < PATIENCE / 2, "{:?}", begun.elapsed());
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// The time of a theorem ends it, and the next one has its own.
    #[test]
    fn a_theorem_has_its_time() {
        let tried = run(&["theorem", "theorem-3", "theorem-8", "--samples", "1000000", "--timeout", "0.5"]);
        let lines: Vec<&str> = tried.out.lines().filter(|line| line.contains("cut short after ")).collect();
        assert!(
            lines.len() == 2 && lines[0].starts_with("theorem-3") && lines[1].starts_with("theorem-8"),
            "{tried:?}"
        );
        assert_eq!(run(&["theorem", "theorem-3", "--timeout", "-1"]).status, Some(2));
    }

    #[cfg(unix)]
    #[test]
    fn a_theorem_is_interrupted() {
        let tried = start(&["theorem", "theorem-3", "--samples", "1000000"]);
        thread::sleep(Duration::from_millis(1500));
        let kill = Command::new("kill").args(["-INT", &tried.id().to_string()]).status().expect("there is a `kill`");
        assert!(kill.success());
        let found = finish(tried, Vec::new());
        assert_eq!(found.status, Some(4), "{found:?}");
        assert!(found.out.contains("cut short after "), "{found:?}");
    }

    #[cfg(unix)]
    #[test]
    fn an_interrupt_ends_a_question_with_the_best_so_far() {
        let child = start(&["eval", "--eps", "1e-12", LONG, "1/4"]);
        thread::sleep(Duration::from_secs(1));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is a `kill`");
        assert!(kill.success());
        let run = finish(child, Vec::new());
        assert_eq!((run.status, run.out.lines().count()), (Some(3), 1), "no further question is asked: {run:?}");
        assert!(run.err.contains("was not reached before it was interrupted"), "{run:?}");
    }

    /// What was interrupted is no success.
    #[test]
    #[cfg(unix)]
    fn an_interrupted_check_says_so() {
        let law =
            |n: usize| format!("law l{n} (f g : Real -> Real) (x : Real) : integral01 (\\y => f (g (x * y))) ~ 0\n");
        let laws: String = (0..400).map(law).collect();
        let path =
            file("many.theory", format!("theory Many\n{}", laws.replace("~ 0", "~ integral01 (\\y => f (g (x * y)))")));
        let check = start(&["check", "--samples", "10000", &path]);
        thread::sleep(Duration::from_millis(1500));
        let kill = Command::new("kill").args(["-INT", &check.id().to_string()]).status().expect("there is a `kill`");
        assert!(kill.success());
        let found = finish(check, Vec::new());
        assert_eq!(found.status, Some(4), "{found:?}");
        assert!(found.out.contains("interrupted: ") && found.out.contains(" of 400 were tried"), "{found:?}");
    }

    /// What is too deep or too long is told so, whatever is asked of it: there is no information, and no crash.
    #[test]
    fn depth_has_limits() {
        let endless = "let rec ones (n : Nat) : List Real = 1 :: ones n in ones 0";
        let refused = |arguments: &[&str], told: &str| {
            let run = run(arguments);
            assert_eq!(run.status, Some(4), "{arguments:?}: {run:?}");
            assert!((run.out + &run.err).contains(told), "{arguments:?}");
        };
        for command in ["eval", "agree"] {
            refused(&[command, "nthDeriv 30000 sin 1"], "nested 30001 levels deep");
        }
        refused(&["eval", endless], "applied within each other 1000000 levels deep");
        refused(&["eval", "--model", "float", endless], "applied within each other 1000000 levels deep");
        refused(&["eval", "--model", "tower", "nthDeriv 3000 sin 1"], "nested more than 1000 levels deep");
        let picture = std::env::temp_dir().join(format!("smoothish-{}-depth.svg", std::process::id()));
        let path = picture.to_str().unwrap();
        refused(&["plot", "nthDeriv 3000 sin", "--from", "0", "--to", "1", "-o", path], "nested 3001 levels deep");
        assert!(!picture.exists());
        assert_eq!(run(&["derive", "nthDeriv 30000 sin"]).status, Some(0));
    }

    #[test]
    fn laws_are_checked_in_models() {
        let text = "theory Laws extends Prelude\nlaw comm (x y : Real) : x * y ~ y * x\nlaw wrong (x : Real) : x * x ~ x\n\
                refuted law known (x : Real) : 2 * x ~ x\nmodel tower : all except wrong because \"once is enough\"";
        let path = file("laws.theory", text);
        let found = run(&["check", "--samples", "20", &path]);
        assert_eq!(found.status, Some(1), "{found:?}");
        for line in [
            "Laws           presheaf          tower",
            "  law   comm   survived 20       survived 20",
            "  law   wrong  refuted           -",
            "        at       let x : Real = 2 in (x * x, x)",
            "4 as they should be, 1 refuted, 0 open",
        ] {
            assert!(found.out.lines().any(|l| l.trim_end() == line), "{line}\n{}", found.out);
        }
        assert_eq!(run(&["check", "--law", "comm", &path]).status, Some(0));
        let wrong = run(&["check", "--law", "com", &path]);
        assert!(wrong.status == Some(2) && wrong.err.contains("did you mean `comm`?"), "{wrong:?}");
        let float = run(&["check", "--model", "float", &path]);
        assert!(float.status == Some(2) && float.err.contains("gives no enclosures"), "{float:?}");
        let unknown = run(&["check", "Prelud"]);
        assert!(unknown.status == Some(2) && unknown.err.contains("did you mean the theory `Prelude`?"), "{unknown:?}");
        let [first, again] = [(); 2].map(|()| run(&["check", "--seed", "7", "--json", &path]).out);
        let outcomes =
            |out: &str| out.lines().map(|l| l.split("\"ms\"").next().unwrap().to_owned()).collect::<Vec<_>>();
        assert_eq!(outcomes(&first), outcomes(&again));
    }

    /// `audit`: a verdict for each claim, with its status, and what is wrong.
    #[test]
    fn derivatives_are_audited() {
        let found = run(&["audit", "--at=0", "--claim=1", "--claim=0", r"\x => max x 0 + min x 0"]);
        let lines: Vec<_> = found.out.lines().collect();
        assert!(found.status == Some(1) && lines.len() == 6, "{found:?}");
        assert!(
            lines[0].starts_with("CERTIFIED_IN  claim 1: ") && lines[3].starts_with("CERTIFIED_OUT  claim 0: "),
            "{found:?}"
        );
        assert_eq!(lines[1..3], ["  derivative  1 (from both sides)", "  on borders  max (1:7), min (1:17)"]);
        let found = run(&["audit", "--json", "--at=1/2", "--claim=-1/2", r"\x => abs (x - 1/2)"]);
        let object: serde_json::Value = serde_json::from_str(&found.out).expect("an object");
        assert_eq!(
            (found.status, &object["verdict"], &object["left"]["lo"], &object["set"]["hi"], &object["cause"]),
            (Some(0), &"CERTIFIED_IN".into(), &"-1".into(), &"1".into(), &serde_json::Value::Null)
        );
        // x·y + y² at (3, 1/2)
        let found = run(&["audit", "--at=3,1/2", "--claim=0.5,4", "--claim=0.5,-4", r"\(x, y) => x * y + y^2"]);
        let lines: Vec<_> = found.out.lines().collect();
        assert!(
            found.status == Some(1) && lines.len() == 4 && lines[0].starts_with("CERTIFIED_IN  claim (0.5, 4): "),
            "{found:?}"
        );
        assert!(lines[1] == "  derivative  enclosed in (0.5, 4)" && lines[2].ends_with(" (coordinate 2)"), "{found:?}");
        for (program, verdict, status) in [
            (r"\x => 1 / x", "NOT_DEFINED", 4),
            ("sqrt", "ONE_SIDED", 4),
            ("signum", "NOT_CONTINUOUS", 4),
            ("cbrt", "NOT_LIPSCHITZ", 4),
            (r"\x => if x == 0 then 0 else exp (-1 / x^2)", "UNKNOWN", 3),
            (r"\x => let rec f y = if y > 1 then f y else y in f (x + 2)", "UNKNOWN", 3),
        ] {
            let found = run(&["audit", "--at=0", "--claim=nan", "--timeout=2", program]);
            assert!(found.status == Some(status) && found.out.starts_with(verdict), "{found:?}");
        }
        for (arguments, words) in [
            (&["--at=0", "abs"][..], "--claim"),
            (&["--at=0", "--claim=one", "abs"], "or nan, inf, -inf"),
            (&["--at=0", "--claim=1", "--format=float8", "abs"], "float64, float32, float16, bfloat16"),
            (&["--at=0", "--claim=1", "max"], "expected Real -> Real"),
            (&["--at=0,1", "--claim=1", r"\(x, y) => x"], "the point has 2 numbers, and a claim has 1 number"),
            (&["--at=0,1", "--claim=1,1", r"\x y => (x, y)"], "expected Real, found Real^2"),
            (&["--at=0,1", "--claim=1,1", r"\x y z => x"], "expected Real, found _ -> _"),
            (&["--at=0,1", "--claim=1,1", "abs"], "expected Real^2 -> Real, found Real -> Real"),
        ] {
            let found = run(&[&["audit"], arguments].concat());
            assert!(found.status == Some(2) && found.err.contains(words), "{arguments:?}: {found:?}");
        }
    }

    #[test]
    fn mutants_are_shown_with_what_catches_them() {
        let found = run(&["mutants", "--mutant", "exp_derivative", "--mutant", "if_swapped", "--verbose"]);
        assert_eq!(found.status, Some(0), "{found:?}");
        for part in
            ["exp_derivative               caught by ", "    instead  x * exp (x - 1)", "2 of 2 mutants are caught"]
        {
            assert!(found.out.contains(part), "{part}\n{}", found.out);
        }
        let macros = ["taylor_coordinates", "taylor_constant_slope"].map(|name| ["--mutant", name]).concat();
        let table = run(&[&["mutants", "--macro", "--samples", "4", "--seeds", "2"], &macros[..]].concat());
        assert!(
            table.out.ends_with("\n2 of 2 wrong macros are refuted by some theorem with each of 2 seeds\n"),
            "{table:?}"
        );
        assert_eq!((table.out.lines().count(), table.status), (5, Some(0)), "{table:?}");
        let missed = run(&["mutants", "--of", "macro", "--samples", "1", "--seeds", "1", "--mutant", "taylor_eta"]);
        assert!(
            missed.out.ends_with("\n0 of 1 wrong macros are refuted by some theorem with each of 1 seed\n"),
            "{missed:?}"
        );
        assert_eq!(missed.status, Some(1), "{missed:?}");
        let solver = ["mutants", "--of", "solver", "--seeds", "1", "--mutant", "solver_integrands"];
        let solver = run(&[&solver[..], &["--mutant", "solver_root_sign"]].concat());
        assert!(solver.out.ends_with("\n2 of 2 mutants are refuted by their law with each of 1 seed\n"), "{solver:?}");
        let unknown = run(&["mutants", "--mutant", "exp_derivatve"]);
        assert!(unknown.status == Some(2) && unknown.err.contains("did you mean `exp_derivative`?"), "{unknown:?}");
        // a theory that says nothing of numbers lets all live
        let path = file("idle.theory", "theory Idle\nlaw same (x : Real) : x ~ x");
        let idle = run(&["mutants", "--mutant", "exp_derivative", &path]);
        assert!(idle.status == Some(1) && idle.out.contains("ALIVE after 1 statements"), "{idle:?}");
        assert!(run(&["mutants", "--list"]).out.contains("bottom\n    rule"), "listed");
    }

    /// `evidence` and `expect`: an enclosure, what is left, and what is wrong.
    #[test]
    fn programs_that_sample_are_asked() {
        let seen = "do { m <- sample (normal 0 1); observe (normal m 1) 1; return m }";
        let found = run(&["evidence", "--eps=1e-9", seen]);
        // e^(-1/4)/(2 sqrt pi) = 0.219695644733861...
        assert!(found.status == Some(0) && found.out.starts_with("[0.219695644") && found.err.is_empty(), "{found:?}");
        let found = run(&["expect", "--json", seen, r"\m => m"]);
        let object: serde_json::Value = serde_json::from_str(&found.out).expect("an object");
        assert_eq!(
            (found.status, &object["reached"], &object["paths"]),
            (Some(0), &true.into(), &1.into()),
            "{object}"
        );
        let geometric = r"\p => do { n <- sample (geometric p); score (exp (- toReal n)); return n }";
        let found = run(&["evidence", "--at=0.3", "--weight-at-most=1", "--message-format=short", geometric]);
        assert!(found.status == Some(0) && found.out.starts_with("0.148641"), "{found:?}");
        assert!(found.err.contains("assumed: no product of weights is greater than 1"), "{found:?}");
        // trees that end with the chance 2/3, from below (E47)
        let trees = "let rec tree (p : Real) : P Unit = do { b <- sample (bernoulli p); if b then return () else do { tree p; tree p } } in tree 0.4";
        let found = run(&["evidence", "--timeout=2", "--json", trees]);
        let object: serde_json::Value = serde_json::from_str(&found.out).expect("an object");
        let lower = object["lo"].as_str().and_then(|lo| lo.parse::<f64>().ok()).unwrap_or_default();
        assert!(found.status == Some(3) && (0.5..2.0 / 3.0).contains(&lower), "{object}");
        let edge = r"\t => do { x <- sample (uniformOn 0 1); if x < t then score 1 else score 0; return x }";
        let found = run(&["evidence", "--at=0", "--deriv=1", edge]);
        assert!(found.status == Some(4) && found.err.contains("borders meet"), "{found:?}");
        let jump = r"\z => if z > 0 then 5 else z";
        let drawn = r"\t => do { z <- sample (normal t 1); return z }";
        let found = run(&["estimators", "--at=0.3", drawn, jump]);
        assert!(found.status == Some(0) && found.out.contains("it misses [1.906939"), "{found:?}");
        assert!(found.out.contains("a guard `z > 0` of F (1:10)"), "{found:?}");
        let found = run(&["estimators", "--at=0.3", "--json", drawn, jump]);
        let object: serde_json::Value = serde_json::from_str(&found.out).expect("an object");
        assert_eq!(
            (&object["reached"], &object["estimators"][1]["applicable"]),
            (&true.into(), &true.into()),
            "{object}"
        );
        let segment = "do { t <- sample (uniformOn 0 1); return (t, t) }";
        let doubled = r"\(x, y) => if x == y then (2*x, 2*x) else (x, y)";
        let found = run(&["pushforward", "--of", segment, "--at=(0.5, 0.5)", doubled]);
        // 1/(2 sqrt 2) = 0.353553390593273...
        assert!(found.status == Some(0) && found.out.starts_with("density: [0.35355339, 0.3535534] with"), "{found:?}");
        let found = run(&["pushforward", "--of", segment, "--at=(0.5, 0.5)", "--json", doubled]);
        let object: serde_json::Value = serde_json::from_str(&found.out).expect("an object");
        assert_eq!((&object["densities"][0]["dimension"], &object["reached"]), (&1.into(), &true.into()), "{object}");
        let normal = "do { x <- sample (normal 0 1); return x }";
        let found = run(&["infer", "--by=hmc", "--samples=4000", seen, r"\m => m"]);
        assert!(found.status == Some(0) && found.out.contains("certified: [0.4") && found.err.is_empty(), "{found:?}");
        let wrong: [(&[&str], i32, &str); 18] = [
            (&["infer", "do { x <- sample (normal 0 1); score x; return x }", r"\x => x"], 2, "a score is negative"),
            (
                &["infer", "--by=hmc", "do { x <- sample (normal 0 1); score 0; return x }", r"\x => x"],
                4,
                "had a positive weight",
            ),
            (&["infer", "--samples=10", seen, r"\x => x"], 2, "10 is not in 100.."),
            (&["pushforward", "--injective", "--of", normal, "--at=1", r"\x => abs x"], 2, "it takes -1 and 1 to 1"),
            (&["pushforward", "--of", normal, "--at=0", r"\x => x^3"], 4, "there is no density at this point"),
            (&["pushforward", "--of", normal, "--at=tt", r"\x => x > 0"], 2, "the point is of type"),
            (
                &["pushforward", "--of", "do { b <- sample (bernoulli 0.5); return b }", "--at=1", r"\b => 1"],
                2,
                "the program gives",
            ),
            (
                &["estimators", "--at=0", r"\t => do { observe (normal t 1) 1; return t }", r"\x => x"],
                2,
                "weighs its runs",
            ),
            (&["estimators", "--at=0", seen, r"\x => x"], 2, "--at is for a program of type Real -> P A"),
            (&["evidence", "do { x <- sample (normal -1 1); return x }"], 2, "normal (-1) 1"),
            (&["evidence", "--weight-at-most=0", seen], 2, "a bound of weights must be greater than 0"),
            (&["evidence", "3"], 2, "of type P A, Real -> P A or Real * Real -> P A, found one of type Real"),
            (&["evidence", edge], 2, "give the parameter by --at T"),
            (&["evidence", "--at=1", seen], 2, "--at is for a program of type Real -> P A"),
            (&["evidence", "--deriv=1", seen], 2, "--at"),
            (&["evidence", "do { score (-1); return 1 }"], 2, "a score is negative"),
            (&["expect", "do { score 0; return 1 }", r"\x => x"], 4, "the normalising constant is 0"),
            (&["expect", seen, r"\b => if b then 1 else 0"], 2, "expected"),
        ];
        for (arguments, status, message) in wrong {
            let found = run(arguments);
            assert!(found.status == Some(status) && found.err.contains(message), "{arguments:?}: {found:?}");
        }
    }

    /// The others are checked by the chapter of the book that shows them.
    #[test]
    fn theories_are_checked_by_name() {
        let run = run(&["check", "Prelude", "Surface"]);
        assert_eq!(run.status, Some(0), "{run:?}");
        let last = run.out.lines().last().unwrap();
        assert!(last.contains(" as they should be, 0 refuted, 0 open"), "{last}");
        for claim in ["lit_value", "deriv_tangent"] {
            let line = run.out.lines().find(|l| l.starts_with(&format!("  claim {claim} ")));
            assert!(line.is_some_and(|l| l.contains("  holds")), "{claim}: {line:?}");
        }
    }

    #[test]
    fn a_timeout_ends_a_question_with_the_best_so_far() {
        let run = run(&["eval", "--eps", "1e-12", "--timeout", "1", LONG]);
        assert_eq!(run.status, Some(3), "{run:?}");
        assert!(run.out.starts_with('[') && !run.out.contains("inf"), "{run:?}");
        assert!(run.err.contains("was not reached within 1 s"), "{run:?}");
    }
}
