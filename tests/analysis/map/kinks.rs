//! Clarke derivatives of random piecewise linear maps: what is computed contains the slopes near by.

use super::support::{best, eps, q};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::smooth::map::{Map, coordinates};
use typenum::{U1, U2, U3};

/// A random map ℝ² ⇝ ℝ made of sums, multiples, max, min and abs, which has a kink at (0, 0) more often than not.
fn piecewise_linear(random: &mut SplitMix64) -> Map<U2, U1> {
    let mut known: Vec<Map<U2, U1>> = coordinates::<U2, 2>().into();
    for _ in 0..6 {
        let a = known[random.next_below(known.len())].clone();
        let b = known[random.next_below(known.len())].clone();
        known.push(match random.next_below(6) {
            0 => a.max(&b),
            1 => a.min(&b),
            2 => a.abs(),
            3 => a + b,
            4 => a - b,
            _ => a * (random.next_below(5) as i64 - 2),
        });
    }
    known.swap_remove(known.len() - 1)
}

/// The value at a rational point, exactly, by definition.
fn value(f: &Map<U2, U1>, x: &[Rational; 2]) -> Rational {
    let found = best(&f.at(x.clone())).remove(0);
    let value = found.lo().to_rational().expect("finite");
    assert!(found.contains(&value) && found.is_point(), "dyadic points have exact values");
    value
}

/// Slopes along v at points near (0, 0). There such a map is linear on each of finitely many cones, and Clarke's derivative
/// along v is the hull of its slopes: differences of values, exactly. The step is so short that few lie across a kink; a
/// quotient across one is a mean of slopes, and is in the hull.
fn slopes_near_by(random: &mut SplitMix64, f: &Map<U2, U1>, v: &[Rational; 2]) -> Vec<Rational> {
    let mut slope = |_| {
        let near = [q(random.next_below(129) as i64 - 64, 64), q(random.next_below(129) as i64 - 64, 64)];
        let step = q(1, 1 << 20);
        let moved = [0, 1].map(|i| &near[i] + Rational::from(&v[i] * &step));
        (value(f, &moved) - value(f, &near)) / &step
    };
    (0..12).map(&mut slope).collect()
}

#[test]
fn clarke_derivatives_contain_the_slopes_near_by() {
    let mut sets = 0;
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let f = piecewise_linear(&mut random);
        let v = [Rational::from(random.next_below(7) as i64 - 3), Rational::from(random.next_below(7) as i64 - 3)];
        let found = best(&f.derivative_along(v.clone()).at([q(0, 1), q(0, 1)])).remove(0);
        assert!(found.is_defined());
        sets += usize::from(!found.is_point());
        for slope in slopes_near_by(&mut random, &f, &v) {
            assert!(found.contains(&slope), "{f} along {v:?}: {found} lacks {slope}");
        }
    }
    assert!(sets > 10, "only {sets} kinks were met");
}

/// Kinks that all look at the sign of one number: Clarke's derivative is the hull of the slopes on its two sides, and just that is
/// computed (T1 to T3).
#[test]
fn kinks_that_change_sides_together() {
    let (mut numbers, mut sets) = (0, 0);
    for seed in 0..80 {
        let mut random = SplitMix64::new(seed);
        let mut small = || random.next_below(9) as i64 - 4;
        let g = Map::<U1, U1>::id() - Map::constant([q(3, 4)]);
        // slopes to the left and to the right of 3/4
        let mut f = g.clone() * small();
        let slope = best(&f.derivative().at([q(0, 1)])).remove(0).lo().to_rational().unwrap();
        let mut sides = [slope.clone(), slope];
        for kind in 0..4 {
            let (a, b, times) = (small(), small(), small());
            let (left, right) = (g.clone() * a, g.clone() * b);
            let (term, of_left, of_right) = match kind {
                0 => (left.max(&right), a.min(b), a.max(b)),
                1 => (left.min(&right), a.max(b), a.min(b)),
                2 => (left.abs(), -a.abs(), a.abs()),
                _ => (left.relu(), a.min(0), a.max(0)),
            };
            f = f + term * times;
            sides[0] += of_left * times;
            sides[1] += of_right * times;
        }
        if seed % 3 == 0 {
            // without a kink, though the parts have theirs
            let bend = Rational::from(&sides[0] - &sides[1]).numer().to_i64().unwrap();
            f = f + g.relu() * bend;
            sides[1] += bend;
        }
        sides.sort();
        let reverse = f.vjp().at_slice(&[q(3, 4), q(1, 1)]).unwrap();
        for found in [best(&f.derivative().at([q(3, 4)])), best(&reverse)] {
            let [lo, hi] = [found[0].lo(), found[0].hi()].map(|end| end.to_rational().unwrap());
            assert!([lo, hi] == sides, "{seed}: {}, not the hull of {sides:?}", found[0]);
        }
        numbers += usize::from(sides[0] == sides[1]);
        sets += usize::from(sides[0] != sides[1]);
    }
    assert!(numbers > 20 && sets > 40, "{numbers} numbers, {sets} sets");
}

