//! `smoothish agree`, and `eval --model`.

use serde_json::Value;
use std::process::{Command, Output};

fn smoothish(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_smoothish"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_table_has_a_row_for_every_model() {
    let (status, out, err) = smoothish(&["agree", "--eps", "1e-9", "deriv sin 1", "integral01 exp"]);
    assert_eq!((status, &*err), (Some(0), ""));
    let rows: Vec<&str> = out.lines().collect();
    assert_eq!(rows.len(), 14);
    for (row, words) in rows.iter().zip([
        &["model", "answer", "width", "time", "verdict"][..],
        &["presheaf", "[0.5403023058", "agrees"],
        &["tower", "[0.5403023058", "agrees"],
        &["partial", "[0.5403023058", "agrees"],
        &["pap", "[0.5403023058", "agrees"],
        &["clarke", "[0.5403023058", "agrees"],
        &["float", "0.540302305868", "±", "inside"],
        &["model"],
        &["presheaf", "[1.7182818284", "agrees"],
        &["tower", "[1.71828", "agrees"],
        &["partial", "–", "the model `partial` does not define `integral01`"],
        &["pap", "–", "the model `pap` does not define `integral01`"],
        &["clarke", "–", "the model `clarke` does not define `integral01`"],
        &["float", "1.718281828459", "inside"],
    ]) {
        for word in words {
            assert!(row.contains(word), "{row}: {word}");
        }
    }
}

/// The status is that of the first model's answer, since a model that knows less is no fault.
#[test]
fn the_status_is_that_of_the_answer() {
    for (question, status) in
        [("1", 0), ("deriv relu 0", 3), ("log (-1)", 4), ("deriv 1", 2), ("cutRoot (\\x => x)", 2)]
    {
        let (found, out, err) = smoothish(&["agree", question]);
        assert_eq!(found, Some(status), "{question}: {out}{err}");
        assert_eq!(status == 2, out.is_empty() && err.starts_with("error"), "{question}: {out}{err}");
    }
}

#[test]
fn a_program_reads_json() {
    let (status, out, _) = smoothish(&["agree", "--json", "(1/3, tt)", "max01 sin"]);
    assert_eq!(status, Some(0));
    let objects: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!((&objects[0]["type"], &objects[0]["agree"]), (&Value::from("Real * Bool"), &Value::from(true)));
    let models = objects[0]["models"].as_array().expect("a list");
    assert_eq!(
        models.iter().map(|m| &m["name"]).collect::<Vec<_>>(),
        ["presheaf", "tower", "partial", "pap", "clarke", "float"]
    );
    assert_eq!(models[0]["answer"][1], "tt");
    assert_eq!(models[5]["answer"][0]["float"], "0.3333333333333333");
    assert_eq!(models[2]["verdicts"][0], "agrees");
    assert_eq!(models[5]["verdicts"][0], "inside");
    assert!(models[1]["reason"].as_str().is_some_and(|reason| reason.contains("truth values")));
    assert_eq!(objects[1]["models"][1]["verdicts"][0], "agrees");
    assert_eq!(objects[1]["models"][2]["reason"], "the model `partial` does not define `max01`");
}

#[test]
fn another_model_is_asked_by_name() {
    let (status, out, err) = smoothish(&["eval", "--model", "tower", "twice sin 1"]);
    assert_eq!((status, &*err), (Some(0), ""));
    assert_eq!(out, "[0.74562414, 0.74562415]\n");
    let (status, out, err) = smoothish(&["eval", "--model", "float", "twice sin 1", "log (-1)"]);
    assert_eq!((status, &*out), (Some(4), "0.7456241416655579\nNaN\n"));
    assert!(err.starts_with("note: floating-point: no digit is certified"), "{err}");
    let (status, _, err) = smoothish(&["eval", "--model", "floot", "1"]);
    assert!(status == Some(2) && err.contains("float"), "{err}");
    let (status, _, err) = smoothish(&["eval", "--model", "tower", "\\x => x"]);
    assert!(status == Some(2) && err.contains("functions as values") && !err.contains("panicked"), "{err}");
}

#[test]
fn long_numbers_are_cut_in_tables_and_whole_in_json() {
    let (_, out, _) = smoothish(&["agree", "--eps=1e-6", "exp 1e4"]);
    // e^10000 = 8.8068182256629215…e4342, by mpmath
    assert!(out.contains("[8.80681822566292158726…(4310 digits)…"), "{out}");
    let (_, out, _) = smoothish(&["agree", "--json", "--eps=1e-6", "exp 1e4"]);
    let object: Value = serde_json::from_str(&out).expect("an object");
    let end = object["models"][0]["answer"]["lo"].as_str().expect("a decimal");
    assert!(end.starts_with("8.8068182256629215872614960076") && end.ends_with("e4342"), "{end}");
}

/// (-8)^(1/3) = -2: the error is estimated although the exponent is no third after a nudge.
#[test]
fn odd_roots_of_negative_numbers_have_an_error_estimate() {
    let (_, out, _) = smoothish(&["agree", "--json", "(-8)^(1/3)", "deriv (\\x => x^(1/3)) (-8)"]);
    for (line, truth) in out.lines().zip([-2.0, 1.0 / 12.0]) {
        let object: Value = serde_json::from_str(line).expect("an object");
        let float = &object["models"][5]["answer"];
        let error: f64 =
            float["error"].as_str().map_or_else(|| float["error"].as_f64(), |e| e.parse().ok()).expect("a number");
        let found: f64 = float["float"].as_str().and_then(|x| x.parse().ok()).expect("a number");
        assert!(error < 1e-12 && (found - truth).abs() <= error, "{line}");
    }
}

/// What has no value by value is no contradiction, and says why; `--fuel` is for models that have approximants.
#[test]
fn partial_maps_are_asked_and_compared() {
    let squares = "let rec f (x : Real) : Real = if 10 < x then x else f (x * x) in rd f 2 1";
    let (status, out, err) = smoothish(&["eval", "--model", "partial", squares]);
    assert_eq!((status, &*out, &*err), (Some(0), "32\n", ""));
    let (status, out, err) = smoothish(&["eval", "--model", "partial", "--fuel", "2", squares]);
    assert_eq!((status, &*out), (Some(4), ""));
    assert!(err.starts_with("error: undefined: a recursive function was unfolded as often"), "{err}");
    let (status, _, err) = smoothish(&["eval", "--fuel", "2", "1"]);
    assert!(status == Some(2) && err.contains("--model partial"), "{err}");
    let (status, out, err) = smoothish(&["eval", "--json", "--model", "partial", "snd (log (-1), 3)"]);
    let object: Value = serde_json::from_str(&out).expect("an object");
    assert_eq!((status, &*err, &object["undefined"]["cause"]), (Some(4), "", &Value::from("domain")));
    assert_eq!(object["undefined"]["place"], "question:1:6");
    let (status, out, _) = smoothish(&["agree", "--json", "let y = log (-1) in 3 / 2"]);
    let object: Value = serde_json::from_str(&out).expect("an object");
    assert_eq!((status, &object["agree"]), (Some(0), &Value::from(true)));
    assert!(object["models"][2]["reason"].as_str().is_some_and(|reason| reason.contains("outside of its domain")));
}
