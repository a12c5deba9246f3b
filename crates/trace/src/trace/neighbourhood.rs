//! Boxes of inputs on which a trace is valid (A Thm 6.2 (2)).
//!
//! A box grows around a point until a guard is not decided any more: on all sides alike at first, and then on each side
//! by itself. The point lies in the interior of the box, also as the box is [printed](ValidityInterval::to_decimals).
//!
//! Guards are decided by [enclosures](super::number::CentredForms), for the whole box at once. So a box that is found is
//! certain, but a larger one may be valid as well.
//!
//! A strip beside the box is tried, not the larger box. If the same branches are taken on two boxes that meet,
//! they are taken on both together.
//!
//! Numbers on a box carry their slopes, since ranges forget that both sides of a guard move together. By the mean
//! value theorem the interval of a Newton iteration is found to all printed digits; ranges gave 10⁻⁶ of it.

use super::ty::CoreTy;
use super::value::CoreValue;
use crate::number::budget::Budget;
use crate::number::{Context, Enclosure, Rational};

/// An interval around one number of the input, with that number in its interior. An end is `None` if it is infinite.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidityInterval {
    /// The lower end.
    pub lo: Option<Rational>,
    /// The upper end.
    pub hi: Option<Rational>,
    /// Bounds of the number of the point. Both lie between the ends.
    pub point: [Rational; 2],
}

/// The exponent of the first radius, a power of 2. These constants are choices: they bound the number of runs of the
/// program.
const FIRST_RADIUS_EXPONENT: i32 = -20;
/// The exponent of the smallest radius.
const MIN_RADIUS_EXPONENT: i32 = -120;
/// The exponent of the radius beyond which each side is moved by itself.
const MAX_RADIUS_EXPONENT: i32 = 64;
/// The exponent of the largest scale to which an end is printed.
const MAX_SCALE_EXPONENT: i32 = 400;
/// The largest number of strips that are tried on each side.
const MAX_STRIPS: u32 = 200;
/// A strip is not tried if it is narrower than the box by a factor of 2 to this power.
const MIN_STRIP_SHIFT: u32 = 24;

/// Returns 2 to a power.
fn power_of_two(exponent: i32) -> Rational {
    match u32::try_from(exponent) {
        Ok(shift) => Rational::from(1) << shift,
        Err(_) => Rational::from(1) >> exponent.unsigned_abs(),
    }
}

/// Grows a box of a type around a point, on which `holds` is true. Returns `None` if not even the smallest box is one,
/// or a coordinate of the point is not finite.
pub(super) fn grow_box<C: Context>(
    context: &C,
    ty: &CoreTy,
    at: &CoreValue<C::Num>,
    budget: &Budget,
    holds: &dyn Fn(CoreValue<C::Num>) -> bool,
) -> Option<Vec<ValidityInterval>> {
    let points: Vec<[Rational; 2]> =
        at.real_components().into_iter().map(|x| finite_ends(&context.to_enclosure(x))).collect::<Option<_>>()?;
    // Without time left nothing holds, so all growing ends.
    let tried = |ranges: &[ValidityInterval]| {
        if budget.is_exhausted() {
            return false;
        }
        let mut numbers = ranges.iter().map(|range| enclose_range(context, range));
        CoreValue::from_reals(ty, &mut numbers).is_some_and(holds)
    };
    let around = |radius: &Rational| -> Vec<ValidityInterval> {
        let range = |point: &[Rational; 2]| ValidityInterval {
            lo: Some(Rational::from(&point[0] - radius)),
            hi: Some(Rational::from(&point[1] + radius)),
            point: point.clone(),
        };
        points.iter().map(range).collect()
    };
    // First the same radius on all sides: from a small box downwards until one is valid.
    let mut exponent = FIRST_RADIUS_EXPONENT;
    while !tried(&around(&power_of_two(exponent))) {
        exponent -= 10;
        if exponent < MIN_RADIUS_EXPONENT {
            return None;
        }
    }
    let mut ranges = around(&power_of_two(exponent));
    let radius = grow_all(&mut ranges, power_of_two(exponent), &tried);
    // Then each side by itself, as some inputs may go much farther than others.
    for index in 0..ranges.len() {
        for up in [false, true] {
            grow_side(&mut ranges, index, up, &radius, &tried);
        }
    }
    Some(ranges)
}

/// Returns the strip beyond one end of one range of a box, up to `to`, or to infinity. It is as wide as the box in all
/// other directions.
fn strip_beyond(ranges: &[ValidityInterval], index: usize, up: bool, to: Option<Rational>) -> Vec<ValidityInterval> {
    let mut strip = ranges.to_vec();
    let ValidityInterval { lo, hi, .. } = &mut strip[index];
    if up {
        *lo = std::mem::replace(hi, to);
    } else {
        *hi = std::mem::replace(lo, to);
    }
    strip
}

/// Returns the end of a range, moved outward by a step; `None` if it is infinite.
fn moved_end(range: &ValidityInterval, up: bool, step: &Rational) -> Option<Rational> {
    match (up, &range.lo, &range.hi) {
        (true, _, Some(hi)) => Some(Rational::from(hi + step)),
        (false, Some(lo), _) => Some(Rational::from(lo - step)),
        _ => None,
    }
}

