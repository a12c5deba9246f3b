//! Ticks: short exact decimals along an axis.
//!
//! Where the numbers of an axis agree in so many digits that their labels would not fit, the labels are distances from a
//! *base*, which is written once beside the axis.

use super::grid::{decimal_exponent, power_of_ten, written};
use crate::number::{Rational, decimal};

/// A labelled place on an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// The place, exactly.
    pub at: Rational,
    /// The same number, or its distance from the base, in decimal.
    pub label: String,
}

/// The ticks of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The number that labels count from, where they are not the numbers themselves.
    pub base: Option<String>,
    /// The ticks, in order.
    pub ticks: Vec<Tick>,
}

/// The most letters of a label that is the number itself.
const LONGEST: usize = 10;

impl Axis {
    /// The ticks between two numbers, `low < high`: at most `most`, which is at least 2, at round numbers.
    #[must_use]
    pub fn new(low: &Rational, high: &Rational, most: u32) -> Self {
        let step = step(low, high, most.max(2));
        let first = (low.clone() / &step).ceil() * &step;
        let all = (0..=most).map(|i| &first + Rational::from(&step * i));
        let all: Vec<_> = all.take_while(|at| at <= high).collect();
        let base = labels(&all, &step).iter().any(|label| label.len() > LONGEST).then(|| first.clone());
        let shown: Vec<_> = all.iter().map(|at| base.as_ref().map_or(at.clone(), |b| Rational::from(at - b))).collect();
        let labels = labels(&shown, &step);
        let labels = labels.into_iter().map(|label| if base.is_some() { format!("+{label}") } else { label });
        let ticks = all.into_iter().zip(labels).map(|(at, label)| Tick { at, label }).collect();
        Self { base: base.map(|b| written(&b)), ticks }
    }
}

/// The least of 1, 2, 5, 10, 20, … times a power of ten with at most `most` multiples between two numbers.
fn step(low: &Rational, high: &Rational, most: u32) -> Rational {
    let room = Rational::from(high - low) / most;
    let power = power_of_ten(decimal_exponent(&room));
    let steps = [1u32, 2, 5, 10, 20, 50, 100, 200].map(|m| Rational::from(&power * m));
    let fits = |s: &Rational| (high.clone() / s).floor() - (low.clone() / s).ceil() < most;
    steps.into_iter().find(fits).unwrap_or(room)
}

/// Numbers as short decimals with one exponent in common, which is left out where it is small.
fn labels(numbers: &[Rational], step: &Rational) -> Vec<String> {
    let largest = numbers.iter().map(|q| q.clone().abs()).max().unwrap_or_default();
    let top = decimal_exponent(&largest.max(step.clone()));
    let top = if (-4..7).contains(&top) && decimal_exponent(step) >= -6 { 0 } else { top };
    let unit = power_of_ten(top);
    let label = |q: &Rational| match decimal::exact(&Rational::from(q / &unit)) {
        Some(digits) if top != 0 && *q != 0 => format!("{digits}e{top}"),
        Some(digits) => digits,
        None => q.to_string(),
    };
    numbers.iter().map(label).collect()
}

/// A number without its middle, where it has more than `room` letters.
#[must_use]
pub fn shortened(number: &str, room: usize) -> String {
    let half = room.saturating_sub(1) / 2;
    // numbers are ASCII
    match (number.get(..half), number.get(number.len().saturating_sub(half)..)) {
        (Some(first), Some(last)) if number.len() > room => format!("{first}…{last}"),
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::coordinate;
    use super::*;

    #[track_caller]
    fn has(low: &str, high: &str, most: u32, base: Option<&str>, expected: &[&str]) {
        let axis = Axis::new(&coordinate(low).unwrap(), &coordinate(high).unwrap(), most);
        let labels: Vec<_> = axis.ticks.iter().map(|t| t.label.as_str()).collect();
        assert_eq!((axis.base.as_deref(), &labels[..]), (base, expected), "{low} .. {high}");
    }

    #[test]
    fn ticks_are_round_numbers() {
        has("-1", "1", 5, None, &["-1", "-0.5", "0", "0.5", "1"]);
        has("0", "1", 3, None, &["0", "0.5", "1"]);
        has("0.1", "0.9", 3, None, &["0.5"]);
        has("1/3", "2/3", 5, None, &["0.4", "0.5", "0.6"]);
        has("0", "1234567", 4, None, &["0", "500000", "1000000"]);
        has("0", "3e400", 4, None, &["0", "1e400", "2e400", "3e400"]);
        has("-2e-7", "3e-7", 4, None, &["-2e-7", "0", "2e-7"]);
        has("1e-400", "2e-400", 3, None, &["1e-400", "1.5e-400", "2e-400"]);
    }

    #[test]
    fn long_numbers_are_counted_from_a_base() {
        has("1", "1.0000000000000002", 3, Some("1"), &["+0", "+1e-16", "+2e-16"]);
        has("123456789012345678", "123456789012345679", 3, Some("123456789012345678"), &["+0", "+0.5", "+1"]);
    }

    #[test]
    fn there_are_never_more_than_asked() {
        for exponent in [-401i32, -3, 0, 5, 300] {
            for n in 1..60u32 {
                let high = power_of_ten(exponent.into()) * n;
                for most in 2..9 {
                    let axis = Axis::new(&(-high.clone() / 7u32), &high, most);
                    assert!(!axis.ticks.is_empty() && axis.ticks.len() <= most as usize);
                }
            }
        }
    }
}
