//! Open subsets of ℝⁿ (H Def. 4.1): finite unions of open boxes with rational or infinite endpoints, and of their intersections
//! with open [balls](super::ball) of rational centre and squared radius.
//!
//! All decisions about boxes are exact. The endpoints of all boxes cut space into *cells*: products of endpoints and of
//! intervals between neighbouring endpoints. A box contains a cell or is disjoint from it, so one point of each cell
//! decides whether a cover is one. With balls, cells are split further. ℝ⁰ is a single point, the box without sides.
//!
//! Whether a rational point lies in a ball is exact. An enclosure of a point is inside, outside or, on the rim, neither.
//!
//! # Open intervals with rational or infinite endpoints
//!
//! # Smooth maps V → U between open sets
//!
//! The maps along which plots are reparametrised.

use super::ball::{MAX_PIECE_BALLS, OpenBall, OpenPiece};
use super::smoothness::{
    Membership, Smoothness, draw_direction, format_point, point_membership, rational_point, test_smoothness_at,
};
use super::space::{DiffeologyError, format_rational_point};
use crate::number::{Function, Rational};
use crate::presheaf::{observe, with_stage};
use crate::random::SplitMix64;
use crate::smooth::graph::{Graph, NodeOperation, Variable};
use crate::smooth::map::{DynMap, MapTestConfig, coordinate_graphs, coordinate_variables};
use crate::smooth::substitution::Substitution;
use std::collections::BTreeSet;
use std::fmt;

/// An open box: one interval for each coordinate.
pub type Cuboid = Vec<OpenInterval>;

/// An open subset of ℝⁿ, as a union of pieces: boxes, and boxes cut by balls; see the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSet {
    dimension: usize,
    pieces: Vec<OpenPiece>,
}

/// The largest number of pieces of an open set. A choice: products and intersections multiply the numbers of pieces.
pub const MAX_OPEN_BOXES: usize = 1024;
/// The largest number of tests "does this box contain this cell?" in a check of a cover. A choice: it bounds the time
/// of the check.
pub const MAX_CELL_TESTS: usize = 1 << 24;
impl OpenSet {
    /// Returns the union of boxes. Empty boxes are dropped.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if a box has another number of sides than `dimension`.
    /// - [`DiffeologyError::TooManyBoxes`] if more than [`MAX_OPEN_BOXES`] boxes remain.
    ///
    /// # Examples
    /// ```
    /// use smoothish_spaces::diffeology::open::{OpenInterval, OpenSet};
    /// use smoothish_spaces::number::Rational;
    /// let punctured = OpenSet::new(1, vec![vec![OpenInterval::ray_below(0)], vec![OpenInterval::ray_above(0)]])?;
    /// assert!(punctured.contains(&[Rational::from(1)]) && !punctured.contains(&[Rational::new()]));
    /// assert_eq!(punctured.connected_components().len(), 2);
    /// // with a neighbourhood of 0 it covers the line, and by itself it leaves out 0
    /// let line = OpenSet::whole_space(1);
    /// let middle = OpenSet::from_box(vec![OpenInterval::from_endpoints(-1, 1)]);
    /// assert_eq!(line.find_uncovered_point(&[punctured.clone(), middle])?, None);
    /// assert_eq!(line.find_uncovered_point(&[punctured])?, Some(vec![Rational::new()]));
    /// # Ok::<(), smoothish_spaces::diffeology::DiffeologyError>(())
    /// ```
    pub fn new(dimension: usize, boxes: Vec<Cuboid>) -> Result<Self, DiffeologyError> {
        Self::from_pieces(dimension, boxes.into_iter().map(OpenPiece::from).collect())
    }

