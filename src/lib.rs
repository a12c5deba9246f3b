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
//! | a law | programs that refute it | [`theory`] in the language, [`law`](mod@law) and [`arbitrary`](mod@arbitrary) in Rust, all behind the feature `laws` |
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
//! | | [`law`](mod@law), [`arbitrary`](mod@arbitrary), [`glue`](mod@glue), [`theory`] | laws on random programs; arguments of properties; correctness of the macro | S §7, H §6, §7 |
//! | `smoothish` | [`session`], [`audit`] | questions about programs; tests of derivatives | |

#[doc(inline)]
pub use smoothish_ad::{pieces, smooth, undefined};
#[doc(inline)]
pub use smoothish_edsl::{host, real};
#[cfg(feature = "laws")]
#[doc(inline)]
pub use smoothish_laws::{arbitrary, law, wrong};
#[doc(inline)]
pub use smoothish_measure::{measure, sampler};
#[doc(hidden)]
pub use smoothish_number::stack;
#[doc(inline)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, verdict};
#[cfg(feature = "plot")]
// Tests and benchmarks of this crate use these two; they are no part of its interface.
#[doc(inline)]
pub use smoothish_plot::plot;
#[doc(inline)]
pub use smoothish_semantics::{meaning, model};
#[doc(inline)]
pub use smoothish_spaces::value;
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

    /// The imports of a category of one's own and its laws: `use smoothish::category::prelude::*;`.
    pub mod prelude {
        #[cfg(feature = "laws")]
        pub use crate::law::category::{
            DrawArrow, DrawValue, NamedVerdicts, bicartesian_closed_suite, check_bicartesian_closed, check_products,
            functor_composition, functor_identity, naturality, product_suite,
        };
        pub use crate::prelude::{Rational, U1, U2, U3};
        pub use crate::random::SplitMix64;
        pub use crate::smooth::dimension::{Dim, MapEnd, ZeroSpace};
        pub use crate::verdict::Verdict;
        pub use smoothish_ad::category::value::{
            ArrowError, ArrowResult, DecidableArrows, Size, Typed, ValueCartesian, ValueCategory, ValueClosed,
            ValueCocartesian, ValueLists, ValueSetoid,
        };
        pub use smoothish_ad::category::{
            Arrow, Cartesian, CartesianClosed, Category, Cocartesian, Functor, Hom, Iso, Lists, NaturalTransformation,
            ObjectName, Setoid,
        };
    }
}

/// Presheaves over smoothish maps: products, sums, exponentials, and tangents as a coend.
pub mod presheaf {
    #[doc(inline)]
    pub use smoothish_spaces::presheaf::*;

    /// The imports of a presheaf of one's own and its laws: `use smoothish::presheaf::prelude::*;`.
    ///
    /// ```
    /// use smoothish::presheaf::prelude::*;
    ///
    /// /// A sum of squares, as its summands. A type with a stage for its parameter derives `Clone` and `Debug`.
    /// #[derive(Clone, Debug)]
    /// struct Squares<G>(Vec<Map<G, U1>>);
    ///
    /// enum SumOfSquares {}
    ///
    /// impl Presheaf for SumOfSquares {
    ///     type At<G: MapEnd> = Squares<G>;
    ///
    ///     fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Squares<G>) -> Squares<D> {
    ///         Squares(x.0.iter().map(|summand| along.then(summand)).collect())
    ///     }
    /// }
    ///
    /// impl Observe for SumOfSquares {
    ///     fn compare_elements<G: MapEnd>(
    ///         space: &Space<G>,
    ///         left: &Squares<G>,
    ///         right: &Squares<G>,
    ///         trial: &MapTestConfig,
    ///     ) -> PresheafVerdict {
    ///         let sum = |x: &Squares<G>| x.0.iter().fold(space.constant(0), |sum, summand| sum + summand * summand);
    ///         RealPresheaf::compare_elements(space, &sum(left), &sum(right), trial)
    ///     }
    /// }
    ///
    /// impl SampleElements for SumOfSquares {
    ///     fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Squares<G> {
    ///         Squares((0..2).map(|_| draw_real_map(random, space)).collect())
    ///     }
    /// }
    ///
    /// let verdict = check_presheaf::<SumOfSquares>(&SampleSettings::default())?;
    /// assert_eq!(verdict, Verdict::Survived);
    /// # Ok::<(), MapError>(())
    /// ```
    pub mod prelude {
        #[cfg(feature = "laws")]
        pub use crate::law::presheaf::{
            SampleSettings, check_exponential, check_isomorphism, check_presheaf, check_representatives,
            check_tangent_functor, check_tangents, exponential_suite, presheaf_suite,
        };
        pub use crate::prelude::{Rational, U1, U2, U3};
        pub use crate::random::SplitMix64;
        pub use crate::smooth::dimension::{Dim, MapEnd, ZeroSpace};
        pub use crate::smooth::map::{Map, MapError, MapTestConfig, Space, coordinates};
        pub use crate::verdict::Verdict;
        pub use smoothish_spaces::presheaf::coend::{
            CoendTangent, PresheafIso, TanPresheaf, lan_representable, tangent_map, tangent_prod, tangent_r,
            tangent_to_r,
        };
        pub use smoothish_spaces::presheaf::exponential::{
            ExponentialElement, ExponentialPresheaf, NaturalFamily, PresheafTransformation,
        };
        pub use smoothish_spaces::presheaf::observe::{
            Observe, PresheafVerdict, SampleElements, draw_map, draw_real_map,
        };
        pub use smoothish_spaces::presheaf::{
            ElementAt, Presheaf, ProductPresheaf, RealPresheaf, Representable, Stage, SumElement, SumPresheaf, Terminal,
        };
    }
}

