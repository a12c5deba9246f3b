//! The support of a probabilistic program: charts of several dimensions ([Lew et al. 2021](crate::refs::LEW_2021), W App. A.2).
//!
//! A program of type `P (Real * … * Real)` is run along its paths. Each path is a chart: the set of draws in ℝᵈ that follow
//! it, with a density, and the *embedding* T that takes them to the value of the program. So the support of
//! `do { t <- sample (uniformOn 0 1); return (t, t) }` is a segment in the plane. A program that chooses between it and a
//! point has a chart of dimension 1 and one of dimension 0, an atom. Densities are with respect to the sum of the Hausdorff
//! measures Hᵈ. That at T(z) is p(z)/√det(JᵀJ), with p(z) the density of the draws and J the Jacobian of T at z.
//!
//! | here | W App. A.2 |
//! |---|---|
//! | [`SupportChart`] | a manifold of dimension d, and the restriction of the measure to it |
//! | [`SupportChart::value_draws`] | its coordinates: the draws that the value mentions; others are integrated over |
//! | [`ProgramSupport`] | Σ 1_{Aᵢ}·μ (W23) |
//!
//! # Preimages of a point in a chart
//!
//! The draws that a map takes to a point are found as exact numbers if possible. Otherwise they are roots in boxes that can be
//! narrowed.
//!
//! # Enumeration of the paths of a program
//!
//! The program runs again from its start for each path, with the image of its value under the map.

mod search;

use super::MeasureError;
use super::distribution::Distribution;
use super::draws::{Draw, ExecutionPath, NaturalRange};
use super::range::{enclose_range, half_line, is_constant_in};
use crate::meaning::pap::{GuardQuery, GuardRole, Oracle, PiecewiseUniverse};
use crate::measure::change::injective::injectivity_proof;
use crate::measure::demand::{check_constraints, check_observation};
use crate::measure::distribution::{Demand, Kind};
use crate::measure::draws::{SymbolicExecution, TraceCoordinate};
use crate::measure::integral::PathIntegral;
use crate::measure::range::{PRECISION_BITS, enclose_rational as numeral};
use crate::measure::sum::NO_VALUE_REASON;
use crate::measure::vocabulary::{TraceOutcome, TraceVocabulary, WeightFactor, observed_density};
use crate::model::answer::{FaultyOperation, SemanticsError};
use crate::model::universe::{EvaluatorModel, ValueSemantics};
use crate::model::{InterpretError, Unsupported};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::function::decide_sign;
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::value::{SourceId, UndefinedValue, Value, ValueError};
use search::enclose_on_box;
pub use search::{EquationSystem, SystemRoots};
pub(in crate::measure) use search::{SearchBox, halve_box};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// A matrix of maps, by its rows.
pub type Matrix = Vec<Vec<Graph>>;

/// The largest number of draws for which preimages are searched together. A choice.
pub const MAX_DIMENSIONS: usize = 3;

/// A chart: a set of draws with their weights, the value of the program on it, and the image of the value under a map.
#[derive(Clone, Debug)]
pub struct SupportChart {
    /// The path that the draws follow.
    pub path: ExecutionPath,
    /// The weights of the scores.
    pub scores: Vec<Graph>,
    /// The embedding T: the coordinates of the value, as maps of the draws.
    pub value: Vec<Graph>,
    /// The image of the value under the map, or the value if no map is given.
    pub image: Vec<Graph>,
    /// The Jacobian of the map at the value, as AD gives it: a row for each coordinate of the image.
    pub jacobian: Matrix,
}

/// The charts of a program.
#[derive(Clone, Debug)]
pub struct ProgramSupport {
    /// The charts of possibly positive mass.
    pub charts: Vec<SupportChart>,
    /// Variables for the coordinates of the value, and the map at these. `None` if it cannot be evaluated there without a
    /// decision on a guard.
    pub global_map: Option<(Vec<Variable>, Vec<Graph>)>,
    /// The reason why charts may be missing; `None` if these are all.
    pub missing_charts_reason: Option<&'static str>,
    /// Charts in which a natural number is a variable, one for all numbers that are not followed. With `charts` these are all.
    /// `None` if other charts may be missing.
    pub tails: Option<Vec<SupportChart>>,
    /// `true` if some score was not proved to be non-negative.
    pub has_unproved_score: bool,
}

impl ProgramSupport {
    /// Returns the charts of a program of type `P A`, with their images under a map `A -> B`. A is a number or a tuple of
    /// numbers.
    ///
    /// # Errors
    /// Those of [`SupportWalk::new`] and [`SupportWalk::follow_all`].
    pub fn of_program(program: &Term, map: Option<&Term>, budget: &Arc<Budget>) -> Result<Self, MeasureError> {
        let mut walk = SupportWalk::new(program, map, budget)?;
        walk.follow_all()?;
        let tails = walk.follow_tails()?;
        let mut support = ProgramSupport { tails, ..walk.into_support() };
        let forms = &mut RationalNormalForm::default();
        support.charts.iter_mut().for_each(|chart| chart.fix_constant_draws(forms, budget));
        Ok(support)
    }
}

impl SupportChart {
    /// Returns the real draws that some of the maps mention.
    #[must_use]
    pub fn mentioned_draws(&self, maps: &[Graph]) -> Vec<Variable> {
        let own = self.path.coordinates().map(|x| x.variable);
        own.filter(|v| maps.iter().any(|map| map.depends_on(*v))).collect()
    }

    /// Returns the coordinates of the chart: the draws that the value mentions.
    #[must_use]
    pub fn value_draws(&self) -> Vec<Variable> {
        self.mentioned_draws(&self.value)
    }

    /// Returns the coordinates of the image of the chart: the draws that the image mentions. A map may forget some draws.
    #[must_use]
    pub fn image_draws(&self) -> Vec<Variable> {
        self.mentioned_draws(&self.image)
    }

