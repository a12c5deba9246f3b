//! Atlases: charts, and the maps between them (H §6.3).
//!
//! A chart is an open subset of some ℝⁿ, and the dimensions may vary. The transition from chart i to chart j is a smooth
//! map on an open part of the first, given by graphs; from j to i it is the inverse. What can be refuted is tried at
//! points: that transitions are defined and smooth, that they are inverse to each other, and the cocycle condition: where
//! i → j → k is defined, i → k is, and is the same. A transition of which nothing is shown at any point is refused.

use super::error::{DiffeologyError, shown};
use super::open::Open;
use super::real::{Membership, enclosed_in, enclosure, exactly, membership, same, told_point};
use super::reparametrisation::composed;
use super::smoothness::{Smoothness, at_point, direction};
use crate::number::Enclosure;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::smooth::map::untyped::{Untyped, coordinates, variables};
use crate::verdict::Verdict;
use rustc_hash::{FxHashMap, FxHashSet};

/// A change of coordinates from a chart to another.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The number of the chart it leads from…
    pub from: usize,
    /// …and of the chart it leads to.
    pub to: usize,
    /// The part of the first chart on which it is defined.
    pub on: Open,
    /// Its components, over the coordinates of the first chart.
    pub graphs: Vec<Graph>,
}

/// Charts with the transitions between them, tried.
#[derive(Clone, Debug)]
pub struct Atlas {
    charts: Vec<Open>,
    transitions: Vec<Transition>,
}

