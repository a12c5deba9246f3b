//! The laws of presheaves, as functions that test them (S §5).
//!
//! Each law takes elements at some stage and returns the verdict of [`Observe`]. A construction that could be wrong is
//! an argument of its law: a way to make [functions](ExponentialObject), a [tangent action](TangentAction), a
//! [family](NaturalFamily), an isomorphism. [`check_presheaf`] draws the elements.
//!
//! | law | source |
//! |---|---|
//! | [`restriction_identity`], [`restriction_composition`] | a presheaf is a functor, S §5.1 |
//! | [`kripke_naturality`], [`exponential_beta`], [`exponential_eta`] | exponentials, S Fig. 6 (S34) |
//! | [`full_embedding`], [`yoneda()`] | S §5.1 (S35) |
//! | [`natural_family`] | S §5.2, footnote 2 |
//! | this module | S §5.3 |
//!
//! # The laws of tangents
//!
//! The laws of tangents (S §5.3).
//!
//! # Laws on random elements at random stages
//!
//! Laws on random elements at random stages, each with a least number of informative samples.
//!
//! The laws of a presheaf are tested in one line:
//!
//! ```
//! use smoothish_laws::law::presheaf::{self, SampleSettings};
//! use smoothish_laws::presheaf::ProductPresheaf;
//! use smoothish_laws::presheaf::RealPresheaf;
//! use smoothish_laws::verdict::Verdict;
//! let samples = SampleSettings::default();
//! assert_eq!(presheaf::check_presheaf::<ProductPresheaf<RealPresheaf, RealPresheaf>>(&samples).unwrap(), Verdict::Survived);
//! assert_eq!(presheaf::check_tangents::<ProductPresheaf<RealPresheaf, RealPresheaf>>(&samples).unwrap(), Verdict::Survived);
//! ```

use crate::presheaf::coend::{
    CoendTangent, FunctionsInto, PresheafIso, TanPresheaf, TangentToIso, tangent_value, value_with_slope,
};
use crate::presheaf::exponential::{ExponentialElement, ExponentialPresheaf, NaturalFamily, PresheafTransformation};
pub use crate::presheaf::observe::PresheafVerdict;
use crate::presheaf::observe::{Observe, SampleElements};
use crate::presheaf::{
    Presheaf, ProductPresheaf, RealPresheaf, Representable, Stage, coend, exponential, observe, with_stage,
};
use crate::random::SplitMix64;
use crate::smooth::dimension::{Dim, MapEnd, RealObject};
use crate::smooth::map::{Map, MapTestConfig, Space};
use crate::verdict::Verdict;

/// **Identity of restriction.** `restrict(id, x) = x`
///
/// # Errors
/// The error of evaluating maps, here and in all laws.
pub fn restriction_identity<F: Observe, G: MapEnd>(
    space: &Space<G>,
    x: &F::At<G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    F::compare_elements(space, &F::restrict(&space.id(), x), x, trial)
}

/// **Composition of restriction.** `restrict(k.then(e), x) = restrict(k, restrict(e, x))`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn restriction_composition<F: Observe, E: MapEnd, D: MapEnd, G: MapEnd>(
    k: &Map<E, D>,
    e: &Map<D, G>,
    x: &F::At<G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let along = k.then(e);
    F::compare_elements(&k.domain(), &F::restrict(&along, x), &F::restrict(k, &F::restrict(e, x)), trial)
}

/// A presheaf that claims to be the exponential F ⇒ H.
pub trait ExponentialObject<F: Presheaf, H: Presheaf>: Presheaf {
    /// Curries a function of a pair at its first component.
    fn curry<E: Presheaf, G: MapEnd>(
        space: &Space<G>,
        context: &E::At<G>,
        body: &PresheafTransformation<ProductPresheaf<E, F>, H>,
    ) -> Self::At<G>;

    /// Applies a function to an argument from a later stage.
    fn apply<D: MapEnd, G: MapEnd>(f: &Self::At<G>, along: &Map<D, G>, x: &F::At<D>) -> H::At<D>;
}

