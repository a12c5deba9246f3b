//! How accurately a number is asked for: to a width, to a width relative to its size, or to either of them.
//!
//! | asked for | an enclosure `[lo, hi]` of x is accurate enough where |
//! |---|---|
//! | [`Accuracy::within`] eps | hi - lo ≤ eps |
//! | [`Accuracy::relative`] rel | hi - lo ≤ rel·min{\|y\| : y ∈ [lo, hi]}, which is rel·\|x\| at most |
//! | [`Accuracy::digits`] n | the same for rel = 10⁻ⁿ: each number of it is x but for less than a unit of the n-th digit of x |
//! | both | one of them holds |
//!
//! What counts is what is printed. Of 0 no relative width is 0, save that of the point: a relative accuracy alone is reached for 0
//! where the enclosure is `[0, 0]` alone. That a number is 0 is not found out by narrowing; so one that is below 2⁻¹⁰²⁴
//! and may be 0 is not narrowed any further for a relative width, nor is any number below 2^-2²¹. A number beyond 2^±2²¹ is judged
//! as any other: by the digits and the exponents of what is printed.

use super::decimal::{self, Decimals};
use super::enclosure::Enclosure;
use super::magnitude::Magnitude;
use super::width::Width;
use rug::float::Round;
use rug::ops::Pow;
use rug::{Float, Integer, Rational};

/// How accurately a number is asked for; see the [module](self).
///
/// ```
/// use smoothish_number::number::{Accuracy, Enclosure, Rational};
/// use rug::Float;
/// let found = Enclosure::new(Float::with_val(53, 1e30), Float::with_val(53, 1.0001e30), true).unwrap();
/// assert!(Accuracy::relative(Rational::from((1, 1000))).admits(&found));
/// assert!(Accuracy::digits(3).admits(&found) && !Accuracy::digits(5).admits(&found));
/// assert!(!Accuracy::from(Rational::from(1)).admits(&found));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accuracy {
    absolute: Option<Rational>,
    relative: Option<Rational>,
}

/// The largest binary exponent of a size, and minus the least.
const LARGEST: i32 = 1 << 21;
/// A number below 2 to this power that may be 0 is not narrowed further.
const SMALL: i64 = -1024;
/// While a number may be 0, it is asked for to 2 to this power of its largest size, at least.
const STEP: u32 = 20;

impl Accuracy {
    /// To a width of `eps > 0`.
    #[must_use]
    pub fn within(eps: Rational) -> Self {
        Self { absolute: Some(eps), relative: None }
    }

    /// To a width of `rel > 0` times the size of the number.
    #[must_use]
    pub fn relative(rel: Rational) -> Self {
        Self { absolute: None, relative: Some(rel) }
    }

    /// To so many significant digits.
    #[must_use]
    pub fn digits(n: u32) -> Self {
        Self::relative(Rational::from((1, Integer::from(10).pow(n))))
    }

    /// The same, or to a width of `eps > 0`.
    #[must_use]
    pub fn or_within(self, eps: Rational) -> Self {
        Self { absolute: Some(eps), ..self }
    }

    /// The width that is enough, if there is one.
    #[must_use]
    pub fn eps(&self) -> Option<&Rational> {
        self.absolute.as_ref()
    }

    /// Whether a size of the number matters.
    #[must_use]
    pub fn is_relative(&self) -> bool {
        self.relative.is_some()
    }

