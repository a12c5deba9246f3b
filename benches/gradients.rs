//! What a gradient costs, beside the value: on plain `f64`, certified in the double tier, and at 128 bits.
//!
//! `cargo bench --bench gradients` prints medians for the loss of a network 64 → 64 → 64 → 1 with tanh, 8,385 parameters,
//! in its parameters; the floor is the same network written by hand with loops over slices. Then the Hessian of Rosenbrock's
//! function of ten variables, and twenty derivatives of e^(sin x · cos x)/(1 + x²) in one run. `cargo bench --bench gradients -- peers` installs JAX and CasADi in a virtual environment of its own,
//! below `target`, and times them in the same run; they are timed whenever they are there. `-- integrals` and `-- loops` are those parts alone.

use smoothish::function::Function;
use smoothish::number::accuracy::PassOptions;
use smoothish::number::budget::Budget;
use smoothish::number::{Context, Double, Magnitude, Mpfr, Rational};
use smoothish::session::Session;
use smoothish::smooth::algebra::Algebra;
use smoothish::smooth::graph::{Binary, Graph, Variable};
use smoothish::smooth::hooks::HookedContext;
use smoothish::smooth::jet::Jet;
use smoothish::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use smoothish::smooth::program::CompiledMap;
use smoothish::smooth::tape::Tape;
use smoothish::trace::number::{CertifiedReals, Doubles};
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

const SIZES: [usize; 4] = [64, 64, 64, 1];

/// The median of runs, in microseconds, and what the last one gave.
fn timed<T>(runs: usize, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut times = Vec::with_capacity(runs);
    loop {
        let start = Instant::now();
        let result = black_box(run());
        times.push(start.elapsed().as_secs_f64() * 1e6);
        if times.len() == runs {
            times.sort_by(f64::total_cmp);
            return (times[runs / 2], result);
        }
    }
}

fn input(i: usize) -> f64 {
    ((i * 37 % 17) as f64 - 8.0) / 16.0
}

/// The square of the output, as a map of the parameters.
fn network(parameters: &[Variable]) -> Graph {
    let mut parameters = parameters.iter().map(|v| Graph::variable(*v));
    let exact = |i| Graph::rational(Rational::from_f64(input(i)).unwrap_or_default());
    let mut layer: Vec<_> = (0..SIZES[0]).map(exact).collect();
    for (number, size) in SIZES.iter().enumerate().skip(1) {
        let mut next = Vec::with_capacity(*size);
        for _ in 0..*size {
            let mut weight = || parameters.next().expect("as many as there are");
            let bias = weight();
            let products = layer.iter().map(|x| Graph::binary(Binary::Multiply, &weight(), x));
            let sum = products.fold(bias, |sum, product| Graph::binary(Binary::Add, &sum, &product));
            next.push(if number + 1 < SIZES.len() { Graph::function(Function::Tanh, &sum) } else { sum });
        }
        layer = next;
    }
    Graph::binary(Binary::Multiply, &layer[0], &layer[0])
}

/// The same by hand, forward and back.
fn by_hand(w: &[f64], gradient: &mut [f64], values: &mut [Vec<f64>], cotangents: &mut [Vec<f64>]) -> f64 {
    let mut offset = 0;
    for l in 1..SIZES.len() {
        let (before, after) = values.split_at_mut(l);
        let x = &before[l - 1];
        for (i, y) in after[0].iter_mut().enumerate() {
            let row = &w[offset + i * (x.len() + 1)..][..x.len() + 1];
            let mut lanes = [0.0; 8];
            for (a, b) in row[1..].chunks_exact(8).zip(x.chunks_exact(8)) {
                (0..8).for_each(|k| lanes[k] += a[k] * b[k]);
            }
            let sum = row[0] + lanes.iter().sum::<f64>();
            *y = if l + 1 < SIZES.len() { smoothish::number::double::eval_nearest(Function::Tanh, sum) } else { sum };
        }
        offset += SIZES[l] * (SIZES[l - 1] + 1);
    }
    let output = values[SIZES.len() - 1][0];
    cotangents[SIZES.len() - 1][0] = 2.0 * output;
    for l in (1..SIZES.len()).rev() {
        offset -= SIZES[l] * (SIZES[l - 1] + 1);
        let (before, after) = cotangents.split_at_mut(l);
        let (x, y) = (&values[l - 1], &values[l]);
        before[l - 1].fill(0.0);
        for (i, g) in after[0].iter().enumerate() {
            let g = if l + 1 < SIZES.len() { g * (1.0 - y[i] * y[i]) } else { *g };
            let place = offset + i * (x.len() + 1);
            let (row, out) = (&w[place..][..x.len() + 1], &mut gradient[place..][..x.len() + 1]);
            out[0] = g;
            out[1..].iter_mut().zip(x).for_each(|(out, x)| *out = g * x);
            before[l - 1].iter_mut().zip(&row[1..]).for_each(|(back, w)| *back += g * w);
        }
    }
    output * output
}

