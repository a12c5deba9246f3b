//! Bounds of quotients and logarithms of positive maps that no polynomial bounds: those of exponentials and of their sums.
//!
//! Of such a map b, the coefficients over its value are bounded, `|bₖ|/b ≤ rₖ`, and its logarithm is.
//!
//! | b | rₖ, for k > 0 | \|log b\| is at most |
//! |---|---|---|
//! | `exp a` | the coefficients of exp a over its value, by those of a | \|a\| |
//! | `c + d` | the sum of both: `c/b` and `d/b` are at most 1 | \|log c\| + \|log d\| + 1 |
//! | `c·d`, `c/d`, `c^q` | by the recurrences for them | by the logarithms |
//! | bounded from below by m > 0 | \|bₖ\|/m | \|b\| + 1/m |
//!
//! A factor of a quotient that is a term of a divisor is at most that divisor: `eᵘ/(1 + eᵘ) ≤ 1`.

use super::{Jet, Majorant, Majorants, inverse};
use crate::function::Function;
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::{Binary, Graph, Operation, Unary};

/// The most factors of a quotient, and the most nodes at which two maps are compared.
const MOST_FACTORS: usize = 64;
const MOST_NODES: usize = 256;

/// What is known of a positive map.
#[derive(Clone, Debug)]
pub(super) struct Positive {
    /// Bounds of its coefficients over its value; the first is 1.
    pub relative: Jet,
    /// A bound of the absolute value of its logarithm.
    pub logarithm: Majorant,
}

/// Whether two maps are written alike.
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

/// The factors of a quotient, and the divisors.
fn factors(graph: &Graph, times: i64, found: &mut [Vec<Graph>; 2]) -> Option<()> {
    if found.iter().map(Vec::len).sum::<usize>() >= MOST_FACTORS {
        return None;
    }
    let mut of = |a: &Graph, times: i64| crate::stack::deep(|| factors(a, times, found));
    match graph.operation() {
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
    fn one(&self) -> Jet {
        self.fixed(Majorant::constant(Magnitude::ONE))
    }

    /// The coefficients of 1/b over its value.
    fn inverted(&self, relative: &[Majorant]) -> Option<Jet> {
        let mut found = vec![Majorant::constant(Magnitude::ONE)];
        for k in 1..=self.order {
            let sum =
                (1..=k).try_fold(Majorant::default(), |sum, j| Some(sum.plus(&relative[j].times(&found[k - j])?)));
            found.push(sum?);
        }
        Some(found)
    }

    /// The coefficients of `b^q` over its value: `k·rₖ = Σ (q·j - (k - j))·bⱼ·rₖ₋ⱼ`.
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

    /// The coefficients of log b beyond the first.
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

    /// What is known of a map, where it is positive.
    pub(super) fn positive(&mut self, graph: &Graph) -> Option<Positive> {
        if let Some((_, known)) = self.positives.get(&graph.address()) {
            return known.clone();
        }
        let found = crate::stack::deep(|| self.by_structure(graph)).or_else(|| self.by_range(graph));
        self.positives.insert(graph.address(), (graph.clone(), found.clone()));
        found
    }

    fn by_range(&mut self, graph: &Graph) -> Option<Positive> {
        let range = self.range(graph);
        if !range.is_defined() || *range.lo() <= 0 {
            return None;
        }
        let (least, own) = (inverse(&range)?, self.of(graph)?);
        let mut relative: Jet = own.iter().map(|part| part.scaled(least)).collect();
        relative[0] = Majorant::constant(Magnitude::ONE);
        Some(Positive { relative, logarithm: own[0].plus(&Majorant::constant(least)) })
    }

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

    /// Bounds of a product of factors and of divisors that are positive or kept away from 0.
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
                    // it is at most a divisor of which it is a term
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

    /// Whether a map is a term of a sum, of which the others are positive.
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
