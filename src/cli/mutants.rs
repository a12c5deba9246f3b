//! `smoothish mutants`: the rules of the library, what a mutant does instead, and the statement that catches it.

use super::arguments::MutantsOptions;
use super::check::chosen;
use super::eval::JSON_VERSION;
use super::evaluator::Workbench;
use super::progress::Progress;
use super::status::Status;
use super::wrong_macros;
use crate::session::Diagnostic;
use crate::theory::Theory;
use crate::theory::mutants::{self, Fate, Finding};
use crate::theory::trial::Effort;
use crate::wrong::Mutant;
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many samples of a law must survive, where nothing is said.
const SAMPLES: u64 = 100;

/// Tries the mutants that are named, or all, on the theories that are named, or all.
///
/// # Errors
/// What writing to `out` or `err` fails with.
pub fn run(
    options: &MutantsOptions,
    library: &Workbench,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    if options.of_macro {
        return wrong_macros::run(options, library.shows_progress, interrupted, out, err);
    }
    let prepared = chosen(&options.theories, library).and_then(|chosen| Ok((chosen, wanted(&options.mutant)?)));
    let ((theories, names), mutants) = match prepared {
        Ok(prepared) => prepared,
        Err(refusal) => {
            writeln!(err, "{}", options.format.refusal(&refusal))?;
            return Ok(Status::from(refusal.kind));
        }
    };
    if options.list {
        return mutants.iter().try_for_each(|mutant| listed(mutant, options, out)).map(|()| Status::Reached);
    }
    let chosen: Vec<&Theory> = names.iter().filter_map(|name| theories.theory(name)).collect();
    let effort = Effort {
        samples: options.samples.unwrap_or(SAMPLES),
        seed: options.seed,
        timeout: options.timeout.0,
        interrupted: interrupted.clone(),
    };
    let modules = Arc::new(theories.library().clone());
    let progress = library.shows_progress.then(|| Progress::new("", None, Box::new(io::stderr())));
    let threads = crate::parallel::cores();
    let (mut done, mut caught, mut result) = (0, 0, Ok(()));
    mutants::run(&modules, &chosen, &mutants, &effort, threads, options.search, |finding| {
        // what was interrupted says nothing
        if effort.interrupted.load(Ordering::Relaxed) {
            return;
        }
        done += 1;
        caught += usize::from(finding.is_caught());
        if let Some(progress) = &progress {
            progress.turn_to(format!("{done} of {} mutants", mutants.len()));
        }
        if result.is_ok() {
            result = print(&finding, options, out);
        }
        if result.is_err() {
            // nobody reads what comes
            effort.interrupted.store(true, Ordering::Relaxed);
        }
    });
    if let Some(progress) = &progress {
        progress.end();
    }
    result?;
    if !options.format.is_json() && !options.format.is_short() {
        writeln!(out, "\n{caught} of {done} mutants are caught")?;
    }
    let mut status = if caught == done { Status::Reached } else { Status::Refuted };
    if effort.interrupted.load(Ordering::Relaxed) {
        status = Status::worst([status, Status::Nothing]);
        if !options.format.is_json() {
            writeln!(out, "interrupted: {done} of {} were tried", mutants.len())?;
        }
    }
    out.flush()?;
    Ok(status)
}

/// The mutants of these names, or all.
fn wanted(names: &[String]) -> Result<Vec<&'static Mutant>, Diagnostic> {
    let all = mutants::all();
    if names.is_empty() {
        return Ok(all.iter().collect());
    }
    let find = |name: &String| {
        all.iter().find(|mutant| mutant.0.name() == name).ok_or_else(|| {
            let fault = format!("there is no mutant `{name}`; smoothish mutants --list shows all");
            Diagnostic::unknown(fault, name, all.iter().map(|mutant| mutant.0.name()))
        })
    };
    names.iter().map(find).collect()
}

fn listed(mutant: &Mutant, options: &MutantsOptions, out: &mut dyn Write) -> io::Result<()> {
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

fn print(finding: &Finding<'_>, options: &MutantsOptions, out: &mut dyn Write) -> io::Result<()> {
    let Finding { mutant, fate, missed, tried, .. } = finding;
    let name = mutant.0.name();
    if options.format.is_json() {
        return writeln!(out, "{}", to_json(finding));
    }
    let fate = match fate {
        Fate::Caught(by, _) => format!("caught by {}", by.name()),
        Fate::Silent { refuted, vacuous } => format!("refuted by {refuted}, vacuous in {vacuous}, survives none"),
        Fate::Alive(by) if by.is_empty() => format!("ALIVE after {tried} statements"),
        Fate::Alive(by) => {
            let names: Vec<String> = by.iter().map(|statement| statement.name()).collect();
            format!("ALIVE: survives {}", names.join(", "))
        }
    };
    if options.format.is_short() {
        return if finding.is_caught() { Ok(()) } else { writeln!(out, "{name}: {fate}") };
    }
    writeln!(out, "{name:28} {fate}")?;
    if options.verbose {
        writeln!(out, "    rule     {}\n    instead  {}", mutant.0.rule(), mutant.0.instead())?;
        if let Fate::Caught(_, refuted) = &finding.fate {
            if let Some(program) = &refuted.program {
                writeln!(out, "    at       {program}")?;
            }
            writeln!(out, "    left     {}\n    right    {}", refuted.left, refuted.right)?;
        }
    }
    missed.iter().try_for_each(|statement| writeln!(out, "    NOT REFUTED by {}, as was said", statement.name()))
}

fn to_json(finding: &Finding<'_>) -> Json {
    let mutation = finding.mutant.0;
    let mut object = json!({
        "version": JSON_VERSION, "mutant": mutation.name(), "rule": mutation.rule(), "instead": mutation.instead(),
        "tried": finding.tried,
    });
    match &finding.fate {
        Fate::Caught(by, refuted) => {
            object["fate"] = json!("caught");
            object["by"] = json!(by.name());
            object["left"] = json!(refuted.left);
            object["right"] = json!(refuted.right);
            if let Some(program) = &refuted.program {
                object["program"] = json!(program);
            }
        }
        Fate::Silent { refuted, vacuous } => {
            object["fate"] = json!("silent");
            object["refuted"] = json!(refuted);
            object["vacuous"] = json!(vacuous);
        }
        Fate::Alive(by) => {
            object["fate"] = json!("alive");
            object["survives"] = json!(by.iter().map(|statement| statement.name()).collect::<Vec<_>>());
        }
    }
    if !finding.missed.is_empty() {
        object["missed"] = json!(finding.missed.iter().map(|statement| statement.name()).collect::<Vec<_>>());
    }
    object["ms"] = json!((finding.elapsed.as_secs_f64() * 1e6).round() / 1e3);
    object
}
