//! Functions of asymptotic series, the edge forms of the table of functions among them.
//!
//! | a function of a series | is |
//! |---|---|
//! | a smooth function of `b + d`, d going to 0 | `f b + d·f′`, with f′ on all `b + τ·d`, 0 ≤ τ ≤ 1 (mean value) |
//! | a function of the table of `b + d`, whose slope at b is 0 | `f b + d²·f″/2`, so that `cosh d - 1` is positive |
//! | an inverse, a root or power of `m₀·(b + d)` | that of m₀ times that of `b + d`; an even root needs that it is not negative |
//! | `log (m₀·(b + d))` | the exponent of m₀, powers by `log s = A - L`, `0 ≤ log L ≤ Lᵝ·sup`, and `log (b + d)` |
//! | `exp (k·L + r)` with a bounded r | `exp (k·A)·s⁻ᵏ·exp r`; a k that moves with the inputs gives powers of L |
//! | `exp` of another unbounded value | an atom of its own, which is not bounded until that is needed |
//! | a function of the table of a value that goes to ±∞ | its [edge form](crate::function::EdgeForm) |
//! | `atan2 y x` | `arctan (y/x)` for x > 0, `±π/2 - arctan (x/y)` for y > 0 and y < 0 |
//! | a bounded function of an unbounded value | its range, if no input varies |
//!
//! For the mean value let `f b + d·g` with `g = ∫₀¹ f′(b + τd) dτ`. For every τ the jet of `f′(b + τd)` in the inputs lies in
//! that computed on all `b + [0, 1]·d`; and so does their mean.

use super::scale::{ScaleMonomial, raise_to};
use super::series::{AsymptoticSeries, AsymptoticTerm, SeriesArithmetic};
use crate::function::{EdgeForm, EdgeTail, Formula, FormulaStep, Monotonicity, Planar};
use crate::number::Rational;
use crate::number::arithmetic::{Function, Sign};
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::program::BlockRegister;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// β in `log L ≤ Lᵝ·sup`: a choice between a small power and a small factor.
const LOG_POWER: (u32, u32) = (1, 8);
/// The greatest width of an exponent that is seen as a number and a small rest, as that of a decimal is. A choice.
const MOST_SPREAD: (u32, u32) = (1, 1 << 16);

/// The operand of a function.
#[derive(Clone, Debug)]
pub struct AsymptoticOperand<'a, N> {
    /// Its series.
    pub series: &'a AsymptoticSeries<N>,
    /// The series as one term.
    pub leading: &'a AsymptoticTerm<N>,
    /// The operand as a linear form in registers. Exponentials of such forms cancel exactly.
    pub form: Option<RegisterForm>,
}

/// A number and a sum of registers with coefficients: how a value is computed linearly.
#[derive(Clone, Debug, Default)]
pub struct RegisterForm {
    /// The number.
    pub constant: Rational,
    /// The coefficients of the registers, none of them 0.
    pub terms: BTreeMap<BlockRegister, Rational>,
}

impl RegisterForm {
    /// Creates the form of a register alone.
    #[must_use]
    pub fn of_register(register: BlockRegister) -> Self {
        Self { constant: Rational::new(), terms: BTreeMap::from([(register, Rational::from(1))]) }
    }

    /// Returns `self + c·other`.
    #[must_use]
    pub fn plus_multiple(&self, c: &Rational, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.constant += Rational::from(c * &other.constant);
        for (register, own) in &other.terms {
            *sum.terms.entry(*register).or_default() += Rational::from(c * own);
        }
        sum.terms.retain(|_, c| *c != 0);
        sum
    }

    /// Returns `-self`.
    #[must_use]
    pub fn negate_form(&self) -> Self {
        Self::default().plus_multiple(&Rational::from(-1), self)
    }
}

impl<C: HookedContext> SeriesArithmetic<'_, '_, C> {
    /// Splits a series into `b + d`, where b does not depend on s.
    fn split_constant(&self, a: &AsymptoticSeries<C::Num>) -> (Jet<C::Num>, AsymptoticSeries<C::Num>) {
        let (mut limit, mut rest) = (Jet::constant(self.context().enclose_integer(0)), Vec::new());
        for term in &a.terms {
            if term.monomial.is_one() {
                limit = self.outer.add(&limit, &term.factor);
            } else {
                rest.push(term.clone());
            }
        }
        (limit, AsymptoticSeries { terms: rest })
    }

