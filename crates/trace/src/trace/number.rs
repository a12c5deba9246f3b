//! Representations of real numbers for evaluation, with ev and bev (A §3) over each.
//!
//! | numbers | operations | comparisons |
//! |---|---|---|
//! | [`Rationals`] | `+ - * /` and integer powers | all decided |
//! | [`Doubles`] | all, rounded | decided on the doubles: nothing is certain |
//! | [`BoundedDoubles`] | all, rounded, each with a bound of its error | undecided if the bounds do not exclude equality |
//! | [`CertifiedReals`] | all, enclosed at one precision | undecided if the enclosures overlap |
//! | [`CentredForms`] | all, on a box of inputs, with slopes | for the whole box, undecided if it is cut |
//!
//! A comparison of equal numbers is undefined, and so is an operation at the edge of its domain. The [`UndefinedCause`] tells
//! these cases apart. Only [`UndefinedCause::Boundary`] and [`UndefinedCause::Domain`] are certain.
//!
//! # Certified real numbers
//!
//! Enclosures at one precision. On inputs that enclose a box, results enclose all values on the
//! box.
//!
//! # Doubles
//!
//! Fast and uncertified.
//!
//! # Doubles with bounds of their errors
//!
//! Each number is such a double, beside an enclosure in doubles of the real number for which it stands. The distance of both is
//! a bound of the error. Rounding to nearest is monotone, so a double lies in its enclosure, and a comparison that the enclosures
//! decide is decided alike by the doubles.
//!
//! # Rational numbers
//!
//! Comparisons are all decided; the elementary functions are missing.
//!
//! # Centred forms
//!
//! Centred forms (Moore): numbers as functions on a box of inputs, with a range, the value at the centre, and the
//! ranges of the slopes.
//!
//! Interval arithmetic forgets that two ranges depend on the same input: on an interval, `x * x - a` gets a much wider
//! range than it has when x is close to √a. By the mean value theorem a number also lies in its value at the centre
//! plus its slopes times the half-widths of the box. Both enclosures hold, so the range is their intersection. The
//! theorem applies, since every number is defined and smooth on the whole box. For operations this holds or they have
//! no value here, and guards are decided for the whole box.

use super::embed::slope_program;
use super::evaluation::{TraceError, TraceEvaluator, UndefinedValue};
use super::operation::{DomainCondition, OperationSymbol, PredicateSymbol};
use super::term::CoreValue;
use super::typing::{CoreEnvironment, FunctionEnvironment};
use crate::function::Planar;
use crate::meaning::float::nearest_double;
use crate::meaning::foreign;
use crate::model::answer::UndefinedCause;
use crate::number::budget::Budget;
use crate::number::double::{eval_binary_nearest, eval_nearest, eval_power_nearest};
use crate::number::{Context, Double, Rational, Sign};
use crate::syntax::constant::Constant;
use crate::syntax::constant::foreign::ForeignId;
use crate::trace::term::CoreTy;
use crate::value::ValueError;
use std::cmp::Ordering;
use std::fmt;
use std::fmt::Debug;

/// The arithmetic operations, which are most steps of a program, and have a fast path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastOperation {
    /// a + b
    Add,
    /// -a
    Negate,
    /// a - b
    Subtract,
    /// a · b
    Multiply,
    /// a / b
    Divide,
}

/// A representation of real numbers, with the operations and comparisons of programs.
pub trait NumberSystem {
    /// A number.
    type Number: Clone + Debug;

    /// Returns the representation of a rational number.
    fn represent_rational(&self, q: &Rational) -> Self::Number;

    /// a + b
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;

    /// Returns the value of an operation at arguments that satisfy its [bounds](OperationSymbol::domain_conditions).
    ///
    /// # Errors
    /// [`TraceError::MissingOperation`] if the representation lacks the operation. [`TraceError::Undefined`] if it is not certainly
    /// defined at the arguments, or the result is too large.
    fn apply_operation(
        &self,
        operation: &OperationSymbol,
        arguments: &[&Self::Number],
    ) -> Result<Self::Number, TraceError>;

    /// Returns the value of a function from outside, within a budget.
    ///
    /// # Errors
    /// [`TraceError::MissingOperation`] if the representation has no functions from outside, as by default.
    /// [`TraceError::Undefined`] if the function is not certainly defined there; [`TraceError::Foreign`] for a fault of it.
    fn apply_foreign(&self, id: ForeignId, a: &Self::Number, budget: &Budget) -> Result<Self::Number, TraceError> {
        let _ = (a, budget);
        Err(TraceError::MissingOperation {
            numbers: "numbers of this kind",
            operation: Constant::Foreign(id).name().to_owned(),
        })
    }

