//! One JSON line for every question, whatever is wrong; a table that says why a number is not defined; what `doc` says of names that it
//! does not know.

use super::cli::run;
use serde_json::Value as Json;

/// The lines of the output, as JSON.
#[track_caller]
fn lines(arguments: &[&str]) -> (Option<i32>, Vec<Json>) {
    let run = run(arguments);
    let lines = run.out.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    (run.status, lines.collect())
}

#[test]
fn every_question_has_a_line() {
    for (arguments, questions, message) in [
        (&["eval", "--json", "--load", "missing.theory", "1", "2"][..], &["1", "2"][..], "missing.theory"),
        (&["eval", "--json", "--eps", "x", "1", "2"], &["1", "2"], "invalid value 'x' for '--eps <EPS>'"),
        (&["eval", "1", "--json", "--eps=x", "-e", "-2", "--nope"], &["1", "-2"], "invalid value 'x'"),
        (&["eval", "--message-format", "json", "--digits", "0", "1"], &["1"], "invalid value '0' for '--digits <N>'"),
        (&["eval", "--message-format=json", "--timeout", "-1", "1"], &["1"], "invalid value '-1'"),
        (&["table", "--json", "--from", "1", "--to", "0", "sin"], &["sin"], "--from must be less than --to"),
        (&["table", "--json", "--load", "missing.theory", "--from=0", "--to=1", "sin"], &["sin"], "missing.theory"),
        (
            &["render", "--json", "--x", "0", "1", "--y", "0", "1", "--nope", "x"],
            &["x"],
            "unexpected argument '--nope'",
        ),
        (&["evidence", "--json", "--load", "missing.theory", "return 1"], &["return 1"], "missing.theory"),
    ] {
        let (status, lines) = lines(arguments);
        let asked: Vec<_> = lines.iter().map(|line| line["question"].as_str().unwrap_or_default()).collect();
        assert_eq!((status, &asked[..]), (Some(2), questions), "{arguments:?}: {lines:?}");
        for line in &lines {
            let said = line["error"]["message"].as_str().unwrap_or_default();
            assert!(said.contains(message) && line["error"]["status"] == 2 && line["version"] == 1, "{line}");
        }
    }
    // where no question can be read
    let (status, lines) = lines(&["eval", "--json"]);
    assert!(status == Some(2) && lines.len() == 1 && lines[0]["question"].is_null(), "{lines:?}");
    // a person is told once
    let person = run(&["eval", "--load", "missing.theory", "1", "2"]);
    assert!(person.out.is_empty() && person.err.matches("missing.theory").count() == 1, "{person:?}");
}

#[test]
fn a_table_says_why_a_number_is_not_defined() {
    let (status, lines) = lines(&["table", "--json", "--from=0", "--to=1", "--steps=2", "log"]);
    assert_eq!(status, Some(4));
    let why = &lines[0]["undefined"]["f"];
    assert_eq!((&why["cause"], &why["place"]), (&"domain".into(), &"question:1:1".into()), "{lines:?}");
    assert!(lines[1..].iter().all(|line| line.get("undefined").is_none()), "{lines:?}");
    let person = run(&["table", "--from=0", "--to=1", "--steps=2", "log"]);
    assert!(person.err.contains("`log` is outside of its domain, at question:1:1"), "{person:?}");
}

/// What stands behind an answer that is none.
#[test]
fn what_is_not_defined_is_explained() {
    for (question, words) in [
        ("linearSolve (matrix2 ((1,2),(2,4))) (1,2)", "at question:1:1; the determinant of the linear map is 0"),
        ("1 + (linearSolve (matrix2 ((1,2),(2,4))) (1,2))[0]", "at question:1:6; the determinant"),
        (
            "inverse (matrix2 ((1,2),(2,4))) (1,2)",
            "`inverse` is outside of its domain, at question:1:1; the determinant",
        ),
        (
            "floor 3",
            "`floor` is not decided: a choice in it is on its border, or is not distinguished from it, at question:1:1; smoothish doc floor says",
        ),
        ("dot((1,2),(3,4))", "arguments stand side by side, without commas"),
        ("normal 0 1", "apply it to a function of type Real -> Real"),
        ("return", "it ends a block"),
    ] {
        let asked = run(&["eval", question]);
        assert!(asked.err.contains(words), "{question}: {asked:?}");
    }
    let (_, lines) = lines(&["eval", "--json", "floor 3"]);
    assert!(
        lines[0]["undefined"]["help"].as_str().is_some_and(|help| help.contains("smoothish doc floor")),
        "{lines:?}"
    );
}

/// In floating-point arithmetic too, what has no value is on neither side of a comparison.
#[test]
fn no_number_is_on_a_side() {
    for program in ["if log (-1) < 0 then 1 else 2", "0 >= sqrt (-1)", "floor (log (-1))", "log (-1) == 1"] {
        let asked = run(&["eval", "--model", "float", program]);
        assert!(asked.status == Some(4) && asked.err.contains("is outside of its domain"), "{program}: {asked:?}");
    }
    // beyond the range of floor there is no number, and within it there is
    let [beyond, within] =
        ["floor 1048577.5", "floor (-2.5)"].map(|program| run(&["eval", "--model", "float", program]).out);
    assert_eq!((beyond.trim(), within.trim()), ("NaN", "-3"));
}

#[test]
fn names_that_mean_nothing_are_helped() {
    for (name, words) in [
        ("np.sin", "did you mean `sin`?"),
        ("math.sqrt", "did you mean `sqrt`?"),
        ("x", "bind a letter by a function"),
        ("sinn", "did you mean `sin`?"),
        ("zzz", "lists the names there are"),
        ("lim", "there are no limits"),
    ] {
        let doc = run(&["doc", name]);
        assert!(doc.status == Some(2) && doc.err.contains(words), "{name}: {doc:?}");
    }
    // not a law of that name in a theory that has nothing to do with it
    let inverse = run(&["doc", "inverse"]);
    assert!(inverse.out.contains("The inverse of a linear map") && !inverse.out.contains("law "), "{inverse:?}");
    assert!(run(&["doc", "lit_value"]).out.starts_with("claim lit_value"));
}

#[test]
fn options_that_are_not_there_are_helped() {
    for (arguments, words) in [
        (&["table", "sin", "--from=0", "--to=1", "--steps", "-1"][..], "--steps takes no negative number"),
        (&["render", "x", "--from", "0", "--to", "1"], "a similar option exists: --x"),
        (&["plot", "sin", "--x", "0", "1"], "a similar option exists: --from"),
        (&["plot", "sin", "--gibberish"], "the options are --from, --to, --deriv"),
    ] {
        let run = run(arguments);
        assert!(run.status == Some(2) && run.err.contains(words), "{arguments:?}: {run:?}");
    }
}

#[test]
fn a_file_without_a_header_is_told_what_a_theory_looks_like() {
    let file = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("headless.theory");
    std::fs::write(&file, "let f x = x^2\n").unwrap();
    let run = run(&["eval", "--load", file.to_str().unwrap(), "f 2"]);
    assert!(run.status == Some(2) && run.err.contains("`theory Model`"), "{run:?}");
}
