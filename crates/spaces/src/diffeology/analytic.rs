//! The site of c-analytic sets (W §3.2): countable unions of analytic sets, piecewise analytic maps, countable partitions.
//!
//! A set of this module is a union of analytic sets over the coordinates of ℝⁿ: finitely many, or a [family](CountableFamily), of which the
//! first [`SEARCH_LIMIT`](crate::pieces::family::SEARCH_LIMIT) are listed. A point outside of these may belong to another one, so that nothing is
//! claimed of it. There are unions, intersections and preimages. Only a finite union has a [complement](CAnalyticSet::complement). The
//! signs of guards decide whether a rational point belongs to a set. Covers are tested at points, some of which lie where guards vanish.

use super::open::compose_graphs;
use super::smoothness::{format_point, rational_point};
use super::space::{DiffeologyError, DomainWithCover, Site};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::family::pair_members;
use crate::pieces::function::conditions_hold_at;
use crate::pieces::proof::random_candidate;
use crate::pieces::{
    AnalyticPiece, CountableFamily, Frontier, GuardCondition, PartExtent, PieceValue, PiecewiseMap, SignGuard,
    SignTest, StopReason,
};
use crate::random::SplitMix64;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::{MapTestConfig, coordinate_graphs, coordinate_variables};
use crate::value::SourceId as Stands;
use std::fmt;

/// An analytic set: the points where all guards have the given answers. Guards are over the coordinates.
#[doc(alias("analytic set", "analytic sets"))]
pub type AnalyticSet = Vec<GuardCondition>;

/// The budget for the decision of one sign, in work units. A choice: far more than polynomials at rational points need.
const SIGN_WORK_UNITS: u64 = 1_000_000;
/// The number of candidates for each requested point. A choice: thin sets contain few of the candidates.
const CANDIDATES_PER_POINT: usize = 12;

/// A c-analytic set: a countable union of analytic sets.
#[derive(Clone, Debug)]
#[doc(alias("c-analytic", "c-analytic set"))]
pub struct CAnalyticSet {
    dimension: usize,
    analytic_parts: Vec<AnalyticSet>,
    /// `true` if the union has parts that are not listed.
    has_more: bool,
}

/// The site of c-analytic sets.
#[derive(Clone, Copy, Debug)]
pub struct CAnalyticSite;

/// A piecewise analytic map between c-analytic sets: a [`PiecewiseMap`] over the coordinates, with its domain and codomain.
#[derive(Clone, Debug)]
pub struct PiecewiseAnalyticMap {
    domain: CAnalyticSet,
    to: CAnalyticSet,
    map: PiecewiseMap,
}

/// Pairs the coordinates with the graphs that replace them.
fn bind_coordinates(graphs: &[Graph]) -> Vec<(Variable, Graph)> {
    coordinate_variables(graphs.len()).into_iter().zip(graphs.iter().cloned()).collect()
}

/// Decides whether all answers are right at a point. Returns `None` if this is undecided.
#[must_use]
pub fn contains_point(answers: &AnalyticSet, u: &[Graph]) -> Option<bool> {
    conditions_hold_at(answers, &bind_coordinates(u), &Budget::new(SIGN_WORK_UNITS, None, None))
}

/// Returns the least part that contains a point. Returns `None` if no listed part is known to contain it, or if an earlier one is undecided.
pub(super) fn least_part<'p, L>(
    mut parts: impl Iterator<Item = (&'p AnalyticSet, L)>,
    u: &[Graph],
) -> Option<(&'p AnalyticSet, L)> {
    let decided = parts.find_map(|(answers, value)| match contains_point(answers, u) {
        Some(false) => None,
        found => Some((found, answers, value)),
    });
    decided.and_then(|(found, answers, value)| found.map(|_| (answers, value)))
}

