//! Lambert's W₀, the solution w ≥ -1 of `w eʷ = x` for x > -1/e, with its derivatives of every order.
//!
//! With u = 1 + W₀ > 0, `W₀⁽ⁿ⁾ = (-1)ⁿ⁻¹ e^(-nW₀) dₙ(u)/u²ⁿ⁻¹` for n ≥ 1, where d₁ = 1 and
//!
//! `dₙ₊₁(u) = Σₖ ((2n - 1 - k) dₙₖ + n dₙ₍ₖ₋₁₎) uᵏ`,
//!
//! by induction from `W′ = e⁻ᵂ/(1 + W)` ([DLMF 4.13](https://dlmf.nist.gov/4.13)). As dₙ has the degree n - 1, all its coefficients are
//! positive. So each order has one sign, and is monotone.
//!
//! **At points** Newton's method gives a number near W₀, and `g(w) = w eʷ - x`, which increases for w > -1, has proven signs on both sides
//! of it. Where they are not seen the two sides are moved apart.

use super::super::arithmetic::Direction::{Down, Up};
use super::super::arithmetic::{Context, EndpointArithmetic, Function, Interval, Sign};
use super::super::elementary;
use super::super::mpfr::Mpfr;
use super::sequence::read_sequence;
use super::{SpecialFunction, derivative_family};
use crate::function::Formula::{Apply, Multiply, Number, X};
use crate::function::{
    ArgumentCondition, DerivativeFamily, EdgeForm, EdgeTail, FunctionSpec, NumberSet, OperationConditions, Region,
    TestedQuantity,
};
use rug::{Float, Integer};
use std::sync::{PoisonError, RwLock};

/// W₀ with its derivatives.
pub(in super::super) struct LambertW;

const INF: f64 = f64::INFINITY;

static CONDITIONS: OperationConditions = OperationConditions::analytic_on(
    Region(&[&[ArgumentCondition { quantity: TestedQuantity::First, set: NumberSet::AboveMinusInverseE }]]),
    "the inverse of w e^w, whose slope is positive for w > -1, and 0 at the branch point -1/e (DLMF 4.13)",
);

/// `W₀(x) = exp (3/2 log x)·r`, where `x·r = W₀/√x` lies between 0 and e^-½, its value at e.
///
/// `W₀(z)/z = ∫ dν(t)/(t + z)` with a positive ν on t ≥ 1/e (Kalugin, Jeffrey, Corless and Borwein 2012). For |z - x| ≤ x/2 the angle of z
/// is at most π/6, so that `|z + t| ≥ cos (π/6) (|z| + t)` and `|W₀(z)| ≤ W₀(|z|)/cos (π/6) ≤ 0.7004 √|z|`. By Cauchy `|r⁽ᵏ⁾(x)| ≤
/// k!·(2/x)ᵏ·1.4008/x`.
const EDGE: EdgeForm = EdgeForm {
    formula: Number(0, 1),
    tail: Some(EdgeTail {
        weight: Multiply(&Number(3, 2), &Apply(Function::Log, &X)),
        falls: true,
        bounds: [Number(0, 1), Number(39, 64)],
        coefficient: Number(45, 32),
        ratio: 2,
    }),
    mirror: None,
};

const DERIVATIVE: FunctionSpec = FunctionSpec {
    name: LambertW::FAMILY.name,
    summary: LambertW::FAMILY.summary,
    notation: "W₀⁽ⁿ⁾(x)",
    exact_values: &[(INF, 0.0)],
    ..FunctionSpec::special(&CONDITIONS)
};

/// W₀, its slope, then the derivatives of even and of odd order.
static SPECS: [FunctionSpec; 4] = [
    FunctionSpec {
        name: "lambertW",
        summary: "Lambert's W, the solution w >= -1 of w * exp w = x, of x > -1/e.",
        notation: "W₀(x)",
        exact_values: &[(0.0, 0.0), (INF, INF)],
        range: (-1.0, INF),
        edge: Some(EDGE),
        ..DERIVATIVE
    },
    FunctionSpec { exact_values: &[(0.0, 1.0), (INF, 0.0)], ..POSITIVE },
    FunctionSpec { range: (-INF, 0.0), ..DERIVATIVE },
    POSITIVE,
];
const POSITIVE: FunctionSpec = FunctionSpec { range: (0.0, INF), ..DERIVATIVE };

/// Returns the coefficients of dₙ for n ≥ 1, the lowest first. The last ones are kept, as orders are mostly asked for in turn.
fn coefficients(n: u32) -> Vec<Integer> {
    static LAST: RwLock<Option<(u32, Vec<Integer>)>> = RwLock::new(None);
    let kept = LAST.read().unwrap_or_else(PoisonError::into_inner).clone();
    let (from, mut own) = kept.filter(|(from, _)| *from <= n).unwrap_or_else(|| (1, vec![Integer::from(1)]));
    for m in from..n {
        let mut next = vec![Integer::new(); own.len() + 1];
        for (k, c) in own.iter().enumerate() {
            next[k] += Integer::from(c * (2 * m - 1 - k as u32));
            next[k + 1] += Integer::from(c * m);
        }
        own = next;
    }
    *LAST.write().unwrap_or_else(PoisonError::into_inner) = Some((n, own.clone()));
    own
}