    /// Substitutes a number for each draw that a map or a slope mentions, but does not vary with.
    fn fix_constant_draws(&mut self, forms: &mut RationalNormalForm, budget: &Budget) {
        let ranges = self.draw_ranges();
        let maps = [&mut self.value, &mut self.image].into_iter().chain(&mut self.jacobian).flatten();
        for map in maps {
            for (v, range) in &ranges {
                if map.depends_on(*v) && is_constant_in(map, *v, &ranges, forms, budget) {
                    *map = map.substitute(&[(*v, Graph::rational(interior_number(range)))]);
                }
            }
        }
    }

    /// Returns the ranges of the real draws, narrowed by the guards that are affine in a single draw.
    #[must_use]
    pub fn draw_ranges(&self) -> Vec<(Variable, Enclosure)> {
        let mut forms = RationalNormalForm::default();
        let own = self.path.coordinates().map(|x| (x.variable, x.range.clone()));
        let narrowed = |(v, mut range): (Variable, Enclosure)| {
            for decided in &self.path.decisions {
                let guard = &decided.guard.graph;
                let Some([b, a]) =
                    forms.as_polynomial(guard, v).and_then(|found| <[Rational; 2]>::try_from(found).ok())
                else {
                    continue;
                };
                if a == 0 {
                    continue;
                }
                // the guard a·v + b changes its sign at the border
                let border = -b / &a;
                let holds = |sign: Ordering| decided.guard.test.is_satisfied_by(sign) == decided.holds;
                let [above, below] = match a > 0 {
                    true => [holds(Ordering::Greater), holds(Ordering::Less)],
                    false => [holds(Ordering::Less), holds(Ordering::Greater)],
                };
                let side = match (above, below) {
                    (true, false) => half_line_from(&border),
                    (false, true) => half_line_up_to(&border),
                    _ => continue,
                };
                range = range.intersection(&side).unwrap_or(range);
            }
            (v, range)
        };
        own.map(narrowed).collect()
    }

    /// Returns the slopes of maps in some draws: a row for each map, a column for each draw.
    #[must_use]
    pub fn slope_matrix(maps: &[Graph], variables: &[Variable]) -> Matrix {
        let of = |map: &Graph| variables.iter().map(|v| map.slope(*v)).collect();
        maps.iter().map(of).collect()
    }

    /// Fixes some draws at a place. Returns the path of the other draws, and the factors of the density: the weights, and the
    /// densities of the fixed draws.
    #[must_use]
    pub fn fix_draws(&self, place: &[(Variable, Graph)]) -> (ExecutionPath, Vec<Graph>) {
        let at = |graph: &Graph| graph.substitute(place);
        let is_fixed = |v: Variable| place.iter().any(|(own, _)| *own == v);
        let mut factors: Vec<Graph> = self.scores.iter().map(at).collect();
        let mut path = self.path.replace_maps(&|_, graph| at(graph));
        let mut ends = Vec::new();
        path.draws.retain(|draw| match draw {
            Draw::Real(x) if is_fixed(x.variable) => {
                let own = at(&Graph::variable(x.variable));
                ends.extend(end_guards(&own, &x.distribution));
                factors.push(x.distribution.density(&own));
                false
            }
            _ => true,
        });
        // the support of a fixed draw may depend on other draws; if not, `contains_preimage` tests the place
        ends.retain(|guard| path.coordinates().any(|x| guard.graph.depends_on(x.variable)));
        path.decisions.retain(|decided| {
            path.draws.iter().filter_map(Draw::coordinate).any(|(x, _)| decided.guard.graph.depends_on(x))
        });
        path.decisions.extend(ends.into_iter().map(|guard| GuardCondition { guard, holds: true, is_condition: true }));
        (path, factors)
    }

    /// Returns the density of all draws of the path times the weights, as a map of the draws.
    #[must_use]
    pub fn draw_density(&self) -> Graph {
        let of = |draw: &Draw| match draw {
            Draw::Real(x) => x.distribution.density(&Graph::variable(x.variable)),
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => chance.clone(),
            // a walk over the support draws no tails
            Draw::Tail(..) => Graph::integer(1),
        };
        let factors = self.path.draws.iter().map(of).chain(self.scores.iter().cloned());
        factors.product::<Graph>()
    }
}

/// Returns guards on `x` that all hold exactly on the support of a distribution: signs of the distances from its ends.
pub fn end_guards(x: &Graph, distribution: &Distribution) -> impl Iterator<Item = SignGuard> + use<> {
    let tests =
        distribution.has_ends().map(|is_closed| if is_closed { SignTest::NonNegative } else { SignTest::Positive });
    let [left, right] = distribution.ends();
    let sides = [left.map(|a| x - &a), right.map(|b| &b - x)];
    let guards = sides.into_iter().zip(tests).filter_map(|(side, test)| Some((side?, test)));
    guards.map(|(graph, test)| SignGuard::new(&graph, test, SourceId::NOWHERE))
}

/// Returns the product of two matrices.
#[must_use]
pub fn matrix_product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    let entry = |row: &Vec<Graph>, j: usize| {
        let terms = row.iter().zip(b).map(|(x, row)| x.times_where_defined(&row[j]));
        terms.sum::<Graph>()
    };
    a.iter().map(|row| (0..columns).map(|j| entry(row, j)).collect()).collect()
}

/// Returns the determinant of a square matrix, by expansion along the first row.
#[must_use]
pub fn determinant(a: &Matrix) -> Graph {
    let Some(first) = a.first() else { return Graph::integer(1) };
    let minor = |j: usize| -> Matrix {
        let row = |row: &Vec<Graph>| row.iter().enumerate().filter(|(i, _)| *i != j).map(|(_, x)| x.clone()).collect();
        a[1..].iter().map(row).collect()
    };
    let mut sum = Graph::integer(0);
    for (j, x) in first.iter().enumerate() {
        let term = x.times_where_defined(&determinant(&minor(j)));
        sum = &sum + (if j % 2 == 0 { term } else { -&term });
    }
    sum
}

