//! Counts: natural numbers known only as the value of a map.
//!
//! A draw from an unbounded set of natural numbers has a tail, all numbers from some number on. In a run the whole tail is
//! represented by a *count*: a map with values in ℕ. Sums and products of counts are counts, comparisons ask the oracle, and
//! `toReal` returns the map. Everything else, such as a recursion that counts down, has no rule for a count.

use super::Pieces;
use super::oracle::Oracle;
use crate::model::universe::Ran;
use crate::pieces::{Guard, Test};
use crate::smooth::graph::{Binary, Graph};
use crate::syntax::constant::Constant;
use crate::value::{Cause, Site, Undefined, Value, ValueError};

/// The constructor index that marks a count among variants: no declared type has so many constructors.
const COUNT: usize = usize::MAX;

/// Builds a natural number that is known as the value of a map.
#[must_use]
pub fn count(graph: Graph) -> Value<Graph> {
    Value::variant(COUNT, Value::Real(graph))
}

/// Returns the map of a count, or of a natural number; `None` for another value.
fn as_map(value: &Value<Graph>) -> Option<Graph> {
    match value {
        Value::Natural(n) => Some(Graph::rational((*n).into())),
        Value::Variant(COUNT, map) => map.as_real().ok().cloned(),
        _ => None,
    }
}

impl<O: Oracle> Pieces<O> {
    /// Applies a constant of natural numbers if an argument is a count; `None` if none is, or if there is no rule.
    pub(super) fn counted(&self, constant: Constant, arguments: &[Value<Graph>]) -> Option<Ran<Self>> {
        if !arguments.iter().any(|value| matches!(value, Value::Variant(COUNT, _))) {
            return None;
        }
        // for x > 0 a product of n factors x is exp (n log x); for x ≤ 0 the number n itself would be needed
        if let (Constant::NaturalPower, [Value::Real(x), n]) = (constant, arguments) {
            let n = as_map(n)?;
            let undecided = || ValueError::undefined(Undefined::of(Cause::Undecided, "^"));
            return Some(match self.compared(x, &Graph::integer(0), Test::Positive) {
                Ok(true) => self.exponential(x, &n).map(Value::Real),
                Ok(false) => Err(undecided()),
                Err(error) => Err(error),
            });
        }
        let maps: Vec<Graph> = arguments.iter().map(as_map).collect::<Option<_>>()?;
        let binary = |operation, x: &Graph, y: &Graph| Ok(count(Graph::binary(operation, x, y)));
        Some(match (constant, &maps[..]) {
            (Constant::ToReal, [x]) => Ok(Value::Real(x.clone())),
            (Constant::Add, [x, y]) => binary(Binary::Add, x, y),
            (Constant::NaturalProduct, [x, y]) => binary(Binary::Multiply, x, y),
            // truncated subtraction: 0 if the second is greater
            (Constant::Subtract, [x, y]) => self.compared(x, y, Test::NonNegative).and_then(|holds| match holds {
                true => binary(Binary::Subtract, x, y),
                false => Ok(Value::Natural(0)),
            }),
            (Constant::NaturalDifference, [x, y]) => {
                self.compared(x, y, Test::NonNegative).and_then(|holds| match holds {
                    true => binary(Binary::Subtract, x, y),
                    false => Err(ValueError::undefined(Undefined::of(Cause::Domain, "-"))),
                })
            }
            (Constant::Equal, [x, y]) => self.compared(x, y, Test::Zero).map(Value::truth),
            (Constant::NotEqual, [x, y]) => self.compared(x, y, Test::Zero).map(|holds| Value::truth(!holds)),
            (Constant::Less, [x, y]) => self.compared(y, x, Test::Positive).map(Value::truth),
            (Constant::LessEqual, [x, y]) => self.compared(y, x, Test::NonNegative).map(Value::truth),
            (Constant::Greater, [x, y]) => self.compared(x, y, Test::Positive).map(Value::truth),
            (Constant::GreaterEqual, [x, y]) => self.compared(x, y, Test::NonNegative).map(Value::truth),
            _ => return None,
        })
    }

    /// Asks whether the difference of two maps passes a test.
    fn compared(&self, x: &Graph, y: &Graph, test: Test) -> Result<bool, ValueError> {
        self.asks(Guard::between(x, y, test, Site::NOWHERE), false)
    }
}