/// Returns a number near W₀(x), by Newton's method.
fn approximate(bits: u32, x: &Float) -> Float {
    let at = |value: Float| Float::with_val(bits, value);
    let log = Float::with_val(bits, x).ln_1p();
    let mut w = if *x < -0.25 {
        // -1 + p - p²/3 with p = √(2 (1 + ex)), the series at the branch point.
        let inside = (at(Float::with_val(bits, 1).exp()) * x + 1u32) * 2u32;
        let p = if inside > 0 { inside.sqrt() } else { at(Float::new(bits)) };
        Float::with_val(bits, &p - 1u32) - Float::with_val(bits, p.square_ref()) / 3u32
    } else if *x < 3 {
        log
    } else {
        let twice = Float::with_val(bits, log.ln_ref());
        log - twice
    };
    // A choice: each step doubles the digits, of which the start has two or more.
    for _ in 0..bits.ilog2() + 6 {
        // w - (w - x e⁻ʷ)/(1 + w)
        let fall = Float::with_val(bits, x * Float::with_val(bits, (-w.clone()).exp()));
        let next = Float::with_val(bits, &w - Float::with_val(bits, &w - fall) / Float::with_val(bits, &w + 1u32));
        if !next.is_finite() || next <= -1 || next == w {
            break;
        }
        w = next;
    }
    w
}

/// Encloses W₀ at a number of its domain.
fn enclose_value(tier: &Mpfr, x: &Float) -> Interval<Float> {
    if x.is_zero() {
        return Interval::point(x.clone());
    }
    let bits = tier.precision() + 16;
    let near = approximate(bits, x);
    let fine = Mpfr::new(bits.max(x.prec()) + 64);
    let point = Interval::point(x.clone());
    let sign_at = |w: &Float| {
        let w = Interval::point(w.clone());
        fine.sign(&fine.sub(&fine.mul(&w, &fine.apply_function(Function::Exp, &w)), &point))
    };
    let mut reach = Float::with_val(bits, near.abs_ref()) >> (bits - 8);
    // Up to the whole of a number of this precision.
    for _ in 0..bits / 4 {
        let [lo, hi] = [&near - reach.clone(), &near + reach.clone()].map(|w| Float::with_val(bits + 8, w));
        let is_below = lo <= -1 || sign_at(&lo) == Sign::Negative;
        if is_below && sign_at(&hi) == Sign::Positive {
            let least = Float::with_val(bits, -1);
            return Interval::new(if lo < least { least } else { lo }, hi, true);
        }
        reach <<= 4u32;
    }
    Interval::new(Float::with_val(bits, -1), Float::with_val(bits, INF), true)
}

impl SpecialFunction for LambertW {
    const FAMILY: DerivativeFamily = derivative_family!("lambertW", "Of x > -1/e.");
    const ELSEWHERE: &'static [&'static str] =
        &["lambertw", "LambertW", "lambert", "lambertW0", "ProductLog", "productlog", "W", "W0"];

    fn spec(order: u16) -> &'static FunctionSpec {
        &SPECS[if order < 2 { usize::from(order) } else { 2 + usize::from(order % 2) }]
    }

    fn evaluate(tier: &Mpfr, order: u32, x: &Float) -> Option<Interval<Float>> {
        let extend = |values: &mut Vec<Interval<Float>>| {
            if values.is_empty() {
                values.push(enclose_value(tier, x));
            }
        };
        let value = read_sequence(("W", tier.precision()), x, extend, |values| values[0].clone());
        if order == 0 {
            return Some(value);
        }
        let u = tier.add(&value, &tier.enclose_integer(1));
        if !u.lo.is_sign_positive() || u.lo.is_zero() || !u.hi.is_finite() {
            return Some(Interval::whole_line(tier, true));
        }
        let polynomial = coefficients(order)
            .into_iter()
            .rev()
            .fold(tier.enclose_integer(0), |sum, c| tier.add(&tier.mul(&sum, &u), &tier.enclose_rational(&c.into())));
        let factor = tier.apply_function(Function::Exp, &tier.mul_integer(&value, -i64::from(order)));
        let size = tier.div(&tier.mul(&factor, &polynomial), &tier.power(&u, 2 * order - 1));
        Some(if order.is_multiple_of(2) { tier.neg(&size) } else { size })
    }

    fn enclose<T: EndpointArithmetic>(tier: &T, f: Function, order: u32, a: &Interval<T::End>) -> Interval<T::End> {
        let is_inside =
            |x: &T::End| elementary::region_contains(tier, CONDITIONS.value, &[&Interval::point(x.clone())]);
        if !is_inside(&a.hi) {
            return tier.bottom();
        }
        let starts_inside = is_inside(&a.lo);
        let defined = a.defined & starts_inside.into();
        if a.is_degenerate() {
            let (lo, hi) = tier.eval_bounds(f, &a.lo);
            return Interval::new(lo, hi, defined);
        }
        // At the branch point W₀ is -1, and its derivatives are unbounded.
        let first = |direction| match order {
            _ if starts_inside => tier.eval_rounded(direction, f, &a.lo),
            0 => tier.small_integer(-1),
            _ => tier.signed_infinity(direction),
        };
        let last = |direction| tier.eval_rounded(direction, f, &a.hi);
        // W₀ and the derivatives of even order increase.
        let (lo, hi) = if order.is_multiple_of(2) { (first(Down), last(Up)) } else { (last(Down), first(Up)) };
        Interval::new(lo, hi, defined)
    }
}
