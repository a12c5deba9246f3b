//! The laws of [restriction categories](crate::category::restriction) and of [chains](crate::category::chain), as
//! functions that test them. They are independent of numbers.

use super::category::Tried;
use crate::category::chain::Chains;
use crate::category::restriction::{Differential, Joins, Pair, Paired, Restriction, Reverse};
use crate::category::{Arrow, Names, Setoid};
use crate::verdict::Verdict;

/// Names the objects of an arrow, where inference would not find them.
macro_rules! arrow {
    ($C:ty, $A:ty => $B:ty, $hom:expr) => {
        Arrow::<$C, $A, $B>($hom)
    };
}

/// Returns the restriction `f̄ : A → A`, the identity on the domain of f.
fn bar<C: Restriction, A: Names<C>, B: Names<C>>(f: &Arrow<C, A, B>) -> Arrow<C, A, A> {
    Arrow(C::restriction(&f.0))
}

/// **Order.** `f ≤ g`: `f̄.then(g) = f`
///
/// # Errors
/// The error of evaluating an arrow, here and in all laws.
pub fn below<C: Setoid + Restriction, A: Names<C>, B: Names<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> Tried<C> {
    bar(f).then(g).agrees(f, trial)
}

/// **Compatible.** `f̄.then(g) = ḡ.then(f)`: f and g agree where both are defined.
///
/// # Errors
/// As for [`below`].
pub fn compatible<C: Setoid + Restriction, A: Names<C>, B: Names<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> Tried<C> {
    bar(f).then(g).agrees(&bar(g).then(f), trial)
}

/// **R1 to R4**, for f : A → B, g : A → C and h : B → C.
///
/// # Errors
/// As for [`below`].
pub fn restrictions<K: Setoid + Restriction, A: Names<K>, B: Names<K>, C: Names<K>>(
    f: &Arrow<K, A, B>,
    g: &Arrow<K, A, C>,
    h: &Arrow<K, B, C>,
    trial: &K::Trial,
) -> Tried<K> {
    let r1 = bar(f).then(f).agrees(f, trial)?;
    let r2 = bar(f).then(&bar(g)).agrees(&bar(g).then(&bar(f)), trial)?;
    let r3 = bar(&bar(f).then(g)).agrees(&bar(f).then(&bar(g)), trial)?;
    let r4 = f.then(&bar(h)).agrees(&bar(&f.then(h)).then(f), trial)?;
    Ok(r1.and(r2).and(r3).and(r4))
}

/// **Pairs.** `⟨f, g⟩.then(fst) = ḡ.then(f)`, `⟨f, g⟩.then(snd) = f̄.then(g)`, `⟨f, g⟩‾ = f̄.then(ḡ)`, and `!` is
/// total.
///
/// # Errors
/// As for [`below`].
pub fn pairs<C: Setoid + Paired, X: Names<C>, A: Names<C>, B: Names<C>>(
    f: &Arrow<C, X, A>,
    g: &Arrow<C, X, B>,
    trial: &C::Trial,
) -> Tried<C> {
    let pair = arrow!(C, X => Pair<C, A, B>, C::pair::<X, A, B>(&f.0, &g.0));
    let [first, second] = [
        pair.then(&Arrow(C::first::<A, B>())).agrees(&bar(g).then(f), trial)?,
        pair.then(&Arrow(C::second::<A, B>())).agrees(&bar(f).then(g), trial)?,
    ];
    let domain = bar(&pair).agrees(&bar(f).then(&bar(g)), trial)?;
    let total = bar(&arrow!(C, X => C::Terminal, C::terminal::<X>())).agrees(&Arrow::identity(), trial)?;
    Ok(first.and(second).and(domain).and(total))
}

/// **Joins** of compatible f and g. The join is an upper bound, it lies below every upper bound h, and it is stable
/// under composition with k. Vacuous if f and g are not compatible.
///
/// # Errors
/// As for [`below`].
pub fn joins<C: Setoid + Joins, Y: Names<C>, A: Names<C>, B: Names<C>>(
    k: &Arrow<C, Y, A>,
    [f, g, h]: [&Arrow<C, A, B>; 3],
    trial: &C::Trial,
) -> Tried<C> {
    if compatible(f, g, trial)?.is_refuted() {
        return Ok(Verdict::Vacuous);
    }
    let join = arrow!(C, A => B, C::join(&f.0, &g.0));
    let mut all = below(f, &join, trial)?.and(below(g, &join, trial)?);
    // leastness is a claim about upper bounds only; h is random and mostly is none
    if !below(f, h, trial)?.is_refuted() && !below(g, h, trial)?.is_refuted() {
        all = all.and(below(&join, h, trial)?);
    }
    let apart = arrow!(C, Y => B, C::join(&k.then(f).0, &k.then(g).0));
    Ok(all.and(k.then(&join).agrees(&apart, trial)?))
}

