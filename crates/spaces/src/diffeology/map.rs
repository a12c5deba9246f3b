//! Smooth maps: functions f : X → Y such that `p;f` is a plot of Y for every plot p of X (H Def. 4.1).
//!
//! A map is represented by its action on functions U → X. A point is a function on ℝ⁰, so the action determines the
//! values, and `(p;f)(u) = f(p(u))` is a law. [`Smooth::tried`] draws plots of X and tests both properties.

use super::Tried;
use super::error::DiffeologyError;
use super::open::Open;
use super::real::exactly;
use super::reparametrisation::Reparametrisation;
use super::space::Diffeology;
use crate::random::Random;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;
use std::fmt;
use std::sync::Arc;

type Action<X, Y> = dyn Fn(&<X as Diffeology>::Plot) -> Result<<Y as Diffeology>::Plot, DiffeologyError> + Send + Sync;

/// A function f : X → Y with the claim that it is smooth.
pub struct Smooth<X: Diffeology, Y: Diffeology> {
    from: X,
    to: Y,
    act: Arc<Action<X, Y>>,
}

/// A plot of X whose composite with a map is no plot of Y, with the refutation.
pub struct Broken<X: Diffeology> {
    /// The plot.
    pub plot: X::Plot,
    /// The refutation.
    pub verdict: Verdict,
}

impl<X: Diffeology, Y: Diffeology> Smooth<X, Y> {
    /// Returns the function with the action p ↦ p;f.
    pub fn new(
        from: &X,
        to: &Y,
        act: impl Fn(&X::Plot) -> Result<Y::Plot, DiffeologyError> + Send + Sync + 'static,
    ) -> Self {
        Self { from: from.clone(), to: to.clone(), act: Arc::new(act) }
    }

    /// Returns the constant function with value `y`.
    #[must_use]
    pub fn constant(from: &X, to: &Y, y: &Y::Point) -> Self {
        let (x, space, y) = (from.clone(), to.clone(), y.clone());
        Self::new(from, to, move |p| Ok(space.constant(&x.domain(p), &y)))
    }

    /// Returns the domain X.
    #[must_use]
    pub fn from(&self) -> &X {
        &self.from
    }

    /// Returns the codomain Y.
    #[must_use]
    pub fn to(&self) -> &Y {
        &self.to
    }

    /// Returns the composite `p;f`.
    ///
    /// # Errors
    /// The errors of the action.
    pub fn after(&self, p: &X::Plot) -> Result<Y::Plot, DiffeologyError> {
        (self.act)(p)
    }

    /// Returns the value f(x).
    ///
    /// # Errors
    /// The errors of the action and of evaluation.
    pub fn at(&self, x: &X::Point, trial: &Trial) -> Result<Y::Point, DiffeologyError> {
        // A point is a plot on ℝ⁰.
        let p = self.after(&self.from.constant(&Open::whole(0), x))?;
        self.to.at(&p, &[], trial)
    }

    /// Returns the composite `f;g`.
    #[must_use]
    pub fn then<Z: Diffeology>(&self, g: &Smooth<Y, Z>) -> Smooth<X, Z> {
        let (f, g, from, to) = (self.clone(), g.clone(), self.from.clone(), g.to.clone());
        Smooth::new(&from, &to, move |p| g.after(&f.after(p)?))
    }

    /// Tests whether `p;f` is a plot, and whether its values at sample points are f(p(u)).
    ///
    /// # Errors
    /// The errors of the action and of evaluation.
    pub fn preserves(&self, p: &X::Plot, trial: &Trial) -> Tried {
        let image = self.after(p)?;
        let mut all = self.to.is_plot(&image, trial)?;
        let domain = self.from.domain(p);
        for u in domain.samples(&mut Random::new(trial.seed), trial.samples as usize) {
            if all.is_refuted() {
                break;
            }
            let u = exactly(&u);
            let value = self.at(&self.from.at(p, &u, trial)?, trial)?;
            all = all.both(self.to.same(&self.to.at(&image, &u, trial)?, &value, trial)?);
        }
        Ok(all)
    }

    /// Tests the map on random plots of X.
    ///
    /// # Errors
    /// The errors of the action and of evaluation.
    pub fn tried(&self, trial: &Trial) -> Tried {
        Ok(self.broken(trial)?.1)
    }

    /// Searches for a plot of X whose composite with the map is no plot of Y. Returns it, or `None` if none is found,
    /// with the verdict over all plots that were tested. There are two plots for each sample of the trial.
    ///
    /// # Errors
    /// The errors of the action and of evaluation.
    pub fn broken(&self, trial: &Trial) -> Result<(Option<Broken<X>>, Verdict), DiffeologyError> {
        let mut all = Verdict::Survived;
        for index in 0..2 * u64::from(trial.samples) {
            let mut random = Random::of(trial.seed, index);
            // Whole spaces ℝ¹ and ℝ² alternate with proper open sets, where domains matter.
            let domain = if index % 2 == 0 { Open::whole(1 + random.below(2)) } else { Open::draw(&mut random) };
            let plot = self.from.draw_plot(&domain, &mut random);
            let verdict = self.preserves(&plot, trial)?;
            if verdict.is_refuted() {
                return Ok((Some(Broken { plot, verdict: verdict.clone() }), verdict));
            }
            all = all.both(verdict);
        }
        Ok((None, all))
    }
}

impl<X: Diffeology> Smooth<X, X> {
    /// Returns the identity.
    #[must_use]
    pub fn identity(of: &X) -> Self {
        Self::new(of, of, |p| Ok(p.clone()))
    }
}

/// Draws a smooth function: a plot ℝ → Y after a smooth function X → ℝ.
pub(super) fn draw<X: Diffeology, Y: Diffeology>(from: &X, to: &Y, random: &mut Random) -> Smooth<X, Y> {
    let line = Open::whole(1);
    let curve = to.draw_plot(&line, random);
    let which = random.next() >> 1;
    let (x, y) = (from.clone(), to.clone());
    Smooth::new(from, to, move |p| {
        // The observation comes in pieces, so the composite does as well.
        let domain = x.domain(p);
        let piece = |(region, g)| (region, y.reparametrise(&Reparametrisation::constant(&domain, &line, &[g]), &curve));
        Ok(y.piecewise(&domain, x.observed(which, p).into_iter().map(piece).collect()))
    })
}

impl<X: Diffeology, Y: Diffeology> Clone for Smooth<X, Y> {
    fn clone(&self) -> Self {
        Self { from: self.from.clone(), to: self.to.clone(), act: self.act.clone() }
    }
}

impl<X: Diffeology, Y: Diffeology> fmt::Debug for Smooth<X, Y> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<smooth map>")
    }
}
