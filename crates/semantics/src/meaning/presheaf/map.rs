//! Programs as maps between vector spaces.

use super::Interpreter;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::smooth::dimension::Hidden;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::Map;
use crate::smooth::map::untyped::Untyped;
use crate::stack::deep;
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
/// Those of [`Interpreter::interpret`].
pub fn map(term: &Term, ty: &Ty, budget: &Arc<Budget>) -> Result<Option<Map<Hidden, Hidden>>, ValueError> {
    let mut variables = Vec::new();
    let (mut arguments, mut rest) = (Vec::new(), ty);
    while let TyKind::Function(domain, codomain) = rest.kind() {
        let Some(argument) = point(domain, &mut variables) else { return Ok(None) };
        arguments.push(argument);
        rest = codomain;
    }
    if arguments.is_empty() || !is_vector(rest) {
        return Ok(None);
    }
    let mut value = Interpreter::new(budget.clone()).interpret(term)?;
    for argument in &arguments {
        value = value.as_function()?.apply(argument)?;
    }
    let outputs: Vec<_> = value.coordinates()?.into_iter().cloned().collect();
    Ok(Untyped::of_graphs(&variables, &outputs).map(Map::hidden).ok())
}

/// Returns a vector of a type with new variables as coordinates; `None` if the type is not one of vectors.
fn point(ty: &Ty, variables: &mut Vec<Variable>) -> Option<Element> {
    deep(|| match ty.kind() {
        TyKind::Real => {
            let variable = Variable::fresh();
            variables.push(variable);
            Some(Element::Real(Graph::variable(variable)))
        }
        TyKind::Unit => Some(Element::Unit),
        TyKind::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|part| point(part, variables)).collect();
            Some(Element::tuple(parts?))
        }
        _ => None,
    })
}

fn is_vector(ty: &Ty) -> bool {
    deep(|| match ty.kind() {
        TyKind::Real | TyKind::Unit => true,
        TyKind::Tuple(parts) => parts.iter().all(is_vector),
        _ => false,
    })
}
