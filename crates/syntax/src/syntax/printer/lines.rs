//! Line breaks in long programs.
//!
//! The printer writes a program in one line. This module breaks a long line after `in`, after the variables of a
//! function, at cases and branches, at commas and operators. It works from the outside inwards, and only as far as
//! lines are too long. The program stays the same: between tokens a newline is a space.

use crate::stack::with_stack;
use crate::syntax::lexer::{Lexeme, Lexer, Token};
use std::ops::Range;

/// The indentation of a continued line relative to the line before, in characters. A choice.
const INDENT: usize = 2;
/// The divisor of the width that bounds the indentation: half of the width. A choice, so that deep programs keep room.
const INDENT_DIVISOR: usize = 2;

/// Breaks the text of a program into lines of at most `width` characters, where it has places to break.
#[must_use]
pub fn break_lines(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        // A line that is no valid text of tokens stays as it is.
        let laid =
            (line.chars().count() > width).then(|| LineBreaker::new(line, width).map(LineBreaker::lay_out)).flatten();
        lines.push(laid.unwrap_or_else(|| line.to_owned()));
    }
    lines.join("\n")
}

struct LineBreaker<'t> {
    text: &'t str,
    words: Vec<Lexeme>,
    /// For each opening bracket the index of the closing one; for other tokens their own index.
    closing: Vec<usize>,
    width: usize,
    out: String,
    column: usize,
}

/// The break points of a part: the first token of each further line, and the indentation of these lines.
type BreakPoints = (Vec<usize>, usize);

