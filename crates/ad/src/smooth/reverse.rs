//! Reverse mode: the adjoint of a map, as a graph.
//!
//! For `f : ℝⁿ ⇝ ℝᵐ`, a point x and a cotangent w ∈ ℝᵐ, reverse mode computes `J(x)ᵗ·w` (A's `M.rd_L(x.N)`, its `fᴿ`).
//! One sweep through the nodes of f, from the outputs to the inputs, adds up the cotangent w̄ of each node over its
//! uses. It then adds w̄ times a partial derivative to the cotangent of each operand. The result is a graph whose size
//! is a small multiple of that of f, for every n, and it shares the values of f. It is an ordinary graph: it is run in
//! both arithmetics and over any algebra, differentiated, and reversed again. Perturbations cannot be confused, since
//! every sweep has fresh variables.
//!
//! | node | cotangents of its operands | module |
//! |---|---|---|
//! | `+ - · /`, powers, elementary functions | w̄ times the derivative in the table of [functions](crate::function) | `rule` |
//! | `max`, `min`, `abs`, `signum` | w̄ times the partial derivative of the node alone: Clarke's set at a kink | `rule` |
//! | several kinks that test the sign of one number | as affine functions of one kink | `together` |
//! | a choice by a guard | w̄ on the branch that is taken, 0 on the other, which is then not evaluated | `rule`, `choice` |
//! | a primitive from outside | its local Jacobian, column by column | `rule` |
//! | the root r of `f(c, ·)` | the adjoint of the body in c at x = r, for the cotangent `-w̄/f′(c, r)` | `binder` |
//! | other second-order primitives | their [Jacobian](crate::smooth::program::SolverGradient) in their captures | `binder`, `integrand` |
//! | `D f(c, at)·along` | by the symmetry of second derivatives, the derivative of the adjoint of f | `binder` |
//!
//! **Definedness.** A derivative is claimed only where the function is defined on a neighbourhood of the inputs. A
//! sweep does not see that: it skips products with a structural zero, and the boundary of a guard has no adjoint. So
//! the derivative of f along the direction 0, by forward mode, is added to each component: it is 0 or ⊥. It is left out
//! for maps of operations without domain boundaries.
//!
//! **Cost.** A gradient costs a small multiple of the map. Adjoints of adjoints are written out and grow like a
//! power, where nested forward derivatives cost a polynomial.
//!
//! **Ties.** At a tie, the cotangents that both operands pass to one number are added as if the sides were chosen
//! independently. The result is an enclosure, and may be wider than that of forward mode.
//!
//! # Adjoints of nodes that bind no variables
//!
//! # Cotangents on one branch of a choice
//!
//! The operands of the branch that is not taken get the cotangent 0. A product with that 0 would still evaluate their
//! slopes: `if x > 0 then sqrt x else 0` would have no gradient at -1. So a node whose cotangent is w on one branch and
//! 0 on the other passes on the cotangents for w, on that branch only. A choice then does not evaluate the branch that
//! is not taken, as in forward mode.
//!
//! # Hooks of a reverse sweep
//!
//! They replace single rules, to test that a wrong rule is detected.
//!
//! # Derivative elimination
//!
//! `D f(at)·along` as `Σᵢ alongᵢ·∂ᵢf(at)`, the partial derivatives from one reverse sweep.
//!
//! The remaining derivatives are those of `max`, `min`, `abs` and `signum` alone, which are step functions and are
//! differentiated to 0, and those of primitives from outside and of solvers. Definedness is not kept. Numbers are
//! certain only if nothing is lost ([`expands_exactly`]).
//!
//! # Adjoints of nodes that bind variables
//!
//! Adjoints of nodes that bind variables, with respect to their captures.
//!
//! A *capture* of a binder is a maximal subterm of its body that mentions no variable bound there, and depends on the
//! inputs. The body becomes a map of its own variables and of one more for each capture. The adjoint of that map, or a
//! forward derivative of it, gives the cotangents. For an integral these are its partial derivatives: if the boundary
//! of a choice moves, they are not the integrals of the slopes on both sides. This is decided when they are
//! [run](super::reverse).
//!
//! # Integrands with their slopes
//!
//! Integrands with their slopes, for the gradient of an integral.
//!
//! On a piece of the interval where f is continuously differentiable in c and x, endpoints included, the integral of
//! the slopes is the slope of the integral. If f is continuous and such pieces cover the interval, the contributions of
//! their moving endpoints cancel. So maxima, minima and absolute values become choices here, whose boundary a solver
//! finds, and jumps are rejected. Whether f is that smooth on each piece is checked while it is integrated.

use super::linear::AffineKink;
use crate::function::{Formula, FormulaStep, Function};
use crate::number::Rational;
use crate::smooth::graph::{
    Binary, Derivative, FreeOccurrences, Graph, GraphRewriting, Guard, NodeOperation, SecondOrder, SourceId, Unary,
    Variable,
};
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Debug;
use std::sync::Arc;

impl Graph {
    /// Returns `J(at)ᵗ·seeds` for the map `variables ↦ outputs`, with its other free variables held fixed: one graph
    /// per variable. `variables` and `at` have one length, and so have `outputs` and `seeds`; the seeds do not mention
    /// the variables.
    #[must_use]
    pub fn reverse_mode(variables: &[Variable], outputs: &[Self], at: &[Self], seeds: &[Self]) -> Vec<Self> {
        Self::reverse_mode_with(&StandardReverseHooks, variables, outputs, at, seeds)
    }

