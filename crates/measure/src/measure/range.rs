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
use crate::pieces::facts::{FactContext, FactDomain, KnownSigns, MapFacts, SignSet};
use crate::pieces::{GuardCondition, SignTest};
use crate::smooth::algebra::Algebra;
use crate::smooth::fold::{GraphNodes, MapFold};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::program::CompiledMap;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

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

/// The points of a box, as a context of [facts](crate::pieces::facts).
#[derive(Debug)]
pub struct BoxContext<'a> {
    /// The closed intervals of the variables.
    pub hull: &'a [(Variable, Enclosure)],
    /// The limits on time and memory.
    pub budget: &'a Budget,
}

impl FactContext for BoxContext<'_> {
    fn facts_of_variable(&self, v: Variable) -> MapFacts {
        let found = self.hull.iter().find(|(own, _)| *own == v);
        found.map_or(MapFacts::with_no_claim(), |(_, range)| MapFacts::of_enclosure(range))
    }

    fn enclose_node(&self, node: &Graph) -> Enclosure {
        enclose_range(node, self.hull, self.budget)
    }
}

/// Returns the sign of a map that is defined on a box and has one sign there; `None` if this is not certain.
#[must_use]
pub fn strict_sign_on_box(map: &Graph, hull: &[(Variable, Enclosure)], budget: &Budget) -> Option<Ordering> {
    FactDomain::over_graphs(BoxContext { hull, budget }).facts_of(map).strict_sign()
}

/// A search for signs.
pub struct PathSigns<'a>(MapFold<GraphNodes, FactDomain<PathContext<'a>>>);

/// The points of a path, as a context of [facts](crate::pieces::facts).
struct PathContext<'a> {
    /// Enclosures of the draws and of the parameter.
    within: BoxContext<'a>,
    forms: &'a mut RationalNormalForm,
    /// The real draws.
    draws: Vec<Variable>,
    /// The signs that the distributions and the decisions imply.
    known: KnownSigns,
    /// `true` if the current map has at most [`MAX_SIGN_NODES`] nodes.
    is_small: bool,
}

impl FactContext for PathContext<'_> {
    fn facts_of_variable(&self, v: Variable) -> MapFacts {
        self.within.facts_of_variable(v)
    }

    fn known_signs(&mut self, node: &Graph, facts: &MapFacts) -> SignSet {
        // only a strict sign ends the search
        if !self.is_small || facts.signs.only_sign().is_some() {
            return SignSet::ANY;
        }
        let own = self.known.signs_of(node, self.forms);
        match node.operation() {
            // log a > 0 exactly if a > 1
            NodeOperation::Unary(Unary::Function(Function::Log), a) => {
                own.intersect_with(self.known.signs_of(&(a - 1), self.forms))
            }
            _ => own,
        }
    }

    fn enclose_node(&self, node: &Graph) -> Enclosure {
        // solvers inside of large maps take too long for a sign
        if self.is_small { self.within.enclose_node(node) } else { Enclosure::bottom() }
    }
}

impl std::fmt::Debug for PathSigns<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signs").field("known", &self.0.domain.0.known).finish_non_exhaustive()
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
        let within = BoxContext { hull: within, budget };
        let mut context = PathContext { within, forms, draws, known: KnownSigns::default(), is_small: true };
        for TraceCoordinate { variable, distribution, .. } in path.coordinates() {
            let x = Graph::variable(*variable);
            let [left, right] = distribution.ends();
            // a draw is not at an end of its support, but for a set of probability 0
            for side in left.map(|a| &x - a).into_iter().chain(right.map(|b| b - &x)) {
                context.record_signs(&side, SignSet::POSITIVE);
            }
        }
        Self(FactDomain::over_graphs(context))
    }

    /// Adds the decisions of a path.
    #[must_use]
    pub fn with_decisions(mut self, decided: &[GuardCondition]) -> Self {
        for GuardCondition { guard, holds, .. } in decided {
            let context = &mut self.0.domain.0;
            let forms = &mut *context.forms;
            let mut is_thin = |v: &Variable| {
                // a boundary that is affine in a real draw with a constant slope has probability 0, so that the
                // inequality is strict
                let rises = forms.normal_form(&guard.graph.slope(*v)).and_then(|slope| slope.as_rational());
                rises.is_some_and(|slope| slope != 0)
            };
            let mut signs = SignSet::of_passing(|sign| guard.test.is_satisfied_by(sign) == *holds);
            if guard.test != SignTest::Zero && signs.only_sign().is_none() && context.draws.iter().any(&mut is_thin) {
                signs = signs.intersect_with(SignSet::NON_ZERO);
            }
            context.record_signs(&guard.graph, signs);
        }
        self
    }

    /// Decides a test from the recorded maps alone. Returns `None` if it is undecided.
    pub fn by_what_is_known(&mut self, graph: &Graph, test: SignTest) -> Option<bool> {
        let context = &mut self.0.domain.0;
        context.known.signs_of(graph, context.forms).decide_test(test)
    }

    /// Decides a test by the form of a map. Returns `None` if it is undecided.
    pub fn by_form(&mut self, graph: &Graph, test: SignTest) -> Option<bool> {
        self.0.domain.0.is_small = Graph::all_nodes([graph]).len() <= MAX_SIGN_NODES;
        self.0.facts_of(graph).signs.decide_test(test)
    }

    /// Returns an upper bound on the absolute value of a map; infinite if none is found.
    pub fn max_abs(&self, graph: &Graph) -> Magnitude {
        max_abs_of(&self.0.domain.0.within.enclose_node(graph))
    }
}

impl PathContext<'_> {
    /// Records that values of a map have one of these signs.
    fn record_signs(&mut self, graph: &Graph, signs: SignSet) {
        // contradictory decisions have no points, of which every claim is true
        let _ = self.known.restrict_signs(graph, signs, self.forms);
    }
}
