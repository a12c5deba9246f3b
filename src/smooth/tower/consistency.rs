//! Successive consistency as a refuter (S Def. 4.1, S15): is each order of a tower a derivative of the one before?
//!
//! S asks that `f⁽ᵏ⁺¹⁾(·; v, ·)` be a Clarke derivative of `f⁽ᵏ⁾(·; v)`, for every k and v. That cannot be decided, and can
//! be refuted. A [`Sample`] is a point x, a step h and directions v; with X the box spanned by x and x + h,
//!
//! | reason | what must hold | why |
//! |---|---|---|
//! | [`Reason::Rise`] | `f⁽ᵏ⁾(x+h; v) − f⁽ᵏ⁾(x; v)` meets `f⁽ᵏ⁺¹⁾(X; v, h)`, where that is bounded | Lebourg's mean value theorem |
//! | [`Reason::Isotone`] | `f⁽ᵏ⁾(x; v)` and `f⁽ᵏ⁾(x+h; v)` lie in `f⁽ᵏ⁾(X; v)` | the extension to boxes is a hull (S §4.4) |
//! | [`Reason::Successive`] | where `f⁽ᵏ⁾(x; v)` is a set, at four times the precision too, `f⁽ᵏ⁺¹⁾(x; v, h)` is ⊥ | S §4.1: the derivative of a set |
//! | [`Reason::Symmetric`] | `f⁽ᵏ⁾(x; v)` meets itself with two directions exchanged | S §4.2 (S16) |
//! | [`Reason::Linear`] | `f⁽ᵏ⁾(x; …, v+h, …)` meets `f⁽ᵏ⁾(x; …, v, …) + f⁽ᵏ⁾(x; …, h, …)` | S §4.2 (S16) |
//!
//! The first two and the last two are asked only where values are numbers, known to half of their digits, and
//! derivatives bounded; a sample in which nothing could be asked is vacuous. What fails is disproved: no
//! function, or no honest extension of one to boxes, has this tower.
//!
//! **A single point.** A tower that is wrong at one point only, such as `relu′(0) := {0}`, has honest boxes around it, and
//! no difference of values contradicts it. There one-sided quotients `(f⁽ᵏ⁾(x+th; v) − f⁽ᵏ⁾(x; v))/t` are computed for ever
//! smaller t. If they stay away from `f⁽ᵏ⁺¹⁾(x; v, h)` and come no nearer, the tower is *refuted at scale t*
//! ([`Outcome::Doubtful`]): evidence, and no proof, since a limit is never seen.

mod sample;

pub use sample::{Sample, smaller};

use super::{Tower, TowerError, Vector};
use crate::number::Rational;
use crate::number::context::Context;
use std::fmt;

/// How hard a tower is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consistency {
    /// The highest order k whose derivative is looked at.
    pub orders: usize,
    /// How many samples are drawn.
    pub samples: usize,
    /// What the samples depend on, and nothing else.
    pub seed: u64,
}

impl Default for Consistency {
    /// 200 samples to order 2.
    fn default() -> Self {
        Self { orders: 2, samples: 200, seed: 0 }
    }
}

/// What is wrong; see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A difference of values misses the next derivative.
    Rise,
    /// A value at a point is not in the value on a box around it.
    Isotone,
    /// A set has a derivative.
    Successive,
    /// The order of directions matters.
    Symmetric,
    /// A derivative is not additive in a direction.
    Linear,
}

/// Why a tower is no tower of a function: a sample, and two sides that had to meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Refutation {
    /// What is wrong.
    pub reason: Reason,
    /// Where: the smallest sample that was found.
    pub sample: Sample,
    /// The component of the result.
    pub component: usize,
    /// What was computed.
    pub left: String,
    /// What it had to meet, or to be.
    pub right: String,
}

/// Evidence against a tower at one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// Where, and along which step.
    pub sample: Sample,
    /// The component of the result.
    pub component: usize,
    /// The smallest t that was tried.
    pub scale: Rational,
    /// The quotient at that scale.
    pub quotient: String,
    /// The derivative that it should come near to.
    pub derivative: String,
}

/// What became of a tower.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is no tower.
    Refuted(Box<Refutation>),
    /// It seems to be none.
    Doubtful(Box<Doubt>),
    /// Nothing was found; this many samples could be asked something.
    Survived {
        /// The samples that were not vacuous.
        asked: usize,
    },
}

/// What one sample shows.
enum Shown {
    Nothing,
    Holds,
    Fails(Box<Refutation>),
}

