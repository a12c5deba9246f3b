//! The laws of [restriction categories](crate::category::restriction) and of [chains](crate::category::chain), as
//! functions that test them. They are independent of numbers.

use super::category::LawResult;
use crate::category::chain::Chains;
use crate::category::restriction::{
    DifferentialRestriction, Joins, RestrictionCategory, RestrictionProduct, RestrictionProducts, ReverseDifferential,
};
use crate::category::{Arrow, ObjectName, Setoid};
use crate::verdict::Verdict;

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