    /// Returns the union of pieces. Empty pieces are dropped.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if a box, or the last coordinate of a ball, does not fit `dimension`.
    /// - [`DiffeologyError::TooManyBoxes`] if more than [`MAX_OPEN_BOXES`] pieces remain.
    /// - [`DiffeologyError::TooManyBalls`] if a piece has more than [`MAX_PIECE_BALLS`] balls.
    /// - [`DiffeologyError::NotDecided`] if it is not known whether a piece with several balls is empty.
    ///
    /// # Examples
    /// ```
    /// use smoothish_spaces::diffeology::ball::{OpenBall, OpenPiece};
    /// use smoothish_spaces::diffeology::open::{OpenInterval, OpenSet};
    /// let disc = OpenSet::from_ball(OpenBall::new(vec![0.into(), 0.into()], 1));
    /// assert_eq!(disc.to_string(), "{|x - (0, 0)|² < 1}");
    /// // the half disc x₁ > 0
    /// let sides = vec![OpenInterval::ray_above(0), OpenInterval::real_line()];
    /// let half = disc.intersection(&OpenSet::from_box(sides))?;
    /// assert!(half.contains(&[(1, 2).into(), 0.into()]) && !half.contains(&[0.into(), 0.into()]));
    /// // two half discs leave out a diameter
    /// let sides = vec![OpenInterval::ray_below(0), OpenInterval::real_line()];
    /// let other = disc.intersection(&OpenSet::from_box(sides))?;
    /// let missed = disc.find_uncovered_point(&[half, other])?.expect("a diameter is left out");
    /// assert!(missed[0] == 0 && disc.contains(&missed));
    /// assert_eq!(disc.find_uncovered_point(&[disc.clone()])?, None);
    /// # Ok::<(), smoothish_spaces::diffeology::DiffeologyError>(())
    /// ```
    pub fn from_pieces(dimension: usize, pieces: Vec<OpenPiece>) -> Result<Self, DiffeologyError> {
        let mut inhabited = Vec::with_capacity(pieces.len());
        for piece in pieces {
            DiffeologyError::check_dimension("a box", dimension, piece.sides.len())?;
            for ball in &piece.balls {
                let end = ball.start.saturating_add(ball.centre.len());
                if end > dimension {
                    return Err(DiffeologyError::Dimension { what: "a ball", expected: dimension, found: end });
                }
            }
            if piece.balls.len() > MAX_PIECE_BALLS {
                return Err(DiffeologyError::TooManyBalls { found: piece.balls.len(), most: MAX_PIECE_BALLS });
            }
            if piece.find_point()?.is_some() {
                inhabited.push(piece);
            }
        }
        if inhabited.len() > MAX_OPEN_BOXES {
            return Err(DiffeologyError::TooManyBoxes { found: inhabited.len(), most: MAX_OPEN_BOXES });
        }
        Ok(Self { dimension, pieces: inhabited })
    }

    /// Returns ℝⁿ.
    #[must_use]
    pub fn whole_space(dimension: usize) -> Self {
        Self::from_box(vec![OpenInterval::real_line(); dimension])
    }

    /// Returns the open set of one box. It is empty if the box is empty.
    #[must_use]
    pub fn from_box(sides: Cuboid) -> Self {
        let inhabited = sides.iter().all(OpenInterval::is_inhabited);
        Self { dimension: sides.len(), pieces: if inhabited { vec![sides.into()] } else { Vec::new() } }
    }

    /// Returns the open set of one ball in ℝⁿ, n the last coordinate of the ball. It is empty unless the squared radius is
    /// positive.
    #[must_use]
    pub fn from_ball(ball: OpenBall) -> Self {
        let dimension = ball.start + ball.centre.len();
        let sides = vec![OpenInterval::real_line(); dimension];
        let inhabited = ball.is_inhabited();
        let piece = OpenPiece { sides, balls: vec![ball] };
        Self { dimension, pieces: if inhabited { vec![piece] } else { Vec::new() } }
    }

    /// Returns the dimension n.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the pieces. None of them is empty.
    #[must_use]
    pub fn pieces(&self) -> &[OpenPiece] {
        &self.pieces
    }

    /// Returns `true` if the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns `true` if the set contains `x`. A point of another dimension is outside.
    #[must_use]
    pub fn contains(&self, x: &[Rational]) -> bool {
        x.len() == self.dimension && self.pieces.iter().any(|piece| piece.contains(x))
    }

    /// Returns the intersection of two open sets.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the dimensions differ; those of [`OpenSet::from_pieces`].
    pub fn intersection(&self, other: &Self) -> Result<Self, DiffeologyError> {
        DiffeologyError::check_dimension("an open set", self.dimension, other.dimension)?;
        let pairs = self.pieces.iter().flat_map(|a| other.pieces.iter().map(move |b| a.intersection(b)));
        let is_inhabited = |piece: &OpenPiece| piece.sides.iter().all(OpenInterval::is_inhabited);
        // One piece too many is enough for the error: the product of two large sets is never built.
        let pieces: Vec<_> = pairs.filter(is_inhabited).take(MAX_OPEN_BOXES + 1).collect();
        Self::from_pieces(self.dimension, pieces)
    }

