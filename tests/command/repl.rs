//! The prompt with its input from a pipe: what is printed where, and the exit status.

use smoothish::cli::evaluator::TheorySession;
use smoothish::cli::output::Streams;
use smoothish::cli::reference::WORDS;
use smoothish::cli::repl::prompt::{COMMANDS, InputResult, Prompt};
use smoothish::cli::status::Status;
use smoothish::session::tolerance::{AccuracyGoal, Timeout};
use smoothish::session::{Evaluate, Limits};
use smoothish::syntax::constant::Constant;
use smoothish::theory::builtin::SOURCES;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// How a run of the prompt ended.
#[derive(Debug)]
struct Run {
    status: Option<i32>,
    out: String,
    err: String,
}

/// No run may take longer.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    command.arg("repl").args(arguments).env("NO_COLOR", "1").env("LC_ALL", "C").env("COLUMNS", "40");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn finish(mut child: Child, input: Vec<u8>) -> Run {
    let mut stdin = child.stdin.take().expect("piped");
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
    let run = Run { status, out: out.join().unwrap(), err: err.join().unwrap() };
    assert!(!run.err.contains("panicked"), "{run:?}");
    run
}

fn repl(arguments: &[&str], input: impl Into<Vec<u8>>) -> Run {
    finish(start(arguments), input.into())
}

/// An input, what is printed, the exit status, and what the error stream must say: nothing, if that is empty.
#[track_caller]
fn holds(input: &str, out: &str, status: i32, err: &str) {
    let run = repl(&[], input);
    assert_eq!((run.out.as_str(), run.status), (out, Some(status)), "{input}\n{run:?}");
    assert!(if err.is_empty() { run.err.is_empty() } else { run.err.contains(err) }, "{input}\n{run:?}");
}

/// A file in a folder of the tests that does not exist yet.
fn new_file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// An input that is copied from a page with its prompt is answered as without.
#[test]
fn a_pasted_prompt_is_no_part_of_the_input() {
    holds("> 1/4\neps=1e-3> 1/2\ndigits=12> let x = 2\nx\n", "0.25\n0.5\nx : Real\n2\n", 0, "");
    holds("eps = 1e-3> 1/2\n", "", 2, "expected the end of the program, found `=`");
    holds("1 > 2\n", "ff\n", 0, "");
}

/// Large numbers have as many digits as fit, and their width is a part of them.
#[test]
fn an_answer_fits_its_line() {
    for (question, start) in [
        ("exp 1000", "[1.9700711140"),
        ("exp 40", "[235385266837019985, 235385266837019986]"),
        ("-exp 1000", "[-1.97007111402e434, "),
        ("10^30", "1000000000000000000000000000000"),
        ("(exp 1000, exp 999)", "([1.9"),
        ("exp (-1000)", "[0, "),
        ("1/0 + exp 1000", "[-inf, inf]"),
    ] {
        let run = repl(&[], question);
        let line = run.out.trim_end();
        let room = if question.starts_with('(') { 100 } else { 80 };
        assert!(line.starts_with(start) && line.chars().count() <= room, "{question}: {} letters, {line}", line.len());
    }
    // 1e423 of 1.97e434 is 5.08e-12
    assert!(repl(&[], "exp 1000").out.contains("  width 5.1e-12 of it  "));
    // what is asked for is answered
    assert!(repl(&["--digits", "30"], "exp 1000").out.starts_with("[1.970071114017046993888879352243"));
}

#[test]
fn an_answer_is_an_enclosure_its_width_and_its_digits() {
    holds("1/4\n", "0.25\n", 0, "");
    holds("sqrt 2", "[1.41421, 1.41422]  width 1e-5  1.4142…\n", 0, "");
    holds(
        "(1, (2, tt))\ntt\n3 : Nat\n[1, 0.5] : List Real\n3 : Bool",
        "(1, (2, tt))\ntt\n3\n[1, 0.5] : List Real\n",
        2,
        "Bool",
    );
    holds("deriv relu 0", "[0, 1]  width 1\n", 3, "the tolerance of 1e-3 was not reached");
    holds("1/0", "[-inf, inf]  width inf\n", 4, "not defined");
    holds("", "", 0, "");
    holds("\n ! a comment\n\n", "", 0, "");
}

#[test]
fn the_status_is_that_of_the_worst() {
    holds("1\n1/0\nderiv relu 0\n", "1\n[-inf, inf]  width inf\n[0, 1]  width 1\n", 4, "note: ");
    holds("1/0\nderv\n", "[-inf, inf]  width inf\n", 2, "did you mean `deriv`?");
    holds("sin\n", "", 2, "a function, of type Real -> Real");
}

