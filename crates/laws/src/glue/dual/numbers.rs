//! V at numbers: the pieces of both plots are explored and compared.

use super::plots::{DualPlots, LinePlot, plot_component};
use super::{Clause, DualRelation, PLOT_BOUND};
use crate::glue::judged::VerdictWithValues;
use crate::meaning::pap::replay::ExplorationOptions;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::intensional::{IntensionalDerivative, PointSet, check_intensional, partial_derivatives};
use crate::pieces::sign::decide_sign;
use crate::pieces::{GuardCondition, IntervalUnion, PieceValue, PiecewiseMap, StopReason};
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::value::Value;
use crate::verdict::Verdict;
use std::cmp::Ordering;
use std::sync::Arc;

/// The largest number of pieces of a plot. A choice.
const PIECES: usize = 100;
/// The largest number of unfoldings of a recursion. A choice.
const UNFOLDINGS: u64 = 6;
/// The step limit of a run. A choice: it is more than so many unfoldings take.
const STEPS: u64 = 200_000;
/// The budget of one comparison, in work units. A choice.
const WORK: u64 = 3_000_000;
/// The number of random points tested between two neighbouring ends, beside the middle. A choice.
const WITHIN: usize = 2;

/// Returns the plot r ↦ x′(r, 1).
fn representation_along_line(representation: &LinePlot) -> LinePlot {
    let representation = representation.clone();
    Arc::new(move |model| {
        let of = representation(model)?;
        Ok(StageFunction::new(move |t: &Element| {
            of.apply(&Element::tuple_of([t.clone(), Value::Real(Graph::integer(1))]))
        }))
    })
}

/// The state of a plot of numbers at a point.
#[derive(Debug)]
enum PlotState {
    /// The value, as a graph without variables.
    Value(Graph),
    /// Certainly undefined.
    Nothing,
    /// A recursion was unfolded up to its limit.
    Ended,
    /// The point belongs to no explored region.
    Unknown,
}

impl PlotState {
    /// Returns the state of a plot at `x`.
    fn state_at(pap: &PiecewiseMap, x: &Rational) -> Self {
        let contains =
            |region: &Option<IntervalUnion>| region.as_ref().and_then(|region| region.contains(x)) == Some(true);
        if let Some(piece) = pap.pieces.iter().find(|piece| contains(&piece.region)) {
            return match &piece.outcome {
                PieceValue::Value(g) => Self::Value(g.substitute(&[(pap.variables[0], Graph::rational(x.clone()))])),
                PieceValue::Undefined(_) => Self::Nothing,
            };
        }
        match pap.frontier.iter().find(|part| contains(&part.region)) {
            Some(part) if part.reason == StopReason::Fuel => Self::Ended,
            _ => Self::Unknown,
        }
    }

    /// Returns the state in words.
    fn describe(&self) -> &'static str {
        match self {
            Self::Value(_) => "a value",
            Self::Nothing => "no value",
            Self::Ended => "a recursion that is not ended",
            Self::Unknown => "not known",
        }
    }
}

impl DualRelation {
    /// Explores the pieces of a plot between −`PLOT_BOUND` and `PLOT_BOUND`. Returns `None` if it cannot be run, or the budget is
    /// spent.
    fn explore_pieces(&self, plot: &LinePlot, budget: &Arc<Budget>) -> Option<PiecewiseMap> {
        let unfolding = ExplorationOptions {
            hooks: self.hooks.clone(),
            unfolding_limit: Some(UNFOLDINGS),
            limit: PIECES,
            max_steps: STEPS,
            budget: budget.clone(),
        };
        let found =
            unfolding.explore_function(&**plot, &Rational::from(-PLOT_BOUND), &Rational::from(PLOT_BOUND)).ok()?;
        // once the budget is spent, an unexplored part may be due to it and not to fuel
        (!budget.is_exhausted()).then_some(found.pap)
    }

