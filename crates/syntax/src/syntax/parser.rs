//! The parser: recursive descent, with precedence climbing for operators.
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
//! `do { x <- m; n; e }` is an argument like any other in brackets. Braces and semicolons are rejected elsewhere.

mod binder;
mod block;
mod cases;
mod declaration;
mod expression;
mod input;
pub mod literal;
mod types;

pub use input::{PromptInput, parse_input};
pub(crate) use literal::power_of_ten;

use super::error::{END, SyntaxError};
use super::lexer::{Lexer, message_excerpt};
use super::limit;
use super::name::Name;
use super::source::{Span, check_length};
use super::surface::{Expression, ExpressionKind, TypeExpression};
use super::token::{Lexeme, Token};
use crate::stack::with_stack;
use rustc_hash::FxHashSet;

/// Parses a text as one expression.
///
/// # Errors
/// A [`SyntaxError`] at the first token that is wrong.
pub fn parse_expression(text: &str) -> Result<Expression, SyntaxError> {
    let mut parser = Parser::new(text, &[])?;
    if parser.is_at(Token::End) {
        return Err(SyntaxError::Empty { span: parser.span() });
    }
    let expression = parser.parse_expression()?;
    parser.expect_end()?;
    Ok(expression)
}

/// Parses a text as one type.
///
/// # Errors
/// A [`SyntaxError`] at the first token that is wrong.
pub fn parse_type(text: &str) -> Result<TypeExpression, SyntaxError> {
    let mut parser = Parser::new(text, &[])?;
    let ty = parser.parse_type_expression()?;
    parser.expect_end()?;
    Ok(ty)
}

/// A parser of one text, with one token of lookahead.
#[doc(hidden)]
pub struct Parser<'s> {
    lexer: Lexer<'s>,
    current: Lexeme,
    previous_end: u32,
    nesting: u32,
    brackets: u32,
    /// The number of `do` blocks that are open.
    blocks: u32,
    nodes: u32,
    literal_bits: u32,
    names: FxHashSet<Name>,
    reserved: &'static [&'static str],
}

