//! Programs of the whole language, in the presheaf semantics and, as far as that goes, in partial maps.

use super::presheaf::enclosures;
use crate::law::generate::{Generator, Vocabulary};
use crate::meaning::partial::Partial;
use crate::meaning::partial::hooks::Hooks;
use crate::meaning::presheaf::Presheaf;
use crate::model::answer::Meaning;
use crate::model::universe::Evaluator;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Mpfr, Rational};
use crate::random::Random;
use crate::syntax::ty::Ty;
use crate::value::Value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The size of a program, in heads. A choice.
const SIZE: usize = 14;

/// Tests closed programs of type `Real` with functions, data, kinks and edges. Where a program is defined by value it
/// is defined by name, and the enclosures meet.
pub fn language_below_presheaves(mut random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let vocabulary = *random.pick(&[Vocabulary::Full, Vocabulary::Total, Vocabulary::Derivable, Vocabulary::Smooth]);
    let mut generator = Generator::within(random, vocabulary);
    let term = match vocabulary {
        // full programs get a derivative at the root, where kinks and edges matter most
        Vocabulary::Full => generator.derivative(1, SIZE),
        _ => generator.term(&Ty::real(), SIZE),
    };
    let Some(program) = term.core() else { return Verdict::Vacuous };
    let context = Mpfr::new(256);
    let budget = || Arc::new(Budget::new(1_000_000, None, None));
    let model = Evaluator::new(Partial::new(context, budget()).under(rules.clone()));
    let Ok(Value::Real(found)) = model.value(&program) else { return Verdict::Vacuous };
    let (by_value, asked) = (context.to_enclosure(&found.value(&context)), budget());
    let Ok(answer) = Presheaf.answer(&program, &Ty::real(), &Rational::from((1, 1_000_000)), &asked) else {
        return Verdict::Vacuous;
    };
    let mut numbers = Vec::new();
    enclosures(&answer.value, &mut numbers);
    match &numbers[..] {
        [by_name] if by_name.is_defined() && by_name.overlaps(&by_value) => Verdict::Survived,
        // presheaves ran out of work: no claim
        [by_name] if !by_name.is_defined() && asked.is_cut() => Verdict::Vacuous,
        _ => Verdict::refuted(&term, format!("{by_value}"), format!("{numbers:?}")),
    }
}
