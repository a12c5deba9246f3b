//! Exact arithmetic of rational numbers: every comparison is decided, and irrational numbers are missing.
//!
//! A number is a fraction of a bounded number of bits, or ⊥. Results of elementary functions, of divisions by 0, and fractions
//! that grew too long are ⊥. So a value other than ⊥ is the number itself, and two of them are compared for certain.

use super::arithmetic::{Context, Extension, Function, Planar, Sign};
use super::budget::Budget;
use super::elementary::exceeds_minus_inverse_e;
use super::enclosure::Enclosure;
use super::foreign::ExtensionFault;
use super::magnitude::Magnitude;
use crate::function::{PowerKind, Region, TestedQuantity};
use rug::float::Round;
use rug::ops::Pow;
use rug::{Float, Rational};
use std::cmp::Ordering;

/// The context of rational numbers.
///
/// ```
/// use smoothish_number::number::{Context, Exact, Rational};
/// let c = Exact::default();
/// let third = c.div(&c.enclose_integer(1), &c.enclose_integer(3));
/// assert_eq!(c.mul(&third, &c.enclose_integer(3)), Some(Rational::from(1)));
/// assert_eq!(c.div(&third, &c.enclose_integer(0)), c.bottom());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The most bits of numerator and denominator.
    pub bits: u32,
}

impl Default for Exact {
    fn default() -> Self {
        Self { bits: 1 << 16 }
    }
}

impl Region {
    /// Returns `true` if rational arguments belong to the region. A missing argument counts as 0.
    #[must_use]
    pub fn contains_rationals(self, arguments: &[&Rational]) -> bool {
        let at = |index: usize| arguments.get(index).map_or_else(Rational::new, |q| (*q).clone());
        self.is_satisfied(|condition| {
            let q = match condition.quantity {
                TestedQuantity::First => at(0),
                TestedQuantity::Second => at(1),
                TestedQuantity::Difference => at(0) - at(1),
            };
            condition.set.contains_rational(
                |e| q.cmp(&Rational::from(e)),
                || exceeds_minus_inverse_e(|bound| q > *bound),
                || q.is_integer(),
            )
        })
    }
}

impl PowerKind {
    /// Returns the kind of a power, by its exponent.
    #[must_use]
    pub fn of_exponent(exponent: &Rational) -> Self {
        let denominator = exponent.denom();
        Self::of_signs(*exponent < 0, *denominator == 1, denominator.is_even())
    }
}

/// The precision in bits at which a fraction is converted to an enclosure. A choice.
const ENCLOSURE_BITS: u32 = 4096;

/// Returns the larger size in bits of numerator and denominator.
fn bit_size(q: &Rational) -> u32 {
    q.numer().significant_bits().max(q.denom().significant_bits())
}

impl Exact {
    /// Returns the fraction, or ⊥ if it is too long.
    fn bottom_if_long(self, q: Rational) -> Option<Rational> {
        (bit_size(&q) <= self.bits).then_some(q)
    }

    /// Applies an operation to two fractions; ⊥ if an argument is ⊥ or the result is too long.
    fn map_two(
        self,
        a: Option<&Rational>,
        b: Option<&Rational>,
        f: impl Fn(&Rational, &Rational) -> Rational,
    ) -> Option<Rational> {
        self.bottom_if_long(f(a?, b?))
    }

    /// Compares two fractions; `None` if one is ⊥.
    fn compare_known(a: Option<&Rational>, b: Option<&Rational>) -> Option<Ordering> {
        Some(a?.cmp(b?))
    }
}

impl Context for Exact {
    type Num = Option<Rational>;

    // A nominal value, as fractions are exact: some more than a double has.
    fn precision(&self) -> u32 {
        64
    }
    fn finer_context(&self) -> Option<Self> {
        None
    }

    fn enclose_integer(&self, n: i64) -> Self::Num {
        Some(Rational::from(n))
    }
    fn enclose_rational(&self, q: &Rational) -> Self::Num {
        self.bottom_if_long(q.clone())
    }
    fn pi(&self) -> Self::Num {
        None
    }
    fn enclose_euler(&self) -> Self::Num {
        None
    }
    fn bottom(&self) -> Self::Num {
        None
    }
    fn round_enclosure(&self, e: &Enclosure) -> Self::Num {
        // A proper interval has no representation here.
        if e.is_point() && e.is_defined() { self.bottom_if_long(e.lo().to_rational()?) } else { None }
    }

