//! Expressions.

use super::Parser;
use super::literal;
use crate::syntax::error::{COMPONENT, ELSE, SyntaxError};
use crate::syntax::lexer::excerpt;
use crate::syntax::limit;
use crate::syntax::source::Span;
use crate::syntax::surface::{Expression, ExpressionKind, Member, Operator};
use crate::syntax::token::{Token, superscript_digit};

const COMPARISON: u8 = 3;
const CONS: u8 = 4;
const NEGATION: u8 = 7;
const POWER: u8 = 8;

/// What an operator sign means, how tight it binds, and how tight its right operand must bind.
fn operator(token: Token) -> Option<(Operator, u8, u8)> {
    Some(match token {
        Token::Or => (Operator::Or, 1, 1),
        Token::And => (Operator::And, 2, 2),
        Token::EqualEqual => (Operator::Equal, COMPARISON, CONS),
        Token::NotEqual => (Operator::NotEqual, COMPARISON, CONS),
        Token::Less => (Operator::Less, COMPARISON, CONS),
        Token::LessEqual => (Operator::LessEqual, COMPARISON, CONS),
        Token::Greater => (Operator::Greater, COMPARISON, CONS),
        Token::GreaterEqual => (Operator::GreaterEqual, COMPARISON, CONS),
        Token::ColonColon => (Operator::Cons, CONS, CONS),
        Token::Plus => (Operator::Add, 5, 6),
        Token::Minus => (Operator::Subtract, 5, 6),
        Token::Times => (Operator::Multiply, 6, 7),
        Token::Slash => (Operator::Divide, 6, 7),
        Token::Caret => (Operator::Power, POWER, POWER),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression, as far as it reaches.
    #[doc(hidden)]
    pub fn expression(&mut self) -> Result<Expression, SyntaxError> {
        self.expression_above(0)
    }

    /// An expression whose operators bind at least as tight as `minimum`.
    fn expression_above(&mut self, minimum: u8) -> Result<Expression, SyntaxError> {
        self.nested(|parser| {
            let mut left = parser.operand()?;
            while let Some((operator, tightness, above)) = operator(parser.current().token) {
                if tightness < minimum {
                    break;
                }
                parser.advance()?;
                let right = parser.expression_above(above)?;
                if operator == Operator::Power {
                    parser.check_power(&right)?;
                }
                let span = left.span.to(right.span);
                left = parser.make(ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), span)?;
                let next = self::operator(parser.current().token);
                if tightness == COMPARISON && next.is_some_and(|(_, next, _)| next == COMPARISON) {
                    return Err(SyntaxError::Chained { operator: parser.text().to_owned(), span: parser.span() });
                }
            }
            Ok(left)
        })
    }

    fn operand(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.span();
        match self.current().token {
            Token::Minus => {
                self.advance()?;
                let operand = self.expression_above(NEGATION)?;
                let span = start.to(operand.span);
                self.make(ExpressionKind::Negate(Box::new(operand)), span)
            }
            Token::Lambda => self.lambda(),
            Token::Let => self.let_in(),
            Token::Match => self.match_with(),
            Token::If => {
                self.advance()?;
                let condition = self.expression()?;
                self.expect(Token::Then, "`then` after the condition")?;
                let then = self.expression()?;
                self.expect(Token::Else, ELSE)?;
                let otherwise = self.expression()?;
                let span = start.to(otherwise.span);
                self.make(ExpressionKind::If(Box::new([condition, then, otherwise])), span)
            }
            _ => self.application(),
        }
    }

    fn lambda(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        let binders = self.lambda_binders()?;
        self.expect(Token::FatArrow, "`=>` after the parameters")?;
        let body = self.expression()?;
        let span = start.to(body.span);
        self.make(ExpressionKind::Lambda(binders, Box::new(body)), span)
    }

    fn application(&mut self) -> Result<Expression, SyntaxError> {
        let (mut function, _) = self.postfix()?;
        loop {
            let (argument, power) = match self.current().token {
                Token::Lambda => (self.nested(Self::lambda)?, None),
                _ if self.starts_atom() => self.postfix()?,
                _ => return Ok(function),
            };
            if let Some(power) = power {
                let argument = Span::new(argument.span.start, power.start);
                return Err(SyntaxError::AmbiguousPower {
                    function: excerpt(self.text_of(function.span)),
                    argument: excerpt(self.text_of(argument)),
                    power: self.text_of(power).to_owned(),
                    span: power,
                });
            }
            let span = function.span.to(argument.span);
            function = self.make(ExpressionKind::Apply(Box::new(function), Box::new(argument)), span)?;
        }
    }

    /// What may stand as an argument: a name, a number, something in brackets, and what is attached to it.
    #[doc(hidden)]
    pub fn argument(&mut self) -> Result<Expression, SyntaxError> {
        Ok(self.postfix()?.0)
    }

    /// Whether an argument comes next.
    #[doc(hidden)]
    pub fn starts_atom(&self) -> bool {
        self.at(Token::Lower)
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

    /// An atom with what is attached to it, and the place of the raised digits if there are any.
    fn postfix(&mut self) -> Result<(Expression, Option<Span>), SyntaxError> {
        let mut expression = self.atom()?;
        let mut power = None;
        loop {
            let here = self.current();
            let start = expression.span;
            match here.token {
                Token::LeftBracket if here.adjacent => {
                    self.advance()?;
                    let index = self.index()?;
                    self.close(Token::RightBracket, here.span)?;
                    let span = self.span_from(start);
                    expression = self.make(ExpressionKind::Index(Box::new(expression), index), span)?;
                }
                Token::Dot => {
                    self.advance()?;
                    let member = match self.text() {
                        "to" => Member::To,
                        "from" => Member::From,
                        other => {
                            return Err(SyntaxError::Member {
                                member: excerpt(other),
                                record: excerpt(self.text_of(start)),
                                span: self.span(),
                            });
                        }
                    };
                    self.advance()?;
                    let span = self.span_from(start);
                    expression = self.make(ExpressionKind::Member(Box::new(expression), member), span)?;
                }
                Token::Superscript => {
                    self.advance()?;
                    let exponent = self.superscript(here.span)?;
                    let span = self.span_from(start);
                    let kind = ExpressionKind::Binary(Operator::Power, Box::new(expression), Box::new(exponent));
                    expression = self.make(kind, span)?;
                    power = Some(power.map_or(here.span, |first: Span| first.to(here.span)));
                }
                Token::Number if here.adjacent => {
                    let left = self.text_of(start).chars().next_back().unwrap_or(')').to_string();
                    return Err(SyntaxError::Adjacent { left, right: excerpt(self.text()), span: here.span });
                }
                _ => return Ok((expression, power)),
            }
        }
    }

    fn atom(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.span();
        let kind = match self.current().token {
            Token::Number => {
                let text = self.text();
                let value = self.rational(text, start)?;
                ExpressionKind::Number(Box::new(value), text.contains(['.', 'e', 'E']))
            }
            Token::True => ExpressionKind::Bool(true),
            Token::False => ExpressionKind::Bool(false),
            Token::Lower if self.at(Token::Lower) => ExpressionKind::Name(None, self.name(start)),
            Token::Upper => return self.capital_name(),
            Token::LeftParenthesis => return self.parenthesis(),
            Token::LeftBracket => return self.list(),
            Token::Do => return self.block(),
            _ => return Err(self.expected("an expression")),
        };
        self.advance()?;
        self.make(kind, start)
    }

    /// `Module.name`, or a name that happens to begin with a capital letter.
    fn capital_name(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        let first = self.name(start);
        let after_dot = self.peek().filter(|_| self.at(Token::Dot)).map(|lexeme| lexeme.token);
        let kind = if matches!(after_dot, Some(Token::Lower | Token::Upper)) {
            self.advance()?;
            let name = self.name(self.span());
            self.advance()?;
            ExpressionKind::Name(Some(first), name)
        } else {
            ExpressionKind::Name(None, first)
        };
        self.make(kind, self.span_from(start))
    }

    fn parenthesis(&mut self) -> Result<Expression, SyntaxError> {
        let opening = self.advance()?.span;
        if self.accept(Token::RightParenthesis)? {
            return self.make(ExpressionKind::Unit, self.span_from(opening));
        }
        if let Some((operator, ..)) = operator(self.current().token)
            && self.peek().is_some_and(|lexeme| lexeme.token == Token::RightParenthesis)
        {
            self.advance()?;
            self.advance()?;
            return self.make(ExpressionKind::Section(operator), self.span_from(opening));
        }
        let first = self.expression()?;
        if self.accept(Token::Colon)? {
            let ty = self.type_expression()?;
            self.close(Token::RightParenthesis, opening)?;
            let kind = ExpressionKind::Ascription(Box::new(first), Box::new(ty));
            return self.make(kind, self.span_from(opening));
        }
        if !self.at(Token::Comma) {
            self.close(Token::RightParenthesis, opening)?;
            return first.in_parentheses(self.span_from(opening));
        }
        let mut parts = vec![first];
        while self.accept(Token::Comma)? {
            if parts.len() >= limit::TUPLE_WIDTH {
                let width = format!("more than {}", limit::TUPLE_WIDTH);
                return Err(SyntaxError::TooWide { width, span: opening });
            }
            parts.push(self.expression()?);
        }
        self.close(Token::RightParenthesis, opening)?;
        self.make(ExpressionKind::Tuple(parts), self.span_from(opening))
    }

    /// The literal between the brackets of `x[0]`.
    fn index(&mut self) -> Result<usize, SyntaxError> {
        let text = self.text();
        if !self.at(Token::Number) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(SyntaxError::Expected {
                expected: COMPONENT.to_owned(),
                found: self.found(),
                span: self.span(),
            });
        }
        self.advance()?;
        Ok(text.parse().unwrap_or(usize::MAX))
    }

    /// The exponent that raised digits stand for.
    fn superscript(&mut self, span: Span) -> Result<Expression, SyntaxError> {
        let value = literal::superscript(self.text_of(span), span)?;
        let exponent = self.make(ExpressionKind::Number(Box::new(value), true), span)?;
        self.check_power(&exponent)?;
        Ok(exponent)
    }

    /// Refuses a literal exponent that is too large.
    fn check_power(&self, exponent: &Expression) -> Result<(), SyntaxError> {
        let literal = match &exponent.kind {
            ExpressionKind::Negate(inner) => inner,
            _ => exponent,
        };
        match &literal.kind {
            ExpressionKind::Number(value, _) if literal::is_larger_than(value, limit::POWER) => {
                let raised = |sign| superscript_digit(sign).unwrap_or(if sign == '⁻' { '-' } else { sign });
                let written: String = excerpt(self.text_of(exponent.span)).chars().map(raised).collect();
                Err(SyntaxError::PowerTooLarge { exponent: written, span: exponent.span })
            }
            _ => Ok(()),
        }
    }
}