impl Consistency {
    /// Tries to refute a tower; a witness is [shrunk](Sample::shrunk).
    ///
    /// # Errors
    /// Those of evaluating the tower.
    ///
    /// # Examples
    /// ```
    /// use smoothish::number::{Context, Mpfr};
    /// use smoothish::smooth::tower::{Tower, TowerError, kink};
    /// use smoothish::smooth::tower::consistency::{Consistency, Outcome, Reason};
    ///
    /// type Num = <Mpfr as Context>::Num;
    /// let context = Mpfr::new(128);
    /// let max = kink::maximum();
    /// assert!(matches!(Consistency::default().refute(&max, &context)?, Outcome::Survived { .. }));
    /// // max⁽¹⁾ := dx
    /// let wrong = Tower::new(2, 1, move |c: &Mpfr, x: &[Num], v: &[&[Num]]| match v {
    ///     [v] => Ok(vec![v[0].clone()]),
    ///     _ => max.derivative(x, &v.iter().map(|v| v.to_vec()).collect::<Vec<_>>(), c),
    /// });
    /// let Outcome::Refuted(refutation) = Consistency::default().refute(&wrong, &context)? else { panic!() };
    /// assert_eq!(refutation.reason, Reason::Rise);
    /// # Ok::<(), TowerError>(())
    /// ```
    pub fn refute<C: Context>(&self, tower: &Tower<C>, context: &C) -> Result<Outcome, TowerError> {
        let samples: Vec<Sample> = self.drawn(tower.inputs()).collect();
        Self::tried(tower, context, &samples, |_| true)
    }

    /// The same with samples inside of a box, of which each range is given by its ends.
    ///
    /// # Errors
    /// Those of evaluating the tower.
    pub fn refute_within<C: Context>(
        &self,
        tower: &Tower<C>,
        context: &C,
        ranges: &[[Rational; 2]],
    ) -> Result<Outcome, TowerError> {
        let samples: Vec<Sample> = self.drawn(tower.inputs()).map(|sample| sample.moved_into(ranges)).collect();
        Self::tried(tower, context, &samples, |sample| sample.is_within(ranges))
    }

    /// Tries samples; what a witness shrinks to is `admitted`.
    fn tried<C: Context>(
        tower: &Tower<C>,
        context: &C,
        samples: &[Sample],
        admitted: impl Fn(&Sample) -> bool,
    ) -> Result<Outcome, TowerError> {
        let mut asked = 0;
        for sample in samples {
            match show(tower, context, sample)? {
                Shown::Nothing => {}
                Shown::Holds => asked += 1,
                Shown::Fails(found) => {
                    let reason = found.reason;
                    let smaller = |sample: &Sample| match show(tower, context, sample)? {
                        Shown::Fails(found) if found.reason == reason && admitted(sample) => Ok(Some(found)),
                        _ => Ok(None),
                    };
                    return Ok(Outcome::Refuted(shrunk(found, |f| &f.sample, smaller)?));
                }
            }
        }
        for sample in samples {
            if let Some(found) = doubt(tower, context, sample)? {
                let smaller =
                    |sample: &Sample| doubt(tower, context, sample).map(|d| d.filter(|d| admitted(&d.sample)));
                return Ok(Outcome::Doubtful(shrunk(found, |d| &d.sample, smaller)?));
            }
        }
        Ok(Outcome::Survived { asked })
    }

    fn drawn(&self, inputs: usize) -> impl Iterator<Item = Sample> + use<> {
        let Self { orders, samples, seed } = *self;
        (0..samples).map(move |index| Sample::drawn(seed, index as u64, inputs, index % (orders + 1)))
    }
}

/// The smallest witness that can be reached from one, by samples with fewer bits.
fn shrunk<W>(
    mut witness: Box<W>,
    sample: impl Fn(&W) -> &Sample,
    mut still: impl FnMut(&Sample) -> Result<Option<Box<W>>, TowerError>,
) -> Result<Box<W>, TowerError> {
    /// No witness is made smaller more often.
    const MOST: usize = 200;
    'again: for _ in 0..MOST {
        for candidate in sample(&witness).shrunk() {
            if let Some(smaller) = still(&candidate)? {
                witness = smaller;
                continue 'again;
            }
        }
        break;
    }
    Ok(witness)
}

/// A sample as numbers of a context.
struct Numbers<C: Context> {
    x: Vector<C>,
    moved: Vector<C>,
    span: Vector<C>,
    step: Vector<C>,
    directions: Vec<Vector<C>>,
}

