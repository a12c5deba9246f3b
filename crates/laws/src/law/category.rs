//! The laws of the interfaces of [`category`](crate::category), as functions that test them.
//!
//! Each law is one function for all categories. It returns the verdict of the category's own comparison. All laws of a
//! structure, on arrows that an instance [draws](DrawArrow), are [`check_products`] and [`check_bicartesian_closed`].
//!
//! # Random arrows of the categories whose laws are tested
//!
//! # All laws of a structure at once
//!
//! All laws of a structure at once, on random arrows between three objects.
//!
//! # The laws
//!
//! The laws of [restriction categories](crate::category::restriction) and of [chains](crate::category::cartesian), as
//! functions that test them. They are independent of numbers.

use crate::category::cartesian::Chains;
use crate::category::opposite::{Opposite, Unop};
use crate::category::restriction::{
    DifferentialRestriction, Joins, RestrictionCategory, RestrictionProduct, RestrictionProducts, ReverseDifferential,
};
use crate::category::value::{ArrowResult, Typed, ValueCategory};
use crate::category::{
    Arrow, Cartesian, CartesianClosed, Category, Cocartesian, Functor, Iso, ListObject, Lists, NaturalTransformation,
    ObjectName, ProductOf, Setoid, SumOf,
};
use crate::law::generate::{TermGenerator, TermVocabulary};
pub use crate::law::property::NamedVerdicts;
use crate::law::property::{LawSuite, SampleSettings, SampledLaw};
use crate::meaning::diffeology::space;
use crate::meaning::diffeology::space::{ArrowEquality, ElementCategory};
use crate::meaning::had;
use crate::meaning::had::{ErasedStage, Had, HadArrow};
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::presheaf::observe;
use crate::random::SplitMix64;
use crate::simple::Terms;
use crate::smooth::map::category::jets_agree;
use crate::smooth::map::{Ad, Map, MapTestConfig};
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use crate::verdict::Verdict;
use std::fmt;

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

/// A category whose arrows can be drawn.
pub trait DrawArrow: Category {
    /// Draws a random arrow.
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> Self::Hom<A, B>;
}

/// The size of programs, in heads. A choice.
const PROGRAM_SIZE: usize = 8;

impl DrawArrow for Terms {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> Term {
        let ty = Ty::function(A::object(), B::object());
        let mut generator = TermGenerator::with_vocabulary(SplitMix64::new(random.next()), TermVocabulary::Derivable);
        match generator.draw_using_scope(&ty, PROGRAM_SIZE).to_core() {
            Some(term) => term,
            // unreachable: generated programs are closed. This one has no type, so a law would notice
            None => Term::new(TermKind::Unit, Span::default()),
        }
    }
}

/// Functions of a number that is observed of the argument. They need not be programs.
impl<E: ArrowEquality> DrawArrow for ElementCategory<E> {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> StageFunction {
        match space::draw_element(&Ty::function(A::object(), B::object()), 0, random) {
            // unreachable at a function type
            Element::Function(function) => function,
            _ => StageFunction::placeholder(),
        }
    }
}

impl DrawArrow for Had {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> HadArrow {
        had::draw_arrow::<A, B>(random)
    }
}

/// **Objects of HAD are presheaves.** `restrict(id, x) = x`, `restrict(k.then(e), x) = restrict(k, restrict(e, x))`, and
/// observed numbers are natural.
///
/// # Errors
/// As for [`identity`].
pub fn erased_restriction<A: ObjectName<Had>>(random: &mut SplitMix64, trial: &MapTestConfig) -> LawResult<Had> {
    let object = A::object();
    if object.has_no_elements() {
        return Ok(Verdict::Survived);
    }
    Verdict::all_samples((0..trial.sample_points).map(|_| {
        let mut stage = || ErasedStage::of_size(1 + random.next_below(2));
        let (first, second, third) = (stage(), stage(), stage());
        let (k, e) = (observe::draw_map(random, &third, &second), observe::draw_map(random, &second, &first));
        let (x, which) = (object.draw_element(random, &first)?, random.next());
        let itself = object.restrict_element(&first.id(), &x)?;
        let identity = object.compare_elements(&first, &itself, &x, trial)?;
        let later = object.restrict_element(&e, &x)?;
        let in_two_steps = object.restrict_element(&k, &later)?;
        let at_once = object.restrict_element(&k.then(&e), &x)?;
        let composition = object.compare_elements(&third, &in_two_steps, &at_once, trial)?;
        let numbers = (object.observe_number(&first, &x, which)?, object.observe_number(&second, &later, which)?);
        let observation = match numbers {
            (Some(before), Some(after)) => jets_agree(e.then(&before).as_dyn(), after.as_dyn(), trial)?,
            // a presheaf need not have observed numbers, and then nothing is claimed of them
            (None, None) => Verdict::Survived,
            _ => Verdict::refuted("observed numbers", "one at every stage", "none at some"),
        };
        Ok(identity.and_part(composition).and_part(observation))
    }))
}

