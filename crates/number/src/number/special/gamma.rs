//! log |Γ| and its derivatives ψ, ψ′, ψ″, … at points, written once for every precision.
//!
//! The derivative of order m is written F, with F₀ = log |Γ|, F₁ = ψ, and for m ≥ 2, with s = m,
//! `F_m(x) = (-1)ᵐ (m - 1)! ζ(m, x)`, where `ζ(s, x) = Σ_{k ≥ 0} (x + k)⁻ˢ` also for x < 0 that is no pole.
//!
//! **Upward.** Γ(x + 1) = x Γ(x), so with y = x + N
//!
//! | m | F_m(x) |
//! |---|---|
//! | 0 | F₀(y) - log │x (x + 1) ⋯ (y - 1)│ |
//! | 1 | F₁(y) - Σ 1/(x + k) |
//! | ≥ 2 | (-1)ᵐ (m - 1)! (ζ(m, y) + Σ (x + k)⁻ᵐ) |
//!
//! **Far out** the formula of Euler and Maclaurin for f(t) = -log t, 1/t, t⁻ᵐ gives, with the Bernoulli numbers B₂ⱼ,
//!
//! | m | |
//! |---|---|
//! | 0 | (y - ½) log y - y + ½ log 2π + Σⱼ Tⱼ |
//! | 1 | log y - 1/(2y) - Σⱼ Tⱼ |
//! | ≥ 2, ζ(m, y) = | y^{1-m}/(m - 1) + y⁻ᵐ/2 + Σⱼ Tⱼ |
//!
//! where `T₁ = B₂/2! · max(m, 1) y^{-m-1}`, and the factor beside B₂ⱼ/(2j)! is multiplied by (m + 2j - 1)(m + 2j)/y² from each j
//! to the next. *The remainder lies between 0 and the first omitted term.* Let Rⱼ be the remainder after j terms. Then `±R_{j-1}
//! = -∫₀^∞ (B₂ⱼ({t}) - B₂ⱼ)/(2j)! f^{(2j)}(y + t) dt`. Here f^{(2j)} ≥ 0, for all of these f, and the periodic B₂ⱼ({t}) - B₂ⱼ has
//! the sign (-1)ʲ everywhere. So R_{j-1} and Rⱼ have opposite signs, and as Tⱼ = R_{j-1} - Rⱼ, R_{j-1} lies between 0 and Tⱼ.
//! This holds for each y > 0, so that an interval of them is as good as a point (Olver, *Asymptotics and Special Functions*, ch.
//! 8, §3).
//!
//! **Far to the left** the steps upward would take long. From Γ(x) Γ(1 - x) = π/sin πx and the same at r = x - ⌊x⌋, where │sin
//! πx│ = sin πr, follows `log │Γ(x)│ = log Γ(r) + log Γ(1 - r) - log Γ(1 - x)`. As r has the slope 1, `F_m(x) = F_m(r) + (-1)ᵐ
//! (F_m(1 - r) - F_m(1 - x))`: three values at positive arguments, each exact or rounded outward.
//!
//! **Why orders.** log Γ solves no differential equation with algebraic coefficients (Hölder 1887). So no formula
//! or recurrence gives its derivatives: each is a function of its own,
//! [`Function::Special`](crate::function::Function). A jet or a tower takes the next one at each order.
//!
//! **Why by hand.** MPFR has ψ, and none of higher order. For some arguments its log Γ and ψ take time and memory
//! without a bound.
//!
//! # log |Γ| and its derivatives on intervals
//!
//! log |Γ| and its derivatives on intervals, written once for every precision.
//!
//! Their poles are 0, -1, -2, …, and between two of them lies a *branch*; the numbers above 0 are one as well. On each branch
//! `ψ⁽ⁿ⁾(x) = (-1)ⁿ⁺¹ n! Σ_{k ≥ 0} (x + k)⁻ⁿ⁻¹` for n ≥ 1. For odd n all terms are positive, so that
//!
//! - ψ⁽ⁿ⁾ > 0 for odd n, so that its antiderivatives increase: ψ, and ψ⁽ⁿ⁾ for even n;
//! - the antiderivatives of these are convex: log |Γ|, and ψ⁽ⁿ⁾ for odd n.
//!
//! A convex function takes its upper bound on an interval at an end. If its slope does not change its sign inside, so does the
//! lower bound. Else let m be its minimiser, between u and v. For every x between them, `f(m) ≥ f(x) + f′(x) (m - x) ≥ f(x) -
//! |f′(x)| max(x - u, v - x)`. This loses no more than the roundings if x is as near to m as its digits allow. The rounding of m
//! itself does not matter.
//!
//! Above 0, ψ⁽ⁿ⁾ for odd n falls, having terms that fall; and ψ changes its sign between the two numbers of [`GAMMA_MINIMISER`], which a test checks.

