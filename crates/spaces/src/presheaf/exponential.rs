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
//! use smoothish_spaces::presheaf::exponential::ExponentialElement;
//! use smoothish_spaces::presheaf::RealPresheaf;
//! use smoothish_spaces::smooth::map::{Map, Space};
//! use typenum::U1;
//!
//! // at the stage c : ℝ, the function x ↦ c·x
//! let c = Map::<U1, U1>::id();
//! let f = ExponentialElement::<RealPresheaf, RealPresheaf, U1>::curry::<RealPresheaf>(&Space::new(), &c, |_, c, x| c * x);
//! // at the later stage t, with c = sin t, applied to t²
//! let t = Map::<U1, U1>::id();
//! assert_eq!(f.apply(&t.sin(), &t.powi(2)).to_string(), "\\x => sin x * x^2");
//! ```
//!
//! The stage of the body cannot leave it:
//!
//! ```compile_fail,E0521
//! use smoothish_spaces::presheaf::exponential::ExponentialElement;
//! use smoothish_spaces::presheaf::RealPresheaf;
//! use smoothish_spaces::smooth::map::{Map, Space};
//! use typenum::U1;
//! fn keep<T: 'static>(_: T) {}
//! let f = ExponentialElement::<RealPresheaf, RealPresheaf, U1>::curry::<RealPresheaf>(&Space::new(), &Map::id(), |_, c, x| {
//!     keep(x.clone());
//!     c * x
//! });
//! ```
//!
//! An element of another stage, such as a context that was not weakened, cannot be used in the body:
//!
//! ```compile_fail,E0277
//! use smoothish_spaces::presheaf::exponential::ExponentialElement;
//! use smoothish_spaces::presheaf::RealPresheaf;
//! use smoothish_spaces::smooth::map::{Map, Space};
//! use typenum::U1;
//! let outside = Map::<U1, U1>::id();
//! let f = ExponentialElement::<RealPresheaf, RealPresheaf, U1>::curry::<RealPresheaf>(&Space::new(), &Map::id(), move |_, c, x| {
//!     outside.clone() * x
//! });
//! ```
//!
//! # The Yoneda lemma
//!
//! The Yoneda lemma, and the embedding of smoothish maps (S §5.1, S35).
//!
//! | here | statement |
//! |---|---|
//! | [`element_to_transformation`], [`transformation_to_element`] | `F(Γ) ≅ Nat(y Γ, F)` |
//! | [`yoneda_embedding`], [`transformation_to_map`] | `N ⇝ M ≅ Nat(y N, y M)`: the Yoneda embedding is full and faithful |
//! | [`uncurry_representable`], [`curry_representable`] | `(y N ⇒ F)(Γ) ≅ F(Γ × N)` |
//!
//! # Second-order primitives as natural families
//!
//! Second-order primitives as natural families (S §5.2, footnote 2).
//!
//! A constant of type `(ℜ → ℜ) → ℜ` is a family of maps `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`, natural in Γ. It applies the function
//! to a fresh variable and binds this variable in a node of the graph. Typed elements ([`NaturalFamily`]) and values of
//! the language ([`apply_second_order`]) use the same node, [`Graph::apply_functional`].
//!
//! ```
//! use smoothish_spaces::presheaf::exponential::PresheafTransformation;
//! use smoothish_spaces::presheaf::exponential::{Functional, NaturalFamily};
//! use smoothish_spaces::smooth::map::Space;
//! let square = PresheafTransformation::new(|_, x| x * x);
//! let integral = Functional::Integral.to_transformation().component_at(&Space::new(), &square);
//! assert_eq!(integral.to_string(), "integral01 (\\t => t * t)");
//! ```

use super::dynamic::{Element, StageFunction};
use super::{ConstantPresheaf, ElementAt, HiddenStage, Presheaf, RealPresheaf, Representable, Stage, Terminal};
pub use crate::function::Functional;
use crate::smooth::dimension::{Dim, MapEnd, RealObject};
use crate::smooth::graph::{Graph, SourceId, Variable};
use crate::smooth::map::{Map, Space};
use crate::stack::with_stack;
use crate::value::ValueError;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use typenum::U0;

/// The presheaf F ⇒ H.
#[doc(alias("exponential", "Kripke"))]
pub struct ExponentialPresheaf<F, H>(PhantomData<fn(F) -> H>);

