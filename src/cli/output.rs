//! Atomic writing of files, so that a reader finds the old contents or the new ones; and streams without readers.
//!
//! # Colours of diagnostics and of the demonstration
//!
//! Colours of diagnostics and of the demonstration, on terminals that support them.
//!
//! `NO_COLOR` switches them off, `CLICOLOR_FORCE` on; otherwise they are on for terminals.
//!
//! # Word wrap for terminals
//!
//! Word wrap for terminals. A continued line is indented a little further.
//!
//! Lines of source code, and the marks below them, are not wrapped.
//!
//! # The progress of a long question
//!
//! One line on a terminal, rewritten in place and erased at the end.
//!
//! ```text
//! [0.2867, 0.3213]  width 0.035  4.2 s, Ctrl-C ends it
//! ```
//! The interval is the best enclosure so far. A picture shows the percentage of its blocks that are begun instead, as
//! in `drawing 42 %  4.2 s, …`. There is no thread of its own: the evaluation notifies a [`BudgetObserver`], and sometimes
//! the line is redrawn.

use crate::number::budget::BudgetObserver;
use crate::number::{Enclosure, Rational, decimal};
use crate::session::Note;
use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use serde_json::json;
use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use std::{fmt, fs, io, process};
use terminal_size::{Width, terminal_size_of};

/// The exit status of a program that writes to a pipe without a reader, as shells expect it: 128 + SIGPIPE.
pub const BROKEN_PIPE_STATUS: u8 = 141;

/// The output streams of a command.
pub struct Streams<'s> {
    /// Answers.
    pub out: &'s mut dyn Write,
    /// Diagnostics and notes.
    pub err: &'s mut dyn Write,
}

impl Streams<'_> {
    /// Prints the notes on an answer, one line each.
    ///
    /// # Errors
    /// Errors of writing.
    pub fn print_notes(&mut self, notes: &[Note]) -> io::Result<()> {
        notes.iter().try_for_each(|note| writeln!(self.err, "note: {note}"))
    }
}

/// A stream whose reader may go away. Bytes written after that are lost, without an error.
#[derive(Debug)]
pub struct IgnoreBrokenPipe<W>(pub W);

impl<W: Write> Write for IgnoreBrokenPipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            other => other,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

/// Checks that [`write_atomically()`] can succeed, before the work is done: the folder exists, and the name is not that of a
/// folder.
///
/// # Errors
/// [`io::ErrorKind::NotFound`], [`io::ErrorKind::IsADirectory`].
pub fn check_writable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder"));
    }
    let folder = parent_folder(path);
    if folder.is_dir() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", folder.display())))
}

/// Returns the folder of a file, `.` for a bare name.
fn parent_folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Writes a file beside its place, and moves it there when it is complete. A path that is no ordinary file, such as a
/// pipe, is written directly.
///
/// # Errors
/// Errors of the file system; then no partial file is left behind.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A symbolic link is resolved first: renaming over it would replace the link instead of the file.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return OpenOptions::new().write(true).open(&path)?.write_all(bytes);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let part = parent_folder(&path).join(format!(".{name}.{}.part", process::id()));
    let written =
        File::create_new(&part).and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&part, &path));
    if written.is_err() {
        // An error here means that the file was not created, and there is nothing to remove.
        let _ = fs::remove_file(&part);
    }
    written
}

pub(super) const RED: &str = "\x1b[1;31m";
pub(super) const GREEN: &str = "\x1b[32m";
pub(super) const BOLD: &str = "\x1b[1m";
const CYAN: &str = "\x1b[1;36m";
const BLUE: &str = "\x1b[34m";
pub(super) const PLAIN: &str = "\x1b[0m";

/// Returns `true` if output to a stream is to be coloured.
#[must_use]
pub fn is_wanted(stream: &impl RawStream) -> bool {
    !matches!(AutoStream::choice(stream), ColorChoice::Never)
}

