//! Polynomial bounds of maps: |f(x)| ≤ Σ c·|x₁|^k₁·…·|xₙ|^kₙ for all draws of a path, proved from the form of the map.
//!
//! A map that is bounded on an unbounded range is bounded by a number, and other maps by sums and products of such
//! bounds.
//!
//! The derivatives in the parameter are bounded likewise: each Taylor coefficient has its own bound, by the recurrences
//! of power series with absolute values. Divisors and arguments of logarithms must be bounded away from 0, or be
//! products of exponentials (`positive`). Other maps have no bound.
//!
//! # Bounds of quotients and logarithms of positive maps without
//!
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

use super::range::BoxContext;
use crate::function::Function;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Double, Enclosure, Magnitude, Rational};
use crate::pieces::facts::{FactContext, FactDomain};
use crate::smooth::fold::{GraphNodes, MapFold};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The greatest number of terms of a bound, and its highest power. A choice: products grow quickly.
const MAX_TERMS: usize = 200;
const MAX_POWER: u32 = 64;

/// The powers of the variables in a term.
pub type Powers = Vec<(Variable, u32)>;

/// A polynomial in absolute values of variables, with nonnegative coefficients.
#[derive(Clone, Debug, Default)]
pub struct Majorant(BTreeMap<Powers, Magnitude>);

/// Returns an upper bound on the absolute values in an enclosure; infinite for ⊥.
#[must_use]
pub fn max_abs_of(found: &Enclosure) -> Magnitude {
    if !found.is_defined() {
        return Magnitude::INFINITY;
    }
    Magnitude::from_float(found.lo()).max(Magnitude::from_float(found.hi()))
}

/// Returns an upper bound on 1/|x| for all x in an enclosure. Returns `None` if 0 is not excluded.
fn reciprocal_bound(found: &Enclosure) -> Option<Magnitude> {
    let context = Double;
    let inverse = context.div(&context.enclose_integer(1), &context.round_enclosure(found));
    let bound = max_abs_of(&context.to_enclosure(&inverse));
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
    pub fn abs_of_variable(v: Variable) -> Self {
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
    pub fn sum_bound(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (powers, c) in &other.0 {
            let own = sum.0.entry(powers.clone()).or_insert(Magnitude::ZERO);
            *own = *own + *c;
        }
        sum
    }

    /// Multiplies a bound by a number.
    #[must_use]
    pub fn scale_by(&self, c: Magnitude) -> Self {
        match c.is_zero() {
            true => Self::default(),
            false => Self(self.0.iter().map(|(powers, own)| (powers.clone(), *own * c)).collect()),
        }
    }

    /// Multiplies two bounds. Returns `None` if the product has too many terms.
    #[must_use]
    pub fn product_bound(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let mut powers: BTreeMap<Variable, u32> = left.iter().copied().collect();
                right.iter().for_each(|(v, k)| *powers.entry(*v).or_insert(0) += k);
                if powers.values().any(|k| *k > MAX_POWER) {
                    return None;
                }
                let own = product.0.entry(powers.into_iter().collect()).or_insert(Magnitude::ZERO);
                *own = *own + *a * *b;
            }
        }
        (product.0.len() <= MAX_TERMS).then_some(product)
    }

    /// Raises a bound to a power. Returns `None` if it has too many terms.
    #[must_use]
    pub fn power(&self, n: u32) -> Option<Self> {
        (0..n).try_fold(Self::constant(Magnitude::ONE), |product, _| product.product_bound(self))
    }

    /// Returns all powers up to the `n`th. Returns `None` if one has too many terms.
    #[must_use]
    pub fn powers_up_to(&self, n: u32) -> Option<Vec<Self>> {
        let mut found = vec![Self::constant(Magnitude::ONE)];
        for k in 0..n as usize {
            found.push(found[k].product_bound(self)?);
        }
        Some(found)
    }

    /// Returns the coefficients of the powers of a variable, as bounds in the other variables.
    #[must_use]
    pub fn coefficients_in(&self, v: Variable) -> BTreeMap<u32, Self> {
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
pub type MajorantJet = Vec<Majorant>;

/// A memoised search for bounds of maps on a box.
#[derive(Debug)]
// the box of all variables
pub struct MajorantSearch<'a> {
    within: &'a [(Variable, Enclosure)],
    parameter: Option<Variable>,
    order: usize,
    budget: &'a Budget,
    facts: MapFold<GraphNodes, FactDomain<BoxContext<'a>>>,
    // the graphs are kept alive, so that no address is reused
    known: FxHashMap<usize, (Graph, Option<MajorantJet>)>,
    positives: FxHashMap<usize, (Graph, Option<PositiveBound>)>,
}