/// The action of an element at an arbitrary stage.
trait StageAction<F: Presheaf, H: Presheaf>: Send + Sync {
    /// Applies the element along a map to the stage where it was made.
    fn act_at<'d>(&self, along: &Map<Stage<'d>, HiddenStage>, x: &F::At<Stage<'d>>) -> H::At<Stage<'d>>;
}

/// A body with its context.
struct CurriedBody<E: Presheaf, B> {
    context: E::At<HiddenStage>,
    body: B,
}

impl<E: Presheaf, F: Presheaf, H: Presheaf, B> StageAction<F, H> for CurriedBody<E, B>
where
    B: for<'d> Fn(&Space<Stage<'d>>, &E::At<Stage<'d>>, &F::At<Stage<'d>>) -> H::At<Stage<'d>> + Send + Sync,
{
    fn act_at<'d>(&self, along: &Map<Stage<'d>, HiddenStage>, x: &F::At<Stage<'d>>) -> H::At<Stage<'d>> {
        (self.body)(&along.domain(), &E::restrict(along, &self.context), x)
    }
}

/// A boxed action whose contexts may be nested to any depth and dropped without overflow of the stack.
struct BoxedAction<F: Presheaf, H: Presheaf>(Option<Box<dyn StageAction<F, H>>>);

impl<F: Presheaf, H: Presheaf> Drop for BoxedAction<F, H> {
    fn drop(&mut self) {
        with_stack(|| self.0 = None);
    }
}

/// An element of F ⇒ H at the stage G; see the [module](self). Cheap to clone.
pub struct ExponentialElement<F: Presheaf, H: Presheaf, G> {
    rule: Arc<BoxedAction<F, H>>,
    /// The map from G to the stage where the action was made.
    along: Map<G, HiddenStage>,
}

/// A natural transformation from F to H: an element of F ⇒ H at the stage ℝ⁰ (S §5.1).
pub type PresheafTransformation<F, H> = ExponentialElement<F, H, U0>;

impl<F: Presheaf, H: Presheaf, G: MapEnd> ExponentialElement<F, H, G> {
    /// Returns the function whose value at x is `body` of the context and x, at any later stage.
    ///
    /// The body receives its stage, the context at that stage and its argument. It must treat all stages alike. The
    /// types ensure that it uses elements of this stage only. Two kinds of bodies can still fail to be natural: those
    /// that inspect the size or the origin of the stage, and those that capture elements without their stage in their
    /// types, such as those of [`Dynamic`](super::dynamic::Dynamic).
    pub fn curry<E: Presheaf>(
        space: &Space<G>,
        context: &E::At<G>,
        body: impl for<'d> Fn(&Space<Stage<'d>>, &E::At<Stage<'d>>, &F::At<Stage<'d>>) -> H::At<Stage<'d>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let id = space.id();
        let context = E::restrict(&id.cast_types::<HiddenStage, G>(), context);
        let rule: Box<dyn StageAction<F, H>> = Box::new(CurriedBody::<E, _> { context, body });
        // Restrictions only extend the map; the closure itself is made once.
        Self { rule: Arc::new(BoxedAction(Some(rule))), along: id.cast_types() }
    }

    /// Applies the function to an argument at a later stage D, along a map from D to G.
    pub fn apply<D: MapEnd>(&self, along: &Map<D, G>, x: &F::At<D>) -> H::At<D> {
        let id = along.domain().id();
        let y = with_stack(|| {
            // The types of stages are erased and restored around the call: as lists of coordinates they are the same.
            let x = F::restrict(&id.cast_types::<HiddenStage, D>(), x);
            let along = along.then(&self.along).cast_types::<HiddenStage, HiddenStage>();
            match &self.rule.0 {
                Some(rule) => rule.act_at(&along, &x),
                None => unreachable!("a rule is taken away only while it is dropped"),
            }
        });
        H::restrict(&id.cast_types::<D, HiddenStage>(), &y)
    }

    /// Returns the stage G.
    #[must_use]
    pub fn stage(&self) -> Space<G> {
        self.along.domain()
    }
}

impl<F: Presheaf, H: Presheaf> PresheafTransformation<F, H> {
    /// Returns the natural transformation with the given components.
    pub fn new(
        body: impl for<'d> Fn(&Space<Stage<'d>>, &F::At<Stage<'d>>) -> H::At<Stage<'d>> + Send + Sync + 'static,
    ) -> Self {
        Self::curry::<Terminal>(&Space::new(), &(), move |space, (), x| body(space, x))
    }

