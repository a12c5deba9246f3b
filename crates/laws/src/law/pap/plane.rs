//! Laws of pieces in several variables, on random programs ℝ² → ℝ² with half of their points on borders.
//!
//! A guard of a program compares an expression g with its own value at a drawn point q, `g < g(q)`, so that q lies on the border
//! exactly. Points are rational, and the programs are also evaluated here over ℚ, which shares nothing with the model.
//!
//! | law | statement |
//! |---|---|
//! | `cells_are_the_program` | a point lies on one piece alone, with the values of the program, or it lies on the frontier |
//! | `volumes_sum_up` | the volumes of the pieces and of the frontier are together that of the box |
//! | `samples_lie_alone` | the sample of a piece lies on it and on no other, and around one of full dimension all is the piece |
//! | `composites_in_the_plane` | the composite of two functions has the value of the second at the value of the first |

use super::{infer_term, work_budget};
use crate::meaning::pap::replay::ExplorationOptions;
use crate::measure::volume::enclose_volume;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::function::conditions_hold_at;
use crate::pieces::paving::box_volume;
use crate::pieces::{AnalyticPiece, PieceValue, PiecewiseMap};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::verdict::Verdict;
use crate::wrong::RuleSet;
use std::cmp::Ordering;
use std::fmt;

/// Half the side of the square on which programs are explored. A choice: it contains all drawn points.
const RADIUS: i64 = 2;
/// Half the side of the square on which the second function of a composite is explored. A choice: most values lie in it.
const OUTER_RADIUS: i64 = 32;
/// The number of points of a sample; half of them lie on borders, if there are any.
const POINTS: usize = 4;
/// The smallest distance, as a power of two, at which the neighbours of a sample are tried.
const NEAREST_BITS: u32 = 60;

/// An expression in the variables x and y.
#[derive(Clone, Debug)]
enum PlaneExpression {
    /// x is variable 0, y is variable 1.
    Variable(usize),
    Number(Rational),
    /// One of `+`, `-`, `*`, and its operands.
    Arithmetic(char, Box<[PlaneExpression; 2]>),
    /// |a - b|, for an expression a and a number b.
    Distance(Box<PlaneExpression>, Rational),
    /// A comparison sign, its two sides, and the branches for `true` and `false`.
    If(&'static str, Box<[PlaneExpression; 4]>),
}

use PlaneExpression::{Arithmetic, Distance, If, Number, Variable};

/// A function of two real numbers with two values. It prints as a program.
#[derive(Clone, Debug)]
pub struct PlaneProgram([PlaneExpression; 2]);

/// A program with points, half of them on its borders.
#[derive(Clone, Debug)]
pub struct PlaneSample {
    /// The program.
    pub program: PlaneProgram,
    /// The points.
    pub points: Vec<[Rational; 2]>,
}

/// A generator of programs, which also records points on their borders.
struct PlaneGenerator {
    random: SplitMix64,
    border_points: Vec<[Rational; 2]>,
}

impl PlaneGenerator {
    /// Draws a number in [-2, 2] with a denominator of at most 3.
    fn draw_number(&mut self) -> Rational {
        let denominator = 1 + self.random.next_below(3) as i64;
        let most = RADIUS * denominator;
        Rational::from((self.random.next_below(2 * most as usize + 1) as i64 - most, denominator))
    }

    fn draw_point(&mut self) -> [Rational; 2] {
        [self.draw_number(), self.draw_number()]
    }

    /// Draws a polynomial of degree at most two that depends on a variable, and a number that is its value at a point. The point is
    /// recorded.
    fn draw_border(&mut self) -> (PlaneExpression, Rational) {
        let leaf = |maker: &mut Self| match maker.random.random_bool(75) {
            true => Variable(maker.random.next_below(2)),
            false => Number(maker.draw_number()),
        };
        let first = Variable(self.random.next_below(2));
        let signs = [*self.random.pick(&['+', '-', '*']), *self.random.pick(&['+', '-'])];
        let inner = Arithmetic(signs[0], Box::new([first, leaf(self)]));
        let g = Arithmetic(signs[1], Box::new([inner, leaf(self)]));
        let point = self.draw_point();
        let value = g.eval(&point);
        self.border_points.push(point);
        (g, value)
    }

