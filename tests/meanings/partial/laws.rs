//! The laws of partial maps on random programs.

use smoothish::law::partial::language_below_presheaves;
use smoothish::random::SplitMix64;
use smoothish::verdict::Verdict;
use smoothish::wrong::RuleSet;

/// Programs with functions, data, kinks and edges are cheap to try.
#[test]
fn the_whole_language_is_below_presheaves() {
    let rules = RuleSet::default();
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
