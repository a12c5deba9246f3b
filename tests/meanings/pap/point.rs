//! The value at a point.

use super::*;

const CANTOR: &str =
    "let rec cantor x = if x <= 1/3 then cantor (3 * x) else if x >= 2/3 then cantor (3 * x - 2) else 0 in";
const HALVING: &str = "let rec f x = if x < 1 then x else f (x / 2) + 1 in";
const NEWTON: &str =
    "let rec n a y = if (y * y - a) * (y * y - a) <= 1e-4 then y else n a ((y + a / y) / 2) in let root a = n a 1 in";

/// W6: the identity by cases. AD gives 0 at 0, off it the slope is 1; A has no value there, and S no test.
#[test]
fn the_identity_by_cases_has_an_intensional_derivative() {
    is(r"deriv (\x => if x == 0 then 0 else x) 0", &["0"], 1);
    is(r"deriv (\x => if x == 0 then 0 else x) 1", &["1"], 0);
    let found = answer(r"deriv (\x => if x == 0 then 0 else x) 0").unwrap();
    assert_eq!(found.notes[0].before, "an intensional derivative; 0 lies on the guard");
    assert_eq!(found.notes[0].place.as_ref().unwrap().span.start, 16);
    assert_eq!(found.notes[0].after, "; with the other answer to this guard alone: 1");
}

/// W4, W6: relu has the slope of the piece to which its border belongs.
#[test]
fn relu_has_the_slope_of_the_piece() {
    is(r"deriv (\x => if x > 0 then x else 0) 0", &["0"], 1);
    is(r"deriv (\x => if x >= 0 then x else 0) 0", &["1"], 1);
    is("deriv abs 0", &["1"], 1);
    is(r"deriv (\x => max x (-x)) 0", &["1"], 1);
    is(r"deriv (\x => min (2 * x) (3 * x)) 0", &["2"], 1);
    is(r"(deriv (\x => if x > 0 then x else 0) 2, deriv (\x => if x > 0 then x else 0) (-2))", &["1", "0"], 0);
}

/// W18: 𝒟 of a constant is total where the constant is, so a root has the slope 0 at 0.
#[test]
fn edges_have_the_slope_zero() {
    is("(sqrt 0, signum 0, cbrt 0, asin 1 - pi / 2, acosh 1)", &["0", "0", "0", "0", "0"], 0);
    is("deriv sqrt 0", &["0"], 1);
    is("deriv cbrt 0", &["0"], 1);
    is(r"deriv (\x => x ^ (1/2)) 0", &["0"], 1);
    is("deriv asin 1", &["0"], 1);
    is("deriv sqrt 4", &["1/4"], 0);
    is(r"(\x => x ^ (2/3)) (-8)", &["4"], 0);
    is("atan2 0 (-1) - pi", &["0"], 0);
    is("(atan2 1 0 - pi / 2, signum (-3), min 1 2, max 1 2)", &["0", "-1", "1", "2"], 0);
    assert_eq!(fails("sqrt (-1)").0, Some(UndefinedCause::Domain));
    assert_eq!(fails("log 0").0, Some(UndefinedCause::Domain));
    assert_eq!(fails("1 / (2 - 2)").0, Some(UndefinedCause::Domain));
    assert_eq!(fails("lgamma (-2)").0, Some(UndefinedCause::Domain));
    assert_eq!(fails("tan (pi / 2)").0, Some(UndefinedCause::Domain), "cos (pi / 2) is 0 by its normal form");
}

