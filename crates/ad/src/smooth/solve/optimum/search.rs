//! Branch and bound for the maximum of a function on [0, 1].
//!
//! A piece is dropped in two cases. Either the function is certainly defined on it and certainly below a value that it
//! attains. Or it is strictly monotone there and the better end is not an end of [0, 1]: at that end the Clarke derivative
//! is not 0, so it is no local maximum. (Every enclosure of a slope over a closed piece contains the Clarke derivatives at
//! its ends.)

mod found;
mod within;

use super::loose;
use super::peak::{MaximiserCandidate, MaximiserKind, ResolvedCluster};
use super::plateau;
use crate::number::context::Sign;
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::solve::SolverFunction;

/// The number of splits in a row for which a piece may stay undefined…
const STALL_LIMIT: u32 = 40;
/// …and the number of pieces at once on which the function may be undefined. Beyond either, nothing is known. Both are choices.
const MAX_STALLED_PIECES: usize = 32;
/// The number of rounds without an eighth of gain in the value before the search ends, for point inputs. Far from the limit an
/// inner solver may give nothing better for a few halvings…
const PATIENCE: u32 = 10;
/// …in the length of the places, once the value is known to the tolerance…
const PATIENCE_FOR_PLACES: u32 = 4;
/// …and for interval inputs, which set a floor to what splitting can gain; one less if these will be split as well. All are
/// choices.
const PATIENCE_WITH_INTERVALS: u32 = 2;
/// Like [`PATIENCE_WITH_INTERVALS`], if the values reach far above that floor and the function runs no solvers: with
/// solvers it would be expensive.
const PATIENCE_FAR_FROM_FLOOR: u32 = 3;
/// The binary logarithm of the multiple of the floor that counts as far.
const FAR: i64 = 2;
/// The binary logarithm of the length up to which a cluster is resolved if each evaluation is expensive. A choice: a longer one
/// shows nothing.
const LONG: i64 = -2;
/// The number of pieces that count as a plateau if they gain nothing: splitting them does not end. A choice.
const PLATEAU: usize = 64;
/// The number of pieces at once, at most: more are not worth their memory.
const MOST_PIECES: usize = 1 << 14;

/// The goal of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaximumGoal {
    /// The maximum alone.
    Value,
    /// The maximum and its maximisers.
    Maximiser,
}

/// A part of [0, 1] that may contain maximisers.
#[derive(Clone, Debug)]
struct SearchPiece<N> {
    /// The left end, a point.
    left: N,
    /// The right end, a point.
    right: N,
    /// An enclosure of the function on the piece.
    range: N,
    /// The width of the value at the midpoint, which no splitting narrows.
    floor: Magnitude,
    /// The number of ancestors in a row that were not known to be defined or bounded.
    stalled_for: u32,
}

/// The state of a search.
pub struct MaximumSearch<'s, 'f, 'm, C: HookedContext> {
    /// The function, with base captures.
    pub(super) f: &'s SolverFunction<'f, 'm, C>,
    /// The function of all inputs near the given ones.
    near: &'s SolverFunction<'f, 'm, C>,
    /// The goal.
    goal: MaximumGoal,
    /// The pieces that may contain maximisers, from left to right.
    pieces: Vec<SearchPiece<C::Num>>,
    /// The pieces that the present round has still to look at, the next one last.
    waiting: Vec<SearchPiece<C::Num>>,
    /// The resolved candidates.
    pub(super) peaks: Vec<MaximiserCandidate<C::Num>>,
    /// The greatest value that is certainly attained: a lower bound of the maximum.
    bound: Option<C::Num>,
    /// `false` once the search has given up: the function may be undefined at a maximiser.
    defined: bool,
    /// `true` if the inputs are points, or nearly.
    pub(super) has_point_inputs: bool,
    /// `true` if the inputs are intervals that may be parts of one that is split.
    has_split_inputs: bool,
    /// The width to which values are needed, if the function runs solvers; else 0.
    pub(super) value_tolerance: Magnitude,
    /// The branch points that are 0 at 0, and those that are 0 at 1, also for inputs nearby.
    ends: [Vec<BranchPoint>; 2],
    /// The order of Taylor's formula on pieces; 1 for the mean value form alone.
    pub(super) order: usize,
}

