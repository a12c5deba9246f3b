//! Manifolds as diffeological spaces (H §6.3): plots are locally smooth maps into charts, compatible along the
//! transitions.
//!
//! A point is given in a chart. Two points of one chart are equal if their coordinates are; two points of different
//! charts are equal if the transition maps one to the other. Outside of its domain they are different, unless a path
//! over other charts is not excluded: the cocycle condition of an atlas is tested at points only. Distinct points need
//! not have disjoint neighbourhoods: a line with two origins has an atlas as well.
//!
//! # Atlases
//!
//! Charts with the transitions between them (H §6.3).
//!
//! A chart is an open subset of some ℝⁿ; the dimensions may vary. The transition from chart i to chart j is a smooth
//! map on an open part of chart i, given by graphs; the transition from j to i is its inverse. Three properties are
//! tested at points: transitions are defined and smooth, they are inverse to each other, and they satisfy the cocycle
//! condition. It says that i → k is defined and equal to i → j → k where the latter is defined. A transition is refused
//! if no point shows smoothness and the inverse.
//!
//! # Products and disjoint unions of manifolds
//!
//! Products and disjoint unions of manifolds, by their atlases (H §6.3: manifolds have finite products and countable
//! coproducts, which agree with those of diffeological spaces).
//!
//! The charts of M × N are products of charts. The chart (i, j) has the index i·n + j if N has n charts. The charts of
//! M ⊎ N are those of M, followed by those of N; their dimensions may differ.
//!
//! # Maps of spheres
//!
//! Maps of spheres (H §6.3), in their stereographic charts.
//!
//! The point x of chart 0 of [`Manifold::sphere`] is the point `(2x, 1 − |x|²)/(1 + |x|²)` of ℝⁿ⁺¹. In chart 1 the last
//! coordinate, the height h, has the opposite sign. So the charts map (p, h) to p/(1 + h) and to p/(1 − h). A map of
//! ℝⁿ⁺¹ that maps the sphere to itself induces a map of manifolds.

use super::DiffeologyVerdict;
use super::map::SmoothMap;
use super::open::{OpenInterval, OpenSet, Reparametrisation, compose_graphs};
use super::piecewise::{PieceRegion, PiecewisePlot};
use super::product::CartesianDiffeology;
use super::smoothness::{
    Membership, Smoothness, compare_points, default_smoothness_test, draw_direction, enclose_number,
    enclosure_membership, format_point, point_membership, rational_point, test_smoothness_at,
};
use super::space::{Diffeology, DiffeologyError, format_rational_point};
use crate::number::Enclosure;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::{DynMap, MapTestConfig, coordinate_graphs, coordinate_variables};
use crate::verdict::Verdict;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A manifold, given by an atlas.
#[derive(Clone, Debug)]
#[doc(alias("Man", "manifold", "manifolds"))]
pub struct Manifold {
    atlas: Arc<Atlas>,
}

/// A point in a chart, or a function into a chart.
#[derive(Clone, Debug)]
pub struct ChartPoint {
    /// The index of the chart, from 0.
    pub chart: usize,
    /// The coordinates in the chart, as closed graphs or as graphs over the domain of the function.
    pub coordinates: Vec<Graph>,
}

impl Manifold {
    /// Returns the manifold of an atlas.
    #[must_use]
    pub fn new(atlas: Atlas) -> Self {
        Self { atlas: Arc::new(atlas) }
    }

    /// Returns ℝⁿ with a single chart.
    ///
    /// # Errors
    /// The errors of the atlas.
    pub fn euclidean_space(n: usize) -> Result<Self, AtlasError> {
        Ok(Self::new(Atlas::new(vec![OpenSet::whole_space(n)], Vec::new(), &default_smoothness_test())?))
    }

    /// Returns the sphere Sⁿ for n ≥ 1 with two stereographic charts. The transition x ↦ x/|x|² maps ℝⁿ without the
    /// origin to itself.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] for n = 0, where the sphere is not connected; the errors of the atlas.
    pub fn sphere(n: usize) -> Result<Self, AtlasError> {
        if n == 0 {
            return Err(DiffeologyError::Dimension { what: "a sphere", expected: 1, found: 0 }.into());
        }
        let half = |i: usize, side: OpenInterval| {
            let mut sides = vec![OpenInterval::real_line(); n];
            sides[i] = side;
            sides
        };
        // ℝⁿ without the origin is the union of 2n open half-spaces.
        let halves =
            (0..n).flat_map(|i| [half(i, OpenInterval::ray_below(0)), half(i, OpenInterval::ray_above(0))]).collect();
        let punctured = OpenSet::new(n, halves)?;
        let x = coordinate_graphs(n);
        let norm = x.iter().fold(Graph::integer(0), |sum, x| &sum + x * x);
        let inverted: Vec<Graph> = x.iter().map(|x| x / &norm).collect();
        let transition = |from, to| Transition { from, to, domain: punctured.clone(), graphs: inverted.clone() };
        let atlas = Atlas::new(
            vec![OpenSet::whole_space(n); 2],
            vec![transition(0, 1), transition(1, 0)],
            &default_smoothness_test(),
        )?;
        Ok(Self::new(atlas))
    }

