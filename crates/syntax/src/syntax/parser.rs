//! From words to trees: recursive descent, with precedence climbing for operators.
//!
//! | binds | form |
//! |---|---|
//! | tightest | `x[0]`, `e.to`, `e²` |
//! | | `f a b` |
//! | | `a ^ b`, to the right |
//! | | `-a` |
//! | | `a * b`, `a / b` |
//! | | `a + b`, `a - b` |
//! | | `a :: b`, to the right |
//! | | `a < b` and the like, which cannot be chained |
//! | | `a && b`, then `a \|\| b`, to the right |
//! | loosest | `\x => e`, `let … in e`, `if … then … else e`, `match … with p => e \| q => e`, which reach as far as they can |
//!
//! `do { x <- m; n; e }` is an argument like any other in brackets; braces and semicolons stand nowhere else.

mod binder;
mod block;
mod cases;
mod declaration;
mod expression;
mod input;
pub mod literal;
mod types;

pub use input::{Input, parse_input};
pub(crate) use literal::power_of_ten;

use super::error::{END, SyntaxError};
use super::lexer::{Lexer, excerpt};
use super::limit;
use super::name::Name;
use super::source::{Span, check_length};
use super::surface::{Expression, ExpressionKind, TypeExpression};
use super::token::{Lexeme, Token};
use crate::stack::deep;
use rustc_hash::FxHashSet;

/// Reads a text as one expression.
///
/// # Errors
/// A [`SyntaxError`] with the first place that is wrong.
pub fn parse_expression(text: &str) -> Result<Expression, SyntaxError> {
    let mut parser = Parser::new(text, &[])?;
    if parser.at(Token::End) {
        return Err(SyntaxError::Empty { span: parser.span() });
    }
    let expression = parser.expression()?;
    parser.expect_end()?;
    Ok(expression)
}

/// Reads a text as one type.
///
/// # Errors
/// A [`SyntaxError`] with the first place that is wrong.
pub fn parse_type(text: &str) -> Result<TypeExpression, SyntaxError> {
    let mut parser = Parser::new(text, &[])?;
    let ty = parser.type_expression()?;
    parser.expect_end()?;
    Ok(ty)
}

/// A reader of one text, with one word of lookahead.
#[doc(hidden)]
pub struct Parser<'s> {
    lexer: Lexer<'s>,
    current: Lexeme,
    previous_end: u32,
    nesting: u32,
    brackets: u32,
    /// How many `do` are open.
    blocks: u32,
    nodes: u32,
    literal_bits: u32,
    names: FxHashSet<Name>,
    reserved: &'static [&'static str],
}

impl<'s> Parser<'s> {
    /// A reader at the beginning of a text, in which the words `reserved` are not names.
    #[doc(hidden)]
    pub fn new(text: &'s str, reserved: &'static [&'static str]) -> Result<Parser<'s>, SyntaxError> {
        check_length(text.len())?;
        let mut lexer = Lexer::new(text);
        let current = lexer.lexeme()?;
        let parser = Parser {
            lexer,
            current,
            previous_end: 0,
            nesting: 0,
            brackets: 0,
            blocks: 0,
            nodes: 0,
            literal_bits: 0,
            names: FxHashSet::default(),
            reserved,
        };
        parser.check_brace(current)?;
        Ok(parser)
    }

    /// The word that comes next.
    #[doc(hidden)]
    pub fn current(&self) -> Lexeme {
        self.current
    }

    /// The place of the word that comes next.
    #[doc(hidden)]
    pub fn span(&self) -> Span {
        self.current.span
    }

    /// The text of the word that comes next.
    pub(crate) fn text(&self) -> &'s str {
        self.span().of(self.lexer.source())
    }

    /// The text at a place.
    #[doc(hidden)]
    pub fn text_of(&self, span: Span) -> &'s str {
        span.of(self.lexer.source())
    }

    /// The place from `start` to the end of the word before the current one.
    #[doc(hidden)]
    pub fn span_from(&self, start: Span) -> Span {
        Span::new(start.start, self.previous_end.max(start.start))
    }

    /// Whether the next word is of this kind.
    #[doc(hidden)]
    pub fn at(&self, token: Token) -> bool {
        self.current.token == token && !(token == Token::Lower && self.at_reserved())
    }

    /// Whether the next word is a name that is reserved in this text.
    fn at_reserved(&self) -> bool {
        self.current.token == Token::Lower && self.reserved.contains(&self.text()) && !self.at_sample_as_name()
    }

