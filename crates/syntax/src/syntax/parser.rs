//! The parser: recursive descent, with precedence climbing for operators.
//!
//! | binds | form |
//! |---|---|
//! | tightest | `x[0]`, `e.to`, `e²` |
//! | | `f a b` |
//! | | `a ^ b`, to the right |
//! | | `-a` |
//! | | `a * b`, `a / b` |
//! | | `a + b`, `a - b` |
//! | | `a :: b`, to the right |
//! | | `a < b` and the like, which cannot be chained |
//! | | `a && b`, then `a \|\| b`, to the right |
//! | loosest | `\x => e`, `let … in e`, `if … then … else e`, `match … with p => e \| q => e`, which reach as far as they can |
//!
//! `do { x <- m; n; e }` is an argument like any other in brackets. Braces and semicolons are rejected elsewhere.
//!
//! # Parameters and patterns
//!
//! # `do { x <- m; n; let y = e; r }`
//!
//! Sequences of statements in a probabilistic program.
//!
//! | statement | is |
//! |---|---|
//! | `p <- m; rest` | `Trace.bind m (\p => rest)` |
//! | `m; rest` | `Trace.bind m (\_ => rest)` |
//! | `let y = e; rest` | `let y = e in rest` |
//! | `m`, the last one | `m` |
//!
//! `<-` is one sign only after a pattern that begins a statement; elsewhere `x<-1` compares x with -1.
//!
//! # `match`
//!
//! `match`, lists, and the constructors of a `type`.
//!
//! # `let` and `type`
//!
//! # Expressions
//!
//! # Input at a prompt
//!
//! An expression, or a definition to be kept.
//!
//! # Number literals
//!
//! Number literals, read exactly: `0.1` is one tenth.
//!
//! # Types as written
//!
//! From loosest to tightest: `A ≅ B`, `A -> B` (to the right), `A * B * C` (flat), `Tan A`, `A^n`.

use super::error;
use super::error::{END, SyntaxError};
use super::lexer::{Lexeme, Lexer, Token, message_excerpt};
use super::name::Name;
use super::source::{Span, check_length};
use super::surface::{Expression, ExpressionKind, TypeExpression};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::error::{COMPONENT, ELSE};
use crate::syntax::lexer::superscript_digit;
use crate::syntax::library::TRACE;
use crate::syntax::surface::{
    AliasDeclaration, BinaryOperator, Binder, Case, CasePattern, DataDeclaration, Declaration, Identifier, Member,
    Pattern, PatternKind, TypeDeclaration, TypeExpressionKind,
};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Parses a text as one expression, with its type after a colon or without: an answer such as `[1, 2] : List Real` is read back.
///
/// # Errors
/// A [`SyntaxError`] at the first token that is wrong.
pub fn parse_expression(text: &str) -> Result<Expression, SyntaxError> {
    let mut parser = Parser::new(text, &[])?;
    if parser.is_at(Token::End) {
        return Err(SyntaxError::Empty { span: parser.span() });
    }
    let start = parser.span();
    let expression = parser.parse_expression()?;
    let Err(error) = parser.expect_end() else { return Ok(expression) };
    // What is no type is told as a colon that should not be there; so is a name with a type, which is a habit of signatures.
    if parser.is_at(Token::Colon) && !matches!(expression.kind, ExpressionKind::Name(..)) {
        parser.advance()?;
        if let Ok(ty) = parser.parse_type_expression()
            && parser.is_at(Token::End)
        {
            let kind = ExpressionKind::Ascription(Box::new(expression), Box::new(ty));
            return parser.make_expression(kind, parser.span_from(start));
        }
    }
    Err(error)
}

/// Parses a text as one type.
///
/// # Errors
/// A [`SyntaxError`] at the first token that is wrong.
pub fn parse_type(text: &str) -> Result<TypeExpression, SyntaxError> {
    let mut parser = Parser::new(text, &[])?;
    let ty = parser.parse_type_expression()?;
    parser.expect_end()?;
    Ok(ty)
}

/// A parser of one text, with one token of lookahead.
#[doc(hidden)]
pub struct Parser<'s> {
    lexer: Lexer<'s>,
    current: Lexeme,
    previous_end: u32,
    nesting: u32,
    brackets: u32,
    /// The number of `do` blocks that are open.
    blocks: u32,
    nodes: u32,
    literal_bits: u32,
    names: FxHashSet<Name>,
    reserved: &'static [&'static str],
}