    /// Tests V_ℝ along t ↦ (t, 1).
    pub(super) fn test_numbers(&self, plots: &DualPlots, random: &mut SplitMix64) -> VerdictWithValues {
        // one budget for all three explorations and all comparisons
        let budget = Arc::new(Budget::new(WORK, None, None));
        let along = representation_along_line(&plots.representation);
        let part = |index| plot_component(&along, index);
        let all = [plots.plot.clone(), part(0), part(1)].map(|plot| self.explore_pieces(&plot, &budget));
        let [Some(plot), Some(value), Some(slope)] = all else { return Verdict::Vacuous.into() };
        let mut all = Verdict::Vacuous;
        for (is_inside, x) in comparison_points(&[&plot, &value, &slope], random) {
            all = all.and(self.compare_states(
                &x,
                [&plot, &value, &slope].map(|pap| PlotState::state_at(pap, &x)),
                &budget,
            ));
            if is_inside && self.includes_clause(Clause::Slopes) {
                all = all.and(compare_slope_inside(&x, &plot, &slope, &budget));
            }
        }
        // the general check of intensional derivatives comes last, and only if nothing is refuted yet
        if self.includes_clause(Clause::Slopes) && !all.is_refuted() {
            all = all.and(check_intensional(
                &plot,
                &intensional_slopes(&slope, plot.variables[0]),
                PLOT_BOUND as u32,
                random,
                &budget,
            ));
        }
        VerdictWithValues {
            slopes: enclose_on_pieces(&slope, &budget),
            values: enclose_on_pieces(&plot, &budget),
            verdict: all,
        }
    }

    /// Tests that both components of a representation are defined where the plot is, and that the first has its value.
    fn compare_states(&self, x: &Rational, states: [PlotState; 3], budget: &Budget) -> Verdict {
        let [plot, value, slope] = states;
        let mut all = Verdict::Vacuous;
        for part in [&value, &slope] {
            // a limit of fuel must be reached by both sides at the same points
            all = all.and(match (&plot, part) {
                (PlotState::Unknown, _) | (_, PlotState::Unknown) => Verdict::Vacuous,
                (PlotState::Value(_), PlotState::Value(_))
                | (PlotState::Nothing, PlotState::Nothing)
                | (PlotState::Ended, PlotState::Ended) => Verdict::Survived,
                (plot, part) if self.includes_clause(Clause::Domain) => {
                    Verdict::refuted(format!("t = {x}"), part.describe(), plot.describe())
                }
                _ => Verdict::Vacuous,
            });
        }
        if let (PlotState::Value(g), PlotState::Value(h), true) = (&plot, &value, self.includes_clause(Clause::Values))
        {
            all = all.and(match decide_sign(&Graph::binary(Binary::Subtract, h, g), budget) {
                Ok(Ordering::Equal) => Verdict::Survived,
                Ok(_) => Verdict::refuted(format!("the value at t = {x}"), format_graph(h), format_graph(g)),
                Err(_) => Verdict::Vacuous,
            });
        }
        all
    }
}

/// Tests the slope inside a piece: around `x` the plot and the slope are one map each, and the slope is the derivative
/// of the plot.
fn compare_slope_inside(x: &Rational, plot: &PiecewiseMap, slope: &PiecewiseMap, budget: &Budget) -> Verdict {
    let on = |pap: &PiecewiseMap| {
        let contains =
            |region: &Option<IntervalUnion>| region.as_ref().and_then(|region| region.contains(x)) == Some(true);
        let piece = pap.pieces.iter().find(|piece| contains(&piece.region))?;
        let PieceValue::Value(g) = &piece.outcome else { return None };
        Some((g.clone(), [(pap.variables[0], Graph::rational(x.clone()))]))
    };
    // `x` lies strictly between two ends, so the pieces that contain it contain a neighbourhood of it
    let (Some((f, at)), Some((g, there))) = (on(plot), on(slope)) else { return Verdict::Vacuous };
    let right = partial_derivatives(&plot.variables, &f).swap_remove(0).substitute(&at);
    let found = g.substitute(&there);
    match decide_sign(&Graph::binary(Binary::Subtract, &found, &right), budget) {
        Ok(Ordering::Equal) => Verdict::Survived,
        Ok(_) => Verdict::refuted(format!("the slope at t = {x}"), format_graph(&found), format_graph(&right)),
        Err(_) => Verdict::Vacuous,
    }
}