    /// Returns the atlas.
    #[must_use]
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// Returns the function into a chart with the given graphs over the coordinates of `domain`.
    ///
    /// # Errors
    /// - [`DiffeologyError::Shape`] if there is no such chart.
    /// - [`DiffeologyError::Dimension`] if the number of graphs is not the dimension of the chart.
    /// - [`DiffeologyError::Map`] if a graph mentions a variable that is no coordinate of `domain`.
    pub fn plot_in_chart(
        &self,
        domain: &OpenSet,
        chart: usize,
        graphs: &[Graph],
    ) -> Result<PiecewisePlot<ChartPoint>, DiffeologyError> {
        let charts = self.atlas.charts();
        let Some(open) = charts.get(chart) else {
            let expected = format!("a chart below {}", charts.len());
            return Err(DiffeologyError::Shape { expected, found: format!("chart {chart}") });
        };
        DiffeologyError::check_dimension("the list of graphs", open.dimension(), graphs.len())?;
        DynMap::of_graphs(&coordinate_variables(domain.dimension()), graphs)?;
        Ok(PiecewisePlot::single_piece(domain, ChartPoint { chart, coordinates: graphs.to_vec() }))
    }

    /// Returns a chart as a Cartesian space; ℝ⁰ if there is no such chart.
    fn chart_space(&self, index: usize) -> CartesianDiffeology {
        CartesianDiffeology::new(self.atlas.charts().get(index).cloned().unwrap_or_else(|| OpenSet::whole_space(0)))
    }
}

impl Diffeology for Manifold {
    type Point = ChartPoint;
    type Plot = PiecewisePlot<ChartPoint>;

    fn plot_domain(&self, plot: &Self::Plot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &ChartPoint) -> Self::Plot {
        PiecewisePlot::single_piece(domain, x.clone())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |p| ChartPoint { chart: p.chart, coordinates: along.pull_back(&p.coordinates) })
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, Self::Plot)>) -> Self::Plot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<ChartPoint, DiffeologyError> {
        let found = plot.description_at(u, trial)?;
        Ok(ChartPoint { chart: found.chart, coordinates: compose_graphs(&found.coordinates, u) })
    }

    fn compare_points(&self, x: &ChartPoint, y: &ChartPoint, trial: &MapTestConfig) -> DiffeologyVerdict {
        let found = self.atlas.transition_between(x.chart, y.chart);
        if let Some((on, transition)) = &found {
            match point_membership(&x.coordinates, on, trial)? {
                Membership::Inside => {
                    return compare_points(&compose_graphs(transition, &x.coordinates), &y.coordinates, trial);
                }
                Membership::Unknown => return Ok(Verdict::Vacuous),
                Membership::Outside => {}
            }
        }
        // In an atlas that violates the cocycle condition, points may be identified over other charts.
        if self.atlas.may_connect((x.chart, &x.coordinates), (y.chart, &y.coordinates), trial)? {
            return Ok(Verdict::Vacuous);
        }
        Ok(match found {
            None => Verdict::refuted("two charts without a common point", x.chart, y.chart),
            Some(_) => Verdict::refuted(
                format!("chart {}", y.chart),
                self.describe_point(x, trial),
                self.describe_point(y, trial),
            ),
        })
    }

    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        plot.test_everywhere(
            trial,
            |piece, u, _| {
                // The function of a piece need not be smooth outside of the piece.
                let Some(near) = plot.inclusion_near(piece, u, trial)? else { return Ok(Verdict::Vacuous) };
                let chart = self.chart_space(piece.value.chart);
                let p = chart.plot_from_graphs(plot.domain(), &piece.value.coordinates)?;
                chart.test_plot(&chart.reparametrise(&near, &p), trial)
            },
            |p, q, u| {
                let at = |p: &ChartPoint| ChartPoint {
                    chart: p.chart,
                    coordinates: compose_graphs(&p.coordinates, &rational_point(u)),
                };
                self.compare_points(&at(p), &at(q), trial)
            },
        )
    }

    fn draw_point(&self, random: &mut SplitMix64) -> ChartPoint {
        let chart = random.next_below(self.atlas.charts().len());
        ChartPoint { chart, coordinates: self.chart_space(chart).draw_point(random) }
    }

    /// Draws a plot in one chart. Where transitions are defined, pieces in the other charts overlap with it.
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> Self::Plot {
        let chart = random.next_below(self.atlas.charts().len());
        let drawn = self.chart_space(chart).draw_plot(domain, random);
        let whole = drawn.map_pieces(|graphs| ChartPoint { chart, coordinates: graphs.to_vec() });
        let mut pieces = vec![(PieceRegion::without_conditions(), whole.clone())];
        for t in self.atlas.transitions().iter().filter(|t| t.from == chart) {
            for piece in whole.pieces() {
                let moved =
                    ChartPoint { chart: t.to, coordinates: compose_graphs(&t.graphs, &piece.value.coordinates) };
                let region = PieceRegion::preimage_of(piece.value.coordinates.clone(), &t.domain);
                // The piece in the other chart comes first, so that the values there are taken in that chart.
                pieces.insert(0, (piece.region.intersect_with(&region), PiecewisePlot::single_piece(domain, moved)));
            }
        }
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn describe_point(&self, x: &ChartPoint, trial: &MapTestConfig) -> String {
        format!("{} in chart {}", format_point(&x.coordinates, trial), x.chart)
    }
}

