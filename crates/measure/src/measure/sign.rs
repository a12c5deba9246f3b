//! Signs of maps on a path, by their form: sums and products of maps with known signs, such as `0.5 + x` after the
//! decision x > 0.
//!
//! The results hold for all draws of the path up to a set of probability 0: a draw is not at an end of its support.

use super::distribution::subtract;
use super::draws::{ExecutionPath, TraceCoordinate};
use super::majorant::max_abs_of;
use super::range::enclose_range;
use super::slope::partial_derivative;
use crate::function::Function;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude};
use crate::pieces::fraction::RationalNormalForm;
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::stack::with_stack;
use crate::value::SourceId;
use rustc_hash::FxHashMap;

/// The greatest number of nodes of a map whose parts are examined one by one. A choice.
const MAX_SIGN_NODES: usize = 400;

/// A lower bound of a map: `AtMost(true)` for positive, `AtMost(false)` for nonnegative, `None` for unknown.
type LowerSign = Option<bool>;

/// Returns the stronger of two bounds that both hold.
fn stronger_bound(a: LowerSign, b: LowerSign) -> LowerSign {
    a.max(b)
}

/// A search for signs.
pub struct PathSigns<'a> {
    /// Enclosures of the draws and of the parameter.
    within: &'a [(Variable, Enclosure)],
    budget: &'a Budget,
    forms: &'a mut RationalNormalForm,
    /// The real draws.
    draws: Vec<Variable>,
    /// The maps known to be nonnegative: normal form up to a positive factor, `true` if negated, `true` if positive.
    known: Vec<(String, bool, bool)>,
    /// The results by address and direction. The graphs are kept alive, so that no address is reused.
    seen: FxHashMap<(usize, bool), (Graph, LowerSign)>,
    /// `true` if the current map has at most [`MAX_SIGN_NODES`] nodes.
    is_small: bool,
}

impl std::fmt::Debug for PathSigns<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signs").field("known", &self.known).finish_non_exhaustive()
    }
}

impl<'a> PathSigns<'a> {
    /// Makes a search that knows the ends of the distributions.
    pub fn new(
        path: &ExecutionPath,
        within: &'a [(Variable, Enclosure)],
        forms: &'a mut RationalNormalForm,
        budget: &'a Budget,
    ) -> Self {
        let draws = path.coordinates().map(|x| x.variable).collect();
        let (known, seen) = (Vec::new(), FxHashMap::default());
        let mut signs = Self { within, budget, forms, draws, known, seen, is_small: true };
        for TraceCoordinate { variable, distribution, .. } in path.coordinates() {
            let x = Graph::variable(*variable);
            let [left, right] = distribution.ends();
            let inside = [left.map(|a| [x.clone(), a]), right.map(|b| [b, x.clone()])];
            for [greater, less] in inside.into_iter().flatten() {
                signs.record_sign(
                    &SignGuard::of_difference(&greater, &less, SignTest::Positive, SourceId::NOWHERE).graph,
                    false,
                    true,
                );
            }
        }
        signs
    }

    /// Adds the decisions of a path.
    #[must_use]
    pub fn with_decisions(mut self, decided: &[GuardCondition]) -> Self {
        for GuardCondition { guard, holds, .. } in decided {
            let is_thin = |v: &Variable| {
                // a boundary that is affine in a real draw with a constant slope has probability 0, so that the
                // inequality is strict
                let rises = partial_derivative(&guard.graph, *v)
                    .and_then(|slope| self.forms.normal_form(&slope)?.as_rational());
                rises.is_some_and(|slope| slope != 0)
            };
            match (guard.test, holds) {
                (SignTest::Positive | SignTest::NonNegative, holds) => {
                    let is_strict = (guard.test == SignTest::Positive) == *holds || self.draws.iter().any(is_thin);
                    self.record_sign(&guard.graph, !holds, is_strict);
                }
                (SignTest::Zero, true) => {
                    [false, true].iter().for_each(|turned| self.record_sign(&guard.graph, *turned, false))
                }
                (SignTest::Zero, false) => {}
            }
        }
        self
    }

    /// Records that a map, or its negation if `turned`, is nonnegative, or positive if `is_strict`.
    fn record_sign(&mut self, graph: &Graph, turned: bool, is_strict: bool) {
        if let Some((key, own)) = self.forms.normal_form(graph).and_then(|form| form.scale_free_key()) {
            self.known.push((key, own != turned, is_strict));
        }
    }

    /// Returns the recorded bound of a map, or of its negation.
    fn recorded_sign(&mut self, graph: &Graph, turned: bool) -> LowerSign {
        let form = self.forms.normal_form(graph)?;
        if let Some(q) = form.as_rational() {
            let q = if turned { -q } else { q };
            return (q >= 0).then_some(q > 0);
        }
        let (key, own) = form.scale_free_key()?;
        let own = own != turned;
        self.known.iter().filter(|(other, side, _)| *other == key && *side == own).map(|(.., strict)| *strict).max()
    }

    /// Decides a test from the recorded maps alone. Returns `None` if it is undecided.
    pub fn by_what_is_known(&mut self, graph: &Graph, test: SignTest) -> Option<bool> {
        let [up, down] = [false, true].map(|turned| self.recorded_sign(graph, turned));
        decide_test(test, up, down)
    }

