//! Programs as maps between vector spaces.

use super::PresheafInterpreter;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::smooth::dimension::Dyn;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::Map;
use crate::smooth::map::untyped::DynMap;
use crate::stack::with_stack;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use std::sync::Arc;

/// Returns the map ℝⁿ ⇝ ℝᵐ that a closed program denotes.
///
/// The type is `A -> B`, or `A -> B -> C` and so on, where all of these are vectors: real numbers, tuples of vectors, unit. The n
/// coordinates are those of the arguments from left to right, the m coordinates those of the value.
///
/// Returns `None` for a program of another type.
///
/// # Errors
/// Those of [`PresheafInterpreter::interpret_program`].
pub fn map_of_program(term: &Term, ty: &Ty, budget: &Arc<Budget>) -> Result<Option<Map<Dyn, Dyn>>, ValueError> {
    let mut variables = Vec::new();
    let (mut arguments, mut rest) = (Vec::new(), ty);
    while let TyKind::Function(domain, codomain) = rest.kind() {
        let Some(argument) = vector_of_variables(domain, &mut variables) else { return Ok(None) };
        arguments.push(argument);
        rest = codomain;
    }
    if arguments.is_empty() || !is_vector(rest) {
        return Ok(None);
    }
    let mut value = PresheafInterpreter::new(budget.clone()).interpret_program(term)?;
    for argument in &arguments {
        value = value.as_function()?.apply(argument)?;
    }
    let outputs: Vec<_> = value.coordinates()?.into_iter().cloned().collect();
    Ok(DynMap::of_graphs(&variables, &outputs).map(Map::from_dyn).ok())
}

/// Returns a vector of a type with new variables as coordinates; `None` if the type is not one of vectors.
fn vector_of_variables(ty: &Ty, variables: &mut Vec<Variable>) -> Option<Element> {
    with_stack(|| match ty.kind() {
        TyKind::Real => {
            let variable = Variable::fresh();
            variables.push(variable);
            Some(Element::Real(Graph::variable(variable)))
        }
        TyKind::Unit => Some(Element::Unit),
        TyKind::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|part| vector_of_variables(part, variables)).collect();
            Some(Element::tuple_of(parts?))
        }
        _ => None,
    })
}

fn is_vector(ty: &Ty) -> bool {
    with_stack(|| match ty.kind() {
        TyKind::Real | TyKind::Unit => true,
        TyKind::Tuple(parts) => parts.iter().all(is_vector),
        _ => false,
    })
}
