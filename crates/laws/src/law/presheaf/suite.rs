//! Laws on random elements at random stages, each with a least number of informative samples.
//!
//! The laws of a presheaf are tested in one line:
//!
//! ```
//! use smoothish_laws::law::presheaf::suite::{self, SampleSettings};
//! use smoothish_laws::presheaf::product::ProductPresheaf;
//! use smoothish_laws::presheaf::representable::RealPresheaf;
//! use smoothish_laws::verdict::Verdict;
//! let samples = SampleSettings::default();
//! assert_eq!(suite::check_presheaf::<ProductPresheaf<RealPresheaf, RealPresheaf>>(&samples).unwrap(), Verdict::Survived);
//! assert_eq!(suite::check_tangents::<ProductPresheaf<RealPresheaf, RealPresheaf>>(&samples).unwrap(), Verdict::Survived);
//! ```

use super::tangent::{self, TangentAction};
use super::{
    ExponentialObject, PresheafVerdict, exponential_beta, exponential_eta, kripke_naturality, restriction_composition,
    restriction_identity,
};
use crate::presheaf::Presheaf;
use crate::presheaf::coend::{CoendTangent, TanPresheaf};
use crate::presheaf::exponential::{ExponentialPresheaf, PresheafTransformation};
use crate::presheaf::isomorphism::PresheafIso;
use crate::presheaf::observe::Observe;
use crate::presheaf::product::ProductPresheaf;
use crate::presheaf::sample::{self, SampleElements};
use crate::presheaf::stage::{Stage, with_stage};
use crate::random::SplitMix64;
use crate::smooth::map::{MapTestConfig, Space};
use crate::verdict::Verdict;

/// The settings of a law that is tested on samples.
#[derive(Clone, Debug)]
pub struct SampleSettings {
    /// The number of samples that are drawn.
    pub drawn: u64,
    /// The least number of samples that must not be vacuous. With fewer, the verdict is vacuous.
    pub least: u64,
    /// The seed. The samples depend on it alone.
    pub seed: u64,
    /// The settings for comparing elements.
    pub trial: MapTestConfig,
}

impl Default for SampleSettings {
    /// 12 samples, at least 8 of them informative; derivatives to order 2 at 4 points.
    fn default() -> Self {
        let trial = MapTestConfig { sample_points: 4, precisions: vec![53, 96], ..MapTestConfig::default() };
        Self { drawn: 12, least: 8, seed: 0, trial }
    }
}

impl SampleSettings {
    /// Tests a statement on samples: refuted if one refutes it, vacuous if too few are informative.
    ///
    /// # Errors
    /// The error of the statement.
    pub fn check_statement<E>(
        &self,
        mut statement: impl FnMut(&mut SplitMix64, &MapTestConfig) -> Result<Verdict, E>,
    ) -> Result<Verdict, E> {
        let mut survived = 0;
        for index in 0..self.drawn {
            let mut random = SplitMix64::for_sample(self.seed, index);
            // every sample compares at points of its own
            let trial = MapTestConfig { seed: random.next(), ..self.trial.clone() };
            match statement(&mut random, &trial)? {
                refuted @ Verdict::Refuted { .. } => return Ok(refuted),
                Verdict::Survived => survived += 1,
                Verdict::Vacuous => {}
            }
        }
        Ok(if survived >= self.least { Verdict::Survived } else { Verdict::Vacuous })
    }

    /// Like [`SampleSettings::check_statement`], but at a random stage with one or two coordinates.
    ///
    /// # Errors
    /// The error of the statement.
    pub fn check_at_stages(
        &self,
        statement: impl for<'d> Fn(&mut SplitMix64, &Space<Stage<'d>>, &MapTestConfig) -> PresheafVerdict,
    ) -> PresheafVerdict {
        self.check_statement(|random, trial| {
            with_stage(1 + random.next_below(2), |space| statement(random, space, trial))
        })
    }
}

/// Tests that F is a functor: [`restriction_identity`] and [`restriction_composition`].
///
/// # Errors
/// The error of evaluating maps, here and in all suites.
pub fn check_presheaf<F: Observe + SampleElements>(samples: &SampleSettings) -> PresheafVerdict {
    let identity = samples.check_at_stages(|random, space, trial| {
        restriction_identity::<F, _>(space, &F::draw_element(random, space), trial)
    })?;
    let composition = samples.check_at_stages(|random, space, trial| {
        let x = F::draw_element(random, space);
        with_stage(1 + random.next_below(2), |middle| {
            let e = sample::draw_map(random, middle, space);
            with_stage(1, |last| {
                restriction_composition::<F, _, _, _>(&sample::draw_map(random, last, middle), &e, &x, trial)
            })
        })
    })?;
    Ok(identity.and_part(composition))
}

