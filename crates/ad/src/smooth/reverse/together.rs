//! Common linear forms of kinks, so that their derivatives cancel.
//!
//! `max x 0 + min 0 x` is x, although both terms have the slopes `[0, 1]` at 0: both test the sign of x. Suppose that
//! several kinks of a map test the sign of one g, up to constant factors. With x - y = c·g, each is an affine function
//! of one kink k = max(g, 0):
//!
//! | node | c > 0 | c < 0 |
//! |---|---|---|
//! | max(x, y) | y + c·k | x - c·k |
//! | min(x, y) | x - c·k | y + c·k |
//! | abs x, with y = 0 | 2c·k - x | x - 2c·k |
//!
//! The sweep uses these forms, so the cotangents of k are added before they are multiplied by the slope of k, a set
//! where g is 0 (T1 to T3). So does a kink both of whose operands depend on one node: max(x, 2x - 1) is
//! 2x - 1 + max(1 - x, 0). A single kink with several uses needs no form: its cotangents are added anyway. Forward mode
//! takes both sides instead.

use super::Handed;
use super::rule::times;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use crate::smooth::linear::{Linear, Shape};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// A kink as `factor·k` plus or minus a base; without k, it equals the base or its negative.
pub(super) struct Affine {
    base: Graph,
    is_negative: bool,
    kink: Option<(Graph, Rational)>,
}

impl Affine {
    pub(super) fn parts(&self) -> impl Iterator<Item = &Graph> {
        [&self.base].into_iter().chain(self.kink.as_ref().map(|(k, _)| k))
    }

    /// Returns the cotangents that a node with the cotangent w passes on.
    pub(super) fn pull(&self, w: &Graph) -> Handed {
        let base = if self.is_negative { Graph::unary(Unary::Negate, w) } else { w.clone() };
        let kink = self.kink.iter().map(|(k, factor)| (k.clone(), times(w, &Graph::rational(factor.clone()))));
        [(self.base.clone(), base)].into_iter().chain(kink).collect()
    }
}

/// An opaque term of a linear form: a variable, or a node with its address.
#[derive(Clone, Copy)]
struct Place<'g>(&'g Graph);

impl Place<'_> {
    fn key(self) -> (Option<Variable>, usize) {
        match self.0.operation() {
            Operation::Variable(v) => (Some(*v), 0),
            _ => (None, self.0.address()),
        }
    }
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Place<'_> {}

impl PartialOrd for Place<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// Returns the kinks that share their test, or whose operands are entangled, by their addresses.
pub(super) fn shared(kinks: &[Graph]) -> FxHashMap<usize, Affine> {
    let (mut looking, mut found) = (Vec::new(), FxHashMap::default());
    for kink in kinks {
        let Some((x, y)) = difference(kink) else { continue };
        let multiples = [(Place(x), 1)].into_iter().chain(y.map(|y| (Place(y), -1)));
        match Linear::of(shape, multiples).normal() {
            Ok((form, factor)) => looking.push((form, factor, kink)),
            // the sign that is tested is constant, so the kink is one of its sides
            Err(constant) => found.extend(affine(kink, None, constant)),
        }
    }
    // equal forms become neighbours
    looking.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    for group in looking.chunk_by(|(one, ..), (other, ..)| one == other) {
        let (form, _, first) = &group[0];
        if group.len() > 1 || is_entangled(first) {
            let k = positive_part(form);
            found.extend(group.iter().filter_map(|(_, factor, kink)| affine(kink, Some(&k), factor.clone())));
        }
    }
    found
}

/// Returns `true` if a node is a kink.
pub(super) fn is_kink(node: &Graph) -> bool {
    difference(node).is_some()
}

/// Returns the number whose sign a kink tests, as multiples of its operands: x - y of max and min, x of abs.
fn difference(kink: &Graph) -> Option<(&Graph, Option<&Graph>)> {
    match kink.operation() {
        Operation::Binary(Binary::Maximum | Binary::Minimum, x, y) if x.address() != y.address() => Some((x, Some(y))),
        Operation::Unary(Unary::Abs, x) => Some((x, None)),
        _ => None,
    }
}

/// Returns the operation of a term, as far as sums and multiples go.
fn shape(at: Place<'_>) -> Shape<Place<'_>> {
    match at.0.operation() {
        Operation::Rational(q) => Shape::Constant(Rational::clone(q)),
        Operation::Unary(Unary::Negate, x) => Shape::Negate(Place(x)),
        Operation::Binary(Binary::Add, x, y) => Shape::Add(Place(x), Place(y)),
        Operation::Binary(Binary::Subtract, x, y) => Shape::Subtract(Place(x), Place(y)),
        Operation::Binary(Binary::Multiply, x, y) => Shape::Multiply(Place(x), Place(y)),
        Operation::Binary(Binary::Divide, x, y) => Shape::Divide(Place(x), Place(y)),
        _ => Shape::Other,
    }
}

/// Returns `true` if both sides of a kink depend on one node linearly, so that their cotangents may cancel there.
fn is_entangled(kink: &Graph) -> bool {
    let form = |g| Linear::of(shape, [(Place(g), 1)]);
    matches!(difference(kink), Some((x, Some(y))) if form(x).meets(&form(y)))
}

/// Writes `max(g, 0)` for a form g.
fn positive_part(form: &Linear<Place<'_>>) -> Graph {
    let term = |(place, factor): (Option<Place<'_>>, &Rational)| {
        let factor = Graph::rational(factor.clone());
        place.map_or(factor.clone(), |place| times(place.0, &factor))
    };
    let sum = form.terms().map(term).reduce(|a, b| Graph::binary(Binary::Add, &a, &b));
    let zero = Graph::integer(0);
    Graph::binary(Binary::Maximum, &sum.unwrap_or_else(|| zero.clone()), &zero)
}

/// Returns a kink as c·k plus a linear term, with its address. Without k: a kink that tests the sign of the constant c.
fn affine(kink: &Graph, k: Option<&Graph>, c: Rational) -> Option<(usize, Affine)> {
    let is_positive = c > 0;
    let (base, is_negative, factor) = match kink.operation() {
        Operation::Binary(Binary::Maximum, _, y) if is_positive => (y, false, c),
        Operation::Binary(Binary::Maximum, x, _) => (x, false, -c),
        Operation::Binary(Binary::Minimum, x, _) if is_positive => (x, false, -c),
        Operation::Binary(Binary::Minimum, _, y) => (y, false, c),
        Operation::Unary(_, x) => (x, is_positive, 2 * c.abs()),
        _ => return None,
    };
    Some((kink.address(), Affine { base: base.clone(), is_negative, kink: k.map(|k| (k.clone(), factor)) }))
}
