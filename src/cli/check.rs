//! The command `check`: tests the laws and claims of theories, one line each, with a column for each semantics.
//!
//! # The output of `check`
//!
//! The results of statements, as lines.

use super::arguments::{CheckOptions, OutputFormat};
use super::evaluator::TheorySession;
use super::output::Progress;
use super::read;
use super::status::Status;
use crate::cli::eval::JSON_VERSION;
use crate::model::answer::Semantics;
use crate::session::Diagnostic;
use crate::syntax::name::nearest_name;
use crate::theory::check::{CheckReport, CheckTask, StatementRef};
use crate::theory::loader::TheoryCollection;
use crate::theory::trial::{StatementOutcome, StatementRefutation, StatementTestConfig};
use crate::theory::{Theory, check};
use crate::{meaning, syntax};
use serde_json::{Value as Json, json};
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

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
        progress.iter().for_each(Progress::hide_line);
        // The callback cannot return an error: the first one is kept, and the remaining results are dropped.
        if result.is_ok() {
            result = table.add(StatementRow::from_finding(&finding), out);
        }
        if let Some(progress) = &progress {
            progress.set_work(format!("{done} of {} statements", tasks.len()));
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
            "error: the model `{name}` gives no enclosures, so it cannot refute a law; try smoothish agree"
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

/// The result of one statement in one semantics.
#[derive(Clone, Debug)]
struct StatementRow {
    theory: String,
    name: String,
    is_law: bool,
    model: &'static str,
    outcome: StatementOutcome,
    /// `true` if the theory marks the statement as wrong on purpose.
    is_refuted: bool,
    /// `true` if the statement compares programs, not their values.
    compares_programs: bool,
    because: Option<String>,
    /// The position of the statement, as `file:line:column`.
    place: String,
    elapsed: Duration,
}

/// The result of a test, compared with the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExpectedOutcome {
    /// The outcome is the expected one: it holds, or is refuted on purpose.
    AsExpected,
    /// The outcome is the opposite of the expected one.
    Refuted,
    /// The test decides nothing.
    Open,
    /// The semantics cannot interpret the statement.
    NotInterpretable,
}

impl StatementRow {
    /// Takes the result of one test, with the texts and positions of its statement.
    fn from_finding(finding: &CheckReport<'_>) -> Self {
        let CheckTask { theory, item, meaning } = finding.task;
        let (line, column) = theory.source.line_and_column(item.span().start);
        Self {
            theory: theory.name.to_string(),
            name: item.name().to_owned(),
            is_law: matches!(item, StatementRef::Law(_)),
            model: meaning.name(),
            outcome: finding.outcome.clone(),
            is_refuted: item.is_refuted(),
            compares_programs: item.compares_programs(),
            because: item.given_reason().map(str::to_owned),
            place: format!("{}:{line}:{column}", theory.source.name),
            elapsed: finding.elapsed,
        }
    }

    /// Compares the outcome with the expected one.
    fn compare_with_expected(&self) -> ExpectedOutcome {
        match (&self.outcome, self.is_refuted) {
            (StatementOutcome::Refuted(_), true) | (StatementOutcome::Holds | StatementOutcome::Survived(_), false) => {
                ExpectedOutcome::AsExpected
            }
            // A statement marked as wrong that survives is a fault as grave as a law that is refuted.
            (StatementOutcome::Refuted(_), false) | (StatementOutcome::Holds | StatementOutcome::Survived(_), true) => {
                ExpectedOutcome::Refuted
            }
            // Undecided either way: a mark as wrong on purpose changes nothing.
            (StatementOutcome::Vacuous(_) | StatementOutcome::Undecided(_), _) => ExpectedOutcome::Open,
            (StatementOutcome::Unsupported(_), _) => ExpectedOutcome::NotInterpretable,
        }
    }