    /// Returns the union of two open sets.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the dimensions differ. [`DiffeologyError::TooManyBoxes`] if there are more
    /// than [`MAX_OPEN_BOXES`] pieces.
    pub fn union(&self, other: &Self) -> Result<Self, DiffeologyError> {
        Self::from_pieces(self.dimension, [&self.pieces[..], &other.pieces[..]].concat())
    }

    /// Returns the product U × V.
    ///
    /// # Errors
    /// Those of [`OpenSet::from_pieces`].
    pub fn product(&self, other: &Self) -> Result<Self, DiffeologyError> {
        let pairs = self.pieces.iter().flat_map(|a| other.pieces.iter().map(move |b| a.product(b)));
        let pieces = pairs.take(MAX_OPEN_BOXES + 1).collect();
        Self::from_pieces(self.dimension + other.dimension, pieces)
    }

    /// Returns the connected components. Pieces are connected, so a component is a class of pieces that overlap along a
    /// chain. Pieces whose overlap is not decided count as disjoint.
    #[must_use]
    pub fn connected_components(&self) -> Vec<Self> {
        let mut waiting: Vec<&OpenPiece> = self.pieces.iter().collect();
        let mut components = Vec::new();
        while let Some(first) = waiting.pop() {
            let (mut pieces, mut next) = (vec![first.clone()], 0);
            // Breadth first: `pieces` is the component so far and also the queue.
            while let Some(piece) = pieces.get(next).cloned() {
                let (joined, apart): (Vec<&OpenPiece>, _) = waiting
                    .into_iter()
                    .partition(|other| piece.intersection(other).find_point().is_ok_and(|point| point.is_some()));
                pieces.extend(joined.into_iter().cloned());
                waiting = apart;
                next += 1;
            }
            components.push(Self { dimension: self.dimension, pieces });
        }
        components.reverse();
        components
    }

    /// Returns a point of this set that lies in none of the other sets. Returns `None` if the others cover it.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if a set has another dimension.
    /// - [`DiffeologyError::TooManyCells`] if the check needs more than [`MAX_CELL_TESTS`] tests.
    /// - [`DiffeologyError::NotDecided`] if balls touch in a way that subdivision does not decide.
    pub fn find_uncovered_point(&self, cover: &[Self]) -> Result<Option<Vec<Rational>>, DiffeologyError> {
        for piece in cover {
            DiffeologyError::check_dimension("an open set of the cover", self.dimension, piece.dimension)?;
        }
        let all = || std::iter::once(self).chain(cover).flat_map(|open| &open.pieces);
        if all().any(|piece| !piece.balls.is_empty()) {
            let cover: Vec<&OpenPiece> = cover.iter().flat_map(|open| &open.pieces).collect();
            for piece in &self.pieces {
                if let Some(point) = piece.find_uncovered_point(&cover)? {
                    return Ok(Some(point));
                }
            }
            return Ok(None);
        }
        let sides: Vec<Vec<Rational>> = (0..self.dimension)
            .map(|i| {
                // The endpoints of the set itself count as well: a cell lies in one of its boxes or outside of all.
                let ends: BTreeSet<&Rational> =
                    all().flat_map(|c| [&c.sides[i].lo, &c.sides[i].hi]).flatten().collect();
                cell_points(&ends.into_iter().collect::<Vec<_>>())
            })
            .collect();
        let count = sides.iter().try_fold(all().count().max(1), |n, side| n.checked_mul(side.len()));
        if count.is_none_or(|n| n > MAX_CELL_TESTS) {
            return Err(DiffeologyError::TooManyCells { most: MAX_CELL_TESTS });
        }
        let mut place = vec![0; self.dimension];
        loop {
            let x: Vec<Rational> = place.iter().zip(&sides).map(|(&k, side)| side[k].clone()).collect();
            if self.contains(&x) && !cover.iter().any(|piece| piece.contains(&x)) {
                return Ok(Some(x));
            }
            // the next cell, the first coordinate running fastest
            let Some(moving) = (0..self.dimension).find(|&i| place[i] + 1 < sides[i].len()) else { return Ok(None) };
            place[moving] += 1;
            place[..moving].fill(0);
        }
    }

