//! ωPAP spaces (W §3.2): their axioms, their morphisms, and wrong ones.

use smoothish::diffeology::analytic::{CAnalyticSet, CAnalyticSite, PiecewiseAnalyticMap, intersect_sets};
use smoothish::diffeology::omega::{
    CAnalyticPieces, CHAIN_LIMIT_INDEX, LiftedPlot, LiftedSpace, OmegaLine, OmegaList, OmegaSum, OmegaSumPoint,
    OrderedDiffeology, PartialMapSpace, PartialMorphism, PartialPoint, PlotChain, curry, evaluation_morphism,
};
use smoothish::diffeology::product::ProductDiffeology;
use smoothish::diffeology::smoothness::{default_smoothness_test, rational_point};
use smoothish::diffeology::space::Site as _;
use smoothish::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use smoothish::law::diffeology;
use smoothish::law::diffeology::{chain_law, check_order, gluing};
use smoothish::law::generate::oracle::NoValue;
use smoothish::law::generate::program::draw_rational_pieces_sample;
use smoothish::meaning::pap::DefaultPiecewiseHooks;
use smoothish::meaning::pap::replay::{ExplorationOptions, MAX_RUN_STEPS};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::pieces::{GuardCondition, SignGuard, SignTest};
use smoothish::random::SplitMix64;
use smoothish::session::Session;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::smooth::map::{MapTestConfig, coordinate_graphs};
use smoothish::syntax::ty::Ty;
use smoothish::value::SourceId;
use smoothish::verdict::Verdict;
use std::sync::Arc;

/// Sets that are thin have few points, and some maps leave them.
pub(super) fn samples() -> diffeology::SampleSettings {
    diffeology::SampleSettings {
        drawn: 10,
        least: 5,
        trial: MapTestConfig { sample_points: 3, ..default_smoothness_test() },
        ..diffeology::default_samples()
    }
}

#[track_caller]
pub(super) fn holds<X: OrderedDiffeology>(name: &str, space: &X, samples: diffeology::SampleSettings) {
    let axioms = diffeology::check_space(space, &samples).unwrap();
    assert_eq!(axioms.verdict(), Verdict::Survived, "{name}: {axioms}");
    assert_eq!(check_order(space, &samples).unwrap(), Verdict::Survived, "{name}");
}

/// A pair of plots on sets of different dimensions is none, and no set covers one of another dimension.
#[test]
fn plots_of_a_product_have_one_dimension() {
    let of = |n: usize| CAnalyticPieces::single_piece(&CAnalyticSet::whole_space(n), Graph::integer(1));
    let pairs = ProductDiffeology(OmegaLine, OmegaLine);
    assert_eq!(pairs.test_plot(&(of(1), of(1)), &default_smoothness_test()).unwrap(), Verdict::Survived);
    for (n, m) in [(1, 2), (2, 1), (0, 1)] {
        let refused = pairs.test_plot(&(of(n), of(m)), &default_smoothness_test()).unwrap_err();
        assert!(matches!(&refused, DiffeologyError::Shape { .. }), "{refused}");
        let refused =
            CAnalyticSite::find_uncovered_point(&CAnalyticSet::whole_space(n), &[CAnalyticSet::whole_space(m)])
                .unwrap_err();
        assert!(matches!(&refused, DiffeologyError::Dimension { .. }), "{refused}");
    }
}

/// On each piece the map is proven to be analytic: a kink may lie off it, and not on it, wherever that is.
#[test]
fn kinks_are_off_the_pieces() {
    let third = plus(&Graph::binary(Binary::Multiply, &Graph::integer(3), &x()), -1);
    let abs = Graph::unary(smoothish::smooth::graph::Unary::Abs, &third);
    let plot = |answers: Vec<GuardCondition>| {
        let domain = CAnalyticSet::new(1, vec![answers]);
        OmegaLine.test_plot(&CAnalyticPieces::single_piece(&domain, abs.clone()), &default_smoothness_test()).unwrap()
    };
    assert!(plot(Vec::new()).is_refuted());
    assert!(plot(vec![guard(&third, SignTest::NonNegative, true)]).is_refuted());
    assert_eq!(plot(vec![guard(&third, SignTest::Positive, true)]), Verdict::Survived);
}