/// W9: types are those of the paper: recursion is of functions, and the branches of a conditional have one type.
#[test]
fn typing_rules_of_the_paper() {
    let ty = |text: &str| Session::new().infer(text).map(|(_, ty)| ty.to_string());
    for (text, expected) in [
        ("let rec f (x : Real) : Real = if x < 0 then x else f (x - 1) in f", "Real -> Real"),
        (r"\(f : Real -> Real) (x : Real) => (f x, if x == 0 then f 1 else x)", "(Real -> Real) -> Real -> Real^2"),
        ("let rec twice (f : Real -> Real) (x : Real) : Real = f (f x) in twice", "(Real -> Real) -> Real -> Real"),
    ] {
        assert_eq!(ty(text).unwrap(), expected);
    }
    for wrong in [
        "let rec x : Real = x + 1 in x",
        "let rec f (x : Real) : Real = f in f",
        r"\(x : Real) => if x < 0 then x else (x, x)",
        r"\(x : Real) => if x then 0 else 1",
        "deriv 2",
    ] {
        assert!(ty(wrong).is_err(), "{wrong} has a type");
    }
}

/// W10: `let` is strict, so what is not used has to have a value.
#[test]
fn what_is_not_used_has_to_have_a_value() {
    assert_eq!(fails("let x = log (-1) in 3").0, Some(UndefinedCause::Domain));
    assert_eq!(fails("fst (3, 1 / 0)").0, Some(UndefinedCause::Domain));
}

/// W11: a recursion on real numbers, off a guard and on one.
#[test]
fn halving_counts() {
    is(&format!("{HALVING} (f 5, deriv f 5)"), &["29/8", "1/8"], 0);
    is(&format!("{HALVING} f 4"), &["7/2"], 0);
    is(&format!("{HALVING} deriv f 4"), &["1/8"], 1);
    is(
        "let rec fact n = if n == 0 then 1 else n * fact (n - 1) in (toReal (fact 0), toReal (fact 5))",
        &["1", "120"],
        0,
    );
    is("let rec fact (x : Real) = if x == 0 then 1 else x * fact (x - 1) in (fact 0, fact 5)", &["1", "120"], 0);
}

/// T12, W20: the derivative of the path that is taken: two steps of Newton's, (4a + (a + 1)²)/(4(a + 1)), whose slope at 2 is 13/36.
#[test]
fn a_loop_has_the_derivative_of_its_path() {
    is(&format!("{NEWTON} (root 2, deriv root 2)"), &["17/12", "13/36"], 0);
}

/// X6: the perturbations of nested derivatives are not confused, and guards see the primal points alone.
#[test]
fn nested_derivatives_branch_on_the_primal() {
    is(r"deriv (\x => x * deriv (\y => x + y) 1) 1", &["1"], 0);
    is(r"deriv (\x => deriv (\y => x * y) x) 3", &["1"], 0);
    // y x is on no border of y's, but x is: y > 1 fails at y = 1
    is(r"deriv (\x => deriv (\y => if y > x then 2 * y else x * y) 1) 1", &["1"], 1);
    is(r"deriv (\x => deriv (\y => if y > 2 then 2 * y else x * x * y) x) 1", &["2"], 0);
    is(r"deriv (\x => if deriv (\y => y * y) x == 0 then 5 * x else x) 0", &["5"], 1);
    is(r"jvp (\v => (max v[0] v[1], v[0] * v[1])) (2, 1) (1, 5)", &["1", "11"], 0);
    is(r"rd (\v => max v[0] v[1]) (2, 2) 1", &["1", "0"], 1);
}

/// A border is decided by exact arithmetic and by normal forms, where enclosures cannot.
#[test]
fn borders_are_decided_exactly() {
    let decided = |text: &str| matches!(answer(text).unwrap().value, Value::Boolean(b) if b == true.into());
    assert!(decided("1/3 + 1/3 + 1/3 == 1"));
    assert!(decided(r"(\x => sin (x + 1) - sin (1 + x) == 0) (sqrt 3)"));
    assert!(decided(r"(\x => (x + 1) * (x - 1) == x * x - 1) pi"));
    assert!(decided(r"(\x => exp x >= exp x) 2"));
    assert!(decided("sqrt 2 /= sqrt 3"));
    assert!(decided("sqrt 2 * sqrt 2 == 2"));
    // what is 0 everywhere is no border
    is(r"deriv (\x => if x - x == 0 then x else 0) 1", &["1"], 0);
}

