//! Values and derivatives with a closed form.

use super::support::{ask, best, contain, eps, overlap, q, random_map, vector};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::number::real::Precision;
use smoothish::random::SplitMix64;
use smoothish::smooth::map::{Map, MapError, coordinates};
use typenum::{U1, U2, U3, U40, U70};

/// f(x, y, z) = x²y + z³ : ∇f = (2xy, x², 3z²), H = ((2y, 2x, 0), (2x, 0, 0), (0, 0, 6z)).
#[test]
fn the_derivatives_of_a_polynomial() {
    let [x, y, z] = coordinates::<U3, 3>();
    let f = x.powi(2) * &y + z.powi(3);
    let point = vector(&[2, 3, 5]);
    contain(&ask(&f.gradient().at_slice(&point).unwrap()), &vector(&[12, 4, 75]));
    let budget = Budget::unlimited();
    let rows = f.hessian_at(&point, &eps(), &budget).unwrap();
    let expected = [[6, 4, 0], [4, 0, 0], [0, 0, 30]];
    for (row, expected) in rows.iter().zip(expected) {
        contain(&row.enclosures(), &vector(&expected));
    }
    let jacobian = f.gradient().jacobian_at(&point, &eps(), &budget).unwrap();
    for (row, expected) in jacobian.iter().zip(expected) {
        contain(&row.enclosures(), &vector(&expected));
    }
    // H·v, with v = (1, 1, 1)
    let both = [point.clone(), vector(&[1, 1, 1])].concat();
    contain(&ask(&f.hessian().at_slice(&both).unwrap()), &vector(&[10, 4, 30]));
    for (i, column) in f.gradient().jacobian().iter().enumerate() {
        contain(&ask(&column.at_slice(&point).unwrap()), &vector(&[expected[0][i], expected[1][i], expected[2][i]]));
    }
}

/// f⁽ᵏ⁾ of 1/(1 - x) at 0 is k!; its Taylor coefficients at 1/2 along 1 are 2^{k+1}.
#[test]
fn the_derivatives_of_a_geometric_series() {
    let x = Map::<U1, U1>::id();
    let f = Map::constant([q(1, 1)]) / (Map::constant([q(1, 1)]) - &x);
    let mut factorial = Rational::from(1);
    for k in 1..=8u16 {
        factorial *= u32::from(k);
        contain(&ask(&f.nth_derivative(k).at([q(0, 1)])), std::slice::from_ref(&factorial));
    }
    let coefficients = f.taylor(5);
    let found = f.taylor_at(&[q(1, 2)], &[q(1, 1)], 5, &eps(), &Budget::unlimited()).unwrap();
    for (k, (map, at)) in coefficients.iter().zip(&found).enumerate() {
        let expected = [Rational::from(2i64 << k)];
        contain(&ask(&map.at_slice(&[q(1, 2), q(1, 1)]).unwrap()), &expected);
        contain(&at.enclosures(), &expected);
    }
    assert_eq!(found.len(), 6);
}

/// At a kink the first derivative is a set and the second is ⊥ (S9, S10); elsewhere nothing is lost.
#[test]
fn kinks_are_sets_and_then_nothing() {
    let x = Map::<U1, U1>::id();
    let relu = x.relu();
    let at = |f: &Map<U1, U1>, x: i64| best(&f.at([Rational::from(x)])).remove(0);
    assert_eq!(at(&relu.derivative(), 0).to_string(), "[0, 1]");
    assert_eq!(at(&x.abs().derivative(), 0).to_string(), "[-1, 1]");
    assert!(at(&relu.nth_derivative(2), 0).is_bottom());
    contain(&ask(&relu.nth_derivative(2).at([q(1, 1)])), &vector(&[0]));
    contain(&ask(&x.sin().derivative().at([q(0, 1)])), &vector(&[1]));
    // √|x| is not Lipschitz at 0
    assert!(at(&x.abs().sqrt().derivative(), 0).is_bottom());
    let [x, y] = coordinates::<U2, 2>();
    let diagonal = best(&x.max(&y).gradient().at([q(1, 1), q(1, 1)]));
    assert!(diagonal.iter().all(|e| e.to_string() == "[0, 1]"));
    // the angle of (x, y) turns by -y and x over the squared distance; on its ray it has no slope
    let turn = y.atan2(&x).gradient();
    contain(&ask(&turn.at([q(-3, 1), q(4, 1)])), &[q(-4, 25), q(-3, 25)]);
    assert!(best(&turn.at([q(-1, 1), q(0, 1)])).iter().all(|e| e.is_bottom()));
    // E42: what contains 0 times ⊥ is not 0
    let hidden = x.powi(2).sqrt().gradient();
    assert!(best(&hidden.at([q(0, 1), q(0, 1)]))[0].is_bottom());
    // a coordinate at an edge does not disturb the others
    contain(&ask(&(&y + x.sqrt()).jacobian()[1].at([q(0, 1), q(7, 1)])), &vector(&[1]));
}

