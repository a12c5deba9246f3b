//! Moments, chances and posteriors of one draw, for parameters up to 10,000.
//!
//! Moments are rising factorials over powers, and were found again by quadrature about the mean; chances are incomplete gamma and beta functions; all
//! by mpmath at 80 digits. Tests of means of large numbers ask for 12 digits, as an absolute width would ask for forty.

use super::{Ask, PLAIN, parsed, rational};
use smoothish::measure::{MeasureAnswer, MeasureQuestion, ProbabilisticModel, answer_to_accuracy};
use smoothish::number::budget::Budget;
use smoothish::number::{Accuracy, Rational};
use std::sync::Arc;
use std::time::Duration;

const AT: Ask<'static> = Ask { at: Some("100"), order: 1, ..PLAIN };

/// The mean of a function of a draw, to 12 digits.
fn answer(model: &str, of: &str, ask: Ask<'_>) -> MeasureAnswer {
    let (term, of) = parsed(model, of, ask.at.is_some());
    let at = ask.at.map(rational);
    let question =
        MeasureQuestion { parameter: at, derivative_order: ask.order, weight_bound: None, eps: Rational::new() };
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(ask.seconds)));
    let accuracy = Accuracy::significant_digits(12);
    let program = ProbabilisticModel::new(&term, ask.at.is_some(), Some(&of));
    answer_to_accuracy(&program, &question, &accuracy, &budget).unwrap_or_else(|fault| panic!("{model}: {fault}"))
}

/// The answer has 12 digits, and they are those of the number, of which 30 are written.
fn has_digits(model: &str, of: &str, ask: Ask<'_>, truth: &str) {
    let answer = answer(model, of, ask);
    let found = &answer.enclosure;
    let truth = rational(truth);
    let near = Rational::from(&truth / &rational("1e28")).abs();
    let holds = *found.lo() <= Rational::from(&truth + &near) && *found.hi() >= Rational::from(&truth - &near);
    assert!(found.is_defined() && holds, "{model}, {of}: {found}, and the truth is {truth}");
    assert!(Accuracy::significant_digits(12).is_reached_by(found), "{model}, {of}: {found}, {:?}", answer.width_reason);
}

fn drawn(distribution: &str) -> String {
    format!("do {{ x <- sample ({distribution}); return x }}")
}

#[test]
fn moments_of_gamma_and_beta_draws() {
    let moments = [
        ("gamma 11 1", "x", "11"),
        ("gamma 12.5 1", "x", "12.5"),
        ("gamma 20 1", "x^3", "9240"),
        ("gamma 100 1", "x^8", "13142290163184000"),
        ("gamma 10000 1", "x^8", "100280322196067703133306850400000"),
        ("gamma 10000 10000", "x^8", "1.002803221960677031333068504"),
        ("gamma 0.5 1", "x^8", "7918.06640625"),
        // about the mean: by the binomial theorem
        ("gamma 100 1", "(x - 100)^8", "12953584000"),
        ("exponential 0.0001", "x^8", "4032e33"),
        ("beta 200 200", "x", "0.5"),
        ("beta 5000 500", "x", "0.909090909090909090909090909090909"),
        ("beta 10000 10000", "x^8", "0.003911720527152320012577188561068898"),
        ("beta 200 200", "(x - 0.5)^2", "0.0006234413965087281795511221945137157"),
    ];
    for (distribution, of, truth) in moments {
        has_digits(&drawn(distribution), &format!("\\x => {of}"), PLAIN, truth);
    }
}

#[test]
fn posteriors_of_rates_and_chances() {
    // Gamma(2 + n, 1.01)
    for (n, truth) in [
        ("20", "21.7821782178217821782178217821782178"),
        ("50", "51.48514851485148514851485148514851"),
        ("210", "209.9009900990099009900990099009901"),
        ("5000", "4952.475247524752475247524752475248"),
    ] {
        let rate = format!("do {{ l <- sample (gamma 2 0.01); observe (poisson l) {n}; return l }}");
        has_digits(&rate, "\\l => l", PLAIN, truth);
    }
    let rate = "do { l <- sample (gamma 2 0.01); observe (poisson l) 210; return l }";
    has_digits(rate, "\\l => if l < 200 then 1 else 0", PLAIN, "0.2498628079197739000047237480226412");
    // Gamma(26, 2)
    let rate = "do { l <- sample (exponential 1); observe (poisson l) 25; return l }";
    has_digits(rate, "\\l => l", PLAIN, "13");
    // Gamma(1826.5, 6): the evidence is e^(-2891), far below all doubles
    let rate = "do { l <- sample (gamma 65.5 5); observe (poisson l) 1761; return l }";
    has_digits(rate, "\\l => if l < 289.076 then 1 else 0", PLAIN, "0.01451241503365081948093000490636449");
    // Beta(502, 505)
    let chance = "do { p <- sample (beta 2 5); score (p^500*(1-p)^500); return p }";
    has_digits(chance, "\\p => p", PLAIN, "0.498510427010923535253227408142999007");
}