/// A partial number, given where one guard has an answer.
fn given(answers: Vec<GuardCondition>, parts: &[(Vec<GuardCondition>, i64)]) -> LiftedPlot<CAnalyticPieces<Graph>> {
    let whole = CAnalyticSet::whole_space(1);
    let parts = parts
        .iter()
        .map(|(here, n)| (intersect_sets(&answers, here), CAnalyticPieces::single_piece(&whole, Graph::integer(*n))));
    LiftedPlot::from_pieces(CAnalyticPieces::new(&whole, parts.collect()))
}

pub(super) fn side(test: SignTest, holds: bool) -> Vec<GuardCondition> {
    vec![guard(&x(), test, holds)]
}

/// The parts of a chain of sums, or of lists, in another order, and in more parts: 7 where x > 0, 5 elsewhere.
#[test]
fn bounds_do_not_depend_on_the_order_of_parts() {
    let whole = CAnalyticSet::whole_space(1);
    let [right, left] = [true, false].map(|holds| side(SignTest::Positive, holds));
    let none = || given(Vec::new(), &[]);
    let number = |n: i64| given(Vec::new(), &[(Vec::new(), n)]);
    let turned = |n: usize| match n {
        0 => vec![(right.clone(), none()), (left.clone(), none())],
        _ => vec![(left.clone(), number(5)), (right.clone(), number(7))],
    };
    let near = guard(&plus(&x(), -2), SignTest::Positive, true);
    let far = guard(&plus(&x(), -2), SignTest::Positive, false);
    let finer = |n: usize| match n {
        0 => vec![(Vec::new(), none())],
        _ => vec![
            (left.clone(), number(5)),
            (intersect_sets(&right, &vec![near.clone()]), number(7)),
            (intersect_sets(&right, &vec![far.clone()]), number(7)),
        ],
    };
    for parts in [&turned as &dyn Fn(usize) -> Vec<_>, &finer] {
        let chain: Vec<_> = (0..2).map(parts).collect();
        let pieces = |n: usize| chain[n].iter().map(|(answers, p)| (answers.clone(), p.clone()));
        let sums = [0, 1].map(|n| {
            CAnalyticPieces::new(&whole, pieces(n).map(|(answers, p)| (answers, OmegaSumPoint::Left(p))).collect())
        });
        let lists =
            [0, 1].map(|n| CAnalyticPieces::new(&whole, pieces(n).map(|(answers, p)| (answers, vec![p])).collect()));
        let sum = OmegaSum(LiftedSpace(OmegaLine), OmegaLine)
            .least_upper_bound(&whole, Arc::new(move |n| sums[n.min(1)].clone()));
        let list =
            OmegaList(LiftedSpace(OmegaLine)).least_upper_bound(&whole, Arc::new(move |n| lists[n.min(1)].clone()));
        for (point, value) in [(1, 7), (3, 7), (0, 5), (-1, 5)] {
            let u = rational_point(&[Rational::from(point)]);
            let OmegaSumPoint::Left(one) =
                OmegaSum(LiftedSpace(OmegaLine), OmegaLine).value_at(&sum, &u, &default_smoothness_test()).unwrap()
            else {
                panic!("the side")
            };
            let two = OmegaList(LiftedSpace(OmegaLine))
                .value_at(&list, &u, &default_smoothness_test())
                .unwrap()
                .swap_remove(0);
            for found in [one, two] {
                let PartialPoint::Value(g) = &found else { panic!("{point}: {found:?}") };
                assert_eq!(g.as_rational(), Some(&Rational::from(value)), "{point}");
            }
        }
    }
}

/// A chain of values that are ⊥ for long: its bound does not say that there is none in it.
#[test]
fn bounds_within_a_lifting_are_those_of_what_is_lifted() {
    let whole = CAnalyticSet::whole_space(1);
    let bound = |from: usize| {
        let domain = whole.clone();
        let plot = move |n: usize| {
            let inner: &[_] = if n < from { &[] } else { &[(Vec::new(), 0)] };
            LiftedPlot::from_pieces(CAnalyticPieces::single_piece(&domain, given(Vec::new(), inner)))
        };
        let bound = LiftedSpace(LiftedSpace(OmegaLine)).least_upper_bound(&whole, Arc::new(plot));
        let PartialPoint::Value(found) = LiftedSpace(LiftedSpace(OmegaLine))
            .value_at(&bound, &rational_point(&[Rational::from(1)]), &default_smoothness_test())
            .unwrap()
        else {
            panic!("it is defined from the first");
        };
        found
    };
    assert!(matches!(bound(0), PartialPoint::Value(_)));
    assert!(matches!(bound(3), PartialPoint::Value(_)));
    assert!(matches!(bound(CHAIN_LIMIT_INDEX), PartialPoint::Value(_)));
    assert!(matches!(bound(CHAIN_LIMIT_INDEX + 8), PartialPoint::Unknown));
}

