//! What a function from outside costs beside the same function of the language: `erf`, given anew.
//!
//! `cargo bench --bench foreign` counts instructions of both by `perf stat`, or by valgrind, and prints their quotients.

use smoothish::number::arithmetic::{Context, Extension, Function};
use smoothish::number::{Double, Interval, Mpfr};
use smoothish::prelude::*;
use std::hint::black_box;
use std::process::Command;

/// The error function by that of the library: the same arithmetic, through the door for functions from outside.
struct ErrorFunction;

impl Extension for ErrorFunction {
    fn eval_double(&self, context: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        context.apply_function(Function::Erf, &x[0])
    }
    fn eval_mpfr(&self, context: &Mpfr, x: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        context.apply_function(Function::Erf, &x[0])
    }
}

/// The questions, with `f` for the function, and how often each is asked.
const QUESTIONS: [(&str, f64, u32); 5] = [
    ("f 0.5 + f 0.25 + f 2", 1e-9, 2_000),
    ("f 0.5 + f 0.25 + f 2", 1e-60, 500),
    (r"integral01 (\x => f (3 * x))", 1e-6, 10),
    (r"deriv (\c => integral01 (\x => f (c * x))) 1", 1e-4, 5),
    (r"firstRoot (\x => 0.5 - f x)", 1e-9, 100),
];

fn session() -> Session {
    let mut session = Session::new();
    let defined = session.define_constant("own", ErrorFunction).slope(r"\x => 2 / sqrt pi * exp (-x^2)");
    defined.boxes([(-2, 2)]).add().expect("erf is its own enclosure");
    session
}

/// Asks a question; 0 times, to count what it takes to begin.
fn run(name: &str, question: usize, times: u32) {
    let (program, eps, _) = QUESTIONS[question];
    let (session, program) = (session(), program.replace("f ", &format!("{name} ")));
    for _ in 0..times {
        assert!(black_box(session.enclose(&program, eps)).is_ok_and(|found| found.enclosure.is_defined()));
    }
}

/// Counts the instructions of this program with arguments.
fn count(arguments: &[String]) -> Option<f64> {
    let own = std::env::current_exe().ok()?;
    let perf = Command::new("perf").args(["stat", "-x,", "-e", "instructions:u"]).arg(&own).args(arguments).output();
    let first_number = |text: &str| text.lines().find_map(|line| line.split(',').next()?.parse().ok());
    if let Some(found) = perf.ok().and_then(|ran| first_number(&String::from_utf8_lossy(&ran.stderr))) {
        return Some(found);
    }
    let valgrind = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(&own)
        .args(arguments)
        .output();
    let said = String::from_utf8_lossy(&valgrind.ok()?.stderr).into_owned();
    said.lines().find_map(|line| line.split("Collected : ").nth(1)?.trim().parse().ok())
}

fn main() {
    let given: Vec<String> = std::env::args().collect();
    if let Some(place) = given.iter().position(|argument| argument == "run") {
        let number = |behind: usize| given[place + behind].parse().expect("a number");
        return run(&given[place + 1], number(2) as usize, number(3));
    }
    for (question, (program, eps, times)) in QUESTIONS.iter().enumerate() {
        let of = |name: &str| {
            let counted =
                |times: u32| count(&["run".to_owned(), name.to_owned(), question.to_string(), times.to_string()]);
            Some((counted(*times)? - counted(0)?) / f64::from(*times))
        };
        match (of("erf"), of("own")) {
            (Some(built_in), Some(foreign)) => {
                println!(
                    "{program} within {eps:e}: {built_in:.0} and {foreign:.0} instructions, {:.3}",
                    foreign / built_in
                );
            }
            _ => println!("{program}: neither perf nor valgrind counts instructions here"),
        }
    }
}