#[test]
fn the_last_expression_is_ans() {
    // an interval of width 1e-5 has no square of this width
    let shown = "[1.41421, 1.41422]  width 1e-5  1.4142…\n[1.99999999999999, 2.00000000000001]  width 2e-14\n";
    holds("sqrt 2\n:eps 1e-12\nans * ans\n", shown, 0, "");
}

#[test]
fn ans_has_a_type_and_is_not_changed_by_errors_or_definitions() {
    holds("ans", "", 2, "not known here");
    let shown = "(1, tt)\nReal * Bool\n1\nf : Real -> Real\nReal\n";
    holds("(1, tt)\n:type ans\nfst ans\nans tt\nlet f x = x + 1\n:type ans\n", shown, 2, "ans tt");
}

#[test]
fn definitions_are_kept_and_hidden_by_later_ones() {
    holds("let f x = x + 1\nf 2\n", "f : Real -> Real\n3\n", 0, "");
    let text = "let f x = x + 1\nlet g = f\nlet f x = g (10 * x)\n(f 1, g 1)\n";
    holds(text, "f : Real -> Real\ng : Real -> Real\nf : Real -> Real\n(11, 2)\n", 0, "");
    // what is wrong changes nothing
    let text = "let f x = x + 1\nlet f x = sin tt\nlet f x =\n\nf 1\n";
    holds(text, "f : Real -> Real\n2\n", 2, "tt");
    // a name of a theory is hidden, but not inside the theory
    let text = "let relu x = 7\n(relu 1, Prelude.relu 1)\n";
    let shown = "relu : A -> Real\n(7, 1)\n";
    holds(text, shown, 0, "");
    holds(
        "type R A = A -> Real\nlet f (s : R Real) : Real = s 2\nf exp\n",
        "type R\nf : (Real -> Real) -> Real\n[7.38905, 7.38906]  width 1e-5  7.3890…\n",
        0,
        "",
    );
    holds("type Real = Nat\n", "", 2, "Real");
    holds("let of x = x\n", "", 2, "found `of`");
}

#[test]
fn an_unfinished_line_goes_on() {
    holds("integral01\n", "", 2, "a function");
    holds("1 +\n  1\n", "2\n", 0, "");
    holds("(1,\n2)\n(\\x =>\n x) 3", "(1, 2)\n3\n", 0, "");
    holds("let x =\n 2\nx\n", "x : Real\n2\n", 0, "");
    holds("let x = 2 in\nx\n", "2\n", 0, "");
    holds("(1\n\n2", "2\n", 2, "expected `)`, found the end");
    holds("(1", "", 2, "opened here");
    // places are those of the whole input
    holds("1\n(2 +\n x)", "1\n", 2, "standard input:3:2");
}

#[test]
fn every_command_does_what_it_says() {
    holds(
        ":eps\n:eps 1/7\n:eps\n1/3\n",
        "eps=1e-3\neps=1/7\n[0.333, 0.334]  width 1e-3  0.33…\n",
        0,
        "note: exactly 1/3\n",
    );
    let shown = "rel=1e-3\n[1.41421e30, 1.41422e30]  width 1e25  1.4142…e30\ndigits=5\n";
    holds(":rel 1e-3\n:rel\nsqrt 2 * 1e30\n:digits 5\n:digits\n", shown, 0, "");
    holds(":timeout\n:timeout 0.5\n:timeout\n", "timeout 60 s\ntimeout 0.5 s\n", 0, "");
    holds(":type twice\n:type \\x => x + 1", "(A -> A) -> A -> A\nReal -> Real\n", 0, "");
    holds(":time\n:time on\n:time\n:time off\n:time\n", "time off\ntime on\ntime off\n", 0, "");
    holds(":quit\n1\n", "", 0, "");
    holds("1/0\n:q\n", "[-inf, inf]  width inf\n", 4, "note");
    holds(":reload\n", &format!("{} theories\n", SOURCES.len()), 0, "");
    let help = repl(&[], ":help\n");
    for command in COMMANDS {
        assert!(help.out.contains(&format!("\n:{} {}", command.name, command.argument)), "{help:?}");
    }
    assert!(help.out.lines().all(|line| line.chars().count() <= 80), "{help:?}");
    holds(
        ":help reload\n:help :quit\n",
        ":reload                  read every loaded file again\n:quit                    leave; Ctrl-D does too\n",
        0,
        "",
    );
    assert_eq!(repl(&[], ":help sin\n").out, repl(&[], ":doc sin\n").out);
    let timed = repl(&[], ":time 1\n:time on\n1\n1/0\n");
    assert!(timed.out.lines().all(|line| line.ends_with('s')), "{timed:?}");
}

