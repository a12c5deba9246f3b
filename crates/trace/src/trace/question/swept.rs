//! Questions for values and derivatives by the strategy `tape`, which writes no trace.

use super::{PrecisionAttempt, TraceQuestion, first_sufficient};
use crate::number::budget::Budget;
use crate::number::{Context, Enclosure, Rational};
use crate::trace::compiled::CompiledProgram;
use crate::trace::embed::CoreProgram;
use crate::trace::error::TraceError;
use crate::trace::number::{CertifiedReals, Doubles, NumberSystem, Rationals};
use crate::trace::ty::CoreTy;
use crate::trace::value::CoreValue;

/// A value, with derivatives by a tape.
#[derive(Clone, Debug)]
pub struct TapeAnswer<R> {
    /// The value.
    pub value: CoreValue<R>,
    /// For each number of the value, its derivative in the parameter, a value of the parameter's type. Empty if none is
    /// wanted.
    pub reverse: Vec<CoreValue<R>>,
}

/// Evaluates a program at a point by the strategy `tape`. If `reverse` is set and the program is a function, also
/// returns the derivatives, by one sweep for each number of the value. Enclosures wider than `eps` are computed again
/// at a higher precision, as far as time allows.
///
/// # Errors
/// As [`ask`](super::trace_with_region); [`TraceError::LimitedRecursion`] for a limited recursion.
pub fn evaluate_by_tape(
    question: &TraceQuestion,
    reverse: bool,
    eps: &Rational,
) -> Result<TapeAnswer<Enclosure>, TraceError> {
    first_sufficient(
        &TapeAttempt { sweep: CompiledQuestion::compile_question(question, reverse)?, budget: question.budget, eps },
        question.budget,
    )
}

/// Like [`evaluate_by_tape`], on doubles, without certainty.
///
/// # Errors
/// As [`evaluate_by_tape`].
pub fn evaluate_by_tape_in_doubles(question: &TraceQuestion, reverse: bool) -> Result<TapeAnswer<f64>, TraceError> {
    CompiledQuestion::compile_question(question, reverse)?.evaluate_on(&Doubles, question.budget)
}

/// A compiled question.
struct CompiledQuestion<'q> {
    program: &'q CoreProgram,
    compiled: CompiledProgram,
    point: Option<CompiledProgram>,
    reverse: bool,
}

impl<'q> CompiledQuestion<'q> {
    fn compile_question(question: &TraceQuestion<'q>, reverse: bool) -> Result<Self, TraceError> {
        let program = question.program;
        let compiled = CompiledProgram::from_program(program)?;
        Ok(CompiledQuestion {
            program,
            compiled,
            point: question.point.map(CompiledProgram::from_program).transpose()?,
            reverse,
        })
    }

    fn evaluate_on<N: NumberSystem>(&self, numbers: &N, budget: &Budget) -> Result<TapeAnswer<N::Number>, TraceError> {
        let point = self.point.as_ref().map_or_else(|| Ok(Vec::new()), |point| point.value_at(numbers, budget, &[]))?;
        let stuck = || TraceError::Stuck { construct: "a value" };
        let of =
            |ty: &CoreTy, reals: Vec<N::Number>| CoreValue::from_reals(ty, &mut reals.into_iter()).ok_or_else(stuck);
        let [zero, one] = [0, 1].map(|n| numbers.represent_rational(&Rational::from(n)));
        let outputs = self.compiled.output_count();
        // Without outputs there is no sweep, and the plain run below gives the value.
        if let ([(_, ty)], true, 1..) = (&self.program.parameters[..], self.reverse, outputs) {
            let unit = |index| (0..outputs).map(|i| if i == index { one.clone() } else { zero.clone() }).collect();
            let (mut values, mut reverse) = (Vec::new(), Vec::new());
            for index in 0..outputs {
                let cotangent: Vec<N::Number> = unit(index);
                let [value, row] = self.compiled.pull_back_at(numbers, budget, &point, &cotangent)?;
                values = value;
                reverse.push(of(ty, row)?);
            }
            return Ok(TapeAnswer { value: of(&self.program.ty, values)?, reverse });
        }
        let value = of(&self.program.ty, self.compiled.value_at(numbers, budget, &point)?)?;
        Ok(TapeAnswer { value, reverse: Vec::new() })
    }
}

struct TapeAttempt<'q> {
    sweep: CompiledQuestion<'q>,
    budget: &'q Budget,
    eps: &'q Rational,
}

impl PrecisionAttempt for TapeAttempt<'_> {
    type Answer = TapeAnswer<Enclosure>;

    fn run_at<C: Context>(&self, context: C) -> Result<Self::Answer, TraceError> {
        let numbers = CertifiedReals(context);
        let found = self.sweep.evaluate_on(&numbers, self.budget)?;
        let told = |value: &CoreValue<C::Num>| value.map(&mut |x| numbers.0.to_enclosure(x));
        Ok(TapeAnswer { value: told(&found.value), reverse: found.reverse.iter().map(told).collect() })
    }

    fn is_sufficient(&self, answer: &Self::Answer) -> bool {
        let all = std::iter::once(&answer.value).chain(&answer.reverse);
        all.flat_map(CoreValue::real_components).all(|enclosure| enclosure.has_width_at_most(self.eps))
    }

    fn run_exactly(&self) -> Option<TraceError> {
        self.sweep.evaluate_on(&Rationals::default(), self.budget).err()
    }
}
