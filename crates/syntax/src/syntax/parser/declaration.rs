//! `let` and `type`.

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::excerpt;
use crate::syntax::source::Span;
use crate::syntax::surface::{
    AliasDeclaration, Binder, DataDeclaration, Declaration, Expression, ExpressionKind, TypeDeclaration,
};
use crate::syntax::token::Token;
use std::rc::Rc;

impl Parser<'_> {
    /// Parses `let … in e`.
    pub(super) fn let_in(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        if self.at(Token::LeftParenthesis) || self.at_word("_") {
            return self.let_pattern(start);
        }
        let declaration = self.declaration()?;
        let name = excerpt(&declaration.name.name);
        self.expect(Token::In, &format!("`in` after the value of `{name}`"))?;
        let body = self.expression()?;
        let span = start.to(body.span);
        self.make(ExpressionKind::Let(Box::new(declaration), Box::new(body)), span)
    }

    fn let_pattern(&mut self, start: Span) -> Result<Expression, SyntaxError> {
        let (binder, value) = self.pattern_and_value()?;
        self.expect(Token::In, "`in` after the value of the pattern")?;
        let body = self.expression()?;
        let span = start.to(body.span);
        self.make(ExpressionKind::LetPattern(Box::new(binder), Box::new(value), Box::new(body)), span)
    }

    /// Parses `p = e` or `p : T = e`.
    pub(super) fn pattern_and_value(&mut self) -> Result<(Binder, Expression), SyntaxError> {
        let pattern = self.pattern()?;
        let ty = if self.accept(Token::Colon)? { Some(Rc::new(self.type_expression()?)) } else { None };
        let binder = Binder { pattern, ty };
        self.check_distinct(std::iter::once(&binder.pattern))?;
        self.expect(Token::Equals, "`=` and a value")?;
        Ok((binder, self.expression()?))
    }

    /// Parses a definition after its `let`: `rec f A (x : T) : R = e`.
    #[doc(hidden)]
    pub fn declaration(&mut self) -> Result<Declaration, SyntaxError> {
        let recursive = self.accept(Token::Rec)?;
        // `sample` declares a sample at the beginning of a declaration only: behind `let` it is a name.
        if !self.at(Token::Lower) && !self.at(Token::Upper) && !self.at_word("sample") {
            return Err(self.expected("the name that is defined"));
        }
        let name = self.identifier()?;
        let (type_parameters, parameters) = self.definition_binders()?;
        let result = if self.accept(Token::Colon)? { Some(self.type_expression()?) } else { None };
        self.expect(Token::Equals, &format!("`=` and the value of `{}`", excerpt(&name.name)))?;
        let value = self.expression()?;
        // `LetRec` binds a `Lambda`: recursion in any other value has no meaning here.
        if recursive && parameters.is_empty() && !matches!(value.kind, ExpressionKind::Lambda(..)) {
            return Err(SyntaxError::RecursiveValue { name: name.name.to_string(), span: name.span });
        }
        Ok(Declaration { recursive, name, type_parameters, parameters, result, value })
    }

    /// Parses a declaration after its `type`: `Surface A = A -> Real`, or `Maybe A = Nothing | Just A`. Constructors
    /// have a `|` between them, or before the only one.
    #[doc(hidden)]
    pub fn type_declaration(&mut self) -> Result<TypeDeclaration, SyntaxError> {
        if !self.at(Token::Upper) {
            return Err(self.expected("the name of the type, with a capital initial"));
        }
        let name = self.identifier()?;
        let (parameters, others) = self.definition_binders()?;
        if let Some(binder) = others.first() {
            return Err(SyntaxError::Expected {
                expected: "a type parameter, with a capital initial".to_owned(),
                found: format!("`{}`", excerpt(self.text_of(binder.pattern.span))),
                span: binder.pattern.span,
            });
        }
        self.expect(Token::Equals, "`=` and a type")?;
        // A first constructor has the form of a type, and only the bar behind it tells the two apart.
        let first = if self.at(Token::Bar) { None } else { Some(self.type_expression()?) };
        let more = self.accept(Token::Bar)?;
        Ok(match first {
            Some(body) if !more => TypeDeclaration::Alias(AliasDeclaration { name, parameters, body }),
            first => {
                TypeDeclaration::Data(DataDeclaration { name, parameters, constructors: self.constructors(first)? })
            }
        })
    }
}