    /// Decides a test by the form of a map. Returns `None` if it is undecided.
    pub fn by_form(&mut self, graph: &Graph, test: SignTest) -> Option<bool> {
        self.is_small = Graph::all_nodes([graph]).len() <= MAX_SIGN_NODES;
        let [up, down] = [false, true].map(|turned| self.lower_sign(graph, turned));
        decide_test(test, up, down)
    }

    /// Returns an upper bound on the absolute value of a map; infinite if none is found.
    pub fn max_abs(&self, graph: &Graph) -> Magnitude {
        max_abs_of(&enclose_range(graph, self.within, self.budget))
    }

    /// Bounds a map, or its negation if `turned`, from below, wherever it has a value.
    fn lower_sign(&mut self, graph: &Graph, turned: bool) -> LowerSign {
        if let Some((_, seen)) = self.seen.get(&(graph.address(), turned)) {
            return *seen;
        }
        let mut found = if self.is_small { self.recorded_sign(graph, turned) } else { None };
        if found != Some(true) {
            // only a strict result ends the search: the parts may improve a weak one
            found = stronger_bound(found, with_stack(|| self.sign_by_parts(graph, turned)));
        }
        // the range last, as it costs a pass over the map
        if found.is_none() && self.is_small {
            let range = enclose_range(graph, self.within, self.budget);
            found = match turned {
                _ if !range.is_defined() => None,
                false => (*range.lo() >= 0).then_some(*range.lo() > 0),
                true => (*range.hi() <= 0).then_some(*range.hi() < 0),
            };
        }
        self.seen.insert((graph.address(), turned), (graph.clone(), found));
        found
    }

    /// Bounds a map by the bounds of its parts.
    fn sign_by_parts(&mut self, graph: &Graph, turned: bool) -> LowerSign {
        match graph.operation() {
            NodeOperation::Unary(Unary::Negate, a) => self.lower_sign(a, !turned),
            NodeOperation::Binary(operation @ (Binary::Add | Binary::Subtract), a, b) => {
                let (a, b) =
                    (self.lower_sign(a, turned)?, self.lower_sign(b, turned != (*operation == Binary::Subtract))?);
                // a sum of nonnegative terms is positive if one of them is
                Some(a || b)
            }
            NodeOperation::Binary(Binary::Multiply, a, b) => {
                let same = self.sign_of_product([a, b], false, turned);
                let square = (a.address() == b.address() && !turned).then_some(false);
                stronger_bound(same, square).or_else(|| self.sign_of_product([a, b], true, turned))
            }
            NodeOperation::Binary(Binary::Divide, a, b) => {
                // the divisor is not 0 where the quotient has a value
                let mut of = |over: bool, under: bool| self.lower_sign(b, under).and_then(|_| self.lower_sign(a, over));
                of(turned, false).or_else(|| of(!turned, true))
            }
            NodeOperation::Unary(Unary::Abs, a) if !turned => {
                let [up, down] = [false, true].map(|turned| self.lower_sign(a, turned));
                Some(up == Some(true) || down == Some(true))
            }
            NodeOperation::Unary(Unary::Function(Function::Exp), _) if !turned => Some(true),
            NodeOperation::Unary(Unary::Function(Function::Log), a) => {
                // log a > 0 exactly if a > 1
                let beyond_one = subtract(a, &Graph::integer(1));
                self.lower_sign(&beyond_one, turned)
            }
            NodeOperation::Unary(Unary::Function(Function::Sqrt), a) if !turned => {
                Some(self.lower_sign(a, false) == Some(true))
            }
            // a^(p/q) in lowest terms: even p gives a square, even q a root of a nonnegative base
            NodeOperation::Power(a, exponent) => {
                let base = self.lower_sign(a, false);
                let (is_square, is_root) = (exponent.numerator % 2 == 0, exponent.denominator % 2 == 0);
                let is_below = self.lower_sign(a, true) == Some(true) && is_square;
                match turned {
                    // a negative power has no value at 0, so that it is strict
                    false if is_square || is_root || base.is_some() => {
                        Some(exponent.numerator <= 0 || base == Some(true) || is_below)
                    }
                    // odd p and q: the power has the sign of its base
                    true if !is_square && !is_root => {
                        self.lower_sign(a, true).map(|is_strict| is_strict || exponent.numerator < 0)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Bounds ±a·b from below, where ±a and ±b are nonnegative. `first` negates a; `turned` negates the product.
    fn sign_of_product(&mut self, [a, b]: [&Graph; 2], first: bool, turned: bool) -> LowerSign {
        // both factors need a sign, even if one of them is not strict
        let (a, b) = (self.lower_sign(a, first)?, self.lower_sign(b, first != turned)?);
        Some(a && b)
    }
}

/// Decides a test for a number, from the bounds `up` of it and `down` of its negation.
fn decide_test(test: SignTest, up: LowerSign, down: LowerSign) -> Option<bool> {
    match test {
        SignTest::Positive if up == Some(true) => Some(true),
        SignTest::Positive if down.is_some() => Some(false),
        SignTest::NonNegative if up.is_some() => Some(true),
        SignTest::NonNegative if down == Some(true) => Some(false),
        SignTest::Zero if up == Some(true) || down == Some(true) => Some(false),
        SignTest::Zero if up.is_some() && down.is_some() => Some(true),
        _ => None,
    }
}
