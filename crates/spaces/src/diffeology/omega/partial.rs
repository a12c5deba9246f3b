//! Partial morphisms X ⇀ Y: functions into the lifting of Y that map plots to plots (W §3.2), and the space of them.
//!
//! They are the arrows of a category with exponentials. A function U → (X ⇀ Y) is a plot if it is a partial morphism on
//! U × X. It is represented by its action on pairs of a map V → U and a plot of X on V.
//!
//! # Liftings
//!
//! Partial functions whose domains are c-analytic subsets.

use super::{CAnalyticPieces, CHAIN_LIMIT_INDEX, OrderedDiffeology, PlotChain};
use crate::diffeology::analytic::{
    AnalyticSet, CAnalyticSet, CAnalyticSite, PiecewiseAnalyticMap, draw_partition, draw_polynomial,
};
use crate::diffeology::open::compose_graphs;
use crate::diffeology::product::ProductDiffeology;
use crate::diffeology::smoothness::rational_point;
use crate::diffeology::space::Site;
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use crate::number::Rational;
use crate::pieces::family::SEARCH_LIMIT;
use crate::pieces::{CountableFamily, GuardCondition};
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
#[doc(alias = "partial morphism")]
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

/// The lifting X⊥ of a space.
#[derive(Clone, Debug)]
#[doc(alias = "lifting")]
pub struct LiftedSpace<X>(pub X);

/// The result of evaluating a partial function at a point.
#[derive(Clone, Debug)]
pub enum PartialPoint<T> {
    /// The value.
    Value(T),
    /// The function is certainly undefined at the point.
    Undefined,
    /// No value was found, but there may be one.
    Unknown,
}

/// A partial function: it is given on each of countably many analytic sets, and undefined elsewhere.
#[derive(Clone)]
pub struct LiftedPlot<P> {
    /// The domain U of the candidates for its arguments.
    pub domain: CAnalyticSet,
    /// The parts that are known after n steps. More steps know more parts.
    pub parts: PlotChain<CAnalyticPieces<P>>,
    /// The number of steps after which no more parts are found; `None` if it is unknown.
    pub last_step: Option<usize>,
    /// The number of steps that are taken if no last one is known.
    steps: usize,
    /// A bound of the volume of the parts that are not known after these steps. `None` if there is none.
    rest: Option<Rational>,
}

impl<P: Clone + Send + Sync + 'static> LiftedPlot<P> {
    /// Returns the partial function with finitely many parts.
    #[must_use]
    pub fn from_pieces(pieces: CAnalyticPieces<P>) -> Self {
        let (domain, last_step) = (pieces.domain.clone(), (!pieces.has_more).then_some(0));
        Self { domain, parts: Arc::new(move |_| pieces.clone()), last_step, steps: 0, rest: None }
    }

    /// Returns the partial function that is glued from a family of pieces. Its steps end where the volume of the pieces that are left is
    /// at most `small`, by the [rest](CountableFamily::rest) of the family, and otherwise after [`SEARCH_LIMIT`] of them.
    #[must_use]
    pub fn of_family(domain: &CAnalyticSet, family: CountableFamily<(AnalyticSet, P)>, small: &Rational) -> Self {
        let steps = family.steps_until(small).unwrap_or(SEARCH_LIMIT);
        let (whole, rest, last_step) = (domain.clone(), family.rest(steps), family.len());
        let parts = move |n: usize| {
            let listed = (0..n.min(SEARCH_LIMIT)).filter_map(|k| family.get(k)).collect();
            CAnalyticPieces::new(&whole, listed).with_more(family.len().is_none_or(|len| len > n))
        };
        Self { domain: domain.clone(), parts: Arc::new(parts), last_step, steps, rest }
    }

    /// Returns the plot with another last step. `None` if more parts may be found.
    #[must_use]
    pub fn with_last_step(self, last_step: Option<usize>) -> Self {
        Self { last_step, ..self }
    }

    /// Returns a bound of the volume of the parts that are not [known](Self::known_pieces). Returns `None` if there is none.
    #[must_use]
    pub fn rest(&self) -> Option<Rational> {
        match self.last_step {
            Some(_) => Some(Rational::new()),
            None => self.rest.clone(),
        }
    }

    /// Returns the parts that are known after all steps. If no last step is known, there are as many as the rest of a family asks for, and
    /// [`CHAIN_LIMIT_INDEX`] without a rest.
    #[must_use]
    pub fn known_pieces(&self) -> CAnalyticPieces<P> {
        (self.parts)(self.last_step.unwrap_or(self.steps))
    }

    /// Applies `made` to the parts of each step.
    ///
    /// The volume of what is left is not known then.
    fn map_steps(&self, made: impl Fn(&CAnalyticPieces<P>) -> CAnalyticPieces<P> + Send + Sync + 'static) -> Self {
        let parts = self.parts.clone();
        let one = made(&(self.parts)(0)).domain;
        Self { domain: one, parts: Arc::new(move |n| made(&parts(n))), rest: None, ..self.clone() }
    }
}