/// **Arrows of HAD are natural.** `f(x·e) = f(x)·e`
///
/// # Errors
/// As for [`identity`].
pub fn arrow_naturality<A: ObjectName<Had>, B: ObjectName<Had>>(
    f: &Arrow<Had, A, B>,
    random: &mut SplitMix64,
    trial: &MapTestConfig,
) -> LawResult<Had> {
    let (from, to) = (A::object(), B::object());
    if from.has_no_elements() {
        return Ok(Verdict::Survived);
    }
    Verdict::all_samples((0..trial.sample_points).map(|_| {
        let mut stage = || ErasedStage::of_size(1 + random.next_below(2));
        let (space, later) = (stage(), stage());
        let (x, e) = (from.draw_element(random, &space)?, observe::draw_map(random, &later, &space));
        let left = f.0.apply_at(&later, &from.restrict_element(&e, &x)?)?;
        let right = to.restrict_element(&e, &f.0.apply_at(&space, &x)?)?;
        to.compare_elements(&later, &left, &right, trial)
    }))
}

/// **The Yoneda embedding is full and faithful**, for an embedding that is given. A map is recovered from its arrow, and an arrow
/// between representables from its map.
///
/// # Errors
/// As for [`identity`].
pub fn full_and_faithful<F: Functor<From = Ad, To = Had>, A: ObjectName<Ad>, B: ObjectName<Ad>>(
    f: &Map<A, B>,
    t: &Arrow<Had, F::On<A>, F::On<B>>,
    trial: &MapTestConfig,
) -> LawResult<Had> {
    let back: Map<A, B> = had::arrow_to_map(&F::map(f))?;
    let faithful = Ad::agree::<A, B>(&back, f, trial)?;
    let map: Map<A, B> = had::arrow_to_map(&t.0)?;
    let full = Arrow::<Had, F::On<A>, F::On<B>>(F::map(&map)).agrees(t, trial)?;
    Ok(faithful.and_part(full))
}

/// A category of values whose arrows can be drawn.
pub trait DrawValue: ValueCategory {
    /// Draws a random arrow between two objects.
    ///
    /// # Errors
    /// [`ArrowError`](crate::category::value::ArrowError) if there is no such arrow.
    fn draw_value(&self, ends: [&Self::Object; 2], random: &mut SplitMix64) -> ArrowResult<Self>;
}

impl<C: DrawValue + Default> DrawArrow for Typed<C> {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> ArrowResult<C> {
        C::default().draw_value([&A::object(), &B::object()], random)
    }
}

impl<C: DrawArrow> DrawArrow for Opposite<C> {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> C::Hom<Unop<B>, Unop<A>> {
        C::draw_hom::<Unop<B>, Unop<A>>(random)
    }
}

/// Draws a random arrow.
fn draw_arrow<C: DrawArrow, A: ObjectName<C>, B: ObjectName<C>>(random: &mut SplitMix64) -> Arrow<C, A, B> {
    Arrow(C::draw_hom::<A, B>(random))
}

