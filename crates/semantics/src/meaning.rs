//! Semantics of programs, one module each: instances of [`Model`](crate::model::Model) that evaluate programs.
//!
//! | module | a program of ground type becomes | paper |
//! |---|---|---|
//! | [`presheaf`] | a smoothish map: a value with all its derivatives, as exact reals | S |
//! | [`tower`] | the literal towers of derivatives, composed by Faà di Bruno's formula | S §4 |
//! | [`partial`] | a partial function, smooth on an open set, evaluated by value | A §4, §5 |
//! | [`pap`] | a piecewise analytic function, with an intensional derivative | W |
//! | [`clarke`] | a piecewise analytic function, with Clarke's derivative | A §7 |
//! | [`float`] | an ordinary floating-point number: what a programmer would run | – |
//! | [`diffeology`] | a smooth map between diffeological spaces; it answers no questions | H §4, §5 |
//! | [`first_order`] | a term of the first-order language, and its tower; it answers no questions | S Figs. 3, 4 |
//! | [`taylor`] | another program: that of its Taylor representation | H §3, §5 |
//! | [`had`] | an arrow of the category of all presheaves; it answers no questions | S §5.1 |
//!
//! [`all_semantics`] lists them. A semantics is looked up there by name, or tried there with all others.

pub mod clarke;
pub mod diffeology;
pub mod first_order;
pub mod float;
pub mod foreign;
pub mod had;
pub mod pap;
pub mod partial;
pub mod presheaf;
pub mod taylor;
pub mod tower;

use crate::model::answer::Semantics;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use std::sync::Arc;
use std::time::Duration;

static SEMANTICS: [&dyn Semantics; 6] = [
    &presheaf::PresheafSemantics,
    &tower::TowerSemantics,
    &partial::PartialSemantics { unfolding_limit: None },
    &pap::PiecewiseSemantics::PAPER,
    &clarke::ClarkeSemantics { unfolding_limit: None },
    &float::FloatSemantics,
];

/// The name of the default semantics.
pub const DEFAULT_SEMANTICS: &str = "presheaf";

/// Returns every semantics, the most trusted first.
#[must_use]
pub fn all_semantics() -> &'static [&'static dyn Semantics] {
    &SEMANTICS
}

/// Returns the semantics with a name; `None` if there is none.
#[must_use]
pub fn semantics_named(name: &str) -> Option<&'static dyn Semantics> {
    all_semantics().iter().copied().find(|meaning| meaning.name() == name)
}

/// Returns the names of the semantics other than `refused` that lack nothing for a program. Each is tried for 100 ms.
#[must_use]
pub fn supporting_semantics(term: &Term, ty: &Ty, refused: &str) -> Vec<&'static str> {
    let budget = || Arc::new(Budget::with_time_limit(Duration::from_millis(100)));
    let others = all_semantics().iter().filter(|meaning| meaning.name() != refused);
    // any other failure, such as a lack of time, says nothing against the semantics
    let has = |meaning: &&&dyn Semantics| match meaning.evaluate(term, ty, &Rational::from(1), &budget()) {
        Ok(_) => true,
        Err(error) => error.unsupported_construct().is_none(),
    };
    others.filter(has).map(|meaning| meaning.name()).collect()
}
