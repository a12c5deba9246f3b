//! The Cartesian closed structure of Diff: functions of pairs, and functions of functions (H §4.1, H20).
//!
//! | here | |
//! |---|---|
//! | [`pair_maps`], [`first_projection`], [`second_projection`] | ⟨f, g⟩ : Z → X × Y and the projections |
//! | [`curry`], [`uncurry`] | Diff(Z × X, Y) ≅ Diff(Z, Diff(X, Y)) |
//! | [`evaluation_map`] | Diff(X, Y) × X → Y |

use super::functional::{FunctionPlot, FunctionSpace};
use super::map::SmoothMap;
use super::product::ProductDiffeology;
use super::reparametrisation::Reparametrisation;
use super::space::Diffeology;

/// Returns ⟨f, g⟩.
pub fn pair_maps<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &SmoothMap<Z, X>,
    g: &SmoothMap<Z, Y>,
) -> SmoothMap<Z, ProductDiffeology<X, Y>> {
    let to = ProductDiffeology(f.codomain().clone(), g.codomain().clone());
    let (from, f, g) = (f.domain().clone(), f.clone(), g.clone());
    SmoothMap::new(&from, &to, move |p| Ok((f.compose_plot(p)?, g.compose_plot(p)?)))
}

/// Returns the projection X × Y → X.
#[must_use]
pub fn first_projection<X: Diffeology, Y: Diffeology>(
    of: &ProductDiffeology<X, Y>,
) -> SmoothMap<ProductDiffeology<X, Y>, X> {
    SmoothMap::new(of, &of.0, |(p, _)| Ok(p.clone()))
}

/// Returns the projection X × Y → Y.
#[must_use]
pub fn second_projection<X: Diffeology, Y: Diffeology>(
    of: &ProductDiffeology<X, Y>,
) -> SmoothMap<ProductDiffeology<X, Y>, Y> {
    SmoothMap::new(of, &of.1, |(_, q)| Ok(q.clone()))
}

/// Returns the curried map `z ↦ (x ↦ f(z, x))`.
#[must_use]
pub fn curry<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &SmoothMap<ProductDiffeology<Z, X>, Y>,
) -> SmoothMap<Z, FunctionSpace<X, Y>> {
    let (z, to) = (f.domain().0.clone(), FunctionSpace(f.domain().1.clone(), f.codomain().clone()));
    let (f, from) = (f.clone(), z.clone());
    // The plot p of Z is restricted along φ, so that both components have the domain of q.
    SmoothMap::new(&z, &to, move |p| {
        let (f, z, p) = (f.clone(), from.clone(), p.clone());
        Ok(FunctionPlot::new(&z.plot_domain(&p), move |along, q: &X::Plot| {
            f.compose_plot(&(z.reparametrise(along, &p), q.clone()))
        }))
    })
}

/// Returns the uncurried map `(z, x) ↦ g(z)(x)`.
#[must_use]
pub fn uncurry<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    g: &SmoothMap<Z, FunctionSpace<X, Y>>,
) -> SmoothMap<ProductDiffeology<Z, X>, Y> {
    let (z, FunctionSpace(x, y)) = (g.domain().clone(), g.codomain().clone());
    let (g, from) = (g.clone(), z.clone());
    // p and q have one domain already, hence φ = id.
    SmoothMap::new(&ProductDiffeology(z, x), &y, move |(p, q)| {
        g.compose_plot(p)?.act_on(&Reparametrisation::identity(&from.plot_domain(p)), q)
    })
}

/// Returns the evaluation `(f, x) ↦ f(x)`.
#[must_use]
pub fn evaluation_map<X: Diffeology, Y: Diffeology>(
    of: &FunctionSpace<X, Y>,
) -> SmoothMap<ProductDiffeology<FunctionSpace<X, Y>, X>, Y> {
    uncurry(&SmoothMap::identity(of))
}
