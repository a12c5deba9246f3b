//! Numbers that depend on a box of inputs: their range on it, their value at a point of it, and the ranges of their slopes.
//!
//! A range that is computed from ranges alone forgets that two parts move together: on an interval, `x * x - a` is much wider than it
//! is when x is nearly √a. By the mean value theorem a number also lies within its value at the point plus its slopes times how far
//! the box goes; both hold, so the range is their intersection. The theorem applies, for what is evaluated is defined and
//! smooth on the whole box: an operation is, or it has no value here, and a guard is decided for all of the box.

use super::{Certified, Numbers};
use crate::number::{Context, Rational, Sign};
use crate::trace::error::Obstacle;
use crate::trace::operation::Operation;
use crate::trace::ty::Ty;
use crate::trace::value::Value;
use std::cmp::Ordering;

/// The numbers of one box.
#[derive(Clone, Debug)]
pub struct Centred<C: Context> {
    numbers: Certified<C>,
    /// How far the box goes from its centre, in each input.
    moves: Vec<C::Num>,
}

/// A number on the box.
#[derive(Clone, Debug)]
pub struct Moving<N> {
    /// All of its values.
    range: N,
    /// Its value at the centre.
    centre: N,
    /// Its slope in each input, on all of the box; none for a constant.
    slopes: Vec<N>,
}

impl<C: Context> Centred<C> {
    /// The inputs, of a type, that run over a box; `None` where these do not fit.
    pub fn inputs(context: &C, ty: &Ty, over: &Value<C::Num>) -> Option<Input<C>> {
        let numbers = Certified(context.clone());
        let ranges = over.reals();
        let centres: Vec<_> = ranges.iter().map(|range| context.midpoint(range)).collect();
        let n = centres.len();
        let moves = centres.iter().zip(&ranges).map(|(centre, range)| context.sub(range, centre)).collect();
        let unit = |i: usize| (0..n).map(|j| context.integer(i64::from(i == j))).collect();
        let moving = centres.iter().zip(&ranges).enumerate().map(|(i, (centre, range))| Moving {
            range: (*range).clone(),
            centre: centre.clone(),
            slopes: unit(i),
        });
        let value = Value::from_reals(ty, &mut moving.collect::<Vec<_>>().into_iter())?;
        Some((Centred { numbers, moves }, value))
    }

    /// What the mean value theorem says of a number.
    fn mean_value(&self, centre: &C::Num, slopes: &[C::Num]) -> C::Num {
        let c = &self.numbers.0;
        slopes.iter().zip(&self.moves).fold(centre.clone(), |sum, (slope, by)| c.add(&sum, &c.mul(slope, by)))
    }

    fn made(&self, range: C::Num, centre: C::Num, slopes: Vec<C::Num>) -> Moving<C::Num> {
        let narrower = self.numbers.0.intersect(&range, &self.mean_value(&centre, &slopes));
        Moving { range: narrower.unwrap_or(range), centre, slopes }
    }

    /// The sum of multiples of slopes.
    fn combined(&self, parts: &[(&C::Num, &[C::Num])]) -> Vec<C::Num> {
        let c = &self.numbers.0;
        let longest = parts.iter().map(|(_, slopes)| slopes.len()).max().unwrap_or(0);
        let at = |i: usize| {
            let terms = parts.iter().filter_map(|(factor, slopes)| Some(c.mul(factor, slopes.get(i)?)));
            terms.fold(c.integer(0), |sum, term| c.add(&sum, &term))
        };
        (0..longest).map(at).collect()
    }

    /// The slopes of an operation at arguments, where it has the value y.
    fn partials(&self, operation: &Operation, x: &[&C::Num], y: &C::Num) -> Result<Vec<C::Num>, Obstacle> {
        let c = &self.numbers.0;
        Ok(match (operation, x) {
            (Operation::Negate, _) => vec![c.integer(-1)],
            (Operation::Subtract, _) => vec![c.integer(1), c.integer(-1)],
            (Operation::Multiply, [a, b]) => vec![(*b).clone(), (*a).clone()],
            (Operation::Divide, [_, b]) => vec![c.div(&c.integer(1), b), c.neg(&c.div(y, b))],
            (Operation::Power(q), _) if *q == 0 => vec![c.integer(0)],
            (Operation::Power(q), [a]) => {
                let power = self.numbers.apply(&Operation::Power(Rational::from(q - 1)), &[*a])?;
                vec![c.mul(&c.rational(q), &power)]
            }
            (Operation::Function(f), _) => vec![c.formula(&f.slope(), x, y)],
            (Operation::Planar(f), _) => f.slopes().iter().map(|slope| c.formula(slope, x, y)).collect(),
            _ => Vec::new(),
        })
    }
}

/// The numbers of a box, and the inputs that run over it.
pub type Input<C> = (Centred<C>, Value<Moving<<C as Context>::Num>>);

impl<C: Context> Numbers for Centred<C> {
    type Number = Moving<C::Num>;

    fn rational(&self, q: &Rational) -> Moving<C::Num> {
        let value = self.numbers.rational(q);
        Moving { range: value.clone(), centre: value, slopes: Vec::new() }
    }

    fn add(&self, a: &Moving<C::Num>, b: &Moving<C::Num>) -> Moving<C::Num> {
        let (c, one) = (&self.numbers.0, self.numbers.0.integer(1));
        let slopes = self.combined(&[(&one, &a.slopes), (&one, &b.slopes)]);
        self.made(c.add(&a.range, &b.range), c.add(&a.centre, &b.centre), slopes)
    }

    fn apply(&self, operation: &Operation, arguments: &[&Moving<C::Num>]) -> Result<Moving<C::Num>, Obstacle> {
        let ranges: Vec<_> = arguments.iter().map(|x| &x.range).collect();
        let centres: Vec<_> = arguments.iter().map(|x| &x.centre).collect();
        let range = self.numbers.apply(operation, &ranges)?;
        let centre = self.numbers.apply(operation, &centres)?;
        let partials = match arguments.iter().all(|x| x.slopes.is_empty()) {
            true => Vec::new(),
            false => self.partials(operation, &ranges, &range)?,
        };
        let parts: Vec<_> = partials.iter().zip(arguments).map(|(slope, x)| (slope, &x.slopes[..])).collect();
        let slopes = self.combined(&parts);
        Ok(self.made(range, centre, slopes))
    }

    fn compare(&self, a: &Moving<C::Num>, b: &Moving<C::Num>) -> Result<Ordering, Option<i64>> {
        let c = &self.numbers.0;
        self.numbers.compare(&a.range, &b.range).or_else(|agreement| {
            let (one, minus) = (c.integer(1), c.integer(-1));
            let slopes = self.combined(&[(&one, &a.slopes), (&minus, &b.slopes)]);
            match c.sign(&self.mean_value(&c.sub(&a.centre, &b.centre), &slopes)) {
                Sign::Positive => Ok(Ordering::Greater),
                Sign::Negative => Ok(Ordering::Less),
                Sign::Undecided => Err(agreement),
            }
        })
    }
}