    /// Returns the component at a stage, applied to `x`.
    pub fn component_at<G: MapEnd>(&self, space: &Space<G>, x: &F::At<G>) -> H::At<G> {
        self.apply(&space.terminal(), x)
    }

    /// Weakens the transformation to a stage: an element of F ⇒ H that does not vary.
    #[must_use]
    pub fn weaken_to<G: MapEnd>(&self, space: &Space<G>) -> ExponentialElement<F, H, G> {
        ExponentialPresheaf::restrict(&space.terminal(), self)
    }
}

impl<F: Presheaf> PresheafTransformation<F, F> {
    /// Returns `id : F → F`.
    #[must_use]
    pub fn identity() -> Self {
        Self::new(|_, x| x.clone())
    }
}

impl<F: Presheaf, H: Presheaf, G: MapEnd> ExponentialElement<F, H, G> {
    /// Returns the composite `g ∘ self`.
    #[must_use]
    pub fn then<K: Presheaf>(&self, g: &ExponentialElement<H, K, G>) -> ExponentialElement<F, K, G> {
        type Both<F, H, K> = super::ProductPresheaf<ExponentialPresheaf<F, H>, ExponentialPresheaf<H, K>>;
        ExponentialElement::curry::<Both<F, H, K>>(&self.stage(), &(self.clone(), g.clone()), |space, (f, g), x| {
            let id = space.id();
            g.apply(&id, &f.apply(&id, x))
        })
    }
}

impl<F: Presheaf, H: Presheaf> Presheaf for ExponentialPresheaf<F, H> {
    type At<G: MapEnd> = ExponentialElement<F, H, G>;

    fn restrict<D: MapEnd, G: MapEnd>(
        along: &Map<D, G>,
        f: &ExponentialElement<F, H, G>,
    ) -> ExponentialElement<F, H, D> {
        // Restriction is composition with the map, and needs no access to the closure.
        ExponentialElement { rule: f.rule.clone(), along: along.then(&f.along) }
    }
}

impl<F: Presheaf, H: Presheaf, G> Clone for ExponentialElement<F, H, G> {
    fn clone(&self) -> Self {
        Self { rule: self.rule.clone(), along: self.along.clone() }
    }
}

impl<F: Presheaf, H: Presheaf, G> fmt::Debug for ExponentialElement<F, H, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<function, of the stage {:?}>", self.along)
    }
}

/// Returns the natural transformation of an element: `x ↦ (m ↦ x·m) : F(Γ) → Nat(y Γ, F)`.
pub fn element_to_transformation<F: Presheaf, G: MapEnd + 'static>(
    x: &F::At<G>,
) -> PresheafTransformation<Representable<G>, F> {
    ExponentialElement::curry::<ConstantPresheaf<ElementAt<F, G>>>(&Space::new(), x, |_, x, along| {
        F::restrict(along, x)
    })
}

/// Returns the element of a natural transformation: `t ↦ t(id) : Nat(y Γ, F) → F(Γ)`.
pub fn transformation_to_element<F: Presheaf, G: MapEnd + 'static>(
    space: &Space<G>,
    t: &PresheafTransformation<Representable<G>, F>,
) -> F::At<G> {
    t.component_at(space, &space.id())
}

/// Returns the natural transformation of representables that a map induces.
#[must_use]
#[doc(alias("Yoneda", "Yoneda lemma", "Yoneda embedding"))]
pub fn yoneda_embedding<N: Dim + 'static, M: Dim + 'static>(
    f: &Map<N, M>,
) -> PresheafTransformation<Representable<N>, Representable<M>> {
    element_to_transformation::<Representable<M>, N>(f)
}

/// Returns the map that induces a natural transformation of representables.
///
/// ```
/// use smoothish_spaces::presheaf::exponential::PresheafTransformation;
/// use smoothish_spaces::presheaf::RealPresheaf;
/// use smoothish_spaces::presheaf::exponential::{yoneda_embedding, transformation_to_map};
/// use smoothish_spaces::smooth::map::Map;
/// use typenum::U1;
/// let t = PresheafTransformation::<RealPresheaf, RealPresheaf>::new(|_, x| x.sin() * x);
/// assert_eq!(transformation_to_map(&t).to_string(), "\\x => sin x * x");
/// assert_eq!(transformation_to_map(&yoneda_embedding(&Map::<U1, U1>::id().exp())).to_string(), "\\x => exp x");
/// ```
#[must_use]
pub fn transformation_to_map<N: Dim + 'static, M: Dim + 'static>(
    t: &PresheafTransformation<Representable<N>, Representable<M>>,
) -> Map<N, M> {
    transformation_to_element(&Space::new(), t)
}

