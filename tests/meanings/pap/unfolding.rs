//! The pieces of programs, and their intensional derivatives.

use super::*;
use smoothish::meaning::pap::DefaultPiecewiseHooks;
use smoothish::meaning::pap::replay::{ExplorationOptions, ExploredPieces, MAX_RUN_STEPS};
use smoothish::pieces::intensional::{IntensionalDerivative, PointSet, check_intensional};
use smoothish::pieces::{GuardCondition, PieceValue, PiecewiseMap, SignGuard, SignTest, StopReason};
use smoothish::random::SplitMix64;
use smoothish::smooth::graph::Graph;
use smoothish::syntax::ty::{Ty, TyKind};
use smoothish::value::SourceId;
use std::time::{Duration, Instant};

pub fn unfolding(limit: usize) -> ExplorationOptions {
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    ExplorationOptions {
        hooks: Arc::new(DefaultPiecewiseHooks),
        unfolding_limit: None,
        limit,
        max_steps: MAX_RUN_STEPS,
        budget,
    }
}

pub fn on(text: &str, from: &str, to: &str, limit: usize) -> ExploredPieces {
    let ty = Ty::function(Ty::real(), Ty::real());
    let term = Session::new().infer_at(text, &ty).unwrap_or_else(|e| panic!("{text}: {e}"));
    unfolding(limit).explore_interval(&term, &ratio(from), &ratio(to)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The pieces, as text, from the left.
fn shown(pap: &PiecewiseMap) -> Vec<String> {
    let mut all: Vec<_> = pap.pieces.iter().map(|piece| piece.region.as_ref().unwrap()).collect();
    all.sort_by_key(|region| (region.0[0].left.lo.clone(), region.0[0].right.hi.clone()));
    all.iter().map(ToString::to_string).collect()
}

pub const CANTOR: &str =
    "let rec cantor x = if x <= 1/3 then cantor (3 * x) else if x >= 2/3 then cantor (3 * x - 2) else 0 in cantor";

/// W2: pieces are disjoint and cover, and the border belongs to one of them.
#[test]
fn pieces_are_a_partition() {
    assert_eq!(shown(&on(r"\x => if x == 0 then 0 else x", "-1", "1", 9).pap), ["[-1, 0) ∪ (0, 1]", "{0}"]);
    assert_eq!(shown(&on(r"\x => if x > 0 then x else 0", "-1", "1", 9).pap), ["[-1, 0]", "(0, 1]"]);
    assert_eq!(shown(&on("abs", "-1", "1", 9).pap), ["[-1, 0)", "[0, 1]"]);
    // a border that is no rational number, asked for twice
    let pap = on(r"\x => if x * x < 2 then sin x else if x * x < 2 then 1 else x", "-2", "2", 9).pap;
    assert_eq!((pap.pieces.len(), pap.frontier.len()), (2, 0));
    let [least, most] = pap.pieces[0].region.as_ref().unwrap().length_bounds();
    // 4 - 2·√2 = 1.171572875253809902397
    let either = [ratio("1.171572875253"), ratio("2.828427124746")];
    assert!(either.iter().any(|length| *length <= least && most <= length.clone() + ratio("2e-12")), "{least} {most}");
    // rational roots of polynomials are exact: (x - 1/2)(x + 2/3)
    let pap = on(r"\x => if (x - 1/2) * (x + 2/3) <= 0 then 1 else x", "-1", "1", 9).pap;
    assert_eq!(shown(&pap), ["[-1, -2/3) ∪ (1/2, 1]", "[-2/3, 1/2]"]);
}

/// A guard that was asked within a derivative before is another one than that outside.
#[test]
fn guards_within_derivatives_are_replayed() {
    for (text, slope) in [
        (r"\t => deriv (\s => if t + s == 0 then 5 * s else log (t + s)) 0", 2.0_f64.recip()),
        (r"\t => deriv (\s => if t + s == 0 then 0 else sqrt (t + s)) 0", 0.5 / 2.0_f64.sqrt()),
        (r"\t => deriv (\s => if t + s == 0 then 0 else if t + s > 0 then (t + s)^2 else 7) 0", 4.0),
    ] {
        let pap = on(text, "-4", "4", 9).pap;
        let piece = pap
            .pieces
            .iter()
            .find(|piece| piece.region.as_ref().is_some_and(|region| region.contains(&ratio("2")) == Some(true)));
        let Some(value) = piece.and_then(|piece| piece.outcome.as_number()) else { panic!("{text}: {piece:?}") };
        let at = value.substitute(&[(pap.variables[0], Graph::integer(2))]);
        let found = at.to_real().unwrap().enclose(&ratio("1e-9"), &Budget::unlimited()).unwrap().enclosure;
        let near = |x: f64| smoothish::number::Rational::from_f64(x).unwrap();
        assert!(found.contains(&near(slope)) || (found.lo().to_f64() - slope).abs() < 1e-8, "{text}: {found}");
    }
}

/// W2, W3: what an operation needs is a condition of its piece, and where it fails there is no value.
#[test]
fn conditions_cut_pieces_out() {
    let pap = on("log", "-1", "1", 9).pap;
    assert_eq!(shown(&pap), ["[-1, 0]", "(0, 1]"]);
    assert!(pap.pieces.iter().any(|piece| matches!(piece.outcome, PieceValue::Undefined(_))));
    assert!(pap.pieces.iter().all(|piece| piece.guards.iter().all(|decided| decided.is_condition)));
    assert_eq!(shown(&on("sqrt", "-1", "1", 9).pap), ["[-1, 0)", "{0}", "(0, 1]"]);
}

/// W8: Cantor's function. Its pieces are the middle thirds; what is left of them has the length (2/3)⁷ = 128/2187.
#[test]
fn cantor_has_middle_thirds() {
    let started = Instant::now();
    let ExploredPieces { pap, runs, .. } = on(CANTOR, "0", "1", 127);
    assert_eq!((pap.pieces.len(), pap.frontier.len(), runs), (127, 128, 127));
    assert_eq!(pap.unexplored_length(), Some([ratio("128/2187"), ratio("128/2187")]));
    assert!(pap.frontier.iter().all(|part| part.reason == StopReason::Limit));
    for piece in &pap.pieces {
        assert!(piece.outcome.as_number().and_then(|value| value.as_rational()).is_some_and(|q| *q == 0));
    }
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

/// W11, W17: of a recursion, the pieces that the interval meets.
#[test]
fn recursions_have_the_pieces_that_are_met() {
    let pap = on("let rec f x = if x < 1 then x else f (x / 2) + 1 in f", "0", "5", 99).pap;
    assert_eq!(shown(&pap), ["[0, 1)", "[1, 2)", "[2, 4)", "[4, 5]"]);
    assert!(pap.frontier.is_empty());
    // 2^10 paths, all of which are met
    let tent = r"let rec t (n : Nat) x = if n == 0 then x else if x < 1/2 then t (n - 1) (2 * x) else t (n - 1) (2 - 2 * x) in t 10";
    let pap = on(tent, "0", "1", 2000).pap;
    assert_eq!((pap.pieces.len(), pap.frontier.len()), (1024, 0));
    assert!(
        pap.pieces
            .iter()
            .all(|piece| piece.region.as_ref().unwrap().length_bounds() == [ratio("1/1024"), ratio("1/1024")])
    );
    // 2^60 of them
    let pap = on(&tent.replace("t 10", "t 60"), "0", "1", 50).pap;
    let found: Rational =
        pap.pieces.iter().map(|piece| piece.region.as_ref().unwrap().length_bounds()[0].clone()).sum();
    assert!(
        pap.pieces.len() <= 50
            && pap.unexplored_length() == Some([Rational::from(1 - &found), Rational::from(1 - &found)])
    );
}

/// Without an end, or with more borders than can be told apart, there is a frontier, of a length that is told.
#[test]
fn what_is_not_unfolded_is_told() {
    let pap = on("let rec f x = f x + 1 in f", "0", "1", 9).pap;
    assert!(
        pap.pieces.is_empty()
            && pap.frontier[0].reason == StopReason::Fuel
            && pap.unexplored_length() == Some([ratio("1"), ratio("1")])
    );
    let pap = on("let rec f x = if x > 1/2 then x else f (2 * x) in f", "0", "1", 40).pap;
    assert_eq!((pap.pieces.len(), pap.unexplored_length()), (40, Some([ratio("1"), ratio("1")].map(|q| q >> 40))));
    // guards that are equal by algebra only
    let pap = on(r"\x => if (x + 1) * (x + 1) == x * x + 2 * x + 1 then x else 0", "0", "1", 9).pap;
    assert_eq!((shown(&pap), pap.pieces[0].guards.len()), (vec!["[0, 1]".to_owned()], 0));
}

/// What has no end keeps nothing from being found: neither what forks for ever on a long part, nor what computes for ever, nor points.
#[test]
fn what_never_ends_waits() {
    let points = "let rec g x k = if x == k then 0 else g x (k / 2) in";
    let squares = "let rec g x y = if y * y > x + 5 then g x (y * y) else g x (y * y + 1) in";
    let forks = "let rec g x k = if x < k then 0 else g x ((k + 1) / 2) in";
    for (endless, start, limit) in [(points, "1/2", 1), (squares, "1", 1), (forks, "1/1000", 9)] {
        let text = format!(r"{endless} \x => if x > 1 then 5 else g x ({start})");
        let pap = on(&text, "0", "101/100", limit).pap;
        assert!(shown(&pap).contains(&"(1, 101/100]".to_owned()), "{text}: {:?}", shown(&pap));
    }
    // a point, among parts that go on to be halved
    let text = r"let rec h x a b = if x < (a + b) / 2 then h x a ((a + b) / 2) else h x ((a + b) / 2) b in
        \x => if x == 1/3 then 5 else h x 0 1";
    let pap = on(text, "0", "1", 1).pap;
    assert_eq!(shown(&pap), ["{1/3}"]);
}

fn guarded(pap: &PiecewiseMap, test: SignTest, holds: bool) -> PointSet {
    let guard = SignGuard::new(&Graph::variable(pap.variables[0]), test, SourceId::NOWHERE);
    PointSet::Guards(vec![GuardCondition { guard, holds, is_condition: false }])
}

/// W6: relu has intensional derivatives with any number at 0, and none with another one where its set is not cut out by guards.
#[test]
fn any_number_is_a_slope_at_a_point() {
    let mut random = SplitMix64::new(1);
    let budget = Budget::unlimited();
    for text in [r"\x => if x > 0 then x else 0", r"\x => if x >= 0 then x else 0"] {
        let pap = on(text, "-3", "3", 9).pap;
        let mut tried = |claim: &IntensionalDerivative| check_intensional(&pap, claim, 3, &mut random, &budget);
        let automatic = IntensionalDerivative::automatic_derivative(&pap);
        assert_eq!(tried(&automatic), smoothish::verdict::Verdict::Survived, "{text}");
        for c in [-7, 0, 1, 3] {
            let claim = automatic.clone().override_on(guarded(&pap, SignTest::Zero, true), vec![Graph::integer(c)]);
            assert_eq!(tried(&claim), smoothish::verdict::Verdict::Survived, "{text} {c}");
        }
        // on a half line it is none
        let wrong = automatic.clone().override_on(guarded(&pap, SignTest::Positive, true), vec![Graph::integer(2)]);
        assert!(tried(&wrong).is_refuted(), "{text}");
        // Cantor's set is null, and no guards cut it out: 1/4 is 0.020202… in base 3
        let in_cantor = |point: &[Rational]| {
            let (mut x, third) = (point[0].clone(), ratio("1/3"));
            (0..40).all(|_| {
                let lower = x <= third;
                x = if lower { x.clone() * 3 } else { Rational::from(&x * 3) - 2 };
                (lower || x >= 0) && (0..=1).contains(&x)
            })
        };
        let points = vec![vec![ratio("1/4")], vec![ratio("3/4")], vec![ratio("1/13")]];
        assert!(points.iter().all(|point| in_cantor(point)) && !in_cantor(&[ratio("1/2")]));
        let opaque =
            automatic.clone().override_on(PointSet::Predicate(Arc::new(in_cantor), points), vec![Graph::integer(5)]);
        assert!(tried(&opaque).is_refuted(), "{text}");
        // a predicate that changes nothing does no harm
        let same = automatic.override_on(PointSet::Predicate(Arc::new(|_| false), vec![]), vec![Graph::integer(5)]);
        assert!(!tried(&same).is_refuted());
    }
}

/// W6, sharpened: on the diagonal of the plane only what is normal to it is free. For x·y by cases, (2x, 2x) on the diagonal has the
/// same slope along it as (y, x), and (0, 0) has not.
#[test]
fn tangential_slopes_are_forced() {
    let plane = Ty::new(TyKind::Tuple([Ty::real(), Ty::real()].into()));
    let ty = Ty::function(plane, Ty::real());
    let term = Session::new().infer_at(r"\v => if v[0] == v[1] then v[0] * v[0] else v[0] * v[1]", &ty).unwrap();
    let pap = unfolding(9).explore_everywhere(&term, 2).unwrap().pap;
    assert_eq!(pap.pieces.len(), 2);
    let [x, y] = [0, 1].map(|i| Graph::variable(pap.variables[i]));
    let diagonal = || {
        let guard = SignGuard::of_difference(&x, &y, SignTest::Zero, SourceId::NOWHERE);
        PointSet::Guards(vec![GuardCondition { guard, holds: true, is_condition: false }])
    };
    let twice = Graph::binary(smoothish::smooth::graph::Binary::Add, &x, &x);
    let zero = Graph::integer(0);
    let (mut random, budget) = (SplitMix64::new(2), Budget::unlimited());
    let automatic = IntensionalDerivative::automatic_derivative(&pap);
    assert!(!check_intensional(&pap, &automatic, 3, &mut random, &budget).is_refuted());
    for (slopes, right) in [
        ([twice.clone(), zero.clone()], true),
        ([zero.clone(), twice.clone()], true),
        ([y.clone(), x.clone()], true),
        ([zero.clone(), zero.clone()], false),
        ([twice.clone(), twice], false),
    ] {
        let claim = automatic.clone().override_on(diagonal(), slopes.to_vec());
        let found = check_intensional(&pap, &claim, 3, &mut random, &budget);
        assert_eq!(found.is_refuted(), !right, "{slopes:?}: {found}");
    }
}

/// A wrong slope is not excused by a guard that cuts nothing out, by one that is not decided, or by how short its piece is.
#[test]
fn wrong_slopes_are_not_excused() {
    use smoothish::smooth::graph::Binary;
    use smoothish::verdict::Verdict;
    let (mut random, budget) = (SplitMix64::new(3), Budget::unlimited());
    let pap = on(r"\x => if x > 0 then x else 0", "-3", "3", 9).pap;
    let x = Graph::variable(pap.variables[0]);
    let binary = |operation, a: &Graph, b: &Graph| Graph::binary(operation, a, b);
    let square = |g: &Graph| binary(Binary::Multiply, g, g);
    let at = |graph: &Graph, test: SignTest| GuardCondition {
        guard: SignGuard::new(graph, test, SourceId::NOWHERE),
        holds: true,
        is_condition: false,
    };
    let nothing = binary(Binary::Subtract, &x, &x);
    let function = |f| square(&Graph::function(f, &x));
    use smoothish::function::Function::{Cos, Sin};
    // sin² + cos² - 1, which is 0 everywhere, unseen
    let unseen = binary(Binary::Subtract, &binary(Binary::Add, &function(Sin), &function(Cos)), &Graph::integer(1));
    let root = Graph::function(smoothish::function::Function::Sqrt, &Graph::integer(2));
    let constant = binary(Binary::Subtract, &square(&root), &Graph::integer(2));
    let automatic = IntensionalDerivative::automatic_derivative(&pap);
    let mut tried = |claim: IntensionalDerivative| check_intensional(&pap, &claim, 3, &mut random, &budget);
    let wrong =
        |guards: Vec<GuardCondition>| automatic.clone().override_on(PointSet::Guards(guards), vec![Graph::integer(-7)]);
    assert!(tried(wrong(vec![at(&nothing, SignTest::Zero)])).is_refuted());
    assert!(tried(wrong(vec![at(&nothing, SignTest::NonNegative), at(&x, SignTest::Positive)])).is_refuted());
    for guards in [
        vec![at(&unseen, SignTest::Zero)],
        vec![at(&unseen, SignTest::NonNegative)],
        vec![at(&constant, SignTest::Zero)],
    ] {
        assert_ne!(tried(wrong(guards)), Verdict::Survived);
    }
    // a null set by its square, and a set that nothing is known of
    assert_eq!(tried(wrong(vec![at(&square(&x), SignTest::Zero)])), Verdict::Survived);
    let opaque = PointSet::Predicate(Arc::new(|point: &[Rational]| point[0] == ratio("1/7919")), vec![]);
    assert_eq!(tried(automatic.clone().override_on(opaque, vec![Graph::integer(-7)])), Verdict::Vacuous);
    // a piece of length 1/999000
    let pap = on(r"\x => if x > 1/1000 then (if x < 1/999 then 2 * x else x) else x", "-3", "3", 9).pap;
    let short =
        pap.pieces.iter().find(|piece| piece.region.as_ref().unwrap().length_bounds()[1] < ratio("1e-5")).unwrap();
    let claim = IntensionalDerivative::automatic_derivative(&pap)
        .override_on(PointSet::Guards(short.guards.clone()), vec![Graph::integer(1)]);
    assert!(check_intensional(&pap, &claim, 3, &mut random, &budget).is_refuted());
    assert_eq!(
        check_intensional(&pap, &IntensionalDerivative::automatic_derivative(&pap), 3, &mut random, &budget),
        Verdict::Survived
    );
}

/// Where two lines cross, what is free is what is normal to the one that counts: x + y with (-7, 1) for x = 0, then (1, -7) for y = 0.
#[test]
fn the_part_that_counts_says_what_is_free() {
    let plane = Ty::new(TyKind::Tuple([Ty::real(), Ty::real()].into()));
    let term = Session::new().infer_at(r"\v => v[0] + v[1]", &Ty::function(plane, Ty::real())).unwrap();
    let pap = unfolding(9).explore_everywhere(&term, 2).unwrap().pap;
    let (mut random, budget) = (SplitMix64::new(4), Budget::unlimited());
    let on_axis = |i: usize| {
        let guard = SignGuard::new(&Graph::variable(pap.variables[i]), SignTest::Zero, SourceId::NOWHERE);
        PointSet::Guards(vec![GuardCondition { guard, holds: true, is_condition: false }])
    };
    let slopes = |a: i64, b: i64| vec![Graph::integer(a), Graph::integer(b)];
    let mut tried =
        |claim: IntensionalDerivative| check_intensional(&pap, &claim, 3, &mut random, &budget).is_refuted();
    let automatic = IntensionalDerivative::automatic_derivative(&pap);
    assert!(!tried(automatic.clone().override_on(on_axis(1), slopes(1, -7)).override_on(on_axis(0), slopes(-7, 1))));
    assert!(tried(automatic.clone().override_on(on_axis(1), slopes(1, -7)).override_on(on_axis(0), slopes(1, -7))));
}
