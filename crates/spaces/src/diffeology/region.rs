//! Where a piece of a function lies: the points that given maps take into given opens.
//!
//! A preimage of an open set under a smooth map is open, but no union of boxes. So a piece keeps the maps: restricted
//! along f : V → U, its conditions are composed with f. A condition may also ask that a map stays *outside*; such a region
//! need not be open, and serves to write down functions that are no plots.

use super::error::DiffeologyError;
use super::open::{Interval, Open};
use super::real::{Membership, enclosed_in, membership};
use super::reparametrisation::{Reparametrisation, composed};
use crate::number::budget::Budget;
use crate::number::effort::Effort;
use crate::number::real::Tier;
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::smooth::map::probe::Probe;
use crate::smooth::map::untyped::{Untyped, coordinates, variables};
use std::sync::Arc;

/// The points that meet all conditions.
#[derive(Clone, Debug, Default)]
pub struct Region(Vec<Condition>);

#[derive(Clone, Debug)]
struct Condition {
    /// Graphs over the coordinates.
    map: Vec<Graph>,
    open: Open,
    inside: bool,
}

/// How often a neighbourhood is made smaller.
const HALVINGS: u32 = 24;

impl Region {
    /// Everything.
    #[must_use]
    pub fn everything() -> Self {
        Self::default()
    }

    /// The points of an open set.
    #[must_use]
    pub fn within(open: &Open) -> Self {
        Self::where_map(coordinates(open.dimension()), open)
    }

    /// The points that a map, given by graphs over the coordinates, takes into an open set.
    #[must_use]
    pub fn where_map(map: Vec<Graph>, into: &Open) -> Self {
        Self(vec![Condition { map, open: into.clone(), inside: true }])
    }

    /// The points that are not in an open set. This region is closed.
    #[must_use]
    pub fn outside(open: &Open) -> Self {
        Self(vec![Condition { map: coordinates(open.dimension()), open: open.clone(), inside: false }])
    }

    /// The points of both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self([&self.0[..], &other.0[..]].concat())
    }

    /// The preimage under a map.
    #[must_use]
    pub fn along(&self, f: &Reparametrisation) -> Self {
        let moved = |c: &Condition| Condition { map: f.pull(&c.map), open: c.open.clone(), inside: c.inside };
        Self(self.0.iter().map(moved).collect())
    }

    /// Whether it is open for the reason that all of its conditions are.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.iter().all(|c| c.inside)
    }

    /// The open set that it is, where all conditions are of the point itself and not of its image under a map.
    ///
    /// # Errors
    /// Those of intersecting opens.
    pub fn as_open(&self, domain: &Open) -> Result<Option<Open>, DiffeologyError> {
        let own = coordinates(domain.dimension());
        let identity =
            |c: &Condition| c.map.len() == own.len() && c.map.iter().zip(&own).all(|(g, x)| g.address() == x.address());
        if !self.0.iter().all(|c| c.inside && identity(c)) {
            return Ok(None);
        }
        self.0.iter().try_fold(domain.clone(), |all, c| all.intersection(&c.open)).map(Some)
    }

    /// Whether a point is in it.
    ///
    /// # Errors
    /// Those of evaluating closed graphs.
    pub fn membership(&self, u: &[Graph], trial: &Trial) -> Result<Membership, DiffeologyError> {
        let mut all = Membership::Inside;
        for c in &self.0 {
            let inside = membership(&composed(&c.map, u), &c.open, trial)?;
            all = all.and(if c.inside { inside } else { inside.not() });
            if all == Membership::Outside {
                break;
            }
        }
        Ok(all)
    }

    /// A box around a point of `domain` that lies in both; `None` where none is found.
    ///
    /// # Errors
    /// Those of evaluating maps.
    pub fn neighbourhood(&self, u: &[Rational], domain: &Open, trial: &Trial) -> Result<Option<Open>, DiffeologyError> {
        let maps: Vec<Arc<Untyped>> = self
            .0
            .iter()
            .map(|c| Ok(Arc::new(Untyped::of_graphs(&variables(u.len()), &c.map)?)))
            .collect::<Result<_, DiffeologyError>>()?;
        'smaller: for k in 0..HALVINGS {
            let radius = Rational::from((1, 1i64 << k));
            let ends: Vec<[Rational; 2]> =
                u.iter().map(|x| [Rational::from(x - &radius), Rational::from(x + &radius)]).collect();
            let around = Open::cuboid(ends.iter().map(|[lo, hi]| Interval::between(lo.clone(), hi.clone())).collect());
            if around.uncovered(std::slice::from_ref(domain))?.is_some() {
                continue;
            }
            for (c, map) in self.0.iter().zip(&maps) {
                let budget = Budget::new(trial.work, None, None);
                let effort = Effort::new(Magnitude::from_rational(&trial.eps), &budget);
                let found = Probe::value(map, ends.clone()).run(Tier::Mpfr(96), &effort)?;
                let wanted = if c.inside { Membership::Inside } else { Membership::Outside };
                if enclosed_in(&found, &c.open) != wanted {
                    continue 'smaller;
                }
            }
            return Ok(Some(around));
        }
        Ok(None)
    }
}
