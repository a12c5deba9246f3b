//! Evaluation of a curve: precision that grows with the need, and a record of the promises that values rest on.
//!
//! # One column under refinement
//!
//! Pieces, each with the range of the function on it.
//!
//! The hull of the ranges contains every value over the column. The hull of the values at the ends of the pieces
//! certainly consists of enclosures of attained values. A piece whose range sticks out of the second hull is halved,
//! the worst first, until no piece sticks out by more than a pixel. Only the part inside the window counts.
//!
//! # Kinks
//!
//! Points of a column with a set of values.
//!
//! Intervals that may hold a kink are halved, and those that cannot are dropped: where every branch of the program is
//! decided, the function is smooth. Both halves remain if neither is shown to be smooth. At the end, each remaining
//! interval counts as a point. Its values are a set unless they were still approaching each other.

use super::axis::Window;
use super::density::{ColumnValues, PlotColumn};
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::smooth::curve::{Chord, UnivariateMap};
use crate::smooth::error::SmoothError;
use crate::smooth::solve::subdivide::{
    End, OpenPieces, Split, SplitOrder, SubdivisionCaps, SubdivisionProblem, subdivide,
};
use std::cell::Cell;
use std::collections::BTreeSet;

/// The largest number of times that the precision is raised for one value. A choice.
const MAX_RAISES: u32 = 2;
/// Number of raises in a row without any gain after which no further one is tried. A choice.
const MAX_USELESS_RAISES: u32 = 24;
/// Number of raises in a row that helped after which the precision stays up. A choice.
const RAISES_TO_KEEP: u32 = 3;
/// Number of halvings of a column that doubles still resolve. A choice: half of the 32 bits that the precision of the
/// borders has to spare.
const SPARE_HALVINGS: u32 = 16;

/// An evaluator of one derivative of a curve.
#[derive(Debug)]
pub struct CurveSampler<'a> {
    curve: &'a UnivariateMap,
    order: u32,
    budget: &'a Budget,
    tier: Precision,
    /// The desired width of a value at a point.
    pub tolerance: Magnitude,
    /// The number of raises in a row without any gain.
    useless_raises: u32,
    /// The number of raises that helped since the first precision last sufficed.
    useful_raises: u32,
    /// The numbers of the sites whose promise some value rests on.
    pub assumed: BTreeSet<u32>,
}

/// An error, and the interval on which it happened.
#[derive(Debug)]
pub struct CurveFailure {
    /// The error.
    pub error: SmoothError,
    /// The interval.
    pub on: [Rational; 2],
}

impl<'a> CurveSampler<'a> {
    /// Creates an evaluator of the derivative of order `order`, with the initial precision `tier`.
    #[must_use]
    pub fn new(curve: &'a UnivariateMap, order: u32, tier: Precision, budget: &'a Budget) -> Self {
        let tolerance = Magnitude::power_of_two(-4);
        Self { curve, order, budget, tier, tolerance, useless_raises: 0, useful_raises: 0, assumed: BTreeSet::new() }
    }

