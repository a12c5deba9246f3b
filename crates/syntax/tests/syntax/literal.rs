//! Of `syntax::parser::literal`.

use smoothish_syntax::number::Rational;
use smoothish_syntax::syntax::error::SyntaxError;
use smoothish_syntax::syntax::parser::*;
use smoothish_syntax::syntax::source::Span;

fn value(text: &str) -> Result<String, SyntaxError> {
    parse_rational(text, Span::default()).map(|value| value.to_string())
}

#[test]
fn literals_are_exact() {
    assert_eq!(value("0.1").as_deref(), Ok("1/10"));
    assert_eq!(value("1e-3").as_deref(), Ok("1/1000"));
    assert_eq!(value("2.50e1").as_deref(), Ok("25"));
    assert_eq!(value("007").as_deref(), Ok("7"));
    assert_eq!(value("1e400").map(|digits| digits.len()), Ok(401));
    assert_eq!(parse_superscript("⁻¹²", Span::default()), Ok(Rational::from(-12)));
}

#[test]
fn huge_literals_are_refused() {
    for text in ["1e999999999", "1e99999999999999999999999999", "1e-100001", &"1".repeat(100_001)] {
        assert!(matches!(value(text), Err(SyntaxError::LiteralTooLong { .. })), "{}", &text[..8]);
    }
    assert_eq!(value("1e100000").map(|digits| digits.len()), Ok(100_001));
}

/// Decimal exponents at the ends of the machine integers are too long like all others. `-2⁶³` has no magnitude in `i64`.
#[test]
fn exponents_at_the_ends_of_machine_integers_are_refused() {
    for bits in [31, 32, 63, 64, 127] {
        let end = 1u128 << bits;
        for power in [end - 1, end, end + 1] {
            for text in [format!("1e{power}"), format!("1e-{power}"), format!("1.5E-{power}"), format!("0e+{power}")] {
                let found = value(&text);
                assert!(matches!(found, Err(SyntaxError::LiteralTooLong { .. })), "{text}: {found:?}");
            }
        }
    }
}