    /// Whether every tolerance is positive, and there is one.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.finest() > 0
    }

    /// The smallest of its tolerances; 0 where it has none.
    #[must_use]
    pub fn finest(&self) -> Rational {
        self.absolute.iter().chain(&self.relative).min().cloned().unwrap_or_default()
    }

    /// Whether an enclosure, as it is printed, is accurate enough. Whether its number exists is another question.
    #[must_use]
    pub fn admits(&self, found: &Enclosure) -> bool {
        let may_be_zero = self.absolute.is_none() && found.contains(&Rational::new()) && !found.is_point();
        if may_be_zero {
            return false;
        }
        match self.relative.as_ref().filter(|_| is_extreme(found)) {
            None => decimal::is_printed_within(found, &self.width_for(found)),
            Some(rel) => {
                let printed = self.decimals(found);
                self.admits_width(found) || Width::is_part(printed.lo(), printed.hi(), rel)
            }
        }
    }

    /// Whether a width is asked for, and this enclosure is no wider as it is printed for it.
    fn admits_width(&self, found: &Enclosure) -> bool {
        self.absolute.as_ref().is_some_and(|eps| decimal::is_printed_within(found, eps))
    }

    /// The ends of an enclosure as they are printed where so much is asked for.
    #[must_use]
    pub fn decimals(&self, found: &Enclosure) -> Decimals {
        match (&self.absolute, self.relative.as_ref().filter(|_| is_extreme(found))) {
            (Some(eps), Some(_)) if self.admits_width(found) => found.decimals(eps),
            (_, Some(rel)) => Decimals::of_part(found, rel),
            (_, None) => found.decimals(&self.width_for(found)),
        }
    }

    /// How wide an enclosure of this number may be, > 0. Where that cannot be said of a number that may be 0, or is
    /// below 2^-2²¹, a width to print it with; beyond 2^2²¹ it may be wider.
    #[must_use]
    pub fn width_for(&self, found: &Enclosure) -> Rational {
        let relative = self.relative.as_ref().map(|rel| rel * least(found)).filter(|width| *width > 0);
        match (self.absolute.clone(), relative) {
            (Some(eps), Some(width)) => eps.max(width),
            (Some(eps), None) => eps,
            (None, Some(width)) => width,
            (None, None) => {
                self.relative.as_ref().map(|rel| rel * most(found)).filter(|width| *width > 0).unwrap_or_else(unit)
            }
        }
    }

    /// The width that is asked for next, of a number of which so much is known: it is not much less than is needed.
    pub fn aim(&self, known: &Enclosure) -> Rational {
        let relative = self.relative.as_ref().map(|rel| {
            if !known.is_bounded() {
                return rel.clone().min(Rational::from(1));
            }
            let (least, most) = (least(known), most(known));
            if Rational::from(&least * 2) >= most {
                return rel * least;
            }
            // its size is not known yet: this much is needed at least
            rel.clone().min(Rational::from((1, 1u32 << STEP))) * most
        });
        let width = self.absolute.iter().chain(&relative).max().cloned().unwrap_or_else(unit);
        if width > 0 { width } else { unit() }
    }

    /// Whether to stop at an enclosure that was found with so many bits, since its number seems to be 0.
    #[must_use]
    pub fn gives_up(&self, found: &Enclosure, bits: u32) -> bool {
        let small = || Magnitude::from_float(found.lo()).max(Magnitude::from_float(found.hi())).log2() < SMALL;
        self.absolute.is_none() && bits > 53 && found.contains(&Rational::new()) && small()
    }

    /// A number of bits with which a number about 1 is accurate enough, but for rounding.
    #[must_use]
    pub fn bits(&self) -> u32 {
        u32::try_from(-Magnitude::from_rational(&self.finest()).log2()).unwrap_or(0)
    }
}

/// The width of an enclosure as a part of the least size in it, rounded up; `None` where it may be 0, or is not bounded.
#[must_use]
pub fn relative_width(found: &Enclosure) -> Option<Width> {
    if found.is_point() {
        return Some(Width::between("0", "0"));
    }
    let nearest = nearest(found).filter(|_| found.is_bounded())?;
    let width = Float::with_val_round(64, found.hi() - found.lo(), Round::Up).0;
    let size = Float::with_val_round(64, nearest, Round::Zero).0.abs();
    let part = Float::with_val_round(64, &width / &size, Round::Up).0;
    Some(Width::between("0", &part.to_string_radix_round(10, Some(4), Round::Up)))
}

/// A width where nothing says which.
fn unit() -> Rational {
    Rational::from((1, 1_000_000_000_000_000u64))
}

/// The number in an enclosure that is nearest to 0, unless that is 0.
fn nearest(e: &Enclosure) -> Option<&Float> {
    if *e.lo() > 0 { Some(e.lo()) } else { Some(e.hi()).filter(|end| **end < 0) }
}

/// Whether the number in an enclosure that is nearest to 0 is beyond 2^±2²¹, and not 0: too much to compute with as a rational.
fn is_extreme(e: &Enclosure) -> bool {
    nearest(e).and_then(Float::get_exp).is_some_and(|exponent| !(-LARGEST..=LARGEST).contains(&exponent))
}

/// min{|y| : y ∈ e}, or a little less.
fn least(e: &Enclosure) -> Rational {
    nearest(e).map(|end| size(end, Round::Zero)).unwrap_or_default()
}

/// max{|y| : y ∈ e}, or a little more, of a bounded enclosure; of another, 0.
fn most(e: &Enclosure) -> Rational {
    if e.is_bounded() { size(e.lo(), Round::AwayZero).max(size(e.hi(), Round::AwayZero)) } else { Rational::new() }
}

/// |x| of a finite number, with few bits.
fn size(x: &Float, round: Round) -> Rational {
    match x.get_exp() {
        Some(exponent) if exponent > LARGEST => Rational::from(1) << LARGEST as u32,
        Some(exponent) if exponent < -LARGEST => Rational::new(),
        _ => Float::with_val_round(64, x, round).0.to_rational().unwrap_or_default().abs(),
    }
}

impl From<Rational> for Accuracy {
    fn from(eps: Rational) -> Self {
        Self::within(eps)
    }
}

impl From<&Rational> for Accuracy {
    fn from(eps: &Rational) -> Self {
        Self::within(eps.clone())
    }
}

impl From<&Accuracy> for Accuracy {
    fn from(accuracy: &Accuracy) -> Self {
        accuracy.clone()
    }
}
