//! A mean is claimed only where the absolute value has one.
//!
//! The programs without a mean are those of a hunt for wrong answers: inner integrals cancel where the outer one has a pole. That
//! E |f| = ∞ is by hand: the exponent of E(|f| | x)·p(x) at 0 is -1.

use super::{Ask, PLAIN, asked, reader};
use smoothish::law::measure::{LAWS, PoleProgram};
use smoothish::measure::MeasureAnswer;
use smoothish::measure::hooks::DefaultMeasureHooks;
use smoothish::number::Rational;
use smoothish::random::SplitMix64;
use smoothish::verdict::Verdict;

/// The mean of a program, or its derivative at a parameter.
fn mean(program: &str, at: Option<&str>) -> MeasureAnswer {
    let ask = Ask { at, order: u32::from(at.is_some()), eps: "1e-6", seconds: 2, ..PLAIN };
    asked(program, Some("\\z => z"), ask).unwrap_or_else(|fault| panic!("{program}: {fault}"))
}

/// Programs with E |z| = ∞.
const WITHOUT: &[&str] = &[
    "do {x <- sample (uniformOn 0 1); y <- sample (uniformOn (-x) x); return (y/x^2)}",
    "do {x <- sample (beta 2 1); y <- sample (uniformOn 0 x); return ((x - 2*y)/x^3)}",
    "do {x <- sample (uniformOn 0 1); y <- sample (uniformOn (-x) (x+x^2)); return (y/x^2)}",
    "do {x <- sample (uniformOn 0 1); y <- sample (uniformOn (-x) x); score (1 + y); return (y/x^2)}",
    "do {x <- sample (uniformOn 0 1); y <- sample (uniformOn (-x) (x+x^2)); score (1 + y); return (y/x^2)}",
    "do {x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 x); return ((2*y - x)/x^2)}",
    "do {x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 x); score x; return ((x - 2*y)/x^3)}",
    "do {x <- sample (beta 2 1); y <- sample (uniformOn (-x) x); return (y/x^3)}",
    "do {x <- sample (beta 2 1); y <- sample (uniformOn (-x) x); score (1 + y^2); return ((y - x^2)/x^3)}",
    "do {x <- sample (uniformOn 0 1); y <- sample (uniformOn (-x) x); return ((y - x^2)/x^2)}",
    "do {x <- sample (beta 3 1); y <- sample (uniformOn (-x) (x + x^2)); return ((y + x^2)/x^4)}",
    "do {x <- sample (beta 3 1); y <- sample (uniformOn 0 x); return ((x - 2*y)/x^4)}",
    "do {x <- sample (beta 2 1); y <- sample (uniformOn (-x) (2*x)); score (1 + y^2); return ((y - x/2)/x^3)}",
    "do {x <- sample (uniformOn 0 1); y <- sample (uniformOn (-x) x); z <- sample (uniformOn 0 1); return (z*y/x^2)}",
    "do {x <- sample (uniformOn 0 1); v <- sample (uniformOn (-1) 1); return (v/x)}",
];

/// Programs that are nearly the same, and have means: each with the exponents of its absolute value greater than -1, the mean by hand.
const WITH: &[(&str, f64)] = &[
    ("do {x <- sample (uniformOn 0 1); y <- sample (uniformOn (-x) x); return (y/x)}", 0.0),
    // E(y | x) = x²/2: ∫ x^(1/2)/2
    ("do {x <- sample (uniformOn 0 1); y <- sample (uniformOn (-x) (x+x^2)); return (y/x^1.5)}", 1.0 / 3.0),
    // E(y (1 + y) | x) = x²/3: ∫ x^(1/2)/3
    ("do {x <- sample (uniformOn 0 1); y <- sample (uniformOn (-x) x); score (1 + y); return (y/x^1.5)}", 2.0 / 9.0),
    ("do {x <- sample (beta 3 1); y <- sample (uniformOn 0 x); return ((x - 2*y)/x^3)}", 0.0),
    // -∫ 2x(1 + x²/3)/∫ 2x(1 + x²/3)
    ("do {x <- sample (beta 2 1); y <- sample (uniformOn (-x) x); score (1 + y^2); return ((y - x^2)/x^2)}", -1.0),
    ("do {x <- sample (uniformOn 0 1); y <- sample (normal 0 1); return (y/sqrt x)}", 0.0),
    // E log x = -γ, times 0
    ("do {x <- sample (exponential 1); y <- sample (normal 0 1); return (log x * y)}", 0.0),
    ("do {x <- sample (gamma 2 1); y <- sample (normal 0 1); return (y/x)}", 0.0),
    ("do {x <- sample (uniformOn 0 1); return (log x)}", -1.0),
];

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn a_derivative_of_what_is_no_mean_is_not_claimed() {
        let program = |power: &str| {
            format!(
                "\\(t : Real) => do {{x <- sample (uniformOn 0 1); y <- sample (uniformOn (-x) (x + t*x^2)); return (y/x^{power})}}"
            )
        };
        let found = mean(&program("2"), Some("1")).enclosure;
        assert!(!found.is_defined(), "{found}");
        // E(y | x) = t x²/2: ∫ t x^(1/2)/2
        let found = mean(&program("1.5"), Some("1")).enclosure;
        assert!(
            found.is_defined()
                && found.contains(&Rational::from((1, 3)))
                && found.has_width_at_most(&Rational::from((1, 1_000_000))),
            "{found}"
        );
    }

    #[test]
    fn poles_are_told_apart_from_what_has_a_mean() {
        let read = reader();
        let (_, law) = LAWS.iter().find(|(name, _)| *name == "means_are_absolute").expect("the law is there");
        let (mut without, mut cancelling, mut with, mut answered) = (0, 0, 0, 0);
        for index in 0..16 {
            let pole = PoleProgram::draw_pole(SplitMix64::for_sample(5, index));
            let verdict = law(SplitMix64::for_sample(5, index), &read, &DefaultMeasureHooks);
            assert!(!verdict.is_refuted(), "{index}: {verdict}");
            match pole.mean {
                None => {
                    without += 1;
                    cancelling += u64::from(pole.cancels);
                }
                Some(_) => {
                    with += 1;
                    answered += u64::from(verdict == Verdict::Survived);
                }
            }
        }
        println!("{without} without a mean, {cancelling} of which cancel; {with} with one, {answered} answered");
        assert!(cancelling * 4 >= without && without >= 4 && with >= 4 && answered * 2 >= with);
    }

    #[test]
    fn what_cancels_is_no_mean() {
        for program in WITHOUT {
            let answer = mean(program, None);
            assert!(!answer.enclosure.is_defined(), "{program}: {}", answer.enclosure);
            let why = answer.width_reason.unwrap_or_default();
            assert!(why.contains("absolute value of `\\") || program.contains("v/x"), "{program}: {why}");
        }
    }

    #[test]
    fn what_has_a_mean_keeps_it() {
        for (program, expected) in WITH {
            let answer = mean(program, None);
            let found = answer.enclosure;
            let [lo, hi] = [found.lo(), found.hi()].map(|end| end.to_f64());
            assert!(found.is_defined() && hi - lo <= 1e-6, "{program}: {found}");
            assert!(lo - 1e-12 <= *expected && *expected <= hi + 1e-12, "{program}: {found}, {expected}");
        }
    }
}
