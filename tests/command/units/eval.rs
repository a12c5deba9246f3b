//! Of `cli::eval`.

use clap::Parser;
use serde_json::{Value as Json, json};
use smoothish::cli::arguments::{Arguments, Command};
use smoothish::cli::eval::*;
use smoothish::cli::evaluator::TheorySession;
use smoothish::cli::output::Streams;
use smoothish::failure::ErrorKind;
use smoothish::meaning::presheaf::PresheafSemantics;
use smoothish::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError};
use smoothish::number::Accuracy;
use smoothish::number::budget::Budget;
use smoothish::number::real::RefinedEnclosure;
use smoothish::session::{Diagnostic, Limits};
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::Ty;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

static LIBRARY: LazyLock<TheorySession> = LazyLock::new(TheorySession::load);

/// It lies in [-1, 1], and that is all that is found.
const WIDE: &str = "deriv relu 0 - deriv relu 0";
/// The same from 1 to 1.5.
const HALF: &str = "(deriv relu 0 - deriv relu 0 + 5)/4";
const PAIR: &str = "(1, [deriv relu 0 - deriv relu 0, 1/0])";
/// What is said of a name that nobody knows.
const UNKNOWN: &str = "error: the name `wrong` is not known here
 --> question:1:1
  |
1 | wrong
  | ^^^^^
  |
  = help: `smoothish doc` lists the names there are; your own are bound by let wrong = … in …, or \\wrong => …
";
/// What is said of the division in [`PAIR`].
const DIVIDED: &str = "note: not defined, or not shown to be defined: `/` is outside of its domain, at question:1:35\n";

fn eval_in(library: &TheorySession, interrupted: bool, input: &[u8], arguments: &[&str]) -> (u8, String, String) {
    let all = ["smoothish", "eval"].iter().chain(arguments);
    let Command::Eval(options) = Arguments::try_parse_from(all).unwrap().command else { unreachable!() };
    let interrupt = Arc::new(AtomicBool::new(interrupted));
    let limits = Limits { unfoldings: options.fuel, ..options.demand.timeout.to_limits(&interrupt) };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { out: &mut out, err: &mut err };
    let status = run_eval(&options, library, &limits, &mut &input[..], &mut streams).unwrap();
    (status.code(), String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn eval_with(interrupted: bool, input: &[u8], arguments: &[&str]) -> (u8, String, String) {
    eval_in(&LIBRARY, interrupted, input, arguments)
}

#[track_caller]
fn prints(arguments: &[&str], status: u8, out: &str, err: &str) {
    assert_eq!(eval_with(false, b"", arguments), (status, out.into(), err.into()), "{arguments:?}");
}

/// The meaning in presheaves, as if the budget had ended what is not reached. It stands in the place of towers.
struct Cut;

impl Semantics for Cut {
    fn name(&self) -> &'static str {
        "tower"
    }

    fn summary(&self) -> &'static str {
        "is cut short"
    }

    fn is_certified(&self) -> bool {
        true
    }

    fn evaluate_to(
        &self,
        term: &Term,
        ty: &Ty,
        to: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        let answer = PresheafSemantics.evaluate_to(term, ty, to, budget)?;
        let value = answer.value.map_reals(&mut |number| match number {
            AnswerNumber::Enclosure(found) => AnswerNumber::Enclosure(Box::new(RefinedEnclosure {
                exhausted: !found.reached,
                reason: None,
                ..(**found).clone()
            })),
            other => other.clone(),
        });
        Ok(ProgramAnswer { value, ..answer })
    }
}

#[test]
fn a_number_is_one_line() {
    prints(&["0.5"], 0, "0.5\n", "");
    prints(
        &[r"firstRoot (\x => x - 1/2)"],
        0,
        "0\n",
        "note: firstRoot (1:1) is 0 where its function is negative at 0; where it is to find a rise through 0, negate the function\n",
    );
    prints(&["2 < 3"], 0, "tt\n", "");
}

#[test]
fn what_is_missing_is_said_on_the_error_stream() {
    prints(
        &["--eps", "1e-1", WIDE],
        3,
        "[-1, 1]\n",
        "note: the tolerance of 1e-1 was not reached: wider than asked; the cause is not known\n",
    );
    prints(
        &["--rel", "1e-3", HALF],
        3,
        "[1, 1.5]\n",
        "note: the relative tolerance of 1e-3 was not reached: the relative width is 0.5\n",
    );
    prints(&["--rel", "0.5", HALF], 0, "[1, 1.5]\n", "");
    prints(&["--rel", "0.4", "--eps", "0.5", HALF], 0, "[1, 1.5]\n", "");
    let zero = "a number may be 0, which has no significant digits; give a width by --eps";
    let missed = format!("note: the tolerance of 3 digits was not reached: {zero}\n");
    prints(&["--digits=3", WIDE], 3, "[-1, 1]\n", &missed);
    prints(
        &["1/0"],
        4,
        "[-inf, inf]\n",
        "note: not defined, or not shown to be defined: `/` is outside of its domain, at question:1:1\n",
    );
    // a model that does not know why
    prints(&["--model=tower", "1/0"], 4, "[-inf, inf]\n", "note: not defined, or not shown to be defined\n");
    prints(&["wrong"], 2, "", UNKNOWN);
}