/// Returns det(AᵀA). For one column this is a sum of squares, for a square matrix the square of its determinant.
#[must_use]
pub fn gram_determinant(a: &Matrix) -> Graph {
    let columns = a.first().map_or(0, Vec::len);
    let dot = |i: usize, j: usize| {
        let terms = a
            .iter()
            .map(|row| if i == j { row[i].pow(&Rational::from(2)) } else { row[i].times_where_defined(&row[j]) });
        terms.sum::<Graph>()
    };
    if columns == a.len() {
        return determinant(a).pow(&Rational::from(2));
    }
    determinant(&(0..columns).map(|i| (0..columns).map(|j| dot(i, j)).collect()).collect())
}

/// Encloses [q, ∞).
fn half_line_from(q: &Rational) -> Enclosure {
    let one = Graph::rational(q.clone());
    let v = Variable::fresh();
    enclose_range(&(&one + Graph::variable(v)), &[(v, half_line())], &Budget::unlimited())
}

/// Encloses (-∞, q].
fn half_line_up_to(q: &Rational) -> Enclosure {
    let one = Graph::rational(q.clone());
    let v = Variable::fresh();
    enclose_range(&(&one - Graph::variable(v)), &[(v, half_line())], &Budget::unlimited())
}

/// Returns a number in the interior of an interval, or its only point. ⅓ is preferred: a choice.
fn interior_number(range: &Enclosure) -> Rational {
    let third = Rational::from((1, 3));
    match [range.lo().to_rational(), range.hi().to_rational()] {
        _ if *range.lo() < third && *range.hi() > third => third,
        [Some(a), Some(b)] => (a + b) / 2,
        [Some(a), None] => a + 1,
        [None, Some(b)] => b - 1,
        [None, None] => third,
    }
}

/// The largest denominator of a number that is tried as a preimage. A choice.
const LARGEST_DENOMINATOR: u32 = 1_000_000;
/// The precisions in bits at which a box is narrowed, one after another. A choice.
const PRECISIONS: [u32; 3] = [PRECISION_BITS, 512, 1536];

/// A preimage: draws that a map takes to a point.
#[derive(Clone, Debug)]
pub enum Preimage {
    /// Exact numbers.
    Exact(Vec<(Variable, Graph)>),
    /// The only solution of a system of equations in a box.
    InBox(Vec<Variable>, SearchBox, Arc<EquationSystem>),
}

/// The preimages of a point in a chart.
#[derive(Clone, Debug)]
pub enum Preimages {
    /// There is none.
    Empty,
    /// These preimages, and no others.
    Complete(Vec<Preimage>),
    /// These preimages, and perhaps others; with the reason why this is not known.
    Incomplete(Vec<Preimage>, &'static str),
}

impl Preimage {
    /// Encloses the value of a map at the preimage, with a width of at most `eps` if possible.
    #[must_use]
    pub fn enclose_value(&self, map: &Graph, eps: &Rational, budget: &Budget) -> Enclosure {
        match self {
            Self::Exact(place) => enclose_closed(&map.substitute(place), eps, budget),
            Self::InBox(variables, area, system) => {
                let mut found = enclose_on_box(map, variables, area, PRECISION_BITS, budget);
                for bits in PRECISIONS {
                    if found.has_width_at_most(eps) || budget.is_exhausted() {
                        break;
                    }
                    let next = enclose_on_box(map, variables, &system.refine_root(area, bits, budget), bits, budget);
                    found = next.intersection(&found).map_or(next, |both| both.with_defined(found.is_defined()));
                }
                found
            }
        }
    }

