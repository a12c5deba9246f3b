//! Programs that do not end, or are refused: by every meaning and strategy that runs loops on real numbers.

use super::cli::{finish, run, start};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// What runs a recursion on real numbers.
const WAYS: [&[&str]; 6] = [
    &["eval", "--model", "partial"],
    &["eval", "--model", "float"],
    &["trace"],
    &["trace", "--strategy", "literal"],
    &["trace", "--strategy", "tape"],
    &["trace", "--strategy", "tape", "--double"],
];

const LOOP: &str = "let rec f (x : Real) : Real = f (x + 1) in f 0";
const SLOPE: &str = r"let rec f (x : Real) : Real = f (x + 1) in rd (\x => f x) 0 1";

/// What is wrong with a question is said, with its place.
#[test]
fn bad_input_is_refused() {
    let equal = "if sqrt 2 * sqrt 2 < 2 then 1 else 0";
    let long = r"\x => let rec f (y : Real) : Real = if 1000000 < y then y else f (y * 2) in f x";
    let rows: &[(&[&str], i32, &[&str])] = &[
        // arguments that are too few, too many, or of another type
        (&["eval", "--model", "partial", "sin 1 2"], 2, &["question:1:"]),
        (&["trace", "let rec f (x : Real) (y : Real) : Real = x in f 1"], 2, &["--at"]),
        (&["trace", "--at", "1", r"\x y => x + y"], 2, &["make them a tuple"]),
        (&["eval", "--model", "partial", "rd sin 1"], 2, &["function"]),
        (&["eval", "--model", "partial", "rd sin (1, 2) 1"], 2, &["question:1:"]),
        // what is no vector
        (
            &["eval", "--model", "partial", r"rd (\(b : Bool) => b) tt tt"],
            2,
            &["`rd` works on vectors", "question:1:7"],
        ),
        (&["eval", "--model", "partial", r"rd (\(f : Real -> Real) => f 1) sin 1"], 2, &["`rd` works on vectors"]),
        (&["trace", r"rd (\x => [x]) 1 [1]"], 2, &["`rd` works on vectors", "question:1:11"]),
        // comparisons that nothing decides
        (
            &["eval", "--model", "partial", r"(\x => if x < x then 1 else 2) 3"],
            4,
            &["`<` is at the edge", "question:1:11"],
        ),
        (&["trace", "--at", "3", r"\x => if x < x then 1 else 2"], 4, &["`<` is at the edge", "question:1:10"]),
        (
            &["eval", "--model", "partial", equal],
            4,
            &["1024 bits; the two sides agree to within 2^-10", "question:1:4"],
        ),
        (&["trace", equal], 4, &["1024 bits; the two sides agree to within 2^-10", "question:1:4"]),
        (
            &["trace", "--strategy", "tape", equal],
            4,
            &["1024 bits; the two sides agree to within 2^-10", "question:1:4"],
        ),
        // what was not found for want of fuel or time, and where
        (&["eval", "--model", "partial", "--fuel", "3", LOOP], 4, &["as often as its limit allows", "question:1:12"]),
        (&["eval", "--model", "partial", "--timeout", "0.1", LOOP], 4, &["its time was up", "question:1:"]),
        (&["trace", "--fuel", "3", LOOP], 4, &["as often as its limit allows", "question:1:31"]),
        (&["trace", "--timeout", "0.1", LOOP], 4, &["its time was up", "question:1:31"]),
        // a trace that is too long for the literal clauses
        (&["trace", "--reverse", "--strategy", "literal", "--at", "1", long], 4, &["strategy `accumulated`"]),
    ];
    let mut wrong = Vec::new();
    for (arguments, status, parts) in rows {
        let run = run(arguments);
        let is_told = parts.iter().all(|part| run.err.contains(part));
        if run.status != Some(*status) || !run.out.is_empty() || !is_told {
            wrong.push(format!("{arguments:?}: {run:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Ctrl-C ends a loop at once, forwards and in reverse.
    #[cfg(unix)]
    #[test]
    fn an_interrupt_ends_a_loop() {
        let ways =
            WAYS.iter().flat_map(|way| [LOOP, SLOPE].map(|question| [*way, &["--timeout", "600", question]].concat()));
        let children: Vec<_> = ways.map(|way| (start(&way), way)).collect();
        thread::sleep(Duration::from_millis(3000));
        for (child, way) in children {
            let kill =
                Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is a `kill`");
            assert!(kill.success());
            let begun = Instant::now();
            let run = finish(child, Vec::new());
            assert!(begun.elapsed() < Duration::from_secs(5), "{way:?}: {:?}", begun.elapsed());
            assert_eq!((run.status, &*run.out), (Some(4), ""), "{way:?}: {run:?}");
        }
    }

    /// So does the time that it was given, and a recursion that is too deep ends before it takes all memory.
    #[test]
    fn endless_and_deep_programs_end() {
        let deep = "let rec sum (n : Real) : Real = if n < 1/2 then 0 else n + sum (n - 1) in sum 10000000";
        for way in WAYS {
            for (question, seconds) in [(LOOP, "0.2"), (SLOPE, "0.2"), (deep, "1")] {
                let begun = Instant::now();
                let run = run(&[way, &["--timeout", seconds, question]].concat());
                assert_eq!((run.status, &*run.out), (Some(4), ""), "{way:?}: {run:?}");
                assert!(begun.elapsed() < Duration::from_secs(20), "{way:?}: {:?}", begun.elapsed());
            }
        }
    }
}
