//! Of `cli::eval`.

use clap::Parser;
use serde_json::{Value as Json, json};
use smoothish::cli::arguments::{Arguments, Command};
use smoothish::cli::ask::Refusal;
use smoothish::cli::ask::{Limits, Report, Respondent, Stop, Value};
use smoothish::cli::eval::*;
use smoothish::cli::output::Streams;
use smoothish::cli::tolerance::Timeout;
use smoothish::number::Accuracy;
use smoothish::number::{Context, Double, decimal};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Knows a few words: the value of `0..1` is that interval.
struct Words;

impl Respondent for Words {
    fn ask(&mut self, source: &str, _: &Accuracy, limits: &Limits) -> Result<Report, Refusal> {
        let real = |text: &str| {
            let (lo, hi) = text.split_once("..").unwrap_or((text, text));
            let end = |text: &str| Double.rational(&decimal::parse(text).unwrap());
            Value::Real(Double.to_enclosure(&Double.hull(&end(lo), &end(hi))))
        };
        let bottom = Value::Real(Double.to_enclosure(&Double.bottom()));
        let value = match source {
            "wrong" => {
                return Err(Refusal::wrong("error: no such word"));
            }
            "true" => Value::Word("true".into()),
            "bottom" => bottom,
            "pair" => Value::Tuple(vec![real("1"), Value::List(vec![real("0..1"), bottom])]),
            number => real(number),
        };
        Ok(Report {
            ty: "Real".into(),
            value,
            stopped: (limits.timeout != Timeout::default()).then_some(Stop::Time),
            whys: Vec::new(),
            undefined: None,
            notes: if source == "2" { vec!["it is even".into()] } else { Vec::new() },
            elapsed: Duration::from_micros(1234),
        })
    }
}