/// Sets with plots: Cartesian spaces, products, functions, subspaces, quotients, and manifolds.
pub mod diffeology {
    #[doc(inline)]
    pub use smoothish_spaces::diffeology::*;

    /// The imports of a space of one's own and its axioms: `use smoothish::diffeology::prelude::*;`.
    ///
    /// ```
    /// use smoothish::diffeology::prelude::*;
    ///
    /// // x² − y³ as a graph, by operators
    /// let (x, y) = (Variable::fresh(), Variable::fresh());
    /// let (gx, gy) = (Graph::variable(x), Graph::variable(y));
    /// let cusp = &gx * &gx - &gy * &gy * &gy;
    /// assert!(cusp.depends_on(x) && cusp.depends_on(y));
    /// let line = CartesianDiffeology::whole_space(1);
    /// let verdicts = check_space(&line, &default_samples())?;
    /// assert_eq!(verdicts.verdict(), Verdict::Survived);
    /// # Ok::<(), DiffeologyError>(())
    /// ```
    pub mod prelude {
        #[cfg(feature = "laws")]
        pub use crate::law::diffeology::{
            AxiomVerdicts, check_closed, check_space, closed_suite, default_samples, space_suite,
        };
        pub use crate::prelude::{Rational, U1, U2, U3};
        pub use crate::random::SplitMix64;
        pub use crate::smooth::graph::{Binary, Graph, Unary, Variable};
        pub use crate::smooth::map::MapTestConfig;
        pub use crate::verdict::Verdict;
        pub use smoothish_spaces::diffeology::manifold::{Atlas, Manifold};
        pub use smoothish_spaces::diffeology::map::{AnyPlot, AnySpace, FunctionSpace, SmoothMap, Spaces};
        pub use smoothish_spaces::diffeology::open::{OpenInterval, OpenSet, Reparametrisation};
        pub use smoothish_spaces::diffeology::product::{
            CartesianDiffeology, CartesianPlot, ListDiffeology, ProductDiffeology, SumDiffeology,
        };
        pub use smoothish_spaces::diffeology::quotient::{EquivalenceRelation, QuotientDiffeology};
        pub use smoothish_spaces::diffeology::subspace::{Subset, Subspace, ZeroSet};
        pub use smoothish_spaces::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
    }
}

/// The gluing of diffeological spaces over a relation, and the theorems about the Taylor macro that it proves.
#[cfg(feature = "laws")]
pub mod glue {
    #[doc(inline)]
    pub use smoothish_laws::glue::*;

    /// The imports of a relation of one's own and its theorems: `use smoothish::glue::prelude::*;`.
    ///
    /// ```
    /// use smoothish::glue::prelude::*;
    ///
    /// // a relation by values alone does not determine the second plot
    /// #[derive(Debug)]
    /// struct ValuesAlone;
    /// impl RelationClauses for ValuesAlone {
    ///     fn argument_count(&self) -> usize {
    ///         0
    ///     }
    /// }
    /// let setting = GluingSetup { relation: Some(&ValuesAlone), ..GluingSetup::STANDARD };
    /// let at = determination(setting).refuted_at(&TheoremTestConfig::new(100, 1))?;
    /// assert!(at.is_some());
    /// # Ok::<(), GlueError>(())
    /// ```
    pub mod prelude {
        pub use crate::meaning::taylor::functor::{DefaultTaylorHooks, TaylorHooks};
        pub use crate::meaning::taylor::partial::SmoothOperation;
        pub use crate::prelude::{Rational, U1, U2, U3};
        pub use crate::presheaf::dynamic::Element;
        pub use crate::random::SplitMix64;
        pub use crate::smooth::graph::{Binary, Graph, Unary, Variable};
        pub use crate::syntax::library::Library;
        pub use crate::syntax::ty::{Ty, TyKind};
        pub use crate::value::ValueError;
        pub use crate::verdict::Verdict;
        pub use smoothish_laws::glue::GlueError;
        pub use smoothish_laws::glue::claim::{ClaimSet, DerivativeClaim};
        pub use smoothish_laws::glue::evaluation::{PlotPair, PlotScope};
        pub use smoothish_laws::glue::lemma::{
            GluingSetup, determination, determination_at, fundamental_lemma, related_pairs, theorem_3,
        };
        pub use smoothish_laws::glue::object::{
            GluingObject, PairSampler, PaperClauses, PlotRelation, RelationClauses,
        };
        pub use smoothish_laws::glue::points::{
            Glue, GluedObject, ListPoints, PairsOfPlots, PointClauses, PointPredicate, Points, PointsResult, SumPoints,
            check_closed_arrows, check_points,
        };
        pub use smoothish_laws::glue::representation::{Representation, RepresentationFamily};
        pub use smoothish_laws::glue::rows::{RowRepresentation, RowRules};
        pub use smoothish_laws::glue::theorems::{Theorem, find_theorem};
        pub use smoothish_laws::glue::trial::{
            BasisRange, TheoremOutcome, TheoremSample, TheoremTest, TheoremTestConfig,
        };
    }
}

/// The language: source texts, types, terms, and the category of programs.
pub mod syntax {
    #[doc(inline)]
    pub use smoothish_semantics::simple as category;
    #[doc(inline)]
    pub use smoothish_syntax::syntax::*;
}
