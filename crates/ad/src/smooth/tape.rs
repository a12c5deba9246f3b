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
//! | `max`, `min`, `abs` where they tie | the first argument, the positive side: the rules of `float` |
//! | a choice on its border | the second side |
//! | derivatives inside | written out by [reverse mode](super::reverse) beforehand |
//! | integrals, roots, optima, primitives from outside | none: [`TapeError`] |
//!
//! A run allocates nothing, so a [`Tape`] has room of its own and is run by one thread; clones share the operations.

mod carrier;
mod certified;
mod count;
mod hessian;
mod lower;
mod plain;
mod run;
mod series;

pub use certified::Certified;
pub use hessian::{EnclosedHessians, Hessians};
pub use series::Series;

use crate::number::balls::{self, Middles};
use crate::number::work;
use crate::smooth::graph::{Binary, Exponent, Graph, Unary, Variable};
use crate::smooth::program::Constant;
use plain::Plain;
use run::Run;
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

impl Sum {
    fn size(&self) -> usize {
        self.terms.len() + self.products.len()
    }
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
    fn len(&self) -> usize {
        match self {
            Self::Rows(_, _, count) => *count as usize,
            Self::Pairs(pairs) => pairs.len(),
        }
    }

    /// Each product, by the places of its factors.
    fn each(&self, mut product: impl FnMut(usize, usize)) {
        match self {
            Self::Rows(x, y, count) => (0..*count).for_each(|i| product((x + i) as usize, (y + i) as usize)),
            Self::Pairs(pairs) => pairs.iter().for_each(|(x, y)| product(*x as usize, *y as usize)),
        }
    }

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

    /// Whether it computes every part of the map at every point: nothing is chosen.
    fn is_straight(&self) -> bool {
        let chooses = |operation: &Operation| match operation {
            Operation::Slope(..) | Operation::Select(..) => true,
            Operation::Unary(f, _) => f.has_kink(),
            Operation::Binary(f, ..) => f.has_kink() || matches!(f, Binary::Planar(_)),
            Operation::Power(..) | Operation::Sum(_) => false,
        };
        !self.operations.iter().any(|(operation, _)| chooses(operation))
    }

    /// How many sums and products a run takes, at least.
    fn size(&self) -> usize {
        self.operations.len() + self.sums.iter().map(Sum::size).sum::<usize>()
    }
}

/// What a tape was made of: its maps, with derivatives written out.
#[derive(Debug)]
struct Formulas {
    inputs: Vec<Variable>,
    outputs: Vec<Graph>,
}

/// A map `ℝⁿ → ℝᵐ` on `f64`; see the [module](self).
#[derive(Clone, Debug)]
pub struct Tape {
    run: Run<Plain>,
    formulas: Arc<Formulas>,
}

impl Tape {
    fn new(code: Code, formulas: Arc<Formulas>) -> Self {
        Self { run: Run::new(Plain, &Arc::new(code)), formulas }
    }

    fn code(&self) -> &Code {
        &self.run.code
    }

