//! Objects of the category AD, as types.
//!
//! S §4.4 has the objects ℝⁿ and their products. Here the natural number is a type of `typenum`, `U0, U1, U2, …`, and a
//! product is a pair of objects, `(U2, U1)`, kept apart from `U3`: with a sum of numbers in its place, no projection could
//! be typed. [`Map::reshape`](super::map::Map::reshape) goes between pairs and numbers.
//!
//! | type | object | coordinates |
//! |---|---|---|
//! | `U0` | ℝ⁰ | none |
//! | `U3` | ℝ³ | x₀, x₁, x₂ |
//! | `(A, B)` | A × B | those of A, then those of B |

/// The numbers as types, `typenum::U0`, `typenum::U1` and so on, in the version that this library uses.
pub use typenum;

use std::fmt;
use std::ops::Add;
use typenum::{B0, B1, Bit, Sum, U0, U1, UInt, UTerm, Unsigned};

/// The object ℝ⁰.
pub type ZeroSpace = U0;
/// The object ℝ.
pub type RealObject = U1;

/// A source or target of a map: an object, or a stage whose dimension is hidden.
///
/// It can be copied and shown, so that `#[derive(Clone, Copy, Debug)]` works on a type with a stage for its parameter.
pub trait MapEnd: Copy + fmt::Debug {}

/// The object itself: the only one that it has an identity to.
#[diagnostic::on_unimplemented(
    message = "an identity goes from an object to itself, not from `{Self}` to `{M}`",
    label = "different ends",
    note = "`Map::<N, N>::id()` is the identity of N; `Map::linear` embeds and projects"
)]
pub trait SameEnd<M> {}

impl<N> SameEnd<N> for N {}

/// A dimension unknown to the type system: that of a map that was parsed. Such maps are evaluated at slices.
#[derive(Clone, Copy, Debug)]
pub enum Dyn {}

impl MapEnd for Dyn {}
impl MapEnd for UTerm {}
impl<U: Unsigned + fmt::Debug, B: Bit + fmt::Debug> MapEnd for UInt<U, B> {}
impl<A: MapEnd, B: MapEnd> MapEnd for (A, B) {}

/// An object of AD, with its dimension.
///
/// ```compile_fail,E0277
/// use smoothish_ad::smooth::map::Map;
/// let id = Map::<f64, f64>::id(); // `f64` is not an object of the category of smoothish maps
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an object of the category of smoothish maps",
    label = "not a dimension",
    note = "the objects are the numbers `U0`, `U1`, `U2`, … of `typenum`, and pairs `(A, B)` of objects"
)]
pub trait Dim: MapEnd {
    /// The number of coordinates.
    const SIZE: usize;

    /// The object as a value.
    fn object() -> EuclideanObject;
}

impl Dim for UTerm {
    const SIZE: usize = 0;

    fn object() -> EuclideanObject {
        EuclideanObject::Power(0)
    }
}

impl<U: Unsigned + fmt::Debug, B: Bit + fmt::Debug> Dim for UInt<U, B> {
    const SIZE: usize = <Self as Unsigned>::USIZE;

    fn object() -> EuclideanObject {
        EuclideanObject::Power(Self::SIZE)
    }
}

impl<A: Dim, B: Dim> Dim for (A, B) {
    const SIZE: usize = A::SIZE + B::SIZE;

    fn object() -> EuclideanObject {
        EuclideanObject::Product(Box::new(A::object()), Box::new(B::object()))
    }
}

/// An object with its coordinates in one row: `U3` for `(U2, U1)`. Dimensions are added nowhere else.
#[diagnostic::on_unimplemented(
    message = "the number of coordinates of `{Self}` is not known to be the number that is needed here",
    note = "`reshape` keeps the number of coordinates: `(U2, U1)` and `(U1, (U1, U1))` become `U3`, and nothing else"
)]
pub trait Flatten: Dim {
    /// The object ℝⁿ with as many coordinates.
    type Row: Dim;
}

impl Flatten for UTerm {
    type Row = Self;
}

impl<U: Unsigned + fmt::Debug> Flatten for UInt<U, B0> {
    type Row = Self;
}

impl<U: Unsigned + fmt::Debug> Flatten for UInt<U, B1> {
    type Row = Self;
}

impl<A: Flatten, B: Flatten> Flatten for (A, B)
where
    A::Row: Add<B::Row>,
    Sum<A::Row, B::Row>: Dim,
{
    type Row = Sum<A::Row, B::Row>;
}

/// An object as a value.
///
/// ```
/// use smoothish_ad::smooth::dimension::{Dim, EuclideanObject};
/// use typenum::{U1, U2};
/// assert_eq!(<(U2, U1)>::object().to_string(), "ℝ² × ℝ");
/// assert_eq!(<((U1, U1), U2)>::object().size(), 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EuclideanObject {
    /// ℝⁿ
    Power(usize),
    /// A × B
    Product(Box<EuclideanObject>, Box<EuclideanObject>),
}

impl EuclideanObject {
    /// The number of coordinates.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Power(n) => *n,
            Self::Product(a, b) => a.size() + b.size(),
        }
    }
}

impl fmt::Display for EuclideanObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Power(1) => write!(f, "ℝ"),
            Self::Power(n) => {
                let digit = |c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c as usize - '0' as usize).unwrap_or(c);
                write!(f, "ℝ{}", n.to_string().chars().map(digit).collect::<String>())
            }
            Self::Product(a, b) => {
                write!(f, "{a} × ")?;
                // products associate to the right in the type notation, so only a product on the right needs brackets
                match **b {
                    Self::Product(..) => write!(f, "({b})"),
                    Self::Power(_) => write!(f, "{b}"),
                }
            }
        }
    }
}
