//! Partial morphisms X ⇀ Y: functions into the lifting of Y that map plots to plots (W §3.2), and the space of them.
//!
//! They are the arrows of a category with exponentials. A function U → (X ⇀ Y) is a plot if it is a partial morphism on
//! U × X. It is represented by its action on pairs of a map V → U and a plot of X on V.

use super::{CAnalyticPieces, CHAIN_LIMIT_INDEX, LiftedPlot, LiftedSpace, OrderedDiffeology, PartialPoint, PlotChain};
use crate::diffeology::analytic::{CAnalyticSet, CAnalyticSite, PiecewiseAnalyticMap, draw_polynomial};
use crate::diffeology::product::ProductDiffeology;
use crate::diffeology::real::rational_point;
use crate::diffeology::reparametrisation::compose_graphs;
use crate::diffeology::site::Site;
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The space X ⇀ Y of partial morphisms.
#[derive(Clone, Debug)]
pub struct PartialMapSpace<X, Y>(pub X, pub Y);

type PlotOf<X> = <X as Diffeology<CAnalyticSite>>::Plot;
type PointOf<X> = <X as Diffeology<CAnalyticSite>>::Point;
type PartialMapAction<X, Y> =
    dyn Fn(&PiecewiseAnalyticMap, &PlotOf<X>) -> Result<LiftedPlot<PlotOf<Y>>, DiffeologyError> + Send + Sync;

/// A function U → (X ⇀ Y), represented by its action `(φ, p) ↦ (v ↦ f(φ(v))(p(v)))`. If U = ℝ⁰, it is a partial
/// morphism.
pub struct PartialMorphism<X: OrderedDiffeology, Y: OrderedDiffeology> {
    domain: CAnalyticSet,
    act_on: Arc<PartialMapAction<X, Y>>,
}

impl<X: OrderedDiffeology, Y: OrderedDiffeology> Clone for PartialMorphism<X, Y> {
    fn clone(&self) -> Self {
        Self { domain: self.domain.clone(), act_on: self.act_on.clone() }
    }
}

impl<X: OrderedDiffeology, Y: OrderedDiffeology> PartialMorphism<X, Y> {
    /// Returns the function on U with the given action.
    pub fn new(
        domain: &CAnalyticSet,
        act: impl Fn(&PiecewiseAnalyticMap, &PlotOf<X>) -> Result<LiftedPlot<PlotOf<Y>>, DiffeologyError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self { domain: domain.clone(), act_on: Arc::new(act) }
    }

    /// Returns the morphism with the given action on plots. It does not depend on a point of U.
    pub fn from_action(
        act: impl Fn(&PlotOf<X>) -> Result<LiftedPlot<PlotOf<Y>>, DiffeologyError> + Send + Sync + 'static,
    ) -> Self {
        Self::new(&CAnalyticSite::point_domain(), move |_, p| act(p))
    }

    /// Returns the partial function `v ↦ f(φ(v))(p(v))`.
    ///
    /// # Errors
    /// The errors of the action.
    pub fn act_on(
        &self,
        along: &PiecewiseAnalyticMap,
        p: &PlotOf<X>,
    ) -> Result<LiftedPlot<PlotOf<Y>>, DiffeologyError> {
        (self.act_on)(along, p)
    }

    /// Applies a morphism to a plot with domain `from`.
    ///
    /// # Errors
    /// The errors of the action.
    pub fn apply_to_plot(&self, from: &CAnalyticSet, p: &PlotOf<X>) -> Result<LiftedPlot<PlotOf<Y>>, DiffeologyError> {
        self.act_on(&CAnalyticSite::constant_map(from, &self.domain, &[]), p)
    }

    /// Evaluates a morphism at a point.
    ///
    /// # Errors
    /// The errors of the action.
    pub fn value_at(
        &self,
        x: &X,
        y: &Y,
        point: &PointOf<X>,
        trial: &MapTestConfig,
    ) -> Result<PartialPoint<PointOf<Y>>, DiffeologyError> {
        let here = CAnalyticSite::point_domain();
        let image = self.apply_to_plot(&here, &x.constant_plot(&here, point))?;
        LiftedSpace(y.clone()).value_at(&image, &[], trial)
    }

