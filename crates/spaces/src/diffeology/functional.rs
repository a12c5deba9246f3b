//! The functional diffeology on the set Diff(X, Y) of smooth maps (H §4.1).
//!
//! A function f : U → Diff(X, Y) is a plot when (u, x) ↦ f(u)(x) is smooth as a map U × X → Y. A plot of U × X on V is
//! a pair of a smooth φ : V → U and a plot p of X on V. So f is represented by its action on such pairs, v ↦
//! f(φ(v))(p(v)).

use super::DiffeologyVerdict;
use super::error::DiffeologyError;
use super::map::{self, SmoothMap};
use super::open::OpenSet;
use super::real::rational_point;
use super::region::PieceRegion;
use super::reparametrisation::{Reparametrisation, draw_smooth_graph};
use super::space::Diffeology;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The space Diff(X, Y) of smooth maps.
#[derive(Clone, Debug)]
pub struct FunctionSpace<X, Y>(pub X, pub Y);

type FunctionPlotAction<X, Y> = dyn Fn(&Reparametrisation, &<X as Diffeology>::Plot) -> Result<<Y as Diffeology>::Plot, DiffeologyError>
    + Send
    + Sync;

/// A function U → Diff(X, Y), represented by its action on pairs (φ, p).
pub struct FunctionPlot<X: Diffeology, Y: Diffeology> {
    domain: OpenSet,
    act_on: Arc<FunctionPlotAction<X, Y>>,
}

impl<X: Diffeology, Y: Diffeology> FunctionPlot<X, Y> {
    /// Returns the function on U with the action `(φ, p) ↦ (v ↦ f(φ(v))(p(v)))`.
    pub fn new(
        domain: &OpenSet,
        act: impl Fn(&Reparametrisation, &X::Plot) -> Result<Y::Plot, DiffeologyError> + Send + Sync + 'static,
    ) -> Self {
        Self { domain: domain.clone(), act_on: Arc::new(act) }
    }

    /// Returns the function `v ↦ f(φ(v))(p(v))`.
    ///
    /// # Errors
    /// The errors of the action.
    pub fn act_on(&self, along: &Reparametrisation, p: &X::Plot) -> Result<Y::Plot, DiffeologyError> {
        (self.act_on)(along, p)
    }
}

impl<X: Diffeology, Y: Diffeology> Clone for FunctionPlot<X, Y> {
    fn clone(&self) -> Self {
        Self { domain: self.domain.clone(), act_on: self.act_on.clone() }
    }
}

/// The number of pairs (φ, p) in a test of a plot, and of arguments in a comparison of two functions. A choice: each
/// pair costs a test of a plot of Y.
const TEST_PAIRS: u64 = 4;

impl<X: Diffeology, Y: Diffeology> Diffeology for FunctionSpace<X, Y> {
    type Point = SmoothMap<X, Y>;
    type Plot = FunctionPlot<X, Y>;

    fn plot_domain(&self, plot: &Self::Plot) -> OpenSet {
        plot.domain.clone()
    }