use super::super::arithmetic::Direction::{Down, Up};
use super::super::arithmetic::{Context, Endpoint, EndpointArithmetic, Function, Interval, max_end, min_end};
use super::super::budget;
use super::super::double::Double;
use super::super::elementary;
use super::super::mpfr::Mpfr;
use super::SpecialFunction;
use crate::function::{
    ArgumentCondition, DerivativeFamily, EdgeForm, EdgeTail, Formula, FunctionSpec, NumberSet, OperationConditions,
    Region, SpecialId, TestedQuantity,
};
use rug::{Float, Integer, Rational};
use std::sync::{PoisonError, RwLock};

/// The highest order that is computed; the bounds of higher ones are the whole line. A choice: the factors grow with the
/// factorial.
const MAX_ORDER: u32 = 4096;

/// The greatest precision in bits of a computation; beyond it bounds are no narrower. A choice: the work grows like its square,
/// times the cost of a product.
const MAX_GAMMA_BITS: u32 = 1 << 13;

/// Returns m if `f` is the m-th derivative of log |Γ|; `None` for other functions.
pub(in super::super) fn derivative_order(f: Function) -> Option<u32> {
    match f {
        Function::Special(SpecialId::Gamma, order) => Some(order.into()),
        _ => None,
    }
}

/// Returns `true` if the derivative of an order increases on every branch: of ψ, ψ″, …; the others are convex there.
const fn increases_on_branches(order: u32) -> bool {
    order % 2 == 1
}

/// Returns `true` if a number is a pole: 0, -1, -2, …
pub(in super::super) fn is_pole<E: Endpoint>(x: &E) -> bool {
    !elementary::set_contains(POLE_FREE, x)
}

/// Returns the least argument of the series, for `bits` bits of the derivative of an order. There its terms fall to 2^-bits
/// before they grow.
pub(in super::super) fn series_start(bits: u32, order: u32) -> f64 {
    f64::from(bits / 4 + order / 2 + 2)
}

/// Encloses the derivative of an order at a finite point that is no pole; the whole line for orders above 4096.
pub(in super::super) fn eval_derivative<T: EndpointArithmetic>(tier: &T, order: u32, x: &T::End) -> Interval<T::End> {
    if order > MAX_ORDER {
        return Interval::whole_line(tier, true);
    }
    if *x >= -series_start(tier.bits(), order) {
        return eval_by_steps(tier, order, &Interval::point(x.clone()));
    }
    let [point, below] = [x.clone(), x.floor()].map(Interval::point);
    // ⌈x⌉, so that 1 - r = ⌈x⌉ - x is exact or rounded outward once.
    let above = Interval::point(x.negated().floor().negated());
    let at = |x: &Interval<T::End>| eval_by_steps(tier, order, x);
    let left = at(&tier.sub(&point, &below));
    let right = tier.sub(&at(&tier.sub(&above, &point)), &at(&tier.sub(&tier.enclose_integer(1), &point)));
    if order.is_multiple_of(2) { tier.add(&left, &right) } else { tier.sub(&left, &right) }
}

/// Encloses the derivative of an order on a narrow interval without poles, by steps of 1 to the right.
fn eval_by_steps<T: EndpointArithmetic>(tier: &T, order: u32, x: &Interval<T::End>) -> Interval<T::End> {
    let (far, one) = (series_start(tier.bits(), order), tier.enclose_integer(1));
    let (mut y, mut steps) = (x.clone(), 0);
    let mut passed = tier.enclose_integer(i64::from(order == 0));
    while y.lo < far {
        match order {
            0 => passed = tier.mul(&passed, &y),
            1 => passed = tier.add(&passed, &tier.div(&one, &y)),
            _ => passed = tier.add(&passed, &tier.div(&one, &tier.power(&y, order))),
        }
        steps += 1;
        // From x anew in each step, so that roundings do not add up.
        y = tier.add(x, &tier.enclose_integer(steps));
    }
    match order {
        // One logarithm of the product instead of one for each step.
        0 => tier.sub(
            &stirling_series(tier, 0, &y, &tier.enclose_integer(0)),
            &tier.apply_function(Function::Log, &tier.abs(&passed)),
        ),
        1 => stirling_series(tier, 1, &y, &passed),
        _ => {
            let zeta = stirling_series(tier, order, &y, &passed);
            let factorial = (2..i64::from(order)).fold(one, |product, k| tier.mul_integer(&product, k));
            let size = tier.mul(&factorial, &zeta);
            if order.is_multiple_of(2) { size } else { tier.neg(&size) }
        }
    }
}

