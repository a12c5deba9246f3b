//! Expressions.

use super::Parser;
use super::literal;
use crate::syntax::error::{COMPONENT, ELSE, SyntaxError};
use crate::syntax::lexer::message_excerpt;
use crate::syntax::limit;
use crate::syntax::source::Span;
use crate::syntax::surface::{BinaryOperator, Expression, ExpressionKind, Member};
use crate::syntax::token::{Token, superscript_digit};

/// The precedence of comparisons, which do not associate: their right operand must bind tighter.
const COMPARISON: u8 = 3;
/// The precedence of `::`.
const CONS: u8 = 4;
/// The precedence of the operand of `-`: tighter than products, looser than powers, so that `-x^2` is `-(x^2)`.
const NEGATION: u8 = 7;
/// The precedence of `^`.
const POWER: u8 = 8;

/// Returns the operator of a token, its precedence, and the least precedence in its right operand. `None` for no
/// operator. An operator associates to the right if the two are equal.
fn operator_precedence(token: Token) -> Option<(BinaryOperator, u8, u8)> {
    Some(match token {
        Token::Or => (BinaryOperator::Or, 1, 1),
        Token::And => (BinaryOperator::And, 2, 2),
        Token::EqualEqual => (BinaryOperator::Equal, COMPARISON, CONS),
        Token::NotEqual => (BinaryOperator::NotEqual, COMPARISON, CONS),
        Token::Less => (BinaryOperator::Less, COMPARISON, CONS),
        Token::LessEqual => (BinaryOperator::LessEqual, COMPARISON, CONS),
        Token::Greater => (BinaryOperator::Greater, COMPARISON, CONS),
        Token::GreaterEqual => (BinaryOperator::GreaterEqual, COMPARISON, CONS),
        Token::ColonColon => (BinaryOperator::Cons, CONS, CONS),
        Token::Plus => (BinaryOperator::Add, 5, 6),
        Token::Minus => (BinaryOperator::Subtract, 5, 6),
        Token::Times => (BinaryOperator::Multiply, 6, 7),
        Token::Slash => (BinaryOperator::Divide, 6, 7),
        Token::Caret => (BinaryOperator::Power, POWER, POWER),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Parses an expression.
    #[doc(hidden)]
    pub fn parse_expression(&mut self) -> Result<Expression, SyntaxError> {
        self.parse_expression_above(0)
    }

    /// Parses an expression whose operators have at least the precedence `minimum`.
    fn parse_expression_above(&mut self, minimum: u8) -> Result<Expression, SyntaxError> {
        self.with_nesting(|parser| {
            let mut left = parser.parse_operand()?;
            while let Some((operator, tightness, above)) = operator_precedence(parser.current().token) {
                if tightness < minimum {
                    break;
                }
                parser.advance()?;
                let right = parser.parse_expression_above(above)?;
                if operator == BinaryOperator::Power {
                    parser.check_power(&right)?;
                }
                let span = left.span.to(right.span);
                left =
                    parser.make_expression(ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), span)?;
                // The right operand stopped before a second comparison, so a chain shows here.
                let next = self::operator_precedence(parser.current().token);
                if tightness == COMPARISON && next.is_some_and(|(_, next, _)| next == COMPARISON) {
                    return Err(SyntaxError::Chained {
                        operator: parser.current_text().to_owned(),
                        span: parser.span(),
                    });
                }
            }
            Ok(left)
        })
    }

    fn parse_operand(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.span();
        match self.current().token {
            Token::Minus => {
                self.advance()?;
                let operand = self.parse_expression_above(NEGATION)?;
                let span = start.to(operand.span);
                self.make_expression(ExpressionKind::Negate(Box::new(operand)), span)
            }
            Token::Lambda => self.parse_lambda(),
            Token::Let => self.parse_let(),
            Token::Match => self.parse_match(),
            Token::If => {
                self.advance()?;
                let condition = self.parse_expression()?;
                self.expect(Token::Then, "`then` after the condition")?;
                let then = self.parse_expression()?;
                self.expect(Token::Else, ELSE)?;
                let otherwise = self.parse_expression()?;
                let span = start.to(otherwise.span);
                self.make_expression(ExpressionKind::If(Box::new([condition, then, otherwise])), span)
            }
            _ => self.parse_application(),
        }
    }

    fn parse_lambda(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        let binders = self.parse_lambda_binders()?;
        self.expect(Token::FatArrow, "`=>` after the parameters")?;
        let body = self.parse_expression()?;
        let span = start.to(body.span);
        self.make_expression(ExpressionKind::Lambda(binders, Box::new(body)), span)
    }

    fn parse_application(&mut self) -> Result<Expression, SyntaxError> {
        let (mut function, _) = self.parse_postfix()?;
        loop {
            let (argument, power) = match self.current().token {
                // A function may be the last argument without parentheses: `integral01 \x => x`.
                Token::Lambda => (self.with_nesting(Self::parse_lambda)?, None),
                _ if self.starts_atom() => self.parse_postfix()?,
                _ => return Ok(function),
            };
            // `f x²` could be `f (x²)` or `(f x)²`.
            if let Some(power) = power {
                let argument = Span::new(argument.span.start, power.start);
                return Err(SyntaxError::AmbiguousPower {
                    function: message_excerpt(self.text_of(function.span)),
                    argument: message_excerpt(self.text_of(argument)),
                    power: self.text_of(power).to_owned(),
                    span: power,
                });
            }
            let span = function.span.to(argument.span);
            function = self.make_expression(ExpressionKind::Apply(Box::new(function), Box::new(argument)), span)?;
        }
    }

    /// Parses an argument: a name, a number or brackets, with the indices, members and superscripts attached.
    #[doc(hidden)]
    pub fn parse_argument(&mut self) -> Result<Expression, SyntaxError> {
        Ok(self.parse_postfix()?.0)
    }

    /// Returns `true` if an argument comes next.
    #[doc(hidden)]
    pub fn starts_atom(&self) -> bool {
        self.is_at(Token::Lower)
            || matches!(
                self.current().token,
                Token::Upper
                    | Token::Number
                    | Token::True
                    | Token::False
                    | Token::LeftParenthesis
                    | Token::LeftBracket
                    | Token::Do
            )
    }

    /// Parses an atom with its postfixes. Returns also the span of the superscripts, `None` if there are none.
    fn parse_postfix(&mut self) -> Result<(Expression, Option<Span>), SyntaxError> {
        let mut expression = self.parse_atom()?;
        let mut power = None;
        loop {
            let here = self.current();
            let start = expression.span;
            match here.token {
                // With a space before the bracket it is an argument: `f [0]` applies f to a list.
                Token::LeftBracket if here.adjacent => {
                    self.advance()?;
                    let index = self.parse_index()?;
                    self.expect_closing(Token::RightBracket, here.span)?;
                    let span = self.span_from(start);
                    expression = self.make_expression(ExpressionKind::Index(Box::new(expression), index), span)?;
                }
                Token::Dot => {
                    self.advance()?;
                    let member = match self.current_text() {
                        "to" => Member::To,
                        "from" => Member::From,
                        other => {
                            return Err(SyntaxError::Member {
                                member: message_excerpt(other),
                                record: message_excerpt(self.text_of(start)),
                                span: self.span(),
                            });
                        }
                    };
                    self.advance()?;
                    let span = self.span_from(start);
                    expression = self.make_expression(ExpressionKind::Member(Box::new(expression), member), span)?;
                }
                Token::Superscript => {
                    self.advance()?;
                    let exponent = self.superscript_exponent(here.span)?;
                    let span = self.span_from(start);
                    let kind = ExpressionKind::Binary(BinaryOperator::Power, Box::new(expression), Box::new(exponent));
                    expression = self.make_expression(kind, span)?;
                    power = Some(power.map_or(here.span, |first: Span| first.to(here.span)));
                }
                // `x2` is a name, so only `)2`, `]2`, `²2` and the like come here.
                Token::Number if here.adjacent => {
                    let left = self.text_of(start).chars().next_back().unwrap_or(')').to_string();
                    return Err(SyntaxError::Adjacent {
                        left,
                        right: message_excerpt(self.current_text()),
                        span: here.span,
                    });
                }
                _ => return Ok((expression, power)),
            }
        }
    }

    fn parse_atom(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.span();
        let kind = match self.current().token {
            Token::Number => {
                let text = self.current_text();
                let value = self.parse_literal(text, start)?;
                ExpressionKind::Number(Box::new(value), text.contains(['.', 'e', 'E']))
            }
            Token::True => ExpressionKind::Bool(true),
            Token::False => ExpressionKind::Bool(false),
            // The guard excludes words that are reserved in this text.
            Token::Lower if self.is_at(Token::Lower) => ExpressionKind::Name(None, self.intern_name(start)),
            Token::Upper => return self.parse_capital_name(),
            Token::LeftParenthesis => return self.parse_parenthesised(),
            Token::LeftBracket => return self.parse_list(),
            Token::Do => return self.parse_do(),
            _ => return Err(self.expected_error("an expression")),
        };
        self.advance()?;
        self.make_expression(kind, start)
    }

    /// Parses `Module.intern_name`, or a name that begins with a capital letter.
    fn parse_capital_name(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        let first = self.intern_name(start);
        // `R2.to` is a member of a definition with a capital name, if `R2` is no module; type inference decides.
        let after_dot = self.peek().filter(|_| self.is_at(Token::Dot)).map(|lexeme| lexeme.token);
        let kind = if matches!(after_dot, Some(Token::Lower | Token::Upper)) {
            self.advance()?;
            let name = self.intern_name(self.span());
            self.advance()?;
            ExpressionKind::Name(Some(first), name)
        } else {
            ExpressionKind::Name(None, first)
        };
        self.make_expression(kind, self.span_from(start))
    }

    fn parse_parenthesised(&mut self) -> Result<Expression, SyntaxError> {
        let opening = self.advance()?.span;
        if self.accept(Token::RightParenthesis)? {
            return self.make_expression(ExpressionKind::Unit, self.span_from(opening));
        }
        // An operator alone in parentheses, `(+)`, before which `(-x)` must be excluded.
        if let Some((operator, ..)) = operator_precedence(self.current().token)
            && self.peek().is_some_and(|lexeme| lexeme.token == Token::RightParenthesis)
        {
            self.advance()?;
            self.advance()?;
            return self.make_expression(ExpressionKind::Section(operator), self.span_from(opening));
        }
        let first = self.parse_expression()?;
        if self.accept(Token::Colon)? {
            let ty = self.parse_type_expression()?;
            self.expect_closing(Token::RightParenthesis, opening)?;
            let kind = ExpressionKind::Ascription(Box::new(first), Box::new(ty));
            return self.make_expression(kind, self.span_from(opening));
        }
        if !self.is_at(Token::Comma) {
            self.expect_closing(Token::RightParenthesis, opening)?;
            return first.in_parentheses(self.span_from(opening));
        }
        let mut parts = vec![first];
        while self.accept(Token::Comma)? {
            if parts.len() >= limit::TUPLE_WIDTH {
                let width = format!("more than {}", limit::TUPLE_WIDTH);
                return Err(SyntaxError::TooWide { width, span: opening });
            }
            parts.push(self.parse_expression()?);
        }
        self.expect_closing(Token::RightParenthesis, opening)?;
        self.make_expression(ExpressionKind::Tuple(parts), self.span_from(opening))
    }

    /// Parses the literal between the brackets of `x[0]`.
    fn parse_index(&mut self) -> Result<usize, SyntaxError> {
        let text = self.current_text();
        if !self.is_at(Token::Number) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(SyntaxError::Expected {
                expected: COMPONENT.to_owned(),
                found: self.describe_current(),
                span: self.span(),
            });
        }
        self.advance()?;
        // Any index beyond `usize` is beyond every tuple, which type inference reports.
        Ok(text.parse().unwrap_or(usize::MAX))
    }

    /// Makes the exponent of the superscript at a span.
    fn superscript_exponent(&mut self, span: Span) -> Result<Expression, SyntaxError> {
        let value = literal::parse_superscript(self.text_of(span), span)?;
        // `true`: a superscript is a literal of type `Real`, although it is written without a point.
        let exponent = self.make_expression(ExpressionKind::Number(Box::new(value), true), span)?;
        self.check_power(&exponent)?;
        Ok(exponent)
    }

    /// Checks that a literal exponent is at most [`limit::POWER`] in magnitude.
    fn check_power(&self, exponent: &Expression) -> Result<(), SyntaxError> {
        let literal = match &exponent.kind {
            ExpressionKind::Negate(inner) => inner,
            _ => exponent,
        };
        match &literal.kind {
            ExpressionKind::Number(value, _) if literal::exceeds_magnitude(value, limit::POWER) => {
                let raised = |sign| superscript_digit(sign).unwrap_or(if sign == '⁻' { '-' } else { sign });
                let written: String = message_excerpt(self.text_of(exponent.span)).chars().map(raised).collect();
                Err(SyntaxError::PowerTooLarge { exponent: written, span: exponent.span })
            }
            _ => Ok(()),
        }
    }
}
