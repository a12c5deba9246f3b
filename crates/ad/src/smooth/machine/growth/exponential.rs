//! Bounds of values that grow faster than any power, with their exponents.
//!
//! `exp (Σ c·a)·U`, with values a of the run that are unbounded at the end, rational c, and U a [`PowerBound`]. The a are kept as
//! registers: common parts of two exponents cancel exactly, so that `eˣ/(1 + eˣ)` is 1/(1 + e⁻ˣ), and not ∞/∞.
//!
//! | a value | is |
//! |---|---|
//! | `exp a` | itself, with U = 1 |
//! | a product, a quotient, a power, a root | by the exponents |
//! | a sum | `exp A·(U + exp (B - A)·V)`, where B - A certainly goes to -∞ |
//! | `log (exp A·U)` | `A + log U`, for U > 0 |
//! | `expm1`, `log1p` | by exp and log, and the number that is added |
//! | any value whose A certainly goes to -∞ | smaller than any power |
//! | exp, erf of such a value, any bounded function of it | a power of s times a bounded factor (`double`) |
//!
//! # Functions of a value that grows like an exponential
//!
//! Exp where it goes to −∞, erf and erfc, and the range of any bounded
//! function.
//!
//! Let `a = exp A·U` with A going to ∞, `a₀` its value and `z = |a₀|`, so that `a = a₀·R` with `R = exp (A - A₀)·U/U₀`. R
//! is a power of s times a bounded factor, and 1 in its value. With `Rᶜ = 1 + ν`, ν being nilpotent,
//!
//! `zˡ·exp (-zᶜ·Rᶜ) = Σ z^(l + c·j)·exp (-zᶜ)·(-ν)ʲ/j!`, where `z^(l + c·j)·exp (-zᶜ) ≤ z⁻¹·(m/e)ᵐ` with `m = (l + c·j + 1)/c`,
//!
//! since `wᵐ·exp (-w)` is greatest at w = m. And `z⁻¹ = exp (-A₀)/|U₀|` is smaller than any power. With E Euler's operator
//! in the other inputs, `E (erf a) = 2/√π·exp (-a²)·a₀·E R`.
//!
//! # Bounds of values that are unbounded like log s
//!
//! `k·log s + r`, where k is the same for all s, and r is bounded.
//!
//! Its exponential is a power whose exponent may be any number, and may move with an input: with `k = κ + n`, n nilpotent,
//!
//! `exp (k·log s + r) = s^κ·Σ nʲ (log s)ʲ/j!·exp r`, where `-1/β ≤ s^β·log s ≤ 0` for every β > 0.
//!
//! | a value | is |
//! |---|---|
//! | `log (sᵖ·N)`, for N > 0 | `p·log s + log N` |
//! | the product of such a value and one that is the same for all s, the quotient by it | by its parts |
//! | a sum of such values, or of one and a bounded value | by its parts |
//! | `exp (k·log s + r)` | as above |
//!
//! # Lower bounds by a power of s
//!
//! Lower bounds by a power of s, for values that no power encloses: `x + s` for all x ≥ 0 lies between s and its range.
//!
//! `value ≥ sᵖ·m` for 0 < s ≤ 1, with a number m > 0. Such is a sum of a value that vanishes at the end and of an input
//! that goes to 0 as well, as at a corner of a square: `∬ 1/√(x + y)`, `∬ xy/(x + y)`, `∬ (x + y) log (x + y)`.
//!
//! | a value | is |
//! |---|---|
//! | `sᵖ·N` with N > 0 | bounded below by `sᵖ·N` |
//! | `c + s·N` with c ≥ 0, the value at the end, and N > 0; likewise to order 2 | bounded below by `s·N` (Taylor) |
//! | a sum with a nonnegative value, a product, a square, a root, a positive power | bounded below, by their powers |
//! | a quotient by a positive value with an upper bound | bounded below, by that bound |
//! | `1/v`, `sᵖ·m` | in `s⁻ᵖ·[0, 1/m]` |
//! | `log v` | between `p·log s + log m` and the logarithm of its range |
//!
//! The Taylor coefficients in the other inputs are unknown: they are ⊥. There is no limit at the end either unless the
//! power is positive: for inputs near 0 it differs from that for 0 itself. All this holds for the inputs given alone, and
//! is noted as a domain boundary: `x + c` is above x for c = 0, and reaches 0 on the way for c < 0.
//!
//! # Limits at infinity of tanh
//!
//! Limits at infinity of tanh, erf and arctan, and functions with the singularity of a logarithm or a pole.
//!
//! With `a = sᵖ·N` and the slope `f′(a) = s^q·M`, the coefficients of `f a` in the other inputs are those of the y with
//! `E y = f′(a)·E a`, E being Euler's operator: `s^(p+q)` times those for N and M. Where `p + q ≥ 0` they are bounded.
//!
//! | function | its slope at a |
//! |---|---|
//! | tanh | `4 e/(1 + e)²` with `e = exp (-2·\|a\|)` |
//! | erf, erfc | `±2/√π·exp (-a²)` |
//! | arctan | `1/(1 + a²)` |
//!
//! A function that is singular like a logarithm or a pole is computed from that logarithm or pole:
//!
//! | a value | where | is |
//! |---|---|---|
//! | `log1p a` | a → -1 | `log (1 + a)` |
//! | `atanh a` | a → 1, a → -1 | `(log (1 + a) - log (1 - a))/2` |
//! | `asinh a` | a → ∞ | `log a + log (1 + √(1 + a⁻²))`; of -a the negative |
//! | `acosh a` | a → ∞ | `log a + log (1 + √(1 - a⁻²))` |
//! | `lgamma a` | a → 0, a > 0 | `lgamma (1 + a) - log a` |
//! | the kth derivative of digamma | a → 0, a > 0 | `(-1)ᵏ⁺¹·k!/aᵏ⁺¹`, and its own at 1 + a |

