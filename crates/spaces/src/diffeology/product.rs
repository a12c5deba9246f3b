//! The basic diffeologies: products, disjoint unions, lists, and open subsets of ℝᵐ.
//!
//! In a product, plots are pairs of plots (H §4.1; W §3.2). It is defined over every site.
//!
//! # Disjoint unions
//!
//! Disjoint unions. A plot decomposes its domain into disjoint open sets, with a plot of a summand on each (H §5.2,
//! H28).
//!
//! The label is therefore locally constant, and constant on a connected domain. Two points of one component with
//! different labels refute a plot.
//!
//! # Lists
//!
//! The disjoint union of the powers X⁰, X¹, X², … (H §5.2). The length of a list is locally constant along a
//! plot.
//!
//! # Cartesian diffeologies
//!
//! An open subset of ℝᵐ with the smooth maps into it as plots (H §4.1, H16).
//!
//! A plot is a list of graphs over the coordinates of its domain, or consists of pieces of this form. Smoothness is
//! tested at sample points, along lines, up to the order of the trial (see [`smoothness`]). At order 4, x⁴·|x|
//! survives, although it has no fifth derivative.

use super::open::{OpenSet, Reparametrisation, compose_graphs};
use super::piecewise::{PieceRegion, PiecewisePlot, PlotPiece};
use super::smoothness::{Membership, compare_points, draw_direction, format_point, point_membership, rational_point};
use super::space::{Diffeology, DiffeologyError, Site, format_rational_point};
use super::{DiffeologyVerdict, smoothness};
use crate::number::Rational;
use crate::presheaf::SumElement;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::{DynMap, MapTestConfig, coordinate_variables};
use crate::verdict::Verdict;
use std::sync::Arc;

/// The product X × Y.
#[derive(Clone, Debug)]
pub struct ProductDiffeology<X, Y>(pub X, pub Y);

impl<S: Site, X: Diffeology<S>, Y: Diffeology<S>> Diffeology<S> for ProductDiffeology<X, Y> {
    type Point = (X::Point, Y::Point);
    type Plot = (X::Plot, Y::Plot);

    /// Returns the domain of the first component.
    fn plot_domain(&self, plot: &Self::Plot) -> S::Domain {
        self.0.plot_domain(&plot.0)
    }

    fn constant_plot(&self, domain: &S::Domain, x: &Self::Point) -> Self::Plot {
        (self.0.constant_plot(domain, &x.0), self.1.constant_plot(domain, &x.1))
    }

    fn reparametrise(&self, along: &S::Map, plot: &Self::Plot) -> Self::Plot {
        (self.0.reparametrise(along, &plot.0), self.1.reparametrise(along, &plot.1))
    }

    fn glue_pieces(&self, domain: &S::Domain, pieces: Vec<(S::Part, Self::Plot)>) -> Self::Plot {
        // Both components are cut at the same regions.
        let (first, second) = pieces.into_iter().map(|(region, (p, q))| ((region.clone(), p), (region, q))).unzip();
        (self.0.glue_pieces(domain, first), self.1.glue_pieces(domain, second))
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        Ok((self.0.value_at(&plot.0, u, trial)?, self.1.value_at(&plot.1, u, trial)?))
    }

    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        Ok(self.0.compare_points(&x.0, &y.0, trial)?.and_part(self.1.compare_points(&x.1, &y.1, trial)?))
    }

    /// Tests both components, whose domains must be the same set. The sets may be given by different boxes.
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let (first, second) = (self.0.plot_domain(&plot.0), self.1.plot_domain(&plot.1));
        if !S::is_same_set(&first, &second)? {
            return Err(DiffeologyError::Shape {
                expected: format!("two functions on {first}"),
                found: second.to_string(),
            });
        }
        Ok(self.0.test_plot(&plot.0, trial)?.and_part(self.1.test_plot(&plot.1, trial)?))
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        (self.0.draw_point(random), self.1.draw_point(random))
    }

    fn draw_plot(&self, domain: &S::Domain, random: &mut SplitMix64) -> Self::Plot {
        (self.0.draw_plot(domain, random), self.1.draw_plot(domain, random))
    }

    // Odd and even numbers select the component, the remaining bits the function on it.
    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(S::Part, Graph)> {
        if which.is_multiple_of(2) {
            self.0.observe_plot(which / 2, &plot.0)
        } else {
            self.1.observe_plot(which / 2, &plot.1)
        }
    }

    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        format!("({}, {})", self.0.describe_point(&x.0, trial), self.1.describe_point(&x.1, trial))
    }
}

