//! Opens and smooth maps between them: everything about boxes is decided, with a point as witness.

use crate::diffeology::support::{abs, q, rationals, x, xy};
use smoothish::diffeology::DiffeologyError;
use smoothish::diffeology::ball::{OpenBall, OpenPiece};
use smoothish::diffeology::open::{OpenInterval, OpenSet, Reparametrisation};
use smoothish::diffeology::smoothness::{Membership, default_smoothness_test, point_membership};
use smoothish::function::Function;
use smoothish::number::Rational;
use smoothish::random::SplitMix64;
use smoothish::smooth::graph::{Binary, Graph};

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
    let mut sizes: Vec<_> = row.connected_components().iter().map(|c| c.pieces().len()).collect();
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

/// A disc of the plane.
fn disc(centre: [i64; 2], squared_radius: (i64, i64)) -> OpenSet {
    OpenSet::from_ball(OpenBall::new(rationals(&centre), squared_radius))
}

fn half_plane(side: OpenInterval) -> OpenSet {
    OpenSet::from_box(vec![side, OpenInterval::real_line()])
}

/// A point is in the disc, outside, or not told: on the rim an enclosure decides nothing, and a rational point is outside.
#[test]
fn points_of_the_rim_are_outside_and_enclosures_of_them_not_told() {
    let unit = disc([0, 0], (1, 1));
    assert!(unit.contains(&[q(3, 5), q(79, 100)]) && !unit.contains(&[q(3, 5), q(4, 5)]));
    let trial = default_smoothness_test();
    let at = |p: Graph, q: Graph| point_membership(&[p, q], &unit, &trial).unwrap();
    let sine = |q: i64| Graph::function(Function::Sin, &Graph::integer(q));
    let cosine = |q: i64| Graph::function(Function::Cos, &Graph::integer(q));
    assert_eq!(at(Graph::rational(q(3, 5)), Graph::rational(q(4, 5))), Membership::Outside);
    assert_eq!(at(cosine(1), sine(1)), Membership::Unknown);
    assert_eq!(
        at(Graph::binary(Binary::Multiply, &cosine(1), &Graph::rational(q(9, 10))), sine(1)),
        Membership::Inside
    );
    assert_eq!(
        at(Graph::binary(Binary::Multiply, &cosine(1), &Graph::rational(q(11, 10))), sine(1)),
        Membership::Outside
    );
    // a square root of a rational number: √2/2 twice is on the rim, and not told either
    let half = Graph::function(Function::Sqrt, &Graph::rational(q(1, 2)));
    assert_eq!(at(half.clone(), half), Membership::Unknown);
    // a closed disc in place of the open one contains the point of the rim: the map below would be accepted
    let line = OpenSet::whole_space(1);
    let onto_rim =
        Reparametrisation::new(&line, &unit, vec![Graph::rational(q(3, 5)), Graph::rational(q(4, 5))], &trial);
    assert!(matches!(onto_rim, Err(DiffeologyError::LeavesCodomain { .. })), "{onto_rim:?}");
}

