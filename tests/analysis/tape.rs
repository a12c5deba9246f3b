//! Maps on plain `f64`, against the enclosures of the same maps.

use smoothish::function::{Function, SpecialId};
use smoothish::law::gradient;
use smoothish::law::graphs::GraphGenerator;
use smoothish::number::budget::Budget;
use smoothish::number::real::RefinableReal;
use smoothish::number::{Context, Double, Enclosure, Mpfr, Rational};
use smoothish::random::SplitMix64;
use smoothish::smooth::graph::{Binary, Graph, Guard, Unary, Variable};
use smoothish::smooth::map::{Map, coordinates};
use smoothish::smooth::tape::Tape;
use smoothish::verdict::Verdict;
use typenum::{U1, U2, U3, U4, U10};

#[path = "../../examples/training.rs"]
#[expect(dead_code, reason = "an example, of which some parts are tried")]
mod training;

fn enclosed(g: &Graph) -> Option<Enclosure> {
    let eps = Rational::from((1, 1_000_000_000_000u64));
    let found =
        RefinableReal::new(g.compile_evaluation().ok()?).enclose(&eps, &Budget::new(2_000_000, None, None)).ok()?;
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
        let mut random = SplitMix64::new(seed);
        let variables: Vec<_> = (0..1 + random.next_below(4)).map(|_| Variable::fresh()).collect();
        let graphs = GraphGenerator { derivative_depth: seed as usize % 3, has_kinks: seed % 2 == 0 };
        let graph = graphs.draw_graph(&mut random, &variables, 3 + seed as usize % 14);
        let point: Vec<_> = variables.iter().map(|_| random.next_below(17) as f64 / 4.0 - 2.0).collect();
        let at: Vec<_> = point.iter().map(|x| Graph::rational(Rational::from_f64(*x).unwrap())).collect();
        let mut tape = Tape::compile_map(&variables, std::slice::from_ref(&graph)).unwrap();
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
            gradient.iter().zip(Graph::reverse_mode(&variables, std::slice::from_ref(&graph), &at, &one))
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

/// The gradient of a map by its adjoint as a graph, to within 1e-25; ⊥ where that is not found.
fn reference(variables: &[Variable], graph: &Graph, at: &[Graph]) -> Vec<Enclosure> {
    let eps = Rational::from((1, 10_000_000_000_000u64)).square() * Rational::from(10);
    let found = Graph::reverse_mode(variables, std::slice::from_ref(graph), at, &[Graph::integer(1)]);
    let enclosed = |g: &Graph| {
        RefinableReal::new(g.compile_evaluation().ok()?).enclose(&eps, &Budget::new(2_000_000, None, None)).ok()
    };
    found.iter().map(|g| enclosed(g).map_or_else(Enclosure::bottom, |answer| answer.enclosure)).collect()
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
    let mut tape = Tape::compile_map(&variables, &[loss]).unwrap();
    // a sum and a function for each neuron, and the last sum
    assert_eq!((tape.input_count(), tape.output_count(), tape.operation_count()), ((n + 1) * m, 1, 2 * m + 1));
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
    let mut tape = Tape::compile_map(&[v], &[choice]).unwrap();
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
    assert_eq!(parts.output_count(), 3);
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
    let error = Tape::compile_map(&[v], &[integral]).unwrap_err();
    assert_eq!(error.to_string(), "an integral, a root or an optimum has no value in plain f64: ask for an enclosure");
}

#[test]
fn a_batch_is_the_sum_over_its_rows() {
    let [a, b, x] = coordinates::<U3, 3>();
    let error: Map<U3, U1> = (a * x.clone() + b - x.powi(3)).powi(2);
    let mut tape = error.tape().unwrap();
    let rows = [0.5, -1.0, 2.0];
    let mut gradient = [0.0; 2];
    let sum = tape.batch_gradient(&[1.5, 0.25], &rows, &mut gradient);
    let mut expected = [0.0; 3];
    for x in rows {
        let residual = 1.5 * x + 0.25 - x * x * x;
        expected[0] += residual * residual;
        expected[1] += 2.0 * residual * x;
        expected[2] += 2.0 * residual;
    }
    let found = [sum, gradient[0], gradient[1]];
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}, not {expected:?}");
}

/// Where all inputs are parameters there is nothing left for a row: numbers in rows are refused as rows that are not whole.
#[test]
#[should_panic(expected = "rows of another length")]
fn rows_without_inputs_are_refused() {
    let [a, b] = coordinates::<U2, 2>();
    let mut tape = (a * b).tape().unwrap();
    let mut gradient = [0.0; 2];
    assert_eq!(tape.batch_gradient(&[1.5, 0.25], &[], &mut gradient), 0.0);
    tape.batch_gradient(&[1.5, 0.25], &[1.0], &mut gradient);
}

