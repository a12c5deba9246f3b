//! Partial morphisms X ⇀ Y: functions into the lifting of Y that map plots to plots (W §3.2), and the space of them.
//!
//! They are the arrows of a category with exponentials. A function U → (X ⇀ Y) is a plot if it is a partial morphism on
//! U × X. It is represented by its action on pairs of a map V → U and a plot of X on V.

use super::{Chain, Found, Lift, Lifted, MOST, Ordered, Pieces};
use crate::diffeology::analytic::{Analytic, CAnalytic, PapMap, polynomial};
use crate::diffeology::product::Product;
use crate::diffeology::real::exactly;
use crate::diffeology::reparametrisation::composed;
use crate::diffeology::site::Site;
use crate::diffeology::{Diffeology, DiffeologyError, Tried};
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The space X ⇀ Y of partial morphisms.
#[derive(Clone, Debug)]
pub struct Partial<X, Y>(pub X, pub Y);

type PlotOf<X> = <X as Diffeology<CAnalytic>>::Plot;
type PointOf<X> = <X as Diffeology<CAnalytic>>::Point;
type Action<X, Y> = dyn Fn(&PapMap, &PlotOf<X>) -> Result<Lifted<PlotOf<Y>>, DiffeologyError> + Send + Sync;

/// A function U → (X ⇀ Y), represented by its action `(φ, p) ↦ (v ↦ f(φ(v))(p(v)))`. If U = ℝ⁰, it is a partial
/// morphism.
pub struct Morphism<X: Ordered, Y: Ordered> {
    domain: Analytic,
    act: Arc<Action<X, Y>>,
}

impl<X: Ordered, Y: Ordered> Clone for Morphism<X, Y> {
    fn clone(&self) -> Self {
        Self { domain: self.domain.clone(), act: self.act.clone() }
    }
}

impl<X: Ordered, Y: Ordered> Morphism<X, Y> {
    /// Returns the function on U with the given action.
    pub fn new(
        domain: &Analytic,
        act: impl Fn(&PapMap, &PlotOf<X>) -> Result<Lifted<PlotOf<Y>>, DiffeologyError> + Send + Sync + 'static,
    ) -> Self {
        Self { domain: domain.clone(), act: Arc::new(act) }
    }

    /// Returns the morphism with the given action on plots. It does not depend on a point of U.
    pub fn of(act: impl Fn(&PlotOf<X>) -> Result<Lifted<PlotOf<Y>>, DiffeologyError> + Send + Sync + 'static) -> Self {
        Self::new(&CAnalytic::point(), move |_, p| act(p))
    }

    /// Returns the partial function `v ↦ f(φ(v))(p(v))`.
    ///
    /// # Errors
    /// The errors of the action.
    pub fn act(&self, along: &PapMap, p: &PlotOf<X>) -> Result<Lifted<PlotOf<Y>>, DiffeologyError> {
        (self.act)(along, p)
    }

    /// Applies a morphism to a plot with domain `from`.
    ///
    /// # Errors
    /// The errors of the action.
    pub fn after(&self, from: &Analytic, p: &PlotOf<X>) -> Result<Lifted<PlotOf<Y>>, DiffeologyError> {
        self.act(&CAnalytic::constant(from, &self.domain, &[]), p)
    }

    /// Evaluates a morphism at a point.
    ///
    /// # Errors
    /// The errors of the action.
    pub fn at(&self, x: &X, y: &Y, point: &PointOf<X>, trial: &Trial) -> Result<Found<PointOf<Y>>, DiffeologyError> {
        let here = CAnalytic::point();
        let image = self.after(&here, &x.constant(&here, point))?;
        Lift(y.clone()).at(&image, &[], trial)
    }

