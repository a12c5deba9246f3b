//! Derived programs with roots, optima, kinks and borders. The expected numbers are from mpmath at 40 digits, by numerical derivatives
//! of closed forms, unless a test says otherwise.

use crate::taylor::{basis, collect, infer, jet_text};
use smoothish::law::agreement::derivatives::derivative_programs_with;
use smoothish::meaning;
use smoothish::meaning::taylor::derive::{DerivedProgram, derive_with};
use smoothish::meaning::taylor::functor::{
    ClarkeTaylorHooks, DefaultTaylorHooks, PiecewiseTaylorHooks, Taylor, TaylorHooks,
};
use smoothish::meaning::taylor::jet::Basis;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::budget::Budget;
use smoothish::number::{Rational, decimal};
use smoothish::wrong::{Dual, Solver};
use std::sync::Arc;
use std::time::Duration;

type Rules = &'static dyn TaylorHooks;

fn derive(rules: Rules, program: &str, basis: &Basis) -> DerivedProgram {
    let (term, ty) = infer(program);
    derive_with(&Taylor::with_hooks(rules, basis.clone()), &term, &ty).unwrap_or_else(|e| panic!("{program}: {e}"))
}

/// The numbers of a program in a model: the ends of enclosures, or doubles with both ends equal. `None` is an undefined number.
fn numbers(model: &str, program: &str) -> Vec<Option<[f64; 2]>> {
    let (term, ty) = infer(program);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(60)));
    let eps = decimal::parse("1e-13").expect("a decimal");
    let answer = meaning::semantics_named(model).expect("a model").evaluate(&term, &ty, &eps, &budget);
    let mut found = Vec::new();
    collect(&answer.unwrap_or_else(|e| panic!("{program}: {e}")).value, &mut found);
    let ends = |number: &AnswerNumber| match number {
        AnswerNumber::Float { value, .. } => value.is_finite().then_some([*value; 2]),
        AnswerNumber::Enclosure(answer) => {
            let [lo, hi] = [answer.enclosure.lo().to_f64(), answer.enclosure.hi().to_f64()];
            answer.enclosure.is_defined().then_some([lo, hi])
        }
    };
    found.iter().map(ends).collect()
}

/// The text of a derived program at jets, read back.
fn at_jets(rules: Rules, program: &str, basis: &Basis, jets: &[&str]) -> String {
    let text = derive(rules, program, basis).format_program().unwrap_or_else(|e| panic!("{program}: {e}"));
    format!("({text}){}", jets.iter().map(|jet| format!(" ({jet})")).collect::<String>())
}

/// One expected number: a number, a set, or none.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Number(f64),
    Set(f64, f64),
    Undefined,
}
use Expected::{Number, Set, Undefined};

fn fits(found: &[Option<[f64; 2]>], expected: &[Expected]) -> bool {
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| match (found, expected) {
            (None, Undefined) => true,
            (Some([lo, hi]), Number(q)) => [lo, hi].iter().all(|end| (*end - q).abs() <= 1e-11 * (1.0 + q.abs())),
            (Some(found), Set(lo, hi)) => *found == [*lo, *hi],
            _ => false,
        })
}

/// The derived program has these numbers at a number with the slope 1, in a model.
#[track_caller]
fn has_numbers(rules: Rules, model: &str, program: &str, order: usize, point: &str, expected: &[Expected]) {
    let text = at_jets(rules, program, &basis(1, order), &[&jet_text(point, order)]);
    let found = numbers(model, &text);
    assert!(fits(&found, expected), "{program} at {point} in {model}: {found:?}, expected {expected:?}");
}

const RIGHT: Rules = &DefaultTaylorHooks;
const CLARKE: Rules = &ClarkeTaylorHooks;
const PIECES: Rules = &PiecewiseTaylorHooks;

const CUBIC: &str = r"\c => cutRoot (\y => c - y - y*y*y)";
const CUBIC_JET: [Expected; 4] =
    [Number(0.6823278038280193), Number(0.4172379879262188), Number(-0.2973691052427048), Number(0.4539737359493496)];
const MAXIMISER: &str = r"\c => argmax01 (\y => c*y - y^4/4)";

