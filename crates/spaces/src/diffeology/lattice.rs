//! Two quotients of ℝ: the circle ℝ/ℤ, and the irrational torus ℝ/(ℤ + √2ℤ).
//!
//! In the first, that two numbers are not related is seen on an enclosure of their difference that holds no integer. In the
//! second it never is, since ℤ + √2ℤ is dense; it is decided only where the difference is computed exactly in ℚ(√2), and
//! vacuous elsewhere. The quotient topology of the irrational torus has two open sets, and yet the diffeology is not the
//! one in which everything is a plot: the plots are those that lift.

use super::Tried;
use super::analytic::{CAnalytic, and, sides};
use super::cartesian::{Cartesian, Plot};
use super::omega::{Line, Pieces};
use super::quotient::{Quotient, Relation};
use super::real::enclosure;
use super::region::Region;
use super::space::Diffeology;
use crate::number::{Function, Rational};
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph, Operation, Unary};
use crate::smooth::map::Trial;
use crate::stack::deep;
use crate::verdict::Verdict;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// x ∼ y when x − y is an integer.
#[derive(Clone, Copy, Debug)]
pub struct Integers;

/// x ∼ y when x − y is m + n·√2 for integers m and n.
#[derive(Clone, Copy, Debug)]
pub struct WithRootTwo;

/// ℝ/ℤ
#[must_use]
pub fn circle() -> Quotient<Cartesian, Integers> {
    Quotient { space: Cartesian::whole(1), relation: Integers }
}

/// ℝ/(ℤ + √2ℤ)
#[must_use]
pub fn irrational_torus() -> Quotient<Cartesian, WithRootTwo> {
    Quotient { space: Cartesian::whole(1), relation: WithRootTwo }
}

/// √2
#[must_use]
pub fn root_two() -> Graph {
    Graph::function(Function::Sqrt, &Graph::integer(2))
}

fn difference(x: &[Graph], y: &[Graph]) -> Graph {
    match (x, y) {
        ([x], [y]) => Graph::binary(Binary::Subtract, x, y),
        _ => Graph::integer(0),
    }
}

fn shifted(space: &Cartesian, plot: &Plot, by: &Graph) -> Plot {
    let moved = |graphs: &Arc<[Graph]>| graphs.iter().map(|g| Graph::binary(Binary::Add, g, by)).collect();
    let pieces = plot.each(moved);
    space.piecewise(plot.domain(), vec![(Region::everything(), pieces)])
}

/// Whether a number is an integer: refuted by an enclosure that holds none.
fn is_integer(d: &Graph, trial: &Trial) -> Tried {
    if let Some(q) = d.as_rational() {
        return Ok(if q.is_integer() {
            Verdict::Survived
        } else {
            Verdict::refuted("the difference", q, "an integer")
        });
    }
    let e = enclosure(d, trial)?;
    let (true, Some(lo)) = (e.is_defined(), e.lo().to_rational()) else { return Ok(Verdict::Vacuous) };
    Ok(match *e.hi() < lo.ceil() {
        true => Verdict::refuted("the difference", e, "an integer"),
        false if e.is_within(&trial.eps) => Verdict::Survived,
        false => Verdict::Vacuous,
    })
}

fn integer(random: &mut Random) -> Graph {
    Graph::integer(random.below(7) as i64 - 3)
}

impl Relation<Cartesian> for Integers {
    fn related(&self, _: &Cartesian, x: &Vec<Graph>, y: &Vec<Graph>, trial: &Trial) -> Tried {
        is_integer(&difference(x, y), trial)
    }

    fn moved(&self, space: &Cartesian, plot: &Plot, random: &mut Random) -> Plot {
        shifted(space, plot, &integer(random))
    }

    /// sin 2πkx
    fn observed(&self, space: &Cartesian, which: u64, plot: &Plot) -> Vec<(Region, Graph)> {
        let turn = Graph::binary(Binary::Multiply, &Graph::integer(2 + 2 * (which % 3) as i64), &Graph::pi());
        let wave = |g: Graph| Graph::function(Function::Sin, &Graph::binary(Binary::Multiply, &turn, &g));
        space.observed(0, plot).into_iter().map(|(region, g)| (region, wave(g))).collect()
    }
}

/// The same numbers, over c-analytic sets.
impl Relation<Line, CAnalytic> for Integers {
    fn related(&self, _: &Line, x: &Graph, y: &Graph, trial: &Trial) -> Tried {
        is_integer(&Graph::binary(Binary::Subtract, x, y), trial)
    }

