//! Quotients: functions that lift locally to plots of X, up to an equivalence relation.
//!
//! A candidate is given by its lifts, one on each piece. Two lifts agree where they overlap if their values are
//! related. So a quotient has plots without a global lift, for example a path around a circle, cut into pieces. Over
//! c-analytic sets there are [no such plots](super::omega).
//!
//! # Two quotients of ℝ
//!
//! The circle ℝ/ℤ, and the irrational torus ℝ/(ℤ + √2ℤ).
//!
//! In the first quotient, an enclosure of a difference that contains no integer refutes a relation. In the second no
//! enclosure refutes, since ℤ + √2ℤ is dense: the relation is decided only if the difference is computed exactly in
//! ℚ(√2), and vacuous otherwise. The quotient topology of the irrational torus has two open sets only. Yet its
//! diffeology is not the one in which every function is a plot: the plots are the functions that lift.

use super::DiffeologyVerdict;
use super::analytic::{CAnalyticSite, draw_partition, intersect_sets};
use super::omega::{CAnalyticPieces, OmegaLine};
use super::open::{OpenInterval, OpenSet, Reparametrisation};
use super::piecewise::{PieceRegion, PiecewisePlot};
use super::product::{CartesianDiffeology, CartesianPlot};
use super::smoothness::{enclose_number, rational_point};
use super::space::{Diffeology, DiffeologyError, OpenSetSite, Site};
use crate::number::{Function, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary};
use crate::smooth::map::MapTestConfig;
use crate::stack::with_stack;
use crate::verdict::Verdict;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An equivalence relation on a space.
pub trait EquivalenceRelation<X: Diffeology<S>, S: Site = OpenSetSite>: Clone + Send + Sync + 'static {
    /// Tests whether two points are related.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn test_related(&self, space: &X, x: &X::Point, y: &X::Point, trial: &MapTestConfig) -> DiffeologyVerdict;

    /// Returns a plot whose values are related to those of `plot`.
    fn draw_related_plot(&self, space: &X, plot: &X::Plot, random: &mut SplitMix64) -> X::Plot;

    /// Returns the composite of a plot with a smooth function on X that is constant on classes. `which` selects the
    /// function.
    fn observe_class_function(&self, _space: &X, _which: u64, _plot: &X::Plot) -> Vec<(S::Part, Graph)> {
        vec![(S::whole_part(), Graph::integer(0))]
    }
}

/// The quotient X/∼.
#[derive(Clone, Debug)]
pub struct QuotientDiffeology<X, R> {
    /// The space X.
    pub space: X,
    /// The relation ∼.
    pub relation: R,
}

impl<X: Diffeology, R: EquivalenceRelation<X>> QuotientDiffeology<X, R> {
    /// Returns the function with the global lift `lift`.
    #[must_use]
    pub fn project_plot(&self, lift: &X::Plot) -> PiecewisePlot<X::Plot> {
        PiecewisePlot::single_piece(&self.space.plot_domain(lift), lift.clone())
    }
}

impl<X: Diffeology, R: EquivalenceRelation<X>> Diffeology for QuotientDiffeology<X, R> {
    /// A representative of a class.
    type Point = X::Point;
    /// Lifts of the function, one on each piece.
    type Plot = PiecewisePlot<X::Plot>;

    fn plot_domain(&self, plot: &Self::Plot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &X::Point) -> Self::Plot {
        PiecewisePlot::single_piece(domain, self.space.constant_plot(domain, x))
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |p| self.space.reparametrise(along, p))
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, Self::Plot)>) -> Self::Plot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<X::Point, DiffeologyError> {
        self.space.value_at(plot.description_at(u, trial)?, u, trial)
    }

    fn compare_points(&self, x: &X::Point, y: &X::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.relation.test_related(&self.space, x, y, trial)
    }

    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        plot.test_everywhere(
            trial,
            // The lift of a piece need not be a plot outside of the piece.
            |piece, u, _| match plot.inclusion_near(piece, u, trial)? {
                Some(near) => self.space.test_plot(&self.space.reparametrise(&near, &piece.value), trial),
                None => Ok(Verdict::Vacuous),
            },
            |p, q, u| {
                let u = rational_point(u);
                self.compare_points(&self.space.value_at(p, &u, trial)?, &self.space.value_at(q, &u, trial)?, trial)
            },
        )
    }

    fn draw_point(&self, random: &mut SplitMix64) -> X::Point {
        self.space.draw_point(random)
    }

    /// Draws a plot with a global lift, or one with two related lifts on overlapping parts.
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> Self::Plot {
        let lift = self.space.draw_plot(domain, random);
        let whole = self.project_plot(&lift);
        // A point has no two overlapping proper parts.
        if random.random_bool(50) || domain.dimension() == 0 {
            return whole;
        }
        let moved = self.project_plot(&self.relation.draw_related_plot(&self.space, &lift, random));
        let half = |side| {
            let mut sides = vec![OpenInterval::real_line(); domain.dimension()];
            sides[0] = side;
            PieceRegion::of_open_set(&OpenSet::from_box(sides))
        };
        PiecewisePlot::join_pieces(
            domain,
            vec![(half(OpenInterval::ray_below(1)), whole), (half(OpenInterval::ray_above(0)), moved)],
        )
    }

    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(PieceRegion, Graph)> {
        let parts = plot.pieces().iter().map(|piece| {
            let inner = self.relation.observe_class_function(&self.space, which, &piece.value);
            inner.into_iter().map(|(region, g)| (piece.region.intersect_with(&region), g))
        });
        parts.flatten().collect()
    }

    fn describe_point(&self, x: &X::Point, trial: &MapTestConfig) -> String {
        format!("the class of {}", self.space.describe_point(x, trial))
    }
}