/// Encloses F₀, F₁ or ζ(m, ·) far out, minus `passed` for F₁ and plus `passed` for ζ.
fn stirling_series<T: EndpointArithmetic>(
    tier: &T,
    order: u32,
    y: &Interval<T::End>,
    passed: &Interval<T::End>,
) -> Interval<T::End> {
    let inverse = tier.div(&tier.enclose_integer(1), y);
    let power = |n: u32| tier.power(&inverse, n);
    let log = |x: &Interval<T::End>| tier.apply_function(Function::Log, x);
    let leading = match order {
        0 => {
            let turns = tier.div_integer(&log(&tier.mul_integer(&tier.pi(), 2)), 2);
            let half = tier.div_integer(&tier.enclose_integer(1), 2);
            tier.add(&tier.sub(&tier.mul(&tier.sub(y, &half), &log(y)), y), &turns)
        }
        1 => tier.sub(&tier.sub(&log(y), &tier.div_integer(&inverse, 2)), passed),
        _ => {
            let far = tier
                .add(&tier.div_integer(&power(order - 1), u64::from(order - 1)), &tier.div_integer(&power(order), 2));
            tier.add(&far, passed)
        }
    };
    // Terms below 2^-(bits + 4) of the leading part change nothing in the result.
    let negligible = tier.magnitude(&leading).floor_log2().saturating_sub(i64::from(tier.bits()) + 4);
    let square = tier.square(&inverse);
    let mut factor = tier.div_integer(&tier.mul_integer(&power(order + 1), i64::from(order.max(1))), 2);
    let (mut series, mut before) = (tier.enclose_integer(0), None);
    for j in 1.. {
        let term = tier.mul(&tier.bernoulli_number(j), &factor);
        let size = tier.magnitude(&term);
        // The remainder lies between 0 and the first term left out. Stops also where the terms begin to grow.
        if size.floor_log2() <= negligible || !size.is_finite() || before.is_some_and(|before| size >= before) {
            series = tier.add(&series, &tier.hull(&tier.enclose_integer(0), &term));
            break;
        }
        series = tier.add(&series, &term);
        before = Some(size);
        let (m, twice) = (i64::from(order), 2 * j as i64);
        factor = tier.mul(&tier.mul_integer(&factor, (m + twice - 1) * (m + twice)), &square);
        factor = tier.div_integer(&factor, ((twice + 1) * (twice + 2)) as u64);
    }
    if order == 1 { tier.sub(&leading, &series) } else { tier.add(&leading, &series) }
}

/// Encloses the derivative of an order at a finite point that is no pole, to a relative error of about 2^-bits if it is not 0.
///
/// If terms cancel, everything is computed once more with twice the bits. Beside the zeros of log Γ at 1 and 2 that may not
/// suffice. There log Γ is `t ψ(ξ)`, where t is the distance from the zero, and ξ lies between the zero and x.
pub(in super::super) fn eval_precisely(bits: u32, order: u32, x: &Float) -> Interval<Float> {
    // 32 guard bits, a choice: the series loses a few.
    let bits = bits.min(MAX_GAMMA_BITS);
    let tier = Mpfr::new(bits + 32);
    if order == 0 {
        let zero = if *x < 1.5 { 1 } else { 2 };
        let distance = tier.sub(&Interval::point(x.clone()), &tier.enclose_integer(zero));
        if tier.magnitude(&distance).floor_log2() < -i64::from(bits) {
            let beside = tier.hull(&Interval::point(x.clone()), &tier.enclose_integer(zero));
            return tier.mul(&distance, &eval_by_steps(&tier, 1, &beside));
        }
    }
    let value = eval_derivative(&tier, order, x);
    // The relative width decides whether a second evaluation is needed.
    let lost = tier.width(&value).floor_log2().saturating_sub(tier.magnitude(&value).floor_log2());
    if lost < -i64::from(bits) { value } else { eval_derivative(&Mpfr::new(2 * bits + 64), order, x) }
}