    /// Returns the order of the derivative.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.order
    }

    /// Returns `true` if the budget is spent.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.budget.is_exhausted()
    }

    /// Evaluates with the present tolerance, and records the promises. Returns ⊥ if the budget cut the evaluation
    /// short.
    fn evaluate_with(
        &mut self,
        on: [&Rational; 2],
        question: impl Fn(&PassOptions) -> Result<Enclosure, SmoothError>,
    ) -> Result<Enclosure, CurveFailure> {
        let effort = PassOptions::new(self.tolerance, self.budget);
        let found = question(&effort);
        self.assumed.extend(effort.assumed_promises());
        // The time of a cut is not deterministic, so neither is a result that was cut short: it is dropped.
        let found = found.map(|found| if self.budget.was_exhausted() { Enclosure::bottom() } else { found });
        found.map_err(|error| CurveFailure { error, on: on.map(Clone::clone) })
    }

    /// Encloses the value at a point, as narrow as the tolerance if that can be reached.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails, or if two precisions give disjoint enclosures.
    pub fn value_at(&mut self, x: &Rational) -> Result<Enclosure, CurveFailure> {
        let (curve, order, first) = (self.curve, self.order, self.tier);
        let mut best = self.evaluate_with([x, x], |effort| curve.range_over([x, x], order, first, effort))?;
        let mut tier = first;
        for _ in 0..MAX_RAISES {
            if best.width() <= self.tolerance || self.useless_raises > MAX_USELESS_RAISES || self.is_exhausted() {
                break;
            }
            // Doubling reaches any precision in a few steps; 128 bits are the least of MPFR that is worth a second
            // evaluation.
            tier = Precision::Mpfr((tier.bits() * 2).max(128));
            let finer = self.evaluate_with([x, x], |effort| curve.range_over([x, x], order, tier, effort))?;
            let error = || SmoothError::DisjointEnclosures { construct: "a value of the plotted function" };
            let both =
                best.intersection(&finer).ok_or_else(|| CurveFailure { error: error(), on: [x.clone(), x.clone()] })?;
            // A gain is a width that was at least halved, or a value that is now defined.
            let gained = both.is_defined() != best.is_defined() || both.width().mul_exp2(1) < best.width();
            best = both;
            if gained {
                self.useless_raises = 0;
                self.useful_raises += 1;
            } else {
                self.useless_raises += 1;
            }
        }
        // A change of precision for good needs several successes in a row, so that one hard point does not slow down
        // all others.
        if tier == first {
            self.useful_raises = 0;
        } else if self.useful_raises > RAISES_TO_KEEP && best.width() <= self.tolerance {
            self.tier = tier;
            self.useful_raises = 0;
        }
        Ok(best)
    }

    /// Encloses the range over an interval by interval arithmetic alone.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails.
    pub fn enclose_range(&mut self, on: [&Rational; 2]) -> Result<Enclosure, CurveFailure> {
        let (curve, order, tier) = (self.curve, self.order, self.tier);
        self.evaluate_with(on, |effort| curve.range_over(on, order, tier, effort))
    }

    /// Returns `true` if [`Self::range_and_choices`] sees every branch of the function.
    #[must_use]
    pub fn shows_choices(&self) -> bool {
        self.curve.records_all_branches()
    }

    /// Encloses the range over an interval, which is a column halved `level` times, at a precision that distinguishes
    /// its ends. Also returns `true` if every recorded branch is decided on it.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails.
    pub fn range_and_choices(&mut self, on: [&Rational; 2], level: u32) -> Result<(Enclosure, bool), CurveFailure> {
        let (curve, order) = (self.curve, self.order);
        let tier = match self.tier {
            Precision::Double if level <= SPARE_HALVINGS => Precision::Double,
            // Every halving needs one more bit to distinguish the ends.
            tier => Precision::Mpfr(tier.bits() + level + 64),
        };
        let decided = Cell::new(true);
        let range = self.evaluate_with(on, |effort| {
            let (range, is_decided) = curve.range_and_branches(on, order, tier, effort)?;
            decided.set(is_decided);
            Ok(range)
        })?;
        Ok((range, decided.get()))
    }

    /// Encloses the range over an interval, from the values at its ends and the slope.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails.
    pub fn enclose_by_slope(&mut self, chord: Chord) -> Result<Enclosure, CurveFailure> {
        let (curve, order, tier) = (self.curve, self.order, self.tier);
        self.evaluate_with(chord.ends, |effort| curve.range_by_mean_value(chord, order, tier, effort))
    }
}

/// Largest number of halvings of a piece on which the function is not shown to be defined and bounded. A choice: near
/// a pole no depth suffices.
const MAX_UNDEFINED_DEPTH: u32 = 24;

