//! Sites: on what sets plots are defined, along what they are reparametrised, and what covers.
//!
//! | site | sets | maps | covers |
//! |---|---|---|---|
//! | [`Opens`] | opens of ℝⁿ | smooth maps | open covers |
//! | [`CAnalytic`](super::analytic::CAnalytic) | c-analytic sets | piecewise analytic maps | countable partitions (W §3.2) |
//!
//! A [`Diffeology`](super::Diffeology) is one over a site; where none is named, it is [`Opens`].

use super::error::DiffeologyError;
use super::open::{Interval, Open};
use super::region::Region;
use super::reparametrisation::Reparametrisation;
use crate::number::Rational;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use std::fmt;

/// A set, and parts of it that cover it.
pub type Covered<D> = (D, Vec<D>);

/// A site.
pub trait Site: Clone + fmt::Debug + Send + Sync + 'static {
    /// The sets U on which plots are defined.
    type Domain: Clone + fmt::Debug + fmt::Display + Send + Sync + 'static;
    /// The maps V → U.
    type Map: Clone + fmt::Debug + Send + Sync + 'static;
    /// Where a piece of a function lies.
    type Part: Clone + fmt::Debug + Send + Sync + 'static;

    /// V
    fn source(f: &Self::Map) -> &Self::Domain;
    /// f(v). Real numbers are closed graphs.
    ///
    /// # Errors
    /// [`DiffeologyError::NoPiece`] where v is not known to be in V; those of evaluation.
    fn at(f: &Self::Map, v: &[Graph], trial: &Trial) -> Result<Vec<Graph>, DiffeologyError>;
    /// `id : U → U`
    fn identity(of: &Self::Domain) -> Self::Map;
    /// The inclusion of V in U.
    ///
    /// # Errors
    /// [`DiffeologyError::NotCovered`] for a point of V that is not in U.
    fn inclusion(of: &Self::Domain, to: &Self::Domain) -> Result<Self::Map, DiffeologyError>;
    /// The constant map to a point of U.
    fn constant(from: &Self::Domain, to: &Self::Domain, point: &[Graph]) -> Self::Map;
    /// `f;g`
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`]
    fn then(f: &Self::Map, g: &Self::Map) -> Result<Self::Map, DiffeologyError>;

    /// ℝ⁰
    fn point() -> Self::Domain;
    /// Points of a set.
    fn samples(domain: &Self::Domain, random: &mut Random, count: usize) -> Vec<Vec<Rational>>;
    /// A point of a set that is in none of several, where one is found.
    ///
    /// # Errors
    /// Those of the sets.
    fn uncovered(whole: &Self::Domain, cover: &[Self::Domain]) -> Result<Option<Vec<Rational>>, DiffeologyError>;
    /// Whether two sets have the same points, as far as is found.
    ///
    /// # Errors
    /// Those of the sets.
    fn is_same(a: &Self::Domain, b: &Self::Domain) -> Result<bool, DiffeologyError> {
        let within = |a, b| Ok::<_, DiffeologyError>(Self::uncovered(a, std::slice::from_ref(b))?.is_none());
        Ok(within(a, b)? && within(b, a)?)
    }
    /// The points of both.
    ///
    /// # Errors
    /// Those of the sets.
    fn intersection(a: &Self::Domain, b: &Self::Domain) -> Result<Self::Domain, DiffeologyError>;
    /// A set, as where a piece lies.
    fn part(domain: &Self::Domain) -> Self::Part;
    /// Everything, as where a piece lies.
    fn everything() -> Self::Part;

    /// A random set.
    fn draw(random: &mut Random) -> Self::Domain;
    /// A random map; nothing where there is none.
    fn draw_map(random: &mut Random, from: &Self::Domain, to: &Self::Domain) -> Option<Self::Map>;
    /// Sets that cover a set.
    ///
    /// # Errors
    /// Those of the sets.
    fn cover(whole: &Self::Domain, random: &mut Random) -> Result<Vec<Self::Domain>, DiffeologyError>;
    /// A set, and parts of it that cover it and of which no two have a common point.
    ///
    /// # Errors
    /// Those of the sets.
    fn apart(random: &mut Random) -> Result<Covered<Self::Domain>, DiffeologyError>;
}

/// The opens of ℝⁿ, with smooth maps and open covers (H Def. 4.1).
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
    /// Two that overlap: what lies below 1, and what lies above 0, in the first coordinate.
    fn cover(whole: &Open, _: &mut Random) -> Result<Vec<Open>, DiffeologyError> {
        let Some(rest) = whole.dimension().checked_sub(1) else { return Ok(vec![whole.clone()]) };
        let half = |first: Interval| {
            let sides = std::iter::once(first).chain(std::iter::repeat_n(Interval::line(), rest)).collect();
            whole.intersection(&Open::cuboid(sides))
        };
        Ok(vec![half(Interval::below(1))?, half(Interval::above(0))?])
    }
    /// What lies below 0, and what lies above.
    fn apart(_: &mut Random) -> Result<Covered<Open>, DiffeologyError> {
        let parts = [Interval::below(0), Interval::above(0)].map(|side| Open::cuboid(vec![side]));
        Ok((parts[0].union(&parts[1])?, parts.into()))
    }
}