fn eval_with(interrupted: bool, input: &[u8], arguments: &[&str]) -> (u8, String, String) {
    let all = ["smoothish", "eval"].iter().chain(arguments);
    let Command::Eval(options) = Arguments::try_parse_from(all).unwrap().command else { unreachable!() };
    let interrupted = Arc::new(AtomicBool::new(interrupted));
    let limits = Limits { timeout: options.demand.timeout, interrupted, fuel: options.fuel };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { out: &mut out, err: &mut err };
    let status = run(&options, &mut Words, &limits, &mut &input[..], &mut streams).unwrap();
    (status.code(), String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[track_caller]
fn prints(arguments: &[&str], status: u8, out: &str, err: &str) {
    assert_eq!(eval_with(false, b"", arguments), (status, out.into(), err.into()), "{arguments:?}");
}

#[test]
fn a_number_is_one_line() {
    prints(&["0.5"], 0, "[0.5, 0.5]\n", "");
    prints(&["2"], 0, "[2, 2]\n", "note: it is even\n");
    prints(&["true"], 0, "true\n", "");
}

#[test]
fn what_is_missing_is_said_on_the_error_stream() {
    prints(
        &["--eps", "1e-1", "0..1"],
        3,
        "[0, 1]\n",
        "note: the tolerance of 1e-1 was not reached: wider than asked; the cause is not known\n",
    );
    prints(
        &["--rel", "1e-3", "1..1.5"],
        3,
        "[1, 1.5]\n",
        "note: the relative tolerance of 1e-3 was not reached: the relative width is 0.5\n",
    );
    prints(&["--rel", "0.5", "1..1.5"], 0, "[1, 1.5]\n", "");
    prints(&["--rel", "0.4", "--eps", "0.5", "1..1.5"], 0, "[1, 1.5]\n", "");
    let zero = "a number may be 0, and then it has no digits; --eps asks for a width";
    let missed = format!("note: the tolerance of 3 digits was not reached: {zero}\n");
    prints(&["--digits=3", "0..1"], 3, "[0, 1]\n", &missed);
    prints(
        &["--timeout", "2", "0..1"],
        3,
        "[0, 1]\n",
        "note: the tolerance of 1e-6 was not reached, and would not be within 2 s\n",
    );
    prints(&["bottom"], 4, "[-inf, inf]\n", "note: not defined, or not shown to be defined\n");
    prints(
        &["--timeout", "2", "bottom"],
        4,
        "[-inf, inf]\n",
        "note: not shown to be defined, and would not be within 2 s\n",
    );
    prints(&["wrong"], 2, "", "error: no such word\n");
}

#[test]
fn several_answers_end_with_the_status_of_the_worst() {
    let note = "note: several arguments are several questions; put one in quotes: '0.5 wrong 0..1'";
    prints(&["0.5", "wrong", "--eps=2", "0..1"], 2, "[0.5, 0.5]\n[0, 1]\n", &format!("error: no such word\n{note}\n"));
    prints(
        &["pair", "--eps=2"],
        4,
        "([1, 1], [0, 1] :: [-inf, inf] :: [])\n",
        "note: not defined, or not shown to be defined\n",
    );
}

#[test]
fn short_is_two_numbers_to_a_line() {
    let short = "--message-format=short";
    prints(&[short, "0.5", "true"], 0, "0.5 0.5\ntrue\n", "");
    prints(&[short, "pair"], 4, "1 1 0 1 -inf inf\n", "note: not defined, or not shown to be defined\n");
    prints(&[short, "wrong"], 2, "", "error: no such word\n");
    let refusal = Refusal::wrong("error: a\n --> b:1:2\n  |\n1 | c\n  | ^");
    assert_eq!(refusal.short(), "b:1:2: error: a");
}

#[test]
fn json_is_one_object_to_a_line() {
    prints(
        &["--json", "0.5", "0..1"],
        3,
        "{\"version\":1,\"question\":\"0.5\",\"type\":\"Real\",\"lo\":\"0.5\",\"hi\":\"0.5\",\"eps\":\"1e-6\",\
         \"reached\":true,\"defined\":true,\"ms\":1.234}\n\
         {\"version\":1,\"question\":\"0..1\",\"type\":\"Real\",\"lo\":\"0\",\"hi\":\"1\",\"why\":\"unknown\",\"eps\":\"1e-6\",\
         \"reached\":false,\"defined\":true,\"ms\":1.234}\n",
        "note: the tolerance of 1e-6 was not reached: wider than asked; the cause is not known\n",
    );
    let (status, out, _) = eval_with(false, b"", &["--message-format", "json", "pair"]);
    let object: Json = serde_json::from_str(&out).unwrap();
    assert_eq!(status, 4);
    assert_eq!(object["value"][1][1], json!({ "lo": "-inf", "hi": "inf" }));
    assert_eq!((&object["reached"], &object["defined"]), (&json!(false), &json!(false)));
}

#[test]
fn json_has_a_line_for_what_is_refused() {
    let (status, out, err) = eval_with(false, b"", &["--json", "wrong", "0.5"]);
    let lines: Vec<Json> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let error = json!({ "message": "no such word", "place": null, "help": null, "status": 2 });
    assert_eq!((status, lines.len(), err.as_str()), (2, 2, "error: no such word\n"));
    assert_eq!(lines[0], json!({ "version": 1, "question": "wrong", "error": error }));
    let refusal = Refusal::wrong("error: a\n --> b:1:2\n  |\n1 | c\n  | ^\n  = help: d");
    assert_eq!(refusal.to_json(), json!({ "message": "a", "place": "b:1:2", "help": "d", "status": 2 }));
}

#[test]
fn a_minus_reads_the_input() {
    assert_eq!(eval_with(false, b"0.25", &["-"]), (0, "[0.25, 0.25]\n".into(), String::new()));
    let (status, out, err) = eval_with(false, b"1 +\n\xff", &["-"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert_eq!(err, "error: standard input is not UTF-8: line 2, byte 4 of the whole\n");
}

#[test]
fn an_interrupt_ends_after_the_running_question() {
    assert_eq!(eval_with(true, b"", &["0.5", "2"]), (0, "[0.5, 0.5]\n".into(), String::new()));
}
