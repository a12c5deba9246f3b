//! Variants and lists in every model: values, derivatives through `match` and `fold`, and what a model lacks.

use super::{ask, enclosure, eps, float, infer, statements};
use smoothish::law::agreement::{PartComparison, compare_answers};
use smoothish::model::answer::AnswerNumber;
use smoothish::number::Rational;
use smoothish::value::Value;
use std::process::Command;
use std::time::Duration;

/// Programs whose value is a number, with that number, found without the program: `tower` says whether they reduce.
const KNOWN: &[(&str, (i64, i64), bool)] = &[
    // 1 + 2x + 3x² + 4x³ at 2, and its derivatives 2 + 6x + 12x², 6 + 24x
    ("horner [1, 2, 3, 4] 2", (49, 1), true),
    ("deriv (horner [1, 2, 3, 4]) 2", (62, 1), true),
    ("nthDeriv 2 (horner [1, 2, 3, 4]) 2", (54, 1), true),
    // ∂/∂c of 1 + cx + 3x² + cx³ is x + x³
    ("deriv (\\c => horner [1, c, 3, c] 2) 5", (10, 1), true),
    // Σ c/n over n = 1, 2, 3 has the slope 11/6
    ("deriv (\\c => sum (mapList (\\n => c / toReal n) (countdown 3))) 7", (11, 6), true),
    // 2(c - 2) + 6(3c - 5) at 1
    ("deriv (\\c => squaredError (\\x => c * x) [(1, Just 2), (2, Nothing), (3, Just 5)]) 1", (-14, 1), true),
    // ∫₀¹ 1 + 2x + 3x² = 3
    ("integral01 (horner [1, 2, 3])", (3, 1), false),
    // the derivative of ∫₀¹ (a + bx) in direction b is 1/2
    ("deriv (\\b => integral01 (horner [1, b])) 4", (1, 2), false),
    // d/dt of t² · t at 3, through a pair in a variant
    ("deriv (\\t => match Just (t^2, t) with Nothing => 0 | Just (a, b) => a * b) 3", (27, 1), true),
    // a list that is made under the derivative: Σ_{k=1}^{4} k·x^{k-1} at 1
    ("deriv (\\x => fold (\\n r => x * (1 + r)) 0 (countdown 4)) 1", (10, 1), true),
    // the variable decides nothing, so the branch is the same everywhere
    ("deriv (\\x => match [x, 2 * x] with [] => 0 | y :: rest => y * sum rest) 3", (12, 1), true),
    // perturbations of two derivatives through one list: d/dx (x · d/dy (x y²) at 2) = d/dx 4x² = 8x
    ("deriv (\\x => sum (mapList (\\z => z * deriv (\\y => z * y^2) 2) [x])) 3", (24, 1), true),
];

#[test]
fn known_values_are_enclosed_in_every_model() {
    for (program, value, towers) in KNOWN {
        let value = Rational::from(*value);
        let models = if *towers { &["presheaf", "tower"][..] } else { &["presheaf"] };
        for model in models {
            let found = enclosure(model, program);
            assert!(found.is_defined() && found.contains(&value), "{model}: {program} is {value}, not {found}");
            let width = found.hi().to_rational().unwrap() - found.lo().to_rational().unwrap();
            assert!(width <= eps(), "{model}: {program}: {found}");
        }
        let found = float(program);
        assert!((found - value.to_f64()).abs() <= 1e-12 * (1.0 + found.abs()), "float: {program}: {found}");
    }
}

/// A kink met inside a list is a set, as everywhere: the slopes at 2 of relu (x - c), of x = 1, 2, 3, are 0, [-1, 0], -1.
#[test]
fn kinks_in_lists_are_sets() {
    let found = enclosure("presheaf", "deriv (\\c => sum (mapList (\\x => max 0 (x - c)) [1, 2, 3])) 2");
    assert!(found.contains(&Rational::from(-2)) && found.contains(&Rational::from(-1)), "{found}");
    assert!(!found.contains(&Rational::from((-9, 10))) && !found.contains(&Rational::from((-21, 10))), "{found}");
}

#[test]
fn what_a_model_lacks_is_named() {
    for (program, construct) in [
        ("Just 2", "variants"),
        ("[1, 2]", "lists"),
        ("(1, Nothing)", "variants"),
        ("mapMaybe sin (Just 1)", "variants"),
        ("tangentValue (tangent (\\x => [x]) (tangent_R.from (1, 2)))", "lists"),
    ] {
        let error = ask("tower", program).unwrap_err();
        let unsupported = error.unsupported_construct().unwrap_or_else(|| panic!("{program}: {error}"));
        assert_eq!((unsupported.model, &*unsupported.construct), ("tower", construct), "{program}");
    }
}