impl<'a> MajorantSearch<'a> {
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
            facts: FactDomain::over_graphs(BoxContext { hull: within, budget }),
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
    pub fn enclose_range(&self, graph: &Graph) -> Enclosure {
        self.facts.domain.0.enclose_node(graph)
    }

    /// Encloses the range of a part of a map. It is undefined if the part is not shown to be defined on the whole box.
    fn range_of(&mut self, graph: &Graph) -> Enclosure {
        let facts = self.facts.facts_of(graph);
        Double.to_enclosure(&facts.range).with_defined(facts.is_defined)
    }

    /// Makes the jet of a map that does not depend on the parameter.
    #[must_use]
    pub fn constant_jet(&self, majorant: Majorant) -> MajorantJet {
        let mut jet = vec![Majorant::default(); self.order + 1];
        jet[0] = majorant;
        jet
    }

    /// Multiplies two jets. Returns `None` if a coefficient has too many terms.
    #[must_use]
    pub fn multiply_jets(&self, a: &[Majorant], b: &[Majorant]) -> Option<MajorantJet> {
        let coefficient = |k: usize| {
            (0..=k).try_fold(Majorant::default(), |sum, j| Some(sum.sum_bound(&a[j].product_bound(&b[k - j])?)))
        };
        (0..=self.order).map(coefficient).collect()
    }

    /// Returns the coefficients of exp a, divided by its value: k·eₖ = Σ j·aⱼ·eₖ₋ⱼ.
    #[must_use]
    pub fn exp_ratio(&self, a: &[Majorant]) -> Option<MajorantJet> {
        let mut found = vec![Majorant::constant(Magnitude::ONE)];
        for k in 1..=self.order {
            let mut sum = Majorant::default();
            for j in 1..=k {
                sum = sum.sum_bound(&a[j].product_bound(&found[k - j])?.scale_by(Magnitude::from(j as u32)));
            }
            found.push(sum.scale_by(Magnitude::ONE.div_integer(k as u64)));
        }
        Some(found)
    }

    /// Bounds a map and its derivatives. Returns `None` if no bound is found.
    pub fn bound_jet(&mut self, graph: &Graph) -> Option<MajorantJet> {
        if let Some((_, known)) = self.known.get(&graph.address()) {
            return known.clone();
        }
        let found = self.find_bound(graph);
        self.known.insert(graph.address(), (graph.clone(), found.clone()));
        found
    }

    /// Bounds a map by its range, or by its form if it is unbounded or depends on the parameter.
    fn find_bound(&mut self, graph: &Graph) -> Option<MajorantJet> {
        let varies = self.order > 0 && self.parameter.is_some_and(|v| graph.depends_on(v));
        let bound = max_abs_of(&self.range_of(graph));
        if bound.is_finite() && !varies {
            return Some(self.constant_jet(Majorant::constant(bound)));
        }
        if self.is_exhausted() {
            return None;
        }
        // a number also replaces a longer bound of order 0; the derivatives need the form
        let mut jet = crate::stack::with_stack(|| self.bound_by_form(graph, bound, varies))?;
        if bound.is_finite() {
            jet[0] = Majorant::constant(bound);
        }
        Some(jet)
    }

