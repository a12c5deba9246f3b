//! The command `theorem`: tests the numbered statements of the papers, and theorems about a macro of the user's, on random samples.

use super::arguments::TheoremOptions;
use super::eval::JSON_VERSION;
use super::evaluator::TheorySession;
use super::output::Progress;
use super::read;
use super::status::Status;
use crate::glue::lemma::GluingSetup;
use crate::glue::rows;
use crate::glue::rows::RowRepresentation;
use crate::glue::theorems::{self, Theorem};
use crate::glue::trial::{TheoremOutcome, TheoremTestConfig, UsedConstruct};
use crate::law::theorem::{PAPER_THEOREMS, PaperOutcome, PaperTheorem, TheoremMethod, TheoremRun};
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

/// A statement that the command lists.
#[derive(Clone, Copy)]
pub enum ListedTheorem {
    /// A theorem about the Taylor macro, its relation, or jets.
    Macro(&'static Theorem),
    /// Another statement of a paper.
    Paper(&'static PaperTheorem),
}

impl ListedTheorem {
    /// Returns all statements, in the order of the list.
    pub fn all() -> impl Iterator<Item = Self> {
        let (of_h, others) = (|theorem: &&PaperTheorem| theorem.paper == "H", |t: &&PaperTheorem| t.paper != "H");
        let macros = theorems::ALL.iter().map(Self::Macro);
        let papers = |keep: fn(&&PaperTheorem) -> bool| PAPER_THEOREMS.iter().filter(keep).map(Self::Paper);
        macros.chain(papers(of_h)).chain(papers(others))
    }

    /// Returns the statement of this name. Returns `None` if there is none.
    #[must_use]
    pub fn find_name(name: &str) -> Option<Self> {
        Self::all().find(|theorem| theorem.name() == name)
    }

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Macro(theorem) => theorem.name,
            Self::Paper(theorem) => theorem.name,
        }
    }

    /// Returns the paper and the place in it.
    #[must_use]
    pub fn place(self) -> String {
        match self {
            Self::Macro(theorem) => format!("{} {}", theorem.paper(), theorem.source),
            Self::Paper(theorem) => format!("{} {}", theorem.paper, theorem.source),
        }
    }

    /// Returns the item of the correspondence.
    #[must_use]
    pub fn item(self) -> &'static str {
        match self {
            Self::Macro(theorem) => theorem.item,
            Self::Paper(theorem) => theorem.item,
        }
    }

    /// Returns the statement in words.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::Macro(theorem) => theorem.summary,
            Self::Paper(theorem) => theorem.summary,
        }
    }

    /// Returns the reason why the statement is not tested. Returns `None` if it is.
    #[must_use]
    pub fn untested_reason(self) -> Option<&'static str> {
        match self {
            Self::Paper(PaperTheorem { method: TheoremMethod::NotTested(why), .. }) => Some(why),
            _ => None,
        }
    }
}

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
        let listed = ListedTheorem::all().try_for_each(|theorem| print_theorem(theorem, options, out));
        return listed.and_then(|()| out.flush()).map(|()| Status::Reached);
    }
    let mut status = Status::Reached;
    for theorem in wanted {
        let default = match theorem {
            ListedTheorem::Macro(theorem) => theorem.samples,
            ListedTheorem::Paper(theorem) => theorem.samples,
        };
        let trials = TheoremTestConfig {
            directions: options.directions,
            order: options.order,
            counts_uses: !options.format.is_short(),
            ..TheoremTestConfig::new(options.samples.unwrap_or(default), options.seed)
        };
        let watch = TestWatch {
            name: theorem.name(),
            timeout: options.timeout,
            interrupted,
            shows_progress: evaluator.shows_progress,
        };
        let ended = match theorem {
            ListedTheorem::Macro(macro_theorem) => {
                match watch.run_test(&trials, || macro_theorem.make_test(setting.clone()).run_test(&trials)) {
                    Ok(outcome) => {
                        print_outcome(macro_theorem, &outcome, options, out)?;
                        Ok(outcome_status(outcome.refutation.is_some(), outcome.has_passed()))
                    }
                    Err(error) => Err(error.to_string()),
                }
            }
            ListedTheorem::Paper(_) if options.directions.is_some() || options.order.is_some() => {
                Err("it is not about the Taylor macro: leave out --k and --order".to_owned())
            }
            ListedTheorem::Paper(paper_theorem) => {
                let (samples, seed) = (trials.samples, trials.seed);
                let run =
                    TheoremRun { samples, seed, interrupted: trials.interrupted.clone(), done: trials.done.clone() };
                let outcome = watch.run_test(&trials, || paper_theorem.run_test(&run, None));
                print_paper_outcome(theorem, &outcome, options, out)?;
                Ok(outcome_status(outcome.refutation.is_some(), outcome.has_passed()))
            }
        };
        let ended = match ended {
            Ok(ended) => ended,
            Err(error) => {
                let refusal = Diagnostic::invalid_input(format!("error: {}: {error}", theorem.name()));
                writeln!(err, "{}", options.format.render_diagnostic(&refusal))?;
                return Ok(Status::worst_of([status, Status::from(refusal.kind)]));
            }
        };
        out.flush()?;
        status = Status::worst_of([status, ended]);
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(status)
}