pub(super) fn guard(graph: &Graph, test: SignTest, holds: bool) -> GuardCondition {
    GuardCondition { guard: SignGuard::new(graph, test, SourceId::NOWHERE), holds, is_condition: false }
}

pub(super) fn x() -> Graph {
    coordinate_graphs(1).swap_remove(0)
}

pub(super) fn plus(g: &Graph, n: i64) -> Graph {
    Graph::binary(Binary::Add, g, &Graph::integer(n))
}

/// {x : g > 0, or ≥, or = 0; or not}
fn set(test: SignTest, holds: bool) -> CAnalyticSet {
    CAnalyticSet::new(1, vec![vec![guard(&x(), test, holds)]])
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// A family is glued that differs on overlaps.
    GlueOverlap,
    /// The bound of a chain is its first.
    First,
    /// The bound of a chain is defined everywhere.
    Total,
    /// Plots are of one piece.
    OnePiece,
}

/// The lifting of ℝ with something wrong.
#[derive(Clone, Copy, Debug)]
struct Wrong(Fault);

impl Diffeology<CAnalyticSite> for Wrong {
    type Point = PartialPoint<Graph>;
    type Plot = LiftedPlot<CAnalyticPieces<Graph>>;

    fn plot_domain(&self, plot: &Self::Plot) -> CAnalyticSet {
        LiftedSpace(OmegaLine).plot_domain(plot)
    }
    fn constant_plot(&self, domain: &CAnalyticSet, x: &Self::Point) -> Self::Plot {
        LiftedSpace(OmegaLine).constant_plot(domain, x)
    }
    fn reparametrise(&self, along: &PiecewiseAnalyticMap, plot: &Self::Plot) -> Self::Plot {
        LiftedSpace(OmegaLine).reparametrise(along, plot)
    }
    fn glue_pieces(&self, domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self::Plot)>) -> Self::Plot {
        LiftedSpace(OmegaLine).glue_pieces(domain, pieces)
    }
    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        LiftedSpace(OmegaLine).value_at(plot, u, trial)
    }
    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        LiftedSpace(OmegaLine).compare_points(x, y, trial)
    }
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let pieces: usize = plot.known_pieces().parts.iter().map(|(_, p)| p.parts.len()).sum();
        match self.0 {
            Fault::OnePiece if pieces > 1 => Ok(Verdict::refuted("a plot", pieces, "one piece")),
            _ => LiftedSpace(OmegaLine).test_plot(plot, trial),
        }
    }
    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        LiftedSpace(OmegaLine).draw_point(random)
    }
    fn draw_plot(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> Self::Plot {
        match self.0 {
            Fault::OnePiece => LiftedSpace(OmegaLine).constant_plot(domain, &LiftedSpace(OmegaLine).draw_point(random)),
            _ => LiftedSpace(OmegaLine).draw_plot(domain, random),
        }
    }
    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        LiftedSpace(OmegaLine).describe_point(x, trial)
    }
    fn glue(
        &self,
        whole: &CAnalyticSet,
        family: &[Self::Plot],
        trial: &MapTestConfig,
    ) -> Result<Self::Plot, DiffeologyError> {
        match self.0 {
            Fault::GlueOverlap => {
                Ok(self.glue_pieces(whole, family.iter().map(|p| (p.domain.clone(), p.clone())).collect()))
            }
            _ => LiftedSpace(OmegaLine).glue(whole, family, trial),
        }
    }
}

