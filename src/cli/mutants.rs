//! The command `mutants`: mutation testing of the library's rules.
//!
//! A mutant is the model `presheaf`, or the Taylor macro, with one rule replaced by a wrong one. Every mutant must be caught:
//! refuted by a statement, which is a claim or a law of a theory. A theory may list statements that must all refute a
//! mutant. The mutant that always answers ⊥ counts as caught if no statement survives in it.
//!
//! # The option `mutants --of`
//!
//! The Taylor macro is the program transformation of H §3. With `--of macro`, wrong rules of it are tested on the theorems of H
//! about it instead, with the number of random samples that each theorem needs to refute each rule. The other families of
//! rules are tested on their laws. A line is printed as each mutant ends, so that a run that is cut leaves the lines of
//! what was tested.

use super::arguments::{MutantKind, MutantsOptions};
use super::check::select_theories;
use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Progress;
use super::status::Status;
use crate::glue::claim::{ABOUT_THE_MACRO, MutantDetection};
use crate::glue::lemma::{GluingSetup, determination};
use crate::glue::object::WrongClause;
use crate::glue::theorems::{SAMPLES, Theorem, find_theorem};
use crate::glue::trial::TheoremTestConfig;
use crate::law::adequacy::{LawFamily, MutantCatch, mutant_catches};
use crate::law::derived::{self, SOLVER_MUTANTS};
use crate::law::measure::{self, MEASURE_MUTANTS, ProgramReader};
use crate::law::sampler::{self, SAMPLER_MUTANTS};
use crate::law::theorem::{PAPER_THEOREMS, TheoremRun};
use crate::session::Diagnostic;
use crate::theory::mutants::{MutantOutcome, MutantReport};
use crate::theory::trial::StatementTestConfig;
use crate::theory::{Theory, mutants};
use crate::wrong::{MacroMutant, Mutant};
use serde_json::{Value as Json, json};
use std::io;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The default number of samples that a law must survive. A choice.
const DEFAULT_SAMPLES: u64 = 100;

/// Tests the named mutants, or all, on the named theories, or all. With `--list`, prints their rules instead; with `--macro`,
/// calls [`run_wrong_macros`].
///
/// | status | |
/// |---|---|
/// | 0 | every mutant is caught |
/// | 1 | some mutant is not caught, or a statement that a theory lists does not refute it |
/// | 2 | a name or a theory is wrong |
/// | 4 | the test was interrupted, and every mutant tested before is caught |
///
/// # Errors
/// Errors of writing to `out` or `err`.
pub fn run_mutants(
    options: &MutantsOptions,
    library: &TheorySession,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let kind = if options.of_macro { MutantKind::Macro } else { options.of };
    if kind != MutantKind::Theory {
        if !options.theories.is_empty() || options.search || options.verbose {
            let fault = "error: theories, --search and --verbose are for mutants of theories";
            let help = "\n  = help: leave them out, or leave out --of";
            let refusal = Diagnostic::invalid_input(format!("{fault}{help}"));
            writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
            return Ok(Status::from(refusal.kind));
        }
        return match kind {
            MutantKind::Macro => run_wrong_macros(options, library.shows_progress, interrupted, out, err),
            _ => run_family(kind, options, library, interrupted, out, err),
        };
    }
    // Theories and mutants are both looked up first, so that a misspelt name is refused before anything is tested.
    let prepared =
        select_theories(&options.theories, library).and_then(|chosen| Ok((chosen, find_mutants(&options.mutant)?)));
    let ((theories, names), mutants) = match prepared {
        Ok(prepared) => prepared,
        Err(refusal) => {
            writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
            return Ok(Status::from(refusal.kind));
        }
    };
    if options.list {
        return mutants.iter().try_for_each(|mutant| print_rule(mutant, options, out)).map(|()| Status::Reached);
    }
    let chosen: Vec<&Theory> = names.iter().filter_map(|name| theories.find_theory(name)).collect();
    let effort = StatementTestConfig {
        samples: options.samples.unwrap_or(DEFAULT_SAMPLES),
        seed: options.seed,
        timeout: options.timeout.0,
        interrupted: interrupted.clone(),
    };
    let modules = Arc::new(theories.library().clone());
    let progress = library.shows_progress.then(|| Progress::new("", None, Box::new(io::stderr())));
    let threads = crate::parallel::available_threads();
    let (mut done, mut caught, mut result) = (0, 0, Ok(()));
    mutants::test_mutants(&modules, &chosen, &mutants, &effort, threads, options.search, |finding| {
        // An interrupted test was stopped before all of its samples, so its result is not counted.
        if effort.interrupted.load(Ordering::Relaxed) {
            return;
        }
        done += 1;
        caught += usize::from(finding.is_caught());
        // A line that is still shown would run into the finding.
        progress.iter().for_each(Progress::hide_line);
        if result.is_ok() {
            result = print_finding(&finding, options, out);
        }
        if let Some(progress) = &progress {
            progress.set_work(format!("{done} of {} mutants", mutants.len()));
        }
        if result.is_err() {
            // The output cannot be written, as when a pipe is closed: end the tests that still run.
            effort.interrupted.store(true, Ordering::Relaxed);
        }
    });
    drop(progress);
    result?;
    if !options.format.is_json() && !options.format.is_short() {
        writeln!(out, "\n{caught} of {done} mutants are caught")?;
    }
    // Status 1: the laws are too weak to catch some mutant, or a listed statement does not refute its mutant.
    let mut status = if caught == done { Status::Reached } else { Status::Refuted };
    if effort.interrupted.load(Ordering::Relaxed) {
        status = Status::worst_of([status, Status::Nothing]);
        if !options.format.is_json() {
            writeln!(out, "interrupted: {done} of {} were tried", mutants.len())?;
        }
    }
    out.flush()?;
    Ok(status)
}

