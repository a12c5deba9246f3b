//! What is typed at a prompt: an expression, or a definition that is to be kept.

use super::{Parser, parse_expression};
use crate::syntax::error::SyntaxError;
use crate::syntax::surface::{Declaration, Expression, TypeDeclaration};
use crate::syntax::token::Token;

/// One input at a prompt.
#[derive(Debug)]
pub enum Input {
    /// Nothing but space and comments.
    Nothing,
    /// An expression.
    Expression(Expression),
    /// `let f x = e`, without an `in`.
    Definition(Declaration),
    /// `type Name A = T`, `type Name A = C | D T`
    Type(TypeDeclaration),
}

/// Reads a text as an expression or as one definition. The words `reserved` are not names.
///
/// # Errors
/// A [`SyntaxError`] with the first place that is wrong; [`SyntaxError::is_unfinished`] where the text only ends too early.
///
/// # Examples
/// ```
/// use smoothish::syntax::parser::{Input, parse_input};
/// assert!(matches!(parse_input("let f x = x", &[])?, Input::Definition(_)));
/// assert!(matches!(parse_input("let x = 2 in x", &[])?, Input::Expression(_)));
/// assert!(parse_input("let x = ", &[]).unwrap_err().is_unfinished());
/// assert!(!parse_input("let x = )", &[]).unwrap_err().is_unfinished());
/// # Ok::<(), smoothish::syntax::error::SyntaxError>(())
/// ```
pub fn parse_input(text: &str, reserved: &'static [&'static str]) -> Result<Input, SyntaxError> {
    let mut parser = Parser::new(text, reserved)?;
    let next = parser.peek().map(|lexeme| lexeme.token);
    if parser.at(Token::End) {
        return Ok(Input::Nothing);
    }
    if parser.at_word("type") && matches!(next, Some(Token::Upper | Token::End)) {
        parser.advance()?;
        let declaration = parser.type_declaration()?;
        parser.expect_end()?;
        return Ok(Input::Type(declaration));
    }
    // A pattern, `let (x, y) = …`, defines no name.
    if parser.at(Token::Let) && next != Some(Token::LeftParenthesis) {
        parser.advance()?;
        if !parser.at_word("_") {
            let declaration = parser.declaration()?;
            if parser.at(Token::End) {
                return Ok(Input::Definition(declaration));
            }
            if !parser.at(Token::In) {
                return Err(parser.expected("`in`, or the end of the definition"));
            }
        }
    }
    parse_expression(text).map(Input::Expression)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_told_from_expressions() {
        let kind = |text: &str| match parse_input(text, &["of"]) {
            Ok(Input::Nothing) => "nothing".to_owned(),
            Ok(Input::Expression(_)) => "expression".to_owned(),
            Ok(Input::Definition(_)) => "definition".to_owned(),
            Ok(Input::Type(TypeDeclaration::Alias(_))) => "alias".to_owned(),
            Ok(Input::Type(TypeDeclaration::Data(_))) => "constructors".to_owned(),
            Err(error) if error.is_unfinished() => "unfinished".to_owned(),
            Err(error) => error.to_string(),
        };
        for (text, expected) in [
            ("", "nothing"),
            (" ! a comment", "nothing"),
            ("1 + 2", "expression"),
            ("let rec f (n : Nat) : Real = f n", "definition"),
            ("let f x =\n  x", "definition"),
            ("let f x = x in f 2", "expression"),
            ("let (x, y) = (1, 2) in x", "expression"),
            ("let _ = 1 in 2", "expression"),
            ("type Surface A = A -> Real", "alias"),
            ("type Maybe A = Nothing | Just A", "constructors"),
            ("type Shape =\n  | Disc Real\n  | Box (Real * Real)", "constructors"),
            ("type Wrap = | Wrap Real", "constructors"),
            ("\\type => type", "expression"),
            ("match m with Nothing => 0 | Just x => x", "expression"),
            ("1 +", "unfinished"),
            ("(1", "unfinished"),
            ("\\x =>", "unfinished"),
            ("let", "unfinished"),
            ("let x", "unfinished"),
            ("let x = 1 in", "unfinished"),
            ("let (x, y) = (1, 2)", "unfinished"),
            ("type", "unfinished"),
            ("type A =", "unfinished"),
            ("type A = B |", "unfinished"),
            ("type A = |", "unfinished"),
            ("match", "unfinished"),
            ("match m with", "unfinished"),
            ("match m with |", "unfinished"),
            ("match m with Just", "unfinished"),
            ("match m with Just x =>", "unfinished"),
            ("match m with Just x => x |", "unfinished"),
            ("match m with [", "unfinished"),
            ("match m with x", "unfinished"),
            ("match m with x ::", "unfinished"),
            ("[1,", "unfinished"),
            ("[", "unfinished"),
            ("1 ::", "unfinished"),
            ("if tt then", "unfinished"),
            ("let x = 1)", "this `)` closes nothing"),
            ("let of = 1", "expected the name that is defined, found `of`"),
            ("let x = 1, 2", "expected `in`, or the end of the definition, found `,`"),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }
}
