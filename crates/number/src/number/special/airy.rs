//! Airy's function `Ai(x) = (1/π) ∫₀^∞ cos (t³/3 + xt) dt`, with its derivatives of every order.
//!
//! Ai″ = x Ai ([DLMF 9.2.1](https://dlmf.nist.gov/9.2.E1)), so that `Ai⁽ᵏ⁺²⁾ = x Ai⁽ᵏ⁾ + k Ai⁽ᵏ⁻¹⁾`.
//!
//! **At points** Ai = c₁ f - c₂ g with the solutions f = 1 + x³/3! + 1·4 x⁶/6! + … and g = x + 2 x⁴/4! + 2·5 x⁷/7! + … (DLMF 9.4), and
//! `c₂ = -Ai′(0) = 3^(-1/3)/Γ(1/3)`, `c₁ = Ai(0) = 1/(2π√3 c₂)` (DLMF 9.2.3, 5.5.3). With `ζ = ⅔|x|^(3/2)`, f and g are about e^ζ, and Ai is
//! about e^-ζ for x > 0, which costs as many bits more.
//!
//! **Far out** (DLMF 9.7.5, 9.7.6, 9.7.9, 9.7.10), with u₀ = v₀ = 1, `uₖ = uₖ₋₁ (6k - 5)(6k - 3)(6k - 1)/(216 k (2k - 1))` and
//! `vₖ = -(6k + 1)/(6k - 1) uₖ`:
//!
//! | | Ai | Ai′ |
//! |---|---|---|
//! | x | e^-ζ/(2√π x^¼) Σ (-1)ᵏ uₖ/ζᵏ | -x^¼ e^-ζ/(2√π) Σ (-1)ᵏ vₖ/ζᵏ |
//! | -x | (C S₀ + D S₁)/(√π x^¼), of u | x^¼ (D S₀ - C S₁)/√π, of v |
//!
//! where C and D are the cosine and the sine of ζ - π/4, and S₀ and S₁ the sums of the terms of even and of odd k, with alternating
//! signs. The remainder of each series from its second term on is at most as large as the first term left out, and has its sign
//! (DLMF 9.7(iii)).
//!
//! **Bounds.** |Ai| ≤ 0.54: its greatest value is 0.53565665601569… at -1.01879297…, as the maxima of |Ai| fall to the left (Sonin).
//! `E = Ai′² - x Ai²` has the slope -Ai². So for x < 0 `Ai′² ≤ E ≤ E(0) + 0.54²|x|` with E(0) = Ai′(0)² < 0.068. For x ≥ 0, Ai is
//! positive and convex, and falls to 0 as |Ai′| does.

use super::super::arithmetic::Direction::{Down, Up};
use super::super::arithmetic::{Context, Endpoint, EndpointArithmetic, Function, Interval};
use super::super::mpfr::Mpfr;
use super::sequence::read_sequence;
use super::{SeriesRest, SpecialFunction, derivative_family, extended_by, image, sum_series};
use crate::function::Formula::{Add, Apply, Divide, InverseRoot, Multiply, Number, Pi, Subtract, X};
use crate::function::{DerivativeFamily, EdgeForm, EdgeTail, Formula, FunctionSpec, OperationConditions, Region};
use rug::Float;
use rug::float::Round;
use std::sync::{PoisonError, RwLock};

/// Ai with its derivatives.
pub(in super::super) struct AiryAi;

const INF: f64 = f64::INFINITY;

static CONDITIONS: OperationConditions = OperationConditions::analytic_on(
    Region::EVERYWHERE,
    "a solution of an equation with entire coefficients (DLMF 9.2)",
);

/// 1/(2√π)
const LIMIT: Formula = Multiply(&Number(1, 2), &InverseRoot(&Pi));
/// x√x
const POWER: Formula = Multiply(&X, &Apply(Function::Sqrt, &X));
/// `Ai(x) = exp (-ζ + ¾ log x)·r`, where `x·r = x^¼ e^ζ Ai(x)` lies between `(1 - 5/(72ζ))/(2√π)` and 1/(2√π).
///
/// `z·r(z) = c ∫₀^∞ e⁻ᵗ t^(-1/6) (1 + t/2ζ)^(-1/6) dt` with a c > 0 (DLMF 9.6.2, 10.32.8). For |z - x| ≤ x/2 the angle of z is at most
/// π/6, and that of ζ at most π/4, so that `|1 + t/2ζ| ≥ 1` and `|z·r(z)| ≤ 1/(2√π)`. By Cauchy `|r⁽ᵏ⁾(x)| ≤ k!·(2/x)ᵏ·2/x/(2√π)`.
const EDGE: EdgeForm = EdgeForm {
    formula: Number(0, 1),
    tail: Some(EdgeTail {
        weight: Add(&Multiply(&Number(-2, 3), &POWER), &Multiply(&Number(3, 4), &Apply(Function::Log, &X))),
        falls: true,
        bounds: [Multiply(&LIMIT, &Subtract(&Number(1, 1), &Divide(&Number(5, 48), &POWER))), LIMIT],
        coefficient: InverseRoot(&Pi),
        ratio: 2,
    }),
    mirror: None,
};