/// Applies a function to the generic argument: `(y N ⇒ F)(Γ) → F(Γ × N)`.
pub fn uncurry_representable<N: Dim + 'static, F: Presheaf, G: MapEnd>(
    f: &ExponentialElement<Representable<N>, F, G>,
) -> F::At<(G, N)> {
    let (space, n) = (f.stage(), Space::<N>::new());
    f.apply(&space.first(&n), &space.second(&n))
}

/// The presheaf `F(− × N)`, which is isomorphic to `y N ⇒ F`.
pub struct ShiftedPresheaf<F, N>(std::marker::PhantomData<fn() -> (F, N)>);

impl<F: Presheaf, N: Dim + 'static> Presheaf for ShiftedPresheaf<F, N> {
    type At<G: MapEnd> = F::At<(G, N)>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &F::At<(G, N)>) -> F::At<(D, N)> {
        F::restrict(&along.tensor_product(&Space::<N>::new().id()), x)
    }
}

/// Returns the function with the given value at the generic argument: `F(Γ × N) → (y N ⇒ F)(Γ)`.
pub fn curry_representable<N: Dim + 'static, F: Presheaf, G: MapEnd>(
    space: &Space<G>,
    x: &F::At<(G, N)>,
) -> ExponentialElement<Representable<N>, F, G> {
    ExponentialElement::curry::<ShiftedPresheaf<F, N>>(space, x, |space, x, n| F::restrict(&space.id().pair(n), x))
}

/// A family `(ℜ ⇒ ℜ)(Γ) → (Γ ⇝ ℝ)` with the claim that it is natural, as the second-order primitives are.
#[doc(alias = "natural family")]
pub trait NaturalFamily {
    /// Applies the member of the family at stage G to a function at that stage.
    fn apply_at<G: MapEnd>(&self, f: &ExponentialElement<RealPresheaf, RealPresheaf, G>) -> Map<G, RealObject>;

    /// Returns the family as a natural transformation `(ℜ → ℜ) → ℜ`.
    #[must_use]
    fn to_transformation(self) -> PresheafTransformation<ExponentialPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf>
    where
        Self: Sized + Send + Sync + 'static,
    {
        PresheafTransformation::new(move |_, f| self.apply_at(f))
    }
}

impl NaturalFamily for Functional {
    fn apply_at<G: MapEnd>(&self, f: &ExponentialElement<RealPresheaf, RealPresheaf, G>) -> Map<G, RealObject> {
        let primitive = *self;
        // The generic argument becomes the bound variable of the node.
        uncurry_representable(f)
            .bind_last(|variable, body| Graph::apply_functional(primitive, variable, body, SourceId::default()))
    }
}

/// Applies a function of one real variable to a fresh variable. Returns the variable and the result.
fn apply_to_fresh(f: &StageFunction) -> Result<(Variable, Graph), ValueError> {
    let variable = Variable::fresh();
    let body = f.apply(&Element::Real(Graph::variable(variable)))?;
    Ok((variable, body.as_real()?.clone()))
}

/// Applies a second-order primitive to a function of the language.
///
/// # Errors
/// The errors of the function. [`ValueError::Mismatch`] if its value is no real number.
pub fn apply_second_order(primitive: Functional, f: &StageFunction, site: SourceId) -> Result<Element, ValueError> {
    let (variable, body) = apply_to_fresh(f)?;
    Ok(Element::Real(Graph::apply_functional(primitive, variable, &body, site)))
}

/// Differentiates a function of one real variable: `deriv f x`. This is `snd (tangent_R.to (tangent f (tangent_R.from
/// (x, 1))))`, in a closed form.
///
/// # Errors
/// The errors of the function. [`ValueError::Mismatch`] if its value is no real number.
pub fn derivative_at(f: &StageFunction, x: &Graph) -> Result<Element, ValueError> {
    let (variable, body) = apply_to_fresh(f)?;
    let along = vec![Graph::integer(1)];
    Ok(Element::Real(Graph::derivative(vec![variable], body, vec![x.clone()], along)))
}
