//! The axioms of diffeological spaces, as functions that test them (H Def. 4.1, H19).
//!
//! Each law takes points and plots of a space and returns a verdict; [`check_space`] draws them. A wrong space, such as one
//! without constants, is refuted by the law that it breaks.
//!
//! | law | source |
//! |---|---|
//! | [`constants`], [`reparametrisation`], [`gluing`] | the three axioms, H Def. 4.1 |
//! | [`chain_law`] | the fourth axiom of ωPAP spaces, W §3.2 |
//! | [`functoriality`], [`concreteness`] | plots are functions, and restrict by composition |
//!
//! # The axioms on random opens
//!
//! The axioms on random opens, points and plots, each with a least number of informative samples.
//!
//! The axioms of a space are tested in one line:
//!
//! ```
//! use smoothish_laws::diffeology::product::CartesianDiffeology;
//! use smoothish_laws::law::diffeology;
//! use smoothish_laws::verdict::Verdict;
//! let samples = diffeology::default_samples();
//! assert_eq!(diffeology::check_space(&CartesianDiffeology::whole_space(2), &samples)?.verdict(), Verdict::Survived);
//! # Ok::<(), smoothish_laws::diffeology::DiffeologyError>(())
//! ```
//!
//! # The order of ωPAP spaces
//!
//! The order of ωPAP spaces (W §3.2), and the fourth axiom on chains of plots.
//!
//! # Laws of smooth maps between diffeological spaces
//!
//! A category with products and exponentials (H §4.1, H20).

pub mod language;

use crate::diffeology::analytic::{CAnalyticSet, CAnalyticSite};
use crate::diffeology::map::{
    FunctionSpace, SmoothMap, curry, evaluation_map, first_projection, pair_maps, second_projection, uncurry,
};
use crate::diffeology::omega::{CHAIN_LIMIT_INDEX, OrderedDiffeology, PlotChain};
use crate::diffeology::product::ProductDiffeology;
use crate::diffeology::smoothness::{default_smoothness_test, rational_point};
use crate::diffeology::space::{Site, format_rational_point};
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
pub use crate::law::property::SampleSettings;
use crate::law::property::{LawSuite, SampledLaw, check_suite, check_suite_as_one, compare_at_points};
use crate::random::SplitMix64;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;
use std::fmt;

/// Compares two functions at sample points of a domain.
///
/// # Errors
/// The error of evaluating plots, here and in all laws.
pub fn compare_plots<S: Site, X: Diffeology<S>>(
    space: &X,
    domain: &S::Domain,
    p: &X::Plot,
    q: &X::Plot,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let mut all = Verdict::Survived;
    for point in S::sample_points(domain, &mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
        let u = rational_point(&point);
        let here = space.compare_points(&space.value_at(p, &u, trial)?, &space.value_at(q, &u, trial)?, trial)?;
        all = all.and_part(here.with_witness(|| format_rational_point(&point)));
        if all.is_refuted() {
            // one difference refutes, so the other points are not evaluated
            break;
        }
    }
    Ok(all)
}

/// **Constants.** A constant function is a plot, and has its value everywhere.
///
/// # Errors
/// As for [`compare_plots`].
pub fn constants<S: Site, X: Diffeology<S>>(
    space: &X,
    domain: &S::Domain,
    x: &X::Point,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let p = space.constant_plot(domain, x);
    let mut all = space.test_plot(&p, trial)?;
    for point in S::sample_points(domain, &mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
        let here = space.compare_points(&space.value_at(&p, &rational_point(&point), trial)?, x, trial)?;
        all = all.and_part(here.with_witness(|| format_rational_point(&point)));
    }
    Ok(all)
}

/// **Reparametrisation.** For f : V → U smooth and p a plot on U, `f;p` is a plot, and `at(f;p, v) = at(p, f(v))`.
///
/// # Errors
/// As for [`compare_plots`].
pub fn reparametrisation<S: Site, X: Diffeology<S>>(
    space: &X,
    f: &S::Map,
    p: &X::Plot,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let composite = space.reparametrise(f, p);
    let mut all = space.test_plot(&composite, trial)?;
    for point in S::sample_points(S::map_domain(f), &mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
        let v = rational_point(&point);
        let here = space.compare_points(
            &space.value_at(&composite, &v, trial)?,
            &space.value_at(p, &S::value_at(f, &v, trial)?, trial)?,
            trial,
        )?;
        all = all.and_part(here.with_witness(|| format_rational_point(&point)));
    }
    Ok(all)
}

