//! Correctness of AD of piecewise programs: the relations V_τ between plots and their dual numbers (W §3.3).
//!
//! A plot over the line is a function t ↦ x(t) in ⟦τ⟧. It is related to a function (t, ṫ) ↦ x′(t, ṫ) in ⟦𝒟τ⟧, an
//! *intensional dual number representation* of it: beside each number stands a derivative along ṫ. Both are functions
//! in the universe of [replayed decisions](crate::meaning::pap::replay), mostly programs. They are compared by
//! exploring their pieces.
//!
//! | clause | at | asserts of x and x′ |
//! |---|---|---|
//! | [`Clause::Domain`] | ℝ | they have values at the same points, and approximants of recursions run out at the same |
//! | [`Clause::Values`] | ℝ | the first part of x′ is x |
//! | [`Clause::Slopes`] | ℝ | the second part is *an* [intensional derivative](crate::pieces::intensional) of x |
//! | [`Clause::Curves`] | all | the same holds for x(h(r)) and x′(h(r), h′(r)), with piecewise analytic h with derivative h′ |
//! | [`Clause::Components`] | τ × σ | the components are related |
//! | [`Clause::Defined`] | τ → σ | x(t) and x′(t, ṫ) are functions at the same points |
//! | [`Clause::Arguments`] | τ → σ | at related arguments they have related results |
//! | – | sums | both are of the same constructor at the same points, and there its arguments are related |
//! | – | lists | both have the same length at the same points, and there the elements are related |
//!
//! In W a relation V_τ^A is indexed by c-analytic sets A ⊆ ℝⁿ. At ℝ it quantifies over piecewise analytic curves h in A
//! with their intensional derivatives, and at functions over maps into A. Here A is the line. Curves are
//! [drawn](program::draw_curve): constant ones, and piecewise ones, whose slope at single points may be any multiple of the
//! right one. Arguments are drawn over the line in the same way; they may be constant, and undefined on some pieces. A
//! plot that is partial on a c-analytic subset is a program that may be undefined. W defines the plots of sums and
//! lists in a footnote (§4, fn. 3); their clauses are those of Artin gluing over these plots.
//!
//! | law | W |
//! |---|---|
//! | [`fundamental_lemma`](lemma::fundamental_lemma) | t and 𝒟t are related, for random programs t |
//! | [`higher_orders`](lemma::higher_orders) | the same of 𝒟_(k,R): each coordinate is an intensional derivative of one below it |
//! | [`related_pairs`](lemma::related_pairs) | the pairs drawn as related are related |
//! | [`determination`](lemma::determination) | off borders, the relation determines the dual number at every type |
//! | [`freedom`](lemma::freedom) | it determines nothing more: the slope at a point may be any number |
//! | [`test_primitive`](lemma::test_primitive) | a primitive from Rust is related to its own dual |
//!
//! 𝒟 is [the macro](crate::meaning::taylor::functor), and 𝒟t is run like any program. The derivatives of x are those of
//! the maps of its pieces. The two sides share how values are computed, and not how derivatives are.
//!
//! # V at numbers
//!
//! The pieces of both plots are explored and compared.
//!
//! # Plots with their representations
//!
//! Plots with their representations, and the constructions on both at once.

pub mod lemma;
pub mod program;

use super::trial::VerdictWithValues;
use crate::meaning::pap::replay::{ExplorationOptions, ReplayOracle};
use crate::meaning::pap::{DefaultPiecewiseHooks, PiecewiseHooks, PiecewiseUniverse};
use crate::model::answer::SemanticsError;
use crate::model::universe::EvaluatorModel;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::function::decide_sign;
use crate::pieces::intensional::{IntensionalDerivative, PointSet, check_intensional, partial_derivatives};
use crate::pieces::{GuardCondition, IntervalUnion, PieceValue, PiecewiseMap, StopReason};
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{UndefinedCause, UndefinedValue, Value, ValueError};
use crate::verdict::Verdict;
use std::cmp::Ordering;
use std::sync::Arc;

