//! Smooth maps: functions f : X → Y such that `p;f` is a plot of Y for every plot p of X (H Def. 4.1).
//!
//! A map is represented by its action on functions U → X. A point is a function on ℝ⁰, so the action determines the
//! values, and `(p;f)(u) = f(p(u))` is a law. [`SmoothMap::test_smoothness`] draws plots of X and tests both properties.
//!
//! # The functional diffeology
//!
//! The functional diffeology on the set Diff(X, Y) of smooth maps (H §4.1).
//!
//! A function f : U → Diff(X, Y) is a plot when (u, x) ↦ f(u)(x) is smooth as a map U × X → Y. A plot of U × X on V is
//! a pair of a smooth φ : V → U and a plot p of X on V. So f is represented by its action on such pairs, v ↦
//! f(φ(v))(p(v)).
//!
//! # The Cartesian closed structure of Diff
//!
//! Functions of pairs, and functions of functions (H §4.1, H20).
//!
//! | here | |
//! |---|---|
//! | [`pair_maps`], [`first_projection`], [`second_projection`] | ⟨f, g⟩ : Z → X × Y and the projections |
//! | [`curry`], [`uncurry`] | Diff(Z × X, Y) ≅ Diff(Z, Diff(X, Y)) |
//! | [`evaluation_map`] | Diff(X, Y) × X → Y |
//!
//! # Spaces as values
//!
//! Types name the spaces above. [`AnySpace`] forgets the type, so that spaces are objects of a
//! [category of values](crate::category::value), [`Spaces`].

use super::DiffeologyVerdict;
use super::open::{OpenSet, Reparametrisation, draw_smooth_graph};
use super::piecewise::PieceRegion;
use super::product::{CartesianDiffeology, ProductDiffeology};
use super::smoothness::rational_point;
use super::space::{Diffeology, DiffeologyError};
use crate::category::value::{ArrowError, ArrowResult, ValueCartesian, ValueCategory, ValueClosed, ValueSetoid};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;
use std::any::Any;
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
        draw_smooth_map(&self.0, &self.1, random)
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

/// Returns ⟨f, g⟩.
pub fn pair_maps<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &SmoothMap<Z, X>,
    g: &SmoothMap<Z, Y>,
) -> SmoothMap<Z, ProductDiffeology<X, Y>> {
    let to = ProductDiffeology(f.codomain().clone(), g.codomain().clone());
    let (from, f, g) = (f.domain().clone(), f.clone(), g.clone());
    SmoothMap::new(&from, &to, move |p| Ok((f.compose_plot(p)?, g.compose_plot(p)?)))
}

/// Returns the projection X × Y → X.
#[must_use]
pub fn first_projection<X: Diffeology, Y: Diffeology>(
    of: &ProductDiffeology<X, Y>,
) -> SmoothMap<ProductDiffeology<X, Y>, X> {
    SmoothMap::new(of, &of.0, |(p, _)| Ok(p.clone()))
}

/// Returns the projection X × Y → Y.
#[must_use]
pub fn second_projection<X: Diffeology, Y: Diffeology>(
    of: &ProductDiffeology<X, Y>,
) -> SmoothMap<ProductDiffeology<X, Y>, Y> {
    SmoothMap::new(of, &of.1, |(_, q)| Ok(q.clone()))
}

/// Returns the curried map `z ↦ (x ↦ f(z, x))`.
#[must_use]
pub fn curry<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &SmoothMap<ProductDiffeology<Z, X>, Y>,
) -> SmoothMap<Z, FunctionSpace<X, Y>> {
    let (z, to) = (f.domain().0.clone(), FunctionSpace(f.domain().1.clone(), f.codomain().clone()));
    let (f, from) = (f.clone(), z.clone());
    // The plot p of Z is restricted along φ, so that both components have the domain of q.
    SmoothMap::new(&z, &to, move |p| {
        let (f, z, p) = (f.clone(), from.clone(), p.clone());
        Ok(FunctionPlot::new(&z.plot_domain(&p), move |along, q: &X::Plot| {
            f.compose_plot(&(z.reparametrise(along, &p), q.clone()))
        }))
    })
}

