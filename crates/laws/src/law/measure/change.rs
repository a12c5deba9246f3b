//! Changes of variables: the density over 𝒥 keeps the mass of the original.

use super::{ProgramReader, QUESTION_TIME};
use crate::measure::change::mass::{masses_by_chart, total_mass};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::random::SplitMix64;
use crate::verdict::Verdict;
use crate::wrong::MeasureMutationHooks;
use std::sync::Arc;

/// Draws a program, and a piecewise affine map of its values.
fn draw_program_and_map(random: &mut SplitMix64) -> (&'static str, String) {
    let mut number = |from: i64, count: usize| from + random.next_below(count) as i64;
    let (a, b, c, d) = (number(2, 3), number(1, 4), number(-2, 6), number(-2, 6));
    let choice = |guard: &str, map: &str| format!("\\(p : Real * Real) => if {guard} then {map} else p");
    match number(0, 3) {
        // the map is (a t, b t) on the diagonal, but its Jacobian off the diagonal depends on c and d
        0 => (
            "do { t <- sample (uniformOn 0 1); return (t, t) }",
            choice("p[0] == p[1]", &format!("({c} * p[0] + {} * p[1], {d} * p[0] + {} * p[1])", a - c, b - d)),
        ),
        // the unit circle, mapped to an ellipse: a support of dimension 1 in the plane
        1 => (
            "do { t <- sample (uniformOn 0 (2 * pi)); return (cos t, sin t) }",
            choice("p[0]^2 + p[1]^2 == 1", &format!("({a} * p[0], {b} * p[1])")),
        ),
        _ => (
            "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); return (x, y) }",
            choice("p[0] + p[1] > 1", &format!("({a} * p[0] + {c} * p[1] + 9, {b} * p[1])")),
        ),
    }
}

/// Tests that **masses are kept** (W22): ∫ ρ/𝒥 over the image is ∫ ρ.
pub(super) fn masses_are_kept(
    mut random: SplitMix64,
    read: ProgramReader<'_>,
    rules: &'static dyn MeasureMutationHooks,
) -> Verdict {
    let (program, map) = draw_program_and_map(&mut random);
    let told = || format!("{program} through {map}");
    let Some((term, of)) = read(program).zip(read(&map)) else {
        return Verdict::refuted(told(), "a program and a map", "none");
    };
    let (budget, eps) = (Arc::new(Budget::with_time_limit(QUESTION_TIME)), Rational::from((1, 1000)));
    let support = rules.support_of_map(&term, &of, &budget);
    let found = support.and_then(|support| masses_by_chart(&support, &eps, &budget));
    match found {
        Ok(found) => {
            let [before, after] = [0, 1].map(|i| total_mass(found.iter().map(|both| both[i].clone())));
            match before.intersection(&after) {
                None => Verdict::refuted(told(), before, after),
                // two unbounded masses always meet, so they claim nothing
                Some(both) if both.is_defined() && before.is_bounded() && after.is_bounded() => Verdict::Survived,
                Some(_) => Verdict::Vacuous,
            }
        }
        Err(fault) => Verdict::refuted(told(), "a mass", fault),
    }
}
