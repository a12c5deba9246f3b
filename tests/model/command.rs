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
    assert_eq!(rows.len(), 8);
    for (row, words) in rows.iter().zip([
        &["model", "answer", "width", "time", "verdict"][..],
        &["presheaf", "[0.5403023058", "agrees"],
        &["tower", "[0.5403023058", "agrees"],
        &["float", "0.540302305868", "±", "inside"],
        &["model"],
        &["presheaf", "[1.7182818284", "the only enclosure"],
        &["tower", "–", "the model `tower` has no meaning for `integral01`"],
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
    assert_eq!(models.iter().map(|m| &m["name"]).collect::<Vec<_>>(), ["presheaf", "tower", "float"]);
    assert_eq!(models[0]["answer"][1], "tt");
    assert_eq!(models[2]["answer"][0]["float"], "0.3333333333333333");
    assert_eq!(models[2]["verdicts"][0], "inside");
    assert!(models[1]["reason"].as_str().is_some_and(|reason| reason.contains("truth values")));
    assert_eq!(objects[1]["models"][1]["reason"], "the model `tower` has no meaning for `max01`");
}

#[test]
fn another_model_is_asked_by_name() {
    let (status, out, err) = smoothish(&["eval", "--model", "tower", "twice sin 1"]);
    assert_eq!((status, &*err), (Some(0), ""));
    assert_eq!(out, "[0.74562414, 0.74562415]\n");
    let (status, out, err) = smoothish(&["eval", "--model", "float", "twice sin 1", "log (-1)"]);
    assert_eq!((status, &*out), (Some(4), "0.7456241416655579\nNaN\n"));
    assert!(err.starts_with("note: floating-point: nothing is certain"), "{err}");
    let (status, _, err) = smoothish(&["eval", "--model", "floot", "1"]);
    assert!(status == Some(2) && err.contains("float"), "{err}");
    let (status, _, err) = smoothish(&["eval", "--model", "tower", "\\x => x"]);
    assert!(status == Some(2) && err.contains("functions as values") && !err.contains("panicked"), "{err}");
}