/// The relation x ∼ y if x − y is an integer.
#[derive(Clone, Copy, Debug)]
pub struct ModuloIntegers;

/// The relation x ∼ y if x − y = m + n·√2 for integers m and n.
#[derive(Clone, Copy, Debug)]
pub struct ModuloRootTwo;

/// Returns the circle ℝ/ℤ.
#[must_use]
pub fn circle() -> QuotientDiffeology<CartesianDiffeology, ModuloIntegers> {
    QuotientDiffeology { space: CartesianDiffeology::whole_space(1), relation: ModuloIntegers }
}

/// Returns the irrational torus ℝ/(ℤ + √2ℤ).
#[must_use]
pub fn irrational_torus() -> QuotientDiffeology<CartesianDiffeology, ModuloRootTwo> {
    QuotientDiffeology { space: CartesianDiffeology::whole_space(1), relation: ModuloRootTwo }
}

/// Returns √2.
#[must_use]
pub fn root_two() -> Graph {
    Graph::function(Function::Sqrt, &Graph::integer(2))
}

/// Returns x − y for points of the line, and 0 for points of other dimensions.
fn line_difference(x: &[Graph], y: &[Graph]) -> Graph {
    match (x, y) {
        ([x], [y]) => x - y,
        _ => Graph::integer(0),
    }
}

/// Adds the number `by` to all values of a plot.
fn shift_plot(space: &CartesianDiffeology, plot: &CartesianPlot, by: &Graph) -> CartesianPlot {
    let moved = |graphs: &Arc<[Graph]>| graphs.iter().map(|g| g + by).collect();
    let pieces = plot.map_pieces(moved);
    space.glue_pieces(plot.domain(), vec![(PieceRegion::without_conditions(), pieces)])
}

/// Tests whether a number is an integer. An enclosure without integers refutes it.
fn test_integer(d: &Graph, trial: &MapTestConfig) -> DiffeologyVerdict {
    if let Some(q) = d.as_rational() {
        return Ok(if q.is_integer() {
            Verdict::Survived
        } else {
            Verdict::refuted("the difference", q, "an integer")
        });
    }
    let e = enclose_number(d, trial)?;
    let (true, Some(lo)) = (e.is_defined(), e.lo().to_rational()) else { return Ok(Verdict::Vacuous) };
    Ok(match *e.hi() < lo.ceil() {
        true => Verdict::refuted("the difference", e, "an integer"),
        false if e.has_width_at_most(&trial.eps) => Verdict::Survived,
        false => Verdict::Vacuous,
    })
}

/// Draws an integer between −3 and 3.
fn draw_small_integer(random: &mut SplitMix64) -> Graph {
    Graph::integer(random.next_below(7) as i64 - 3)
}

impl EquivalenceRelation<CartesianDiffeology> for ModuloIntegers {
    fn test_related(
        &self,
        _: &CartesianDiffeology,
        x: &Vec<Graph>,
        y: &Vec<Graph>,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        test_integer(&line_difference(x, y), trial)
    }

    fn draw_related_plot(
        &self,
        space: &CartesianDiffeology,
        plot: &CartesianPlot,
        random: &mut SplitMix64,
    ) -> CartesianPlot {
        shift_plot(space, plot, &draw_small_integer(random))
    }

    /// Observes sin 2πkx for k = 1, 2 or 3, which has period 1.
    fn observe_class_function(
        &self,
        space: &CartesianDiffeology,
        which: u64,
        plot: &CartesianPlot,
    ) -> Vec<(PieceRegion, Graph)> {
        let turn = Graph::integer(2 + 2 * (which % 3) as i64) * Graph::pi();
        let wave = |g: Graph| Graph::function(Function::Sin, &(&turn * &g));
        space.observe_plot(0, plot).into_iter().map(|(region, g)| (region, wave(g))).collect()
    }
}

/// The relation x ∼ y if x − y is an integer, on the line over c-analytic sets.
impl EquivalenceRelation<OmegaLine, CAnalyticSite> for ModuloIntegers {
    fn test_related(&self, _: &OmegaLine, x: &Graph, y: &Graph, trial: &MapTestConfig) -> DiffeologyVerdict {
        test_integer(&(x - y), trial)
    }

