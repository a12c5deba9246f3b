//! Diffeological spaces (H Def. 4.1), as a trait.
//!
//! A plot is given as a *candidate*: a function U → X with its domain. [`test_plot`](Diffeology::test_plot) tests whether
//! the candidate is a plot. The axioms are therefore statements that can fail, and tests of them refute a wrong space.
//! A [site](super::space) provides the domains and the covers.
//!
//! # Sites
//!
//! The sets on which plots are defined, the maps along which they are reparametrised, and the covers.
//!
//! | site | sets | maps | covers |
//! |---|---|---|---|
//! | [`OpenSetSite`] | opens of ℝⁿ | smooth maps | open covers |
//! | [`CAnalyticSite`](super::analytic::CAnalyticSite) | c-analytic sets | piecewise analytic maps | countable partitions (W §3.2) |
//!
//! A [`Diffeology`] is defined over a site, by default over [`OpenSetSite`].
//!
//! # Errors in the construction of open sets
//!
//! Errors in the construction of open sets, reparametrisations, covers and plots.

use super::DiffeologyVerdict;
use super::open::{OpenInterval, OpenSet, Reparametrisation};
use super::piecewise::PieceRegion;
use super::smoothness::rational_point;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Graph;
use crate::smooth::map::{MapError, MapTestConfig};
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::fmt;

/// The largest number of plots in a family that is glued. A choice: all pairs of plots are compared.
pub const MAX_GLUED_PLOTS: usize = 128;

/// A diffeological space.
///
/// | law | equation |
/// |---|---|
/// | constants | `constant_plot(U, x)` is a plot, and x at every point |
/// | reparametrisation | `reparametrise(f, p)` is a plot, with `value_at(f;p, v) = value_at(p, f(v))` |
/// | functoriality | `id;p = p`, `(g;f);p = g;(f;p)` |
/// | gluing | `glue(U, (pᵢ))` is a plot, and restricts to each pᵢ |
/// | concreteness | `p = q` where `value_at(p, u) = value_at(q, u)` for all u: a plot is the function |
#[doc(alias("diffeological space", "diffeology"))]
pub trait Diffeology<S: Site = OpenSetSite>: Clone + Send + Sync + 'static {
    /// The elements of the set X.
    type Point: Clone + Send + Sync;
    /// Functions U → X with their domains. They need not be plots.
    type Plot: Clone + Send + Sync;

    /// Returns the domain U of a plot.
    fn plot_domain(&self, plot: &Self::Plot) -> S::Domain;

    /// Returns the constant function with value `x`.
    fn constant_plot(&self, domain: &S::Domain, x: &Self::Point) -> Self::Plot;

    /// Returns the reparametrisation `f;p : V → X`, for f : V → U.
    fn reparametrise(&self, along: &S::Map, plot: &Self::Plot) -> Self::Plot;

    /// Returns the function that equals each given function on its region. A given function need not be defined
    /// elsewhere.
    fn glue_pieces(&self, domain: &S::Domain, pieces: Vec<(S::Part, Self::Plot)>) -> Self::Plot;

    /// Evaluates a plot at a point u of U. Real numbers are closed graphs.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if u has another dimension than U.
    /// - [`DiffeologyError::NoPiece`] if u is not known to lie in U.
    /// - The errors of evaluation.
    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError>;

    /// Compares two points as far as they can be observed.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict;

    /// Tests whether a function is a plot. Only a certain fault refutes; the verdict is vacuous if the property is
    /// merely not shown.
    ///
    /// # Errors
    /// The errors of evaluation.
    #[doc(alias("plot", "plots"))]
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict;

    /// Draws a point.
    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point;

    /// Draws a plot with the given domain.
    fn draw_plot(&self, domain: &S::Domain, random: &mut SplitMix64) -> Self::Plot;

    /// Returns the composite of a plot with a smooth function X → ℝ, as pieces. `which` selects the function, so that
    /// functions on X can be drawn. The default function is constant.
    fn observe_plot(&self, _which: u64, _plot: &Self::Plot) -> Vec<(S::Part, Graph)> {
        vec![(S::whole_part(), Graph::integer(0))]
    }

    /// Formats a point for people.
    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String;

    /// Glues a compatible family over a cover of U to a plot (the third axiom).
    ///
    /// # Errors
    /// - [`DiffeologyError::NotCovered`], with a point of U outside of all domains.
    /// - [`DiffeologyError::Incompatible`], with a point where two plots certainly differ, and both values.
    /// - [`DiffeologyError::TooManyParts`] for more than [`MAX_GLUED_PLOTS`] plots.
    /// - The errors of the site and of evaluation.
    fn glue(
        &self,
        whole: &S::Domain,
        family: &[Self::Plot],
        trial: &MapTestConfig,
    ) -> Result<Self::Plot, DiffeologyError> {
        if family.len() > MAX_GLUED_PLOTS {
            return Err(DiffeologyError::TooManyParts { found: family.len(), most: MAX_GLUED_PLOTS });
        }
        let domains: Vec<S::Domain> = family.iter().map(|plot| self.plot_domain(plot)).collect();
        if let Some(point) = S::find_uncovered_point(whole, &domains)? {
            return Err(DiffeologyError::NotCovered { whole: whole.to_string(), point });
        }
        let mut random = SplitMix64::new(trial.seed);
        for (second, q) in family.iter().enumerate() {
            for (first, p) in family[..second].iter().enumerate() {
                // Parts of the domains beyond U do not matter for the glued plot.
                let both = S::intersection(&S::intersection(whole, &domains[first])?, &domains[second])?;
                for point in S::sample_points(&both, &mut random, trial.sample_points as usize) {
                    let u = rational_point(&point);
                    let (x, y) = (self.value_at(p, &u, trial)?, self.value_at(q, &u, trial)?);
                    // Only a certain difference is an error; plots that are not shown equal are glued.
                    if let Verdict::Refuted { left, right, .. } = self.compare_points(&x, &y, trial)? {
                        return Err(DiffeologyError::Incompatible { first, second, point, left, right });
                    }
                }
            }
        }
        let pieces = domains.iter().map(S::as_part).zip(family.iter().cloned());
        Ok(self.glue_pieces(whole, pieces.collect()))
    }
}

