//! Signs of maps on a path, by their form: sums and products of maps with known signs, such as `0.5 + x` after the
//! decision x > 0.
//!
//! The results hold for all draws of the path up to a set of probability 0: a draw is not at an end of its support.

use super::distribution::subtract;
use super::draws::{Coordinate, Path};
use super::majorant::magnitude;
use super::range::range;
use super::slope::slope;
use crate::function::Function;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude};
use crate::pieces::fraction::Normaliser;
use crate::pieces::{Decided, Guard, Test};
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use crate::stack::deep;
use crate::value::Site;
use rustc_hash::FxHashMap;

/// The greatest number of nodes of a map whose parts are examined one by one. A choice.
const MOST_NODES: usize = 400;

/// A lower bound of a map: `Some(true)` for positive, `Some(false)` for nonnegative, `None` for unknown.
type Above = Option<bool>;

/// Returns the stronger of two bounds that both hold.
fn better(a: Above, b: Above) -> Above {
    a.max(b)
}

/// A search for signs.
pub struct Signs<'a> {
    /// Enclosures of the draws and of the parameter.
    within: &'a [(Variable, Enclosure)],
    budget: &'a Budget,
    forms: &'a mut Normaliser,
    /// The real draws.
    draws: Vec<Variable>,
    /// The maps known to be nonnegative: normal form up to a positive factor, `true` if negated, `true` if positive.
    known: Vec<(String, bool, bool)>,
    /// The results by address and direction. The graphs are kept alive, so that no address is reused.
    seen: FxHashMap<(usize, bool), (Graph, Above)>,
    /// `true` if the current map has at most [`MOST_NODES`] nodes.
    is_small: bool,
}

impl std::fmt::Debug for Signs<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signs").field("known", &self.known).finish_non_exhaustive()
    }
}

impl<'a> Signs<'a> {
    /// Makes a search that knows the ends of the distributions.
    pub fn new(
        path: &Path,
        within: &'a [(Variable, Enclosure)],
        forms: &'a mut Normaliser,
        budget: &'a Budget,
    ) -> Self {
        let draws = path.coordinates().map(|x| x.variable).collect();
        let (known, seen) = (Vec::new(), FxHashMap::default());
        let mut signs = Self { within, budget, forms, draws, known, seen, is_small: true };
        for Coordinate { variable, distribution, .. } in path.coordinates() {
            let x = Graph::variable(*variable);
            let [left, right] = distribution.ends();
            let inside = [left.map(|a| [x.clone(), a]), right.map(|b| [b, x.clone()])];
            for [greater, less] in inside.into_iter().flatten() {
                signs.learn(&Guard::between(&greater, &less, Test::Positive, Site::NOWHERE).graph, false, true);
            }
        }
        signs
    }

    /// Adds the decisions of a path.
    #[must_use]
    pub fn with(mut self, decided: &[Decided]) -> Self {
        for Decided { guard, holds, .. } in decided {
            let is_thin = |v: &Variable| {
                // a boundary that is affine in a real draw with a constant slope has probability 0, so that the
                // inequality is strict
                let rises = slope(&guard.graph, *v).and_then(|slope| self.forms.fraction(&slope)?.as_rational());
                rises.is_some_and(|slope| slope != 0)
            };
            match (guard.test, holds) {
                (Test::Positive | Test::NonNegative, holds) => {
                    let is_strict = (guard.test == Test::Positive) == *holds || self.draws.iter().any(is_thin);
                    self.learn(&guard.graph, !holds, is_strict);
                }
                (Test::Zero, true) => [false, true].iter().for_each(|turned| self.learn(&guard.graph, *turned, false)),
                (Test::Zero, false) => {}
            }
        }
        self
    }

    /// Records that a map, or its negation if `turned`, is nonnegative, or positive if `is_strict`.
    fn learn(&mut self, graph: &Graph, turned: bool, is_strict: bool) {
        if let Some((key, own)) = self.forms.fraction(graph).and_then(|form| form.up_to_scale()) {
            self.known.push((key, own != turned, is_strict));
        }
    }

    /// Returns the recorded bound of a map, or of its negation.
    fn learnt(&mut self, graph: &Graph, turned: bool) -> Above {
        let form = self.forms.fraction(graph)?;
        if let Some(q) = form.as_rational() {
            let q = if turned { -q } else { q };
            return (q >= 0).then_some(q > 0);
        }
        let (key, own) = form.up_to_scale()?;
        let own = own != turned;
        self.known.iter().filter(|(other, side, _)| *other == key && *side == own).map(|(.., strict)| *strict).max()
    }

