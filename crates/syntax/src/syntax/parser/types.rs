//! Types as written.
//!
//! From loosest to tightest: `A ≅ B`, `A -> B` (to the right), `A * B * C` (flat), `Tan A`, `A^n`.

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::message_excerpt;
use crate::syntax::limit;
use crate::syntax::source::Span;
use crate::syntax::surface::{TypeExpression, TypeExpressionKind};
use crate::syntax::token::{Token, superscript_digit};

impl Parser<'_> {
    /// Parses a type.
    #[doc(hidden)]
    pub fn parse_type_expression(&mut self) -> Result<TypeExpression, SyntaxError> {
        self.with_nesting(|parser| {
            let left = parser.parse_function_type()?;
            if !parser.accept(Token::Isomorphic)? {
                return Ok(left);
            }
            let right = parser.parse_function_type()?;
            if parser.is_at(Token::Isomorphic) {
                return Err(SyntaxError::Chained { operator: "≅".to_owned(), span: parser.span() });
            }
            let span = left.span.to(right.span);
            let depth = left.depth.max(right.depth);
            parser.make_type(TypeExpressionKind::Iso(Box::new(left), Box::new(right)), span, depth)
        })
    }

    fn parse_function_type(&mut self) -> Result<TypeExpression, SyntaxError> {
        let left = self.parse_product_type()?;
        if !self.accept(Token::Arrow)? {
            return Ok(left);
        }
        let right = self.with_nesting(Self::parse_function_type)?;
        let span = left.span.to(right.span);
        let depth = left.depth.max(right.depth);
        self.make_type(TypeExpressionKind::Function(Box::new(left), Box::new(right)), span, depth)
    }

    fn parse_product_type(&mut self) -> Result<TypeExpression, SyntaxError> {
        let first = self.parse_applied_type()?;
        if !self.is_at(Token::Times) {
            return Ok(first);
        }
        let start = first.span;
        let mut depth = first.depth;
        let mut parts = vec![first];
        while self.accept(Token::Times)? {
            if parts.len() >= limit::TUPLE_WIDTH {
                let width = format!("more than {}", limit::TUPLE_WIDTH);
                return Err(SyntaxError::TooWide { width, span: self.span_from(start) });
            }
            let part = self.parse_applied_type()?;
            depth = depth.max(part.depth);
            parts.push(part);
        }
        self.make_type(TypeExpressionKind::Product(parts), self.span_from(start), depth)
    }

    /// Parses `Tan A`, `Surface (Real^2)`, `Module.Name A`.
    fn parse_applied_type(&mut self) -> Result<TypeExpression, SyntaxError> {
        let start = self.span();
        let takes_arguments = !self.is_at(Token::LeftParenthesis);
        let (mut head, power) = self.parse_power_type()?;
        if power.is_some() || !takes_arguments {
            return Ok(head);
        }
        let mut depth = 0;
        let mut found = Vec::new();
        while self.starts_type_atom() {
            let (argument, power) = self.parse_power_type()?;
            // `Tan A^2` is `(Tan A)^2` to some readers and `Tan (A^2)` to others.
            if let Some(power) = power {
                let plain = Span::new(argument.span.start, power.start);
                return Err(SyntaxError::AmbiguousPower {
                    function: message_excerpt(
                        self.text_of(self.span_from(start)).split_whitespace().next().unwrap_or(""),
                    ),
                    argument: message_excerpt(self.text_of(plain).trim_end()),
                    power: self.text_of(power).to_owned(),
                    span: power,
                });
            }
            depth = depth.max(argument.depth);
            found.push(argument);
        }
        if found.is_empty() {
            return Ok(head);
        }
        if let TypeExpressionKind::Name(_, _, arguments) = &mut head.kind {
            *arguments = found;
        }
        head.span = self.span_from(start);
        head.depth = depth + 1;
        if head.depth > limit::DEPTH { Err(SyntaxError::TooDeep { span: head.span }) } else { Ok(head) }
    }

    fn starts_type_atom(&self) -> bool {
        self.is_at(Token::Upper) || self.is_at(Token::LeftParenthesis) || self.is_at_word("unit")
    }

    /// Parses an atom with its powers. Returns also the span of the powers, `None` if there are none.
    fn parse_power_type(&mut self) -> Result<(TypeExpression, Option<Span>), SyntaxError> {
        let start = self.span();
        let mut ty = self.parse_type_atom()?;
        let mut power: Option<Span> = None;
        loop {
            let here = self.current();
            // ℜ² loses its raised position when it is copied from a page: ℜ2.
            let copied = here.token == Token::Number && here.adjacent && self.text_of(ty.span).ends_with(is_type_sign);
            let digits: String = match here.token {
                Token::Caret => {
                    self.advance()?;
                    if !self.is_at(Token::Number) {
                        return Err(self.expected_error("the number of components, a literal such as 2"));
                    }
                    self.current_text().to_owned()
                }
                Token::Superscript => {
                    self.current_text().chars().map(|sign| superscript_digit(sign).unwrap_or('-')).collect()
                }
                Token::Number if copied => self.current_text().to_owned(),
                _ => return Ok((ty, power)),
            };
            let span = self.span();
            // `A^2.5` and `A⁻¹` have no number of components.
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(SyntaxError::Expected {
                    expected: "the number of components, a literal such as 2".to_owned(),
                    found: format!("`{}`", message_excerpt(self.current_text())),
                    span,
                });
            }
            self.advance()?;
            // Too many digits for a `usize` are too wide all the same.
            let width: usize = digits.parse().unwrap_or(usize::MAX);
            if width > limit::TUPLE_WIDTH {
                return Err(SyntaxError::TooWide { width: message_excerpt(&digits), span });
            }
            let depth = ty.depth;
            ty = self.make_type(TypeExpressionKind::Power(Box::new(ty), width), self.span_from(start), depth)?;
            power = Some(power.unwrap_or(here.span).to(span));
        }
    }

    fn parse_type_atom(&mut self) -> Result<TypeExpression, SyntaxError> {
        let start = self.span();
        // `unit` is the one type with a small initial, as in the paper.
        if self.is_at(Token::Upper) || self.is_at_word("unit") {
            let first = self.parse_identifier()?.name;
            if self.is_at(Token::Dot) {
                self.advance()?;
                if !self.is_at(Token::Upper) {
                    return Err(self.expected_error("the name of a type, with a capital initial"));
                }
                let name = self.parse_identifier()?.name;
                let kind = TypeExpressionKind::Name(Some(first), name, Vec::new());
                return self.make_type(kind, self.span_from(start), 0);
            }
            return self.make_type(TypeExpressionKind::Name(None, first, Vec::new()), start, 0);
        }
        if !self.accept(Token::LeftParenthesis)? {
            return Err(self.expected_error("a type"));
        }
        if self.accept(Token::RightParenthesis)? {
            return self.make_type(TypeExpressionKind::Unit, self.span_from(start), 0);
        }
        let mut inner = self.parse_type_expression()?;
        self.expect_closing(Token::RightParenthesis, start)?;
        inner.span = self.span_from(start);
        inner.depth += 1;
        if inner.depth > limit::DEPTH { Err(SyntaxError::TooDeep { span: inner.span }) } else { Ok(inner) }
    }

    fn make_type(&mut self, kind: TypeExpressionKind, span: Span, depth: u32) -> Result<TypeExpression, SyntaxError> {
        self.count_node(span)?;
        if depth >= limit::DEPTH {
            return Err(SyntaxError::TooDeep { span });
        }
        Ok(TypeExpression { kind, span, depth: depth + 1 })
    }
}

/// Returns `true` if a character is one of the signs for the basic types.
fn is_type_sign(letter: char) -> bool {
    matches!(letter, 'ℜ' | 'ℝ' | '𝔅' | '𝔹' | 'ℕ')
}
