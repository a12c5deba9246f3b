//! The predicate Q_τ by which H proves Proposition 2, on functions ℝⁿ → ⟦τ⟧ (H18, E32).
//!
//! | at | f is in Q_τ where |
//! |---|---|
//! | `Real` | f is smooth |
//! | tuples | each component `r ↦ fᵢ(r)` is in Q_τᵢ |
//! | σ → τ | for each g in Q_σ, `r ↦ f(r)(g(r))` is in Q_τ |
//! | types with constructors, lists | the constructor or the length does not change, and the arguments or elements are in Q |
//! | `Nat`, `Bool`, `unit` | always: ℝⁿ is connected |
//!
//! At function types the predicate demands less than the [space](crate::meaning::diffeology::TypeSpace) of the type: g
//! varies with the same r only, and r is not reparametrised. The printed condition for tuples in H demands less again:
//! `fᵢ(r) ∈ Q_τᵢ` for all r, a condition on values and not on functions of r.

use crate::diffeology::smoothness::{draw_direction, test_smoothness_on_line};
use crate::diffeology::{DiffeologyError, DiffeologyVerdict};
use crate::law::generate::TermVocabulary;
use crate::law::property::Property;
use crate::law::sampling::LawBinder;
use crate::law::term::TestTerm;
use crate::meaning::diffeology::sample;
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::smooth::map::untyped::coordinate_variables;
use crate::stack::with_stack;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use std::sync::Arc;
use std::time::Duration;

/// The condition on the components of a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TupleCondition {
    /// Each is in Q, as a function of r.
    Functions,
    /// Each of its values is in Q, as printed (E32).
    Values,
}

/// The number of functions g that are drawn at each function type. A choice: it is a base of an exponential in the
/// order.
const FUNCTION_ARGUMENTS: usize = 2;
/// The time limit to interpret a program. A choice.
const INTERPRETATION_TIME: Duration = Duration::from_secs(2);

/// Tests if a function of `dimension` coordinates is in Q_τ, on a random line through a random point.
///
/// # Errors
/// [`DiffeologyError::Shape`] for types of which no elements are drawn, and for an element of another type; the errors
/// of evaluation.
pub fn check_predicate(
    ty: &Ty,
    f: &Element,
    dimension: usize,
    components: TupleCondition,
    random: &mut SplitMix64,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    sample::check_drawable(ty)?;
    let at = (0..dimension).map(|_| Rational::from((random.next_below(9) as i64 - 4, 2))).collect();
    let along = draw_direction(random, dimension);
    TestLine { at, along, components, trial }.check_on_line(ty, f, random)
}

/// A line on which a function is tested, with the settings of the test.
struct TestLine<'t> {
    at: Vec<Rational>,
    along: Vec<Rational>,
    components: TupleCondition,
    trial: &'t MapTestConfig,
}

impl TestLine<'_> {
    /// Tests if `f`, restricted to the line, is in Q_τ.
    fn check_on_line(&self, ty: &Ty, f: &Element, random: &mut SplitMix64) -> DiffeologyVerdict {
        match ty.kind() {
            TyKind::Real => {
                let graph = f.as_real()?.clone();
                test_smoothness_on_line(&[graph], &self.at, &self.along, self.trial, |_| Ok(true))
            }
            TyKind::Tuple(types) => {
                let mut all = Verdict::Survived;
                for (ty, part) in types.iter().zip(f.as_tuple()?.iter()) {
                    let part = match self.components {
                        TupleCondition::Functions => part.clone(),
                        TupleCondition::Values => self.value_at_point(part),
                    };
                    all = all.and_part(with_stack(|| self.check_on_line(ty, &part, random))?);
                }
                Ok(all)
            }
            TyKind::Function(domain, codomain) => {
                let mut all = Verdict::Survived;
                for _ in 0..FUNCTION_ARGUMENTS {
                    // g varies with the same coordinates as f
                    let g = sample::draw_element(domain, self.at.len(), random);
                    all = all
                        .and_part(with_stack(|| self.check_on_line(codomain, &f.as_function()?.apply(&g)?, random))?);
                }
                Ok(all)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let mut all = Verdict::Survived;
                for element in f.as_list()?.iter() {
                    all = all.and_part(with_stack(|| self.check_on_line(&arguments[0], element, random))?);
                }
                Ok(all)
            }
            TyKind::Data(data, arguments) => {
                let (index, argument) = f.as_variant()?;
                let Some(domain) = data.argument_types(arguments).get(index).cloned() else {
                    let expected = format!("a constructor of {}", data.name());
                    return Err(DiffeologyError::Shape { expected, found: format!("constructor {index}") });
                };
                with_stack(|| self.check_on_line(&domain, argument, random))
            }
            // functions from the connected ℝⁿ to a discrete type are constant
            _ => Ok(Verdict::Survived),
        }
    }

    /// Returns the value at the point of the line, as a constant function.
    fn value_at_point(&self, f: &Element) -> Element {
        let there = self.at.iter().map(|q| Graph::rational(q.clone()));
        let bindings: Vec<_> = coordinate_variables(self.at.len()).into_iter().zip(there).collect();
        f.restrict(&bindings)
    }
}

/// Tests if a closed program is in Q_τ, with arguments that vary over a plane. Vacuous if it has no value in time.
pub fn check_predicate_of_program(
    term: &Core,
    ty: &Ty,
    components: TupleCondition,
    random: &mut SplitMix64,
    trial: &MapTestConfig,
) -> Verdict {
    let program =
        PresheafInterpreter::new(Arc::new(Budget::with_time_limit(INTERPRETATION_TIME))).interpret_program(term);
    program
        .map_or(Verdict::Vacuous, |f| check_predicate(ty, &f, 2, components, random, trial).unwrap_or(Verdict::Vacuous))
}

/// Returns **the fundamental lemma of Q** (H Prop. 2) as a property: each program without kinks is in Q_τ.
#[must_use]
pub fn definable_in_q(ty: Ty, trial: MapTestConfig) -> Property {
    let binder = LawBinder { vocabulary: TermVocabulary::Smooth, ..ty.clone().into() };
    Property::with_binders(vec![binder], move |terms: &[TestTerm]| match terms {
        [t] => t.to_core().map_or(Verdict::Vacuous, |core| {
            // the seed depends on the term, so a shrunk term is tested in the same way whenever it occurs
            check_predicate_of_program(
                &core,
                &ty,
                TupleCondition::Functions,
                &mut SplitMix64::new(t.size() as u64),
                &trial,
            )
        }),
        _ => Verdict::Vacuous,
    })
}