/// Branches follow the value, in exact reals on the pieces and in floating-point numbers.
#[test]
fn row_26_a_conditional_on_a_real_number_has_derived_branches() {
    let program = r"\x => if x < 1 then x else x*x";
    for model in ["pap", "float"] {
        has_numbers(PIECES, model, program, 2, "1", &[Number(1.0), Number(2.0), Number(2.0)]);
        has_numbers(PIECES, model, program, 2, "1/2", &[Number(0.5), Number(1.0), Number(0.0)]);
    }
    // on its border a choice has no value in the model of exact reals
    has_numbers(PIECES, "presheaf", program, 2, "1", &[Undefined, Undefined, Undefined]);
    has_numbers(PIECES, "presheaf", program, 2, "2", &[Number(4.0), Number(4.0), Number(2.0)]);
    // branching on slopes takes the other branch: 1 < 0 is wrong, and so is 1/2 < 1 by slopes 1 < 0
    let wrong = at_jets(Dual::ByTangent.as_hooks(), program, &basis(1, 2), &["1/2, 1, 0"]);
    assert!(!fits(&numbers("pap", &wrong), &[Number(0.5), Number(1.0), Number(0.0)]));
}

/// In two directions the slopes are those of the branch in each.
#[test]
fn pieces_of_two_variables() {
    let program = r"\x y => if x < y then x * y^2 else abs (x - 3) * max x y";
    // 1 < 2: x y², with the derivatives by hand
    let text = at_jets(PIECES, program, &basis(2, 2), &["1, 0, 0, 1, 0, 0", "2, 1, 0, 0, 0, 0"]);
    assert!(fits(&numbers("pap", &text), &[4.0, 4.0, 2.0, 4.0, 4.0, 0.0].map(Number)));
    // 2 ≥ 1: (3 − x) x
    let text = at_jets(PIECES, program, &basis(2, 2), &["2, 0, 0, 1, 0, 0", "1, 1, 0, 0, 0, 0"]);
    assert!(fits(&numbers("pap", &text), &[2.0, 0.0, 0.0, -1.0, 0.0, -2.0].map(Number)));
}

/// Of a recursion on a real number.
#[test]
fn pieces_of_a_recursion() {
    let program = "let rec f (x : Real) : Real = if x < 1 then x * x else 3 * f (x / 2) in f";
    // 5 is halved three times: 27 (x / 8)²
    let expected = [27.0 * 25.0 / 64.0, 27.0 * 10.0 / 64.0, 54.0 / 64.0].map(Number);
    for model in ["pap", "float"] {
        has_numbers(PIECES, model, program, 2, "5", &expected);
    }
}

#[test]
fn row_27_the_jet_of_a_root() {
    for model in ["presheaf", "float"] {
        has_numbers(RIGHT, model, CUBIC, 3, "1", &CUBIC_JET);
    }
    // by the series of W (eᶜ): an order at which the coordinates need all lower ones
    let expected = [0.0, 0.5, -0.125, 0.03125, 0.0078125, -0.025390625, 0.02294921875].map(Number);
    has_numbers(RIGHT, "presheaf", r"\c => cutRoot (\y => c - y - exp y)", 6, "1", &expected);
}

/// Two parameters: all derivatives of order 2, and the mixed one alone.
#[test]
fn a_root_with_two_parameters() {
    let program = r"\a b => cutRoot (\y => a * sin b - y - a * y^3)";
    let jet = [
        0.643200701996157,
        -0.185686875836038,
        -0.465107018305962,
        0.286999487681275,
        0.0089142793968908,
        -0.459716315273599,
    ];
    let fitting = |program: &str, basis: &Basis, jets: [&str; 2], expected: &[f64]| {
        let expected: Vec<Expected> = expected.iter().copied().map(Number).collect();
        let found = numbers("presheaf", &at_jets(RIGHT, program, basis, &jets));
        assert!(fits(&found, &expected), "{found:?}");
    };
    fitting(program, &basis(2, 2), ["1, 0, 0, 1, 0, 0", "2, 1, 0, 0, 0, 0"], &jet);
    let [value, second, _, first, mixed, _] = jet;
    fitting(program, &Basis::without_unmixed(), ["1, 0, 1, 0", "2, 1, 0, 0"], &[value, second, first, mixed]);
}

#[test]
fn row_28_the_jets_of_an_optimum() {
    let jet = [Number(0.5), Number(4.0 / 3.0), Number(-64.0 / 9.0), Number(2560.0 / 27.0)];
    let value = [Number(3.0 / 64.0), jet[0], jet[1], jet[2]];
    for model in ["presheaf", "float"] {
        has_numbers(RIGHT, model, MAXIMISER, 3, "1/8", &jet);
        has_numbers(RIGHT, model, &MAXIMISER.replace("argmax01", "max01"), 3, "1/8", &value);
    }
    // the opposite function
    let opposite = r"\c => argmin01 (\y => y^4/4 - c*y)";
    has_numbers(RIGHT, "presheaf", opposite, 3, "1/8", &jet);
    let value = value.map(|number| match number {
        Number(q) => Number(-q),
        other => other,
    });
    has_numbers(RIGHT, "presheaf", &opposite.replace("argmin01", "min01"), 3, "1/8", &value);
    // the maximiser of c y − exp y is log c, and the maximum c log c − c
    let logarithm = [0.405465108108164, 2.0 / 3.0, -4.0 / 9.0, 16.0 / 27.0, -32.0 / 27.0];
    has_numbers(RIGHT, "presheaf", r"\c => argmax01 (\y => c*y - exp y)", 4, "3/2", &logarithm.map(Number));
}

