//! The text of a theory, laid out.
//!
//! Every item begins a line, and what continues it is indented by two at least; deeper lines keep their depth. Between two
//! words that are apart stands one space, between two items at most one empty line, and the colons of claims that follow
//! each other stand under each other. Words, line breaks inside items, and comments stay as they are, so that the laid out
//! text reads as the same theory, and laying it out again changes nothing.

use super::format;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::Lexer;
use crate::syntax::source::Span;
use crate::syntax::token::Token;

/// How far continued lines are indented.
const INDENT: usize = 2;
/// Names of claims that are longer than this do not push the colons of others.
const LONGEST: usize = 24;

/// A line of the text.
struct Line {
    /// The columns before its first letter.
    indent: usize,
    /// The rest, with one space between words.
    text: String,
    /// Whether an item begins here.
    begins: bool,
    /// Where the colon of a claim stands.
    colon: Option<usize>,
}

/// Lays out a theory.
///
/// # Errors
/// A [`SyntaxError`] where the text is no theory.
///
/// # Examples
/// ```
/// use smoothish_theory::theory::layout;
/// let text = "theory A\nlet   one=1\nclaim a : one ~ 1 because \"x\"\nclaim other : one\n~ 2/2 because \"y\"";
/// assert_eq!(layout::layout(text)?, "theory A\nlet one=1\nclaim a     : one ~ 1 because \"x\"\nclaim other : one\n  ~ 2/2 because \"y\"\n");
/// # Ok::<(), smoothish_theory::syntax::error::SyntaxError>(())
/// ```
pub fn layout(text: &str) -> Result<String, SyntaxError> {
    let starts = format::parse(text)?.starts;
    let words = words(text)?;
    let mut lines: Vec<Line> = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let end = offset + line.len();
        // items that begin in the middle of a line
        let mut cuts: Vec<usize> =
            starts.iter().map(|start| *start as usize).filter(|start| (offset..end).contains(start)).collect();
        cuts.retain(|start| !text[offset..*start].trim().is_empty());
        let mut from = offset;
        for to in cuts.into_iter().chain([end]) {
            let piece = &text[from..to];
            let first = from + (piece.len() - piece.trim_start().len());
            lines.push(Line {
                indent: piece.trim_end().chars().take_while(|letter| letter.is_whitespace()).count(),
                text: spaced(text, Span::new(first as u32, to as u32), &words),
                begins: starts.contains(&(first as u32)),
                colon: None,
            });
            from = to;
        }
        offset = end;
    }
    indent(&mut lines);
    align(&mut lines);
    Ok(written(&lines))
}

/// The places of the words.
fn words(text: &str) -> Result<Vec<Span>, SyntaxError> {
    let mut lexer = Lexer::new(text);
    let mut words = Vec::new();
    loop {
        let lexeme = lexer.lexeme()?;
        if lexeme.token == Token::End {
            return Ok(words);
        }
        words.push(lexeme.span);
    }
}

/// The text of a line, with one space where there were more between two words.
fn spaced(text: &str, line: Span, words: &[Span]) -> String {
    let mut out = String::new();
    let mut at = line.start as usize;
    let end = line.end as usize;
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
    // a comment
    let rest = text[at..end].trim();
    if !rest.is_empty() {
        let apart = if out.is_empty() { "" } else { " " };
        out = out.trim_end().to_owned() + apart + rest;
    }
    out.trim().to_owned()
}

/// Puts items at the left, and what continues them to the right.
fn indent(lines: &mut [Line]) {
    let is_comment = |line: &Line| line.text.starts_with('!');
    let mut at = 0;
    while at < lines.len() {
        // the lines of one item, without the comments before the next
        let next = (at + 1..lines.len()).find(|index| lines[*index].begins).unwrap_or(lines.len());
        let mut end = next;
        while end > at + 1 && (lines[end - 1].text.is_empty() || is_comment(&lines[end - 1])) {
            end -= 1;
        }
        let continued = if lines[at].begins { at + 1 } else { end };
        let filled = lines[continued..end].iter().filter(|line| !line.text.is_empty());
        let least = filled.map(|line| line.indent).min().unwrap_or(0);
        for (index, line) in lines[at..next].iter_mut().enumerate() {
            let is_continued = (continued - at..end - at).contains(&index);
            line.indent = if is_continued { line.indent - least.min(line.indent) + INDENT } else { 0 };
        }
        at = next;
    }
}

/// Puts the colons of claims that follow each other under each other.
fn align(lines: &mut [Line]) {
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
        let in_run =
            |line: &Line| if line.begins { line.colon.is_some() } else { line.indent > 0 && !line.text.is_empty() };
        let end = (at..lines.len()).find(|index| !in_run(&lines[*index])).unwrap_or(lines.len());
        let run = &mut lines[at..end];
        let limit = "claim ".len() + LONGEST;
        let width = run.iter().filter_map(|line| line.colon).filter(|width| *width <= limit).max().unwrap_or(0);
        for line in run {
            if let Some(colon) = line.colon {
                let place: usize = line.text.chars().take(colon).map(char::len_utf8).sum();
                line.text.insert_str(place, &" ".repeat(width.saturating_sub(colon)));
            }
        }
        at = end.max(at + 1);
    }
}

fn written(lines: &[Line]) -> String {
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
