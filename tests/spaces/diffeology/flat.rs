//! Subspaces and quotients over c-analytic sets (W §3.2, second footnote), beside those over opens.

use super::omega::{guard, holds, plus, samples, side, x};
use smoothish::diffeology::analytic::{Analytic, CAnalytic, and};
use smoothish::diffeology::cartesian::Cartesian;
use smoothish::diffeology::lattice::{Integers, circle};
use smoothish::diffeology::omega::{Inside, Line, Pieces};
use smoothish::diffeology::open::{Interval, Open};
use smoothish::diffeology::piecewise::Piecewise;
use smoothish::diffeology::product::Product;
use smoothish::diffeology::quotient::{Quotient, Relation};
use smoothish::diffeology::real::exactly;
use smoothish::diffeology::region::Region;
use smoothish::diffeology::site::Site as _;
use smoothish::diffeology::smoothness::trial;
use smoothish::diffeology::subspace::{Subset, Subspace};
use smoothish::diffeology::{Diffeology, DiffeologyError};
use smoothish::law::diffeology::gluing;
use smoothish::number::Rational;
use smoothish::pieces::{Decided, Test};
use smoothish::random::Random;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::smooth::map::Trial;
use smoothish::smooth::map::untyped::coordinates;
use smoothish::verdict::Verdict;

/// x² + y² = 1 in the plane, with its rational curve.
fn unit_circle() -> Subspace<Product<Line, Line>, Inside> {
    let times = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
    let [a, b] = [0, 1].map(|i| coordinates(2)[i].clone());
    let equation = plus(&Graph::binary(Binary::Add, &times(&a, &a), &times(&b, &b)), -1);
    let t = x();
    let under = plus(&times(&t, &t), 1);
    let over = [Graph::binary(Binary::Subtract, &Graph::integer(1), &times(&t, &t)), times(&Graph::integer(2), &t)];
    let curve = over.map(|over| Graph::binary(Binary::Divide, &over, &under));
    let set = Analytic::new(2, vec![vec![guard(&equation, Test::Zero, true)]]);
    Inside::new(Product(Line, Line), set, vec![curve.into()], &trial()).unwrap()
}

/// [0, 1), with t²/(1 + t²)
fn half_open() -> Subspace<Line, Inside> {
    let square = Graph::binary(Binary::Multiply, &x(), &x());
    let curve = Graph::binary(Binary::Divide, &square, &plus(&square, 1));
    let set = Analytic::new(
        1,
        vec![vec![guard(&x(), Test::NonNegative, true), guard(&plus(&x(), -1), Test::NonNegative, false)]],
    );
    Inside::new(Line, set, vec![vec![curve]], &trial()).unwrap()
}

/// ℝ/ℤ over c-analytic sets.
fn classes() -> Quotient<Line, Integers> {
    Quotient { space: Line, relation: Integers }
}

/// What leaves a set is no plot of the subspace, at one point if need be, and no curve to draw from.
#[test]
fn what_leaves_a_subspace_is_refused() {
    let tried = |parts| {
        let plot = Pieces { domain: Analytic::whole(1), parts };
        Diffeology::<CAnalytic>::is_plot(&half_open(), &plot, &Trial { samples: 24, ..trial() }).unwrap()
    };
    let half = Graph::rational(Rational::from((1, 2)));
    assert_eq!(tried(vec![(Vec::new(), half.clone())]), Verdict::Survived);
    assert!(tried(vec![(Vec::new(), x())]).is_refuted());
    let one_at_0 = |value: i64| {
        tried(vec![(side(Test::Zero, true), Graph::integer(value)), (side(Test::Zero, false), half.clone())])
    };
    assert_eq!(one_at_0(0), Verdict::Survived);
    assert!(one_at_0(1).is_refuted());
    let set = Analytic::new(1, vec![vec![guard(&x(), Test::NonNegative, true)]]);
    let refused = Inside::new(Line, set.clone(), vec![vec![x()]], &trial()).unwrap_err();
    assert!(matches!(&refused, DiffeologyError::Shape { .. }), "{refused}");
    let refused = Inside::new(Line, set.clone(), vec![], &trial()).unwrap_err();
    assert!(matches!(&refused, DiffeologyError::Shape { .. }), "{refused}");
    let refused = Inside::new(Product(Line, Line), set, vec![vec![x(), x()]], &trial()).unwrap_err();
    assert!(matches!(&refused, DiffeologyError::Dimension { .. }), "{refused}");
}

/// x − ⌊x⌋ after a plot, where that is between -N and N.
fn fraction(plot: &Pieces<Graph>) -> Pieces<Graph> {
    const N: i64 = 40;
    let mut parts = Vec::new();
    for (answers, g) in &plot.parts {
        for n in -N..N {
            let from = plus(g, -n);
            let here = vec![guard(&from, Test::NonNegative, true), guard(&plus(g, -n - 1), Test::NonNegative, false)];
            parts.push((and(answers, &here), from));
        }
    }
    Pieces { domain: plot.domain.clone(), parts }
}