/// S18 without towers: foldDer's section, the tangent functor on the square, and the derivative of a derivative.
#[test]
fn prime_and_its_pair() {
    let x = Map::<U1, U1>::id();
    let square = x.powi(2);
    contain(&ask(&square.prime().at_slice(&vector(&[3, 5])).unwrap()), &vector(&[30]));
    contain(&ask(&square.with_derivative().at_slice(&vector(&[3, 5])).unwrap()), &vector(&[9, 30]));
    // (x, v, dx, dv) ↦ 2·dx·v + 2x·dv, the term of dv included (S25)
    contain(&ask(&square.prime().prime().at_slice(&vector(&[3, 5, 7, 11])).unwrap()), &vector(&[70 + 66]));
}

/// c ↦ ∫₀¹ relu(x - c) dx is (1 - c)²/2 (S39); c ↦ the root of c - x³ is c^{1/3}, with third derivative 10/27·c^{-8/3};
/// max01 of c·x(1 - x) is c/4 at 1/2.
#[test]
fn second_order_primitives_have_their_closed_forms() {
    let [c, t] = [Map::<(U1, U1), U1>::first(), Map::second()];
    let ramp = (&t - &c).relu().integral01();
    contain(&ask(&ramp.at([q(3, 5)])), &[q(2, 25)]);
    contain(&ask(&ramp.derivative().at([q(3, 5)])), &[q(-2, 5)]);
    let root = (&c - t.powi(3)).cut_root();
    contain(&ask(&root.at([q(8, 1)])), &vector(&[2]));
    contain(&ask(&root.nth_derivative(3).at([q(8, 1)])), &[q(10, 27 * 256)]);
    let first = (&c - &t).first_root();
    contain(&ask(&first.at([q(1, 3)])), &[q(1, 3)]);
    let parabola = &c * &t * (Map::constant([q(1, 1)]) - &t);
    contain(&ask(&parabola.max01().at([q(3, 1)])), &[q(3, 4)]);
    contain(&ask(&parabola.max01().derivative().at([q(3, 1)])), &[q(1, 4)]);
    contain(&ask(&parabola.argmax01().at([q(3, 1)])), &[q(1, 2)]);
    contain(&ask(&parabola.min01().at([q(3, 1)])), &[q(0, 1)]);
    let bowl = (&t - &c).powi(2);
    contain(&ask(&bowl.argmin01().at([q(1, 3)])), &[q(1, 3)]);
}

