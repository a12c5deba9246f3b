//! max, min, abs, relu (S §4.3.2, S16, S23), a refuter of towers, and the wrong rules that it catches.

use super::sample::{Draw, SplitMix64, kinked_map, smooth_map};
use super::support::*;
use smoothish_laws::number::{Context, Function, Mpfr, Rational};
use smoothish_laws::smooth::tower::consistency::{CheckOutcome, Consistency, ViolatedCondition};
use smoothish_laws::smooth::tower::{Tower, TowerError, TowerOperand, TowerRule, primitive};

/// What becomes of a tower.
fn refute(f: &Map, samples: usize, orders: usize) -> CheckOutcome {
    Consistency { orders, samples, seed: 7 }.refute(f, &context()).unwrap()
}

fn reason(f: &Map) -> Option<ViolatedCondition> {
    match refute(f, 300, 3) {
        CheckOutcome::Refuted(refutation) => Some(refutation.reason),
        _ => None,
    }
}

#[track_caller]
fn survives(f: &Map, samples: usize, what: &str) {
    match refute(f, samples, 2) {
        // a map that is a set everywhere would pass by being asked nothing
        CheckOutcome::Survived { asked } => {
            assert!(asked * 5 > samples, "{what}: only {asked} samples were asked anything")
        }
        CheckOutcome::Refuted(why) => panic!("{what}: {why}"),
        CheckOutcome::Doubtful(why) => panic!("{what}: {why}"),
    }
}

#[test]
fn primitives_are_towers() {
    use Function::{Asinh, Atan, Cbrt, Cos, Exp, Log, Sin, Sqrt, Tan, Tanh};
    survives(&primitive::product(), 150, "product");
    survives(&primitive::quotient(), 150, "quotient");
    survives(&primitive::sum(), 150, "sum");
    for (p, q) in [(3, 1), (-1, 1), (1, 2), (-1, 2), (3, 2), (2, 3), (5, 3)] {
        survives(&primitive::power(p, q), 150, &format!("power {p}/{q}"));
    }
    for f in [Exp, Log, Sin, Cos, Tan, Atan, Tanh, Asinh, Sqrt, Cbrt] {
        survives(&primitive::elementary_tower(f), 150, &format!("{f:?}"));
    }
    survives(&primitive::maximum(), 150, "max");
    survives(&primitive::minimum(), 150, "min");
    survives(&primitive::absolute(), 150, "abs");
    survives(&primitive::relu(), 150, "relu");
}

#[test]
fn composites_are_towers() {
    let mut random = SplitMix64::new(43);
    for _ in 0..12 {
        let f = kinked_map(&mut random, 2, 1);
        survives(&f, 20, "kinked");
        let g = smooth_map(&mut random, 2, 1);
        survives(&g, 20, "smooth");
    }
}

#[test]
fn the_derivatives_of_max() {
    let max: Map = primitive::maximum();
    let v: Vec<Vec<Num>> = [[3, 5], [-1, 2], [4, 4]].iter().map(|v| vector(v)).collect();
    // x > y, x < y, x = y; and boxes
    let at = |x: &[Num], k: usize| derivative(&max, x, &v[..k]);
    assert_identical(&at(&vector(&[2, 1]), 1), &number(3, 1), "x > y");
    assert_identical(&at(&vector(&[1, 2]), 1), &number(5, 1), "x < y (E6)");
    assert_identical(&at(&vector(&[1, 1]), 1), &interval(3, 5), "x = y");
    for k in 2..=3 {
        assert_identical(&at(&vector(&[2, 1]), k), &number(0, 1), "x > y");
        assert_identical(&at(&vector(&[1, 2]), k), &number(0, 1), "x < y");
        assert_bottom(&at(&vector(&[1, 1]), k), "x = y");
        assert_bottom(&at(&[interval(0, 2), number(1, 1)], k), "undecided");
    }
    assert_identical(&at(&[interval(0, 2), number(1, 1)], 0), &interval(1, 2), "undecided");
    assert_identical(&at(&[interval(0, 2), number(1, 1)], 1), &interval(3, 5), "undecided");
    assert_identical(&at(&[interval(2, 3), number(1, 1)], 1), &number(3, 1), "decided");
    // along a direction in which both agree, the hull is a point
    assert_identical(&derivative(&max, &vector(&[1, 1]), &v[2..]), &number(4, 1), "along the diagonal");
    // where an argument is not known to exist, neither is the branch
    assert!(!context().is_defined(&at(&[bottom(), number(1, 1)], 1)));
}

