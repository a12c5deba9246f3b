//! The command `theorem`: tests theorems about the Taylor macro, or a macro of the user's, on random programs.

use super::arguments::TheoremOptions;
use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Progress;
use super::read;
use super::status::Status;
use crate::glue::lemma::GluingSetup;
use crate::glue::rows;
use crate::glue::rows::RowRepresentation;
use crate::glue::theorems::Theorem;
use crate::glue::trial::{TheoremOutcome, TheoremTestConfig, UsedConstruct};
use crate::glue::{GlueError, theorems};
use crate::session::Diagnostic;
use crate::session::tolerance::Timeout;
use crate::syntax::source::SourceText;
use serde_json::{Value as Json, json};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{io, thread};

/// The interval between two looks at the progress and the clock. A choice.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(20);

/// Tests the named theorems. Without names, lists all.
///
/// # Errors
/// Errors of writing to `out` or `err`.
pub fn run_theorem(
    options: &TheoremOptions,
    evaluator: &TheorySession,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    // All names are looked up first: a misspelt one must not cost the time of the others.
    let named = options.names.iter().map(|name| find_theorem(name)).collect::<Result<Vec<_>, _>>();
    let asked = named.and_then(|wanted| match &options.macro_file {
        Some(file) => Ok((theorems_about_macros(wanted)?, read_macro(file, evaluator)?)),
        None => Ok((wanted, GluingSetup::STANDARD)),
    });
    let (wanted, setting) = match asked {
        Ok(asked) => asked,
        Err(refusal) => {
            writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
            return Ok(Status::from(refusal.kind));
        }
    };
    if wanted.is_empty() {
        let listed = theorems::ALL.iter().try_for_each(|theorem| print_theorem(theorem, options, out));
        return listed.and_then(|()| out.flush()).map(|()| Status::Reached);
    }
    let mut status = Status::Reached;
    for theorem in wanted {
        let trials = TheoremTestConfig {
            directions: options.directions,
            order: options.order,
            counts_uses: !options.format.is_short(),
            ..TheoremTestConfig::new(options.samples.unwrap_or(theorem.samples), options.seed)
        };
        let outcome = match test_with_progress(
            theorem,
            &setting,
            &trials,
            options.timeout,
            interrupted,
            evaluator.shows_progress,
        ) {
            Ok(outcome) => outcome,
            Err(error) => {
                let refusal = Diagnostic::invalid_input(format!("error: {}: {error}", theorem.name));
                writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
                return Ok(Status::worst_of([status, Status::from(refusal.kind)]));
            }
        };
        print_outcome(theorem, &outcome, options, out)?;
        out.flush()?;
        status = Status::worst_of([status, outcome_status(&outcome)]);
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(status)
}

/// Finds the theorem of this name.
fn find_theorem(name: &str) -> Result<&'static Theorem, Diagnostic> {
    theorems::find_theorem(name).ok_or_else(|| {
        let fault = format!("there is no theorem `{name}`; smoothish theorem lists all");
        Diagnostic::unknown_name(fault, name, theorems::ALL.iter().map(|theorem| theorem.name))
    })
}

/// Checks that theorems are about every macro; without any, returns all that are.
fn theorems_about_macros(wanted: Vec<&'static Theorem>) -> Result<Vec<&'static Theorem>, Diagnostic> {
    if wanted.is_empty() {
        return theorems::OF_REPRESENTATIONS.iter().map(|name| find_theorem(name)).collect();
    }
    match wanted.iter().find(|theorem| !theorems::OF_REPRESENTATIONS.contains(&theorem.name)) {
        None => Ok(wanted),
        Some(other) => Err(Diagnostic::invalid_input(format!(
            "error: `{}` is about the Taylor macro alone; with --macro there are {}",
            other.name,
            theorems::OF_REPRESENTATIONS.join(", ")
        ))),
    }
}

/// Reads a macro and a relation from a file: a theory, if there are definitions, and behind it the rows.
fn read_macro(file: &Path, evaluator: &TheorySession) -> Result<GluingSetup, Diagnostic> {
    let (name, text) = (file.display().to_string(), read::read_file(file)?);
    let wrong = |because: String| Diagnostic::invalid_input(format!("error: {name}: {because}"));
    let first = rows::first_row_line(&text).ok_or_else(|| {
        wrong("no line begins with `representation Name = Type`, the first row of a macro".to_owned())
    })?;
    let before: String = text.lines().take(first).map(|line| format!("{line}\n")).collect();
    let mut theories = evaluator.theories.clone();
    if before.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('!')) {
        let source = SourceText::new(name.clone(), before);
        theories.load([source]).map_err(|error| Diagnostic::invalid_input(error.render().trim_end()))?;
    }
    // empty lines in the place of the theory keep the numbers of the lines
    let rows: String = "\n".repeat(first) + &text.lines().skip(first).collect::<Vec<_>>().join("\n");
    let representation =
        RowRepresentation::read_in(&rows, theories.library()).map_err(|error| wrong(error.to_string()))?;
    Ok(GluingSetup::of_representation(representation.into_family()))
}

