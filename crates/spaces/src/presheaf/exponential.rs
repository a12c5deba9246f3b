//! Exponentials: `(F ⇒ H)(Γ) = ∫_Δ (Δ ⇝ Γ) × F(Δ) → H(Δ)` (S §5.1, Fig. 6).
//!
//! An element is a family: at each later stage Δ, along each map `Δ ⇝ Γ`, it takes elements of F to elements of H,
//! naturally in Δ. The end is a closure that works for an arbitrary stage. Inside, the context has been weakened to that
//! stage, and there is no way to get at the one that was not.
//!
//! | law | equation |
//! |---|---|
//! | β | `(curry c b).apply(e, x) = b(c·e, x)` |
//! | η | `curry f (f′, x ↦ f′.apply(id, x)) = f` |
//! | Kripke naturality | `f.apply(e, x)·k = f.apply(k.then(e), x·k)` |
//!
//! ```
//! use smoothish_spaces::presheaf::exponential::Natural;
//! use smoothish_spaces::presheaf::representable::Real;
//! use smoothish_spaces::smooth::map::{Map, Space};
//! use typenum::U1;
//!
//! // at the stage c : ℝ, the function x ↦ c·x
//! let c = Map::<U1, U1>::id();
//! let f = Natural::<Real, Real, U1>::curry::<Real>(&Space::new(), &c, |_, c, x| c * x);
//! // at the later stage t, with c = sin t, applied to t²
//! let t = Map::<U1, U1>::id();
//! assert_eq!(f.apply(&t.sin(), &t.powi(2)).to_string(), "\\x => sin x * x^2");
//! ```
//!
//! The stage of the body cannot be left:
//!
//! ```compile_fail,E0521
//! use smoothish_spaces::presheaf::exponential::Natural;
//! use smoothish_spaces::presheaf::representable::Real;
//! use smoothish_spaces::smooth::map::{Map, Space};
//! use typenum::U1;
//! fn keep<T: 'static>(_: T) {}
//! let f = Natural::<Real, Real, U1>::curry::<Real>(&Space::new(), &Map::id(), |_, c, x| {
//!     keep(x.clone());
//!     c * x
//! });
//! ```
//!
//! and an element of another stage, such as a context that was not weakened, is of no use in it:
//!
//! ```compile_fail,E0277
//! use smoothish_spaces::presheaf::exponential::Natural;
//! use smoothish_spaces::presheaf::representable::Real;
//! use smoothish_spaces::smooth::map::{Map, Space};
//! use typenum::U1;
//! let outside = Map::<U1, U1>::id();
//! let f = Natural::<Real, Real, U1>::curry::<Real>(&Space::new(), &Map::id(), move |_, c, x| {
//!     outside.clone() * x
//! });
//! ```

use super::Presheaf;
use super::discrete::Terminal;
use super::stage::{Hidden, Stage};
use crate::smooth::dimension::Shape;
use crate::smooth::map::{Map, Space};
use crate::stack::deep;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use typenum::U0;

/// The presheaf F ⇒ H.
pub struct Exponential<F, H>(PhantomData<fn(F) -> H>);

/// What an element does at an arbitrary stage.
trait Rule<F: Presheaf, H: Presheaf>: Send + Sync {
    fn at<'d>(&self, along: &Map<Stage<'d>, Hidden>, x: &F::At<Stage<'d>>) -> H::At<Stage<'d>>;
}

/// A body with its context.
struct Curried<E: Presheaf, B> {
    context: E::At<Hidden>,
    body: B,
}

impl<E: Presheaf, F: Presheaf, H: Presheaf, B> Rule<F, H> for Curried<E, B>
where
    B: for<'d> Fn(&Space<Stage<'d>>, &E::At<Stage<'d>>, &F::At<Stage<'d>>) -> H::At<Stage<'d>> + Send + Sync,
{
    fn at<'d>(&self, along: &Map<Stage<'d>, Hidden>, x: &F::At<Stage<'d>>) -> H::At<Stage<'d>> {
        (self.body)(&along.domain(), &E::restrict(along, &self.context), x)
    }
}

/// A rule that is safe to drop however many contexts lie inside one another.
struct Shared<F: Presheaf, H: Presheaf>(Option<Box<dyn Rule<F, H>>>);

impl<F: Presheaf, H: Presheaf> Drop for Shared<F, H> {
    fn drop(&mut self) {
        deep(|| self.0 = None);
    }
}