#[test]
fn the_derivatives_of_min_abs_relu_and_sign() {
    let one = |f: &Map, x: i64, k| along_one(f, &number(x, 1), k);
    let (min, abs, relu, sign): (Map, Map, Map, Map) =
        (primitive::minimum(), primitive::absolute(), primitive::relu(), primitive::signum());
    assert_identical(&one(&relu, 0, 1), &interval(0, 1), "relu");
    assert_identical(&one(&relu, 1, 1), &number(1, 1), "relu");
    assert_identical(&one(&relu, -1, 1), &number(0, 1), "relu");
    assert_identical(&one(&abs, 0, 1), &interval(-1, 1), "abs");
    assert_identical(&one(&abs, 2, 1), &number(1, 1), "abs");
    assert_identical(&one(&abs, -2, 1), &number(-1, 1), "abs");
    assert_identical(&one(&sign, 0, 0), &interval(-1, 1), "sign");
    for f in [&relu, &abs] {
        assert_bottom(&one(f, 0, 2), "a second derivative at a kink (S10)");
        assert_identical(&one(f, 1, 2), &number(0, 1), "beside it");
    }
    for k in 1..4 {
        assert_bottom(&one(&sign, 0, k), "sign");
        assert_identical(&one(&sign, -3, k), &number(0, 1), "sign");
    }
    // min(x, y) = -max(-x, -y), and |x| = max(x, -x)
    let minus = |n| Tower::linear(&smoothish_laws::smooth::tower::LinearMap::scalar_multiple(n, &Rational::from(-1)));
    let by_max = map(map(minus(2).then(&primitive::maximum())).then(&minus(1)));
    let abs_by_max = map(map(Tower::identity(1).pair(&minus(1))).then(&primitive::maximum()));
    let mut random = SplitMix64::new(23);
    for sample in 0..60 {
        let k = sample % 3;
        let numbers = |q: Vec<Rational>| q.iter().map(|q| context().enclose_rational(q)).collect::<Vec<Num>>();
        let x = numbers(random.point(2));
        let v: Vec<_> = (0..k).map(|_| numbers(random.direction(2))).collect();
        assert_identical(&derivative(&min, &x, &v), &derivative(&by_max, &x, &v), "min");
        let first: Vec<_> = v.iter().map(|v| v[..1].to_vec()).collect();
        assert_identical(&derivative(&abs, &x[..1], &first), &derivative(&abs_by_max, &x[..1], &first), "abs");
    }
}

/// A tower, except where `wrong` answers.
fn wrong(right: Map, wrong: impl Fn(&Mpfr, &[Num], &[&[Num]]) -> Option<Num> + Send + Sync + 'static) -> Map {
    Tower::new(right.inputs(), 1, move |c: &Mpfr, x: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        let right = || right.derivative(x, &vs.iter().map(|v| v.to_vec()).collect::<Vec<_>>(), c);
        wrong(c, x, vs).map_or_else(right, |w| Ok(vec![w]))
    })
}

#[test]
fn wrong_rules_for_max_are_refuted() {
    let max = primitive::maximum::<Mpfr>;
    assert_eq!(reason(&wrong(max(), |_, _, _| None)), None);
    let always_dx = wrong(max(), |_, _, vs| (vs.len() == 1).then(|| vs[0][0].clone()));
    assert_eq!(reason(&always_dx), Some(ViolatedCondition::MeanValue));
    // E6, its first case for both: dy when y < x
    let smaller =
        wrong(max(), |c, x, vs| (vs.len() == 1 && !c.is_strictly_below(&x[0], &x[1])).then(|| vs[0][1].clone()));
    assert_eq!(reason(&smaller), Some(ViolatedCondition::MeanValue));
    // E6, the second case never applies and the third is read as "otherwise": sound at order 1, but then a set where the
    // next order should be ⊥
    let as_printed = wrong(max(), |c, x, vs| {
        let above = c.is_strictly_below(&x[1], &x[0]);
        (vs.len() == 1 && !above).then(|| c.hull(&vs[0][0], &vs[0][1]))
    });
    assert_eq!(reason(&as_printed), Some(ViolatedCondition::Successive));
    let zero_on_the_diagonal = wrong(max(), |c, x, vs| {
        let diagonal = c.is_point(&c.sub(&x[0], &x[1])) && c.contains_zero(&c.sub(&x[0], &x[1]));
        (vs.len() == 2 && diagonal).then(|| c.enclose_integer(0))
    });
    assert_eq!(reason(&zero_on_the_diagonal), Some(ViolatedCondition::Successive));
    let zero_when_undecided = wrong(max(), |c, _, vs| (vs.len() == 2).then(|| c.enclose_integer(0)));
    assert!(reason(&zero_when_undecided).is_some());
}

