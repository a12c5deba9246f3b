//! The nodes and weights of Gauss–Legendre quadrature, enclosed.
//!
//! The nodes of order n are the zeros of the Legendre polynomial `P_n`, and the weight of a node x is `2(1-x²)/(n·P_{n-1}(x))²`
//! (Abramowitz and Stegun, 25.4.29, with 22.8.5 at a zero of `P_n`). The rule `Σ wᵢ f(xᵢ)` has positive weights with the sum 2,
//! and is `∫_{-1}^{1} f` for polynomials of degree at most 2n-1.
//!
//! *Why the enclosures hold.* The recurrence `(k+1)P_{k+1} = (2k+1)x·P_k - k·P_{k-1}` is run on multiples of u = 2⁻ᵗ. A step
//! rounds the product with x and the quotient, which changes its result by less than 3u. A change of 1 in `P_j` changes `P_m`, m
//! ≥ j, by the solution g of the recurrence with `g_{j-1} = 0`, `g_j = 1`. With x = cos θ and `h_k = (g_{k-1} - x·g_k)/sin θ` the
//! recurrence turns the vector `(g_k, k/(k+1)·h_k)` by θ into `(g_{k+1}, h_{k+1})`. So g² + h² never grows; it is 1/sin² θ at
//! first. After n steps `P_n` is known up to 3nu/sin θ.
//!
//! Let Newton's method make y of a point x, with the slope d = `P_n′(x)`. The numbers `K₂`, `K₃` bound the derivatives on [-1,
//! 1]; they are their values at 1. Then `|P_n(y)| ≤ K₂(y - x)²/2`, the errors aside, and `|P_n′| ≥ |d| - K₂(|y - x| + r)` up to
//! the distance r from y. If r times this is more than that, `P_n` has one zero in [y - r, y + r], and `P_n′` there is `d +
//! P_n″(x)(y - x)` up to `K₃(|y - x| + r)²/2 + K₂r`. The intervals are disjoint, and with those of the other sign (`P_n` is even
//! or odd) they are n: they have all zeros. If this cannot be verified, there is no rule.

use super::arithmetic::Context;
use super::enclosure::Enclosure;
use super::mpfr::Mpfr;
use rug::{Assign, Complete, Integer, Rational};
use std::sync::{Arc, Mutex, PoisonError};

/// A node in (-1, 1) with its weight.
#[derive(Clone, Debug)]
pub struct QuadratureNode {
    /// The argument at which the function is evaluated.
    pub abscissa: Enclosure,
    /// The weight of the value.
    pub weight: Enclosure,
}

/// A cached rule with its key, order and precision.
type CachedRule = ((u32, u32), Arc<[QuadratureNode]>);

/// The most rules that are cached. A choice.
const MOST_RULES: usize = 32;
/// The most bits of a cached rule, the order times the precision. A choice: 256 KiB.
const MOST_BITS_KEPT: u64 = 1 << 21;
/// The bits that Newton's method in doubles is assumed to find. Later steps correct the rest, and [`LegendreRule::enclose_zero`] verifies the
/// result.
const FIRST_BITS: u32 = 38;
/// The steps of Newton's method in doubles.
const FIRST_STEPS: u32 = 5;
/// The most nodes of a rule. A choice: the work grows like n².
const MOST_NODES: u32 = 1 << 12;
/// Extra bits of the starting point of the last step, so that the intervals are narrower than asked.
const MORE_BITS: u32 = 8;

/// Returns the rule of n nodes, ascending, enclosed more closely than the spacing of numbers of `bits` bits.
///
/// Returns `None` if the bounds that prove it do not hold, or if there are no nodes or more than 4096.
#[must_use]
pub fn gauss_legendre_nodes(n: u32, bits: u32) -> Option<Arc<[QuadratureNode]>> {
    static KNOWN: Mutex<Vec<CachedRule>> = Mutex::new(Vec::new());
    let known = |rules: &[CachedRule]| rules.iter().find(|(key, _)| *key == (n, bits)).map(|(_, rule)| rule.clone());
    if let Some(rule) = known(&KNOWN.lock().unwrap_or_else(PoisonError::into_inner)) {
        return Some(rule);
    }
    // Computed without the lock; two threads may compute the same rule, and the first one is kept.
    let rule: Arc<[QuadratureNode]> = enclose_nodes(n, bits)?.into();
    if u64::from(n) * u64::from(bits) <= MOST_BITS_KEPT {
        let mut rules = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if known(&rules).is_none() {
            if rules.len() == MOST_RULES {
                rules.remove(0);
            }
            rules.push(((n, bits), rule.clone()));
        }
    }
    Some(rule)
}

