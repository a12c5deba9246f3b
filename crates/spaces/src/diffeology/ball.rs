//! Open balls with rational centres and rational squared radii, and the pieces of open sets: boxes cut by finitely many balls.
//!
//! A [`OpenBall`] bounds the coordinates from [`OpenBall::start`] on. So a product with a ball is a piece again, and so is an
//! intersection. A piece is convex, hence connected.
//!
//! | question | answer |
//! |---|---|
//! | is a rational point in a piece? | exact |
//! | does a box, or a ball, lie in a ball? a ball in a half-space? | exact: inequalities between rational numbers |
//! | do two balls meet? a ball and a box? | exact |
//! | is a piece with more balls empty? is a cover with balls one? | by subdivision of cells, or *not decided* |
//!
//! Cells are products of points and open intervals. On a cell the squared distance from a centre has exact rational bounds. A
//! cell is dropped if they decide it, and its midpoint is tried as a witness; otherwise it is split. After [`MAX_CELLS`] cells
//! the answer is [`DiffeologyError::NotDecided`], with the midpoint of a cell that is left. That happens at rims that touch.

use super::open::{Cuboid, OpenInterval};
use super::smoothness::{Membership, draw_direction};
use super::space::{DiffeologyError, format_rational_point};
use crate::number::{Enclosure, Rational};
use crate::random::SplitMix64;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;

/// The largest number of cells that are examined for one piece. A choice: slivers of a thousandth of a disc are found.
pub const MAX_CELLS: usize = 20_000;
/// The largest number of balls of a piece. A choice: intersections add up their balls.
pub const MAX_PIECE_BALLS: usize = 32;

/// The distance of a boundary sample from an endpoint is the width of the interval divided by this number. A choice:
/// near, but an exact short dyadic share.
const BOUNDARY_SHARE: i64 = 1024;

/// An open ball `{x | |(x_start, …, x_{start+n−1}) − centre|² < squared radius}`, n the length of the centre.
///
/// # Examples
/// ```
/// use smoothish_spaces::diffeology::ball::OpenBall;
/// use smoothish_spaces::number::Rational;
/// let disc = OpenBall::new(vec![0.into(), 0.into()], 1);
/// let at = |p: i64, q: i64| [Rational::from((p, 5)), Rational::from((q, 5))];
/// // (3/5, 4/5) lies on the rim
/// assert!(disc.contains(&at(3, 3)) && !disc.contains(&at(3, 4)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenBall {
    /// The index of the first coordinate that is bounded.
    pub start: usize,
    /// The centre.
    pub centre: Vec<Rational>,
    /// The square of the radius. The ball is empty unless it is positive.
    pub squared_radius: Rational,
}

/// A range of the squared distances from a centre. An upper end `None` is infinite.
struct DistanceRange {
    lo: Rational,
    hi: Option<Rational>,
}

/// The part of a coordinate in a cell: a point, or an open interval.
#[derive(Clone, Debug)]
enum CellSide {
    Point(Rational),
    Open(OpenInterval),
}

impl CellSide {
    /// Returns a point of the side: of a bounded interval the middle.
    fn middle(&self) -> Rational {
        match self {
            Self::Point(x) => x.clone(),
            Self::Open(side) => side.point_at_ratio(&Rational::from((1, 2))),
        }
    }

    /// Returns the ends of the closure. `None` is infinite.
    fn ends(&self) -> [Option<&Rational>; 2] {
        match self {
            Self::Point(x) => [Some(x), Some(x)],
            Self::Open(side) => [side.lo.as_ref(), side.hi.as_ref()],
        }
    }

    /// Returns the width. Returns `None` if it is infinite.
    fn width(&self) -> Option<Rational> {
        match self.ends() {
            [Some(lo), Some(hi)] => Some(Rational::from(hi - lo)),
            _ => None,
        }
    }
}

/// Returns the square of the least and of the greatest distance of a coordinate from `centre` on the closure of a side.
fn squared_distance(ends: [Option<&Rational>; 2], centre: &Rational) -> DistanceRange {
    let from = |x: &Rational| Rational::from(x - centre).square();
    let [lo, hi] = ends;
    let is_left = hi.is_some_and(|hi| hi <= centre);
    let is_right = lo.is_some_and(|lo| lo >= centre);
    let least = match (lo, hi) {
        (Some(lo), _) if is_right => from(lo),
        (_, Some(hi)) if is_left => from(hi),
        _ => Rational::new(),
    };
    let greatest = match (lo, hi) {
        (Some(lo), Some(hi)) => Some(from(lo).max(from(hi))),
        _ => None,
    };
    DistanceRange { lo: least, hi: greatest }
}