/// Returns B₂ⱼ for j ≥ 1, from a cache.
pub(in super::super) fn bernoulli_number(j: usize) -> Rational {
    static KNOWN: RwLock<Vec<Rational>> = RwLock::new(Vec::new());
    if let Some(known) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(j - 1) {
        return known.clone();
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    // At least doubled, so that the total work stays within a constant factor of the last computation.
    if known.len() < j {
        *known = bernoulli_numbers((2 * j).max(32));
    }
    known[j - 1].clone()
}

/// Returns the first `count` of B₂, B₄, …, by the tangent numbers Tⱼ: B₂ⱼ = (-1)^{j-1} 2j Tⱼ/(4ʲ (4ʲ - 1)).
///
/// Source: Brent and Harvey, "Fast computation of Bernoulli, tangent and secant numbers" (2013), algorithm TangentNumbers.
fn bernoulli_numbers(count: usize) -> Vec<Rational> {
    let mut tangents = vec![Integer::from(1); count];
    for k in 1..count {
        tangents[k] = Integer::from(&tangents[k - 1] * k as u64);
    }
    for k in 1..count {
        for j in k..count {
            let next = Integer::from(&tangents[j - 1] * (j - k) as u64) + &tangents[j] * Integer::from(j - k + 2);
            tangents[j] = next;
        }
    }
    let number = |(index, tangent): (usize, Integer)| {
        let j = index as u32 + 1;
        let power = Integer::from(1) << (2 * j);
        let number = Rational::from((tangent * (2 * j), Integer::from(&power - 1) * &power));
        if j.is_multiple_of(2) { -number } else { number }
    };
    tangents.into_iter().enumerate().map(number).collect()
}

/// The two numbers between which Γ takes its minimum above 0.
const GAMMA_MINIMISER: [f64; 2] = [1.461_632_144_968_36, 1.461_632_144_968_37];

/// Encloses the image of an interval under log |Γ| or a derivative of it; ⊥ if the interval may contain a pole.
pub(in super::super) fn eval_on_branch<T: EndpointArithmetic>(
    tier: &T,
    f: Function,
    a: &Interval<T::End>,
) -> Interval<T::End> {
    // Inside one branch.
    if !elementary::region_contains(tier, CONDITIONS.value, &[a]) {
        return tier.bottom();
    }
    if a.is_degenerate() {
        let (lo, hi) = tier.eval_bounds(f, &a.lo);
        return Interval::new(lo, hi, a.defined);
    }
    match is_increasing_on(tier, f, a) {
        Some(true) => Interval::new(tier.eval_rounded(Down, f, &a.lo), tier.eval_rounded(Up, f, &a.hi), a.defined),
        Some(false) => Interval::new(tier.eval_rounded(Down, f, &a.hi), tier.eval_rounded(Up, f, &a.lo), a.defined),
        None => {
            // Convex, with the minimum possibly inside: the greatest value is at an end.
            let hi = max_end(tier.eval_rounded(Up, f, &a.lo), tier.eval_rounded(Up, f, &a.hi));
            Interval::new(min_end(lower_bound_of_minimum(tier, f, a), hi.clone()), hi, a.defined)
        }
    }
}

/// Returns `Some(true)` if a function increases on a part of a branch, `Some(false)` if it decreases; `None` if it may do both.
fn is_increasing_on<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> Option<bool> {
    if increases_on_branches(derivative_order(f)?) {
        return Some(true);
    }
    // Above 0 only log Γ has a minimum; the polygamma functions of odd order decrease.
    if a.lo.is_positive() {
        return match f {
            Function::LOG_GAMMA if a.lo >= GAMMA_MINIMISER[1] => Some(true),
            Function::LOG_GAMMA if a.hi > GAMMA_MINIMISER[0] => None,
            _ => Some(false),
        };
    }
    let slope = f.derivative_function()?;
    if tier.eval_rounded(Down, slope, &a.lo).is_nonnegative() {
        Some(true)
    } else if tier.eval_rounded(Up, slope, &a.hi).is_nonpositive() {
        Some(false)
    } else {
        None
    }
}

/// Returns a lower bound of a convex function that first decreases and then increases, by its slope near the minimiser.
fn lower_bound_of_minimum<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> T::End {
    let (mut u, mut v) = (a.lo.clone(), a.hi.clone());
    // Above 0 the function is log Γ, whose minimiser is known to 15 digits.
    if u.is_positive() {
        let [below, above] = GAMMA_MINIMISER.map(|x| x.to_float());
        (u, v) = (max_end(u, tier.round_float(Down, &below)), min_end(v, tier.round_float(Up, &above)));
    }
    let trivial = if f.row().range.0 == 0.0 { tier.small_integer(0) } else { tier.signed_infinity(Down) };
    // Without a second derivative no better bound than the range is known.
    let Some((slope, curvature)) =
        f.derivative_function().and_then(|slope| Some((slope, slope.derivative_function()?)))
    else {
        return trivial;
    };
    let place = match tier.bits() {
        ..=SHORT_BITS => approximate_zero(tier, [slope, curvature], u.clone(), v.clone()),
        bits => tier.round_float(Down, &approximate_zero_to(bits, [slope, curvature], [&u.to_float(), &v.to_float()])),
    };
    let x = max_end(u.clone(), min_end(v.clone(), place));
    let steep = match tier.bits() {
        ..=SHORT_BITS => {
            let (lo, hi) = tier.eval_bounds(slope, &x);
            max_end(lo.negated(), hi)
        }
        bits => {
            let (lo, hi) = slope_near_zero(bits, slope, &x.to_float());
            tier.round_float(Up, &max_end(lo.negated(), hi))
        }
    };
    if !steep.is_finite() {
        return trivial;
    }
    let far = max_end(tier.sub_rounded(Up, &v, &x), tier.sub_rounded(Up, &x, &u));
    max_end(trivial, tier.sub_rounded(Down, &tier.eval_rounded(Down, f, &x), &tier.mul_rounded(Up, &steep, &far)))
}

/// The precision in bits up to which a number is short.
const SHORT_BITS: u32 = 64;

/// Approximates the zero of a slope between two numbers by Newton's method, or by bisection if a step leaves the interval. No
/// bound relies on it.
fn approximate_zero<T: EndpointArithmetic>(
    tier: &T,
    [slope, curvature]: [Function; 2],
    mut u: T::End,
    mut v: T::End,
) -> T::End {
    let mut x = tier.middle_between(&u, &v);
    // A choice: 64 bisections exhaust a short mantissa, and Newton's method needs a few steps.
    for _ in 0..64 {
        if !(u < x && x < v) {
            break;
        }
        let (lo, hi) = tier.eval_bounds(slope, &x);
        if lo.is_positive() {
            v = x.clone();
        } else if hi.is_negative() {
            u = x.clone();
        } else {
            break;
        }
        let next = newton_step(tier, curvature, (lo, hi), &x);
        x = if u < next && next < v { next } else { tier.middle_between(&u, &v) };
    }
    x
}

/// Approximates the zero to about `bits` bits, twice as many in each step, so that the last one takes most of the time.
fn approximate_zero_to(bits: u32, [slope, curvature]: [Function; 2], [u, v]: [&Float; 2]) -> Float {
    let mut digits = SHORT_BITS;
    let tier = Mpfr::new(digits);
    let mut x = approximate_zero(&tier, [slope, curvature], tier.round_float(Down, u), tier.round_float(Up, v));
    while digits < bits.min(MAX_GAMMA_BITS) && !is_pole(&x) {
        digits = digits.saturating_mul(2).min(bits);
        let tier = Mpfr::new(digits);
        let at = tier.round_float(Down, &x);
        let next = newton_step(&tier, curvature, slope_near_zero(digits, slope, &at), &at);
        if !next.is_finite() {
            break;
        }
        x = next;
    }
    x
}

/// Encloses a slope beside a zero of it, with an error relative to its terms. An error relative to the slope itself would need a
/// second evaluation.
fn slope_near_zero(bits: u32, slope: Function, x: &Float) -> (Float, Float) {
    let tier = Mpfr::new(bits.min(MAX_GAMMA_BITS) + 32);
    let value = derivative_order(slope).map_or_else(|| tier.bottom(), |order| eval_derivative(&tier, order, x));
    (value.lo, value.hi)
}

/// Returns a step of Newton's method from x, where the slope lies between two numbers; +∞ if these are not finite.
fn newton_step<T: EndpointArithmetic>(tier: &T, curvature: Function, (lo, hi): (T::End, T::End), x: &T::End) -> T::End {
    if !(lo.is_finite() && hi.is_finite()) {
        return tier.signed_infinity(Up);
    }
    let step = tier.div_rounded(Down, &tier.middle_between(&lo, &hi), &tier.eval_rounded(Up, curvature, x));
    tier.sub_rounded(Down, x, &step)
}

/// log |Γ| with its derivatives.
pub(in super::super) struct Gamma;

const INF: f64 = f64::INFINITY;
const ALL_NUMBERS: (f64, f64) = (-INF, INF);

/// The numbers that are no poles of Γ.
const POLE_FREE: NumberSet = NumberSet::ExceptNonPositiveIntegers;

/// The conditions of log |Γ| and of all its derivatives.
static CONDITIONS: OperationConditions = OperationConditions::analytic_on(
    Region(&[&[ArgumentCondition { quantity: TestedQuantity::First, set: POLE_FREE }]]),
    "Gamma has no zeros, and simple poles at 0, -1, -2, ...; elsewhere it is analytic, and so is the logarithm of its size \
     (DLMF 5.2, 5.15)",
);

const fn gamma_spec(
    name: &'static str,
    summary: &'static str,
    notation: &'static str,
    exact_values: &'static [(f64, f64)],
    range: (f64, f64),
) -> FunctionSpec {
    FunctionSpec { name, summary, notation, exact_values, range, ..FunctionSpec::special(&CONDITIONS) }
}

/// log x
const LOG: Formula = Formula::Apply(Function::Log, &Formula::X);
/// (x - ½) log x - x + ½ log 2π
const STIRLING: Formula = {
    use Formula::{Add, Apply, Multiply, Number, Pi, Subtract, X};
    const PRODUCT: Formula = Multiply(&Subtract(&X, &Number(1, 2)), &LOG);
    const HALF_LOG: Formula = Multiply(&Number(1, 2), &Apply(Function::Log, &Multiply(&Number(2, 1), &Pi)));
    Add(&Subtract(&PRODUCT, &X), &HALF_LOG)
};
/// The rest of Stirling's formula (Binet): `∫₀^∞ b(t)·exp (-xt) dt` with `b(t) = (1/(eᵗ - 1) - 1/t + ½)/t` in [0, 1/12]. So its
/// k-th derivative is at most `∫₀^∞ tᵏ/12·exp (-xt) dt = k!/12·x⁻ᵏ⁻¹`.
const LOG_GAMMA_TAIL: EdgeTail = EdgeTail {
    weight: Formula::Number(0, 1),
    bounds: [Formula::Number(0, 1), Formula::Number(1, 12)],
    coefficient: Formula::Number(1, 12),
    falls: true,
    ratio: 1,
};
/// `ψ(x) - log x = -∫₀^∞ b(t)·exp (-xt) dt`, where `b(t) = 1/(1 - e⁻ᵗ) - 1/t` lies in [½, 1] (Gauss).
const DIGAMMA_TAIL: EdgeTail = EdgeTail {
    weight: Formula::Number(0, 1),
    bounds: [Formula::Number(-1, 1), Formula::Number(-1, 2)],
    coefficient: Formula::Number(1, 1),
    falls: true,
    ratio: 1,
};

/// log |Γ|, ψ, then ψ⁽ⁿ⁾ for odd n and for even n.
static SPECS: [FunctionSpec; 4] = [
    FunctionSpec {
        edge: Some(EdgeForm { formula: STIRLING, tail: Some(LOG_GAMMA_TAIL), mirror: None }),
        ..gamma_spec(
            "lgamma",
            "The logarithm of |Gamma x|; undefined at 0, -1, -2, ...",
            "log |Γ(x)|",
            &[(1.0, 0.0), (2.0, 0.0), (INF, INF)],
            ALL_NUMBERS,
        )
    },
    FunctionSpec {
        edge: Some(EdgeForm { formula: LOG, tail: Some(DIGAMMA_TAIL), mirror: None }),
        ..gamma_spec(
            "digamma",
            "The derivative of lgamma, Gamma' x / Gamma x; undefined at 0, -1, -2, ...",
            "ψ(x)",
            &[(INF, INF)],
            ALL_NUMBERS,
        )
    },
    gamma_spec(Gamma::FAMILY.name, Gamma::FAMILY.summary, "ψ⁽ⁿ⁾(x)", &[(INF, 0.0)], (0.0, INF)),
    gamma_spec(Gamma::FAMILY.name, Gamma::FAMILY.summary, "ψ⁽ⁿ⁾(x)", &[(INF, 0.0)], ALL_NUMBERS),
];

impl SpecialFunction for Gamma {
    const FAMILY: DerivativeFamily = DerivativeFamily {
        name: "polygamma",
        summary: "The derivative of digamma of an order, a natural number up to 1000; polygamma 0 is digamma. Undefined at 0, -1, -2, ...",
        first: 1,
    };

    fn spec(order: u16) -> &'static FunctionSpec {
        &SPECS[if order < 2 { usize::from(order) } else { 2 + usize::from(order % 2) }]
    }

    fn evaluate(tier: &Mpfr, order: u32, x: &Float) -> Option<Interval<Float>> {
        Some(eval_derivative(tier, order, x))
    }

    fn enclose<T: EndpointArithmetic>(tier: &T, f: Function, _order: u32, a: &Interval<T::End>) -> Interval<T::End> {
        eval_on_branch(tier, f, a)
    }

    fn bounds_in_double(order: u32, x: f64) -> (f64, f64) {
        let (least, mut greatest) = Self::spec(order as u16).range;
        if order == 0 {
            let y = Self::nearest(0, x);
            // Outside the domain no bound is known. CORE-MATH rounds correctly elsewhere.
            return if y.is_nan() { ALL_NUMBERS } else { (y.next_down(), y.next_up()) };
        }
        let value = eval_derivative(&Double, order, &x);
        // Above 0 the polygamma functions of even order are negative.
        if increases_on_branches(order) && order > 1 && x > 0.0 {
            greatest = 0.0;
        }
        (value.lo.max(least), value.hi.min(greatest))
    }

    fn bounds_to(bits: u32, order: u32, x: &Float) -> Interval<Float> {
        eval_precisely(bits, order, x)
    }

    fn nearest(order: u32, x: f64) -> f64 {
        match order {
            0 if is_pole(&x) => f64::NAN,
            0 => core_math::lgamma(x),
            1 if x == INF => x,
            _ => nearest_derivative(order, x),
        }
    }

    fn units(limbs: u64, order: u32, _exponent: i64) -> u64 {
        // The precision is capped as in `eval_precisely`.
        let bits = u32::try_from(limbs.saturating_mul(64)).map_or(MAX_GAMMA_BITS, |bits| bits.min(MAX_GAMMA_BITS));
        let units = budget::upward_steps_units(series_start(bits, order) as u64, u64::from(bits / 64), order);
        // On an interval of a convex branch the minimum is searched for by Newton's method: a choice of four evaluations.
        if increases_on_branches(order) { units } else { units.saturating_mul(4) }
    }
}

