//! Inference of expressions.

use super::bind::wrap;
use super::store::{Id, Node, Store};
use super::{Inference, Pending};
use crate::stack::deep;
use crate::syntax::surface::{Expression, ExpressionKind, Member, Operator};
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Class;
use crate::syntax::type_error::TypeError;
use std::rc::Rc;

impl Inference<'_> {
    /// Infers the term of an expression, which must have the expected type.
    pub(super) fn expression(&mut self, expression: &Expression, expected: Id) -> Result<Term, TypeError> {
        if self.types.is_exhausted() {
            return Err(TypeError::TooLarge { span: expression.span });
        }
        deep(|| self.expression_of(expression, expected))
    }

    fn expression_of(&mut self, expression: &Expression, expected: Id) -> Result<Term, TypeError> {
        let span = expression.span;
        let kind = match &expression.kind {
            ExpressionKind::Name(module, name) => {
                let (term, ty) = self.named(module.as_ref(), name, expected, span)?;
                self.unify(expected, ty, span)?;
                return Ok(term);
            }
            ExpressionKind::Number(value, decimal) => {
                let ty = if *decimal { Store::REAL } else { self.literal_type(span.start, expected) };
                self.unify(expected, ty, span)?;
                TermKind::Real((**value).clone())
            }
            ExpressionKind::Bool(value) => {
                self.unify(expected, Store::BOOL, span)?;
                TermKind::Bool(*value)
            }
            ExpressionKind::Unit => {
                self.unify(expected, Store::UNIT, span)?;
                TermKind::Unit
            }
            ExpressionKind::Lambda(binders, body) => {
                let count = self.locals.len();
                let mut frames = Vec::new();
                // `bind_parameters` splits the expected function type, so that the body is checked against its result.
                let result = self.bind_parameters(binders, expected, span, &mut frames)?;
                let body = self.expression(body, result)?;
                self.pop_to(count);
                return Ok(wrap(frames, body));
            }
            ExpressionKind::Apply(..) => return self.application(expression, expected),
            ExpressionKind::Binary(Operator::Cons, head, tail) => return self.cons(head, tail, expected, span),
            ExpressionKind::Binary(operator, left, right) => {
                return self.binary(*operator, left, right, expected, span);
            }
            ExpressionKind::Negate(operand) => return self.negation(operand, expected, span),
            ExpressionKind::Section(operator) => return self.section(*operator, expected, span),
            ExpressionKind::Let(declaration, body) => {
                return self.let_in(declaration, body, expected, span);
            }
            ExpressionKind::LetPattern(binder, value, body) => {
                return self.let_pattern(binder, value, body, expected);
            }
            ExpressionKind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.expression(condition, Store::BOOL)?;
                // Both branches get the expected type: a mismatch is reported inside the branch.
                let then = self.expression(then, expected)?;
                let otherwise = self.expression(otherwise, expected)?;
                TermKind::If { condition, then, otherwise }
            }
            ExpressionKind::Alike(sides) => {
                let [left, right] = &**sides;
                let ty = self.unknown(Class::ANY);
                let parts = vec![self.expression(left, ty)?, self.expression(right, ty)?];
                let pair = self.types.make(Node::Tuple(vec![ty, ty].into()));
                self.unify(expected, pair, span)?;
                TermKind::Tuple(parts)
            }
            ExpressionKind::List(parts) => return self.list(parts, expected, span),
            ExpressionKind::Match(scrutinee, cases) => return self.match_with(scrutinee, cases, expected, span),
            ExpressionKind::Tuple(parts) => return self.tuple(parts, expected, expression),
            ExpressionKind::Index(tuple, index) => {
                let (written, index) = (tuple.span, *index);
                let ty = self.unknown(Class::ANY);
                let tuple = self.expression(tuple, ty)?;
                self.component(Pending { tuple: ty, index, component: expected, written, span })?;
                TermKind::Project { tuple, index }
            }
            ExpressionKind::Member(record, member) => {
                let ty = self.unknown(Class::ANY);
                let iso = self.expression(record, ty)?;
                let (left, right) = self.iso_sides(ty, record)?;
                let (domain, codomain) = if *member == Member::To { (left, right) } else { (right, left) };
                let function = self.types.make(Node::Function(domain, codomain));
                self.unify(expected, function, span)?;
                if *member == Member::To { TermKind::To(iso) } else { TermKind::From(iso) }
            }
            ExpressionKind::Do(inner) => {
                let outside = std::mem::replace(&mut self.in_do, true);
                let term = self.expression(inner, expected);
                self.in_do = outside;
                return term;
            }
            ExpressionKind::Ascription(inner, ty) => {
                // The ascribed type first meets the expected one, so that its own mismatch is reported at the whole.
                let ty = self.convert(ty)?;
                self.unify(expected, ty, span)?;
                return self.expression(inner, ty);
            }
        };
        Ok(Term::new(kind, span))
    }

    /// Returns the type of a literal without a point: `Real` if expected, otherwise a number type that its use decides.
    pub(super) fn literal_type(&mut self, start: u32, expected: Id) -> Id {
        if matches!(self.types.shape(expected), Node::Real) {
            return Store::REAL;
        }
        let ty = self.unknown(Class::NUMERIC);
        self.literals.push((start, ty));
        ty
    }

    fn tuple(&mut self, parts: &[Expression], expected: Id, whole: &Expression) -> Result<Term, TypeError> {
        // With a tuple expected, each component is checked against its own type, and mismatches are small.
        let known = match self.types.shape(expected) {
            Node::Tuple(types) if types.len() == parts.len() => Some(types),
            Node::Unknown { class: Class::ANY, .. } => {
                let types: Rc<[Id]> = parts.iter().map(|_| self.unknown(Class::ANY)).collect();
                let tuple = self.types.make(Node::Tuple(types.clone()));
                self.unify(expected, tuple, whole.span)?;
                Some(types)
            }
            // Any other expected type is no tuple, or has a class: the whole tuple is unified with it below.
            _ => None,
        };
        let mut types = Vec::new();
        let mut terms = Vec::with_capacity(parts.len());
        for (number, part) in parts.iter().enumerate() {
            let ty = match &known {
                Some(types) => types[number],
                None => self.unknown(Class::ANY),
            };
            terms.push(self.expression(part, ty)?);
            if known.is_none() {
                types.push(ty);
            }
        }
        if known.is_none() {
            let tuple = self.types.make(Node::Tuple(types.into()));
            self.unify(expected, tuple, whole.span)?;
        }
        Ok(Term::new(TermKind::Tuple(terms), whole.span))
    }

    fn iso_sides(&mut self, ty: Id, record: &Expression) -> Result<(Id, Id), TypeError> {
        match self.types.shape(ty) {
            Node::Iso(left, right) => Ok((left, right)),
            Node::Unknown { class: Class::ANY, .. } => {
                let (left, right) = (self.unknown(Class::ANY), self.unknown(Class::ANY));
                let iso = self.types.make(Node::Iso(left, right));
                self.unify(ty, iso, record.span)?;
                Ok((left, right))
            }
            _ => Err(TypeError::NotAnIsomorphism { ty: self.types.show(ty), span: record.span }),
        }
    }
}
