//! Bounds of quotients and logarithms of positive maps without a polynomial bound: exponentials and their sums.
//!
//! For such a map b, the coefficients divided by its value have bounds, `|bₖ|/b ≤ rₖ`, and so has its logarithm.
//!
//! | b | rₖ, for k > 0 | bound of \|log b\| |
//! |---|---|---|
//! | `exp a` | the coefficients of exp a divided by its value, from those of a | \|a\| |
//! | `c + d` | the sum of both, as `c/b` and `d/b` are at most 1 | \|log c\| + \|log d\| + 1 |
//! | `c·d`, `c/d`, `c^q` | their recurrences | from the logarithms |
//! | bounded from below by m > 0 | \|bₖ\|/m | \|b\| + 1/m |
//!
//! A factor of a quotient that is a term of a divisor is at most that divisor: `eᵘ/(1 + eᵘ) ≤ 1`.

use super::{Jet, Majorant, Majorants, inverse};
use crate::function::Function;
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::{Binary, Graph, Operation, Unary};

/// The greatest number of factors of a quotient, and of nodes to compare two maps. A choice.
const MOST_FACTORS: usize = 64;
const MOST_NODES: usize = 256;

/// Bounds of a positive map.
#[derive(Clone, Debug)]
pub(super) struct Positive {
    /// Bounds of its coefficients divided by its value; the first is 1.
    pub relative: Jet,
    /// A bound of the absolute value of its logarithm.
    pub logarithm: Majorant,
}

/// Returns `true` if two maps have the same expression. `nodes` limits the comparison.
fn alike(a: &Graph, b: &Graph, nodes: &mut usize) -> bool {
    if a.address() == b.address() {
        return true;
    }
    if *nodes == 0 {
        return false;
    }
    *nodes -= 1;
    let numbers = a.as_rational().zip(b.as_rational());
    match (a.operation(), b.operation()) {
        _ if numbers.is_some_and(|(a, b)| a == b) => true,
        (Operation::Variable(v), Operation::Variable(w)) => v == w,
        (Operation::Unary(f, a), Operation::Unary(g, b)) => f == g && alike(a, b, nodes),
        (Operation::Binary(f, a, b), Operation::Binary(g, c, d)) => f == g && alike(a, c, nodes) && alike(b, d, nodes),
        (Operation::Power(a, p), Operation::Power(b, q)) => {
            (p.numerator, p.denominator) == (q.numerator, q.denominator) && alike(a, b, nodes)
        }
        _ => false,
    }
}

/// Collects the factors and the divisors of a quotient. Returns `None` if there are too many.
fn factors(graph: &Graph, times: i64, found: &mut [Vec<Graph>; 2]) -> Option<()> {
    if found.iter().map(Vec::len).sum::<usize>() >= MOST_FACTORS {
        return None;
    }
    let mut of = |a: &Graph, times: i64| crate::stack::deep(|| factors(a, times, found));
    match graph.operation() {
        // signs do not matter: only absolute values are bounded
        Operation::Unary(Unary::Negate, a) => of(a, times),
        Operation::Binary(Binary::Multiply, a, b) => {
            of(a, times)?;
            of(b, times)
        }
        Operation::Binary(Binary::Divide, a, b) => {
            of(a, times)?;
            of(b, -times)
        }
        Operation::Power(a, q) if q.denominator == 1 && q.numerator.unsigned_abs() <= MOST_FACTORS as u64 => {
            (0..q.numerator.unsigned_abs()).try_for_each(|_| of(a, times * q.numerator.signum()))
        }
        _ => {
            found[usize::from(times < 0)].push(graph.clone());
            Some(())
        }
    }
}

