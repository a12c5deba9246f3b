//! The laws of tangents (S §5.3).

use super::Tried;
use crate::presheaf::Presheaf;
use crate::presheaf::coend::{self, Tangent, tangent_value};
use crate::presheaf::exponential::Natural;
use crate::presheaf::isomorphism::{Functions, Iso, TangentTo, value_with_slope};
use crate::presheaf::observe::Observe;
use crate::presheaf::representable::{Real, Representable};
use crate::smooth::dimension::{Dim, Line, Shape};
use crate::smooth::map::{Map, Space, Trial};

/// **Isomorphism.** `from(to(a)) = a`, `to(from(b)) = b`
///
/// Tangents are observed through the library's own `to`. So for A a Tan, the first equation tests only `to(from(to(a)))
/// = to(a)`, with the library's `to` on the outside. It tests the given `to` only as far as that.
///
/// # Errors
/// The error of evaluating maps, here and in all laws.
pub fn isomorphism<A: Observe, B: Observe, G: Shape>(
    iso: &Iso<A, B>,
    space: &Space<G>,
    a: &A::At<G>,
    b: &B::At<G>,
    trial: &Trial,
) -> Tried {
    let there = A::agree(space, &iso.from.at(space, &iso.to.at(space, a)), a, trial)?;
    Ok(there.both(B::agree(space, &iso.to.at(space, &iso.from.at(space, b)), b, trial)?))
}

/// **The coend.** `[d, x·k] = [d.then((k, k′)), x]`: a tangent does not depend on its stage (S49).
///
/// # Errors
/// As for [`isomorphism`].
pub fn representatives<T, F: Presheaf, E: Shape, D: Shape, G: Shape>(
    direction: &Map<G, (D, D)>,
    k: &Map<D, E>,
    x: &F::At<E>,
    trial: &Trial,
) -> Tried
where
    T: Observe + Presheaf<At<G> = Tangent<F, G>>,
{
    let left = Tangent::new(direction, &F::restrict(k, x));
    let right = Tangent::new(&direction.then(&k.with_derivative()), x);
    T::agree(&direction.domain(), &left, &right, trial)
}

/// A construction that claims to be the action of Tan on maps.
pub trait Action {
    /// Returns `tangent f v`.
    fn tangent<A: Presheaf, B: Presheaf, G: Shape>(f: &Natural<A, B, G>, v: &Tangent<A, G>) -> Tangent<B, G>;
}

/// The action of the library, [`tangent`](coend::tangent).
#[derive(Clone, Copy, Debug)]
pub enum Pushforward {}

impl Action for Pushforward {
    fn tangent<A: Presheaf, B: Presheaf, G: Shape>(f: &Natural<A, B, G>, v: &Tangent<A, G>) -> Tangent<B, G> {
        coend::tangent(f, v)
    }
}

/// **Tan is a functor.** `tangent id v = v`, `tangent (g ∘ f) v = tangent g (tangent f v)`
///
/// # Errors
/// As for [`isomorphism`].
pub fn functoriality<T: Action, A: Observe, B: Presheaf, C: Observe, G: Shape>(
    f: &Natural<A, B, G>,
    g: &Natural<B, C, G>,
    v: &Tangent<A, G>,
    trial: &Trial,
) -> Tried {
    let space = f.stage();
    let id = Natural::identity().weakened(&space);
    let identity = A::tangents_agree(&space, &T::tangent(&id, v), v, trial)?;
    let step = T::tangent(g, &T::tangent(f, v));
    Ok(identity.both(C::tangents_agree(&space, &T::tangent(&f.then(g), v), &step, trial)?))
}

/// **The base point is natural.** `tangentValue (tangent f v) = f (tangentValue v)`
///
/// # Errors
/// As for [`isomorphism`].
pub fn base_point<T: Action, A: Presheaf, B: Observe, G: Shape>(
    f: &Natural<A, B, G>,
    v: &Tangent<A, G>,
    trial: &Trial,
) -> Tried {
    let space = f.stage();
    let right = f.apply(&space.id(), &tangent_value(v));
    B::agree(&space, &tangent_value(&T::tangent(f, v)), &right, trial)
}

/// **Zero and multiples.** `0_x` has the base point x, `tangent f 0_x = 0_{f x}`, `tangent f (c·v) = c·tangent f v`,
/// `1·v = v`, and `0·v = 0` at the base point of v.
///
/// # Errors
/// As for [`isomorphism`].
pub fn homogeneity<T: Action, A: Observe, B: Observe, G: Shape>(
    f: &Natural<A, B, G>,
    v: &Tangent<A, G>,
    c: &Map<G, Line>,
    trial: &Trial,
) -> Tried {
    let space = f.stage();
    let x = tangent_value(v);
    // the zero tangent at the base point of v, with which both equations on 0 are compared
    let at_rest = coend::zero::<A, G>(&space, &x);
    let mut all = A::agree(&space, &tangent_value(&at_rest), &x, trial)?;
    let image = coend::zero::<B, G>(&space, &f.apply(&space.id(), &x));
    all = all.both(B::tangents_agree(&space, &T::tangent(f, &at_rest), &image, trial)?);
    let left = T::tangent(f, &coend::scaled(v, c));
    all = all.both(B::tangents_agree(&space, &left, &coend::scaled(&T::tangent(f, v), c), trial)?);
    all = all.both(A::tangents_agree(&space, &coend::scaled(v, &space.constant(1)), v, trial)?);
    Ok(all.both(A::tangents_agree(&space, &coend::scaled(v, &space.constant(0)), &at_rest, trial)?))
}

/// **Functionals along curves (X5).** For a curve `c ↦ f_c` of functions and a functional F, `der F f_c (d/dc f_c) =
/// d/dc (F f_c)`. The isomorphism of S Prop. 5.3, as claimed by `iso`, gives the velocity of the curve, and makes it a
/// tangent again.
///
/// # Errors
/// As for [`isomorphism`].
pub fn along_curves<A: Presheaf, G: Shape>(
    iso: &TangentTo<A, Line>,
    functional: &Natural<Functions<A, Line>, Real, G>,
    curve: &Natural<Real, Functions<A, Line>, G>,
    c: &Tangent<Real, G>,
    trial: &Trial,
) -> Tried {
    let space = curve.stage();
    // left: the velocity as a pair of functions, pushed through F; right: the derivative of c ↦ F f_c
    let moving = iso.to.at(&space, &coend::tangent(curve, c));
    let left = coend::tangent(functional, &iso.from.at(&space, &moving));
    let right = coend::tangent(&curve.then(functional), c);
    Representable::agree(&space, &value_with_slope(&left), &value_with_slope(&right), trial)
}

/// **Gradients.** `∇f(x)·v = f′(x, v)` (S §2.1; E1 comes from a gradient whose components are exchanged).
///
/// # Errors
/// As for [`isomorphism`].
pub fn gradient<N: Dim + 'static>(
    gradient: impl Fn(&Map<N, Line>) -> Map<N, N>,
    f: &Map<N, Line>,
    trial: &Trial,
) -> Tried {
    let n = Space::<N>::new();
    let (x, v) = (n.first(&n), n.second(&n));
    // a gradient is a map of the point alone; the directional derivative also takes the direction
    let both = n.times(&n);
    let (slopes, steps) = (x.then(&gradient(f)), v);
    let products = n.coordinates().into_iter().map(|i| slopes.then(&i) * steps.then(&i));
    let sum = products.fold(both.constant(0), |sum, product| sum + product);
    Real::agree(&both, &sum, &f.prime(), trial)
}
