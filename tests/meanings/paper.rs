//! The programs of Sherman, Michel and Carbin's paper, each at 1e-9 and at 1e-30, against true values derived by hand.
//!
//! The values are closed forms, or were recomputed to 45 digits with an independent library; none is taken from the paper.

use smoothish::model::answer::AnswerNumber;
use smoothish::number::{Enclosure, Rational, decimal};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::value::Value;
use std::sync::OnceLock;

fn session() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(Session::new)
}

fn number(text: &str) -> Rational {
    decimal::parse(text).expect("a decimal")
}

/// The enclosure that a question is answered, and whether it was reached.
fn ask(question: &str, eps: &str) -> (Enclosure, bool) {
    let answer = session().ask(&Evaluate::new(question).with_width(eps), &Limits::seconds(60));
    match answer.unwrap_or_else(|e| panic!("{question}: {e}")).into_value() {
        Value::Real(AnswerNumber::Enclosure(found)) => (found.enclosure, found.reached),
        other => panic!("{question}: {other:?}"),
    }
}

/// The answer is reached, no wider than asked, and meets every interval of the digits given: `digits` is the true value cut
/// off after its last digit, so the true value lies within one unit of it.
fn is(question: &str, digits: &str) {
    let value = number(digits);
    let places = digits.split_once('.').map_or(0, |(_, d)| d.len() as u32);
    let exact = places < 40;
    let unit = if exact { Rational::new() } else { Rational::from((1, 1)) / Rational::from(10).pow_u(places) };
    for eps in ["1e-9", "1e-30"] {
        let (found, reached) = ask(question, eps);
        assert!(reached, "{question} at {eps}: {found} is not reached");
        assert!(found.has_width_at_most(&number(eps)), "{question} at {eps}: {found} is too wide");
        let (low, high) = (Rational::from(&value - &unit), Rational::from(&value + &unit));
        assert!(*found.lo() <= high && *found.hi() >= low, "{question} at {eps}: {found} misses {digits}");
    }
}

/// The answer is a set: not reached, but enclosed to within eps.
fn is_the_set(question: &str, low: &str, high: &str) {
    for eps in ["1e-3", "1e-9"] {
        let (found, reached) = ask(question, eps);
        let (low, high, eps) = (number(low), number(high), number(eps));
        assert!(!reached, "{question}: {found} is reached");
        assert!(found.contains(&low) && found.contains(&high), "{question}: {found} misses a part");
        assert!(*found.lo() >= Rational::from(&low - &eps), "{question}: {found} is too wide below");
        assert!(*found.hi() <= Rational::from(&high + &eps), "{question}: {found} is too wide above");
    }
}

trait Power {
    fn pow_u(self, n: u32) -> Rational;
}

impl Power for Rational {
    fn pow_u(self, n: u32) -> Rational {
        (0..n).fold(Rational::from(1), |p, _| p * &self)
    }
}

#[test]
fn the_slope_of_an_integral_of_relu() {
    is("deriv (\\c => integral01 (\\x => relu (x - c))) 0.6", "-0.4"); // d/dc (1-c)²/2
    is("deriv (deriv (\\c => integral01 (\\x => relu (x - c)))) 0.6", "1"); // sharper than the tower's ⊥
}

#[test]
fn the_slope_of_an_integral_of_abs() {
    is("deriv (\\c => integral01 (\\x => abs (x - c))) 0.6", "0.2"); // 2c - 1
}

const BRIGHTNESS: &str =
    "let brightness (y : ℜ) : ℜ = integral01 (λ y0 : ℜ ⇒ max 0 ((y0 - y) / sqrt (1 + (y0 - y)²))) in ";

#[test]
fn brightness_and_its_slope() {
    is(&format!("{BRIGHTNESS} brightness (1/2)"), "0.118033988749894848204586834365638117720309"); // √5/2 - 1
    is(&format!("{BRIGHTNESS} deriv brightness (1/2)"), "-0.447213595499957939281834733746255247088123"); // -1/√5
}

#[test]
fn the_integrand_of_brightness_at_its_kink() {
    let integrand = "deriv (λ y : ℜ ⇒ max 0 ((1/2 - y) / sqrt (1 + (1/2 - y)²))) (1/2)";
    is_the_set(integrand, "-1", "0");
}

#[test]
fn the_cube_root_and_three_derivatives() {
    let root = "let cuberoot (c : ℜ) : ℜ = cutRoot (λ x : ℜ ⇒ c - x³) in ";
    is(&format!("{root} cuberoot 8"), "2");
    is(&format!("{root} deriv cuberoot 8"), "0.083333333333333333333333333333333333333333"); // 1/(3q²)
    is(&format!("{root} deriv (deriv cuberoot) 8"), "-0.006944444444444444444444444444444444444444"); // -2/(9q⁵)
    is(&format!("{root} deriv (deriv (deriv cuberoot)) 8"), "0.001446759259259259259259259259259259259259"); // 10/(27q⁸)
}

