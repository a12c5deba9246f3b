//! The semantics of differentiable programming, executable: values and derivatives of every order as intervals that
//! certainly contain them.
//!
//! A program is written once, and interpreted in any of the published semantics. Here `d/dc ∫₀¹ max(0, x − c) dx` is asked for in
//! three ways: as text, as a Rust expression, and as a map whose dimensions are types.
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
//! | | what another meaning says of it | [`meaning`]; [`model`] for a meaning of your own |
//! | a program in Rust, functions of functions included | the same | [`host`] |
//! | a map ℝⁿ → ℝᵐ in Rust | derivatives, ranges, Jacobians | [`smooth::map`](mod@smooth::map) |
//! | numbers | intervals that are never wrong, at any precision | [`number`] |
//! | a derivative computed elsewhere | whether it is right | [`audit`] |
//! | a law | programs that refute it | [`theory`] in the language, [`law`] in Rust |
//! | a paper | its definitions, by name | the table below, [`refs`] |
//!
//! The command line is [`cli`](mod@cli), behind the feature `cli`, its pictures [`plot`](mod@plot), behind `plot`. Without these,
//! `default-features = false`, the library needs neither a terminal nor a picture.
//!
//! # The map
//!
//! A layer imports only layers above it in this table.
//!
//! | layer | holds | paper |
//! |---|---|---|
//! | [`refs`], [`verdict`], [`category`], [`parallel`] | the bibliography; what a law answers; interfaces of categories; several threads | |
//! | [`number`] | enclosures, interval arithmetic at two precisions, numbers that can be asked | S §4.1, §6 |
//! | [`value`] | values of programs, whatever stands for a real number | |
//! | [`smooth`] | smoothish maps: graphs, jets, the literal towers; integrals, roots and optima | S §4, §5.2 |
//! | [`pieces`] | piecewise analytic functions, intensional derivatives | W §2.1 |
//! | [`presheaf`] | functions of functions, tangents | S §5 |
//! | [`diffeology`] | sets with plots, manifolds, gluing | H §4 |
//! | [`syntax`] | types, terms, what is read and printed | S §3, H §5 |
//! | [`model`], [`meaning`] | what a meaning is; presheaves, towers, floating-point numbers, the Taylor macro | S Fig. 6, H §3, §5 |
//! | [`measure`], [`sampler`] | programs that sample: masses, means, changes of variables; samplers that are judged by these | W §4 |
//! | [`trace`] | operational semantics: traces of programs, and their derivatives | A §2, §3, §6.2 |
//! | [`wrong`] | the same rules, each with a wrong one in its place | |
//! | [`host`] | the language as Rust expressions | |
//! | [`law`], [`glue`], [`theory`] | laws on random programs; why the macro is right; theories as texts | S §7, H §6, §7 |
//! | [`session`] | asking | |
//! | [`audit`] | whether a derivative is right | |

pub mod audit;
#[cfg(doctest)]
pub mod book;
pub mod category;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diffeology;
pub mod failure;
pub mod function;
pub mod glue;
pub mod host;
pub mod law;
pub mod meaning;
pub mod measure;
pub mod model;
pub mod number;
pub mod parallel;
pub mod pieces;
#[cfg(feature = "plot")]
pub mod plot;
pub mod prelude;
pub mod presheaf;
#[doc(hidden)]
pub mod random;
pub mod refs;
pub mod sampler;
pub mod session;
pub mod smooth;
#[doc(hidden)]
pub mod stack;
pub mod syntax;
pub mod theory;
pub mod trace;
pub mod value;
pub mod verdict;
pub mod wrong;