    /// Returns the sign of a map at the preimage. Returns `None` if it is undecided, as that of 0 in a box mostly is.
    #[must_use]
    pub fn sign_of(&self, map: &Graph, budget: &Budget) -> Option<Ordering> {
        match self {
            Self::Exact(place) => decide_sign(&map.substitute(place), budget).ok(),
            Self::InBox(variables, area, _) => {
                let found = enclose_on_box(map, variables, area, PRECISION_BITS, budget);
                let is_told = found.is_defined();
                match () {
                    () if is_told && *found.lo() > 0 => Some(Ordering::Greater),
                    () if is_told && *found.hi() < 0 => Some(Ordering::Less),
                    () => map.as_rational().map(|q| q.cmp0()),
                }
            }
        }
    }
}

/// Encloses the value of a map without variables; the whole line if it is not certainly defined.
#[must_use]
pub fn enclose_closed(map: &Graph, eps: &Rational, budget: &Budget) -> Enclosure {
    let found = map.to_real().ok().and_then(|real| real.enclose(eps, budget).ok()).map(|found| found.enclosure);
    found.filter(Enclosure::is_defined).unwrap_or_else(Enclosure::bottom)
}

/// The reason why a preimage may be missing: one was neither found nor excluded.
const UNDECIDED_ROOT: &str = "it is undecided whether, or how often, the point lies on the image of a chart";
/// The reason why a preimage may be missing: the search ended early.
const SEARCH_ENDED: &str = "the search for the preimages of the point is incomplete";
/// The number of preimages at which the search ends. A choice.
const MAX_PREIMAGES: usize = 32;

impl SupportChart {
    /// Finds the draws of the chart that the image takes to a point.
    #[must_use]
    pub fn find_preimages(&self, point: &[Graph], budget: &Budget) -> Preimages {
        let kept = self.image_draws();
        let maps: Vec<Graph> = self.image.iter().zip(point).map(|(map, y)| map - y).collect();
        if kept.is_empty() {
            let place = Preimage::Exact(Vec::new());
            return match self.maps_vanish_at(&place, &maps, budget) {
                Some(true) => Preimages::Complete(vec![place]),
                Some(false) => Preimages::Empty,
                None => Preimages::Incomplete(Vec::new(), "it is undecided whether the point is that of an atom"),
            };
        }
        if kept.len() > MAX_DIMENSIONS {
            return Preimages::Incomplete(Vec::new(), "more than three draws have to be found together");
        }
        let Some(system) = EquationSystem::new(&kept, &maps) else {
            return Preimages::Incomplete(Vec::new(), UNDECIDED_ROOT);
        };
        let system = Arc::new(system);
        let hull = self.draw_ranges();
        let within: SearchBox =
            kept.iter().filter_map(|v| hull.iter().find(|(own, _)| own == v).map(|(_, range)| range.clone())).collect();
        let roots = system.find_roots(&within, budget);
        let mut found: Vec<Preimage> = Vec::new();
        let mut why = roots.is_partial.then_some(SEARCH_ENDED);
        for (area, is_proven) in
            roots.proven.iter().map(|area| (area, true)).chain(roots.undecided.iter().map(|area| (area, false)))
        {
            if budget.is_exhausted() || found.len() >= MAX_PREIMAGES {
                why = why.or(Some(SEARCH_ENDED));
                break;
            }
            // Exact numbers are tried first, as guards can be decided at them; in a box a guard that is 0 stays undecided.
            if let Some(place) = self.exact_preimage(&kept, area, &maps, budget) {
                if !is_unique_root(&kept, area, &maps, budget) {
                    why = why.or(Some(UNDECIDED_ROOT));
                }
                if !found.iter().any(|other| are_equal_preimages(other, &place, budget)) {
                    found.push(place);
                }
                continue;
            }
            // A box may hold a root of some components that is no root of all.
            let is_off = maps.iter().any(|map| {
                let range = enclose_on_box(
                    map,
                    &kept,
                    &system.refine_root(area, PRECISION_BITS, budget),
                    PRECISION_BITS,
                    budget,
                );
                range.is_defined() && (*range.lo() > 0 || *range.hi() < 0)
            });
            match () {
                () if is_off => {}
                () if !is_proven || maps.len() > kept.len() => why = why.or(Some(UNDECIDED_ROOT)),
                () => found.push(
                    monotone_root(&kept, area, &maps, budget)
                        .unwrap_or_else(|| Preimage::InBox(kept.clone(), area.clone(), system.clone())),
                ),
            }
        }
        // The search ignores guards and open ends, so each root is tested against them.
        let mut inside = Vec::new();
        for place in found {
            match self.contains_preimage(&place, budget) {
                Some(true) => inside.push(place),
                Some(false) => {}
                None => why = why.or(Some("it is undecided whether a draw is within its range")),
            }
        }
        match (inside.is_empty(), why) {
            (true, None) => Preimages::Empty,
            (_, None) => Preimages::Complete(inside),
            (_, Some(why)) => Preimages::Incomplete(inside, why),
        }
    }

    /// Returns `true` if the draws of a preimage lie in their supports, and satisfy the guards on them alone; `None` if this
    /// is undecided. Guards on other draws are ignored.
    #[must_use]
    pub fn contains_preimage(&self, place: &Preimage, budget: &Budget) -> Option<bool> {
        let own = match place {
            Preimage::Exact(place) => place.iter().map(|(v, _)| *v).collect(),
            Preimage::InBox(variables, ..) => variables.clone(),
        };
        let others: Vec<Variable> = self.path.coordinates().map(|x| x.variable).filter(|v| !own.contains(v)).collect();
        let is_own = |graph: &Graph| !others.iter().any(|v| graph.depends_on(*v));
        let draws = self.path.coordinates().filter(|x| own.contains(&x.variable));
        let ends = draws.flat_map(|x| end_guards(&Graph::variable(x.variable), &x.distribution));
        let decided = self.path.decisions.iter().map(|decided| (decided.guard.clone(), decided.holds));
        let mut all = Some(true);
        let told = decided.map(|(guard, holds)| (guard, holds, false)).chain(ends.map(|guard| (guard, true, true)));
        for (guard, holds, is_end) in told.filter(|(guard, ..)| is_own(&guard.graph)) {
            match place.sign_of(&guard.graph, budget) {
                // The path requires g ≠ 0, which excludes a set without mass alone; the density may be continued to it.
                Some(Ordering::Equal) if guard.test == SignTest::Zero && !holds => {}
                // At an end of a support the density is not unique, and may be unbounded.
                Some(Ordering::Equal) if is_end && guard.test == SignTest::Positive => all = None,
                Some(sign) if guard.test.is_satisfied_by(sign) != holds => return Some(false),
                Some(_) => {}
                None => all = None,
            }
        }
        all
    }