impl OrderedDiffeology for Wrong {
    fn test_below(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        LiftedSpace(OmegaLine).test_below(x, y, trial)
    }
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot {
        match self.0 {
            Fault::First => chain(0),
            Fault::Total => {
                let mut parts = LiftedSpace(OmegaLine).least_upper_bound(domain, chain).known_pieces().parts;
                parts.push((Vec::new(), CAnalyticPieces::single_piece(domain, Graph::integer(7))));
                LiftedPlot::from_pieces(CAnalyticPieces::new(domain, parts))
            }
            _ => LiftedSpace(OmegaLine).least_upper_bound(domain, chain),
        }
    }
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        LiftedSpace(OmegaLine).draw_chain(domain, random)
    }
}

/// What is wrong is refuted by the law of its axiom.
#[test]
fn wrong_spaces_are_refuted() {
    // x on x ≥ 0 and x + 1 on x ≤ 0 differ at 0
    let [right, left] = [guard(&x(), SignTest::NonNegative, true), guard(&x(), SignTest::Positive, false)];
    let part = |side: &GuardCondition, g: Graph| {
        let domain = CAnalyticSet::new(1, vec![vec![side.clone()]]);
        LiftedPlot::from_pieces(CAnalyticPieces::single_piece(&domain, CAnalyticPieces::single_piece(&domain, g)))
    };
    let family = [part(&right, x()), part(&left, plus(&x(), 1))];
    let whole = CAnalyticSet::whole_space(1);
    let trial = MapTestConfig { sample_points: 24, ..default_smoothness_test() };
    assert_eq!(gluing(&LiftedSpace(OmegaLine), &whole, &family, &trial).unwrap(), Verdict::Vacuous);
    assert!(gluing(&Wrong(Fault::GlueOverlap), &whole, &family, &trial).unwrap().is_refuted());
    for fault in [Fault::First, Fault::Total] {
        assert!(check_order(&Wrong(fault), &samples()).unwrap().is_refuted(), "{fault:?}");
    }
    let refuted = diffeology::check_space(&Wrong(Fault::OnePiece), &samples()).unwrap().refuted_names();
    // pieces of maps are pieces
    assert_eq!(refuted, ["reparametrisation", "gluing"]);
}

/// W14: what is no piecewise analytic function is no plot: a kink inside a piece, a part without a value, and pieces that overlap and
/// differ. At borders nothing has to agree.
#[test]
fn plots_of_the_line() {
    let whole = CAnalyticSet::whole_space(1);
    let plot = |parts: Vec<(Vec<GuardCondition>, Graph)>| CAnalyticPieces::new(&whole, parts);
    let tried = |plot: &CAnalyticPieces<Graph>| {
        OmegaLine.test_plot(plot, &MapTestConfig { sample_points: 24, ..default_smoothness_test() }).unwrap()
    };
    assert_eq!(
        tried(&plot(vec![(side(SignTest::Zero, true), Graph::integer(5)), (side(SignTest::Zero, false), x())])),
        Verdict::Survived
    );
    let jump = plot(vec![(side(SignTest::Positive, true), x()), (side(SignTest::Positive, false), plus(&x(), 1))]);
    assert_eq!(tried(&jump), Verdict::Survived);
    let kink = Graph::binary(Binary::Maximum, &x(), &Graph::integer(0));
    assert!(tried(&CAnalyticPieces::single_piece(&whole, kink)).is_refuted());
    assert!(
        tried(&plot(vec![(side(SignTest::Positive, true), x()), (side(SignTest::NonNegative, false), x())]))
            .is_refuted()
    );
    let overlap =
        plot(vec![(side(SignTest::NonNegative, true), x()), (side(SignTest::Positive, false), plus(&x(), 1))]);
    assert!(tried(&overlap).is_refuted());
}

/// W12: preimages of c-analytic sets, at points: x² - 1 takes into x ≥ 0 what is outside of (-1, 1).
#[test]
fn preimages_are_known_at_points() {
    let square = Graph::binary(Binary::Subtract, &Graph::binary(Binary::Multiply, &x(), &x()), &Graph::integer(1));
    let line = CAnalyticSet::whole_space(1);
    let f = PiecewiseAnalyticMap::new(&line, &line, vec![(Vec::new(), vec![square])]);
    let set = set(SignTest::NonNegative, true).preimage(&f);
    for (point, inside) in [((-1, 1), true), ((0, 1), false), ((1, 1), true), ((1, 2), false), ((-3, 2), true)] {
        assert_eq!(set.contains(&rational_point(&[Rational::from(point)])), Some(inside), "{point:?}");
    }
}

