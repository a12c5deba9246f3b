//! The progress of a long question: one line on a terminal, rewritten in place and erased at the end.
//!
//! ```text
//! [0.2867, 0.3213]  width 0.035  4.2 s, Ctrl-C ends it
//! ```
//! The interval is the best enclosure so far. A picture shows the percentage of its blocks that are begun instead, as
//! in `drawing 42 %  4.2 s, …`. There is no thread of its own: the evaluation notifies an [`BudgetObserver`], and sometimes
//! the line is redrawn.

use crate::number::budget::BudgetObserver;
use crate::number::{Enclosure, Rational, decimal};
use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

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
        let line = ProgressLine { work: work.into(), best: None, percentage: None, is_shown: false, terminal };
        Self {
            started: Instant::now(),
            eps: eps.cloned().unwrap_or_default().max(finest),
            next_draw: AtomicU64::new(FIRST_LINE_MILLIS),
            line: Mutex::new(line),
        }
    }

    /// Sets the name of the work from now on.
    pub fn set_work(&self, work: impl Into<String>) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).work = work.into();
        self.on_work();
    }

    /// Erases the line: the question has ended.
    pub fn clear_line(&self) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut line.is_shown) {
            // A terminal that cannot be written to shows no line either.
            let _ = write!(line.terminal, "{CLEAR_LINE}").and_then(|()| line.terminal.flush());
        }
        // Other threads may still report: no line is drawn after the end.
        self.next_draw.store(u64::MAX, Ordering::Relaxed);
    }

    /// Draws the line.
    fn draw_line(&self, line: &mut ProgressLine) {
        let seconds = self.started.elapsed().as_secs_f64();
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

    /// Returns the milliseconds since the work has begun.
    fn elapsed_millis(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
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