#[test]
fn gradients_of_maps_are_enclosures_at_any_precision() {
    let [x, y] = coordinates::<U2, 2>();
    let f: Map<U2, U1> = (x.clone() * y.exp()).sin() + x.max(&y);
    let point = [Rational::from((1, 2)), Rational::from((1, 4))];
    // by mpmath: exp(y) cos(x exp y) + 1, x exp(y) cos(x exp y)
    let expected = ["2.028365881512335", "0.5141829407561674"];
    let eps = Rational::from((1, 1u64 << 60)) >> 90;
    let answers = f.gradient_at(&point, &eps, &Budget::unlimited()).unwrap();
    assert!(
        answers.all_reached() && answers.components.iter().all(|a| a.bits > 128 && a.enclosure.has_width_at_most(&eps))
    );
    let doubles = f.gradient_enclosures(&[0.5, 0.25]).unwrap();
    for ((answer, double), expected) in answers.components.iter().zip(&doubles).zip(expected) {
        let near = |x: f64| (x - expected.parse::<f64>().unwrap()).abs() < 1e-14;
        assert!(near(answer.enclosure.lo().to_f64()) && near(*double.lo()) && near(*double.hi()), "{answer:?}");
        assert!(Double.to_enclosure(double).contains_enclosure(&answer.enclosure));
    }
    // beside a kink, at it, and where there is no derivative
    let [x, _] = coordinates::<U2, 2>();
    let root: Map<U2, U1> = x.abs().sqrt();
    assert!(!root.gradient_enclosures(&[0.0, 1.0]).unwrap()[0].is_defined());
    assert!(
        !root.gradient_at(&[Rational::new(), Rational::from(1)], &eps, &Budget::unlimited()).unwrap().all_reached()
    );
    let slope = &root.gradient_enclosures(&[-0.25, 1.0]).unwrap()[0];
    assert!(*slope.lo() <= -1.0 && -1.0 <= *slope.hi());
    // with a solver the adjoint is run
    let [c, t] = [Map::<(U1, U1), U1>::first(), Map::second()];
    let slope = &(t - c).relu().integral01().gradient_enclosures(&[0.6]).unwrap()[0];
    assert!(*slope.lo() <= -0.4 && -0.4 <= *slope.hi() && slope.hi() - slope.lo() < 1e-9);
}

#[test]
fn a_trained_network_has_a_gradient_that_is_certified() {
    for seed in 1..4 {
        let trained = training::train(seed, 150, |_, _| {}).unwrap();
        assert!(trained.right >= 0.95, "{seed}: {}", trained.right);
        assert!(trained.losses[149] < trained.losses[0] / 10.0);
        for (slope, certified) in trained.gradient.iter().zip(&trained.certified) {
            assert!(certified.is_defined() && certified.hi() - certified.lo() < 1e-11);
            // a sum of 200 rows on plain doubles, each off by a few units in the last place
            assert!(certified.lo() - 1e-13 < *slope && *slope < certified.hi() + 1e-13, "{slope}, not {certified:?}");
        }
    }
}

#[test]
fn rows_end_where_constants_do() {
    // the constants, and behind them a number that varies, stand in a row beside the inputs
    let [a, b, c, d] = coordinates::<U4, 4>();
    let constant = |n: i64| Map::<U4, U1>::constant([Rational::from(n)]);
    let f = a.clone() * constant(2) + b * constant(3) + c * constant(5) + d * a.sin();
    let mut gradient = [0.0; 4];
    f.tape().unwrap().gradient(&[0.0, 1.0, 1.0, 4.0], &mut gradient);
    assert_eq!(gradient, [6.0, 3.0, 5.0, 0.0]);
    let certified = f.gradient_enclosures(&[0.0, 1.0, 1.0, 4.0]).unwrap();
    assert!(certified.iter().zip(gradient).all(|(e, slope)| *e.lo() <= slope && slope <= *e.hi()), "{certified:?}");
    // the same data in several sums, with numbers that occur twice
    let rows = [[1, 1, 2, 2], [1, 1, 2, 2], [3, 1, 3, 1]];
    let all = coordinates::<U4, 4>();
    let sum = |row: [i64; 4]| {
        let products = row.into_iter().zip(&all).map(|(n, x)| x.clone() * constant(n));
        products.reduce(|sum, product| sum + product).unwrap().sin()
    };
    let f = rows.map(sum).into_iter().reduce(|a, b| a + b).unwrap();
    let x = [0.25, -0.5, 0.125, 1.0];
    let mut gradient = [0.0; 4];
    f.tape().unwrap().gradient(&x, &mut gradient);
    for (i, slope) in gradient.into_iter().enumerate() {
        let row = |row: [i64; 4]| row[i] as f64 * row.iter().zip(x).map(|(n, x)| *n as f64 * x).sum::<f64>().cos();
        assert!((slope - rows.map(row).iter().sum::<f64>()).abs() < 1e-14);
    }
}

