//! Subspaces and quotients over c-analytic sets (W §3.2, second footnote), beside those over opens.

use super::omega::{guard, holds, plus, samples, side, x};
use smoothish::diffeology::analytic::{CAnalyticSet, CAnalyticSite, intersect_sets};
use smoothish::diffeology::omega::{CAnalyticPieces, CAnalyticSubset, OmegaLine};
use smoothish::diffeology::open::{OpenInterval, OpenSet};
use smoothish::diffeology::piecewise::{PieceRegion, PiecewisePlot};
use smoothish::diffeology::product::{CartesianDiffeology, ProductDiffeology};
use smoothish::diffeology::quotient::{EquivalenceRelation, ModuloIntegers, QuotientDiffeology, circle};
use smoothish::diffeology::smoothness::{default_smoothness_test, rational_point};
use smoothish::diffeology::space::Site as _;
use smoothish::diffeology::subspace::{Subset, Subspace};
use smoothish::diffeology::{Diffeology, DiffeologyError};
use smoothish::law::diffeology::gluing;
use smoothish::number::Rational;
use smoothish::pieces::{GuardCondition, SignTest};
use smoothish::random::SplitMix64;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::smooth::map::{MapTestConfig, coordinate_graphs};
use smoothish::verdict::Verdict;

/// x² + y² = 1 in the plane, with its rational curve.
fn unit_circle() -> Subspace<ProductDiffeology<OmegaLine, OmegaLine>, CAnalyticSubset> {
    let times = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
    let [a, b] = [0, 1].map(|i| coordinate_graphs(2)[i].clone());
    let equation = plus(&Graph::binary(Binary::Add, &times(&a, &a), &times(&b, &b)), -1);
    let t = x();
    let under = plus(&times(&t, &t), 1);
    let over = [Graph::binary(Binary::Subtract, &Graph::integer(1), &times(&t, &t)), times(&Graph::integer(2), &t)];
    let curve = over.map(|over| Graph::binary(Binary::Divide, &over, &under));
    let set = CAnalyticSet::new(2, vec![vec![guard(&equation, SignTest::Zero, true)]]);
    CAnalyticSubset::new(ProductDiffeology(OmegaLine, OmegaLine), set, vec![curve.into()], &default_smoothness_test())
        .unwrap()
}

/// [0, 1), with t²/(1 + t²)
fn half_open() -> Subspace<OmegaLine, CAnalyticSubset> {
    let square = Graph::binary(Binary::Multiply, &x(), &x());
    let curve = Graph::binary(Binary::Divide, &square, &plus(&square, 1));
    let set = CAnalyticSet::new(
        1,
        vec![vec![guard(&x(), SignTest::NonNegative, true), guard(&plus(&x(), -1), SignTest::NonNegative, false)]],
    );
    CAnalyticSubset::new(OmegaLine, set, vec![vec![curve]], &default_smoothness_test()).unwrap()
}

/// ℝ/ℤ over c-analytic sets.
fn classes() -> QuotientDiffeology<OmegaLine, ModuloIntegers> {
    QuotientDiffeology { space: OmegaLine, relation: ModuloIntegers }
}

