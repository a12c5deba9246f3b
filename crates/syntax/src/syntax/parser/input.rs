//! Input at a prompt: an expression, or a definition to be kept.

use super::{Parser, parse_expression};
use crate::syntax::error::SyntaxError;
use crate::syntax::surface::{Declaration, Expression, TypeDeclaration};
use crate::syntax::token::Token;

/// One input at a prompt, parsed.
#[derive(Debug)]
pub enum PromptInput {
    /// An input of nothing but space and comments.
    Empty,
    /// An expression.
    Expression(Expression),
    /// `let f x = e`, without an `in`.
    Definition(Declaration),
    /// `type Name A = T`, `type Name A = C | D T`
    Type(TypeDeclaration),
}

/// Parses a text as an expression or as one definition. In a definition the words `reserved` are not names.
///
/// # Errors
/// A [`SyntaxError`] at the first token that is wrong. [`SyntaxError::is_unfinished`] if the text only ends too early.
///
/// # Examples
/// ```
/// use smoothish_syntax::syntax::parser::{PromptInput, parse_input};
/// assert!(matches!(parse_input("let f x = x", &[])?, PromptInput::Definition(_)));
/// assert!(matches!(parse_input("let x = 2 in x", &[])?, PromptInput::Expression(_)));
/// assert!(parse_input("let x = ", &[]).unwrap_err().is_unfinished());
/// assert!(!parse_input("let x = )", &[]).unwrap_err().is_unfinished());
/// # Ok::<(), smoothish_syntax::syntax::error::SyntaxError>(())
/// ```
pub fn parse_input(text: &str, reserved: &'static [&'static str]) -> Result<PromptInput, SyntaxError> {
    let mut parser = Parser::new(text, reserved)?;
    let next = parser.peek().map(|lexeme| lexeme.token);
    if parser.is_at(Token::End) {
        return Ok(PromptInput::Empty);
    }
    // `type` may also be the name of a variable: it begins a declaration only before a capital name or the end.
    if parser.is_at_word("type") && matches!(next, Some(Token::Upper | Token::End)) {
        parser.advance()?;
        let declaration = parser.parse_type_declaration()?;
        parser.expect_end()?;
        return Ok(PromptInput::Type(declaration));
    }
    // A pattern, `let (x, y) = …`, defines no name.
    if parser.is_at(Token::Let) && next != Some(Token::LeftParenthesis) {
        parser.advance()?;
        if !parser.is_at_word("_") {
            let declaration = parser.parse_declaration()?;
            if parser.is_at(Token::End) {
                return Ok(PromptInput::Definition(declaration));
            }
            if !parser.is_at(Token::In) {
                return Err(parser.expected_error("`in`, or the end of the definition"));
            }
        }
    }
    // An `in` came: the text is parsed again from its beginning, as an expression.
    parse_expression(text).map(PromptInput::Expression)
}