/// Tests a theorem until it is interrupted or its time is over, with progress on the terminal.
fn test_with_progress(
    theorem: &Theorem,
    setting: &GluingSetup,
    trials: &TheoremTestConfig,
    timeout: Option<Timeout>,
    interrupted: &AtomicBool,
    shows_progress: bool,
) -> Result<TheoremOutcome, GlueError> {
    let start = Instant::now();
    let progress = shows_progress.then(|| Progress::new(theorem.name, None, Box::new(io::stderr())));
    let outcome = thread::scope(|scope| {
        // The test runs on a thread of its own, since this one watches the clock and the interrupt for it.
        let work = scope.spawn(|| theorem.make_test(setting.clone()).run_test(trials));
        while !work.is_finished() {
            let is_late = timeout.is_some_and(|most| start.elapsed() >= most.0);
            if is_late || interrupted.load(Ordering::Relaxed) {
                trials.interrupted.store(true, Ordering::Relaxed);
            }
            if let Some(progress) = &progress {
                let done = trials.done.load(Ordering::Relaxed);
                progress.set_work(format!("{}: {done} of {} samples", theorem.name, trials.samples));
            }
            thread::sleep(PROGRESS_INTERVAL);
        }
        work.join()
    });
    progress.iter().for_each(Progress::clear_line);
    // A panic of the test goes on here, after the line of progress has been erased.
    outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Returns the status of a test. Too few samples that could refute are no information.
fn outcome_status(outcome: &TheoremOutcome) -> Status {
    if outcome.refutation.is_some() {
        Status::Refuted
    } else if outcome.has_passed() {
        Status::Reached
    } else {
        Status::Nothing
    }
}

/// Prints a theorem with its source.
fn print_theorem(theorem: &Theorem, options: &TheoremOptions, out: &mut dyn Write) -> io::Result<()> {
    if options.format.is_json() {
        return writeln!(out, "{}", describe_theorem(theorem));
    }
    writeln!(out, "{:22} {:15} {}", theorem.name, theorem.source, theorem.summary)
}

/// Returns the members of JSON that describe a theorem.
fn describe_theorem(theorem: &Theorem) -> Json {
    json!({
        "version": JSON_VERSION, "theorem": theorem.name, "source": format!("{} {}", theorem.paper(), theorem.source),
        "item": theorem.item, "says": theorem.summary,
    })
}

/// Prints the outcome of a test.
fn print_outcome(
    theorem: &Theorem,
    outcome: &TheoremOutcome,
    options: &TheoremOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    if options.format.is_json() {
        return writeln!(out, "{}", to_json(theorem, outcome));
    }
    let said = match &outcome.refutation {
        Some(refutation) => format!("refuted at sample {}", refutation.index),
        None if outcome.interrupted => format!("cut short after {} samples", outcome.survived + outcome.vacuous),
        // Vacuous samples alone are no support: nothing was compared.
        None if outcome.survived == 0 => "no sample says anything".to_owned(),
        None => format!("{} of {} samples{}", verb_phrase(outcome), outcome.survived, moving_phrase(outcome)),
    };
    let vacuous = match outcome.vacuous {
        0 => String::new(),
        1 => ", 1 is vacuous".to_owned(),
        vacuous => format!(", {vacuous} are vacuous"),
    };
    let not_asked = match outcome.not_asked {
        0 => String::new(),
        many => {
            let verb = if many == 1 { "is" } else { "are" };
            let operations = outcome.without_rule.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            format!(", {many} {verb} not asked: the macro has no rule for {operations}")
        }
    };
    writeln!(out, "{}: {said}{vacuous}{not_asked}", theorem.name)?;
    if options.format.is_short() {
        return Ok(());
    }
    if outcome.contents.programs > 0 && outcome.refutation.is_none() {
        writeln!(out, "  programs use {}", outcome.contents)?;
    }
    if let Some(refutation) = &outcome.refutation {
        writeln!(
            out,
            "  says     {} ({} {}, {})\n{refutation}",
            theorem.summary,
            theorem.paper(),
            theorem.source,
            theorem.item
        )?;
    }
    Ok(())
}

/// Returns the verb for a statement that no sample refutes. It `holds` only if enough samples could have refuted it.
fn verb_phrase(outcome: &TheoremOutcome) -> &'static str {
    if outcome.has_passed() { "holds" } else { "says too little: it survives" }
}

/// Formats the number of samples that could refute: `, 197 with a derivative that is not 0`.
fn moving_phrase(outcome: &TheoremOutcome) -> String {
    format!(", {} with a derivative that is not 0", outcome.with_nonzero_slope)
}

/// Writes the outcome of a test as a JSON object.
fn to_json(theorem: &Theorem, outcome: &TheoremOutcome) -> Json {
    let mut object = describe_theorem(theorem);
    object["survived"] = json!(outcome.survived);
    object["moving"] = json!(outcome.with_nonzero_slope);
    object["vacuous"] = json!(outcome.vacuous);
    if outcome.not_asked > 0 {
        object["not_asked"] = json!(outcome.not_asked);
        object["without_rule"] = json!(outcome.without_rule);
    }
    if outcome.contents.programs > 0 {
        object["programs"] = json!(outcome.contents.programs);
        for of in UsedConstruct::ALL {
            object["uses"][of.name()] = json!(outcome.contents.uses[of as usize]);
        }
    }
    object["holds"] = json!(outcome.has_passed());
    if outcome.interrupted {
        object["interrupted"] = json!(true);
    }
    if let Some(refutation) = &outcome.refutation {
        object["refuted"] = json!({
            "sample": refutation.index, "programs": refutation.programs, "k": refutation.basis.0,
            "order": refutation.basis.1, "where": refutation.witness, "left": refutation.left,
            "right": refutation.right,
        });
    }
    object
}
