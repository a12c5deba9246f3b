//! Comparisons of real numbers, by model (CHECKLIST X11): who decides, and what may be chosen.

use super::{ask, eps, infer, statements};
use smoothish::law::agreement::{PartComparison, compare_answers};
use smoothish::meaning;
use smoothish::meaning::taylor::derive::derive_program;
use smoothish::meaning::taylor::jet::Basis;
use smoothish::model::answer::{AnswerNumber, AnswerTruth};
use smoothish::number::budget::Budget;
use smoothish::value::Value;
use std::sync::Arc;

/// What a program is in the presheaf model: the middle of an interval that is narrow, or a truth value; nothing where it
/// is undefined.
fn certain(program: &str) -> Option<f64> {
    match ask("presheaf", program).unwrap_or_else(|error| panic!("{program}: {error}")).value {
        Value::Real(AnswerNumber::Enclosure(found)) if !found.enclosure.is_defined() => None,
        Value::Real(AnswerNumber::Enclosure(found)) => {
            assert!(found.reached, "{program}");
            Some((found.enclosure.lo().to_f64() + found.enclosure.hi().to_f64()) / 2.0)
        }
        Value::Boolean(AnswerTruth::Decided(truth)) => Some(f64::from(truth)),
        Value::Boolean(AnswerTruth::Undecided(_)) => None,
        other => panic!("{program}: {}", other.kind()),
    }
}

/// Values off the border by hand, ⊥ on it.
#[test]
fn a_choice_is_made_off_the_border() {
    let relu = r"(\x => if x > 0 then x else 0)";
    let cases = [
        (format!("{relu} 0.5"), Some(0.5)),
        (format!("{relu} (-2)"), Some(0.0)),
        (format!("{relu} 0"), None),
        (format!("deriv {relu} 0.5"), Some(1.0)),
        (format!("deriv {relu} (-2)"), Some(0.0)),
        (format!("deriv {relu} 0"), None),
        // both sides the same, and yet undefined where nothing is decided
        (r"(\x => if x > 0 then x else x) 0".into(), None),
        (r"deriv (\x => if x > 0 then x else x) 0".into(), None),
        // the side that is not taken need not exist
        (r"(\x => if x > 0 then log x else 7) (-1)".into(), Some(7.0)),
        (r"deriv (\x => if x > 0 then sqrt x else x) 4".into(), Some(0.25)),
        // < and <= are the same
        (r"(\x => if x >= 0 then x else 0) 0".into(), None),
        (r"(\x => if x <= 0 then 0 else x) 0.25".into(), Some(0.25)),
        // numbers that are known are decided no sooner
        ("if 1.5 < 2 then 1 else 2".into(), Some(1.0)),
        ("if 1.5 < 1.5 then 1 else 1".into(), None),
        // guards in tuples, lists, lets, functions
        ("let (p, q) = (pi > 3, pi > 4) in if p then if q then 1 else 2 else 3".into(), Some(2.0)),
        (r"fold (\b n => if b then n + 1 else n) 0.5 [pi > 3, pi > 4, 3 > e]".into(), Some(2.5)),
        (r"deriv (\x => let g = x > 1 in if g then x^3 else x) 2".into(), Some(12.0)),
        (r"(if pi > 3 then (\x => 2 * x) else (\x => x)) 5".into(), Some(10.0)),
        (r"fst (if pi > 3 then (1, tt) else (2, ff))".into(), Some(1.0)),
        ("if pi > 3 && not (pi > 4) || e > 3 then 1 else 2".into(), Some(1.0)),
        // d/dt of the integral of [u < t] is 1, and not 0 as the slopes of the sides have it
        (r"deriv (\t => integral01 (\u => if u < t then 1 else 0)) 0.3".into(), Some(1.0)),
    ];
    for (program, expected) in cases {
        match (certain(&program), expected) {
            (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-8, "{program}: {found}"),
            (found, expected) => assert_eq!(found, expected, "{program}"),
        }
    }
}

#[test]
fn closed_guards_are_asked_for() {
    for (program, expected) in [
        ("sqrt 2 < 1.5", Some(1.0)),
        ("pi <= 3", Some(0.0)),
        ("not (pi <= 3)", Some(1.0)),
        ("pi - 3 < pi - 3", None),
        ("1.0 <= 1", None),
        ("not (1.0 <= 1)", None),
        // of literals alone: natural numbers, unless they are subtracted
        ("1 <= 1", Some(1.0)),
        ("2 - 5 < 1", Some(1.0)),
        ("2 - 5 < 0", Some(1.0)),
        ("not (1 - 2 < 0)", Some(0.0)),
        ("(if tt then 0 - 1 else 1) < 0", Some(1.0)),
        ("(2 - 5 : Nat) < 0", Some(0.0)),
        ("5 - 3 <= 2", None),
    ] {
        assert_eq!(certain(program), expected, "{program}");
    }
    match ask("presheaf", "pi - 3 < 0.0").map(|answer| answer.value) {
        Ok(Value::Boolean(AnswerTruth::Decided(false))) => {}
        other => panic!("{other:?}"),
    }
    match ask("presheaf", "e - e < 0").map(|answer| answer.value) {
        Ok(Value::Boolean(AnswerTruth::Undecided(number))) => assert!(number.contains('e'), "{number}"),
        other => panic!("{other:?}"),
    }
}