/// **Functoriality.** `id;p = p` and `(g;f);p = g;(f;p)`.
///
/// # Errors
/// As for [`compare_plots`].
pub fn functoriality<S: Site, X: Diffeology<S>>(
    space: &X,
    g: &S::Map,
    f: &S::Map,
    p: &X::Plot,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let identity = space.reparametrise(&S::identity_map(&space.plot_domain(p)), p);
    let identity = compare_plots(space, &space.plot_domain(p), &identity, p, trial)?;
    let left = space.reparametrise(&S::compose_maps(g, f)?, p);
    let right = space.reparametrise(g, &space.reparametrise(f, p));
    Ok(identity.and_part(compare_plots(space, S::map_domain(g), &left, &right, trial)?))
}

/// **Gluing.** A compatible family of plots over a cover glues to a plot, which restricts to each of them.
///
/// Vacuous if the family does not cover or is not compatible: the axiom makes no claim then.
///
/// # Errors
/// As for [`compare_plots`].
pub fn gluing<S: Site, X: Diffeology<S>>(
    space: &X,
    whole: &S::Domain,
    family: &[X::Plot],
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let glued = match space.glue(whole, family, trial) {
        Ok(glued) => glued,
        Err(DiffeologyError::NotCovered { .. } | DiffeologyError::Incompatible { .. }) => return Ok(Verdict::Vacuous),
        Err(error) => return Err(error),
    };
    let mut all = space.test_plot(&glued, trial)?;
    for piece in family {
        let part = S::intersection(&space.plot_domain(piece), whole)?;
        let restricted = space.reparametrise(&S::inclusion_map(&part, whole)?, &glued);
        all = all.and_part(compare_plots(space, &part, &restricted, piece, trial)?);
    }
    Ok(all)
}

/// **Concreteness.** A plot is the function u ↦ at(p, u). Glued from its own restrictions it is the same function, and
/// its value at u is that of its composite with u : ℝ⁰ → U.
///
/// # Errors
/// As for [`compare_plots`].
pub fn concreteness<S: Site, X: Diffeology<S>>(space: &X, p: &X::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
    let domain = space.plot_domain(p);
    let point = S::point_domain();
    let mut all = Verdict::Survived;
    for u in S::sample_points(&domain, &mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
        let exact = rational_point(&u);
        let at = S::constant_map(&point, &domain, &exact);
        let left = space.value_at(&space.reparametrise(&at, p), &[], trial)?;
        let here = space.compare_points(&left, &space.value_at(p, &exact, trial)?, trial)?;
        all = all.and_part(here.with_witness(|| format_rational_point(&u)));
    }
    // a plot is determined by its restrictions to a cover
    let parts = S::draw_cover(&domain, &mut SplitMix64::new(trial.seed))?;
    let restricted: Vec<X::Plot> = parts
        .iter()
        .map(|part| Ok(space.reparametrise(&S::inclusion_map(part, &domain)?, p)))
        .collect::<Result<_, DiffeologyError>>()?;
    let glued = space.glue(&domain, &restricted, trial)?;
    Ok(all.and_part(compare_plots(space, &domain, &glued, p, trial)?))
}

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

/// Returns the axioms of a space as laws, by the names of [`AxiomVerdicts`].
pub fn space_suite<S: Site, X: Diffeology<S>>(space: &X, samples: &SampleSettings) -> LawSuite<DiffeologyError> {
    let law = |statement: fn(&X, &mut SplitMix64, &MapTestConfig) -> DiffeologyVerdict| {
        let space = space.clone();
        samples.sampled_law(move |random, trial| statement(&space, random, trial))
    };
    vec![
        (
            "constants",
            law(|space, random, trial| {
                let u = S::draw_domain(random);
                constants(space, &u, &space.draw_point(random), trial)
            }),
        ),
        (
            "reparametrisation",
            law(|space, random, trial| {
                let (u, v) = (S::draw_domain(random), S::draw_domain(random));
                // some opens have no map between them
                let Some(f) = S::draw_map(random, &v, &u) else { return Ok(Verdict::Vacuous) };
                reparametrisation(space, &f, &space.draw_plot(&u, random), trial)
            }),
        ),
        (
            "functoriality",
            law(|space, random, trial| {
                let (u, v, w) = (S::draw_domain(random), S::draw_domain(random), S::draw_domain(random));
                let (Some(f), Some(g)) = (S::draw_map(random, &v, &u), S::draw_map(random, &w, &v)) else {
                    return Ok(Verdict::Vacuous);
                };
                functoriality(space, &g, &f, &space.draw_plot(&u, random), trial)
            }),
        ),
        ("gluing", law(check_gluing)),
        (
            "concreteness",
            law(|space, random, trial| {
                let u = S::draw_domain(random);
                concreteness(space, &space.draw_plot(&u, random), trial)
            }),
        ),
    ]
}

