//! Of `syntax::report`.

use smoothish_syntax::syntax::library::Library;
use smoothish_syntax::syntax::source::{SourceText, *};

fn shown(text: &str) -> String {
    match Library::new().infer_expression(text) {
        Ok((term, _)) => format!("{term}"),
        Err(error) => render_error(&SourceText::new("question", text), &error),
    }
}

#[test]
fn a_report_shows_the_place_the_reason_and_the_way_out() {
    assert_eq!(
        shown("let f x =\n  max x (sin)\nin f 2"),
        "error: expected Real, found Real -> Real\n --> question:2:9\n  |\n2 |   max x (sin)\n  |         ^^^^^\n  \
         = note: this is argument 2 of `max` : Real -> Real -> Real\n  \
         = help: this is a function: apply it to an argument\n"
    );
}

#[test]
fn a_long_line_is_cut() {
    let text = format!("{} + oops + {}", "1 + ".repeat(500) + "1", "1 + ".repeat(500) + "1");
    let report = shown(&text);
    assert!(report.lines().all(|line| line.chars().count() < 120), "{report}");
    assert!(report.contains("^^^^\n"), "{report}");
}

#[test]
fn an_empty_text_has_a_place_too() {
    assert!(shown(" ! nothing").contains("--> question:1:11"));
    assert!(shown("").contains("--> question:1:1"));
}
