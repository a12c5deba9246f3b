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
//! | [`check_lan`], [`check_jets`] | extensions of functors on stages: representatives, representables, adjunction, Props. 5.1 to 5.3 of S |
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
//! The laws of a presheaf are tested in one line. [`presheaf_suite`] and [`exponential_suite`] list them by name, for quickcheck.
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

pub use crate::law::property::SampleSettings;
use crate::law::property::{LawSuite, check_suite_as_one};
use crate::presheaf::coend::{
    After, AfterFunctor, CoendTangent, Copointed, FunctionsInto, JetsOfCurves, KeepsProducts, Lan, LanElement,
    OnStages, Pointed, PresheafIso, TanPresheaf, TangentFunctor, TangentToIso, flatten_lan, lan_from_right,
    lan_functions, lan_map, lan_product, lan_representable, lan_to_right, lan_transformation, lan_unit, nest_lan,
    tangent_value,
};
use crate::presheaf::exponential::{ExponentialElement, ExponentialPresheaf, NaturalFamily, PresheafTransformation};
pub use crate::presheaf::observe::PresheafVerdict;
use crate::presheaf::observe::{Observe, SampleElements, compare_observed_numbers, observe_class_number};
use crate::presheaf::{
    Presheaf, ProductPresheaf, RealPresheaf, Representable, Stage, coend, exponential, observe, with_stage,
};
use crate::random::SplitMix64;
use crate::smooth::dimension::{Dim, Dyn, MapEnd, RealObject};
use crate::smooth::map::category::jets_agree;
use crate::smooth::map::{DynMap, Map, MapError, MapTestConfig, Space};
use crate::verdict::Verdict;
use std::fmt;
use std::sync::Arc;

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
    let identity = A::compare_classes(&space, &T::push_forward(&id, v), v, trial)?;
    let step = T::push_forward(g, &T::push_forward(f, v));
    Ok(identity.and_part(C::compare_classes(&space, &T::push_forward(&f.then(g), v), &step, trial)?))
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
    let at_rest = coend::lan_unit::<TangentFunctor, A, G>(&space, &x);
    let mut all = A::compare_elements(&space, &tangent_value(&at_rest), &x, trial)?;
    let image = coend::lan_unit::<TangentFunctor, B, G>(&space, &f.apply(&space.id(), &x));
    all = all.and_part(B::compare_classes(&space, &T::push_forward(f, &at_rest), &image, trial)?);
    let left = T::push_forward(f, &coend::scale_tangent(v, c));
    all = all.and_part(B::compare_classes(&space, &left, &coend::scale_tangent(&T::push_forward(f, v), c), trial)?);
    all = all.and_part(A::compare_classes(&space, &coend::scale_tangent(v, &space.constant(1)), v, trial)?);
    Ok(all.and_part(A::compare_classes(&space, &coend::scale_tangent(v, &space.constant(0)), &at_rest, trial)?))
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
    Representable::compare_elements(&space, &left.to_map(), &right.to_map(), trial)
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

/// **Observed numbers are natural.** `observe_number(x·e) = e.then(observe_number(x))`. Survives if no number is observed.
///
/// # Errors
/// As for [`restriction_identity`].
pub fn natural_observation<F: Observe, D: MapEnd, G: MapEnd>(
    e: &Map<D, G>,
    x: &F::At<G>,
    which: u64,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let before = F::observe_number(&e.codomain(), x, which);
    match (before, F::observe_number(&e.domain(), &F::restrict(e, x), which)) {
        (Some(before), Some(after)) => jets_agree(e.then(&before).as_dyn(), after.as_dyn(), trial),
        (None, None) => Ok(Verdict::Survived),
        // whether a number is observed must not depend on the stage either
        (before, _) => {
            let told = |is_observed: bool| if is_observed { "a number" } else { "no number" };
            Ok(Verdict::refuted("observed numbers", told(before.is_some()), told(before.is_none())))
        }
    }
}