/// Tests the axioms of a space: the laws of [`space_suite`].
///
/// # Errors
/// The error of evaluating plots, here and in all suites.
pub fn check_space<S: Site, X: Diffeology<S>>(
    space: &X,
    samples: &SampleSettings,
) -> Result<AxiomVerdicts, DiffeologyError> {
    let mut verdicts = check_suite(&space_suite(space, samples))?.into_iter().map(|(_, verdict)| verdict);
    let mut next = || verdicts.next().unwrap_or(Verdict::Vacuous);
    let [constants, reparametrisation, functoriality, gluing, concreteness] = [(); 5].map(|()| next());
    // that every plot is constant is refuted by the first plot with two values
    let (space, trial) = (space.clone(), samples.trial.clone());
    let all_constant: SampledLaw<DiffeologyError> = SampledLaw::new(samples, move |random| {
        Ok(match has_two_values::<S, X>(&space, random, &trial)? {
            true => Verdict::refuted("a plot", "two values", "one value"),
            false => Verdict::Survived,
        })
    });
    let varies = all_constant.check_samples()?.is_refuted();
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

/// Returns the laws of the category of spaces with its products and exponentials, on random smooth maps between X, Y and Z.
pub fn closed_suite<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    z: &Z,
    x: &X,
    y: &Y,
    samples: &SampleSettings,
) -> LawSuite<DiffeologyError> {
    let law = |statement: fn(&Z, &X, &Y, &mut SplitMix64, &MapTestConfig) -> DiffeologyVerdict| {
        let (z, x, y) = (z.clone(), x.clone(), y.clone());
        samples.sampled_law(move |random, trial| statement(&z, &x, &y, random, trial))
    };
    vec![
        (
            "category",
            law(|z, x, y, random, trial| {
                let f: SmoothMap<Z, X> = FunctionSpace(z.clone(), x.clone()).draw_point(random);
                let g: SmoothMap<X, Y> = FunctionSpace(x.clone(), y.clone()).draw_point(random);
                let h: SmoothMap<Y, Z> = FunctionSpace(y.clone(), z.clone()).draw_point(random);
                category_laws(&f, &g, &h, trial)
            }),
        ),
        (
            "products",
            law(|z, x, y, random, trial| {
                let f: SmoothMap<Z, X> = FunctionSpace(z.clone(), x.clone()).draw_point(random);
                let g: SmoothMap<Z, Y> = FunctionSpace(z.clone(), y.clone()).draw_point(random);
                product_laws(&f, &g, trial)
            }),
        ),
        (
            "exponentials",
            law(|z, x, y, random, trial| {
                let f: SmoothMap<ProductDiffeology<Z, X>, Y> =
                    FunctionSpace(ProductDiffeology(z.clone(), x.clone()), y.clone()).draw_point(random);
                let g: SmoothMap<Z, FunctionSpace<X, Y>> =
                    FunctionSpace(z.clone(), FunctionSpace(x.clone(), y.clone())).draw_point(random);
                exponential_laws(&f, &g, trial)
            }),
        ),
    ]
}

/// Tests random smooth maps between X, Y and Z: the laws of [`closed_suite`].
///
/// # Errors
/// As for [`check_space`].
pub fn check_closed<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    z: &Z,
    x: &X,
    y: &Y,
    samples: &SampleSettings,
) -> DiffeologyVerdict {
    check_suite_as_one(&closed_suite(z, x, y, samples))
}

/// Tests that one plot lies below another, at sample points of their domain.
///
/// # Errors
/// The error of evaluating plots, here and in all laws.
pub fn check_below<X: OrderedDiffeology>(
    space: &X,
    domain: &CAnalyticSet,
    p: &X::Plot,
    q: &X::Plot,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let mut all = Verdict::Vacuous;
    for point in CAnalyticSite::sample_points(domain, &mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
        let u = rational_point(&point);
        let here = space.test_below(&space.value_at(p, &u, trial)?, &space.value_at(q, &u, trial)?, trial)?;
        all = all.and(here.with_witness(|| format_rational_point(&point)));
    }
    Ok(all)
}

/// **Chains.** The least upper bound of a chain of plots is a plot and an upper bound, tested on plots 0, 1, 2 and
/// [`CHAIN_LIMIT_INDEX`]. It lies below every upper bound, tested on plot [`CHAIN_LIMIT_INDEX`]. The chain must be constant from [`CHAIN_LIMIT_INDEX`] on.
///
/// # Errors
/// As for [`check_below`].
pub fn chain_law<X: OrderedDiffeology>(
    space: &X,
    domain: &CAnalyticSet,
    chain: &PlotChain<X::Plot>,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let bound = space.least_upper_bound(domain, chain.clone());
    let mut all = space.test_plot(&bound, trial)?;
    if all.is_refuted() {
        return Ok(all);
    }
    // a bound that is a plot is no evidence for the order, so the comparisons start without a claim
    all = Verdict::Vacuous;
    for n in [0, 1, 2, CHAIN_LIMIT_INDEX] {
        all = all.and(check_below(space, domain, &chain(n), &bound, trial)?);
    }
    Ok(all.and(check_below(space, domain, &bound, &chain(CHAIN_LIMIT_INDEX), trial)?))
}