const DERIVATIVE: FunctionSpec = FunctionSpec {
    name: AiryAi::FAMILY.name,
    summary: AiryAi::FAMILY.summary,
    notation: "Ai⁽ⁿ⁾(x)",
    exact_values: &[(INF, 0.0)],
    ..FunctionSpec::special(&CONDITIONS)
};

/// Ai, and its derivatives. Ai is least at the second zero of its slope, -3.24819758…, where it is -0.41901547803256….
static SPECS: [FunctionSpec; 2] = [
    FunctionSpec {
        name: "airyAi",
        summary: "The Airy function Ai x, which falls for x > 0 and oscillates for x < 0.",
        notation: "Ai(x)",
        exact_values: &[(-INF, 0.0), (INF, 0.0)],
        range: (-0.419_015_478_032_57, 0.535_656_656_015_7),
        edge: Some(EDGE),
        ..DERIVATIVE
    },
    DERIVATIVE,
];

/// Encloses c₂ = -Ai′(0), from a cache of the most digits so far.
fn slope_at_zero(tier: &Mpfr) -> Interval<Float> {
    static KNOWN: RwLock<Option<(u32, Interval<Float>)>> = RwLock::new(None);
    if let Some((bits, known)) = &*KNOWN.read().unwrap_or_else(PoisonError::into_inner)
        && *bits >= tier.precision()
    {
        return known.clone();
    }
    let tier = Mpfr::new(tier.precision() + 64);
    let third = tier.div_integer(&tier.enclose_integer(1), 3);
    // Γ falls there.
    let gamma = |round, x: &Float| Float::with_val_round(tier.precision(), x.gamma_ref(), round).0;
    let gamma = Interval::new(gamma(Round::Down, &third.hi), gamma(Round::Up, &third.lo), true);
    let value = tier.div(&tier.enclose_integer(1), &tier.mul(&gamma, &tier.root(&tier.enclose_integer(3), 3)));
    *KNOWN.write().unwrap_or_else(PoisonError::into_inner) = Some((tier.precision(), value.clone()));
    value
}

/// Encloses ζ = ⅔x^(3/2) for x > 0.
fn zeta(tier: &Mpfr, x: &Interval<Float>) -> Interval<Float> {
    tier.div_integer(&tier.mul_integer(&tier.mul(x, &tier.root(x, 2)), 2), 3)
}

/// Encloses Ai and Ai′ by their power series; ζ is at most `size`.
fn sum_powers(tier: &Mpfr, x: &Float, size: f64) -> [Interval<Float>; 2] {
    let tier = &extended_by(tier, 2.9 * size + 32.0);
    let cube = x.to_f64_round(Round::AwayZero).abs().powi(3) * 1.000_001;
    let x = Interval::point(x.clone());
    let third_power = tier.power(&x, 3);
    // The term k + 1 is the term k times x³/(m (m + d)), with m = 3k + first.
    let sum = |start: Interval<Float>, first: u32, d: u32| {
        let mut power = start;
        let term = |k: u32| {
            if k > 0 {
                let m = u64::from(3 * (k - 1) + first);
                power = tier.div_integer(&tier.mul(&power, &third_power), m * (m + u64::from(d)));
            }
            power.clone()
        };
        let falls = |k: u32| f64::from(3 * k + first) * f64::from(3 * k + first + d) >= 2.0 * cube;
        sum_series(tier, term, falls, SeriesRest::Geometric)
    };
    let one = tier.enclose_integer(1);
    let half_square = tier.div_integer(&tier.square(&x), 2);
    let (f, g) = (sum(one.clone(), 2, 1), sum(x.clone(), 3, 1));
    let (f_slope, g_slope) = (sum(half_square, 3, 2), sum(one.clone(), 1, 2));
    let c2 = slope_at_zero(tier);
    let below = tier.mul(&tier.mul_integer(&tier.pi(), 2), &tier.mul(&tier.root(&tier.enclose_integer(3), 2), &c2));
    let c1 = tier.div(&one, &below);
    [(f, g), (f_slope, g_slope)].map(|(f, g)| tier.sub(&tier.mul(&c1, &f), &tier.mul(&c2, &g)))
}

