//! Smooth maps: functions f : X → Y such that `p;f` is a plot of Y for every plot p of X (H Def. 4.1).
//!
//! A map is represented by its action on functions U → X. A point is a function on ℝ⁰, so the action determines the
//! values, and `(p;f)(u) = f(p(u))` is a law. [`SmoothMap::test_smoothness`] draws plots of X and tests both properties.

use super::DiffeologyVerdict;
use super::error::DiffeologyError;
use super::open::OpenSet;
use super::real::rational_point;
use super::reparametrisation::Reparametrisation;
use super::space::Diffeology;
use crate::random::SplitMix64;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;
use std::fmt;
use std::sync::Arc;

type SmoothAction<X, Y> =
    dyn Fn(&<X as Diffeology>::Plot) -> Result<<Y as Diffeology>::Plot, DiffeologyError> + Send + Sync;

/// A function f : X → Y with the claim that it is smooth.
pub struct SmoothMap<X: Diffeology, Y: Diffeology> {
    domain: X,
    codomain: Y,
    act: Arc<SmoothAction<X, Y>>,
}

/// A plot of X whose composite with a map is no plot of Y, with the refutation.
pub struct NotSmooth<X: Diffeology> {
    /// The plot.
    pub plot: X::Plot,
    /// The refutation.
    pub verdict: Verdict,
}

impl<X: Diffeology, Y: Diffeology> SmoothMap<X, Y> {
    /// Returns the function with the action p ↦ p;f.
    pub fn new(
        from: &X,
        to: &Y,
        act: impl Fn(&X::Plot) -> Result<Y::Plot, DiffeologyError> + Send + Sync + 'static,
    ) -> Self {
        Self { domain: from.clone(), codomain: to.clone(), act: Arc::new(act) }
    }

    /// Returns the constant function with value `y`.
    #[must_use]
    pub fn constant(from: &X, to: &Y, y: &Y::Point) -> Self {
        let (x, space, y) = (from.clone(), to.clone(), y.clone());
        Self::new(from, to, move |p| Ok(space.constant_plot(&x.plot_domain(p), &y)))
    }

    /// Returns the domain X.
    #[must_use]
    pub fn domain(&self) -> &X {
        &self.domain
    }

    /// Returns the codomain Y.
    #[must_use]
    pub fn codomain(&self) -> &Y {
        &self.codomain
    }

    /// Returns the composite `p;f`.
    ///
    /// # Errors
    /// The errors of the action.
    pub fn compose_plot(&self, p: &X::Plot) -> Result<Y::Plot, DiffeologyError> {
        (self.act)(p)
    }

    /// Returns the value f(x).
    ///
    /// # Errors
    /// The errors of the action and of evaluation.
    pub fn value_at(&self, x: &X::Point, trial: &MapTestConfig) -> Result<Y::Point, DiffeologyError> {
        // A point is a plot on ℝ⁰.
        let p = self.compose_plot(&self.domain.constant_plot(&OpenSet::whole_space(0), x))?;
        self.codomain.value_at(&p, &[], trial)
    }

    /// Returns the composite `f;g`.
    #[must_use]
    pub fn then<Z: Diffeology>(&self, g: &SmoothMap<Y, Z>) -> SmoothMap<X, Z> {
        let (f, g, from, to) = (self.clone(), g.clone(), self.domain.clone(), g.codomain.clone());
        SmoothMap::new(&from, &to, move |p| g.compose_plot(&f.compose_plot(p)?))
    }

    /// Tests whether `p;f` is a plot, and whether its values at sample points are f(p(u)).
    ///
    /// # Errors
    /// The errors of the action and of evaluation.
    pub fn test_plot(&self, p: &X::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let image = self.compose_plot(p)?;
        let mut all = self.codomain.test_plot(&image, trial)?;
        let domain = self.domain.plot_domain(p);
        for u in domain.sample_points(&mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
            if all.is_refuted() {
                break;
            }
            let u = rational_point(&u);
            let value = self.value_at(&self.domain.value_at(p, &u, trial)?, trial)?;
            all = all.and_part(self.codomain.compare_points(
                &self.codomain.value_at(&image, &u, trial)?,
                &value,
                trial,
            )?);
        }
        Ok(all)
    }

    /// Tests the map on random plots of X.
    ///
    /// # Errors
    /// The errors of the action and of evaluation.
    pub fn test_smoothness(&self, trial: &MapTestConfig) -> DiffeologyVerdict {
        Ok(self.find_counterexample(trial)?.1)
    }

    /// Searches for a plot of X whose composite with the map is no plot of Y. Returns it, or `None` if none is found,
    /// with the verdict over all plots that were tested. There are two plots for each sample of the trial.
    ///
    /// # Errors
    /// The errors of the action and of evaluation.
    pub fn find_counterexample(
        &self,
        trial: &MapTestConfig,
    ) -> Result<(Option<NotSmooth<X>>, Verdict), DiffeologyError> {
        let mut all = Verdict::Survived;
        for index in 0..2 * u64::from(trial.sample_points) {
            let mut random = SplitMix64::for_sample(trial.seed, index);
            // Whole spaces ℝ¹ and ℝ² alternate with proper open sets, where domains matter.
            let domain = if index % 2 == 0 {
                OpenSet::whole_space(1 + random.next_below(2))
            } else {
                OpenSet::draw_set(&mut random)
            };
            let plot = self.domain.draw_plot(&domain, &mut random);
            let verdict = self.test_plot(&plot, trial)?;
            if verdict.is_refuted() {
                return Ok((Some(NotSmooth { plot, verdict: verdict.clone() }), verdict));
            }
            all = all.and_part(verdict);
        }
        Ok((None, all))
    }
}

impl<X: Diffeology> SmoothMap<X, X> {
    /// Returns the identity.
    #[must_use]
    pub fn identity(of: &X) -> Self {
        Self::new(of, of, |p| Ok(p.clone()))
    }
}

/// Draws a smooth function: a plot ℝ → Y after a smooth function X → ℝ.
pub(super) fn draw_smooth_map<X: Diffeology, Y: Diffeology>(
    from: &X,
    to: &Y,
    random: &mut SplitMix64,
) -> SmoothMap<X, Y> {
    let line = OpenSet::whole_space(1);
    let curve = to.draw_plot(&line, random);
    let which = random.next() >> 1;
    let (x, y) = (from.clone(), to.clone());
    SmoothMap::new(from, to, move |p| {
        // The observation comes in pieces, so the composite does as well.
        let domain = x.plot_domain(p);
        let piece =
            |(region, g)| (region, y.reparametrise(&Reparametrisation::constant_map(&domain, &line, &[g]), &curve));
        Ok(y.glue_pieces(&domain, x.observe_plot(which, p).into_iter().map(piece).collect()))
    })
}

impl<X: Diffeology, Y: Diffeology> Clone for SmoothMap<X, Y> {
    fn clone(&self) -> Self {
        Self { domain: self.domain.clone(), codomain: self.codomain.clone(), act: self.act.clone() }
    }
}

impl<X: Diffeology, Y: Diffeology> fmt::Debug for SmoothMap<X, Y> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<smooth map>")
    }
}
