//! Liftings: partial functions whose domains are c-analytic subsets.

use super::{CAnalyticPieces, CHAIN_LIMIT_INDEX, OrderedDiffeology, PlotChain};
use crate::diffeology::analytic::{AnalyticSet, CAnalyticSet, CAnalyticSite, PiecewiseAnalyticMap, draw_partition};
use crate::diffeology::real::rational_point;
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use crate::pieces::GuardCondition;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The lifting X⊥ of a space.
#[derive(Clone, Debug)]
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
}

impl<P: Clone + Send + Sync + 'static> LiftedPlot<P> {
    /// Returns the partial function with finitely many parts.
    #[must_use]
    pub fn from_pieces(pieces: CAnalyticPieces<P>) -> Self {
        Self { domain: pieces.domain.clone(), parts: Arc::new(move |_| pieces.clone()), last_step: Some(0) }
    }

    /// Returns the parts that are known after all steps, or after [`CHAIN_LIMIT_INDEX`] steps if there is no known end.
    #[must_use]
    pub fn known_pieces(&self) -> CAnalyticPieces<P> {
        (self.parts)(self.last_step.unwrap_or(CHAIN_LIMIT_INDEX))
    }

    /// Applies `made` to the parts of each step.
    fn map_steps(&self, made: impl Fn(&CAnalyticPieces<P>) -> CAnalyticPieces<P> + Send + Sync + 'static) -> Self {
        let parts = self.parts.clone();
        let one = made(&(self.parts)(0)).domain;
        Self { domain: one, parts: Arc::new(move |n| made(&parts(n))), last_step: self.last_step }
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
        LiftedPlot::from_pieces(CAnalyticPieces { domain: domain.clone(), parts })
    }
    fn reparametrise(&self, along: &PiecewiseAnalyticMap, plot: &Self::Plot) -> Self::Plot {
        let (x, along) = (self.0.clone(), along.clone());
        plot.map_steps(move |pieces| pieces.pull_back(&along, |p, _| x.reparametrise(&along, p)))
    }
    fn glue_pieces(&self, domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self::Plot)>) -> Self::Plot {
        // One endless piece makes the whole endless.
        let ends = pieces.iter().try_fold(0, |most, (_, plot)| plot.last_step.map(|n| most.max(n)));
        let whole = domain.clone();
        let parts = move |n: usize| {
            CAnalyticPieces::join_pieces(
                &whole,
                pieces.iter().map(|(set, plot)| (set.clone(), (plot.parts)(n))).collect(),
            )
        };
        LiftedPlot { domain: domain.clone(), parts: Arc::new(parts), last_step: ends }
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
        LiftedPlot::from_pieces(CAnalyticPieces { domain: domain.clone(), parts })
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
            CAnalyticPieces { domain: whole.clone(), parts }
        };
        LiftedPlot { domain: domain.clone(), parts: Arc::new(parts), last_step: None }
    }
    /// Draws a chain. Its n-th plot is defined on the first n of three analytic sets.
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        let inner = self.0.draw_chain(domain, random);
        let steps: Vec<AnalyticSet> =
            (0..3).map(|_| vec![draw_partition(random, domain.dimension())[0].clone()]).collect();
        let domain = domain.clone();
        Arc::new(move |n| {
            let parts = steps.iter().take(n).map(|answers| (answers.clone(), inner(n))).collect();
            LiftedPlot::from_pieces(CAnalyticPieces { domain: domain.clone(), parts })
        })
    }
}
