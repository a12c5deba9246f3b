//! Division of a rectangle until its pixels are known.
//!
//! A block of pixels is not divided if its values are known well enough as a whole; otherwise it is halved, down to
//! the pixel. A pixel that is not known well enough is quartered inside, the worst part first. The division ends when
//! the pixel is known, or is hardly wider than attained values: then only a finer picture would show more. Blocks are
//! handed out to all cores, and the result of one does not depend on another.

use super::{LevelSide, PictureRequest, PictureSubject, Pixel, PixelState};
use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::tuning::Tuning;
use crate::number::{Double, Enclosure, Magnitude, Rational};
use crate::plot::axis::Window;
use crate::smooth::dimension::Dyn;
use crate::smooth::error::SmoothError;
use crate::smooth::map::Map;
use crate::smooth::map::primitive::MapError;
use crate::smooth::solve::subdivide::{
    End, OpenPieces, PieceBound, Split, SplitOrder, SubdivisionCaps, SubdivisionProblem, subdivide,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The side of a block that is handed out, in pixels. A choice: small enough to balance the cores.
const BLOCK: u32 = 16;
/// The most work for one evaluation on a rectangle, in work units. A choice: a solver that needs more gains more from
/// smaller parts.
const MOST_WORK: u64 = 20_000;
/// The number of intervals along a side, whose ends are tried to find the size of the values. A choice.
const SAMPLED_INTERVALS: u32 = 24;
/// The number of steps of colour of a picture: an enclosure is narrow if it is no wider than one. A choice.
const COLOUR_STEPS: u32 = 64;

/// A rectangle with exact sides.
type PlaneRectangle = [[Rational; 2]; 2];

/// An error, and the rectangle on which it happened.
#[derive(Debug)]
pub struct RectangleFailure {
    /// The error.
    pub error: SmoothError,
    /// The rectangle.
    pub on: Box<PlaneRectangle>,
}

/// The condition under which a pixel is known well enough.
#[derive(Clone, Debug)]
enum PixelGoal {
    /// The values lie on one side of a number.
    Side(Rational),
    /// The enclosure is no wider than this.
    Width(Magnitude),
}

/// The evaluation of a function on the pixels of a rectangle.
#[derive(Debug)]
pub struct Scan<'s> {
    map: &'s Map<Dyn, Dyn>,
    request: &'s PictureRequest,
    /// The borders between columns, and those between rows from the lowest.
    borders: [Vec<Rational>; 2],
    budget: &'s Budget,
    tier: Precision,
    tolerance: Magnitude,
    goal: PixelGoal,
    /// The interval of the values at some points, which gives the scale.
    window: Window,
}

/// The promises that the results of one thread rest on.
#[derive(Default)]
struct WorkerPromises {
    /// The numbers of the sites whose promise some pixel rests on.
    assumed: BTreeSet<u32>,
}

impl<'s> Scan<'s> {
    /// Prepares the evaluation of a map: finds the size of its values and derives the tolerance from it.
    ///
    /// # Errors
    /// [`RectangleFailure`] if the evaluation fails at some point.
    pub fn new(
        map: &'s Map<Dyn, Dyn>,
        request: &'s PictureRequest,
        budget: &'s Budget,
    ) -> Result<Self, RectangleFailure> {
        let borders = request.pixel_borders();
        let tier = borders.iter().map(|b| crate::plot::border_precision(b)).max_by_key(|tier| tier.bits());
        let window = Window { low: Rational::new(), high: Rational::from(1) };
        let goal = match &request.subject {
            PictureSubject::Level(level) => PixelGoal::Side(level.clone()),
            PictureSubject::Values(_) => PixelGoal::Width(Magnitude::ZERO),
        };
        let tolerance = Magnitude::power_of_two(-12);
        let mut survey =
            Self { map, request, borders, budget, tier: tier.unwrap_or(Precision::Double), tolerance, goal, window };
        let values = survey.sample_values()?;
        let bounded = |e: &&Enclosure| e.is_defined() && e.is_bounded();
        // A point at which the function is undefined or unbounded suggests a pole: extreme values near it are then
        // cut off.
        let cut = values.iter().any(|e| !bounded(&e));
        let ends = match &request.subject {
            PictureSubject::Values([low, high]) => [low.as_ref(), high.as_ref()],
            PictureSubject::Level(_) => [None, None],
        };
        survey.window = Window::around_values(values.iter().filter(bounded), Magnitude::ZERO, cut, ends[0], ends[1]);
        let step = Magnitude::from_rational(&(survey.window.height() / COLOUR_STEPS));
        // A quarter of a step, so that the enclosure at a point does not make a pixel wide.
        survey.tolerance = step.mul_exp2(-2);
        if let PixelGoal::Width(width) = &mut survey.goal {
            *width = step;
        }
        Ok(survey)
    }