/// Returns the laws of a presheaf: [`restriction_identity`], [`restriction_composition`] and [`natural_observation`].
pub fn presheaf_suite<F: Observe + SampleElements>(samples: &SampleSettings) -> LawSuite<MapError> {
    let identity = samples.law_at_stages(|random, space, trial| {
        restriction_identity::<F, _>(space, &F::draw_element(random, space), trial)
    });
    let composition = samples.law_at_stages(|random, space, trial| {
        let x = F::draw_element(random, space);
        with_stage(1 + random.next_below(2), |middle| {
            let e = observe::draw_map(random, middle, space);
            with_stage(1, |last| {
                restriction_composition::<F, _, _, _>(&observe::draw_map(random, last, middle), &e, &x, trial)
            })
        })
    });
    let observation = samples.law_at_stages(|random, space, trial| {
        let (x, which) = (F::draw_element(random, space), random.next());
        with_stage(1 + random.next_below(2), |later| {
            natural_observation::<F, _, _>(&observe::draw_map(random, later, space), &x, which, trial)
        })
    });
    vec![("identity", identity), ("composition", composition), ("naturality of observed numbers", observation)]
}

/// Tests that F is a functor whose observed numbers are natural: the laws of [`presheaf_suite`].
///
/// # Errors
/// The error of evaluating maps, here and in all suites.
pub fn check_presheaf<F: Observe + SampleElements>(samples: &SampleSettings) -> PresheafVerdict {
    check_suite_as_one(&presheaf_suite::<F>(samples))
}

/// Returns the laws of X as F ⇒ H: [`kripke_naturality`], [`exponential_beta`] and [`exponential_eta`]. Functions are made by
/// currying a function of a pair, so that they depend on their context.
pub fn exponential_suite<X: ExponentialObject<F, H> + Observe, E: SampleElements, F: SampleElements, H: Observe>(
    samples: &SampleSettings,
    body: &PresheafTransformation<ProductPresheaf<E, F>, H>,
) -> LawSuite<MapError> {
    let [first, second, third] = [(); 3].map(|()| body.clone());
    let natural = samples.law_at_stages(move |random, space, trial| {
        let f = X::curry::<E, _>(space, &E::draw_element(random, space), &first);
        with_stage(1 + random.next_below(2), |middle| {
            let e = observe::draw_map(random, middle, space);
            let x = F::draw_element(random, middle);
            with_stage(1, |last| {
                kripke_naturality::<X, F, H, _, _, _>(&f, &e, &x, &observe::draw_map(random, last, middle), trial)
            })
        })
    });
    let beta = samples.law_at_stages(move |random, space, trial| {
        let context = E::draw_element(random, space);
        with_stage(1 + random.next_below(2), |later| {
            let e = observe::draw_map(random, later, space);
            exponential_beta::<X, E, F, H, _, _>(&context, &second, &e, &F::draw_element(random, later), trial)
        })
    });
    let eta = samples.law_at_stages(move |random, space, trial| {
        exponential_eta::<X, F, H, _>(space, &X::curry::<E, _>(space, &E::draw_element(random, space), &third), trial)
    });
    vec![("naturality", natural), ("β of exponentials", beta), ("η of exponentials", eta)]
}

/// Tests that X is F ⇒ H: the laws of [`exponential_suite`].
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_exponential<X: ExponentialObject<F, H> + Observe, E: SampleElements, F: SampleElements, H: Observe>(
    samples: &SampleSettings,
    body: &PresheafTransformation<ProductPresheaf<E, F>, H>,
) -> PresheafVerdict {
    check_suite_as_one(&exponential_suite::<X, E, F, H>(samples, body))
}