    /// Returns the outcome in a few words.
    fn outcome_text(&self) -> String {
        match (&self.outcome, self.is_refuted) {
            (StatementOutcome::Holds | StatementOutcome::Survived(_), true) => "not refuted".to_owned(),
            (StatementOutcome::Refuted(_), true) => "refuted, as said".to_owned(),
            (StatementOutcome::Holds, _) => "holds".to_owned(),
            (StatementOutcome::Survived(n), _) => format!("survived {n}"),
            (StatementOutcome::Refuted(_), _) => "refuted".to_owned(),
            (StatementOutcome::Vacuous(_), _) => "vacuous".to_owned(),
            (StatementOutcome::Undecided(_), _) => "open".to_owned(),
            (StatementOutcome::Unsupported(_), _) => "lacks".to_owned(),
        }
    }

    /// Returns the lines below the statement.
    fn details(&self) -> Vec<String> {
        match &self.outcome {
            StatementOutcome::Refuted(StatementRefutation { program, left, right }) => {
                let relation = if self.is_law { ["left", "right"] } else { ["computed", "claimed"] };
                let mut lines: Vec<String> = program.iter().map(|program| format!("at       {program}")).collect();
                lines.push(format!("{:8} {left}", relation[0]));
                lines.push(format!("{:8} {right}", relation[1]));
                lines.extend(self.because.iter().map(|because| format!("because  {because}")));
                // The usual mistake in a new law: `=` compares normal forms.
                if self.compares_programs && !self.is_refuted {
                    lines.push("note     = compares normal forms; ~ compares values".to_owned());
                }
                lines
            }
            StatementOutcome::Vacuous(why) | StatementOutcome::Undecided(why) => vec![format!("since    {why}")],
            StatementOutcome::Unsupported(what) => vec![format!("{} lacks {what}", self.model)],
            StatementOutcome::Holds | StatementOutcome::Survived(_) => Vec::new(),
        }
    }

    /// Writes the result as a JSON object.
    fn to_json(&self) -> Json {
        let mut object = json!({
            "version": JSON_VERSION, "theory": self.theory, "model": self.model,
            (if self.is_law { "law" } else { "claim" }): self.name,
        });
        object["outcome"] = match &self.outcome {
            StatementOutcome::Holds => json!("holds"),
            StatementOutcome::Survived(samples) => {
                object["samples"] = json!(samples);
                json!("survived")
            }
            StatementOutcome::Refuted(StatementRefutation { program, left, right }) => {
                (object["left"], object["right"]) = (json!(left), json!(right));
                if let Some(program) = program {
                    object["program"] = json!(program);
                }
                json!("refuted")
            }
            StatementOutcome::Vacuous(why) => {
                object["why"] = json!(why);
                json!("vacuous")
            }
            StatementOutcome::Undecided(why) => {
                object["why"] = json!(why);
                json!("open")
            }
            StatementOutcome::Unsupported(what) => {
                object["why"] = json!(what);
                json!("lacks")
            }
        };
        if self.is_refuted {
            object["expected"] = json!("refuted");
        }
        if let Some(because) = &self.because {
            object["because"] = json!(because);
        }
        object["ms"] = json!((self.elapsed.as_secs_f64() * 1e6).round() / 1e3);
        object
    }
}

/// A printer of results, which prints each line as soon as it is complete.
#[derive(Debug)]
struct CheckTable {
    format: OutputFormat,
    models: Vec<&'static str>,
    /// The width of the column of names.
    width: usize,
    theory: String,
    pending: Vec<StatementRow>,
    results: Vec<(Status, ExpectedOutcome)>,
}

