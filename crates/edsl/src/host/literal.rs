//! Number literals: `real!(0.6)` is 6/10, and `double(0.6)` is the nearest `f64`.
//!
//! An `f64` is no expression, since the double 0.6 is not 6/10: the compiler says what to write instead. `real!`
//! checks its literal when the program is compiled.

use super::expr::{EdslError, Expr, IntoExpr, ProgramNode, ProgramNodeKind};
use super::types::Real;
use crate::number::{Rational, decimal};

/// A real number as written: `real!(0.6)`, `real!(-2.5e-3)`, `real!(1 / 3)`. A fraction is a quotient of two decimals,
/// as in the language.
///
/// Other texts do not compile. For the value of a variable of type `f64` there is [`double`].
///
/// # Examples
/// ```
/// use smoothish_edsl::host::prelude::*;
/// assert_eq!(real!(0.6).to_string(), "0.6");
/// assert_eq!(real!(-1 / 3).to_string(), "-1 / 3");
/// assert_eq!(double(-0.375).to_string(), "-0.375");
/// ```
/// ```compile_fail
/// use smoothish_edsl::host::prelude::*;
/// let x = real!(1 / 0);
/// ```
#[macro_export]
macro_rules! real {
    ($number:literal) => {{
        const { $crate::host::literal::check(stringify!($number), "1") };
        $crate::host::literal::fraction(stringify!($number), "1")
    }};
    ($numerator:literal / $denominator:literal) => {{
        const { $crate::host::literal::check(stringify!($numerator), stringify!($denominator)) };
        $crate::host::literal::fraction(stringify!($numerator), stringify!($denominator))
    }};
    ($($other:tt)*) => {
        compile_error!("real! takes a number as it is written: real!(0.6), real!(-2), real!(1 / 3); the value of an f64 is double(x)")
    };
}

pub use real;

/// Checks the texts of [`real!`](crate::real) at compile time.
///
/// # Panics
/// If a text is no decimal, or the denominator is not positive; at compile time only.
#[doc(hidden)]
pub const fn check(numerator: &str, denominator: &str) {
    assert!(is_decimal(numerator.as_bytes()), "real! takes a decimal or a fraction, such as 0.6, -2.5e-3 or 1 / 3");
    assert!(
        is_decimal(denominator.as_bytes()),
        "the denominator of a fraction in real! is a decimal, such as the 3 of 1 / 3"
    );
    assert!(
        has_positive_value(denominator.as_bytes()),
        "the denominator of a fraction in real! must be greater than 0"
    );
}

/// Returns the index of the first byte from `at` on that is no digit.
const fn skip_digits(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at].is_ascii_digit() {
        at += 1;
    }
    at
}

/// Returns `true` if the text is a decimal: an optional minus, digits, an optional fraction and an optional exponent.
const fn is_decimal(text: &[u8]) -> bool {
    let start = if !text.is_empty() && text[0] == b'-' { 1 } else { 0 };
    let mut at = skip_digits(text, start);
    if at == start {
        return false;
    }
    if at < text.len() && text[at] == b'.' {
        at = skip_digits(text, at + 1);
    }
    if at < text.len() && (text[at] == b'e' || text[at] == b'E') {
        at += 1;
        if at < text.len() && (text[at] == b'-' || text[at] == b'+') {
            at += 1;
        }
        let exponent = at;
        at = skip_digits(text, at);
        // Five digits stay below the limit of the parser, 10⁶, so that `fraction` cannot fail.
        if at == exponent || at - exponent > 5 {
            return false;
        }
    }
    at == text.len()
}

/// Returns `true` if a decimal is greater than 0: it has no minus, and a digit other than 0 before the exponent.
const fn has_positive_value(text: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() && text[at] != b'e' && text[at] != b'E' {
        if text[at] == b'-' {
            return false;
        }
        if text[at].is_ascii_digit() && text[at] != b'0' {
            return true;
        }
        at += 1;
    }
    false
}

/// Converts the checked texts of [`real!`](crate::real) to an expression.
#[doc(hidden)]
#[must_use]
pub fn fraction(numerator: &str, denominator: &str) -> Expr<Real> {
    // `check` accepts only texts that parse.
    let number = |text: &str| decimal::parse(text.trim_end_matches('.')).unwrap_or_default().into_expr();
    if denominator == "1" { number(numerator) } else { number(numerator) / number(denominator) }
}

/// Returns the exact value of an `f64`: `double(0.1)` is slightly more than 1/10. For an infinite value or NaN, the
/// evaluation of the program fails with [`EdslError::NotFinite`].
#[must_use]
pub fn double(value: f64) -> Expr<Real> {
    match Rational::from_f64(value) {
        Some(value) => value.into_expr(),
        None => Expr::from_node(ProgramNode::new(ProgramNodeKind::Invalid(EdslError::NotFinite { value }))),
    }
}