/// Tests an isomorphism in both directions.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_isomorphism<A: Observe + SampleElements, B: Observe + SampleElements>(
    samples: &SampleSettings,
    iso: &PresheafIso<A, B>,
) -> PresheafVerdict {
    let iso = PresheafIso { to: iso.to.clone(), from: iso.from.clone() };
    samples.check_at_stages(move |random, space, trial| {
        let (a, b) = (A::draw_element(random, space), B::draw_element(random, space));
        isomorphism(&iso, space, &a, &b, trial)
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
    let (f, g) = (f.clone(), g.clone());
    samples.check_at_stages(move |random, space, trial| {
        let f = <ExponentialPresheaf<A, B> as ExponentialObject<A, B>>::curry::<E, _>(
            space,
            &E::draw_element(random, space),
            &f,
        );
        let g = <ExponentialPresheaf<B, C> as ExponentialObject<B, C>>::curry::<E, _>(
            space,
            &E::draw_element(random, space),
            &g,
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

/// The object ℝ × ℝ, for laws of representables.
type PlaneObject = (RealObject, RealObject);

/// The verdict on a law of an extension, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionVerdict {
    /// The name of the law.
    pub law: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason of a vacuous verdict, if it lies in the presheaf and not in the samples.
    pub because: Option<String>,
}

impl fmt::Display for ExtensionVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.law, self.verdict)?;
        self.because.as_ref().map_or(Ok(()), |because| write!(f, ": {because}"))
    }
}

/// The verdicts on the laws of an extension, or the error that prevented one.
pub type ExtensionVerdicts = Result<Vec<ExtensionVerdict>, MapError>;

/// Returns the reason for which tangents to F, and other classes, are never compared. Returns `None` if they are.
///
/// # Errors
/// The error of evaluating maps.
pub fn explain_vacuous_tangents<F: Observe + SampleElements>(
    samples: &SampleSettings,
) -> Result<Option<String>, MapError> {
    // a class is compared with itself: that is vacuous only if nothing is observed of it
    let itself = samples.check_at_stages(|random, space, trial| {
        let v = TanPresheaf::<F>::draw_element(random, space);
        F::compare_classes(space, &v, &v, trial)
    })?;
    let name = std::any::type_name::<F>();
    Ok((itself == Verdict::Vacuous).then(|| {
        format!(
            "`{name}` does not say what its tangents are; implement `observe_number` or `compare_classes` of `Observe`"
        )
    }))
}

/// Lists verdicts under the names of their laws. Those that are vacuous get the reason that lies in F.
fn list_verdicts<F: Observe + SampleElements>(
    samples: &SampleSettings,
    verdicts: impl IntoIterator<Item = (&'static str, Verdict)>,
) -> ExtensionVerdicts {
    let because = explain_vacuous_tangents::<F>(samples)?;
    let list = verdicts.into_iter().map(|(law, verdict)| {
        let because = because.clone().filter(|_| verdict == Verdict::Vacuous);
        ExtensionVerdict { law, verdict, because }
    });
    Ok(list.collect())
}

/// Two maps that a law says are equal, without their types.
type MapSides = [Arc<DynMap>; 2];

/// Pairs the two sides of an equation of maps.
fn equation_of<A: MapEnd, B: MapEnd, P: MapEnd, Q: MapEnd>(left: &Map<A, B>, right: &Map<P, Q>) -> MapSides {
    [left.as_dyn().clone(), right.as_dyn().clone()]
}

/// Tests equations of maps that are made of two drawn maps f and g, f.then(g), at stages with one or two coordinates.
fn check_equations(
    samples: &SampleSettings,
    equations: impl for<'a, 'b, 'c> Fn(&Map<Stage<'a>, Stage<'b>>, &Map<Stage<'b>, Stage<'c>>) -> Vec<MapSides> + 'static,
) -> PresheafVerdict {
    samples.check_at_stages(move |random, first, trial| {
        with_stage(1 + random.next_below(2), |second| {
            with_stage(1 + random.next_below(2), |third| {
                let (f, g) = (observe::draw_map(random, first, second), observe::draw_map(random, second, third));
                let mut all = Verdict::Survived;
                for [left, right] in equations(&f, &g) {
                    // maps of different sizes have no point in common
                    let sizes = |map: &DynMap| format!("ℝ^{} ⇝ ℝ^{}", map.input_count(), map.outputs().len());
                    all = all.and_part(if sizes(&left) == sizes(&right) {
                        jets_agree(&left, &right, trial)?
                    } else {
                        Verdict::refuted("the sizes", sizes(&left), sizes(&right))
                    });
                }
                Ok(all)
            })
        })
    })
}

/// **T is a functor on stages.** `T(id) = id`, `T(f.then(g)) = T(f).then(T(g))`. The sizes of its objects are those that it
/// states, and [`Functor::map`](crate::category::Functor::map) is its action on stages.
///
/// # Errors
/// The error of evaluating maps, here and in all laws.
pub fn stage_functor<T: OnStages>(samples: &SampleSettings) -> PresheafVerdict {
    for n in 0..4 {
        let image = T::image_size(n);
        if T::stage_size(image) != n {
            return Ok(Verdict::refuted(format!("the size of T(ℝ^{n})"), n, T::stage_size(image)));
        }
    }
    // a map between objects in types; stages of their sizes have the same image
    let x = Space::<RealObject>::new().id();
    let curve = x.sin().pair(&x.powi(2));
    check_equations(samples, move |f, g| {
        let image = T::image_space(&f.domain());
        vec![
            equation_of(&T::map_at(&f.domain().id()), &image.id()),
            equation_of(&T::map_at(&f.then(g)), &T::map_at(f).then(&T::map_at(g))),
            equation_of(
                &T::map::<RealObject, (RealObject, RealObject)>(&curve).cast_types::<Dyn, Dyn>(),
                &T::map_at(&curve),
            ),
        ]
    })
}

/// **η and ε are natural.** `f.then(η) = η.then(T f)`, `(T f).then(ε) = ε.then(f)`, `η.then(ε) = id`
///
/// # Errors
/// As for [`stage_functor`].
pub fn point_and_base<T: Pointed + Copointed>(samples: &SampleSettings) -> PresheafVerdict {
    check_equations(samples, |f, _| {
        let (from, to) = (f.domain(), f.codomain());
        vec![
            equation_of(&f.then(&T::point_at(&to)), &T::point_at(&from).then(&T::map_at(f))),
            equation_of(&T::map_at(f).then(&T::base_at(&to)), &T::base_at(&from).then(f)),
            equation_of(&T::point_at(&from).then(&T::base_at(&from)), &from.id()),
        ]
    })
}

/// **T keeps products.** `join` is inverse to `⟨T fst, T snd⟩`, and T(ℝ⁰) has no coordinates.
///
/// # Errors
/// As for [`stage_functor`].
pub fn product_keeping<T: KeepsProducts>(samples: &SampleSettings) -> PresheafVerdict {
    if T::image_size(0) != 0 {
        return Ok(Verdict::refuted("T(ℝ⁰)", 0, T::image_size(0)));
    }
    check_equations(samples, |f, _| {
        let (a, b) = (f.domain(), f.codomain());
        let split = T::map_at(&a.first(&b)).pair(&T::map_at(&a.second(&b)));
        let join = T::join_at(&a, &b);
        vec![
            equation_of(&split.then(&join), &T::image_space(&a.product_with(&b)).id()),
            equation_of(&join.then(&split), &T::image_space(&a).product_with(&T::image_space(&b)).id()),
        ]
    })
}

/// **Elements of T M are jets of curves.** T of `s ↦ curve(x, s)`, at the generic point, is x.
///
/// # Errors
/// As for [`stage_functor`].
pub fn jets_of_curves<T: JetsOfCurves>(samples: &SampleSettings) -> PresheafVerdict {
    check_equations(samples, |f, _| {
        let (image, parameters) = (T::image_space(&f.domain()), Space::<Dyn>::of_size(T::parameter_count()));
        // the curve depends on x as well, which does not move: T at ⟨η, generic⟩
        let still = T::point_at(&image).pair(&image.terminal().then(&T::generic_point()));
        let along = still.then(&T::join_at(&image, &parameters));
        vec![equation_of(&along.then(&T::map_at(&T::curve_at(&f.domain()))), &image.id())]
    })
}

/// **J^(1,2) is the part of T² that the flip fixes.** `(x, x′, x″) ↦ (x, x′, x′, x″)` is natural, the flip of T² is natural and
/// fixes its image, and every fixed element `(x, v, v, w)` is the image of `(x, v, w)`.
///
/// # Errors
/// As for [`stage_functor`].
pub fn jets_in_second_tangents<J: OnStages>(samples: &SampleSettings) -> PresheafVerdict {
    type Second = After<TangentFunctor, TangentFunctor>;
    // selects blocks of the size of a stage, in the given order
    fn select<N: MapEnd, M: MapEnd, G>(space: &Space<G>, blocks: usize, order: &[usize]) -> Map<N, M> {
        let n = space.size();
        let (from, to) = (Space::<N>::of_size(blocks * n), Space::<M>::of_size(order.len() * n));
        let all = from.coordinates();
        from.tuple(&to, |i| all[order[i / n] * n + i % n].clone())
    }
    check_equations(samples, |f, _| {
        let (from, to) = (f.domain(), f.codomain());
        let jets = J::map_at(f).cast_types::<Dyn, Dyn>();
        let second = Second::map_at(f).cast_types::<Dyn, Dyn>();
        let include = [&[0, 1, 1, 2][..]; 2];
        let [include_from, include_to]: [Map<Dyn, Dyn>; 2] = [select(&from, 3, include[0]), select(&to, 3, include[1])];
        let [flip_from, flip_to]: [Map<Dyn, Dyn>; 2] = [select(&from, 4, &[0, 2, 1, 3]), select(&to, 4, &[0, 2, 1, 3])];
        let project: Map<Dyn, Dyn> = select(&from, 4, &[0, 1, 3]);
        // every fixed element (x, v, v, w), as a map of (x, v, w)
        let fixed = include_from.clone();
        vec![
            equation_of(&jets.then(&include_to), &include_from.then(&second)),
            equation_of(&second.then(&flip_to), &flip_from.then(&second)),
            equation_of(&include_from.then(&flip_from), &include_from),
            equation_of(&fixed.then(&project).then(&include_from), &fixed),
        ]
    })
}

/// A natural transformation F → ℜ: an observed number; 0 if none is observed.
fn observation<F: Observe>(which: u64) -> PresheafTransformation<F, RealPresheaf> {
    PresheafTransformation::new(move |space, x| F::observe_number(space, x, which).unwrap_or_else(|| space.constant(0)))
}

/// **The coend, for every T.** `[d, x·k·j] = [d.then(T j), x·k] = [d.then(T(j.then(k))), x]`, compared by observed numbers: a
/// map of stages moves from the element to the direction, and part of it back.
///
/// # Errors
/// As for [`stage_functor`].
pub fn lan_representatives<T: OnStages, F: Observe + SampleElements>(samples: &SampleSettings) -> PresheafVerdict {
    samples.check_at_stages(|random, space, trial| {
        with_stage(1 + random.next_below(2), |first: &Space<Stage<'_>>| {
            let along = observe::draw_map(random, space, &T::image_space(first));
            with_stage(1 + random.next_below(2), |second: &Space<Stage<'_>>| {
                let j = observe::draw_map(random, first, second);
                with_stage(1, |third: &Space<Stage<'_>>| {
                    let k = observe::draw_map(random, second, third);
                    let x = F::draw_element(random, third);
                    let both = j.then(&k);
                    let at_first = LanElement::<T, F, _>::new::<Stage<'_>>(&along, &F::restrict(&both, &x));
                    let later = along.then(&T::map_at(&j));
                    let at_second = LanElement::<T, F, _>::new::<Stage<'_>>(&later, &F::restrict(&k, &x));
                    let last = along.then(&T::map_at(&both));
                    let at_third = LanElement::<T, F, _>::new::<Stage<'_>>(&last, &x);
                    let there = compare_observed_numbers(&at_second, &at_third, trial)?;
                    Ok(there.and_part(compare_observed_numbers(&at_first, &at_second, trial)?))
                })
            })
        })
    })
}

