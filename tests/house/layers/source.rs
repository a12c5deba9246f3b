//! Just enough of Rust to read the paths of a source file: comments and literals are skipped, what is left are words,
//! `::` and single marks.

use std::iter::Peekable;
use std::str::CharIndices;

/// A piece of a source file that is neither space, comment nor literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// An identifier or a keyword, `r#` taken off.
    Word(&'a str),
    /// `::`
    Separator,
    /// Any other character.
    Mark(char),
}

/// The tokens of a source file, each with its line, counted from 1.
pub fn tokens(source: &str) -> Vec<(usize, Token<'_>)> {
    let mut found = Vec::new();
    let mut rest = source.char_indices().peekable();
    let mut line = 1;
    while let Some((start, c)) = rest.next() {
        let here = line;
        let next = rest.peek().map(|&(_, c)| c);
        match c {
            '\n' => line += 1,
            '/' if next == Some('/') => while rest.next_if(|&(_, c)| c != '\n').is_some() {},
            '/' if next == Some('*') => line += block_comment(&mut rest),
            '"' => line += text(&mut rest, true, 0),
            '\'' => character_or_lifetime(&source[start..], &mut rest),
            ':' if next == Some(':') => {
                rest.next();
                found.push((here, Token::Separator));
            }
            c if c.is_alphabetic() || c == '_' => {
                let word = word(&source[start..]);
                while rest.next_if(|&(at, _)| at < start + word.len()).is_some() {}
                let hashes = source[start + word.len()..].bytes().take_while(|&b| b == b'#').count();
                let quoted = source[start + word.len() + hashes..].starts_with('"');
                match word {
                    "r" | "br" | "cr" if quoted => {
                        rest.nth(hashes);
                        line += text(&mut rest, false, hashes);
                    }
                    "b" | "c" if quoted && hashes == 0 => {
                        rest.next();
                        line += text(&mut rest, true, 0);
                    }
                    "r" if hashes == 1 => drop(rest.next()),
                    _ => found.push((here, Token::Word(word))),
                }
            }
            c if c.is_whitespace() || c.is_ascii_digit() => {}
            c => found.push((here, Token::Mark(c))),
        }
    }
    found
}

fn word(source: &str) -> &str {
    let end = source.find(|c: char| !c.is_alphanumeric() && c != '_');
    &source[..end.unwrap_or(source.len())]
}

/// Skips the rest of a block comment, which may hold others; the number of line ends in it.
fn block_comment(rest: &mut Peekable<CharIndices<'_>>) -> usize {
    let (mut depth, mut lines, mut last) = (0, 0, '/');
    for (_, c) in rest.by_ref() {
        lines += usize::from(c == '\n');
        match (last, c) {
            ('/', '*') => (depth, last) = (depth + 1, ' '),
            ('*', '/') => (depth, last) = (depth - 1, ' '),
            _ => last = c,
        }
        if depth == 0 {
            break;
        }
    }
    lines
}

/// Skips the rest of a string that ends with `"` and so many `#`; the number of line ends in it.
fn text(rest: &mut Peekable<CharIndices<'_>>, escapes: bool, hashes: usize) -> usize {
    let mut lines = 0;
    while let Some((_, c)) = rest.next() {
        lines += usize::from(c == '\n');
        if escapes && c == '\\' {
            lines += usize::from(matches!(rest.next(), Some((_, '\n'))));
        } else if c == '"' {
            let mut ahead = rest.clone();
            if (0..hashes).all(|_| matches!(ahead.next(), Some((_, '#')))) {
                *rest = ahead;
                break;
            }
        }
    }
    lines
}

/// Skips `'a'` or `'\n'` wholly, and only the quote of a lifetime.
fn character_or_lifetime(source: &str, rest: &mut Peekable<CharIndices<'_>>) {
    let mut inside = source[1..].chars();
    match (inside.next(), inside.next()) {
        (Some('\\'), _) => {
            rest.nth(1);
            while rest.next().is_some_and(|(_, c)| c != '\'') {}
        }
        (Some(_), Some('\'')) => drop(rest.nth(1)),
        _ => {}
    }
}

