//! Exact rational values of closed graphs, with derivatives.
//!
//! A graph of arithmetic, whole powers, |·|, max, min, choices and derivatives at rational numbers has a rational value. It is
//! found in the ring ℚ[ε₁, …, εₙ] with εᵢ² = 0, with one εᵢ for each derivative that is open: `D f (x) · v` is the coefficient of
//! εᵢ in f(x + v·εᵢ) (Weil algebras; the nested dual numbers of S §4.4, with formal variables in place of limits).
//!
//! | operation | exact where |
//! |---|---|
//! | + − × | everywhere |
//! | ÷ | the divisor is not 0 |
//! | aⁿ | n is whole; n ≥ 0 or a ≠ 0 |
//! | abs, max, min, choice | off the kink or border; abs, max, min outside of derivatives everywhere |
//!
//! Everything else has no exact value here, nor has a number of more than 1,024 bits.

use super::graph::{Binary, Derivative, Graph, NodeOperation, Unary, Variable};
use crate::number::Rational;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// The bits of the largest numerator and denominator together. A choice: an answer of more digits is not read.
const LARGEST_EXACT_VALUE: u32 = 1024;
/// The work before the search is given up: a node, and a product of two coefficients, each count one. A choice: some milliseconds.
const MOST_WORK: usize = 1 << 14;
/// The derivatives that may be open at once. A choice: a number has up to 2ⁿ terms.
const DEEPEST_NESTING: u32 = 8;

/// A number of ℚ[ε₁, …, εₙ], as the coefficients that are not 0 by the set of their εs.
#[derive(Clone, Debug, Default, PartialEq)]
struct NilpotentNumber(Vec<(u32, Rational)>);

impl NilpotentNumber {
    fn from_terms(terms: impl IntoIterator<Item = (u32, Rational)>) -> Option<Self> {
        let mut sum: Vec<(u32, Rational)> = Vec::new();
        for (set, q) in terms {
            match sum.binary_search_by_key(&set, |term| term.0) {
                Ok(place) => sum[place].1 += q,
                Err(place) => sum.insert(place, (set, q)),
            }
        }
        sum.retain(|(_, q)| !q.is_zero());
        let has_few_bits = |q: &Rational| {
            q.numer().significant_bits().saturating_add(q.denom().significant_bits()) <= LARGEST_EXACT_VALUE
        };
        sum.iter().all(|(_, q)| has_few_bits(q)).then_some(Self(sum))
    }

    fn from_rational(q: Rational) -> Option<Self> {
        Self::from_terms([(0, q)])
    }

    /// Returns the part without ε.
    fn standard_part(&self) -> Rational {
        self.coefficient_of(0)
    }

    fn coefficient_of(&self, set: u32) -> Rational {
        self.0.iter().find(|term| term.0 == set).map(|term| term.1.clone()).unwrap_or_default()
    }

    fn negate(&self) -> Self {
        Self(self.0.iter().map(|(set, q)| (*set, Rational::from(-q))).collect())
    }

    fn add(&self, other: &Self) -> Option<Self> {
        Self::from_terms(self.0.iter().chain(&other.0).cloned())
    }

    fn multiply(&self, other: &Self) -> Option<Self> {
        // εᵢ² = 0, so sets that meet have the product 0
        let products = self.0.iter().flat_map(|(s, p)| {
            other.0.iter().filter(move |(t, _)| s & t == 0).map(move |(t, q)| (s | t, Rational::from(p * q)))
        });
        Self::from_terms(products)
    }

    /// Returns 1/a: with a = q + n and n nilpotent, Σ (−n)ᵏ / qᵏ⁺¹, a finite sum. `None` if q = 0.
    fn reciprocal(&self) -> Option<Self> {
        let q = self.standard_part();
        if q.is_zero() {
            return None;
        }
        let inverse = Self::from_rational(q.recip())?;
        let nilpotent = Self(self.0.iter().filter(|(set, _)| *set != 0).cloned().collect());
        let ratio = nilpotent.negate().multiply(&inverse)?;
        let (mut sum, mut power) = (inverse.clone(), inverse);
        loop {
            power = power.multiply(&ratio)?;
            if power.0.is_empty() {
                return Some(sum);
            }
            sum = sum.add(&power)?;
        }
    }

    /// Returns aⁿ for n ≥ 0, by squaring.
    fn power(&self, mut exponent: u64) -> Option<Self> {
        let (mut result, mut square) = (Self::from_rational(Rational::from(1))?, self.clone());
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.multiply(&square)?;
            }
            exponent >>= 1;
            if exponent > 0 {
                square = square.multiply(&square)?;
            }
        }
        Some(result)
    }
}

/// The evaluation of a graph in the scope of some variables.
#[derive(Default)]
struct ExactGraphEvaluator {
    scope: FxHashMap<Variable, NilpotentNumber>,
    /// The values of nodes in this scope, by address.
    known: FxHashMap<usize, Option<NilpotentNumber>>,
    /// The work so far; see [`MOST_WORK`].
    work: usize,
    open: u32,
}

impl ExactGraphEvaluator {
    /// Counts work. `None` if it is too much.
    fn count_work(&mut self, work: usize) -> Option<()> {
        self.work = self.work.saturating_add(work);
        (self.work <= MOST_WORK).then_some(())
    }

    /// Compares two numbers. A tie is a kink for every derivative that is open, also along a direction that is 0.
    fn compare(&self, a: &NilpotentNumber, b: &NilpotentNumber) -> Option<Ordering> {
        let order = a.standard_part().cmp(&b.standard_part());
        (order != Ordering::Equal || self.open == 0).then_some(order)
    }

