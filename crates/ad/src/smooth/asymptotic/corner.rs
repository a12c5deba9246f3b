//! Lower bounds by a power of s, and integrals whose integrand depends on s.
//!
//! # Lower bounds
//!
//! `value ≥ sᵖ·m` for 0 < s ≤ 1, with a number m > 0, for values that no series encloses with a sign: `x + s` for all x ≥ 0
//! lies between s and its range. Such is a sum of a value that vanishes at the end and of an input that goes to 0 as well, as
//! at a corner of a square: `∬ 1/√(x + y)`, `∬ xy/(x + y)`, `∬ (x + y) log (x + y)`.
//!
//! | a value | is |
//! |---|---|
//! | `sᵖ·Lᵠ·N` with N > 0 and q ≥ 0 | bounded below by `sᵖ·Aᵠ·N` |
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
//! # Integrals
//!
//! An integral, by bounds of its integrand on pieces of its own variable t.
//!
//! | the integrand, for t in a piece | its integral over the piece is |
//! |---|---|
//! | `m·N` for all these t | `m·N` times the length |
//! | `τ^q·N` for all these s and q > -1, τ being the share of the piece from one end on | `N/(q + 1)` times the length |
//! | both, with powers p and q of at most -1 | at most `s^(θp)·M` with a bounded M, for 0 < θ < 1 |
//!
//! The third row is for a singularity at a corner. A number of at most a and at most b is at most `a^θ·b^(1-θ)`. So 1/(x +
//! y) is at most 1/√(xy), which has an integral. With θ = q/(p + q) both exponents are pq/(p + q). That is above -1 where
//! these two rows bound the integrand like a power above -2 of the distance from the corner. An integrand that is infinite
//! there by both and of either sign is not seen to cancel. For other powers θ is such that (1 - θ)q is -7/8, as in x·∫ 1/(x +
//! y)² dy, where the factor outside makes up for the rest. The same holds for each Taylor coefficient in the other inputs. The
//! pieces halve towards both ends, down to the length of the piece of s.

use super::scale::{ScaleMonomial, bound_powers, integrate_powers, raise_to};
use super::series::AsymptoticTerm;
use super::{AsymptoticBounds, AsymptoticRun, ORDER, OneSidedLimit, PieceRegisters};
use crate::function::Monotonicity;
use crate::number::arithmetic::{Function, Sign};
use crate::number::{Rational, budget};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, SecondOrder, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, KnownAtEnd, RegisterFile};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};

/// The lower bound `sᵖ·m`, with m > 0; see the [module](self).
#[derive(Clone, Debug)]
pub struct LowerPowerBound<N> {
    /// The exponent p.
    pub(super) power: Rational,
    /// The number m, a point.
    least: N,
}

/// Returns a power of s that bounds `sᵖ·Lᵠ` up to the constant returned. Returns `None` if there is none.
fn replace_logarithm<C: HookedContext>(
    context: &C,
    first: &C::Num,
    monomial: &ScaleMonomial,
) -> Option<(ScaleMonomial, C::Num)> {
    // L^q·s^(1/8) is bounded for every q: a choice between a small power and a small constant.
    let spare = if monomial.log_power > 0 { Rational::from((1, 8)) } else { Rational::new() };
    let rest = ScaleMonomial::of_powers(spare, monomial.log_power.clone());
    Some((monomial.quotient_by(&rest), bound_powers(context, first, &rest)?))
}

/// The number of halvings towards an end, at most. A choice.
const MOST_HALVINGS: i64 = 64;

