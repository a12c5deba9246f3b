//! Pieces and what was not unfolded are a partition, and what is a fact on a piece is the case there. True values by hand.

use super::unfolding::on;
use super::*;
use smoothish::meaning::pap::replay::ExploredPieces;
use smoothish::pieces::{LineInterval, PiecewiseMap};
use smoothish::smooth::graph::Graph;

/// 2³² is how often a number is a factor of itself squared 32 times.
const POWERS: &str = "let rec p (n : Nat) (x : Real) : Real = if n == 0 then x else p (n - 1) (x * x) in";

fn contains(stretch: &LineInterval, x: &Rational) -> bool {
    let [from, to] = [&stretch.left, &stretch.right];
    (from.hi < *x || (from.as_exact() == Some(x) && stretch.closed[0]))
        && (*x < to.lo || (to.as_exact() == Some(x) && stretch.closed[1]))
}

/// Each stretch begins where one ends, and the place belongs to one of the two.
#[track_caller]
fn is_partition(pap: &PiecewiseMap, from: &str, to: &str) {
    let regions = pap.pieces.iter().map(|piece| &piece.region).chain(pap.frontier.iter().map(|part| &part.region));
    let mut all: Vec<&LineInterval> = regions.flat_map(|region| &region.as_ref().unwrap().0).collect();
    all.sort_by_key(|stretch| (stretch.left.lo.clone(), stretch.right.hi.clone()));
    assert_eq!(all[0].left.as_exact(), Some(&ratio(from)));
    assert_eq!(all[all.len() - 1].right.as_exact(), Some(&ratio(to)));
    assert!(all[0].closed[0] && all[all.len() - 1].closed[1]);
    for pair in all.windows(2) {
        let touch = pair[0].right == pair[1].left && pair[0].closed[1] != pair[1].closed[0];
        assert!(touch, "{} and {}", pair[0], pair[1]);
    }
}

/// The pieces say these values at these points; `?` is of a point that may lie on none.
#[track_caller]
fn has_values(text: &str, from: &str, to: &str, values: &[(&str, &str)]) -> PiecewiseMap {
    let ExploredPieces { pap, .. } = on(text, from, to, 40);
    is_partition(&pap, from, to);
    for (x, expected) in values {
        let x = ratio(x);
        let on_it = |region: &smoothish::pieces::IntervalUnion| region.0.iter().any(|stretch| contains(stretch, &x));
        let pieces: Vec<_> = pap.pieces.iter().filter(|piece| on_it(piece.region.as_ref().unwrap())).collect();
        let expected = expected.strip_suffix('?').ok_or(*expected);
        let [piece] = &pieces[..] else {
            assert!(pieces.is_empty() && expected.is_ok(), "{text}: {} pieces at {x}", pieces.len());
            continue;
        };
        let expected = ratio(expected.unwrap_or_else(|certain| certain));
        let Some(value) = piece.outcome.as_number() else { panic!("{text}: no value at {x}") };
        let value = value.substitute(&[(pap.variables[0], Graph::rational(x.clone()))]);
        let found = value.to_real().unwrap().enclose(&ratio("1e-9"), &budget()).unwrap().enclosure;
        let [low, high] = [ratio("-1e-6"), ratio("1e-6")].map(|error| error + &expected);
        assert!(low < *found.lo() && *found.hi() < high, "{text}: {found} at {x}");
    }
    pap
}

/// Two functions of one argument are two guards.
#[test]
fn other_functions_are_other_guards() {
    // cos is positive left of π/2 = 1.5707…, sin left of π
    let nested = r"\x => if sin x > 0 then (if cos x > 0 then 1 else 2) else 3";
    has_values(nested, "0", "6", &[("0", "3"), ("1", "1"), ("1.57", "1"), ("1.58", "2"), ("3", "2"), ("5", "3")]);
    // sin 2 - cos 2, -sin 4 - cos 4, cos 5 - sin 5
    let sides = [("2", "1.32544426337"), ("4", "1.41044611617"), ("5", "1.24258646013")];
    has_values(r"\x => abs (sin x) + abs (cos x)", "0", "6", &sides);
    // exp 1/2 < 2 < exp 1, and tan 1 < 2
    let exponential = r"\x => if exp x > 2 then (if tan x > 2 then 1 else 2) else 3";
    has_values(exponential, "0", "3/2", &[("1/2", "3"), ("1", "2"), ("3/2", "1")]);
}

/// A coordinate is not another one.
#[test]
fn other_coordinates_are_other_guards() {
    use super::unfolding::unfolding;
    use smoothish::syntax::ty::{Ty, TyKind};
    let ty = Ty::function(Ty::new(TyKind::Tuple([Ty::real(), Ty::real()].into())), Ty::real());
    let text = r"\v => if v[0] > 0 then (if v[1] > 0 then 1 else 2) else 3";
    let pap = unfolding(9).explore_everywhere(&Session::new().infer_at(text, &ty).unwrap(), 2).unwrap().pap;
    let values = pap.pieces.iter().map(|piece| piece.outcome.as_number().unwrap().as_rational().unwrap().to_string());
    let mut values: Vec<_> = values.collect();
    values.sort();
    assert_eq!(values, ["1", "2", "3"]);
}

