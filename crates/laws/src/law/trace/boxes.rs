//! The printed form of the boxes on which a trace is valid.

use crate::number::{Rational, decimal};
use crate::random::SplitMix64;
use crate::trace::neighbourhood::ValidityInterval;
use crate::verdict::Verdict;
use crate::wrong::TraceMutationHooks;

/// Tests that a printed range contains the point in its interior, and goes no farther than the exact range. Theorem 6.2
/// (2) speaks of an open set around the point. Ranges are drawn in all sizes, near the point on one side and far from
/// it on the other.
pub fn printed_box_holds_the_point(mut random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let mut all = Verdict::Vacuous;
    for _ in 0..8 {
        let number = |random: &mut SplitMix64| {
            let digits = Rational::from(1 + random.next_below(999) as i64);
            let power = (0..random.next_below(30)).fold(Rational::from(1), |power, _| power * 10);
            if random.random_bool(50) { digits * power } else { digits / power }
        };
        let sign = if random.random_bool(50) { -1 } else { 1 };
        let least = if random.random_bool(20) { Rational::new() } else { number(&mut random) * sign };
        // an irrational point is known by two rational bounds
        let most = if random.random_bool(50) { least.clone() } else { &least + number(&mut random) / 1000 };
        let end =
            // one range in five is unbounded on a side
            |random: &mut SplitMix64, from: &Rational, up: i64| (!random.random_bool(20)).then(|| from + number(random) * up);
        let (lo, hi) = (end(&mut random, &least, -1), end(&mut random, &most, 1));
        all = all.and(check_printed_range(&ValidityInterval { lo, hi, point: [least, most] }, rules));
    }
    all
}

/// Tests one printed range.
pub fn check_printed_range(range: &ValidityInterval, rules: &dyn TraceMutationHooks) -> Verdict {
    let [lo, hi] = rules.printed_range(range);
    let end = |text: &str| match text {
        "-inf" | "inf" => Ok(None),
        _ => decimal::parse(text).map(Some),
    };
    let (Ok(least), Ok(most)) = (end(&lo), end(&hi)) else {
        return Verdict::refuted(format!("{range:?}"), "two ends", format!("[{lo}, {hi}]"));
    };
    // printing rounds towards the point, but must not reach it
    let is_inside = |exact: &Option<Rational>, printed: &Option<Rational>, up: bool| match (exact, printed) {
        (None, None) => true,
        (Some(exact), Some(printed)) if up => printed <= exact && *printed > range.point[1],
        (Some(exact), Some(printed)) => printed >= exact && *printed < range.point[0],
        _ => false,
    };
    match is_inside(&range.lo, &least, false) && is_inside(&range.hi, &most, true) {
        true => Verdict::Survived,
        false => Verdict::refuted("a printed range", format!("{range:?}"), format!("[{lo}, {hi}]")),
    }
}
