//! The sign of a real number, as far as it can be decided.
//!
//! That a number is positive, or that it is negative, shows in an enclosure that is narrow enough; that it is 0 never does,
//! unless the enclosure is the point 0. So the question may have no answer, and ends by its budget, or where enclosures get no
//! narrower.

use super::Rational;
use super::budget::Budget;
use super::context::Sign;
use super::enclosure::Enclosure;
use super::real::{Approximation, Real, Refined};

/// What asking for a sign gives.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The sign; undecided for 0, for a set that holds 0, and where nothing is known.
    pub sign: Sign,
    /// The enclosure that shows it, or the last one.
    pub answer: Refined,
}

/// The widths asked for are 2⁻⁴, 2⁻¹⁶, …, at last 2 to the negative of this.
const FINEST: u32 = 1 << 12;

impl Comparison {
    /// Undecided, where nothing was asked.
    #[must_use]
    pub fn unknown() -> Self {
        Self { sign: Sign::Undecided, answer: Refined::unknown() }
    }
}

impl Enclosure {
    /// The sign of every number in the enclosure, where it is certainly defined and they have one.
    #[must_use]
    pub fn sign(&self) -> Sign {
        match self.is_defined() {
            true if *self.lo() > 0 => Sign::Positive,
            true if *self.hi() < 0 => Sign::Negative,
            _ => Sign::Undecided,
        }
    }
}

impl<A: Approximation> Real<A> {
    /// The sign, by enclosures of smaller and smaller width.
    ///
    /// # Errors
    /// Those of [`Real::enclose`].
    pub fn sign(&self, budget: &Budget) -> Result<Comparison, A::Error> {
        let mut exponent = 4;
        loop {
            let answer = self.enclose(&(Rational::from(1) >> exponent), budget)?;
            let sign = answer.enclosure.sign();
            let is_zero = answer.enclosure.is_point();
            if sign != Sign::Undecided || is_zero || !answer.reached || exponent >= FINEST {
                return Ok(Comparison { sign, answer });
            }
            exponent *= 4;
        }
    }
}
