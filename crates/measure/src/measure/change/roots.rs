//! All roots of a map of one variable on an interval, which may be unbounded or open.
//!
//! The interval is cut until each piece has a proof: the values exclude 0, or the map is strictly monotone. A monotone map has at
//! most one root, and the signs at the ends tell whether there is one. So poles and zeros of the slope need no exact place.
//! Denominators are cleared first, so that poles are no obstacle.
//!
//! At an end that is infinite, or outside of the domain, the sign is that of numbers near it. If all of them have the sign of
//! the limit, it is undecided whether the limit is a root.

use super::injective::course_in_interior;
use crate::function::Function;
use crate::measure::support::{EquationSystem, halve_box, simplest_fraction};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::function::decide_sign;
use crate::pieces::germ::{LeadingTerm, OneSidedGerms, OneSidedPoint};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use std::cmp::Ordering;

/// The greatest number of pieces of an interval. A choice.
const MAX_PIECES: usize = 4096;
/// The greatest number of roots. A choice.
const MAX_ROOTS: usize = 64;
/// The number of numbers that are tried near an end. A choice: each is twice as near as the one before.
const PROBES: u32 = 48;
/// The number of halvings of a bracket, after which a rational root is looked for. A choice.
const HALVINGS: u32 = 48;

/// Returns all roots of a map of `x` alone on an interval, as closed maps. Returns `None` if it is not certain that these are all.
#[must_use]
pub fn all_roots(map: &Graph, x: Variable, within: &Enclosure, budget: &Budget) -> Option<Vec<Graph>> {
    let [over, under] = clear_denominators(map, &|g| g.depends_on(x));
    // the numerator tells nothing of a limit 0 at infinity
    if under.as_rational().is_none() && !ends_have_other_limits(map, x, within, budget) {
        return None;
    }
    let system = EquationSystem::new(&[x], std::slice::from_ref(&over))?;
    let search = LineSearch { map: &over, x, system, budget };
    let (mut pieces, mut found, mut seen) = (vec![within.clone()], Vec::<Graph>::new(), 0);
    while let Some(piece) = pieces.pop() {
        seen += 1;
        if seen > MAX_PIECES || found.len() > MAX_ROOTS || budget.is_exhausted() {
            return None;
        }
        match search.examine(&piece)? {
            PieceRoots::All(root) => found.extend(root),
            PieceRoots::Unknown => pieces.extend(halve_box(&vec![piece])?.into_iter().flatten()),
        }
    }
    // a root at a cut belongs to the pieces on both sides
    let mut distinct: Vec<Graph> = Vec::new();
    for root in found {
        if !distinct.iter().any(|other| other.as_rational().is_some() && other.as_rational() == root.as_rational()) {
            distinct.push(root);
        }
    }
    // where the denominator is 0 as well, the quotient may have a limit
    let is_whole = |root: &Graph| {
        under.as_rational().is_some_and(|q| *q != 0)
            || matches!(
                decide_sign(&under.substitute(&[(x, root.clone())]), budget),
                Ok(Ordering::Less | Ordering::Greater)
            )
    };
    distinct.iter().all(is_whole).then_some(distinct)
}

/// Returns `true` if a map does not tend to 0 at those ends of an interval that are infinite.
fn ends_have_other_limits(map: &Graph, x: Variable, within: &Enclosure, budget: &Budget) -> bool {
    let t = Variable::fresh();
    let mut infinite = Vec::new();
    infinite.extend(within.lo().to_rational().is_none().then_some(Ordering::Less));
    infinite.extend(within.hi().to_rational().is_none().then_some(Ordering::Greater));
    infinite.into_iter().all(|direction| {
        let inverse = map.substitute(&[(x, 1 / Graph::variable(t))]);
        let side = OneSidedPoint { variable: t, at: Rational::new(), direction };
        let lead = OneSidedGerms::new(side, budget).leading_term(&inverse);
        matches!(lead, Ok(Some(LeadingTerm { exponent: Ordering::Less | Ordering::Equal, .. })))
    })
}

/// Writes a map as a quotient whose numerator has no denominators that `varies` accepts.
pub(super) fn clear_denominators(map: &Graph, varies: &dyn Fn(&Graph) -> bool) -> [Graph; 2] {
    let one = || Graph::integer(1);
    if !varies(map) {
        return [map.clone(), one()];
    }
    let inner = |a: &Graph| clear_denominators(a, varies);
    match map.operation() {
        NodeOperation::Unary(Unary::Negate, a) => {
            let [over, under] = inner(a);
            [-over, under]
        }
        NodeOperation::Unary(Unary::Function(Function::Tan), a) => {
            [Function::Sin, Function::Cos].map(|f| Graph::function(f, a))
        }
        NodeOperation::Binary(operation @ (Binary::Add | Binary::Subtract), a, b) => {
            let ([p, q], [r, s]) = (inner(a), inner(b));
            let (left, right) = (&p * &s, &r * &q);
            let sum = if *operation == Binary::Add { left + right } else { left - right };
            [sum, q * s]
        }
        NodeOperation::Binary(Binary::Multiply, a, b) => {
            let ([p, q], [r, s]) = (inner(a), inner(b));
            [p * r, q * s]
        }
        NodeOperation::Binary(Binary::Divide, a, b) => {
            let ([p, q], [r, s]) = (inner(a), inner(b));
            [p * s, q * r]
        }
        _ => [map.clone(), one()],
    }
}