impl<'s> Parser<'s> {
    /// Makes a parser at the beginning of `text`. The words `reserved` are not names in it.
    ///
    /// # Errors
    /// [`SyntaxError::TooLong`], or the error of the first token.
    #[doc(hidden)]
    pub fn new(text: &'s str, reserved: &'static [&'static str]) -> Result<Parser<'s>, SyntaxError> {
        check_length(text.len())?;
        let mut lexer = Lexer::new(text);
        let current = lexer.next_lexeme()?;
        let parser = Parser {
            lexer,
            current,
            previous_end: 0,
            nesting: 0,
            brackets: 0,
            blocks: 0,
            nodes: 0,
            literal_bits: 0,
            names: FxHashSet::default(),
            reserved,
        };
        parser.check_brace(current)?;
        Ok(parser)
    }

    /// Returns the next token, without consuming it.
    #[doc(hidden)]
    pub fn current(&self) -> Lexeme {
        self.current
    }

    /// Returns the span of the next token.
    #[doc(hidden)]
    pub fn span(&self) -> Span {
        self.current.span
    }

    /// Returns the text of the next token.
    pub(crate) fn current_text(&self) -> &'s str {
        self.span().text_in(self.lexer.source())
    }

    /// Returns the text of a span.
    #[doc(hidden)]
    pub fn text_of(&self, span: Span) -> &'s str {
        span.text_in(self.lexer.source())
    }

    /// Returns the span from `start` to the end of the last consumed token.
    #[doc(hidden)]
    pub fn span_from(&self, start: Span) -> Span {
        Span::new(start.start, self.previous_end.max(start.start))
    }

    /// Returns `true` if the next token is of this kind. A reserved word is no name.
    #[doc(hidden)]
    pub fn is_at(&self, token: Token) -> bool {
        self.current.token == token && !(token == Token::Lower && self.is_at_reserved())
    }

    /// Returns `true` if the next token is a word that is reserved in this text.
    fn is_at_reserved(&self) -> bool {
        self.current.token == Token::Lower && self.reserved.contains(&self.current_text()) && !self.is_at_sample_name()
    }

    /// Returns `true` if the next token is `sample` as the name of a function. In a declaration of samples a type
    /// follows.
    fn is_at_sample_name(&self) -> bool {
        self.current_text() == "sample" && self.peek().is_none_or(|lexeme| lexeme.token != Token::Upper)
    }

    /// Returns `true` if the next token is this word, be it reserved or not.
    #[doc(hidden)]
    pub fn is_at_word(&self, word: &str) -> bool {
        self.current.token == Token::Lower && self.current_text() == word
    }

    /// Returns the token after the next, without consuming any. `None` if it is not a valid token.
    fn peek(&self) -> Option<Lexeme> {
        self.lexer.clone().next_lexeme().ok()
    }