impl OpenBall {
    /// Returns the open ball in all coordinates.
    #[must_use]
    pub fn new(centre: Vec<Rational>, squared_radius: impl Into<Rational>) -> Self {
        Self { start: 0, centre, squared_radius: squared_radius.into() }
    }

    /// Returns `true` if the ball has a point.
    #[must_use]
    pub fn is_inhabited(&self) -> bool {
        self.squared_radius > 0
    }

    /// Returns `true` if the ball contains a point. A point with too few coordinates is outside.
    #[must_use]
    pub fn contains(&self, x: &[Rational]) -> bool {
        self.coordinates(x).is_some_and(|x| {
            let squares = x.iter().zip(&self.centre).map(|(x, c)| Rational::from(x - c).square());
            squares.fold(Rational::new(), |sum, square| sum + square) < self.squared_radius
        })
    }

    /// Returns those entries of a list that belong to the coordinates of the ball. Returns `None` if there are too few.
    fn coordinates<'x, T>(&self, x: &'x [T]) -> Option<&'x [T]> {
        x.get(self.start..self.start.checked_add(self.centre.len())?)
    }

    /// Returns the range of the squared distance on a product of sides, by the ends of these.
    fn distances<'x>(&self, ends: impl Iterator<Item = [Option<&'x Rational>; 2]>) -> DistanceRange {
        let start = DistanceRange { lo: Rational::new(), hi: Some(Rational::new()) };
        ends.zip(&self.centre).fold(start, |sum, (ends, centre)| {
            let part = squared_distance(ends, centre);
            DistanceRange { lo: sum.lo + part.lo, hi: sum.hi.zip(part.hi).map(|(a, b)| a + b) }
        })
    }

    /// Decides whether an enclosed point lies in the ball: the squared distance has exact bounds.
    #[must_use]
    pub fn membership_of(&self, x: &[Enclosure]) -> Membership {
        let Some(x) = self.coordinates(x) else { return Membership::Outside };
        if !x.iter().all(|x| x.is_defined() && x.is_bounded()) {
            return Membership::Unknown;
        }
        let ends: Option<Vec<_>> = x.iter().map(|x| Some([x.lo().to_rational()?, x.hi().to_rational()?])).collect();
        let Some(ends) = ends else { return Membership::Unknown };
        let range = self.distances(ends.iter().map(|[lo, hi]| [Some(lo), Some(hi)]));
        match range.hi {
            Some(hi) if hi < self.squared_radius => Membership::Inside,
            // the rim is outside
            _ if range.lo >= self.squared_radius => Membership::Outside,
            _ => Membership::Unknown,
        }
    }

    /// Returns `true` if the ball lies in another one: d + r ≤ R, with d the distance of the centres, by squares.
    #[must_use]
    pub fn lies_in(&self, other: &Self) -> bool {
        // 2·√(r²R²) ≤ r² + R² − d² and r ≤ R
        let Some(rest) = self.compare_squares(other) else { return false };
        let product = Rational::from(&self.squared_radius * &other.squared_radius) * 4;
        self.squared_radius <= other.squared_radius && rest >= 0 && product <= rest.square()
    }

    /// Returns `true` if the two balls have a common point: d < r + R, by squares. Balls in different coordinates do.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        // −2·√(r²R²) < r² + R² − d²
        let Some(rest) = self.compare_squares(other) else { return true };
        let product = Rational::from(&self.squared_radius * &other.squared_radius) * 4;
        rest >= 0 || rest.square() < product
    }

    /// Returns r² + R² − d². Returns `None` for balls in different coordinates.
    fn compare_squares(&self, other: &Self) -> Option<Rational> {
        if (self.start, self.centre.len()) != (other.start, other.centre.len()) {
            return None;
        }
        let squares = self.centre.iter().zip(&other.centre).map(|(a, b)| Rational::from(a - b).square());
        let sum = Rational::from(&self.squared_radius + &other.squared_radius);
        Some(squares.fold(sum, |sum, square| sum - square))
    }

    /// Returns `true` if the coordinate with this index is at most, or at least, `end` on the ball.
    fn is_bounded_by(&self, index: usize, end: &Rational, is_upper: bool) -> bool {
        let Some(centre) = index.checked_sub(self.start).and_then(|i| self.centre.get(i)) else { return false };
        let gap = if is_upper { Rational::from(end - centre) } else { Rational::from(centre - end) };
        gap >= 0 && self.squared_radius <= gap.square()
    }

    /// Returns a rational number that is at least the radius, and equal to it if it is rational.
    #[must_use]
    pub fn radius_bound(&self) -> Rational {
        // √(p/q) = √(p·q)/q; twenty binary digits behind the point are a choice
        let (p, q) = (self.squared_radius.numer(), self.squared_radius.denom());
        let product = p.clone() * q;
        if product <= 0 {
            return Rational::new();
        }
        let root = product.clone().sqrt();
        if root.clone().square() == product {
            return Rational::from((root, q.clone()));
        }
        Rational::from(((product << 40u32).sqrt() + 1, q.clone() << 20u32))
    }

    /// Returns the same ball with its coordinates moved by `by` places.
    #[must_use]
    pub(super) fn with_start_moved(&self, by: usize) -> Self {
        Self { start: self.start + by, ..self.clone() }
    }
}

