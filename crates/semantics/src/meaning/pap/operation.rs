//! Operations: analytic on an open set, or forked into such operations.
//!
//! | operation | pieces | where it has no value |
//! |---|---|---|
//! | `abs x` | x for x ≥ 0, -x for x < 0 | |
//! | `max x y`, `min x y` | x for x ≥ y, or x ≤ y; else y | |
//! | `signum x` | 1, -1, and 0 at 0 | |
//! | `sqrt x`, `x ^ (p/q)`, q even | 0 at 0, with slope 0; else the root | x < 0 |
//! | `cbrt x`, `x ^ (p/q)`, q odd | 0 at 0, with slope 0; else the root | |
//! | `asin x`, `acos x`, `acosh x` | their values at the edges, with slope 0; else the function | beyond the edges |
//! | `x / y`, `x ^ (-n)` | | divisor 0 |
//! | `x ^ y` | | x ≤ 0 |
//! | `lgamma`, `digamma`, `polygamma n` | x > 0, and x ≤ 0 | 0, -1, -2, … |
//! | `tan x` | | odd multiples of π/2 |
//! | `atan2 y x` | x > 0; y = 0 < -x, where it is π; else | y = 0 = x |
//!
//! A derivative that is total where the function is (W18) needs a slope at the edges. It is 0 here; at a single point any number
//! is right.

use super::super::presheaf::constants::Graphs;
use super::oracle::Oracle;
use super::{NAME, Pieces, locked};
use crate::function::{Course, Edge, Function, Surface};
use crate::model::universe::Arithmetic;
use crate::number::Rational;
use crate::number::context::Planar;
use crate::pieces::guard::{Guard, Test};
use crate::smooth::graph::{Binary, Graph, Unary};
use crate::syntax::constant::Constant;
use crate::value::{Site, ValueError};

impl<O: Oracle> Pieces<O> {
    /// Decides on which piece of an operation a number lies.
    fn fork(&self, graph: &Graph, test: Test) -> Result<bool, ValueError> {
        self.asks(Guard::new(graph, test, Site::NOWHERE), false)
    }

    /// Applies a constant that is not analytic everywhere; `None` for a constant that is.
    pub(super) fn analytic(&self, constant: Constant, arguments: &[&Graph]) -> Option<Result<Graph, ValueError>> {
        Some(match (constant, arguments) {
            (Constant::Divide, [x, y]) => self.quotient(x, y),
            (Constant::Power | Constant::RealPower, [x, y]) => self.exponential(x, y),
            (Constant::Abs, [_]) if !self.oracle.hooks().forks_at_kinks() => return None,
            (Constant::Abs, [x]) => {
                self.either(Test::NonNegative, x, || (*x).clone(), || Graph::unary(Unary::Negate, x))
            }
            (Constant::Signum, [x]) => self.signum(x),
            (Constant::Max, [x, y]) => self.greater(x, y, x, y),
            (Constant::Min, [x, y]) => self.greater(y, x, x, y),
            (Constant::Elementary(f), [x]) => self.function(f, x),
            (Constant::Planar(f), [y, x]) => self.planar(f, y, x),
            _ => return None,
        })
    }

    fn either(
        &self,
        test: Test,
        x: &Graph,
        then: impl FnOnce() -> Graph,
        otherwise: impl FnOnce() -> Graph,
    ) -> Result<Graph, ValueError> {
        Ok(if self.fork(x, test)? { then() } else { otherwise() })
    }

    /// Returns `then` if x ≥ y, otherwise `otherwise`.
    fn greater(&self, x: &Graph, y: &Graph, then: &Graph, otherwise: &Graph) -> Result<Graph, ValueError> {
        let difference = Guard::between(x, y, Test::NonNegative, Site::NOWHERE);
        Ok(if self.asks(difference, false)? { then } else { otherwise }.clone())
    }

    fn signum(&self, x: &Graph) -> Result<Graph, ValueError> {
        Ok(Graph::integer(match (self.fork(x, Test::Positive)?, x) {
            (true, _) => 1,
            (false, x) if self.fork(x, Test::Zero)? => 0,
            (false, _) => -1,
        }))
    }

    fn quotient(&self, x: &Graph, y: &Graph) -> Result<Graph, ValueError> {
        self.demand("/", y, Test::Zero, false)?;
        Ok(Graph::binary(Binary::Divide, x, y))
    }

