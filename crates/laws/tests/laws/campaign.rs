//! Of `law::campaign`.

use smoothish_laws::law::campaign::*;
use smoothish_laws::law::float::Opinion;
use smoothish_laws::law::path::{Found, Path};
use smoothish_laws::law::term::Head;
use smoothish_laws::law::term::Term;
use smoothish_laws::number::{Context, Double, decimal};
use smoothish_laws::syntax::ty::Ty;
use smoothish_laws::syntax::ty::TyKind;
use std::time::Duration;

fn enclosed(lo: &str, hi: &str) -> Found {
    let end = |text: &str| Double.rational(&decimal::parse(text).unwrap());
    let enclosure = Double.to_enclosure(&Double.hull(&end(lo), &end(hi)));
    Found::Enclosure { enclosure, cut: false }
}

#[test]
fn enclosures_without_a_common_point_are_found_wherever_they_stand() {
    let nothing = (Path::Mpfr256, Found::Nothing { cut: false });
    let mut answers = vec![(Path::Double, enclosed("0", "1")), nothing, (Path::Session, enclosed("1", "2"))];
    assert!(disjoint(&answers).is_none());
    answers.push((Path::Tower, enclosed("0.25", "0.5")));
    let finding = disjoint(&answers).unwrap();
    assert_eq!(finding.fault, Fault::Disjoint(Path::Session, Path::Tower));
    assert_eq!(finding.sides.len(), 2);
    assert!(disjoint(&[]).is_none());
}

#[test]
fn a_panic_is_caught_with_its_message() {
    assert_eq!(guarded(|| 1), Ok(1));
    assert_eq!(guarded(|| -> u8 { std::panic::panic_any("broken") }), Err("broken".to_owned()));
    assert_eq!(guarded(|| -> u8 { std::panic::panic_any(7) }), Err("a panic without a message".to_owned()));
}

#[test]
fn a_program_of_another_type_is_refused() {
    let campaign = Campaign::new(1, Duration::from_millis(50));
    let truth = Term::new(Head::Bool(true), Ty::new(TyKind::Bool), Vec::new());
    let verdict = campaign.verdict(&truth, &Path::ALL);
    assert_eq!(verdict.findings[0].fault, Fault::Refused);
    let verdict = campaign.verdict(&Term::real((1, 3)), &Path::ALL);
    assert!(verdict.findings.is_empty() && verdict.answers.len() == Path::ALL.len());
    assert!(matches!(verdict.opinion, Opinion::Estimate(_)));
}
