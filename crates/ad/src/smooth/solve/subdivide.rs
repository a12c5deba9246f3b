//! The engine of subdivision, for all searches that divide pieces until the whole is known well enough.
//!
//! A [`SubdivisionProblem`] says how to bound a piece, how to split it and when the whole is known. The engine keeps the open
//! pieces, chooses those to split, and keeps the limits. Each search has one of these orders:
//!
//! | order | next | used for |
//! |---|---|---|
//! | [`SplitOrder::Newest`] | the piece added last | proofs, in which every piece has to settle |
//! | [`SplitOrder::Oldest`] | the piece added first | lists of all zeros |
//! | [`SplitOrder::Worst`] | the most urgent piece, and among these the one of greatest excess | sums, and hulls of ranges |
//! | [`SplitOrder::Rounds`] | all wanted pieces, from left to right | searches on a line whose pieces depend on their neighbours |
//!
//! A settled piece is handed back and dropped, so that memory is taken by open pieces alone. The parts of pieces that were
//! split together are merged in the order of the pieces, whichever thread was first. So a search gives the same
//! result on any number of threads, unless the clock cuts it short.
//!
//! # The end of a search
//!
//! | end | meaning | does more work help? |
//! |---|---|---|
//! | [`End::Reached`] | the whole is known well enough, or nothing is open | no |
//! | [`End::Floor`] | what is left comes with the inputs and with rounding | not without better inputs or more digits |
//! | [`End::Stuck`] | no piece was split: none can be, or the budget ended within a round | no, unless the budget ended |
//! | [`End::Cap`] | a limit on pieces was reached | yes |
//! | [`End::Cut`] | the budget was spent | yes |

use crate::number::Magnitude;
use crate::number::budget::Budget;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// A problem that is solved by dividing pieces. See the [module](self).
pub trait SubdivisionProblem {
    /// A piece.
    type Piece;
    /// The error of a bound or of a split.
    type Error;

    /// Returns the order in which pieces are split. Its kind must not change.
    fn split_order(&self) -> SplitOrder;

    /// Bounds a piece; it may be replaced by a smaller one that is as good.
    ///
    /// It is called when the piece is added in [`SplitOrder::Worst`], again if it is kept there, and when its turn comes in
    /// [`SplitOrder::Newest`] and [`SplitOrder::Oldest`]. In [`SplitOrder::Rounds`] it is not called.
    ///
    /// # Errors
    /// As the implementation says.
    fn bound_piece(&mut self, piece: &mut Self::Piece) -> Result<PieceBound, Self::Error> {
        let _ = piece;
        Ok(PieceBound::open(0, Magnitude::ZERO))
    }

    /// Splits pieces, and returns one result for each, in their order.
    ///
    /// # Errors
    /// As the implementation says.
    fn split_pieces(&mut self, pieces: Vec<Self::Piece>) -> Result<Vec<Split<Self::Piece>>, Self::Error>;

    /// Takes a settled piece.
    fn settle_piece(&mut self, piece: Self::Piece) {
        drop(piece);
    }

    /// Judges the open pieces before any is split, and returns the end of the search, or `None` to go on. In
    /// [`SplitOrder::Rounds`] it may drop or change pieces.
    ///
    /// # Errors
    /// As the implementation says.
    fn judge_open(&mut self, open: &mut OpenPieces<Self::Piece>) -> Result<Option<End>, Self::Error> {
        let _ = open;
        Ok(None)
    }

    /// Returns `true` if a piece is split in this round. Called in [`SplitOrder::Rounds`] alone.
    fn is_wanted(&mut self, piece: &Self::Piece) -> bool {
        let _ = piece;
        true
    }

    /// Looks at all open pieces after each batch of a round.
    ///
    /// # Errors
    /// As the implementation says.
    fn observe_open(&mut self, open: &mut dyn Iterator<Item = &Self::Piece>) -> Result<(), Self::Error> {
        let _ = open;
        Ok(())
    }
}

/// The order in which open pieces are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitOrder {
    /// The piece added last. A piece that cannot be split ends the search.
    Newest,
    /// The piece added first.
    Oldest,
    /// The most urgent pieces, as many as are split together: at least `least`, and at most the `share`-th part of those that are
    /// open.
    Worst {
        /// The number of open pieces from which several are split together.
        together_from: usize,
        /// The divisor of their number.
        share: usize,
        /// The largest number that is split together.
        most: usize,
    },
    /// All wanted pieces of a round, in batches of this many.
    Rounds {
        /// The number of wanted pieces that are split together.
        batch: usize,
    },
}

