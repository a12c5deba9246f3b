//! The command `campaign`: evaluates random programs in several ways, and reports disagreements.
//!
//! # The option `campaign --piecewise`
//!
//! Random programs with borders and recursions, in all semantics that support them.
//!
//! # The option `campaign --probabilistic`
//!
//! Random probabilistic programs, against samples and quadrature.
//!
//! # The options `campaign --record` and `campaign --against`
//!
//! The answers and the passes of programs within counted work, as a file; and their comparison with those of another build. The
//! first line of the file has the options, each other line one program. Ends are hexadecimal, and exact.

use super::arguments::CampaignOptions;
use super::eval::JSON_VERSION;
use super::output::{self, Progress};
use super::read;
use super::status::Status;
use crate::law::campaign::{
    AnswerRecord, DifferentialCampaign, ProgramVerdict, ShrunkFault, ratio_quantiles, record_answer,
};
use crate::law::float::FloatPrediction;
use crate::law::generate;
use crate::law::measure::ModelTally;
use crate::law::pap::PiecesTally;
use crate::law::path::{EvaluationPath, PathResult};
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::accuracy::UnfinishedWork;
use crate::number::budget::{self, Budget, PassReport};
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude};
use crate::parallel::{available_threads, par_map};
use crate::session::{Limits, Session};
use crate::syntax::ty::Ty;
use serde_json::{Value as Json, json};
use std::io;
use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path as FilePath;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

// The interval between two updates of the file to resume from. A choice: at most 20 seconds of work are lost.
const SAVE_INTERVAL: Duration = Duration::from_secs(20);

/// The counts of a campaign so far.
#[derive(Clone, Debug, Default, PartialEq)]
struct CampaignTally {
    /// The index of the next program.
    next: u64,
    /// The number of programs counted.
    programs: u64,
    /// The answers by path, in the order of [`EvaluationPath::ALL`].
    paths: [PathCounts; EvaluationPath::ALL.len()],
    /// The number of programs with a floating-point estimate.
    opinions: u64,
    /// The number of programs without an enclosure by the session, though floating-point arithmetic has a value.
    missing: u64,
    /// The number of certain faults.
    faults: u64,
    /// The number of doubts, raised by floating-point arithmetic alone.
    doubts: u64,
}

/// The counts of the answers of one path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PathCounts {
    /// Bounded enclosures of numbers that are certainly defined.
    bounded: u64,
    /// Enclosures with one infinite end.
    half: u64,
    /// Unknown numbers, ⊥.
    nothing: u64,
    /// Answers among these that a limit of time cut short.
    cut: u64,
    /// Programs that the path does not apply to.
    absent: u64,
}

impl PathCounts {
    fn add(&mut self, found: &PathResult) {
        match found {
            PathResult::Enclosure { enclosure, cut } => {
                *(if enclosure.is_bounded() { &mut self.bounded } else { &mut self.half }) += 1;
                self.cut += u64::from(*cut);
            }
            PathResult::Nothing { cut } => {
                self.nothing += 1;
                self.cut += u64::from(*cut);
            }
            PathResult::Absent => self.absent += 1,
        }
    }

    /// Returns the number of programs that the path has answered, ⊥ included.
    fn answer_count(&self) -> u64 {
        self.bounded + self.half + self.nothing
    }

    /// Returns the share of ⊥ among the answers, in per cent.
    fn unknown_share(&self) -> f64 {
        100.0 * self.nothing as f64 / self.answer_count().max(1) as f64
    }

    fn to_json(self) -> Json {
        json!({
            "bounded": self.bounded, "half": self.half, "nothing": self.nothing, "cut": self.cut, "absent": self.absent,
        })
    }
}

impl CampaignTally {
    /// Counts the answers and the findings of one program.
    fn add(&mut self, verdict: &ProgramVerdict) {
        self.programs += 1;
        self.next += 1;
        for (path, found) in &verdict.answers {
            let index = EvaluationPath::ALL.iter().position(|p| p == path).unwrap_or(0);
            self.paths[index].add(found);
        }
        self.opinions += u64::from(verdict.prediction != FloatPrediction::None);
        // An estimate without an enclosure is no fault, but shows where the session could do better.
        let nothing = verdict
            .answers
            .iter()
            .any(|(path, found)| *path == EvaluationPath::Session && matches!(found, PathResult::Nothing { .. }));
        self.missing += u64::from(nothing && matches!(verdict.prediction, FloatPrediction::Estimate(_)));
        let certain = verdict.findings.iter().filter(|f| f.fault.is_certain()).count() as u64;
        self.faults += certain;
        self.doubts += verdict.findings.len() as u64 - certain;
    }