/// What is wrong with an atlas.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// There is no chart, or a chart without a point.
    #[error("an atlas needs charts with points, but chart {chart} has none; leave it out")]
    Empty {
        /// Which one; 0 if there are none at all.
        chart: usize,
    },
    /// A transition that names no chart, or one chart twice, or two charts a second time.
    #[error(
        "the transition from chart {from} to chart {to} is one too many: there are {charts} charts, and one for each two"
    )]
    Superfluous {
        /// From.
        from: usize,
        /// To.
        to: usize,
        /// How many charts there are.
        charts: usize,
    },
    /// A transition without its inverse.
    #[error("the transition from chart {from} to chart {to} needs one back")]
    OneWay {
        /// From.
        from: usize,
        /// To.
        to: usize,
    },
    /// A transition that certainly is not smooth.
    #[error("the transition from chart {from} to chart {to} is not smooth at {witness}: {left} is not {right}")]
    NotSmooth {
        /// From.
        from: usize,
        /// To.
        to: usize,
        /// The point, the direction and the order.
        witness: String,
        /// From the left.
        left: String,
        /// From the right.
        right: String,
    },
    /// A transition that leads to no point where the one back is defined.
    #[error(
        "the transition from chart {from} to chart {to} leads from {at} to {value}, where the one back is not defined"
    )]
    Leaves {
        /// From.
        from: usize,
        /// To.
        to: usize,
        /// The point.
        at: String,
        /// Where it leads.
        value: String,
    },
    /// A transition that is not undone by the one back.
    #[error("from chart {from} to chart {to} and back, {at} becomes {value}")]
    NotInverse {
        /// From.
        from: usize,
        /// To.
        to: usize,
        /// The point.
        at: String,
        /// What it becomes.
        value: String,
    },
    /// Three transitions that do not fit together.
    #[error("from chart {} over {} to {}, {at} becomes {over}, and directly it becomes {directly}", charts[0], charts[1], charts[2])]
    Cocycle {
        /// The charts.
        charts: [usize; 3],
        /// The point.
        at: String,
        /// What it becomes in two steps.
        over: String,
        /// What it becomes in one.
        directly: String,
    },
    /// Two steps without a direct one.
    #[error(
        "from chart {} over {} to {}, {at} becomes {over}, but no direct transition is defined there; give one, or make its \
         domain larger", charts[0], charts[1], charts[2]
    )]
    NoDirect {
        /// The charts.
        charts: [usize; 3],
        /// The point.
        at: String,
        /// What it becomes in two steps.
        over: String,
    },
    /// A transition that is not known to have a value at a point of its domain.
    #[error(
        "the transition from chart {from} to chart {to} has no value that is found at {at}; make its domain smaller"
    )]
    Undefined {
        /// From.
        from: usize,
        /// To.
        to: usize,
        /// The point.
        at: String,
    },
    /// A transition of which nothing was shown.
    #[error(
        "at no point that was tried the transition from chart {from} to chart {to} was shown to be smooth and undone by the \
         one back; try more points, or to a lower order"
    )]
    NothingShown {
        /// From.
        from: usize,
        /// To.
        to: usize,
    },
    /// More pairs of consecutive transitions than are tried.
    #[error("the atlas has {found} paths of two transitions, and {most} may be tried; use fewer charts")]
    TooManyPaths {
        /// How many there were.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A chart, a transition or a point could not be evaluated.
    #[error(transparent)]
    Diffeology(#[from] DiffeologyError),
}

/// The most paths of two transitions: those of 16 charts with all transitions are fewer.
pub const MOST_PATHS: usize = 4096;

impl Atlas {
    /// The charts with these transitions.
    ///
    /// # Errors
    /// [`AtlasError`], naming the transition and a point.
    pub fn new(charts: Vec<Open>, transitions: Vec<Transition>, trial: &Trial) -> Result<Self, AtlasError> {
        if let Some(chart) = charts.iter().position(Open::is_empty).or(charts.is_empty().then_some(0)) {
            return Err(AtlasError::Empty { chart });
        }
        let (count, mut seen) = (charts.len(), FxHashSet::default());
        for t in &transitions {
            let (from, to) = (t.from, t.to);
            if from >= count || to >= count || from == to || !seen.insert((from, to)) {
                return Err(AtlasError::Superfluous { from, to, charts: count });
            }
        }
        if let Some(t) = transitions.iter().find(|t| !seen.contains(&(t.to, t.from))) {
            return Err(AtlasError::OneWay { from: t.from, to: t.to });
        }
        // each has one back, so as many lead to a chart as from it
        let mut degrees = vec![0usize; count];
        transitions.iter().for_each(|t| degrees[t.from] += 1);
        let found = degrees.iter().fold(0usize, |sum, d| sum.saturating_add(d.saturating_mul(*d)));
        if found > MOST_PATHS {
            return Err(AtlasError::TooManyPaths { found, most: MOST_PATHS });
        }
        for t in &transitions {
            let (from, to) = (t.from, t.to);
            DiffeologyError::fits("the list of graphs", charts[to].dimension(), t.graphs.len())?;
            DiffeologyError::fits("the domain of a transition", charts[from].dimension(), t.on.dimension())?;
            Untyped::of_graphs(&variables(t.on.dimension()), &t.graphs).map_err(DiffeologyError::from)?;
            if let Some(point) = t.on.uncovered(std::slice::from_ref(&charts[from]))? {
                return Err(DiffeologyError::NotCovered { whole: t.on.to_string(), point }.into());
            }
        }
        let atlas = Self { charts, transitions };
        atlas.transitions.iter().try_for_each(|t| atlas.try_transition(t, trial))?;
        Ok(atlas)
    }

    /// The charts.
    #[must_use]
    pub fn charts(&self) -> &[Open] {
        &self.charts
    }

    /// The transitions.
    #[must_use]
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// The transition between two charts, where there is one; from a chart to itself, the identity.
    #[must_use]
    pub fn transition(&self, from: usize, to: usize) -> Option<(Open, Vec<Graph>)> {
        if from == to {
            let chart = self.charts.get(from)?;
            return Some((chart.clone(), coordinates(chart.dimension())));
        }
        let found = self.transitions.iter().find(|t| (t.from, t.to) == (from, to))?;
        Some((found.on.clone(), found.graphs.clone()))
    }

    fn try_transition(&self, t: &Transition, trial: &Trial) -> Result<(), AtlasError> {
        let (from, to) = (t.from, t.to);
        let Some((back_on, back)) = self.transition(to, from) else { return Err(AtlasError::OneWay { from, to }) };
        let mut random = Random::new(trial.seed);
        let mut shown_once = t.on.is_empty();
        for point in t.on.samples(&mut random, 2 * trial.samples as usize) {
            let (x, at) = (exactly(&point), shown(&point));
            let along = direction(&mut random, point.len());
            let smooth = at_point(&t.graphs, &point, &along, trial)?;
            if let Smoothness::Refuted { witness, left, right } = smooth {
                return Err(AtlasError::NotSmooth { from, to, witness, left, right });
            }
            let value = composed(&t.graphs, &x);
            let found: Vec<_> = value.iter().map(|g| enclosure(g, trial)).collect::<Result<_, _>>()?;
            if !found.iter().all(Enclosure::is_defined) {
                return Err(AtlasError::Undefined { from, to, at });
            }
            if enclosed_in(&found, &back_on) == Membership::Outside {
                return Err(AtlasError::Leaves { from, to, at, value: told_point(&value, trial) });
            }
            let again = composed(&back, &value);
            let undone = same(&again, &x, trial)?;
            if undone.is_refuted() {
                return Err(AtlasError::NotInverse { from, to, at, value: told_point(&again, trial) });
            }
            shown_once |= smooth == Smoothness::Shown && undone == Verdict::Survived;
            for next in self.transitions.iter().filter(|next| next.from == to && next.to != from) {
                self.try_third(t, next, &x, &value, trial)?;
            }
        }
        if shown_once { Ok(()) } else { Err(AtlasError::NothingShown { from, to }) }
    }

    /// i → j → k against i → k, at a point of i with its value in j.
    fn try_third(
        &self,
        t: &Transition,
        next: &Transition,
        x: &[Graph],
        value: &[Graph],
        trial: &Trial,
    ) -> Result<(), AtlasError> {
        if membership(value, &next.on, trial)? != Membership::Inside {
            return Ok(());
        }
        let over = composed(&next.graphs, value);
        for g in &over {
            if !enclosure(g, trial)?.is_defined() {
                return Ok(());
            }
        }
        let (charts, at) = ([t.from, t.to, next.to], || told_point(x, trial));
        let Some((on, directly)) = self.transition(t.from, next.to) else {
            return Err(AtlasError::NoDirect { charts, at: at(), over: told_point(&over, trial) });
        };
        match membership(x, &on, trial)? {
            Membership::Inside => {}
            Membership::Unknown => return Ok(()),
            Membership::Outside => {
                return Err(AtlasError::NoDirect { charts, at: at(), over: told_point(&over, trial) });
            }
        }
        let directly = composed(&directly, x);
        if same(&over, &directly, trial)?.is_refuted() {
            let told = |y: &[Graph]| told_point(y, trial);
            return Err(AtlasError::Cocycle { charts, at: at(), over: told(&over), directly: told(&directly) });
        }
        Ok(())
    }

    /// Whether transitions, one after the other, may lead from a point of a chart to a point of another. They certainly do
    /// not where every path leaves the domains or ends in the other chart at another point, and all paths to a chart lead to
    /// one point of it.
    ///
    /// Of an atlas that fits together the direct transition tells; but that it does is tried at some points only.
    ///
    /// # Errors
    /// Those of evaluating closed graphs.
    pub fn may_lead(
        &self,
        (from, x): (usize, &[Graph]),
        (to, y): (usize, &[Graph]),
        trial: &Trial,
    ) -> Result<bool, DiffeologyError> {
        let mut reached: FxHashMap<usize, Vec<Graph>> = FxHashMap::from_iter([(from, x.to_vec())]);
        let mut waiting = vec![(from, x.to_vec())];
        while let Some((chart, value)) = waiting.pop() {
            for t in self.transitions.iter().filter(|t| t.from == chart) {
                match membership(&value, &t.on, trial)? {
                    Membership::Outside => continue,
                    Membership::Unknown => return Ok(true),
                    Membership::Inside => {}
                }
                let next = composed(&t.graphs, &value);
                if let Some(known) = reached.get(&t.to) {
                    if same(&next, known, trial)? != Verdict::Survived {
                        return Ok(true);
                    }
                } else if t.to == to && !same(&next, y, trial)?.is_refuted() {
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
