//! Masses that are as accurate as is asked, however small they are, and their logarithms.
//!
//! An accuracy may be relative to a number of which nothing is known at first. A mass is asked for to a width; while it may be 0, the next width is
//! the product of this one and of what the mass is at most, so that its exponent about doubles; when its size is known, the width is a part of it.
//!
//! The logarithm of a mass between a and b > 0 lies between log a and log b. Its width is about the relative width of the mass. Where a is not shown to
//! be positive it has no lower end.

use super::range::BITS;
use super::{Answer, Fault, Model, Question, to_accuracy};
use crate::number::budget::Budget;
use crate::number::context::{Context, Function};
use crate::number::{Accuracy, Enclosure, Mpfr, Rational};
use crate::syntax::term::Term;
use std::sync::Arc;

/// To which width a number is asked for at first.
const FIRST: u32 = 1_000_000;
/// By how much finer it is asked for at least, as a power of two.
const FINER: u32 = 4;
/// How often the logarithm of a mass is asked for more finely.
const ROUNDS: u32 = 3;

/// The mass of a program that samples, or a derivative of it in the parameter, to an accuracy; the width of the question is not looked at.
///
/// # Errors
/// [`Fault`]
pub fn evidence(
    program: &Term,
    takes_parameter: bool,
    question: &Question,
    accuracy: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<Answer, Fault> {
    to_accuracy(&Model::new(program, takes_parameter, None), question, accuracy, budget)
}

/// The mean of a function of what a program gives, or a derivative of it in the parameter, to an accuracy; the width of the question is not looked
/// at.
///
/// # Errors
/// [`Fault`]
pub fn expectation(
    program: &Term,
    takes_parameter: bool,
    of: &Term,
    question: &Question,
    accuracy: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<Answer, Fault> {
    to_accuracy(&Model::new(program, takes_parameter, Some(of)), question, accuracy, budget)
}

/// The logarithm of the mass of a program that samples, to an accuracy of the logarithm; without a lower end where the mass is not shown to be
/// positive.
///
/// # Errors
/// [`Fault`]; [`Fault::NoMass`] where the mass is 0.
pub fn log_evidence(
    program: &Term,
    takes_parameter: bool,
    question: &Question,
    accuracy: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<Answer, Fault> {
    let mut relative = accuracy.finest().min(Rational::from((1, 2)));
    let mut round = 1;
    loop {
        let own = Accuracy::relative(Rational::from(&relative / 2));
        let mut answer = evidence(program, takes_parameter, question, &own, budget)?;
        answer.enclosure = logarithm(&answer.enclosure, &own)?;
        let found = &answer.enclosure;
        if accuracy.admits(found) || !found.is_bounded() || round == ROUNDS || budget.is_exhausted() {
            return Ok(answer);
        }
        relative = accuracy.width_for(found).min(relative / 16);
        round += 1;
    }
}

/// The logarithm of a mass.
fn logarithm(mass: &Enclosure, accuracy: &Accuracy) -> Result<Enclosure, Fault> {
    if !mass.is_defined() || mass.hi().is_nan() {
        return Ok(Enclosure::bottom());
    }
    if *mass.hi() <= 0 {
        return Err(Fault::NoMass);
    }
    let context = Mpfr::new(BITS + accuracy.bits());
    let log = |end: Enclosure| context.to_enclosure(&context.function(Function::Log, &context.enclosure(&end)));
    let [lo, hi] = [mass.lo(), mass.hi()].map(|end| Enclosure::new(end.clone(), end.clone(), true));
    let lowest = || Enclosure::bottom().lo().clone();
    let lo = match lo {
        Ok(lo) if *mass.lo() > 0 => log(lo).lo().clone(),
        _ => lowest(),
    };
    let hi = match hi {
        Ok(hi) if mass.hi().is_finite() => log(hi).hi().clone(),
        _ => Enclosure::bottom().hi().clone(),
    };
    Ok(Enclosure::new(lo, hi, true).unwrap_or_else(|_| Enclosure::bottom()))
}

/// The width to which is asked at first.
pub(super) fn first(accuracy: &Accuracy) -> Rational {
    accuracy.eps().cloned().unwrap_or_else(|| Rational::from((1, FIRST)))
}

/// Whether a number is accurate enough.
pub(super) fn is_enough(accuracy: &Accuracy, found: &Enclosure) -> bool {
    accuracy.eps().is_some_and(|eps| found.is_within(eps)) || accuracy.is_relative() && accuracy.admits(found)
}

/// The width to which is asked next, of a number that was found to a width.
pub(super) fn finer(accuracy: &Accuracy, found: &Enclosure, eps: &Rational) -> Rational {
    let aim = accuracy.aim(found) / 2u32;
    let largest = found.lo().to_rational().map(Rational::abs).into_iter().chain(found.hi().to_rational()).max();
    let product = largest.filter(|most| *most > 0 && found.contains(&Rational::new())).map(|most| most * eps);
    let next = product.map_or_else(|| aim.clone(), |product| product.min(aim.clone()));
    next.min(Rational::from(eps >> FINER))
}
