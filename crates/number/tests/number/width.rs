//! Of `number::width`.

use smoothish_number::number::Rational;
use smoothish_number::number::decimal::*;

#[test]
fn widths_are_exact_at_every_size() {
    let width = DecimalWidth::between_decimals;
    assert_eq!(width("0.33333", "0.33334").to_rational(), Some(Rational::from((1, 100_000))));
    assert_eq!(width("-1.5e-30", "2.5e-30").to_string(), "4e-30");
    assert_eq!(width("1.51e-4342945", "1.52e-4342945").to_string(), "1e-4342947");
    assert!(width("1.51e-4342945", "1.52e-4342945").is_at_most(&Rational::from((1, 10))));
    assert!(!width("1.51e4342945", "1.52e4342945").is_at_most(&Rational::from(10)));
    assert!(width("0", "1e-4342945") > width("0", "9e-4342946") && width("-inf", "0") > width("0", "1e4342945"));
    assert_eq!(width("-1e-4342945", "2").to_string(), "3", "rounded up");
    assert_eq!(width("-inf", "0").to_string(), "inf");
    assert_eq!(width("0.1", "0.1").to_string(), "0");
    assert!(width("0.1", "0.1") < width("0", "1e-4342945"));
}

#[test]
fn widths_are_shown_rounded_up() {
    for (lo, hi, shown) in [
        ("1", "1.00011", "1.1e-4"),
        ("0", "0.0999", "0.1"),
        ("0", "0.0481", "0.049"),
        ("0", "99.9", "100"),
        ("0", "12345", "13000"),
        ("0", "12345678", "1.3e7"),
        ("0", "9.99", "10"),
        ("0", "1.2", "1.2"),
    ] {
        assert_eq!(DecimalWidth::between_decimals(lo, hi).to_string(), shown, "{lo}, {hi}");
    }
}