    /// n
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.code().inputs
    }

    /// m
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.code().outputs.len()
    }

    /// The same map on enclosures of one tier.
    #[must_use]
    pub fn certified<T: Middles>(&self, tier: T) -> Certified<T> {
        Certified::new(tier, &self.run.code)
    }

    /// The second derivatives of the first component, on plain `f64`.
    #[must_use]
    pub fn hessians(&self) -> Hessians {
        Hessians::new(&self.run.code, &self.formulas)
    }

    /// Enclosures of them in one tier; nothing of a map that is large, or chooses, or has no component.
    #[must_use]
    pub fn enclosed_hessians<T: Middles>(&self, tier: T) -> Option<EnclosedHessians<T>> {
        EnclosedHessians::new(tier, &self.run.code, &self.formulas)
    }

    /// Taylor series up to an order, on plain `f64`: n derivatives for n² products, not 2ⁿ.
    #[must_use]
    pub fn series(&self, order: usize) -> Series {
        Series::new(&self.run.code, order)
    }

    /// What a run forward and back costs at a precision, in the units of a [budget](crate::number::budget), about.
    #[must_use]
    pub fn work(&self, bits: u32) -> u64 {
        let limbs = work::limbs(bits);
        let cost = |operation: &Operation| match operation {
            Operation::Unary(Unary::Function(f), _) => work::function(*f, limbs, 0),
            Operation::Binary(Binary::Planar(_), ..) => work::planar(limbs),
            Operation::Binary(Binary::Divide, ..) => work::quotient(limbs),
            Operation::Power(_, e) => work::power(limbs, e.numerator.unsigned_abs()) + work::root(limbs, e.denominator),
            Operation::Sum(number) => self.code().sums[*number as usize].products.len() as u64 * work::product(limbs),
            _ => work::product(limbs),
        };
        self.code()
            .operations
            .iter()
            .map(|(operation, _)| cost(operation).saturating_mul(4))
            .fold(0, u64::saturating_add)
    }

    /// How many operations a run executes; a sum of products is one.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.code().operations.len()
    }

    /// How many sums and products the value of the first component takes at x, and how many it takes with its gradient: an
    /// elementary function counts as eight. A gradient of any number of inputs costs at most four times the value (Baur and
    /// Strassen 1983), which is a law.
    ///
    /// # Panics
    /// Where x has not n numbers, or there is no component.
    #[must_use]
    pub fn executed(&self, x: &[f64]) -> [u64; 2] {
        assert_eq!(x.len(), self.inputs(), "the point has another number of components");
        count::executed(&self.run.code, x)
    }

    /// The value at x.
    ///
    /// # Panics
    /// Where x has not n numbers, or y not m.
    pub fn value(&mut self, x: &[f64], y: &mut [f64]) {
        self.forward(x);
        assert_eq!(y.len(), self.outputs(), "the value has another number of components");
        for (y, place) in y.iter_mut().zip(&self.run.code.outputs) {
            *y = self.run.values[*place as usize];
        }
    }

    /// `J(x)ᵗ·w`, in one sweep back; the value is computed on the way.
    ///
    /// # Panics
    /// Where x or the gradient has not n numbers, or w not m.
    pub fn vjp(&mut self, x: &[f64], w: &[f64], gradient: &mut [f64]) {
        self.forward(x);
        assert_eq!(w.len(), self.outputs(), "the cotangent has another number of components");
        let code = self.run.code.clone();
        self.sweep(code.outputs.iter().copied().zip(w.iter().copied()));
        gradient.copy_from_slice(&self.run.cotangents[..code.inputs]);
    }

    /// The first component of the value, and its gradient.
    ///
    /// # Panics
    /// Where x or the gradient has not n numbers, or there is no component.
    pub fn gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> f64 {
        self.forward(x);
        let output = self.run.code.outputs[0];
        self.sweep([(output, 1.0)]);
        gradient.copy_from_slice(&self.run.cotangents[..self.inputs()]);
        self.run.values[output as usize]
    }

    /// The sum of the first component over rows of data, and its gradient in the inputs before them: a row stands for the
    /// last inputs, the parameters for those in front. This is the loss of a minibatch.
    ///
    /// # Panics
    /// Where the parameters are more than the inputs, the rows not whole, the gradient not as long as the parameters, or there
    /// is no component.
    pub fn batch(&mut self, parameters: &[f64], rows: &[f64], gradient: &mut [f64]) -> f64 {
        let (first, output) = (parameters.len(), self.run.code.outputs[0]);
        assert!(first <= self.inputs(), "more parameters than inputs");
        let width = self.inputs() - first;
        assert!(gradient.len() == first && rows.len().is_multiple_of(width.max(1)), "rows of another length");
        gradient.fill(0.0);
        self.run.values[..first].copy_from_slice(parameters);
        let mut sum = 0.0;
        for row in rows.chunks_exact(width.max(1)) {
            self.run.values[first..first + width].copy_from_slice(row);
            self.evaluate();
            sum += self.run.values[output as usize];
            self.sweep([(output, 1.0)]);
            gradient.iter_mut().zip(&self.run.cotangents).for_each(|(all, one)| *all += one);
        }
        sum
    }

    fn forward(&mut self, x: &[f64]) {
        let inputs = self.inputs();
        self.run.values[..inputs].copy_from_slice(x);
        self.evaluate();
    }

    fn evaluate(&mut self) {
        let done = self.run.forward(|| true);
        assert!(done.is_some(), "plain numbers decide everything");
    }

    fn sweep(&mut self, seeds: impl IntoIterator<Item = (Place, f64)>) {
        let done = self.run.sweep(seeds, || true);
        assert!(done.is_some(), "plain numbers decide everything");
    }
}
