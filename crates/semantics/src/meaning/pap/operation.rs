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

use super::super::presheaf::constants::GraphArithmetic;
use super::oracle::Oracle;
use super::{NAME, PiecewiseUniverse, lock};
use crate::function::{BinaryShape, DomainEnd, Function, Monotonicity};
use crate::model::universe::RealArithmetic;
use crate::number::Rational;
use crate::number::context::Planar;
use crate::pieces::guard::{SignGuard, SignTest};
use crate::smooth::graph::{Binary, Graph, Unary};
use crate::syntax::constant::Constant;
use crate::value::{SourceId, ValueError};

impl<O: Oracle> PiecewiseUniverse<O> {
    /// Decides on which piece of an operation a number lies.
    fn decide_piece(&self, graph: &Graph, test: SignTest) -> Result<bool, ValueError> {
        self.ask_oracle(SignGuard::new(graph, test, SourceId::NOWHERE), false)
    }

    /// Applies a constant that is not analytic everywhere; `None` for a constant that is.
    pub(super) fn apply_analytic(&self, constant: Constant, arguments: &[&Graph]) -> Option<Result<Graph, ValueError>> {
        Some(match (constant, arguments) {
            (Constant::Divide, [x, y]) => self.divide(x, y),
            (Constant::Power | Constant::RealPower, [x, y]) => self.positive_power(x, y),
            (Constant::Abs, [_]) if !self.oracle.hooks().forks_at_kinks() => return None,
            (Constant::Abs, [x]) => {
                self.choose_by_test(SignTest::NonNegative, x, || (*x).clone(), || Graph::unary(Unary::Negate, x))
            }
            (Constant::Signum, [x]) => self.signum(x),
            (Constant::Max, [x, y]) => self.choose_by_order(x, y, x, y),
            (Constant::Min, [x, y]) => self.choose_by_order(y, x, x, y),
            (Constant::Elementary(f), [x]) => self.apply_elementary(f, x),
            (Constant::Planar(f), [y, x]) => self.apply_planar(f, y, x),
            _ => return None,
        })
    }

    fn choose_by_test(
        &self,
        test: SignTest,
        x: &Graph,
        then: impl FnOnce() -> Graph,
        otherwise: impl FnOnce() -> Graph,
    ) -> Result<Graph, ValueError> {
        Ok(if self.decide_piece(x, test)? { then() } else { otherwise() })
    }

    /// Returns `then` if x ≥ y, otherwise `otherwise`.
    fn choose_by_order(&self, x: &Graph, y: &Graph, then: &Graph, otherwise: &Graph) -> Result<Graph, ValueError> {
        let difference = SignGuard::of_difference(x, y, SignTest::NonNegative, SourceId::NOWHERE);
        Ok(if self.ask_oracle(difference, false)? { then } else { otherwise }.clone())
    }

    fn signum(&self, x: &Graph) -> Result<Graph, ValueError> {
        Ok(Graph::integer(match (self.decide_piece(x, SignTest::Positive)?, x) {
            (true, _) => 1,
            (false, x) if self.decide_piece(x, SignTest::Zero)? => 0,
            (false, _) => -1,
        }))
    }

    fn divide(&self, x: &Graph, y: &Graph) -> Result<Graph, ValueError> {
        self.require_test("/", y, SignTest::Zero, false)?;
        Ok(Graph::binary(Binary::Divide, x, y))
    }

    /// Returns exp (y log x); fails unless x > 0.
    pub(super) fn positive_power(&self, x: &Graph, y: &Graph) -> Result<Graph, ValueError> {
        self.require_test("^", x, SignTest::Positive, true)?;
        let product = Graph::binary(Binary::Multiply, y, &Graph::function(Function::Log, x));
        Ok(Graph::function(Function::Exp, &product))
    }