    /// Compares two numbers. [`Ordering::Equal`] is returned only if they certainly are equal.
    ///
    /// # Errors
    /// If this is not decided: an exponent e such that the numbers differ by at most 2^e, if one is known.
    fn compare(&self, a: &Self::Number, b: &Self::Number) -> Result<Ordering, Option<i64>>;

    /// Returns bev(pred, ⟨r, r⟩): `None`, since predicates are undefined on equal numbers (A §2).
    fn decide_equal(&self) -> Option<bool> {
        None
    }

    /// Returns a sum, difference, product or quotient, or -a, if it is certainly defined. Returns `None` if
    /// [`NumberSystem::apply_operation`] and [`NumberSystem::compare`] have to find out.
    #[inline]
    fn apply_fast(&self, operation: FastOperation, a: &Self::Number, b: &Self::Number) -> Option<Self::Number> {
        let _ = (operation, a, b);
        None
    }

    /// Returns whether a < b if this is decided without effort. Returns `None` otherwise, and for equal numbers.
    #[inline]
    fn is_less_fast(&self, a: &Self::Number, b: &Self::Number) -> Option<bool> {
        let _ = (a, b);
        None
    }

    /// Returns the approximate memory of a number, in bytes.
    fn memory_bytes(&self) -> usize {
        size_of::<Self::Number>()
    }

    /// Returns the rational number that `number` is; `None` if the representation is not rational.
    fn exact_rational(&self, number: &Self::Number) -> Option<Rational> {
        let _ = number;
        None
    }
}

/// Returns the error for an undecided comparison or condition.
fn undecided_error(operation: impl fmt::Display, agreement: Option<i64>) -> TraceError {
    UndefinedValue { agreement, ..UndefinedValue::of_operation(UndefinedCause::Undecided, operation) }.into()
}

/// An operation, with the edges of its domain converted to one representation.
#[derive(Clone, Debug)]
pub struct PreparedOperation<T> {
    operation: OperationSymbol,
    bounds: Vec<(DomainCondition, T)>,
}

impl<T: Clone + Debug> PreparedOperation<T> {
    /// Prepares an operation for a representation.
    pub fn new<N: NumberSystem<Number = T>>(numbers: &N, operation: &OperationSymbol) -> Self {
        let edge = |bound: DomainCondition| {
            let border = bound.allowed_range.border()?;
            Some((bound, numbers.represent_rational(&Rational::from(border))))
        };
        PreparedOperation {
            operation: operation.clone(),
            bounds: operation.domain_conditions().into_iter().filter_map(edge).collect(),
        }
    }

    /// Returns the operation at numbers. It uses as many of them as it has arguments. The budget ends a function from outside that
    /// does not return.
    ///
    /// # Errors
    /// [`TraceError::Undefined`] outside of Dom(op), which is open, and if it is undecided whether the arguments lie in
    /// it; else as [`NumberSystem::apply_operation`].
    pub fn evaluate_at<N: NumberSystem<Number = T>>(
        &self,
        numbers: &N,
        arguments: [&T; 2],
        budget: &Budget,
    ) -> Result<T, TraceError> {
        let operation = &self.operation;
        for (bound, edge) in &self.bounds {
            let allowed = bound.allowed_range.side_of_border();
            match numbers.compare(arguments[bound.argument], edge) {
                // On a closed edge other semantics have a value, so the cause is the boundary and not the domain.
                Ok(Ordering::Equal) if bound.has_value_at_edge => {
                    return Err(UndefinedValue::of_operation(UndefinedCause::Boundary, operation).into());
                }
                Ok(Ordering::Equal) => {
                    return Err(UndefinedValue::of_operation(UndefinedCause::Domain, operation).into());
                }
                Ok(side) if allowed != Ordering::Equal && side != allowed => {
                    return Err(UndefinedValue::of_operation(UndefinedCause::Domain, operation).into());
                }
                Ok(_) => {}
                Err(agreement) => return Err(undecided_error(operation, agreement)),
            }
        }
        match operation {
            OperationSymbol::Foreign(id) => numbers.apply_foreign(*id, arguments[0], budget),
            _ => numbers.apply_operation(operation, &arguments[..operation.arity()]),
        }
    }
}