/// Returns the uncurried map `(z, x) ↦ g(z)(x)`.
#[must_use]
pub fn uncurry<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    g: &SmoothMap<Z, FunctionSpace<X, Y>>,
) -> SmoothMap<ProductDiffeology<Z, X>, Y> {
    let (z, FunctionSpace(x, y)) = (g.domain().clone(), g.codomain().clone());
    let (g, from) = (g.clone(), z.clone());
    // p and q have one domain already, hence φ = id.
    SmoothMap::new(&ProductDiffeology(z, x), &y, move |(p, q)| {
        g.compose_plot(p)?.act_on(&Reparametrisation::identity(&from.plot_domain(p)), q)
    })
}

/// Returns the evaluation `(f, x) ↦ f(x)`.
#[must_use]
pub fn evaluation_map<X: Diffeology, Y: Diffeology>(
    of: &FunctionSpace<X, Y>,
) -> SmoothMap<ProductDiffeology<FunctionSpace<X, Y>, X>, Y> {
    uncurry(&SmoothMap::identity(of))
}

/// A plot or a point whose type is forgotten.
type AnyData = Arc<dyn Any + Send + Sync>;

/// A plot of an [`AnySpace`]: its domain, and what it is in the space itself.
#[derive(Clone)]
pub struct AnyPlot {
    domain: OpenSet,
    plot: AnyData,
}

/// A point of an [`AnySpace`].
#[derive(Clone)]
pub struct AnyPoint(AnyData);

/// The operations of a space whose type is forgotten.
trait ErasedDiffeology: Send + Sync {
    fn erased_constant_plot(&self, domain: &OpenSet, x: &AnyPoint) -> Option<AnyData>;
    fn erased_reparametrise(&self, along: &Reparametrisation, plot: &AnyPlot) -> Option<AnyData>;
    fn erased_glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, AnyPlot)>) -> Option<AnyData>;
    fn erased_value_at(&self, plot: &AnyPlot, u: &[Graph], trial: &MapTestConfig) -> Result<AnyPoint, DiffeologyError>;
    fn erased_compare_points(&self, x: &AnyPoint, y: &AnyPoint, trial: &MapTestConfig) -> DiffeologyVerdict;
    fn erased_test_plot(&self, plot: &AnyPlot, trial: &MapTestConfig) -> DiffeologyVerdict;
    fn erased_draw_point(&self, random: &mut SplitMix64) -> AnyPoint;
    fn erased_draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> AnyPlot;
    fn erased_observe_plot(&self, which: u64, plot: &AnyPlot) -> Option<Vec<(PieceRegion, Graph)>>;
    fn erased_describe_point(&self, x: &AnyPoint, trial: &MapTestConfig) -> Option<String>;
}

impl fmt::Debug for AnyPlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<a plot on {}>", self.domain)
    }
}

impl AnyPlot {
    fn of_space<X: Diffeology>(space: &X, plot: X::Plot) -> Self {
        Self { domain: space.plot_domain(&plot), plot: Arc::new(plot) }
    }

    /// Returns the plot in the space itself, or `None` if it is one of another space.
    #[must_use]
    pub fn as_plot<X: Diffeology>(&self) -> Option<&X::Plot> {
        self.plot.downcast_ref()
    }
}

impl AnyPoint {
    /// Returns the point in the space itself, or `None` if it is one of another space.
    #[must_use]
    pub fn as_point<X: Diffeology>(&self) -> Option<&X::Point> {
        self.0.downcast_ref()
    }
}

/// The error for a plot or a point of another space.
fn other_space<X>(what: &str) -> DiffeologyError {
    let expected = format!("{what} of {}", std::any::type_name::<X>());
    DiffeologyError::Shape { expected, found: format!("{what} of another space") }
}

