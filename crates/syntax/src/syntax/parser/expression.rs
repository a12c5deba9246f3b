//! Expressions.

use super::Parser;
use super::literal;
use crate::syntax::error::{COMPONENT, ELSE, SyntaxError};
use crate::syntax::lexer::excerpt;
use crate::syntax::limit;
use crate::syntax::source::Span;
use crate::syntax::surface::{Expression, ExpressionKind, Member, Operator};
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
    /// Parses an expression.
    #[doc(hidden)]
    pub fn expression(&mut self) -> Result<Expression, SyntaxError> {
        self.expression_above(0)
    }

    /// Parses an expression whose operators have at least the precedence `minimum`.
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
                // The right operand stopped before a second comparison, so a chain shows here.
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
                // A function may be the last argument without parentheses: `integral01 \x => x`.
                Token::Lambda => (self.nested(Self::lambda)?, None),
                _ if self.starts_atom() => self.postfix()?,
                _ => return Ok(function),
            };
            // `f x²` could be `f (x²)` or `(f x)²`.
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

    /// Parses an argument: a name, a number or brackets, with the indices, members and superscripts attached.
    #[doc(hidden)]
    pub fn argument(&mut self) -> Result<Expression, SyntaxError> {
        Ok(self.postfix()?.0)
    }

    /// Returns `true` if an argument comes next.
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

    /// Parses an atom with its postfixes. Returns also the span of the superscripts, `None` if there are none.
    fn postfix(&mut self) -> Result<(Expression, Option<Span>), SyntaxError> {
        let mut expression = self.atom()?;
        let mut power = None;
        loop {
            let here = self.current();
            let start = expression.span;
            match here.token {
                // With a space before the bracket it is an argument: `f [0]` applies f to a list.
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
                // `x2` is a name, so only `)2`, `]2`, `²2` and the like come here.
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
            // The guard excludes words that are reserved in this text.
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

    /// Parses `Module.name`, or a name that begins with a capital letter.
    fn capital_name(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        let first = self.name(start);
        // `R2.to` is a member of a definition with a capital name, if `R2` is no module; type inference decides.
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
        // An operator alone in parentheses, `(+)`, before which `(-x)` must be excluded.
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

    /// Parses the literal between the brackets of `x[0]`.
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
        // Any index beyond `usize` is beyond every tuple, which type inference reports.
        Ok(text.parse().unwrap_or(usize::MAX))
    }

    /// Makes the exponent of the superscript at a span.
    fn superscript(&mut self, span: Span) -> Result<Expression, SyntaxError> {
        let value = literal::superscript(self.text_of(span), span)?;
        // `true`: a superscript is a literal of type `Real`, although it is written without a point.
        let exponent = self.make(ExpressionKind::Number(Box::new(value), true), span)?;
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
            ExpressionKind::Number(value, _) if literal::is_larger_than(value, limit::POWER) => {
                let raised = |sign| superscript_digit(sign).unwrap_or(if sign == '⁻' { '-' } else { sign });
                let written: String = excerpt(self.text_of(exponent.span)).chars().map(raised).collect();
                Err(SyntaxError::PowerTooLarge { exponent: written, span: exponent.span })
            }
            _ => Ok(()),
        }
    }
}
