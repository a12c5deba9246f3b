//! The elementary functions of two variables: one row each.
//!
//! A new one is a row here. The identifiers before the braces are the variant of [`Planar`], its name, which is its name in
//! CORE-MATH as well, and the function of MPFR; then its line of help.

use super::{Formula, Function, OperationConditions};
use std::fmt;

/// Hands the rows to a macro.
#[doc(hidden)]
#[macro_export]
macro_rules! planar_functions {
    ($then:ident) => {
        $then! {
            Atan2 atan2 atan2_ref "The angle of the point (x, y), atan2 y x: above -pi and at most pi; where it jumps, for y = 0 and x < 0, the interval [-pi, pi]." {
                arguments: ["y", "x"], source: "not in S; a primitive as in S §4.3, with values as signum at the jump",
                shape: BinaryShape::Angle, conditions: &super::condition::ANGLE, slopes: [Multiply(&Second, &OVER_SQUARE), Negate(&Multiply(&X, &OVER_SQUARE))],
                smoothness_indicator: Add(&Apply(Function::Sqrt, &SQUARE), &Second),
            }
        }
    };
}
pub use planar_functions;

/// The shape of a function over the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryShape {
    /// The angle of the point whose height is the first argument and whose width is the second. It is not defined at the
    /// origin, and jumps from -π to π on the ray to its left, where it is the whole interval.
    Angle,
}

/// The description of an elementary function of two variables.
#[derive(Debug)]
pub struct BinaryFunctionSpec {
    /// Its name in the language.
    pub name: &'static str,
    /// A description, in one line.
    pub summary: &'static str,
    /// The names of its arguments.
    pub arguments: [&'static str; 2],
    /// The source in the papers.
    pub source: &'static str,
    /// Its shape, which decides bounds on boxes.
    pub shape: BinaryShape,
    /// The conditions under which it has a value, and under which it is analytic.
    pub conditions: &'static OperationConditions,
    /// The partial derivatives. The formulas may go on where the function jumps.
    pub slopes: [Formula; 2],
    /// A number that is positive where the function is smooth, and elsewhere 0 or not defined.
    pub smoothness_indicator: Formula,
}

macro_rules! declare {
    ($($variant:ident $name:ident $mpfr:ident $about:literal { $($field:ident: $value:expr,)* })*) => {
        /// An elementary function of two real variables.
        ///
        /// It has all derivatives on an open set, and elsewhere no value, or an interval for its value and no derivative.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Planar {
            $(#[doc = $about] $variant,)*
        }

        impl Planar {
            /// All of them, in the order of the help.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The row of the function.
            #[must_use]
            pub fn row(self) -> &'static BinaryFunctionSpec {
                use Formula::*;
                static ROWS: &[BinaryFunctionSpec] = &[$(BinaryFunctionSpec { name: stringify!($name), summary: $about, $($field: $value),* }),*];
                &ROWS[self as usize]
            }
        }
    };
}

planar_functions!(declare);

/// y² + x², and its inverse.
const SQUARE: Formula = Formula::Add(&Formula::Square(&Formula::X), &Formula::Square(&Formula::Second));
const OVER_SQUARE: Formula = Formula::Inverse(&SQUARE);

impl Planar {
    /// Its name in the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Its partial derivatives.
    #[must_use]
    pub fn slope_formulas(self) -> &'static [Formula; 2] {
        &self.row().slopes
    }
}

impl fmt::Display for Planar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