/// Finds the mutants of these names, or all without names.
///
/// # Errors
/// A diagnostic with the nearest name, if there is no mutant of a name.
fn find_mutants(names: &[String]) -> Result<Vec<&'static Mutant>, Diagnostic> {
    let all = mutants::all_mutants();
    if names.is_empty() {
        return Ok(all.iter().collect());
    }
    let find = |name: &String| {
        all.iter().find(|mutant| mutant.0.name() == name).ok_or_else(|| {
            let fault = format!("there is no mutant `{name}`; smoothish mutants --list shows all");
            Diagnostic::unknown_name(fault, name, all.iter().map(|mutant| mutant.0.name()))
        })
    };
    names.iter().map(find).collect()
}

/// Prints the name of a mutant, the rule that it replaces, and its own rule.
fn print_rule(mutant: &Mutant, options: &MutantsOptions, out: &mut dyn Write) -> io::Result<()> {
    let (name, rule, instead) = (mutant.0.name(), mutant.0.rule(), mutant.0.instead());
    if options.format.is_json() {
        return writeln!(
            out,
            "{}",
            json!({ "version": JSON_VERSION, "mutant": name, "rule": rule, "instead": instead })
        );
    }
    writeln!(out, "{name}\n    rule     {rule}\n    instead  {instead}")
}

/// Prints the result of testing one mutant; in the short format, only of a mutant that is not caught.
fn print_finding(finding: &MutantReport<'_>, options: &MutantsOptions, out: &mut dyn Write) -> io::Result<()> {
    let MutantReport { mutant, outcome: fate, missed, tried, .. } = finding;
    let name = mutant.0.name();
    if options.format.is_json() {
        return writeln!(out, "{}", to_json(finding));
    }
    let fate = match fate {
        MutantOutcome::Caught(by, _) => format!("caught by {}", by.full_name()),
        MutantOutcome::NothingSurvives { refuted, vacuous } => {
            format!("refuted by {refuted}, vacuous in {vacuous}, survives none")
        }
        MutantOutcome::NotCaught(by) if by.is_empty() => format!("ALIVE after {tried} statements"),
        MutantOutcome::NotCaught(by) => {
            let names: Vec<String> = by.iter().map(|statement| statement.full_name()).collect();
            format!("ALIVE: survives {}", names.join(", "))
        }
    };
    if options.format.is_short() {
        // The short format has one line for each problem, as that of `check`.
        return if finding.is_caught() { Ok(()) } else { writeln!(out, "{name}: {fate}") };
    }
    writeln!(out, "{name:28} {fate}")?;
    if options.verbose {
        writeln!(out, "    rule     {}\n    instead  {}", mutant.0.rule(), mutant.0.instead())?;
        if let MutantOutcome::Caught(_, refuted) = &finding.outcome {
            if let Some(program) = &refuted.program {
                writeln!(out, "    at       {program}")?;
            }
            writeln!(out, "    left     {}\n    right    {}", refuted.left, refuted.right)?;
        }
    }
    missed.iter().try_for_each(|statement| writeln!(out, "    NOT REFUTED by {}, as was said", statement.full_name()))
}

