//! Branch and bound for the maximum of a function on [0, 1].
//!
//! A piece is dropped in two cases. Either the function is certainly defined on it and certainly below a value that it
//! attains. Or it is strictly monotone there and the better end is not an end of [0, 1]: at that end the Clarke derivative
//! is not 0, so it is no local maximum. (Every enclosure of a slope over a closed piece contains the Clarke derivatives at
//! its ends.)
//!
//! # Results of a search
//!
//! Results of a search, however far it has got.
//!
//! # Evaluation of the searched function within alpha-beta
//!
//! Evaluation of the searched function within alpha-beta [windows](AlphaBetaWindow).
//!
//! # Value tolerances of a search whose function runs solvers
//!
//! Value tolerances of a search whose function runs solvers of its own.
//!
//! The value of such a function on a piece need not be known much better than the excess of the pieces over the bound. So
//! values are first computed to any width, and then to a share of that excess. Each enclosure is valid, however wide it is,
//! and is compared as such; nothing is lost but width. Candidates that are left at the end are computed again, to the
//! tolerance of the search itself.
//!
//! # Maxima that are attained at the better end
//!
//! Maxima that are attained at the better end of [0, 1].
//!
//! If f is convex, or nothing but the two ends is left of a search, the maximum is `max (f 0) (f 1)`. This holds for the
//! inputs given and for all near them: it is shown by strict inequalities over closed ranges, or by structure. So the
//! maximum has a kink where f 0 = f 1. This is an [event](crate::smooth::machine::switch) for the block outside: a minimum
//! over m of maxima is attained where two ends are equally good, as in a game.

use super::danskin;
use super::peak::{MaximiserCandidate, MaximiserKind, ResolvedCluster};
use crate::number::arithmetic::{Context, Sign};
use crate::number::magnitude::Magnitude;
use crate::number::tuning::Tuning;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::SecondOrder;
use crate::smooth::hooks::{EvalHooks, HookedContext};
use crate::smooth::jet::{Jet, KinkBranch};
use crate::smooth::machine::switch::{AlphaBetaWindow, BinderView, BranchPoint};
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::solve::SolverFunction;
use crate::smooth::solve::optimum::unit_interval;
use crate::smooth::solve::subdivide::{
    End, OpenPieces, Split, SplitOrder, SubdivisionCaps, SubdivisionProblem, subdivide,
};
use std::sync::Arc;

