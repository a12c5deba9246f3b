//! The strategy `tape`, compared with the relations. They share only the numbers and op_r.

use super::reverse::twice;
use super::{NUMBERS, Outcome, STEPS, rational, same, shown};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::random::Random;
use crate::trace::compiled::Compiled;
use crate::trace::embed::Program;
use crate::trace::environment::Environment;
use crate::trace::term::Term;
use crate::trace::ty::Ty;
use crate::trace::value::Value;
use crate::verdict::Verdict;
use crate::wrong::TraceRules;

/// The lengths of a tape at which repetitions become loops: at once, and late. A choice that covers both ways.
const LONGEST: [u32; 2] = [0, 9];

/// Tests that programs, their first and their second derivatives have the same values by tape as by the relations. The
/// transposed derivative by a sweep is compared as well. Recursions are not limited.
pub fn tape_is_accumulated(random: Random, rules: &dyn TraceRules) -> Verdict {
    let sample = super::sample(random);
    let [first, second] = twice(&sample);
    let mut all = Verdict::Vacuous;
    for point in &sample.points {
        let rho = Environment::of(&sample.x, point.clone());
        let at = || format!("{} = {point} in {}", sample.x.name(), shown(&sample.term));
        let run = |term: &Term| rational(rules, &rho, term);
        let (value, slope) = (run(&sample.term), run(&first));
        for longest in LONGEST {
            let tape = |term: &Term, ty: &Ty| {
                let parameters = vec![(sample.x.clone(), sample.ty.clone())];
                let program = Program { parameters, term: term.clone(), ty: ty.clone(), places: Vec::new() };
                Compiled::of(&program).map(|compiled| compiled.keeping(longest))
            };
            // the compiled program takes the real components of its argument, in order
            let at_point: Vec<Rational> = point.reals().into_iter().cloned().collect();
            let by_tape = |term: &Term, ty: &Ty| {
                let found = tape(term, ty).and_then(|tape| tape.value(&NUMBERS, &budget(), &at_point));
                of_reals(ty, Outcome::of(found))
            };
            all = all.and(same(at, value.clone(), by_tape(&sample.term, &sample.codomain)));
            all = all.and(same(at, slope.clone(), by_tape(&first, &sample.ty)));
            all = all.and(same(at, run(&second), by_tape(&second, &sample.ty)));
            // the sweep takes the cotangent as numbers; it is a closed term, so it has a value at every point
            let Outcome::Defined(w) = run(&sample.cotangent) else { continue };
            let w: Vec<Rational> = w.reals().into_iter().cloned().collect();
            let swept = tape(&sample.term, &sample.codomain)
                .and_then(|tape| tape.reverse(&NUMBERS, &budget(), &at_point, &w))
                .map(|[_, found]| found);
            all = all.and(same(at, slope.clone(), of_reals(&sample.ty, Outcome::of(swept))));
        }
    }
    all
}

/// Returns the limit of steps of one run.
fn budget() -> Budget {
    Budget::new(STEPS, None, None)
}

/// Returns the numbers as a value of type `ty`. Too few numbers give the unit, which differs from any value of that
/// type.
fn of_reals(ty: &Ty, found: Outcome<Vec<Rational>>) -> Outcome<Value<Rational>> {
    found.map(|reals| Value::from_reals(ty, &mut reals.into_iter()).unwrap_or(Value::Unit))
}
