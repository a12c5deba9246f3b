//! Operators: overloaded arithmetic, comparisons of numbers, and logic.

use super::Inference;
use super::finish::{held_by, hole};
use super::store::{Id, Node, Store};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::exact;
use crate::syntax::limit;
use crate::syntax::source::Span;
use crate::syntax::surface::{Expression, ExpressionKind, Operator};
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Class, Ty, TyKind};
use crate::syntax::type_error::TypeError;

/// The largest number of parts of an operand that `own_types` visits. A choice: bounds the time for nested differences.
const MOST_PARTS: usize = 64;

/// Returns the constant of an operator. `None` for `&&` and `||`, which are conditionals, and for `::`, a constructor.
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
    /// Infers `left operator right`.
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
                    // An unknown name in an operand is the likelier mistake, so it is reported in place of the result
                    // type.
                    Err(error) => return Err(self.unknown_in(&[left, right]).unwrap_or(error)),
                };
                if operator == Operator::Multiply {
                    self.products.push((span, ty));
                }
                let (left, right) = (self.operand(left, ty, sign, class)?, self.operand(right, ty, sign, class)?);
                if operator == Operator::Subtract {
                    // The operands' own types, whatever is expected of them: a `Nat` written there decides how to
                    // subtract.
                    let mut operands = Vec::new();
                    for operand in [&left, &right] {
                        self.own_types(operand, &mut operands, &mut { MOST_PARTS });
                    }
                    self.differences.push((span, ty, operands));
                }
                (hole(ty), hole(ty), left, right)
            }
            Operator::Divide => {
                self.unify(expected, Store::REAL, span)?;
                let left = self.operand(left, Store::REAL, sign, Class::REAL)?;
                (Ty::real(), Ty::real(), left, self.operand(right, Store::REAL, sign, Class::REAL)?)
            }
            Operator::Power => return self.power(left, right, expected, span),
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                // Literals alone are natural numbers, unless a subtraction could leave them: `1 < 2 - 3` compares
                // reals.
                let counts = is_literal(left) && is_literal(right) && !subtracts(left) && !subtracts(right);
                let ty = if counts { Store::NAT } else { self.unknown(Class::ORDERED) };
                self.comparisons.push((span, ty));
                let left = self.operand(left, ty, sign, Class::ORDERED)?;
                let right = self.operand(right, ty, sign, Class::ORDERED)?;
                self.unify(expected, Store::BOOL, span)?;
                (hole(ty), Ty::bool(), left, right)
            }
            _ => {
                let name = [left, right].into_iter().find_map(|side| match &side.kind {
                    ExpressionKind::Name(None, name) => Some(name.clone()),
                    _ => None,
                });
                let (ty, left, right, known) = self.equated(left, right)?;
                self.unify(expected, Store::BOOL, span)?;
                // Arithmetic of literals is compared now and exactly; at run time equality of reals is not decidable.
                if let Some(equal) = known {
                    return Ok(Term::new(TermKind::Bool(equal == (operator == Operator::Equal)), span));
                }
                self.comparisons.push((span, ty));
                self.equated.push((ty, name));
                (hole(ty), Ty::bool(), left, right)
            }
        };
        let ty = Ty::function(operand.clone(), Ty::function(operand, result));
        let function = Term::typed(TermKind::Constant(constant), ty, span);
        Ok(Term::apply(Term::apply(function, left, span), right, span))
    }

    /// Infers `-operand`.
    pub(super) fn negation(&mut self, operand: &Expression, expected: Id, span: Span) -> Result<Term, TypeError> {
        let ty = match self.overloaded(Class::VECTOR, expected, span) {
            Ok(ty) => ty,
            Err(error) => return Err(self.unknown_in(&[operand]).unwrap_or(error)),
        };
        let operand = self.operand(operand, ty, "-", Class::VECTOR)?;
        let function = Term::typed(TermKind::Constant(Constant::Negate), Ty::function(hole(ty), hole(ty)), span);
        Ok(Term::apply(function, operand, span))
    }

    /// Infers an operator as a function, `(+)`.
    pub(super) fn section(&mut self, operator: Operator, expected: Id, span: Span) -> Result<Term, TypeError> {
        if operator == Operator::Cons {
            let (ty, of) = self.list_type();
            let inner = self.types.make(Node::Function(ty, ty));
            let function = self.types.make(Node::Function(of, inner));
            self.unify(expected, function, span)?;
            return Ok(curried(hole(of), hole(ty), span, |head, tail| Term::cons(head, tail, hole(ty), span)));
        }
        // `&&` and `||` have no constant: their sections are functions around the conditional.
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
                self.equated.push((side, None));
            }
            let inner = self.types.make(Node::Function(side, Store::BOOL));
            let ty = self.types.make(Node::Function(side, inner));
            self.unify(expected, ty, span)?;
            return Ok(Term::typed(TermKind::Constant(constant), hole(ty), span));
        }
        // The exponent is no literal here, so this is the power of a positive base, or of a natural exponent.
        if constant == Constant::Power {
            let exponent = self.unknown(Class::NUMERIC);
            let inner = self.types.make(Node::Function(exponent, Store::REAL));
            let ty = self.types.make(Node::Function(Store::REAL, inner));
            self.unify(expected, ty, span)?;
            self.powers.push((span, exponent));
            return Ok(Term::typed(TermKind::Constant(Constant::RealPower), hole(ty), span));
        }
        let (term, ty) = self.constant(constant, span)?;
        if let (Constant::Subtract, Node::Function(side, _)) = (constant, self.types.shape(ty)) {
            self.differences.push((span, side, Vec::new()));
        }
        if let (Constant::Multiply, Node::Function(factor, _)) = (constant, self.types.shape(ty)) {
            self.products.push((span, factor));
        }
        self.unify(expected, ty, span)?;
        Ok(term)
    }

    /// Returns the type of the operands and of the result of an overloaded operator, unified with the expected type.
    fn overloaded(&mut self, class: Class, expected: Id, span: Span) -> Result<Id, TypeError> {
        if matches!(self.types.shape(expected), Node::Real) {
            return Ok(Store::REAL);
        }
        let ty = self.unknown(class);
        self.unify(expected, ty, span)?;
        Ok(ty)
    }

    /// Returns the error of an unknown name in operands of a type that does not fit anyway. A type written for the name
    /// may mend both. `None` if all names are known.
    fn unknown_in(&mut self, operands: &[&Expression]) -> Option<TypeError> {
        operands.iter().find_map(|operand| {
            let ty = self.unknown(Class::ANY);
            self.expression(operand, ty).err().filter(|error| matches!(error, TypeError::Unknown { .. }))
        })
    }

    /// Infers an operand of an arithmetic operator. A mismatch of the operand becomes an error of the operator.
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

    /// Infers `left ^ right`. The power has a constant exponent if it is arithmetic of literals, else a real or a
    /// natural one by its type.
    fn power(&mut self, left: &Expression, right: &Expression, expected: Id, span: Span) -> Result<Term, TypeError> {
        self.unify(expected, Store::REAL, span)?;
        let base = self.operand(left, Store::REAL, "^", Class::REAL)?;
        let ty = self.unknown(Class::NUMERIC);
        let mut exponent = self.operand(right, ty, "^", Class::NUMERIC)?;
        let is_natural = matches!(self.types.shape(ty), Node::Nat);
        // Computed exponents are limited here; the parser limits those written in place.
        let literal = self
            .exact(&exponent)
            .filter(|value| !is_natural && (exact::is_written(&exponent) || *value.as_abs() <= limit::POWER));
        let constant = match literal {
            Some(value) => {
                self.unify(Store::REAL, ty, right.span)?;
                if !exact::is_written(&exponent) {
                    exponent = Term::new(TermKind::Real(value), right.span);
                }
                Constant::Power
            }
            None => {
                self.powers.push((span, ty));
                Constant::RealPower
            }
        };
        let ty = Ty::function(Ty::real(), Ty::function(hole(ty), Ty::real()));
        let function = Term::typed(TermKind::Constant(constant), ty, span);
        Ok(Term::apply(Term::apply(function, base, span), exponent, span))
    }

    /// Collects the types that an operand has by itself, whatever is expected of it: of variables, and of results of
    /// functions. Visits at most `parts` parts.
    fn own_types(&mut self, term: &Term, found: &mut Vec<Id>, parts: &mut usize) {
        let Some(left) = parts.checked_sub(1) else { return };
        *parts = left;
        deep(|| match term.kind() {
            TermKind::Variable { .. } | TermKind::Global(_) | TermKind::Constant(_) => found.extend(held(term.ty())),
            TermKind::Apply { function, argument } => match function.kind() {
                TermKind::Apply { function, argument: left } if is_arithmetic(function) => {
                    self.own_types(left, found, parts);
                    self.own_types(argument, found, parts);
                }
                _ => {
                    let mut functions = Vec::new();
                    self.own_types(function, &mut functions, parts);
                    found.extend(functions.into_iter().filter_map(|function| match self.types.shape(function) {
                        Node::Function(_, codomain) => Some(codomain),
                        _ => None,
                    }));
                }
            },
            TermKind::Project { tuple, index } => {
                let mut tuples = Vec::new();
                self.own_types(tuple, &mut tuples, parts);
                found.extend(tuples.into_iter().filter_map(|tuple| match self.types.shape(tuple) {
                    Node::Tuple(parts) => parts.get(*index).copied(),
                    _ => None,
                }));
            }
            TermKind::If { then, otherwise, .. } => {
                self.own_types(then, found, parts);
                self.own_types(otherwise, found, parts);
            }
            TermKind::Let { body, .. } | TermKind::LetRec { body, .. } => self.own_types(body, found, parts),
            TermKind::Match { branches, .. } => {
                branches.iter().for_each(|branch| self.own_types(&branch.body, found, parts));
            }
            _ => {}
        });
    }

    /// Infers the sides of `==` or `/=`. Returns their type, their terms, and the answer if both are real arithmetic of
    /// literals.
    ///
    /// The type is `Real` if a side is known to be real, or if literals alone are subtracted. Otherwise it defaults to
    /// `Nat` at the end of the definition.
    fn equated(&mut self, left: &Expression, right: &Expression) -> Result<(Id, Term, Term, Option<bool>), TypeError> {
        let types = [self.unknown(Class::ANY), self.unknown(Class::ANY)];
        let terms = (self.expression(left, types[0])?, self.expression(right, types[1])?);
        let is_real = |node: Node| match node {
            Node::Real => true,
            Node::Unknown { class, .. } => !class.has_naturals(),
            _ => false,
        };
        let shapes = types.map(|ty| self.types.shape(ty));
        let exact = self.exact(&terms.0).zip(self.exact(&terms.1));
        let subtracts_literals = exact.is_some() && (exact::subtracts(&terms.0) || exact::subtracts(&terms.1));
        let ty = match shapes.iter().all(|shape| matches!(shape, Node::Unknown { .. })) {
            // The order matters: a real side decides, even if the other side is not known yet.
            _ if shapes.into_iter().any(is_real) => Store::REAL,
            true if subtracts_literals => Store::REAL,
            true if is_literal(left) && is_literal(right) && (subtracts(left) || subtracts(right)) => Store::REAL,
            true => self.unknown(Class::NUMERIC),
            // A known type other than `Real` must be `Nat`, the only other type with equality.
            false => Store::NAT,
        };
        self.unify(ty, types[0], left.span)?;
        self.unify(ty, types[1], right.span)?;
        let known = exact.filter(|_| ty == Store::REAL).map(|(left, right)| left == right);
        Ok((ty, terms.0, terms.1, known))
    }
}

