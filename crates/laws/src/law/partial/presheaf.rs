//! Comparison of partial maps with presheaves.

use super::{RationalPoint, check_at_points, denote_program, describe_case, with_derivative};
use crate::law::trace::RunOutcome;
use crate::law::trace::generate::ProgramShape;
use crate::meaning::partial::hooks::PartialHooks;
use crate::model::answer::{AnswerNumber, Semantics};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::random::SplitMix64;
use crate::syntax::source::Span;
use crate::syntax::term as program;
use crate::trace::printer::to_language_program;
use crate::trace::value::CoreValue;
use crate::value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// Tests programs without recursion: where the call-by-value semantics is defined, the presheaf semantics has the same
/// value.
pub fn below_presheaves(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_at_points(random, |sample, point| {
        // presheaves have no value recursion of this kind, so only plain programs are compared
        if sample.shape != ProgramShape::Plain {
            return Verdict::Vacuous;
        }
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            let RunOutcome::Defined(exact) = denote_program(rules, None, sample, &term, point) else { continue };
            let function = to_language_program(&[(sample.x.clone(), sample.ty.clone())], &term);
            let closed = program::Term::apply(function, point_literal(point), Span::default());
            let budget = Arc::new(Budget::new(2_000_000, None, None));
            let eps = Rational::from((1, 1_000_000));
            let ty = sample.ty.to_language_type();
            let Ok(answer) = crate::meaning::presheaf::PresheafSemantics.evaluate(&closed, &ty, &eps, &budget) else {
                continue;
            };
            let mut numbers = Vec::new();
            collect_enclosures(&answer.value, &mut numbers);
            let holds = |(found, exact): (&Enclosure, &&Rational)| found.is_defined() && found.contains(exact);
            let fits = numbers.iter().zip(&exact.real_components()).all(holds)
                && numbers.len() == exact.real_components().len();
            all = all.and(match fits {
                // a run that was cut short may have given up before it found a value
                _ if budget.was_exhausted() => Verdict::Vacuous,
                true => Verdict::Survived,
                false => Verdict::refuted(describe_case(sample, &term, point), format!("{numbers:?}"), &exact),
            });
        }
        all
    })
}

/// Returns a point as a program.
fn point_literal(point: &RationalPoint) -> program::Term {
    let term = |kind| program::Term::new(kind, Span::default());
    term(match point {
        CoreValue::Real(q) => program::TermKind::Real(q.clone()),
        CoreValue::Unit => program::TermKind::Unit,
        CoreValue::Pair(parts) => program::TermKind::Tuple(vec![point_literal(&parts.0), point_literal(&parts.1)]),
    })
}

/// Collects the enclosures of the numbers in a value, from left to right.
pub(super) fn collect_enclosures(value: &value::Value<AnswerNumber>, found: &mut Vec<Enclosure>) {
    match value {
        value::Value::Real(AnswerNumber::Enclosure(answer)) => found.push(answer.enclosure.clone()),
        other => other.direct_parts().for_each(|part| collect_enclosures(part, found)),
    }
}
