//! The source transformation: derivatives as programs (A Props. 4.3, 4.4).

use super::command::{SQUARES, smoothish};
use super::*;
use smoothish::trace::source::{NODES, eliminate_reverse, transposed_derivative};
use smoothish::trace::term::approximant;

const POW: &str = "let rec pow (p : Real * Real) : Real = if p[1] < 1/2 then 1 else p[0] * pow (p[0], p[1] - 1) in";

/// What is printed is a program: 4 x³ where the loop takes two steps, 2 x where it takes one, at points that no trace was made at.
#[test]
fn derivatives_are_programs() {
    let derived = |program: &str| {
        let (text, complaint, status) = smoothish(&["derive", "--reverse", program]);
        assert_eq!((&*complaint, status), ("", 0), "{program}");
        assert!(!text.contains("rd "), "{text}");
        text
    };
    let is = |text: &str, at: &str, value: &str| {
        let (found, complaint, _) = smoothish(&["eval", "--model", "partial", &format!("({text}) {at}")]);
        assert_eq!((&*found, &*complaint), (value, ""), "{text}");
    };
    let squares = derived(SQUARES);
    is(&squares, "2", "32\n");
    is(&squares, "4", "8\n");
    is(&squares, "(5/2)", "62.5\n");
    // of a map of the plane it is a function of the point and a cotangent
    is(&derived(r"\(x, y) => (x * y, x ^ 2)"), "(2, 3) (1, 10)", "(43, 2)\n");
    // (n xⁿ⁻¹, 0), and ∂²/∂x² x⁴
    is(&derived(&format!("{POW} pow")), "(3, 4)", "(108, 0)\n");
    is(&derived(&format!(r"{POW} \x => fst (rd pow (x, 4) 1)")), "3", "108\n");
    // what is no function has its derivatives written out
    is(&derived(r"(rd (\x => x * rd (\y => x + y) 1 1) 1 1, 2)"), "", "(1, 2)\n");
    // on a border the derivative has no value either
    let (_, complaint, status) = smoothish(&["eval", "--model", "partial", &format!("({squares}) 10")]);
    assert!(status == 4 && complaint.contains("at the edge"), "{complaint}");
    let json = smoothish(&["derive", "--reverse", "--json", "log"]).0;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["type"], &json["version"]), (&"Real -> Real".into(), &1.into()));
}

/// A loop is run once, and what remains of its derivative on the way back; where the result of a call is used, it is run again at every level.
#[test]
fn loops_are_linear_and_recursions_quadratic() {
    let steps = |text: &str| {
        let program = eliminate_reverse(&program(text)).unwrap();
        let numbers = Rationals::default();
        let evaluator = TraceEvaluator::new(&numbers).with_step_limit(STEPS);
        evaluator
            .evaluate_ordinary(&FunctionEnvironment::default(), &CoreEnvironment::default(), &program.term)
            .unwrap();
        evaluator.step_count() as i64
    };
    let differences = |text: &dyn Fn(i64) -> String| {
        let [a, b, c] = [10, 20, 30].map(|n| steps(&text(n)));
        (b - a, (c - b) - (b - a))
    };
    let turns = "let rec turns (n : Real) (x : Real) : Real = if n < 1/2 then x else turns (n - 1) (2 * x) in";
    let (first, second) = differences(&|n| format!("{turns} rd (turns {n}) 3 1"));
    assert!(first > 0 && second == 0, "{first}, {second}");
    let (first, second) = differences(&|n| format!("{POW} rd pow (3, {n}) 1"));
    assert!(first > 0 && second > 0, "{first}, {second}");
    let third = |n: i64| differences(&|k| format!("{POW} rd pow (1, {}) 1", k + n)).1;
    assert_eq!(third(0), third(10));
}

#[test]
fn what_is_no_program_is_refused() {
    for (arguments, text) in [
        (
            &["let rec f (x : Real) : Real = if x < 1 then x * x else x * rd f (x - 1) 1 in f"][..],
            "by its own derivative",
        ),
        // through another function, which calls it
        (
            &[
                "let rec f (x : Real) : Real = if x < 1 then x else rd (\\y => let rec g (z : Real) : Real = f z in g y) (x - 1) 1 in f",
            ],
            "`f` is defined by its own derivative",
        ),
        (&[r"\x y => x * y"], "make them a tuple"),
        (&[r"\x => integral01 (\t => x * t)"], "traces have no `integral01`"),
        (&["--order", "2", "sin"], "cannot be used with"),
    ] {
        let (out, complaint, status) = smoothish(&[&["derive", "--reverse"], arguments].concat());
        assert!(out.is_empty() && status == 2 && complaint.contains(text), "{arguments:?}: {complaint}");
    }
    let limited = approximant(&program(&format!("{POW} rd pow (3, 4) 1")).term, 3);
    let limited = CoreProgram { term: limited, ..program("1.0") };
    assert_eq!(eliminate_reverse(&limited).unwrap_err(), TraceError::LimitedRecursion);
    assert!(matches!(transposed_derivative(&program("1.0")), Err(TraceError::Stuck { .. })));
}

/// Each derivative within another is a program some times as long, up to a bound.
#[test]
fn derivatives_within_each_other_have_a_limit() {
    let nested = |n: usize| format!("{}{}{}", "deriv (".repeat(n), r"\x => sin (x * exp x)", ")".repeat(n));
    let size = |n| eliminate_reverse(&program(&nested(n))).map(|program| program.term.size());
    let sizes = [1, 2, 3, 4].map(|n| size(n).unwrap());
    assert!(sizes.windows(2).all(|pair| pair[0] < pair[1] && pair[1] < NODES), "{sizes:?}");
    let error = size(16).unwrap_err();
    assert!(error == TraceError::ProgramTooLarge && error.to_string().contains("`accumulated`"));
}