/// An element of F ⇒ H at the stage G; see the [module](self). Cheap to clone.
pub struct Natural<F: Presheaf, H: Presheaf, G> {
    rule: Arc<Shared<F, H>>,
    /// From G to the stage at which the rule was made.
    along: Map<G, Hidden>,
}

/// A natural transformation from F to H: an element of F ⇒ H at the stage ℝ⁰ (S §5.1).
pub type Transformation<F, H> = Natural<F, H, U0>;

impl<F: Presheaf, H: Presheaf, G: Shape> Natural<F, H, G> {
    /// `curry`: the function whose value at x is `body` of the context and x, at any later stage.
    ///
    /// The body gets the stage that it is at, the context there, and its argument there. It must treat all stages alike.
    /// The types see to it that elements of this stage are all it can use; only a body that asks how large the stage is,
    /// or where its origin lies, can fail to be natural; and one that captures elements whose types do not name their stage,
    /// as those of [`Dynamic`](super::language::Dynamic).
    pub fn curry<E: Presheaf>(
        space: &Space<G>,
        context: &E::At<G>,
        body: impl for<'d> Fn(&Space<Stage<'d>>, &E::At<Stage<'d>>, &F::At<Stage<'d>>) -> H::At<Stage<'d>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let id = space.id();
        let context = E::restrict(&id.retyped::<Hidden, G>(), context);
        let rule: Box<dyn Rule<F, H>> = Box::new(Curried::<E, _> { context, body });
        Self { rule: Arc::new(Shared(Some(rule))), along: id.retyped() }
    }

    /// The value at an argument from a later stage D, along a map from there.
    pub fn apply<D: Shape>(&self, along: &Map<D, G>, x: &F::At<D>) -> H::At<D> {
        let id = along.domain().id();
        let y = deep(|| {
            let x = F::restrict(&id.retyped::<Hidden, D>(), x);
            let along = along.then(&self.along).retyped::<Hidden, Hidden>();
            match &self.rule.0 {
                Some(rule) => rule.at(&along, &x),
                None => unreachable!("a rule is taken away only while it is dropped"),
            }
        });
        H::restrict(&id.retyped::<D, Hidden>(), &y)
    }

    /// G
    #[must_use]
    pub fn stage(&self) -> Space<G> {
        self.along.domain()
    }
}

impl<F: Presheaf, H: Presheaf> Transformation<F, H> {
    /// The natural transformation with these components.
    pub fn new(
        body: impl for<'d> Fn(&Space<Stage<'d>>, &F::At<Stage<'d>>) -> H::At<Stage<'d>> + Send + Sync + 'static,
    ) -> Self {
        Self::curry::<Terminal>(&Space::new(), &(), move |space, (), x| body(space, x))
    }

    /// The component at a stage.
    pub fn at<G: Shape>(&self, space: &Space<G>, x: &F::At<G>) -> H::At<G> {
        self.apply(&space.terminal(), x)
    }

    /// The same function at another stage.
    #[must_use]
    pub fn weakened<G: Shape>(&self, space: &Space<G>) -> Natural<F, H, G> {
        Exponential::restrict(&space.terminal(), self)
    }
}

impl<F: Presheaf> Transformation<F, F> {
    /// `id : F → F`
    #[must_use]
    pub fn identity() -> Self {
        Self::new(|_, x| x.clone())
    }
}

impl<F: Presheaf, H: Presheaf, G: Shape> Natural<F, H, G> {
    /// `g ∘ self`
    #[must_use]
    pub fn then<K: Presheaf>(&self, g: &Natural<H, K, G>) -> Natural<F, K, G> {
        type Both<F, H, K> = super::product::Product<Exponential<F, H>, Exponential<H, K>>;
        Natural::curry::<Both<F, H, K>>(&self.stage(), &(self.clone(), g.clone()), |space, (f, g), x| {
            let id = space.id();
            g.apply(&id, &f.apply(&id, x))
        })
    }
}

impl<F: Presheaf, H: Presheaf> Presheaf for Exponential<F, H> {
    type At<G: Shape> = Natural<F, H, G>;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, f: &Natural<F, H, G>) -> Natural<F, H, D> {
        Natural { rule: f.rule.clone(), along: along.then(&f.along) }
    }
}

impl<F: Presheaf, H: Presheaf, G> Clone for Natural<F, H, G> {
    fn clone(&self) -> Self {
        Self { rule: self.rule.clone(), along: self.along.clone() }
    }
}

impl<F: Presheaf, H: Presheaf, G> fmt::Debug for Natural<F, H, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<function, of the stage {:?}>", self.along)
    }
}
