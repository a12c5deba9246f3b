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

mod binder;
mod choice;
mod expansion;
mod hooks;
mod integrand;
mod rule;
mod together;

pub use expansion::{expands_exactly, second_derivatives, without_derivatives};
pub use hooks::{CotangentContributions, ReverseHooks, StandardReverseHooks};
pub(in crate::smooth) use integrand::with_slopes;

use crate::smooth::graph::{Binary, FreeOccurrences, Graph, NodeOperation, Unary, Variable};
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use binder::OpenedBody;
use rustc_hash::{FxHashMap, FxHashSet};
use together::AffineKink;

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
            Some(adjoint) => add_nonzero(&substitution.apply(&adjoint), &nearby),
            None => nearby.clone(),
        };
        adjoints.into_iter().map(component).collect()
    }
}

/// Returns `true` if the maps contain operations that may be undefined or jump. Maps without them are smooth or
/// Lipschitz near every point, so a sweep alone is enough.
fn may_be_undefined(outputs: &[Graph]) -> bool {
    Graph::all_nodes(outputs).into_iter().any(|g| match g.operation() {
        NodeOperation::Variable(_) | NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler => false,
        NodeOperation::Unary(Unary::Negate | Unary::Abs, _) => false,
        NodeOperation::Unary(Unary::Function(f), _) => !f.is_total() || !f.is_smooth(),
        NodeOperation::Unary(Unary::Signum, _) => true,
        NodeOperation::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, ..) => false,
        NodeOperation::Binary(Binary::Maximum | Binary::Minimum, ..) => false,
        NodeOperation::Binary(Binary::Divide | Binary::Planar(_), ..) => true,
        NodeOperation::Power(_, e) => e.numerator < 0 || e.denominator != 1,
        NodeOperation::Primitive(..)
        | NodeOperation::Derivative(_)
        | NodeOperation::Second(..)
        | NodeOperation::Select(..) => true,
    })
}

fn add_nonzero(a: &Graph, b: &Graph) -> Graph {
    match b.as_rational() {
        Some(q) if q.is_zero() => a.clone(),
        _ => Graph::binary(Binary::Add, a, b),
    }
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
        self.shared = together::shared_kinks(&self.kinks);
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
        if together::is_kink(node) {
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
            Some(known) => choice::add_on_branch(&known, &more, &|a, b| self.hooks.sum_cotangents(a, b)),
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
            (None, None) => rule::pull_back_node(node, w, &mut self.moving),
        };
        let handed = choice::pull_through_choices(cotangent, &mut |w| hooks.operand_cotangents(node, w, &mut library));
        for (part, cotangent) in handed {
            self.add_cotangent(&part, cotangent);
        }
    }
}
