//! Ticks: short exact decimals along an axis.
//!
//! The numbers of an axis may agree in so many digits that their labels would not fit. The labels are then distances
//! from a *base*, which is written once beside the axis.

use super::grid::{decimal_exponent, format_exact, power_of_ten};
use crate::number::{Rational, decimal};

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