/// A writer that colours the lines of diagnostics.
#[derive(Debug)]
pub struct Coloured<W: Write> {
    inner: W,
    line: Vec<u8>,
}

impl<W: Write> Coloured<W> {
    /// Colours the lines written to `inner`.
    pub fn new(inner: W) -> Self {
        Self { inner, line: Vec::new() }
    }

    /// Writes the collected line, coloured by its beginning.
    fn write_coloured_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let at = |prefix: &str| text.strip_prefix(prefix);
        if let Some(rest) = at("error:") {
            write!(self.inner, "{RED}error:{PLAIN}{rest}")
        } else if let Some(rest) = at("note:") {
            write!(self.inner, "{CYAN}note:{PLAIN}{rest}")
        // The lines of a rendered diagnostic: its position and its help, then the marks below the source.
        } else if text.trim_start().starts_with("--> ") || text.trim_start().starts_with("= ") {
            write!(
                self.inner,
                "{BLUE}{}{PLAIN}{}",
                text.trim_end_matches('\n'),
                if text.ends_with('\n') { "\n" } else { "" }
            )
        } else if let Some((margin, marks)) = text
            .split_once("| ")
            .filter(|(margin, marks)| margin.trim().is_empty() && marks.trim_start().starts_with('^'))
        {
            let marks = marks.trim_end_matches('\n');
            writeln!(self.inner, "{margin}| {RED}{marks}{PLAIN}")
        } else {
            self.inner.write_all(&line)
        }
    }
}

impl<W: Write> Write for Coloured<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            // The kind of a line is known only when it is complete: a write may end anywhere in it.
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_coloured_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.write_coloured_line()?;
        }
        self.inner.flush()
    }
}

impl<W: Write> Drop for Coloured<W> {
    fn drop(&mut self) {
        // A destructor cannot report an error.
        let _ = self.flush();
    }
}

/// The additional indent of a continued line, in columns.
const INDENT: usize = 2;
/// The least width of a terminal at which lines are wrapped. A choice: in fewer columns hardly a word fits.
const NARROWEST: usize = 20;

/// Returns the width of the terminal of the standard output, in columns. `None` if there is none, or it is very narrow.
#[must_use]
pub fn output_columns() -> Option<usize> {
    let out = io::stdout();
    // Piped into a pager, the output is still read on the terminal, whose width the error stream knows.
    let size = if out.is_terminal() { terminal_size_of(out) } else { terminal_size_of(io::stderr()) };
    size.map(|(Width(columns), _)| usize::from(columns)).filter(|columns| *columns >= NARROWEST)
}

/// Returns the width of the terminal of the error stream, in columns. `None` if that stream is not a terminal: lines in
/// a file stay whole.
#[must_use]
pub fn error_columns() -> Option<usize> {
    let err = io::stderr();
    let size = if err.is_terminal() { terminal_size_of(err) } else { None };
    size.map(|(Width(columns), _)| usize::from(columns)).filter(|columns| *columns >= NARROWEST)
}

/// Wraps the lines of a text at spaces, to at most `columns` columns. A longer word stays whole.
#[must_use]
pub fn wrap_lines(text: &str, columns: usize) -> String {
    let mut broken = String::new();
    for line in text.split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        broken += &wrap_line(line.trim_end_matches('\n'), columns);
        broken += end;
    }
    broken
}

/// Wraps one line, without its end.
fn wrap_line(line: &str, columns: usize) -> String {
    if textwrap::core::display_width(line) <= columns || is_of_source(line) {
        return line.to_owned();
    }
    let own = line.len() - line.trim_start_matches(' ').len();
    // At most half of the width: a deeply indented line must still make progress.
    wrap_at_spaces(&line[own..], columns, &line[..own], &" ".repeat((own + INDENT).min(columns / 2))).join("\n")
}