    /// Returns `true` if all maps are 0 at a preimage; `None` if undecided.
    fn maps_vanish_at(&self, place: &Preimage, maps: &[Graph], budget: &Budget) -> Option<bool> {
        let mut all = Some(true);
        for map in maps {
            match place.sign_of(map, budget) {
                Some(Ordering::Equal) => {}
                Some(_) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// Returns rational numbers of small denominators, or such multiples of π, at which all maps are 0. They lie in the box or
    /// the margin around it. Returns `None` if none are found.
    fn exact_preimage(&self, kept: &[Variable], area: &SearchBox, maps: &[Graph], budget: &Budget) -> Option<Preimage> {
        // A rational lower bound of π suffices, as each candidate is checked exactly.
        let pi = enclose_closed(&Graph::pi(), &(Rational::from(1) >> 60), budget).lo().to_rational()?;
        let tried = |side: &Enclosure| -> Option<Vec<Graph>> {
            let (a, b) = (side.lo().to_rational()?, side.hi().to_rational()?);
            let slack = search_margin(&a);
            let (a, b) = (a - &slack, b + &slack);
            let plain = simplest_fraction(&a, &b).map(Graph::rational);
            let turned = simplest_fraction(&Rational::from(&a / &pi), &Rational::from(&b / &pi)).filter(|q| *q != 0);
            let turned = turned.map(|q| Graph::rational(q) * Graph::pi());
            Some(plain.into_iter().chain(turned).collect())
        };
        let tried: Vec<Vec<Graph>> = area.iter().map(tried).collect::<Option<_>>()?;
        let mut places: Vec<Vec<Graph>> = vec![Vec::new()];
        for choices in &tried {
            let more = |place: &Vec<Graph>| {
                let with = |choice: &Graph| place.iter().cloned().chain([choice.clone()]).collect::<Vec<_>>();
                choices.iter().map(with).collect::<Vec<_>>()
            };
            places = places.iter().flat_map(more).collect();
        }
        let places = places.into_iter().map(|place| Preimage::Exact(kept.iter().copied().zip(place).collect()));
        places.into_iter().find(|place| self.maps_vanish_at(place, maps, budget) == Some(true))
    }
}

/// Returns the margin around a box in which numbers are tried, 10⁻¹²·(1 + |a|), for the left end a. A choice: boxes are
/// rounded, so a rational root may lie just outside.
fn search_margin(a: &Rational) -> Rational {
    Rational::from((1, 1_000_000_000_000u64)) * (Rational::from(1) + a.clone().abs())
}

/// Returns `true` if the maps certainly have at most one common zero in a box and the margin around it. Then an exact number
/// that is found there is the only preimage.
fn is_unique_root(kept: &[Variable], area: &SearchBox, maps: &[Graph], budget: &Budget) -> bool {
    let wider = |side: &Enclosure| -> Option<Enclosure> {
        let (a, b) = (side.lo().to_rational()?, side.hi().to_rational()?);
        let slack = search_margin(&a);
        Some(numeral(&Rational::from(&a - &slack)).hull(&numeral(&Rational::from(&b + &slack))))
    };
    let around: Option<Vec<_>> = kept.iter().zip(area).map(|(v, side)| Some((*v, wider(side)?))).collect();
    around.is_some_and(|around| injectivity_proof(maps, kept, &around, budget).is_some())
}

/// Returns `true` if two preimages are exact numbers, and certainly equal.
fn are_equal_preimages(a: &Preimage, b: &Preimage, budget: &Budget) -> bool {
    let (Preimage::Exact(a), Preimage::Exact(b)) = (a, b) else { return false };
    a.iter().zip(b).all(|((_, x), (_, y))| decide_sign(&(x - y), budget) == Ok(Ordering::Equal))
}

/// Returns the root of a map of one draw in a box, as a real number that can be computed to any precision. Returns `None` if
/// the map is not shown to be monotone around the box, or there are several draws or maps.
fn monotone_root(kept: &[Variable], area: &SearchBox, maps: &[Graph], budget: &Budget) -> Option<Preimage> {
    let ([v], [side], [map]) = (kept, &area[..], maps) else { return None };
    let (lo, hi) = (side.lo().to_rational()?, side.hi().to_rational()?);
    let slope = map.slope(*v);
    for bits in [8, 16, 24, 32, 40] {
        // The box is widened so that the map has certain signs at its ends; too wide a box would lose monotonicity.
        let reach = (Rational::from(1) + lo.clone().abs()) >> bits;
        let (a, b) = (Rational::from(&lo - &reach), Rational::from(&hi + &reach));
        let around = crate::measure::range::enclose_rational(&a).hull(&crate::measure::range::enclose_rational(&b));
        let slopes = enclose_range(&slope, &[(*v, around)], budget);
        let falls = *slopes.hi() < 0;
        if !slopes.is_defined() || !falls && *slopes.lo() <= 0 {
            continue;
        }
        let falling = if falls { map.clone() } else { -map };
        let at = |q: &Rational| decide_sign(&falling.substitute(&[(*v, Graph::rational(q.clone()))]), budget);
        if at(&a) != Ok(Ordering::Greater) || at(&b) != Ok(Ordering::Less) {
            continue;
        }
        let s = Variable::fresh();
        let width = Graph::rational(Rational::from(&b - &a));
        let x = Graph::rational(a) + &width * Graph::variable(s);
        let root = Graph::first_root(s, falling.substitute(&[(*v, x.clone())]));
        return Some(Preimage::Exact(vec![(*v, x.substitute(&[(s, root)]))]));
    }
    None
}

/// Returns the fraction with the least denominator in [a, b]. Returns `None` if the denominator exceeds
/// [`LARGEST_DENOMINATOR`].
pub(in crate::measure) fn simplest_fraction(a: &Rational, b: &Rational) -> Option<Rational> {
    if *a <= 0 && *b >= 0 {
        return Some(Rational::new());
    }
    if *b < 0 {
        return simplest_fraction(&Rational::from(-b), &Rational::from(-a)).map(|q| -q);
    }
    // By continued fractions: as long as a and b have the same integer part, it is a partial quotient of the result.
    let (mut a, mut b) = (a.clone(), b.clone());
    let mut whole = Vec::new();
    let last = loop {
        let floor = a.clone().floor();
        // denominators grow at least like Fibonacci numbers, and are too large by now
        if whole.len() > 32 {
            return None;
        }
        if floor == a {
            break floor;
        }
        if Rational::from(&floor + 1) <= b {
            break floor + 1;
        }
        let (low, high) = (Rational::from(&b - &floor), Rational::from(&a - &floor));
        whole.push(floor);
        (a, b) = (low.recip(), high.recip());
    };
    let found = whole.into_iter().rev().fold(last, |rest, floor| floor + rest.recip());
    (*found.denom() <= LARGEST_DENOMINATOR).then_some(found)
}

/// The largest number of charts and waiting paths together. A choice.
const MAX_CHARTS: usize = 256;
/// The number of natural numbers that are followed for one draw, from the first on. A choice.
const MAX_NATURALS: u64 = 32;
/// The reason why charts are missing after a natural draw.
const UNFOLLOWED_NATURALS: &str = "a natural number is drawn, and only its first 32 values are followed";
/// The largest number of runs for the tails of natural draws. A choice.
const MAX_TAIL_RUNS: usize = 64;
/// The largest number of steps of one run. A choice.
const MAX_RUN_STEPS: u64 = 200_000;

/// The end of a run.
#[derive(Debug)]
pub enum WalkEnd {
    /// The run needs another draw, which the path lacks.
    NeedsDraw(Distribution),
    /// The run returned a value.
    Returned(Box<WalkedRun>),
    /// The run observes a value of a distribution with invalid parameters.
    InvalidObservation(MeasureError),
}

/// The result of a run.
#[derive(Debug)]
pub struct WalkedRun {
    /// The value itself, which has the shape of all values.
    pub shape: Value<Graph>,
    /// The weights of the scores.
    pub scores: Vec<Graph>,
    /// The coordinates of the value; empty for a walk without slopes.
    value: Vec<Graph>,
    /// The image of the value under the map, or the value if no map is given; empty for a walk without slopes.
    image: Vec<Graph>,
    /// The result of the map, of any type, in a walk without slopes.
    pub applied: Option<Value<Graph>>,
    /// The Jacobian of the map at the value; empty for a walk without slopes.
    jacobian: Vec<Vec<Graph>>,
}

/// Follows the paths of a program, the shortest first.
pub struct SupportWalk<'a> {
    universe: EvaluatorModel<PiecewiseUniverse<SymbolicExecution>>,
    program: Value<Graph>,
    vocabulary: TraceVocabulary,
    map: Option<Value<Graph>>,
    /// The terms of the program and of the map, for error messages.
    program_and_map: [Option<Term>; 2],
    /// The indices of the positions in the program; other positions lie in the map.
    program_sites: Range<usize>,
    budget: &'a Arc<Budget>,
    waiting: VecDeque<ExecutionPath>,
    charts: Vec<SupportChart>,
    /// The paths for the numbers of natural draws that are not followed one by one.
    tails: Vec<ExecutionPath>,
    missing_charts_reason: Option<&'static str>,
    has_unproved_score: bool,
    /// `true` if values are tuples of numbers, and the slopes of the map in them are computed.
    computes_slopes: bool,
    /// A value, whose shape all values have.
    shape: Option<Value<Graph>>,
}

impl std::fmt::Debug for SupportWalk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("charts", &self.charts).finish_non_exhaustive()
    }
}

impl<'a> SupportWalk<'a> {
    /// Creates a walk that has not followed any path.
    ///
    /// # Errors
    /// [`MeasureError`] for a construct that the piecewise semantics lacks.
    pub fn new(program: &Term, map: Option<&Term>, budget: &'a Arc<Budget>) -> Result<Self, MeasureError> {
        let oracle = SymbolicExecution::new(None, budget.clone());
        let universe =
            EvaluatorModel::new(PiecewiseUniverse::new(oracle, budget.clone()).with_limits(None, MAX_RUN_STEPS));
        let vocabulary = TraceVocabulary::from_program(program)?;
        let written = [Some(program.clone()), map.cloned()];
        let before = universe.0.site_count();
        let program = universe.evaluate_closed(program)?;
        let places = before..universe.0.site_count();
        let map = map.map(|map| universe.evaluate_closed(map)).transpose()?;
        let waiting = VecDeque::from([ExecutionPath::default()]);
        let (charts, rest, shape) = (Vec::new(), None, None);
        Ok(Self {
            universe,
            program,
            vocabulary,
            map,
            program_and_map: written,
            program_sites: places,
            budget,
            waiting,
            charts,
            tails: Vec::new(),
            missing_charts_reason: rest,
            has_unproved_score: false,
            computes_slopes: true,
            shape,
        })
    }