/// Every path of a source file that starts at the crate (`crate`, `self`, `super` or the crate's own name), from the
/// root: `super::b` in the module `a::c` is `a::b`. A `use` gives one path for each of its leaves.
pub fn paths(module: &[&str], source: &str) -> Vec<(usize, Vec<String>)> {
    let tokens = tokens(source);
    let mut reader =
        Reader { tokens: &tokens, at: 0, module: module.iter().map(|&s| s.into()).collect(), found: Vec::new() };
    let (mut depth, mut inline) = (0, Vec::new());
    while let Some(&(_, token)) = tokens.get(reader.at) {
        let before = reader.at.checked_sub(1).map(|i| tokens[i].1);
        match token {
            Token::Mark('{') => {
                if let (Some(Token::Word(name)), true) =
                    (before, reader.at >= 2 && tokens[reader.at - 2].1 == Token::Word("mod"))
                {
                    reader.module.push(name.into());
                    inline.push(depth);
                }
                depth += 1;
            }
            Token::Mark('}') => {
                depth -= 1;
                if inline.last() == Some(&depth) {
                    inline.pop();
                    reader.module.pop();
                }
            }
            Token::Word("use") => {
                reader.at += 1;
                reader.tree(&[]);
                continue;
            }
            Token::Word("crate" | "self" | "super" | "smoothish")
                if before != Some(Token::Separator) && reader.peek(1) == Some(Token::Separator) =>
            {
                reader.branch(&[], false);
                continue;
            }
            _ => {}
        }
        reader.at += 1;
    }
    reader.found
}

struct Reader<'a> {
    tokens: &'a [(usize, Token<'a>)],
    at: usize,
    module: Vec<String>,
    found: Vec<(usize, Vec<String>)>,
}

impl<'a> Reader<'a> {
    fn peek(&self, ahead: usize) -> Option<Token<'a>> {
        self.tokens.get(self.at + ahead).map(|t| t.1)
    }

    /// What follows `use`, or one side of a comma in its braces.
    fn tree(&mut self, prefix: &[String]) {
        self.at += usize::from(self.peek(0) == Some(Token::Separator));
        self.branch(prefix, true);
        if self.peek(0) == Some(Token::Word("as")) {
            self.at += 2;
        }
    }

    fn branch(&mut self, prefix: &[String], in_use: bool) {
        let line = self.tokens.get(self.at).map_or(0, |t| t.0);
        let mut path = prefix.to_vec();
        loop {
            match self.peek(0) {
                Some(Token::Word(word)) => path.push(word.into()),
                Some(Token::Mark('*')) if in_use => path.push("*".into()),
                Some(Token::Mark('{')) if in_use => {
                    self.at += 1;
                    while !matches!(self.peek(0), None | Some(Token::Mark('}'))) {
                        self.tree(&path);
                        self.at += usize::from(self.peek(0) == Some(Token::Mark(',')));
                    }
                    self.at += 1;
                    return;
                }
                // `a::<T>::b`, or no Rust: what was read is the path.
                _ => {
                    self.at += usize::from(in_use);
                    break;
                }
            }
            self.at += 1;
            if self.peek(0) != Some(Token::Separator) {
                break;
            }
            self.at += 1;
        }
        self.found.extend(self.rooted(&path).map(|path| (line, path)));
    }

    /// `None` for the path of another crate, or of a name in scope.
    fn rooted(&self, path: &[String]) -> Option<Vec<String>> {
        let mut root = match path.first()?.as_str() {
            "crate" | "smoothish" => Vec::new(),
            "self" | "super" => self.module.clone(),
            _ => return None,
        };
        for word in path {
            match word.as_str() {
                "crate" | "smoothish" if root.is_empty() => {}
                "self" => {}
                "super" => drop(root.pop()),
                word => root.push(word.into()),
            }
        }
        Some(root)
    }
}