impl<X: OrderedDiffeology> LiftedSpace<X> {
    /// Returns the least upper bound of a chain with a rest: `rest(n)` is at least the volume of the points at which the bound has a
    /// value, and the n-th plot has none. The bound takes as many steps as leave at most `small`, and [`SEARCH_LIMIT`] otherwise.
    pub fn bound_with_rest(
        &self,
        domain: &CAnalyticSet,
        chain: PlotChain<LiftedPlot<X::Plot>>,
        rest: impl Fn(usize) -> Rational,
        small: &Rational,
    ) -> LiftedPlot<X::Plot> {
        // the least number of steps: each costs a comparison of all parts that are known
        let steps = (0..SEARCH_LIMIT).find(|n| rest(*n) <= *small).unwrap_or(SEARCH_LIMIT);
        LiftedPlot { steps, rest: Some(rest(steps)), ..self.least_upper_bound(domain, chain) }
    }
}

impl<X: OrderedDiffeology> Diffeology<CAnalyticSite> for LiftedSpace<X> {
    type Point = PartialPoint<X::Point>;
    type Plot = LiftedPlot<X::Plot>;

    fn plot_domain(&self, plot: &Self::Plot) -> CAnalyticSet {
        plot.domain.clone()
    }
    fn constant_plot(&self, domain: &CAnalyticSet, x: &Self::Point) -> Self::Plot {
        let parts = match x {
            PartialPoint::Value(x) => vec![(AnalyticSet::new(), self.0.constant_plot(domain, x))],
            PartialPoint::Undefined | PartialPoint::Unknown => Vec::new(),
        };
        LiftedPlot::from_pieces(CAnalyticPieces::new(domain, parts))
    }
    fn reparametrise(&self, along: &PiecewiseAnalyticMap, plot: &Self::Plot) -> Self::Plot {
        let (x, along) = (self.0.clone(), along.clone());
        plot.map_steps(move |pieces| pieces.pull_back(&along, |p, _| x.reparametrise(&along, p)))
    }
    fn glue_pieces(&self, domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self::Plot)>) -> Self::Plot {
        // One endless piece makes the whole endless.
        let ends = pieces.iter().try_fold(0, |most, (_, plot)| plot.last_step.map(|n| most.max(n)));
        let steps = pieces.iter().map(|(_, plot)| plot.last_step.unwrap_or(plot.steps)).max().unwrap_or(0);
        let whole = domain.clone();
        let parts = move |n: usize| {
            CAnalyticPieces::join_pieces(
                &whole,
                pieces.iter().map(|(set, plot)| (set.clone(), (plot.parts)(n))).collect(),
            )
        };
        LiftedPlot { domain: domain.clone(), parts: Arc::new(parts), last_step: ends, steps, rest: None }
    }
    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        let known = plot.known_pieces();
        let (found, outside) = known.pieces_containing(u);
        // A point outside of the known parts is certainly outside only if there are no more parts.
        Ok(match (found.first(), outside && plot.last_step.is_some()) {
            (Some(p), _) => PartialPoint::Value(self.0.value_at(p, u, trial)?),
            (None, true) => PartialPoint::Undefined,
            (None, false) => PartialPoint::Unknown,
        })
    }
    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        Ok(match (x, y) {
            (PartialPoint::Value(x), PartialPoint::Value(y)) => self.0.compare_points(x, y, trial)?,
            (PartialPoint::Undefined, PartialPoint::Undefined) => Verdict::Survived,
            (PartialPoint::Unknown, _) | (_, PartialPoint::Unknown) => Verdict::Vacuous,
            _ => Verdict::refuted("a partial value", self.describe_point(x, trial), self.describe_point(y, trial)),
        })
    }
    /// Tests each part as a plot on its own set, and the agreement of parts that overlap.
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let known = plot.known_pieces();
        let mut all = known.test_everywhere(
            trial,
            false,
            |_, _| Ok(Verdict::Survived),
            |p, q, u| {
                let u = rational_point(u);
                self.0.compare_points(&self.0.value_at(p, &u, trial)?, &self.0.value_at(q, &u, trial)?, trial)
            },
        )?;
        for (part, p) in known.inhabited_pieces(trial) {
            all = all.and_part(self.0.test_plot(&self.0.reparametrise(&part, p), trial)?);
        }
        Ok(all)
    }
    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        if random.random_bool(25) { PartialPoint::Undefined } else { PartialPoint::Value(self.0.draw_point(random)) }
    }
    /// Draws a plot that is defined nowhere (1 in 4), everywhere (1 in 4), or on one side of a guard.
    fn draw_plot(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> Self::Plot {
        let [side, _] = draw_partition(random, domain.dimension());
        let p = self.0.draw_plot(domain, random);
        let parts = match random.next_below(4) {
            0 => Vec::new(),
            1 => vec![(AnalyticSet::new(), p)],
            _ => vec![(vec![side], p)],
        };
        LiftedPlot::from_pieces(CAnalyticPieces::new(domain, parts))
    }
    /// Observes the value on the parts where the function is defined. There is no piece elsewhere.
    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(CAnalyticSet, Graph)> {
        let (known, n) = (plot.known_pieces(), plot.domain.dimension());
        let parts = known.parts.iter().flat_map(|(answers, p)| {
            let here = CAnalyticSet::new(n, vec![answers.clone()]);
            self.0.observe_plot(which, p).into_iter().map(move |(set, g)| (here.intersection(&set), g))
        });
        parts.collect()
    }
    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        match x {
            PartialPoint::Value(x) => self.0.describe_point(x, trial),
            PartialPoint::Undefined => "no value".to_owned(),
            PartialPoint::Unknown => "a value that is not known".to_owned(),
        }
    }
}