/// Finds the theorem of this name.
fn find_theorem(name: &str) -> Result<ListedTheorem, Diagnostic> {
    ListedTheorem::find_name(name).ok_or_else(|| {
        let fault = format!("there is no theorem `{name}`; smoothish theorem lists all");
        Diagnostic::unknown_name(fault, name, ListedTheorem::all().map(ListedTheorem::name))
    })
}

/// Checks that theorems are about every macro; without any, returns all that are.
fn theorems_about_macros(wanted: Vec<ListedTheorem>) -> Result<Vec<ListedTheorem>, Diagnostic> {
    if wanted.is_empty() {
        return theorems::OF_REPRESENTATIONS.iter().map(|name| find_theorem(name)).collect();
    }
    let Some(other) = wanted.iter().find(|theorem| !theorems::OF_REPRESENTATIONS.contains(&theorem.name())) else {
        return Ok(wanted);
    };
    let subject = match other {
        ListedTheorem::Macro(_) => "about the Taylor macro alone",
        ListedTheorem::Paper(_) => "not about a macro",
    };
    let those = theorems::OF_REPRESENTATIONS.join(", ");
    Err(Diagnostic::invalid_input(format!("error: `{}` is {subject}; with --macro there are {those}", other.name())))
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

/// The limits of a test, and its progress on the terminal.
struct TestWatch<'w> {
    name: &'static str,
    timeout: Option<Timeout>,
    interrupted: &'w AtomicBool,
    shows_progress: bool,
}