/// The roots of a piece.
enum PieceRoots {
    /// This one, or none.
    All(Option<Graph>),
    /// Some number of roots.
    Unknown,
}

/// A search for roots of one map.
struct LineSearch<'a> {
    map: &'a Graph,
    x: Variable,
    system: EquationSystem,
    budget: &'a Budget,
}

impl LineSearch<'_> {
    /// Finds the roots of a piece on which the map has a sign or is monotone. Returns `None` if a limit at an end is undecided.
    fn examine(&self, piece: &Enclosure) -> Option<PieceRoots> {
        let Some([value, slope]) = self.system.enclose_on_interval(piece, self.budget) else {
            return Some(PieceRoots::Unknown);
        };
        if *value.lo() > 0 || *value.hi() < 0 {
            return Some(PieceRoots::All(None));
        }
        let by_range = match () {
            () if !value.is_defined() || !slope.is_defined() => None,
            () if *slope.lo() > 0 => Some(Ordering::Greater),
            () if *slope.hi() < 0 => Some(Ordering::Less),
            () => None,
        };
        // on a short piece where all is defined the range of the slope decides as soon as anything does
        let is_plain = value.is_defined() && slope.is_defined() && piece.is_bounded();
        let by_form = || {
            if is_plain { None } else { course_in_interior(self.map, self.x, &[(self.x, piece.clone())], self.budget) }
        };
        match by_range.or_else(by_form) {
            Some(course) => self.root_of_monotone(piece, course).map(PieceRoots::All),
            None => Some(PieceRoots::Unknown),
        }
    }

    /// Returns the sign of the map at a number, as that of an increasing map. Returns `None` if it is undecided or has no value.
    fn rising_sign(&self, at: &Rational, course: Ordering) -> Option<Ordering> {
        let sign = decide_sign(&self.map.substitute(&[(self.x, Graph::rational(at.clone()))]), self.budget).ok()?;
        Some(if course == Ordering::Less { sign.reverse() } else { sign })
    }

    /// Returns the root of a map that is strictly monotone on the interior of a piece. The outer `None` says that this is undecided.
    fn root_of_monotone(&self, piece: &Enclosure, course: Ordering) -> Option<Option<Graph>> {
        let ends = [piece.lo().to_rational(), piece.hi().to_rational()];
        let signs = ends.each_ref().map(|end| end.as_ref().and_then(|q| self.rising_sign(q, course)));
        for (end, sign) in ends.iter().zip(&signs) {
            if let (Some(end), Some(Ordering::Equal)) = (end, sign) {
                return Some(Some(Graph::rational(end.clone())));
            }
        }
        if signs[0] == Some(Ordering::Greater) || signs[1] == Some(Ordering::Less) {
            return Some(None);
        }
        // both signs are needed: with one, the other may be that of the limit
        let mut bracket = [None, None];
        for (side, wanted) in [Ordering::Less, Ordering::Greater].into_iter().enumerate() {
            bracket[side] = match signs[side] {
                Some(_) => ends[side].clone(),
                None => {
                    (0..PROBES).map(|k| probe(&ends, side, k)).find(|at| self.rising_sign(at, course) == Some(wanted))
                }
            };
        }
        let [Some(a), Some(b)] = bracket else { return None };
        Some(Some(self.root_between(a, b, course)))
    }

    /// Returns the root between numbers of opposite signs.
    fn root_between(&self, mut a: Rational, mut b: Rational, course: Ordering) -> Graph {
        for _ in 0..HALVINGS {
            let middle = Rational::from(&a + &b) / 2;
            match self.rising_sign(&middle, course) {
                Some(Ordering::Less) => a = middle,
                Some(Ordering::Greater) => b = middle,
                Some(Ordering::Equal) => return Graph::rational(middle),
                None => break,
            }
        }
        let simple = simplest_fraction(&a, &b).filter(|q| self.rising_sign(q, course) == Some(Ordering::Equal));
        if let Some(q) = simple {
            return Graph::rational(q);
        }
        // an irrational root stays a number that can be computed to any precision
        let s = Variable::fresh();
        let x = Graph::rational(a.clone()) + Graph::rational(b - a) * Graph::variable(s);
        let falling = if course == Ordering::Less { self.map.clone() } else { -self.map };
        let root = Graph::first_root(s, falling.substitute(&[(self.x, x.clone())]));
        x.substitute(&[(s, root)])
    }
}

/// Returns the k-th number on the way to an end of an interval, from inside.
fn probe(ends: &[Option<Rational>; 2], side: usize, k: u32) -> Rational {
    let reach = Rational::from(1) << k;
    let outward = |q: Rational| if side == 0 { -q } else { q };
    match (&ends[side], &ends[1 - side]) {
        (Some(end), Some(other)) => end + Rational::from(other - end) / (reach + 1),
        (Some(end), None) => end - outward(reach.recip()),
        (None, Some(other)) => other + outward(reach),
        (None, None) => outward(reach),
    }
}