impl Majorants<'_> {
    /// Returns the jet of the constant 1.
    fn one(&self) -> Jet {
        self.fixed(Majorant::constant(Magnitude::ONE))
    }

    /// Returns the coefficients of 1/b multiplied by b, from those of b divided by b.
    fn inverted(&self, relative: &[Majorant]) -> Option<Jet> {
        let mut found = vec![Majorant::constant(Magnitude::ONE)];
        for k in 1..=self.order {
            let sum =
                (1..=k).try_fold(Majorant::default(), |sum, j| Some(sum.plus(&relative[j].times(&found[k - j])?)));
            found.push(sum?);
        }
        Some(found)
    }

    /// Returns the coefficients of `b^q` divided by its value: `k·rₖ = Σ (q·j - (k - j))·bⱼ·rₖ₋ⱼ`.
    fn to_a_power(&self, relative: &[Majorant], q: Magnitude) -> Option<Jet> {
        let mut found = vec![Majorant::constant(Magnitude::ONE)];
        for k in 1..=self.order {
            let mut sum = Majorant::default();
            for j in 1..=k {
                let scale = q * Magnitude::from(j as u32) + Magnitude::from((k - j) as u32);
                sum = sum.plus(&relative[j].times(&found[k - j])?.scaled(scale));
            }
            found.push(sum.scaled(Magnitude::ONE.divided(k as u64)));
        }
        Some(found)
    }

    /// Returns the coefficients of log b: the bound of the logarithm, then those of order 1 and higher.
    pub(super) fn of_logarithm(&self, own: &Positive) -> Option<Jet> {
        let mut found = vec![own.logarithm.clone()];
        for k in 1..=self.order {
            let mut sum = own.relative[k].clone();
            for (j, before) in found.iter().enumerate().skip(1) {
                let scale = Magnitude::from(j as u32).divided(k as u64);
                sum = sum.plus(&own.relative[k - j].times(before)?.scaled(scale));
            }
            found.push(sum);
        }
        Some(found)
    }

    /// Bounds a map that is positive. Returns `None` if it is not shown to be.
    pub(super) fn positive(&mut self, graph: &Graph) -> Option<Positive> {
        if let Some((_, known)) = self.positives.get(&graph.address()) {
            return known.clone();
        }
        // the form first: it gives bounds relative to the value, where a range may reach down to 0
        let found = crate::stack::deep(|| self.by_structure(graph)).or_else(|| self.by_range(graph));
        self.positives.insert(graph.address(), (graph.clone(), found.clone()));
        found
    }

    /// Bounds a map whose range excludes 0.
    fn by_range(&mut self, graph: &Graph) -> Option<Positive> {
        let range = self.range(graph);
        if !range.is_defined() || *range.lo() <= 0 {
            return None;
        }
        let (least, own) = (inverse(&range)?, self.of(graph)?);
        let mut relative: Jet = own.iter().map(|part| part.scaled(least)).collect();
        relative[0] = Majorant::constant(Magnitude::ONE);
        // |log b| ≤ b + 1/b
        Some(Positive { relative, logarithm: own[0].plus(&Majorant::constant(least)) })
    }

    /// Bounds a map by its operation on positive maps.
    fn by_structure(&mut self, graph: &Graph) -> Option<Positive> {
        Some(match graph.operation() {
            Operation::Unary(Unary::Function(Function::Exp), a) => {
                let a = self.of(a)?;
                Positive { relative: self.growth(&a)?, logarithm: a[0].clone() }
            }
            Operation::Binary(Binary::Add, a, b) => {
                let (a, b) = (self.positive(a)?, self.positive(b)?);
                let mut relative: Jet = a.relative.iter().zip(&b.relative).map(|(a, b)| a.plus(b)).collect();
                relative[0] = Majorant::constant(Magnitude::ONE);
                // log(c + d) ≤ max(log c, log d) + log 2, and log(c + d) is at least either logarithm
                let logarithm = a.logarithm.plus(&b.logarithm).plus(&Majorant::constant(Magnitude::ONE));
                Positive { relative, logarithm }
            }
            Operation::Binary(operation @ (Binary::Multiply | Binary::Divide), a, b) => {
                let (a, b) = (self.positive(a)?, self.positive(b)?);
                let other = match operation {
                    Binary::Divide => self.inverted(&b.relative)?,
                    _ => b.relative,
                };
                Positive { relative: self.product(&a.relative, &other)?, logarithm: a.logarithm.plus(&b.logarithm) }
            }
            Operation::Power(a, exponent) => {
                let a = self.positive(a)?;
                let q = Rational::from((exponent.numerator, exponent.denominator)).abs();
                let q = Magnitude::from_rational(&q);
                Positive { relative: self.to_a_power(&a.relative, q)?, logarithm: a.logarithm.scaled(q) }
            }
            _ => return None,
        })
    }

    /// Bounds a product of factors and divisors, where the divisors are positive or bounded away from 0.
    pub(super) fn quotient(&mut self, graph: &Graph) -> Option<Jet> {
        let mut found = [Vec::new(), Vec::new()];
        factors(graph, 1, &mut found)?;
        let [numerators, mut divisors] = found;
        if divisors.is_empty() {
            return None;
        }
        let mut product = self.one();
        let mut nodes = MOST_NODES;
        for factor in numerators {
            let own = match self.of(&factor) {
                Some(own) => own,
                None => {
                    // the quotient of a term and its sum is at most 1
                    let index = divisors.iter().position(|b| self.is_a_term(&factor, b, &mut nodes))?;
                    let divisor = divisors.swap_remove(index);
                    let (a, b) = (self.positive(&factor)?, self.positive(&divisor)?);
                    self.product(&a.relative, &self.inverted(&b.relative)?)?
                }
            };
            product = self.product(&product, &own)?;
        }
        for divisor in divisors {
            let least = inverse(&self.range(&divisor))?;
            let own = self.positive(&divisor)?;
            let own: Jet = self.inverted(&own.relative)?.iter().map(|part| part.scaled(least)).collect();
            product = self.product(&product, &own)?;
        }
        Some(product)
    }

    /// Returns `true` if a map is a term of a sum whose other terms are positive.
    fn is_a_term(&mut self, a: &Graph, sum: &Graph, nodes: &mut usize) -> bool {
        if alike(a, sum, nodes) {
            return true;
        }
        let Operation::Binary(Binary::Add, c, d) = sum.operation() else { return false };
        let mut one =
            |c: &Graph, d: &Graph| crate::stack::deep(|| self.is_a_term(a, c, nodes)) && self.positive(d).is_some();
        one(c, d) || one(d, c)
    }
}