/// Tests that random chains of a space increase, and that their least upper bounds satisfy the fourth axiom.
///
/// # Errors
/// As for [`check_below`].
pub fn check_order<X: OrderedDiffeology>(space: &X, samples: &SampleSettings) -> Result<Verdict, DiffeologyError> {
    let space = space.clone();
    samples.check_statement(move |random, trial| {
        let domain = CAnalyticSite::draw_domain(random);
        let chain = space.draw_chain(&domain, random);
        let rises = check_below(&space, &domain, &chain(0), &chain(1), trial)?.and(check_below(
            &space,
            &domain,
            &chain(1),
            &chain(2),
            trial,
        )?);
        Ok(rises.and(chain_law(&space, &domain, &chain, trial)?))
    })
}

/// The number of arguments at which two maps are compared. A choice.
const COMPARED_ARGUMENTS: u64 = 4;

/// Compares two maps at random points.
///
/// # Errors
/// The error of evaluating maps, here and in all laws.
pub fn compare_maps<X: Diffeology, Y: Diffeology>(
    f: &SmoothMap<X, Y>,
    g: &SmoothMap<X, Y>,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    compare_at_points(trial.seed, COMPARED_ARGUMENTS, |random| {
        let x = f.domain().draw_point(random);
        // equality of maps is pointwise: a map has no structure beyond its values
        let verdict = f.codomain().compare_points(&f.value_at(&x, trial)?, &g.value_at(&x, trial)?, trial)?;
        Ok(verdict.with_witness(|| format!("the argument {}", f.domain().describe_point(&x, trial))))
    })
}

/// **Category.** `id;f = f = f;id`, `(f;g);h = f;(g;h)`, and composites are smooth.
///
/// # Errors
/// As for [`compare_maps`].
pub fn category_laws<W: Diffeology, X: Diffeology, Y: Diffeology, Z: Diffeology>(
    f: &SmoothMap<W, X>,
    g: &SmoothMap<X, Y>,
    h: &SmoothMap<Y, Z>,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let left = compare_maps(&SmoothMap::identity(f.domain()).then(f), f, trial)?;
    let right = compare_maps(&f.then(&SmoothMap::identity(f.codomain())), f, trial)?;
    let associative = compare_maps(&f.then(g).then(h), &f.then(&g.then(h)), trial)?;
    Ok(left.and_part(right).and_part(associative).and_part(f.then(g).test_smoothness(trial)?))
}

/// **Products.** `⟨f, g⟩;fst = f`, `⟨f, g⟩;snd = g`, and ⟨f, g⟩ and the projections are smooth.
///
/// # Errors
/// As for [`compare_maps`].
pub fn product_laws<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &SmoothMap<Z, X>,
    g: &SmoothMap<Z, Y>,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let both = pair_maps(f, g);
    let projections = compare_maps(&both.then(&first_projection(both.codomain())), f, trial)?.and_part(compare_maps(
        &both.then(&second_projection(both.codomain())),
        g,
        trial,
    )?);
    let smooth = both
        .test_smoothness(trial)?
        .and_part(first_projection(both.codomain()).test_smoothness(trial)?)
        .and_part(second_projection(both.codomain()).test_smoothness(trial)?);
    Ok(projections.and_part(smooth))
}

/// **Exponentials.** For f : Z × X → Y and g : Z → Diff(X, Y), `uncurry(curry f) = f` and `curry(uncurry g) = g`; both and
/// the evaluation are smooth.
///
/// # Errors
/// As for [`compare_maps`].
pub fn exponential_laws<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &SmoothMap<ProductDiffeology<Z, X>, Y>,
    g: &SmoothMap<Z, FunctionSpace<X, Y>>,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let there = compare_maps(&uncurry(&curry(f)), f, trial)?;
    let back = compare_maps(&curry(&uncurry(g)), g, trial)?;
    let smooth = curry(f)
        .test_smoothness(trial)?
        .and_part(uncurry(g).test_smoothness(trial)?)
        .and_part(evaluation_map(g.codomain()).test_smoothness(trial)?);
    Ok(there.and_part(back).and_part(smooth))
}
