//! The result for one column of a picture: an enclosure of the values of a function over it.

use crate::number::{Enclosure, Rational};

/// The values of a function over a column, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// The function is defined on the whole column and every value lies in the enclosure, which may be a half-line or the
    /// whole line.
    Within(Enclosure),
    /// The function is not shown to be defined on the whole column.
    Undefined,
    /// The budget ended before the column was decided.
    Unknown,
}

/// A closed interval of the horizontal axis, and the values over it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotColumn {
    /// The ends, exactly. Neighbours share theirs.
    pub x: [Rational; 2],
    /// An enclosure of every value over the whole interval.
    pub values: ColumnValues,
    /// `true` if the enclosure is as low as the picture can show: its part inside the window is at most a pixel
    /// higher than the hull of some attained values.
    pub settled: bool,
    /// An enclosure of all values at the kinks of the column, the hull of them if there are several. `None` if no kink
    /// was found: there is none, or the budget ended first. For a derivative the values are Clarke's set. A point is an
    /// interval that remains after [30 or 48 halvings](super::kink) of a piece of the column.
    pub kink: Option<Enclosure>,
}

impl PlotColumn {
    /// Returns the enclosure, if there is one.
    #[must_use]
    pub fn enclosure(&self) -> Option<&Enclosure> {
        match &self.values {
            ColumnValues::Within(e) => Some(e),
            ColumnValues::Undefined | ColumnValues::Unknown => None,
        }
    }
}

/// The superscript digits, in order.
const SUPERSCRIPT_DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// Returns the digit whose superscript is `c`, if there is one.
pub(super) fn superscript_digit(c: char) -> Option<usize> {
    SUPERSCRIPT_DIGITS.iter().position(|&digit| digit == c)
}

/// Returns the symbol of a function or of its derivative: f, f′, f″, f‴, f⁽⁴⁾. In ASCII: f, f', f'', f''', f^(4).
#[must_use]
pub fn derivative_symbol(order: u32, ascii: bool) -> String {
    match (order, ascii) {
        (0..=3, true) => format!("f{}", "'".repeat(order as usize)),
        (0..=3, false) => format!("f{}", ["", "′", "″", "‴"][order as usize]),
        (_, true) => format!("f^({order})"),
        (_, false) => {
            let digits = order.to_string();
            let raised: String = digits.bytes().map(|digit| SUPERSCRIPT_DIGITS[usize::from(digit - b'0')]).collect();
            format!("f⁽{raised}⁾")
        }
    }
}

/// A function, or one of its derivatives, over an interval: an enclosure for each column.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// The order of the derivative; 0 stands for the function itself.
    pub order: u32,
    /// The columns, from left to right. They cover the interval of the plot without gaps.
    pub columns: Vec<PlotColumn>,
    /// The part of the vertical axis that is shown.
    pub window: super::window::Window,
    /// The borders and the ends of the pieces, for a function in pieces; empty otherwise.
    pub marks: Vec<super::pieces::PieceMark>,
}

impl Envelope {
    /// Returns the values at the kinks of `column` if some of them lie in the window.
    #[must_use]
    pub fn visible_kink<'c>(&self, column: &'c PlotColumn) -> Option<&'c Enclosure> {
        column.kink.as_ref().filter(|set| {
            let [low, high] = self.window.position_of(set);
            low <= 1.0 && high >= 0.0
        })
    }

    /// Returns the column that contains `x`, the left one if two share it.
    #[must_use]
    pub fn column_at(&self, x: &Rational) -> Option<&PlotColumn> {
        self.columns.iter().find(|c| c.x[0] <= *x && *x <= c.x[1])
    }
}
