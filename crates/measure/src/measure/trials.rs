//! Closed sums over numbers of trials: the contribution of a geometric tail to the mean of a polynomial.
//!
//! With `q = 1 - p`, the sum `Σ p qⁿ⁻¹ fₙ` over n ≥ N is `q^(N - 1)·E f(N - 1 + g)` for a geometric g, as a waiting
//! time is memoryless. Moreover `E g (g - 1) … (g - i + 1) = i! q^(i - 1)/pⁱ` for i ≥ 1, the ith derivative at z = 1 of
//! the generating function `p z/(1 - q z)`. Therefore
//!
//! `E gᵏ = Σ S(k, i) i! q^(i - 1)/pⁱ`, with Stirling's numbers of the second kind.
//!
//! A finite range is the difference of two such tails. All series converge absolutely for 0 < p < 1, and so do their
//! derivatives in p, since the terms are a polynomial in n times a power of q < 1. A guard that is affine in n splits
//! the numbers into ranges.

use super::distribution::{Geometric, divide, multiply, plus, power, subtract, times};
use super::draws::{Draw, ExecutionPath, NaturalRange};
use crate::number::Rational;
use crate::pieces::GuardCondition;
use crate::pieces::fraction::RationalNormalForm;
use crate::smooth::graph::{Graph, Variable};

/// The highest degree of a polynomial. A choice.
const MAX_DEGREE: usize = 32;
/// The greatest number of ranges after splitting by guards. A choice.
const MAX_RANGES: usize = 64;

/// Sums the contribution of a path with one number of trials and no other free draw, to the mean of a product of maps.
/// Returns `None` if the product is no polynomial in the number, or if the path has another form.
#[must_use]
pub fn sum_over_trials(path: &ExecutionPath, factors: &[Graph]) -> Option<Graph> {
    let mut forms = RationalNormalForm::default();
    let (mut constant, mut tail) = (Graph::integer(1), None);
    for draw in &path.draws {
        match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => constant = multiply(&constant, chance),
            Draw::Tail(n, distribution, span) if tail.is_none() => {
                let [p] = distribution.parameters_of(&Geometric)? else { return None };
                tail = Some((*n, p, *span));
            }
            Draw::Tail(..) | Draw::Real(_) => return None,
        }
    }
    let (n, p, span) = tail?;
    if p.depends_on(n) || constant.depends_on(n) {
        return None;
    }
    let mut polynomial = vec![Rational::from(1)];
    for factor in factors {
        if !factor.depends_on(n) {
            constant = multiply(&constant, factor);
            continue;
        }
        let own = forms.as_polynomial(factor, n)?;
        let mut product = vec![Rational::new(); polynomial.len() + own.len() - 1];
        for (i, a) in polynomial.iter().enumerate() {
            for (j, b) in own.iter().enumerate() {
                product[i + j] += Rational::from(a * b);
            }
        }
        polynomial = product;
        if polynomial.len() > MAX_DEGREE + 1 {
            return None;
        }
    }
    let moments = geometric_moments(p, polynomial.len());
    let mut sum = Graph::integer(0);
    for span in satisfying_ranges(span, n, &path.decisions, &mut forms)? {
        sum = plus(&sum, &tail_sum(&polynomial, span.first, p, &moments));
        if let Some(last) = span.last {
            sum = subtract(&sum, &tail_sum(&polynomial, last.checked_add(1)?, p, &moments));
        }
    }
    Some(multiply(&constant, &sum))
}