#[test]
fn functions_are_drawn() {
    let run = repl(&[], "let f x = abs x\n:plot f from -1 to 1\n:plot \\x => deriv f x from -1 to 1\n");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((run.status, run.err.as_str(), lines[1], lines[20]), (Some(0), "", "f", "\\x => deriv f x"));
    assert!(lines.iter().all(|line| line.len() <= 40 && line.is_ascii()), "{}", run.out);
    // the jump of the derivative is one column, as high as the picture
    let jump = lines[21..37].iter().filter(|line| line.contains('|')).count();
    assert!(jump > 12, "{}", run.out);
    for (input, error) in [
        (":plot f", "expected :plot EXPR from A to B"),
        (":plot f from 0", "expected :plot EXPR from A to B"),
        (":plot f from 1 to 0", "the first must be less than the second"),
        (":plot f from a to 1", "`a` is not a number"),
        (":plot 3 from 0 to 1", "expected Real -> Real, found Real"),
        (":plot g from 0 to 1", "`g` is not known here"),
    ] {
        let run = repl(&[], format!("let f x = abs x\n{input}\n"));
        assert!(run.status == Some(2) && run.err.contains(error), "{input}: {run:?}");
    }
}

#[test]
fn normal_forms_are_shown() {
    holds("let f x = x + x\n:normal f (f 1)\n", "f : Real -> Real\n1 + 1 + (1 + 1)\n", 0, "");
    holds(":normal (\\p => fst p) (tt, 1)\n", "tt\n", 0, "");
    for (input, status, error) in [
        (":normal", 2, "expected :normal EXPR"),
        (":normal (", 2, "expected"),
        (":normal g 1", 2, "`g` is not known here"),
        (":normal let rec f n = f n in f 1", 4, "no normal form after 1000000 steps"),
        ("let sin x = x\n:normal cos 1 + sin 1\nlet h = \\(sin : Real) => cos sin\n:normal h", 0, ""),
    ] {
        let run = repl(&[], format!("{input}\n"));
        assert!(run.status == Some(status) && run.err.contains(error), "{input}: {run:?}");
    }
}

#[test]
fn names_are_described() {
    holds(
        ":info sqrt\n",
        "sqrt : Real -> Real\na primitive of the language, S Fig. 2, §4.3\nThe square root, of x >= 0.\n",
        0,
        "",
    );
    let info = repl(&[], ":info variance\n:info Surface\n:info +\nlet two = 2\n:info two\n").out;
    for line in [
        "variance : ((Real -> Real) -> Real) -> Real\n",
        "Integral, theories/integral.theory; Sherman2021 7.1, Fig. 8\n",
        "let variance (mu : Integral ℜ) : ℜ = mu (λ x : ℜ ⇒ (x - mean mu)²)\n",
        "theory Surface extends Prelude",
        "(+) : ",
        "two : Real\nthis session\nlet two = 2\n",
    ] {
        assert!(info.contains(line), "{line}\n{info}");
    }
    holds(
        ":doc cutRoot\n",
        "cutRoot : (Real -> Real) -> Real\n\
         The root of a function that is positive to the left of it and negative to the right. [S Fig. 2, §5.2.2]\n\
         for example, cutRoot (\\x => 2 - x^3) is [1.25992104, 1.25992105]\n",
        0,
        "",
    );
    let doc = repl(&[], ":doc relu\n:doc Surface\n:doc uniform\n").out;
    assert!(doc.contains("The rectified linear unit."), "{doc}");
    assert!(doc.contains("\nfor example, relu 2.5 is 2.5\n"), "{doc}");
    let list = repl(&[], "let f x = x + 1\nlet f x = x\ntype T = Real\n:list\n:list Maximizer\n:list language\n").out;
    for line in [
        "\ntype T = Real\n",
        "\nf : A -> A\n",
        "\nhausdorffDist : ",
        "\nPrelude: ",
        "\nintegral01 : (Real -> Real) -> Real\n",
    ] {
        assert!(list.contains(line), "{line}\n{list}");
    }
    assert_eq!(list.matches("\nf : ").count(), 2, "the hidden definition is not listed: {list}");
}

