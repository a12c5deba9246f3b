//! Kinks: points of a column with a set of values.
//!
//! Intervals that may hold a kink are halved, and those that cannot are dropped: where every branch of the program is
//! decided, the function is smooth. Both halves remain if neither is shown to be smooth. At the end, each remaining
//! interval counts as a point. Its values are a set unless they were still approaching each other.

use super::cell::intersect_enclosures;
use super::sampler::{CurveFailure, CurveSampler};
use crate::number::{Enclosure, Magnitude, Rational};

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
