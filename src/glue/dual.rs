//! Why AD of programs in pieces is right: the relations V_τ between plots and their dual numbers (W §3.3).
//!
//! A plot over the line, t ↦ x(t) in ⟦τ⟧, is related to one in ⟦𝒟τ⟧ that is an *intensional dual number representation* of it: it
//! carries, beside each number, a derivative along t. Both are given as functions in the universe of [replayed
//! decisions](crate::meaning::pap::replay), programs mostly, and are looked at by unfolding them.
//!
//! | clause | at | says of x and x′ |
//! |---|---|---|
//! | [`Clause::Domain`] | ℝ | they have values at the same points, and approximants of recursions run out at the same |
//! | [`Clause::Values`] | ℝ | the first part of x′ is x |
//! | [`Clause::Slopes`] | ℝ | the second part is *an* [intensional derivative](crate::pieces::intensional) of x |
//! | [`Clause::Components`] | τ × σ | the components are related |
//! | [`Clause::Arguments`] | τ → σ | at related arguments they have related results |
//!
//! In W a relation V_τ^A is indexed by c-analytic sets A ⊆ ℝⁿ, and at ℝ quantifies over piecewise analytic curves in A with their
//! intensional derivatives. Here the curve is part of the plot: arguments that are [drawn] vary along it, in pieces, and with any number
//! for their slope at points. That a plot is partial on a c-analytic subset is that its program need not have values.
//!
//! | law | W |
//! |---|---|
//! | [`fundamental_lemma`](lemma::fundamental_lemma) | t and 𝒟t are related, for random programs t |
//! | [`related_pairs`](lemma::related_pairs) | what is drawn as related is |
//! | [`determination`](lemma::determination) | at every type the relation determines the dual number off borders: what is moved is not related |
//! | [`freedom`](lemma::freedom) | and nothing more: a slope at a point may be any number |
//! | [`tried`](primitive::tried) | a primitive from Rust is related to what it gives for 𝒟 of it |
//!
//! 𝒟 is [the macro](crate::meaning::taylor::pieces), and 𝒟t is run as any program; x is looked at by the derivatives of the maps of its
//! pieces. The two share what values are, and not what derivatives are.

pub mod drawn;
pub mod lemma;
pub mod primitive;
pub mod program;

use super::judged::Judged;
use crate::meaning::pap::Pieces;
use crate::meaning::pap::replay::{Replay, Unfolding};
use crate::meaning::pap::rules::{Paper, Rules};
use crate::model::answer::MeaningError;
use crate::model::universe::Evaluator;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::intensional::{Claim, Where, check, gradient};
use crate::pieces::sign::sign;
use crate::pieces::{Decided, Outcome, Pap, Region, Rest};
use crate::presheaf::dynamic::{Element, Function};
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::cmp::Ordering;
use std::sync::Arc;

/// Plots are looked at between the negative of this and this.
pub const REACH: i64 = 4;
/// How many pieces of a plot are looked at.
const PIECES: usize = 100;
/// How often recursions are unfolded.
const UNFOLDINGS: u64 = 6;
/// The most steps of a run: more than so many unfoldings take.
const STEPS: u64 = 200_000;
/// What a plot may cost.
const WORK: u64 = 3_000_000;
/// How many related arguments functions are tried at.
const ARGUMENTS: usize = 2;

/// A clause of the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Both have values at the same points.
    Domain,
    /// The values are the same.
    Values,
    /// The slopes are those of an intensional derivative.
    Slopes,
    /// All components are related, and not the first alone.
    Components,
    /// Arguments are any that are related, and not constant ones alone.
    Arguments,
}

/// A plot, as what its function is in the universe of a run.
pub type Plot = Arc<dyn Fn(&Evaluator<Pieces<Replay>>) -> Result<Function, MeaningError> + Send + Sync>;

/// A plot, and a representation of it: Real -> τ and Real -> 𝒟τ.
#[derive(Clone)]
pub struct Plots {
    /// t ↦ x(t)
    pub plot: Plot,
    /// t ↦ x′(t)
    pub representation: Plot,
}

/// V, under clauses of the meaning of programs.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Of programs in pieces.
    pub rules: Arc<dyn Rules>,
    /// What it does not ask, to see that it should.
    pub without: Option<Clause>,
}