/// A change of coordinates from one chart to another.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The index of the first chart, from 0.
    pub from: usize,
    /// The index of the second chart, from 0.
    pub to: usize,
    /// The part of the first chart on which the transition is defined.
    pub domain: OpenSet,
    /// The components, as graphs over the coordinates of the first chart.
    pub graphs: Vec<Graph>,
}

/// Charts with transitions between them that passed the tests.
#[derive(Clone, Debug)]
pub struct Atlas {
    charts: Vec<OpenSet>,
    transitions: Vec<Transition>,
}

/// A fault of an atlas.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// The atlas has no chart, or an empty one.
    #[error("an atlas needs charts with points, but chart {chart} has none; leave it out")]
    Empty {
        /// The index of the empty chart; 0 if there is no chart.
        chart: usize,
    },
    /// A transition names a missing chart or a single chart twice, or repeats another transition.
    #[error(
        "the transition from chart {from} to chart {to} is one too many: there are {charts} charts, and one for each two"
    )]
    ExtraTransition {
        /// The index of the first chart.
        from: usize,
        /// The index of the second chart.
        to: usize,
        /// The number of charts.
        charts: usize,
    },
    /// A transition has no inverse.
    #[error("the transition from chart {from} to chart {to} needs one back")]
    MissingInverse {
        /// The index of the first chart.
        from: usize,
        /// The index of the second chart.
        to: usize,
    },
    /// A transition is certainly not smooth.
    #[error("the transition from chart {from} to chart {to} is not smooth at {witness}: {left} is not {right}")]
    NotSmooth {
        /// The index of the first chart.
        from: usize,
        /// The index of the second chart.
        to: usize,
        /// The point, the direction and the order of the derivative.
        witness: String,
        /// The Taylor coefficient from the left, or the value at the point.
        left: String,
        /// The Taylor coefficient from the right, or the limit.
        right: String,
    },
    /// A value of a transition certainly lies outside of the domain of the inverse.
    #[error(
        "the transition from chart {from} to chart {to} leads from {at} to {value}, where the one back is not defined"
    )]
    LeavesDomain {
        /// The index of the first chart.
        from: usize,
        /// The index of the second chart.
        to: usize,
        /// The point.
        at: String,
        /// The value of the transition.
        value: String,
    },
    /// A transition and its alleged inverse do not compose to the identity.
    #[error("from chart {from} to chart {to} and back, {at} becomes {value}")]
    NotInverse {
        /// The index of the first chart.
        from: usize,
        /// The index of the second chart.
        to: usize,
        /// The point.
        at: String,
        /// The value of the composite.
        value: String,
    },
    /// Three transitions violate the cocycle condition.
    #[error("from chart {} over {} to {}, {at} becomes {over}, and directly it becomes {directly}", charts[0], charts[1], charts[2])]
    Cocycle {
        /// The indices of the charts.
        charts: [usize; 3],
        /// The point.
        at: String,
        /// The value over the second chart.
        over: String,
        /// The value of the direct transition.
        directly: String,
    },
    /// Two transitions compose at a point where no direct transition is defined.
    #[error(
        "from chart {} over {} to {}, {at} becomes {over}, but no direct transition is defined there; give one, or make its \
         domain larger", charts[0], charts[1], charts[2]
    )]
    MissingTransition {
        /// The indices of the charts.
        charts: [usize; 3],
        /// The point.
        at: String,
        /// The value over the second chart.
        over: String,
    },
    /// A transition is not known to have a value at a point of its domain.
    #[error(
        "the transition from chart {from} to chart {to} has no value that is found at {at}; make its domain smaller"
    )]
    Undefined {
        /// The index of the first chart.
        from: usize,
        /// The index of the second chart.
        to: usize,
        /// The point.
        at: String,
    },
    /// No point showed that a transition is smooth and has the given inverse.
    #[error(
        "at no point that was tried the transition from chart {from} to chart {to} was shown to be smooth and undone by the \
         one back; try more points, or to a lower order"
    )]
    NothingShown {
        /// The index of the first chart.
        from: usize,
        /// The index of the second chart.
        to: usize,
    },
    /// The atlas has more pairs of consecutive transitions than are tested.
    #[error("the atlas has {found} paths of two transitions, and {most} may be tried; use fewer charts")]
    TooManyPaths {
        /// The number of pairs.
        found: usize,
        /// The largest number of pairs.
        most: usize,
    },
    /// The evaluation of a chart, a transition or a point failed.
    #[error(transparent)]
    Diffeology(#[from] DiffeologyError),
}

