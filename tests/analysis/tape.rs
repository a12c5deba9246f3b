//! Maps on plain `f64`, against the enclosures of the same maps.

use smoothish::law::graphs::Graphs;
use smoothish::number::budget::Budget;
use smoothish::number::real::Real;
use smoothish::number::{Enclosure, Rational};
use smoothish::random::Random;
use smoothish::smooth::graph::{Binary, Graph, Guard, Unary, Variable};
use smoothish::smooth::map::{Map, coordinates};
use smoothish::smooth::tape::Tape;
use typenum::{U1, U2, U3};

fn enclosed(g: &Graph) -> Option<Enclosure> {
    let eps = Rational::from((1, 1_000_000_000_000u64));
    let found = Real::new(g.evaluation().ok()?).enclose(&eps, &Budget::new(2_000_000, None, None)).ok()?;
    // beyond that, squares are too large for doubles
    let fits = |e: &Enclosure| e.lo().to_f64().abs().max(e.hi().to_f64().abs()) < 1e100;
    Some(found.enclosure).filter(|e| e.is_defined() && fits(e))
}

/// Whether a double is as near to the numbers of an enclosure as rounding may leave it.
fn is_near(x: f64, e: &Enclosure) -> bool {
    let (lo, hi) = (e.lo().to_f64(), e.hi().to_f64());
    let slack = 1e-8 * (1.0 + lo.abs().max(hi.abs()));
    lo - slack <= x && x <= hi + slack
}

#[test]
fn values_and_gradients_are_those_of_the_map() {
    let (mut values, mut slopes, mut kinked, mut moving, mut overflows) = (0, 0, 0, 0, 0);
    for seed in 0..4_000 {
        let mut random = Random::new(seed);
        let variables: Vec<_> = (0..1 + random.below(4)).map(|_| Variable::fresh()).collect();
        let graphs = Graphs { derivatives: seed as usize % 3, edges: seed % 2 == 0 };
        let graph = graphs.draw(&mut random, &variables, 3 + seed as usize % 14);
        let point: Vec<_> = variables.iter().map(|_| random.below(17) as f64 / 4.0 - 2.0).collect();
        let at: Vec<_> = point.iter().map(|x| Graph::rational(Rational::from_f64(*x).unwrap())).collect();
        let mut tape = Tape::of(&variables, std::slice::from_ref(&graph)).unwrap();
        let mut gradient = vec![0.0; variables.len()];
        let value = tape.gradient(&point, &mut gradient);
        let bindings: Vec<_> = variables.iter().copied().zip(at.iter().cloned()).collect();
        let Some(expected) = enclosed(&graph.substitute(&bindings)) else { continue };
        // what is computed on the way may be too large for a double
        if !value.is_finite() || !gradient.iter().all(|slope| slope.is_finite()) {
            overflows += 1;
            continue;
        }
        values += 1;
        assert!(is_near(value, &expected), "{seed}: {value}, not {expected:?}");
        let one = [Graph::integer(1)];
        for (slope, expected) in
            gradient.iter().zip(Graph::reverse(&variables, std::slice::from_ref(&graph), &at, &one))
        {
            let Some(expected) = enclosed(&expected) else { continue };
            slopes += 1;
            kinked += usize::from(expected.lo().to_f64() + 1e-6 < expected.hi().to_f64());
            moving += usize::from(!expected.contains(&Rational::new()));
            assert!(is_near(*slope, &expected), "{seed}: {slope}, not {expected:?}");
        }
    }
    assert!(overflows * 40 < values, "{overflows} of {values}");
    assert!(values > 1_500 && slopes > 3_500 && moving > 800 && kinked > 15, "{values} {slopes} {moving} {kinked}");
}