    /// Applies a smooth function to `b + d` by the mean value theorem.
    ///
    /// `f` and `slope` are the function and its slope, by the argument and, for the slope, the value there.
    fn smooth_function(
        &self,
        a: &AsymptoticSeries<C::Num>,
        f: impl Fn(&Jet<C::Num>) -> Jet<C::Num>,
        slope: impl Fn(&Jet<C::Num>, &Jet<C::Num>) -> Jet<C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        let (limit, rest) = self.split_constant(a);
        // Nothing moves with s, so the function is computed once.
        if rest.terms.is_empty() {
            return self.series_of_constant(f(&limit));
        }
        let whole = self.outer.add(&limit, &self.times_unit_interval(&self.range_of(&rest)?));
        let value = f(&whole);
        let slope = slope(&whole, &value);
        let at_limit = f(&limit);
        if self.is_known(&self.outer.value_of(&slope)) && self.is_known(&self.outer.value_of(&at_limit)) {
            let change = self.multiply_series(&rest, &self.series_of_constant(slope)?);
            return self.add_series(&change?, &self.series_of_constant(at_limit)?);
        }
        // Without a slope only the range is left.
        self.series_of_constant(value)
    }

    /// Applies a function to `b + d` where its slope at b is 0 for all inputs nearby: as `f b + d²·f″/2`, with f″/2 on all of
    /// `b + [0, 1]·d` (Taylor, integral form). Returns `None` for another slope, or if d or f″ is not seen to be bounded.
    fn function_at_extreme(
        &self,
        f: Function,
        slope: &Formula,
        a: &AsymptoticSeries<C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        let (limit, rest) = self.split_constant(a);
        let at_limit = self.outer.apply_function(f, &limit);
        let flat = self.is_zero(&self.outer.evaluate_formula(slope, &[&limit], &at_limit)) == Some(true);
        if rest.terms.is_empty() || !flat {
            return None;
        }
        let mut along = self.outer.add(&limit, &self.times_unit_interval(&self.range_of(&rest)?));
        let extended = self.outer.algebra.adjoin(AlgebraGenerator::Direction(2))?;
        let (_, step) = extended.power_slice(1).iter().find(|(m, _)| *m == 0)?;
        along.set(*step as usize, Some(self.context().enclose_integer(1)));
        let expansion = self.machine.jets(&extended).apply_function(f, &along);
        let second = extended.power_slice(2).iter().map(|&(_, here)| expansion.get(here as usize).cloned());
        let change = self.multiply_series(&self.square_series(&rest)?, &self.series_of_constant(Jet::new(second))?);
        self.add_series(&change?, &self.series_of_constant(at_limit)?)
    }

    /// Returns a power with a rational exponent p/q in lowest terms. Returns `None` if it is not seen to be defined.
    pub fn raise_series(
        &self,
        a: &AsymptoticSeries<C::Num>,
        leading: &AsymptoticTerm<C::Num>,
        (p, q): (i64, u32),
    ) -> Option<AsymptoticSeries<C::Num>> {
        let outer = &self.outer;
        let e = Rational::from((p, q));
        let sign = self.sign(&leading.factor);
        // The monomials are positive; an even root needs a factor without negative numbers as well.
        if q.is_multiple_of(2) && sign != Sign::Positive {
            if !self.context().is_nonnegative(&outer.value_of(&leading.factor)) {
                return None;
            }
            self.machine.record_function_boundary(outer, Function::Sqrt, &leading.factor);
        }
        let raised = |x: &Jet<C::Num>| outer.power(x, p, q);
        if q == 1 && p == 2 {
            return self.square_series(a);
        }
        // (xᵉ)′ = e·xᵉ/x
        let slope =
            |x: &Jet<C::Num>, y: &Jet<C::Num>| outer.scale(&outer.divide(y, x), &self.context().enclose_rational(&e));
        if a.terms.len() > 1
            && sign != Sign::Undecided
            && let Some((monomial, rest)) = self.factor_out(a)
            && let Some(found) = self.smooth_function(&rest, raised, slope)
        {
            return Some(self.times_monomial(&found, &monomial.raised_to(&e)));
        }
        self.series_of_term(leading.monomial.raised_to(&e), raised(&leading.factor))
    }

