//! Is a gradient right? Numbers that frameworks answer, and what is true.
//!
//! `cargo run --example audit`

use smoothish::audit::{AuditSubject, Claim, ClaimTolerance};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::prelude::Session;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// A function, a point, and what is said to be its derivative there.
const CLAIMS: [(&str, i32, f64); 6] = [
    (r"\x => max x 0 - max (-x) 0", 0, 0.0),
    (r"\x => abs x", 0, 0.0),
    (r"\x => sqrt (x^2)", 0, f64::NAN),
    (r"\x => if x == 0 then 1 else sin x / x", 0, 0.0),
    (r"\x => log (1 + exp x)", 25, 1.0),
    (r"\x => if x < 0 then 0 else 1", 0, 0.0),
];

fn main() -> Result<(), Box<dyn Error>> {
    let session = Session::new();
    for (text, at, claimed) in CLAIMS {
        let subject = AuditSubject::new(&session, text)?;
        let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(10)));
        let report =
            subject.judge_claim(&Rational::from(at), &Claim::from(claimed), &ClaimTolerance::default(), &budget)?;
        println!("{text} at {at}, {claimed}: {}: {}", report.finding.name(), report.finding);
    }
    Ok(())
}