    /// Returns exp (y log x); fails unless x > 0.
    pub(super) fn exponential(&self, x: &Graph, y: &Graph) -> Result<Graph, ValueError> {
        self.demand("^", x, Test::Positive, true)?;
        let product = Graph::binary(Binary::Multiply, y, &Graph::function(Function::Log, x));
        Ok(Graph::function(Function::Exp, &product))
    }

    /// Returns `x ^ q` for a literal exponent.
    pub(super) fn power(&self, x: &Graph, q: &Rational) -> Result<Graph, ValueError> {
        let is_whole = *q.denom() == 1;
        // an even root: negative numbers are outside its domain
        if q.denom().is_even() {
            self.demand("^", x, Test::NonNegative, true)?;
        }
        // a pole at 0, or an edge at 0 for a fractional power; whole powers are analytic there
        if *q < 0 {
            self.demand("^", x, Test::Zero, false)?;
        } else if !is_whole && self.fork(x, Test::Zero)? {
            return Ok(Graph::integer(0));
        }
        match Graph::power(x, q) {
            Some(power) => Ok(power),
            None if self.fork(x, Test::Positive)? => self.exponential(x, &Graph::rational(q.clone())),
            // such a power of a number ≤ 0 may exist, but is not representable here
            None => Err(ValueError::Lacks {
                model: NAME,
                construct: format!("the power {q} of numbers that are not positive"),
            }),
        }
    }

    fn function(&self, f: Function, x: &Graph) -> Result<Graph, ValueError> {
        let row = f.row();
        let edge = |at: i8| Guard::between(x, &Graph::integer(at.into()), Test::Zero, Site::NOWHERE).graph;
        for (end, side) in [(row.domain.left, 1), (row.domain.right, -1)] {
            let beyond = |at: i8| match side {
                1 => edge(at),
                _ => Graph::unary(Unary::Negate, &edge(at)),
            };
            match end {
                Edge::None => {}
                Edge::Open(at) => self.demand(f.name(), &beyond(at), Test::Positive, true)?,
                Edge::Closed(at) => {
                    self.demand(f.name(), &beyond(at), Test::NonNegative, true)?;
                    // a fork, so that the edge is a piece of its own, where the slope is 0 (W18)
                    if self.fork(&edge(at), Test::Zero)? {
                        let value = f.exact(at.into()).and_then(Rational::from_f64);
                        return Ok(
                            value.map_or_else(|| Graph::function(f, &Graph::integer(at.into())), Graph::rational)
                        );
                    }
                }
            }
        }
        // singularities that are no ends of the domain
        match row.course {
            Course::Root(_) if row.domain.left == Edge::None && self.fork(x, Test::Zero)? => {
                return Ok(Graph::integer(0));
            }
            Course::Poles => self.demand(f.name(), &Graph::function(Function::Cos, x), Test::Zero, false)?,
            Course::RisingBranches | Course::ConvexBranches if !self.fork(x, Test::Positive)? => {
                let turns = Graph::binary(Binary::Multiply, &Graph::pi(), x);
                self.pole(f, x, &Graph::function(Function::Sin, &turns))?;
            }
            _ => {}
        }
        Ok(Graph::function(f, x))
    }

    /// Fails at the poles of log Γ. A rational number is decided exactly, any other by the sine of π x.
    fn pole(&self, f: Function, x: &Graph, sine: &Graph) -> Result<(), ValueError> {
        let primal = locked(&self.primal).clone();
        match self.at_primal(x, &primal).as_rational() {
            Some(q) if q.is_integer() => self.demand(f.name(), &Graph::integer(0), Test::Zero, false),
            Some(_) => Ok(()),
            None => self.demand(f.name(), sine, Test::Zero, false),
        }
    }

    fn planar(&self, f: Planar, y: &Graph, x: &Graph) -> Result<Graph, ValueError> {
        let whole = || Graphs.real(Constant::Planar(f), &[y, x]);
        match f.row().surface {
            // on the ray y = 0 > x the formula jumps: a piece of its own, where the value is π
            Surface::Angle if self.fork(x, Test::Positive)? || !self.fork(y, Test::Zero)? => whole(),
            Surface::Angle => {
                self.demand(f.name(), x, Test::Zero, false)?;
                Ok(Graph::pi())
            }
        }
    }
}
