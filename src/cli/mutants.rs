//! The command `mutants`: mutation testing of the library's rules. Every wrong rule must be caught by a statement.
//!
//! # The option `mutants --macro`
//!
//! Mutation testing of the Taylor macro by the theorems about it.

use super::arguments::MutantsOptions;
use super::check::select_theories;
use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Progress;
use super::status::Status;
use crate::glue::claim::{ABOUT_THE_MACRO, MutantDetection};
use crate::glue::theorems::{SAMPLES, Theorem, find_theorem};
use crate::glue::trial::TheoremTestConfig;
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

/// Tests the named mutants, or all, on the named theories, or all.
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
    if options.of_macro {
        return run_wrong_macros(options, library.shows_progress, interrupted, out, err);
    }
    // Theories and mutants are both looked up before anything is tested: a misspelt name must not cost the time of a
    // run.
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
        // The result of an interrupted test means nothing.
        if effort.interrupted.load(Ordering::Relaxed) {
            return;
        }
        done += 1;
        caught += usize::from(finding.is_caught());
        if let Some(progress) = &progress {
            progress.set_work(format!("{done} of {} mutants", mutants.len()));
        }
        if result.is_ok() {
            result = print_finding(&finding, options, out);
        }
        if result.is_err() {
            // The reader is gone: end the tests that still run.
            effort.interrupted.store(true, Ordering::Relaxed);
        }
    });
    drop(progress);
    result?;
    if !options.format.is_json() && !options.format.is_short() {
        writeln!(out, "\n{caught} of {done} mutants are caught")?;
    }
    // A mutant that no statement catches means that the laws are too weak: status 1.
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

/// Prints a mutant with the rule that it replaces, and its own rule.
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

/// Prints the result of testing one mutant.
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
        // On one line a caught mutant is no news.
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

/// Writes the result of testing one mutant as a JSON object.
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

/// Tests the named wrong macros, or all, on the theorems about the macro.
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
    // `initiality` is not among them: most wrong macros are functors, which is all that it tests.
    let theorems: Vec<&Theorem> = ABOUT_THE_MACRO.iter().filter_map(|name| find_theorem(name)).collect();
    let trials = TheoremTestConfig {
        interrupted: interrupted.clone(),
        ..TheoremTestConfig::new(options.samples.unwrap_or(SAMPLES), 0)
    };
    let progress = shows_progress.then(|| Progress::new("", None, Box::new(io::stderr())));
    let rules: Vec<_> = macros.iter().map(|wrong| wrong.rules).collect();
    let mut columns = Vec::new();
    for (done, theorem) in theorems.iter().enumerate() {
        if let Some(progress) = &progress {
            progress.set_work(format!("{done} of {} theorems: {}", theorems.len(), theorem.name));
        }
        match MutantDetection::detect_mutants(theorem, &rules, options.seeds, true, &trials) {
            Ok(noticed) => columns.push(noticed),
            Err(error) => {
                let refusal = Diagnostic::invalid_input(format!("error: {}: {error}", theorem.name));
                drop(progress);
                writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
                return Ok(Status::from(refusal.kind));
            }
        }
        if interrupted.load(Ordering::Relaxed) {
            // Medians over a part of the seeds would mislead, so nothing is printed.
            return Ok(Status::Nothing);
        }
    }
    // The line is erased before the table is printed.
    drop(progress);
    let mut missed = Vec::new();
    if !options.format.is_json() {
        writeln!(out, "{:30} {}", "samples until refuted", ABOUT_THE_MACRO.join("  "))?;
    }
    for (place, wrong) in macros.iter().enumerate() {
        let row: Vec<_> =
            theorems.iter().zip(&columns).map(|(theorem, column)| (theorem.name, &column[place])).collect();
        // A wrong macro counts as caught only if one theorem refutes it with every seed.
        if !row.iter().any(|(_, noticed)| noticed.is_always_refuted()) {
            missed.push(wrong.name.as_str());
        }
        print_medians(wrong, &row, options, out)?;
    }
    if !options.format.is_json() {
        let (all, seeds) = (macros.len(), options.seeds);
        let caught = all - missed.len();
        let plural = if seeds == 1 { "" } else { "s" };
        writeln!(
            out,
            "\n{caught} of {all} wrong macros are refuted by some theorem with each of {seeds} seed{plural}"
        )?;
    }
    out.flush()?;
    Ok(if missed.is_empty() { Status::Reached } else { Status::Refuted })
}

/// Finds the wrong macros of these names, or all without names.
fn find_wrong_macros(names: &[String]) -> Result<Vec<MacroMutant>, Diagnostic> {
    let all = MacroMutant::all();
    if names.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        all.iter().find(|wrong| wrong.name == *name).cloned().ok_or_else(|| {
            let fault = format!("there is no wrong macro `{name}`; smoothish mutants --macro --list shows all");
            Diagnostic::unknown_name(fault, name, all.iter().map(|wrong| wrong.name.as_str()))
        })
    };
    names.iter().map(find).collect()
}

/// Prints a wrong macro with the rule that it replaces, and its own rule.
fn print_macro_rule(wrong: &MacroMutant, options: &MutantsOptions, out: &mut dyn Write) -> io::Result<()> {
    let MacroMutant { name, rule, instead, .. } = wrong;
    if options.format.is_json() {
        let object = json!({ "version": JSON_VERSION, "mutant": name, "rule": rule, "instead": instead });
        return writeln!(out, "{object}");
    }
    writeln!(out, "{name}\n    rule     {rule}\n    instead  {instead}")
}

/// Prints the row of a wrong macro: the median of the samples for each theorem, with `*` if not every seed refutes.
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
        let cell = match noticed.median_samples() {
            None => "–".to_owned(),
            Some(median) if noticed.is_always_refuted() => median.to_string(),
            Some(median) => format!("{median}*"),
        };
        format!("{cell:>width$}", width = theorem.len())
    };
    let cells: Vec<String> = row.iter().map(cell).collect();
    writeln!(out, "{:30} {}", wrong.name, cells.join("  "))
}