/// Wraps a text at spaces, to at most `columns` columns. `first` and `others` are the indents. A longer word stays whole, since a
/// program or a number that is cut cannot be copied.
pub(super) fn wrap_at_spaces(text: &str, columns: usize, first: &str, others: &str) -> Vec<String> {
    let options = textwrap::Options::new(columns)
        .initial_indent(first)
        .subsequent_indent(others)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    textwrap::wrap(text, options).into_iter().map(Cow::into_owned).collect()
}

/// Returns `true` if a line shows source code, or marks in it: a line number or blanks, and a bar.
fn is_of_source(line: &str) -> bool {
    let margin = line.split_once(" |").map(|(margin, _)| margin.trim());
    margin.is_some_and(|margin| margin.chars().all(|c| c.is_ascii_digit()))
}

/// A writer that wraps lines to the width that `columns` returns. The width is read for each line, since a terminal may
/// be resized.
pub struct Wrapped<'w> {
    inner: &'w mut dyn Write,
    columns: fn() -> Option<usize>,
    line: Vec<u8>,
}

impl<'w> Wrapped<'w> {
    /// Wraps the lines written to `inner`.
    pub fn new(inner: &'w mut dyn Write, columns: fn() -> Option<usize>) -> Self {
        Self { inner, columns, line: Vec::new() }
    }

    /// Writes the collected line, wrapped if the terminal has a width and the line is UTF-8.
    fn write_wrapped_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        match ((self.columns)(), std::str::from_utf8(&line)) {
            (Some(columns), Ok(text)) => self.inner.write_all(wrap_lines(text, columns).as_bytes()),
            _ => self.inner.write_all(&line),
        }
    }
}

impl Write for Wrapped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Only whole lines are wrapped: a line may come in several writes.
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_wrapped_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.write_wrapped_line()?;
        }
        self.inner.flush()
    }
}

/// The first byte of a report of progress, the sign for "record separator": no line of text begins with it.
pub const PROGRESS_MARK: u8 = 0x1e;
/// The milliseconds after which a question counts as long. A choice: shorter ones would only flicker.
pub const FIRST_LINE_MILLIS: u64 = 300;
/// The least number of milliseconds between two updates of the line. A choice.
pub const REDRAW_MILLIS: u64 = 100;
/// The finest width to which the ends of the interval are shown. A choice.
const FINEST_WIDTH: &str = "1e-9";
/// The codes that move to the beginning of the line and erase it.
pub const CLEAR_LINE: &str = "\r\x1b[K";
/// The codes that switch wrapping off and on: a line that wraps could not be erased.
const NO_WRAP: (&str, &str) = ("\x1b[?7l", "\x1b[?7h");

/// The progress of one question.
pub struct Progress {
    started: Instant,
    eps: Rational,
    next_draw: AtomicU64,
    line: Mutex<ProgressLine>,
}

/// The contents of the line, and the terminal that shows it.
struct ProgressLine {
    work: String,
    best: Option<Enclosure>,
    /// The percentage of the work that is begun. `None` if the work does not report it.
    percentage: Option<usize>,
    is_shown: bool,
    /// `true` if each state is a report of its own, for another program.
    is_report: bool,
    terminal: Box<dyn Write + Send>,
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("started", &self.started).finish_non_exhaustive()
    }
}

impl Progress {
    /// Starts the progress of some work. `work` names it until there is an interval, which is shown to the width `eps`.
    #[must_use]
    pub fn new(work: impl Into<String>, eps: Option<&Rational>, terminal: Box<dyn Write + Send>) -> Self {
        let finest = decimal::parse(FINEST_WIDTH).expect("a decimal");
        let line = ProgressLine {
            work: work.into(),
            best: None,
            percentage: None,
            is_shown: false,
            is_report: false,
            terminal,
        };
        Self {
            started: Instant::now(),
            eps: eps.cloned().unwrap_or_default().max(finest),
            next_draw: AtomicU64::new(FIRST_LINE_MILLIS),
            line: Mutex::new(line),
        }
    }

