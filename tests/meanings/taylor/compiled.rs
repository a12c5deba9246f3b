//! Compiled floating-point programs at a point, beside the same computed step by step.

use smoothish::law::agreement::derivatives::{DerivativePrograms, derivative_programs};
use smoothish::law::agreement::{
    AnswerPart, DisagreementReason, ModelAnswer, PartComparison, answer_parts, compare_answers, derivatives,
};
use smoothish::law::generate;
use smoothish::law::generate::{TermGenerator, TermVocabulary};
use smoothish::law::term::pair_type;
use smoothish::meaning;
use smoothish::number::budget::Budget;
use smoothish::number::{Rational, decimal};
use smoothish::random::SplitMix64;
use smoothish::syntax::ty::{Ty, TyKind};
use std::sync::Arc;
use std::time::Duration;

/// How many numbers of a row are as the enclosures say, as far as rounding goes, how many of these are not 0, and which are off; and of
/// which samples the last number is as they say, and of which it is not.
#[derive(Debug, Default)]
struct Found {
    right: usize,
    moving: usize,
    off: Vec<String>,
    right_at_last: Vec<u64>,
    off_at_last: Vec<u64>,
}

/// The rows that are judged: `float` and the derived program in `float`, step by step and compiled.
const ROWS: usize = 4;

/// A function with a vector for its value, one component of which is a vector.
fn with_vector(ty: &Ty) -> Ty {
    match ty.kind() {
        TyKind::Function(domain, codomain) => Ty::function(domain.clone(), with_vector(codomain)),
        _ => pair_type(Ty::real(), pair_type(Ty::real(), Ty::real())),
    }
}

