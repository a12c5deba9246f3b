//! Exponentials: `(F ⇒ H)(Γ) = ∫_Δ (Δ ⇝ Γ) × F(Δ) → H(Δ)` (S §5.1, Fig. 6).
//!
//! An element is a family of functions. At each later stage Δ, along each map `Δ ⇝ Γ`, it maps elements of F to
//! elements of H, naturally in Δ. The end is represented by a closure for an arbitrary stage. Inside, the context is
//! weakened to that stage, and the original context is inaccessible.
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
//! The stage of the body cannot leave it:
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
//! An element of another stage, such as a context that was not weakened, cannot be used in the body:
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

/// The action of an element at an arbitrary stage.
trait Rule<F: Presheaf, H: Presheaf>: Send + Sync {
    /// Applies the element along a map to the stage where it was made.
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

/// A boxed action whose contexts may be nested to any depth and dropped without overflow of the stack.
struct Shared<F: Presheaf, H: Presheaf>(Option<Box<dyn Rule<F, H>>>);

impl<F: Presheaf, H: Presheaf> Drop for Shared<F, H> {
    fn drop(&mut self) {
        deep(|| self.0 = None);
    }
}

/// An element of F ⇒ H at the stage G; see the [module](self). Cheap to clone.
pub struct Natural<F: Presheaf, H: Presheaf, G> {
    rule: Arc<Shared<F, H>>,
    /// The map from G to the stage where the action was made.
    along: Map<G, Hidden>,
}

/// A natural transformation from F to H: an element of F ⇒ H at the stage ℝ⁰ (S §5.1).
pub type Transformation<F, H> = Natural<F, H, U0>;

impl<F: Presheaf, H: Presheaf, G: Shape> Natural<F, H, G> {
    /// Returns the function whose value at x is `body` of the context and x, at any later stage.
    ///
    /// The body receives its stage, the context at that stage and its argument. It must treat all stages alike. The
    /// types ensure that it uses elements of this stage only. Two kinds of bodies can still fail to be natural: those
    /// that inspect the size or the origin of the stage, and those that capture elements without their stage in their
    /// types, such as those of [`Dynamic`](super::language::Dynamic).
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
        // Restrictions only extend the map; the closure itself is made once.
        Self { rule: Arc::new(Shared(Some(rule))), along: id.retyped() }
    }

    /// Applies the function to an argument at a later stage D, along a map from D to G.
    pub fn apply<D: Shape>(&self, along: &Map<D, G>, x: &F::At<D>) -> H::At<D> {
        let id = along.domain().id();
        let y = deep(|| {
            // The types of stages are erased and restored around the call: as lists of coordinates they are the same.
            let x = F::restrict(&id.retyped::<Hidden, D>(), x);
            let along = along.then(&self.along).retyped::<Hidden, Hidden>();
            match &self.rule.0 {
                Some(rule) => rule.at(&along, &x),
                None => unreachable!("a rule is taken away only while it is dropped"),
            }
        });
        H::restrict(&id.retyped::<D, Hidden>(), &y)
    }

    /// Returns the stage G.
    #[must_use]
    pub fn stage(&self) -> Space<G> {
        self.along.domain()
    }
}

impl<F: Presheaf, H: Presheaf> Transformation<F, H> {
    /// Returns the natural transformation with the given components.
    pub fn new(
        body: impl for<'d> Fn(&Space<Stage<'d>>, &F::At<Stage<'d>>) -> H::At<Stage<'d>> + Send + Sync + 'static,
    ) -> Self {
        Self::curry::<Terminal>(&Space::new(), &(), move |space, (), x| body(space, x))
    }

    /// Returns the component at a stage, applied to `x`.
    pub fn at<G: Shape>(&self, space: &Space<G>, x: &F::At<G>) -> H::At<G> {
        self.apply(&space.terminal(), x)
    }

    /// Weakens the transformation to a stage: an element of F ⇒ H that does not vary.
    #[must_use]
    pub fn weakened<G: Shape>(&self, space: &Space<G>) -> Natural<F, H, G> {
        Exponential::restrict(&space.terminal(), self)
    }
}

impl<F: Presheaf> Transformation<F, F> {
    /// Returns `id : F → F`.
    #[must_use]
    pub fn identity() -> Self {
        Self::new(|_, x| x.clone())
    }
}

impl<F: Presheaf, H: Presheaf, G: Shape> Natural<F, H, G> {
    /// Returns the composite `g ∘ self`.
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
        // Restriction is composition with the map, and needs no access to the closure.
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