/// Refused by type, also by the type for which a definition is used; a number that is known does not help.
#[test]
fn what_has_nothing_for_the_border_is_not_chosen() {
    let choose = "let choose A (c : Bool) (a : A) (b : A) : A = if c then a else b in ";
    for (program, part) in [
        ("(if 1.5 < 2 then 1 else 2 : Nat)", "Nat has no value for the border"),
        ("if pi > 3 then [] else [1.5]", "List Real has no value"),
        (r"if pi > 3 then (\x => [x]) else (\x => [2 * x])", "List Real has no value"),
        ("fst (if pi > 3 then (1.5, [()]) else (2, []))", "List unit has no value"),
        (r"(\x => if x > 0 then (\n => n) else (\n => n + 1)) 1 2 == 2", "Nat has no value"),
        ("let rec f x = if x > 0 then f (x - 1) else 0 in f 5", "the recursion of `f` under `x > 0`"),
        ("let rec f x = if x > 0 then f (x - 1) else 0 in deriv f 5", "the recursion of `f` under `x > 0`"),
        (
            r"let rec f x = let go = \y => f (x - y) in if x > 0 then go 1 else 0 in f 5",
            "the recursion of `f` under `x > 0`",
        ),
    ] {
        let error = ask("presheaf", program).expect_err(program);
        let unsupported = error.unsupported_construct().unwrap_or_else(|| panic!("{program}: {error}"));
        assert!(unsupported.construct.contains(part), "{program}: {unsupported}");
        // the hint is found by asking
        let (term, ty) = infer(program);
        assert!(meaning::supporting_semantics(&term, &ty, "presheaf").contains(&"float"), "{program}");
    }
    for program in ["choose (pi > 3) [1.5] []", "choose (1.5 < 2) (toReal 1, 2 == 2) (2, ff)"] {
        let program = format!("{choose}{program}");
        assert_eq!(ask("presheaf", &program).is_err(), program.contains('['), "{program}");
    }
    // a recursion on ℕ is one, with guards beside it
    let power = "let rec f n x = if n == 0 then 1 else (if x > 0 then x else 1 - x) * f (n - 1) x in f 3 (-1)";
    assert_eq!(certain(power), Some(8.0));
}

#[test]
fn models_without_guards_refuse_them_by_name() {
    let program = r"deriv (\x => if x > 0 then x else 0) 0.5";
    let error = ask("tower", program).expect_err("towers have no truth values");
    assert_eq!(error.to_string(), "the model `tower` does not define `>` of real numbers");
    let (term, ty) = infer(r"\x => if x < 1 then x else 0");
    let basis = Basis::new(1, 1).expect("a basis");
    let error = derive_program(&term, &ty, &basis).expect_err("no smooth operation").to_string();
    assert!(error.contains("the Taylor macro has no rule for `<` of real numbers"), "{error}");
    let budget = Arc::new(Budget::unlimited());
    let error = meaning::diffeology::smooth_map(&term, &ty, &budget).map(drop).expect_err("no smooth map").to_string();
    assert!(error.contains("`diffeology` does not define `<` of real numbers"), "{error}");
}

/// Doubles are decided everywhere, and so are programs in pieces; on a border that contradicts nothing.
#[test]
fn doubles_are_decided() {
    for (program, expected) in [
        (r"(\x => if x > 0 then 1 else 2) 0", 2.0),
        (r"(\x => if x >= 0 then 1 else 2) 0", 1.0),
        ("let rec f x = if x > 0 then f (x - 1) else x in f 2.5", -0.5),
    ] {
        match ask("float", program).map(|answer| answer.value) {
            Ok(Value::Real(AnswerNumber::Float { value, .. })) => assert_eq!(value, expected, "{program}"),
            other => panic!("{program}: {other:?}"),
        }
    }
    for program in [r"(\x => if x > 0 then 1 else 2) 0", "1.0 < 1"] {
        let (term, ty) = infer(program);
        let judged = compare_answers(&statements(&term, &ty, &eps(), u64::MAX));
        for judgement in judged.into_iter().flatten().flatten() {
            let right = matches!(
                judgement,
                PartComparison::NotCompared(_)
                    | PartComparison::OnlyEnclosure
                    | PartComparison::Inside
                    | PartComparison::Agrees
            );
            assert!(right, "{program}: {judgement}");
        }
    }
}

/// A number near the border is decided by looking more closely.
#[test]
fn a_guard_is_decided_as_closely_as_it_takes() {
    assert_eq!(certain("if pi > 3.14159265358979323846264338327950288 then 1 else 2"), Some(1.0));
    assert_eq!(certain("(exp 1 - e) + 1e-40 > 0"), Some(1.0));
}