    fn to_enclosure(&self, x: &Self::Num) -> Enclosure {
        let Some(q) = x else { return Enclosure::bottom() };
        let end = |round| Float::with_val_round(ENCLOSURE_BITS, q, round).0;
        Enclosure::new(end(Round::Down), end(Round::Up), true).unwrap_or_else(|_| Enclosure::bottom())
    }
    fn is_defined(&self, x: &Self::Num) -> bool {
        x.is_some()
    }
    fn mark_undefined(&self, _: Self::Num) -> Self::Num {
        None
    }
    fn mark_defined(&self, x: Self::Num) -> Self::Num {
        x
    }
    fn sign(&self, x: &Self::Num) -> Sign {
        match x.as_ref().map(Rational::cmp0) {
            Some(Ordering::Greater) => Sign::Positive,
            Some(Ordering::Less) => Sign::Negative,
            _ => Sign::Undecided,
        }
    }
    fn contains_zero(&self, x: &Self::Num) -> bool {
        x.as_ref().is_none_or(Rational::is_zero)
    }
    fn is_nonnegative(&self, x: &Self::Num) -> bool {
        x.as_ref().is_some_and(|q| *q >= 0)
    }
    fn is_bounded(&self, x: &Self::Num) -> bool {
        x.is_some()
    }
    fn is_point(&self, x: &Self::Num) -> bool {
        x.is_some()
    }
    fn width(&self, x: &Self::Num) -> Magnitude {
        if x.is_some() { Magnitude::ZERO } else { Magnitude::INFINITY }
    }
    fn magnitude(&self, x: &Self::Num) -> Magnitude {
        x.as_ref().map_or(Magnitude::INFINITY, |q| Magnitude::from_rational(&q.clone().abs()))
    }
    fn lower(&self, x: &Self::Num) -> Option<Self::Num> {
        x.clone().map(Some)
    }
    fn upper(&self, x: &Self::Num) -> Option<Self::Num> {
        x.clone().map(Some)
    }
    fn midpoint(&self, x: &Self::Num) -> Self::Num {
        Some(x.clone().unwrap_or_default())
    }
    fn contains(&self, a: &Self::Num, b: &Self::Num) -> bool {
        a.is_none() || a == b
    }
    fn is_strictly_below(&self, a: &Self::Num, b: &Self::Num) -> bool {
        Self::compare_known(a.as_ref(), b.as_ref()) == Some(Ordering::Less)
    }

    fn hull(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        if a == b { a.clone() } else { None }
    }
    fn intersect(&self, a: &Self::Num, b: &Self::Num) -> Option<Self::Num> {
        match (a, b) {
            (Some(p), Some(q)) => (p == q).then(|| a.clone()),
            _ => Some(a.clone().or_else(|| b.clone())),
        }
    }

    fn add(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        self.map_two(a.as_ref(), b.as_ref(), |a, b| Rational::from(a + b))
    }
    fn sub(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        self.map_two(a.as_ref(), b.as_ref(), |a, b| Rational::from(a - b))
    }
    fn mul(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        self.map_two(a.as_ref(), b.as_ref(), |a, b| Rational::from(a * b))
    }
    fn div(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        let b = b.as_ref().filter(|b| !b.is_zero());
        self.map_two(a.as_ref(), b, |a, b| Rational::from(a / b))
    }
    fn neg(&self, a: &Self::Num) -> Self::Num {
        Some(Rational::from(-a.as_ref()?))
    }
    fn mul_integer(&self, a: &Self::Num, n: i64) -> Self::Num {
        self.mul(a, &self.enclose_integer(n))
    }
    fn div_integer(&self, a: &Self::Num, n: u64) -> Self::Num {
        self.div(a, &Some(Rational::from(n)))
    }
    fn square(&self, a: &Self::Num) -> Self::Num {
        self.power(a, 2)
    }
    fn power(&self, a: &Self::Num, n: u32) -> Self::Num {
        let a = a.as_ref()?;
        // The size is estimated before the power is computed, which might fill the memory. Powers of 0, 1 and -1 stay short.
        let bits =
            if a.clone().abs() <= 1 && a.is_integer() { 1 } else { u64::from(bit_size(a)).saturating_mul(n.into()) };
        // Twice the limit, since the estimate may be too large; `bottom_if_long` decides.
        if bits > 2 * u64::from(self.bits) { None } else { self.bottom_if_long(Rational::from(a.pow(n))) }
    }
    fn root(&self, a: &Self::Num, n: u32) -> Self::Num {
        if n == 1 { a.clone() } else { None }
    }
    fn apply_function(&self, _: Function, _: &Self::Num) -> Self::Num {
        None
    }
    fn meets_domain_end(&self, _: Function, _: &Self::Num) -> bool {
        false
    }
    fn apply_binary_function(&self, _: Planar, _: &Self::Num, _: &Self::Num) -> Self::Num {
        None
    }
    fn region_contains(&self, region: Region, arguments: &[&Self::Num]) -> bool {
        let known: Option<Vec<_>> = arguments.iter().map(|x| x.as_ref()).collect();
        known.is_some_and(|known| region.contains_rationals(&known))
    }
    fn abs(&self, a: &Self::Num) -> Self::Num {
        a.clone().map(Rational::abs)
    }
    fn max(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        if Self::compare_known(a.as_ref(), b.as_ref())? == Ordering::Less { b.clone() } else { a.clone() }
    }
    fn min(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        if Self::compare_known(a.as_ref(), b.as_ref())? == Ordering::Less { a.clone() } else { b.clone() }
    }
    fn apply_extension(&self, _: &dyn Extension, _: &[Self::Num]) -> Self::Num {
        None
    }
    fn try_extension(&self, _: &dyn Extension, _: &[Self::Num], _: &Budget) -> Result<Self::Num, ExtensionFault> {
        Ok(None)
    }
    fn signum(&self, a: &Self::Num) -> Self::Num {
        match self.sign(a) {
            Sign::Positive => self.enclose_integer(1),
            Sign::Negative => self.enclose_integer(-1),
            Sign::Undecided => None,
        }
    }
}