#[test]
fn second_derivatives_are_those_of_the_map() {
    let (mut compared, mut moving) = (0, 0);
    for seed in 0..1_500 {
        let mut random = SplitMix64::new(seed);
        let variables: Vec<_> = (0..1 + random.next_below(3)).map(|_| Variable::fresh()).collect();
        let graphs = GraphGenerator { derivative_depth: seed as usize % 2, has_kinks: false };
        let mut graph = graphs.draw_graph(&mut random, &variables, 3 + seed as usize % 12);
        if seed % 3 == 0 {
            let factors: Vec<_> = (0..8).map(|_| graphs.draw_graph(&mut random, &variables, 3)).collect();
            let products = factors.chunks(2).map(|two| Graph::binary(Binary::Multiply, &two[0], &two[1]));
            graph = products.fold(graph, |sum, product| Graph::binary(Binary::Add, &sum, &product));
        }
        let point: Vec<_> = variables.iter().map(|_| random.next_below(65) as f64 / 16.0 - 2.03125).collect();
        let v: Vec<_> = variables.iter().map(|_| random.next_below(9) as f64 - 4.0).collect();
        let exact = |x: &f64| Graph::rational(Rational::from_f64(*x).unwrap());
        let [at, along] = [&point, &v].map(|x| x.iter().map(exact).collect::<Vec<_>>());
        let n = variables.len();
        let mut hessians = Tape::compile_map(&variables, std::slice::from_ref(&graph)).unwrap().hessian_tape();
        let (mut hessian, mut product) = (vec![0.0; n * n], vec![0.0; n]);
        hessians.hessian_at(&point, &mut hessian);
        hessians.hessian_times(&point, &v, &mut product);
        // forward over the gradient as a graph
        let own: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
        let gradient = Graph::reverse_mode(&variables, std::slice::from_ref(&graph), &own, &[Graph::integer(1)]);
        for (i, component) in gradient.into_iter().enumerate() {
            let slope = Graph::derivative(variables.clone(), component, at.clone(), along.clone());
            let Some(expected) = enclosed(&slope) else { continue };
            let row: f64 = hessian[n * i..][..n].iter().zip(&v).map(|(h, v)| h * v).sum();
            let scale = hessian.iter().fold(1.0, |top: f64, h| top.max(h.abs()));
            if !product[i].is_finite() || !row.is_finite() || !scale.is_finite() {
                continue;
            }
            compared += 1;
            moving += usize::from(!expected.contains(&Rational::new()));
            for found in [product[i], row] {
                let shift = Rational::from_f64(1e-9 * scale).unwrap();
                let near = [expected.lo().to_f64() - shift.to_f64(), expected.hi().to_f64() + shift.to_f64()];
                assert!(
                    is_near(found, &expected) || (near[0] <= found && found <= near[1]),
                    "{seed}: {found}, not {expected:?}"
                );
            }
        }
    }
    println!("{compared} compared, {moving} not 0");
    assert!(compared > 1_000 && moving > 500, "{compared} {moving}");
}

#[test]
fn the_hessian_of_a_valley() {
    // Rosenbrock's function of ten variables, by hand
    let x = coordinates::<U10, 10>();
    let one = || Map::<U10, U1>::constant([Rational::from(1)]);
    let hundred = || Map::<U10, U1>::constant([Rational::from(100)]);
    let terms = x
        .windows(2)
        .map(|two| hundred() * (two[1].clone() - two[0].powi(2)).powi(2) + (one() - two[0].clone()).powi(2));
    let f = terms.reduce(|a, b| a + b).unwrap();
    let point: [f64; 10] = std::array::from_fn(|i| 0.5 + 0.125 * i as f64);
    let mut found = [0.0; 100];
    f.tape().unwrap().hessian_tape().hessian_at(&point, &mut found);
    let mut expected = [0.0; 100];
    for i in 0..9 {
        expected[11 * i] += 1200.0 * point[i] * point[i] - 400.0 * point[i + 1] + 2.0;
        expected[11 * (i + 1)] += 200.0;
        expected[11 * i + 1] = -400.0 * point[i];
        expected[11 * i + 10] = -400.0 * point[i];
    }
    assert_eq!(found, expected);
}