    /// Writes reports for another program in the place of the line: objects of JSON, each on a line that begins with
    /// [`PROGRESS_MARK`].
    #[must_use]
    pub fn as_reports(self) -> Self {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).is_report = true;
        self
    }

    /// Sets the name of the work from now on.
    pub fn set_work(&self, work: impl Into<String>) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).work = work.into();
        self.on_work();
    }

    /// Makes the progress of a command on standard error, if that is a terminal.
    #[must_use]
    pub fn on_stderr(work: impl Into<String>) -> Option<Self> {
        io::stderr().is_terminal().then(|| Self::new(work, None, Box::new(io::stderr())))
    }

    /// Erases the line until it is drawn again, so that what is printed now begins in the first column.
    pub fn hide_line(&self) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut line.is_shown) {
            // A terminal that cannot be written to shows no line either.
            let _ = write!(line.terminal, "{CLEAR_LINE}").and_then(|()| line.terminal.flush());
        }
    }

    /// Erases the line: the question has ended.
    pub fn clear_line(&self) {
        self.hide_line();
        // Other threads may still report: no line is drawn after the end.
        self.next_draw.store(u64::MAX, Ordering::Relaxed);
    }

    /// Draws the line.
    fn draw_line(&self, line: &mut ProgressLine) {
        let seconds = self.started.elapsed().as_secs_f64();
        if line.is_report {
            return self.write_report(line, seconds);
        }
        let best = match &line.best {
            // A half-line is shown too; the whole line tells no more than the name of the work.
            Some(best) if best.lo().is_finite() || best.hi().is_finite() => {
                let printed = best.print_decimals(&self.eps);
                format!("{printed}  width {}  ", printed.width())
            }
            _ => match line.percentage {
                Some(percentage) => format!("{} {percentage} %  ", line.work),
                None => format!("{}  ", line.work),
            },
        };
        let (cut, broken) = NO_WRAP;
        let text = format!("{CLEAR_LINE}{cut}{best}{seconds:.1} s, Ctrl-C ends it{broken}");
        line.is_shown = true;
        let _ = line.terminal.write_all(text.as_bytes()).and_then(|()| line.terminal.flush());
    }

    /// Writes a report.
    fn write_report(&self, line: &mut ProgressLine, seconds: f64) {
        let mut report = json!({ "seconds": (seconds * 10.0).round() / 10.0 });
        if let Some(best) = &line.best {
            let printed = best.print_decimals(&self.eps);
            report["best"] = json!([printed.lo(), printed.hi()]);
        }
        if let Some(percentage) = line.percentage {
            report["percentage"] = json!(percentage);
        }
        let mark = char::from(PROGRESS_MARK);
        // The other program may have gone, as a terminal may have.
        let _ = line.terminal.write_all(format!("{mark}{report}\n").as_bytes()).and_then(|()| line.terminal.flush());
    }

    /// Returns the milliseconds since the work has begun.
    fn elapsed_millis(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // However the work ended, no line of it stays on the terminal.
        self.clear_line();
    }
}

impl BudgetObserver for Progress {
    fn on_work(&self) {
        let now = self.elapsed_millis();
        if now < self.next_draw.load(Ordering::Relaxed) {
            return;
        }
        // If the lock is taken, another thread is drawing the line just now.
        if let Ok(mut line) = self.line.try_lock() {
            self.next_draw.store(now.saturating_add(REDRAW_MILLIS), Ordering::Relaxed);
            self.draw_line(&mut line);
        }
    }

    fn on_improvement(&self, best: &Enclosure) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).best = Some(best.clone());
    }

    fn on_progress(&self, done: usize, all: usize) {
        {
            let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
            let percentage = done.saturating_mul(100) / all.max(1);
            // Several threads report, and the last report is not always the greatest.
            line.percentage = line.percentage.max(Some(percentage));
        }
        self.on_work();
    }
}
