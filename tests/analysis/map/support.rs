//! Exact numbers, questions, and random maps.

use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational};
use smoothish::random::SplitMix64;
use smoothish::smooth::map::range::MapValue;
use smoothish::smooth::map::{Map, coordinates};
use typenum::{Const, ToUInt, U1};

pub fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

pub fn vector(components: &[i64]) -> Vec<Rational> {
    components.iter().map(|n| Rational::from(*n)).collect()
}

/// 10⁻¹²
pub fn eps() -> Rational {
    q(1, 1_000_000_000_000)
}

/// The components of a value to 10⁻¹².
#[track_caller]
pub fn ask(value: &MapValue) -> Vec<Enclosure> {
    let answers = value.enclose(&eps(), &Budget::unlimited()).unwrap();
    assert!(answers.all_reached(), "{answers:?}");
    answers.enclosures()
}

/// The components of a value, as narrow as they get, reached or not.
pub fn best(value: &MapValue) -> Vec<Enclosure> {
    value.enclose(&eps(), &Budget::unlimited()).unwrap().enclosures()
}

/// The numbers lie in the enclosures.
#[track_caller]
pub fn contain(found: &[Enclosure], expected: &[Rational]) {
    assert_eq!(found.len(), expected.len());
    for (e, q) in found.iter().zip(expected) {
        assert!(e.is_defined() && e.contains(q), "{e} does not contain {q}");
    }
}

/// The enclosures of two lists of numbers overlap.
#[track_caller]
pub fn overlap(left: &[Enclosure], right: &[Enclosure]) {
    assert_eq!(left.len(), right.len());
    for (l, r) in left.iter().zip(right) {
        assert!(l.overlaps(r), "{l} is not {r}");
    }
}

/// A random map to ℝ made of operations that are smooth everywhere, and with `kinks` of max, min and abs too. What was
/// made is used again.
pub fn random_map<N: smoothish::smooth::dimension::Dim, const K: usize>(
    random: &mut SplitMix64,
    kinks: bool,
) -> Map<N, U1>
where
    Const<K>: ToUInt<Output = N>,
{
    let mut known: Vec<Map<N, U1>> = coordinates::<N, K>().into();
    for _ in 0..5 {
        let a = known[random.next_below(known.len())].clone();
        let b = known[random.next_below(known.len())].clone();
        known.push(match random.next_below(if kinks { 12 } else { 9 }) {
            0 => a.sin(),
            1 => a.atan(),
            2 => (&a * &b) / 2,
            3 => a + b,
            4 => a - b * q(1, 3),
            5 => a.cos(),
            6 => a.powi(2) / 4,
            7 => (b / (a.powi(2) + 1)).tanh(),
            8 => (a / 4).sin().exp(),
            9 => a.max(&b),
            10 => a.abs(),
            _ => b.min(&a),
        });
    }
    known.swap_remove(known.len() - 1)
}
