//! The vertical axis: the part of it that is shown, and the position of an enclosure in it.
//!
//! If everything is bounded, everything is shown. If the function has a pole or is undefined somewhere, the values
//! near it may be as large as the columns are narrow. Then the middle nine tenths of the values decide, and the
//! picture cuts off values much farther out.

use super::grid::{binary_digits, binary_exponent};
use crate::number::{Context, Enclosure, Magnitude, Mpfr, Rational};

/// A closed interval of the vertical axis, of positive length.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The lower end.
    pub low: Rational,
    /// The upper end.
    pub high: Rational,
}

/// The largest binary exponent of numbers that are shown unasked. Numbers with exponents below its negative are shown
/// as 0. A choice: larger numbers make exact ends long.
const MAX_EXPONENT: i32 = 40_000;
/// The height of all values, in heights of the middle nine tenths of them, above which the picture is cut. A choice.
const CUT_RATIO: u32 = 4;

impl Window {
    /// Returns the window with these ends, or `None` unless `low < high`.
    #[must_use]
    pub fn new(low: Rational, high: Rational) -> Option<Self> {
        (low < high).then_some(Self { low, high })
    }

    /// Returns the length of the window.
    #[must_use]
    pub fn height(&self) -> Rational {
        Rational::from(&self.high - &self.low)
    }

    /// Chooses a window for values. If `cut` is set, because of a pole or an undefined point, not all of them need be
    /// shown. The window has a margin. It is wide if the values differ by no more than 64 times their usual width
    /// `noise`. Ends that are given are kept.
    #[must_use]
    pub fn around_values<'e>(
        values: impl IntoIterator<Item = &'e Enclosure>,
        noise: Magnitude,
        cut: bool,
        low: Option<&Rational>,
        high: Option<&Rational>,
    ) -> Self {
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for value in values {
            if let (Some(lo), Some(hi)) = (rational_end(value, false), rational_end(value, true)) {
                lows.push(lo);
                highs.push(hi);
            }
        }
        let (least, most) = shown_extent(lows, highs, cut);
        let (least, most) = (low.unwrap_or(&least).clone(), high.unwrap_or(&most).clone());
        let height = Rational::from(&most - &least);
        let size = least.clone().abs().max(most.clone().abs());
        // Differences near the noise are no feature of the function: a wide margin keeps them from filling the
        // picture.
        let margin = if height > 0 && Magnitude::from_rational(&height) > noise.mul_exp2(6) {
            height / 24u32
        } else if least > 0 || most < 0 {
            size / 2u32
        } else {
            Rational::from(1)
        };
        let outside = |given: Option<&Rational>, end: Rational| given.cloned().unwrap_or(end);
        let window = Self {
            low: outside(low, Rational::from(&least - &margin)),
            high: outside(high, Rational::from(&most + &margin)),
        };
        match (window.low < window.high, low, high) {
            (true, ..) => window,
            // All values lie on the far side of the given end, so the window is one unit high there.
            (false, Some(low), _) => Self { low: low.clone(), high: low + Rational::from(1) },
            (false, _, Some(high)) => Self { low: high - Rational::from(1), high: high.clone() },
            (false, None, None) => Self { low: Rational::from(-1), high: Rational::from(1) },
        }
    }

    /// Returns the smallest window that contains both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        Self { low: self.low.clone().min(other.low.clone()), high: self.high.clone().max(other.high.clone()) }
    }

    /// Returns the positions of the ends of an enclosure: 0 at the lower end of the window, 1 at the upper one,
    /// rounded outward. Farther than one height from the window, the position is clamped to −1 or 2, on the right
    /// side.
    #[must_use]
    pub fn position_of(&self, e: &Enclosure) -> [f64; 2] {
        // The difference to the lower end cancels this many bits, which the precision must have to spare.
        let cancelled = binary_exponent(&self.low).max(binary_exponent(&self.high)) - binary_exponent(&self.height());
        let context = Mpfr::new(80 + u32::try_from(cancelled.max(0)).unwrap_or(u32::MAX).min(1 << 20));
        let low = context.enclose_rational(&self.low);
        let height = context.enclose_rational(&self.height());
        let place = context.div(&context.sub(&context.round_enclosure(e), &low), &height);
        let place = context.to_enclosure(&place);
        let (lo, hi) = (place.lo().to_f64(), place.hi().to_f64());
        // Conversion to a double rounds to nearest, so one step outward makes the result an enclosure again.
        [lo.next_down().clamp(-1.0, 2.0), hi.next_up().clamp(-1.0, 2.0)]
    }
}

/// Returns an end of an enclosure as a rational. `None` if it is infinite or too large or long to be shown.
fn rational_end(e: &Enclosure, upper: bool) -> Option<Rational> {
    let x = if upper { e.hi() } else { e.lo() };
    match x.get_exp() {
        Some(exponent) if exponent > MAX_EXPONENT => None,
        Some(exponent) if exponent < -MAX_EXPONENT => Some(Rational::new()),
        _ => x.to_rational().filter(|q| binary_digits(q) < 8 * MAX_EXPONENT as u32),
    }
}

/// Returns the least and the greatest value to be shown.
fn shown_extent(mut lows: Vec<Rational>, mut highs: Vec<Rational>, cut: bool) -> (Rational, Rational) {
    lows.sort();
    highs.sort();
    let (Some(least), Some(most)) = (lows.first(), highs.last()) else {
        return (Rational::from(-1), Rational::from(1));
    };
    // A twentieth of the values is skipped at either side, so that the middle nine tenths remain.
    let skipped = lows.len() / 20;
    let (inner_least, inner_most) = (&lows[skipped], &highs[highs.len() - 1 - skipped]);
    let inner = Rational::from(inner_most - inner_least);
    let all = Rational::from(most - least);
    // Without a pole, or if the outer values are not much larger, everything is shown.
    if !cut || inner <= 0 || all <= Rational::from(&inner * CUT_RATIO) {
        return (least.clone(), most.clone());
    }
    let beyond = inner / 4u32;
    let (low, high) = (Rational::from(inner_least - &beyond), Rational::from(inner_most + &beyond));
    (if low > *least { low } else { least.clone() }, if high < *most { high } else { most.clone() })
}
