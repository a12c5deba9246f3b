//! The axioms on random opens, points and plots, each with a least number of informative samples.
//!
//! The axioms of a space are tested in one line:
//!
//! ```
//! use smoothish_laws::diffeology::cartesian::CartesianDiffeology;
//! use smoothish_laws::law::diffeology::suite;
//! use smoothish_laws::verdict::Verdict;
//! let samples = suite::default_samples();
//! assert_eq!(suite::check_space(&CartesianDiffeology::whole_space(2), &samples)?.verdict(), Verdict::Survived);
//! # Ok::<(), smoothish_laws::diffeology::DiffeologyError>(())
//! ```

use super::map::{category_laws, exponential_laws, product_laws};
use super::{concreteness, constants, functoriality, gluing, reparametrisation};
use crate::diffeology::functional::FunctionSpace;
use crate::diffeology::map::SmoothMap;
use crate::diffeology::product::ProductDiffeology;
use crate::diffeology::real::rational_point;
use crate::diffeology::site::Site;
use crate::diffeology::smoothness::default_smoothness_test;
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
pub use crate::law::presheaf::suite::SampleSettings;
use crate::random::SplitMix64;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;
use std::fmt;

/// Returns the default settings: 8 samples, at least 6 of them informative, with derivatives to order 4.
#[must_use]
pub fn default_samples() -> SampleSettings {
    SampleSettings { drawn: 8, least: 6, seed: 0, trial: default_smoothness_test() }
}

/// The verdict on each axiom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxiomVerdicts {
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

impl AxiomVerdicts {
    /// Returns the verdicts with the names of their axioms.
    pub fn verdicts_by_name(&self) -> [(&'static str, &Verdict); 5] {
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
        self.verdicts_by_name().into_iter().fold(Verdict::Survived, |all, (_, verdict)| all.and_part(verdict.clone()))
    }

    /// Returns the names of the refuted axioms.
    #[must_use]
    pub fn refuted_names(&self) -> Vec<&'static str> {
        self.verdicts_by_name().into_iter().filter(|(_, verdict)| verdict.is_refuted()).map(|(name, _)| name).collect()
    }
}

impl fmt::Display for AxiomVerdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdicts_by_name().into_iter().try_for_each(|(name, verdict)| writeln!(f, "{name}: {verdict}"))?;
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
pub fn check_space<S: Site, X: Diffeology<S>>(
    space: &X,
    samples: &SampleSettings,
) -> Result<AxiomVerdicts, DiffeologyError> {
    let constants = samples.check_statement(|random, trial| {
        let u = S::draw_domain(random);
        constants(space, &u, &space.draw_point(random), trial)
    })?;
    let reparametrisation = samples.check_statement(|random, trial| {
        let (u, v) = (S::draw_domain(random), S::draw_domain(random));
        // some opens have no map between them
        let Some(f) = S::draw_map(random, &v, &u) else { return Ok(Verdict::Vacuous) };
        reparametrisation(space, &f, &space.draw_plot(&u, random), trial)
    })?;
    let functoriality = samples.check_statement(|random, trial| {
        let (u, v, w) = (S::draw_domain(random), S::draw_domain(random), S::draw_domain(random));
        let (Some(f), Some(g)) = (S::draw_map(random, &v, &u), S::draw_map(random, &w, &v)) else {
            return Ok(Verdict::Vacuous);
        };
        functoriality(space, &g, &f, &space.draw_plot(&u, random), trial)
    })?;
    let gluing = samples.check_statement(|random, trial| check_gluing(space, random, trial))?;
    let concreteness = samples.check_statement(|random, trial| {
        let u = S::draw_domain(random);
        concreteness(space, &space.draw_plot(&u, random), trial)
    })?;
    let varies = (0..samples.drawn).try_fold(false, |varies, index| {
        let random = &mut SplitMix64::for_sample(samples.seed, index);
        Ok::<_, DiffeologyError>(varies || has_two_values(space, random, &samples.trial)?)
    })?;
    Ok(AxiomVerdicts { constants, reparametrisation, functoriality, gluing, concreteness, varies })
}

/// Returns `true` if a random plot has two different values at the sampled points.
fn has_two_values<S: Site, X: Diffeology<S>>(
    space: &X,
    random: &mut SplitMix64,
    trial: &MapTestConfig,
) -> Result<bool, DiffeologyError> {
    let domain = S::draw_domain(random);
    let plot = space.draw_plot(&domain, random);
    let points = S::sample_points(&domain, random, trial.sample_points as usize);
    let values: Vec<X::Point> = points
        .iter()
        .map(|u| space.value_at(&plot, &rational_point(u), trial))
        .collect::<Result<_, DiffeologyError>>()?;
    let Some((first, rest)) = values.split_first() else { return Ok(false) };
    rest.iter().try_fold(false, |found, value| Ok(found || space.compare_points(first, value, trial)?.is_refuted()))
}

/// Tests gluing: either a plot restricted to a cover, or independent plots or constants on disjoint parts.
fn check_gluing<S: Site, X: Diffeology<S>>(
    space: &X,
    random: &mut SplitMix64,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    if random.random_bool(50) {
        let whole = S::draw_domain(random);
        let p = space.draw_plot(&whole, random);
        let part = |part: &S::Domain| Ok(space.reparametrise(&S::inclusion_map(part, &whole)?, &p));
        let family = S::draw_cover(&whole, random)?.iter().map(part).collect::<Result<Vec<_>, DiffeologyError>>()?;
        gluing(space, &whole, &family, trial)
    } else {
        let (whole, parts) = S::draw_partition(random)?;
        let constants = random.random_bool(50);
        let mut draw = |part: &S::Domain| {
            let constant = constants.then(|| space.constant_plot(part, &space.draw_point(random)));
            Ok(match constant {
                // in a wrong space a constant may be no plot, which is the matter of another axiom
                Some(constant) if !space.test_plot(&constant, trial)?.is_refuted() => constant,
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
/// As for [`check_space`].
pub fn check_closed<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    z: &Z,
    x: &X,
    y: &Y,
    samples: &SampleSettings,
) -> DiffeologyVerdict {
    let composition = samples.check_statement(|random, trial| {
        let f: SmoothMap<Z, X> = FunctionSpace(z.clone(), x.clone()).draw_point(random);
        let g: SmoothMap<X, Y> = FunctionSpace(x.clone(), y.clone()).draw_point(random);
        let h: SmoothMap<Y, Z> = FunctionSpace(y.clone(), z.clone()).draw_point(random);
        category_laws(&f, &g, &h, trial)
    })?;
    let products = samples.check_statement(|random, trial| {
        let f: SmoothMap<Z, X> = FunctionSpace(z.clone(), x.clone()).draw_point(random);
        let g: SmoothMap<Z, Y> = FunctionSpace(z.clone(), y.clone()).draw_point(random);
        product_laws(&f, &g, trial)
    })?;
    let exponential = samples.check_statement(|random, trial| {
        let f: SmoothMap<ProductDiffeology<Z, X>, Y> =
            FunctionSpace(ProductDiffeology(z.clone(), x.clone()), y.clone()).draw_point(random);
        let g: SmoothMap<Z, FunctionSpace<X, Y>> =
            FunctionSpace(z.clone(), FunctionSpace(x.clone(), y.clone())).draw_point(random);
        exponential_laws(&f, &g, trial)
    })?;
    Ok(composition.and_part(products).and_part(exponential))
}
