//! ωPAP spaces (W §3.2): their axioms, their morphisms, and wrong ones.

use smoothish::diffeology::analytic::{Analytic, CAnalytic, PapMap, and};
use smoothish::diffeology::omega::{
    Chain, Either, Found, Lift, Lifted, Line, MOST, Morphism, Ordered, Partial, Pieces, Sequence, Side, curry,
    evaluation,
};
use smoothish::diffeology::product::Product;
use smoothish::diffeology::real::exactly;
use smoothish::diffeology::site::Site as _;
use smoothish::diffeology::smoothness::trial;
use smoothish::diffeology::{Diffeology, DiffeologyError, Tried};
use smoothish::law::diffeology::order::{chains, ordered};
use smoothish::law::diffeology::{gluing, suite};
use smoothish::law::pap::generate::sample;
use smoothish::meaning::pap::hooks::Library;
use smoothish::meaning::pap::replay::{MOST_STEPS, Unfolding};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::pieces::{Decided, Guard, Outcome, Test};
use smoothish::random::Random;
use smoothish::session::Session;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::smooth::map::Trial;
use smoothish::smooth::map::untyped::coordinates;
use smoothish::syntax::ty::Ty;
use smoothish::value::Site;
use smoothish::verdict::Verdict;
use std::sync::Arc;

/// Sets that are thin have few points, and some maps leave them.
pub(super) fn samples() -> suite::Samples {
    suite::Samples { drawn: 10, least: 5, trial: Trial { samples: 3, ..trial() }, ..suite::samples() }
}

#[track_caller]
pub(super) fn holds<X: Ordered>(name: &str, space: &X, samples: suite::Samples) {
    let axioms = suite::space(space, &samples).unwrap();
    assert_eq!(axioms.verdict(), Verdict::Survived, "{name}: {axioms}");
    assert_eq!(ordered(space, &samples).unwrap(), Verdict::Survived, "{name}");
}

/// A pair of plots on sets of different dimensions is none, and no set covers one of another dimension.
#[test]
fn plots_of_a_product_have_one_dimension() {
    let of = |n: usize| Pieces::whole(&Analytic::whole(n), Graph::integer(1));
    let pairs = Product(Line, Line);
    assert_eq!(pairs.is_plot(&(of(1), of(1)), &trial()).unwrap(), Verdict::Survived);
    for (n, m) in [(1, 2), (2, 1), (0, 1)] {
        let refused = pairs.is_plot(&(of(n), of(m)), &trial()).unwrap_err();
        assert!(matches!(&refused, DiffeologyError::Shape { .. }), "{refused}");
        let refused = CAnalytic::uncovered(&Analytic::whole(n), &[Analytic::whole(m)]).unwrap_err();
        assert!(matches!(&refused, DiffeologyError::Dimension { .. }), "{refused}");
    }
}

/// On each piece the map is proven to be analytic: a kink may lie off it, and not on it, wherever that is.
#[test]
fn kinks_are_off_the_pieces() {
    let third = plus(&Graph::binary(Binary::Multiply, &Graph::integer(3), &x()), -1);
    let abs = Graph::unary(smoothish::smooth::graph::Unary::Abs, &third);
    let plot = |answers: Vec<Decided>| {
        let domain = Analytic::new(1, vec![answers]);
        Line.is_plot(&Pieces::whole(&domain, abs.clone()), &trial()).unwrap()
    };
    assert!(plot(Vec::new()).is_refuted());
    assert!(plot(vec![guard(&third, Test::NonNegative, true)]).is_refuted());
    assert_eq!(plot(vec![guard(&third, Test::Positive, true)]), Verdict::Survived);
}

/// A partial number, given where one guard has an answer.
fn given(answers: Vec<Decided>, parts: &[(Vec<Decided>, i64)]) -> Lifted<Pieces<Graph>> {
    let whole = Analytic::whole(1);
    let parts = parts.iter().map(|(here, n)| (and(&answers, here), Pieces::whole(&whole, Graph::integer(*n))));
    Lifted::of(Pieces { domain: whole.clone(), parts: parts.collect() })
}