    /// Whether the next word is `sample` as the name of a function: where samples are declared, a type comes after it.
    fn at_sample_as_name(&self) -> bool {
        self.text() == "sample" && self.peek().is_none_or(|lexeme| lexeme.token != Token::Upper)
    }

    /// Whether the next word is this one, which is reserved in this text.
    #[doc(hidden)]
    pub fn at_word(&self, word: &str) -> bool {
        self.current.token == Token::Lower && self.text() == word
    }

    /// The word after the next, without moving.
    fn peek(&self) -> Option<Lexeme> {
        self.lexer.clone().lexeme().ok()
    }

    /// Moves past the next word, and answers with it.
    #[doc(hidden)]
    pub fn advance(&mut self) -> Result<Lexeme, SyntaxError> {
        let next = self.lexer.lexeme()?;
        self.check_brace(next)?;
        self.previous_end = self.current.span.end;
        match self.current.token {
            Token::LeftParenthesis | Token::LeftBracket => self.brackets += 1,
            Token::RightParenthesis | Token::RightBracket => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        Ok(std::mem::replace(&mut self.current, next))
    }

    /// Refuses braces and semicolons where no `do` is open, as any other character without a meaning.
    fn check_brace(&self, next: Lexeme) -> Result<(), SyntaxError> {
        let found = match next.token {
            Token::LeftBrace if self.current.token == Token::Do => return Ok(()),
            Token::LeftBrace => '{',
            Token::RightBrace => '}',
            Token::Semicolon => ';',
            _ => return Ok(()),
        };
        if self.blocks > 0 { Ok(()) } else { Err(SyntaxError::Character { found, span: next.span }) }
    }

    /// Moves past the next word if it is of this kind.
    #[doc(hidden)]
    pub fn accept(&mut self, token: Token) -> Result<bool, SyntaxError> {
        let found = self.at(token);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Moves past the next word, which must be of this kind.
    #[doc(hidden)]
    pub fn expect(&mut self, token: Token, expected: &str) -> Result<Lexeme, SyntaxError> {
        if self.at(token) { self.advance() } else { Err(self.expected(expected)) }
    }

    /// Moves past the bracket that closes the one at `opening`.
    fn close(&mut self, token: Token, opening: Span) -> Result<(), SyntaxError> {
        if self.accept(token)? {
            return Ok(());
        }
        let closing = if token == Token::RightBracket { ']' } else { ')' };
        Err(SyntaxError::Unclosed { closing, opening, found: self.found(), span: self.span() })
    }

    /// The text must end here.
    #[doc(hidden)]
    pub fn expect_end(&self) -> Result<(), SyntaxError> {
        if self.at(Token::End) { Ok(()) } else { Err(self.expected("the end of the program")) }
    }

    /// The error that something else was expected here.
    #[doc(hidden)]
    pub fn expected(&self, expected: impl Into<String>) -> SyntaxError {
        match self.current.token {
            Token::RightParenthesis | Token::RightBracket if self.brackets == 0 => {
                SyntaxError::Unopened { bracket: self.text().to_owned(), span: self.span() }
            }
            _ => SyntaxError::Expected { expected: expected.into(), found: self.found(), span: self.span() },
        }
    }

    /// The next word, as messages name it.
    fn found(&self) -> String {
        match self.current.token {
            Token::End => END.to_owned(),
            _ => format!("`{}`", excerpt(self.text())),
        }
    }

    /// The name at a place, with typographic primes straightened.
    #[doc(hidden)]
    pub fn name(&mut self, span: Span) -> Name {
        let text = self.text_of(span);
        let straight: Name = match text.contains(['’', '′']) {
            true => text.replace(['’', '′'], "'").into(),
            false => match self.names.get(text) {
                Some(name) => return name.clone(),
                None => text.into(),
            },
        };
        self.names.insert(straight.clone());
        straight
    }

    /// Runs one level of a recursion, within the limit of depth and with enough stack.
    fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        if self.nesting >= limit::DEPTH {
            return Err(SyntaxError::TooDeep { span: self.span() });
        }
        self.nesting += 1;
        let result = deep(|| step(self));
        self.nesting -= 1;
        result
    }

    /// Counts one more node.
    fn count(&mut self, span: Span) -> Result<(), SyntaxError> {
        self.nodes += 1;
        if self.nodes > limit::SYNTAX_NODES { Err(SyntaxError::TooLarge { span }) } else { Ok(()) }
    }

    /// A node of an expression.
    fn make(&mut self, kind: ExpressionKind, span: Span) -> Result<Expression, SyntaxError> {
        self.count(span)?;
        Expression::new(kind, span)
    }
}
