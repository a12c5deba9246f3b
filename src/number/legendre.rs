//! The nodes and weights of Gauss–Legendre quadrature, enclosed.
//!
//! The nodes of order n are the zeros of the Legendre polynomial `P_n`, and the weight of a node x is `2(1-x²)/(n·P_{n-1}(x))²`
//! (Abramowitz and Stegun, 25.4.29, with 22.8.5 at a zero of `P_n`). The rule `Σ wᵢ f(xᵢ)` has positive weights with the sum 2, and is
//! `∫_{-1}^{1} f` for polynomials of degree at most 2n-1.
//!
//! *Why the enclosures hold.* Newton's method only finds where to look. `P_n` certainly has opposite signs at the ends of each interval
//! here, so there is a zero in it. The intervals are disjoint and n with those of the other sign (`P_n` is even or odd), and a polynomial of
//! degree n has no more zeros: each has exactly one. Where that is not seen there is no rule.

use super::context::{Context, Sign};
use super::enclosure::Enclosure;
use super::mpfr::Mpfr;
use rug::Rational;
use std::sync::{Arc, Mutex, PoisonError};

/// A node in (-1, 1) with its weight.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where the function is asked.
    pub place: Enclosure,
    /// What its value counts.
    pub weight: Enclosure,
}

/// A rule with its order and precision.
type Known = ((u32, u32), Arc<[Node]>);

/// So many rules are kept, …
const MOST_RULES: usize = 32;
/// …none of which has more than so many bits.
const MOST_BITS_KEPT: u64 = 1 << 20;
/// Newton's method begins with so many bits.
const FIRST_BITS: u32 = 40;

/// The rule of n nodes, ascending, enclosed more closely than numbers of so many bits are. `None` where the signs that prove it
/// could not be told, or there are no nodes.
#[must_use]
pub fn nodes(n: u32, bits: u32) -> Option<Arc<[Node]>> {
    static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
    let known = |rules: &[Known]| rules.iter().find(|(key, _)| *key == (n, bits)).map(|(_, rule)| rule.clone());
    if let Some(rule) = known(&KNOWN.lock().unwrap_or_else(PoisonError::into_inner)) {
        return Some(rule);
    }
    let rule: Arc<[Node]> = enclosed(n, bits)?.into();
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

fn enclosed(n: u32, bits: u32) -> Option<Vec<Node>> {
    if n == 0 {
        return None;
    }
    // the recurrence on intervals loses at most log₂(1 + √2) < 2 bits at each step
    let radius_bits = bits.checked_add(2 * n)?.checked_add(8)?;
    let context = Mpfr::new(radius_bits.checked_add(2 * n)?.checked_add(56)?);
    let zero = context.integer(0);
    let radius = context.rational(&(Rational::from(1) >> radius_bits));
    let (mut below, mut above) = (Vec::new(), Vec::new());
    let mut last: Option<<Mpfr as Context>::Num> = None;
    for i in 1..=n / 2 {
        let near = near(n, i, radius_bits);
        let ends = (context.lower(&context.sub(&near, &radius))?, context.upper(&context.add(&near, &radius))?);
        let signs = [&ends.0, &ends.1].map(|end| context.sign(&polynomials(&context, n, end)[1]));
        let place = context.hull(&ends.0, &ends.1);
        let is_apart = context.strictly_below(&zero, &place)
            && last.as_ref().is_none_or(|last| context.strictly_below(&place, last));
        if !matches!(signs, [Sign::Positive, Sign::Negative] | [Sign::Negative, Sign::Positive]) || !is_apart {
            return None;
        }
        below.push(node(&context, n, &context.neg(&place)));
        above.push(node(&context, n, &place));
        last = Some(place);
    }
    if !n.is_multiple_of(2) {
        below.push(node(&context, n, &zero));
    }
    above.reverse();
    below.extend(above);
    Some(below)
}

/// A point near the i-th zero from above, found by Newton's method at growing precision.
fn near(n: u32, i: u32, bits: u32) -> <Mpfr as Context>::Num {
    let angle = std::f64::consts::PI * (f64::from(i) - 0.25) / (f64::from(n) + 0.5);
    let context = |digits: u32| Mpfr::new(digits.saturating_add(2 * n + 32));
    let mut digits = FIRST_BITS;
    let start = Rational::from_f64(angle.cos()).unwrap_or_default();
    let mut x = context(digits).midpoint(&context(digits).rational(&start));
    // the first guess may be a few digits only
    for _ in 0..4 {
        x = improved(&context(digits), n, &x);
    }
    while digits < bits.saturating_add(4) {
        digits = digits.saturating_mul(2).saturating_sub(8).min(bits.saturating_add(4));
        x = improved(&context(digits), n, &x);
    }
    x
}

/// A step of Newton's method, with `(1-x²)P_n′(x) = n(P_{n-1}(x) - x·P_n(x))`.
fn improved(context: &Mpfr, n: u32, x: &<Mpfr as Context>::Num) -> <Mpfr as Context>::Num {
    let [before, at] = polynomials(context, n, x);
    let one = context.integer(1);
    let slope = context.scale(&context.sub(&before, &context.mul(x, &at)), i64::from(n));
    let step = context.div(&context.mul(&at, &context.sub(&one, &context.square(x))), &slope);
    context.midpoint(&context.sub(x, &step))
}

/// `P_{n-1}` and `P_n`: `(k+1)P_{k+1} = (2k+1)x·P_k - k·P_{k-1}`.
fn polynomials(context: &Mpfr, n: u32, x: &<Mpfr as Context>::Num) -> [<Mpfr as Context>::Num; 2] {
    let (mut before, mut at) = (context.integer(1), x.clone());
    for k in 1..i64::from(n) {
        let first = context.scale(&context.mul(x, &at), 2 * k + 1);
        let next = context.divide(&context.sub(&first, &context.scale(&before, k)), k as u64 + 1);
        (before, at) = (at, next);
    }
    [before, at]
}

fn node(context: &Mpfr, n: u32, place: &<Mpfr as Context>::Num) -> Node {
    let [before, _] = polynomials(context, n, place);
    let height = context.sub(&context.integer(1), &context.square(place));
    let weight = context.div(&context.scale(&height, 2), &context.square(&context.scale(&before, i64::from(n))));
    Node { place: context.to_enclosure(place), weight: context.to_enclosure(&weight) }
}