impl<C: Context> Numbers<C> {
    fn new(context: &C, sample: &Sample) -> Self {
        let vector = |v: &[Rational]| v.iter().map(|q| context.rational(q)).collect::<Vector<C>>();
        let moved: Vec<Rational> = sample.point.iter().zip(&sample.step).map(|(x, h)| Rational::from(x + h)).collect();
        let (x, moved) = (vector(&sample.point), vector(&moved));
        let span = x.iter().zip(&moved).map(|(a, b)| context.hull(a, b)).collect();
        let directions = sample.directions.iter().map(|v| vector(v)).collect();
        Self { x, moved, span, step: vector(&sample.step), directions }
    }

    /// v, h
    fn along(&self) -> Vec<Vector<C>> {
        [self.directions.as_slice(), std::slice::from_ref(&self.step)].concat()
    }
}

fn show<C: Context>(f: &Tower<C>, context: &C, sample: &Sample) -> Result<Shown, TowerError> {
    let at = Numbers::new(context, sample);
    let here = f.derivative(&at.x, &at.directions, context)?;
    let there = f.derivative(&at.moved, &at.directions, context)?;
    let over = f.derivative(&at.span, &at.directions, context)?;
    let next = f.derivative(&at.x, &at.along(), context)?;
    let next_over = f.derivative(&at.span, &at.along(), context)?;
    let mut asked = false;
    let print = |x: &C::Num| context.to_enclosure(x).to_string();
    let fails = |reason, component, left: String, right: String| {
        let sample = sample.clone();
        Ok(Shown::Fails(Box::new(Refutation { reason, sample, component, left, right })))
    };
    for i in 0..f.outputs() {
        let (a, b) = (&here[i], &there[i]);
        if !is_number(context, a) {
            let may_be_set = context.is_defined(a) && context.is_bounded(a) && context.is_bounded(&next[i]);
            if may_be_set && is_set(f, context, sample, i)? {
                return fails(Reason::Successive, i, print(&next[i]), "⊥".to_owned());
            }
            continue;
        }
        for part in [a, b] {
            if is_number(context, part) && !contains(context, &over[i], part) {
                return fails(Reason::Isotone, i, print(part), print(&over[i]));
            }
        }
        if is_number(context, b) && context.is_bounded(&next_over[i]) {
            asked = true;
            let rise = context.sub(b, a);
            if context.intersect(&rise, &next_over[i]).is_none() {
                return fails(Reason::Rise, i, print(&rise), print(&next_over[i]));
            }
        }
    }
    if let [first, rest @ ..] = at.directions.as_slice() {
        // exchanged: the first direction becomes the last
        let turned = [rest, std::slice::from_ref(first)].concat();
        let turned = f.derivative(&at.x, &turned, context)?;
        let replaced = |v: Vector<C>| [std::slice::from_ref(&v), rest].concat();
        let sum = first.iter().zip(&at.step).map(|(v, h)| context.add(v, h)).collect();
        let of_sum = f.derivative(&at.x, &replaced(sum), context)?;
        let of_step = f.derivative(&at.x, &replaced(at.step.clone()), context)?;
        for i in 0..f.outputs() {
            let sides = [&here[i], &turned[i], &of_sum[i], &of_step[i]];
            if sides[..2].iter().all(|x| is_number(context, x)) && context.intersect(sides[0], sides[1]).is_none() {
                return fails(Reason::Symmetric, i, print(sides[1]), print(sides[0]));
            }
            let both = context.add(sides[0], sides[3]);
            if sides.iter().all(|x| is_number(context, x)) && context.intersect(&both, sides[2]).is_none() {
                return fails(Reason::Linear, i, print(sides[2]), print(&both));
            }
        }
    }
    Ok(if asked { Shown::Holds } else { Shown::Nothing })
}

/// Whether a component is wide, and not by rounding: at twice and at four times the precision it is as wide. In an
/// arithmetic that has no other precision, there is no telling.
fn is_set<C: Context>(f: &Tower<C>, context: &C, sample: &Sample, component: usize) -> Result<bool, TowerError> {
    let width = |context: &C| -> Result<_, TowerError> {
        let at = Numbers::new(context, sample);
        Ok(context.width(&f.derivative(&at.x, &at.directions, context)?[component]))
    };
    let (Some(finer), first) = (context.finer(), width(context)?) else { return Ok(false) };
    let Some(finest) = finer.finer() else { return Ok(false) };
    Ok(width(&finer)? > first.shifted(-1) && width(&finest)? > first.shifted(-1))
}

