//! The table of conditions: where each operation has a value, and where it is analytic.
//!
//! A real function is analytic at a point if a power series converges to it near the point. Sums, products and composites of
//! analytic functions are analytic, so conditions on each operation suffice for a program (Krantz and Parks, *A Primer of Real
//! Analytic Functions*, ch. 1).
//!
//! An [`OperationConditions`] has two [regions](Region), given as conditions on the arguments. All layers read them:
//!
//! | what | where | how it reads a condition |
//! |---|---|---|
//! | enclosures | `number::elementary` | holds for all numbers of the ranges |
//! | jets, tapes, diagnosis | `smooth` | holds, or certainly fails |
//! | piecewise analytic functions | `pieces::analytic`, `meaning::pap` | a sign guard on a graph |
//! | partial functions (A) | `meaning::partial`, `trace` | the side of a border on which an argument certainly lies |
//! | derivatives as programs | `meaning::taylor` | the points with a value and without a slope |
//! | random programs | `law` | the interval of the domain |
//!
//! The layers differ at the border, the points with a value at which an operation is not analytic. A has no value there, since
//! its operations are smooth on open sets (A §2). W makes a piece of it (W §2.1). S has a value, and derivatives as
//! [`BorderKind`] says. Floating-point numbers have values at some points where no other layer has one. So the layers read
//! different columns, and none has a list of its own.
//!
//! The row of a function of one or two variables is in its [`FunctionSpec`](super::FunctionSpec) or
//! [`BinaryFunctionSpec`](super::BinaryFunctionSpec), that of a special function in its file. The other rows are here.
//! `crates/laws/tests/laws/conditions.rs` tests all of them against the number tier, jets and doubles.

use super::{Domain, DomainEnd, Function, Planar};
use std::cmp::Ordering;
use std::fmt;

/// A quantity on which a condition is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TestedQuantity {
    /// The first argument, x.
    First,
    /// The second argument, y.
    Second,
    /// The difference x - y of the arguments.
    Difference,
}

/// A set of real numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberSet {
    /// The numbers above this one.
    Above(i8),
    /// The numbers below this one.
    Below(i8),
    /// This number and those above it.
    AtLeast(i8),
    /// This number and those below it.
    AtMost(i8),
    /// All numbers but this one.
    Except(i8),
    /// All numbers but the zeros of the cosine, the odd multiples of π/2.
    ExceptCosineZeros,
    /// All numbers but 0, -1, -2, …
    ExceptNonPositiveIntegers,
    /// The numbers above -1/e, the least value of x eˣ.
    AboveMinusInverseE,
}

impl NumberSet {
    /// Returns the integer that bounds the set, or is left out of it.
    #[must_use]
    pub const fn border(self) -> Option<i8> {
        match self {
            Self::Above(e) | Self::Below(e) | Self::AtLeast(e) | Self::AtMost(e) | Self::Except(e) => Some(e),
            Self::ExceptCosineZeros | Self::ExceptNonPositiveIntegers | Self::AboveMinusInverseE => None,
        }
    }

    /// Returns the side of the [border](Self::border) on which the set lies. [`Ordering::Equal`] stands for both sides.
    #[must_use]
    pub const fn side_of_border(self) -> Ordering {
        match self {
            Self::Above(_) | Self::AtLeast(_) | Self::AboveMinusInverseE => Ordering::Greater,
            Self::Below(_) | Self::AtMost(_) => Ordering::Less,
            Self::Except(_) | Self::ExceptCosineZeros | Self::ExceptNonPositiveIntegers => Ordering::Equal,
        }
    }

    /// Returns `true` if the border belongs to the set.
    #[must_use]
    pub const fn is_closed(self) -> bool {
        matches!(self, Self::AtLeast(_) | Self::AtMost(_))
    }

    /// Returns `true` if the set contains a rational number, given by its comparison with integers and with -1/e.
    ///
    /// No rational number is a zero of the cosine, and none is -1/e: π/2 and e are irrational.
    pub fn contains_rational(
        self,
        compare: impl Fn(i8) -> Ordering,
        exceeds_minus_inverse_e: impl FnOnce() -> bool,
        is_integer: impl FnOnce() -> bool,
    ) -> bool {
        match self {
            Self::Above(e) => compare(e) == Ordering::Greater,
            Self::Below(e) => compare(e) == Ordering::Less,
            Self::AtLeast(e) => compare(e) != Ordering::Less,
            Self::AtMost(e) => compare(e) != Ordering::Greater,
            Self::Except(e) => compare(e) != Ordering::Equal,
            Self::ExceptCosineZeros => true,
            Self::ExceptNonPositiveIntegers => compare(0) == Ordering::Greater || !is_integer(),
            Self::AboveMinusInverseE => {
                compare(0) != Ordering::Less || compare(-1) == Ordering::Greater && exceeds_minus_inverse_e()
            }
        }
    }
}