/// Returns ev(op, V), within a budget.
///
/// # Errors
/// As [`PreparedOperation::evaluate_at`]; [`TraceError::Stuck`] if V has another type.
#[doc(alias = "ev")]
pub fn evaluate_operation<N: NumberSystem>(
    numbers: &N,
    operation: &OperationSymbol,
    argument: &CoreValue<N::Number>,
    budget: &Budget,
) -> Result<CoreValue<N::Number>, TraceError> {
    let prepared = PreparedOperation::new(numbers, operation);
    let found = match (operation.arity(), &argument.real_components()[..]) {
        (1, [a]) => prepared.evaluate_at(numbers, [a, a], budget),
        (2, [a, b]) => prepared.evaluate_at(numbers, [a, b], budget),
        (0, []) => numbers.apply_operation(operation, &[]),
        _ => return Err(TraceError::Stuck { construct: "an operation" }),
    };
    found.map(CoreValue::Real)
}

/// Returns bev(pred, V). It is undefined if the two numbers are equal.
///
/// # Errors
/// [`TraceError::Undefined`] for equal numbers, and if the comparison is undecided; [`TraceError::Stuck`] if V is no pair
/// of numbers.
pub fn decide_predicate<N: NumberSystem>(
    numbers: &N,
    predicate: PredicateSymbol,
    argument: &CoreValue<N::Number>,
) -> Result<bool, TraceError> {
    match argument.real_components()[..] {
        [a, b] => decide_comparison(numbers, predicate, [a, b]),
        _ => Err(TraceError::Stuck { construct: "a comparison" }),
    }
}

/// Like [`decide_predicate`], for two numbers.
///
/// # Errors
/// As [`decide_predicate`].
pub fn decide_comparison<N: NumberSystem>(
    numbers: &N,
    predicate: PredicateSymbol,
    [a, b]: [&N::Number; 2],
) -> Result<bool, TraceError> {
    match numbers.compare(a, b) {
        Ok(Ordering::Less) => Ok(predicate == PredicateSymbol::Less),
        Ok(Ordering::Greater) => Ok(predicate == PredicateSymbol::Greater),
        Ok(Ordering::Equal) => numbers
            .decide_equal()
            .ok_or_else(|| UndefinedValue::of_operation(UndefinedCause::Boundary, predicate).into()),
        Err(agreement) => Err(undecided_error(predicate, agreement)),
    }
}

/// Enclosures of real numbers. A decision is certain, and holds for all numbers in the enclosures.
#[derive(Clone, Debug)]
pub struct CertifiedReals<C>(pub C);

impl<C: Context> CertifiedReals<C> {
    /// Returns a^q, as a power of a root; `None` if the exponent is too large.
    fn rational_power(&self, q: &Rational, a: &C::Num) -> Option<C::Num> {
        let c = &self.0;
        let (p, root) = (q.numer().to_i32()?, q.denom().to_u32()?);
        let power = c.power(&if root == 1 { a.clone() } else { c.root(a, root) }, p.unsigned_abs());
        Some(if p < 0 { c.div(&c.enclose_integer(1), &power) } else { power })
    }

    /// Returns the cause for a function of two variables that is not certainly smooth at (a, b).
    fn binary_undefined_cause(&self, f: Planar, a: &C::Num, b: &C::Num) -> UndefinedCause {
        let conditions = f.row().conditions;
        // Only points are certainly excluded: a range may touch the border by lack of precision alone.
        if self.0.region_excludes(conditions.value, &[a, b]) {
            UndefinedCause::Domain
        } else if self.0.region_excludes(conditions.analytic, &[a, b]) {
            UndefinedCause::Boundary
        } else {
            UndefinedCause::Undecided
        }
    }
}

impl<C: Context> NumberSystem for CertifiedReals<C> {
    type Number = C::Num;

    fn represent_rational(&self, q: &Rational) -> C::Num {
        self.0.enclose_rational(q)
    }

    fn add(&self, a: &C::Num, b: &C::Num) -> C::Num {
        self.0.add(a, b)
    }