/// Returns the type under construction that a hole stands for. `None` for a finished type.
fn held(ty: &Ty) -> Option<Id> {
    match ty.kind() {
        TyKind::Variable(index, _) => held_by(*index),
        _ => None,
    }
}

/// Returns `true` for a sum, a difference or a product, whose type is that of its operands.
fn is_arithmetic(term: &Term) -> bool {
    matches!(term.kind(), TermKind::Constant(Constant::Add | Constant::Subtract | Constant::Multiply))
}

/// Makes `\(a : first) => \(b : second) => body`.
fn curried(first: Ty, second: Ty, span: Span, body: impl FnOnce(Term, Term) -> Term) -> Term {
    let variable = |index, name: &str, ty: &Ty| Term::variable(index, name.into(), ty.clone(), span);
    let body = body(variable(1, "a", &first), variable(0, "b", &second));
    Term::lambda("a".into(), first, Term::lambda("b".into(), second, body, span), span)
}

/// Returns `true` for literals without a point and their sums, differences, products and conditionals. They are
/// compared as natural numbers, unless one is subtracted: `2 - 3` does not mean 0.
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

/// Returns `true` if an expression of literals contains a subtraction.
fn subtracts(expression: &Expression) -> bool {
    deep(|| match &expression.kind {
        ExpressionKind::Binary(Operator::Subtract, ..) => true,
        ExpressionKind::Binary(_, left, right) => subtracts(left) || subtracts(right),
        ExpressionKind::If(parts) => subtracts(&parts[1]) || subtracts(&parts[2]),
        _ => false,
    })
}

/// Makes `left && right` or `left || right` as a conditional: the right side is evaluated only if the left does not
/// decide.
fn conditional(operator: Operator, left: Term, right: Term, span: Span) -> Term {
    let decided = Term::new(TermKind::Bool(operator == Operator::Or), span);
    let (then, otherwise) = if operator == Operator::Or { (decided, right) } else { (right, decided) };
    Term::new(TermKind::If { condition: left, then, otherwise }, span)
}
