//! Estimators of gradients: their means, biases and variances.
//!
//! True values by closed forms of the normal distribution, found again by quadrature by mpmath, at 30 digits.

use super::{parsed, rational};
use smoothish::measure::MeasureError;
use smoothish::measure::estimator::{EstimatorComparison, EstimatorMoments, GradientEstimator, compare_estimators};
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational};
use std::sync::Arc;
use std::time::Duration;

fn compared(model: &str, of: &str, at: &str) -> Result<EstimatorComparison, MeasureError> {
    let (term, of) = parsed(model, of, true);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(60)));
    compare_estimators(&term, &of, &rational(at), &rational("1e-9"), &budget)
}

fn is(found: &Enclosure, truth: &str) {
    let (truth, near) = (rational(truth), rational("1e-13"));
    let reaches = *found.lo() <= Rational::from(&truth + &near) && *found.hi() >= Rational::from(&truth - &near);
    assert!(
        found.is_defined() && reaches && found.has_width_at_most(&rational("1e-9")),
        "{found}, and the truth is {truth}"
    );
}

fn estimate(found: &EstimatorComparison, name: GradientEstimator) -> &EstimatorMoments {
    let own = found.estimates.iter().find(|(own, _)| *own == name).expect("each is told of");
    own.1.as_ref().expect("it has a form")
}

const NATURAL: &str = "\\t => do { z <- sample (normal t 1); return z }";
const SHIFTED: &str = "\\t => do { e <- sample (normal 0 1); return (t + e) }";
const STEP: &str = "\\z => if z > 0 then 1 else 0";
const JUMP: &str = "\\z => if z > 0 then 5 else z";

/// φ(0.3): of a jump, the mean of derivatives along draws is 0.
#[test]
fn a_jump_is_not_seen_along_a_draw() {
    let found = compared(NATURAL, STEP, "0.3").expect("an answer");
    is(&found.gradient, "0.381387815460524");
    let own = estimate(&found, GradientEstimator::Reparametrisation);
    is(&own.mean, "0");
    is(&own.bias, "-0.381387815460524");
    is(own.variance.as_ref().expect("a variance"), "0");
    let [culprit] = &own.bias_sources[..] else { panic!("{:?}", own.bias_sources) };
    is(&culprit.share, "0.381387815460524");
    assert!(culprit.in_function && culprit.kind == "a guard");
    let place = culprit.place.as_ref().expect("a place");
    assert!(STEP[place.span.start as usize..place.span.end as usize].contains('>'), "{place:?}");
    is(&estimate(&found, GradientEstimator::Score).mean, "0.381387815460524");
    assert!(estimate(&found, GradientEstimator::Score).bias_sources.is_empty());
    is(&estimate(&found, GradientEstimator::Boundary).mean, "0.381387815460524");
    // θ in the function alone: the score function sees no more
    let found = compared(SHIFTED, STEP, "0.3").expect("an answer");
    for name in [GradientEstimator::Reparametrisation, GradientEstimator::Score] {
        is(&estimate(&found, name).mean, "0");
        assert_eq!(estimate(&found, name).bias_sources.len(), 1);
    }
}

/// 5 φ(t) + Φ(-t) at 0.3, of which Φ(-t) is seen along draws; E f² (z - t)² less the square of the mean.
#[test]
fn means_and_variances_have_their_numbers() {
    let found = compared(NATURAL, JUMP, "0.3").expect("an answer");
    is(&found.gradient, "2.28902765511367");
    let [own, score, boundary] =
        [GradientEstimator::Reparametrisation, GradientEstimator::Score, GradientEstimator::Boundary]
            .map(|name| estimate(&found, name));
    is(&own.mean, "0.382088577811047");
    is(&own.bias, "-1.90693907730262");
    is(own.variance.as_ref().expect("a variance"), "0.236096896517379");
    is(&score.mean, "2.28902765511367");
    is(score.variance.as_ref().expect("a variance"), "8.41396669369269");
    is(&boundary.mean, "2.28902765511367");
    assert!(boundary.variance.is_none() && score.bias_sources.is_empty() && own.bias_sources.len() == 1);
    // (ln 0.2 - ln 0.8) φ(½)
    let clamped = "\\t => do { z <- sample (normal t 1); return (if z > 1/2 then 0.8 else 0.2) }";
    let found = compared(clamped, "\\p => log (1 - p)", "0").expect("an answer");
    is(&found.gradient, "-0.488066177239180");
    is(&estimate(&found, GradientEstimator::Reparametrisation).mean, "0");
    assert!(!estimate(&found, GradientEstimator::Reparametrisation).bias_sources[0].in_function);
}