impl SplitOrder {
    /// The most urgent piece alone.
    pub const WORST_ALONE: Self = Self::Worst { together_from: usize::MAX, share: 1, most: 1 };
}

/// The bound of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceBound {
    /// `true` if the piece need not be split. It is handed back at once.
    pub is_settled: bool,
    /// The urgency: pieces of higher urgency come first, whatever their excess.
    pub urgency: u8,
    /// The width that splitting may narrow.
    pub excess: Magnitude,
}

impl PieceBound {
    /// The bound of a settled piece.
    pub const SETTLED: Self = Self { is_settled: true, urgency: 0, excess: Magnitude::ZERO };

    /// Returns the bound of an open piece.
    #[must_use]
    pub fn open(urgency: u8, excess: Magnitude) -> Self {
        Self { is_settled: false, urgency, excess }
    }
}

/// The result of splitting a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Split<P> {
    /// The parts. No part is left if the problem has settled all of them.
    Parts(Vec<P>),
    /// The piece, unchanged for now: the budget was spent, or its turn comes later.
    Kept(P),
    /// The piece, which cannot be split.
    Stuck(P),
}

/// The limits of a search, besides its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubdivisionCaps {
    /// The largest number of open pieces.
    pub open: usize,
    /// The largest number of pieces that are bounded, in [`SplitOrder::Newest`] and [`SplitOrder::Oldest`].
    pub bounded: usize,
    /// The largest number of pieces that are split, in [`SplitOrder::Newest`] and [`SplitOrder::Oldest`].
    pub splits: usize,
}

impl SubdivisionCaps {
    /// No limits but the budget.
    pub const NONE: Self = Self { open: usize::MAX, bounded: usize::MAX, splits: usize::MAX };
}

/// The reason for which a search ended. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The whole is known well enough, or nothing is open.
    Reached,
    /// The rest comes with the inputs and with rounding.
    Floor,
    /// A limit on pieces was reached.
    Cap,
    /// The budget was spent.
    Cut,
    /// No piece can be split.
    Stuck,
}

/// The pieces that are left at the end of a search.
#[derive(Clone, Debug)]
pub struct Subdivided<P> {
    /// The open pieces: from left to right after rounds, else in no order that means anything.
    pub open: Vec<P>,
    /// The pieces that cannot be split.
    pub stuck: Vec<P>,
    /// The reason for the end.
    pub end: End,
}

/// The open pieces of a search.
#[derive(Debug)]
pub struct OpenPieces<P>(PieceStore<P>);

#[derive(Debug)]
enum PieceStore<P> {
    Line(VecDeque<P>),
    Heap(BinaryHeap<RankedPiece<P>>),
}

/// A piece with its bound and its age, which breaks ties.
#[derive(Debug)]
struct RankedPiece<P> {
    piece: P,
    bound: PieceBound,
    age: usize,
}

impl<P> RankedPiece<P> {
    fn rank(&self) -> (u8, Magnitude, std::cmp::Reverse<usize>) {
        (self.bound.urgency, self.bound.excess, std::cmp::Reverse(self.age))
    }
}

impl<P> PartialEq for RankedPiece<P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl<P> Eq for RankedPiece<P> {}
impl<P> PartialOrd for RankedPiece<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<P> Ord for RankedPiece<P> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl<P> OpenPieces<P> {
    fn new(order: SplitOrder) -> Self {
        Self(match order {
            SplitOrder::Worst { .. } => PieceStore::Heap(BinaryHeap::new()),
            _ => PieceStore::Line(VecDeque::new()),
        })
    }