impl Default for Relation {
    fn default() -> Self {
        Self { rules: Arc::new(Paper), without: None }
    }
}

/// What a function of t becomes.
fn then(
    f: &Plot,
    of: impl Fn(&Element, &Element) -> Result<Element, ValueError> + Clone + Send + Sync + 'static,
) -> Plot {
    let f = f.clone();
    Arc::new(move |model| {
        let (f, of) = (f(model)?, of.clone());
        Ok(Function::new(move |t: &Element| of(t, &f.apply(t)?)))
    })
}

/// The plot of a closed program.
#[must_use]
pub fn varying(program: &Term) -> Plot {
    let program = program.clone();
    Arc::new(move |model| Ok(model.value(&program)?.as_function()?.clone()))
}

impl Plots {
    /// Two closed programs, of types `Real -> τ` and `Real -> 𝒟τ`.
    #[must_use]
    pub fn of(plot: &Term, representation: &Term) -> Self {
        Self { plot: varying(plot), representation: varying(representation) }
    }

    /// A constant plot: closed programs of types τ and 𝒟τ.
    #[must_use]
    pub fn constant(plot: &Term, representation: &Term) -> Self {
        let still = |program: &Term| -> Plot {
            let program = program.clone();
            Arc::new(move |model| {
                let value = model.value(&program)?;
                Ok(Function::new(move |_: &Element| Ok::<_, ValueError>(value.clone())))
            })
        };
        Self { plot: still(plot), representation: still(representation) }
    }

    fn component(&self, index: usize) -> Self {
        Self { plot: component(&self.plot, index), representation: component(&self.representation, index) }
    }

    /// t ↦ x(t)(y(t)), of both.
    fn applied(&self, argument: &Self) -> Self {
        let of = |f: &Plot, x: &Plot| -> Plot {
            let (f, x) = (f.clone(), x.clone());
            Arc::new(move |model| {
                let (f, x) = (f(model)?, x(model)?);
                Ok(Function::new(move |t: &Element| f.apply(t)?.as_function()?.apply(&x.apply(t)?)))
            })
        };
        Self {
            plot: of(&self.plot, &argument.plot),
            representation: of(&self.representation, &argument.representation),
        }
    }
}

fn component(plot: &Plot, index: usize) -> Plot {
    then(plot, move |_, x| {
        let none = ValueError::Mismatch { expected: "a tuple with another component", found: "none" };
        Ok(x.as_tuple()?.get(index).ok_or(none)?.clone())
    })
}

/// What a plot of numbers is at a point.
#[derive(Debug)]
enum State {
    Value(Graph),
    Nothing,
    /// A recursion was unfolded as often as its limit allows.
    Ended,
    Unknown,
}

impl State {
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
    fn asks(&self, clause: Clause) -> bool {
        self.without != Some(clause)
    }

    /// Tries whether two plots are related at a type, with arguments that are drawn.
    pub fn relates(&self, ty: &Ty, plots: &Plots, random: &mut Random) -> Judged {
        match ty.kind() {
            TyKind::Real => self.numbers(plots, random),
            TyKind::Tuple(types) => {
                let count = if self.asks(Clause::Components) { types.len() } else { 1 };
                let parts = types.iter().take(count).enumerate();
                let judged = parts.map(|(index, ty)| self.relates(ty, &plots.component(index), random));
                judged.reduce(Judged::and).unwrap_or_else(|| Verdict::Vacuous.into())
            }
            TyKind::Function(domain, codomain) => {
                let varies = self.asks(Clause::Arguments);
                let judged = (0..ARGUMENTS).map(|_| match drawn::plots(domain, varies, random) {
                    Some(argument) => self.relates(codomain, &plots.applied(&argument), random),
                    None => Verdict::Vacuous.into(),
                });
                judged.reduce(Judged::and).unwrap_or_else(|| Verdict::Vacuous.into())
            }
            // other types are none of W §3.1
            _ => Verdict::Vacuous.into(),
        }
    }

