//! The sign of a real number, as far as it can be decided.
//!
//! A narrow enough enclosure shows that a number is positive, or that it is negative. It never shows that the number is 0, unless
//! the enclosure is the point 0. So a query may have no answer. It ends by its budget, or when enclosures get no narrower.

use super::Rational;
use super::budget::Budget;
use super::context::Sign;
use super::enclosure::Enclosure;
use super::real::{ComputableReal, RefinableReal, RefinedEnclosure};

/// The answer to a query for a sign.
#[derive(Clone, Debug)]
pub struct SignAnswer {
    /// The sign; undecided for 0, for a set that contains 0, and if nothing is known.
    pub sign: Sign,
    /// The enclosure that decides the sign, or the last one.
    pub answer: RefinedEnclosure,
}

/// The largest exponent of the widths 2⁻⁴, 2⁻¹⁶, …, 2⁻⁴⁰⁹⁶ that are tried. A choice.
const FINEST: u32 = 1 << 12;

impl SignAnswer {
    /// Returns an undecided answer, if there was no time to compute.
    #[must_use]
    pub fn undecided() -> Self {
        Self { sign: Sign::Undecided, answer: RefinedEnclosure::unknown() }
    }
}

impl Enclosure {
    /// Returns the sign of every number in the enclosure, if it is certainly defined and they have the same sign; else undecided.
    #[must_use]
    pub fn sign(&self) -> Sign {
        match self.is_defined() {
            true if *self.lo() > 0 => Sign::Positive,
            true if *self.hi() < 0 => Sign::Negative,
            _ => Sign::Undecided,
        }
    }
}

impl<A: ComputableReal> RefinableReal<A> {
    /// Returns the sign, by enclosures of smaller and smaller width.
    ///
    /// # Errors
    /// Those of [`RefinableReal::enclose`].
    pub fn decide_sign(&self, budget: &Budget) -> Result<SignAnswer, A::Error> {
        let mut exponent = 4;
        loop {
            let answer = self.enclose(&(Rational::from(1) >> exponent), budget)?;
            let sign = answer.enclosure.sign();
            let is_zero = answer.enclosure.is_point();
            if sign != Sign::Undecided || is_zero || !answer.reached || exponent >= FINEST {
                return Ok(SignAnswer { sign, answer });
            }
            // The digits quadruple: the last query takes most of the time, and little is lost if an early one decides.
            exponent *= 4;
        }
    }
}
