//! Inference of expressions.

use super::bind::wrap_binders;
use super::store::{ArenaNode, TypeArena, TypeRef};
use super::{DeferredConstraint, Inference};
use crate::stack::with_stack;
use crate::syntax::surface::{BinaryOperator, Expression, ExpressionKind, Member};
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Class;
use crate::syntax::type_error::TypeError;
use std::rc::Rc;

impl Inference<'_> {
    /// Infers the term of an expression, which must have the expected type.
    pub(super) fn check_expression(&mut self, expression: &Expression, expected: TypeRef) -> Result<Term, TypeError> {
        if self.types.is_exhausted() {
            return Err(TypeError::TooLarge { span: expression.span });
        }
        with_stack(|| self.check_expression_kind(expression, expected))
    }

    fn check_expression_kind(&mut self, expression: &Expression, expected: TypeRef) -> Result<Term, TypeError> {
        let span = expression.span;
        let kind = match &expression.kind {
            ExpressionKind::Name(module, name) => {
                let (term, ty) = self.infer_name(module.as_ref(), name, expected, span)?;
                self.unify(expected, ty, span)?;
                return Ok(term);
            }
            ExpressionKind::Number(value, decimal) => {
                let ty = if *decimal { TypeArena::REAL } else { self.literal_type(span.start, expected) };
                self.unify(expected, ty, span)?;
                TermKind::Real((**value).clone())
            }
            ExpressionKind::Bool(value) => {
                self.unify(expected, TypeArena::BOOL, span)?;
                TermKind::Bool(*value)
            }
            ExpressionKind::Unit => {
                self.unify(expected, TypeArena::UNIT, span)?;
                TermKind::Unit
            }
            ExpressionKind::Lambda(binders, body) => {
                let count = self.locals.len();
                let mut frames = Vec::new();
                // `bind_parameters` splits the expected function type, so that the body is checked against its result.
                let result = self.bind_parameters(binders, expected, span, &mut frames)?;
                let body = self.check_expression(body, result)?;
                self.pop_to(count);
                return Ok(wrap_binders(frames, body));
            }
            ExpressionKind::Apply(..) => return self.infer_application(expression, expected),
            ExpressionKind::Binary(BinaryOperator::Cons, head, tail) => {
                return self.infer_cons(head, tail, expected, span);
            }
            ExpressionKind::Binary(operator, left, right) => {
                return self.infer_binary(*operator, left, right, expected, span);
            }
            ExpressionKind::Negate(operand) => return self.infer_negation(operand, expected, span),
            ExpressionKind::Section(operator) => return self.infer_section(*operator, expected, span),
            ExpressionKind::Let(declaration, body) => {
                return self.infer_let(declaration, body, expected, span);
            }
            ExpressionKind::LetPattern(binder, value, body) => {
                return self.infer_let_pattern(binder, value, body, expected);
            }
            ExpressionKind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.check_expression(condition, TypeArena::BOOL)?;
                // Both branches get the expected type: a mismatch is reported inside the branch.
                let then = self.check_expression(then, expected)?;
                let otherwise = self.check_expression(otherwise, expected)?;
                TermKind::If { condition, then, otherwise }
            }
            ExpressionKind::SameTypePair(sides) => {
                let [left, right] = &**sides;
                let ty = self.fresh_unknown(Class::ANY);
                let parts = vec![self.check_expression(left, ty)?, self.check_expression(right, ty)?];
                let pair = self.types.add_node(ArenaNode::Tuple(vec![ty, ty].into()));
                self.unify(expected, pair, span)?;
                TermKind::Tuple(parts)
            }
            ExpressionKind::List(parts) => return self.infer_list(parts, expected, span),
            ExpressionKind::Match(scrutinee, cases) => return self.infer_match(scrutinee, cases, expected, span),
            ExpressionKind::Tuple(parts) => return self.check_tuple(parts, expected, expression),
            ExpressionKind::Index(tuple, index) => {
                let (written, index) = (tuple.span, *index);
                let ty = self.fresh_unknown(Class::ANY);
                let tuple = self.check_expression(tuple, ty)?;
                self.resolve_component(DeferredConstraint { tuple: ty, index, component: expected, written, span })?;
                TermKind::Project { tuple, index }
            }
            ExpressionKind::Member(record, member) => {
                let ty = self.fresh_unknown(Class::ANY);
                let iso = self.check_expression(record, ty)?;
                let (left, right) = self.iso_sides(ty, record)?;
                let (domain, codomain) = if *member == Member::To { (left, right) } else { (right, left) };
                let function = self.types.add_node(ArenaNode::Function(domain, codomain));
                self.unify(expected, function, span)?;
                if *member == Member::To { TermKind::To(iso) } else { TermKind::From(iso) }
            }
            ExpressionKind::Do(inner) => {
                let outside = std::mem::replace(&mut self.in_do, true);
                let term = self.check_expression(inner, expected);
                self.in_do = outside;
                return term;
            }
            ExpressionKind::Ascription(inner, ty) => {
                // The ascribed type first meets the expected one, so that its own mismatch is reported at the whole.
                let ty = self.convert_type(ty)?;
                self.unify(expected, ty, span)?;
                return self.check_expression(inner, ty);
            }
        };
        Ok(Term::new(kind, span))
    }

    /// Returns the type of a literal without a point: `Real` if expected, otherwise a number type that its use decides.
    pub(super) fn literal_type(&mut self, start: u32, expected: TypeRef) -> TypeRef {
        if matches!(self.types.node_of(expected), ArenaNode::Real) {
            return TypeArena::REAL;
        }
        let ty = self.fresh_unknown(Class::NUMERIC);
        self.literals.push((start, ty));
        ty
    }

    fn check_tuple(&mut self, parts: &[Expression], expected: TypeRef, whole: &Expression) -> Result<Term, TypeError> {
        // With a tuple expected, each component is checked against its own type, and mismatches are small.
        let known = match self.types.node_of(expected) {
            ArenaNode::Tuple(types) if types.len() == parts.len() => Some(types),
            ArenaNode::Unknown { class: Class::ANY, .. } => {
                let types: Rc<[TypeRef]> = parts.iter().map(|_| self.fresh_unknown(Class::ANY)).collect();
                let tuple = self.types.add_node(ArenaNode::Tuple(types.clone()));
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
                None => self.fresh_unknown(Class::ANY),
            };
            terms.push(self.check_expression(part, ty)?);
            if known.is_none() {
                types.push(ty);
            }
        }
        if known.is_none() {
            let tuple = self.types.add_node(ArenaNode::Tuple(types.into()));
            self.unify(expected, tuple, whole.span)?;
        }
        Ok(Term::new(TermKind::Tuple(terms), whole.span))
    }

    fn iso_sides(&mut self, ty: TypeRef, record: &Expression) -> Result<(TypeRef, TypeRef), TypeError> {
        match self.types.node_of(ty) {
            ArenaNode::Iso(left, right) => Ok((left, right)),
            ArenaNode::Unknown { class: Class::ANY, .. } => {
                let (left, right) = (self.fresh_unknown(Class::ANY), self.fresh_unknown(Class::ANY));
                let iso = self.types.add_node(ArenaNode::Iso(left, right));
                self.unify(ty, iso, record.span)?;
                Ok((left, right))
            }
            _ => Err(TypeError::NotAnIsomorphism { ty: self.types.export_for_message(ty), span: record.span }),
        }
    }
}
