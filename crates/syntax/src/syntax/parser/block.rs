//! `do { x <- m; n; let y = e; r }`: sequences of statements in a probabilistic program.
//!
//! | statement | is |
//! |---|---|
//! | `p <- m; rest` | `Trace.make_bind m (\p => rest)` |
//! | `m; rest` | `Trace.make_bind m (\_ => rest)` |
//! | `let y = e; rest` | `let y = e in rest` |
//! | `m`, the last one | `m` |
//!
//! `<-` is one sign only after a pattern that begins a statement; elsewhere `x<-1` compares x with -1.

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::message_excerpt;
use crate::syntax::library::TRACE;
use crate::syntax::source::Span;
use crate::syntax::surface::{Binder, Expression, ExpressionKind, Pattern, PatternKind};
use crate::syntax::token::Token;

impl Parser<'_> {
    /// Parses `do { … }`.
    pub(super) fn parse_do(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        self.blocks += 1;
        let opening = self.expect(Token::LeftBrace, "`{` and the statements, as in do { x <- m; return x }")?.span;
        let inner = self.parse_statements(start, opening)?;
        let closed = self.is_at(Token::RightBrace);
        if !closed {
            return Err(SyntaxError::Unclosed {
                closing: '}',
                opening,
                found: self.describe_current(),
                span: self.span(),
            });
        }
        self.blocks -= 1;
        // The token after the brace is outside of the block, where `advance` checks it.
        self.advance()?;
        let span = self.span_from(start);
        self.make_expression(ExpressionKind::Do(Box::new(inner)), span)
    }

    /// Parses the statements up to the closing brace of a block, whose `do` has the span `of`.
    fn parse_statements(&mut self, of: Span, opening: Span) -> Result<Expression, SyntaxError> {
        self.with_nesting(|parser| {
            let start = parser.span();
            if parser.begins_binding() {
                let pattern = parser.parse_pattern()?;
                parser.check_distinct(std::iter::once(&pattern))?;
                // `<` and `-`, which the lexer returns as two tokens.
                parser.advance()?;
                parser.advance()?;
                let program = parser.parse_expression()?;
                parser.expect(Token::Semicolon, "`;` and what comes of it, as a block ends with a program")?;
                let rest = parser.parse_statements(of, opening)?;
                return parser.make_bind(of, pattern, program, rest);
            }
            if parser.is_at(Token::Let) {
                return parser.parse_let_statement(of, opening);
            }
            // After the last statement a semicolon may stand, and the program is the value of the block.
            let program = parser.parse_expression()?;
            let ends = |parser: &Self| matches!(parser.current().token, Token::RightBrace | Token::End);
            if ends(parser) || !parser.accept(Token::Semicolon)? || ends(parser) {
                return Ok(program);
            }
            let rest = parser.parse_statements(of, opening)?;
            parser.make_bind(of, Pattern { kind: PatternKind::Ignore, span: start, depth: 1 }, program, rest)
        })
    }

    /// Parses `let x = e; rest`, or a program that begins with `let x = e in`.
    fn parse_let_statement(&mut self, of: Span, opening: Span) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        let expected = "`;` and the next statement, or `in`";
        if self.is_at(Token::LeftParenthesis) || self.is_at_word("_") {
            let (binder, value) = self.parse_pattern_and_value()?;
            let body = self.parse_let_scope(of, opening, expected)?;
            let span = start.to(body.span);
            return self
                .make_expression(ExpressionKind::LetPattern(Box::new(binder), Box::new(value), Box::new(body)), span);
        }
        let declaration = self.parse_declaration()?;
        let body = self.parse_let_scope(
            of,
            opening,
            &format!("{expected} after the value of `{}`", message_excerpt(&declaration.name.name)),
        )?;
        let span = start.to(body.span);
        self.make_expression(ExpressionKind::Let(Box::new(declaration), Box::new(body)), span)
    }

    /// Parses the scope of a definition: the rest of the block.
    fn parse_let_scope(&mut self, of: Span, opening: Span, expected: &str) -> Result<Expression, SyntaxError> {
        if !self.accept(Token::Semicolon)? {
            self.expect(Token::In, expected)?;
        }
        self.parse_statements(of, opening)
    }

    /// Returns `true` if a pattern and `<-` come next.
    fn begins_binding(&self) -> bool {
        // Unbounded lookahead on a copy of the lexer: only behind a whole pattern `<-` tells a binding from a
        // comparison.
        let (mut lexer, mut next, mut open) = (self.lexer.clone(), Ok(self.current()), 0u32);
        loop {
            let Ok(lexeme) = next else { return false };
            match lexeme.token {
                Token::Lower => {}
                Token::Comma if open > 0 => {}
                Token::LeftParenthesis => open += 1,
                Token::RightParenthesis if open > 0 => open -= 1,
                _ => return false,
            }
            next = lexer.next_lexeme();
            if open == 0 {
                break;
            }
        }
        let is = |lexeme: Result<super::Lexeme, _>, token| lexeme.is_ok_and(|lexeme| lexeme.token == token);
        let minus = lexer.clone().next_lexeme();
        // `x < -1` has a space, and stays a comparison.
        is(next, Token::Less) && is(minus.clone(), Token::Minus) && minus.is_ok_and(|lexeme| lexeme.adjacent)
    }

    fn make_bind(
        &mut self,
        of: Span,
        pattern: Pattern,
        program: Expression,
        rest: Expression,
    ) -> Result<Expression, SyntaxError> {
        let span = program.span.to(rest.span);
        // The implicit `bind` has the span of the `do`: an error in its type is not the fault of a name in the text.
        let bind = self.make_expression(ExpressionKind::Name(Some(TRACE.into()), "bind".into()), of)?;
        let first = self.make_expression(ExpressionKind::Apply(Box::new(bind), Box::new(program)), span)?;
        let binder = Binder { pattern, ty: None };
        let then = self.make_expression(ExpressionKind::Lambda(vec![binder], Box::new(rest)), span)?;
        self.make_expression(ExpressionKind::Apply(Box::new(first), Box::new(then)), span)
    }
}