#[test]
fn what_is_cut_short_says_by_what() {
    let library = TheorySession::load().with_semantics(Arc::new(Cut));
    for (question, status, out, missed) in [
        (WIDE, 3, "[-1, 1]\n", "the tolerance of 1e-6 was not reached"),
        ("1/0", 4, "[-inf, inf]\n", "not shown to be defined"),
    ] {
        let found = eval_in(&library, false, b"", &["--model=tower", "--timeout", "2", question]);
        let note = format!("note: {missed}, and would not be within 2 s\n");
        assert_eq!(found, (status, out.to_owned(), note), "{question}");
    }
}

#[test]
fn several_answers_end_with_the_status_of_the_worst() {
    let word = WIDE.replace("relu 0", "(relu)(0)").replace(' ', "");
    let note = format!("note: several arguments are several questions; put one in quotes: '0.5 wrong {word}'");
    prints(&["0.5", "wrong", "--eps=2", &word], 2, "0.5\n[-1, 1]\n", &format!("{UNKNOWN}{note}\n"));
    prints(&[PAIR, "--eps=2"], 4, "(1, [[-1, 1], [-inf, inf]]) : Real * List Real\n", DIVIDED);
}

#[test]
fn short_is_two_numbers_to_a_line() {
    let short = "--message-format=short";
    prints(&[short, "0.5", "2 < 3"], 0, "0.5 0.5\ntt\n", "");
    prints(&[short, PAIR], 4, "1 1 -1 1 -inf inf\n", DIVIDED);
    prints(&[short, "wrong"], 2, "", "question:1:1: error: the name `wrong` is not known here\n");
    let function =
        "error: the value is a function, of type Real -> Real: apply it to an argument of type Real to see a number\n";
    prints(&[short, "sin"], 2, "", function);
    let refusal = Diagnostic::invalid_input("error: a\n --> b:1:2\n  |\n1 | c\n  | ^");
    assert_eq!(refusal.one_line(), "b:1:2: error: a");
}

#[test]
fn json_is_one_object_to_a_line() {
    let (status, out, err) = eval_with(false, b"", &["--json", "0.5", WIDE]);
    let (mut lines, mut times) = (String::new(), Vec::new());
    for line in out.lines() {
        let (line, ms) = line.split_once("\"ms\":").unwrap();
        times.push(ms.strip_suffix('}').unwrap());
        lines += line;
        lines.push('\n');
    }
    assert_eq!(
        lines,
        "{\"version\":1,\"question\":\"0.5\",\"type\":\"Real\",\"lo\":\"0.5\",\"hi\":\"0.5\",\"exact\":\"1/2\",\"eps\":\"1e-6\",\
         \"reached\":true,\"defined\":true,\n\
         {\"version\":1,\"question\":\"deriv relu 0 - deriv relu 0\",\"type\":\"Real\",\"lo\":\"-1\",\"hi\":\"1\",\
         \"why\":\"unknown\",\"eps\":\"1e-6\",\"reached\":false,\"defined\":true,\n"
    );
    // milliseconds, to a thousandth
    for ms in times {
        assert!(ms.parse::<f64>().is_ok_and(|ms| ms > 0.0 && ms < 60_000.0), "{ms}");
        assert!(ms.split_once('.').is_some_and(|(_, rest)| rest.len() <= 3), "{ms}");
    }
    assert_eq!(status, 3);
    assert_eq!(err, "note: the tolerance of 1e-6 was not reached: wider than asked; the cause is not known\n");
    let (status, out, _) = eval_with(false, b"", &["--message-format", "json", PAIR]);
    let object: Json = serde_json::from_str(&out).unwrap();
    assert_eq!(status, 4);
    assert_eq!(object["value"][1][1], json!({ "lo": "-inf", "hi": "inf" }));
    assert_eq!((&object["reached"], &object["defined"]), (&json!(false), &json!(false)));
}

#[test]
fn json_has_a_line_for_what_is_refused() {
    let (status, out, err) = eval_with(false, b"", &["--json", "wrong", "sin", "0.5"]);
    let lines: Vec<Json> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let function =
        "the value is a function, of type Real -> Real: apply it to an argument of type Real to see a number";
    assert_eq!((status, lines.len(), err), (2, 3, format!("{UNKNOWN}error: {function}\n")));
    let help = UNKNOWN.split_once("= help: ").unwrap().1.trim_end();
    let message = "the name `wrong` is not known here";
    let error = json!({ "message": message, "place": "question:1:1", "help": help, "status": 2 });
    assert_eq!(lines[0], json!({ "version": 1, "question": "wrong", "error": error }));
    let error = json!({ "message": function, "place": null, "help": null, "status": 2 });
    assert_eq!(lines[1], json!({ "version": 1, "question": "sin", "error": error }));
    let refusal = Diagnostic::invalid_input("error: a\n --> b:1:2\n  |\n1 | c\n  | ^\n  = help: d");
    assert_eq!((&*refusal.message, refusal.position()), ("a", Some("b:1:2")));
    assert_eq!((refusal.help.as_deref(), refusal.kind), (Some("d"), ErrorKind::InvalidInput));
}

#[test]
fn a_minus_reads_the_input() {
    assert_eq!(eval_with(false, b"0.25", &["-"]), (0, "0.25\n".into(), String::new()));
    let (status, out, err) = eval_with(false, b"1 +\n\xff", &["-"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert_eq!(err, "error: standard input is not UTF-8: line 2, byte 4 of the whole\n");
}

#[test]
fn an_interrupt_ends_after_the_running_question() {
    assert_eq!(eval_with(true, b"", &["2 < 3", "2"]), (0, "tt\n".into(), String::new()));
    let note = "note: not shown to be defined before it was interrupted\n";
    assert_eq!(eval_with(true, b"", &["0.5", "2"]), (4, "[-inf, inf]\n".into(), note.into()));
}