    fn apply_operation(&self, operation: &OperationSymbol, arguments: &[&C::Num]) -> Result<C::Num, TraceError> {
        let c = &self.0;
        let found = match (operation, arguments) {
            (OperationSymbol::Pi, []) => c.pi(),
            (OperationSymbol::Negate, [a]) => c.neg(a),
            (OperationSymbol::Subtract, [a, b]) => c.sub(a, b),
            (OperationSymbol::Multiply, [a, b]) => c.mul(a, b),
            (OperationSymbol::Divide, [a, b]) => c.div(a, b),
            (OperationSymbol::Power(q), [a]) => {
                let lacks = || TraceError::MissingOperation { numbers: "real numbers", operation: format!("^ ({q})") };
                self.rational_power(q, a).ok_or_else(lacks)?
            }
            (OperationSymbol::Function(f), [a]) => c.apply_function(*f, a),
            (OperationSymbol::BinaryFunction(f), [a, b]) if c.is_smooth_near(*f, a, b) => {
                c.apply_binary_function(*f, a, b)
            }
            (OperationSymbol::BinaryFunction(f), [a, b]) => {
                return Err(UndefinedValue::of_operation(self.binary_undefined_cause(*f, a, b), operation).into());
            }
            _ => return Err(TraceError::Stuck { construct: "an operation" }),
        };
        // An undefined result here is a lack of precision, since the conditions on the arguments hold.
        if c.is_defined(&found) {
            Ok(found)
        } else {
            Err(UndefinedValue::of_operation(UndefinedCause::Undecided, operation).into())
        }
    }

    fn apply_foreign(&self, id: ForeignId, a: &C::Num, budget: &Budget) -> Result<C::Num, TraceError> {
        let found =
            foreign::enclose_foreign(id, &self.0, a, budget).map_err(|error| TraceError::of_foreign(id, error))?;
        if self.0.is_defined(&found) {
            return Ok(found);
        }
        // Its domain is not known, so that a point outside of it is never certain.
        Err(undecided_error(OperationSymbol::Foreign(id), None))
    }

    fn memory_bytes(&self) -> usize {
        // Above 53 bits a number has two endpoints with limbs of their own, of `precision / 8` bytes each, and their
        // headers.
        size_of::<C::Num>() + if self.0.precision() > 53 { self.0.precision() as usize / 4 + 64 } else { 0 }
    }

    #[inline]
    fn apply_fast(&self, operation: FastOperation, a: &C::Num, b: &C::Num) -> Option<C::Num> {
        let c = &self.0;
        let found = match operation {
            FastOperation::Add => c.add(a, b),
            FastOperation::Negate => c.neg(a),
            FastOperation::Subtract => c.sub(a, b),
            FastOperation::Multiply => c.mul(a, b),
            // Whether 0 lies in b is for `compare` to decide, which also names the cause.
            FastOperation::Divide if c.contains_zero(b) => return None,
            FastOperation::Divide => c.div(a, b),
        };
        c.is_defined(&found).then_some(found)
    }

    fn compare(&self, a: &C::Num, b: &C::Num) -> Result<Ordering, Option<i64>> {
        let c = &self.0;
        if c.is_strictly_below(a, b) {
            return Ok(Ordering::Less);
        }
        if c.is_strictly_below(b, a) {
            return Ok(Ordering::Greater);
        }
        // Points that are not apart are equal; wider enclosures that overlap decide nothing.
        if c.is_point(a) && c.is_point(b) {
            return Ok(Ordering::Equal);
        }
        let magnitude = c.magnitude(&c.sub(a, b));
        Err(magnitude.is_finite().then(|| magnitude.floor_log2()))
    }
}

/// Floating-point numbers; each operation rounds to nearest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubles;

impl NumberSystem for Doubles {
    type Number = f64;