/// Arrows between the objects A, B and D, on which the laws of categories and of finite products are tested.
struct ProductArrows<C: Cartesian, A: ObjectName<C>, B: ObjectName<C>, D: ObjectName<C>> {
    f: Arrow<C, A, B>,
    g: Arrow<C, B, D>,
    back: Arrow<C, D, A>,
    across: Arrow<C, A, D>,
    both: Arrow<C, A, ProductOf<C, B, D>>,
    /// An arrow into 1 is drawn like any other, so that uniqueness is a claim about it.
    into_one: Arrow<C, A, C::Terminal>,
}

/// A law of drawn arrows `X`, in a category C.
type ArrowLaw<C, X> = fn(&X, &<C as Setoid>::Trial) -> LawResult<C>;

impl<C, A, B, D> ProductArrows<C, A, B, D>
where
    C: DrawArrow + Setoid + Cartesian,
    A: ObjectName<C>,
    B: ObjectName<C>,
    D: ObjectName<C>,
{
    fn draw(random: &mut SplitMix64) -> Self {
        // fields are drawn in the order in which they are written
        Self {
            f: draw_arrow(random),
            g: draw_arrow(random),
            back: draw_arrow(random),
            across: draw_arrow(random),
            both: draw_arrow(random),
            into_one: draw_arrow(random),
        }
    }

    /// The laws, by their names.
    const LAWS: [(&'static str, ArrowLaw<C, Self>); 6] = [
        ("identity", |x, trial| identity(&x.f, trial)),
        ("associativity", |x, trial| associativity(&x.f, &x.g, &x.back, trial)),
        ("β of products", |x, trial| product_beta(&x.f, &x.across, trial)),
        ("η of products", |x, trial| product_eta::<C, A, B, D>(&x.both, trial)),
        ("fusion of products", |x, trial| product_fusion(&x.back, &x.f, &x.across, trial)),
        ("uniqueness into 1", |x, trial| terminality(&x.into_one, trial)),
    ];
}

/// Tests the laws of categories and of finite products, on random arrows between the objects `A`, `B` and `D`.
///
/// # Errors
/// The error of evaluating an arrow.
pub fn check_products<C: DrawArrow + Setoid + Cartesian, A: ObjectName<C>, B: ObjectName<C>, D: ObjectName<C>>(
    random: &mut SplitMix64,
    trial: &C::Trial,
) -> Result<NamedVerdicts, C::Error> {
    let arrows = ProductArrows::<C, A, B, D>::draw(random);
    ProductArrows::LAWS.iter().map(|(name, law)| Ok((*name, law(&arrows, trial)?))).collect()
}

/// Returns the laws of [`check_products`] as a suite for quickcheck. `trial` makes the configuration with which a sample is
/// compared.
pub fn product_suite<C, A, B, D>(
    samples: &SampleSettings,
    trial: impl Fn(&mut SplitMix64) -> C::Trial + Clone + 'static,
) -> LawSuite<C::Error>
where
    C: DrawArrow + Setoid<Error: fmt::Display> + Cartesian + 'static,
    A: ObjectName<C> + 'static,
    B: ObjectName<C> + 'static,
    D: ObjectName<C> + 'static,
{
    suite_of_arrows::<C, _>(samples, &ProductArrows::<C, A, B, D>::LAWS, ProductArrows::draw, trial)
}

/// Makes a suite of laws of drawn arrows. Each law draws its own.
fn suite_of_arrows<C: Setoid<Error: fmt::Display> + 'static, X: 'static>(
    samples: &SampleSettings,
    laws: &[(&'static str, ArrowLaw<C, X>)],
    draw: fn(&mut SplitMix64) -> X,
    trial: impl Fn(&mut SplitMix64) -> C::Trial + Clone + 'static,
) -> LawSuite<C::Error> {
    let make = |law: ArrowLaw<C, X>| {
        let trial = trial.clone();
        SampledLaw::new(samples, move |random| {
            let trial = trial(random);
            law(&draw(random), &trial)
        })
    };
    laws.iter().map(|(name, law)| (*name, make(*law))).collect()
}

/// Arrows between A, B and D, on which the laws of exponentials, sums and lists are tested.
struct ClosedArrows<C, A, B, D>
where
    C: CartesianClosed + Cocartesian + Lists,
    A: ObjectName<C>,
    B: ObjectName<C>,
    D: ObjectName<C>,
{
    of_two: Arrow<C, ProductOf<C, A, B>, D>,
    curried: Arrow<C, A, C::Exponential<B, D>>,
    across: Arrow<C, A, D>,
    g: Arrow<C, B, D>,
    back: Arrow<C, D, A>,
    of_either: Arrow<C, SumOf<C, A, B>, D>,
    start: Arrow<C, C::Terminal, B>,
    step: Arrow<C, ProductOf<C, A, B>, B>,
    out_of_zero: Arrow<C, C::Initial, A>,
}

impl<C, A, B, D> ClosedArrows<C, A, B, D>
where
    C: DrawArrow + Setoid + CartesianClosed + Cocartesian + Lists,
    A: ObjectName<C>,
    B: ObjectName<C>,
    D: ObjectName<C>,
{
    fn draw(random: &mut SplitMix64) -> Self {
        // fields are drawn in the order in which they are written
        Self {
            of_two: draw_arrow(random),
            curried: draw_arrow(random),
            across: draw_arrow(random),
            g: draw_arrow(random),
            back: draw_arrow(random),
            of_either: draw_arrow(random),
            start: draw_arrow(random),
            step: draw_arrow(random),
            out_of_zero: draw_arrow(random),
        }
    }

    /// The laws, by their names.
    const LAWS: [(&'static str, ArrowLaw<C, Self>); 10] = [
        ("β of exponentials", |x, trial| exponential_beta::<C, A, B, D>(&x.of_two, trial)),
        ("η of exponentials", |x, trial| exponential_eta::<C, A, B, D>(&x.curried, trial)),
        ("β of sums", |x, trial| sum_beta(&x.across, &x.g, trial)),
        ("η of sums", |x, trial| sum_eta::<C, A, B, D>(&x.of_either, trial)),
        ("fusion of sums", |x, trial| sum_fusion(&x.across, &x.g, &x.back, trial)),
        ("uniqueness out of 0", |x, trial| initiality(&x.out_of_zero, trial)),
        ("β of lists", |x, trial| list_beta::<C, A, B>(&x.start, &x.step, trial)),
        ("η of lists", |_, trial| list_eta::<C, A>(trial)),
        ("uniqueness of lists", |x, trial| {
            let by_functions = fold_by_functions::<C, A, B>(&x.start, &x.step, false);
            uniqueness_of_folds::<C, A, B>(&by_functions, &x.start, &x.step, trial)
        }),
        ("fusion of lists", |x, trial| {
            // fusion needs an arrow with a retraction: the graph ⟨id, g⟩ makes B a retract of B × D
            let graph = Arrow::<C, B, B>::identity().pair(&x.g);
            let retraction = Arrow::<C, B, D>::first();
            fusion_of_folds::<C, A, B, ProductOf<C, B, D>>(&x.start, &x.step, (&graph, &retraction), trial)
        }),
    ];
}

/// Tests the laws of [`check_products`], of exponentials, of sums and of lists.
///
/// # Errors
/// The error of evaluating an arrow.
pub fn check_bicartesian_closed<C, A, B, D>(
    random: &mut SplitMix64,
    trial: &C::Trial,
) -> Result<NamedVerdicts, C::Error>
where
    C: DrawArrow + Setoid + CartesianClosed + Cocartesian + Lists,
    A: ObjectName<C>,
    B: ObjectName<C>,
    D: ObjectName<C>,
{
    let mut laws = check_products::<C, A, B, D>(random, trial)?;
    let arrows = ClosedArrows::<C, A, B, D>::draw(random);
    for (name, law) in ClosedArrows::LAWS {
        laws.push((name, law(&arrows, trial)?));
    }
    Ok(laws)
}

/// Returns the laws of [`check_bicartesian_closed`] as a suite for quickcheck, as [`product_suite`] does.
pub fn bicartesian_closed_suite<C, A, B, D>(
    samples: &SampleSettings,
    trial: impl Fn(&mut SplitMix64) -> C::Trial + Clone + 'static,
) -> LawSuite<C::Error>
where
    C: DrawArrow + Setoid<Error: fmt::Display> + CartesianClosed + Cocartesian + Lists + 'static,
    A: ObjectName<C> + 'static,
    B: ObjectName<C> + 'static,
    D: ObjectName<C> + 'static,
{
    let mut laws = product_suite::<C, A, B, D>(samples, trial.clone());
    laws.extend(suite_of_arrows::<C, _>(samples, &ClosedArrows::<C, A, B, D>::LAWS, ClosedArrows::draw, trial));
    laws
}

/// Names the objects of an arrow, where inference would not find them.
macro_rules! arrow {
    ($C:ty, $A:ty => $B:ty, $hom:expr) => {
        Arrow::<$C, $A, $B>($hom)
    };
}

/// Returns the restriction `f̄ : A → A`, the identity on the domain of f.
fn restriction_of<C: RestrictionCategory, A: ObjectName<C>, B: ObjectName<C>>(f: &Arrow<C, A, B>) -> Arrow<C, A, A> {
    Arrow(C::restriction(&f.0))
}

/// **Order.** `f ≤ g`: `f̄.then(g) = f`
///
/// # Errors
/// The error of evaluating an arrow, here and in all laws.
pub fn is_below<C: Setoid + RestrictionCategory, A: ObjectName<C>, B: ObjectName<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    restriction_of(f).then(g).agrees(f, trial)
}

/// **Compatible.** `f̄.then(g) = ḡ.then(f)`: f and g agree where both are defined.
///
/// # Errors
/// As for [`is_below`].
pub fn are_compatible<C: Setoid + RestrictionCategory, A: ObjectName<C>, B: ObjectName<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    restriction_of(f).then(g).agrees(&restriction_of(g).then(f), trial)
}

/// **R1 to R4**, for f : A → B, g : A → C and h : B → C.
///
/// # Errors
/// As for [`is_below`].
pub fn restriction_laws<K: Setoid + RestrictionCategory, A: ObjectName<K>, B: ObjectName<K>, C: ObjectName<K>>(
    f: &Arrow<K, A, B>,
    g: &Arrow<K, A, C>,
    h: &Arrow<K, B, C>,
    trial: &K::Trial,
) -> LawResult<K> {
    let r1 = restriction_of(f).then(f).agrees(f, trial)?;
    let r2 = restriction_of(f).then(&restriction_of(g)).agrees(&restriction_of(g).then(&restriction_of(f)), trial)?;
    let r3 = restriction_of(&restriction_of(f).then(g)).agrees(&restriction_of(f).then(&restriction_of(g)), trial)?;
    let r4 = f.then(&restriction_of(h)).agrees(&restriction_of(&f.then(h)).then(f), trial)?;
    Ok(r1.and(r2).and(r3).and(r4))
}

/// **Pairs.** `⟨f, g⟩.then(fst) = ḡ.then(f)`, `⟨f, g⟩.then(snd) = f̄.then(g)`, `⟨f, g⟩‾ = f̄.then(ḡ)`, and `!` is
/// total.
///
/// # Errors
/// As for [`is_below`].
pub fn pair_laws<C: Setoid + RestrictionProducts, X: ObjectName<C>, A: ObjectName<C>, B: ObjectName<C>>(
    f: &Arrow<C, X, A>,
    g: &Arrow<C, X, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    let pair = arrow!(C, X => RestrictionProduct<C, A, B>, C::pair::<X, A, B>(&f.0, &g.0));
    let [first, second] = [
        pair.then(&Arrow(C::first::<A, B>())).agrees(&restriction_of(g).then(f), trial)?,
        pair.then(&Arrow(C::second::<A, B>())).agrees(&restriction_of(f).then(g), trial)?,
    ];
    let domain = restriction_of(&pair).agrees(&restriction_of(f).then(&restriction_of(g)), trial)?;
    let total = restriction_of(&arrow!(C, X => C::Terminal, C::terminal::<X>())).agrees(&Arrow::identity(), trial)?;
    Ok(first.and(second).and(domain).and(total))
}

/// **Joins** of compatible f and g. The join is an upper bound, it lies below every upper bound h, and it is stable
/// under composition with k. Vacuous if f and g are not compatible.
///
/// # Errors
/// As for [`is_below`].
pub fn join_laws<C: Setoid + Joins, Y: ObjectName<C>, A: ObjectName<C>, B: ObjectName<C>>(
    k: &Arrow<C, Y, A>,
    [f, g, h]: [&Arrow<C, A, B>; 3],
    trial: &C::Trial,
) -> LawResult<C> {
    if are_compatible(f, g, trial)?.is_refuted() {
        return Ok(Verdict::Vacuous);
    }
    let join = arrow!(C, A => B, C::join(&f.0, &g.0));
    let mut all = is_below(f, &join, trial)?.and(is_below(g, &join, trial)?);
    // leastness is a claim about upper bounds only; h is random and mostly is none
    if !is_below(f, h, trial)?.is_refuted() && !is_below(g, h, trial)?.is_refuted() {
        all = all.and(is_below(&join, h, trial)?);
    }
    let apart = arrow!(C, Y => B, C::join(&k.then(f).0, &k.then(g).0));
    Ok(all.and(k.then(&join).agrees(&apart, trial)?))
}

/// **Meets.** Where f and g are both defined the join lies below both, `f̄.then(ḡ).then(f ∨ g) ≤ f` and `≤ g`. So it is
/// undefined where they differ. The arrows need not be compatible.
///
/// # Errors
/// As for [`is_below`].
pub fn meet_laws<C: Setoid + Joins, A: ObjectName<C>, B: ObjectName<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    let meet = restriction_of(f).then(&restriction_of(g)).then(&Arrow(C::join(&f.0, &g.0)));
    Ok(is_below(&meet, f, trial)?.and(is_below(&meet, g, trial)?))
}

/// Returns `(fst.then(f))‾ : A × X → A × X`, the restriction to points in the domain of f.
fn restrict_first<C: RestrictionProducts, A: ObjectName<C>, B: ObjectName<C>, X: ObjectName<C>>(
    f: &Arrow<C, A, B>,
) -> Arrow<C, RestrictionProduct<C, A, X>, RestrictionProduct<C, A, X>> {
    restriction_of(&arrow!(C, RestrictionProduct<C, A, X> => A, C::first::<A, X>()).then(f))
}

/// **Derivatives** of f : A → B, g : B → X and h : A → B: domain, derivative of a restriction, chain rule, pairs, sums,
/// zero and identity.
///
/// # Errors
/// As for [`is_below`].
pub fn differential_laws<C: Setoid + DifferentialRestriction, A: ObjectName<C>, B: ObjectName<C>, X: ObjectName<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, B, X>,
    h: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    let d = |f: &Arrow<C, A, B>| arrow!(C, RestrictionProduct<C, A, A> => B, C::forward_derivative(&f.0));
    let first = arrow!(C, RestrictionProduct<C, A, A> => A, C::first::<A, A>());
    let second = arrow!(C, RestrictionProduct<C, A, A> => A, C::second::<A, A>());
    // a derivative is defined where its map is, for every direction
    let domain = restriction_of(&d(f)).agrees(&restrict_first::<C, A, B, A>(f), trial)?;
    let restricted = arrow!(C, RestrictionProduct<C, A, A> => A, C::forward_derivative(&restriction_of(f).0));
    let restricted = restricted.agrees(&restrict_first::<C, A, B, A>(f).then(&second), trial)?;
    // ⟨fst.then(f), D[f]⟩ carries a point and a direction through f
    let moved =
        arrow!(C, RestrictionProduct<C, A, A> => RestrictionProduct<C, B, B>, C::pair(&first.then(f).0, &d(f).0));
    let chain = arrow!(C, RestrictionProduct<C, A, A> => X, C::forward_derivative(&f.then(g).0));
    let chain =
        chain.agrees(&moved.then(&arrow!(C, RestrictionProduct<C, B, B> => X, C::forward_derivative(&g.0))), trial)?;
    let pair = arrow!(C, A => RestrictionProduct<C, B, B>, C::pair(&f.0, &h.0));
    let pair = arrow!(C, RestrictionProduct<C, A, A> => RestrictionProduct<C, B, B>, C::forward_derivative(&pair.0));
    let pair = pair.agrees(&Arrow(C::pair(&d(f).0, &d(h).0)), trial)?;
    let sum = d(&Arrow(C::add(&f.0, &h.0))).agrees(&Arrow(C::add(&d(f).0, &d(h).0)), trial)?;
    let zero = d(&Arrow(C::zero::<A, B>())).agrees(&Arrow(C::zero()), trial)?;
    let identity = arrow!(C, RestrictionProduct<C, A, A> => A, C::forward_derivative(&C::identity::<A>()))
        .agrees(&second, trial)?;
    Ok([restricted, chain, pair, sum, zero, identity].into_iter().fold(domain, Verdict::and))
}