/// **T_! is a functor.** `T_!(id) v = v`, `T_!(g ∘ f) v = T_!g (T_!f v)`, for f an observation F → ℜ and g a map.
///
/// # Errors
/// As for [`stage_functor`].
pub fn lan_functoriality<T: OnStages, F: Observe + SampleElements>(samples: &SampleSettings) -> PresheafVerdict {
    samples.check_at_stages(|random, space, trial| {
        let v = Lan::<T, F>::draw_element(random, space);
        let (f, g) = (observation::<F>(random.next()), draw_map_of_numbers(random));
        let push = |v: &LanElement<T, F, _>, f: &PresheafTransformation<F, RealPresheaf>| {
            lan_transformation::<T, F, RealPresheaf>(f).component_at(space, v)
        };
        let itself = lan_transformation::<T, F, F>(&PresheafTransformation::identity()).component_at(space, &v);
        let identity = compare_observed_numbers(&itself, &v, trial)?;
        let in_two_steps = lan_transformation::<T, RealPresheaf, RealPresheaf>(&g).component_at(space, &push(&v, &f));
        let at_once = push(&v, &f.then(&g));
        Ok(identity.and_part(jets_agree(at_once.to_map().as_dyn(), in_two_steps.to_map().as_dyn(), trial)?))
    })
}