impl<X: Diffeology> ErasedDiffeology for X {
    fn erased_constant_plot(&self, domain: &OpenSet, x: &AnyPoint) -> Option<AnyData> {
        Some(Arc::new(self.constant_plot(domain, x.as_point::<X>()?)))
    }
    fn erased_reparametrise(&self, along: &Reparametrisation, plot: &AnyPlot) -> Option<AnyData> {
        Some(Arc::new(self.reparametrise(along, plot.as_plot::<X>()?)))
    }
    fn erased_glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, AnyPlot)>) -> Option<AnyData> {
        let own = |(region, plot): (PieceRegion, AnyPlot)| Some((region, plot.as_plot::<X>()?.clone()));
        // one piece of another space leaves nothing that could be glued
        let pieces: Option<Vec<_>> = pieces.into_iter().map(own).collect();
        Some(Arc::new(self.glue_pieces(domain, pieces?)))
    }
    fn erased_value_at(&self, plot: &AnyPlot, u: &[Graph], trial: &MapTestConfig) -> Result<AnyPoint, DiffeologyError> {
        let plot = plot.as_plot::<X>().ok_or_else(|| other_space::<X>("a plot"))?;
        Ok(AnyPoint(Arc::new(self.value_at(plot, u, trial)?)))
    }
    fn erased_compare_points(&self, x: &AnyPoint, y: &AnyPoint, trial: &MapTestConfig) -> DiffeologyVerdict {
        let own = |point: &AnyPoint| point.as_point::<X>().cloned().ok_or_else(|| other_space::<X>("a point"));
        self.compare_points(&own(x)?, &own(y)?, trial)
    }
    fn erased_test_plot(&self, plot: &AnyPlot, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.test_plot(plot.as_plot::<X>().ok_or_else(|| other_space::<X>("a plot"))?, trial)
    }
    fn erased_draw_point(&self, random: &mut SplitMix64) -> AnyPoint {
        AnyPoint(Arc::new(self.draw_point(random)))
    }
    fn erased_draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> AnyPlot {
        AnyPlot::of_space(self, self.draw_plot(domain, random))
    }
    fn erased_observe_plot(&self, which: u64, plot: &AnyPlot) -> Option<Vec<(PieceRegion, Graph)>> {
        Some(self.observe_plot(which, plot.as_plot::<X>()?))
    }
    fn erased_describe_point(&self, x: &AnyPoint, trial: &MapTestConfig) -> Option<String> {
        Some(self.describe_point(x.as_point::<X>()?, trial))
    }
}

/// A diffeological space as a value: its type is forgotten, so that one's own spaces are objects of [`Spaces`].
///
/// A plot of another space is no error where it is composed, and one where it is evaluated: [`DiffeologyError::Shape`].
#[derive(Clone)]
pub struct AnySpace {
    space: Arc<dyn ErasedDiffeology>,
    name: Arc<str>,
}

impl fmt::Debug for AnySpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl AnySpace {
    /// Returns a space with its name in messages.
    #[must_use]
    pub fn new(space: impl Diffeology, name: &str) -> Self {
        Self { space: Arc::new(space), name: name.into() }
    }

    /// Returns a map between two spaces as one of spaces whose types are forgotten.
    #[must_use]
    pub fn forget_types<X: Diffeology, Y: Diffeology>(from: &Self, to: &Self, f: &SmoothMap<X, Y>) -> SpaceMap {
        from.known_as(f.domain()).then(f).then(&to.forgotten(f.codomain()))
    }

    /// Returns a plot of the space itself as one of this value.
    #[must_use]
    pub fn forget_plot<X: Diffeology>(space: &X, plot: X::Plot) -> AnyPlot {
        AnyPlot::of_space(space, plot)
    }

    /// Returns the identity from the space X itself to this value of it.
    fn forgotten<X: Diffeology>(&self, space: &X) -> SmoothMap<X, Self> {
        let of = space.clone();
        SmoothMap::new(space, self, move |p| Ok(AnyPlot::of_space(&of, p.clone())))
    }

    /// Returns the identity from this value of X to the space X itself.
    fn known_as<X: Diffeology>(&self, space: &X) -> SmoothMap<Self, X> {
        SmoothMap::new(self, space, |p| p.as_plot::<X>().cloned().ok_or_else(|| other_space::<X>("a plot")))
    }
}

