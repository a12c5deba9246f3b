//! What is printed encloses what is meant, and is as short as the tolerance allows.
use rug::ops::Pow;
use rug::{Float, Integer, Rational};
use smoothish_number::number::{Decimals, Enclosure, decimal};

fn enclosure(lo: &str, hi: &str) -> Enclosure {
    let end = |text: &str| Float::with_val(2000, Float::parse(text).unwrap());
    Enclosure::new(end(lo), end(hi), true).unwrap()
}

fn eps(exponent: u32) -> Rational {
    decimal::parse(&format!("1e-{exponent}")).unwrap()
}

#[test]
fn ends_are_printed_outward_and_short() {
    for (lo, hi, exponent, expected) in [
        ("0", "1", 3, "[0, 1]"),
        ("-0.5", "0.5", 1, "[-0.5, 0.5]"),
        ("-0.40000000000001", "-0.39999999999999", 10, "[-0.400000000001, -0.399999999999]"),
        ("-inf", "inf", 3, "[-inf, inf]"),
        ("-inf", "-2.5", 3, "[-inf, -2.5]"),
        ("0.333333333333", "0.333333333334", 3, "[0.33333, 0.33334]"),
        ("1e400", "1e400", 3, "1e400"),
        ("1.2499999999949e-31", "1.2500000000051e-31", 40, "[1.24999999999e-31, 1.25000000001e-31]"),
        ("1.239e-31", "1.241e-31", 3, "[1.23e-31, 1.25e-31]"),
        ("-3.2001e-13", "5.1201e-13", 10, "[-0.000000000000321, 0.000000000000513]"),
        ("0", "0", 3, "0"),
        ("123456.70001234", "123456.79998765", 3, "[123456.70001, 123456.79999]"),
        ("1234567890123456789012345", "2234567890123456789012345", 3, "[1.234e24, 2.235e24]"),
        ("1.5", "inf", 3, "[1.5, inf]"),
        ("0.015625", "0.015625", 3, "0.015625"),
        ("9.9999999", "9.9999999", 3, "[9.99999, 10]"),
        ("-9.9999999", "-9.9999999", 3, "[-10, -9.99999]"),
    ] {
        assert_eq!(enclosure(lo, hi).print_decimals(&eps(exponent)).to_string(), expected, "{lo} {hi} {exponent}");
    }
}

#[test]
fn an_end_beyond_any_decimal_is_still_printed() {
    let huge = Float::with_val(64, Float::i_exp(3, 1_000_000_000));
    let tiny = Float::with_val(64, Float::i_exp(3, -1_000_000_000));
    let printed = Enclosure::new(tiny, huge, true).unwrap().print_decimals(&eps(6));
    assert_eq!(printed.lo(), "0");
    assert!(printed.hi().ends_with("e301029996"), "{printed}");
    assert!(printed.width().to_string().ends_with("e301029996"), "{}", printed.width());
}

#[test]
fn decimals_are_read_back_exactly() {
    assert_eq!(decimal::parse("-12.50").unwrap(), Rational::from((-25, 2)));
    assert_eq!(decimal::parse("2.5e-3").unwrap(), Rational::from((1, 400)));
    assert_eq!(decimal::parse("1E3").unwrap(), 1000);
    for wrong in ["", "inf", "1e", "--1", "1.2.3", "0x10", "1e5.0", "e5", ".", "٣"] {
        assert!(decimal::parse(wrong).is_err(), "{wrong}");
    }
    assert!(decimal::parse("1e999999999999999999999").is_err());
}

/// Numbers of very many bits beside a decimal of few digits, whose digits are all 0 or 9: printed outward, from few of their
/// bits, and with few digits where a hundred thousand would not show them.
#[test]
fn numbers_beside_a_decimal_are_printed_outward() {
    for exponent in [20_000u32, 109_998] {
        let power = Integer::from(10).pow(exponent);
        let bits = power.significant_bits() + 2;
        let end = |quarters: i32| Float::with_val(bits, &power) + Float::with_val(bits, quarters) / 4u32;
        for (lo, hi) in [(-1, 1), (0, 1), (-1, 0), (0, 0)] {
            let e = Enclosure::new(end(lo), end(hi), true).unwrap();
            let printed = e.print_decimals(&Rational::from((1, 1_000)));
            let [low, high] = [printed.lo(), printed.hi()].map(|text| decimal::parse(text).unwrap());
            assert!(low <= *e.lo() && high >= *e.hi(), "{exponent}: {lo}, {hi}");
            assert!((high == low) == (lo == hi), "{exponent}: {lo}, {hi}");
            assert!(
                exponent < 100_000 || printed.to_string().len() < 2_100,
                "{exponent}: {}",
                printed.to_string().len()
            );
        }
    }
    // the rule is one for all ends: far beyond any digits, of a number that is no decimal
    let huge = Enclosure::point(Float::with_val(53, 3) << 1_000_000_000).unwrap().print_decimals(&Rational::from(1));
    assert!(huge.lo().ends_with("e301029996") && huge.lo() != huge.hi() && huge.to_string().len() < 2_100);
}

#[test]
fn a_width_within_nine_tenths_of_eps_is_printed_within_eps() {
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 11
    };
    for _ in 0..2000 {
        let exponent = (random() % 60) as u32;
        let tolerance = eps(exponent);
        let lo = Rational::from((random() as i64 - (1i64 << 52), 1u64 << (random() % 60)));
        let part = Rational::from((random() % 1000, 1000));
        let hi = lo.clone() + Rational::from((9, 10)) * &tolerance * part;
        let e = Enclosure::new(Float::with_val(400, &lo), Float::with_val(400, &hi), true).unwrap();
        let printed: Decimals = e.print_decimals(&tolerance);
        assert!(decimal::parse(printed.lo()).unwrap() <= *e.lo(), "{printed}");
        assert!(decimal::parse(printed.hi()).unwrap() >= *e.hi(), "{printed}");
        assert!(printed.width().is_at_most(&tolerance), "{printed} for {tolerance}");
    }
}
