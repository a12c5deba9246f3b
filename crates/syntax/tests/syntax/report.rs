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
        "error: expected Real, found Real -> Real\n --> question:2:9\n  |\n2 |   max x (sin)\n  |         ^^^^^\n  |\n  \
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

/// The source draws the marks below their characters: `λ` has one column, `日` two, and a tab four.
#[test]
fn marks_stand_below_their_characters() {
    for (before, columns) in [("sin", 3), ("λx", 2), ("日本", 4), ("e\u{301}", 1), ("\t", 4)] {
        let source = SourceText::new("f", format!("first\n{before}oops λ")).from_line(9);
        let start = 6 + before.len() as u32;
        let report = render_message(&source, "no", Span::new(start, start + 4), None);
        let (place, marks) = (format!(" --> f:10:{}\n", before.chars().count() + 1), " ".repeat(columns) + "^^^^");
        assert!(report.contains(&place) && report.contains(&format!("   | {marks}\n")), "{report}");
    }
}

/// A span that lies outside of the text or cuts a character is drawn somewhere, and a span of many lines on its first.
#[test]
fn every_span_has_a_drawing() {
    let source = SourceText::new("f", "日 +\r\n本");
    for start in 0..14 {
        for end in 0..14 {
            let report = render_message(&source, "no", Span::new(start, end), Some("yes".to_owned()));
            assert!(report.starts_with("error: no\n --> f:") && report.contains('^'), "{start}..{end}\n{report}");
            assert!(report.ends_with("  = help: yes\n") && report.lines().count() == 7, "{start}..{end}\n{report}");
        }
    }
}

#[test]
fn two_marks_on_one_long_line_do_not_make_it_longer() {
    let report = shown(&format!("sin ({}1", "1 + ".repeat(1000)));
    assert!(report.contains(" --> question:1:4007\n") && report.contains("- opened here\n"), "{report}");
    assert!(report.lines().all(|line| line.chars().count() < 120), "{report}");
}

#[test]
fn an_empty_text_has_a_place_too() {
    assert!(shown(" ! nothing").contains("--> question:1:11"));
    assert!(shown("").contains("--> question:1:1"));
    assert!(shown("sin (1\n\n").contains("--> question:3:1"), "{}", shown("sin (1\n\n"));
}
