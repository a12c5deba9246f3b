//! Arrows of Gl_k: pairs of maps that preserve S, and how they are composed (H §6.2, Prop. 5).
//!
//! That a pair preserves S is refuted by one related pair of plots that it sends to an unrelated one. The constructions
//! that make Gl_k bicartesian closed with lists act on both maps by themselves.

use super::error::GlueError;
use super::judged::Judged;
use super::object::{Object, Sampler};
use super::scope::{Pair, Scope};
use super::stage::Stage;
use crate::number::Rational;
use crate::presheaf::arrows;
use crate::presheaf::dynamic::Function;
use crate::value::ValueError;

/// A pair of maps X → Y and X′ → Y′ that claims to preserve S.
#[derive(Clone, Debug)]
pub struct Morphism {
    /// (X, X′, S)
    pub domain: Object,
    /// (Y, Y′, T)
    pub codomain: Object,
    /// X → Y
    pub left: Function,
    /// X′ → Y′
    pub right: Function,
}

impl Morphism {
    /// The pair of a map with itself, where the construction is the same on both sides.
    fn same(domain: &Object, codomain: &Object, map: Function) -> Self {
        Self { domain: domain.clone(), codomain: codomain.clone(), left: map.clone(), right: map }
    }

    /// The same construction on the maps of other morphisms.
    fn made<const N: usize>(
        domain: &Object,
        codomain: &Object,
        parts: [&Self; N],
        make: fn([&Function; N]) -> Function,
    ) -> Self {
        let (left, right) = (make(parts.map(|part| &part.left)), make(parts.map(|part| &part.right)));
        Self { domain: domain.clone(), codomain: codomain.clone(), left, right }
    }

    /// A random one.
    ///
    /// # Errors
    /// Those of what is in scope.
    pub fn draw(domain: &Object, codomain: &Object, sampler: &mut Sampler<'_>) -> Result<Self, ValueError> {
        let pair = sampler.draw(&Object::exponential(domain, codomain))?;
        let (left, right) = (pair.plot.as_function()?.clone(), pair.representation.as_function()?.clone());
        Ok(Self { domain: domain.clone(), codomain: codomain.clone(), left, right })
    }

    /// id
    #[must_use]
    pub fn id(object: &Object) -> Self {
        Self::same(object, object, arrows::identity())
    }

    /// g ∘ self
    #[must_use]
    pub fn then(&self, g: &Self) -> Self {
        Self::made(&self.domain, &g.codomain, [self, g], arrows::composite)
    }

    /// ! : A → 1
    #[must_use]
    pub fn terminal(object: &Object) -> Self {
        Self::same(object, &Object::product(&[]), arrows::terminal())
    }

    /// ⟨self, g⟩ : A → B × C
    #[must_use]
    pub fn pair(&self, g: &Self) -> Self {
        let codomain = Object::product(&[self.codomain.clone(), g.codomain.clone()]);
        Self::made(&self.domain, &codomain, [self, g], arrows::pair)
    }

    /// πᵢ : A₁ × A₂ → Aᵢ, counted from 0.
    #[must_use]
    pub fn projection(parts: &[Object; 2], index: usize) -> Self {
        let index = index.min(1);
        Self::same(&Object::product(parts), &parts[index], arrows::projection(index))
    }

    /// A → (B → C), of self : A × B → C.
    #[must_use]
    pub fn curried(&self, [a, b]: &[Object; 2]) -> Self {
        let codomain = Object::exponential(b, &self.codomain);
        Self::made(a, &codomain, [self], arrows::curried)
    }

    /// (A → B) × A → B
    #[must_use]
    pub fn evaluation(a: &Object, b: &Object) -> Self {
        let domain = Object::product(&[Object::exponential(a, b), a.clone()]);
        Self::same(&domain, b, arrows::evaluation())
    }

    /// inᵢ : Aᵢ → A₁ + A₂, for a sum.
    #[must_use]
    pub fn injection(part: &Object, sum: &Object, index: usize) -> Self {
        Self::same(part, sum, arrows::injection(index))
    }

    /// [self, g] : A₁ + A₂ → B, for a sum.
    #[must_use]
    pub fn case(&self, g: &Self, sum: &Object) -> Self {
        Self::made(sum, &self.codomain, [self, g], arrows::case)
    }

    /// ? : 0 → A
    #[must_use]
    pub fn initial(zero: &Object, object: &Object) -> Self {
        Self::same(zero, object, arrows::initial())
    }

    /// 1 → List A
    #[must_use]
    pub fn nil(element: &Object) -> Self {
        Self::same(&Object::product(&[]), &Object::list(element), arrows::nil())
    }

    /// A × List A → List A
    #[must_use]
    pub fn cons(element: &Object) -> Self {
        let list = Object::list(element);
        Self::same(&Object::product(&[element.clone(), list.clone()]), &list, arrows::cons())
    }

    /// List A → B, of self : A × B → B and a start 1 → B.
    #[must_use]
    pub fn fold(&self, start: &Self, element: &Object) -> Self {
        Self::made(&Object::list(element), &self.codomain, [start, self], arrows::fold)
    }

    /// Tree A → B, of self : B × A × B → B and a start 1 → B.
    #[must_use]
    pub fn fold_tree(&self, start: &Self, tree: &Object) -> Self {
        Self::made(tree, &self.codomain, [start, self], arrows::fold_tree)
    }

    /// Whether the pair sends a related pair of plots to a related one.
    ///
    /// # Errors
    /// [`GlueError`]
    pub fn preserves(
        &self,
        stage: &Stage,
        scopes: &(Scope, Scope),
        sampler: &mut Sampler<'_>,
        point: &[Rational],
    ) -> Result<Judged, GlueError> {
        let (plots, representations) = scopes.clone();
        let mut sampler = Sampler { plots, representations, random: sampler.random, size: sampler.size };
        let Pair { plot, representation } = sampler.draw(&self.domain)?;
        let image = Pair { plot: self.left.apply(&plot)?, representation: self.right.apply(&representation)? };
        self.codomain.relates(&image, stage, &mut sampler, point)
    }
}
