//! Of `plot::grid`.

use smoothish::number::{Rational, decimal};
use smoothish::plot::axis::*;

#[test]
fn borders_divide_the_interval_and_are_short_decimals() {
    for (from, to, columns) in [
        ("-1", "1", 7),
        ("0", "1", 360),
        ("1/3", "2/3", 10),
        ("1e400", "1.5e400", 100),
        ("-1e-400", "3e-400", 33),
        ("100000000000000000000", "100000000000000000001", 12),
        ("5", "6", 1),
    ] {
        let [a, b] = [from, to].map(|text| parse_coordinate(text).unwrap());
        let all = column_borders(&a, &b, columns);
        assert_eq!((all.len(), &all[0], &all[columns as usize]), (columns as usize + 1, &a, &b));
        let width = Rational::from(&b - &a) / columns;
        for (i, pair) in all.windows(2).enumerate() {
            let this = Rational::from(&pair[1] - &pair[0]);
            assert!((this / &width - Rational::from(1)).abs() < Rational::from((1, 400)), "{from} {to} {i}");
            assert!(i == 0 || decimal::print_exactly(&pair[0]).is_some());
        }
    }
}

#[test]
fn powers_of_ten_are_found() {
    for (text, n) in [("1", 0), ("0.99", -1), ("9.99", 0), ("1e-400", -400), ("12345", 4), ("1/3", -1)] {
        let q = parse_coordinate(text).unwrap();
        let found = decimal_exponent(&q);
        assert!((n - 1..=n).contains(&found) && power_of_ten(found) <= q, "{text}: {found}");
    }
}