    fn draw_expression(&mut self, depth: u32) -> PlaneExpression {
        if depth == 0 {
            let is_variable = self.random.random_bool(65);
            return if is_variable { Variable(self.random.next_below(2)) } else { Number(self.draw_number()) };
        }
        let two = |maker: &mut Self| [maker.draw_expression(depth - 1), maker.draw_expression(depth - 1)];
        match self.random.next_below(8) {
            0 | 1 => Arithmetic(*self.random.pick(&['+', '-']), Box::new(two(self))),
            2 => Arithmetic('*', Box::new(two(self))),
            3 => {
                let (g, value) = self.draw_border();
                Distance(Box::new(g), value)
            }
            _ => {
                let sign = *self.random.pick(&["<", "<=", ">", ">=", "==", "/="]);
                let (g, value) = self.draw_border();
                let [then, otherwise] = two(self);
                If(sign, Box::new([g, Number(value), then, otherwise]))
            }
        }
    }
}

/// Draws a program and its points from a stream of random numbers.
#[must_use]
pub fn draw_plane_sample(random: SplitMix64) -> PlaneSample {
    let mut maker = PlaneGenerator { random, border_points: Vec::new() };
    let program = PlaneProgram([maker.draw_expression(2), maker.draw_expression(1)]);
    let borders = maker.border_points.clone();
    let points = (0..POINTS).map(|index| match index % 2 == 0 && !borders.is_empty() {
        true => maker.random.pick(&borders).clone(),
        false => maker.draw_point(),
    });
    let points = points.collect();
    PlaneSample { program, points }
}

impl PlaneExpression {
    fn eval(&self, at: &[Rational; 2]) -> Rational {
        match self {
            Variable(axis) => at[*axis].clone(),
            Number(q) => q.clone(),
            Arithmetic(sign, parts) => {
                let (a, b) = (parts[0].eval(at), parts[1].eval(at));
                match sign {
                    '+' => a + b,
                    '-' => a - b,
                    _ => a * b,
                }
            }
            Distance(a, b) => (a.eval(at) - b).abs(),
            If(sign, parts) => {
                let order = parts[0].eval(at).cmp(&parts[1].eval(at));
                let holds = match *sign {
                    "<" => order == Ordering::Less,
                    "<=" => order != Ordering::Greater,
                    ">" => order == Ordering::Greater,
                    ">=" => order != Ordering::Less,
                    "==" => order == Ordering::Equal,
                    _ => order != Ordering::Equal,
                };
                parts[if holds { 2 } else { 3 }].eval(at)
            }
        }
    }
}

impl fmt::Display for PlaneExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variable(axis) => f.write_str(["x", "y"][*axis]),
            Number(q) => write!(f, "({q} : Real)"),
            Arithmetic(sign, parts) => write!(f, "({} {sign} {})", parts[0], parts[1]),
            Distance(a, b) => write!(f, "abs ({a} - ({b} : Real))"),
            If(sign, parts) => {
                write!(f, "(if {} {sign} {} then {} else {})", parts[0], parts[1], parts[2], parts[3])
            }
        }
    }
}

impl PlaneProgram {
    /// Returns the values at a point.
    #[must_use]
    pub fn eval(&self, at: &[Rational; 2]) -> [Rational; 2] {
        self.0.each_ref().map(|part| part.eval(at))
    }
}

impl fmt::Display for PlaneProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\\(x : Real) (y : Real) => ({}, {})", self.0[0], self.0[1])
    }
}

/// Explores a program on the square around 0, with `limit` pieces at most. Returns `None` if that fails.
fn explore_square(program: &PlaneProgram, radius: i64, limit: usize, rules: &RuleSet) -> Option<PiecewiseMap> {
    let exploration = ExplorationOptions {
        hooks: rules.pieces_hooks(),
        unfolding_limit: None,
        limit,
        max_steps: 5_000,
        budget: work_budget(),
    };
    let domain = [(); 2].map(|()| [-radius, radius].map(Rational::from));
    exploration.explore_box(&infer_term(&program.to_string())?, &domain, true).ok().map(|found| found.pap)
}

/// Compares the pieces at a point with the values of a program there. A point on no piece is no claim if there is a frontier.
fn check_values(
    map: &PiecewiseMap,
    point: &[Rational; 2],
    expected: &[Rational; 2],
    at: &dyn Fn() -> String,
) -> Verdict {
    let (pieces, decided) = map.pieces_at(point, &work_budget());
    let piece = match &pieces[..] {
        [piece] => piece,
        [] if !decided || !map.frontier.is_empty() => return Verdict::Vacuous,
        several => return Verdict::refuted(at(), "1 piece", format!("{} pieces", several.len())),
    };
    let bindings: Vec<_> = map.variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect();
    let PieceValue::Values(values) = piece.outcome.substitute(&bindings) else {
        return Verdict::refuted(at(), format!("{expected:?}"), "no value");
    };
    let found: Vec<_> = values.iter().filter_map(|value| value.as_rational().cloned()).collect();
    match found == expected {
        true => Verdict::Survived,
        false => Verdict::refuted(at(), format!("{expected:?}"), format!("{found:?}")),
    }
}

/// Tests that each point lies on one piece alone, which has the values of the program there.
pub(super) fn cells_are_the_program(random: SplitMix64, rules: &RuleSet) -> Verdict {
    let PlaneSample { program, points } = draw_plane_sample(random);
    let Some(map) = explore_square(&program, RADIUS, 40, rules) else { return Verdict::Vacuous };
    points.iter().fold(Verdict::Vacuous, |all, point| {
        all.and(check_values(&map, point, &program.eval(point), &|| format!("{point:?} in {program}")))
    })
}

