//! Mutants of Tan, its isomorphisms, and the binders of derivatives.

use crate::meaning::presheaf;
use crate::presheaf::dynamic;
use crate::presheaf::dynamic::{Element, StageFunction, TangentElement as Vector};
use crate::smooth::graph::{Binary, Graph, SourceId, Variable};
use crate::syntax::constant::Constant;
use crate::value::ValueError;
use std::sync::{Arc, OnceLock};

rules! {
    /// Tan, its isomorphisms, and the binders of derivatives.
    Tangent {
        RealToSwapped "tangent_r_to_swapped", "tangent_R.to is value and derivative (Prop. 5.2, S50)" => "derivative and value";
        RealToDoubled "tangent_r_to_doubled", "tangent_R.to is value and derivative (Prop. 5.2, S50)" => "twice the derivative";
        RealFromSwapped "tangent_r_from_swapped", "the base point of tangent_R.from is the first (S50)" => "the second";
        RealFromFixed "tangent_r_from_fixed", "tangent_R.from has the second for its direction (S50)" => "0";
        ProductToSwapped "tangent_prod_to_swapped", "tangentProd.to is by the projections, in order (Prop. 5.1, S51)" => "in reverse";
        ProductFromPoints "tangent_prod_from_points", "tangentProd.from has the points in order (S51)" => "in reverse";
        ProductFromDirections "tangent_prod_from_directions", "tangentProd.from has the directions in order (S51)" => "in reverse";
        ProductFromPrinted "tangent_prod_from_printed", "tangentProd.from is (f(x), g(y)) (E10)" => "(f(x), g(x)), as printed";
        FunctionToValue "tangent_to_r_to_value", "the second of tangentTo_R.to is the derivative at a fixed argument (Prop. 5.3, S52)" => "the value";
        FunctionToStage "tangent_to_r_to_stage", "a tangent to functions is differentiated in the stage (E9)" => "restricted first";
        FunctionToArgument "tangent_to_r_to_argument", "the argument is fixed: along (d, 0) (E9)" => "along (d, d)";
        FunctionFromSwapped "tangent_to_r_from_swapped", "tangentTo_R.from (f, g) is the curve f + s g (S52)" => "g + s f";
        FunctionFromPoint "tangent_to_r_from_point", "tangentTo_R.from (f, g) is the curve f + s g at s = 0 (S52)" => "at s = 1";
        ValueMoved "tangent_value_moved", "tangentValue is the element at the point (S49)" => "at the point moved along the direction";
        Direction "tangent_without_direction", "tangent f keeps the direction (S48)" => "0";
        NotRenamed "tangent_not_renamed", "a tangent is renamed before its element is used (X6)" => "its coordinates are taken as they are";
        DerivNotFresh "deriv_variable_not_fresh", "deriv binds a fresh variable (T13)" => "always the same one";
        PrimitiveNotFresh "primitive_variable_not_fresh", "integral01 and its like bind a fresh variable (S47)" => "always the same one";
    }
}

/// One direction of an isomorphism.
type ElementMap = fn(&Element) -> Result<Element, ValueError>;
/// An element, or the reason why there is none.
type ElementResult = Result<Element, ValueError>;