/// A set, with parts that cover it.
pub type DomainWithCover<D> = (D, Vec<D>);

/// A category of domains with covers, over which plots are defined.
pub trait Site: Clone + fmt::Debug + Send + Sync + 'static {
    /// The sets U on which plots are defined.
    type Domain: Clone + fmt::Debug + fmt::Display + Send + Sync + 'static;
    /// The maps V → U.
    type Map: Clone + fmt::Debug + Send + Sync + 'static;
    /// A region of a domain, as the place of a piece of a function.
    type Part: Clone + fmt::Debug + Send + Sync + 'static;

    /// Returns the domain V of a map V → U.
    fn map_domain(f: &Self::Map) -> &Self::Domain;
    /// Evaluates a map at a point v of V. Real numbers are closed graphs.
    ///
    /// # Errors
    /// [`DiffeologyError::NoPiece`] if v is not known to lie in V; the errors of evaluation.
    fn value_at(f: &Self::Map, v: &[Graph], trial: &MapTestConfig) -> Result<Vec<Graph>, DiffeologyError>;
    /// Returns `id : U → U`.
    fn identity_map(of: &Self::Domain) -> Self::Map;
    /// Returns the inclusion of V in U.
    ///
    /// # Errors
    /// [`DiffeologyError::NotCovered`] if a point of V does not lie in U.
    fn inclusion_map(of: &Self::Domain, to: &Self::Domain) -> Result<Self::Map, DiffeologyError>;
    /// Returns the constant map to `point`, which must lie in U.
    fn constant_map(from: &Self::Domain, to: &Self::Domain, point: &[Graph]) -> Self::Map;
    /// Returns the composite `f;g`.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the dimensions do not match.
    fn compose_maps(f: &Self::Map, g: &Self::Map) -> Result<Self::Map, DiffeologyError>;

    /// Returns ℝ⁰.
    fn point_domain() -> Self::Domain;
    /// Returns sample points of a set.
    fn sample_points(domain: &Self::Domain, random: &mut SplitMix64, count: usize) -> Vec<Vec<Rational>>;
    /// Searches for a point of a set that lies in none of the sets of `draw_cover`. Returns `None` if no such point is
    /// found.
    ///
    /// # Errors
    /// The errors of the operations on sets.
    fn find_uncovered_point(
        whole: &Self::Domain,
        cover: &[Self::Domain],
    ) -> Result<Option<Vec<Rational>>, DiffeologyError>;
    /// Compares the points of two sets. Returns `true` if no point is found that lies in one of them only.
    ///
    /// # Errors
    /// The errors of the operations on sets.
    fn is_same_set(a: &Self::Domain, b: &Self::Domain) -> Result<bool, DiffeologyError> {
        let within = |a, b| Ok::<_, DiffeologyError>(Self::find_uncovered_point(a, std::slice::from_ref(b))?.is_none());
        Ok(within(a, b)? && within(b, a)?)
    }
    /// Returns the intersection of two sets.
    ///
    /// # Errors
    /// The errors of the operations on sets.
    fn intersection(a: &Self::Domain, b: &Self::Domain) -> Result<Self::Domain, DiffeologyError>;
    /// Returns a set as a region.
    fn as_part(domain: &Self::Domain) -> Self::Part;
    /// Returns the region without conditions.
    fn whole_part() -> Self::Part;

    /// Draws a set.
    fn draw_domain(random: &mut SplitMix64) -> Self::Domain;
    /// Draws a map. Returns `None` if there is no map.
    fn draw_map(random: &mut SplitMix64, from: &Self::Domain, to: &Self::Domain) -> Option<Self::Map>;
    /// Returns sets that cover `whole`.
    ///
    /// # Errors
    /// The errors of the operations on sets.
    fn draw_cover(whole: &Self::Domain, random: &mut SplitMix64) -> Result<Vec<Self::Domain>, DiffeologyError>;
    /// Draws a set with disjoint parts that cover it.
    ///
    /// # Errors
    /// The errors of the operations on sets.
    fn draw_partition(random: &mut SplitMix64) -> Result<DomainWithCover<Self::Domain>, DiffeologyError>;
}