    /// Returns `true` if two open sets have the same points, even if their pieces differ.
    ///
    /// # Errors
    /// Those of [`find_uncovered_point`](Self::find_uncovered_point).
    pub fn is_same_set(&self, other: &Self) -> Result<bool, DiffeologyError> {
        let within =
            |a: &Self, b: &Self| Ok::<_, DiffeologyError>(a.find_uncovered_point(std::slice::from_ref(b))?.is_none());
        // Equal pieces need no check of covers; sets of different dimension are different, even if both are empty.
        Ok(self == other || (self.dimension == other.dimension && within(self, other)? && within(other, self)?))
    }

    /// Draws an open set of dimension 1 or 2 that consists of two pieces: boxes, and in a third of the draws a ball.
    #[must_use]
    pub fn draw_set(random: &mut SplitMix64) -> Self {
        let dimension = 1 + random.next_below(2);
        let mut piece = || -> OpenPiece {
            // All pieces contain a neighbourhood of the point whose coordinates are −1/2, so the two overlap.
            if random.next_below(3) == 0 {
                let centre = (0..dimension).map(|_| *random.pick(&[(-1, 1), (-1, 2), (0, 1)])).map(Rational::from);
                let centre = centre.collect();
                return OpenPiece::from_ball(OpenBall::new(centre, *random.pick(&[(1, 1), (2, 1), (9, 4)])));
            }
            let side = |random: &mut SplitMix64| match random.next_below(4) {
                0 => OpenInterval::real_line(),
                1 => OpenInterval::ray_above(-1),
                2 => OpenInterval::from_endpoints(-2, random.next_below(3) as i64),
                _ => OpenInterval::from_endpoints(-3, (1, 2)),
            };
            (0..dimension).map(|_| side(random)).collect::<Cuboid>().into()
        };
        Self { dimension, pieces: vec![piece(), piece()] }
    }

    /// Returns sample points: the middle of each piece and points near its boundary, a point of each overlap of
    /// neighbours, and short random points. There are `max(count, 1)` points, but none in the empty set and one in ℝ⁰.
    /// The first point is the middle of a piece.
    #[must_use]
    pub fn sample_points(&self, random: &mut SplitMix64, count: usize) -> Vec<Vec<Rational>> {
        if self.is_empty() {
            return Vec::new();
        }
        if self.dimension == 0 {
            return vec![Vec::new()];
        }
        let mut points = vec![self.pieces[0].middle_point()];
        // Neighbours in the list only: all pairs would be quadratic in the number of pieces.
        points.extend(
            self.pieces.windows(2).filter_map(|pair| pair[0].intersection(&pair[1]).find_point().ok().flatten()),
        );
        for (index, piece) in self.pieces.iter().enumerate() {
            points.extend(piece.points_near_boundary(random));
            // The middle of the first piece is there already.
            points.extend((index > 0).then(|| piece.middle_point()));
        }
        // half of the points are random
        while points.len() > (count / 2).max(1) {
            points.swap_remove(1 + random.next_below(points.len() - 1));
        }
        while points.len() < count {
            points.push(self.draw_point(random).unwrap_or_default());
        }
        points
    }

    /// Draws a point, one with short coordinates if possible. Returns `None` if the set is empty.
    #[must_use]
    pub fn draw_point(&self, random: &mut SplitMix64) -> Option<Vec<Rational>> {
        let piece = if self.is_empty() { None } else { Some(random.pick(&self.pieces)) }?;
        Some(piece.draw_point(random))
    }
}

/// Returns one point of each cell of a line that is cut at the sorted points `ends`.
fn cell_points(ends: &[&Rational]) -> Vec<Rational> {
    // An uncut line is a single cell.
    let (Some(first), Some(last)) = (ends.first(), ends.last()) else { return vec![Rational::new()] };
    let mut cells = vec![Rational::from(*first - 1)];
    for (i, end) in ends.iter().enumerate() {
        cells.push((*end).clone());
        cells.push(match ends.get(i + 1) {
            Some(next) => Rational::from(*end + *next) / 2,
            None => Rational::from(*last + 1),
        });
    }
    cells
}

impl fmt::Display for OpenSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("∅");
        }
        if *self == Self::whole_space(self.dimension) {
            return write!(f, "ℝ^{}", self.dimension);
        }
        f.write_str(&self.pieces.iter().map(OpenPiece::to_string).collect::<Vec<_>>().join(" ∪ "))
    }
}