    /// Names an undefined part by the term of the program or of the map.
    #[must_use]
    pub fn name_undefined(&self, found: &UndefinedValue) -> UndefinedValue {
        let is_in_program = found.site.index().is_some_and(|index| self.program_sites.contains(&index));
        let term = self.program_and_map[usize::from(!is_in_program)].as_ref().or(self.program_and_map[0].as_ref());
        let place = self.universe.0.location_of(found.site);
        match (term, &place) {
            (Some(term), Some(_)) => FaultyOperation::rename_for_user(found, place, term).0,
            _ => found.clone(),
        }
    }

    /// Keeps values and what the map gives at them, without slopes. Then values may have any type, and constraints on
    /// observed distributions become guards.
    #[must_use]
    pub fn without_slopes(self) -> Self {
        Self { computes_slopes: false, ..self }
    }

    /// Follows all paths, up to `MAX_CHARTS` and while the budget lasts.
    ///
    /// # Errors
    /// [`MeasureError`] if the program is certainly undefined on a set of positive mass, or a score is negative there. Also if
    /// a distribution has invalid parameters, or the semantics lacks a construct.
    pub fn follow_all(&mut self) -> Result<(), MeasureError> {
        while let Some(path) = self.waiting.pop_front() {
            // Waiting paths count too, since each may become a chart.
            if self.charts.len() + self.waiting.len() >= MAX_CHARTS {
                self.missing_charts_reason = Some("the program has more paths than are followed");
                return Ok(());
            }
            if self.budget.is_exhausted() {
                self.missing_charts_reason = Some("the time was up");
                return Ok(());
            }
            self.follow_path(path)?;
        }
        Ok(())
    }

    /// Returns the charts that were found, and the map on the whole space.
    #[must_use]
    pub fn into_support(self) -> ProgramSupport {
        let whole = self.global_map();
        ProgramSupport {
            charts: self.charts,
            global_map: whole,
            missing_charts_reason: self.missing_charts_reason,
            tails: None,
            has_unproved_score: self.has_unproved_score,
        }
    }