/// Plots are compared on the interval from −`PLOT_BOUND` to `PLOT_BOUND`. A choice.
pub const PLOT_BOUND: i64 = 4;
/// The number of related arguments at which functions are tested. A choice.
const ARGUMENTS: usize = 2;
/// The share of the plots of numbers that are tested along another curve as well, in percent. A choice.
const CURVES: usize = 50;
/// The share of the arguments that depend on t, in percent. A choice.
const VARYING: usize = 80;
/// The number of elements of a list that are tested. A choice.
const ELEMENTS: usize = 3;

/// A clause of the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Both are defined at the same points.
    Domain,
    /// Both have the same values.
    Values,
    /// The slopes are those of some intensional derivative.
    Slopes,
    /// Pairs stay related along all curves, not only along t ↦ t.
    Curves,
    /// All components are related, not only the first.
    Components,
    /// Both are functions at the same points.
    Defined,
    /// Arguments are any related pairs, not only constant ones.
    Arguments,
}

/// V, with the rules of the semantics of programs.
#[derive(Clone, Debug)]
#[doc(alias = "V_τ")]
pub struct DualRelation {
    /// The rules of the piecewise semantics.
    pub hooks: Arc<dyn PiecewiseHooks>,
    /// The clause that is left out, to test that its absence is refuted; `None` for V itself.
    pub without: Option<Clause>,
}

impl Default for DualRelation {
    fn default() -> Self {
        Self { hooks: Arc::new(DefaultPiecewiseHooks), without: None }
    }
}

impl DualRelation {
    /// Returns `true` if the clause is part of the relation.
    fn includes_clause(&self, clause: Clause) -> bool {
        self.without != Some(clause)
    }

    /// Tests whether two plots are related at a type, with random arguments and curves.
    pub fn test_related(&self, ty: &Ty, plots: &DualPlots, random: &mut SplitMix64) -> VerdictWithValues {
        match ty.kind() {
            TyKind::Real => {
                let own = self.test_numbers(plots, random);
                // a curve costs a second exploration, so only a share is tested along one, and no refuted pair
                let also = self.includes_clause(Clause::Curves) && random.random_bool(CURVES) && !own.is_refuted();
                match also.then(|| program::draw_curve(random)).flatten() {
                    Some(curve) => own.and(self.test_numbers(&plots.restrict_to_curve(&curve), random)),
                    None => own,
                }
            }
            TyKind::Tuple(types) => {
                let count = if self.includes_clause(Clause::Components) { types.len() } else { 1 };
                let parts = types.iter().take(count).enumerate();
                conjoin_verdicts(parts.map(|(index, ty)| self.test_related(ty, &plots.component_plots(index), random)))
            }
            TyKind::Function(domain, codomain) => {
                let functions = match self.includes_clause(Clause::Defined) {
                    true => self.test_numbers(&plots.defined_indicator(), random),
                    false => Verdict::Vacuous.into(),
                };
                let at_arguments = (0..ARGUMENTS).map(|index| {
                    let varies = self.includes_clause(Clause::Arguments) && random.random_bool(VARYING);
                    // the first argument is tested along t ↦ t, the others along a curve as well
                    let moves = index > 0 && self.includes_clause(Clause::Curves);
                    let curve = moves.then(|| program::draw_curve(random)).flatten();
                    let along = curve.map_or_else(|| plots.clone(), |curve| plots.restrict_to_curve(&curve));
                    match program::draw_plots(domain, varies, random) {
                        Some(argument) => self.test_related(codomain, &along.apply_to(&argument), random),
                        None => Verdict::Vacuous.into(),
                    }
                });
                let judged = conjoin_verdicts(at_arguments);
                // a domain that agrees is no evidence about values, so it counts only when something is refuted
                if judged.is_refuted() || functions.is_refuted() { judged.and(functions) } else { judged }
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let element = |index| self.test_related(&arguments[0], &plots.list_element(index), random);
                let elements = conjoin_verdicts((0..ELEMENTS).map(element));
                elements.and(self.test_numbers(&plots.list_length(), random))
            }
            TyKind::Data(data, arguments) if !data.is_recursive() => {
                let types = data.argument_types(arguments);
                // a constructor without an argument has no part to compare
                let parts = types.iter().enumerate().filter(|(_, ty)| !matches!(ty.kind(), TyKind::Unit));
                let parts = conjoin_verdicts(
                    parts.map(|(index, ty)| self.test_related(ty, &plots.constructor_argument(index), random)),
                );
                parts.and(self.test_numbers(&plots.constructor_index(), random))
            }
            // W defines no relation at the other types
            _ => Verdict::Vacuous.into(),
        }
    }
}

