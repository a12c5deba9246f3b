//! Sites: the sets on which plots are defined, the maps along which they are reparametrised, and the covers.
//!
//! | site | sets | maps | covers |
//! |---|---|---|---|
//! | [`OpenSetSite`] | opens of ℝⁿ | smooth maps | open covers |
//! | [`CAnalyticSite`](super::analytic::CAnalyticSite) | c-analytic sets | piecewise analytic maps | countable partitions (W §3.2) |
//!
//! A [`Diffeology`](super::Diffeology) is defined over a site, by default over [`OpenSetSite`].

use super::error::DiffeologyError;
use super::open::{OpenInterval, OpenSet};
use super::region::PieceRegion;
use super::reparametrisation::Reparametrisation;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use std::fmt;

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
