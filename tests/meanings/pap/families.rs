//! Countable families of pieces: their rests, what is glued from them, and complements that are no c-analytic sets.
//!
//! The program doubles a number of (0, 1] until it is above 1/2. So it is 2ⁿ x on (2⁻ⁿ⁻¹, 2⁻ⁿ], its integral there is 3/8 · 2⁻ⁿ, and
//! its integral on [0, 1] is 3/8 · 2 = 3/4.

use super::unfolding::{CANTOR, unfolding};
use super::*;
use smoothish::diffeology::analytic::{AnalyticSet, CAnalyticSet, PiecewiseAnalyticMap};
use smoothish::diffeology::omega::{
    CAnalyticPieces, LiftedPlot, LiftedSpace, OmegaLine, OmegaSum, OmegaSumPoint, OrderedDiffeology, PartialPoint,
    PlotChain,
};
use smoothish::diffeology::smoothness::{default_smoothness_test, rational_point};
use smoothish::diffeology::{Diffeology, DiffeologyError};
use smoothish::pieces::family::SEARCH_LIMIT;
use smoothish::pieces::{AnalyticPiece, CountableFamily, GuardCondition, SignGuard, SignTest};
use smoothish::smooth::graph::Graph;
use smoothish::smooth::map::coordinate_graphs;
use smoothish::syntax::ty::Ty;
use smoothish::value::SourceId;
use smoothish::verdict::Verdict;

const DOUBLED: &str = "let rec f x = if x > 1/2 then x else f (2 * x) in f";

fn family(text: &str) -> CountableFamily<AnalyticPiece> {
    let term = Session::new().infer_at(text, &Ty::function(Ty::real(), Ty::real())).expect("a function");
    unfolding(0).explore_family(&term, &Rational::new(), &Rational::from(1)).expect("pieces")
}

/// 2 to the power -n.
fn halves(n: usize) -> Rational {
    Rational::from(1) >> u32::try_from(n).expect("a small number")
}

fn x() -> Graph {
    coordinate_graphs(1).swap_remove(0)
}

/// x > q, or not.
fn above(q: &Rational, holds: bool) -> GuardCondition {
    let guard = SignGuard::new(&(x() - Graph::rational(q.clone())), SignTest::Positive, SourceId::NOWHERE);
    GuardCondition { guard, holds, is_condition: false }
}

/// (2⁻ⁿ⁻¹, 2⁻ⁿ], and 2ⁿ x on it.
fn doubled_part(n: usize) -> (AnalyticSet, Graph) {
    let guards = vec![above(&halves(n + 1), true), above(&halves(n), false)];
    (guards, Graph::rational(halves(n).recip()) * x())
}

/// The program, by hand.
fn doubled(x: &Rational) -> Rational {
    let mut x = x.clone();
    while x <= Rational::from((1, 2)) {
        x *= 2;
    }
    x
}

fn value_of(plot: &CAnalyticPieces<Graph>, at: &Rational) -> Result<Rational, DiffeologyError> {
    let found = OmegaLine.value_at(plot, &rational_point(std::slice::from_ref(at)), &default_smoothness_test())?;
    Ok(found.as_rational().expect("a rational number").clone())
}

const POINTS: [(i32, u32); 6] = [(1, 1), (3, 4), (1, 2), (1, 3), (1, 5), (1, 4097)];

#[test]
fn pieces_of_a_recursion_are_a_family() {
    let pieces = family(DOUBLED);
    assert_eq!(pieces.len(), None);
    for n in [20, 0, 1, 2, 3, 11] {
        let piece = pieces.get(n).expect("a piece");
        let [least, most] = piece.region.expect("intervals").length_bounds();
        assert_eq!((least, most), (halves(n + 1), halves(n + 1)), "{n}");
        assert_eq!(pieces.rest(n), Some(halves(n)), "{n}");
    }
    // without a recursion there is an end, and nothing is left
    let kink = family(r"\x => if x > 1/2 then x else 1 - x");
    assert_eq!((kink.len(), kink.rest(2)), (Some(2), Some(Rational::new())));
}

/// The sum of the integrals over the first pieces, and the rest times the hull of 0 and of the values.
#[test]
fn a_rest_closes_the_integral() {
    let pieces = family(DOUBLED);
    for n in [1, 4, 10, 33] {
        let integral = |piece: AnalyticPiece| {
            let interval = piece.region.expect("intervals").0.swap_remove(0);
            let (a, b) =
                (interval.left.as_exact().expect("an end").clone(), interval.right.as_exact().expect("an end").clone());
            // the map is linear: its mean is its value in the middle
            let middle = Graph::rational(Rational::from(&a + &b) / 2);
            let v = x().free_variables()[0];
            let value = piece.outcome.as_number().expect("a number").substitute(&[(v, middle)]);
            value.as_rational().expect("a rational number").clone() * (b - a)
        };
        let sum: Rational = (0..n).filter_map(|k| pieces.get(k)).map(integral).sum();
        assert_eq!(sum, Rational::from((3, 4)) * (Rational::from(1) - halves(n)));
        let rest = pieces.rest(n).expect("a rest");
        let truth = Rational::from((3, 4));
        let holds = |rest: Rational| sum <= truth && sum.clone() + rest >= truth;
        assert!(holds(rest.clone()), "{n}");
        // half of the true rest loses the integral
        assert!(!holds(rest / 2), "{n}");
    }
}