use super::{AsymptoticRun, LOG_DENOMINATOR, ORDER, PieceRegisters, PowerBound, RegisterFile};
use crate::function::{Monotonicity, SpecialId};
use crate::number::Rational;
use crate::number::arithmetic::{Function, Sign};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, KinkBranch};
use crate::smooth::program::{BlockInstruction, BlockRegister};
use std::collections::BTreeMap;

/// The power of s by which a faster decay is replaced. A choice: higher powers make the factors greater.
pub(super) const DECAY: i64 = 12;

/// A sum of values of the run, each with a coefficient that is not 0.
type SymbolicExponent = BTreeMap<BlockRegister, Rational>;

/// The bound `exp A·U`; see the [module](self).
#[derive(Clone, Debug)]
pub struct ExpBound<N> {
    /// A, as a sum of registers.
    pub(super) exponent: SymbolicExponent,
    /// U
    pub(super) factor: PowerBound<N>,
}

/// The bounds of a value near the end: any number of these, or none.
#[derive(Clone, Debug)]
pub struct AsymptoticBounds<N> {
    /// An enclosure by a power of s.
    pub growth: Option<PowerBound<N>>,
    /// An enclosure by an exponential.
    pub exponential: Option<ExpBound<N>>,
    /// An enclosure by a logarithm.
    pub logarithmic: Option<LogBound<N>>,
    /// A lower bound by a power of s.
    pub above: Option<LowerPowerBound<N>>,
}

impl<N> AsymptoticBounds<N> {
    /// Returns bounds that consist of a power bound, or of nothing.
    pub fn from_power_bound(growth: Option<PowerBound<N>>) -> Self {
        Self { growth, exponential: None, logarithmic: None, above: None }
    }
}

