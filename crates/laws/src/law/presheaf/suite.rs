//! Laws on random elements at random stages, each with a least number of informative samples.
//!
//! The laws of a presheaf are tested in one line:
//!
//! ```
//! use smoothish_laws::law::presheaf::suite::{self, Samples};
//! use smoothish_laws::presheaf::product::Product;
//! use smoothish_laws::presheaf::representable::Real;
//! use smoothish_laws::verdict::Verdict;
//! let samples = Samples::default();
//! assert_eq!(suite::presheaf::<Product<Real, Real>>(&samples).unwrap(), Verdict::Survived);
//! assert_eq!(suite::tangents::<Product<Real, Real>>(&samples).unwrap(), Verdict::Survived);
//! ```

use super::tangent::{self, Action};
use super::{ExponentialObject, Tried, application, beta, eta, restriction_composition, restriction_identity};
use crate::presheaf::Presheaf;
use crate::presheaf::coend::{Tan, Tangent};
use crate::presheaf::exponential::{Exponential, Transformation};
use crate::presheaf::isomorphism::Iso;
use crate::presheaf::observe::Observe;
use crate::presheaf::product::Product;
use crate::presheaf::sample::{self, Sample};
use crate::presheaf::stage::{Stage, at_a_stage};
use crate::random::Random;
use crate::smooth::map::{Space, Trial};
use crate::verdict::Verdict;

/// The settings of a law that is tested on samples.
#[derive(Clone, Debug)]
pub struct Samples {
    /// The number of samples that are drawn.
    pub drawn: u64,
    /// The least number of samples that must not be vacuous. With fewer, the verdict is vacuous.
    pub least: u64,
    /// The seed. The samples depend on it alone.
    pub seed: u64,
    /// The settings for comparing elements.
    pub trial: Trial,
}

impl Default for Samples {
    /// 12 samples, at least 8 of them informative; derivatives to order 2 at 4 points.
    fn default() -> Self {
        let trial = Trial { samples: 4, precisions: vec![53, 96], ..Trial::default() };
        Self { drawn: 12, least: 8, seed: 0, trial }
    }
}

impl Samples {
    /// Tests a statement on samples: refuted if one refutes it, vacuous if too few are informative.
    ///
    /// # Errors
    /// The error of the statement.
    pub fn tried<E>(&self, mut statement: impl FnMut(&mut Random, &Trial) -> Result<Verdict, E>) -> Result<Verdict, E> {
        let mut survived = 0;
        for index in 0..self.drawn {
            let mut random = Random::of(self.seed, index);
            // every sample compares at points of its own
            let trial = Trial { seed: random.next(), ..self.trial.clone() };
            match statement(&mut random, &trial)? {
                refuted @ Verdict::Refuted { .. } => return Ok(refuted),
                Verdict::Survived => survived += 1,
                Verdict::Vacuous => {}
            }
        }
        Ok(if survived >= self.least { Verdict::Survived } else { Verdict::Vacuous })
    }

    /// Like [`Samples::tried`], but at a random stage with one or two coordinates.
    ///
    /// # Errors
    /// The error of the statement.
    pub fn at_stages(&self, statement: impl for<'d> Fn(&mut Random, &Space<Stage<'d>>, &Trial) -> Tried) -> Tried {
        self.tried(|random, trial| at_a_stage(1 + random.below(2), |space| statement(random, space, trial)))
    }
}

/// Tests that F is a functor: [`restriction_identity`] and [`restriction_composition`].
///
/// # Errors
/// The error of evaluating maps, here and in all suites.
pub fn presheaf<F: Observe + Sample>(samples: &Samples) -> Tried {
    let identity = samples
        .at_stages(|random, space, trial| restriction_identity::<F, _>(space, &F::draw(random, space), trial))?;
    let composition = samples.at_stages(|random, space, trial| {
        let x = F::draw(random, space);
        at_a_stage(1 + random.below(2), |middle| {
            let e = sample::map(random, middle, space);
            at_a_stage(1, |last| {
                restriction_composition::<F, _, _, _>(&sample::map(random, last, middle), &e, &x, trial)
            })
        })
    })?;
    Ok(identity.both(composition))
}

