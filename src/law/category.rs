//! The laws of the interfaces of [`category`](crate::category), as functions that try them.
//!
//! Each law is one function, whatever the category. It answers with the verdict of the category's own comparison.

use crate::category::{Arrow, Cartesian, Category, Closed, Functor, Iso, Names, NaturalTransformation, Setoid};
use crate::verdict::Verdict;

/// A verdict, or why there is none.
pub type Tried<C> = Result<Verdict, <C as Setoid>::Error>;

/// **Identity.** `id.then(f) = f = f.then(id)`
///
/// # Errors
/// Those of evaluating an arrow, here and in all laws.
pub fn identity<C: Setoid, A: Names<C>, B: Names<C>>(f: &Arrow<C, A, B>, trial: &C::Trial) -> Tried<C> {
    let left = Arrow::<C, A, A>::identity().then(f).agrees(f, trial)?;
    Ok(left.and(f.then(&Arrow::<C, B, B>::identity()).agrees(f, trial)?))
}

/// **Associativity.** `f.then(g).then(h) = f.then(g.then(h))`
///
/// # Errors
/// As for [`identity`].
pub fn associativity<K: Setoid, A: Names<K>, B: Names<K>, C: Names<K>, D: Names<K>>(
    f: &Arrow<K, A, B>,
    g: &Arrow<K, B, C>,
    h: &Arrow<K, C, D>,
    trial: &K::Trial,
) -> Tried<K> {
    f.then(g).then(h).agrees(&f.then(&g.then(h)), trial)
}

/// **β of products.** `⟨f, g⟩.then(fst) = f`, `⟨f, g⟩.then(snd) = g`
///
/// # Errors
/// As for [`identity`].
pub fn projections<C: Setoid + Cartesian, X: Names<C>, A: Names<C>, B: Names<C>>(
    f: &Arrow<C, X, A>,
    g: &Arrow<C, X, B>,
    trial: &C::Trial,
) -> Tried<C> {
    let pair = f.pair(g);
    let first = pair.then(&Arrow::<C, A, B>::first()).agrees(f, trial)?;
    Ok(first.and(pair.then(&Arrow::<C, A, B>::second()).agrees(g, trial)?))
}

/// **η of products.** `⟨h.then(fst), h.then(snd)⟩ = h`; with `h = id`, `⟨fst, snd⟩ = id`.
///
/// # Errors
/// As for [`identity`].
pub fn surjective_pairing<C: Setoid + Cartesian, X: Names<C>, A: Names<C>, B: Names<C>>(
    h: &Arrow<C, X, C::Product<A, B>>,
    trial: &C::Trial,
) -> Tried<C> {
    let first = h.then(&Arrow::<C, A, B>::first());
    let second = h.then(&Arrow::<C, A, B>::second());
    first.pair(&second).agrees(h, trial)
}

/// **Fusion.** `h.then(⟨f, g⟩) = ⟨h.then(f), h.then(g)⟩`
///
/// # Errors
/// As for [`identity`].
pub fn fusion<C: Setoid + Cartesian, Y: Names<C>, X: Names<C>, A: Names<C>, B: Names<C>>(
    h: &Arrow<C, Y, X>,
    f: &Arrow<C, X, A>,
    g: &Arrow<C, X, B>,
    trial: &C::Trial,
) -> Tried<C> {
    h.then(&f.pair(g)).agrees(&h.then(f).pair(&h.then(g)), trial)
}

/// The exponential A ⇒ B.
type Exponential<C, A, B> = <C as Closed>::Exponential<A, B>;

/// `⟨fst.then(g), snd⟩.then(apply) : X × A → B`, a function of two arguments from one that answers with functions.
#[must_use]
pub fn applied<C: Closed, X: Names<C>, A: Names<C>, B: Names<C>>(
    g: &Arrow<C, X, Exponential<C, A, B>>,
) -> Arrow<C, C::Product<X, A>, B> {
    let function = Arrow::<C, X, A>::first().then(g);
    function.pair(&Arrow::<C, X, A>::second()).then(&Arrow(C::apply::<A, B>()))
}

/// **β of exponentials.** `⟨fst.then(curry f), snd⟩.then(apply) = f`
///
/// # Errors
/// As for [`identity`].
pub fn beta<C: Setoid + Closed, X: Names<C>, A: Names<C>, B: Names<C>>(
    f: &Arrow<C, C::Product<X, A>, B>,
    trial: &C::Trial,
) -> Tried<C> {
    applied::<C, X, A, B>(&Arrow(C::curry::<X, A, B>(&f.0))).agrees(f, trial)
}

/// **η of exponentials.** `curry(⟨fst.then(g), snd⟩.then(apply)) = g`
///
/// # Errors
/// As for [`identity`].
pub fn eta<C: Setoid + Closed, X: Names<C>, A: Names<C>, B: Names<C>>(
    g: &Arrow<C, X, Exponential<C, A, B>>,
    trial: &C::Trial,
) -> Tried<C> {
    Arrow(C::curry::<X, A, B>(&applied::<C, X, A, B>(g).0)).agrees(g, trial)
}

/// **Identity of functors.** `F(id) = id`
///
/// # Errors
/// As for [`identity`].
pub fn functor_identity<F: Functor<To: Setoid>, A: Names<F::From>>(trial: &<F::To as Setoid>::Trial) -> Tried<F::To> {
    Arrow::<F::From, A, A>::identity().under::<F>().agrees(&Arrow::identity(), trial)
}

/// **Composition of functors.** `F(f.then(g)) = F(f).then(F(g))`
///
/// # Errors
/// As for [`identity`].
pub fn functor_composition<F: Functor<To: Setoid>, A: Names<F::From>, B: Names<F::From>, C: Names<F::From>>(
    f: &Arrow<F::From, A, B>,
    g: &Arrow<F::From, B, C>,
    trial: &<F::To as Setoid>::Trial,
) -> Tried<F::To> {
    f.then(g).under::<F>().agrees(&f.under::<F>().then(&g.under::<F>()), trial)
}

/// The category in which a natural transformation has its components.
type Target<T> = <<T as NaturalTransformation>::Domain as Functor>::To;

/// **Naturality.** `F(f).then(at B) = (at A).then(G(f))`
///
/// # Errors
/// As for [`identity`].
pub fn naturality<T: NaturalTransformation, A: Names<T::Source>, B: Names<T::Source>>(
    f: &Arrow<T::Source, A, B>,
    trial: &<Target<T> as Setoid>::Trial,
) -> Tried<Target<T>>
where
    Target<T>: Setoid,
{
    let before: Arrow<Target<T>, _, _> = f.under::<T::Domain>();
    let after: Arrow<Target<T>, _, _> = f.under::<T::Codomain>();
    before.then(&Arrow(T::at::<B>())).agrees(&Arrow(T::at::<A>()).then(&after), trial)
}

/// **There and back.** `to.then(from) = id`, `from.then(to) = id`
///
/// # Errors
/// As for [`identity`].
pub fn isomorphism<C: Setoid, A: Names<C>, B: Names<C>>(i: &Iso<C, A, B>, trial: &C::Trial) -> Tried<C> {
    let there = C::agree::<A, A>(&C::then(&i.to, &i.from), &<C as Category>::identity(), trial)?;
    Ok(there.and(C::agree::<B, B>(&C::then(&i.from, &i.to), &<C as Category>::identity(), trial)?))
}