impl<'t> LineBreaker<'t> {
    fn new(text: &'t str, width: usize) -> Option<Self> {
        let (mut lexer, mut words) = (Lexer::new(text), Vec::new());
        loop {
            let word = lexer.next_lexeme().ok()?;
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

    fn lay_out(mut self) -> String {
        self.lay_out_part(0..self.words.len(), 0);
        self.out
    }

    fn flat_text(&self, part: &Range<usize>) -> &'t str {
        let (first, last) = (self.words[part.start].span, self.words[part.end - 1].span);
        &self.text[first.start as usize..last.end as usize]
    }

    fn push_text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn lay_out_part(&mut self, part: Range<usize>, indent: usize) {
        if part.is_empty() {
            return;
        }
        let flat = self.flat_text(&part);
        // The part fits into the rest of the line.
        if self.column + flat.chars().count() <= self.width {
            return self.push_text(flat);
        }
        let Some((breaks, step)) = self.find_breaks(&part) else { return self.lay_out_brackets(part, indent) };
        let further = (indent + step).min(self.width / INDENT_DIVISOR);
        let mut start = part.start;
        for place in breaks.into_iter().chain([part.end]) {
            if start > part.start {
                self.out.push('\n');
                self.out.push_str(&" ".repeat(further));
                self.column = further;
            }
            with_stack(|| self.lay_out_part(start..place, further));
            start = place;
        }
    }

    /// Lays out a part that can be broken only inside brackets.
    fn lay_out_brackets(&mut self, part: Range<usize>, indent: usize) {
        let mut place = part.start;
        while place < part.end {
            if place > part.start && !self.words[place].adjacent {
                self.push_text(" ");
            }
            let end = self.closing[place];
            self.push_text(self.flat_text(&(place..place + 1)));
            if end > place {
                // Aligned with the first token inside the brackets, unless that is far to the right.
                let inner = if self.column <= self.width / INDENT_DIVISOR { self.column } else { indent + INDENT };
                with_stack(|| self.lay_out_part(place + 1..end, inner));
                self.push_text(self.flat_text(&(end..end + 1)));
            }
            place = end.max(place) + 1;
        }
    }

    /// Returns the indices of the tokens of a part outside of brackets.
    fn outer_tokens(&self, part: &Range<usize>) -> impl Iterator<Item = usize> {
        let (mut place, end) = (part.start, part.end);
        std::iter::from_fn(move || {
            let here = place;
            place = self.closing.get(here).map_or(end, |closing| closing.max(&here) + 1);
            (here < end).then_some(here)
        })
    }

    /// Finds the break points of the outermost construct of a part. `None` if it has none.
    fn find_breaks(&self, part: &Range<usize>) -> Option<BreakPoints> {
        let token = |place: usize| self.words[place].token;
        let first = token(part.start);
        let at = |tokens: &[Token]| -> Vec<usize> {
            self.outer_tokens(part).filter(|p| tokens.contains(&token(*p))).collect()
        };
        let behind = |tokens: &[Token]| -> Vec<usize> { at(tokens).into_iter().map(|place| place + 1).collect() };
        let proper = |places: Vec<usize>| -> Vec<usize> {
            places.into_iter().filter(|place| part.start < *place && *place < part.end).collect()
        };
        let found =
            |places: Vec<usize>, step: usize| Some((proper(places), step)).filter(|(places, _)| !places.is_empty());
        let leading = || self.body_of_lambda(part).map(|place| vec![place]).unwrap_or_default();
        let own = match first {
            // A `let` that is not complete here, or the last of a block, breaks after its `=`.
            Token::Let => found(self.bodies_of_lets(part), 0)
                .or_else(|| found(behind(&[Token::Equals]).into_iter().take(1).collect(), INDENT)),
            Token::Lambda => found(leading(), INDENT),
            Token::Match => found([behind(&[Token::With]), at(&[Token::Bar])].concat(), INDENT).map(sort_breaks),
            Token::If => found(at(&[Token::Then, Token::Else]), INDENT),
            _ => None,
        };
        let of_case = || {
            let is_case = first == Token::Bar || matches!(first, Token::Upper | Token::LeftBracket);
            is_case.then(|| found(behind(&[Token::FatArrow]).into_iter().take(1).collect(), INDENT)).flatten()
        };
        // The order is that of precedence, loosest first: a part is broken where it is put together last.
        own.or_else(of_case)
            .or_else(|| found(behind(&[Token::Comma]), 0))
            .or_else(|| found(self.binary_operators(part, &[Token::Plus, Token::Minus]), INDENT))
            .or_else(|| found(self.binary_operators(part, &[Token::Times, Token::Slash]), INDENT))
    }

    /// Returns the index of the body of a function, after all its variables. `None` if an arrow is missing.
    fn body_of_lambda(&self, part: &Range<usize>) -> Option<usize> {
        let mut start = part.start;
        while self.words.get(start).is_some_and(|word| word.token == Token::Lambda) {
            let rest = start..part.end;
            start = self.outer_tokens(&rest).find(|place| self.words[*place].token == Token::FatArrow)? + 1;
        }
        Some(start)
    }

    /// Returns the break points after the `in` of a `let`, and of each `let` that follows there.
    fn bodies_of_lets(&self, part: &Range<usize>) -> Vec<usize> {
        let (mut places, mut open) = (Vec::new(), 0);
        for place in self.outer_tokens(part) {
            match self.words[place].token {
                Token::Let => open += 1,
                Token::In => open -= 1,
                // Any other token belongs to the body of the last `let`.
                _ if open == 0 => break,
                _ => continue,
            }
            if open == 0 {
                places.push(place + 1);
            }
        }
        places
    }

    /// Returns the positions of binary operators; a sign that no operand precedes is unary.
    fn binary_operators(&self, part: &Range<usize>, tokens: &[Token]) -> Vec<usize> {
        let ends_operand = |place: usize| {
            use Token::{False, Lower, Number, RightBracket, RightParenthesis, Superscript, True, Upper};
            let token = self.words[place].token;
            matches!(token, False | Lower | Number | RightBracket | RightParenthesis | Superscript | True | Upper)
        };
        self.outer_tokens(part)
            .filter(|place| {
                tokens.contains(&self.words[*place].token) && *place > part.start && ends_operand(place - 1)
            })
            .collect()
    }
}

fn sort_breaks((mut places, step): BreakPoints) -> BreakPoints {
    places.sort_unstable();
    (places, step)
}