/// Replaces an end of a range.
fn set_end(range: &mut ValidityInterval, up: bool, end: Option<Rational>) {
    *if up { &mut range.hi } else { &mut range.lo } = end;
}

/// Moves all ends outward by the same steps, and returns the radius reached. The step doubles after a success, and is
/// halved after a failure.
fn grow_all(
    ranges: &mut Vec<ValidityInterval>,
    first: Rational,
    tried: &dyn Fn(&[ValidityInterval]) -> bool,
) -> Rational {
    // Many programs have no guards at all, so the whole space is tried first.
    let everywhere: Vec<ValidityInterval> =
        ranges.iter().map(|range| ValidityInterval { lo: None, hi: None, ..range.clone() }).collect();
    if tried(&everywhere) {
        *ranges = everywhere;
        return first;
    }
    let (mut radius, mut step) = (first.clone(), first);
    for _ in 0..MAX_STRIPS {
        if step.clone() << MIN_STRIP_SHIFT < radius || radius > power_of_two(MAX_RADIUS_EXPONENT) {
            break;
        }
        let mut larger = ranges.clone();
        // The larger box is cut into strips, one beyond each end; each is valid on its own, and narrower than the box.
        let holds = (0..larger.len()).all(|index| {
            [false, true].into_iter().all(|up| {
                let to = moved_end(&larger[index], up, &step);
                let holds = tried(&strip_beyond(&larger, index, up, to.clone()));
                set_end(&mut larger[index], up, to);
                holds
            })
        });
        if holds {
            radius += &step;
            *ranges = larger;
            step *= 2;
        } else {
            step /= 2;
        }
    }
    radius
}

/// Moves one end of one range outward, strip by strip. If the same branches are taken on two adjacent boxes, they are
/// taken on their union. A strip has twice the width of the last one that was added, or half of one that was not.
fn grow_side(
    ranges: &mut [ValidityInterval],
    index: usize,
    up: bool,
    first: &Rational,
    tried: &dyn Fn(&[ValidityInterval]) -> bool,
) {
    let (mut width, mut step) = (first.clone(), first.clone());
    for _ in 0..MAX_STRIPS {
        let Some(next) = moved_end(&ranges[index], up, &step) else { return };
        // Infinity is tried in each round: beyond the last kink it succeeds.
        if tried(&strip_beyond(ranges, index, up, None)) {
            return set_end(&mut ranges[index], up, None);
        }
        if step.clone() << MIN_STRIP_SHIFT < width {
            return;
        }
        if tried(&strip_beyond(ranges, index, up, Some(next.clone()))) {
            width += &step;
            set_end(&mut ranges[index], up, Some(next));
            step *= 2;
        } else {
            step /= 2;
        }
    }
}

/// Returns the ends of an enclosure; `None` if one is infinite.
fn finite_ends(x: &Enclosure) -> Option<[Rational; 2]> {
    Some([x.lo().to_rational()?, x.hi().to_rational()?])
}

/// Returns a range as a number: an enclosure of all of its points.
fn enclose_range<C: Context>(context: &C, range: &ValidityInterval) -> C::Num {
    // The ends are rounded outward, so that the number encloses the range.
    let end = |q: &Rational| context.to_enclosure(&context.enclose_rational(q));
    let whole = Enclosure::bottom();
    let lo = range.lo.as_ref().map_or(whole.lo().clone(), |q| end(q).lo().clone());
    let hi = range.hi.as_ref().map_or(whole.hi().clone(), |q| end(q).hi().clone());
    match Enclosure::new(lo, hi, true) {
        Ok(enclosure) => context.round_enclosure(&enclosure),
        Err(_) => context.bottom(),
    }
}

/// An end is printed with an error of at most this part of its distance from the point. A choice: four digits.
const PRINTED_PRECISION: u32 = 10_000;

impl ValidityInterval {
    /// Returns the ends as decimals, `-inf` and `inf` for infinite ones. Each is rounded inward, relative to its
    /// distance from the point, so that the point stays in the interior.
    #[must_use]
    pub fn to_decimals(&self) -> [String; 2] {
        let text = |end: &Rational, distance: Rational, round: &dyn Fn(Rational) -> Rational| {
            let mut scale = Rational::from(1);
            // A distance of 0 would never be large enough, so the scale is bounded.
            while Rational::from(&distance * &scale) < PRINTED_PRECISION && scale < power_of_two(MAX_SCALE_EXPONENT) {
                scale *= 10;
            }
            crate::number::decimal::print_exactly(&(round(Rational::from(end * &scale)) / &scale)).unwrap_or_default()
        };
        let [least, most] = &self.point;
        let lo = self.lo.as_ref().map(|lo| text(lo, Rational::from(least - lo), &Rational::ceil));
        let hi = self.hi.as_ref().map(|hi| text(hi, Rational::from(hi - most), &Rational::floor));
        [lo.unwrap_or_else(|| "-inf".to_owned()), hi.unwrap_or_else(|| "inf".to_owned())]
    }
}