/// Computes and verifies a rule; `None` if a bound does not hold.
fn enclose_nodes(n: u32, bits: u32) -> Option<Vec<QuadratureNode>> {
    if n == 0 || n > MOST_NODES {
        return None;
    }
    let rule = LegendreRule::new(n, bits)?;
    let (mut below, mut above) = (Vec::new(), Vec::new());
    let mut last = rule.context.enclose_integer(0);
    // The positive zeros only: the rule is symmetric.
    for i in 1..=n / 2 {
        let (place, weight) = rule.enclose_zero(&rule.approximate_zero(i)?)?;
        // Disjoint and inside (0, 1): with this, n/2 intervals hold all positive zeros.
        let is_apart = match i {
            1 => rule.context.is_strictly_below(&place, &rule.context.enclose_integer(1)),
            _ => rule.context.is_strictly_below(&place, &last),
        };
        if !is_apart || !rule.context.is_strictly_below(&rule.context.enclose_integer(0), &place) {
            return None;
        }
        below.push(rule.to_node(&rule.context.neg(&place), &weight));
        above.push(rule.to_node(&place, &weight));
        last = place;
    }
    if !n.is_multiple_of(2) {
        let (_, weight) = rule.enclose_zero(&Rational::new())?;
        below.push(rule.to_node(&rule.context.enclose_integer(0), &weight));
    }
    above.reverse();
    below.extend(above);
    Some(below)
}

type RuleInterval = <Mpfr as Context>::Num;

/// A rule under construction.
struct LegendreRule {
    n: u32,
    /// The length of n in bits.
    length: u32,
    bits: u32,
    context: Mpfr,
    /// Bounds of the second and of the third derivative on [-1, 1].
    bounds: [RuleInterval; 2],
}

impl LegendreRule {
    fn new(n: u32, bits: u32) -> Option<Self> {
        let length = u32::BITS - n.leading_zeros();
        // Guard bits for the errors of the recurrence, 3nu/sin θ, and for the bounds of the derivatives, about n⁴ and n⁶.
        let context = Mpfr::new(bits.checked_add(8 * length)?.checked_add(64)?);
        // P_n⁽ᵐ⁾(1) = (n + m)!/((n - m)!·2ᵐ·m!)
        let derivative_at_1 = |m: i64| {
            let n = i64::from(n);
            let product = (n - m + 1..=n + m).fold(Rational::from(1), |product, k| product * k.max(0));
            let factorial: i64 = (1..=m).product();
            context.enclose_rational(&((product / factorial) >> m as u32))
        };
        Some(Self { n, length, bits, bounds: [derivative_at_1(2), derivative_at_1(3)], context })
    }

    /// Converts a node and its weight to enclosures.
    fn to_node(&self, place: &RuleInterval, weight: &RuleInterval) -> QuadratureNode {
        QuadratureNode { abscissa: self.context.to_enclosure(place), weight: self.context.to_enclosure(weight) }
    }

    /// Approximates the i-th zero from above, so closely that one further step of Newton's method gives all bits. No bound relies
    /// on it.
    fn approximate_zero(&self, i: u32) -> Option<Rational> {
        let n = f64::from(self.n);
        // The classical approximation cos(π(i - 1/4)/(n + 1/2)).
        let mut x = (std::f64::consts::PI * (f64::from(i) - 0.25) / (n + 0.5)).cos();
        for _ in 0..FIRST_STEPS {
            let [mut before, mut at] = [1.0, x];
            for k in 1..self.n {
                let k = f64::from(k);
                (before, at) = (at, ((2.0 * k + 1.0) * x * at - k * before) / (k + 1.0));
            }
            x -= at * (1.0 - x * x) / (n * (before - x * at));
        }
        let mut x = Rational::from_f64(x)?;
        let mut digits = FIRST_BITS;
        let enough = (self.bits.checked_add(10 * self.length)? / 2).checked_add(MORE_BITS)?;
        while digits < enough {
            // A step loses at most as many bits as 1/(1 - x²) has.
            digits = (2 * digits - 2 * self.length).min(enough);
            let scale = digits + 2 * self.length + 16;
            let place = Integer::from((x.clone() << scale).floor_ref());
            let [before, at] = legendre_pair(self.n, &place, scale);
            // (1 - x²)·P_n′ = n·(P_{n-1} - x·P_n)
            let slope = (before - ((&place * &at).complete() >> scale)) * self.n;
            let height = (Integer::from(1) << scale) - ((&place * &place).complete() >> scale);
            if slope.is_zero() {
                return None;
            }
            x = (Rational::from(place) - Rational::from((at * height, slope))) >> scale;
            x = Rational::from(Integer::from((x << scale).floor_ref())) >> scale;
        }
        Some(x)
    }