    fn unfolded(&self, plot: &Plot, budget: &Arc<Budget>) -> Option<Pap> {
        let unfolding = Unfolding {
            rules: self.rules.clone(),
            unfoldings: Some(UNFOLDINGS),
            limit: PIECES,
            steps: STEPS,
            budget: budget.clone(),
        };
        let found = unfolding.of(&**plot, &Rational::from(-REACH), &Rational::from(REACH)).ok()?;
        // what time ends is not told from what fuel ends
        (!budget.is_exhausted()).then_some(found.pap)
    }

    /// V_ℝ
    fn numbers(&self, plots: &Plots, random: &mut Random) -> Judged {
        let budget = Arc::new(Budget::new(WORK, None, None));
        let part = |index| component(&plots.representation, index);
        let all = [plots.plot.clone(), part(0), part(1)].map(|plot| self.unfolded(&plot, &budget));
        let [Some(plot), Some(value), Some(slope)] = all else { return Verdict::Vacuous.into() };
        let mut all = Verdict::Vacuous;
        for (is_inside, x) in points(&[&plot, &value, &slope]) {
            all = all.and(self.at(&x, [&plot, &value, &slope].map(|pap| State::of(pap, &x)), &budget));
            if is_inside && self.asks(Clause::Slopes) {
                all = all.and(inside(&x, &plot, &slope, &budget));
            }
        }
        if self.asks(Clause::Slopes) && !all.is_refuted() {
            all = all.and(check(&plot, &claim(&slope, plot.variables[0]), REACH as u32, random, &budget));
        }
        Judged { slopes: numbers(&slope, &budget), values: numbers(&plot, &budget), verdict: all }
    }

    /// Whether both parts of a representation have values where the plot has, and the first has the same.
    fn at(&self, x: &Rational, states: [State; 3], budget: &Budget) -> Verdict {
        let [plot, value, slope] = states;
        let mut all = Verdict::Vacuous;
        for part in [&value, &slope] {
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

/// Around a point there is one map of the plot and one of the slope: that is its derivative.
fn inside(x: &Rational, plot: &Pap, slope: &Pap, budget: &Budget) -> Verdict {
    let on = |pap: &Pap| {
        let contains = |region: &Option<Region>| region.as_ref().and_then(|region| region.contains(x)) == Some(true);
        let piece = pap.pieces.iter().find(|piece| contains(&piece.region))?;
        let Outcome::Value(g) = &piece.outcome else { return None };
        Some((g.clone(), [(pap.variables[0], Graph::rational(x.clone()))]))
    };
    let (Some((f, at)), Some((g, there))) = (on(plot), on(slope)) else { return Verdict::Vacuous };
    let right = gradient(&plot.variables, &f).swap_remove(0).substitute(&at);
    let found = g.substitute(&there);
    match sign(&Graph::binary(Binary::Subtract, &found, &right), budget) {
        Ok(Ordering::Equal) => Verdict::Survived,
        Ok(_) => Verdict::refuted(format!("the slope at t = {x}"), told(&found), told(&right)),
        Err(_) => Verdict::Vacuous,
    }
}

fn told(g: &Graph) -> String {
    let eps = Rational::from((1, 1_000_000));
    let found = g.real().map(|real| real.enclose(&eps, &Budget::new(WORK, None, None)));
    match found {
        Ok(Ok(found)) => found.enclosure.decimals(&eps).to_string(),
        _ => "what is not known".to_owned(),
    }
}

/// Ends of pieces, and a point between each two neighbours, with whether it is one of these.
fn points(paps: &[&Pap]) -> Vec<(bool, Rational)> {
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
    let between = ends.windows(2).map(|pair| (true, Rational::from(&pair[0] + &pair[1]) / 2u32));
    between.chain(exact.into_iter().map(|x| (false, x))).collect()
}

/// The slopes of a representation, over the variable of the plot.
fn claim(slope: &Pap, v: Variable) -> Claim {
    let along = [(slope.variables[0], Graph::variable(v))];
    let parts = slope.pieces.iter().filter_map(|piece| {
        let Outcome::Value(g) = &piece.outcome else { return None };
        let guards = piece.guards.iter().map(|d| Decided { guard: d.guard.along(&along), ..d.clone() });
        Some((Where::Guards(guards.collect()), vec![g.substitute(&along)]))
    });
    Claim(parts.collect())
}

/// A number on each piece.
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