impl<F: Presheaf, H: Presheaf> ExponentialObject<F, H> for ExponentialPresheaf<F, H> {
    fn curry<E: Presheaf, G: MapEnd>(
        space: &Space<G>,
        context: &E::At<G>,
        body: &PresheafTransformation<ProductPresheaf<E, F>, H>,
    ) -> ExponentialElement<F, H, G> {
        let body = body.clone();
        ExponentialElement::<F, H, G>::curry::<E>(space, context, move |space, c, x| {
            body.component_at(space, &(c.clone(), x.clone()))
        })
    }

    fn apply<D: MapEnd, G: MapEnd>(f: &ExponentialElement<F, H, G>, along: &Map<D, G>, x: &F::At<D>) -> H::At<D> {
        f.apply(along, x)
    }
}

/// **Kripke naturality of application.** `f(e, x)·k = f(k.then(e), x·k)`, and `(f·e)(id, x) = f(e, x)`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn kripke_naturality<X: ExponentialObject<F, H>, F: Presheaf, H: Observe, E: MapEnd, D: MapEnd, G: MapEnd>(
    f: &X::At<G>,
    e: &Map<D, G>,
    x: &F::At<D>,
    k: &Map<E, D>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let value = X::apply(f, e, x);
    // a later stage is reached by restricting the value, or by applying at the later stage
    let later = X::apply(f, &k.then(e), &F::restrict(k, x));
    let natural = H::compare_elements(&k.domain(), &H::restrict(k, &value), &later, trial)?;
    let restricted = X::apply(&X::restrict(e, f), &e.domain().id(), x);
    Ok(natural.and_part(H::compare_elements(&e.domain(), &restricted, &value, trial)?))
}

/// **β.** `(curry c b)(e, x) = b(c·e, x)`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn exponential_beta<X: ExponentialObject<F, H>, E: Presheaf, F: Presheaf, H: Observe, D: MapEnd, G: MapEnd>(
    context: &E::At<G>,
    body: &PresheafTransformation<ProductPresheaf<E, F>, H>,
    e: &Map<D, G>,
    x: &F::At<D>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let left = X::apply(&X::curry::<E, G>(&e.codomain(), context, body), e, x);
    let right = body.component_at(&e.domain(), &(E::restrict(e, context), x.clone()));
    H::compare_elements(&e.domain(), &left, &right, trial)
}

/// **η.** `curry f ((f′, x) ↦ f′(id, x)) = f`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn exponential_eta<X: ExponentialObject<F, H> + Observe, F: Presheaf, H: Presheaf, G: MapEnd>(
    space: &Space<G>,
    f: &X::At<G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    // evaluation as a function of a pair, with f itself as the context
    let body = PresheafTransformation::<ProductPresheaf<X, F>, H>::new(|space, (f, x)| X::apply(f, &space.id(), x));
    X::compare_elements(space, &X::curry::<X, G>(space, f, &body), f, trial)
}

/// **The embedding is full and faithful.** A map is recovered from its natural transformation, and a natural
/// transformation from its map.
///
/// # Errors
/// As for [`restriction_identity`].
pub fn full_embedding<N: Dim + 'static, M: Dim + 'static>(
    f: &Map<N, M>,
    t: &PresheafTransformation<Representable<N>, Representable<M>>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let there = Representable::<M>::compare_elements(
        &Space::<N>::new(),
        &exponential::transformation_to_map(&exponential::yoneda_embedding(f)),
        f,
        trial,
    )?;
    let back = exponential::yoneda_embedding(&exponential::transformation_to_map(t));
    Ok(there.and_part(ExponentialPresheaf::<Representable<N>, Representable<M>>::compare_elements(
        &t.stage(),
        &back,
        t,
        trial,
    )?))
}

