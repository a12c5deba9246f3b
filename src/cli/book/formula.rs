//! Formulas: `$…$` inside of a line and `$$…$$` on a line of its own, as MathML.
//!
//! The signs are those of Markdown on other hosts, where the same text is shown as well: an opening `$` has no blank behind
//! it, and a closing one has none before it and no digit behind it. So prices and shell variables are no formulas.

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use std::sync::LazyLock;

/// The converter, without macros: a formula means the same on other hosts.
static CONVERTER: LazyLock<LatexToMathML> =
    LazyLock::new(|| LatexToMathML::new(MathCoreConfig::default()).expect("there are no macros to be wrong"));

/// Combining accents, and those that stand alone.
const ACCENTS: [(char, &str); 8] = [
    ('\u{300}', "&#96;"),
    ('\u{301}', "´"),
    ('\u{302}', "^"),
    ('\u{303}', "&#126;"),
    ('\u{306}', "˘"),
    ('\u{307}', "˙"),
    ('\u{308}', "¨"),
    ('\u{30c}', "ˇ"),
];

/// Converts a formula of LaTeX to MathML. `None` if it cannot be read.
#[must_use]
pub fn to_mathml(formula: &str, is_display: bool) -> Option<String> {
    let display = if is_display { MathDisplay::Block } else { MathDisplay::Inline };
    let mathml = CONVERTER.convert_with_local_counter(formula, display).ok()?;
    Some(without_markup(&mathml))
}

/// Writes the letters that Markdown has a use for as entities, and no element as one tag alone.
fn without_markup(mathml: &str) -> String {
    let (mut text, mut is_tag, mut name) = (String::with_capacity(mathml.len()), false, String::new());
    for letter in mathml.chars() {
        match letter {
            '<' => {
                is_tag = true;
                name.clear();
                text.push(letter);
            }
            // HTML reads `<mspace/>` as a beginning without an end.
            '>' if is_tag && text.ends_with('/') => {
                is_tag = false;
                text.pop();
                text.push_str("></");
                text.push_str(name.split_whitespace().next().unwrap_or_default());
                text.push(letter);
            }
            '>' if is_tag => {
                is_tag = false;
                text.push(letter);
            }
            _ if is_tag => {
                if letter != '/' {
                    name.push(letter);
                }
                text.push(letter);
            }
            '*' | '_' | '`' | '[' | ']' | '~' | '\\' | '$' | '|' => {
                text.push_str(&format!("&#{};", u32::from(letter)));
            }
            '\n' => text.push(' '),
            // Browsers centre an accent by its width, and combining ones have none.
            _ => text.push_str(
                ACCENTS
                    .iter()
                    .find(|(combining, _)| *combining == letter)
                    .map_or(letter.encode_utf8(&mut [0; 4]), |(_, alone)| alone),
            ),
        }
    }
    text
}

/// A part of a line of a chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePart<'l> {
    /// Text, which stays as it is.
    Text(&'l str),
    /// Code between backquotes, with them.
    Code(&'l str),
    /// A formula, without its signs, and whether it has two of them.
    Formula(&'l str, bool),
}

/// Splits a line outside of blocks into text, code and formulas.
#[must_use]
pub fn split_line(line: &str) -> Vec<LinePart<'_>> {
    let (mut parts, mut text, mut at) = (Vec::new(), 0, 0);
    while let Some(found) = line[at..].find(['`', '$', '\\']) {
        let start = at + found;
        let sign = line.as_bytes()[start];
        let run = line[start..].bytes().take_while(|byte| *byte == sign).count();
        let inner = start + run;
        let end = match sign {
            // The letter behind a backslash is no sign.
            b'\\' => {
                at = inner + line[inner..].chars().next().map_or(0, char::len_utf8);
                continue;
            }
            b'`' => find_run(line, inner, "`".repeat(run).as_str()),
            _ => find_formula_end(line, inner, run),
        };
        let Some(end) = end else {
            at = inner;
            continue;
        };
        if text < start {
            parts.push(LinePart::Text(&line[text..start]));
        }
        parts.push(match sign {
            b'`' => LinePart::Code(&line[start..end + run]),
            _ => LinePart::Formula(&line[inner..end], run == 2),
        });
        (text, at) = (end + run, end + run);
    }
    if text < line.len() {
        parts.push(LinePart::Text(&line[text..]));
    }
    parts
}

/// Finds a run of exactly these backquotes.
fn find_run(line: &str, from: usize, run: &str) -> Option<usize> {
    let mut at = from;
    while let Some(found) = line[at..].find(run) {
        let start = at + found;
        let length = line[start..].bytes().take_while(|byte| *byte == b'`').count();
        if length == run.len() {
            return Some(start);
        }
        at = start + length;
    }
    None
}

/// Finds the end of a formula that begins at `from`, behind one sign or two.
fn find_formula_end(line: &str, from: usize, run: usize) -> Option<usize> {
    let is_blank = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
    if run > 2 || is_blank(line[from..].chars().next()) {
        return None;
    }
    let mut at = from;
    while let Some(found) = line[at..].find('$') {
        let end = at + found;
        let behind = line[end + 1..].chars().next();
        let closes = match run {
            1 => !behind.is_some_and(|letter| letter.is_ascii_digit()),
            _ => behind == Some('$'),
        };
        let before = line[..end].chars().next_back();
        if closes && end > from && !is_blank(before) && before != Some('\\') {
            return Some(end);
        }
        at = end + 1;
    }
    None
}
