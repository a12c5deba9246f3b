//! Operators: overloaded arithmetic, comparisons of numbers, and truth values.

use super::finish::hole;
use super::store::{Id, Node, Store};
use super::{Inference, exponent};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::syntax::surface::{Expression, ExpressionKind, Operator};
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Class, Ty, TyKind};
use crate::syntax::type_error::TypeError;

/// The constant that an operator applies; `&&` and `||` are conditionals instead, and `::` is a constructor.
fn constant(operator: Operator) -> Option<Constant> {
    Some(match operator {
        Operator::Add => Constant::Add,
        Operator::Subtract => Constant::Subtract,
        Operator::Multiply => Constant::Multiply,
        Operator::Divide => Constant::Divide,
        Operator::Power => Constant::Power,
        Operator::Equal => Constant::Equal,
        Operator::NotEqual => Constant::NotEqual,
        Operator::Less => Constant::Less,
        Operator::LessEqual => Constant::LessEqual,
        Operator::Greater => Constant::Greater,
        Operator::GreaterEqual => Constant::GreaterEqual,
        Operator::And | Operator::Or | Operator::Cons => return None,
    })
}

impl Inference<'_> {
    /// `left operator right`
    pub(super) fn binary(
        &mut self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
        expected: Id,
        span: Span,
    ) -> Result<Term, TypeError> {
        let Some(constant) = constant(operator) else {
            let left = self.expression(left, Store::BOOL)?;
            let right = self.expression(right, Store::BOOL)?;
            self.unify(expected, Store::BOOL, span)?;
            return Ok(conditional(operator, left, right, span));
        };
        let sign = constant.operator().unwrap_or_default();
        let (operand, result, left, right) = match operator {
            Operator::Add | Operator::Subtract | Operator::Multiply => {
                let class = if operator == Operator::Multiply { Class::NUMERIC } else { Class::ADDITIVE };
                let ty = match self.overloaded(class, expected, span) {
                    Ok(ty) => ty,
                    Err(error) => return Err(self.unknown_in(&[left, right]).unwrap_or(error)),
                };
                if operator == Operator::Multiply {
                    self.products.push((span, ty));
                }
                (hole(ty), hole(ty), self.operand(left, ty, sign, class)?, self.operand(right, ty, sign, class)?)
            }
            Operator::Divide | Operator::Power => {
                self.unify(expected, Store::REAL, span)?;
                let left = self.operand(left, Store::REAL, sign, Class::REAL)?;
                let literal = if operator == Operator::Power { exponent::folded(right) } else { None };
                let right = match literal {
                    Some(value) => Term::new(TermKind::Real(value), right.span),
                    None => self.operand(right, Store::REAL, sign, Class::REAL)?,
                };
                (Ty::real(), Ty::real(), left, right)
            }
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                let counts = is_literal(left) && is_literal(right) && !subtracts(left) && !subtracts(right);
                let ty = if counts { Store::NAT } else { self.unknown(Class::ORDERED) };
                self.comparisons.push((span, ty));
                let left = self.operand(left, ty, sign, Class::ORDERED)?;
                let right = self.operand(right, ty, sign, Class::ORDERED)?;
                self.unify(expected, Store::BOOL, span)?;
                (hole(ty), Ty::bool(), left, right)
            }
            _ => {
                let (ty, left, right) = self.equated(left, right)?;
                self.comparisons.push((span, ty));
                self.equated.push(ty);
                self.unify(expected, Store::BOOL, span)?;
                (hole(ty), Ty::bool(), left, right)
            }
        };
        let ty = Ty::function(operand.clone(), Ty::function(operand, result));
        let function = Term::typed(TermKind::Constant(constant), ty, span);
        Ok(Term::apply(Term::apply(function, left, span), right, span))
    }

    /// `-operand`
    pub(super) fn negation(&mut self, operand: &Expression, expected: Id, span: Span) -> Result<Term, TypeError> {
        let ty = match self.overloaded(Class::VECTOR, expected, span) {
            Ok(ty) => ty,
            Err(error) => return Err(self.unknown_in(&[operand]).unwrap_or(error)),
        };
        let operand = self.operand(operand, ty, "-", Class::VECTOR)?;
        let function = Term::typed(TermKind::Constant(Constant::Negate), Ty::function(hole(ty), hole(ty)), span);
        Ok(Term::apply(function, operand, span))
    }

    /// `(+)`
    pub(super) fn section(&mut self, operator: Operator, expected: Id, span: Span) -> Result<Term, TypeError> {
        if operator == Operator::Cons {
            let (ty, of) = self.list_type();
            let inner = self.types.make(Node::Function(ty, ty));
            let function = self.types.make(Node::Function(of, inner));
            self.unify(expected, function, span)?;
            return Ok(curried(hole(of), hole(ty), span, |head, tail| Term::cons(head, tail, hole(ty), span)));
        }
        let Some(constant) = constant(operator) else {
            let inner = self.types.make(Node::Function(Store::BOOL, Store::BOOL));
            let ty = self.types.make(Node::Function(Store::BOOL, inner));
            self.unify(expected, ty, span)?;
            return Ok(curried(Ty::bool(), Ty::bool(), span, |left, right| conditional(operator, left, right, span)));
        };
        if constant.of_reals().is_some() {
            let side = self.unknown(Class::ORDERED);
            self.comparisons.push((span, side));
            if constant.equates_naturals() {
                self.equated.push(side);
            }
            let inner = self.types.make(Node::Function(side, Store::BOOL));
            let ty = self.types.make(Node::Function(side, inner));
            self.unify(expected, ty, span)?;
            return Ok(Term::typed(TermKind::Constant(constant), hole(ty), span));
        }
        let (term, ty) = self.constant(constant, span)?;
        if let (Constant::Multiply, Node::Function(factor, _)) = (constant, self.types.shape(ty)) {
            self.products.push((span, factor));
        }
        self.unify(expected, ty, span)?;
        Ok(term)
    }

    /// The type of the operands and of the result of an overloaded operator.
    fn overloaded(&mut self, class: Class, expected: Id, span: Span) -> Result<Id, TypeError> {
        if matches!(self.types.shape(expected), Node::Real) {
            return Ok(Store::REAL);
        }
        let ty = self.unknown(class);
        self.unify(expected, ty, span)?;
        Ok(ty)
    }

    /// The name that is not known in operands whose type does not fit in any case: to write it as a parameter may mend both.
    fn unknown_in(&mut self, operands: &[&Expression]) -> Option<TypeError> {
        operands.iter().find_map(|operand| {
            let ty = self.unknown(Class::ANY);
            self.expression(operand, ty).err().filter(|error| matches!(error, TypeError::Unknown { .. }))
        })
    }

    /// An operand of an arithmetic operator.
    fn operand(
        &mut self,
        operand: &Expression,
        ty: Id,
        operator: &'static str,
        class: Class,
    ) -> Result<Term, TypeError> {
        let undecided = matches!(self.types.shape(ty), Node::Unknown { .. });
        self.expression(operand, ty).map_err(|error| match error {
            TypeError::Mismatch { found, span, .. }
                if span == operand.span
                    && (undecided && !class.admits(&found)
                        || matches!(found.kind(), TyKind::Function(..))
                        || (matches!(class, Class::NUMERIC | Class::REAL)
                            && matches!(found.kind(), TyKind::Tuple(_)))) =>
            {
                TypeError::Operator { operator, class, found, span }
            }
            TypeError::NoVector { construct: None, found, span } if !class.admits(&found) => {
                TypeError::Operator { operator, class, found, span }
            }
            other => other,
        })
    }

    /// The sides of `==` or `/=`, and their type: real numbers where a side is known to be one, or where literals alone are subtracted,
    /// and natural numbers where nothing says otherwise at the end of the definition.
    fn equated(&mut self, left: &Expression, right: &Expression) -> Result<(Id, Term, Term), TypeError> {
        let types = [self.unknown(Class::ANY), self.unknown(Class::ANY)];
        let terms = (self.expression(left, types[0])?, self.expression(right, types[1])?);
        let is_real = |node: Node| match node {
            Node::Real => true,
            Node::Unknown { class, .. } => !class.has_naturals(),
            _ => false,
        };
        let shapes = types.map(|ty| self.types.shape(ty));
        let ty = match shapes.iter().all(|shape| matches!(shape, Node::Unknown { .. })) {
            _ if shapes.into_iter().any(is_real) => Store::REAL,
            true if is_literal(left) && is_literal(right) && (subtracts(left) || subtracts(right)) => Store::REAL,
            true => self.unknown(Class::NUMERIC),
            false => Store::NAT,
        };
        self.unify(ty, types[0], left.span)?;
        self.unify(ty, types[1], right.span)?;
        Ok((ty, terms.0, terms.1))
    }
}