impl fmt::Display for OpenBall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let centre = format_rational_point(&self.centre);
        match self.start {
            0 => write!(f, "{{|x - {centre}|² < {}}}", self.squared_radius),
            start => {
                let last = start + self.centre.len();
                write!(f, "{{|(x_{}, …, x_{last}) - {centre}|² < {}}}", start + 1, self.squared_radius)
            }
        }
    }
}

/// A piece of an open set: the points of an open box that lie in all of finitely many balls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPiece {
    /// The sides of the box.
    pub sides: Cuboid,
    /// The balls.
    pub balls: Vec<OpenBall>,
}

impl From<Cuboid> for OpenPiece {
    fn from(sides: Cuboid) -> Self {
        Self { sides, balls: Vec::new() }
    }
}

/// The knowledge of a constraint, or of a piece, on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OnCell {
    /// True at every point of the cell.
    Holds,
    /// True at no point.
    Fails,
    /// Neither is known.
    Open,
}

impl OnCell {
    /// Both hold.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Fails, _) | (_, Self::Fails) => Self::Fails,
            (Self::Holds, other) => other,
            (Self::Open, _) => Self::Open,
        }
    }
}

impl OpenPiece {
    /// Returns the piece of one ball in ℝⁿ, n the length of its centre.
    #[must_use]
    pub fn from_ball(ball: OpenBall) -> Self {
        Self { sides: vec![OpenInterval::real_line(); ball.centre.len()], balls: vec![ball] }
    }

    /// Returns `true` if the piece contains a point of its dimension.
    #[must_use]
    pub fn contains(&self, x: &[Rational]) -> bool {
        self.sides.iter().zip(x).all(|(side, x)| side.contains(x)) && self.balls.iter().all(|ball| ball.contains(x))
    }

