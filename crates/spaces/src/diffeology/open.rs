//! Open subsets of ℝⁿ: finite unions of open boxes with rational or infinite ends.
//!
//! Everything here is decided exactly. The ends of all boxes cut space into *cells*, products of the intervals between
//! neighbouring ends and of the ends themselves; a box contains all of a cell or nothing of it, so a cover is checked at one
//! point of each. ℝ⁰ is a point, and has one box, without sides.

pub use super::interval::Interval;

use super::error::DiffeologyError;
use crate::number::Rational;
use crate::random::Random;
use std::collections::BTreeSet;
use std::fmt;

/// An open box: an interval for each coordinate.
pub type Cuboid = Vec<Interval>;

/// An open subset of ℝⁿ; see the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    dimension: usize,
    boxes: Vec<Cuboid>,
}

/// The most boxes of an open set.
pub const MOST_BOXES: usize = 1024;
/// The most questions whether a cell lies in a box that a cover is checked by.
pub const MOST_QUESTIONS: usize = 1 << 24;
/// How close to an end of its interval a sample at the edge lies, as a share of the width.
const EDGE: i64 = 1024;

/// Whether a box contains a point.
fn holds(cuboid: &[Interval], x: &[Rational]) -> bool {
    cuboid.iter().zip(x).all(|(side, x)| side.contains(x))
}

fn meet(a: &[Interval], b: &[Interval]) -> Option<Cuboid> {
    let both: Cuboid = a.iter().zip(b).map(|(a, b)| a.intersection(b)).collect();
    both.iter().all(Interval::is_inhabited).then_some(both)
}

impl Open {
    /// The union of boxes. Boxes without a point are dropped.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] for a box with another number of sides; [`DiffeologyError::TooManyBoxes`].
    ///
    /// # Examples
    /// ```
    /// use smoothish_spaces::diffeology::open::{Interval, Open};
    /// use smoothish_spaces::number::Rational;
    /// let punctured = Open::new(1, vec![vec![Interval::below(0)], vec![Interval::above(0)]])?;
    /// assert!(punctured.contains(&[Rational::from(1)]) && !punctured.contains(&[Rational::new()]));
    /// assert_eq!(punctured.components().len(), 2);
    /// // with a neighbourhood of 0 it covers the line, and by itself it leaves out 0
    /// let line = Open::whole(1);
    /// let middle = Open::cuboid(vec![Interval::between(-1, 1)]);
    /// assert_eq!(line.uncovered(&[punctured.clone(), middle])?, None);
    /// assert_eq!(line.uncovered(&[punctured])?, Some(vec![Rational::new()]));
    /// # Ok::<(), smoothish_spaces::diffeology::DiffeologyError>(())
    /// ```
    pub fn new(dimension: usize, boxes: Vec<Cuboid>) -> Result<Self, DiffeologyError> {
        for cuboid in &boxes {
            DiffeologyError::fits("a box", dimension, cuboid.len())?;
        }
        let boxes: Vec<_> = boxes.into_iter().filter(|sides| sides.iter().all(Interval::is_inhabited)).collect();
        if boxes.len() > MOST_BOXES {
            return Err(DiffeologyError::TooManyBoxes { found: boxes.len(), most: MOST_BOXES });
        }
        Ok(Self { dimension, boxes })
    }

    /// ℝⁿ
    #[must_use]
    pub fn whole(dimension: usize) -> Self {
        Self::cuboid(vec![Interval::line(); dimension])
    }

    /// One box.
    #[must_use]
    pub fn cuboid(sides: Cuboid) -> Self {
        let inhabited = sides.iter().all(Interval::is_inhabited);
        Self { dimension: sides.len(), boxes: if inhabited { vec![sides] } else { Vec::new() } }
    }

    /// The dimension n.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The boxes, none of them without a point.
    #[must_use]
    pub fn boxes(&self) -> &[Cuboid] {
        &self.boxes
    }

    /// Whether there is no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// Whether a point is in it.
    #[must_use]
    pub fn contains(&self, x: &[Rational]) -> bool {
        x.len() == self.dimension && self.boxes.iter().any(|cuboid| holds(cuboid, x))
    }

    /// The points of both.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] and [`DiffeologyError::TooManyBoxes`].
    pub fn intersection(&self, other: &Self) -> Result<Self, DiffeologyError> {
        DiffeologyError::fits("an open set", self.dimension, other.dimension)?;
        let pairs = self.boxes.iter().flat_map(|a| other.boxes.iter().filter_map(move |b| meet(a, b)));
        let boxes: Vec<_> = pairs.take(MOST_BOXES + 1).collect();
        Self::new(self.dimension, boxes)
    }

    /// The points of either.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] and [`DiffeologyError::TooManyBoxes`].
    pub fn union(&self, other: &Self) -> Result<Self, DiffeologyError> {
        Self::new(self.dimension, [&self.boxes[..], &other.boxes[..]].concat())
    }

    /// U × V
    ///
    /// # Errors
    /// [`DiffeologyError::TooManyBoxes`]
    pub fn product(&self, other: &Self) -> Result<Self, DiffeologyError> {
        let pairs = self.boxes.iter().flat_map(|a| other.boxes.iter().map(move |b| [&a[..], &b[..]].concat()));
        let boxes = pairs.take(MOST_BOXES + 1).collect();
        Self::new(self.dimension + other.dimension, boxes)
    }

