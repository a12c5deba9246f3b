//! Atlases: charts with the transitions between them (H §6.3).
//!
//! A chart is an open subset of some ℝⁿ; the dimensions may vary. The transition from chart i to chart j is a smooth
//! map on an open part of chart i, given by graphs; the transition from j to i is its inverse. Three properties are
//! tested at points: transitions are defined and smooth, they are inverse to each other, and they satisfy the cocycle
//! condition. It says that i → k is defined and equal to i → j → k where the latter is defined. A transition is refused
//! if no point shows smoothness and the inverse.

use super::error::{DiffeologyError, format_rational_point};
use super::open::OpenSet;
use super::real::{
    Membership, compare_points, enclose_number, enclosure_membership, format_point, point_membership, rational_point,
};
use super::reparametrisation::compose_graphs;
use super::smoothness::{Smoothness, draw_direction, test_smoothness_at};
use crate::number::Enclosure;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::smooth::map::untyped::{DynMap, coordinate_graphs, coordinate_variables};
use crate::verdict::Verdict;
use rustc_hash::{FxHashMap, FxHashSet};

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