/// Returns the conjunction of the verdicts; vacuous if there are none.
fn conjoin_verdicts(judged: impl Iterator<Item = VerdictWithValues>) -> VerdictWithValues {
    judged.reduce(VerdictWithValues::and).unwrap_or_else(|| Verdict::Vacuous.into())
}

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
                PieceValue::Values(values) => match &values[..] {
                    [g] => Self::Value(g.substitute(&[(pap.variables[0], Graph::rational(x.clone()))])),
                    _ => Self::Unknown,
                },
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
    fn test_numbers(&self, plots: &DualPlots, random: &mut SplitMix64) -> VerdictWithValues {
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
        let g = piece.outcome.as_number()?;
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
        let g = piece.outcome.as_number()?;
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
        let g = piece.outcome.as_number()?;
        let real = g.substitute(&[(pap.variables[0], Graph::rational(x))]).to_real().ok()?;
        Some(real.enclose(&eps, budget).ok()?.enclosure)
    };
    pap.pieces.iter().filter_map(at).collect()
}

/// A plot: for the universe of a run, its function.
pub type LinePlot = Arc<
    dyn Fn(&EvaluatorModel<PiecewiseUniverse<ReplayOracle>>) -> Result<StageFunction, SemanticsError> + Send + Sync,
>;

/// A plot with a representation of it: Real -> τ and Real * Real -> 𝒟τ.
#[derive(Clone)]
pub struct DualPlots {
    /// t ↦ x(t)
    pub plot: LinePlot,
    /// (t, ṫ) ↦ x′(t, ṫ)
    pub representation: LinePlot,
}

/// Returns the plot of `of` after `f`; `of` sees the argument as well.
fn map_plot(
    f: &LinePlot,
    of: impl Fn(&Element, &Element) -> Result<Element, ValueError> + Clone + Send + Sync + 'static,
) -> LinePlot {
    let f = f.clone();
    Arc::new(move |model| {
        let (f, of) = (f(model)?, of.clone());
        Ok(StageFunction::new(move |t: &Element| of(t, &f.apply(t)?)))
    })
}

/// Returns the plot of a closed program of a function type.
#[must_use]
pub fn plot_of_program(program: &Term) -> LinePlot {
    let program = program.clone();
    Arc::new(move |model| Ok(model.evaluate_closed(&program)?.as_function()?.clone()))
}

impl DualPlots {
    /// Makes the plots of two closed programs, of types `Real -> τ` and `Real * Real -> 𝒟τ`.
    #[must_use]
    pub fn from_programs(plot: &Term, representation: &Term) -> Self {
        Self { plot: plot_of_program(plot), representation: plot_of_program(representation) }
    }

    /// Makes a constant plot of two closed programs, of types τ and 𝒟τ.
    #[must_use]
    pub fn from_constants(plot: &Term, representation: &Term) -> Self {
        let still = |program: &Term| -> LinePlot {
            let program = program.clone();
            Arc::new(move |model| {
                let value = model.evaluate_closed(&program)?;
                Ok(StageFunction::new(move |_: &Element| Ok::<_, ValueError>(value.clone())))
            })
        };
        Self { plot: still(plot), representation: still(representation) }
    }

