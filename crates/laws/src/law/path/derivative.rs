//! Two other ways to a derivative: reverse sweeps and the Taylor macro.

use crate::law::graphs::with_parts;
use crate::law::term::{Head, Term};
use crate::meaning::taylor::basis::Basis;
use crate::meaning::taylor::derive::derive;
use crate::smooth::graph::{Binary, Derivative, Graph, Operation};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::syntax::term::{Term as Core, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;

/// The greatest number of nodes of a graph that is swept. Nested sweeps multiply its size. A choice: time against
/// coverage.
const LARGEST: usize = 20_000;

/// Returns a graph of the same number in which every derivative along a direction is a sum of partial derivatives from
/// one reverse sweep. Returns `None` if the graph has no derivative, or if the sweeps grow too large.
pub(super) fn reversed(graph: &Graph) -> Option<Graph> {
    let differentiates = |g: &&Graph| matches!(g.operation(), Operation::Derivative(_));
    Graph::nodes([graph]).into_iter().find(differentiates)?;
    let swept = swept(graph, &mut FxHashMap::default())?;
    (Graph::nodes([&swept]).len() <= LARGEST).then_some(swept)
}

/// Rewrites all derivatives of a graph, the innermost first. Returns `None` if a body grows too large.
fn swept(graph: &Graph, known: &mut FxHashMap<usize, Graph>) -> Option<Graph> {
    if let Some(known) = known.get(&graph.address()) {
        return Some(known.clone());
    }
    // `with_parts` cannot fail halfway, so a part that is too large is kept and the failure recorded
    let mut is_whole = true;
    let result = deep(|| {
        with_parts(graph, &mut |part| {
            swept(part, known).unwrap_or_else(|| {
                is_whole = false;
                part.clone()
            })
        })
    });
    let result = match result.operation() {
        Operation::Derivative(d) if Graph::nodes([&d.body]).len() > LARGEST => return None,
        Operation::Derivative(d) => transposed(d),
        _ => result,
    };
    known.insert(graph.address(), result.clone());
    is_whole.then_some(result)
}

/// Returns `D f(at)·along` as the inner product of the gradient `Jᵗ·1` with the direction.
fn transposed(d: &Derivative) -> Graph {
    let slopes = Graph::reverse(&d.variables, std::slice::from_ref(&d.body), &d.at, &[Graph::integer(1)]);
    let terms = slopes.iter().zip(&d.along).map(|(slope, along)| Graph::binary(Binary::Multiply, slope, along));
    terms.reduce(|a, b| Graph::binary(Binary::Add, &a, &b)).unwrap_or_else(|| Graph::integer(0))
}

/// Returns a derivative of order R as the last component of 𝒟_(1,R) of the function, at the jet of the point (H Thm 3).
/// Returns `None` if the program is no derivative, or if the macro has no rule for a part of it.
pub(super) fn by_the_macro(program: &Term) -> Option<Core> {
    let (function, point, order) = differentiated(program)?;
    let function = function.core()?;
    let basis = Basis::new(1, order).ok()?;
    let derived = derive(&function, &Ty::function(Ty::real(), Ty::real()), &basis).ok()?.term;
    let core = |kind| Core::new(kind, Span::default());
    let constant = |n: usize| core(TermKind::Real((n as u64).into()));
    // the jet of the coordinate: its value, then the slope 1, then zeros
    let jet = std::iter::once(point.core()?).chain((1..=order).map(|degree| constant(usize::from(degree == 1))));
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
fn differentiated(program: &Term) -> Option<(&Term, &Term, usize)> {
    let (mut function, point) = slope(program)?;
    let mut order = 1;
    while let (Head::Lambda(x, _), [body]) = (&function.head, &function.parts[..]) {
        let Some((inner, at)) = slope(body) else { break };
        // only `\x => deriv f x` with x not free in f is a derivative of f, and so of one order more
        if !matches!(&at.head, Head::Variable(y) if y == x)
            || inner.any(&mut |h| matches!(h, Head::Variable(y) if y == x))
        {
            break;
        }
        (function, order) = (inner, order + 1);
    }
    Some((function, point, order))
}

/// Matches `deriv function point`. Returns `None` for other terms.
fn slope(term: &Term) -> Option<(&Term, &Term)> {
    match (&term.head, &term.parts[..]) {
        (Head::Call(Constant::Deriv), [function, point]) => Some((function, point)),
        _ => None,
    }
}