/// **The derivative of a join** (A Prop. 4.2). `D[f ∨ g] = D[f] ∨ D[g]` for compatible f and g.
///
/// # Errors
/// As for [`is_below`].
pub fn differential_join_law<C: Setoid + DifferentialRestriction + Joins, A: ObjectName<C>, B: ObjectName<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    if are_compatible(f, g, trial)?.is_refuted() {
        return Ok(Verdict::Vacuous);
    }
    let whole = arrow!(C, RestrictionProduct<C, A, A> => B, C::forward_derivative(&C::join(&f.0, &g.0)));
    whole.agrees(&Arrow(C::join(&C::forward_derivative(&f.0), &C::forward_derivative(&g.0))), trial)
}

/// **Reverse derivatives** of f : A → B, g : B → X and h : A → X: domain, restriction, chain rule and pairs.
///
/// # Errors
/// As for [`is_below`].
pub fn reverse_laws<C: Setoid + ReverseDifferential, A: ObjectName<C>, B: ObjectName<C>, X: ObjectName<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, B, X>,
    h: &Arrow<C, A, X>,
    trial: &C::Trial,
) -> LawResult<C> {
    let r = arrow!(C, RestrictionProduct<C, A, B> => A, C::reverse_derivative(&f.0));
    let domain = restriction_of(&r).agrees(&restrict_first::<C, A, B, B>(f), trial)?;
    let restricted = arrow!(C, RestrictionProduct<C, A, A> => A, C::reverse_derivative(&restriction_of(f).0));
    let restricted = restricted.agrees(&restrict_first::<C, A, B, A>(f).then(&Arrow(C::second::<A, A>())), trial)?;

    let point = arrow!(C, RestrictionProduct<C, A, X> => A, C::first::<A, X>());
    let last = arrow!(C, RestrictionProduct<C, A, X> => X, C::second::<A, X>());
    // the covector at g's value is first pulled back along g, then along f
    let of_g =
        arrow!(C, RestrictionProduct<C, A, X> => RestrictionProduct<C, B, X>, C::pair(&point.then(f).0, &last.0));
    let of_g = of_g.then(&arrow!(C, RestrictionProduct<C, B, X> => B, C::reverse_derivative(&g.0)));
    let back =
        arrow!(C, RestrictionProduct<C, A, X> => RestrictionProduct<C, A, B>, C::pair(&point.0, &of_g.0)).then(&r);
    let chain =
        arrow!(C, RestrictionProduct<C, A, X> => A, C::reverse_derivative(&f.then(g).0)).agrees(&back, trial)?;

    let point = arrow!(C, RestrictionProduct<C, A, RestrictionProduct<C, B, X>> => A, C::first::<A, RestrictionProduct<C, B, X>>());
    let weights = arrow!(C, RestrictionProduct<C, A, RestrictionProduct<C, B, X>> => RestrictionProduct<C, B, X>, C::second::<A, RestrictionProduct<C, B, X>>());
    let [of_f, of_h] = {
        let u = weights.then(&arrow!(C, RestrictionProduct<C, B, X> => B, C::first::<B, X>()));
        let w = weights.then(&arrow!(C, RestrictionProduct<C, B, X> => X, C::second::<B, X>()));
        let at_u = arrow!(C, RestrictionProduct<C, A, RestrictionProduct<C, B, X>> => RestrictionProduct<C, A, B>, C::pair(&point.0, &u.0));
        let at_w = arrow!(C, RestrictionProduct<C, A, RestrictionProduct<C, B, X>> => RestrictionProduct<C, A, X>, C::pair(&point.0, &w.0));
        [at_u.then(&r), at_w.then(&arrow!(C, RestrictionProduct<C, A, X> => A, C::reverse_derivative(&h.0)))]
    };
    let pair = arrow!(C, A => RestrictionProduct<C, B, X>, C::pair(&f.0, &h.0));
    let pair = arrow!(C, RestrictionProduct<C, A, RestrictionProduct<C, B, X>> => A, C::reverse_derivative(&pair.0));
    // the covectors pulled back along the components of a pair add up
    let pair = pair.agrees(&Arrow(C::add(&of_f.0, &of_h.0)), trial)?;
    Ok(domain.and(restricted).and(chain).and(pair))
}

