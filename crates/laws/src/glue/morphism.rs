//! Arrows of Gl_k: pairs of maps that preserve S, and their composition (H §6.2, Prop. 5).
//!
//! A pair is refuted by one related pair of plots that it maps to an unrelated one. The constructions that make Gl_k
//! bicartesian closed with lists act on each of the two maps separately.

use super::error::GlueError;
use super::judged::Judged;
use super::object::{Object, Sampler};
use super::scope::{Pair, Scope};
use super::stage::Stage;
use crate::number::Rational;
use crate::presheaf::arrows;
use crate::presheaf::dynamic::Function;
use crate::value::ValueError;

/// A pair of maps X → Y and X′ → Y′ that should preserve S.
#[derive(Clone, Debug)]
pub struct Morphism {
    /// The domain (X, X′, S).
    pub domain: Object,
    /// The codomain (Y, Y′, T).
    pub codomain: Object,
    /// The map X → Y.
    pub left: Function,
    /// The map X′ → Y′.
    pub right: Function,
}

impl Morphism {
    /// Makes the pair of a map with itself, for constructions that are the same on both sides.
    fn same(domain: &Object, codomain: &Object, map: Function) -> Self {
        Self { domain: domain.clone(), codomain: codomain.clone(), left: map.clone(), right: map }
    }

    /// Applies the same construction to both maps of other morphisms.
    fn made<const N: usize>(
        domain: &Object,
        codomain: &Object,
        parts: [&Self; N],
        make: fn([&Function; N]) -> Function,
    ) -> Self {
        let (left, right) = (make(parts.map(|part| &part.left)), make(parts.map(|part| &part.right)));
        Self { domain: domain.clone(), codomain: codomain.clone(), left, right }
    }

    /// Draws a random morphism.
    ///
    /// # Errors
    /// Those of the functions in scope.
    pub fn draw(domain: &Object, codomain: &Object, sampler: &mut Sampler<'_>) -> Result<Self, ValueError> {
        let pair = sampler.draw(&Object::exponential(domain, codomain))?;
        let (left, right) = (pair.plot.as_function()?.clone(), pair.representation.as_function()?.clone());
        Ok(Self { domain: domain.clone(), codomain: codomain.clone(), left, right })
    }

    /// The identity.
    #[must_use]
    pub fn id(object: &Object) -> Self {
        Self::same(object, object, arrows::identity())
    }

    /// The composite g ∘ self.
    #[must_use]
    pub fn then(&self, g: &Self) -> Self {
        Self::made(&self.domain, &g.codomain, [self, g], arrows::composite)
    }

    /// The map ! : A → 1.
    #[must_use]
    pub fn terminal(object: &Object) -> Self {
        Self::same(object, &Object::product(&[]), arrows::terminal())
    }

    /// The pair ⟨self, g⟩ : A → B × C.
    #[must_use]
    pub fn pair(&self, g: &Self) -> Self {
        let codomain = Object::product(&[self.codomain.clone(), g.codomain.clone()]);
        Self::made(&self.domain, &codomain, [self, g], arrows::pair)
    }

    /// The projection πᵢ : A₁ × A₂ → Aᵢ, with i counted from 0.
    #[must_use]
    pub fn projection(parts: &[Object; 2], index: usize) -> Self {
        let index = index.min(1);
        Self::same(&Object::product(parts), &parts[index], arrows::projection(index))
    }

    /// Returns A → (B → C), for self : A × B → C.
    #[must_use]
    pub fn curried(&self, [a, b]: &[Object; 2]) -> Self {
        let codomain = Object::exponential(b, &self.codomain);
        Self::made(a, &codomain, [self], arrows::curried)
    }

    /// The evaluation (A → B) × A → B.
    #[must_use]
    pub fn evaluation(a: &Object, b: &Object) -> Self {
        let domain = Object::product(&[Object::exponential(a, b), a.clone()]);
        Self::same(&domain, b, arrows::evaluation())
    }

    /// The injection inᵢ : Aᵢ → A₁ + A₂ into a sum.
    #[must_use]
    pub fn injection(part: &Object, sum: &Object, index: usize) -> Self {
        Self::same(part, sum, arrows::injection(index))
    }

    /// The copair [self, g] : A₁ + A₂ → B, from a sum.
    #[must_use]
    pub fn case(&self, g: &Self, sum: &Object) -> Self {
        Self::made(sum, &self.codomain, [self, g], arrows::case)
    }

    /// The map ? : 0 → A.
    #[must_use]
    pub fn initial(zero: &Object, object: &Object) -> Self {
        Self::same(zero, object, arrows::initial())
    }

    /// The empty list, 1 → List A.
    #[must_use]
    pub fn nil(element: &Object) -> Self {
        Self::same(&Object::product(&[]), &Object::list(element), arrows::nil())
    }

    /// The constructor A × List A → List A.
    #[must_use]
    pub fn cons(element: &Object) -> Self {
        let list = Object::list(element);
        Self::same(&Object::product(&[element.clone(), list.clone()]), &list, arrows::cons())
    }

    /// The fold List A → B, for self : A × B → B and a start 1 → B.
    #[must_use]
    pub fn fold(&self, start: &Self, element: &Object) -> Self {
        Self::made(&Object::list(element), &self.codomain, [start, self], arrows::fold)
    }

    /// The fold Tree A → B, for self : B × A × B → B and a start 1 → B.
    #[must_use]
    pub fn fold_tree(&self, start: &Self, tree: &Object) -> Self {
        Self::made(tree, &self.codomain, [start, self], arrows::fold_tree)
    }

    /// Tests whether the pair maps a related pair of plots to a related one.
    ///
    /// # Errors
    /// [`GlueError`]: those of the relation.
    pub fn preserves(
        &self,
        stage: &Stage,
        scopes: &(Scope, Scope),
        sampler: &mut Sampler<'_>,
        point: &[Rational],
    ) -> Result<Judged, GlueError> {
        // the argument varies over the stage, while the morphism was drawn in a global scope
        let (plots, representations) = scopes.clone();
        let mut sampler = Sampler { plots, representations, random: sampler.random, size: sampler.size };
        let Pair { plot, representation } = sampler.draw(&self.domain)?;
        let image = Pair { plot: self.left.apply(&plot)?, representation: self.right.apply(&representation)? };
        self.codomain.relates(&image, stage, &mut sampler, point)
    }
}
