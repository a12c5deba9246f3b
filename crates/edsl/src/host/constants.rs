//! The constants of λ_S (S Fig. 2), under the names of the paper.
//!
//! # Operators on expressions
//!
//! Operators on expressions, owned or borrowed: arithmetic, comparisons and conditionals.

use super::expr::{Expr, IntoExpr, ProgramNode, ProgramNodeKind};
use super::types::{Additive, Bool, Fn3, Iso, Nat, Numeric, Real, Tan, Type, Vector};
use crate::function::{
    Function, Functional, Planar, SpecialId, functionals, functions, planar_functions, special_functions,
};
use crate::syntax::constant::Constant;
use crate::syntax::exact;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use frunk::HList;
use std::ops::{Add, Div, Mul, Neg, Not, Sub};

// The documentation of each function gives the constant's type in the language.
macro_rules! of_numbers {
    ($($(#[$about:meta])* $name:ident $constant:ident;)*) => {
        $($(#[$about])*
        pub fn $name(x: impl IntoExpr<Real>) -> Expr<Real> {
            apply_unary(Constant::$constant, x.into_expr().node)
        })*
    };
}

of_numbers! {
    /// `abs : ℜ → ℜ`, the absolute value.
    abs Abs;
    /// `signum : ℜ → ℜ`, the sign; at 0 the interval [-1, 1].
    signum Signum;
    /// `sigmoid : ℜ → ℜ`, 1 / (1 + exp (-x)).
    sigmoid Sigmoid;
}

// The table of functions is one for the language and this library, so a new row needs no change here.
macro_rules! elementary {
    ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
        $(#[doc = concat!("`", stringify!($name), " : ℜ → ℜ`. ", $about)]
        pub fn $name(x: impl IntoExpr<Real>) -> Expr<Real> {
            apply_unary(Constant::Elementary(Function::$variant), x.into_expr().node)
        })*
    };
}

functions!(elementary);

macro_rules! special {
    ($($id:ident $module:ident::$implementation:ident $(::<$n:literal>)? $family:ident { $($constant:ident $name:ident $order:literal,)* })*) => {
        $($(#[doc = concat!("`", stringify!($name), " : ℜ → ℜ`, a special function.")]
        pub fn $name(x: impl IntoExpr<Real>) -> Expr<Real> {
            apply_unary(Constant::Elementary(Function::$constant), x.into_expr().node)
        })*

        #[doc = concat!("`", stringify!($family), " : ℕ → ℜ → ℜ`, the derivatives of a special function by their order n ≤ 1000.")]
        pub fn $family(n: impl IntoExpr<Nat>, x: impl IntoExpr<Real>) -> Expr<Real> {
            apply_binary(Constant::Special(SpecialId::$id), n.into_expr().node, x.into_expr().node)
        })*
    };
}

special_functions!(special);

macro_rules! planar {
    ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
        $(#[doc = concat!("`", stringify!($name), " : ℜ → ℜ → ℜ`. ", $about)]
        pub fn $name(x: impl IntoExpr<Real>, y: impl IntoExpr<Real>) -> Expr<Real> {
            apply_binary(Constant::Planar(Planar::$variant), x.into_expr().node, y.into_expr().node)
        })*
    };
}

planar_functions!(planar);

macro_rules! of_functions {
    ($($variant:ident $rust:ident $name:literal $about:literal $source:literal $total:ident $over:literal $promise:literal
        $example:literal;)*) => {
        $(#[doc = concat!("`", $name, " : (ℜ → ℜ) → ℜ`. ", $about)]
        pub fn $rust(f: impl IntoExpr<fn(Real) -> Real>) -> Expr<Real> {
            apply_unary(Constant::Functional(Functional::$variant), f.into_expr().node)
        })*
    };
}

functionals!(of_functions);

/// Returns a constant, whose type is determined by its use.
fn constant_expr<A>(c: Constant) -> Expr<A> {
    Expr::from_leaf(TermKind::Constant(c))
}

/// `pi : ℜ`, the number π.
#[must_use]
pub fn pi() -> Expr<Real> {
    constant_expr(Constant::Pi)
}

/// `max : ℜ → ℜ → ℜ`, the maximum.
pub fn max(x: impl IntoExpr<Real>, y: impl IntoExpr<Real>) -> Expr<Real> {
    apply_binary(Constant::Max, x.into_expr().node, y.into_expr().node)
}

/// `min : ℜ → ℜ → ℜ`, the minimum.
pub fn min(x: impl IntoExpr<Real>, y: impl IntoExpr<Real>) -> Expr<Real> {
    apply_binary(Constant::Min, x.into_expr().node, y.into_expr().node)
}

/// `toReal : ℕ → ℜ`, the inclusion of the natural numbers.
pub fn to_real(n: impl IntoExpr<Nat>) -> Expr<Real> {
    apply_unary(Constant::ToReal, n.into_expr().node)
}

/// `fst : A * B → A`, the first component.
pub fn fst<A, B>(p: impl IntoExpr<HList![A, B]>) -> Expr<A> {
    Expr::from_node(ProgramNode::new(ProgramNodeKind::Project(p.into_expr().node, 0)))
}

/// `snd : A * B → B`, the second component.
pub fn snd<A, B>(p: impl IntoExpr<HList![A, B]>) -> Expr<B> {
    Expr::from_node(ProgramNode::new(ProgramNodeKind::Project(p.into_expr().node, 1)))
}

/// `deriv : (ℜ → ℜ) → ℜ → ℜ`, the derivative (S §3).
pub fn deriv(f: impl IntoExpr<fn(Real) -> Real>) -> Expr<fn(Real) -> Real> {
    apply_unary(Constant::Deriv, f.into_expr().node)
}

/// `jvp : (A → B) → A → A → B`, forward mode: the directional derivative at a point, for vectors A and B (A §2).
pub fn jvp<A: Vector, B: Vector>(f: impl IntoExpr<fn(A) -> B>, x: impl IntoExpr<A>, v: impl IntoExpr<A>) -> Expr<B> {
    constant_expr::<Fn3<fn(A) -> B, A, A, B>>(Constant::Jvp).apply(f).apply(x).apply(v)
}

/// `rd : (A → B) → A → B → A`, reverse mode: the transposed derivative at a point, applied to a cotangent, for vectors
/// A and B (A §3.1).
///
/// ```
/// use smoothish_edsl::host::prelude::*;
/// let product = lam(|p: Expr<HList![Real, Real]>| fst(&p) * snd(&p));
/// let slopes: Expr<HList![Real, Real]> = rd(product, (2, 3), 1);
/// assert_eq!(slopes.to_string(), "rd (\\p => p[0] * p[1]) (2, 3) 1");
/// ```
pub fn rd<A: Vector, B: Vector>(f: impl IntoExpr<fn(A) -> B>, x: impl IntoExpr<A>, w: impl IntoExpr<B>) -> Expr<A> {
    constant_expr::<Fn3<fn(A) -> B, A, B, A>>(Constant::Rd).apply(f).apply(x).apply(w)
}

/// `zeros : A`, the zero vector.
#[must_use]
pub fn zeros<A: Vector>() -> Expr<A> {
    // No argument determines the type, so the constant carries it.
    Expr::from_node(typed_constant(Constant::Zero, A::language_type()))
}

/// `scale : ℜ → A → A`, the product of a number and a vector.
pub fn scale<A: Vector>(c: impl IntoExpr<Real>, x: impl IntoExpr<A>) -> Expr<A> {
    apply_binary(Constant::Scale, c.into_expr().node, x.into_expr().node)
}

/// `dot : A → A → ℜ`, the inner product.
pub fn dot<A: Vector>(x: impl IntoExpr<A>, y: impl IntoExpr<A>) -> Expr<Real> {
    apply_binary(Constant::Dot, x.into_expr().node, y.into_expr().node)
}

/// `trace : (A → A) → ℜ`, the trace of a linear map.
///
/// ```
/// use smoothish_edsl::host::prelude::*;
/// let turn = lam(|p: Expr<HList![Real, Real]>| {
///     let hlist_pat![x, y] = p.parts();
///     (&x * 2 - &y, x + y * 3).into_expr()
/// });
/// assert!(trace(turn).enclose(1e-9)?.enclosure.contains(&5.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn trace<A: Vector>(f: impl IntoExpr<fn(A) -> A>) -> Expr<Real> {
    // The result is a number, whatever A is, so the constant carries its type.
    let ty = Ty::function(Ty::function(A::language_type(), A::language_type()), Ty::real());
    Expr::from_node(ProgramNode::new(ProgramNodeKind::Apply([typed_constant(Constant::Trace, ty), f.into_expr().node])))
}