/// A part of a column, with the range of the function on it.
#[derive(Clone, Debug)]
struct ColumnPiece {
    ends: [Rational; 2],
    values: [Enclosure; 2],
    /// The range over the piece. ⊥ if the function is not shown to be defined on it.
    range: Enclosure,
    position: [f64; 2],
    depth: u32,
}

/// Intersects two enclosures of the values on one interval. If one of them is ⊥, returns the other.
pub(super) fn intersect_enclosures(
    a: &Enclosure,
    b: &Enclosure,
    on: [&Rational; 2],
) -> Result<Enclosure, CurveFailure> {
    let error = || SmoothError::DisjointEnclosures { construct: "the range of the plotted function" };
    // Disjoint enclosures of one range are an internal error, which is reported and not hidden by a hull.
    match (a.is_defined(), b.is_defined()) {
        (true, true) => a.intersection(b).ok_or_else(|| CurveFailure { error: error(), on: on.map(Clone::clone) }),
        (true, false) => Ok(a.clone()),
        (false, _) => Ok(b.clone()),
    }
}

/// A column under refinement.
#[derive(Clone, Debug)]
pub struct ColumnRefinement {
    pieces: Vec<ColumnPiece>,
    /// The hull of enclosures of values at some points.
    attained: Enclosure,
    state: RefinementState,
}

/// The goal of the refinement of a column.
#[derive(Clone, Copy, Debug)]
pub struct RefinementGoal {
    /// The largest overshoot of a piece, in heights of the window.
    pub pixel: f64,
    /// The largest number of pieces.
    pub most_pieces: usize,
}

/// The state of a column under refinement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RefinementState {
    /// The values at the ends are not known yet.
    Initial,
    /// The function is defined on the column, as far as is known.
    Open,
    /// The function is not shown to be defined, and refinement has given up.
    Undefined,
    /// The budget ended before the column was decided.
    Unknown,
}

impl ColumnRefinement {
    /// Encloses the values over a column, without values at points.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails.
    pub fn new(sampler: &mut CurveSampler, ends: [&Rational; 2]) -> Result<Self, CurveFailure> {
        let range = sampler.enclose_range(ends)?;
        let values = [Enclosure::bottom(), Enclosure::bottom()];
        let piece = ColumnPiece { ends: ends.map(Clone::clone), values, range, position: [0.0, 1.0], depth: 0 };
        Ok(Self { pieces: vec![piece], attained: Enclosure::bottom(), state: RefinementState::Initial })
    }

    /// Narrows the column by the values at its ends. Does nothing if they were given before.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails or contradicts the range found before.
    pub fn narrow_by_ends(&mut self, sampler: &mut CurveSampler, values: [&Enclosure; 2]) -> Result<(), CurveFailure> {
        let defined = values.iter().all(|v| v.is_defined());
        let (RefinementState::Initial, [piece]) = (self.state, &mut self.pieces[..]) else { return Ok(()) };
        // The mean value form needs both values; without them the first range remains.
        if defined {
            let ends = piece.ends.each_ref();
            let narrowed = sampler.enclose_by_slope(Chord { ends, values })?;
            piece.range = intersect_enclosures(&piece.range, &narrowed, ends)?;
            piece.values = values.map(Clone::clone);
        }
        // A cut budget proves nothing about the function: the column stays [`RefinementState::Initial`], and so becomes unknown.
        if sampler.is_exhausted() && !(defined && piece.range.is_defined()) {
            return Ok(());
        }
        if defined {
            self.attained = values[0].hull(values[1]);
            self.state = RefinementState::Open;
        } else if !piece.range.is_defined() {
            self.state = RefinementState::Undefined;
        }
        Ok(())
    }

    /// Returns the hull of enclosures of some attained values. `None` if the function is not shown to be defined.
    #[must_use]
    pub fn attained(&self) -> Option<&Enclosure> {
        (self.state == RefinementState::Open && self.attained.is_defined()).then_some(&self.attained)
    }