    fn constant_plot(&self, domain: &OpenSet, f: &Self::Point) -> Self::Plot {
        let f = f.clone();
        FunctionPlot::new(domain, move |_, p| f.compose_plot(p))
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        let (along, plot) = (along.clone(), plot.clone());
        FunctionPlot::new(&along.domain().clone(), move |earlier, p| plot.act_on(&earlier.then(&along)?, p))
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, Self::Plot)>) -> Self::Plot {
        let to = self.1.clone();
        FunctionPlot::new(domain, move |along, p| {
            let piece = |(region, f): &(PieceRegion, Self::Plot)| Ok((region.pull_back(along), f.act_on(along, p)?));
            let pieces = pieces.iter().map(piece).collect::<Result<_, DiffeologyError>>()?;
            Ok(to.glue_pieces(along.domain(), pieces))
        })
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], _: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        DiffeologyError::check_dimension("the point", plot.domain.dimension(), u.len())?;
        let (plot, x, u) = (plot.clone(), self.0.clone(), u.to_vec());
        Ok(SmoothMap::new(&self.0, &self.1, move |p| {
            // At a point u, φ is constant.
            plot.act_on(&Reparametrisation::constant_map(&x.plot_domain(p), &plot.domain, &u), p)
        }))
    }

    /// Compares two functions at random arguments.
    fn compare_points(&self, f: &Self::Point, g: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        Verdict::all_samples((0..TEST_PAIRS).map(|index| {
            let x = self.0.draw_point(&mut SplitMix64::for_sample(trial.seed, index));
            let verdict = self.1.compare_points(&f.value_at(&x, trial)?, &g.value_at(&x, trial)?, trial)?;
            Ok(verdict.with_witness(|| format!("the argument {}", self.0.describe_point(&x, trial))))
        }))
    }

    /// Tests at random pairs (φ, p) whether the result is a plot of Y, and whether its values at sample points are
    /// f(φ(v))(p(v)).
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        // A function on the empty set is a plot, and there are no points to draw.
        if plot.domain.is_empty() {
            return Ok(Verdict::Survived);
        }
        let mut all = Verdict::Survived;
        for index in 0..TEST_PAIRS {
            let mut random = SplitMix64::for_sample(trial.seed, index);
            // The first pair has φ = id; other domains V refute actions that are not natural in V.
            let v = if index % 2 == 0 { plot.domain.clone() } else { OpenSet::draw_set(&mut random) };
            let drawn = if index == 0 { None } else { Reparametrisation::draw_map(&mut random, &v, &plot.domain) };
            let along = drawn.unwrap_or_else(|| Reparametrisation::identity(&plot.domain));
            let p = self.0.draw_plot(along.domain(), &mut random);
            let image = plot.act_on(&along, &p)?;
            let mut here = self.1.test_plot(&image, trial)?;
            for point in along.domain().sample_points(&mut random, 2) {
                let v = rational_point(&point);
                let f = self.value_at(plot, &along.value_at(&v), trial)?;
                let value = f.value_at(&self.0.value_at(&p, &v, trial)?, trial)?;
                here = here.and_part(self.1.compare_points(&self.1.value_at(&image, &v, trial)?, &value, trial)?);
            }
            all = all.and_part(here);
        }
        Ok(all)
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        map::draw_smooth_map(&self.0, &self.1, random)
    }

    /// Draws a function of the point of U and of the argument together: a plot ℝ² → Y after a number for each of them.
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> Self::Plot {
        let plane = OpenSet::whole_space(2);
        let surface = self.1.draw_plot(&plane, random);
        // A cleared high bit leaves room for products that double the number.
        let which = random.next() >> 1;
        let number = draw_smooth_graph(random, domain.dimension());
        let (x, y) = (self.0.clone(), self.1.clone());
        FunctionPlot::new(domain, move |along, p| {
            let here = along.pull_back(std::slice::from_ref(&number));
            let piece = |(region, g)| {
                let both = [here[0].clone(), g];
                (region, y.reparametrise(&Reparametrisation::constant_map(along.domain(), &plane, &both), &surface))
            };
            Ok(y.glue_pieces(along.domain(), x.observe_plot(which, p).into_iter().map(piece).collect()))
        })
    }

    /// Observes the value at a random argument.
    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(PieceRegion, Graph)> {
        let x = self.0.draw_point(&mut SplitMix64::new(which));
        let identity = Reparametrisation::identity(&plot.domain);
        match plot.act_on(&identity, &self.0.constant_plot(&plot.domain, &x)) {
            Ok(values) => self.1.observe_plot(which / 2, &values),
            // An action that fails has no values; a constant is smooth at least.
            Err(_) => vec![(PieceRegion::without_conditions(), Graph::integer(0))],
        }
    }

    fn describe_point(&self, _: &Self::Point, _: &MapTestConfig) -> String {
        "<smooth map>".to_owned()
    }
}