    /// Consumes the next token, and returns it.
    #[doc(hidden)]
    pub fn advance(&mut self) -> Result<Lexeme, SyntaxError> {
        // The new token is checked before anything changes, against the `do` that may stand before it.
        let next = self.lexer.next_lexeme()?;
        self.check_brace(next)?;
        self.previous_end = self.current.span.end;
        match self.current.token {
            Token::LeftParenthesis | Token::LeftBracket => self.brackets += 1,
            // A closing bracket too many is reported by `expected_error`, with its own error.
            Token::RightParenthesis | Token::RightBracket => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        Ok(std::mem::replace(&mut self.current, next))
    }

    /// Rejects braces and semicolons outside of a `do`, like any other character without a meaning.
    fn check_brace(&self, next: Lexeme) -> Result<(), SyntaxError> {
        let found = match next.token {
            Token::LeftBrace if self.current.token == Token::Do => return Ok(()),
            Token::LeftBrace => '{',
            Token::RightBrace => '}',
            Token::Semicolon => ';',
            _ => return Ok(()),
        };
        if self.blocks > 0 { Ok(()) } else { Err(SyntaxError::Character { found, span: next.span }) }
    }

    /// Consumes the next token if it is of this kind. Returns `true` if it was.
    #[doc(hidden)]
    pub fn accept(&mut self, token: Token) -> Result<bool, SyntaxError> {
        let found = self.is_at(token);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Consumes and returns the next token, which must be of this kind. `expected_error` describes it in the error.
    #[doc(hidden)]
    pub fn expect(&mut self, token: Token, expected: &str) -> Result<Lexeme, SyntaxError> {
        if self.is_at(token) { self.advance() } else { Err(self.expected_error(expected)) }
    }

    /// Consumes the bracket that closes the one at `opening`.
    fn expect_closing(&mut self, token: Token, opening: Span) -> Result<(), SyntaxError> {
        if self.accept(token)? {
            return Ok(());
        }
        let closing = if token == Token::RightBracket { ']' } else { ')' };
        Err(SyntaxError::Unclosed { closing, opening, found: self.describe_current(), span: self.span() })
    }

    /// Checks that the text ends here.
    #[doc(hidden)]
    pub fn expect_end(&self) -> Result<(), SyntaxError> {
        if self.is_at(Token::End) { Ok(()) } else { Err(self.expected_error("the end of the program")) }
    }

    /// Returns the error that something else was expected here.
    #[doc(hidden)]
    pub fn expected_error(&self, expected: impl Into<String>) -> SyntaxError {
        match self.current.token {
            // A closing bracket that nothing opened is the mistake, whatever else was expected here.
            Token::RightParenthesis | Token::RightBracket if self.brackets == 0 => {
                SyntaxError::Unopened { bracket: self.current_text().to_owned(), span: self.span() }
            }
            _ => SyntaxError::Expected { expected: expected.into(), found: self.describe_current(), span: self.span() },
        }
    }

    /// Describes the next token for messages.
    fn describe_current(&self) -> String {
        match self.current.token {
            Token::End => END.to_owned(),
            _ => format!("`{}`", message_excerpt(self.current_text())),
        }
    }

    /// Interns the name at a span, with typographic primes made straight.
    #[doc(hidden)]
    pub fn intern_name(&mut self, span: Span) -> Name {
        let text = self.text_of(span);
        let straight: Name = match text.contains(['’', '′']) {
            true => text.replace(['’', '′'], "'").into(),
            // One allocation per distinct name: every further use shares it.
            false => match self.names.get(text) {
                Some(name) => return name.clone(),
                None => text.into(),
            },
        };
        self.names.insert(straight.clone());
        straight
    }

    /// Runs `step` one level deeper, with enough stack.
    ///
    /// # Errors
    /// [`SyntaxError::TooDeep`] beyond [`error::DEPTH`], and those of `step`.
    fn with_nesting<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        if self.nesting >= error::DEPTH {
            return Err(SyntaxError::TooDeep { span: self.span() });
        }
        self.nesting += 1;
        let result = with_stack(|| step(self));
        self.nesting -= 1;
        result
    }

    /// Counts one more syntax node of the text.
    ///
    /// # Errors
    /// [`SyntaxError::TooLarge`] beyond [`error::SYNTAX_NODES`].
    fn count_node(&mut self, span: Span) -> Result<(), SyntaxError> {
        self.nodes += 1;
        if self.nodes > error::SYNTAX_NODES { Err(SyntaxError::TooLarge { span }) } else { Ok(()) }
    }

    /// Counts and makes a node of an expression.
    fn make_expression(&mut self, kind: ExpressionKind, span: Span) -> Result<Expression, SyntaxError> {
        self.count_node(span)?;
        Expression::new(kind, span)
    }
}

impl Parser<'_> {
    /// Parses the parameters of a `\`: `x`, `x : T` on its own, `(x y : T)`, `(x, y)`.
    fn parse_lambda_binders(&mut self) -> Result<Vec<Binder>, SyntaxError> {
        let mut binders = Vec::new();
        if self.is_at(Token::FatArrow) {
            return Err(self.expected_error("a parameter"));
        }
        while !self.is_at(Token::FatArrow) {
            self.parse_binder(&mut binders)?;
            if self.is_at(Token::Colon) {
                // In `\x y : T =>` the type could be meant for both parameters or for the last.
                if binders.len() > 1 {
                    return Err(self.expected_error("`=>`, or parentheses as in (x y : Real)"));
                }
                self.advance()?;
                let ty = Rc::new(self.parse_type_expression()?);
                binders[0].ty = Some(ty);
                break;
            }
        }
        self.check_distinct(binders.iter().map(|binder| &binder.pattern))?;
        Ok(binders)
    }

    /// Parses the parameters of a definition: those of a `\`, and bare capitalised names, which are type parameters.
    #[doc(hidden)]
    pub fn parse_definition_binders(&mut self) -> Result<(Vec<Identifier>, Vec<Binder>), SyntaxError> {
        let mut types: Vec<Identifier> = Vec::new();
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        let mut binders = Vec::new();
        while !self.is_at(Token::Colon) && !self.is_at(Token::Equals) {
            if self.is_at(Token::Upper) {
                self.count_node(self.span())?;
                let identifier = self.parse_identifier()?;
                if !seen.insert(identifier.name.clone()) {
                    return Err(SyntaxError::BoundTwice { name: identifier.name.to_string(), span: identifier.span });
                }
                types.push(identifier);
            } else {
                self.parse_binder(&mut binders)?;
            }
        }
        self.check_distinct(binders.iter().map(|binder| &binder.pattern))?;
        Ok((types, binders))
    }

