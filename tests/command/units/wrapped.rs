//! Of `cli::wrap_lines`.

use smoothish::cli::output::*;
use std::io::Write;

#[test]
fn lines_are_broken_between_words() {
    assert_eq!(wrap_lines("one two three\n", 8), "one two\n  three\n");
    assert_eq!(wrap_lines("  = help: one two three four\nx", 20), "  = help: one two\n    three four\nx");
    // a word that is too long stays whole, and so does a line of a source, and what is short
    assert_eq!(wrap_lines("a abcdefghijkl b", 6), "a\n  abcdefghijkl\n  b");
    assert_eq!(
        wrap_lines("12 | a long line of a source\n   | ^^^^ of it", 10),
        "12 | a long line of a source\n   | ^^^^ of it"
    );
    assert_eq!(wrap_lines("", 10), "");
    // what is indented deeply, has several spaces, hyphens and slashes, or characters of two columns
    assert_eq!(wrap_lines("          one two", 12), "          one\n      two");
    assert_eq!(wrap_lines("  one-two/three  four   five", 18), "  one-two/three\n    four   five");
    assert_eq!(wrap_lines("日本 日本", 6), "日本\n  日本");
}

#[test]
fn a_stream_is_broken_line_by_line() {
    let mut kept = Vec::new();
    {
        let mut stream = Wrapped::new(&mut kept, || Some(8));
        stream.write_all(b"one two th").unwrap();
        stream.write_all(b"ree\nfour five").unwrap();
        stream.flush().unwrap();
    }
    assert_eq!(String::from_utf8(kept).unwrap(), "one two\n  three\nfour\n  five");
}