/// Tests that X is F ⇒ H: [`kripke_naturality`], [`exponential_beta`] and [`exponential_eta`]. Functions are made by currying random functions of a
/// pair, so that they depend on their context.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_exponential<X: ExponentialObject<F, H> + Observe, E: SampleElements, F: SampleElements, H: Observe>(
    samples: &SampleSettings,
    body: &PresheafTransformation<ProductPresheaf<E, F>, H>,
) -> PresheafVerdict {
    let natural = samples.check_at_stages(|random, space, trial| {
        let f = X::curry::<E, _>(space, &E::draw_element(random, space), body);
        with_stage(1 + random.next_below(2), |middle| {
            let e = sample::draw_map(random, middle, space);
            let x = F::draw_element(random, middle);
            with_stage(1, |last| {
                kripke_naturality::<X, F, H, _, _, _>(&f, &e, &x, &sample::draw_map(random, last, middle), trial)
            })
        })
    })?;
    let beta = samples.check_at_stages(|random, space, trial| {
        let context = E::draw_element(random, space);
        with_stage(1 + random.next_below(2), |later| {
            let e = sample::draw_map(random, later, space);
            exponential_beta::<X, E, F, H, _, _>(&context, body, &e, &F::draw_element(random, later), trial)
        })
    })?;
    let eta = samples.check_at_stages(|random, space, trial| {
        exponential_eta::<X, F, H, _>(space, &X::curry::<E, _>(space, &E::draw_element(random, space), body), trial)
    })?;
    Ok(natural.and_part(beta).and_part(eta))
}

/// Tests an isomorphism in both directions.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_isomorphism<A: Observe + SampleElements, B: Observe + SampleElements>(
    samples: &SampleSettings,
    iso: &PresheafIso<A, B>,
) -> PresheafVerdict {
    samples.check_at_stages(|random, space, trial| {
        let (a, b) = (A::draw_element(random, space), B::draw_element(random, space));
        tangent::isomorphism(iso, space, &a, &b, trial)
    })
}

/// Tests that Tan is a functor with a base point, a zero and multiples. The functions are f and g at a random context.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_tangent_functor<
    T: TangentAction,
    E: SampleElements,
    A: Observe + SampleElements,
    B: Presheaf,
    C: Observe,
>(
    samples: &SampleSettings,
    f: &PresheafTransformation<ProductPresheaf<E, A>, B>,
    g: &PresheafTransformation<ProductPresheaf<E, B>, C>,
) -> PresheafVerdict {
    samples.check_at_stages(|random, space, trial| {
        let f = <ExponentialPresheaf<A, B> as ExponentialObject<A, B>>::curry::<E, _>(
            space,
            &E::draw_element(random, space),
            f,
        );
        let g = <ExponentialPresheaf<B, C> as ExponentialObject<B, C>>::curry::<E, _>(
            space,
            &E::draw_element(random, space),
            g,
        );
        let v = TanPresheaf::<A>::draw_element(random, space);
        let functor = tangent::functoriality::<T, A, B, C, _>(&f, &g, &v, trial)?;
        let composite = f.then(&g);
        let base = tangent::base_point::<T, A, C, _>(&composite, &v, trial)?;
        let c = sample::draw_real_map(random, space);
        Ok(functor.and_part(base).and_part(tangent::homogeneity::<T, A, C, _>(&composite, &v, &c, trial)?))
    })
}

/// Tests that tangents to F do not depend on their stage, and that they restrict functorially.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_tangents<F: Observe + SampleElements>(samples: &SampleSettings) -> PresheafVerdict {
    let coend = check_representatives::<TanPresheaf<F>, F>(samples)?;
    Ok(coend.and_part(check_presheaf::<TanPresheaf<F>>(samples)?))
}

/// Tests that tangents to F, compared as in T, do not depend on their stage.
///
/// # Errors
/// As for [`check_presheaf`].
pub fn check_representatives<T, F: SampleElements>(samples: &SampleSettings) -> PresheafVerdict
where
    T: Observe + for<'d> Presheaf<At<Stage<'d>> = CoendTangent<F, Stage<'d>>>,
{
    samples.check_at_stages(|random, space, trial| {
        with_stage(1 + random.next_below(2), |first| {
            // a representative is a direction into a stage times itself, with an element there
            let direction = sample::draw_map(random, space, &first.product_with(first));
            with_stage(1 + random.next_below(2), |second| {
                let k = sample::draw_map(random, first, second);
                let x = F::draw_element(random, second);
                tangent::coend_representatives::<T, F, _, _, _>(&direction, &k, &x, trial)
            })
        })
    })
}