/// What leaves a set is no plot of the subspace, at one point if need be, and no curve to draw from.
#[test]
fn what_leaves_a_subspace_is_refused() {
    let tried = |parts| {
        let plot = CAnalyticPieces::new(&CAnalyticSet::whole_space(1), parts);
        Diffeology::<CAnalyticSite>::test_plot(
            &half_open(),
            &plot,
            &MapTestConfig { sample_points: 24, ..default_smoothness_test() },
        )
        .unwrap()
    };
    let half = Graph::rational(Rational::from((1, 2)));
    assert_eq!(tried(vec![(Vec::new(), half.clone())]), Verdict::Survived);
    assert!(tried(vec![(Vec::new(), x())]).is_refuted());
    let one_at_0 = |value: i64| {
        tried(vec![(side(SignTest::Zero, true), Graph::integer(value)), (side(SignTest::Zero, false), half.clone())])
    };
    assert_eq!(one_at_0(0), Verdict::Survived);
    assert!(one_at_0(1).is_refuted());
    let set = CAnalyticSet::new(1, vec![vec![guard(&x(), SignTest::NonNegative, true)]]);
    let refused =
        CAnalyticSubset::new(OmegaLine, set.clone(), vec![vec![x()]], &default_smoothness_test()).unwrap_err();
    assert!(matches!(&refused, DiffeologyError::Shape { .. }), "{refused}");
    let refused = CAnalyticSubset::new(OmegaLine, set.clone(), vec![], &default_smoothness_test()).unwrap_err();
    assert!(matches!(&refused, DiffeologyError::Shape { .. }), "{refused}");
    let refused = CAnalyticSubset::new(
        ProductDiffeology(OmegaLine, OmegaLine),
        set,
        vec![vec![x(), x()]],
        &default_smoothness_test(),
    )
    .unwrap_err();
    assert!(matches!(&refused, DiffeologyError::Dimension { .. }), "{refused}");
}

/// x − ⌊x⌋ after a plot, where that is between -N and N.
fn fraction(plot: &CAnalyticPieces<Graph>) -> CAnalyticPieces<Graph> {
    const N: i64 = 40;
    let mut parts = Vec::new();
    for (answers, g) in &plot.parts {
        for n in -N..N {
            let from = plus(g, -n);
            let here =
                vec![guard(&from, SignTest::NonNegative, true), guard(&plus(g, -n - 1), SignTest::NonNegative, false)];
            parts.push((intersect_sets(answers, &here), from));
        }
    }
    CAnalyticPieces::new(&plot.domain, parts)
}