#[test]
fn covers_of_discs_are_decided() {
    let unit = disc([0, 0], (1, 1));
    let covers = |whole: &OpenSet, cover: &[OpenSet]| whole.find_uncovered_point(cover).unwrap();
    assert_eq!(covers(&unit, std::slice::from_ref(&unit)), None);
    // inner tangency: |c₁ − c₂| + r = R
    assert_eq!(covers(&disc([1, 0], (1, 1)), &[disc([0, 0], (4, 1))]), None);
    assert_eq!(covers(&unit, &[OpenSet::from_box(vec![OpenInterval::from_endpoints(-1, 1); 2])]), None);
    // the corners of the square lie on the rim of the larger disc, and are no points of the square
    let square = OpenSet::from_box(vec![OpenInterval::from_endpoints(-1, 1); 2]);
    assert_eq!(covers(&square, &[disc([0, 0], (2, 1))]), None);
    let witness = covers(&square, std::slice::from_ref(&unit)).unwrap();
    assert!(square.contains(&witness) && !unit.contains(&witness), "{witness:?}");
    // a sliver of width 1/100 is found, with a point of it
    let slightly = OpenSet::from_ball(OpenBall::new(rationals(&[0, 0]), (99, 100)));
    let witness = covers(&unit, std::slice::from_ref(&slightly)).unwrap();
    assert!(unit.contains(&witness) && !slightly.contains(&witness), "{witness:?}");
    // half discs leave out a diameter; with a strip they cover
    let halves = [OpenInterval::ray_below(0), OpenInterval::ray_above(0)]
        .map(|side| unit.intersection(&half_plane(side)).unwrap());
    assert_eq!(covers(&unit, &halves).map(|x| x[0].clone()), Some(Rational::new()));
    let strip = half_plane(OpenInterval::from_endpoints((-1, 8), (1, 8)));
    assert_eq!(covers(&unit, &[&halves[..], std::slice::from_ref(&strip)].concat()), None);
    // four discs round the middle of a smaller one
    let around = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(|centre| disc(centre, (2, 1)));
    assert_eq!(covers(&disc([0, 0], (2, 1)), &around), None);
    let witness = covers(&disc([0, 0], (4, 1)), &around).unwrap();
    assert!(!around.iter().any(|open| open.contains(&witness)));
    // two discs that touch in one point of the whole: that point is uncovered
    let touching = [disc([-1, 0], (1, 1)), disc([1, 0], (1, 1))];
    let segment = disc([0, 0], (1, 100));
    let witness = covers(&segment, &touching).unwrap();
    assert!(segment.contains(&witness) && !touching.iter().any(|open| open.contains(&witness)));
    assert!(unit.is_same_set(&unit.union(&halves[0]).unwrap()).unwrap());
}

/// Two discs whose rims cross on the rim of the whole cover it; subdivision does not end there, and says so.
#[test]
fn rims_that_touch_are_not_decided() {
    // (3/5, 4/5) is no point of the unit disc; x lies in the disc around c or in that around −c, by the sign of ⟨x, c⟩
    let ball = |sign: i64| OpenSet::from_ball(OpenBall::new(vec![q(4 * sign, 5), q(-3 * sign, 5)], 2));
    let error = disc([0, 0], (1, 1)).find_uncovered_point(&[ball(1), ball(-1)]).unwrap_err();
    assert!(matches!(error, DiffeologyError::NotDecided { .. }), "{error}");
    assert!(error.to_string().starts_with("subdivision does not decide whether the family covers"), "{error}");
    // an inclusion of the whole in the larger disc is decided
    assert!(Reparametrisation::inclusion(&disc([0, 0], (1, 1)), &disc([0, 0], (2, 1))).is_ok());
}