/// Tests that the volumes of pieces and frontier add up to that of the box.
pub(super) fn volumes_sum_up(mut random: SplitMix64, rules: &RuleSet) -> Verdict {
    // a low limit of pieces, so that the frontier is often not empty
    let limit = 1 + random.next_below(4);
    let PlaneSample { program, .. } = draw_plane_sample(random);
    let Some(map) = explore_square(&program, RADIUS, limit, rules) else { return Verdict::Vacuous };
    let Some(domain) = map.domain.as_deref() else { return Verdict::Vacuous };
    let (eps, whole) = (Rational::from((1, 1_000)), box_volume(domain));
    let mut sum = [Rational::new(), map.frontier.iter().map(|part| part.size_bound.clone()).sum()];
    for piece in &map.pieces {
        // not by what the other pieces leave: each volume by itself
        let found = enclose_volume(&piece.guards, &map.variables, domain, &eps, &work_budget());
        let Some([least, most]) = rational_ends(&found) else { return Verdict::Vacuous };
        sum[0] += least;
        sum[1] += most;
    }
    match sum[0] <= whole && whole <= sum[1] {
        true => Verdict::Survived,
        false => Verdict::refuted(&program, &whole, format!("[{}, {}]", sum[0], sum[1])),
    }
}

fn rational_ends(found: &Enclosure) -> Option<[Rational; 2]> {
    Some([found.lo().to_rational()?, found.hi().to_rational()?])
}

/// Tests that the sample of a piece lies on it alone. If the piece has full dimension there, some box around the sample lies on it.
pub(super) fn samples_lie_alone(random: SplitMix64, rules: &RuleSet) -> Verdict {
    let PlaneSample { program, .. } = draw_plane_sample(random);
    let Some(map) = explore_square(&program, RADIUS, 40, rules) else { return Verdict::Vacuous };
    let budget = work_budget();
    let mut all = Verdict::Vacuous;
    for (index, piece) in map.pieces.iter().enumerate() {
        let Some((sample, dimension)) = rules.pieces.sample_of(&map, piece) else { continue };
        let holds = |own: &AnalyticPiece, point: &[Rational]| {
            let at: Vec<_> = map.variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect();
            conditions_hold_at(&own.guards, &at, &budget)
        };
        for (other, own) in map.pieces.iter().enumerate() {
            all = all.and(match holds(own, &sample) {
                Some(found) if found == (other == index) => Verdict::Survived,
                None => Verdict::Vacuous,
                found => Verdict::refuted(format!("{sample:?} in {program}"), other == index, format!("{found:?}")),
            });
        }
        if dimension == map.variables.len() && !has_neighbours(&sample, &|point| holds(piece, point)) {
            let told = format!("{sample:?} in {program}");
            all = all.and(Verdict::refuted(told, "a neighbourhood in the piece", "none"));
        }
    }
    all
}

/// Returns `true` if all neighbours of a point along the axes satisfy a test, at some distance. An undecided one does.
fn has_neighbours(point: &[Rational], test: &dyn Fn(&[Rational]) -> Option<bool>) -> bool {
    (4..=NEAREST_BITS).step_by(8).any(|bits| {
        let step = Rational::from(1) >> bits;
        (0..2 * point.len()).all(|side| {
            let mut moved = point.to_vec();
            moved[side / 2] += Rational::from(&step * if side % 2 == 0 { 1 } else { -1 });
            test(&moved) != Some(false)
        })
    })
}

/// Tests that composing the pieces of two functions of the plane is composing the functions.
pub(super) fn composites_in_the_plane(mut random: SplitMix64, rules: &RuleSet) -> Verdict {
    let (first, second) = (SplitMix64::new(random.next()), SplitMix64::new(random.next()));
    let (inner, outer) = (draw_plane_sample(first), draw_plane_sample(second));
    let (f, g) = (&inner.program, &outer.program);
    let (Some(of_f), Some(of_g)) = (explore_square(f, RADIUS, 20, rules), explore_square(g, OUTER_RADIUS, 20, rules))
    else {
        return Verdict::Vacuous;
    };
    let budget: Budget = Budget::new(400_000, None, None);
    let finest = Rational::from(1) >> 40;
    let Some(composite) = rules.pieces.compose_pieces(&of_f, &of_g, &finest, &budget) else { return Verdict::Vacuous };
    let mut all = Verdict::Vacuous;
    for point in &inner.points {
        let between = f.eval(point);
        // a value outside of the second square lies on no piece
        if between.iter().any(|x| x.clone().abs() > OUTER_RADIUS) {
            continue;
        }
        let at = || format!("{point:?} in ({g}) after ({f})");
        all = all.and(check_values(&composite, point, &g.eval(&between), &at));
    }
    all
}