/// Converts the result of testing one mutant to a JSON object.
///
/// The value of `fate` is `caught`, `alive`, or `silent` for the mutant that always answers ⊥ if no statement survives in it.
fn to_json(finding: &MutantReport<'_>) -> Json {
    let mutation = finding.mutant.0;
    let mut object = json!({
        "version": JSON_VERSION, "mutant": mutation.name(), "rule": mutation.rule(), "instead": mutation.instead(),
        "tried": finding.tried,
    });
    match &finding.outcome {
        MutantOutcome::Caught(by, refuted) => {
            object["fate"] = json!("caught");
            object["by"] = json!(by.full_name());
            object["left"] = json!(refuted.left);
            object["right"] = json!(refuted.right);
            if let Some(program) = &refuted.program {
                object["program"] = json!(program);
            }
        }
        MutantOutcome::NothingSurvives { refuted, vacuous } => {
            object["fate"] = json!("silent");
            object["refuted"] = json!(refuted);
            object["vacuous"] = json!(vacuous);
        }
        MutantOutcome::NotCaught(by) => {
            object["fate"] = json!("alive");
            object["survives"] = json!(by.iter().map(|statement| statement.full_name()).collect::<Vec<_>>());
        }
    }
    if !finding.missed.is_empty() {
        object["missed"] = json!(finding.missed.iter().map(|statement| statement.full_name()).collect::<Vec<_>>());
    }
    object["ms"] = json!((finding.elapsed.as_secs_f64() * 1e6).round() / 1e3);
    object
}

/// Tests the named wrong macros, or all, on the theorems about the macro, with the seeds 0, 1, ….
///
/// A wrong macro is the Taylor macro with one rule replaced. The status is 1 if some wrong macro is caught by no theorem, and
/// 4, without a table, after an interruption.
///
/// # Errors
/// Errors of writing to `out` or `err`.
pub fn run_wrong_macros(
    options: &MutantsOptions,
    shows_progress: bool,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let macros = match find_wrong_macros(&options.mutant) {
        Ok(macros) => macros,
        Err(refusal) => {
            writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
            return Ok(Status::from(refusal.kind));
        }
    };
    if options.list {
        return macros.iter().try_for_each(|wrong| print_macro_rule(wrong, options, out)).map(|()| Status::Reached);
    }
    // The theorem `initiality` is not among these: it derives more than the one program that wrong macros may share.
    let theorems: Vec<&Theorem> = ABOUT_THE_MACRO.iter().filter_map(|name| find_theorem(name)).collect();
    let trials = TheoremTestConfig {
        interrupted: interrupted.clone(),
        ..TheoremTestConfig::new(options.samples.unwrap_or(SAMPLES), 0)
    };
    let progress = shows_progress.then(|| Progress::new("", None, Box::new(io::stderr())));
    let seeds = options.seeds.unwrap_or(MACRO_SEEDS);
    if !options.format.is_json() {
        writeln!(out, "{:30} {}", "samples until refuted", ABOUT_THE_MACRO.join("  "))?;
        out.flush()?;
    }
    let (mut done, mut caught) = (0, 0);
    for wrong in &macros {
        let mut row = Vec::new();
        for theorem in &theorems {
            if let Some(progress) = &progress {
                progress.set_work(format!("{done} of {} mutants: {} by {}", macros.len(), wrong.name, theorem.name));
            }
            match MutantDetection::detect_mutants(theorem, &[wrong.rules], seeds, true, &trials) {
                Ok(noticed) => row.extend(noticed.into_iter().map(|noticed| (theorem.name, noticed))),
                Err(error) => {
                    let refusal = Diagnostic::invalid_input(format!("error: {}: {error}", theorem.name));
                    drop(progress);
                    writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
                    return Ok(Status::from(refusal.kind));
                }
            }
        }
        if interrupted.load(Ordering::Relaxed) {
            // Medians over a part of the seeds would mislead, so this mutant has no line.
            break;
        }
        done += 1;
        // A wrong macro counts as caught only if one theorem refutes it with every seed.
        caught += usize::from(row.iter().any(|(_, noticed)| noticed.is_always_refuted()));
        progress.iter().for_each(Progress::hide_line);
        let row: Vec<_> = row.iter().map(|(name, noticed)| (*name, noticed)).collect();
        print_medians(wrong, &row, options, out)?;
        out.flush()?;
    }
    drop(progress);
    if !options.format.is_json() {
        let plural = if seeds == 1 { "" } else { "s" };
        writeln!(
            out,
            "\n{caught} of {done} wrong macros are refuted by some theorem with each of {seeds} seed{plural}"
        )?;
    }
    finish_table(caught, done, macros.len(), options, out)
}

