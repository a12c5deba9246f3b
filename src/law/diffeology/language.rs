//! The language in diffeological spaces, on random terms (H16, H18, H21).
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
use crate::syntax::library::Library;
use crate::syntax::ty::Ty;
use crate::verdict::Verdict;
use std::sync::Arc;
use std::time::Duration;

/// What a program may take to be interpreted.
const TIME: Duration = Duration::from_secs(2);

/// ⟦t⟧ of a program; `None` where it has no type, or none that has a space.
fn denoted(library: &Library, text: &str) -> Option<Smooth<Denotation, Denotation>> {
    let (term, ty) = library.infer_expression(text).ok()?;
    smooth_map(&term, &ty, &Arc::new(Budget::within(TIME))).ok()
}

/// The verdict of a statement that need not be computable: an error says nothing of the law.
fn lenient(tried: Tried) -> Verdict {
    tried.unwrap_or(Verdict::Vacuous)
}

/// A program is smooth on random plots. Vacuous where it denotes no map. One with a kink can be refuted, where a plot hits
/// it: `max (sin x) (1/3)` survives, since its kinks are at no rational point.
pub fn of_program(library: &Library, text: &str, trial: &Trial) -> Verdict {
    denoted(library, text).map_or(Verdict::Vacuous, |f| lenient(f.tried(trial)))
}

/// **Naturality.** `φ;(p;f) = (φ;p);f` for f = ⟦t⟧, at random p and φ.
///
/// # Errors
/// Those of evaluating plots.
pub fn natural_map(f: &Smooth<Denotation, Denotation>, trial: &Trial) -> Tried {
    Verdict::all((0..2).map(|index| {
        let mut random = Random::of(trial.seed, index);
        let (u, v) = (Open::whole(1 + random.below(2)), Open::draw(&mut random));
        let p = f.from().draw_plot(&u, &mut random);
        let Some(along) = Reparametrisation::draw(&mut random, &v, &u) else { return Ok(Verdict::Vacuous) };
        let left = f.to().reparametrise(&along, &f.after(&p)?);
        let right = f.after(&f.from().reparametrise(&along, &p))?;
        agree(f.to(), &v, &left, &right, trial)
    }))
}

fn smooth_terms(types: Vec<Ty>) -> Vec<Binder> {
    types.into_iter().map(|ty| Binder { vocabulary: Vocabulary::Smooth, ..ty.into() }).collect()
}

/// **Definable functions are smooth** (H Prop. 2, H18): every term of a function type in the vocabulary without kinks takes
/// plots to plots, and is the same function on points.
#[must_use]
pub fn definable(library: Arc<Library>, from: Ty, to: Ty, trial: Trial) -> Property {
    Property::of(smooth_terms(vec![Ty::function(from, to)]), move |terms: &[Term]| match terms {
        [t] => of_program(&library, &t.to_string(), &trial),
        _ => Verdict::Vacuous,
    })
}

/// **Naturality of ⟦t⟧** on random terms of a function type (H21).
#[must_use]
pub fn natural(library: Arc<Library>, from: Ty, to: Ty, trial: Trial) -> Property {
    Property::of(smooth_terms(vec![Ty::function(from, to)]), move |terms: &[Term]| match terms {
        [t] => denoted(&library, &t.to_string()).map_or(Verdict::Vacuous, |f| lenient(natural_map(&f, &trial))),
        _ => Verdict::Vacuous,
    })
}

/// **Substitution** (H21): for s : A → B and t : B → C, the program `x ↦ let y = s x in t y` denotes ⟦s⟧;⟦t⟧.
#[must_use]
pub fn substitution(library: Arc<Library>, [a, b, c]: [Ty; 3], trial: Trial) -> Property {
    let binders = smooth_terms(vec![Ty::function(a.clone(), b.clone()), Ty::function(b, c)]);
    Property::of(binders, move |terms: &[Term]| {
        let [s, t] = terms else { return Verdict::Vacuous };
        let substituted = format!("\\(x : {a}) => let y = ({s}) x in ({t}) y");
        let programs = [substituted, s.to_string(), t.to_string()].map(|text| denoted(&library, &text));
        match programs {
            [Some(both), Some(s), Some(t)] => lenient(same_map(&both, &s.then(&t), &trial)),
            _ => Verdict::Vacuous,
        }
    })
}

/// **Composition** (H18): `comp`, the program `f ↦ g ↦ x ↦ f (g x)`, takes random smooth programs to smooth ones.
#[must_use]
pub fn composite(library: Arc<Library>, trial: Trial) -> Property {
    let map = || Ty::function(Ty::real(), Ty::real());
    Property::of(smooth_terms(vec![map(), map()]), move |terms: &[Term]| {
        let [f, g] = terms else { return Verdict::Vacuous };
        let comp = r"\(f : Real -> Real) => \(g : Real -> Real) => \(x : Real) => f (g x)";
        of_program(&library, &format!("({comp}) ({f}) ({g})"), &trial)
    })
}
