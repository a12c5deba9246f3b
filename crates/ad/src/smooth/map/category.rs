//! The category AD (S Prop. 4.5), and its tangent functor.
//!
//! Composition is substitution of graphs, so the laws of a category hold for the graphs themselves, kinks included
//! (E43). [`agree`](Setoid::agree) compares values and derivatives.

use super::Map;
use super::error::MapError;
use super::trial::{Trial, jets_agree};
use super::untyped::{self, Untyped};
use crate::category::{Cartesian, Category, Functor, Iso, Names, NaturalTransformation, Setoid};
use crate::smooth::dimension::Object;
use crate::verdict::Verdict;
use typenum::U0;

/// The category of smoothish maps: objects are [dimensions](crate::smooth::dimension), arrows are [`Map`]s.
#[derive(Clone, Copy, Debug)]
pub enum Ad {}

/// Implements [`Names`] for numbers and pairs, as objects of a category.
#[doc(hidden)]
#[macro_export]
macro_rules! objects {
    ($category:ty) => {
        impl $crate::category::Names<$category> for $crate::smooth::dimension::typenum::UTerm {
            fn object() -> $crate::smooth::dimension::Object {
                <Self as $crate::smooth::dimension::Dim>::object()
            }
        }

        impl<U, B> $crate::category::Names<$category> for $crate::smooth::dimension::typenum::UInt<U, B>
        where
            U: $crate::smooth::dimension::typenum::Unsigned,
            B: $crate::smooth::dimension::typenum::Bit,
        {
            fn object() -> $crate::smooth::dimension::Object {
                <Self as $crate::smooth::dimension::Dim>::object()
            }
        }

        impl<A, B> $crate::category::Names<$category> for (A, B)
        where
            A: $crate::category::Names<$category>,
            B: $crate::category::Names<$category>,
        {
            fn object() -> $crate::smooth::dimension::Object {
                // the trait is not in scope where the macro is used
                use $crate::category::Names;
                let (a, b) = (<A as Names<$category>>::object(), <B as Names<$category>>::object());
                $crate::smooth::dimension::Object::Product(Box::new(a), Box::new(b))
            }
        }
    };
}
#[doc(hidden)]
pub use objects;

objects!(Ad);

/// Returns the dimension of an object.
fn size<A: Names<Ad>>() -> usize {
    <A as Names<Ad>>::object().size()
}

/// Returns the projection to the coordinates `from..to` of ℝⁿ.
fn select<A, B>(n: usize, from: usize, to: usize) -> Map<A, B> {
    Map::new(Untyped::new(n, untyped::coordinates(n)[from..to].to_vec()))
}

impl Category for Ad {
    type Object = Object;
    type Hom<A: Names<Self>, B: Names<Self>> = Map<A, B>;

    fn identity<A: Names<Self>>() -> Map<A, A> {
        select(size::<A>(), 0, size::<A>())
    }

    fn then<A: Names<Self>, B: Names<Self>, C: Names<Self>>(f: &Map<A, B>, g: &Map<B, C>) -> Map<A, C> {
        Map::new(f.untyped.then(&g.untyped))
    }
}

impl Cartesian for Ad {
    type Terminal = U0;
    type Product<A: Names<Self>, B: Names<Self>> = (A, B);

    fn terminal<A: Names<Self>>() -> Map<A, U0> {
        // no coordinates: the map to ℝ⁰
        select(size::<A>(), 0, 0)
    }

    fn pair<X: Names<Self>, A: Names<Self>, B: Names<Self>>(f: &Map<X, A>, g: &Map<X, B>) -> Map<X, (A, B)> {
        Map::new(f.untyped.pair(&g.untyped))
    }

    fn first<A: Names<Self>, B: Names<Self>>() -> Map<(A, B), A> {
        select(size::<A>() + size::<B>(), 0, size::<A>())
    }

    fn second<A: Names<Self>, B: Names<Self>>() -> Map<(A, B), B> {
        let n = size::<A>() + size::<B>();
        select(n, size::<A>(), n)
    }
}

impl Setoid for Ad {
    type Trial = Trial;
    type Error = MapError;

    fn agree<A: Names<Self>, B: Names<Self>>(
        left: &Map<A, B>,
        right: &Map<A, B>,
        trial: &Trial,
    ) -> Result<Verdict, MapError> {
        jets_agree(&left.untyped, &right.untyped, trial)
    }
}

/// The tangent functor T : AD → AD, with T A = (A, A) and T f = (f⁽⁰⁾, f′), S §4.3.4.
///
/// Functoriality is the chain rule.
#[derive(Clone, Copy, Debug)]
pub enum TangentFunctor {}

impl Functor for TangentFunctor {
    type From = Ad;
    type To = Ad;
    type On<A: Names<Ad>> = (A, A);

    fn map<A: Names<Ad>, B: Names<Ad>>(f: &Map<A, B>) -> Map<(A, A), (B, B)> {
        Map::new(f.untyped.with_derivative())
    }
}

/// The identity functor on AD.
#[derive(Clone, Copy, Debug)]
pub enum IdentityFunctor {}

impl Functor for IdentityFunctor {
    type From = Ad;
    type To = Ad;
    type On<A: Names<Ad>> = A;

    fn map<A: Names<Ad>, B: Names<Ad>>(f: &Map<A, B>) -> Map<A, B> {
        f.clone()
    }
}

/// T A → A, `(x, v) ↦ x`: the base point of a tangent.
#[derive(Clone, Copy, Debug)]
pub enum BasePoint {}

impl NaturalTransformation for BasePoint {
    type Source = Ad;
    type Domain = TangentFunctor;
    type Codomain = IdentityFunctor;

    fn at<A: Names<Ad>>() -> Map<(A, A), A> {
        Ad::first::<A, A>()
    }
}

/// A → T A, `x ↦ (x, 0)`: the zero tangent.
#[derive(Clone, Copy, Debug)]
pub enum ZeroSection {}

impl NaturalTransformation for ZeroSection {
    type Source = Ad;
    type Domain = IdentityFunctor;
    type Codomain = TangentFunctor;

    fn at<A: Names<Ad>>() -> Map<A, (A, A)> {
        let n = size::<A>();
        // the zero tangent at x
        let zeros = vec![crate::smooth::graph::Graph::integer(0); n];
        Map::new(Untyped::new(n, [untyped::coordinates(n), zeros].concat()))
    }
}

/// Returns the isomorphism T(A × B) ≅ T A × T B (S Prop. 5.1, at representables).
#[must_use]
pub fn tangent_of_product<A: Names<Ad>, B: Names<Ad>>() -> TangentOfProduct<A, B> {
    let (a, b) = (size::<A>(), size::<B>());
    let all = untyped::coordinates(2 * (a + b));
    // ((a, b), (a′, b′)) on the left, ((a, a′), (b, b′)) on the right: the middle parts change places
    let part = |from: usize, length: usize| &all[from..from + length];
    let to = [part(0, a), part(a + b, a), part(a, b), part(2 * a + b, b)].concat();
    let from = [part(0, a), part(2 * a, b), part(a, a), part(2 * a + b, b)].concat();
    Iso { to: Map::new(Untyped::new(all.len(), to)), from: Map::new(Untyped::new(all.len(), from)) }
}

/// An isomorphism between T(A × B) and T A × T B.
pub type TangentOfProduct<A, B> = Iso<Ad, ((A, B), (A, B)), ((A, A), (B, B))>;