    /// Another integer is added on each side of a guard: nothing has to agree there.
    fn moved(&self, _: &Line, plot: &Pieces<Graph>, random: &mut Random) -> Pieces<Graph> {
        let mut parts = Vec::new();
        for side in sides(random, plot.domain.dimension()) {
            let by = integer(random);
            parts.extend(
                plot.parts
                    .iter()
                    .map(|(answers, g)| (and(answers, &vec![side.clone()]), Graph::binary(Binary::Add, g, &by))),
            );
        }
        Pieces { domain: plot.domain.clone(), parts }
    }
}

/// How large m and n are looked for.
const REACH: i64 = 8;

impl Relation<Cartesian> for WithRootTwo {
    fn related(&self, _: &Cartesian, x: &Vec<Graph>, y: &Vec<Graph>, trial: &Trial) -> Tried {
        let d = difference(x, y);
        if let Some((a, b)) = surd(&d) {
            let related = a.is_integer() && b.is_integer();
            return Ok(if related {
                Verdict::Survived
            } else {
                Verdict::refuted("the difference", format!("{a} + {b}·√2"), "m + n·√2")
            });
        }
        let e = enclosure(&d, trial)?;
        let root = enclosure(&root_two(), trial)?;
        let (Some(lo), Some(hi), true) = (e.lo().to_rational(), e.hi().to_rational(), e.is_defined()) else {
            return Ok(Verdict::Vacuous);
        };
        let (Some(low), Some(high), true) = (root.lo().to_rational(), root.hi().to_rational(), e.is_within(&trial.eps))
        else {
            return Ok(Verdict::Vacuous);
        };
        // d − n·√2 lies in [a, b], and in it there is an integer
        let found = (-REACH..=REACH).any(|n| {
            let (first, second) = (Rational::from(&low * n), Rational::from(&high * n));
            let (below, above) = if n < 0 { (second, first) } else { (first, second) };
            let (a, b) = (Rational::from(&lo - &above), Rational::from(&hi - &below));
            a.clone().ceil() <= b && a.abs() <= 8 * REACH
        });
        Ok(if found { Verdict::Survived } else { Verdict::Vacuous })
    }

    fn moved(&self, space: &Cartesian, plot: &Plot, random: &mut Random) -> Plot {
        let many = Graph::binary(Binary::Multiply, &integer(random), &root_two());
        shifted(space, plot, &Graph::binary(Binary::Add, &integer(random), &many))
    }
}

/// The most bits of a number that is computed exactly.
const LARGEST: u32 = 4096;

/// a + b·√2, by a and b.
type Surd = (Rational, Rational);

/// A closed graph as a + b·√2 with rational a and b, where arithmetic shows it to be that.
fn surd(g: &Graph) -> Option<Surd> {
    Surds::default().of(g)
}

/// The nodes of a graph that are done, by their addresses.
#[derive(Default)]
struct Surds(FxHashMap<usize, Option<Surd>>);

impl Surds {
    fn of(&mut self, g: &Graph) -> Option<Surd> {
        if let Some(done) = self.0.get(&g.address()) {
            return done.clone();
        }
        let small = |q: &Rational| q.numer().significant_bits().max(q.denom().significant_bits()) <= LARGEST;
        let found = deep(|| self.node(g)).filter(|(a, b)| small(a) && small(b));
        self.0.insert(g.address(), found.clone());
        found
    }

    fn node(&mut self, g: &Graph) -> Option<Surd> {
        match g.operation() {
            Operation::Rational(q) => Some(((**q).clone(), Rational::new())),
            Operation::Unary(Unary::Negate, a) => self.of(a).map(|(a, b)| (-a, -b)),
            Operation::Unary(Unary::Function(Function::Sqrt), a) if a.as_rational().is_some_and(|q| *q == 2) => {
                Some((Rational::new(), Rational::from(1)))
            }
            Operation::Binary(operation, left, right) => {
                let ((a, b), (c, d)) = (self.of(left)?, self.of(right)?);
                match operation {
                    Binary::Add => Some((a + c, b + d)),
                    Binary::Subtract => Some((a - c, b - d)),
                    Binary::Multiply => {
                        let rational = Rational::from(&a * &c) + Rational::from(&b * &d) * 2;
                        Some((rational, a * d + b * c))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
