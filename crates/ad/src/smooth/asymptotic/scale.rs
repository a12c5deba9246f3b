//! The scale of comparison functions, their order, their greatest values and their integrals.
//!
//! A monomial is `exp (Σ a·g)·sᵖ·Lᵠ` for 0 < s ≤ 1. Here L = A - log s with a number A ≥ 1; p, q and the a are rational, and
//! the g are *atoms*, unbounded values of the run. If A is -log of the length of the piece, L is -log of the distance itself.
//!
//! | bound, for 0 < s ≤ 1 | |
//! |---|---|
//! | `s^δ·Lᵏ`, δ > 0, or δ = 0 ≥ k | at most Aᵏ for k ≤ 0 and for k ≤ δA; else `(k/δ)ᵏ·e^(δA - k)`, the value at L = k/δ |
//! | `yᵏ·exp (-r·y)`, y ≥ y₀ | at most `(k/(r·e))ᵏ`, the value at y = k/r; for y₀ ≥ k/r the value at y₀ |
//! | `exp (-r·Lᵇ)`, b > 1 | sᴾ times at most `exp (P·(L - A) - r·Lᵇ)` at `L = (P/(rb))^(1/(b-1))`, or at A |
//! | `∫₀¹ sᵖ·Lᵠ ds`, p > -1 | `W(q) = (Aᵠ + q·W(q-1))/(p+1)` by parts; for q ≤ 0 between `Aᵠ/(p+1-q/A)` and `Aᵠ/(p+1)` |
//! | `∫₀¹ s⁻¹·Lᵠ ds`, q < -1 | `A^(q+1)/(-q-1)` |
//!
//! An exponent p may *move* with an input, as in `s^c` for an input c: then a bound that holds for p itself may hold for none of the
//! exponents near it. So moving exponents need p > 0 for a greatest value, and p > -1 for an integral, where a fixed one may lie on
//! the border: `∫ s^(c-1)·L⁻⁴ ds` is finite at c = 0, and infinite for every c < 0.

use crate::number::Rational;
use crate::number::arithmetic::Function;
use crate::smooth::hooks::HookedContext;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The index of an atom: an unbounded value of the run that stands in exponents.
pub type AtomId = usize;

/// A comparison function `exp (Σ a·g)·sᵖ·Lᵠ`; see the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaleMonomial {
    /// The coefficients a of the atoms g, none of them 0.
    pub exponent: BTreeMap<AtomId, Rational>,
    /// The exponent p of s.
    pub power: Rational,
    /// The exponent q of L.
    pub log_power: Rational,
    /// The exponents of s that move with an input, as multiples of atoms; empty if p is fixed.
    pub moving: BTreeMap<AtomId, Rational>,
}

/// Adds a multiple of a linear form to another one. Coefficients that cancel are gone for good.
fn add_multiple(sum: &mut BTreeMap<AtomId, Rational>, e: &Rational, other: &BTreeMap<AtomId, Rational>) {
    for (atom, own) in other {
        *sum.entry(*atom).or_default() += Rational::from(e * own);
    }
    sum.retain(|_, a| *a != 0);
}

impl ScaleMonomial {
    /// Creates 1.
    #[must_use]
    pub fn of_one() -> Self {
        Self::of_powers(0, 0)
    }

    /// Creates `sᵖ·Lᵠ`.
    #[must_use]
    pub fn of_powers(power: impl Into<Rational>, log_power: impl Into<Rational>) -> Self {
        let (exponent, moving) = Default::default();
        Self { exponent, power: power.into(), log_power: log_power.into(), moving }
    }

    /// Creates `exp (a·g)`.
    #[must_use]
    pub fn of_atom(atom: AtomId, coefficient: Rational) -> Self {
        Self { exponent: BTreeMap::from([(atom, coefficient)]), ..Self::of_one() }
    }

    /// Returns the product with a power of another monomial.
    #[must_use]
    pub fn times_power(&self, other: &Self, e: &Rational) -> Self {
        let mut product = self.clone();
        // Atoms cancel: this makes eˣ/(1 + eˣ) a quotient of bounded values.
        add_multiple(&mut product.exponent, e, &other.exponent);
        add_multiple(&mut product.moving, e, &other.moving);
        product.power += Rational::from(e * &other.power);
        product.log_power += Rational::from(e * &other.log_power);
        product
    }

    /// Returns the product.
    #[must_use]
    pub fn times_monomial(&self, other: &Self) -> Self {
        self.times_power(other, &Rational::from(1))
    }

    /// Returns the quotient.
    #[must_use]
    pub fn quotient_by(&self, other: &Self) -> Self {
        self.times_power(other, &Rational::from(-1))
    }

    /// Returns the power with a rational exponent.
    #[must_use]
    pub fn raised_to(&self, e: &Rational) -> Self {
        Self::of_one().times_power(self, e)
    }

    /// Returns `true` for 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.is_pure() && self.moving.is_empty() && self.power == 0 && self.log_power == 0
    }

    /// Returns `true` if there is no exponential.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        self.exponent.is_empty()
    }

    /// Compares `sᵖ·Lᵠ` with 1 as s goes to 0: [`Ordering::Greater`] if it goes to ∞.
    #[must_use]
    pub fn compare_powers(&self) -> Ordering {
        // L grows more slowly than every power of 1/s, so it decides only where p is 0.
        self.power.cmp0().reverse().then(self.log_power.cmp0())
    }
}