/// At an end of [0, 1] a solution stays. Where it is not decided whether it is at an end, it has a value and no slope.
#[test]
fn solutions_at_the_ends() {
    let zero = Number(0.0);
    for (program, point, expected) in [
        (r"\c => argmax01 (\y => c*y - y^2)", "3", [Number(1.0), zero, zero]),
        (r"\c => argmax01 (\y => c*y - y^2)", "-1", [zero, zero, zero]),
        (r"\c => argmax01 (\y => c*y - y^2)", "0", [zero, Undefined, Undefined]),
        (r"\c => argmin01 (\y => c*y + y^2)", "1", [zero, zero, zero]),
        (r"\c => max01 (\y => c*y - y^2)", "3", [Number(2.0), Number(1.0), zero]),
        // the slope of the maximum is decided by its maximiser alone
        (r"\c => max01 (\y => c*y - y^2)", "0", [zero, zero, Undefined]),
        (r"\c => firstRoot (\y => c - y)", "-1", [zero, zero, zero]),
        (r"\c => firstRoot (\y => c - y)", "2", [Number(1.0), zero, zero]),
        (r"\c => firstRoot (\y => c - y)", "1", [Number(1.0), Undefined, Undefined]),
    ] {
        has_numbers(RIGHT, "presheaf", program, 2, point, &expected);
    }
    // π / (2 c)
    let quarter = std::f64::consts::FRAC_PI_4;
    let expected = [quarter, -quarter / 2.0, quarter / 2.0, -0.75 * quarter].map(Number);
    has_numbers(RIGHT, "presheaf", r"\c => firstRoot (\y => cos (c * y))", 3, "2", &expected);
}

/// Where F_y is 0 there is no slope, and the root is there.
#[test]
fn row_29_a_root_with_a_flat_function() {
    let text = at_jets(RIGHT, r"\c => cutRoot (\y => (c - y)^3)", &basis(1, 1), &["1/2, 1"]);
    let (term, ty) = infer(&text);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(60)));
    let eps = decimal::parse("1e-6").expect("a decimal");
    let answer = meaning::semantics_named("presheaf").expect("a model").evaluate(&term, &ty, &eps, &budget);
    let mut found = Vec::new();
    collect(&answer.expect("an answer").value, &mut found);
    let [AnswerNumber::Enclosure(value), AnswerNumber::Enclosure(slope)] = &found[..] else { panic!("{found:?}") };
    assert!(value.enclosure.is_defined() && value.enclosure.contains(&Rational::from((1, 2))));
    assert!(!slope.enclosure.is_defined());
}

/// Wrong rules differ from the jet of row 27: one has the other sign, one has y″ = 0.
#[test]
fn row_30_wrong_root_rules_are_refuted() {
    let of = |wrong: Solver| numbers("presheaf", &at_jets(wrong.as_hooks(), CUBIC, &basis(1, 3), &[&jet_text("1", 3)]));
    let signed = of(Solver::RootSign);
    assert!(fits(&signed[..2], &[CUBIC_JET[0], Number(-0.4172379879262188)]), "{signed:?}");
    let without = of(Solver::LowerCoordinates);
    assert!(fits(&without[..3], &[CUBIC_JET[0], CUBIC_JET[1], Number(0.0)]), "{without:?}");
    // a maximiser at an end that moves on
    let text = at_jets(Solver::Ends.as_hooks(), r"\c => argmax01 (\y => c*y - y^2)", &basis(1, 1), &["3, 1"]);
    assert!(fits(&numbers("presheaf", &text), &[Number(1.0), Number(0.5)]));
}

