//! Kinks: where one point of a column has a set of values.
//!
//! What holds them is halved, and what cannot hold one is left out: where every choice of the program is decided, it is smooth.
//! Both halves of a piece are kept where neither is told to be without one. At the end each piece that is left is a point, as far as
//! halving tells; its values are a set unless they went on coming closer to each other.

use super::cell::both;
use super::sampler::{Failure, Sampler};
use crate::number::{Enclosure, Magnitude, Rational};

/// How often a column is halved before what still has many values counts as one point: of a program whose choices are all seen.
pub const KINK_DEPTH: u32 = 48;
/// The same of a program with solvers, which may have a kink without a choice that is seen from outside.
pub const SOLVER_DEPTH: u32 = 30;
/// The most pieces that are kept, the highest ones: while they are wide, where ranges are larger than they must be, and then.
const MOST_PIECES: [usize; 2] = [32, 6];
/// How high the values at a kink are, in rows of pixels, where the program has solvers: what is lower may be the width of their answers.
const HIGH: u32 = 2;
/// How much of a window's height may be rounding, as a power of two.
const ROUNDING: i64 = -40;

/// How many times narrower the answers of solvers are asked for at last, as a power of two.
const FINER: i64 = -6;

/// A part of a column that may hold a kink.
struct Piece {
    ends: [Rational; 2],
    /// ⊥ where the function is not shown to be defined on all of it.
    range: Enclosure,
    /// The width of the range at half of the depth.
    before: Magnitude,
}

impl Piece {
    fn width(&self) -> Magnitude {
        if self.range.is_defined() { self.range.width() } else { Magnitude::INFINITY }
    }
}

/// Looks for kinks in the columns of one envelope.
#[derive(Debug)]
pub struct Search {
    height: Magnitude,
    row: Magnitude,
}

impl Search {
    /// For a window of some height and rows of pixels of some height.
    #[must_use]
    pub fn new(height: &Rational, rows: u32) -> Self {
        let row = Rational::from(height / rows);
        Self { height: Magnitude::from_rational(height), row: Magnitude::from_rational(&row) }
    }

    /// The values at the kinks on an interval on which the function has a range, of several their hull; `None` if there is none, or the
    /// budget ended first.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn on(
        &self,
        ends: [&Rational; 2],
        range: &Enclosure,
        sampler: &mut Sampler,
    ) -> Result<Option<Enclosure>, Failure> {
        let shows_choices = sampler.shows_choices();
        let (depth, least) = match shows_choices {
            true => (KINK_DEPTH, self.height.shifted(ROUNDING)),
            false => (SOLVER_DEPTH, Magnitude::from_f64(self.row.to_f64() * f64::from(HIGH))),
        };
        let whole = Piece { ends: ends.map(Clone::clone), range: range.clone(), before: Magnitude::INFINITY };
        let mut pieces: Vec<_> = look(ends, sampler, 0, least, &whole)?.into_iter().collect();
        for level in 1..=depth {
            let mut halves = Vec::with_capacity(2 * pieces.len());
            for whole in &pieces {
                let [a, b] = &whole.ends;
                let middle = Rational::from(a + b) / 2u32;
                for ends in [[a, &middle], [&middle, b]] {
                    halves.extend(look(ends, sampler, level, least, whole)?);
                }
            }
            halves.sort_by_key(|half| std::cmp::Reverse(half.width()));
            halves.truncate(MOST_PIECES[usize::from(!shows_choices || level > depth / 4)]);
            if level == depth / 2 {
                halves.iter_mut().for_each(|half| half.before = half.width());
            }
            pieces = halves;
            if pieces.is_empty() || sampler.is_exhausted() {
                return Ok(None);
            }
        }
        let mut found: Option<Enclosure> = None;
        let usual = sampler.tolerance;
        for mut piece in pieces {
            if !shows_choices {
                // what is drawn as an end of a set is no width of an answer
                sampler.tolerance = usual.shifted(FINER);
                let again = look(piece.ends.each_ref(), sampler, depth, least, &piece);
                sampler.tolerance = usual;
                piece.range = again?.map_or(piece.range, |again| again.range);
            }
            let stays = piece.range.is_defined() && piece.range.is_bounded() && is_most_of(piece.width(), piece.before);
            if stays && (shows_choices || is_narrow_beside(&piece, sampler)?) {
                found = Some(found.map_or(piece.range.clone(), |found| found.hull(&piece.range)));
            }
        }
        Ok(found)
    }
}

/// A part of a piece; `None` where it holds no kink.
fn look(
    ends: [&Rational; 2],
    sampler: &mut Sampler,
    level: u32,
    least: Magnitude,
    whole: &Piece,
) -> Result<Option<Piece>, Failure> {
    let (range, is_decided) = sampler.range_and_choices(ends, level)?;
    let piece = Piece { ends: ends.map(Clone::clone), range: both(&whole.range, &range, ends)?, before: whole.before };
    let is_smooth = is_decided && sampler.shows_choices();
    Ok((!is_smooth && piece.width() >= least).then_some(piece))
}

/// Whether a width is at least three quarters of another one.
fn is_most_of(width: Magnitude, before: Magnitude) -> bool {
    width.shifted(2) >= before.shifted(1) + before
}

/// Whether at an end of a piece there is one value, so that the range is no answer that is as wide everywhere.
fn is_narrow_beside(piece: &Piece, sampler: &mut Sampler) -> Result<bool, Failure> {
    for end in &piece.ends {
        let value = sampler.at(end)?;
        if value.is_defined() && value.width().shifted(1) <= piece.width() {
            return Ok(true);
        }
    }
    Ok(false)
}