/// A condition on the arguments of an operation: a quantity lies in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArgumentCondition {
    /// The quantity.
    pub quantity: TestedQuantity,
    /// The set.
    pub set: NumberSet,
}

/// Builds the condition that the first argument lies in a set.
const fn first(set: NumberSet) -> ArgumentCondition {
    ArgumentCondition { quantity: TestedQuantity::First, set }
}

/// Builds the condition that the second argument lies in a set.
const fn second(set: NumberSet) -> ArgumentCondition {
    ArgumentCondition { quantity: TestedQuantity::Second, set }
}

/// A set of arguments: of each clause, one of the alternatives holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region(pub &'static [&'static [ArgumentCondition]]);

impl Region {
    /// All arguments.
    pub const EVERYWHERE: Self = Self(&[]);
    /// A first argument x > 0.
    pub const ABOVE_ZERO: Self = Self(&[&[first(NumberSet::Above(0))]]);

    /// Returns `true` if every argument belongs to the region, by its form.
    #[must_use]
    pub const fn is_everywhere(self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if each clause has an alternative for which `holds` answers `true`.
    pub fn is_satisfied(self, mut holds: impl FnMut(ArgumentCondition) -> bool) -> bool {
        self.0.iter().all(|clause| clause.iter().any(|condition| holds(*condition)))
    }

    /// Returns `true` if `fails` answers `true` for all alternatives of a clause.
    pub fn is_violated(self, mut fails: impl FnMut(ArgumentCondition) -> bool) -> bool {
        self.0.iter().any(|clause| clause.iter().all(|condition| fails(*condition)))
    }

    /// Returns the clauses that have one alternative: conditions that are necessary each.
    pub fn single_conditions(self) -> impl Iterator<Item = ArgumentCondition> {
        self.0.iter().filter_map(|clause| match clause {
            [only] => Some(*only),
            _ => None,
        })
    }

    /// Returns the least interval that the conditions on a single argument give.
    const fn to_interval(self) -> Domain {
        let mut domain = Domain::LINE;
        let mut index = 0;
        // A loop and indices, since iterators are not available in constants.
        while index < self.0.len() {
            if let [ArgumentCondition { quantity: TestedQuantity::First, set }] = self.0[index] {
                match *set {
                    NumberSet::Above(e) => domain.left = DomainEnd::Open(e),
                    NumberSet::AtLeast(e) => domain.left = DomainEnd::Closed(e),
                    NumberSet::Below(e) => domain.right = DomainEnd::Open(e),
                    NumberSet::AtMost(e) => domain.right = DomainEnd::Closed(e),
                    // An end of this interval is an integer.
                    NumberSet::Except(_)
                    | NumberSet::ExceptCosineZeros
                    | NumberSet::ExceptNonPositiveIntegers
                    | NumberSet::AboveMinusInverseE => {}
                }
            }
            index += 1;
        }
        domain
    }
}

/// The behaviour of an operation at its border: where it has a value and is not analytic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BorderKind {
    /// No border: the operation is analytic wherever it has a value.
    Empty,
    /// A Lipschitz function with a slope on each side. Its Clarke derivative is claimed.
    Kink,
    /// A jump. The value is the hull of the limits, and no derivative is claimed.
    Jump,
    /// A continuous function of which some derivative does not exist or is infinite. No such derivative is claimed.
    Root,
}

/// A row of the table of conditions.
#[derive(Clone, Copy, Debug)]
pub struct OperationConditions {
    /// The arguments at which the operation has a value.
    pub value: Region,
    /// The arguments at which it is analytic: an open part of the first region.
    pub analytic: Region,
    /// The behaviour where it has a value and is not analytic.
    pub border: BorderKind,
    /// The arguments at which floating-point numbers have a finite value. It is larger than the first region where IEEE 754 has
    /// the value of a limit, or a convention.
    pub in_floats: Region,
    /// The theorem, or the reason.
    pub reason: &'static str,
    interval: Domain,
}