/// An open interval. An endpoint `None` lies at infinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenInterval {
    /// The lower endpoint; `None` for −∞.
    pub lo: Option<Rational>,
    /// The upper endpoint; `None` for ∞.
    pub hi: Option<Rational>,
}

impl OpenInterval {
    /// Returns ℝ.
    #[must_use]
    pub fn real_line() -> Self {
        Self { lo: None, hi: None }
    }

    /// Returns (lo, hi).
    #[must_use]
    pub fn from_endpoints(lo: impl Into<Rational>, hi: impl Into<Rational>) -> Self {
        Self { lo: Some(lo.into()), hi: Some(hi.into()) }
    }

    /// Returns (lo, ∞).
    #[must_use]
    pub fn ray_above(lo: impl Into<Rational>) -> Self {
        Self { lo: Some(lo.into()), hi: None }
    }

    /// Returns (−∞, hi).
    #[must_use]
    pub fn ray_below(hi: impl Into<Rational>) -> Self {
        Self { lo: None, hi: Some(hi.into()) }
    }

    /// Returns `true` if the interval is not empty.
    #[must_use]
    pub fn is_inhabited(&self) -> bool {
        !matches!((&self.lo, &self.hi), (Some(lo), Some(hi)) if lo >= hi)
    }

    /// Returns `true` if the interval contains `x`.
    #[must_use]
    pub fn contains(&self, x: &Rational) -> bool {
        self.lo.as_ref().is_none_or(|lo| lo < x) && self.hi.as_ref().is_none_or(|hi| x < hi)
    }

    /// Returns the intersection of two intervals. It may be empty.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        let largest = |a: &Option<Rational>, b: &Option<Rational>| match (a, b) {
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let smallest = |a: &Option<Rational>, b: &Option<Rational>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Self { lo: largest(&self.lo, &other.lo), hi: smallest(&self.hi, &other.hi) }
    }

    /// Returns the endpoints of a bounded part. The part keeps all finite endpoints of the interval.
    #[must_use]
    // The widths 2 and 4 are a choice: kinks of test functions lie mostly at small integers.
    pub fn bounded_endpoints(&self) -> [Rational; 2] {
        match (&self.lo, &self.hi) {
            (Some(lo), Some(hi)) => [lo.clone(), hi.clone()],
            (Some(lo), None) => [lo.clone(), Rational::from(lo + 2)],
            (None, Some(hi)) => [Rational::from(hi - 2), hi.clone()],
            (None, None) => [Rational::from(-2), Rational::from(2)],
        }
    }

    /// Returns the point that divides the bounded part in the ratio `share`, which lies between 0 and 1.
    pub(super) fn point_at_ratio(&self, share: &Rational) -> Rational {
        let [lo, hi] = self.bounded_endpoints();
        let width = Rational::from(&hi - &lo);
        lo + width * share
    }

    /// Returns a random number in the interval, where integers are more likely than other numbers. The interval must
    /// not be empty.
    // Kinks lie at integers, and 0 is the commonest: a third of the draws are 0, a third small integers, the rest
    // sixteenths.
    pub(super) fn draw_number(&self, random: &mut SplitMix64) -> Rational {
        let short = match random.next_below(3) {
            0 => Rational::new(),
            1 => Rational::from(random.next_below(5) as i64 - 2),
            _ => Rational::from((random.next_below(65) as i64 - 32, 16)),
        };
        // A short number may lie outside of a narrow interval: then one of 31 equidistant inner points.
        if self.contains(&short) {
            short
        } else {
            self.point_at_ratio(&Rational::from((1 + random.next_below(31) as i64, 32)))
        }
    }
}

impl fmt::Display for OpenInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end =
            |end: &Option<Rational>, infinite: &str| end.as_ref().map_or(infinite.to_owned(), ToString::to_string);
        write!(f, "({}, {})", end(&self.lo, "-∞"), end(&self.hi, "∞"))
    }
}

/// A smooth map V → U, with one graph over the [`coordinate_graphs`] of V for each coordinate of U.
#[derive(Clone, Debug)]
pub struct Reparametrisation {
    domain: OpenSet,
    codomain: OpenSet,
    graphs: Vec<Graph>,
}

