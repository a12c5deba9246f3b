//! What is known of a function over one column of a picture.

use crate::number::{Enclosure, Rational};

/// What is known of the values over a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// The function is defined on the whole column and every value lies in the enclosure, which may be a half-line or the
    /// whole line.
    Within(Enclosure),
    /// It is not shown to be defined on the whole column.
    Undefined,
    /// The budget ended before anything was found out.
    Unknown,
}

/// A closed interval of the horizontal axis, and the values over it.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The ends, exactly. Neighbours share theirs.
    pub x: [Rational; 2],
    /// Every value on the whole of the interval.
    pub values: Values,
    /// Whether the enclosure is as low as the picture can show: what of it lies in the window is at most a pixel higher
    /// than the hull of some values that are taken.
    pub settled: bool,
    /// All values at the kinks on the column, of several their hull; `None` where no point has more than one value. Of a derivative that
    /// is Clarke's set. A point is what halving the column [some fifty times](super::kink) tells.
    pub kink: Option<Enclosure>,
}

impl Column {
    /// The enclosure, where there is one.
    #[must_use]
    pub fn enclosure(&self) -> Option<&Enclosure> {
        match &self.values {
            Values::Within(e) => Some(e),
            Values::Undefined | Values::Unknown => None,
        }
    }
}

const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// The digit that is raised.
pub(super) fn raised(c: char) -> Option<usize> {
    RAISED.iter().position(|&digit| digit == c)
}

/// How a function and its derivatives are written: f, f′, f″, f‴, f⁽⁴⁾; in ASCII f, f', f'', f''', f^(4).
#[must_use]
pub fn symbol(order: u32, ascii: bool) -> String {
    match (order, ascii) {
        (0..=3, true) => format!("f{}", "'".repeat(order as usize)),
        (0..=3, false) => format!("f{}", ["", "′", "″", "‴"][order as usize]),
        (_, true) => format!("f^({order})"),
        (_, false) => {
            let digits = order.to_string();
            let raised: String = digits.bytes().map(|digit| RAISED[usize::from(digit - b'0')]).collect();
            format!("f⁽{raised}⁾")
        }
    }
}

/// A function, or one of its derivatives, over an interval: an enclosure for each column.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// The order of the derivative; 0 for the function itself.
    pub order: u32,
    /// The columns, from left to right. They cover the interval of the plot without gaps.
    pub columns: Vec<Column>,
    /// The part of the vertical axis that is to be shown.
    pub window: super::window::Window,
    /// Of a function in pieces, its borders and the ends of its pieces.
    pub marks: Vec<super::pieces::Mark>,
}

impl Envelope {
    /// The values at the kinks of a column, of which some are in the window.
    #[must_use]
    pub fn kink_shown<'c>(&self, column: &'c Column) -> Option<&'c Enclosure> {
        column.kink.as_ref().filter(|set| {
            let [low, high] = self.window.place(set);
            low <= 1.0 && high >= 0.0
        })
    }

    /// The column that holds a number, the left one of two that share it.
    #[must_use]
    pub fn at(&self, x: &Rational) -> Option<&Column> {
        self.columns.iter().find(|c| c.x[0] <= *x && *x <= c.x[1])
    }
}
