//! The laws of the monad P where they are about measures: programs of several dimensions have one density with respect to Σ Hᵈ however
//! their draws are nested.
//!
//! The sides are different programs, of different paths; that their densities are right is tried in `change`, at closed forms.

use super::change::{IDENTITY, changed};
use smoothish::number::Enclosure;
use std::collections::BTreeMap;

/// Programs of type P Real.
const FIRST: [&str; 4] = [
    "return (1/2)",
    "sample (uniformOn 0 1)",
    // an atom beside a segment
    "do { t <- sample (uniformOn 0 1); if t < 1/3 then return (1/2) else return t }",
    "do { t <- sample (uniformOn (-1) 1); score (1 + t); return t }",
];
/// Functions Real -> P Real: the second has an atom beside what it is given, the third weighs, the last is a map.
const SECOND: [&str; 4] = [
    "\\y => return y",
    "\\y => do { u <- sample (bernoulli (1/4)); if u then return (1/2) else return y }",
    "\\y => do { score (1 + y^2); return y }",
    "\\y => return (1 - y)",
];
/// Functions Real -> P (Real * Real): a segment, a parabola, a square, and a choice between lines and a point.
const THIRD: [&str; 4] = [
    "\\z => return (z, z)",
    "\\z => return (z, z^2)",
    "\\z => do { v <- sample (uniformOn 0 1); return (z, v) }",
    "\\z => do { v <- sample (uniformOn 0 1); if v < 1/4 then return (z, 1/4) else if v < 1/2 then return (1/2, 1/2) else return (z, v) }",
];
/// Points at which the densities are compared: on the segment, the parabola and the lines, and on none.
const POINTS: [&str; 5] = ["(1/2, 1/2)", "(1/2, 1/4)", "(3/4, 3/4)", "(1/4, 3/4)", "(3/4, 2)"];

/// The densities of both at a point, by dimension; nothing where a side is refused, as where a weight is no number.
fn densities(left: &str, right: &str, at: &str) -> Option<[Vec<(usize, Enclosure)>; 2]> {
    let [left, right] = [left, right].map(|program| changed(program, IDENTITY, at).map(|found| found.densities));
    assert_eq!(left.is_ok(), right.is_ok(), "{left:?} and {right:?}");
    Some([left.ok()?, right.ok()?])
}

/// Whether they are one, as far as enclosures say.
fn are_one([left, right]: &[Vec<(usize, Enclosure)>; 2]) -> bool {
    let meet = |a: &Enclosure, b: &Enclosure| a.lo() <= b.hi() && b.lo() <= a.hi();
    left.len() == right.len() && left.iter().zip(right).all(|((d, a), (e, b))| d == e && meet(a, b))
}

/// How often each dimension has a density that is certainly positive.
#[derive(Default)]
struct Shares(BTreeMap<usize, u32>);

impl Shares {
    #[track_caller]
    fn agree(&mut self, left: &str, right: &str, at: &str) {
        let Some(both) = densities(left, right, at) else { return };
        assert!(are_one(&both), "{left}\n{right}\nat {at}: {both:?}");
        for (d, density) in &both[0] {
            *self.0.entry(*d).or_default() += u32::from(*density.lo() > 0);
        }
    }
}

/// return a >>= f is f a, and m >>= return is m.
#[test]
fn units() {
    let mut shares = Shares::default();
    for third in THIRD {
        for at in POINTS {
            shares.agree(&format!("Trace.bind (return (1/2)) ({third})"), &format!("({third}) (1/2)"), at);
            for first in FIRST {
                let m = format!("Trace.bind ({first}) ({third})");
                shares.agree(&format!("Trace.bind ({m}) return"), &m, at);
            }
        }
    }
    let found: Vec<_> = shares.0.into_iter().collect();
    assert!(
        matches!(found[..], [(0, atoms), (1, lines), (2, squares)] if atoms >= 10 && lines >= 15 && squares >= 4),
        "{found:?}"
    );
}

/// (m >>= f) >>= g is m >>= (λ x. f x >>= g).
#[test]
fn associativity() {
    let mut shares = Shares::default();
    for (first, second, third) in all() {
        for at in POINTS {
            let left = format!("Trace.bind (Trace.bind ({first}) ({second})) ({third})");
            let right = format!("Trace.bind ({first}) (\\x => Trace.bind (({second}) x) ({third}))");
            shares.agree(&left, &right, at);
        }
    }
    let found: Vec<_> = shares.0.into_iter().collect();
    assert!(
        matches!(found[..], [(0, atoms), (1, lines), (2, squares)] if atoms >= 40 && lines >= 60 && squares >= 15),
        "{found:?}"
    );
}

/// A unit that weighs is told from the right one wherever there is a density, and so is a program that forgets an atom.
#[test]
fn wrong_sides_differ() {
    let (mut tried, mut told) = (0, 0);
    for third in THIRD {
        for at in POINTS {
            for first in FIRST {
                let m = format!("Trace.bind ({first}) ({third})");
                let Some(both) = densities(&format!("Trace.bind ({m}) (\\x => do {{ score 2; return x }})"), &m, at)
                else {
                    continue;
                };
                if both[1].iter().any(|(_, density)| *density.lo() > 0) {
                    (tried, told) = (tried + 1, told + u32::from(!are_one(&both)));
                }
            }
        }
    }
    assert!(tried >= 20 && tried == told, "{told} of {tried}");
    let forgetful = "do { t <- sample (uniformOn 0 1); if t < 1/3 then return t else return t }";
    let [with, without] = [FIRST[2], forgetful].map(|first| format!("Trace.bind ({first}) ({})", THIRD[0]));
    assert!(!are_one(&densities(&with, &without, "(1/2, 1/2)").expect("densities")));
}

fn all() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FIRST.iter().flat_map(|a| SECOND.iter().flat_map(move |b| THIRD.iter().map(move |c| (*a, *b, *c))))
}
