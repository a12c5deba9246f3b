//! Sites: the sets on which plots are defined, the maps along which they are reparametrised, and the covers.
//!
//! | site | sets | maps | covers |
//! |---|---|---|---|
//! | [`Opens`] | opens of ℝⁿ | smooth maps | open covers |
//! | [`CAnalytic`](super::analytic::CAnalytic) | c-analytic sets | piecewise analytic maps | countable partitions (W §3.2) |
//!
//! A [`Diffeology`](super::Diffeology) is defined over a site, by default over [`Opens`].

use super::error::DiffeologyError;
use super::open::{Interval, Open};
use super::region::Region;
use super::reparametrisation::Reparametrisation;
use crate::number::Rational;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use std::fmt;

/// A set, with parts that cover it.
pub type Covered<D> = (D, Vec<D>);

/// A category of domains with covers, over which plots are defined.
pub trait Site: Clone + fmt::Debug + Send + Sync + 'static {
    /// The sets U on which plots are defined.
    type Domain: Clone + fmt::Debug + fmt::Display + Send + Sync + 'static;
    /// The maps V → U.
    type Map: Clone + fmt::Debug + Send + Sync + 'static;
    /// A region of a domain, as the place of a piece of a function.
    type Part: Clone + fmt::Debug + Send + Sync + 'static;

    /// Returns the domain V of a map V → U.
    fn source(f: &Self::Map) -> &Self::Domain;
    /// Evaluates a map at a point v of V. Real numbers are closed graphs.
    ///
    /// # Errors
    /// [`DiffeologyError::NoPiece`] if v is not known to lie in V; the errors of evaluation.
    fn at(f: &Self::Map, v: &[Graph], trial: &Trial) -> Result<Vec<Graph>, DiffeologyError>;
    /// Returns `id : U → U`.
    fn identity(of: &Self::Domain) -> Self::Map;
    /// Returns the inclusion of V in U.
    ///
    /// # Errors
    /// [`DiffeologyError::NotCovered`] if a point of V does not lie in U.
    fn inclusion(of: &Self::Domain, to: &Self::Domain) -> Result<Self::Map, DiffeologyError>;
    /// Returns the constant map to `point`, which must lie in U.
    fn constant(from: &Self::Domain, to: &Self::Domain, point: &[Graph]) -> Self::Map;
    /// Returns the composite `f;g`.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the dimensions do not match.
    fn then(f: &Self::Map, g: &Self::Map) -> Result<Self::Map, DiffeologyError>;

    /// Returns ℝ⁰.
    fn point() -> Self::Domain;
    /// Returns sample points of a set.
    fn samples(domain: &Self::Domain, random: &mut Random, count: usize) -> Vec<Vec<Rational>>;
    /// Searches for a point of a set that lies in none of the sets of `cover`. Returns `None` if no such point is
    /// found.
    ///
    /// # Errors
    /// The errors of the operations on sets.
    fn uncovered(whole: &Self::Domain, cover: &[Self::Domain]) -> Result<Option<Vec<Rational>>, DiffeologyError>;
    /// Compares the points of two sets. Returns `true` if no point is found that lies in one of them only.
    ///
    /// # Errors
    /// The errors of the operations on sets.
    fn is_same(a: &Self::Domain, b: &Self::Domain) -> Result<bool, DiffeologyError> {
        let within = |a, b| Ok::<_, DiffeologyError>(Self::uncovered(a, std::slice::from_ref(b))?.is_none());
        Ok(within(a, b)? && within(b, a)?)
    }
    /// Returns the intersection of two sets.
    ///
    /// # Errors
    /// The errors of the operations on sets.
    fn intersection(a: &Self::Domain, b: &Self::Domain) -> Result<Self::Domain, DiffeologyError>;
    /// Returns a set as a region.
    fn part(domain: &Self::Domain) -> Self::Part;
    /// Returns the region without conditions.
    fn everything() -> Self::Part;

    /// Draws a set.
    fn draw(random: &mut Random) -> Self::Domain;
    /// Draws a map. Returns `None` if there is no map.
    fn draw_map(random: &mut Random, from: &Self::Domain, to: &Self::Domain) -> Option<Self::Map>;
    /// Returns sets that cover `whole`.
    ///
    /// # Errors
    /// The errors of the operations on sets.
    fn cover(whole: &Self::Domain, random: &mut Random) -> Result<Vec<Self::Domain>, DiffeologyError>;
    /// Draws a set with disjoint parts that cover it.
    ///
    /// # Errors
    /// The errors of the operations on sets.
    fn apart(random: &mut Random) -> Result<Covered<Self::Domain>, DiffeologyError>;
}

