//! Gluing: why the macro is right (H §6, §7).
//!
//! The category Gl_k has for objects triples (X, X′, S) of two spaces and a relation S between k-dimensional plots of X
//! and of X′, and for arrows pairs of maps that preserve S. Over the real numbers S relates a plot f to the plot of all its
//! derivatives of order at most R. The language has a meaning there; its first component is the meaning of programs, its
//! second the meaning of derived programs, and that it exists is what is to be proved of the macro.
//!
//! | module | H | |
//! |---|---|---|
//! | [`object`] | Thm 3, §6.2 | objects: how a pair of plots is refuted, and how related pairs are made |
//! | [`structure`] | Prop. 5 | reals, products, sums, lists and exponentials of objects |
//! | [`inductive`] | §5.1, Prop. 5 | declared types that occur in themselves |
//! | [`morphism`] | §6.2 | pairs of maps that preserve S |
//! | [`category`] | Prop. 5, §6.2 | that these are categories with structure, and operations are morphisms |
//! | [`instance`] | Prop. 5 | Gl_k as an instance of the interfaces, and functors from and to it |
//! | [`representation`] | (3) | Taylor representations by their definition: derivatives of plots at 0 |
//! | [`interpretation`] | §6.2 | ⦇−⦈, the meaning of the language in Gl_k |
//! | [`connectives`], [`pinned`] | Thm 3 | what S says at each type, and that this determines the second plot |
//! | [`lemma`] | Thm 3, (4) | the fundamental lemma, Theorem 3 and the diagram, of random programs |
//! | [`functor`] | §6.1, §6.2 | the diagram, the uniqueness of the functor, and the multiplication of jets |
//! | [`nested`] | §2.2, §7 | 𝒟_(1,1) nested, with derivatives of another origin |
//! | [`backwards`] | §8.2.3 | reverse mode under the same relation |
//! | [`jets`] | §6.3 | jets, their functor, Lemma 7 and Theorem 8 |
//! | [`evaluation`] | §7 | derivatives of evaluation: one that is printed and wrong, and two that are right |
//! | [`dual`] | W §3.3 | the same of programs in pieces: plots and their intensional dual numbers |
//! | [`theorems`] | – | all of these by name |
//! | [`noticed`] | – | which of them notices which wrong rule of the macro |
//! | [`stage`], [`claim`], [`judged`], [`scope`] | – | numbers at a point, what must hold of them, what becomes of that, what is drawn |
//! | [`transport`] | – | from what one macro makes of a type to what another one does |
//! | [`trial`], [`content`], [`change`] | – | how often, and what the programs that were drawn use |
//!
//! Everything here can only be refuted: on enclosures that are disjoint, at a point, in a coordinate.

pub mod backwards;
pub mod category;
pub mod change;
pub mod claim;
pub mod connectives;
pub mod content;
pub mod dual;
pub mod equality;
pub mod error;
pub mod evaluation;
pub mod functor;
pub mod inductive;
pub mod instance;
pub mod interpretation;
pub mod jets;
pub mod judged;
pub mod lemma;
pub mod morphism;
pub mod nested;
pub mod noticed;
pub mod object;
pub mod pinned;
pub mod representation;
pub mod scope;
pub mod stage;
pub mod structure;
pub mod theorems;
pub mod transport;
pub mod trial;

pub use error::GlueError;
