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
