//! Two other ways to a derivative: by reverse sweeps, and by the macro.

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

/// Sweeps inside of sweeps grow; a graph of more nodes is not looked at.
const LARGEST: usize = 20_000;

/// The same number, where every derivative along a direction is made of the partial derivatives of one reverse sweep; nothing
/// where there is no derivative, or the sweeps grow too large.
pub(super) fn reversed(graph: &Graph) -> Option<Graph> {
    let differentiates = |g: &&Graph| matches!(g.operation(), Operation::Derivative(_));
    Graph::nodes([graph]).into_iter().find(differentiates)?;
    let swept = swept(graph, &mut FxHashMap::default())?;
    (Graph::nodes([&swept]).len() <= LARGEST).then_some(swept)
}

fn swept(graph: &Graph, known: &mut FxHashMap<usize, Graph>) -> Option<Graph> {
    if let Some(known) = known.get(&graph.address()) {
        return Some(known.clone());
    }
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

/// `D f(at)·along` as the product of `Jᵗ·1` with the direction.
fn transposed(d: &Derivative) -> Graph {
    let slopes = Graph::reverse(&d.variables, std::slice::from_ref(&d.body), &d.at, &[Graph::integer(1)]);
    let terms = slopes.iter().zip(&d.along).map(|(slope, along)| Graph::binary(Binary::Multiply, slope, along));
    terms.reduce(|a, b| Graph::binary(Binary::Add, &a, &b)).unwrap_or_else(|| Graph::integer(0))
}

/// A derivative of order R as the last component of 𝒟_(1,R) of the function, at the jet of the point (H Thm 3); nothing where
/// the program is no derivative, or the macro has no rule for a part of it.
pub(super) fn by_the_macro(program: &Term) -> Option<Core> {
    let (function, point, order) = differentiated(program)?;
    let function = function.core()?;
    let basis = Basis::new(1, order).ok()?;
    let derived = derive(&function, &Ty::function(Ty::real(), Ty::real()), &basis).ok()?.term;
    let core = |kind| Core::new(kind, Span::default());
    let constant = |n: usize| core(TermKind::Real((n as u64).into()));
    // the jet of the coordinate
    let jet = std::iter::once(point.core()?).chain((1..=order).map(|degree| constant(usize::from(degree == 1))));
    let value = Core::apply(derived, core(TermKind::Tuple(jet.collect())), Span::default());
    let component = |index| core(TermKind::Project { tuple: value.clone(), index });
    // the formulas of derivatives go on where the function has no value
    let apply = |f, a, b| {
        let f = Core::apply(core(TermKind::Constant(f)), a, Span::default());
        Core::apply(f, b, Span::default())
    };
    let nothing = apply(Constant::Multiply, constant(0), component(0));
    Some(apply(Constant::Add, nothing, component(order)))
}

/// The function of a program `deriv (\x => … deriv f x …) a`, the point, and how often it is differentiated.
fn differentiated(program: &Term) -> Option<(&Term, &Term, usize)> {
    let (mut function, point) = slope(program)?;
    let mut order = 1;
    while let (Head::Lambda(x, _), [body]) = (&function.head, &function.parts[..]) {
        let Some((inner, at)) = slope(body) else { break };
        if !matches!(&at.head, Head::Variable(y) if y == x)
            || inner.any(&mut |h| matches!(h, Head::Variable(y) if y == x))
        {
            break;
        }
        (function, order) = (inner, order + 1);
    }
    Some((function, point, order))
}

fn slope(term: &Term) -> Option<(&Term, &Term)> {
    match (&term.head, &term.parts[..]) {
        (Head::Call(Constant::Deriv), [function, point]) => Some((function, point)),
        _ => None,
    }
}
