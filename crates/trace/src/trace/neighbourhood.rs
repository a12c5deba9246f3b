//! Boxes of inputs on which a trace is valid (A Thm 6.2 (2)): grown round a point until a guard is not decided any more, on all sides alike
//! first, and then on each by itself. The point lies in the inside of such a box, also as it is [printed](Range::decimals).
//!
//! Guards are decided by [enclosures](super::number::Centred), for all of a box at once; so a box that is found is certain, and another one that is
//! larger may hold as well.

use super::ty::Ty;
use super::value::Value;
use crate::number::budget::Budget;
use crate::number::{Context, Enclosure, Rational};

/// An interval of one number of the input, with that number in its inside. An end is `None` where it goes on to infinity.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The lower end.
    pub lo: Option<Rational>,
    /// The upper end.
    pub hi: Option<Rational>,
    /// Two numbers between which that of the point lies, between the ends.
    pub point: [Rational; 2],
}

/// The first radius is 2 to this power.
const FIRST: i32 = -20;
/// The smallest.
const SMALLEST: i32 = -120;
/// Beyond a radius of 2 to this power each side is moved by itself.
const LARGEST: i32 = 64;
/// No more digits are printed than 2 to this power has.
const FINEST: i32 = 400;
/// How many strips are tried on each side.
const STRIPS: u32 = 200;
/// A strip that is narrower than what is there by 2 to this power is not worth trying.
const NARROW: u32 = 24;

fn power(exponent: i32) -> Rational {
    match u32::try_from(exponent) {
        Ok(shift) => Rational::from(1) << shift,
        Err(_) => Rational::from(1) >> exponent.unsigned_abs(),
    }
}

/// A box round a point, of a type, for all of which something holds; `None` where not even the smallest is one.
pub(super) fn grown<C: Context>(
    context: &C,
    ty: &Ty,
    at: &Value<C::Num>,
    budget: &Budget,
    holds: &dyn Fn(Value<C::Num>) -> bool,
) -> Option<Vec<Range>> {
    let points: Vec<[Rational; 2]> =
        at.reals().into_iter().map(|x| ends(&context.to_enclosure(x))).collect::<Option<_>>()?;
    let tried = |ranges: &[Range]| {
        if budget.is_exhausted() {
            return false;
        }
        let mut numbers = ranges.iter().map(|range| number(context, range));
        Value::from_reals(ty, &mut numbers).is_some_and(holds)
    };
    let around = |radius: &Rational| -> Vec<Range> {
        let range = |point: &[Rational; 2]| Range {
            lo: Some(Rational::from(&point[0] - radius)),
            hi: Some(Rational::from(&point[1] + radius)),
            point: point.clone(),
        };
        points.iter().map(range).collect()
    };
    // the same radius on all sides
    let mut exponent = FIRST;
    while !tried(&around(&power(exponent))) {
        exponent -= 10;
        if exponent < SMALLEST {
            return None;
        }
    }
    let mut ranges = around(&power(exponent));
    let radius = grow_all(&mut ranges, power(exponent), &tried);
    // then each side by itself
    for index in 0..ranges.len() {
        for up in [false, true] {
            grow(&mut ranges, index, up, &radius, &tried);
        }
    }
    Some(ranges)
}

/// What lies beyond one end of one range of a box, up to another number, or to infinity: as wide as the box in all other directions.
fn strip(ranges: &[Range], index: usize, up: bool, to: Option<Rational>) -> Vec<Range> {
    let mut strip = ranges.to_vec();
    let Range { lo, hi, .. } = &mut strip[index];
    if up {
        *lo = std::mem::replace(hi, to);
    } else {
        *hi = std::mem::replace(lo, to);
    }
    strip
}

/// The end of a range, so much farther out.
fn moved(range: &Range, up: bool, step: &Rational) -> Option<Rational> {
    match (up, &range.lo, &range.hi) {
        (true, _, Some(hi)) => Some(Rational::from(hi + step)),
        (false, Some(lo), _) => Some(Rational::from(lo - step)),
        _ => None,
    }
}

