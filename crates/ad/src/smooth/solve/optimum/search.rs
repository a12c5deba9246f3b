//! Branch and bound on [0, 1].
//!
//! A piece is dropped when the function is certainly defined on it and certainly below a value that it attains, or when
//! it is strictly monotone there and the better end is not an end of [0, 1]: at that end the Clarke derivative is not 0,
//! so it is no local maximum. (Every enclosure of a slope over a closed piece holds the Clarke derivatives at its ends.)

mod found;
mod within;

use super::loose;
use super::peak::{Kind, Peak, Resolved};
use super::plateau;
use crate::number::context::Sign;
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;

/// A piece stays undefined for at most this many splits in a row…
const HOPELESS_AFTER: u32 = 40;
/// …on at most this many pieces at once; then nothing is known.
const HOPELESS_PIECES: usize = 32;
/// Rounds without an eighth of gain in the value before the search ends, the inputs being points or nearly: far from the limit an
/// inner solver may give nothing better for a few halvings.
const PATIENCE: u32 = 10;
/// …in the length of the places, the value being known as well as was asked…
const PATIENCE_FOR_PLACES: u32 = 4;
/// …and the inputs being intervals, which set a floor to what splitting can gain; one less where these will be split as well.
const PATIENCE_WITH_INTERVALS: u32 = 2;
/// The same where the values reach far above that floor, and the function has no solvers of its own: deeper down it would cost much.
const PATIENCE_FAR_FROM_FLOOR: u32 = 3;
/// Far is more than 2 to this power times the floor.
const FAR: i64 = 2;
/// A cluster that is longer than 2 to this power is not looked at closer where each look is dear: it would show nothing.
const LONG: i64 = -2;
/// As many pieces without gain are a plateau: splitting them further ends nowhere.
const PLATEAU: usize = 64;
/// More pieces than this at once are not worth their memory.
const MOST_PIECES: usize = 1 << 14;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The maximum.
    Value,
    /// The maximum and the places where it is attained.
    Place,
}

/// A part of [0, 1] that may hold maximisers.
#[derive(Clone, Debug)]
struct Piece<N> {
    left: N,
    right: N,
    /// The values of the function.
    range: N,
    /// The width of its value at the midpoint: what no splitting narrows.
    floor: Magnitude,
    /// How many ancestors in a row were not known to be defined or bounded.
    hopeless_for: u32,
}

/// The state of a search.
pub struct Search<'s, 'f, 'm, C: Hooked> {
    /// The function, with base captures.
    pub(super) f: &'s Function<'f, 'm, C>,
    /// The function of all inputs near the ones given.
    near: &'s Function<'f, 'm, C>,
    goal: Goal,
    pieces: Vec<Piece<C::Num>>,
    /// The pieces that a round has not come to yet, the next one last.
    waiting: Vec<Piece<C::Num>>,
    pub(super) peaks: Vec<Peak<C::Num>>,
    /// The greatest value that is certainly attained.
    bound: Option<C::Num>,
    defined: bool,
    /// Whether the inputs are points, or nearly.
    pub(super) exact: bool,
    /// Whether they are not, and may be parts of an interval that is split.
    hasty: bool,
    /// To what width values are asked for, where the function runs solvers of its own.
    pub(super) looseness: Magnitude,
    /// The switches that are 0 at 0, and those that are it at 1, also for inputs nearby.
    ends: [Vec<Switch>; 2],
    /// The order of Taylor's formula that pieces are looked at by; at 1 they are looked at by slopes alone.
    pub(super) order: usize,
}

impl<'s, 'f, 'm, C: Hooked> Search<'s, 'f, 'm, C> {
    /// The search on all of [0, 1].
    ///
    /// # Errors
    /// Those of the function.
    pub fn new(
        [f, near]: [&'s Function<'f, 'm, C>; 2],
        goal: Goal,
        ends: [Vec<Switch>; 2],
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
            exact,
            hasty: !exact && f.machine.effort.is_splitting(),
            looseness: loose::at_first(f),
            ends,
            order: 1,
        };
        let (left, right) = (context.integer(0), context.integer(1));
        search.loosely(|search| {
            search.value(&left)?;
            search.value(&right)?;
            search.add(left, right, 0)
        })?;
        Ok(search)
    }

    /// Splits until the goal is reached to the tolerance, or to the floor that the inputs set. After each piece the search is
    /// shown to `watch`.
    ///
    /// # Errors
    /// Those of the function, and of `watch`.
    pub fn run(&mut self, watch: impl Fn(&Self) -> Result<(), SmoothError>) -> Result<(), SmoothError> {
        self.f.machine.effort.splitting(|| self.search(watch))?;
        self.settle()?;
        self.sift();
        Ok(())
    }

