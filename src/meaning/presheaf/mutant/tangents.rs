//! Tan and its isomorphisms with one rule replaced.

use super::super::constants;
use super::binder;
use crate::mutation::Tangent as Rule;
use crate::presheaf::dynamic::{Element, Function};
use crate::presheaf::tangent::{self, Tangent};
use crate::smooth::graph::{Binary, Graph, Site, Variable};
use crate::syntax::constant::Constant;
use crate::value::ValueError;
use std::sync::Arc;

type Map = fn(&Element) -> Result<Element, ValueError>;
type Answer = Result<Element, ValueError>;

/// What a constant of tangents denotes instead, where the rule concerns it.
pub(super) fn apply(
    rule: Rule,
    constant: Constant,
    site: Site,
    arguments: &[Element],
) -> Result<Option<Element>, ValueError> {
    let sides = || constants::apply(constant, site, arguments);
    let with_to = |to: Map| -> Result<Option<Element>, ValueError> {
        Ok(Some(Element::Isomorphism(Function::new(to), sides()?.as_isomorphism()?.1.clone())))
    };
    let with_from = |from: Map| -> Result<Option<Element>, ValueError> {
        Ok(Some(Element::Isomorphism(sides()?.as_isomorphism()?.0.clone(), Function::new(from))))
    };
    match (rule, constant, arguments) {
        (Rule::RealToSwapped, Constant::TangentR, _) => with_to(|v| {
            let pair = tangent::real_to(v.as_tangent()?)?;
            let (x, dx) = pair.as_pair()?;
            Ok(Element::tuple([dx.clone(), x.clone()]))
        }),
        (Rule::RealToDoubled, Constant::TangentR, _) => with_to(|v| {
            let pair = tangent::real_to(v.as_tangent()?)?;
            let (x, dx) = pair.as_pair()?;
            let twice = Graph::binary(Binary::Multiply, &Graph::integer(2), dx.as_real()?);
            Ok(Element::tuple([x.clone(), Element::Real(twice)]))
        }),
        (Rule::RealFromSwapped, Constant::TangentR, _) => with_from(|p| {
            let (x, dx) = p.as_pair()?;
            Ok(tangent::real_from(dx.as_real()?, x.as_real()?))
        }),
        (Rule::RealFromFixed, Constant::TangentR, _) => {
            with_from(|p| Ok(tangent::real_from(p.as_pair()?.0.as_real()?, &Graph::integer(0))))
        }
        (Rule::ProductToSwapped, Constant::TangentProd, _) => with_to(|v| {
            let parts = tangent::product_to(v.as_tangent()?)?;
            Ok(Element::tuple(parts.as_tuple()?.iter().rev().cloned()))
        }),
        (Rule::ProductFromPoints, Constant::TangentProd, _) => {
            with_from(|p| product(p, |v| Tangent { at: reversed(&v.at), ..v }))
        }
        (Rule::ProductFromDirections, Constant::TangentProd, _) => {
            with_from(|p| product(p, |v| Tangent { along: reversed(&v.along), ..v }))
        }
        (Rule::ProductFromPrinted, Constant::TangentProd, _) => with_from(printed),
        (Rule::FunctionToValue, Constant::TangentToR, _) => with_to(|v| {
            let pair = tangent::function_to(v.as_tangent()?)?;
            let value = pair.as_pair()?.0;
            Ok(Element::tuple([value.clone(), value.clone()]))
        }),
        (Rule::FunctionToStage, Constant::TangentToR, _) => with_to(|v| {
            let v = v.as_tangent()?;
            let still = Tangent { element: tangent::tangent_value(v), ..(**v).clone() };
            tangent::function_to(&Arc::new(still))
        }),
        (Rule::FunctionToArgument, Constant::TangentToR, _) => with_to(|v| {
            let pair = tangent::function_to(v.as_tangent()?)?;
            let v = v.as_tangent()?.clone();
            let slope = Element::function(move |a| along_the_argument(&v, a));
            Ok(Element::tuple([pair.as_pair()?.0.clone(), slope]))
        }),
        (Rule::FunctionFromSwapped, Constant::TangentToR, _) => with_from(|p| {
            let (f, df) = p.as_pair()?;
            Ok(tangent::function_from(df.as_function()?, f.as_function()?))
        }),
        (Rule::FunctionFromPoint, Constant::TangentToR, _) => with_from(|p| {
            let (f, df) = p.as_pair()?;
            let v = tangent::function_from(f.as_function()?, df.as_function()?);
            let moved = Tangent { at: vec![Graph::integer(1)], ..(**v.as_tangent()?).clone() };
            Ok(Element::Tangent(Arc::new(moved)))
        }),
        (Rule::ValueMoved, Constant::TangentValue, [v]) => {
            let v = v.as_tangent()?;
            let at = v.at.iter().zip(&v.along).map(|(x, dx)| Graph::binary(Binary::Add, x, dx)).collect();
            Ok(Some(tangent::tangent_value(&Tangent { at, ..(**v).clone() })))
        }
        (Rule::Direction, Constant::Tangent, [f, v]) => {
            let v = v.as_tangent()?;
            let along = v.along.iter().map(|_| Graph::integer(0)).collect();
            tangent::tangent(f.as_function()?, &Tangent { along, ..(**v).clone() }).map(Some)
        }
        (Rule::NotRenamed, Constant::Tangent, [f, v]) => {
            let v = v.as_tangent()?;
            let element = f.as_function()?.apply(&v.element)?;
            Ok(Some(Element::Tangent(Arc::new(Tangent { element, ..(**v).clone() }))))
        }
        (Rule::NotRenamed, Constant::TangentToR, _) => with_to(|v| {
            let pair = tangent::function_to(v.as_tangent()?)?;
            let v = v.as_tangent()?.clone();
            let slope = Element::function(move |a| slope(&v, v.element.as_function()?.apply(a)?.as_real()?));
            Ok(Element::tuple([pair.as_pair()?.0.clone(), slope]))
        }),
        _ => binder(rule, constant, site, arguments),
    }
}

