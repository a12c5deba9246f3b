//! Integrals that were given up too early, and why an answer is wider than was asked.
//!
//! Every value is derived by hand or in closed form, and was computed a second time by mpmath at 40 digits.

use super::ends::{ask_within, number};
use smoothish::model::answer::AnswerNumber;
use smoothish::number::real::{RefinedEnclosure, UndecidedSearch, WidthReason};
use smoothish::number::tuning::Tuning;
use smoothish::number::{Enclosure, Rational};
use smoothish::session::{Answer, Evaluate, Limits, Session};
use smoothish::value::Value;
use std::sync::Arc;
use std::time::Duration;

fn ask(question: &str, eps: &str) -> RefinedEnclosure {
    ask_within(2_000_000_000, question, eps)
}

fn is(question: &str, eps: &str, value: &str) {
    let RefinedEnclosure { enclosure, reached, reason: why, .. } = ask(question, eps);
    let digits = value.split_once('.').map_or(0, |(_, digits)| digits.len());
    let slack = if digits < 15 { Rational::new() } else { number(&format!("1e-{digits}")) };
    let (low, high) = (number(value) - &slack, number(value) + &slack);
    assert!(*enclosure.lo() <= high && *enclosure.hi() >= low, "{question} is {value}, not in {enclosure:?}");
    assert!(reached && why.is_none(), "{question}: {enclosure:?}, {why:?}");
}

// Between two jumps the sums are those of arithmetic series. A search that took a jump at the midpoint of one panel after another for one
// that is wide answered [1, 2] to the first and [3, 3.125], three times the sum of the widths, to guards at powers of 1/2.
#[test]
fn jumps_at_the_midpoints_of_halves_are_crossed() {
    let guards = |signs: &str| -> String {
        let all = signs.chars().enumerate().map(|(k, sign)| format!("(if x {sign} 1/{} then 1 else 0)", 2 << k));
        format!(r"integral01 (\x => {})", all.collect::<Vec<_>>().join(" + "))
    };
    for (question, value) in [
        (r"integral01 (\x => floor (4*x))", "1.5"),
        (r"integral 0 10 floor", "45"),
        (r"integral 0 10 ceil", "55"),
        (r"integral 0 10 round", "50"),
        (r"integral01 (\x => floor (16*x))", "7.5"),
        // round jumps at 1/8, 3/8, 5/8 and 7/8
        (r"integral01 (\x => round (4*x))", "2"),
        (r"integral01 (\x => signum (x - 0.5) * x)", "0.25"),
        (r"integral01 (\x => mod (8*x) 2)", "1"),
        (r"integral (-3) 5 (\x => signum (x*(x - 1)))", "6"),
        (&guards("<<<<"), "0.9375"),
        (&guards("><><>"), "2.65625"),
        // Σ k·(2k + 1)/32 for k = 1, 2, 3
        (r"deriv (\c => integral01 (\x => floor (4*x)*c*x)) 1", "1.0625"),
        // 2x + 2y is 2 in the mean, its fraction 1/2
        (r"integral01 (\x => integral01 (\y => floor (2*x + 2*y)))", "1.5"),
    ] {
        is(question, "1e-9", value);
    }
    // it is right at every tolerance
    for eps in ["1e-3", "1e-6", "1e-15"] {
        is(r"integral01 (\x => floor (4*x))", eps, "1.5");
    }
}

// 1 - cos 10⁴; Fresnel's integral; the imaginary part of (e^(1+iω) - 1)/(1 + iω).

// The solver stops at its tolerance, and the answer is many times as wide.
#[test]
fn a_small_integral_times_a_large_number_is_narrowed() {
    is("1e60*integral01 exp", "1e-9", "1718281828459045235360287471352662497757247093699959574966967.627724076630353");
    let gamma = r"exp (lgamma 200 - 2*lgamma 100)*integral01 (\t => exp t*t^99*(1-t)^99)";
    is(gamma, "1e-6", "1.649746910616245922617");
}

/// That it is a set is said, and its ends are known so well.
#[track_caller]
fn is_set(question: &str, eps: &str, ends: [&str; 2]) {
    let RefinedEnclosure { enclosure, reached, reason: why, .. } = ask(question, eps);
    let Some(why @ WidthReason::Set(_)) = why else { panic!("{question}: {why:?}") };
    assert!(!reached && ends.iter().all(|end| enclosure.contains(&number(end))), "{question}: {enclosure:?}");
    let known = why.error_of_ends(&enclosure).expect("bounded");
    assert!(known.is_at_most(&number("1e-20")), "{question}: its ends are known to {known}");
}