    fn eval(&mut self, graph: &Graph) -> Option<NilpotentNumber> {
        if let Some(known) = self.known.get(&graph.address()) {
            return known.clone();
        }
        self.count_work(1)?;
        let value = with_stack(|| self.eval_operation(graph.operation()));
        self.known.insert(graph.address(), value.clone());
        value
    }

    fn eval_operation(&mut self, operation: &NodeOperation) -> Option<NilpotentNumber> {
        match operation {
            NodeOperation::Variable(v) => self.scope.get(v).cloned(),
            NodeOperation::Rational(q) => NilpotentNumber::from_rational((**q).clone()),
            NodeOperation::Unary(Unary::Negate, a) => Some(self.eval(a)?.negate()),
            NodeOperation::Unary(Unary::Abs, a) => {
                let a = self.eval(a)?;
                Some(if self.compare(&a, &NilpotentNumber::default())? == Ordering::Less { a.negate() } else { a })
            }
            NodeOperation::Unary(Unary::Signum, a) => match self.eval(a)?.standard_part().cmp0() {
                // the sign of 0 is the set [-1, 1]
                Ordering::Equal => None,
                Ordering::Less => NilpotentNumber::from_rational(Rational::from(-1)),
                Ordering::Greater => NilpotentNumber::from_rational(Rational::from(1)),
            },
            NodeOperation::Binary(operation, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                // a reciprocal multiplies once for each ε
                self.count_work(a.0.len().saturating_mul(b.0.len()).saturating_mul(1 + self.open as usize))?;
                match operation {
                    Binary::Add => a.add(&b),
                    Binary::Subtract => a.add(&b.negate()),
                    Binary::Multiply => a.multiply(&b),
                    Binary::Divide => a.multiply(&b.reciprocal()?),
                    Binary::Maximum => Some(if self.compare(&a, &b)? == Ordering::Less { b } else { a }),
                    Binary::Minimum => Some(if self.compare(&a, &b)? == Ordering::Greater { b } else { a }),
                    Binary::Planar(_) => None,
                }
            }
            NodeOperation::Power(a, exponent) if exponent.denominator == 1 => {
                let a = self.eval(a)?;
                let products = 2 * exponent.numerator.unsigned_abs().checked_ilog2().unwrap_or(0) as usize;
                self.count_work(a.0.len().saturating_mul(a.0.len()).saturating_mul(products))?;
                let base = if exponent.numerator < 0 { a.reciprocal()? } else { a };
                base.power(exponent.numerator.unsigned_abs())
            }
            NodeOperation::Select(guard, then, otherwise) => match self.eval(guard)?.standard_part().cmp0() {
                Ordering::Greater => self.eval(then),
                Ordering::Less => self.eval(otherwise),
                Ordering::Equal => None,
            },
            NodeOperation::Derivative(derivative) => self.eval_derivative(derivative),
            NodeOperation::Pi
            | NodeOperation::Euler
            | NodeOperation::Unary(Unary::Function(_), _)
            | NodeOperation::Power(..)
            | NodeOperation::Primitive(..)
            | NodeOperation::Second(..) => None,
        }
    }

    fn eval_derivative(&mut self, derivative: &Derivative) -> Option<NilpotentNumber> {
        let Derivative { variables, body, at, along, .. } = derivative;
        if self.open == DEEPEST_NESTING {
            return None;
        }
        let epsilon = 1 << self.open;
        let mut moved = Vec::with_capacity(variables.len());
        for (at, along) in at.iter().zip(along) {
            let step = NilpotentNumber::from_terms(self.eval(along)?.0.into_iter().map(|(set, q)| (set | epsilon, q)))?;
            moved.push(self.eval(at)?.add(&step)?);
        }
        // the variables of the body have other values, so what is known of its nodes holds in this scope alone
        let outside = std::mem::take(&mut self.known);
        let hidden: Vec<_> = variables.iter().zip(moved).map(|(v, x)| (*v, self.scope.insert(*v, x))).collect();
        self.open += 1;
        let value = self.eval(body);
        self.open -= 1;
        for (v, before) in hidden.into_iter().rev() {
            match before {
                Some(before) => drop(self.scope.insert(v, before)),
                None => drop(self.scope.remove(&v)),
            }
        }
        self.known = outside;
        let terms = value?.0.into_iter().filter(|(set, _)| set & epsilon != 0);
        NilpotentNumber::from_terms(terms.map(|(set, q)| (set & !epsilon, q)))
    }
}

/// Returns the value of a closed graph if it is an exact rational number by the rules of the [module](self). `None` says nothing
/// about the value.
///
/// ```
/// use smoothish_ad::number::Rational;
/// use smoothish_ad::smooth::exact::exact_value;
/// use smoothish_ad::smooth::graph::{Binary, Graph, Variable};
/// let x = Variable::fresh();
/// let square = Graph::power(&Graph::variable(x), &Rational::from(2)).unwrap();
/// let tenth = Graph::rational(Rational::from((1, 10)));
/// let slope = Graph::partial(vec![x], square, vec![tenth], 0);
/// assert_eq!(exact_value(&slope), Some(Rational::from((1, 5))));
/// assert_eq!(exact_value(&Graph::pi()), None);
/// ```
#[must_use]
pub fn exact_value(graph: &Graph) -> Option<Rational> {
    // the numbers of many programs end in a function, and the search ends at once
    Some(ExactGraphEvaluator::default().eval(graph)?.standard_part())
}
