//! Exponents: every model takes the same exponents for constants, however they came about.

use super::{Duration, enclosure, eps, float, infer, judgements, statements};
use smoothish::law::agreement::{Judgement, Reason};
use smoothish::number::{Rational, decimal};
use std::process::Command;

/// Presheaves and towers are defined and contain the number; the float is it, but for rounding.
#[track_caller]
fn is_everywhere(program: &str, expected: (i64, i64)) {
    let exact = Rational::from(expected);
    for model in ["presheaf", "tower"] {
        let found = enclosure(model, program);
        assert!(found.is_defined() && found.contains(&exact), "{model}: {program}: {found}");
        assert!(found.width().to_f64() < 1e-8, "{model}: {program}: {found}");
    }
    let (found, exact) = (float(program), exact.to_f64());
    assert!((found - exact).abs() <= 1e-14 * exact.abs().max(1.0), "float: {program}: {found}");
}

/// ∛(-8) = -2, so (-8)^(4/3) = 16, and d/dx ∛x = 1/(3·∛x²) = 1/12 at -8.
#[test]
fn shared_exponents_are_constants() {
    is_everywhere("(\\x => let t = 1/3 in x ^ t + t) (-8)", (-5, 3));
    is_everywhere("(\\t => (-8) ^ t) (1/3)", (-2, 1));
    is_everywhere("let d = 1/3 in deriv (\\x => x ^ d) (-8)", (1, 12));
    is_everywhere("let p = (2, 1/3) in (-8) ^ p[1]", (-2, 1));
    is_everywhere("(\\x => let t = (1/3, x) in let s = fst t + 1 in x ^ s + s * fst t) (-8)", (148, 9));
    is_everywhere("deriv (\\y => (\\x => let t = 1/3 in x ^ t + t * y) (-8)) 1", (1, 3));
    is_everywhere("let third n = 1 / n in (-8) ^ third 3", (-2, 1));
    is_everywhere(
        "let cube = \\(x : Real) => x ^ (1/3) in let f = \\g => \\e => g (-8) ^ e in f cube (6 - 2 * 2)",
        (4, 1),
    );
}

/// What is carried out exactly: the four operations, negation, exponents 0 and 1, tuples, and the derivative of a constant.
#[test]
fn arithmetic_on_constants_is_carried_out() {
    is_everywhere("let t = 2 in (-8) ^ (t / 3 - 1/3 * 1 + 0)", (-2, 1));
    is_everywhere("let t = 1/3 in (-8) ^ (-t)", (-1, 2));
    is_everywhere("(-8) ^ ((1/3, 2) + (0, 1))[0]", (-2, 1));
    is_everywhere("(-8) ^ (-(-1/3, 2))[0]", (-2, 1));
    is_everywhere("(-8) ^ (deriv (\\x => 1) 0 + 1/3)", (-2, 1));
    is_everywhere("(-8) ^ (deriv (\\x => pi) 0 + 1/3)", (-2, 1));
    is_everywhere("deriv (\\x => x ^ (2 ^ 1)) (-8)", (-16, 1));
    is_everywhere("deriv (\\x => x ^ (2 ^ 0)) (-8)", (1, 1));
    is_everywhere("deriv (\\x => (x ^ (1/3)) ^ (7 ^ 1)) (-8)", (112, 3));
}

/// Odd roots of negative numbers by large odd denominators, which floating-point numbers recognise too. By mpmath,
/// 8^(1/101) = 1.020801935956440…, 8^(7/10001) = 1.001456523233926… 8^(1/200001) =
/// 1.000010397209773… and 8^(2/200001) = 1.000020794527648….
#[test]
fn denominators_may_be_large() {
    for (program, digits) in [
        ("let t = 1/101 in (-8) ^ t", "-1.0208019359564402"),
        ("(-8) ^ (7/10001)", "-1.0014565232339268"),
        ("let n = 200001 in (-8) ^ (1/n)", "-1.0000103972097731"),
        ("let n = 200001 in (-8) ^ (2/n)", "1.0000207945276485"),
    ] {
        let expected = decimal::parse(digits).unwrap().to_f64();
        for model in ["presheaf", "tower"] {
            let found = enclosure(model, program);
            assert!(found.is_defined() && (found.lo().to_f64() - expected).abs() < 1e-8, "{model}: {program}: {found}");
        }
        assert!((float(program) - expected).abs() < 1e-15, "{program}: {}", float(program));
    }
}

/// What is no number, or no fraction, is a power of none.
#[test]
fn exponents_that_are_no_fractions_come_to_an_end() {
    for program in
        ["(-8) ^ (sqrt (-1))", "(-8) ^ (exp 1000)", "(-8) ^ (1 / exp 700)", "(-8) ^ pi", "(-8) ^ (1e-300 / 3)"]
    {
        assert!(float(program).is_nan(), "{program}: {}", float(program));
    }
}

/// No constants: a function of a constant, and a variable of a derivative. Then x^y is exp(y·log x), undefined at -8.
#[test]
fn other_exponents_are_none() {
    for program in
        ["(-8) ^ (sqrt 1 / 3)", "(-8) ^ min (1/3) 2", "deriv (\\t => (-8) ^ (0 * t + 1)) 1", "(-8) ^ (1/2000001)"]
    {
        let (term, ty) = infer(program);
        let statements = statements(&term, &ty, &eps(), Duration::from_secs(5));
        for model in ["presheaf", "tower"] {
            let judged = judgements(&statements, model);
            assert_eq!(judged, Some(vec![Judgement::Open(Reason::Undefined)]), "{model}: {program}");
        }
    }
}

/// A bound on a number that need not exist is no answer.
#[test]
fn what_may_be_undefined_is_shown_as_the_whole_line() {
    let output = Command::new(env!("CARGO_BIN_EXE_smoothish")).args(["agree", "(-8) ^ min (1/3) 2"]).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let tower = out.lines().find(|line| line.starts_with("tower")).unwrap_or_else(|| panic!("{out}"));
    assert!(tower.contains("[-inf, inf]") && tower.contains("not shown to be defined"), "{out}");
}
