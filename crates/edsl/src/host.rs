//! λ_S embedded in Rust: programs are Rust expressions and are checked by Rust's types.
//!
//! An [`Expr<A>`](Expr) is a program of type A. It is built from variables ([`lam`]), operators, the constants of S
//! Fig. 2 ([`constants`]) and the definitions of theories ([`parse`]). Any model can evaluate it.
//!
//! ```
//! use smoothish_edsl::host::prelude::*;
//! let relu = lam(|x: Expr<Real>| max(0, x));
//! let brightness = lam(|c: Expr<Real>| integral01(lam(|x: Expr<Real>| relu.apply(x - &c))));
//! let slope = deriv(brightness).apply(real!(0.6)).enclose(1e-12)?;
//! // d/dc (1-c)²/2 = c - 1
//! assert!(slope.enclosure.contains(&decimal::parse("-0.4")?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | in S | in Rust |
//! |---|---|
//! | `ℜ`, `A * B`, `A → B`, `unit` | [`Real`], `HList![A, B]`, `fn(A) -> B`, `HNil` |
//! | `λ x : ℜ ⇒ e` | `lam(\|x: Expr<Real>\| e)`, for several variables [`lam2`], [`lam3`] |
//! | `f x` | `f.apply(x)` |
//! | `(x, y)`, `x[0]` | `hlist![x, y]` or `(x, y)`; `let hlist_pat![a, b] = x.parts()` |
//! | `match s with In0 x => … | In1 y => …` | `s.case(hlist![\|x\| …, \|y\| …])` on a `Coprod!(A, B)` |
//! | `[x, y]`, `x :: xs`, `fold f z xs` | `list([x, y])`, `cons(x, xs)`, `fold(f, z, xs)` on a [`List`] |
//! | `0.6`, `2` | `real!(0.6)`, `2`; the exact value of an `f64`: [`double`] |
//! | `let x = e₁ in e₂` | `let x = e₁;` an expression that is used twice is computed once |
//! | `i.to e`, `i.from e` | `i.to(e)`, `i.from(e)` |
//!
//! | module | holds |
//! |---|---|
//! | [`types`] | the types of the language as types of Rust |
//! | [`expr`] | programs, abstraction and application; definitions of theories, and any text of the language, as typed programs; enclosures, and the value in any model |
//! | [`literal`], [`mod@tuple`], [`constants`] | the parts of programs |
//! | [`close`] | conversion of expressions to [terms](crate::syntax::term::Term): names, and `let` for shared parts |

pub mod close;
pub mod constants;
pub mod expr;
pub mod literal;
pub mod tuple;
pub mod types;

pub use expr::{EdslError, Expr, IntoExpr, lam, lam2, lam3, parse, rec};
pub use literal::double;
pub use tuple::{List, cons, fold, inject, list, nil};
pub use types::{Bool, Fn2, Fn3, Iso, Nat, Real, Tan, Type};

/// The imports for writing programs.
pub mod prelude {
    pub use super::constants::cond;
    pub use super::constants::*;
    pub use super::literal::real;
    pub use super::{
        Bool, EdslError, Expr, Fn2, Fn3, IntoExpr, Iso, List, Nat, Real, Tan, Type, cons, double, fold, inject, lam,
        lam2, lam3, list, nil, parse, rec,
    };
    pub use crate::number::decimal;
    pub use frunk::hlist::{HCons, HNil};
    pub use frunk::{Coprod, HList, hlist, hlist_pat};
}