/// The disjoint union X + Y.
#[derive(Clone, Debug)]
pub struct SumDiffeology<X, Y>(pub X, pub Y);

impl<X: Diffeology, Y: Diffeology> Diffeology for SumDiffeology<X, Y> {
    type Point = SumElement<X::Point, Y::Point>;
    /// Pieces with a function into one of the summands. The function is given on the whole domain and used on the
    /// piece.
    type Plot = PiecewisePlot<SumElement<X::Plot, Y::Plot>>;

    fn plot_domain(&self, plot: &Self::Plot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &Self::Point) -> Self::Plot {
        let constant = match x {
            SumElement::Left(x) => SumElement::Left(self.0.constant_plot(domain, x)),
            SumElement::Right(y) => SumElement::Right(self.1.constant_plot(domain, y)),
        };
        PiecewisePlot::single_piece(domain, constant)
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |p| match p {
            SumElement::Left(p) => SumElement::Left(self.0.reparametrise(along, p)),
            SumElement::Right(p) => SumElement::Right(self.1.reparametrise(along, p)),
        })
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, Self::Plot)>) -> Self::Plot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        Ok(match plot.description_at(u, trial)? {
            SumElement::Left(p) => SumElement::Left(self.0.value_at(p, u, trial)?),
            SumElement::Right(p) => SumElement::Right(self.1.value_at(p, u, trial)?),
        })
    }

    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        match (x, y) {
            (SumElement::Left(x), SumElement::Left(y)) => self.0.compare_points(x, y, trial),
            (SumElement::Right(x), SumElement::Right(y)) => self.1.compare_points(x, y, trial),
            _ => Ok(Verdict::refuted("the label", summand_label(x), summand_label(y))),
        }
    }

    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let constant = plot.test_locally_constant(trial, summand_label)?;
        // Different labels in one component are the clearest refutation, and the cheapest.
        if constant.is_refuted() {
            return Ok(constant);
        }
        let pieces = plot.test_everywhere(
            trial,
            // The function of a piece need not be a plot outside of the piece, so it is tested on a neighbourhood
            // within.
            |piece, u, _| match (plot.inclusion_near(piece, u, trial)?, &piece.value) {
                (Some(near), SumElement::Left(p)) => self.0.test_plot(&self.0.reparametrise(&near, p), trial),
                (Some(near), SumElement::Right(p)) => self.1.test_plot(&self.1.reparametrise(&near, p), trial),
                (None, _) => Ok(Verdict::Vacuous),
            },
            |p, q, u| {
                let at = |p: &SumElement<X::Plot, Y::Plot>| {
                    self.value_at(&PiecewisePlot::single_piece(plot.domain(), p.clone()), &rational_point(u), trial)
                };
                self.compare_points(&at(p)?, &at(q)?, trial)
            },
        )?;
        Ok(constant.and_part(pieces))
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        if random.random_bool(50) {
            SumElement::Left(self.0.draw_point(random))
        } else {
            SumElement::Right(self.1.draw_point(random))
        }
    }

    /// Draws a label for each connected component.
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> Self::Plot {
        let piece = |part: OpenSet| {
            let value = if random.random_bool(50) {
                SumElement::Left(self.0.draw_plot(domain, random))
            } else {
                SumElement::Right(self.1.draw_plot(domain, random))
            };
            (PieceRegion::of_open_set(&part), PiecewisePlot::single_piece(domain, value))
        };
        PiecewisePlot::join_pieces(domain, domain.connected_components().into_iter().map(piece).collect())
    }

    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(PieceRegion, Graph)> {
        let parts = plot.pieces().iter().map(|piece| {
            let inner = match &piece.value {
                SumElement::Left(p) => self.0.observe_plot(which, p),
                SumElement::Right(p) => self.1.observe_plot(which, p),
            };
            inner.into_iter().map(|(region, g)| (piece.region.intersect_with(&region), g))
        });
        parts.flatten().collect()
    }

    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        match x {
            SumElement::Left(x) => format!("Left {}", self.0.describe_point(x, trial)),
            SumElement::Right(y) => format!("Right {}", self.1.describe_point(y, trial)),
        }
    }
}