/// **Forward from reverse** (A (6)). `D[f] = ⟨⟨fst, 0⟩, snd⟩.then(R[R[f]]).then(snd)`
///
/// # Errors
/// As for [`is_below`].
pub fn forward_from_reverse<C: Setoid + ReverseDifferential, A: ObjectName<C>, B: ObjectName<C>>(
    f: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> LawResult<C> {
    // at the covector 0: R[f] is linear in it, and its derivative there gives back the forward derivative
    let first = C::first::<A, A>();
    let still = arrow!(C, RestrictionProduct<C, A, A> => RestrictionProduct<C, A, B>, C::pair(&first, &C::zero::<RestrictionProduct<C, A, A>, B>()));
    let at = arrow!(C, RestrictionProduct<C, A, A> => RestrictionProduct<C, RestrictionProduct<C, A, B>, A>, C::pair(&still.0, &C::second::<A, A>()));
    let twice = C::reverse_derivative::<RestrictionProduct<C, A, B>, A>(&C::reverse_derivative(&f.0));
    let twice = arrow!(C, RestrictionProduct<C, RestrictionProduct<C, A, B>, A> => RestrictionProduct<C, A, B>, twice);
    let through = at.then(&twice).then(&Arrow(C::second::<A, B>()));
    through.agrees(&Arrow(C::forward_derivative(&f.0)), trial)
}

/// **Chains.** `µⁿ ≤ µᵐ ≤ µ` for n ≤ m. That µ is the least upper bound follows from [`unfolding_law`], which determines
/// every µⁿ.
///
/// # Errors
/// As for [`is_below`].
pub fn chain_laws<C: Setoid + Chains, A: ObjectName<C>, B: ObjectName<C>>(
    chain: &C::Chain<A, B>,
    unfoldings: &[u64],
    trial: &C::Trial,
) -> LawResult<C> {
    let approximants: Vec<_> = unfoldings.iter().map(|n| arrow!(C, A => B, C::approximant(chain, *n))).collect();
    let supremum = arrow!(C, A => B, C::supremum(chain));
    let mut all = Verdict::Vacuous;
    for pair in approximants.windows(2) {
        all = all.and(is_below(&pair[0], &pair[1], trial)?);
    }
    for approximant in &approximants {
        all = all.and(is_below(approximant, &supremum, trial)?);
    }
    Ok(all)
}

/// **Unfolding.** `µⁿ⁺¹ = F(µⁿ)` for an F from arrows to arrows, and µ⁰ is defined nowhere.
///
/// # Errors
/// As for [`is_below`].
pub fn unfolding_law<C: Setoid + Chains, A: ObjectName<C>, B: ObjectName<C>>(
    chain: &C::Chain<A, B>,
    step: impl Fn(&C::Hom<A, B>) -> C::Hom<A, B>,
    nowhere: &Arrow<C, A, B>,
    n: u64,
    trial: &C::Trial,
) -> LawResult<C> {
    let least = arrow!(C, A => B, C::approximant(chain, 0)).agrees(nowhere, trial)?;
    let next = arrow!(C, A => B, C::approximant(chain, n + 1));
    Ok(least.and(next.agrees(&Arrow(step(&C::approximant(chain, n))), trial)?))
}
