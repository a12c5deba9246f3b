//! Jets of manifolds by atlases: the functor on samples, Lemma 7, tangents of spheres, and wrong changes of charts.

use crate::glue::lemma::holds;
use smoothish_laws::diffeology::manifold::{
    ChartPoint, Manifold, ProductManifold, SumManifold, antipodal_map, double_cover, restrict_to_sphere,
    sphere_inclusion, sphere_rotation,
};
use smoothish_laws::diffeology::map::SmoothMap;
use smoothish_laws::diffeology::open::OpenSet;
use smoothish_laws::diffeology::smoothness::{compare_points, default_smoothness_test};
use smoothish_laws::glue::GlueError;
use smoothish_laws::glue::jets::bundle::{functoriality, lemma_7};
use smoothish_laws::glue::jets::{ManifoldJet, faa_di_bruno_jets};
use smoothish_laws::law::diffeology;
use smoothish_laws::meaning::taylor::jet::Basis;
use smoothish_laws::number::Rational;
use smoothish_laws::random::SplitMix64;
use smoothish_laws::smooth::graph::{Binary, Graph, Unary};
use smoothish_laws::smooth::map::coordinate_graphs;
use smoothish_laws::verdict::Verdict;

fn basis(k: usize, r: usize) -> Basis {
    Basis::new(k, r).unwrap()
}

/// Jets by rational coordinates, each p/q.
fn numbers(jets: &[&[(i64, i64)]]) -> Vec<Vec<Graph>> {
    jets.iter().map(|jet| jet.iter().map(|&q| Graph::rational(Rational::from(q))).collect()).collect()
}

fn jet(manifold: &Manifold, chart: usize, jets: &[&[(i64, i64)]], basis: &Basis) -> ManifoldJet {
    ManifoldJet::from_coordinates(manifold, chart, &numbers(jets), basis).unwrap()
}

fn mul(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, a, b)
}

#[test]
fn jets_of_products_and_unions_of_manifolds_are_those_of_the_parts() {
    holds(&lemma_7(), 30);
}

/// y = 1/x: y′ = −x′/x², y″ = 2x′²/x³ − x″/x², at x = 2, x′ = 3, x″ = 5.
#[test]
fn jets_move_to_another_chart_by_the_taylor_representation_of_the_transition() {
    let (circle, second) = (Manifold::sphere(1).unwrap(), basis(1, 2));
    let here = jet(&circle, 0, &[&[(2, 1), (3, 1), (5, 1)]], &second);
    let there = jet(&circle, 1, &[&[(1, 2), (-3, 4), (1, 1)]], &second);
    assert_eq!(here.test_equal(&there, &second).unwrap(), Verdict::Survived);
    let moved = here.push_by_formula(&SmoothMap::identity(&circle), 0, 1, &second).unwrap();
    assert_eq!(moved.test_equal(&there, &second).unwrap(), Verdict::Survived);
    // the derivative of the transition alone moves tangents, and no jets of order 2: −x″/x² = −5/4
    let linear = jet(&circle, 1, &[&[(1, 2), (-3, 4), (-5, 4)]], &second);
    assert!(here.test_equal(&linear, &second).unwrap().is_refuted());
    assert_eq!(here.test_equal(&linear, &basis(1, 1)).unwrap(), Verdict::Survived);
    // unmoved coordinates are another jet already at order 1
    let unmoved = jet(&circle, 1, &[&[(1, 2), (3, 1)]], &basis(1, 1));
    assert!(here.test_equal(&unmoved, &basis(1, 1)).unwrap().is_refuted());
}

/// (1 + t)² − 1 and 2t are one tangent, and differ at order 2.
#[test]
fn a_jet_is_a_class_up_to_its_order_and_no_further() {
    let circle = Manifold::sphere(1).unwrap();
    let t = &coordinate_graphs(1)[0];
    let curve = |g: Graph| ManifoldJet::new(&circle, circle.plot_in_chart(&OpenSet::whole_space(1), 0, &[g]).unwrap());
    let line = mul(&Graph::integer(2), t);
    let (a, b) = (curve(line.clone()), curve(Graph::binary(Binary::Add, &line, &mul(t, t))));
    assert_eq!(a.test_equal(&b, &basis(1, 1)).unwrap(), Verdict::Survived);
    assert!(a.test_equal(&b, &basis(1, 2)).unwrap().is_refuted());
    let otherwise = a.equivalent_jet(&basis(1, 1)).unwrap();
    assert_eq!(otherwise.test_equal(&a, &basis(1, 1)).unwrap(), Verdict::Survived);
    assert!(otherwise.test_equal(&a, &basis(1, 2)).unwrap().is_refuted());
}

