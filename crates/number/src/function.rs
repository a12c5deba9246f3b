//! The elementary functions, of one variable and of two, and the second-order primitives: one row each; and the special functions by
//! name, whose descriptions are in [files](crate::number::special) of their own.
//!
//! A [`FunctionSpec`] says what a function is: its name in the language, its [conditions](OperationConditions), how it runs, where its values are exact, its slope
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
//! | random programs and maps | `law` | conditions, course |
//! | wrong values and slopes | `wrong` | what is not replaced |
//!
//! Where these functions and all other operations have values, and where they are analytic, is one table of
//! [`OperationConditions`]. A function of two variables has a [`BinaryFunctionSpec`] of the same kind, with two slopes. What checks these does not read the row: MPFR at a higher precision against the tiers (`tests/analysis/containment`), recurrences in
//! closed form against towers and jets (`crates/laws/tests/laws/tower`), differences of the standard library's functions against programs
//! (`law::float`), and the identities and integrals of `smooth.theory`.

mod condition;
mod formula;
mod functional;
mod planar;
mod special;
mod table;

pub use condition::{
    ArgumentCondition, BorderKind, NumberSet, OperationConditions, PowerKind, RealOperation, Region, TestedQuantity,
};
pub use formula::{Formula, FormulaStep};
pub use functional::Functional;
#[doc(hidden)]
pub use functional::functionals;
#[doc(hidden)]
pub use planar::planar_functions;
pub use planar::{BinaryFunctionSpec, BinaryShape, Planar};
#[doc(hidden)]
pub use special::special_functions;
pub use special::{DerivativeFamily, SpecialId};
#[doc(hidden)]
pub use table::functions;
pub use table::{SIGMOID, SIGMOID_SLOPE};

use std::cmp::Ordering;
use std::fmt;

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

/// The monotone course of a function over its domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Monotonicity {
    /// Increasing.
    Increasing,
    /// Decreasing.
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
    /// None of these: the file of a special function says what its image is.
    Own,
}

/// The description of an elementary or special function.
#[derive(Debug)]
pub struct FunctionSpec {
    /// Its name in the language.
    pub name: &'static str,
    /// A description, in one line.
    pub summary: &'static str,
    /// The notation of mathematics, with the variable x.
    pub notation: &'static str,
    /// The source in the papers.
    pub source: &'static str,
    /// The conditions under which it has a value, and under which it is analytic.
    pub conditions: &'static OperationConditions,
    /// Its monotonicity, which decides bounds on intervals.
    pub monotonicity: Monotonicity,
    /// `true` if it outgrows every power of x.
    pub outgrows_powers: bool,
    /// The dyadic arguments at which it has a dyadic value, roots aside, and the limits at infinity that are 0, ±1 or ±∞:
    /// pairs of argument and value.
    pub exact_values: &'static [(f64, f64)],
    /// An interval that holds all values.
    pub range: (f64, f64),
    /// The slope, [`Function::slope_formula`]; `None` for a special function, whose slope is the next of its sequence.
    pub slope: Option<Formula>,
    /// The function g with f (g x) = x wherever the left side is defined, if the table has one.
    pub left_inverse_of: Option<Function>,
    /// A formula that holds for complex numbers as well, of `exp`, `log`, `sin`, `cos`, `sinh`, `cosh`, `atan` and roots on their
    /// principal branches. `None` for these themselves, and where there is no such formula.
    pub complex_formula: Option<Formula>,
    /// Its form at positive, also unbounded arguments; `None` if it has none, or is computed otherwise.
    pub edge: Option<EdgeForm>,
}

/// The form of a function for arguments without a bound: a formula of other functions, and perhaps a tail.
///
/// `f x = formula + exp weight·r`, the last summand being there only with a [tail](EdgeTail). With a tail or a mirror this
/// holds for all x > 0, otherwise wherever the formula is defined.
#[derive(Clone, Copy, Debug)]
pub struct EdgeForm {
    /// The formula in x.
    pub formula: Formula,
    /// The tail r; `None` if the formula is the function.
    pub tail: Option<EdgeTail>,
    /// The value at -x by the value y at x > 0. `None` if there is no such rule.
    pub mirror: Option<Formula>,
}

/// A function r whose derivatives fall as those of a power do: for all x > 0 `xᵈ·r` lies between `bounds`, and `|r⁽ᵏ⁾|` is at most
/// `k!·coefficient·ratioᵏ·x⁻ᵏ⁻ᵈ` for k ≥ 1. Here d is 0 or 1.
///
/// With d = 1 it falls like 1/x, and at 0 it need not have a bound. With d = 0 it is bounded, also beside 0: the form then says how the
/// function behaves at either end.
#[derive(Clone, Copy, Debug)]
pub struct EdgeTail {
    /// The exponent of the factor beside r, a formula in x.
    pub weight: Formula,
    /// `true` if d = 1.
    pub falls: bool,
    /// The lower and the upper bound of `xᵈ·r`, formulas in x.
    pub bounds: [Formula; 2],
    /// The bound of the derivatives, a constant formula.
    pub coefficient: Formula,
    /// The ratio by which the bounds grow with the order: 1 for the transform of Laplace of a bounded function, more where r is known
    /// to be bounded on circles around x alone (Cauchy).
    pub ratio: u8,
}