#[test]
fn every_primitive_and_every_word_has_a_line() {
    let names: Vec<&str> = Constant::ALL.iter().flat_map(|c| c.names().iter().copied()).collect();
    let words: Vec<&str> = WORDS.iter().flat_map(|(names, ..)| names.iter().copied()).collect();
    let all: Vec<&str> = names.iter().chain(&words).copied().collect();
    let input: String = all.iter().map(|name| format!(":doc {name}\n:info {name}\n:list\n")).collect();
    let run = repl(&[], input);
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
    // `(*)` and `(<)` tell of the operation that they mean unless types say otherwise
    for constant in Constant::ALL.iter().filter(|constant| Constant::from_name(constant.name()) == Some(**constant)) {
        let line = format!("{} [{}]", constant.summary(), constant.source());
        assert!(run.out.lines().any(|l| l == line), "{line}");
        let from = ["S ", "A ", "H ", "not in S;"];
        assert!(from.iter().any(|from| constant.source().starts_with(from)), "{constant:?}");
    }
    for word in ["let", "λ", "if", "match", "type", "List", "tt", "ℜ", "ans"] {
        assert!(words.contains(&word));
    }
}

#[test]
fn what_is_wrong_is_said_on_the_error_stream() {
    for (input, err) in [
        (":eps 0", "`0`: the tolerance must be greater than 0"),
        (":eps x", "`x`: expected a positive number"),
        (":eps 1e-999999999", "100000"),
        (":rel 0", "`0`: the tolerance must be greater than 0"),
        (":digits none", "`none`: expected a number of significant digits from 1 to 100000"),
        (":digits 1e3", "`1e3`: expected a number of significant digits"),
        (":timeout 0", "greater than 0"),
        (":timeout never", "`never`: expected a number of seconds"),
        (":load", "expected :load FILE…"),
        (":load no such file", "error: no: "),
        (":load \"no such file\"", "error: no such file: "),
        (":save", "expected :save FILE"),
        (":save a b", "expected :save FILE"),
        (":save x.theory", "nothing to save"),
        (":type", "expected :type EXPR"),
        (":type 1 +", "found the end"),
        (":type derv", "did you mean"),
        (":info", "expected :info NAME"),
        (":info a b", "expected :info NAME"),
        (":info variannce", "did you mean `variance`?"),
        (":info Integral.varianc", "not known here"),
        (":doc cutroott", "did you mean `cutRoot`?"),
        (":list Integrl", "did you mean `Integral`?"),
        (":reload now", "expected no argument"),
        (":quit now", "expected no argument"),
        (":halp", "did you mean :help?"),
        (":exit", "did you mean :quit?"),
        (":?", "did you mean :help?"),
        (":vars", "did you mean :list?"),
        (":set eps 1e-9", "did you mean :eps 1e-9"),
        (":clear", "Ctrl-L"),
        (":help nosuch", "`nosuch` is not known here"),
        (":", "there is no command `:`"),
        (":ti", "can be :timeout or :time"),
        (":tyme 1", "did you mean :time?"),
        ("let (x, y) = (1, 2)\n\n", "expected `in`"),
        ("let x = 1, 2", "expected `in`, or the end of the definition"),
        ("1e999999999", "too long"),
        ("cutRoot (\\x => x)", "cutRoot needs a function"),
    ] {
        let run = repl(&[], input);
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{input}\n{run:?}");
        assert!(run.err.contains(err), "{input}\n{run:?}");
    }
    // a broken promise points into the definition that broke it, also after that was hidden
    let input = "let f x = cutRoot (\\y => y + x)\nlet g = f\nlet f x = 1\ng 1\n";
    let run = repl(&[], input);
    assert!(run.err.contains("standard input:1:11") && run.err.contains("1 | let f x = cutRoot"), "{run:?}");
}

