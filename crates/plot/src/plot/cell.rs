//! One column under refinement: pieces, each with the range of the function on it.
//!
//! The hull of the ranges contains every value over the column. The hull of the values at the ends of the pieces
//! certainly consists of enclosures of attained values. A piece whose range sticks out of the second hull is halved,
//! the worst first, until no piece sticks out by more than a pixel. Only the part inside the window counts.

use super::column::{Column, Values};
use super::kink::Search;
use super::sampler::{Failure, Sampler};
use super::window::Window;
use crate::number::{Enclosure, Rational};
use crate::smooth::curve::Chord;
use crate::smooth::error::SmoothError;

/// Largest number of halvings of a piece on which the function is not shown to be defined and bounded. A choice: near
/// a pole no depth suffices.
const HOPELESS_DEPTH: u32 = 24;

/// A part of a column, with the range of the function on it.
#[derive(Clone, Debug)]
struct Piece {
    ends: [Rational; 2],
    values: [Enclosure; 2],
    /// The range over the piece. ⊥ if the function is not shown to be defined on it.
    range: Enclosure,
    place: [f64; 2],
    depth: u32,
}

/// Intersects two enclosures of the values on one interval. If one of them is ⊥, returns the other.
pub(super) fn both(a: &Enclosure, b: &Enclosure, on: [&Rational; 2]) -> Result<Enclosure, Failure> {
    let error = || SmoothError::Contradiction { construct: "the range of the plotted function" };
    // Disjoint enclosures of one range are an internal error, which is reported and not hidden by a hull.
    match (a.is_defined(), b.is_defined()) {
        (true, true) => a.intersection(b).ok_or_else(|| Failure { error: error(), on: on.map(Clone::clone) }),
        (true, false) => Ok(a.clone()),
        (false, _) => Ok(b.clone()),
    }
}

/// A column under refinement.
#[derive(Clone, Debug)]
pub struct Cell {
    pieces: Vec<Piece>,
    /// The hull of enclosures of values at some points.
    taken: Enclosure,
    state: State,
}

/// The goal of the refinement of a column.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The largest overshoot of a piece, in heights of the window.
    pub pixel: f64,
    /// The largest number of pieces.
    pub most_pieces: usize,
}

/// The state of a column under refinement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The values at the ends are not known yet.
    Begun,
    /// The function is defined on the column, as far as is known.
    Open,
    /// The function is not shown to be defined, and refinement has given up.
    Undefined,
    /// The budget ended before the column was decided.
    Unknown,
}

impl Cell {
    /// Encloses the values over a column, without values at points.
    ///
    /// # Errors
    /// [`Failure`] if the evaluation fails.
    pub fn new(sampler: &mut Sampler, ends: [&Rational; 2]) -> Result<Self, Failure> {
        let range = sampler.range(ends)?;
        let values = [Enclosure::bottom(), Enclosure::bottom()];
        let piece = Piece { ends: ends.map(Clone::clone), values, range, place: [0.0, 1.0], depth: 0 };
        Ok(Self { pieces: vec![piece], taken: Enclosure::bottom(), state: State::Begun })
    }

    /// Narrows the column by the values at its ends. Does nothing if they were given before.
    ///
    /// # Errors
    /// [`Failure`] if the evaluation fails or contradicts the range found before.
    pub fn narrow(&mut self, sampler: &mut Sampler, values: [&Enclosure; 2]) -> Result<(), Failure> {
        let defined = values.iter().all(|v| v.is_defined());
        let (State::Begun, [piece]) = (self.state, &mut self.pieces[..]) else { return Ok(()) };
        // The mean value form needs both values; without them the first range remains.
        if defined {
            let ends = piece.ends.each_ref();
            let narrowed = sampler.over(Chord { ends, values })?;
            piece.range = both(&piece.range, &narrowed, ends)?;
            piece.values = values.map(Clone::clone);
        }
        // A cut budget proves nothing about the function: the column stays [`State::Begun`], and so becomes unknown.
        if sampler.is_exhausted() && !(defined && piece.range.is_defined()) {
            return Ok(());
        }
        if defined {
            self.taken = values[0].hull(values[1]);
            self.state = State::Open;
        } else if !piece.range.is_defined() {
            self.state = State::Undefined;
        }
        Ok(())
    }

    /// Returns the hull of enclosures of some attained values. `None` if the function is not shown to be defined.
    #[must_use]
    pub fn taken(&self) -> Option<&Enclosure> {
        (self.state == State::Open && self.taken.is_defined()).then_some(&self.taken)
    }

    /// Returns an enclosure of every value over the column, if there is one.
    #[must_use]
    pub fn values(&self) -> Values {
        let hull = self.pieces.iter().map(|p| p.range.clone()).reduce(|a, b| a.hull(&b));
        // A column with one piece that is ⊥ has the hull ⊥ and falls through to the other cases.
        match (self.state, hull.filter(Enclosure::is_defined)) {
            (State::Begun | State::Open, Some(hull)) => Values::Within(hull),
            (State::Begun | State::Unknown, _) => Values::Unknown,
            (State::Undefined | State::Open, _) => Values::Undefined,
        }
    }