impl FunctionSpec {
    /// Returns a nameless row of a special function, whose file says what its image and its slope are.
    #[must_use]
    pub(crate) const fn special(conditions: &'static OperationConditions) -> Self {
        Self {
            name: "",
            summary: "",
            notation: "",
            source: table::AS_IN_S,
            conditions,
            monotonicity: Monotonicity::Own,
            outgrows_powers: false,
            exact_values: &[],
            range: (f64::NEG_INFINITY, f64::INFINITY),
            slope: None,
            left_inverse_of: None,
            complex_formula: None,
            edge: None,
        }
    }
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
            /// The derivative of a special function of this order, from 0 on. All that is known of it is in its
            /// [file](crate::number::special).
            Special(SpecialId, u16),
        }

        impl Function {
            /// The functions with a row in the table, in the order of the help.
            const ELEMENTARY: &'static [Self] = &[$(Self::$variant),*];

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
                    Self::Special(id, order) => id.spec(order),
                }
            }
        }
    };
}

table::functions!(declare);

impl Function {
    /// All functions with a name of their own, in the order of the help: all but the higher derivatives of special functions.
    pub const ALL: &'static [Self] = &{
        // A loop and indices, since neither iterators nor concatenation of slices are available in constants.
        const FIRST: usize = Function::ELEMENTARY.len();
        let mut all = [Self::Exp; FIRST + Self::NAMED_SPECIAL.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = if index < FIRST { Self::ELEMENTARY[index] } else { Self::NAMED_SPECIAL[index - FIRST] };
            index += 1;
        }
        all
    };

    /// Its name in the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the function that is the slope of a special function: the next of its sequence.
    #[must_use]
    pub fn derivative_function(self) -> Option<Self> {
        match self {
            // Nothing is known of the function of the greatest order that can be said.
            Self::Special(id, order) => Some(Self::Special(id, order.saturating_add(1))),
            _ => None,
        }
    }

    /// Its slope at x, where it has the value y.
    #[must_use]
    pub fn slope_formula(self) -> Formula {
        match (self.row().slope, self.derivative_function()) {
            (_, Some(slope)) => Formula::Apply(slope, &Formula::X),
            (Some(formula), None) => formula,
            // A row without a slope has no derivative that is defined anywhere.
            (None, None) => Formula::Divide(&Formula::Number(1, 1), &Formula::Number(0, 1)),
        }
    }

    /// Returns `Greater` if it strictly increases on its domain, an interval, and `Less` if it strictly decreases.
    #[must_use]
    pub fn direction(self) -> Option<Ordering> {
        match self.row().monotonicity {
            Monotonicity::Increasing | Monotonicity::Root(_) => Some(Ordering::Greater),
            Monotonicity::Decreasing => Some(Ordering::Less),
            Monotonicity::Even | Monotonicity::Sinusoidal { .. } | Monotonicity::Poles | Monotonicity::Own => None,
        }
    }

    /// Returns n if it is the real n-th root.
    #[must_use]
    pub fn root_degree(self) -> Option<u8> {
        match self.row().monotonicity {
            Monotonicity::Root(n) => Some(n),
            _ => None,
        }
    }

    /// Returns `true` if it is the tangent, the quotient of sine and cosine, with poles at all zeros of the cosine.
    #[must_use]
    pub fn is_tangent(self) -> bool {
        self.row().monotonicity == Monotonicity::Poles
    }

    /// Returns `true` if it is sine or cosine.
    #[must_use]
    pub fn is_sinusoidal(self) -> bool {
        matches!(self.row().monotonicity, Monotonicity::Sinusoidal { .. })
    }

    /// Returns `true` if its value has the sign of the argument: it increases, and is 0 at 0.
    #[must_use]
    pub fn keeps_sign(self) -> bool {
        self.root_degree().is_some()
            || self.direction() == Some(Ordering::Greater) && self.exact_value(0.0) == Some(0.0)
    }

    /// Returns `true` if all values are positive: they are at least a number above 0, or come near 0 at infinity only.
    #[must_use]
    pub fn is_positive(self) -> bool {
        let (least, _) = self.row().range;
        let is_limit = |(x, y): &(f64, f64)| x.is_infinite() && *y == 0.0;
        least > 0.0 || least == 0.0 && self.direction().is_some() && self.row().exact_values.iter().any(is_limit)
    }

    /// Returns `true` if it is defined on the whole line.
    #[must_use]
    pub fn is_total(self) -> bool {
        self.row().conditions.is_total()
    }

    /// The exact value at an argument, if there is one.
    #[must_use]
    pub fn exact_value(self, x: f64) -> Option<f64> {
        self.row().exact_values.iter().find(|(argument, _)| *argument == x).map(|(_, value)| *value)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unnamed_member() {
            Some((id, order)) => write!(f, "{} {order}", id.family().name),
            None => f.write_str(self.name()),
        }
    }
}