/// **Yoneda.** `F(Γ) ≅ Nat(y Γ, F)`: an element is recovered from its natural transformation, and a natural
/// transformation from its element.
///
/// # Errors
/// As for [`restriction_identity`].
pub fn yoneda<F: Observe, N: Dim + 'static>(
    x: &F::At<N>,
    t: &PresheafTransformation<Representable<N>, F>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let space = Space::<N>::new();
    let there = F::compare_elements(
        &space,
        &exponential::transformation_to_element(&space, &exponential::element_to_transformation::<F, N>(x)),
        x,
        trial,
    )?;
    let back = exponential::element_to_transformation::<F, N>(&exponential::transformation_to_element(&space, t));
    Ok(there.and_part(ExponentialPresheaf::<Representable<N>, F>::compare_elements(&t.stage(), &back, t, trial)?))
}

/// **Naturality of a second-order primitive.** `P(f)·e = P(f·e)`. Both sides are equal where they are maximal, and
/// overlap at kinks (E43).
///
/// # Errors
/// As for [`restriction_identity`].
pub fn natural_family<D: MapEnd, G: MapEnd>(
    family: &impl NaturalFamily,
    f: &ExponentialElement<RealPresheaf, RealPresheaf, G>,
    e: &Map<D, G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let left = e.then(&family.apply_at(f));
    RealPresheaf::compare_elements(&e.domain(), &left, &family.apply_at(&ExponentialPresheaf::restrict(e, f)), trial)
}

/// **Isomorphism.** `from(to(a)) = a`, `to(from(b)) = b`
///
/// Tangents are observed through the library's own `to`. So for A a Tan, the first equation tests only `to(from(to(a)))
/// = to(a)`, with the library's `to` on the outside. It tests the given `to` only as far as that.
///
/// # Errors
/// The error of evaluating maps, here and in all laws.
pub fn isomorphism<A: Observe, B: Observe, G: MapEnd>(
    iso: &PresheafIso<A, B>,
    space: &Space<G>,
    a: &A::At<G>,
    b: &B::At<G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let there = A::compare_elements(space, &iso.from.component_at(space, &iso.to.component_at(space, a)), a, trial)?;
    Ok(there.and_part(B::compare_elements(
        space,
        &iso.to.component_at(space, &iso.from.component_at(space, b)),
        b,
        trial,
    )?))
}

/// **The coend.** `[d, x·k] = [d.then((k, k′)), x]`: a tangent does not depend on its stage (S49).
///
/// # Errors
/// As for [`isomorphism`].
pub fn coend_representatives<T, F: Presheaf, E: MapEnd, D: MapEnd, G: MapEnd>(
    direction: &Map<G, (D, D)>,
    k: &Map<D, E>,
    x: &F::At<E>,
    trial: &MapTestConfig,
) -> PresheafVerdict
where
    T: Observe + Presheaf<At<G> = CoendTangent<F, G>>,
{
    let left = CoendTangent::new(direction, &F::restrict(k, x));
    let right = CoendTangent::new(&direction.then(&k.with_derivative()), x);
    T::compare_elements(&direction.domain(), &left, &right, trial)
}

/// A construction that claims to be the action of Tan on maps.
pub trait TangentAction {
    /// Returns `tangent f v`.
    fn push_forward<A: Presheaf, B: Presheaf, G: MapEnd>(
        f: &ExponentialElement<A, B, G>,
        v: &CoendTangent<A, G>,
    ) -> CoendTangent<B, G>;
}

/// The action of the library, [`tangent`](coend::tangent_map).
#[derive(Clone, Copy, Debug)]
pub enum LibraryPushforward {}

impl TangentAction for LibraryPushforward {
    fn push_forward<A: Presheaf, B: Presheaf, G: MapEnd>(
        f: &ExponentialElement<A, B, G>,
        v: &CoendTangent<A, G>,
    ) -> CoendTangent<B, G> {
        coend::tangent_map(f, v)
    }
}

/// **Tan is a functor.** `tangent id v = v`, `tangent (g ∘ f) v = tangent g (tangent f v)`
///
/// # Errors
/// As for [`isomorphism`].
pub fn functoriality<T: TangentAction, A: Observe, B: Presheaf, C: Observe, G: MapEnd>(
    f: &ExponentialElement<A, B, G>,
    g: &ExponentialElement<B, C, G>,
    v: &CoendTangent<A, G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let space = f.stage();
    let id = ExponentialElement::identity().weaken_to(&space);
    let identity = A::compare_tangents(&space, &T::push_forward(&id, v), v, trial)?;
    let step = T::push_forward(g, &T::push_forward(f, v));
    Ok(identity.and_part(C::compare_tangents(&space, &T::push_forward(&f.then(g), v), &step, trial)?))
}

