//! Ranges and derivatives over random boxes, held against values and differences of values at random points of them.

use super::support::{eps, q, random_map};
use smoothish::number::budget::Budget;
use smoothish::number::real::Precision;
use smoothish::number::{Context, Enclosure, Mpfr, Rational};
use smoothish::random::SplitMix64;
use smoothish::smooth::map::Map;
use typenum::{U1, U2};

/// A random map, some of them with an edge of their domain in the middle of things, some with an integral or a maximum.
fn random(random: &mut SplitMix64, round: u64) -> Map<U2, U1> {
    let f = random_map::<U2, 2>(random, true);
    match round % 6 {
        0 => (f + 1).sqrt(),
        1 => (f + 2).log().abs(),
        2 => f.cbrt(),
        3 => &f / (f.abs() + q(1, 10)),
        4 => {
            let g = random_map::<U2, 2>(random, true).reshape::<(U1, U1), U1>().integral01();
            f.max(&f.sin()).then(&g)
        }
        _ => f,
    }
}

fn point_in(random: &mut SplitMix64, ranges: &[[Rational; 2]; 2]) -> [Rational; 2] {
    // the ends are looked at too
    ranges.clone().map(|[lo, hi]| Rational::from(&hi - &lo) * q(random.next_below(9) as i64, 8) + lo)
}

/// The value at a point, as narrow as moderate work makes it. Under an integral, a maximum of two functions that are equal
/// on an interval costs more the narrower it is wanted, without end.
fn value(f: &Map<U2, U1>, x: &[Rational; 2]) -> Enclosure {
    f.at(x.clone()).enclose(&eps(), &Budget::new(1_000_000, None, None)).unwrap().enclosures().remove(0)
}

/// f(x) ∈ f(X), and f(y) - f(x) ∈ ∂f(X)·(y - x), for all x and y in the box X.
#[test]
fn boxes_hold_the_values_and_the_slopes_at_their_points() {
    let c = Mpfr::new(120);
    let (mut values, mut slopes) = (0, 0);
    for seed in 0..100 {
        let mut r = SplitMix64::new(seed);
        let f = random(&mut r, seed);
        let size = r.pick(&[q(1, 1), q(1, 8), q(1, 64)]).clone();
        let mut corner = || q(r.next_below(17) as i64 - 8, 4);
        let ranges = [corner(), corner()].map(|lo| [lo.clone(), lo + &size]);
        let budget = Budget::new(5_000_000, None, None);
        for tier in [Precision::Double, Precision::Mpfr(90)] {
            let range = f.range(ranges.clone(), tier, &budget).unwrap().remove(0);
            let slope = f.derivative_over(&ranges, tier, &budget).unwrap().remove(0);
            if !range.is_defined() {
                continue;
            }
            for _ in 0..6 {
                let [x, y] = [point_in(&mut r, &ranges), point_in(&mut r, &ranges)];
                let [at_x, at_y] = [&x, &y].map(|p| value(&f, p));
                // what is defined on a box is defined at its points
                assert!(at_x.is_defined() && range.overlaps(&at_x), "{f} at {x:?}: {at_x} is not in {range}");
                values += 1;
                if slope.iter().all(Enclosure::is_defined) {
                    let rise = c.sub(&c.round_enclosure(&at_y), &c.round_enclosure(&at_x));
                    let term = |i: usize| {
                        c.mul(&c.round_enclosure(&slope[i]), &c.enclose_rational(&Rational::from(&y[i] - &x[i])))
                    };
                    let allowed = c.to_enclosure(&c.add(&term(0), &term(1)));
                    let rise = c.to_enclosure(&rise);
                    assert!(allowed.overlaps(&rise), "{f} from {x:?} to {y:?}: {rise} is not in {allowed}");
                    slopes += usize::from(!allowed.is_bottom());
                }
            }
        }
    }
    assert!(values > 300 && slopes > 250, "{values} values, {slopes} slopes");
}