/// Ends a table of mutants, and returns its status: refuted if a mutant was not caught, no information if it was cut.
fn finish_table(
    caught: usize,
    done: usize,
    all: usize,
    options: &MutantsOptions,
    out: &mut dyn Write,
) -> io::Result<Status> {
    let mut status = if caught == done { Status::Reached } else { Status::Refuted };
    if done < all {
        status = Status::worst_of([status, Status::Nothing]);
        if !options.format.is_json() {
            writeln!(out, "interrupted: {done} of {all} were tried")?;
        }
    }
    out.flush()?;
    Ok(status)
}

/// The default number of seeds for each wrong macro, and for each clause of the relation. A choice.
const MACRO_SEEDS: u64 = 20;
/// The default number of seeds for the other families. A choice: a law of programs takes seconds.
const FAMILY_SEEDS: u64 = 3;

/// A mutant of a family, with the law that is to refute it.
struct FamilyMutant<'l> {
    name: String,
    rule: String,
    instead: String,
    law: String,
    /// Returns the number of samples of a seed until the law refutes. `None` if it does not.
    needed: Box<dyn Fn(u64) -> Option<u64> + 'l>,
}

/// Returns the mutants of a family.
fn family_mutants<'l>(
    kind: MutantKind,
    samples: u64,
    read: ProgramReader<'l>,
    interrupted: &Arc<AtomicBool>,
) -> Vec<FamilyMutant<'l>> {
    let trials = |seed| TheoremTestConfig { interrupted: interrupted.clone(), ..TheoremTestConfig::new(samples, seed) };
    let of_catches = |families: &[LawFamily]| {
        let all = mutant_catches().into_iter().filter(|catch: &MutantCatch| families.contains(&catch.family));
        let mutants = all.map(|catch| {
            let [rule, instead] = catch.rule.rule_texts().map(str::to_owned);
            let (name, law) = (catch.rule.name().to_owned(), catch.law.to_owned());
            FamilyMutant { name, rule, instead, law, needed: Box::new(move |seed| catch.samples_until_refuted(seed)) }
        });
        mutants.collect::<Vec<_>>()
    };
    match kind {
        MutantKind::Theory | MutantKind::Macro => Vec::new(),
        MutantKind::Trace => of_catches(&[LawFamily::Trace]),
        MutantKind::Partial => of_catches(&[LawFamily::Partial]),
        MutantKind::Pieces => of_catches(&[LawFamily::Pieces]),
        MutantKind::Law => {
            let mut mutants = of_catches(&[LawFamily::Trace, LawFamily::Partial, LawFamily::Pieces]);
            mutants.extend(family_mutants(MutantKind::Measure, samples, read, interrupted));
            mutants.extend(SAMPLER_MUTANTS.iter().map(|(rule, law)| FamilyMutant {
                name: rule.name().to_owned(),
                rule: rule.rule().to_owned(),
                instead: rule.instead().to_owned(),
                law: (*law).to_owned(),
                needed: Box::new(move |seed| sampler::samples_until_refuted(rule, law, seed, read)),
            }));
            mutants
        }
        MutantKind::Solver => {
            let mutants = SOLVER_MUTANTS.iter().map(|&(rule, name, law)| FamilyMutant {
                name: rule.name().to_owned(),
                rule: rule.rule().to_owned(),
                instead: rule.instead().to_owned(),
                law: name.to_owned(),
                needed: Box::new(move |seed| derived::samples_until_refuted(rule, law, seed)),
            });
            mutants.collect()
        }
        MutantKind::Measure => {
            let mutants = MEASURE_MUTANTS.iter().map(|(rule, law)| FamilyMutant {
                name: rule.name().to_owned(),
                rule: rule.rule().to_owned(),
                instead: rule.instead().to_owned(),
                law: (*law).to_owned(),
                needed: Box::new(move |seed| measure::samples_until_refuted(rule, law, seed, read)),
            });
            mutants.collect()
        }
        MutantKind::Relation => {
            let mutants = WrongClause::ALL.iter().map(|rule| {
                let trials = trials(0);
                FamilyMutant {
                    name: rule.name().to_owned(),
                    rule: rule.rule().to_owned(),
                    instead: rule.instead().to_owned(),
                    law: "determination".to_owned(),
                    needed: Box::new(move |seed| {
                        let test = determination(GluingSetup { relation: Some(rule), ..GluingSetup::default() });
                        let found = test.refuted_at(&TheoremTestConfig { seed, ..trials.clone() });
                        // An error would be one of k and R, which are not given here.
                        found.ok().flatten().map(|index| index + 1)
                    }),
                }
            });
            mutants.collect()
        }
        MutantKind::Statement => {
            let versions = PAPER_THEOREMS.iter().flat_map(|theorem| {
                theorem.wrong_versions().into_iter().enumerate().map(move |(index, wrong)| (theorem, index, wrong))
            });
            let mutants = versions.map(|(theorem, index, wrong)| {
                let trials = TheoremRun { interrupted: interrupted.clone(), ..TheoremRun::new(samples, 0) };
                FamilyMutant {
                    name: theorem.name.to_owned(),
                    rule: theorem.summary.to_owned(),
                    instead: wrong.to_owned(),
                    law: wrong.to_owned(),
                    needed: Box::new(move |seed| {
                        let outcome = theorem.run_test(&TheoremRun { seed, ..trials.clone() }, Some(index));
                        outcome.refutation.map(|refuted| refuted.index + 1)
                    }),
                }
            });
            mutants.collect()
        }
    }
}