pub(super) fn side(test: Test, holds: bool) -> Vec<Decided> {
    vec![guard(&x(), test, holds)]
}

/// The parts of a chain of sums, or of lists, in another order, and in more parts: 7 where x > 0, 5 elsewhere.
#[test]
fn bounds_do_not_depend_on_the_order_of_parts() {
    let whole = Analytic::whole(1);
    let [right, left] = [true, false].map(|holds| side(Test::Positive, holds));
    let none = || given(Vec::new(), &[]);
    let number = |n: i64| given(Vec::new(), &[(Vec::new(), n)]);
    let turned = |n: usize| match n {
        0 => vec![(right.clone(), none()), (left.clone(), none())],
        _ => vec![(left.clone(), number(5)), (right.clone(), number(7))],
    };
    let near = guard(&plus(&x(), -2), Test::Positive, true);
    let far = guard(&plus(&x(), -2), Test::Positive, false);
    let finer = |n: usize| match n {
        0 => vec![(Vec::new(), none())],
        _ => vec![
            (left.clone(), number(5)),
            (and(&right, &vec![near.clone()]), number(7)),
            (and(&right, &vec![far.clone()]), number(7)),
        ],
    };
    for parts in [&turned as &dyn Fn(usize) -> Vec<_>, &finer] {
        let chain: Vec<_> = (0..2).map(parts).collect();
        let pieces = |n: usize| chain[n].iter().map(|(answers, p)| (answers.clone(), p.clone()));
        let sums = [0, 1].map(|n| Pieces {
            domain: whole.clone(),
            parts: pieces(n).map(|(answers, p)| (answers, Side::Left(p))).collect(),
        });
        let lists = [0, 1].map(|n| Pieces {
            domain: whole.clone(),
            parts: pieces(n).map(|(answers, p)| (answers, vec![p])).collect(),
        });
        let sum = Either(Lift(Line), Line).lub(&whole, Arc::new(move |n| sums[n.min(1)].clone()));
        let list = Sequence(Lift(Line)).lub(&whole, Arc::new(move |n| lists[n.min(1)].clone()));
        for (point, value) in [(1, 7), (3, 7), (0, 5), (-1, 5)] {
            let u = exactly(&[Rational::from(point)]);
            let Side::Left(one) = Either(Lift(Line), Line).at(&sum, &u, &trial()).unwrap() else { panic!("the side") };
            let two = Sequence(Lift(Line)).at(&list, &u, &trial()).unwrap().swap_remove(0);
            for found in [one, two] {
                let Found::Value(g) = &found else { panic!("{point}: {found:?}") };
                assert_eq!(g.as_rational(), Some(&Rational::from(value)), "{point}");
            }
        }
    }
}

/// A chain of values that are ⊥ for long: its bound does not say that there is none in it.
#[test]
fn bounds_within_a_lifting_are_those_of_what_is_lifted() {
    let whole = Analytic::whole(1);
    let bound = |from: usize| {
        let domain = whole.clone();
        let plot = move |n: usize| {
            let inner: &[_] = if n < from { &[] } else { &[(Vec::new(), 0)] };
            Lifted::of(Pieces::whole(&domain, given(Vec::new(), inner)))
        };
        let bound = Lift(Lift(Line)).lub(&whole, Arc::new(plot));
        let Found::Value(found) = Lift(Lift(Line)).at(&bound, &exactly(&[Rational::from(1)]), &trial()).unwrap() else {
            panic!("it is defined from the first");
        };
        found
    };
    assert!(matches!(bound(0), Found::Value(_)));
    assert!(matches!(bound(3), Found::Value(_)));
    assert!(matches!(bound(MOST), Found::Value(_)));
    assert!(matches!(bound(MOST + 8), Found::Unknown));
}

pub(super) fn guard(graph: &Graph, test: Test, holds: bool) -> Decided {
    Decided { guard: Guard::new(graph, test, Site::NOWHERE), holds, is_condition: false }
}

pub(super) fn x() -> Graph {
    coordinates(1).swap_remove(0)
}

pub(super) fn plus(g: &Graph, n: i64) -> Graph {
    Graph::binary(Binary::Add, g, &Graph::integer(n))
}