/// A square root that has no value has none, whatever its square would be.
#[test]
fn squares_of_square_roots_have_their_domain() {
    for text in [
        r"(\x => if sqrt x * sqrt x == x then 1 else 0) (-1)",
        "if sqrt (-1) * sqrt (-1) == -1 then 5 else 7",
        r"(\x => if sqrt x * sqrt x - x > 0 then 1 else 2) (-1)",
    ] {
        assert_eq!(fails(text).0, Some(smoothish::model::answer::UndefinedCause::Domain), "{text}");
    }
    is(r"(\x => if sqrt x * sqrt x == x then 1 else 0) 3", &["1"], 0);
}

/// What cannot be decided is told with both sides, and never guessed.
#[test]
fn what_is_not_decided_is_both_or_nothing() {
    let wide = answer("if sqrt 2 * sqrt 3 == sqrt 6 then 1 else 0").unwrap();
    let found = &enclosures(&wide.value)[0];
    assert!(found.contains(&ratio("0")) && found.contains(&ratio("1")));
    assert!(wide.notes[0].after.ends_with("where it holds, 1; where it fails, 0"), "{:?}", wide.notes);
    is("if sqrt 2 * sqrt 3 == sqrt 6 then 3 else 3", &["3"], 1);
    let (cause, message) = fails("if sqrt 2 * sqrt 3 == sqrt 6 then log 0 else 1");
    assert_eq!(cause, Some(UndefinedCause::Undecided));
    assert!(message.contains("where it fails, 1"), "{message}");
    let (cause, _) = fails("1 / (sqrt 2 * sqrt 3 - sqrt 6)");
    assert_eq!(cause, Some(UndefinedCause::Undecided));
    // 2^60 ways to answer
    let many = r"let t = sqrt 2 * sqrt 3 - sqrt 6 in let rec go (n : Nat) = if n == 0 then 0 else (if t == 0 then 1 else 0) + go (n - 1) in go 60";
    assert_eq!(fails(many).0, Some(UndefinedCause::Undecided));
}

/// What qualifies the value of one answer to an undecided guard qualifies the answer: its border, its undefined number, and the
/// end of the budget. `exp (log 2)` is 2, which no enclosure decides.
#[test]
fn answers_to_undecided_guards_keep_what_qualifies_them() {
    const OPEN: &str = "sqrt 2 * sqrt 3 > sqrt 6";
    let on_border = r"deriv (\x => if x == 0 then 0 else x) 0";
    for (text, borders) in [
        (format!("(if {OPEN} then 1 else 1) * {on_border}"), 1),
        (format!("if {OPEN} then 0 else {on_border}"), 1),
        (format!("if {OPEN} then {on_border} else 0"), 1),
        (format!("if {OPEN} then {on_border} else {on_border}"), 2),
        (format!("if {OPEN} then 0 else 0"), 0),
    ] {
        is(&text, &["0"], 1 + borders);
        let found = answer(&text).unwrap();
        assert_eq!(found.on_border, borders > 0, "{text}");
        for note in &found.notes[1..] {
            // off 0 the slope is 1; the first text has it as a factor
            assert_eq!(note.after, "; with the other answer to this guard alone: 1", "{text}");
        }
    }
}

/// The hull of a side that was found and one that there was no time for says that there was no time.
#[test]
fn a_side_without_time_is_told() {
    let long = "let rec f (n : Nat) (x : Real) : Real = if n == 0 then x else f (n - 1) (sin (x + 1)) in f 3000 1";
    let (term, ty) = Session::new().infer(&format!("if sqrt 2 * sqrt 3 > sqrt 6 then 1 else {long}")).unwrap();
    let mut ended = [0, 0];
    // the budgets are those in which the guard is tried, and the second side begun
    for power in 62..78 {
        let budget = Arc::new(Budget::new((10_000.0 * 1.02f64.powi(power)) as u64, None, None));
        let Ok(found) = PiecewiseSemantics::default().evaluate(&term, &ty, &ratio("1e-12"), &budget) else { continue };
        let Value::Real(AnswerNumber::Enclosure(answer)) = found.value else { panic!("{:?}", found.value) };
        assert_eq!(answer.exhausted, budget.was_exhausted(), "{power}");
        ended[usize::from(answer.exhausted)] += 1;
    }
    assert!(ended.iter().all(|count| *count > 0), "{ended:?}");
}

