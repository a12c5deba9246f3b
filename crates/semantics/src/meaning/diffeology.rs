//! The language in diffeological spaces (H §4.1, §5.2; H16, H18, H21).
//!
//! A type denotes a space, [`TypeSpace`], and a closed term of function type a smooth map between two of these, [`smooth_map`].
//! Elements are those of the presheaf semantics: on an open of ℝⁿ, an element at the stage ℝⁿ. So a term acts on plots through
//! the presheaf interpreter. That this action is by smooth maps is a statement that can be refuted. It is refuted for programs
//! with `abs` and the like, which λ_S has and H lacks, where a plot hits a kink.
//!
//! | module | H |
//! |---|---|
//! | [`space`] | ⟦τ⟧ as a diffeological space, §4.1, §5.2 |
//! | [`sample`] | random elements of a type |
//! | [`dimension`] | a first-order type is ⊎ ℝ^{dᵢ}, Prop. 6 (H34) |
//! | [`category`] | values of the language as categories: presheaves, spaces |
//! | [`evaluation`] | no Euclidean space is ℝ^ℝ, App. A (H17) |

pub mod category;
pub mod dimension;
pub mod evaluation;
pub mod sample;
pub mod space;

pub use space::TypeSpace;

use crate::diffeology::DiffeologyError;
use crate::diffeology::map::SmoothMap;
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::syntax::constant::Constant;
use crate::syntax::mention::find_constant;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use std::sync::Arc;

/// Interprets a closed term of type A → B as a smooth map ⟦t⟧ : ⟦A⟧ → ⟦B⟧ (H21).
///
/// The map acts on each piece of a piecewise plot.
///
/// # Errors
/// [`DiffeologyError::Shape`] for a type that is no function type or has no space, [`DiffeologyError::Presheaf`] for a term
/// that cannot be interpreted.
///
/// # Examples
/// ```
/// use smoothish_semantics::diffeology::smoothness::default_smoothness_test;
/// use smoothish_semantics::meaning::diffeology::smooth_map;
/// use smoothish_semantics::number::budget::Budget;
/// use smoothish_semantics::syntax::library::Library;
/// use smoothish_semantics::verdict::Verdict;
/// use std::sync::Arc;
/// let library = Library::default();
/// let tried = |program: &str| {
///     let (term, ty) = library.infer_expression(program).expect("it has a type");
///     smooth_map(&term, &ty, &Arc::new(Budget::unlimited()))?.test_smoothness(&default_smoothness_test())
/// };
/// assert_eq!(tried(r"\(f : Real -> Real) => \x => f (f x) * sin x")?, Verdict::Survived);
/// assert!(tried(r"\(x : Real) => abs x")?.is_refuted());
/// # Ok::<(), smoothish_semantics::diffeology::DiffeologyError>(())
/// ```
pub fn smooth_map(
    term: &Term,
    ty: &Ty,
    budget: &Arc<Budget>,
) -> Result<SmoothMap<TypeSpace, TypeSpace>, DiffeologyError> {
    let TyKind::Function(domain, codomain) = ty.kind() else {
        return Err(DiffeologyError::Shape { expected: "a term of function type".into(), found: ty.to_string() });
    };
    // a comparison of reals is undefined on its border, so the term would denote a partial map
    if let Some(constant) = find_constant(term, Constant::compares_reals) {
        return Err(ValueError::Unsupported { model: "diffeology", construct: constant.describe_missing() }.into());
    }
    let (from, to) = (TypeSpace::new(domain.clone())?, TypeSpace::new(codomain.clone())?);
    let function = PresheafInterpreter::new(budget.clone()).interpret_program(term)?;
    let function = function.as_function()?.clone();
    Ok(SmoothMap::new(&from, &to, move |p| p.try_map_pieces(|element: &Element| Ok(function.apply(element)?))))
}
