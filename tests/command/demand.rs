//! `--eps`, `--rel`, `--digits` and `--timeout`: the same four for every command that answers.

use super::cli::run;
use serde_json::Value;

#[test]
fn every_command_that_answers_takes_the_same_four() {
    let function = r"\x => exp (20 * x)";
    for asked in
        [&["--digits", "12"][..], &["--rel", "1e-12"], &["--eps", "1e-3", "--rel", "1e-12"], &["--timeout", "5"]]
    {
        for question in [
            &["eval", "exp 20"][..],
            &["agree", "exp 20"],
            &["agree", "--at", "1", function],
            &["table", "--from", "0", "--to", "1", function],
        ] {
            let run = run(&[&question[..1], asked, &question[1..]].concat());
            assert_eq!(run.status, Some(0), "{question:?} {asked:?}: {run:?}");
        }
    }
    for command in ["eval", "agree"] {
        let both = run(&[command, "--digits", "3", "--rel", "1e-3", "1"]);
        assert!(both.status == Some(2) && both.err.contains("cannot be used with"), "{both:?}");
        let none = run(&[command, "--digits", "0", "1"]);
        assert!(none.status == Some(2) && none.err.contains("significant digits"), "{none:?}");
    }
}

/// e²⁰ = 485165195.40979027796910683054154…: of three digits both ends agree with the first, and no more is printed than is asked.
#[test]
fn models_are_compared_to_significant_digits() {
    let answers = |asked: &[&str]| {
        let run = run(&[&["agree", "--json"], asked, &["exp 20"]].concat());
        let object: Value = serde_json::from_str(&run.out).expect("an object");
        let number = |end: &str| object["models"][0]["answer"][end].as_str().and_then(|end| end.parse::<f64>().ok());
        (number("lo").expect("a number"), number("hi").expect("a number"), object)
    };
    let truth = 485_165_195.409_790_3;
    let (lo, hi, three) = answers(&["--digits", "3"]);
    assert!(lo <= truth && truth <= hi && hi - lo <= 1e-3 * truth && hi - lo >= 1.0, "{three}");
    assert_eq!((&three["digits"], &three["eps"]), (&Value::from(3), &Value::Null));
    let (lo, hi, width) = answers(&["--eps", "1e-3"]);
    assert!(lo <= truth && truth <= hi && hi - lo <= 1e-3, "{width}");
    assert_eq!((&width["digits"], &width["eps"]), (&Value::Null, &Value::from("1e-3")));
}

/// The models take 10 seconds each where nothing is said, the others a minute; the help says of what.
#[test]
fn the_help_says_how_long() {
    for (command, words) in [
        ("agree", "Time limit of one semantics, in seconds [default: 10]"),
        ("eval", "Time limit of one question, in seconds [default: 60]"),
        ("table", "Time limit of one number, in seconds [default: 60]"),
    ] {
        let help = run(&[command, "-h"]);
        let help = help.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(words) && help.contains("--digits <N>"), "{help}");
    }
}
