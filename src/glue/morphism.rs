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
use crate::presheaf::dynamic::{Element, Function};
use crate::value::Nested;
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

/// A map of elements, for either side.
type Rule = Result<Element, ValueError>;

impl Morphism {
    /// The pair of a map with itself, where the construction is the same on both sides.
    fn same(
        domain: &Object,
        codomain: &Object,
        map: impl Fn(&Element) -> Rule + Send + Sync + Clone + 'static,
    ) -> Self {
        let (left, right) = (Function::new(map.clone()), Function::new(map));
        Self { domain: domain.clone(), codomain: codomain.clone(), left, right }
    }

    /// The same construction on the maps of other morphisms.
    fn made<const N: usize>(
        domain: &Object,
        codomain: &Object,
        parts: [&Self; N],
        make: impl Fn(&[Function; N], &Element) -> Rule + Send + Sync + Clone + 'static,
    ) -> Self {
        let (lefts, rights) = (parts.map(|part| part.left.clone()), parts.map(|part| part.right.clone()));
        let other = make.clone();
        let left = Function::new(move |x: &Element| make(&lefts, x));
        let right = Function::new(move |x: &Element| other(&rights, x));
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
        Self::same(object, object, |x| Ok(x.clone()))
    }

    /// g ∘ self
    #[must_use]
    pub fn then(&self, g: &Self) -> Self {
        Self::made(&self.domain, &g.codomain, [self, g], |[f, g], x| g.apply(&f.apply(x)?))
    }

    /// ⟨self, g⟩ : A → B × C
    #[must_use]
    pub fn pair(&self, g: &Self) -> Self {
        let codomain = Object::product(&[self.codomain.clone(), g.codomain.clone()]);
        Self::made(&self.domain, &codomain, [self, g], |[f, g], x| Ok(Element::tuple([f.apply(x)?, g.apply(x)?])))
    }

    /// πᵢ : A₁ × A₂ → Aᵢ, counted from 0.
    #[must_use]
    pub fn projection(parts: &[Object; 2], index: usize) -> Self {
        let index = index.min(1);
        Self::same(&Object::product(parts), &parts[index], move |x| {
            let (a, b) = x.as_pair()?;
            Ok(if index == 0 { a } else { b }.clone())
        })
    }

    /// A → (B → C), of self : A × B → C.
    #[must_use]
    pub fn curried(&self, [a, b]: &[Object; 2]) -> Self {
        let codomain = Object::exponential(b, &self.codomain);
        Self::made(a, &codomain, [self], |[f], x| {
            let (f, x) = (f.clone(), x.clone());
            Ok(Element::function(move |y| f.apply(&Element::tuple([x.clone(), y.clone()]))))
        })
    }

    /// (A → B) × A → B
    #[must_use]
    pub fn evaluation(a: &Object, b: &Object) -> Self {
        let domain = Object::product(&[Object::exponential(a, b), a.clone()]);
        Self::same(&domain, b, |x| {
            let (f, x) = x.as_pair()?;
            f.as_function()?.apply(x)
        })
    }

    /// inᵢ : Aᵢ → A₁ + A₂, for a sum.
    #[must_use]
    pub fn injection(part: &Object, sum: &Object, index: usize) -> Self {
        Self::same(part, sum, move |x| Ok(Element::Variant(index, Nested::new(x.clone()))))
    }

    /// [self, g] : A₁ + A₂ → B, for a sum.
    #[must_use]
    pub fn case(&self, g: &Self, sum: &Object) -> Self {
        Self::made(sum, &self.codomain, [self, g], |branches, x| {
            let (index, argument) = x.as_variant()?;
            branches[index.min(1)].apply(argument)
        })
    }

    /// List A → B, of self : A × B → B and a start 1 → B.
    #[must_use]
    pub fn fold(&self, start: &Self, element: &Object) -> Self {
        Self::made(&Object::list(element), &self.codomain, [self, start], |[step, start], list| {
            let start = start.apply(&Element::Unit)?;
            list.as_list()?.fold(start, |x, rest| step.apply(&Element::tuple([x.clone(), rest])))
        })
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
