//! Logical relations: correctness of the Taylor macro by gluing (H §6, §7).
//!
//! An object of the category Gl_k is a triple (X, X′, S): two spaces and a relation S between k-dimensional plots of X
//! and of X′. An arrow is a pair of maps that preserves S. Over the real numbers, S relates a plot f to the plot of all
//! its derivatives of order at most R. The language has a semantics in Gl_k: its first component is the semantics of
//! programs, its second that of derived programs. Its existence is the correctness of the macro.
//!
//! The relation at real numbers is that of a [`Representation`](representation::Representation). Jets are one. With another macro and its own
//! relation the same proof is about intervals, complex steps or reverse mode.
//!
//! | module | H | |
//! |---|---|---|
//! | [`object`] | Thm 3, §6.2 | objects: refuting a pair of plots, and making related pairs; Prop. 5 | reals, products, sums, lists and exponentials of objects; §5.1, Prop. 5 | declared types that occur in themselves |
//! | [`morphism`] | §6.2 | pairs of maps that preserve S; Prop. 5, §6.2 | laws: these are categories with structure, and operations are morphisms; Prop. 5 | Gl_k as an instance of the interfaces, and functors from and to it |
//! | [`representation`] | (3) | representations of numbers; Taylor representations by their definition: derivatives of plots at 0; §6.1, §6.2 | the diagram, the uniqueness of the functor, and the multiplication of jets |
//! | [`instances`], [`rows`] | – | complex steps, intervals, error bounds, signs; a macro and its relation as rows of text |
//! | [`points`] | Prop. 5 | the same construction over any functor that keeps products: objects with a predicate on their points |
//! | [`interpretation`] | §6.2 | ⦇−⦈, the meaning of the language in Gl_k |
//! | [`object`], [`lemma`] | Thm 3 | the relation S at each type, and that it determines the second plot |
//! | [`lemma`] | Thm 3, (4) | the fundamental lemma, Theorem 3 and the diagram, of random programs |
//! | [`nested`] | §2.2, §7 | 𝒟_(1,1) nested, compared with derivatives computed otherwise; – | maps between the derived types of two macros |
//! | [`backwards`] | §8.2.3 | reverse mode, by a representation of its own |
//! | [`jets`] | §6.3 | jets, their functor, Lemma 7 and Theorem 8 |
//! | [`evaluation`] | §7 | derivatives of evaluation: one as printed, which is wrong, and two that are right |
//! | [`dual`] | W §3.3 | the same for piecewise programs: plots and their intensional dual numbers |
//! | [`theorems`] | – | the list of all these theorems by name |
//! | [`claim`] | – | the theorems that refute each mutant of the macro |
//! | [`claim`], [`trial`], [`evaluation`] | – | evaluation at a point, assertions, verdicts, random inputs |
//! | [`trial`] | – | test configuration, and statistics of the random programs |
//!
//! A theorem can only be refuted here: by disjoint enclosures, at a point, in a coordinate.
//!
//! A sample must be able to refute. Most random programs discard what they bind, and all of these pass. So terms
//! that [use every variable](crate::law::generate) are drawn on purpose, and a sample whose derivatives are all 0
//! is drawn again. A counterexample is shrunk in this order: k and R, the values beside the terms, the terms.

pub mod backwards;
pub mod claim;
pub mod dual;
pub mod equality;
pub mod evaluation;
pub mod instances;
pub mod interpretation;
pub mod jets;
pub mod lemma;
pub mod morphism;
pub mod nested;
pub mod object;
pub mod points;
pub mod representation;
pub mod rows;
pub mod theorems;
pub mod trial;

pub use claim::GlueError;
