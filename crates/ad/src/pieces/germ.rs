//! Germs of analytic maps on one side of a point, as expansions in fractional powers.
//!
//! A map made of analytic functions, quotients and roots that is analytic on an interval next to u is the sum of a
//! convergent series there (Puiseux)
//!
//! `f(u ± t) = c₀·t^(e/m) + c₁·t^((e+1)/m) + c₂·t^((e+2)/m) + …`, for small t > 0,
//!
//! unless the argument of a logarithm or an exponential function tends to infinity there. The first nonzero term
//! decides the sign of f next to the point. It also decides the limits of f, and of f′, whose series is that of f
//! differentiated term by term.
//!
//! For a map that is smooth at the point itself, value and slope there are enough. The coefficients are closed graphs.
//! One is 0 only if that is [decided](super::function): a series whose computed terms are all 0 is not taken for 0.
//!
//! | module | contents |
//! |---|---|
//! | `series` | the series, their sums, products, derivatives and integrals |
//! | `elementary` | powers, elementary functions |
//!
//! # Truncated series in fractional powers
//!
//! # Quotients
//!
//! Quotients, powers and elementary functions of series.
//!
//! | of a series a + u, where u tends to 0 | expansion |
//! |---|---|
//! | 1/c·t^e·(1 + u), powers of it | (1 + u)^q by the binomial recurrence |
//! | f, of a number a in the interior of its domain | f(a) + ∫ f′(a + u)·u′ dt, where f′ is the derivative in the row of f |
//! | f, of an end a of its domain that belongs to it | likewise: the derivative is a series with negative powers |
//! | f, of an end a where it is unbounded | tan only: sin/cos |

use super::function::decide_sign;
use crate::function::{
    ArgumentCondition, BinaryShape, Domain, DomainEnd, Formula, FormulaStep, Function, NumberSet, Planar,
};
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::{ComputableReal, Precision};
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::reverse::without_derivatives;
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::fmt;

/// The number of terms per integer power at first …
const FIRST_TERMS: usize = 4;
/// … and at most: two doublings. A choice: the cost of products grows with the square.
const MAX_TERMS: usize = 16;

/// The reason why a germ is unknown.
#[derive(Clone, Debug)]
pub enum GermError {
    /// All computed terms are 0.
    AllTermsZero,
    /// A coefficient was not decided to be 0 or not.
    UndecidedSign,
    /// An operation that has no expansion in powers there, or none that is implemented. Its name.
    NoExpansion(String),
    /// The budget ran out.
    BudgetExhausted,
}

impl fmt::Display for GermError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllTermsZero => f.write_str("all terms of an expansion that were computed are 0"),
            Self::UndecidedSign => f.write_str("the sign of a coefficient of an expansion was not decided"),
            Self::NoExpansion(name) => write!(f, "{name} has no expansion in powers there"),
            Self::BudgetExhausted => f.write_str("the time was up"),
        }
    }
}

/// The limit of a map at a point.
#[derive(Clone, Debug)]
pub enum GermLimit {
    /// A number, as a closed graph.
    Finite(Graph),
    /// Infinity: `Greater` for +∞, `Less` for -∞.
    Infinite(Ordering),
}

/// The first nonzero term of a series.
#[derive(Clone, Debug)]
pub struct LeadingTerm {
    /// The sign of the exponent: the map tends to 0 if it is positive, and is unbounded if it is negative.
    pub exponent: Ordering,
    /// The sign of the coefficient, hence of the map next to the point.
    pub sign: Ordering,
}

/// A side of a point on the real line.
#[derive(Clone, Debug)]
pub struct OneSidedPoint {
    /// The variable.
    pub variable: Variable,
    /// The point.
    pub at: Rational,
    /// The direction: `Greater` for numbers above the point, `Less` for numbers below.
    pub direction: Ordering,
}

/// The germs of maps of one variable on one side of a point.
#[derive(Debug)]
pub struct OneSidedGerms<'b> {
    side: OneSidedPoint,
    budget: &'b Budget,
    terms: usize,
    forms: RationalNormalForm,
    /// Finished series by node address. The graphs are kept alive, so that no address is reused.
    done: FxHashMap<usize, (Graph, Result<Germ, GermError>)>,
}

impl<'b> OneSidedGerms<'b> {
    /// Creates the collection. Nothing is computed yet.
    #[must_use]
    pub fn new(side: OneSidedPoint, budget: &'b Budget) -> Self {
        Self { side, budget, terms: FIRST_TERMS, forms: RationalNormalForm::default(), done: FxHashMap::default() }
    }

