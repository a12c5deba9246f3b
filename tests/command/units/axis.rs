//! Of `plot::axis`.

use smoothish::plot::axis::{parse_coordinate, power_of_ten, *};

#[track_caller]
fn has(low: &str, high: &str, most: u32, base: Option<&str>, expected: &[&str]) {
    let axis = Axis::new(&parse_coordinate(low).unwrap(), &parse_coordinate(high).unwrap(), most);
    let labels: Vec<_> = axis.ticks.iter().map(|t| t.label.as_str()).collect();
    assert_eq!((axis.base.as_deref(), &labels[..]), (base, expected), "{low} .. {high}");
}

#[test]
fn ticks_are_round_numbers() {
    has("-1", "1", 5, None, &["-1", "-0.5", "0", "0.5", "1"]);
    has("0", "1", 3, None, &["0", "0.5", "1"]);
    has("0.1", "0.9", 3, None, &["0.5"]);
    has("1/3", "2/3", 5, None, &["0.4", "0.5", "0.6"]);
    has("0", "1234567", 4, None, &["0", "500000", "1000000"]);
    has("0", "3e400", 4, None, &["0", "1e400", "2e400", "3e400"]);
    has("-2e-7", "3e-7", 4, None, &["-2e-7", "0", "2e-7"]);
    // each with an exponent of its own, as people write
    has("0", "1.2e-7", 8, None, &["0", "2e-8", "4e-8", "6e-8", "8e-8", "1e-7", "1.2e-7"]);
    has("0", "2e7", 5, None, &["0", "5e6", "1e7", "1.5e7", "2e7"]);
    has("1e-400", "2e-400", 3, None, &["1e-400", "1.5e-400", "2e-400"]);
}

#[test]
fn long_numbers_are_counted_from_a_base() {
    has("1", "1.0000000000000002", 3, Some("1"), &["+0", "+1e-16", "+2e-16"]);
    has("123456789012345678", "123456789012345679", 3, Some("123456789012345678"), &["+0", "+0.5", "+1"]);
}

#[test]
fn there_are_never_more_than_asked() {
    for exponent in [-401i32, -3, 0, 5, 300] {
        for n in 1..60u32 {
            let high = power_of_ten(exponent.into()) * n;
            for most in 2..9 {
                let axis = Axis::new(&(-high.clone() / 7u32), &high, most);
                assert!(!axis.ticks.is_empty() && axis.ticks.len() <= most as usize);
            }
        }
    }
}
