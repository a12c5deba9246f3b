//! The laws of the operational semantics on random programs.

use smoothish::law::trace::generate::{Sample, Shape, sample};
use smoothish::law::trace::{LAWS, Outcome, trace, transposed, value};
use smoothish::number::Rational;
use smoothish::random::Random;
use smoothish::trace::environment::Environment;
use smoothish::trace::evaluation::Strategy;
use smoothish::trace::hooks::Library;
use smoothish::trace::limited::approximant;
use smoothish::trace::number::Rationals;
use smoothish::verdict::Verdict;

const SAMPLES: u64 = 100;

/// What the samples are like: a law about recursion says nothing where nothing recurs.
#[test]
fn samples_recur_branch_diverge_and_have_slopes() {
    let numbers = Rationals { bits: 2_000 };
    let (mut recursive, mut branching, mut undefined, mut sloped, mut all) = (0, 0, 0, 0, 0);
    for index in 0..SAMPLES {
        let mut sample = sample(Random::of(7, index));
        recursive += u64::from(sample.shape != Shape::Plain);
        sample.term = approximant(&sample.term, 6);
        for point in sample.points.clone() {
            all += 1;
            let rho = Environment::of(&sample.x, point.clone());
            let found = value(&numbers, &Library, Strategy::Accumulated, &rho, &sample.term);
            undefined += u64::from(found == Outcome::Undefined);
            branching += u64::from(differs(&sample, &rho));
            let slope = transposed(&sample, &sample.term, &point);
            sloped += u64::from(matches!(slope, Outcome::Defined(value) if value.reals().iter().any(|x| **x != 0)));
        }
    }
    println!(
        "of {SAMPLES} programs {recursive} recur; of {all} runs {branching} branch, {undefined} have no value, {sloped} have a slope"
    );
    assert!(recursive * 2 > SAMPLES && branching * 4 > all && undefined * 12 > all && sloped * 4 > all);
}

/// Whether the trace at a point leaves something out of the program.
fn differs(sample: &Sample, rho: &Environment<Rational>) -> bool {
    matches!(trace(&Library, rho, &sample.term), Outcome::Defined(_)) && !sample.term.is_trace()
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
                match law(Random::of(7, index), &Library) {
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
