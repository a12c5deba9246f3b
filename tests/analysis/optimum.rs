//! max01, argmax01, min01, argmin01 and their derivatives (S44–S46, S75), against closed forms.

use smoothish::meaning::presheaf::PresheafSemantics;
use smoothish::model::answer::{AnswerNumber, Semantics};
use smoothish::number::budget::Budget;
use smoothish::number::real::RefinedEnclosure;
use smoothish::number::{Rational, decimal};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::value::Value;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

fn ask(question: &str, eps: &str) -> RefinedEnclosure {
    ask_within(50_000_000, question, eps)
}

fn ask_within(work: u64, question: &str, eps: &str) -> RefinedEnclosure {
    static SESSION: OnceLock<Session> = OnceLock::new();
    let session = SESSION.get_or_init(Session::new);
    let limits = Limits { work: Some(work), ..Limits::none() };
    let answer = session.ask(&Evaluate::new(question).with_width(eps), &limits);
    match answer.unwrap_or_else(|e| panic!("{question}: {e}")).into_value() {
        Value::Real(AnswerNumber::Enclosure(found)) => *found,
        other => panic!("{question}: {other:?}"),
    }
}

fn number(text: &str) -> Rational {
    decimal::parse(text).expect("a decimal")
}

/// The answer is reached at each tolerance and meets the value, which is exact or cut off after at least 35 digits.
fn is(question: &str, digits: &str) {
    let places = digits.split_once('.').map_or(0, |(_, d)| d.len());
    let unit = if places < 35 { Rational::new() } else { number(&format!("1e-{places}")) };
    for eps in ["1e-3", "1e-9", "1e-25"] {
        let RefinedEnclosure { enclosure, reached, .. } = ask(question, eps);
        assert!(reached, "{question} at {eps}: {enclosure:?}");
        let (low, high) = (number(digits) - &unit, number(digits) + &unit);
        assert!(*enclosure.lo() <= high && *enclosure.hi() >= low, "{question} at {eps}: {enclosure:?}");
    }
}

/// The answer is reached at this tolerance, and meets the value.
fn within(question: &str, value: &str, eps: &str) {
    let RefinedEnclosure { enclosure, reached, .. } = ask(question, eps);
    assert!(reached && enclosure.contains(&number(value)), "{question} at {eps}: {enclosure:?}");
}

/// The answer holds the whole of a set, and little more.
fn is_the_set(question: &str, low: &str, high: &str) {
    let RefinedEnclosure { enclosure, reached, .. } = ask(question, "1e-6");
    assert!(!reached && enclosure.is_defined(), "{question}: {enclosure:?}");
    let (low, high, slack) = (number(low), number(high), number("1e-5"));
    assert!(enclosure.contains(&low) && enclosure.contains(&high), "{question}: {enclosure:?} misses a part");
    let near = *enclosure.lo() >= Rational::from(&low - &slack) && *enclosure.hi() <= Rational::from(&high + &slack);
    assert!(near, "{question}: {enclosure:?} is too wide");
}

fn is_undefined(question: &str) {
    let RefinedEnclosure { enclosure, .. } = ask(question, "1e-6");
    assert!(!enclosure.is_defined(), "{question}: {enclosure:?}");
}

#[test]
fn an_interior_maximum_has_derivatives_of_every_order() {
    let place = r"\c => argmax01 (\x => 1/2 - (x - c)^2 + 0.3 * c^3 * x)"; // c + 0.15c³
    is(&format!("({place}) (1/2)"), "0.51875");
    is(&format!("deriv ({place}) (1/2)"), "1.1125");
    is(&format!("nthDeriv 2 ({place}) (1/2)"), "0.45");
    is(&format!("nthDeriv 3 ({place}) (1/2)"), "0.9");
    let top = r"\c => max01 (\x => c / 4 - (x - c)^2 + 2 * c * x)"; // at 2c: c/4 + 3c²
    is(&format!("({top}) 0.3"), "0.345");
    is(&format!("deriv ({top}) 0.3"), "2.05");
    is(&format!("nthDeriv 2 ({top}) 0.3"), "6");
    is(&format!("nthDeriv 3 ({top}) 0.3"), "0");
    is(
        r"nthDeriv 5 (\c => max01 (\x => sin (3*x + c) * exp (c*x))) 0.3",
        "1.6096351889959197963849687408960631174209402973481895",
    );
    // curved on the scale of 1e-10
    within(r"deriv (\c => argmin01 (\x => sqrt ((x - c)^2 + 1e-20))) (1/3)", "1", "1e-6");
    is(r"deriv (\c => max01 (\x => c / 4 - (x - c)^2)) 0.4", "0.25");
}