    /// Adds an integer to the plot on each side of a guard. The integers may differ: pieces of a piecewise analytic
    /// plot need not agree at the border.
    fn draw_related_plot(
        &self,
        _: &OmegaLine,
        plot: &CAnalyticPieces<Graph>,
        random: &mut SplitMix64,
    ) -> CAnalyticPieces<Graph> {
        let mut parts = Vec::new();
        for side in draw_partition(random, plot.domain.dimension()) {
            let by = draw_small_integer(random);
            parts.extend(plot.parts.iter().map(|(answers, g)| (intersect_sets(answers, &vec![side.clone()]), g + &by)));
        }
        CAnalyticPieces::new(&plot.domain, parts)
    }
}

/// The largest |n| for which m + n·√2 is compared with an enclosure; |m| may be 8 times as large. A choice.
const MAX_COEFFICIENT: i64 = 8;

impl EquivalenceRelation<CartesianDiffeology> for ModuloRootTwo {
    fn test_related(
        &self,
        _: &CartesianDiffeology,
        x: &Vec<Graph>,
        y: &Vec<Graph>,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let d = line_difference(x, y);
        // Both coefficients are unique, as √2 is irrational, so this decision is exact.
        if let Some((a, b)) = to_surd(&d) {
            let related = a.is_integer() && b.is_integer();
            return Ok(if related {
                Verdict::Survived
            } else {
                Verdict::refuted("the difference", format!("{a} + {b}·√2"), "m + n·√2")
            });
        }
        let e = enclose_number(&d, trial)?;
        let root = enclose_number(&root_two(), trial)?;
        let (Some(lo), Some(hi), true) = (e.lo().to_rational(), e.hi().to_rational(), e.is_defined()) else {
            return Ok(Verdict::Vacuous);
        };
        let (Some(low), Some(high), true) =
            (root.lo().to_rational(), root.hi().to_rational(), e.has_width_at_most(&trial.eps))
        else {
            return Ok(Verdict::Vacuous);
        };
        // d − n·√2 lies in [a, b], which must contain an integer m. The first integer from a on is its ceiling.
        let found = (-MAX_COEFFICIENT..=MAX_COEFFICIENT).any(|n| {
            let (first, second) = (Rational::from(&low * n), Rational::from(&high * n));
            let (below, above) = if n < 0 { (second, first) } else { (first, second) };
            let (a, b) = (Rational::from(&lo - &above), Rational::from(&hi - &below));
            a.clone().ceil() <= b && a.abs() <= 8 * MAX_COEFFICIENT
        });
        // The lattice is dense: an enclosure never refutes.
        Ok(if found { Verdict::Survived } else { Verdict::Vacuous })
    }

    fn draw_related_plot(
        &self,
        space: &CartesianDiffeology,
        plot: &CartesianPlot,
        random: &mut SplitMix64,
    ) -> CartesianPlot {
        let many = draw_small_integer(random) * root_two();
        shift_plot(space, plot, &(draw_small_integer(random) + &many))
    }
}

/// The largest size, in bits, of a numerator or denominator in exact arithmetic. A choice: it bounds the time of
/// products.
const MAX_SURD_BITS: u32 = 4096;

/// The number a + b·√2 as the pair (a, b).
type Surd = (Rational, Rational);

/// Converts a closed graph to a + b·√2 with rational a and b. Returns `None` if exact arithmetic does not show this
/// form.
fn to_surd(g: &Graph) -> Option<Surd> {
    SurdMemo::default().convert_graph(g)
}

/// The results by address of the node.
#[derive(Default)]
struct SurdMemo(FxHashMap<usize, Option<Surd>>);

impl SurdMemo {
    /// Converts a graph, with a memo. Returns `None` for numbers beyond [`MAX_SURD_BITS`].
    fn convert_graph(&mut self, g: &Graph) -> Option<Surd> {
        if let Some(done) = self.0.get(&g.address()) {
            return done.clone();
        }
        let small = |q: &Rational| q.numer().significant_bits().max(q.denom().significant_bits()) <= MAX_SURD_BITS;
        let found = with_stack(|| self.convert_operation(g)).filter(|(a, b)| small(a) && small(b));
        self.0.insert(g.address(), found.clone());
        found
    }

    /// Converts a graph whose root is any operation.
    fn convert_operation(&mut self, g: &Graph) -> Option<Surd> {
        match g.operation() {
            NodeOperation::Rational(q) => Some(((**q).clone(), Rational::new())),
            NodeOperation::Unary(Unary::Negate, a) => self.convert_graph(a).map(|(a, b)| (-a, -b)),
            NodeOperation::Unary(Unary::Function(Function::Sqrt), a) if a.as_rational().is_some_and(|q| *q == 2) => {
                Some((Rational::new(), Rational::from(1)))
            }
            NodeOperation::Binary(operation, left, right) => {
                let ((a, b), (c, d)) = (self.convert_graph(left)?, self.convert_graph(right)?);
                match operation {
                    Binary::Add => Some((a + c, b + d)),
                    Binary::Subtract => Some((a - c, b - d)),
                    Binary::Multiply => {
                        // (a + b√2)(c + d√2) = (ac + 2bd) + (ad + bc)√2
                        let rational = Rational::from(&a * &c) + Rational::from(&b * &d) * 2;
                        Some((rational, a * d + b * c))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