    /// Encloses the values at evenly spaced borders.
    fn sample_values(&self) -> Result<Vec<Enclosure>, RectangleFailure> {
        let at = |axis: usize, i: u32| {
            let borders = &self.borders[axis];
            &borders[(borders.len() - 1) * i as usize / SAMPLED_INTERVALS as usize]
        };
        let mut values = Vec::new();
        for i in 0..=SAMPLED_INTERVALS {
            for j in 0..=SAMPLED_INTERVALS {
                let point = [at(0, i), at(1, j)].map(|q| [q.clone(), q.clone()]);
                values.push(self.enclose_range(&point, &mut WorkerPromises::default())?);
            }
        }
        Ok(values)
    }

    /// Encloses the range over a rectangle. Returns ⊥ if it is not shown to be defined.
    fn enclose_range(&self, on: &PlaneRectangle, seen: &mut WorkerPromises) -> Result<Enclosure, RectangleFailure> {
        // A budget of its own: a slow solver on a large rectangle must not hold up the rest.
        let inner = self.budget.for_part(MOST_WORK, self.budget.remaining_time());
        let effort = PassOptions::new(self.tolerance, &inner);
        let found = self.map.range_with(on, self.tier, &effort);
        self.budget.spend(inner.work_done());
        seen.assumed.extend(effort.assumed_promises());
        match found {
            Ok(mut found) => Ok(found.pop().unwrap_or_else(Enclosure::bottom)),
            Err(MapError::Smooth(error)) => Err(RectangleFailure { error, on: Box::new(on.clone()) }),
            // Other errors of a map do not occur: a rectangle with its sides in order fits a map of the plane.
            Err(_) => Err(RectangleFailure {
                error: SmoothError::Dimension { expected: 2, found: on.len() },
                on: Box::new(on.clone()),
            }),
        }
    }