    /// Returns the composite of two morphisms. It is defined where the first is defined and the second is defined on
    /// its value.
    pub fn then<Z: Ordered>(&self, x: &X, z: &Z, next: &Morphism<Y, Z>) -> Morphism<X, Z> {
        let (first, next, x, z) = (self.clone(), next.clone(), x.clone(), z.clone());
        Morphism::of(move |p| {
            let from = x.domain(p);
            let middle = first.after(&from, p)?;
            let known = middle.known();
            let pieces = known.parts.iter().map(|(answers, q)| {
                let part = Analytic::new(known.domain.dimension(), vec![answers.clone()]);
                Ok((part, next.after(&from, q)?))
            });
            let pieces = pieces.collect::<Result<Vec<_>, DiffeologyError>>()?;
            let mut all = Lift(z.clone()).piecewise(&known.domain, pieces);
            // Parts of the first morphism that are not known yet give parts of the composite.
            all.ends = all.ends.filter(|_| middle.ends.is_some());
            Ok(all)
        })
    }
}

/// Returns the curried morphism Λf : Z ⇀ (X ⇀ Y), for f : Z × X ⇀ Y.
pub fn curry<Z: Ordered, X: Ordered, Y: Ordered>(z: &Z, f: &Morphism<Product<Z, X>, Y>) -> Morphism<Z, Partial<X, Y>> {
    let (z, f) = (z.clone(), f.clone());
    // Λf is total: a partial function of pairs is a total function to partial functions.
    Morphism::of(move |q: &PlotOf<Z>| {
        let (z, f, q, domain) = (z.clone(), f.clone(), q.clone(), z.domain(q));
        let inner = Morphism::new(&domain, move |along: &PapMap, p: &PlotOf<X>| {
            f.after(along.from(), &(z.reparametrise(along, &q), p.clone()))
        });
        Ok(Lifted::of(Pieces::whole(&domain, inner)))
    })
}

/// Returns the evaluation morphism ev : (X ⇀ Y) × X ⇀ Y.
#[must_use]
pub fn evaluation<X: Ordered, Y: Ordered>() -> Morphism<Product<Partial<X, Y>, X>, Y> {
    Morphism::of(|(f, p): &(Morphism<X, Y>, PlotOf<X>)| f.act(&CAnalytic::identity(&f.domain), p))
}

/// The number of arguments in a comparison of two functions, and of pairs in a test of one. A choice: each pair costs a
/// test of a plot.
const PAIRS: u64 = 3;

impl<X: Ordered, Y: Ordered> Diffeology<CAnalytic> for Partial<X, Y> {
    type Point = Morphism<X, Y>;
    type Plot = Morphism<X, Y>;

