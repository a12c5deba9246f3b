//! Traces: the operational semantics of a simple differentiable programming language (A §2, §3, §6.2), as printed.
//!
//! There are two evaluation relations. Ordinary evaluation, `M ⇒ V`, gives the value of a program. Symbolic evaluation,
//! `M ⇝ C`, gives its *trace*. A trace is a straight-line program: it has no conditionals and calls, but the branches
//! that were taken and the bodies of the functions that were called. The derivative of a program is the derivative of
//! its trace.
//!
//! | chapter | what it holds | in A |
//! |---|---|---|
//! | [`term`], [`operation`] | types, terms up to α, operations with their reverse derivatives, abbreviations | §2 |
//! | [`typing`] | the typing rules | Fig. 1 |
//! | [`term`], [`typing`] | closed values, environments ρ and φ, closures | §3 |
//! | [`evaluation`] | evaluation contexts and redexes | §3, L3.1; both relations | Figs. 2–5; the rules that mutation tests replace | |
//! | [`number`] | ev and bev, over rational numbers, doubles and enclosures of real numbers | §3 |
//! | [`differentiate`], [`accumulate`] | `W.R_V(x. C)`, by nine clauses, and by one reverse sweep | Fig. 6 |
//! | [`source`] | the reverse sweep as a source transformation of programs | Props. 4.3, 4.4 |
//! | [`compiled`] | the reverse sweep on a tape, for programs compiled to instructions | |
//! | [`term`] | `letrecₙ` and approximants | Fig. 8 |
//! | [`evaluation`] | why a term has no value | |
//! | [`question`] | traces at rising precisions, and boxes on which a trace is valid | Thm 6.2 |
//! | [`steps`] | the derivation of an evaluation, as text | Figs. 4–5 |
//! | [`differentiate`] | simplification of traces | |
//! | [`embed`], [`printer`] | translation from the language of the library, its domain, and back | |
//!
//! **Independence.** No model rests on this module, and it rests on none. So its agreement with [partial
//! maps](crate::meaning::partial) has been found in two ways.
//!
//! **Binders are never shared.** A term gets bound variables of its own before it is traced, and a function each
//! time it is entered. So the side conditions of the figures hold by construction.

pub mod accumulate;
pub mod compiled;
pub mod differentiate;
pub mod embed;
pub mod evaluation;
pub mod number;
pub mod operation;
pub mod printer;
pub mod question;
pub mod source;
pub mod steps;
pub mod term;
pub mod typing;