    /// Returns the first nonzero term of a map. Returns `None` if the map is 0 on the whole side.
    ///
    /// # Errors
    /// [`GermError`], if neither is decided.
    pub fn leading_term(&mut self, g: &Graph) -> Result<Option<LeadingTerm>, GermError> {
        if self.forms.normal_form(g).is_some_and(|fraction| fraction.is_zero()) {
            return Ok(None);
        }
        // a value at the point that is not 0 needs no expansion
        if let Some([value, _]) = self.value_and_slope(g)
            && let Ok(sign @ (Ordering::Less | Ordering::Greater)) = self.coefficient_sign(&value)
        {
            return Ok(Some(LeadingTerm { exponent: Ordering::Equal, sign }));
        }
        self.with_more_terms(g, |germs, germ| {
            let Some((germ, sign)) = germs.trim_zeros(germ)? else { return Ok(None) };
            Ok(Some(LeadingTerm { exponent: germ.first_power().cmp(&0), sign }))
        })
    }

    /// Returns the limit of a map at the point, by one formula or by two: they are equal numbers.
    ///
    /// # Errors
    /// [`GermError`], if neither formula is known.
    pub fn limit_formulas(&mut self, g: &Graph) -> Result<Vec<GermLimit>, GermError> {
        let there = self.value_and_slope(g).map(|[value, _]| GermLimit::Finite(value));
        let expanded = self.with_more_terms(g, Self::limit_of);
        match (there, expanded) {
            (None, Err(obstacle)) => Err(obstacle),
            (there, expanded) => Ok(there.into_iter().chain(expanded.ok()).collect()),
        }
    }

    /// Returns the limit of the derivative of a map at the point.
    ///
    /// # Errors
    /// [`GermError`], if it is unknown.
    pub fn limit_of_slope(&mut self, g: &Graph) -> Result<GermLimit, GermError> {
        // At a kink the derivative is Clarke's set of both sides, and not the limit from this one.
        if !has_kink(g)
            && let Some([_, slope]) = self.value_and_slope(g)
        {
            return Ok(GermLimit::Finite(slope));
        }
        let towards = self.side.direction;
        let limit = self.with_more_terms(g, |germs, germ| germs.limit_of(&germ.derivative()))?;
        // the series is in t, and x = u - t on the left: the slope changes its sign
        Ok(match (limit, towards) {
            (GermLimit::Finite(slope), Ordering::Less) => GermLimit::Finite(-&slope),
            (GermLimit::Infinite(sign), Ordering::Less) => GermLimit::Infinite(sign.reverse()),
            (limit, _) => limit,
        })
    }

    /// Returns value and slope at the point itself, if both are certainly defined and bounded there. At a kink the slope is
    /// Clarke's set.
    fn value_and_slope(&self, g: &Graph) -> Option<[Graph; 2]> {
        let (v, at) = (self.side.variable, Graph::rational(self.side.at.clone()));
        if !g.depends_on(v) {
            return None;
        }
        let slope = Graph::derivative(vec![v], g.clone(), vec![at.clone()], vec![Graph::integer(1)]);
        let evaluation = slope.compile_evaluation().ok()?;
        let is_defined = |tier: Precision| {
            let effort = PassOptions::new(Magnitude::power_of_two(-i64::from(tier.bits())), self.budget);
            evaluation.enclose_in_pass(tier, &effort).is_ok_and(|found| found.is_defined() && found.is_bounded())
        };
        // two precisions: doubles are enough for most maps
        [Precision::Double, Precision::Mpfr(128)].into_iter().any(is_defined).then(|| [g.substitute(&[(v, at)]), slope])
    }

    /// Runs `find` on the series of `g`, with twice as many terms whenever those computed are all 0.
    fn with_more_terms<T>(
        &mut self,
        g: &Graph,
        find: impl Fn(&mut Self, &Germ) -> Result<T, GermError>,
    ) -> Result<T, GermError> {
        loop {
            let found = self.expand_graph(g).and_then(|germ| find(self, &germ));
            match found {
                Err(GermError::AllTermsZero) if self.terms < MAX_TERMS => {
                    self.terms *= 2;
                    self.done.clear();
                }
                found => return found,
            }
        }
    }

    fn limit_of(&mut self, germ: &Germ) -> Result<GermLimit, GermError> {
        for power in germ.first_power()..0 {
            match self.coefficient_sign(&germ.coefficient(power).ok_or(GermError::AllTermsZero)?)? {
                Ordering::Equal => {}
                sign => return Ok(GermLimit::Infinite(sign)),
            }
        }
        germ.coefficient(0).map(GermLimit::Finite).ok_or(GermError::AllTermsZero)
    }

    /// Returns the sign of a coefficient.
    fn coefficient_sign(&self, c: &Graph) -> Result<Ordering, GermError> {
        decide_sign(c, self.budget)
            .map_err(|_| if self.budget.is_exhausted() { GermError::BudgetExhausted } else { GermError::UndecidedSign })
    }

