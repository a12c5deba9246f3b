//! Operators: overloaded arithmetic, comparisons of numbers, and logic.
//!
//! The inference decides once, by types, which constant an operator is, so no reduction can change it. An exponent
//! that is arithmetic of literals makes a constant power. Any other real exponent means exp (y log x), and a
//! natural exponent a product.
//!
//! A difference of natural numbers is 0 below 0 only where the type `Nat` is written. Elsewhere nobody meant the
//! number to be natural, and a 0 would hide a mistake. So it is another constant there, which is refused below 0.

use super::Inference;
use super::finish::{hole_id, type_hole};
use super::store::{ArenaNode, TypeArena, TypeRef};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::exact;
use crate::syntax::limit;
use crate::syntax::source::Span;
use crate::syntax::surface::{BinaryOperator, Expression, ExpressionKind};
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Class, Ty, TyKind};
use crate::syntax::type_error::TypeError;

/// The largest number of parts of an operand that `own_types` visits. A choice: bounds the time for nested differences.
const MOST_PARTS: usize = 64;

/// Returns the constant of an operator. `None` for `&&` and `||`, which are conditionals, and for `::`, a constructor.
fn operator_constant(operator: BinaryOperator) -> Option<Constant> {
    Some(match operator {
        BinaryOperator::Add => Constant::Add,
        BinaryOperator::Subtract => Constant::Subtract,
        BinaryOperator::Multiply => Constant::Multiply,
        BinaryOperator::Divide => Constant::Divide,
        BinaryOperator::Power => Constant::Power,
        BinaryOperator::Equal => Constant::Equal,
        BinaryOperator::NotEqual => Constant::NotEqual,
        BinaryOperator::Less => Constant::Less,
        BinaryOperator::LessEqual => Constant::LessEqual,
        BinaryOperator::Greater => Constant::Greater,
        BinaryOperator::GreaterEqual => Constant::GreaterEqual,
        BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Cons => return None,
    })
}