    /// Bounds a quotient whose divisor is bounded away from 0.
    fn bound_quotient(&mut self, a: &Graph, b: &Graph) -> Option<MajorantJet> {
        let least = reciprocal_bound(&self.range_of(b))?;
        let (a, b) = (self.bound_jet(a)?, self.bound_jet(b)?);
        let mut inverse = vec![Majorant::constant(least)];
        for k in 1..=self.order {
            let sum = (1..=k)
                .try_fold(Majorant::default(), |sum, j| Some(sum.sum_bound(&b[j].product_bound(&inverse[k - j])?)));
            inverse.push(sum?.scale_by(least));
        }
        self.multiply_jets(&a, &inverse)
    }

    /// Bounds a map by bounds of its parts. `bound` is an upper bound on its absolute value.
    fn bound_by_form(&mut self, graph: &Graph, bound: Magnitude, varies: bool) -> Option<MajorantJet> {
        Some(match graph.operation() {
            NodeOperation::Variable(v) if Some(*v) == self.parameter => {
                let mut jet = self.constant_jet(Majorant::constant(bound));
                if let Some(first) = jet.get_mut(1) {
                    *first = Majorant::constant(Magnitude::ONE);
                }
                jet
            }
            NodeOperation::Variable(v) if self.within.iter().any(|(w, _)| w == v) => {
                self.constant_jet(Majorant::abs_of_variable(*v))
            }
            NodeOperation::Unary(Unary::Negate, a) => self.bound_jet(a)?,
            NodeOperation::Unary(Unary::Abs, a) if !varies => self.bound_jet(a)?,
            NodeOperation::Binary(Binary::Add | Binary::Subtract, a, b) => {
                let (a, b) = (self.bound_jet(a)?, self.bound_jet(b)?);
                a.iter().zip(&b).map(|(a, b)| a.sum_bound(b)).collect()
            }
            NodeOperation::Binary(Binary::Multiply, a, b) => {
                let (a, b) = (self.bound_jet(a)?, self.bound_jet(b)?);
                self.multiply_jets(&a, &b)?
            }
            NodeOperation::Binary(Binary::Divide, a, b) => match self.bound_quotient(a, b) {
                Some(own) => own,
                None => self.bound_by_factors(graph)?,
            },
            NodeOperation::Power(a, exponent) if exponent.denominator == 1 && exponent.numerator >= 0 => {
                let a = self.bound_jet(a)?;
                let one = self.constant_jet(Majorant::constant(Magnitude::ONE));
                let n = u32::try_from(exponent.numerator).ok().filter(|n| *n <= MAX_POWER)?;
                (0..n).try_fold(one, |product, _| self.multiply_jets(&product, &a))?
            }
            // |a|^q ≤ 1 + |a| for 0 < q ≤ 1
            NodeOperation::Power(a, exponent)
                if !varies && 0 < exponent.numerator && exponent.numerator <= i64::from(exponent.denominator) =>
            {
                vec![self.bound_jet(a)?[0].sum_bound(&Majorant::constant(Magnitude::ONE))]
            }
            NodeOperation::Unary(Unary::Function(Function::Sqrt | Function::Cbrt), a) if !varies => {
                vec![self.bound_jet(a)?[0].sum_bound(&Majorant::constant(Magnitude::ONE))]
            }
            // (exp a)ₖ = exp a · eₖ, where exp a is at most `bound`
            NodeOperation::Unary(Unary::Function(Function::Exp), a) if bound.is_finite() => {
                let a = self.bound_jet(a)?;
                self.exp_ratio(&a)?.iter().map(|part| part.scale_by(bound)).collect()
            }
            NodeOperation::Unary(Unary::Function(Function::Log), a) => {
                let own = self.bound_positive(a)?;
                self.of_logarithm(&own)?
            }
            // a partial derivative in one variable, at a map: the first coefficient in that variable
            NodeOperation::Derivative(d)
                if self.order == 0 && d.along.iter().all(|along| along.as_rational() == Some(&1.into())) =>
            {
                let (&[v], [at]) = (&d.variables[..], &d.at[..]) else { return None };
                let is_own = matches!(at.operation(), NodeOperation::Variable(w) if *w == v);
                let outer = match is_own {
                    true => self.within.to_vec(),
                    false => [&[(v, self.range_of(at))], self.within].concat(),
                };
                let slope = MajorantSearch::new(&outer, Some(v), 1, self.budget).bound_jet(&d.body)?.swap_remove(1);
                self.constant_jet(slope)
            }
            _ => return None,
        })
        .map(|mut jet: MajorantJet| {
            // rules for constant parts give the coefficient of order 0 only
            jet.resize(self.order + 1, Majorant::default());
            jet
        })
    }
}