    /// Drops the leading zeros of a series, and returns the sign of the first coefficient. Returns `None` for 0.
    fn trim_zeros(&self, germ: &Germ) -> Result<Option<(Germ, Ordering)>, GermError> {
        for (index, c) in germ.coefficients().iter().enumerate() {
            match self.coefficient_sign(c)? {
                Ordering::Equal => {}
                sign => return Ok(Some((germ.drop_leading(index), sign))),
            }
        }
        if germ.is_finite() { Ok(None) } else { Err(GermError::AllTermsZero) }
    }

    /// Returns the series of a map, and charges the budget for it.
    fn expand_graph(&mut self, g: &Graph) -> Result<Germ, GermError> {
        if let Some((_, done)) = self.done.get(&g.address()) {
            return done.clone();
        }
        let found = with_stack(|| self.expand_node(g)).map(|germ| germ.truncate_terms(self.terms));
        // a product costs the square of a length
        let cost = found.as_ref().map_or(1, |germ| 1 + germ.coefficients().len().pow(2) as u64);
        if !self.budget.spend(cost) {
            return Err(GermError::BudgetExhausted);
        }
        self.done.insert(g.address(), (g.clone(), found.clone()));
        found
    }

    fn expand_node(&mut self, g: &Graph) -> Result<Germ, GermError> {
        Ok(match g.operation() {
            NodeOperation::Variable(v) if *v == self.side.variable => {
                let step = if self.side.direction == Ordering::Less { -1 } else { 1 };
                Germ::affine_germ(Graph::rational(self.side.at.clone()), Graph::integer(step))
            }
            NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler => Germ::constant(g.clone()),
            NodeOperation::Unary(Unary::Negate, a) => {
                self.expand_graph(a)?.times(&Germ::constant(Graph::integer(-1)))?
            }
            NodeOperation::Unary(Unary::Function(f), a) => {
                let a = self.expand_graph(a)?;
                self.apply_function(*f, &a)?
            }
            NodeOperation::Binary(operation, a, b) => {
                let (x, y) = (self.expand_graph(a)?, self.expand_graph(b)?);
                match operation {
                    Binary::Add => x.add_signed(&y, 1)?,
                    Binary::Subtract => x.add_signed(&y, -1)?,
                    Binary::Multiply => x.times(&y)?,
                    Binary::Divide => x.times(&self.invert_series(&y)?)?,
                    Binary::Planar(f) => self.apply_binary(*f, &x, &y)?,
                    // next to the point one of the two is the greater, or they are equal
                    Binary::Maximum | Binary::Minimum => {
                        let difference = self.trim_zeros(&x.add_signed(&y, -1)?)?;
                        let is_second_greater = matches!(difference, Some((_, Ordering::Less)));
                        if is_second_greater == (*operation == Binary::Maximum) { y } else { x }
                    }
                }
            }
            NodeOperation::Power(a, exponent) => {
                let a = self.expand_graph(a)?;
                self.power_of_series(&a, &Rational::from((exponent.numerator, exponent.denominator)))?
            }
            NodeOperation::Derivative(_) => match &without_derivatives(std::slice::from_ref(g))[..] {
                [written] if !written.occurrences().has_derivative() => self.expand_graph(written)?,
                _ => return Err(no_expansion("a derivative")),
            },
            NodeOperation::Unary(Unary::Abs, a) => {
                let a = self.expand_graph(a)?;
                match self.trim_zeros(&a)? {
                    Some((_, Ordering::Less)) => a.times(&Germ::constant(Graph::integer(-1)))?,
                    _ => a,
                }
            }
            NodeOperation::Unary(Unary::Signum, a) => {
                let a = self.expand_graph(a)?;
                let sign = self.trim_zeros(&a)?.map_or(Ordering::Equal, |(_, sign)| sign);
                Germ::constant(Graph::integer(sign as i64))
            }
            NodeOperation::Variable(_) => return Err(no_expansion("another variable")),
            NodeOperation::Primitive(p, _) => return Err(no_expansion(&p.name)),
            NodeOperation::Second(p, ..) => return Err(no_expansion(p.functional().name())),
            NodeOperation::Select(..) => return Err(no_expansion("a choice by a guard")),
        })
    }
}

/// Returns `true` if a map may have a kink where its derivative is bounded. A jump needs no mention: the derivative is undefined
/// there.
fn has_kink(g: &Graph) -> bool {
    let (mut pending, mut seen) = (vec![g], FxHashSet::default());
    while let Some(g) = pending.pop() {
        match g.operation() {
            NodeOperation::Unary(Unary::Abs, _)
            | NodeOperation::Binary(Binary::Maximum | Binary::Minimum, ..)
            | NodeOperation::Select(..)
            | NodeOperation::Primitive(..)
            | NodeOperation::Second(..) => return true,
            operation if seen.insert(g.address()) => {
                pending.extend(operation.operands());
                pending.extend(operation.binder().map(|(_, body)| body));
            }
            _ => {}
        }
    }
    false
}

