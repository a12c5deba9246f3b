//! Linear forms `Σ aᵢ rᵢ + c` with rational coefficients, over opaque terms.
//!
//! They reveal kinks that test the sign of one number.
//!
//! # Common linear forms of kinks
//!
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

use super::reverse::CotangentContributions;
use crate::number::Rational;
use crate::smooth::fold::{FirstOrder, FoldLeaf, FoldSource, FoldStep, GraphNodes, GraphPlace};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::hash::Hash;

/// The largest number of nodes that are expanded per form. A choice: forms stay short, and the search is linear in the
/// program.
const MAX_EXPANDED_TERMS: u32 = 64;

/// `Σ aᵢ rᵢ + c`; the constant has the key `None`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LinearForm<P>(BTreeMap<Option<P>, Rational>);

impl<P: Clone + Ord + Hash> LinearForm<P> {
    /// Expands a sum of multiples of terms, by the steps that compute them.
    pub(super) fn from_multiples(
        source: &impl FoldSource<Place = P>,
        multiples: impl IntoIterator<Item = (P, i64)>,
    ) -> Self {
        let mut form = Self(BTreeMap::new());
        let mut left = MAX_EXPANDED_TERMS;
        for (place, factor) in multiples {
            form.expand_term(source, place, &factor.into(), &mut left);
        }
        form
    }

    fn expand_term(&mut self, source: &impl FoldSource<Place = P>, place: P, factor: &Rational, left: &mut u32) {
        *left = left.saturating_sub(1);
        let constant = |place: &P| match source.step_at(place) {
            FoldStep::Leaf(FoldLeaf::Rational(q)) => Some(q),
            _ => None,
        };
        match source.step_at(&place) {
            FoldStep::Leaf(FoldLeaf::Rational(q)) => return self.add_term(None, Rational::from(&*q * factor)),
            FoldStep::Apply(operation, operands) if *left > 0 => match (operation, &operands[..]) {
                (FirstOrder::Unary(Unary::Negate), [x]) => {
                    return self.expand_term(source, x.clone(), &Rational::from(-factor), left);
                }
                (FirstOrder::Binary(operation @ (Binary::Add | Binary::Subtract)), [x, y]) => {
                    self.expand_term(source, x.clone(), factor, left);
                    let factor = if operation == Binary::Add { factor.clone() } else { Rational::from(-factor) };
                    return self.expand_term(source, y.clone(), &factor, left);
                }
                // a product is expanded only by a constant factor
                (FirstOrder::Binary(Binary::Multiply), [x, y]) => {
                    for (x, y) in [(x, y), (y, x)] {
                        if let Some(q) = constant(x) {
                            return self.expand_term(source, y.clone(), &Rational::from(&*q * factor), left);
                        }
                    }
                }
                (FirstOrder::Binary(Binary::Divide), [x, y]) => {
                    if let Some(q) = constant(y).filter(|q| !q.is_zero()) {
                        return self.expand_term(source, x.clone(), &Rational::from(factor / &*q), left);
                    }
                }
                _ => {}
            },
            _ => {}
        }
        self.add_term(Some(place), factor.clone());
    }

    fn add_term(&mut self, place: Option<P>, multiple: Rational) {
        let sum = self.0.entry(place.clone()).or_default();
        *sum += multiple;
        if sum.is_zero() {
            self.0.remove(&place);
        }
    }

    /// Returns the terms with their coefficients; the constant has no term.
    pub(super) fn terms(&self) -> impl Iterator<Item = (Option<&P>, &Rational)> {
        self.0.iter().map(|(place, factor)| (place.as_ref(), factor))
    }

    /// Returns `true` if some term occurs in both forms.
    pub(super) fn shares_term(&self, other: &Self) -> bool {
        self.0.keys().any(|place| place.is_some() && other.0.contains_key(place))
    }

    /// Normalises the form to leading coefficient 1. Returns it with the factor by which the old one is its multiple.
    ///
    /// # Errors
    /// The constant, for a form without terms.
    pub(super) fn into_normal_form(mut self) -> Result<(Self, Rational), Rational> {
        let leading = self.0.iter().find_map(|(place, factor)| place.is_some().then(|| factor.clone()));
        let leading = leading.ok_or_else(|| self.0.remove(&None).unwrap_or_default())?;
        self.0.values_mut().for_each(|factor| *factor /= &leading);
        Ok((self, leading))
    }
}

