//! Atlases: charts, and the maps between them (H §6.3).
//!
//! A chart is an open subset of some ℝⁿ, and the dimensions may vary. The transition from chart i to chart j is a smooth
//! map on an open part of the first, given by graphs; from j to i it is the inverse. What can be refuted is tried at
//! points: that transitions are smooth, that they are inverse to each other, and the cocycle condition,
//! that i → j → k is i → k where all three are defined.

use super::error::{DiffeologyError, shown};
use super::open::Open;
use super::real::{Membership, enclosed_in, enclosure, exactly, membership, same, told_point};
use super::reparametrisation::composed;
use super::smoothness::{Smoothness, at_point, direction};
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::smooth::map::untyped::{Untyped, coordinates, variables};
use crate::verdict::Verdict;

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
    /// A chart, a transition or a point could not be evaluated.
    #[error(transparent)]
    Diffeology(#[from] DiffeologyError),
}

impl Atlas {
    /// The charts with these transitions.
    ///
    /// # Errors
    /// [`AtlasError`], naming the transition and a point.
    pub fn new(charts: Vec<Open>, transitions: Vec<Transition>, trial: &Trial) -> Result<Self, AtlasError> {
        if let Some(chart) = charts.iter().position(Open::is_empty).or(charts.is_empty().then_some(0)) {
            return Err(AtlasError::Empty { chart });
        }
        for (index, t) in transitions.iter().enumerate() {
            let (from, to, count) = (t.from, t.to, charts.len());
            let again = transitions[..index].iter().any(|s| (s.from, s.to) == (from, to));
            if from >= count || to >= count || from == to || again {
                return Err(AtlasError::Superfluous { from, to, charts: count });
            }
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
        for point in t.on.samples(&mut random, 2 * trial.samples as usize) {
            let (x, at) = (exactly(&point), shown(&point));
            let along = direction(&mut random, point.len());
            if let Smoothness::Refuted { witness, left, right } = at_point(&t.graphs, &point, &along, trial)? {
                return Err(AtlasError::NotSmooth { from, to, witness, left, right });
            }
            let value = composed(&t.graphs, &x);
            let found: Vec<_> = value.iter().map(|g| enclosure(g, trial)).collect::<Result<_, _>>()?;
            if enclosed_in(&found, &back_on) == Membership::Outside {
                return Err(AtlasError::Leaves { from, to, at, value: told_point(&value, trial) });
            }
            let again = composed(&back, &value);
            if same(&again, &x, trial)?.is_refuted() {
                return Err(AtlasError::NotInverse { from, to, at, value: told_point(&again, trial) });
            }
            for third in 0..self.charts.len() {
                self.try_third(t, third, &x, &value, trial)?;
            }
        }
        Ok(())
    }

    /// i → j → k against i → k, at a point of i with its value in j.
    fn try_third(
        &self,
        t: &Transition,
        third: usize,
        x: &[Graph],
        value: &[Graph],
        trial: &Trial,
    ) -> Result<(), AtlasError> {
        let (Some((on, second)), Some((directly_on, directly))) =
            (self.transition(t.to, third), self.transition(t.from, third))
        else {
            return Ok(());
        };
        let defined = membership(value, &on, trial)?.and(membership(x, &directly_on, trial)?);
        if defined != Membership::Inside {
            return Ok(());
        }
        let (over, directly) = (composed(&second, value), composed(&directly, x));
        if let Verdict::Refuted { .. } = same(&over, &directly, trial)? {
            let told = |y: &[Graph]| told_point(y, trial);
            return Err(AtlasError::Cocycle {
                charts: [t.from, t.to, third],
                at: told(x),
                over: told(&over),
                directly: told(&directly),
            });
        }
        Ok(())
    }
}