/// Over c-analytic sets ℝ/ℤ is [0, 1): the fractional part takes plots of the one to plots of the other, does not tell apart what is one, and
/// is inverse to the projection. Over opens it is not smooth, and ℝ/ℤ is a circle.
#[test]
fn a_circle_is_an_interval_over_c_analytic_sets() {
    let (interval, quotient, trial) = (half_open(), classes(), Trial { samples: 12, ..trial() });
    let line = Analytic::whole(1);
    let (mut said, mut moved) = (0, 0);
    for index in 0..30 {
        let mut random = Random::of(37, index);
        let plot = Diffeology::<CAnalytic>::draw_plot(&quotient, &line, &mut random);
        let other = quotient.relation.moved(&Line, &plot, &mut random);
        let images = [&plot, &other].map(fraction);
        for u in CAnalytic::samples(&line, &mut random, 6) {
            let at = |plot: &Pieces<Graph>| Line.at(plot, &exactly(&u), &trial).ok();
            let (Some(p), Some(q)) = (at(&images[0]), at(&images[1])) else { continue };
            // two lifts have one fractional part, in [0, 1), in the class of both
            assert_eq!(p.as_rational(), q.as_rational());
            assert_eq!(interval.subset.contains(&Line, &p, &trial).unwrap(), Verdict::Survived);
            let (x, y) = (at(&plot).unwrap(), at(&other).unwrap());
            assert_eq!(Diffeology::<CAnalytic>::same(&quotient, &x, &p, &trial).unwrap(), Verdict::Survived);
            moved += u32::from(x.as_rational() != y.as_rational());
            said += 1;
        }
        // and it is the identity of [0, 1)
        let inner = Diffeology::<CAnalytic>::draw_plot(&interval, &line, &mut random);
        for u in CAnalytic::samples(&line, &mut random, 3) {
            let (x, y) = (
                Line.at(&inner, &exactly(&u), &trial).unwrap(),
                Line.at(&fraction(&inner), &exactly(&u), &trial).unwrap(),
            );
            assert_eq!(x.as_rational(), y.as_rational());
        }
    }
    assert!(said >= 120 && moved >= 60, "{said}, {moved}");
    // its image of the identity is a plot of [0, 1), where it is made of enough pieces
    let near = Analytic::new(
        1,
        vec![vec![guard(&plus(&x(), 5), Test::Positive, true), guard(&plus(&x(), -5), Test::Positive, false)]],
    );
    let image = fraction(&Pieces::whole(&near, x()));
    assert_eq!(Diffeology::<CAnalytic>::is_plot(&interval, &image, &trial).unwrap(), Verdict::Survived);
    // the same pieces over opens jump
    let part = |sides| Region::within(&Open::cuboid(vec![sides]));
    let over_opens = Cartesian::whole(1).piecewise(
        &Open::whole(1),
        vec![
            (part(Interval::below(0)), Cartesian::whole(1).plot(&Open::whole(1), &[plus(&x(), 1)]).unwrap()),
            (part(Interval::above(-1)), Cartesian::whole(1).plot(&Open::whole(1), &[x()]).unwrap()),
        ],
    );
    assert!(Cartesian::whole(1).is_plot(&over_opens, &trial).unwrap().is_refuted());
    let lifted = circle();
    let classes = Piecewise::joined(
        &Open::whole(1),
        vec![
            (
                part(Interval::below(0)),
                lifted.projected(&Cartesian::whole(1).plot(&Open::whole(1), &[plus(&x(), 1)]).unwrap()),
            ),
            (part(Interval::above(-1)), lifted.projected(&Cartesian::whole(1).plot(&Open::whole(1), &[x()]).unwrap())),
        ],
    );
    assert_eq!(lifted.is_plot(&classes, &trial).unwrap(), Verdict::Survived);
}

/// Lifts that overlap and differ by integers are glued: they are one function to ℝ/ℤ, and none to ℝ.
#[test]
fn lifts_are_glued_up_to_the_relation() {
    let (whole, trial) = (Analytic::whole(1), Trial { samples: 24, ..trial() });
    let part = |side: Vec<Decided>, g: Graph| Pieces::whole(&Analytic::new(1, vec![side]), g);
    let family = [part(side(Test::NonNegative, true), x()), part(side(Test::Positive, false), plus(&x(), 3))];
    assert_eq!(gluing(&classes(), &whole, &family, &trial).unwrap(), Verdict::Survived);
    assert_eq!(gluing(&Line, &whole, &family, &trial).unwrap(), Verdict::Vacuous);
    let apart = [family[0].clone(), part(side(Test::Positive, false), Graph::rational(Rational::from((1, 2))))];
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
        holds("[0, 1) × ℝ/ℤ", &Product(half_open(), classes()), samples());
    }
}
