//! Laws of the language in diffeological spaces, on random terms (H16, H18, H21).
//!
//! | law | source |
//! |---|---|
//! | [`definable`] | a definable function is smooth, H Prop. 2 (H18) |
//! | [`natural`] | ⟦t⟧ commutes with reparametrisation, and is a function of points, H §4.1 (H21) |
//! | [`substitution`] | ⟦λx. t (s x)⟧ = ⟦s⟧;⟦t⟧ (H21) |
//! | [`composite`] | `comp` takes definable functions to smooth ones (H18) |

use super::{agree, map::same_map};
use crate::diffeology::map::Smooth;
use crate::diffeology::open::Open;
use crate::diffeology::reparametrisation::Reparametrisation;
use crate::diffeology::{Diffeology, Tried};
use crate::law::generate::Vocabulary;
use crate::law::property::Property;
use crate::law::sampling::Binder;
use crate::law::term::Term;
use crate::meaning::diffeology::{Denotation, smooth_map};
use crate::number::budget::Budget;
use crate::random::Random;
use crate::smooth::map::Trial;
use crate::syntax::source::Span;
use crate::syntax::term::{Term as Core, TermKind};
use crate::syntax::ty::Ty;
use crate::verdict::Verdict;
use std::sync::Arc;
use std::time::Duration;

/// The time limit to interpret a program. A choice.
const TIME: Duration = Duration::from_secs(2);

/// Returns ⟦t⟧ of a program. Returns `None` if its type has no space, or if it is not interpreted in time.
fn denoted(term: &Core) -> Option<Smooth<Denotation, Denotation>> {
    smooth_map(term, term.ty(), &Arc::new(Budget::within(TIME))).ok()
}

/// Turns an error of evaluation into a vacuous verdict: a law claims nothing about values that are not computed.
fn lenient(tried: Tried) -> Verdict {
    tried.unwrap_or(Verdict::Vacuous)
}

/// Tests that a program is smooth on random plots. Vacuous if it denotes no map. A program with a kink is refuted only
/// if a plot hits it: `max (sin x) (1/3)` survives, since its kinks are at no rational point.
pub fn of_program(term: &Core, trial: &Trial) -> Verdict {
    denoted(term).map_or(Verdict::Vacuous, |f| lenient(f.tried(trial)))
}

/// **Naturality.** `φ;(p;f) = (φ;p);f` for f = ⟦t⟧, at random p and φ.
///
/// # Errors
/// The error of evaluating plots.
pub fn natural_map(f: &Smooth<Denotation, Denotation>, trial: &Trial) -> Tried {
    Verdict::all((0..2).map(|index| {
        let mut random = Random::of(trial.seed, index);
        let (u, v) = (Open::whole(1 + random.below(2)), Open::draw(&mut random));
        let p = f.from().draw_plot(&u, &mut random);
        let Some(along) = Reparametrisation::draw(&mut random, &v, &u) else { return Ok(Verdict::Vacuous) };
        // both sides are plots on V: the image restricted along φ, and the image of the restricted plot
        let left = f.to().reparametrise(&along, &f.after(&p)?);
        let right = f.after(&f.from().reparametrise(&along, &p))?;
        agree(f.to(), &v, &left, &right, trial)
    }))
}

/// Returns binders for terms without kinks, of these types.
fn smooth_terms(types: Vec<Ty>) -> Vec<Binder> {
    types.into_iter().map(|ty| Binder { vocabulary: Vocabulary::Smooth, ..ty.into() }).collect()
}

/// **Definable functions are smooth** (H Prop. 2, H18). Every term of a function type in the vocabulary without kinks
/// maps plots to plots, and is the same function on points.
#[must_use]
pub fn definable(from: Ty, to: Ty, trial: Trial) -> Property {
    Property::of(smooth_terms(vec![Ty::function(from, to)]), move |terms: &[Term]| match terms {
        [t] => t.core().map_or(Verdict::Vacuous, |t| of_program(&t, &trial)),
        _ => Verdict::Vacuous,
    })
}

/// **Naturality of ⟦t⟧** on random terms of a function type (H21).
#[must_use]
pub fn natural(from: Ty, to: Ty, trial: Trial) -> Property {
    Property::of(smooth_terms(vec![Ty::function(from, to)]), move |terms: &[Term]| match terms {
        [t] => t.core().and_then(|t| denoted(&t)).map_or(Verdict::Vacuous, |f| lenient(natural_map(&f, &trial))),
        _ => Verdict::Vacuous,
    })
}

/// Makes a λ-abstraction.
fn lambda(name: &str, domain: &Ty, body: Core) -> Core {
    Core::lambda(name.into(), domain.clone(), body, Span::default())
}

/// Makes an application.
fn applied(function: Core, argument: Core) -> Core {
    Core::apply(function, argument, Span::default())
}

/// Makes a variable with this de Bruijn index.
fn variable(index: usize, name: &str, ty: &Ty) -> Core {
    Core::variable(index, name.into(), ty.clone(), Span::default())
}

/// **Substitution** (H21). For s : A → B and t : B → C, the program `x ↦ let y = s x in t y` denotes ⟦s⟧;⟦t⟧.
#[must_use]
pub fn substitution([a, b, c]: [Ty; 3], trial: Trial) -> Property {
    let binders = smooth_terms(vec![Ty::function(a.clone(), b.clone()), Ty::function(b.clone(), c)]);
    Property::of(binders, move |terms: &[Term]| {
        let [s, t] = terms else { return Verdict::Vacuous };
        let (Some(s), Some(t)) = (s.core(), t.core()) else { return Verdict::Vacuous };
        let value = applied(s.clone(), variable(0, "x", &a));
        let body = applied(t.clone(), variable(0, "y", &b));
        // s and t are closed, so no index needs a shift under the binders of x and y
        let substituted = Core::new(TermKind::Let { name: "y".into(), value, body }, Span::default());
        match [lambda("x", &a, substituted), s, t].map(|term| denoted(&term)) {
            [Some(both), Some(s), Some(t)] => lenient(same_map(&both, &s.then(&t), &trial)),
            _ => Verdict::Vacuous,
        }
    })
}

/// **Composition** (H18). `comp`, the program `f ↦ g ↦ x ↦ f (g x)`, maps random smooth programs to smooth ones.
#[must_use]
pub fn composite(trial: Trial) -> Property {
    let (real, map) = (Ty::real(), Ty::function(Ty::real(), Ty::real()));
    let inner = applied(variable(1, "g", &map), variable(0, "x", &real));
    let body = applied(variable(2, "f", &map), inner);
    let comp = lambda("f", &map, lambda("g", &map, lambda("x", &real, body)));
    Property::of(smooth_terms(vec![map.clone(), map]), move |terms: &[Term]| {
        let apply = |f: Core, term: &Term| Some(applied(f, term.core()?));
        let composite = terms.iter().try_fold(comp.clone(), apply);
        composite.map_or(Verdict::Vacuous, |term| of_program(&term, &trial))
    })
}
