//! Functions on an open set that are given by pieces: the results of gluing.
//!
//! At a point, the value of the function is that of any piece whose [region](super::piecewise) contains the point.
//! [`Diffeology::glue`](super::space::Diffeology::glue) checks that the pieces agree where they overlap. A candidate
//! that was put together without this check may fail to be a function.
//!
//! # Regions
//!
//! The points that given maps take into given open sets. They say where a piece of a function is valid.
//!
//! The preimage of an open set under a smooth map is open, but no union of boxes. A region therefore keeps the maps:
//! its pullback along f : V → U composes its conditions with f. A condition may also require that a value lies
//! *outside* of an open set. Such a region need not be open; it serves to write down functions that are no plots.

use super::DiffeologyVerdict;
use super::open::{OpenInterval, OpenSet, Reparametrisation, compose_graphs};
use super::smoothness::{Membership, enclosure_membership, format_point, point_membership, rational_point};
use super::space::{DiffeologyError, format_rational_point};
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::{Magnitude, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::range::EvalRequest;
use crate::smooth::map::{DynMap, MapTestConfig, coordinate_graphs, coordinate_variables};
use crate::verdict::Verdict;
use std::fmt;
use std::sync::Arc;

/// A function given by pieces. Each piece carries local data of type `L` that describe the function on its region.
#[derive(Clone, Debug)]
pub struct PiecewisePlot<L> {
    domain: OpenSet,
    pieces: Vec<PlotPiece<L>>,
}

/// A piece of a function.
#[derive(Clone, Debug)]
pub struct PlotPiece<L> {
    /// The region on which the piece describes the function.
    pub region: PieceRegion,
    /// The local description of the function.
    pub value: L,
}

/// The number of pieces whose overlaps are sampled. A choice: each pair of them costs an intersection of open sets.
const MAX_OVERLAP_PIECES: usize = 8;

impl<L: Clone> PiecewisePlot<L> {
    /// Returns the function with a single piece, on all of `domain`.
    #[must_use]
    pub fn single_piece(domain: &OpenSet, value: L) -> Self {
        Self { domain: domain.clone(), pieces: vec![PlotPiece { region: PieceRegion::without_conditions(), value }] }
    }

    /// Returns the function that equals each of `parts` on its region.
    #[must_use]
    pub fn join_pieces(domain: &OpenSet, parts: Vec<(PieceRegion, Self)>) -> Self {
        let within = |(region, part): (PieceRegion, Self)| {
            part.pieces.into_iter().map(move |p| PlotPiece { region: region.intersect_with(&p.region), value: p.value })
        };
        Self { domain: domain.clone(), pieces: parts.into_iter().flat_map(within).collect() }
    }

    /// Reparametrises the function along `f`. `moved` reparametrises the description of a piece.
    #[must_use]
    pub fn pull_back(&self, f: &Reparametrisation, moved: impl Fn(&L) -> L) -> Self {
        let piece = |p: &PlotPiece<L>| PlotPiece { region: p.region.pull_back(f), value: moved(&p.value) };
        Self { domain: f.domain().clone(), pieces: self.pieces.iter().map(piece).collect() }
    }

    /// Applies `made` to the description of each piece.
    #[must_use]
    pub fn map_pieces<M>(&self, made: impl Fn(&L) -> M) -> PiecewisePlot<M> {
        let piece = |p: &PlotPiece<L>| PlotPiece { region: p.region.clone(), value: made(&p.value) };
        PiecewisePlot { domain: self.domain.clone(), pieces: self.pieces.iter().map(piece).collect() }
    }

    /// Applies `made` to the description of each piece.
    ///
    /// # Errors
    /// The first error of `made`.
    pub fn try_map_pieces<M>(
        &self,
        made: impl Fn(&L) -> Result<M, DiffeologyError>,
    ) -> Result<PiecewisePlot<M>, DiffeologyError> {
        let piece = |p: &PlotPiece<L>| Ok(PlotPiece { region: p.region.clone(), value: made(&p.value)? });
        Ok(PiecewisePlot {
            domain: self.domain.clone(),
            pieces: self.pieces.iter().map(piece).collect::<Result<_, DiffeologyError>>()?,
        })
    }

    /// Returns the open set on which the function is defined.
    #[must_use]
    pub fn domain(&self) -> &OpenSet {
        &self.domain
    }

    /// Returns the pieces.
    #[must_use]
    pub fn pieces(&self) -> &[PlotPiece<L>] {
        &self.pieces
    }

    /// Returns the pieces that certainly contain a point. The second component is `true` if the point certainly lies in
    /// no piece.
    ///
    /// # Errors
    /// The errors of evaluating closed graphs.
    pub fn pieces_containing(
        &self,
        u: &[Graph],
        trial: &MapTestConfig,
    ) -> Result<(Vec<&PlotPiece<L>>, bool), DiffeologyError> {
        let (mut inside, mut outside) = (Vec::new(), true);
        for piece in &self.pieces {
            match piece.region.membership_of(u, trial)? {
                Membership::Inside => inside.push(piece),
                // An undecided piece might contain the point, so the point is not certainly outside.
                Membership::Unknown => outside = false,
                Membership::Outside => {}
            }
        }
        let outside = outside && inside.is_empty();
        Ok((inside, outside))
    }

    /// Returns `true` if `u` lies in the domain and certainly in the region of `piece`.
    ///
    /// # Errors
    /// The errors of evaluating closed graphs.
    pub fn certainly_contains(
        &self,
        piece: &PlotPiece<L>,
        u: &[Rational],
        trial: &MapTestConfig,
    ) -> Result<bool, DiffeologyError> {
        Ok(self.domain.contains(u) && piece.region.membership_of(&rational_point(u), trial)? == Membership::Inside)
    }

    /// Returns the description of the function at a point: that of the first piece that certainly contains it.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if the point has another dimension.
    /// - [`DiffeologyError::NoPiece`] if no piece is known to contain the point.
    /// - The errors of evaluating closed graphs.
    pub fn description_at(&self, u: &[Graph], trial: &MapTestConfig) -> Result<&L, DiffeologyError> {
        DiffeologyError::check_dimension("the point", self.domain.dimension(), u.len())?;
        for piece in &self.pieces {
            if piece.region.membership_of(u, trial)? == Membership::Inside {
                return Ok(&piece.value);
            }
        }
        Err(DiffeologyError::NoPiece { point: format_point(u, trial) })
    }

    /// Samples the pairwise overlaps of the pieces whose regions are open sets. Disagreements of pieces show there
    /// only.
    fn sample_overlaps(&self, random: &mut SplitMix64) -> Result<Vec<Vec<Rational>>, DiffeologyError> {
        let opens: Vec<OpenSet> = self
            .pieces
            .iter()
            .take(MAX_OVERLAP_PIECES)
            .filter_map(|piece| piece.region.as_open(&self.domain).transpose())
            .collect::<Result<_, _>>()?;
        let mut points = Vec::new();
        for (i, first) in opens.iter().enumerate() {
            for second in &opens[..i] {
                points.extend(first.intersection(second)?.sample_points(random, 2));
            }
        }
        Ok(points)
    }

    /// Tests a statement at sample points of the domain: `holds` for each piece at a point, and `agree` for neighbours
    /// among the pieces that share a point. A point that certainly lies in no piece refutes. A point that is not known
    /// to lie in a piece makes the verdict vacuous.
    ///
    /// # Errors
    /// The errors of the statements and of evaluating closed graphs.
    pub fn test_everywhere(
        &self,
        trial: &MapTestConfig,
        mut holds: impl FnMut(&PlotPiece<L>, &[Rational], &mut SplitMix64) -> DiffeologyVerdict,
        mut agree: impl FnMut(&L, &L, &[Rational]) -> DiffeologyVerdict,
    ) -> DiffeologyVerdict {
        let mut random = SplitMix64::new(trial.seed);
        let mut all = Verdict::Survived;
        let mut points = self.domain.sample_points(&mut random, trial.sample_points as usize);
        points.extend(self.sample_overlaps(&mut random)?);
        for u in points {
            let (pieces, outside) = self.pieces_containing(&rational_point(&u), trial)?;
            // A function must have a value everywhere on its domain.
            if outside {
                return Ok(Verdict::refuted(format_rational_point(&u), "no value", "a value"));
            }
            let mut here = if pieces.is_empty() { Verdict::Vacuous } else { Verdict::Survived };
            for piece in &pieces {
                here = here.and_part(holds(piece, &u, &mut random)?);
            }
            // A choice: all pairs would be quadratic. Overlap of enclosures is not transitive, so neighbours test less.
            for pair in pieces.windows(2) {
                here = here
                    .and_part(agree(&pair[0].value, &pair[1].value, &u)?.with_witness(|| format_rational_point(&u)));
            }
            all = all.and_part(here);
            if all.is_refuted() {
                break;
            }
        }
        Ok(all)
    }

    /// Returns the inclusion of a neighbourhood of `u` that lies in the region of `piece`. Returns `None` if none is
    /// found.
    ///
    /// # Errors
    /// The errors of evaluating maps.
    pub fn inclusion_near(
        &self,
        piece: &PlotPiece<L>,
        u: &[Rational],
        trial: &MapTestConfig,
    ) -> Result<Option<Reparametrisation>, DiffeologyError> {
        match piece.region.find_neighbourhood(u, &self.domain, trial)? {
            Some(around) => Ok(Some(Reparametrisation::inclusion(&around, &self.domain)?)),
            None => Ok(None),
        }
    }

    /// Tests whether `label` is constant on each connected component of the domain, as a locally constant label is. Two
    /// points of one component with different labels refute this.
    ///
    /// # Errors
    /// The errors of evaluating closed graphs.
    pub fn test_locally_constant<T: PartialEq + fmt::Display>(
        &self,
        trial: &MapTestConfig,
        label: impl Fn(&L) -> T,
    ) -> DiffeologyVerdict {
        let mut random = SplitMix64::new(trial.seed);
        for part in self.domain.connected_components() {
            let mut first: Option<(Vec<Rational>, T)> = None;
            // Twice as many points as in other tests: each point tests one label, and two are needed for a refutation.
            for u in part.sample_points(&mut random, 2 * trial.sample_points as usize) {
                for piece in self.pieces_containing(&rational_point(&u), trial)?.0 {
                    let found = label(&piece.value);
                    match &first {
                        Some((at, known)) if *known != found => {
                            let witness = format!(
                                "{} and {}, in one connected part",
                                format_rational_point(at),
                                format_rational_point(&u)
                            );
                            return Ok(Verdict::refuted(witness, known, found));
                        }
                        Some(_) => {}
                        None => first = Some((u.clone(), found)),
                    }
                }
            }
        }
        Ok(Verdict::Survived)
    }
}

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
            // A box that leaves the domain, or is not known to lie in it, is halved before any map is evaluated on it.
            match around.find_uncovered_point(std::slice::from_ref(domain)) {
                Ok(None) => {}
                Ok(Some(_)) | Err(DiffeologyError::NotDecided { .. }) => continue,
                Err(error) => return Err(error),
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