/// An integral inside a run: its integrand, and the registers of its captures.
type InnerIntegral<'i> = (&'i Block, &'i [BlockRegister]);

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns a lower bound of a value by its leading term, or by its expansions over the piece and at the end.
    pub(super) fn lower_bound_by_expansion(
        &self,
        leading: Option<&AsymptoticTerm<C::Num>>,
        [over, at]: [&Jet<C::Num>; 2],
    ) -> Option<LowerPowerBound<C::Num>> {
        if let Some(a) = leading.filter(|a| self.arithmetic.sign(&a.factor) == Sign::Positive) {
            let is_usable = a.monomial.is_pure() && a.monomial.log_power >= 0;
            return if is_usable {
                let least = raise_to(self.context(), &self.arithmetic.log_at_one, &a.monomial.log_power);
                let least = self.context().mul(&least, &self.outer().value_of(&a.factor));
                self.lower_power_bound(a.monomial.power.clone(), &least)
            } else {
                None
            };
        }
        let coefficient = |jet: &Jet<C::Num>, power: usize| self.outer().value_of(&self.coefficient_in_s(jet, power));
        // Taylor: value = c₀ + … + c₍ₖ₋₁₎s^(k-1) + s^k·(k-th coefficient over the piece), the c nonnegative.
        let starts = |power: &usize| self.is_never_negative(&coefficient(at, *power));
        let rises = |power: usize| {
            let least = coefficient(over, power);
            let is_defined = [&coefficient(over, 0), &least].iter().all(|c| self.context().is_defined(c));
            if is_defined { self.lower_power_bound(Rational::from(power), &least) } else { None }
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

    /// Returns a bound of an inverse, a negative power or a logarithm, by the lower bound of the operand.
    pub(super) fn bound_by_lower_bound(
        &self,
        instruction: &BlockInstruction,
        frame: &RegisterFile<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<AsymptoticTerm<C::Num>> {
        let of = |r: BlockRegister| found[r.0 as usize].above.as_ref();
        let (context, arithmetic) = (self.context(), &self.arithmetic);
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
            let most = context.div(&arithmetic.hull_with_zero(&context.enclose_integer(1)), &a.least);
            arithmetic.bounded_term(ScaleMonomial::of_powers(-&a.power, 0), self.with_unknown_derivatives(most, &parts))
        };
        let bounded = match instruction {
            BlockInstruction::Binary(_, x, _) => {
                let (dividend, inverse) = (found[x.0 as usize].leading.as_ref()?, inverse(a)?);
                let product = self.outer().multiply(&dividend.factor, &inverse.factor);
                arithmetic.bounded_term(dividend.monomial.times_monomial(&inverse.monomial), product)?
            }
            BlockInstruction::Power(_, e) => inverse(&self.raise_lower_bound(a, -e.numerator, e.denominator)?)?,
            // p·log s + log m ≤ log v ≤ log of the upper end, where log s = A - L, and a number c is L times c·[0, 1/A].
            _ => {
                let logarithm = |v: &C::Num| context.apply_function(Function::Log, v);
                let first = &arithmetic.log_at_one;
                let power = context.enclose_rational(&a.power);
                let share = |c: &C::Num| context.div(&arithmetic.hull_with_zero(c), first);
                let most = share(&logarithm(&context.upper(&self.range_of(operand, frame))?));
                let rest = share(&context.add(&context.mul(&power, first), &logarithm(&a.least)));
                let all = context.hull(&context.sub(&rest, &power), &most);
                arithmetic.bounded_term(ScaleMonomial::of_powers(0, 1), self.with_unknown_derivatives(all, &parts))?
            }
        };
        // Only a bound is known, so there need be no limit.
        arithmetic.may_oscillate.set(true);
        // It need not be defined for inputs beside those given.
        self.machine.edges.record_boundary(self.outer(), &parts);
        Some(bounded)
    }

    /// Returns the range of a register over the piece.
    fn range_of(&self, r: BlockRegister, frame: &RegisterFile<C::Num>) -> C::Num {
        self.outer().value_of(&self.coefficient_in_s(frame.get(r), 0))
    }

    /// Returns `true` if a range is certainly defined and has no negative number.
    fn is_never_negative(&self, range: &C::Num) -> bool {
        let least = self.context().lower(range).filter(|_| self.context().is_defined(range));
        least.is_some_and(|least| self.context().sign(&least) != Sign::Negative && self.context().is_point(&least))
    }

    /// Returns a jet with this value whose derivatives in the inputs of `parts` are unknown.
    fn with_unknown_derivatives(&self, value: C::Num, parts: &[Jet<C::Num>]) -> Jet<C::Num> {
        let (algebra, moved) = (self.outer().algebra, self.outer().generator_support(parts));
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
        let exponent = Rational::from((numerator, denominator));
        self.lower_power_bound(Rational::from(&a.power * &exponent), &raise_to(self.context(), &a.least, &exponent))
    }

    /// Returns a bound of an integral. Returns `None` for any other instruction, or if the integrand has no bound on some
    /// piece.
    pub(super) fn bound_integral(
        &self,
        instruction: &BlockInstruction,
        frames: &PieceRegisters<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Result<Option<AsymptoticTerm<C::Num>>, SmoothError> {
        let BlockInstruction::Second { primitive: SecondOrder::Integral, body, captures } = instruction else {
            return Ok(None);
        };
        let inner = (&**body, &**captures);
        // Pieces much shorter than that of s gain nothing: there the integrand varies with s.
        let halvings = 1_i64.saturating_sub(self.length.floor_log2()).clamp(2, MOST_HALVINGS);
        // [0, 2⁻ᵏ], …, [1/4, 1/2], and their mirror images towards 1.
        let breaks: Vec<_> = (1..=halvings).rev().map(|k| Rational::from((1, 1_u128 << k))).collect();
        let mut parts = Vec::new();
        for from_right in [false, true] {
            for (i, right) in breaks.iter().enumerate() {
                let left = i.checked_sub(1).map(|i| &breaks[i]);
                let ends = [left.unwrap_or(Rational::ZERO), right].map(|t| {
                    let t = if from_right { Rational::from(1 - t) } else { t.clone() };
                    self.context().enclose_rational(&t)
                });
                let mut part = self.integrand_on_piece(inner, &ends, frames, found)?;
                let is_at_end = left.is_none();
                // A bound for all t that has no integral in s, or none at all: only a corner may still help.
                if is_at_end && part.as_ref().is_none_or(|uniform| uniform.monomial.power <= -1) {
                    part = self.mean_at_corner(inner, &ends, frames, part)?;
                }
                // An enclosure of all values encloses their mean.
                let Some(mean) = part else { return Ok(None) };
                let length = self.context().abs(&self.context().sub(&ends[1], &ends[0]));
                parts.push(AsymptoticTerm { factor: self.outer().scale(&mean.factor, &length), ..mean });
            }
        }
        // A mean is enclosed, not its limit.
        self.arithmetic.may_oscillate.set(true);
        Ok(self.arithmetic.collect_terms(parts).and_then(|sum| self.arithmetic.leading_term(&sum)))
    }

    /// Returns a bound of the integrand for all t of a piece, without atoms.
    fn integrand_on_piece(
        &self,
        (body, captures): InnerIntegral,
        [from, to]: &[C::Num; 2],
        PieceRegisters { over, at, near }: &PieceRegisters<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Result<Option<AsymptoticTerm<C::Num>>, SmoothError> {
        let limbs = budget::limb_count(self.context().precision());
        let runs = if near.is_some() { 3 } else { 2 };
        let price = runs * body.instructions.len() as u64 * self.extended.product_count() * limbs;
        if !self.machine.effort.budget.spend(price) {
            return Ok(None);
        }
        let place = [Jet::constant(self.context().hull(from, to))];
        let (of_over, of_at) = (over.get_all(captures), at.get_all(captures));
        let of_near = near.as_ref().map(|near| near.get_all(captures));
        let frame = |captures| RegisterFile::for_outputs([&place[..], captures], body);
        let frames =
            PieceRegisters { over: frame(&of_over[..]), at: frame(&of_at[..]), near: of_near.as_deref().map(frame) };
        // Atoms are registers of another block, so exponentials cannot be handed on.
        let run = AsymptoticRun { arithmetic: self.arithmetic.without_atoms_of_run(), ..*self };
        let known = captures.iter().map(|r| &found[r.0 as usize]).map(|own| {
            let leading = own.leading.as_ref().and_then(|term| self.arithmetic.as_pure_term(term));
            let leading = leading.map(|term| run.arithmetic.adopt_pure_term(term));
            AsymptoticBounds { above: own.above.clone(), ..AsymptoticBounds::from_term(leading) }
        });
        // t takes all values of the piece at once: for a given t it does not move with s.
        let found = std::iter::once(run.bounds_of_input(&frames, BlockRegister(0))).chain(known).collect();
        let output = run.bound_block(
            body,
            frames,
            found,
            &KnownAtEnd::default(),
            &mut BranchDecisions::with_forced(Vec::new()),
        )?;
        if run.arithmetic.may_oscillate.get() {
            self.arithmetic.may_oscillate.set(true);
        }
        let output = output.and_then(|output| run.arithmetic.as_pure_term(&output.leading?));
        Ok(output.map(|term| self.arithmetic.adopt_pure_term(term)))
    }

    /// Returns a bound of the mean of the integrand over a piece that begins at 0 or 1.
    ///
    /// `uniform` is the bound for all t of the piece. The other bound is that of the integrand near the end, for all s.
    fn mean_at_corner(
        &self,
        (body, captures): InnerIntegral,
        [end, other]: &[C::Num; 2],
        frames: &PieceRegisters<C::Num>,
        uniform: Option<AsymptoticTerm<C::Num>>,
    ) -> Result<Option<AsymptoticTerm<C::Num>>, SmoothError> {
        let context = self.context();
        let captured: Vec<_> = captures.iter().map(|r| self.coefficient_in_s(frames.over.get(*r), 0)).collect();
        let length = Jet::constant(context.sub(other, end));
        let approach = OneSidedLimit { end: &Jet::constant(end.clone()), length: &length, root: None };
        let mut branches = BranchDecisions::with_forced(Vec::new());
        let own = self.machine.power_bound_at_end(body, self.inputs, &approach, &captured, &mut branches)?;
        let Some(own) = own else { return Ok(None) };
        // Integrable by itself.
        if let Some(weight) = integrate_powers(context, &own.log_at_one, &own.monomial) {
            return Ok(self.arithmetic.bounded_term(ScaleMonomial::of_one(), self.outer().scale(&own.factor, &weight)));
        }
        let Some(uniform) = uniform else { return Ok(None) };
        let bounds = [
            (&own.log_at_one, &own.monomial, &own.factor),
            (&self.arithmetic.log_at_one, &uniform.monomial, &uniform.factor),
        ];
        // The product of powers below needs bounds without logarithms.
        let [own, uniform] = bounds.map(|(first, monomial, factor)| {
            let (power, most) = replace_logarithm(context, first, monomial)?;
            let range = self.arithmetic.hull_with_zero(&most);
            let exact = monomial.log_power == 0;
            let factor = if exact { factor.clone() } else { self.outer().scale(factor, &range) };
            Some(AsymptoticTerm { monomial: power, factor })
        });
        let (Some(own), Some(uniform)) = (own, uniform) else { return Ok(None) };
        let [q, p] = [&own, &uniform].map(|bound| bound.monomial.power.clone());
        if q >= 0 || p >= 0 {
            return Ok(None);
        }
        // 1 - θ: equal powers of s and τ if both have an integral, else a power of τ of -7/8.
        let same = &p / Rational::from(&p + &q);
        let own_share = if Rational::from(&same * &q) > -1 { same } else { Rational::from((-7, 8)) / &q };
        let weight: Rational = Rational::from(&own_share * &q) + 1;
        let share = Rational::from(1 - &own_share);
        let bound_monomial = uniform.monomial.raised_to(&share);
        // |a|^θ·|b|^(1-θ), times the integral 1/(1 + (1-θ)q) of the power of τ.
        let over = context.enclose_rational(&weight.recip());
        let between = |[a, b]: [&C::Num; 2]| {
            let raised = |value: &C::Num, share: &Rational| {
                let most = context.upper(&context.abs(value)).filter(|_| context.is_defined(value))?;
                match context.sign(&most) {
                    Sign::Positive => Some(raise_to(context, &most, share)),
                    // An exact 0 has no logarithm; an undefined end has no power at all.
                    _ => context.is_point(&most).then_some(most),
                }
            };
            let (Some(first), Some(second)) = (raised(a, &share), raised(b, &own_share)) else {
                return context.bottom();
            };
            let most = context.mul(&context.mul(&first, &second), &over);
            // Where one bound has no negative number, the integrand has none either.
            let is_positive = [a, b].iter().any(|v| context.is_nonnegative(v));
            let least = if is_positive { context.enclose_integer(0) } else { context.neg(&most) };
            context.hull(&least, &most)
        };
        let monomials = 0..uniform.factor.len().min(own.factor.len());
        let bound = monomials.map(|m| Some(between([uniform.factor.get(m)?, own.factor.get(m)?])));
        Ok(self.arithmetic.bounded_term(bound_monomial, Jet::new(bound)))
    }
}
