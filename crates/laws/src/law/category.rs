//! The laws of the interfaces of [`category`](crate::category), as functions that test them.
//!
//! Each law is one function for all categories. It returns the verdict of the category's own comparison. All laws of a
//! structure, on arrows that an instance [draws](DrawArrow), are [`check_products`] and [`check_bicartesian_closed`].

mod draw;
mod suite;

pub use draw::DrawArrow;
pub use suite::{NamedVerdicts, check_bicartesian_closed, check_products};

use crate::category::{
    Arrow, Cartesian, CartesianClosed, Category, Cocartesian, Functor, Iso, ListObject, Lists, NaturalTransformation,
    ObjectName, ProductOf, Setoid, SumOf,
};
use crate::verdict::Verdict;

/// A verdict, or the error that prevented it.
pub type LawResult<C> = Result<Verdict, <C as Setoid>::Error>;

/// **Identity.** `id.then(f) = f = f.then(id)`
///
/// # Errors
/// The error of evaluating an arrow, here and in all laws.
pub fn identity<C: Setoid, A: ObjectName<C>, B: ObjectName<C>>(f: &Arrow<C, A, B>, trial: &C::Trial) -> LawResult<C> {
    let left = Arrow::<C, A, A>::identity().then(f).agrees(f, trial)?;
    Ok(left.and(f.then(&Arrow::<C, B, B>::identity()).agrees(f, trial)?))
}

/// **Associativity.** `f.then(g).then(h) = f.then(g.then(h))`
///
/// # Errors
/// As for [`identity`].
pub fn associativity<K: Setoid, A: ObjectName<K>, B: ObjectName<K>, C: ObjectName<K>, D: ObjectName<K>>(
    f: &Arrow<K, A, B>,
    g: &Arrow<K, B, C>,
    h: &Arrow<K, C, D>,
    trial: &K::Trial,
) -> LawResult<K> {
    f.then(g).then(h).agrees(&f.then(&g.then(h)), trial)
}

/// **β of products.** `⟨f, g⟩.then(fst) = f`, `⟨f, g⟩.then(snd) = g`
///
/// # Errors
/// As for [`identity`].
pub fn product_beta<C: Setoid + Cartesian, X: ObjectName<C>, A: ObjectName<C>, B: ObjectName<C>>(
    f: &Arrow<C, X, A>,
    g: &Arrow<C, X, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    let pair = f.pair(g);
    let first = pair.then(&Arrow::<C, A, B>::first()).agrees(f, trial)?;
    Ok(first.and(pair.then(&Arrow::<C, A, B>::second()).agrees(g, trial)?))
}

/// **η of products.** `⟨h.then(fst), h.then(snd)⟩ = h`; with `h = id`, `⟨fst, snd⟩ = id`.
///
/// # Errors
/// As for [`identity`].
pub fn product_eta<C: Setoid + Cartesian, X: ObjectName<C>, A: ObjectName<C>, B: ObjectName<C>>(
    h: &Arrow<C, X, C::Product<A, B>>,
    trial: &C::Trial,
) -> LawResult<C> {
    let first = h.then(&Arrow::<C, A, B>::first());
    let second = h.then(&Arrow::<C, A, B>::second());
    first.pair(&second).agrees(h, trial)
}

/// **Fusion.** `h.then(⟨f, g⟩) = ⟨h.then(f), h.then(g)⟩`
///
/// # Errors
/// As for [`identity`].
pub fn product_fusion<C: Setoid + Cartesian, Y: ObjectName<C>, X: ObjectName<C>, A: ObjectName<C>, B: ObjectName<C>>(
    h: &Arrow<C, Y, X>,
    f: &Arrow<C, X, A>,
    g: &Arrow<C, X, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    h.then(&f.pair(g)).agrees(&h.then(f).pair(&h.then(g)), trial)
}

/// **Uniqueness into 1.** `f = !`
///
/// # Errors
/// As for [`identity`].
pub fn terminality<C: Setoid + Cartesian, A: ObjectName<C>>(
    f: &Arrow<C, A, C::Terminal>,
    trial: &C::Trial,
) -> LawResult<C> {
    f.agrees(&Arrow::terminal(), trial)
}