/// Returns the wrong value of a constant of tangents; `None` if the rule does not concern it.
pub(super) fn wrong_tangent_constant(
    rule: Tangent,
    constant: Constant,
    site: SourceId,
    arguments: &[Element],
) -> Result<Option<Element>, ValueError> {
    let sides = || presheaf::apply_to_elements(constant, site, arguments);
    // an isomorphism has two directions; a rule replaces one and keeps the other
    let with_to = |to: ElementMap| -> Result<Option<Element>, ValueError> {
        Ok(Some(Element::Isomorphism(StageFunction::new(to), sides()?.as_isomorphism()?.1.clone())))
    };
    let with_from = |from: ElementMap| -> Result<Option<Element>, ValueError> {
        Ok(Some(Element::Isomorphism(sides()?.as_isomorphism()?.0.clone(), StageFunction::new(from))))
    };
    match (rule, constant, arguments) {
        (Tangent::RealToSwapped, Constant::TangentR, _) => with_to(|v| {
            let pair = dynamic::real_to(v.as_tangent()?)?;
            let (x, dx) = pair.as_pair()?;
            Ok(Element::tuple_of([dx.clone(), x.clone()]))
        }),
        (Tangent::RealToDoubled, Constant::TangentR, _) => with_to(|v| {
            let pair = dynamic::real_to(v.as_tangent()?)?;
            let (x, dx) = pair.as_pair()?;
            let twice = Graph::binary(Binary::Multiply, &Graph::integer(2), dx.as_real()?);
            Ok(Element::tuple_of([x.clone(), Element::Real(twice)]))
        }),
        (Tangent::RealFromSwapped, Constant::TangentR, _) => with_from(|p| {
            let (x, dx) = p.as_pair()?;
            Ok(dynamic::real_from(dx.as_real()?, x.as_real()?))
        }),
        (Tangent::RealFromFixed, Constant::TangentR, _) => {
            with_from(|p| Ok(dynamic::real_from(p.as_pair()?.0.as_real()?, &Graph::integer(0))))
        }
        (Tangent::ProductToSwapped, Constant::TangentProd, _) => with_to(|v| {
            let parts = dynamic::product_to(v.as_tangent()?)?;
            Ok(Element::tuple_of(parts.as_tuple()?.iter().rev().cloned()))
        }),
        (Tangent::ProductFromPoints, Constant::TangentProd, _) => {
            with_from(|p| change_product_from(p, |v| Vector { at: reverse_graphs(&v.at), ..v }))
        }
        (Tangent::ProductFromDirections, Constant::TangentProd, _) => {
            with_from(|p| change_product_from(p, |v| Vector { along: reverse_graphs(&v.along), ..v }))
        }
        (Tangent::ProductFromPrinted, Constant::TangentProd, _) => with_from(product_from_as_printed),
        (Tangent::FunctionToValue, Constant::TangentToR, _) => with_to(|v| {
            let pair = dynamic::function_to(v.as_tangent()?)?;
            let value = pair.as_pair()?.0;
            Ok(Element::tuple_of([value.clone(), value.clone()]))
        }),
        (Tangent::FunctionToStage, Constant::TangentToR, _) => with_to(|v| {
            let v = v.as_tangent()?;
            let still = Vector { element: dynamic::tangent_value(v), ..(**v).clone() };
            dynamic::function_to(&Arc::new(still))
        }),
        (Tangent::FunctionToArgument, Constant::TangentToR, _) => with_to(|v| {
            let pair = dynamic::function_to(v.as_tangent()?)?;
            let v = v.as_tangent()?.clone();
            let slope = Element::from_closure(move |a| along_the_argument(&v, a));
            Ok(Element::tuple_of([pair.as_pair()?.0.clone(), slope]))
        }),
        (Tangent::FunctionFromSwapped, Constant::TangentToR, _) => with_from(|p| {
            let (f, df) = p.as_pair()?;
            Ok(dynamic::function_from(df.as_function()?, f.as_function()?))
        }),
        (Tangent::FunctionFromPoint, Constant::TangentToR, _) => with_from(|p| {
            let (f, df) = p.as_pair()?;
            let v = dynamic::function_from(f.as_function()?, df.as_function()?);
            // the curve f + s g is evaluated one unit further
            let moved = Vector { at: vec![Graph::integer(1)], ..(**v.as_tangent()?).clone() };
            Ok(Element::Tangent(Arc::new(moved)))
        }),
        (Tangent::ValueMoved, Constant::TangentValue, [v]) => {
            let v = v.as_tangent()?;
            let at = v.at.iter().zip(&v.along).map(|(x, dx)| Graph::binary(Binary::Add, x, dx)).collect();
            Ok(Some(dynamic::tangent_value(&Vector { at, ..(**v).clone() })))
        }
        (Tangent::Direction, Constant::Tangent, [f, v]) => {
            let v = v.as_tangent()?;
            let along = v.along.iter().map(|_| Graph::integer(0)).collect();
            dynamic::tangent_map(f.as_function()?, &Vector { along, ..(**v).clone() }).map(Some)
        }
        // without renaming, coordinates of the stage are captured by the function
        (Tangent::NotRenamed, Constant::Tangent, [f, v]) => {
            let v = v.as_tangent()?;
            let element = f.as_function()?.apply(&v.element)?;
            Ok(Some(Element::Tangent(Arc::new(Vector { element, ..(**v).clone() }))))
        }
        (Tangent::NotRenamed, Constant::TangentToR, _) => with_to(|v| {
            let pair = dynamic::function_to(v.as_tangent()?)?;
            let v = v.as_tangent()?.clone();
            let slope =
                Element::from_closure(move |a| stage_derivative(&v, v.element.as_function()?.apply(a)?.as_real()?));
            Ok(Element::tuple_of([pair.as_pair()?.0.clone(), slope]))
        }),
        _ => wrong_binder(rule, constant, site, arguments),
    }
}

