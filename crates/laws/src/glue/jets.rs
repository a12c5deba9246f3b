//! Jets, and the functor J^(k,R) on first-order spaces (H §6.3).
//!
//! A (k, R)-jet at x in M is a class \[γ\] of plots γ : ℝᵏ → M with γ(0) = x. Two plots are equivalent if all their
//! derivatives of order at most R agree at 0. A [`FirstOrderJet`] is a class, represented by one of its plots. First-order spaces
//! are M = ⊎ ℝ^{d_i} (Prop. 6). A plot into such a space is a constant discrete shape together with a list of graphs.
//!
//! | here | H §6.3 |
//! |---|---|
//! | [`FirstOrderJet::push_forward`] | `J(f)(x, [γ]) = (f x, [γ;f])` |
//! | [`FirstOrderJet::test_equal`] | γ₁ ~ γ₂ |
//! | [`FirstOrderJet::from_coordinates`] | φ^{𝒟J} : ⟦𝒟τ⟧ → J(⟦τ⟧), `x_α ↦ [t ↦ Σ x_α t^α/α!]` (E35: the general form of x + x′t) |
//! | [`FirstOrderJet::coordinates`] | its inverse |
//! | [`FirstOrderJet::split_product`], [`FirstOrderJet::pair_jets`] | J(M₁ × M₂) ≅ J M₁ × J M₂ (Lemma 7) |
//! | [`FirstOrderJet::split_sum`], [`FirstOrderJet::inject_into`] | J(⊎ Mᵢ) ≅ ⊎ J Mᵢ (Lemma 7) |
//!
//! [`first_order`] tests the statements of H on these jets; [`manifold`] and [`bundle`] do so for manifolds given by
//! atlases.
//!
//! A jet is represented by a plot, and J(f) is composition. So the functor laws would hold by definition. The
//! tests therefore replace a representative by another one of its class in between. Manifolds have products and
//! sums with atlases of their own: with the product diffeology Lemma 7 would hold by definition.

pub mod bundle;
pub mod first_order;
pub mod manifold;

use super::claim;
use super::error::GlueError;
use super::judged::VerdictWithValues;
use super::representation;
use super::stage::{CompiledPlots, CoordinateSpace, TIERS, enclose_point};
use crate::meaning::taylor::basis::Basis;
use crate::number::Rational;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::smooth::graph::{Binary, Graph};
use crate::stack::with_stack;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::SharedBox;
use crate::value::ValueError;
use crate::verdict::Verdict;

/// The class at 0 of a plot ℝᵏ → M.
#[derive(Clone, Debug)]
pub struct FirstOrderJet {
    /// The coordinates of ℝᵏ in which the plot is given.
    stage: CoordinateSpace,
    /// The plot.
    curve: Element,
}

/// Collects the numbers of an element of a first-order type. Returns its shape, as text.
fn collect_numbers(element: &Element, numbers: &mut Vec<Graph>) -> Result<String, ValueError> {
    let mut all = |parts: &[&Element]| {
        let shapes: Result<Vec<_>, _> =
            parts.iter().map(|part| with_stack(|| collect_numbers(part, numbers))).collect();
        Ok(shapes?.join(" "))
    };
    Ok(match element {
        Element::Real(graph) => {
            numbers.push(graph.clone());
            "ℝ".to_owned()
        }
        Element::Unit => "()".to_owned(),
        Element::Natural(n) => n.to_string(),
        Element::Boolean(b) => b.to_string(),
        Element::Tuple(parts) => format!("({})", all(&parts.iter().collect::<Vec<_>>())?),
        Element::List(list) => format!("[{}]", all(&list.iter().collect::<Vec<_>>())?),
        Element::Variant(index, argument) => format!("in{index} {}", all(&[argument])?),
        // a function has no finite shape, so its type is not first-order
        Element::Function(_) | Element::Tangent(_) | Element::Isomorphism(..) => {
            return Err(ValueError::Mismatch {
                expected: "an element of a first-order type",
                found: element.kind().noun_phrase(),
            });
        }
    })
}

