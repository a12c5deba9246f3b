//! Maps on plain `f64`: a tape of operations on numbered places, run forward for the value and backward for the gradient.
//!
//! Nothing is certain of these numbers; they are what an ordinary program would compute, at its speed, to train or to search
//! with. What is certain is asked of the same map by [`Map::doubles_slice`](super::map::Map::doubles_slice) and
//! [`Map::vjp`](super::map::Map::vjp).
//!
//! | what | how |
//! |---|---|
//! | equal parts | computed once, as in every [program](super::program) |
//! | sums of products | one operation; its factors are laid side by side where they can be |
//! | elementary functions | rounded correctly, so the same on every machine |
//! | `max`, `min`, `abs` where they tie | the first argument, the positive side: the rules of [`float`](crate::meaning::float) |
//! | a choice on its border | the second side |
//! | derivatives inside | written out by [reverse mode](super::reverse) beforehand |
//! | integrals, roots, optima, primitives from outside | none: [`TapeError`] |
//!
//! A run allocates nothing, so a [`Tape`] has room of its own and is run by one thread; clones share the operations.

mod certified;
mod lower;

pub use certified::Certified;

use crate::function::{Formula, Function, Step};
use crate::number::balls::{self, Middles};
use crate::number::double::{Double, nearest, nearest_planar, nearest_power};
use crate::smooth::graph::{Binary, Exponent, Unary};
use crate::smooth::program::Constant;
use std::sync::Arc;

/// Why a map has no tape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{construct} is not computed in plain f64; ask for an enclosure by `doubles_slice` or `vjp`")]
pub struct TapeError {
    /// What is in the way, as a noun phrase.
    pub construct: &'static str,
}

/// A place in the memory of a tape: inputs first, then constants, then results.
type Place = u32;

/// One operation; `out` is where its result goes.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Unary(Unary, Place),
    Binary(Binary, Place, Place),
    Power(Place, Exponent),
    /// The derivative of max, min, abs or signum at two numbers along two others.
    Slope(Kink, [Place; 2], [Place; 2]),
    /// The second place where the first is positive, otherwise the third.
    Select(Place, Place, Place),
    /// A sum of places and of products of places, by their number in the lists.
    Sum(u32),
}

/// An operation with a kink.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kink {
    Maximum,
    Minimum,
    Abs,
    Signum,
}

/// A sum of products.
#[derive(Clone, Debug)]
struct Sum {
    /// What is added as it is.
    terms: Box<[Place]>,
    products: Products,
}

/// The factors of a sum of products.
#[derive(Clone, Debug)]
enum Products {
    /// So many in a row, from two places on.
    Rows(Place, Place, u32),
    /// Wherever they are.
    Pairs(Box<[(Place, Place)]>),
}

impl Products {
    fn factors(&self) -> balls::Products<'_> {
        match self {
            Self::Rows(x, y, count) => balls::Products::Rows(*x as usize, *y as usize, *count as usize),
            Self::Pairs(pairs) => balls::Products::Pairs(pairs),
        }
    }
}

#[derive(Debug)]
struct Code {
    inputs: usize,
    outputs: Vec<Place>,
    /// Those behind the inputs.
    constants: Vec<Constant>,
    operations: Vec<(Operation, Place)>,
    sums: Vec<Sum>,
    places: usize,
    /// Whether it is defined only where the map is.
    exact: bool,
}

impl Code {
    /// Whether a place, or the row behind it, holds constants of the program: nobody asks for their cotangents.
    #[inline]
    fn is_constant(&self, place: Place) -> bool {
        (self.inputs..self.inputs + self.constants.len()).contains(&(place as usize))
    }
}

/// A map `ℝⁿ → ℝᵐ` on `f64`; see the [module](self).
#[derive(Clone, Debug)]
pub struct Tape {
    code: Arc<Code>,
    values: Vec<f64>,
    cotangents: Vec<f64>,
}

