//! Number literals, read exactly: `0.1` is one tenth.

use super::Parser;
use crate::number::Rational;
use crate::syntax::error::SyntaxError;
use crate::syntax::limit;
use crate::syntax::source::Span;
use crate::syntax::token::{Token, superscript_digit};

/// Returns the value of a literal such as `3`, `0.5`, `1e-3`.
///
/// # Errors
/// [`SyntaxError::LiteralTooLong`] if the digits or the exponent are beyond [`limit::LITERAL_DIGITS`].
pub fn parse_rational(text: &str, span: Span) -> Result<Rational, SyntaxError> {
    let too_long = || SyntaxError::LiteralTooLong { span };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        // An exponent beyond `i64` is too long as well.
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().map_err(|_| too_long())?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let most = limit::LITERAL_DIGITS as i64;
    if whole.len() + fraction.len() > limit::LITERAL_DIGITS || exponent.abs() > most {
        return Err(too_long());
    }
    let digits: Rational = format!("{whole}{fraction}").parse().map_err(|_| too_long())?;
    Ok(scale_by_power_of_ten(digits, exponent - fraction.len() as i64))
}

/// Returns `digits · 10^exponent`.
fn scale_by_power_of_ten(digits: Rational, exponent: i64) -> Rational {
    let power = power_of_ten(exponent.unsigned_abs() as u32);
    if exponent < 0 { digits / power } else { digits * power }
}

/// Returns `10^exponent`, by repeated squaring.
pub(crate) fn power_of_ten(exponent: u32) -> Rational {
    let mut value = Rational::from(1);
    let mut square = Rational::from(10);
    let mut rest = exponent;
    while rest > 0 {
        if rest & 1 == 1 {
            value *= &square;
        }
        rest >>= 1;
        // The last square would be the largest, and is not needed.
        if rest > 0 {
            square.square_mut();
        }
    }
    value
}

/// Returns the value of superscripts such as `²` or `⁻¹`.
///
/// # Errors
/// [`SyntaxError::Expected`] without digits, [`SyntaxError::LiteralTooLong`] with too many.
pub fn parse_superscript(text: &str, span: Span) -> Result<Rational, SyntaxError> {
    let digits: String = text.chars().filter_map(superscript_digit).collect();
    if digits.is_empty() {
        return Err(SyntaxError::Expected {
            expected: "raised digits after the raised minus".to_owned(),
            found: "nothing".to_owned(),
            span,
        });
    }
    let value = parse_rational(&digits, span)?;
    Ok(if text.starts_with('⁻') { -value } else { value })
}

impl Parser<'_> {
    /// Returns the value of a literal, and counts its bits if it is long.
    ///
    /// # Errors
    /// Those of the free function, and [`SyntaxError::LiteralsTooLong`] beyond [`limit::LITERAL_BITS`].
    pub(super) fn parse_literal(&mut self, text: &str, span: Span) -> Result<Rational, SyntaxError> {
        let value = parse_rational(text, span)?;
        let bits = value.numer().significant_bits().saturating_add(value.denom().significant_bits());
        // Short literals do not count, so that texts of many numbers pass. A few characters can make a long one:
        // `1e99999`.
        if bits > limit::LONG_LITERAL_BITS {
            self.literal_bits = self.literal_bits.saturating_add(bits);
            if self.literal_bits > limit::LITERAL_BITS {
                return Err(SyntaxError::LiteralsTooLong { span });
            }
        }
        Ok(value)
    }

    /// Parses a number that is known in advance: a literal, with an optional sign and an optional denominator.
    #[doc(hidden)]
    pub fn parse_constant_number(&mut self) -> Result<Rational, SyntaxError> {
        let negative = self.accept(Token::Minus)?;
        let numerator = self.parse_number_token()?;
        let span = self.span();
        let value = if self.accept(Token::Slash)? {
            let denominator = self.parse_number_token()?;
            if denominator.is_zero() {
                return Err(SyntaxError::ZeroDenominator { span });
            }
            numerator / denominator
        } else {
            numerator
        };
        Ok(if negative { -value } else { value })
    }

    fn parse_number_token(&mut self) -> Result<Rational, SyntaxError> {
        let lexeme = self.expect(Token::Number, "a number, such as 0.5, 1e-9 or 1/3")?;
        self.parse_literal(self.text_of(lexeme.span), lexeme.span)
    }
}

/// Returns `true` if the magnitude of a number is above `bound`.
pub(super) fn exceeds_magnitude(value: &Rational, bound: u32) -> bool {
    *value > bound || *value < -i64::from(bound)
}
