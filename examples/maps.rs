//! Smoothish maps with their dimensions as types: made, asked, differentiated, compared, drawn.
//!
//! `cargo run --example maps`, or `cargo run --example maps -- picture.svg` to write a picture.

use smoothish::category::Setoid;
use smoothish::number::budget::Budget;
use smoothish::number::real::Precision;
use smoothish::number::{Enclosure, Rational};
use smoothish::smooth::map::range::Evaluations;
use smoothish::smooth::map::{Ad, Map, MapTestConfig, coordinates};
use typenum::{U1, U2};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let eps = Rational::from((1, 1_000_000_000));
    let budget = Budget::unlimited();
    let q = |n: i64, d: i64| Rational::from((n, d));
    let shown = |e: &Enclosure| e.print_decimals(&eps).to_string();
    let row = |a: &Evaluations| a.enclosures().iter().map(shown).collect::<Vec<_>>().join("  ");

    let [x, y] = coordinates();
    let f: Map<U2, U1> = (&x * &y).sin() + x.max(&y.powi(2));
    println!("f = {f}");
    let point = [q(1, 2), q(1, 3)];
    println!("f(1/2, 1/3)  ∈ {}", row(&f.at(point.clone()).enclose(&eps, &budget)?));
    println!("∇f(1/2, 1/3) ∈ {}", row(&f.gradient().at(point.clone()).enclose(&eps, &budget)?));
    for line in f.hessian_at(&point, &eps, &budget)? {
        println!("    Hessian    {}", row(&line));
    }
    let ranges = [[q(0, 1), q(1, 1)], [q(0, 1), q(1, 1)]];
    println!("f([0, 1]²)   ⊂ {}", shown(&f.range(ranges.clone(), Precision::Double, &budget)?[0]));
    for slope in &f.derivative_over(&ranges, Precision::Double, &budget)?[0] {
        println!("    slopes in  {}", shown(slope));
    }

    // d/dc ∫₀¹ max(0, t - c) dt at 0.6
    let [c, t] = [Map::<(U1, U1), U1>::first(), Map::second()];
    let ramp = (t - c).relu().integral01();
    println!("ramp = {ramp}");
    println!("ramp′(0.6)   ∈ {}", row(&ramp.derivative().at([q(3, 5)]).enclose(&eps, &budget)?));

    // two maps are never equal, only not refuted
    let x = Map::<U1, U1>::id();
    let identity = x.sin().powi(2) + x.cos().powi(2);
    let one = Map::constant([q(1, 1)]);
    println!("sin² + cos² = 1: {}", Ad::agree::<U1, U1>(&identity, &one, &MapTestConfig::default())?);
    println!("sin² = 1:        {}", Ad::agree::<U1, U1>(&x.sin().powi(2), &one, &MapTestConfig::default())?);

    match std::env::args().nth(1) {
        Some(file) => std::fs::write(file, f.gradient().picture().to_svg())?,
        None => print!("{}", f.picture().to_dot()),
    }
    Ok(())
}
