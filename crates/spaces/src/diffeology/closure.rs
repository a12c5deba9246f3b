//! The Cartesian closed structure of Diff: functions of pairs, and functions of functions (H §4.1, H20).
//!
//! | here | |
//! |---|---|
//! | [`pair`], [`first`], [`second`] | ⟨f, g⟩ : Z → X × Y and the projections |
//! | [`curry`], [`uncurry`] | Diff(Z × X, Y) ≅ Diff(Z, Diff(X, Y)) |
//! | [`evaluate`] | Diff(X, Y) × X → Y |

use super::functional::{Family, Functional};
use super::map::Smooth;
use super::product::Product;
use super::reparametrisation::Reparametrisation;
use super::space::Diffeology;

/// Returns ⟨f, g⟩.
pub fn pair<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &Smooth<Z, X>,
    g: &Smooth<Z, Y>,
) -> Smooth<Z, Product<X, Y>> {
    let to = Product(f.to().clone(), g.to().clone());
    let (from, f, g) = (f.from().clone(), f.clone(), g.clone());
    Smooth::new(&from, &to, move |p| Ok((f.after(p)?, g.after(p)?)))
}

/// Returns the projection X × Y → X.
#[must_use]
pub fn first<X: Diffeology, Y: Diffeology>(of: &Product<X, Y>) -> Smooth<Product<X, Y>, X> {
    Smooth::new(of, &of.0, |(p, _)| Ok(p.clone()))
}

/// Returns the projection X × Y → Y.
#[must_use]
pub fn second<X: Diffeology, Y: Diffeology>(of: &Product<X, Y>) -> Smooth<Product<X, Y>, Y> {
    Smooth::new(of, &of.1, |(_, q)| Ok(q.clone()))
}

/// Returns the curried map `z ↦ (x ↦ f(z, x))`.
#[must_use]
pub fn curry<Z: Diffeology, X: Diffeology, Y: Diffeology>(f: &Smooth<Product<Z, X>, Y>) -> Smooth<Z, Functional<X, Y>> {
    let (z, to) = (f.from().0.clone(), Functional(f.from().1.clone(), f.to().clone()));
    let (f, from) = (f.clone(), z.clone());
    // The plot p of Z is restricted along φ, so that both components have the domain of q.
    Smooth::new(&z, &to, move |p| {
        let (f, z, p) = (f.clone(), from.clone(), p.clone());
        Ok(Family::new(&z.domain(&p), move |along, q: &X::Plot| f.after(&(z.reparametrise(along, &p), q.clone()))))
    })
}

/// Returns the uncurried map `(z, x) ↦ g(z)(x)`.
#[must_use]
pub fn uncurry<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    g: &Smooth<Z, Functional<X, Y>>,
) -> Smooth<Product<Z, X>, Y> {
    let (z, Functional(x, y)) = (g.from().clone(), g.to().clone());
    let (g, from) = (g.clone(), z.clone());
    // p and q have one domain already, hence φ = id.
    Smooth::new(&Product(z, x), &y, move |(p, q)| g.after(p)?.act(&Reparametrisation::identity(&from.domain(p)), q))
}

/// Returns the evaluation `(f, x) ↦ f(x)`.
#[must_use]
pub fn evaluate<X: Diffeology, Y: Diffeology>(of: &Functional<X, Y>) -> Smooth<Product<Functional<X, Y>, X>, Y> {
    uncurry(&Smooth::identity(of))
}