/// **β of sums.** `left.then([f, g]) = f`, `right.then([f, g]) = g`
///
/// # Errors
/// As for [`identity`].
pub fn sum_beta<C: Setoid + Cocartesian, A: ObjectName<C>, B: ObjectName<C>, X: ObjectName<C>>(
    f: &Arrow<C, A, X>,
    g: &Arrow<C, B, X>,
    trial: &C::Trial,
) -> LawResult<C> {
    let case = f.copair(g);
    let left = Arrow::<C, A, B>::left().then(&case).agrees(f, trial)?;
    Ok(left.and(Arrow::<C, A, B>::right().then(&case).agrees(g, trial)?))
}

/// **η of sums.** `[left.then(h), right.then(h)] = h`
///
/// # Errors
/// As for [`identity`].
pub fn sum_eta<C: Setoid + Cocartesian, A: ObjectName<C>, B: ObjectName<C>, X: ObjectName<C>>(
    h: &Arrow<C, SumOf<C, A, B>, X>,
    trial: &C::Trial,
) -> LawResult<C> {
    let (left, right) = (Arrow::<C, A, B>::left().then(h), Arrow::<C, A, B>::right().then(h));
    left.copair(&right).agrees(h, trial)
}

/// **Fusion of sums.** `[f, g].then(h) = [f.then(h), g.then(h)]`
///
/// # Errors
/// As for [`identity`].
pub fn sum_fusion<C: Setoid + Cocartesian, A: ObjectName<C>, B: ObjectName<C>, X: ObjectName<C>, Y: ObjectName<C>>(
    f: &Arrow<C, A, X>,
    g: &Arrow<C, B, X>,
    h: &Arrow<C, X, Y>,
    trial: &C::Trial,
) -> LawResult<C> {
    f.copair(g).then(h).agrees(&f.then(h).copair(&g.then(h)), trial)
}

/// **Uniqueness out of 0.** `f = ?`
///
/// # Errors
/// As for [`identity`].
pub fn initiality<C: Setoid + Cocartesian, A: ObjectName<C>>(
    f: &Arrow<C, C::Initial, A>,
    trial: &C::Trial,
) -> LawResult<C> {
    f.agrees(&Arrow(C::initial::<A>()), trial)
}

/// The exponential object A ⇒ B.
type ExponentialOf<C, A, B> = <C as CartesianClosed>::Exponential<A, B>;
/// The step of a fold: A × B → B.
type StepArrow<C, A, B> = Arrow<C, ProductOf<C, A, B>, B>;
/// The start of a fold: 1 → B.
type StartArrow<C, B> = Arrow<C, <C as Cartesian>::Terminal, B>;

/// Returns `fold(start, step) : List A → B`.
#[must_use]
pub fn fold_arrow<C: Lists, A: ObjectName<C>, B: ObjectName<C>>(
    start: &StartArrow<C, B>,
    step: &StepArrow<C, A, B>,
) -> Arrow<C, ListObject<C, A>, B> {
    Arrow(C::fold::<A, B>(&start.0, &step.0))
}

/// Returns `id × h : A × B → A × D`.
fn map_second<C: Cartesian, A: ObjectName<C>, B: ObjectName<C>, D: ObjectName<C>>(
    h: &Arrow<C, B, D>,
) -> Arrow<C, ProductOf<C, A, B>, ProductOf<C, A, D>> {
    Arrow::<C, A, B>::first().pair(&Arrow::<C, A, B>::second().then(h))
}

/// **β of lists.** `nil.then(fold(z, s)) = z`, `cons.then(fold(z, s)) = (id × fold(z, s)).then(s)`
///
/// # Errors
/// As for [`identity`].
pub fn list_beta<C: Setoid + Lists, A: ObjectName<C>, B: ObjectName<C>>(
    start: &StartArrow<C, B>,
    step: &StepArrow<C, A, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    equations_of_folds::<C, A, B>(&fold_arrow::<C, A, B>(start, step), start, step, trial)
}

/// **Equations of folds.** `nil.then(h) = z`, `cons.then(h) = (id × h).then(s)`. The fold satisfies them, and no other
/// arrow.
///
/// # Errors
/// As for [`identity`].
pub fn equations_of_folds<C: Setoid + Lists, A: ObjectName<C>, B: ObjectName<C>>(
    h: &Arrow<C, ListObject<C, A>, B>,
    start: &StartArrow<C, B>,
    step: &StepArrow<C, A, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    let nil: StartArrow<C, ListObject<C, A>> = Arrow(C::nil::<A>());
    let cons: StepArrow<C, A, ListObject<C, A>> = Arrow(C::cons::<A>());
    let empty = nil.then(h).agrees(start, trial)?;
    Ok(empty.and(cons.then(h).agrees(&map_second::<C, A, _, _>(h).then(step), trial)?))
}

