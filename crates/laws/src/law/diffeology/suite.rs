//! The axioms on random opens, points and plots, each with a least number of informative samples.
//!
//! The axioms of a space are tested in one line:
//!
//! ```
//! use smoothish_laws::diffeology::cartesian::Cartesian;
//! use smoothish_laws::law::diffeology::suite;
//! use smoothish_laws::verdict::Verdict;
//! let samples = suite::samples();
//! assert_eq!(suite::space(&Cartesian::whole(2), &samples)?.verdict(), Verdict::Survived);
//! # Ok::<(), smoothish_laws::diffeology::DiffeologyError>(())
//! ```

use super::map::{composition, exponential, products};
use super::{concreteness, constants, functoriality, gluing, reparametrisation};
use crate::diffeology::functional::Functional;
use crate::diffeology::map::Smooth;
use crate::diffeology::product::Product;
use crate::diffeology::real::exactly;
use crate::diffeology::site::Site;
use crate::diffeology::smoothness::trial;
use crate::diffeology::{Diffeology, DiffeologyError, Tried};
pub use crate::law::presheaf::suite::Samples;
use crate::random::Random;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;
use std::fmt;

/// Returns the default settings: 8 samples, at least 6 of them informative, with derivatives to order 4.
#[must_use]
pub fn samples() -> Samples {
    Samples { drawn: 8, least: 6, seed: 0, trial: trial() }
}

/// The verdict on each axiom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axioms {
    /// The verdict on **constants**: constant functions are plots.
    pub constants: Verdict,
    /// The verdict on **reparametrisation**: `f;p` is a plot.
    pub reparametrisation: Verdict,
    /// The verdict on **functoriality** of composition with maps.
    pub functoriality: Verdict,
    /// The verdict on **gluing** of compatible families.
    pub gluing: Verdict,
    /// The verdict on **concreteness**: plots are functions.
    pub concreteness: Verdict,
    /// `true` if some drawn plot has two values. For a space whose plots are all constant the axioms say little.
    pub varies: bool,
}

impl Axioms {
    /// Returns the verdicts with the names of their axioms.
    pub fn named(&self) -> [(&'static str, &Verdict); 5] {
        [
            ("constants", &self.constants),
            ("reparametrisation", &self.reparametrisation),
            ("functoriality", &self.functoriality),
            ("gluing", &self.gluing),
            ("concreteness", &self.concreteness),
        ]
    }

    /// Returns the conjunction: refuted if one is refuted, vacuous if one is vacuous.
    pub fn verdict(&self) -> Verdict {
        self.named().into_iter().fold(Verdict::Survived, |all, (_, verdict)| all.both(verdict.clone()))
    }

    /// Returns the names of the refuted axioms.
    #[must_use]
    pub fn refuted(&self) -> Vec<&'static str> {
        self.named().into_iter().filter(|(_, verdict)| verdict.is_refuted()).map(|(name, _)| name).collect()
    }
}

impl fmt::Display for Axioms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.named().into_iter().try_for_each(|(name, verdict)| writeln!(f, "{name}: {verdict}"))?;
        if !self.varies {
            writeln!(f, "every plot that was drawn is constant: this says little")?;
        }
        Ok(())
    }
}

/// Tests the axioms of a space.
///
/// # Errors
/// The error of evaluating plots, here and in all suites.
pub fn space<S: Site, X: Diffeology<S>>(space: &X, samples: &Samples) -> Result<Axioms, DiffeologyError> {
    let constants = samples.tried(|random, trial| {
        let u = S::draw(random);
        constants(space, &u, &space.draw_point(random), trial)
    })?;
    let reparametrisation = samples.tried(|random, trial| {
        let (u, v) = (S::draw(random), S::draw(random));
        // some opens have no map between them
        let Some(f) = S::draw_map(random, &v, &u) else { return Ok(Verdict::Vacuous) };
        reparametrisation(space, &f, &space.draw_plot(&u, random), trial)
    })?;
    let functoriality = samples.tried(|random, trial| {
        let (u, v, w) = (S::draw(random), S::draw(random), S::draw(random));
        let (Some(f), Some(g)) = (S::draw_map(random, &v, &u), S::draw_map(random, &w, &v)) else {
            return Ok(Verdict::Vacuous);
        };
        functoriality(space, &g, &f, &space.draw_plot(&u, random), trial)
    })?;
    let gluing = samples.tried(|random, trial| of_gluing(space, random, trial))?;
    let concreteness = samples.tried(|random, trial| {
        let u = S::draw(random);
        concreteness(space, &space.draw_plot(&u, random), trial)
    })?;
    let varies = (0..samples.drawn).try_fold(false, |varies, index| {
        let random = &mut Random::of(samples.seed, index);
        Ok::<_, DiffeologyError>(varies || has_two_values(space, random, &samples.trial)?)
    })?;
    Ok(Axioms { constants, reparametrisation, functoriality, gluing, concreteness, varies })
}

