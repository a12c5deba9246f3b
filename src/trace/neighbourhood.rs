//! Boxes of inputs on which a trace is valid (A Thm 6.2 (2)): grown round a point until a guard is not decided any more.
//!
//! Guards are decided by [enclosures](super::number::Centred), for all of a box at once; so a box that is found is certain, and another one that is
//! larger may hold as well.

use super::ty::Ty;
use super::value::Value;
use crate::number::budget::Budget;
use crate::number::{Context, Enclosure, Rational};

/// An interval of one number of the input; `None` where it goes on to infinity.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The lower end.
    pub lo: Option<Rational>,
    /// The upper end.
    pub hi: Option<Rational>,
}

/// The first radius is 2 to this power.
const FIRST: i32 = -20;
/// The smallest.
const SMALLEST: i32 = -120;
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
    let points: Vec<(Rational, Rational)> =
        at.reals().into_iter().map(|x| ends(&context.to_enclosure(x))).collect::<Option<_>>()?;
    let tried = |ranges: &[Range]| {
        if budget.is_exhausted() {
            return false;
        }
        let mut numbers = ranges.iter().map(|range| number(context, range));
        Value::from_reals(ty, &mut numbers).is_some_and(holds)
    };
    let around = |radius: &Rational| -> Vec<Range> {
        let range = |(lo, hi): &(Rational, Rational)| Range {
            lo: Some(Rational::from(lo - radius)),
            hi: Some(Rational::from(hi + radius)),
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
    // then each side by itself
    for index in 0..ranges.len() {
        for up in [false, true] {
            grow(&mut ranges, index, up, &power(exponent), &tried);
        }
    }
    Some(ranges)
}

/// Moves one end of one range outward, by one strip after the other: where the same branches are taken on two boxes that
/// meet, they are taken on both together. A strip is twice as wide as the last one that was added, or half as one that was not.
fn grow(ranges: &mut [Range], index: usize, up: bool, first: &Rational, tried: &dyn Fn(&[Range]) -> bool) {
    let Some(mut end) = (if up { ranges[index].hi.clone() } else { ranges[index].lo.clone() }) else { return };
    let (mut width, mut step) = (first.clone(), first.clone());
    let strip = |from: &Rational, to: Option<&Rational>| {
        let (from, to) = (Some(from.clone()), to.cloned());
        let mut strip = ranges.to_vec();
        strip[index] = if up { Range { lo: from, hi: to } } else { Range { lo: to, hi: from } };
        strip
    };
    let mut is_unbounded = false;
    for _ in 0..STRIPS {
        is_unbounded = tried(&strip(&end, None));
        if is_unbounded || step.clone() << NARROW < width {
            break;
        }
        let next = if up { Rational::from(&end + &step) } else { Rational::from(&end - &step) };
        if tried(&strip(&end, Some(&next))) {
            width += &step;
            end = next;
            step *= 2;
        } else {
            step /= 2;
        }
    }
    let end = if is_unbounded { None } else { Some(end) };
    if up {
        ranges[index].hi = end;
    } else {
        ranges[index].lo = end;
    }
}

fn ends(x: &Enclosure) -> Option<(Rational, Rational)> {
    Some((x.lo().to_rational()?, x.hi().to_rational()?))
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

impl Range {
    /// Its ends in decimals, rounded inward to some digits of its width; `-inf` and `inf` where it has none.
    #[must_use]
    pub fn decimals(&self) -> [String; 2] {
        let mut scale = Rational::from(1);
        if let (Some(lo), Some(hi)) = (&self.lo, &self.hi) {
            let width = Rational::from(hi - lo);
            while Rational::from(&width * &scale) < 10_000 && scale < power(400) {
                scale *= 10;
            }
        } else {
            scale = Rational::from(1_000_000);
        }
        let text = |q: Rational| crate::number::decimal::exact(&(q / &scale)).unwrap_or_default();
        let lo = self.lo.as_ref().map_or("-inf".to_owned(), |q| text(Rational::from(q * &scale).ceil()));
        let hi = self.hi.as_ref().map_or("inf".to_owned(), |q| text(Rational::from(q * &scale).floor()));
        [lo, hi]
    }
}