/// **Uniqueness of folds.** An arrow for which the [equations](equations_of_folds) survive is the fold. Vacuous for
/// others.
///
/// # Errors
/// As for [`identity`].
pub fn uniqueness_of_folds<C: Setoid + Lists, A: ObjectName<C>, B: ObjectName<C>>(
    h: &Arrow<C, ListObject<C, A>, B>,
    start: &StartArrow<C, B>,
    step: &StepArrow<C, A, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    match equations_of_folds::<C, A, B>(h, start, step, trial)? {
        // vacuous equations do not show that h satisfies them, so they do not count as a premise
        Verdict::Survived => h.agrees(&fold_arrow::<C, A, B>(start, step), trial),
        _ => Ok(Verdict::Vacuous),
    }
}

/// Returns an arrow that satisfies the equations of `fold(z, s)` but is built in another way. Each element becomes a
/// function B → B, the fold composes them, and the composite is applied to the start.
///
/// Composed from the left they make the fold from the left. That satisfies the equations only if s ignores the order.
#[must_use]
pub fn fold_by_functions<C: Lists + CartesianClosed, A: ObjectName<C>, B: ObjectName<C>>(
    start: &StartArrow<C, B>,
    step: &StepArrow<C, A, B>,
    from_the_left: bool,
) -> Arrow<C, ListObject<C, A>, B> {
    type Functions<C, B> = ExponentialOf<C, B, B>;
    let apply: Arrow<C, ProductOf<C, Functions<C, B>, B>, B> = Arrow(C::apply::<B, B>());
    let one: StartArrow<C, Functions<C, B>> = Arrow(C::curry::<C::Terminal, B, B>(&C::second::<C::Terminal, B>()));
    // projections out of ((a, g), b)
    let cell = Arrow::<C, ProductOf<C, A, Functions<C, B>>, B>::first();
    let b = Arrow::<C, ProductOf<C, A, Functions<C, B>>, B>::second();
    let a = cell.then(&Arrow::<C, A, Functions<C, B>>::first());
    let g = cell.then(&Arrow::<C, A, Functions<C, B>>::second());
    let next = if from_the_left {
        g.pair(&a.pair(&b).then(step)).then(&apply)
    } else {
        a.pair(&g.pair(&b).then(&apply)).then(step)
    };
    let composed: StepArrow<C, A, Functions<C, B>> = Arrow(C::curry::<ProductOf<C, A, Functions<C, B>>, B, B>(&next.0));
    let function = fold_arrow::<C, A, Functions<C, B>>(&one, &composed);
    function.pair(&Arrow::<C, ListObject<C, A>, C::Terminal>::terminal().then(start)).then(&apply)
}

/// **η of lists.** `fold(nil, cons) = id`
///
/// # Errors
/// As for [`identity`].
pub fn list_eta<C: Setoid + Lists, A: ObjectName<C>>(trial: &C::Trial) -> LawResult<C> {
    let (nil, cons) = (Arrow(C::nil::<A>()), Arrow(C::cons::<A>()));
    fold_arrow::<C, A, ListObject<C, A>>(&nil, &cons).agrees(&Arrow::identity(), trial)
}

/// **Fusion of folds.** `fold(z, s).then(h) = fold(z.then(h), t)` where `s.then(h) = (id × h).then(t)`, for h with a retraction
/// r, `h.then(r) = id`, and `t = (id × r).then(s).then(h)`. With [`list_eta`] this is uniqueness.
///
/// # Errors
/// As for [`identity`].
pub fn fusion_of_folds<C: Setoid + Lists, A: ObjectName<C>, B: ObjectName<C>, D: ObjectName<C>>(
    start: &StartArrow<C, B>,
    step: &StepArrow<C, A, B>,
    (h, r): (&Arrow<C, B, D>, &Arrow<C, D, B>),
    trial: &C::Trial,
) -> LawResult<C> {
    let other: StepArrow<C, A, D> = map_second::<C, A, D, B>(r).then(step).then(h);
    let fused = fold_arrow::<C, A, D>(&start.then(h), &other);
    fold_arrow::<C, A, B>(start, step).then(h).agrees(&fused, trial)
}