    fn to_json(&self, options: &CampaignOptions) -> Json {
        let paths: serde_json::Map<_, _> = EvaluationPath::ALL
            .iter()
            .zip(self.paths)
            .map(|(path, counts)| (path.name().to_owned(), counts.to_json()))
            .collect();
        json!({
            "version": JSON_VERSION, "summary": "campaign", "seed": options.seed, "millis": options.millis,
            "from": options.from,
            "next": self.next, "programs": self.programs, "paths": paths,
            "float": self.opinions, "missing": self.missing, "faults": self.faults, "doubts": self.doubts,
        })
    }

    /// Reads saved counts. Returns `None` if a count is missing or is no natural number.
    fn from_json(saved: &Json) -> Option<Self> {
        let number = |object: &Json, key: &str| object.get(key)?.as_u64();
        let mut tally = Self {
            next: number(saved, "next")?,
            programs: number(saved, "programs")?,
            opinions: number(saved, "float")?,
            // The one count that may be absent from a file.
            missing: number(saved, "missing").unwrap_or(0),
            faults: number(saved, "faults")?,
            doubts: number(saved, "doubts")?,
            ..Self::default()
        };
        for (path, counts) in EvaluationPath::ALL.iter().zip(&mut tally.paths) {
            let object = saved.get("paths")?.get(path.name())?;
            *counts = PathCounts {
                bounded: number(object, "bounded")?,
                half: number(object, "half")?,
                nothing: number(object, "nothing")?,
                cut: number(object, "cut")?,
                absent: number(object, "absent")?,
            };
        }
        Some(tally)
    }
}

/// Runs the campaign.
///
/// # Errors
/// Errors of writing to `out` or `err`.
pub fn run_campaign(
    options: &CampaignOptions,
    limits: &Limits,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    if options.record.is_some() || options.against.is_some() {
        return run_record(options, limits, out, err);
    }
    // Random programs would be tested in the place of the questions.
    if options.questions.is_some() {
        writeln!(err, "error: --questions needs --record FILE\n  = help: the answers are kept there")?;
        return Ok(Status::Wrong);
    }
    if options.piecewise {
        return run_border_campaign(options, limits, out);
    }
    if options.probabilistic {
        return run_model_campaign(options, limits, out);
    }
    let mut tally = CampaignTally { next: options.from, ..CampaignTally::default() };
    if let Some(file) = &options.resume {
        match load_tally(file, options) {
            Ok(Some(saved)) => tally = saved,
            Ok(None) => {}
            Err(message) => {
                writeln!(err, "error: {}: {message}", file.display())?;
                return Ok(Status::Wrong);
            }
        }
    }
    let campaign = DifferentialCampaign::new(options.seed, Duration::from_millis(options.millis.get()));
    // A panic of the program under test is caught and reported; the default hook would print it as well.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let ended = judge_programs(&campaign, options, limits, &mut tally, out, err);
    // Before the result is looked at: an error of writing must not leave the hook silent.
    std::panic::set_hook(hook);
    ended?;
    save_tally(options, &tally, err)?;
    if options.format.is_json() {
        writeln!(out, "{}", tally.to_json(options))?;
    } else {
        print_summary(&tally, options, out)?;
    }
    out.flush()?;
    Ok(if tally.faults > 0 { Status::Refuted } else { Status::Reached })
}

/// Judges the programs that are left, and prints each disagreement at once. Updates progress and the saved file.
fn judge_programs(
    campaign: &DifferentialCampaign,
    options: &CampaignOptions,
    limits: &Limits,
    tally: &mut CampaignTally,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    let end = options.from.saturating_add(options.programs);
    let progress = Progress::on_stderr("");
    let (start, first) = (Instant::now(), tally.next);
    let mut saved = start;
    while tally.next < end && !limits.is_interrupted() {
        // A panic on one program is a finding of its verdict, so that the campaign goes on.
        let (verdict, disagreements) = campaign.judge_program(tally.next);
        tally.add(&verdict);
        for disagreement in &disagreements {
            // The report starts in the first column.
            progress.iter().for_each(Progress::hide_line);
            print_disagreement(disagreement, options, out)?;
            out.flush()?;
        }
        if let Some(progress) = &progress {
            let rate = (tally.next - first) as f64 / start.elapsed().as_secs_f64();
            progress.set_work(format!("{} of {end}, {rate:.0} a second, {} faults", tally.next, tally.faults));
        }
        if saved.elapsed() > SAVE_INTERVAL {
            saved = Instant::now();
            save_tally(options, tally, err)?;
        }
    }
    Ok(())
}