/// **The base point is natural.** `tangentValue (tangent f v) = f (tangentValue v)`
///
/// # Errors
/// As for [`isomorphism`].
pub fn base_point<T: TangentAction, A: Presheaf, B: Observe, G: MapEnd>(
    f: &ExponentialElement<A, B, G>,
    v: &CoendTangent<A, G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let space = f.stage();
    let right = f.apply(&space.id(), &tangent_value(v));
    B::compare_elements(&space, &tangent_value(&T::push_forward(f, v)), &right, trial)
}

/// **Zero and multiples.** `0_x` has the base point x, `tangent f 0_x = 0_{f x}`, `tangent f (c·v) = c·tangent f v`,
/// `1·v = v`, and `0·v = 0` at the base point of v.
///
/// # Errors
/// As for [`isomorphism`].
pub fn homogeneity<T: TangentAction, A: Observe, B: Observe, G: MapEnd>(
    f: &ExponentialElement<A, B, G>,
    v: &CoendTangent<A, G>,
    c: &Map<G, RealObject>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let space = f.stage();
    let x = tangent_value(v);
    // the zero tangent at the base point of v, with which both equations on 0 are compared
    let at_rest = coend::zero_tangent::<A, G>(&space, &x);
    let mut all = A::compare_elements(&space, &tangent_value(&at_rest), &x, trial)?;
    let image = coend::zero_tangent::<B, G>(&space, &f.apply(&space.id(), &x));
    all = all.and_part(B::compare_tangents(&space, &T::push_forward(f, &at_rest), &image, trial)?);
    let left = T::push_forward(f, &coend::scale_tangent(v, c));
    all = all.and_part(B::compare_tangents(&space, &left, &coend::scale_tangent(&T::push_forward(f, v), c), trial)?);
    all = all.and_part(A::compare_tangents(&space, &coend::scale_tangent(v, &space.constant(1)), v, trial)?);
    Ok(all.and_part(A::compare_tangents(&space, &coend::scale_tangent(v, &space.constant(0)), &at_rest, trial)?))
}

/// **Functionals along curves (X5).** For a curve `c ↦ f_c` of functions and a functional F, `der F f_c (d/dc f_c) =
/// d/dc (F f_c)`. The isomorphism of S Prop. 5.3, as claimed by `iso`, gives the velocity of the curve, and makes it a
/// tangent again.
///
/// # Errors
/// As for [`isomorphism`].
pub fn along_curves<A: Presheaf, G: MapEnd>(
    iso: &TangentToIso<A, RealObject>,
    functional: &ExponentialElement<FunctionsInto<A, RealObject>, RealPresheaf, G>,
    curve: &ExponentialElement<RealPresheaf, FunctionsInto<A, RealObject>, G>,
    c: &CoendTangent<RealPresheaf, G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let space = curve.stage();
    // left: the velocity as a pair of functions, pushed through F; right: the derivative of c ↦ F f_c
    let moving = iso.to.component_at(&space, &coend::tangent_map(curve, c));
    let left = coend::tangent_map(functional, &iso.from.component_at(&space, &moving));
    let right = coend::tangent_map(&curve.then(functional), c);
    Representable::compare_elements(&space, &value_with_slope(&left), &value_with_slope(&right), trial)
}