/// Returns the power of a positive number.
pub(in crate::smooth) fn raise_to<C: HookedContext>(context: &C, x: &C::Num, e: &Rational) -> C::Num {
    match e.numer().to_u32().filter(|_| *e.denom() == 1) {
        Some(n) => context.power(x, n),
        // Any other exponent by exp and log, the number being positive.
        None => {
            let logarithm = context.apply_function(Function::Log, x);
            context.apply_function(Function::Exp, &context.mul(&context.enclose_rational(e), &logarithm))
        }
    }
}

/// Returns an upper bound of `s^δ·Lᵏ` for 0 < s ≤ 1, with A for `first`. Returns `None` if there is none.
pub(super) fn bound_powers<C: HookedContext>(context: &C, first: &C::Num, monomial: &ScaleMonomial) -> Option<C::Num> {
    let (delta, k) = (&monomial.power, &monomial.log_power);
    match (delta.cmp0(), k.cmp0()) {
        (Ordering::Equal, _) if !monomial.moving.is_empty() => None,
        (Ordering::Less, _) | (Ordering::Equal, Ordering::Greater) => None,
        // Both factors fall as s does: the value at s = 1.
        (_, Ordering::Less | Ordering::Equal) => Some(raise_to(context, first, k)),
        (Ordering::Greater, Ordering::Greater) => {
            // The derivative by L of k·log L - δ·(L - A) is 0 at k/δ.
            let peak = context.enclose_rational(&Rational::from(k / delta));
            if context.is_strictly_below(&peak, first) {
                return Some(raise_to(context, first, k));
            }
            let decay = context.mul(&context.enclose_rational(delta), first);
            let exponent = context.sub(&decay, &context.enclose_rational(k));
            Some(context.mul(&raise_to(context, &peak, k), &context.apply_function(Function::Exp, &exponent)))
        }
    }
}

/// Returns an upper bound of `yᵏ·exp (-r·y)` for k ≥ 0, r > 0 and all y ≥ y₀; without y₀ for all y > 0.
pub(super) fn bound_decay<C: HookedContext>(
    context: &C,
    k: &Rational,
    rate: &C::Num,
    least: Option<&C::Num>,
) -> C::Num {
    let at = |y: &C::Num| context.apply_function(Function::Exp, &context.neg(&context.mul(rate, y)));
    let exponent = context.enclose_rational(k);
    match least {
        // Beyond its peak the function falls.
        Some(y) if *k == 0 || context.is_strictly_below(&context.div(&exponent, rate), y) => {
            context.mul(&raise_to(context, y, k), &at(y))
        }
        _ if *k == 0 => context.enclose_integer(1),
        _ => raise_to(context, &context.div(&exponent, &context.mul(rate, &context.enclose_euler())), k),
    }
}

/// Returns an upper bound of `s⁻ᴾ·exp (-r·Lᵇ)` for b > 1, r > 0, P > 0 and 0 < s ≤ 1.
pub(super) fn bound_log_decay<C: HookedContext>(
    context: &C,
    [rate, first]: [&C::Num; 2],
    b: &Rational,
    power: &Rational,
) -> C::Num {
    let p = context.enclose_rational(power);
    let slope = context.div(&p, &context.mul(rate, &context.enclose_rational(b)));
    let peak = raise_to(context, &slope, &Rational::from(b - 1).recip());
    let place = if context.is_strictly_below(&peak, first) { first } else { &peak };
    // s⁻ᴾ = exp (P·(L - A))
    let growth = context.mul(&p, &context.sub(place, first));
    let exponent = context.sub(&growth, &context.mul(rate, &raise_to(context, place, b)));
    context.apply_function(Function::Exp, &exponent)
}

/// Encloses `∫₀¹ sᵖ·Lᵠ ds`. Returns `None` if the integral is infinite.
pub(super) fn integrate_powers<C: HookedContext>(
    context: &C,
    first: &C::Num,
    monomial: &ScaleMonomial,
) -> Option<C::Num> {
    let (p, q) = (&monomial.power, &monomial.log_power);
    let above: Rational = Rational::from(p + 1);
    match above.cmp0() {
        Ordering::Less => None,
        Ordering::Equal if !monomial.moving.is_empty() => None,
        Ordering::Equal => {
            // ∫ L^q dL from A on.
            let next: Rational = Rational::from(q + 1);
            (next < 0).then(|| context.div(&raise_to(context, first, &next), &context.enclose_rational(&-next)))
        }
        Ordering::Greater => Some(integrate_above(context, first, &above, q)),
    }
}

/// Encloses `∫₀¹ s^(w-1)·Lᵠ ds` for w > 0.
fn integrate_above<C: HookedContext>(context: &C, first: &C::Num, w: &Rational, q: &Rational) -> C::Num {
    let weight = context.enclose_rational(w);
    let at_one = raise_to(context, first, q);
    if *q == 0 {
        return context.div(&at_one, &weight);
    }
    if *q < 0 {
        // By parts W(q) = (Aᵠ + q·W(q-1))/w, where 0 ≤ W(q-1) ≤ W(q)/A.
        let more = context.add(&weight, &context.div(&context.enclose_rational(&Rational::from(-q)), first));
        return context.hull(&context.div(&at_one, &more), &context.div(&at_one, &weight));
    }
    // The recursion ends at a power of at most 0.
    let rest = integrate_above(context, first, w, &Rational::from(q - 1));
    context.div(&context.add(&at_one, &context.mul(&context.enclose_rational(q), &rest)), &weight)
}