/// Replaces every real number of an element of a first-order type, which leads from ⟦𝒟τ⟧ to ⟦τ⟧ or back.
fn map_numbers(
    ty: &Ty,
    element: &Element,
    number: &mut impl FnMut(&Element) -> Result<Element, ValueError>,
) -> Result<Element, GlueError> {
    Ok(match ty.kind() {
        TyKind::Real => number(element)?,
        TyKind::Tuple(types) => {
            let parts = types.iter().zip(element.as_tuple()?).map(|(ty, part)| map_numbers(ty, part, number));
            Element::tuple_of(parts.collect::<Result<Vec<_>, _>>()?)
        }
        TyKind::Data(data, arguments) if data.is_list() => {
            let parts = element.as_list()?.iter().map(|part| map_numbers(&arguments[0], part, number));
            Element::List(parts.collect::<Result<Vec<_>, _>>()?.into_iter().collect())
        }
        TyKind::Data(data, arguments) => {
            let (index, argument) = element.as_variant()?;
            Element::Variant(
                index,
                SharedBox::new(with_stack(|| map_numbers(&data.argument_types(arguments)[index], argument, number))?),
            )
        }
        TyKind::Nat | TyKind::Bool | TyKind::Unit => element.clone(),
        TyKind::Function(..) | TyKind::Tangent(_) | TyKind::Iso(..) | TyKind::Variable(..) => {
            return Err(GlueError::Type { ty: ty.to_string() });
        }
    })
}

impl FirstOrderJet {
    /// Makes the class \[γ\] of a plot over a stage.
    #[must_use]
    pub fn new(stage: CoordinateSpace, curve: Element) -> Self {
        Self { stage, curve }
    }

    /// φ^{𝒟J}: returns the jet of an element of ⟦𝒟τ⟧.
    ///
    /// # Errors
    /// [`GlueError::Type`] for a type that is not first-order, [`GlueError::Element`].
    pub fn from_coordinates(ty: &Ty, element: &Element, basis: &Basis) -> Result<Self, GlueError> {
        let stage = CoordinateSpace::new(basis.directions());
        // the polynomial with these derivatives is the plot that represents the class
        let t: Vec<Graph> = stage.coordinate_plots().collect();
        let polynomial = |jet: &Element| {
            let coefficients = representation::jet_coordinates(jet)?;
            Ok(Element::Real(representation::taylor_polynomial(basis, &coefficients, &t)))
        };
        let curve = map_numbers(ty, element, &mut { polynomial })?;
        Ok(Self { stage, curve })
    }

    /// The inverse of φ^{𝒟J}: returns the element of ⟦𝒟τ⟧ of a jet in ⟦τ⟧.
    ///
    /// # Errors
    /// Those of [`FirstOrderJet::from_coordinates`].
    pub fn coordinates(&self, ty: &Ty, basis: &Basis) -> Result<Element, GlueError> {
        let origin: Vec<Graph> = self.stage.variables().iter().map(|_| Graph::integer(0)).collect();
        let derivatives = |number: &Element| {
            let graph = number.as_real()?;
            let at = |index| representation::partial_derivative(self.stage.variables(), graph, index, &origin);
            Ok(representation::jet_of(basis.indices().iter().map(at)))
        };
        map_numbers(ty, &self.curve, &mut { derivatives })
    }

    /// Returns J(f)(x, \[γ\]) = (f x, \[γ;f\]).
    ///
    /// # Errors
    /// Those of the map.
    pub fn push_forward(&self, f: &StageFunction) -> Result<Self, ValueError> {
        Ok(Self { stage: self.stage.clone(), curve: f.apply(&self.curve)? })
    }