/// Returns a double near the derivative of an order from 1 on; 0 at +∞, and NaN at the poles, at -∞ and for NaN.
fn nearest_derivative(order: u32, x: f64) -> f64 {
    if x == INF {
        return 0.0;
    }
    if !x.is_finite() || is_pole(&x) {
        return f64::NAN;
    }
    let Interval { lo, hi, .. } = eval_derivative(&Double, order, &x);
    // A relative width of 2⁻⁴⁸ is a choice: the series loses a few bits, and more precision costs much more time.
    let middle = 0.5 * lo + 0.5 * hi;
    if middle.is_finite() && hi - lo <= middle.abs() * 2f64.powi(-48) {
        return middle;
    }
    // If terms cancel, or are too large on the way, MPFR computes at 64, 256 and at last 1024 bits.
    let x = Float::with_val(53, x);
    let ends = |bits| {
        let value = eval_precisely(bits, order, &x);
        [value.lo().to_f64(), value.hi().to_f64()]
    };
    let is_narrow = |[lo, hi]: &[f64; 2]| lo == hi || hi - lo <= lo.abs().min(hi.abs()) * 2f64.powi(-48);
    let [lo, hi] = [64, 256].into_iter().map(ends).find(is_narrow).unwrap_or_else(|| ends(1024));
    0.5 * lo + 0.5 * hi
}
