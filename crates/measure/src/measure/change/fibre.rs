//! Fibres of a map on a chart: all draws that it takes to a point ([Federer 1969](crate::refs::FEDERER_1969), 3.2.3 and 3.2.12).
//!
//! The density of an image is a sum over a fibre, or an integral over it:
//!
//! | the map has | density at y |
//! |---|---|
//! | as many coordinates as draws (area formula) | `Σ ρ(x)/𝒥(x)` over all x with f(x) = y |
//! | fewer (coarea formula) | the draws z are split in (x, w), with as many x as coordinates: `∫ Σ ρ(x, w)/|det ∂f/∂x| dw` over all x with f(x, w) = y |
//!
//! So a density needs a proof that no preimage is missing. The equations f(x) = y are solved one after another: the next one is
//! that with the fewest unknown draws, so the Jacobian is block triangular in this order. An equation in one unknown is
//! [inverted](super::inverse) by formulas, or all of its [roots](super::roots) are enclosed. An equation in several unknowns is
//! inverted for one of them, and the solution is substituted into the others (elimination). Each branch is followed.
//!
//! A preimage at the border of a chart has no density: there the density of the draws jumps, or the map is another one.

use super::ChangeOfVariablesError;
use super::inverse::{Inversion, InversionError};
use super::roots::{all_roots, clear_denominators};
use super::volume_factor;
use crate::measure::contribution::{PathContribution, PathFactors};
use crate::measure::draws::{Draw, ExecutionPath};
use crate::measure::range::{PathSigns, enclose_range, real_line};
use crate::measure::support::{Preimage, SupportChart, end_guards};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::function::decide_sign;
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::value::SourceId;
use std::cmp::Ordering;

/// The greatest number of branches that are followed in one chart. A choice.
const MAX_CANDIDATES: usize = 256;
/// The reason why a fibre is not known.
const NO_FORMULA: &str = "the equations of the preimages have no solution by formulas, and no complete search";
/// The reason why it is not known whether a branch has a point.
const UNDECIDED: &str = "it is undecided whether a preimage lies within the chart";

/// A part of a fibre: some draws as maps of the others, which are free.
#[derive(Clone, Debug)]
pub struct FibrePart {
    /// The draws that are solved for, and their values.
    pub solved: Vec<(Variable, Graph)>,
    /// The part consists of the free draws at which all these maps are positive.
    pub conditions: Vec<Graph>,
}

/// The reason why a fibre is not known, or has no density.
#[derive(Debug)]
pub enum FibreObstacle {
    /// The fibre is not known, for this reason.
    Unknown(&'static str),
    /// There is no density.
    NoDensity(ChangeOfVariablesError),
    /// There are infinitely many preimages.
    Countable,
}

impl From<InversionError> for FibreObstacle {
    fn from(error: InversionError) -> Self {
        match error {
            InversionError::NoFormula => Self::Unknown(NO_FORMULA),
            InversionError::Countable => Self::Countable,
            InversionError::Border => Self::NoDensity(ChangeOfVariablesError::Border),
            InversionError::Undecided => Self::Unknown(UNDECIDED),
        }
    }
}

/// A system of equations that is partly solved.
#[derive(Clone, Debug)]
struct Candidate {
    /// Maps that have to be 0.
    equations: Vec<Graph>,
    part: FibrePart,
    unsolved: Vec<Variable>,
}

impl Candidate {
    /// Puts a value for a draw into everything else.
    fn solve_for(&self, index: usize, x: Variable, value: &Graph, conditions: &[Graph]) -> Self {
        let binding = [(x, value.clone())];
        let at = |g: &Graph| if g.depends_on(x) { g.substitute(&binding) } else { g.clone() };
        let others = self.equations.iter().enumerate().filter(|(i, _)| *i != index);
        let own = self.part.solved.iter().map(|(v, g)| (*v, at(g)));
        Self {
            equations: others.map(|(_, g)| at(g)).collect(),
            part: FibrePart {
                solved: own.chain([(x, value.clone())]).collect(),
                conditions: self.part.conditions.iter().map(at).chain(conditions.iter().cloned()).collect(),
            },
            unsolved: self.unsolved.iter().copied().filter(|v| *v != x).collect(),
        }
    }
}

/// A fibre of a chart.
struct FibreSearch<'a> {
    chart: &'a SupportChart,
    /// The ranges of the draws.
    hull: Vec<(Variable, Enclosure)>,
    /// The number of the choice of unknowns, where there are several.
    choice: usize,
    budget: &'a Budget,
}