/// Prints one disagreement: the shrunk program, both sides, and the program it was found with.
fn print_disagreement(disagreement: &ShrunkFault, options: &CampaignOptions, out: &mut dyn Write) -> io::Result<()> {
    let ShrunkFault { index, finding, program, original } = disagreement;
    if options.format.is_json() {
        let object = json!({
            "version": JSON_VERSION, "seed": options.seed, "index": index, "fault": finding.fault.name(),
            "certain": finding.fault.is_certain(), "what": finding.fault.to_string(), "sides": finding.sides,
            "program": program, "original": original,
        });
        return writeln!(out, "{object}");
    }
    let word = if finding.fault.is_certain() { "fault" } else { "doubt" };
    writeln!(out, "{word} {index}: {}", finding.fault)?;
    writeln!(out, "  program  {program}")?;
    for side in &finding.sides {
        writeln!(out, "  found    {side}")?;
    }
    writeln!(out, "  from     {original}")
}

/// Prints the counts of all paths, and the command that goes on if the run was interrupted.
fn print_summary(tally: &CampaignTally, options: &CampaignOptions, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} programs of seed {}, {} ms for each path", tally.programs, options.seed, options.millis)?;
    writeln!(out, "path      bounded  half-line        ⊥  (share)      cut   absent")?;
    for (path, counts) in EvaluationPath::ALL.iter().zip(&tally.paths) {
        let PathCounts { bounded, half, nothing, cut, absent } = counts;
        let share = counts.unknown_share();
        writeln!(out, "{:8} {bounded:>8} {half:>10} {nothing:>8}  {share:>5.1} % {cut:>8} {absent:>8}", path.name())?;
    }
    writeln!(out, "floating-point arithmetic had an opinion on {}, and doubts {}", tally.opinions, tally.doubts)?;
    writeln!(out, "and a value for {} without one in the session", tally.missing)?;
    writeln!(out, "{} faults", tally.faults)?;
    let end = options.from.saturating_add(options.programs);
    if tally.next < end {
        writeln!(out, "to go on: {}", resume_command(tally, options, end))?;
    }
    Ok(())
}

/// Returns the command that continues this run.
fn resume_command(tally: &CampaignTally, options: &CampaignOptions, end: u64) -> String {
    let common = format!("smoothish campaign --seed {} --millis {}", options.seed, options.millis);
    // With a file the same options find their counts again; without one, the rest is a run of its own.
    match &options.resume {
        Some(file) => {
            let from = if options.from == 0 { String::new() } else { format!(" --from {}", options.from) };
            format!("{common}{from} --programs {} --resume {}", options.programs, file.display())
        }
        None => format!("{common} --from {} --programs {}", tally.next, end - tally.next),
    }
}

/// Reads the saved counts. Returns `None` if the file does not exist yet.
fn load_tally(file: &FilePath, options: &CampaignOptions) -> Result<Option<CampaignTally>, String> {
    // Whether the file can be written is tested now, not after an hour of work.
    output::check_writable(file).map_err(|e| e.to_string())?;
    if !file.exists() {
        return Ok(None);
    }
    let text = read::read_file(file).map_err(|refusal| refusal.report().to_owned())?;
    let expected = "expected a file that `smoothish campaign --resume` wrote";
    let saved: Json = serde_json::from_str(&text).map_err(|e| format!("{expected}: {e}"))?;
    if saved.get("version").and_then(Json::as_u64) != Some(JSON_VERSION.into()) {
        return Err(expected.to_owned());
    }
    // The counts of other options cannot be added to: they are counts of other programs.
    for (key, wanted) in [("seed", options.seed), ("millis", options.millis.get()), ("from", options.from)] {
        match saved.get(key).and_then(Json::as_u64) {
            Some(found) if found == wanted => {}
            Some(found) => {
                return Err(format!("it was made with --{key} {found}, not {wanted}; use that, or another file"));
            }
            None => return Err(expected.to_owned()),
        }
    }
    // The index of the next program follows from the first one and the count. A file where it does not is damaged.
    let tally =
        CampaignTally::from_json(&saved).filter(|tally| Some(tally.next) == options.from.checked_add(tally.programs));
    tally.map(Some).ok_or_else(|| expected.to_owned())
}