impl OperationConditions {
    /// Builds a row.
    #[must_use]
    pub const fn new(value: Region, analytic: Region, border: BorderKind, reason: &'static str) -> Self {
        Self { value, analytic, border, in_floats: value, reason, interval: value.to_interval() }
    }

    /// Builds the row of an operation that is analytic wherever it has a value.
    #[must_use]
    pub const fn analytic_on(region: Region, reason: &'static str) -> Self {
        Self::new(region, region, BorderKind::Empty, reason)
    }

    /// Returns the row with another region of floating-point numbers.
    #[must_use]
    pub const fn with_floats(self, in_floats: Region) -> Self {
        Self { in_floats, ..self }
    }

    /// Returns the least interval around the first argument where there is a value: the domain of a function of one variable,
    /// but for poles.
    #[must_use]
    pub const fn interval(&self) -> Domain {
        self.interval
    }

    /// Returns `true` if the operation has a value everywhere.
    #[must_use]
    pub const fn is_total(&self) -> bool {
        self.value.is_everywhere()
    }

    /// Returns `true` if the operation is analytic everywhere.
    #[must_use]
    pub const fn is_analytic_everywhere(&self) -> bool {
        self.analytic.is_everywhere()
    }

    /// Returns `true` if the operation has a value everywhere, and a Clarke derivative near every point.
    #[must_use]
    pub fn is_lipschitz_everywhere(&self) -> bool {
        self.is_total() && matches!(self.border, BorderKind::Empty | BorderKind::Kink)
    }

    /// Returns `true` if the operation has a value where each argument is this integer.
    #[must_use]
    pub fn has_value_at(&self, x: i8) -> bool {
        self.value.is_satisfied(|ArgumentCondition { quantity, set }| {
            let tested = if quantity == TestedQuantity::Difference { 0 } else { x };
            set.contains_rational(|e| tested.cmp(&e), || tested >= 0, || true)
        })
    }

    /// Returns the border of an operation of one variable: the points with a value at which it is not analytic.
    pub fn border_points(&self) -> impl Iterator<Item = i8> {
        let conditions = self.analytic.single_conditions();
        conditions.filter_map(|condition| condition.set.border()).filter(|e| self.has_value_at(*e))
    }
}

/// The kinds of powers with a constant exponent p/q, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PowerKind {
    /// xⁿ for a natural number n.
    Natural,
    /// x⁻ⁿ for a natural number n > 0.
    Inverse,
    /// p > 0, odd q > 1.
    OddRoot,
    /// p < 0, odd q > 1.
    InverseOddRoot,
    /// p > 0, even q.
    EvenRoot,
    /// p < 0, even q.
    InverseEvenRoot,
}

impl PowerKind {
    /// Returns the kind of a power, by its exponent p/q in lowest terms.
    #[must_use]
    pub fn of_fraction(p: i64, q: u32) -> Self {
        Self::of_signs(p < 0, q == 1, q.is_multiple_of(2))
    }

    /// Returns the kind of a power with the exponent p/q in lowest terms: p < 0, q = 1, and q is even.
    pub(crate) fn of_signs(is_negative: bool, is_whole: bool, has_even_root: bool) -> Self {
        match (is_negative, is_whole, has_even_root) {
            (false, true, _) => Self::Natural,
            (true, true, _) => Self::Inverse,
            (false, false, false) => Self::OddRoot,
            (true, false, false) => Self::InverseOddRoot,
            (false, false, true) => Self::EvenRoot,
            (true, false, true) => Self::InverseEvenRoot,
        }
    }
}

/// An operation on real numbers that may have conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RealOperation {
    /// A sum, a difference, a product or an opposite.
    Arithmetic,
    /// x / y
    Divide,
    /// x^q, for a constant q.
    Power(PowerKind),
    /// x^y, which is exp (y log x).
    RealPower,
    /// The absolute value of x.
    Abs,
    /// The sign of x.
    Signum,
    /// The greater of x and y.
    Maximum,
    /// The smaller of x and y.
    Minimum,
    /// A comparison of x and y, by <, ≤, = and their like.
    Compare,
    /// An elementary or special function.
    Function(Function),
    /// A function of two variables.
    Binary(Planar),
}