    /// The connected components: the classes of boxes that are joined by overlaps.
    #[must_use]
    pub fn components(&self) -> Vec<Self> {
        let mut waiting: Vec<&Cuboid> = self.boxes.iter().collect();
        let mut components = Vec::new();
        while let Some(first) = waiting.pop() {
            let (mut boxes, mut next) = (vec![first.clone()], 0);
            while let Some(cuboid) = boxes.get(next).cloned() {
                let (joined, apart): (Vec<&Cuboid>, _) =
                    waiting.into_iter().partition(|other| meet(&cuboid, other).is_some());
                boxes.extend(joined.into_iter().cloned());
                waiting = apart;
                next += 1;
            }
            components.push(Self { dimension: self.dimension, boxes });
        }
        components.reverse();
        components
    }

    /// A point of this set that is in none of the others; `None` when they cover it.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`]; [`DiffeologyError::TooManyCells`] when there are more than [`MOST_QUESTIONS`].
    pub fn uncovered(&self, cover: &[Self]) -> Result<Option<Vec<Rational>>, DiffeologyError> {
        for piece in cover {
            DiffeologyError::fits("an open set of the cover", self.dimension, piece.dimension)?;
        }
        let all = || std::iter::once(self).chain(cover).flat_map(|open| &open.boxes);
        let sides: Vec<Vec<Rational>> = (0..self.dimension)
            .map(|i| {
                let ends: BTreeSet<&Rational> = all().flat_map(|c| [&c[i].lo, &c[i].hi]).flatten().collect();
                cells(&ends.into_iter().collect::<Vec<_>>())
            })
            .collect();
        let count = sides.iter().try_fold(all().count().max(1), |n, side| n.checked_mul(side.len()));
        if count.is_none_or(|n| n > MOST_QUESTIONS) {
            return Err(DiffeologyError::TooManyCells { most: MOST_QUESTIONS });
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

    /// Whether two open sets have the same points.
    ///
    /// # Errors
    /// [`DiffeologyError::TooManyCells`], as for [`uncovered`](Self::uncovered).
    pub fn is_same_set(&self, other: &Self) -> Result<bool, DiffeologyError> {
        let within = |a: &Self, b: &Self| Ok::<_, DiffeologyError>(a.uncovered(std::slice::from_ref(b))?.is_none());
        Ok(self == other || (self.dimension == other.dimension && within(self, other)? && within(other, self)?))
    }

    /// A random open set of dimension 1 or 2, of one or two boxes.
    #[must_use]
    pub fn draw(random: &mut Random) -> Self {
        let dimension = 1 + random.below(2);
        let mut cuboid = || -> Cuboid {
            let side = |random: &mut Random| match random.below(4) {
                0 => Interval::line(),
                1 => Interval::above(-1),
                2 => Interval::between(-2, random.below(3) as i64),
                _ => Interval::between(-3, (1, 2)),
            };
            (0..dimension).map(|_| side(random)).collect()
        };
        Self { dimension, boxes: vec![cuboid(), cuboid()] }
    }

    /// Some points: in every box the middle and points near its edges, a point in every overlap of neighbours, and short
    /// random ones. At most `count`, and fewer only of what has no point or just one; the first is the middle of a box.
    #[must_use]
    pub fn samples(&self, random: &mut Random, count: usize) -> Vec<Vec<Rational>> {
        if self.is_empty() {
            return Vec::new();
        }
        if self.dimension == 0 {
            return vec![Vec::new()];
        }
        let share = |p: i64, q: i64| Rational::from((p, q));
        let at = |cuboid: &Cuboid, share: &Rational| -> Vec<Rational> { cuboid.iter().map(|s| s.at(share)).collect() };
        let mut points = vec![at(&self.boxes[0], &share(1, 2))];
        let overlaps = self.boxes.windows(2).filter_map(|pair| meet(&pair[0], &pair[1]));
        points.extend(overlaps.map(|both| at(&both, &share(1, 2))));
        for (index, cuboid) in self.boxes.iter().enumerate() {
            let shares = [share(1, EDGE), share(EDGE - 1, EDGE), share(1, 2)];
            points.extend(shares.iter().take(if index == 0 { 2 } else { 3 }).map(|share| at(cuboid, share)));
        }
        // half of the points are random
        while points.len() > (count / 2).max(1) {
            points.swap_remove(1 + random.below(points.len() - 1));
        }
        while points.len() < count {
            points.push(self.sample(random).unwrap_or_default());
        }
        points
    }

    /// A random point, short where there is a short one.
    #[must_use]
    pub fn sample(&self, random: &mut Random) -> Option<Vec<Rational>> {
        let cuboid = if self.is_empty() { None } else { Some(random.pick(&self.boxes)) }?;
        Some(cuboid.iter().map(|side| side.sample(random)).collect())
    }
}

/// A point of each cell of a line that is cut at these ends, which are sorted.
fn cells(ends: &[&Rational]) -> Vec<Rational> {
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

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("∅");
        }
        if *self == Self::whole(self.dimension) {
            return write!(f, "ℝ^{}", self.dimension);
        }
        let cuboid = |sides: &Cuboid| sides.iter().map(Interval::to_string).collect::<Vec<_>>().join(" × ");
        f.write_str(&self.boxes.iter().map(cuboid).collect::<Vec<_>>().join(" ∪ "))
    }
}
