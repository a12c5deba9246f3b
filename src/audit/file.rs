//! The JSON format of lists of steps, as tracers of other languages write it.
//!
//! ```json
//! {"format": "smoothish steps", "version": 1,
//!  "steps": [["input"], ["number", "1/3"], ["(<)", 0, 1], ["sqrt", 0], ["choose", 2, 0, 3], ["power", 4, "3/2"]]}
//! ```
//!
//! A step is the name of an operation and its operands, the indices of earlier steps:
//!
//! | step | value |
//! |---|---|
//! | `["input"]`, `["input", i]` | the variable; the i-th of several, from 0 |
//! | `["number", q]` | an exact number: an integer or a text `"p"` or `"p/q"` |
//! | `["power", x, q]` | x to an exact exponent |
//! | `["and", a, b]`, `["or", a, b]`, `["not", a]`, `["choose", a, x, y]` | of truth values |
//! | `["floor", x]` | the greatest integer not above x |
//! | `["refused", "why"]` | what the tracer cannot express: a function that uses it is not judged |
//! | `["sum", x, y, …]` (version 2) | the sum, in whatever order |
//! | `["dot", [x, …], [y, …]]` (version 2) | the sum of products, in whatever order |
//! | `["mod", x, y]`, `["rem", x, y]` (version 2) | what is left of x/y, with the sign of y, or of x |
//! | `["round", x]` (version 2) | x, rounded to another format |
//! | `["polygamma", x, n]` (version 2) | the n-th derivative of digamma |
//! | `["integral01", [step, …], x, …]` (version 2) | the integral over [0, 1] by `["input", 0]` of the last of these steps, of which the other inputs are x, … |
//! | `["firstRoot", [step, …], x, …]` (version 2) | the first root in [0, 1] of the last of these steps, from positive to negative; 1 if it is positive on all of it |
//! | `["sin", x]`, `["atan2", y, x]`, `["(+)", x, y]`, … | a constant of the language on real numbers: `max`, `(/)`, `(<)`, `(==)` |
//!
//! The last step is the value. Version 2 has four keys more, all of which may be missing:
//!
//! ```json
//! {"format": "smoothish steps", "version": 2,
//!  "steps": [["input", 0], ["number", "1/3"], ["(*)", 0, 1], ["exp", 2], ["round", 3]],
//!  "outputs": [4, 2],
//!  "dtypes": [null, "float32", "float32", "float32", "bfloat16"],
//!  "units": [null, null, null, 8, null],
//!  "places": {"texts": ["model.py:12 in `loss`"], "of": [null, null, 0, 0, 0]}}
//! ```
//!
//! | key | meaning | if missing |
//! |---|---|---|
//! | `outputs` | the steps that are the values, one or several | the last step |
//! | `dtypes` | for each step the format to which the program rounds it: `float64`, `float32`, `float16`, `bfloat16`; `null` for a step that is not rounded | no step is rounded |
//! | `units` | for each step how many unit roundoffs of its value, or of the sum of its terms' sizes, the result may be off; `null` for what the operation says: 1 for `+ - * /`, square roots and `round`, n-1 for a sum, n for a dot, 8 for other functions, 64 for gamma functions, 0 for choices and signs | `null` for each |
//! | `places` | `texts`, and for each step the index `of` one of them, or `null`: where in the source it stands | none are known |
//!
//! A function that a tracer writes as several steps has its own `units` at the last of them. Equal steps in different formats are
//! different steps.

use super::FloatFormat;
use super::noise::{RoundedProgram, StepRounding};
use crate::function::Function;
use crate::meaning::pap::steps::{StepError, StepFunctional, StraightLineProgram, StraightLineStep};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use serde_json::Value;
use std::sync::Arc;

/// The value of the key `format`.
const FORMAT_NAME: &str = "smoothish steps";
/// The newest supported version.
const FORMAT_VERSION: u64 = 2;
/// The size of the largest accepted text, in bytes. A choice: it bounds the memory of a hostile file, as the limits
/// below do.
pub const MOST_BYTES: usize = 1 << 24;
/// The greatest number of variables.
const MOST_INPUTS: u64 = 1 << 20;
/// The greatest length of a reason, in characters; longer ones are cut.
const MOST_WORDS: usize = 200;
/// The size of the largest number, in bytes.
const MOST_DIGITS: usize = 1 << 14;
/// The largest order of a polygamma function, which is that of the language.
const MOST_ORDER: u64 = 1000;

