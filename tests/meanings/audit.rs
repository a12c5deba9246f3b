//! Verdicts on derivatives: functions whose true derivatives are derived by hand, and random functions in pieces against limits of
//! slopes in exact arithmetic.

mod causes;
mod exact;
mod kinks;
mod noise;
mod plane;
mod random;
mod steps;

use smoothish::audit::{AuditFinding, AuditReport, AuditSubject, Claim, ClaimTolerance, FloatFormat, GradientSubject};
use smoothish::number::budget::Budget;
use smoothish::number::{Rational, decimal};
use smoothish::session::Session;
use std::sync::Arc;
use std::time::Duration;

fn ratio(text: &str) -> Rational {
    match text.split_once('/') {
        Some((p, q)) => decimal::parse(p).unwrap() / decimal::parse(q).unwrap(),
        None => decimal::parse(text).unwrap(),
    }
}

fn report(session: &Session, text: &str, at: &Rational, claim: &Claim) -> AuditReport {
    let subject = AuditSubject::new(session, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    let found = subject.judge_claim(at, claim, &ClaimTolerance::default(), &budget);
    found.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn claim(text: &str) -> Claim {
    if text == "nan" { Claim::NotFinite } else { Claim::Number(ratio(text)) }
}

/// A function, a point, Clarke's set there as a list of its ends by hand, and numbers outside of it that other systems answer.
const SETS: &[(&str, &str, [&str; 2], &[&str])] = &[
    // max(x, 0) + min(x, 0) = x
    (r"\x => max x 0 + min x 0", "0", ["1", "1"], &["0", "2"]),
    (r"\x => max x 0 - max (0 - x) 0", "0", ["1", "1"], &["0", "2", "1/2"]),
    // max(x, 0) - (x + |x|)/2 = 0
    (r"\x => max x 0 - (x + abs x) / 2", "0", ["0", "0"], &["-1", "-1/2"]),
    (r"\x => if x == 0 then 0 else x", "0", ["1", "1"], &["0"]),
    (r"\x => if x == 1 then 0 else x - 1", "1", ["1", "1"], &["0"]),
    (r"\x => sqrt (x^4)", "0", ["0", "0"], &["nan"]),
    (r"\x => sqrt (x^2)", "0", ["-1", "1"], &["nan", "1.01"]),
    (r"\x => abs x * abs x", "0", ["0", "0"], &["1"]),
    (r"\x => abs x", "0", ["-1", "1"], &["nan", "-1.0000001"]),
    (r"\x => max x 0", "0", ["0", "1"], &["-1"]),
    // sin x/x = 1 - x²/6 + …
    (r"\x => if x == 0 then 1 else sin x / x", "0", ["0", "0"], &["nan", "1"]),
    // (1 - cos x)/x² = 1/2 - x²/24 + …
    (r"\x => if x == 0 then 1/2 else (1 - cos x) / x^2", "0", ["0", "0"], &["nan"]),
    // (exp x - 1)/x = 1 + x/2 + …
    (r"\x => if x == 0 then 1 else expm1 x / x", "0", ["1/2", "1/2"], &["0", "1"]),
    // log1p x/x = 1 - x/2 + …
    (r"\x => if x == 0 then 1 else log1p x / x", "0", ["-1/2", "-1/2"], &["0"]),
    // tan x/sin x = 1/cos x, x/atan x = 1 + x²/3 - …, sinh x/x, tanh x/x, asin x/x, asinh x/x, atanh x/x are even
    (r"\x => if x == 0 then 1 else tan x / sin x", "0", ["0", "0"], &["1"]),
    (r"\x => if x == 0 then 1 else x / atan x", "0", ["0", "0"], &["1"]),
    (r"\x => if x == 0 then 0 else (sinh x * tanh x - x^2) / x^2", "0", ["0", "0"], &["1"]),
    (r"\x => if x == 0 then 1 else asin x * atanh x / (x * asinh x)", "0", ["0", "0"], &["1"]),
    // (1 + x)^(1/2) - 1 = x/2 - x²/8 + …
    (r"\x => if x == 0 then 1/2 else (sqrt (1 + x) - 1) / x", "0", ["-1/8", "-1/8"], &["0"]),
    // the same with a root that is a third root
    (r"\x => if x == 0 then 1/3 else (cbrt (1 + x) - 1) / x", "0", ["-1/9", "-1/9"], &["0"]),
    // ∛(x³) = x, and ∛(x³ + x⁴) = x·∛(1 + x)
    (r"\x => cbrt (x^3)", "0", ["1", "1"], &["0", "nan"]),
    (r"\x => cbrt (x^3 + x^4)", "0", ["1", "1"], &["0"]),
    (r"\x => (x^2)^(3/2)", "0", ["0", "0"], &["nan"]),
    (r"\x => sqrt (abs x) * sqrt (abs x)", "0", ["-1", "1"], &["2"]),
    // arccos (1 - x²/2) = |x|·(1 + x²/24 + …)
    (r"\x => acos (1 - x^2 / 2)", "0", ["-1", "1"], &["nan", "2"]),
    (r"\x => acosh (1 + x^2 / 2)", "0", ["-1", "1"], &["nan"]),
    (r"\x => asin (1 - 2 * (x - 1)^2)", "1", ["-2", "2"], &["nan", "3"]),
    // arccos (1 - u) = √(2u)·(1 + O(u)): at an edge what is not known of the argument counts by its root
    (r"\x => if x == 0 then 0 else acos (cos (x^2)) / x", "0", ["1", "1"], &["0"]),
    (r"\x => if x == 0 then 0 else acos (cos (x^4)) / x^3", "0", ["1", "1"], &["0"]),
    (r"\x => if x == 0 then 0 else acos (1 - x^4 / 2) / x", "0", ["1", "1"], &["0"]),
    (r"\x => if x == 0 then 0 else acosh (1 + x^4 / 2) / x", "0", ["1", "1"], &["0"]),
    (r"\x => if x == 0 then 0 else asin (1 - x^4 / 2) / x - asin 1 / x", "0", ["-1", "-1"], &["0"]),
    (r"\x => if x == 0 then 0 else acos (1 - x^8 / 2) / x^3", "0", ["1", "1"], &["0"]),
    (r"\x => if x == 0 then 0 else acos (exp (0 - x^4 / 2)) / x", "0", ["1", "1"], &["0"]),
    (r"\x => if acos (1 - x^4) <= abs x^3 then 0 else x", "0", ["1", "1"], &["0"]),
    (r"\x => if acos (1 - x^4) <= x^3 then 0 else x", "0", ["1", "1"], &["0"]),
    // softplus and its stable form, log (1 + exp x)
    (r"\x => log (1 + exp x)", "0", ["1/2", "1/2"], &["0", "1"]),
    (r"\x => max x 0 + log1p (exp (0 - abs x))", "0", ["1/2", "1/2"], &["0", "1"]),
    (r"\x => 0 - log (1 + exp (0 - x))", "0", ["1/2", "1/2"], &["0"]),
    (r"\x => if x < 1 then x else sqrt x", "0", ["1", "1"], &["nan"]),
    (r"\x => if x < 1 then x else sqrt x", "1", ["1/2", "1"], &["2", "0.4999"]),
    (r"\x => if x >= 0 then x else sqrt (0 - x)", "1", ["1", "1"], &["nan"]),
    (r"\x => if x > 0 then log x else 0", "-1", ["0", "0"], &["nan"]),
    (r"\a => if a * a > 1/2 then 0 else atan2 a a", "1", ["0", "0"], &["nan"]),
    // max(min(x, 5), 0) inside; clip(x, 0, x) = max(0, min(x, x)) = max(0, x)
    (r"\x => max 0 (min x x)", "5", ["1", "1"], &["0"]),
    (r"\x => max (-1) (min x 1) + max (x - 1) 0 - max (-1 - x) 0", "1", ["1", "1"], &["2", "0"]),
    // x/max(x, x) is 1
    (r"\x => x / max x x", "1", ["0", "0"], &["1"]),
    // x·sgn x = |x|
    (r"\x => x * signum x", "0", ["-1", "1"], &["2"]),
    // xᵖ at 0
    (r"\x => x^0", "0", ["0", "0"], &["nan"]),
    (r"\x => x^2", "0", ["0", "0"], &["1"]),
    // √2 by two steps of Newton's method from 1, as a program: 13/36
    (r"\a => (let step = \x => (x + a / x) / 2 in step (step 1))", "2", ["13/36", "13/36"], &["0.353553390593"]),
    // perturbation confusion: x·d/dy (x + y) = x
    (r"\x => x * deriv (\y => x + y) 1", "1", ["1", "1"], &["2"]),
    // a derivative within the program, at points where it is on no border: (y²)′ = 2x for x > 0, (-y²)′ = -2x for x < 0
    (r"\x => deriv (\y => y * abs y) x", "1", ["2", "2"], &["1"]),
    (r"\x => if x == 0 then 0 else deriv (\y => y * abs y) x", "0", ["-2", "2"], &["3"]),
    // two kinks of which one hides the other: max(|x|, 2·|x|) = 2·|x|
    (r"\x => max (abs x) (2 * abs x)", "0", ["-2", "2"], &["3"]),
    // x² wins beside 0: max(x², x³) = x² for |x| < 1
    (r"\x => max (x^2) (x^3)", "0", ["0", "0"], &["1"]),
    (r"\x => max (sin x) x - x", "0", ["0", "0"], &["1"]),
    // sin x < x for x > 0, so |sin x - x| = x - sin x there, of order 3
    (r"\x => if sin x < x then 1 + x else 1 - 2 * x", "0", ["-2", "1"], &["2"]),
    // sin x + x³/6 - x⁵/120 - x = -x⁷/5040 + …
    (r"\x => if sin x + x^3 / 6 - x^5 / 120 < x then 2 * x else x", "0", ["1", "2"], &["0.9"]),
    (r"\x => if cos x < 1 then x else 7 * x", "0", ["1", "1"], &["7"]),
    // what the presheaf meaning has alone: ∫ max(0, x - c) dx = (1 - c)²/2
    (r"\c => integral01 (\x => max 0 (x - c))", "1/4", ["-3/4", "-3/4"], &["0", "nan"]),
    // √a as the root of a - x²
    (r"\a => firstRoot (\x => a - x^2)", "1/4", ["1", "1"], &["0"]),
];

/// Every end of a set is inside, as is what lies between; what others answer is outside.
#[test]
fn sets_are_those_derived_by_hand() {
    let session = Session::new();
    for (text, at, [lo, hi], outside) in SETS {
        let (point, lo, hi) = (ratio(at), ratio(lo), ratio(hi));
        let middle = Rational::from(&lo + &hi) / 2;
        for inside in [&lo, &hi, &middle] {
            let found = report(&session, text, &point, &Claim::Number(inside.clone()));
            assert_eq!(found.finding, AuditFinding::Inside, "{text} at {at}: {inside}: {found:?}");
            let set = found.set.unwrap();
            assert!(set.contains(&lo) && set.contains(&hi), "{text} at {at}: {set:?}");
        }
        for answer in *outside {
            let found = report(&session, text, &point, &claim(answer));
            assert!(matches!(found.finding, AuditFinding::Outside(_)), "{text} at {at}: {answer}: {found:?}");
        }
    }
}

/// A function, a point, and why there is no derivative, by the name of the finding.
const NONE: &[(&str, &str, &str)] = &[
    (r"\x => sin x / x", "0", "NOT_DEFINED"),
    (r"\x => log x", "0", "NOT_DEFINED"),
    (r"\x => log x", "-1", "NOT_DEFINED"),
    (r"\x => atan2 x x", "0", "NOT_DEFINED"),
    (r"\x => sqrt x * sqrt x", "0", "ONE_SIDED"),
    (r"\x => sqrt x", "0", "ONE_SIDED"),
    (r"\x => acos x", "1", "ONE_SIDED"),
    // only at 0
    (r"\x => sqrt (0 - x^2)", "0", "ONE_SIDED"),
    (r"\x => if x == 0 then 0 else log x", "0", "ONE_SIDED"),
    (r"\x => if x > 0 then 1 else 0", "0", "NOT_CONTINUOUS"),
    (r"\x => signum x", "0", "NOT_CONTINUOUS"),
    (r"\x => if x == 0 then 1 else 0", "0", "NOT_CONTINUOUS"),
    (r"\x => if x == 0 then 2 else sin x / x", "0", "NOT_CONTINUOUS"),
    (r"\x => if x == 0 then 0 else 1 / x", "0", "NOT_CONTINUOUS"),
    (r"\x => if x == 0 then 0 else x / (1 - cos x)", "0", "NOT_CONTINUOUS"),
    (r"\x => atan2 x (-1)", "0", "NOT_CONTINUOUS"),
    // ±√2
    (r"\x => if x == 0 then 0 else acos (1 - x^6) / x^3", "0", "NOT_CONTINUOUS"),
    (r"\x => if x == 0 then 0 else acos (cos (log (1 + x^4))) / x^5", "0", "NOT_CONTINUOUS"),
    (r"\x => cbrt x", "0", "NOT_LIPSCHITZ"),
    (r"\x => sqrt (abs x)", "0", "NOT_LIPSCHITZ"),
    // its slope is x^(-1/2)·cos √x/2 for x > 0
    (r"\x => if x > 0 then sin (sqrt x) else x", "0", "NOT_LIPSCHITZ"),
    (r"\x => acos (1 - abs x)", "0", "NOT_LIPSCHITZ"),
    // relu's derivative
    (r"\x => if x == 0 then 0 else deriv (\y => max y 0) x", "0", "NOT_CONTINUOUS"),
    // not decided: x²·sin (1/x), whose one-sided derivatives are 0 and whose set is [-1, 1]; x·log x is not analytic either;
    // exp (-1/x²) is smooth with a series that is 0
    (r"\x => if x == 0 then 0 else x^2 * sin (1 / x)", "0", "UNKNOWN"),
    (r"\x => if x > 0 then x * log x else 0", "0", "UNKNOWN"),
    (r"\x => if x == 0 then 0 else exp (0 - 1 / x^2)", "0", "UNKNOWN"),
    // sin y - y = -y³/6 + …, of order 27 in x: more terms than are computed, all 0, are not 0
    (r"\x => if sin (x^9) < x^9 then 2 * x else x", "0", "UNKNOWN"),
    // a guard that is 0 everywhere, which no series shows, and one whose derivative is taken on a border everywhere
    (r"\x => if (cosh x)^2 - (sinh x)^2 <= 1 then x else 0 - x", "1", "UNKNOWN"),
    (r"\x => deriv (\y => if y == x then 0 else y) x", "1", "UNKNOWN"),
    // right, if what was promised holds
    (r"\a => cutRoot (\x => max (-x) (a - x^2))", "4", "UNKNOWN"),
];

/// Where there is no derivative, that is said, whatever is claimed.
#[test]
fn where_there_is_no_derivative_that_is_said() {
    let session = Session::new();
    for (text, at, finding) in NONE {
        for answer in ["0", "1", "nan"] {
            let found = report(&session, text, &ratio(at), &claim(answer));
            assert_eq!(found.finding.name(), *finding, "{text} at {at}: {answer}: {found:?}");
        }
    }
}

/// A function of several variables, a point, a gradient, and the finding; Clarke's sets by hand.
const GRADIENTS: &[(&str, &str, &str, &str)] = &[
    (r"\(x, y) => x * y + y^2", "3,1/2", "1/2,4", "CERTIFIED_IN"),
    (r"\(x, y) => x * y + y^2", "3,1/2", "1/2,3", "unexplained"),
    (r"\(x, y) => x * y + y^2", "3,1/2", "nan,4", "nan"),
    // the norm at 0: the set is the disc, its enclosure the square
    (r"\(x, y) => sqrt (x^2 + y^2)", "3,4", "0.6,0.8", "CERTIFIED_IN"),
    // max(x, y, z) at a tie: the convex hull of the unit vectors
    (r"\(x, y, z) => max x (max y z)", "1,1,1", "1,0,0", "CERTIFIED_IN"),
    (r"\(x, y, z) => max x (max y z)", "1,1,1", "1/4,1/4,1/2", "CERTIFIED_IN"),
    (r"\(x, y) => max x y", "1,1", "1/2,1/2", "CERTIFIED_IN"),
    // within the square of the intervals, and not in the triangle
    (r"\(x, y, z) => max x (max y z)", "1,1,1", "1/2,1/4,1/8", "kink"),
    (r"\(x, y) => max x y", "1,1", "1/2,1/4", "kink"),
    // |x| + |y|: the square
    (r"\(x, y) => abs x + abs y", "0,0", "-1/3,1/5", "CERTIFIED_IN"),
    (r"\(x, y) => abs x + abs y", "0,0", "-1/3,5/4", "kink"),
    // max(x, 0)·y at (0, 2): from (0, 0) to (2, 0)
    (r"\(x, y) => max x 0 * y", "0,2", "3/2,0", "CERTIFIED_IN"),
    (r"\(x, y, z) => max x (max y z)", "1,1,1", "3/2,0,0", "kink"),
    (r"\(x, y, z) => max x (max y z)", "1,1,0", "0,0,1/2", "unexplained"),
    // log-sum-exp at a tie
    (r"\(x, y) => log (exp x + exp y)", "0,0", "1/2,1/2", "CERTIFIED_IN"),
    // 1/(1 + exp (-25)) is 1 less 1.4e-11
    (r"\(x, y) => log (1 + exp (x + y))", "20,5", "1,1", "unexplained"),
    // on the border of a guard nothing is enclosed: its set is {0} × [-1, 1], and lines never enter the cusp
    (
        r"\(x, y) => if y > 0 then if y < x^2 then if y < x^2 / 2 then y else x^2 - y else 0 else 0",
        "0,0",
        "0,1",
        "UNKNOWN",
    ),
    (r"\(x, y) => y / x", "0,1", "0,1", "NOT_DEFINED"),
    (r"\(x, y) => if x == 0 then 0 else y", "0,1", "0,1", "UNKNOWN"),
    (r"\(x, y) => x^2 + y", "2,1", "4.3,1.05", "unexplained"),
    (r"\(x, y) => integral01 (\t => max 0 (t * x - y))", "1,1/2", "3/8,-1/2", "CERTIFIED_IN"),
];

/// What is proven of gradients: ∂/∂x ∫ max(0, tx - y) dt at (1, 1/2) is ∫ t dt from 1/2 to 1, 3/8.
#[test]
fn gradients_are_audited() {
    let session = Session::new();
    for (text, at, claims, expected) in GRADIENTS {
        let at: Vec<_> = at.split(',').map(ratio).collect();
        let claims: Vec<_> = claims.split(',').map(claim).collect();
        let subject = GradientSubject::new(&session, text, at.len()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
        let found = subject.judge_claims(&at, &claims, &ClaimTolerance::default(), &budget).unwrap();
        let name = match &found.finding {
            AuditFinding::Outside(cause) => cause.name(),
            other => other.name(),
        };
        assert_eq!(name, *expected, "{text}: {found:?}");
    }
}

/// What is outside has its cause.
#[test]
fn what_is_outside_has_its_cause() {
    let session = Session::new();
    let cause = |text, at, answer| match report(&session, text, &ratio(at), &claim(answer)).finding {
        AuditFinding::Outside(cause) => cause.name(),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(cause(r"\x => max x 0 + min x 0", "0", "2"), "kink");
    assert_eq!(cause(r"\x => sqrt (x^4)", "0", "nan"), "nan");
    // 1/(1 + exp (-25)) is 1 less 1.4e-11, and reverse mode is as near as some units
    assert_eq!(cause(r"\x => log (1 + exp x)", "25", "1"), "unexplained");
    assert_eq!(cause(r"\x => x^2", "1", "3"), "unexplained");
    // floating-point arithmetic gives 2
    assert_eq!(cause(r"\x => x^2", "1", "2.1"), "unexplained");
}

/// Powers far apart, and roots of many orders, cost no more than others.
#[test]
fn series_stay_short() {
    let session = Session::new();
    for text in [
        r"\x => if x == 0 then 1 else (x^100000)^100000 + 1",
        r"\x => if x == 0 then 1 else x^2 / ((x^100000)^100000 + 1) + 1",
        r"\x => if x == 0 then 1 else ((x^100000)^100 + 1)^(1/2) * abs x",
        r"\x => (abs x)^(1/23) * (abs x)^(1/19) * (abs x)^(1/17) * (abs x)^(1/13) * (abs x)^(1/11) * (abs x)^(1/7) * x",
        r"\x => sin ((abs x)^(1/23)) * sin ((abs x)^(1/19)) * sin ((abs x)^(1/17)) * x",
    ] {
        let begun = std::time::Instant::now();
        let found = report(&session, text, &ratio("0"), &claim("7"));
        assert!(begun.elapsed() < Duration::from_secs(25), "{text}: {found:?} after {:?}", begun.elapsed());
        assert!(!matches!(found.finding, AuditFinding::Inside), "{text}: {found:?}");
    }
}

/// The tolerance is a number of units in the last place of the type, and of its least normal number near 0.
#[test]
fn the_tolerance_is_in_units_of_the_type() {
    let session = Session::new();
    let subject = AuditSubject::new(&session, r"\x => 3 * x").unwrap();
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    let off = |format, units, by: &str| {
        let claim = Claim::Number(Rational::from(3) + ratio(by));
        subject
            .judge_claim(&ratio("0"), &claim, &ClaimTolerance { format, units, ..ClaimTolerance::default() }, &budget)
            .unwrap()
            .finding
            == AuditFinding::Inside
    };
    // 3·2⁻⁵² = 6.66e-16
    assert!(off(FloatFormat::Float64, 1, "6.6e-16") && !off(FloatFormat::Float64, 1, "6.7e-16"));
    // 3·2⁻²³ = 3.576e-7, 3·2⁻¹⁰ = 0.0029297, 3·2⁻⁷ = 0.0234375
    assert!(off(FloatFormat::Float32, 1, "3.57e-7") && !off(FloatFormat::Float32, 1, "3.58e-7"));
    assert!(off(FloatFormat::Float16, 1, "-0.00292") && !off(FloatFormat::Float16, 1, "-0.00294"));
    assert!(off(FloatFormat::Bfloat16, 2, "0.0468") && !off(FloatFormat::Bfloat16, 2, "0.0469"));
    let nothing = AuditSubject::new(&session, r"\x => 3").unwrap();
    let tiny = |claim: Rational| {
        let found =
            nothing.judge_claim(&ratio("0"), &Claim::Number(claim), &ClaimTolerance::default(), &budget).unwrap();
        found.finding == AuditFinding::Inside
    };
    assert!(tiny(Rational::from(1) >> 1070) && !tiny(Rational::from(1) >> 1060) && !tiny(ratio("1e-20")));
}