/// Where nothing jumps both are right; draws that are not real are chosen by a border too.
#[test]
fn smooth_programs_and_choices() {
    // E x² = t² + 1, by 2x and by x² (x - t); a scale: E x² = 2/r²
    let found = compared(NATURAL, "\\x => x^2", "0.5").expect("an answer");
    for name in [GradientEstimator::Reparametrisation, GradientEstimator::Score, GradientEstimator::Boundary] {
        is(&estimate(&found, name).mean, "1");
        assert!(estimate(&found, name).bias_sources.is_empty());
    }
    let found = compared("\\r => do { x <- sample (exponential r); return x }", "\\x => x^2", "2").expect("an answer");
    is(&estimate(&found, GradientEstimator::Reparametrisation).mean, "-0.5");
    is(&estimate(&found, GradientEstimator::Score).mean, "-0.5");
    // p - t² (1 - p): 1 + t² - 2t (1 - p), of which the second is seen along draws
    let choice = "\\t => do { b <- sample (bernoulli t); return (if b then 1 else - t^2) }";
    let found = compared(choice, "\\x => x", "0.25").expect("an answer");
    is(&found.gradient, "0.6875");
    is(&estimate(&found, GradientEstimator::Reparametrisation).mean, "-0.375");
    is(&estimate(&found, GradientEstimator::Score).mean, "0.6875");
    assert_eq!(
        estimate(&found, GradientEstimator::Reparametrisation).bias_sources[0].kind,
        "the draws of truth values"
    );
    // infinitely many: E n = 1/p, E n² - … by the score 1/p - (n - 1)/(1 - p)
    let count = "\\p => do { n <- sample (geometric p); return n }";
    let found = compared(count, "\\n => toReal n", "0.5").expect("an answer");
    is(&found.gradient, "-4");
    is(&estimate(&found, GradientEstimator::Score).mean, "-4");
    is(&estimate(&found, GradientEstimator::Reparametrisation).mean, "0");
}

/// The end of where a draw lies moves: E x = t/2, and f·∂ log p = -x/t has the mean -1/2.
#[test]
fn ends_that_move_are_missed_by_the_score() {
    let found = compared("\\t => do { x <- sample (uniformOn 0 t); return x }", "\\x => x", "2").expect("an answer");
    is(&found.gradient, "0.5");
    is(&estimate(&found, GradientEstimator::Reparametrisation).mean, "0.5");
    let score = estimate(&found, GradientEstimator::Score);
    is(&score.mean, "-0.5");
    is(&score.bias, "-1");
    assert_eq!(score.bias_sources[0].kind, "an end of where a draw lies");
    // f is 0 at the end, and the guard is all that is missed
    let guard = "\\t => do { x <- sample (uniformOn 0 t); return (if x > t/2 then 0 else 1) }";
    let found = compared(guard, "\\z => z", "2").expect("an answer");
    let wrong = &estimate(&found, GradientEstimator::Score).bias_sources;
    assert_eq!(wrong.iter().map(|culprit| culprit.kind).collect::<Vec<_>>(), ["a guard"]);
    // the end brings f(2)/2, and the guard as much
    let both = "\\t => do { x <- sample (uniformOn 0 t); return (if x + t > 3 then 1 else 0) }";
    let found = compared(both, "\\z => z", "2").expect("an answer");
    let wrong = &estimate(&found, GradientEstimator::Score).bias_sources;
    assert_eq!(wrong.len(), 2);
    wrong.iter().for_each(|culprit| is(&culprit.share, "0.5"));
}

#[test]
fn what_has_no_form_is_told() {
    let shape = "\\t => do { x <- sample (gamma t 1); return x }";
    let found = compared(shape, "\\x => x", "2").expect("an answer");
    let told: Vec<bool> = found.estimates.iter().map(|(_, estimate)| estimate.is_ok()).collect();
    assert_eq!(told, [false, true, false]);
    let seen = "\\t => do { x <- sample (normal t 1); observe (normal x 1) 1; return x }";
    assert!(matches!(compared(seen, "\\x => x", "0"), Err(MeasureError::WeightsRuns)));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// That a program has no value is said where it has none with some chance.
    #[test]
    fn a_guard_that_is_not_decided_is_no_proof() {
        let model = "\\t => do { x <- sample (exponential t); return x }";
        assert!(!matches!(compared(model, "\\z => 1 / sqrt z", "1"), Err(MeasureError::Undefined(_))));
    }
}