    /// Returns the number of open pieces.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            PieceStore::Line(line) => line.len(),
            PieceStore::Heap(heap) => heap.len(),
        }
    }

    /// Returns `true` if no piece is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the open pieces: from left to right in rounds.
    pub fn iter(&self) -> impl Iterator<Item = &P> {
        let (line, heap) = match &self.0 {
            PieceStore::Line(line) => (Some(line), None),
            PieceStore::Heap(heap) => (None, Some(heap)),
        };
        line.into_iter().flatten().chain(heap.into_iter().flatten().map(|ranked| &ranked.piece))
    }

    /// Returns the pieces of a round, to be changed. It is empty in [`SplitOrder::Worst`].
    pub fn take_line(&mut self) -> Vec<P> {
        match &mut self.0 {
            PieceStore::Line(line) => std::mem::take(line).into(),
            PieceStore::Heap(_) => Vec::new(),
        }
    }

    /// Sets the pieces of a round, from left to right.
    pub fn set_line(&mut self, pieces: Vec<P>) {
        if let PieceStore::Line(line) = &mut self.0 {
            *line = pieces.into();
        }
    }

    fn into_vec(self) -> Vec<P> {
        match self.0 {
            PieceStore::Line(line) => line.into(),
            PieceStore::Heap(heap) => heap.into_vec().into_iter().map(|ranked| ranked.piece).collect(),
        }
    }
}

/// Divides pieces until the search says that the whole is known, or a limit ends it.
///
/// # Errors
/// Those of the search.
pub fn subdivide<S: SubdivisionProblem>(
    search: &mut S,
    pieces: Vec<S::Piece>,
    caps: SubdivisionCaps,
    budget: Option<&Budget>,
) -> Result<Subdivided<S::Piece>, S::Error> {
    let order = search.split_order();
    let mut state = SubdivisionState { open: OpenPieces::new(order), stuck: Vec::new(), age: 0, bounded: 0, splits: 0 };
    state.add_parts(search, pieces)?;
    let is_in_rounds = matches!(order, SplitOrder::Rounds { .. });
    let end = loop {
        // A search in rounds may be empty because all pieces were excluded, which it has to judge itself.
        if !is_in_rounds && state.open.is_empty() {
            break if state.stuck.is_empty() { End::Reached } else { End::Stuck };
        }
        if let Some(end) = search.judge_open(&mut state.open)? {
            break end;
        }
        if state.open.len() > caps.open || state.bounded >= caps.bounded {
            break End::Cap;
        }
        // In a line the bound of a piece may settle it, so that the budget is asked before a split alone.
        let is_line = matches!(order, SplitOrder::Newest | SplitOrder::Oldest);
        if !is_line && budget.is_some_and(|budget| !budget.spend(1)) {
            break End::Cut;
        }
        let is_newest = order == SplitOrder::Newest;
        let end = match search.split_order() {
            SplitOrder::Newest | SplitOrder::Oldest => state.split_next(search, is_newest, caps.splits, budget)?,
            SplitOrder::Worst { together_from, share, most } => {
                let open = state.open.len();
                let together = if open < together_from { 1 } else { (open / share.max(1)).clamp(1, most) };
                state.split_worst(search, together)?
            }
            SplitOrder::Rounds { batch } => state.split_round(search, batch)?,
        };
        if let Some(end) = end {
            break end;
        }
    };
    Ok(Subdivided { open: state.open.into_vec(), stuck: state.stuck, end })
}

/// The state of a search.
struct SubdivisionState<P> {
    open: OpenPieces<P>,
    stuck: Vec<P>,
    /// The number of pieces that were ranked.
    age: usize,
    /// The number of pieces that were bounded one by one.
    bounded: usize,
    /// The number of these that were split.
    splits: usize,
}

impl<P> SubdivisionState<P> {
    /// Adds pieces behind those that are open.
    fn add_parts<S: SubdivisionProblem<Piece = P>>(&mut self, search: &mut S, parts: Vec<P>) -> Result<(), S::Error> {
        for mut piece in parts {
            match &mut self.open.0 {
                PieceStore::Line(line) => line.push_back(piece),
                PieceStore::Heap(heap) => {
                    let bound = search.bound_piece(&mut piece)?;
                    if bound.is_settled {
                        search.settle_piece(piece);
                    } else {
                        self.age += 1;
                        heap.push(RankedPiece { piece, bound, age: self.age });
                    }
                }
            }
        }
        Ok(())
    }