    /// Consumes the next token, which must be a name, and returns it with its span.
    #[doc(hidden)]
    pub fn parse_identifier(&mut self) -> Result<Identifier, SyntaxError> {
        let span = self.span();
        let name = self.intern_name(span);
        self.advance()?;
        Ok(Identifier { name, span })
    }

    /// Parses one parameter, or several that share a type, and appends them to `binders`.
    fn parse_binder(&mut self, binders: &mut Vec<Binder>) -> Result<(), SyntaxError> {
        self.count_node(self.span())?;
        // Without parentheses a parameter has no type of its own: the colon belongs to the whole list.
        if !self.is_at(Token::LeftParenthesis) {
            let pattern = self.parse_named_pattern()?;
            binders.push(Binder { pattern, ty: None });
            return Ok(());
        }
        let opening = self.advance()?.span;
        if self.accept(Token::RightParenthesis)? {
            let pattern = Pattern { kind: PatternKind::Unit, span: self.span_from(opening), depth: 1 };
            binders.push(Binder { pattern, ty: None });
            return Ok(());
        }
        let mut patterns = vec![self.parse_pattern()?];
        if self.is_at(Token::Comma) {
            let pattern = self.parse_rest_of_tuple(patterns, opening)?;
            binders.push(Binder { pattern, ty: None });
            return Ok(());
        }
        while !self.is_at(Token::Colon) && !self.is_at(Token::RightParenthesis) {
            self.count_node(self.span())?;
            patterns.push(self.parse_pattern()?);
        }
        // `(p)` is a pattern in parentheses; several patterns in parentheses are parameters that share a type.
        let ty = match patterns.len() {
            1 if self.is_at(Token::RightParenthesis) => None,
            _ => {
                self.expect(Token::Colon, "`:` and the type of these parameters")?;
                Some(Rc::new(self.parse_type_expression()?))
            }
        };
        self.expect_closing(Token::RightParenthesis, opening)?;
        binders.extend(patterns.into_iter().map(|pattern| Binder { pattern, ty: ty.clone() }));
        Ok(())
    }

    /// Parses a name or a tuple of patterns.
    fn parse_pattern(&mut self) -> Result<Pattern, SyntaxError> {
        if !self.is_at(Token::LeftParenthesis) {
            return self.parse_named_pattern();
        }
        self.with_nesting(|parser| {
            let opening = parser.advance()?.span;
            if parser.accept(Token::RightParenthesis)? {
                return Ok(Pattern { kind: PatternKind::Unit, span: parser.span_from(opening), depth: 1 });
            }
            let first = parser.parse_pattern()?;
            if parser.is_at(Token::Comma) {
                return parser.parse_rest_of_tuple(vec![first], opening);
            }
            parser.expect_closing(Token::RightParenthesis, opening)?;
            Ok(first)
        })
    }

    fn parse_named_pattern(&mut self) -> Result<Pattern, SyntaxError> {
        let span = self.span();
        // An error of its own: its message can say what a capital initial means.
        if self.is_at(Token::Upper) {
            return Err(SyntaxError::CapitalVariable { name: self.current_text().to_owned(), span });
        }
        if !self.is_at(Token::Lower) {
            return Err(self.expected_error("a parameter"));
        }
        let name = self.parse_identifier()?.name;
        let kind = if &*name == "_" { PatternKind::Ignore } else { PatternKind::Name(name) };
        Ok(Pattern { kind, span, depth: 1 })
    }

