//! One column under refinement: pieces, each with the range of the function on it.
//!
//! The hull of the ranges contains every value over the column. The hull of the values at the ends of the pieces
//! certainly consists of enclosures of attained values. A piece whose range sticks out of the second hull is halved,
//! the worst first, until no piece sticks out by more than a pixel. Only the part inside the window counts.

use super::column::{ColumnValues, PlotColumn};
use super::kink::KinkSearch;
use super::sampler::{CurveFailure, CurveSampler};
use super::window::Window;
use crate::number::{Enclosure, Rational};
use crate::smooth::curve::Chord;
use crate::smooth::error::SmoothError;

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

    /// Returns the index of the worst piece and its overshoot.
    fn worst_piece(&self, window: &Window) -> (usize, f64) {
        let taken = window.position_of(&self.attained);
        let all = self.pieces.iter().enumerate().map(|(i, p)| (i, Self::overshoot(p, taken)));
        all.fold((0, f64::NEG_INFINITY), |worst, this| if this.1 > worst.1 { this } else { worst })
    }

    /// Computes the position of every piece in a window.
    fn position_pieces(&mut self, window: &Window) {
        for piece in &mut self.pieces {
            piece.position = window.position_of(&piece.range);
        }
    }

    /// Halves pieces until none exceeds the attained values by more than `goal.target_overshoot`.
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
        while self.state == RefinementState::Open {
            let (index, excess) = self.worst_piece(window);
            let undefined = excess == f64::INFINITY;
            if excess <= goal.pixel {
                return Ok(());
            }
            let hopeless = undefined && self.pieces[index].depth >= MAX_UNDEFINED_DEPTH;
            // Without a limit, a pole would be halved for ever. If a piece is still ⊥ at the end, so is the column.
            if hopeless || self.pieces.len() >= goal.most_pieces {
                if undefined {
                    self.state = RefinementState::Undefined;
                }
                return Ok(());
            }
            // A budget that ends leaves the question open, so the state is unknown and not undefined.
            if sampler.is_exhausted() || !self.halve_piece(index, sampler, window)? {
                if undefined {
                    self.state = RefinementState::Unknown;
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// Halves a piece. Returns `false` if the budget ended first, or if the middle gives less information than the
    /// whole.
    fn halve_piece(&mut self, index: usize, sampler: &mut CurveSampler, window: &Window) -> Result<bool, CurveFailure> {
        let ColumnPiece { ends: [a, b], values: [left, right], depth, range: whole, .. } = self.pieces[index].clone();
        let middle = Rational::from(&a + &b) / 2u32;
        let value = sampler.value_at(&middle)?;
        if !value.is_defined() {
            if sampler.is_exhausted() || whole.is_defined() {
                return Ok(false);
            }
            // The function may be undefined at this very point: no halving can help.
            self.state = RefinementState::Undefined;
            return Ok(true);
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
            return Ok(false);
        }
        self.attained = self.attained.hull(&value);
        let [first, second] = halves;
        self.pieces[index] = first;
        self.pieces.push(second);
        Ok(true)
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
        let settled = self.state == RefinementState::Open && self.worst_piece(window).1 <= pixel;
        PlotColumn { x, values: self.enclosed_values(), settled, kink }
    }
}
