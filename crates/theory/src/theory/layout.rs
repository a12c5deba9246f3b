//! The formatter of theory files.
//!
//! - Every item begins a line. Its continuation lines are indented by at least two columns; deeper lines keep their
//!   relative depth.
//! - Two words that are apart have one space between them.
//! - Two items have at most one empty line between them.
//! - The colons of consecutive claims are aligned.
//!
//! Words, line breaks inside items, and comments stay as they are. The laid out text therefore parses as the same
//! theory, and the layout is idempotent.

use super::format;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::{Lexer, Token};
use crate::syntax::source::Span;

/// The least indentation of continuation lines, in columns. A matter of taste.
const INDENT: usize = 2;
/// The longest claim name, in characters, that moves the colons of its neighbours. A choice: one long name does not
/// push all others away.
const LONGEST: usize = 24;

/// A line of the laid out text.
struct LayoutLine {
    /// The columns before its first letter.
    indent: usize,
    /// The rest of the line, with one space between words.
    text: String,
    /// `true` if an item begins on this line.
    begins: bool,
    /// The column of the colon if the line begins a claim, counted from the first letter; `None` for every other line.
    colon: Option<usize>,
}

/// Lays out the text of a theory.
///
/// # Errors
/// A [`SyntaxError`] if `text` is not a theory.
///
/// # Examples
/// ```
/// use smoothish_theory::theory::layout;
/// let text = "theory A\nlet   one=1\nclaim a : one ~ 1 because \"x\"\nclaim other : one\n~ 2/2 because \"y\"";
/// assert_eq!(layout::layout(text)?, "theory A\nlet one=1\nclaim a     : one ~ 1 because \"x\"\nclaim other : one\n  ~ 2/2 because \"y\"\n");
/// # Ok::<(), smoothish_theory::syntax::error::SyntaxError>(())
/// ```
pub fn layout(text: &str) -> Result<String, SyntaxError> {
    // parsed only to find where items begin; the layout itself works on lines and lexemes
    let starts = format::parse(text)?.starts;
    let words = lexeme_spans(text)?;
    let mut lines: Vec<LayoutLine> = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let end = offset + line.len();
        // items that begin in the middle of a line get lines of their own
        let mut cuts: Vec<usize> =
            starts.iter().map(|start| *start as usize).filter(|start| (offset..end).contains(start)).collect();
        cuts.retain(|start| !text[offset..*start].trim().is_empty());
        let mut from = offset;
        for to in cuts.into_iter().chain([end]) {
            let piece = &text[from..to];
            // the offset of the first word, which is where an item that begins on this line starts
            let first = from + (piece.len() - piece.trim_start().len());
            lines.push(LayoutLine {
                indent: piece.trim_end().chars().take_while(|letter| letter.is_whitespace()).count(),
                text: normalise_spaces(text, Span::new(first as u32, to as u32), &words),
                begins: starts.contains(&(first as u32)),
                colon: None,
            });
            from = to;
        }
        offset = end;
    }
    indent_lines(&mut lines);
    align_colons(&mut lines);
    Ok(join_lines(&lines))
}

/// Returns the spans of all lexemes. Comments are not lexemes.
fn lexeme_spans(text: &str) -> Result<Vec<Span>, SyntaxError> {
    let mut lexer = Lexer::new(text);
    let mut words = Vec::new();
    loop {
        let lexeme = lexer.next_lexeme()?;
        if lexeme.token == Token::End {
            return Ok(words);
        }
        words.push(lexeme.span);
    }
}

/// Returns the text of a line, with white space between two lexemes reduced to one space.
fn normalise_spaces(text: &str, line: Span, words: &[Span]) -> String {
    let mut out = String::new();
    let mut at = line.start as usize;
    let end = line.end as usize;
    // a text in quotation marks may have begun on an earlier line; only its part on this line is copied
    let first = words.partition_point(|word| word.end <= line.start);
    for word in words[first..].iter().take_while(|word| word.start < line.end) {
        let (start, stop) = (word.start as usize, (word.end as usize).min(end));
        if start > at {
            let gap = &text[at..start];
            out += if gap.trim().is_empty() { " " } else { gap };
        }
        out += &text[at.max(start)..stop];
        at = stop;
    }
    // whatever is left behind the last lexeme is a comment
    let rest = text[at..end].trim();
    if !rest.is_empty() {
        let apart = if out.is_empty() { "" } else { " " };
        out = out.trim_end().to_owned() + apart + rest;
    }
    out.trim().to_owned()
}

/// Moves the first lines of items to column 0, and indents their continuation lines.
fn indent_lines(lines: &mut [LayoutLine]) {
    let is_comment = |line: &LayoutLine| line.text.starts_with('!');
    let mut at = 0;
    while at < lines.len() {
        // comments and empty lines at the end belong to the next item, and go to column 0 with it
        let next = (at + 1..lines.len()).find(|index| lines[*index].begins).unwrap_or(lines.len());
        let mut end = next;
        while end > at + 1 && (lines[end - 1].text.is_empty() || is_comment(&lines[end - 1])) {
            end -= 1;
        }
        // text before the first item consists of comments alone, so nothing of it is continued
        let continued = if lines[at].begins { at + 1 } else { end };
        let filled = lines[continued..end].iter().filter(|line| !line.text.is_empty());
        let least = filled.map(|line| line.indent).min().unwrap_or(0);
        for (index, line) in lines[at..next].iter_mut().enumerate() {
            let is_continued = (continued - at..end - at).contains(&index);
            // the shallowest continuation line gets `INDENT`, and the others keep their distance from it
            line.indent = if is_continued { line.indent - least.min(line.indent) + INDENT } else { 0 };
        }
        at = next;
    }
}

/// Aligns the colons of consecutive claims. A claim of one line counts, and so do its continuation lines.
fn align_colons(lines: &mut [LayoutLine]) {
    for line in lines.iter_mut().filter(|line| line.begins) {
        let mut words = line.text.split_whitespace();
        if let (Some("claim"), Some(name), Some(colon)) = (words.next(), words.next(), words.next())
            && colon.starts_with(':')
        {
            line.colon = Some("claim ".len() + name.chars().count());
        }
    }
    let mut at = 0;
    while at < lines.len() {
        // continuation lines do not end a run of claims; an empty line, a comment or another item does
        let in_run = |line: &LayoutLine| {
            if line.begins { line.colon.is_some() } else { line.indent > 0 && !line.text.is_empty() }
        };
        let end = (at..lines.len()).find(|index| !in_run(&lines[*index])).unwrap_or(lines.len());
        let run = &mut lines[at..end];
        let limit = "claim ".len() + LONGEST;
        let width = run.iter().filter_map(|line| line.colon).filter(|width| *width <= limit).max().unwrap_or(0);
        for line in run {
            if let Some(colon) = line.colon {
                // columns count characters, and the insertion needs bytes
                let place: usize = line.text.chars().take(colon).map(char::len_utf8).sum();
                line.text.insert_str(place, &" ".repeat(width.saturating_sub(colon)));
            }
        }
        // a line that belongs to no run is stepped over
        at = end.max(at + 1);
    }
}

/// Joins the lines, with at most one empty line in a row, none at the start, and one line break at the end.
fn join_lines(lines: &[LayoutLine]) -> String {
    let mut out = String::new();
    let mut empty = true;
    for line in lines {
        if line.text.is_empty() {
            if !empty {
                out.push('\n');
            }
            empty = true;
        } else {
            out += &" ".repeat(line.indent);
            out += &line.text;
            out.push('\n');
            empty = false;
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}
