//! Functions of a value that grows like an exponential: exp where it goes to −∞, erf and erfc, and the range of any bounded
//! function.
//!
//! Let `a = exp A·U` with A going to ∞, `a₀` its value and `z = |a₀|`, so that `a = a₀·R` with `R = exp (A - A₀)·U/U₀`. R
//! is a power of s times a bounded factor, and 1 in its value. With `Rᶜ = 1 + ν`, ν being nilpotent,
//!
//! `zˡ·exp (-zᶜ·Rᶜ) = Σ z^(l + c·j)·exp (-zᶜ)·(-ν)ʲ/j!`, where `z^(l + c·j)·exp (-zᶜ) ≤ z⁻¹·(m/e)ᵐ` with `m = (l + c·j + 1)/c`,
//!
//! since `wᵐ·exp (-w)` is greatest at w = m. And `z⁻¹ = exp (-A₀)/|U₀|` is smaller than any power. With E Euler's operator
//! in the other inputs, `E (erf a) = 2/√π·exp (-a²)·a₀·E R`.

use super::exponential::DECAY;
use super::exponential::{AsymptoticBounds, ExpBound};
use super::{AsymptoticRun, PowerBound};
use crate::number::Rational;
use crate::number::context::{Function, Sign};
use crate::smooth::graph::Unary;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::program::BlockInstruction;

/// The factorisation `a₀·R` of an exponential; see the [module](self).
struct ExpSplit<N> {
    /// The sign of a₀.
    sign: Sign,
    /// −A₀
    down: PowerBound<N>,
    /// 1/|U₀|
    over: PowerBound<N>,
    /// R
    relative: PowerBound<N>,
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns a power bound of an elementary function of an exponential.
    pub(super) fn function_of_exponential(
        &self,
        instruction: &BlockInstruction,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<PowerBound<C::Num>> {
        let BlockInstruction::Unary(Unary::Function(f), x) = instruction else { return None };
        let a = found[x.0 as usize].exponential.as_ref()?;
        // The whole range is right only if no other input varies: it says nothing of derivatives.
        let is_constant = |growth: &PowerBound<C::Num>| growth.factor.is_constant();
        let exponents = a.exponent.keys().map(|register| found[register.0 as usize].growth.as_ref());
        let of_place_alone = is_constant(&a.factor) && exponents.into_iter().all(|own| own.is_some_and(is_constant));
        match f {
            Function::Exp => self
                .split_exponential(a, found)
                .filter(|a| a.sign == Sign::Negative)
                .and_then(|a| self.bound_exp_of_exponential(&a, 1, 0)),
            _ if of_place_alone => self.range_everywhere(*f),
            Function::Erf | Function::Erfc => self.error_function(*f, &self.split_exponential(a, found)?),
            _ => None,
        }
    }

    /// Factors an exponential whose exponent certainly goes to ∞. Returns `None` if the exponent or the sign of the value
    /// is unknown.
    fn split_exponential(&self, a: &ExpBound<C::Num>, found: &[AsymptoticBounds<C::Num>]) -> Option<ExpSplit<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let exponent = self.bound_exponent(&a.exponent, found).filter(|a| a.power < 0)?;
        let first = outer.value_of(&a.factor.factor);
        let sign = context.sign(&first);
        if !matches!(sign, Sign::Positive | Sign::Negative) || !self.is_positive(&exponent.factor) {
            return None;
        }
        let size = if sign == Sign::Positive { first.clone() } else { context.neg(&first) };
        let down = context.neg(&outer.value_of(&exponent.factor));
        let down = PowerBound { factor: Jet::constant(down), ..exponent.clone() };
        let over =
            self.power_bound(-a.factor.power.clone(), Jet::constant(context.div(&context.enclose_integer(1), &size)))?;
        // exp (A - A₀) has a power for each term of its series. The last one bounds all: the others get a factor in [0, 1].
        let nilpotent = outer.nilpotent_part(&exponent.factor);
        let terms = outer.nilpotency_bound(&nilpotent);
        let mut coefficient = context.hull(&context.enclose_integer(0), &context.enclose_integer(1));
        let mut coefficients = Vec::with_capacity(terms as usize);
        for j in 0..u64::from(terms) {
            coefficients.push(Some(coefficient.clone()));
            coefficient = context.div_integer(&coefficient, j + 1);
        }
        let mut ratio = outer.divide(&a.factor.factor, &Jet::constant(first));
        ratio.set(0, Some(context.enclose_integer(1)));
        let relative = outer.multiply(&outer.compose(&coefficients, &nilpotent), &ratio);
        let power = Rational::from(&exponent.power * (terms - 1));
        Some(ExpSplit { sign, down, over, relative: self.power_bound(power, relative)? })
    }

    /// Bounds `zˡ·exp (-|a|ᶜ)`, whose value decays double exponentially.
    fn bound_exp_of_exponential(&self, a: &ExpSplit<C::Num>, c: u32, l: u32) -> Option<PowerBound<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        // ν = Rᶜ - 1; the series in -ν ends at its nilpotency.
        let relative = (1..c).fold(a.relative.factor.clone(), |power, _| outer.multiply(&power, &a.relative.factor));
        let minus = outer.negate(&outer.nilpotent_part(&relative));
        let terms = outer.nilpotency_bound(&minus);
        let mut factorial = context.enclose_integer(1);
        let mut coefficients = Vec::with_capacity(terms as usize);
        for j in 0..terms {
            // The greatest value of wᵐ·exp (-w) is (m/e)ᵐ, by exp and log since m is rational.
            let m = context.enclose_rational(&Rational::from((l + c * j + 1, c)));
            let logarithm = context.apply_function(Function::Log, &context.div(&m, &context.enclose_euler()));
            let most = context.apply_function(Function::Exp, &context.mul(&m, &logarithm));
            coefficients.push(Some(context.hull(&context.enclose_integer(0), &context.mul(&most, &factorial))));
            factorial = context.div_integer(&factorial, u64::from(j) + 1);
        }
        let series = outer.compose(&coefficients, &minus);
        // The decay has to make up for the powers of the series and of one more R.
        let own = Rational::from(&a.relative.power * (c * (terms - 1)));
        let decay = self.bound_decay_by_power(&a.down, &(Rational::from(DECAY) - &own - &a.relative.power))?;
        let power = own + decay.power + &a.over.power;
        self.power_bound(power, outer.multiply(&outer.multiply(&decay.factor, &a.over.factor), &series))
    }

    /// Bounds erf or erfc of an exponential: its whole range, with derivatives by the slope `2/√π·exp (-a²)`.
    fn error_function(&self, f: Function, a: &ExpSplit<C::Num>) -> Option<PowerBound<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let slope = self.bound_exp_of_exponential(a, 2, 1)?;
        // A negative power would leave the derivatives unbounded.
        if slope.power + &a.relative.power < 0 {
            return None;
        }
        // The slope of erfc is the opposite one, and a₀ is z or -z.
        let rises = (f == Function::Erf) == (a.sign == Sign::Positive);
        let scale = context.div(
            &context.enclose_integer(if rises { 2 } else { -2 }),
            &context.apply_function(Function::Sqrt, &context.pi()),
        );
        let slope = outer.scale(&slope.factor, &scale);
        let mut found =
            self.times_unit_interval(&outer.antiderivative(&a.relative.factor, &slope, context.enclose_integer(0)));
        let any = context.mark_defined(context.bottom());
        found.set(0, Some(context.apply_function(f, &any)));
        self.power_bound(0, found)
    }
}