/// The least of the parts that overlap counts: on all of (2⁻ⁿ⁻¹, ∞) the n-th map is 2ⁿ x, and only the least n is the program's.
#[test]
fn the_least_part_counts() {
    let (whole, limit) = (CAnalyticSet::whole_space(1), SEARCH_LIMIT);
    let overlapping = |n: usize| (vec![above(&halves(n + 1), true)], Graph::rational(halves(n).recip()) * x());
    let least = CAnalyticPieces::of_family(&whole, &CountableFamily::new(move |n| Some(overlapping(n))));
    let greatest = CAnalyticPieces::of_family(
        &whole,
        &CountableFamily::new(move |n| Some(overlapping(limit - 1 - n.min(limit - 1)))),
    );
    for point in POINTS.map(Rational::from) {
        assert_eq!(value_of(&least, &point).expect("a value"), doubled(&point), "{point}");
        assert_ne!(value_of(&greatest, &point).expect("a value"), doubled(&point), "{point}");
    }
    // maps between c-analytic sets choose likewise
    let map = PiecewiseAnalyticMap::of_family(
        &whole,
        &whole,
        &CountableFamily::new(move |n| {
            let (guards, g) = overlapping(n);
            Some((guards, vec![g]))
        }),
    );
    let along = CAnalyticPieces::single_piece(&whole, x()).pull_back(&map, |_, graphs| graphs[0].clone());
    assert!(along.has_more);
    assert_eq!(value_of(&along, &Rational::from((1, 5))).expect("a value"), Rational::from((4, 5)));
}

#[test]
fn c_analytic_sets_are_families() {
    // (2⁻²ⁿ⁻¹, 2⁻²ⁿ] for all n
    let parts = CountableFamily::new(|n| Some(doubled_part(2 * n).0));
    let set = CAnalyticSet::of_family(1, &parts);
    let contains = |set: &CAnalyticSet, q: (i32, u32)| set.contains(&rational_point(&[Rational::from(q)]));
    assert_eq!([(3, 4), (1, 4), (3, 16)].map(|q| contains(&set, q)), [Some(true); 3]);
    // a later part might have these
    assert_eq!([(3, 8), (2, 1)].map(|q| contains(&set, q)), [None; 2]);
    let first = CAnalyticSet::new(1, (0..2).filter_map(|n| parts.get(n)).collect());
    assert_eq!([(3, 4), (3, 8)].map(|q| contains(&first, q)), [Some(true), Some(false)]);
    // both (1/2, 1] and (1/8, 1/4] stay in an intersection with a family, and in the preimage under x / 2
    assert_eq!([(3, 4), (3, 16)].map(|q| contains(&set.intersection(&set), q)), [Some(true); 2]);
    let whole = CAnalyticSet::whole_space(1);
    let half = PiecewiseAnalyticMap::new(&whole, &whole, vec![(Vec::new(), vec![x() / Graph::integer(2)])]);
    assert_eq!([(3, 2), (3, 8), (3, 4)].map(|q| contains(&set.preimage(&half), q)), [Some(true), Some(true), None]);
}

/// The approximants of the program, which have a value after at most n calls, and their bound.
#[test]
fn chains_end_by_their_rest() {
    let whole = CAnalyticSet::whole_space(1);
    let parts = |n: usize| {
        (0..n).map(|k| {
            let (guards, g) = doubled_part(k);
            (guards, CAnalyticPieces::single_piece(&CAnalyticSet::whole_space(1), g))
        })
    };
    let domain = whole.clone();
    let chain: PlotChain<LiftedPlot<CAnalyticPieces<Graph>>> =
        Arc::new(move |n| LiftedPlot::from_pieces(CAnalyticPieces::new(&domain, parts(n).collect())));
    let space = LiftedSpace(OmegaLine);
    let small = halves(15);
    let by_chain = space.bound_with_rest(&whole, chain.clone(), halves, &small);
    let pieces = CountableFamily::new(move |n| parts(n + 1).next_back()).with_rest(halves);
    let by_family = LiftedPlot::of_family(&whole, pieces, &small);
    for bound in [by_chain, by_family] {
        assert_eq!(bound.rest(), Some(small.clone()));
        let at = |q: &Rational| {
            space
                .value_at(&bound, &rational_point(std::slice::from_ref(q)), &default_smoothness_test())
                .expect("an answer")
        };
        for point in POINTS.map(Rational::from) {
            assert!(
                matches!(at(&point), PartialPoint::Value(g) if g.as_rational() == Some(&doubled(&point))),
                "{point}"
            );
        }
        assert!(matches!(at(&halves(30)), PartialPoint::Unknown));
    }
    // without a rest there are twelve steps
    let without = space.least_upper_bound(&whole, chain);
    assert_eq!(without.rest(), None);
    let late = space.value_at(&without, &rational_point(&[halves(14)]), &default_smoothness_test()).expect("an answer");
    assert!(matches!(late, PartialPoint::Unknown));
}