/// What a map of one number answers at a point: by a tape where it can, and whether anything is claimed.
fn claimed(f: &Map<U1, U1>, x: f64) -> Option<(f64, f64)> {
    let slope = &f.gradient_enclosures(&[x]).unwrap()[0];
    slope.is_defined().then(|| (*slope.lo(), *slope.hi()))
}

#[test]
fn a_root_without_a_slope_is_no_part_of_a_smooth_map() {
    let root = Map::<U1, U1>::id().apply_function(smoothish::function::Function::Cbrt);
    for f in [
        root.clone() * root.clone(),
        root.powi(2),
        // this is x, and its slope at 0 is 1; but cbrt has none there
        root.powi(3),
        root.clone() * root.clone() * root.clone(),
        root.clone() * root.sin(),
        root.cos(),
    ] {
        assert_eq!(claimed(&f, 0.0), None, "{f}");
        let (lo, hi) = claimed(&f, 8.0).unwrap();
        assert!(lo <= hi && hi - lo < 1e-12, "{f}");
        let answers = f.gradient_at(&[Rational::new()], &Rational::from((1, 1000)), &Budget::unlimited()).unwrap();
        assert!(!answers.all_reached(), "{f}");
    }
    // the derivative of a root, times 0
    let [t, v] = [Variable::fresh(), Variable::fresh()];
    let x = Graph::variable(v);
    let body = Graph::function(smoothish::function::Function::Cbrt, &Graph::variable(t));
    let still = Graph::derivative(vec![t], body, vec![x.clone()], vec![Graph::integer(0)]);
    let sum = Graph::binary(Binary::Add, &still, &x);
    assert!(Tape::compile_map(&[v], &[sum]).unwrap().to_certified(Double).vjp_at(&[0.0], &[1.0]).is_none());
}

#[test]
fn derivatives_inside_derivatives_are_not_written_out_for_enclosures() {
    let x = Map::<U1, U1>::id();
    let f = (x.clone() * x.sin()).exp().nth_derivative(12);
    let eps = Rational::from((1, 1000));
    let answers = f.gradient_at(&[Rational::from((1, 2))], &eps, &Budget::new(20_000_000, None, None)).unwrap();
    assert!(answers.all_reached());
}

#[test]
fn any_exponent_has_a_slope_on_a_tape() {
    for (p, q) in [(-1_000_000, 1), (-1_000_000, 3), (1_000_000, 999_999), (-999_999, 1_000_000), (1, 2)] {
        let (t, v) = (Variable::fresh(), Variable::fresh());
        let power = Graph::power(&Graph::variable(t), &Rational::from((p, q))).unwrap();
        let slope = Graph::derivative(vec![t], power, vec![Graph::variable(v)], vec![Graph::integer(1)]);
        let mut found = [0.0];
        Tape::compile_map(&[v], &[slope]).unwrap().value(&[1.0], &mut found);
        assert!((found[0] - f64::from(p) / f64::from(q)).abs() < 1e-9, "{p}/{q}: {found:?}");
    }
}

#[test]
fn points_of_another_precision_are_taken_to_that_of_the_tape() {
    let variables: Vec<_> = (0..5).map(|_| Variable::fresh()).collect();
    let graphs: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let products = graphs.windows(2).map(|two| Graph::binary(Binary::Multiply, &two[0], &two[1]));
    let total = products.reduce(|a, b| Graph::binary(Binary::Add, &a, &b)).unwrap();
    let tape = Tape::compile_map(&variables, &[graphs[0].clone(), total]).unwrap();
    let (coarse, fine) = (Mpfr::new(53), Mpfr::new(200));
    let tiny = Rational::from(1) >> 92u32;
    let one = Rational::from(1);
    let point: Vec<_> = [&one, &tiny, &one, &one, &one].into_iter().map(|x| coarse.enclose_rational(x)).collect();
    let w = [coarse.enclose_rational(&one), coarse.enclose_rational(&one)];
    let found = tape.to_certified(fine).vjp(&point, &w).unwrap();
    assert!(fine.to_enclosure(&found[0]).contains(&(one + tiny)));
}