    /// Returns an enclosure of every value over the column, if there is one.
    #[must_use]
    pub fn enclosed_values(&self) -> ColumnValues {
        let hull = self.pieces.iter().map(|p| p.range.clone()).reduce(|a, b| a.hull(&b));
        // A column with one piece that is ⊥ has the hull ⊥ and falls through to the other cases.
        match (self.state, hull.filter(Enclosure::is_defined)) {
            (RefinementState::Initial | RefinementState::Open, Some(hull)) => ColumnValues::Within(hull),
            (RefinementState::Initial | RefinementState::Unknown, _) => ColumnValues::Unknown,
            (RefinementState::Undefined | RefinementState::Open, _) => ColumnValues::Undefined,
        }
    }

    /// Returns `true` if the column may hold a pole: the function is not known to be defined and bounded on it.
    #[must_use]
    pub fn may_be_unbounded(&self) -> bool {
        match self.enclosed_values() {
            ColumnValues::Within(e) => !e.is_bounded(),
            ColumnValues::Undefined => true,
            ColumnValues::Unknown => false,
        }
    }

    /// Returns the overshoot of a piece beyond the attained values, in heights of the window. Infinite if the
    /// function is not known to be defined on the piece.
    fn overshoot(piece: &ColumnPiece, taken: [f64; 2]) -> f64 {
        if !piece.range.is_defined() {
            return f64::INFINITY;
        }
        // What lies outside of the window is invisible and is cut off; a twentieth of the height remains as a margin:
        // a choice.
        let seen = |y: f64| y.clamp(-0.05, 1.05);
        let above = seen(piece.position[1]) - seen(taken[1]);
        let below = seen(taken[0]) - seen(piece.position[0]);
        above.max(below)
    }

    /// Computes the position of every piece in a window.
    fn position_pieces(&mut self, window: &Window) {
        for piece in &mut self.pieces {
            piece.position = window.position_of(&piece.range);
        }
    }

    /// Halves pieces until none exceeds the attained values by more than `target_overshoot`.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails or contradicts an earlier range.
    pub fn refine(
        &mut self,
        sampler: &mut CurveSampler,
        window: &Window,
        goal: RefinementGoal,
    ) -> Result<(), CurveFailure> {
        self.position_pieces(window);
        let pieces = std::mem::take(&mut self.pieces);
        // A column without pieces has no values, and nothing to refine.
        let caps = SubdivisionCaps::NONE;
        let mut search = ColumnSearch { column: self, sampler, window, goal, worst: 0, seen: 0 };
        let left = subdivide(&mut search, pieces, caps, None)?;
        self.pieces = left.open;
        Ok(())
    }

    /// Encloses the values at the kinks of the column, the hull of them if there are several. Returns `None` if none
    /// is found, or if the function is not shown to be defined on the whole column.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails or contradicts an earlier range.
    pub fn enclose_kinks(
        &self,
        sampler: &mut CurveSampler,
        search: &KinkSearch,
    ) -> Result<Option<Enclosure>, CurveFailure> {
        let mut all: Option<Enclosure> = None;
        for piece in &self.pieces {
            if self.state != RefinementState::Open {
                return Ok(None);
            }
            let found = search.enclose_kinks_on(piece.ends.each_ref(), &piece.range, sampler)?;
            all = match (all, found) {
                (Some(all), Some(found)) => Some(all.hull(&found)),
                (all, found) => all.or(found),
            };
        }
        Ok(all)
    }

    /// Returns the column as it is drawn, positioned in `window`; it is settled if no piece overshoots by more than
    /// `pixel`.
    #[must_use]
    pub fn drawn_column(
        &mut self,
        x: [Rational; 2],
        window: &Window,
        pixel: f64,
        kink: Option<Enclosure>,
    ) -> PlotColumn {
        self.position_pieces(window);
        let settled =
            self.state == RefinementState::Open && worst_piece(self.pieces.iter(), &self.attained, window).1 <= pixel;
        PlotColumn { x, values: self.enclosed_values(), settled, kink }
    }
}