    /// Returns the points that both contain. Equal balls are kept once.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let mut balls = self.balls.clone();
        balls.extend(other.balls.iter().filter(|ball| !self.balls.contains(ball)).cloned());
        Self { sides: self.sides.iter().zip(&other.sides).map(|(a, b)| a.intersection(b)).collect(), balls }
    }

    /// Returns the product.
    #[must_use]
    pub fn product(&self, other: &Self) -> Self {
        let moved = other.balls.iter().map(|ball| ball.with_start_moved(self.sides.len()));
        Self {
            sides: [&self.sides[..], &other.sides[..]].concat(),
            balls: self.balls.iter().cloned().chain(moved).collect(),
        }
    }

    /// Returns a point of the piece, at its middle where that is clear. Returns `None` if it is empty.
    ///
    /// A box, a ball in a box, and two balls are decided exactly. Others are searched by subdivision.
    ///
    /// # Errors
    /// [`DiffeologyError::NotDecided`] if neither a point nor a proof of emptiness was found.
    pub fn find_point(&self) -> Result<Option<Vec<Rational>>, DiffeologyError> {
        let meet = |ball: &OpenBall| {
            let sides = ball.coordinates(&self.sides);
            let ends = sides.into_iter().flatten().map(|side| [side.lo.as_ref(), side.hi.as_ref()]);
            ball.is_inhabited() && ball.distances(ends).lo < ball.squared_radius
        };
        if !self.sides.iter().all(OpenInterval::is_inhabited) || !self.balls.iter().all(meet) {
            return Ok(None);
        }
        for (i, ball) in self.balls.iter().enumerate() {
            if self.balls[..i].iter().any(|other| !ball.meets(other)) {
                return Ok(None);
            }
        }
        let mut point: Vec<_> = self.sides.iter().map(|side| side.point_at_ratio(&Rational::from((1, 2)))).collect();
        // balls in different coordinates have nothing to do with each other
        for group in self.groups_of_balls() {
            match group.as_slice() {
                [ball] => self.move_into(ball, &mut point),
                [a, b] if a.start == b.start && a.centre.len() == b.centre.len() => place_between(a, b, &mut point),
                _ => {}
            }
        }
        if self.contains(&point) {
            return Ok(Some(point));
        }
        let question = || format!("{self} is empty");
        self.search_cells(&[], &question)
    }

    /// Returns the middle of a box, and a point of a piece with balls. The piece must not be empty.
    pub(super) fn middle_point(&self) -> Vec<Rational> {
        let middle = || self.sides.iter().map(|side| side.point_at_ratio(&Rational::from((1, 2)))).collect();
        self.find_point().ok().flatten().unwrap_or_else(middle)
    }

    /// Returns two points near the boundary: of a box, near two opposite corners; with balls, on two opposite ways from the
    /// middle to the boundary, at the last of 1,024 steps that is inside.
    pub(super) fn points_near_boundary(&self, random: &mut SplitMix64) -> [Vec<Rational>; 2] {
        if self.balls.is_empty() {
            return [1, BOUNDARY_SHARE - 1].map(|share| {
                let share = Rational::from((share, BOUNDARY_SHARE));
                self.sides.iter().map(|side| side.point_at_ratio(&share)).collect()
            });
        }
        let middle = self.middle_point();
        let way: Vec<_> = draw_direction(random, middle.len());
        [1, -1].map(|sign| {
            let at = |step: i64| -> Vec<Rational> {
                let share = Rational::from((sign * step, BOUNDARY_SHARE)) * self.longest_way();
                middle.iter().zip(&way).map(|(x, v)| Rational::from(v * &share) + x).collect()
            };
            // the piece is convex, so the steps inside are the first ones
            let (mut inside, mut outside) = (0, BOUNDARY_SHARE);
            while outside - inside > 1 {
                let step = (inside + outside) / 2;
                if self.contains(&at(step)) { inside = step } else { outside = step }
            }
            at(inside)
        })
    }

    /// Returns a length that exceeds the diameters of the balls.
    fn longest_way(&self) -> Rational {
        self.balls.iter().map(|ball| ball.radius_bound() * 2).max().unwrap_or_default()
    }

    /// Draws a point, one with short coordinates if possible. The piece must not be empty.
    pub(super) fn draw_point(&self, random: &mut SplitMix64) -> Vec<Rational> {
        // A choice: most balls contain many short points. Then points on the ways from the middle to the boundary.
        for _ in 0..8 {
            let point: Vec<_> = self.sides.iter().map(|side| side.draw_number(random)).collect();
            if self.contains(&point) {
                return point;
            }
        }
        let (middle, [end, _]) = (self.middle_point(), self.points_near_boundary(random));
        let share = Rational::from((random.next_below(32) as i64, 32));
        middle.iter().zip(&end).map(|(x, y)| Rational::from(y - x) * &share + x).collect()
    }

    /// Returns one ball for each group of coordinates that balls bound, which lies in the piece. The piece must not be empty.
    pub(super) fn inner_balls(&self) -> Vec<OpenBall> {
        let middle = self.middle_point();
        let groups = self.groups_of_balls();
        let inner = groups.into_iter().map(|group| {
            let start = group.iter().map(|ball| ball.start).min().unwrap_or_default();
            let end = group.iter().map(|ball| ball.start + ball.centre.len()).max().unwrap_or_default();
            let fits = |ball: &OpenBall| {
                // a ball in more coordinates than those of a constraint lies in it if its projection does
                let part = |other: &OpenBall| OpenBall {
                    start: other.start,
                    centre: ball.centre[other.start - start..][..other.centre.len()].to_vec(),
                    squared_radius: ball.squared_radius.clone(),
                };
                group.iter().all(|other| part(other).lies_in(other))
                    && (start..end).all(|index| {
                        let side = &self.sides[index];
                        side.lo.as_ref().is_none_or(|lo| ball.is_bounded_by(index, lo, false))
                            && side.hi.as_ref().is_none_or(|hi| ball.is_bounded_by(index, hi, true))
                    })
            };
            if let [ball] = group.as_slice()
                && fits(ball)
            {
                return (*ball).clone();
            }
            let mut ball = OpenBall { start, centre: middle[start..end].to_vec(), squared_radius: Rational::from(1) };
            // the middle lies in the open piece, so a small ball around it does; 2⁻²⁵⁶ is beyond every piece of usual size
            for _ in 0..256 {
                if fits(&ball) {
                    break;
                }
                ball.squared_radius /= 4;
            }
            ball
        });
        inner.collect()
    }

    /// Returns the balls by the coordinates that they share, directly or along a chain.
    fn groups_of_balls(&self) -> Vec<Vec<&OpenBall>> {
        let mut groups: Vec<(usize, usize, Vec<&OpenBall>)> = Vec::new();
        for ball in &self.balls {
            let (mut start, mut end, mut own) = (ball.start, ball.start + ball.centre.len(), vec![ball]);
            groups.retain_mut(|(from, to, group)| {
                let apart = *to <= start || end <= *from;
                if !apart {
                    (start, end) = (start.min(*from), end.max(*to));
                    own.append(group);
                }
                apart
            });
            groups.push((start, end, own));
        }
        groups.into_iter().map(|(.., group)| group).collect()
    }

    /// Moves the coordinates of a ball to a point of the box in it, where the box and the ball meet. The centre is taken where
    /// the box contains it.
    fn move_into(&self, ball: &OpenBall, point: &mut [Rational]) {
        let Some(sides) = ball.coordinates(&self.sides) else { return };
        // the nearest point of the closed box lies in the ball; the way from there to the middle of the box is in the box
        let nearest: Vec<_> = sides
            .iter()
            .zip(&ball.centre)
            .map(|(side, centre)| match (&side.lo, &side.hi) {
                (Some(lo), _) if centre < lo => lo.clone(),
                (_, Some(hi)) if centre > hi => hi.clone(),
                _ => centre.clone(),
            })
            .collect();
        let inner: Vec<Rational> = sides.iter().map(|side| side.point_at_ratio(&Rational::from((1, 2)))).collect();
        // halving ends: the ball is open. The bound on the number of steps is never reached by numbers of usual size.
        for k in 0..10_000u32 {
            let share = if k == 0 { Rational::new() } else { Rational::from(1) >> (k - 1) };
            for (i, (near, inner)) in nearest.iter().zip(&inner).enumerate() {
                point[ball.start + i] = Rational::from(inner - near) * &share + near;
            }
            let is_in_box = sides.iter().zip(&point[ball.start..]).all(|(side, x)| side.contains(x));
            if is_in_box && ball.contains(point) {
                return;
            }
        }
    }

    /// Returns what is known of a side of the piece on a cell: a cell lies in a side or outside, since it is cut at all ends.
    fn side_on_cell(side: &OpenInterval, cell: &CellSide) -> OnCell {
        let inside = match cell {
            CellSide::Point(x) => side.contains(x),
            CellSide::Open(_) => {
                let [lo, hi] = cell.ends();
                side.lo.as_ref().is_none_or(|end| lo.is_some_and(|lo| lo >= end))
                    && side.hi.as_ref().is_none_or(|end| hi.is_some_and(|hi| hi <= end))
            }
        };
        if inside { OnCell::Holds } else { OnCell::Fails }
    }

    /// Returns what is known of a ball on a cell.
    fn ball_on_cell(ball: &OpenBall, cell: &[CellSide]) -> OnCell {
        let Some(sides) = ball.coordinates(cell) else { return OnCell::Fails };
        let range = ball.distances(sides.iter().map(CellSide::ends));
        // the greatest distance is attained at corners of the closure only: not in a cell with an open side
        let has_open_side = sides.iter().any(|side| matches!(side, CellSide::Open(_)));
        match range.hi {
            Some(hi) if hi < ball.squared_radius || (hi == ball.squared_radius && has_open_side) => OnCell::Holds,
            _ if range.lo >= ball.squared_radius => OnCell::Fails,
            _ => OnCell::Open,
        }
    }

    /// Returns what is known of the piece on a cell.
    fn on_cell(&self, cell: &[CellSide]) -> OnCell {
        let sides = self.sides.iter().zip(cell).map(|(side, cell)| Self::side_on_cell(side, cell));
        let balls = self.balls.iter().map(|ball| Self::ball_on_cell(ball, cell));
        sides.chain(balls).fold(OnCell::Holds, OnCell::and)
    }

    /// Returns the piece without the constraints that hold on all of `whole`: ends and balls that contain a ball or the box of it.
    fn without_implied(&self, whole: &Self) -> Self {
        let implies_end = |index: usize, end: &Rational, is_upper: bool| {
            let own = &whole.sides[index];
            let by_box = if is_upper {
                own.hi.as_ref().is_some_and(|hi| hi <= end)
            } else {
                own.lo.as_ref().is_some_and(|lo| lo >= end)
            };
            by_box || whole.balls.iter().any(|ball| ball.is_bounded_by(index, end, is_upper))
        };
        let sides = self.sides.iter().enumerate().map(|(index, side)| OpenInterval {
            lo: side.lo.clone().filter(|end| !implies_end(index, end, false)),
            hi: side.hi.clone().filter(|end| !implies_end(index, end, true)),
        });
        let implies_ball = |ball: &OpenBall| {
            let sides = ball.coordinates(&whole.sides);
            let ends = sides.into_iter().flatten().map(|side| [side.lo.as_ref(), side.hi.as_ref()]);
            whole.balls.iter().any(|own| own.lies_in(ball))
                || ball.distances(ends).hi.is_some_and(|hi| hi <= ball.squared_radius)
        };
        Self { sides: sides.collect(), balls: self.balls.iter().filter(|ball| !implies_ball(ball)).cloned().collect() }
    }

    /// Returns a point of this piece that lies in none of the others. Returns `None` if the others cover it.
    ///
    /// # Errors
    /// [`DiffeologyError::NotDecided`] if neither was found.
    pub(super) fn find_uncovered_point(&self, cover: &[&Self]) -> Result<Option<Vec<Rational>>, DiffeologyError> {
        let rest: Vec<Self> = cover.iter().map(|piece| piece.without_implied(self)).collect();
        let is_everything =
            |piece: &Self| piece.balls.is_empty() && piece.sides.iter().all(|side| *side == OpenInterval::real_line());
        if rest.iter().any(is_everything) {
            return Ok(None);
        }
        let question = || format!("the family covers {self}");
        self.search_cells(&rest, &question)
    }

    /// Searches for a point of this piece that lies in none of the others, largest cells first.
    fn search_cells(
        &self,
        others: &[Self],
        question: &dyn Fn() -> String,
    ) -> Result<Option<Vec<Rational>>, DiffeologyError> {
        let too_many = || DiffeologyError::TooManyCells { most: super::open::MAX_CELL_TESTS };
        let mut pending: VecDeque<Vec<CellSide>> = self.first_cells(others).ok_or_else(too_many)?.into();
        let mut examined = 0;
        while let Some(cell) = pending.pop_front() {
            let own = self.on_cell(&cell);
            if own == OnCell::Fails {
                continue;
            }
            let states: Vec<_> = others.iter().map(|piece| piece.on_cell(&cell)).collect();
            if states.contains(&OnCell::Holds) {
                continue;
            }
            let middle: Vec<_> = cell.iter().map(CellSide::middle).collect();
            if self.contains(&middle) && !others.iter().any(|piece| piece.contains(&middle)) {
                return Ok(Some(middle));
            }
            examined += 1;
            let open = others.iter().zip(&states).filter(|(_, state)| **state == OnCell::Open).map(|(piece, _)| piece);
            let halves = split_cell(&cell, open.chain(std::iter::once(self)));
            match halves {
                Some(parts) if examined < MAX_CELLS => pending.extend(parts),
                _ => return Err(DiffeologyError::NotDecided { question: question(), near: middle }),
            }
        }
        Ok(None)
    }

    /// Returns the cells that all ends of sides, and the centres and extreme coordinates of all balls, make. Returns `None` if
    /// there are too many.
    fn first_cells(&self, others: &[Self]) -> Option<Vec<Vec<CellSide>>> {
        let all = || std::iter::once(self).chain(others);
        let mut cells: Vec<Vec<CellSide>> = vec![Vec::new()];
        for (index, own) in self.sides.iter().enumerate() {
            let mut cuts = BTreeSet::new();
            for piece in all() {
                cuts.extend([&piece.sides[index].lo, &piece.sides[index].hi].into_iter().flatten().cloned());
                for ball in &piece.balls {
                    if let Some(centre) = index.checked_sub(ball.start).and_then(|i| ball.centre.get(i)) {
                        let radius = ball.radius_bound();
                        cuts.extend([
                            Rational::from(centre - &radius),
                            centre.clone(),
                            Rational::from(centre + &radius),
                        ]);
                    }
                }
            }
            // only what lies in the piece itself: nothing outside can be uncovered
            cuts.retain(|cut| own.contains(cut));
            let mut sides = Vec::with_capacity(2 * cuts.len() + 1);
            let mut lo = own.lo.clone();
            for cut in cuts {
                sides.push(CellSide::Open(OpenInterval { lo, hi: Some(cut.clone()) }));
                sides.push(CellSide::Point(cut.clone()));
                lo = Some(cut);
            }
            sides.push(CellSide::Open(OpenInterval { lo, hi: own.hi.clone() }));
            if cells.len().checked_mul(sides.len())? > MAX_CELLS {
                return None;
            }
            cells = cells
                .iter()
                .flat_map(|cell| sides.iter().map(move |side| [&cell[..], std::slice::from_ref(side)].concat()))
                .collect();
        }
        Some(cells)
    }
}