use NumberSet::{Above, AtLeast, AtMost, Below, Except, ExceptCosineZeros};

const NONZERO: Region = Region(&[&[first(Except(0))]]);
const DIFFERENT: Region = Region(&[&[ArgumentCondition { quantity: TestedQuantity::Difference, set: Except(0) }]]);
const FROM_ZERO: Region = Region(&[&[first(AtLeast(0))]]);
const ROOTS: &str = "y with y^q = x is analytic where its slope y/(qx) is finite, by the inverse function theorem (Krantz and \
     Parks, ch. 1); at 0 the derivatives of order above p/q are unbounded";

/// Analytic on the whole line: power series that converge everywhere.
pub(super) static ENTIRE: OperationConditions = OperationConditions::analytic_on(
    Region::EVERYWHERE,
    "an entire function (DLMF 4.2, 4.14, 4.28; for the error functions 7.2)",
);
/// Analytic on the whole line, with singularities off it.
pub(super) static OFF_THE_LINE: OperationConditions =
    OperationConditions::analytic_on(Region::EVERYWHERE, "its singularities are imaginary (DLMF 4.23, 4.28, 4.37)");
pub(super) static POSITIVE: OperationConditions =
    OperationConditions::analytic_on(Region::ABOVE_ZERO, "the antiderivative of 1/x, unbounded at 0 (DLMF 4.2)");
pub(super) static BEYOND_MINUS_ONE: OperationConditions = OperationConditions::analytic_on(
    Region(&[&[first(Above(-1))]]),
    "the logarithm of 1 + x, unbounded at -1 (DLMF 4.2)",
);
pub(super) static OPEN_UNIT: OperationConditions = OperationConditions::analytic_on(
    Region(&[&[first(Above(-1))], &[first(Below(1))]]),
    "half of log ((1 + x)/(1 - x)), unbounded at -1 and 1 (DLMF 4.37)",
);
pub(super) static CLOSED_UNIT: OperationConditions = OperationConditions::new(
    Region(&[&[first(AtLeast(-1))], &[first(AtMost(1))]]),
    Region(&[&[first(Above(-1))], &[first(Below(1))]]),
    BorderKind::Root,
    "the inverse of an analytic function whose slope is not 0 inside, and 0 at the ends, which are branch points (DLMF 4.23)",
);
pub(super) static FROM_ONE: OperationConditions = OperationConditions::new(
    Region(&[&[first(AtLeast(1))]]),
    Region(&[&[first(Above(1))]]),
    BorderKind::Root,
    "the inverse of cosh, whose slope is 0 only at 0, where it is 1: a branch point (DLMF 4.37)",
);
pub(super) static COSINE_NOT_ZERO: OperationConditions = OperationConditions::analytic_on(
    Region(&[&[first(ExceptCosineZeros)]]),
    "sin x / cos x, with simple poles at the zeros of cos (DLMF 4.14)",
);
pub(super) static EVEN_ROOT: OperationConditions =
    OperationConditions::new(FROM_ZERO, Region::ABOVE_ZERO, BorderKind::Root, ROOTS);
pub(super) static ODD_ROOT: OperationConditions =
    OperationConditions::new(Region::EVERYWHERE, NONZERO, BorderKind::Root, ROOTS);
/// The conditions on (y, x) for the angle of the point (x, y).
pub(super) static ANGLE: OperationConditions = OperationConditions::new(
    Region(&[&[first(Except(0)), second(Except(0))]]),
    Region(&[&[second(Above(0)), first(Except(0))]]),
    BorderKind::Jump,
    "the imaginary part of log (x + iy) on its principal branch, which has its cut where y = 0 and x <= 0 (DLMF 4.2)",
)
// IEEE 754 has the angle 0 at the origin.
.with_floats(Region::EVERYWHERE);

static QUOTIENT: OperationConditions = OperationConditions::analytic_on(
    Region(&[&[second(Except(0))]]),
    "a quotient of analytic functions is analytic where the divisor is not 0 (Krantz and Parks, ch. 1)",
);
static POLYNOMIAL: OperationConditions =
    OperationConditions::analytic_on(Region::EVERYWHERE, "a polynomial; x^0 is 1, also at 0");
static INVERSE_POWER: OperationConditions =
    OperationConditions::analytic_on(NONZERO, "the inverse of a polynomial with the only zero 0");