/// Tests the mutants of a family on their laws, with several seeds each. Of each, the median and the most of the samples until the law
/// refutes are printed.
fn run_family(
    kind: MutantKind,
    options: &MutantsOptions,
    library: &TheorySession,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let modules = library.modules();
    let read = |text: &str| modules.infer_expression(text).ok().map(|(term, _)| term);
    let mut mutants = family_mutants(kind, options.samples.unwrap_or(SAMPLES), &read, interrupted);
    let all_names: Vec<String> = mutants.iter().map(|mutant| mutant.name.clone()).collect();
    if let Some(unknown) = options.mutant.iter().find(|name| !all_names.contains(name)) {
        let fault = format!("there is no mutant `{unknown}` of this kind; --list shows all");
        let refusal = Diagnostic::unknown_name(fault, unknown, all_names.iter().map(String::as_str));
        writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
        return Ok(Status::from(refusal.kind));
    }
    mutants.retain(|mutant| options.mutant.is_empty() || options.mutant.contains(&mutant.name));
    if options.list {
        for FamilyMutant { name, rule, instead, .. } in &mutants {
            if options.format.is_json() {
                let object = json!({ "version": JSON_VERSION, "mutant": name, "rule": rule, "instead": instead });
                writeln!(out, "{object}")?;
            } else {
                writeln!(out, "{name}\n    rule     {rule}\n    instead  {instead}")?;
            }
        }
        return Ok(Status::Reached);
    }
    let default = if kind == MutantKind::Relation { MACRO_SEEDS } else { FAMILY_SEEDS };
    let seeds = options.seeds.unwrap_or(default);
    let progress = library.shows_progress.then(|| Progress::new("", None, Box::new(io::stderr())));
    if !options.format.is_json() {
        writeln!(out, "{:28} {:28} median  most", "wrong rule", "law")?;
    }
    let (mut done, mut caught) = (0, 0);
    for FamilyMutant { name, law, needed, .. } in &mutants {
        let mut noticed = MutantDetection::default();
        for seed in options.seed..options.seed.saturating_add(seeds) {
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
            if let Some(progress) = &progress {
                progress.set_work(format!("{done} of {} mutants: {name}, seed {seed}", mutants.len()));
            }
            noticed.needed.push(needed(seed));
        }
        if interrupted.load(Ordering::Relaxed) {
            // A median over a part of the seeds would mislead, so this mutant has no line.
            break;
        }
        done += 1;
        caught += usize::from(noticed.is_always_refuted());
        progress.iter().for_each(Progress::hide_line);
        if options.format.is_json() {
            let object = json!({ "version": JSON_VERSION, "mutant": name, "law": law, "samples": noticed.needed });
            writeln!(out, "{object}")?;
        } else {
            let most = noticed.needed.iter().flatten().max().map_or_else(|| "–".to_owned(), u64::to_string);
            writeln!(out, "{name:28} {law:28} {:>6} {most:>5}", format_median(&noticed))?;
        }
        out.flush()?;
    }
    drop(progress);
    if !options.format.is_json() {
        let plural = if seeds == 1 { "" } else { "s" };
        writeln!(out, "\n{caught} of {done} mutants are refuted by their law with each of {seeds} seed{plural}")?;
    }
    finish_table(caught, done, mutants.len(), options, out)
}

