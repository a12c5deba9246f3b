//! Perturbation confusion does not occur: a derivative inside another keeps its own direction (X6, T13).

use super::{ask, enclosure, float};
use smoothish::model::answer::AnswerNumber;
use smoothish::number::Rational;

#[track_caller]
fn is_everywhere(program: &str, expected: i64, towers: bool) {
    let exact = Rational::from(expected);
    let found = enclosure("presheaf", program);
    assert!(found.contains(&exact) && found.is_defined() && found.is_point(), "presheaf: {program}: {found}");
    let found = float(program);
    assert!((found - expected as f64).abs() < 1e-12, "float: {program}: {found}");
    if towers {
        let found = enclosure("tower", program);
        assert!(found.contains(&exact) && found.is_defined(), "tower: {program}: {found}");
    }
}

/// T13: d/dx (x · d/dy (x + y)) at 1 is 1, not 2; d/dx (x · d/dy (x·y²) at y = 1) at 3 is 12, not 6.
#[test]
fn nested_derivatives_are_not_confused() {
    is_everywhere("deriv (\\x => x * deriv (\\y => x + y) 1) 1", 1, true);
    is_everywhere("deriv (\\x => x * deriv (\\y => x * y^2) 1) 3", 12, true);
    is_everywhere("deriv (\\x => deriv (\\y => deriv (\\z => x * y * z) x) (x * x)) 2", 1, true);
    // the same directions through tangents
    is_everywhere("derivByTangent (\\x => x * derivByTangent (\\y => x + y) 1) 1", 1, true);
    // and mixed
    is_everywhere("derivByTangent (\\x => x * deriv (\\y => x * y^2) 1) 3", 12, true);
}

/// The derivative of `s u f x = f (x + u)` at u = 0, a function of functions: d (f, x) = f′(x). So d of x ↦ d (h, x) is h″.
const SHIFT: &str = "let s = \\u => \\p => (fst p) (snd p + u) in \
                     let d = snd (tangentTo_R.to (tangent s (tangent_R.from (0, 1)))) in ";

/// X6 (Manzyuk et al. 2019): h = exp at 0 gives 1, where one tag for both derivatives gives 0.
#[test]
fn a_derivative_that_is_used_inside_itself_is_not_confused() {
    is_everywhere(&format!("{SHIFT} d (exp, 0)"), 1, false);
    is_everywhere(&format!("{SHIFT} d (\\x => d (exp, x), 0)"), 1, false);
    is_everywhere(&format!("{SHIFT} d (\\x => d (\\y => y^3, x), 2)"), 12, false);
    is_everywhere(&format!("{SHIFT} d (\\x => d (\\y => d (\\z => z^4, y), x), 1)"), 24, false);
    is_everywhere(&format!("{SHIFT} deriv (\\c => d (\\x => c * d (\\y => c * y^3, x), 2)) 1"), 24, false);
    // towers have no tangents of functions
    assert!(ask("tower", &format!("{SHIFT} d (exp, 0)")).unwrap_err().unsupported_construct().is_some());
}

/// The curve f + s·df, perturbed while another derivative is taken of the same functions.
#[test]
fn perturbed_functions_are_not_confused() {
    let der = "let g = \\f => f (f 1) in";
    // d/ds g(f + s·df) = df(f 1) + f′(f 1)·df(1): for f = x², df = x it is 1 + 2
    is_everywhere(&format!("{der} snd (tangent_R.to (tangent g (tangentTo_R.from (\\x => x^2, \\x => x))))"), 3, false);
    // for f = c·x², df = x it is c + 2c²: its derivative at c = 1 is 5
    let inner = "snd (tangent_R.to (tangent g (tangentTo_R.from (\\x => c * x^2, \\x => x))))";
    is_everywhere(&format!("{der} deriv (\\c => {inner}) 1"), 5, false);
}

#[test]
fn an_estimate_of_the_error_comes_with_a_floating_point_number() {
    let error = |program: &str| match ask("float", program).unwrap().value {
        smoothish::value::Value::Real(AnswerNumber::Float { error, .. }) => error,
        other => panic!("{other:?}"),
    };
    // exact operations cost nothing; cancellation shows
    assert_eq!(error("(2 + 3) * 4"), 0.0);
    let (small, large) = (error("1/3"), error("(1e8 + 1/3) - 1e8"));
    assert!(small > 0.0 && small < 1e-15 && large > 1e-9 && large < 1e-6, "{small} {large}");
}