#[test]
fn a_set_is_shown_by_two_of_its_numbers() {
    is_set("deriv relu 0", "1e-6", ["0", "1"]);
    is_set("deriv abs 0", "1e-1", ["-1", "1"]);
    is_set(r"deriv (\s => max 0 (s - 110)) 110", "1e-9", ["0", "1"]);
    is_set("2*deriv abs 0 + 3", "1e-6", ["1", "5"]);
    // points that are no dyadic numbers
    is_set(r"deriv (\s => max 0 (s - 0.1)) 0.1", "1e-6", ["0", "1"]);
    is_set(r"deriv (\x => max (-4*(x - 11/13)) (3*(x - 11/13)) + x) (11/13)", "1e-6", ["-3", "4"]);
    is_set(r"deriv (\x => abs (x/3 - 1/9) * exp x / exp (1/3)) (1/3)", "1e-6", ["-0.333", "0.333"]);
    is_set(r"deriv (\c => firstRoot (\x => c - x)) 1", "1e-6", ["0", "1"]);
    is_set(r"deriv (\c => max01 (\x => (x - 1/2)^2 + c*x)) 0", "1e-6", ["0", "1"]);
    is_set(r"rd (\x => max x (2*x - 1)) 1 1", "1e-6", ["1", "2"]);
    // each partial derivative by itself, at a kink of the other variable too
    is_set(r"(gradient (\(x, y) => max x y) (1, 1))[0]", "1e-6", ["0", "1"]);
    let loss = r"\(b, c) => (relu b - 1/4*relu (-b)) + 2*(relu c - 1/4*relu (-c))";
    is_set(&format!("(gradient ({loss}) (0, 0))[1]"), "1e-6", ["0.5", "2"]);
}

// None of these is shown to be a set; the first is the number 1.
#[test]
fn what_is_not_shown_to_be_a_set_is_not_called_one() {
    let why = |question: &str| ask(question, "1e-6").reason;
    assert_eq!(why(r"deriv (\x => max x 0 + min 0 (x + x^3)) 0"), Some(WidthReason::Unknown));
    assert_eq!(why("deriv relu 0 - deriv relu 0"), Some(WidthReason::Unknown), "both sides give 0");
    assert_eq!(why(r"firstRoot (\x => (x - 1/2)^2)"), Some(WidthReason::Unknown));
    // it is the set from 0 to 1/2, and what is printed is wider
    let kink = why(r"deriv (\c => integral01 (\x => max01 (\y => c*x*y))) 0");
    assert!(matches!(kink, Some(WidthReason::Method { stuck: UndecidedSearch::KinkSide, .. })), "{kink:?}");
    let places = why(r"argmax01 (\x => (x - 1/2)^2)");
    assert!(matches!(places, Some(WidthReason::Method { stuck: UndecidedSearch::MaximiserPlace, .. })), "{places:?}");
}

// The slopes of these integrands are sets over a range of x. That of the integral is the set between the integrals of their ends.
#[test]
fn integrals_of_sets_of_slopes_are_known_to_the_tolerance() {
    for (question, [low, high]) in [
        (r"deriv (\c => integral01 (\x => max 0 (c*(x - 0.5)))) 0", ["-0.125", "0.125"]),
        (r"deriv (\c => integral01 (\x => abs (c*x))) 0", ["-0.5", "0.5"]),
        (r"3 - 2*deriv (\c => integral01 (\x => max 0 (c*(x - 0.5)))) 0", ["2.75", "3.25"]),
        // c·x and c·x²
        (r"deriv (\c => integral01 (\x => max (c*x) (c*x^2))) 0", ["0.333333333333333333333", "0.5"]),
        // ∫ min (sin 3x) (cos 3x) and ∫ max (sin 3x) (cos 3x)
        (
            r"deriv (\c => integral01 (\x => max (c*sin (3*x)) (c*cos (3*x)))) 0",
            ["-0.091031184771075942233", "0.801402019657846835357"],
        ),
        // 0.4 ± ∫ eˣ·|x - 1/3|: a kink that moves, beside one that does not
        (
            r"deriv (\c => integral01 (\x => exp x*abs (c*(x - 1/3)) + abs (x - 0.7 - c))) 0",
            ["-0.151797574019163978802", "0.951797574019163978802"],
        ),
        // both kinks are those of one number: |u| + 2 min u 0 is u
        (r"deriv (\c => integral01 (\x => abs (c*x) + 2*min (c*x) 0)) 0", ["0.5", "0.5"]),
    ] {
        let found = ask(question, "1e-9");
        let (low, high, slack) = (number(low), number(high), number("1e-8"));
        let (below, above) = (Rational::from(&low - &slack), Rational::from(&high + &slack));
        let enclosure = &found.enclosure;
        let holds = *enclosure.lo() <= Rational::from(&low + &number("1e-20"))
            && *enclosure.hi() >= Rational::from(&high - &number("1e-20"));
        assert!(holds && *enclosure.lo() >= below && *enclosure.hi() <= above, "{question}: {enclosure:?}");
        let is_set = matches!(found.reason, Some(WidthReason::Method { stuck: UndecidedSearch::SlopeSets, .. }));
        assert_eq!(is_set, low != high, "{question}: {:?}", found.reason);
    }
}

#[test]
fn what_time_ended_says_so() {
    let asked = Evaluate::new(r"integral01 (\x => exp x*sin (1000000*x))").with_width("1e-9");
    let found = Session::new().ask(&asked, &Limits::within_time(Duration::from_millis(20)));
    let Ok(Value::Real(AnswerNumber::Enclosure(answer))) = found.map(Answer::into_value) else { panic!("a number") };
    assert!(matches!(answer.reason, Some(WidthReason::Time { is_capped: false, .. })) && !answer.reached);
}

