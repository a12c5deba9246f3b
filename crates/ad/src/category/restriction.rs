//! Restriction categories: arrows that need not be defined everywhere, and their derivatives.
//!
//! A domain of definition is an arrow: f̄ : A → A is the identity where f is defined, and undefined elsewhere. So `f ≤
//! g` (g extends f) is the equation `f̄.then(g) = f`.
//!
//! Sources: Cockett and Lack for restrictions and joins; Cockett, Cruttwell and Gallagher for derivatives; Cockett, Cruttwell,
//! Gallagher, Lemay, MacAdam, Plotkin and Pronk for reverse derivatives. Of partial functions that are smooth on open sets the
//! axioms are A §4, Props. 4.1 and 4.2, and (1) to (10).

use super::{Category, Hom, ObjectName};

/// A category with restrictions.
///
/// | law | equation |
/// |---|---|
/// | R1 | `f̄.then(f) = f` |
/// | R2 | `f̄.then(ḡ) = ḡ.then(f̄)`, of arrows out of one object |
/// | R3 | the restriction of `f̄.then(g)` is `f̄.then(ḡ)` |
/// | R4 | `f.then(ḡ) = (f.then(g))‾.then(f)` |
pub trait RestrictionCategory: Category {
    /// f̄ : A → A, the identity where f is defined.
    fn restriction<A: ObjectName<Self>, B: ObjectName<Self>>(f: &Self::Hom<A, B>) -> Self::Hom<A, A>;
}

/// A category with restriction products: a pair is defined where both components are.
///
/// | law | equation |
/// |---|---|
/// | projections | `⟨f, g⟩.then(fst) = ḡ.then(f)`, `⟨f, g⟩.then(snd) = f̄.then(g)` |
/// | total | `fst`, `snd` and `!` are defined everywhere |
/// | domain | `⟨f, g⟩‾ = f̄.then(ḡ)` |
pub trait RestrictionProducts: RestrictionCategory {
    /// 1
    type Terminal: ObjectName<Self>;
    /// A × B
    type Product<A: ObjectName<Self>, B: ObjectName<Self>>: ObjectName<Self>;

    /// `! : A → 1`
    fn terminal<A: ObjectName<Self>>() -> Self::Hom<A, Self::Terminal>;

    /// `⟨f, g⟩ : X → A × B`
    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &Self::Hom<X, A>,
        g: &Self::Hom<X, B>,
    ) -> Hom<Self, X, RestrictionProduct<Self, A, B>>;

    /// `fst : A × B → A`
    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> Hom<Self, RestrictionProduct<Self, A, B>, A>;

    /// `snd : A × B → B`
    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> Hom<Self, RestrictionProduct<Self, A, B>, B>;
}

/// The product of two objects, of a category with restrictions.
pub type RestrictionProduct<C, A, B> = <C as RestrictionProducts>::Product<A, B>;

/// A category with the joins of compatible arrows, those with `f̄.then(g) = ḡ.then(f)`.
///
/// | law | equation |
/// |---|---|
/// | upper bound | `f ≤ f ∨ g`, `g ≤ f ∨ g` |
/// | least | where `f ≤ h` and `g ≤ h`, `f ∨ g ≤ h` |
/// | stable | `h.then(f ∨ g) = h.then(f) ∨ h.then(g)` |
///
/// Incompatible arrows have no join where they differ: evaluating it there is an error.
pub trait Joins: RestrictionCategory {
    /// f ∨ g
    fn join<A: ObjectName<Self>, B: ObjectName<Self>>(f: &Self::Hom<A, B>, g: &Self::Hom<A, B>) -> Self::Hom<A, B>;
}

/// A category whose arrows can be added. A sum is defined where both summands are.
pub trait LeftAdditive: RestrictionProducts {
    /// `0 : A → B`, which is defined everywhere.
    fn zero<A: ObjectName<Self>, B: ObjectName<Self>>() -> Self::Hom<A, B>;

    /// `f + g`
    fn add<A: ObjectName<Self>, B: ObjectName<Self>>(f: &Self::Hom<A, B>, g: &Self::Hom<A, B>) -> Self::Hom<A, B>;
}

/// A differential restriction category. In `D[f]` the point is first, the direction second.
///
/// | law | equation |
/// |---|---|
/// | domain | `D[f]‾ = (fst.then(f))‾` |
/// | restriction (A Prop. 4.1) | `D[f̄] = (fst.then(f))‾.then(snd)` |
/// | chain (A (7)) | `D[f.then(g)] = ⟨fst.then(f), D[f]⟩.then(D[g])` |
/// | pairs | `D[⟨f, g⟩] = ⟨D[f], D[g]⟩` |
/// | projections | `D[id] = snd`, `D[fst] = snd.then(fst)`, `D[snd] = snd.then(snd)` |
/// | sums | `D[f + g] = D[f] + D[g]`, `D[0] = 0` |
pub trait DifferentialRestriction: LeftAdditive {
    /// `D[f] : A × A → B`
    fn forward_derivative<A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &Self::Hom<A, B>,
    ) -> Hom<Self, RestrictionProduct<Self, A, A>, B>;
}

/// A reverse differential restriction category. In `R[f]` the point is first, the cotangent second.
///
/// | law | equation |
/// |---|---|
/// | domain | `R[f]‾ = (fst.then(f))‾` |
/// | restriction | `R[f̄] = (fst.then(f))‾.then(snd)` |
/// | chain (A (8)) | `R[f.then(g)] = ⟨fst, ⟨fst.then(f), snd⟩.then(R[g])⟩.then(R[f])` |
/// | pairs | `R[⟨f, g⟩] = ⟨fst, snd.then(fst)⟩.then(R[f]) + ⟨fst, snd.then(snd)⟩.then(R[g])` |
/// | forward (A (6)) | `D[f] = ⟨⟨fst, 0⟩, snd⟩.then(R[R[f]]).then(snd)` |
pub trait ReverseDifferential: DifferentialRestriction {
    /// `R[f] : A × B → A`
    fn reverse_derivative<A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &Self::Hom<A, B>,
    ) -> Hom<Self, RestrictionProduct<Self, A, B>, A>;
}
