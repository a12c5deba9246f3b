//! Counts: natural numbers known only as the value of a map.
//!
//! A draw from an unbounded set of natural numbers has a tail, all numbers from some number on. In a run the whole tail is
//! represented by a *count*: a map with values in ℕ. Sums and products of counts are counts, comparisons ask the oracle, and
//! `toReal` returns the map. Everything else, such as a recursion that counts down, has no rule for a count.

use super::PiecewiseUniverse;
use super::oracle::Oracle;
use crate::model::universe::RunResult;
use crate::pieces::{SignGuard, SignTest};
use crate::smooth::graph::{Binary, Graph};
use crate::syntax::constant::Constant;
use crate::value::{SourceId, UndefinedCause, UndefinedValue, Value, ValueError};

/// The constructor index that marks a count among variants: no declared type has so many constructors.
const COUNT_CONSTRUCTOR: usize = usize::MAX;

/// Builds a natural number that is known as the value of a map.
#[must_use]
pub fn count_value(graph: Graph) -> Value<Graph> {
    Value::variant_of(COUNT_CONSTRUCTOR, Value::Real(graph))
}

/// Returns the map of a count, or of a natural number; `None` for another value.
fn as_map(value: &Value<Graph>) -> Option<Graph> {
    match value {
        Value::Natural(n) => Some(Graph::rational((*n).into())),
        Value::Variant(COUNT_CONSTRUCTOR, map) => map.as_real().ok().cloned(),
        _ => None,
    }
}

impl<O: Oracle> PiecewiseUniverse<O> {
    /// Applies a constant of natural numbers if an argument is a count; `None` if none is, or if there is no rule.
    pub(super) fn apply_to_counts(&self, constant: Constant, arguments: &[Value<Graph>]) -> Option<RunResult<Self>> {
        if !arguments.iter().any(|value| matches!(value, Value::Variant(COUNT_CONSTRUCTOR, _))) {
            return None;
        }
        // for x > 0 a product of n factors x is exp (n log x); for x ≤ 0 the number n itself would be needed
        if let (Constant::NaturalPower, [Value::Real(x), n]) = (constant, arguments) {
            let n = as_map(n)?;
            let undecided = || ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Undecided, "^"));
            return Some(match self.compare_maps(x, &Graph::integer(0), SignTest::Positive) {
                Ok(true) => self.positive_power(x, &n).map(Value::Real),
                Ok(false) => Err(undecided()),
                Err(error) => Err(error),
            });
        }
        let maps: Vec<Graph> = arguments.iter().map(as_map).collect::<Option<_>>()?;
        let binary = |operation, x: &Graph, y: &Graph| Ok(count_value(Graph::binary(operation, x, y)));
        Some(match (constant, &maps[..]) {
            (Constant::ToReal, [x]) => Ok(Value::Real(x.clone())),
            (Constant::Add, [x, y]) => binary(Binary::Add, x, y),
            (Constant::NaturalProduct, [x, y]) => binary(Binary::Multiply, x, y),
            // truncated subtraction: 0 if the second is greater
            (Constant::Subtract, [x, y]) => {
                self.compare_maps(x, y, SignTest::NonNegative).and_then(|holds| match holds {
                    true => binary(Binary::Subtract, x, y),
                    false => Ok(Value::Natural(0)),
                })
            }
            (Constant::NaturalDifference, [x, y]) => {
                self.compare_maps(x, y, SignTest::NonNegative).and_then(|holds| match holds {
                    true => binary(Binary::Subtract, x, y),
                    false => Err(ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Domain, "-"))),
                })
            }
            (Constant::Equal, [x, y]) => self.compare_maps(x, y, SignTest::Zero).map(Value::from_bool),
            (Constant::NotEqual, [x, y]) => {
                self.compare_maps(x, y, SignTest::Zero).map(|holds| Value::from_bool(!holds))
            }
            (Constant::Less, [x, y]) => self.compare_maps(y, x, SignTest::Positive).map(Value::from_bool),
            (Constant::LessEqual, [x, y]) => self.compare_maps(y, x, SignTest::NonNegative).map(Value::from_bool),
            (Constant::Greater, [x, y]) => self.compare_maps(x, y, SignTest::Positive).map(Value::from_bool),
            (Constant::GreaterEqual, [x, y]) => self.compare_maps(x, y, SignTest::NonNegative).map(Value::from_bool),
            _ => return None,
        })
    }

    /// Asks whether the difference of two maps passes a test.
    fn compare_maps(&self, x: &Graph, y: &Graph, test: SignTest) -> Result<bool, ValueError> {
        self.ask_oracle(SignGuard::of_difference(x, y, test, SourceId::NOWHERE), false)
    }
}