/// A gamma draw is positive: where a mean is not found, its lower end says so.
#[test]
fn the_sign_of_a_draw_is_used() {
    let ask = Ask { seconds: 1, ..PLAIN };
    let model = "do { x <- sample (gamma 11 1); y <- sample (gamma x x); z <- sample (gamma y x); return z }";
    let found = answer(model, "\\z => z", ask).enclosure;
    assert!(found.is_defined() && *found.lo() >= 0, "{found}");
}

/// ∫ (1 - x)ⁿ e^(nx) on an interval that reaches below 0 is an incomplete gamma function, by 1 - x; quadrature gives the same 30 digits.
#[test]
fn a_peak_at_0_is_a_place_as_any_other() {
    for (model, truth) in [
        (
            "do { x <- sample (uniformOn (-1) 1); score ((1-x)^20 * exp (20*x)); return x }",
            "0.281315958784506094474616",
        ),
        (
            "do { x <- sample (uniformOn (-2) 1); score ((1-x)^10 * exp (10*x)); return x }",
            "0.266426175822053479086914",
        ),
    ] {
        super::holds(model, None, PLAIN, truth);
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn derivatives_in_large_parameters() {
        // a/r has the slope 1 in a
        has_digits("\\t => do { x <- sample (gamma t 1); return x }", "\\x => x", AT, "1");
        // of the incomplete gamma function in its first argument
        let chance = "\\t => do { x <- sample (gamma t 1); return x }";
        has_digits(chance, "\\x => if x < 100 then 1 else 0", AT, "-0.03992749785778605222080883538240411");
        let trial = Ask { at: Some("0.001"), order: 1, ..PLAIN };
        let trials = "\\p => do { x <- sample (geometric p); return x }";
        // -1/p², and 499 (1 - p)^498
        has_digits(trials, "\\x => toReal x", trial, "-1000000");
        has_digits(trials, "\\x => if x < 500 then 1 else 0", trial, "303.1891686338303443715428518257869");
    }

    #[test]
    fn chances_of_one_draw() {
        let chances = [
            ("gamma 11 1", "9", "0.2940116796594881834069291284072597"),
            ("gamma 30 1", "30", "0.5242830138936800690427217709652032"),
            ("gamma 100 1", "100", "0.5132987982791486648573142565640292"),
            // far in the tail: the digits are of the number, however small it is
            ("gamma 100 1", "5", "5.991878303535650193296651949018785e-91"),
            ("gamma 10000 1", "10000", "0.5013298083399552003827422512998514"),
            ("gamma 10000 1", "10300", "0.9985295051036143187240930470297196"),
            ("gamma 10000.5 10000", "1", "0.4993350886269448971013969670798416"),
            ("beta 200 200", "0.52", "0.7880925404063682893936472885146464"),
            ("beta 500 500", "0.52", "0.8970824726930040848053380610620096"),
            ("beta 10000 10000", "0.502", "0.7141945429161847229800368272821322"),
            ("beta 0.5 10000", "0.0001", "0.8427059822366713605137948936141047"),
            ("beta 5000 500", "0.9", "0.01096869918374513471831087146575198"),
            ("poisson 1000", "950", "0.05420667388901861032685723006005501"),
            ("geometric 0.0001", "10000", "0.6321021637834484207307374015216434"),
        ];
        for (distribution, place, truth) in chances {
            has_digits(&drawn(distribution), &format!("\\x => if x < {place} then 1 else 0"), PLAIN, truth);
        }
    }

    /// Beyond the numbers that are followed one by one guards cut the others into spans; sums of the terms, by mpmath.
    #[test]
    fn guards_cut_numbers_of_trials() {
        let trials = drawn("geometric 0.0001");
        for (of, truth) in [
            ("if x < 10000 then toReal x else 0", "2642.411173505184966194017293031347"),
            ("if x == 6000 then 1 else 0", "0.00005488500558998236920652108898896653"),
            ("if x < 6000 then 0 else if x > 8000 then 0 else 1", "0.09953906577996092230436716248433783"),
        ] {
            has_digits(&trials, &format!("\\x => {of}"), PLAIN, truth);
        }
        // weighed by the number itself: (2 - p)/p
        let weighed = "do { x <- sample (geometric 0.0001); score (toReal x); return x }";
        has_digits(weighed, "\\x => toReal x", PLAIN, "19999");
    }

    #[test]
    fn moments_of_natural_draws() {
        let moments = [
            ("poisson 10000", "(toReal x)^8", "100280266105017010966012700010000"),
            // 3λ² + λ
            ("poisson 1000", "(toReal x - 1000)^4", "3001000"),
            ("geometric 0.0001", "toReal x", "10000"),
            ("geometric 0.01", "(toReal x)^8", "389278264076606539900"),
            ("geometric 0.0001", "(toReal x)^8", "4030588991507400408234204025399990000"),
        ];
        for (distribution, of, truth) in moments {
            has_digits(&drawn(distribution), &format!("\\x => {of}"), PLAIN, truth);
        }
    }
}
