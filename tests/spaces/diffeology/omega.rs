//! ωPAP spaces (W §3.2): their axioms, their morphisms, and wrong ones.

use smoothish::diffeology::analytic::{Analytic, CAnalytic, PapMap, and};
use smoothish::diffeology::omega::{
    Chain, Either, Found, Lift, Lifted, Line, Morphism, Ordered, Pair, Partial, Pieces, Sequence, curry, evaluation,
};
use smoothish::diffeology::real::exactly;
use smoothish::diffeology::smoothness::trial;
use smoothish::diffeology::{Diffeology, DiffeologyError, Tried};
use smoothish::law::diffeology::order::{chains, ordered};
use smoothish::law::diffeology::{gluing, suite};
use smoothish::law::pap::generate::sample;
use smoothish::meaning::pap::replay::{MOST_STEPS, Unfolding};
use smoothish::meaning::pap::rules::Paper;
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
fn samples() -> suite::Samples {
    suite::Samples { drawn: 10, least: 5, trial: Trial { samples: 3, ..trial() }, ..suite::samples() }
}

#[track_caller]
fn holds<X: Ordered>(name: &str, space: &X, samples: suite::Samples) {
    let axioms = suite::space(space, &samples).unwrap();
    assert_eq!(axioms.verdict(), Verdict::Survived, "{name}: {axioms}");
    assert_eq!(ordered(space, &samples).unwrap(), Verdict::Survived, "{name}");
}

/// W13, W14: constants, reparametrisation, gluing over c-analytic partitions, and bounds of chains, for each space.
#[test]
fn axioms_of_every_space() {
    holds("ℝ", &Line, samples());
    holds("ℝ × ℝ", &Pair(Line, Line), samples());
    holds("ℝ⊥", &Lift(Line), samples());
    holds("ℝ + ℝ⊥", &Either(Line, Lift(Line)), samples());
    holds("lists of ℝ⊥", &Sequence(Lift(Line)), samples());
}

/// The same of spaces of functions.
#[test]
fn axioms_of_functions() {
    // each argument is a plot along a map
    let samples = suite::Samples { drawn: 4, least: 2, trial: Trial { samples: 2, ..trial() }, ..samples() };
    holds("ℝ ⇀ ℝ", &Partial(Line, Line), samples);
}

fn guard(graph: &Graph, test: Test, holds: bool) -> Decided {
    Decided { guard: Guard::new(graph, test, Site::NOWHERE), holds, is_condition: false }
}

fn x() -> Graph {
    coordinates(1).swap_remove(0)
}

fn plus(g: &Graph, n: i64) -> Graph {
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
    let side = |test, holds| vec![guard(&x(), test, holds)];
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
    let unfolding = Unfolding { rules: Arc::new(Paper), unfoldings, limit: 200, steps: MOST_STEPS, budget };
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
    let space = Partial(Pair(Line, Line), Line);
    let inner = Partial(Line, Line);
    let mut said = 0;
    for index in 0..20 {
        let mut random = Random::of(29, index);
        let f = space.draw_point(&mut random);
        let (z, a) = (Line.draw_point(&mut random), Line.draw_point(&mut random));
        let direct = f.at(&Pair(Line, Line), &Line, &(z.clone(), a.clone()), &trial).unwrap();
        let Found::Value(g) = curry(&Line, &f).at(&Line, &inner, &z, &trial).unwrap() else { panic!("Λf is total") };
        let pair = Pair(inner.clone(), Line);
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