/// **Meets.** Where f and g are both defined the join lies below both, `f̄.then(ḡ).then(f ∨ g) ≤ f` and `≤ g`. So it is
/// undefined where they differ. The arrows need not be compatible.
///
/// # Errors
/// As for [`below`].
pub fn meets<C: Setoid + Joins, A: Names<C>, B: Names<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> Tried<C> {
    let meet = bar(f).then(&bar(g)).then(&Arrow(C::join(&f.0, &g.0)));
    Ok(below(&meet, f, trial)?.and(below(&meet, g, trial)?))
}

/// Returns `(fst.then(f))‾ : A × X → A × X`, the restriction to points in the domain of f.
fn inside<C: Paired, A: Names<C>, B: Names<C>, X: Names<C>>(
    f: &Arrow<C, A, B>,
) -> Arrow<C, Pair<C, A, X>, Pair<C, A, X>> {
    bar(&arrow!(C, Pair<C, A, X> => A, C::first::<A, X>()).then(f))
}

/// **Derivatives** of f : A → B, g : B → X and h : A → B: domain, derivative of a restriction, chain rule, pairs, sums,
/// zero and identity.
///
/// # Errors
/// As for [`below`].
pub fn differential<C: Setoid + Differential, A: Names<C>, B: Names<C>, X: Names<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, B, X>,
    h: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> Tried<C> {
    let d = |f: &Arrow<C, A, B>| arrow!(C, Pair<C, A, A> => B, C::forward(&f.0));
    let first = arrow!(C, Pair<C, A, A> => A, C::first::<A, A>());
    let second = arrow!(C, Pair<C, A, A> => A, C::second::<A, A>());
    // a derivative is defined where its map is, for every direction
    let domain = bar(&d(f)).agrees(&inside::<C, A, B, A>(f), trial)?;
    let restricted = arrow!(C, Pair<C, A, A> => A, C::forward(&bar(f).0));
    let restricted = restricted.agrees(&inside::<C, A, B, A>(f).then(&second), trial)?;
    // ⟨fst.then(f), D[f]⟩ carries a point and a direction through f
    let moved = arrow!(C, Pair<C, A, A> => Pair<C, B, B>, C::pair(&first.then(f).0, &d(f).0));
    let chain = arrow!(C, Pair<C, A, A> => X, C::forward(&f.then(g).0));
    let chain = chain.agrees(&moved.then(&arrow!(C, Pair<C, B, B> => X, C::forward(&g.0))), trial)?;
    let pair = arrow!(C, A => Pair<C, B, B>, C::pair(&f.0, &h.0));
    let pair = arrow!(C, Pair<C, A, A> => Pair<C, B, B>, C::forward(&pair.0));
    let pair = pair.agrees(&Arrow(C::pair(&d(f).0, &d(h).0)), trial)?;
    let sum = d(&Arrow(C::add(&f.0, &h.0))).agrees(&Arrow(C::add(&d(f).0, &d(h).0)), trial)?;
    let zero = d(&Arrow(C::zero::<A, B>())).agrees(&Arrow(C::zero()), trial)?;
    let identity = arrow!(C, Pair<C, A, A> => A, C::forward(&C::identity::<A>())).agrees(&second, trial)?;
    Ok([restricted, chain, pair, sum, zero, identity].into_iter().fold(domain, Verdict::and))
}

/// **The derivative of a join** (A Prop. 4.2). `D[f ∨ g] = D[f] ∨ D[g]` for compatible f and g.
///
/// # Errors
/// As for [`below`].
pub fn differential_joins<C: Setoid + Differential + Joins, A: Names<C>, B: Names<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> Tried<C> {
    if compatible(f, g, trial)?.is_refuted() {
        return Ok(Verdict::Vacuous);
    }
    let whole = arrow!(C, Pair<C, A, A> => B, C::forward(&C::join(&f.0, &g.0)));
    whole.agrees(&Arrow(C::join(&C::forward(&f.0), &C::forward(&g.0))), trial)
}