/// The largest number of paths of two transitions. A choice: 16 charts with all transitions have 3,600.
pub const MAX_TRANSITION_PATHS: usize = 4096;

impl Atlas {
    /// Creates the atlas with the given charts and transitions, and tests it.
    ///
    /// # Errors
    /// [`AtlasError`], with the transition and a point.
    pub fn new(charts: Vec<OpenSet>, transitions: Vec<Transition>, trial: &MapTestConfig) -> Result<Self, AtlasError> {
        if let Some(chart) = charts.iter().position(OpenSet::is_empty).or(charts.is_empty().then_some(0)) {
            return Err(AtlasError::Empty { chart });
        }
        let (count, mut seen) = (charts.len(), FxHashSet::default());
        for t in &transitions {
            let (from, to) = (t.from, t.to);
            if from >= count || to >= count || from == to || !seen.insert((from, to)) {
                return Err(AtlasError::ExtraTransition { from, to, charts: count });
            }
        }
        if let Some(t) = transitions.iter().find(|t| !seen.contains(&(t.to, t.from))) {
            return Err(AtlasError::MissingInverse { from: t.from, to: t.to });
        }
        // Each transition has an inverse, so as many lead to a chart as from it.
        let mut degrees = vec![0usize; count];
        // A path over chart i takes a transition into i and one out of it: the number of paths is the sum of the
        // squares.
        transitions.iter().for_each(|t| degrees[t.from] += 1);
        let found = degrees.iter().fold(0usize, |sum, d| sum.saturating_add(d.saturating_mul(*d)));
        if found > MAX_TRANSITION_PATHS {
            return Err(AtlasError::TooManyPaths { found, most: MAX_TRANSITION_PATHS });
        }
        // All shapes are checked before any transition is evaluated.
        for t in &transitions {
            let (from, to) = (t.from, t.to);
            DiffeologyError::check_dimension("the list of graphs", charts[to].dimension(), t.graphs.len())?;
            DiffeologyError::check_dimension(
                "the domain of a transition",
                charts[from].dimension(),
                t.domain.dimension(),
            )?;
            DynMap::of_graphs(&coordinate_variables(t.domain.dimension()), &t.graphs).map_err(DiffeologyError::from)?;
            if let Some(point) = t.domain.find_uncovered_point(std::slice::from_ref(&charts[from]))? {
                return Err(DiffeologyError::NotCovered { whole: t.domain.to_string(), point }.into());
            }
        }
        let atlas = Self { charts, transitions };
        atlas.transitions.iter().try_for_each(|t| atlas.test_transition(t, trial))?;
        Ok(atlas)
    }

    /// Returns the charts.
    #[must_use]
    pub fn charts(&self) -> &[OpenSet] {
        &self.charts
    }

    /// Returns the transitions.
    #[must_use]
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// Returns the transition between two charts with its domain; the identity if `from` is `to`. Returns `None` if
    /// there is no transition.
    #[must_use]
    pub fn transition_between(&self, from: usize, to: usize) -> Option<(OpenSet, Vec<Graph>)> {
        if from == to {
            let chart = self.charts.get(from)?;
            return Some((chart.clone(), coordinate_graphs(chart.dimension())));
        }
        let found = self.transitions.iter().find(|t| (t.from, t.to) == (from, to))?;
        Some((found.domain.clone(), found.graphs.clone()))
    }

