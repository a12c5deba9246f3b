//! The functional diffeology on the set Diff(X, Y) of smooth maps (H §4.1).
//!
//! A function f : U → Diff(X, Y) is a plot when (u, x) ↦ f(u)(x) is smooth as a map U × X → Y. A plot of U × X on V is
//! a pair of a smooth φ : V → U and a plot p of X on V. So f is represented by its action on such pairs, v ↦
//! f(φ(v))(p(v)).

use super::Tried;
use super::error::DiffeologyError;
use super::map::{self, Smooth};
use super::open::Open;
use super::real::exactly;
use super::region::Region;
use super::reparametrisation::{Reparametrisation, number};
use super::space::Diffeology;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The space Diff(X, Y) of smooth maps.
#[derive(Clone, Debug)]
pub struct Functional<X, Y>(pub X, pub Y);

type Action<X, Y> = dyn Fn(&Reparametrisation, &<X as Diffeology>::Plot) -> Result<<Y as Diffeology>::Plot, DiffeologyError>
    + Send
    + Sync;

/// A function U → Diff(X, Y), represented by its action on pairs (φ, p).
pub struct Family<X: Diffeology, Y: Diffeology> {
    domain: Open,
    act: Arc<Action<X, Y>>,
}

impl<X: Diffeology, Y: Diffeology> Family<X, Y> {
    /// Returns the function on U with the action `(φ, p) ↦ (v ↦ f(φ(v))(p(v)))`.
    pub fn new(
        domain: &Open,
        act: impl Fn(&Reparametrisation, &X::Plot) -> Result<Y::Plot, DiffeologyError> + Send + Sync + 'static,
    ) -> Self {
        Self { domain: domain.clone(), act: Arc::new(act) }
    }

    /// Returns the function `v ↦ f(φ(v))(p(v))`.
    ///
    /// # Errors
    /// The errors of the action.
    pub fn act(&self, along: &Reparametrisation, p: &X::Plot) -> Result<Y::Plot, DiffeologyError> {
        (self.act)(along, p)
    }
}

impl<X: Diffeology, Y: Diffeology> Clone for Family<X, Y> {
    fn clone(&self) -> Self {
        Self { domain: self.domain.clone(), act: self.act.clone() }
    }
}

/// The number of pairs (φ, p) in a test of a plot, and of arguments in a comparison of two functions. A choice: each
/// pair costs a test of a plot of Y.
const PAIRS: u64 = 4;

impl<X: Diffeology, Y: Diffeology> Diffeology for Functional<X, Y> {
    type Point = Smooth<X, Y>;
    type Plot = Family<X, Y>;

    fn domain(&self, plot: &Self::Plot) -> Open {
        plot.domain.clone()
    }

    fn constant(&self, domain: &Open, f: &Self::Point) -> Self::Plot {
        let f = f.clone();
        Family::new(domain, move |_, p| f.after(p))
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        let (along, plot) = (along.clone(), plot.clone());
        Family::new(&along.from().clone(), move |earlier, p| plot.act(&earlier.then(&along)?, p))
    }

    fn piecewise(&self, domain: &Open, pieces: Vec<(Region, Self::Plot)>) -> Self::Plot {
        let to = self.1.clone();
        Family::new(domain, move |along, p| {
            let piece = |(region, f): &(Region, Self::Plot)| Ok((region.along(along), f.act(along, p)?));
            let pieces = pieces.iter().map(piece).collect::<Result<_, DiffeologyError>>()?;
            Ok(to.piecewise(along.from(), pieces))
        })
    }

    fn at(&self, plot: &Self::Plot, u: &[Graph], _: &Trial) -> Result<Self::Point, DiffeologyError> {
        DiffeologyError::fits("the point", plot.domain.dimension(), u.len())?;
        let (plot, x, u) = (plot.clone(), self.0.clone(), u.to_vec());
        Ok(Smooth::new(&self.0, &self.1, move |p| {
            // At a point u, φ is constant.
            plot.act(&Reparametrisation::constant(&x.domain(p), &plot.domain, &u), p)
        }))
    }

    /// Compares two functions at random arguments.
    fn same(&self, f: &Self::Point, g: &Self::Point, trial: &Trial) -> Tried {
        Verdict::all((0..PAIRS).map(|index| {
            let x = self.0.draw_point(&mut Random::of(trial.seed, index));
            let verdict = self.1.same(&f.at(&x, trial)?, &g.at(&x, trial)?, trial)?;
            Ok(verdict.at(|| format!("the argument {}", self.0.told(&x, trial))))
        }))
    }

    /// Tests at random pairs (φ, p) whether the result is a plot of Y, and whether its values at sample points are
    /// f(φ(v))(p(v)).
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        // A function on the empty set is a plot, and there are no points to draw.
        if plot.domain.is_empty() {
            return Ok(Verdict::Survived);
        }
        let mut all = Verdict::Survived;
        for index in 0..PAIRS {
            let mut random = Random::of(trial.seed, index);
            // The first pair has φ = id; other domains V refute actions that are not natural in V.
            let v = if index % 2 == 0 { plot.domain.clone() } else { Open::draw(&mut random) };
            let drawn = if index == 0 { None } else { Reparametrisation::draw(&mut random, &v, &plot.domain) };
            let along = drawn.unwrap_or_else(|| Reparametrisation::identity(&plot.domain));
            let p = self.0.draw_plot(along.from(), &mut random);
            let image = plot.act(&along, &p)?;
            let mut here = self.1.is_plot(&image, trial)?;
            for point in along.from().samples(&mut random, 2) {
                let v = exactly(&point);
                let f = self.at(plot, &along.at(&v), trial)?;
                let value = f.at(&self.0.at(&p, &v, trial)?, trial)?;
                here = here.both(self.1.same(&self.1.at(&image, &v, trial)?, &value, trial)?);
            }
            all = all.both(here);
        }
        Ok(all)
    }

    fn draw_point(&self, random: &mut Random) -> Self::Point {
        map::draw(&self.0, &self.1, random)
    }

    /// Draws a function of the point of U and of the argument together: a plot ℝ² → Y after a number for each of them.
    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Self::Plot {
        let plane = Open::whole(2);
        let surface = self.1.draw_plot(&plane, random);
        // A cleared high bit leaves room for products that double the number.
        let which = random.next() >> 1;
        let number = number(random, domain.dimension());
        let (x, y) = (self.0.clone(), self.1.clone());
        Family::new(domain, move |along, p| {
            let here = along.pull(std::slice::from_ref(&number));
            let piece = |(region, g)| {
                let both = [here[0].clone(), g];
                (region, y.reparametrise(&Reparametrisation::constant(along.from(), &plane, &both), &surface))
            };
            Ok(y.piecewise(along.from(), x.observed(which, p).into_iter().map(piece).collect()))
        })
    }

    /// Observes the value at a random argument.
    fn observed(&self, which: u64, plot: &Self::Plot) -> Vec<(Region, Graph)> {
        let x = self.0.draw_point(&mut Random::new(which));
        let identity = Reparametrisation::identity(&plot.domain);
        match plot.act(&identity, &self.0.constant(&plot.domain, &x)) {
            Ok(values) => self.1.observed(which / 2, &values),
            // An action that fails has no values; a constant is smooth at least.
            Err(_) => vec![(Region::everything(), Graph::integer(0))],
        }
    }

    fn told(&self, _: &Self::Point, _: &Trial) -> String {
        "<smooth map>".to_owned()
    }
}