/// W29: integrals, roots and optima are refused by name.
#[test]
fn integrals_are_refused_by_name() {
    for name in ["integral01", "cutRoot", "firstRoot", "max01", "argmax01"] {
        let (cause, message) = fails(&format!("{name} (\\x => 1/3 - x)"));
        assert_eq!(cause, None);
        assert!(message.contains("`pap` does not define") && message.contains(name), "{message}");
    }
}

/// A recursion that does not end, in tail position and in depth, and one that doubles its paths.
#[test]
fn fuel_is_not_undefined() {
    for text in
        ["let rec f x = f (x + 1) in f 0.5", "let rec f x = f (x + 1) + 1 in f 0.5", "let rec f x = f x + f x in f 0.5"]
    {
        assert_eq!(fails(text).0, Some(UndefinedCause::Fuel), "{text}");
    }
    let (term, ty) = Session::new().infer(&format!("{HALVING} f 5")).unwrap();
    for (n, has) in [(0, false), (3, false), (4, true), (9, true)] {
        let found = PiecewiseSemantics { unfolding_limit: Some(n), ..PiecewiseSemantics::default() }.evaluate(
            &term,
            &ty,
            &ratio("1e-9"),
            &budget(),
        );
        match found {
            Ok(found) => assert!(has && enclosures(&found.value)[0].contains(&ratio("29/8")), "{n}"),
            Err(SemanticsError::Undefined(found)) => {
                assert!(!has && found.cause == UndefinedCause::Fuel, "{n}: {found:?}")
            }
            Err(error) => panic!("{n}: {error}"),
        }
    }
}

/// `==` is of real numbers where a type says so, before anything is taken for natural.
#[test]
fn equality_is_of_real_numbers_where_they_are_expected() {
    let ty = |text: &str| Session::new().infer(text).unwrap().1.to_string();
    assert_eq!(ty(r"\x => if x == 0 then 1 else 2"), "Nat -> Real");
    assert_eq!(ty(r"\x => if x == 0 then 1 else sin x"), "Real -> Real");
    assert_eq!(ty(r"(\x => x == 0) 0.5"), "Bool");
    let real = Session::new().infer(r"\(x : Real) => x").unwrap().1;
    let term = Session::new().infer_at(r"\x => if x == 0 then 0 else x", &real).unwrap();
    assert_eq!(*term.ty(), real);
    // e^½ is not 0, which presheaves know and the towers, which have no conditions, do not ask
    let (term, ty) = Session::new().infer("if exp 0.5 == 0 then 0 else 1").unwrap();
    let ask =
        |model| smoothish::meaning::semantics_named(model).unwrap().evaluate(&term, &ty, &ratio("1e-9"), &budget());
    assert!(enclosures(&ask("presheaf").unwrap().value)[0].contains(&ratio("1")));
    let error = ask("tower").unwrap_err();
    assert!(error.to_string().contains("`==` of real numbers"), "{error}");
}

/// A §2: a partial map has no value where equal numbers are compared, and off that decides.
#[test]
fn equality_is_undefined_on_its_border_for_partial_maps() {
    let partial = smoothish::meaning::semantics_named("partial").unwrap();
    for (text, has) in [
        ("if exp 0.5 == 0 then 0 else 1", true),
        ("(\\(x : Real) => if x - 1/2 == 0 then 0 else 1) 0.5", false),
        ("(\\(x : Real) => x /= 1/2) 0.5", false),
        // what is written with literals alone is compared as it is read
        ("if 0.5 - 1/2 == 0 then 0 else 1", true),
        ("0.5 /= 1/2", true),
    ] {
        let (term, ty) = Session::new().infer(text).unwrap();
        let found = partial.evaluate(&term, &ty, &ratio("1e-9"), &budget());
        assert_eq!(found.is_ok(), has, "{text}");
    }
}