/// {x : g > 0, or ≥, or = 0; or not}
fn set(test: Test, holds: bool) -> Analytic {
    Analytic::new(1, vec![vec![guard(&x(), test, holds)]])
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

impl Diffeology<CAnalytic> for Wrong {
    type Point = Found<Graph>;
    type Plot = Lifted<Pieces<Graph>>;

    fn domain(&self, plot: &Self::Plot) -> Analytic {
        Lift(Line).domain(plot)
    }
    fn constant(&self, domain: &Analytic, x: &Self::Point) -> Self::Plot {
        Lift(Line).constant(domain, x)
    }
    fn reparametrise(&self, along: &PapMap, plot: &Self::Plot) -> Self::Plot {
        Lift(Line).reparametrise(along, plot)
    }
    fn piecewise(&self, domain: &Analytic, pieces: Vec<(Analytic, Self::Plot)>) -> Self::Plot {
        Lift(Line).piecewise(domain, pieces)
    }
    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Self::Point, DiffeologyError> {
        Lift(Line).at(plot, u, trial)
    }
    fn same(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        Lift(Line).same(x, y, trial)
    }
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        let pieces: usize = plot.known().parts.iter().map(|(_, p)| p.parts.len()).sum();
        match self.0 {
            Fault::OnePiece if pieces > 1 => Ok(Verdict::refuted("a plot", pieces, "one piece")),
            _ => Lift(Line).is_plot(plot, trial),
        }
    }
    fn draw_point(&self, random: &mut Random) -> Self::Point {
        Lift(Line).draw_point(random)
    }
    fn draw_plot(&self, domain: &Analytic, random: &mut Random) -> Self::Plot {
        match self.0 {
            Fault::OnePiece => Lift(Line).constant(domain, &Lift(Line).draw_point(random)),
            _ => Lift(Line).draw_plot(domain, random),
        }
    }
    fn told(&self, x: &Self::Point, trial: &Trial) -> String {
        Lift(Line).told(x, trial)
    }
    fn glue(&self, whole: &Analytic, family: &[Self::Plot], trial: &Trial) -> Result<Self::Plot, DiffeologyError> {
        match self.0 {
            Fault::GlueOverlap => {
                Ok(self.piecewise(whole, family.iter().map(|p| (p.domain.clone(), p.clone())).collect()))
            }
            _ => Lift(Line).glue(whole, family, trial),
        }
    }
}

impl Ordered for Wrong {
    fn below(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        Lift(Line).below(x, y, trial)
    }
    fn lub(&self, domain: &Analytic, chain: Chain<Self::Plot>) -> Self::Plot {
        match self.0 {
            Fault::First => chain(0),
            Fault::Total => {
                let mut parts = Lift(Line).lub(domain, chain).known().parts;
                parts.push((Vec::new(), Pieces::whole(domain, Graph::integer(7))));
                Lifted::of(Pieces { domain: domain.clone(), parts })
            }
            _ => Lift(Line).lub(domain, chain),
        }
    }
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<Self::Plot> {
        Lift(Line).draw_chain(domain, random)
    }
}

/// What is wrong is refuted by the law of its axiom.
#[test]
fn wrong_spaces_are_refuted() {
    // x on x ≥ 0 and x + 1 on x ≤ 0 differ at 0
    let [right, left] = [guard(&x(), Test::NonNegative, true), guard(&x(), Test::Positive, false)];
    let part = |side: &Decided, g: Graph| {
        let domain = Analytic::new(1, vec![vec![side.clone()]]);
        Lifted::of(Pieces::whole(&domain, Pieces::whole(&domain, g)))
    };
    let family = [part(&right, x()), part(&left, plus(&x(), 1))];
    let whole = Analytic::whole(1);
    let trial = Trial { samples: 24, ..trial() };
    assert_eq!(gluing(&Lift(Line), &whole, &family, &trial).unwrap(), Verdict::Vacuous);
    assert!(gluing(&Wrong(Fault::GlueOverlap), &whole, &family, &trial).unwrap().is_refuted());
    for fault in [Fault::First, Fault::Total] {
        assert!(ordered(&Wrong(fault), &samples()).unwrap().is_refuted(), "{fault:?}");
    }
    let refuted = suite::space(&Wrong(Fault::OnePiece), &samples()).unwrap().refuted();
    // pieces of maps are pieces
    assert_eq!(refuted, ["reparametrisation", "gluing"]);
}