impl<'s> Parser<'s> {
    /// Makes a parser at the beginning of `text`. The words `reserved` are not names in it.
    ///
    /// # Errors
    /// [`SyntaxError::TooLong`], or the error of the first token.
    #[doc(hidden)]
    pub fn new(text: &'s str, reserved: &'static [&'static str]) -> Result<Parser<'s>, SyntaxError> {
        check_length(text.len())?;
        let mut lexer = Lexer::new(text);
        let current = lexer.next_lexeme()?;
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

    /// Returns the next token, without consuming it.
    #[doc(hidden)]
    pub fn current(&self) -> Lexeme {
        self.current
    }

    /// Returns the span of the next token.
    #[doc(hidden)]
    pub fn span(&self) -> Span {
        self.current.span
    }

    /// Returns the text of the next token.
    pub(crate) fn current_text(&self) -> &'s str {
        self.span().text_in(self.lexer.source())
    }

    /// Returns the text of a span.
    #[doc(hidden)]
    pub fn text_of(&self, span: Span) -> &'s str {
        span.text_in(self.lexer.source())
    }

    /// Returns the span from `start` to the end of the last consumed token.
    #[doc(hidden)]
    pub fn span_from(&self, start: Span) -> Span {
        Span::new(start.start, self.previous_end.max(start.start))
    }

    /// Returns `true` if the next token is of this kind. A reserved word is no name.
    #[doc(hidden)]
    pub fn is_at(&self, token: Token) -> bool {
        self.current.token == token && !(token == Token::Lower && self.is_at_reserved())
    }

    /// Returns `true` if the next token is a word that is reserved in this text.
    fn is_at_reserved(&self) -> bool {
        self.current.token == Token::Lower && self.reserved.contains(&self.current_text()) && !self.is_at_sample_name()
    }

    /// Returns `true` if the next token is `sample` as the name of a function. In a declaration of samples a type
    /// follows.
    fn is_at_sample_name(&self) -> bool {
        self.current_text() == "sample" && self.peek().is_none_or(|lexeme| lexeme.token != Token::Upper)
    }

    /// Returns `true` if the next token is this word, be it reserved or not.
    #[doc(hidden)]
    pub fn is_at_word(&self, word: &str) -> bool {
        self.current.token == Token::Lower && self.current_text() == word
    }

    /// Returns the token after the next, without consuming any. `None` if it is not a valid token.
    fn peek(&self) -> Option<Lexeme> {
        self.lexer.clone().next_lexeme().ok()
    }

    /// Consumes the next token, and returns it.
    #[doc(hidden)]
    pub fn advance(&mut self) -> Result<Lexeme, SyntaxError> {
        // The new token is checked before anything changes, against the `do` that may stand before it.
        let next = self.lexer.next_lexeme()?;
        self.check_brace(next)?;
        self.previous_end = self.current.span.end;
        match self.current.token {
            Token::LeftParenthesis | Token::LeftBracket => self.brackets += 1,
            // A closing bracket too many is reported by `expected_error`, with its own error.
            Token::RightParenthesis | Token::RightBracket => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        Ok(std::mem::replace(&mut self.current, next))
    }

    /// Rejects braces and semicolons outside of a `do`, like any other character without a meaning.
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

    /// Consumes the next token if it is of this kind. Returns `true` if it was.
    #[doc(hidden)]
    pub fn accept(&mut self, token: Token) -> Result<bool, SyntaxError> {
        let found = self.is_at(token);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Consumes and returns the next token, which must be of this kind. `expected_error` describes it in the error.
    #[doc(hidden)]
    pub fn expect(&mut self, token: Token, expected: &str) -> Result<Lexeme, SyntaxError> {
        if self.is_at(token) { self.advance() } else { Err(self.expected_error(expected)) }
    }

    /// Consumes the bracket that closes the one at `opening`.
    fn expect_closing(&mut self, token: Token, opening: Span) -> Result<(), SyntaxError> {
        if self.accept(token)? {
            return Ok(());
        }
        let closing = if token == Token::RightBracket { ']' } else { ')' };
        Err(SyntaxError::Unclosed { closing, opening, found: self.describe_current(), span: self.span() })
    }

    /// Checks that the text ends here.
    #[doc(hidden)]
    pub fn expect_end(&self) -> Result<(), SyntaxError> {
        if self.is_at(Token::End) { Ok(()) } else { Err(self.expected_error("the end of the program")) }
    }

    /// Returns the error that something else was expected here.
    #[doc(hidden)]
    pub fn expected_error(&self, expected: impl Into<String>) -> SyntaxError {
        match self.current.token {
            // A closing bracket that nothing opened is the mistake, whatever else was expected here.
            Token::RightParenthesis | Token::RightBracket if self.brackets == 0 => {
                SyntaxError::Unopened { bracket: self.current_text().to_owned(), span: self.span() }
            }
            _ => SyntaxError::Expected { expected: expected.into(), found: self.describe_current(), span: self.span() },
        }
    }

    /// Describes the next token for messages.
    fn describe_current(&self) -> String {
        match self.current.token {
            Token::End => END.to_owned(),
            _ => format!("`{}`", message_excerpt(self.current_text())),
        }
    }

    /// Interns the name at a span, with typographic primes made straight.
    #[doc(hidden)]
    pub fn intern_name(&mut self, span: Span) -> Name {
        let text = self.text_of(span);
        let straight: Name = match text.contains(['’', '′']) {
            true => text.replace(['’', '′'], "'").into(),
            // One allocation per distinct name: every further use shares it.
            false => match self.names.get(text) {
                Some(name) => return name.clone(),
                None => text.into(),
            },
        };
        self.names.insert(straight.clone());
        straight
    }

    /// Runs `step` one level deeper, with enough stack.
    ///
    /// # Errors
    /// [`SyntaxError::TooDeep`] beyond [`limit::DEPTH`], and those of `step`.
    fn with_nesting<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        if self.nesting >= limit::DEPTH {
            return Err(SyntaxError::TooDeep { span: self.span() });
        }
        self.nesting += 1;
        let result = with_stack(|| step(self));
        self.nesting -= 1;
        result
    }

    /// Counts one more syntax node of the text.
    ///
    /// # Errors
    /// [`SyntaxError::TooLarge`] beyond [`limit::SYNTAX_NODES`].
    fn count_node(&mut self, span: Span) -> Result<(), SyntaxError> {
        self.nodes += 1;
        if self.nodes > limit::SYNTAX_NODES { Err(SyntaxError::TooLarge { span }) } else { Ok(()) }
    }

    /// Counts and makes a node of an expression.
    fn make_expression(&mut self, kind: ExpressionKind, span: Span) -> Result<Expression, SyntaxError> {
        self.count_node(span)?;
        Expression::new(kind, span)
    }
}
