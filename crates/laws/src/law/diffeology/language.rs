//! Laws of the language in diffeological spaces, on random terms (H16, H18, H21).
//!
//! | law | source |
//! |---|---|
//! | [`definable_is_smooth`] | a definable function is smooth, H Prop. 2 (H18) |
//! | [`denotation_is_natural`] | ⟦t⟧ commutes with reparametrisation, and is a function of points, H §4.1 (H21) |
//! | [`substitution_is_composition`] | ⟦λx. t (s x)⟧ = ⟦s⟧;⟦t⟧ (H21) |
//! | [`composition_is_smooth`] | `comp` takes definable functions to smooth ones (H18) |
//!
//! # The predicate Q_τ by which H proves Proposition 2
//!
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

use super::{compare_maps, compare_plots};
use crate::diffeology::map::SmoothMap;
use crate::diffeology::open::{OpenSet, Reparametrisation};
use crate::diffeology::smoothness::{draw_direction, test_smoothness_on_line};
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use crate::law::generate::TermVocabulary;
use crate::law::property::{LawBinder, Property, compare_at_points};
use crate::law::term::TestTerm;
use crate::meaning::diffeology::{TypeSpace, smooth_map, space};
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::{MapTestConfig, coordinate_variables};
use crate::stack::with_stack;
use crate::syntax::source::Span;
use crate::syntax::term::{Term as Core, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use std::sync::Arc;
use std::time::Duration;

/// The time limit to interpret a program. A choice.
const INTERPRETATION_TIME: Duration = Duration::from_secs(2);

/// Returns ⟦t⟧ of a program. Returns `None` if its type has no space, or if it is not interpreted in time.
fn denote_map(term: &Core) -> Option<SmoothMap<TypeSpace, TypeSpace>> {
    smooth_map(term, term.ty(), &Arc::new(Budget::with_time_limit(INTERPRETATION_TIME))).ok()
}

/// Turns an error of evaluation into a vacuous verdict: a law claims nothing about values that are not computed.
fn or_vacuous(tried: DiffeologyVerdict) -> Verdict {
    tried.unwrap_or(Verdict::Vacuous)
}

/// Tests that a program is smooth on random plots. Vacuous if it denotes no map. A program with a kink is refuted only
/// if a plot hits it: `max (sin x) (1/3)` survives, since its kinks are at no rational point.
pub fn check_program(term: &Core, trial: &MapTestConfig) -> Verdict {
    denote_map(term).map_or(Verdict::Vacuous, |f| or_vacuous(f.test_smoothness(trial)))
}

/// **Naturality.** `φ;(p;f) = (φ;p);f` for f = ⟦t⟧, at random p and φ.
///
/// # Errors
/// The error of evaluating plots.
pub fn check_naturality(f: &SmoothMap<TypeSpace, TypeSpace>, trial: &MapTestConfig) -> DiffeologyVerdict {
    compare_at_points(trial.seed, 2, |random| {
        let (u, v) = (OpenSet::whole_space(1 + random.next_below(2)), OpenSet::draw_set(random));
        let p = f.domain().draw_plot(&u, random);
        let Some(along) = Reparametrisation::draw_map(random, &v, &u) else { return Ok(Verdict::Vacuous) };
        // both sides are plots on V: the image restricted along φ, and the image of the restricted plot
        let left = f.codomain().reparametrise(&along, &f.compose_plot(&p)?);
        let right = f.compose_plot(&f.domain().reparametrise(&along, &p))?;
        compare_plots(f.codomain(), &v, &left, &right, trial)
    })
}

/// Returns binders for terms without kinks, of these types.
fn smooth_terms(types: Vec<Ty>) -> Vec<LawBinder> {
    types.into_iter().map(|ty| LawBinder { vocabulary: TermVocabulary::Smooth, ..ty.into() }).collect()
}

/// **Definable functions are smooth** (H Prop. 2, H18). Every term of a function type in the vocabulary without kinks
/// maps plots to plots, and is the same function on points.
#[must_use]
pub fn definable_is_smooth(from: Ty, to: Ty, trial: MapTestConfig) -> Property {
    Property::with_binders(smooth_terms(vec![Ty::function(from, to)]), move |terms: &[TestTerm]| match terms {
        [t] => t.to_core().map_or(Verdict::Vacuous, |t| check_program(&t, &trial)),
        _ => Verdict::Vacuous,
    })
}

/// **Naturality of ⟦t⟧** on random terms of a function type (H21).
#[must_use]
pub fn denotation_is_natural(from: Ty, to: Ty, trial: MapTestConfig) -> Property {
    Property::with_binders(smooth_terms(vec![Ty::function(from, to)]), move |terms: &[TestTerm]| match terms {
        [t] => t
            .to_core()
            .and_then(|t| denote_map(&t))
            .map_or(Verdict::Vacuous, |f| or_vacuous(check_naturality(&f, &trial))),
        _ => Verdict::Vacuous,
    })
}

/// Makes a λ-abstraction.
fn lambda_term(name: &str, domain: &Ty, body: Core) -> Core {
    Core::lambda(name.into(), domain.clone(), body, Span::default())
}

/// Makes an application.
fn apply_term(function: Core, argument: Core) -> Core {
    Core::apply(function, argument, Span::default())
}

/// Makes a variable with this de Bruijn index.
fn variable_term(index: usize, name: &str, ty: &Ty) -> Core {
    Core::variable(index, name.into(), ty.clone(), Span::default())
}

/// **Substitution** (H21). For s : A → B and t : B → C, the program `x ↦ let y = s x in t y` denotes ⟦s⟧;⟦t⟧.
#[must_use]
pub fn substitution_is_composition([a, b, c]: [Ty; 3], trial: MapTestConfig) -> Property {
    let binders = smooth_terms(vec![Ty::function(a.clone(), b.clone()), Ty::function(b.clone(), c)]);
    Property::with_binders(binders, move |terms: &[TestTerm]| {
        let [s, t] = terms else { return Verdict::Vacuous };
        let (Some(s), Some(t)) = (s.to_core(), t.to_core()) else { return Verdict::Vacuous };
        let value = apply_term(s.clone(), variable_term(0, "x", &a));
        let body = apply_term(t.clone(), variable_term(0, "y", &b));
        // s and t are closed, so no index needs a shift under the binders of x and y
        let substituted = Core::new(TermKind::Let { name: "y".into(), value, body }, Span::default());
        match [lambda_term("x", &a, substituted), s, t].map(|term| denote_map(&term)) {
            [Some(both), Some(s), Some(t)] => or_vacuous(compare_maps(&both, &s.then(&t), &trial)),
            _ => Verdict::Vacuous,
        }
    })
}

/// **Composition** (H18). `comp`, the program `f ↦ g ↦ x ↦ f (g x)`, maps random smooth programs to smooth ones.
#[must_use]
pub fn composition_is_smooth(trial: MapTestConfig) -> Property {
    let (real, map) = (Ty::real(), Ty::function(Ty::real(), Ty::real()));
    let inner = apply_term(variable_term(1, "g", &map), variable_term(0, "x", &real));
    let body = apply_term(variable_term(2, "f", &map), inner);
    let comp = lambda_term("f", &map, lambda_term("g", &map, lambda_term("x", &real, body)));
    Property::with_binders(smooth_terms(vec![map.clone(), map]), move |terms: &[TestTerm]| {
        let apply = |f: Core, term: &TestTerm| Some(apply_term(f, term.to_core()?));
        let composite = terms.iter().try_fold(comp.clone(), apply);
        composite.map_or(Verdict::Vacuous, |term| check_program(&term, &trial))
    })
}

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

/// Tests if a function of `dimension` coordinates is in Q_τ, on a random line through a random point.
///
/// # Errors
/// [`DiffeologyError::Shape`] for types of which no elements are drawn, and for an element of another type; the errors
/// of evaluation.
#[doc(alias = "Q_τ")]
pub fn check_predicate(
    ty: &Ty,
    f: &Element,
    dimension: usize,
    components: TupleCondition,
    random: &mut SplitMix64,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    space::check_drawable(ty)?;
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
                    let g = space::draw_element(domain, self.at.len(), random);
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
