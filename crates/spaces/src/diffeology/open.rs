//! Open subsets of ℝⁿ: finite unions of open boxes with rational or infinite endpoints.
//!
//! All decisions are exact. The endpoints of all boxes cut space into *cells*: products of endpoints and of intervals
//! between neighbouring endpoints. A box contains a cell or is disjoint from it, so one point of each cell decides
//! whether a cover is one. ℝ⁰ is a single point, the box without sides.

pub use super::interval::OpenInterval;

use super::error::DiffeologyError;
use crate::number::Rational;
use crate::random::SplitMix64;
use std::collections::BTreeSet;
use std::fmt;

/// An open box: one interval for each coordinate.
pub type Cuboid = Vec<OpenInterval>;

/// An open subset of ℝⁿ, as a union of boxes; see the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSet {
    dimension: usize,
    boxes: Vec<Cuboid>,
}

/// The largest number of boxes of an open set. A choice: products and intersections multiply the numbers of boxes.
pub const MAX_OPEN_BOXES: usize = 1024;
/// The largest number of tests "does this box contain this cell?" in a check of a cover. A choice: it bounds the time
/// of the check.
pub const MAX_CELL_TESTS: usize = 1 << 24;
/// The distance of a boundary sample from an endpoint is the width of the interval divided by this number. A choice:
/// near, but an exact short dyadic share.
const BOUNDARY_SHARE: i64 = 1024;

/// Returns `true` if a box contains a point.
fn box_contains(cuboid: &[OpenInterval], x: &[Rational]) -> bool {
    cuboid.iter().zip(x).all(|(side, x)| side.contains(x))
}