/// Returns E gᵏ for all k below `count`, as numbers if p is one.
fn geometric_moments(p: &Graph, count: usize) -> Vec<Graph> {
    let (one, exact) = (Graph::integer(1), p.as_rational());
    // i! q^(i - 1)/pⁱ
    let factor = |i: usize| {
        let factorial = (1..=i).fold(Rational::from(1), |product, j| product * j as u64);
        match exact {
            Some(p) => {
                let ratio = Rational::from(1 - p) / p;
                let powers = (1..i).fold(Rational::from(p.recip_ref()), |product, _| product * &ratio);
                Graph::rational(powers * factorial)
            }
            None => {
                let over = multiply(&Graph::rational(factorial), &power_of(&subtract(&one, p), i as u64 - 1));
                divide(&over, &power_of(p, i as u64))
            }
        }
    };
    let factors: Vec<Graph> = (1..count).map(factor).collect();
    // Stirling's numbers S(k, i), one row after the other
    let mut row = vec![Rational::from(1)];
    let mut found = vec![one.clone()];
    for _ in 1..count {
        let mut next = vec![Rational::new(); row.len() + 1];
        for (i, s) in row.iter().enumerate() {
            next[i] += Rational::from(s * i as u64);
            next[i + 1] += s;
        }
        let terms = next.iter().skip(1).zip(&factors).map(|(s, f)| times(&Graph::rational(s.clone()), f));
        found.push(terms.reduce(|sum, term| plus(&sum, &term)).unwrap_or_else(|| Graph::integer(0)));
        row = next;
    }
    found
}

/// Returns `aⁿ`.
fn power_of(a: &Graph, n: u64) -> Graph {
    if n == 0 { Graph::integer(1) } else { power(a, &Rational::from(n)) }
}

/// Returns Σ p qⁿ⁻¹ f(n) over all n ≥ `first`, where `first` counts as at least 1.
fn tail_sum(polynomial: &[Rational], first: u64, p: &Graph, moments: &[Graph]) -> Graph {
    let before = Rational::from(first.max(1) - 1);
    // the coefficients of f(before + g) in g, by Horner's rule
    let mut moved: Vec<Rational> = Vec::new();
    for c in polynomial.iter().rev() {
        moved.insert(0, Rational::new());
        for i in 0..moved.len() - 1 {
            let next = Rational::from(&moved[i + 1] * &before);
            moved[i] += next;
        }
        moved[0] += c;
    }
    let terms = moved.iter().zip(moments).map(|(c, moment)| times(&Graph::rational(c.clone()), moment));
    let sum = terms.reduce(|sum, term| plus(&sum, &term)).unwrap_or_else(|| Graph::integer(0));
    multiply(&power_of(&subtract(&Graph::integer(1), p), first.max(1) - 1), &sum)
}

/// Returns the numbers of a range that satisfy all decisions, as ranges. Returns `None` if a guard is not affine in the
/// number alone.
fn satisfying_ranges(
    all: NaturalRange,
    n: Variable,
    decided: &[GuardCondition],
    forms: &mut RationalNormalForm,
) -> Option<Vec<NaturalRange>> {
    let mut found = vec![NaturalRange { first: all.first.max(1), ..all }];
    for GuardCondition { guard, holds, .. } in decided {
        let coefficients = forms.as_polynomial(&guard.graph, n)?;
        let [c, slope] = match &coefficients[..] {
            [] => [Rational::new(), Rational::new()],
            [c] => [c.clone(), Rational::new()],
            [c, slope] => [c.clone(), slope.clone()],
            _ => return None,
        };
        let is_so = |k: &Rational| guard.test.is_satisfied_by((&c + Rational::from(&slope * k)).cmp0()) == *holds;
        if slope == 0 {
            if !is_so(&Rational::new()) {
                found.clear();
            }
            continue;
        }
        // the sign changes only at the zero: all numbers before it are alike, and so are all after it
        let zero = -Rational::from(&c / &slope);
        let (floor, ceiling) = (zero.clone().floor(), zero.ceil());
        let pieces = [
            [None, Some(Rational::from(&ceiling - 1))],
            [Some(ceiling.clone()), Some(floor.clone())],
            [Some(Rational::from(&floor + 1)), None],
        ];
        let mut next = Vec::new();
        for NaturalRange { first, last } in found {
            let (low, high) = (Rational::from(first), last.map(Rational::from));
            for [a, b] in &pieces {
                let from = a.clone().map_or_else(|| low.clone(), |a| a.max(low.clone()));
                let to = b.iter().chain(&high).min().cloned();
                // one number decides for the whole piece
                if to.as_ref().is_some_and(|to| *to < from) || !is_so(&from) {
                    continue;
                }
                let last = match to {
                    Some(to) => Some(to.numer().to_u64()?),
                    None => None,
                };
                next.push(NaturalRange { first: from.numer().to_u64()?, last });
            }
        }
        found = next;
        if found.len() > MAX_RANGES {
            return None;
        }
    }
    Some(found)
}