impl SupportChart {
    /// Returns the fibre over a point: all draws that the image takes there, up to a null set of free draws.
    ///
    /// `choice` numbers the ways to split the draws in solved and free ones.
    ///
    /// # Errors
    /// [`FibreObstacle`] if the fibre is not known, or if there is no density.
    pub fn fibre_over(&self, point: &[Graph], choice: usize, budget: &Budget) -> Result<Vec<FibrePart>, FibreObstacle> {
        let hull = self.draw_ranges();
        let misses = |(map, y): (&Graph, &Graph)| {
            let found = enclose_range(&(map - y), &hull, budget);
            found.is_defined() && (*found.lo() > 0 || *found.hi() < 0)
        };
        if self.image.iter().zip(point).any(misses) {
            return Ok(Vec::new());
        }
        // all equations are differences, so that a solved draw can be substituted on both sides at once
        let start = Candidate {
            equations: self.image.iter().zip(point).map(|(map, y)| map - y).collect(),
            part: FibrePart { solved: Vec::new(), conditions: Vec::new() },
            unsolved: self.image_draws(),
        };
        let search = FibreSearch { chart: self, hull, choice, budget };
        let (mut waiting, mut found, mut steps) = (vec![start], Vec::new(), 0);
        while let Some(candidate) = waiting.pop() {
            steps += 1;
            if budget.is_exhausted() || steps > MAX_CANDIDATES {
                return Err(FibreObstacle::Unknown("the search for the preimages of the point is incomplete"));
            }
            match candidate.equations.is_empty() {
                true => found.extend(search.place_in_chart(candidate.part)?),
                false => waiting.extend(search.solve_next(&candidate)?),
            }
        }
        Ok(found)
    }

    /// Encloses the integral of ρ/|det ∂f/∂x| over a part of a fibre. Returns `None` if a draw would depend on itself.
    pub(super) fn fibre_integral(&self, part: &FibrePart, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        if !self.is_acyclic(part) {
            return None;
        }
        let solved: Vec<Variable> = part.solved.iter().map(|(v, _)| *v).collect();
        let factor = volume_factor(&Self::slope_matrix(&self.image, &solved)).substitute(&part.solved);
        let (mut path, weights) = self.fix_draws(&part.solved);
        let holds = |g: &Graph| GuardCondition {
            guard: SignGuard::new(g, SignTest::Positive, SourceId::NOWHERE),
            holds: true,
            is_condition: true,
        };
        path.decisions.extend(part.conditions.iter().map(holds));
        // guards that are linear again are cut exactly
        clear_guards(&mut path, budget);
        let factors = PathFactors { weights, values: vec![1 / &factor] };
        Some(PathContribution::new(&path, factors, None, 0, budget).enclose(eps, budget))
    }

    /// Returns `false` if a free draw is distributed by a solved one, whose value depends on a draw that comes later.
    fn is_acyclic(&self, part: &FibrePart) -> bool {
        let position =
            |v: Variable| self.path.draws.iter().position(|d| d.coordinate().is_some_and(|(own, _)| own == v));
        let is_solved = |v: Variable| part.solved.iter().any(|(own, _)| *own == v);
        part.solved.iter().all(|(x, value)| {
            self.path.draws.iter().enumerate().all(|(i, draw)| {
                let Draw::Real(d) = draw else { return true };
                is_solved(d.variable)
                    || !d.distribution.depends_on(*x)
                    || value.free_variables().iter().all(|w| position(*w).is_some_and(|at| at < i))
            })
        })
    }