/// Returns the intersection of two boxes. Returns `None` if it is empty.
fn intersect_boxes(a: &[OpenInterval], b: &[OpenInterval]) -> Option<Cuboid> {
    let both: Cuboid = a.iter().zip(b).map(|(a, b)| a.intersection(b)).collect();
    both.iter().all(OpenInterval::is_inhabited).then_some(both)
}

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
        for cuboid in &boxes {
            DiffeologyError::check_dimension("a box", dimension, cuboid.len())?;
        }
        let boxes: Vec<_> = boxes.into_iter().filter(|sides| sides.iter().all(OpenInterval::is_inhabited)).collect();
        if boxes.len() > MAX_OPEN_BOXES {
            return Err(DiffeologyError::TooManyBoxes { found: boxes.len(), most: MAX_OPEN_BOXES });
        }
        Ok(Self { dimension, boxes })
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
        Self { dimension: sides.len(), boxes: if inhabited { vec![sides] } else { Vec::new() } }
    }

    /// Returns the dimension n.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the boxes. None of them is empty.
    #[must_use]
    pub fn boxes(&self) -> &[Cuboid] {
        &self.boxes
    }

    /// Returns `true` if the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// Returns `true` if the set contains `x`. A point of another dimension is outside.
    #[must_use]
    pub fn contains(&self, x: &[Rational]) -> bool {
        x.len() == self.dimension && self.boxes.iter().any(|cuboid| box_contains(cuboid, x))
    }

    /// Returns the intersection of two open sets.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the dimensions differ. [`DiffeologyError::TooManyBoxes`] if more than
    /// [`MAX_OPEN_BOXES`] boxes remain.
    pub fn intersection(&self, other: &Self) -> Result<Self, DiffeologyError> {
        DiffeologyError::check_dimension("an open set", self.dimension, other.dimension)?;
        let pairs = self.boxes.iter().flat_map(|a| other.boxes.iter().filter_map(move |b| intersect_boxes(a, b)));
        // One box too many is enough for the error: the product of two large sets is never built.
        let boxes: Vec<_> = pairs.take(MAX_OPEN_BOXES + 1).collect();
        Self::new(self.dimension, boxes)
    }

    /// Returns the union of two open sets.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the dimensions differ. [`DiffeologyError::TooManyBoxes`] if there are more
    /// than [`MAX_OPEN_BOXES`] boxes.
    pub fn union(&self, other: &Self) -> Result<Self, DiffeologyError> {
        Self::new(self.dimension, [&self.boxes[..], &other.boxes[..]].concat())
    }

    /// Returns the product U × V.
    ///
    /// # Errors
    /// [`DiffeologyError::TooManyBoxes`] if there are more than [`MAX_OPEN_BOXES`] boxes.
    pub fn product(&self, other: &Self) -> Result<Self, DiffeologyError> {
        let pairs = self.boxes.iter().flat_map(|a| other.boxes.iter().map(move |b| [&a[..], &b[..]].concat()));
        let boxes = pairs.take(MAX_OPEN_BOXES + 1).collect();
        Self::new(self.dimension + other.dimension, boxes)
    }

    /// Returns the connected components. Boxes are connected, so a component is a class of boxes that overlap along a
    /// chain.
    #[must_use]
    pub fn connected_components(&self) -> Vec<Self> {
        let mut waiting: Vec<&Cuboid> = self.boxes.iter().collect();
        let mut components = Vec::new();
        while let Some(first) = waiting.pop() {
            let (mut boxes, mut next) = (vec![first.clone()], 0);
            // Breadth first: `boxes` is the component so far and also the queue.
            while let Some(cuboid) = boxes.get(next).cloned() {
                let (joined, apart): (Vec<&Cuboid>, _) =
                    waiting.into_iter().partition(|other| intersect_boxes(&cuboid, other).is_some());
                boxes.extend(joined.into_iter().cloned());
                waiting = apart;
                next += 1;
            }
            components.push(Self { dimension: self.dimension, boxes });
        }
        components.reverse();
        components
    }

    /// Returns a point of this set that lies in none of the other sets. Returns `None` if the others cover it.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if a set has another dimension.
    /// - [`DiffeologyError::TooManyCells`] if the check needs more than [`MAX_CELL_TESTS`] tests.
    pub fn find_uncovered_point(&self, cover: &[Self]) -> Result<Option<Vec<Rational>>, DiffeologyError> {
        for piece in cover {
            DiffeologyError::check_dimension("an open set of the cover", self.dimension, piece.dimension)?;
        }
        let all = || std::iter::once(self).chain(cover).flat_map(|open| &open.boxes);
        let sides: Vec<Vec<Rational>> = (0..self.dimension)
            .map(|i| {
                // The endpoints of the set itself count as well: a cell lies in one of its boxes or outside of all.
                let ends: BTreeSet<&Rational> = all().flat_map(|c| [&c[i].lo, &c[i].hi]).flatten().collect();
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

    /// Returns `true` if two open sets have the same points, even if their boxes differ.
    ///
    /// # Errors
    /// [`DiffeologyError::TooManyCells`], as in [`find_uncovered_point`](Self::find_uncovered_point).
    pub fn is_same_set(&self, other: &Self) -> Result<bool, DiffeologyError> {
        let within =
            |a: &Self, b: &Self| Ok::<_, DiffeologyError>(a.find_uncovered_point(std::slice::from_ref(b))?.is_none());
        // Equal boxes need no check of covers; sets of different dimension are different, even if both are empty.
        Ok(self == other || (self.dimension == other.dimension && within(self, other)? && within(other, self)?))
    }

    /// Draws an open set of dimension 1 or 2 that consists of two boxes.
    #[must_use]
    pub fn draw_set(random: &mut SplitMix64) -> Self {
        let dimension = 1 + random.next_below(2);
        let mut cuboid = || -> Cuboid {
            // All sides contain a neighbourhood of −1/2, so the two boxes overlap.
            let side = |random: &mut SplitMix64| match random.next_below(4) {
                0 => OpenInterval::real_line(),
                1 => OpenInterval::ray_above(-1),
                2 => OpenInterval::from_endpoints(-2, random.next_below(3) as i64),
                _ => OpenInterval::from_endpoints(-3, (1, 2)),
            };
            (0..dimension).map(|_| side(random)).collect()
        };
        Self { dimension, boxes: vec![cuboid(), cuboid()] }
    }

    /// Returns sample points: the middle of each box and points near its boundary, a point of each overlap of
    /// neighbours, and short random points. There are `max(count, 1)` points, but none in the empty set and one in ℝ⁰.
    /// The first point is the middle of a box.
    #[must_use]
    pub fn sample_points(&self, random: &mut SplitMix64, count: usize) -> Vec<Vec<Rational>> {
        if self.is_empty() {
            return Vec::new();
        }
        if self.dimension == 0 {
            return vec![Vec::new()];
        }
        let share = |p: i64, q: i64| Rational::from((p, q));
        let at = |cuboid: &Cuboid, share: &Rational| -> Vec<Rational> {
            cuboid.iter().map(|s| s.point_at_ratio(share)).collect()
        };
        let mut points = vec![at(&self.boxes[0], &share(1, 2))];
        let overlaps = self.boxes.windows(2).filter_map(|pair| intersect_boxes(&pair[0], &pair[1]));
        // Neighbours in the list only: all pairs would be quadratic in the number of boxes.
        points.extend(overlaps.map(|both| at(&both, &share(1, 2))));
        for (index, cuboid) in self.boxes.iter().enumerate() {
            // The middle of the first box is there already.
            let shares = [share(1, BOUNDARY_SHARE), share(BOUNDARY_SHARE - 1, BOUNDARY_SHARE), share(1, 2)];
            points.extend(shares.iter().take(if index == 0 { 2 } else { 3 }).map(|share| at(cuboid, share)));
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
        let cuboid = if self.is_empty() { None } else { Some(random.pick(&self.boxes)) }?;
        Some(cuboid.iter().map(|side| side.draw_number(random)).collect())
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
        let cuboid = |sides: &Cuboid| sides.iter().map(OpenInterval::to_string).collect::<Vec<_>>().join(" × ");
        f.write_str(&self.boxes.iter().map(cuboid).collect::<Vec<_>>().join(" ∪ "))
    }
}