impl Tape {
    fn new(code: Code) -> Self {
        let mut values = vec![0.0; code.places];
        for (value, constant) in values[code.inputs..].iter_mut().zip(&code.constants) {
            *value = nearest_constant(constant);
        }
        let cotangents = vec![0.0; code.places];
        Self { code: Arc::new(code), values, cotangents }
    }

    /// n
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.code.inputs
    }

    /// m
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.code.outputs.len()
    }

    /// The same map on enclosures of one tier.
    #[must_use]
    pub fn certified<T: Middles>(&self, tier: T) -> Certified<T> {
        Certified::new(tier, &self.code)
    }

    /// The operations on numbers in a run forward and back, about.
    #[must_use]
    pub fn work(&self) -> u64 {
        let products = |sum: &Sum| match &sum.products {
            Products::Rows(_, _, count) => u64::from(*count),
            Products::Pairs(pairs) => pairs.len() as u64,
        };
        4 * (self.code.operations.len() as u64 + self.code.sums.iter().map(products).sum::<u64>())
    }

    /// How many operations a run executes; a sum of products is one.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.code.operations.len()
    }

    /// The value at x.
    ///
    /// # Panics
    /// Where x has not n numbers, or y not m.
    pub fn value(&mut self, x: &[f64], y: &mut [f64]) {
        self.forward(x);
        assert_eq!(y.len(), self.outputs(), "the value has another number of components");
        for (y, place) in y.iter_mut().zip(&self.code.outputs) {
            *y = self.values[*place as usize];
        }
    }

    /// `J(x)ᵗ·w`, in one sweep back; the value is computed on the way.
    ///
    /// # Panics
    /// Where x or the gradient has not n numbers, or w not m.
    pub fn vjp(&mut self, x: &[f64], w: &[f64], gradient: &mut [f64]) {
        self.forward(x);
        assert_eq!(w.len(), self.outputs(), "the cotangent has another number of components");
        self.cotangents.fill(0.0);
        for (w, place) in w.iter().zip(&self.code.outputs) {
            self.cotangents[*place as usize] += w;
        }
        self.backward();
        gradient.copy_from_slice(&self.cotangents[..self.code.inputs]);
    }

    /// The first component of the value, and its gradient.
    ///
    /// # Panics
    /// Where x or the gradient has not n numbers, or there is no component.
    pub fn gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> f64 {
        self.forward(x);
        let output = self.code.outputs[0] as usize;
        self.cotangents.fill(0.0);
        self.cotangents[output] = 1.0;
        self.backward();
        gradient.copy_from_slice(&self.cotangents[..self.code.inputs]);
        self.values[output]
    }

    /// The sum of the first component over rows of data, and its gradient in the inputs before them: a row stands for the
    /// last inputs, the parameters for those in front. This is the loss of a minibatch.
    ///
    /// # Panics
    /// Where the parameters are more than the inputs, the rows not whole, the gradient not as long as the parameters, or there
    /// is no component.
    pub fn batch(&mut self, parameters: &[f64], rows: &[f64], gradient: &mut [f64]) -> f64 {
        let (first, output) = (parameters.len(), self.code.outputs[0] as usize);
        let width = self.code.inputs - first;
        assert!(gradient.len() == first && rows.len().is_multiple_of(width.max(1)), "rows of another length");
        gradient.fill(0.0);
        self.values[..first].copy_from_slice(parameters);
        let mut sum = 0.0;
        for row in rows.chunks_exact(width.max(1)) {
            self.values[first..first + width].copy_from_slice(row);
            self.run();
            sum += self.values[output];
            self.cotangents.fill(0.0);
            self.cotangents[output] = 1.0;
            self.backward();
            gradient.iter_mut().zip(&self.cotangents).for_each(|(all, one)| *all += one);
        }
        sum
    }

    fn forward(&mut self, x: &[f64]) {
        self.values[..self.code.inputs].copy_from_slice(x);
        self.run();
    }

    fn run(&mut self) {
        let Self { code, values: v, .. } = self;
        for (operation, out) in &code.operations {
            let at = |place: Place| v[place as usize];
            v[*out as usize] = match *operation {
                Operation::Unary(f, x) => unary(f, at(x)),
                Operation::Binary(f, x, y) => binary(f, at(x), at(y)),
                Operation::Power(x, e) => power(at(x), e),
                Operation::Slope(kink, x, along) => {
                    let [a, b] = kink.slopes(at(x[0]), at(x[1]));
                    a * at(along[0]) + b * at(along[1])
                }
                Operation::Select(guard, then, otherwise) => at(if at(guard) > 0.0 { then } else { otherwise }),
                Operation::Sum(number) => {
                    let sum = &code.sums[number as usize];
                    let terms: f64 = sum.terms.iter().map(|term| at(*term)).sum();
                    terms
                        + match &sum.products {
                            Products::Rows(x, y, count) => dot(row(v, *x, *count), row(v, *y, *count)),
                            Products::Pairs(pairs) => pairs.iter().map(|(x, y)| at(*x) * at(*y)).sum(),
                        }
                }
            };
        }
    }

    /// Hands the cotangents of results on to what they are computed from, the last first. What is 0 is not handed on, so
    /// that a side that is not taken contributes nothing.
    fn backward(&mut self) {
        let Self { code, values: v, cotangents: g } = self;
        for (operation, out) in code.operations.iter().rev() {
            let w = g[*out as usize];
            if w == 0.0 {
                continue;
            }
            let at = |place: Place| v[place as usize];
            let mut hand = |place: Place, cotangent: f64| g[place as usize] += cotangent;
            match *operation {
                Operation::Unary(Unary::Negate, x) => hand(x, -w),
                Operation::Unary(Unary::Abs, x) => hand(x, w * Kink::Abs.slopes(at(x), 0.0)[0]),
                Operation::Unary(Unary::Signum, _) => {}
                Operation::Unary(Unary::Function(f), x) => hand(x, w * formula(f.slope(), &[at(x)], at(*out))),
                Operation::Binary(Binary::Add, x, y) => {
                    hand(x, w);
                    hand(y, w);
                }
                Operation::Binary(Binary::Subtract, x, y) => {
                    hand(x, w);
                    hand(y, -w);
                }
                Operation::Binary(Binary::Multiply, x, y) => {
                    hand(x, w * at(y));
                    hand(y, w * at(x));
                }
                Operation::Binary(Binary::Divide, x, y) => {
                    hand(x, w / at(y));
                    hand(y, -w * at(*out) / at(y));
                }
                Operation::Binary(Binary::Maximum, x, y) => hand(if at(x) >= at(y) { x } else { y }, w),
                Operation::Binary(Binary::Minimum, x, y) => hand(if at(x) <= at(y) { x } else { y }, w),
                Operation::Binary(Binary::Planar(f), x, y) => {
                    let [first, second] = f.slopes();
                    hand(x, w * formula(first, &[at(x), at(y)], at(*out)));
                    hand(y, w * formula(second, &[at(x), at(y)], at(*out)));
                }
                Operation::Power(x, e) => {
                    let [p, q] = [f64::from(e.numerator as i32), f64::from(e.denominator)];
                    let less = Exponent { numerator: e.numerator - i64::from(e.denominator), ..e };
                    if e.numerator != 0 {
                        hand(x, w * (p / q) * power(at(x), less));
                    }
                }
                Operation::Slope(kink, x, along) => {
                    let slopes = kink.slopes(at(x[0]), at(x[1]));
                    hand(along[0], w * slopes[0]);
                    hand(along[1], w * slopes[1]);
                }
                Operation::Select(guard, then, otherwise) => hand(if at(guard) > 0.0 { then } else { otherwise }, w),
                Operation::Sum(number) => {
                    let sum = &code.sums[number as usize];
                    sum.terms.iter().for_each(|term| hand(*term, w));
                    match &sum.products {
                        Products::Rows(x, y, count) => {
                            for (to, from) in [(*x, *y), (*y, *x)].into_iter().filter(|(to, _)| !code.is_constant(*to))
                            {
                                add_multiple(row_mut(g, to, *count), w, row(v, from, *count));
                            }
                        }
                        Products::Pairs(pairs) => {
                            for &(x, y) in pairs {
                                hand(x, w * at(y));
                                hand(y, w * at(x));
                            }
                        }
                    }
                }
            }
        }
    }
}

