//! Derivatives as a macro: 𝒟_(k,R), which turns a program into the program of its Taylor representation (H §3, §5).
//!
//! For f₁, …, fₙ : ℝᵏ → ℝ and a program t of n real variables, the derived program maps all derivatives of the fᵢ of order at
//! most R to those of `t(f₁, …, fₙ)` (H Thm 3). The macro works on syntax alone: functions of functions, variants and lists are
//! kept, and numbers become tuples of numbers.
//!
//! | chapter | in H | contents |
//! |---|---|---|
//! | [`jet`] | §2.2 | multi-indices in lexicographic order; §2.2, §3.2 | the same image, term by term as in the paper: the reference |
//! | [`block`] | – | straight-line programs |
//! | [`partial`] | §3.2 | `∂_β op`, for every operation and every β |
//! | [`mod@jet`] | §3.2 | the image of an operation, by arithmetic on truncated polynomials |
//! | [`functional`] | – | the images of roots and optima |
//! | [`functor`] | §3.2, §5.1 | 𝒟 on types; Ex. 6.1 | 𝒟 on terms, an instance of [`Model`](crate::model::Model); §3.2, §5.1 | the replaceable rules; W §3.3 | rules for operations analytic only on pieces: 𝒟 of W |
//! | [`mod@derive`] | – | derived programs, to be read and run |

pub mod block;
pub mod derive;
pub mod functional;
pub mod functor;
pub mod jet;
pub mod partial;