    /// Encloses the zero beside a point, and its weight; `None` if the bounds of the module do not hold.
    fn enclose_zero(&self, x: &Rational) -> Option<(RuleInterval, RuleInterval)> {
        let c = &self.context;
        let scale = c.precision();
        let place = Integer::from((x.clone() << scale).floor_ref());
        let x = c.enclose_rational(&(Rational::from(&place) >> scale));
        let height = c.sub(&c.enclose_integer(1), &c.square(&x));
        // The error 3nu/sin θ of the recurrence.
        let unit = c.enclose_rational(&(Rational::from(3 * self.n) >> scale));
        let error = c.div(&unit, &c.root(&height, 2));
        let around = |radius: &RuleInterval| c.hull(&c.neg(radius), radius);
        let [before, at] = legendre_pair(self.n, &place, scale)
            .map(|value| c.add(&c.enclose_rational(&(Rational::from(value) >> scale)), &around(&error)));
        let slope = c.div(&c.mul_integer(&c.sub(&before, &c.mul(&x, &at)), self.n.into()), &height);
        let step = c.midpoint(&c.div(&at, &slope));
        let [second, third] = &self.bounds;
        let (size, steep) = (c.abs(&step), c.lower(&c.abs(&slope))?);
        // At the new point |P_n| is at most the error of the linear part, plus the bound of the second derivative.
        let left =
            c.add(&c.abs(&c.sub(&at, &c.mul(&slope, &step))), &c.div_integer(&c.mul(second, &c.square(&size)), 2));
        // Twice the first guess of the radius: a choice that the test below verifies.
        let radius = c.upper(&c.mul_integer(&c.div(&left, &steep), 2))?;
        let far = c.add(&size, &radius);
        let least = c.mul(&radius, &c.sub(&steep, &c.mul(second, &far)));
        if !c.is_strictly_below(&left, &least) {
            return None;
        }
        let found = c.add(&c.sub(&x, &step), &around(&radius));
        // (1 - x²)·P_n″ = 2x·P_n′ - n(n + 1)·P_n
        let n = i64::from(self.n);
        let bend = c.sub(&c.mul_integer(&c.mul(&x, &slope), 2), &c.mul_integer(&at, n * (n + 1)));
        let line = c.sub(&slope, &c.mul(&c.div(&bend, &height), &step));
        let rest = c.add(&c.div_integer(&c.mul(third, &c.square(&far)), 2), &c.mul(second, &radius));
        let slope = c.add(&line, &around(&c.upper(&rest)?));
        // 2/((1 - x²)·P_n′²)
        let below = c.mul(&c.sub(&c.enclose_integer(1), &c.square(&found)), &c.square(&slope));
        let weight = c.div(&c.enclose_integer(2), &below);
        c.is_defined(&weight).then_some((found, weight))
    }
}

/// Returns `P_{n-1}` and `P_n` at x·2⁻ᵗ, as multiples of 2⁻ᵗ.
fn legendre_pair(n: u32, x: &Integer, t: u32) -> [Integer; 2] {
    let (mut before, mut at) = (Integer::from(1) << t, x.clone());
    let mut next = Integer::new();
    for k in 1..n {
        // In place: the numbers are long, and the loop is the cost of a rule.
        next.assign(x * &at);
        next >>= t;
        next *= 2 * k + 1;
        before *= k;
        next -= &before;
        next /= k + 1;
        std::mem::swap(&mut before, &mut at);
        std::mem::swap(&mut at, &mut next);
    }
    [before, at]
}
