//! Long programs in lines.
//!
//! A program is printed in one line, which nobody reads where it is long. Here it is broken where it is put together: behind `in`, behind
//! the variables of a function, at cases and branches, at commas and operators, from the outside inwards, and only as far as lines are too
//! long. What is read does not change: between words a new line is a space.

use crate::stack::deep;
use crate::syntax::lexer::Lexer;
use crate::syntax::token::{Lexeme, Token};
use std::ops::Range;

/// How much further in stands what continues.
const STEP: usize = 2;
/// How far in lines begin at most, in parts of the width.
const FURTHEST: usize = 2;

/// The text of a program, in lines of at most so many characters where it has places to break.
#[must_use]
pub fn broken(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let laid = (line.chars().count() > width).then(|| Lines::new(line, width).map(Lines::laid)).flatten();
        lines.push(laid.unwrap_or_else(|| line.to_owned()));
    }
    lines.join("\n")
}

struct Lines<'t> {
    text: &'t str,
    words: Vec<Lexeme>,
    /// For each opening bracket the place of the closing one.
    closing: Vec<usize>,
    width: usize,
    out: String,
    column: usize,
}

/// Where a part can be broken: the first word of each line after the first, and how much further in these stand.
type Breaks = (Vec<usize>, usize);

impl<'t> Lines<'t> {
    fn new(text: &'t str, width: usize) -> Option<Self> {
        let (mut lexer, mut words) = (Lexer::new(text), Vec::new());
        loop {
            let word = lexer.lexeme().ok()?;
            if word.token == Token::End {
                break;
            }
            words.push(word);
        }
        let (mut closing, mut open) = ((0..words.len()).collect::<Vec<usize>>(), Vec::new());
        for (place, word) in words.iter().enumerate() {
            match word.token {
                Token::LeftParenthesis | Token::LeftBracket => open.push(place),
                Token::RightParenthesis | Token::RightBracket => closing[open.pop()?] = place,
                _ => {}
            }
        }
        open.is_empty().then_some(Self { text, words, closing, width, out: String::new(), column: 0 })
    }

    fn laid(mut self) -> String {
        self.part(0..self.words.len(), 0);
        self.out
    }

    fn flat(&self, part: &Range<usize>) -> &'t str {
        let (first, last) = (self.words[part.start].span, self.words[part.end - 1].span);
        &self.text[first.start as usize..last.end as usize]
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn part(&mut self, part: Range<usize>, indent: usize) {
        if part.is_empty() {
            return;
        }
        let flat = self.flat(&part);
        if self.column + flat.chars().count() <= self.width {
            return self.put(flat);
        }
        let Some((breaks, step)) = self.breaks(&part) else { return self.inside(part, indent) };
        let further = (indent + step).min(self.width / FURTHEST);
        let mut start = part.start;
        for place in breaks.into_iter().chain([part.end]) {
            if start > part.start {
                self.out.push('\n');
                self.out.push_str(&" ".repeat(further));
                self.column = further;
            }
            deep(|| self.part(start..place, further));
            start = place;
        }
    }

    /// A part that has no place to break but in brackets.
    fn inside(&mut self, part: Range<usize>, indent: usize) {
        let mut place = part.start;
        while place < part.end {
            if place > part.start && !self.words[place].adjacent {
                self.put(" ");
            }
            let end = self.closing[place];
            self.put(self.flat(&(place..place + 1)));
            if end > place {
                // below what stands first in the brackets, unless that is far in
                let inner = if self.column <= self.width / FURTHEST { self.column } else { indent + STEP };
                deep(|| self.part(place + 1..end, inner));
                self.put(self.flat(&(end..end + 1)));
            }
            place = end.max(place) + 1;
        }
    }

    /// The words of a part outside of brackets: their places.
    fn outer(&self, part: &Range<usize>) -> impl Iterator<Item = usize> {
        let (mut place, end) = (part.start, part.end);
        std::iter::from_fn(move || {
            let here = place;
            place = self.closing.get(here).map_or(end, |closing| closing.max(&here) + 1);
            (here < end).then_some(here)
        })
    }

    /// Where a part is put together.
    fn breaks(&self, part: &Range<usize>) -> Option<Breaks> {
        let token = |place: usize| self.words[place].token;
        let first = token(part.start);
        let at =
            |tokens: &[Token]| -> Vec<usize> { self.outer(part).filter(|p| tokens.contains(&token(*p))).collect() };
        let behind = |tokens: &[Token]| -> Vec<usize> { at(tokens).into_iter().map(|place| place + 1).collect() };
        let proper = |places: Vec<usize>| -> Vec<usize> {
            places.into_iter().filter(|place| part.start < *place && *place < part.end).collect()
        };
        let found =
            |places: Vec<usize>, step: usize| Some((proper(places), step)).filter(|(places, _)| !places.is_empty());
        let leading = || self.variables(part).map(|place| vec![place]).unwrap_or_default();
        let own = match first {
            Token::Let => found(self.bound(part), 0)
                .or_else(|| found(behind(&[Token::Equals]).into_iter().take(1).collect(), STEP)),
            Token::Lambda => found(leading(), STEP),
            Token::Match => found([behind(&[Token::With]), at(&[Token::Bar])].concat(), STEP).map(sorted),
            Token::If => found(at(&[Token::Then, Token::Else]), STEP),
            _ => None,
        };
        let of_case = || {
            let is_case = first == Token::Bar || matches!(first, Token::Upper | Token::LeftBracket);
            is_case.then(|| found(behind(&[Token::FatArrow]).into_iter().take(1).collect(), STEP)).flatten()
        };
        own.or_else(of_case)
            .or_else(|| found(behind(&[Token::Comma]), 0))
            .or_else(|| found(self.binary(part, &[Token::Plus, Token::Minus]), STEP))
            .or_else(|| found(self.binary(part, &[Token::Times, Token::Slash]), STEP))
    }

    /// Behind the variables of a function: the place of its body.
    fn variables(&self, part: &Range<usize>) -> Option<usize> {
        let mut start = part.start;
        while self.words.get(start).is_some_and(|word| word.token == Token::Lambda) {
            let rest = start..part.end;
            start = self.outer(&rest).find(|place| self.words[*place].token == Token::FatArrow)? + 1;
        }
        Some(start)
    }

    /// Behind the `in` of a `let`, and of each `let` that follows there.
    fn bound(&self, part: &Range<usize>) -> Vec<usize> {
        let (mut places, mut open) = (Vec::new(), 0);
        for place in self.outer(part) {
            match self.words[place].token {
                Token::Let => open += 1,
                Token::In => open -= 1,
                // the body of the last one
                _ if open == 0 => break,
                _ => continue,
            }
            if open == 0 {
                places.push(place + 1);
            }
        }
        places
    }

    /// Operators between two operands.
    fn binary(&self, part: &Range<usize>, tokens: &[Token]) -> Vec<usize> {
        let ends_operand = |place: usize| {
            use Token::{False, Lower, Number, RightBracket, RightParenthesis, Superscript, True, Upper};
            let token = self.words[place].token;
            matches!(token, False | Lower | Number | RightBracket | RightParenthesis | Superscript | True | Upper)
        };
        self.outer(part)
            .filter(|place| {
                tokens.contains(&self.words[*place].token) && *place > part.start && ends_operand(place - 1)
            })
            .collect()
    }
}

fn sorted((mut places, step): Breaks) -> Breaks {
    places.sort_unstable();
    (places, step)
}
