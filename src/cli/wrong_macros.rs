//! The option `mutants --macro`: mutation testing of the Taylor macro by the theorems about it.

use super::arguments::MutantsOptions;
use super::eval::JSON_VERSION;
use super::progress::Progress;
use super::status::Status;
use crate::glue::noticed::{ABOUT_THE_MACRO, MutantDetection};
use crate::glue::theorems::{SAMPLES, Theorem, find_theorem};
use crate::glue::trial::TheoremTestConfig;
use crate::session::Diagnostic;
use crate::wrong::MacroMutant;
use serde_json::json;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
                writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
                return Ok(Status::from(refusal.kind));
            }
        }
        if interrupted.load(Ordering::Relaxed) {
            // Medians over a part of the seeds would mislead, so nothing is printed.
            return Ok(Status::Nothing);
        }
    }
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
    if let Some(progress) = &progress {
        progress.clear_line();
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
