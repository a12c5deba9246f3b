//! Of `syntax::source`.

use smoothish_syntax::syntax::error;
use smoothish_syntax::syntax::error::SyntaxError;
use smoothish_syntax::syntax::source::*;

#[test]
fn positions_count_lines_and_characters() {
    let source = SourceText::new("here", "λ x ⇒\n  x²\n");
    assert_eq!(source.line_and_column(0), (1, 1));
    assert_eq!(source.line_and_column(2), (1, 2));
    assert_eq!(source.line_and_column(9), (2, 1));
    assert_eq!(source.line_and_column(12), (2, 4));
    assert_eq!(source.line_and_column(9999), (3, 1));
    assert_eq!(source.from_line(7).line_and_column(9), (8, 1));
}

#[test]
fn bytes_that_are_not_text_are_refused_with_their_offset() {
    assert!(matches!(decode_utf8(b"1 + \xff"), Err(SyntaxError::NotUtf8 { offset: 4 })));
    assert!(matches!(decode_utf8(&vec![b' '; error::SOURCE_BYTES + 1]), Err(SyntaxError::TooLong { .. })));
    assert_eq!(decode_utf8(b"1"), Ok("1"));
}