/// The scales of one-sided quotients: 2^-4, 2^-8, …, as far as a third of the digits goes.
fn scales(precision: u32) -> impl Iterator<Item = u32> {
    (1..=(precision / 3).clamp(16, 60) / 4).map(|i| 4 * i)
}

fn doubt<C: Context>(f: &Tower<C>, context: &C, sample: &Sample) -> Result<Option<Box<Doubt>>, TowerError> {
    let at = Numbers::new(context, sample);
    let here = f.derivative(&at.x, &at.directions, context)?;
    let derivative = f.derivative(&at.x, &at.along(), context)?;
    let mut distances = vec![Vec::new(); f.outputs()];
    let mut last = Vec::new();
    for scale in scales(context.precision()) {
        let t = context.rational(&(Rational::from(1) >> scale));
        let near: Vector<C> = at.x.iter().zip(&at.step).map(|(x, h)| context.add(x, &context.mul(&t, h))).collect();
        let there = f.derivative(&near, &at.directions, context)?;
        last = (0..f.outputs()).map(|i| context.scale(&context.sub(&there[i], &here[i]), 1 << scale)).collect();
        for (i, quotient) in last.iter().enumerate() {
            let known = [&here[i], &there[i], quotient].iter().all(|x| is_number(context, x));
            let known = known && context.is_defined(&derivative[i]) && context.is_bounded(&derivative[i]);
            distances[i].push(known.then(|| distance(context, quotient, &derivative[i])));
        }
    }
    for (i, distances) in distances.iter().enumerate() {
        let Some(distances) = distances.iter().cloned().collect::<Option<Vec<f64>>>() else { continue };
        let [.., before, end] = distances[..] else { continue };
        // a quotient that converges comes nearer in proportion to the scale, or to a root of it
        let size = context.magnitude(&derivative[i]).to_f64().max(1.0);
        if end > 1e-2 * size && end > before * 0.6 {
            return Ok(Some(Box::new(Doubt {
                sample: sample.clone(),
                component: i,
                scale: Rational::from(1) >> scales(context.precision()).last().unwrap_or(0),
                quotient: context.to_enclosure(&last[i]).to_string(),
                derivative: context.to_enclosure(&derivative[i]).to_string(),
            })));
        }
    }
    Ok(None)
}

/// How far two bounded enclosures are apart, about.
fn distance<C: Context>(context: &C, a: &C::Num, b: &C::Num) -> f64 {
    let (a, b) = (context.to_enclosure(a), context.to_enclosure(b));
    let below = b.lo().to_f64() - a.hi().to_f64();
    let above = a.lo().to_f64() - b.hi().to_f64();
    below.max(above).max(0.0)
}

/// Whether an enclosure is defined and narrow enough to be taken for a number.
fn is_number<C: Context>(context: &C, x: &C::Num) -> bool {
    super::matrix::is_narrow(context, x)
}

/// `a ⊇ b` up to half of the digits.
fn contains<C: Context>(context: &C, a: &C::Num, b: &C::Num) -> bool {
    if !context.is_bounded(a) {
        return context.intersect(a, b).is_some();
    }
    let size = context.magnitude(a).max(context.magnitude(b)).max(context.magnitude(&context.integer(1)));
    let Some(slack) = size.shifted(-i64::from(context.precision() / 2)).to_rational() else { return true };
    let slack = context.hull(&context.rational(&Rational::from(-&slack)), &context.rational(&slack));
    context.contains(&context.add(a, &slack), b)
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, sample, component, left, right } = self;
        let k = sample.directions.len();
        let what = match reason {
            Reason::Rise => format!("the rise of the derivative of order {k} misses the derivative of order {}", k + 1),
            Reason::Isotone => format!("the derivative of order {k} at a point is not in that on a box around it"),
            Reason::Successive => format!("the derivative of order {k} is a set, and has a derivative"),
            Reason::Symmetric => format!("the derivative of order {k} depends on the order of its directions"),
            Reason::Linear => format!("the derivative of order {k} is not linear in a direction"),
        };
        write!(f, "{what}: {sample}, component {component}: {left} against {right}")
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sample, component, scale, quotient, derivative } = self;
        write!(
            f,
            "refuted at scale {scale}: {sample}, component {component}: a one-sided quotient {quotient} stays away from {derivative}"
        )
    }
}