#[test]
fn witnesses_are_small() {
    let always_dx = wrong(primitive::maximum(), |_, _, vs| (vs.len() == 1).then(|| vs[0][0].clone()));
    let CheckOutcome::Refuted(refutation) = refute(&always_dx, 200, 2) else { panic!("max⁽¹⁾ := dx survived") };
    let weight = |v: &[Rational]| v.iter().map(|q| q.denom().significant_bits()).sum::<u32>();
    let sample = &refutation.sample;
    assert!(sample.directions.is_empty() && weight(&sample.point) + weight(&sample.step) <= 5, "{refutation}");
    assert!(refutation.to_string().starts_with("the rise of the derivative of order 0 misses"), "{refutation}");
    assert_eq!(refute(&always_dx, 200, 2), CheckOutcome::Refuted(refutation), "a seed has one witness");
}

#[test]
fn a_wrong_derivative_of_a_straddling_box_is_refuted() {
    let relu = wrong(primitive::relu(), |c, x, vs| {
        (vs.len() == 1 && !c.is_point(&x[0]) && c.contains_zero(&x[0])).then(|| c.enclose_integer(0))
    });
    assert!(matches!(reason(&relu), Some(ViolatedCondition::MeanValue | ViolatedCondition::Isotone)));
}

#[test]
fn an_error_at_a_single_point_is_doubted() {
    let relu_at_0 = |claimed: i64| {
        wrong(primitive::relu(), move |c, x, vs| {
            let at_0 = vs.len() == 1 && c.is_point(&x[0]) && c.contains_zero(&x[0]);
            at_0.then(|| c.mul_integer(&vs[0][0], claimed))
        })
    };
    // one end of Clarke's set, as many frameworks have it: boxes contain it, and the order above does not look at 0
    for claimed in [0, 1] {
        match refute(&relu_at_0(claimed), 200, 0) {
            CheckOutcome::Doubtful(doubt) => {
                assert_eq!(doubt.sample.point, [0], "{doubt}");
                assert!(doubt.to_string().starts_with("refuted at scale 1/4503599627370496: at (0)"), "{doubt}");
            }
            other => panic!("relu′(0) := {claimed}: {other:?}"),
        }
    }
    // outside of the set, it is disproved by the boxes
    assert_eq!(reason(&relu_at_0(2)), Some(ViolatedCondition::Isotone));
    // slow convergence is no error
    survives(&primitive::power(3, 2), 150, "x^(3/2)");
}

/// What is wide by cancellation is no set, and what is steep converges late.
#[test]
fn true_towers_with_cancellation_or_steep_slopes_survive() {
    use smoothish_laws::smooth::graph::{Binary, Graph, Variable};
    let x = Variable::fresh();
    let (at, op) = (Graph::variable(x), Graph::binary);
    let number = |text: &str| Graph::rational(smoothish_laws::number::decimal::parse(text).unwrap());
    let huge = number("1e60");
    let times = |c: &str| op(Binary::Multiply, &number(c), &at);
    let exp = Graph::function(Function::Exp, &times("100"));
    for (what, graph) in [
        ("(x + 1e60) - 1e60", op(Binary::Subtract, &op(Binary::Add, &at, &huge), &huge)),
        ("exp 100x - exp 100x", op(Binary::Subtract, &exp, &exp)),
        ("sin 100x", Graph::function(Function::Sin, &times("100"))),
        ("sin 1e5x", Graph::function(Function::Sin, &times("1e5"))),
        ("tanh 1e7x", Graph::function(Function::Tanh, &times("1e7"))),
    ] {
        let outcome = refute(&map(Tower::of_graph(&graph, &[x])), 100, 2);
        assert!(matches!(outcome, CheckOutcome::Survived { .. }), "{what}: {outcome:?}");
    }
}

#[test]
fn compositions_that_lack_a_term_are_refuted() {
    // E19: (sin x²)″ = 2 cos x² − 4x² sin x²; without either term
    let sine: Map = primitive::elementary_tower(Function::Sin);
    let square: Map = primitive::power(2, 1);
    for without in 0..2 {
        let (outer, inner) = (sine.clone(), square.clone());
        let f = wrong(map(square.then(&sine)), move |_, x, vs| {
            let [v, w] = vs else { return None };
            let y = [derivative(&inner, x, &[])];
            let inner = |directions: &[&[Num]]| {
                vec![derivative(&inner, x, &directions.iter().map(|v| v.to_vec()).collect::<Vec<_>>())]
            };
            Some(match without {
                0 => derivative(&outer, &y, &[inner(&[v, w])]),
                _ => derivative(&outer, &y, &[inner(&[v]), inner(&[w])]),
            })
        });
        assert_eq!(reason(&f), Some(ViolatedCondition::MeanValue), "without term {without}");
    }
}