/// A kink as `factor·k` plus or minus a base; without k, it equals the base or its negative.
pub(crate) struct AffineKink {
    base: Graph,
    is_negative: bool,
    kink: Option<(Graph, Rational)>,
}

impl AffineKink {
    pub(crate) fn linear_parts(&self) -> impl Iterator<Item = &Graph> {
        [&self.base].into_iter().chain(self.kink.as_ref().map(|(k, _)| k))
    }

    /// Returns the cotangents that a node with the cotangent w passes on.
    pub(crate) fn pull_back(&self, w: &Graph) -> CotangentContributions {
        let base = if self.is_negative { -w } else { w.clone() };
        let kink = self.kink.iter().map(|(k, factor)| (k.clone(), w * Graph::rational(factor.clone())));
        [(self.base.clone(), base)].into_iter().chain(kink).collect()
    }
}

/// Returns the kinks that share their test, or whose operands are entangled, by their addresses.
pub(crate) fn shared_kinks(kinks: &[Graph]) -> FxHashMap<usize, AffineKink> {
    let (mut looking, mut found) = (Vec::new(), FxHashMap::default());
    for kink in kinks {
        let Some((x, y)) = tested_difference(kink) else { continue };
        let multiples = [(GraphPlace(x.clone()), 1)].into_iter().chain(y.map(|y| (GraphPlace(y.clone()), -1)));
        match LinearForm::from_multiples(&GraphNodes, multiples).into_normal_form() {
            Ok((form, factor)) => looking.push((form, factor, kink)),
            // the sign that is tested is constant, so the kink is one of its sides
            Err(constant) => found.extend(affine_kink(kink, None, constant)),
        }
    }
    // equal forms become neighbours
    looking.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    for group in looking.chunk_by(|(one, ..), (other, ..)| one == other) {
        let (form, _, first) = &group[0];
        if group.len() > 1 || is_entangled(first) {
            let k = form.to_graph().max(&Graph::integer(0));
            found.extend(group.iter().filter_map(|(_, factor, kink)| affine_kink(kink, Some(&k), factor.clone())));
        }
    }
    found
}

/// Returns `true` if a node is a kink.
pub(crate) fn is_kink(node: &Graph) -> bool {
    tested_difference(node).is_some()
}

/// Returns the number whose sign a kink tests, as multiples of its operands: x - y of max and min, x of abs.
fn tested_difference(kink: &Graph) -> Option<(&Graph, Option<&Graph>)> {
    match kink.operation() {
        NodeOperation::Binary(Binary::Maximum | Binary::Minimum, x, y) if x.address() != y.address() => {
            Some((x, Some(y)))
        }
        NodeOperation::Unary(Unary::Abs, x) => Some((x, None)),
        _ => None,
    }
}

/// Returns `true` if both sides of a kink depend on one node linearly, so that their cotangents may cancel there.
fn is_entangled(kink: &Graph) -> bool {
    let form = |g: &Graph| LinearForm::from_multiples(&GraphNodes, [(GraphPlace(g.clone()), 1)]);
    matches!(tested_difference(kink), Some((x, Some(y))) if form(x).shares_term(&form(y)))
}

impl LinearForm<GraphPlace> {
    /// Writes the form as a sum.
    pub(super) fn to_graph(&self) -> Graph {
        let term = |(place, factor): (Option<&GraphPlace>, &Rational)| {
            let factor = Graph::rational(factor.clone());
            place.map_or(factor.clone(), |place| &place.0 * &factor)
        };
        self.terms().map(term).sum()
    }
}

/// Returns a kink as c·k plus a linear term, with its address. Without k: a kink that tests the sign of the constant c.
fn affine_kink(kink: &Graph, k: Option<&Graph>, c: Rational) -> Option<(usize, AffineKink)> {
    let is_positive = c > 0;
    let (base, is_negative, factor) = match kink.operation() {
        NodeOperation::Binary(Binary::Maximum, _, y) if is_positive => (y, false, c),
        NodeOperation::Binary(Binary::Maximum, x, _) => (x, false, -c),
        NodeOperation::Binary(Binary::Minimum, x, _) if is_positive => (x, false, -c),
        NodeOperation::Binary(Binary::Minimum, _, y) => (y, false, c),
        NodeOperation::Unary(_, x) => (x, is_positive, 2 * c.abs()),
        _ => return None,
    };
    Some((kink.address(), AffineKink { base: base.clone(), is_negative, kink: k.map(|k| (k.clone(), factor)) }))
}
