//! The output of `check`: the results of statements, as lines.

use crate::cli::arguments::Format;
use crate::cli::eval::JSON_VERSION;
use crate::cli::status::Status;
use crate::theory::check::{Finding, Item, Task};
use crate::theory::trial::{Refuted, Standing};
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::time::Duration;

/// The result of one statement in one semantics.
#[derive(Clone, Debug)]
pub(super) struct Row {
    theory: String,
    name: String,
    is_law: bool,
    model: &'static str,
    outcome: Standing,
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
enum Verdict {
    /// The outcome is the expected one: it holds, or is refuted on purpose.
    Good,
    /// The outcome is the opposite of the expected one.
    Refuted,
    /// The test decides nothing.
    Open,
    /// The semantics cannot interpret the statement.
    Lacking,
}

impl Row {
    /// Takes the result of one test, with the texts and positions of its statement.
    pub(super) fn of(finding: &Finding<'_>) -> Self {
        let Task { theory, item, meaning } = finding.task;
        let (line, column) = theory.source.position(item.span().start);
        Self {
            theory: theory.name.to_string(),
            name: item.name().to_owned(),
            is_law: matches!(item, Item::Law(_)),
            model: meaning.name(),
            outcome: finding.outcome.clone(),
            is_refuted: item.is_refuted(),
            compares_programs: item.compares_programs(),
            because: item.because().map(str::to_owned),
            place: format!("{}:{line}:{column}", theory.source.name),
            elapsed: finding.elapsed,
        }
    }

    /// Compares the outcome with the expected one.
    fn verdict(&self) -> Verdict {
        match (&self.outcome, self.is_refuted) {
            (Standing::Refuted(_), true) | (Standing::Holds | Standing::Survived(_), false) => Verdict::Good,
            // A statement marked as wrong that survives is a fault as grave as a law that is refuted.
            (Standing::Refuted(_), false) | (Standing::Holds | Standing::Survived(_), true) => Verdict::Refuted,
            // Undecided either way: a mark as wrong on purpose changes nothing.
            (Standing::Vacuous(_) | Standing::Open(_), _) => Verdict::Open,
            (Standing::Lacks(_), _) => Verdict::Lacking,
        }
    }

    /// Returns the outcome in a few words.
    fn cell(&self) -> String {
        match (&self.outcome, self.is_refuted) {
            (Standing::Holds | Standing::Survived(_), true) => "not refuted".to_owned(),
            (Standing::Refuted(_), true) => "refuted, as said".to_owned(),
            (Standing::Holds, _) => "holds".to_owned(),
            (Standing::Survived(n), _) => format!("survived {n}"),
            (Standing::Refuted(_), _) => "refuted".to_owned(),
            (Standing::Vacuous(_), _) => "vacuous".to_owned(),
            (Standing::Open(_), _) => "open".to_owned(),
            (Standing::Lacks(_), _) => "lacks".to_owned(),
        }
    }

    /// Returns the lines below the statement.
    fn details(&self) -> Vec<String> {
        match &self.outcome {
            Standing::Refuted(Refuted { program, left, right }) => {
                let relation = if self.is_law { ["left", "right"] } else { ["computed", "claimed"] };
                let mut lines: Vec<String> = program.iter().map(|program| format!("at       {program}")).collect();
                lines.push(format!("{:8} {left}", relation[0]));
                lines.push(format!("{:8} {right}", relation[1]));
                lines.extend(self.because.iter().map(|because| format!("because  {because}")));
                // The usual mistake in a new law: `=` compares normal forms.
                if self.compares_programs && !self.is_refuted {
                    lines.push(
                        "note     = says that both have one normal form; that they have one value is said by ~"
                            .to_owned(),
                    );
                }
                lines
            }
            Standing::Vacuous(why) | Standing::Open(why) => vec![format!("since    {why}")],
            Standing::Lacks(what) => vec![format!("{} lacks {what}", self.model)],
            Standing::Holds | Standing::Survived(_) => Vec::new(),
        }
    }