    /// Returns a/b. Returns `None` unless b is seen not to be 0.
    pub fn divide_series(
        &self,
        a: &AsymptoticSeries<C::Num>,
        b: &AsymptoticSeries<C::Num>,
        leading: &AsymptoticTerm<C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        if self.sign(&leading.factor) == Sign::Undecided {
            return None;
        }
        // A single term divides every term exactly.
        if let [divisor] = &b.terms[..] {
            let divided = self.map_factors(a, |factor| self.outer.divide(factor, &divisor.factor));
            return self
                .collect_terms(self.times_monomial(&divided, &divisor.monomial.raised_to(&Rational::from(-1))).terms);
        }
        self.multiply_series(a, &self.raise_series(b, leading, (-1, 1))?)
    }

    /// Returns the logarithm. Returns `None` unless the value is seen to be positive.
    pub fn logarithm_of_series(
        &self,
        a: &AsymptoticSeries<C::Num>,
        leading: &AsymptoticTerm<C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        let outer = &self.outer;
        if self.sign(&leading.factor) != Sign::Positive {
            return None;
        }
        let log = |x: &Jet<C::Num>| {
            self.machine.record_function_boundary(outer, Function::Log, x);
            outer.apply_function(Function::Log, x)
        };
        // Put together under m₀, a sum gives a constant and a rest that goes to 0.
        let parts = if a.terms.len() > 1 { self.factor_out(a) } else { None };
        let own = parts.and_then(|(monomial, rest)| {
            Some((monomial, self.smooth_function(&rest, log, |x, _| outer.reciprocal(x))?))
        });
        let (monomial, own) = match own {
            Some(found) => found,
            None => (leading.monomial.clone(), self.series_of_constant(log(&leading.factor))?),
        };
        let mut sum = self.add_series(&self.exponent_of(&monomial)?, &own)?;
        sum = self.add_series(&sum, &self.log_of_s(&monomial.power)?)?;
        if monomial.log_power != 0 {
            sum = self.add_series(&sum, &self.log_of_log(&monomial.log_power)?)?;
        }
        Some(sum)
    }

    /// Bounds `q·log L` by a power of L.
    fn log_of_log(&self, q: &Rational) -> Option<AsymptoticSeries<C::Num>> {
        let context = self.context();
        let beta = Rational::from(LOG_POWER);
        // log L·L^-β is greatest at L = exp (1/β), where it is 1/(βe).
        let peak = context.apply_function(Function::Exp, &context.enclose_rational(&beta.clone().recip()));
        let first = &self.log_at_one;
        let at = |l: &C::Num| {
            context.mul(&context.apply_function(Function::Log, l), &raise_to(context, l, &Rational::from(-&beta)))
        };
        let most = if context.is_strictly_below(&peak, first) { at(first) } else { at(&peak) };
        let bound = self.hull_with_zero(&most);
        self.series_of_term(
            ScaleMonomial::of_powers(0, beta),
            Jet::constant(context.mul(&context.enclose_rational(q), &bound)),
        )
    }

    /// Returns the exponential.
    pub fn exponential_of_operand(&self, x: &AsymptoticOperand<'_, C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        let exp = |x: &Jet<C::Num>| self.outer.apply_function(Function::Exp, x);
        if self.range_of_monomial(&x.leading.monomial).is_some() {
            return match self.range_of(x.series) {
                Some(_) => self.smooth_function(x.series, exp, |_, y| y.clone()),
                None => self.series_of_constant(exp(&self.range_of_term(x.leading)?)),
            };
        }
        // A power is worth more than an atom: its integral is exact.
        if let Some(found) = self.exponential_as_power(x.series) {
            return Some(found);
        }
        if let Some(found) = x.form.as_ref().and_then(|form| self.exponential_of_form(form)) {
            return Some(found);
        }
        let atom = self.add_atom(x.series.clone(), Some(x.leading.clone()));
        self.series_of_term(ScaleMonomial::of_atom(atom, Rational::from(1)), self.one())
    }

    /// Returns the exponential of a series of which only L itself is unbounded. Returns `None` for any other.
    fn exponential_as_power(&self, a: &AsymptoticSeries<C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        let logarithm = ScaleMonomial::of_powers(0, 1);
        let (own, rest): (Vec<_>, Vec<_>) = a.terms.iter().cloned().partition(|term| term.monomial == logarithm);
        let rest = AsymptoticSeries { terms: rest };
        let ([own], Some(_)) = (&own[..], self.range_of(&rest)) else { return None };
        let exp = |x: &Jet<C::Num>| self.outer.apply_function(Function::Exp, x);
        let power = self.exponential_of_logarithm(&own.factor)?;
        self.multiply_series(&power, &self.smooth_function(&rest, exp, |_, y| y.clone())?)
    }