/// Saves the counts. A failure is a warning: the campaign itself goes on.
fn save_tally(options: &CampaignOptions, tally: &CampaignTally, err: &mut dyn Write) -> io::Result<()> {
    let Some(file) = &options.resume else { return Ok(()) };
    let text = format!("{}\n", tally.to_json(options));
    if let Err(e) = output::write_atomically(file, text.as_bytes()) {
        writeln!(err, "warning: {} was not written: {e}", file.display())?;
    }
    Ok(())
}

/// Tests the programs, and prints the counts.
///
/// # Errors
/// Errors of writing to `out`.
fn run_border_campaign(options: &CampaignOptions, limits: &Limits, out: &mut dyn Write) -> io::Result<Status> {
    let mut tally = PiecesTally::default();
    for index in options.from..options.from.saturating_add(options.programs) {
        if limits.is_interrupted() {
            break;
        }
        tally.add_program(options.seed, index);
    }
    let PiecesTally {
        programs,
        survived,
        vacuous,
        refuted,
        branching,
        recursive,
        nonconstant: moving,
        points,
        on_borders,
        set_derivatives: sets,
    } = &tally;
    if options.format.is_json() {
        let told: Vec<_> =
            refuted.iter().map(|(index, verdict)| json!({ "index": index, "what": verdict.to_string() })).collect();
        let whole = json!({
            "version": JSON_VERSION, "summary": "borders", "seed": options.seed, "from": options.from, "programs": programs,
            "survived": survived, "vacuous": vacuous, "refuted": told, "branching": branching, "recursive": recursive,
            "moving": moving, "points": points, "on_borders": on_borders, "sets": sets,
        });
        writeln!(out, "{whole}")?;
    } else {
        for (index, verdict) in refuted {
            writeln!(out, "program {index}: {verdict}")?;
        }
        // A run without points on borders divides by 1: its share is 0.
        let share = |n: u64, of: u64| 100.0 * n as f64 / of.max(1) as f64;
        writeln!(out, "{programs} programs of seed {}: {} refuted", options.seed, refuted.len())?;
        for (what, count, of) in [
            ("survived", survived, programs),
            ("vacuous", vacuous, programs),
            ("with a border", branching, programs),
            ("recursive", recursive, programs),
            ("with a derivative that is not 0, at a point", moving, programs),
            ("of the points on a border", on_borders, points),
            ("of these with a derivative for which presheaves have a set, and it is in it", sets, on_borders),
        ] {
            writeln!(out, "{:>6.1} %  {what}", share(*count, *of))?;
        }
    }
    out.flush()?;
    // Vacuous tests alone are no success: nothing was compared.
    Ok(match (refuted.is_empty(), *survived) {
        (false, _) => Status::Refuted,
        (true, 0) => Status::Nothing,
        (true, _) => Status::Reached,
    })
}

/// Tests the programs, and prints the counts.
///
/// # Errors
/// Errors of writing.
fn run_model_campaign(options: &CampaignOptions, limits: &Limits, out: &mut dyn Write) -> io::Result<Status> {
    let session = Session::new();
    let read = |text: &str| session.infer(text).ok().map(|(term, _)| term);
    let mut tally = ModelTally::default();
    let progress = Progress::on_stderr("");
    for index in options.from..options.from.saturating_add(options.programs) {
        if limits.is_interrupted() {
            break;
        }
        tally.add_model(options.seed, index, &read);
        if let Some(progress) = &progress {
            progress.set_work(format!("{} of {}, {} refuted", tally.models, options.programs, tally.refuted.len()));
        }
    }
    // The summary comes after the line is erased.
    drop(progress);
    let ModelTally { models, decided, refuted, features } = &tally;
    if options.format.is_json() {
        let told: Vec<_> =
            refuted.iter().map(|(index, verdict)| json!({ "index": index, "what": verdict.to_string() })).collect();
        let features: serde_json::Map<_, _> =
            ModelTally::FEATURES.iter().zip(features).map(|(what, count)| ((*what).to_owned(), json!(count))).collect();
        let whole = json!({
            "version": JSON_VERSION, "summary": "models", "seed": options.seed, "from": options.from, "models": models,
            "decided": decided, "refuted": told, "features": features,
        });
        writeln!(out, "{whole}")?;
    } else {
        for (index, verdict) in refuted {
            writeln!(out, "model {index}: {verdict}")?;
        }
        // An interrupted run may have counted no model; its shares are 0.
        let share = |n: u64| 100.0 * n as f64 / (*models).max(1) as f64;
        writeln!(out, "{models} models of seed {}: {} refuted", options.seed, refuted.len())?;
        writeln!(out, "{:>6.1} %  with a mass and a mean that are decided", share(*decided))?;
        for (what, count) in ModelTally::FEATURES.iter().zip(features) {
            writeln!(out, "{:>6.1} %  {what}", share(*count))?;
        }
    }
    out.flush()?;
    // Undecided programs alone are no success: nothing was compared.
    Ok(match (refuted.is_empty(), *decided) {
        (false, _) => Status::Refuted,
        (true, 0) => Status::Nothing,
        (true, _) => Status::Reached,
    })
}