impl Inference<'_> {
    /// Infers `left operator right`.
    pub(super) fn infer_binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        let Some(constant) = operator_constant(operator) else {
            let left = self.check_expression(left, TypeArena::BOOL)?;
            let right = self.check_expression(right, TypeArena::BOOL)?;
            self.unify(expected, TypeArena::BOOL, span)?;
            return Ok(short_circuit(operator, left, right, span));
        };
        let sign = constant.operator_sign().unwrap_or_default();
        let (operand, result, left, right) = match operator {
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => {
                let class = if operator == BinaryOperator::Multiply { Class::NUMERIC } else { Class::ADDITIVE };
                let ty = match self.operand_type(class, expected, span) {
                    Ok(ty) => ty,
                    // An unknown name in an operand is the likelier mistake, so it is reported in place of the result
                    // type.
                    Err(error) => return Err(self.find_unknown_name(&[left, right]).unwrap_or(error)),
                };
                if operator == BinaryOperator::Multiply {
                    self.products.push((span, ty));
                }
                let (left, right) =
                    (self.check_operand(left, ty, sign, class)?, self.check_operand(right, ty, sign, class)?);
                if operator == BinaryOperator::Subtract {
                    // The operands' own types, whatever is expected of them: a `Nat` written there decides how to
                    // subtract.
                    let mut operands = Vec::new();
                    for operand in [&left, &right] {
                        self.own_types(operand, &mut operands, &mut { MOST_PARTS });
                    }
                    self.differences.push((span, ty, operands));
                }
                (type_hole(ty), type_hole(ty), left, right)
            }
            BinaryOperator::Divide => {
                self.unify(expected, TypeArena::REAL, span)?;
                let left = self.check_operand(left, TypeArena::REAL, sign, Class::REAL)?;
                (Ty::real(), Ty::real(), left, self.check_operand(right, TypeArena::REAL, sign, Class::REAL)?)
            }
            BinaryOperator::Power => return self.infer_power(left, right, expected, span),
            BinaryOperator::Less
            | BinaryOperator::LessEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEqual => {
                // Literals alone are natural numbers, unless a subtraction could leave them: `1 < 2 - 3` compares
                // reals.
                let counts = is_literal_arithmetic(left)
                    && is_literal_arithmetic(right)
                    && !has_subtraction(left)
                    && !has_subtraction(right);
                let ty = if counts { TypeArena::NAT } else { self.fresh_unknown(Class::ORDERED) };
                self.comparisons.push((span, ty));
                let left = self.check_operand(left, ty, sign, Class::ORDERED)?;
                let right = self.check_operand(right, ty, sign, Class::ORDERED)?;
                self.unify(expected, TypeArena::BOOL, span)?;
                (type_hole(ty), Ty::bool(), left, right)
            }
            _ => {
                let name = [left, right].into_iter().find_map(|side| match &side.kind {
                    ExpressionKind::Name(None, name) => Some(name.clone()),
                    _ => None,
                });
                let (ty, left, right, known) = self.infer_equality(left, right)?;
                self.unify(expected, TypeArena::BOOL, span)?;
                // Arithmetic of literals is compared now and exactly; at run time equality of reals is not decidable.
                if let Some(equal) = known {
                    return Ok(Term::new(TermKind::Bool(equal == (operator == BinaryOperator::Equal)), span));
                }
                self.comparisons.push((span, ty));
                self.equated.push((ty, name));
                (type_hole(ty), Ty::bool(), left, right)
            }
        };
        let ty = Ty::function(operand.clone(), Ty::function(operand, result));
        let function = Term::with_type(TermKind::Constant(constant), ty, span);
        Ok(Term::apply(Term::apply(function, left, span), right, span))
    }

    /// Infers `-operand`.
    pub(super) fn infer_negation(
        &mut self,
        operand: &Expression,
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        let ty = match self.operand_type(Class::VECTOR, expected, span) {
            Ok(ty) => ty,
            Err(error) => return Err(self.find_unknown_name(&[operand]).unwrap_or(error)),
        };
        let operand = self.check_operand(operand, ty, "-", Class::VECTOR)?;
        let function =
            Term::with_type(TermKind::Constant(Constant::Negate), Ty::function(type_hole(ty), type_hole(ty)), span);
        Ok(Term::apply(function, operand, span))
    }

    /// Infers an operator as a function, `(+)`.
    pub(super) fn infer_section(
        &mut self,
        operator: BinaryOperator,
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        if operator == BinaryOperator::Cons {
            let (ty, of) = self.list_type();
            let inner = self.types.add_node(ArenaNode::Function(ty, ty));
            let function = self.types.add_node(ArenaNode::Function(of, inner));
            self.unify(expected, function, span)?;
            return Ok(binary_lambda(type_hole(of), type_hole(ty), span, |head, tail| {
                Term::cons(head, tail, type_hole(ty), span)
            }));
        }
        // `&&` and `||` have no constant: their sections are functions around the conditional.
        let Some(constant) = operator_constant(operator) else {
            let inner = self.types.add_node(ArenaNode::Function(TypeArena::BOOL, TypeArena::BOOL));
            let ty = self.types.add_node(ArenaNode::Function(TypeArena::BOOL, inner));
            self.unify(expected, ty, span)?;
            return Ok(binary_lambda(Ty::bool(), Ty::bool(), span, |left, right| {
                short_circuit(operator, left, right, span)
            }));
        };
        if constant.real_comparison().is_some() {
            let side = self.fresh_unknown(Class::ORDERED);
            self.comparisons.push((span, side));
            if constant.equates_naturals() {
                self.equated.push((side, None));
            }
            let inner = self.types.add_node(ArenaNode::Function(side, TypeArena::BOOL));
            let ty = self.types.add_node(ArenaNode::Function(side, inner));
            self.unify(expected, ty, span)?;
            return Ok(Term::with_type(TermKind::Constant(constant), type_hole(ty), span));
        }
        // The exponent is no literal here, so this is the power of a positive base, or of a natural exponent.
        if constant == Constant::Power {
            let exponent = self.fresh_unknown(Class::NUMERIC);
            let inner = self.types.add_node(ArenaNode::Function(exponent, TypeArena::REAL));
            let ty = self.types.add_node(ArenaNode::Function(TypeArena::REAL, inner));
            self.unify(expected, ty, span)?;
            self.powers.push((span, exponent));
            return Ok(Term::with_type(TermKind::Constant(Constant::RealPower), type_hole(ty), span));
        }
        let (term, ty) = self.instantiate_constant(constant, span)?;
        if let (Constant::Subtract, ArenaNode::Function(side, _)) = (constant, self.types.node_of(ty)) {
            self.differences.push((span, side, Vec::new()));
        }
        if let (Constant::Multiply, ArenaNode::Function(factor, _)) = (constant, self.types.node_of(ty)) {
            self.products.push((span, factor));
        }
        self.unify(expected, ty, span)?;
        Ok(term)
    }

    /// Returns the type of the operands and of the result of an overloaded operator, unified with the expected type.
    fn operand_type(&mut self, class: Class, expected: TypeRef, span: Span) -> Result<TypeRef, TypeError> {
        if matches!(self.types.node_of(expected), ArenaNode::Real) {
            return Ok(TypeArena::REAL);
        }
        let ty = self.fresh_unknown(class);
        self.unify(expected, ty, span)?;
        Ok(ty)
    }

    /// Returns the error of an unknown name in operands of a type that does not fit anyway. A type written for the name
    /// may mend both. `None` if all names are known.
    fn find_unknown_name(&mut self, operands: &[&Expression]) -> Option<TypeError> {
        operands.iter().find_map(|operand| {
            let ty = self.fresh_unknown(Class::ANY);
            self.check_expression(operand, ty).err().filter(|error| matches!(error, TypeError::Unknown { .. }))
        })
    }

    /// Infers an operand of an arithmetic operator. A mismatch of the operand becomes an error of the operator.
    fn check_operand(
        &mut self,
        operand: &Expression,
        ty: TypeRef,
        operator: &'static str,
        class: Class,
    ) -> Result<Term, TypeError> {
        let undecided = matches!(self.types.node_of(ty), ArenaNode::Unknown { .. });
        self.check_expression(operand, ty).map_err(|error| match error {
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
    fn infer_power(
        &mut self,
        left: &Expression,
        right: &Expression,
        expected: TypeRef,
        span: Span,
    ) -> Result<Term, TypeError> {
        self.unify(expected, TypeArena::REAL, span)?;
        let base = self.check_operand(left, TypeArena::REAL, "^", Class::REAL)?;
        let ty = self.fresh_unknown(Class::NUMERIC);
        let mut exponent = self.check_operand(right, ty, "^", Class::NUMERIC)?;
        let is_natural = matches!(self.types.node_of(ty), ArenaNode::Nat);
        // Computed exponents are limited here; the parser limits those written in place.
        let literal = self
            .exact_value(&exponent)
            .filter(|value| !is_natural && (exact::is_literal_form(&exponent) || *value.as_abs() <= limit::POWER));
        let constant = match literal {
            Some(value) => {
                self.unify(TypeArena::REAL, ty, right.span)?;
                if !exact::is_literal_form(&exponent) {
                    exponent = Term::new(TermKind::Real(value), right.span);
                }
                Constant::Power
            }
            None => {
                self.powers.push((span, ty));
                Constant::RealPower
            }
        };
        let ty = Ty::function(Ty::real(), Ty::function(type_hole(ty), Ty::real()));
        let function = Term::with_type(TermKind::Constant(constant), ty, span);
        Ok(Term::apply(Term::apply(function, base, span), exponent, span))
    }

    /// Collects the types that an operand has by itself, whatever is expected of it: of variables, and of results of
    /// functions. Visits at most `parts` parts.
    fn own_types(&mut self, term: &Term, found: &mut Vec<TypeRef>, parts: &mut usize) {
        let Some(left) = parts.checked_sub(1) else { return };
        *parts = left;
        with_stack(|| match term.kind() {
            TermKind::Variable { .. } | TermKind::Global(_) | TermKind::Constant(_) => {
                found.extend(held_type(term.ty()))
            }
            TermKind::Apply { function, argument } => match function.kind() {
                TermKind::Apply { function, argument: left } if is_arithmetic(function) => {
                    self.own_types(left, found, parts);
                    self.own_types(argument, found, parts);
                }
                _ => {
                    let mut functions = Vec::new();
                    self.own_types(function, &mut functions, parts);
                    found.extend(functions.into_iter().filter_map(|function| match self.types.node_of(function) {
                        ArenaNode::Function(_, codomain) => Some(codomain),
                        _ => None,
                    }));
                }
            },
            TermKind::Project { tuple, index } => {
                let mut tuples = Vec::new();
                self.own_types(tuple, &mut tuples, parts);
                found.extend(tuples.into_iter().filter_map(|tuple| match self.types.node_of(tuple) {
                    ArenaNode::Tuple(parts) => parts.get(*index).copied(),
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
    fn infer_equality(
        &mut self,
        left: &Expression,
        right: &Expression,
    ) -> Result<(TypeRef, Term, Term, Option<bool>), TypeError> {
        let types = [self.fresh_unknown(Class::ANY), self.fresh_unknown(Class::ANY)];
        let terms = (self.check_expression(left, types[0])?, self.check_expression(right, types[1])?);
        let is_real = |node: ArenaNode| match node {
            ArenaNode::Real => true,
            ArenaNode::Unknown { class, .. } => !class.has_naturals(),
            _ => false,
        };
        let shapes = types.map(|ty| self.types.node_of(ty));
        let exact = self.exact_value(&terms.0).zip(self.exact_value(&terms.1));
        let subtracts_literals =
            exact.is_some() && (exact::contains_subtraction(&terms.0) || exact::contains_subtraction(&terms.1));
        let ty = match shapes.iter().all(|shape| matches!(shape, ArenaNode::Unknown { .. })) {
            // The order matters: a real side decides, even if the other side is not known yet.
            _ if shapes.into_iter().any(is_real) => TypeArena::REAL,
            true if subtracts_literals => TypeArena::REAL,
            true if is_literal_arithmetic(left)
                && is_literal_arithmetic(right)
                && (has_subtraction(left) || has_subtraction(right)) =>
            {
                TypeArena::REAL
            }
            true => self.fresh_unknown(Class::NUMERIC),
            // A known type other than `Real` must be `Nat`, the only other type with equality.
            false => TypeArena::NAT,
        };
        self.unify(ty, types[0], left.span)?;
        self.unify(ty, types[1], right.span)?;
        let known = exact.filter(|_| ty == TypeArena::REAL).map(|(left, right)| left == right);
        Ok((ty, terms.0, terms.1, known))
    }
}

/// Returns the type under construction that a hole stands for. `None` for a finished type.
fn held_type(ty: &Ty) -> Option<TypeRef> {
    match ty.kind() {
        TyKind::Variable(index, _) => hole_id(*index),
        _ => None,
    }
}

/// Returns `true` for a sum, a difference or a product, whose type is that of its operands.
fn is_arithmetic(term: &Term) -> bool {
    matches!(term.kind(), TermKind::Constant(Constant::Add | Constant::Subtract | Constant::Multiply))
}

/// Makes `\(a : first) => \(b : second) => body`.
fn binary_lambda(first: Ty, second: Ty, span: Span, body: impl FnOnce(Term, Term) -> Term) -> Term {
    let variable = |index, name: &str, ty: &Ty| Term::variable(index, name.into(), ty.clone(), span);
    let body = body(variable(1, "a", &first), variable(0, "b", &second));
    Term::lambda("a".into(), first, Term::lambda("b".into(), second, body, span), span)
}

/// Returns `true` for literals without a point and their sums, differences, products and conditionals. They are
/// compared as natural numbers, unless one is subtracted: `2 - 3` does not mean 0.
fn is_literal_arithmetic(expression: &Expression) -> bool {
    with_stack(|| match &expression.kind {
        ExpressionKind::Number(_, decimal) => !decimal,
        ExpressionKind::Binary(
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply,
            left,
            right,
        ) => is_literal_arithmetic(left) && is_literal_arithmetic(right),
        ExpressionKind::If(parts) => is_literal_arithmetic(&parts[1]) && is_literal_arithmetic(&parts[2]),
        _ => false,
    })
}

/// Returns `true` if an expression of literals contains a subtraction.
fn has_subtraction(expression: &Expression) -> bool {
    with_stack(|| match &expression.kind {
        ExpressionKind::Binary(BinaryOperator::Subtract, ..) => true,
        ExpressionKind::Binary(_, left, right) => has_subtraction(left) || has_subtraction(right),
        ExpressionKind::If(parts) => has_subtraction(&parts[1]) || has_subtraction(&parts[2]),
        _ => false,
    })
}

/// Makes `left && right` or `left || right` as a conditional: the right side is evaluated only if the left does not
/// decide.
fn short_circuit(operator: BinaryOperator, left: Term, right: Term, span: Span) -> Term {
    let decided = Term::new(TermKind::Bool(operator == BinaryOperator::Or), span);
    let (then, otherwise) = if operator == BinaryOperator::Or { (decided, right) } else { (right, decided) };
    Term::new(TermKind::If { condition: left, then, otherwise }, span)
}
