//! The first-order language of differentiable programming (S Figs. 3 and 4), as terms of its own.
//!
//! It is the internal language of the category AD: variables, arrows of AD applied to terms, pairs, `let`, and directional
//! derivatives. It has no functions. Nothing else rests on it; it is a language of
//! one's own over the library, with its typing rules, its meaning and its embedding into λ_S.
//!
//! | rule | S Fig. 3 | here |
//! |---|---|---|
//! | variable | (x : τ) ∈ Γ gives Γ ⊢ x : τ | [`Term::variable`] |
//! | arrow | Γ ⊢ e : τ₁ and f : ⟦τ₁⟧ ⇝ ⟦τ₂⟧ give Γ ⊢ ⌊f⌋(e) : τ₂ | [`Term::apply`] |
//! | unit | Γ ⊢ ! : ∗ | [`Term::unit`] |
//! | pair | Γ ⊢ e₁ : τ₁ and Γ ⊢ e₂ : τ₂ give Γ ⊢ (e₁, e₂) : τ₁ × τ₂ | [`Term::pair`] |
//! | let | Γ ⊢ e₁ : τ₁ and Γ, x : τ₁ ⊢ e₂ : τ₂ give Γ ⊢ let x ≜ e₁ in e₂ : τ₂ | [`Term::bind`] |
//! | derivative | Γ, x : τ₁ ⊢ e_y : τ₂ and Γ ⊢ e_x : τ₁ and Γ ⊢ e_dx : τ₁ give Γ ⊢ ∂e_y/∂x\|x=e_x·e_dx : τ₂ | [`Term::derivative`] |
//!
//! An arrow asks of its argument that it denotes the right object: ⌊+⌋ takes a term of ⌊ℝ⌋ × ⌊ℝ⌋ and one of ⌊ℝ²⌋.
//!
//! | chapter | what it holds |
//! |---|---|
//! | [`ty`] | types and contexts |
//! | [`arrow`] | the arrows of AD |
//! | [`typing`] | the typing rules |
//! | [`embedding`] | first-order terms as terms of λ_S |
//! | [`meaning`] | their meaning, as towers and as graphs |

pub mod arrow;
pub mod embedding;
pub mod meaning;
mod printer;
pub mod ty;
pub mod typing;

pub use arrow::Arrow;
pub use ty::{Context, Type};

use arrow::{ArrowError, ArrowKind};
use smoothish::number::Rational;
use smoothish::stack::with_stack;
use smoothish::syntax::constant::Constant;
use smoothish::syntax::name::Name;
use std::sync::Arc;

/// An expression e of the first-order language. Cheap to clone, safe to drop at any depth.
#[derive(Clone)]
pub struct Term(Arc<Node>);

struct Node {
    kind: TermKind,
    size: u64,
    depth: u32,
}

/// The shape of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// x
    Variable(Name),
    /// ⌊f⌋(e)
    Apply(Arrow, Term),
    /// !
    Unit,
    /// (e₁, e₂)
    Pair(Term, Term),
    /// ∂e_y/∂x|x=e_x·e_dx
    Derivative {
        /// e_y, under x
        body: Term,
        /// x
        variable: Name,
        /// e_x, where x is not bound
        at: Term,
        /// e_dx, where x is not bound
        along: Term,
    },
    /// let x ≜ e₁ in e₂
    Let {
        /// x
        variable: Name,
        /// e₁, where x is not bound
        value: Term,
        /// e₂, under x
        body: Term,
    },
}

impl Term {
    /// An expression of this shape.
    #[must_use]
    pub fn new(kind: TermKind) -> Term {
        let (mut size, mut depth) = (1u64, 0);
        kind.parts(&mut |part| {
            size = size.saturating_add(part.size());
            depth = depth.max(part.depth());
        });
        Term(Arc::new(Node { kind, size, depth: depth.saturating_add(1) }))
    }

    /// x
    #[must_use]
    pub fn variable(name: &str) -> Term {
        Term::new(TermKind::Variable(name.into()))
    }

    /// !
    #[must_use]
    pub fn unit() -> Term {
        Term::new(TermKind::Unit)
    }