    /// Returns `true` if a preimage lies at the border of the chart, as far as that is decided.
    pub(super) fn is_on_border(&self, place: &Preimage, budget: &Budget) -> bool {
        let own = |v: Variable| match place {
            Preimage::Exact(place) => place.iter().any(|(own, _)| *own == v),
            Preimage::InBox(variables, ..) => variables.contains(&v),
        };
        let is_closed = |g: &Graph| self.path.coordinates().all(|x| own(x.variable) || !g.depends_on(x.variable));
        self.border_guards(&own)
            .filter(|(guard, holds)| is_closed(&guard.graph) && is_border(guard, *holds))
            .any(|(guard, _)| place.sign_of(&guard.graph, budget) == Some(Ordering::Equal))
    }

    /// Returns the guards of the path, and of the supports of some draws.
    fn border_guards(&self, own: &dyn Fn(Variable) -> bool) -> impl Iterator<Item = (SignGuard, bool)> {
        let draws = self.path.coordinates().filter(|x| own(x.variable));
        let ends: Vec<_> = draws.flat_map(|x| end_guards(&Graph::variable(x.variable), &x.distribution)).collect();
        let decided =
            self.path.decisions.iter().map(|decided| (decided.guard.clone(), decided.holds)).collect::<Vec<_>>();
        ends.into_iter().map(|guard| (guard, true)).chain(decided)
    }
}

/// Multiplies guards by denominators of known signs: `1 - c/x ≥ 0` is `x - c ≥ 0` for positive x, which is linear.
fn clear_guards(path: &mut ExecutionPath, budget: &Budget) {
    let ranges = path.coordinate_ranges(None);
    let draws = ExecutionPath { decisions: Vec::new(), ..path.clone() };
    let mut forms = RationalNormalForm::default();
    let mut signs = PathSigns::new(&draws, &ranges, &mut forms, budget);
    for decided in &mut path.decisions {
        let [over, under] = clear_denominators(&decided.guard.graph, &|g| !g.free_variables().is_empty());
        if under.is_constant(1) {
            continue;
        }
        if signs.by_form(&under, SignTest::Positive) == Some(true) {
            decided.guard.graph = over;
        } else if signs.by_form(&-under, SignTest::Positive) == Some(true) {
            decided.guard.graph = -over;
        }
    }
}

/// Returns `false` for a guard g ≠ 0, which excludes a null set alone.
fn is_border(guard: &SignGuard, holds: bool) -> bool {
    guard.test != SignTest::Zero || holds
}