/// The range over a box, the derivative over a box, doubles and exact points enclose one another.
#[test]
fn the_ways_to_evaluate_agree() {
    let [x, y] = coordinates::<U2, 2>();
    let f: Map<U2, U2> = Map::tuple(&[(&x * &y).sin(), x.max(&(&y * 2)) - &x * &x]).unwrap();
    let budget = Budget::unlimited();
    let ranges = [[q(0, 1), q(1, 2)], [q(-1, 4), q(1, 4)]];
    for tier in [Precision::Double, Precision::Mpfr(100)] {
        let range = f.range(ranges.clone(), tier, &budget).unwrap();
        let slopes = f.derivative_over(&ranges, tier, &budget).unwrap();
        for (i, j) in [(0, 0), (1, 3), (2, 4), (4, 1)] {
            let point = [q(i, 8), q(j - 2, 8)];
            let exact = ask(&f.at(point.clone()));
            assert!(exact.iter().zip(&range).all(|(e, r)| r.specializes(e)), "{exact:?} {range:?}");
            let doubles: [_; 2] = f.doubles([i as f64 / 8.0, (j - 2) as f64 / 8.0]).unwrap();
            for (interval, exact) in doubles.iter().zip(&exact) {
                assert!(interval.is_defined() && interval.hi() - interval.lo() < 1e-12);
                assert!(*interval.lo() <= exact.hi().to_f64() && exact.lo().to_f64() <= *interval.hi());
            }
            let rows = f.jacobian_at(&point, &eps(), &budget).unwrap();
            for (row, over) in rows.iter().zip(&slopes) {
                assert!(row.enclosures().iter().zip(over).all(|(e, s)| s.contains_enclosure(e)));
            }
            let along = f.derivative_doubles::<2, 2>([i as f64 / 8.0, (j - 2) as f64 / 8.0], [1.0, 0.0]).unwrap();
            let column: Vec<_> = rows.iter().map(|r| r.components[0].enclosure.clone()).collect();
            for (interval, exact) in along.iter().zip(&column) {
                assert!(*interval.lo() <= exact.hi().to_f64() && exact.lo().to_f64() <= *interval.hi());
            }
        }
    }
    // the mean value theorem narrows x - x² around its maximum
    let x = Map::<U1, U1>::id();
    let f = &x - &x * &x;
    let narrow = f.range([[q(1, 2) - q(1, 1000), q(1, 2) + q(1, 1000)]], Precision::Double, &budget).unwrap();
    assert!(narrow[0].contains(&q(1, 4)) && narrow[0].has_width_at_most(&q(1, 100_000)), "{}", narrow[0]);
    let undefined = x.log().range([[q(-1, 1), q(1, 1)]], Precision::Double, &budget).unwrap();
    assert!(undefined[0].is_bottom());
}

/// S29: the derivative over a box contains those at its points and over smaller boxes, of random maps with kinks; and at √(x²) and
/// cbrt x · cbrt x, where 0 · ⊥ taken for 0 would lose the slope (E42).
#[test]
fn derivatives_over_boxes_contain_those_at_points() {
    let budget = Budget::unlimited();
    let mut random = SplitMix64::new(29);
    let mut told = 0;
    for round in 0..40 {
        let f = random_map::<U2, 2>(&mut random, round % 2 == 0);
        let mut number = || q(random.next_below(17) as i64 - 8, 8);
        let corner = [number(), number()];
        let size = [q(1 + (round % 3), 4), q(1, 1 + (round % 4))];
        let ends = |part: Rational| {
            [0, 1].map(|i: usize| [corner[i].clone(), corner[i].clone() + part.clone() * size[i].clone()])
        };
        let over = |part| f.derivative_over(&ends(part), Precision::Double, &budget).unwrap().concat();
        let (wide, small) = (over(q(1, 1)), over(q(1, 2)));
        assert!(wide.iter().zip(&small).all(|(wide, small)| wide.contains_enclosure(small)), "{wide:?} {small:?}");
        for (i, j) in [(0, 0), (1, 3), (4, 2)] {
            let point = [(0, i), (1, j)]
                .map(|(axis, part): (usize, i64)| corner[axis].clone() + size[axis].clone() * q(part, 8));
            let rows = f.jacobian_at(&point, &eps(), &budget).unwrap();
            for (exact, small) in rows.iter().flat_map(|row| row.enclosures()).zip(&small) {
                told += u32::from(small.is_bounded());
                assert!(small.specializes(&exact) || small.contains_enclosure(&exact), "{small} {exact} at {point:?}");
            }
        }
    }
    assert!(told > 100, "{told}");
    let x = Map::<U1, U1>::id();
    for f in [(&x * &x).sqrt(), x.cbrt() * x.cbrt()] {
        let slope = &f.derivative_over(&[[q(-1, 1), q(1, 1)]], Precision::Double, &budget).unwrap()[0][0];
        assert!(slope.contains(&q(-1, 1)) && slope.contains(&q(1, 1)), "{slope}");
    }
    // cbrt x² has slopes without a bound
    let unbounded = (x.cbrt() * x.cbrt()).derivative_over(&[[q(0, 1), q(1, 1)]], Precision::Double, &budget).unwrap();
    assert!(!unbounded[0][0].is_bounded(), "{}", unbounded[0][0]);
}

