//! Arrows of Gl_k: pairs of maps that preserve S, and their composition (H §6.2, Prop. 5).
//!
//! A pair is refuted by one related pair of plots that it maps to an unrelated one. The constructions that make Gl_k
//! bicartesian closed with lists act on each of the two maps separately.

use super::error::GlueError;
use super::judged::VerdictWithValues;
use super::object::{GluingObject, PairSampler};
use super::scope::{PlotPair, PlotScope};
use super::stage::CoordinateSpace;
use crate::number::Rational;
use crate::presheaf::arrows;
use crate::presheaf::dynamic::StageFunction;
use crate::value::ValueError;

/// A pair of maps X → Y and X′ → Y′ that should preserve S.
#[derive(Clone, Debug)]
pub struct GluingMorphism {
    /// The domain (X, X′, S).
    pub domain: GluingObject,
    /// The codomain (Y, Y′, T).
    pub codomain: GluingObject,
    /// The map X → Y.
    pub left: StageFunction,
    /// The map X′ → Y′.
    pub right: StageFunction,
}

impl GluingMorphism {
    /// Makes the pair of a map with itself, for constructions that are the same on both sides.
    fn same_on_both_sides(domain: &GluingObject, codomain: &GluingObject, map: StageFunction) -> Self {
        Self { domain: domain.clone(), codomain: codomain.clone(), left: map.clone(), right: map }
    }

    /// Applies the same construction to both maps of other morphisms.
    fn from_parts<const N: usize>(
        domain: &GluingObject,
        codomain: &GluingObject,
        parts: [&Self; N],
        make: fn([&StageFunction; N]) -> StageFunction,
    ) -> Self {
        let (left, right) = (make(parts.map(|part| &part.left)), make(parts.map(|part| &part.right)));
        Self { domain: domain.clone(), codomain: codomain.clone(), left, right }
    }

    /// Draws a random morphism.
    ///
    /// # Errors
    /// Those of the functions in scope.
    pub fn draw_morphism(
        domain: &GluingObject,
        codomain: &GluingObject,
        sampler: &mut PairSampler<'_>,
    ) -> Result<Self, ValueError> {
        let pair = sampler.draw_pair(&GluingObject::exponential(domain, codomain))?;
        let (left, right) = (pair.plot.as_function()?.clone(), pair.representation.as_function()?.clone());
        Ok(Self { domain: domain.clone(), codomain: codomain.clone(), left, right })
    }

    /// The identity.
    #[must_use]
    pub fn identity(object: &GluingObject) -> Self {
        Self::same_on_both_sides(object, object, arrows::identity_arrow())
    }

    /// The composite g ∘ self.
    #[must_use]
    pub fn then(&self, g: &Self) -> Self {
        Self::from_parts(&self.domain, &g.codomain, [self, g], arrows::compose_arrows)
    }

    /// The map ! : A → 1.
    #[must_use]
    pub fn terminal(object: &GluingObject) -> Self {
        Self::same_on_both_sides(object, &GluingObject::product(&[]), arrows::terminal_arrow())
    }

    /// The pair ⟨self, g⟩ : A → B × C.
    #[must_use]
    pub fn pair(&self, g: &Self) -> Self {
        let codomain = GluingObject::product(&[self.codomain.clone(), g.codomain.clone()]);
        Self::from_parts(&self.domain, &codomain, [self, g], arrows::pair_arrows)
    }

    /// The projection πᵢ : A₁ × A₂ → Aᵢ, with i counted from 0.
    #[must_use]
    pub fn projection(parts: &[GluingObject; 2], index: usize) -> Self {
        let index = index.min(1);
        Self::same_on_both_sides(&GluingObject::product(parts), &parts[index], arrows::projection_arrow(index))
    }

    /// Returns A → (B → C), for self : A × B → C.
    #[must_use]
    pub fn curry(&self, [a, b]: &[GluingObject; 2]) -> Self {
        let codomain = GluingObject::exponential(b, &self.codomain);
        Self::from_parts(a, &codomain, [self], arrows::curry_arrow)
    }

    /// The evaluation (A → B) × A → B.
    #[must_use]
    pub fn evaluation(a: &GluingObject, b: &GluingObject) -> Self {
        let domain = GluingObject::product(&[GluingObject::exponential(a, b), a.clone()]);
        Self::same_on_both_sides(&domain, b, arrows::evaluation_arrow())
    }

    /// The injection inᵢ : Aᵢ → A₁ + A₂ into a sum.
    #[must_use]
    pub fn injection(part: &GluingObject, sum: &GluingObject, index: usize) -> Self {
        Self::same_on_both_sides(part, sum, arrows::injection_arrow(index))
    }

    /// The copair [self, g] : A₁ + A₂ → B, from a sum.
    #[must_use]
    pub fn case(&self, g: &Self, sum: &GluingObject) -> Self {
        Self::from_parts(sum, &self.codomain, [self, g], arrows::copair_arrows)
    }

    /// The map ? : 0 → A.
    #[must_use]
    pub fn initial(zero: &GluingObject, object: &GluingObject) -> Self {
        Self::same_on_both_sides(zero, object, arrows::initial_arrow())
    }

    /// The empty list, 1 → List A.
    #[must_use]
    pub fn nil(element: &GluingObject) -> Self {
        Self::same_on_both_sides(&GluingObject::product(&[]), &GluingObject::list(element), arrows::nil_arrow())
    }

    /// The constructor A × List A → List A.
    #[must_use]
    pub fn cons(element: &GluingObject) -> Self {
        let list = GluingObject::list(element);
        Self::same_on_both_sides(&GluingObject::product(&[element.clone(), list.clone()]), &list, arrows::cons_arrow())
    }

    /// The fold List A → B, for self : A × B → B and a start 1 → B.
    #[must_use]
    pub fn fold(&self, start: &Self, element: &GluingObject) -> Self {
        Self::from_parts(&GluingObject::list(element), &self.codomain, [start, self], arrows::fold_list)
    }

    /// The fold Tree A → B, for self : B × A × B → B and a start 1 → B.
    #[must_use]
    pub fn fold_tree(&self, start: &Self, tree: &GluingObject) -> Self {
        Self::from_parts(tree, &self.codomain, [start, self], arrows::fold_tree)
    }

    /// Tests whether the pair maps a related pair of plots to a related one.
    ///
    /// # Errors
    /// [`GlueError`]: those of the relation.
    pub fn test_preserves(
        &self,
        stage: &CoordinateSpace,
        scopes: &(PlotScope, PlotScope),
        sampler: &mut PairSampler<'_>,
        point: &[Rational],
    ) -> Result<VerdictWithValues, GlueError> {
        // the argument varies over the stage, while the morphism was drawn in a global scope
        let (plots, representations) = scopes.clone();
        let mut sampler = PairSampler { plots, representations, random: sampler.random, size: sampler.size };
        let PlotPair { plot, representation } = sampler.draw_pair(&self.domain)?;
        let image = PlotPair { plot: self.left.apply(&plot)?, representation: self.right.apply(&representation)? };
        self.codomain.test_related(&image, stage, &mut sampler, point)
    }
}
