//! V at numbers: the pieces of both plots are explored and compared.

use super::plots::{Plot, Plots, component};
use super::{Clause, REACH, Relation};
use crate::glue::judged::Judged;
use crate::meaning::pap::replay::Unfolding;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::intensional::{Claim, Where, check, gradient};
use crate::pieces::sign::sign;
use crate::pieces::{Decided, Outcome, Pap, Region, Rest};
use crate::presheaf::dynamic::{Element, Function};
use crate::random::Random;
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
fn on_the_line(representation: &Plot) -> Plot {
    let representation = representation.clone();
    Arc::new(move |model| {
        let of = representation(model)?;
        Ok(Function::new(move |t: &Element| of.apply(&Element::tuple([t.clone(), Value::Real(Graph::integer(1))]))))
    })
}

/// The state of a plot of numbers at a point.
#[derive(Debug)]
enum State {
    /// The value, as a graph without variables.
    Value(Graph),
    /// Certainly undefined.
    Nothing,
    /// A recursion was unfolded up to its limit.
    Ended,
    /// The point belongs to no explored region.
    Unknown,
}

impl State {
    /// Returns the state of a plot at `x`.
    fn of(pap: &Pap, x: &Rational) -> Self {
        let contains = |region: &Option<Region>| region.as_ref().and_then(|region| region.contains(x)) == Some(true);
        if let Some(piece) = pap.pieces.iter().find(|piece| contains(&piece.region)) {
            return match &piece.outcome {
                Outcome::Value(g) => Self::Value(g.substitute(&[(pap.variables[0], Graph::rational(x.clone()))])),
                Outcome::Undefined(_) => Self::Nothing,
            };
        }
        match pap.frontier.iter().find(|part| contains(&part.region)) {
            Some(part) if part.why == Rest::Fuel => Self::Ended,
            _ => Self::Unknown,
        }
    }

    /// Returns the state in words.
    fn told(&self) -> &'static str {
        match self {
            Self::Value(_) => "a value",
            Self::Nothing => "no value",
            Self::Ended => "a recursion that is not ended",
            Self::Unknown => "not known",
        }
    }
}

impl Relation {
    /// Explores the pieces of a plot between −`REACH` and `REACH`. Returns `None` if it cannot be run, or the budget is
    /// spent.
    fn unfolded(&self, plot: &Plot, budget: &Arc<Budget>) -> Option<Pap> {
        let unfolding = Unfolding {
            hooks: self.rules.clone(),
            unfoldings: Some(UNFOLDINGS),
            limit: PIECES,
            steps: STEPS,
            budget: budget.clone(),
        };
        let found = unfolding.of(&**plot, &Rational::from(-REACH), &Rational::from(REACH)).ok()?;
        // once the budget is spent, an unexplored part may be due to it and not to fuel
        (!budget.is_exhausted()).then_some(found.pap)
    }

    /// Tests V_ℝ along t ↦ (t, 1).
    pub(super) fn numbers(&self, plots: &Plots, random: &mut Random) -> Judged {
        // one budget for all three explorations and all comparisons
        let budget = Arc::new(Budget::new(WORK, None, None));
        let along = on_the_line(&plots.representation);
        let part = |index| component(&along, index);
        let all = [plots.plot.clone(), part(0), part(1)].map(|plot| self.unfolded(&plot, &budget));
        let [Some(plot), Some(value), Some(slope)] = all else { return Verdict::Vacuous.into() };
        let mut all = Verdict::Vacuous;
        for (is_inside, x) in points(&[&plot, &value, &slope], random) {
            all = all.and(self.at(&x, [&plot, &value, &slope].map(|pap| State::of(pap, &x)), &budget));
            if is_inside && self.asks(Clause::Slopes) {
                all = all.and(inside(&x, &plot, &slope, &budget));
            }
        }
        // the general check of intensional derivatives comes last, and only if nothing is refuted yet
        if self.asks(Clause::Slopes) && !all.is_refuted() {
            all = all.and(check(&plot, &claim(&slope, plot.variables[0]), REACH as u32, random, &budget));
        }
        Judged { slopes: numbers(&slope, &budget), values: numbers(&plot, &budget), verdict: all }
    }

