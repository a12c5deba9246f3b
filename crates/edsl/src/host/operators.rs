//! Operators on expressions, owned or borrowed: arithmetic, comparisons and conditionals.

use super::expr::{Expr, IntoExpr};
use super::node::{ProgramNode, ProgramNodeKind};
use super::types::{Additive, Bool, Nat, Numeric, Real, Vector};
use crate::syntax::constant::Constant;
use crate::syntax::exact;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use std::ops::{Add, Div, Mul, Neg, Not, Sub};

/// Returns the node of a constant, whose type is inferred later.
fn constant_node(constant: Constant) -> ProgramNode {
    ProgramNode::new(ProgramNodeKind::Leaf(TermKind::Constant(constant)))
}

/// Returns the node of a constant at the given type. Inference cannot determine the type of an overloaded constant
/// everywhere.
pub(super) fn typed_constant(c: Constant, ty: Ty) -> ProgramNode {
    ProgramNode::new(ProgramNodeKind::Closed(Term::with_type(TermKind::Constant(c), ty, Span::new(0, 0))))
}

/// Applies a constant to one argument.
pub(super) fn apply_unary<A>(c: Constant, x: ProgramNode) -> Expr<A> {
    Expr::from_node(ProgramNode::new(ProgramNodeKind::Apply([constant_node(c), x])))
}

/// Applies a constant to two arguments.
pub(super) fn apply_binary<A>(c: Constant, x: ProgramNode, y: ProgramNode) -> Expr<A> {
    Expr::from_node(ProgramNode::new(ProgramNodeKind::Apply([
        ProgramNode::new(ProgramNodeKind::Apply([constant_node(c), x])),
        y,
    ])))
}

// Rust's coherence rules allow `number + expression` only for concrete numbers, hence one implementation for each side.
macro_rules! impl_operator {
    (@left $number:ident $trait:ident $method:ident $class:ident) => {
        impl<A: $class> $trait<Expr<A>> for $number
        where
            $number: IntoExpr<A>,
        {
            type Output = Expr<A>;
            fn $method(self, other: Expr<A>) -> Expr<A> {
                self.into_expr().$method(other)
            }
        }

        impl<A: $class> $trait<&Expr<A>> for $number
        where
            $number: IntoExpr<A>,
        {
            type Output = Expr<A>;
            fn $method(self, other: &Expr<A>) -> Expr<A> {
                self.into_expr().$method(other)
            }
        }
    };
    ($($trait:ident $method:ident $class:ident $constant:expr;)*) => {
        $(
            impl<A: $class, X: IntoExpr<A>> $trait<X> for Expr<A> {
                type Output = Expr<A>;
                fn $method(self, other: X) -> Expr<A> {
                    apply_binary($constant, self.node, other.into_expr().node)
                }
            }

            impl<A: $class, X: IntoExpr<A>> $trait<X> for &Expr<A> {
                type Output = Expr<A>;
                fn $method(self, other: X) -> Expr<A> {
                    apply_binary($constant, self.node.clone(), other.into_expr().node)
                }
            }

            impl_operator!(@left i64 $trait $method $class);
            // No `IntoExpr` exists for `f64`. This impl is there so that the compiler reports that, with its hint at
            // `real!` and `double`.
            impl_operator!(@left f64 $trait $method $class);
        )*
    };
}

/// The types on which `/` is defined.
pub trait Divisible: Numeric {}
impl Divisible for Real {}

impl_operator! {
    Add add Additive Constant::Add;
    Sub sub Additive Constant::Subtract;
    Mul mul Numeric A::PRODUCT;
    Div div Divisible Constant::Divide;
}

impl<A: Vector> Neg for Expr<A> {
    type Output = Expr<A>;
    fn neg(self) -> Expr<A> {
        apply_unary(Constant::Negate, self.node)
    }
}

impl<A: Vector> Neg for &Expr<A> {
    type Output = Expr<A>;
    fn neg(self) -> Expr<A> {
        -self.clone()
    }
}

impl Not for Expr<Bool> {
    type Output = Expr<Bool>;
    fn not(self) -> Expr<Bool> {
        apply_unary(Constant::Not, self.node)
    }
}