    /// Like [`reverse`](Self::reverse_mode), with custom hooks.
    ///
    /// # Panics
    /// If `variables` and `at`, or `outputs` and `seeds`, differ in length.
    #[must_use]
    pub fn reverse_mode_with(
        hooks: &dyn ReverseHooks,
        variables: &[Variable],
        outputs: &[Self],
        at: &[Self],
        seeds: &[Self],
    ) -> Vec<Self> {
        assert!(variables.len() == at.len() && outputs.len() == seeds.len());
        let zero = Self::integer(0);
        let nearby = if may_be_undefined(outputs) {
            // the sum of the outputs is defined nearby only if each of them is
            let sum = outputs.iter().cloned().reduce(|a, b| Self::binary(Binary::Add, &a, &b));
            let zeros = vec![zero.clone(); variables.len()];
            hooks.definedness_term(Self::derivative(variables.to_vec(), sum.unwrap_or(zero), at.to_vec(), zeros))
        } else {
            zero
        };
        let adjoints = adjoint_graphs(hooks, variables, outputs, seeds);
        let bindings: Vec<_> = variables.iter().copied().zip(at.iter().cloned()).collect();
        let mut substitution = Substitution::new(&bindings);
        let component = |adjoint: Option<Self>| match adjoint {
            Some(adjoint) => substitution.apply(&adjoint) + &nearby,
            None => nearby.clone(),
        };
        adjoints.into_iter().map(component).collect()
    }
}

/// Returns `true` if the maps contain operations that may be undefined or jump. Maps without them are smooth or
/// Lipschitz near every point, so a sweep alone is enough.
fn may_be_undefined(outputs: &[Graph]) -> bool {
    Graph::all_nodes(outputs).into_iter().any(|g| match (g.operation(), g.operation().real_operation()) {
        (_, Some(operation)) => !operation.conditions().is_lipschitz_everywhere(),
        (NodeOperation::Variable(_) | NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler, None) => {
            false
        }
        (_, None) => true,
    })
}

/// Returns the adjoint of a map, one graph per variable, over the same variables. `None` for a variable that the map
/// does not mention.
fn adjoint_graphs(
    hooks: &dyn ReverseHooks,
    variables: &[Variable],
    outputs: &[Graph],
    seeds: &[Graph],
) -> Vec<Option<Graph>> {
    let mut sweep = ReverseSweep {
        hooks,
        places: variables.iter().copied().zip(0..).collect(),
        moving: FreeOccurrences::new(variables),
        kinks: Vec::new(),
        shared: FxHashMap::default(),
        seen: FxHashSet::default(),
        order: Vec::new(),
        opened: FxHashMap::default(),
        cotangents: FxHashMap::default(),
        found: vec![None; variables.len()],
    };
    // one order for all outputs: shared subterms are passed once
    sweep.visit_all(outputs);
    for (output, seed) in outputs.iter().zip(seeds) {
        sweep.add_cotangent(output, seed.clone());
    }
    // from the outputs to the inputs: a node is popped after all of its uses
    while let Some(node) = sweep.order.pop() {
        if let Some(cotangent) = sweep.cotangents.remove(&node.address()) {
            sweep.pull_back(&node, &cotangent);
        }
    }
    sweep.found
}

/// The state of one reverse sweep. Nodes are identified by their addresses: the outputs keep them alive.
struct ReverseSweep<'r> {
    hooks: &'r dyn ReverseHooks,
    places: FxHashMap<Variable, usize>,
    /// The nodes that mention a variable. Others have no cotangent.
    moving: FreeOccurrences,
    seen: FxHashSet<usize>,
    kinks: Vec<Graph>,
    /// Kinks that test the sign of one number, as affine functions of it.
    shared: FxHashMap<usize, AffineKink>,
    /// The nodes in topological order: operands before the nodes that use them.
    order: Vec<Graph>,
    /// The binders, with variables for their captures.
    opened: FxHashMap<usize, OpenedBody>,
    cotangents: FxHashMap<usize, Graph>,
    found: Vec<Option<Graph>>,
}