/// The Hessian of Rosenbrock's function, in microseconds, and the same enclosed.
fn valley() -> [f64; 2] {
    let variables: Vec<_> = (0..10).map(|_| Variable::fresh()).collect();
    let x: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let binary = |f, a: &Graph, b: &Graph| Graph::binary(f, a, b);
    let square = |a: &Graph| Graph::power(a, &Rational::from(2)).expect("a small exponent");
    let terms = x.windows(2).map(|two| {
        let bend = square(&binary(Binary::Subtract, &two[1], &square(&two[0])));
        let slope = square(&binary(Binary::Subtract, &Graph::integer(1), &two[0]));
        binary(Binary::Add, &binary(Binary::Multiply, &Graph::integer(100), &bend), &slope)
    });
    let sum = terms.reduce(|a, b| binary(Binary::Add, &a, &b)).expect("nine terms");
    let tape = Tape::compile_map(&variables, &[sum]).expect("no solver");
    let (mut hessians, mut enclosed) = (tape.hessian_tape(), tape.enclosed_hessians(Double).expect("no choice"));
    let point: [f64; 10] = std::array::from_fn(|i| 0.5 + 0.125 * i as f64);
    let mut hessian = [0.0; 100];
    // a hundred at once, since one is shorter than the clock's step
    let plain = timed(301, || (0..100).for_each(|_| hessians.hessian_at(black_box(&point), &mut hessian))).0 / 100.0;
    let certain =
        timed(301, || (0..100).for_each(|_| assert!(enclosed.enclose_at(black_box(&point)).is_some()))).0 / 100.0;
    [plain, certain]
}

/// The first twenty derivatives of e^(sin x · cos x)/(1 + x²), in microseconds.
fn derivatives() -> f64 {
    let variable = Variable::fresh();
    let x = Graph::variable(variable);
    let bent =
        Graph::binary(Binary::Multiply, &Graph::function(Function::Sin, &x), &Graph::function(Function::Cos, &x));
    let square = Graph::power(&x, &Rational::from(2)).expect("a small exponent");
    let below = Graph::binary(Binary::Add, &Graph::integer(1), &square);
    let f = Graph::binary(Binary::Divide, &Graph::function(Function::Exp, &bent), &below);
    let mut series = Tape::compile_map(&[variable], &[f]).expect("no solver").taylor_series(20);
    let mut coefficients = [0.0; 21];
    timed(301, || (0..100).for_each(|_| series.expand_along(black_box(&[0.3]), &[1.0], &mut coefficients))).0 / 100.0
}

/// What other systems take, where they are installed.
fn peers() -> std::io::Result<()> {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    let python = folder.join("bin/python");
    if std::env::args().any(|argument| argument == "peers") && !python.exists() {
        Command::new("python3").args(["-m", "venv"]).arg(&folder).status()?;
        Command::new(&python).args(["-m", "pip", "-q", "install", "jax==0.10.2", "casadi==3.8.2"]).status()?;
    }
    if python.exists() {
        Command::new(&python).args(["-c", include_str!("peers/gradients.py")]).status()?;
    }
    Ok(())
}