/// Substitutes graphs for the coordinates in the guards: the preimage of an analytic set.
#[must_use]
pub fn substitute_graphs(answers: &AnalyticSet, graphs: &[Graph]) -> AnalyticSet {
    let bindings = bind_coordinates(graphs);
    answers
        .iter()
        .map(|decided| GuardCondition { guard: decided.guard.preimage_under(&bindings), ..decided.clone() })
        .collect()
}

/// Returns the intersection of two analytic sets.
#[must_use]
pub fn intersect_sets(a: &AnalyticSet, b: &AnalyticSet) -> AnalyticSet {
    [&a[..], &b[..]].concat()
}

impl CAnalyticSet {
    /// Returns a union of analytic sets.
    #[must_use]
    pub fn new(dimension: usize, analytic_parts: Vec<AnalyticSet>) -> Self {
        Self { dimension, analytic_parts, has_more: false }
    }

    /// Returns the union of a family of analytic sets.
    #[must_use]
    pub fn of_family(dimension: usize, family: &CountableFamily<AnalyticSet>) -> Self {
        let (analytic_parts, has_more) = family.searched();
        Self { dimension, analytic_parts, has_more }
    }

    /// Returns ℝⁿ.
    #[must_use]
    pub fn whole_space(dimension: usize) -> Self {
        Self::new(dimension, vec![AnalyticSet::new()])
    }

    /// Adds parts that are not listed, if `has_more` is `true`.
    #[must_use]
    pub fn with_more(self, has_more: bool) -> Self {
        Self { has_more: self.has_more || has_more, ..self }
    }

    /// Returns `true` if the union has parts that are not listed.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// Returns the complement, as a union of disjoint analytic sets.
    ///
    /// # Errors
    /// [`DiffeologyError::CountableComplement`] for a union of a family without an end. Its complement need not be c-analytic, as that
    /// of the middle thirds, Cantor's set (W8).
    pub fn complement(&self) -> Result<Self, DiffeologyError> {
        if self.has_more {
            return Err(DiffeologyError::CountableComplement { listed: self.analytic_parts.len() });
        }
        Ok(self.complement_of_listed())
    }

    /// Returns the complement of the parts that are listed.
    pub(super) fn complement_of_listed(&self) -> Self {
        let others = self.analytic_parts.iter().map(|answers| {
            // The first wrong answer is at `at`; those before it are right. So the parts of the complement are disjoint.
            let wrong = |at: usize| {
                let other = GuardCondition { holds: !answers[at].holds, ..answers[at].clone() };
                intersect_sets(&answers[..at].to_vec(), &vec![other])
            };
            Self::new(self.dimension, (0..answers.len()).map(wrong).collect())
        });
        others.fold(Self::whole_space(self.dimension), |all, other| all.intersection(&other))
    }

    /// Returns the dimension n.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the analytic sets whose union this set is, as far as they are listed.
    #[must_use]
    pub fn analytic_parts(&self) -> &[AnalyticSet] {
        &self.analytic_parts
    }

    /// Decides whether a point belongs to the set. Returns `None` if this is undecided.
    #[must_use]
    pub fn contains(&self, u: &[Graph]) -> Option<bool> {
        let mut outside = if self.has_more { None } else { Some(false) };
        for part in &self.analytic_parts {
            match contains_point(part, u) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => outside = None,
            }
        }
        outside
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (own, others) = (&self.analytic_parts[..], &other.analytic_parts[..]);
        let pairs = pair_members((own, self.has_more), (others, other.has_more));
        let parts = pairs.into_iter().map(|(i, j)| intersect_sets(&own[i], &others[j])).collect();
        Self::new(self.dimension, parts).with_more(self.has_more || other.has_more)
    }

    /// Returns the preimage under a map, within the domain of the map.
    #[must_use]
    pub fn preimage(&self, f: &PiecewiseAnalyticMap) -> Self {
        // On each piece the map is given by graphs, and a preimage is a substitution.
        let (pieces, parts): (Vec<_>, _) = (f.pieces().collect(), &self.analytic_parts[..]);
        let into = |(i, j): (usize, usize)| {
            let (answers, graphs): (&AnalyticSet, &[Graph]) = pieces[i];
            intersect_sets(answers, &substitute_graphs(&parts[j], graphs))
        };
        let pairs = pair_members((&pieces, f.has_more()), (parts, self.has_more));
        Self::new(f.domain.dimension, pairs.into_iter().map(into).collect())
            .with_more(self.has_more || f.has_more())
            .intersection(&f.domain)
    }

    /// Draws a point of ℝⁿ, often a point where a guard of the set vanishes.
    fn draw_candidate(&self, random: &mut SplitMix64) -> Vec<Rational> {
        let guards: Vec<_> = self.analytic_parts.iter().flatten().map(|decided| decided.guard.graph.clone()).collect();
        random_candidate(&guards, &coordinate_variables(self.dimension), random)
    }
}

