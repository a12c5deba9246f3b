//! Numbers: `real!(0.6)` is 6/10, `double(0.6)` is the `f64` next to it.

use super::error::HostError;
use super::expr::{Expr, IntoExpr};
use super::node::{Kind, Node};
use super::types::Real;
use crate::number::{Rational, decimal};

/// A real number, as it is written: `real!(0.6)`, `real!(-2.5e-3)`, `real!(1 / 3)`; a fraction is a quotient of two numbers,
/// as in the language.
///
/// What is no decimal or fraction does not compile; for the value of a variable of type `f64` there is
/// [`double`].
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
    ($over:literal / $under:literal) => {{
        const { $crate::host::literal::check(stringify!($over), stringify!($under)) };
        $crate::host::literal::fraction(stringify!($over), stringify!($under))
    }};
    ($($other:tt)*) => {
        compile_error!("real! takes a number as it is written: real!(0.6), real!(-2), real!(1 / 3); the value of an f64 is double(x)")
    };
}

pub use real;

/// What [`real!`](crate::real) checks while a program is compiled.
///
/// # Panics
/// When one of them is no decimal, or the second is 0 or negative; at compile time only.
#[doc(hidden)]
pub const fn check(over: &str, under: &str) {
    assert!(is_decimal(over.as_bytes()), "real! takes a decimal or a fraction, such as 0.6, -2.5e-3 or 1 / 3");
    assert!(
        is_decimal(under.as_bytes()),
        "the denominator of a fraction in real! is a decimal, such as the 3 of 1 / 3"
    );
    assert!(has_positive_value(under.as_bytes()), "the denominator of a fraction in real! must be greater than 0");
}

const fn skip_digits(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at].is_ascii_digit() {
        at += 1;
    }
    at
}

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
        if at == exponent || at - exponent > 5 {
            return false;
        }
    }
    at == text.len()
}

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

/// What [`real!`](crate::real) makes of texts that were checked.
#[doc(hidden)]
#[must_use]
pub fn fraction(over: &str, under: &str) -> Expr<Real> {
    // `check` admits nothing that does not parse
    let number = |text: &str| decimal::parse(text.trim_end_matches('.')).unwrap_or_default().into_expr();
    if under == "1" { number(over) } else { number(over) / number(under) }
}

/// Exactly this `f64`: `double(0.1)` is a little more than 1/10. One that is not finite is
/// [an error](HostError::NotFinite) where the program is asked.
#[must_use]
pub fn double(value: f64) -> Expr<Real> {
    match Rational::from_f64(value) {
        Some(value) => value.into_expr(),
        None => Expr::of(Node::new(Kind::Wrong(HostError::NotFinite { value }))),
    }
}
