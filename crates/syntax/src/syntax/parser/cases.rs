//! `match`, lists, and the constructors of a `type`.

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::limit;
use crate::syntax::source::Span;
use crate::syntax::surface::{
    Case, CasePattern, Expression, ExpressionKind, Identifier, Pattern, PatternKind, TypeExpression, TypeExpressionKind,
};
use crate::syntax::token::Token;

impl Parser<'_> {
    /// Parses `match e with p => a | q => b`.
    pub(super) fn parse_match(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        let scrutinee = self.parse_expression()?;
        self.expect(Token::With, "`with` after what is matched")?;
        // A bar before the first case is allowed, as in other languages.
        self.accept(Token::Bar)?;
        let mut cases = vec![self.parse_case()?];
        while self.accept(Token::Bar)? {
            cases.push(self.parse_case()?);
        }
        let span = self.span_from(start);
        self.make_expression(ExpressionKind::Match(Box::new(scrutinee), cases), span)
    }

    fn parse_case(&mut self) -> Result<Case, SyntaxError> {
        self.count_node(self.span())?;
        let start = self.span();
        let pattern = self.parse_case_pattern()?;
        let span = self.span_from(start);
        if let Some(argument) = pattern.argument() {
            self.check_distinct(std::iter::once(argument))?;
        }
        self.expect(Token::FatArrow, "`=>` after the case")?;
        let body = self.parse_expression()?;
        Ok(Case { pattern, span, body })
    }

    /// Parses `Just p`, `[]` or `p :: q`.
    fn parse_case_pattern(&mut self) -> Result<CasePattern, SyntaxError> {
        if self.is_at(Token::LeftBracket) {
            let opening = self.advance()?.span;
            // At the end of the text the bracket is unclosed, which a prompt completes; anything else is a wrong case.
            if !self.is_at(Token::RightBracket) && !self.is_at(Token::End) {
                return Err(self.expected_error("`]`, as a case is `[]` or `x :: rest`"));
            }
            self.expect_closing(Token::RightBracket, opening)?;
            return Ok(CasePattern::Nil);
        }
        if self.is_at(Token::Upper) {
            let mut module = None;
            let mut name = self.parse_identifier()?.name;
            if self.accept(Token::Dot)? {
                if !self.is_at(Token::Upper) {
                    return Err(self.expected_error("the name of a constructor, with a capital initial"));
                }
                module = Some(std::mem::replace(&mut name, self.parse_identifier()?.name));
            }
            let argument = match self.current().token {
                Token::Lower | Token::LeftParenthesis => Some(self.parse_shallow_pattern()?),
                Token::Upper | Token::LeftBracket => return Err(SyntaxError::DeepCase { span: self.span() }),
                _ => None,
            };
            return Ok(CasePattern::Constructor(module, name, argument));
        }
        if !self.is_at(Token::Lower) && !self.is_at(Token::LeftParenthesis) {
            return Err(self.expected_error("a case: a constructor, `[]` or `x :: rest`"));
        }
        let start = self.span();
        let head = self.parse_shallow_pattern()?;
        // A catch-all is parsed, so that type inference can name the constructors that it would stand for.
        if self.is_at(Token::FatArrow) && matches!(head.kind, PatternKind::Name(_) | PatternKind::Ignore) {
            return Ok(CasePattern::CatchAll);
        }
        self.expect(Token::ColonColon, "`::` and the rest of the list, as any other case begins with a constructor")?;
        if matches!(self.current().token, Token::Upper | Token::LeftBracket) {
            return Err(SyntaxError::DeepCase { span: self.span() });
        }
        let tail = self.parse_shallow_pattern()?;
        let depth = 1 + head.depth.max(tail.depth);
        let span = self.span_from(start);
        Ok(CasePattern::Cons(Pattern { kind: PatternKind::Tuple(vec![head, tail]), span, depth }))
    }

    /// Parses the pattern of an argument, which consists of names; a constructor in it is [`SyntaxError::DeepCase`].
    fn parse_shallow_pattern(&mut self) -> Result<Pattern, SyntaxError> {
        self.parse_pattern().map_err(|error| match error {
            SyntaxError::CapitalVariable { span, .. } => SyntaxError::DeepCase { span },
            other => other,
        })
    }

    /// Parses `[a, b]`.
    pub(super) fn parse_list(&mut self) -> Result<Expression, SyntaxError> {
        let opening = self.advance()?.span;
        let mut parts = Vec::new();
        if !self.is_at(Token::RightBracket) {
            parts.push(self.parse_expression()?);
            while self.accept(Token::Comma)? {
                if parts.len() >= limit::LIST_LENGTH {
                    return Err(SyntaxError::ListTooLong { span: opening });
                }
                parts.push(self.parse_expression()?);
            }
        }
        self.expect_closing(Token::RightBracket, opening)?;
        let span = self.span_from(opening);
        self.make_expression(ExpressionKind::List(parts), span)
    }

    /// Parses the constructors after `type Name A =`. The first, and the bar behind it, are read already if `first` is
    /// given.
    pub(super) fn parse_constructors(
        &mut self,
        first: Option<TypeExpression>,
    ) -> Result<Vec<(Identifier, Option<TypeExpression>)>, SyntaxError> {
        let mut found: Vec<(Identifier, Option<TypeExpression>)> = Vec::new();
        // If `first` is given, a bar was read after it, and another constructor must follow.
        let mut more = first.is_some();
        let mut next = first;
        loop {
            let written = match next.take() {
                Some(written) => written,
                None if self.is_at(Token::Upper) => self.parse_type_expression()?,
                None => return Err(self.expected_error("a constructor, with a capital initial")),
            };
            let (name, argument) = self.constructor_from_type(written)?;
            // Quadratic, but a declaration has at most `TUPLE_WIDTH` constructors.
            if found.iter().any(|(other, _)| other.name == name.name) {
                return Err(SyntaxError::BoundTwice { name: name.name.to_string(), span: name.span });
            }
            if found.len() >= limit::TUPLE_WIDTH {
                return Err(SyntaxError::TooLarge { span: name.span });
            }
            found.push((name, argument));
            if !more && !self.accept(Token::Bar)? {
                return Ok(found);
            }
            more = false;
        }
    }

    /// Converts `Disc Real`, parsed as a type, to a constructor and the type of its argument.
    fn constructor_from_type(
        &mut self,
        mut written: TypeExpression,
    ) -> Result<(Identifier, Option<TypeExpression>), SyntaxError> {
        let span = written.span;
        let wrong = || SyntaxError::Constructor { span };
        let TypeExpressionKind::Name(None, name, arguments) = &mut written.kind else { return Err(wrong()) };
        // A type applied to several types is a constructor of several arguments, which does not exist.
        let argument = arguments.pop();
        if !arguments.is_empty() || !name.chars().next().is_some_and(char::is_uppercase) {
            return Err(wrong());
        }
        // The type keeps no span for its head alone: it is found again in the text.
        let start = span.start + self.text_of(span).find(&**name).unwrap_or(0) as u32;
        let span = Span::new(start, start + name.len() as u32);
        Ok((Identifier { name: name.clone(), span }, argument))
    }
}
