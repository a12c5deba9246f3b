//! The site of c-analytic sets (W §3.2): countable unions of analytic sets, piecewise analytic maps, countable partitions.
//!
//! A set of this module is a union of finitely many analytic sets, over the coordinates of ℝⁿ. There are unions,
//! intersections and preimages, but no complements. The signs of guards decide whether a rational point belongs to a
//! set. Covers are tested at points, some of which lie where guards vanish.

use super::error::DiffeologyError;
use super::real::{exactly, told_point};
use super::reparametrisation::composed;
use super::site::{Covered, Site};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::function::holds_at;
use crate::pieces::proof::candidate;
use crate::pieces::{Decided, Guard, Test};
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::map::Trial;
use crate::smooth::map::untyped::{coordinates, variables};
use crate::value::Site as Stands;
use std::fmt;

/// An analytic set: the points where all guards have the given answers. Guards are over the coordinates.
pub type Answers = Vec<Decided>;

/// The budget for the decision of one sign, in work units. A choice: far more than polynomials at rational points need.
const WORK: u64 = 1_000_000;
/// The number of candidates for each requested point. A choice: thin sets contain few of the candidates.
const PATIENCE: usize = 12;

/// A c-analytic set: a finite union of analytic sets.
#[derive(Clone, Debug)]
pub struct Analytic {
    dimension: usize,
    parts: Vec<Answers>,
}

/// The site of c-analytic sets.
#[derive(Clone, Copy, Debug)]
pub struct CAnalytic;

/// A piecewise analytic map: on each of finitely many analytic sets, it is given by graphs over the coordinates.
#[derive(Clone, Debug)]
pub struct PapMap {
    from: Analytic,
    to: Analytic,
    pieces: Vec<(Answers, Vec<Graph>)>,
}

/// Pairs the coordinates with the graphs that replace them.
fn bindings(graphs: &[Graph]) -> Vec<(Variable, Graph)> {
    variables(graphs.len()).into_iter().zip(graphs.iter().cloned()).collect()
}

/// Decides whether all answers are right at a point. Returns `None` if this is undecided.
#[must_use]
pub fn holds(answers: &Answers, u: &[Graph]) -> Option<bool> {
    holds_at(answers, &bindings(u), &Budget::new(WORK, None, None))
}

/// Substitutes graphs for the coordinates in the guards: the preimage of an analytic set.
#[must_use]
pub fn along(answers: &Answers, graphs: &[Graph]) -> Answers {
    let bindings = bindings(graphs);
    answers.iter().map(|decided| Decided { guard: decided.guard.along(&bindings), ..decided.clone() }).collect()
}

/// Returns the intersection of two analytic sets.
#[must_use]
pub fn and(a: &Answers, b: &Answers) -> Answers {
    [&a[..], &b[..]].concat()
}

impl Analytic {
    /// Returns a union of analytic sets.
    #[must_use]
    pub fn new(dimension: usize, parts: Vec<Answers>) -> Self {
        Self { dimension, parts }
    }

    /// Returns ℝⁿ.
    #[must_use]
    pub fn whole(dimension: usize) -> Self {
        Self { dimension, parts: vec![Answers::new()] }
    }

    /// Returns the dimension n.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the analytic sets whose union this set is.
    #[must_use]
    pub fn parts(&self) -> &[Answers] {
        &self.parts
    }

