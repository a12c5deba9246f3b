//! Pieces of functions ℝⁿ → ℝᵐ on a box: their points, dimensions and volumes, and composites. True values are derived by hand; volumes
//! in closed form, checked by quadrature with mpmath to 30 digits.

use super::unfolding::unfolding;
use super::*;
use smoothish::meaning::pap::replay::ExploredPieces;
use smoothish::measure::volume::{enclose_volume, enclose_volumes};
use smoothish::pieces::function::{PointLocation, conditions_hold_at};
use smoothish::pieces::proof::SetPoints;
use smoothish::pieces::{AnalyticPiece, PiecewiseMap, StopReason};
use smoothish::smooth::graph::Graph;
use smoothish::syntax::ty::Ty;
use std::time::{Duration, Instant};

/// A box as the bounds of each coordinate.
fn cube(from: &str, to: &str, n: usize) -> Vec<[Rational; 2]> {
    vec![[ratio(from), ratio(to)]; n]
}

/// The pieces of a program on a box. It takes its numbers one after the other.
#[track_caller]
fn explore(text: &str, domain: &[[Rational; 2]], limit: usize) -> ExploredPieces {
    // at real numbers, where the values are no tuples: `==` alone is of natural ones
    let ty = domain.iter().fold(Ty::real(), |ty, _| Ty::function(Ty::real(), ty));
    let session = Session::new();
    let term = session.infer_at(text, &ty).or_else(|_| session.infer(text).map(|(term, _)| term));
    let term = term.unwrap_or_else(|e| panic!("{text}: {e}"));
    unfolding(limit).explore_box(&term, domain, true).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn long_budget() -> Budget {
    Budget::with_time_limit(Duration::from_secs(60))
}

/// The rational values of a piece at a point.
fn values_at(map: &PiecewiseMap, piece: &AnalyticPiece, point: &[Rational]) -> Vec<Rational> {
    let at: Vec<_> = map.variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect();
    let smoothish::pieces::PieceValue::Values(values) = piece.outcome.substitute(&at) else { panic!("no value") };
    values.iter().map(|value| value.as_rational().unwrap().clone()).collect()
}

/// The value of the piece that holds a point.
#[track_caller]
fn value_at(map: &PiecewiseMap, point: &[&str]) -> Vec<Rational> {
    let point: Vec<_> = point.iter().map(|x| ratio(x)).collect();
    match map.locate_point(&point, &long_budget()) {
        PointLocation::Piece(piece) => values_at(map, piece, &point),
        other => panic!("{point:?}: {other:?}"),
    }
}

/// Each piece with a sample holds it, and no other piece does.
#[track_caller]
fn samples_are_alone(map: &PiecewiseMap) {
    for (index, piece) in map.pieces.iter().enumerate() {
        let Some(sample) = piece.sample() else { continue };
        let at: Vec<_> = map.variables.iter().copied().zip(sample.iter().cloned().map(Graph::rational)).collect();
        for (other, own) in map.pieces.iter().enumerate() {
            assert_eq!(conditions_hold_at(&own.guards, &at, &long_budget()), Some(other == index), "{sample:?}");
        }
    }
}

/// The dimensions of the pieces, as text, in the order of their values.
fn dimensions(map: &PiecewiseMap) -> Vec<String> {
    map.pieces.iter().map(|piece| piece.dimension.to_string()).collect()
}

/// A disc is one piece, and what is around it the other: both have points, and the dimension 2.
#[test]
fn a_disc_has_two_pieces() {
    let found = explore(r"\x y => if x * x + y * y < 1 then x else 0", &cube("-1", "1", 2), 9).pap;
    assert_eq!((found.pieces.len(), found.frontier.len()), (2, 0));
    assert!(found.pieces.iter().all(|piece| piece.dimension.as_exact() == Some(2) && piece.sample().is_some()));
    samples_are_alone(&found);
    assert_eq!(value_at(&found, &["3/5", "-3/5"]), [ratio("3/5")]);
    // the border belongs to the outside, since 9/25 + 16/25 is not below 1
    assert_eq!(value_at(&found, &["3/5", "4/5"]), [ratio("0")]);
    // outside of the box nothing is said
    assert!(matches!(found.locate_point(&[ratio("2"), ratio("0")], &long_budget()), PointLocation::Frontier));
}

/// Functions into ℝ² have two maps on each piece; a tuple of arguments is as good as two arguments.
#[test]
fn values_are_vectors() {
    let text = r"\(p : Real * Real) => if p[0] < p[1] then (p[0], p[0] + p[1]) else (p[1], 0)";
    let (term, _) = Session::new().infer(text).unwrap();
    let found = unfolding(9).explore_box(&term, &cube("0", "1", 2), false).unwrap().pap;
    assert_eq!(found.pieces.len(), 2);
    assert_eq!(value_at(&found, &["1/4", "1/2"]), [ratio("1/4"), ratio("3/4")]);
    assert_eq!(value_at(&found, &["1/2", "1/2"]), [ratio("1/2"), ratio("0")]);
}

/// Answers that are impossible together are not followed: by signs, by one box, and by many.
#[test]
fn impossible_answers_are_pruned() {
    // x + y > 3 has no point with x < 1 and y < 1
    let text = r"\x y => if x + y > 3 then 1 else if x * x + y * y > 5 then 2 else 3";
    let found = explore(text, &cube("0", "1", 2), 9);
    assert_eq!((found.pap.pieces.len(), found.runs), (1, 1));
    // the discs around (-1/2, 0) and (1/2, 0) of radius 1/4 do not meet
    let text = r"\x y => if (x + 1/2)^2 + y^2 < 1/16 then (if (x - 1/2)^2 + y^2 < 1/16 then 1 else 2) else 3";
    let found = explore(text, &cube("-1", "1", 2), 9).pap;
    let mut values: Vec<_> =
        found.pieces.iter().map(|piece| piece.outcome.as_number().unwrap().as_rational().unwrap().clone()).collect();
    values.sort();
    assert_eq!(values, [ratio("2"), ratio("3")]);
    // x < y < z < x, known by no sign of one guard: three halves of a cube without a common point are excluded or told to be open
    let text = r"\x y z => if x < y then (if y < z then (if z < x then 1 else 2) else 3) else 4";
    let found = explore(text, &cube("0", "1", 3), 9).pap;
    for piece in &found.pieces {
        let value = piece.outcome.as_number().unwrap().as_rational().unwrap().clone();
        assert_eq!(piece.sample().is_none(), value == 1, "{value}");
        assert!(value != 1 || piece.points == SetPoints::Unknown);
    }
}

/// A condition x == y leaves a line: dimension 1, and no volume. Two of them leave a point. A disc of radius 0 is not known to be one.
#[test]
fn equations_lower_the_dimension() {
    let of = |text: &str, n: usize, value: &str| {
        let found = explore(text, &cube("0", "1", n), 9).pap;
        samples_are_alone(&found);
        let is = |piece: &&AnalyticPiece| {
            piece.outcome.as_number().and_then(|value| value.as_rational()).is_some_and(|q| *q == ratio(value))
        };
        let piece = found.pieces.iter().find(is).unwrap_or_else(|| panic!("{text}: {:?}", dimensions(&found))).clone();
        let volume =
            enclose_volume(&piece.guards, &found.variables, &cube("0", "1", n), &ratio("1e-6"), &long_budget());
        (piece.dimension.to_string(), piece.sample().is_some(), volume.hi().is_zero())
    };
    let dimension = |k: &str, has_point: bool, is_null: bool| (k.to_owned(), has_point, is_null);
    assert_eq!(of(r"\x y => if x == y then 1 else 0", 2, "1"), dimension("1", true, true));
    assert_eq!(of(r"\x y => if x == y then 1 else 0", 2, "0"), dimension("2", true, false));
    let point = r"\x y => if x == y then (if x + y == 1/2 then 1 else 2) else 3";
    assert_eq!(of(point, 2, "1"), dimension("0", true, true));
    assert_eq!(of(point, 2, "2"), dimension("1", true, true));
    // a plane, and a line in it
    let plane = r"\x y z => if x + y == z then (if x == 2 * y then 1 else 2) else 3";
    assert_eq!(of(plane, 3, "1"), dimension("1", true, true));
    assert_eq!(of(plane, 3, "2"), dimension("2", true, true));
    // a circle, of which corners of the box are points: the circle ends there, so that its dimension is not told
    let circle = of(r"\x y => if x * x + y * y == 1 then 1 else 0", 2, "1");
    assert!(["1", "0 to 1"].contains(&&*circle.0) && circle.1 && circle.2, "{circle:?}");
    // x·y = 1/4, solved for y
    assert_eq!(of(r"\x y => if x * y == 1/4 then 1 else 0", 2, "1"), dimension("1", true, true));
    // the two inequalities are an equation together
    assert_eq!(of(r"\x y => if x >= y then (if x <= y then 1 else 2) else 3", 2, "1"), dimension("1", true, true));
    // an edge of the box
    assert_eq!(of(r"\x y => if x >= 1 then 1 else 0", 2, "1"), dimension("1", true, true));
    // one point, as a sum of squares: its gradient is 0 there
    assert_eq!(of(r"\x y => if x * x + y * y == 0 then 1 else 0", 2, "1"), ("0 to 1".to_owned(), true, true));
}

/// A map that is 0 on a half-plane, as √(x²) - x, does not lower the dimension.
#[test]
fn zeros_with_an_interior_have_the_full_dimension() {
    let text = r"\x y => if x /= 0 then (if sqrt (x * x) == x then 1 else 2) else 3";
    let found = explore(text, &cube("-1", "1", 2), 9).pap;
    for piece in &found.pieces {
        if piece.outcome.as_number().and_then(|value| value.as_rational()).is_some_and(|q| *q == 1) {
            assert_eq!(piece.dimension.at_most, 2);
            let volume =
                enclose_volume(&piece.guards, &found.variables, &cube("-1", "1", 2), &ratio("1/10"), &budget());
            assert!(volume.contains(&ratio("2")), "{volume}");
        }
    }
}

/// Rows 5 to 9 of the acceptance: volumes to 1e-6. π and 4 - π; π/6; (1 + log 4)/4 for the complement… each in closed form beside it.
#[test]
fn volumes_are_those_of_closed_forms() {
    let is = |text: &str, domain: &[[Rational; 2]], expected: &[(&str, &str)]| {
        let started = Instant::now();
        let found = explore(text, domain, 9).pap;
        let volumes = enclose_volumes(&found, &ratio("1e-7"), &long_budget()).unwrap();
        for (value, volume) in expected {
            let mut sum = (0.0, 0.0);
            for (piece, own) in found.pieces.iter().zip(&volumes.pieces) {
                if piece.outcome.as_number().unwrap().as_rational().is_some_and(|q| *q == ratio(value)) {
                    sum = (sum.0 + own.lo().to_f64(), sum.1 + own.hi().to_f64());
                }
            }
            let expected: f64 = volume.parse().unwrap();
            let slack = 1e-15;
            assert!(sum.0 <= expected + slack && expected <= sum.1 + slack, "{text}: {sum:?} without {expected}");
            assert!(sum.1 - sum.0 <= 1e-6, "{text}: {sum:?}");
        }
        println!("{text}: {:?}", started.elapsed());
    };
    // π and 4 - π
    let disc = r"\x y => if x * x + y * y < 1 then 1 else 0";
    is(disc, &cube("-1", "1", 2), &[("1", "3.141592653589793"), ("0", "0.8584073464102068")]);
    // π/6
    let octant = r"\x y z => if x * x + y * y + z * z < 1 then 1 else 0";
    is(octant, &cube("0", "1", 3), &[("1", "0.5235987755982989")]);
    // a(1 + log(1/a) + log(1/a)²/2) for a = 1/4
    let product = r"\x y z => if x * y * z < 1/4 then 1 else 0";
    is(product, &cube("0", "1", 3), &[("1", "0.8368000972390734")]);
    // (1 + log 2)/4
    let half = r"\x y => if x < y then (if x * y < 1/2 then 1 else 2) else 3";
    is(half, &cube("0", "1", 2), &[("1", "0.4232867951399863"), ("3", "0.5")]);
    // 1 - cos 1
    is(r"\x y => if y < sin x then 1 else 0", &cube("0", "1", 2), &[("1", "0.4596976941318603")]);
    is(r"\x y => if x == y then 1 else 0", &cube("0", "1", 2), &[("1", "0"), ("0", "1")]);
    // sides of other lengths and places: an ellipse of the half axes 2 and 3 around (10, -5), 6π
    let ellipse = r"\x y => if (x - 10)^2 / 4 + (y + 5)^2 / 9 < 1 then 1 else 0";
    is(ellipse, &[[ratio("8"), ratio("12")], [ratio("-8"), ratio("-2")]], &[("1", "18.84955592153876")]);
}

/// (s, t) ↦ [s t > 0] after (x + y, x - y): the guard is pulled back along both coordinates. Half of the square, 2 and 2.
#[test]
fn guards_are_pulled_back_along_vectors() {
    let inner = explore(r"\x y => (x + y, x - y)", &cube("-1", "1", 2), 9).pap;
    let outer = explore(r"\s t => if s * t > 0 then s else 0 - 1", &cube("-2", "2", 2), 9).pap;
    let finest = ratio("1e-9");
    let composite = inner.then(&outer, &finest, &long_budget()).unwrap();
    assert_eq!((composite.pieces.len(), composite.frontier.len()), (2, 0));
    samples_are_alone(&composite);
    // x² > y²
    assert_eq!(value_at(&composite, &["3/4", "-1/2"]), [ratio("1/4")]);
    assert_eq!(value_at(&composite, &["1/2", "3/4"]), [ratio("-1")]);
    let volumes = enclose_volumes(&composite, &ratio("1e-7"), &long_budget()).unwrap();
    for volume in &volumes.pieces {
        assert!(volume.contains(&ratio("2")) && volume.has_width_at_most(&ratio("1e-6")), "{volume}");
    }
    // of another dimension there is no composite
    let line = super::unfolding::on(r"\x => x", "0", "1", 9).pap;
    assert!(inner.then(&line, &finest, &long_budget()).is_none());
}

/// A composite has on its frontier what the budget does not reach, and claims no piece of it: the square has the area 4.
#[test]
fn composites_keep_to_their_budget() {
    let inner = explore(r"\x y => (if x < 0 then x + y else x - y, x * y)", &cube("-1", "1", 2), 9).pap;
    let outer = explore(r"\s t => if s * t > 0 then s else if s < t then t else 0 - 1", &cube("-2", "2", 2), 9).pap;
    let composed = |budget: &Budget| inner.then(&outer, &ratio("1e-9"), budget).unwrap();
    let within = |work: u64| composed(&Budget::new(work, None, None));
    let parts =
        |map: &PiecewiseMap| (map.pieces.len(), map.frontier.iter().map(|part| part.reason).collect::<Vec<_>>());
    let unlimited = Budget::unlimited();
    assert_eq!(parts(&composed(&unlimited)), (6, vec![]));
    assert_eq!(parts(&within(0)), (0, vec![StopReason::Fuel; 2]));
    // enough for one of the two halves
    let some = within(unlimited.work_done() * 3 / 4);
    assert_eq!(parts(&some), (3, vec![StopReason::Fuel]));
    let volumes = enclose_volumes(&some, &ratio("1e-3"), &long_budget()).unwrap();
    let parts: Vec<_> = volumes.pieces.iter().chain([&volumes.unexplored]).collect();
    let least = parts.iter().fold(ratio("0"), |sum, part| sum + part.lo().to_rational().unwrap());
    let most = parts.iter().fold(ratio("0"), |sum, part| sum + part.hi().to_rational().unwrap());
    assert!(least <= 4 && 4 <= most, "{least} to {most}");
}

/// In a picture a pixel of a piece lies on it, and the pixels give bounds of its area: π, of a disc.
#[test]
fn pictures_of_cells_are_certain() {
    use smoothish::plot::cells::{CellPixel, PIXELS_PER_SIDE, plot_cells};
    let found =
        explore(r"\x y => if x * x + y * y < 1 then (if x < y then 1 else 2) else 3", &cube("-1", "1", 2), 9).pap;
    let picture = plot_cells(&found, &long_budget()).unwrap();
    let place = |index: usize| -> Rational { Rational::from((2 * index as i64 + 1, PIXELS_PER_SIDE as i64)) - 1 };
    let mut seen = [0; 3];
    for (index, pixel) in picture.pixels.iter().enumerate() {
        let CellPixel::Piece(piece) = *pixel else { continue };
        seen[piece] += 1;
        // every seventh, as each takes a while
        if index % 7 == 0 {
            let [x, y] = [place(index % PIXELS_PER_SIDE), -place(index / PIXELS_PER_SIDE)];
            let r2 = Rational::from(&x * &x) + Rational::from(&y * &y);
            let value = if r2 < 1 { if x < y { 1 } else { 2 } } else { 3 };
            let own = found.pieces[piece].outcome.as_number().unwrap().as_rational().unwrap().clone();
            assert_eq!(own, value, "({x}, {y})");
        }
    }
    assert!(seen.iter().all(|count| *count > 1_000), "{seen:?}");
    for (index, piece) in found.pieces.iter().enumerate() {
        // π/2 twice, and 4 - π
        let area = match piece.outcome.as_number().unwrap().as_rational().unwrap().to_f64() as i64 {
            3 => 4.0 - std::f64::consts::PI,
            _ => std::f64::consts::FRAC_PI_2,
        };
        let [least, most] = picture.area_bounds(index).map(|bound| bound.to_f64());
        assert!(least < area && area < most && most - least < 0.4, "[{least}, {most}] without {area}");
    }
    let line = super::unfolding::on(r"\x => x", "0", "1", 9).pap;
    assert!(plot_cells(&line, &long_budget()).is_err());
}

/// Values outside of the domain of the second function lie on the frontier, with their volume: y > 1/2 of (x, 2 y) on the unit square.
#[test]
fn values_outside_of_the_second_domain_are_told() {
    let inner = explore(r"\x y => (x, 2 * y)", &cube("0", "1", 2), 9).pap;
    let outer = explore(r"\s t => if s < t then 1 else 2", &cube("0", "1", 2), 9).pap;
    let composite = inner.then(&outer, &ratio("1e-9"), &long_budget()).unwrap();
    assert!(!composite.frontier.is_empty());
    assert!(composite.frontier.iter().all(|part| part.reason == StopReason::Outside));
    let volumes = enclose_volumes(&composite, &ratio("1e-7"), &long_budget()).unwrap();
    assert!(volumes.unexplored.contains(&ratio("1/2")) && volumes.unexplored.has_width_at_most(&ratio("1e-6")));
    // the same on a line: x ↦ 2 x, then [s < 1/3] on [0, 1]
    let [f, g] =
        [r"\x => 2 * x", r"\s => if s < 1/3 then 1 else 2"].map(|text| super::unfolding::on(text, "0", "1", 9).pap);
    let composite = f.then(&g, &ratio("1e-9"), &long_budget()).unwrap();
    assert_eq!(composite.unexplored_length(), Some([ratio("1/2"), ratio("1/2")]));
    assert_eq!(composite.frontier[0].reason, StopReason::Outside);
    // a domain that is narrower than borders are told: what is beside its ends is undecided, and all of [0, 1] is covered
    let f = super::unfolding::on(r"\x => exp x", "0", "1", 9).pap;
    let g = super::unfolding::on(r"\s => s", "1.5", "1.500000000001", 9).pap;
    let composite = f.then(&g, &ratio("1e-9"), &long_budget()).unwrap();
    assert!(composite.pieces.is_empty() && composite.unexplored_length().unwrap()[1] >= 1, "{:?}", composite.frontier);
    assert!(composite.frontier.iter().any(|part| part.reason == StopReason::Undecided), "{:?}", composite.frontier);
}

/// A recursion without end is told with its volume, and keeps no other piece from being found.
#[test]
fn recursions_in_a_box_end() {
    // pieces x y > 2^-(k + 1), of which nine are found
    let text = "let rec f (x : Real) (y : Real) : Real = if x * y > 1/2 then x else f (2 * x) y in f";
    let found = explore(text, &cube("0", "1", 2), 9).pap;
    assert_eq!(found.pieces.len(), 9);
    let volumes = enclose_volumes(&found, &ratio("1e-6"), &long_budget()).unwrap();
    // of x y <= a the volume is a (1 + log (1/a)): here a = 2^-9 = 1/512
    let left = (1.0 + 512.0_f64.ln()) / 512.0;
    let [lo, hi] = [volumes.unexplored.lo().to_f64(), volumes.unexplored.hi().to_f64()];
    assert!(lo <= left && left <= hi && hi - lo <= 1e-5, "[{lo}, {hi}] without {left}");
    // no run ends
    let endless = "let rec f (x : Real) (y : Real) : Real = f x y + 1 in f";
    let found = explore(endless, &cube("0", "1", 2), 9).pap;
    assert!(found.pieces.is_empty() && found.frontier[0].reason == StopReason::Fuel);
    let volumes = enclose_volumes(&found, &ratio("1e-6"), &long_budget()).unwrap();
    assert!(volumes.unexplored.contains(&ratio("1")) && volumes.unexplored.has_width_at_most(&ratio("1e-6")));
}

/// Many guards: 2^40 paths are not followed, and the runs end with the number of pieces that was asked for.
#[test]
fn many_guards_end_at_the_limit() {
    let started = Instant::now();
    let text = r"let rec f (n : Nat) (x : Real) (y : Real) : Real =
        if n == 0 then x else if x < y then f (n - 1) (2 * x) (1 - y) else f (n - 1) (1 - x) (2 * y) in f 40";
    let found = explore(text, &cube("0", "1", 2), 8);
    assert!(found.pap.pieces.len() <= 8 && !found.pap.frontier.is_empty());
    samples_are_alone(&found.pap);
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}