/// The site of the open subsets of ℝⁿ, with smooth maps and open covers (H Def. 4.1).
#[derive(Clone, Copy, Debug)]
pub struct Opens;

impl Site for Opens {
    type Domain = Open;
    type Map = Reparametrisation;
    type Part = Region;

    fn source(f: &Reparametrisation) -> &Open {
        f.from()
    }
    fn at(f: &Reparametrisation, v: &[Graph], _: &Trial) -> Result<Vec<Graph>, DiffeologyError> {
        Ok(f.at(v))
    }
    fn identity(of: &Open) -> Reparametrisation {
        Reparametrisation::identity(of)
    }
    fn inclusion(of: &Open, to: &Open) -> Result<Reparametrisation, DiffeologyError> {
        Reparametrisation::inclusion(of, to)
    }
    fn constant(from: &Open, to: &Open, point: &[Graph]) -> Reparametrisation {
        Reparametrisation::constant(from, to, point)
    }
    fn then(f: &Reparametrisation, g: &Reparametrisation) -> Result<Reparametrisation, DiffeologyError> {
        f.then(g)
    }

    fn point() -> Open {
        Open::whole(0)
    }
    fn samples(domain: &Open, random: &mut Random, count: usize) -> Vec<Vec<Rational>> {
        domain.samples(random, count)
    }
    fn uncovered(whole: &Open, cover: &[Open]) -> Result<Option<Vec<Rational>>, DiffeologyError> {
        whole.uncovered(cover)
    }
    fn is_same(a: &Open, b: &Open) -> Result<bool, DiffeologyError> {
        a.is_same_set(b)
    }
    fn intersection(a: &Open, b: &Open) -> Result<Open, DiffeologyError> {
        a.intersection(b)
    }
    fn part(domain: &Open) -> Region {
        Region::within(domain)
    }
    fn everything() -> Region {
        Region::everything()
    }

    fn draw(random: &mut Random) -> Open {
        Open::draw(random)
    }
    fn draw_map(random: &mut Random, from: &Open, to: &Open) -> Option<Reparametrisation> {
        Reparametrisation::draw(random, from, to)
    }
    /// Returns two sets that overlap: the points whose first coordinate is below 1, and those where it is above 0. A
    /// set in ℝ⁰ covers itself.
    fn cover(whole: &Open, _: &mut Random) -> Result<Vec<Open>, DiffeologyError> {
        // A point cannot be cut.
        let Some(rest) = whole.dimension().checked_sub(1) else { return Ok(vec![whole.clone()]) };
        let half = |first: Interval| {
            let sides = std::iter::once(first).chain(std::iter::repeat_n(Interval::line(), rest)).collect();
            whole.intersection(&Open::cuboid(sides))
        };
        Ok(vec![half(Interval::below(1))?, half(Interval::above(0))?])
    }
    /// Returns the line without 0, with its negative and its positive half.
    fn apart(_: &mut Random) -> Result<Covered<Open>, DiffeologyError> {
        let parts = [Interval::below(0), Interval::above(0)].map(|side| Open::cuboid(vec![side]));
        Ok((parts[0].union(&parts[1])?, parts.into()))
    }
}