#[test]
fn derivatives_that_are_not_symmetric_linear_or_true_are_refuted() {
    let product = primitive::product::<Mpfr>;
    // (xy)⁽²⁾ := 2ad in place of ad + bc
    let lopsided = wrong(product(), |c, _, vs| match vs {
        [v, w] => Some(c.mul_integer(&c.mul(&v[0], &w[1]), 2)),
        _ => None,
    });
    assert!(matches!(reason(&lopsided), Some(ViolatedCondition::Symmetric | ViolatedCondition::MeanValue)));
    // v² beside the product rule
    let crooked = wrong(product(), |c, x, vs| match vs {
        [v] => Some(c.add(&c.add(&c.mul(&x[0], &v[1]), &c.mul(&x[1], &v[0])), &c.mul(&v[0], &v[0]))),
        _ => None,
    });
    assert!(matches!(reason(&crooked), Some(ViolatedCondition::Linear | ViolatedCondition::MeanValue)));
    let wrong_cosine = wrong(primitive::elementary_tower(Function::Sin), |c, x, vs| match vs {
        [v] => Some(c.mul(&c.apply_function(Function::Cos, &c.mul_integer(&x[0], 2)), &v[0])),
        _ => None,
    });
    assert_eq!(reason(&wrong_cosine), Some(ViolatedCondition::MeanValue));
}

#[test]
fn derivatives_are_multilinear_and_symmetric_where_maximal() {
    let c = context();
    let mut random = SplitMix64::new(16);
    let draw = |random: &mut SplitMix64| vec![random.odd_dyadic(), random.odd_dyadic()];
    for sample in 0..20 {
        let f = smooth_map(&mut random, 2, 1);
        let k = 1 + sample % 3;
        let x = draw(&mut random);
        let v: Vec<_> = (0..k).map(|_| draw(&mut random)).collect();
        let (w, s, slot) = (draw(&mut random), random.odd_dyadic(), random.next_below(k));
        let replaced = |u: Vec<Num>| {
            let mut v = v.clone();
            v[slot] = u;
            derivative(&f, &x, &v)
        };
        // f(…, v + s·w, …) = f(…, v, …) + s·f(…, w, …)
        let moved = v[slot].iter().zip(&w).map(|(v, w)| c.add(v, &c.mul(&s, w))).collect();
        let expected = c.add(&derivative(&f, &x, &v), &c.mul(&s, &replaced(w)));
        assert_same(&replaced(moved), &expected, "linear in each direction");
        let mut permuted = v.clone();
        permuted.rotate_left(1);
        assert_same(&derivative(&f, &x, &permuted), &derivative(&f, &x, &v), "symmetric");
        permuted.reverse();
        assert_same(&derivative(&f, &x, &permuted), &derivative(&f, &x, &v), "symmetric");
        assert!(f.derivative_matrix(k, &x, &c).unwrap().is_some());
    }
}

#[test]
fn the_matrix_of_max_is_undefined_on_the_diagonal() {
    let c = context();
    let max: Map = primitive::maximum();
    let entries =
        |m: Option<Vec<Vec<Num>>>| m.map(|m| m.concat().iter().map(|c| show(c).lo().to_f64()).collect::<Vec<_>>());
    let matrix = |k, x: &[i64]| entries(max.derivative_matrix(k, &vector(x), &c).unwrap());
    assert_eq!(matrix(1, &[2, 1]), Some(vec![1.0, 0.0]));
    assert_eq!(matrix(1, &[1, 2]), Some(vec![0.0, 1.0]));
    assert_eq!(matrix(1, &[1, 1]), None);
    assert_eq!(matrix(0, &[1, 1]), Some(vec![1.0]));
    assert_eq!(matrix(2, &[1, 2]), Some(vec![0.0; 4]));
    assert_eq!(matrix(2, &[1, 1]), None);
    let product: Map = primitive::product();
    assert_eq!(entries(product.derivative_matrix(2, &vector(&[7, 8]), &c).unwrap()), Some(vec![0.0, 1.0, 1.0, 0.0]));
    assert!(matches!(
        max.derivative_matrix(1, &vector(&[1]), &c),
        Err(TowerError::Dimension { part: TowerOperand::Point, expected: 2, found: 1 })
    ));
    // narrow along the axes, yet not linear: no matrix
    let crooked = |c: &Mpfr, _: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        Ok(vec![vs.iter().fold(c.enclose_integer(1), |p, v| c.mul(&p, &c.max(&v[0], &v[1])))])
    };
    let crooked: Box<dyn TowerRule<Mpfr>> = Box::new(crooked);
    let crooked = Tower::new(2, 1, move |c: &Mpfr, x: &[Num], vs: &[&[Num]]| crooked.derivative_along(c, x, vs));
    assert!(crooked.derivative_matrix(1, &vector(&[0, 0]), &c).unwrap().is_none());
}