/// The refinement of one column: its worst piece is halved, until none exceeds the attained values by much.
struct ColumnSearch<'c, 's, 'm> {
    column: &'c mut ColumnRefinement,
    sampler: &'s mut CurveSampler<'m>,
    window: &'c Window,
    goal: RefinementGoal,
    /// The index of the worst piece, …
    worst: usize,
    /// … and of the next one that is looked at.
    seen: usize,
}

impl ColumnSearch<'_, '_, '_> {
    /// Halves a piece. It is kept if the budget ended first, or if the middle gives less information than the whole.
    fn halve_piece(&mut self, piece: ColumnPiece) -> Result<Split<ColumnPiece>, CurveFailure> {
        let (sampler, window) = (&mut *self.sampler, self.window);
        let ColumnPiece { ends: [a, b], values: [left, right], depth, range: whole, .. } = piece.clone();
        let middle = Rational::from(&a + &b) / 2u32;
        let value = sampler.value_at(&middle)?;
        if !value.is_defined() {
            if !sampler.is_exhausted() && !whole.is_defined() {
                // The function may be undefined at this very point: no halving can help.
                self.column.state = RefinementState::Undefined;
            }
            return Ok(Split::Kept(piece));
        }
        let mut half = |ends: [&Rational; 2], values: [&Enclosure; 2]| -> Result<ColumnPiece, CurveFailure> {
            // The range of the whole piece also holds on its halves, so a half is never wider.
            let range = intersect_enclosures(&whole, &sampler.enclose_by_slope(Chord { ends, values })?, ends)?;
            let place = window.position_of(&range);
            Ok(ColumnPiece {
                ends: ends.map(Clone::clone),
                values: values.map(Clone::clone),
                range,
                position: place,
                depth: depth + 1,
            })
        };
        let halves = [half([&a, &middle], [&left, &value])?, half([&middle, &b], [&value, &right])?];
        if sampler.is_exhausted() && halves.iter().any(|h| !h.range.is_defined()) {
            return Ok(Split::Kept(piece));
        }
        self.column.attained = self.column.attained.hull(&value);
        Ok(Split::Parts(halves.into()))
    }
}

impl SubdivisionProblem for ColumnSearch<'_, '_, '_> {
    type Piece = ColumnPiece;
    type Error = CurveFailure;

    /// The overshoot of all pieces falls when another value is attained, so that they have no rank that lasts.
    fn split_order(&self) -> SplitOrder {
        SplitOrder::Rounds { batch: 1 }
    }

    fn judge_open(&mut self, open: &mut OpenPieces<ColumnPiece>) -> Result<Option<End>, CurveFailure> {
        if self.column.state != RefinementState::Open {
            return Ok(Some(End::Stuck));
        }
        let (index, excess) = worst_piece(open.iter(), &self.column.attained, self.window);
        (self.worst, self.seen) = (index, 0);
        if excess <= self.goal.pixel {
            return Ok(Some(End::Reached));
        }
        let undefined = excess == f64::INFINITY;
        let depth = open.iter().nth(index).map_or(0, |piece| piece.depth);
        // Without a limit, a pole would be halved for ever. If a piece is still ⊥ at the end, so is the column.
        if (undefined && depth >= MAX_UNDEFINED_DEPTH) || open.len() >= self.goal.most_pieces {
            if undefined {
                self.column.state = RefinementState::Undefined;
            }
            return Ok(Some(End::Cap));
        }
        // A budget that ends leaves the question open, so the state is unknown and not undefined.
        if self.sampler.is_exhausted() {
            if undefined {
                self.column.state = RefinementState::Unknown;
            }
            return Ok(Some(End::Cut));
        }
        Ok(None)
    }

    fn is_wanted(&mut self, _: &ColumnPiece) -> bool {
        self.seen += 1;
        self.seen == self.worst + 1
    }

    fn split_pieces(&mut self, pieces: Vec<ColumnPiece>) -> Result<Vec<Split<ColumnPiece>>, CurveFailure> {
        let mut splits = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let undefined = !piece.range.is_defined();
            let split = self.halve_piece(piece)?;
            if undefined && matches!(split, Split::Kept(_)) && self.column.state == RefinementState::Open {
                self.column.state = RefinementState::Unknown;
            }
            splits.push(split);
        }
        Ok(splits)
    }
}