static INVERSE_ODD_ROOT: OperationConditions =
    OperationConditions::analytic_on(NONZERO, "the inverse of a root, which is 0 at 0 alone");
static INVERSE_EVEN_ROOT: OperationConditions = OperationConditions::new(
    // Two conditions, as the two reasons are: an even root, and its inverse.
    Region(&[&[first(AtLeast(0))], &[first(Except(0))]]),
    Region::ABOVE_ZERO,
    BorderKind::Empty,
    "the inverse of a root of a number that is not negative, which is 0 at 0 alone",
);
static REAL_POWER: OperationConditions =
    OperationConditions::analytic_on(Region::ABOVE_ZERO, "exp (y log x), a composite of analytic functions (DLMF 4.2)")
        // exp (-∞) is 0
        .with_floats(Region(&[&[first(AtLeast(0))], &[first(Above(0)), second(Above(0))]]));
static ABSOLUTE_VALUE: OperationConditions = OperationConditions::new(
    Region::EVERYWHERE,
    NONZERO,
    BorderKind::Kink,
    "linear on each side of 0, with the slopes -1 and 1",
);
static SIGN: OperationConditions = OperationConditions::new(
    Region::EVERYWHERE,
    NONZERO,
    BorderKind::Jump,
    "constant on each side of 0; at 0 the hull [-1, 1] of the limits (S §4.3)",
);
static EXTREMUM: OperationConditions = OperationConditions::new(
    Region::EVERYWHERE,
    DIFFERENT,
    BorderKind::Kink,
    "one of the arguments on each side of x = y",
);
static COMPARISON: OperationConditions = OperationConditions::new(
    Region::EVERYWHERE,
    DIFFERENT,
    BorderKind::Jump,
    "constant on each side of x = y, where it has no value as an open predicate (A §2)",
);

impl RealOperation {
    /// The operations that are no functions with a row of their own.
    pub const BASIC: [Self; 14] = [
        Self::Arithmetic,
        Self::Divide,
        Self::Power(PowerKind::Natural),
        Self::Power(PowerKind::Inverse),
        Self::Power(PowerKind::OddRoot),
        Self::Power(PowerKind::InverseOddRoot),
        Self::Power(PowerKind::EvenRoot),
        Self::Power(PowerKind::InverseEvenRoot),
        Self::RealPower,
        Self::Abs,
        Self::Signum,
        Self::Maximum,
        Self::Minimum,
        Self::Compare,
    ];

    /// Returns the row of the operation.
    #[must_use]
    pub fn conditions(self) -> &'static OperationConditions {
        match self {
            Self::Arithmetic => &POLYNOMIAL,
            Self::Divide => &QUOTIENT,
            Self::Power(PowerKind::Natural) => &POLYNOMIAL,
            Self::Power(PowerKind::Inverse) => &INVERSE_POWER,
            Self::Power(PowerKind::OddRoot) => &ODD_ROOT,
            Self::Power(PowerKind::InverseOddRoot) => &INVERSE_ODD_ROOT,
            Self::Power(PowerKind::EvenRoot) => &EVEN_ROOT,
            Self::Power(PowerKind::InverseEvenRoot) => &INVERSE_EVEN_ROOT,
            Self::RealPower => &REAL_POWER,
            Self::Abs => &ABSOLUTE_VALUE,
            Self::Signum => &SIGN,
            Self::Maximum | Self::Minimum => &EXTREMUM,
            Self::Compare => &COMPARISON,
            Self::Function(f) => f.row().conditions,
            Self::Binary(f) => f.row().conditions,
        }
    }

    /// Returns the number of arguments.
    #[must_use]
    pub fn arity(self) -> usize {
        match self {
            Self::Power(_) | Self::Abs | Self::Signum | Self::Function(_) => 1,
            Self::Arithmetic
            | Self::Divide
            | Self::RealPower
            | Self::Maximum
            | Self::Minimum
            | Self::Compare
            | Self::Binary(_) => 2,
        }
    }
}

impl fmt::Display for RealOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Arithmetic => "arithmetic",
            Self::Divide => "/",
            Self::Power(_) | Self::RealPower => "^",
            Self::Abs => "abs",
            Self::Signum => "signum",
            Self::Maximum => "max",
            Self::Minimum => "min",
            Self::Compare => "<",
            Self::Function(function) => function.name(),
            Self::Binary(function) => function.name(),
        })
    }
}