/// **Reverse derivatives** of f : A → B, g : B → X and h : A → X: domain, restriction, chain rule and pairs.
///
/// # Errors
/// As for [`below`].
pub fn reverse<C: Setoid + Reverse, A: Names<C>, B: Names<C>, X: Names<C>>(
    f: &Arrow<C, A, B>,
    g: &Arrow<C, B, X>,
    h: &Arrow<C, A, X>,
    trial: &C::Trial,
) -> Tried<C> {
    let r = arrow!(C, Pair<C, A, B> => A, C::reverse(&f.0));
    let domain = bar(&r).agrees(&inside::<C, A, B, B>(f), trial)?;
    let restricted = arrow!(C, Pair<C, A, A> => A, C::reverse(&bar(f).0));
    let restricted = restricted.agrees(&inside::<C, A, B, A>(f).then(&Arrow(C::second::<A, A>())), trial)?;

    let point = arrow!(C, Pair<C, A, X> => A, C::first::<A, X>());
    let last = arrow!(C, Pair<C, A, X> => X, C::second::<A, X>());
    // the covector at g's value is first pulled back along g, then along f
    let of_g = arrow!(C, Pair<C, A, X> => Pair<C, B, X>, C::pair(&point.then(f).0, &last.0));
    let of_g = of_g.then(&arrow!(C, Pair<C, B, X> => B, C::reverse(&g.0)));
    let back = arrow!(C, Pair<C, A, X> => Pair<C, A, B>, C::pair(&point.0, &of_g.0)).then(&r);
    let chain = arrow!(C, Pair<C, A, X> => A, C::reverse(&f.then(g).0)).agrees(&back, trial)?;

    let point = arrow!(C, Pair<C, A, Pair<C, B, X>> => A, C::first::<A, Pair<C, B, X>>());
    let weights = arrow!(C, Pair<C, A, Pair<C, B, X>> => Pair<C, B, X>, C::second::<A, Pair<C, B, X>>());
    let [of_f, of_h] = {
        let u = weights.then(&arrow!(C, Pair<C, B, X> => B, C::first::<B, X>()));
        let w = weights.then(&arrow!(C, Pair<C, B, X> => X, C::second::<B, X>()));
        let at_u = arrow!(C, Pair<C, A, Pair<C, B, X>> => Pair<C, A, B>, C::pair(&point.0, &u.0));
        let at_w = arrow!(C, Pair<C, A, Pair<C, B, X>> => Pair<C, A, X>, C::pair(&point.0, &w.0));
        [at_u.then(&r), at_w.then(&arrow!(C, Pair<C, A, X> => A, C::reverse(&h.0)))]
    };
    let pair = arrow!(C, A => Pair<C, B, X>, C::pair(&f.0, &h.0));
    let pair = arrow!(C, Pair<C, A, Pair<C, B, X>> => A, C::reverse(&pair.0));
    // the covectors pulled back along the components of a pair add up
    let pair = pair.agrees(&Arrow(C::add(&of_f.0, &of_h.0)), trial)?;
    Ok(domain.and(restricted).and(chain).and(pair))
}

/// **Forward from reverse** (A (6)). `D[f] = ⟨⟨fst, 0⟩, snd⟩.then(R[R[f]]).then(snd)`
///
/// # Errors
/// As for [`below`].
pub fn forward_from_reverse<C: Setoid + Reverse, A: Names<C>, B: Names<C>>(
    f: &Arrow<C, A, B>,
    trial: &C::Trial,
) -> Tried<C> {
    // at the covector 0: R[f] is linear in it, and its derivative there gives back the forward derivative
    let first = C::first::<A, A>();
    let still = arrow!(C, Pair<C, A, A> => Pair<C, A, B>, C::pair(&first, &C::zero::<Pair<C, A, A>, B>()));
    let at = arrow!(C, Pair<C, A, A> => Pair<C, Pair<C, A, B>, A>, C::pair(&still.0, &C::second::<A, A>()));
    let twice = C::reverse::<Pair<C, A, B>, A>(&C::reverse(&f.0));
    let twice = arrow!(C, Pair<C, Pair<C, A, B>, A> => Pair<C, A, B>, twice);
    let through = at.then(&twice).then(&Arrow(C::second::<A, B>()));
    through.agrees(&Arrow(C::forward(&f.0)), trial)
}

/// **Chains.** `µⁿ ≤ µᵐ ≤ µ` for n ≤ m. That µ is the least upper bound follows from [`unfolding`], which determines
/// every µⁿ.
///
/// # Errors
/// As for [`below`].
pub fn chain<C: Setoid + Chains, A: Names<C>, B: Names<C>>(
    chain: &C::Chain<A, B>,
    unfoldings: &[u64],
    trial: &C::Trial,
) -> Tried<C> {
    let approximants: Vec<_> = unfoldings.iter().map(|n| arrow!(C, A => B, C::approximant(chain, *n))).collect();
    let supremum = arrow!(C, A => B, C::supremum(chain));
    let mut all = Verdict::Vacuous;
    for pair in approximants.windows(2) {
        all = all.and(below(&pair[0], &pair[1], trial)?);
    }
    for approximant in &approximants {
        all = all.and(below(approximant, &supremum, trial)?);
    }
    Ok(all)
}

/// **Unfolding.** `µⁿ⁺¹ = F(µⁿ)` for an F from arrows to arrows, and µ⁰ is defined nowhere.
///
/// # Errors
/// As for [`below`].
pub fn unfolding<C: Setoid + Chains, A: Names<C>, B: Names<C>>(
    chain: &C::Chain<A, B>,
    step: impl Fn(&C::Hom<A, B>) -> C::Hom<A, B>,
    nowhere: &Arrow<C, A, B>,
    n: u64,
    trial: &C::Trial,
) -> Tried<C> {
    let least = arrow!(C, A => B, C::approximant(chain, 0)).agrees(nowhere, trial)?;
    let next = arrow!(C, A => B, C::approximant(chain, n + 1));
    Ok(least.and(next.agrees(&Arrow(step(&C::approximant(chain, n))), trial)?))
}