fn certified<C: HookedContext>(context: &C, program: &CompiledMap, point: &[f64], runs: usize) -> (f64, f64) {
    let budget = Budget::unlimited();
    let effort = PassOptions::new(Magnitude::power_of_two(-40), &budget);
    let real = Algebra::real();
    let machine = JetEvaluator::new(context, &effort, &real, program);
    let at: Vec<_> = point
        .iter()
        .map(|x| Jet::constant(context.enclose_rational(&Rational::from_f64(*x).unwrap_or_default())))
        .collect();
    let run =
        || machine.eval_block(&program.root, &real, &at, &[], &mut BranchDecisions::default(), EvalTarget::Outputs);
    let (time, found) = timed(runs, run);
    let widths = found.expect("no promise is broken").into_iter().map(|jet| {
        let e = context.to_enclosure(&jet.get(0).cloned().unwrap_or_else(|| context.enclose_integer(0)));
        if e.is_defined() { e.hi().to_f64() - e.lo().to_f64() } else { f64::INFINITY }
    });
    (time, widths.fold(0.0, f64::max))
}

/// Newton's square root, so many times by a counter: value and derivative by instructions and a tape.
fn loops() {
    let newton = |turns: u64| {
        let text = format!(
            "let rec newton (n : Real) (x : Real) (a : Real) : Real = \
               if n < 1/2 then x else newton (n - 1) ((x + a / x) / 2) a in \
             newton {turns} 1"
        );
        Session::new().compile_partial(&text).expect("a program of the core language")
    };
    let budget = Budget::unlimited();
    let million = newton(1_000_000);
    let (value, _) = timed(9, || million.value_at(&Doubles, &budget, &[2.0]).expect("defined"));
    let (reverse, found) = timed(9, || million.pull_back_at(&Doubles, &budget, &[2.0], &[1.0]).expect("defined"));
    println!(
        "loop of 10⁶ turns, f64: value {:.1} ms, derivative {:.1} ms; {} and {}",
        value / 1e3,
        reverse / 1e3,
        found[0][0],
        found[1][0]
    );
    let thousands = newton(100_000);
    let numbers = CertifiedReals(Double);
    let (two, one) = (Double.enclose_integer(2), Double.enclose_integer(1));
    let run = || thousands.pull_back_at(&numbers, &budget, std::slice::from_ref(&two), std::slice::from_ref(&one));
    let (reverse, found) = timed(9, || run().expect("defined"));
    let e = Double.to_enclosure(&found[1][0]);
    println!("loop of 10⁵ turns, enclosures of doubles: derivative {:.1} ms; [{}, {}]", reverse / 1e3, e.lo(), e.hi());
    let numbers = CertifiedReals(Mpfr::new(128));
    let (two, one) = (numbers.0.enclose_integer(2), numbers.0.enclose_integer(1));
    let run = || thousands.pull_back_at(&numbers, &budget, std::slice::from_ref(&two), std::slice::from_ref(&one));
    let (reverse, _) = timed(3, || run().expect("defined"));
    println!("loop of 10⁵ turns, 128 bits: derivative {:.1} ms", reverse / 1e3);
}

/// The gradient of `∫₀¹ exp (Σ cₖ·sin (t + k)) dt` in so many c, beside its value and its slopes one after the other.
fn integrals(count: i64) {
    let variables: Vec<_> = (0..count).map(|_| Variable::fresh()).collect();
    let t = Variable::fresh();
    let wave = |(k, c): (i64, &Variable)| {
        let angle = Graph::binary(Binary::Add, &Graph::integer(k), &Graph::variable(t));
        Graph::binary(Binary::Multiply, &Graph::variable(*c), &Graph::function(Function::Sin, &angle))
    };
    let sum = (1..).zip(&variables).map(wave).reduce(|a, b| Graph::binary(Binary::Add, &a, &b)).expect("some");
    let map = Graph::integral(t, Graph::function(Function::Exp, &sum));
    let at: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let point: Vec<_> = (0..count).map(|k| (k * 7 % 11 - 5) as f64 / (16 * (k + 1)) as f64).collect();
    let alone = Graph::binary(Binary::Add, &map, &Graph::integer(0));
    let columns: Vec<_> =
        (0..at.len()).map(|i| Graph::partial(variables.clone(), alone.clone(), at.clone(), i)).collect();
    let gradient = Graph::reverse_mode(&variables, std::slice::from_ref(&map), &at, &[Graph::integer(1)]);
    let [value, all, one_by_one] = [vec![map], gradient, columns]
        .map(|outputs| certified(&Double, &CompiledMap::compile(&variables, &outputs), &point, 11).0 / 1e3);
    println!(
        "integral of {count} numbers, double: value {value:.1} ms, gradient {all:.1} ms; one after the other {one_by_one:.1} ms"
    );
}

