//! Parameters and patterns.

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::limit;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::surface::{Binder, Identifier, Pattern, PatternKind};
use crate::syntax::token::Token;
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Parser<'_> {
    /// Parses the parameters of a `\`: `x`, `x : T` on its own, `(x y : T)`, `(x, y)`.
    pub(super) fn parse_lambda_binders(&mut self) -> Result<Vec<Binder>, SyntaxError> {
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
    pub(super) fn parse_pattern(&mut self) -> Result<Pattern, SyntaxError> {
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
            if parts.len() >= limit::TUPLE_WIDTH {
                let width = format!("more than {}", limit::TUPLE_WIDTH);
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
    pub(super) fn check_distinct<'p>(
        &self,
        patterns: impl DoubleEndedIterator<Item = &'p Pattern>,
    ) -> Result<(), SyntaxError> {
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