    /// Returns the exponential of a linear form: the unbounded registers are atoms, the others give a bounded factor. Returns
    /// `None` if a register is unknown.
    fn exponential_of_form(&self, form: &RegisterForm) -> Option<AsymptoticSeries<C::Num>> {
        let exp = |x: &Jet<C::Num>| self.outer.apply_function(Function::Exp, x);
        let mut bounded = self.series_of_constant(Jet::constant(self.context().enclose_rational(&form.constant)))?;
        let mut powers = self.series_of_constant(self.one())?;
        let mut monomial = ScaleMonomial::of_one();
        for (register, c) in &form.terms {
            let (series, atom) = self.register_series(*register)?;
            let scale = self.context().enclose_rational(c);
            let multiple = self.map_factors(&series, |factor| self.outer.scale(factor, &scale));
            if self.range_of(&series).is_some() {
                bounded = self.add_series(&bounded, &multiple)?;
            } else if let Some(power) = self.exponential_as_power(&multiple) {
                powers = self.multiply_series(&powers, &power)?;
            } else {
                monomial = monomial.times_monomial(&ScaleMonomial::of_atom(atom, c.clone()));
            }
        }
        let factor = self.multiply_series(&powers, &self.smooth_function(&bounded, exp, |_, y| y.clone())?)?;
        Some(self.times_monomial(&factor, &monomial))
    }

    /// Returns `exp (k·L)` as powers. Returns `None` if the value of k is unknown.
    fn exponential_of_logarithm(&self, k: &Jet<C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let kappa = context.to_enclosure(&outer.value_of(k));
        let (lo, hi) = (kappa.lo().to_rational()?, kappa.hi().to_rational()?);
        // exp (κL) = exp (κA)·s^-κ, and of an interval of κ the greatest end counts: with δ = hi - lo the factor exp ((κ - hi)·L)
        // lies in [0, 1], and between 1 - δL and 1.
        let spread = Rational::from(&hi - &lo);
        let is_narrow = spread <= Rational::from(MOST_SPREAD);
        let exponent = if is_narrow { context.enclose_rational(&hi) } else { outer.value_of(k) };
        let at_one = context.apply_function(Function::Exp, &context.mul(&exponent, &self.log_at_one));
        let mut coefficient = Jet::constant(if is_narrow { at_one } else { self.hull_with_zero(&at_one) });
        let rest = self.hull_with_zero(&context.neg(&context.enclose_rational(&spread)));
        let nilpotent = outer.nilpotent_part(k);
        // All terms have one exponent, so that their quotients are fixed.
        let own = (!k.is_constant())
            .then(|| (self.add_atom(AsymptoticSeries { terms: Vec::new() }, None), Rational::from(1)));
        let moving: BTreeMap<_, _> = own.into_iter().collect();
        let mut terms = Vec::new();
        for j in 0..outer.nilpotency_bound(&nilpotent) {
            // nʲ/j!, the coefficient of Lʲ
            if j > 0 {
                let product = outer.multiply(&coefficient, &nilpotent);
                coefficient = outer.map_coefficients(&product, |c| context.div_integer(c, u64::from(j)));
            }
            let monomial =
                |q| ScaleMonomial { moving: moving.clone(), ..ScaleMonomial::of_powers(Rational::from(-&hi), q) };
            if is_narrow && spread != 0 {
                terms.push(AsymptoticTerm { monomial: monomial(j + 1), factor: outer.scale(&coefficient, &rest) });
            }
            terms.push(AsymptoticTerm { monomial: monomial(j), factor: coefficient.clone() });
        }
        self.collect_terms(terms)
    }

    /// Encloses a term for all 0 < s ≤ 1. Returns `None` if it is not bounded.
    pub(super) fn range_of_term(&self, term: &AsymptoticTerm<C::Num>) -> Option<Jet<C::Num>> {
        Some(self.outer.multiply(&self.range_of_monomial(&term.monomial)?, &term.factor))
    }

