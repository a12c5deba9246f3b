//! The laws of partial maps on random programs.

use smoothish::law::partial::{LAWS, language_below_presheaves};
use smoothish::meaning::partial::{DefaultPartialHooks, PartialHooks};
use smoothish::random::SplitMix64;
use smoothish::verdict::Verdict;
use std::sync::Arc;

const SAMPLES: u64 = 80;

/// Programs with functions, data, kinks and edges are cheap to try.
#[test]
fn the_whole_language_is_below_presheaves() {
    let rules: Arc<dyn PartialHooks> = Arc::new(DefaultPartialHooks);
    let mut survived = 0;
    for index in 0..2_000 {
        match language_below_presheaves(SplitMix64::for_sample(12, index), &rules) {
            Verdict::Survived => survived += 1,
            Verdict::Vacuous => {}
            refuted => panic!("sample {index}: {refuted}"),
        }
    }
    println!("{survived} of 2000 samples say something");
    assert!(survived > 1_000);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn every_law_survives() {
        let rules: Arc<dyn PartialHooks> = Arc::new(DefaultPartialHooks);
        for (name, law) in LAWS {
            let start = std::time::Instant::now();
            let mut survived = 0;
            for index in 0..SAMPLES {
                match law(SplitMix64::for_sample(11, index), &rules) {
                    Verdict::Survived => survived += 1,
                    Verdict::Vacuous => {}
                    refuted => panic!("{name}, sample {index}: {refuted}"),
                }
            }
            println!("{name}: {survived} of {SAMPLES} samples say something {:?}", start.elapsed());
            // every seventh sample is a program without recursion, which is all that this one is about
            let least = if *name == "below_presheaves" { 8 } else { SAMPLES / 3 };
            assert!(survived >= least, "{name}: only {survived} of {SAMPLES} samples say something");
        }
    }
}
