//! What a program that samples is supported on: charts of several dimensions ([Lew et al. 2021](crate::refs::LEW_2021), W App. A.2).
//!
//! A program of type `P (Real * … * Real)` is run along its paths, and each is a chart: the set of draws that follow it, in ℝᵈ, the
//! *embedding* that the value is there, and a density. So `do { t <- sample (uniformOn 0 1); return (t, t) }` is a segment in the plane, and
//! a program that chooses between it and a point has a chart of dimension 1 and one of dimension 0, an atom. With respect to the sum
//! of the Hausdorff measures Hᵈ the density at T(z) is p(z)/√det(TᵀT), with p that of the draws and T the slopes of the embedding.
//!
//! | here | W App. A.2 |
//! |---|---|
//! | [`SupportChart`] | a manifold of dimension d, and the restriction of the measure to it |
//! | [`SupportChart::value_draws`] | its coordinates: the draws that the value mentions; others are integrated over |
//! | [`ProgramSupport`] | Σ 1_{Aᵢ}·μ (W23) |

mod place;
mod search;
mod walk;

pub use place::{Preimage, Preimages, enclose_closed as closed};
pub use search::{EquationSystem, SystemRoots};
pub use walk::{SupportWalk, WalkEnd, WalkedRun};

use super::MeasureError;
use super::distribution::{Distribution, add, multiply, negate, power, subtract};
use super::draws::{Draw, ExecutionPath};
use super::range::{enclose_range, half_line};
use super::slope::partial_derivative;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::RationalNormalForm;
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::term::Term;
use crate::value::SourceId;
use std::cmp::Ordering;
use std::sync::Arc;

/// A matrix of maps, by its rows.
pub type Matrix = Vec<Vec<Graph>>;

/// The most coordinates of a chart.
pub const MAX_DIMENSIONS: usize = 3;

/// A set of draws, and what the program makes of it.
#[derive(Clone, Debug)]
pub struct SupportChart {
    /// The draws, and what was decided of them.
    pub path: ExecutionPath,
    /// The weights of the scores.
    pub scores: Vec<Graph>,
    /// The embedding T: what the program gives.
    pub value: Vec<Graph>,
    /// What a map makes of the value; the value itself where there is none.
    pub image: Vec<Graph>,
    /// The Jacobian of the map at the value, as AD gives it: a row for each coordinate of the image.
    pub jacobian: Matrix,
}

/// The charts of a program.
#[derive(Clone, Debug)]
pub struct ProgramSupport {
    /// Those that may have a mass.
    pub charts: Vec<SupportChart>,
    /// The map as one of the coordinates of the value, where it asks no guard.
    pub global_map: Option<(Vec<Variable>, Vec<Graph>)>,
    /// Why there may be more than these charts, where that is so.
    pub missing_charts_reason: Option<&'static str>,
    /// Whether a score was not shown not to be negative.
    pub has_unproved_score: bool,
}

impl ProgramSupport {
    /// The charts of a program of type `P A`, A a number or a tuple of numbers, with what a map `A -> B` makes of them.
    ///
    /// # Errors
    /// [`MeasureError`]
    pub fn of_program(program: &Term, map: Option<&Term>, budget: &Arc<Budget>) -> Result<Self, MeasureError> {
        let mut walk = SupportWalk::new(program, map, budget)?;
        walk.follow_all()?;
        let mut support = walk.into_support();
        let forms = &mut RationalNormalForm::default();
        support.charts.iter_mut().for_each(|chart| chart.fix_constant_draws(forms));
        Ok(support)
    }
}

impl SupportChart {
    /// The draws that a map mentions, so that it varies with them.
    #[must_use]
    pub fn mentioned_draws(&self, maps: &[Graph]) -> Vec<Variable> {
        let own = self.path.coordinates().map(|x| x.variable);
        own.filter(|v| maps.iter().any(|map| map.depends_on(*v))).collect()
    }

    /// The coordinates of the chart.
    #[must_use]
    pub fn value_draws(&self) -> Vec<Variable> {
        self.mentioned_draws(&self.value)
    }

    /// The coordinates of its image: of a map that forgets draws, the others.
    #[must_use]
    pub fn image_draws(&self) -> Vec<Variable> {
        self.mentioned_draws(&self.image)
    }

    /// A draw with which a map does not vary, though it is mentioned, has some value in it.
    fn fix_constant_draws(&mut self, forms: &mut RationalNormalForm) {
        let ranges = self.draw_ranges();
        for maps in [&mut self.value, &mut self.image] {
            for map in maps.iter_mut() {
                for (v, range) in &ranges {
                    let is_flat = |slope: Graph| forms.normal_form(&slope).is_some_and(|fraction| fraction.is_zero());
                    if partial_derivative(map, *v).is_some_and(is_flat) {
                        *map = map.substitute(&[(*v, Graph::rational(inside(range)))]);
                    }
                }
            }
        }
    }