impl ReverseSweep<'_> {
    fn visit_all(&mut self, outputs: &[Graph]) {
        outputs.iter().for_each(|output| self.visit_node(output));
        self.shared = crate::smooth::linear::shared_kinks(&self.kinks);
        if !self.shared.is_empty() {
            // the order changes: these kinks now depend on their common one instead of their operands
            self.seen.clear();
            self.order.clear();
            self.opened.clear();
            outputs.iter().for_each(|output| self.visit_node(output));
        }
    }

    fn visit_node(&mut self, node: &Graph) {
        if !self.moving.occur_in(node) || !self.seen.insert(node.address()) {
            return;
        }
        if matches!(node.operation(), NodeOperation::Variable(_)) {
            return;
        }
        // collected first; kinks that share their test are replaced in the second visit
        if crate::smooth::linear::is_kink(node) {
            self.kinks.push(node.clone());
        }
        if let Some(affine) = self.shared.get(&node.address()) {
            let parts: Vec<Graph> = affine.linear_parts().cloned().collect();
            with_stack(|| parts.iter().for_each(|part| self.visit_node(part)));
            return self.order.push(node.clone());
        }
        with_stack(|| {
            node.operation().operands().into_iter().for_each(|part| self.visit_node(part));
            if let Some((bound, body)) = node.operation().binder() {
                let opened = OpenedBody::new(&mut self.moving, bound, body);
                opened.captures.iter().for_each(|(_, capture)| self.visit_node(capture));
                self.opened.insert(node.address(), opened);
            }
        });
        self.order.push(node.clone());
    }

    /// Adds to the cotangent of a node.
    fn add_cotangent(&mut self, node: &Graph, cotangent: Graph) {
        if !self.moving.occur_in(node) {
            return;
        }
        match node.operation() {
            NodeOperation::Variable(v) => {
                if let Some(&place) = self.places.get(v) {
                    let known = self.found[place].take();
                    self.found[place] = Some(self.sum_cotangents(known, cotangent));
                }
            }
            _ => {
                let known = self.cotangents.remove(&node.address());
                let sum = self.sum_cotangents(known, cotangent);
                self.cotangents.insert(node.address(), sum);
            }
        }
    }

    fn sum_cotangents(&self, known: Option<Graph>, more: Graph) -> Graph {
        match known {
            Some(known) => add_on_branch(&known, &more, &|a, b| self.hooks.sum_cotangents(a, b)),
            None => more,
        }
    }

    /// Passes the cotangent of a node on to its operands.
    fn pull_back(&mut self, node: &Graph, cotangent: &Graph) {
        let (hooks, opened) = (self.hooks, self.opened.remove(&node.address()));
        let adjoint = |variables: &[Variable], body: &Graph| {
            adjoint_graphs(hooks, variables, std::slice::from_ref(body), &[Graph::integer(1)])
        };
        let affine = self.shared.get(&node.address());
        let mut library = |w: &Graph| match (&opened, affine) {
            (Some(opened), _) => opened.pull_back(&adjoint, node, w),
            (None, Some(affine)) => affine.pull_back(w),
            (None, None) => pull_back_node(node, w, &mut self.moving),
        };
        let handed = pull_through_choices(cotangent, &mut |w| hooks.operand_cotangents(node, w, &mut library));
        for (part, cotangent) in handed {
            self.add_cotangent(&part, cotangent);
        }
    }
}

/// Returns the operands of a node that depend on the inputs, each with its cotangent.
fn pull_back_node(node: &Graph, w: &Graph, moving: &mut FreeOccurrences) -> CotangentContributions {
    let site = node.site();
    let mut handed = Vec::new();
    let mut hand = |part: &Graph, cotangent: &dyn Fn() -> Graph| {
        if moving.occur_in(part) {
            handed.push((part.clone(), cotangent().at_site(site)));
        }
    };
    match node.operation() {
        // max(a, a) is a, without a kink
        NodeOperation::Binary(Binary::Maximum | Binary::Minimum, a, b) if a.address() == b.address() => {
            hand(a, &|| w.clone());
        }
        // a⁰ is constant where it is defined
        NodeOperation::Power(_, e) if e.numerator == 0 => {}
        // a sweep from 0 would ask guards of branches that are not taken; `definedness_term` says where the choice is defined
        NodeOperation::Select(..) if w.is_constant(0) => {}
        NodeOperation::Select(guard, a, b) => {
            // a choice, not a product: a branch that is not taken may be undefined
            let (guard, none) = (Guard::positive(guard), Graph::integer(0));
            hand(a, &|| Graph::select(&guard, w, &none));
            hand(b, &|| Graph::select(&guard, &none, w));
        }
        NodeOperation::Derivative(_) | NodeOperation::Second(..) => {}
        operation => {
            let parts = operation.operands().into_iter().enumerate();
            parts.for_each(|(i, part)| hand(part, &|| times_slope(w, node, i)));
        }
    }
    handed
}

/// Returns w times the partial derivative of a first-order node in the operand of this index, by the rows of the
/// functions. This is the cotangent of that operand, and the slope of the node along it if w is the slope of the operand.
fn times_slope(w: &Graph, node: &Graph, part: usize) -> Graph {
    match (node.operation(), part) {
        // products and quotients without a factor 1, which would round
        (NodeOperation::Unary(Unary::Negate, _), _) => -w,
        (NodeOperation::Unary(Unary::Function(f), a), _) => w * function_slope(*f, a, node),
        (NodeOperation::Binary(Binary::Add, ..), _) | (NodeOperation::Binary(Binary::Subtract, ..), 0) => w.clone(),
        (NodeOperation::Binary(Binary::Subtract, ..), _) => -w,
        (NodeOperation::Binary(Binary::Multiply, _, b), 0) => w * b,
        (NodeOperation::Binary(Binary::Multiply, a, _), _) => w * a,
        (NodeOperation::Binary(Binary::Divide, _, b), 0) => w / b,
        // the node is a/b, so its value is reused: ∂(a/b)/∂b = -(a/b)/b
        (NodeOperation::Binary(Binary::Divide, _, b), _) => -(w * node / b),
        (NodeOperation::Power(a, e), _) => {
            let exponent = Rational::from((e.numerator, e.denominator));
            match Graph::power(a, &Rational::from(&exponent - 1)) {
                Some(less) => w * (exponent * less.at_site(node.site().of_slope())),
                // the exponent is beyond those of graphs
                None => w * partial_of_operation(node, part),
            }
        }
        // kinks, functions of two variables and primitives: forward mode knows where they have no derivative
        _ => w * partial_of_operation(node, part),
    }
}

impl Graph {
    /// Returns the partial derivative in a variable, by the rows of the functions; 0 if the map does not depend on it.
    /// A part with a kink, a choice or a solver becomes a [derivative](Self::partial) node.
    ///
    /// It has the values of the derivative where the map is differentiable. It may have others where the map is undefined:
    /// that of `log x` is `1/x`.
    #[must_use]
    pub fn slope(&self, v: Variable) -> Self {
        let moving = FreeOccurrences::new(&[v]);
        ForwardSlopes { v, moving, known: FxHashMap::default(), choosing: FxHashSet::default() }.slope_of(self)
    }
}

