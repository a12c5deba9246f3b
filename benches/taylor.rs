//! What the Taylor macro costs: sizes of derived programs, the time to derive them, and to run them against the derivatives
//! that the models have by themselves.
//!
//! `cargo bench --bench taylor` prints two tables. Times are medians of nine.

use smoothish::law::agreement::derivatives::derivative_programs;
use smoothish::meaning;
use smoothish::meaning::taylor::derive::derive_program;
use smoothish::meaning::taylor::jet::Basis;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::Ty;
use smoothish::theory::builtin;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Programs of real numbers, with a point.
const PROGRAMS: &[(&str, &[(i32, i32)])] = &[
    ("\\x => exp (sin x * cos x) / (1 + x^2)", &[(3, 10)]),
    ("\\x y => x^2 * exp (x * y)", &[(1, 2), (2, 1)]),
    (
        "\\w => let neuron = ((1, 1, 1, 1), 1) in \
         network444 ((1, 2, 3, 4), ((((w, 1, 1, 1), 1), neuron, neuron, neuron), \
         ((neuron, neuron, neuron, neuron), neuron)))",
        &[(1, 2)],
    ),
    ("\\x => sum (mapList (\\y => sin (x * y)) [1, 2, 3, 4, 5, 6, 7, 8])", &[(1, 2)]),
];

fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..9)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[4]
}

fn asked(model: &str, term: &Term, ty: &Ty) -> Duration {
    let eps = Rational::from((1, 1_000_000));
    let meaning = meaning::semantics_named(model).expect("a model");
    median(|| {
        let answer = meaning.evaluate(term, ty, &eps, &Arc::new(Budget::unlimited()));
        black_box(answer.expect("an answer"));
    })
}

fn main() {
    let theories = builtin::load_theories();
    let library = theories.library();
    println!("{:<24} k  {}", "parts", ORDERS.map(|order| format!("R = {order:<9}")).concat());
    for program in ["\\x y => x * y", "\\x => sigmoid x", "neuron4"] {
        let (term, ty) = library.infer_expression(program).expect("a program");
        for k in 1..=3 {
            let sizes = ORDERS.map(|order| {
                let basis = Basis::new(k, order).expect("a basis");
                let mut size = 0;
                let time = median(|| size = derive_program(&term, &ty, &basis).expect("derived").node_count());
                format!("{:<13}", format!("{size} {time:.0?}"))
            });
            println!("{program:<24} {k}  {}", sizes.concat());
        }
    }
    println!(
        "\n{:<44} R  {:>10} {:>10} {:>7}  {:>10} {:>10} {:>7}",
        "time", "presheaf", "derived", "", "float", "derived", ""
    );
    for (program, point) in PROGRAMS {
        let (term, ty) = library.infer_expression(program).expect("a program");
        let point: Vec<Rational> = point.iter().map(|q| Rational::from(*q)).collect();
        for order in 1..=4 {
            let found = derivative_programs(&term, &ty, &point, order).expect("derivatives");
            let (_, value) = found.derived.expect("a derived program");
            let [exact, derived] = [&found.nested, &value].map(|term| asked("presheaf", term, &found.ty));
            let [float, floating] = [&found.nested, &value].map(|term| asked("float", term, &found.ty));
            let ratio = |a: Duration, b: Duration| b.as_secs_f64() / a.as_secs_f64();
            let name: String = program.chars().take(44).collect();
            println!(
                "{name:<44} {order}  {:>10} {:>10} {:>7.2}  {:>10} {:>10} {:>7.2}",
                format!("{exact:.1?}"),
                format!("{derived:.1?}"),
                ratio(exact, derived),
                format!("{float:.1?}"),
                format!("{floating:.1?}"),
                ratio(float, floating),
            );
        }
    }
}

const ORDERS: [usize; 5] = [1, 2, 4, 6, 10];
