//! The command `fuzz`: gives many hostile texts to the parser, to type inference or to the evaluator.

use super::arguments::FuzzOptions;
use super::eval::JSON_VERSION;
use super::output::Progress;
use super::status::Status;
use crate::law::fuzz::{self, FuzzOutcome};
use crate::session::Limits;
use crate::syntax::library::Library;
use crate::theory::builtin;
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The counts of the texts so far, by their outcome.
#[derive(Debug, Default)]
struct FuzzTally {
    executions: u64,
    accepted: u64,
    refused: u64,
    panics: u64,
    slow: u64,
    slowest: Duration,
}

/// Gives texts to a target, and prints those that panic or take too long.
///
/// # Errors
/// Errors of writing to `out` or `err`.
pub fn run_fuzz(
    options: &FuzzOptions,
    limits: &Limits,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let mut corpus = fuzz::bundled_corpus();
    if let Some(folder) = &options.corpus {
        match read_corpus(folder) {
            Ok(more) => corpus.extend(more),
            Err(e) => {
                writeln!(err, "error: {}: {e}", folder.display())?;
                return Ok(Status::Wrong);
            }
        }
    }
    let library = builtin::library();
    // A panic of the target is caught and reported; the default hook would print it as well.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    let tally = feed_texts(options, limits, &library, &corpus, out);
    // Before the result is looked at: an error of writing must not leave the hook silent.
    std::panic::set_hook(hook);
    let tally = tally?;
    let seconds = start.elapsed().as_secs_f64();
    let FuzzTally { executions, accepted, refused, panics, slow, slowest } = tally;
    let peak = peak_memory();
    if options.format.is_json() {
        let summary = json!({
            "version": JSON_VERSION, "summary": "fuzz", "target": options.target.to_string(), "seed": options.seed,
            "from": options.from, "executions": executions, "accepted": accepted, "refused": refused,
            "panics": panics, "slow": slow, "slowest_ms": slowest.as_secs_f64() * 1e3, "seconds": seconds,
            "peak_kib": peak,
        });
        writeln!(out, "{summary}")?;
    } else {
        writeln!(
            out,
            "{executions} texts for {} in {seconds:.1} s: {accepted} accepted, {refused} refused",
            options.target
        )?;
        let slowest = slowest.as_secs_f64() * 1e3;
        writeln!(
            out,
            "{panics} panics, {slow} took more than {} ms, the slowest {slowest:.1} ms",
            options.target.time_limit().as_millis()
        )?;
        if let Some(peak) = peak {
            writeln!(out, "peak memory {} MiB", peak / 1024)?;
        }
        if executions < options.executions {
            let (from, left) = (options.from.wrapping_add(executions), options.executions - executions);
            let target = options.target;
            writeln!(
                out,
                "to go on: smoothish fuzz --target {target} --seed {} --from {from} --executions {left}",
                options.seed
            )?;
        }
    }
    out.flush()?;
    Ok(if panics + slow > 0 { Status::Refuted } else { Status::Reached })
}

/// Gives the texts to the target one by one, and prints each finding at once.
fn feed_texts(
    options: &FuzzOptions,
    limits: &Limits,
    library: &Library,
    corpus: &[String],
    out: &mut dyn Write,
) -> io::Result<FuzzTally> {
    let mut tally = FuzzTally::default();
    let longest = options.target.time_limit();
    let progress = Progress::on_stderr("");
    while tally.executions < options.executions && !limits.is_interrupted() {
        let index = options.from.wrapping_add(tally.executions);
        let text = fuzz::fuzz_input(corpus, options.seed, index);
        let start = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| options.target.run_input(library, &text)));
        let elapsed = start.elapsed();
        tally.executions += 1;
        tally.slowest = tally.slowest.max(elapsed);
        let what = match answer {
            Ok(FuzzOutcome::Accepted) => {
                tally.accepted += 1;
                None
            }
            Ok(FuzzOutcome::Refused) => {
                tally.refused += 1;
                None
            }
            Err(_) => {
                tally.panics += 1;
                Some("a panic".to_owned())
            }
        };
        let calm = what.is_none();
        // On a busy machine every text is slow. So the text is run again, and the time of the processor is what counts.
        let slow = calm && elapsed > longest && measure_cpu_time(|| options.target.run_input(library, &text)) > longest;
        tally.slow += u64::from(slow);
        if let Some(what) = what.or_else(|| slow.then(|| format!("{} ms", elapsed.as_millis()))) {
            let text = String::from_utf8_lossy(&text);
            // The report starts in the first column.
            progress.iter().for_each(Progress::hide_line);
            if options.format.is_json() {
                writeln!(out, "{}", json!({ "version": JSON_VERSION, "index": index, "what": what, "text": text }))?;
            } else {
                writeln!(out, "text {index}: {what}\n  {text:?}")?;
            }
            out.flush()?;
        }
        if let Some(progress) = &progress {
            let FuzzTally { executions, panics, slow, .. } = &tally;
            progress.set_work(format!("{executions} of {}, {panics} panics, {slow} slow", options.executions));
        }
    }
    Ok(tally)
}

/// Reads the texts of all files `*.txt` of a folder, in the order of their names.
fn read_corpus(folder: &std::path::Path) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "txt") {
            paths.push(path);
        }
    }
    // The order of a folder differs between systems; the same seed must give the same texts on all.
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        all.extend(fuzz::split_texts(&String::from_utf8_lossy(&fs::read(path)?)));
    }
    Ok(all)
}

/// Returns the time of the processor that this thread takes for `work`, or that of the clock if the system has no
/// count.
fn measure_cpu_time<R>(work: impl FnOnce() -> R) -> Duration {
    let processor = || -> Option<Duration> {
        let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    };
    let (before, start) = (processor(), Instant::now());
    drop(work());
    let clock = start.elapsed();
    match (before, processor()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => clock,
    }
}

/// Returns the greatest memory that the process ever had, in KiB. `None` if the system does not tell.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