/// The site of the open subsets of ℝⁿ, with smooth maps and open covers (H Def. 4.1).
#[derive(Clone, Copy, Debug)]
pub struct OpenSetSite;

impl Site for OpenSetSite {
    type Domain = OpenSet;
    type Map = Reparametrisation;
    type Part = PieceRegion;

    fn map_domain(f: &Reparametrisation) -> &OpenSet {
        f.domain()
    }
    fn value_at(f: &Reparametrisation, v: &[Graph], _: &MapTestConfig) -> Result<Vec<Graph>, DiffeologyError> {
        Ok(f.value_at(v))
    }
    fn identity_map(of: &OpenSet) -> Reparametrisation {
        Reparametrisation::identity(of)
    }
    fn inclusion_map(of: &OpenSet, to: &OpenSet) -> Result<Reparametrisation, DiffeologyError> {
        Reparametrisation::inclusion(of, to)
    }
    fn constant_map(from: &OpenSet, to: &OpenSet, point: &[Graph]) -> Reparametrisation {
        Reparametrisation::constant_map(from, to, point)
    }
    fn compose_maps(f: &Reparametrisation, g: &Reparametrisation) -> Result<Reparametrisation, DiffeologyError> {
        f.then(g)
    }

    fn point_domain() -> OpenSet {
        OpenSet::whole_space(0)
    }
    fn sample_points(domain: &OpenSet, random: &mut SplitMix64, count: usize) -> Vec<Vec<Rational>> {
        domain.sample_points(random, count)
    }
    fn find_uncovered_point(whole: &OpenSet, cover: &[OpenSet]) -> Result<Option<Vec<Rational>>, DiffeologyError> {
        whole.find_uncovered_point(cover)
    }
    fn is_same_set(a: &OpenSet, b: &OpenSet) -> Result<bool, DiffeologyError> {
        a.is_same_set(b)
    }
    fn intersection(a: &OpenSet, b: &OpenSet) -> Result<OpenSet, DiffeologyError> {
        a.intersection(b)
    }
    fn as_part(domain: &OpenSet) -> PieceRegion {
        PieceRegion::of_open_set(domain)
    }
    fn whole_part() -> PieceRegion {
        PieceRegion::without_conditions()
    }

    fn draw_domain(random: &mut SplitMix64) -> OpenSet {
        OpenSet::draw_set(random)
    }
    fn draw_map(random: &mut SplitMix64, from: &OpenSet, to: &OpenSet) -> Option<Reparametrisation> {
        Reparametrisation::draw_map(random, from, to)
    }
    /// Returns two sets that overlap: the points whose first coordinate is below 1, and those where it is above 0. A
    /// set in ℝ⁰ covers itself.
    fn draw_cover(whole: &OpenSet, _: &mut SplitMix64) -> Result<Vec<OpenSet>, DiffeologyError> {
        // A point cannot be cut.
        let Some(rest) = whole.dimension().checked_sub(1) else { return Ok(vec![whole.clone()]) };
        let half = |first: OpenInterval| {
            let sides = std::iter::once(first).chain(std::iter::repeat_n(OpenInterval::real_line(), rest)).collect();
            whole.intersection(&OpenSet::from_box(sides))
        };
        Ok(vec![half(OpenInterval::ray_below(1))?, half(OpenInterval::ray_above(0))?])
    }
    /// Returns the line without 0, with its negative and its positive half.
    fn draw_partition(_: &mut SplitMix64) -> Result<DomainWithCover<OpenSet>, DiffeologyError> {
        let parts = [OpenInterval::ray_below(0), OpenInterval::ray_above(0)].map(|side| OpenSet::from_box(vec![side]));
        Ok((parts[0].union(&parts[1])?, parts.into()))
    }
}

