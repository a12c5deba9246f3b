//! Random functions in pieces.

use super::exact::{program, value};
use super::report;
use smoothish::audit::{AuditFinding, Claim};
use smoothish::number::Rational;
use smoothish::random::SplitMix64;
use smoothish::session::Session;
use std::collections::BTreeMap;

const SAMPLES: u64 = 1_500;
/// How many the long campaign has.
const MANY: u64 = 10_000;

#[test]
#[ignore = "a campaign"]
fn ten_thousand_findings_are_those_of_exact_arithmetic() {
    agree(MANY);
}

fn agree(samples: u64) {
    let session = Session::new();
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut kinks, mut unknown) = (0, 0);
    for sample in 0..samples {
        let mut random = SplitMix64::for_sample(20_261_123, sample);
        let at = Rational::from((random.next_below(5) as i32 - 2, 1 + random.next_below(2) as u32));
        let p = program(&mut random, 4, &at);
        let text = format!("\\x => {p}");
        let claimed = Rational::from((random.next_below(33) as i32 - 16, 4));
        let told = report(&session, &text, &at, &Claim::Number(claimed.clone())).finding;
        let here = value(&p, &at, 0).map(|q| q.line().unwrap()[0].clone());
        let sides = [-1, 1].map(|direction| value(&p, &at, direction).map(|q| q.line()));
        let (name, set) = match (&here, &sides) {
            (None, _) => ("NOT_DEFINED", None),
            (_, [None, _] | [_, None]) => ("ONE_SIDED", None),
            (Some(here), [Some(left), Some(right)]) => match (left, right) {
                (Some([a, down]), Some([b, up])) if a == here && b == here => {
                    let down = Rational::from(-down);
                    ("", Some([down.clone().min(up.clone()), down.max(up.clone())]))
                }
                _ => ("NOT_CONTINUOUS", None),
            },
        };
        let name = match &set {
            None => name,
            Some([lo, hi]) if *lo <= claimed && claimed <= *hi => "CERTIFIED_IN",
            Some(_) => "CERTIFIED_OUT",
        };
        if let AuditFinding::Unknown(why) = &told {
            assert!(text.contains("sqrt") || text.contains("cbrt"), "sample {sample}: {text} at {at}: {why}");
            unknown += 1;
            continue;
        }
        assert_eq!(told.name(), name, "sample {sample}: {text} at {at}, claim {claimed}: {told:?}");
        *found.entry(name).or_default() += 1;
        if let Some([lo, hi]) = set {
            kinks += usize::from(lo != hi);
            // the ends themselves, and numbers beside them
            for (claim, is_inside) in [
                (lo.clone(), true),
                (hi.clone(), true),
                (&lo - Rational::from((1, 1 << 20)), false),
                (&hi + Rational::from((1, 1 << 20)), false),
            ] {
                let told = report(&session, &text, &at, &Claim::Number(claim.clone())).finding;
                if let AuditFinding::Unknown(why) = &told {
                    assert!(text.contains("sqrt") || text.contains("cbrt"), "sample {sample}: {text} at {at}: {why}");
                    unknown += 1;
                    continue;
                }
                assert_eq!(
                    told == AuditFinding::Inside,
                    is_inside,
                    "sample {sample}: {text} at {at}, claim {claim}: {told:?}"
                );
                assert!(is_inside || matches!(told, AuditFinding::Outside(_)), "{text} at {at}: {told:?}");
            }
        }
    }
    println!("{found:?}, {kinks} with two slopes, {unknown} unknown");
    assert!(unknown * 100 <= samples, "{unknown} unknown");
    let share = |name: &str| found.get(name).copied().unwrap_or(0) as u64 * 100 / samples;
    for name in ["NOT_DEFINED", "ONE_SIDED", "NOT_CONTINUOUS", "CERTIFIED_IN"] {
        assert!(found.contains_key(name), "{name} never occurs: {found:?}");
    }
    assert!(share("CERTIFIED_IN") + share("CERTIFIED_OUT") >= 30 && kinks >= 50, "{found:?}, {kinks}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// The finding agrees with the limits of the slopes in exact arithmetic, for claims in the set and outside, or it is that nothing is
    /// known: where a number is 0 that is made by roots.
    #[test]
    fn findings_are_those_of_exact_arithmetic() {
        agree(SAMPLES);
    }
}
