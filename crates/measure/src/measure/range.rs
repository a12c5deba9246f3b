//! Ranges of maps over boxes of draws: one pass of interval arithmetic, on intervals that may be unbounded.
//!
//! # Densities as products of powers
//!
//! # Signs of maps on a path
//!
//! Signs of maps on a path, by their form: sums and products of maps with known signs, such as `0.5 + x` after the
//! decision x > 0.
//!
//! The results hold for all draws of the path up to a set of probability 0: a draw is not at an end of its support.

use super::draws::{ExecutionPath, TraceCoordinate};
use super::majorant::max_abs_of;
use crate::function::Function;
use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Double, Enclosure, Magnitude, Mpfr, Rational};
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::algebra::Algebra;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::program::CompiledMap;
use crate::stack::with_stack;
use crate::value::SourceId;
use rustc_hash::FxHashMap;

/// The precision in bits of sums, and of endpoints that are no doubles. A choice: endpoints stay far below the other
/// errors.
pub const PRECISION_BITS: u32 = 192;

/// Returns the real line, ℝ.
#[must_use]
pub fn real_line() -> Enclosure {
    Enclosure::bottom().with_defined(true)
}

/// Returns the closed half-line [0, ∞).
#[must_use]
pub fn half_line() -> Enclosure {
    // the absolute value of the unbounded interval
    let context = Mpfr::new(PRECISION_BITS);
    context.to_enclosure(&context.abs(&context.bottom())).with_defined(true)
}

/// Encloses a rational number.
#[must_use]
pub fn enclose_rational(q: &Rational) -> Enclosure {
    let context = Mpfr::new(PRECISION_BITS);
    context.to_enclosure(&context.enclose_rational(q))
}

/// Encloses all values of a map on a box. Returns ⊥ if the map is not shown to be defined on all of it.
#[must_use]
pub fn enclose_range(graph: &Graph, within: &[(Variable, Enclosure)], budget: &Budget) -> Enclosure {
    let variables: Vec<Variable> = within.iter().map(|(v, _)| *v).collect();
    let (program, unbound) = CompiledMap::compile_open(&variables, std::slice::from_ref(graph));
    // a variable without an interval has no range
    if !unbound.is_empty() {
        return Enclosure::bottom();
    }
    let (context, real) = (Double, Algebra::real());
    // a choice: 2⁻²⁰ for solvers inside of the map, whose error is small beside that of the box
    let effort = PassOptions::new(Magnitude::power_of_two(-20), budget);
    let machine = JetEvaluator::new(&context, &effort, &real, &program);
    let inputs: Vec<Jet<_>> = within.iter().map(|(_, e)| Jet::constant(context.round_enclosure(e))).collect();
    let found =
        machine.eval_block(&program.root, &real, &inputs, &[], &mut BranchDecisions::default(), EvalTarget::Outputs);
    let Ok(found) = found else { return Enclosure::bottom() };
    // interval arithmetic proves definedness on the whole box or not at all
    let value = machine.jets(&real).value_of(&found[0]);
    if context.is_defined(&value) { context.to_enclosure(&value) } else { Enclosure::bottom() }
}

/// Returns `true` if a map is shown not to vary with `v` on a box.
///
/// A slope of 0 shows that on a connected set of points where the map is defined, so it must be defined on the whole box:
/// `exp (log (x*x)/2)/x` has the slope 0 and is the sign of x.
#[must_use]
pub fn is_constant_in(
    graph: &Graph,
    v: Variable,
    within: &[(Variable, Enclosure)],
    forms: &mut RationalNormalForm,
    budget: &Budget,
) -> bool {
    forms.normal_form(&graph.slope(v)).is_some_and(|form| form.is_zero())
        && enclose_range(graph, within, budget).is_defined()
}