    fn represent_rational(&self, q: &Rational) -> f64 {
        nearest_double(q)
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn apply_operation(&self, operation: &OperationSymbol, arguments: &[&f64]) -> Result<f64, TraceError> {
        let found = match (operation, arguments) {
            (OperationSymbol::Pi, []) => std::f64::consts::PI,
            (OperationSymbol::Negate, [a]) => -**a,
            (OperationSymbol::Subtract, [a, b]) => **a - **b,
            (OperationSymbol::Multiply, [a, b]) => **a * **b,
            (OperationSymbol::Divide, [a, b]) => **a / **b,
            (OperationSymbol::Power(q), [a]) => match q.is_integer().then(|| q.numer().to_i32()).flatten() {
                Some(n) => a.powi(n),
                // A root of odd degree of a negative number: its sign follows from the parity of the numerator.
                None if **a < 0.0 => {
                    let sign = if q.numer().is_odd() { -1.0 } else { 1.0 };
                    sign * eval_power_nearest(-**a, nearest_double(q))
                }
                None => eval_power_nearest(**a, nearest_double(q)),
            },
            (OperationSymbol::Function(f), [a]) => eval_nearest(*f, **a),
            (OperationSymbol::BinaryFunction(f), [a, b]) => eval_binary_nearest(*f, **a, **b),
            _ => return Err(TraceError::Stuck { construct: "an operation" }),
        };
        // NaN marks a point outside of the domain, or ∞ - ∞ after an overflow; neither is certain in doubles.
        if found.is_nan() {
            Err(UndefinedValue::of_operation(UndefinedCause::Undecided, operation).into())
        } else {
            Ok(found)
        }
    }

    fn apply_foreign(&self, id: ForeignId, a: &f64, budget: &Budget) -> Result<f64, TraceError> {
        let meaning = foreign::meaning_of(id).map_err(|error| TraceError::of_foreign(id, error))?;
        let found = match meaning.as_function().and_then(|function| function.float_at(*a)) {
            Some(found) => found.map_err(|error| TraceError::of_foreign(id, error))?,
            // Without a function of doubles, the middle of an enclosure is as good a number.
            None => match Rational::from_f64(*a) {
                Some(at) => {
                    let numbers = CertifiedReals(Double);
                    let found = numbers.apply_foreign(id, &Double.enclose_rational(&at), budget)?;
                    Double.to_enclosure(&Double.midpoint(&found)).lo().to_f64()
                }
                None => f64::NAN,
            },
        };
        if found.is_nan() { Err(undecided_error(OperationSymbol::Foreign(id), None)) } else { Ok(found) }
    }

    #[inline]
    fn apply_fast(&self, operation: FastOperation, a: &f64, b: &f64) -> Option<f64> {
        let found = match operation {
            FastOperation::Add => a + b,
            FastOperation::Negate => -a,
            FastOperation::Subtract => a - b,
            FastOperation::Multiply => a * b,
            FastOperation::Divide if *b != 0.0 => a / b,
            FastOperation::Divide => return None,
        };
        (!found.is_nan()).then_some(found)
    }

    #[inline]
    fn is_less_fast(&self, a: &f64, b: &f64) -> Option<bool> {
        if a < b {
            Some(true)
        } else if a > b {
            Some(false)
        } else {
            None
        }
    }

    fn compare(&self, a: &f64, b: &f64) -> Result<Ordering, Option<i64>> {
        a.partial_cmp(b).ok_or(None)
    }
}

/// Doubles as those of [`Doubles`], each with an enclosure of the exact number. A comparison is decided only if it is for all
/// numbers of the enclosures.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoundedDoubles;

/// The enclosures of [`BoundedDoubles`].
const EXACT: CertifiedReals<Double> = CertifiedReals(Double);

/// A double, and an enclosure of the real number for which it stands.
#[derive(Clone, Debug)]
pub struct BoundedDouble {
    value: f64,
    exact: <Double as Context>::Num,
}

impl BoundedDouble {
    /// Returns the double.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Returns a bound of the distance from the double to the exact number, rounded up; +∞ if no bound is known.
    #[must_use]
    pub fn error_bound(&self) -> f64 {
        // An infinite double is no interval of doubles, and its bound is infinite.
        let value = Double::interval_between(self.value, self.value);
        Double.magnitude(&Double.sub(&self.exact, &value)).to_f64()
    }
}

impl fmt::Display for BoundedDouble {
    /// Writes `value ± error`. The double has the digits that tell it from others, the bound two digits, rounded up.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.error_bound();
        // Printing rounds to nearest, which may be below a bound.
        let nearest = format!("{error:.1e}");
        let is_below = nearest.parse::<f64>().is_ok_and(|printed| printed < error);
        // one unit of the second digit more
        let above = || {
            let (_, exponent) = nearest.split_once('e')?;
            let unit = format!("1e{}", exponent.parse::<i32>().ok()? - 1).parse::<f64>().ok()?;
            Some(format!("{:.1e}", nearest.parse::<f64>().ok()? + unit))
        };
        let printed = if is_below { above().unwrap_or_else(|| error.to_string()) } else { nearest };
        match error {
            0.0 => write!(f, "{} ± 0", self.value),
            _ if error.is_finite() => write!(f, "{} ± {printed}", self.value),
            _ => write!(f, "{} ± inf", self.value),
        }
    }
}

impl NumberSystem for BoundedDoubles {
    type Number = BoundedDouble;

    fn represent_rational(&self, q: &Rational) -> BoundedDouble {
        BoundedDouble { value: Doubles.represent_rational(q), exact: EXACT.represent_rational(q) }
    }

    fn add(&self, a: &BoundedDouble, b: &BoundedDouble) -> BoundedDouble {
        BoundedDouble { value: Doubles.add(&a.value, &b.value), exact: EXACT.add(&a.exact, &b.exact) }
    }

