//! Guards that are quotients of polynomials are decided exactly, and with them the ends of pieces. True values by hand.

use super::unfolding::on;
use super::*;
use smoothish::pieces::{PieceValue, PiecewiseMap};

/// Pieces from the left, and whether nothing was left out.
#[track_caller]
fn pieces(text: &str, from: &str, to: &str) -> Vec<String> {
    let pap = on(text, from, to, 60).pap;
    assert!(pap.frontier.is_empty(), "{text}: {:?}", pap.frontier);
    shown(&pap)
}

fn shown(pap: &PiecewiseMap) -> Vec<String> {
    let mut all: Vec<_> = pap.pieces.iter().map(|piece| piece.region.as_ref().unwrap()).collect();
    all.sort_by_key(|region| (region.0[0].left.lo.clone(), region.0[0].right.hi.clone()));
    all.iter().map(ToString::to_string).collect()
}

/// A root of higher order is a point, and nothing beside it is untold.
#[test]
fn roots_of_higher_order_are_points() {
    assert_eq!(pieces(r"\x => if x^3 > 0 then x else 0", "-1", "1"), ["[-1, 0]", "(0, 1]"]);
    assert_eq!(pieces(r"\x => if x^2 > 0 then x else 0", "-1", "1"), ["[-1, 0) ∪ (0, 1]", "{0}"]);
    let cut = r"\x => if (3 * x - 1)^3 * (x - 1/2)^2 * (x^2 - 2) >= 0 then 1 else x";
    assert_eq!(
        pieces(cut, "0", "2"),
        ["[0, 1/3] ∪ {1/2} ∪ [1.414213562373…, 2]", "(1/3, 1/2) ∪ (1/2, 1.414213562373…)"]
    );
}

/// What is 0 wherever it has a value is so, and its divisor is a condition.
#[test]
fn quotients_are_reduced() {
    assert_eq!(pieces(r"\x => if x / x - 1 == 0 then 1 else 2", "-1", "1"), ["[-1, 0) ∪ (0, 1]", "{0}"]);
    assert_eq!(pieces(r"\x => if 2 * x / x > 1 then 1 else 2", "-1", "1"), ["[-1, 0) ∪ (0, 1]", "{0}"]);
    // 1/x > 2 for 0 < x < 1/2
    let pap = on(r"\x => if 1 / x > 2 then 1 else x", "-1", "1", 9).pap;
    assert_eq!(shown(&pap), ["[-1, 0) ∪ [1/2, 1]", "{0}", "(0, 1/2)"]);
    assert!(
        matches!(pap.locate_point(&[ratio("0")], &budget()), smoothish::pieces::function::PointLocation::Piece(p) if matches!(p.outcome, PieceValue::Undefined(_)))
    );
    // 1/(x² - 2) > 3 for 2 < x² < 7/3
    let pap = on(r"\x => if 1 / (x^2 - 2) > 3 then 1 else x", "0", "2", 9).pap;
    assert_eq!(shown(&pap)[1..], ["{1.414213562373…}", "(1.414213562373…, 1.527525231651…)"]);
    assert!(pap.frontier.is_empty());
}

/// A second guard with the same irrational root: x⁴ < 4 beside √2, and on it.
#[test]
fn irrational_ends_are_known_exactly() {
    let text =
        r"\x => if x^2 < 2 then (if x^4 < 4 then 1 else 2) else if x^4 > 4 then 3 else if x^6 == 8 then 4 else 5";
    assert_eq!(pieces(text, "0", "2"), ["[0, 1.414213562373…)", "{1.414213562373…}", "(1.414213562373…, 2]"]);
    // roots so near that intervals do not tell them apart at once: √2 and 14142135623730950488/10^19
    let near = r"\x => if x^2 < 2 then (if x <= 1.4142135623730950488 then 1 else 2) else 3";
    let pap = on(near, "0", "2", 9).pap;
    assert!(pap.frontier.is_empty());
    let lengths: Vec<_> = pap.pieces.iter().map(|piece| piece.region.as_ref().unwrap().length_bounds()).collect();
    assert_eq!(lengths.len(), 3, "{:?}", shown(&pap));
}

/// The same at a point: 0 where the number exists, and a number that may be 0/0 is not decided.
#[test]
fn zeros_with_divisors_are_decided_at_points() {
    is("(if exp 1 / exp 1 - 1 == 0 then 5 else 7)", &["5"], 0);
    is("(if (sqrt 3 - 1) / (sqrt 3 - 1) == 1 then 5 else 7)", &["5"], 0);
    // that the square of √2 is 2 is seen, and that √2·√3 is √6 is not
    let (cause, _) = fails("let t = sqrt 2 * sqrt 2 - 2 in if t / t == 1 then 5 else 7");
    assert_eq!(cause, Some(smoothish::model::answer::UndefinedCause::Domain));
    let (cause, _) = fails("let t = sqrt 2 * sqrt 3 - sqrt 6 in if t / t == 1 then 5 else 7");
    assert_eq!(cause, Some(smoothish::model::answer::UndefinedCause::Undecided));
}