/// By a sweep each component is the hull of the partial derivatives on both sides, also for more numbers than one, for kinks of
/// which each takes what the other does, inside of products, and beside kinks that are decided.
#[test]
fn kinks_that_change_sides_together_in_reverse() {
    let mut sets = 0;
    for seed in 300..340 {
        let mut random = SplitMix64::new(seed);
        let mut small = || random.next_below(9) as i64 - 4;
        let [x, y, z] = coordinates::<U3, 3>();
        // 2x + y - z
        let g = x.clone() * 3 - y.clone() + (y.clone() * 2 - z.clone() - x.clone());
        let gradient_of_g = [2, 1, -1];
        let mut f = x.clone() * y.clone();
        let mut sides = [[2, 1, 0]; 2];
        for kind in 0..4 {
            let (a, b, times) = (small(), small(), small());
            let (left, right) = (g.clone() * a + z.clone(), g.clone() * b + z.clone());
            // the slopes in g where it is negative, and where it is positive; the rest of the gradient
            let (term, slopes, rest) = match kind {
                0 => (left.max(&right), [a.min(b), a.max(b)], [0, 0, 1]),
                1 => (left.min(&right), [a.max(b), a.min(b)], [0, 0, 1]),
                2 => ((g.clone() * a).abs() * y.clone(), [-2 * a.abs(), 2 * a.abs()], [0, 0, 0]),
                _ => ((left - z.clone()).relu() + z.clone().max(&x), [a.min(0), a.max(0)], [0, 0, 1]),
            };
            f = f + term * times;
            for (side, slope) in sides.iter_mut().zip(slopes) {
                for i in 0..3 {
                    side[i] += times * (slope * gradient_of_g[i] + rest[i]);
                }
            }
        }
        let at = [1, 2, 4, 1].map(Rational::from);
        let found = best(&f.vjp().at_slice(&at).unwrap());
        for (i, found) in found.iter().enumerate() {
            let [lo, hi] = [found.lo(), found.hi()].map(|end| end.to_rational().unwrap());
            let true_ends = [sides[0][i].min(sides[1][i]), sides[0][i].max(sides[1][i])].map(Rational::from);
            assert!([lo, hi] == true_ends, "{seed}: {f}: {found}, not the hull of {true_ends:?}");
            sets += usize::from(!found.is_point());
        }
    }
    assert!(sets > 60, "{sets} sets");
}