/// Draws a natural transformation ℜ → ℜ.
fn draw_map_of_numbers(random: &mut SplitMix64) -> PresheafTransformation<RealPresheaf, RealPresheaf> {
    exponential::yoneda_embedding(&observe::draw_real_map(random, &Space::<RealObject>::new()))
}

/// **Representables.** `T_!(y N) ≅ y(T N)`, for every T: `to(from(m)) = m`, `from(to(v)) = v`, and `T_!(y f)` is `y(T f)`.
/// So T_! extends T.
///
/// # Errors
/// As for [`stage_functor`].
pub fn lan_of_representables<T: OnStages>(samples: &SampleSettings) -> PresheafVerdict
where
    T::At<PlaneObject>: 'static,
{
    samples.check_at_stages(|random, space, trial| {
        let iso = lan_representable::<T, PlaneObject>();
        let m = observe::draw_map(random, space, &T::image_space(&Space::<PlaneObject>::new()));
        let v = Lan::<T, Representable<PlaneObject>>::draw_element(random, space);
        let there = iso.to.component_at(space, &iso.from.component_at(space, &m));
        let back = iso.from.component_at(space, &iso.to.component_at(space, &v));
        let f: Map<PlaneObject, RealObject> = observe::draw_map(random, &Space::new(), &Space::new());
        let image = lan_transformation::<T, _, _>(&exponential::yoneda_embedding(&f)).component_at(space, &v);
        let mut all = jets_agree(there.as_dyn(), m.as_dyn(), trial)?;
        all = all.and_part(jets_agree(back.to_map().as_dyn(), v.to_map().as_dyn(), trial)?);
        Ok(all.and_part(jets_agree(image.to_map().as_dyn(), v.to_map().then(&T::map_at(&f)).as_dyn(), trial)?))
    })
}

