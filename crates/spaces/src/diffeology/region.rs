//! Regions: the points that given maps take into given open sets. They say where a piece of a function is valid.
//!
//! The preimage of an open set under a smooth map is open, but no union of boxes. A region therefore keeps the maps:
//! its pullback along f : V → U composes its conditions with f. A condition may also require that a value lies
//! *outside* of an open set. Such a region need not be open; it serves to write down functions that are no plots.

use super::error::DiffeologyError;
use super::open::{OpenInterval, OpenSet};
use super::real::{Membership, enclosure_membership, point_membership};
use super::reparametrisation::{Reparametrisation, compose_graphs};
use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::real::Precision;
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::smooth::map::probe::EvalRequest;
use crate::smooth::map::untyped::{DynMap, coordinate_graphs, coordinate_variables};
use std::sync::Arc;

/// The points that meet all of finitely many conditions.
#[derive(Clone, Debug, Default)]
pub struct PieceRegion(Vec<PreimageCondition>);

/// One condition: a map takes the point into an open set, or not into it.
#[derive(Clone, Debug)]
struct PreimageCondition {
    /// The map, as graphs over the coordinates.
    map: Vec<Graph>,
    /// The open set.
    open: OpenSet,
    /// `true` if the value must lie in the open set, `false` if it must lie outside.
    inside: bool,
}

/// The number of radii that a search for a neighbourhood tries: 1, 1/2, …, 2⁻²³. A choice: smaller boxes are rarely
/// needed at sample points.
const MAX_HALVINGS: u32 = 24;

impl PieceRegion {
    /// Returns the region without conditions, which contains all points.
    #[must_use]
    pub fn without_conditions() -> Self {
        Self::default()
    }

    /// Returns the region of the points of an open set.
    #[must_use]
    pub fn of_open_set(open: &OpenSet) -> Self {
        Self::preimage_of(coordinate_graphs(open.dimension()), open)
    }

    /// Returns the preimage of an open set under a map, which is given by graphs over the coordinates.
    #[must_use]
    pub fn preimage_of(map: Vec<Graph>, into: &OpenSet) -> Self {
        Self(vec![PreimageCondition { map, open: into.clone(), inside: true }])
    }

    /// Returns the complement of an open set. This region is closed.
    #[must_use]
    pub fn complement_of(open: &OpenSet) -> Self {
        Self(vec![PreimageCondition { map: coordinate_graphs(open.dimension()), open: open.clone(), inside: false }])
    }

    /// Returns the intersection of two regions.
    #[must_use]
    pub fn intersect_with(&self, other: &Self) -> Self {
        Self([&self.0[..], &other.0[..]].concat())
    }

    /// Returns the preimage of the region under `f`.
    #[must_use]
    pub fn pull_back(&self, f: &Reparametrisation) -> Self {
        let moved = |c: &PreimageCondition| PreimageCondition {
            map: f.pull_back(&c.map),
            open: c.open.clone(),
            inside: c.inside,
        };
        Self(self.0.iter().map(moved).collect())
    }

    /// Returns `true` if all conditions are open. The region is then open; the converse need not hold.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.iter().all(|c| c.inside)
    }

    /// Returns the region within `domain` as an open set, if all conditions are open and concern the point itself.
    /// Returns `None` otherwise.
    ///
    /// # Errors
    /// The errors of intersections of open sets.
    pub fn as_open(&self, domain: &OpenSet) -> Result<Option<OpenSet>, DiffeologyError> {
        // Coordinates are shared graphs, so the identity is recognised by address, without a comparison of terms.
        let own = coordinate_graphs(domain.dimension());
        let identity = |c: &PreimageCondition| {
            c.map.len() == own.len() && c.map.iter().zip(&own).all(|(g, x)| g.address() == x.address())
        };
        if !self.0.iter().all(|c| c.inside && identity(c)) {
            return Ok(None);
        }
        self.0.iter().try_fold(domain.clone(), |all, c| all.intersection(&c.open)).map(Some)
    }

    /// Decides whether the region contains a point.
    ///
    /// # Errors
    /// The errors of evaluating closed graphs.
    pub fn membership_of(&self, u: &[Graph], trial: &MapTestConfig) -> Result<Membership, DiffeologyError> {
        let mut all = Membership::Inside;
        for c in &self.0 {
            let inside = point_membership(&compose_graphs(&c.map, u), &c.open, trial)?;
            all = all.and(if c.inside { inside } else { inside.not() });
            // The remaining conditions cannot change the answer.
            if all == Membership::Outside {
                break;
            }
        }
        Ok(all)
    }

    /// Returns an open box around `u` that certainly lies in the region and in `domain`. Returns `None` if none is
    /// found.
    ///
    /// # Errors
    /// The errors of evaluating maps.
    pub fn find_neighbourhood(
        &self,
        u: &[Rational],
        domain: &OpenSet,
        trial: &MapTestConfig,
    ) -> Result<Option<OpenSet>, DiffeologyError> {
        let maps: Vec<Arc<DynMap>> = self
            .0
            .iter()
            .map(|c| Ok(Arc::new(DynMap::of_graphs(&coordinate_variables(u.len()), &c.map)?)))
            .collect::<Result<_, DiffeologyError>>()?;
        'smaller: for k in 0..MAX_HALVINGS {
            let radius = Rational::from((1, 1i64 << k));
            let ends: Vec<[Rational; 2]> =
                u.iter().map(|x| [Rational::from(x - &radius), Rational::from(x + &radius)]).collect();
            let around = OpenSet::from_box(
                ends.iter().map(|[lo, hi]| OpenInterval::from_endpoints(lo.clone(), hi.clone())).collect(),
            );
            // A box that leaves the domain is halved before any map is evaluated on it.
            if around.find_uncovered_point(std::slice::from_ref(domain))?.is_some() {
                continue;
            }
            for (c, map) in self.0.iter().zip(&maps) {
                let budget = Budget::new(trial.work, None, None);
                let effort = PassOptions::new(Magnitude::from_rational(&trial.eps), &budget);
                // One enclosure over the closed box decides the condition for all points of the open box.
                let found = EvalRequest::for_value(map, ends.clone()).enclose_results(Precision::Mpfr(96), &effort)?;
                let wanted = if c.inside { Membership::Inside } else { Membership::Outside };
                if enclosure_membership(&found, &c.open) != wanted {
                    continue 'smaller;
                }
            }
            return Ok(Some(around));
        }
        Ok(None)
    }
}
