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

use super::fold::{AbstractDomain, FirstOrder, FoldLeaf, FoldStep, GraphNodes, GraphPlace, MapFold};
use super::graph::{Binary, Derivative, Graph, NodeOperation, Unary, Variable};
use super::jet::KinkBranch;
use crate::number::Rational;
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

/// The domain of exact values in the scope of some variables. `None` stands for all numbers.
#[derive(Debug, Default)]
struct ExactNumbers {
    scope: FxHashMap<Variable, NilpotentNumber>,
    /// The work so far; see [`MOST_WORK`].
    work: usize,
    open: u32,
}

impl ExactNumbers {
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

    fn eval_operation(&mut self, operation: &FirstOrder, operands: Vec<NilpotentNumber>) -> Option<NilpotentNumber> {
        match (operation, <[NilpotentNumber; 2]>::try_from(operands)) {
            (FirstOrder::Binary(operation), Ok([a, b])) => {
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
            (operation, Err(operand)) => self.eval_unary(operation, operand.into_iter().next()?),
            _ => None,
        }
    }

    fn eval_unary(&mut self, operation: &FirstOrder, a: NilpotentNumber) -> Option<NilpotentNumber> {
        match operation {
            FirstOrder::Unary(Unary::Negate) => Some(a.negate()),
            FirstOrder::Unary(Unary::Abs) => {
                Some(if self.compare(&a, &NilpotentNumber::default())? == Ordering::Less { a.negate() } else { a })
            }
            FirstOrder::Unary(Unary::Signum) => match a.standard_part().cmp0() {
                // the sign of 0 is the set [-1, 1]
                Ordering::Equal => None,
                Ordering::Less => NilpotentNumber::from_rational(Rational::from(-1)),
                Ordering::Greater => NilpotentNumber::from_rational(Rational::from(1)),
            },
            FirstOrder::Power(exponent) => {
                let products = 2 * exponent.numerator.unsigned_abs().checked_ilog2().unwrap_or(0) as usize;
                self.count_work(a.0.len().saturating_mul(a.0.len()).saturating_mul(products))?;
                let base = if exponent.numerator < 0 { a.reciprocal()? } else { a };
                base.power(exponent.numerator.unsigned_abs())
            }
            FirstOrder::Unary(Unary::Function(_)) | FirstOrder::Binary(_) | FirstOrder::Primitive(_) => None,
        }
    }

    fn eval_derivative(
        &mut self,
        Derivative { variables, body, at, .. }: &Derivative,
        operands: &[NilpotentNumber],
    ) -> Option<NilpotentNumber> {
        if self.open == DEEPEST_NESTING {
            return None;
        }
        let epsilon = 1 << self.open;
        let (points, directions) = operands.split_at(at.len());
        let moved = points.iter().zip(directions).map(|(at, along)| {
            at.add(&NilpotentNumber::from_terms(along.0.iter().map(|(set, q)| (set | epsilon, q.clone())))?)
        });
        let moved: Vec<_> = moved.collect::<Option<_>>()?;
        let hidden: Vec<_> = variables.iter().zip(moved).map(|(v, x)| (*v, self.scope.insert(*v, x))).collect();
        self.open += 1;
        // the variables of the body have other values, so what is known of its nodes holds in this scope alone
        let mut inside = MapFold::new(GraphNodes, std::mem::take(self));
        let value = inside.value_of(&GraphPlace(body.clone()));
        *self = inside.domain;
        self.open -= 1;
        for (v, before) in hidden.into_iter().rev() {
            match before {
                Some(before) => drop(self.scope.insert(v, before)),
                None => drop(self.scope.remove(&v)),
            }
        }
        let terms = value?.0.into_iter().filter(|(set, _)| set & epsilon != 0);
        NilpotentNumber::from_terms(terms.map(|(set, q)| (set & !epsilon, q)))
    }
}

impl AbstractDomain<GraphPlace> for ExactNumbers {
    type Value = Option<NilpotentNumber>;

    fn eval_leaf(&mut self, leaf: &FoldLeaf) -> Self::Value {
        match leaf {
            FoldLeaf::Variable(v) => self.scope.get(v).cloned(),
            FoldLeaf::Rational(q) => NilpotentNumber::from_rational((**q).clone()),
            FoldLeaf::Pi | FoldLeaf::Euler | FoldLeaf::Input(_) | FoldLeaf::Constant => None,
        }
    }

    fn skip_operands(&mut self, _: &GraphPlace, step: &FoldStep<GraphPlace>) -> Option<Self::Value> {
        let has_no_rule = match step {
            FoldStep::Apply(FirstOrder::Unary(Unary::Function(_)) | FirstOrder::Primitive(_), _) => true,
            FoldStep::Apply(FirstOrder::Power(exponent), _) => exponent.denominator != 1,
            _ => false,
        };
        (has_no_rule || self.count_work(1).is_none()).then_some(None)
    }

    fn apply_operation(&mut self, _: &GraphPlace, operation: &FirstOrder, operands: &[Self::Value]) -> Self::Value {
        let operands = operands.iter().cloned().collect::<Option<_>>()?;
        self.eval_operation(operation, operands)
    }

    fn choose_branch(&mut self, _: &GraphPlace, guard: &Self::Value) -> KinkBranch {
        guard.as_ref().map_or(KinkBranch::Undecided, |guard| KinkBranch::from_order(guard.standard_part().cmp0()))
    }

    fn join_branches(&mut self, _: [Self::Value; 2]) -> Self::Value {
        None
    }

    fn eval_binder(&mut self, at: &GraphPlace, operands: &[Self::Value]) -> Self::Value {
        let NodeOperation::Derivative(derivative) = at.0.operation() else { return None };
        let operands: Vec<_> = operands.iter().cloned().collect::<Option<_>>()?;
        self.eval_derivative(derivative, &operands)
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
    Some(MapFold::new(GraphNodes, ExactNumbers::default()).value_of(&GraphPlace(graph.clone()))?.standard_part())
}
