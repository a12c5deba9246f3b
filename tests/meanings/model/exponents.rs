//! Exponents: by its exponent as it is written, and by the type of that, a power is the same function in every model.

use super::{ask, enclosure, eps, float, infer, judgements, statements};
use smoothish::law::agreement::{DisagreementReason, PartComparison};
use smoothish::model::answer::SemanticsError;
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

/// ∛(-8) = -2, so (-8)^(4/3) = 16, and d/dx ∛x = 1/(3·∛x²) = 1/12 at -8: a `let` gives a name to what is arithmetic of literals.
#[test]
fn exponents_that_are_written_are_constants() {
    is_everywhere("(\\x => let t = 1/3 in x ^ t + t) (-8)", (-5, 3));
    is_everywhere("let d = 1/3 in deriv (\\x => x ^ d) (-8)", (1, 12));
    is_everywhere("let n = 2 in (0 - 2) ^ n", (4, 1));
    is_everywhere("let n = 2 in let m = n + 1 in deriv (\\x => x ^ m) (0 - 2)", (12, 1));
    is_everywhere("let t = 2 in (-8) ^ (t / 3 - 1/3 * 1 + 0)", (-2, 1));
    is_everywhere("let t = 1/3 in (-8) ^ (-t)", (-1, 2));
    is_everywhere("deriv (\\x => x ^ (2 ^ 1)) (-8)", (-16, 1));
    is_everywhere("deriv (\\x => x ^ (2 ^ 0)) (-8)", (1, 1));
    is_everywhere("deriv (\\x => (x ^ (1/3)) ^ (7 ^ 1)) (-8)", (112, 3));
}

/// A natural number of factors, in every model and for every base: (-2)³ = -8, x⁰ = 1, also where x is 0, and d/dx x³ = 12 at -2.
#[test]
fn natural_exponents_are_products() {
    let all = ["presheaf", "tower", "partial", "pap"];
    for (program, expected) in [
        ("(\\(n : Nat) => (0 - 2) ^ n) 3", -8),
        ("(\\(n : Nat) => (0 - 2) ^ n) 0", 1),
        ("(\\(n : Nat) x => x ^ n) 0 0", 1),
        ("(\\(n : Nat) x => x ^ n) 1 0", 0),
        ("(\\n => (0 - 2) ^ n + toReal n) 3", -5),
        ("(\\x => (\\(n : Nat) => x ^ (n + 1)) 2) (0 - 2)", -8),
        ("deriv (\\x => (\\(n : Nat) => x ^ n) 3) (0 - 2)", 12),
        ("nthDeriv 2 (\\x => (\\(n : Nat) => x ^ n) 3) (0 - 2)", -12),
        ("let rec f (n : Nat) = if n == 0 then 0 else (0 - 2) ^ n + f (n - 1) in f 3", -6),
        ("let rec f n = if n == 0 then 0 else (0 - 2) ^ n + f (n - 1) in f 3", -6),
    ] {
        for model in all {
            let found = enclosure(model, program);
            assert!(found.is_defined() && found.contains(&Rational::from(expected)), "{model}: {program}: {found}");
            assert!(found.width().to_f64() < 1e-8, "{model}: {program}: {found}");
        }
        assert!((float(program) - f64::from(expected)).abs() < 1e-9, "{program}: {}", float(program));
    }
    // more factors than an exponent that is written may say: 1 - 2000001/10¹² and what is of the order of its square
    let program = "(\\(n : Nat) => (1 - 1e-12) ^ n) 2000001";
    for model in all {
        let found = enclosure(model, program);
        assert!((found.lo().to_f64() - (1.0 - 2.000001e-6 + 2e-12)).abs() < 1e-9, "{model}: {found}");
    }
    let program = "(\\(n : Nat) => (0 - 1) ^ n) 2000001";
    for model in all {
        assert!(enclosure(model, program).contains(&Rational::from(-1)), "{model}");
    }
}

/// Whether every model that encloses finds that a program has no value, and floating-point numbers none either.
#[track_caller]
fn is_nowhere(program: &str) {
    for model in ["presheaf", "tower", "partial", "pap"] {
        let found = match ask(model, program) {
            Ok(answer) => !super::is_defined(&answer),
            Err(error) => matches!(error, SemanticsError::Undefined(_)),
        };
        assert!(found, "{model}: {program}");
    }
    assert!(float(program).is_nan(), "{program}: {}", float(program));
}

/// An exponent of type `Real` may vary, and then x^y is exp(y·log x), at whatever number y is: no reduction makes it another function.
#[test]
fn real_exponents_are_no_constants() {
    for program in [
        "(\\y => (0 - 2) ^ y) 2",
        "(\\t => (-8) ^ t) (1/3)",
        "let p = (2, 1/3) in (-8) ^ p[1]",
        "let third n = 1 / n in (-8) ^ third 3",
        "(-8) ^ (deriv (\\x => 1) 0 + 1/3)",
        "(\\(n : Nat) => (-2) ^ toReal n) 2",
        "deriv (\\y => (0 - 2) ^ y) 2",
        "(^) (0 - 2) 2",
    ] {
        is_nowhere(program);
    }
    // and where it has a value it is that: 2^(3/2) = 2.8284271247461903
    for program in ["(\\y => 2 ^ y) 1.5", "(^) 2 1.5", "(\\x y => x ^ y) 2 (3/2)"] {
        for model in ["presheaf", "tower", "partial", "pap"] {
            let found = enclosure(model, program);
            assert!(
                (found.lo().to_f64() - 8f64.sqrt()).abs() < 1e-8 && found.is_defined(),
                "{model}: {program}: {found}"
            );
        }
    }
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
        let statements = statements(&term, &ty, &eps(), u64::MAX);
        for model in ["presheaf", "tower"] {
            let judged = judgements(&statements, model);
            assert_eq!(
                judged,
                Some(vec![PartComparison::NotCompared(DisagreementReason::Undefined)]),
                "{model}: {program}"
            );
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
