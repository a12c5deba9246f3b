//! The vertical axis: which part of it is shown, and where an enclosure lies in it.
//!
//! Where everything is bounded, everything is shown. Where the function has a pole, or is undefined somewhere, the values
//! near it may be as large as the columns are narrow; then the middle nine tenths of the values decide, and what is much
//! farther out runs off the picture.

use super::grid::{binary_exponent, bits};
use crate::number::{Context, Enclosure, Magnitude, Mpfr, Rational};

/// A closed interval of the vertical axis, of positive length.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The lower end.
    pub low: Rational,
    /// The upper end.
    pub high: Rational,
}

/// Numbers with larger binary exponents are not shown unless they are asked for, numbers with smaller ones are shown as 0.
const EXTREME: i32 = 40_000;
/// How many times higher than the middle nine tenths of the values a picture is, at most, where it is cut.
const CUT: u32 = 4;

impl Window {
    /// The window with these ends, if they are in order.
    #[must_use]
    pub fn new(low: Rational, high: Rational) -> Option<Self> {
        (low < high).then_some(Self { low, high })
    }

    /// The length.
    #[must_use]
    pub fn height(&self) -> Rational {
        Rational::from(&self.high - &self.low)
    }

    /// A window for values, of which not all are shown where they were `cut` by a pole or something undefined; with a
    /// margin, which is wide where the values differ by no more than a few times their usual width `noise`. Ends that are
    /// given are kept.
    #[must_use]
    pub fn of<'e>(
        values: impl IntoIterator<Item = &'e Enclosure>,
        noise: Magnitude,
        cut: bool,
        low: Option<&Rational>,
        high: Option<&Rational>,
    ) -> Self {
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for value in values {
            if let (Some(lo), Some(hi)) = (end(value, false), end(value, true)) {
                lows.push(lo);
                highs.push(hi);
            }
        }
        let (least, most) = extent(lows, highs, cut);
        let (least, most) = (low.unwrap_or(&least).clone(), high.unwrap_or(&most).clone());
        let height = Rational::from(&most - &least);
        let size = least.clone().abs().max(most.clone().abs());
        let margin = if height > 0 && Magnitude::from_rational(&height) > noise.shifted(6) {
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
            // all values lie on the far side of the end that is given
            (false, Some(low), _) => Self { low: low.clone(), high: low + Rational::from(1) },
            (false, _, Some(high)) => Self { low: high - Rational::from(1), high: high.clone() },
            (false, None, None) => Self { low: Rational::from(-1), high: Rational::from(1) },
        }
    }

    /// The smallest window that contains both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        Self { low: self.low.clone().min(other.low.clone()), high: self.high.clone().max(other.high.clone()) }
    }

    /// Where the ends of an enclosure lie: 0 at the lower end of the window, 1 at the upper one, rounded outward. Beyond
    /// one height off the picture the exact place is lost, not the side.
    #[must_use]
    pub fn place(&self, e: &Enclosure) -> [f64; 2] {
        let cancelled = binary_exponent(&self.low).max(binary_exponent(&self.high)) - binary_exponent(&self.height());
        let context = Mpfr::new(80 + u32::try_from(cancelled.max(0)).unwrap_or(u32::MAX).min(1 << 20));
        let low = context.rational(&self.low);
        let height = context.rational(&self.height());
        let place = context.div(&context.sub(&context.enclosure(e), &low), &height);
        let place = context.to_enclosure(&place);
        let (lo, hi) = (place.lo().to_f64(), place.hi().to_f64());
        [lo.next_down().clamp(-1.0, 2.0), hi.next_up().clamp(-1.0, 2.0)]
    }
}

/// An end of an enclosure as a rational; `None` where it is infinite or out of all proportion.
fn end(e: &Enclosure, upper: bool) -> Option<Rational> {
    let x = if upper { e.hi() } else { e.lo() };
    match x.get_exp() {
        Some(exponent) if exponent > EXTREME => None,
        Some(exponent) if exponent < -EXTREME => Some(Rational::new()),
        _ => x.to_rational().filter(|q| bits(q) < 8 * EXTREME as u32),
    }
}

/// The least and the greatest value to be shown.
fn extent(mut lows: Vec<Rational>, mut highs: Vec<Rational>, cut: bool) -> (Rational, Rational) {
    lows.sort();
    highs.sort();
    let (Some(least), Some(most)) = (lows.first(), highs.last()) else {
        return (Rational::from(-1), Rational::from(1));
    };
    let skipped = lows.len() / 20;
    let (inner_least, inner_most) = (&lows[skipped], &highs[highs.len() - 1 - skipped]);
    let inner = Rational::from(inner_most - inner_least);
    let all = Rational::from(most - least);
    if !cut || inner <= 0 || all <= Rational::from(&inner * CUT) {
        return (least.clone(), most.clone());
    }
    let beyond = inner / 4u32;
    let (low, high) = (Rational::from(inner_least - &beyond), Rational::from(inner_most + &beyond));
    (if low > *least { low } else { least.clone() }, if high < *most { high } else { most.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Double, decimal};

    fn e(lo: &str, hi: &str) -> Enclosure {
        let end = |text: &str| Double.rational(&decimal::parse(text).unwrap());
        Double.to_enclosure(&Double.hull(&end(lo), &end(hi)))
    }

    #[test]
    fn bounded_values_are_all_shown() {
        let spike: Vec<_> = (0..100).map(|i| if i == 50 { e("0", "1000") } else { e("0", "0.5") }).collect();
        let window = Window::of(&spike, Magnitude::ZERO, false, None, None);
        assert!(window.low < 0 && window.high > 1000);
        let cut = Window::of(&spike, Magnitude::ZERO, true, None, None);
        assert!(cut.high < 2 && cut.low <= 0, "{cut:?}");
    }

    #[test]
    fn a_window_is_never_flat() {
        for (values, low, high) in [
            (vec![e("2", "2")], None, None),
            (vec![e("0", "0")], None, None),
            (vec![], None, None),
            (vec![Enclosure::bottom()], None, None),
            (vec![e("2", "3")], Some("5"), None),
            (vec![e("2", "3")], None, Some("-5")),
            (vec![e("2", "3")], Some("0"), Some("0.5")),
        ] {
            let [low, high] = [low, high].map(|t: Option<&str>| t.map(|t| decimal::parse(t).unwrap()));
            let window = Window::of(&values, Magnitude::ZERO, true, low.as_ref(), high.as_ref());
            assert!(window.low < window.high, "{window:?}");
            assert!(low.is_none_or(|l| l == window.low) && high.is_none_or(|h| h == window.high));
        }
    }

    #[test]
    fn places_are_rounded_outward() {
        let window = Window::new(Rational::from(0), Rational::from(3)).unwrap();
        let [lo, hi] = window.place(&e("1", "2"));
        assert!(lo < 1.0 / 3.0 && hi > 2.0 / 3.0 && hi - lo < 0.34);
        assert_eq!(window.place(&Enclosure::bottom()), [-1.0, 2.0]);
        let far =
            Window::new(decimal::parse("1e30").unwrap(), decimal::parse("1000000000000000000000000000001").unwrap());
        let [lo, hi] = far.unwrap().place(&e("1e30", "1e30"));
        assert!((-1.0..=0.0).contains(&lo) && hi >= 0.0, "{lo} {hi}");
    }
}