/// Draws a polynomial with small integer coefficients. Each variable is squared with probability 25 %.
#[must_use]
pub fn draw_polynomial(random: &mut SplitMix64, dimension: usize) -> Graph {
    // No mixed terms: zeros of guards in one variable are then easy to find.
    let x = coordinate_graphs(dimension);
    let mut sum = Graph::integer(random.next_below(5) as i64 - 2);
    for a in &x {
        let square = random.random_bool(25);
        let term = if square { a * a } else { a.clone() };
        let factor = Graph::integer(random.next_below(5) as i64 - 2);
        sum = &sum + &factor * &term;
    }
    sum
}

/// Draws a guard with both of its answers: the two sides of a partition.
#[must_use]
pub fn draw_partition(random: &mut SplitMix64, dimension: usize) -> [GuardCondition; 2] {
    let test = *random.pick(&[SignTest::Positive, SignTest::NonNegative, SignTest::Zero]);
    let guard = SignGuard::new(&draw_polynomial(random, dimension), test, Stands::NOWHERE);
    [true, false].map(|holds| GuardCondition { guard: guard.clone(), holds, is_condition: false })
}

impl PiecewiseAnalyticMap {
    /// Returns the map that is given by a list of graphs on each of some analytic sets.
    #[must_use]
    pub fn new(from: &CAnalyticSet, to: &CAnalyticSet, pieces: Vec<(AnalyticSet, Vec<Graph>)>) -> Self {
        let n = from.dimension;
        let piece = |(guards, values)| AnalyticPiece::unexamined(guards, PieceValue::Values(values), n);
        let pieces = pieces.into_iter().map(piece).collect();
        let map = PiecewiseMap { variables: coordinate_variables(n), domain: None, pieces, frontier: Vec::new() };
        Self { domain: from.clone(), to: to.clone(), map }
    }

    /// Returns the map that is given by a list of graphs on each of a family of analytic sets. Of these, the least one that contains a
    /// point counts.
    #[must_use]
    pub fn of_family(
        from: &CAnalyticSet,
        to: &CAnalyticSet,
        family: &CountableFamily<(AnalyticSet, Vec<Graph>)>,
    ) -> Self {
        let (pieces, has_more) = family.searched();
        let mut map = Self::new(from, to, pieces);
        if has_more {
            map.map.frontier.push(Frontier::new(Vec::new(), PartExtent::Anywhere, StopReason::Limit, Stands::NOWHERE));
        }
        map
    }

    /// Returns `true` if the map has pieces that are not listed.
    #[must_use]
    pub fn has_more(&self) -> bool {
        !self.map.frontier.is_empty()
    }

    /// Returns the domain V.
    #[must_use]
    pub fn domain(&self) -> &CAnalyticSet {
        &self.domain
    }

    /// Returns the pieces: their sets, and the graphs of the map on each.
    pub fn pieces(&self) -> impl Iterator<Item = (&AnalyticSet, &[Graph])> {
        self.map.pieces.iter().filter_map(|piece| match &piece.outcome {
            PieceValue::Values(graphs) => Some((&piece.guards, &graphs[..])),
            PieceValue::Undefined(_) => None,
        })
    }
}

