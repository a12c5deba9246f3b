//! Smooth maps: plots go to plots, or there is one that does not; Diff is Cartesian closed.

use crate::diffeology::support::{abs, add, mul, sign, x, xy};
use smoothish::diffeology::Diffeology;
use smoothish::diffeology::map::SmoothMap;
use smoothish::diffeology::open::compose_graphs;
use smoothish::diffeology::product::{CartesianDiffeology, ListDiffeology, SumDiffeology};
use smoothish::diffeology::quotient::{circle, irrational_torus};
use smoothish::diffeology::smoothness::default_smoothness_test;
use smoothish::diffeology::wire::WirePlane;
use smoothish::law::diffeology;
use smoothish::number::{Function, Planar};
use smoothish::smooth::graph::{Binary, Graph, Unary};
use smoothish::smooth::map::MapTestConfig;
use smoothish::verdict::Verdict;

/// The function ℝᵐ → ℝ of a graph.
fn of_graph(graph: &Graph, dimension: usize) -> SmoothMap<CartesianDiffeology, CartesianDiffeology> {
    let (graph, line) = (graph.clone(), CartesianDiffeology::whole_space(1));
    SmoothMap::new(&CartesianDiffeology::whole_space(dimension), &line, move |p| {
        Ok(p.map_pieces(|graphs| compose_graphs(std::slice::from_ref(&graph), graphs).into()))
    })
}

/// The same function on the wire plane.
fn on_wires(graph: &Graph) -> SmoothMap<WirePlane, CartesianDiffeology> {
    let graph = graph.clone();
    SmoothMap::new(&WirePlane, &CartesianDiffeology::whole_space(1), move |p| {
        Ok(p.map_pieces(|through| compose_graphs(std::slice::from_ref(&graph), &through.composite_graphs()).into()))
    })
}

fn deep() -> MapTestConfig {
    MapTestConfig { sample_points: 12, ..default_smoothness_test() }
}

#[test]
fn smooth_functions_are_smooth_and_others_have_a_plot_that_says_so() {
    let tried = |g: &Graph| of_graph(g, 1).test_smoothness(&deep()).unwrap();
    let right = Graph::binary(Binary::Planar(Planar::Atan2), &x(), &Graph::integer(1));
    for smooth in [x(), mul(&x(), &x()), Graph::function(Function::Exp, &x()), right] {
        assert_eq!(tried(&smooth), Verdict::Survived);
    }
    // smooth, with a kink in its text: where a plot meets that only nearly, the side is not decided
    assert!(!tried(&mul(&abs(&x()), &abs(&x()))).is_refuted());
    let angle = Graph::binary(Binary::Planar(Planar::Atan2), &x(), &Graph::integer(-1));
    for broken in [abs(&x()), sign(&x()), angle, Graph::binary(Binary::Maximum, &x(), &Graph::integer(1))] {
        let f = of_graph(&broken, 1);
        let (found, verdict) = f.find_counterexample(&deep()).unwrap();
        assert!(verdict.is_refuted());
        // the plot is one, and its image is none
        let plot = found.unwrap().plot;
        assert_eq!(f.domain().test_plot(&plot, &deep()).unwrap(), Verdict::Survived);
        assert!(f.codomain().test_plot(&f.compose_plot(&plot).unwrap(), &deep()).unwrap().is_refuted());
    }
    // √ has no derivative at 0, and no value left of it: not shown, and not refuted
    assert_eq!(tried(&Graph::function(Function::Sqrt, &x())), Verdict::Vacuous);
}

#[test]
fn the_identity_from_the_plane_to_the_wire_plane_is_not_smooth() {
    let plane = CartesianDiffeology::whole_space(2);
    let into = SmoothMap::new(&plane, &WirePlane, |p| {
        let both = xy();
        let graphs = p.pieces()[0].value.to_vec();
        WirePlane::plot_from_factors(p.domain(), &graphs, &[both.0, both.1])
    });
    let identity = SmoothMap::new(&plane, &plane, |p| Ok(p.clone()));
    assert!(into.test_smoothness(&deep()).unwrap().is_refuted());
    assert_eq!(identity.test_smoothness(&deep()).unwrap(), Verdict::Survived);
    let out = SmoothMap::new(&WirePlane, &plane, |p| Ok(p.map_pieces(|through| through.composite_graphs().into())));
    assert_eq!(out.test_smoothness(&deep()).unwrap(), Verdict::Survived);
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
        let trial = MapTestConfig { sample_points: 16, ..default_smoothness_test() };
        let (plane, wires) = (
            of_graph(&function, 2).test_smoothness(&trial).unwrap(),
            on_wires(&function).test_smoothness(&trial).unwrap(),
        );
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
        SmoothMap::new(&circle, &CartesianDiffeology::whole_space(1), move |p| {
            let graph = Graph::function(Function::Sin, &mul(&turns, &x()));
            let pieces = p.pieces().iter().map(|piece| {
                (
                    piece.region.clone(),
                    piece.value.map_pieces(|g| compose_graphs(std::slice::from_ref(&graph), g).into()),
                )
            });
            Ok(CartesianDiffeology::whole_space(1).glue_pieces(p.domain(), pieces.collect()))
        })
    };
    let turn = mul(&Graph::integer(2), &Graph::pi());
    assert_eq!(wave(turn.clone()).test_smoothness(&deep()).unwrap(), Verdict::Survived);
    assert!(wave(Graph::integer(1)).test_smoothness(&deep()).unwrap().is_refuted());
    let torus = irrational_torus();
    let on_torus = SmoothMap::new(&torus, &CartesianDiffeology::whole_space(1), move |p| {
        let graph = Graph::function(Function::Sin, &mul(&turn, &x()));
        let pieces = p.pieces().iter().map(|piece| {
            (piece.region.clone(), piece.value.map_pieces(|g| compose_graphs(std::slice::from_ref(&graph), g).into()))
        });
        Ok(CartesianDiffeology::whole_space(1).glue_pieces(p.domain(), pieces.collect()))
    });
    assert!(on_torus.test_smoothness(&deep()).unwrap().is_refuted());
}

// H20

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn diff_is_cartesian_closed_on_samples() {
        let (line, plane) = (CartesianDiffeology::whole_space(1), CartesianDiffeology::whole_space(2));
        let samples = diffeology::default_samples();
        assert_eq!(diffeology::check_closed(&line, &plane, &line, &samples).unwrap(), Verdict::Survived);
        assert_eq!(
            diffeology::check_closed(
                &line,
                &SumDiffeology(line.clone(), plane.clone()),
                &ListDiffeology(line.clone()),
                &samples
            )
            .unwrap(),
            Verdict::Survived
        );
        assert_eq!(diffeology::check_closed(&circle(), &line, &WirePlane, &samples).unwrap(), Verdict::Survived);
    }
}