/// Returns the graphs in reverse order.
fn reverse_graphs(graphs: &[Graph]) -> Vec<Graph> {
    graphs.iter().rev().cloned().collect()
}

/// Computes `tangentProd.from`, and changes its result.
fn change_product_from(parts: &Element, change: impl Fn(Vector) -> Vector) -> ElementResult {
    let parts: Result<Vec<_>, _> = parts.as_tuple()?.iter().map(|t| t.as_tangent().cloned()).collect();
    let right = dynamic::product_from(&parts?);
    Ok(Element::Tangent(Arc::new(change((**right.as_tangent()?).clone()))))
}

/// Returns Prop. 5.1 as printed: the second component at the point of the first, if their dimensions agree.
fn product_from_as_printed(parts: &Element) -> ElementResult {
    let parts: Result<Vec<_>, _> = parts.as_tuple()?.iter().map(|t| t.as_tangent().cloned()).collect();
    let mut parts = parts?;
    if let [first, rest @ ..] = &mut parts[..] {
        for part in rest.iter_mut().filter(|part| part.at.len() == first.at.len()) {
            *part = Arc::new(Vector { at: first.at.clone(), along: first.along.clone(), ..(**part).clone() });
        }
    }
    Ok(dynamic::product_from(&parts))
}

/// Returns the derivative of `g` at the point and along the direction of a tangent.
fn stage_derivative(v: &Vector, g: &Graph) -> ElementResult {
    Ok(Element::Real(Graph::derivative(v.variables.clone(), g.clone(), v.at.clone(), v.along.clone())))
}

/// Returns the derivative of the function in the stage and, if the argument is a number, in the argument: `e(Δ)(a + Σ(Δ
/// - at))`.
fn along_the_argument(v: &Vector, a: &Element) -> ElementResult {
    let v = v.rename_variables();
    let moved = match a {
        Element::Real(a) => {
            let offset =
                |(variable, at): (&Variable, &Graph)| Graph::binary(Binary::Subtract, &Graph::variable(*variable), at);
            let offsets = v.variables.iter().zip(&v.at).map(offset);
            Element::Real(offsets.fold(a.clone(), |sum, offset| Graph::binary(Binary::Add, &sum, &offset)))
        }
        other => other.clone(),
    };
    stage_derivative(&v, v.element.as_function()?.apply(&moved)?.as_real()?)
}

/// Returns the one variable that the mutants bind instead of a fresh one.
fn stale_variable() -> Variable {
    static STALE: OnceLock<Variable> = OnceLock::new();
    *STALE.get_or_init(Variable::fresh)
}

/// Returns the body of a function at the variable that is not fresh.
fn open_at_stale(f: &Element) -> Result<(Variable, Graph), ValueError> {
    let body = f.as_function()?.apply(&Element::Real(Graph::variable(stale_variable())))?;
    Ok((stale_variable(), body.as_real()?.clone()))
}

/// Returns `deriv` or a second-order primitive with a variable that is not fresh; `None` if the rule does not concern
/// the constant.
fn wrong_binder(
    rule: Tangent,
    constant: Constant,
    site: SourceId,
    arguments: &[Element],
) -> Result<Option<Element>, ValueError> {
    Ok(match (rule, constant, constant.as_functional(), arguments) {
        (Tangent::DerivNotFresh, Constant::Deriv, _, [f, x]) => {
            let (variable, body) = open_at_stale(f)?;
            let (at, along) = (vec![x.as_real()?.clone()], vec![Graph::integer(1)]);
            Some(Element::Real(Graph::derivative(vec![variable], body, at, along)))
        }
        (Tangent::PrimitiveNotFresh, _, Some(functional), [f]) => {
            let (variable, body) = open_at_stale(f)?;
            Some(Element::Real(Graph::apply_functional(functional, variable, &body, site)))
        }
        _ => None,
    })
}