/// The limit on the counted work for one program of a record, if none is given. A choice: a twentieth of a second.
const DEFAULT_WORK: u64 = 1_000_000;
/// The separator of questions of more than one line in a file.
const QUESTION_SEPARATOR: &str = "----";

/// A program of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RecordedProgram {
    /// The seed and the number of a random program. `None` for a question.
    origin: Option<(u64, u64)>,
    /// The text of the program.
    text: String,
}

impl RecordedProgram {
    /// Generates a random program.
    fn random(seed: u64, index: u64) -> Self {
        Self { origin: Some((seed, index)), text: generate::random_program(seed, index).term.to_string() }
    }

    /// Answers the program within `work` units, and records the passes.
    fn answer(&self, session: &Session, work: u64, limits: &Limits) -> AnswerRecord {
        let graph = |budget: &Arc<Budget>| {
            let core = match self.origin {
                // The text would be inferred again; the term itself is well-typed.
                Some((seed, index)) => generate::random_program(seed, index)
                    .term
                    .to_core()
                    .ok_or("a variable stands outside of its binder")?,
                None => match session.infer(&self.text) {
                    Ok((core, ty)) if ty == Ty::real() => core,
                    Ok((_, ty)) => return Err(format!("not recorded: its type is {ty}, not Real")),
                    Err(error) => return Err(format!("not recorded: {error}")),
                },
            };
            let element = PresheafInterpreter::new(budget.clone()).interpret_program(&core);
            let graph = element.and_then(|element| element.as_real().cloned());
            graph.map_err(|error| error.to_string())
        };
        record_answer(graph, work, limits.interrupt.clone())
    }

    fn describe(&self) -> String {
        match self.origin {
            Some((seed, index)) => format!("program {index} of seed {seed}: {}", self.text),
            None => self.text.clone(),
        }
    }
}

/// The answers of programs within a limit of work.
#[derive(Clone, Debug, PartialEq)]
struct CampaignRecord {
    work: u64,
    answers: Vec<(RecordedProgram, AnswerRecord)>,
}

impl CampaignRecord {
    /// Writes the record: one line for its options, and one for each program.
    fn to_text(&self) -> String {
        let head = json!({ "version": JSON_VERSION, "record": RECORD_FORMAT, "work": self.work, "programs": self.answers.len() });
        let lines = self.answers.iter().map(|(program, answer)| format!("{}\n", answer_to_json(program, answer)));
        std::iter::once(format!("{head}\n")).chain(lines).collect()
    }

    /// Reads a record.
    ///
    /// # Errors
    /// A message with the number of the line that is no part of a record.
    fn from_text(text: &str) -> Result<Self, String> {
        let wrong = |line: usize| format!("line {line} is not what `smoothish campaign --record` writes");
        let json = |(index, line): (usize, &str)| serde_json::from_str::<Json>(line).map_err(|_| wrong(index + 1));
        let mut lines = text.lines().enumerate();
        let head = lines.next().map(json).transpose()?.unwrap_or_default();
        let expected = [("version", Json::from(JSON_VERSION)), ("record", RECORD_FORMAT.into())];
        if expected.iter().any(|(key, value)| head.get(*key) != Some(value)) {
            return Err(wrong(1));
        }
        let count = |key: &str| head.get(key).and_then(Json::as_u64).ok_or_else(|| wrong(1));
        let answers = lines
            .map(|(index, line)| answer_from_json(&json((index, line))?).ok_or_else(|| wrong(index + 1)))
            .collect::<Result<Vec<_>, _>>()?;
        // A file that was cut short is no record, even if every line of it is whole.
        if answers.len() as u64 != count("programs")? {
            return Err(format!(
                "it has {} programs, and its first line tells of {}",
                answers.len(),
                count("programs")?
            ));
        }
        Ok(Self { work: count("work")?, answers })
    }
}