/// Returns the index of the worst piece and its overshoot beyond the attained values.
fn worst_piece<'p>(
    pieces: impl Iterator<Item = &'p ColumnPiece>,
    attained: &Enclosure,
    window: &Window,
) -> (usize, f64) {
    let taken = window.position_of(attained);
    let all = pieces.enumerate().map(|(i, p)| (i, ColumnRefinement::overshoot(p, taken)));
    all.fold((0, f64::NEG_INFINITY), |worst, this| if this.1 > worst.1 { this } else { worst })
}

/// Number of halvings after which an interval with many values counts as a point, for a program whose branches are
/// all recorded. A choice.
pub const KINK_DEPTH: u32 = 48;
/// Number of halvings for a program with solvers, which may have a kink without a recorded branch. A choice: each
/// step runs the solvers.
pub const SOLVER_DEPTH: u32 = 30;
/// The largest number of intervals that are kept, those with the widest ranges. The first holds while intervals are
/// wide and ranges overestimate, the second afterwards. A choice.
const MOST_PIECES: [usize; 2] = [32, 6];
/// The least width of the values at a kink of a program with solvers, in rows of pixels. Narrower sets may be the
/// width of the solvers' enclosures.
const MIN_SOLVER_ROWS: u32 = 2;
/// The share of the window's height that may be rounding, as a power of two. A choice.
const ROUNDING_SHARE: i64 = -40;

/// The factor on the tolerance of solvers for the last evaluation, as a power of two. A choice.
const SOLVER_TOLERANCE_SHIFT: i64 = -6;

/// An interval that may hold a kink.
struct KinkCandidate {
    ends: [Rational; 2],
    /// The range over the interval. ⊥ if the function is not shown to be defined on it.
    range: Enclosure,
    /// The width of the range after half of the halvings.
    before: Magnitude,
}

impl KinkCandidate {
    /// Returns the width of the range, infinite if it is ⊥.
    fn range_width(&self) -> Magnitude {
        if self.range.is_defined() { self.range.width() } else { Magnitude::INFINITY }
    }
}

/// A search for kinks in the columns of one envelope.
#[derive(Debug)]
pub struct KinkSearch {
    height: Magnitude,
    row: Magnitude,
}

impl KinkSearch {
    /// Creates a search in a window of height `height` with `rows` rows of pixels.
    #[must_use]
    pub fn new(height: &Rational, rows: u32) -> Self {
        let row = Rational::from(height / rows);
        Self { height: Magnitude::from_rational(height), row: Magnitude::from_rational(&row) }
    }