/// Encloses Ai and Ai′ at x or at -x, for x > 0, by their expansions at infinity.
fn expand_at_infinity(tier: &Mpfr, x: &Interval<Float>, is_negative: bool) -> [Interval<Float>; 2] {
    let zeta = zeta(tier, x);
    let inverse = tier.div(&tier.enclose_integer(1), &zeta);
    // Every `step`-th of the terms (∓1)ᵏ uₖ/ζᵏ, or of those of v, from `shift` on.
    let sum = |shift: u32, step: u32, is_slope: bool| {
        let (mut power, mut index) = (tier.enclose_integer(1), 0);
        let term = |j: u32| {
            while index < shift + step * j {
                index += 1;
                let k = i64::from(index);
                let factors = (6 * k - 5) * (6 * k - 3) * (6 * k - 1);
                let scaled = tier.mul(&tier.mul_integer(&power, factors), &inverse);
                power = tier.div_integer(&scaled, (216 * k * (2 * k - 1)) as u64);
            }
            let k = i64::from(index);
            let own = match is_slope && k > 0 {
                true => tier.neg(&tier.div_integer(&tier.mul_integer(&power, 6 * k + 1), (6 * k - 1) as u64)),
                false => power.clone(),
            };
            if j % 2 == 1 { tier.neg(&own) } else { own }
        };
        sum_series(tier, term, |j| j > 0, SeriesRest::Alternating)
    };
    let fourth = tier.root(x, 4);
    let root = tier.root(&tier.pi(), 2);
    if !is_negative {
        let front = tier.div(&tier.apply_function(Function::Exp, &tier.neg(&zeta)), &tier.mul_integer(&root, 2));
        let value = tier.div(&tier.mul(&front, &sum(0, 1, false)), &fourth);
        return [value, tier.neg(&tier.mul(&tier.mul(&front, &sum(0, 1, true)), &fourth))];
    }
    let angle = tier.sub(&zeta, &tier.div_integer(&tier.pi(), 4));
    let [cosine, sine] = [Function::Cos, Function::Sin].map(|f| tier.apply_function(f, &angle));
    let value = tier.add(&tier.mul(&cosine, &sum(0, 2, false)), &tier.mul(&sine, &sum(1, 2, false)));
    let slope = tier.sub(&tier.mul(&sine, &sum(0, 2, true)), &tier.mul(&cosine, &sum(1, 2, true)));
    [tier.div(&tier.div(&value, &fourth), &root), tier.div(&tier.mul(&slope, &fourth), &root)]
}

/// Encloses Ai and Ai′ at a number.
fn evaluate_first(tier: &Mpfr, x: &Float) -> [Interval<Float>; 2] {
    let point = Interval::point(x.clone());
    let rough = Mpfr::new(64);
    let most = zeta(&rough, &rough.abs(&point)).hi;
    let size = most.to_f64_round(Round::Up);
    // The terms of the expansion fall to e^-2ζ. An angle takes the digits before its point as well.
    if size > 0.35 * f64::from(tier.precision()) + 8.0 {
        let tier = extended_by(tier, f64::from(most.get_exp().unwrap_or(0).max(0)) + 16.0);
        return expand_at_infinity(&tier, &tier.abs(&point), x.is_sign_negative());
    }
    sum_powers(tier, x, size)
}

impl SpecialFunction for AiryAi {
    const FAMILY: DerivativeFamily = derivative_family!("airyAi");
    const ELSEWHERE: &'static [&'static str] = &["airy", "Ai", "ai", "airyai", "AiryAi", "airy_ai"];

    fn spec(order: u16) -> &'static FunctionSpec {
        &SPECS[usize::from(order.min(1))]
    }

    fn evaluate(tier: &Mpfr, order: u32, x: &Float) -> Option<Interval<Float>> {
        let extend = |values: &mut Vec<Interval<Float>>| {
            if values.is_empty() {
                values.extend(evaluate_first(tier, x));
            }
            let point = Interval::point(x.clone());
            for k in values.len() - 2..(order as usize).saturating_sub(1) {
                let own = tier.mul(&values[k], &point);
                let before = k.checked_sub(1).map_or_else(|| tier.enclose_integer(0), |i| values[i].clone());
                values.push(tier.add(&own, &tier.mul_integer(&before, k as i64)));
            }
        };
        Some(read_sequence(("Ai", tier.precision()), x, extend, |values| values[order as usize].clone()))
    }

    fn bound(order: u32, [least, greatest]: [f64; 2]) -> f64 {
        let reach = least.abs().max(greatest.abs());
        let (value, slope) = if least >= 0.0 {
            let [value, slope] = [0, 1].map(|order| Self::bounds_in_double(order, least));
            (value.1, -slope.0)
        } else {
            (0.54, (0.068 + 0.54 * 0.54 * least.abs()).sqrt() * 1.000_001)
        };
        // The recurrence, with room for its roundings.
        let (mut last, mut now, mut next) = (0.0, value, slope);
        for k in 0..order {
            (last, now, next) = (now, next, (reach * now + f64::from(k) * last) * 1.000_001);
        }
        now
    }

    fn enclose<T: EndpointArithmetic>(tier: &T, f: Function, order: u32, a: &Interval<T::End>) -> Interval<T::End> {
        // To the right of 0, Ai falls and its slope rises, both to 0.
        if order < 2 && a.lo.is_nonnegative() && !a.is_degenerate() {
            let (first, last) = if order == 0 { (&a.hi, &a.lo) } else { (&a.lo, &a.hi) };
            return Interval::new(tier.eval_rounded(Down, f, first), tier.eval_rounded(Up, f, last), a.defined);
        }
        image::enclose_by_curvature(tier, f, a, |k, ends| Self::bound(order.saturating_add(k), ends))
    }
}
