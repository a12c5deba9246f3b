//! Programs of the whole language, in the presheaf semantics and, as far as that goes, in partial maps.

use super::presheaf::collect_enclosures;
use crate::law::generate::{TermGenerator, TermVocabulary};
use crate::meaning::partial::PartialUniverse;
use crate::meaning::partial::hooks::PartialHooks;
use crate::meaning::presheaf::PresheafSemantics;
use crate::model::answer::Semantics;
use crate::model::universe::EvaluatorModel;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Mpfr, Rational};
use crate::random::SplitMix64;
use crate::syntax::ty::Ty;
use crate::value::Value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The size of a program, in heads. A choice.
const PROGRAM_SIZE: usize = 14;

/// Tests closed programs of type `Real` with functions, data, kinks and edges. Where a program is defined by value it
/// is defined by name, and the enclosures meet.
pub fn language_below_presheaves(mut random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    let vocabulary =
        *random.pick(&[TermVocabulary::Full, TermVocabulary::Total, TermVocabulary::Derivable, TermVocabulary::Smooth]);
    let mut generator = TermGenerator::with_vocabulary(random, vocabulary);
    let term = match vocabulary {
        // full programs get a derivative at the root, where kinks and edges matter most
        TermVocabulary::Full => generator.draw_derivative(1, PROGRAM_SIZE),
        _ => generator.draw_term(&Ty::real(), PROGRAM_SIZE),
    };
    let Some(program) = term.to_core() else { return Verdict::Vacuous };
    let context = Mpfr::new(256);
    let budget = || Arc::new(Budget::new(1_000_000, None, None));
    let model = EvaluatorModel::new(PartialUniverse::new(context, budget()).with_hooks(rules.clone()));
    let Ok(Value::Real(found)) = model.evaluate_closed(&program) else { return Verdict::Vacuous };
    let (by_value, asked) = (context.to_enclosure(&found.value_in(&context)), budget());
    let Ok(answer) = PresheafSemantics.evaluate(&program, &Ty::real(), &Rational::from((1, 1_000_000)), &asked) else {
        return Verdict::Vacuous;
    };
    let mut numbers = Vec::new();
    collect_enclosures(&answer.value, &mut numbers);
    match &numbers[..] {
        [by_name] if by_name.is_defined() && by_name.overlaps(&by_value) => Verdict::Survived,
        // presheaves ran out of work: no claim
        [by_name] if !by_name.is_defined() && asked.was_exhausted() => Verdict::Vacuous,
        _ => Verdict::refuted(&term, format!("{by_value}"), format!("{numbers:?}")),
    }
}