    fn parse_rest_of_tuple(&mut self, mut parts: Vec<Pattern>, opening: Span) -> Result<Pattern, SyntaxError> {
        while self.accept(Token::Comma)? {
            self.count_node(opening)?;
            if parts.len() >= error::TUPLE_WIDTH {
                let width = format!("more than {}", error::TUPLE_WIDTH);
                return Err(SyntaxError::TooWide { width, span: opening });
            }
            parts.push(self.parse_pattern()?);
        }
        self.expect_closing(Token::RightParenthesis, opening)?;
        let depth = 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0);
        Ok(Pattern { kind: PatternKind::Tuple(parts), span: self.span_from(opening), depth })
    }

    /// Checks that no name is bound twice.
    ///
    /// # Errors
    /// [`SyntaxError::BoundTwice`], at the second place.
    fn check_distinct<'p>(&self, patterns: impl DoubleEndedIterator<Item = &'p Pattern>) -> Result<(), SyntaxError> {
        let mut seen: FxHashSet<&Name> = FxHashSet::default();
        // A stack in reverse: patterns are visited from left to right, so the span is that of the later binding.
        let mut pending: Vec<&Pattern> = patterns.rev().collect();
        while let Some(pattern) = pending.pop() {
            match &pattern.kind {
                PatternKind::Name(name) if !seen.insert(name) => {
                    return Err(SyntaxError::BoundTwice { name: name.to_string(), span: pattern.span });
                }
                PatternKind::Tuple(parts) => pending.extend(parts.iter().rev()),
                _ => {}
            }
        }
        Ok(())
    }
}

