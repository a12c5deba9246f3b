//! Smooth maps: plots go to plots, or there is one that does not; Diff is Cartesian closed.

use crate::diffeology::support::{abs, add, mul, sign, x, xy};
use smoothish::diffeology::Diffeology;
use smoothish::diffeology::cartesian::Cartesian;
use smoothish::diffeology::lattice::{circle, irrational_torus};
use smoothish::diffeology::list::List;
use smoothish::diffeology::map::Smooth;
use smoothish::diffeology::reparametrisation::composed;
use smoothish::diffeology::smoothness::trial;
use smoothish::diffeology::sum::Sum;
use smoothish::diffeology::wire::Wire;
use smoothish::law::diffeology::suite;
use smoothish::number::{Function, Planar};
use smoothish::smooth::graph::{Binary, Graph, Unary};
use smoothish::smooth::map::Trial;
use smoothish::verdict::Verdict;

/// The function ℝᵐ → ℝ of a graph.
fn of_graph(graph: &Graph, dimension: usize) -> Smooth<Cartesian, Cartesian> {
    let (graph, line) = (graph.clone(), Cartesian::whole(1));
    Smooth::new(&Cartesian::whole(dimension), &line, move |p| {
        Ok(p.each(|graphs| composed(std::slice::from_ref(&graph), graphs).into()))
    })
}

/// The same function on the wire plane.
fn on_wires(graph: &Graph) -> Smooth<Wire, Cartesian> {
    let graph = graph.clone();
    Smooth::new(&Wire, &Cartesian::whole(1), move |p| {
        Ok(p.each(|through| composed(std::slice::from_ref(&graph), &through.composite()).into()))
    })
}

fn deep() -> Trial {
    Trial { samples: 12, ..trial() }
}

#[test]
fn smooth_functions_are_smooth_and_others_have_a_plot_that_says_so() {
    let tried = |g: &Graph| of_graph(g, 1).tried(&deep()).unwrap();
    let right = Graph::binary(Binary::Planar(Planar::Atan2), &x(), &Graph::integer(1));
    for smooth in [x(), mul(&x(), &x()), Graph::function(Function::Exp, &x()), right] {
        assert_eq!(tried(&smooth), Verdict::Survived);
    }
    // smooth, with a kink in its text: where a plot meets that only nearly, the side is not decided
    assert!(!tried(&mul(&abs(&x()), &abs(&x()))).is_refuted());
    let angle = Graph::binary(Binary::Planar(Planar::Atan2), &x(), &Graph::integer(-1));
    for broken in [abs(&x()), sign(&x()), angle, Graph::binary(Binary::Maximum, &x(), &Graph::integer(1))] {
        let f = of_graph(&broken, 1);
        let (found, verdict) = f.broken(&deep()).unwrap();
        assert!(verdict.is_refuted());
        // the plot is one, and its image is none
        let plot = found.unwrap().plot;
        assert_eq!(f.from().is_plot(&plot, &deep()).unwrap(), Verdict::Survived);
        assert!(f.to().is_plot(&f.after(&plot).unwrap(), &deep()).unwrap().is_refuted());
    }
    // √ has no derivative at 0, and no value left of it: not shown, and not refuted
    assert_eq!(tried(&Graph::function(Function::Sqrt, &x())), Verdict::Vacuous);
}

#[test]
fn the_identity_from_the_plane_to_the_wire_plane_is_not_smooth() {
    let plane = Cartesian::whole(2);
    let into = Smooth::new(&plane, &Wire, |p| {
        let both = xy();
        let graphs = p.pieces()[0].value.to_vec();
        Wire::through(p.domain(), &graphs, &[both.0, both.1])
    });
    let identity = Smooth::new(&plane, &plane, |p| Ok(p.clone()));
    assert!(into.tried(&deep()).unwrap().is_refuted());
    assert_eq!(identity.tried(&deep()).unwrap(), Verdict::Survived);
    let out = Smooth::new(&Wire, &plane, |p| Ok(p.each(|through| through.composite().into())));
    assert_eq!(out.tried(&deep()).unwrap(), Verdict::Survived);
}

// Boman 1967: smooth along curves is smooth. The kinks are seen along a curve, and nothing else is.
#[test]
fn the_wire_plane_has_the_smooth_functions_of_the_plane() {
    let (a, b) = xy();
    let table = [
        (mul(&a, &b), true),
        (Graph::function(Function::Sin, &add(&a, &mul(&b, &b))), true),
        (abs(&a), false),
        (mul(&a, &abs(&b)), false),
        (Graph::binary(Binary::Maximum, &a, &b), false),
        (Graph::unary(Unary::Signum, &add(&a, &b)), false),
    ];
    for (function, smooth) in table {
        let trial = Trial { samples: 16, ..trial() };
        let (plane, wires) =
            (of_graph(&function, 2).tried(&trial).unwrap(), on_wires(&function).tried(&trial).unwrap());
        assert_eq!(plane.is_refuted(), !smooth, "{:?}: {plane}", function.operation());
        assert_eq!(wires.is_refuted(), !smooth, "{:?}: {wires}", function.operation());
        assert!(!smooth || (plane == Verdict::Survived && wires == Verdict::Survived));
    }
}

#[test]
fn a_function_on_a_quotient_respects_the_relation() {
    // x ↦ sin x is smooth on ℝ and no function on ℝ/ℤ; sin 2πx is one, and none on the irrational torus
    let wave = |turns: Graph| {
        let circle = circle();
        Smooth::new(&circle, &Cartesian::whole(1), move |p| {
            let graph = Graph::function(Function::Sin, &mul(&turns, &x()));
            let pieces = p.pieces().iter().map(|piece| {
                (piece.region.clone(), piece.value.each(|g| composed(std::slice::from_ref(&graph), g).into()))
            });
            Ok(Cartesian::whole(1).piecewise(p.domain(), pieces.collect()))
        })
    };
    let turn = mul(&Graph::integer(2), &Graph::pi());
    assert_eq!(wave(turn.clone()).tried(&deep()).unwrap(), Verdict::Survived);
    assert!(wave(Graph::integer(1)).tried(&deep()).unwrap().is_refuted());
    let torus = irrational_torus();
    let on_torus = Smooth::new(&torus, &Cartesian::whole(1), move |p| {
        let graph = Graph::function(Function::Sin, &mul(&turn, &x()));
        let pieces = p.pieces().iter().map(|piece| {
            (piece.region.clone(), piece.value.each(|g| composed(std::slice::from_ref(&graph), g).into()))
        });
        Ok(Cartesian::whole(1).piecewise(p.domain(), pieces.collect()))
    });
    assert!(on_torus.tried(&deep()).unwrap().is_refuted());
}

// H20

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn diff_is_cartesian_closed_on_samples() {
        let (line, plane) = (Cartesian::whole(1), Cartesian::whole(2));
        let samples = suite::samples();
        assert_eq!(suite::closed(&line, &plane, &line, &samples).unwrap(), Verdict::Survived);
        assert_eq!(
            suite::closed(&line, &Sum(line.clone(), plane.clone()), &List(line.clone()), &samples).unwrap(),
            Verdict::Survived
        );
        assert_eq!(suite::closed(&circle(), &line, &Wire, &samples).unwrap(), Verdict::Survived);
    }
}
