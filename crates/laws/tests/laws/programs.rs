//! The laws of A and W about random programs, each with a wrong rule that it refutes.

use smoothish_laws::law::adequacy::{LAW_MUTANTS, judge_law, laws_of_programs, mutant_catches};
use smoothish_laws::law::generate::program::{DrawnProgram, Observation, draw_pieces_sample, draw_trace_sample};
use smoothish_laws::parallel::{available_threads, par_map};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::verdict::Verdict;
use smoothish_laws::wrong::{RuleSet, WrongRule};
use std::collections::HashMap;

/// The number of samples that the right rules survive. A choice.
const SAMPLES: u64 = 80;

/// A law that no wrong rule fails would say nothing, and a rule that no law tests could be any.
#[test]
fn every_law_has_a_wrong_rule_and_every_rule_a_law() {
    for (family, law) in laws_of_programs() {
        let rows = LAW_MUTANTS.iter().filter(|row| (row.0, row.1) == (family, law) && !row.2.is_empty()).count();
        assert_eq!(rows, 1, "{law} of {family:?}");
    }
    assert_eq!(LAW_MUTANTS.len(), laws_of_programs().len(), "a row names no law");
    for rule in WrongRule::all() {
        assert!(mutant_catches().iter().any(|catch| catch.rule == rule), "{} has no law", rule.name());
    }
}

/// The shares of programs and of points, in percent.
fn shares(samples: &[DrawnProgram]) -> HashMap<&'static str, u64> {
    let share = |count: usize, of: usize| (100 * count / of) as u64;
    let programs =
        |has: &dyn Fn(&DrawnProgram) -> bool| share(samples.iter().filter(|s| has(s)).count(), samples.len());
    let seen: Vec<_> = samples.iter().flat_map(|s| s.points.iter().map(|point| s.program.observe(point))).collect();
    let points = |has: &dyn Fn(&Observation) -> bool| share(seen.iter().filter(|seen| has(seen)).count(), seen.len());
    [
        ("several definitions", programs(&|s| s.program.features().definitions > 1)),
        ("pairs", programs(&|s| s.program.features().pairs)),
        ("nonlinear guards", programs(&|s| s.program.features().nonlinear_guard)),
        ("elementary functions", programs(&|s| s.program.features().functions)),
        ("function values", programs(&|s| s.program.features().function_values)),
        ("a recursion", programs(&|s| s.program.features().recursion)),
        ("a slope", programs(&|s| s.points.iter().any(|point| s.program.observe(point).moves()))),
        ("points on borders", points(&|seen| seen.touches)),
        ("decided points", points(&|seen| !seen.is_unknown())),
    ]
    .into()
}

/// Drawn programs have what the laws are about: a law about borders says nothing of programs without borders.
#[test]
fn samples_have_their_shares() {
    let stream = |index| SplitMix64::for_sample(3, index);
    let of_traces: Vec<_> = (0..400).map(|index| draw_trace_sample(stream(index)).drawn).collect();
    let of_pieces: Vec<_> = (0..400).map(|index| draw_pieces_sample(stream(index))).collect();
    for (samples, function_values) in [(of_traces, 0), (of_pieces, 15)] {
        let found = shares(&samples);
        println!("{found:?}");
        for (what, least) in [
            ("several definitions", 30),
            ("pairs", 30),
            ("nonlinear guards", 30),
            ("elementary functions", 40),
            ("function values", function_values),
            ("a recursion", 50),
            ("a slope", 80),
            ("points on borders", 40),
            ("decided points", 85),
        ] {
            assert!(found[what] >= least, "{what}: {} % of {least} %", found[what]);
        }
    }
}

/// The text of a program is the program: what a counterexample prints parses back, and has the same value.
#[test]
fn printed_programs_parse_back() {
    let library = smoothish_laws::law::generate::data_library();
    for index in 0..200 {
        let drawn = draw_pieces_sample(SplitMix64::for_sample(4, index));
        let text = drawn.program.to_string();
        let (term, ty) = library.infer_expression(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(ty, drawn.program.term().ty, "{text}");
        assert_eq!(term.to_string(), drawn.program.term().to_core().unwrap().to_string(), "{text}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Each law refutes its wrong rules within the limit of samples.
    #[test]
    fn every_wrong_rule_is_refuted() {
        refute_all(7..8);
    }

    /// Each law refutes its wrong rules on each of twenty seeds, which takes minutes.
    #[test]
    #[ignore = "minutes"]
    fn every_wrong_rule_is_refuted_on_twenty_seeds() {
        refute_all(0..20);
    }

    /// Each law refutes its wrong rules with each of these seeds.
    fn refute_all(seeds: std::ops::Range<u64>) {
        let mut missed = Vec::new();
        for catch in mutant_catches() {
            let start = std::time::Instant::now();
            let mut needed: Vec<Option<u64>> = seeds.clone().map(|seed| catch.samples_until_refuted(seed)).collect();
            needed.sort_unstable_by_key(|found| found.unwrap_or(u64::MAX));
            let (law, rule, median) = (catch.law, catch.rule.name(), needed[needed.len() / 2]);
            println!("{law:28} {rule:30} {median:?} at most {:?}, {:?}", needed.last(), start.elapsed());
            if needed.contains(&None) {
                missed.push(format!("{law} does not refute {rule}"));
            }
        }
        assert!(missed.is_empty(), "{missed:#?}");
    }

    /// No law is refuted with the rules of the library, and each claims something of a third of its samples.
    #[test]
    fn every_law_survives() {
        let rules = RuleSet::default();
        let judged = par_map(available_threads(), laws_of_programs(), |laws| {
            let judge = |(family, law)| {
                let start = std::time::Instant::now();
                let mut survived = 0;
                for index in 0..crate::drawn(SAMPLES) {
                    let verdict = judge_law(family, law, SplitMix64::for_sample(11, index), &rules).unwrap();
                    assert!(!verdict.is_refuted(), "{law}, sample {index}: {verdict}");
                    survived += u64::from(verdict == Verdict::Survived);
                }
                (law, survived, start.elapsed())
            };
            laws.into_iter().map(judge).collect()
        });
        for (law, survived, time) in judged {
            let samples = crate::drawn(SAMPLES);
            println!("{law}: {survived} of {samples} samples say something, {time:?}");
            assert!(survived * 3 >= samples, "{law}: {survived} of {samples}");
        }
    }
}
