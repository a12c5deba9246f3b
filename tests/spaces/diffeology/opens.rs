//! Opens and smooth maps between them: everything about boxes is decided, with a point as witness.

use crate::diffeology::support::{abs, q, rationals, x, xy};
use smoothish::diffeology::DiffeologyError;
use smoothish::diffeology::open::{OpenInterval, OpenSet, Reparametrisation};
use smoothish::diffeology::smoothness::default_smoothness_test;
use smoothish::number::Rational;
use smoothish::random::SplitMix64;
use smoothish::smooth::graph::Graph;

fn random_open(random: &mut SplitMix64, dimension: usize) -> OpenSet {
    let count = 1 + random.next_below(4);
    let mut end = || random.next_below(7) as i64 - 3;
    let side = |a: i64, b: i64| match (a, b) {
        (-3, _) => OpenInterval::ray_below(b),
        (_, 3) => OpenInterval::ray_above(a),
        _ => OpenInterval::from_endpoints(a, b),
    };
    let boxes = (0..count).map(|_| (0..dimension).map(|_| side(end(), end())).collect()).collect();
    OpenSet::new(dimension, boxes).unwrap()
}

/// The points of a grid that is finer than the ends, which are integers from -3 to 3.
fn grid(dimension: usize) -> Vec<Vec<Rational>> {
    (0..dimension).fold(vec![vec![]], |points, _| {
        points.iter().flat_map(|p| (-8..=8).map(move |k| [&p[..], &[q(k, 2)]].concat())).collect()
    })
}

#[test]
fn covers_and_intersections_are_those_of_a_grid() {
    let mut random = SplitMix64::new(3);
    let mut covered = 0;
    for _ in 0..200 {
        let dimension = 1 + random.next_below(2);
        let whole = random_open(&mut random, dimension);
        let cover: Vec<OpenSet> = (0..1 + random.next_below(3)).map(|_| random_open(&mut random, dimension)).collect();
        let left_out = |p: &Vec<Rational>| whole.contains(p) && !cover.iter().any(|u| u.contains(p));
        match whole.find_uncovered_point(&cover).unwrap() {
            Some(witness) => assert!(left_out(&witness), "{whole}: {witness:?}"),
            None => {
                covered += 1;
                assert!(!grid(dimension).iter().any(left_out), "{whole}");
            }
        }
        let both = whole.intersection(&cover[0]).unwrap();
        for p in grid(dimension) {
            assert_eq!(both.contains(&p), whole.contains(&p) && cover[0].contains(&p));
        }
    }
    assert!((20..180).contains(&covered), "{covered}");
}

#[test]
fn components_are_the_classes_of_overlapping_boxes() {
    let side = OpenInterval::from_endpoints;
    let row = OpenSet::new(1, vec![vec![side(0, 2)], vec![side(5, 6)], vec![side(1, 3)], vec![side(3, 4)]]).unwrap();
    let mut sizes: Vec<_> = row.connected_components().iter().map(|c| c.boxes().len()).collect();
    sizes.sort_unstable();
    // (0, 3); (3, 4), which 3 separates from it; (5, 6)
    assert_eq!(sizes, [1, 1, 2]);
    // the plane without a point is connected
    let line = OpenInterval::real_line;
    let punctured = OpenSet::new(
        2,
        vec![
            vec![OpenInterval::ray_below(0), line()],
            vec![OpenInterval::ray_above(0), line()],
            vec![line(), OpenInterval::ray_below(0)],
            vec![line(), OpenInterval::ray_above(0)],
        ],
    )
    .unwrap();
    assert_eq!(punctured.connected_components().len(), 1);
    assert_eq!(OpenSet::whole_space(2).find_uncovered_point(&[punctured]).unwrap(), Some(rationals(&[0, 0])));
    assert!(OpenSet::new(1, vec![vec![side(1, 1)]]).unwrap().is_empty());
    assert_eq!(OpenSet::whole_space(0).connected_components().len(), 1);
    assert!(OpenSet::whole_space(0).contains(&[]));
}

#[test]
fn samples_lie_inside_and_near_the_edges() {
    let mut random = SplitMix64::new(5);
    for _ in 0..100 {
        let open = random_open(&mut random, 2);
        for p in open.sample_points(&mut random, 9) {
            assert!(open.contains(&p), "{open}: {p:?}");
        }
    }
    let unit = OpenSet::from_box(vec![OpenInterval::from_endpoints(0, 1)]);
    let near = |p: &Vec<Rational>| p[0] < q(1, 100) || p[0] > q(99, 100);
    assert!(unit.sample_points(&mut random, 20).iter().any(near));
    assert_eq!(unit.sample_points(&mut random, 20).len(), 20);
}

#[test]
fn what_is_too_large_is_refused() {
    let one = || (0..40).map(|_| OpenInterval::from_endpoints(0, 1)).collect::<Vec<_>>();
    let many = OpenSet::new(40, vec![one()]).unwrap();
    assert!(matches!(many.find_uncovered_point(&[]), Err(DiffeologyError::TooManyCells { .. })));
    let boxes = vec![vec![OpenInterval::real_line()]; 5000];
    assert!(matches!(OpenSet::new(1, boxes), Err(DiffeologyError::TooManyBoxes { found: 5000, .. })));
    assert!(matches!(OpenSet::new(1, vec![vec![]]), Err(DiffeologyError::Dimension { expected: 1, found: 0, .. })));
}

#[test]
fn a_map_that_leaves_or_has_a_kink_is_refused() {
    let (line, positive) = (OpenSet::whole_space(1), OpenSet::from_box(vec![OpenInterval::ray_above(0)]));
    let leaves = Reparametrisation::new(&line, &positive, vec![x()], &default_smoothness_test());
    assert!(matches!(leaves, Err(DiffeologyError::LeavesCodomain { .. })), "{leaves:?}");
    let kink = Reparametrisation::new(&line, &line, vec![abs(&x())], &default_smoothness_test());
    assert!(matches!(kink, Err(DiffeologyError::NotSmooth { .. })), "{kink:?}");
    // where there is no kink, abs is smooth
    assert!(Reparametrisation::new(&positive, &positive, vec![abs(&x())], &default_smoothness_test()).is_ok());
    let (_, y) = xy();
    assert!(matches!(
        Reparametrisation::new(&line, &line, vec![y], &default_smoothness_test()),
        Err(DiffeologyError::Map(_))
    ));
    assert!(matches!(
        Reparametrisation::new(&line, &line, vec![Graph::integer(0); 2], &default_smoothness_test()),
        Err(DiffeologyError::Dimension { .. })
    ));
    assert!(Reparametrisation::inclusion(&positive, &line).is_ok());
    assert!(matches!(Reparametrisation::inclusion(&line, &positive), Err(DiffeologyError::NotCovered { .. })));
}