    /// Returns the composite of two morphisms. It is defined where the first is defined and the second is defined on
    /// its value.
    pub fn then<Z: OrderedDiffeology>(&self, x: &X, z: &Z, next: &PartialMorphism<Y, Z>) -> PartialMorphism<X, Z> {
        let (first, next, x, z) = (self.clone(), next.clone(), x.clone(), z.clone());
        PartialMorphism::from_action(move |p| {
            let from = x.plot_domain(p);
            let middle = first.apply_to_plot(&from, p)?;
            let known = middle.known_pieces();
            let pieces = known.parts.iter().map(|(answers, q)| {
                let part = CAnalyticSet::new(known.domain.dimension(), vec![answers.clone()]);
                Ok((part, next.apply_to_plot(&from, q)?))
            });
            let pieces = pieces.collect::<Result<Vec<_>, DiffeologyError>>()?;
            let mut all = LiftedSpace(z.clone()).glue_pieces(&known.domain, pieces);
            // Parts of the first morphism that are not known yet give parts of the composite.
            all.last_step = all.last_step.filter(|_| middle.last_step.is_some());
            Ok(all)
        })
    }
}

/// Returns the curried morphism Λf : Z ⇀ (X ⇀ Y), for f : Z × X ⇀ Y.
pub fn curry<Z: OrderedDiffeology, X: OrderedDiffeology, Y: OrderedDiffeology>(
    z: &Z,
    f: &PartialMorphism<ProductDiffeology<Z, X>, Y>,
) -> PartialMorphism<Z, PartialMapSpace<X, Y>> {
    let (z, f) = (z.clone(), f.clone());
    // Λf is total: a partial function of pairs is a total function to partial functions.
    PartialMorphism::from_action(move |q: &PlotOf<Z>| {
        let (z, f, q, domain) = (z.clone(), f.clone(), q.clone(), z.plot_domain(q));
        let inner = PartialMorphism::new(&domain, move |along: &PiecewiseAnalyticMap, p: &PlotOf<X>| {
            f.apply_to_plot(along.domain(), &(z.reparametrise(along, &q), p.clone()))
        });
        Ok(LiftedPlot::from_pieces(CAnalyticPieces::single_piece(&domain, inner)))
    })
}

/// Returns the evaluation morphism ev : (X ⇀ Y) × X ⇀ Y.
#[must_use]
pub fn evaluation_morphism<X: OrderedDiffeology, Y: OrderedDiffeology>()
-> PartialMorphism<ProductDiffeology<PartialMapSpace<X, Y>, X>, Y> {
    PartialMorphism::from_action(|(f, p): &(PartialMorphism<X, Y>, PlotOf<X>)| {
        f.act_on(&CAnalyticSite::identity_map(&f.domain), p)
    })
}

/// The number of arguments in a comparison of two functions, and of pairs in a test of one. A choice: each pair costs a
/// test of a plot.
const TEST_PAIRS: u64 = 3;

impl<X: OrderedDiffeology, Y: OrderedDiffeology> Diffeology<CAnalyticSite> for PartialMapSpace<X, Y> {
    type Point = PartialMorphism<X, Y>;
    type Plot = PartialMorphism<X, Y>;