/// W14: what is no piecewise analytic function is no plot: a kink inside a piece, a part without a value, and pieces that overlap and
/// differ. At borders nothing has to agree.
#[test]
fn plots_of_the_line() {
    let whole = Analytic::whole(1);
    let plot = |parts: Vec<(Vec<Decided>, Graph)>| Pieces { domain: whole.clone(), parts };
    let tried = |plot: &Pieces<Graph>| Line.is_plot(plot, &Trial { samples: 24, ..trial() }).unwrap();
    assert_eq!(
        tried(&plot(vec![(side(Test::Zero, true), Graph::integer(5)), (side(Test::Zero, false), x())])),
        Verdict::Survived
    );
    let jump = plot(vec![(side(Test::Positive, true), x()), (side(Test::Positive, false), plus(&x(), 1))]);
    assert_eq!(tried(&jump), Verdict::Survived);
    let kink = Graph::binary(Binary::Maximum, &x(), &Graph::integer(0));
    assert!(tried(&Pieces::whole(&whole, kink)).is_refuted());
    assert!(tried(&plot(vec![(side(Test::Positive, true), x()), (side(Test::NonNegative, false), x())])).is_refuted());
    let overlap = plot(vec![(side(Test::NonNegative, true), x()), (side(Test::Positive, false), plus(&x(), 1))]);
    assert!(tried(&overlap).is_refuted());
}

/// W12: preimages of c-analytic sets, at points: x² - 1 takes into x ≥ 0 what is outside of (-1, 1).
#[test]
fn preimages_are_known_at_points() {
    let square = Graph::binary(Binary::Subtract, &Graph::binary(Binary::Multiply, &x(), &x()), &Graph::integer(1));
    let line = Analytic::whole(1);
    let f = PapMap::new(&line, &line, vec![(Vec::new(), vec![square])]);
    let set = set(Test::NonNegative, true).preimage(&f);
    for (point, inside) in [((-1, 1), true), ((0, 1), false), ((1, 1), true), ((1, 2), false), ((-3, 2), true)] {
        assert_eq!(set.contains(&exactly(&[Rational::from(point)])), Some(inside), "{point:?}");
    }
}

/// A program as a partial morphism: its pieces, pulled back along a plot.
fn morphism(text: &str, unfoldings: Option<u64>) -> Morphism<Line, Line> {
    let term = Session::new().infer_at(text, &Ty::function(Ty::real(), Ty::real())).unwrap();
    let budget = Arc::new(Budget::new(4_000_000, None, None));
    let unfolding = Unfolding { hooks: Arc::new(Library), unfoldings, limit: 200, steps: MOST_STEPS, budget };
    let pap = unfolding.on(&term, &Rational::from(-64), &Rational::from(64)).unwrap().pap;
    let v = pap.variables[0];
    let ends = pap.frontier.is_empty().then_some(0);
    Morphism::of(move |p: &Pieces<Graph>| {
        let mut parts = Vec::new();
        for (answers, g) in &p.parts {
            for piece in &pap.pieces {
                let here: Vec<_> = piece
                    .guards
                    .iter()
                    .map(|d| Decided { guard: d.guard.along(&[(v, g.clone())]), ..d.clone() })
                    .collect();
                if let Outcome::Value(value) = &piece.outcome {
                    let value = Pieces::whole(&p.domain, value.substitute(&[(v, g.clone())]));
                    parts.push((and(answers, &here), value));
                }
            }
        }
        let pieces = Pieces { domain: p.domain.clone(), parts };
        Ok(Lifted { ends, ..Lifted::of(pieces) })
    })
}