/// The number of splits in a row for which a piece may stay undefined. A choice.
const STALL_LIMIT: u32 = 40;
/// The number of rounds without a gain before the search ends, for interval inputs, which set a floor to what splitting can gain;
/// one less if these will be split as well. A choice.
const PATIENCE_WITH_INTERVALS: u32 = 2;
/// Like [`PATIENCE_WITH_INTERVALS`], if the values reach far above that floor and the function runs no solvers: with
/// solvers it would be expensive.
const PATIENCE_FAR_FROM_FLOOR: u32 = 3;
/// The binary logarithm of the multiple of the floor that counts as far.
const FAR: i64 = 2;
/// The binary logarithm of the length up to which a cluster is resolved if each evaluation is expensive. A choice: a longer one
/// shows nothing.
const LONG: i64 = -2;

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
pub struct SearchPiece<N> {
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
    /// The pieces that may contain maximisers, from left to right. While they are divided, rounds have them.
    pieces: Vec<SearchPiece<C::Num>>,
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
            peaks: Vec::new(),
            bound: None,
            defined: true,
            has_point_inputs: exact,
            has_split_inputs: !exact && f.machine.effort.is_splitting(),
            value_tolerance: initial_value_tolerance(f),
            ends,
            order: 1,
        };
        let (left, right) = (context.enclose_integer(0), context.enclose_integer(1));
        // The ends come first: their values are a bound for all pieces.
        search.with_value_tolerance(|search| {
            search.value_at(&left)?;
            search.value_at(&right)?;
            let whole = search.bound_part(left, right, 0)?;
            search.pieces.extend(whole);
            Ok::<(), SmoothError>(())
        })?;
        Ok(search)
    }

    /// Splits pieces until the goal is reached to the tolerance, or to the floor that the inputs set. Calls `watch` after
    /// each piece, with those that are open.
    ///
    /// # Errors
    /// Those of the function, and of `watch`.
    pub fn run_to_goal(
        &mut self,
        watch: impl Fn(&Self, PieceIterator<C>) -> Result<(), SmoothError>,
    ) -> Result<(), SmoothError> {
        let effort = self.f.machine.effort;
        effort.while_splitting(|| {
            watch(self, &mut self.pieces.iter())?;
            let pieces = std::mem::take(&mut self.pieces);
            let caps = SubdivisionCaps {
                open: Tuning::to_size(effort.budget.tuning().optimum_pieces),
                ..SubdivisionCaps::NONE
            };
            let mut rounds = MaximumRounds::new(self, watch);
            let left = subdivide(&mut rounds, pieces, caps, Some(effort.budget))?;
            let is_defined = rounds.undefined == 0;
            self.pieces = left.open;
            if matches!(left.end, End::Cap | End::Cut) {
                effort.record_open();
            }
            // The search has not judged these ends itself.
            if matches!(left.end, End::Cap | End::Cut | End::Stuck) {
                self.defined = is_defined;
            }
            Ok::<(), SmoothError>(())
        })?;
        // Candidates found loosely are computed again, and dropped if they lie below the bound.
        self.refine_end_candidates()?;
        self.drop_below_bound();
        Ok(())
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

    /// Evaluates a part of [0, 1]. Returns its piece, or `None` if no maximiser lies inside.
    fn bound_part(
        &mut self,
        left: C::Num,
        right: C::Num,
        hopeless_for: u32,
    ) -> Result<Option<SearchPiece<C::Num>>, SmoothError> {
        let context = self.f.context().clone();
        let span = context.hull(&left, &right);
        let mut branches = self.branches_on(&span)?;
        let line = self.eval_in_window(|f| f.value_and_slope(&span, &mut branches, EvalTarget::Outputs))?;
        if self.is_below(&line.value) {
            return Ok(None);
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
            return Ok(None);
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
        Ok(Some(piece))
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
}

/// An iterator over open pieces.
pub type PieceIterator<'i, 'p, C> = &'i mut dyn Iterator<Item = &'p SearchPiece<<C as Context>::Num>>;

/// The rounds of a search: all pieces that matter most are halved.
struct MaximumRounds<'r, 's, 'f, 'm, C: HookedContext, W> {
    search: &'r mut MaximumSearch<'s, 'f, 'm, C>,
    watch: W,
    /// The least excess of all rounds so far.
    least_excess: Magnitude,
    /// The least total length of all rounds so far.
    least_length: Magnitude,
    /// The number of rounds in a row without a gain.
    stalled: u32,
    /// The number of pieces on which the function may be undefined or unbounded.
    undefined: usize,
    /// `true` if the value is known well enough, so that only the places matter.
    value_done: bool,
    /// The excess from which a piece is halved, while the value is not known well enough, …
    threshold: Magnitude,
    /// … and the length from which one is halved afterwards.
    shortest: Magnitude,
}

impl<'r, 's, 'f, 'm, C: HookedContext, W> MaximumRounds<'r, 's, 'f, 'm, C, W> {
    fn new(search: &'r mut MaximumSearch<'s, 'f, 'm, C>, watch: W) -> Self {
        Self {
            search,
            watch,
            least_excess: Magnitude::INFINITY,
            least_length: Magnitude::INFINITY,
            stalled: 0,
            undefined: 0,
            value_done: false,
            threshold: Magnitude::ZERO,
            shortest: Magnitude::ZERO,
        }
    }

    /// Judges the pieces of the search.
    fn judge_pieces(&mut self) -> Result<Option<End>, SmoothError> {
        let search = &mut *self.search;
        let effort = search.f.machine.effort;
        let tuning = effort.budget.tuning();
        // Resolving may raise the bound, so pieces are dropped before and after it.
        search.drop_below_bound();
        search.resolve_clusters()?;
        search.drop_below_bound();
        self.undefined = search.pieces.iter().filter(|p| !search.is_sound(p)).count();
        let stuck = search.pieces.iter().any(|p| p.stalled_for > STALL_LIMIT);
        // Outside of the window the maximum need not be known better.
        if search.misses_window()? {
            return Ok(Some(End::Reached));
        }
        if self.undefined as u64 > tuning.undefined_pieces || stuck {
            search.defined = false;
            return Ok(Some(End::Floor));
        }
        let (excess, floor) = search.largest_excess();
        let length = search.pieces.iter().fold(Magnitude::ZERO, |sum, p| sum + search.piece_length(p));
        // One and a half floors: no splitting would gain more than a third.
        let mut value_done = excess <= effort.tolerance() || excess <= floor + floor.half();
        let place_done = length <= effort.tolerance();
        value_done &= search.tighten_value_tolerance(excess, value_done, self.undefined > 0);
        let done = self.undefined == 0
            && (search.pieces.is_empty() || (value_done && (search.goal == MaximumGoal::Value || place_done)));
        if done {
            // Shorter pieces might yet show the shape of the rest, which decides the derivatives.
            let shapeless = search.goal == MaximumGoal::Maximiser && !search.pieces.is_empty();
            if shapeless || (!search.pieces.is_empty() && excess > floor + floor.half()) {
                effort.record_open();
            }
            return Ok(Some(End::Reached));
        }
        let narrower = !value_done && excess + excess.mul_exp2(-3) < self.least_excess;
        // An eighth less, or a third less if the inputs will be split as well.
        let shorter = length + length.mul_exp2(if search.has_split_inputs { -1 } else { -3 }) < self.least_length;
        (self.least_excess, self.least_length) = (excess.min(self.least_excess), length.min(self.least_length));
        // More patience where a gain is more likely: see the constants.
        let patience = match (search.has_point_inputs, value_done) {
            (true, false) => Tuning::to_count(tuning.optimum_patience),
            (true, true) => Tuning::to_count(tuning.place_patience),
            (false, false) if search.f.block.depth == 1 && excess > floor.mul_exp2(FAR) => PATIENCE_FAR_FROM_FLOOR,
            (false, _) => PATIENCE_WITH_INTERVALS - u32::from(search.has_split_inputs),
        };
        if narrower || shorter {
            self.stalled = 0;
        } else if self.undefined == 0 {
            if self.stalled >= patience || (value_done && search.pieces.len() as u64 > tuning.plateau_pieces) {
                return Ok(Some(End::Floor));
            }
            self.stalled += 1;
        }
        // Taylor's formula pays on a plateau, where many pieces are left and the inputs are points.
        search.order = if search.has_point_inputs && !value_done {
            danskin::taylor_order(effort.tolerance(), search.pieces.len())
        } else {
            1
        };
        self.value_done = value_done;
        // A quarter of the worst excess, and half of the mean length: choices that split similar pieces in one round.
        self.threshold = excess.mul_exp2(-2);
        self.shortest = length.div_integer(search.pieces.len().max(1) as u64).half();
        Ok(None)
    }
}

impl<'s, 'f, 'm, C: HookedContext, W> SubdivisionProblem for MaximumRounds<'_, 's, 'f, 'm, C, W>
where
    W: Fn(&MaximumSearch<'s, 'f, 'm, C>, PieceIterator<C>) -> Result<(), SmoothError>,
{
    type Piece = SearchPiece<C::Num>;
    type Error = SmoothError;

    /// One piece at a time: each may raise the bound, below which others are dropped.
    fn split_order(&self) -> SplitOrder {
        SplitOrder::Rounds { batch: 1 }
    }

    fn judge_open(&mut self, open: &mut OpenPieces<Self::Piece>) -> Result<Option<End>, SmoothError> {
        // The search looks at neighbours, and removes whole runs of pieces.
        self.search.pieces = open.take_line();
        let end = self.judge_pieces()?;
        open.set_line(std::mem::take(&mut self.search.pieces));
        Ok(end)
    }

    fn is_wanted(&mut self, piece: &Self::Piece) -> bool {
        if !self.search.is_sound(piece) {
            true
        } else if self.value_done {
            self.search.piece_length(piece) >= self.shortest
        } else {
            self.search.excess_of(piece) >= self.threshold
        }
    }

    fn split_pieces(&mut self, pieces: Vec<Self::Piece>) -> Result<Vec<Split<Self::Piece>>, SmoothError> {
        self.search.with_value_tolerance(|search| {
            let context = search.f.context().clone();
            let mut splits = Vec::with_capacity(pieces.len());
            for piece in pieces {
                let middle = context.midpoint(&context.hull(&piece.left, &piece.right));
                let inside =
                    context.is_strictly_below(&piece.left, &middle) && context.is_strictly_below(&middle, &piece.right);
                if !inside || search.f.machine.effort.budget.is_exhausted() {
                    splits.push(Split::Kept(piece));
                    continue;
                }
                let left = search.bound_part(piece.left, middle.clone(), piece.stalled_for)?;
                let right = search.bound_part(middle, piece.right, piece.stalled_for)?;
                splits.push(Split::Parts(left.into_iter().chain(right).collect()));
            }
            Ok(splits)
        })
    }

    fn observe_open(&mut self, open: &mut dyn Iterator<Item = &Self::Piece>) -> Result<(), SmoothError> {
        let watch = &self.watch;
        self.search.with_value_tolerance(|search| watch(search, open))
    }
}

impl<C: HookedContext> MaximumSearch<'_, '_, '_, C> {
    /// Encloses the maximum, as far as the search has got.
    ///
    /// # Errors
    /// [`SmoothError::DisjointEnclosures`] if no place is left.
    pub fn enclose_maximum(&self) -> Result<C::Num, SmoothError> {
        self.enclose_maximum_over(&mut self.pieces.iter())
    }

    /// Encloses the maximum, given the open pieces.
    ///
    /// # Errors
    /// [`SmoothError::DisjointEnclosures`] if no place is left.
    pub fn enclose_maximum_over(&self, open: PieceIterator<C>) -> Result<C::Num, SmoothError> {
        let context = self.f.context();
        let ranges = open.map(|p| &p.range).chain(self.peaks.iter().map(|p| &p.range));
        let highest = ranges.cloned().reduce(|a, b| context.max(&a, &b));
        let highest = highest.ok_or(SmoothError::DisjointEnclosures { construct: "a maximum" })?;
        // The maximum is at least every value that is attained.
        let value = match &self.bound {
            Some(bound) => context.max(&highest, bound),
            None => highest,
        };
        Ok(if self.defined { value } else { context.mark_undefined(value) })
    }

    /// Returns the hull of the places where the maximum may be attained.
    ///
    /// # Errors
    /// [`SmoothError::DisjointEnclosures`] if no place is left.
    pub fn enclose_maximisers(&self) -> Result<C::Num, SmoothError> {
        self.enclose_maximisers_over(&mut self.pieces.iter())
    }

    /// Returns the hull of the places where the maximum may be attained, given the open pieces.
    ///
    /// # Errors
    /// [`SmoothError::DisjointEnclosures`] if no place is left.
    pub fn enclose_maximisers_over(&self, open: PieceIterator<C>) -> Result<C::Num, SmoothError> {
        let context = self.f.context();
        let mut is_defined = self.defined;
        let open = open.map(|p| {
            is_defined &= context.is_defined(&p.range);
            context.hull(&p.left, &p.right)
        });
        let all = self.peaks.iter().map(|p| p.at.clone()).chain(open).reduce(|a, b| context.hull(&a, &b));
        let all = all.ok_or(SmoothError::DisjointEnclosures { construct: "a maximiser" })?;
        Ok(if is_defined { all } else { context.mark_undefined(all) })
    }

    /// Returns `true` if the function is certainly defined at every possible maximiser.
    #[must_use]
    pub fn is_defined(&self) -> bool {
        self.defined && self.pieces.iter().all(|p| self.f.context().is_defined(&p.range))
    }

    /// Returns the greatest value that is certainly attained: a lower bound of the maximum.
    #[must_use]
    pub fn bound(&self) -> Option<&C::Num> {
        self.bound.as_ref()
    }

    /// Returns all candidates: the resolved ones, and every piece that is left.
    #[must_use]
    pub fn into_candidates(self) -> Vec<MaximiserCandidate<C::Num>> {
        let context = self.f.context();
        let mut peaks = self.peaks;
        let open = self.pieces.into_iter().map(|piece| MaximiserCandidate {
            at: context.hull(&piece.left, &piece.right),
            range: piece.range,
            kind: MaximiserKind::Open,
        });
        peaks.extend(open);
        peaks
    }
}

impl<C: HookedContext> MaximumSearch<'_, '_, '_, C> {
    /// Returns `true` if the maximum certainly lies outside of the window of the result.
    fn misses_window(&self) -> Result<bool, SmoothError> {
        Ok(!self.f.window.is_open() && self.f.window.certainly_excludes(self.f.context(), &self.enclose_maximum()?))
    }

    /// Returns the window of the function's values: those that may be the maximum, and matter to the result.
    fn value_window(&self) -> AlphaBetaWindow<C::Num> {
        let window = self.f.window.clone();
        match &self.bound {
            Some(bound) => window.at_least(self.f.context(), bound),
            None => window,
        }
    }

    /// Evaluates the function within that window.
    fn eval_in_window<T>(&self, ask: impl FnOnce(&SolverFunction<C>) -> T) -> T {
        // A block without solvers does not use a window.
        if self.f.block.has_solver {
            self.f.machine.eval_within(self.value_window(), || ask(self.f))
        } else {
            ask(self.f)
        }
    }

    /// Encloses the value at a point, and raises the bound to it.
    pub(in crate::smooth::solve::optimum) fn value_at(&mut self, x: &C::Num) -> Result<C::Num, SmoothError> {
        let value = self.eval_in_window(|f| f.value_over(x, &mut BranchDecisions::default(), EvalTarget::Outputs))?;
        self.raise_bound(&value);
        Ok(value)
    }

    /// Raises the bound to the lower end of a value that is attained.
    fn raise_bound(&mut self, value: &C::Num) {
        let context = self.f.context();
        if let Some(lower) = context.lower(value).filter(|_| context.is_defined(value)) {
            self.bound = Some(match &self.bound {
                Some(bound) => context.max(bound, &lower),
                None => lower,
            });
        }
    }

    /// Returns the width of the value at the midpoint, which splitting does not narrow.
    ///
    /// The value there may be a set only because some inner optimum has a tie there. Then a point beside it is evaluated too.
    fn value_floor(&mut self, span: &C::Num, height: &C::Num) -> Result<Magnitude, SmoothError> {
        let context = self.f.context().clone();
        if self.value_window().certainly_excludes(&context, height) {
            return Ok(Magnitude::ZERO);
        }
        let floor = context.width(height);
        let tolerance = self.f.machine.effort.tolerance();
        if self.may_be_narrower(floor) {
            return Ok(Magnitude::ZERO);
        }
        // Only point inputs make such a width suspicious.
        let ends = (context.lower(span), context.upper(span));
        let (true, true, (Some(left), Some(right))) = (self.has_point_inputs, floor > tolerance, ends) else {
            return Ok(floor);
        };
        // 61/128 of the piece: off the middle, where ties often lie. A choice.
        let offset = context.div_integer(&context.mul_integer(&context.sub(&right, &left), 61), 128);
        let beside = self.value_at(&context.midpoint(&context.add(&left, &offset)))?;
        Ok(floor.min(context.width(&beside)))
    }
}

/// Values are computed to 2^(−FINER) times the excess. A choice.
const FINER: i64 = 4;
/// A value wider than 2^LOOSE times its tolerance is not narrowed by a smaller tolerance. A choice.
const LOOSE: i64 = 2;

/// Returns the tolerance of values before anything is known: infinite, or 0 for a function without solvers.
pub(super) fn initial_value_tolerance<C: HookedContext>(f: &SolverFunction<C>) -> Magnitude {
    if f.block.depth > 1 { Magnitude::INFINITY } else { Magnitude::ZERO }
}

impl<C: HookedContext> MaximumSearch<'_, '_, '_, C> {
    /// Runs `work` with the present tolerance of values.
    pub(super) fn with_value_tolerance<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (effort, looseness) = (self.f.machine.effort, self.value_tolerance);
        effort.with_looser_tolerance(looseness, || work(self))
    }

    /// Sets the tolerance of values from now on. Returns `false` if a value that seems to be as narrow as it can be has to
    /// be computed again.
    ///
    /// With point inputs, a value computed loosely may seem to set a floor that is none for a smaller tolerance.
    pub(super) fn tighten_value_tolerance(&mut self, excess: Magnitude, value_done: bool, undefined: bool) -> bool {
        if self.value_tolerance.is_zero() {
            return true;
        }
        let tolerance = self.f.machine.effort.tolerance();
        let is_floor = value_done && excess > tolerance && self.has_point_inputs && self.value_tolerance > tolerance;
        // Once the value is known, and as long as anything is undefined, only the full tolerance helps.
        let precisely = value_done || undefined || !excess.is_finite();
        self.value_tolerance = if precisely { Magnitude::ZERO } else { excess.mul_exp2(-FINER) };
        !is_floor
    }

    /// Returns `true` if a value may be this wide only because it was computed loosely.
    pub(super) fn may_be_narrower(&self, width: Magnitude) -> bool {
        let tolerance = self.f.machine.effort.tolerance();
        tolerance == self.value_tolerance && width <= tolerance.mul_exp2(LOOSE)
    }

    /// Computes the values at the ends of [0, 1] again that were computed loosely.
    ///
    /// # Errors
    /// Those of the function; [`SmoothError::DisjointEnclosures`].
    pub(super) fn refine_end_candidates(&mut self) -> Result<(), SmoothError> {
        let context = self.f.context().clone();
        let tolerance = self.f.machine.effort.tolerance();
        for index in 0..self.peaks.len() {
            let peak = &self.peaks[index];
            if peak.kind != MaximiserKind::End || context.width(&peak.range) <= tolerance {
                continue;
            }
            let at = peak.at.clone();
            let again = self.value_at(&at)?;
            let both = context.intersect(&self.peaks[index].range, &again);
            self.peaks[index].range = both.ok_or(SmoothError::DisjointEnclosures { construct: "a maximum" })?;
        }
        Ok(())
    }
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Returns `true` if f is certainly smooth and convex on [0, 1], also for inputs nearby.
    ///
    /// The second derivative has to be positive on all of [0, 1], or 0 by structure. A 0 for the inputs given would say
    /// nothing about others. The captures must be [base captures](Self::base_captures).
    pub(super) fn is_convex(&self) -> Result<bool, SmoothError> {
        let Some(algebra) = self.machine.real.adjoin(AlgebraGenerator::Direction(2)) else { return Ok(false) };
        // Hooks have to see the search.
        if C::ACTIVE {
            return Ok(false);
        }
        let context = self.context();
        let x = Jet::new([Some(super::unit_interval(context)), Some(context.enclose_integer(1))]);
        let mut branches = BranchDecisions::default();
        let y = self.eval_jet(&algebra, x, &mut branches, EvalTarget::Outputs)?;
        let is_smooth = y.get(0).is_some_and(|value| context.is_defined(value) && context.is_bounded(value))
            && y.get(1).is_some_and(|slope| context.is_defined(slope) && context.is_bounded(slope))
            && branches.undecided.is_empty();
        let is_positive = |half: &C::Num| {
            context.is_defined(half) && context.is_bounded(half) && context.sign(half) == Sign::Positive
        };
        Ok(is_smooth && y.get(2).is_none_or(is_positive))
    }

    /// Notes places that are not told apart in the diagnosis, if there is one.
    pub(super) fn attest_tie(&self, places: &[C::Num]) {
        if let Some(witness) = self.machine.witness {
            let places = places.iter().map(|place| self.context().to_enclosure(place));
            witness.record_nonunique_maximiser(self.site, places.collect());
        }
    }

    /// Returns the end at which f is greater: [`KinkBranch::Left`] for 0. Records the event if that is neither certain nor given.
    pub(super) fn better_end(&self) -> Result<KinkBranch, SmoothError> {
        let captures = self.base_captures();
        let base = self.with_captures(&captures);
        let at = |end| {
            base.value_over(&self.context().enclose_integer(end), &mut BranchDecisions::default(), EvalTarget::Outputs)
        };
        let gap = self.context().sub(&at(0)?, &at(1)?);
        Ok(match KinkBranch::from_sign(self.context().sign(&gap)) {
            KinkBranch::Undecided => {
                let given = self.events.given_sign(BinderView::EndDifference, EvalTarget::Outputs);
                if given == KinkBranch::Undecided {
                    self.events.record_undecided(BinderView::EndDifference, EvalTarget::Outputs);
                    self.attest_tie(&[self.context().enclose_integer(0), self.context().enclose_integer(1)]);
                }
                given
            }
            certain => certain,
        })
    }

    /// Computes the maximum of f, which is attained at an end, as a jet. `ends` are the branch points known to be 0 at each
    /// end.
    pub(super) fn at_better_end(
        &self,
        algebra: &Arc<Algebra>,
        ends: &[Vec<BranchPoint>; 2],
    ) -> Result<Jet<C::Num>, SmoothError> {
        match self.better_end()? {
            KinkBranch::Left => self.attained_at(algebra, ends, 0),
            KinkBranch::Right => self.attained_at(algebra, ends, 1),
            // Neither end is known to be better: Clarke's hull of both at order 1.
            KinkBranch::Undecided => {
                let [a, b] = [self.at_end(algebra, ends, 0)?, self.at_end(algebra, ends, 1)?];
                Ok(self.jets(algebra).undecided_maximum(&a, &b))
            }
        }
    }

    /// Evaluates f at an end, on the sides of the branch points known to be 0 there.
    fn at_end(
        &self,
        algebra: &Arc<Algebra>,
        ends: &[Vec<BranchPoint>; 2],
        end: usize,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let captures = self.base_captures();
        let place = self.context().enclose_integer(end as i64);
        let mut branches = BranchDecisions::with_forced(self.with_captures(&captures).sides_beside_ends(ends, &place)?);
        self.eval_jet(algebra, Jet::constant(place), &mut branches, EvalTarget::Outputs)
    }

    /// Evaluates f at an end at which the maximum is certainly attained, for all inputs nearby.
    ///
    /// This is recorded if f is defined there: an end may also count by its limit.
    pub(super) fn attained_at(
        &self,
        algebra: &Arc<Algebra>,
        ends: &[Vec<BranchPoint>; 2],
        end: usize,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let jet = self.at_end(algebra, ends, end)?;
        if self.context().is_defined(&self.jets(algebra).value_of(&jet)) {
            self.events.attain_at(end);
        }
        Ok(jet)
    }
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Notes several candidates, of which none is known to be the only maximiser, in the diagnosis.
    pub(crate) fn attest_peaks(&self, peaks: &[MaximiserCandidate<C::Num>]) {
        if self.machine.witness.is_some() && peaks.len() > 1 {
            self.attest_tie(&peaks.iter().map(|peak| peak.at.clone()).collect::<Vec<_>>());
        }
    }

    /// Returns `true` if any enclosure will do and a search would be expensive: the tolerance is infinite and the function runs
    /// solvers.
    pub(crate) fn needs_no_search(&self) -> bool {
        !self.machine.effort.tolerance().is_finite() && self.block.depth > 1
    }

    /// Encloses the maximum by the range of f over [0, 1] and its value in the middle. All of [0, 1] counts as possible
    /// maximiser.
    pub(crate) fn coarse_maximum(&self, algebra: &Arc<Algebra>, base: &Self) -> Result<Jet<C::Num>, SmoothError> {
        let context = self.context();
        self.machine.effort.record_open();
        let all = self.eval_jet(
            algebra,
            Jet::constant(unit_interval(context)),
            &mut BranchDecisions::default(),
            EvalTarget::Outputs,
        )?;
        let mut value = self.jets(algebra).value_of(&all);
        if !context.is_defined(&value) {
            return Ok(self.not_differentiable(algebra, value));
        }
        let middle = context.midpoint(&unit_interval(context));
        let height = base.value_over(&middle, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        // The maximum is at least any value that is attained.
        if let Some(least) = context.lower(&height).filter(|_| context.is_defined(&height)) {
            value = context.max(&value, &least);
        }
        let mut jet = self.not_differentiable(algebra, value);
        danskin::replace_slopes(self, algebra, &mut jet, &all);
        Ok(jet)
    }

    /// Returns the candidates that a search has found, as the hooks leave them.
    pub(crate) fn candidates_of(
        &self,
        primitive: SecondOrder,
        search: MaximumSearch<C>,
    ) -> Vec<MaximiserCandidate<C::Num>> {
        let (context, peaks) = (self.context(), search.into_candidates());
        if C::ACTIVE { context.hooks().maximum_candidates(context, primitive, peaks) } else { peaks }
    }

    /// Returns value, slope and half of the second derivative over a range of the bound variable. Returns `None` if the
    /// algebra is too large. The captures must be [base captures](Self::base_captures).
    pub(crate) fn taylor_to_second_order(
        &self,
        x: &C::Num,
        branches: &mut BranchDecisions,
    ) -> Result<Option<[C::Num; 3]>, SmoothError> {
        let Some(algebra) = self.machine.real.adjoin(AlgebraGenerator::Direction(2)) else { return Ok(None) };
        let x = Jet::new([Some(x.clone()), Some(self.context().enclose_integer(1))]);
        let y = self.eval_jet(&algebra, x, branches, EvalTarget::Outputs)?;
        let coefficient = |k| y.get(k).cloned().unwrap_or_else(|| self.context().enclose_integer(0));
        Ok(Some([coefficient(0), coefficient(1), coefficient(2)]))
    }

    /// Returns `true` if the value certainly does not depend on the bound variable in [0, 1], by its structure: no branch
    /// that may be taken contains it. The captures must be [base captures](Self::base_captures).
    pub(crate) fn ignores_its_variable(&self) -> Result<bool, SmoothError> {
        let Some(algebra) = self.machine.real.adjoin(AlgebraGenerator::Direction(1)) else { return Ok(false) };
        let x = Jet::new([Some(unit_interval(self.context())), Some(self.context().enclose_integer(1))]);
        let y = self.eval_jet(&algebra, x, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        Ok(y.get(1).is_none())
    }

    /// Returns the jet of f at the place x* where f_x = 0, given an enclosure of it (envelope theorem).
    ///
    /// A change δ of the place changes f by O(δ²). So the place up to order n decides the maximum up to order 2n + 1 (for
    /// n = 0 this is the envelope theorem). The higher orders of the place would only add width.
    pub(crate) fn maximum_at_critical_point(
        &self,
        algebra: &Arc<Algebra>,
        at: &C::Num,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let none = &mut BranchDecisions::default();
        let still = self.eval_jet(algebra, Jet::constant(at.clone()), none, EvalTarget::Outputs)?;
        // An algebra of height 1 needs order 0 of the place: this is the envelope theorem.
        let enough = algebra.max_degree() / 2;
        if enough == 0 {
            return Ok(still);
        }
        let place = self.lift_critical(algebra, at.clone())?;
        let place = Jet::new((0..place.len()).map(|m| place.get(m).filter(|_| algebra.degree(m) <= enough).cloned()));
        let mut jet = self.eval_jet(algebra, place, none, EvalTarget::Outputs)?;
        // At order 1 both enclose the slope, so their intersection does.
        for monomial in (1..jet.len()).filter(|&m| algebra.degree(m) == 1) {
            let slope = match (jet.get(monomial), still.get(monomial)) {
                (Some(moving), Some(still)) => {
                    let both = self.context().intersect(moving, still);
                    Some(both.ok_or(SmoothError::DisjointEnclosures { construct: "the slope of a maximum" })?)
                }
                (_, still) => still.cloned(),
            };
            jet.set(monomial, slope);
        }
        Ok(jet)
    }

    /// Lifts the place where f_x = 0 to a jet, given an enclosure of its value, by the implicit function theorem.
    pub(crate) fn lift_critical(&self, algebra: &Arc<Algebra>, value: C::Num) -> Result<Jet<C::Num>, SmoothError> {
        let Some(extended) = algebra.adjoin(AlgebraGenerator::Direction(2)) else {
            return Ok(self.not_differentiable(algebra, value));
        };
        let jets = self.jets(algebra);
        self.lift_implicitly(algebra, value, |place| {
            let mut x = place.clone();
            x.set(extended.last_generator(), Some(self.context().enclose_integer(1)));
            let f = self.eval_jet(&extended, x, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
            let part = |power: usize| {
                Jet::new(extended.power_slice(power).iter().map(|&(_, here)| f.get(here as usize).cloned()))
            };
            Ok((part(1), jets.map_coefficients(&part(2), |c| self.context().mul_integer(c, 2))))
        })
    }
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Returns for each monomial of an algebra its coefficients in the powers of x - x₀, up to this order. The order is 1
    /// if there would be too many monomials.
    pub(super) fn taylor_columns(
        &self,
        algebra: &Arc<Algebra>,
        order: usize,
        x: &C::Num,
        branches: &mut BranchDecisions,
    ) -> Result<Vec<Vec<C::Num>>, SmoothError> {
        let adjoin = |order: usize| algebra.adjoin(AlgebraGenerator::Direction(u32::try_from(order).ok()?));
        let extended = if order == 0 { None } else { adjoin(order).or_else(|| adjoin(1)) };
        let mut place = Jet::constant(x.clone());
        if let Some(extended) = &extended {
            place.set(extended.last_generator(), Some(self.context().enclose_integer(1)));
        }
        let jet = self.eval_jet(extended.as_ref().unwrap_or(algebra), place, branches, EvalTarget::Outputs)?;
        let coefficient = |here: usize| jet.get(here).cloned().unwrap_or_else(|| self.context().enclose_integer(0));
        let monomials = algebra.len();
        Ok(match extended {
            Some(extended) => extended
                .generator_columns(monomials)
                .into_iter()
                .map(|c| c.into_iter().map(coefficient).collect())
                .collect(),
            None => (0..monomials).map(|m| vec![coefficient(m)]).collect(),
        })
    }
}
