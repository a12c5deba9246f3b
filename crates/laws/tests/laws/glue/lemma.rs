//! The fundamental lemma and Theorem 3; wrong macros and wrong relations are noticed.

use smoothish_laws::glue::lemma::{GluingSetup, fundamental_lemma, related_pairs, theorem_3};
use smoothish_laws::glue::trial::{TheoremOutcome, TheoremTest, TheoremTestConfig};

pub const RIGHT: GluingSetup = GluingSetup::STANDARD;

#[track_caller]
pub fn tried(statement: &TheoremTest<'_>, samples: u64) -> TheoremOutcome {
    let start = std::time::Instant::now();
    let outcome = statement.run_test(&TheoremTestConfig::new(crate::drawn(samples), 1)).unwrap();
    println!(
        "{} survived, {} vacuous, {:?} {:?}",
        outcome.survived,
        outcome.vacuous,
        start.elapsed(),
        outcome.untestable
    );
    outcome
}

#[track_caller]
pub fn holds(statement: &TheoremTest<'_>, samples: u64) {
    let outcome = tried(statement, samples);
    let samples = crate::drawn(samples);
    if let Some(refutation) = &outcome.refutation {
        panic!("\n{refutation}");
    }
    assert!(outcome.survived * 10 >= samples * 9, "{} of {samples} say something", outcome.survived);
    assert!(
        outcome.with_nonzero_slope * 10 >= samples * 8,
        "{} of {samples} have a derivative that is not 0",
        outcome.with_nonzero_slope
    );
    assert!(outcome.has_passed());
}

#[test]
fn what_is_drawn_as_related_is_related() {
    holds(&related_pairs(RIGHT), 100);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn theorem_3_holds() {
        holds(&theorem_3(RIGHT), 150);
    }

    #[test]
    fn related_plots_are_sent_to_related_plots() {
        holds(&fundamental_lemma(RIGHT), 100);
    }
}