    /// Tests that both components of a representation are defined where the plot is, and that the first has its value.
    fn at(&self, x: &Rational, states: [State; 3], budget: &Budget) -> Verdict {
        let [plot, value, slope] = states;
        let mut all = Verdict::Vacuous;
        for part in [&value, &slope] {
            // a limit of fuel must be reached by both sides at the same points
            all = all.and(match (&plot, part) {
                (State::Unknown, _) | (_, State::Unknown) => Verdict::Vacuous,
                (State::Value(_), State::Value(_))
                | (State::Nothing, State::Nothing)
                | (State::Ended, State::Ended) => Verdict::Survived,
                (plot, part) if self.asks(Clause::Domain) => {
                    Verdict::refuted(format!("t = {x}"), part.told(), plot.told())
                }
                _ => Verdict::Vacuous,
            });
        }
        if let (State::Value(g), State::Value(h), true) = (&plot, &value, self.asks(Clause::Values)) {
            all = all.and(match sign(&Graph::binary(Binary::Subtract, h, g), budget) {
                Ok(Ordering::Equal) => Verdict::Survived,
                Ok(_) => Verdict::refuted(format!("the value at t = {x}"), told(h), told(g)),
                Err(_) => Verdict::Vacuous,
            });
        }
        all
    }
}

/// Tests the slope inside a piece: around `x` the plot and the slope are one map each, and the slope is the derivative
/// of the plot.
fn inside(x: &Rational, plot: &Pap, slope: &Pap, budget: &Budget) -> Verdict {
    let on = |pap: &Pap| {
        let contains = |region: &Option<Region>| region.as_ref().and_then(|region| region.contains(x)) == Some(true);
        let piece = pap.pieces.iter().find(|piece| contains(&piece.region))?;
        let Outcome::Value(g) = &piece.outcome else { return None };
        Some((g.clone(), [(pap.variables[0], Graph::rational(x.clone()))]))
    };
    // `x` lies strictly between two ends, so the pieces that contain it contain a neighbourhood of it
    let (Some((f, at)), Some((g, there))) = (on(plot), on(slope)) else { return Verdict::Vacuous };
    let right = gradient(&plot.variables, &f).swap_remove(0).substitute(&at);
    let found = g.substitute(&there);
    match sign(&Graph::binary(Binary::Subtract, &found, &right), budget) {
        Ok(Ordering::Equal) => Verdict::Survived,
        Ok(_) => Verdict::refuted(format!("the slope at t = {x}"), told(&found), told(&right)),
        Err(_) => Verdict::Vacuous,
    }
}

/// Prints the value of a graph to 6 decimals.
fn told(g: &Graph) -> String {
    let eps = Rational::from((1, 1_000_000));
    let found = g.real().map(|real| real.enclose(&eps, &Budget::new(WORK, None, None)));
    match found {
        Ok(Ok(found)) => found.enclosure.decimals(&eps).to_string(),
        _ => "what is not known".to_owned(),
    }
}

/// Returns the points to compare at, with `true` for those between two neighbouring ends. There are two kinds. Ends of
/// pieces may be pieces of dimension 0. Between two neighbouring ends lie the middle and random points.
fn points(paps: &[&Pap], random: &mut Random) -> Vec<(bool, Rational)> {
    // an irrational end is known by its enclosure alone: the enclosure separates the pieces, but is no point to test at
    let mut ends = vec![Rational::from(-REACH), Rational::from(REACH)];
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
            let part = Rational::from((1 + random.below(62) as i64, 64));
            between.push((true, part * &width + &pair[0]));
        }
    }
    between.into_iter().chain(exact.into_iter().map(|x| (false, x))).collect()
}

/// Returns the slopes of a representation as an intensional derivative, over the variable of the plot.
fn claim(slope: &Pap, v: Variable) -> Claim {
    let along = [(slope.variables[0], Graph::variable(v))];
    let parts = slope.pieces.iter().filter_map(|piece| {
        let Outcome::Value(g) = &piece.outcome else { return None };
        let guards = piece.guards.iter().map(|d| Decided { guard: d.guard.along(&along), ..d.clone() });
        Some((Where::Guards(guards.collect()), vec![g.substitute(&along)]))
    });
    Claim(parts.collect())
}

/// Returns the enclosure of one number on each piece.
fn numbers(pap: &Pap, budget: &Budget) -> Vec<crate::number::Enclosure> {
    let eps = Rational::from((1, 1_000_000));
    let at = |piece: &crate::pieces::Piece| {
        let x = piece.region.as_ref()?.0.iter().find_map(|stretch| stretch.inside())?;
        let Outcome::Value(g) = &piece.outcome else { return None };
        let real = g.substitute(&[(pap.variables[0], Graph::rational(x))]).real().ok()?;
        Some(real.enclose(&eps, budget).ok()?.enclosure)
    };
    pap.pieces.iter().filter_map(at).collect()
}
