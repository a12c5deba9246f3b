//! Manifolds by atlases (H §6.3): the circle, the sphere, and atlases that are none.

use crate::diffeology::support::{abs, add, mul, q, x, xy};
use smoothish::diffeology::manifold::{Atlas, AtlasError, ChartPoint, Manifold, Transition};
use smoothish::diffeology::map::SmoothMap;
use smoothish::diffeology::open::{OpenInterval, OpenSet, compose_graphs};
use smoothish::diffeology::product::CartesianDiffeology;
use smoothish::diffeology::smoothness::default_smoothness_test;
use smoothish::diffeology::{Diffeology, DiffeologyError};
use smoothish::law::diffeology;
use smoothish::smooth::graph::{Binary, Graph, Unary};
use smoothish::verdict::Verdict;

fn div(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Divide, a, b)
}

#[test]
fn circle_and_sphere_are_spaces() {
    for n in [1, 2] {
        let sphere = Manifold::sphere(n).unwrap();
        let axioms = diffeology::check_space(&sphere, &diffeology::default_samples()).unwrap();
        assert_eq!(axioms.verdict(), Verdict::Survived, "{n}\n{axioms}");
    }
    assert!(matches!(Manifold::sphere(0), Err(AtlasError::Diffeology(DiffeologyError::Dimension { .. }))));
}

#[test]
fn points_are_compared_through_the_transition() {
    let circle = Manifold::sphere(1).unwrap();
    let at = |chart, p, d| ChartPoint { chart, coordinates: vec![Graph::rational(q(p, d))] };
    let same = |x: &ChartPoint, y: &ChartPoint| circle.compare_points(x, y, &default_smoothness_test()).unwrap();
    assert_eq!(same(&at(0, 2, 1), &at(1, 1, 2)), Verdict::Survived);
    assert!(same(&at(0, 2, 1), &at(1, 2, 1)).is_refuted());
    // the pole is in one chart only
    assert!(same(&at(0, 0, 1), &at(1, 5, 1)).is_refuted());
    assert!(matches!(circle.plot_in_chart(&OpenSet::whole_space(1), 2, &[x()]), Err(DiffeologyError::Shape { .. })));
}

#[test]
fn a_path_through_both_charts_is_a_plot_if_they_agree() {
    let circle = Manifold::sphere(1).unwrap();
    let part = |side: OpenInterval, chart, g: &Graph| {
        circle.plot_in_chart(&OpenSet::from_box(vec![side]), chart, std::slice::from_ref(g)).unwrap()
    };
    let (t, one) = (x(), Graph::integer(1));
    // t in chart 0 below 1, 1/t in chart 1 above 1/2: through the point at infinity and back
    let upper = || OpenInterval::ray_above((1, 2));
    let good = [part(OpenInterval::ray_below(1), 0, &t), part(upper(), 1, &div(&one, &t))];
    let glued = circle.glue(&OpenSet::whole_space(1), &good, &default_smoothness_test()).unwrap();
    assert_eq!(circle.test_plot(&glued, &default_smoothness_test()).unwrap(), Verdict::Survived);
    let bad = [part(OpenInterval::ray_below(1), 0, &t), part(upper(), 1, &t)];
    assert!(matches!(
        circle.glue(&OpenSet::whole_space(1), &bad, &default_smoothness_test()),
        Err(DiffeologyError::Incompatible { .. })
    ));
    let kink = circle.plot_in_chart(&OpenSet::whole_space(1), 0, &[abs(&t)]).unwrap();
    assert!(circle.test_plot(&kink, &default_smoothness_test()).unwrap().is_refuted());
}

/// The height over the equator, (1 − |x|²)/(1 + |x|²) in one chart and its negative in the other.
fn height(signed: bool) -> SmoothMap<Manifold, CartesianDiffeology> {
    let sphere = Manifold::sphere(2).unwrap();
    let (a, b) = xy();
    let norm = add(&mul(&a, &a), &mul(&b, &b));
    let one = Graph::integer(1);
    let height = div(&Graph::binary(Binary::Subtract, &one, &norm), &add(&one, &norm));
    SmoothMap::new(&sphere, &CartesianDiffeology::whole_space(1), move |p| {
        Ok(p.map_pieces(|p| {
            let value = if p.chart == 1 && signed { Graph::unary(Unary::Negate, &height) } else { height.clone() };
            compose_graphs(&[value], &p.coordinates).into()
        }))
    })
}