/// `det : (A → A) → ℜ`, the determinant of a linear map of vectors of up to 8 coordinates.
///
/// ```
/// use smoothish_edsl::host::prelude::*;
/// let turn = lam(|p: Expr<HList![Real, Real]>| {
///     let hlist_pat![x, y] = p.parts();
///     (&x * 2 - &y, x + y * 3).into_expr()
/// });
/// assert!(det(turn).enclose(1e-9)?.enclosure.contains(&7.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn det<A: Vector>(f: impl IntoExpr<fn(A) -> A>) -> Expr<Real> {
    let ty = Ty::function(Ty::function(A::language_type(), A::language_type()), Ty::real());
    Expr::from_node(ProgramNode::new(ProgramNodeKind::Apply([typed_constant(Constant::Det, ty), f.into_expr().node])))
}

/// `linearSolve : (A → A) → A → A`, the preimage of a vector under a linear map. It is undefined where the determinant
/// is 0.
///
/// ```
/// use smoothish_edsl::host::prelude::*;
/// let turn = lam(|p: Expr<HList![Real, Real]>| {
///     let hlist_pat![x, y] = p.parts();
///     (&x * 2 - &y, x + y * 3).into_expr()
/// });
/// let second = snd(&linear_solve(turn, (1, 11)));
/// assert!(second.enclose(1e-9)?.enclosure.contains(&3.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn linear_solve<A: Vector>(f: impl IntoExpr<fn(A) -> A>, b: impl IntoExpr<A>) -> Expr<A> {
    let map = Ty::function(A::language_type(), A::language_type());
    let ty = Ty::function(map.clone(), map);
    let function = Expr::<fn(A) -> A>::from_node(ProgramNode::new(ProgramNodeKind::Apply([
        typed_constant(Constant::LinearSolve, ty),
        f.into_expr().node,
    ])));
    function.apply(b)
}

