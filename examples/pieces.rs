//! The pieces of a function, with their lengths and what was not unfolded: Cantor's program. In two variables, with their volumes: a disc.
//!
//! `cargo run --example pieces`

use smoothish::meaning::pap::DefaultPiecewiseHooks;
use smoothish::meaning::pap::replay::{ExplorationOptions, MAX_RUN_STEPS};
use smoothish::measure::volume::enclose_volumes;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::prelude::Session;
use smoothish::syntax::ty::Ty;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let text =
        "let rec cantor x = if x <= 1/3 then cantor (3 * x) else if x >= 2/3 then cantor (3 * x - 2) else 0 in cantor";
    let program = Session::new().infer_at(text, &Ty::function(Ty::real(), Ty::real()))?;
    let budget = Arc::new(Budget::unlimited());
    let unfolding = ExplorationOptions {
        hooks: Arc::new(DefaultPiecewiseHooks),
        unfolding_limit: None,
        limit: 127,
        max_steps: MAX_RUN_STEPS,
        budget: budget.clone(),
    };
    let unfolded = unfolding.explore_interval(&program, &Rational::from(0), &Rational::from(1))?;
    for piece in unfolded.pap.pieces.iter().take(7) {
        if let Some(region) = &piece.region {
            println!("{region}: {}", region.length_bounds()[0]);
        }
    }
    let [least, most] = unfolded.pap.unexplored_length().unwrap_or_default();
    println!("{} pieces; what is left has a length from {least} to {most}", unfolded.pap.pieces.len());
    assert_eq!(least, Rational::from((128, 2187)));

    let plane = Ty::function(Ty::real(), Ty::function(Ty::real(), Ty::real()));
    let disc = Session::new().infer_at(r"\x y => if x * x + y * y < 1 then x * y else 0", &plane)?;
    let square = [(); 2].map(|()| [-1, 1].map(Rational::from));
    let found = unfolding.explore_box(&disc, &square, true)?.pap;
    let volumes = enclose_volumes(&found, &Rational::from((1, 1_000_000)), &budget).ok_or("no box")?;
    for (piece, volume) in found.pieces.iter().zip(&volumes.pieces) {
        println!("dimension {}, around {:?}: {volume}", piece.dimension, piece.sample());
    }
    // π: both ends are within the width that was asked for
    let is_pi = |end: f64| (end - std::f64::consts::PI).abs() < 1e-6;
    assert!(volumes.pieces.iter().any(|volume| is_pi(volume.lo().to_f64()) && is_pi(volume.hi().to_f64())));
    Ok(())
}
