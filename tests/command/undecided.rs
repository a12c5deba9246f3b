//! Guards that no precision decides: what is said of them is short, however often they are asked.

use super::cli::run;

/// Both sides of one guard are told as before.
#[test]
fn both_sides_of_one_guard_are_told() {
    let found = run(&["eval", "--model", "pap", "if sqrt 2 * sqrt 3 == sqrt 6 then 1 else 3"]);
    assert!(found.err.contains("where it holds, 1; where it fails, 3"), "{found:?}");
    let same = run(&["eval", "--model", "pap", "if sqrt 2 * sqrt 3 == sqrt 6 then 1 else 1"]);
    assert!(same.err.contains("where it holds, 1, and so in one other way"), "{same:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A guard in a loop is answered in many ways, of which each outcome is told once.
    #[test]
    fn a_guard_in_a_loop_is_told_once() {
        for program in [
            // no square ends in 3 or 7, so that no root here is a rational number
            "let rec f (x : Real) : Real = if sqrt 2 * sqrt x == sqrt (2 * x) then 1 else f (x + 10) in f 3",
            // here each turn has another value
            "let rec f (x : Real) : Real = if sqrt 2 * sqrt x == sqrt (2 * x) then x else f (x + 10) in f 3",
            "let rec f (x : Real) : Real = if sqrt 5 * sqrt x == sqrt (5 * x) then 2 else f (x + 10) in f 7",
        ] {
            let found = run(&["eval", "--model", "pap", "--timeout", "1", program]);
            assert!(found.err.len() < 1_200, "{} bytes: {}", found.err.len(), found.err);
            assert!(found.err.contains("not decided") || found.err.contains("ways to answer guards"), "{}", found.err);
            assert!(found.err.matches("then fails").count() <= 4, "{}", found.err);
        }
    }
}