    fn search(&mut self, watch: impl Fn(&Self) -> Result<(), SmoothError>) -> Result<(), SmoothError> {
        let effort = self.f.machine.effort;
        watch(self)?;
        let (mut least_excess, mut least_length, mut stalled) = (Magnitude::INFINITY, Magnitude::INFINITY, 0);
        loop {
            self.sift();
            self.resolve_clusters()?;
            self.sift();
            let undefined = self.pieces.iter().filter(|p| !self.is_sound(p)).count();
            let stuck = self.pieces.iter().any(|p| p.hopeless_for > HOPELESS_AFTER);
            if self.misses_window()? {
                return Ok(());
            }
            if undefined > HOPELESS_PIECES || stuck {
                self.defined = false;
                return Ok(());
            }
            let (excess, floor) = self.excess();
            let length = self.pieces.iter().fold(Magnitude::ZERO, |sum, p| sum + self.length(p));
            let mut value_done = excess <= effort.tolerance() || excess <= floor + floor.half();
            let place_done = length <= effort.tolerance();
            value_done &= self.tighten(excess, value_done, undefined > 0);
            let done =
                undefined == 0 && (self.pieces.is_empty() || (value_done && (self.goal == Goal::Value || place_done)));
            if done {
                // shorter pieces might yet show the shape of what is left
                let shapeless = self.goal == Goal::Place && !self.pieces.is_empty();
                if shapeless || (!self.pieces.is_empty() && excess > floor + floor.half()) {
                    effort.leave_open();
                }
                return Ok(());
            }
            let narrower = !value_done && excess + excess.shifted(-3) < least_excess;
            // an eighth less, or a third less where the inputs will be split as well
            let shorter = length + length.shifted(if self.hasty { -1 } else { -3 }) < least_length;
            (least_excess, least_length) = (excess.min(least_excess), length.min(least_length));
            let patience = match (self.exact, value_done) {
                (true, false) => PATIENCE,
                (true, true) => PATIENCE_FOR_PLACES,
                (false, false) if self.f.block.depth == 1 && excess > floor.shifted(FAR) => PATIENCE_FAR_FROM_FLOOR,
                (false, _) => PATIENCE_WITH_INTERVALS - u32::from(self.hasty),
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
                effort.leave_open();
                self.defined = undefined == 0;
                return Ok(());
            }
            self.order =
                if self.exact && !value_done { plateau::order(effort.tolerance(), self.pieces.len()) } else { 1 };
            if !self.loosely(|search| search.split(excess, value_done, length, &watch))? {
                self.defined = undefined == 0;
                return Ok(());
            }
        }
    }

    /// Whether the slope at an end of [0, 1] is exactly 0, for the inputs given and for all near them.
    pub(super) fn is_flat(&self, end: &C::Num, branches: &Branches) -> Result<bool, SmoothError> {
        let context = self.f.context();
        let slope = self.near.line(end, &mut branches.clone(), Target::Outputs)?.slope;
        Ok(context.is_defined(&slope) && context.is_point(&slope) && context.contains_zero(&slope))
    }

    /// The branches that are known on a piece.
    pub(super) fn branches_on(&self, span: &C::Num) -> Result<Branches, SmoothError> {
        Ok(Branches::forced(self.f.sides_beside_ends(&self.ends, span)?))
    }

    /// Looks at a piece, and keeps what may hold maximisers.
    fn add(&mut self, left: C::Num, right: C::Num, hopeless_for: u32) -> Result<(), SmoothError> {
        let context = self.f.context().clone();
        let span = context.hull(&left, &right);
        let mut branches = self.branches_on(&span)?;
        let line = self.inside(|f| f.line(&span, &mut branches, Target::Outputs))?;
        if self.is_below(&line.value) {
            return Ok(());
        }
        if self.f.window.high.is_some() {
            self.is_attained(&line.value);
        }
        let tame = context.is_defined(&line.value) && context.is_bounded(&line.slope);
        let end = match context.sign(&line.slope) {
            _ if !tame => None,
            Sign::Positive => Some((&right, 1)),
            Sign::Negative => Some((&left, 0)),
            Sign::Undecided => None,
        };
        if let Some((better, end)) = end {
            if context.contains_zero(&context.sub(better, &context.integer(end))) {
                let range = self.value(better)?;
                self.peaks.push(Peak { at: better.clone(), range, kind: Kind::End });
            }
            return Ok(());
        }
        let middle = context.midpoint(&span);
        let height = self.value(&middle)?;
        let mut range = line.value;
        if tame {
            let rise = context.mul(&line.slope, &context.sub(&span, &middle));
            let sloped = context.add(&height, &rise);
            range = context
                .intersect(&range, &sloped)
                .ok_or(SmoothError::Contradiction { construct: "the mean value form of a maximum" })?;
        } else if !context.is_defined(&range)
            && let Some(beside) = self.f.range_beside_ends([&left, &right], &mut branches)?
        {
            range = beside;
        }
        if tame && let Some(smooth) = self.expanded([&span, &middle, &height], &branches)? {
            range = context
                .intersect(&range, &smooth)
                .ok_or(SmoothError::Contradiction { construct: "Taylor's formula of a maximum" })?;
        }
        let floor = self.floor(&span, &height)?;
        let mut piece = Piece { left, right, range, floor, hopeless_for: 0 };
        if !self.is_sound(&piece) {
            piece.hopeless_for = hopeless_for + 1;
        }
        self.pieces.push(piece);
        Ok(())
    }