/// Moves the coordinates of two balls that meet to a point of the segment between the centres that lies in both.
fn place_between(a: &OpenBall, b: &OpenBall, point: &mut [Rational]) {
    // the shares of the way that lie in a are those below r/d, and those that lie in b are above 1 − R/d: bisection finds one
    let (mut low, mut high) = (Rational::new(), Rational::from(1));
    // never reached by numbers of usual size: the two intervals of shares overlap
    for _ in 0..10_000 {
        let share = Rational::from(&low + &high) / 2;
        for (i, (p, q)) in a.centre.iter().zip(&b.centre).enumerate() {
            point[a.start + i] = Rational::from(q - p) * &share + p;
        }
        match (a.contains(point), b.contains(point)) {
            (true, true) => return,
            (true, false) => low = share,
            _ => high = share,
        }
    }
}

/// Splits a cell at the middle of its longest bounded side that a ball of the pieces bounds: two halves and what is between.
/// Returns `None` if there is no such side.
fn split_cell<'p>(cell: &[CellSide], pieces: impl Iterator<Item = &'p OpenPiece>) -> Option<Vec<Vec<CellSide>>> {
    let mut is_bounded = vec![false; cell.len()];
    for ball in pieces.flat_map(|piece| &piece.balls) {
        if OpenPiece::ball_on_cell(ball, cell) == OnCell::Open {
            is_bounded.iter_mut().skip(ball.start).take(ball.centre.len()).for_each(|bounded| *bounded = true);
        }
    }
    let widths = cell.iter().zip(is_bounded).enumerate().filter(|(_, (_, bounded))| *bounded);
    let widest = widths.filter_map(|(i, (side, _))| side.width().filter(|w| *w > 0).map(|w| (w, i))).max()?.1;
    let middle = cell[widest].middle();
    let [lo, hi] = cell[widest].ends().map(|end| end.cloned());
    let parts = [
        CellSide::Open(OpenInterval { lo, hi: Some(middle.clone()) }),
        CellSide::Point(middle.clone()),
        CellSide::Open(OpenInterval { lo: Some(middle), hi }),
    ];
    Some(
        parts
            .into_iter()
            .map(|part| {
                let mut cell = cell.to_vec();
                cell[widest] = part;
                cell
            })
            .collect(),
    )
}

impl fmt::Display for OpenPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_whole = self.sides.iter().all(|side| *side == OpenInterval::real_line());
        let sides = self.sides.iter().map(OpenInterval::to_string).collect::<Vec<_>>().join(" × ");
        let balls = self.balls.iter().map(OpenBall::to_string);
        let parts: Vec<_> = (!is_whole || self.balls.is_empty()).then_some(sides).into_iter().chain(balls).collect();
        f.write_str(&parts.join(" ∩ "))
    }
}