/// The slopes in one variable. Nodes are identified by their addresses: the map that is differentiated keeps them alive.
struct ForwardSlopes {
    v: Variable,
    moving: FreeOccurrences,
    known: FxHashMap<usize, Graph>,
    /// The nodes whose slope depends on a choice.
    choosing: FxHashSet<usize>,
}

impl ForwardSlopes {
    fn slope_of(&mut self, node: &Graph) -> Graph {
        // a structural zero, which sums and products leave out
        if !self.moving.occur_in(node) {
            return Graph::integer(0);
        }
        if let Some(known) = self.known.get(&node.address()) {
            return known.clone();
        }
        let found = with_stack(|| self.differentiate_node(node));
        self.known.insert(node.address(), found.clone());
        found
    }

    fn differentiate_node(&mut self, node: &Graph) -> Graph {
        match node.operation() {
            NodeOperation::Variable(_) => Graph::integer(1),
            // forward mode at each point takes both sides of a kink together, so its sets are smaller than by the chain rule
            NodeOperation::Select(..)
            | NodeOperation::Primitive(..)
            | NodeOperation::Derivative(_)
            | NodeOperation::Second(..) => self.choice_of(node),
            operation if operation.has_kink() => self.choice_of(node),
            NodeOperation::Power(_, e) if e.numerator == 0 => Graph::integer(0),
            operation => {
                let parts: Vec<Graph> = operation.operands().into_iter().cloned().collect();
                let slopes: Vec<Graph> = parts.iter().map(|part| self.slope_of(part)).collect();
                if parts.iter().any(|part| self.choosing.contains(&part.address())) {
                    // Where the branch that is taken does not move, the slope is 0, also at an edge of the operation: `acosh (min 1 v)`.
                    // A product with a slope that is infinite there would be undefined.
                    if has_edge(operation) {
                        return self.choice_of(node);
                    }
                    self.choosing.insert(node.address());
                }
                let term = |(i, slope): (usize, Graph)| match slope {
                    // a product with it would ask for the other operand's definedness, which the map itself has
                    none if none.is_constant(0) => none,
                    slope => times_slope(&slope, node, i),
                };
                slopes.into_iter().enumerate().map(term).sum()
            }
        }
    }

    /// Returns the derivative of a node with a choice as a node.
    fn choice_of(&mut self, node: &Graph) -> Graph {
        self.choosing.insert(node.address());
        self.derivative_node_of(node)
    }

    /// Returns the derivative as a node. It binds its own variable, since `v` remains free as the point.
    fn derivative_node_of(&self, node: &Graph) -> Graph {
        let own = Variable::fresh();
        let body = node.substitute(&[(self.v, Graph::variable(own))]);
        Graph::derivative(vec![own], body, vec![Graph::variable(self.v)], vec![Graph::integer(1)])
    }
}

/// Returns `true` for an operation with values at which it has no slope.
fn has_edge(operation: &NodeOperation) -> bool {
    operation.real_operation().is_some_and(|operation| {
        let conditions = operation.conditions();
        conditions.value != conditions.analytic
    })
}

/// Returns the partial derivative of a node in one operand, the operands as they are: a derivative of the operation
/// alone, by forward mode.
fn partial_of_operation(node: &Graph, part: usize) -> Graph {
    let parts = node.operation().operands();
    let variables: Vec<_> = parts.iter().map(|_| Variable::fresh()).collect();
    let inputs: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let body = match node.operation() {
        NodeOperation::Unary(f, _) => Graph::unary(*f, &inputs[0]),
        NodeOperation::Binary(f, ..) => Graph::binary(*f, &inputs[0], &inputs[1]),
        NodeOperation::Power(_, e) => Graph::new(NodeOperation::Power(inputs[0].clone(), *e)),
        NodeOperation::Primitive(p, _) => Graph::primitive(p, inputs),
        _ => Graph::integer(0),
    };
    let unit = (0..parts.len()).map(|i| Graph::integer(i64::from(i == part))).collect();
    let at = parts.into_iter().cloned().collect();
    Graph::derivative(variables, body.at_site(node.site()), at, unit)
}

/// Returns the derivative of an elementary function at a, where it has the value y.
fn function_slope(f: Function, a: &Graph, y: &Graph) -> Graph {
    write_formula(&f.slope_formula(), std::slice::from_ref(a), y, y.site())
}

/// Writes the formula of a derivative at `arguments`. `y` is the value of the function, and `site` its position.
fn write_formula(formula: &Formula, arguments: &[Graph], y: &Graph, site: SourceId) -> Graph {
    let site = site.of_slope();
    let inverse = |a: &Graph| 1 / a;
    formula.eval_with(&mut |step| {
        match step {
            FormulaStep::Argument(index) => return arguments[index].clone(),
            FormulaStep::Y => return y.clone(),
            FormulaStep::Number(p, q) => Graph::rational(Rational::from((p, q))),
            FormulaStep::Pi => Graph::pi(),
            FormulaStep::Negate(a) => -&a,
            FormulaStep::Add(a, b) => &a + &b,
            FormulaStep::Subtract(a, b) => &a - &b,
            FormulaStep::Multiply(a, b) => &a * &b,
            FormulaStep::Divide(a, b) => &a / &b,
            FormulaStep::Square(a) => &a * &a,
            FormulaStep::Inverse(a) => inverse(&a),
            FormulaStep::InverseRoot(a) => inverse(&Graph::function(Function::Sqrt, &a).at_site(site)),
            FormulaStep::Apply(f, a) => Graph::function(f, &a),
        }
        .at_site(site)
    })
}

