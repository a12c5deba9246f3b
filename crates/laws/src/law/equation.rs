//! Equality of two programs as a law: `left ~ right` holds if their enclosures overlap at every tolerance.

use super::property::Property;
use super::term::TestTerm;
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::Graph;
use crate::syntax::library::Library;
use crate::syntax::source::Span;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use std::sync::Arc;
use std::time::Duration;

/// The tolerances. A survivor reaches the first one; the second is attempted for a sharper comparison. A choice.
const TOLERANCES: [(i64, i64); 2] = [(1, 1_000), (1, 1_000_000_000)];
/// The time limit for one side at one tolerance. A choice: vacuous verdicts against long runs.
const SIDE_TIME_LIMIT: Duration = Duration::from_millis(200);

/// Two closed programs of the same type `T₁ -> … -> Tₙ -> R`, where R consists of real numbers and tuples: a law over
/// their arguments.
#[derive(Clone, Debug)]
pub struct ProgramEquation {
    left: Core,
    right: Core,
    binders: Vec<Ty>,
}

impl ProgramEquation {
    /// Makes the law `left ~ right` over the first `binders` arguments of both sides.
    ///
    /// # Errors
    /// Returns a message if a side has no type, if the types differ, or if there are fewer than `binders` arguments.
    pub fn new(library: &Library, binders: usize, left: &str, right: &str) -> Result<Self, String> {
        let infer = |text: &str| library.infer_expression(text).map_err(|e| format!("{text}: {e}"));
        let ((left, ty), (right, other)) = (infer(left)?, infer(right)?);
        if ty != other {
            return Err(format!("the sides have different types: {ty}, and {other}"));
        }
        let mut rest = ty.clone();
        let mut types = Vec::with_capacity(binders);
        for _ in 0..binders {
            let TyKind::Function(domain, codomain) = rest.kind() else {
                return Err(format!("expected {binders} arguments, found the type {ty}"));
            };
            types.push(domain.clone());
            rest = codomain.clone();
        }
        Ok(Self { left, right, binders: types })
    }

    /// Returns the law as a property that can be tested.
    #[must_use]
    pub fn as_property(&self) -> Property {
        let this = self.clone();
        Property::new(self.binders.clone(), move |terms| this.check_at(terms))
    }

    /// Returns the verdict on these arguments. Vacuous if an argument is not closed or a side has no value.
    pub fn check_at(&self, arguments: &[TestTerm]) -> Verdict {
        let cores: Option<Vec<Core>> = arguments.iter().map(TestTerm::to_core).collect();
        let Some(cores) = cores else { return Verdict::Vacuous };
        let [left, right] = [&self.left, &self.right]
            .map(|side| cores.iter().fold(side.clone(), |f, x| Core::apply(f, x.clone(), Span::default())));
        let mut verdict = Verdict::Vacuous;
        for (index, tolerance) in TOLERANCES.into_iter().map(Rational::from).enumerate() {
            let (Some(left), Some(right)) = (enclose_numbers(&left, &tolerance), enclose_numbers(&right, &tolerance))
            else {
                break;
            };
            let mut reached = !left.is_empty();
            // an undefined enclosure says nothing about the value, so only two defined ones can refute
            for ((left, known), (right, also_known)) in left.iter().zip(&right) {
                if left.is_defined() && right.is_defined() && !left.overlaps(right) {
                    let witness: Vec<String> = arguments.iter().map(TestTerm::to_string).collect();
                    return Verdict::refuted(witness.join(", "), left, right);
                }
                reached &= *known && *also_known;
            }
            // a survivor must reach the first tolerance; the second one may only refute
            match (index, reached) {
                (0, true) => verdict = Verdict::Survived,
                (0, false) => break,
                _ => {}
            }
        }
        verdict
    }
}

/// Encloses the numbers of a program, each with `true` if it is as narrow as asked. Returns `None` if a number is not
/// enclosed or the value has other parts.
fn enclose_numbers(term: &Core, tolerance: &Rational) -> Option<Vec<(Enclosure, bool)>> {
    let budget = Arc::new(Budget::with_time_limit(SIDE_TIME_LIMIT));
    let element = PresheafInterpreter::new(budget.clone()).interpret_program(term).ok()?;
    let mut found = Vec::new();
    for graph in real_components(&element)? {
        let answer = graph.to_real().ok()?.enclose(tolerance, &budget).ok()?;
        found.push((answer.enclosure, answer.reached));
    }
    Some(found)
}

/// Returns the numbers that an element consists of. Returns `None` if it has other parts.
fn real_components(element: &Element) -> Option<Vec<Graph>> {
    match element {
        Element::Real(graph) => Some(vec![graph.clone()]),
        Element::Unit => Some(Vec::new()),
        Element::Tuple(parts) => {
            let all: Option<Vec<_>> = parts.iter().map(real_components).collect();
            all.map(|all| all.concat())
        }
        _ => None,
    }
}