/// A program as a partial morphism: its pieces, pulled back along a plot.
fn morphism(text: &str, unfoldings: Option<u64>) -> PartialMorphism<OmegaLine, OmegaLine> {
    explored_morphism(text, unfoldings).0
}

/// The morphism of a program, and the number of its pieces.
fn explored_morphism(text: &str, unfoldings: Option<u64>) -> (PartialMorphism<OmegaLine, OmegaLine>, usize) {
    let term = Session::new().infer_at(text, &Ty::function(Ty::real(), Ty::real())).unwrap();
    let budget = Arc::new(Budget::new(4_000_000, None, None));
    let unfolding = ExplorationOptions {
        hooks: Arc::new(DefaultPiecewiseHooks),
        unfolding_limit: unfoldings,
        limit: 200,
        max_steps: MAX_RUN_STEPS,
        budget,
    };
    let pap = unfolding.explore_interval(&term, &Rational::from(-64), &Rational::from(64)).unwrap().pap;
    let v = pap.variables[0];
    let ends = pap.frontier.is_empty().then_some(0);
    let count = pap.pieces.len();
    let morphism = PartialMorphism::from_action(move |p: &CAnalyticPieces<Graph>| {
        let mut parts = Vec::new();
        for (answers, g) in &p.parts {
            for piece in &pap.pieces {
                let here: Vec<_> = piece
                    .guards
                    .iter()
                    .map(|d| GuardCondition { guard: d.guard.preimage_under(&[(v, g.clone())]), ..d.clone() })
                    .collect();
                if let Some(value) = piece.outcome.as_number() {
                    let value = CAnalyticPieces::single_piece(&p.domain, value.substitute(&[(v, g.clone())]));
                    parts.push((intersect_sets(answers, &here), value));
                }
            }
        }
        let pieces = CAnalyticPieces::new(&p.domain, parts);
        Ok(LiftedPlot::from_pieces(pieces).with_last_step(ends))
    });
    (morphism, count)
}

/// W11, W13: the approximants of a recursion are a chain, and its bound is the program: halving at 5, with 29/8, and at 60.
#[test]
fn approximants_have_a_least_upper_bound() {
    let text = "let rec f (x : Real) : Real = if x < 1 then x else f (x / 2) + 1 in f";
    let all: Vec<_> = (0..=12).map(|n| morphism(text, Some(n))).collect();
    let identity = CAnalyticPieces::single_piece(&CAnalyticSet::whole_space(1), x());
    let plots: Vec<_> = all
        .iter()
        .map(|f| {
            f.act_on(
                &PiecewiseAnalyticMap::new(
                    &CAnalyticSet::whole_space(0),
                    &CAnalyticSet::whole_space(0),
                    vec![(Vec::new(), Vec::new())],
                ),
                &identity,
            )
            .unwrap()
        })
        .collect();
    let chain: PlotChain<LiftedPlot<CAnalyticPieces<Graph>>> = Arc::new(move |n| plots[n.min(12)].clone());
    let (whole, trial) =
        (CAnalyticSet::whole_space(1), MapTestConfig { sample_points: 8, ..default_smoothness_test() });
    assert_eq!(chain_law(&LiftedSpace(OmegaLine), &whole, &chain, &trial).unwrap(), Verdict::Survived);
    let bound = LiftedSpace(OmegaLine).least_upper_bound(&whole, chain);
    for (point, value) in [((5, 1), (29, 8)), ((4, 1), (7, 2)), ((60, 1), (15, 16)), ((-3, 1), (-3, 1))] {
        let found = LiftedSpace(OmegaLine).value_at(&bound, &rational_point(&[Rational::from(point)]), &trial).unwrap();
        let expected = Rational::from(value) + if point == (60, 1) { 6 } else { 0 };
        assert!(matches!(&found, PartialPoint::Value(g) if g.as_rational() == Some(&expected)), "{point:?}: {found:?}");
    }
}