/// S12: the product of the derivatives, as sets, contains the derivative of the composite; so does what is computed for the
/// composite. Either may be larger than Clarke's derivative, and than the other.
#[test]
fn the_chain_rule_is_an_inclusion() {
    let x = Map::<U1, U1>::id();
    let both = x.relu() + x.min(&Map::constant([q(0, 1)]));
    let slope = best(&both.derivative().at([q(0, 1)])).remove(0);
    // both look at the sign of x
    assert_eq!(slope.to_string(), "1");
    for seed in 100..140 {
        let mut random = SplitMix64::new(seed);
        let f = Map::<U2, U2>::tuple(&[piecewise_linear(&mut random), piecewise_linear(&mut random)]).unwrap();
        let g = piecewise_linear(&mut random);
        let v = [q(1, 1), q(-2, 1)];
        let origin = [q(0, 1), q(0, 1)];
        // the chain by hand: ∂g at f(0) applied to f′(0; v), each coordinate an interval
        let inner = best(&f.derivative_along(v.clone()).at(origin.clone()));
        let outer: Vec<_> = g.jacobian().iter().map(|c| best(&c.at(origin.clone())).remove(0)).collect();
        let both = f.then(&g);
        let composite = best(&both.derivative_along(v.clone()).at(origin)).remove(0);
        use smoothish::number::{Context, Mpfr};
        let c = Mpfr::new(100);
        let terms = inner.iter().zip(&outer).map(|(a, b)| c.mul(&c.round_enclosure(a), &c.round_enclosure(b)));
        let chain = terms.reduce(|a, b| c.add(&a, &b)).unwrap();
        let chain = c.to_enclosure(&chain);
        for slope in slopes_near_by(&mut random, &both, &v) {
            assert!(chain.contains(&slope) && composite.contains(&slope), "{f}, {g}: {chain}, {composite}, {slope}");
        }
    }
}

/// S13: the derivative of a pair is contained in the pair of the derivatives, which is all that a box can say.
#[test]
fn the_derivative_of_a_pair_is_a_pair_of_derivatives() {
    for seed in 200..220 {
        let mut random = SplitMix64::new(seed);
        let (f, g) = (piecewise_linear(&mut random), piecewise_linear(&mut random));
        let v = [q(2, 1), q(1, 1)];
        let origin = [q(0, 1), q(0, 1)];
        let pair = best(&f.pair(&g).along_direction(&v).unwrap().at(origin.clone()));
        let alone = [&f, &g].map(|h| best(&h.derivative_along(v.clone()).at(origin.clone())).remove(0));
        assert!(pair.iter().zip(&alone).all(|(a, b)| b.specializes(a)), "{pair:?} {alone:?}");
    }
}

/// y² + max(1, √x) is defined for x ≥ 0. At x = 0 there is a derivative along y, which leaves x alone, and none along x.
#[test]
fn a_partial_derivative_asks_for_the_inputs_that_it_moves() {
    let [x, y] = coordinates::<U2, 2>();
    let one = Map::constant([q(1, 1)]);
    let f = y.powi(2) + one.max(&x.sqrt());
    let at = [q(0, 1), q(3, 1)];
    let budget = Budget::unlimited();
    let rows = f.jacobian_at(&at, &eps(), &budget).unwrap();
    let [along_x, along_y] = [0, 1].map(|i| rows[0].components[i].enclosure.clone());
    assert!(!along_x.is_defined() && along_y.contains(&q(6, 1)) && along_y.is_point(), "{along_x} {along_y}");
    let rows = f.hessian_at(&at, &eps(), &budget).unwrap();
    let second = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| rows[i].components[j].enclosure.clone());
    let claimed = second.each_ref().map(|found| found.is_defined());
    assert!(claimed == [false, false, false, true] && second[3].contains(&q(2, 1)), "{second:?}");
    assert!(f.jacobian_at(&[q(1, 100), q(3, 1)], &eps(), &budget).unwrap()[0].components[0].enclosure.is_point());
    // the literal towers ask the same
    let tower = f.tower().unwrap();
    let slope = |v: [i64; 2]| tower.derivative_at(&at, &[v.map(Rational::from).to_vec()], 64).unwrap().remove(0);
    assert!(!slope([1, 0]).is_defined() && !slope([1, 1]).is_defined() && slope([0, 1]).contains(&q(6, 1)));
    let root_of_square = one.max(&x.powi(2).sqrt()).tower().unwrap();
    let slope = root_of_square.derivative_at(&at, &[[1, 0].map(Rational::from).to_vec()], 64).unwrap();
    assert!(slope[0].is_defined() && slope[0].contains(&q(0, 1)), "{}", slope[0]);
}