/// **T_! is left adjoint to − ∘ T.** Both zig-zag identities, `ε_{T_!F} ∘ T_!(η_F) = id` at T_!F and `(ε_F ∘ T) ∘ η_{F∘T} = id`
/// at F ∘ T; and transformations T_!F → ℜ and F → ℜ ∘ T determine each other.
///
/// # Errors
/// As for [`stage_functor`].
pub fn lan_adjunction<T: OnStages, F: Observe + SampleElements>(samples: &SampleSettings) -> PresheafVerdict {
    samples.check_at_stages(|random, space, trial| {
        let unit = lan_to_right::<T, F, Lan<T, F>>(&PresheafTransformation::identity());
        let counit = lan_from_right::<T, AfterFunctor<Lan<T, F>, T>, Lan<T, F>>(&PresheafTransformation::identity());
        let v = Lan::<T, F>::draw_element(random, space);
        let zigzag = lan_transformation::<T, _, _>(&unit).then(&counit).component_at(space, &v);
        let left = compare_observed_numbers(&zigzag, &v, trial)?;

        type Right<T, F> = AfterFunctor<F, T>;
        let unit = lan_to_right::<T, Right<T, F>, Lan<T, Right<T, F>>>(&PresheafTransformation::identity());
        let counit = lan_from_right::<T, Right<T, F>, F>(&PresheafTransformation::identity());
        let image = T::image_space(space);
        let y = F::draw_element(random, &image);
        let zigzag = counit.component_at(&image, &unit.component_at(space, &y));
        let right = F::compare_elements(&image, &zigzag, &y, trial)?;

        let which = random.next();
        let h = PresheafTransformation::<Lan<T, F>, RealPresheaf>::new(move |space, v| {
            observe_class_number(v, which).unwrap_or_else(|| space.constant(0))
        });
        let there = lan_from_right::<T, F, RealPresheaf>(&lan_to_right(&h)).component_at(space, &v);
        let transposed = jets_agree(there.as_dyn(), h.component_at(space, &v).as_dyn(), trial)?;
        Ok(left.and_part(right).and_part(transposed))
    })
}

/// **T_! at functions that vary.** `T_!(id) v = v`, `T_!(g ∘ f) v = T_!g (T_!f v)` and `T_!f [η, x] = [η, f x]`, for f and
/// g that depend on the stage.
///
/// # Errors
/// As for [`stage_functor`].
pub fn lan_of_varying_functions<T: Pointed + KeepsProducts>(samples: &SampleSettings) -> PresheafVerdict {
    type Functions = ExponentialPresheaf<RealPresheaf, RealPresheaf>;
    samples.check_at_stages(|random, space, trial| {
        let (f, g) = (Functions::draw_element(random, space), Functions::draw_element(random, space));
        let v = Lan::<T, RealPresheaf>::draw_element(random, space);
        let x = observe::draw_real_map(random, space);
        let agree = |v: &LanElement<T, RealPresheaf, _>, w: &LanElement<T, RealPresheaf, _>| {
            RealPresheaf::compare_classes(space, v, w, trial)
        };
        let id = ExponentialElement::identity().weaken_to(space);
        let mut all = agree(&lan_map(&id, &v), &v)?;
        all = all.and_part(agree(&lan_map(&f.then(&g), &v), &lan_map(&g, &lan_map(&f, &v)))?);
        let still = lan_unit::<T, RealPresheaf, _>(space, &f.apply(&space.id(), &x));
        Ok(all.and_part(agree(&lan_map(&f, &lan_unit(space, &x)), &still)?))
    })
}