/// Formats the median of the samples that were needed, with `*` if not every seed refutes.
fn format_median(noticed: &MutantDetection) -> String {
    match noticed.median_samples() {
        None => "–".to_owned(),
        Some(median) if noticed.is_always_refuted() => median.to_string(),
        Some(median) => format!("{median}*"),
    }
}

/// Finds the wrong macros of these names, or all without names.
///
/// # Errors
/// A diagnostic with the nearest name, if there is no wrong macro of a name.
fn find_wrong_macros(names: &[String]) -> Result<Vec<MacroMutant>, Diagnostic> {
    let all = MacroMutant::all();
    if names.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        all.iter().find(|wrong| wrong.name == *name).cloned().ok_or_else(|| {
            let fault = format!("there is no wrong macro `{name}`; smoothish mutants --of macro --list shows all");
            Diagnostic::unknown_name(fault, name, all.iter().map(|wrong| wrong.name.as_str()))
        })
    };
    names.iter().map(find).collect()
}

/// Prints the name of a wrong macro, the rule that it replaces, and its own rule.
fn print_macro_rule(wrong: &MacroMutant, options: &MutantsOptions, out: &mut dyn Write) -> io::Result<()> {
    let MacroMutant { name, rule, instead, .. } = wrong;
    if options.format.is_json() {
        let object = json!({ "version": JSON_VERSION, "mutant": name, "rule": rule, "instead": instead });
        return writeln!(out, "{object}");
    }
    writeln!(out, "{name}\n    rule     {rule}\n    instead  {instead}")
}

/// Prints the row of a wrong macro: for each theorem, the median over the seeds of the number of samples until refuted.
///
/// A median has a `*` if not every seed refutes. It is `–` if half of the seeds or more do not. In JSON the numbers of all seeds
/// are printed, and `null` for a seed that does not refute.
fn print_medians(
    wrong: &MacroMutant,
    row: &[(&str, &MutantDetection)],
    options: &MutantsOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    if options.format.is_json() {
        let mut object = json!({ "version": JSON_VERSION, "mutant": wrong.name });
        for (theorem, noticed) in row {
            object["samples"][theorem] = json!(noticed.needed);
        }
        return writeln!(out, "{object}");
    }
    let cell = |(theorem, noticed): &(&str, &MutantDetection)| {
        format!("{:>width$}", format_median(noticed), width = theorem.len())
    };
    let cells: Vec<String> = row.iter().map(cell).collect();
    writeln!(out, "{:30} {}", wrong.name, cells.join("  "))
}