    /// Returns the jets of the components of a jet in a product.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the jet is not in a product.
    pub fn split_product(&self) -> Result<Vec<Self>, ValueError> {
        let parts = self.curve.as_tuple()?;
        Ok(parts.iter().map(|part| Self { stage: self.stage.clone(), curve: part.clone() }).collect())
    }

    /// Returns the jet in a product of jets in the factors.
    #[must_use]
    pub fn pair_jets(parts: &[Self], directions: usize) -> Self {
        // the parts have stages of their own, so all are moved to a common one
        let stage = CoordinateSpace::new(directions);
        let curve = Element::tuple_of(
            parts.iter().map(|part| part.stage.substitute_point(&part.curve, stage.coordinate_plots())),
        );
        Self { stage, curve }
    }

    /// Returns the summand of a jet in a sum, and the jet there: plots of ℝᵏ stay in one summand.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the jet is not in a sum.
    pub fn split_sum(&self) -> Result<(usize, Self), ValueError> {
        let (index, argument) = self.curve.as_variant()?;
        Ok((index, Self { stage: self.stage.clone(), curve: argument.clone() }))
    }

    /// Returns the jet in a sum of a jet in one summand.
    #[must_use]
    pub fn inject_into(&self, index: usize) -> Self {
        Self { stage: self.stage.clone(), curve: Element::Variant(index, SharedBox::new(self.curve.clone())) }
    }

    /// Returns another plot of the same class: `t₁^{R+1}` is added to every number.
    ///
    /// # Errors
    /// Those of [`FirstOrderJet::from_coordinates`].
    pub fn equivalent_jet(&self, ty: &Ty, basis: &Basis) -> Result<Self, GlueError> {
        let first = Graph::variable(self.stage.variables()[0]);
        // a term of order R + 1 leaves all derivatives of order at most R at 0 as they are
        let beyond = (0..basis.order()).fold(first.clone(), |t, _| Graph::binary(Binary::Multiply, &t, &first));
        let moved = |number: &Element| Ok(Element::Real(Graph::binary(Binary::Add, number.as_real()?, &beyond)));
        Ok(Self { stage: self.stage.clone(), curve: map_numbers(ty, &self.curve, &mut { moved })? })
    }

    /// Tests whether two jets are equal: the same shape, and the same derivatives of order at most R at 0.
    ///
    /// # Errors
    /// [`GlueError::Number`]; [`GlueError::Element`] where the space is not first-order.
    pub fn test_equal(&self, other: &Self, basis: &Basis) -> Result<VerdictWithValues, GlueError> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let shapes = (collect_numbers(&self.curve, &mut left)?, collect_numbers(&other.curve, &mut right)?);
        if shapes.0 != shapes.1 {
            return Ok(Verdict::refuted("the summands of two jets", shapes.0, shapes.1).into());
        }
        let (left, right) =
            (CompiledPlots::new(self.stage.variables(), &left)?, CompiledPlots::new(other.stage.variables(), &right)?);
        test_overlap(&left, &right, basis, "number")
    }
}

/// Tests whether the derivatives of order at most R of two lists of numbers overlap at 0.
fn test_overlap(
    left: &CompiledPlots,
    right: &CompiledPlots,
    basis: &Basis,
    what: &str,
) -> Result<VerdictWithValues, GlueError> {
    let origin = vec![Rational::new(); basis.directions()];
    let mut judged = VerdictWithValues::from(Verdict::Vacuous);
    // a wider arithmetic only as long as the result is vacuous
    for tier in TIERS {
        let of = |plots: &CompiledPlots| {
            Ok::<_, GlueError>(plots.enclose_derivatives(&enclose_point(&origin, tier), basis, tier)?.concat())
        };
        let name = |place: usize| {
            format!("{} of {what} {}, at 0", claim::coordinate_name(basis, place % basis.len()), place / basis.len())
        };
        let (left, right) = (of(left)?, of(right)?);
        judged = claim::compare_jets(basis, &left, &right, name);
        if judged.verdict != Verdict::Vacuous {
            break;
        }
    }
    Ok(judged)
}