/// Returns the name of the summand.
fn summand_label<A, B>(x: &SumElement<A, B>) -> &'static str {
    match x {
        SumElement::Left(_) => "Left",
        SumElement::Right(_) => "Right",
    }
}

/// The space list(X).
#[derive(Clone, Debug)]
pub struct ListDiffeology<X>(pub X);

/// The greatest length of a random list. A choice.
const MAX_DRAWN_LENGTH: usize = 3;

impl<X: Diffeology> Diffeology for ListDiffeology<X> {
    type Point = Vec<X::Point>;
    /// Pieces with lists of functions, each given on the whole domain.
    type Plot = PiecewisePlot<Vec<X::Plot>>;

    fn plot_domain(&self, plot: &Self::Plot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &Self::Point) -> Self::Plot {
        PiecewisePlot::single_piece(domain, x.iter().map(|x| self.0.constant_plot(domain, x)).collect())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |list| list.iter().map(|p| self.0.reparametrise(along, p)).collect())
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, Self::Plot)>) -> Self::Plot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        plot.description_at(u, trial)?.iter().map(|p| self.0.value_at(p, u, trial)).collect()
    }

    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        if x.len() != y.len() {
            return Ok(Verdict::refuted("the length", x.len(), y.len()));
        }
        let mut all = Verdict::Survived;
        for (x, y) in x.iter().zip(y) {
            all = all.and_part(self.0.compare_points(x, y, trial)?);
        }
        Ok(all)
    }

    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        // The length plays the part of the label of a disjoint union.
        let constant = plot.test_locally_constant(trial, |list| format!("a list of {}", list.len()))?;
        if constant.is_refuted() {
            return Ok(constant);
        }
        let pieces = plot.test_everywhere(
            trial,
            |piece, u, _| {
                // The functions of a piece need not be plots outside of the piece.
                let Some(near) = plot.inclusion_near(piece, u, trial)? else { return Ok(Verdict::Vacuous) };
                let mut all = Verdict::Survived;
                for p in &piece.value {
                    all = all.and_part(self.0.test_plot(&self.0.reparametrise(&near, p), trial)?);
                }
                Ok(all)
            },
            |p, q, u| {
                let u = rational_point(u);
                let at =
                    |list: &[X::Plot]| list.iter().map(|p| self.0.value_at(p, &u, trial)).collect::<Result<_, _>>();
                self.compare_points(&at(p)?, &at(q)?, trial)
            },
        )?;
        Ok(constant.and_part(pieces))
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        (0..random.next_below(MAX_DRAWN_LENGTH + 1)).map(|_| self.0.draw_point(random)).collect()
    }

    /// Draws a length for each connected component.
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> Self::Plot {
        let piece = |part: OpenSet| {
            let list = (0..random.next_below(MAX_DRAWN_LENGTH + 1)).map(|_| self.0.draw_plot(domain, random)).collect();
            (PieceRegion::of_open_set(&part), PiecewisePlot::single_piece(domain, list))
        };
        PiecewisePlot::join_pieces(domain, domain.connected_components().into_iter().map(piece).collect())
    }

    /// Observes the first element. An empty list is observed as its length 0.
    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(PieceRegion, Graph)> {
        let parts = plot.pieces().iter().map(|piece| {
            let inner = match piece.value.first() {
                Some(p) => self.0.observe_plot(which, p),
                None => vec![(PieceRegion::without_conditions(), Graph::integer(0))],
            };
            inner.into_iter().map(|(region, g)| (piece.region.intersect_with(&region), g))
        });
        parts.flatten().collect()
    }

    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        format!("[{}]", x.iter().map(|x| self.0.describe_point(x, trial)).collect::<Vec<_>>().join(", "))
    }
}

/// An open subset of ℝᵐ with its smooth maps as plots. The empty set has no points, so its random points lie outside of
/// it.
#[derive(Clone, Debug)]
#[doc(alias = "CartSp")]
pub struct CartesianDiffeology(OpenSet);

/// A function into ℝᵐ: pieces with m graphs over the coordinates of the domain.
pub type CartesianPlot = PiecewisePlot<Arc<[Graph]>>;

impl CartesianDiffeology {
    /// Returns the space of an open set.
    #[must_use]
    pub fn new(open: OpenSet) -> Self {
        Self(open)
    }

    /// Returns ℝᵐ.
    #[must_use]
    pub fn whole_space(dimension: usize) -> Self {
        Self(OpenSet::whole_space(dimension))
    }