#[test]
fn balls_meet_by_inequalities() {
    // d < r + R, exactly: √2 + √2 and 2√2
    let (a, b) = (disc([0, 0], (2, 1)), disc([2, 2], (2, 1)));
    assert!(a.intersection(&b).unwrap().is_empty());
    assert!(!a.intersection(&disc([2, 2], (21, 10))).unwrap().is_empty());
    assert!(disc([0, 0], (1, 1)).intersection(&half_plane(OpenInterval::ray_above(1))).unwrap().is_empty());
    assert!(!disc([0, 0], (2, 1)).intersection(&half_plane(OpenInterval::ray_above((7, 5)))).unwrap().is_empty());
    assert!(OpenSet::from_ball(OpenBall::new(rationals(&[0]), 0)).is_empty());
    assert_eq!(disc([0, 0], (1, 1)).union(&disc([3, 0], (1, 1))).unwrap().connected_components().len(), 2);
    assert_eq!(disc([0, 0], (1, 1)).union(&disc([1, 0], (1, 1))).unwrap().connected_components().len(), 1);
    // a cylinder: a disc times an interval
    let cylinder = disc([0, 0], (1, 1)).product(&OpenSet::from_box(vec![OpenInterval::from_endpoints(0, 1)])).unwrap();
    assert!(cylinder.contains(&[q(1, 2), q(1, 2), q(1, 2)]) && !cylinder.contains(&[q(1, 2), q(1, 2), q(1, 1)]));
    let twice = disc([0, 0], (1, 1)).product(&disc([0, 0], (1, 4))).unwrap();
    assert_eq!(twice.to_string(), "{|x - (0, 0)|² < 1} ∩ {|(x_3, …, x_4) - (0, 0)|² < 1/4}");
    assert!(twice.contains(&rationals(&[0; 4])) && !twice.contains(&[q(0, 1), q(0, 1), q(1, 2), q(0, 1)]));
    let many = vec![OpenBall::new(rationals(&[0]), 1); 40];
    let piece = OpenPiece { sides: vec![OpenInterval::real_line()], balls: many };
    assert!(matches!(OpenSet::from_pieces(1, vec![piece]), Err(DiffeologyError::TooManyBalls { found: 40, .. })));
    let flat = OpenPiece { sides: vec![OpenInterval::real_line()], balls: vec![OpenBall::new(rationals(&[0, 0]), 1)] };
    assert!(matches!(
        OpenSet::from_pieces(1, vec![flat]),
        Err(DiffeologyError::Dimension { expected: 1, found: 2, .. })
    ));
}

#[test]
fn samples_and_maps_of_discs_stay_inside_and_come_near_the_rim() {
    let mut random = SplitMix64::new(11);
    let unit = disc([0, 0], (1, 1));
    let lens = unit.intersection(&disc([1, 0], (1, 1))).unwrap();
    let half = unit.intersection(&half_plane(OpenInterval::ray_above((1, 2)))).unwrap();
    let solid = unit.product(&OpenSet::from_box(vec![OpenInterval::ray_above(0)])).unwrap();
    let near = |x: &Vec<Rational>| Rational::from(&x[0] * &x[0]) + Rational::from(&x[1] * &x[1]) > q(95, 100);
    assert!(unit.sample_points(&mut random, 20).iter().any(near));
    for open in [unit, lens, half, solid] {
        let points = open.sample_points(&mut random, 20);
        assert_eq!(points.len(), 20);
        for point in points {
            assert!(open.contains(&point), "{open}: {point:?}");
        }
        for _ in 0..10 {
            let plane = OpenSet::whole_space(2);
            let map = Reparametrisation::draw_map(&mut random, &plane, &open).unwrap();
            let tested = Reparametrisation::new(&plane, &open, map.graphs().to_vec(), &default_smoothness_test());
            assert!(tested.is_ok(), "{open}: {tested:?}");
        }
    }
}

/// Random covers by boxes and discs against a grid: a witness is one, and no point of the grid is left out of a cover.
#[test]
fn covers_with_discs_are_those_of_a_grid() {
    let mut random = SplitMix64::new(23);
    let (mut covered, mut undecided) = (0, 0);
    let random_disc = |random: &mut SplitMix64| {
        let centre = [random.next_below(3) as i64 - 1, random.next_below(3) as i64 - 1];
        disc(centre, (*random.pick(&[2, 3, 5, 7]), 1))
    };
    for _ in 0..60 {
        let whole = random_disc(&mut random);
        let cover: Vec<OpenSet> = (0..1 + random.next_below(3))
            .map(|_| if random.random_bool(70) { random_disc(&mut random) } else { random_open(&mut random, 2) })
            .collect();
        let left_out = |p: &Vec<Rational>| whole.contains(p) && !cover.iter().any(|u| u.contains(p));
        match whole.find_uncovered_point(&cover) {
            Ok(Some(witness)) => assert!(left_out(&witness), "{whole}: {witness:?}"),
            Ok(None) => {
                covered += 1;
                assert!(!grid(2).iter().any(left_out), "{whole}");
            }
            Err(DiffeologyError::NotDecided { .. }) => undecided += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!((8..52).contains(&covered) && undecided <= 3, "{covered} covers, {undecided} not decided");
}