/// X2, X3: on a border AD's number may lie outside of Clarke's set, {1} for max 0 x + min 0 x; that refutes nobody.
#[test]
fn intensional_derivatives_refute_nothing() {
    use smoothish::law::agreement::{DisagreementReason, ModelAnswer, PartComparison, compare_answers};
    for (text, meets) in [
        (r"deriv (\x => max 0 x + min 0 x) 0", false),
        (r"deriv (\x => if x == 0 then 0 else x) 0", false),
        ("deriv abs 0", true),
        ("deriv abs 1", true),
    ] {
        let (term, ty) = Session::new().infer(text).unwrap();
        let all: Vec<_> = smoothish::meaning::all_semantics()
            .iter()
            .map(|meaning| ModelAnswer::answer_of(*meaning, &term, &ty, &ratio("1e-9"), &budget()))
            .collect();
        let judged = compare_answers(&all);
        for (testimony, judgements) in all.iter().zip(judged) {
            for judgement in judgements.into_iter().flatten() {
                assert!(!matches!(judgement, PartComparison::Disjoint(_)), "{text}, {}: {judgement}", testimony.name);
                if testimony.name == "pap" {
                    let expected = if meets {
                        PartComparison::Agrees
                    } else {
                        PartComparison::NotCompared(DisagreementReason::Border)
                    };
                    assert_eq!(judgement, expected, "{text}");
                }
            }
        }
    }
}

/// What is said of a border is the case: of 5x right of 0 and 7x left of it, 0 at 0; of |x| + |2x|; of 1/x; of (√x)² - x.
#[test]
fn notes_on_borders_say_what_was_answered() {
    for (text, slope, notes) in [
        (r"deriv (\x => if x == 0 then 0 else if x > 0 then 5*x else 7*x) 0", "0", vec!["7"]),
        (r"deriv (\x => abs x + abs (2*x)) 0", "3", vec!["1", "-1"]),
        (r"deriv (\x => if x == 0 then 0 else 1/x) 0", "0", vec!["no value"]),
    ] {
        is(text, &[slope], notes.len());
        for (remark, note) in answer(text).unwrap().notes.iter().zip(notes) {
            let expected = format!("; with the other answer to this guard alone: {note}");
            assert!(remark.after.starts_with(&expected), "{text}: {remark:?}");
        }
    }
}

/// A power with an exponent that is too long has no meaning where it may be one of a negative number: (-1)^(1/1000001) is -1.
#[test]
fn powers_beyond_the_limit_are_refused_by_name() {
    for text in ["(-1) ^ (1/1000001)", "(-1) ^ (1000001/3)"] {
        let found = answer(text);
        assert!(matches!(&found, Err(error) if error.unsupported_construct().is_some()), "{text}: {found:?}");
    }
    assert_eq!(fails("(-1) ^ (1/1000000)").0, Some(UndefinedCause::Domain));
    is("1 ^ (1/1000001) + 0 ^ (1/1000001)", &["1"], 0);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// W8, W19: Cantor's function that is 0 off his set and has no value on it; its derivative has values at the same points.
    #[test]
    fn cantor_has_values_off_his_set() {
        for x in ["1/2", "2/5", "1009/9000"] {
            is(&format!("{CANTOR} (cantor ({x}), deriv cantor ({x}))"), &["0", "0"], 0);
        }
        for x in ["0", "1", "1/3", "2/3", "1/4", "1/9", "-1", "2"] {
            for question in [format!("{CANTOR} cantor ({x})"), format!("{CANTOR} deriv cantor ({x})")] {
                let (cause, message) = fails(&question);
                assert_eq!(cause, Some(UndefinedCause::Fuel), "{question}: {message}");
                assert!(message.contains("the program may still have one"), "{message}");
            }
        }
    }
}