    /// Tests a transition at sample points: values, smoothness, the inverse and the cocycle condition.
    fn test_transition(&self, t: &Transition, trial: &MapTestConfig) -> Result<(), AtlasError> {
        let (from, to) = (t.from, t.to);
        let Some((back_on, back)) = self.transition_between(to, from) else {
            return Err(AtlasError::MissingInverse { from, to });
        };
        let mut random = SplitMix64::new(trial.seed);
        // On an empty domain there is nothing to show.
        let mut shown_once = t.domain.is_empty();
        // Twice as many points as in other tests: an atlas is built once and trusted afterwards.
        for point in t.domain.sample_points(&mut random, 2 * trial.sample_points as usize) {
            let (x, at) = (rational_point(&point), format_rational_point(&point));
            let along = draw_direction(&mut random, point.len());
            let smooth = test_smoothness_at(&t.graphs, &point, &along, trial)?;
            if let Smoothness::Refuted { witness, left, right } = smooth {
                return Err(AtlasError::NotSmooth { from, to, witness, left, right });
            }
            let value = compose_graphs(&t.graphs, &x);
            let found: Vec<_> = value.iter().map(|g| enclose_number(g, trial)).collect::<Result<_, _>>()?;
            if !found.iter().all(Enclosure::is_defined) {
                return Err(AtlasError::Undefined { from, to, at });
            }
            if enclosure_membership(&found, &back_on) == Membership::Outside {
                return Err(AtlasError::LeavesDomain { from, to, at, value: format_point(&value, trial) });
            }
            let again = compose_graphs(&back, &value);
            let undone = compare_points(&again, &x, trial)?;
            if undone.is_refuted() {
                return Err(AtlasError::NotInverse { from, to, at, value: format_point(&again, trial) });
            }
            // At one point at least, nothing may remain undecided.
            shown_once |= smooth == Smoothness::Shown && undone == Verdict::Survived;
            for next in self.transitions.iter().filter(|next| next.from == to && next.to != from) {
                self.test_cocycle(t, next, &x, &value, trial)?;
            }
        }
        if shown_once { Ok(()) } else { Err(AtlasError::NothingShown { from, to }) }
    }

    /// Tests the cocycle condition for i → j → k at a point of i, with its value in j.
    fn test_cocycle(
        &self,
        t: &Transition,
        next: &Transition,
        x: &[Graph],
        value: &[Graph],
        trial: &MapTestConfig,
    ) -> Result<(), AtlasError> {
        if point_membership(value, &next.domain, trial)? != Membership::Inside {
            return Ok(());
        }
        // The path must certainly be defined at the point.
        let over = compose_graphs(&next.graphs, value);
        for g in &over {
            if !enclose_number(g, trial)?.is_defined() {
                return Ok(());
            }
        }
        let (charts, at) = ([t.from, t.to, next.to], || format_point(x, trial));
        let Some((on, directly)) = self.transition_between(t.from, next.to) else {
            return Err(AtlasError::MissingTransition { charts, at: at(), over: format_point(&over, trial) });
        };
        // An undecided point shows no fault.
        match point_membership(x, &on, trial)? {
            Membership::Inside => {}
            Membership::Unknown => return Ok(()),
            Membership::Outside => {
                return Err(AtlasError::MissingTransition { charts, at: at(), over: format_point(&over, trial) });
            }
        }
        let directly = compose_graphs(&directly, x);
        if compare_points(&over, &directly, trial)?.is_refuted() {
            let told = |y: &[Graph]| format_point(y, trial);
            return Err(AtlasError::Cocycle { charts, at: at(), over: told(&over), directly: told(&directly) });
        }
        Ok(())
    }

    /// Returns `false` if certainly no composite of transitions maps a point of one chart to a given point of another
    /// chart. This is certain if every path leaves the domains or ends at another point, and if all paths to a chart
    /// lead to the same point of it.
    ///
    /// In a valid atlas the direct transition decides this question. But an atlas is tested at some points only.
    ///
    /// # Errors
    /// The errors of evaluating closed graphs.
    pub fn may_connect(
        &self,
        (from, x): (usize, &[Graph]),
        (to, y): (usize, &[Graph]),
        trial: &MapTestConfig,
    ) -> Result<bool, DiffeologyError> {
        let mut reached: FxHashMap<usize, Vec<Graph>> = FxHashMap::from_iter([(from, x.to_vec())]);
        let mut waiting = vec![(from, x.to_vec())];
        while let Some((chart, value)) = waiting.pop() {
            for t in self.transitions.iter().filter(|t| t.from == chart) {
                match point_membership(&value, &t.domain, trial)? {
                    Membership::Outside => continue,
                    Membership::Unknown => return Ok(true),
                    Membership::Inside => {}
                }
                let next = compose_graphs(&t.graphs, &value);
                if let Some(known) = reached.get(&t.to) {
                    // Two paths to one chart that may differ: the points that can be reached are not all known.
                    if compare_points(&next, known, trial)? != Verdict::Survived {
                        return Ok(true);
                    }
                // The given point itself, or a point that cannot be told from it.
                } else if t.to == to && !compare_points(&next, y, trial)?.is_refuted() {
                    return Ok(true);
                } else {
                    reached.insert(t.to, next.clone());
                    waiting.push((t.to, next));
                }
            }
        }
        Ok(false)
    }
}