#[test]
fn sums_of_products_are_one_operation() {
    // a layer: tanh (Wx + b), and the sum of the squares
    let (n, m) = (37, 23);
    let variables: Vec<_> = (0..(n + 1) * m).map(|_| Variable::fresh()).collect();
    let inputs: Vec<_> = (0..n).map(|i| Rational::from((i as i64 * 7 % 11 - 5, 8))).collect();
    let mut parameters = variables.iter().map(|v| Graph::variable(*v));
    let layer: Vec<_> = (0..m)
        .map(|_| {
            let bias = parameters.next().unwrap();
            let products = inputs
                .iter()
                .map(|x| Graph::binary(Binary::Multiply, &parameters.next().unwrap(), &Graph::rational(x.clone())));
            let sum = products.fold(bias, |sum, product| Graph::binary(Binary::Add, &sum, &product));
            Graph::function(smoothish::function::Function::Tanh, &sum)
        })
        .collect();
    let squares = layer.iter().map(|y| Graph::binary(Binary::Multiply, y, y));
    let loss = squares.reduce(|sum, square| Graph::binary(Binary::Add, &sum, &square)).unwrap();
    let mut tape = Tape::of(&variables, &[loss]).unwrap();
    // a sum and a function for each neuron, and the last sum
    assert_eq!((tape.inputs(), tape.outputs(), tape.operations()), ((n + 1) * m, 1, 2 * m + 1));
    let point: Vec<_> = (0..variables.len()).map(|i| (i * 7919 % 1009) as f64 / 1009.0 - 0.5).collect();
    let mut gradient = vec![0.0; point.len()];
    let value = tape.gradient(&point, &mut gradient);
    // by hand
    let mut expected = 0.0;
    for (row, found) in point.chunks(n + 1).zip(gradient.chunks(n + 1)) {
        let xs: Vec<_> = inputs.iter().map(Rational::to_f64).collect();
        let y = (row[0] + row[1..].iter().zip(&xs).map(|(w, x)| w * x).sum::<f64>()).tanh();
        expected += y * y;
        let slope = 2.0 * y * (1.0 - y * y);
        assert!((found[0] - slope).abs() < 1e-12);
        assert!(found[1..].iter().zip(&xs).all(|(g, x)| (g - slope * x).abs() < 1e-12));
    }
    assert!((value - expected).abs() < 1e-12);
}

#[test]
fn ties_take_the_first_side_and_a_border_the_second() {
    let [x, y] = coordinates::<U2, 2>();
    let both: Map<U2, U1> = x.max(&y);
    let mut gradient = [0.0; 2];
    assert_eq!(both.tape().unwrap().gradient(&[1.0, 1.0], &mut gradient), 1.0);
    assert_eq!(gradient, [1.0, 0.0]);
    assert!(both.tape().unwrap().gradient(&[f64::NAN, 1.0], &mut gradient).is_nan());
    let v = Variable::fresh();
    let x = Graph::variable(v);
    let guard = Guard::positive(&x);
    // the side that is not taken has no value, and does not matter
    let choice = Graph::select(
        &guard,
        &Graph::function(smoothish::function::Function::Log, &x),
        &Graph::unary(Unary::Negate, &x),
    );
    let mut tape = Tape::of(&[v], &[choice]).unwrap();
    let mut slope = [0.0];
    for (at, value, expected) in [(1.0, 0.0, 1.0), (-3.0, 3.0, -1.0), (0.0, 0.0, -1.0)] {
        assert_eq!((tape.gradient(&[at], &mut slope), slope), (value, [expected]));
    }
}

#[test]
fn derivatives_inside_are_written_out() {
    let [x, y, z] = coordinates::<U3, 3>();
    let f: Map<U3, U1> = x.clone() * y.sin() * z.exp();
    // the gradient of the squared length of the gradient
    let gradient = f.gradient();
    let parts = gradient.tape().unwrap();
    assert_eq!(parts.outputs(), 3);
    let mut tape = f.hessian().tape().unwrap();
    let mut found = [0.0; 3];
    tape.value(&[2.0, 0.5, 0.1, 1.0, 10.0, 100.0], &mut found);
    let (s, c, e) = (0.5_f64.sin(), 0.5_f64.cos(), 0.1_f64.exp());
    let expected =
        [10.0 * c * e + 100.0 * s * e, c * e - 20.0 * s * e + 200.0 * c * e, s * e + 20.0 * c * e + 200.0 * s * e];
    assert!(
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-11),
        "{found:?} {expected:?}"
    );
}

#[test]
fn solvers_have_no_tape() {
    let v = Variable::fresh();
    let t = Variable::fresh();
    let integral = Graph::integral(t, Graph::binary(Binary::Multiply, &Graph::variable(t), &Graph::variable(v)));
    let error = Tape::of(&[v], &[integral]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "an integral, a root or an optimum is not computed in plain f64; ask for an enclosure by `doubles_slice` or `vjp`"
    );
}
