//! A model of one's own: what does a program cost? Its numbers are counted operations, in the value and in derivatives.
//! An evaluator is a [`Carrier`] of real numbers, [`RealArithmetic`] on it, and a [`ValueSemantics`]; all else comes with these.

use smoothish::function::Function::{Cos, Exp, Sin, Sqrt};
use smoothish::model::universe::{EvaluatorModel, RealArithmetic, RunResult, SemanticValue, ValueSemantics};
use smoothish::number::Rational;
use smoothish::session::Session;
use smoothish::syntax::constant::Constant::{self, *};
use smoothish::value::{Carrier, Value, ValueError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError, atomic};

/// A polynomial in ε₁, ε₂, … with εᵢ² = 0, one ε for each derivative: its coefficients but 0, by their monomials.
#[derive(Clone, Debug, Default)]
struct Number(BTreeMap<BTreeSet<u64>, f64>);

impl Carrier for Number {
    type Truth = bool;
    type Tangent = ();
}

fn term(epsilons: impl IntoIterator<Item = u64>, x: f64) -> Number {
    Number((x != 0.0).then(|| (epsilons.into_iter().collect(), x)).into_iter().collect())
}

/// How often each operation was done: for values, and for derivatives. Steps number the ε as well.
#[derive(Default)]
struct Counter(Mutex<BTreeMap<&'static str, [u64; 2]>>, atomic::AtomicU64);

impl Counter {
    fn counted(&self, operation: &'static str, for_derivative: bool, result: f64) -> f64 {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.entry(operation).or_default()[usize::from(for_derivative)] += 1;
        result
    }
    fn add(&self, a: &Number, b: &Number) -> Number {
        let mut sum = a.clone();
        for (epsilons, y) in &b.0 {
            let add = |x: &mut f64| *x = self.counted("+", !epsilons.is_empty(), *x + y);
            sum.0.entry(epsilons.clone()).and_modify(add).or_insert(*y);
        }
        sum
    }
    fn multiply(&self, a: &Number, b: &Number) -> Number {
        let pairs = a.0.iter().flat_map(|x| b.0.iter().map(move |y| (x, y)));
        pairs.filter(|((m, _), (n, _))| m.is_disjoint(n)).fold(Number::default(), |sum, ((m, x), (n, y))| {
            let xy = if *x == 1.0 || *y == 1.0 { x * y } else { self.counted("*", !(m | n).is_empty(), x * y) };
            self.add(&sum, &term(m | n, xy))
        })
    }
    /// f(x + d) = Σ f⁽ᵏ⁾(x)/k! dᵏ, where dᵏ is 0 in the end; the reciprocal for `/`.
    fn function(&self, f: Constant, x: &Number) -> Number {
        let (mut d, mut sum, mut power, mut k, mut factorial) = (x.clone(), term([], 0.0), term([], 1.0), 0, 1.0);
        let x = d.0.remove(&BTreeSet::new()).unwrap_or(0.0);
        while !power.0.is_empty() {
            let falling = |p: f64| (0..k).fold(x.powf(p - f64::from(k)), |y, i| y * (p - f64::from(i)));
            let derivative = match f {
                Elementary(Sin) => [x.sin(), x.cos(), -x.sin(), -x.cos()][k as usize % 4],
                Elementary(Cos) => [x.cos(), -x.sin(), -x.cos(), x.sin()][k as usize % 4],
                Elementary(Exp) => x.exp(),
                _ => falling(if f == Elementary(Sqrt) { 0.5 } else { -1.0 }),
            };
            let coefficient = term([], self.counted(f.name(), k > 0, derivative / factorial));
            sum = self.add(&sum, &self.multiply(&coefficient, &power));
            (power, factorial, k) = (self.multiply(&power, &d), factorial * f64::from(k + 1), k + 1);
        }
        sum
    }
}

impl RealArithmetic for Counter {
    type Real = Number;
    fn rational_constant(&self, value: &Rational) -> Number {
        term([], value.to_f64())
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Number]) -> Result<Number, ValueError> {
        Ok(match (constant, arguments) {
            (Add, [x, y]) => self.add(x, y),
            (Subtract, [x, y]) => self.add(x, &self.multiply(&term([], -1.0), y)),
            (Multiply, [x, y]) => self.multiply(x, y),
            (Divide, [x, y]) => self.multiply(x, &self.function(constant, y)),
            (_, [x]) => self.function(constant, x),
            _ => return self.missing_rule(constant),
        })
    }
}

impl ValueSemantics for Counter {
    type Mark = ();
    const NAME: &'static str = "counter";
    fn charge_step(&self) -> Result<(), ValueError> {
        let step = self.1.fetch_add(1, atomic::Ordering::Relaxed);
        if step < 100_000 { Ok(()) } else { Err(ValueError::TooManySteps { most: 100_000 }) }
    }
    fn has_operation(&self, constant: Constant) -> bool {
        matches!(constant, Add | Subtract | Multiply | Divide | Elementary(Sin | Cos | Exp | Sqrt) | Equal | Deriv)
    }
    fn apply_constant(self: &Arc<Self>, constant: Constant, (): (), x: &[SemanticValue<Self>]) -> RunResult<Self> {
        self.apply_first_order(constant, x).unwrap_or_else(|| {
            let epsilon = self.1.fetch_add(1, atomic::Ordering::Relaxed);
            let moved = self.add(x[1].as_real()?, &term([epsilon], 1.0));
            let result = x[0].as_function()?.apply(&Value::Real(moved))?.as_real()?.clone();
            let slope = |(mut e, x): (BTreeSet<u64>, f64)| e.remove(&epsilon).then_some((e, x));
            Ok(Value::Real(Number(result.0.into_iter().filter_map(slope).collect())))
        })
    }
}

/// How often a program does each operation: for its value, and for derivatives.
pub fn counted(program: &str) -> Result<BTreeMap<&'static str, [u64; 2]>, Box<dyn std::error::Error>> {
    let model = EvaluatorModel::new(Counter::default());
    model.evaluate_closed(&Session::new().infer(program)?.0)?;
    Ok(model.0.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
}

fn main() {
    for program in ["deriv (twice sin) 1", "normalize (3, 4)", "nthDeriv 4 (\\x => exp (sin x)) 0.3", "max 1 2"] {
        println!("{program}: {:?}", counted(program));
    }
}