fn no_expansion(what: impl fmt::Display) -> GermError {
    GermError::NoExpansion(what.to_string())
}

/// A truncated series `Σ cₖ·t^(k/m)`. Its terms are known up to some power, or all of them are.
#[derive(Clone, Debug)]
pub struct Germ {
    first_power: i64,
    coefficients: Vec<Graph>,
    /// The denominator m of all exponents.
    ramification: u32,
    /// `true` if there are no further terms; otherwise they are unknown.
    finite: bool,
}

/// The largest common denominator of exponents. A choice, as the next: beyond it expansions would be too long.
const LARGEST_RAMIFICATION: u32 = 24;
/// The largest number of terms: a sum of powers far apart would need many.
const LONGEST: i64 = 1 << 10;

fn lcm(a: u32, b: u32) -> Result<u32, GermError> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    let least = (a / x).checked_mul(b).filter(|m| *m <= LARGEST_RAMIFICATION);
    least.ok_or_else(|| GermError::NoExpansion("a product or a sum of roots of so high orders".to_owned()))
}

impl Germ {
    /// Creates a constant.
    fn constant(c: Graph) -> Self {
        Self { first_power: 0, coefficients: vec![c], ramification: 1, finite: true }
    }

    /// Creates a + b·t.
    fn affine_germ(a: Graph, b: Graph) -> Self {
        Self { coefficients: vec![a, b], ..Self::constant(Graph::integer(0)) }
    }

    /// Creates c·t^(power/m).
    fn monomial(power: i64, c: Graph, ramification: u32) -> Self {
        Self { first_power: power, coefficients: vec![c], ramification, finite: true }
    }

    /// Creates a series whose terms from power `first` on, in units of 1/m, are `coefficients`. Terms beyond are
    /// unknown.
    fn from(first_power: i64, coefficients: Vec<Graph>, ramification: u32) -> Self {
        Self { first_power, coefficients, ramification, finite: false }
    }

    /// Returns the power of the first stored term, in units of 1/m.
    fn first_power(&self) -> i64 {
        self.first_power
    }

    /// Returns the known coefficients, from the first on.
    fn coefficients(&self) -> &[Graph] {
        &self.coefficients
    }

    /// Returns the denominator of all exponents.
    fn ramification(&self) -> u32 {
        self.ramification
    }

    /// Returns `true` if there are no further terms.
    fn is_finite(&self) -> bool {
        self.finite
    }

    /// Returns the first unknown power. Returns `None` if all terms are known.
    fn first_unknown_power(&self) -> Option<i64> {
        (!self.finite).then(|| self.first_power + self.coefficients.len() as i64)
    }

    /// Returns the coefficient of a power. Returns `None` if it is unknown.
    fn coefficient(&self, power: i64) -> Option<Graph> {
        let index = power - self.first_power;
        match usize::try_from(index).ok().map(|index| self.coefficients.get(index)) {
            None => Some(Graph::integer(0)),
            Some(Some(c)) => Some(c.clone()),
            Some(None) => self.finite.then(|| Graph::integer(0)),
        }
    }

    /// Drops leading terms, which must be 0.
    fn drop_leading(&self, terms: usize) -> Self {
        Self {
            first_power: self.first_power + terms as i64,
            coefficients: self.coefficients[terms..].to_vec(),
            ..self.clone()
        }
    }

    /// Truncates to the powers below `power`.
    fn truncate_below(&self, power: i64) -> Self {
        let known = usize::try_from(power - self.first_power).unwrap_or(0);
        if known >= self.coefficients.len() {
            return self.clone();
        }
        Self { coefficients: self.coefficients[..known].to_vec(), finite: false, ..self.clone() }
    }

    /// Truncates to `terms` terms for each whole power of t.
    fn truncate_terms(self, terms: usize) -> Self {
        let most = terms * self.ramification as usize;
        if self.coefficients.len() > most { self.truncate_below(self.first_power + most as i64) } else { self }
    }

    /// Rewrites the series over a multiple of its denominator.
    fn with_ramification(&self, ramification: u32) -> Self {
        let factor = ramification / self.ramification;
        if factor == 1 {
            return self.clone();
        }
        let between = factor as usize - 1;
        let mut coefficients = Vec::new();
        for c in &self.coefficients {
            coefficients.push(c.clone());
            coefficients.extend(std::iter::repeat_n(Graph::integer(0), between));
        }
        Self { first_power: self.first_power * i64::from(factor), coefficients, ramification, finite: self.finite }
    }