/// Parses a list of steps. Of several outputs the first is the value; formats and places are checked, and not kept.
///
/// # Errors
/// [`StepError`]: the text is not JSON of this shape, or the steps do not fit together.
pub fn parse_steps(text: &str) -> Result<StraightLineProgram, StepError> {
    let program = parse_program(text)?;
    let last = program.steps.len().saturating_sub(1);
    match &program.outputs[..] {
        [] => Ok(program.steps),
        [output] if *output == last => Ok(program.steps),
        [output, ..] => program.steps.with_value(*output),
    }
}

/// Parses a list of steps with the formats to which they are rounded.
///
/// # Errors
/// [`StepError`]: the text is not JSON of this shape, or the steps do not fit together.
pub fn parse_program(text: &str) -> Result<RoundedProgram, StepError> {
    let wrong = |reason: String| StepError { step: 0, reason };
    if text.len() > MOST_BYTES {
        return Err(wrong(format!("a file of {} bytes; at most {MOST_BYTES} are read", text.len())));
    }
    let object: Value = serde_json::from_str(text).map_err(|error| wrong(format!("no JSON: {error}")))?;
    if object.get("format").and_then(Value::as_str) != Some(FORMAT_NAME) {
        return Err(wrong(format!("expected an object with `\"format\": \"{FORMAT_NAME}\"`")));
    }
    let version = object.get("version").and_then(Value::as_u64);
    if !version.is_some_and(|version| (1..=FORMAT_VERSION).contains(&version)) {
        return Err(wrong(format!("expected `\"version\": 1` or `\"version\": {FORMAT_VERSION}`")));
    }
    let list = object.get("steps").and_then(Value::as_array);
    let mut steps = StraightLineProgram::default();
    for part in list.ok_or_else(|| wrong("expected a list as `steps`".to_owned()))? {
        let number = steps.len();
        let step = parse_step(part).map_err(|reason| StepError { step: number, reason })?;
        steps.push(step)?;
    }
    let outputs = match object.get("outputs") {
        None => steps.len().checked_sub(1).into_iter().collect(),
        Some(outputs) => parse_outputs(outputs, &steps)?,
    };
    let roundings = parse_roundings(&object, steps.len())?;
    let places = object.get("places").map_or(Ok(Vec::new()), |places| parse_places(places, steps.len()))?;
    Ok(RoundedProgram { steps, outputs, roundings, places })
}

/// Parses the list of outputs: numbers of steps whose values are numbers.
fn parse_outputs(outputs: &Value, steps: &StraightLineProgram) -> Result<Vec<usize>, StepError> {
    let index = |output: &Value| {
        let step = output.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|step| *step < steps.len());
        let step = step.ok_or_else(|| StepError {
            step: steps.len().saturating_sub(1),
            reason: format!("expected numbers of steps, below {}, as `outputs`", steps.len()),
        })?;
        match steps.is_number(step) {
            true => Ok(step),
            false => Err(StepError { step, reason: "an output is a number, not a truth value".to_owned() }),
        }
    };
    let list = outputs.as_array().filter(|list| !list.is_empty());
    let list = list.ok_or(StepError { step: 0, reason: "expected a list of steps as `outputs`".to_owned() })?;
    list.iter().map(index).collect()
}

/// Parses `dtypes` and `units`: how each step is rounded.
fn parse_roundings(object: &Value, count: usize) -> Result<Vec<Option<StepRounding>>, StepError> {
    let Some(dtypes) = object.get("dtypes") else {
        return match object.get("units") {
            None => Ok(vec![None; count]),
            Some(_) => {
                Err(StepError { step: 0, reason: "`units` are those of `dtypes`, which are missing".to_owned() })
            }
        };
    };
    let formats = list_for_steps("dtypes", dtypes, count)?;
    let units = object.get("units").map(|units| list_for_steps("units", units, count)).transpose()?;
    let rounding = |(step, format): (usize, &Value)| {
        let wrong = |reason: String| StepError { step, reason };
        let units = match units.map_or(&Value::Null, |units| &units[step]) {
            Value::Null => None,
            units => Some(
                units
                    .as_u64()
                    .and_then(|n| u32::try_from(n).ok())
                    .ok_or_else(|| wrong("expected null or a number of unit roundoffs in `units`".to_owned()))?,
            ),
        };
        match format {
            Value::Null => Ok(None),
            Value::String(name) => {
                let format: FloatFormat = truncate_name(name).parse().map_err(wrong)?;
                Ok(Some(StepRounding { format, units }))
            }
            _ => Err(wrong("expected null or the name of a format in `dtypes`".to_owned())),
        }
    };
    formats.iter().enumerate().map(rounding).collect()
}

