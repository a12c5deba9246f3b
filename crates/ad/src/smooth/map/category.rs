//! The category AD (S Prop. 4.5), and its tangent functor.
//!
//! Composition is substitution of graphs, so the laws of a category hold for the graphs themselves, kinks included
//! (E43). [`agree`](Setoid::agree) compares values and derivatives.

use super::Map;
use super::error::MapError;
use super::trial::{MapTestConfig, jets_agree};
use super::untyped::{self, DynMap};
use crate::category::{Cartesian, Category, Functor, Iso, NaturalTransformation, ObjectName, Setoid};
use crate::smooth::dimension::EuclideanObject;
use crate::verdict::Verdict;
use typenum::U0;

/// The category of smoothish maps: objects are [dimensions](crate::smooth::dimension), arrows are [`Map`]s.
#[derive(Clone, Copy, Debug)]
pub enum Ad {}

/// Implements [`ObjectName`] for numbers and pairs, as objects of a category.
#[doc(hidden)]
#[macro_export]
macro_rules! objects {
    ($category:ty) => {
        impl $crate::category::ObjectName<$category> for $crate::smooth::dimension::typenum::UTerm {
            fn object() -> $crate::smooth::dimension::EuclideanObject {
                <Self as $crate::smooth::dimension::Dim>::object()
            }
        }

        impl<U, B> $crate::category::ObjectName<$category> for $crate::smooth::dimension::typenum::UInt<U, B>
        where
            U: $crate::smooth::dimension::typenum::Unsigned,
            B: $crate::smooth::dimension::typenum::Bit,
        {
            fn object() -> $crate::smooth::dimension::EuclideanObject {
                <Self as $crate::smooth::dimension::Dim>::object()
            }
        }

        impl<A, B> $crate::category::ObjectName<$category> for (A, B)
        where
            A: $crate::category::ObjectName<$category>,
            B: $crate::category::ObjectName<$category>,
        {
            fn object() -> $crate::smooth::dimension::EuclideanObject {
                // the trait is not in scope where the macro is used
                use $crate::category::ObjectName;
                let (a, b) = (<A as ObjectName<$category>>::object(), <B as ObjectName<$category>>::object());
                $crate::smooth::dimension::EuclideanObject::Product(Box::new(a), Box::new(b))
            }
        }
    };
}
#[doc(hidden)]
pub use objects;

objects!(Ad);

/// Returns the dimension of an object.
fn object_dimension<A: ObjectName<Ad>>() -> usize {
    <A as ObjectName<Ad>>::object().size()
}

/// Returns the projection to the coordinates `from..to` of ℝⁿ.
fn project_range<A, B>(n: usize, from: usize, to: usize) -> Map<A, B> {
    Map::new(DynMap::new(n, untyped::coordinate_graphs(n)[from..to].to_vec()))
}

impl Category for Ad {
    type Object = EuclideanObject;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = Map<A, B>;

    fn identity<A: ObjectName<Self>>() -> Map<A, A> {
        project_range(object_dimension::<A>(), 0, object_dimension::<A>())
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(f: &Map<A, B>, g: &Map<B, C>) -> Map<A, C> {
        Map::new(f.as_dyn.then(&g.as_dyn))
    }
}

impl Cartesian for Ad {
    type Terminal = U0;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = (A, B);

    fn terminal<A: ObjectName<Self>>() -> Map<A, U0> {
        // no coordinates: the map to ℝ⁰
        project_range(object_dimension::<A>(), 0, 0)
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &Map<X, A>,
        g: &Map<X, B>,
    ) -> Map<X, (A, B)> {
        Map::new(f.as_dyn.pair(&g.as_dyn))
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> Map<(A, B), A> {
        project_range(object_dimension::<A>() + object_dimension::<B>(), 0, object_dimension::<A>())
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> Map<(A, B), B> {
        let n = object_dimension::<A>() + object_dimension::<B>();
        project_range(n, object_dimension::<A>(), n)
    }
}

impl Setoid for Ad {
    type Trial = MapTestConfig;
    type Error = MapError;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &Map<A, B>,
        right: &Map<A, B>,
        trial: &MapTestConfig,
    ) -> Result<Verdict, MapError> {
        jets_agree(&left.as_dyn, &right.as_dyn, trial)
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
    type On<A: ObjectName<Ad>> = (A, A);

    fn map<A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> Map<(A, A), (B, B)> {
        Map::new(f.as_dyn.with_derivative())
    }
}

/// The identity functor on AD.
#[derive(Clone, Copy, Debug)]
pub enum IdentityFunctor {}

impl Functor for IdentityFunctor {
    type From = Ad;
    type To = Ad;
    type On<A: ObjectName<Ad>> = A;

    fn map<A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> Map<A, B> {
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

    fn component<A: ObjectName<Ad>>() -> Map<(A, A), A> {
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

    fn component<A: ObjectName<Ad>>() -> Map<A, (A, A)> {
        let n = object_dimension::<A>();
        // the zero tangent at x
        let zeros = vec![crate::smooth::graph::Graph::integer(0); n];
        Map::new(DynMap::new(n, [untyped::coordinate_graphs(n), zeros].concat()))
    }
}

/// Returns the isomorphism T(A × B) ≅ T A × T B (S Prop. 5.1, at representables).
#[must_use]
pub fn tangent_of_product<A: ObjectName<Ad>, B: ObjectName<Ad>>() -> TangentOfProduct<A, B> {
    let (a, b) = (object_dimension::<A>(), object_dimension::<B>());
    let all = untyped::coordinate_graphs(2 * (a + b));
    // ((a, b), (a′, b′)) on the left, ((a, a′), (b, b′)) on the right: the middle parts change places
    let part = |from: usize, length: usize| &all[from..from + length];
    let to = [part(0, a), part(a + b, a), part(a, b), part(2 * a + b, b)].concat();
    let from = [part(0, a), part(2 * a, b), part(a, a), part(2 * a + b, b)].concat();
    Iso { to: Map::new(DynMap::new(all.len(), to)), from: Map::new(DynMap::new(all.len(), from)) }
}

/// An isomorphism between T(A × B) and T A × T B.
pub type TangentOfProduct<A, B> = Iso<Ad, ((A, B), (A, B)), ((A, A), (B, B))>;