/// Tests that X is F ⇒ H: [`application`], [`beta`] and [`eta`]. Functions are made by currying random functions of a
/// pair, so that they depend on their context.
///
/// # Errors
/// As for [`presheaf`].
pub fn exponential<X: ExponentialObject<F, H> + Observe, E: Sample, F: Sample, H: Observe>(
    samples: &Samples,
    body: &Transformation<Product<E, F>, H>,
) -> Tried {
    let natural = samples.at_stages(|random, space, trial| {
        let f = X::curry::<E, _>(space, &E::draw(random, space), body);
        at_a_stage(1 + random.below(2), |middle| {
            let e = sample::map(random, middle, space);
            let x = F::draw(random, middle);
            at_a_stage(1, |last| application::<X, F, H, _, _, _>(&f, &e, &x, &sample::map(random, last, middle), trial))
        })
    })?;
    let beta = samples.at_stages(|random, space, trial| {
        let context = E::draw(random, space);
        at_a_stage(1 + random.below(2), |later| {
            let e = sample::map(random, later, space);
            beta::<X, E, F, H, _, _>(&context, body, &e, &F::draw(random, later), trial)
        })
    })?;
    let eta = samples.at_stages(|random, space, trial| {
        eta::<X, F, H, _>(space, &X::curry::<E, _>(space, &E::draw(random, space), body), trial)
    })?;
    Ok(natural.both(beta).both(eta))
}

/// Tests an isomorphism in both directions.
///
/// # Errors
/// As for [`presheaf`].
pub fn isomorphism<A: Observe + Sample, B: Observe + Sample>(samples: &Samples, iso: &Iso<A, B>) -> Tried {
    samples.at_stages(|random, space, trial| {
        let (a, b) = (A::draw(random, space), B::draw(random, space));
        tangent::isomorphism(iso, space, &a, &b, trial)
    })
}

/// Tests that Tan is a functor with a base point, a zero and multiples. The functions are f and g at a random context.
///
/// # Errors
/// As for [`presheaf`].
pub fn functor<T: Action, E: Sample, A: Observe + Sample, B: Presheaf, C: Observe>(
    samples: &Samples,
    f: &Transformation<Product<E, A>, B>,
    g: &Transformation<Product<E, B>, C>,
) -> Tried {
    samples.at_stages(|random, space, trial| {
        let f = <Exponential<A, B> as ExponentialObject<A, B>>::curry::<E, _>(space, &E::draw(random, space), f);
        let g = <Exponential<B, C> as ExponentialObject<B, C>>::curry::<E, _>(space, &E::draw(random, space), g);
        let v = Tan::<A>::draw(random, space);
        let functor = tangent::functoriality::<T, A, B, C, _>(&f, &g, &v, trial)?;
        let composite = f.then(&g);
        let base = tangent::base_point::<T, A, C, _>(&composite, &v, trial)?;
        let c = sample::real(random, space);
        Ok(functor.both(base).both(tangent::homogeneity::<T, A, C, _>(&composite, &v, &c, trial)?))
    })
}

/// Tests that tangents to F do not depend on their stage, and that they restrict functorially.
///
/// # Errors
/// As for [`presheaf`].
pub fn tangents<F: Observe + Sample>(samples: &Samples) -> Tried {
    let coend = representatives::<Tan<F>, F>(samples)?;
    Ok(coend.both(presheaf::<Tan<F>>(samples)?))
}

/// Tests that tangents to F, compared as in T, do not depend on their stage.
///
/// # Errors
/// As for [`presheaf`].
pub fn representatives<T, F: Sample>(samples: &Samples) -> Tried
where
    T: Observe + for<'d> Presheaf<At<Stage<'d>> = Tangent<F, Stage<'d>>>,
{
    samples.at_stages(|random, space, trial| {
        at_a_stage(1 + random.below(2), |first| {
            // a representative is a direction into a stage times itself, with an element there
            let direction = sample::map(random, space, &first.times(first));
            at_a_stage(1 + random.below(2), |second| {
                let k = sample::map(random, first, second);
                let x = F::draw(random, second);
                tangent::representatives::<T, F, _, _, _>(&direction, &k, &x, trial)
            })
        })
    })
}
