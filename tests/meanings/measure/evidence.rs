//! Masses as accurate as is asked relative to them, their logarithms, and rare branches.
//!
//! Closed forms, evaluated by mpmath at 80 digits: ratios of beta functions, normal evidences, and the normal distribution function, with what a rare
//! branch contributes by quadrature.

use super::{PLAIN, asked, rational, typed};
use smoothish::measure::evidence::{evidence_to_accuracy, log_evidence};
use smoothish::measure::{MeasureAnswer, MeasureError, MeasureQuestion};
use smoothish::number::budget::Budget;
use smoothish::number::{Accuracy, Enclosure, Rational};
use std::sync::Arc;
use std::time::Duration;

type Ask = fn(
    &smoothish::syntax::term::Term,
    bool,
    &MeasureQuestion,
    &Accuracy,
    &Arc<Budget>,
) -> Result<MeasureAnswer, MeasureError>;

fn found(ask: Ask, model: &str, accuracy: &Accuracy) -> Result<MeasureAnswer, MeasureError> {
    let question = MeasureQuestion { parameter: None, derivative_order: 0, weight_bound: None, eps: Rational::new() };
    ask(&typed(model).0, false, &question, accuracy, &Arc::new(Budget::with_time_limit(Duration::from_secs(30))))
}

fn holds(found: &Enclosure, truth: &str, accuracy: &Accuracy, model: &str) {
    let truth = rational(truth);
    let near = Rational::from(&truth / &rational("1e28")).abs();
    let reaches = *found.lo() <= Rational::from(&truth + &near) && *found.hi() >= Rational::from(&truth - &near);
    assert!(found.is_defined() && reaches, "{model}: {found}, and the truth is {truth}");
    assert!(accuracy.is_reached_by(found), "{model}: {found}");
}

const BETA_BINOMIAL: &str = "do { p <- sample (beta 2 5); score (p^50*(1-p)^50); return p }";

fn seen(times: usize) -> String {
    format!("do {{ x <- sample (normal 0 1); {} return x }}", "observe (normal x 1) 40; ".repeat(times))
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn a_mass_that_may_be_0_has_a_logarithm_without_a_lower_end() {
        assert!(matches!(
            found(log_evidence, "do { score 0; return 1 }", &Accuracy::significant_digits(6)),
            Err(MeasureError::ZeroNormalisingConstant)
        ));
        // whether anything is left above the wave is not told
        let wave = "do { x <- sample (normal 0 1); score (if sin (x^2)^2 > 1 then 1 else 0); return x }";
        if let Ok(answer) = found(log_evidence, wave, &Accuracy::significant_digits(6)) {
            let found = &answer.enclosure;
            assert!(found.lo().is_infinite() && found.lo().is_sign_negative(), "{found}");
        }
        // of an infinite mass nothing is claimed
        let improper = "do { x <- sample (normal 0 1); score (exp (x^2)); return x }";
        let question =
            MeasureQuestion { parameter: None, derivative_order: 0, weight_bound: None, eps: Rational::new() };
        let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(1)));
        let answer = log_evidence(&typed(improper).0, false, &question, &Accuracy::significant_digits(6), &budget)
            .expect("an answer");
        assert!(!answer.enclosure.is_bounded(), "{}", answer.enclosure);
    }

    #[test]
    fn logarithms_of_masses() {
        let rows = [
            (BETA_BINOMIAL, "-71.44508598797492499935047554920115"),
            (&*seen(40), "-819.1021322395878440609514491915239"),
            // a mass above 1, and one of 1
            ("do { score 100; return 1 }", "4.605170185988091368035982909368728"),
            ("do { return 1 }", "0"),
        ];
        for (model, truth) in rows {
            let accuracy = Accuracy::within(rational("1e-9"));
            let answer = found(log_evidence, model, &accuracy).expect("an answer");
            holds(&answer.enclosure, truth, &accuracy, model);
        }
        let accuracy = Accuracy::significant_digits(20);
        let answer = found(log_evidence, BETA_BINOMIAL, &accuracy).expect("an answer");
        holds(&answer.enclosure, rows[0].1, &accuracy, BETA_BINOMIAL);
    }

    /// A rare branch with a weight that has a bound loses nothing of the answer.
    #[test]
    fn rare_branches_count() {
        let normal = |score: &str| format!("do {{ x <- sample (normal 0 1); score ({score}); return x }}");
        let accuracy = Accuracy::within(rational("1e-9"));
        for score in [
            "if x < 9 then 1 else sigmoid x",
            "if x < 9 then 1 else 1/(1 + x^2)",
            "if x < 9 then 1 else 1/(1 + x*x)",
            // it has a bound on the branch alone
            "if x < 9 then 1 else 1/x",
            "if x > (-9) then 1 else exp (x/2)",
        ] {
            let model = normal(score);
            let answer = found(evidence_to_accuracy, &model, &accuracy).expect("an answer");
            holds(&answer.enclosure, "1", &accuracy, &model);
            let mean = asked(&model, Some("\\x => x^2"), PLAIN).expect("an answer");
            assert!(
                mean.enclosure.contains(&Rational::from(1)) && mean.enclosure.has_width_at_most(&rational("1e-9")),
                "{model}: {}",
                mean.enclosure
            );
        }
        for score in ["if x + y < 9 then 1 else sigmoid x", "if x + y < 12 then 1 else 1/(1 + x^2)"] {
            let model =
                format!("do {{ x <- sample (normal 0 1); y <- sample (normal 0 1); score ({score}); return x }}");
            let answer = found(evidence_to_accuracy, &model, &accuracy).expect("an answer");
            let found = &answer.enclosure;
            assert!(
                *found.hi() >= 0.9999999995 && *found.lo() <= 1 && found.has_width_at_most(&rational("1e-9")),
                "{model}: {found}"
            );
        }
        // Φ(9) + ∫ φ/(1 + x²) beyond 9
        let accuracy = Accuracy::significant_digits(25);
        let model = normal("if x < 9 then 1 else 1/(1 + x^2)");
        let answer = found(evidence_to_accuracy, &model, &accuracy).expect("an answer");
        holds(&answer.enclosure, "0.9999999999999999998884858029438672", &accuracy, &model);
        // what has no bound is not claimed to have one
        let improper = normal("if x < 9 then 1 else exp (x^2)");
        let answer = asked(&improper, None, PLAIN).expect("an answer");
        assert!(!answer.enclosure.is_bounded(), "{}", answer.enclosure);
    }

    #[test]
    fn small_masses_have_digits() {
        let rate = "do { l <- sample (gamma 2 0.01); observe (poisson l) 5000; return l }";
        let rows = [
            // B(52, 55)/B(2, 5)
            (BETA_BINOMIAL, "9.371160936057629595705760929270897e-32"),
            // Γ(5002)/(Γ(2) 5000!)·0.01²/1.01⁵⁰⁰²
            (rate, "1.212118818326629831106491251265432e-22"),
            // (2π)^(-20)/√41·e^(-20·1600 + 1600²/82)
            (&seen(40), "1.855512366529189295125921428078553e-356"),
            ("do { score 1e-700; return 1 }", "1e-700"),
        ];
        for (model, truth) in rows {
            for digits in [3, 12] {
                let accuracy = Accuracy::significant_digits(digits);
                let answer = found(evidence_to_accuracy, model, &accuracy).expect("an answer");
                holds(&answer.enclosure, truth, &accuracy, model);
            }
        }
    }
}