/// W15: composition, and Λ with its β: ev ∘ (Λf × id) is f.
#[test]
fn partial_morphisms_are_a_closed_category() {
    let trial = MapTestConfig { sample_points: 4, ..default_smoothness_test() };
    let space = PartialMapSpace(ProductDiffeology(OmegaLine, OmegaLine), OmegaLine);
    let inner = PartialMapSpace(OmegaLine, OmegaLine);
    let mut said = 0;
    for index in 0..20 {
        let mut random = SplitMix64::for_sample(29, index);
        let f = space.draw_point(&mut random);
        let (z, a) = (OmegaLine.draw_point(&mut random), OmegaLine.draw_point(&mut random));
        let direct =
            f.value_at(&ProductDiffeology(OmegaLine, OmegaLine), &OmegaLine, &(z.clone(), a.clone()), &trial).unwrap();
        let PartialPoint::Value(g) = curry(&OmegaLine, &f).value_at(&OmegaLine, &inner, &z, &trial).unwrap() else {
            panic!("Λf is total")
        };
        let pair = ProductDiffeology(inner.clone(), OmegaLine);
        let by_evaluation = evaluation_morphism().value_at(&pair, &OmegaLine, &(g, a.clone()), &trial).unwrap();
        let same = LiftedSpace(OmegaLine).compare_points(&direct, &by_evaluation, &trial).unwrap();
        assert!(!same.is_refuted(), "{index}: {same}");
        // (f;g);h = f;(g;h)
        let [p, q, r] = [0, 1, 2].map(|_| inner.draw_point(&mut random));
        let left = p
            .then(&OmegaLine, &OmegaLine, &q)
            .then(&OmegaLine, &OmegaLine, &r)
            .value_at(&OmegaLine, &OmegaLine, &a, &trial)
            .unwrap();
        let right = p
            .then(&OmegaLine, &OmegaLine, &q.then(&OmegaLine, &OmegaLine, &r))
            .value_at(&OmegaLine, &OmegaLine, &a, &trial)
            .unwrap();
        let same = same.and_part(LiftedSpace(OmegaLine).compare_points(&left, &right, &trial).unwrap());
        assert!(!same.is_refuted(), "{index}: {same}");
        said += u32::from(same == Verdict::Survived);
    }
    assert!(said >= 15, "{said}");
}

/// The function ℝ⊥ ⇀ ℝ that is 0 at ⊥ and has no value at numbers.
fn falling() -> PartialMorphism<LiftedSpace<OmegaLine>, OmegaLine> {
    PartialMorphism::from_action(|p: &LiftedPlot<CAnalyticPieces<Graph>>| {
        let outside = p.known_pieces().parts.iter().fold(vec![Vec::new()], |all, (answers, _)| {
            let other = |d: &GuardCondition| GuardCondition { holds: !d.holds, ..d.clone() };
            all.iter().flat_map(|here| answers.iter().map(move |d| intersect_sets(here, &vec![other(d)]))).collect()
        });
        let zero = |answers| (answers, CAnalyticPieces::single_piece(&p.domain, Graph::integer(0)));
        Ok(LiftedPlot::from_pieces(CAnalyticPieces::new(&p.domain, outside.into_iter().map(zero).collect())))
    })
}