impl Not for &Expr<Bool> {
    type Output = Expr<Bool>;
    fn not(self) -> Expr<Bool> {
        !self.clone()
    }
}

impl Expr<Real> {
    /// Raises to a power, `x ^ y`. If y consists of literals and `+`, `-`, `*`, `/`, it is a rational power in lowest
    /// terms. Otherwise it is `exp (y * log x)`, which is undefined for x ≤ 0.
    ///
    /// `x.pow(real!(1 / 3))` is defined for negative x as well, as the cube root. `x.pow(sqrt(1) / 3)` is not, nor is
    /// `x.pow(y)` for a variable y, whatever its value.
    #[must_use]
    pub fn pow(&self, y: impl IntoExpr<Real>) -> Expr<Real> {
        // The limit bounds the time for one exponent; a larger one is treated as a real exponent.
        let y = y.into_expr().node;
        let exact = literal_term(&y, &mut { MAX_LITERAL_NODES }).and_then(|y| exact::exact_value(&y, &|_| None));
        match exact {
            Some(exponent) => apply_binary(Constant::Power, self.node.clone(), exponent.into_expr().node),
            None => apply_binary(Constant::RealPower, self.node.clone(), y),
        }
    }

    /// Raises to a natural power: `x ^ n` is the product of n factors x.
    ///
    /// ```
    /// use smoothish_edsl::host::prelude::*;
    /// let minus_two: Expr<Real> = (-2).into_expr();
    /// let cube = lam(|n: Expr<Nat>| minus_two.natural_power(n)).apply(3);
    /// assert!(cube.enclose(1e-9)?.enclosure.contains(&(-8).into()));
    /// # Ok::<(), EdslError>(())
    /// ```
    #[must_use]
    pub fn natural_power(&self, n: impl IntoExpr<Nat>) -> Expr<Real> {
        apply_binary(Constant::NaturalPower, self.node.clone(), n.into_expr().node)
    }
}

/// The largest number of nodes in an exponent made of literals. A choice: exponents that people write are smaller.
const MAX_LITERAL_NODES: usize = 200;

/// Converts an expression that consists of literals and constants to a term. `left` is the number of nodes that it may
/// still have. Returns `None` for other expressions and larger ones.
fn literal_term(node: &ProgramNode, left: &mut usize) -> Option<Term> {
    *left = left.checked_sub(1)?;
    Some(match node.kind() {
        ProgramNodeKind::Leaf(kind @ (TermKind::Real(_) | TermKind::Constant(_))) => {
            Term::new(kind.clone(), Span::new(0, 0))
        }
        ProgramNodeKind::Apply([function, argument]) => {
            Term::apply(literal_term(function, left)?, literal_term(argument, left)?, Span::new(0, 0))
        }
        _ => return None,
    })
}

impl Expr<Real> {
    /// Compares two numbers: `x < y`, which is undefined if they are equal.
    #[must_use]
    pub fn less_than(&self, y: impl IntoExpr<Real>) -> Expr<Bool> {
        apply_binary(Constant::RealLess, self.node.clone(), y.into_expr().node)
    }
}

impl Expr<Nat> {
    /// Compares two numbers: `m == n`.
    #[must_use]
    pub fn equals(&self, n: impl IntoExpr<Nat>) -> Expr<Bool> {
        apply_binary(Constant::Equal, self.node.clone(), n.into_expr().node)
    }

    /// Compares two numbers: `m < n`.
    #[must_use]
    pub fn less_than(&self, n: impl IntoExpr<Nat>) -> Expr<Bool> {
        apply_binary(Constant::Less, self.node.clone(), n.into_expr().node)
    }
}

/// Returns `if condition then then else otherwise`. A condition that compares real numbers is undefined where they are
/// equal. It can select numbers, truth values, tuples of these and functions into these.
pub fn cond<A>(condition: impl IntoExpr<Bool>, then: impl IntoExpr<A>, otherwise: impl IntoExpr<A>) -> Expr<A> {
    Expr::from_node(ProgramNode::new(ProgramNodeKind::If([
        condition.into_expr().node,
        then.into_expr().node,
        otherwise.into_expr().node,
    ])))
}