fn reversed(graphs: &[Graph]) -> Vec<Graph> {
    graphs.iter().rev().cloned().collect()
}

/// `tangentProd.from` with something done to the result.
fn product(parts: &Element, change: impl Fn(Tangent) -> Tangent) -> Answer {
    let parts: Result<Vec<_>, _> = parts.as_tuple()?.iter().map(|t| t.as_tangent().cloned()).collect();
    let right = tangent::product_from(&parts?);
    Ok(Element::Tangent(Arc::new(change((**right.as_tangent()?).clone()))))
}

/// Prop. 5.1 as printed: the second component at the point of the first, where that makes sense.
fn printed(parts: &Element) -> Answer {
    let parts: Result<Vec<_>, _> = parts.as_tuple()?.iter().map(|t| t.as_tangent().cloned()).collect();
    let mut parts = parts?;
    if let [first, rest @ ..] = &mut parts[..] {
        for part in rest.iter_mut().filter(|part| part.at.len() == first.at.len()) {
            *part = Arc::new(Tangent { at: first.at.clone(), along: first.along.clone(), ..(**part).clone() });
        }
    }
    Ok(tangent::product_from(&parts))
}

fn slope(v: &Tangent, g: &Graph) -> Answer {
    Ok(Element::Real(Graph::derivative(v.variables.clone(), g.clone(), v.at.clone(), v.along.clone())))
}

/// The derivative of the function in the stage and, where it is a number, in the argument: `e(Δ)(a + Σ(Δ - at))`.
fn along_the_argument(v: &Tangent, a: &Element) -> Answer {
    let v = v.renamed();
    let moved = match a {
        Element::Real(a) => {
            let offset =
                |(variable, at): (&Variable, &Graph)| Graph::binary(Binary::Subtract, &Graph::variable(*variable), at);
            let offsets = v.variables.iter().zip(&v.at).map(offset);
            Element::Real(offsets.fold(a.clone(), |sum, offset| Graph::binary(Binary::Add, &sum, &offset)))
        }
        other => other.clone(),
    };
    slope(&v, v.element.as_function()?.apply(&moved)?.as_real()?)
}