/// **Extensions of composites.** `S_!(T_!F) ≅ (S ∘ T)_!F`, at numbers: both ways, and the maps to S(T ℝ) are equal.
///
/// # Errors
/// As for [`stage_functor`].
pub fn lan_of_composites<S: OnStages, T: OnStages>(samples: &SampleSettings) -> PresheafVerdict {
    samples.check_at_stages(|random, space, trial| {
        let v = Lan::<After<S, T>, RealPresheaf>::draw_element(random, space);
        let there = flatten_lan::<S, T, RealPresheaf, _>(&nest_lan(&v));
        let w = Lan::<S, Lan<T, RealPresheaf>>::draw_element(random, space);
        let flat = flatten_lan(&w);
        // a class of classes is observed through its elements, as maps to T ℝ, and not through `flatten_lan`
        let through = w.with_representative(|w| w.along.then(&S::map_at(&w.element.to_map())));
        let back = flatten_lan::<S, T, RealPresheaf, _>(&nest_lan(&flat));
        let mut all = jets_agree(there.to_map().as_dyn(), v.to_map().as_dyn(), trial)?;
        all = all.and_part(jets_agree(back.to_map().as_dyn(), flat.to_map().as_dyn(), trial)?);
        Ok(all.and_part(jets_agree(flat.to_map().as_dyn(), through.as_dyn(), trial)?))
    })
}

/// Tests the extension T_!F for any T: T is a functor, T_!F is a presheaf that does not depend on representatives, T_! is a
/// functor, extends T and is a left adjoint.
///
/// The verdicts on F itself are vacuous with a reason if F does not say what its tangents are.
///
/// # Errors
/// As for [`stage_functor`].
pub fn check_lan<T: OnStages, F: Observe + SampleElements>(samples: &SampleSettings) -> ExtensionVerdicts
where
    T::At<PlaneObject>: 'static,
{
    list_verdicts::<F>(
        samples,
        [
            ("T is a functor", stage_functor::<T>(samples)?),
            ("representatives", lan_representatives::<T, F>(samples)?),
            ("T_! is a functor", lan_functoriality::<T, F>(samples)?),
            ("representables", lan_of_representables::<T>(samples)?),
            ("adjunction", lan_adjunction::<T, F>(samples)?),
        ],
    )
}

/// Tests the extension T_!F for a functor of jets, in addition to [`check_lan`]: its point and base, its products, its curves,
/// and Props. 5.1 and 5.3 of S for pairs and functions of F.
///
/// # Errors
/// As for [`stage_functor`].
pub fn check_jets<T: JetsOfCurves + Copointed, F: Observe + SampleElements>(
    samples: &SampleSettings,
) -> ExtensionVerdicts
where
    T::At<RealObject>: 'static,
    T::At<PlaneObject>: 'static,
    Representable<T::At<RealObject>>: SampleElements + Observe,
    FunctionsInto<RealPresheaf, T::At<RealObject>>: SampleElements,
{
    let mut list = check_lan::<T, F>(samples)?;
    list.extend(list_verdicts::<F>(
        samples,
        [
            ("point and base", point_and_base::<T>(samples)?),
            ("T keeps products", product_keeping::<T>(samples)?),
            ("curves", jets_of_curves::<T>(samples)?),
            ("T_! at varying functions", lan_of_varying_functions::<T>(samples)?),
            ("presheaf", check_presheaf::<Lan<T, F>>(samples)?),
            ("Prop. 5.1", check_isomorphism(samples, &lan_product::<T, F, RealPresheaf>())?),
            ("Prop. 5.3", check_isomorphism(samples, &lan_functions::<T, RealPresheaf, RealObject>())?),
            ("composites", lan_of_composites::<TangentFunctor, T>(samples)?),
        ],
    )?);
    Ok(list)
}