/// A branch of a choice.
#[derive(Clone, Debug)]
struct ChoiceBranch {
    guard: Graph,
    holds: bool,
}

impl ChoiceBranch {
    /// Returns the branch on which alone a cotangent is not 0, with its value there. Returns `None` for another
    /// cotangent.
    fn of_cotangent(cotangent: &Graph) -> Option<(Self, &Graph)> {
        match cotangent.operation() {
            NodeOperation::Select(guard, w, none) if none.is_constant(0) => {
                Some((Self { guard: guard.clone(), holds: true }, w))
            }
            NodeOperation::Select(guard, none, w) if none.is_constant(0) => {
                Some((Self { guard: guard.clone(), holds: false }, w))
            }
            _ => None,
        }
    }

    /// Returns a cotangent that is w on this branch, and 0 on the other.
    fn restrict_to(&self, w: &Graph) -> Graph {
        let (guard, none) = (Guard::positive(&self.guard), Graph::integer(0));
        match self.holds {
            true => Graph::select(&guard, w, &none),
            false => Graph::select(&guard, &none, w),
        }
    }

    /// Returns `true` if both are the same branch of one choice.
    fn is_same_branch(&self, other: &Self) -> bool {
        self.holds == other.holds && self.guard.address() == other.guard.address()
    }
}

/// Returns the cotangents that a node passes on. `pull` computes them for a cotangent that is no choice.
fn pull_through_choices(
    cotangent: &Graph,
    pull: &mut dyn FnMut(&Graph) -> CotangentContributions,
) -> CotangentContributions {
    let (mut sides, mut inner) = (Vec::new(), cotangent);
    while let Some((side, w)) = ChoiceBranch::of_cotangent(inner) {
        sides.push(side);
        inner = w;
    }
    // the innermost choice is applied first, so that the nesting stays as it was
    let mut handed = pull(inner);
    for (_, w) in &mut handed {
        *w = sides.iter().rev().fold(w.clone(), |w, side| side.restrict_to(&w));
    }
    handed
}

/// Adds two cotangents. If both are 0 off the same branch, the sum is.
fn add_on_branch(one: &Graph, another: &Graph, sum: &dyn Fn(&Graph, &Graph) -> Graph) -> Graph {
    let (mut sides, mut both) = (Vec::new(), (one, another));
    while let (Some((side, a)), Some((other, b))) =
        (ChoiceBranch::of_cotangent(both.0), ChoiceBranch::of_cotangent(both.1))
    {
        if !side.is_same_branch(&other) {
            break;
        }
        sides.push(side);
        both = (a, b);
    }
    sides.iter().rev().fold(sum(both.0, both.1), |w, side| side.restrict_to(&w))
}

/// Rules of a sweep that may be replaced. The provided methods are the rules of the library.
///
/// A gradient is right only if the hooks keep their theorems. They are not checked here: the laws test them.
pub trait ReverseHooks: Debug {
    /// Returns the cotangents that a node with the cotangent w adds to its operands, or, for a binder, to its captures.
    /// `library` computes the library's result for a cotangent.
    ///
    /// *Theorem to keep*: each operand gets w times the partial derivative of the node in it, all others fixed; at a
    /// kink a set that contains Clarke's partial derivatives.
    fn operand_cotangents(
        &self,
        node: &Graph,
        w: &Graph,
        library: &mut dyn FnMut(&Graph) -> CotangentContributions,
    ) -> CotangentContributions {
        let _ = node;
        library(w)
    }

    /// Adds the cotangents of a node from two of its uses.
    ///
    /// *Theorem to keep*: the sum (A (10)).
    fn sum_cotangents(&self, one: &Graph, another: &Graph) -> Graph {
        one + another
    }

    /// Returns the term that is added to each component, so that it is defined only where the map is defined on a
    /// neighbourhood.
    ///
    /// *Theorem to keep*: 0, or ⊥ where the map is not defined nearby.
    fn definedness_term(&self, nearby: Graph) -> Graph {
        nearby
    }
}

/// Operands of a node, each with the cotangent that is added to it.
pub type CotangentContributions = Vec<(Graph, Graph)>;

/// The hooks of the library.
#[derive(Clone, Copy, Debug)]
pub struct StandardReverseHooks;

impl ReverseHooks for StandardReverseHooks {}

/// Eliminates derivatives from maps, as far as possible.
#[must_use]
pub fn without_derivatives(graphs: &[Graph]) -> Vec<Graph> {
    if derivative_nodes(graphs).is_empty() {
        return graphs.to_vec();
    }
    let mut expansion = DerivativeElimination::default();
    graphs.iter().map(|g| expansion.eliminate_in(g)).collect()
}

/// Returns `true` if eliminating derivatives loses nothing: neither the differentiated maps nor their points and
/// directions contain domain boundaries or derivatives.
#[must_use]
pub fn expands_exactly(graphs: &[Graph]) -> bool {
    let parts = |d: Arc<Derivative>| {
        let body = std::iter::once(d.body.clone());
        body.chain(d.at.iter().cloned()).chain(d.along.iter().cloned()).collect::<Vec<_>>()
    };
    !may_be_undefined(&derivative_nodes(graphs).into_iter().flat_map(parts).collect::<Vec<_>>())
}

