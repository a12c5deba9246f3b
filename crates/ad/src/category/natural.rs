//! Maps between functors.

use super::functor::Functor;
use super::{Hom, ObjectName};

/// A natural transformation: an arrow for each object.
///
/// | law | equation |
/// |---|---|
/// | naturality | `F(f).then(at B) = (at A).then(G(f))` for every `f : A → B` |
///
/// Sources: the maps of presheaves of S §5.1; in AD, the projection of the tangent functor to the point.
pub trait NaturalTransformation {
    /// The category of the objects.
    type Source: super::Category;
    /// F
    type Domain: Functor<From = Self::Source>;
    /// G
    type Codomain: Functor<From = Self::Source, To = <Self::Domain as Functor>::To>;

    /// The component `F(A) → G(A)`.
    fn component<A: ObjectName<Self::Source>>() -> NaturalComponent<Self::Domain, Self::Codomain, A>;
}

/// The arrows `F(A) → G(A)`.
pub type NaturalComponent<F, G, A> = Hom<<F as Functor>::To, <F as Functor>::On<A>, <G as Functor>::On<A>>;