    fn is_sound(&self, piece: &Piece<C::Num>) -> bool {
        let context = self.f.context();
        context.is_defined(&piece.range) && context.upper(&piece.range).is_some()
    }

    fn length(&self, piece: &Piece<C::Num>) -> Magnitude {
        let context = self.f.context();
        context.width(&context.hull(&piece.left, &piece.right))
    }

    /// Drops what is certainly below the bound.
    fn sift(&mut self) {
        let (mut pieces, mut peaks) = (std::mem::take(&mut self.pieces), std::mem::take(&mut self.peaks));
        pieces.retain(|p| !self.is_below(&p.range));
        peaks.retain(|p| !self.is_below(&p.range));
        (self.pieces, self.peaks) = (pieces, peaks);
    }

    /// Whether values are certainly defined, and certainly below the maximum.
    fn is_below(&self, range: &C::Num) -> bool {
        let context = self.f.context();
        let below = |bound| context.is_defined(range) && context.strictly_below(range, bound);
        self.bound.as_ref().is_some_and(below)
    }

    /// The maximal runs of pieces that touch.
    fn clusters(&self) -> Vec<std::ops::Range<usize>> {
        let context = self.f.context();
        let mut clusters: Vec<std::ops::Range<usize>> = Vec::new();
        for (i, piece) in self.pieces.iter().enumerate() {
            match clusters.last_mut() {
                Some(c) if !context.strictly_below(&self.pieces[c.end - 1].right, &piece.left) => c.end = i + 1,
                _ => clusters.push(i..i + 1),
            }
        }
        clusters
    }

    fn resolve_clusters(&mut self) -> Result<(), SmoothError> {
        let context = self.f.context().clone();
        let dear = self.f.block.depth > 1;
        for cluster in self.clusters().into_iter().rev() {
            if !self.pieces[cluster.clone()].iter().all(|p| self.is_sound(p)) {
                continue;
            }
            let (left, right) = (self.pieces[cluster.start].left.clone(), self.pieces[cluster.end - 1].right.clone());
            if dear && context.width(&context.hull(&left, &right)) > Magnitude::power_of_two(LONG) {
                continue;
            }
            match self.resolve(&left, &right)? {
                Resolved::Peak(peak) => self.peaks.push(peak),
                Resolved::Empty => {}
                Resolved::No => continue,
            }
            self.pieces.drain(cluster);
        }
        Ok(())
    }

    /// How far the pieces reach above the bound, and the floor of the one that reaches highest.
    fn excess(&self) -> (Magnitude, Magnitude) {
        let mut worst = (Magnitude::ZERO, Magnitude::ZERO);
        for piece in &self.pieces {
            let excess = self.excess_of(piece);
            if excess > worst.0 {
                worst = (excess, piece.floor);
            }
        }
        worst
    }

    fn excess_of(&self, piece: &Piece<C::Num>) -> Magnitude {
        let context = self.f.context();
        match (&self.bound, context.upper(&piece.range)) {
            (Some(bound), Some(upper)) if context.strictly_below(bound, &upper) => {
                context.width(&context.hull(bound, &upper))
            }
            (Some(_), Some(_)) => Magnitude::ZERO,
            _ => Magnitude::INFINITY,
        }
    }

    /// Splits the pieces that matter most; false when none can be split.
    fn split(
        &mut self,
        excess: Magnitude,
        value_done: bool,
        length: Magnitude,
        watch: &impl Fn(&Self) -> Result<(), SmoothError>,
    ) -> Result<bool, SmoothError> {
        let context = self.f.context().clone();
        let mut moved = false;
        let threshold = excess.shifted(-2);
        let shortest = length.divided(self.pieces.len().max(1) as u64).half();
        self.waiting = std::mem::take(&mut self.pieces);
        self.waiting.reverse();
        while let Some(piece) = self.waiting.pop() {
            let wanted = if !self.is_sound(&piece) {
                true
            } else if value_done {
                self.length(&piece) >= shortest
            } else {
                self.excess_of(&piece) >= threshold
            };
            let middle = context.midpoint(&context.hull(&piece.left, &piece.right));
            let inside = context.strictly_below(&piece.left, &middle) && context.strictly_below(&middle, &piece.right);
            if wanted && inside && !self.f.machine.effort.budget.is_exhausted() {
                moved = true;
                self.add(piece.left, middle.clone(), piece.hopeless_for)?;
                self.add(middle, piece.right, piece.hopeless_for)?;
                watch(self)?;
            } else {
                self.pieces.push(piece);
            }
        }
        Ok(moved)
    }
}
