//! The source transformation, which writes programs without `rd`.

use super::reverse::two_derivatives;
use super::{RunOutcome, draw_sample};
use super::{kleene_equal, print_shortened, run_rational};
use crate::random::SplitMix64;
use crate::trace::environment::CoreEnvironment;
use crate::trace::hooks::DefaultTraceHooks;
use crate::trace::source::eliminate_reverse_with;
use crate::trace::term::{CoreTerm, CoreTermKind};
use crate::trace::tidy::simplify_program;
use crate::trace::typing::{CoreVariableTypes, FunctionTypes, type_of};
use crate::verdict::Verdict;
use crate::wrong::TraceMutationHooks;

/// Tests programs and their first and second derivatives, written out. They have no `rd`, they have the right types,
/// and their values are those of the relations; so are those of the simplified programs. Recursions are not limited.
pub fn source_is_accumulated(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let sample = draw_sample(random);
    let parameters = [(sample.x.clone(), sample.ty.clone())];
    let [first, second] = two_derivatives(&sample);
    let mut all = Verdict::Vacuous;
    for (term, ty) in [(&sample.term, &sample.codomain), (&first, &sample.ty), (&second, &sample.ty)] {
        let RunOutcome::Defined(written) = RunOutcome::from_result(eliminate_reverse_with(rules, &parameters, term))
        else {
            continue;
        };
        // simplification must succeed on every program that was written out
        let RunOutcome::Defined(tidied) = RunOutcome::from_result(simplify_program(&parameters, &written)) else {
            return Verdict::refuted("in fewer words", print_shortened(&written), "nothing");
        };
        for program in [&written, &tidied] {
            let variables = CoreVariableTypes::default().with_entry(&sample.x, sample.ty.clone());
            let found = type_of(&FunctionTypes::default(), &variables, program);
            if found.as_ref() != Ok(ty) || has_reverse(program) {
                return Verdict::refuted(print_shortened(program), format!("{found:?}"), ty.to_string());
            }
            for point in &sample.points {
                let rho = CoreEnvironment::of_variable(&sample.x, point.clone());
                let at = || format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term));
                all = all.and(kleene_equal(
                    at,
                    run_rational(&DefaultTraceHooks, &rho, term),
                    run_rational(&DefaultTraceHooks, &rho, program),
                ));
            }
        }
    }
    all
}

/// Returns `true` if a reverse derivative occurs in the term.
fn has_reverse(term: &CoreTerm) -> bool {
    let mut found = matches!(term.kind(), CoreTermKind::Reverse { .. });
    term.kind().for_each_child(|part| found = found || crate::stack::with_stack(|| has_reverse(part)));
    found
}