#[test]
fn linear_maps_are_their_matrices() {
    let f: Map<U3, U2> = Map::matrix([[q(1, 1), q(0, 1), q(-1, 2)], [q(0, 1), q(0, 1), q(0, 1)]]);
    contain(&ask(&f.at([q(1, 1), q(9, 1), q(4, 1)])), &vector(&[-1, 0]));
    contain(&ask(&f.derivative_at(&vector(&[5, 5, 5]), &[vector(&[1, 9, 4])]).unwrap()), &vector(&[-1, 0]));
    let second = f.derivative_at(&vector(&[5, 5, 5]), &[vector(&[1, 9, 4]), vector(&[1, 1, 1])]).unwrap();
    contain(&ask(&second), &vector(&[0, 0]));
    use smoothish::smooth::tower::LinearMap;
    let same = Map::<U3, U2>::linear(
        &LinearMap::from_rows(3, &[vec![q(1, 1), q(0, 1), q(-1, 2)], vector(&[0, 0, 0])]).unwrap(),
    );
    overlap(&ask(&same.unwrap().at([q(1, 1), q(9, 1), q(4, 1)])), &ask(&f.at([q(1, 1), q(9, 1), q(4, 1)])));
    assert!(matches!(
        Map::<U2, U2>::linear(&LinearMap::zero(3, 2)),
        Err(MapError::Length { expected: 2, found: 3, .. })
    ));
}

/// What needs more monomials than a jet can have is refused at once; what just fits is not.
#[test]
fn more_directions_than_a_jet_holds_are_refused() {
    let x = Map::<U1, U1>::id();
    let along = |k: usize| x.exp().derivative_at(&[q(0, 1)], &vec![vector(&[1]); k]);
    contain(&ask(&along(11).unwrap()), &vector(&[1]));
    for k in [12, 13, 20, 64, 1000] {
        let Err(e @ MapError::Directions { most: 11, .. }) = along(k) else { panic!("{k}") };
        let starts = format!("{k} directions are too many: a jet has at most 2048 monomials");
        assert!(e.to_string().starts_with(&starts), "{e}");
    }
    let taylor = |order| x.taylor_at(&[q(1, 3)], &[q(1, 1)], order, &eps(), &Budget::unlimited());
    let highest = taylor(2047).unwrap();
    assert_eq!(highest.len(), 2048);
    contain(&highest[2047].enclosures(), &vector(&[0]));
    for order in [2048, u16::MAX] {
        assert!(matches!(taylor(order), Err(MapError::Order { most: 2047, .. })), "{order}");
    }
}