    fn plot_domain(&self, plot: &Self::Plot) -> CAnalyticSet {
        plot.domain.clone()
    }
    fn constant_plot(&self, domain: &CAnalyticSet, f: &Self::Point) -> Self::Plot {
        let f = f.clone();
        PartialMorphism::new(domain, move |along, p| f.apply_to_plot(along.domain(), p))
    }
    fn reparametrise(&self, along: &PiecewiseAnalyticMap, plot: &Self::Plot) -> Self::Plot {
        let (along, plot) = (along.clone(), plot.clone());
        PartialMorphism::new(&along.domain().clone(), move |earlier, p| {
            plot.act_on(&CAnalyticSite::compose_maps(earlier, &along)?, p)
        })
    }
    fn glue_pieces(&self, domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self::Plot)>) -> Self::Plot {
        let to = LiftedSpace(self.1.clone());
        PartialMorphism::new(domain, move |along, p| {
            let piece = |(set, f): &(CAnalyticSet, Self::Plot)| {
                Ok((set.intersection(&f.domain).preimage(along), f.act_on(along, p)?))
            };
            let pieces = pieces.iter().map(piece).collect::<Result<_, DiffeologyError>>()?;
            Ok(to.glue_pieces(along.domain(), pieces))
        })
    }
    fn value_at(&self, plot: &Self::Plot, u: &[Graph], _: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        DiffeologyError::check_dimension("the point", plot.domain.dimension(), u.len())?;
        let (plot, x, u) = (plot.clone(), self.0.clone(), u.to_vec());
        Ok(PartialMorphism::from_action(move |p| {
            plot.act_on(&CAnalyticSite::constant_map(&x.plot_domain(p), &plot.domain, &u), p)
        }))
    }
    /// Compares two functions at random arguments.
    fn compare_points(&self, f: &Self::Point, g: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.compare_values_by(f, g, trial, |lift, a, b| lift.compare_points(a, b, trial))
    }
    /// Tests at random pairs of a map and a plot whether the result is a plot, and whether its values at points are
    /// f(φ(v))(p(v)). A random chain that is constant from its third plot on must not refute continuity either.
    /// [`PartialMapSpace::test_continuity`] tests longer chains.
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let lift = LiftedSpace(self.1.clone());
        let continuous = self.test_short_chain(plot, trial)?;
        // Only a refutation of continuity counts here; otherwise the pairs decide.
        if continuous.is_refuted() {
            return Ok(continuous);
        }
        Verdict::all_samples((0..TEST_PAIRS).map(|index| {
            let mut random = SplitMix64::for_sample(trial.seed, index);
            // The first pair has φ = id; the others refute actions that are not natural in V.
            let v = if index == 0 { plot.domain.clone() } else { CAnalyticSite::draw_domain(&mut random) };
            let drawn = if index == 0 { None } else { CAnalyticSite::draw_map(&mut random, &v, &plot.domain) };
            let along = drawn.unwrap_or_else(|| CAnalyticSite::identity_map(&plot.domain));
            let p = self.0.draw_plot(along.domain(), &mut random);
            let image = plot.act_on(&along, &p)?;
            let mut here = lift.test_plot(&image, trial)?;
            for point in CAnalyticSite::sample_points(along.domain(), &mut random, 2) {
                let v = rational_point(&point);
                let f = self.value_at(plot, &CAnalyticSite::value_at(&along, &v, trial)?, trial)?;
                let value = f.value_at(&self.0, &self.1, &self.0.value_at(&p, &v, trial)?, trial)?;
                here = here.and_part(lift.compare_points(&lift.value_at(&image, &v, trial)?, &value, trial)?);
            }
            Ok(here)
        }))
    }
    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        self.draw_plot(&CAnalyticSite::point_domain(), random)
    }
    /// Draws a partial function of two numbers: a polynomial at the point of U, and an observation of the argument.
    fn draw_plot(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> Self::Plot {
        let surface = LiftedSpace(self.1.clone()).draw_plot(&CAnalyticSet::whole_space(2), random);
        self.draw_from_surface(domain, draw_polynomial(random, domain.dimension()), random.next() >> 1, surface)
    }
    fn describe_point(&self, _: &Self::Point, _: &MapTestConfig) -> String {
        "<partial morphism>".to_owned()
    }
}

impl<X: OrderedDiffeology, Y: OrderedDiffeology> PartialMapSpace<X, Y> {
    /// Returns a partial function of two numbers: of `number` at the point of U, and of an observation of the argument.
    fn draw_from_surface(
        &self,
        domain: &CAnalyticSet,
        number: Graph,
        which: u64,
        surface: LiftedPlot<PlotOf<Y>>,
    ) -> PartialMorphism<X, Y> {
        let (lift, x) = (LiftedSpace(self.1.clone()), self.0.clone());
        PartialMorphism::new(domain, move |along, p| {
            let mut pieces = Vec::new();
            for (answers, graphs) in along.pieces() {
                let here = compose_graphs(std::slice::from_ref(&number), graphs).swap_remove(0);
                for (set, g) in x.observe_plot(which, p) {
                    let part = set.intersection(&CAnalyticSet::new(along.domain().dimension(), vec![answers.clone()]));
                    let both = CAnalyticSite::constant_map(along.domain(), &surface.domain, &[here.clone(), g]);
                    pieces.push((part, lift.reparametrise(&both, &surface)));
                }
            }
            Ok(lift.glue_pieces(along.domain(), pieces))
        })
    }

    /// Tests monotonicity and continuity on a chain that is constant from its third plot on, at one point: the bound
    /// must be mapped to the third image.
    fn test_short_chain(&self, f: &PartialMorphism<X, Y>, trial: &MapTestConfig) -> DiffeologyVerdict {
        let (lift, along) = (LiftedSpace(self.1.clone()), CAnalyticSite::identity_map(&f.domain));
        let drawn = self.0.draw_chain(&f.domain, &mut SplitMix64::for_sample(trial.seed, TEST_PAIRS));
        let few = [0, 1, 2].map(|n| drawn(n));
        let images = few.iter().map(|p| f.act_on(&along, p)).collect::<Result<Vec<_>, _>>()?;
        let bound = f.act_on(&along, &self.0.least_upper_bound(&f.domain, Arc::new(move |n| few[n.min(2)].clone())))?;
        Verdict::all_samples(CAnalyticSite::sample_points(&f.domain, &mut SplitMix64::new(trial.seed), 1).iter().map(
            |v| {
                let v = rational_point(v);
                let all = images.iter().map(|p| lift.value_at(p, &v, trial)).collect::<Result<Vec<_>, _>>()?;
                let rises = lift.test_below(&all[0], &all[1], trial)?.and(lift.test_below(&all[1], &all[2], trial)?);
                Ok(rises.and(lift.compare_points(&lift.value_at(&bound, &v, trial)?, &all[2], trial)?))
            },
        ))
    }

