//! Of `number::double`.

use rug::float::Round;
use rug::{Float, Rational};
use smoothish_number::number::Double;
use smoothish_number::number::arithmetic::Context;
use smoothish_number::random::SplitMix64;

// A quotient of doubles where both parts are some; by MPFR where they are not, and here always.
#[test]
fn a_rational_has_the_next_doubles_on_either_side() {
    let mut random = SplitMix64::new(31);
    let (mut points, mut long) = (0, 0);
    for _ in 0..20_000 {
        let mut part = || {
            let part = random.next_below(1 << 62) >> random.next_below(62);
            // beside 2⁵³ too, and odd
            if random.next_below(8) == 0 { (1 << 53) - 2 + random.next_below(5) } else { part }
        };
        let (numerator, denominator) = (part() as i64, part().max(1));
        let q = Rational::from((if random.next_below(2) == 0 { numerator } else { -numerator }, denominator));
        let found = Double.enclose_rational(&q);
        let [lo, hi] = [Round::Down, Round::Up].map(|round| Float::with_val_round(53, &q, round).0.to_f64());
        assert_eq!([*found.lo(), *found.hi()], [lo, hi], "{q}");
        points += usize::from(lo == hi);
        long += usize::from(q.numer().significant_bits().max(q.denom().significant_bits()) > 53);
    }
    assert!(points > 500 && points < 10_000 && long > 2_000 && long < 18_000, "{points} {long}");
}
