//! The laws of the operational semantics on random programs.

use smoothish::law::trace::generate::{ProgramShape, TraceSample, draw_sample};
use smoothish::law::trace::{LAWS, RunOutcome, run_ordinary, run_symbolic, transposed_by_forward_mode};
use smoothish::number::Rational;
use smoothish::random::SplitMix64;
use smoothish::trace::evaluation::{DefaultTraceHooks, Strategy};
use smoothish::trace::number::Rationals;
use smoothish::trace::term::approximant;
use smoothish::trace::typing::CoreEnvironment;
use smoothish::verdict::Verdict;

const SAMPLES: u64 = 100;

/// What the samples are like: a law about recursion says nothing where nothing recurs.
#[test]
fn samples_recur_branch_diverge_and_have_slopes() {
    let numbers = Rationals { max_bits: 2_000 };
    let (mut recursive, mut branching, mut undefined, mut sloped, mut all) = (0, 0, 0, 0, 0);
    for index in 0..SAMPLES {
        let mut sample = draw_sample(SplitMix64::for_sample(7, index));
        recursive += u64::from(sample.shape != ProgramShape::Plain);
        sample.term = approximant(&sample.term, 6);
        for point in sample.points.clone() {
            all += 1;
            let rho = CoreEnvironment::of_variable(&sample.x, point.clone());
            let found = run_ordinary(&numbers, &DefaultTraceHooks, Strategy::Accumulated, &rho, &sample.term);
            undefined += u64::from(found == RunOutcome::Undefined);
            branching += u64::from(differs(&sample, &rho));
            let slope = transposed_by_forward_mode(&sample, &sample.term, &point);
            sloped += u64::from(
                matches!(slope, RunOutcome::Defined(value) if value.real_components().iter().any(|x| **x != 0)),
            );
        }
    }
    println!(
        "of {SAMPLES} programs {recursive} recur; of {all} runs {branching} branch, {undefined} have no value, {sloped} have a slope"
    );
    assert!(recursive * 2 > SAMPLES && branching * 4 > all && undefined * 12 > all && sloped * 4 > all);
}

/// Whether the trace at a point leaves something out of the program.
fn differs(sample: &TraceSample, rho: &CoreEnvironment<Rational>) -> bool {
    matches!(run_symbolic(&DefaultTraceHooks, rho, &sample.term), RunOutcome::Defined(_)) && !sample.term.is_trace()
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