/// Returns the second derivatives of a map without derivatives: the upper triangle, row by row, without structural
/// zeros.
#[must_use]
pub fn second_derivatives(variables: &[Variable], map: &Graph) -> Vec<([usize; 2], Graph)> {
    let slopes = |from: usize, map: &Graph| {
        let found =
            adjoint_graphs(&StandardReverseHooks, &variables[from..], std::slice::from_ref(map), &[Graph::integer(1)]);
        (from..).zip(found).filter_map(|(place, slope)| Some((place, slope?)))
    };
    let row = |(i, slope): (usize, Graph)| slopes(i, &slope).map(move |(j, second)| ([i, j], second));
    slopes(0, map).flat_map(row).collect()
}

fn derivative_nodes(graphs: &[Graph]) -> Vec<Arc<Derivative>> {
    if !graphs.iter().any(|g| g.occurrences().has_derivative()) {
        return Vec::new();
    }
    let derivative = |g: &Graph| match g.operation() {
        NodeOperation::Derivative(d) => Some(d.clone()),
        _ => None,
    };
    Graph::all_nodes(graphs).into_iter().filter_map(derivative).collect()
}

/// Finished nodes by address, with their results. The nodes are kept alive, so that no address is reused.
#[derive(Default)]
struct DerivativeElimination(FxHashMap<usize, (Graph, Graph)>);

impl DerivativeElimination {
    fn eliminate_in(&mut self, g: &Graph) -> Graph {
        if let Some((_, done)) = self.0.get(&g.address()) {
            return done.clone();
        }
        let result = with_stack(|| self.rebuild_node(g)).at_site(g.site());
        self.0.insert(g.address(), (g.clone(), result.clone()));
        result
    }

    fn rebuild_node(&mut self, g: &Graph) -> Graph {
        match g.operation() {
            NodeOperation::Derivative(d) => self.eliminate_derivative(d),
            // primitives and solvers keep the derivatives inside of them
            NodeOperation::Primitive(..) | NodeOperation::Second(..) => g.clone(),
            _ => g.rewrite_parts(self),
        }
    }

    fn eliminate_derivative(&mut self, d: &Derivative) -> Graph {
        let body = self.eliminate_in(&d.body);
        let [at, along] = [&d.at, &d.along].map(|parts| parts.iter().map(|g| self.eliminate_in(g)).collect::<Vec<_>>());
        let slopes: Vec<_> = match body.operation() {
            NodeOperation::Second(..) | NodeOperation::Primitive(..) => {
                return Graph::derivative_node(Derivative {
                    variables: d.variables.clone(),
                    body,
                    at,
                    along,
                    coordinate_index: d.coordinate_index,
                });
            }
            // the formulas have values where the function jumps, so they are used as they are
            NodeOperation::Binary(Binary::Planar(f), ..) if is_applied(&body, &d.variables) => {
                let value = Graph::binary(Binary::Planar(*f), &at[0], &at[1]);
                f.slope_formulas().iter().map(|slope| Some(write_formula(slope, &at, &value, body.site()))).collect()
            }
            // the exponent p/q - 1 may be outside the range of `Graph::power`
            NodeOperation::Power(_, e) if e.numerator != 0 && is_applied(&body, &d.variables) => {
                let factor = Graph::rational(Rational::from((e.numerator, e.denominator)));
                vec![Some(&factor * Graph::new(NodeOperation::Power(at[0].clone(), e.minus_one())))]
            }
            // a step function: kept as the derivative of the operation alone, in each variable
            _ if is_kink(&body, &d.variables) => {
                let unit = |i| (0..at.len()).map(|j| Graph::integer(i64::from(i == j))).collect();
                let step = |i| Graph::derivative(d.variables.clone(), body.clone(), at.clone(), unit(i));
                (0..at.len()).map(|i| Some(step(i))).collect()
            }
            _ => {
                let there: Vec<_> = d.variables.iter().copied().zip(at).collect();
                let slopes = constant_step_slopes(&d.variables, &body).into_iter();
                slopes.map(|slope| Some(self.eliminate_in(&slope?.substitute(&there)))).collect()
            }
        };
        let terms = slopes.into_iter().zip(&along).filter_map(|(slope, along)| match along.as_rational() {
            Some(q) if q.is_zero() => None,
            _ => Some(slope? * along),
        });
        terms.sum::<Graph>()
    }
}

impl GraphRewriting for DerivativeElimination {
    fn rewrite_operand(&mut self, operand: &Graph) -> Graph {
        self.eliminate_in(operand)
    }
}

/// Returns the partial derivatives of an expanded body, with step functions treated as constants.
fn constant_step_slopes(variables: &[Variable], body: &Graph) -> Vec<Option<Graph>> {
    let (mut pending, mut seen, mut steps) = (vec![body], FxHashSet::default(), Vec::new());
    while let Some(g) = pending.pop() {
        if seen.insert(g.address()) {
            if matches!(g.operation(), NodeOperation::Derivative(_)) {
                steps.push((Variable::fresh(), g.clone()));
            } else {
                pending.extend(g.operation().operands());
            }
        }
    }
    let mut stilled = Substitution::new(&[]);
    steps.iter().for_each(|(v, step)| stilled.replace_node(step, Graph::variable(*v)));
    let slopes = adjoint_graphs(&StandardReverseHooks, variables, &[stilled.apply(body)], &[Graph::integer(1)]);
    let mut back = Substitution::new(&steps);
    slopes.into_iter().map(|slope| Some(back.apply(&slope?))).collect()
}

