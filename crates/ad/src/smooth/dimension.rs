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
pub type Point = U0;
/// The object ℝ.
pub type Line = U1;

/// A source or target of a map: an object, or a stage whose dimension is hidden.
pub trait Shape {}

/// A dimension unknown to the type system: that of a map that was parsed. Such maps are evaluated at slices.
#[derive(Clone, Copy, Debug)]
pub enum Hidden {}

impl Shape for Hidden {}
impl Shape for UTerm {}
impl<U: Unsigned, B: Bit> Shape for UInt<U, B> {}
impl<A: Shape, B: Shape> Shape for (A, B) {}

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
pub trait Dim: Shape {
    /// The number of coordinates.
    const SIZE: usize;

    /// The object as a value.
    fn object() -> Object;
}

impl Dim for UTerm {
    const SIZE: usize = 0;

    fn object() -> Object {
        Object::Power(0)
    }
}

impl<U: Unsigned, B: Bit> Dim for UInt<U, B> {
    const SIZE: usize = <Self as Unsigned>::USIZE;

    fn object() -> Object {
        Object::Power(Self::SIZE)
    }
}

impl<A: Dim, B: Dim> Dim for (A, B) {
    const SIZE: usize = A::SIZE + B::SIZE;

    fn object() -> Object {
        Object::Product(Box::new(A::object()), Box::new(B::object()))
    }
}

/// An object with its coordinates in one row: `U3` for `(U2, U1)`. Dimensions are added nowhere else.
#[diagnostic::on_unimplemented(
    message = "the number of coordinates of `{Self}` is not known to be the number that is needed here",
    note = "`reshape` keeps the number of coordinates: `(U2, U1)` and `(U1, (U1, U1))` become `U3`, and nothing else"
)]
pub trait Flat: Dim {
    /// The object ℝⁿ with as many coordinates.
    type Row: Dim;
}

impl Flat for UTerm {
    type Row = Self;
}

impl<U: Unsigned> Flat for UInt<U, B0> {
    type Row = Self;
}

impl<U: Unsigned> Flat for UInt<U, B1> {
    type Row = Self;
}

impl<A: Flat, B: Flat> Flat for (A, B)
where
    A::Row: Add<B::Row>,
    Sum<A::Row, B::Row>: Dim,
{
    type Row = Sum<A::Row, B::Row>;
}

/// An object as a value.
///
/// ```
/// use smoothish_ad::smooth::dimension::{Dim, Object};
/// use typenum::{U1, U2};
/// assert_eq!(<(U2, U1)>::object().to_string(), "ℝ² × ℝ");
/// assert_eq!(<((U1, U1), U2)>::object().size(), 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object {
    /// ℝⁿ
    Power(usize),
    /// A × B
    Product(Box<Object>, Box<Object>),
}

impl Object {
    /// The number of coordinates.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Power(n) => *n,
            Self::Product(a, b) => a.size() + b.size(),
        }
    }
}

impl fmt::Display for Object {
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