    /// Computes the pixels, row by row from the uppermost, and the promises that they rest on, with `threads`
    /// threads.
    ///
    /// # Errors
    /// [`RectangleFailure`]: that of the first block with one, whatever thread found it.
    pub fn compute_pixels(&self, threads: usize) -> Result<(Vec<Pixel>, BTreeSet<u32>), RectangleFailure> {
        let [columns, rows] = [self.request.columns, self.request.rows];
        let [across, down] = [columns, rows].map(|n| n.div_ceil(BLOCK));
        let next = AtomicUsize::new(0);
        let work = || {
            let (mut found, mut seen) = (Vec::new(), WorkerPromises::default());
            loop {
                // Threads take the next block from a shared counter, so a slow block delays only its own thread.
                let number = next.fetch_add(1, Ordering::Relaxed);
                let all = (across * down) as usize;
                if number >= all {
                    return (found, seen);
                }
                self.budget.report_progress(number, all);
                let (i, j) = (number as u32 % across * BLOCK, number as u32 / across * BLOCK);
                let block = [[i, (i + BLOCK).min(columns)], [j, (j + BLOCK).min(rows)]];
                let mut pixels = Vec::new();
                let done = self.compute_block(block, &mut pixels, &mut seen);
                found.push((number, done.map(|()| pixels)));
            }
        };
        let parts: Vec<_> = thread::scope(|scope| {
            // Marked as parts, so that nothing inside of a thread is spread over all cores again.
            let workers: Vec<_> = (1..threads).map(|_| scope.spawn(|| crate::parallel::run_as_part(work))).collect();
            // This thread too: the others have the rest of the cores.
            let own = crate::parallel::run_as_part(work);
            let others = workers.into_iter().map(|worker| match worker.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            others.chain([own]).collect()
        });
        let mut assumed = BTreeSet::new();
        let mut blocks = Vec::new();
        for (found, seen) in parts {
            blocks.extend(found);
            assumed.extend(seen.assumed);
        }
        // The order of blocks decides which error is reported, and not the order in which threads end.
        blocks.sort_by_key(|(number, _)| *number);
        let unknown = Pixel { state: PixelState::Unknown, side: LevelSide::Undecided, settled: false };
        let mut all = vec![unknown; columns as usize * rows as usize];
        for (_, pixels) in blocks {
            for ([i, j], pixel) in pixels? {
                all[(rows - 1 - j) as usize * columns as usize + i as usize] = pixel;
            }
        }
        Ok((all, assumed))
    }

    /// Computes the pixels of a block, as a whole or from its halves.
    fn compute_block(
        &self,
        block: [[u32; 2]; 2],
        pixels: &mut Vec<([u32; 2], Pixel)>,
        seen: &mut WorkerPromises,
    ) -> Result<(), RectangleFailure> {
        let [[left, right], [low, high]] = block;
        let on = [0, 1].map(|axis| block[axis].map(|i| self.borders[axis][i as usize].clone()));
        let range = self.enclose_range(&on, seen)?;
        let is_pixel = right - left == 1 && high - low == 1;
        let pixel = if self.is_enough(&range) {
            self.classify_pixel(&range, AttainedRange::empty(), true)
        } else if self.budget.was_exhausted() {
            // The pixels of the block stay unknown, which is their initial value.
            return Ok(());
        } else if is_pixel {
            self.divide_pixel(on, range, seen)?
        } else {
            let halves = |[from, to]: [u32; 2]| [[from, (from + to) / 2], [(from + to) / 2, to]];
            let parts = if right - left >= high - low {
                halves(block[0]).map(|x| [x, block[1]])
            } else {
                halves(block[1]).map(|y| [block[0], y])
            };
            return parts.into_iter().try_for_each(|part| self.compute_block(part, pixels, seen));
        };
        pixels.extend((low..high).flat_map(|j| (left..right).map(move |i| ([i, j], pixel))));
        Ok(())
    }

    /// Returns `true` if a range is known well enough that its rectangle need not be divided.
    fn is_enough(&self, range: &Enclosure) -> bool {
        range.is_defined()
            && match &self.goal {
                PixelGoal::Side(level) => side_of_level(range, level).is_some(),
                PixelGoal::Width(width) => range.width() <= *width,
            }
    }

    /// Computes a pixel by dividing it into parts.
    fn divide_pixel(
        &self,
        on: PlaneRectangle,
        range: Enclosure,
        seen: &mut WorkerPromises,
    ) -> Result<Pixel, RectangleFailure> {
        let mut taken = self.extend_attained(AttainedRange::empty(), centre_of(&on), seen)?;
        // Corners and the middle of a pixel give attained values early: they show a border, or that division is
        // useless.
        for corner in corners_of(&on) {
            taken = self.extend_attained(taken, corner, seen)?;
        }
        let mut search = PixelSearch { scan: self, seen, taken, settled: false };
        // The number of parts is judged with their definedness, by the search itself.
        let caps = SubdivisionCaps::NONE;
        let left = subdivide(&mut search, vec![(on, range)], caps, Some(self.budget))?;
        let PixelSearch { taken, settled, .. } = search;
        Ok(self.classify_pixel(&hull_of_parts(&left.open), taken, settled))
    }

    /// Extends the attained values by the value at a point. An undefined or unbounded one adds nothing.
    fn extend_attained(
        &self,
        taken: AttainedRange,
        at: [Rational; 2],
        seen: &mut WorkerPromises,
    ) -> Result<AttainedRange, RectangleFailure> {
        let value = self.enclose_range(&at.map(|q| [q.clone(), q]), seen)?;
        Ok(if value.is_defined() && value.is_bounded() { taken.extended_by(&value) } else { taken })
    }

    /// Returns the pixel with the range `range`, on which the values `extend_attained` are attained.
    fn classify_pixel(&self, range: &Enclosure, taken: AttainedRange, settled: bool) -> Pixel {
        let known = if range.is_defined() {
            PixelState::Within(outward_ends(range))
        } else if self.budget.was_exhausted() {
            // The work may have been cut short, so ⊥ says nothing of the function.
            PixelState::Unknown
        } else {
            PixelState::Undefined
        };
        let side = match (&self.goal, known) {
            (PixelGoal::Side(level), PixelState::Within(_)) => side_of_level(range, level).unwrap_or_else(|| {
                if taken.meets_both_sides(level) { LevelSide::Border } else { LevelSide::Undecided }
            }),
            _ => LevelSide::Undecided,
        };
        Pixel { state: known, side, settled }
    }

    /// Returns the ends of the scale of colours.
    #[must_use]
    pub fn colour_scale(&self, pixels: &[Pixel]) -> [f64; 2] {
        let PictureSubject::Values(given) = &self.request.subject else {
            return [&self.window.low, &self.window.high].map(Rational::to_f64);
        };
        let middles = pixels.iter().filter_map(|pixel| match pixel.state {
            PixelState::Within([lo, hi]) if pixel.settled && lo.is_finite() && hi.is_finite() => {
                Some(lo / 2.0 + hi / 2.0)
            }
            _ => None,
        });
        let [low, high] = middles.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], m| [a.min(m), b.max(m)]);
        // If the middles run away near a pole, the window of a few points decides.
        let [least, most] = [&self.window.low, &self.window.high].map(Rational::to_f64);
        let height = most - least;
        let [low, high] =
            if low < high && low > least - height && high < most + height { [low, high] } else { [least, most] };
        let [given_low, given_high] = given.each_ref().map(|end| end.as_ref().map(Rational::to_f64));
        let [from, to] = [given_low.unwrap_or(low), given_high.unwrap_or(high)];
        match (from < to, given_low, given_high) {
            // All values lie on the far side of the given end.
            (false, Some(low), None) => [low, low + low.abs().max(1.0)],
            (false, None, Some(high)) => [high - high.abs().max(1.0), high],
            _ => [from, to],
        }
    }
}