    /// Returns the component `index` of both.
    fn component_plots(&self, index: usize) -> Self {
        Self { plot: plot_component(&self.plot, index), representation: plot_component(&self.representation, index) }
    }

    /// Returns both along a curve: r ↦ x(h(r)), and x′(h′(r, ṙ)).
    fn restrict_to_curve(&self, curve: &Self) -> Self {
        let of = |x: &LinePlot, h: &LinePlot| -> LinePlot {
            let (x, h) = (x.clone(), h.clone());
            Arc::new(move |model| {
                let (x, h) = (x(model)?, h(model)?);
                Ok(StageFunction::new(move |r: &Element| x.apply(&h.apply(r)?)))
            })
        };
        Self { plot: of(&self.plot, &curve.plot), representation: of(&self.representation, &curve.representation) }
    }

    /// Returns a natural number of both values, as a number with slope 0. A constant has no other slope, so only its
    /// value and domain are compared.
    fn map_to_count(&self, of: impl Fn(&Element) -> Result<usize, ValueError> + Clone + Send + Sync + 'static) -> Self {
        let number = |n: usize| Value::Real(Graph::integer(n as i64));
        let (count, dual) = (of.clone(), of);
        Self {
            plot: map_plot(&self.plot, move |_, x| Ok(number(count(x)?))),
            representation: map_plot(&self.representation, move |_, x| {
                Ok(Element::tuple_of([number(dual(x)?), number(0)]))
            }),
        }
    }

    /// Returns 0 wherever there is a value.
    fn defined_indicator(&self) -> Self {
        self.map_to_count(|_| Ok(0))
    }

    /// Returns the index of the constructor.
    fn constructor_index(&self) -> Self {
        self.map_to_count(|x| match x {
            Value::Variant(index, _) => Ok(*index),
            other => Err(other.kind_mismatch("a variant")),
        })
    }

    /// Returns the length of a list.
    fn list_length(&self) -> Self {
        self.map_to_count(|x| match x {
            Value::List(elements) => Ok(elements.iter().count()),
            other => Err(other.kind_mismatch("a list")),
        })
    }

    /// Returns a part of both values. The plots are undefined where there is no such part.
    fn map_part(&self, of: impl Fn(&Element) -> Option<Element> + Clone + Send + Sync + 'static) -> Self {
        let part = move |_: &Element, x: &Element| {
            of(x).ok_or_else(|| {
                ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Domain, "another part"))
            })
        };
        Self { plot: map_plot(&self.plot, part.clone()), representation: map_plot(&self.representation, part) }
    }

    /// Returns the argument of the constructor `index`; undefined at other constructors.
    fn constructor_argument(&self, index: usize) -> Self {
        self.map_part(move |x| match x {
            Value::Variant(own, argument) if *own == index => Some((**argument).clone()),
            _ => None,
        })
    }

    /// Returns the element `index` of a list; undefined for shorter lists.
    fn list_element(&self, index: usize) -> Self {
        self.map_part(move |x| match x {
            Value::List(elements) => elements.iter().nth(index).cloned(),
            _ => None,
        })
    }

    /// Returns t ↦ x(t)(y(t)), of both.
    fn apply_to(&self, argument: &Self) -> Self {
        let of = |f: &LinePlot, x: &LinePlot| -> LinePlot {
            let (f, x) = (f.clone(), x.clone());
            Arc::new(move |model| {
                let (f, x) = (f(model)?, x(model)?);
                Ok(StageFunction::new(move |t: &Element| f.apply(t)?.as_function()?.apply(&x.apply(t)?)))
            })
        };
        Self {
            plot: of(&self.plot, &argument.plot),
            representation: of(&self.representation, &argument.representation),
        }
    }
}

/// Returns the component `index` of a plot of tuples.
fn plot_component(plot: &LinePlot, index: usize) -> LinePlot {
    map_plot(plot, move |_, x| {
        let none = ValueError::Mismatch { expected: "a tuple with another component", found: "none" };
        Ok(x.as_tuple()?.get(index).ok_or(none)?.clone())
    })
}
