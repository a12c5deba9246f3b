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

use super::{Majorant, MajorantJet, MajorantSearch, reciprocal_bound};
use crate::function::Function;
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary};

/// The greatest number of factors of a quotient, and of nodes to compare two maps. A choice.
const MAX_QUOTIENT_FACTORS: usize = 64;
const MAX_COMPARED_NODES: usize = 256;

/// Bounds of a positive map.
#[derive(Clone, Debug)]
pub(super) struct PositiveBound {
    /// Bounds of its coefficients divided by its value; the first is 1.
    pub relative: MajorantJet,
    /// A bound of the absolute value of its logarithm.
    pub logarithm: Majorant,
}

/// Returns `true` if two maps have the same expression. `nodes` limits the comparison.
fn have_same_expression(a: &Graph, b: &Graph, nodes: &mut usize) -> bool {
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
        (NodeOperation::Variable(v), NodeOperation::Variable(w)) => v == w,
        (NodeOperation::Unary(f, a), NodeOperation::Unary(g, b)) => f == g && have_same_expression(a, b, nodes),
        (NodeOperation::Binary(f, a, b), NodeOperation::Binary(g, c, d)) => {
            f == g && have_same_expression(a, c, nodes) && have_same_expression(b, d, nodes)
        }
        (NodeOperation::Power(a, p), NodeOperation::Power(b, q)) => {
            (p.numerator, p.denominator) == (q.numerator, q.denominator) && have_same_expression(a, b, nodes)
        }
        _ => false,
    }
}

/// Collects the factors and the divisors of a quotient. Returns `None` if there are too many.
fn collect_quotient(graph: &Graph, times: i64, found: &mut [Vec<Graph>; 2]) -> Option<()> {
    if found.iter().map(Vec::len).sum::<usize>() >= MAX_QUOTIENT_FACTORS {
        return None;
    }
    let mut of = |a: &Graph, times: i64| crate::stack::with_stack(|| collect_quotient(a, times, found));
    match graph.operation() {
        // signs do not matter: only absolute values are bounded
        NodeOperation::Unary(Unary::Negate, a) => of(a, times),
        NodeOperation::Binary(Binary::Multiply, a, b) => {
            of(a, times)?;
            of(b, times)
        }
        NodeOperation::Binary(Binary::Divide, a, b) => {
            of(a, times)?;
            of(b, -times)
        }
        NodeOperation::Power(a, q)
            if q.denominator == 1 && q.numerator.unsigned_abs() <= MAX_QUOTIENT_FACTORS as u64 =>
        {
            (0..q.numerator.unsigned_abs()).try_for_each(|_| of(a, times * q.numerator.signum()))
        }
        _ => {
            found[usize::from(times < 0)].push(graph.clone());
            Some(())
        }
    }
}