#[test]
fn maxima_at_the_ends() {
    is(r"argmax01 (\x => 0.3 - x)", "0");
    is(r"deriv (\c => argmax01 (\x => c - x)) 0.3", "0");
    is(r"argmax01 (\x => x)", "1");
    is(r"deriv (\c => argmax01 (\x => c * x)) 2", "0");
    is(r"nthDeriv 2 (\c => max01 (\x => c^3 * x)) 2", "12");
    is(r"argmin01 (\x => x)", "0");
    is(r"min01 (\x => 3 - x)", "2");
    // where the slope at the end is 0, the maximiser is max(0, c): both sides count, and the maximum is smooth only once
    is_the_set(r"deriv (\c => argmax01 (\x => -(x - c)^2)) 0", "0", "1");
    is(r"deriv (\c => max01 (\x => -(x - c)^2)) 0", "0");
    is_undefined(r"nthDeriv 2 (\c => argmax01 (\x => -(x - c)^2)) 0");
    is_the_set(r"nthDeriv 2 (\c => max01 (\x => -(x - c)^2)) 0", "-2", "0");
    is_undefined(r"nthDeriv 3 (\c => max01 (\x => -(x - c)^2)) 0");
    // ∫ c²a²/4
    within(
        r"nthDeriv 2 (\c => integral01 (\a => max01 (\x => c*a*x - x^2))) 1",
        "0.1666666666666666666666666666666667",
        "1e-6",
    );
}

#[test]
fn maxima_at_kinks() {
    is(r"argmax01 (\x => min x (0.8 - x))", "0.4");
    is(r"deriv (\c => argmax01 (\x => min x (c - x))) 0.8", "0.5");
    is(r"deriv (\c => max01 (\x => min x (c^2 - x))) 0.8", "0.8");
    is(r"nthDeriv 2 (\c => max01 (\x => min x (c^2 - x))) 0.8", "1");
    is(r"deriv (\c => argmax01 (\x => -abs (x - c))) 0.3", "1");
    is(r"deriv (\c => min01 (\x => (max 0 (x - c))^2 + (x - 1)^2)) 0.3", "-0.7");
}

#[test]
fn ties_and_flat_tops() {
    is_the_set(r"argmax01 (\x => 3)", "0", "1");
    is_undefined(r"deriv (\c => argmax01 (\x => c)) 1");
    is(r"deriv (\c => max01 (\x => c)) 1", "1");
    is_the_set(r"argmax01 (\x => (x - 1/2)^2)", "0", "1");
    is_undefined(r"deriv (\c => argmax01 (\x => (x - 1/2)^2 + c * x)) 0");
    is_the_set(r"deriv (\c => max01 (\x => (x - 1/2)^2 + c * x)) 0", "0", "1");
    is(r"deriv (\c => max01 (\x => (x - 1/2)^2 + c)) 0", "1");
    is(r"deriv (\c => max01 (\x => c - (x - 1/2)^4)) 0.3", "1");
    is_undefined(r"nthDeriv 2 (\c => max01 (\x => (x - 1/2)^2 + c * x)) 0");
}

#[test]
fn a_function_that_is_constant_near_0_may_rise_later() {
    is(r"max01 (\x => max (1/2) x)", "1");
    is(r"max01 (\x => max (1/2) (x^2))", "1");
    is(r"min01 (\x => min (1/2) (1 - x))", "0");
    is(r"deriv (\d => max01 (\x => max 0.3 x + d * max 0.3 x)) 0", "1");
    is(r"integral01 (\v => deriv (\t => max01 (\x => (1 + t) * max v x)) 0)", "1");
    is(r"max01 (\x => max 2 x)", "2");
    is_undefined(r"max01 (\x => max 5 (log (x - 1/2)))");
}

