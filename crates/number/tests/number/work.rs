//! Of `number::work`.

use smoothish_number::function::SpecialId;
use smoothish_number::number::arithmetic::Function;
use smoothish_number::number::budget::*;

#[test]
fn longer_numbers_cost_more() {
    let f = |limbs| {
        [
            product_units(limbs),
            quotient_units(limbs),
            power_units(limbs, 1000),
            root_units(limbs, 7),
            function_units(Function::Atan, limbs, 0),
        ]
    };
    for n in 1..10_000 {
        assert!(f(n).iter().zip(f(n + 1)).all(|(less, more)| *less <= more), "{n}");
    }
    assert!(f(u64::MAX).iter().all(|&units| units > 1 << 60));
}

#[test]
fn far_angles_cost_what_reduces_them() {
    let at = |exponent| function_units(Function::Sin, 1, exponent);
    assert_eq!((at(-5_000), at(60), at(2_048)), (1, 1, 1));
    assert!(at(65_536) > 100_000 && function_units(Function::Exp, 1, 65_536) == 1);
}

/// Measured: 0.6 ms for 128 bits of 1 - erf 12, 15 ms for 2048 bits, 8 s for 8192 bits of 1 - erf 87; 25 µs for 128.
#[test]
fn error_functions_cost_the_more_the_farther_until_they_are_flat() {
    let microseconds =
        |bits, exponent| function_units(Function::Erf, limb_count(bits), exponent) * NANOSECONDS_PER_UNIT / 1000;
    assert!((600..6_000).contains(&microseconds(128, 4)) && (7_000..60_000).contains(&microseconds(2048, 4)));
    assert!(microseconds(8192, 7) > 4_000_000 && microseconds(128, 7) < 100 && microseconds(128, 1000) < 100);
    assert!(
        function_units(Function::Erf, u64::MAX, i64::MAX) > 1 << 60 && function_units(Function::Erf, 1, i64::MIN) < 100
    );
}

/// Measured: 0.2 ms for 128 bits of digamma, 10 ms for 1000 bits, 200 ms for 4000.
#[test]
fn gamma_functions_cost_what_their_steps_do_and_no_more_beyond_a_precision() {
    let microseconds = |n, bits| {
        function_units(SpecialId::Gamma.member(n).unwrap(), limb_count(bits), 0) * NANOSECONDS_PER_UNIT / 1000
    };
    assert!((200..2_000).contains(&microseconds(0, 128)) && (3_000..30_000).contains(&microseconds(0, 1000)));
    assert!((100_000..1_000_000).contains(&microseconds(0, 4000)) && microseconds(1000, 128) > 5_000);
    assert!(microseconds(0, 1 << 14) == microseconds(0, u32::MAX) && microseconds(0, 1 << 14) > 1_000_000);
}

/// Of a million bits, nothing that takes longer than the tenth of a second is taken for cheap.
#[test]
fn estimates_are_not_far_below() {
    let milliseconds = |units: u64| units * NANOSECONDS_PER_UNIT / 1_000_000;
    let n = limb_count(1 << 17);
    assert!(milliseconds(function_units(Function::Exp, n, 0)) >= 140 && milliseconds(root_units(n, 100)) >= 400);
    assert!(milliseconds(product_units(limb_count(1 << 22))) >= 100);
}