/// Morphisms preserve the order and bounds of chains: that a function falls is refuted.
#[test]
fn morphisms_are_continuous() {
    let space = PartialMapSpace(LiftedSpace(OmegaLine), OmegaLine);
    let trial = MapTestConfig { sample_points: 6, ..default_smoothness_test() };
    let tried = |f: &PartialMorphism<LiftedSpace<OmegaLine>, OmegaLine>, index: u64| {
        let line = CAnalyticSet::whole_space(1);
        let chain = LiftedSpace(OmegaLine).draw_chain(&line, &mut SplitMix64::for_sample(31, index));
        space
            .test_continuity(&space.constant_plot(&line, f), &CAnalyticSite::identity_map(&line), &chain, &trial)
            .unwrap()
    };
    // a chain may grow nowhere that a point is found
    let refuted = (0..8).filter(|&index| tried(&falling(), index).is_refuted()).count();
    assert!(refuted >= 3, "{refuted}");
    // and it is no plot of functions
    let is_plot = |f: &PartialMorphism<LiftedSpace<OmegaLine>, OmegaLine>, seed| {
        space
            .test_plot(&space.constant_plot(&CAnalyticSet::whole_space(1), f), &MapTestConfig { seed, ..trial.clone() })
            .unwrap()
    };
    assert!((0..8).any(|seed| is_plot(&falling(), seed).is_refuted()));
    let identity = PartialMorphism::from_action(|p: &LiftedPlot<CAnalyticPieces<Graph>>| Ok(p.clone()));
    assert!((0..8).all(|index| !tried(&identity, index).is_refuted()));
    assert!((0..8).any(|index| tried(&identity, index) == Verdict::Survived));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// The most pieces of a program that is tested as a plot. A choice.
    const MOST_PIECES: usize = 12;

    /// The same of spaces of functions.
    #[test]
    fn axioms_of_functions() {
        // each argument is a plot along a map
        let samples = diffeology::SampleSettings {
            drawn: 2,
            least: 1,
            trial: MapTestConfig { sample_points: 2, ..default_smoothness_test() },
            ..samples()
        };
        holds("ℝ ⇀ ℝ", &PartialMapSpace(OmegaLine, OmegaLine), samples);
    }

    /// W13, W14: constants, reparametrisation, gluing over c-analytic partitions, and bounds of chains, for each space.
    #[test]
    fn axioms_of_every_space() {
        holds("ℝ", &OmegaLine, samples());
        holds("ℝ × ℝ", &ProductDiffeology(OmegaLine, OmegaLine), samples());
        holds("ℝ⊥", &LiftedSpace(OmegaLine), samples());
        holds("ℝ + ℝ⊥", &OmegaSum(OmegaLine, LiftedSpace(OmegaLine)), samples());
        holds("lists of ℝ⊥", &OmegaList(LiftedSpace(OmegaLine)), samples());
    }

    /// Bounds of chains where what is in a part grows, is cut anew and changes its place.
    #[test]
    fn chains_that_grow_within() {
        let few = diffeology::SampleSettings { drawn: 6, least: 2, ..samples() };
        let said = [
            ("ℝ⊥⊥", check_order(&LiftedSpace(LiftedSpace(OmegaLine)), &few)),
            ("ℝ⊥ + ℝ", check_order(&OmegaSum(LiftedSpace(OmegaLine), OmegaLine), &few)),
            ("lists of ℝ⊥", check_order(&OmegaList(LiftedSpace(OmegaLine)), &few)),
        ];
        let refuted: Vec<_> = said.iter().filter(|(_, said)| !matches!(said, Ok(Verdict::Survived))).collect();
        assert!(refuted.is_empty(), "{refuted:#?}");
    }

    /// W16, W17: what a random program denotes takes plots to plots, and has the values of the program: the dual numbers of the sample.
    #[test]
    fn programs_are_partial_morphisms() {
        let (trial, mut said) = (MapTestConfig { sample_points: 4, ..default_smoothness_test() }, 0);
        let mut plots = 0;
        for index in 0..25 {
            let drawn = draw_rational_pieces_sample(SplitMix64::for_sample(23, index));
            let (f, pieces) = explored_morphism(&drawn.program.to_string(), Some(16));
            // whether it is a plot is asked of every pair of pieces
            if pieces <= MOST_PIECES {
                let lifted = PartialMapSpace(OmegaLine, OmegaLine).constant_plot(&CAnalyticSet::whole_space(1), &f);
                let verdict = PartialMapSpace(OmegaLine, OmegaLine).test_plot(&lifted, &trial).unwrap();
                assert!(!verdict.is_refuted(), "{}: {verdict}", drawn.program);
                plots += 1;
            }
            for point in drawn.points.iter().flatten() {
                let at = || format!("{point} in {}", drawn.program);
                match (
                    f.value_at(&OmegaLine, &OmegaLine, &Graph::rational(point.clone()), &trial).unwrap(),
                    drawn.program.value_and_slope(point),
                ) {
                    (PartialPoint::Value(found), Ok([known, _])) => {
                        let known = Graph::rational(known.rational().unwrap().clone());
                        let same = OmegaLine.compare_points(&found, &known, &trial).unwrap();
                        assert!(!same.is_refuted(), "{}: {same}", at());
                        said += 1;
                    }
                    (PartialPoint::Undefined, Err(NoValue::Undefined)) => said += 1,
                    (PartialPoint::Unknown, _) | (_, Err(NoValue::Unknown)) => {}
                    (found, known) => panic!("{}: {found:?} {known:?}", at()),
                }
            }
        }
        assert!(said >= 80 && plots >= 15, "{said} values, {plots} plots");
    }
}