    /// Tests on a chain of plots of X, at sample points, whether the images of f increase, and whether f maps the bound
    /// to the bound of the images. Values that are not known refute nothing.
    ///
    /// # Errors
    /// The errors of the action and of evaluation.
    pub fn test_continuity(
        &self,
        f: &PartialMorphism<X, Y>,
        along: &PiecewiseAnalyticMap,
        chain: &PlotChain<PlotOf<X>>,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let (lift, from) = (LiftedSpace(self.1.clone()), along.domain());
        // Three early elements, where drawn chains still grow, and the one that stands for the limit.
        let first = [0, 1, 2, CHAIN_LIMIT_INDEX].map(|n| f.act_on(along, &chain(n)));
        let first = first.into_iter().collect::<Result<Vec<_>, _>>()?;
        let ours = f.act_on(along, &self.0.least_upper_bound(from, chain.clone()))?;
        let bound = {
            let (f, along, chain, nothing) = (f.clone(), along.clone(), chain.clone(), first[0].clone());
            lift.least_upper_bound(
                from,
                Arc::new(move |n| f.act_on(&along, &chain(n)).unwrap_or_else(|_| nothing.clone())),
            )
        };
        Verdict::all_samples(
            CAnalyticSite::sample_points(from, &mut SplitMix64::new(trial.seed), trial.sample_points as usize)
                .iter()
                .map(|v| {
                    let v = rational_point(v);
                    let all = first.iter().map(|p| lift.value_at(p, &v, trial)).collect::<Result<Vec<_>, _>>()?;
                    let mut here = Verdict::Vacuous;
                    for pair in all.windows(2) {
                        here = here.and(lift.test_below(&pair[0], &pair[1], trial)?);
                    }
                    if here.is_refuted() {
                        // A sequence that does not increase has no bound to compare.
                        return Ok(here);
                    }
                    Ok(here.and(lift.compare_points(
                        &lift.value_at(&ours, &v, trial)?,
                        &lift.value_at(&bound, &v, trial)?,
                        trial,
                    )?))
                }),
        )
    }

    /// Compares the values of two functions at random arguments by `relation`.
    fn compare_values_by(
        &self,
        f: &PartialMorphism<X, Y>,
        g: &PartialMorphism<X, Y>,
        trial: &MapTestConfig,
        relation: impl Fn(&LiftedSpace<Y>, &PartialPoint<PointOf<Y>>, &PartialPoint<PointOf<Y>>) -> DiffeologyVerdict,
    ) -> DiffeologyVerdict {
        let lift = LiftedSpace(self.1.clone());
        Verdict::all_samples((0..TEST_PAIRS).map(|index| {
            let x = self.0.draw_point(&mut SplitMix64::for_sample(trial.seed, index));
            let (a, b) = (f.value_at(&self.0, &self.1, &x, trial)?, g.value_at(&self.0, &self.1, &x, trial)?);
            Ok(relation(&lift, &a, &b)?.with_witness(|| format!("the argument {}", self.0.describe_point(&x, trial))))
        }))
    }
}

impl<X: OrderedDiffeology, Y: OrderedDiffeology> OrderedDiffeology for PartialMapSpace<X, Y> {
    /// Compares two functions at random arguments.
    fn test_below(&self, f: &Self::Point, g: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.compare_values_by(f, g, trial, |lift, a, b| lift.test_below(a, b, trial))
    }
    /// Returns the pointwise bound.
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot {
        let to = LiftedSpace(self.1.clone());
        PartialMorphism::new(domain, move |along: &PiecewiseAnalyticMap, p: &PlotOf<X>| {
            let (chain, along, p) = (chain.clone(), along.clone(), p.clone());
            // An error of the action at n = 0 is reported at once. Later elements that fail count as the first one.
            let (from, nothing) = (along.domain().clone(), chain(0).act_on(&along, &p)?);
            Ok(to.least_upper_bound(
                &from,
                Arc::new(move |n| chain(n).act_on(&along, &p).unwrap_or_else(|_| nothing.clone())),
            ))
        })
    }
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        let surfaces = LiftedSpace(self.1.clone()).draw_chain(&CAnalyticSet::whole_space(2), random);
        let (number, which) = (draw_polynomial(random, domain.dimension()), random.next() >> 1);
        let (this, domain) = (self.clone(), domain.clone());
        Arc::new(move |n| this.draw_from_surface(&domain, number.clone(), which, surfaces(n)))
    }
}