#[test]
fn a_budget_keeps_what_was_found() {
    let [x, y] = coordinates::<U2, 2>();
    let f: Map<U2, U1> = (x.clone() * y.exp()).sin() + x * y;
    let point = [Rational::from((1, 3)), Rational::from((1, 7))];
    let eps = Rational::from(1) >> 262u32;
    let mut widths = Vec::new();
    for work in [50, 150, 100_000] {
        let answers = f.gradient_at(&point, &eps, &Budget::new(work, None, None)).unwrap();
        widths.push(answers.components[0].enclosure.width());
    }
    assert!(widths.windows(2).all(|two| two[1] <= two[0]) && widths[1].is_finite(), "{widths:?}");
    assert!(widths[2] <= smoothish::number::Magnitude::power_of_two(-262));
    assert!(f.gradient_at(&point, &Rational::new(), &Budget::unlimited()).is_err());
    let variable = Variable::fresh();
    let mut tape = Tape::compile_map(&[variable], &[Graph::variable(variable)]).unwrap().to_certified(Double);
    assert!([f64::NAN, f64::INFINITY].iter().all(|x| tape.vjp_at(&[*x], &[1.0]).is_none()));
}

/// x as a fraction of a power of two.
fn exact(x: f64) -> Rational {
    Rational::from_f64(x).unwrap()
}

#[test]
fn a_series_has_the_derivatives_along_its_line() {
    let (mut compared, mut curved, mut gradients) = (0, 0, 0);
    for seed in 0..1_500 {
        let mut random = SplitMix64::new(seed);
        let variables: Vec<_> = (0..1 + random.next_below(3)).map(|_| Variable::fresh()).collect();
        let graphs = GraphGenerator { derivative_depth: seed as usize % 2, has_kinks: false };
        let graph = graphs.draw_graph(&mut random, &variables, 3 + seed as usize % 10);
        let numbers = |random: &mut SplitMix64| -> Vec<f64> {
            variables.iter().map(|_| random.next_below(17) as f64 / 8.0 - 1.0).collect()
        };
        let (point, direction) = (numbers(&mut random), numbers(&mut random));
        let mut series = Tape::compile_map(&variables, std::slice::from_ref(&graph)).unwrap().taylor_series(4);
        let (mut found, mut gradient) = ([0.0; 5], vec![0.0; 5 * variables.len()]);
        series.expand_along(&point, &direction, &mut found);
        series.gradient_along(&point, &direction, &mut gradient);
        // the reference: nested derivatives of t ↦ f(x + t·v), enclosed
        let t = Variable::fresh();
        let on_line = |x: &f64, v: &f64| {
            let moved = Graph::binary(Binary::Multiply, &Graph::rational(exact(*v)), &Graph::variable(t));
            Graph::binary(Binary::Add, &Graph::rational(exact(*x)), &moved)
        };
        let line: Vec<_> = point.iter().zip(&direction).map(|(x, v)| on_line(x, v)).collect();
        let bindings: Vec<_> = variables.iter().copied().zip(line.iter().cloned()).collect();
        let seeds = [Graph::integer(1)];
        let partials = Graph::reverse_mode(&variables, std::slice::from_ref(&graph), &line, &seeds);
        let rows = std::iter::once((&found[..], graph.substitute(&bindings)));
        for (row, (coefficients, mut of)) in rows.chain(gradient.chunks_exact(5).zip(partials)).enumerate() {
            let mut factorial = 1.0;
            for (order, coefficient) in coefficients.iter().enumerate() {
                if order > 0 {
                    let s = Variable::fresh();
                    let body = of.substitute(&[(t, Graph::variable(s))]);
                    of = Graph::derivative(vec![s], body, vec![Graph::variable(t)], vec![Graph::integer(1)]);
                    factorial *= order as f64;
                }
                let Some(expected) = enclosed(&of.substitute(&[(t, Graph::integer(0))])) else { break };
                let (lo, hi) = (expected.lo().to_f64(), expected.hi().to_f64());
                if !coefficient.is_finite() || lo.abs().max(hi.abs()) > 1e8 {
                    break;
                }
                compared += 1;
                curved += usize::from(order > 1 && (lo > 1e-6 || hi < -1e-6));
                gradients += usize::from(row > 0 && order > 0 && (lo > 1e-6 || hi < -1e-6));
                assert!(
                    is_near(coefficient * factorial, &expected),
                    "{seed}, {row}, {order}: {coefficient}, {expected:?}"
                );
            }
        }
    }
    println!("{compared} coefficients, {curved} beyond the slope and not 0, {gradients} of gradients");
    assert!(compared > 5_000 && curved > 700 && gradients > 700, "{compared}, {curved}, {gradients}");
}