impl Diffeology for AnySpace {
    type Point = AnyPoint;
    type Plot = AnyPlot;

    fn plot_domain(&self, plot: &AnyPlot) -> OpenSet {
        plot.domain.clone()
    }
    fn constant_plot(&self, domain: &OpenSet, x: &AnyPoint) -> AnyPlot {
        let plot = self.space.erased_constant_plot(domain, x).unwrap_or_else(|| Arc::new(()));
        AnyPlot { domain: domain.clone(), plot }
    }
    fn reparametrise(&self, along: &Reparametrisation, plot: &AnyPlot) -> AnyPlot {
        // what is no plot here stays none, and is noticed where it is evaluated
        let moved = self.space.erased_reparametrise(along, plot).unwrap_or_else(|| Arc::new(()));
        AnyPlot { domain: along.domain().clone(), plot: moved }
    }
    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, AnyPlot)>) -> AnyPlot {
        let plot = self.space.erased_glue_pieces(domain, pieces).unwrap_or_else(|| Arc::new(()));
        AnyPlot { domain: domain.clone(), plot }
    }
    fn value_at(&self, plot: &AnyPlot, u: &[Graph], trial: &MapTestConfig) -> Result<AnyPoint, DiffeologyError> {
        self.space.erased_value_at(plot, u, trial)
    }
    fn compare_points(&self, x: &AnyPoint, y: &AnyPoint, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.space.erased_compare_points(x, y, trial)
    }
    fn test_plot(&self, plot: &AnyPlot, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.space.erased_test_plot(plot, trial)
    }
    fn draw_point(&self, random: &mut SplitMix64) -> AnyPoint {
        self.space.erased_draw_point(random)
    }
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> AnyPlot {
        self.space.erased_draw_plot(domain, random)
    }
    fn observe_plot(&self, which: u64, plot: &AnyPlot) -> Vec<(PieceRegion, Graph)> {
        // a constant is smooth at least, as for an action that fails
        let constant = || vec![(PieceRegion::without_conditions(), Graph::integer(0))];
        self.space.erased_observe_plot(which, plot).unwrap_or_else(constant)
    }
    fn describe_point(&self, x: &AnyPoint, trial: &MapTestConfig) -> String {
        self.space.erased_describe_point(x, trial).unwrap_or_else(|| "a point of another space".into())
    }
}

/// An arrow of [`Spaces`].
pub type SpaceMap = SmoothMap<AnySpace, AnySpace>;

/// The Cartesian closed category of diffeological spaces as values, one's own included (H §4.1).
///
/// # Examples
/// ```
/// use smoothish_spaces::category::value::{ArrowError, ValueCartesian, ValueClosed};
/// use smoothish_spaces::diffeology::DiffeologyError;
/// use smoothish_spaces::diffeology::map::{AnySpace, Spaces};
/// use smoothish_spaces::diffeology::product::CartesianDiffeology;
///
/// let line = AnySpace::new(CartesianDiffeology::whole_space(1), "ℝ");
/// assert_eq!(format!("{:?}", Spaces.exponential_object(&line, &Spaces.product_object(&line, &line))), "ℝ ⇒ (ℝ × ℝ)");
/// let apply = Spaces.apply([&line, &line])?;
/// assert_eq!(format!("{:?}", apply.domain()), "(ℝ ⇒ ℝ) × ℝ");
/// # Ok::<(), ArrowError<DiffeologyError>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Spaces;

impl Spaces {
    /// Returns the name of an object made of two others.
    fn name_pair(a: &AnySpace, sign: &str, b: &AnySpace) -> String {
        let part = |space: &AnySpace| {
            // a name with a sign in it is that of a composite
            if space.name.contains(' ') { format!("({})", space.name) } else { space.name.to_string() }
        };
        format!("{} {sign} {}", part(a), part(b))
    }
}

