//! What is said to be at fault where a program has no value: what the program writes, or a definition of the library, and never an
//! operation that these are made of.

use std::process::{Command, Stdio};

/// What a command prints, both streams.
fn printed(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    let output =
        command.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null()).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// A command, and what it has to say.
type Row<'r> = (&'r [&'r str], &'r str);

#[track_caller]
fn says(rows: &[Row<'_>]) {
    let mut faults = Vec::new();
    for (arguments, said) in rows {
        let printed = printed(arguments);
        if !printed.contains(said) {
            faults.push(format!("{arguments:?}\n  to say {said}\n  says   {}", printed.replace('\n', "\n         ")));
        }
        if printed.contains("theories/") {
            faults.push(format!("{arguments:?} points into a theory: {printed}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The slope of a function is made of quotients, roots and powers: it is the function that is told.
#[test]
fn slopes_in_reverse_name_their_function() {
    says(&[
        (
            &["eval", r"gradient (\(x,y) => sqrt (x^2+y^2)) (0,0)"],
            "`sqrt` is at the edge of where it is defined and smooth, at question:1:21",
        ),
        (&["eval", r"gradient (\(x,y) => asin (x*y)) (1,1)"], "`asin` is at the edge"),
        (&["eval", r"gradient (\(x,y) => acos (x*y)) (1,-1)"], "`acos` is at the edge"),
        (&["eval", r"gradient (\(x,y) => acosh (x*y)) (1,1)"], "`acosh` is at the edge"),
        (&["eval", r"gradient (\(x,y) => log (x*y)) (0,1)"], "`log` is at the edge"),
        (&["eval", r"gradient (\(x,y) => log (x*y)) (-2,1)"], "`log` is outside of its domain"),
        (&["eval", r"gradient (\(x,y) => asin (x*y)) (2,1)"], "`asin` is outside of its domain"),
        (
            &["eval", r"gradient (\(x,y) => (x*y)^(1/3)) (0,1)"],
            "`^` is at the edge of where it is defined and smooth, at question:1:21",
        ),
        (&["eval", r"gradient (\(x,y) => (x*y)^(1/2)) (0,1)"], "`^` is at the edge"),
        (&["eval", r"gradient (\(x,y) => (x*y)^(x+y)) (0,1)"], "`^`"),
        (&["eval", r"gradient (\(x,y) => cbrt (x*y)) (0,1)"], "`cbrt` is at the edge"),
        (&["eval", r"gradient (\(x,y) => tan (x*y)) (1,pi/2)"], "`tan` is at the edge"),
        (&["eval", r"gradient (\(x,y) => atanh (x*y)) (1,1)"], "`atanh`"),
        (&["eval", r"gradient (\(x,y) => x/y) (1,0)"], "`/` is outside of its domain, at question:1:21"),
        (&["eval", r"gradient (\(x,y) => atan2 x y) (0,0)"], "`atan2` is outside of its domain"),
        (&["eval", r"rd (\x => sqrt x) 0 1"], "`sqrt` is at the edge"),
        (&["eval", r"deriv (\x => sqrt (abs x)) 0"], "`sqrt` is at the edge"),
        (&["eval", r"jacobian (\(x,y) => (sqrt (x*y), x)) (0,1) (1,0)"], "`sqrt` is at the edge"),
        (&["eval", r"hessian (\(x,y) => sqrt (x*y)) (0,1) (1,1)"], "`sqrt`"),
    ]);
}

/// What is made of others is told by its own name: choices, powers, what is solved, and what comes with the library.
#[test]
fn what_is_made_of_others_has_its_own_name() {
    says(&[
        (&["eval", "floor 1e7"], "`floor` is outside of its domain, at question:1:1; smoothish doc floor"),
        (
            &["eval", "floor 3"],
            "`floor` is not decided: a choice in it is on its border, or is not distinguished from it, at question:1:1",
        ),
        (&["eval", "ceil 1e9"], "`ceil` is outside of its domain, in the library's `floor`, at question:1:1"),
        (&["eval", "ceil 3"], "`ceil` is not decided"),
        (&["eval", "round 2.5"], "`round` is not decided"),
        (&["eval", "mod 5 0"], "`mod` is outside of its domain, at question:1:1"),
        (&["eval", "1 + mod 1e9 1"], "`mod` is outside of its domain, in the library's `floor`, at question:1:5"),
        (&["eval", "floor 1e7 + floor 1"], "`floor` is "),
        (&["eval", "mod 1e9 1 + floor 1.5"], "`floor` is outside of its domain"),
        (&["eval", r"deriv (\x => mod x 1) 2"], "`mod` is not decided"),
        (&["eval", "let f x = floor (x/2) in f 1e9"], "`floor` is outside of its domain, at question:1:11"),
        (
            &["eval", r"gradient (\(x,y) => norm (x,y)) (0,0)"],
            "`norm` is at the edge of where it is defined and smooth, at question:1:21",
        ),
        (&["eval", r"deriv (\x => norm (x, x)) 0"], "`norm` is at the edge"),
        (&["eval", "normalize (0,0)"], "`normalize` is outside of its domain"),
        (&["eval", "deriv (deriv relu) 0"], "`relu` is not decided"),
        (&["eval", r"(\x y => x^y) (0-2) (1/2)"], "`^` is outside of its domain"),
        (&["eval", r"deriv (\x => if x > 0 then x^2 else 0) 0"], "`if` is not decided, at question:1:17"),
        (&["eval", r"deriv (\x => if 0 < x then x^2 else 0) 0"], "`if` is not decided, at question:1:17"),
        (&["eval", "linearSolve (matrix2 ((1,1),(1,1))) (1,2)"], "`linearSolve` is outside of its domain"),
        (&["eval", "sqrt (0-1)"], "`sqrt` is outside of its domain, at question:1:1"),
        (&["eval", "lgamma 0"], "`lgamma` is outside of its domain"),
        (&["eval", "polygamma 2 0"], "`polygamma 2` is outside of its domain"),
        (&["eval", "tan (pi/2)"], "`tan` is at the edge"),
        (&["eval", "relu (1/0)"], "`/` is outside of its domain, at question:1:6"),
    ]);
}

/// The same in other models and commands.
#[test]
fn every_command_tells_it() {
    says(&[
        (&["eval", "--model", "partial", "floor 1e7"], "undefined: `floor` is outside of its domain"),
        (
            &["eval", "--model", "partial", "ceil 1e7"],
            "undefined: `ceil` is outside of its domain, in the library's `floor`",
        ),
        (
            &["eval", "--model", "pap", "mod 1e9 1"],
            "undefined: `mod` is outside of its domain, in the library's `floor`",
        ),
        (&["eval", "--model", "partial", r"(\x y => x^y) (0-2) (1/2)"], "undefined: `^` is outside of its domain"),
        (
            &["eval", "--model", "partial", "normalize (0,0)"],
            "undefined: `normalize` is at the edge of where it is defined",
        ),
        (
            &["pieces", "--limit", "3", "--from=0.0000001", "--to=0.0000002", r"\x => floor (1 / x)"],
            "undefined: `floor` is outside of its domain",
        ),
        (&["pieces", "--from=-1", "--to=1", r"\x => mod 1 (0*x)"], "undefined: `mod` is outside of its domain"),
        (&["audit", "--at", "0", "--claim", "1", r"\x => floor (1e8 + x)"], "`floor` is outside of its domain"),
        (&["audit", "--at", "0", "--claim", "1", r"\x => mod 1 x"], "`mod` is outside of its domain"),
        (
            &["table", "--from=0", "--to=1", "--steps", "1", r"\x => floor (1e8 + x)"],
            "`floor` is outside of its domain",
        ),
        (
            &["table", "--from=0", "--to=1", "--steps", "1", "--deriv", "1", r"\x => norm (x,x)"],
            "`norm` is at the edge",
        ),
        (
            &["eval", "--json", r"gradient (\(x,y) => sqrt (x^2+y^2)) (0,0)"],
            r#""message":"`sqrt` is at the edge of where it is defined and smooth","place":"question:1:21""#,
        ),
        (
            &["trace", "--at", "0.5", r"\x => floor x"],
            "traces have no `fold`; write tuples, whose lengths are known, in the library's `floor`",
        ),
        (&["trace", "--at", "0", r"\(x : Real) => normalize (x,x)"], "`normalize` is"),
        (
            &["pushforward", "--of", "do {x <- sample (normal 0 1); return x}", "--at", "0.5", r"\x => x - floor x"],
            "`floor` is outside of its domain",
        ),
        (&["agree", "floor 1e7"], "`floor` is outside of its domain"),
    ]);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// An integral of the library that has no value is the reason, not the quotient that it is made of.
    #[test]
    fn integrals_of_the_library_are_told() {
        says(&[
            (
                &["eval", "beyond 0 exp"],
                "the integral diverges: beside its upper end the integrand is at least 0.99, at question:1:1",
            ),
            (
                &["eval", "line exp"],
                "the integral diverges: beside an infinite end the integrand is at least 0.99, at question:1:1",
            ),
            (
                &["eval", r"deriv (\c => line (\x => exp (c*x))) 0"],
                "an integral is not shown to have a value, in the library's `beyond`, at question:1:",
            ),
            (
                &["eval", r"normal 0 1 (\x => exp (x^2))"],
                "the integral diverges, in the library's `beyond`, at question:1:1",
            ),
            (&["eval", r"measToProb zero (\x => x)"], "`measToProb` is outside of its domain"),
            (
                &["eval", r"integral 0 1 (\x => 1/x)"],
                "the integral diverges: beside x = 0 the integrand is at least 0.99/x, at question:1:1",
            ),
            (&["eval", r"between 0 1 (\x => 1/x)"], "the integral diverges: beside x = 0"),
            (&["eval", r"integral01 (\x => log (x - 1/2))"], "`log` is "),
        ]);
    }
}