/// The product M × N as a manifold.
#[derive(Clone, Debug)]
pub struct ProductManifold {
    factors: [Manifold; 2],
    manifold: Manifold,
}

impl ProductManifold {
    /// Returns the product. Its atlas is tested.
    ///
    /// # Errors
    /// The errors of the atlas.
    pub fn new(first: &Manifold, second: &Manifold) -> Result<Self, AtlasError> {
        let (m, n) = (first.atlas().charts(), second.atlas().charts());
        let (mut charts, mut transitions) = (Vec::new(), Vec::new());
        for (i, u) in m.iter().enumerate() {
            for (j, v) in n.iter().enumerate() {
                charts.push(u.product(v)?);
                // One set of coordinates for both factors: the first ones belong to M.
                let x = coordinate_graphs(u.dimension() + v.dimension());
                for (k, l) in (0..m.len()).flat_map(|k| (0..n.len()).map(move |l| (k, l))) {
                    let (from, to) = (i * n.len() + j, k * n.len() + l);
                    let both = first.atlas().transition_between(i, k).zip(second.atlas().transition_between(j, l));
                    let Some(((on, f), (also, g))) = both.filter(|_| from != to) else { continue };
                    let graphs =
                        [compose_graphs(&f, &x[..u.dimension()]), compose_graphs(&g, &x[u.dimension()..])].concat();
                    transitions.push(Transition { from, to, domain: on.product(&also)?, graphs });
                }
            }
        }
        let whole = Manifold::new(Atlas::new(charts, transitions, &default_smoothness_test())?);
        Ok(Self { factors: [first.clone(), second.clone()], manifold: whole })
    }

    /// Returns M × N.
    #[must_use]
    pub fn manifold(&self) -> &Manifold {
        &self.manifold
    }

    /// Returns the projection π₁ : M × N → M, or π₂ : M × N → N if `second` is `true`.
    #[must_use]
    pub fn projection(&self, second: bool) -> SmoothMap<Manifold, Manifold> {
        let charts = self.factors[1].atlas().charts().len();
        let dimensions: Vec<usize> = self.factors[0].atlas().charts().iter().map(OpenSet::dimension).collect();
        SmoothMap::new(&self.manifold, &self.factors[usize::from(second)], move |p| {
            p.try_map_pieces(|p| {
                let (i, j) = (p.chart / charts, p.chart % charts);
                let Some((x, y)) = dimensions.get(i).and_then(|n| p.coordinates.split_at_checked(*n)) else {
                    return Err(DiffeologyError::Shape {
                        expected: "a point in a chart of the product".to_owned(),
                        found: format!("chart {} with {} coordinates", p.chart, p.coordinates.len()),
                    });
                };
                let (chart, part) = if second { (j, y) } else { (i, x) };
                Ok(ChartPoint { chart, coordinates: part.to_vec() })
            })
        })
    }

    /// Returns ⟨p, q⟩ : U → M × N on the intersection of the domains.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] if there is no such chart; the errors of intersecting the domains.
    pub fn pair_plots(
        &self,
        p: &PiecewisePlot<ChartPoint>,
        q: &PiecewisePlot<ChartPoint>,
    ) -> Result<PiecewisePlot<ChartPoint>, DiffeologyError> {
        let (domain, charts) = (p.domain().intersection(q.domain())?, self.factors[1].atlas().charts().len());
        let mut pieces = Vec::new();
        // Each piece of p meets each piece of q; empty intersections are kept, and never contain a point.
        for (a, b) in p.pieces().iter().flat_map(|a| q.pieces().iter().map(move |b| (a, b))) {
            // Saturation turns an absurd index into one that no chart has.
            let chart = a.value.chart.saturating_mul(charts).saturating_add(b.value.chart);
            let graphs = [&a.value.coordinates[..], &b.value.coordinates].concat();
            pieces.push((a.region.intersect_with(&b.region), self.manifold.plot_in_chart(&domain, chart, &graphs)?));
        }
        Ok(PiecewisePlot::join_pieces(&domain, pieces))
    }
}

