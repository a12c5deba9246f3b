//! Laws that connect the semantics of programs, and random programs to test them on.
//!
//! A law states that two ways of computing a thing agree. The ways are the precisions, the solvers with and without their
//! optimisations, the reference tower, and the different semantics. The programs are random well-typed terms. Two
//! enclosures of one number agree if they have a point in common.
//!
//! | chapter | content |
//! |---|---|
//! | [`term`] | typed terms, which the shrinker takes apart and which print as programs; shrinking: smaller terms with the same fault |
//! | [`generate`] | random well-typed programs; those of the laws of A, W and P, with an oracle |
//! | [`path`] | the paths to a number: one program evaluated by different means |
//! | [`float`](mod@float) | estimates in plain floating-point arithmetic, as an external oracle |
//! | [`campaign`] | the differential campaign: random programs along every path |
//! | [`gradient`](mod@gradient) | the cheap gradient principle |
//! | [`graphs`] | random dyadic points; random maps and their shrinking |
//! | [`property`] | laws quantified over terms, run by quickcheck; equality of two programs as a law; the variables that a law quantifies over: types, conditions, constructors |
//! | [`category`] | the laws of categories, functors and natural transformations; the laws of restriction categories, their joins and derivatives, and of chains |
//! | [`conditions`] | where operations have values and are analytic: the table against numbers, jets and doubles |
//! | [`derived`] | derived programs with roots, optima and kinks |
//! | [`consistency`] | consistency of the towers of programs of ground type |
//! | [`clauses`] | the printed clauses of integrals, roots and optima, as towers, against the presheaf model |
//! | [`first_order`] | the clauses of the first-order language against the presheaf model |
//! | [`presheaf`] | the laws of presheaves, exponentials and tangents |
//! | [`diffeology`] | the axioms of diffeological spaces, smooth maps, and the language in them |
//! | [`trace`] | the theorems of A on its operational semantics |
//! | [`pap`] | the theorems of W on programs in pieces |
//! | [`measure`] | masses and means of probabilistic programs, against samples and quadrature; changes of variables |
//! | [`sampler`] | samplers, by their z-scores |
//! | [`partial`] | the theorems of A on its denotational semantics, and its adequacy |
//! | [`adequacy`] | adequacy on many programs, and the number of samples until a wrong rule is refuted |
//! | [`features`] | the features of each semantics and of each paper's language |
//! | [`fuzz`] | fuzzing with hostile texts |
//! | [`agreement`] | comparison of the answers of several semantics to one program |
pub mod adequacy;
pub mod agreement;
pub mod campaign;
pub mod category;
pub mod clauses;
pub mod conditions;
pub mod consistency;
pub mod derived;
pub mod diffeology;
pub mod features;
pub mod first_order;
pub mod float;
pub mod functor;
pub mod fuzz;
pub mod generate;
pub mod gradient;
pub mod graphs;
pub mod measure;
pub mod pap;
pub mod partial;
pub mod path;
pub mod presheaf;
pub mod property;
pub mod sampler;
pub mod term;
pub mod theorem;
pub mod trace;

/// The version of quickcheck in which laws are run, for tests of one's own.
#[doc(no_inline)]
pub use quickcheck;