    fn apply_operation(
        &self,
        operation: &OperationSymbol,
        arguments: &[&BoundedDouble],
    ) -> Result<BoundedDouble, TraceError> {
        let values: Vec<&f64> = arguments.iter().map(|a| &a.value).collect();
        let exact: Vec<_> = arguments.iter().map(|a| &a.exact).collect();
        let exact = EXACT.apply_operation(operation, &exact)?;
        Ok(BoundedDouble { value: Doubles.apply_operation(operation, &values)?, exact })
    }

    fn apply_foreign(&self, id: ForeignId, a: &BoundedDouble, budget: &Budget) -> Result<BoundedDouble, TraceError> {
        let exact = EXACT.apply_foreign(id, &a.exact, budget)?;
        Ok(BoundedDouble { value: Doubles.apply_foreign(id, &a.value, budget)?, exact })
    }

    #[inline]
    fn apply_fast(&self, operation: FastOperation, a: &BoundedDouble, b: &BoundedDouble) -> Option<BoundedDouble> {
        let exact = EXACT.apply_fast(operation, &a.exact, &b.exact)?;
        Some(BoundedDouble { value: Doubles.apply_fast(operation, &a.value, &b.value)?, exact })
    }

    fn compare(&self, a: &BoundedDouble, b: &BoundedDouble) -> Result<Ordering, Option<i64>> {
        let decided = EXACT.compare(&a.exact, &b.exact)?;
        // The double of a function from outside may lie anywhere: then the branch is that of another number.
        if a.value.partial_cmp(&b.value) == Some(decided) { Ok(decided) } else { Err(None) }
    }
}

/// Rational numbers whose numerator and denominator have a bounded number of bits.
#[derive(Clone, Copy, Debug)]
pub struct Rationals {
    /// The largest number of bits of a numerator or denominator. The default 2¹⁶ is a choice: it bounds time per
    /// operation.
    pub max_bits: u32,
}

impl Default for Rationals {
    fn default() -> Self {
        Rationals { max_bits: 1 << 16 }
    }
}

impl Rationals {
    /// Checks the number of bits of a result.
    fn check_bits(self, q: Rational) -> Result<Rational, TraceError> {
        if q.numer().significant_bits().max(q.denom().significant_bits()) <= self.max_bits {
            return Ok(q);
        }
        let what = format!("a rational number grew beyond {} bits", self.max_bits);
        Err(UndefinedValue::of_operation(UndefinedCause::Fuel, what).into())
    }
}

impl NumberSystem for Rationals {
    type Number = Rational;

    fn represent_rational(&self, q: &Rational) -> Rational {
        q.clone()
    }

    fn add(&self, a: &Rational, b: &Rational) -> Rational {
        Rational::from(a + b)
    }

    fn apply_operation(&self, operation: &OperationSymbol, arguments: &[&Rational]) -> Result<Rational, TraceError> {
        let found = match (operation, arguments) {
            (OperationSymbol::Negate, [a]) => Rational::from(-*a),
            (OperationSymbol::Subtract, [a, b]) => Rational::from(*a - *b),
            (OperationSymbol::Multiply, [a, b]) => Rational::from(*a * *b),
            (OperationSymbol::Divide, [a, b]) => Rational::from(*a / *b),
            (OperationSymbol::Power(q), [a]) if q.is_integer() => match q.numer().to_i32() {
                // aⁿ has n times the bits of a, or down to half as many (a = 2), so the bound is doubled.
                Some(n)
                    if u64::from(a.numer().significant_bits().max(a.denom().significant_bits()))
                        * u64::from(n.unsigned_abs())
                        <= 2 * u64::from(self.max_bits) =>
                {
                    integer_power(a, n)
                }
                // Too large to be computed: a number of too many bits stands for it, which gives the same error.
                _ => return self.check_bits(Rational::from(1) << self.max_bits),
            },
            _ => {
                return Err(TraceError::MissingOperation {
                    numbers: "rational numbers",
                    operation: operation.to_string(),
                });
            }
        };
        self.check_bits(found)
    }

    fn compare(&self, a: &Rational, b: &Rational) -> Result<Ordering, Option<i64>> {
        Ok(a.cmp(b))
    }

    fn exact_rational(&self, number: &Rational) -> Option<Rational> {
        Some(number.clone())
    }
}

/// Returns aⁿ, by repeated squaring. If n is negative, a must not be 0.
fn integer_power(a: &Rational, n: i32) -> Rational {
    let mut square = if n < 0 { a.clone().recip() } else { a.clone() };
    let (mut product, mut rest) = (Rational::from(1), n.unsigned_abs());
    while rest > 0 {
        if rest % 2 == 1 {
            product *= &square;
        }
        rest /= 2;
        // The last square is not needed, and is the most expensive.
        if rest > 0 {
            square.square_mut();
        }
    }
    product
}