/// `\(a : first) => \(b : second) => body`
fn curried(first: Ty, second: Ty, span: Span, body: impl FnOnce(Term, Term) -> Term) -> Term {
    let variable = |index, name: &str, ty: &Ty| Term::variable(index, name.into(), ty.clone(), span);
    let body = body(variable(1, "a", &first), variable(0, "b", &second));
    Term::lambda("a".into(), first, Term::lambda("b".into(), second, body, span), span)
}

/// Whether an expression is made of literals without a point alone. Such are compared as natural numbers, unless one is subtracted
/// from another: nobody who writes 2 - 3 means 0.
fn is_literal(expression: &Expression) -> bool {
    deep(|| match &expression.kind {
        ExpressionKind::Number(_, decimal) => !decimal,
        ExpressionKind::Binary(Operator::Add | Operator::Subtract | Operator::Multiply, left, right) => {
            is_literal(left) && is_literal(right)
        }
        ExpressionKind::If(parts) => is_literal(&parts[1]) && is_literal(&parts[2]),
        _ => false,
    })
}

/// Whether an expression that is made of literals has a subtraction in it.
fn subtracts(expression: &Expression) -> bool {
    deep(|| match &expression.kind {
        ExpressionKind::Binary(Operator::Subtract, ..) => true,
        ExpressionKind::Binary(_, left, right) => subtracts(left) || subtracts(right),
        ExpressionKind::If(parts) => subtracts(&parts[1]) || subtracts(&parts[2]),
        _ => false,
    })
}

/// `left && right`, `left || right`: the right side counts only if the left does not decide.
fn conditional(operator: Operator, left: Term, right: Term, span: Span) -> Term {
    let decided = Term::new(TermKind::Bool(operator == Operator::Or), span);
    let (then, otherwise) = if operator == Operator::Or { (decided, right) } else { (right, decided) };
    Term::new(TermKind::If { condition: left, then, otherwise }, span)
}
