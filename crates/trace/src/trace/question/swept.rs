//! Questions for values and derivatives by the strategy `tape`, which writes no trace.

use super::{Attempt, Question, decided};
use crate::number::budget::Budget;
use crate::number::{Context, Enclosure, Rational};
use crate::trace::compiled::Compiled;
use crate::trace::embed::Program;
use crate::trace::error::Obstacle;
use crate::trace::number::{Certified, Doubles, Numbers, Rationals};
use crate::trace::ty::Ty;
use crate::trace::value::Value;

/// A value, with derivatives by a tape.
#[derive(Clone, Debug)]
pub struct Swept<R> {
    /// The value.
    pub value: Value<R>,
    /// For each number of the value, its derivative in the parameter, a value of the parameter's type. Empty if none is
    /// wanted.
    pub reverse: Vec<Value<R>>,
}

/// Evaluates a program at a point by the strategy `tape`. If `reverse` is set and the program is a function, also
/// returns the derivatives, by one sweep for each number of the value. Enclosures wider than `eps` are computed again
/// at a higher precision, as far as time allows.
///
/// # Errors
/// As [`ask`](super::ask); [`Obstacle::Limited`] for a limited recursion.
pub fn swept(question: &Question, reverse: bool, eps: &Rational) -> Result<Swept<Enclosure>, Obstacle> {
    decided(&Sweeping { sweep: Sweep::of(question, reverse)?, budget: question.budget, eps }, question.budget)
}

/// Like [`swept`], on doubles, without certainty.
///
/// # Errors
/// As [`swept`].
pub fn swept_in_doubles(question: &Question, reverse: bool) -> Result<Swept<f64>, Obstacle> {
    Sweep::of(question, reverse)?.on(&Doubles, question.budget)
}

/// A compiled question.
struct Sweep<'q> {
    program: &'q Program,
    compiled: Compiled,
    point: Option<Compiled>,
    reverse: bool,
}

impl<'q> Sweep<'q> {
    fn of(question: &Question<'q>, reverse: bool) -> Result<Self, Obstacle> {
        let program = question.program;
        let compiled = Compiled::of(program)?;
        Ok(Sweep { program, compiled, point: question.point.map(Compiled::of).transpose()?, reverse })
    }

    fn on<N: Numbers>(&self, numbers: &N, budget: &Budget) -> Result<Swept<N::Number>, Obstacle> {
        let point = self.point.as_ref().map_or_else(|| Ok(Vec::new()), |point| point.value(numbers, budget, &[]))?;
        let stuck = || Obstacle::Stuck { construct: "a value" };
        let of = |ty: &Ty, reals: Vec<N::Number>| Value::from_reals(ty, &mut reals.into_iter()).ok_or_else(stuck);
        let [zero, one] = [0, 1].map(|n| numbers.rational(&Rational::from(n)));
        let outputs = self.compiled.outputs();
        // Without outputs there is no sweep, and the plain run below gives the value.
        if let ([(_, ty)], true, 1..) = (&self.program.parameters[..], self.reverse, outputs) {
            let unit = |index| (0..outputs).map(|i| if i == index { one.clone() } else { zero.clone() }).collect();
            let (mut values, mut reverse) = (Vec::new(), Vec::new());
            for index in 0..outputs {
                let cotangent: Vec<N::Number> = unit(index);
                let [value, row] = self.compiled.reverse(numbers, budget, &point, &cotangent)?;
                values = value;
                reverse.push(of(ty, row)?);
            }
            return Ok(Swept { value: of(&self.program.ty, values)?, reverse });
        }
        let value = of(&self.program.ty, self.compiled.value(numbers, budget, &point)?)?;
        Ok(Swept { value, reverse: Vec::new() })
    }
}

struct Sweeping<'q> {
    sweep: Sweep<'q>,
    budget: &'q Budget,
    eps: &'q Rational,
}

impl Attempt for Sweeping<'_> {
    type Answer = Swept<Enclosure>;

    fn at<C: Context>(&self, context: C) -> Result<Self::Answer, Obstacle> {
        let numbers = Certified(context);
        let found = self.sweep.on(&numbers, self.budget)?;
        let told = |value: &Value<C::Num>| value.map(&mut |x| numbers.0.to_enclosure(x));
        Ok(Swept { value: told(&found.value), reverse: found.reverse.iter().map(told).collect() })
    }

    fn is_enough(&self, answer: &Self::Answer) -> bool {
        let all = std::iter::once(&answer.value).chain(&answer.reverse);
        all.flat_map(Value::reals).all(|enclosure| enclosure.is_within(self.eps))
    }

    fn exactly(&self) -> Option<Obstacle> {
        self.sweep.on(&Rationals::default(), self.budget).err()
    }
}