/// Returns `true` if two analytic sets are given by the same guards with the same answers.
fn has_same_answers(a: &AnalyticSet, b: &AnalyticSet) -> bool {
    let same = |(a, b): (&GuardCondition, &GuardCondition)| {
        // Graphs are compared by address: a missed equality costs time only.
        a.holds == b.holds && a.guard.test == b.guard.test && a.guard.graph.address() == b.guard.graph.address()
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

impl<X: OrderedDiffeology> OrderedDiffeology for LiftedSpace<X> {
    fn test_below(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        Ok(match (x, y) {
            // ⊥ is the least element.
            (PartialPoint::Undefined, _) => Verdict::Survived,
            (PartialPoint::Value(x), PartialPoint::Value(y)) => self.0.test_below(x, y, trial)?,
            (PartialPoint::Value(_), PartialPoint::Undefined) => {
                Verdict::refuted("a partial value", self.describe_point(x, trial), self.describe_point(y, trial))
            }
            (PartialPoint::Unknown, _) | (_, PartialPoint::Unknown) => Verdict::Vacuous,
        })
    }
    /// Returns a bound that is defined where an element of the chain is. On a part of the m-th element, it is the bound
    /// of the values from there on, each glued from the parts that the element has there. After n steps, the parts of
    /// the elements 0 to n are known.
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot {
        let (space, whole) = (self.0.clone(), domain.clone());
        let parts = move |n: usize| {
            let first: Arc<Vec<_>> = Arc::new((0..=n).map(|m| chain(m).known_pieces()).collect());
            let mut parts: Vec<(AnalyticSet, X::Plot)> = Vec::new();
            for (m, known) in first.iter().enumerate() {
                for (answers, _) in &known.parts {
                    // An earlier element has the same set, and there the same bound.
                    if parts.iter().any(|(earlier, _)| has_same_answers(earlier, answers)) {
                        continue;
                    }
                    let here = whole.intersection(&CAnalyticSet::new(whole.dimension(), vec![answers.clone()]));
                    let (x, first, chain, part) = (space.clone(), first.clone(), chain.clone(), here.clone());
                    let values = move |k: usize| {
                        let k = k.max(m);
                        let known = first.get(k).cloned().unwrap_or_else(|| chain(k).known_pieces());
                        known.glue_within(&x, &part, |p| Some(p.clone()))
                    };
                    parts.push((answers.clone(), space.least_upper_bound(&here, Arc::new(values))));
                }
            }
            CAnalyticPieces::new(&whole, parts)
        };
        let (parts, steps) = (Arc::new(parts), CHAIN_LIMIT_INDEX);
        LiftedPlot { domain: domain.clone(), parts, last_step: None, steps, rest: None }
    }
    /// Draws a chain. Its n-th plot is defined on the first n of three analytic sets.
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        let inner = self.0.draw_chain(domain, random);
        let steps: Vec<AnalyticSet> =
            (0..3).map(|_| vec![draw_partition(random, domain.dimension())[0].clone()]).collect();
        let domain = domain.clone();
        Arc::new(move |n| {
            let parts = steps.iter().take(n).map(|answers| (answers.clone(), inner(n))).collect();
            LiftedPlot::from_pieces(CAnalyticPieces::new(&domain, parts))
        })
    }
}
