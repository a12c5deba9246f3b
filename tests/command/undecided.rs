//! Guards that no precision decides: what is said of them is short, however often they are asked.

use super::cli::run;

/// Both sides of one guard are told as before.
#[test]
fn both_sides_of_one_guard_are_told() {
    let found = run(&["eval", "--model", "pap", "if sin pi == 0 then 1 else 3"]);
    assert!(found.err.contains("where it holds, 1; where it fails, 3"), "{found:?}");
    let same = run(&["eval", "--model", "pap", "if sin pi == 0 then 1 else 1"]);
    assert!(same.err.contains("where it holds, 1, and so in one other way"), "{same:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A guard in a loop is answered in many ways, of which each outcome is told once.
    #[test]
    fn a_guard_in_a_loop_is_told_once() {
        for program in [
            "let rec f (x : Real) : Real = if sin x == 0 then 1 else f (x + pi) in f pi",
            // here each turn has another value
            "let rec f (x : Real) : Real = if sin x == 0 then x else f (x + 2 * pi) in f pi",
            "let rec f (x : Real) : Real = if cos x == 0 then 2 else f (x + pi) in f (pi / 2)",
        ] {
            let found = run(&["eval", "--model", "pap", "--timeout", "1", program]);
            assert!(found.err.len() < 1_200, "{} bytes: {}", found.err.len(), found.err);
            assert!(found.err.contains("not decided") || found.err.contains("ways to answer guards"), "{}", found.err);
            assert!(found.err.matches("then fails").count() <= 4, "{}", found.err);
        }
    }
}
