//! Traces: the operational semantics of a simple differentiable programming language (A §2, §3, §6.2), as printed.
//!
//! A program is run in two ways. Ordinary evaluation, `M ⇒ V`, gives its value. Symbolic evaluation, `M ⇝ C`, gives a *trace*: a
//! straight program without conditionals and calls, in which the branches that were taken and the functions that were
//! entered are written out. Derivatives are those of traces.
//!
//! | chapter | what it holds | in A |
//! |---|---|---|
//! | [`ty`], [`term`], [`renaming`], [`operation`], [`sugar`] | types, terms up to α, operations with their reverse derivatives, abbreviations | §2 |
//! | [`typing`] | the typing rules | Fig. 1 |
//! | [`value`], [`environment`] | closed values, environments ρ and φ, closures | §3 |
//! | [`context`] | evaluation contexts and redexes | §3, L3.1 |
//! | [`number`] | ev and bev, over rational numbers, doubles and certified real numbers | §3 |
//! | [`evaluation`] | both relations | Figs. 2–5 |
//! | [`differentiate`], [`accumulate`] | `W.R_V(x. C)`, by nine clauses, and by one sweep | Fig. 6 |
//! | [`source`] | the same sweep through programs, which gives programs | Props. 4.3, 4.4 |
//! | [`compiled`] | the same by instructions and a tape | |
//! | [`limited`] | `letrecₙ` and approximants | Fig. 8 |
//! | [`hooks`] | the rules where a plausible wrong one exists | |
//! | [`error`] | why a term has no value | |
//! | [`question`], [`neighbourhood`] | asking: precisions, and boxes on which a trace is valid | Thm 6.2 |
//! | [`steps`] | what an evaluation did, as text | Figs. 4–5 |
//! | [`tidy`] | traces in fewer words | |
//! | [`program`], [`embed`], [`fragment`], [`printer`] | from programs of the library's language, which they are, and back | |

pub mod accumulate;
pub mod compiled;
pub mod context;
pub mod differentiate;
pub mod embed;
pub mod environment;
pub mod error;
pub mod evaluation;
pub mod fragment;
pub mod hooks;
pub mod limited;
pub mod neighbourhood;
pub mod number;
pub mod operation;
pub mod printer;
pub mod program;
pub mod question;
pub mod renaming;
pub mod source;
pub mod steps;
mod straight;
pub mod sugar;
pub mod term;
pub mod tidy;
pub mod ty;
pub mod typing;
pub mod value;
