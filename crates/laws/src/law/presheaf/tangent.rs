//! The laws of tangents (S §5.3).

use super::PresheafVerdict;
use crate::presheaf::Presheaf;
use crate::presheaf::coend::{self, CoendTangent, tangent_value};
use crate::presheaf::exponential::ExponentialElement;
use crate::presheaf::isomorphism::{FunctionsInto, PresheafIso, TangentToIso, value_with_slope};
use crate::presheaf::observe::Observe;
use crate::presheaf::representable::{RealPresheaf, Representable};
use crate::smooth::dimension::{Dim, MapEnd, RealObject};
use crate::smooth::map::{Map, MapTestConfig, Space};

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