impl FibreSearch<'_> {
    fn inversion(&self) -> Inversion<'_> {
        let ignores_null_sets = self.chart.image_draws().len() > self.chart.image.len();
        Inversion { hull: &self.hull, ignores_null_sets, budget: self.budget }
    }

    /// Solves one equation. Returns the systems that are left, one for each branch.
    fn solve_next(&self, candidate: &Candidate) -> Result<Vec<Candidate>, FibreObstacle> {
        let unknowns = |g: &Graph| candidate.unsolved.iter().copied().filter(|v| g.depends_on(*v)).collect::<Vec<_>>();
        let mut order: Vec<(usize, Vec<Variable>)> = candidate.equations.iter().map(unknowns).enumerate().collect();
        // the fewest unknowns first: the Jacobian is block triangular in this order
        order.sort_by_key(|(_, own)| own.len());
        let (index, own) = &order[0];
        match own[..] {
            [] => self.check_equation(candidate, *index),
            [x] => self.solve_for_one(candidate, *index, x),
            _ => self.eliminate(candidate, &order),
        }
    }

    /// Drops an equation without unknowns if it holds, or the whole system if it does not.
    fn check_equation(&self, candidate: &Candidate, index: usize) -> Result<Vec<Candidate>, FibreObstacle> {
        match decide_sign(&candidate.equations[index], self.budget) {
            Ok(Ordering::Equal) => {
                // with free draws left the image has a lower dimension than the point
                if !candidate.unsolved.is_empty() {
                    return Err(FibreObstacle::NoDensity(ChangeOfVariablesError::Singular(None)));
                }
                let mut next = candidate.clone();
                next.equations.remove(index);
                Ok(vec![next])
            }
            Ok(_) => Ok(Vec::new()),
            Err(_) => Err(FibreObstacle::Unknown("it is undecided whether the point lies on the image of a chart")),
        }
    }

    /// Solves an equation in one unknown: by formulas, or by a search for all roots.
    fn solve_for_one(&self, candidate: &Candidate, index: usize, x: Variable) -> Result<Vec<Candidate>, FibreObstacle> {
        let equation = &candidate.equations[index];
        let inversion = self.inversion();
        let by_formula = inversion.solve(equation, x, &Graph::integer(0));
        if let Ok(branches) = &by_formula {
            return Ok(branches.iter().map(|b| candidate.solve_for(index, x, &b.value, &b.conditions)).collect());
        }
        if let Err(InversionError::Border) = by_formula {
            return Err(InversionError::Border.into());
        }
        let is_closed = equation.free_variables() == [x];
        let range = self.hull.iter().find(|(v, _)| *v == x).map_or_else(real_line, |(_, range)| range.clone());
        match (by_formula, is_closed.then(|| all_roots(equation, x, &range, self.budget)).flatten()) {
            (_, Some(roots)) => Ok(roots.iter().map(|root| candidate.solve_for(index, x, root, &[])).collect()),
            (Err(obstacle), None) => Err(obstacle.into()),
            (Ok(_), None) => Err(FibreObstacle::Unknown(NO_FORMULA)),
        }
    }

    /// Solves some equation for one of its several unknowns by formulas.
    fn eliminate(
        &self,
        candidate: &Candidate,
        order: &[(usize, Vec<Variable>)],
    ) -> Result<Vec<Candidate>, FibreObstacle> {
        let inversion = self.inversion();
        let mut worst = FibreObstacle::Unknown(NO_FORMULA);
        let mut skipped = 0;
        // the last draw first: no other draw is distributed by it
        for (index, x) in order.iter().flat_map(|(index, own)| own.iter().rev().map(move |x| (*index, *x))) {
            match inversion.solve(&candidate.equations[index], x, &Graph::integer(0)) {
                Ok(branches) if skipped >= self.choice || !candidate.part.solved.is_empty() => {
                    return Ok(branches
                        .iter()
                        .map(|b| candidate.solve_for(index, x, &b.value, &b.conditions))
                        .collect());
                }
                Ok(_) => skipped += 1,
                // of a limit at infinity for one unknown nothing follows for another
                Err(error) => worst = error.into(),
            }
        }
        Err(worst)
    }

    /// Decides the guards and conditions of a part that depend on solved draws alone. Returns `None` if one fails.
    ///
    /// # Errors
    /// [`FibreObstacle::NoDensity`] if the part lies at the border of the chart.
    fn place_in_chart(&self, part: FibrePart) -> Result<Option<FibrePart>, FibreObstacle> {
        let is_solved = |v: Variable| part.solved.iter().any(|(own, _)| *own == v);
        let mut is_at_border = false;
        for (guard, holds) in self.chart.border_guards(&is_solved) {
            let graph = guard.graph.substitute(&part.solved);
            if !graph.free_variables().is_empty() {
                continue;
            }
            match decide_sign(&graph, self.budget) {
                Ok(Ordering::Equal) => is_at_border |= is_border(&guard, holds),
                Ok(sign) if guard.test.is_satisfied_by(sign) == holds => {}
                Ok(_) => return Ok(None),
                Err(_) => return Err(FibreObstacle::Unknown(UNDECIDED)),
            }
        }
        // conditions on free draws stay, and become guards of the integral
        let mut open = Vec::new();
        for condition in part.conditions {
            if !condition.free_variables().is_empty() {
                open.push(condition);
                continue;
            }
            match decide_sign(&condition, self.budget) {
                Ok(Ordering::Greater) => {}
                Ok(Ordering::Less) => return Ok(None),
                Ok(Ordering::Equal) => is_at_border = true,
                Err(_) => return Err(FibreObstacle::Unknown(UNDECIDED)),
            }
        }
        match is_at_border {
            true => Err(FibreObstacle::NoDensity(ChangeOfVariablesError::Border)),
            false => Ok(Some(FibrePart { solved: part.solved, conditions: open })),
        }
    }
}