impl TestWatch<'_> {
    /// Runs a test until it is interrupted or its time is over, with progress on the terminal.
    fn run_test<T: Send>(&self, trials: &TheoremTestConfig, test: impl FnOnce() -> T + Send) -> T {
        let start = Instant::now();
        let progress = self.shows_progress.then(|| Progress::new(self.name, None, Box::new(io::stderr())));
        let outcome = thread::scope(|scope| {
            // The test runs on a thread of its own, since this one watches the clock and the interrupt for it.
            let work = scope.spawn(test);
            while !work.is_finished() {
                let is_late = self.timeout.is_some_and(|most| start.elapsed() >= most.0);
                if is_late || self.interrupted.load(Ordering::Relaxed) {
                    trials.interrupted.store(true, Ordering::Relaxed);
                }
                if let Some(progress) = &progress {
                    let done = trials.done.load(Ordering::Relaxed);
                    progress.set_work(format!("{}: {done} of {} samples", self.name, trials.samples));
                }
                thread::sleep(PROGRESS_INTERVAL);
            }
            work.join()
        });
        progress.iter().for_each(Progress::clear_line);
        // A panic of the test goes on here, after the line of progress has been erased.
        outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Returns the status of a test. Too few samples that could refute are no information.
fn outcome_status(is_refuted: bool, has_passed: bool) -> Status {
    match (is_refuted, has_passed) {
        (true, _) => Status::Refuted,
        (false, true) => Status::Reached,
        (false, false) => Status::Nothing,
    }
}

/// Prints a theorem with its source.
fn print_theorem(theorem: ListedTheorem, options: &TheoremOptions, out: &mut dyn Write) -> io::Result<()> {
    if options.format.is_json() {
        return writeln!(out, "{}", describe_theorem(theorem));
    }
    writeln!(out, "{:22} {:17} {}", theorem.name(), theorem.place(), theorem.summary())?;
    theorem.untested_reason().map_or(Ok(()), |why| writeln!(out, "{:40} not tested: {why}", ""))
}

/// Returns the members of JSON that describe a theorem.
fn describe_theorem(theorem: ListedTheorem) -> Json {
    let mut object = json!({
        "version": JSON_VERSION, "theorem": theorem.name(), "source": theorem.place(),
        "item": theorem.item(), "says": theorem.summary(),
    });
    if let Some(why) = theorem.untested_reason() {
        object["not_tested"] = json!(why);
    }
    object
}

/// Prints the outcome of a test of a statement that is not about the macro.
fn print_paper_outcome(
    theorem: ListedTheorem,
    outcome: &PaperOutcome,
    options: &TheoremOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name = theorem.name();
    if options.format.is_json() {
        let mut object = describe_theorem(theorem);
        object["survived"] = json!(outcome.survived);
        object["vacuous"] = json!(outcome.vacuous);
        for (what, count) in &outcome.contents {
            object["contents"][what] = json!(count);
        }
        object["holds"] = json!(outcome.has_passed());
        if outcome.interrupted {
            object["interrupted"] = json!(true);
        }
        if let Some(refuted) = &outcome.refutation {
            object["refuted"] = json!({
                "sample": refuted.index, "where": refuted.witness, "left": refuted.left, "right": refuted.right,
            });
        }
        return writeln!(out, "{object}");
    }
    if let Some(why) = theorem.untested_reason() {
        return writeln!(out, "{name}: not tested: {why}");
    }
    let vacuous = vacuous_phrase(outcome.vacuous);
    if let Some(refuted) = &outcome.refutation {
        writeln!(out, "{name}: refuted at sample {}{vacuous}", refuted.index)?;
        if !options.format.is_short() {
            let (summary, place, item) = (theorem.summary(), theorem.place(), theorem.item());
            writeln!(out, "  says     {summary} ({place}, {item})\n  where    {}", refuted.witness)?;
            writeln!(out, "  left     {}\n  right    {}", refuted.left, refuted.right)?;
        }
        return Ok(());
    }
    let said = match outcome.survived {
        _ if outcome.interrupted => format!("cut short after {} samples", outcome.survived + outcome.vacuous),
        // Vacuous samples alone are no support: nothing was compared.
        0 => "no sample says anything".to_owned(),
        survived if outcome.has_passed() => format!("holds of {survived} samples"),
        survived => format!("says too little: it survives of {survived} samples"),
    };
    let missing = outcome.missing.iter().map(|what| (*what, 0));
    let contents = outcome.contents.iter().copied().chain(missing);
    let contents: String = contents.map(|(what, count)| format!(", {count} with {what}")).collect();
    writeln!(out, "{name}: {said}{contents}{vacuous}")
}

/// Formats the number of vacuous samples: `, 3 are vacuous`.
fn vacuous_phrase(vacuous: u64) -> String {
    match vacuous {
        0 => String::new(),
        1 => ", 1 is vacuous".to_owned(),
        vacuous => format!(", {vacuous} are vacuous"),
    }
}

/// Prints the outcome of a test.
fn print_outcome(
    theorem: &'static Theorem,
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
    let vacuous = vacuous_phrase(outcome.vacuous);
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
fn to_json(theorem: &'static Theorem, outcome: &TheoremOutcome) -> Json {
    let mut object = describe_theorem(ListedTheorem::Macro(theorem));
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