    fn domain(&self, plot: &Self::Plot) -> Analytic {
        plot.domain.clone()
    }
    fn constant(&self, domain: &Analytic, f: &Self::Point) -> Self::Plot {
        let f = f.clone();
        Morphism::new(domain, move |along, p| f.after(along.from(), p))
    }
    fn reparametrise(&self, along: &PapMap, plot: &Self::Plot) -> Self::Plot {
        let (along, plot) = (along.clone(), plot.clone());
        Morphism::new(&along.from().clone(), move |earlier, p| plot.act(&CAnalytic::then(earlier, &along)?, p))
    }
    fn piecewise(&self, domain: &Analytic, pieces: Vec<(Analytic, Self::Plot)>) -> Self::Plot {
        let to = Lift(self.1.clone());
        Morphism::new(domain, move |along, p| {
            let piece =
                |(set, f): &(Analytic, Self::Plot)| Ok((set.intersection(&f.domain).preimage(along), f.act(along, p)?));
            let pieces = pieces.iter().map(piece).collect::<Result<_, DiffeologyError>>()?;
            Ok(to.piecewise(along.from(), pieces))
        })
    }
    fn at(&self, plot: &Self::Plot, u: &[Graph], _: &Trial) -> Result<Self::Point, DiffeologyError> {
        DiffeologyError::fits("the point", plot.domain.dimension(), u.len())?;
        let (plot, x, u) = (plot.clone(), self.0.clone(), u.to_vec());
        Ok(Morphism::of(move |p| plot.act(&CAnalytic::constant(&x.domain(p), &plot.domain, &u), p)))
    }
    /// Compares two functions at random arguments.
    fn same(&self, f: &Self::Point, g: &Self::Point, trial: &Trial) -> Tried {
        self.compared(f, g, trial, |lift, a, b| lift.same(a, b, trial))
    }
    /// Tests at random pairs of a map and a plot whether the result is a plot, and whether its values at points are
    /// f(φ(v))(p(v)). A random chain that is constant from its third plot on must not refute continuity either.
    /// [`Partial::continuous`] tests longer chains.
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        let lift = Lift(self.1.clone());
        let continuous = self.rises(plot, trial)?;
        // Only a refutation of continuity counts here; otherwise the pairs decide.
        if continuous.is_refuted() {
            return Ok(continuous);
        }
        Verdict::all((0..PAIRS).map(|index| {
            let mut random = Random::of(trial.seed, index);
            // The first pair has φ = id; the others refute actions that are not natural in V.
            let v = if index == 0 { plot.domain.clone() } else { CAnalytic::draw(&mut random) };
            let drawn = if index == 0 { None } else { CAnalytic::draw_map(&mut random, &v, &plot.domain) };
            let along = drawn.unwrap_or_else(|| CAnalytic::identity(&plot.domain));
            let p = self.0.draw_plot(along.from(), &mut random);
            let image = plot.act(&along, &p)?;
            let mut here = lift.is_plot(&image, trial)?;
            for point in CAnalytic::samples(along.from(), &mut random, 2) {
                let v = exactly(&point);
                let f = self.at(plot, &CAnalytic::at(&along, &v, trial)?, trial)?;
                let value = f.at(&self.0, &self.1, &self.0.at(&p, &v, trial)?, trial)?;
                here = here.both(lift.same(&lift.at(&image, &v, trial)?, &value, trial)?);
            }
            Ok(here)
        }))
    }
    fn draw_point(&self, random: &mut Random) -> Self::Point {
        self.draw_plot(&CAnalytic::point(), random)
    }
    /// Draws a partial function of two numbers: a polynomial at the point of U, and an observation of the argument.
    fn draw_plot(&self, domain: &Analytic, random: &mut Random) -> Self::Plot {
        let surface = Lift(self.1.clone()).draw_plot(&Analytic::whole(2), random);
        self.drawn(domain, polynomial(random, domain.dimension()), random.next() >> 1, surface)
    }
    fn told(&self, _: &Self::Point, _: &Trial) -> String {
        "<partial morphism>".to_owned()
    }
}

impl<X: Ordered, Y: Ordered> Partial<X, Y> {
    /// Returns a partial function of two numbers: of `number` at the point of U, and of an observation of the argument.
    fn drawn(&self, domain: &Analytic, number: Graph, which: u64, surface: Lifted<PlotOf<Y>>) -> Morphism<X, Y> {
        let (lift, x) = (Lift(self.1.clone()), self.0.clone());
        Morphism::new(domain, move |along, p| {
            let mut pieces = Vec::new();
            for (answers, graphs) in along.pieces() {
                let here = composed(std::slice::from_ref(&number), graphs).swap_remove(0);
                for (set, g) in x.observed(which, p) {
                    let part = set.intersection(&Analytic::new(along.from().dimension(), vec![answers.clone()]));
                    let both = CAnalytic::constant(along.from(), &surface.domain, &[here.clone(), g]);
                    pieces.push((part, lift.reparametrise(&both, &surface)));
                }
            }
            Ok(lift.piecewise(along.from(), pieces))
        })
    }

    /// Tests monotonicity and continuity on a chain that is constant from its third plot on, at one point: the bound
    /// must be mapped to the third image.
    fn rises(&self, f: &Morphism<X, Y>, trial: &Trial) -> Tried {
        let (lift, along) = (Lift(self.1.clone()), CAnalytic::identity(&f.domain));
        let drawn = self.0.draw_chain(&f.domain, &mut Random::of(trial.seed, PAIRS));
        let few = [0, 1, 2].map(|n| drawn(n));
        let images = few.iter().map(|p| f.act(&along, p)).collect::<Result<Vec<_>, _>>()?;
        let bound = f.act(&along, &self.0.lub(&f.domain, Arc::new(move |n| few[n.min(2)].clone())))?;
        Verdict::all(CAnalytic::samples(&f.domain, &mut Random::new(trial.seed), 1).iter().map(|v| {
            let v = exactly(v);
            let all = images.iter().map(|p| lift.at(p, &v, trial)).collect::<Result<Vec<_>, _>>()?;
            let rises = lift.below(&all[0], &all[1], trial)?.and(lift.below(&all[1], &all[2], trial)?);
            Ok(rises.and(lift.same(&lift.at(&bound, &v, trial)?, &all[2], trial)?))
        }))
    }

