//! Polynomial bounds of maps: |f(x)| ≤ Σ c·|x₁|^k₁·…·|xₙ|^kₙ for all draws of a path, proved from the form of the map.
//!
//! A map that is bounded on an unbounded range is bounded by a number, and other maps by sums and products of such
//! bounds.
//!
//! The derivatives in the parameter are bounded likewise: each Taylor coefficient has its own bound, by the recurrences
//! of power series with absolute values. Divisors and arguments of logarithms must be bounded away from 0, or be
//! products of exponentials (`positive`). Other maps have no bound.

mod positive;

use super::range::range;
use crate::function::Function;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude};
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use positive::Positive;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The greatest number of terms of a bound, and its highest power. A choice: products grow quickly.
const MOST_TERMS: usize = 200;
const HIGHEST: u32 = 64;

/// The powers of the variables in a term.
pub type Powers = Vec<(Variable, u32)>;

/// A polynomial in absolute values of variables, with nonnegative coefficients.
#[derive(Clone, Debug, Default)]
pub struct Majorant(BTreeMap<Powers, Magnitude>);

/// Returns an upper bound on the absolute values in an enclosure; infinite for ⊥.
#[must_use]
pub fn magnitude(found: &Enclosure) -> Magnitude {
    if !found.is_defined() {
        return Magnitude::INFINITY;
    }
    Magnitude::from_float(found.lo()).max(Magnitude::from_float(found.hi()))
}

/// Returns an upper bound on 1/|x| for all x in an enclosure. Returns `None` if 0 is not excluded.
fn inverse(found: &Enclosure) -> Option<Magnitude> {
    use crate::number::context::Context;
    let context = crate::number::Double;
    let inverse = context.div(&context.integer(1), &context.enclosure(found));
    let bound = magnitude(&context.to_enclosure(&inverse));
    (found.is_defined() && bound.is_finite() && context.is_defined(&inverse)).then_some(bound)
}

impl Majorant {
    /// Makes a constant bound.
    #[must_use]
    pub fn constant(c: Magnitude) -> Self {
        Self(if c.is_zero() { BTreeMap::new() } else { BTreeMap::from([(Powers::new(), c)]) })
    }

    /// Makes the bound |v| of a variable.
    #[must_use]
    pub fn variable(v: Variable) -> Self {
        Self(BTreeMap::from([(vec![(v, 1)], Magnitude::ONE)]))
    }

    /// Returns the constant, if no variable occurs. Returns `None` otherwise.
    #[must_use]
    pub fn as_constant(&self) -> Option<Magnitude> {
        match self.0.len() {
            0 => Some(Magnitude::ZERO),
            1 => self.0.get(&Powers::new()).copied(),
            _ => None,
        }
    }

    /// Adds two bounds.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (powers, c) in &other.0 {
            let own = sum.0.entry(powers.clone()).or_insert(Magnitude::ZERO);
            *own = *own + *c;
        }
        sum
    }

    /// Multiplies a bound by a number.
    #[must_use]
    pub fn scaled(&self, c: Magnitude) -> Self {
        match c.is_zero() {
            true => Self::default(),
            false => Self(self.0.iter().map(|(powers, own)| (powers.clone(), *own * c)).collect()),
        }
    }

    /// Multiplies two bounds. Returns `None` if the product has too many terms.
    #[must_use]
    pub fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let mut powers: BTreeMap<Variable, u32> = left.iter().copied().collect();
                right.iter().for_each(|(v, k)| *powers.entry(*v).or_insert(0) += k);
                if powers.values().any(|k| *k > HIGHEST) {
                    return None;
                }
                let own = product.0.entry(powers.into_iter().collect()).or_insert(Magnitude::ZERO);
                *own = *own + *a * *b;
            }
        }
        (product.0.len() <= MOST_TERMS).then_some(product)
    }

    /// Raises a bound to a power. Returns `None` if it has too many terms.
    #[must_use]
    pub fn power(&self, n: u32) -> Option<Self> {
        (0..n).try_fold(Self::constant(Magnitude::ONE), |product, _| product.times(self))
    }

    /// Returns all powers up to the `n`th. Returns `None` if one has too many terms.
    #[must_use]
    pub fn powers(&self, n: u32) -> Option<Vec<Self>> {
        let mut found = vec![Self::constant(Magnitude::ONE)];
        for k in 0..n as usize {
            found.push(found[k].times(self)?);
        }
        Some(found)
    }

    /// Returns the coefficients of the powers of a variable, as bounds in the other variables.
    #[must_use]
    pub fn by(&self, v: Variable) -> BTreeMap<u32, Self> {
        let mut parts: BTreeMap<u32, Self> = BTreeMap::new();
        for (powers, c) in &self.0 {
            let power = powers.iter().find(|(w, _)| *w == v).map_or(0, |(_, k)| *k);
            let others: Powers = powers.iter().copied().filter(|(w, _)| *w != v).collect();
            let part = parts.entry(power).or_default();
            let own = part.0.entry(others).or_insert(Magnitude::ZERO);
            *own = *own + *c;
        }
        parts
    }
}