    fn align_exponents(&self, other: &Self) -> Result<[Self; 2], GermError> {
        let m = lcm(self.ramification, other.ramification)?;
        Ok([self.with_ramification(m), other.with_ramification(m)])
    }

    /// Returns `self + other` for `sign` 1, `self - other` for -1.
    ///
    /// # Errors
    /// [`GermError::NoExpansion`] if the exponents have no small common denominator; so for the product.
    fn add_signed(&self, other: &Self, sign: i64) -> Result<Self, GermError> {
        let [a, b] = self.align_exponents(other)?;
        let last = |g: &Self| g.first_power + g.coefficients.len() as i64;
        // a sum is known as far as both summands are
        let all = match (a.first_unknown_power(), b.first_unknown_power()) {
            (Some(p), Some(q)) => p.min(q),
            (Some(p), None) | (None, Some(p)) => p,
            (None, None) => last(&a).max(last(&b)),
        };
        let first = a.first_power.min(b.first_power).min(all);
        // a sum that is cut off here is no longer finite
        let end = all.min(first + LONGEST);
        let zero = || Graph::integer(0);
        let at = |g: &Self, k: i64| g.coefficient(k).unwrap_or_else(zero);
        let term = |k: i64| if sign < 0 { at(&a, k) - at(&b, k) } else { at(&a, k) + at(&b, k) };
        let coefficients = (first..end).map(term).collect();
        let finite = a.finite && b.finite && end == all;
        Ok(Self { first_power: first, coefficients, ramification: a.ramification, finite })
    }

    /// Drops leading coefficients that are literally 0: they would shorten the known part of a product.
    fn strip_zeros(&self) -> Self {
        self.drop_leading(self.coefficients.iter().take_while(|c| c.is_constant(0)).count())
    }

    /// Returns the product.
    fn times(&self, other: &Self) -> Result<Self, GermError> {
        let [a, b] = self.strip_zeros().align_exponents(&other.strip_zeros())?;
        let all = (a.coefficients.len() + b.coefficients.len()).saturating_sub(1) as i64;
        let first = a.first_power + b.first_power;
        // aᵢ·t^i + O(t^p) times bⱼ·t^j + O(t^q) is known below min(i + q, j + p)
        let ends = [
            b.first_unknown_power().map(|end| a.first_power + end),
            a.first_unknown_power().map(|end| b.first_power + end),
        ];
        let known = ends.into_iter().flatten().min().unwrap_or(first + all).max(first);
        let end = known.min(first + LONGEST);
        let finite = a.finite && b.finite && end == known;
        let mut coefficients = vec![Graph::integer(0); (end - first) as usize];
        for (i, x) in a.coefficients.iter().enumerate().filter(|(_, x)| !x.is_constant(0)) {
            for (c, y) in coefficients.iter_mut().skip(i).zip(&b.coefficients) {
                *c = &*c + x.times_where_defined(y);
            }
        }
        Ok(Self { first_power: first, coefficients, ramification: a.ramification, finite })
    }

    /// Returns the known terms as an exact finite series, if they are all of `a^q`: `√((1 + t)²) = 1 + t`. Returns
    /// `None` otherwise.
    fn as_finite_power(&self, a: &Self, q: &Rational) -> Option<Self> {
        let (n, d) = (q.numer().to_u32()?, q.denom().to_u32()?);
        let most = (a.coefficients.len() as u32).checked_sub(1)?.checked_mul(n)?;
        let length = (most.is_multiple_of(d) && n <= 8 && d <= 8).then(|| most as usize / d as usize + 1)?;
        // exact if the d-th power is aⁿ, checked by multiplying out: the degree of the root is n/d times that of a
        let root = Self { coefficients: self.coefficients.get(..length)?.to_vec(), finite: true, ..self.clone() };
        let power = |g: &Self, n: u32| (1..n).try_fold(g.clone(), |power, _| power.times(g)).ok();
        let rest =
            power(&root, d).filter(|_| a.is_finite())?.add_signed(&power(a, n)?, -1).ok().filter(Self::is_finite)?;
        rest.coefficients.iter().all(|c| c.is_constant(0)).then_some(root)
    }

    /// Returns d/dt, term by term.
    fn derivative(&self) -> Self {
        let m = i64::from(self.ramification);
        let term = |(k, c): (i64, &Graph)| Graph::rational(Rational::from((k, m))).times_where_defined(c);
        Self {
            first_power: self.first_power - m,
            coefficients: (self.first_power..).zip(&self.coefficients).map(term).collect(),
            ..self.clone()
        }
    }