/// The name of the format of a record, with its version.
const RECORD_FORMAT: &str = "answers 1";

fn enclosure_to_json(object: &mut Json, found: &Enclosure) {
    let [lo, hi] = found.to_exact_ends();
    object["lo"] = lo.into();
    object["hi"] = hi.into();
    object["defined"] = found.is_defined().into();
}

fn enclosure_from_json(object: &Json) -> Option<Enclosure> {
    let text = |key: &str| object.get(key)?.as_str();
    Enclosure::from_exact_ends(text("lo")?, text("hi")?, object.get("defined")?.as_bool()?)
}

fn answer_to_json(program: &RecordedProgram, answer: &AnswerRecord) -> Json {
    let mut object = match program.origin {
        Some((seed, index)) => json!({ "seed": seed, "index": index, "program": program.text }),
        None => json!({ "program": program.text }),
    };
    enclosure_to_json(&mut object, &answer.enclosure);
    object["reached"] = answer.reached.into();
    object["exhausted"] = answer.exhausted.into();
    object["work"] = answer.work.into();
    if let Some(failure) = &answer.failure {
        object["failure"] = failure.as_str().into();
    }
    object["passes"] = answer.passes.iter().map(pass_to_json).collect();
    object
}

fn answer_from_json(object: &Json) -> Option<(RecordedProgram, AnswerRecord)> {
    let number = |key: &str| object.get(key).and_then(Json::as_u64);
    let text = |key: &str| object.get(key).and_then(Json::as_str).map(str::to_owned);
    let truth = |key: &str| object.get(key).and_then(Json::as_bool);
    let answer = AnswerRecord {
        enclosure: enclosure_from_json(object)?,
        reached: truth("reached")?,
        exhausted: truth("exhausted")?,
        work: number("work")?,
        failure: text("failure"),
        passes: object.get("passes")?.as_array()?.iter().map(pass_from_json).collect::<Option<_>>()?,
    };
    Some((RecordedProgram { origin: number("seed").zip(number("index")), text: text("program")? }, answer))
}

/// Writes a pass. Its precision is 53 for doubles; a search that ended at its limit of pieces, or got stuck, is a member of its own.
fn pass_to_json(pass: &PassReport) -> Json {
    let mut object =
        json!({ "bits": pass.precision.bits(), "tolerance": pass.tolerance.to_exact_text(), "raised": pass.raised });
    enclosure_to_json(&mut object, &pass.best);
    object["open"] = pass.unfinished.is_open.into();
    if let Some(pieces) = pass.unfinished.capped_at {
        object["capped"] = pieces.into();
    }
    if let Some(pieces) = pass.unfinished.cut_at {
        object["cut"] = pieces.into();
    }
    if let Some(site) = pass.unfinished.stuck_at {
        object["stuck"] = site.into();
    }
    if let Some(site) = pass.unfinished.conditional_at {
        object["conditional"] = site.into();
    }
    if let Some(site) = pass.unfinished.diverges_at {
        object["diverges"] = site.into();
    }
    if let Some(site) = pass.unfinished.set_at {
        object["set"] = site.into();
    }
    object["work"] = pass.work.into();
    object
}

fn pass_from_json(object: &Json) -> Option<PassReport> {
    let number = |key: &str| object.get(key).and_then(Json::as_u64);
    let small = |key: &str| u32::try_from(number(key)?).ok();
    Some(PassReport {
        precision: match small("bits")? {
            53 => Precision::Double,
            bits => Precision::Mpfr(bits),
        },
        tolerance: Magnitude::from_exact_text(object.get("tolerance")?.as_str()?)?,
        raised: small("raised")?,
        best: enclosure_from_json(object)?,
        unfinished: UnfinishedWork {
            is_open: object.get("open")?.as_bool()?,
            capped_at: number("capped"),
            cut_at: number("cut"),
            stuck_at: small("stuck"),
            set_at: small("set"),
            conditional_at: small("conditional"),
            diverges_at: small("diverges"),
        },
        work: number("work")?,
    })
}