/// At x = 1/2 with x′ = 1: the point (4/5, 3/5), the tangent 2(1 − x²)/(1 + x²)² = 24/25 and −4x/(1 + x²)² = −32/25.
#[test]
fn a_tangent_of_the_circle_is_orthogonal_to_its_point() {
    let (circle, first) = (Manifold::sphere(1).unwrap(), basis(1, 1));
    let pushed = jet(&circle, 0, &[&[(1, 2), (1, 1)]], &first).push_forward(&sphere_inclusion(1).unwrap()).unwrap();
    let plane = Manifold::euclidean_space(2).unwrap();
    let expected = jet(&plane, 0, &[&[(4, 5), (24, 25)], &[(3, 5), (-32, 25)]], &first);
    assert_eq!(pushed.test_equal(&expected, &first).unwrap(), Verdict::Survived);
    let mut random = SplitMix64::new(1);
    for n in [1, 2, 1, 2] {
        let sphere = Manifold::sphere(n).unwrap();
        let (tangent, ..) = ManifoldJet::draw_in_chart(&sphere, &first, &mut random).unwrap();
        let found = tangent.push_forward(&sphere_inclusion(n).unwrap()).unwrap().coordinates(0, &first).unwrap();
        let inner = found.iter().fold(Graph::integer(0), |sum, x| Graph::binary(Binary::Add, &sum, &mul(&x[0], &x[1])));
        assert_eq!(
            compare_points(&[inner], &[Graph::integer(0)], &default_smoothness_test()).unwrap(),
            Verdict::Survived
        );
    }
    // a tangent that is not: its inner product with the point is 24/25 · 4/5 + 32/25 · 3/5
    let wrong = jet(&plane, 0, &[&[(4, 5), (24, 25)], &[(3, 5), (32, 25)]], &first);
    assert!(pushed.test_equal(&wrong, &first).unwrap().is_refuted());
}

/// The antipode of x in chart 0 is −x in chart 1; the square of the point at the angle 2 arctan x is 2x/(1 − x²), with
/// derivative 2(1 + x²)/(1 − x²)²: 4/3 and 40/9 at 1/2.
#[test]
fn maps_of_spheres_act_as_in_closed_form() {
    let (sphere, second) = (Manifold::sphere(2).unwrap(), basis(1, 2));
    let here = jet(&sphere, 0, &[&[(1, 2), (3, 1), (1, 1)], &[(2, 1), (-1, 1), (4, 1)]], &second);
    let there = jet(&sphere, 1, &[&[(-1, 2), (-3, 1), (-1, 1)], &[(-2, 1), (1, 1), (-4, 1)]], &second);
    assert_eq!(
        here.push_forward(&antipodal_map(2).unwrap()).unwrap().test_equal(&there, &second).unwrap(),
        Verdict::Survived
    );
    assert!(here.push_forward(&sphere_rotation(2).unwrap()).unwrap().test_equal(&there, &second).unwrap().is_refuted());
    let (circle, first) = (Manifold::sphere(1).unwrap(), basis(1, 1));
    let doubled = jet(&circle, 0, &[&[(1, 2), (1, 1)]], &first).push_forward(&double_cover().unwrap()).unwrap();
    let expected = jet(&circle, 0, &[&[(4, 3), (40, 9)]], &first);
    assert_eq!(doubled.test_equal(&expected, &first).unwrap(), Verdict::Survived);
    // the cover is two to one: antipodes have one image, and so have their jets
    let opposite = jet(&circle, 0, &[&[(1, 2), (1, 1)]], &first).push_forward(&antipodal_map(1).unwrap()).unwrap();
    assert_eq!(
        opposite.push_forward(&double_cover().unwrap()).unwrap().test_equal(&doubled, &first).unwrap(),
        Verdict::Survived
    );
}

/// ∂²(xy)/∂t² with x = (2, 3, 5) and y = (7, 1, 4): 5·7 + 2·3·1 + 2·4 = 49.
#[test]
fn the_formula_gives_the_second_derivative_of_a_product() {
    let xy = coordinate_graphs(2);
    let found = faa_di_bruno_jets(
        &basis(1, 2),
        &[mul(&xy[0], &xy[1])],
        &numbers(&[&[(2, 1), (3, 1), (5, 1)], &[(7, 1), (1, 1), (4, 1)]]),
    )
    .unwrap();
    let expected = numbers(&[&[(14, 1), (23, 1), (49, 1)]]);
    assert_eq!(compare_points(&found[0], &expected[0], &default_smoothness_test()).unwrap(), Verdict::Survived);
}