/// An exponent does not begin again at 0.
#[test]
fn exponents_do_not_wrap() {
    // y = (sin 1)^(2^32) lies between 0 and 1, so y² is less
    is(&format!("{POWERS} let y = p 32 (sin 1) in if y == y * y then 1 else (0 : Real)"), &["0"], 0);
    is(&format!("{POWERS} let y = p 32 (sin 1) in signum (y - y * y)"), &["1"], 0);
    // the border is 2^(-1/(2^32 + 1)) = 1 - 1.6e-10
    let text = format!(r"{POWERS} \x => if p 32 x * x > 1/2 then 1 else (0 : Real)");
    has_values(&text, "0", "2", &[("3/4", "0?"), ("1/4", "0?"), ("3/2", "1?")]);
}
/// What is not told apart is on no piece, and is counted once.
#[test]
fn what_is_not_told_apart_is_on_no_piece() {
    for (text, reach, values) in [
        (r"\x => if x^3 > 0 then x else 5", "1", [("-1/2", "5"), ("0", "5?"), ("1/2", "1/2")]),
        (r"\x => if (x - 1)^2 * (x - 2) >= 0 then 1 else 5", "3", [("0", "5"), ("1", "1?"), ("3", "1")]),
        (r"\x => if (x - 1)^2 * (x - 2) >= 0 then 1 else 5", "1e12", [("-9e11", "5"), ("1", "1?"), ("9e11", "1")]),
        (r"\x => if x^2 < 2 then 1 else 0", "1e20", [("-5e19", "0"), ("3e8", "0?"), ("5e19", "0")]),
        // this is no polynomial, and sin² x · x is x³ as far as that
        (r"\x => if sin x * sin x * x > 0 then 1 else 0", "1", [("-1/2", "0"), ("0", "0?"), ("1/2", "1")]),
        (r"\x => if x == 0 then 0 else if 1/x > 3 then 1 else 2", "1", [("-1/2", "2"), ("0", "0"), ("1/4", "1")]),
    ] {
        let pap = has_values(text, &format!("-{reach}"), reach, &values);
        let [_, most] = pap.unexplored_length().unwrap();
        assert!(most <= ratio(reach) >> 20, "{text}: {most}");
    }
}

/// Beside an end that is no rational number there is no gap: on [0, √2] it is 1, and beyond it the guard is x⁴ - 4x² + 4 = (x² - 2)²,
/// which is not 0.
#[test]
fn there_is_no_gap_beside_an_end() {
    let text = r"\x => if x^2 <= 2 then 1 else if x^4 - 4*x^2 + 4 + 1000*(x^3 - x*x*x) == 0 then 4 else 5";
    has_values(text, "0", "3", &[("1", "1"), ("1.4142135623", "1"), ("1.5", "5?"), ("3", "5?")]);
    let text = r"\x => if x^2 <= 2 then 1 else if exp (x^2 - 2) - 1 == 0 then 4 else 5";
    has_values(text, "0", "3", &[("1", "1"), ("1.4142135623", "1"), ("1.5", "5"), ("3", "5")]);
}

/// Of an end that is no rational number those digits are told that are known: √2 = 1.41421356237309504880…, and 10¹² times as much.
#[test]
fn digits_of_ends_are_right() {
    let shown = |text: &str, to: &str| {
        let pap = on(text, "0", to, 9).pap;
        let mut all: Vec<_> = pap.pieces.iter().map(|piece| piece.region.as_ref().unwrap().to_string()).collect();
        all.sort();
        all
    };
    assert_eq!(shown(r"\x => if x^2 < 2 then 1 else 0", "2"), ["[0, 1.414213562373…)", "[1.414213562373…, 2]"]);
    // on an interval of 3e12, ends are known to within 0.2
    let found = shown(r"\x => if x^2 < 2*10^24 then 1 else 0", "3000000000000");
    let [_, right] = &found[..] else { panic!("{found:?}") };
    let inner = right.trim_start_matches('[').split_once(']').map_or(&right[..], |(ends, _)| ends);
    let ends: Vec<_> = inner.split(", ").map(|end| end.trim_end_matches('…')).collect();
    let known = ratio("1414213562373.09504880");
    assert!(ratio(ends[0]) <= known && known <= ratio(ends[1]), "{right}");
    assert_eq!(shown(r"\x => if x^2 < 9/4 then 1 else 0", "2"), ["[0, 3/2)", "[3/2, 2]"]);
}

/// An exact end is told as a fraction where that is short, and else by its first digits. The digits are by mpmath.
#[test]
fn exact_ends_are_told_as_people_read_them() {
    use smoothish::pieces::line::format_rational;
    for (exact, shown) in [
        ("1/3", "1/3"),
        ("-128/2187", "-128/2187"),
        ("1/1048576", "1/1048576"),
        ("3000000000000", "3000000000000"),
        ("1.4142135623730950488", "1.414213562373…"),
        // 2⁻⁴⁰ and 3⁻⁴⁰
        ("1/1099511627776", "9.09494701772…e-13"),
        ("-1/12157665459056928801", "-8.22526333996…e-20"),
        ("1234567/1000000007", "0.001234566991…"),
        ("99999999999999/10000", "9999999999.999900000000…"),
    ] {
        assert_eq!(format_rational(&ratio(exact)), shown, "{exact}");
    }
}