impl Site for CAnalyticSite {
    type Domain = CAnalyticSet;
    type Map = PiecewiseAnalyticMap;
    type Part = CAnalyticSet;

    fn map_domain(f: &PiecewiseAnalyticMap) -> &CAnalyticSet {
        &f.domain
    }
    fn value_at(f: &PiecewiseAnalyticMap, v: &[Graph], trial: &MapTestConfig) -> Result<Vec<Graph>, DiffeologyError> {
        let piece = least_part(f.pieces(), v);
        let (_, graphs) = piece.ok_or_else(|| DiffeologyError::NoPiece { point: format_point(v, trial) })?;
        Ok(compose_graphs(graphs, v))
    }
    fn identity_map(of: &CAnalyticSet) -> PiecewiseAnalyticMap {
        PiecewiseAnalyticMap::new(of, of, vec![(AnalyticSet::new(), coordinate_graphs(of.dimension))])
    }
    fn inclusion_map(of: &CAnalyticSet, to: &CAnalyticSet) -> Result<PiecewiseAnalyticMap, DiffeologyError> {
        match Self::find_uncovered_point(of, std::slice::from_ref(to))? {
            None => Ok(PiecewiseAnalyticMap::new(of, to, vec![(AnalyticSet::new(), coordinate_graphs(of.dimension))])),
            Some(point) => Err(DiffeologyError::NotCovered { whole: of.to_string(), point }),
        }
    }
    fn constant_map(from: &CAnalyticSet, to: &CAnalyticSet, point: &[Graph]) -> PiecewiseAnalyticMap {
        PiecewiseAnalyticMap::new(from, to, vec![(AnalyticSet::new(), point.to_vec())])
    }
    /// Returns the pullbacks of the pieces of `g` along each piece of `f`.
    fn compose_maps(
        f: &PiecewiseAnalyticMap,
        g: &PiecewiseAnalyticMap,
    ) -> Result<PiecewiseAnalyticMap, DiffeologyError> {
        DiffeologyError::check_dimension("the second map", f.to.dimension, g.domain.dimension)?;
        let budget = Budget::new(SIGN_WORK_UNITS, None, None);
        // nothing is split on all of ℝⁿ, so that the smallest width does not matter
        let map = f.map.then(&g.map, &Rational::new(), &budget).ok_or(DiffeologyError::Dimension {
            what: "the list of values of the first map",
            expected: g.domain.dimension,
            found: f.to.dimension,
        })?;
        Ok(PiecewiseAnalyticMap { domain: f.domain.clone(), to: g.to.clone(), map })
    }