#[test]
fn the_height_of_the_sphere_is_smooth_and_well_defined_with_its_sign() {
    assert_eq!(height(true).test_smoothness(&default_smoothness_test()).unwrap(), Verdict::Survived);
    assert!(height(false).test_smoothness(&default_smoothness_test()).unwrap().is_refuted());
}

fn two_lines(there: &Graph, back: &Graph) -> Result<Atlas, AtlasError> {
    let line = OpenSet::whole_space(1);
    let transition = |from, to, g: &Graph| Transition { from, to, domain: line.clone(), graphs: vec![g.clone()] };
    Atlas::new(vec![line.clone(); 2], vec![transition(0, 1, there), transition(1, 0, back)], &default_smoothness_test())
}

#[test]
fn an_atlas_that_is_none_is_refused_with_the_transition_and_a_point() {
    let t = x();
    // 2t right of 0 and t left of it, with its inverse
    let kink = Graph::binary(Binary::Maximum, &t, &mul(&Graph::integer(2), &t));
    let back = Graph::binary(Binary::Minimum, &t, &div(&t, &Graph::integer(2)));
    match two_lines(&kink, &back) {
        Err(AtlasError::NotSmooth { from: 0, to: 1, witness, .. }) => {
            assert!(witness.starts_with("x = (0)"), "{witness}")
        }
        other => panic!("{other:?}"),
    }
    let shift = add(&t, &Graph::integer(1));
    assert!(matches!(two_lines(&shift, &t), Err(AtlasError::NotInverse { from: 0, to: 1, .. })));
    assert!(two_lines(&shift, &Graph::binary(Binary::Subtract, &t, &Graph::integer(1))).is_ok());
    let line = OpenSet::whole_space(1);
    let one_way = Transition { from: 0, to: 1, domain: line.clone(), graphs: vec![t.clone()] };
    let atlas = Atlas::new(vec![line.clone(); 2], vec![one_way.clone()], &default_smoothness_test());
    assert!(matches!(atlas, Err(AtlasError::MissingInverse { from: 0, to: 1 })));
    let atlas = Atlas::new(vec![line.clone(); 2], vec![one_way.clone(), one_way.clone()], &default_smoothness_test());
    assert!(matches!(atlas, Err(AtlasError::ExtraTransition { .. })));
    let atlas = Atlas::new(vec![line.clone()], vec![one_way], &default_smoothness_test());
    assert!(matches!(atlas, Err(AtlasError::ExtraTransition { .. })));
    assert!(matches!(Atlas::new(vec![], vec![], &default_smoothness_test()), Err(AtlasError::Empty { chart: 0 })));
}

#[test]
fn three_transitions_must_fit_together() {
    let line = OpenSet::whole_space(1);
    let t = x();
    let shift = |n: i64| add(&t, &Graph::integer(n));
    let transition = |from, to, n| Transition { from, to, domain: line.clone(), graphs: vec![shift(n)] };
    let atlas = |direct: i64| {
        let transitions = vec![
            transition(0, 1, 1),
            transition(1, 0, -1),
            transition(1, 2, 1),
            transition(2, 1, -1),
            transition(0, 2, direct),
            transition(2, 0, -direct),
        ];
        Atlas::new(vec![line.clone(); 3], transitions, &default_smoothness_test())
    };
    assert!(atlas(2).is_ok());
    assert!(matches!(atlas(3), Err(AtlasError::Cocycle { charts: [0, 1, 2], .. })));
}

#[test]
fn charts_of_different_dimensions_are_apart() {
    let manifold = Manifold::new(
        Atlas::new(vec![OpenSet::whole_space(1), OpenSet::whole_space(2)], vec![], &default_smoothness_test()).unwrap(),
    );
    let axioms = diffeology::check_space(&manifold, &diffeology::default_samples()).unwrap();
    assert_eq!(axioms.verdict(), Verdict::Survived, "{axioms}");
    let (one, two) = (
        ChartPoint { chart: 0, coordinates: vec![Graph::integer(0)] },
        ChartPoint { chart: 1, coordinates: vec![Graph::integer(0); 2] },
    );
    assert!(manifold.compare_points(&one, &two, &default_smoothness_test()).unwrap().is_refuted());
}
