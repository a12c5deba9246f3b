//! Of `law::campaign`.

use smoothish_laws::law::campaign::*;
use smoothish_laws::law::float::FloatPrediction;
use smoothish_laws::law::path::{EvaluationPath, PathResult};
use smoothish_laws::law::term::TermHead;
use smoothish_laws::law::term::TestTerm;
use smoothish_laws::number::{Context, Double, decimal};
use smoothish_laws::syntax::ty::Ty;
use smoothish_laws::syntax::ty::TyKind;
use std::time::Duration;

fn enclosed(lo: &str, hi: &str) -> PathResult {
    let end = |text: &str| Double.enclose_rational(&decimal::parse(text).unwrap());
    let enclosure = Double.to_enclosure(&Double.hull(&end(lo), &end(hi)));
    PathResult::Enclosure { enclosure, cut: false }
}

#[test]
fn enclosures_without_a_common_point_are_found_wherever_they_stand() {
    let nothing = (EvaluationPath::Mpfr256, PathResult::Nothing { cut: false });
    let mut answers =
        vec![(EvaluationPath::Double, enclosed("0", "1")), nothing, (EvaluationPath::Session, enclosed("1", "2"))];
    assert!(find_disjoint(&answers).is_none());
    answers.push((EvaluationPath::Tower, enclosed("0.25", "0.5")));
    let finding = find_disjoint(&answers).unwrap();
    assert_eq!(finding.fault, CampaignFault::Disjoint(EvaluationPath::Session, EvaluationPath::Tower));
    assert_eq!(finding.sides.len(), 2);
    assert!(find_disjoint(&[]).is_none());
}

#[test]
fn a_panic_is_caught_with_its_message() {
    assert_eq!(catch_panic(|| 1), Ok(1));
    assert_eq!(catch_panic(|| -> u8 { std::panic::panic_any("broken") }), Err("broken".to_owned()));
    assert_eq!(catch_panic(|| -> u8 { std::panic::panic_any(7) }), Err("a panic without a message".to_owned()));
}

#[test]
fn a_program_of_another_type_is_refused() {
    let campaign = DifferentialCampaign::new(1, Duration::from_millis(50));
    let truth = TestTerm::new(TermHead::Bool(true), Ty::new(TyKind::Bool), Vec::new());
    let verdict = campaign.compare_paths(&truth, &EvaluationPath::ALL);
    assert_eq!(verdict.findings[0].fault, CampaignFault::Refused);
    let verdict = campaign.compare_paths(&TestTerm::real_literal((1, 3)), &EvaluationPath::ALL);
    assert!(verdict.findings.is_empty() && verdict.answers.len() == EvaluationPath::ALL.len());
    assert!(matches!(verdict.prediction, FloatPrediction::Estimate(_)));
}

/// No estimate is not "undefined": digamma and polygamma are defined between their poles, also far to the left.
#[test]
fn digamma_far_to_the_left_is_not_undefined() {
    use smoothish_laws::function::{Function, SpecialId};
    use smoothish_laws::law::float::predict_float;
    use smoothish_laws::number::Rational;
    use smoothish_laws::smooth::graph::Graph;
    for function in [Function::DIGAMMA, Function::Special(SpecialId::Gamma, 3)] {
        let at = |q: Rational| predict_float(&Graph::function(function, &Graph::rational(q)));
        for x in [-20_001, -20_003, -2_000_001] {
            assert!(matches!(at((x, 2).into()), FloatPrediction::None), "{x}/2: {}", at((x, 2).into()));
        }
        assert!(matches!(at((-201, 2).into()), FloatPrediction::Estimate(_)));
    }
}