    /// Returns an antiderivative without constant term. A term of power -1, whose antiderivative is a logarithm, is
    /// left out.
    fn integrate_terms(&self) -> Self {
        let m = i64::from(self.ramification);
        let term = |(k, c): (i64, &Graph)| match k + m {
            0 => Graph::integer(0),
            next => Graph::rational(Rational::from((m, next))).times_where_defined(c),
        };
        Self {
            first_power: self.first_power + m,
            coefficients: (self.first_power..).zip(&self.coefficients).map(term).collect(),
            ..self.clone()
        }
    }
}

/// The largest numerator of an exponent, in units of 1/m. A choice: longer series are useless.
const LARGEST_POWER: i64 = 1 << 24;

impl OneSidedGerms<'_> {
    /// 1/a
    fn invert_series(&self, a: &Germ) -> Result<Germ, GermError> {
        self.power_of_series(a, &Rational::from(-1))
    }

    /// a^q
    fn power_of_series(&self, a: &Germ, q: &Rational) -> Result<Germ, GermError> {
        let whole = (*q.denom() == 1).then(|| q.numer().to_u32()).flatten();
        // small powers by products, which keep finite series finite
        if let Some(n) = whole.filter(|n| *n <= 3) {
            let power = (0..n).try_fold(Germ::constant(Graph::integer(1)), |power, _| power.times(a));
            return Ok(power?.truncate_terms(self.terms));
        }
        let Some((a, _)) = self.trim_zeros(a)? else {
            return if *q > 0 { Ok(Germ::constant(Graph::integer(0))) } else { Err(no_expansion("a power of 0")) };
        };
        // the exponent of the first term, over the denominator m, or a multiple of it
        let exponent = Rational::from(q * a.first_power()) / a.ramification();
        let denominator = exponent.denom().to_u32().filter(|d| *d <= LARGEST_RAMIFICATION);
        let ramification = denominator.map_or(u32::MAX, |d| d.saturating_mul(a.ramification()));
        if ramification > LARGEST_RAMIFICATION {
            return Err(no_expansion("a root of such a high order"));
        }
        let a = a.with_ramification(ramification);
        let power = (exponent * ramification).to_f64();
        if power.abs() > LARGEST_POWER as f64 {
            return Err(no_expansion("a power of such a high order"));
        }
        let Some((lead, rest)) = a.coefficients().split_first() else { return Err(GermError::AllTermsZero) };
        let first = power_of_coefficient(lead, q)?;
        if rest.is_empty() && a.is_finite() {
            return Ok(Germ::monomial(power as i64, first, ramification));
        }
        // (1 + Σ aₙtⁿ)^q = Σ rₙtⁿ: n·rₙ = Σⱼ (q·j - (n - j))·aⱼ·rₙ₋ⱼ
        let known = if a.is_finite() { self.terms * ramification as usize } else { rest.len() + 1 };
        let relative: Vec<_> = rest.iter().map(|c| c / lead).collect();
        let mut terms = vec![Graph::integer(1)];
        for n in 1..known {
            let mut total = Graph::integer(0);
            for j in 1..=n.min(relative.len()) {
                let factor = (Rational::from(q * (j as u64)) - ((n - j) as u64)) / (n as u64);
                let term = Graph::rational(factor).times_where_defined(&relative[j - 1]);
                total = total + term.times_where_defined(&terms[n - j]);
            }
            terms.push(total);
        }
        let terms = terms.iter().map(|r| first.times_where_defined(r)).collect();
        let found = Germ::from(power as i64, terms, ramification);
        Ok(found.as_finite_power(&a, q).unwrap_or(found))
    }

    /// f(x)
    fn apply_function(&mut self, f: Function, x: &Germ) -> Result<Germ, GermError> {
        let end = self.terms as i64 * i64::from(x.ramification());
        self.function_below(f, x, end)
    }

    /// The powers of f(x) below one.
    fn function_below(&mut self, f: Function, x: &Germ, end: i64) -> Result<Germ, GermError> {
        if let Some(n) = f.root_degree() {
            return self.power_of_series(x, &Rational::from((1, u32::from(n))));
        }
        if f.is_tangent() {
            let [sine, cosine] = [Function::Sin, Function::Cos].map(|f| self.function_below(f, x, end));
            return Ok(sine?.times(&self.invert_series(&cosine?)?)?.truncate_terms(self.terms));
        }
        // all other functions are analytic, or have a series at a closed end, for arguments that stay finite
        let x = self.without_poles(f, x)?;
        let a = x.coefficient(0).ok_or(GermError::AllTermsZero)?;
        self.check_interior(f, &a)?;
        let start = function_value(f, &a);
        let end = x.first_unknown_power().map_or(end, |known| known.min(end));
        // the first power with a coefficient that may vary
        let moving =
            (1..end).find(|k| x.coefficient(*k).and_then(|c| c.as_rational().cloned()) != Some(Rational::new()));
        let Some(moving) = moving else {
            let constant = Germ::constant(start);
            if x.is_finite() && x.coefficients().len() as i64 + x.first_power() <= 1 {
                return Ok(constant);
            }
            // at a closed end, where f is not analytic, f(a + O(tⁿ)) is not f(a) + O(tⁿ)
            if self.is_at_domain_end(f, &a)? {
                return Err(GermError::AllTermsZero);
            }
            return constant.add_signed(&Germ::from(end, Vec::new(), x.ramification()), 1);
        };
        let (slope, motion) = (f.slope_formula(), x.truncate_below(end).derivative());
        // integration gains `moving` powers, so the derivative needs that many fewer; at a closed end it needs all
        let inner = if self.is_at_domain_end(f, &a)? { x.truncate_below(end) } else { x.truncate_below(end - moving) };
        // f′ may be a formula in f itself, as exp′ = exp: then iterate, since each turn makes more terms of y right
        let mut y = Germ::constant(start.clone()).add_signed(&Germ::from(moving, Vec::new(), x.ramification()), 1)?;
        loop {
            let slope = self.evaluate_formula(slope, &[&inner], &y, (end - moving, x.ramification()))?;
            let rise = slope.times(&motion)?;
            let m = i64::from(rise.ramification());
            // 1/t is the derivative of a logarithm
            if self.coefficient_sign(&rise.coefficient(-m).ok_or(GermError::AllTermsZero)?)? != Ordering::Equal {
                return Err(no_expansion(f.name()));
            }
            let next = Germ::constant(start.clone()).add_signed(&rise.integrate_terms(), 1)?.truncate_terms(self.terms);
            let known = |germ: &Germ| germ.first_unknown_power().map(|end| Rational::from((end, germ.ramification())));
            if !f.slope_formula().mentions_value() || known(&next) <= known(&y) {
                return Ok(next);
            }
            y = next;
        }
    }

    /// Drops terms of negative powers. Fails unless their coefficients are decided to be 0.
    fn without_poles(&self, f: Function, x: &Germ) -> Result<Germ, GermError> {
        for power in x.first_power()..0 {
            if self.coefficient_sign(&x.coefficient(power).ok_or(GermError::AllTermsZero)?)? != Ordering::Equal {
                return Err(no_expansion(f.name()));
            }
        }
        Ok(if x.first_power() < 0 {
            x.drop_leading(usize::try_from(-x.first_power()).unwrap_or(0).min(x.coefficients().len()))
        } else {
            x.clone()
        })
    }

    /// Returns `true` if `a` is an end of the domain that belongs to it.
    fn is_at_domain_end(&self, f: Function, a: &Graph) -> Result<bool, GermError> {
        let Domain { left, right } = f.row().conditions.interval();
        for edge in [left, right] {
            let DomainEnd::Closed(at) = edge else { continue };
            if self.coefficient_sign(&(a - Graph::integer(at.into())))? == Ordering::Equal {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Rejects numbers at which a function is unbounded.
    fn check_interior(&self, f: Function, a: &Graph) -> Result<(), GermError> {
        let conditions = f.row().conditions;
        let Domain { left, right } = conditions.interval();
        for edge in [left, right] {
            let DomainEnd::Open(at) = edge else { continue };
            if self.coefficient_sign(&(a - Graph::integer(at.into())))? == Ordering::Equal {
                return Err(no_expansion(f.name()));
            }
        }
        // Γ and its relatives: only for positive numbers, where there are no poles
        let has_poles = |condition: ArgumentCondition| condition.set == NumberSet::ExceptNonPositiveIntegers;
        if conditions.value.single_conditions().any(has_poles) && self.coefficient_sign(a)? != Ordering::Greater {
            return Err(no_expansion(f.name()));
        }
        Ok(())
    }

    /// Evaluates a formula on series, with `y` for the value of the function; `end` is the first unneeded power, and
    /// its denominator.
    fn evaluate_formula(
        &mut self,
        formula: Formula,
        x: &[&Germ],
        y: &Germ,
        end: (i64, u32),
    ) -> Result<Germ, GermError> {
        let terms = self.terms;
        formula.eval_with(&mut |step: FormulaStep<Result<Germ, GermError>>| {
            let number = |q: Rational| Germ::constant(Graph::rational(q));
            let found = match step {
                FormulaStep::Argument(index) => x
                    .get(index)
                    .map_or_else(|| Err(no_expansion("a function of two variables")), |x| Ok((*x).clone()))?,
                FormulaStep::Y => y.clone(),
                FormulaStep::Number(p, q) => number(Rational::from((p, q))),
                FormulaStep::Pi => Germ::constant(Graph::pi()),
                FormulaStep::Negate(a) => a?.times(&number(Rational::from(-1)))?,
                FormulaStep::Add(a, b) => a?.add_signed(&b?, 1)?,
                FormulaStep::Subtract(a, b) => a?.add_signed(&b?, -1)?,
                FormulaStep::Multiply(a, b) => a?.times(&b?)?,
                FormulaStep::Divide(a, b) => a?.times(&self.invert_series(&b?)?)?,
                FormulaStep::Square(a) => self.power_of_series(&a?, &Rational::from(2))?,
                FormulaStep::Inverse(a) => self.invert_series(&a?)?,
                FormulaStep::InverseRoot(a) => self.power_of_series(&a?, &Rational::from((-1, 2)))?,
                FormulaStep::Apply(f, a) => {
                    let a = a?;
                    let end = end.0 * i64::from(a.ramification()) / i64::from(end.1);
                    self.function_below(f, &a, end)?
                }
            };
            Ok(found.truncate_terms(terms))
        })
    }

    /// Expands a function of two variables.
    fn apply_binary(&mut self, f: Planar, y: &Germ, x: &Germ) -> Result<Germ, GermError> {
        match f.row().shape {
            BinaryShape::Angle => self.expand_angle(y, x),
        }
    }

    /// Expands the angle of (x, y): arctan (y/x) plus a half turn, or a quarter turn minus arctan (x/y).
    fn expand_angle(&mut self, y: &Germ, x: &Germ) -> Result<Germ, GermError> {
        let half = |n: i64, d: i64| Germ::constant(Graph::rational(Rational::from((n, d))) * Graph::pi());
        let order = |germ: &Germ| Rational::from((germ.first_power(), germ.ramification()));
        let (height, width) = (self.trim_zeros(y)?, self.trim_zeros(x)?);
        let (over, under, turn, sign) = match (height, width) {
            (None, None) => return Err(no_expansion("atan2")),
            // divide by the larger of the two: the quotient tends to a finite number
            (Some((y, above)), Some((x, _))) if order(&y) < order(&x) => {
                (x, y, half(if above == Ordering::Less { -1 } else { 1 }, 2), -1)
            }
            (Some((_, above)), None) => return Ok(half(if above == Ordering::Less { -1 } else { 1 }, 2)),
            (None, Some((_, Ordering::Less))) => return Ok(half(1, 1)),
            (None, Some(_)) => return Ok(Germ::constant(Graph::integer(0))),
            (Some((y, above)), Some((x, right))) => {
                let turn = match (right, above) {
                    // on the negative half axis the angle jumps; y = 0 belongs to the upper side
                    (Ordering::Less, Ordering::Less) => half(-1, 1),
                    (Ordering::Less, _) => half(1, 1),
                    _ => Germ::constant(Graph::integer(0)),
                };
                (y, x, turn, 1)
            }
        };
        let ratio = over.times(&self.invert_series(&under)?)?.truncate_terms(self.terms);
        turn.add_signed(&self.apply_function(Function::Atan, &ratio)?, sign)
    }
}

/// Returns f(a), as a rational number if it is known to be one.
fn function_value(f: Function, a: &Graph) -> Graph {
    let exact = a.as_rational().and_then(|q| {
        let x = q.to_f64();
        let known = f.exact_value(x).filter(|_| Rational::from_f64(x).as_ref() == Some(q))?;
        Rational::from_f64(known)
    });
    exact.map_or_else(|| Graph::function(f, a), Graph::rational)
}

/// Returns c^q, as a rational number if roots and powers are exact. Fails for exponents that are too large.
fn power_of_coefficient(c: &Graph, q: &Rational) -> Result<Graph, GermError> {
    if let (Some(c), Some(n), Some(d)) = (c.as_rational(), q.numer().to_i32(), q.denom().to_u32())
        && n.unsigned_abs() <= 64
        && let Some(root) = rational_root(c, d)
    {
        let power = |q: &Rational| (0..n.unsigned_abs()).fold(Rational::from(1), |power, _| power * q);
        return Ok(Graph::rational(if n < 0 { power(&root.recip()) } else { power(&root) }));
    }
    Graph::power(c, q).ok_or_else(|| no_expansion("a power of such a high order"))
}

/// Returns the rational root of this order. Returns `None` if there is none.
fn rational_root(q: &Rational, order: u32) -> Option<Rational> {
    if order == 1 {
        return Some(q.clone());
    }
    if *q < 0 && order.is_multiple_of(2) {
        return None;
    }
    let root = Rational::from((q.numer().clone().root(order), q.denom().clone().root(order)));
    let power = (0..order).fold(Rational::from(1), |power, _| power * &root);
    (power == *q).then_some(root)
}
