//! A model of one's own: what does a program cost? Its numbers are counted operations, in the value and in derivatives.
//!
//! A model in which all types are one set of values is a [`Universe`]; the functor, environments, closures and recursion
//! come with it. What the model has no rule for is refused by name.
//!
//! `cargo run --example own_model`

use smoothish::model::environment::Environment;
use smoothish::model::universe::{Closure, Evaluator, Universe};
use smoothish::model::{Place, Unsupported, interpret};
use smoothish::number::Rational;
use smoothish::syntax::constant::Constant;
use smoothish::theory::builtin;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A number with derivatives: `value + slope·ε`, the ε of the innermost derivative outermost.
#[derive(Clone)]
enum Number {
    Plain(f64),
    Dual(u64, Arc<(Number, Number)>),
}

#[derive(Clone)]
enum Value {
    Number(Number),
    Natural(u64),
    Truth(bool),
    Tuple(Vec<Value>),
    Variant(usize, Arc<Value>),
    Function(Arc<Closure<Counter>>),
}

/// What a run that goes wrong says.
type Error = &'static str;

/// How often each operation was done: for values, and for derivatives.
#[derive(Default)]
struct Counter {
    counts: Mutex<BTreeMap<&'static str, [u64; 2]>>,
    fresh: AtomicU64,
    steps: AtomicU64,
}

/// A program that takes more steps than this is given up: a recursion on natural numbers need not end.
const MOST_STEPS: u64 = 100_000;

impl Counter {
    fn count(&self, operation: &'static str, in_derivative: bool) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.entry(operation).or_default()[usize::from(in_derivative)] += 1;
    }

    /// `(tag, a, b)` with both numbers taken apart by the larger tag.
    fn split(a: &Number, b: &Number) -> Option<(u64, [Number; 2], [Number; 2])> {
        let tag = |n: &Number| if let Number::Dual(tag, _) = n { Some(*tag) } else { None };
        let outer = tag(a).max(tag(b))?;
        let parts = |n: &Number| match n {
            Number::Dual(tag, parts) if *tag == outer => [parts.0.clone(), parts.1.clone()],
            _ => [n.clone(), Number::Plain(0.0)],
        };
        Some((outer, parts(a), parts(b)))
    }

    fn add(&self, a: &Number, b: &Number, d: bool) -> Number {
        match (a, b) {
            // nothing is done to add nothing
            (Number::Plain(0.0), other) | (other, Number::Plain(0.0)) => other.clone(),
            (Number::Plain(x), Number::Plain(y)) => {
                self.count("+", d);
                Number::Plain(x + y)
            }
            _ => match Self::split(a, b) {
                Some((tag, [a, da], [b, db])) => dual(tag, self.add(&a, &b, d), self.add(&da, &db, true)),
                None => Number::Plain(f64::NAN),
            },
        }
    }

    fn multiply(&self, a: &Number, b: &Number, d: bool) -> Number {
        match (a, b) {
            (Number::Plain(0.0), _) | (_, Number::Plain(0.0)) => Number::Plain(0.0),
            (Number::Plain(1.0), other) | (other, Number::Plain(1.0)) => other.clone(),
            (Number::Plain(x), Number::Plain(y)) => {
                self.count("*", d);
                Number::Plain(x * y)
            }
            _ => match Self::split(a, b) {
                Some((tag, [a, da], [b, db])) => {
                    let slope = self.add(&self.multiply(&da, &b, true), &self.multiply(&a, &db, true), true);
                    dual(tag, self.multiply(&a, &b, d), slope)
                }
                None => Number::Plain(f64::NAN),
            },
        }
    }

    fn function(&self, f: Constant, x: &Number, d: bool) -> Number {
        match x {
            Number::Plain(x) => {
                self.count(f.name(), d);
                Number::Plain(match f {
                    Constant::Sin => x.sin(),
                    Constant::Cos => x.cos(),
                    Constant::Exp => x.exp(),
                    Constant::Sqrt => x.sqrt(),
                    _ => 1.0 / x,
                })
            }
            Number::Dual(tag, parts) => {
                let value = self.function(f, &parts.0, d);
                let times = |c: f64, n: &Number| self.multiply(&Number::Plain(c), n, true);
                let slope = match f {
                    Constant::Sin => self.function(Constant::Cos, &parts.0, true),
                    Constant::Cos => times(-1.0, &self.function(Constant::Sin, &parts.0, true)),
                    Constant::Exp => value.clone(),
                    Constant::Sqrt => times(0.5, &self.function(Constant::Divide, &value, true)),
                    _ => times(-1.0, &self.multiply(&value, &value, true)),
                };
                dual(*tag, value, self.multiply(&slope, &parts.1, true))
            }
        }
    }
}

fn dual(tag: u64, value: Number, slope: Number) -> Number {
    Number::Dual(tag, Arc::new((value, slope)))
}

fn number(value: &Value) -> Result<&Number, Error> {
    if let Value::Number(n) = value { Ok(n) } else { Err("not a number") }
}

impl Universe for Counter {
    type Value = Value;
    type Error = Error;
    type Mark = ();
    const NAME: &'static str = "counter";

