//! The strategy `tape`, compared with the relations. They share only the numbers and op_r.

use super::reverse::two_derivatives;
use super::{MAX_STEPS, NUMBERS, RunOutcome, kleene_equal, print_shortened, run_rational};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::random::SplitMix64;
use crate::trace::compiled::CompiledProgram;
use crate::trace::embed::CoreProgram;
use crate::trace::environment::CoreEnvironment;
use crate::trace::term::CoreTerm;
use crate::trace::ty::CoreTy;
use crate::trace::value::CoreValue;
use crate::verdict::Verdict;
use crate::wrong::TraceMutationHooks;

/// The lengths of a tape at which repetitions become loops: at once, and late. A choice that covers both ways.
const TAPE_LENGTHS: [u32; 2] = [0, 9];

/// Tests that programs, their first and their second derivatives have the same values by tape as by the relations. The
/// transposed derivative by a sweep is compared as well. Recursions are not limited.
pub fn tape_is_accumulated(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let sample = super::draw_sample(random);
    let [first, second] = two_derivatives(&sample);
    let mut all = Verdict::Vacuous;
    for point in &sample.points {
        let rho = CoreEnvironment::of_variable(&sample.x, point.clone());
        let at = || format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term));
        let run = |term: &CoreTerm| run_rational(rules, &rho, term);
        let (value, slope) = (run(&sample.term), run(&first));
        for longest in TAPE_LENGTHS {
            let tape = |term: &CoreTerm, ty: &CoreTy| {
                let parameters = vec![(sample.x.clone(), sample.ty.clone())];
                let program = CoreProgram { parameters, term: term.clone(), ty: ty.clone(), positions: Vec::new() };
                CompiledProgram::from_program(&program).map(|compiled| compiled.with_tape_limit(longest))
            };
            // the compiled program takes the real components of its argument, in order
            let at_point: Vec<Rational> = point.real_components().into_iter().cloned().collect();
            let by_tape = |term: &CoreTerm, ty: &CoreTy| {
                let found = tape(term, ty).and_then(|tape| tape.value_at(&NUMBERS, &step_budget(), &at_point));
                value_from_reals(ty, RunOutcome::from_result(found))
            };
            all = all.and(kleene_equal(at, value.clone(), by_tape(&sample.term, &sample.codomain)));
            all = all.and(kleene_equal(at, slope.clone(), by_tape(&first, &sample.ty)));
            all = all.and(kleene_equal(at, run(&second), by_tape(&second, &sample.ty)));
            // the sweep takes the cotangent as numbers; it is a closed term, so it has a value at every point
            let RunOutcome::Defined(w) = run(&sample.cotangent) else { continue };
            let w: Vec<Rational> = w.real_components().into_iter().cloned().collect();
            let swept = tape(&sample.term, &sample.codomain)
                .and_then(|tape| tape.pull_back_at(&NUMBERS, &step_budget(), &at_point, &w))
                .map(|[_, found]| found);
            all =
                all.and(kleene_equal(at, slope.clone(), value_from_reals(&sample.ty, RunOutcome::from_result(swept))));
        }
    }
    all
}

/// Returns the limit of steps of one run.
fn step_budget() -> Budget {
    Budget::new(MAX_STEPS, None, None)
}

/// Returns the numbers as a value of type `ty`. Too few numbers give the unit, which differs from any value of that
/// type.
fn value_from_reals(ty: &CoreTy, found: RunOutcome<Vec<Rational>>) -> RunOutcome<CoreValue<Rational>> {
    found.map(|reals| CoreValue::from_reals(ty, &mut reals.into_iter()).unwrap_or(CoreValue::Unit))
}
