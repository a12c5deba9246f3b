//! Two quotients of ℝ: the circle ℝ/ℤ, and the irrational torus ℝ/(ℤ + √2ℤ).
//!
//! In the first quotient, an enclosure of a difference that contains no integer refutes a relation. In the second no
//! enclosure refutes, since ℤ + √2ℤ is dense: the relation is decided only if the difference is computed exactly in
//! ℚ(√2), and vacuous otherwise. The quotient topology of the irrational torus has two open sets only. Yet its
//! diffeology is not the one in which every function is a plot: the plots are the functions that lift.

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

/// The relation x ∼ y if x − y is an integer.
#[derive(Clone, Copy, Debug)]
pub struct Integers;

/// The relation x ∼ y if x − y = m + n·√2 for integers m and n.
#[derive(Clone, Copy, Debug)]
pub struct WithRootTwo;

/// Returns the circle ℝ/ℤ.
#[must_use]
pub fn circle() -> Quotient<Cartesian, Integers> {
    Quotient { space: Cartesian::whole(1), relation: Integers }
}

/// Returns the irrational torus ℝ/(ℤ + √2ℤ).
#[must_use]
pub fn irrational_torus() -> Quotient<Cartesian, WithRootTwo> {
    Quotient { space: Cartesian::whole(1), relation: WithRootTwo }
}

/// Returns √2.
#[must_use]
pub fn root_two() -> Graph {
    Graph::function(Function::Sqrt, &Graph::integer(2))
}

/// Returns x − y for points of the line, and 0 for points of other dimensions.
fn difference(x: &[Graph], y: &[Graph]) -> Graph {
    match (x, y) {
        ([x], [y]) => Graph::binary(Binary::Subtract, x, y),
        _ => Graph::integer(0),
    }
}

/// Adds the number `by` to all values of a plot.
fn shifted(space: &Cartesian, plot: &Plot, by: &Graph) -> Plot {
    let moved = |graphs: &Arc<[Graph]>| graphs.iter().map(|g| Graph::binary(Binary::Add, g, by)).collect();
    let pieces = plot.each(moved);
    space.piecewise(plot.domain(), vec![(Region::everything(), pieces)])
}

/// Tests whether a number is an integer. An enclosure without integers refutes it.
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

/// Draws an integer between −3 and 3.
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

    /// Observes sin 2πkx for k = 1, 2 or 3, which has period 1.
    fn observed(&self, space: &Cartesian, which: u64, plot: &Plot) -> Vec<(Region, Graph)> {
        let turn = Graph::binary(Binary::Multiply, &Graph::integer(2 + 2 * (which % 3) as i64), &Graph::pi());
        let wave = |g: Graph| Graph::function(Function::Sin, &Graph::binary(Binary::Multiply, &turn, &g));
        space.observed(0, plot).into_iter().map(|(region, g)| (region, wave(g))).collect()
    }
}

/// The relation x ∼ y if x − y is an integer, on the line over c-analytic sets.
impl Relation<Line, CAnalytic> for Integers {
    fn related(&self, _: &Line, x: &Graph, y: &Graph, trial: &Trial) -> Tried {
        is_integer(&Graph::binary(Binary::Subtract, x, y), trial)
    }

    /// Adds an integer to the plot on each side of a guard. The integers may differ: pieces of a piecewise analytic
    /// plot need not agree at the border.
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

/// The largest |n| for which m + n·√2 is compared with an enclosure; |m| may be 8 times as large. A choice.
const REACH: i64 = 8;

impl Relation<Cartesian> for WithRootTwo {
    fn related(&self, _: &Cartesian, x: &Vec<Graph>, y: &Vec<Graph>, trial: &Trial) -> Tried {
        let d = difference(x, y);
        // Both coefficients are unique, as √2 is irrational, so this decision is exact.
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
        // d − n·√2 lies in [a, b], which must contain an integer m. The first integer from a on is its ceiling.
        let found = (-REACH..=REACH).any(|n| {
            let (first, second) = (Rational::from(&low * n), Rational::from(&high * n));
            let (below, above) = if n < 0 { (second, first) } else { (first, second) };
            let (a, b) = (Rational::from(&lo - &above), Rational::from(&hi - &below));
            a.clone().ceil() <= b && a.abs() <= 8 * REACH
        });
        // The lattice is dense: an enclosure never refutes.
        Ok(if found { Verdict::Survived } else { Verdict::Vacuous })
    }

    fn moved(&self, space: &Cartesian, plot: &Plot, random: &mut Random) -> Plot {
        let many = Graph::binary(Binary::Multiply, &integer(random), &root_two());
        shifted(space, plot, &Graph::binary(Binary::Add, &integer(random), &many))
    }
}

/// The largest size, in bits, of a numerator or denominator in exact arithmetic. A choice: it bounds the time of
/// products.
const LARGEST: u32 = 4096;

/// The number a + b·√2 as the pair (a, b).
type Surd = (Rational, Rational);

/// Converts a closed graph to a + b·√2 with rational a and b. Returns `None` if exact arithmetic does not show this
/// form.
fn surd(g: &Graph) -> Option<Surd> {
    Surds::default().of(g)
}

/// The results by address of the node.
#[derive(Default)]
struct Surds(FxHashMap<usize, Option<Surd>>);

impl Surds {
    /// Converts a graph, with a memo. Returns `None` for numbers beyond [`LARGEST`].
    fn of(&mut self, g: &Graph) -> Option<Surd> {
        if let Some(done) = self.0.get(&g.address()) {
            return done.clone();
        }
        let small = |q: &Rational| q.numer().significant_bits().max(q.denom().significant_bits()) <= LARGEST;
        let found = deep(|| self.node(g)).filter(|(a, b)| small(a) && small(b));
        self.0.insert(g.address(), found.clone());
        found
    }

    /// Converts a graph whose root is any operation.
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
                        // (a + b√2)(c + d√2) = (ac + 2bd) + (ad + bc)√2
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