/// Rewrites `exp (c·log y + …)`, for numbers c, into powers `y^c·exp (…)`. The maps agree where y is positive, and
/// integrals have more rules for powers.
#[must_use]
pub fn rewrite_as_powers(graph: &Graph) -> Graph {
    let mut known = FxHashMap::default();
    with_powers(graph, &mut known)
}

/// Rewrites a map and its factors. `known` holds the results by address, so that shared nodes are rewritten once.
fn with_powers(graph: &Graph, known: &mut FxHashMap<usize, Graph>) -> Graph {
    if let Some(known) = known.get(&graph.address()) {
        return known.clone();
    }
    let mut inside = |g: &Graph| crate::stack::with_stack(|| with_powers(g, known));
    let found = match graph.operation() {
        NodeOperation::Unary(Unary::Function(Function::Exp), a) => {
            let (mut factors, mut rest) = (Vec::new(), Vec::new());
            collect_log_terms(a, 1, &mut factors, &mut rest);
            if factors.is_empty() {
                graph.clone()
            } else {
                let sum = rest.into_iter().reduce(|sum, next| &sum + &next);
                let exponential = sum.map(|sum| sum.exp());
                let product = factors.iter().map(|(y, c)| y.pow(c)).chain(exponential);
                product.product::<Graph>()
            }
        }
        NodeOperation::Binary(operation @ (Binary::Multiply | Binary::Divide), a, b) => {
            Graph::binary(*operation, &inside(a), &inside(b))
        }
        NodeOperation::Unary(Unary::Negate, a) => -inside(a),
        _ => graph.clone(),
        // factors only: inside of a sum or another function no rule for powers applies
    };
    known.insert(graph.address(), found.clone());
    found
}

/// The greatest number of terms of a sum to collect. A choice: shared sums of sums have more terms than nodes.
const MOST_TERMS: usize = 64;

/// Splits `sign·graph` into `factors`, the multiples (y, c) of logarithms c·log y, and `rest`, the other terms.
fn collect_log_terms(graph: &Graph, sign: i64, factors: &mut Vec<(Graph, Rational)>, rest: &mut Vec<Graph>) {
    if factors.len() + rest.len() >= MOST_TERMS {
        // the remaining sum stays one term
        return rest.push(apply_sign(graph, sign));
    }
    let mut of = |a: &Graph, sign: i64| crate::stack::with_stack(|| collect_log_terms(a, sign, factors, rest));
    match graph.operation() {
        NodeOperation::Binary(Binary::Add, a, b) => {
            of(a, sign);
            of(b, sign);
        }
        NodeOperation::Binary(Binary::Subtract, a, b) => {
            of(a, sign);
            of(b, -sign);
        }
        NodeOperation::Unary(Unary::Negate, a) => of(a, -sign),
        NodeOperation::Unary(Unary::Function(Function::Log), y) => factors.push((y.clone(), Rational::from(sign))),
        NodeOperation::Binary(Binary::Multiply, a, b) => {
            match (a.as_rational(), b.as_rational(), a.operation(), b.operation()) {
                (Some(c), _, _, NodeOperation::Unary(Unary::Function(Function::Log), y))
                | (_, Some(c), NodeOperation::Unary(Unary::Function(Function::Log), y), _) => {
                    factors.push((y.clone(), Rational::from(c * sign)));
                }
                _ => rest.push(apply_sign(graph, sign)),
            }
        }
        _ => rest.push(apply_sign(graph, sign)),
    }
}

/// Returns `graph`, negated if `sign` is negative.
fn apply_sign(graph: &Graph, sign: i64) -> Graph {
    if sign < 0 { -graph } else { graph.clone() }
}

/// The greatest number of nodes of a map whose parts are examined one by one. A choice.
const MAX_SIGN_NODES: usize = 400;

/// A lower bound of a map: `Some(true)` for positive, `Some(false)` for nonnegative, `None` for unknown.
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
                let rises = self.forms.normal_form(&guard.graph.slope(*v)).and_then(|slope| slope.as_rational());
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
                let beyond_one = a - 1;
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