impl ValueCategory for Spaces {
    type Object = AnySpace;
    type Arrow = SpaceMap;
    type Error = DiffeologyError;

    fn identity(&self, a: &AnySpace) -> ArrowResult<Self> {
        Ok(SmoothMap::identity(a))
    }
    fn then(&self, _: [&AnySpace; 3], f: &SpaceMap, g: &SpaceMap) -> ArrowResult<Self> {
        Ok(f.then(g))
    }
}

impl ValueCartesian for Spaces {
    fn terminal_object(&self) -> AnySpace {
        AnySpace::new(CartesianDiffeology::whole_space(0), "1")
    }
    fn product_object(&self, a: &AnySpace, b: &AnySpace) -> AnySpace {
        AnySpace::new(ProductDiffeology(a.clone(), b.clone()), &Self::name_pair(a, "×", b))
    }
    fn terminal(&self, a: &AnySpace) -> ArrowResult<Self> {
        // ℝ⁰ has one point, and one plot on each open
        let point = CartesianDiffeology::whole_space(0);
        let constant = SmoothMap::constant(a, &point, &Vec::new());
        Ok(constant.then(&self.terminal_object().forgotten(&point)))
    }
    fn pair(&self, [_, a, b]: [&AnySpace; 3], f: &SpaceMap, g: &SpaceMap) -> ArrowResult<Self> {
        // the product of the two values is a space itself, whose type is forgotten as well
        let pair = pair_maps(f, g);
        Ok(pair.then(&self.product_object(a, b).forgotten(pair.codomain())))
    }
    fn first(&self, [a, b]: [&AnySpace; 2]) -> ArrowResult<Self> {
        let product = ProductDiffeology(a.clone(), b.clone());
        Ok(self.product_object(a, b).known_as(&product).then(&first_projection(&product)))
    }
    fn second(&self, [a, b]: [&AnySpace; 2]) -> ArrowResult<Self> {
        let product = ProductDiffeology(a.clone(), b.clone());
        Ok(self.product_object(a, b).known_as(&product).then(&second_projection(&product)))
    }
}

impl ValueClosed for Spaces {
    fn exponential_object(&self, a: &AnySpace, b: &AnySpace) -> AnySpace {
        AnySpace::new(FunctionSpace(a.clone(), b.clone()), &Self::name_pair(a, "⇒", b))
    }
    fn curry(&self, [x, a, b]: [&AnySpace; 3], f: &SpaceMap) -> ArrowResult<Self> {
        let product = ProductDiffeology(x.clone(), a.clone());
        // the plots of the domain are pairs once its type is known
        let curried = curry(&self.product_object(x, a).forgotten(&product).then(f));
        Ok(curried.then(&self.exponential_object(a, b).forgotten(curried.codomain())))
    }
    fn apply(&self, [a, b]: [&AnySpace; 2]) -> ArrowResult<Self> {
        let (functions, space) = (self.exponential_object(a, b), FunctionSpace(a.clone(), b.clone()));
        // the first component is a plot of functions once its type is known
        let function = self.first([&functions, a])?.then(&functions.known_as(&space));
        Ok(pair_maps(&function, &self.second([&functions, a])?).then(&evaluation_map(&space)))
    }
}

/// Maps are compared at drawn points.
impl ValueSetoid for Spaces {
    type Trial = MapTestConfig;

    fn agree(
        &self,
        [a, b]: [&AnySpace; 2],
        f: &SpaceMap,
        g: &SpaceMap,
        trial: &MapTestConfig,
    ) -> Result<Verdict, ArrowError<DiffeologyError>> {
        Ok(Verdict::all_samples((0..u64::from(trial.sample_points)).map(|index| {
            // maps are functions of points, whatever their actions on plots are
            let x = a.draw_point(&mut SplitMix64::for_sample(trial.seed, index));
            let verdict = b.compare_points(&f.value_at(&x, trial)?, &g.value_at(&x, trial)?, trial)?;
            Ok::<_, DiffeologyError>(verdict.with_witness(|| format!("the point {}", a.describe_point(&x, trial))))
        }))?)
    }
}
