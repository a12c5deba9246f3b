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

/// How often each dimension has a density that is certainly positive, how often there is none at the point, and how often both sides are refused.
#[derive(Default)]
struct Shares {
    positive: BTreeMap<usize, u32>,
    none: u32,
    refused: u32,
}

impl Shares {
    #[track_caller]
    fn agree(&mut self, left: &str, right: &str, at: &str) {
        let Some(both) = densities(left, right, at) else {
            self.refused += 1;
            return;
        };
        assert!(are_one(&both), "{left}\n{right}\nat {at}: {both:?}");
        self.none += u32::from(both[0].is_empty());
        for (d, density) in &both[0] {
            *self.positive.entry(*d).or_default() += u32::from(*density.lo() > 0);
        }
    }

    /// The least numbers of densities in the dimensions 0, 1 and 2, and the most points and pairs of programs of which nothing is said.
    #[track_caller]
    fn hold(&self, least: [u32; 3], none: u32, refused: u32) {
        let found: Vec<u32> = (0..3).map(|d| self.positive.get(&d).copied().unwrap_or(0)).collect();
        let Self { none: silent, refused: without, .. } = self;
        println!("{found:?}, none {silent}, refused {without}");
        assert!(found.iter().zip(least).all(|(found, least)| *found >= least), "{found:?}");
        assert!(*silent <= none && *without <= refused, "none {silent}, refused {without}");
    }
}

/// return a >>= f is f a, and m >>= return is m.
#[test]
fn units() {
    let mut shares = Shares::default();
    for (third, at) in THIRD.iter().flat_map(|third| POINTS.map(|at| (third, at))) {
        shares.agree(&format!("Trace.bind (return (1/2)) ({third})"), &format!("({third}) (1/2)"), at);
    }
    for (m, at) in bound() {
        shares.agree(&format!("Trace.bind ({m}) return"), &m, at);
    }
    shares.hold([14, 20, 15], 60, 0);
}

/// A unit that weighs is told from the right one wherever there is a density, and so is a program that forgets an atom.
#[test]
fn wrong_sides_differ() {
    let (mut tried, mut told) = (0, 0);
    for (m, at) in bound() {
        let weighed = format!("Trace.bind ({m}) (\\x => do {{ score 2; return x }})");
        let Some(sides) = densities(&weighed, &m, at) else { continue };
        if sides[1].iter().any(|(_, density)| *density.lo() > 0) {
            (tried, told) = (tried + 1, told + u32::from(!are_one(&sides)));
        }
    }
    assert!(tried >= 20 && tried == told, "{told} of {tried}");
    let forgetful = "do { t <- sample (uniformOn 0 1); if t < 1/3 then return t else return t }";
    let [with, without] = [FIRST[2], forgetful].map(|first| format!("Trace.bind ({first}) ({})", THIRD[0]));
    assert!(!are_one(&densities(&with, &without, "(1/2, 1/2)").expect("densities")));
}

/// A program, a function of its value, and a point.
fn both() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FIRST.into_iter().flat_map(|first| THIRD.into_iter().flat_map(move |third| POINTS.map(|at| (first, third, at))))
}

/// Programs of type P (Real * Real), and a point.
fn bound() -> impl Iterator<Item = (String, &'static str)> {
    both().map(|(first, third, at)| (format!("Trace.bind ({first}) ({third})"), at))
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// (m >>= f) >>= g is m >>= (λ x. f x >>= g).
    #[test]
    fn associativity() {
        let mut shares = Shares::default();
        for ((first, third, at), second) in both().flat_map(|each| SECOND.map(|second| (each, second))) {
            let left = format!("Trace.bind (Trace.bind ({first}) ({second})) ({third})");
            let right = format!("Trace.bind ({first}) (\\x => Trace.bind (({second}) x) ({third}))");
            shares.agree(&left, &right, at);
        }
        shares.hold([45, 75, 70], 175, 0);
    }
}