    /// Applies an elementary function. Returns `None` if no rule applies.
    pub fn apply_function(&self, f: Function, x: &AsymptoticOperand<'_, C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        let outer = &self.outer;
        let at = |x: &Jet<C::Num>| {
            self.machine.record_function_boundary(outer, f, x);
            outer.apply_function(f, x)
        };
        match (f, f.row().monotonicity) {
            (_, Monotonicity::Root(n)) => self.raise_series(x.series, x.leading, (1, n.into())),
            (Function::Log, _) => self.logarithm_of_series(x.series, x.leading),
            (Function::Exp, _) => self.exponential_of_operand(x),
            _ => {
                if let Some(found) = self.function_at_pole(f, x) {
                    return Some(found);
                }
                if self.range_of_monomial(&x.leading.monomial).is_some() {
                    let slope = f.slope_formula();
                    if let Some(found) = self.function_at_extreme(f, &slope, x.series) {
                        return Some(found);
                    }
                    return match self.range_of(x.series) {
                        Some(_) => self.smooth_function(x.series, at, |x, y| outer.evaluate_formula(&slope, &[x], y)),
                        None => self.series_of_constant(at(&self.range_of_term(x.leading)?)),
                    };
                }
                // A value that is not seen to be bounded need not be unbounded: its inverse decides.
                let inverse = x.leading.monomial.raised_to(&Rational::from(-1));
                let edge = f.row().edge.as_ref().filter(|_| self.range_of_monomial(&inverse).is_some());
                edge.and_then(|edge| self.edge_form(edge, x)).or_else(|| self.range_everywhere(f, x.series))
            }
        }
    }

    /// Returns the range of a bounded function on all of ℝ, without a limit. Returns `None` if an input varies: the range says
    /// nothing of derivatives.
    fn range_everywhere(&self, f: Function, x: &AsymptoticSeries<C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        if !self.is_constant(x) {
            return None;
        }
        self.may_oscillate.set(true);
        let any = self.context().mark_defined(self.context().bottom());
        self.series_of_constant(Jet::constant(self.context().apply_function(f, &any)))
    }

    /// Returns `true` if no factor varies with an input, in exponents included.
    fn is_constant(&self, x: &AsymptoticSeries<C::Num>) -> bool {
        let atoms = |term: &AsymptoticTerm<C::Num>| term.monomial.exponent.keys().copied().collect::<Vec<_>>();
        x.terms.iter().all(|term| {
            term.factor.is_constant()
                && atoms(term).into_iter().all(|atom| {
                    let own = self.atoms.borrow()[atom].series.clone();
                    self.is_constant(&own)
                })
        })
    }

