//! Two other ways to a derivative: reverse sweeps and the Taylor macro.

use crate::law::graphs::map_parts;
use crate::law::term::{TermHead, TestTerm};
use crate::meaning::taylor::basis::Basis;
use crate::meaning::taylor::derive::derive_program;
use crate::smooth::graph::{Binary, Derivative, Graph, NodeOperation};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::syntax::term::{Term as Core, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;

/// The greatest number of nodes of a graph that is swept. Nested sweeps multiply its size. A choice: time against
/// coverage.
const MAX_GRAPH_NODES: usize = 20_000;

/// Returns a graph of the same number in which every derivative along a direction is a sum of partial derivatives from
/// one reverse sweep. Returns `None` if the graph has no derivative, or if the sweeps grow too large.
pub(super) fn by_reverse_sweeps(graph: &Graph) -> Option<Graph> {
    let differentiates = |g: &&Graph| matches!(g.operation(), NodeOperation::Derivative(_));
    Graph::all_nodes([graph]).into_iter().find(differentiates)?;
    let swept = rewrite_derivatives(graph, &mut FxHashMap::default())?;
    (Graph::all_nodes([&swept]).len() <= MAX_GRAPH_NODES).then_some(swept)
}

/// Rewrites all derivatives of a graph, the innermost first. Returns `None` if a body grows too large.
fn rewrite_derivatives(graph: &Graph, known: &mut FxHashMap<usize, Graph>) -> Option<Graph> {
    if let Some(known) = known.get(&graph.address()) {
        return Some(known.clone());
    }
    // `map_parts` cannot fail halfway, so a part that is too large is kept and the failure recorded
    let mut is_whole = true;
    let result = with_stack(|| {
        map_parts(graph, &mut |part| {
            rewrite_derivatives(part, known).unwrap_or_else(|| {
                is_whole = false;
                part.clone()
            })
        })
    });
    let result = match result.operation() {
        NodeOperation::Derivative(d) if Graph::all_nodes([&d.body]).len() > MAX_GRAPH_NODES => return None,
        NodeOperation::Derivative(d) => dot_with_gradient(d),
        _ => result,
    };
    known.insert(graph.address(), result.clone());
    is_whole.then_some(result)
}

/// Returns `D f(at)·along` as the inner product of the gradient `Jᵗ·1` with the direction.
fn dot_with_gradient(d: &Derivative) -> Graph {
    let slopes = Graph::reverse_mode(&d.variables, std::slice::from_ref(&d.body), &d.at, &[Graph::integer(1)]);
    let terms = slopes.iter().zip(&d.along).map(|(slope, along)| Graph::binary(Binary::Multiply, slope, along));
    terms.reduce(|a, b| Graph::binary(Binary::Add, &a, &b)).unwrap_or_else(|| Graph::integer(0))
}

/// Returns a derivative of order R as the last component of 𝒟_(1,R) of the function, at the jet of the point (H Thm 3).
/// Returns `None` if the program is no derivative, or if the macro has no rule for a part of it.
pub(super) fn derive_by_macro(program: &TestTerm) -> Option<Core> {
    let (function, point, order) = match_derivative(program)?;
    let function = function.to_core()?;
    let basis = Basis::new(1, order).ok()?;
    let derived = derive_program(&function, &Ty::function(Ty::real(), Ty::real()), &basis).ok()?.term;
    let core = |kind| Core::new(kind, Span::default());
    let constant = |n: usize| core(TermKind::Real((n as u64).into()));
    // the jet of the coordinate: its value, then the slope 1, then zeros
    let jet = std::iter::once(point.to_core()?).chain((1..=order).map(|degree| constant(usize::from(degree == 1))));
    let value = Core::apply(derived, core(TermKind::Tuple(jet.collect())), Span::default());
    let component = |index| core(TermKind::Project { tuple: value.clone(), index });
    // derivative formulas may have a value where the function has none; adding 0 times the value makes them undefined
    // there
    let apply = |f, a, b| {
        let f = Core::apply(core(TermKind::Constant(f)), a, Span::default());
        Core::apply(f, b, Span::default())
    };
    let nothing = apply(Constant::Multiply, constant(0), component(0));
    Some(apply(Constant::Add, nothing, component(order)))
}

/// Matches a program `deriv (\x => … deriv f x …) a`, and returns the function, the point and the order of
/// differentiation. Returns `None` if the program is no derivative.
fn match_derivative(program: &TestTerm) -> Option<(&TestTerm, &TestTerm, usize)> {
    let (mut function, point) = match_deriv(program)?;
    let mut order = 1;
    while let (TermHead::Lambda(x, _), [body]) = (&function.head, &function.parts[..]) {
        let Some((inner, at)) = match_deriv(body) else { break };
        // only `\x => deriv f x` with x not free in f is a derivative of f, and so of one order more
        if !matches!(&at.head, TermHead::Variable(y) if y == x)
            || inner.contains_head(&mut |h| matches!(h, TermHead::Variable(y) if y == x))
        {
            break;
        }
        (function, order) = (inner, order + 1);
    }
    Some((function, point, order))
}

/// Matches `deriv function point`. Returns `None` for other terms.
fn match_deriv(term: &TestTerm) -> Option<(&TestTerm, &TestTerm)> {
    match (&term.head, &term.parts[..]) {
        (TermHead::Call(Constant::Deriv), [function, point]) => Some((function, point)),
        _ => None,
    }
}