#[test]
fn answers_are_compared_componentwise() {
    for program in [
        "[1/3, sqrt 2]",
        "Just (sqrt 2, [tt])",
        "Nothing",
        "([] : List Real)",
        "mapList (\\n => (n, sin (toReal n))) (countdown 5)",
        "[Just 1, Nothing]",
    ] {
        let (term, ty) = infer(program);
        let statements = statements(&term, &ty, &eps(), u64::MAX);
        let judged = compare_answers(&statements);
        for judgements in judged.iter().flatten() {
            assert!(
                judgements.iter().all(|j| matches!(
                    j,
                    PartComparison::Agrees | PartComparison::OnlyEnclosure | PartComparison::Inside
                )),
                "{program}: {judgements:?}"
            );
        }
        // all but the tower, which has neither variants nor lists
        assert_eq!(judged.iter().flatten().count(), 5, "{program}: {judged:?}");
    }
}

#[test]
fn values_of_tangents_of_lists_are_lists() {
    let answer = ask("presheaf", "tangentValue (tangent (\\x => [x, x^2]) (tangent_R.from (3, 1)))").unwrap();
    let Value::List(parts) = answer.value else { panic!("no list") };
    let nine = Rational::from(9);
    assert!(
        matches!(&parts.iter().collect::<Vec<_>>()[..], [_, Value::Real(AnswerNumber::Enclosure(found))] if found.enclosure.contains(&nine))
    );
}

fn eval(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_smoothish")).args(arguments).env("NO_COLOR", "1").output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn answers_are_printed_with_constructors_and_the_status_of_the_worst() {
    let printed = |program: &str, status: i32, text: &str| {
        assert_eq!(eval(&["eval", program]), (Some(status), format!("{text}\n")), "{program}");
    };
    printed("Just (1/2)", 0, "Just 0.5");
    printed("(Nothing, [tt, ff])", 0, "(Nothing, [tt, ff]) : Maybe A * List Bool");
    printed("[Just [1], Nothing]", 0, "[Just [1], Nothing] : List (Maybe (List Real))");
    printed("[[1], []]", 0, "[[1], []] : List (List Real)");
    printed("([1, 2] : List Nat)", 0, "[1, 2] : List Nat");
    printed("[]", 0, "[] : List A");
    printed("[1, deriv (\\x => max 0 x) 0]", 3, "[1, [0, 1]] : List Real");
    printed("Just (log (-1))", 4, "Just [-inf, inf]");
    assert_eq!(eval(&["eval", "Just sin"]).0, Some(2));
    let (status, out) = eval(&["eval", "--json", "[Just (1/2), Nothing]"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, json["type"].as_str()), (Some(0), Some("List (Maybe Real)")));
    assert_eq!(
        json["value"].to_string(),
        r#"[{"constructor":"Just","argument":{"lo":"0.5","hi":"0.5","exact":"1/2"}},{"constructor":"Nothing"}]"#
    );
    let (status, out) = eval(&["eval", "--json", "Just 1"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, json["value"]["constructor"].as_str()), (Some(0), Some("Just")));
    let (status, out) = eval(&["agree", "Just (sin 1, [1/3])"]);
    assert!(
        status == Some(0) && out.matches("agrees").count() == 4 && out.contains("does not define variants"),
        "{out}"
    );
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Long lists: made by recursion on ℕ, folded without recursion of our own, or refused with the number of steps.
    #[test]
    fn long_lists_are_folded_or_refused() {
        let sum = |n: u64| format!("fold (+) 0 (mapList toReal (countdown {n}))");
        for n in [1_000, 50_000] {
            let value = Rational::from(n * (n + 1) / 2);
            assert!(enclosure("presheaf", &sum(n)).contains(&value), "{n}");
            assert!((float(&sum(n)) - value.to_f64()).abs() < 1e-3, "{n}");
        }
        assert!(enclosure("tower", &sum(300)).contains(&Rational::from(300 * 301 / 2)));
        for model in ["presheaf", "tower", "float"] {
            let error = ask(model, &sum(10_000_000)).unwrap_err().to_string();
            assert!(
                ["steps", "operations", "levels deep"].iter().any(|limit| error.contains(limit)),
                "{model}: {error}"
            );
        }
        // a list is handed on as it is, however long
        let walk = "let rec f (xs : List Real) (s : Real) : Real = match xs with [] => s | x :: rest => f rest x in \
                f (mapList toReal (countdown 9000)) 0";
        let start = std::time::Instant::now();
        assert!(enclosure("tower", walk).contains(&Rational::from(1)));
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        // a thousand elements by doubling: what is shared is not copied
        let doubled = "let twice (xs : List Real) = append xs xs in fold (\\x n => n + 1) 0 \
                   (twice (twice (twice (twice (twice (twice (twice [1, 2, 3, 4, 5, 6, 7, 8])))))))";
        assert!(enclosure("presheaf", doubled).contains(&Rational::from(1024)));
    }
}
