//! The first-order language of differentiable programming (S Figs. 3 and 4), as terms of its own.
//!
//! It is the internal language of the category AD: variables, arrows of AD applied to terms, pairs, `let`, and directional
//! derivatives. It has no functions. Its terms are written by the methods here, or come from programs of λ_S
//! ([`FirstOrderTerm::of_program`]).
//!
//! | rule | S Fig. 3 | here |
//! |---|---|---|
//! | variable | (x : τ) ∈ Γ gives Γ ⊢ x : τ | [`FirstOrderTerm::variable`] |
//! | arrow | Γ ⊢ e : τ₁ and f : ⟦τ₁⟧ ⇝ ⟦τ₂⟧ give Γ ⊢ ⌊f⌋(e) : τ₂ | [`FirstOrderTerm::apply`] |
//! | unit | Γ ⊢ ! : ∗ | [`FirstOrderTerm::unit`] |
//! | pair | Γ ⊢ e₁ : τ₁ and Γ ⊢ e₂ : τ₂ give Γ ⊢ (e₁, e₂) : τ₁ × τ₂ | [`FirstOrderTerm::pair`] |
//! | let | Γ ⊢ e₁ : τ₁ and Γ, x : τ₁ ⊢ e₂ : τ₂ give Γ ⊢ let x ≜ e₁ in e₂ : τ₂ | [`FirstOrderTerm::bind`] |
//! | derivative | Γ, x : τ₁ ⊢ e_y : τ₂ and Γ ⊢ e_x : τ₁ and Γ ⊢ e_dx : τ₁ give Γ ⊢ ∂e_y/∂x\|x=e_x·e_dx : τ₂ | [`FirstOrderTerm::derivative`] |
//!
//! An arrow requires that its argument denotes the right object: ⌊+⌋ takes a term of ⌊ℝ⌋ × ⌊ℝ⌋ and one of ⌊ℝ²⌋.
//!
//! | chapter | contents |
//! |---|---|
//! | [`typing`] | types, contexts, the arrows of AD, and the typing rules |
//! | [`denotation`] | the meaning of terms (S Fig. 4), as towers and as graphs |
//! | [`translation`] | first-order terms as terms of λ_S, and first-order programs of λ_S as first-order terms |
//!
//! ```
//! use smoothish_semantics::meaning::first_order::denotation::tower_of_term;
//! use smoothish_semantics::meaning::first_order::{FirstOrderContext, FirstOrderTerm, FirstOrderType};
//! use smoothish_semantics::number::{Context, Double};
//!
//! // the context is held fixed: ∂(x × y)/∂x at x = y is y, not 2y
//! let (x, y) = (FirstOrderTerm::variable("x"), FirstOrderTerm::variable("y"));
//! let slope = FirstOrderTerm::derivative(&x.times(&y), "x", &y, &FirstOrderTerm::number(1));
//! let context = FirstOrderContext::new().with("y", &FirstOrderType::real());
//! assert_eq!(slope.to_string(), "∂(x × y)/∂x|x=y·1");
//! assert_eq!(slope.type_in(&context)?.to_string(), "⌊ℝ⌋");
//! let value = tower_of_term::<Double>(&slope, &context)?.value_at(&[Double.enclose_integer(5)], &Double)?;
//! assert!(Double.to_enclosure(&value[0]).is_point() && Double.to_enclosure(&value[0]).contains(&5.into()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Printing
//!
//! Expressions print as in the paper. Numbers and the four operators are written without ⌊ and ⌋.

pub mod denotation;
pub mod translation;
pub mod typing;

pub use typing::{AdArrow, AdArrowError, AdArrowKind, FirstOrderContext, FirstOrderType, FirstOrderTypingError};

use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use std::fmt;
use std::sync::Arc;
use typing::infix_sign;

/// An expression e of the first-order language. Cheap to clone, safe to drop at any depth.
#[doc(alias = "first-order language")]
#[derive(Clone)]
pub struct FirstOrderTerm(Arc<FirstOrderNode>);

struct FirstOrderNode {
    kind: FirstOrderTermKind,
    size: u64,
    depth: u32,
}

/// The shape of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum FirstOrderTermKind {
    /// x
    Variable(Name),
    /// ⌊f⌋(e)
    Apply(AdArrow, FirstOrderTerm),
    /// !
    Unit,
    /// (e₁, e₂)
    Pair(FirstOrderTerm, FirstOrderTerm),
    /// ∂e_y/∂x|x=e_x·e_dx
    Derivative {
        /// e_y, under x
        body: FirstOrderTerm,
        /// x
        variable: Name,
        /// e_x, where x is not bound
        at: FirstOrderTerm,
        /// e_dx, where x is not bound
        along: FirstOrderTerm,
    },
    /// let x ≜ e₁ in e₂
    Let {
        /// x
        variable: Name,
        /// e₁, where x is not bound
        value: FirstOrderTerm,
        /// e₂, under x
        body: FirstOrderTerm,
    },
}

