//! Ticks: short exact decimals along an axis.
//!
//! The numbers of an axis may agree in so many digits that their labels would not fit. The labels are then distances
//! from a *base*, which is written once beside the axis.
//!
//! # The horizontal axis
//!
//! Exact ends, and the borders of its columns.
//!
//! # The vertical axis
//!
//! The part of it that is shown, and the position of an enclosure in it.
//!
//! If everything is bounded, everything is shown. If the function has a pole or is undefined somewhere, the values
//! near it may be as large as the columns are narrow. Then the middle nine tenths of the values decide, and the
//! picture cuts off values much farther out.

use super::error::PlotError;
use crate::number::{Context, Enclosure, Magnitude, Mpfr, Rational, decimal};

/// A labelled place on an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// The place, exactly.
    pub at: Rational,
    /// The number in decimal, or its distance from the base.
    pub label: String,
}

/// The ticks of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The number that labels count from. `None` if the labels are the numbers themselves.
    pub base: Option<String>,
    /// The ticks, in increasing order.
    pub ticks: Vec<Tick>,
}

/// The most letters of a label that is the number itself. A choice: longer labels leave too little room for the
/// picture.
const MAX_LABEL_LETTERS: usize = 10;

impl Axis {
    /// Places at most `most` ticks at round numbers in `[low, high]`. Requires `low < high`; `most` counts as 2 if it
    /// is less.
    #[must_use]
    pub fn new(low: &Rational, high: &Rational, most: u32) -> Self {
        let step = tick_step(low, high, most.max(2));
        let first = (low.clone() / &step).ceil() * &step;
        let all = (0..=most).map(|i| &first + Rational::from(&step * i));
        let all: Vec<_> = all.take_while(|at| at <= high).collect();
        // If a label is too long, all labels count from the first tick: what the numbers have in common is then
        // written once.
        let base =
            decimal_labels(&all, &step).iter().any(|label| label.len() > MAX_LABEL_LETTERS).then(|| first.clone());
        let shown: Vec<_> = all.iter().map(|at| base.as_ref().map_or(at.clone(), |b| Rational::from(at - b))).collect();
        let labels = decimal_labels(&shown, &step);
        let labels = labels.into_iter().map(|label| if base.is_some() { format!("+{label}") } else { label });
        let ticks = all.into_iter().zip(labels).map(|(at, label)| Tick { at, label }).collect();
        Self { base: base.map(|b| format_exact(&b)), ticks }
    }
}

/// Returns the least of 1, 2, 5, 10, 20, … times a power of ten that has at most `most` multiples in `[low, high]`.
fn tick_step(low: &Rational, high: &Rational, most: u32) -> Rational {
    let room = Rational::from(high - low) / most;
    // `power ≤ room < 10 · power`, so a step of 10 or 20 powers fits; the larger ones are spare.
    let power = power_of_ten(decimal_exponent(&room));
    let steps = [1u32, 2, 5, 10, 20, 50, 100, 200].map(|m| Rational::from(&power * m));
    let fits = |s: &Rational| (high.clone() / s).floor() - (low.clone() / s).ceil() < most;
    steps.into_iter().find(fits).unwrap_or(room)
}

/// Writes numbers as short decimals. Either none of them has an exponent, if the exponents would be small, or each
/// has its own with one digit before the point.
fn decimal_labels(numbers: &[Rational], step: &Rational) -> Vec<String> {
    let largest = numbers.iter().map(|q| q.clone().abs()).max().unwrap_or_default();
    let top = decimal_exponent(&largest.max(step.clone()));
    let is_plain = (-4..7).contains(&top) && decimal_exponent(step) >= -6;
    let label = |q: &Rational| {
        // 0 has no exponent.
        let own = if is_plain || *q == 0 { 0 } else { decimal_exponent(&q.clone().abs()) };
        match decimal::print_exactly(&(q / power_of_ten(own))) {
            Some(digits) if own != 0 => format!("{digits}e{own}"),
            Some(digits) => digits,
            None => q.to_string(),
        }
    };
    numbers.iter().map(label).collect()
}