    /// Bounds the next piece of a line, and splits it unless it is settled. Returns the end if the search ends with it.
    fn split_next<S: SubdivisionProblem<Piece = P>>(
        &mut self,
        search: &mut S,
        is_newest: bool,
        most_splits: usize,
        budget: Option<&Budget>,
    ) -> Result<Option<End>, S::Error> {
        let PieceStore::Line(line) = &mut self.open.0 else { return Ok(None) };
        let Some(mut piece) = (if is_newest { line.pop_back() } else { line.pop_front() }) else { return Ok(None) };
        self.bounded += 1;
        if search.bound_piece(&mut piece)?.is_settled {
            search.settle_piece(piece);
            return Ok(None);
        }
        let limit = match budget {
            _ if self.splits >= most_splits => Some(End::Cap),
            Some(budget) if !budget.spend(1) => Some(End::Cut),
            _ => None,
        };
        if limit.is_some() {
            // Put back where it was: what is open at the end covers all that is not settled.
            if is_newest {
                line.push_back(piece);
            } else {
                line.push_front(piece);
            }
            return Ok(limit);
        }
        self.splits += 1;
        let mut end = None;
        for split in search.split_pieces(vec![piece])? {
            match split {
                Split::Parts(parts) => self.add_parts(search, parts)?,
                Split::Kept(piece) | Split::Stuck(piece) => {
                    // A proof has failed with its first piece that does not settle.
                    end = is_newest.then_some(End::Stuck);
                    self.stuck.push(piece);
                }
            }
        }
        Ok(end)
    }

    /// Splits the worst pieces together. Returns the end if none was split.
    fn split_worst<S: SubdivisionProblem<Piece = P>>(
        &mut self,
        search: &mut S,
        together: usize,
    ) -> Result<Option<End>, S::Error> {
        let PieceStore::Heap(heap) = &mut self.open.0 else { return Ok(None) };
        let worst: Vec<P> = (0..together).map_while(|_| heap.pop()).map(|ranked| ranked.piece).collect();
        let mut has_moved = false;
        // In the order of the pieces, which is that of their ranks, and not in that of the threads.
        for split in search.split_pieces(worst)? {
            match split {
                Split::Parts(parts) => {
                    has_moved = true;
                    self.add_parts(search, parts)?;
                }
                // Kept with a bound of its own, which may have changed.
                Split::Kept(piece) => self.add_parts(search, vec![piece])?,
                Split::Stuck(piece) => {
                    has_moved = true;
                    self.stuck.push(piece);
                }
            }
        }
        Ok((!has_moved).then_some(End::Stuck))
    }

    /// Splits all wanted pieces, in batches. Returns the end if none was split.
    fn split_round<S: SubdivisionProblem<Piece = P>>(
        &mut self,
        search: &mut S,
        batch: usize,
    ) -> Result<Option<End>, S::Error> {
        let mut waiting: Vec<P> = self.open.take_line();
        waiting.reverse();
        let (mut next, mut has_moved) = (Vec::with_capacity(waiting.len()), false);
        while !waiting.is_empty() {
            // A batch: some wanted pieces, with those between them and behind them, from left to right.
            let (mut wanted, mut count) = (Vec::new(), 0);
            for piece in waiting.iter().rev() {
                let is_wanted = search.is_wanted(piece);
                count += usize::from(is_wanted);
                if count > batch {
                    break;
                }
                wanted.push(is_wanted);
            }
            let mut run: Vec<P> = waiting.split_off(waiting.len() - wanted.len());
            run.reverse();
            let (mut chosen, mut places) = (Vec::new(), Vec::with_capacity(run.len()));
            for (piece, is_wanted) in run.into_iter().zip(wanted) {
                if is_wanted {
                    chosen.push(piece);
                    places.push(None);
                } else {
                    places.push(Some(piece));
                }
            }
            let mut splits = if chosen.is_empty() { Vec::new() } else { search.split_pieces(chosen)? }.into_iter();
            let mut has_split = false;
            for place in places {
                match place {
                    Some(piece) => next.push(piece),
                    None => match splits.next() {
                        Some(Split::Parts(parts)) => {
                            has_split = true;
                            next.extend(parts);
                        }
                        // On a line a piece that cannot be split stays beside its neighbours.
                        Some(Split::Kept(piece) | Split::Stuck(piece)) => next.push(piece),
                        None => {}
                    },
                }
            }
            if has_split {
                has_moved = true;
                search.observe_open(&mut next.iter().chain(waiting.iter().rev()))?;
            }
        }
        self.open.set_line(next);
        Ok((!has_moved).then_some(End::Stuck))
    }
}