/// A point in no listed part is not known to have no value, also inside of sums and of what is glued.
#[test]
fn what_is_not_listed_stays_unknown() {
    let (whole, trial) = (CAnalyticSet::whole_space(1), default_smoothness_test());
    let lifted = |n: usize| {
        let (guards, g) = doubled_part(n);
        (guards, CAnalyticPieces::single_piece(&CAnalyticSet::whole_space(1), g))
    };
    let partial =
        LiftedPlot::from_pieces(CAnalyticPieces::of_family(&whole, &CountableFamily::new(move |n| Some(lifted(n)))));
    let space = LiftedSpace(OmegaLine);
    let right = CAnalyticSet::new(1, vec![vec![above(&Rational::new(), true)]]);
    let glued = space.glue_pieces(&whole, vec![(right, partial.clone())]);
    for plot in [&partial, &glued] {
        let at = |q: Rational| space.value_at(plot, &rational_point(&[q]), &trial).expect("an answer");
        assert!(matches!(at(Rational::from((1, 3))), PartialPoint::Value(_)));
        assert!(
            matches!(at(halves(70)), PartialPoint::Unknown) && matches!(at(Rational::from(-1)), PartialPoint::Unknown)
        );
    }
    // the sum of plots of two sides, of which only the first 64 parts are listed: all of the left side, and none of the right one
    let side = move |n: usize| {
        let (guards, g) = doubled_part(n);
        let number = LiftedPlot::from_pieces(CAnalyticPieces::single_piece(
            &CAnalyticSet::whole_space(1),
            CAnalyticPieces::single_piece(&CAnalyticSet::whole_space(1), g),
        ));
        Some((guards, if n < SEARCH_LIMIT { OmegaSumPoint::Left(number) } else { OmegaSumPoint::Right(number) }))
    };
    let sum = CAnalyticPieces::of_family(&whole, &CountableFamily::new(side));
    let right_side = sum.glue_within(&space, &whole, |side| match side {
        OmegaSumPoint::Right(p) => Some(p.clone()),
        OmegaSumPoint::Left(_) => None,
    });
    assert!(matches!(
        space.value_at(&right_side, &rational_point(&[halves(70)]), &trial).expect("an answer"),
        PartialPoint::Unknown
    ));
    let both = OmegaSum(space, OmegaLine);
    assert!(matches!(both.0.test_plot(&right_side, &trial), Ok(Verdict::Survived | Verdict::Vacuous)));
}

/// W8: the middle thirds are a family, and what they leave is Cantor's set. It has no points and no intervals of its own, so it is no
/// countable union of analytic sets.
#[test]
fn cantor_s_set_is_no_domain() {
    let thirds = family(CANTOR);
    // of the k-th generation there are 2ᵏ⁻¹, of length 3⁻ᵏ
    for (n, rest) in [(1, (2, 3)), (3, (4, 9)), (7, (8, 27))] {
        assert_eq!(thirds.rest(n), Some(Rational::from(rest)), "{n}");
    }
    let sets = thirds.map(|piece| piece.guards.clone());
    let removed = CAnalyticSet::of_family(1, &sets);
    let fault = removed.complement().expect_err("no c-analytic set");
    assert!(matches!(fault, DiffeologyError::CountableComplement { listed: SEARCH_LIMIT }), "{fault}");
    assert!(fault.to_string().contains("Cantor's set, which is no countable union of points and intervals"), "{fault}");
    // finitely many thirds have a complement
    let few = CAnalyticSet::new(1, (0..3).filter_map(|n| sets.get(n)).collect());
    let left = few.complement().expect("a c-analytic set");
    let contains = |q: (i32, u32)| left.contains(&rational_point(&[Rational::from(q)]));
    assert_eq!(
        [(0, 1), (1, 3), (1, 4), (1, 2), (1, 6)].map(contains),
        [Some(true), Some(true), Some(true), Some(false), Some(false)]
    );
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn plots_glue_over_families() {
        let whole = CAnalyticSet::whole_space(1);
        let of_program =
            |piece: &AnalyticPiece| (piece.guards.clone(), piece.outcome.as_number().expect("a number").clone());
        let by_hand = CountableFamily::new(|n| Some(doubled_part(n)));
        for family in [family(DOUBLED).map(of_program), by_hand] {
            let plot = CAnalyticPieces::of_family(&whole, &family);
            for point in POINTS.map(Rational::from) {
                assert_eq!(value_of(&plot, &point).expect("a value"), doubled(&point), "{point}");
            }
            // no part has 0, and the part of 2⁻⁷⁰ is the 71st: neither is known to have no value
            for point in [Rational::new(), halves(70)] {
                assert!(matches!(value_of(&plot, &point), Err(DiffeologyError::NoPiece { .. })), "{point}");
                assert!(!plot.pieces_containing(&rational_point(&[point])).1);
            }
            assert!(!OmegaLine.test_plot(&plot, &default_smoothness_test()).expect("a verdict").is_refuted());
        }
    }
}