/// Over c-analytic sets ℝ/ℤ is [0, 1): the fractional part takes plots of the one to plots of the other, does not tell apart what is one, and
/// is inverse to the projection. Over opens it is not smooth, and ℝ/ℤ is a circle.
#[test]
fn a_circle_is_an_interval_over_c_analytic_sets() {
    let (interval, quotient, trial) =
        (half_open(), classes(), MapTestConfig { sample_points: 12, ..default_smoothness_test() });
    let line = CAnalyticSet::whole_space(1);
    let (mut said, mut moved) = (0, 0);
    for index in 0..30 {
        let mut random = SplitMix64::for_sample(37, index);
        let plot = Diffeology::<CAnalyticSite>::draw_plot(&quotient, &line, &mut random);
        let other = quotient.relation.draw_related_plot(&OmegaLine, &plot, &mut random);
        let images = [&plot, &other].map(fraction);
        for u in CAnalyticSite::sample_points(&line, &mut random, 6) {
            let at = |plot: &CAnalyticPieces<Graph>| OmegaLine.value_at(plot, &rational_point(&u), &trial).ok();
            let (Some(p), Some(q)) = (at(&images[0]), at(&images[1])) else { continue };
            // two lifts have one fractional part, in [0, 1), in the class of both
            assert_eq!(p.as_rational(), q.as_rational());
            assert_eq!(interval.subset.test_membership(&OmegaLine, &p, &trial).unwrap(), Verdict::Survived);
            let (x, y) = (at(&plot).unwrap(), at(&other).unwrap());
            assert_eq!(
                Diffeology::<CAnalyticSite>::compare_points(&quotient, &x, &p, &trial).unwrap(),
                Verdict::Survived
            );
            moved += u32::from(x.as_rational() != y.as_rational());
            said += 1;
        }
        // and it is the identity of [0, 1)
        let inner = Diffeology::<CAnalyticSite>::draw_plot(&interval, &line, &mut random);
        for u in CAnalyticSite::sample_points(&line, &mut random, 3) {
            let (x, y) = (
                OmegaLine.value_at(&inner, &rational_point(&u), &trial).unwrap(),
                OmegaLine.value_at(&fraction(&inner), &rational_point(&u), &trial).unwrap(),
            );
            assert_eq!(x.as_rational(), y.as_rational());
        }
    }
    assert!(said >= 120 && moved >= 60, "{said}, {moved}");
    // its image of the identity is a plot of [0, 1), where it is made of enough pieces
    let near = CAnalyticSet::new(
        1,
        vec![vec![guard(&plus(&x(), 5), SignTest::Positive, true), guard(&plus(&x(), -5), SignTest::Positive, false)]],
    );
    let image = fraction(&CAnalyticPieces::single_piece(&near, x()));
    assert_eq!(Diffeology::<CAnalyticSite>::test_plot(&interval, &image, &trial).unwrap(), Verdict::Survived);
    // the same pieces over opens jump
    let part = |sides| PieceRegion::of_open_set(&OpenSet::from_box(vec![sides]));
    let over_opens = CartesianDiffeology::whole_space(1).glue_pieces(
        &OpenSet::whole_space(1),
        vec![
            (
                part(OpenInterval::ray_below(0)),
                CartesianDiffeology::whole_space(1)
                    .plot_from_graphs(&OpenSet::whole_space(1), &[plus(&x(), 1)])
                    .unwrap(),
            ),
            (
                part(OpenInterval::ray_above(-1)),
                CartesianDiffeology::whole_space(1).plot_from_graphs(&OpenSet::whole_space(1), &[x()]).unwrap(),
            ),
        ],
    );
    assert!(CartesianDiffeology::whole_space(1).test_plot(&over_opens, &trial).unwrap().is_refuted());
    let lifted = circle();
    let classes = PiecewisePlot::join_pieces(
        &OpenSet::whole_space(1),
        vec![
            (
                part(OpenInterval::ray_below(0)),
                lifted.project_plot(
                    &CartesianDiffeology::whole_space(1)
                        .plot_from_graphs(&OpenSet::whole_space(1), &[plus(&x(), 1)])
                        .unwrap(),
                ),
            ),
            (
                part(OpenInterval::ray_above(-1)),
                lifted.project_plot(
                    &CartesianDiffeology::whole_space(1).plot_from_graphs(&OpenSet::whole_space(1), &[x()]).unwrap(),
                ),
            ),
        ],
    );
    assert_eq!(lifted.test_plot(&classes, &trial).unwrap(), Verdict::Survived);
}

/// Lifts that overlap and differ by integers are glued: they are one function to ℝ/ℤ, and none to ℝ.
#[test]
fn lifts_are_glued_up_to_the_relation() {
    let (whole, trial) =
        (CAnalyticSet::whole_space(1), MapTestConfig { sample_points: 24, ..default_smoothness_test() });
    let part =
        |side: Vec<GuardCondition>, g: Graph| CAnalyticPieces::single_piece(&CAnalyticSet::new(1, vec![side]), g);
    let family = [part(side(SignTest::NonNegative, true), x()), part(side(SignTest::Positive, false), plus(&x(), 3))];
    assert_eq!(gluing(&classes(), &whole, &family, &trial).unwrap(), Verdict::Survived);
    assert_eq!(gluing(&OmegaLine, &whole, &family, &trial).unwrap(), Verdict::Vacuous);
    let apart = [family[0].clone(), part(side(SignTest::Positive, false), Graph::rational(Rational::from((1, 2))))];
    assert_eq!(gluing(&classes(), &whole, &apart, &trial).unwrap(), Verdict::Vacuous);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// W's second footnote: subspaces and quotients are spaces.
    #[test]
    fn axioms_of_subspaces_and_quotients() {
        holds("[0, 1)", &half_open(), samples());
        holds("the circle in the plane", &unit_circle(), samples());
        holds("ℝ/ℤ", &classes(), samples());
        holds("[0, 1) × ℝ/ℤ", &ProductDiffeology(half_open(), classes()), samples());
    }
}