impl Reparametrisation {
    /// Creates the map with the given graphs over the coordinates, and tests it at sample points of V.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if the number of graphs is not the dimension of U.
    /// - [`DiffeologyError::Map`] if a graph mentions a variable that is no coordinate of V.
    /// - [`DiffeologyError::LeavesCodomain`] if a value at a sample point certainly lies outside of U.
    /// - [`DiffeologyError::NotSmooth`] if a derivative at a sample point certainly does not exist.
    pub fn new(
        from: &OpenSet,
        to: &OpenSet,
        graphs: Vec<Graph>,
        trial: &MapTestConfig,
    ) -> Result<Self, DiffeologyError> {
        DiffeologyError::check_dimension("the list of graphs", to.dimension(), graphs.len())?;
        // Built for the check of its variables only.
        DynMap::of_graphs(&coordinate_variables(from.dimension()), &graphs)?;
        let map = Self { domain: from.clone(), codomain: to.clone(), graphs };
        let mut random = SplitMix64::new(trial.seed);
        for x in from.sample_points(&mut random, trial.sample_points as usize) {
            let value = map.value_at(&rational_point(&x));
            // An undecided point is no error: only certain faults are reported.
            if point_membership(&value, to, trial)? == Membership::Outside {
                let value = format_point(&value, trial);
                return Err(DiffeologyError::LeavesCodomain {
                    to: to.to_string(),
                    at: format_rational_point(&x),
                    value,
                });
            }
            let along = draw_direction(&mut random, x.len());
            if let Smoothness::Refuted { witness, left, right } = test_smoothness_at(&map.graphs, &x, &along, trial)? {
                return Err(DiffeologyError::NotSmooth { witness, left, right });
            }
        }
        Ok(map)
    }

    /// Returns `id : U → U`.
    #[must_use]
    pub fn identity(of: &OpenSet) -> Self {
        Self { domain: of.clone(), codomain: of.clone(), graphs: coordinate_graphs(of.dimension()) }
    }

    /// Returns the inclusion of V in U.
    ///
    /// # Errors
    /// [`DiffeologyError::NotCovered`] if a point of V is not in U; the errors of [`OpenSet::find_uncovered_point`].
    pub fn inclusion(of: &OpenSet, to: &OpenSet) -> Result<Self, DiffeologyError> {
        match of.find_uncovered_point(std::slice::from_ref(to))? {
            None => Ok(Self { domain: of.clone(), codomain: to.clone(), graphs: coordinate_graphs(of.dimension()) }),
            Some(point) => Err(DiffeologyError::NotCovered { whole: of.to_string(), point }),
        }
    }

    /// Returns the constant map to `point`. The caller guarantees that `point` lies in U.
    #[must_use]
    pub fn constant_map(from: &OpenSet, to: &OpenSet, point: &[Graph]) -> Self {
        Self { domain: from.clone(), codomain: to.clone(), graphs: point.to_vec() }
    }

    /// Draws a smooth map. Returns `None` if U is empty and V is not: then there is no map.
    #[must_use]
    pub fn draw_map(random: &mut SplitMix64, from: &OpenSet, to: &OpenSet) -> Option<Self> {
        // One random piece of U: all of V is mapped smoothly into it.
        let piece = if to.is_empty() { None } else { Some(random.pick(to.pieces())) };
        if piece.is_none() && !from.is_empty() {
            return None;
        }
        let graphs = piece.map_or_else(
            // V and U are both empty, and any graphs give the empty map.
            || vec![Graph::integer(0); to.dimension()],
            |piece| {
                let free = piece.sides.iter().map(|_| draw_smooth_graph(random, from.dimension())).collect::<Vec<_>>();
                map_into_piece(piece, &free)
            },
        );
        Some(Self { domain: from.clone(), codomain: to.clone(), graphs })
    }

    /// Returns the domain V.
    #[must_use]
    pub fn domain(&self) -> &OpenSet {
        &self.domain
    }

    /// Returns the codomain U.
    #[must_use]
    pub fn codomain(&self) -> &OpenSet {
        &self.codomain
    }

    /// Returns the components, as graphs over the coordinates of V.
    #[must_use]
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// Returns the value at a point of V, given by closed graphs.
    #[must_use]
    pub fn value_at(&self, v: &[Graph]) -> Vec<Graph> {
        compose_graphs(&self.graphs, v)
    }

    /// Returns `f;g`, for g : U → W.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the dimensions do not match. The sets themselves are not compared.
    pub fn then(&self, g: &Self) -> Result<Self, DiffeologyError> {
        DiffeologyError::check_dimension("the second map", self.codomain.dimension(), g.domain.dimension())?;
        Ok(Self {
            domain: self.domain.clone(),
            codomain: g.codomain.clone(),
            graphs: compose_graphs(&g.graphs, &self.graphs),
        })
    }

