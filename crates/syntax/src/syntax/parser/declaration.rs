//! `let` and `type`.

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::message_excerpt;
use crate::syntax::source::Span;
use crate::syntax::surface::{
    AliasDeclaration, Binder, DataDeclaration, Declaration, Expression, ExpressionKind, TypeDeclaration,
};
use crate::syntax::token::Token;
use std::rc::Rc;

impl Parser<'_> {
    /// Parses `let … in e`.
    pub(super) fn parse_let(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        if self.is_at(Token::LeftParenthesis) || self.is_at_word("_") {
            return self.parse_let_pattern(start);
        }
        let declaration = self.parse_declaration()?;
        let name = message_excerpt(&declaration.name.name);
        self.expect(Token::In, &format!("`in` after the value of `{name}`"))?;
        let body = self.parse_expression()?;
        let span = start.to(body.span);
        self.make_expression(ExpressionKind::Let(Box::new(declaration), Box::new(body)), span)
    }

    fn parse_let_pattern(&mut self, start: Span) -> Result<Expression, SyntaxError> {
        let (binder, value) = self.parse_pattern_and_value()?;
        self.expect(Token::In, "`in` after the value of the pattern")?;
        let body = self.parse_expression()?;
        let span = start.to(body.span);
        self.make_expression(ExpressionKind::LetPattern(Box::new(binder), Box::new(value), Box::new(body)), span)
    }

    /// Parses `p = e` or `p : T = e`.
    pub(super) fn parse_pattern_and_value(&mut self) -> Result<(Binder, Expression), SyntaxError> {
        let pattern = self.parse_pattern()?;
        let ty = if self.accept(Token::Colon)? { Some(Rc::new(self.parse_type_expression()?)) } else { None };
        let binder = Binder { pattern, ty };
        self.check_distinct(std::iter::once(&binder.pattern))?;
        self.expect(Token::Equals, "`=` and a value")?;
        Ok((binder, self.parse_expression()?))
    }

    /// Parses a definition after its `let`: `rec f A (x : T) : R = e`.
    #[doc(hidden)]
    pub fn parse_declaration(&mut self) -> Result<Declaration, SyntaxError> {
        let recursive = self.accept(Token::Rec)?;
        // `sample` declares a sample at the beginning of a declaration only: behind `let` it is a name.
        if !self.is_at(Token::Lower) && !self.is_at(Token::Upper) && !self.is_at_word("sample") {
            return Err(self.expected_error("the name that is defined"));
        }
        let name = self.parse_identifier()?;
        let (type_parameters, parameters) = self.parse_definition_binders()?;
        let result = if self.accept(Token::Colon)? { Some(self.parse_type_expression()?) } else { None };
        self.expect(Token::Equals, &format!("`=` and the value of `{}`", message_excerpt(&name.name)))?;
        let value = self.parse_expression()?;
        // `LetRec` binds a `Lambda`: recursion in any other value has no meaning here.
        if recursive && parameters.is_empty() && !matches!(value.kind, ExpressionKind::Lambda(..)) {
            return Err(SyntaxError::RecursiveValue { name: name.name.to_string(), span: name.span });
        }
        Ok(Declaration { recursive, name, type_parameters, parameters, result, value })
    }

    /// Parses a declaration after its `type`: `Surface A = A -> Real`, or `Maybe A = Nothing | Just A`. Constructors
    /// have a `|` between them, or before the only one.
    #[doc(hidden)]
    pub fn parse_type_declaration(&mut self) -> Result<TypeDeclaration, SyntaxError> {
        if !self.is_at(Token::Upper) {
            return Err(self.expected_error("the name of the type, with a capital initial"));
        }
        let name = self.parse_identifier()?;
        let (parameters, others) = self.parse_definition_binders()?;
        if let Some(binder) = others.first() {
            return Err(SyntaxError::Expected {
                expected: "a type parameter, with a capital initial".to_owned(),
                found: format!("`{}`", message_excerpt(self.text_of(binder.pattern.span))),
                span: binder.pattern.span,
            });
        }
        self.expect(Token::Equals, "`=` and a type")?;
        // A first constructor has the form of a type, and only the bar behind it tells the two apart.
        let first = if self.is_at(Token::Bar) { None } else { Some(self.parse_type_expression()?) };
        let more = self.accept(Token::Bar)?;
        Ok(match first {
            Some(body) if !more => TypeDeclaration::Alias(AliasDeclaration { name, parameters, body }),
            first => TypeDeclaration::Data(DataDeclaration {
                name,
                parameters,
                constructors: self.parse_constructors(first)?,
            }),
        })
    }
}