/// `tangent : (A → B) → Tan A → Tan B`, the action of Tan on a function (S §5.3).
pub fn tangent<A: Type, B: Type>(f: impl IntoExpr<fn(A) -> B>, v: impl IntoExpr<Tan<A>>) -> Expr<Tan<B>> {
    apply_binary(Constant::Tangent, f.into_expr().node, v.into_expr().node)
}

/// `tangentValue : Tan A → A`, the base point of a tangent.
pub fn tangent_value<A: Type>(v: impl IntoExpr<Tan<A>>) -> Expr<A> {
    apply_unary(Constant::TangentValue, v.into_expr().node)
}

/// The type `Tan ℜ ≅ ℜ * ℜ`.
pub type TangentR = Iso<Tan<Real>, HList![Real, Real]>;

/// The type `Tan (A * B) ≅ Tan A * Tan B`.
pub type TangentProd<A, B> = Iso<Tan<HList![A, B]>, HList![Tan<A>, Tan<B>]>;

/// The type `Tan (A → ℜ) ≅ (A → ℜ) * (A → ℜ)`.
pub type TangentToR<A> = Iso<Tan<fn(A) -> Real>, HList![fn(A) -> Real, fn(A) -> Real]>;

/// `tangent_R : Tan ℜ ≅ ℜ * ℜ`, value and derivative (S Prop. 5.2).
#[must_use]
pub fn tangent_r() -> Expr<TangentR> {
    constant_expr(Constant::TangentR)
}

/// `tangentProd : Tan (A * B) ≅ Tan A * Tan B`, componentwise (S Prop. 5.1).
#[must_use]
pub fn tangent_prod<A: Type, B: Type>() -> Expr<TangentProd<A, B>> {
    constant_expr(Constant::TangentProd)
}

/// `tangentTo_R : Tan (A → ℜ) ≅ (A → ℜ) * (A → ℜ)`, for functions with defined values (S Prop. 5.3).
#[must_use]
pub fn tangent_to_r<A: Type>() -> Expr<TangentToR<A>> {
    constant_expr(Constant::TangentToR)
}

impl<A, B> Expr<Iso<A, B>> {
    /// Applies the isomorphism: `i.to e`.
    pub fn to(&self, x: impl IntoExpr<A>) -> Expr<B> {
        self.select_side(true).apply(x)
    }

    /// Applies the inverse: `i.from e`.
    pub fn from(&self, y: impl IntoExpr<B>) -> Expr<A> {
        self.select_side(false).apply(y)
    }

    /// Returns the function `i.to` if `forward` is `true`, otherwise `i.from`.
    fn select_side<C>(&self, forward: bool) -> Expr<C> {
        Expr::from_node(ProgramNode::new(ProgramNodeKind::IsoDirection(self.node.clone(), forward)))
    }
}

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