    /// Decides a test from the recorded maps alone. Returns `None` if it is undecided.
    pub fn by_what_is_known(&mut self, graph: &Graph, test: Test) -> Option<bool> {
        let [up, down] = [false, true].map(|turned| self.learnt(graph, turned));
        judged(test, up, down)
    }

    /// Decides a test by the form of a map. Returns `None` if it is undecided.
    pub fn by_form(&mut self, graph: &Graph, test: Test) -> Option<bool> {
        self.is_small = Graph::nodes([graph]).len() <= MOST_NODES;
        let [up, down] = [false, true].map(|turned| self.above(graph, turned));
        judged(test, up, down)
    }

    /// Returns an upper bound on the absolute value of a map; infinite if none is found.
    pub fn bound(&self, graph: &Graph) -> Magnitude {
        magnitude(&range(graph, self.within, self.budget))
    }

    /// Bounds a map, or its negation if `turned`, from below, wherever it has a value.
    fn above(&mut self, graph: &Graph, turned: bool) -> Above {
        if let Some((_, seen)) = self.seen.get(&(graph.address(), turned)) {
            return *seen;
        }
        let mut found = if self.is_small { self.learnt(graph, turned) } else { None };
        if found != Some(true) {
            // only a strict result ends the search: the parts may improve a weak one
            found = better(found, deep(|| self.of_parts(graph, turned)));
        }
        // the range last, as it costs a pass over the map
        if found.is_none() && self.is_small {
            let range = range(graph, self.within, self.budget);
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
    fn of_parts(&mut self, graph: &Graph, turned: bool) -> Above {
        match graph.operation() {
            Operation::Unary(Unary::Negate, a) => self.above(a, !turned),
            Operation::Binary(operation @ (Binary::Add | Binary::Subtract), a, b) => {
                let (a, b) = (self.above(a, turned)?, self.above(b, turned != (*operation == Binary::Subtract))?);
                // a sum of nonnegative terms is positive if one of them is
                Some(a || b)
            }
            Operation::Binary(Binary::Multiply, a, b) => {
                let same = self.product([a, b], false, turned);
                let square = (a.address() == b.address() && !turned).then_some(false);
                better(same, square).or_else(|| self.product([a, b], true, turned))
            }
            Operation::Binary(Binary::Divide, a, b) => {
                // the divisor is not 0 where the quotient has a value
                let mut of = |over: bool, under: bool| self.above(b, under).and_then(|_| self.above(a, over));
                of(turned, false).or_else(|| of(!turned, true))
            }
            Operation::Unary(Unary::Abs, a) if !turned => {
                let [up, down] = [false, true].map(|turned| self.above(a, turned));
                Some(up == Some(true) || down == Some(true))
            }
            Operation::Unary(Unary::Function(Function::Exp), _) if !turned => Some(true),
            Operation::Unary(Unary::Function(Function::Log), a) => {
                // log a > 0 exactly if a > 1
                let beyond_one = subtract(a, &Graph::integer(1));
                self.above(&beyond_one, turned)
            }
            Operation::Unary(Unary::Function(Function::Sqrt), a) if !turned => Some(self.above(a, false) == Some(true)),
            // a^(p/q) in lowest terms: even p gives a square, even q a root of a nonnegative base
            Operation::Power(a, exponent) => {
                let base = self.above(a, false);
                let (is_square, is_root) = (exponent.numerator % 2 == 0, exponent.denominator % 2 == 0);
                let is_below = self.above(a, true) == Some(true) && is_square;
                match turned {
                    // a negative power has no value at 0, so that it is strict
                    false if is_square || is_root || base.is_some() => {
                        Some(exponent.numerator <= 0 || base == Some(true) || is_below)
                    }
                    // odd p and q: the power has the sign of its base
                    true if !is_square && !is_root => {
                        self.above(a, true).map(|is_strict| is_strict || exponent.numerator < 0)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Bounds ±a·b from below, where ±a and ±b are nonnegative. `first` negates a; `turned` negates the product.
    fn product(&mut self, [a, b]: [&Graph; 2], first: bool, turned: bool) -> Above {
        // both factors need a sign, even if one of them is not strict
        let (a, b) = (self.above(a, first)?, self.above(b, first != turned)?);
        Some(a && b)
    }
}

/// Decides a test for a number, from the bounds `up` of it and `down` of its negation.
fn judged(test: Test, up: Above, down: Above) -> Option<bool> {
    match test {
        Test::Positive if up == Some(true) => Some(true),
        Test::Positive if down.is_some() => Some(false),
        Test::NonNegative if up.is_some() => Some(true),
        Test::NonNegative if down == Some(true) => Some(false),
        Test::Zero if up == Some(true) || down == Some(true) => Some(false),
        Test::Zero if up.is_some() && down.is_some() => Some(true),
        _ => None,
    }
}