// A wave of 10⁴ radians has more kinks than these panels.
#[test]
fn what_a_limit_of_pieces_ended_says_how_many() {
    let tuning = Tuning { panels: 16, patient_panels: 16, ..Tuning::default() };
    let limits = Limits { work: Some(2_000_000_000), tuning: Some(Arc::new(tuning)), ..Limits::none() };
    let asked = Evaluate::new(r"integral01 (\x => abs (sin (10000*x)))").with_width("1e-9");
    let Ok(Value::Real(AnswerNumber::Enclosure(answer))) = Session::new().ask(&asked, &limits).map(Answer::into_value)
    else {
        panic!("a number")
    };
    let Some(why @ WidthReason::Time { pieces: Some(16..), is_capped: true }) = answer.reason else {
        panic!("{answer:?}")
    };
    assert!(why.to_string().ends_with("--effort helps"), "{why}");
}

#[test]
fn each_reason_has_a_name_and_a_sentence() {
    let point = |q: i32| Enclosure::point(rug::Float::with_val(53, q)).expect("finite");
    let answer = point(0).hull(&point(4));
    let set = |low, high| WidthReason::Set(Box::new([low, high]));
    let exact = set(point(0), point(4));
    assert_eq!(
        (exact.id(), &*exact.to_sentence(&answer)),
        ("set", "this is a set, not one number: its ends are exact")
    );
    let wide = set(point(0).hull(&point(1)), point(2).hull(&point(4)));
    assert_eq!(wide.to_sentence(&answer), "this is a set, not one number: its ends are known to 2");
    let ended = |pieces, is_capped| WidthReason::Time { pieces: Some(pieces), is_capped }.to_string();
    assert_eq!(ended(70_000, true), "given up at the limit of 70,000 pieces; --effort helps");
    assert_eq!(ended(7, false), "given up after 7 pieces; --timeout or --effort helps");
    assert_eq!(ended(1_041_210, false), "given up after 1,041,210 pieces; --timeout or --effort helps");
    let unknown = WidthReason::Unknown;
    assert_eq!((unknown.id(), &*unknown.to_sentence(&answer)), ("unknown", "wider than asked; the cause is not known"));
    let method = WidthReason::Method { stuck: UndecidedSearch::KinkSide, site: 1 };
    assert!(method.id() == "method" && method.to_string().contains("the ends are not shown to be those of a set"));
}

// A pole, or a jump, changes sign as a root does. `firstRoot` has no value there either.

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn a_change_of_sign_is_a_root_where_the_function_is_continuous() {
        for question in [
            r"cutRoot (\x => 1/(0.5 - x))",
            r"cutRoot (\x => 1/(1/3 - x)^3)",
            r"cutRoot (\x => tan (x - 1))",
            r"cutRoot (\x => signum (0.5 - x))",
            r"cutRoot (\x => if x < 0.3 then 1 else -1)",
            r"cutRoot (\x => 1/2 - floor x)",
            r"1 + cutRoot (\x => 1/(2 - x))",
            r"deriv (\c => cutRoot (\x => 1/(c - x))) 1",
        ] {
            for eps in ["1e-1", "1e-6", "1e-30"] {
                let answer = ask(question, eps);
                assert!(!answer.enclosure.is_defined(), "{question} at {eps}: {:?}", answer.enclosure);
            }
        }
        // steep, kinked, flat, far, small, and of a function with an edge elsewhere
        for (question, value) in [
            (r"cutRoot (\x => cbrt (0.3 - x))", "0.3"),
            (r"cutRoot (\x => min (1 - 2*x) (3 - 9*x))", "0.333333333333333333333"),
            (r"cutRoot (\x => 0.25 - abs x * x)", "0.5"),
            (r"cutRoot (\x => -(x - 2)^3)", "2"),
            (r"cutRoot (\x => 1e6 - sqrt x)", "1000000000000"),
            (r"cutRoot (\x => 1e-9 - x)", "0.000000001"),
            (r"cutRoot (\x => tanh (1000*(0.7 - x)))", "0.7"),
            (r"cutRoot (\x => 0.4 - integral01 (\t => max 0 (x - t)))", "0.894427190999915878563"),
            (r"deriv (\c => cutRoot (\x => c - x^3)) 8", "0.083333333333333333333"),
        ] {
            is(question, "1e-6", value);
        }
    }

    #[test]
    fn smooth_integrals_are_not_given_up() {
        is(r"integral 0 10000 sin", "1e-6", "1.952155368259014851240");
        is(r"integral01 (\x => sin (10000*x))", "1e-9", "0.000195215536825901485");
        is(r"integral 0 200 (\x => sin (x^2))", "1e-6", "0.625850570394731733489");
        is(r"deriv (\c => integral01 (\x => c*sin (5000*x))) 2", "1e-6", "0.000169066318763850576");
    }
}