    /// Where the real draws lie, as far as guards of one draw that are affine in it tell.
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
                let border = -b / &a;
                let holds = |sign: Ordering| decided.guard.test.is_satisfied_by(sign) == decided.holds;
                let [above, below] = match a > 0 {
                    true => [holds(Ordering::Greater), holds(Ordering::Less)],
                    false => [holds(Ordering::Less), holds(Ordering::Greater)],
                };
                let side = match (above, below) {
                    (true, false) => from(&border),
                    (false, true) => to(&border),
                    _ => continue,
                };
                range = range.intersection(&side).unwrap_or(range);
            }
            (v, range)
        };
        own.map(narrowed).collect()
    }

    /// The slopes of maps in some draws.
    #[must_use]
    pub fn slope_matrix(maps: &[Graph], variables: &[Variable]) -> Matrix {
        let of = |map: &Graph| {
            let along = |v: &Variable| partial_derivative(map, *v).unwrap_or_else(|| Graph::integer(0));
            variables.iter().map(along).collect()
        };
        maps.iter().map(of).collect()
    }

    /// The path of the other draws where these are at a place, and what they bring: their densities there, and the weights.
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
        // where it lies may depend on the others
        ends.retain(|guard| path.coordinates().any(|x| guard.graph.depends_on(x.variable)));
        path.decisions.retain(|decided| {
            path.draws.iter().filter_map(Draw::coordinate).any(|(x, _)| decided.guard.graph.depends_on(x))
        });
        path.decisions.extend(ends.into_iter().map(|guard| GuardCondition { guard, holds: true, is_condition: true }));
        (path, factors)
    }

    /// The density of all draws of the path, with the weights: a map of the draws.
    #[must_use]
    pub fn draw_density(&self) -> Graph {
        let of = |draw: &Draw| match draw {
            Draw::Real(x) => x.distribution.density(&Graph::variable(x.variable)),
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => chance.clone(),
            Draw::Tail(..) => Graph::integer(1),
        };
        let factors = self.path.draws.iter().map(of).chain(self.scores.iter().cloned());
        factors.fold(Graph::integer(1), |product, factor| multiply(&product, &factor))
    }
}

/// How far a draw is from the ends of where it lies: questions that it passes where it lies.
pub fn end_guards(x: &Graph, distribution: &Distribution) -> impl Iterator<Item = SignGuard> + use<> {
    let tests =
        distribution.has_ends().map(|is_closed| if is_closed { SignTest::NonNegative } else { SignTest::Positive });
    let [left, right] = distribution.ends();
    let sides = [left.map(|a| subtract(x, &a)), right.map(|b| subtract(&b, x))];
    let guards = sides.into_iter().zip(tests).filter_map(|(side, test)| Some((side?, test)));
    guards.map(|(graph, test)| SignGuard::new(&graph, test, SourceId::NOWHERE))
}

/// A product of matrices.
#[must_use]
pub fn matrix_product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    let entry = |row: &Vec<Graph>, j: usize| {
        let terms = row.iter().zip(b).map(|(x, row)| multiply_simplified(x, &row[j]));
        terms.fold(Graph::integer(0), |sum, term| add(&sum, &term))
    };
    a.iter().map(|row| (0..columns).map(|j| entry(row, j)).collect()).collect()
}

fn multiply_simplified(x: &Graph, y: &Graph) -> Graph {
    let is_zero = |g: &Graph| g.as_rational().is_some_and(|q| *q == 0);
    if is_zero(x) || is_zero(y) { Graph::integer(0) } else { multiply(x, y) }
}

/// The determinant of a square matrix.
#[must_use]
pub fn determinant(a: &Matrix) -> Graph {
    let Some(first) = a.first() else { return Graph::integer(1) };
    let minor = |j: usize| -> Matrix {
        let row = |row: &Vec<Graph>| row.iter().enumerate().filter(|(i, _)| *i != j).map(|(_, x)| x.clone()).collect();
        a[1..].iter().map(row).collect()
    };
    let mut sum = Graph::integer(0);
    for (j, x) in first.iter().enumerate() {
        let term = multiply_simplified(x, &determinant(&minor(j)));
        sum = add(&sum, &if j % 2 == 0 { term } else { negate(&term) });
    }
    sum
}

/// det(AᵀA), which for one column is a sum of squares.
#[must_use]
pub fn gram_determinant(a: &Matrix) -> Graph {
    let columns = a.first().map_or(0, Vec::len);
    let dot = |i: usize, j: usize| {
        let terms = a
            .iter()
            .map(|row| if i == j { power(&row[i], &Rational::from(2)) } else { multiply_simplified(&row[i], &row[j]) });
        terms.fold(Graph::integer(0), |sum, term| add(&sum, &term))
    };
    if columns == a.len() {
        return power(&determinant(a), &Rational::from(2));
    }
    determinant(&(0..columns).map(|i| (0..columns).map(|j| dot(i, j)).collect()).collect())
}

/// All numbers from one on.
fn from(q: &Rational) -> Enclosure {
    let one = Graph::rational(q.clone());
    let v = Variable::fresh();
    enclose_range(&add(&one, &Graph::variable(v)), &[(v, half_line())], &Budget::unlimited())
}

/// All numbers up to one.
fn to(q: &Rational) -> Enclosure {
    let one = Graph::rational(q.clone());
    let v = Variable::fresh();
    enclose_range(&subtract(&one, &Graph::variable(v)), &[(v, half_line())], &Budget::unlimited())
}

/// A number inside of an interval.
fn inside(range: &Enclosure) -> Rational {
    let third = Rational::from((1, 3));
    match [range.lo().to_rational(), range.hi().to_rational()] {
        _ if *range.lo() < third && *range.hi() > third => third,
        [Some(a), Some(b)] => (a + b) / 2,
        [Some(a), None] => a + 1,
        [None, Some(b)] => b - 1,
        [None, None] => third,
    }
}