/// W11, W13: the approximants of a recursion are a chain, and its bound is the program: halving at 5, with 29/8, and at 60.
#[test]
fn approximants_have_a_least_upper_bound() {
    let text = "let rec f (x : Real) : Real = if x < 1 then x else f (x / 2) + 1 in f";
    let all: Vec<_> = (0..=12).map(|n| morphism(text, Some(n))).collect();
    let identity = Pieces::whole(&Analytic::whole(1), x());
    let plots: Vec<_> = all
        .iter()
        .map(|f| {
            f.act(&PapMap::new(&Analytic::whole(0), &Analytic::whole(0), vec![(Vec::new(), Vec::new())]), &identity)
                .unwrap()
        })
        .collect();
    let chain: Chain<Lifted<Pieces<Graph>>> = Arc::new(move |n| plots[n.min(12)].clone());
    let (whole, trial) = (Analytic::whole(1), Trial { samples: 8, ..trial() });
    assert_eq!(chains(&Lift(Line), &whole, &chain, &trial).unwrap(), Verdict::Survived);
    let bound = Lift(Line).lub(&whole, chain);
    for (point, value) in [((5, 1), (29, 8)), ((4, 1), (7, 2)), ((60, 1), (15, 16)), ((-3, 1), (-3, 1))] {
        let found = Lift(Line).at(&bound, &exactly(&[Rational::from(point)]), &trial).unwrap();
        let expected = Rational::from(value) + if point == (60, 1) { 6 } else { 0 };
        assert!(matches!(&found, Found::Value(g) if g.as_rational() == Some(&expected)), "{point:?}: {found:?}");
    }
}

/// W15: composition, and Λ with its β: ev ∘ (Λf × id) is f.
#[test]
fn partial_morphisms_are_a_closed_category() {
    let trial = Trial { samples: 4, ..trial() };
    let space = Partial(Product(Line, Line), Line);
    let inner = Partial(Line, Line);
    let mut said = 0;
    for index in 0..20 {
        let mut random = Random::of(29, index);
        let f = space.draw_point(&mut random);
        let (z, a) = (Line.draw_point(&mut random), Line.draw_point(&mut random));
        let direct = f.at(&Product(Line, Line), &Line, &(z.clone(), a.clone()), &trial).unwrap();
        let Found::Value(g) = curry(&Line, &f).at(&Line, &inner, &z, &trial).unwrap() else { panic!("Λf is total") };
        let pair = Product(inner.clone(), Line);
        let by_evaluation = evaluation().at(&pair, &Line, &(g, a.clone()), &trial).unwrap();
        let same = Lift(Line).same(&direct, &by_evaluation, &trial).unwrap();
        assert!(!same.is_refuted(), "{index}: {same}");
        // (f;g);h = f;(g;h)
        let [p, q, r] = [0, 1, 2].map(|_| inner.draw_point(&mut random));
        let left = p.then(&Line, &Line, &q).then(&Line, &Line, &r).at(&Line, &Line, &a, &trial).unwrap();
        let right = p.then(&Line, &Line, &q.then(&Line, &Line, &r)).at(&Line, &Line, &a, &trial).unwrap();
        let same = same.both(Lift(Line).same(&left, &right, &trial).unwrap());
        assert!(!same.is_refuted(), "{index}: {same}");
        said += u32::from(same == Verdict::Survived);
    }
    assert!(said >= 15, "{said}");
}

/// The function ℝ⊥ ⇀ ℝ that is 0 at ⊥ and has no value at numbers.
fn falling() -> Morphism<Lift<Line>, Line> {
    Morphism::of(|p: &Lifted<Pieces<Graph>>| {
        let outside = p.known().parts.iter().fold(vec![Vec::new()], |all, (answers, _)| {
            let other = |d: &Decided| Decided { holds: !d.holds, ..d.clone() };
            all.iter().flat_map(|here| answers.iter().map(move |d| and(here, &vec![other(d)]))).collect()
        });
        let zero = |answers| (answers, Pieces::whole(&p.domain, Graph::integer(0)));
        Ok(Lifted::of(Pieces { domain: p.domain.clone(), parts: outside.into_iter().map(zero).collect() }))
    })
}