/// A part of a pixel, with the range over it.
type PixelPart = (PlaneRectangle, Enclosure);

/// Returns the hull of the ranges over some parts.
fn hull_of_parts<'p>(parts: impl IntoIterator<Item = &'p PixelPart>) -> Enclosure {
    let whole = parts.into_iter().map(|(_, range)| range.clone()).reduce(|a, b| a.hull(&b));
    whole.unwrap_or_else(Enclosure::bottom)
}

/// The division of one pixel.
struct PixelSearch<'p, 's> {
    scan: &'p Scan<'s>,
    seen: &'p mut WorkerPromises,
    taken: AttainedRange,
    /// `true` if the pixel is known, or hardly wider than attained values.
    settled: bool,
}

impl SubdivisionProblem for PixelSearch<'_, '_> {
    type Piece = PixelPart;
    type Error = RectangleFailure;

    fn split_order(&self) -> SplitOrder {
        SplitOrder::WORST_ALONE
    }

    fn bound_piece(&mut self, (_, range): &mut PixelPart) -> Result<PieceBound, RectangleFailure> {
        // Unknown parts come first, of these the undefined ones, and then the widest.
        let urgency = 2 * u8::from(!self.scan.is_enough(range)) + u8::from(!range.is_defined());
        Ok(PieceBound::open(urgency, range.width()))
    }

