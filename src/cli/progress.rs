//! How far a long question is: one line on a terminal, written over and over, and gone at the end.
//!
//! ```text
//! [0.2867, 0.3213]  width 0.035  4.2 s, Ctrl-C ends it
//! ```
//! The interval is the best so far of the number that is being asked for; of a picture it is the percentage of its blocks that are begun,
//! `drawing 42 %  4.2 s, …`. No thread is needed: who works says so
//! ([`Observer`]), and now and then the line is drawn.

use crate::number::budget::Observer;
use crate::number::{Enclosure, Rational, decimal};
use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// After how many milliseconds a question counts as long.
pub const LONG: u64 = 300;
/// How many milliseconds lie between two lines.
pub const PAUSE: u64 = 100;
/// The finest tolerance to which the line shows its ends.
const FINEST: &str = "1e-9";
/// Back to the beginning of the line, which is cleared.
pub const CLEAR: &str = "\r\x1b[K";
/// Lines are cut at the edge of the terminal, and broken again.
const NO_WRAP: (&str, &str) = ("\x1b[?7l", "\x1b[?7h");

/// The line of one question.
pub struct Progress {
    started: Instant,
    eps: Rational,
    next: AtomicU64,
    line: Mutex<Line>,
}

struct Line {
    work: String,
    best: Option<Enclosure>,
    /// How many parts in a hundred are done, where that is known.
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
    /// The line of work that begins now. What it is stands in the place of the interval as long as there is none; the
    /// interval is shown to `eps`, if there is one.
    #[must_use]
    pub fn new(work: impl Into<String>, eps: Option<&Rational>, terminal: Box<dyn Write + Send>) -> Self {
        let finest = decimal::parse(FINEST).expect("a decimal");
        let line = Line { work: work.into(), best: None, percentage: None, is_shown: false, terminal };
        Self {
            started: Instant::now(),
            eps: eps.cloned().unwrap_or_default().max(finest),
            next: AtomicU64::new(LONG),
            line: Mutex::new(line),
        }
    }

    /// Says what is being worked on from now on.
    pub fn turn_to(&self, work: impl Into<String>) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).work = work.into();
        self.working();
    }

    /// Clears the line: the question has ended.
    pub fn end(&self) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut line.is_shown) {
            // Who cannot see the line does not miss it.
            let _ = write!(line.terminal, "{CLEAR}").and_then(|()| line.terminal.flush());
        }
        self.next.store(u64::MAX, Ordering::Relaxed);
    }

    fn draw(&self, line: &mut Line) {
        let seconds = self.started.elapsed().as_secs_f64();
        let best = match &line.best {
            Some(best) if best.lo().is_finite() || best.hi().is_finite() => {
                let printed = best.decimals(&self.eps);
                format!("{printed}  width {}  ", printed.width())
            }
            _ => match line.percentage {
                Some(percentage) => format!("{} {percentage} %  ", line.work),
                None => format!("{}  ", line.work),
            },
        };
        let (cut, broken) = NO_WRAP;
        let text = format!("{CLEAR}{cut}{best}{seconds:.1} s, Ctrl-C ends it{broken}");
        line.is_shown = true;
        let _ = line.terminal.write_all(text.as_bytes()).and_then(|()| line.terminal.flush());
    }

    fn milliseconds(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Observer for Progress {
    fn working(&self) {
        let now = self.milliseconds();
        if now < self.next.load(Ordering::Relaxed) {
            return;
        }
        // Whoever holds the line is drawing it.
        if let Ok(mut line) = self.line.try_lock() {
            self.next.store(now.saturating_add(PAUSE), Ordering::Relaxed);
            self.draw(&mut line);
        }
    }

    fn improved(&self, best: &Enclosure) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).best = Some(best.clone());
    }

    fn advanced(&self, done: usize, all: usize) {
        {
            let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
            let percentage = done.saturating_mul(100) / all.max(1);
            // several threads tell of it, and the last word is not always the furthest
            line.percentage = line.percentage.max(Some(percentage));
        }
        self.working();
    }
}