#[test]
fn danskin_needs_a_bounded_derivative_round_the_maximiser() {
    // the maximum is 0.3849·√c for c > 0
    is_undefined(r"deriv (\c => max01 (\x => cbrt (x * c) - x)) 0");
    is_undefined(r"deriv (\c => max01 (\x => sqrt (x^2 + c^2) * 0 - x^2 + sqrt (abs c * x))) 0");
}

#[test]
fn where_the_function_is_undefined_there_is_no_maximum() {
    is_undefined(r"max01 (\x => sqrt (x - 1/2))");
    is_undefined(r"max01 (\x => log (x - 1/4))");
    is_undefined(r"argmax01 (\x => 1 / x)");
    // an end at which the function falls to -∞ loses
    is(r"max01 (\x => log x)", "0");
    is(r"argmax01 (\x => -1 / x)", "1");
    is(r"max01 (\x => sqrt x)", "1");
    is(r"max01 (\x => log (x^2 - x + 0.3))", "-1.20397280432593599262274621776183850295361093080602340");
}

#[test]
fn at_the_edge_of_the_domain_there_is_no_derivative() {
    // defined for c ≤ 0 only
    is_undefined(r"deriv (\c => max01 (\x => sqrt (x - c))) 0");
    is_undefined(r"deriv (\c => argmax01 (\x => sqrt (x - c))) 0");
    is_undefined(r"deriv (\c => firstRoot (\x => 1/2 - sqrt (x - c))) 0");
    is_undefined(r"deriv (\c => firstRoot (\x => -1 - sqrt (x - c))) 0");
    is(r"max01 (\x => sqrt (x - 0))", "1");
    within(r"deriv (\c => firstRoot (\x => 1/2 - sqrt (x - c))) (-0.1)", "1", "1e-9");
    is(r"deriv (\c => max01 (\x => log (x^2 - x + 0.3 + c))) 0", "3.3333333333333333333333333333333333333333333333333");
}

#[test]
fn a_maximiser_at_0_exactly() {
    is(r"deriv (\c => max01 (\x => c * cos x)) 1", "1");
    is(r"deriv (deriv (\c => max01 (\x => c * cos x))) 1", "0");
}

#[test]
fn waves_have_many_maxima() {
    is_the_set(r"argmax01 (\x => sin (2 * pi * x)^2)", "0.25", "0.75");
    within(r"deriv (\c => max01 (\x => sin (20 * pi * x)^2 * c)) 1", "1", "1e-9");
    within(r"max01 (\x => sin (400*x) + x/100)", "1.0099352870794777211", "1e-6");
    // where 400 cos (400 x) = -1/100, last
    within(r"argmax01 (\x => sin (400*x) + x/100)", "0.99352873919777211817", "1e-6");
}

#[test]
fn an_inner_tie_at_the_midpoint_is_split_off() {
    // 1 + x for x < 1/2, x beyond; at 1/2 the set [1/2, 3/2]
    within(r"max01 (\x => argmax01 (\y => (y - x)^2) + x)", "1.5", "1e-3");
    within(r"min01 (\x => argmax01 (\y => (y - x)^2) + x/10)", "0.05", "1e-6");
}

#[test]
fn optima_that_tie_at_the_midpoint_of_an_integral() {
    within(r"integral01 (\t => argmax01 (\x => (1/2 - t) * x))", "0.5", "1e-3");
    within(r"deriv (\c => integral01 (\t => max01 (\x => (c - t) * x))) (1/2)", "0.5", "1e-3");
    within(r"deriv (\c => integral01 (\t => argmax01 (\x => -(x - 2*t + c)^2))) (1/2)", "-0.5", "1e-3");
}