fn row(v: &[f64], from: Place, count: u32) -> &[f64] {
    &v[from as usize..][..count as usize]
}

fn row_mut(v: &mut [f64], from: Place, count: u32) -> &mut [f64] {
    &mut v[from as usize..][..count as usize]
}

/// How many sums run beside each other.
const LANES: usize = 8;

fn dot(x: &[f64], y: &[f64]) -> f64 {
    let (xs, x_rest) = x.as_chunks::<LANES>();
    let (ys, y_rest) = y.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for (x, y) in xs.iter().zip(ys) {
        for i in 0..LANES {
            lanes[i] += x[i] * y[i];
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    lanes.iter().sum::<f64>() + rest
}

/// `to += w·x`
fn add_multiple(to: &mut [f64], w: f64, x: &[f64]) {
    for (to, x) in to.iter_mut().zip(x) {
        *to += w * x;
    }
}

impl Kink {
    /// The partial derivatives at two numbers.
    fn slopes(self, x: f64, y: f64) -> [f64; 2] {
        let first = |wins: bool| if wins { [1.0, 0.0] } else { [0.0, 1.0] };
        match self {
            Self::Maximum => first(x >= y),
            Self::Minimum => first(x <= y),
            Self::Abs => [if x < 0.0 { -1.0 } else { 1.0 }, 0.0],
            Self::Signum => [0.0; 2],
        }
    }
}

fn unary(f: Unary, x: f64) -> f64 {
    match f {
        Unary::Negate => -x,
        Unary::Abs => x.abs(),
        Unary::Signum if x == 0.0 || x.is_nan() => x,
        Unary::Signum => x.signum(),
        Unary::Function(f) => nearest(f, x),
    }
}

fn binary(f: Binary, x: f64, y: f64) -> f64 {
    match f {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide => x / y,
        Binary::Planar(f) => nearest_planar(f, x, y),
        // NaN where one is
        Binary::Maximum | Binary::Minimum if x.is_nan() || y.is_nan() => f64::NAN,
        Binary::Maximum => {
            if x >= y {
                x
            } else {
                y
            }
        }
        Binary::Minimum => {
            if x <= y {
                x
            } else {
                y
            }
        }
    }
}

fn nearest_constant(constant: &Constant) -> f64 {
    let enclosure = constant.at(&Double);
    0.5 * enclosure.lo() + 0.5 * enclosure.hi()
}

/// x^(p/q): of a negative number where q is odd.
fn power(x: f64, e: Exponent) -> f64 {
    match (e.numerator, e.denominator) {
        (2, 1) => x * x,
        (3, 1) => x * x * x,
        (p, 1) => nearest_power(x, p as f64),
        (1, 2) => x.sqrt(),
        (p, q) => {
            let y = p as f64 / f64::from(q);
            match (x < 0.0, q % 2, p % 2) {
                (false, ..) => nearest_power(x, y),
                (true, 0, _) => f64::NAN,
                (true, _, 0) => nearest_power(-x, y),
                (true, ..) => -nearest_power(-x, y),
            }
        }
    }
}

/// A formula at x, where the function whose slope it is has the value y.
fn formula(formula: &Formula, x: &[f64], y: f64) -> f64 {
    formula.evaluate(&mut |step: Step<f64>| match step {
        Step::Argument(index) => x[index],
        Step::Y => y,
        Step::Number(p, q) => f64::from(p) / f64::from(q),
        Step::Pi => std::f64::consts::PI,
        Step::Negate(a) => -a,
        Step::Add(a, b) => a + b,
        Step::Subtract(a, b) => a - b,
        Step::Multiply(a, b) => a * b,
        Step::Divide(a, b) => a / b,
        Step::Square(a) => a * a,
        Step::Inverse(a) => 1.0 / a,
        Step::InverseRoot(a) => 1.0 / nearest(Function::Sqrt, a),
        Step::Of(f, a) => nearest(f, a),
    })
}