    fn point_domain() -> CAnalyticSet {
        CAnalyticSet::whole_space(0)
    }
    fn sample_points(domain: &CAnalyticSet, random: &mut SplitMix64, count: usize) -> Vec<Vec<Rational>> {
        let mut found = Vec::new();
        // Rejection sampling, bounded: a set may have no rational point at all.
        for _ in 0..count * CANDIDATES_PER_POINT {
            let point = domain.draw_candidate(random);
            if domain.contains(&rational_point(&point)) == Some(true) {
                found.push(point);
            }
            if found.len() == count {
                break;
            }
        }
        found
    }
    /// Searches at candidates, some of which lie where a guard of the set or of its cover vanishes.
    fn find_uncovered_point(
        whole: &CAnalyticSet,
        cover: &[CAnalyticSet],
    ) -> Result<Option<Vec<Rational>>, DiffeologyError> {
        for part in cover {
            DiffeologyError::check_dimension("a part", whole.dimension, part.dimension)?;
        }
        let all = cover.iter().flat_map(|part| part.analytic_parts.clone());
        let near = CAnalyticSet::new(whole.dimension, whole.analytic_parts.iter().cloned().chain(all).collect());
        // A fixed seed: the comparison of two sets must not depend on the caller's random numbers.
        let mut random = SplitMix64::new(1);
        for _ in 0..2 * CANDIDATES_PER_POINT {
            let point = near.draw_candidate(&mut random);
            let u = rational_point(&point);
            // A point with an undecided membership is no counterexample.
            let is_out = |part: &CAnalyticSet| part.contains(&u) == Some(false);
            if whole.contains(&u) == Some(true) && cover.iter().all(is_out) {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }
    /// Compares two sets. Sets of different dimensions are different.
    fn is_same_set(a: &CAnalyticSet, b: &CAnalyticSet) -> Result<bool, DiffeologyError> {
        let within = |a, b| Ok::<_, DiffeologyError>(Self::find_uncovered_point(a, std::slice::from_ref(b))?.is_none());
        Ok(a.dimension == b.dimension && within(a, b)? && within(b, a)?)
    }
    fn intersection(a: &CAnalyticSet, b: &CAnalyticSet) -> Result<CAnalyticSet, DiffeologyError> {
        DiffeologyError::check_dimension("the other set", a.dimension, b.dimension)?;
        Ok(a.intersection(b))
    }
    fn as_part(domain: &CAnalyticSet) -> CAnalyticSet {
        domain.clone()
    }
    fn whole_part() -> CAnalyticSet {
        // No guard, so the dimension does not matter.
        CAnalyticSet::whole_space(0)
    }

    fn draw_domain(random: &mut SplitMix64) -> CAnalyticSet {
        let dimension = 1 + random.next_below(2);
        let mut parts = Vec::new();
        for _ in 0..1 + random.next_below(2) {
            let mut answers = AnalyticSet::new();
            for _ in 0..random.next_below(3) {
                let [yes, no] = draw_partition(random, dimension);
                answers.push(if random.random_bool(50) { yes } else { no });
            }
            parts.push(answers);
        }
        CAnalyticSet::new(dimension, parts)
    }
    /// Draws a polynomial map on each side of a guard. Where its values leave one part of U, the map is constant, with
    /// a value in that part.
    // The constant value must be known to lie in U.
    fn draw_map(random: &mut SplitMix64, from: &CAnalyticSet, to: &CAnalyticSet) -> Option<PiecewiseAnalyticMap> {
        let point = Self::sample_points(to, random, 1).pop()?;
        let part = to.analytic_parts.iter().find(|part| contains_point(part, &rational_point(&point)) == Some(true))?;
        let mut pieces = Vec::new();
        for side in draw_partition(random, from.dimension) {
            let graphs: Vec<_> = (0..to.dimension).map(|_| draw_polynomial(random, from.dimension)).collect();
            let mut answers = vec![side];
            for decided in substitute_graphs(part, &graphs) {
                // Complements are not sets of this site, but each answer of the part can fail as a piece of its own.
                let other = GuardCondition { holds: !decided.holds, ..decided.clone() };
                pieces.push((intersect_sets(&answers, &vec![other]), rational_point(&point)));
                answers.push(decided);
            }
            pieces.push((answers, graphs));
        }
        Some(PiecewiseAnalyticMap::new(from, to, pieces))
    }
    /// Returns the two parts of a partition by a guard.
    fn draw_cover(whole: &CAnalyticSet, random: &mut SplitMix64) -> Result<Vec<CAnalyticSet>, DiffeologyError> {
        let side =
            |decided: GuardCondition| whole.intersection(&CAnalyticSet::new(whole.dimension, vec![vec![decided]]));
        Ok(draw_partition(random, whole.dimension).map(side).into())
    }
    fn draw_partition(random: &mut SplitMix64) -> Result<DomainWithCover<CAnalyticSet>, DiffeologyError> {
        let whole = Self::draw_domain(random);
        let parts = Self::draw_cover(&whole, random)?;
        Ok((whole, parts))
    }
}

impl fmt::Display for CAnalyticSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.has_more { "countably many" } else { &*self.analytic_parts.len().to_string() };
        write!(f, "a c-analytic set of {more} parts in ℝ^{}", self.dimension)
    }
}