    /// Applies the edge form of a function to a value that goes to ±∞.
    fn edge_form(&self, edge: &EdgeForm, x: &AsymptoticOperand<'_, C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        match (self.sign(&x.leading.factor), &edge.mirror) {
            (Sign::Positive, _) => {}
            // Without a tail a formula holds wherever it is defined.
            (_, None) if edge.tail.is_none() => {}
            (Sign::Negative, Some(mirror)) => {
                let opposite = self.negate_series(x.series);
                let factor = self.outer.negate(&x.leading.factor);
                let leading = AsymptoticTerm { monomial: x.leading.monomial.clone(), factor };
                let form = x.form.as_ref().map(RegisterForm::negate_form);
                let opposite = AsymptoticOperand { series: &opposite, leading: &leading, form };
                let value = self.edge_form(edge, &opposite)?;
                return self.eval_formula(mirror, &opposite, Some(&value));
            }
            _ => return None,
        }
        let own = self.eval_formula(&edge.formula, x, None)?;
        match &edge.tail {
            None => Some(own),
            Some(tail) => {
                let tail = self.edge_tail(tail, x)?;
                self.add_series(&own, &tail)
            }
        }
    }

    /// Returns `exp weight·r` of a tail, for a positive value x.
    ///
    /// With `x = y·(N + n)` and `x₀ = y·N`, `r(x) = Σ r⁽ʲ⁾(x₀)·(yn)ʲ/j!`, where `|r⁽ʲ⁾(x₀)·yʲ/j!|` is at most `c·ratioʲ/(yᵈ·Nʲ⁺ᵈ)`.
    fn edge_tail(&self, tail: &EdgeTail, x: &AsymptoticOperand<'_, C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let leading = x.leading;
        let least = outer.value_of(&leading.factor);
        // If y varies with the inputs, so does y/y₀: a pure term.
        let relative = self.variation_of(&leading.monomial)?;
        let nilpotent = outer.nilpotent_part(&outer.multiply(&leading.factor, &relative.factor));
        let value = AsymptoticSeries::of_term(leading.monomial.clone(), Jet::constant(least.clone()));
        let value_term = value.terms[0].clone();
        let at_value = AsymptoticOperand { series: &value, leading: &value_term, form: None };
        // xᵈ·r at the value lies between the two bounds, and these between their least and greatest values.
        let [low, high] = [&tail.bounds[0], &tail.bounds[1]].map(|bound| {
            let bound = self.eval_formula(bound, &at_value, None)?;
            Some(outer.value_of(&self.range_of(&bound)?))
        });
        let first = context.hull(&low?, &high?);
        let coefficient = outer.value_of(&outer.evaluate_formula(&tail.coefficient, &[], &Jet::zero()));
        let around = context.hull(&coefficient, &context.neg(&coefficient));
        // r = y⁻ᵈ·Σ …, the power of y/y₀ being that of the last term.
        let inverse = context.div(&context.enclose_integer(1), &least);
        let step = context.mul_integer(&inverse, tail.ratio.into());
        let highest = Rational::from(outer.nilpotency_bound(&nilpotent) - 1);
        let mut power = if tail.falls { inverse } else { context.enclose_integer(1) };
        let series = self.compose_nilpotent(&nilpotent, |j| {
            let own = context.mul(if j == 0 { &first } else { &around }, &power);
            power = context.mul(&power, &step);
            let spare = relative.monomial.raised_to(&(Rational::from(j) - &highest));
            Some(context.mul(&own, &outer.value_of(&self.range_of_monomial(&spare)?)))
        })?;
        let mut own = AsymptoticTerm { monomial: relative.monomial.raised_to(&highest), factor: series };
        if tail.falls {
            // y₀⁻¹ is the value of y⁻¹, and y₀⁻¹ = y⁻¹·(y/y₀): the derivatives of y⁻¹ are those of 1/y times y/y₀.
            let inverse = leading.monomial.raised_to(&Rational::from(-1)).times_monomial(&relative.monomial);
            own.monomial = own.monomial.times_monomial(&inverse);
            own.factor = outer.multiply(&own.factor, &relative.factor);
        }
        let own = self.series_of_term(own.monomial, own.factor)?;
        let weight = self.eval_formula(&tail.weight, x, None)?;
        let exponential = match &weight.terms[..] {
            // exp 0 = 1
            [] => return Some(own),
            _ => {
                let term = self.leading_term(&weight)?;
                self.exponential_of_operand(&AsymptoticOperand { series: &weight, leading: &term, form: None })?
            }
        };
        self.multiply_series(&own, &exponential)
    }

    /// Evaluates a formula at a series; y is the value of the function there.
    fn eval_formula(
        &self,
        formula: &Formula,
        x: &AsymptoticOperand<'_, C::Num>,
        y: Option<&AsymptoticSeries<C::Num>>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        let context = self.context();
        // The form in registers is handed on, so that exponentials of it are recognised.
        type Step<N> = Option<(AsymptoticSeries<N>, Option<RegisterForm>)>;
        let plain = |series: Option<AsymptoticSeries<C::Num>>| -> Step<C::Num> { Some((series?, None)) };
        let leading = |series: &AsymptoticSeries<C::Num>| self.leading_term(series);
        let found: Step<C::Num> = formula.eval_with(&mut |step: FormulaStep<Step<C::Num>>| match step {
            FormulaStep::Argument(_) => Some((x.series.clone(), x.form.clone())),
            FormulaStep::Y => plain(y.cloned()),
            FormulaStep::Number(p, q) => {
                plain(self.series_of_constant(Jet::constant(context.enclose_rational(&Rational::from((p, q))))))
            }
            FormulaStep::Pi => plain(self.series_of_constant(Jet::constant(context.pi()))),
            FormulaStep::Negate(a) => {
                let (a, form) = a?;
                Some((self.negate_series(&a), form.as_ref().map(RegisterForm::negate_form)))
            }
            FormulaStep::Add(a, b) => plain(self.add_series(&a?.0, &b?.0)),
            FormulaStep::Subtract(a, b) => plain(self.subtract_series(&a?.0, &b?.0)),
            FormulaStep::Multiply(a, b) => plain(self.multiply_series(&a?.0, &b?.0)),
            FormulaStep::Square(a) => plain(self.square_series(&a?.0)),
            FormulaStep::Divide(a, b) => {
                let (a, b) = (a?.0, b?.0);
                plain(self.divide_series(&a, &b, &leading(&b)?))
            }
            FormulaStep::Inverse(a) => {
                let a = a?.0;
                plain(self.raise_series(&a, &leading(&a)?, (-1, 1)))
            }
            FormulaStep::InverseRoot(a) => {
                let a = a?.0;
                plain(self.raise_series(&a, &leading(&a)?, (-1, 2)))
            }
            FormulaStep::Apply(f, a) => {
                let (a, form) = a?;
                let term = leading(&a)?;
                plain(self.apply_function(f, &AsymptoticOperand { series: &a, leading: &term, form }))
            }
        });
        found.map(|(series, _)| series)
    }

    /// Applies a function of two variables. Returns `None` if no rule applies.
    pub fn apply_planar(
        &self,
        f: Planar,
        x: &AsymptoticOperand<'_, C::Num>,
        y: &AsymptoticOperand<'_, C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        match f {
            Planar::Atan2 => self.angle_of_point(x, y),
        }
    }

    /// Returns the angle of the point with the height y and the width x. Returns `None` unless x is seen to be positive, or y
    /// not to be 0.
    fn angle_of_point(
        &self,
        y: &AsymptoticOperand<'_, C::Num>,
        x: &AsymptoticOperand<'_, C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        let arctangent = |a: &AsymptoticSeries<C::Num>| {
            let leading = self.leading_term(a)?;
            self.apply_function(Function::Atan, &AsymptoticOperand { series: a, leading: &leading, form: None })
        };
        let right = self.context().div_integer(&self.context().pi(), 2);
        let right = match (self.sign(&x.leading.factor), self.sign(&y.leading.factor)) {
            (Sign::Positive, _) => return arctangent(&self.divide_series(y.series, x.series, x.leading)?),
            (_, Sign::Positive) => right,
            (_, Sign::Negative) => self.context().neg(&right),
            _ => return None,
        };
        // Off the line y = 0 the angle is ±π/2 - arctan (x/y).
        self.subtract_series(
            &self.series_of_constant(Jet::constant(right))?,
            &arctangent(&self.divide_series(x.series, y.series, y.leading)?)?,
        )
    }

    /// Bounds a function that is singular where its argument vanishes: log Γ and its derivatives at 0 from above by their recurrence,
    /// others by an edge form whose tail is bounded there.
    fn function_at_pole(&self, f: Function, x: &AsymptoticOperand<'_, C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        let vanishes = x.leading.monomial.compare_powers() == Ordering::Less && x.leading.monomial.is_pure();
        if !vanishes || self.sign(&x.leading.factor) != Sign::Positive || f.row().conditions.has_value_at(0) {
            return None;
        }
        let Function::Special(crate::function::SpecialId::Gamma, order) = f else {
            let edge = f.row().edge.as_ref().filter(|edge| edge.tail.as_ref().is_some_and(|tail| !tail.falls))?;
            return self.edge_form(edge, x);
        };
        let one = self.series_of_constant(self.one())?;
        let past = self.add_series(x.series, &one)?;
        let at = |x: &Jet<C::Num>| {
            self.machine.record_function_boundary(&self.outer, f, x);
            self.outer.apply_function(f, x)
        };
        let slope = f.slope_formula();
        // f (1 + x), where nothing is singular.
        let regular = self.smooth_function(&past, at, |x, y| self.outer.evaluate_formula(&slope, &[x], y))?;
        // log Γ (a) = log Γ (1 + a) - log a
        if order == 0 {
            return self.subtract_series(&regular, &self.logarithm_of_series(x.series, x.leading)?);
        }
        // ψ⁽ᵏ⁾(a) = ψ⁽ᵏ⁾(1 + a) + (-1)ᵏ⁺¹·k!/aᵏ⁺¹, the recurrence.
        let k = u32::from(order) - 1;
        let factorial = (1..=k).fold(Rational::from(1), |product, j| product * j);
        let signed = if k.is_multiple_of(2) { -factorial } else { factorial };
        let inverse = self.raise_series(x.series, x.leading, (-i64::from(k + 1), 1))?;
        let scale = self.context().enclose_rational(&signed);
        self.add_series(&self.map_factors(&inverse, |factor| self.outer.scale(factor, &scale)), &regular)
    }
}
