//! The semantics of differentiable programming, executable: values and derivatives of every order as certified
//! intervals.
//!
//! A program is written once and interpreted in any of the published semantics. The example computes `d/dc ∫₀¹ max(0, x
//! − c) dx` from a text and from a Rust expression. A map with dimensions in its type then shows a derivative at a
//! kink.
//!
//! ```
//! use smoothish::host::prelude::{Expr, Real, deriv, integral01, lam, max, real};
//! use smoothish::prelude::*;
//!
//! let slope = Session::new().enclose(r"deriv (\c => integral01 (\x => max 0 (x - c))) 0.6", 1e-9)?;
//! // (1 − c)²/2 has the derivative c − 1, whatever the kink does
//! assert!(slope.reached && slope.enclosure.contains(&decimal::parse("-0.4")?));
//!
//! let ramp = lam(|c: Expr<Real>| integral01(lam(|x: Expr<Real>| max(0, x - &c))));
//! assert!(deriv(ramp).apply(real!(0.6)).enclose(1e-9)?.enclosure.overlaps(&slope.enclosure));
//!
//! let kink = Map::<U1, U1>::id().relu().derivative().at([Rational::from(0)]);
//! let set = kink.enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
//! // Clarke's derivative at a kink is a set, and stays one
//! assert_eq!(set.components[0].enclosure.to_string(), "[0, 1]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to go
//!
//! | you have | you want | go to |
//! |---|---|---|
//! | a program as text | its value, its type | [`session`], [`syntax`] |
//! | | its value in another semantics | [`meaning`]; [`model`] to implement your own |
//! | a program in Rust, functions of functions included | the same | [`host`] |
//! | a map ℝⁿ → ℝᵐ in Rust | derivatives, ranges, Jacobians | [`smooth::map`](mod@smooth::map) |
//! | numbers | certified intervals at any precision | [`number`] |
//! | a derivative computed elsewhere | to test it | [`audit`] |
//! | a law | programs that refute it | [`theory`] in the language, [`law`](mod@law) in Rust, both behind the feature `laws` |
//! | a paper | its definitions, by name or number | `smoothish doc coend`, `smoothish doc S49`; [`cli::correspondence`](mod@cli::correspondence), [`refs`] |
//!
//! The command line is [`cli`](mod@cli), behind the feature `cli`. Pictures are in [`plot`](mod@plot), behind `plot`.
//! Laws are behind `laws`. With `default-features = false` the library needs neither a terminal nor a renderer, and
//! compiles no law.
//!
//! # The layers
//!
//! This crate re-exports the crates below. Each can be used alone: `smoothish-ad` for certified derivatives of maps,
//! `smoothish-number` for intervals. A layer imports only layers above it in this table.
//!
//! | crate | layer | holds | paper |
//! |---|---|---|---|
//! | `smoothish-number` | [`refs`], [`verdict`], [`parallel`] | the bibliography; the outcome of a law; threads | |
//! | | [`function`], [`number`] | elementary functions; enclosures, interval arithmetic, computable reals | S §4.1, §6 |
//! | `smoothish-syntax` | [`syntax`] | types, terms, parser, printer | S §3, H §5 |
//! | `smoothish-ad` | [`category`] | interfaces of categories | |
//! | | [`smooth`] | smoothish maps: graphs, jets, the literal towers; integrals, roots and optima | S §4, §5.2 |
//! | | [`pieces`] | piecewise analytic functions, intensional derivatives | W §2.1 |
//! | `smoothish-spaces` | [`value`] | values of programs, over any representation of real numbers | |
//! | | [`presheaf`] | functions of functions, tangents | S §5 |
//! | | [`diffeology`] | sets with plots, manifolds, gluing | H §4 |
//! | `smoothish-semantics` | [`model`], [`meaning`] | presheaves, towers, floating-point, the Taylor macro | S Fig. 6, H §3, §5 |
//! | `smoothish-measure` | [`measure`], [`sampler`] | probabilistic programs: constants, means; samplers and their tests | W §4 |
//! | `smoothish-trace` | [`trace`] | operational semantics: traces of programs, and their derivatives | A §2, §3, §6.2 |
//! | `smoothish-theory` | [`theory`] | theories as texts | |
//! | `smoothish-edsl` | [`host`] | the language as Rust expressions | |
//! | `smoothish-plot` | [`plot`](mod@plot) | certified plots | |
//! | `smoothish-laws` | [`wrong`](mod@wrong) | mutants: each rule with a wrong one in its place | |
//! | | [`law`](mod@law), [`glue`](mod@glue), [`theory`] | laws on random programs; correctness of the macro | S §7, H §6, §7 |
//! | `smoothish` | [`session`], [`audit`] | questions about programs; tests of derivatives | |

#[doc(inline)]
pub use smoothish_ad::{pieces, smooth, undefined};
#[doc(inline)]
pub use smoothish_edsl::{host, real};
#[cfg(feature = "laws")]
#[doc(inline)]
pub use smoothish_laws::{glue, law, wrong};
#[doc(inline)]
pub use smoothish_measure::{measure, sampler};
#[doc(inline)]
pub use smoothish_number::{failure, function, number, parallel, refs, verdict};
#[doc(hidden)]
pub use smoothish_number::{random, stack};
#[cfg(feature = "plot")]
// Tests and benchmarks of this crate use these two; they are no part of its interface.
#[doc(inline)]
pub use smoothish_plot::plot;
#[doc(inline)]
pub use smoothish_semantics::{meaning, model};
#[doc(inline)]
pub use smoothish_spaces::{diffeology, presheaf, value};
#[doc(inline)]
pub use smoothish_trace::trace;

pub mod audit;
#[cfg(doctest)]
pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
pub mod prelude;
pub mod session;
pub mod theory;

/// Interfaces of categories, and the interpretation of simple types in them.
pub mod category {
    #[doc(inline)]
    pub use smoothish_ad::category::*;
    #[doc(inline)]
    pub use smoothish_semantics::simple;
}

/// The language: source texts, types, terms, and the category of programs.
pub mod syntax {
    #[doc(inline)]
    pub use smoothish_semantics::simple as category;
    #[doc(inline)]
    pub use smoothish_syntax::syntax::*;
}