    /// Encloses the values at the kinks on an interval with the range `range`, the hull of them if there are several.
    /// Returns `None` if there is none, or if the budget ended first.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails or contradicts the given range.
    pub fn enclose_kinks_on(
        &self,
        ends: [&Rational; 2],
        range: &Enclosure,
        sampler: &mut CurveSampler,
    ) -> Result<Option<Enclosure>, CurveFailure> {
        let shows_choices = sampler.shows_choices();
        // If all branches are recorded, any width beyond rounding counts; a solver's enclosures have a width of their
        // own.
        let (depth, least) = match shows_choices {
            true => (KINK_DEPTH, self.height.mul_exp2(ROUNDING_SHARE)),
            false => (SOLVER_DEPTH, Magnitude::from_f64(self.row.to_f64() * f64::from(MIN_SOLVER_ROWS))),
        };
        let whole = KinkCandidate { ends: ends.map(Clone::clone), range: range.clone(), before: Magnitude::INFINITY };
        let mut pieces: Vec<_> = evaluate_part(ends, sampler, 0, least, &whole)?.into_iter().collect();
        for level in 1..=depth {
            let mut halves = Vec::with_capacity(2 * pieces.len());
            for whole in &pieces {
                let [a, b] = &whole.ends;
                let middle = Rational::from(a + b) / 2u32;
                for ends in [[a, &middle], [&middle, b]] {
                    halves.extend(evaluate_part(ends, sampler, level, least, whole)?);
                }
            }
            // The widest ranges are the likeliest kinks, so the others are dropped at the limit.
            halves.sort_by_key(|half| std::cmp::Reverse(half.range_width()));
            halves.truncate(MOST_PIECES[usize::from(!shows_choices || level > depth / 4)]);
            // At a smooth point, the second half of the halvings makes the range narrower; at a kink it stays as
            // wide.
            if level == depth / 2 {
                halves.iter_mut().for_each(|half| half.before = half.range_width());
            }
            pieces = halves;
            // A search that was cut short shows no kink: `None` claims nothing.
            if pieces.is_empty() || sampler.is_exhausted() {
                return Ok(None);
            }
        }
        let mut found: Option<Enclosure> = None;
        let usual = sampler.tolerance;
        for mut piece in pieces {
            if !shows_choices {
                // The set drawn at a kink must not contain the width of the solvers' enclosures, so they aim at
                // narrower values.
                sampler.tolerance = usual.mul_exp2(SOLVER_TOLERANCE_SHIFT);
                let again = evaluate_part(piece.ends.each_ref(), sampler, depth, least, &piece);
                sampler.tolerance = usual;
                piece.range = again?.map_or(piece.range, |again| again.range);
            }
            let stays =
                piece.range.is_defined() && piece.range.is_bounded() && is_most_of(piece.range_width(), piece.before);
            if stays && (shows_choices || is_narrow_beside(&piece, sampler)?) {
                found = Some(found.map_or(piece.range.clone(), |found| found.hull(&piece.range)));
            }
        }
        Ok(found)
    }
}

/// Evaluates a part of an interval. Returns `None` if it holds no kink.
fn evaluate_part(
    ends: [&Rational; 2],
    sampler: &mut CurveSampler,
    level: u32,
    least: Magnitude,
    whole: &KinkCandidate,
) -> Result<Option<KinkCandidate>, CurveFailure> {
    let (range, is_decided) = sampler.range_and_choices(ends, level)?;
    let piece = KinkCandidate {
        ends: ends.map(Clone::clone),
        range: intersect_enclosures(&whole.range, &range, ends)?,
        before: whole.before,
    };
    // A decided branch proves smoothness only if every branch is recorded.
    let is_smooth = is_decided && sampler.shows_choices();
    Ok((!is_smooth && piece.range_width() >= least).then_some(piece))
}

/// Returns `true` if `width` is at least three quarters of `before`. A choice: the range of a smooth function shrinks
/// with the interval, by 2⁻¹⁵ or more.
fn is_most_of(width: Magnitude, before: Magnitude) -> bool {
    width.mul_exp2(2) >= before.mul_exp2(1) + before
}

/// Returns `true` if the function is nearly single-valued at an end of the interval. A range that is as wide
/// everywhere is no kink but the width of the solvers' enclosures.
fn is_narrow_beside(piece: &KinkCandidate, sampler: &mut CurveSampler) -> Result<bool, CurveFailure> {
    for end in &piece.ends {
        let value = sampler.value_at(end)?;
        if value.is_defined() && value.width().mul_exp2(1) <= piece.range_width() {
            return Ok(true);
        }
    }
    Ok(false)
}