    /// Composes graphs over the coordinates of U with this map. The results are graphs over the coordinates of V.
    #[must_use]
    pub fn pull_back(&self, graphs: &[Graph]) -> Vec<Graph> {
        compose_graphs(graphs, &self.graphs)
    }

    /// Returns the substitution of the coordinates of U by the components of this map.
    #[must_use]
    pub fn coordinate_bindings(&self) -> Vec<(Variable, Graph)> {
        bind_coordinates(&self.graphs)
    }
}

/// Pairs the coordinates with their replacements. A coordinate that is replaced by itself is left out, so that
/// identities keep graphs shared.
fn bind_coordinates(inner: &[Graph]) -> Vec<(Variable, Graph)> {
    let moved = |(v, g): &(Variable, Graph)| !matches!(g.operation(), NodeOperation::Variable(w) if w == v);
    coordinate_variables(inner.len()).into_iter().zip(inner.iter().cloned()).filter(moved).collect()
}

/// Substitutes `inner` for the coordinates in each graph of `outer`.
#[must_use]
pub fn compose_graphs(outer: &[Graph], inner: &[Graph]) -> Vec<Graph> {
    let bindings = bind_coordinates(inner);
    let mut substitution = Substitution::new(&bindings);
    outer.iter().map(|g| substitution.apply(g)).collect()
}

/// Draws a graph over n coordinates that is smooth everywhere. Half of the draws are affine with integer coefficients,
/// so that their values hit the integers, where kinks lie.
#[must_use]
pub fn draw_smooth_graph(random: &mut SplitMix64, dimension: usize) -> Graph {
    if random.random_bool(50) {
        let mut integer = || Graph::integer(random.next_below(5) as i64 - 2);
        let start = integer();
        return coordinate_graphs(dimension).iter().fold(start, |sum, x| &sum + integer() * x);
    }
    with_stage(dimension, |stage| observe::draw_real_map(random, stage).components()[0].clone())
}

/// Maps a number smoothly into an open interval, where `x` may be any graph.
#[must_use]
pub fn map_into_interval(interval: &OpenInterval, x: &Graph) -> Graph {
    let add = |q: Rational, g: &Graph| Graph::rational(q) + g;
    let times = |q: Rational, g: &Graph| Graph::rational(q) * g;
    // The distances 1/8 from a single endpoint, and 7/8 of the half-width, keep the value strictly inside.
    let eighth = || Rational::from((1, 8));
    let square = || x * x;
    match (&interval.lo, &interval.hi) {
        (None, None) => x.clone(),
        (Some(lo), None) => add(lo + eighth(), &square()),
        (None, Some(hi)) => add(hi - eighth(), &(-square())),
        (Some(lo), Some(hi)) => {
            let (middle, half) = (Rational::from(lo + hi) / 2, Rational::from(hi - lo) / 2);
            add(middle, &times(half * Rational::from((7, 8)), &Graph::function(Function::Sin, x)))
        }
    }
}

/// Maps numbers smoothly into a piece, one graph for each coordinate.
///
/// The coordinates of balls go to a ball in the piece by `u ↦ c + 7/8·r·u/√(1 + |u|²)`: to the ball itself if nothing else bounds
/// them, otherwise to one around a point of the piece.
#[must_use]
pub fn map_into_piece(piece: &OpenPiece, x: &[Graph]) -> Vec<Graph> {
    let mut mapped: Vec<Graph> = piece.sides.iter().zip(x).map(|(side, x)| map_into_interval(side, x)).collect();
    for ball in piece.inner_balls() {
        let own = ball.start..ball.start + ball.centre.len();
        let square = |g: &Graph| g * g;
        let sum = x[own.clone()].iter().fold(Graph::integer(1), |sum, x| &sum + square(x));
        // 7/8 of the radius, as of a half-width, keeps the value strictly inside
        let radius = Graph::function(Function::Sqrt, &Graph::rational(ball.squared_radius * Rational::from((49, 64))));
        let scale = &radius / Graph::function(Function::Sqrt, &sum);
        for (index, centre) in own.zip(ball.centre) {
            let offset = &scale * &x[index];
            mapped[index] = Graph::rational(centre) + &offset;
        }
    }
    mapped
}