#[test]
fn twenty_derivatives_in_one_run() {
    // e^(sin x · cos x)/(1 + x²) at 0.3; by mpmath's Taylor series at 60 digits
    let [x]: [Map<U1, U1>; 1] = coordinates();
    let f = (x.sin() * x.cos()).exp() / (x.powi(2) + Map::constant([Rational::from(1)]));
    let mut coefficients = [0.0; 21];
    f.tape().unwrap().taylor_series(20).expand_along(&[0.3], &[1.0], &mut coefficients);
    for (order, expected) in [
        (2, -3.145_885_521_391_089),
        (5, 37.380_037_551_391_26),
        (10, -360_155.642_650_592),
        (20, -3.891_463_168_175_246e17),
    ] {
        let derivative = (1..=order).fold(coefficients[order], |c, k| c * k as f64);
        assert!((derivative / expected - 1.0).abs() < 1e-12, "{order}: {derivative}");
    }
}

#[test]
fn series_of_powers_where_a_base_is_0() {
    let [x]: [Map<U1, U1>; 1] = coordinates();
    let of = |f: &Map<U1, U1>| {
        let mut coefficients = [f64::NAN; 6];
        f.tape().unwrap().taylor_series(5).expand_along(&[0.0], &[2.0], &mut coefficients);
        coefficients
    };
    assert_eq!(of(&x.powi(3)), [0.0, 0.0, 0.0, 8.0, 0.0, 0.0]);
    assert_eq!(of(&x.powi(5)), [0.0, 0.0, 0.0, 0.0, 0.0, 32.0]);
    assert_eq!(of(&x.powi(30_000)), [0.0; 6]);
    assert_eq!(of(&x.powi(0)), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(of(&(&x + Map::constant([Rational::from(1)])).powi(-2)), [1.0, -4.0, 12.0, -32.0, 80.0, -192.0]);
    // what is not smooth there is no number
    assert!(of(&x.sqrt())[1..].iter().all(|c| !c.is_finite()));
    // order 0 is the value alone
    let mut value = [0.0];
    x.exp().tape().unwrap().taylor_series(0).expand_along(&[1.0], &[1.0], &mut value);
    assert_eq!(value, [std::f64::consts::E]);
}

#[test]
fn every_function_has_its_series() {
    let mut compared = [0; 7];
    for f in Function::ALL {
        for x in [-0.4, 0.3, 1.7] {
            let t = Variable::fresh();
            let mut of = Graph::function(*f, &Graph::variable(t));
            let mut found = [0.0; 7];
            Tape::compile_map(&[t], std::slice::from_ref(&of)).unwrap().taylor_series(6).expand_along(
                &[x],
                &[1.0],
                &mut found,
            );
            let mut factorial = 1.0;
            for (order, coefficient) in found.into_iter().enumerate() {
                if order > 0 {
                    let s = Variable::fresh();
                    let body = of.substitute(&[(t, Graph::variable(s))]);
                    of = Graph::derivative(vec![s], body, vec![Graph::variable(t)], vec![Graph::integer(1)]);
                    factorial *= order as f64;
                }
                let Some(expected) = enclosed(&of.substitute(&[(t, Graph::rational(exact(x)))])) else { break };
                compared[order] += 1;
                let derivative = coefficient * factorial;
                assert!(is_near(derivative, &expected), "{f}, {x}, {order}: {derivative}, {expected:?}");
            }
        }
    }
    assert!(compared.iter().all(|n| *n >= 2 * Function::ALL.len()), "{compared:?}");
}

#[test]
fn series_of_powers_of_small_numbers_keep_their_digits() {
    let [x]: [Map<U1, U1>; 1] = coordinates();
    for at in [0.1, 1e-3, 1e-5] {
        let near = |found: &[f64], expected: &[f64]| {
            for (order, (a, b)) in found.iter().zip(expected).enumerate() {
                assert!((a - b).abs() <= 1e-14 * (1.0 + b.abs()), "{at}, {order}: {a}, not {b}");
            }
        };
        let mut of = [[0.0; 21]; 4];
        x.sin().powi(3).tape().unwrap().taylor_series(20).expand_along(&[at], &[1.0], &mut of[0]);
        (x.sin() * x.sin() * x.sin()).tape().unwrap().taylor_series(20).expand_along(&[at], &[1.0], &mut of[1]);
        near(&of[0], &of[1]);
        x.sin().powi(2).tape().unwrap().taylor_series(20).gradient_along(&[at], &[1.0], &mut of[2]);
        (x.sin() * x.cos() + x.cos() * x.sin()).tape().unwrap().taylor_series(20).expand_along(
            &[at],
            &[1.0],
            &mut of[3],
        );
        near(&of[2], &of[3]);
    }
    let mut cube = [0.0; 4];
    x.powi(3).tape().unwrap().taylor_series(3).expand_along(&[1e-110], &[1.0], &mut cube);
    assert_eq!(cube[3], 1.0);
}

#[test]
fn polygamma_functions_on_a_tape_where_terms_cancel() {
    // by mpmath, with 150 digits
    for (n, x, expected) in [
        (40, -9.5, -1_131_177.042_53),
        (20, -4.5, -711.214_588_366),
        (16, -2.5, -11_958.830_739_6),
        (171, 20.0, 2.073_563_430_06e85),
        (200, 1000.0, -4.350_819_270_6e-228),
        (1, 1e-200, f64::INFINITY),
    ] {
        let t = Variable::fresh();
        let graph = Graph::function(SpecialId::Gamma.member(n).unwrap(), &Graph::variable(t));
        let mut found = [0.0];
        Tape::compile_map(&[t], &[graph]).unwrap().value(&[x], &mut found);
        assert!(found[0] == expected || (found[0] / expected - 1.0).abs() < 1e-10, "{n}, {x}: {}", found[0]);
    }
}

/// Of programs with one number in them to dozens; the shares are those of the first 6,000 programs.
#[test]
fn gradients_are_cheap() {
    let (mut held, mut many, mut ratios, mut one_by_one) = (0, 0, Vec::new(), 0);
    for index in 0..6_000 {
        let verdict = gradient::gradient_is_cheap(7, index);
        assert!(!verdict.is_refuted(), "{index}: {verdict:?}");
        if verdict == Verdict::Survived {
            let cost = gradient::gradient_cost(7, index).unwrap();
            held += 1;
            many += usize::from(cost.variables > 4);
            ratios.push(cost.gradient as f64 / cost.value as f64);
            // a difference for each variable takes a value each, and one more
            one_by_one += usize::from(cost.variables as u64 + 1 > gradient::MAX_GRADIENT_RATIO);
        }
    }
    ratios.sort_by(f64::total_cmp);
    println!("{held} held, {many} of many variables, median {}, most {}", ratios[held / 2], ratios[held - 1]);
    assert!(held > 2_000 && many > 350 && one_by_one > 600, "{held} {many} {one_by_one}");
    assert!(ratios[held - 1] > 3.0, "a bound that is far from all is none");
}

/// What is used again is swept once: thirty squares in a row, each a product of the one before with itself.
#[test]
fn gradients_of_what_is_used_again_are_cheap() {
    let x = Variable::fresh();
    let square = |g: Graph, _| Graph::binary(Binary::Multiply, &g, &g);
    let [value, gradient] =
        Tape::compile_map(&[x], &[(0..30).fold(Graph::variable(x), square)]).unwrap().count_executed(&[1.0]);
    assert_eq!(value, 30);
    assert!(gradient <= gradient::MAX_GRADIENT_RATIO * value, "{gradient}");
}

/// Enclosed by the formulas of the entries, second derivatives are those that the graph has, at a hundred digits more.
#[test]
fn enclosed_hessians_contain_the_second_derivatives() {
    let (mut entries, mut moving, mut refused) = (0, 0, 0);
    for seed in 0..1_500 {
        let mut random = SplitMix64::new(seed);
        let variables: Vec<_> = (0..1 + random.next_below(3)).map(|_| Variable::fresh()).collect();
        let graph = GraphGenerator { derivative_depth: seed as usize % 2, has_kinks: seed % 2 == 0 }.draw_graph(
            &mut random,
            &variables,
            6 + seed as usize % 14,
        );
        // bent, also where it is a line
        let graph = Graph::binary(Binary::Multiply, &graph, &graph);
        let point: Vec<_> = variables.iter().map(|_| random.next_below(17) as f64 / 4.0 - 2.0).collect();
        let at: Vec<_> = point.iter().map(|x| Graph::rational(Rational::from_f64(*x).unwrap())).collect();
        let tape = Tape::compile_map(&variables, std::slice::from_ref(&graph)).unwrap();
        let Some(mut hessians) = tape.enclosed_hessians(Double) else { continue };
        let Some(found) = hessians.enclose_at(&point) else {
            refused += 1;
            continue;
        };
        let one = [Graph::integer(1)];
        let slopes: Vec<Graph> = variables.iter().map(|v| Graph::variable(*v)).collect();
        let slopes = Graph::reverse_mode(&variables, std::slice::from_ref(&graph), &slopes, &one);
        for (row, slope) in found.chunks_exact(variables.len()).zip(&slopes) {
            for (entry, second) in
                row.iter().zip(Graph::reverse_mode(&variables, std::slice::from_ref(slope), &at, &one))
            {
                assert!(entry.is_defined(), "{seed}");
                let Some(true_one) = enclosed(&second) else { continue };
                let (lo, hi) = (true_one.lo().to_f64(), true_one.hi().to_f64());
                assert!(*entry.lo() <= hi && lo <= *entry.hi(), "{seed}: {entry:?}, not {true_one:?}");
                entries += 1;
                moving += usize::from(lo > 0.0 || hi < 0.0);
            }
        }
    }
    println!("{entries} entries, {moving} of them certainly not 0; {refused} points refused");
    assert!(entries > 1_500 && moving > 300 && refused > 50, "{entries}, {moving}, {refused}");
    // defined everywhere by its second derivatives, and not by itself
    let v = Variable::fresh();
    let x = Graph::variable(v);
    let root = Graph::binary(Binary::Multiply, &Graph::function(Function::Log, &x), &Graph::integer(0));
    let graph = Graph::binary(Binary::Add, &root, &x);
    let mut hessians = Tape::compile_map(&[v], &[graph]).unwrap().enclosed_hessians(Double).expect("no choice");
    assert!(hessians.enclose_at(&[-1.0]).is_none());
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn a_tape_of_enclosures_encloses_the_gradient_or_says_nothing() {
        let (mut answered, mut moving, mut undefined, mut kinked, mut silent, mut missed) = (0, 0, 0, 0, 0, 0);
        for seed in 0..crate::drawn(3_000) {
            let mut random = SplitMix64::new(seed);
            let variables: Vec<_> = (0..1 + random.next_below(4)).map(|_| Variable::fresh()).collect();
            let graphs = GraphGenerator { derivative_depth: seed as usize % 3, has_kinks: seed % 2 == 0 };
            let mut graph = graphs.draw_graph(&mut random, &variables, 3 + seed as usize % 14);
            if seed % 3 == 0 {
                // a sum of products, which runs in balls
                let more: Vec<_> = (0..6).map(|_| graphs.draw_graph(&mut random, &variables, 4)).collect();
                let products = more.chunks(2).map(|two| Graph::binary(Binary::Multiply, &two[0], &two[1]));
                let squares = more.iter().map(|g| Graph::binary(Binary::Multiply, g, g));
                graph = products.chain(squares).fold(graph, |sum, product| Graph::binary(Binary::Add, &sum, &product));
            }
            let point: Vec<_> = variables.iter().map(|_| random.next_below(17) as f64 / 4.0 - 2.0).collect();
            let at: Vec<_> = point.iter().map(|x| Graph::rational(Rational::from_f64(*x).unwrap())).collect();
            let expected = reference(&variables, &graph, &at);
            let tape = Tape::compile_map(&variables, std::slice::from_ref(&graph)).unwrap();
            let tiny = Rational::from((1, 1u64 << 40));
            let is_narrow = |e: &Enclosure| e.is_defined() && e.has_width_at_most(&tiny);
            let doubles = tape.to_certified(Double).vjp_at(&point, &[1.0]);
            let precise = Mpfr::new(160);
            let finer = tape.to_certified(precise).vjp_at(&point, &[1.0]);
            if let Some(found) = &doubles {
                answered += 1;
                // where it is not known to be defined, nothing may be claimed
                assert!(expected.iter().all(Enclosure::is_defined), "{seed}: an answer where there is none");
                for (found, expected) in found.iter().zip(&expected) {
                    let found = Double.to_enclosure(found);
                    assert!(found.overlaps(expected), "{seed}: {expected:?} is not in {found:?}");
                    moving += usize::from(!found.contains(&Rational::new()));
                }
            } else {
                undefined += usize::from(expected.iter().any(|e| !e.is_defined()));
                kinked += usize::from(expected.iter().all(Enclosure::is_defined) && !expected.iter().all(is_narrow));
                silent += 1;
                missed += usize::from(expected.iter().all(is_narrow));
            }
            for (found, expected) in finer.iter().flatten().zip(&expected) {
                assert!(precise.to_enclosure(found).overlaps(expected), "{seed}: {expected:?} is not in {found:?}");
            }
            assert!(doubles.is_none() || finer.is_some(), "{seed}: nothing at a higher precision");
        }
        println!(
            "{answered} answers, {moving} slopes that are not 0; nothing at {silent} points: {undefined} undefined, {kinked} kinks, {missed} others"
        );
        let least = |share| crate::drawn(share) as usize;
        assert!(answered > least(1_200) && moving > least(1_200) && undefined > least(200) && kinked > least(5));
    }
}