/// Returns `⟨fst.then(g), snd⟩.then(apply) : X × A → B`, the uncurried form of `g`.
#[must_use]
pub fn uncurry_arrow<C: CartesianClosed, X: ObjectName<C>, A: ObjectName<C>, B: ObjectName<C>>(
    g: &Arrow<C, X, ExponentialOf<C, A, B>>,
) -> Arrow<C, C::Product<X, A>, B> {
    let function = Arrow::<C, X, A>::first().then(g);
    function.pair(&Arrow::<C, X, A>::second()).then(&Arrow(C::apply::<A, B>()))
}

/// **β of exponentials.** `⟨fst.then(curry f), snd⟩.then(apply) = f`
///
/// # Errors
/// As for [`identity`].
pub fn exponential_beta<C: Setoid + CartesianClosed, X: ObjectName<C>, A: ObjectName<C>, B: ObjectName<C>>(
    f: &Arrow<C, C::Product<X, A>, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    uncurry_arrow::<C, X, A, B>(&Arrow(C::curry::<X, A, B>(&f.0))).agrees(f, trial)
}

/// **η of exponentials.** `curry(⟨fst.then(g), snd⟩.then(apply)) = g`
///
/// # Errors
/// As for [`identity`].
pub fn exponential_eta<C: Setoid + CartesianClosed, X: ObjectName<C>, A: ObjectName<C>, B: ObjectName<C>>(
    g: &Arrow<C, X, ExponentialOf<C, A, B>>,
    trial: &C::Trial,
) -> LawResult<C> {
    Arrow(C::curry::<X, A, B>(&uncurry_arrow::<C, X, A, B>(g).0)).agrees(g, trial)
}

/// **Identity of functors.** `F(id) = id`
///
/// # Errors
/// As for [`identity`].
pub fn functor_identity<F: Functor<To: Setoid>, A: ObjectName<F::From>>(
    trial: &<F::To as Setoid>::Trial,
) -> LawResult<F::To> {
    Arrow::<F::From, A, A>::identity().map_functor::<F>().agrees(&Arrow::identity(), trial)
}

/// **Composition of functors.** `F(f.then(g)) = F(f).then(F(g))`
///
/// # Errors
/// As for [`identity`].
pub fn functor_composition<
    F: Functor<To: Setoid>,
    A: ObjectName<F::From>,
    B: ObjectName<F::From>,
    C: ObjectName<F::From>,
>(
    f: &Arrow<F::From, A, B>,
    g: &Arrow<F::From, B, C>,
    trial: &<F::To as Setoid>::Trial,
) -> LawResult<F::To> {
    f.then(g).map_functor::<F>().agrees(&f.map_functor::<F>().then(&g.map_functor::<F>()), trial)
}

/// The category of the components of a natural transformation.
type ComponentCategory<T> = <<T as NaturalTransformation>::Domain as Functor>::To;

/// **Naturality.** `F(f).then(at B) = (at A).then(G(f))`
///
/// # Errors
/// As for [`identity`].
pub fn naturality<T: NaturalTransformation, A: ObjectName<T::Source>, B: ObjectName<T::Source>>(
    f: &Arrow<T::Source, A, B>,
    trial: &<ComponentCategory<T> as Setoid>::Trial,
) -> LawResult<ComponentCategory<T>>
where
    ComponentCategory<T>: Setoid,
{
    let before: Arrow<ComponentCategory<T>, _, _> = f.map_functor::<T::Domain>();
    let after: Arrow<ComponentCategory<T>, _, _> = f.map_functor::<T::Codomain>();
    before.then(&Arrow(T::component::<B>())).agrees(&Arrow(T::component::<A>()).then(&after), trial)
}

/// **Isomorphism.** `to.then(from) = id`, `from.then(to) = id`
///
/// # Errors
/// As for [`identity`].
pub fn isomorphism<C: Setoid, A: ObjectName<C>, B: ObjectName<C>>(i: &Iso<C, A, B>, trial: &C::Trial) -> LawResult<C> {
    let there = C::agree::<A, A>(&C::then(&i.to, &i.from), &<C as Category>::identity(), trial)?;
    Ok(there.and(C::agree::<B, B>(&C::then(&i.from, &i.to), &<C as Category>::identity(), trial)?))
}