/// **Gradients.** `∇f(x)·v = f′(x, v)` (S §2.1; E1 comes from a gradient whose components are exchanged).
///
/// # Errors
/// As for [`isomorphism`].
pub fn gradient_is_derivative<N: Dim + 'static>(
    gradient: impl Fn(&Map<N, RealObject>) -> Map<N, N>,
    f: &Map<N, RealObject>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let n = Space::<N>::new();
    let (x, v) = (n.first(&n), n.second(&n));
    // a gradient is a map of the point alone; the directional derivative also takes the direction
    let both = n.product_with(&n);
    let (slopes, steps) = (x.then(&gradient(f)), v);
    let products = n.coordinates().into_iter().map(|i| slopes.then(&i) * steps.then(&i));
    let sum = products.fold(both.constant(0), |sum, product| sum + product);
    RealPresheaf::compare_elements(&both, &sum, &f.prime(), trial)
}

/// The settings of a law that is tested on samples.
#[derive(Clone, Debug)]
pub struct SampleSettings {
    /// The number of samples that are drawn.
    pub drawn: u64,
    /// The least number of samples that must not be vacuous. With fewer, the verdict is vacuous.
    pub least: u64,
    /// The seed. The samples depend on it alone.
    pub seed: u64,
    /// The settings for comparing elements.
    pub trial: MapTestConfig,
}

impl Default for SampleSettings {
    /// 12 samples, at least 8 of them informative; derivatives to order 2 at 4 points.
    fn default() -> Self {
        let trial = MapTestConfig { sample_points: 4, precisions: vec![53, 96], ..MapTestConfig::default() };
        Self { drawn: 12, least: 8, seed: 0, trial }
    }
}

impl SampleSettings {
    /// Tests a statement on samples: refuted if one refutes it, vacuous if too few are informative.
    ///
    /// # Errors
    /// The error of the statement.
    pub fn check_statement<E>(
        &self,
        mut statement: impl FnMut(&mut SplitMix64, &MapTestConfig) -> Result<Verdict, E>,
    ) -> Result<Verdict, E> {
        let mut survived = 0;
        for index in 0..self.drawn {
            let mut random = SplitMix64::for_sample(self.seed, index);
            // every sample compares at points of its own
            let trial = MapTestConfig { seed: random.next(), ..self.trial.clone() };
            match statement(&mut random, &trial)? {
                refuted @ Verdict::Refuted { .. } => return Ok(refuted),
                Verdict::Survived => survived += 1,
                Verdict::Vacuous => {}
            }
        }
        Ok(if survived >= self.least { Verdict::Survived } else { Verdict::Vacuous })
    }

    /// Like [`SampleSettings::check_statement`], but at a random stage with one or two coordinates.
    ///
    /// # Errors
    /// The error of the statement.
    pub fn check_at_stages(
        &self,
        statement: impl for<'d> Fn(&mut SplitMix64, &Space<Stage<'d>>, &MapTestConfig) -> PresheafVerdict,
    ) -> PresheafVerdict {
        self.check_statement(|random, trial| {
            with_stage(1 + random.next_below(2), |space| statement(random, space, trial))
        })
    }
}

/// Tests that F is a functor: [`restriction_identity`] and [`restriction_composition`].
///
/// # Errors
/// The error of evaluating maps, here and in all suites.
pub fn check_presheaf<F: Observe + SampleElements>(samples: &SampleSettings) -> PresheafVerdict {
    let identity = samples.check_at_stages(|random, space, trial| {
        restriction_identity::<F, _>(space, &F::draw_element(random, space), trial)
    })?;
    let composition = samples.check_at_stages(|random, space, trial| {
        let x = F::draw_element(random, space);
        with_stage(1 + random.next_below(2), |middle| {
            let e = observe::draw_map(random, middle, space);
            with_stage(1, |last| {
                restriction_composition::<F, _, _, _>(&observe::draw_map(random, last, middle), &e, &x, trial)
            })
        })
    })?;
    Ok(identity.and_part(composition))
}