    /// ⌊f⌋(e)
    #[must_use]
    pub fn apply(arrow: Arrow, argument: &Term) -> Term {
        Term::new(TermKind::Apply(arrow, argument.clone()))
    }

    /// (e₁, e₂)
    #[must_use]
    pub fn pair(&self, second: &Term) -> Term {
        Term::new(TermKind::Pair(self.clone(), second.clone()))
    }

    /// let x ≜ e₁ in e₂
    #[must_use]
    pub fn bind(variable: &str, value: &Term, body: &Term) -> Term {
        Term::new(TermKind::Let { variable: variable.into(), value: value.clone(), body: body.clone() })
    }

    /// ∂e_y/∂x|x=e_x·e_dx: the derivative of `body` by `variable`, at a point, along a direction. The other variables of
    /// the body are held fixed.
    #[must_use]
    pub fn derivative(body: &Term, variable: &str, at: &Term, along: &Term) -> Term {
        let (body, at, along) = (body.clone(), at.clone(), along.clone());
        Term::new(TermKind::Derivative { body, variable: variable.into(), at, along })
    }

    /// A number: ⌊q⌋(!), written q.
    #[must_use]
    pub fn number(value: impl Into<Rational>) -> Term {
        Term::apply(Arrow::number(value), &Term::unit())
    }

    /// A constant of the language applied to as many terms as it has arguments; two of them are a pair.
    ///
    /// # Errors
    /// [`ArrowError::NotFirstOrder`] for a constant that does not take so many real numbers to a real number.
    pub fn operation(constant: Constant, arguments: &[Term]) -> Result<Term, ArrowError> {
        let arrow = Arrow::operation(constant)?;
        match (constant.arity(), arguments) {
            (0, []) => Ok(Term::apply(arrow, &Term::unit())),
            (1, [x]) => Ok(Term::apply(arrow, x)),
            (2, [x, y]) => Ok(Term::apply(arrow, &x.pair(y))),
            _ => Err(ArrowError::NotFirstOrder { constant }),
        }
    }

    fn binary(&self, constant: Constant, other: &Term) -> Term {
        let real = Type::real();
        let arrow = Arrow::operation(constant);
        // the four operators are arrows
        Term::apply(arrow.unwrap_or_else(|_| Arrow::first(&real, &real)), &self.pair(other))
    }

    /// e₁ + e₂, short for ⌊+⌋((e₁, e₂))
    #[must_use]
    pub fn plus(&self, other: &Term) -> Term {
        self.binary(Constant::Add, other)
    }

    /// e₁ − e₂
    #[must_use]
    pub fn minus(&self, other: &Term) -> Term {
        self.binary(Constant::Subtract, other)
    }

    /// e₁ × e₂
    #[must_use]
    pub fn times(&self, other: &Term) -> Term {
        self.binary(Constant::Multiply, other)
    }

    /// e₁ ÷ e₂
    #[must_use]
    pub fn over(&self, other: &Term) -> Term {
        self.binary(Constant::Divide, other)
    }

    /// The shape of the expression.
    #[must_use]
    pub fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    /// The number of nodes, without sharing; at most `u64::MAX`.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// The number of levels.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// The number that the term is, if it is ⌊q⌋(!).
    fn as_number(&self) -> Option<&Rational> {
        match self.kind() {
            TermKind::Apply(arrow, argument) if matches!(argument.kind(), TermKind::Unit) => match arrow.kind() {
                ArrowKind::Number(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }
}

impl TermKind {
    fn parts(&self, each: &mut dyn FnMut(&Term)) {
        match self {
            TermKind::Variable(_) | TermKind::Unit => {}
            TermKind::Apply(_, argument) => each(argument),
            TermKind::Pair(first, second) => [first, second].into_iter().for_each(each),
            TermKind::Derivative { body, at, along, .. } => [body, at, along].into_iter().for_each(each),
            TermKind::Let { value, body, .. } => [value, body].into_iter().for_each(each),
        }
    }
}

/// The same expression, names of bound variables included.
impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.size(), self.depth()) == (other.size(), other.depth())
                && with_stack(|| self.0.kind == other.0.kind)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if self.depth > 64 {
            let kind = std::mem::replace(&mut self.kind, TermKind::Unit);
            with_stack(|| drop(kind));
        }
    }
}