/// Prints the value of a graph to 6 decimals.
fn format_graph(g: &Graph) -> String {
    let eps = Rational::from((1, 1_000_000));
    let found = g.to_real().map(|real| real.enclose(&eps, &Budget::new(WORK, None, None)));
    match found {
        Ok(Ok(found)) => found.enclosure.print_decimals(&eps).to_string(),
        _ => "what is not known".to_owned(),
    }
}

/// Returns the points to compare at, with `true` for those between two neighbouring ends. There are two kinds. Ends of
/// pieces may be pieces of dimension 0. Between two neighbouring ends lie the middle and random points.
fn comparison_points(paps: &[&PiecewiseMap], random: &mut SplitMix64) -> Vec<(bool, Rational)> {
    // an irrational end is known by its enclosure alone: the enclosure separates the pieces, but is no point to test at
    let mut ends = vec![Rational::from(-PLOT_BOUND), Rational::from(PLOT_BOUND)];
    let mut exact = ends.clone();
    for pap in paps {
        let regions = pap.pieces.iter().map(|piece| &piece.region).chain(pap.frontier.iter().map(|part| &part.region));
        for end in regions.flatten().flat_map(|region| &region.0).flat_map(|part| [&part.left, &part.right]) {
            ends.extend([end.lo.clone(), end.hi.clone()]);
            exact.extend(end.as_exact().cloned());
        }
    }
    for all in [&mut ends, &mut exact] {
        all.sort();
        all.dedup();
    }
    let mut between = Vec::new();
    for pair in ends.windows(2) {
        let width = Rational::from(&pair[1] - &pair[0]);
        between.push((true, Rational::from(&pair[0] + &pair[1]) / 2u32));
        for _ in 0..WITHIN {
            let part = Rational::from((1 + random.next_below(62) as i64, 64));
            between.push((true, part * &width + &pair[0]));
        }
    }
    between.into_iter().chain(exact.into_iter().map(|x| (false, x))).collect()
}

/// Returns the slopes of a representation as an intensional derivative, over the variable of the plot.
fn intensional_slopes(slope: &PiecewiseMap, v: Variable) -> IntensionalDerivative {
    let along = [(slope.variables[0], Graph::variable(v))];
    let parts = slope.pieces.iter().filter_map(|piece| {
        let PieceValue::Value(g) = &piece.outcome else { return None };
        let guards = piece.guards.iter().map(|d| GuardCondition { guard: d.guard.preimage_under(&along), ..d.clone() });
        Some((PointSet::Guards(guards.collect()), vec![g.substitute(&along)]))
    });
    IntensionalDerivative(parts.collect())
}

/// Returns the enclosure of one number on each piece.
fn enclose_on_pieces(pap: &PiecewiseMap, budget: &Budget) -> Vec<crate::number::Enclosure> {
    let eps = Rational::from((1, 1_000_000));
    let at = |piece: &crate::pieces::AnalyticPiece| {
        let x = piece.region.as_ref()?.0.iter().find_map(|stretch| stretch.interior_rational())?;
        let PieceValue::Value(g) = &piece.outcome else { return None };
        let real = g.substitute(&[(pap.variables[0], Graph::rational(x))]).to_real().ok()?;
        Some(real.enclose(&eps, budget).ok()?.enclosure)
    };
    pap.pieces.iter().filter_map(at).collect()
}
