//! Laying out keeps what a theory says.

use smoothish::syntax::source::SourceText;
use smoothish::theory::builtin::SOURCES;
use smoothish::theory::layout::layout;
use smoothish::theory::loader::TheoryCollection;

/// The words and comments of a text: what is left without the space around them.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn the_theories_are_laid_out() {
    for (name, text) in SOURCES {
        let once = layout(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(once, text, "run: smoothish fmt {name}");
    }
}

#[test]
fn words_and_comments_stay() {
    for (name, text) in SOURCES {
        // without indentation, with wide gaps, and with empty lines
        let flat: String = text.lines().map(|line| format!("{}\n", line.trim())).collect();
        let wide = text.replace(" : ", "   :   ").replace('\n', "\n\n\n");
        for spoiled in [flat, wide, text.replace("\n\n", "\n")] {
            let once = layout(&spoiled).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(words(&once), words(text), "{name}");
            assert_eq!(layout(&once).as_deref(), Ok(&*once), "{name}: not twice the same");
        }
    }
}

#[test]
fn items_begin_lines() {
    let text = "theory A let x=1 !one\n      ! of y\n let y =\n        x +\n          2 claim a : y ~ 3 because \"a\n    b\" claim long_name : x\n~ 1 because \"c\"\n\n\n\n";
    let expected = "theory A\nlet x=1 !one\n! of y\nlet y =\n  x +\n    2\nclaim a         : y ~ 3 because \"a\n  b\"\n\
                    claim long_name : x\n  ~ 1 because \"c\"\n";
    assert_eq!(layout(text).as_deref(), Ok(expected));
    let mut theories = TheoryCollection::new();
    theories.load([SourceText::new("a", expected)]).unwrap_or_else(|error| panic!("{}", error.render()));
    assert!(layout("theory").is_err());
}