#[test]
fn optima_inside_optima_integrals_and_roots() {
    is(r"max01 (\x => min01 (\y => (x - y - 0.3)^2))", "0.09");
    is(r"deriv (\c => max01 (\x => min01 (\y => (x - y - c)^2))) 0.3", "0.6");
    is(r"integral01 (\y => max01 (\x => x * y - x^2))", "0.083333333333333333333333333333333333333333333333");
    is(r"max01 (\c => integral01 (\x => c * x - c^2 / 2))", "0.125");
    is(r"deriv (\k => argmax01 (\c => integral01 (\x => k * c * x - c^2 / 2))) 1", "0.5");
    is(r"cutRoot (\t => max01 (\x => x * (1 - x)) - t)", "0.25");
    is(r"deriv (\k => cutRoot (\t => max01 (\x => k * x * (1 - x)) - t)) 2", "0.25");
    is(r"max01 (\c => firstRoot (\x => c / 2 - x))", "0.5");
}

/// What the notes of an answer say of places that tie.
fn tie(question: &str) -> Option<String> {
    let (term, ty) = Session::new().infer(question).unwrap();
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    let answer = PresheafSemantics.evaluate(&term, &ty, &number("1e-6"), &budget).unwrap();
    answer.notes.first().map(|remark| format!("{}{}", remark.before, remark.after))
}

#[test]
fn places_that_tie_are_named() {
    let two = "two places tie, or are not distinguished:";
    for (question, said) in [
        ("argmax01 (\\x => (x - 1/2)^2)", Some(", at 0 and 1")),
        ("argmin01 (\\x => x * (1 - x))", Some(", at 0 and 1")),
        ("deriv (\\c => max01 (\\x => (x - 1/2)^2 + c * x)) 0", Some(", at 0 and 1")),
        // what does not tie, and what is wide for another reason
        ("argmax01 (\\x => x * (1 - x))", None),
        ("deriv relu 0", None),
        ("deriv (\\c => max01 (\\x => (x - 1/2)^2 + c * x)) 0.1", None),
        // the inner one ties for one place of the outer one only
        ("max01 (\\y => max01 (\\x => (x - 1/2)^2 + (y - 1/2) * x))", None),
    ] {
        assert_eq!(tie(question), said.map(|at| format!("{two}{at}")), "{question}");
    }
    // a plateau is one place, in however many pieces it was searched: known to the width of a piece
    for (question, within) in [
        ("argmax01 (\\x => min x (1/2))", "[0.5, 1]"),
        ("argmin01 (\\x => max x (1/2))", "[0, 0.5]"),
        ("argmax01 (\\x => min (1/2) (min (2 * x) (2 - 2 * x)))", "[0.25, 0.75]"),
    ] {
        let said = tie(question).unwrap();
        let (before, place) = said.split_once("within [").expect(&said);
        assert!(before.starts_with("the place is not distinguished:"), "{question}: {said}");
        let near = |text: &str, exact: &str| (number(text) - number(exact)).abs() < number("1e-2");
        let ends =
            |text: &str| text.trim_matches(['[', ']']).split_once(", ").map(|(a, b)| (a.to_owned(), b.to_owned()));
        let ((lo, hi), (least, most)) = (ends(place).unwrap(), ends(within).unwrap());
        assert!(near(&lo, &least) && near(&hi, &most), "{question}: {said}");
    }
    // two plateaus are two places, from left to right
    let two_plateaus = tie("argmax01 (\\x => min (1/4) (abs (x - 1/2)))").unwrap();
    assert!(two_plateaus.starts_with(two) && two_plateaus.contains(", at [0, 0.25"), "{two_plateaus}");
    // both waves are as high, by 1 at 1/8 and at 5/8
    let waves = tie("argmax01 (\\x => sin (4 * pi * x))").unwrap();
    assert!(waves.starts_with(two) && waves.contains("0.125") && waves.contains("0.625"), "{waves}");
}