#[test]
fn composite_manifolds_are_spaces_and_their_parts_are_kept_apart() {
    let (circle, sphere) = (Manifold::sphere(1).unwrap(), Manifold::sphere(2).unwrap());
    let (torus, union) = (ProductManifold::new(&circle, &circle).unwrap(), SumManifold::new(&circle, &sphere).unwrap());
    assert_eq!((torus.manifold().atlas().charts().len(), union.manifold().atlas().charts().len()), (4, 4));
    let axioms = diffeology::check_space(union.manifold(), &diffeology::default_samples()).unwrap();
    assert_eq!(axioms.verdict(), Verdict::Survived, "{axioms}");
    let first = basis(1, 1);
    let (a, b) = (jet(&circle, 0, &[&[(2, 1), (1, 1)]], &first), jet(&circle, 0, &[&[(3, 1), (1, 1)]], &first));
    let pair = |a: &ManifoldJet, b: &ManifoldJet| {
        ManifoldJet::new(torus.manifold(), torus.pair_plots(a.curve(), b.curve()).unwrap())
    };
    assert!(pair(&a, &b).test_equal(&pair(&b, &a), &first).unwrap().is_refuted());
    // (2, 3) is (1/2, 1/3) in the fourth chart, with velocities −1/4 and −1/9
    let other = jet(torus.manifold(), 3, &[&[(1, 2), (-1, 4)], &[(1, 3), (-1, 9)]], &first);
    assert_eq!(pair(&a, &b).test_equal(&other, &first).unwrap(), Verdict::Survived);
    let injected = a.push_forward(&union.injection(false)).unwrap();
    assert!(!union.split_summand(injected.curve()).unwrap().0);
    assert_eq!(injected.known_charts().unwrap(), [0, 1]);
}

/// 0 in chart 0 is the point that chart 1 lacks.
#[test]
fn a_jet_has_no_coordinates_in_a_chart_without_its_point() {
    let (circle, first) = (Manifold::sphere(1).unwrap(), basis(1, 1));
    let pole = jet(&circle, 0, &[&[(0, 1), (1, 1)]], &first);
    assert_eq!(pole.known_charts().unwrap(), [0]);
    match pole.coordinates(1, &first) {
        Err(error @ GlueError::Chart { chart: 1, .. }) => {
            assert!(error.to_string().contains("(0) in chart 0"), "{error}")
        }
        other => panic!("{other:?}"),
    }
    assert!(pole.test_equal(&jet(&circle, 1, &[&[(5, 1), (1, 1)]], &first), &first).unwrap().is_refuted());
    // a kink has no jet: nothing is said of its derivative
    let t = &coordinate_graphs(1)[0];
    let kink = ManifoldJet::new(
        &circle,
        circle.plot_in_chart(&OpenSet::whole_space(1), 0, &[Graph::unary(Unary::Abs, t)]).unwrap(),
    );
    assert!(kink.test_equal(&kink, &first).unwrap() != Verdict::Survived);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn jets_of_manifolds_are_a_functor() {
        holds(&functoriality(), 60);
    }

    #[test]
    fn maps_of_spheres_are_smooth_and_one_that_leaves_the_sphere_is_refuted() {
        let maps = [antipodal_map(1), sphere_rotation(1), double_cover(), antipodal_map(2), sphere_rotation(2)];
        for (index, map) in maps.into_iter().enumerate() {
            assert!(!map.unwrap().test_smoothness(&default_smoothness_test()).unwrap().is_refuted(), "{index}");
        }
        let twice: Vec<_> = coordinate_graphs(2).iter().map(|x| mul(&Graph::integer(2), x)).collect();
        assert!(
            restrict_to_sphere(1, &twice).unwrap().test_smoothness(&default_smoothness_test()).unwrap().is_refuted()
        );
        // the inclusion with the height of chart 0 in both charts
        let right = sphere_inclusion(1).unwrap();
        let wrong = SmoothMap::new(&right.domain().clone(), &right.codomain().clone(), move |p| {
            right.compose_plot(&p.map_pieces(|x| ChartPoint { chart: 0, coordinates: x.coordinates.clone() }))
        });
        let (circle, first) = (Manifold::sphere(1).unwrap(), basis(1, 1));
        let one = jet(&circle, 0, &[&[(2, 1), (1, 1)]], &first);
        let other = jet(&circle, 1, &[&[(1, 2), (-1, 4)]], &first);
        assert_eq!(one.test_equal(&other, &first).unwrap(), Verdict::Survived);
        assert!(
            one.push_forward(&wrong)
                .unwrap()
                .test_equal(&other.push_forward(&wrong).unwrap(), &first)
                .unwrap()
                .is_refuted()
        );
    }
}
