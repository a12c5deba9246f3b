//! Of `cli::arguments`.

use clap::Parser;
use smoothish::cli::arguments::*;
use smoothish::cli::questions::{QuestionText, Questions};

fn eval(arguments: &[&str]) -> Result<EvalOptions, String> {
    let all = ["smoothish", "eval"].iter().chain(arguments);
    match Arguments::try_parse_from(all).map_err(|e| e.to_string())?.command {
        Command::Eval(options) => Ok(options),
        other => Err(format!("{other:?}")),
    }
}

fn asked(texts: &[&str]) -> Questions {
    Questions(texts.iter().map(|&text| QuestionText::Text(text.into())).collect())
}

#[test]
fn questions_keep_their_order() {
    let questions = eval(&["-f", "a", "1", "-e", "-x", "-f", "-", "2", "--file=b"]).unwrap().asked.questions;
    let text = |text: &str| QuestionText::Text(text.into());
    let file = |name: &str| QuestionText::File(name.into());
    assert_eq!(questions.0, [file("a"), text("1"), text("-x"), QuestionText::Input, text("2"), file("b")]);
    assert_eq!(eval(&["-e", "1"]).unwrap().asked.questions, asked(&["1"]));
    assert_eq!(eval(&["--load", "t", "--load", "u", "1"]).unwrap().asked.load.len(), 2);
    assert!(eval(&["--message-format", "short", "1"]).unwrap().asked.format.is_short());
}

#[test]
fn the_defaults_are_the_documented_ones() {
    let options = eval(&["1"]).unwrap();
    assert_eq!(
        (options.demand.goal.goal().or_default(-6).to_string(), options.demand.timeout.to_string()),
        ("eps=1e-6".into(), "60".into())
    );
    assert_eq!((options.model, options.asked.format.is_json()), ("presheaf".to_owned(), false));
}

#[test]
fn options_stand_on_either_side_of_the_expression() {
    for arguments in [
        ["--json", "--eps", "1e-9", "x"],
        ["x", "--json", "--eps", "1e-9"],
        ["--eps=1e-9", "x", "--message-format", "json"],
    ] {
        let options = eval(&arguments).unwrap();
        assert!(options.asked.format.is_json());
        assert_eq!(
            (options.demand.goal.goal().to_string(), options.asked.questions),
            ("eps=1e-9".into(), asked(&["x"]))
        );
    }
}

#[test]
fn an_expression_that_starts_with_a_minus_stands_after_two() {
    assert_eq!(eval(&["--eps", "1", "--", "-3/4", "-x"]).unwrap().asked.questions, asked(&["-3/4", "-x"]));
    let questions = eval(&["-0.75", "-"]).unwrap().asked.questions;
    assert_eq!(questions.0, [QuestionText::Text("-0.75".into()), QuestionText::Input]);
    assert!(eval(&["-3/4"]).unwrap_err().contains("'-- -3"));
    assert!(eval(&["--jsn", "1"]).unwrap_err().contains("--json"));
}

#[test]
fn what_is_no_option_is_refused_with_the_reason() {
    for (arguments, reason) in [
        (&["--eps", "0", "1"][..], "must be greater than 0"),
        (&["--eps", "-1e-3", "1"], "must be greater than 0"),
        (&["--eps", "small", "1"], "expected a positive number"),
        (&["--rel", "0", "1"], "must be greater than 0"),
        (&["--rel", "1e-9x", "1"], "expected a positive number"),
        (&["--digits", "0", "1"], "a number of significant digits from 1 to 100000"),
        (&["--digits", "-3", "1"], "a number of significant digits from 1 to 100000"),
        (&["--digits", "3.5", "1"], "a number of significant digits from 1 to 100000"),
        (&["--digits", "100001", "1"], "a number of significant digits from 1 to 100000"),
        (&["--digits", "3", "--rel", "1e-3", "1"], "cannot be used with"),
        (&["--timeout", "0", "1"], "greater than 0"),
        (&["--model", "floot", "1"], "presheaf, tower, partial, pap, clarke, float"),
        (&["--message-format", "xml", "1"], "human, short, json"),
        (&[], "EXPR"),
    ] {
        let message = eval(arguments).unwrap_err();
        assert!(message.contains(reason), "{arguments:?}: {message}");
    }
}