    /// Writes the result as a JSON object.
    fn json(&self) -> Json {
        let mut object = json!({
            "version": JSON_VERSION, "theory": self.theory, "model": self.model,
            (if self.is_law { "law" } else { "claim" }): self.name,
        });
        object["outcome"] = match &self.outcome {
            Standing::Holds => json!("holds"),
            Standing::Survived(samples) => {
                object["samples"] = json!(samples);
                json!("survived")
            }
            Standing::Refuted(Refuted { program, left, right }) => {
                (object["left"], object["right"]) = (json!(left), json!(right));
                if let Some(program) = program {
                    object["program"] = json!(program);
                }
                json!("refuted")
            }
            Standing::Vacuous(why) => {
                object["why"] = json!(why);
                json!("vacuous")
            }
            Standing::Open(why) => {
                object["why"] = json!(why);
                json!("open")
            }
            Standing::Lacks(what) => {
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
pub(super) struct Table {
    format: Format,
    models: Vec<&'static str>,
    /// The width of the column of names.
    width: usize,
    theory: String,
    row: Vec<Row>,
    seen: Vec<(Status, Verdict)>,
}

impl Table {
    /// Creates a printer with one column for each semantics of the tasks, in the order of their first occurrence.
    pub(super) fn new(format: Format, tasks: &[Task<'_>]) -> Self {
        let mut models: Vec<&'static str> = Vec::new();
        for task in tasks {
            if !models.contains(&task.meaning.name()) {
                models.push(task.meaning.name());
            }
        }
        // Known before the first result, so that lines can be printed at once and stay aligned.
        let width = tasks.iter().map(|task| task.item.name().chars().count()).max().unwrap_or(0) + 2;
        Self { format, models, width, theory: String::new(), row: Vec::new(), seen: Vec::new() }
    }

    /// Adds a result. Prints it at once as JSON or on one line; otherwise with the other semantics of the statement.
    pub(super) fn add(&mut self, row: Row, out: &mut dyn Write) -> io::Result<()> {
        let verdict = row.verdict();
        let status = match verdict {
            // A semantics that lacks a construct refutes nothing.
            Verdict::Good | Verdict::Lacking => Status::Reached,
            Verdict::Refuted => Status::Refuted,
            Verdict::Open => Status::Nothing,
        };
        self.seen.push((status, verdict));
        if self.format.is_json() {
            return writeln!(out, "{}", row.json());
        }
        if self.format.is_short() {
            let Row { place, theory, name, model, .. } = &row;
            let details = row.details().join("; ");
            let details = if details.is_empty() { details } else { format!(": {details}") };
            let in_model = if self.models.len() > 1 { format!(" in {model}") } else { String::new() };
            return match verdict {
                Verdict::Good | Verdict::Lacking => Ok(()),
                _ => writeln!(out, "{place}: {}: {theory}.{name}{in_model}{details}", row.cell()),
            };
        }
        // Results come in the order of the tasks, so another name ends the line of a statement.
        if self.row.last().is_some_and(|last| last.name != row.name || last.theory != row.theory) {
            self.print(out)?;
        }
        self.row.push(row);
        Ok(())
    }

    /// Prints the line of one statement.
    fn print(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.row);
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
            format!("{:18}", found.map_or_else(|| "-".to_owned(), Row::cell))
        };
        let cells: String = self.models.iter().map(cell).collect();
        let kind = if first.is_law { "law" } else { "claim" };
        writeln!(out, "{}", format!("  {kind:5} {:width$}{cells}", first.name).trim_end())?;
        for row in &rows {
            let details = row.details();
            // The detail of a lacking construct names the semantics itself.
            if self.models.len() > 1 && !details.is_empty() && !matches!(row.outcome, Standing::Lacks(_)) {
                writeln!(out, "        in {}", row.model)?;
            }
            details.iter().try_for_each(|line| writeln!(out, "        {line}"))?;
        }
        Ok(())
    }

    /// Prints the last statement, and for people the totals.
    pub(super) fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.print(out)?;
        if self.format.is_json() || self.format.is_short() {
            return Ok(());
        }
        let count = |verdict: Verdict| self.seen.iter().filter(|(_, seen)| *seen == verdict).count();
        let (good, refuted, open) = (count(Verdict::Good), count(Verdict::Refuted), count(Verdict::Open));
        let lacking = match count(Verdict::Lacking) {
            0 => String::new(),
            n => format!(", {n} not interpretable"),
        };
        writeln!(out, "\n{good} as they should be, {refuted} refuted, {open} open{lacking}")
    }

    /// Returns the worst status of all results.
    pub(super) fn status(&self) -> Status {
        Status::worst(self.seen.iter().map(|(status, _)| *status))
    }
}
