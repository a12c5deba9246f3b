//! The elementary functions, of one variable and of two, and the second-order primitives: one row each.
//!
//! A [`FunctionSpec`] says what a function is: its name in the language, its domain, how it runs, where its values are exact, its slope
//! as a program, and where it comes from. What other layers know of a function they take from here:
//!
//! | what | where | from the row |
//! |---|---|---|
//! | both tiers of numbers | `number` | the names of the functions in CORE-MATH and MPFR; domain, course, exact values |
//! | jets, and the methods of maps | `smooth` | the slope, as a differential equation; names |
//! | towers | `smooth::tower` | the slope |
//! | constants, their help and their citation | `syntax` | name, text, source |
//! | the Taylor macro's derivatives | `meaning::taylor` | the slope, differentiated again and again |
//! | floating-point derivatives | `meaning::float` | the slope |
//! | expressions of Rust | `host` | names |
//! | random programs and maps | `law` | domain, course |
//! | wrong values and slopes | `wrong` | what is not replaced |
//!
//! A function of two variables has a [`BinaryFunctionSpec`] of the same kind, with two slopes. What checks these does not read the row: MPFR at a higher precision against the tiers (`tests/analysis/containment`), recurrences in
//! closed form against towers and jets (`crates/laws/tests/laws/tower`), differences of the standard library's functions against programs
//! (`law::float`), and the identities and integrals of `smooth.theory`.

mod formula;
mod functional;
mod planar;
mod table;

pub use formula::{Formula, FormulaStep};
pub use functional::Functional;
#[doc(hidden)]
pub use functional::functionals;
#[doc(hidden)]
pub use planar::planar_functions;
pub use planar::{BinaryFunctionSpec, BinaryShape, Planar};
#[doc(hidden)]
pub use table::functions;
pub use table::{SIGMOID, SIGMOID_SLOPE};

use std::fmt;
use std::num::NonZeroU16;

/// An edge of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainEnd {
    /// The domain goes on to infinity.
    None,
    /// The edge belongs to the domain.
    Closed(i8),
    /// The edge does not; the function is unbounded there.
    Open(i8),
}

/// An interval of the line: where a function is defined, but for poles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Its left edge.
    pub left: DomainEnd,
    /// Its right edge.
    pub right: DomainEnd,
}

impl Domain {
    /// ℝ
    pub const LINE: Self = Self { left: DomainEnd::None, right: DomainEnd::None };
}

/// How a function runs over its domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Monotonicity {
    /// It increases.
    Increasing,
    /// It decreases.
    Decreasing,
    /// f(-x) = f(x), increasing for x ≥ 0.
    Even,
    /// Between -1 and 1, of period 2π, the maxima at the angles `top`·π/2 and the minima half a period later.
    Sinusoidal {
        /// 0 or 1.
        top: u8,
    },
    /// Increasing between poles at the odd multiples of π/2.
    Poles,
    /// The real root of this order, increasing; no derivative at 0.
    Root(u8),
    /// Increasing between poles at 0, -1, -2, …, and above 0.
    IncreasingBranches,
    /// Convex between poles at 0, -1, -2, …, and above 0.
    ConvexBranches,
}

/// What an elementary function is.
#[derive(Debug)]
pub struct FunctionSpec {
    /// Its name in the language.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// How it is written in mathematics, of x.
    pub notation: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Where it is defined, but for poles.
    pub domain: Domain,
    /// How it runs.
    pub monotonicity: Monotonicity,
    /// Whether it outgrows every power of x.
    pub outgrows_powers: bool,
    /// The dyadic arguments at which it has a dyadic value, roots aside, and the limits at infinity that are 0, ±1 or ±∞:
    /// pairs of argument and value.
    pub exact_values: &'static [(f64, f64)],
    /// An interval that holds all values.
    pub range: (f64, f64),
    /// The slope, [`Function::slope_formula`]; of the polygamma functions of one parity, that of the first.
    pub slope: Formula,
    /// What it is, also of complex numbers, by `exp`, `log`, `sin`, `cos`, `sinh`, `cosh`, `atan` and roots on their principal branches; nothing of
    /// these themselves, and where there is no such formula.
    pub complex_formula: Option<Formula>,
}

macro_rules! declare {
    ($($variant:ident $name:ident $mpfr:ident $about:literal { $($field:ident: $value:expr,)* })*) => {
        /// An elementary function of one real variable, real-valued on its domain.
        ///
        /// An input that may lie outside the domain is not known to be defined, and has the image of the part inside for
        /// its range; one that lies wholly outside, or may meet a pole, has the whole line. An edge that belongs to the
        /// domain has a value, `sqrt 0 = 0`, and no derivative.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Function {
            $(#[doc = $about] $variant,)*
            /// The derivative of `Digamma` of this order: what [`Function::polygamma`] makes. It has two rows, by the parity of the
            /// order, and no constant of its own.
            Polygamma(NonZeroU16),
        }

        impl Function {
            /// All of them but the polygamma functions, in the order of the help.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The row of the function.
            #[must_use]
            pub fn row(self) -> &'static FunctionSpec {
                use formula::Formula::*;
                use table::*;
                match self {
                    $(Self::$variant => {
                        static ROW: FunctionSpec = FunctionSpec { name: stringify!($name), summary: $about, $($field: $value),* };
                        &ROW
                    })*
                    Self::Polygamma(n) => &POLYGAMMA[usize::from(n.get().is_multiple_of(2))],
                }
            }
        }
    };
}

table::functions!(declare);

impl Function {
    /// Its name in the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The greatest order that a polygamma function may have in a program.
    pub const HIGHEST_POLYGAMMA: u16 = 1000;

    /// The derivative of this order of `Digamma`, that itself for 0; none beyond [`HIGHEST_POLYGAMMA`](Self::HIGHEST_POLYGAMMA).
    /// Derivatives may be of higher order.
    #[must_use]
    pub fn polygamma(order: u64) -> Option<Self> {
        let order = u16::try_from(order).ok().filter(|order| *order <= Self::HIGHEST_POLYGAMMA)?;
        Some(NonZeroU16::new(order).map_or(Self::Digamma, Self::Polygamma))
    }

    /// The function that is the slope, of `LogGamma` and its derivatives.
    #[must_use]
    pub fn derivative_function(self) -> Option<Self> {
        match self {
            Self::LogGamma => Some(Self::Digamma),
            Self::Digamma => Some(Self::Polygamma(NonZeroU16::MIN)),
            // the bounds of what has the greatest order that can be said are the whole line
            Self::Polygamma(n) => Some(Self::Polygamma(n.saturating_add(1))),
            _ => None,
        }
    }

    /// Its slope at x, where it has the value y.
    #[must_use]
    pub fn slope_formula(self) -> Formula {
        self.derivative_function().map_or(self.row().slope, |slope| Formula::Apply(slope, &Formula::X))
    }

    /// Whether it is defined on the whole line.
    #[must_use]
    pub fn is_total(self) -> bool {
        self.row().domain == Domain::LINE
            && self.row().monotonicity != Monotonicity::Poles
            && self.derivative_function().is_none()
    }

    /// Whether it has derivatives of every order wherever it is defined, edges aside.
    #[must_use]
    pub fn is_smooth(self) -> bool {
        !matches!(self.row().monotonicity, Monotonicity::Root(_))
    }

    /// The exact value at an argument, if there is one.
    #[must_use]
    pub fn exact_value(self, x: f64) -> Option<f64> {
        self.row().exact_values.iter().find(|(argument, _)| *argument == x).map(|(_, value)| *value)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Polygamma(n) => write!(f, "{} {n}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}
