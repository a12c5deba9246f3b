//! The laws of the operational semantics on random programs.

use smoothish::law::trace::{BRANCHES, HAS_SLOPE, LAWS, RECURS, UNDEFINED, sample_contents};
use smoothish::random::SplitMix64;
use smoothish::trace::evaluation::DefaultTraceHooks;
use smoothish::verdict::Verdict;
use std::collections::HashMap;

const SAMPLES: u64 = 100;

/// What the samples are like: a law about recursion says nothing where nothing recurs.
#[test]
fn samples_recur_branch_diverge_and_have_slopes() {
    let mut found: HashMap<&str, u64> = HashMap::new();
    for index in 0..SAMPLES {
        for what in sample_contents(SplitMix64::for_sample(7, index)) {
            *found.entry(what).or_default() += 1;
        }
    }
    println!("of {SAMPLES} samples {found:?}");
    assert!([RECURS, BRANCHES, HAS_SLOPE].iter().all(|what| found[what] * 2 > SAMPLES), "{found:?}");
    assert!(found[UNDEFINED] * 4 > SAMPLES, "{found:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn every_law_survives() {
        for (name, law) in LAWS {
            let start = std::time::Instant::now();
            let mut survived = 0;
            for index in 0..SAMPLES {
                match law(SplitMix64::for_sample(7, index), &DefaultTraceHooks) {
                    Verdict::Survived => survived += 1,
                    Verdict::Vacuous => {}
                    refuted => panic!("{name}, sample {index}: {refuted}"),
                }
            }
            println!("{name}: {survived} of {SAMPLES} samples say something {:?}", start.elapsed());
            assert!(survived * 3 > SAMPLES, "{name}: only {survived} of {SAMPLES} samples say something");
        }
    }
}
