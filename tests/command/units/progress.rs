//! Of `cli::progress`.

use smoothish::cli::output::*;
use smoothish::number::budget::BudgetObserver;
use smoothish::number::{Context, Double, Enclosure, decimal};
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{io, thread};

/// A terminal that keeps what is written to it.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Screen {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

fn progress() -> (Progress, Screen) {
    let screen = Screen::default();
    (Progress::new("nothing yet", Some(&decimal::parse("1e-3").unwrap()), Box::new(screen.clone())), screen)
}

#[test]
fn a_short_question_leaves_no_trace() {
    let (progress, screen) = progress();
    progress.on_work();
    progress.on_improvement(&Enclosure::bottom());
    progress.clear_line();
    assert_eq!(screen.text(), "");
}

#[test]
fn a_long_question_shows_the_best_so_far_and_clears_it() {
    let (progress, screen) = progress();
    thread::sleep(Duration::from_millis(FIRST_LINE_MILLIS + 20));
    progress.on_work();
    assert!(screen.text().contains("nothing yet  "), "{:?}", screen.text());
    let half = Double.enclose_rational(&decimal::parse("0.5").unwrap());
    progress.on_improvement(&Double.to_enclosure(&half));
    progress.on_work();
    assert!(!screen.text().contains("0.5"), "not so often");
    thread::sleep(Duration::from_millis(REDRAW_MILLIS + 20));
    progress.on_work();
    progress.clear_line();
    let text = screen.text();
    assert!(text.contains("0.5  width 0  ") && text.contains("Ctrl-C ends it"), "{text:?}");
    assert!(text.ends_with(CLEAR_LINE) && !text.contains('\n'), "{text:?}");
    progress.on_work();
    assert_eq!(screen.text(), text, "nothing after the end");
}

/// Work that is given up before its end leaves no line behind.
#[test]
fn a_line_does_not_outlive_its_progress() {
    let (progress, screen) = progress();
    thread::sleep(Duration::from_millis(FIRST_LINE_MILLIS + 20));
    progress.on_work();
    assert!(screen.text().ends_with("Ctrl-C ends it\x1b[?7h"), "{:?}", screen.text());
    drop(progress);
    assert!(screen.text().ends_with(CLEAR_LINE), "{:?}", screen.text());
}

/// A report between two lines begins in the first column, and the next line comes after it.
#[test]
fn a_hidden_line_is_drawn_again() {
    let (progress, screen) = progress();
    thread::sleep(Duration::from_millis(FIRST_LINE_MILLIS + 20));
    progress.set_work("1 of 2");
    progress.hide_line();
    assert!(screen.text().ends_with(CLEAR_LINE), "{:?}", screen.text());
    thread::sleep(Duration::from_millis(REDRAW_MILLIS + 20));
    progress.set_work("2 of 2");
    assert!(screen.text().contains("2 of 2  "), "{:?}", screen.text());
}

#[test]
fn a_picture_shows_how_much_of_it_is_begun() {
    let (progress, screen) = progress();
    thread::sleep(Duration::from_millis(FIRST_LINE_MILLIS + 20));
    progress.on_progress(42, 168);
    assert!(screen.text().contains("nothing yet 25 %  "), "{:?}", screen.text());
    thread::sleep(Duration::from_millis(REDRAW_MILLIS + 20));
    // threads tell of it in any order
    progress.on_progress(21, 168);
    progress.clear_line();
    assert!(screen.text().matches("25 %").count() == 2 && !screen.text().contains("12 %"), "{:?}", screen.text());
}