/// Returns `true` if `body` is an operation with a kink, applied to the bound variables.
fn is_kink(body: &Graph, variables: &[Variable]) -> bool {
    body.operation().has_kink() && is_applied(body, variables)
}

/// Returns `true` if `body` is an operation applied to the bound variables, in their order.
fn is_applied(body: &Graph, variables: &[Variable]) -> bool {
    let parts = body.operation().operands();
    let is_own = |(part, v): (&&Graph, &Variable)| matches!(part.operation(), NodeOperation::Variable(w) if w == v);
    parts.len() == variables.len() && parts.iter().zip(variables).all(is_own)
}

/// A function that computes the adjoint of a map of some variables, one graph for each of them that occurs.
type Adjoint<'a> = dyn Fn(&[Variable], &Graph) -> Vec<Option<Graph>> + 'a;

/// A body with variables for its captures.
struct OpenedBody {
    /// The variables, with the subterms that they replace.
    captures: Vec<(Variable, Graph)>,
    body: Graph,
}

impl OpenedBody {
    /// Opens the body of a binder of the variables `bound`.
    fn new(moving: &mut FreeOccurrences, bound: &[Variable], body: &Graph) -> Self {
        let opened = Self::open_at(find_captures(moving, bound, body), body);
        if !moving.without_cache().occur_in(&opened.body) {
            return opened;
        }
        // an inner binder hides a variable of the same name; then each free variable is a capture, and no larger term
        // is
        let moves = |v: &Variable| moving.contains(*v) && !bound.contains(v);
        Self::open_at(body.free_variables().into_iter().filter(moves).map(Graph::variable).collect(), body)
    }

    /// Replaces the subterms `parts` of the body by variables.
    fn open_at(parts: Vec<Graph>, body: &Graph) -> Self {
        let captures: Vec<_> = parts.into_iter().map(|part| (Variable::fresh(), part)).collect();
        let is_variable = |g: &Graph| match g.operation() {
            NodeOperation::Variable(v) => Some(*v),
            _ => None,
        };
        let renamed = captures.iter().filter_map(|(v, part)| Some((is_variable(part)?, Graph::variable(*v))));
        let renamed: Vec<_> = renamed.collect();
        let mut opening = Substitution::new(&renamed);
        for (v, part) in captures.iter().filter(|(_, part)| is_variable(part).is_none()) {
            opening.replace_node(part, Graph::variable(*v));
        }
        let body = opening.apply(body);
        Self { captures, body }
    }

    /// Returns the cotangents of the operands and captures of the node.
    fn pull_back(&self, adjoint: &Adjoint, node: &Graph, w: &Graph) -> CotangentContributions {
        let handed = match node.operation() {
            NodeOperation::Derivative(d) => self.derivative_adjoint(adjoint, d, w),
            NodeOperation::Second(SecondOrder::CutRoot, v, _) => self.root_adjoint(adjoint, *v, node, w),
            NodeOperation::Second(primitive, v, _) => self.local_jacobian(*primitive, *v, w),
            _ => Vec::new(),
        };
        handed.into_iter().map(|(part, cotangent)| (part, cotangent.at_site(node.site()))).collect()
    }

    fn capture_variables(&self) -> Vec<Variable> {
        self.captures.iter().map(|(v, _)| *v).collect()
    }

    /// Pairs the captures with the cotangents of their variables.
    fn to_captures(&self, found: impl Iterator<Item = Option<Graph>>) -> CotangentContributions {
        let found = self.captures.iter().zip(found);
        found.filter_map(|((_, capture), cotangent)| Some((capture.clone(), cotangent?))).collect()
    }

    /// Returns `-w/f′(r)·∂f/∂c` at x = r, the root, for each capture c (implicit function theorem).
    fn root_adjoint(&self, adjoint: &Adjoint, v: Variable, root: &Graph, w: &Graph) -> CotangentContributions {
        let (at, along) = (vec![root.clone()], vec![Graph::integer(1)]);
        let slope = Graph::derivative(vec![v], self.body.clone(), at, along).substitute(&self.captures);
        let factor = -(w / &slope);
        let bindings: Vec<_> = self.captures.iter().cloned().chain([(v, root.clone())]).collect();
        let mut there = Substitution::new(&bindings);
        let mut at_root = |slope: Graph| &factor * there.apply(&slope);
        self.to_captures(
            adjoint(&self.capture_variables(), &self.body).into_iter().map(|slope| slope.map(&mut at_root)),
        )
    }

    /// Returns w times the derivative of the node in each capture, by forward mode.
    fn local_jacobian(&self, primitive: SecondOrder, v: Variable, w: &Graph) -> CotangentContributions {
        let node = Graph::second_order(primitive, v, self.body.clone());
        let (variables, at): (Vec<_>, Vec<_>) = self.captures.iter().cloned().unzip();
        let column = |(place, capture): (usize, &Graph)| {
            let slope = Graph::partial(variables.clone(), node.clone(), at.clone(), place);
            (capture.clone(), w * &slope)
        };
        at.iter().enumerate().map(column).collect()
    }