/// A fold has the name that its type gives it, also where the type is written under another name.
#[test]
fn hidden_recursive_types_are_saved_with_their_folds() {
    let file = new_file("saved-folds.theory");
    let path = file.to_str().unwrap();
    let session = format!(
        "type T = Z | S (T * Real)\nlet f y = foldT 0 (\\(r, x) => r + x) (S (Z, y))\ntype T = End | Last T\n\
         let g y = foldT y (\\x => x + x) (Last End)\nlet foldT = 3\nlet h = (f 1, g 1, foldT)\nh\n:save {path}\n"
    );
    let run = repl(&[], session);
    assert!(run.status == Some(0) && run.out.contains("(1, 2, 3)"), "{run:?}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("type T_1 = Z | S (T_1 * Real)") && text.contains("foldT_1 0"), "{text}");
    let again = repl(&[path], "h\n");
    assert!(again.status == Some(0) && again.out.contains("(1, 2, 3)"), "{again:?}");
}

#[test]
fn a_session_is_saved_and_loaded() {
    let file = new_file("saved-session.theory");
    let path = file.to_str().unwrap();
    let session = format!(
        "let f x = x^2 +\n  1\nlet g = f\nlet f x = g x * 10 ! tens\nf 1\ntype T A = A -> Real\nlet h (s : T Real) : Real = s 2\n\
         type T A = A\nlet k (s : T Real) = s + ans + relu 1\nlet brightness’s y = brightness y\n(f 1, (g 1, (h f, k 3)))\n:save {path}\n"
    );
    let run1 = repl(&[], session);
    assert_eq!(run1.status, Some(0), "{run1:?}");
    let values = "(20, (2, (50, 24)))";
    assert!(run1.out.contains(values), "{run1:?}");
    assert!(run1.out.contains("theory SavedSession: "), "{run1:?}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("theory SavedSession extends Prelude, Surface\n"), "{text}");
    assert!(
        text.contains("let g = f_1\n") && text.contains("(s : T_1 Real)") && text.contains("let ans_1 = f 1"),
        "{text}"
    );
    let run2 = repl(&[path], ":list SavedSession\n(f 1, (g 1, (h f, k 3)))\n");
    assert!(run2.status == Some(0) && run2.out.contains(values), "{run2:?}");
    let run3 = repl(&[], format!("let f x = 3\n:load {path}\n:load {path}\n(f 1, SavedSession.f 1)\n"));
    assert!(run3.out.contains("(3, 20)"), "{run3:?}");
    let check = Command::new(env!("CARGO_BIN_EXE_smoothish")).args(["check", path]).output().unwrap();
    assert_eq!(
        (check.status.code(), String::from_utf8(check.stdout).unwrap().trim()),
        (Some(0), "0 as they should be, 0 refuted, 0 open")
    );
    // saving again replaces it, and leaves other files alone
    let run4 = repl(&[], format!("let only = 1\n:save {path}\n"));
    assert!(run4.out.contains("theory SavedSession: 1 definitions"), "{run4:?}");
    fs::write(&file, "theory Other").unwrap();
    let run5 = repl(&[], format!("let only = 1\n:save {path}\n"));
    assert!(run5.status == Some(2) && run5.err.contains("is no saved session"), "{run5:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "theory Other");
    for (name, err) in [("prelude.theory", "choose another file"), ("1.theory", "begin that of the file with a letter")]
    {
        let run = repl(&[], format!("let only = 1\n:save {}\n", new_file(name).display()));
        assert!(run.status == Some(2) && run.err.contains(err) && !new_file(name).exists(), "{run:?}");
    }
}

/// A branch without an argument has no name to give to the others.
#[test]
fn normal_forms_of_matches_are_programs_in_any_order_of_constructors() {
    for (ty, branches) in [
        ("Full Real | Empty", "Full y => y | Empty => 0"),
        ("Empty | Full Real", "Empty => 0 | Full y => y"),
        ("One Real | Two Real", "One y => y | Two _ => 0"),
        ("Left2 | Right2", "Left2 => 1 | Right2 => 0"),
    ] {
        let run = repl(&[], format!("type A = {ty}\n:normal \\x => match x with {branches}\n"));
        assert!(run.status == Some(0) && run.out.contains("match x with"), "{ty}: {run:?}");
    }
}

#[test]
fn a_loaded_file_keeps_what_it_defines() {
    let file = new_file("loaded-kept.theory");
    let path = file.to_str().unwrap();
    let made = repl(&[], format!("let f (x : Real) = x + 1\ntype Q = Real\n:save {path}\n"));
    assert_eq!(made.status, Some(0), "{made:?}");
    let before = fs::read_to_string(&file).unwrap();
    // `f` and `Q` stand in the file alone; a session that defines them anew may replace it
    for (definitions, lost) in [("let h (x : Real) = x + 2", "f"), ("let f (x : Real) = x", "Q")] {
        let run = repl(&[path], format!("{definitions}\n:save {path}\n"));
        assert!(run.status == Some(2) && run.err.contains(&format!("would lose its `{lost}`")), "{run:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), before);
    }
    let run = repl(&[path], format!("let f (x : Real) = x\ntype Q = Real\n:save {path}\n"));
    assert!(run.status == Some(0) && fs::read_to_string(&file).unwrap() != before, "{run:?}");
}

#[test]
fn what_a_theory_would_read_otherwise_is_not_saved() {
    let file = new_file("otherwise.theory");
    let run = repl(&[], format!("(\\of => of) 2\nlet x = ans\n:save {}\n", file.display()));
    assert!(run.status == Some(2) && run.err.contains("cannot be saved as a theory"), "{run:?}");
    assert!(!file.exists());
}

#[test]
fn a_file_is_loaded_again_after_it_changed() {
    let file = new_file("changing.theory");
    let path = file.to_str().unwrap().to_owned();
    fs::write(&file, "theory Changing\nlet c = 1\nlet d = 1\n").unwrap();
    let mut child = start(&[&path]);
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "let twofold = 2 * c\nlet usesD = d\ntwofold").unwrap();
    stdin.flush().unwrap();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while line.trim() != "2" {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut out, &mut line).unwrap() > 0);
    }
    fs::write(&file, "theory Changing\nlet c = 2\n").unwrap();
    writeln!(stdin, ":reload\ntwofold\nusesD").unwrap();
    drop(stdin);
    let (mut rest, mut err) = (String::new(), String::new());
    out.read_to_string(&mut rest).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let expected = format!("{} theories\n4\n", SOURCES.len() + 1);
    assert_eq!((rest, child.wait().unwrap().code()), (expected, Some(2)), "{err}");
    assert!(err.contains("the name `d` is not known here") && err.contains("this definition is gone"), "{err}");
    assert!(err.contains("the name `usesD` is not known here"), "{err}");
}

#[test]
fn the_options_are_those_of_eval() {
    let run = repl(&["--eps", "1e-9"], "1/3\n");
    assert_eq!(run.out, "[0.33333333333, 0.33333333334]  width 1e-11  0.3333333333…\n");
    assert_eq!(repl(&["--eps", "0"], "").status, Some(2));
    let run = repl(&["no such file"], "1\n");
    assert_eq!((run.status, run.out.as_str()), (Some(2), "1\n"), "{run:?}");
}

/// A question that takes longer than anybody would wait.
const LONG: &str =
    r"integral01 (\x => integral01 (\y => integral01 (\z => abs (sin (17*x) + cos (23*y) - z*exp (x*y)))))";

#[test]
fn a_pipe_ends_after_an_interrupt() {
    let interrupted = Arc::new(AtomicBool::new(true));
    let mut library = TheorySession::load();
    let mut prompt = Prompt {
        library: &mut library,
        goal: AccuracyGoal::of_absolute_width("1".parse().unwrap()),
        timeout: Timeout::default(),
        tuning: None,
        shows_time: false,
        interrupted,
        name: "input".to_owned(),
        line: 1,
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let streams = &mut Streams { out: &mut out, err: &mut err };
    let status = smoothish::cli::repl::answer_piped(&mut prompt, &mut &b"1\n2\n"[..], streams).unwrap();
    assert_eq!((status, String::from_utf8(out).unwrap().lines().count()), (Status::Nothing, 1), "of two questions");
}

#[test]
fn variants_and_lists_are_known_at_the_prompt() {
    holds(
        "type Shape = Disc Real | Square Real\nDisc 0.5\n:type Square\n",
        "type Shape\nDisc 0.5\nReal -> Shape\n",
        0,
        "",
    );
    // a line that ends in `|` goes on in the next
    holds("type T =\n  A |\n  B Real\nmatch B 2 with\n| A => 1 |\nB x =>\nx\n", "type T\n2\n", 0, "");
    holds(
        ":normal \\(xs : List Real) => fold (\\x r => x + r) 0 (1 :: xs)\n",
        "\\xs => 1 + fold (\\x => \\r => x + r) 0 xs\n",
        0,
        "",
    );
    holds("type T = A | B\n:info B\n", "type T\nB : T\nthis session\ntype T = A | B\n", 0, "");
    holds(
        "type T = A | B\ntype T = A | C\nmatch A with A => 1 | B => 2\n",
        "type T\ntype T\n",
        2,
        "`B` is a constructor of T (`T` as it was before it was redefined), but `A` is of type T\n",
    );
    holds("type T = A\n", "", 2, "the type `A` is not known here");
    let run = repl(&[], ":list Data\n");
    assert!(
        run.out.starts_with("type Maybe A = Nothing | Just A\ntype Either A B = Left A | Right B\norElse : "),
        "{}",
        run.out
    );
}

/// Of two types with one name, the message says which is the earlier one, in whatever order they meet, and deep in a type.
#[test]
fn redefined_types_are_told_apart() {
    let earlier =
        "type T A = N | J A\nlet f = \\m => match m with N => 0 | J x => x\nlet v = J 1\ntype T A = N | J A\n";
    let before = "(`T` as it was before it was redefined)";
    for (question, told) in [
        ("f (J 2)", format!("expected T Real {before}, found T Real\n")),
        ("(\\(m : T Real) => 0) v", format!("expected T Real, found T Real {before}\n")),
        ("[J 2, v]", format!("expected T Real, found T Real {before}\n")),
        ("(\\(m : List (T Real)) => 0) [v]", format!("found T Real {before}\n")),
        ("(\\(g : T Real -> Real) => 0) f", format!("found T Real -> Real {before}\n")),
        ("match v with N => 0 | J x => x", format!("`N` is a constructor of T, but `v` is of type T Real {before}\n")),
    ] {
        let run = repl(&[], format!("{earlier}{question}\nf v\n"));
        assert!(run.err.contains(&told), "{question}: {}", run.err);
        assert!(run.err.contains("repeat the definitions that use the earlier `T`"), "{question}: {}", run.err);
        assert!(run.out.ends_with("1\n"), "{question}: {}", run.out);
    }
    // the type is what it was, a constructor of it is hidden
    let shadowed =
        "type T = N | J Real\nlet v = J 1\nlet f = \\m => match m with N => 0 | J x => x\ntype U = J Real | M\n";
    for question in ["f (J 2)", "match v with N => 0 | J x => x"] {
        let run = repl(&[], format!("{shadowed}{question}\n"));
        let told = "both have a constructor `J`, and the later declaration hides the earlier one's";
        assert!(run.err.contains(told) && !run.err.contains("redefined"), "{question}: {}", run.err);
    }
}

/// Constructors that later declarations hide are saved under new names, as everything else that is hidden.
#[test]
fn declarations_are_saved() {
    let file = new_file("variants.theory");
    let shown = file.display();
    let input = format!(
        "type T = A | B Real\nlet f t = match t with A => 1 | B x => x\ntype U = A | C (List Real)\n\
         let g u = match u with A => f (B 3) | C xs => fold (+) 0 xs\ng (C [1, 2])\n:save {shown}\n"
    );
    let run = repl(&[], input);
    assert_eq!(run.status, Some(0), "{}", run.err);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("type T = A_1 | B Real\n") && text.contains("type U = A | C (List Real)\n"), "{text}");
    assert!(text.contains("match t with A_1 => 1 | B x => x"), "{text}");
    let run = repl(&[], format!(":load {shown}\ng A\ng (C [1, 2])\nf A_1\n"));
    let answers: Vec<&str> = run.out.lines().skip(1).collect();
    assert_eq!(answers, ["3", "3", "1"], "{}{}", run.out, run.err);
}

#[test]
fn a_question_does_not_wait_for_the_laws_of_theories() {
    let mut library = TheorySession::load();
    library.load_files(&[]).unwrap();
    library.ask(&Evaluate::new("variance uniform").with_width("1e-3"), &Limits::seconds(60)).unwrap();
    assert!(!library.theories().are_typed());
    assert!(library.theories().find_theory("Prelude").is_some_and(|prelude| !prelude.claims.is_empty()));
    assert!(library.theories().are_typed());
}

/// The replies of the prompt for programs, without what depends on the clock.
fn replies(requests: &str) -> Vec<serde_json::Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_smoothish"))
        .args(["repl", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().unwrap().write_all(requests.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let reply = |line: &str| {
        let mut reply: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        reply.as_object_mut().unwrap().remove("ms");
        reply
    };
    text.lines().map(reply).collect()
}

#[test]
fn the_protocol_is_that_of_the_book() {
    let chapter = concat!(env!("CARGO_MANIFEST_DIR"), "/book/src/the-prompt.md");
    let text = std::fs::read_to_string(chapter).unwrap();
    let block = text.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("there is one");
    let requests: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let shown: Vec<serde_json::Value> =
        block.lines().filter(|line| !line.starts_with("> ")).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((requests.len(), shown.len()), (5, 6));
    let found = replies(&(requests.join("\n") + "\n"));
    for (found, shown) in found.iter().zip(&shown) {
        assert_eq!(found, shown, "\n{found}\n{shown}");
    }
    assert_eq!(found.len(), shown.len());
}

#[test]
fn the_protocol_answers_whatever_it_is_sent() {
    let wrong = [
        "",
        "[1]",
        "{}",
        "{\"input\": 2}",
        "{\"input\": \"1\", \"esp\": 1}",
        "{\"input\": \"1\", \"eps\": \"wide\"}",
        "{\"input\": \"1\", \"rel\": 1, \"digits\": 2}",
        "{\"input\": \"1 +\"}",
        "{\"input\": \":nonsense\"}",
    ];
    for request in wrong {
        let found = replies(&format!("{request}\n"));
        assert_eq!(found.len(), 2, "{request}");
        assert_eq!(found[1]["status"], 2, "{request}: {}", found[1]);
        assert!(found[1]["error"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{request}: {}", found[1]);
    }
    let named = replies("{\"id\":7}\n{\"id\":8,\"input\":\"1\",\"eps\":\"wide\"}\n");
    assert_eq!((&named[1]["id"], &named[2]["id"]), (&serde_json::json!(7), &serde_json::json!(8)));
    // what a request asks for holds for it alone, what a command sets holds on; nothing after :quit
    let found = replies(concat!(
        "{\"input\": \"pi\", \"digits\": 30}\n{\"input\": \"pi\"}\n{\"input\": \":eps 1e-20\"}\n{\"input\": \"pi\"}\n",
        "{\"input\": \"(1,\\n2)\"}\n{\"input\": \"log (-1)\"}\n{\"input\": \":quit\"}\n{\"input\": \"1\"}\n"
    ));
    assert_eq!(found.len(), 8);
    let digits = |reply: &serde_json::Value| reply["lo"].as_str().unwrap().len();
    assert!(digits(&found[1]) > 29 && digits(&found[2]) < 12 && digits(&found[4]) > 19);
    assert_eq!(found[5]["value"].as_array().unwrap().len(), 2);
    assert_eq!((&found[6]["status"], &found[6]["defined"]), (&serde_json::json!(4), &serde_json::json!(false)));
    assert!(found[1]["id"].is_null());
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn an_interrupt_ends_a_pipe_with_the_best_so_far() {
        let mut child = start(&["--eps", "1e-12"]);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(format!("{LONG}\n1\n").as_bytes()).unwrap();
        thread::sleep(Duration::from_secs(1));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is a `kill`");
        assert!(kill.success());
        child.stdin = Some(stdin);
        let run = finish(child, Vec::new());
        assert_eq!((run.status, run.out.lines().count()), (Some(3), 1), "no further question is asked: {run:?}");
        assert!(run.err.contains("was not reached before it was interrupted"), "{run:?}");
    }

    /// Ctrl-C, as the prompt of a terminal sees it: a flag.
    #[test]
    fn an_interrupt_ends_a_question_and_not_the_session() {
        let interrupted: Arc<AtomicBool> = Arc::default();
        let mut library = TheorySession::load();
        let mut prompt = Prompt {
            library: &mut library,
            goal: AccuracyGoal::of_absolute_width("1e-12".parse().unwrap()),
            timeout: Timeout::default(),
            tuning: None,
            shows_time: false,
            interrupted: interrupted.clone(),
            name: "prompt".to_owned(),
            line: 1,
        };
        let mut enter = |text: &str| {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let done = prompt.answer_input(text, &mut Streams { out: &mut out, err: &mut err }).unwrap();
            (done, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
        };
        let flag = interrupted.clone();
        let key = thread::spawn(move || {
            thread::sleep(Duration::from_millis(500));
            flag.store(true, Ordering::Relaxed);
        });
        let begun = Instant::now();
        let (done, out, err) = enter(LONG);
        key.join().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(30), "it was stopped");
        assert!(matches!(done, InputResult::Status(Status::Wide | Status::Nothing)), "{out}{err}");
        assert!(out.starts_with('[') && err.contains("before it was interrupted"), "{out}{err}");
        interrupted.store(false, Ordering::Relaxed);
        assert_eq!(enter("1/4").1, "0.25\n");
        assert_eq!(enter(":type ans").1, "Real\n");
        assert_eq!(enter(":quit").0, InputResult::Quit);
    }

    #[test]
    fn hostile_input_is_refused_line_by_line() {
        let one = "1\n";
        for (input, err) in [
            (b"1 + \xff\n1\n".to_vec(), "standard input is not UTF-8: line 1, byte 4"),
            ([vec![b' '; 10_000_001], b"\n1\n".to_vec()].concat(), "10000000 are read"),
            ([vec![b'x'; 30_000_000], b"\n1\n".to_vec()].concat(), "10000000 are read"),
            ([vec![b'('; 100_000], b"\n\n1\n".to_vec()].concat(), "10000 levels"),
            ([b"(\n".repeat(20_000), b"\n1\n".to_vec()].concat(), "10000 levels"),
            ([b"(".to_vec(), b"! comment\n".repeat(100_000), b"\n1\n".to_vec()].concat(), "found the end"),
            ([vec![b':'; 100_000], b"\n1\n".to_vec()].concat(), "there is no command"),
            (b"\0\x1b[31m\n1\n".to_vec(), "has no meaning here"),
        ] {
            let begin = String::from_utf8_lossy(&input[..20.min(input.len())]).into_owned();
            let run = repl(&[], input);
            assert!(run.out.ends_with(one), "{begin}\n{:.2000}", format!("{run:?}"));
            assert_eq!(run.status, Some(2), "{begin}");
            assert!(run.err.contains(err), "{begin}\n{:.2000}", run.err);
            assert!(!run.err.contains('\x1b'), "{begin}");
        }
    }

    #[test]
    fn a_timeout_ends_a_question_and_not_the_session() {
        let run = repl(&["--timeout", "1", "--eps", "1e-12"], format!("{LONG}\n1\n"));
        assert_eq!((run.status, run.out.lines().count()), (Some(3), 2), "{run:?}");
        assert!(run.err.contains("was not reached within 1 s"), "{run:?}");
    }
}