/// The rows of random programs, where `wrong` has changed the compiled numbers, whose errors are estimated to be those.
fn compared(samples: u64, with_vectors: bool, wrong: impl Fn(&mut Vec<f64>, &[f64])) -> [Found; ROWS] {
    let eps = decimal::parse("1e-25").expect("a width");
    let mut found: [Found; ROWS] = Default::default();
    for index in 0..samples {
        let mut random = SplitMix64::for_sample(15, index);
        let several = index % 3 == 0;
        let count = 1 + usize::from(several);
        let point: Vec<_> = (0..count).map(|_| Rational::from((random.next_below(33) as i32 - 16, 8))).collect();
        let order = if several { 2 } else { 3 };
        let to = Ty::function(Ty::real(), Ty::real());
        let ty = if several { Ty::function(Ty::real(), to) } else { to };
        let ty = if with_vectors { with_vector(&ty) } else { ty };
        let vocabulary = if index % 2 == 0 { TermVocabulary::Derivable } else { TermVocabulary::Smooth };
        let program = TermGenerator::with_vocabulary(random, vocabulary).draw_using_scope(&ty, 14);
        let Ok((term, _)) = generate::data_library().infer_expression(&format!("({program} : {ty})")) else { continue };
        let Ok(DerivativePrograms { function_type: function, ty, nested, derived, basis, .. }) =
            derivative_programs(&term, &ty, &point, order)
        else {
            continue;
        };
        let Ok((derived, value)) = derived else { continue };
        let budget = || Arc::new(Budget::with_time_limit(Duration::from_secs(5)));
        let state = |name: &str, term| {
            let meaning = meaning::semantics_named(name).expect("a meaning");
            ModelAnswer::answer_of(meaning, term, &ty, &eps, &budget())
        };
        let mut rows = vec![state("presheaf", &nested), state("float", &nested), state("float", &value)];
        let compiled = [
            derivatives::compiled_derivatives(&term, &function, &point, &basis, &budget()),
            derivatives::macro_derivatives(&derived, &point, &basis, &budget()),
        ];
        for (place, numbers) in compiled.into_iter().enumerate() {
            let mut numbers = numbers.unwrap_or_else(|error| panic!("{program}: {error}"));
            let beside = rows[1 + place].outcome.as_ref().map_or_else(|_| Vec::new(), answer_parts);
            let estimate = |part: &AnswerPart| if let AnswerPart::Float { error, .. } = part { *error } else { 0.0 };
            let estimates: Vec<f64> = beside.iter().map(estimate).collect();
            wrong(&mut numbers, &estimates);
            let outcome = Ok(derivatives::float_answer(numbers, rows[1 + place].outcome.as_ref().ok()));
            rows.push(ModelAnswer { name: "compiled", encloses: false, outcome, elapsed: Duration::ZERO });
        }
        for ((row, judged), found) in rows.iter().zip(compare_answers(&rows)).skip(1).zip(&mut found) {
            let Ok(answer) = &row.outcome else { continue };
            let judged = judged.unwrap_or_default();
            match judged.last() {
                Some(PartComparison::Inside | PartComparison::Near(_)) => found.right_at_last.push(index),
                Some(PartComparison::Different(_)) => found.off_at_last.push(index),
                _ => {}
            }
            for (judged, part) in judged.into_iter().zip(answer_parts(answer)) {
                match judged {
                    PartComparison::Inside | PartComparison::Near(_) => {
                        found.right += 1;
                        found.moving += usize::from(!matches!(part, AnswerPart::Float { value: 0.0, .. }));
                    }
                    PartComparison::Different(DisagreementReason::OffByUlps(_)) => {
                        found.off.push(format!("{program} at {point:?}: {part:?} {judged}"));
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A last derivative that is off by more than its estimated error is seen in every sample in which the right one is confirmed.
    #[test]
    fn a_wrong_compiled_number_is_seen() {
        let nudge = |numbers: &mut Vec<f64>, estimates: &[f64]| {
            if let (Some(last), Some(error)) = (numbers.last_mut(), estimates.last()) {
                *last += 4.0 * error + (last.abs() + 0.5f64.powi(30)) * 0.5f64.powi(40);
            }
        };
        let (right, wrong) = (compared(60, false, |_, _| ()), compared(60, false, nudge));
        let compiled = right.iter().zip(&wrong).skip(ROWS - 2);
        for (right, wrong) in compiled {
            println!("{} right ones, {} wrong ones seen", right.right_at_last.len(), wrong.off_at_last.len());
            assert!(right.right_at_last.len() > 40, "{right:?}");
            let missed: Vec<_> =
                right.right_at_last.iter().filter(|index| !wrong.off_at_last.contains(index)).collect();
            assert!(missed.is_empty(), "not seen in samples {missed:?}");
        }
        // step by step the numbers are those that they were
        for (right, wrong) in right.iter().zip(&wrong).take(ROWS - 2) {
            assert_eq!(right.off_at_last, wrong.off_at_last);
        }
    }

    /// So are those with vectors for values: each number has the derivatives that it has alone.
    #[test]
    fn compiled_programs_of_vectors_compute_what_programs_do() {
        for found in compared(crate::drawn(480), true, |_, _| ()) {
            println!("{} right, {} of them not 0, {} off", found.right, found.moving, found.off.len());
            assert!(found.right > crate::drawn(6_000) as usize && found.moving * 10 > found.right * 7, "{found:?}");
            assert!(found.off.len() * 500 <= found.right, "{:#?}", found.off);
        }
        // two numbers that are exchanged are seen
        let [float, taylor, compiled, derived] =
            compared(30, true, |numbers, _| numbers.rotate_left(1)).map(|found| found.off.len());
        assert!(compiled > 100 && derived > 100, "{compiled}, {derived}");
        assert!((float + taylor) * 20 < compiled + derived, "{float}, {taylor}, {compiled}, {derived}");
    }

    /// Compiled, programs are as right as step by step: no more than one number of five hundred is off by more than the estimate, which is that of
    /// the steps.
    #[test]
    fn compiled_programs_compute_what_programs_do() {
        for found in compared(600, false, |_, _| ()) {
            println!("{} right, {} of them not 0, {} off", found.right, found.moving, found.off.len());
            assert!(found.right > 2_500 && found.moving * 10 > found.right * 9, "{found:?}");
            assert!(found.off.len() * 500 <= found.right, "{:#?}", found.off);
        }
    }
}
