//! Of `cli::progress`.

use smoothish::cli::progress::*;
use smoothish::number::budget::Observer;
use smoothish::number::{Context, Double};
use smoothish::number::{Enclosure, decimal};
use std::io;
use std::io::Write;
use std::sync::Arc;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

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
    progress.working();
    progress.improved(&Enclosure::bottom());
    progress.end();
    assert_eq!(screen.text(), "");
}

#[test]
fn a_long_question_shows_the_best_so_far_and_clears_it() {
    let (progress, screen) = progress();
    thread::sleep(Duration::from_millis(LONG + 20));
    progress.working();
    assert!(screen.text().contains("nothing yet  "), "{:?}", screen.text());
    let half = Double.rational(&decimal::parse("0.5").unwrap());
    progress.improved(&Double.to_enclosure(&half));
    progress.working();
    assert!(!screen.text().contains("0.5"), "not so often");
    thread::sleep(Duration::from_millis(PAUSE + 20));
    progress.working();
    progress.end();
    let text = screen.text();
    assert!(text.contains("[0.5, 0.5]  width 0  ") && text.contains("Ctrl-C ends it"), "{text:?}");
    assert!(text.ends_with(CLEAR) && !text.contains('\n'), "{text:?}");
    progress.working();
    assert_eq!(screen.text(), text, "nothing after the end");
}

#[test]
fn a_picture_shows_how_much_of_it_is_begun() {
    let (progress, screen) = progress();
    thread::sleep(Duration::from_millis(LONG + 20));
    progress.advanced(42, 168);
    assert!(screen.text().contains("nothing yet 25 %  "), "{:?}", screen.text());
    thread::sleep(Duration::from_millis(PAUSE + 20));
    // threads tell of it in any order
    progress.advanced(21, 168);
    progress.end();
    assert!(screen.text().matches("25 %").count() == 2 && !screen.text().contains("12 %"), "{:?}", screen.text());
}