/// Tests that X is F ⇒ H: [`kripke_naturality`], [`exponential_beta`] and [`exponential_eta`]. Functions are made by currying random functions of a
/// pair, so that they depend on their context.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_exponential<X: ExponentialObject<F, H> + Observe, E: SampleElements, F: SampleElements, H: Observe>(
    samples: &SampleSettings,
    body: &PresheafTransformation<ProductPresheaf<E, F>, H>,
) -> PresheafVerdict {
    let natural = samples.check_at_stages(|random, space, trial| {
        let f = X::curry::<E, _>(space, &E::draw_element(random, space), body);
        with_stage(1 + random.next_below(2), |middle| {
            let e = observe::draw_map(random, middle, space);
            let x = F::draw_element(random, middle);
            with_stage(1, |last| {
                kripke_naturality::<X, F, H, _, _, _>(&f, &e, &x, &observe::draw_map(random, last, middle), trial)
            })
        })
    })?;
    let beta = samples.check_at_stages(|random, space, trial| {
        let context = E::draw_element(random, space);
        with_stage(1 + random.next_below(2), |later| {
            let e = observe::draw_map(random, later, space);
            exponential_beta::<X, E, F, H, _, _>(&context, body, &e, &F::draw_element(random, later), trial)
        })
    })?;
    let eta = samples.check_at_stages(|random, space, trial| {
        exponential_eta::<X, F, H, _>(space, &X::curry::<E, _>(space, &E::draw_element(random, space), body), trial)
    })?;
    Ok(natural.and_part(beta).and_part(eta))
}

/// Tests an isomorphism in both directions.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_isomorphism<A: Observe + SampleElements, B: Observe + SampleElements>(
    samples: &SampleSettings,
    iso: &PresheafIso<A, B>,
) -> PresheafVerdict {
    samples.check_at_stages(|random, space, trial| {
        let (a, b) = (A::draw_element(random, space), B::draw_element(random, space));
        isomorphism(iso, space, &a, &b, trial)
    })
}

/// Tests that Tan is a functor with a base point, a zero and multiples. The functions are f and g at a random context.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_tangent_functor<
    T: TangentAction,
    E: SampleElements,
    A: Observe + SampleElements,
    B: Presheaf,
    C: Observe,
>(
    samples: &SampleSettings,
    f: &PresheafTransformation<ProductPresheaf<E, A>, B>,
    g: &PresheafTransformation<ProductPresheaf<E, B>, C>,
) -> PresheafVerdict {
    samples.check_at_stages(|random, space, trial| {
        let f = <ExponentialPresheaf<A, B> as ExponentialObject<A, B>>::curry::<E, _>(
            space,
            &E::draw_element(random, space),
            f,
        );
        let g = <ExponentialPresheaf<B, C> as ExponentialObject<B, C>>::curry::<E, _>(
            space,
            &E::draw_element(random, space),
            g,
        );
        let v = TanPresheaf::<A>::draw_element(random, space);
        let functor = functoriality::<T, A, B, C, _>(&f, &g, &v, trial)?;
        let composite = f.then(&g);
        let base = base_point::<T, A, C, _>(&composite, &v, trial)?;
        let c = observe::draw_real_map(random, space);
        Ok(functor.and_part(base).and_part(homogeneity::<T, A, C, _>(&composite, &v, &c, trial)?))
    })
}

/// Tests that tangents to F do not depend on their stage, and that they restrict functorially.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_tangents<F: Observe + SampleElements>(samples: &SampleSettings) -> PresheafVerdict {
    let coend = check_representatives::<TanPresheaf<F>, F>(samples)?;
    Ok(coend.and_part(check_presheaf::<TanPresheaf<F>>(samples)?))
}

/// Tests that tangents to F, compared as in T, do not depend on their stage.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_representatives<T, F: SampleElements>(samples: &SampleSettings) -> PresheafVerdict
where
    T: Observe + for<'d> Presheaf<At<Stage<'d>> = CoendTangent<F, Stage<'d>>>,
{
    samples.check_at_stages(|random, space, trial| {
        with_stage(1 + random.next_below(2), |first| {
            // a representative is a direction into a stage times itself, with an element there
            let direction = observe::draw_map(random, space, &first.product_with(first));
            with_stage(1 + random.next_below(2), |second| {
                let k = observe::draw_map(random, first, second);
                let x = F::draw_element(random, second);
                coend_representatives::<T, F, _, _, _>(&direction, &k, &x, trial)
            })
        })
    })
}