#[test]
fn what_does_not_fit_says_so() {
    let [x, y] = coordinates::<U2, 2>();
    let f = &x * &y;
    let message = |e: MapError| e.to_string();
    assert_eq!(message(f.at_slice(&vector(&[1])).unwrap_err()), "the point has 1 component, but 2 are needed here");
    assert!(f.derivative_at(&vector(&[1, 2]), &[vector(&[1])]).is_err());
    assert!(f.along_direction(&vector(&[1, 2, 3])).is_err());
    assert!(f.jacobian_at(&vector(&[1]), &eps(), &Budget::unlimited()).is_err());
    assert!(f.hessian_at(&vector(&[1]), &eps(), &Budget::unlimited()).is_err());
    assert!(f.doubles_slice(&[1.0]).is_err());
    assert!(matches!(f.doubles_slice(&[1.0, f64::INFINITY]), Err(MapError::NotFinite { index: 1, .. })));
    let direction = f.derivative_doubles_slice(&[1.0, 2.0], &[1.0, f64::NAN]).unwrap_err();
    let found = "coordinate 1 (counted from 0) of the direction is NaN, which is no real number";
    assert_eq!(message(direction), found);
    let rows = Map::<U2, U1>::linear(&smoothish::smooth::tower::LinearMap::zero(2, 0)).unwrap_err();
    assert_eq!(message(rows), "the matrix has 0 rows, but 1 is needed here");
    let reversed = f.range([[q(1, 1), q(0, 1)], [q(0, 1), q(0, 1)]], Precision::Double, &Budget::unlimited());
    assert_eq!(message(reversed.unwrap_err()), "coordinate 0 of the box is [1, 0], with its ends in the wrong order");
    let nothing = f.at([q(1, 1), q(1, 1)]).enclose(&q(0, 1), &Budget::unlimited());
    assert_eq!(message(nothing.unwrap_err()), "the tolerance is 0, but it must be greater than 0");
    assert!(matches!(Map::<U2, U1>::coordinate(2), Err(MapError::Coordinate { index: 2, dimension: 2 })));
    let huge = Rational::from(10_000_000);
    assert!(matches!(f.power(&huge), Err(MapError::Exponent { .. })));
    assert!(matches!(Map::<U2, U2>::tuple(&[x]), Err(MapError::Length { .. })));
    use smoothish::smooth::graph::{Graph, Variable};
    let v = Variable::fresh();
    let stray = Graph::variable(Variable::fresh());
    assert!(matches!(Map::<U1, U1>::of_graphs(&[v], &[stray]), Err(MapError::Unbound { .. })));
}

/// A map of sixty nodes that is a tree of 2⁶⁰ is evaluated, paired and composed in no time.
#[test]
fn what_is_shared_stays_shared() {
    let x = Map::<U1, U1>::id();
    let doubled = (0..60).fold(x.sin(), |f, _| &f + &f);
    let scaled = ask(&(doubled.pair(&doubled).then(&Map::first()) / Rational::from(1i64 << 60)).at([q(1, 1)]));
    overlap(&scaled, &ask(&x.sin().at([q(1, 1)])));
    let composed = (0..60).fold(x.clone(), |f, _| f.then(&((&x * &x) / 2 + &x / 2)));
    contain(&ask(&composed.at([q(1, 1)])), &vector(&[1]));
    contain(&ask(&(doubled.derivative() / Rational::from(1i64 << 60)).at([q(0, 1)])), &vector(&[1]));
}

/// Σ xᵢ·xᵢ₊₁ in forty variables: its Hessian has ones beside the diagonal, and its Jacobian in seventy is a sum of neighbours.
#[test]
fn large_derivatives_are_put_together_from_blocks() {
    let x = coordinates::<U40, 40>();
    let f = x.windows(2).map(|w| &w[0] * &w[1]).reduce(|a, b| a + b).unwrap();
    let point: Vec<_> = (0..40).map(|i| q(i, 3)).collect();
    let rows = f.hessian_at(&point, &eps(), &Budget::unlimited()).unwrap();
    for (i, row) in rows.iter().enumerate() {
        let expected: Vec<_> = (0..40).map(|j| Rational::from(i64::from(i.abs_diff(j) == 1))).collect();
        contain(&row.enclosures(), &expected);
    }
    let x = coordinates::<U70, 70>();
    let f = x.windows(2).map(|w| &w[0] * &w[1]).reduce(|a, b| a + b).unwrap();
    let point: Vec<_> = (0..70).map(|i| q(i, 1)).collect();
    let row = &f.jacobian_at(&point, &eps(), &Budget::unlimited()).unwrap()[0];
    let expected: Vec<_> = (0..70)
        .map(|i| {
            if i == 0 {
                q(1, 1)
            } else if i == 69 {
                q(68, 1)
            } else {
                q(2 * i, 1)
            }
        })
        .collect();
    contain(&row.enclosures(), &expected);
}