/// Splits the text of a file into questions: at lines `----` if there are any, or else into lines. Empty questions are left out.
fn split_questions(text: &str) -> Vec<String> {
    let is_separated = text.lines().any(|line| line == QUESTION_SEPARATOR);
    let mut questions = vec![String::new()];
    for line in text.lines() {
        match (is_separated, questions.last_mut()) {
            (true, Some(last)) if line != QUESTION_SEPARATOR => {
                if !last.is_empty() {
                    last.push('\n');
                }
                last.push_str(line);
            }
            (true, _) => questions.push(String::new()),
            (false, _) => questions.push(line.to_owned()),
        }
    }
    questions.retain(|question| !question.trim().is_empty());
    questions
}

/// Answers programs within counted work; writes a record, compares with another one, or both.
///
/// # Errors
/// Errors of writing to `out` or `err`.
fn run_record(
    options: &CampaignOptions,
    limits: &Limits,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let (work, programs, before) = match load_programs(options) {
        Ok(loaded) => loaded,
        Err(message) => {
            writeln!(err, "error: {message}")?;
            return Ok(Status::Wrong);
        }
    };
    let answers = answer_programs(programs, work, options, limits);
    // A part of a record would be compared as if it were the whole.
    if limits.is_interrupted() {
        writeln!(err, "error: interrupted before all programs were answered; no record was written")?;
        return Ok(Status::Nothing);
    }
    let record = CampaignRecord { work, answers };
    if let Some(file) = &options.record
        && let Err(e) = output::write_atomically(file, record.to_text().as_bytes())
    {
        writeln!(err, "error: {} was not written: {}", file.display(), read::io_reason(&e))?;
        return Ok(Status::Wrong);
    }
    match before {
        Some(before) => compare_records(&before, &record, options, out),
        None => print_record_summary(&record, options, out),
    }
}

/// The limit of work, the programs, and the record to compare with.
type LoadedPrograms = (u64, Vec<RecordedProgram>, Option<CampaignRecord>);

/// Reads or generates the programs that are answered.
fn load_programs(options: &CampaignOptions) -> Result<LoadedPrograms, String> {
    let read = |file: &FilePath| {
        read::read_file(file).map_err(|refusal| {
            // The report names the error itself.
            refusal.report().trim_start_matches("error: ").to_owned()
        })
    };
    // Whether the record can be written is tested before the work is done.
    if let Some(file) = &options.record {
        output::check_writable(file).map_err(|e| format!("{}: {}", file.display(), read::io_reason(&e)))?;
    }
    if let Some(file) = &options.against {
        let before =
            CampaignRecord::from_text(&read(file)?).map_err(|message| format!("{}: {message}", file.display()))?;
        let programs: Vec<RecordedProgram> = before.answers.iter().map(|(program, _)| program.clone()).collect();
        // The generator may have changed since: then the numbers of programs mean others.
        let changed = programs.iter().find(|program| {
            program.origin.is_some_and(|(seed, index)| **program != RecordedProgram::random(seed, index))
        });
        return match changed {
            Some(program) => Err(format!(
                "{}: {} is another program in this build; make the record again",
                file.display(),
                program.describe()
            )),
            None => Ok((before.work, programs, Some(before))),
        };
    }
    let work = options.work.map_or(DEFAULT_WORK, NonZeroU64::get);
    // The texts are kept, so that a record can be read without the file or the generator.
    let programs: Vec<RecordedProgram> = match &options.questions {
        Some(file) => {
            split_questions(&read(file)?).into_iter().map(|text| RecordedProgram { origin: None, text }).collect()
        }
        None => (options.from..options.from.saturating_add(options.programs))
            .map(|index| RecordedProgram::random(options.seed, index))
            .collect(),
    };
    Ok((work, programs, None))
}