fn set(range: &mut Range, up: bool, end: Option<Rational>) {
    *if up { &mut range.hi } else { &mut range.lo } = end;
}

/// Moves all ends outward by the same steps, and answers how far. A step is twice the last one that held for all of them, or half of one
/// that did not.
fn grow_all(ranges: &mut Vec<Range>, first: Rational, tried: &dyn Fn(&[Range]) -> bool) -> Rational {
    let everywhere: Vec<Range> = ranges.iter().map(|range| Range { lo: None, hi: None, ..range.clone() }).collect();
    if tried(&everywhere) {
        *ranges = everywhere;
        return first;
    }
    let (mut radius, mut step) = (first.clone(), first);
    for _ in 0..STRIPS {
        if step.clone() << NARROW < radius || radius > power(LARGEST) {
            break;
        }
        let mut larger = ranges.clone();
        let holds = (0..larger.len()).all(|index| {
            [false, true].into_iter().all(|up| {
                let to = moved(&larger[index], up, &step);
                let holds = tried(&strip(&larger, index, up, to.clone()));
                set(&mut larger[index], up, to);
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

/// Moves one end of one range outward, by one strip after the other: where the same branches are taken on two boxes that
/// meet, they are taken on both together. A strip is twice as wide as the last one that was added, or half as one that was not.
fn grow(ranges: &mut [Range], index: usize, up: bool, first: &Rational, tried: &dyn Fn(&[Range]) -> bool) {
    let (mut width, mut step) = (first.clone(), first.clone());
    for _ in 0..STRIPS {
        let Some(next) = moved(&ranges[index], up, &step) else { return };
        if tried(&strip(ranges, index, up, None)) {
            return set(&mut ranges[index], up, None);
        }
        if step.clone() << NARROW < width {
            return;
        }
        if tried(&strip(ranges, index, up, Some(next.clone()))) {
            width += &step;
            set(&mut ranges[index], up, Some(next));
            step *= 2;
        } else {
            step /= 2;
        }
    }
}

fn ends(x: &Enclosure) -> Option<[Rational; 2]> {
    Some([x.lo().to_rational()?, x.hi().to_rational()?])
}

/// A range as a number that is anywhere in it.
fn number<C: Context>(context: &C, range: &Range) -> C::Num {
    let end = |q: &Rational| context.to_enclosure(&context.rational(q));
    let whole = Enclosure::bottom();
    let lo = range.lo.as_ref().map_or(whole.lo().clone(), |q| end(q).lo().clone());
    let hi = range.hi.as_ref().map_or(whole.hi().clone(), |q| end(q).hi().clone());
    match Enclosure::new(lo, hi, true) {
        Ok(enclosure) => context.enclosure(&enclosure),
        Err(_) => context.bottom(),
    }
}

/// What an end is printed to: a part of its distance from the point.
const PART: u32 = 10_000;

impl Range {
    /// Its ends in decimals, `-inf` and `inf` where it has none: each rounded inward to some digits of its distance from the point, so
    /// that the point stays in the inside.
    #[must_use]
    pub fn decimals(&self) -> [String; 2] {
        let text = |end: &Rational, distance: Rational, round: &dyn Fn(Rational) -> Rational| {
            let mut scale = Rational::from(1);
            while Rational::from(&distance * &scale) < PART && scale < power(FINEST) {
                scale *= 10;
            }
            crate::number::decimal::exact(&(round(Rational::from(end * &scale)) / &scale)).unwrap_or_default()
        };
        let [least, most] = &self.point;
        let lo = self.lo.as_ref().map(|lo| text(lo, Rational::from(least - lo), &Rational::ceil));
        let hi = self.hi.as_ref().map(|hi| text(hi, Rational::from(hi - most), &Rational::floor));
        [lo.unwrap_or_else(|| "-inf".to_owned()), hi.unwrap_or_else(|| "inf".to_owned())]
    }
}