/// Morphisms preserve the order and bounds of chains: that a function falls is refuted.
#[test]
fn morphisms_are_continuous() {
    let space = Partial(Lift(Line), Line);
    let trial = Trial { samples: 6, ..trial() };
    let tried = |f: &Morphism<Lift<Line>, Line>, index: u64| {
        let line = Analytic::whole(1);
        let chain = Lift(Line).draw_chain(&line, &mut Random::of(31, index));
        space.continuous(&space.constant(&line, f), &CAnalytic::identity(&line), &chain, &trial).unwrap()
    };
    // a chain may grow nowhere that a point is found
    let refuted = (0..8).filter(|&index| tried(&falling(), index).is_refuted()).count();
    assert!(refuted >= 3, "{refuted}");
    // and it is no plot of functions
    let is_plot = |f: &Morphism<Lift<Line>, Line>, seed| {
        space.is_plot(&space.constant(&Analytic::whole(1), f), &Trial { seed, ..trial.clone() }).unwrap()
    };
    assert!((0..8).any(|seed| is_plot(&falling(), seed).is_refuted()));
    let identity = Morphism::of(|p: &Lifted<Pieces<Graph>>| Ok(p.clone()));
    assert!((0..8).all(|index| !tried(&identity, index).is_refuted()));
    assert!((0..8).any(|index| tried(&identity, index) == Verdict::Survived));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// The same of spaces of functions.
    #[test]
    fn axioms_of_functions() {
        // each argument is a plot along a map
        let samples = suite::Samples { drawn: 2, least: 1, trial: Trial { samples: 2, ..trial() }, ..samples() };
        holds("ℝ ⇀ ℝ", &Partial(Line, Line), samples);
    }

    /// W13, W14: constants, reparametrisation, gluing over c-analytic partitions, and bounds of chains, for each space.
    #[test]
    fn axioms_of_every_space() {
        holds("ℝ", &Line, samples());
        holds("ℝ × ℝ", &Product(Line, Line), samples());
        holds("ℝ⊥", &Lift(Line), samples());
        holds("ℝ + ℝ⊥", &Either(Line, Lift(Line)), samples());
        holds("lists of ℝ⊥", &Sequence(Lift(Line)), samples());
    }

    /// Bounds of chains where what is in a part grows, is cut anew and changes its place.
    #[test]
    fn chains_that_grow_within() {
        let few = suite::Samples { drawn: 6, least: 2, ..samples() };
        let said = [
            ("ℝ⊥⊥", ordered(&Lift(Lift(Line)), &few)),
            ("ℝ⊥ + ℝ", ordered(&Either(Lift(Line), Line), &few)),
            ("lists of ℝ⊥", ordered(&Sequence(Lift(Line)), &few)),
        ];
        let refuted: Vec<_> = said.iter().filter(|(_, said)| !matches!(said, Ok(Verdict::Survived))).collect();
        assert!(refuted.is_empty(), "{refuted:#?}");
    }

    /// W16, W17: what a random program denotes takes plots to plots, and has the values of the program: the dual numbers of the sample.
    #[test]
    fn programs_are_partial_morphisms() {
        let (trial, mut said) = (Trial { samples: 4, ..trial() }, 0);
        for index in 0..25 {
            let drawn = sample(Random::of(23, index));
            let f = morphism(&drawn.program.to_string(), None);
            let lifted = Partial(Line, Line).constant(&Analytic::whole(1), &f);
            assert!(!Partial(Line, Line).is_plot(&lifted, &trial).unwrap().is_refuted(), "{}", drawn.program);
            for point in &drawn.points {
                let at = || format!("{point} in {}", drawn.program);
                match (f.at(&Line, &Line, &Graph::rational(point.clone()), &trial).unwrap(), drawn.program.at(point)) {
                    (Found::Value(found), Some(known)) => {
                        let same = Line.same(&found, &Graph::rational(known.value), &trial).unwrap();
                        assert!(!same.is_refuted(), "{}: {same}", at());
                        said += 1;
                    }
                    (Found::Nothing, None) => said += 1,
                    (Found::Unknown, _) => {}
                    (found, known) => panic!("{}: {found:?} {known:?}", at()),
                }
            }
        }
        assert!(said >= 80, "{said}");
    }
}
