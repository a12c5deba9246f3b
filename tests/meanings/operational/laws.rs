//! The laws of the operational semantics on random programs.

use smoothish::law::trace::{BRANCHES, HAS_SLOPE, RECURS, UNDEFINED, sample_contents};
use smoothish::random::SplitMix64;
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
