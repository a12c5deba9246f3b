//! What is said of an answer that is wider than was asked: at `eval`, at `table`, at the prompt and in JSON.

use super::cli::{finish, run, start};
use serde_json::Value as Json;

/// The notes of a question, and its exit status.
fn notes(arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let all: Vec<&str> = std::iter::once("eval").chain(arguments.iter().copied()).collect();
    let run = run(&all);
    (run.status, run.err.lines().map(|line| line.strip_prefix("note: ").unwrap_or(line).to_owned()).collect())
}

const EXACT: &str = "this is a set, not one number: its ends are exact";

#[test]
fn a_set_is_called_one_where_it_is_shown() {
    for question in ["deriv relu 0", r"deriv (\s => max 0 (s - 110)) 110", r"deriv (\c => firstRoot (\x => c - x)) 1"] {
        let missed = format!("the tolerance of 1e-9 was not reached: {EXACT}");
        assert_eq!(notes(&["--eps", "1e-9", question]), (Some(3), vec![missed]), "{question}");
        assert_eq!(notes(&["--digits", "5", question]), (Some(3), vec![EXACT.to_owned()]), "{question}");
    }
    let (status, told) = notes(&[r"gradient (\(x, y) => max x y) (1, 1)"]);
    assert_eq!(
        (status, told),
        (Some(3), vec!["the tolerance of 1e-6 was not reached: 2 of the numbers are sets, not single numbers: the ends are exact".to_owned()])
    );
    let (_, told) = notes(&["(deriv relu 0, exp 1)"]);
    assert_eq!(
        told,
        ["the tolerance of 1e-6 was not reached: one of the numbers is a set, not one number: the ends are exact"]
    );
    // known as well as numbers are printed: π is no dyadic number
    let (_, told) = notes(&["pi * deriv relu 0"]);
    assert!(told.len() == 1 && told[0].contains(": this is a set, not one number: its ends are known to "), "{told:?}");
}

#[test]
fn what_is_not_shown_to_be_a_set_is_not_called_one() {
    let unknown = "the tolerance of 1e-6 was not reached: wider than asked; the cause is not known";
    for question in [r"deriv (\x => max x 0 + min 0 (x + x^3)) 0", r"firstRoot (\x => (x - 1/2)^2)"] {
        assert_eq!(notes(&[question]), (Some(3), vec![unknown.to_owned()]), "{question}");
    }
    // the set is [0, 1/2], and what is printed is wider
    let (status, told) = notes(&[r"deriv (\c => integral01 (\x => max01 (\y => c*x*y))) 0"]);
    assert_eq!(status, Some(3));
    assert_eq!(told[0], "the integrand has a kink that is not distinguished: integral01 (1:14)");
    assert!(told.len() == 2 && told[1].ends_with("and the ends are not shown to be those of a set"), "{told:?}");
    // the set is [-1/8, 1/8], and its ends are known
    let (status, told) = notes(&[r"deriv (\c => integral01 (\x => max 0 (c*(x-0.5)))) 0"]);
    assert_eq!((status, &*told[0]), (Some(3), "the slopes of the integrand are known as sets: integral01 (1:14)"));
    assert!(
        told.len() == 2 && told[1].ends_with("the derivative of an integral in it is known as a set only"),
        "{told:?}"
    );
    let (_, told) = notes(&[r"argmax01 (\x => (x - 1/2)^2)"]);
    assert!(told.len() == 2 && told[1].ends_with(": no method here tells the places apart"), "{told:?}");
    // what time ended says so as before
    let (_, told) = notes(&["--timeout", "0.05", "--eps", "1e-12", r"integral01 (\x => exp x*sin (1000000*x))"]);
    assert!(told.len() == 1 && told[0].contains("within 0.05 s"), "{told:?}");
}