impl<'s, 'f, 'm, C: HookedContext> MaximumSearch<'s, 'f, 'm, C> {
    /// Begins a search on all of [0, 1].
    ///
    /// # Errors
    /// Those of the function.
    pub fn new(
        [f, near]: [&'s SolverFunction<'f, 'm, C>; 2],
        goal: MaximumGoal,
        ends: [Vec<BranchPoint>; 2],
    ) -> Result<Self, SmoothError> {
        let context = f.context();
        let exact = f.has_fine_captures();
        let mut search = Self {
            f,
            near,
            goal,
            pieces: Vec::new(),
            waiting: Vec::new(),
            peaks: Vec::new(),
            bound: None,
            defined: true,
            has_point_inputs: exact,
            has_split_inputs: !exact && f.machine.effort.is_splitting(),
            value_tolerance: loose::initial_value_tolerance(f),
            ends,
            order: 1,
        };
        let (left, right) = (context.enclose_integer(0), context.enclose_integer(1));
        // The ends come first: their values are a bound for all pieces.
        search.with_value_tolerance(|search| {
            search.value_at(&left)?;
            search.value_at(&right)?;
            search.add_piece(left, right, 0)
        })?;
        Ok(search)
    }

    /// Splits pieces until the goal is reached to the tolerance, or to the floor that the inputs set. Calls `watch` after
    /// each piece.
    ///
    /// # Errors
    /// Those of the function, and of `watch`.
    pub fn run_to_goal(&mut self, watch: impl Fn(&Self) -> Result<(), SmoothError>) -> Result<(), SmoothError> {
        self.f.machine.effort.while_splitting(|| self.run_rounds(watch))?;
        // Candidates found loosely are computed again, and dropped if they lie below the bound.
        self.refine_end_candidates()?;
        self.drop_below_bound();
        Ok(())
    }

    /// Runs the rounds of the search.
    fn run_rounds(&mut self, watch: impl Fn(&Self) -> Result<(), SmoothError>) -> Result<(), SmoothError> {
        let effort = self.f.machine.effort;
        watch(self)?;
        let (mut least_excess, mut least_length, mut stalled) = (Magnitude::INFINITY, Magnitude::INFINITY, 0);
        loop {
            // Resolving may raise the bound, so pieces are dropped before and after it.
            self.drop_below_bound();
            self.resolve_clusters()?;
            self.drop_below_bound();
            let undefined = self.pieces.iter().filter(|p| !self.is_sound(p)).count();
            let stuck = self.pieces.iter().any(|p| p.stalled_for > STALL_LIMIT);
            // Outside of the window the maximum need not be known better.
            if self.misses_window()? {
                return Ok(());
            }
            if undefined > MAX_STALLED_PIECES || stuck {
                self.defined = false;
                return Ok(());
            }
            let (excess, floor) = self.largest_excess();
            let length = self.pieces.iter().fold(Magnitude::ZERO, |sum, p| sum + self.piece_length(p));
            // One and a half floors: no splitting would gain more than a third.
            let mut value_done = excess <= effort.tolerance() || excess <= floor + floor.half();
            let place_done = length <= effort.tolerance();
            value_done &= self.tighten_value_tolerance(excess, value_done, undefined > 0);
            let done = undefined == 0
                && (self.pieces.is_empty() || (value_done && (self.goal == MaximumGoal::Value || place_done)));
            if done {
                // Shorter pieces might yet show the shape of the rest, which decides the derivatives.
                let shapeless = self.goal == MaximumGoal::Maximiser && !self.pieces.is_empty();
                if shapeless || (!self.pieces.is_empty() && excess > floor + floor.half()) {
                    effort.record_open();
                }
                return Ok(());
            }
            let narrower = !value_done && excess + excess.mul_exp2(-3) < least_excess;
            // An eighth less, or a third less if the inputs will be split as well.
            let shorter = length + length.mul_exp2(if self.has_split_inputs { -1 } else { -3 }) < least_length;
            (least_excess, least_length) = (excess.min(least_excess), length.min(least_length));
            // More patience where a gain is more likely: see the constants.
            let patience = match (self.has_point_inputs, value_done) {
                (true, false) => PATIENCE,
                (true, true) => PATIENCE_FOR_PLACES,
                (false, false) if self.f.block.depth == 1 && excess > floor.mul_exp2(FAR) => PATIENCE_FAR_FROM_FLOOR,
                (false, _) => PATIENCE_WITH_INTERVALS - u32::from(self.has_split_inputs),
            };
            if narrower || shorter {
                stalled = 0;
            } else if undefined == 0 {
                if stalled >= patience || (value_done && self.pieces.len() > PLATEAU) {
                    return Ok(());
                }
                stalled += 1;
            }
            if self.pieces.len() > MOST_PIECES || !effort.budget.spend(1) {
                effort.record_open();
                self.defined = undefined == 0;
                return Ok(());
            }
            // Taylor's formula pays on a plateau, where many pieces are left and the inputs are points.
            self.order = if self.has_point_inputs && !value_done {
                plateau::taylor_order(effort.tolerance(), self.pieces.len())
            } else {
                1
            };
            if !self.with_value_tolerance(|search| search.split_pieces(excess, value_done, length, &watch))? {
                self.defined = undefined == 0;
                return Ok(());
            }
        }
    }

    /// Returns `true` if the slope at an end of [0, 1] is exactly 0, for the inputs given and for all near them.
    pub(super) fn is_flat(&self, end: &C::Num, branches: &BranchDecisions) -> Result<bool, SmoothError> {
        let context = self.f.context();
        let slope = self.near.value_and_slope(end, &mut branches.clone(), EvalTarget::Outputs)?.slope;
        Ok(context.is_defined(&slope) && context.is_point(&slope) && context.contains_zero(&slope))
    }

    /// Returns the branches that are known on a piece.
    pub(super) fn branches_on(&self, span: &C::Num) -> Result<BranchDecisions, SmoothError> {
        Ok(BranchDecisions::with_forced(self.f.sides_beside_ends(&self.ends, span)?))
    }

    /// Evaluates a piece, and keeps it if it may contain maximisers.
    fn add_piece(&mut self, left: C::Num, right: C::Num, hopeless_for: u32) -> Result<(), SmoothError> {
        let context = self.f.context().clone();
        let span = context.hull(&left, &right);
        let mut branches = self.branches_on(&span)?;
        let line = self.eval_in_window(|f| f.value_and_slope(&span, &mut branches, EvalTarget::Outputs))?;
        if self.is_below(&line.value) {
            return Ok(());
        }
        // A window with an upper end is missed as soon as some value lies above it.
        if self.f.window.high.is_some() {
            self.raise_bound(&line.value);
        }
        let tame = context.is_defined(&line.value) && context.is_bounded(&line.slope);
        let end = match context.sign(&line.slope) {
            _ if !tame => None,
            Sign::Positive => Some((&right, 1)),
            Sign::Negative => Some((&left, 0)),
            Sign::Undecided => None,
        };
        // Monotone: only the better end can be a maximiser, and only if it is an end of [0, 1].
        if let Some((better, end)) = end {
            if context.contains_zero(&context.sub(better, &context.enclose_integer(end))) {
                let range = self.value_at(better)?;
                self.peaks.push(MaximiserCandidate { at: better.clone(), range, kind: MaximiserKind::End });
            }
            return Ok(());
        }
        let middle = context.midpoint(&span);
        let height = self.value_at(&middle)?;
        let mut range = line.value;
        // The mean value form: tighter than the range on short pieces.
        if tame {
            let rise = context.mul(&line.slope, &context.sub(&span, &middle));
            let sloped = context.add(&height, &rise);
            range = context
                .intersect(&range, &sloped)
                .ok_or(SmoothError::DisjointEnclosures { construct: "the mean value form of a maximum" })?;
        } else if !context.is_defined(&range)
            && let Some(beside) = self.f.range_beside_ends([&left, &right], &mut branches)?
        {
            range = beside;
        }
        if tame && let Some(smooth) = self.range_by_taylor([&span, &middle, &height], &branches)? {
            range = context
                .intersect(&range, &smooth)
                .ok_or(SmoothError::DisjointEnclosures { construct: "Taylor's formula of a maximum" })?;
        }
        let floor = self.value_floor(&span, &height)?;
        let mut piece = SearchPiece { left, right, range, floor, stalled_for: 0 };
        if !self.is_sound(&piece) {
            piece.stalled_for = hopeless_for + 1;
        }
        self.pieces.push(piece);
        Ok(())
    }

    /// Returns `true` if the range of a piece is certainly defined and bounded above.
    fn is_sound(&self, piece: &SearchPiece<C::Num>) -> bool {
        let context = self.f.context();
        context.is_defined(&piece.range) && context.upper(&piece.range).is_some()
    }

    /// Returns the length of a piece.
    fn piece_length(&self, piece: &SearchPiece<C::Num>) -> Magnitude {
        let context = self.f.context();
        context.width(&context.hull(&piece.left, &piece.right))
    }

    /// Drops pieces and candidates that are certainly below the bound.
    fn drop_below_bound(&mut self) {
        let (mut pieces, mut peaks) = (std::mem::take(&mut self.pieces), std::mem::take(&mut self.peaks));
        pieces.retain(|p| !self.is_below(&p.range));
        peaks.retain(|p| !self.is_below(&p.range));
        (self.pieces, self.peaks) = (pieces, peaks);
    }

    /// Returns `true` if values are certainly defined, and certainly below the maximum.
    fn is_below(&self, range: &C::Num) -> bool {
        let context = self.f.context();
        let below = |bound| context.is_defined(range) && context.is_strictly_below(range, bound);
        self.bound.as_ref().is_some_and(below)
    }

    /// Returns the maximal runs of adjacent pieces, as index ranges.
    fn adjacent_clusters(&self) -> Vec<std::ops::Range<usize>> {
        let context = self.f.context();
        let mut clusters: Vec<std::ops::Range<usize>> = Vec::new();
        for (i, piece) in self.pieces.iter().enumerate() {
            match clusters.last_mut() {
                Some(c) if !context.is_strictly_below(&self.pieces[c.end - 1].right, &piece.left) => c.end = i + 1,
                _ => clusters.push(i..i + 1),
            }
        }
        clusters
    }

    /// Resolves all clusters whose shape is certain, and removes their pieces.
    fn resolve_clusters(&mut self) -> Result<(), SmoothError> {
        let context = self.f.context().clone();
        let dear = self.f.block.depth > 1;
        // From right to left, so that removed pieces do not shift the others.
        for cluster in self.adjacent_clusters().into_iter().rev() {
            if !self.pieces[cluster.clone()].iter().all(|p| self.is_sound(p)) {
                continue;
            }
            let (left, right) = (self.pieces[cluster.start].left.clone(), self.pieces[cluster.end - 1].right.clone());
            if dear && context.width(&context.hull(&left, &right)) > Magnitude::power_of_two(LONG) {
                continue;
            }
            match self.resolve_cluster(&left, &right)? {
                ResolvedCluster::Peak(peak) => self.peaks.push(peak),
                ResolvedCluster::Empty => {}
                ResolvedCluster::Undecided => continue,
            }
            self.pieces.drain(cluster);
        }
        Ok(())
    }

    /// Returns the largest gap between the upper end of a piece and the bound, and the floor of that piece.
    fn largest_excess(&self) -> (Magnitude, Magnitude) {
        let mut worst = (Magnitude::ZERO, Magnitude::ZERO);
        for piece in &self.pieces {
            let excess = self.excess_of(piece);
            if excess > worst.0 {
                worst = (excess, piece.floor);
            }
        }
        worst
    }

    /// Returns the gap between the upper end of a piece and the bound; ∞ if either is unknown.
    fn excess_of(&self, piece: &SearchPiece<C::Num>) -> Magnitude {
        let context = self.f.context();
        match (&self.bound, context.upper(&piece.range)) {
            (Some(bound), Some(upper)) if context.is_strictly_below(bound, &upper) => {
                context.width(&context.hull(bound, &upper))
            }
            (Some(_), Some(_)) => Magnitude::ZERO,
            _ => Magnitude::INFINITY,
        }
    }

    /// Splits the pieces that matter most. Returns `false` if none can be split.
    fn split_pieces(
        &mut self,
        excess: Magnitude,
        value_done: bool,
        length: Magnitude,
        watch: &impl Fn(&Self) -> Result<(), SmoothError>,
    ) -> Result<bool, SmoothError> {
        let context = self.f.context().clone();
        let mut moved = false;
        // A quarter of the worst excess, and half of the mean length: choices that split similar pieces in one round.
        let threshold = excess.mul_exp2(-2);
        let shortest = length.div_integer(self.pieces.len().max(1) as u64).half();
        // Pieces wait in reverse, so that the next one is popped from the end, and `watch` sees those that are left.
        self.waiting = std::mem::take(&mut self.pieces);
        self.waiting.reverse();
        while let Some(piece) = self.waiting.pop() {
            let wanted = if !self.is_sound(&piece) {
                true
            } else if value_done {
                self.piece_length(&piece) >= shortest
            } else {
                self.excess_of(&piece) >= threshold
            };
            let middle = context.midpoint(&context.hull(&piece.left, &piece.right));
            let inside =
                context.is_strictly_below(&piece.left, &middle) && context.is_strictly_below(&middle, &piece.right);
            if wanted && inside && !self.f.machine.effort.budget.is_exhausted() {
                moved = true;
                self.add_piece(piece.left, middle.clone(), piece.stalled_for)?;
                self.add_piece(middle, piece.right, piece.stalled_for)?;
                watch(self)?;
            } else {
                self.pieces.push(piece);
            }
        }
        Ok(moved)
    }
}