/// Returns `true` if a random plot has two different values at the sampled points.
fn has_two_values<S: Site, X: Diffeology<S>>(
    space: &X,
    random: &mut Random,
    trial: &Trial,
) -> Result<bool, DiffeologyError> {
    let domain = S::draw(random);
    let plot = space.draw_plot(&domain, random);
    let points = S::samples(&domain, random, trial.samples as usize);
    let values: Vec<X::Point> =
        points.iter().map(|u| space.at(&plot, &exactly(u), trial)).collect::<Result<_, DiffeologyError>>()?;
    let Some((first, rest)) = values.split_first() else { return Ok(false) };
    rest.iter().try_fold(false, |found, value| Ok(found || space.same(first, value, trial)?.is_refuted()))
}

/// Tests gluing: either a plot restricted to a cover, or independent plots or constants on disjoint parts.
fn of_gluing<S: Site, X: Diffeology<S>>(space: &X, random: &mut Random, trial: &Trial) -> Tried {
    if random.chance(50) {
        let whole = S::draw(random);
        let p = space.draw_plot(&whole, random);
        let part = |part: &S::Domain| Ok(space.reparametrise(&S::inclusion(part, &whole)?, &p));
        let family = S::cover(&whole, random)?.iter().map(part).collect::<Result<Vec<_>, DiffeologyError>>()?;
        gluing(space, &whole, &family, trial)
    } else {
        let (whole, parts) = S::apart(random)?;
        let constants = random.chance(50);
        let mut draw = |part: &S::Domain| {
            let constant = constants.then(|| space.constant(part, &space.draw_point(random)));
            Ok(match constant {
                // in a wrong space a constant may be no plot, which is the matter of another axiom
                Some(constant) if !space.is_plot(&constant, trial)?.is_refuted() => constant,
                _ => space.draw_plot(part, random),
            })
        };
        let family = parts.iter().map(&mut draw).collect::<Result<Vec<_>, DiffeologyError>>()?;
        gluing(space, &whole, &family, trial)
    }
}

/// Tests random smooth maps between X, Y and Z: the laws of a category, of products and of exponentials.
///
/// # Errors
/// As for [`space`].
pub fn closed<Z: Diffeology, X: Diffeology, Y: Diffeology>(z: &Z, x: &X, y: &Y, samples: &Samples) -> Tried {
    let composition = samples.tried(|random, trial| {
        let f: Smooth<Z, X> = Functional(z.clone(), x.clone()).draw_point(random);
        let g: Smooth<X, Y> = Functional(x.clone(), y.clone()).draw_point(random);
        let h: Smooth<Y, Z> = Functional(y.clone(), z.clone()).draw_point(random);
        composition(&f, &g, &h, trial)
    })?;
    let products = samples.tried(|random, trial| {
        let f: Smooth<Z, X> = Functional(z.clone(), x.clone()).draw_point(random);
        let g: Smooth<Z, Y> = Functional(z.clone(), y.clone()).draw_point(random);
        products(&f, &g, trial)
    })?;
    let exponential = samples.tried(|random, trial| {
        let f: Smooth<Product<Z, X>, Y> = Functional(Product(z.clone(), x.clone()), y.clone()).draw_point(random);
        let g: Smooth<Z, Functional<X, Y>> = Functional(z.clone(), Functional(x.clone(), y.clone())).draw_point(random);
        exponential(&f, &g, trial)
    })?;
    Ok(composition.both(products).both(exponential))
}