impl FirstOrderTerm {
    /// Returns the expression of a shape.
    #[must_use]
    pub fn new(kind: FirstOrderTermKind) -> FirstOrderTerm {
        let (mut size, mut depth) = (1u64, 0);
        kind.visit_parts(&mut |part| {
            size = size.saturating_add(part.size());
            depth = depth.max(part.depth());
        });
        FirstOrderTerm(Arc::new(FirstOrderNode { kind, size, depth: depth.saturating_add(1) }))
    }

    /// Returns x.
    #[must_use]
    pub fn variable(name: &str) -> FirstOrderTerm {
        FirstOrderTerm::new(FirstOrderTermKind::Variable(name.into()))
    }

    /// Returns !.
    #[must_use]
    pub fn unit() -> FirstOrderTerm {
        FirstOrderTerm::new(FirstOrderTermKind::Unit)
    }

    /// Returns ⌊f⌋(e).
    #[must_use]
    pub fn apply(arrow: AdArrow, argument: &FirstOrderTerm) -> FirstOrderTerm {
        FirstOrderTerm::new(FirstOrderTermKind::Apply(arrow, argument.clone()))
    }

    /// Returns (e₁, e₂).
    #[must_use]
    pub fn pair(&self, second: &FirstOrderTerm) -> FirstOrderTerm {
        FirstOrderTerm::new(FirstOrderTermKind::Pair(self.clone(), second.clone()))
    }

    /// Returns let x ≜ e₁ in e₂.
    #[must_use]
    pub fn bind(variable: &str, value: &FirstOrderTerm, body: &FirstOrderTerm) -> FirstOrderTerm {
        FirstOrderTerm::new(FirstOrderTermKind::Let {
            variable: variable.into(),
            value: value.clone(),
            body: body.clone(),
        })
    }

    /// Returns ∂e_y/∂x|x=e_x·e_dx: the derivative of `body` by `variable`, at a point, along a direction. The other variables of
    /// the body are held fixed.
    #[must_use]
    pub fn derivative(
        body: &FirstOrderTerm,
        variable: &str,
        at: &FirstOrderTerm,
        along: &FirstOrderTerm,
    ) -> FirstOrderTerm {
        let (body, at, along) = (body.clone(), at.clone(), along.clone());
        FirstOrderTerm::new(FirstOrderTermKind::Derivative { body, variable: variable.into(), at, along })
    }

    /// Returns a number: ⌊q⌋(!), written q.
    #[must_use]
    pub fn number(value: impl Into<Rational>) -> FirstOrderTerm {
        FirstOrderTerm::apply(AdArrow::number(value), &FirstOrderTerm::unit())
    }

    /// Returns a constant of the language applied to as many terms as it has arguments; two of them are a pair.
    ///
    /// # Errors
    /// [`AdArrowError::NotFirstOrder`] for a constant that does not take so many real numbers to a real number.
    pub fn operation(constant: Constant, arguments: &[FirstOrderTerm]) -> Result<FirstOrderTerm, AdArrowError> {
        let arrow = AdArrow::operation(constant)?;
        match (constant.arity(), arguments) {
            (0, []) => Ok(FirstOrderTerm::apply(arrow, &FirstOrderTerm::unit())),
            (1, [x]) => Ok(FirstOrderTerm::apply(arrow, x)),
            (2, [x, y]) => Ok(FirstOrderTerm::apply(arrow, &x.pair(y))),
            _ => Err(AdArrowError::NotFirstOrder { constant }),
        }
    }

    /// Returns an operator applied to two terms.
    fn apply_operator(&self, constant: Constant, other: &FirstOrderTerm) -> FirstOrderTerm {
        let real = FirstOrderType::real();
        let arrow = AdArrow::operation(constant);
        // the four operators are arrows, so the other case does not occur
        FirstOrderTerm::apply(arrow.unwrap_or_else(|_| AdArrow::first(&real, &real)), &self.pair(other))
    }

    /// Returns e₁ + e₂, short for ⌊+⌋((e₁, e₂))
    #[must_use]
    pub fn plus(&self, other: &FirstOrderTerm) -> FirstOrderTerm {
        self.apply_operator(Constant::Add, other)
    }

    /// Returns e₁ − e₂.
    #[must_use]
    pub fn minus(&self, other: &FirstOrderTerm) -> FirstOrderTerm {
        self.apply_operator(Constant::Subtract, other)
    }