#[test]
fn json_has_the_reason_beside_the_ends() {
    let json = |arguments: &[&str]| -> Json {
        let run = run(arguments);
        serde_json::from_str(run.out.lines().next().expect("a line")).expect("JSON")
    };
    let eval = |question: &str| json(&["eval", "--json", question]);
    assert_eq!(eval("deriv relu 0")["why"], "set");
    assert_eq!(eval(r"firstRoot (\x => (x - 1/2)^2)")["why"], "unknown");
    assert_eq!(eval(r"deriv (\c => integral01 (\x => max 0 (c*(x-0.5)))) 0")["why"], "method");
    let late =
        json(&["eval", "--json", "--timeout", "0.05", "--eps", "1e-12", r"integral01 (\x => exp x*sin (1000000*x))"]);
    assert_eq!(late["why"], "time");
    // the ends of a set are known so well
    assert_eq!(eval("deriv relu 0")["ends"], "0");
    let infinite = eval(r"beyond 1 (\x => 1/x)");
    assert_eq!((&infinite["why"], &infinite["undefined"]["cause"]), (&Json::from("diverges"), &Json::from("diverges")));
    assert_eq!(eval("exp 1").get("why"), None);
    assert_eq!(eval("1/0").get("why"), None, "what is not defined is no wide number");
    let pair = eval("(exp 1, deriv relu 0)");
    assert_eq!((pair["value"][0].get("why"), &pair["value"][1]["why"]), (None, &Json::from("set")), "{pair}");
    // of a float model nothing is known
    assert_eq!(json(&["eval", "--json", "--model", "float", "deriv relu 0"]).get("why"), None);
    let line = json(&["table", "--json", "--from=0", "--to=1", "--steps", "1", "--deriv", "1", "relu"]);
    assert_eq!(line["f'"]["why"], "set", "{line}");
}

#[test]
fn a_table_says_where_and_why_first() {
    let table = run(&["table", "--from=-1", "--to=1", "--steps", "2", "--deriv", "0", "--deriv", "1", "abs"]);
    assert_eq!(table.status, Some(3), "{table:?}");
    let told = format!("note: some numbers are wider than asked\nnote: f' at 0 is wider: {EXACT}\n");
    assert_eq!(table.err, told);
}

#[test]
fn the_prompt_says_it_too() {
    let run = finish(start(&["repl"]), b"deriv relu 0\n".to_vec());
    assert!(run.out.contains("[0, 1]") && (run.out + &run.err).contains(EXACT));
}

// The note of a first root, and its place, hold for what is computed from it.
#[test]
fn notes_of_first_roots_travel_with_the_value() {
    let negative =
        "is 0 where its function is negative at 0; where it is to find a rise through 0, negate the function";
    let positive = "is 1 where its function does not fall through 0 on [0, 1]";
    for (question, told) in [
        (r"firstRoot (\x => x - 1)", format!("firstRoot (1:1) {negative}")),
        (r"1 + 2*firstRoot (\s => (1+2*s) - 2)", format!("firstRoot (1:7) {negative}")),
        (r"let r = firstRoot (\s => s - 1/2) in r * r + exp 1", format!("firstRoot (1:9) {negative}")),
        (r"2*firstRoot (\u => 1)", format!("firstRoot (1:3) {positive}")),
        (r"(1, 3 - firstRoot cos)", format!("firstRoot (1:9) {positive}")),
    ] {
        assert_eq!(notes(&[question]), (Some(0), vec![told.clone()]), "{question}");
        let json = run(&["eval", "--json", question]);
        assert!(json.out.contains(&told), "{json:?}");
    }
    // one of each
    let (_, told) = notes(&[r"firstRoot cos + firstRoot (\x => x - 1)"]);
    assert_eq!(told.len(), 2, "{told:?}");
    let (status, told) = notes(&[r"5*firstRoot (\t => sin (5*t))"]);
    assert!(status == Some(3) && told[0].starts_with("firstRoot (1:3): its function is 0 at 0"), "{told:?}");
    // roots inside, at the edge of neither, say nothing
    for question in [
        r"1 + firstRoot (\x => 1/4 - x^2)",
        r"integral01 (\t => firstRoot (\x => t - x))",
        r"exp (firstRoot (\x => 1/2 - x))",
    ] {
        assert_eq!(notes(&[question]).1, Vec::<String>::new(), "{question}");
    }
    let table = run(&["table", "--from=1", "--to=2", "--steps", "1", r"\c => c*firstRoot (\s => s - 1/2)"]);
    assert!(table.err.contains(negative), "{table:?}");
}

#[test]
fn a_pole_is_no_root() {
    let pole = run(&["eval", r"cutRoot (\x => 1/(0.5-x))"]);
    assert_eq!((pole.status, &*pole.out), (Some(4), "[-inf, inf]\n"), "{pole:?}");
    assert!(pole.err.contains("not defined, or not shown to be defined"), "{pole:?}");
}