    /// Tests on a chain of plots of X, at sample points, whether the images of f increase, and whether f maps the bound
    /// to the bound of the images. Values that are not known refute nothing.
    ///
    /// # Errors
    /// The errors of the action and of evaluation.
    pub fn continuous(&self, f: &Morphism<X, Y>, along: &PapMap, chain: &Chain<PlotOf<X>>, trial: &Trial) -> Tried {
        let (lift, from) = (Lift(self.1.clone()), along.from());
        // Three early elements, where drawn chains still grow, and the one that stands for the limit.
        let first = [0, 1, 2, MOST].map(|n| f.act(along, &chain(n)));
        let first = first.into_iter().collect::<Result<Vec<_>, _>>()?;
        let ours = f.act(along, &self.0.lub(from, chain.clone()))?;
        let bound = {
            let (f, along, chain, nothing) = (f.clone(), along.clone(), chain.clone(), first[0].clone());
            lift.lub(from, Arc::new(move |n| f.act(&along, &chain(n)).unwrap_or_else(|_| nothing.clone())))
        };
        Verdict::all(CAnalytic::samples(from, &mut Random::new(trial.seed), trial.samples as usize).iter().map(|v| {
            let v = exactly(v);
            let all = first.iter().map(|p| lift.at(p, &v, trial)).collect::<Result<Vec<_>, _>>()?;
            let mut here = Verdict::Vacuous;
            for pair in all.windows(2) {
                here = here.and(lift.below(&pair[0], &pair[1], trial)?);
            }
            if here.is_refuted() {
                // A sequence that does not increase has no bound to compare.
                return Ok(here);
            }
            Ok(here.and(lift.same(&lift.at(&ours, &v, trial)?, &lift.at(&bound, &v, trial)?, trial)?))
        }))
    }

    /// Compares the values of two functions at random arguments by `relation`.
    fn compared(
        &self,
        f: &Morphism<X, Y>,
        g: &Morphism<X, Y>,
        trial: &Trial,
        relation: impl Fn(&Lift<Y>, &Found<PointOf<Y>>, &Found<PointOf<Y>>) -> Tried,
    ) -> Tried {
        let lift = Lift(self.1.clone());
        Verdict::all((0..PAIRS).map(|index| {
            let x = self.0.draw_point(&mut Random::of(trial.seed, index));
            let (a, b) = (f.at(&self.0, &self.1, &x, trial)?, g.at(&self.0, &self.1, &x, trial)?);
            Ok(relation(&lift, &a, &b)?.at(|| format!("the argument {}", self.0.told(&x, trial))))
        }))
    }
}

impl<X: Ordered, Y: Ordered> Ordered for Partial<X, Y> {
    /// Compares two functions at random arguments.
    fn below(&self, f: &Self::Point, g: &Self::Point, trial: &Trial) -> Tried {
        self.compared(f, g, trial, |lift, a, b| lift.below(a, b, trial))
    }
    /// Returns the pointwise bound.
    fn lub(&self, domain: &Analytic, chain: Chain<Self::Plot>) -> Self::Plot {
        let to = Lift(self.1.clone());
        Morphism::new(domain, move |along: &PapMap, p: &PlotOf<X>| {
            let (chain, along, p) = (chain.clone(), along.clone(), p.clone());
            // An error of the action at n = 0 is reported at once. Later elements that fail count as the first one.
            let (from, nothing) = (along.from().clone(), chain(0).act(&along, &p)?);
            Ok(to.lub(&from, Arc::new(move |n| chain(n).act(&along, &p).unwrap_or_else(|_| nothing.clone()))))
        })
    }
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<Self::Plot> {
        let surfaces = Lift(self.1.clone()).draw_chain(&Analytic::whole(2), random);
        let (number, which) = (polynomial(random, domain.dimension()), random.next() >> 1);
        let (this, domain) = (self.clone(), domain.clone());
        Arc::new(move |n| this.drawn(&domain, number.clone(), which, surfaces(n)))
    }
}