    /// Returns e₁ × e₂.
    #[must_use]
    pub fn times(&self, other: &FirstOrderTerm) -> FirstOrderTerm {
        self.apply_operator(Constant::Multiply, other)
    }

    /// Returns e₁ ÷ e₂.
    #[must_use]
    pub fn over(&self, other: &FirstOrderTerm) -> FirstOrderTerm {
        self.apply_operator(Constant::Divide, other)
    }

    /// Returns the shape of the expression.
    #[must_use]
    pub fn kind(&self) -> &FirstOrderTermKind {
        &self.0.kind
    }

    /// Returns the number of nodes, without sharing; at most `u64::MAX`.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Returns the number of levels.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// Returns the number that the term is. Returns `None` unless it is ⌊q⌋(!).
    fn as_number(&self) -> Option<&Rational> {
        match self.kind() {
            FirstOrderTermKind::Apply(arrow, argument) if matches!(argument.kind(), FirstOrderTermKind::Unit) => {
                match arrow.kind() {
                    AdArrowKind::Number(value) => Some(value),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl FirstOrderTermKind {
    /// Calls `each` with the immediate parts.
    fn visit_parts(&self, each: &mut dyn FnMut(&FirstOrderTerm)) {
        match self {
            FirstOrderTermKind::Variable(_) | FirstOrderTermKind::Unit => {}
            FirstOrderTermKind::Apply(_, argument) => each(argument),
            FirstOrderTermKind::Pair(first, second) => [first, second].into_iter().for_each(each),
            FirstOrderTermKind::Derivative { body, at, along, .. } => [body, at, along].into_iter().for_each(each),
            FirstOrderTermKind::Let { value, body, .. } => [value, body].into_iter().for_each(each),
        }
    }
}

/// Equality of expressions, names of bound variables included.
impl PartialEq for FirstOrderTerm {
    fn eq(&self, other: &FirstOrderTerm) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.size(), self.depth()) == (other.size(), other.depth())
                && with_stack(|| self.0.kind == other.0.kind)
    }
}

impl Drop for FirstOrderNode {
    fn drop(&mut self) {
        if self.depth > 64 {
            let kind = std::mem::replace(&mut self.kind, FirstOrderTermKind::Unit);
            with_stack(|| drop(kind));
        }
    }
}

impl fmt::Display for FirstOrderTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_stack(|| match self.kind() {
            FirstOrderTermKind::Variable(name) => f.write_str(name),
            FirstOrderTermKind::Unit => f.write_str("!"),
            FirstOrderTermKind::Apply(arrow, argument) => {
                if let Some(value) = self.as_number() {
                    return write!(f, "{value}");
                }
                if let (AdArrowKind::Operation(constant), FirstOrderTermKind::Pair(left, right)) =
                    (arrow.kind(), argument.kind())
                    && let Some(sign) = infix_sign(*constant)
                {
                    return write!(f, "{} {sign} {}", ClosedTerm(left), ClosedTerm(right));
                }
                match argument.kind() {
                    // (e₁, e₂) has its parentheses
                    FirstOrderTermKind::Pair(..) => write!(f, "⌊{arrow}⌋{argument}"),
                    _ => write!(f, "⌊{arrow}⌋({argument})"),
                }
            }
            FirstOrderTermKind::Pair(first, second) => write!(f, "({first}, {second})"),
            FirstOrderTermKind::Derivative { body, variable, at, along } => {
                write!(f, "∂{}/∂{variable}|{variable}={}·{}", ClosedTerm(body), ClosedTerm(at), ClosedTerm(along))
            }
            FirstOrderTermKind::Let { variable, value, body } => write!(f, "let {variable} ≜ {value} in {body}"),
        })
    }
}

impl fmt::Debug for FirstOrderTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An expression in parentheses, unless it is closed by itself.
struct ClosedTerm<'t>(&'t FirstOrderTerm);

impl fmt::Display for ClosedTerm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let closed = match self.0.kind() {
            FirstOrderTermKind::Variable(_) | FirstOrderTermKind::Unit | FirstOrderTermKind::Pair(..) => true,
            FirstOrderTermKind::Apply(arrow, argument) => match (arrow.kind(), argument.kind()) {
                (AdArrowKind::Number(value), FirstOrderTermKind::Unit) => *value >= 0 && value.is_integer(),
                (AdArrowKind::Operation(constant), FirstOrderTermKind::Pair(..)) => infix_sign(*constant).is_none(),
                _ => true,
            },
            FirstOrderTermKind::Derivative { .. } | FirstOrderTermKind::Let { .. } => false,
        };
        if closed { write!(f, "{}", self.0) } else { write!(f, "({})", self.0) }
    }
}