/// Answers programs on several threads. The result is in the order of the programs.
fn answer_programs(
    programs: Vec<RecordedProgram>,
    work: u64,
    options: &CampaignOptions,
    limits: &Limits,
) -> Vec<(RecordedProgram, AnswerRecord)> {
    let threads = options.threads.map_or_else(available_threads, NonZeroUsize::get);
    let session = Session::new();
    let (all, done) = (programs.len(), AtomicUsize::new(0));
    let progress = Progress::on_stderr("");
    let answer = |program: RecordedProgram| {
        let answer = program.answer(&session, work, limits);
        if let Some(progress) = &progress {
            progress.set_work(format!("{} of {all}", done.fetch_add(1, Ordering::Relaxed) + 1));
        }
        (program, answer)
    };
    // Panics of the program under test are recorded; the default hook would print them as well.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    budget::begin_question();
    let mut answers = par_map(threads, programs, |programs| {
        programs.into_iter().take_while(|_| !limits.is_interrupted()).map(&answer).collect()
    });
    // Memory belongs to the process: a program that takes much of it may have cut others short. So those are answered alone.
    if budget::was_short() {
        for (program, answer) in &mut answers {
            let is_cut = answer.exhausted || answer.failure.is_some();
            if is_cut && !limits.is_interrupted() {
                budget::begin_question();
                *answer = program.answer(&session, work, limits);
                if budget::was_short() {
                    answer.failure = Some("memory was not enough".to_owned());
                }
            }
        }
    }
    std::panic::set_hook(hook);
    answers
}

/// Prints the counts of a record.
fn print_record_summary(record: &CampaignRecord, options: &CampaignOptions, out: &mut dyn Write) -> io::Result<Status> {
    let count = |is: &dyn Fn(&AnswerRecord) -> bool| record.answers.iter().filter(|(_, answer)| is(answer)).count();
    let reached = count(&|answer| answer.reached);
    let failed = count(&|answer| answer.failure.is_some());
    let work: u64 = record.answers.iter().map(|(_, answer)| answer.work).sum();
    let programs = record.answers.len();
    if options.format.is_json() {
        let object = json!({
            "version": JSON_VERSION, "summary": "record", "programs": programs, "reached": reached, "failed": failed, "work": work,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "{programs} programs: {reached} as narrow as asked, {failed} not answered, {work} units of work"
        )?;
    }
    // A record without an answer is no record.
    Ok(if programs > failed { Status::Reached } else { Status::Nothing })
}

/// Prints each answer that is worse than before, and the quantiles of the ratios of work.
fn compare_records(
    before: &CampaignRecord,
    now: &CampaignRecord,
    options: &CampaignOptions,
    out: &mut dyn Write,
) -> io::Result<Status> {
    let (mut worse, mut equal, mut ratios) = (0, 0, Vec::new());
    for ((program, old), (_, new)) in before.answers.iter().zip(&now.answers) {
        equal += u64::from(old == new);
        // What was not answered took no work on numbers.
        if old.work > 0 && old.failure.is_none() {
            ratios.push(new.work as f64 / old.work as f64);
        }
        let Some(reason) = old.find_regression(new) else { continue };
        worse += 1;
        let sides = [old, new].map(|answer| match &answer.failure {
            Some(failure) => failure.clone(),
            None => format!(
                "[{}, {}]{}",
                answer.enclosure.lo(),
                answer.enclosure.hi(),
                if answer.enclosure.is_defined() { "" } else { ", not shown to be defined" }
            ),
        });
        if options.format.is_json() {
            let object = json!({
                "version": JSON_VERSION, "worse": reason.name(), "program": program.describe(), "before": sides[0], "now": sides[1],
            });
            writeln!(out, "{object}")?;
        } else {
            writeln!(
                out,
                "{}: {reason}\n  program  {}\n  before   {}\n  now      {}",
                reason.name(),
                program.describe(),
                sides[0],
                sides[1]
            )?;
        }
    }
    let compared = before.answers.len();
    // A single program may well take longer; the quantiles tell whether many do.
    let quantiles = ratio_quantiles(ratios);
    if options.format.is_json() {
        let [median, most] = quantiles.map_or([None; 2], |quantiles| quantiles.map(Some));
        let object = json!({
            "version": JSON_VERSION, "summary": "comparison", "programs": compared, "worse": worse, "equal": equal,
            "work_median": median, "work_99": most,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{compared} answers: {worse} worse; {equal} with the same passes, bit by bit")?;
        if let Some([median, most]) = quantiles {
            writeln!(out, "work, as a multiple of before: median {median:.3}, 99th percentile {most:.3}")?;
        }
    }
    Ok(match (worse, compared) {
        // Nothing was compared.
        (_, 0) => Status::Nothing,
        (0, _) => Status::Reached,
        _ => Status::Refuted,
    })
}