#[test]
fn optima_nested_deep_have_an_enclosure_at_once() {
    // at x = y = 1 and z = 1/2
    is("max01 (\\x => max01 (\\y => max01 (\\z => x*y - z^2 - (y - z)^2)))", "0.5");
    // the same with w = 1/2 beside it, by 1/4: the budget is far from enough, but what is known is not nothing
    let four = "max01 (\\x => max01 (\\y => max01 (\\z => max01 (\\w => x*y - z^2 + w*(1-w)*x - (y - z)^2))))";
    let answer = ask_within(300_000, four, "1e-6");
    assert!(answer.enclosure.is_bounded() && answer.enclosure.is_defined(), "{:?}", answer.enclosure);
    assert!(answer.enclosure.contains(&number("0.75")), "{:?}", answer.enclosure);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn every_place_may_be_a_maximiser() {
        // the distance of parallel segments is h at every x
        let parallel = r"\h => max01 (\x => min01 (\t => sqrt ((x - t)^2 + h^2)))";
        within(&format!("({parallel}) 0.3"), "0.3", "1e-12");
        within(&format!("deriv ({parallel}) 0.3"), "1", "1e-12");
        let segments = "hausdorffDist R2Dist (segment (0, 0) (1, 0)) (segment (0, h) (1, h))";
        within(&format!("deriv (\\h => {segments}) 0.3"), "1", "1e-2");
        let above = "sup (segment (0, 0) (1, 0)) (\\p => inf (segment (0, h) (2, h)) (R2Dist p))";
        within(&format!("deriv (\\h => {above}) 0.3"), "1", "1e-9");
        // two arcs: the inner minimiser moves with x and leaves [0, 1] at neither end
        let arcs = r"max01 (\x => min01 (\t => (cos (0.2 + x/2) - 2 * cos t)^2 + (sin (0.2 + x/2) - 2 * sin t)^2))";
        within(arcs, "1", "1e-9");
        // the inner minimiser is at both ends of the ring where x is 0; over intervals of x its distance is far above its floor at first
        let arc = r"max01 (\x => 0 - inf (ring (0, 0) 2) (R2Dist (cos (pi * x / 2), sin (pi * x / 2))))";
        within(arc, "-1", "1e-6");
        // s and t matter by their product alone
        within(r"max01 (\s => max01 (\t => sin (3 * s * t)))", "1", "1e-12");
        within(r"deriv (\c => max01 (\s => max01 (\t => sin (c * s * t)))) 3", "0", "1e-8");
        within(r"max01 (\x => (sin (5 * x))^2 + (cos (5 * x))^2)", "1", "1e-20");
        // (0.3, 0.3 + h) is nearest to t = 0.8: from there on the distance is h/√2, and before it is more
        let oblique = "separationDist R2Dist (segment (0, 0) (1, 1)) (segment (0.3, 0.3 + h) (2, 2 + h))";
        within(&format!("deriv (\\h => {oblique}) 1"), "0.70710678118654752440084436210484903928", "1e-6");
    }

    #[test]
    fn a_plateau_may_have_bumps() {
        // sin^8 vanishes to order 7 in the middle of every 16th: what a Taylor polynomial without its remainder does not see
        let plateau = "(sin (5 * x))^2 + (cos (5 * x))^2";
        for eps in crate::in_tiers(&["1e-6"][..], &["1e-3", "1e-6", "1e-9"]) {
            within(&format!("max01 (\\x => {plateau} + (sin (32 * pi * x))^8 / 1000)"), "1.001", eps);
            within(&format!("max01 (\\x => {plateau} - (cos (32 * pi * x))^8 / 1000)"), "1", eps);
        }
        is_the_set(&format!(r"deriv (\c => max01 (\x => {plateau} + c * (sin (2048 * pi * x))^8)) 0"), "0", "1");
        is_the_set(&format!(r"deriv (\c => max01 (\x => {plateau} + c * x)) 0"), "0", "1");
        // its width does not hide what is left to be narrowed
        let bump =
            r"deriv (\c => max01 (\x => (sin (x + c))^2 + (cos (x + c))^2 + (c - 1) * exp (-(20 * (x - 0.4111))^2))) 1";
        is_the_set(bump, "0", "1");
    }
}