/// The representation of real numbers by centred forms on one box.
#[derive(Clone, Debug)]
pub struct CentredForms<C: Context> {
    numbers: CertifiedReals<C>,
    /// For each input, the range of its distance from the centre.
    deviations: Vec<C::Num>,
}

/// A centred form: a number that depends on the inputs.
#[derive(Clone, Debug)]
pub struct CentredForm<N> {
    /// An enclosure of all values on the box.
    range: N,
    /// An enclosure of the value at the centre.
    centre: N,
    /// Enclosures of the partial derivatives on the whole box, one per input. Empty for a constant.
    slopes: Vec<N>,
}

impl<C: Context> CentredForms<C> {
    /// Makes the representation for a box, and the inputs, of type `ty`, that range over it. Returns `None` if the box
    /// has too few numbers for the type.
    pub fn box_inputs(context: &C, ty: &CoreTy, over: &CoreValue<C::Num>) -> Option<CentredInput<C>> {
        let numbers = CertifiedReals(context.clone());
        let ranges = over.real_components();
        let centres: Vec<_> = ranges.iter().map(|range| context.midpoint(range)).collect();
        let n = centres.len();
        let moves = centres.iter().zip(&ranges).map(|(centre, range)| context.sub(range, centre)).collect();
        let unit = |i: usize| (0..n).map(|j| context.enclose_integer(i64::from(i == j))).collect();
        let moving = centres.iter().zip(&ranges).enumerate().map(|(i, (centre, range))| CentredForm {
            range: (*range).clone(),
            centre: centre.clone(),
            slopes: unit(i),
        });
        let value = CoreValue::from_reals(ty, &mut moving.collect::<Vec<_>>().into_iter())?;
        Some((CentredForms { numbers, deviations: moves }, value))
    }

    /// Returns the enclosure of a number by the mean value theorem.
    fn mean_value(&self, centre: &C::Num, slopes: &[C::Num]) -> C::Num {
        let c = &self.numbers.0;
        slopes.iter().zip(&self.deviations).fold(centre.clone(), |sum, (slope, by)| c.add(&sum, &c.mul(slope, by)))
    }

    /// Makes a centred form whose range is intersected with the mean value enclosure.
    fn narrowed_form(&self, range: C::Num, centre: C::Num, slopes: Vec<C::Num>) -> CentredForm<C::Num> {
        // Disjoint enclosures would mean that there is no value; then the range stays as it is.
        let narrower = self.numbers.0.intersect(&range, &self.mean_value(&centre, &slopes));
        CentredForm { range: narrower.unwrap_or(range), centre, slopes }
    }

    /// Returns the linear combination of slope vectors with these factors; missing entries are 0.
    fn combine_slopes(&self, parts: &[(&C::Num, &[C::Num])]) -> Vec<C::Num> {
        let c = &self.numbers.0;
        let longest = parts.iter().map(|(_, slopes)| slopes.len()).max().unwrap_or(0);
        let at = |i: usize| {
            let terms = parts.iter().filter_map(|(factor, slopes)| Some(c.mul(factor, slopes.get(i)?)));
            terms.fold(c.enclose_integer(0), |sum, term| c.add(&sum, &term))
        };
        (0..longest).map(at).collect()
    }

    /// Returns the partial derivatives of an operation at arguments, where it has the value y.
    fn partial_derivatives(
        &self,
        operation: &OperationSymbol,
        x: &[&C::Num],
        y: &C::Num,
    ) -> Result<Vec<C::Num>, TraceError> {
        let c = &self.numbers.0;
        Ok(match (operation, x) {
            (OperationSymbol::Negate, _) => vec![c.enclose_integer(-1)],
            (OperationSymbol::Subtract, _) => vec![c.enclose_integer(1), c.enclose_integer(-1)],
            (OperationSymbol::Multiply, [a, b]) => vec![(*b).clone(), (*a).clone()],
            (OperationSymbol::Divide, [_, b]) => vec![c.div(&c.enclose_integer(1), b), c.neg(&c.div(y, b))],
            // As in [`OperationSymbol::pullback`]: x⁰ has the slope 0, also at 0.
            (OperationSymbol::Power(q), _) if *q == 0 => vec![c.enclose_integer(0)],
            (OperationSymbol::Power(q), [a]) => {
                let power = self.numbers.apply_operation(&OperationSymbol::Power(Rational::from(q - 1)), &[*a])?;
                vec![c.mul(&c.enclose_rational(q), &power)]
            }
            (OperationSymbol::Function(f), _) => vec![c.eval_formula(&f.slope_formula(), x, y)],
            (OperationSymbol::BinaryFunction(f), _) => {
                f.slope_formulas().iter().map(|slope| c.eval_formula(slope, x, y)).collect()
            }
            _ => Vec::new(),
        })
    }
}