impl CheckTable {
    /// Creates a printer with one column for each semantics of the tasks, in the order of their first occurrence.
    fn new(format: OutputFormat, tasks: &[CheckTask<'_>]) -> Self {
        let mut models: Vec<&'static str> = Vec::new();
        for task in tasks {
            if !models.contains(&task.meaning.name()) {
                models.push(task.meaning.name());
            }
        }
        // Known before the first result, so that lines can be printed at once and stay aligned.
        let width = tasks.iter().map(|task| task.item.name().chars().count()).max().unwrap_or(0) + 2;
        Self { format, models, width, theory: String::new(), pending: Vec::new(), results: Vec::new() }
    }

    /// Adds a result. Prints it at once as JSON or on one line; otherwise with the other semantics of the statement.
    fn add(&mut self, row: StatementRow, out: &mut dyn Write) -> io::Result<()> {
        let verdict = row.compare_with_expected();
        let status = match verdict {
            // A semantics that lacks a construct refutes nothing.
            ExpectedOutcome::AsExpected | ExpectedOutcome::NotInterpretable => Status::Reached,
            ExpectedOutcome::Refuted => Status::Refuted,
            ExpectedOutcome::Open => Status::Nothing,
        };
        self.results.push((status, verdict));
        if self.format.is_json() {
            return writeln!(out, "{}", row.to_json());
        }
        if self.format.is_short() {
            let StatementRow { place, theory, name, model, .. } = &row;
            let details = row.details().join("; ");
            let details = if details.is_empty() { details } else { format!(": {details}") };
            let in_model = if self.models.len() > 1 { format!(" in {model}") } else { String::new() };
            return match verdict {
                ExpectedOutcome::AsExpected | ExpectedOutcome::NotInterpretable => Ok(()),
                _ => writeln!(out, "{place}: {}: {theory}.{name}{in_model}{details}", row.outcome_text()),
            };
        }
        // Results come in the order of the tasks, so another name ends the line of a statement.
        if self.pending.last().is_some_and(|last| last.name != row.name || last.theory != row.theory) {
            self.print_statement(out)?;
        }
        self.pending.push(row);
        Ok(())
    }

    /// Prints the line of one statement.
    fn print_statement(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.pending);
        let Some(first) = rows.first() else { return Ok(()) };
        let width = self.width;
        if self.theory != first.theory {
            let gap = if self.theory.is_empty() { "" } else { "\n" };
            let columns: String = self.models.iter().map(|model| format!("{model:18}")).collect();
            self.theory.clone_from(&first.theory);
            writeln!(out, "{gap}{}", format!("{:width$}        {columns}", self.theory).trim_end())?;
        }
        // `-` if the statement was not tried in this semantics.
        let cell = |model: &&'static str| {
            let found = rows.iter().find(|row| row.model == *model);
            format!("{:18}", found.map_or_else(|| "-".to_owned(), StatementRow::outcome_text))
        };
        let cells: String = self.models.iter().map(cell).collect();
        let kind = if first.is_law { "law" } else { "claim" };
        writeln!(out, "{}", format!("  {kind:5} {:width$}{cells}", first.name).trim_end())?;
        for row in &rows {
            let details = row.details();
            // The detail of a lacking construct names the semantics itself.
            if self.models.len() > 1 && !details.is_empty() && !matches!(row.outcome, StatementOutcome::Unsupported(_))
            {
                writeln!(out, "        in {}", row.model)?;
            }
            details.iter().try_for_each(|line| writeln!(out, "        {line}"))?;
        }
        Ok(())
    }

    /// Prints the last statement, and for people the totals.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.print_statement(out)?;
        if self.format.is_json() || self.format.is_short() {
            return Ok(());
        }
        let count = |verdict: ExpectedOutcome| self.results.iter().filter(|(_, seen)| *seen == verdict).count();
        let (good, refuted, open) =
            (count(ExpectedOutcome::AsExpected), count(ExpectedOutcome::Refuted), count(ExpectedOutcome::Open));
        let lacking = match count(ExpectedOutcome::NotInterpretable) {
            0 => String::new(),
            n => format!(", {n} not interpretable"),
        };
        writeln!(out, "\n{good} as they should be, {refuted} refuted, {open} open{lacking}")
    }

    /// Returns the worst status of all results.
    fn worst_status(&self) -> Status {
        Status::worst_of(self.results.iter().map(|(status, _)| *status))
    }
}