/// Parses the places of the steps.
fn parse_places(places: &Value, count: usize) -> Result<Vec<Option<Arc<str>>>, StepError> {
    let wrong = |step: usize| {
        StepError {
        step,
        reason: "expected `\"places\": {\"texts\": [\"…\"], \"of\": [0, null, …]}`, an index of a text or null for each step"
            .to_owned(),
    }
    };
    let texts = places.get("texts").and_then(Value::as_array).ok_or_else(|| wrong(0))?;
    let cut = |text: &Value| Some(text.as_str()?.chars().take(MOST_WORDS).collect::<String>().into());
    let texts: Vec<Arc<str>> = texts.iter().map(cut).collect::<Option<_>>().ok_or_else(|| wrong(0))?;
    let of = list_for_steps("places.of", places.get("of").unwrap_or(&Value::Null), count)?;
    let place = |(step, index): (usize, &Value)| match index {
        Value::Null => Ok(None),
        index => {
            let text = index.as_u64().and_then(|n| texts.get(usize::try_from(n).ok()?));
            text.cloned().map(Some).ok_or_else(|| wrong(step))
        }
    };
    of.iter().enumerate().map(place).collect()
}

/// Returns the entries of a list that has one for each step.
fn list_for_steps<'v>(name: &str, list: &'v Value, count: usize) -> Result<&'v Vec<Value>, StepError> {
    list.as_array().filter(|list| list.len() == count).ok_or_else(|| StepError {
        step: 0,
        reason: format!("expected a list as `{name}`, with {count} entries, one for each step"),
    })
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
        "sum" => StraightLineStep::Sum(steps()?),
        "dot" => {
            let row = |row: &Value| row.as_array()?.iter().map(|x| usize::try_from(x.as_u64()?).ok()).collect();
            match operands {
                [xs, ys] => match (row(xs), row(ys)) {
                    (Some(xs), Some(ys)) => StraightLineStep::Dot(xs, ys),
                    _ => return Err("expected two lists of steps as operands of `dot`".to_owned()),
                },
                _ => return Err(taking(2)),
            }
        }
        "round" => match &steps()?[..] {
            [x] => StraightLineStep::Round(*x),
            _ => return Err(taking(1)),
        },
        "mod" | "rem" => match &steps()?[..] {
            [x, y] if name == "mod" => StraightLineStep::Modulo(*x, *y),
            [x, y] => StraightLineStep::Remainder(*x, *y),
            _ => return Err(taking(2)),
        },
        "polygamma" => match operands {
            [x, order] => {
                StraightLineStep::Constant(Constant::Elementary(parse_polygamma(order)?), vec![parse_step_index(x)?])
            }
            _ => return Err(taking(2)),
        },
        "integral01" | "firstRoot" => match operands {
            [Value::Array(body), operands @ ..] => {
                let functional = if name == "integral01" { StepFunctional::Integral } else { StepFunctional::Root };
                let mut program = StraightLineProgram::default();
                for part in body {
                    let inner = parse_step(part)?;
                    // a functional within one would be a text as deep as it is long
                    if matches!(inner, StraightLineStep::Functional(..)) {
                        return Err(format!("`{name}` of steps with an integral or a root of their own"));
                    }
                    program.push(inner).map_err(|error| format!("in `{name}`, {error}"))?;
                }
                let operands = operands.iter().map(parse_step_index).collect::<Result<_, _>>()?;
                StraightLineStep::Functional(functional, Arc::new(program), operands)
            }
            _ => return Err(format!("expected a list of steps as the first operand of `{name}`")),
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

/// Parses the order of a polygamma function: how often digamma is differentiated.
fn parse_polygamma(order: &Value) -> Result<Function, String> {
    let order = order.as_u64().filter(|n| *n <= MOST_ORDER).and_then(|n| u16::try_from(n).ok());
    let order = order.ok_or_else(|| format!("expected an order of `polygamma`, at most {MOST_ORDER}"))?;
    match Constant::from_name("digamma") {
        Some(Constant::Elementary(Function::Special(gamma, first))) => Ok(Function::Special(gamma, first + order)),
        _ => Err("`polygamma` is not known".to_owned()),
    }
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