/// Bounds of the Taylor coefficients in the parameter, from order 0.
pub type Jet = Vec<Majorant>;

/// A memoised search for bounds of maps on a box.
#[derive(Debug)]
// the box of all variables
pub struct Majorants<'a> {
    within: &'a [(Variable, Enclosure)],
    parameter: Option<Variable>,
    order: usize,
    budget: &'a Budget,
    // the graphs are kept alive, so that no address is reused
    known: FxHashMap<usize, (Graph, Option<Jet>)>,
    positives: FxHashMap<usize, (Graph, Option<Positive>)>,
}

impl<'a> Majorants<'a> {
    /// Makes a search on a box, for derivatives in a parameter up to `order`. The parameter is one of the variables.
    #[must_use]
    pub fn new(
        within: &'a [(Variable, Enclosure)],
        parameter: Option<Variable>,
        order: u32,
        budget: &'a Budget,
    ) -> Self {
        Self {
            within,
            parameter,
            order: order as usize,
            budget,
            known: FxHashMap::default(),
            positives: FxHashMap::default(),
        }
    }

    /// Returns `true` if the budget is exhausted.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.budget.is_exhausted()
    }

    /// Encloses the range of a map.
    #[must_use]
    pub fn range(&self, graph: &Graph) -> Enclosure {
        range(graph, self.within, self.budget)
    }

    /// Makes the jet of a map that does not depend on the parameter.
    #[must_use]
    pub fn fixed(&self, majorant: Majorant) -> Jet {
        let mut jet = vec![Majorant::default(); self.order + 1];
        jet[0] = majorant;
        jet
    }

    /// Multiplies two jets. Returns `None` if a coefficient has too many terms.
    #[must_use]
    pub fn product(&self, a: &[Majorant], b: &[Majorant]) -> Option<Jet> {
        let coefficient =
            |k: usize| (0..=k).try_fold(Majorant::default(), |sum, j| Some(sum.plus(&a[j].times(&b[k - j])?)));
        (0..=self.order).map(coefficient).collect()
    }

    /// Returns the coefficients of exp a, divided by its value: k·eₖ = Σ j·aⱼ·eₖ₋ⱼ.
    #[must_use]
    pub fn growth(&self, a: &[Majorant]) -> Option<Jet> {
        let mut found = vec![Majorant::constant(Magnitude::ONE)];
        for k in 1..=self.order {
            let mut sum = Majorant::default();
            for j in 1..=k {
                sum = sum.plus(&a[j].times(&found[k - j])?.scaled(Magnitude::from(j as u32)));
            }
            found.push(sum.scaled(Magnitude::ONE.divided(k as u64)));
        }
        Some(found)
    }

    /// Bounds a map and its derivatives. Returns `None` if no bound is found.
    pub fn of(&mut self, graph: &Graph) -> Option<Jet> {
        if let Some((_, known)) = self.known.get(&graph.address()) {
            return known.clone();
        }
        let found = self.found(graph);
        self.known.insert(graph.address(), (graph.clone(), found.clone()));
        found
    }

    /// Bounds a map by its range, or by its form if it is unbounded or depends on the parameter.
    fn found(&mut self, graph: &Graph) -> Option<Jet> {
        let varies = self.order > 0 && self.parameter.is_some_and(|v| graph.depends_on(v));
        let bound = magnitude(&self.range(graph));
        if bound.is_finite() && !varies {
            return Some(self.fixed(Majorant::constant(bound)));
        }
        if self.is_exhausted() {
            return None;
        }
        // a number also replaces a longer bound of order 0; the derivatives need the form
        let mut jet = crate::stack::deep(|| self.by_form(graph, bound, varies))?;
        if bound.is_finite() {
            jet[0] = Majorant::constant(bound);
        }
        Some(jet)
    }

    /// Bounds a quotient whose divisor is bounded away from 0.
    fn divided(&mut self, a: &Graph, b: &Graph) -> Option<Jet> {
        let least = inverse(&self.range(b))?;
        let (a, b) = (self.of(a)?, self.of(b)?);
        let mut inverse = vec![Majorant::constant(least)];
        for k in 1..=self.order {
            let sum = (1..=k).try_fold(Majorant::default(), |sum, j| Some(sum.plus(&b[j].times(&inverse[k - j])?)));
            inverse.push(sum?.scaled(least));
        }
        self.product(&a, &inverse)
    }

    /// Bounds a map by bounds of its parts. `bound` is an upper bound on its absolute value.
    fn by_form(&mut self, graph: &Graph, bound: Magnitude, varies: bool) -> Option<Jet> {
        Some(match graph.operation() {
            Operation::Variable(v) if Some(*v) == self.parameter => {
                let mut jet = self.fixed(Majorant::constant(bound));
                if let Some(first) = jet.get_mut(1) {
                    *first = Majorant::constant(Magnitude::ONE);
                }
                jet
            }
            Operation::Variable(v) if self.within.iter().any(|(w, _)| w == v) => self.fixed(Majorant::variable(*v)),
            Operation::Unary(Unary::Negate, a) => self.of(a)?,
            Operation::Unary(Unary::Abs, a) if !varies => self.of(a)?,
            Operation::Binary(Binary::Add | Binary::Subtract, a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                a.iter().zip(&b).map(|(a, b)| a.plus(b)).collect()
            }
            Operation::Binary(Binary::Multiply, a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                self.product(&a, &b)?
            }
            Operation::Binary(Binary::Divide, a, b) => match self.divided(a, b) {
                Some(own) => own,
                None => self.quotient(graph)?,
            },
            Operation::Power(a, exponent) if exponent.denominator == 1 && exponent.numerator >= 0 => {
                let a = self.of(a)?;
                let one = self.fixed(Majorant::constant(Magnitude::ONE));
                let n = u32::try_from(exponent.numerator).ok().filter(|n| *n <= HIGHEST)?;
                (0..n).try_fold(one, |product, _| self.product(&product, &a))?
            }
            // |a|^q ≤ 1 + |a| for 0 < q ≤ 1
            Operation::Power(a, exponent)
                if !varies && 0 < exponent.numerator && exponent.numerator <= i64::from(exponent.denominator) =>
            {
                vec![self.of(a)?[0].plus(&Majorant::constant(Magnitude::ONE))]
            }
            Operation::Unary(Unary::Function(Function::Sqrt | Function::Cbrt), a) if !varies => {
                vec![self.of(a)?[0].plus(&Majorant::constant(Magnitude::ONE))]
            }
            // (exp a)ₖ = exp a · eₖ, where exp a is at most `bound`
            Operation::Unary(Unary::Function(Function::Exp), a) if bound.is_finite() => {
                let a = self.of(a)?;
                self.growth(&a)?.iter().map(|part| part.scaled(bound)).collect()
            }
            Operation::Unary(Unary::Function(Function::Log), a) => {
                let own = self.positive(a)?;
                self.of_logarithm(&own)?
            }
            // a partial derivative in one variable, at a map: the first coefficient in that variable
            Operation::Derivative(d)
                if self.order == 0 && d.along.iter().all(|along| along.as_rational() == Some(&1.into())) =>
            {
                let (&[v], [at]) = (&d.variables[..], &d.at[..]) else { return None };
                let is_own = matches!(at.operation(), Operation::Variable(w) if *w == v);
                let outer = match is_own {
                    true => self.within.to_vec(),
                    false => [&[(v, self.range(at))], self.within].concat(),
                };
                let slope = Majorants::new(&outer, Some(v), 1, self.budget).of(&d.body)?.swap_remove(1);
                self.fixed(slope)
            }
            _ => return None,
        })
        .map(|mut jet: Jet| {
            // rules for constant parts give the coefficient of order 0 only
            jet.resize(self.order + 1, Majorant::default());
            jet
        })
    }
}