impl Parser<'_> {
    /// Parses `do { … }`.
    fn parse_do(&mut self) -> Result<Expression, SyntaxError> {
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
                parser.expect(Token::Semicolon, "`;` and one more program, as a block ends with a program")?;
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
        let is = |lexeme: Result<Lexeme, _>, token| lexeme.is_ok_and(|lexeme| lexeme.token == token);
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

impl Parser<'_> {
    /// Parses `match e with p => a | q => b`.
    fn parse_match(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.advance()?.span;
        let scrutinee = self.parse_expression()?;
        self.expect(Token::With, "`with` after the matched expression")?;
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
    fn parse_list(&mut self) -> Result<Expression, SyntaxError> {
        let opening = self.advance()?.span;
        let mut parts = Vec::new();
        if !self.is_at(Token::RightBracket) {
            parts.push(self.parse_expression()?);
            while self.accept(Token::Comma)? {
                if parts.len() >= error::LIST_LENGTH {
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
    fn parse_constructors(
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
            if found.len() >= error::TUPLE_WIDTH {
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

impl Parser<'_> {
    /// Parses `let … in e`.
    fn parse_let(&mut self) -> Result<Expression, SyntaxError> {
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
    fn parse_pattern_and_value(&mut self) -> Result<(Binder, Expression), SyntaxError> {
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
                let next = operator_precedence(parser.current().token);
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

    /// Parses `Module.name`, or a name that begins with a capital letter.
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
            if parts.len() >= error::TUPLE_WIDTH {
                let width = format!("more than {}", error::TUPLE_WIDTH);
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
        let value = parse_superscript(self.text_of(span), span)?;
        // `true`: a superscript is a literal of type `Real`, although it is written without a point.
        let exponent = self.make_expression(ExpressionKind::Number(Box::new(value), true), span)?;
        self.check_power(&exponent)?;
        Ok(exponent)
    }

    /// Checks that a literal exponent is at most [`error::POWER`] in magnitude.
    fn check_power(&self, exponent: &Expression) -> Result<(), SyntaxError> {
        let literal = match &exponent.kind {
            ExpressionKind::Negate(inner) => inner,
            _ => exponent,
        };
        match &literal.kind {
            ExpressionKind::Number(value, _) if exceeds_magnitude(value, error::POWER) => {
                let raised = |sign| superscript_digit(sign).unwrap_or(if sign == '⁻' { '-' } else { sign });
                let written: String = message_excerpt(self.text_of(exponent.span)).chars().map(raised).collect();
                Err(SyntaxError::PowerTooLarge { exponent: written, span: exponent.span })
            }
            _ => Ok(()),
        }
    }
}

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

/// Returns the value of a literal such as `3`, `0.5`, `1e-3`.
///
/// # Errors
/// [`SyntaxError::LiteralTooLong`] if the digits or the exponent are beyond [`error::LITERAL_DIGITS`].
pub fn parse_rational(text: &str, span: Span) -> Result<Rational, SyntaxError> {
    let too_long = || SyntaxError::LiteralTooLong { span };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        // An exponent beyond `i64` is too long as well.
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().map_err(|_| too_long())?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // The smallest `i64` has no magnitude in `i64`.
    let is_exponent_long = exponent.unsigned_abs() > error::LITERAL_DIGITS as u64;
    if whole.len() + fraction.len() > error::LITERAL_DIGITS || is_exponent_long {
        return Err(too_long());
    }
    let digits: Rational = format!("{whole}{fraction}").parse().map_err(|_| too_long())?;
    Ok(scale_by_power_of_ten(digits, exponent - fraction.len() as i64))
}

/// Returns `digits · 10^exponent`.
fn scale_by_power_of_ten(digits: Rational, exponent: i64) -> Rational {
    let power = power_of_ten(exponent.unsigned_abs() as u32);
    if exponent < 0 { digits / power } else { digits * power }
}

/// Returns `10^exponent`, by repeated squaring.
pub(crate) fn power_of_ten(exponent: u32) -> Rational {
    let mut value = Rational::from(1);
    let mut square = Rational::from(10);
    let mut rest = exponent;
    while rest > 0 {
        if rest & 1 == 1 {
            value *= &square;
        }
        rest >>= 1;
        // The last square would be the largest, and is not needed.
        if rest > 0 {
            square.square_mut();
        }
    }
    value
}

/// Returns the value of superscripts such as `²` or `⁻¹`.
///
/// # Errors
/// [`SyntaxError::Expected`] without digits, [`SyntaxError::LiteralTooLong`] with too many.
pub fn parse_superscript(text: &str, span: Span) -> Result<Rational, SyntaxError> {
    let digits: String = text.chars().filter_map(superscript_digit).collect();
    if digits.is_empty() {
        return Err(SyntaxError::Expected {
            expected: "raised digits after the raised minus".to_owned(),
            found: "nothing".to_owned(),
            span,
        });
    }
    let value = parse_rational(&digits, span)?;
    Ok(if text.starts_with('⁻') { -value } else { value })
}

impl Parser<'_> {
    /// Returns the value of a literal, and counts its bits if it is long.
    ///
    /// # Errors
    /// Those of the free function, and [`SyntaxError::LiteralsTooLong`] beyond [`error::LITERAL_BITS`].
    fn parse_literal(&mut self, text: &str, span: Span) -> Result<Rational, SyntaxError> {
        let value = parse_rational(text, span)?;
        let bits = value.numer().significant_bits().saturating_add(value.denom().significant_bits());
        // Short literals do not count, so that texts of many numbers pass. A few characters can make a long one:
        // `1e99999`.
        if bits > error::LONG_LITERAL_BITS {
            self.literal_bits = self.literal_bits.saturating_add(bits);
            if self.literal_bits > error::LITERAL_BITS {
                return Err(SyntaxError::LiteralsTooLong { span });
            }
        }
        Ok(value)
    }

    /// Parses a number that is known in advance: a literal, with an optional sign and an optional denominator.
    #[doc(hidden)]
    pub fn parse_constant_number(&mut self) -> Result<Rational, SyntaxError> {
        let negative = self.accept(Token::Minus)?;
        let numerator = self.parse_number_token()?;
        let span = self.span();
        let value = if self.accept(Token::Slash)? {
            let denominator = self.parse_number_token()?;
            if denominator.is_zero() {
                return Err(SyntaxError::ZeroDenominator { span });
            }
            numerator / denominator
        } else {
            numerator
        };
        Ok(if negative { -value } else { value })
    }

    fn parse_number_token(&mut self) -> Result<Rational, SyntaxError> {
        let lexeme = self.expect(Token::Number, "a number, such as 0.5, 1e-9 or 1/3")?;
        self.parse_literal(self.text_of(lexeme.span), lexeme.span)
    }
}

/// Returns `true` if the magnitude of a number is above `bound`.
fn exceeds_magnitude(value: &Rational, bound: u32) -> bool {
    *value > bound || *value < -i64::from(bound)
}

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
            if parts.len() >= error::TUPLE_WIDTH {
                let width = format!("more than {}", error::TUPLE_WIDTH);
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
        if head.depth > error::DEPTH { Err(SyntaxError::TooDeep { span: head.span }) } else { Ok(head) }
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
            if width > error::TUPLE_WIDTH {
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
        if inner.depth > error::DEPTH { Err(SyntaxError::TooDeep { span: inner.span }) } else { Ok(inner) }
    }

    fn make_type(&mut self, kind: TypeExpressionKind, span: Span, depth: u32) -> Result<TypeExpression, SyntaxError> {
        self.count_node(span)?;
        if depth >= error::DEPTH {
            return Err(SyntaxError::TooDeep { span });
        }
        Ok(TypeExpression { kind, span, depth: depth + 1 })
    }
}

/// Returns `true` if a character is one of the signs for the basic types.
fn is_type_sign(letter: char) -> bool {
    matches!(letter, 'ℜ' | 'ℝ' | '𝔅' | '𝔹' | 'ℕ')
}