    /// Decides whether a point belongs to the set. Returns `None` if this is undecided.
    #[must_use]
    pub fn contains(&self, u: &[Graph]) -> Option<bool> {
        let mut outside = Some(false);
        for part in &self.parts {
            match holds(part, u) {
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
        let parts = self.parts.iter().flat_map(|a| other.parts.iter().map(move |b| and(a, b))).collect();
        Self { dimension: self.dimension, parts }
    }

    /// Returns the preimage under a map, within the domain of the map.
    #[must_use]
    pub fn preimage(&self, f: &PapMap) -> Self {
        // On each piece the map is given by graphs, and a preimage is a substitution.
        let into = |(answers, graphs): &(Answers, Vec<Graph>)| {
            self.parts.iter().map(|part| and(answers, &along(part, graphs))).collect::<Vec<_>>()
        };
        Self { dimension: f.from.dimension, parts: f.pieces.iter().flat_map(into).collect() }.intersection(&f.from)
    }

    /// Draws a point of ℝⁿ, often a point where a guard of the set vanishes.
    fn candidate(&self, random: &mut Random) -> Vec<Rational> {
        let guards: Vec<_> = self.parts.iter().flatten().map(|decided| decided.guard.graph.clone()).collect();
        candidate(&guards, &variables(self.dimension), random)
    }
}

/// Draws a polynomial with small integer coefficients. Each variable is squared with probability 25 %.
#[must_use]
pub fn polynomial(random: &mut Random, dimension: usize) -> Graph {
    // No mixed terms: zeros of guards in one variable are then easy to find.
    let x = coordinates(dimension);
    let mut sum = Graph::integer(random.below(5) as i64 - 2);
    for a in &x {
        let square = random.chance(25);
        let term = if square { Graph::binary(Binary::Multiply, a, a) } else { a.clone() };
        let factor = Graph::integer(random.below(5) as i64 - 2);
        sum = Graph::binary(Binary::Add, &sum, &Graph::binary(Binary::Multiply, &factor, &term));
    }
    sum
}

/// Draws a guard with both of its answers: the two sides of a partition.
#[must_use]
pub fn sides(random: &mut Random, dimension: usize) -> [Decided; 2] {
    let test = *random.pick(&[Test::Positive, Test::NonNegative, Test::Zero]);
    let guard = Guard::new(&polynomial(random, dimension), test, Stands::NOWHERE);
    [true, false].map(|holds| Decided { guard: guard.clone(), holds, is_condition: false })
}

impl PapMap {
    /// Returns the map that is given by a list of graphs on each of some analytic sets.
    #[must_use]
    pub fn new(from: &Analytic, to: &Analytic, pieces: Vec<(Answers, Vec<Graph>)>) -> Self {
        Self { from: from.clone(), to: to.clone(), pieces }
    }

    /// Returns the domain V.
    #[must_use]
    pub fn from(&self) -> &Analytic {
        &self.from
    }

    /// Returns the pieces.
    #[must_use]
    pub fn pieces(&self) -> &[(Answers, Vec<Graph>)] {
        &self.pieces
    }
}

impl Site for CAnalytic {
    type Domain = Analytic;
    type Map = PapMap;
    type Part = Analytic;

    fn source(f: &PapMap) -> &Analytic {
        &f.from
    }
    fn at(f: &PapMap, v: &[Graph], trial: &Trial) -> Result<Vec<Graph>, DiffeologyError> {
        let piece = f.pieces.iter().find(|(answers, _)| holds(answers, v) == Some(true));
        let (_, graphs) = piece.ok_or_else(|| DiffeologyError::NoPiece { point: told_point(v, trial) })?;
        Ok(composed(graphs, v))
    }
    fn identity(of: &Analytic) -> PapMap {
        PapMap::new(of, of, vec![(Answers::new(), coordinates(of.dimension))])
    }
    fn inclusion(of: &Analytic, to: &Analytic) -> Result<PapMap, DiffeologyError> {
        match Self::uncovered(of, std::slice::from_ref(to))? {
            None => Ok(PapMap::new(of, to, vec![(Answers::new(), coordinates(of.dimension))])),
            Some(point) => Err(DiffeologyError::NotCovered { whole: of.to_string(), point }),
        }
    }
    fn constant(from: &Analytic, to: &Analytic, point: &[Graph]) -> PapMap {
        PapMap::new(from, to, vec![(Answers::new(), point.to_vec())])
    }
    /// Returns the pullbacks of the pieces of `g` along each piece of `f`.
    fn then(f: &PapMap, g: &PapMap) -> Result<PapMap, DiffeologyError> {
        DiffeologyError::fits("the second map", f.to.dimension, g.from.dimension)?;
        let onto = |(answers, graphs): &(Answers, Vec<Graph>)| {
            let piece =
                |(more, next): &(Answers, Vec<Graph>)| (and(answers, &along(more, graphs)), composed(next, graphs));
            g.pieces.iter().map(piece).collect::<Vec<_>>()
        };
        Ok(PapMap::new(&f.from, &g.to, f.pieces.iter().flat_map(onto).collect()))
    }

    fn point() -> Analytic {
        Analytic::whole(0)
    }
    fn samples(domain: &Analytic, random: &mut Random, count: usize) -> Vec<Vec<Rational>> {
        let mut found = Vec::new();
        // Rejection sampling, bounded: a set may have no rational point at all.
        for _ in 0..count * PATIENCE {
            let point = domain.candidate(random);
            if domain.contains(&exactly(&point)) == Some(true) {
                found.push(point);
            }
            if found.len() == count {
                break;
            }
        }
        found
    }
    /// Searches at candidates, some of which lie where a guard of the set or of its cover vanishes.
    fn uncovered(whole: &Analytic, cover: &[Analytic]) -> Result<Option<Vec<Rational>>, DiffeologyError> {
        for part in cover {
            DiffeologyError::fits("a part", whole.dimension, part.dimension)?;
        }
        let all = cover.iter().flat_map(|part| part.parts.clone());
        let near = Analytic::new(whole.dimension, whole.parts.iter().cloned().chain(all).collect());
        // A fixed seed: the comparison of two sets must not depend on the caller's random numbers.
        let mut random = Random::new(1);
        for _ in 0..2 * PATIENCE {
            let point = near.candidate(&mut random);
            let u = exactly(&point);
            // A point with an undecided membership is no counterexample.
            let is_out = |part: &Analytic| part.contains(&u) == Some(false);
            if whole.contains(&u) == Some(true) && cover.iter().all(is_out) {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }
    /// Compares two sets. Sets of different dimensions are different.
    fn is_same(a: &Analytic, b: &Analytic) -> Result<bool, DiffeologyError> {
        let within = |a, b| Ok::<_, DiffeologyError>(Self::uncovered(a, std::slice::from_ref(b))?.is_none());
        Ok(a.dimension == b.dimension && within(a, b)? && within(b, a)?)
    }
    fn intersection(a: &Analytic, b: &Analytic) -> Result<Analytic, DiffeologyError> {
        DiffeologyError::fits("the other set", a.dimension, b.dimension)?;
        Ok(a.intersection(b))
    }
    fn part(domain: &Analytic) -> Analytic {
        domain.clone()
    }
    fn everything() -> Analytic {
        // No guard, so the dimension does not matter.
        Analytic { dimension: 0, parts: vec![Answers::new()] }
    }

    fn draw(random: &mut Random) -> Analytic {
        let dimension = 1 + random.below(2);
        let mut parts = Vec::new();
        for _ in 0..1 + random.below(2) {
            let mut answers = Answers::new();
            for _ in 0..random.below(3) {
                let [yes, no] = sides(random, dimension);
                answers.push(if random.chance(50) { yes } else { no });
            }
            parts.push(answers);
        }
        Analytic { dimension, parts }
    }
    /// Draws a polynomial map on each side of a guard. Where its values leave one part of U, the map is constant, with
    /// a value in that part.
    // The constant value must be known to lie in U.
    fn draw_map(random: &mut Random, from: &Analytic, to: &Analytic) -> Option<PapMap> {
        let point = Self::samples(to, random, 1).pop()?;
        let part = to.parts.iter().find(|part| holds(part, &exactly(&point)) == Some(true))?;
        let mut pieces = Vec::new();
        for side in sides(random, from.dimension) {
            let graphs: Vec<_> = (0..to.dimension).map(|_| polynomial(random, from.dimension)).collect();
            let mut answers = vec![side];
            for decided in along(part, &graphs) {
                // Complements are not sets of this site, but each answer of the part can fail as a piece of its own.
                let other = Decided { holds: !decided.holds, ..decided.clone() };
                pieces.push((and(&answers, &vec![other]), exactly(&point)));
                answers.push(decided);
            }
            pieces.push((answers, graphs));
        }
        Some(PapMap::new(from, to, pieces))
    }
    /// Returns the two parts of a partition by a guard.
    fn cover(whole: &Analytic, random: &mut Random) -> Result<Vec<Analytic>, DiffeologyError> {
        let side = |decided: Decided| whole.intersection(&Analytic::new(whole.dimension, vec![vec![decided]]));
        Ok(sides(random, whole.dimension).map(side).into())
    }
    fn apart(random: &mut Random) -> Result<Covered<Analytic>, DiffeologyError> {
        let whole = Self::draw(random);
        let parts = Self::cover(&whole, random)?;
        Ok((whole, parts))
    }
}

impl fmt::Display for Analytic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a c-analytic set of {} parts in ℝ^{}", self.parts.len(), self.dimension)
    }
}