    fn step(&self) -> Result<(), Error> {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed);
        if steps < MOST_STEPS { Ok(()) } else { Err("the program did not end within 100000 steps") }
    }
    fn unbound(&self) -> Error {
        "a free variable"
    }
    fn mark(&self, _: Constant, _: &Place) {}
    fn number(&self, value: &Rational) -> Value {
        Value::Number(Number::Plain(value.to_f64()))
    }
    fn natural(&self, value: u64) -> Value {
        Value::Natural(value)
    }
    fn truth(&self, value: bool) -> Value {
        Value::Truth(value)
    }
    fn tuple(&self, parts: Vec<Value>) -> Value {
        Value::Tuple(parts)
    }
    fn function(&self, closure: Closure<Self>) -> Value {
        Value::Function(Arc::new(closure))
    }
    fn admits(&self, constant: Constant) -> Result<(), Unsupported> {
        use Constant::*;
        match constant {
            Add | Subtract | Multiply | Divide | Sin | Cos | Exp | Sqrt | Power | Equal | Deriv => Ok(()),
            other => Err(Unsupported { model: Self::NAME, construct: format!("`{}`", other.name()) }),
        }
    }
    fn component(&self, tuple: &Value, index: usize) -> Result<Value, Error> {
        if let Value::Tuple(parts) = tuple {
            parts.get(index).cloned().ok_or("no such component")
        } else {
            Err("no tuple")
        }
    }
    fn decide(&self, condition: &Value) -> Result<bool, Error> {
        if let Value::Truth(b) = condition { Ok(*b) } else { Err("not a truth value") }
    }
    fn variant(&self, index: usize, argument: Value) -> Value {
        Value::Variant(index, Arc::new(argument))
    }
    fn split(&self, variant: &Value) -> Result<(usize, Value), Error> {
        if let Value::Variant(index, argument) = variant {
            Ok((*index, Value::clone(argument)))
        } else {
            Err("not a variant")
        }
    }
    fn apply(&self, function: &Value, argument: &Value) -> Result<Value, Error> {
        if let Value::Function(f) = function { f.apply(argument) } else { Err("not a function") }
    }
    fn side(&self, _: &Value, _: bool) -> Result<Value, Error> {
        Err("not an isomorphism")
    }
    fn operation(self: &Arc<Self>, constant: Constant, (): (), arguments: &[Value]) -> Result<Value, Error> {
        let minus = Number::Plain(-1.0);
        Ok(Value::Number(match (constant, arguments) {
            (Constant::Equal, [Value::Natural(a), Value::Natural(b)]) => return Ok(Value::Truth(a == b)),
            (Constant::Subtract, [Value::Natural(a), Value::Natural(b)]) => {
                return Ok(Value::Natural(a.saturating_sub(*b)));
            }
            (Constant::Add, [x, y]) => self.add(number(x)?, number(y)?, false),
            (Constant::Subtract, [x, y]) => self.add(number(x)?, &self.multiply(&minus, number(y)?, false), false),
            (Constant::Multiply, [x, y]) => self.multiply(number(x)?, number(y)?, false),
            (Constant::Divide, [x, y]) => {
                self.multiply(number(x)?, &self.function(Constant::Divide, number(y)?, false), false)
            }
            (Constant::Power, [x, Value::Number(Number::Plain(n))]) if *n >= 1.0 && n.fract() == 0.0 => {
                (1..*n as u32).try_fold(number(x)?.clone(), |y, _| Ok(self.multiply(&y, number(x)?, false)))?
            }
            (Constant::Deriv, [f, x]) => {
                let tag = self.fresh.fetch_add(1, Ordering::Relaxed);
                let moving = Value::Number(dual(tag, number(x)?.clone(), Number::Plain(1.0)));
                match number(&self.apply(f, &moving)?)? {
                    Number::Dual(found, parts) if *found == tag => parts.1.clone(),
                    _ => Number::Plain(0.0),
                }
            }
            (f, [x]) => self.function(f, number(x)?, false),
            _ => return Err("an operation that the counter does not have"),
        }))
    }
}

/// How often a program does each operation: for its value, and for derivatives.
pub fn counted(program: &str) -> Result<BTreeMap<&'static str, [u64; 2]>, Box<dyn std::error::Error>> {
    let theories = builtin::load().map_err(|e| e.render())?;
    let (term, ty) = theories.library().infer_expression(program)?;
    let model = Evaluator::new(Counter::default());
    let arrow = interpret(&model, &[], &term, &ty)?;
    arrow.run(&model.0, &Environment::default())?;
    let counts = model.0.counts.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(counts.clone())
}

fn main() {
    for program in [
        "twice sin 1",
        "deriv (twice sin) 1",
        "normalize (3, 4)",
        "deriv (\\x => (normalize (x, 4))[0]) 3",
        "nthDeriv 2 (\\x => exp (sin x)) 0.3",
        "nthDeriv 4 (\\x => exp (sin x)) 0.3",
        "brightness (1/2)",
        "let rec f (n : Nat) : Real = f n in f 1",
    ] {
        println!("{program}");
        match counted(program) {
            Ok(counts) => counts.into_iter().for_each(|(operation, [values, derivatives])| {
                println!("    {operation:<6} {values:>5} for the value {derivatives:>5} for derivatives");
            }),
            Err(error) => println!("    {error}"),
        }
    }
}