impl MajorantSearch<'_> {
    /// Returns the jet of the constant 1.
    fn unit_jet(&self) -> MajorantJet {
        self.constant_jet(Majorant::constant(Magnitude::ONE))
    }

    /// Returns the coefficients of 1/b multiplied by b, from those of b divided by b.
    fn invert_relative(&self, relative: &[Majorant]) -> Option<MajorantJet> {
        let mut found = vec![Majorant::constant(Magnitude::ONE)];
        for k in 1..=self.order {
            let sum = (1..=k).try_fold(Majorant::default(), |sum, j| {
                Some(sum.sum_bound(&relative[j].product_bound(&found[k - j])?))
            });
            found.push(sum?);
        }
        Some(found)
    }

    /// Returns the coefficients of `b^q` divided by its value: `k·rₖ = Σ (q·j - (k - j))·bⱼ·rₖ₋ⱼ`.
    fn to_a_power(&self, relative: &[Majorant], q: Magnitude) -> Option<MajorantJet> {
        let mut found = vec![Majorant::constant(Magnitude::ONE)];
        for k in 1..=self.order {
            let mut sum = Majorant::default();
            for j in 1..=k {
                let scale = q * Magnitude::from(j as u32) + Magnitude::from((k - j) as u32);
                sum = sum.sum_bound(&relative[j].product_bound(&found[k - j])?.scale_by(scale));
            }
            found.push(sum.scale_by(Magnitude::ONE.div_integer(k as u64)));
        }
        Some(found)
    }

    /// Returns the coefficients of log b: the bound of the logarithm, then those of order 1 and higher.
    pub(super) fn of_logarithm(&self, own: &PositiveBound) -> Option<MajorantJet> {
        let mut found = vec![own.logarithm.clone()];
        for k in 1..=self.order {
            let mut sum = own.relative[k].clone();
            for (j, before) in found.iter().enumerate().skip(1) {
                let scale = Magnitude::from(j as u32).div_integer(k as u64);
                sum = sum.sum_bound(&own.relative[k - j].product_bound(before)?.scale_by(scale));
            }
            found.push(sum);
        }
        Some(found)
    }

    /// Bounds a map that is positive. Returns `None` if it is not shown to be.
    pub(super) fn bound_positive(&mut self, graph: &Graph) -> Option<PositiveBound> {
        if let Some((_, known)) = self.positives.get(&graph.address()) {
            return known.clone();
        }
        // the form first: it gives bounds relative to the value, where a range may reach down to 0
        let found = crate::stack::with_stack(|| self.positive_by_form(graph)).or_else(|| self.positive_by_range(graph));
        self.positives.insert(graph.address(), (graph.clone(), found.clone()));
        found
    }

    /// Bounds a map whose range excludes 0.
    fn positive_by_range(&mut self, graph: &Graph) -> Option<PositiveBound> {
        let range = self.enclose_range(graph);
        if !range.is_defined() || *range.lo() <= 0 {
            return None;
        }
        let (least, own) = (reciprocal_bound(&range)?, self.bound_jet(graph)?);
        let mut relative: MajorantJet = own.iter().map(|part| part.scale_by(least)).collect();
        relative[0] = Majorant::constant(Magnitude::ONE);
        // |log b| ≤ b + 1/b
        Some(PositiveBound { relative, logarithm: own[0].sum_bound(&Majorant::constant(least)) })
    }

    /// Bounds a map by its operation on positive maps.
    fn positive_by_form(&mut self, graph: &Graph) -> Option<PositiveBound> {
        Some(match graph.operation() {
            NodeOperation::Unary(Unary::Function(Function::Exp), a) => {
                let a = self.bound_jet(a)?;
                PositiveBound { relative: self.exp_ratio(&a)?, logarithm: a[0].clone() }
            }
            NodeOperation::Binary(Binary::Add, a, b) => {
                let (a, b) = (self.bound_positive(a)?, self.bound_positive(b)?);
                let mut relative: MajorantJet =
                    a.relative.iter().zip(&b.relative).map(|(a, b)| a.sum_bound(b)).collect();
                relative[0] = Majorant::constant(Magnitude::ONE);
                // log(c + d) ≤ max(log c, log d) + log 2, and log(c + d) is at least either logarithm
                let logarithm = a.logarithm.sum_bound(&b.logarithm).sum_bound(&Majorant::constant(Magnitude::ONE));
                PositiveBound { relative, logarithm }
            }
            NodeOperation::Binary(operation @ (Binary::Multiply | Binary::Divide), a, b) => {
                let (a, b) = (self.bound_positive(a)?, self.bound_positive(b)?);
                let other = match operation {
                    Binary::Divide => self.invert_relative(&b.relative)?,
                    _ => b.relative,
                };
                PositiveBound {
                    relative: self.multiply_jets(&a.relative, &other)?,
                    logarithm: a.logarithm.sum_bound(&b.logarithm),
                }
            }
            NodeOperation::Power(a, exponent) => {
                let a = self.bound_positive(a)?;
                let q = Rational::from((exponent.numerator, exponent.denominator)).abs();
                let q = Magnitude::from_rational(&q);
                PositiveBound { relative: self.to_a_power(&a.relative, q)?, logarithm: a.logarithm.scale_by(q) }
            }
            _ => return None,
        })
    }

    /// Bounds a product of factors and divisors, where the divisors are positive or bounded away from 0.
    pub(super) fn bound_by_factors(&mut self, graph: &Graph) -> Option<MajorantJet> {
        let mut found = [Vec::new(), Vec::new()];
        collect_quotient(graph, 1, &mut found)?;
        let [numerators, mut divisors] = found;
        if divisors.is_empty() {
            return None;
        }
        let mut product = self.unit_jet();
        let mut nodes = MAX_COMPARED_NODES;
        for factor in numerators {
            let own = match self.bound_jet(&factor) {
                Some(own) => own,
                None => {
                    // the quotient of a term and its sum is at most 1
                    let index = divisors.iter().position(|b| self.is_a_term(&factor, b, &mut nodes))?;
                    let divisor = divisors.swap_remove(index);
                    let (a, b) = (self.bound_positive(&factor)?, self.bound_positive(&divisor)?);
                    self.multiply_jets(&a.relative, &self.invert_relative(&b.relative)?)?
                }
            };
            product = self.multiply_jets(&product, &own)?;
        }
        for divisor in divisors {
            let least = reciprocal_bound(&self.enclose_range(&divisor))?;
            let own = self.bound_positive(&divisor)?;
            let own: MajorantJet =
                self.invert_relative(&own.relative)?.iter().map(|part| part.scale_by(least)).collect();
            product = self.multiply_jets(&product, &own)?;
        }
        Some(product)
    }

    /// Returns `true` if a map is a term of a sum whose other terms are positive.
    fn is_a_term(&mut self, a: &Graph, sum: &Graph, nodes: &mut usize) -> bool {
        if have_same_expression(a, sum, nodes) {
            return true;
        }
        let NodeOperation::Binary(Binary::Add, c, d) = sum.operation() else { return false };
        let mut one = |c: &Graph, d: &Graph| {
            crate::stack::with_stack(|| self.is_a_term(a, c, nodes)) && self.bound_positive(d).is_some()
        };
        one(c, d) || one(d, c)
    }
}
