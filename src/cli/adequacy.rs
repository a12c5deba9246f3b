//! The command `adequacy`: tests operational against denotational semantics on random programs (A Thms 6.2 (1), 6.7).
//!
//! With `--mutants` it runs wrong rules instead, and prints the number of samples until a law refutes each of them.

use super::arguments::OutputFormat;
use super::eval::JSON_VERSION;
use super::status::Status;
use crate::glue::claim::MutantDetection;
use crate::law::adequacy::{AdequacyTally, BaseNumbers, mutant_catches};
use crate::session::Limits;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The options of `adequacy`.
#[derive(Debug, Args)]
pub struct AdequacyOptions {
    /// Number of programs
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub programs: u64,
    /// Seed of the programs: the same seed gives the same programs
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Numbers that the programs compute with
    #[arg(long, value_name = "NUMBERS", value_enum, default_value_t)]
    pub over: AdequacyNumbers,
    /// An earlier spelling of `smoothish mutants --of trace`, `--of partial` and `--of pieces`, over 10 seeds
    #[arg(long, alias = "wrong", hide = true, conflicts_with_all = ["programs", "seed", "over"])]
    pub mutants: bool,
    /// Wrong rules to test [default: all]
    #[arg(long = "rule", value_name = "NAME", requires = "mutants", value_parser = mutant_name_parser(), hide = true)]
    pub rules: Vec<String>,
    /// The output format
    #[command(flatten)]
    pub format: OutputFormat,
}

/// Returns the parser of `--rule`, which accepts the names of the wrong rules.
fn mutant_name_parser() -> PossibleValuesParser {
    // A set, since a rule is listed once for each law that refutes it.
    let names: BTreeSet<_> = mutant_catches().into_iter().map(|catch| catch.rule.name()).collect();
    PossibleValuesParser::new(names)
}

/// The numbers that the programs compute with, as values of `--over`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AdequacyNumbers {
    /// Rational numbers, on which every comparison is decided
    #[default]
    Rationals,
    /// Certified real numbers, at irrational points
    Reals,
}

/// The number of seeds of a median. A choice; the help of `--mutants` names it.
const MEDIAN_SEEDS: u64 = 10;

/// Tests random programs and prints the counts; with `--mutants`, prints the medians instead.
///
/// An interruption ends the work after the current program or median, and is said; the status is then no success.
///
/// # Errors
/// Errors of writing to `out`.
pub fn run_adequacy(options: &AdequacyOptions, limits: &Limits, out: &mut dyn Write) -> io::Result<Status> {
    if options.mutants {
        return print_median_samples(options, limits, out);
    }
    let over = match options.over {
        AdequacyNumbers::Rationals => BaseNumbers::Rationals,
        AdequacyNumbers::Reals => BaseNumbers::Reals,
    };
    let mut tally = AdequacyTally::default();
    for index in 0..options.programs {
        if limits.is_interrupted() {
            break;
        }
        tally.add_program(options.seed, index, over);
    }
    let AdequacyTally { programs, survived, vacuous, refuted, recursive, branching, diverging, nonconstant: moving } =
        &tally;
    for (index, verdict) in refuted {
        writeln!(out, "program {index}: {verdict}")?;
    }
    if options.format.is_json() {
        let whole = json!({
            "version": JSON_VERSION, "seed": options.seed, "programs": programs, "survived": survived,
            "vacuous": vacuous, "refuted": refuted.len(), "recursive": recursive, "branching": branching,
            "diverging": diverging, "moving": moving,
        });
        writeln!(out, "{whole}")?;
    } else {
        // An interrupted run may have counted no program; its shares are 0.
        let share = |n: &u64| 100.0 * *n as f64 / (*programs).max(1) as f64;
        writeln!(out, "{programs} programs of seed {}: {} refuted", options.seed, refuted.len())?;
        for (what, count) in [
            ("survived", survived),
            ("vacuous", vacuous),
            ("recursive", recursive),
            ("with a conditional", branching),
            ("not ended after 6 unfoldings, at a point", diverging),
            ("with a derivative that is not 0, at a point", moving),
        ] {
            writeln!(out, "{:>6.1} %  {what}", share(count))?;
        }
    }
    let was_interrupted = *programs < options.programs;
    if was_interrupted && !options.format.is_json() {
        writeln!(out, "interrupted: {programs} of {} were tried", options.programs)?;
    }
    // If all tests are vacuous, nothing was compared, and the status is no success.
    Ok(match (refuted.is_empty(), *survived) {
        (false, _) => Status::Refuted,
        (true, 0) => Status::Nothing,
        (true, _) if was_interrupted => Status::Nothing,
        (true, _) => Status::Reached,
    })
}

/// Prints the median number of samples until each wrong rule is refuted, for every law that is known to refute it.
///
/// The status is [`Status::Refuted`] if a law misses its rule for half of the seeds or more, within the limit of samples.
fn print_median_samples(options: &AdequacyOptions, limits: &Limits, out: &mut dyn Write) -> io::Result<Status> {
    let mut status = Status::Reached;
    let is_asked = |rule: &str| options.rules.is_empty() || options.rules.iter().any(|asked| asked == rule);
    let catches: Vec<_> = mutant_catches().into_iter().filter(|catch| is_asked(catch.rule.name())).collect();
    for (done, catch) in catches.iter().enumerate() {
        if limits.is_interrupted() {
            status = Status::worst_of([status, Status::Nothing]);
            if !options.format.is_json() {
                writeln!(out, "interrupted: {done} of {} were tried", catches.len())?;
            }
            break;
        }
        let needed = (0..MEDIAN_SEEDS).map(|seed| catch.samples_until_refuted(seed)).collect();
        let (rule, median) = (catch.rule.name(), MutantDetection { needed }.median_samples());
        // The law is at fault: it is listed as one that refutes the rule.
        if median.is_none() {
            status = Status::Refuted;
        }
        if options.format.is_json() {
            writeln!(out, "{}", json!({ "rule": rule, "law": catch.law, "median": median }))?;
        } else {
            let median = median.map_or("not refuted".to_owned(), |median| median.to_string());
            writeln!(out, "{rule:28} {:26} {median:>4}", catch.law)?;
        }
        // Without this, lines to a pipe would wait in the buffer until the end of all medians.
        out.flush()?;
    }
    Ok(status)
}
