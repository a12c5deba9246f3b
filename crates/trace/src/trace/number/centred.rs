//! Centred forms (Moore): numbers as functions on a box of inputs, with a range, the value at the centre, and the
//! ranges of the slopes.
//!
//! Interval arithmetic forgets that two ranges depend on the same input: on an interval, `x * x - a` gets a much wider
//! range than it has when x is close to √a. By the mean value theorem a number also lies in its value at the centre
//! plus its slopes times the half-widths of the box. Both enclosures hold, so the range is their intersection. The
//! theorem applies, since every number is defined and smooth on the whole box. For operations this holds or they have
//! no value here, and guards are decided for the whole box.

use super::{Certified, Numbers};
use crate::number::{Context, Rational, Sign};
use crate::trace::error::Obstacle;
use crate::trace::operation::Operation;
use crate::trace::ty::Ty;
use crate::trace::value::Value;
use std::cmp::Ordering;

/// The representation of real numbers by centred forms on one box.
#[derive(Clone, Debug)]
pub struct Centred<C: Context> {
    numbers: Certified<C>,
    /// For each input, the range of its distance from the centre.
    moves: Vec<C::Num>,
}

/// A centred form: a number that depends on the inputs.
#[derive(Clone, Debug)]
pub struct Moving<N> {
    /// An enclosure of all values on the box.
    range: N,
    /// An enclosure of the value at the centre.
    centre: N,
    /// Enclosures of the partial derivatives on the whole box, one per input. Empty for a constant.
    slopes: Vec<N>,
}

impl<C: Context> Centred<C> {
    /// Makes the representation for a box, and the inputs, of type `ty`, that range over it. Returns `None` if the box
    /// has too few numbers for the type.
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

    /// Returns the enclosure of a number by the mean value theorem.
    fn mean_value(&self, centre: &C::Num, slopes: &[C::Num]) -> C::Num {
        let c = &self.numbers.0;
        slopes.iter().zip(&self.moves).fold(centre.clone(), |sum, (slope, by)| c.add(&sum, &c.mul(slope, by)))
    }

    /// Makes a centred form whose range is intersected with the mean value enclosure.
    fn made(&self, range: C::Num, centre: C::Num, slopes: Vec<C::Num>) -> Moving<C::Num> {
        // Disjoint enclosures would mean that there is no value; then the range stays as it is.
        let narrower = self.numbers.0.intersect(&range, &self.mean_value(&centre, &slopes));
        Moving { range: narrower.unwrap_or(range), centre, slopes }
    }

    /// Returns the linear combination of slope vectors with these factors; missing entries are 0.
    fn combined(&self, parts: &[(&C::Num, &[C::Num])]) -> Vec<C::Num> {
        let c = &self.numbers.0;
        let longest = parts.iter().map(|(_, slopes)| slopes.len()).max().unwrap_or(0);
        let at = |i: usize| {
            let terms = parts.iter().filter_map(|(factor, slopes)| Some(c.mul(factor, slopes.get(i)?)));
            terms.fold(c.integer(0), |sum, term| c.add(&sum, &term))
        };
        (0..longest).map(at).collect()
    }

    /// Returns the partial derivatives of an operation at arguments, where it has the value y.
    fn partials(&self, operation: &Operation, x: &[&C::Num], y: &C::Num) -> Result<Vec<C::Num>, Obstacle> {
        let c = &self.numbers.0;
        Ok(match (operation, x) {
            (Operation::Negate, _) => vec![c.integer(-1)],
            (Operation::Subtract, _) => vec![c.integer(1), c.integer(-1)],
            (Operation::Multiply, [a, b]) => vec![(*b).clone(), (*a).clone()],
            (Operation::Divide, [_, b]) => vec![c.div(&c.integer(1), b), c.neg(&c.div(y, b))],
            // As in [`Operation::pullback`]: x⁰ has the slope 0, also at 0.
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

/// The representation for a box, and the inputs that range over it.
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
        // Constants have no slopes to propagate, and their partial derivatives may be undefined.
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
        // The difference of centred forms is narrower than the ranges if both depend on the same inputs.
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
