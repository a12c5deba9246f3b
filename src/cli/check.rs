//! The command `check`: tests the laws and claims of theories, one line each, with a column for each semantics.

mod table;

use super::arguments::{CheckOptions, OutputFormat};
use super::evaluator::TheorySession;
use super::progress::Progress;
use super::read;
use super::status::Status;
use crate::meaning;
use crate::model::answer::Semantics;
use crate::session::Diagnostic;
use crate::syntax;
use crate::syntax::name::nearest_name;
use crate::theory::Theory;
use crate::theory::check::{self, CheckTask};
use crate::theory::loader::TheoryCollection;
use crate::theory::trial::StatementTestConfig;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};
use table::{CheckTable, StatementRow};

/// The pause between two looks at the files of `--watch`. A choice.
const WATCH_INTERVAL: Duration = Duration::from_millis(200);

/// Tests every statement of the named theories, or of all.
///
/// # Errors
/// Errors of writing to `out` or `err`.
pub fn run_check(
    options: &CheckOptions,
    library: &TheorySession,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    loop {
        // Before the check: a change while it runs must start another one.
        let before = modification_times(options);
        let status = match check_once(options, library, interrupted, out) {
            Ok(status) => status?,
            Err(refusal) => {
                writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
                Status::from(refusal.kind)
            }
        };
        if !options.watch {
            return Ok(status);
        }
        out.flush()?;
        while modification_times(options) == before {
            if interrupted.load(Ordering::Relaxed) {
                return Ok(status);
            }
            std::thread::sleep(WATCH_INTERVAL);
        }
        // Ctrl-C and a change may come together; the interrupt wins.
        if interrupted.load(Ordering::Relaxed) {
            return Ok(status);
        }
        writeln!(out)?;
    }
}

/// Returns the modification times of the files. `None` for a name of a theory.
fn modification_times(options: &CheckOptions) -> Vec<Option<SystemTime>> {
    let time = |file: &String| std::fs::metadata(file).and_then(|data| data.modified()).ok();
    options.theories.iter().map(time).collect()
}

/// Tests the chosen statements once. The outer error is a wrong question, the inner one an error of writing.
fn check_once(
    options: &CheckOptions,
    library: &TheorySession,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
) -> Result<io::Result<Status>, Diagnostic> {
    let (theories, chosen) = select_theories(&options.theories, library)?;
    let chosen: Vec<&Theory> = chosen.iter().filter_map(|name| theories.find_theory(name)).collect();
    let models = find_models(&options.model)?;
    let mut tasks = check::list_tasks(&chosen, &models);
    if !options.law.is_empty() {
        // Before the first test: a misspelt name must not pass as a test of no statement.
        for name in &options.law {
            if !tasks.iter().any(|task| task.item.name() == name) {
                let fault = format!("there is no law or claim `{name}` here");
                return Err(Diagnostic::unknown_name(fault, name, tasks.iter().map(|task| task.item.name())));
            }
        }
        tasks.retain(|task| options.law.iter().any(|name| name == task.item.name()));
    }
    let effort = StatementTestConfig {
        samples: options.samples,
        seed: options.seed,
        timeout: options.timeout.0,
        interrupted: interrupted.clone(),
    };
    let modules = Arc::new(theories.library().clone());
    Ok(check_and_print(options.format, library.shows_progress, &modules, &tasks, &effort, out))
}

/// Tests statements, and prints the results.
///
/// # Errors
/// Errors of writing to `out`.
pub(super) fn check_and_print(
    format: OutputFormat,
    shows_progress: bool,
    modules: &Arc<syntax::library::Library>,
    tasks: &[CheckTask<'_>],
    effort: &StatementTestConfig,
    out: &mut dyn Write,
) -> io::Result<Status> {
    let mut table = CheckTable::new(format, tasks);
    let progress = shows_progress.then(|| Progress::new("", None, Box::new(io::stderr())));
    let (mut done, mut result) = (0, Ok(()));
    let threads = crate::parallel::available_threads();
    check::run_tasks(modules, tasks, effort, threads, |finding| {
        // The result of an interrupted test means nothing.
        if effort.interrupted.load(Ordering::Relaxed) {
            return;
        }
        done += 1;
        if let Some(progress) = &progress {
            progress.set_work(format!("{done} of {} statements", tasks.len()));
        }
        // The callback cannot return an error: the first one is kept, and the remaining results are dropped.
        if result.is_ok() {
            result = table.add(StatementRow::from_finding(&finding), out);
        }
        if result.is_err() {
            // The reader is gone: end the tests that still run.
            effort.interrupted.store(true, Ordering::Relaxed);
        }
    });
    if let Some(progress) = &progress {
        progress.clear_line();
    }
    result?;
    table.finish(out)?;
    let mut status = table.worst_status();
    if effort.interrupted.load(Ordering::Relaxed) {
        status = Status::worst_of([status, Status::Nothing]);
        if !format.is_json() {
            writeln!(out, "interrupted: {done} of {} were tried", tasks.len())?;
        }
    }
    out.flush()?;
    Ok(status)
}

/// Loads the named files, and selects the theories to check: those named, and those of the files. Without names,
/// selects all.
pub(super) fn select_theories(
    named: &[String],
    library: &TheorySession,
) -> Result<(TheoryCollection, Vec<String>), Diagnostic> {
    let mut theories = library.theories.clone();
    let known = |theories: &TheoryCollection| -> Vec<String> {
        theories.theories().iter().map(|theory| theory.name.to_string()).collect()
    };
    if named.is_empty() {
        let names = known(&theories);
        return Ok((theories, names));
    }
    let (mut names, mut files): (Vec<String>, Vec<PathBuf>) = (Vec::new(), Vec::new());
    for argument in named {
        // A file with the name of a theory is meant as the file.
        if theories.find_theory(argument).is_some() && !Path::new(argument).exists() {
            names.push(argument.clone());
        } else {
            files.push(argument.into());
        }
    }
    // A file need not tell which theories it defines: these are the ones that are new after loading.
    let before = known(&theories);
    let sources = files.iter().map(|file| read::read_theory(file)).collect::<Result<Vec<_>, _>>();
    let sources = sources.map_err(|refusal| {
        let near = named.iter().find_map(|name| nearest_name(name, before.iter().map(String::as_str)));
        match near {
            Some(near) => refusal.with_help(&format!("did you mean the theory `{near}`?")),
            None if named.iter().any(|name| !Path::new(name).exists()) => {
                let known = before.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                refusal.with_help(&format!("a theory is a file, or one that comes with the program: {known}"))
            }
            None => refusal,
        }
    })?;
    theories.load(sources).map_err(|error| Diagnostic::invalid_input(error.render().trim_end()))?;
    names.extend(known(&theories).into_iter().filter(|name| !before.contains(name)));
    Ok((theories, names))
}

/// Finds the semantics of these names, whose answers must be enclosures.
fn find_models(names: &[String]) -> Result<Vec<&'static dyn Semantics>, Diagnostic> {
    let model = |name: &String| match meaning::semantics_named(name) {
        Some(meaning) if meaning.is_certified() => Ok(meaning),
        Some(_) => Err(Diagnostic::invalid_input(format!(
            "error: the answers of the model `{name}` are no enclosures, so that nothing refutes a law; see smoothish agree"
        ))),
        None => {
            let names: Vec<&str> =
                meaning::all_semantics().iter().filter(|m| m.is_certified()).map(|m| m.name()).collect();
            Err(Diagnostic::invalid_input(format!(
                "error: there is no model `{name}`; there are {}",
                names.join(" and ")
            )))
        }
    };
    names.iter().map(model).collect()
}
