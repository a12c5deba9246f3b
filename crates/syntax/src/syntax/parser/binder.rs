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
    pub(super) fn lambda_binders(&mut self) -> Result<Vec<Binder>, SyntaxError> {
        let mut binders = Vec::new();
        if self.at(Token::FatArrow) {
            return Err(self.expected("a parameter"));
        }
        while !self.at(Token::FatArrow) {
            self.binder(&mut binders)?;
            if self.at(Token::Colon) {
                // In `\x y : T =>` the type could be meant for both parameters or for the last.
                if binders.len() > 1 {
                    return Err(self.expected("`=>`, or parentheses as in (x y : Real)"));
                }
                self.advance()?;
                let ty = Rc::new(self.type_expression()?);
                binders[0].ty = Some(ty);
                break;
            }
        }
        self.check_distinct(binders.iter().map(|binder| &binder.pattern))?;
        Ok(binders)
    }

    /// Parses the parameters of a definition: those of a `\`, and bare capitalised names, which are type parameters.
    #[doc(hidden)]
    pub fn definition_binders(&mut self) -> Result<(Vec<Identifier>, Vec<Binder>), SyntaxError> {
        let mut types: Vec<Identifier> = Vec::new();
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        let mut binders = Vec::new();
        while !self.at(Token::Colon) && !self.at(Token::Equals) {
            if self.at(Token::Upper) {
                self.count(self.span())?;
                let identifier = self.identifier()?;
                if !seen.insert(identifier.name.clone()) {
                    return Err(SyntaxError::BoundTwice { name: identifier.name.to_string(), span: identifier.span });
                }
                types.push(identifier);
            } else {
                self.binder(&mut binders)?;
            }
        }
        self.check_distinct(binders.iter().map(|binder| &binder.pattern))?;
        Ok((types, binders))
    }

    /// Consumes the next token, which must be a name, and returns it with its span.
    #[doc(hidden)]
    pub fn identifier(&mut self) -> Result<Identifier, SyntaxError> {
        let span = self.span();
        let name = self.name(span);
        self.advance()?;
        Ok(Identifier { name, span })
    }

    /// Parses one parameter, or several that share a type, and appends them to `binders`.
    fn binder(&mut self, binders: &mut Vec<Binder>) -> Result<(), SyntaxError> {
        self.count(self.span())?;
        // Without parentheses a parameter has no type of its own: the colon belongs to the whole list.
        if !self.at(Token::LeftParenthesis) {
            let pattern = self.named_pattern()?;
            binders.push(Binder { pattern, ty: None });
            return Ok(());
        }
        let opening = self.advance()?.span;
        if self.accept(Token::RightParenthesis)? {
            let pattern = Pattern { kind: PatternKind::Unit, span: self.span_from(opening), depth: 1 };
            binders.push(Binder { pattern, ty: None });
            return Ok(());
        }
        let mut patterns = vec![self.pattern()?];
        if self.at(Token::Comma) {
            let pattern = self.rest_of_tuple(patterns, opening)?;
            binders.push(Binder { pattern, ty: None });
            return Ok(());
        }
        while !self.at(Token::Colon) && !self.at(Token::RightParenthesis) {
            self.count(self.span())?;
            patterns.push(self.pattern()?);
        }
        // `(p)` is a pattern in parentheses; several patterns in parentheses are parameters that share a type.
        let ty = match patterns.len() {
            1 if self.at(Token::RightParenthesis) => None,
            _ => {
                self.expect(Token::Colon, "`:` and the type of these parameters")?;
                Some(Rc::new(self.type_expression()?))
            }
        };
        self.close(Token::RightParenthesis, opening)?;
        binders.extend(patterns.into_iter().map(|pattern| Binder { pattern, ty: ty.clone() }));
        Ok(())
    }

    /// Parses a name or a tuple of patterns.
    pub(super) fn pattern(&mut self) -> Result<Pattern, SyntaxError> {
        if !self.at(Token::LeftParenthesis) {
            return self.named_pattern();
        }
        self.nested(|parser| {
            let opening = parser.advance()?.span;
            if parser.accept(Token::RightParenthesis)? {
                return Ok(Pattern { kind: PatternKind::Unit, span: parser.span_from(opening), depth: 1 });
            }
            let first = parser.pattern()?;
            if parser.at(Token::Comma) {
                return parser.rest_of_tuple(vec![first], opening);
            }
            parser.close(Token::RightParenthesis, opening)?;
            Ok(first)
        })
    }

    fn named_pattern(&mut self) -> Result<Pattern, SyntaxError> {
        let span = self.span();
        // An error of its own: its message can say what a capital initial means.
        if self.at(Token::Upper) {
            return Err(SyntaxError::CapitalVariable { name: self.text().to_owned(), span });
        }
        if !self.at(Token::Lower) {
            return Err(self.expected("a parameter"));
        }
        let name = self.identifier()?.name;
        let kind = if &*name == "_" { PatternKind::Ignore } else { PatternKind::Name(name) };
        Ok(Pattern { kind, span, depth: 1 })
    }

    fn rest_of_tuple(&mut self, mut parts: Vec<Pattern>, opening: Span) -> Result<Pattern, SyntaxError> {
        while self.accept(Token::Comma)? {
            self.count(opening)?;
            if parts.len() >= limit::TUPLE_WIDTH {
                let width = format!("more than {}", limit::TUPLE_WIDTH);
                return Err(SyntaxError::TooWide { width, span: opening });
            }
            parts.push(self.pattern()?);
        }
        self.close(Token::RightParenthesis, opening)?;
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