fn main() {
    if std::env::args().any(|argument| argument == "loops") {
        return loops();
    }
    if std::env::args().any(|argument| argument == "integrals") {
        return [2, 10, 50].into_iter().for_each(integrals);
    }
    let count: usize = SIZES.windows(2).map(|two| (two[0] + 1) * two[1]).sum();
    let parameters: Vec<_> = (0..count).map(|_| Variable::fresh()).collect();
    let point: Vec<_> = (0..count).map(|i| ((i * 7919 % 1009) as f64 - 504.0) / 4096.0).collect();
    let (build, graph) = timed(5, || network(&parameters));
    let (lower, mut tape) =
        timed(5, || Tape::compile_map(&parameters, std::slice::from_ref(&graph)).expect("no solver"));
    let at: Vec<_> = parameters.iter().map(|v| Graph::variable(*v)).collect();
    let (reverse, adjoint) =
        timed(5, || Graph::reverse_mode(&parameters, std::slice::from_ref(&graph), &at, &[Graph::integer(1)]));
    let (compile, program) = timed(5, || CompiledMap::compile(&parameters, &adjoint));
    println!("{count} parameters, {} operations on the tape", tape.operation_count());
    println!("graph {build:.0} µs, tape {lower:.0} µs; adjoint {reverse:.0} µs, compiled {compile:.0} µs");

    let (mut value, mut gradient, mut expected) = ([0.0], vec![0.0; count], vec![0.0; count]);
    let (values, _) = timed(301, || tape.value(&point, &mut value));
    let (gradients, _) = timed(301, || tape.gradient(&point, &mut gradient));
    let mut memory: [Vec<Vec<f64>>; 2] = std::array::from_fn(|_| SIZES.iter().map(|n| vec![0.0; *n]).collect());
    (0..SIZES[0]).for_each(|i| memory[0][0][i] = input(i));
    let [layers, back] = &mut memory;
    let (hand, _) = timed(301, || by_hand(&point, &mut expected, layers, back));
    let worst = gradient.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!(
        "f64: value {values:.1} µs, gradient {gradients:.1} µs; by hand {hand:.1} µs, largest difference {worst:.1e}"
    );
    let [plain, certain] = valley();
    println!("Hessian of Rosenbrock's function: f64 {plain:.2} µs, enclosed {certain:.2} µs");
    println!("f64: twenty derivatives in one run {:.2} µs", derivatives());
    let mut swift = tape.to_certified(Double);
    let (alone, _) = timed(301, || swift.value_at(&point).expect("smooth"));
    let (time, found) = timed(301, || swift.vjp_at(&point, &[1.0]).expect("smooth"));
    let width = found.iter().map(|e| e.hi() - e.lo()).fold(0.0, f64::max);
    println!("tape of enclosures, double: value {alone:.0} µs, gradient {time:.0} µs, widest {width:.1e}");
    let mut swift = tape.to_certified(Mpfr::new(128));
    let (alone, _) = timed(21, || swift.value_at(&point).expect("smooth"));
    let (time, _) = timed(21, || swift.vjp_at(&point, &[1.0]).expect("smooth"));
    println!("tape of enclosures, 128 bits: value {alone:.0} µs, gradient {time:.0} µs");
    let value = CompiledMap::compile(&parameters, &[graph]);
    for (name, [alone, (time, width)]) in [
        ("double", [certified(&Double, &value, &point, 51), certified(&Double, &program, &point, 51)]),
        (
            "128 bits",
            [certified(&Mpfr::new(128), &value, &point, 11), certified(&Mpfr::new(128), &program, &point, 11)],
        ),
    ] {
        println!("{name}: value {:.0} µs, certified gradient {time:.0} µs, widest {width:.1e}", alone.0);
    }
    [2, 10, 50].into_iter().for_each(integrals);
    loops();
    if let Err(error) = peers() {
        println!("no peers: {error}");
    }
}
