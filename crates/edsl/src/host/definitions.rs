//! Definitions of theories, and other texts of the language, as typed expressions.

use super::error::EdslError;
use super::expr::Expr;
use super::node::{ProgramNode, ProgramNodeKind};
use super::types::Type;
use crate::stack::with_stack;
use crate::syntax::data::DataType;
use crate::syntax::library::Library;
use crate::syntax::report;
use crate::syntax::source::SourceText;
use crate::syntax::ty::{Ty, TyKind};

/// Parses a program of type A. The text is often the name of a definition. A polymorphic program is specialised to the
/// type A. If its type is given by constructors, A may be a coproduct with the same alternatives.
///
/// # Errors
/// [`EdslError::InvalidProgram`] if the text is no program. [`EdslError::TypeMismatch`] if its type is not A or more general.
///
/// # Examples
/// ```
/// use smoothish_edsl::host::prelude::*;
/// use smoothish_edsl::syntax::library::Library;
/// let library = Library::default();
/// let twice = parse::<fn(fn(Real) -> Real) -> fn(Real) -> Real>(&library, r"\f x => f (f x)")?;
/// let answer = twice.apply(lam(|x: Expr<Real>| x.pow(2))).apply(3).enclose(1e-9)?;
/// assert!(answer.enclosure.contains(&81.into()));
/// assert!(parse::<Real>(&library, r"\f x => f (f x)").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse<A: Type>(library: &Library, text: &str) -> Result<Expr<A>, EdslError> {
    let (term, found) = library.infer_expression(text).map_err(|error| EdslError::InvalidProgram {
        rendered: report::render_error(&SourceText::new("program", text), &error),
        error: Box::new(error),
    })?;
    // The inferred type is the most general one, so A must be an instance of it.
    let expected = A::language_type();
    if !is_instance(&found, &expected, &mut Vec::new()) {
        return Err(EdslError::TypeMismatch { text: text.to_owned(), expected, found });
    }
    Ok(Expr::from_node(ProgramNode::new(ProgramNodeKind::Closed(term))))
}

/// Returns `true` if `special` results from `general` by a substitution of types for its variables. `variables` holds
/// the substitution so far.
fn is_instance(general: &Ty, special: &Ty, variables: &mut Vec<Option<Ty>>) -> bool {
    with_stack(|| match (general.kind(), special.kind()) {
        (TyKind::Variable(index, _), _) => {
            if variables.len() <= *index {
                variables.resize(index + 1, None);
            }
            // The first occurrence of a variable fixes its type; later ones must agree.
            variables[*index].get_or_insert_with(|| special.clone()) == special
        }
        (TyKind::Tuple(left), TyKind::Tuple(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| is_instance(l, r, variables))
        }
        (TyKind::Function(a, b), TyKind::Function(c, d)) | (TyKind::Iso(a, b), TyKind::Iso(c, d)) => {
            is_instance(a, c, variables) && is_instance(b, d, variables)
        }
        (TyKind::Data(data, left), TyKind::Data(other, right)) if data == other => {
            left.iter().zip(right).all(|(l, r)| is_instance(l, r, variables))
        }
        // A coproduct can stand for any data type with the same alternatives, because constructors are numbered. Lists
        // keep their own type.
        (TyKind::Data(data, left), TyKind::Data(other, right))
            if *other == DataType::sum(data.constructor_count()) && !data.is_list() =>
        {
            data.argument_types(left).iter().zip(right).all(|(l, r)| is_instance(l, r, variables))
        }
        (TyKind::Tangent(left), TyKind::Tangent(right)) => is_instance(left, right, variables),
        _ => general == special,
    })
}