/// Returns a + c·b, without the registers that cancel.
fn add_multiple(a: &SymbolicExponent, c: &Rational, b: &SymbolicExponent) -> SymbolicExponent {
    let mut sum = a.clone();
    for (register, own) in b {
        *sum.entry(*register).or_default() += Rational::from(c * own);
    }
    sum.retain(|_, c| *c != 0);
    sum
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns the exponential bound of a result, if an operand has one or the result is an exponential itself.
    pub(super) fn exp_bound_by_rule(
        &self,
        instruction: &BlockInstruction,
        branch: KinkBranch,
        frame: &RegisterFile<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<ExpBound<C::Num>> {
        let at = |r: BlockRegister| &found[r.0 as usize];
        let is_one = |r: BlockRegister| at(r).exponential.is_some();
        // An operand without an exponent is one with the empty exponent.
        let of = |r: BlockRegister| {
            let lifted = |factor| ExpBound { exponent: SymbolicExponent::new(), factor };
            at(r).exponential.clone().or_else(|| at(r).growth.clone().map(lifted))
        };
        match instruction {
            BlockInstruction::Unary(Unary::Function(f), x) if exp_or_log_with_shift(*f).0 == Function::Exp => {
                // A bounded argument needs no exponent: its exponential has a power bound.
                at(*x).growth.as_ref().filter(|a| a.power < 0)?;
                let a =
                    ExpBound { exponent: SymbolicExponent::from([(*x, 1.into())]), ..self.integer_as_exp_bound(1)? };
                self.add_integer(a, exp_or_log_with_shift(*f).1, found)
            }
            BlockInstruction::Unary(f, x) if is_one(*x) => {
                let a = of(*x)?;
                match (f, branch) {
                    (Unary::Negate, _) | (Unary::Abs, KinkBranch::Right) => self.negate_exp_bound(a),
                    (Unary::Abs, KinkBranch::Left) => Some(a),
                    (Unary::Function(f), _) => match f.row().monotonicity {
                        Monotonicity::Root(n) => {
                            let factor = self.apply_function(*f, &a.factor)?;
                            let exponent =
                                add_multiple(&SymbolicExponent::new(), &Rational::from((1, u32::from(n))), &a.exponent);
                            Some(ExpBound { exponent, factor })
                        }
                        _ if exp_or_log_with_shift(*f).0 == Function::Log => {
                            self.log_of_exp_bound(&self.add_integer(a, exp_or_log_with_shift(*f).1, found)?, found)
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            BlockInstruction::Binary(f, x, y) if is_one(*x) || is_one(*y) => {
                let (a, b) = (of(*x)?, of(*y)?);
                let product = |c: i64, power: Rational, factor| {
                    let exponent = add_multiple(&a.exponent, &c.into(), &b.exponent);
                    Some(ExpBound { exponent, factor: self.power_bound(power, factor)? })
                };
                let (p, q) = (&a.factor.power, &b.factor.power);
                match f {
                    Binary::Add => self.add_exp_bounds(a, b, found),
                    Binary::Subtract => self.add_exp_bounds(a, self.negate_exp_bound(b)?, found),
                    Binary::Multiply if x == y => {
                        product(1, Rational::from(p * 2), self.outer.square(&a.factor.factor))
                    }
                    Binary::Multiply => {
                        product(1, Rational::from(p + q), self.outer.multiply(&a.factor.factor, &b.factor.factor))
                    }
                    Binary::Divide => {
                        product(-1, Rational::from(p - q), self.outer.divide(&a.factor.factor, &b.factor.factor))
                    }
                    Binary::Maximum | Binary::Minimum => match branch {
                        KinkBranch::Left => Some(a),
                        KinkBranch::Right => Some(b),
                        KinkBranch::Undecided => None,
                    },
                    Binary::Planar(_) => None,
                }
            }
            BlockInstruction::Power(x, e) if is_one(*x) => {
                let a = of(*x)?;
                // The power certainly exists only if U has a sign; exp A is positive.
                if e.denominator.is_multiple_of(2) && !self.is_positive(&a.factor.factor) {
                    return None;
                }
                let scale = Rational::from((e.numerator, e.denominator));
                let factor = self.outer.power(&a.factor.factor, e.numerator, e.denominator);
                let factor = self.power_bound(Rational::from(&a.factor.power * &scale), factor)?;
                Some(ExpBound { exponent: add_multiple(&SymbolicExponent::new(), &scale, &a.exponent), factor })
            }
            BlockInstruction::Guard(x) if is_one(*x) => of(*x),
            BlockInstruction::Select { guard, then, otherwise } => match frame.guard_branch(*guard) {
                KinkBranch::Left if is_one(*then) => of(*then),
                KinkBranch::Right if is_one(*otherwise) => of(*otherwise),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the bound as a power bound. Returns `None` unless the exponent is empty, or certainly goes to −∞.
    pub(super) fn exp_as_power_bound(
        &self,
        a: &ExpBound<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<PowerBound<C::Num>> {
        if a.exponent.is_empty() {
            return Some(a.factor.clone());
        }
        self.decaying_product(&self.bound_exponent(&a.exponent, found)?, &a.factor)
    }

    /// Bounds `exp a·u` by a power. Returns `None` unless a certainly goes to −∞.
    fn decaying_product(&self, a: &PowerBound<C::Num>, u: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let decay = if a.power < 0 { self.bound_decay(a)? } else { return None };
        self.power_bound(decay.power + &u.power, self.outer.multiply(&decay.factor, &u.factor))
    }

    /// Returns a power bound of an exponent. Returns `None` if a register in it has none.
    pub(super) fn bound_exponent(
        &self,
        exponent: &SymbolicExponent,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<PowerBound<C::Num>> {
        let mut sum: Option<PowerBound<C::Num>> = None;
        for (register, c) in exponent {
            let own = found[register.0 as usize].growth.as_ref()?;
            let factor = self.outer.scale(&own.factor, &self.context().enclose_rational(c));
            let own = self.power_bound(own.power.clone(), factor)?;
            sum = Some(match sum {
                Some(sum) => self.add_power_bounds(&sum, own)?,
                None => own,
            });
        }
        sum
    }

    /// Returns the integer `n` as a bound with the empty exponent.
    fn integer_as_exp_bound(&self, n: i64) -> Option<ExpBound<C::Num>> {
        let factor = self.power_bound(0, Jet::constant(self.context().enclose_integer(n)))?;
        Some(ExpBound { exponent: SymbolicExponent::new(), factor })
    }

    /// Adds an integer to an exponential bound.
    fn add_integer(&self, a: ExpBound<C::Num>, n: i64, found: &[AsymptoticBounds<C::Num>]) -> Option<ExpBound<C::Num>> {
        if n == 0 { Some(a) } else { self.add_exp_bounds(a, self.integer_as_exp_bound(n)?, found) }
    }

    /// Returns `A + log U`, a bound with the empty exponent. Returns `None` unless U is certainly positive.
    fn log_of_exp_bound(&self, a: &ExpBound<C::Num>, found: &[AsymptoticBounds<C::Num>]) -> Option<ExpBound<C::Num>> {
        if !self.is_positive(&a.factor.factor) {
            return None;
        }
        let own = self.apply_function(Function::Log, &a.factor)?;
        let factor = if a.exponent.is_empty() {
            own
        } else {
            self.add_power_bounds(&self.bound_exponent(&a.exponent, found)?, own)?
        };
        Some(ExpBound { exponent: SymbolicExponent::new(), factor })
    }

    /// Returns the bound of −a.
    fn negate_exp_bound(&self, a: ExpBound<C::Num>) -> Option<ExpBound<C::Num>> {
        let factor = self.power_bound(a.factor.power.clone(), self.outer.negate(&a.factor.factor))?;
        Some(ExpBound { factor, ..a })
    }

    /// Adds two exponential bounds. Returns `None` if neither exponent certainly exceeds the other.
    fn add_exp_bounds(
        &self,
        a: ExpBound<C::Num>,
        b: ExpBound<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<ExpBound<C::Num>> {
        // B - A: where it goes to -∞ the sum is exp A·(U + exp (B - A)·V), and the other way round for ∞.
        let difference = add_multiple(&b.exponent, &Rational::from(-1), &a.exponent);
        if difference.is_empty() {
            return Some(ExpBound { factor: self.add_power_bounds(&a.factor, b.factor)?, ..a });
        }
        let difference = self.bound_exponent(&difference, found)?;
        match self.context().sign(&self.outer.value_of(&difference.factor)) {
            Sign::Negative => {
                let small = self.decaying_product(&difference, &b.factor)?;
                Some(ExpBound { factor: self.add_power_bounds(&a.factor, small)?, ..a })
            }
            Sign::Positive => {
                let opposite = self.power_bound(difference.power.clone(), self.outer.negate(&difference.factor))?;
                let small = self.decaying_product(&opposite, &a.factor)?;
                Some(ExpBound { factor: self.add_power_bounds(&b.factor, small)?, ..b })
            }
            _ => None,
        }
    }

    /// Bounds `exp a` by the power [`DECAY`] of s, for a that certainly goes to −∞.
    ///
    /// `exp (s^(-q)·(N + n)) = exp (s^(-q)·N)·Σ s^(-qj)·nʲ/j!`, where N is a number below 0 and n is nilpotent. With `y =
    /// s^(-q)` and a the least of `-N`, `s^(-k)·exp (-a·y) = y^(k/q)·exp (-a·y)`, which is greatest at `y = k/(q·a)`.
    pub(super) fn bound_decay(&self, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        self.bound_decay_by_power(a, &Rational::from(DECAY))
    }

    /// Like [`bound_decay`](Self::decay), for any other power of s. Returns `None` unless the factor of `a` is certainly negative.
    pub(super) fn bound_decay_by_power(&self, a: &PowerBound<C::Num>, power: &Rational) -> Option<PowerBound<C::Num>> {
        let context = self.context();
        // The slowest decay: -N at its least.
        let rate = context.neg(&context.upper(&self.outer.value_of(&a.factor))?);
        if context.sign(&rate) != Sign::Positive {
            return None;
        }
        let slowness = Rational::from(-&a.power);
        let nilpotent = self.outer.nilpotent_part(&a.factor);
        let terms = self.outer.nilpotency_bound(&nilpotent);
        // The terms of the series grow by s^(-qj): the decay makes up for all of them and the wanted power.
        let all = Rational::from(&slowness * (terms - 1)) + power;
        let exponent = context.enclose_rational(&Rational::from(&all / &slowness));
        // (k/(q·a·e))^(k/q), the greatest value.
        let base = context.div(&exponent, &context.mul(&rate, &context.enclose_euler()));
        let most = context
            .apply_function(Function::Exp, &context.mul(&exponent, &context.apply_function(Function::Log, &base)));
        let bound = context.hull(&context.enclose_integer(0), &most);
        let mut coefficients = Vec::with_capacity(terms as usize);
        let mut coefficient = bound;
        for j in 0..u64::from(terms) {
            coefficients.push(Some(coefficient.clone()));
            coefficient = context.div_integer(&coefficient, j + 1);
        }
        self.power_bound(power.clone(), self.outer.compose(&coefficients, &nilpotent))
    }
}

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

/// The bound `k·log s + r`; see the [module](self).
#[derive(Clone, Debug)]
pub struct LogBound<N> {
    /// k
    scale: Jet<N>,
    /// r
    rest: Jet<N>,
}

impl<N> LogBound<N> {
    /// Applies a linear map to k and r.
    fn map(&self, f: impl Fn(&Jet<N>) -> Jet<N>) -> Self {
        Self { scale: f(&self.scale), rest: f(&self.rest) }
    }
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns the logarithmic bound of a result, by its operands. `fixed` returns a value that is the same for all s.
    pub(super) fn log_bound_by_rule(
        &self,
        instruction: &BlockInstruction,
        found: &[AsymptoticBounds<C::Num>],
        fixed: impl Fn(BlockRegister) -> Option<Jet<C::Num>>,
    ) -> Option<LogBound<C::Num>> {
        let outer = &self.outer;
        let at = |r: BlockRegister| &found[r.0 as usize];
        let is_one = |r: BlockRegister| at(r).logarithmic.is_some();
        // A bounded value has k = 0; a positive power of s is bounded by its factor times [0, 1].
        let of = |r: BlockRegister| {
            let bounded = |growth: &PowerBound<C::Num>| match growth.power.cmp0() {
                std::cmp::Ordering::Less => None,
                std::cmp::Ordering::Equal => Some(growth.factor.clone()),
                std::cmp::Ordering::Greater => Some(self.times_unit_interval(&growth.factor)),
            };
            let lifted = |rest| LogBound { scale: Jet::zero(), rest };
            at(r).logarithmic.clone().or_else(|| at(r).growth.as_ref().and_then(bounded).map(lifted))
        };
        match instruction {
            BlockInstruction::Unary(Unary::Function(Function::Log), x) => {
                let a = at(*x).growth.as_ref().filter(|a| a.power != 0 && self.is_positive(&a.factor))?;
                let scale = Jet::constant(self.context().enclose_rational(&a.power));
                // The logarithm of N is taken for the first time here, so its boundary is noted here.
                self.machine.record_function_boundary(outer, Function::Log, &a.factor);
                Some(LogBound { scale, rest: outer.apply_function(Function::Log, &a.factor) })
            }
            BlockInstruction::Unary(Unary::Negate, x) if is_one(*x) => Some(of(*x)?.map(|a| outer.negate(a))),
            BlockInstruction::Binary(f, x, y) if is_one(*x) || is_one(*y) => match f {
                Binary::Add | Binary::Subtract => {
                    let (a, b) = (of(*x)?, of(*y)?);
                    let sum = |a, b| if *f == Binary::Add { outer.add(a, b) } else { outer.subtract(a, b) };
                    Some(LogBound { scale: sum(&a.scale, &b.scale), rest: sum(&a.rest, &b.rest) })
                }
                Binary::Multiply => {
                    // c·(k·log s + r) keeps its form only if c does not move with s.
                    let (own, c) = if is_one(*x) { (*x, *y) } else { (*y, *x) };
                    let c = fixed(c)?;
                    Some(of(own)?.map(|a| outer.multiply(a, &c)))
                }
                Binary::Divide if is_one(*x) => {
                    let c = fixed(*y)?;
                    Some(of(*x)?.map(|a| outer.divide(a, &c)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns a power bound of `exp (k·log s + r)`. Returns `None` if the value of k is undefined or unbounded.
    pub(super) fn exp_of_log_bound(&self, a: &LogBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let kappa = context.to_enclosure(&outer.value_of(&a.scale));
        let (lo, hi) = (kappa.lo().to_rational()?, kappa.hi().to_rational()?);
        if !kappa.is_defined() {
            return None;
        }
        let nilpotent = outer.nilpotent_part(&a.scale);
        let terms = outer.nilpotency_bound(&nilpotent);
        // Of an interval of κ the lowest end lo is the power: s^(κ - lo) is in [0, 1], and so is s^((terms - 1 - j)·β).
        let one = context.enclose_integer(1);
        let unit = context.hull(&context.enclose_integer(0), &one);
        let bound = context.hull(&context.enclose_integer(-LOG_DENOMINATOR), &context.enclose_integer(0));
        let mut coefficients = Vec::with_capacity(terms as usize);
        let mut coefficient = if lo == hi { one } else { unit.clone() };
        for j in 0..u64::from(terms) {
            let is_last = j + 1 == u64::from(terms);
            // All terms get the power of the last one; the others make up for it by a factor in [0, 1].
            coefficients.push(Some(if is_last { coefficient.clone() } else { context.mul(&coefficient, &unit) }));
            coefficient = context.div_integer(&context.mul(&coefficient, &bound), j + 1);
        }
        let power = lo - Rational::from((terms - 1, LOG_DENOMINATOR as u32));
        let factor = outer.compose(&coefficients, &nilpotent);
        self.power_bound(power, outer.multiply(&factor, &outer.apply_function(Function::Exp, &a.rest)))
    }
}

/// The lower bound `sᵖ·m`, with m > 0; see the [module](self).
#[derive(Clone, Debug)]
pub struct LowerPowerBound<N> {
    /// The exponent p.
    pub(super) power: Rational,
    /// The number m, a point.
    least: N,
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns a lower bound of a value by its power bound, or by its expansions over the piece and at the end.
    pub(super) fn lower_bound_by_expansion(
        &self,
        growth: Option<&PowerBound<C::Num>>,
        [over, at]: [&Jet<C::Num>; 2],
    ) -> Option<LowerPowerBound<C::Num>> {
        if let Some(a) = growth.filter(|a| self.is_positive(&a.factor)) {
            return self.lower_power_bound(a.power.clone(), &self.outer.value_of(&a.factor));
        }
        let coefficient = |jet: &Jet<C::Num>, power: usize| self.outer.value_of(&self.coefficient_in_s(jet, power));
        // Taylor: value = c₀ + … + c₍ₖ₋₁₎s^(k-1) + s^k·(k-th coefficient over the piece), the c nonnegative.
        let starts = |power: &usize| self.is_never_negative(&coefficient(at, *power));
        let rises = |power: usize| {
            let least = coefficient(over, power);
            let is_known = self.context().is_defined(&coefficient(over, 0)) && self.context().is_defined(&least);
            if is_known { self.lower_power_bound(Rational::from(power), &least) } else { None }
        };
        (1..=ORDER as usize).take_while(|power| starts(&(power - 1))).find_map(rises)
    }

    /// Returns a lower bound of a result by the lower bounds of its operands.
    pub(super) fn lower_bound_by_rule(
        &self,
        instruction: &BlockInstruction,
        frame: &RegisterFile<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<LowerPowerBound<C::Num>> {
        let of = |r: BlockRegister| found[r.0 as usize].above.as_ref();
        let context = self.context();
        match instruction {
            BlockInstruction::Binary(Binary::Add, x, y) => match (of(*x), of(*y)) {
                // Both bounds hold for the sum, each summand being positive: the lesser power is the greater for small s.
                (Some(a), Some(b)) => Some(if a.power <= b.power { a.clone() } else { b.clone() }),
                (Some(a), None) if self.is_never_negative(&self.range_of(*y, frame)) => Some(a.clone()),
                (None, Some(b)) if self.is_never_negative(&self.range_of(*x, frame)) => Some(b.clone()),
                _ => None,
            },
            BlockInstruction::Binary(Binary::Multiply, x, y) => {
                let (a, b) = (of(*x)?, of(*y)?);
                self.lower_power_bound(Rational::from(&a.power + &b.power), &context.mul(&a.least, &b.least))
            }
            BlockInstruction::Binary(Binary::Divide, x, y) => {
                // Positive over positive: the divisor at its greatest makes the quotient least.
                let (a, _, most) = (of(*x)?, of(*y)?, context.upper(&self.range_of(*y, frame))?);
                self.lower_power_bound(a.power.clone(), &context.div(&a.least, &most))
            }
            BlockInstruction::Power(x, e) if e.numerator > 0 => {
                self.raise_lower_bound(of(*x)?, e.numerator, e.denominator)
            }
            BlockInstruction::Unary(Unary::Function(f), x) => match f.row().monotonicity {
                Monotonicity::Root(n) => self.raise_lower_bound(of(*x)?, 1, n.into()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns a power bound of an inverse, a negative power or a logarithm, by the lower bound of the operand.
    pub(super) fn bound_by_lower_bound(
        &self,
        instruction: &BlockInstruction,
        frame: &RegisterFile<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<PowerBound<C::Num>> {
        let of = |r: BlockRegister| found[r.0 as usize].above.as_ref();
        let context = self.context();
        let operand = match instruction {
            BlockInstruction::Binary(Binary::Divide, _, y) => *y,
            BlockInstruction::Power(x, e) if e.numerator < 0 => *x,
            BlockInstruction::Unary(Unary::Function(Function::Log), x) => *x,
            _ => return None,
        };
        let a = of(operand)?;
        let parts: Vec<_> =
            (0..=ORDER as usize).map(|power| self.coefficient_in_s(frame.get(operand), power)).collect();
        // 0 < 1/v ≤ s⁻ᵖ/m.
        let inverse = |a: &LowerPowerBound<C::Num>| {
            let unit = context.hull(&context.enclose_integer(0), &context.enclose_integer(1));
            self.power_bound(
                Rational::from(-&a.power),
                self.with_unknown_derivatives(context.div(&unit, &a.least), &parts),
            )
        };
        let bounded = match instruction {
            BlockInstruction::Binary(_, x, _) => {
                let (dividend, inverse) = (found[x.0 as usize].growth.as_ref()?, inverse(a)?);
                let power = Rational::from(&dividend.power + &inverse.power);
                self.power_bound(power, self.outer.multiply(&dividend.factor, &inverse.factor))?
            }
            BlockInstruction::Power(_, e) => inverse(&self.raise_lower_bound(a, -e.numerator, e.denominator)?)?,
            // p·log s + log m ≤ log v ≤ log of the upper end, where s^β·log s ∈ [-1/β, 0] and β = 1/LOGARITHM.
            _ => {
                let logarithm = |v: &C::Num| context.apply_function(Function::Log, v);
                let most = logarithm(&context.upper(&self.range_of(operand, frame))?);
                let bound = context.hull(&context.enclose_integer(-LOG_DENOMINATOR), &context.enclose_integer(0));
                let least = context.mul(&context.enclose_rational(&a.power), &bound);
                // A number c is s^(-β)·c·s^β, and s^β is in [0, 1].
                let other = context.hull(&context.enclose_integer(0), &logarithm(&a.least));
                let most = context.hull(&context.enclose_integer(0), &most);
                let all = context.hull(&context.add(&least, &other), &most);
                self.power_bound(Rational::from((-1, LOG_DENOMINATOR)), self.with_unknown_derivatives(all, &parts))?
            }
        };
        // Only a bound is known, so there need be no limit.
        self.may_oscillate.set(true);
        // It need not be defined for inputs beside those given.
        self.machine.edges.record_boundary(&self.outer, &parts);
        Some(bounded)
    }

    /// Returns the range of a register over the piece.
    fn range_of(&self, r: BlockRegister, frame: &RegisterFile<C::Num>) -> C::Num {
        self.outer.value_of(&self.coefficient_in_s(frame.get(r), 0))
    }

    /// Returns `true` if a range is certainly defined and has no negative number.
    fn is_never_negative(&self, range: &C::Num) -> bool {
        let least = self.context().lower(range).filter(|_| self.context().is_defined(range));
        least.is_some_and(|least| self.context().sign(&least) != Sign::Negative && self.context().is_point(&least))
    }

    /// Returns a jet with this value whose derivatives in the inputs of `parts` are unknown.
    fn with_unknown_derivatives(&self, value: C::Num, parts: &[Jet<C::Num>]) -> Jet<C::Num> {
        let (algebra, moved) = (self.outer.algebra, self.outer.generator_support(parts));
        let depends = |monomial: usize| algebra.generators_of(monomial).all(|generator| moved[generator]);
        let beside = (1..algebra.len()).map(|monomial| depends(monomial).then(|| self.context().bottom()));
        Jet::new(std::iter::once(Some(value)).chain(beside))
    }

    /// Returns `sᵖ` times the lower end of `value`. Returns `None` unless that end is positive.
    fn lower_power_bound(&self, power: Rational, value: &C::Num) -> Option<LowerPowerBound<C::Num>> {
        let least = self.context().lower(value)?;
        (self.context().sign(&least) == Sign::Positive).then_some(LowerPowerBound { power, least })
    }

    /// Raises a lower bound to a positive rational power.
    fn raise_lower_bound(
        &self,
        a: &LowerPowerBound<C::Num>,
        numerator: i64,
        denominator: u32,
    ) -> Option<LowerPowerBound<C::Num>> {
        // m > 0, so m^q = exp (q·log m).
        let context = self.context();
        let exponent = Rational::from((numerator, denominator));
        let raised =
            context.mul(&context.enclose_rational(&exponent), &context.apply_function(Function::Log, &a.least));
        self.lower_power_bound(Rational::from(&a.power * &exponent), &context.apply_function(Function::Exp, &raised))
    }
}

/// Returns exp or log and the integer that is added to the result of exp, or to the argument of log. Other functions get 0.
pub(super) fn exp_or_log_with_shift(f: Function) -> (Function, i64) {
    match f {
        Function::Expm1 => (Function::Exp, -1),
        Function::Log1p => (Function::Log, 1),
        f => (f, 0),
    }
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Bounds tanh, erf, erfc or arctan of an unbounded value: its whole range, with derivatives by its slope.
    pub(super) fn function_with_limits(&self, f: Function, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let one =
            PowerBound { power: Rational::new(), factor: Jet::constant(context.enclose_integer(1)), has_limit: true };
        let square = || self.power_bound(Rational::from(&a.power * 2), outer.square(&a.factor));
        let slope = match f {
            Function::Tanh => {
                let twice = match context.sign(&outer.value_of(&a.factor)) {
                    Sign::Positive => context.enclose_integer(-2),
                    Sign::Negative => context.enclose_integer(2),
                    _ => return None,
                };
                let e = self.bound_decay(&PowerBound { factor: outer.scale(&a.factor, &twice), ..a.clone() })?;
                let below = self.add_power_bounds(&one, e.clone())?;
                self.power_bound(
                    e.power,
                    outer.divide(&outer.scale(&e.factor, &context.enclose_integer(4)), &outer.square(&below.factor)),
                )?
            }
            Function::Erf | Function::Erfc => {
                let square = square()?;
                let e = self.bound_decay(&PowerBound { factor: outer.negate(&square.factor), ..square })?;
                let two = context.enclose_integer(if f == Function::Erf { 2 } else { -2 });
                let root = context.apply_function(Function::Sqrt, &context.pi());
                self.power_bound(e.power, outer.scale(&e.factor, &context.div(&two, &root)))?
            }
            Function::Atan => {
                let below = self.add_power_bounds(&square()?, one)?;
                self.power_bound(-below.power, outer.reciprocal(&below.factor))?
            }
            _ => return None,
        };
        let any = context.mark_defined(context.bottom());
        // Only the derivatives are taken from the antiderivative: the value may be any in the range.
        let mut found = outer.antiderivative(&a.factor, &slope.factor, context.enclose_integer(0));
        // A negative power would leave the derivatives unbounded.
        if slope.power + &a.power < 0 {
            return None;
        }
        found = self.times_unit_interval(&found);
        found.set(0, Some(context.apply_function(f, &any)));
        self.power_bound(0, found)
    }
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Bounds a function near its singularity, by the table of the [module](self). Returns `None` for a function without one.
    pub(super) fn function_at_singularity<'g>(
        &self,
        instruction: &BlockInstruction,
        frames: &PieceRegisters<C::Num>,
        of: impl Fn(BlockRegister) -> Option<&'g PowerBound<C::Num>>,
    ) -> Option<PowerBound<C::Num>>
    where
        C::Num: 'g,
    {
        let BlockInstruction::Unary(Unary::Function(f), x) = instruction else { return None };
        match f {
            Function::Log1p => {
                // Power 0 means no singularity: the rule for bounded values is tighter.
                let a = self.one_plus_or_minus(frames, *x, Sign::Positive).filter(|a| a.power != 0)?;
                self.apply_function(Function::Log, &a)
            }
            Function::Atanh => {
                let [above, below] =
                    [Sign::Positive, Sign::Negative].map(|sign| self.one_plus_or_minus(frames, *x, sign));
                let (above, below) = (above?, below?);
                // Neither logarithm is singular.
                if above.power == 0 && below.power == 0 {
                    return None;
                }
                let (a, b) = (self.apply_function(Function::Log, &above)?, self.apply_function(Function::Log, &below)?);
                let twice = self.add_power_bounds(&a, self.negate_power_bound(&b)?)?;
                self.power_bound(
                    twice.power,
                    self.outer.scale(&twice.factor, &self.context().enclose_rational(&Rational::from((1, 2)))),
                )
            }
            Function::Asinh | Function::Acosh => self.inverse_hyperbolic(*f, of(*x).filter(|a| a.power < 0)?),
            Function::Special(SpecialId::Gamma, 0) => {
                let a = self.if_vanishing(of(*x))?;
                self.add_power_bounds(
                    &self.negate_power_bound(&self.apply_function(Function::Log, a)?)?,
                    self.function_past_one(*f, a)?,
                )
            }
            Function::Special(SpecialId::Gamma, order @ 1..) => {
                self.polygamma_at_pole(*f, u32::from(*order) - 1, self.if_vanishing(of(*x))?)
            }
            _ => None,
        }
    }

    /// Bounds 1 + a for a positive `sign`, 1 − a for a negative one.
    fn one_plus_or_minus(
        &self,
        PieceRegisters { over, at, near }: &PieceRegisters<C::Num>,
        a: BlockRegister,
        sign: Sign,
    ) -> Option<PowerBound<C::Num>> {
        let jets = self.machine.jets(self.extended);
        let one = Jet::constant(self.context().enclose_integer(1));
        let moved = |a: &Jet<C::Num>| match sign {
            Sign::Negative => jets.subtract(&one, a),
            _ => jets.add(&one, a),
        };
        let limit = moved(at.get(a));
        // Added before bounding: the zero at the end shows only in the sum.
        let beside = near.as_ref().map(|near| moved(near.get(a)));
        self.bound_by_taylor(&moved(over.get(a)), [&limit, beside.as_ref().unwrap_or(&limit)])
    }

    /// Returns the bound of −a.
    fn negate_power_bound(&self, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        self.power_bound(a.power.clone(), self.outer.negate(&a.factor))
    }

    /// Returns the bound if its value certainly goes to 0 from above.
    fn if_vanishing<'g>(&self, a: Option<&'g PowerBound<C::Num>>) -> Option<&'g PowerBound<C::Num>> {
        a.filter(|a| a.power > 0 && self.is_positive(&a.factor))
    }

    /// Bounds f (1 + a), for an a that goes to 0.
    fn function_past_one(&self, f: Function, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let outer = &self.outer;
        let argument =
            outer.add(&Jet::constant(self.context().enclose_integer(1)), &self.times_unit_interval(&a.factor));
        self.machine.record_function_boundary(outer, f, &argument);
        self.power_bound(0, outer.apply_function(f, &argument))
    }

    /// Bounds the k-th derivative of digamma at its pole 0.
    fn polygamma_at_pole(&self, f: Function, k: u32, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        // ψ⁽ᵏ⁾(a) = ψ⁽ᵏ⁾(1 + a) + (-1)ᵏ⁺¹·k!/aᵏ⁺¹, the recurrence.
        let factorial = (1..=k).fold(Rational::from(1), |product, j| product * j);
        let signed = if k.is_multiple_of(2) { -factorial } else { factorial };
        let power = -(&a.power * Rational::from(k + 1));
        let inverse = self.outer.power(&a.factor, -i64::from(k + 1), 1);
        let pole = self.power_bound(power, self.outer.scale(&inverse, &self.context().enclose_rational(&signed)))?;
        self.add_power_bounds(&pole, self.function_past_one(f, a)?)
    }

    /// Bounds asinh or acosh of a value that goes to ∞, or asinh of one that goes to −∞.
    fn inverse_hyperbolic(&self, f: Function, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let is_negative = match (context.sign(&outer.value_of(&a.factor)), f) {
            (Sign::Positive, _) => false,
            (Sign::Negative, Function::Asinh) => true,
            _ => return None,
        };
        // asinh is odd.
        let size = if is_negative { self.negate_power_bound(a)? } else { a.clone() };
        // 1/|a| is s^(-p) times 1/N, and its power is positive: in [0, 1].
        let one = Jet::constant(context.enclose_integer(1));
        let square = outer.square(&self.times_unit_interval(&outer.reciprocal(&size.factor)));
        let under = if f == Function::Asinh { outer.add(&one, &square) } else { outer.subtract(&one, &square) };
        if !self.is_positive(&under) {
            return None;
        }
        let rest = outer.apply_function(Function::Log, &outer.add(&one, &outer.apply_function(Function::Sqrt, &under)));
        let whole = self.add_power_bounds(&self.apply_function(Function::Log, &size)?, self.power_bound(0, rest)?)?;
        if is_negative { self.negate_power_bound(&whole) } else { Some(whole) }
    }
}