/// An error of the layer of diffeological spaces.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiffeologyError {
    /// An item has the wrong dimension.
    #[error("{what} has dimension {found}, but {expected} is needed here")]
    Dimension {
        /// The item, as a noun phrase.
        what: &'static str,
        /// The dimension that is required.
        expected: usize,
        /// The dimension of the item.
        found: usize,
    },
    /// An open set has too many pieces.
    #[error("an open set of {found} pieces is too large: there may be {most}; use fewer and larger boxes or balls")]
    TooManyBoxes {
        /// The number of pieces, as far as they were built.
        found: usize,
        /// The largest number of pieces.
        most: usize,
    },
    /// The endpoints of a cover cut space into too many cells.
    #[error(
        "the ends of the cover cut space into too many cells: cells times boxes may be {most}; use fewer boxes, or boxes \
         with common ends"
    )]
    TooManyCells {
        /// The largest product of the number of cells and the number of boxes.
        most: usize,
    },
    /// A piece of an open set has too many balls.
    #[error(
        "a piece of an open set with {found} balls is too large: there may be {most}; leave out balls that contain another"
    )]
    TooManyBalls {
        /// The number of balls.
        found: usize,
        /// The largest number of balls.
        most: usize,
    },
    /// Subdivision did not decide a question about balls.
    #[error(
        "subdivision does not decide whether {question}: it is open near {}; rims that touch are not decided, so move or \
         enlarge a ball", format_rational_point(.near)
    )]
    NotDecided {
        /// The statement that is neither shown nor refuted.
        question: String,
        /// A point of a cell that is left.
        near: Vec<Rational>,
    },
    /// A map leaves the open set that should contain its values.
    #[error("the map should go into {to}, but at {at} it is {value}")]
    LeavesCodomain {
        /// The open set.
        to: String,
        /// The point where the map leaves the set.
        at: String,
        /// The value of the map at that point.
        value: String,
    },
    /// A map that should be smooth is certainly not smooth.
    #[error("the map should be smooth, but {witness}: {left} is not {right}")]
    NotSmooth {
        /// The point, the direction and the order of the derivative.
        witness: String,
        /// The Taylor coefficient from the left, or the value at the point.
        left: String,
        /// The Taylor coefficient from the right, or the limit.
        right: String,
    },
    /// A family has too many plots for a comparison of all pairs.
    #[error("a family of {found} plots is too large to glue: there may be {most}; glue some of them first")]
    TooManyParts {
        /// The number of plots.
        found: usize,
        /// The largest number of plots.
        most: usize,
    },
    /// The domains of a family of plots do not cover the whole set.
    #[error("the family does not cover {whole}: {} is in none of its domains", format_rational_point(.point))]
    NotCovered {
        /// The set that should be covered.
        whole: String,
        /// A point outside of all domains.
        point: Vec<Rational>,
    },
    /// Two plots of a family differ at a common point of their domains.
    #[error("plots {first} and {second} of the family differ at {}: {left} is not {right}", format_rational_point(.point))]
    Incompatible {
        /// The index of the first plot, from 0.
        first: usize,
        /// The index of the second plot, from 0.
        second: usize,
        /// A point of both domains.
        point: Vec<Rational>,
        /// The value of the first plot.
        left: String,
        /// The value of the second plot.
        right: String,
    },
    /// No piece of a function is known to contain a point. The point lies outside of the domain, or no piece could be
    /// decided.
    #[error("no piece of the function is known to contain {point}; ask at a point of its domain, or at an exact one")]
    NoPiece {
        /// The point.
        point: String,
    },
    /// The complement of the union of a family without an end, which need not be c-analytic.
    #[error(
        "no c-analytic set is known that is the complement of countably many analytic sets: {listed} of them leave sets that the others cut \
         further without an end, as the middle thirds leave Cantor's set, which is no countable union of points and intervals; give \
         finitely many sets, or the set itself as a union"
    )]
    CountableComplement {
        /// The number of sets that are listed.
        listed: usize,
    },
    /// Data of the wrong shape for a space, such as a plot of another summand or a tuple of the wrong length.
    #[error("expected {expected}, found {found}")]
    Shape {
        /// The shape that the space requires.
        expected: String,
        /// The shape that was found.
        found: String,
    },
    /// The construction or the evaluation of a map failed.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The evaluation of a value of the language failed.
    #[error(transparent)]
    Presheaf(#[from] ValueError),
}

impl DiffeologyError {
    /// Checks that a dimension is the expected one. `what` names the item in the error.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if it is not.
    pub fn check_dimension(what: &'static str, expected: usize, found: usize) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self::Dimension { what, expected, found }) }
    }
}

impl From<SmoothError> for DiffeologyError {
    fn from(error: SmoothError) -> Self {
        Self::Map(error.into())
    }
}

/// Formats a point as a tuple of its coordinates.
#[must_use]
pub fn format_rational_point(point: &[Rational]) -> String {
    format!("({})", point.iter().map(Rational::to_string).collect::<Vec<_>>().join(", "))
}