#[test]
fn where_a_ray_meets_the_circle() {
    let star = "let tStar (y : ℜ) : ℜ = firstRoot (λ t : ℜ ⇒ (t - 1)² - (1 - y²)) in ";
    is(&format!("{star} tStar (-3/4)"), "0.338562172233852352374596061590184893572435"); // 1 - √7/4
    is(&format!("{star} deriv tStar (-3/4)"), "-1.133893419027681681643549608702540182447253"); // -3/√7
    is(&format!("{star} deriv tStar (-3/4) - (-(-3/4) / (tStar (-3/4) - 1))"), "0");
}

#[test]
fn the_ray_tracer_and_its_slope_are_not_what_the_paper_prints() {
    let value = "raytrace (circle (1, -3/4) 1) (1, 1) (1, 0)";
    let slope = "deriv (λ y : ℜ ⇒ raytrace (circle (1, y) 1) (1, 1) (1, 0)) (-3/4)";
    // with s = √(1-y²), (y²-y-1)/((1-s)² (2-y²)^(3/2)) and its derivative, at y = -3/4
    is(value, "1.58183571413877542065049831693216927158227");
    is(slope, "-4.53501175649235322513258237915988463454936");
    let (value, slope) = (ask(value, "1e-9").0, ask(slope, "1e-9").0);
    for printed in ["2.587289", "2.587294", "2.587299"] {
        assert!(!value.contains(&number(printed)));
    }
    for printed in ["1.3477", "1.348", "1.3484"] {
        assert!(!slope.contains(&number(printed)));
    }
}

#[test]
fn measures_and_their_derivatives() {
    is("der mean uniform change", "0.083333333333333333333333333333333333333333"); // 1/12
    is("der variance uniform change", "0");
    is("variance uniform", "0.083333333333333333333333333333333333333333");
    let second = "deriv (deriv (λ t ⇒ variance (λ f ⇒ uniform f + t * change f))) 0";
    is(second, "-0.013888888888888888888888888888888888888888"); // the variance is 1/12 - t²/144
    is("der (λ mu ⇒ der variance mu change) uniform change", "-0.013888888888888888888888888888888888888888");
    is("der (λ f ⇒ integral01 (λ x ⇒ (f x)²)) (λ x ⇒ x) (λ x ⇒ x²)", "0.5"); // 2∫x³
}

#[test]
fn functions_of_functions() {
    is("deriv (twice sin) 1", "0.360039489089620917000686181685692926704374"); // cos(sin 1) cos 1
    is("deriv (\\x => x^3) 2", "12");
    is("deriv (deriv (\\x => x^3)) 2", "12");
    is("fst (gradient (\\v => v[0] + 10 * v[1]) (3, 4))", "1");
    is("snd (gradient (\\v => v[0] + 10 * v[1]) (3, 4))", "10");
}

#[test]
fn first_roots_that_are_clamped() {
    let slope = |c: &str| format!("deriv (λ c ⇒ firstRoot (λ x ⇒ c - x)) {c}");
    is(&slope("2"), "0");
    is(&slope("(-1)"), "0");
    is(&slope("0.5"), "1");
    is_the_set(&slope("0"), "0", "1");
    is_the_set(&slope("1"), "0", "1");
    is("integral01 (λ c ⇒ firstRoot (λ x ⇒ c - x))", "0.5");
    is("firstRoot (λ x ⇒ 0.6 + x - 2 * x)", "0.6");
    is("firstRoot (λ t ⇒ t² - 2 * t + 0.9)", "0.683772233983162066800110645556728146628044"); // 1 - √0.1
}

#[test]
fn a_root_that_is_only_touched_is_a_set() {
    is_the_set("firstRoot (λ x ⇒ (x - 1/2)²)", "0.5", "1");
    is_the_set("cutRoot (λ x ⇒ max (1 - x) 0 + min (2 - x) 0)", "1", "2");
}

#[test]
fn kinks_are_sets() {
    is_the_set("deriv relu 0", "0", "1");
    is_the_set("deriv abs 0", "-1", "1");
    is_the_set("signum 0", "-1", "1");
    assert!(ask("deriv signum 0", "1e-3").0.is_bottom());
    assert!(ask("deriv (deriv relu) 0", "1e-3").0.is_bottom());
    assert!(ask("deriv relu 0", "2").1, "at eps 2 the set [0, 1] is narrow enough");
    assert!(!ask("deriv relu 0", "0.1").1);
}

#[test]
fn ten_nested_derivatives() {
    let nested = format!("{} (λ x ⇒ exp (sin x * cos x) / (1 + x²)) 0.3", "deriv (".repeat(9) + "deriv");
    let (head, tail) = nested.split_once(" (λ").expect("the function");
    let question = format!("{head} (λ{}", tail.replacen(") 0.3", &format!("){} 0.3", ")".repeat(9)), 1));
    is(&question, "-360155.642650591979123155562264893338279107753038");
}
