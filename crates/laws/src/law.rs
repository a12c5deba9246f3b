//! Laws, and programs to try them on.
//!
//! A law says that two ways of computing a thing agree. Here the ways are the tiers, the solvers with and without their
//! shortcuts, and the reference tower; the programs are random well-typed terms; and the law is that enclosures of one
//! number meet.
//!
//! | chapter | what it holds |
//! |---|---|
//! | [`term`] | typed terms that can be taken apart, and printed as programs |
//! | [`generate`] | random well-typed programs |
//! | [`shrink`] | smaller terms with the same fault |
//! | [`path`] | the ways to a number |
//! | [`float`](mod@float) | plain floating-point arithmetic, as an oracle from outside |
//! | [`campaign`] | random programs along every path |
//! | [`gradient`](mod@gradient) | gradients cost no more than a few values |
//! | [`points`], [`graphs`] | random dyadic points, random maps, and smaller ones |
//! | [`property`], [`equation`] | laws quantified over terms, run by quickcheck; that two programs agree |
//! | [`sampling`] | what a law quantifies over: types, demands, constructors |
//! | [`category`] | the laws of categories, functors and natural transformations |
//! | [`restriction`] | those of restriction categories, their joins and derivatives, and of chains |
//! | [`consistency`] | programs of ground type have consistent towers |
//! | [`presheaf`] | the laws of presheaves, exponentials and tangents |
//! | [`diffeology`] | the axioms of diffeological spaces, smooth maps, and the language in them |
//! | [`trace`] | the theorems of A on its operational semantics |
//! | [`pap`] | the theorems of W on programs in pieces |
//! | [`measure`] | masses and means of programs that sample, against samples and quadrature; changes of variables |
//! | [`sampler`] | samplers, by their z-scores |
//! | [`partial`] | the theorems of A on its denotational semantics, and that it is adequate |
//! | [`adequacy`] | that at length, and how soon its laws notice wrong rules |
//! | [`features`] | what each meaning has, and the language of each paper |
//! | [`fuzz`] | hostile texts |
//! | [`agreement`] | what several meanings of one program say about each other |
pub mod adequacy;
pub mod agreement;
pub mod campaign;
pub mod category;
pub mod consistency;
pub mod diffeology;
pub mod equation;
pub mod features;
pub mod float;
pub mod fuzz;
pub mod generate;
pub mod gradient;
pub mod graphs;
pub mod measure;
pub mod pap;
pub mod partial;
pub mod path;
pub mod points;
pub mod presheaf;
pub mod property;
pub mod restriction;
pub mod sampler;
pub mod sampling;
pub mod shrink;
pub mod term;
pub mod trace;
