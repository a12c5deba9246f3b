//! The Hausdorff distance of two shapes, and how it changes when one of them moves (S §7.3).
//!
//! `cargo run --release --example shapes`

use smoothish::model::answer::AnswerNumber;
use smoothish::number::decimal;
use smoothish::session::{Diagnostic, Evaluate, Limits, Session};
use smoothish::theory::builtin;
use smoothish::value::Value;

/// A bar with a roof over its left half, and a circle whose centre is at height `y` over the middle. The ends of the bar are
/// farthest from the circle: the distance is √(1 + y²) - ½.
const SHAPES: &str = "\
let shape = Maximizer.union (segment (-1, 0) (1, 0)) (segment (-1, 0) (0, 1)) in
let distance (y : Real) = hausdorffDist R2Dist shape (ring (0, y) (1/2)) in ";

fn main() -> Result<(), Diagnostic> {
    let theories = builtin::load_theories();
    let session = Session::with_library(theories.library().clone());
    let eps = decimal::parse("1e-4").expect("a decimal");
    for (what, question) in [("distance", "distance 0.6"), ("its slope", "deriv distance 0.6")] {
        let question = Evaluate::new(&format!("{SHAPES}{question}")).with_width(eps.clone());
        let answer = session.ask(&question, &Limits::seconds(60))?;
        if let Value::Real(AnswerNumber::Enclosure(found)) = answer.value() {
            println!("{what}: {}", found.enclosure.print_decimals(&eps));
        }
    }
    Ok(())
}