/// The greatest number of factors of a quotient. A choice.
const MAX_QUOTIENT_FACTORS: usize = 64;

/// Bounds of a positive map.
#[derive(Clone, Debug)]
struct PositiveBound {
    /// Bounds of its coefficients divided by its value; the first is 1.
    pub relative: MajorantJet,
    /// A bound of the absolute value of its logarithm.
    pub logarithm: Majorant,
}

/// Collects the factors and the divisors of a quotient. Returns `None` if there are too many.
fn collect_quotient(graph: &Graph) -> Option<[Vec<Graph>; 2]> {
    let (mut found, mut left) = ([Vec::new(), Vec::new()], MAX_QUOTIENT_FACTORS);
    let mut is_complete = true;
    graph.split_factors(1, &mut |g, n, can_split| {
        // signs do not matter: only absolute values are bounded
        if can_split && n.unsigned_abs() <= MAX_QUOTIENT_FACTORS as u64 {
            return false;
        }
        let times = if g.is_constant(-1) { 0 } else { usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX) };
        is_complete &= times <= left;
        left = left.saturating_sub(times);
        if is_complete {
            found[usize::from(n < 0)].extend(std::iter::repeat_n(g, times).cloned());
        }
        true
    });
    is_complete.then_some(found)
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
    fn of_logarithm(&self, own: &PositiveBound) -> Option<MajorantJet> {
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
    fn bound_positive(&mut self, graph: &Graph) -> Option<PositiveBound> {
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
        let range = self.range_of(graph);
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
    fn bound_by_factors(&mut self, graph: &Graph) -> Option<MajorantJet> {
        let [numerators, mut divisors] = collect_quotient(graph)?;
        if divisors.is_empty() {
            return None;
        }
        let mut product = self.unit_jet();
        for factor in numerators {
            let own = match self.bound_jet(&factor) {
                Some(own) => own,
                None => {
                    // the quotient of a term and its sum is at most 1
                    let index = divisors.iter().position(|b| self.is_a_term(&factor, b))?;
                    let divisor = divisors.swap_remove(index);
                    let (a, b) = (self.bound_positive(&factor)?, self.bound_positive(&divisor)?);
                    self.multiply_jets(&a.relative, &self.invert_relative(&b.relative)?)?
                }
            };
            product = self.multiply_jets(&product, &own)?;
        }
        for divisor in divisors {
            let least = reciprocal_bound(&self.range_of(&divisor))?;
            let own = self.bound_positive(&divisor)?;
            let own: MajorantJet =
                self.invert_relative(&own.relative)?.iter().map(|part| part.scale_by(least)).collect();
            product = self.multiply_jets(&product, &own)?;
        }
        Some(product)
    }

    /// Returns `true` if a map is a term of a sum whose other terms are positive.
    fn is_a_term(&mut self, a: &Graph, sum: &Graph) -> bool {
        if a.is_alpha_equivalent(sum) {
            return true;
        }
        let NodeOperation::Binary(Binary::Add, c, d) = sum.operation() else { return false };
        let mut one = |c: &Graph, d: &Graph| {
            crate::stack::with_stack(|| self.is_a_term(a, c)) && self.bound_positive(d).is_some()
        };
        one(c, d) || one(d, c)
    }
}
