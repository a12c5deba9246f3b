//! Deep terms, many definitions, and programs without end: every model answers or refuses, in bounded time.

use super::eps;
use smoothish::meaning;
use smoothish::meaning::float::{FloatSemantics, FloatSettings};
use smoothish::model::answer::{AnswerNumber, SemanticsError};
use smoothish::model::universe::RecursionDepth;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::session::Session;
use smoothish::syntax::library::Library;
use smoothish::syntax::source::SourceText;
use smoothish::syntax::ty::Ty;
use smoothish::value::{Value, ValueError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What each model answers, on a thread with a small stack.
fn on_a_small_stack(program: String, time: Duration) -> Vec<(&'static str, Result<Value<AnswerNumber>, String>)> {
    let run = move || {
        let (term, ty) = Library::new().infer_expression(&program).unwrap();
        let mut answers = Vec::new();
        for meaning in meaning::all_semantics() {
            let start = Instant::now();
            let budget = Arc::new(Budget::with_time_limit(time));
            let answer = meaning.evaluate(&term, &ty, &eps(), &budget);
            let elapsed = start.elapsed();
            assert!(elapsed < Duration::from_secs(40), "{}: {elapsed:?}", meaning.name());
            answers.push((meaning.name(), answer.map(|a| a.value).map_err(|e| e.to_string())));
        }
        answers
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap()
}

#[track_caller]
fn all_answer(program: &str, expected: i64) {
    for (model, answer) in on_a_small_stack(program.to_owned(), Duration::from_secs(20)) {
        let head: String = program.chars().take(60).collect();
        match answer {
            Ok(Value::Real(AnswerNumber::Enclosure(found))) => {
                assert!(found.enclosure.contains(&Rational::from(expected)), "{model}: {head}: {}", found.enclosure);
            }
            Ok(Value::Real(AnswerNumber::Float { value, .. })) => assert_eq!(value, expected as f64, "{model}: {head}"),
            other => panic!("{model}: {head}: {other:?}"),
        }
    }
}

#[test]
fn deep_terms_are_interpreted() {
    all_answer(&format!("0{}", " + 1".repeat(2_000)), 2_000);
    all_answer(&format!("{}7", "- ".repeat(9_000)), 7);
    all_answer(&format!("{}x", "let x = 1 in ".repeat(9_000)), 1);
    all_answer(&format!("{}1{}", "(\\x => x) (".repeat(3_000), ")".repeat(3_000)), 1);
    // nine thousand functions that are never applied to their end
    let functions = format!("let f = {}1 in 2", "\\_ => ".repeat(8_000));
    all_answer(&functions, 2);
}

/// A chain of `let`s that each use the one before twice costs as much as it is long.
#[test]
fn shared_lets_are_computed_once() {
    let chain: String = (1..60).map(|n| format!("let x{n} = x{} + x{} in ", n - 1, n - 1)).collect();
    all_answer(&format!("let x0 = 1 in {chain} x40"), 1 << 40);
}

/// Towers carry all variables in scope: a long chain is slow there, but takes neither memory nor more time than it has.
#[test]
fn a_long_chain_of_lets_is_answered_or_given_up() {
    let chain: String = (1..3_000).map(|n| format!("let x{n} = sin x{} in ", n - 1)).collect();
    for (model, answer) in on_a_small_stack(format!("let x0 = 0 in {chain} x2999"), Duration::from_secs(2)) {
        match answer {
            Ok(Value::Real(AnswerNumber::Enclosure(found))) => {
                assert!(found.enclosure.contains(&Rational::new()), "{model}")
            }
            Ok(Value::Real(AnswerNumber::Float { value, .. })) => assert_eq!(value, 0.0, "{model}"),
            other => panic!("{model}: {other:?}"),
        }
    }
}

/// So does a chain of definitions.
#[test]
fn shared_definitions_are_interpreted_once() {
    let mut session = Session::with_library(Library::new());
    session.define(Arc::new(SourceText::new("test", "let f0 x = x + 1"))).unwrap();
    for n in 1..40 {
        let text = format!("let f{n} = let g = \\h => h in (\\x => x, g f{}, g f{})[1]", n - 1, n - 1);
        session.define(Arc::new(SourceText::new("test", text))).unwrap();
    }
    let (term, ty) = session.infer("f39 1").unwrap();
    for meaning in meaning::all_semantics() {
        let answer = meaning.evaluate(&term, &ty, &eps(), &Arc::new(Budget::with_time_limit(Duration::from_secs(10))));
        assert!(matches!(answer.map(|a| a.value), Ok(Value::Real(_))), "{}", meaning.name());
    }
}

/// Functions renamed ten thousand times over are applied and dropped.
#[test]
fn tangents_of_functions_may_be_renamed_often() {
    let program = "let rec f (n : Nat) (v : Tan (Real -> Real)) : Tan (Real -> Real) = \
                   if n == 0 then v else f (n - 1) (tangent (\\g => g) v) in \
                   fst (tangentTo_R.to (f 10000 (tangentTo_R.from (\\x => x, \\x => 1)))) 1";
    let answers = on_a_small_stack(program.to_owned(), Duration::from_secs(10));
    let answered = answers.iter().filter(|(_, answer)| matches!(answer, Ok(Value::Real(_)))).count();
    assert_eq!(answered, 2, "{answers:?}");
}

/// A partial application that is used four times is computed once, in every model: 12 levels would be 4¹² copies.
#[test]
fn partial_applications_are_shared() {
    let mut program = "let a0 = max (0 - 1/2) in ".to_owned();
    for k in 1..12 {
        let j = k - 1;
        program += &format!("let a{k} = max (((a{j} 0) + (a{j} 1)) + ((a{j} 2) + (a{j} 3))) in ");
    }
    all_answer(&format!("{program}a11 1"), 6 << 20);
}

/// `[[… [1, 1] …], …]`, a list of 2ⁿ numbers in n nested lists.
fn doubled(levels: usize) -> String {
    let steps: Vec<String> = (1..=levels).map(|n| format!("let d{n} = [d{}, d{}] in ", n - 1, n - 1)).collect();
    format!("let d0 = [1.0] in {}d{levels}", steps.concat())
}

/// What is shared is counted before it is written out.
#[test]
fn answers_have_a_largest_size_in_every_model() {
    let mut refused = 0;
    for (model, answer) in on_a_small_stack(doubled(40), Duration::from_secs(20)) {
        let told = answer.expect_err(model);
        assert!(told.contains("more than 100000 parts") || told.contains("does not define lists"), "{model}: {told}");
        refused += usize::from(told.contains("parts"));
    }
    assert_eq!(refused, 5);
    assert_eq!(on_a_small_stack(doubled(5), Duration::from_secs(20)).iter().filter(|(_, a)| a.is_ok()).count(), 5);
}

/// Between the parts of a large answer, the budget is asked: without time, half a million numbers are given up at once.
#[test]
fn a_large_answer_ends_with_its_time() {
    let (term, ty) = Library::new().infer_expression(&doubled(15)).unwrap();
    for (model, most) in [("presheaf", Duration::from_secs(5)), ("float", Duration::from_secs(5))] {
        let start = Instant::now();
        let answer = meaning::semantics_named(model).unwrap().evaluate(
            &term,
            &ty,
            &eps(),
            &Arc::new(Budget::with_time_limit(Duration::ZERO)),
        );
        assert!(start.elapsed() < most, "{model}: {:?}", start.elapsed());
        match (model, answer) {
            ("presheaf", Ok(answer)) => {
                let (mut unknown, mut known) = (0, 0);
                answer.value.map_reals(&mut |number| {
                    match number {
                        AnswerNumber::Enclosure(answer) if answer.enclosure.is_bottom() => unknown += 1,
                        _ => known += 1,
                    }
                    number.clone()
                });
                assert!(unknown > 30_000 && known <= 1_000, "{unknown} unknown, {known} known");
            }
            ("float", Err(error)) => assert!(error.to_string().contains("its time was up"), "{error}"),
            (_, other) => panic!("{model}: {other:?}"),
        }
    }
}

/// An exponent that is computed, or has a name, may be of any size: beyond the limit of literals the power is `exp (n * log x)`, whose
/// work does not grow with n. By mpmath at 60 digits, from `exp(n·log1p(x - 1))`.
#[test]
fn computed_exponents_of_any_size_take_little_work() {
    for (program, value) in [
        ("let n = 10000000000 in 1.000000001^n", "22026.4656847"),
        ("1.000000001^(10^10)", "22026.4656847"),
        ("let n = 1000000000000000000 in 1.000000000000000001^n", "2.71828182845904"),
        ("let n = 1000000000000000000000000000000 in 1.000000000000000000000000000001^n", "2.71828182845904"),
        ("let n = 10000000000 in ((1.0000000000000000000000000000000001^n)^n)^n", "1.00010000500016"),
        ("let n : Nat = 1000000000000000000 in (-1.000000000000000001)^n", "2.71828182845904"),
    ] {
        let (term, ty) = Library::new().infer_expression(program).unwrap_or_else(|e| panic!("{program}: {e}"));
        for model in ["presheaf", "partial", "pap"] {
            let budget = Arc::new(Budget::new(200_000, None, None));
            let found = meaning::semantics_named(model).unwrap().evaluate(&term, &ty, &eps(), &budget);
            let found = match found.map(|answer| answer.value) {
                Ok(Value::Real(AnswerNumber::Enclosure(found))) => found,
                other => panic!("{model}: {program}: {other:?}"),
            };
            let number = |text: &str| smoothish::number::decimal::parse(text).unwrap();
            let [below, above] = ["0.9999999", "1.0000001"].map(|factor| number(value) * number(factor));
            assert!(found.reached && !budget.was_exhausted(), "{model}: {program}: {}", found.enclosure);
            assert!(*found.enclosure.lo() > below && *found.enclosure.hi() < above, "{program}: {}", found.enclosure);
        }
    }
}

/// The budget is charged for every floating-point operation, also where many are counted at once. A number with 40 infinitesimals is
/// counted as 2^20 coefficients when the value of a tangent drops one of them.
#[test]
fn float_charges_all_operations() {
    let text = "let rec d (n : Nat) (f : Real -> Real) : Real -> Real = if n == 0 then f else d (n - 1) (deriv f) in \
                d 40 (\\x => tangentValue (tangent_R.from (x, 1))) 1";
    let (term, _) = Library::new().infer_expression(text).unwrap_or_else(|e| panic!("{e}"));
    let run = |budget: Budget| {
        let budget = Arc::new(budget);
        let found = FloatSemantics.run_once(&term, FloatSettings::default(), &budget).map_err(|e| e.to_string());
        (found, budget.work_done())
    };
    let (found, work) = run(Budget::unlimited());
    assert!(matches!(found, Ok(Value::Real(0.0))), "{found:?}");
    assert!(work >= 1 << 20, "{work}");
    let (found, _) = run(Budget::new(1 << 19, None, None));
    assert!(found.is_err(), "{found:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A call in tail position takes no room: a million of them are more than the levels that may lie in each other. What else lies
    /// in tail position, a `let` and the branches of `match`, changes nothing.
    #[test]
    fn calls_in_tail_position_take_no_room() {
        let program = |n: u64, tail: &str| {
            format!("let rec go (n : Nat) (s : Real) : Real = if n == 0 then s else {tail} in go {n} 0")
        };
        let (direct, budget) = ("go (n - 1) (s + 1)", Arc::new(Budget::unlimited()));
        for (n, tail) in [
            (1_000_000, direct),
            (RecursionDepth::MAX_LEVELS / 3 + 1, "let t = s + 1 in go (n - 1) t"),
            (RecursionDepth::MAX_LEVELS / 3 + 1, "match [s] with [] => 0 | x :: _ => go (n - 1) (x + 1)"),
        ] {
            let (term, _) =
                Library::new().infer_expression(&program(n, tail)).unwrap_or_else(|e| panic!("{tail}: {e}"));
            let found = FloatSemantics.run_once(&term, FloatSettings::default(), &budget).map_err(|e| e.to_string());
            assert!(matches!(found, Ok(Value::Real(x)) if x == n as f64), "{tail}: {found:?}");
        }
        // the limit of steps stays
        let (term, ty) = Library::new().infer_expression(&program(1_000_000, direct)).expect("a program");
        let told = meaning::semantics_named("presheaf")
            .unwrap()
            .evaluate(&term, &ty, &eps(), &budget)
            .unwrap_err()
            .to_string();
        assert!(told.contains("2000000 steps"), "{told}");
    }

    /// What costs too much is cut short by the clock, and by the budget of operations where there is no clock.
    #[test]
    fn dear_programs_end() {
        let nested = "max01 (\\a => max01 (\\b => max01 (\\c => max01 (\\d => a * b * c * d))))";
        let derivatives =
            format!("{}x{} 1", "deriv (\\x => exp (sin (".repeat(30), ")) * x) (x / 2)".repeat(29) + ")) * x)");
        for program in [nested.to_owned(), derivatives] {
            let Ok((term, ty)) = Library::new().infer_expression(&program) else { panic!("{program}") };
            assert_eq!(ty, Ty::real());
            for meaning in meaning::all_semantics() {
                let start = Instant::now();
                let _ = meaning.evaluate(
                    &term,
                    &ty,
                    &eps(),
                    &Arc::new(Budget::with_time_limit(Duration::from_millis(500))),
                );
                assert!(start.elapsed() < Duration::from_secs(20), "{}: {:?}", meaning.name(), start.elapsed());
            }
        }
    }

    /// Derivatives may lie in each other as deep as they like: what cannot be computed is told, on a small stack.
    #[test]
    fn derivatives_within_derivatives_are_answered_or_refused() {
        let nested = |n: u32, f: &str| {
            format!(
                "let rec d (n : Nat) (f : Real -> Real) : Real -> Real = if n == 0 then f else d (n - 1) (deriv f) in d {n} ({f}) 1"
            )
        };
        for n in [2_100, 30_000] {
            for (model, answer) in on_a_small_stack(nested(n, "\\x => sin x"), Duration::from_secs(60)) {
                let told = answer.expect_err(model);
                let expected = match model {
                    "presheaf" | "pap" | "clarke" => format!("nested {} levels deep; at most 2048", n + 1),
                    // the operations, or the levels, whichever come to their end first
                    "float" if told.contains("levels deep") => "applied within each other".to_owned(),
                    "float" => "did not end".to_owned(),
                    "partial" => "more than 11 derivatives within each other".to_owned(),
                    _ if n > 10_000 => "was not reduced within 500000 steps".to_owned(),
                    _ => "functions of variables are nested more than 1000 levels deep".to_owned(),
                };
                assert!(told.contains(&expected), "{model}: {told}");
            }
        }
    }

    /// A finite program that is too long is told that it may be, and what to try.
    #[test]
    fn long_folds_are_told_what_to_try() {
        let program = "let rec down (n : Nat) : List Real = if n == 0 then [] else 1.0 :: down (n - 1) in \
                   fold (\\x => \\s => x + s) 0 (down 400000)";
        for (model, answer) in on_a_small_stack(program.to_owned(), Duration::from_secs(30)) {
            if model == "float" {
                continue;
            }
            let told = answer.expect_err(model);
            let (most, cure) = match model {
                "presheaf" => ("1000000", "closed form"),
                "partial" => ("1000000", "not found out in time: functions were applied within each other too deep"),
                "pap" | "clarke" => {
                    ("1000000", "no value was found: functions were applied within each other too deep")
                }
                _ => ("500000", "shorter list"),
            };
            assert!(told.contains(most) && told.contains("too ") && told.contains(cure), "{model}: {told}");
        }
    }

    /// The order of a derivative is bounded for towers, and told so at once.
    #[test]
    fn towers_refuse_high_orders() {
        use super::super::{ask, enclosure};
        assert!(enclosure("tower", "nthDeriv 6 (\\x => x^6) 1").contains(&Rational::from(720)));
        let start = Instant::now();
        let told = ask("tower", "nthDeriv 7 (\\x => exp (sin x)) 1").unwrap_err().to_string();
        assert!(told.contains("set partitions") && start.elapsed() < Duration::from_secs(60), "{told}");
    }

    #[test]
    fn programs_without_end_are_given_up() {
        for program in [
            "let rec f (n : Nat) : Real = f (n + 1) in f 0",
            "let rec f (n : Nat) : Real = 1 + f (n + 1) in f 0",
            "let rec f (n : Nat) : Real = f (n + 1) + f (n + 2) in f 0",
            "let rec f (n : Nat) : Real = f (n * 2) in f 3",
        ] {
            for (model, answer) in on_a_small_stack(program.to_owned(), Duration::from_secs(1)) {
                let told = answer.expect_err(model);
                let known =
                    ["recursion on Nat comes to an end", "grew beyond", "not found out in time", "no value was found"];
                assert!(known.iter().any(|words| told.contains(words)), "{model}: {told}");
            }
        }
    }

    /// A recursion that builds without end is given up for its depth, long before it has taken all memory: it takes 6 levels or
    /// so for each part, so that what is built has at most a hundred thousand. What does end has a tenth of that, and is built.
    #[test]
    fn what_is_built_without_end_is_given_up() {
        let tree = "let rec grow (n : Nat) : Tree = Node (grow (n + 1), grow (n + 2)) in match grow 0 with Leaf => 1 | Node x => 2";
        let mut session = Session::with_library(Library::new());
        session.define(Arc::new(SourceText::new("test", "type Tree = Leaf | Node (Tree * Tree)"))).unwrap();
        let built = "let rec count (n : Nat) : List Real = if n == 0 then [] else 1.0 :: count (n - 1) in \
                 fold (\\x => \\s => x + s) 0 (count 10000)";
        for (program, ends) in [
            ("let rec h (n : Nat) : List Real = 1 :: h n in fold (\\x => \\s => x + s) 0 (h 0)", false),
            (tree, false),
            (built, true),
        ] {
            let (term, ty) = session.infer(program).unwrap();
            for model in ["presheaf", "float"] {
                let answer = meaning::semantics_named(model).unwrap().evaluate(
                    &term,
                    &ty,
                    &eps(),
                    &Arc::new(Budget::unlimited()),
                );
                match answer.map(|answer| answer.value) {
                    Ok(Value::Real(AnswerNumber::Enclosure(found))) if ends => {
                        assert!(found.enclosure.contains(&10_000.into()))
                    }
                    Ok(Value::Real(AnswerNumber::Float { value, .. })) if ends => assert_eq!(value, 10_000.0),
                    Err(SemanticsError::Run(ValueError::DeepRecursion { levels })) if !ends => {
                        assert_eq!(levels, RecursionDepth::MAX_LEVELS)
                    }
                    other => panic!("{model}: {program}: {other:?}"),
                }
            }
        }
    }
}