/// The disjoint union M ⊎ N as a manifold.
#[derive(Clone, Debug)]
pub struct SumManifold {
    summands: [Manifold; 2],
    manifold: Manifold,
}

impl SumManifold {
    /// Returns the disjoint union. Its atlas is tested.
    ///
    /// # Errors
    /// The errors of the atlas.
    pub fn new(first: &Manifold, second: &Manifold) -> Result<Self, AtlasError> {
        let count = first.atlas().charts().len();
        let charts = [first.atlas().charts(), second.atlas().charts()].concat();
        // No transition connects a chart of M with a chart of N.
        let later = |t: &Transition| Transition { from: t.from + count, to: t.to + count, ..t.clone() };
        let transitions = first.atlas().transitions().iter().cloned();
        let transitions = transitions.chain(second.atlas().transitions().iter().map(later)).collect();
        let whole = Manifold::new(Atlas::new(charts, transitions, &default_smoothness_test())?);
        Ok(Self { summands: [first.clone(), second.clone()], manifold: whole })
    }

    /// Returns M ⊎ N.
    #[must_use]
    pub fn manifold(&self) -> &Manifold {
        &self.manifold
    }

    /// Returns the injection M → M ⊎ N, or N → M ⊎ N if `second` is `true`.
    #[must_use]
    pub fn injection(&self, second: bool) -> SmoothMap<Manifold, Manifold> {
        let before = if second { self.summands[0].atlas().charts().len() } else { 0 };
        SmoothMap::new(&self.summands[usize::from(second)], &self.manifold, move |p| {
            Ok(p.map_pieces(|p| ChartPoint { chart: p.chart + before, coordinates: p.coordinates.clone() }))
        })
    }

    /// Returns the summand of a function into the disjoint union (`true` for N), and the function into it. A plot on a
    /// connected domain has a summand.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] if there are pieces in both summands, or no pieces.
    pub fn split_summand(
        &self,
        p: &PiecewisePlot<ChartPoint>,
    ) -> Result<(bool, PiecewisePlot<ChartPoint>), DiffeologyError> {
        let count = self.summands[0].atlas().charts().len();
        let mut seconds = p.pieces().iter().map(|piece| piece.value.chart >= count);
        let first = seconds.next();
        let Some(second) = first.filter(|first| seconds.all(|other| other == *first)) else {
            let found = if first.is_some() { "pieces in both" } else { "no piece" };
            return Err(DiffeologyError::Shape {
                expected: "pieces in one summand".to_owned(),
                found: found.to_owned(),
            });
        };
        let before = if second { count } else { 0 };
        let moved = |p: &ChartPoint| ChartPoint { chart: p.chart - before, coordinates: p.coordinates.clone() };
        Ok((second, p.map_pieces(moved)))
    }
}

/// Returns |x|².
fn squared_length(x: &[Graph]) -> Graph {
    x.iter().fold(Graph::integer(0), |sum, x| &sum + x * x)
}

/// Returns the point of ℝⁿ⁺¹ with the given coordinates in a chart of the sphere.
fn ambient_point(x: &ChartPoint) -> Vec<Graph> {
    let (one, norm) = (Graph::integer(1), squared_length(&x.coordinates));
    let below = &one + &norm;
    let height = (&one - &norm) / &below;
    let twice = |x: &Graph| (x + x) / &below;
    let height = if x.chart == 0 { height } else { -&height };
    x.coordinates.iter().map(twice).chain([height]).collect()
}

/// Returns the inclusion Sⁿ → ℝⁿ⁺¹.
///
/// # Errors
/// The errors of [`Manifold::sphere`].
pub fn sphere_inclusion(n: usize) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let (sphere, space) = (Manifold::sphere(n)?, Manifold::euclidean_space(n + 1)?);
    Ok(SmoothMap::new(
        &sphere,
        &space,
        |p| Ok(p.map_pieces(|x| ChartPoint { chart: 0, coordinates: ambient_point(x) })),
    ))
}

/// Returns the inverse ℝⁿ → Sⁿ of a chart.
///
/// # Errors
/// The errors of [`Manifold::sphere`]; [`DiffeologyError::Shape`] if there is no such chart.
pub fn stereographic_inverse(n: usize, chart: usize) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let (space, sphere) = (Manifold::euclidean_space(n)?, Manifold::sphere(n)?);
    let charts = sphere.atlas().charts().len();
    if chart >= charts {
        let expected = format!("a chart below {charts}");
        return Err(DiffeologyError::Shape { expected, found: format!("chart {chart}") }.into());
    }
    Ok(SmoothMap::new(&space, &sphere, move |p| {
        Ok(p.map_pieces(|x| ChartPoint { chart, coordinates: x.coordinates.clone() }))
    }))
}