    /// Returns `true` if the column may hold a pole: the function is not known to be defined and bounded on it.
    #[must_use]
    pub fn may_be_unbounded(&self) -> bool {
        match self.values() {
            Values::Within(e) => !e.is_bounded(),
            Values::Undefined => true,
            Values::Unknown => false,
        }
    }

    /// Returns the overshoot of a piece beyond the attained values, in heights of the window. Infinite if the
    /// function is not known to be defined on the piece.
    fn excess(piece: &Piece, taken: [f64; 2]) -> f64 {
        if !piece.range.is_defined() {
            return f64::INFINITY;
        }
        // What lies outside of the window is invisible and is cut off; a twentieth of the height remains as a margin:
        // a choice.
        let seen = |y: f64| y.clamp(-0.05, 1.05);
        let above = seen(piece.place[1]) - seen(taken[1]);
        let below = seen(taken[0]) - seen(piece.place[0]);
        above.max(below)
    }

    /// Returns the index of the worst piece and its overshoot.
    fn worst(&self, window: &Window) -> (usize, f64) {
        let taken = window.place(&self.taken);
        let all = self.pieces.iter().enumerate().map(|(i, p)| (i, Self::excess(p, taken)));
        all.fold((0, f64::NEG_INFINITY), |worst, this| if this.1 > worst.1 { this } else { worst })
    }

    /// Computes the position of every piece in a window.
    fn place(&mut self, window: &Window) {
        for piece in &mut self.pieces {
            piece.place = window.place(&piece.range);
        }
    }

    /// Halves pieces until none exceeds the attained values by more than `goal.pixel`.
    ///
    /// # Errors
    /// [`Failure`] if the evaluation fails or contradicts an earlier range.
    pub fn refine(&mut self, sampler: &mut Sampler, window: &Window, goal: Goal) -> Result<(), Failure> {
        self.place(window);
        while self.state == State::Open {
            let (index, excess) = self.worst(window);
            let undefined = excess == f64::INFINITY;
            if excess <= goal.pixel {
                return Ok(());
            }
            let hopeless = undefined && self.pieces[index].depth >= HOPELESS_DEPTH;
            // Without a limit, a pole would be halved for ever. If a piece is still ⊥ at the end, so is the column.
            if hopeless || self.pieces.len() >= goal.most_pieces {
                if undefined {
                    self.state = State::Undefined;
                }
                return Ok(());
            }
            // A budget that ends leaves the question open, so the state is unknown and not undefined.
            if sampler.is_exhausted() || !self.halve(index, sampler, window)? {
                if undefined {
                    self.state = State::Unknown;
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// Halves a piece. Returns `false` if the budget ended first, or if the middle gives less information than the
    /// whole.
    fn halve(&mut self, index: usize, sampler: &mut Sampler, window: &Window) -> Result<bool, Failure> {
        let Piece { ends: [a, b], values: [left, right], depth, range: whole, .. } = self.pieces[index].clone();
        let middle = Rational::from(&a + &b) / 2u32;
        let value = sampler.at(&middle)?;
        if !value.is_defined() {
            if sampler.is_exhausted() || whole.is_defined() {
                return Ok(false);
            }
            // The function may be undefined at this very point: no halving can help.
            self.state = State::Undefined;
            return Ok(true);
        }
        let mut half = |ends: [&Rational; 2], values: [&Enclosure; 2]| -> Result<Piece, Failure> {
            // The range of the whole piece also holds on its halves, so a half is never wider.
            let range = both(&whole, &sampler.over(Chord { ends, values })?, ends)?;
            let place = window.place(&range);
            Ok(Piece { ends: ends.map(Clone::clone), values: values.map(Clone::clone), range, place, depth: depth + 1 })
        };
        let halves = [half([&a, &middle], [&left, &value])?, half([&middle, &b], [&value, &right])?];
        if sampler.is_exhausted() && halves.iter().any(|h| !h.range.is_defined()) {
            return Ok(false);
        }
        self.taken = self.taken.hull(&value);
        let [first, second] = halves;
        self.pieces[index] = first;
        self.pieces.push(second);
        Ok(true)
    }

    /// Encloses the values at the kinks of the column, the hull of them if there are several. Returns `None` if none
    /// is found, or if the function is not shown to be defined on the whole column.
    ///
    /// # Errors
    /// [`Failure`] if the evaluation fails or contradicts an earlier range.
    pub fn kink(&self, sampler: &mut Sampler, search: &Search) -> Result<Option<Enclosure>, Failure> {
        let mut all: Option<Enclosure> = None;
        for piece in &self.pieces {
            if self.state != State::Open {
                return Ok(None);
            }
            let found = search.on(piece.ends.each_ref(), &piece.range, sampler)?;
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
    pub fn column(&mut self, x: [Rational; 2], window: &Window, pixel: f64, kink: Option<Enclosure>) -> Column {
        self.place(window);
        let settled = self.state == State::Open && self.worst(window).1 <= pixel;
        Column { x, values: self.values(), settled, kink }
    }
}