/// Returns a number without its middle if it has more than `room` letters.
#[must_use]
pub fn elide_middle(number: &str, room: usize) -> String {
    let half = room.saturating_sub(1) / 2;
    // Numbers are ASCII, so byte positions are positions of letters.
    match (number.get(..half), number.get(number.len().saturating_sub(half)..)) {
        (Some(first), Some(last)) if number.len() > room => format!("{first}…{last}"),
        _ => number.to_owned(),
    }
}

/// The largest number of binary digits of numerator and denominator together. A choice, far beyond what a picture
/// needs.
pub const MOST_BITS: u32 = 1 << 14;
/// The reciprocal of the part of a column by which a border may be moved to a short decimal. A choice: it cannot be
/// seen.
const ROUNDING: u32 = 1000;

/// Parses an exact number: a decimal, with an exponent or not, or a quotient of two.
///
/// # Errors
/// [`PlotError::Number`] for any other text, [`PlotError::Digits`] for a number too long to compute with.
///
/// # Examples
/// ```
/// use smoothish_plot::plot::axis::parse_coordinate;
/// assert_eq!(parse_coordinate("-2.5")?.to_string(), "-5/2");
/// assert_eq!(parse_coordinate("1e-3/4")?.to_string(), "1/4000");
/// assert!(parse_coordinate("pi").is_err() && parse_coordinate("1/0").is_err() && parse_coordinate("1e999999").is_err());
/// # Ok::<(), smoothish_plot::plot::error::PlotError>(())
/// ```
pub fn parse_coordinate(text: &str) -> Result<Rational, PlotError> {
    let wrong = || PlotError::Number { text: text.to_owned() };
    let number = |part: &str| {
        decimal::parse(part).map_err(|e| match e {
            crate::number::NumberError::Exponent { .. } => PlotError::Digits { limit: MOST_BITS },
            _ => wrong(),
        })
    };
    let value = match text.split_once('/') {
        Some((numerator, denominator)) => {
            let denominator = number(denominator)?;
            if denominator == 0 {
                return Err(wrong());
            }
            number(numerator)? / denominator
        }
        None => number(text)?,
    };
    if binary_digits(&value) > MOST_BITS { Err(PlotError::Digits { limit: MOST_BITS }) } else { Ok(value) }
}

/// Returns the number of binary digits that hold a rational.
pub fn binary_digits(q: &Rational) -> u32 {
    q.numer().significant_bits().saturating_add(q.denom().significant_bits())
}

/// Returns ⌊log₂|q|⌋ or one more; 0 for 0.
pub fn binary_exponent(q: &Rational) -> i64 {
    i64::from(q.numer().significant_bits()) - i64::from(q.denom().significant_bits())
}

/// Returns 10ⁿ.
pub fn power_of_ten(n: i64) -> Rational {
    decimal::parse(&format!("1e{n}")).unwrap_or_else(|_| Rational::from(1))
}

/// Returns ⌊log₁₀ q⌋. Requires `q > 0`.
pub fn decimal_exponent(q: &Rational) -> i64 {
    // The estimate exceeds the exact value by one to three, so the powers are tried downward.
    let estimate = (binary_exponent(q) as f64 * std::f64::consts::LOG10_2).ceil() as i64 + 1;
    (estimate - 3..=estimate).rev().find(|&n| power_of_ten(n) <= *q).unwrap_or(estimate - 4)
}

/// Returns the borders of `columns` columns of `[from, to]`, from left to right.
///
/// The outer two are `from` and `to`. The others are short decimals that divide the interval evenly, up to a
/// thousandth of a column. So a column can be written down exactly.
pub fn column_borders(from: &Rational, to: &Rational, columns: u32) -> Vec<Rational> {
    let width = Rational::from(to - from) / columns;
    let unit = power_of_ten(decimal_exponent(&(width.clone() / ROUNDING)));
    let inner = (1..columns).map(|i| {
        let exact = from + Rational::from(&width * i);
        // Rounds to the nearest multiple of `unit`.
        (exact / &unit + Rational::from((1, 2))).floor() * &unit
    });
    std::iter::once(from.clone()).chain(inner).chain(std::iter::once(to.clone())).collect()
}

/// Formats a number as a decimal, or as a fraction if it has no finite decimal expansion.
pub fn format_exact(q: &Rational) -> String {
    decimal::print_exactly(q).unwrap_or_else(|| q.to_string())
}

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