    /// Returns the open set.
    #[must_use]
    pub fn open_set(&self) -> &OpenSet {
        &self.0
    }

    /// Returns the function with the given graphs over the coordinates of its domain.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the number of graphs is not m. [`DiffeologyError::Map`] if a graph mentions a
    /// variable that is no coordinate of the domain.
    pub fn plot_from_graphs(&self, domain: &OpenSet, graphs: &[Graph]) -> Result<CartesianPlot, DiffeologyError> {
        DiffeologyError::check_dimension("the list of graphs", self.0.dimension(), graphs.len())?;
        DynMap::of_graphs(&coordinate_variables(domain.dimension()), graphs)?;
        Ok(PiecewisePlot::single_piece(domain, graphs.into()))
    }

    /// Tests at an exact point whether a piece around it maps into the open set and is smooth along a random line.
    fn test_at_point(
        &self,
        plot: &CartesianPlot,
        piece: &PlotPiece<Arc<[Graph]>>,
        u: &[Rational],
        random: &mut SplitMix64,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let value = compose_graphs(&piece.value, &rational_point(u));
        let lands = match point_membership(&value, &self.0, trial)? {
            Membership::Inside => Verdict::Survived,
            Membership::Unknown => Verdict::Vacuous,
            Membership::Outside => Verdict::refuted(
                format_rational_point(u),
                format_point(&value, trial),
                format!("a point of {}", self.0),
            ),
        };
        // On a closed piece, the graphs near the point need not describe the function near it.
        if !piece.region.is_open() {
            return Ok(Verdict::Vacuous.and_part(lands));
        }
        let along = draw_direction(random, u.len());
        // Kinks elsewhere on the line count only where this very piece is the function.
        let smooth = smoothness::test_smoothness_on_line(&piece.value, u, &along, trial, |x| {
            plot.certainly_contains(piece, x, trial)
        })?;
        Ok(lands.and_part(smooth))
    }
}

impl Diffeology for CartesianDiffeology {
    type Point = Vec<Graph>;
    type Plot = CartesianPlot;

    fn plot_domain(&self, plot: &CartesianPlot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &Vec<Graph>) -> CartesianPlot {
        PiecewisePlot::single_piece(domain, x.clone().into())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &CartesianPlot) -> CartesianPlot {
        plot.pull_back(along, |graphs| along.pull_back(graphs).into())
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, CartesianPlot)>) -> CartesianPlot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(
        &self,
        plot: &CartesianPlot,
        u: &[Graph],
        trial: &MapTestConfig,
    ) -> Result<Vec<Graph>, DiffeologyError> {
        Ok(compose_graphs(plot.description_at(u, trial)?, u))
    }

    fn compare_points(&self, x: &Vec<Graph>, y: &Vec<Graph>, trial: &MapTestConfig) -> DiffeologyVerdict {
        compare_points(x, y, trial)
    }

    fn test_plot(&self, plot: &CartesianPlot, trial: &MapTestConfig) -> DiffeologyVerdict {
        plot.test_everywhere(
            trial,
            |piece, u, random| self.test_at_point(plot, piece, u, random, trial),
            |p, q, u| {
                let u = rational_point(u);
                compare_points(&compose_graphs(p, &u), &compose_graphs(q, &u), trial)
            },
        )
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Vec<Graph> {
        rational_point(&self.0.draw_point(random).unwrap_or_else(|| vec![Rational::new(); self.0.dimension()]))
    }

    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> CartesianPlot {
        let graphs = Reparametrisation::draw_map(random, domain, &self.0)
            .map_or_else(|| vec![Graph::integer(0); self.0.dimension()], |f| f.graphs().to_vec());
        PiecewisePlot::single_piece(domain, graphs.into())
    }

    /// Returns a coordinate.
    fn observe_plot(&self, which: u64, plot: &CartesianPlot) -> Vec<(PieceRegion, Graph)> {
        let coordinate = |graphs: &[Graph]| match graphs.len() {
            0 => Graph::integer(0),
            n => graphs[(which % n as u64) as usize].clone(),
        };
        plot.pieces().iter().map(|p| (p.region.clone(), coordinate(&p.value))).collect()
    }

    fn describe_point(&self, x: &Vec<Graph>, trial: &MapTestConfig) -> String {
        format_point(x, trial)
    }
}
