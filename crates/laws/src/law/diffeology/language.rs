//! Laws of the language in diffeological spaces, on random terms (H16, H18, H21).
//!
//! | law | source |
//! |---|---|
//! | [`definable_is_smooth`] | a definable function is smooth, H Prop. 2 (H18) |
//! | [`denotation_is_natural`] | ⟦t⟧ commutes with reparametrisation, and is a function of points, H §4.1 (H21) |
//! | [`substitution_is_composition`] | ⟦λx. t (s x)⟧ = ⟦s⟧;⟦t⟧ (H21) |
//! | [`composition_is_smooth`] | `comp` takes definable functions to smooth ones (H18) |

use super::{compare_plots, map::compare_maps};
use crate::diffeology::map::SmoothMap;
use crate::diffeology::open::OpenSet;
use crate::diffeology::reparametrisation::Reparametrisation;
use crate::diffeology::{Diffeology, DiffeologyVerdict};
use crate::law::generate::TermVocabulary;
use crate::law::property::Property;
use crate::law::sampling::LawBinder;
use crate::law::term::TestTerm;
use crate::meaning::diffeology::{TypeSpace, smooth_map};
use crate::number::budget::Budget;
use crate::random::SplitMix64;
use crate::smooth::map::MapTestConfig;
use crate::syntax::source::Span;
use crate::syntax::term::{Term as Core, TermKind};
use crate::syntax::ty::Ty;
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
    Verdict::all_samples((0..2).map(|index| {
        let mut random = SplitMix64::for_sample(trial.seed, index);
        let (u, v) = (OpenSet::whole_space(1 + random.next_below(2)), OpenSet::draw_set(&mut random));
        let p = f.domain().draw_plot(&u, &mut random);
        let Some(along) = Reparametrisation::draw_map(&mut random, &v, &u) else { return Ok(Verdict::Vacuous) };
        // both sides are plots on V: the image restricted along φ, and the image of the restricted plot
        let left = f.codomain().reparametrise(&along, &f.compose_plot(&p)?);
        let right = f.compose_plot(&f.domain().reparametrise(&along, &p))?;
        compare_plots(f.codomain(), &v, &left, &right, trial)
    }))
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
