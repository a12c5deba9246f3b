//! The JSON format of lists of steps, as tracers of other languages write it.
//!
//! ```json
//! {"format": "smoothish steps", "version": 1,
//!  "steps": [["input"], ["number", "1/3"], ["(<)", 0, 1], ["sqrt", 0], ["choose", 2, 0, 3], ["power", 4, "3/2"]]}
//! ```
//!
//! A step is the name of an operation and its operands, the indices of earlier steps. `input` is the variable; with
//! several variables `["input", i]` is the i-th, from 0. `number` is an exact number, an integer or a text `"p"` or
//! `"p/q"`, and `power` has such an exponent. `and`, `or`, `not` and `choose` work on truth values, `floor` on numbers.
//! `["refused", "why"]` stands for an operation that the tracer cannot express: a function that uses it is not judged.
//! All other names are constants of the language on real numbers: `sin`, `max`, `atan2`, `(+)`, `(/)`, `(<)`, `(==)`.
//! The last step is the value.

use crate::meaning::pap::steps::{StepError, StraightLineProgram, StraightLineStep};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use serde_json::Value;

/// The value of the key `format`.
const FORMAT_NAME: &str = "smoothish steps";
/// The supported version.
const FORMAT_VERSION: u64 = 1;
/// The size of the largest accepted text, in bytes. A choice: it bounds the memory of a hostile file, as the limits
/// below do.
pub const MOST_BYTES: usize = 1 << 24;
/// The greatest number of variables.
const MOST_INPUTS: u64 = 1 << 20;
/// The greatest length of a reason, in characters; longer ones are cut.
const MOST_WORDS: usize = 200;
/// The size of the largest number, in bytes.
const MOST_DIGITS: usize = 1 << 14;

/// Parses a list of steps.
///
/// # Errors
/// [`StepError`]: the text is not JSON of this shape, or the steps do not fit together.
pub fn parse_steps(text: &str) -> Result<StraightLineProgram, StepError> {
    let wrong = |reason: String| StepError { step: 0, reason };
    if text.len() > MOST_BYTES {
        return Err(wrong(format!("a file of {} bytes; at most {MOST_BYTES} are read", text.len())));
    }
    let object: Value = serde_json::from_str(text).map_err(|error| wrong(format!("no JSON: {error}")))?;
    if object.get("format").and_then(Value::as_str) != Some(FORMAT_NAME) {
        return Err(wrong(format!("expected an object with `\"format\": \"{FORMAT_NAME}\"`")));
    }
    if object.get("version").and_then(Value::as_u64) != Some(FORMAT_VERSION) {
        return Err(wrong(format!("expected `\"version\": {FORMAT_VERSION}`")));
    }
    let list = object.get("steps").and_then(Value::as_array);
    let mut steps = StraightLineProgram::default();
    for part in list.ok_or_else(|| wrong("expected a list as `steps`".to_owned()))? {
        let number = steps.len();
        let step = parse_step(part).map_err(|reason| StepError { step: number, reason })?;
        steps.push(step)?;
    }
    Ok(steps)
}

fn parse_step(part: &Value) -> Result<StraightLineStep, String> {
    let parts = part.as_array().and_then(|parts| parts.split_first());
    let named = parts.and_then(|(name, operands)| Some((name.as_str()?, operands)));
    let (name, operands) = named.ok_or("expected a list that begins with a name")?;
    let steps = || {
        let step = |operand: &Value| operand.as_u64().and_then(|n| usize::try_from(n).ok());
        let all: Option<Vec<_>> = operands.iter().map(step).collect();
        all.ok_or_else(|| format!("expected numbers of steps as operands of `{}`", truncate_name(name)))
    };
    let taking = |n: usize| format!("`{name}` takes {n} operands, found {}", operands.len());
    Ok(match name {
        "input" => match operands {
            [] => StraightLineStep::Input(0),
            [index] => StraightLineStep::Input(parse_variable(index)?),
            _ => return Err(taking(1)),
        },
        "floor" => match &steps()?[..] {
            [x] => StraightLineStep::Floor(*x),
            _ => return Err(taking(1)),
        },
        "refused" => match operands {
            [Value::String(why)] => StraightLineStep::Refused(why.chars().take(MOST_WORDS).collect()),
            _ => return Err("expected a text as operand of `refused`: why it is".to_owned()),
        },
        "number" => match operands {
            [q] => StraightLineStep::Number(parse_exact(q)?),
            _ => return Err(taking(1)),
        },
        "power" => match operands {
            [x, q] => StraightLineStep::Power(parse_step_index(x)?, parse_exact(q)?),
            _ => return Err(taking(2)),
        },
        "and" | "or" => match &steps()?[..] {
            [x, y] if name == "and" => StraightLineStep::And(*x, *y),
            [x, y] => StraightLineStep::Or(*x, *y),
            _ => return Err(taking(2)),
        },
        "not" => match &steps()?[..] {
            [x] => StraightLineStep::Not(*x),
            _ => return Err(taking(1)),
        },
        "choose" => match &steps()?[..] {
            [condition, x, y] => StraightLineStep::Choose(*condition, *x, *y),
            _ => return Err(taking(3)),
        },
        _ => {
            // Names of natural operations stand for those on real numbers: the format has no natural numbers.
            let constant =
                Constant::from_name(name).ok_or_else(|| format!("`{}` is not known", truncate_name(name)))?;
            StraightLineStep::Constant(constant.real_comparison().unwrap_or(constant), steps()?)
        }
    })
}

/// Parses the index of a variable.
fn parse_variable(index: &Value) -> Result<usize, String> {
    let index = index.as_u64().filter(|n| *n < MOST_INPUTS).and_then(|n| usize::try_from(n).ok());
    index.ok_or_else(|| format!("expected the number of a variable, less than {MOST_INPUTS}"))
}

/// Parses the index of a step.
fn parse_step_index(operand: &Value) -> Result<usize, String> {
    let number = operand.as_u64().and_then(|n| usize::try_from(n).ok());
    number.ok_or_else(|| "expected the number of a step".to_owned())
}

/// Parses an exact number, without building one that is too large or has the denominator 0.
fn parse_exact(q: &Value) -> Result<Rational, String> {
    let expected = || "expected an integer, or an exact number as text, \"p\" or \"p/q\"".to_owned();
    match (q.as_i64(), q.as_str()) {
        (Some(n), _) => Ok(n.into()),
        (None, Some(text)) if text.len() <= MOST_DIGITS => {
            let (over, under) = text.split_once('/').unwrap_or((text, "1"));
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            if !digits(over.strip_prefix('-').unwrap_or(over)) || !digits(under) || under.bytes().all(|b| b == b'0') {
                return Err(expected());
            }
            text.parse().map_err(|_| expected())
        }
        _ => Err(expected()),
    }
}

/// Truncates a name for a message.
fn truncate_name(name: &str) -> String {
    name.chars().take(40).collect()
}