/// Restricts a map ℝⁿ⁺¹ → ℝⁿ⁺¹, given by graphs over the coordinates, to a map Sⁿ → Sⁿ. The map should map the sphere
/// to itself. Otherwise its values in the two charts are different points, and [`SmoothMap::test_smoothness`] refutes it.
///
/// # Errors
/// - The errors of [`Manifold::sphere`].
/// - [`DiffeologyError::Dimension`] if the number of graphs is not n + 1.
/// - [`DiffeologyError::Map`] if a graph mentions a variable that is no coordinate.
pub fn restrict_to_sphere(n: usize, graphs: &[Graph]) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let sphere = Manifold::sphere(n)?;
    DiffeologyError::check_dimension("the list of graphs", n + 1, graphs.len())?;
    DynMap::of_graphs(&coordinate_variables(n + 1), graphs).map_err(DiffeologyError::from)?;
    let (graphs, nonzero) =
        (graphs.to_vec(), OpenSet::new(1, vec![vec![OpenInterval::ray_below(0)], vec![OpenInterval::ray_above(0)]])?);
    Ok(SmoothMap::new(&sphere, &sphere, move |p| {
        let mut pieces = Vec::new();
        for piece in p.pieces() {
            DiffeologyError::check_dimension("a point of the sphere", n, piece.value.coordinates.len())?;
            let moved = compose_graphs(&graphs, &ambient_point(&piece.value));
            let (one, height) = (Graph::integer(1), &moved[n]);
            // A chart is defined where its denominator is not 0; at each point at least one of the two is.
            let below = [&one + height, &one - height];
            for (chart, below) in below.into_iter().enumerate() {
                let divided = |x: &Graph| x / &below;
                let value = ChartPoint { chart, coordinates: moved[..n].iter().map(divided).collect() };
                let region = piece.region.intersect_with(&PieceRegion::preimage_of(vec![below.clone()], &nonzero));
                pieces.push((region, PiecewisePlot::single_piece(p.domain(), value)));
            }
        }
        Ok(PiecewisePlot::join_pieces(p.domain(), pieces))
    }))
}

/// Returns the antipodal map x ↦ −x on Sⁿ.
///
/// # Errors
/// The errors of [`Manifold::sphere`].
pub fn antipodal_map(n: usize) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let opposite: Vec<_> = coordinate_graphs(n + 1).iter().map(|x| -x).collect();
    restrict_to_sphere(n, &opposite)
}

/// Returns a rotation of Sⁿ, n ≥ 1, in the plane of the last two coordinates of ℝⁿ⁺¹, by the angle with cosine 3/5 and
/// sine 4/5. It moves both poles.
///
/// # Errors
/// The errors of [`Manifold::sphere`].
pub fn sphere_rotation(n: usize) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let mut x = coordinate_graphs(n + 1);
    if let Some([a, h]) = x.last_chunk::<2>().cloned() {
        // A Pythagorean triple keeps all coefficients rational, and decisions exact.
        let fifths = |p: i64, g: &Graph| Graph::rational((p, 5).into()) * g;
        x[n - 1] = fifths(3, &a) - fifths(4, &h);
        x[n] = fifths(4, &a) + fifths(3, &h);
    }
    restrict_to_sphere(n, &x)
}

/// Returns the double cover S¹ → S¹, which squares the complex number h + ip.
///
/// # Errors
/// The errors of [`Manifold::sphere`].
pub fn double_cover() -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let x = coordinate_graphs(2);
    let product = |a: &Graph, b: &Graph| a * b;
    let (p, h) = (&x[0], &x[1]);
    let twice = product(&Graph::integer(2), &product(p, h));
    // (h + ip)² = (h² − p²) + 2hp·i
    restrict_to_sphere(1, &[twice, product(h, h) - product(p, p)])
}

/// Returns the map x ↦ |x|² from ℝⁿ to ℝ.
///
/// # Errors
/// The errors of [`Manifold::euclidean_space`].
pub fn squared_norm(n: usize) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let (space, line) = (Manifold::euclidean_space(n)?, Manifold::euclidean_space(1)?);
    Ok(SmoothMap::new(&space, &line, |p| {
        Ok(p.map_pieces(|x| ChartPoint { chart: 0, coordinates: vec![squared_length(&x.coordinates)] }))
    }))
}
