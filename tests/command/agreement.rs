//! `smoothish agree`: a model without an answer, and points outside of a domain.

use super::cli::run;
use serde_json::Value;

fn rows(arguments: &[&str]) -> (Vec<Value>, Option<i32>) {
    let asked = [&["agree", "--json", "--timeout", "1"], arguments].concat();
    let found = run(&asked);
    let whole: Value = serde_json::from_str(found.out.lines().next().unwrap_or_default()).expect("JSON");
    (whole["models"].as_array().unwrap_or_else(|| panic!("{found:?}")).clone(), found.status)
}

fn row<'r>(rows: &'r [Value], name: &str) -> &'r Value {
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name}"))
}

/// What is wrong with the question is still said once, without a table.
#[test]
fn a_wrong_question_has_no_table() {
    let found = run(&["agree", "1 + ()"]);
    assert_eq!((found.status, &*found.out), (Some(2), ""), "{found:?}");
}

/// Outside of its domain a function has no derivative, whatever the derived program computes: log x³ at -7 and at -2, log at -5/2, and
/// log (1 - x) at 3, which also has second derivatives.
#[test]
fn no_derivative_is_claimed_where_there_is_no_value() {
    for (at, order, function) in [
        ("-7", "1", r"\x => log (x*x*x)"),
        ("-2", "1", r"\x => log (x*x*x)"),
        ("-5/2,3/16", "1", r"\x y => log x"),
        ("3", "2", r"\x => log (1 - x)"),
        ("-1/2", "2", r"\x => (x^2, sqrt x)"),
    ] {
        let at = format!("--at={at}");
        let (found, _) = rows(&[&*at, "--order", order, function]);
        for row in &found {
            let Some(numbers) = row["answer"].as_array() else { continue };
            // of a pair, x² is defined, and its derivatives come first
            let from = if function.contains(',') { numbers.len() / 2 } else { 0 };
            for number in &numbers[from..] {
                assert!(number["defined"] == false || number["float"] == "NaN", "{function} {at}: {row}");
            }
            for number in &numbers[..from] {
                assert!(number["defined"] != false && number["float"] != "NaN", "{function} {at}: {row}");
            }
            let verdicts: Vec<_> =
                row["verdicts"].as_array().into_iter().flatten().skip(from).filter_map(Value::as_str).collect();
            assert!(!verdicts.contains(&"the only enclosure"), "{function} {at}: {row}");
        }
        assert!(found.iter().any(|row| row["answer"].is_array()), "{found:?}");
    }
    // inside all is as it was: 3/x at 2
    let (found, status) = rows(&["--at=2", "--order", "1", r"\x => log (x*x*x)"]);
    assert_eq!(status, Some(0));
    let slope = &row(&found, "taylor")["answer"][1];
    assert_eq!((&slope["lo"], &slope["hi"], &slope["defined"]), (&"1.5".into(), &"1.5".into(), &true.into()));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A model that does not end has a row that says so, and the others answer: 5 is halved three times, 0.625² · 2³ is 3.125.
    #[test]
    fn a_model_that_does_not_end_has_a_row() {
        let fix = r"let rec fix (f : (Real -> Real) -> Real -> Real) : Real -> Real = \x => f (fix f) x in fix (\self x => if x < 1 then x*x else self (x/2) * 2) 5";
        let (found, status) = rows(&[fix]);
        assert_eq!(status, Some(0), "{found:?}");
        for model in ["partial", "pap"] {
            let answer = &row(&found, model)["answer"];
            assert!(answer["lo"].as_str().is_some_and(|lo| lo.starts_with("3.12")), "{model}: {answer}");
        }
        let presheaf = row(&found, "presheaf")["reason"].as_str().unwrap_or_default().to_owned();
        // the limit on steps or the time, whichever is reached first on this machine
        let is_limit = ["the time ran out after", "the program did not end within"]
            .iter()
            .any(|start| presheaf.starts_with(start));
        assert!(is_limit, "{presheaf}");
        assert!(!presheaf.contains("try a shorter list"), "{presheaf}");
        // where none ends, all say so
        for program in
            ["let rec f (x : Real) : Real = f x in f 1", "let rec f (x : Real) : Real = f x in let y = f 1 in 3"]
        {
            let (found, status) = rows(&[program]);
            assert!(found.len() >= 5, "{found:?}");
            assert!(row(&found, "partial")["reason"].is_string(), "{found:?}");
            assert!(row(&found, "presheaf")["reason"].is_string() || status == Some(0), "{found:?}");
        }
    }
}
