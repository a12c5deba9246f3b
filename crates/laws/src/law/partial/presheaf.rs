//! Comparison of partial maps with presheaves.

use super::{Point, at_points, denoted, shown, with_derivative};
use crate::law::trace::Outcome;
use crate::law::trace::generate::Shape;
use crate::meaning::partial::hooks::Hooks;
use crate::model::answer::{Meaning, Number};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::random::Random;
use crate::syntax::source::Span;
use crate::syntax::term as program;
use crate::trace::printer::in_language;
use crate::trace::value::Value;
use crate::value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// Tests programs without recursion: where the call-by-value semantics is defined, the presheaf semantics has the same
/// value.
pub fn below_presheaves(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    at_points(random, |sample, point| {
        // presheaves have no value recursion of this kind, so only plain programs are compared
        if sample.shape != Shape::Plain {
            return Verdict::Vacuous;
        }
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            let Outcome::Defined(exact) = denoted(rules, None, sample, &term, point) else { continue };
            let function = in_language(&[(sample.x.clone(), sample.ty.clone())], &term);
            let closed = program::Term::apply(function, literal(point), Span::default());
            let budget = Arc::new(Budget::new(2_000_000, None, None));
            let eps = Rational::from((1, 1_000_000));
            let ty = sample.ty.in_language();
            let Ok(answer) = crate::meaning::presheaf::Presheaf.answer(&closed, &ty, &eps, &budget) else { continue };
            let mut numbers = Vec::new();
            enclosures(&answer.value, &mut numbers);
            let holds = |(found, exact): (&Enclosure, &&Rational)| found.is_defined() && found.contains(exact);
            let fits = numbers.iter().zip(&exact.reals()).all(holds) && numbers.len() == exact.reals().len();
            all = all.and(match fits {
                // a run that was cut short may have given up before it found a value
                _ if budget.is_cut() => Verdict::Vacuous,
                true => Verdict::Survived,
                false => Verdict::refuted(shown(sample, &term, point), format!("{numbers:?}"), &exact),
            });
        }
        all
    })
}

/// Returns a point as a program.
fn literal(point: &Point) -> program::Term {
    let term = |kind| program::Term::new(kind, Span::default());
    term(match point {
        Value::Real(q) => program::TermKind::Real(q.clone()),
        Value::Unit => program::TermKind::Unit,
        Value::Pair(parts) => program::TermKind::Tuple(vec![literal(&parts.0), literal(&parts.1)]),
    })
}

/// Collects the enclosures of the numbers in a value, from left to right.
pub(super) fn enclosures(value: &value::Value<Number>, found: &mut Vec<Enclosure>) {
    match value {
        value::Value::Real(Number::Enclosure(answer)) => found.push(answer.enclosure.clone()),
        other => other.parts().for_each(|part| enclosures(part, found)),
    }
}