    /// Returns `x ^ q` for a literal exponent.
    pub(super) fn literal_power_of(&self, x: &Graph, q: &Rational) -> Result<Graph, ValueError> {
        let is_whole = *q.denom() == 1;
        // an even root: negative numbers are outside its domain
        if q.denom().is_even() {
            self.require_test("^", x, SignTest::NonNegative, true)?;
        }
        // a pole at 0, or an edge at 0 for a fractional power; whole powers are analytic there
        if *q < 0 {
            self.require_test("^", x, SignTest::Zero, false)?;
        } else if !is_whole && self.decide_piece(x, SignTest::Zero)? {
            return Ok(Graph::integer(0));
        }
        match Graph::power(x, q) {
            Some(power) => Ok(power),
            None if self.decide_piece(x, SignTest::Positive)? => self.positive_power(x, &Graph::rational(q.clone())),
            // such a power of a number ≤ 0 may exist, but is not representable here
            None => Err(ValueError::Unsupported {
                model: NAME,
                construct: format!("the power {q} of numbers that are not positive"),
            }),
        }
    }

    fn apply_elementary(&self, f: Function, x: &Graph) -> Result<Graph, ValueError> {
        let row = f.row();
        let edge =
            |at: i8| SignGuard::of_difference(x, &Graph::integer(at.into()), SignTest::Zero, SourceId::NOWHERE).graph;
        for (end, side) in [(row.domain.left, 1), (row.domain.right, -1)] {
            let beyond = |at: i8| match side {
                1 => edge(at),
                _ => Graph::unary(Unary::Negate, &edge(at)),
            };
            match end {
                DomainEnd::None => {}
                DomainEnd::Open(at) => self.require_test(f.name(), &beyond(at), SignTest::Positive, true)?,
                DomainEnd::Closed(at) => {
                    self.require_test(f.name(), &beyond(at), SignTest::NonNegative, true)?;
                    // a fork, so that the edge is a piece of its own, where the slope is 0 (W18)
                    if self.decide_piece(&edge(at), SignTest::Zero)? {
                        let value = f.exact_value(at.into()).and_then(Rational::from_f64);
                        return Ok(
                            value.map_or_else(|| Graph::function(f, &Graph::integer(at.into())), Graph::rational)
                        );
                    }
                }
            }
        }
        // singularities that are no ends of the domain
        match row.monotonicity {
            Monotonicity::Root(_) if row.domain.left == DomainEnd::None && self.decide_piece(x, SignTest::Zero)? => {
                return Ok(Graph::integer(0));
            }
            Monotonicity::Poles => {
                self.require_test(f.name(), &Graph::function(Function::Cos, x), SignTest::Zero, false)?
            }
            Monotonicity::IncreasingBranches | Monotonicity::ConvexBranches
                if !self.decide_piece(x, SignTest::Positive)? =>
            {
                let turns = Graph::binary(Binary::Multiply, &Graph::pi(), x);
                self.require_no_pole(f, x, &Graph::function(Function::Sin, &turns))?;
            }
            _ => {}
        }
        Ok(Graph::function(f, x))
    }

    /// Fails at the poles of log Γ. A rational number is decided exactly, any other by the sine of π x.
    fn require_no_pole(&self, f: Function, x: &Graph, sine: &Graph) -> Result<(), ValueError> {
        let primal = lock(&self.primal).clone();
        match self.substitute_primal(x, &primal).as_rational() {
            Some(q) if q.is_integer() => self.require_test(f.name(), &Graph::integer(0), SignTest::Zero, false),
            Some(_) => Ok(()),
            None => self.require_test(f.name(), sine, SignTest::Zero, false),
        }
    }

    fn apply_planar(&self, f: Planar, y: &Graph, x: &Graph) -> Result<Graph, ValueError> {
        let whole = || GraphArithmetic.apply_real_constant(Constant::Planar(f), &[y, x]);
        match f.row().shape {
            // on the ray y = 0 > x the formula jumps: a piece of its own, where the value is π
            BinaryShape::Angle
                if self.decide_piece(x, SignTest::Positive)? || !self.decide_piece(y, SignTest::Zero)? =>
            {
                whole()
            }
            BinaryShape::Angle => {
                self.require_test(f.name(), x, SignTest::Zero, false)?;
                Ok(Graph::pi())
            }
        }
    }
}
