//! A primitive of one's own: Lambert's W, the inverse of w ↦ w·eʷ on w ≥ -1.
//!
//! Its interval extension carries its proof: w ↦ w·eʷ increases on w ≥ -1, so a number w there with w·eʷ ≤ x, computed in
//! interval arithmetic, is a lower bound of W(x), however it was found. Its derivative is a map that mentions it:
//! W′ = e⁻ᵂ/(1 + W). From these two the library has every derivative.
//!
//! `cargo run --example own_primitive`

use smoothish::number::arithmetic::{Context, Extension, Function, Sign};
use smoothish::number::budget::Budget;
use smoothish::number::{Double, Interval, Mpfr, Rational};
use smoothish::smooth::map::{Map, PrimitiveError};
use typenum::U1;

/// W, as an interval extension in both tiers.
pub struct LambertW;

/// w·eʷ
fn times_exp<C: Context>(c: &C, w: &C::Num) -> C::Num {
    c.mul(w, &c.apply_function(Function::Exp, w))
}

/// A number near W(x), by Newton's method. Nothing is claimed of it.
fn near<C: Context>(c: &C, x: &C::Num) -> C::Num {
    let one = c.enclose_integer(1);
    let start =
        if c.is_nonnegative(x) { c.apply_function(Function::Log, &c.add(x, &one)) } else { c.enclose_integer(0) };
    let mut w = c.midpoint(&start);
    for _ in 0..200 {
        let e = c.apply_function(Function::Exp, &w);
        let step = c.div(&c.sub(&c.mul(&w, &e), x), &c.mul(&e, &c.add(&w, &one)));
        let next = c.midpoint(&c.sub(&w, &step));
        let still = c.is_strictly_below(&w, &next) || c.is_strictly_below(&next, &w);
        w = next;
        if !still {
            break;
        }
    }
    w
}

/// A number that is certainly below W(x) (or above, for `side` 1), x a point above -1/e.
fn bound<C: Context>(c: &C, x: &C::Num, side: i64) -> C::Num {
    let minus_one = c.enclose_integer(-1);
    let w = near(c, x);
    for k in (0..i64::from(c.precision())).rev() {
        let step = c.enclose_rational(&(Rational::from(side) >> u32::try_from(k).unwrap_or(0)));
        let w = c.midpoint(&c.add(&w, &step));
        if !c.is_strictly_below(&minus_one, &w) {
            continue;
        }
        let above = c.sub(&times_exp(c, &w), x);
        let proved = if side > 0 { Sign::Positive } else { Sign::Negative };
        if c.sign(&above) == proved {
            return w;
        }
    }
    // -1 ≤ W(x) ≤ max(x, 0)
    if side < 0 { minus_one } else { c.max(x, &c.enclose_integer(0)) }
}

fn lambert<C: Context>(c: &C, x: &C::Num) -> C::Num {
    let edge = c.neg(&c.apply_function(Function::Exp, &c.enclose_integer(-1)));
    match (c.lower(x), c.upper(x)) {
        (Some(lo), Some(hi)) if c.is_defined(x) && c.is_strictly_below(&edge, &lo) => {
            c.hull(&bound(c, &lo, -1), &bound(c, &hi, 1))
        }
        _ => c.bottom(),
    }
}

impl Extension for LambertW {
    fn eval_double(&self, context: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        lambert(context, &x[0])
    }

    fn eval_mpfr(&self, context: &Mpfr, x: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        lambert(context, &x[0])
    }
}

/// W as a map, tried on boxes of its domain.
pub fn lambert_w() -> Result<Map<U1, U1>, PrimitiveError> {
    let q = |n: i64, d: i64| Rational::from((n, d));
    let boxes = [[q(-1, 4), q(0, 1)], [q(0, 1), q(1, 1)], [q(1, 1), q(3, 1)], [q(10, 1), q(11, 1)]];
    Map::primitive(
        "productLog",
        LambertW,
        |w| {
            let (x, v) = (Map::<(U1, U1), U1>::first(), Map::second());
            let w = x.then(w);
            (-&w).exp() / (w + 1) * v
        },
        &boxes.map(|range| vec![range]),
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let w = lambert_w()?;
    let eps = Rational::from((1, 1_000_000_000_000i64));
    let one = w.at([Rational::from(1)]).enclose(&eps, &Budget::unlimited())?;
    println!("W(1) ∈ {}   (resting on {})", one.components[0].enclosure.print_decimals(&eps), one.trusted.join(", "));
    for k in 1..=6 {
        let found = w.nth_derivative(k).at([Rational::from(0)]).enclose(&eps, &Budget::unlimited())?;
        println!(
            "W⁽{k}⁾(0) ∈ {}   (exactly {})",
            found.components[0].enclosure.print_decimals(&eps),
            (-i64::from(k)).pow(u32::from(k) - 1)
        );
    }
    // a derivative that is wrong by a factor does not come in
    let wrong = Map::<U1, U1>::primitive(
        "wrongW",
        LambertW,
        |w| (-Map::<(U1, U1), U1>::first().then(w)).exp() * Map::second(),
        &[vec![[Rational::from(1), Rational::from(2)]]],
    );
    println!("{}", wrong.err().map_or_else(|| "not refuted".to_owned(), |e| e.to_string()));
    Ok(())
}