    /// Follows the paths of all numbers beyond the first ones of a natural draw, with a variable for the number. Returns `None` if
    /// they do not end within `MAX_TAIL_RUNS` runs, if one is not decided, or if other charts are missing.
    fn follow_tails(&mut self) -> Result<Option<Vec<SupportChart>>, MeasureError> {
        if self.missing_charts_reason.is_some_and(|why| why != UNFOLLOWED_NATURALS) {
            return Ok(None);
        }
        let (mut waiting, mut ended) = (std::mem::take(&mut self.tails), Vec::new());
        for _ in 0..MAX_TAIL_RUNS {
            let Some(path) = waiting.pop() else { return Ok(Some(ended)) };
            let (found, path, others) = self.run_path(path);
            waiting.extend(others);
            match found {
                Ok(WalkEnd::Returned(run)) => {
                    let WalkedRun { scores, value, image, jacobian, .. } = *run;
                    ended.push(SupportChart { path, scores, value, image, jacobian });
                }
                Ok(WalkEnd::NeedsDraw(distribution)) => {
                    if check_constraints(self.universe.0.oracle(), &path, &distribution).is_err() {
                        return Ok(None);
                    }
                    waiting.extend(
                        path.extend_by_draw(distribution, |path, distribution| {
                            self.draw_coordinate(path, distribution)
                        }),
                    );
                }
                // the path of an error has a small probability, which the caller bounds
                Ok(WalkEnd::InvalidObservation(_)) | Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Returns fresh variables for the coordinates of a value, and the map at these. Returns `None` if there is no chart, or
    /// the map cannot be evaluated there without a decision on a guard.
    fn global_map(&self) -> Option<(Vec<Variable>, Vec<Graph>)> {
        let n = self.charts.first()?.value.len();
        let variables: Vec<Variable> = (0..n).map(|_| Variable::fresh()).collect();
        let Some(map) = &self.map else {
            let same = variables.iter().map(|v| Graph::variable(*v)).collect();
            return Some((variables, same));
        };
        let x = self.shape.as_ref()?.with_coordinates(&mut variables.iter().map(|v| Graph::variable(*v)));
        self.universe.0.oracle().begin_run(ExecutionPath::default());
        self.universe.0.begin_run();
        let image = map.as_function().ok()?.apply(&x).ok()?;
        let image = image.coordinates().ok()?.into_iter().cloned().collect();
        Some((variables, image))
    }

    /// Follows a path to its end, or to a discrete draw, at which it branches. The other branches of guards wait.
    fn follow_path(&mut self, mut path: ExecutionPath) -> Result<(), MeasureError> {
        loop {
            let (found, walked, others) = self.run_path(path);
            path = walked;
            self.waiting.extend(others);
            match found {
                Ok(WalkEnd::Returned(given)) => {
                    return self.add_chart(path, *given);
                }
                Ok(WalkEnd::InvalidObservation(fault)) => return Err(fault),
                // The program runs again from its start after each draw: values cannot be resumed.
                Ok(WalkEnd::NeedsDraw(distribution)) => {
                    check_constraints(self.universe.0.oracle(), &path, &distribution)?;
                    match distribution.kind() {
                        Kind::Real => {
                            let coordinate = self.draw_coordinate(&path, &distribution);
                            path.draws.push(Draw::Real(coordinate));
                        }
                        Kind::Truth => {
                            for holds in [true, false] {
                                let mut path = path.clone();
                                let chance = distribution.truth(holds);
                                if chance.as_rational().is_none_or(|chance| *chance != 0) {
                                    path.draws.push(Draw::Truth(holds, chance));
                                    self.waiting.push_back(path);
                                }
                            }
                            return Ok(());
                        }
                        Kind::Natural(first) => {
                            for n in first..first + MAX_NATURALS {
                                let mut path = path.clone();
                                path.draws.push(Draw::Natural(n, distribution.natural(n)));
                                self.waiting.push_back(path);
                            }
                            let mut rest = path;
                            let span = NaturalRange::from(first + MAX_NATURALS);
                            rest.draws.push(Draw::Tail(Variable::fresh(), distribution, span));
                            self.tails.push(rest);
                            self.missing_charts_reason = self.missing_charts_reason.or(Some(UNFOLLOWED_NATURALS));
                            return Ok(());
                        }
                    }
                }
                // An undefined value is an error only if its path has positive probability. If that is undecided, charts may be
                // missing.
                Err(ValueError::Undefined(found)) if found.certain => {
                    return match PathIntegral::of_guards(&path, None, self.budget) {
                        Ok(None) => Ok(()),
                        Ok(Some(leaf)) if leaf.has_cells() => {
                            let demand =
                                self.universe.0.location_of(found.site).and_then(|place| place.stated_requirement());
                            Err(MeasureError::Undefined(match demand.is_some() {
                                true => found.with_requirement(demand),
                                false => self.name_undefined(&found),
                            }))
                        }
                        found => {
                            self.missing_charts_reason =
                                Some(found.err().map_or(NO_VALUE_REASON, |obstacle| obstacle.reason_text()));
                            Ok(())
                        }
                    };
                }
                Err(ValueError::Undefined(_)) => {
                    self.missing_charts_reason = Some("a path was not followed to its end");
                    return Ok(());
                }
                Err(ValueError::Unsupported { model, construct }) => {
                    return Err(SemanticsError::from(InterpretError::from(Unsupported { model, construct })).into());
                }
                Err(error) => return Err(SemanticsError::from(error).into()),
            }
        }
    }

    /// Adds the chart of a path, unless it is certain that no draws satisfy its guards.
    ///
    /// # Errors
    /// [`MeasureError::NegativeScore`] if a score is certainly negative somewhere.
    fn add_chart(&mut self, path: ExecutionPath, given: WalkedRun) -> Result<(), MeasureError> {
        let leaf = PathIntegral::of_guards(&path, None, self.budget);
        if matches!(leaf, Ok(None)) {
            return Ok(());
        }
        let WalkedRun { shape, scores, value, image, jacobian, .. } = given;
        for score in &scores {
            match leaf
                .as_ref()
                .ok()
                .and_then(Option::as_ref)
                .map(|leaf| leaf.test_fails(score, SignTest::NonNegative, &path, None, self.budget))
            {
                Some(Some(true)) => return Err(MeasureError::NegativeScore),
                Some(Some(false)) => {}
                _ => self.has_unproved_score = true,
            }
        }
        self.shape.get_or_insert(shape);
        self.charts.push(SupportChart { path, scores, value, image, jacobian });
        Ok(())
    }

    /// Runs the program along a path. Returns the end of the run, the path as far as it was followed, and the paths that branch
    /// off.
    pub fn run_path(
        &mut self,
        path: ExecutionPath,
    ) -> (Result<WalkEnd, ValueError>, ExecutionPath, Vec<ExecutionPath>) {
        let trace = path.to_trace(self.vocabulary.draw_kinds());
        self.universe.0.oracle().begin_run(path);
        self.universe.0.begin_run();
        let found = self.interpret_run(&trace);
        let (path, others) = self.universe.0.oracle().end_run();
        (found, path, others)
    }

    /// Runs the program on a trace, and reads its outcome and the factors of its weight.
    fn interpret_run(&self, trace: &Value<Graph>) -> Result<WalkEnd, ValueError> {
        let (_, run) = self.program.as_variant()?;
        let ran = run.as_function()?.apply(trace)?;
        let [outcome, factors, _] = ran.as_tuple()? else {
            return Err(ran.kind_mismatch("an outcome, factors, and the rest of the trace"));
        };
        let given = match self.vocabulary.read_outcome(outcome)? {
            TraceOutcome::Wanted(distribution) => return Ok(WalkEnd::NeedsDraw(distribution)),
            TraceOutcome::Given(value) => value,
        };
        let mut scores = Vec::new();
        for factor in factors.as_list()?.iter() {
            match self.vocabulary.read_factor(factor)? {
                // The densities of draws are known from the distributions in the path.
                WeightFactor::Prior => {}
                WeightFactor::Seen(distribution, of_nothing) => {
                    if let Some(fault) = self.invalid_observation(&distribution)? {
                        return Ok(WalkEnd::InvalidObservation(fault));
                    }
                    scores.push(observed_density(of_nothing)?);
                }
                WeightFactor::Score(weight) => scores.push(weight.clone()),
            }
        }
        let graphs = |x: &Value<Graph>| Ok::<_, ValueError>(x.coordinates()?.into_iter().cloned().collect::<Vec<_>>());
        if let (false, Some(map)) = (self.computes_slopes, &self.map) {
            let applied = Some(map.as_function()?.apply(given)?);
            let shape = given.clone();
            return Ok(WalkEnd::Returned(Box::new(WalkedRun {
                shape,
                scores,
                value: Vec::new(),
                image: Vec::new(),
                applied,
                jacobian: Vec::new(),
            })));
        }
        let value = graphs(given)?;
        let unit = |i: usize| (0..value.len()).map(move |j| Graph::integer(i64::from(i == j)));
        let Some(map) = &self.map else {
            let jacobian = (0..value.len()).map(|i| unit(i).collect()).collect();
            return Ok(WalkEnd::Returned(Box::new(WalkedRun {
                shape: given.clone(),
                scores,
                image: value.clone(),
                value,
                applied: None,
                jacobian,
            })));
        };
        let image = graphs(&map.as_function()?.apply(given)?)?;
        // One column of the Jacobian for each unit vector, in forward mode.
        let mut columns = Vec::new();
        for i in 0..value.len() {
            let along = given.with_coordinates(&mut unit(i));
            let arguments = [map.clone(), given.clone(), along];
            let column = graphs(&self.universe.0.apply_constant(Constant::Jvp, SourceId::NOWHERE, &arguments)?)?;
            columns.push(column.into_iter().map(normalise_constant).collect::<Vec<_>>());
        }
        let row = |i: usize| columns.iter().map(|column| column[i].clone()).collect();
        let jacobian = (0..image.len()).map(row).collect();
        let shape = given.clone();
        Ok(WalkEnd::Returned(Box::new(WalkedRun { shape, scores, value, image, applied: None, jacobian })))
    }

    /// Returns the error of an observed distribution with invalid parameters. Returns `None` if they are valid.
    ///
    /// In a walk without slopes the constraint becomes a guard of the path, which each sample satisfies or not.
    fn invalid_observation(&self, distribution: &Distribution) -> Result<Option<MeasureError>, ValueError> {
        let oracle = self.universe.0.oracle();
        if self.computes_slopes {
            return Ok(check_observation(oracle, distribution).err());
        }
        for Demand { what, has_to_be, graph, test } in distribution.demands() {
            let guard = SignGuard::new(&graph, test, SourceId::NOWHERE);
            let asked = GuardQuery { guard, role: GuardRole::Condition, at: None };
            if !oracle.decide_guard(&asked)? {
                return Ok(Some(MeasureError::ParameterConstraint { what, has_to_be, certain: true, nearby: false }));
            }
            oracle.record_test(graph, test);
        }
        Ok(None)
    }

    /// Returns a new coordinate for a real draw from a distribution, at the end of a path.
    #[must_use]
    pub fn draw_coordinate(&self, path: &ExecutionPath, distribution: &Distribution) -> TraceCoordinate {
        self.universe.0.oracle().new_coordinate(path, distribution)
    }
}

/// Replaces a slope by a number if its normal form is constant.
fn normalise_constant(slope: Graph) -> Graph {
    let fraction = RationalNormalForm::default().normal_form(&slope);
    fraction.and_then(|fraction| fraction.as_rational()).map_or(slope, Graph::rational)
}