/// The representation for a box, and the inputs that range over it.
type CentredInput<C> = (CentredForms<C>, CoreValue<CentredForm<<C as Context>::Num>>);

impl<C: Context> NumberSystem for CentredForms<C> {
    type Number = CentredForm<C::Num>;

    fn represent_rational(&self, q: &Rational) -> CentredForm<C::Num> {
        let value = self.numbers.represent_rational(q);
        CentredForm { range: value.clone(), centre: value, slopes: Vec::new() }
    }

    fn add(&self, a: &CentredForm<C::Num>, b: &CentredForm<C::Num>) -> CentredForm<C::Num> {
        let (c, one) = (&self.numbers.0, self.numbers.0.enclose_integer(1));
        let slopes = self.combine_slopes(&[(&one, &a.slopes), (&one, &b.slopes)]);
        self.narrowed_form(c.add(&a.range, &b.range), c.add(&a.centre, &b.centre), slopes)
    }

    fn apply_operation(
        &self,
        operation: &OperationSymbol,
        arguments: &[&CentredForm<C::Num>],
    ) -> Result<CentredForm<C::Num>, TraceError> {
        let ranges: Vec<_> = arguments.iter().map(|x| &x.range).collect();
        let centres: Vec<_> = arguments.iter().map(|x| &x.centre).collect();
        let range = self.numbers.apply_operation(operation, &ranges)?;
        let centre = self.numbers.apply_operation(operation, &centres)?;
        // Constants have no slopes to propagate, and their partial derivatives may be undefined.
        let partials = match arguments.iter().all(|x| x.slopes.is_empty()) {
            true => Vec::new(),
            false => self.partial_derivatives(operation, &ranges, &range)?,
        };
        let parts: Vec<_> = partials.iter().zip(arguments).map(|(slope, x)| (slope, &x.slopes[..])).collect();
        let slopes = self.combine_slopes(&parts);
        Ok(self.narrowed_form(range, centre, slopes))
    }

    fn apply_foreign(
        &self,
        id: ForeignId,
        a: &CentredForm<C::Num>,
        budget: &Budget,
    ) -> Result<CentredForm<C::Num>, TraceError> {
        let at = |x: &C::Num| self.numbers.apply_foreign(id, x, budget);
        let (range, centre) = (at(&a.range)?, at(&a.centre)?);
        if a.slopes.is_empty() {
            return Ok(CentredForm { range, centre, slopes: Vec::new() });
        }
        let (x, slope) = slope_program(id).map_err(|reason| {
            TraceError::of_foreign(id, ValueError::of_foreign(Constant::Foreign(id).name(), reason))
        })?;
        let environment = CoreEnvironment::of_variable(&x, CoreValue::Real(a.range.clone()));
        let evaluator = TraceEvaluator::new(&self.numbers).with_budget(budget);
        let slope = evaluator.evaluate_ordinary(&FunctionEnvironment::default(), &environment, &slope)?;
        let CoreValue::Real(slope) = slope else { return Err(TraceError::Stuck { construct: "a slope" }) };
        let slopes = self.combine_slopes(&[(&slope, &a.slopes)]);
        Ok(self.narrowed_form(range, centre, slopes))
    }

    fn compare(&self, a: &CentredForm<C::Num>, b: &CentredForm<C::Num>) -> Result<Ordering, Option<i64>> {
        let c = &self.numbers.0;
        // The difference of centred forms is narrower than the ranges if both depend on the same inputs.
        self.numbers.compare(&a.range, &b.range).or_else(|agreement| {
            let (one, minus) = (c.enclose_integer(1), c.enclose_integer(-1));
            let slopes = self.combine_slopes(&[(&one, &a.slopes), (&minus, &b.slopes)]);
            match c.sign(&self.mean_value(&c.sub(&a.centre, &b.centre), &slopes)) {
                Sign::Positive => Ok(Ordering::Greater),
                Sign::Negative => Ok(Ordering::Less),
                Sign::Undecided => Err(agreement),
            }
        })
    }
}
