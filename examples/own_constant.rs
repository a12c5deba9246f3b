//! A constant of one's own: Dawson's function, D(x) = e^(-x²) ∫₀ˣ e^(t²) dt, as a name of the language.
//!
//! S leaves open which morphisms the language has as constants (Fig. 5). Here one is added, by an interval extension and its slope
//! as a program: D′ = 1 - 2·x·D. Derivatives of every order, integrals and the Taylor macro follow.
//!
//! `cargo run --example own_constant`

use smoothish::number::arithmetic::{Context, Extension};
use smoothish::number::{Double, Interval, Mpfr};
use smoothish::prelude::*;

/// Dawson's function on [-4, 4], as an interval extension in both precisions.
pub struct Dawson;

/// The number of terms of the series. For |x| ≤ 4 those left out sum to less than 2⁻⁹⁰⁰.
const TERMS: u64 = 400;

/// Encloses D at a point by its series Σ (-1)ᵏ 2ᵏ x²ᵏ⁺¹ / (2k+1)!!, whose terms decrease in the end and alternate.
fn dawson_at<C: Context>(c: &C, x: &C::Num) -> C::Num {
    let square = c.mul(x, x);
    let (mut term, mut sum) = (x.clone(), x.clone());
    for k in 1..TERMS {
        term = c.neg(&c.div_integer(&c.mul_integer(&c.mul(&term, &square), 2), 2 * k + 1));
        sum = c.add(&sum, &term);
    }
    let rest = c.enclose_rational(&(Rational::from(1) >> 900_u32));
    c.hull(&c.sub(&sum, &rest), &c.add(&sum, &rest))
}

/// Encloses D on an interval by the mean value theorem: -1 ≤ D′ ≤ 1.
fn dawson_on<C: Context>(c: &C, x: &C::Num) -> C::Num {
    let domain = c.hull(&c.enclose_integer(-4), &c.enclose_integer(4));
    if !c.is_defined(x) || !c.contains(&domain, x) {
        return c.bottom();
    }
    let middle = c.midpoint(x);
    let slope = c.hull(&c.enclose_integer(-1), &c.enclose_integer(1));
    c.add(&dawson_at(c, &middle), &c.mul(&slope, &c.sub(x, &middle)))
}

impl Extension for Dawson {
    fn eval_double(&self, context: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        dawson_on(context, &x[0])
    }
    fn eval_mpfr(&self, context: &Mpfr, x: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        dawson_on(context, &x[0])
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut session = Session::new();
    session
        .define_constant("dawson", Dawson)
        .slope(r"\x => 1 - 2 * x * dawson x")
        .about("Dawson's function, exp (-x²) ∫₀ˣ exp (t²) dt")
        .boxes([(-3, 3), (0, 1)])
        .add()?;
    for program in [
        "dawson 0.5",
        "deriv dawson 0.5",
        "nthDeriv 4 dawson 0.5",
        r"deriv (\c => integral01 (\x => dawson (c * x))) 1",
        r"firstRoot (\x => deriv dawson (2 * x))",
    ] {
        let found = session.enclose(program, 1e-12)?;
        println!("{program} = {}", found.enclosure.print_decimals(&Rational::from((1, 1_000_000_000_000_i64))));
    }
    // a wrong slope is refuted
    let wrong = session.define_constant("wrong", Dawson).slope(r"\x => 1 - x * wrong x").boxes([(0, 1)]).add();
    println!("{}", wrong.expect_err("it is wrong"));
    Ok(())
}