    fn judge_open(&mut self, open: &mut OpenPieces<PixelPart>) -> Result<Option<End>, RectangleFailure> {
        let whole = hull_of_parts(open.iter());
        self.settled = whole.is_defined()
            && match &self.scan.goal {
                // If values lie on both sides of the level, the border certainly passes through the pixel, since
                // f is defined on all of it.
                PixelGoal::Side(level) => side_of_level(&whole, level).is_some() || self.taken.meets_both_sides(level),
                PixelGoal::Width(width) => whole.width() <= self.taken.attained_width() + *width,
            };
        if self.settled {
            return Ok(Some(End::Reached));
        }
        let tuning = self.scan.budget.tuning();
        let is_partly_defined = open.iter().any(|(_, range)| range.is_defined());
        let most = Tuning::to_size(if is_partly_defined { tuning.pixel_parts } else { tuning.undefined_parts });
        // A division replaces one part by four.
        Ok((open.len() + 3 > most).then_some(End::Cap))
    }

    fn split_pieces(&mut self, parts: Vec<PixelPart>) -> Result<Vec<Split<PixelPart>>, RectangleFailure> {
        let mut splits = Vec::with_capacity(parts.len());
        for (part, _) in parts {
            let mut quarters = Vec::with_capacity(4);
            for quarter in quarters_of(&part) {
                let range = self.scan.enclose_range(&quarter, self.seen)?;
                if range.is_defined() {
                    self.taken = self.scan.extend_attained(self.taken, centre_of(&quarter), self.seen)?;
                }
                quarters.push((quarter, range));
            }
            splits.push(Split::Parts(quarters));
        }
        Ok(splits)
    }
}

/// Returns the side of a level on which a range lies, or `None` if it contains the level.
fn side_of_level(range: &Enclosure, level: &Rational) -> Option<LevelSide> {
    match range {
        range if range.lo() > level => Some(LevelSide::Inside),
        range if range.hi() < level => Some(LevelSide::Outside),
        _ => None,
    }
}

/// Bounds of certainly attained values: one value is at most the first number, and one is at least the second.
#[derive(Clone, Copy, Debug)]
struct AttainedRange {
    at_most: f64,
    at_least: f64,
}

impl AttainedRange {
    /// Returns the bounds before any value is attained.
    fn empty() -> Self {
        Self { at_most: f64::INFINITY, at_least: f64::NEG_INFINITY }
    }

    /// Extends the bounds by a value.
    fn extended_by(self, value: &Enclosure) -> Self {
        let [lo, hi] = outward_ends(value);
        Self { at_most: self.at_most.min(hi), at_least: self.at_least.max(lo) }
    }

    /// Returns `true` if one value certainly lies below a number and one above it.
    fn meets_both_sides(self, level: &Rational) -> bool {
        self.at_most < *level && self.at_least > *level
    }

    /// Returns a lower bound of the distance between two attained values; 0 if there is none.
    fn attained_width(self) -> Magnitude {
        Magnitude::from_f64((self.at_least - self.at_most).max(0.0))
    }
}

/// Returns the ends of an enclosure, rounded outward.
fn outward_ends(e: &Enclosure) -> [f64; 2] {
    let outward = Double.round_enclosure(e);
    [*outward.lo(), *outward.hi()]
}

/// Returns the centre of a rectangle.
fn centre_of(on: &PlaneRectangle) -> [Rational; 2] {
    on.each_ref().map(|[a, b]| Rational::from(a + b) / 2)
}

/// Returns the corners of a rectangle.
fn corners_of([x, y]: &PlaneRectangle) -> [[Rational; 2]; 4] {
    [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[i, j]| [x[i].clone(), y[j].clone()])
}

/// Returns the four quarters of a rectangle.
fn quarters_of([x, y]: &PlaneRectangle) -> [PlaneRectangle; 4] {
    let halves = |[a, b]: &[Rational; 2]| {
        let middle: Rational = Rational::from(a + b) / 2;
        [[a.clone(), middle.clone()], [middle, b.clone()]]
    };
    let ([left, right], [low, high]) = (halves(x), halves(y));
    [[left.clone(), low.clone()], [right.clone(), low], [left, high.clone()], [right, high]]
}