#[test]
fn row_31_kinks_have_sets_of_slopes_and_nothing_above() {
    let number = Number;
    has_numbers(CLARKE, "presheaf", "abs", 2, "0", &[number(0.0), Set(-1.0, 1.0), Undefined]);
    has_numbers(CLARKE, "presheaf", "abs", 2, "1", &[number(1.0), number(1.0), number(0.0)]);
    has_numbers(CLARKE, "presheaf", "abs", 2, "-2", &[number(2.0), number(-1.0), number(0.0)]);
    let program = r"\x => max (x * x) (2 * x) - min x (3 * x)";
    // at 0 the slopes of the maximum are [0, 2], and those of the minimum [1, 3]
    has_numbers(CLARKE, "presheaf", program, 2, "0", &[number(0.0), Set(-3.0, 1.0), Undefined]);
    has_numbers(CLARKE, "presheaf", program, 2, "1", &[number(1.0), number(1.0), number(0.0)]);
    has_numbers(CLARKE, "presheaf", program, 2, "3", &[number(6.0), number(5.0), number(2.0)]);
    // a root through a kink: y + |y| = c has the slopes 1/2 on the right, and 1 / 0 on the left
    has_numbers(CLARKE, "presheaf", r"\c => cutRoot (\y => c - 3 * y - abs y)", 2, "1", &[0.25, 0.25, 0.0].map(number));
    has_numbers(
        CLARKE,
        "presheaf",
        r"\c => cutRoot (\y => abs c - 2 * y)",
        2,
        "0",
        &[number(0.0), Set(-0.5, 0.5), Undefined],
    );
    // the wrong rule has a number where there is none
    let wrong = at_jets(Solver::UndefinedKink.as_hooks(), "abs", &basis(1, 2), &["0, 1, 0"]);
    assert!(fits(&numbers("presheaf", &wrong), &[number(0.0), Set(-1.0, 1.0), number(0.0)]));
}

/// A derivative under an integral is the derivative of the integral only if it is defined everywhere. Here it is not, on a null set, and
/// what is left of it is wrong: d²/dc² ∫ |x − c| dx = 2, and d/dc ∫ [x > c] dx = −1.
#[test]
fn integrals_of_what_is_undefined_on_a_null_set_have_no_derivative() {
    let [kink, jump, slopes] = [
        r"\c => integral01 (\x => abs (x - c))",
        r"\c => integral01 (\x => argmax01 (\y => (x - c) * y))",
        r"\c => integral01 (\x => deriv abs (x - c))",
    ];
    has_numbers(CLARKE, "presheaf", kink, 2, "1/2", &[Number(0.25), Number(0.0), Undefined]);
    has_numbers(CLARKE, "presheaf", kink, 2, "2", &[Number(1.5), Number(1.0), Number(0.0)]);
    // the kink is at the end
    has_numbers(CLARKE, "presheaf", kink, 2, "0", &[Number(0.5), Number(-1.0), Undefined]);
    has_numbers(RIGHT, "presheaf", jump, 1, "1/2", &[Number(0.5), Undefined]);
    has_numbers(RIGHT, "presheaf", jump, 1, "2", &[Number(0.0), Number(0.0)]);
    has_numbers(CLARKE, "presheaf", slopes, 1, "1/4", &[Number(0.5), Undefined]);
    // without the test there is a number, and it is not the derivative
    let of = |program: &str, order| {
        numbers(
            "presheaf",
            &at_jets(Solver::Integrands.as_hooks(), program, &basis(1, order), &[&jet_text("1/2", order)]),
        )
    };
    assert!(fits(&of(kink, 2)[2..], &[Number(0.0)]));
    assert!(fits(&of(jump, 1)[1..], &[Number(0.0)]));
}

/// Solvers in each other, in integrals and in derivatives, against nested derivatives of the presheaf model.
#[test]
fn nested_solvers_have_the_derivatives_of_the_presheaf_model() {
    for (program, point, order) in [
        (r"\c => integral01 (\x => cutRoot (\y => c*x - y - y^3))", "1", 2),
        (r"\c => cutRoot (\y => c - y - integral01 (\x => exp (x*y)))", "1", 2),
        (r"\c => cutRoot (\y => cutRoot (\z => y + c - z - z^3) - 2*y - c)", "1", 2),
        (r"\c => deriv (\t => cutRoot (\y => t*c - y - y^3)) 1", "1", 2),
        (r"\c => max01 (\y => y * argmin01 (\z => (z - c*y)^2 + z) - y^2 / 3)", "1", 1),
        (r"let root = \f => cutRoot (\y => f y - y) in \c => root (\y => c - root (\z => c * y - z))", "1/2", 2),
    ] {
        let (term, ty) = infer(program);
        let both =
            derivative_programs_with(RIGHT, &term, &ty, &[infer(&format!("({point} : Real)")).0], order).unwrap();
        let (_, value) = both.derived.unwrap_or_else(|e| panic!("{program}: {e}"));
        crate::taylor::same(
            &crate::taylor::enclosures(&both.nested, &both.ty),
            &crate::taylor::enclosures(&value, &both.ty),
            program,
        );
    }
}