    /// Uses the symmetry of second derivatives. With a the adjoint of the body, the direction gets a; the point and the
    /// captures get the derivative of a along the direction.
    fn derivative_adjoint(&self, adjoint: &Adjoint, d: &Derivative, w: &Graph) -> CotangentContributions {
        let all: Vec<_> = d.variables.iter().copied().chain(self.capture_variables()).collect();
        let found = adjoint(&all, &self.body);
        let point: Vec<_> = d.variables.iter().copied().zip(d.at.iter().cloned()).collect();
        let bindings: Vec<_> = point.iter().chain(&self.captures).cloned().collect();
        let (mut there, mut back) = (Substitution::new(&bindings), Substitution::new(&self.captures));
        let places = d.at.iter().zip(&d.along).map(|(at, along)| (at, Some(along)));
        let places = places.chain(self.captures.iter().map(|(_, capture)| (capture, None)));
        let mut handed = Vec::new();
        for ((place, along), adjoint) in places.zip(found) {
            let Some(adjoint) = adjoint else { continue };
            let slope = Graph::derivative_node(Derivative { body: adjoint.clone(), ..d.clone() });
            handed.push((place.clone(), w * back.apply(&slope)));
            if let Some(along) = along {
                handed.push((along.clone(), w * there.apply(&adjoint)));
            }
        }
        handed
    }
}

/// Returns the maximal subterms of the body of a binder that mention no variable bound there, and depend on the inputs.
/// Each variable occurs once.
fn find_captures(moving: &mut FreeOccurrences, bound: &[Variable], body: &Graph) -> Vec<Graph> {
    let mut found = CaptureSearch {
        moving,
        bound: FreeOccurrences::new(bound),
        seen: FxHashSet::default(),
        variables: FxHashSet::default(),
        parts: Vec::new(),
    };
    found.visit_node(body);
    found.parts
}

struct CaptureSearch<'m> {
    moving: &'m mut FreeOccurrences,
    bound: FreeOccurrences,
    seen: FxHashSet<usize>,
    variables: FxHashSet<Variable>,
    parts: Vec<Graph>,
}

impl CaptureSearch<'_> {
    fn visit_node(&mut self, g: &Graph) {
        if !self.moving.occur_in(g) || !self.seen.insert(g.address()) {
            return;
        }
        if self.bound.occur_in(g) {
            return with_stack(|| {
                g.operation().operands().into_iter().for_each(|part| self.visit_node(part));
                // the captures of an inner binder may mention variables bound here, so they are split further
                if let Some((inner, body)) = g.operation().binder() {
                    find_captures(self.moving, inner, body).iter().for_each(|capture| self.visit_node(capture));
                }
            });
        }
        let is_known = matches!(g.operation(), NodeOperation::Variable(v) if !self.variables.insert(*v));
        if !is_known {
            self.parts.push(g.clone());
        }
    }
}

/// Returns the integrand, and its partial derivatives in some variables. Returns `None` if it may jump, or contains
/// operations that are not analysed.
pub(in crate::smooth) fn with_slopes(variables: &[Variable], body: &Graph) -> Option<Vec<Graph>> {
    let is_continuous = |g: &Graph| match g.operation() {
        NodeOperation::Unary(f, _) => *f != Unary::Signum,
        NodeOperation::Binary(f, ..) => !matches!(f, Binary::Planar(_)),
        NodeOperation::Second(primitive, ..) => *primitive == SecondOrder::Integral,
        NodeOperation::Primitive(..) | NodeOperation::Derivative(_) | NodeOperation::Select(..) => false,
        NodeOperation::Variable(_)
        | NodeOperation::Rational(_)
        | NodeOperation::Pi
        | NodeOperation::Euler
        | NodeOperation::Power(..) => true,
    };
    if !Graph::all_nodes([body]).into_iter().all(is_continuous) {
        return None;
    }
    let body = KinkReplacement::default().replace_kinks(body);
    let slopes = adjoint_graphs(&StandardReverseHooks, variables, std::slice::from_ref(&body), &[Graph::integer(1)]);
    let slopes = slopes.into_iter().map(|slope| slope.unwrap_or_else(|| Graph::integer(0)));
    Some(std::iter::once(body).chain(slopes).collect())
}

/// Replaces kinks outside binders by choices.
#[derive(Default)]
struct KinkReplacement(FxHashMap<usize, Graph>);

impl KinkReplacement {
    fn replace_kinks(&mut self, g: &Graph) -> Graph {
        if let Some(known) = self.0.get(&g.address()) {
            return known.clone();
        }
        let result = with_stack(|| self.rebuild_node(g)).at_site(g.site());
        self.0.insert(g.address(), result.clone());
        result
    }

    fn rebuild_node(&mut self, g: &Graph) -> Graph {
        let difference = |a: &Graph, b: &Graph| Guard::positive(&(a - b));
        match g.operation() {
            NodeOperation::Unary(Unary::Abs, a) => {
                let a = self.replace_kinks(a);
                Graph::select(&Guard::positive(&a), &a, &(-&a))
            }
            NodeOperation::Unary(f, a) => Graph::unary(*f, &self.replace_kinks(a)),
            NodeOperation::Binary(f, a, b) => match (f, self.replace_kinks(a), self.replace_kinks(b)) {
                // a maximum of a number with itself has no kink
                (Binary::Maximum | Binary::Minimum, a, b) if a.address() == b.address() => a,
                (Binary::Maximum, a, b) => Graph::select(&difference(&a, &b), &a, &b),
                (Binary::Minimum, a, b) => Graph::select(&difference(&a, &b), &b, &a),
                (f, a, b) => Graph::binary(*f, &a, &b),
            },
            NodeOperation::Power(a, e) => Graph::new(NodeOperation::Power(self.replace_kinks(a), *e)),
            _ => g.clone(),
        }
    }
}
