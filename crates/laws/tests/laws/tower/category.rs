//! The laws of a Cartesian category (S Prop. 4.5) and where they end (E42, E43); S27, S29, S30, S31.

use super::sample::{Draw, SplitMix64, kinked_map, smooth_map};
use super::support::*;
use smoothish_laws::number::{Context, Function, Mpfr, Rational};
use smoothish_laws::smooth::graph::{Binary, Graph, Variable};
use smoothish_laws::smooth::tower::{EnclosureVector, LinearMap, Tower, TowerError, primitive};

/// Random points, half of them where kinks lie, and directions.
fn inputs(random: &mut SplitMix64, n: usize, k: usize) -> (Vec<Num>, Vec<Vec<Num>>) {
    let numbers = |q: Vec<Rational>| q.iter().map(|q| context().enclose_rational(q)).collect::<Vec<Num>>();
    let x = numbers(random.point(n));
    (x, (0..k).map(|_| numbers(random.direction(n))).collect())
}

fn values(f: &Map, x: &[Num], directions: &[Vec<Num>]) -> EnclosureVector<Mpfr> {
    f.derivative(x, directions, &context()).unwrap()
}

/// How two maps that should be equal compare on random inputs.
#[derive(Default)]
struct Tally {
    equal: usize,
    overlapping: usize,
}

impl Tally {
    /// # Panics
    /// When the two are disjoint, or one is known and the other a different number.
    fn compare(&mut self, f: &Map, g: &Map, random: &mut SplitMix64, orders: usize) {
        for k in 0..=orders {
            let (x, directions) = inputs(random, f.inputs(), k);
            for (a, b) in values(f, &x, &directions).iter().zip(&values(g, &x, &directions)) {
                assert!(overlap(a, b), "order {k} at {x:?} along {directions:?}: {} {}", show(a), show(b));
                if is_narrow(a) && is_narrow(b) {
                    self.equal += 1;
                } else {
                    self.overlapping += 1;
                }
            }
        }
    }
}

/// A random map, with kinks half of the time.
fn any_map(random: &mut SplitMix64, n: usize, m: usize) -> Map {
    if random.one_in(2) { kinked_map(random, n, m) } else { smooth_map(random, n, m) }
}

#[test]
fn composition_is_associative_where_maximal() {
    let mut random = SplitMix64::new(31);
    let mut tally = Tally::default();
    for _ in 0..16 {
        let dimension = |random: &mut SplitMix64| 1 + random.next_below(2);
        let (a, b, c, d) = (dimension(&mut random), dimension(&mut random), dimension(&mut random), 1);
        let (f, g, h) = (any_map(&mut random, a, b), any_map(&mut random, b, c), any_map(&mut random, c, d));
        let left = map(map(f.then(&g)).then(&h));
        let right = map(f.then(&map(g.then(&h))));
        tally.compare(&left, &right, &mut random, 4);
    }
    assert!(tally.equal > 40 && tally.overlapping > 8, "{} {}", tally.equal, tally.overlapping);
}

#[test]
fn the_identity_is_neutral() {
    let mut random = SplitMix64::new(32);
    for _ in 0..12 {
        let f = any_map(&mut random, 2, 2);
        let left = map(Tower::identity(2).then(&f));
        let right = map(f.then(&Tower::identity(2)));
        for k in 0..=4 {
            let (x, v) = inputs(&mut random, 2, k);
            for ((f, left), right) in values(&f, &x, &v).iter().zip(values(&left, &x, &v)).zip(values(&right, &x, &v)) {
                assert_identical(&right, f, "f;id");
                // id;f adds terms in which a direction is 0
                assert!(contains(&left, f) && contains(f, &left), "id;f: {} {}", show(&left), show(f));
            }
        }
    }
}

#[test]
fn products_have_their_laws() {
    let mut random = SplitMix64::new(33);
    for _ in 0..12 {
        let (f, g, h) = (any_map(&mut random, 2, 1), any_map(&mut random, 2, 2), any_map(&mut random, 1, 2));
        let pair = map(f.pair(&g));
        let equations = [
            (map(pair.then(&Tower::first(1, 2))), f.clone()),
            (map(pair.then(&Tower::second(1, 2))), g.clone()),
            (map(map(pair.then(&Tower::first(1, 2))).pair(&map(pair.then(&Tower::second(1, 2))))), pair.clone()),
            (map(h.then(&pair)), map(map(h.then(&f)).pair(&map(h.then(&g))))),
            (map(f.then(&Tower::terminal(1))), Tower::terminal(2)),
            (map(Tower::first(2, 1).pair(&Tower::second(2, 1))), Tower::identity(3)),
            (map(f.plus(&f)), map(map(f.pair(&f)).then(&primitive::sum()))),
        ];
        for (index, (left, right)) in equations.iter().enumerate() {
            for k in 0..=3 {
                let (x, v) = inputs(&mut random, left.inputs(), k);
                for (a, b) in values(left, &x, &v).iter().zip(&values(right, &x, &v)) {
                    assert_identical(a, b, &format!("equation {index}, order {k}"));
                }
            }
        }
    }
}

#[test]
fn linear_maps_may_be_composed_as_matrices() {
    let mut random = SplitMix64::new(30);
    for _ in 0..20 {
        let mut entry = || Rational::from(random.next_below(7) as i64 - 3);
        let mut matrix = |n: usize, m: usize| {
            let rows: Vec<Vec<Rational>> = (0..m).map(|_| (0..n).map(|_| entry()).collect()).collect();
            LinearMap::from_rows(n, &rows).unwrap()
        };
        let (a, b) = (matrix(2, 3), matrix(3, 2));
        let f = any_map(&mut random, 2, 3);
        let g = any_map(&mut random, 3, 1);
        for k in 0..=3 {
            let (x, v) = inputs(&mut random, 2, k);
            // S Prop. 4.2, always
            let composite = map(f.then(&Tower::linear(&b)));
            for (a, b) in values(&composite, &x, &v).iter().zip(&values(&map(f.then_linear(&b)), &x, &v)) {
                assert_identical(a, b, "linear ∘ f");
            }
            // S Prop. 4.3, at points that are known
            let (composite, formula) = (map(Tower::linear(&a).then(&g)), map(g.after_linear(&a)));
            for (a, b) in values(&composite, &x, &v).iter().zip(&values(&formula, &x, &v)) {
                assert!(contains(a, b) && contains(b, a), "g ∘ linear: {} {}", show(a), show(b));
            }
            // linear is a functor
            let (two, one) = (map(Tower::linear(&a).then(&Tower::linear(&b))), Tower::linear(&a.then(&b).unwrap()));
            for (a, b) in values(&two, &x, &v).iter().zip(&values(&one, &x, &v)) {
                assert_identical(a, b, "linear ∘ linear");
            }
        }
    }
}

#[test]
fn precomposition_with_a_linear_map_differs_where_the_point_is_unknown() {
    // xy with the closed form of its derivatives: the second one does not look at the point, but the composite also
    // has the term product⁽¹⁾(⊥; 0) = ⊥·0
    let closed = |c: &Mpfr, x: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        let cross = |a: &[Num], b: &[Num]| c.add(&c.mul(&a[0], &b[1]), &c.mul(&a[1], &b[0]));
        Ok(vec![match vs {
            [] => c.mul(&x[0], &x[1]),
            [v] => cross(x, v),
            [v, w] => cross(v, w),
            _ => c.enclose_integer(0),
        }])
    };
    let id = LinearMap::select(2, 0..2);
    let product = Tower::new(2, 1, closed);
    let x = vec![bottom(), number(1, 1)];
    let v = [vector(&[1, 2]), vector(&[3, 4])];
    assert_identical(&derivative(&map(product.after_linear(&id)), &x, &v), &number(10, 1), "Prop. 4.3");
    assert_bottom(&derivative(&map(Tower::linear(&id).then(&product)), &x, &v), "Faà di Bruno");
    // the product by foldDer has such terms of its own
    assert_bottom(&derivative(&map(primitive::product().after_linear(&id)), &x, &v), "foldDer");
}

#[test]
fn zero_times_bottom_is_bottom() {
    let c = context();
    let square: Map = primitive::power(2, 1);
    let root_of_square = map(square.then(&primitive::elementary_tower(Function::Sqrt)));
    let cbrt: Map = primitive::elementary_tower(Function::Cbrt);
    let cbrt_squared = map(map(cbrt.pair(&cbrt)).then(&primitive::product()));
    let zero = number(0, 1);
    for f in [&root_of_square, &cbrt_squared] {
        assert_identical(&along_one(f, &zero, 0), &zero, "value");
        for k in 1..=4 {
            assert_bottom(&along_one(f, &zero, k), "at 0");
        }
    }
    // read literally, the hull over the numbers in ⊥ gives {0}: below, the differences that it would have to enclose
    let rise = |f: &Map, n: i64| {
        let h = number(1, n);
        c.div(&c.sub(&along_one(f, &h, 0), &along_one(f, &zero, 0)), &h)
    };
    assert_same(&rise(&root_of_square, 1024), &number(1, 1), "a secant of |x|");
    assert!(show(&rise(&cbrt_squared, 1024)).lo().to_f64() > 10.0);
    assert!(overlap(&along_one(&root_of_square, &zero, 1), &rise(&root_of_square, 1024)));
    // 0·log at 0, and a dependence that is 0
    let x = Variable::fresh();
    let y = Variable::fresh();
    let (gx, gy) = (Graph::variable(x), Graph::variable(y));
    let zero_log = Graph::binary(Binary::Multiply, &Graph::integer(0), &Graph::function(Function::Log, &gx));
    let zero_log = map(Tower::of_graph(&zero_log, &[x]));
    let plus_root = Graph::binary(Binary::Add, &gy, &Graph::function(Function::Sqrt, &gx));
    let plus_root = map(Tower::of_graph(&plus_root, &[x, y]));
    assert_bottom(&along_one(&zero_log, &zero, 0), "0·log 0");
    assert_bottom(&along_one(&zero_log, &zero, 1), "0·log 0");
    assert_bottom(&derivative(&plus_root, &vector(&[0, 0]), &[vector(&[0, 1])]), "y + √x along y");
    assert_identical(&derivative(&plus_root, &vector(&[1, 0]), &[vector(&[0, 1])]), &number(1, 1), "y + √x along y");
    // a constant does not make it better: its direction is a number that is 0
    let root = Graph::function(Function::Sqrt, &Graph::integer(0));
    let times_root = map(Tower::of_graph(&Graph::binary(Binary::Multiply, &gx, &root), &[x]));
    assert_bottom(&along_one(&times_root, &number(1, 1), 1), "x·√0");
}

#[test]
fn towers_are_isotone_and_contain_their_points() {
    let c = context();
    let mut random = SplitMix64::new(34);
    for _ in 0..25 {
        let f = any_map(&mut random, 2, 1);
        for k in 0..=2 {
            let mut draw = || {
                let (a, b, d) = (random.odd_dyadic(), random.odd_dyadic(), random.odd_dyadic());
                let middle = c.max(&c.min(&a, &b), &c.min(&c.max(&a, &b), &d));
                (c.hull(&a, &b), c.hull(&middle, &b), middle)
            };
            let components: Vec<_> = (0..2 * (k + 1)).map(|_| draw()).collect();
            let at = |pick: fn(&(Num, Num, Num)) -> Num| {
                let all: Vec<Num> = components.iter().map(pick).collect();
                let directions: Vec<_> = all[2..].chunks(2).map(<[Num]>::to_vec).collect();
                derivative(&f, &all[..2], &directions)
            };
            let (wide, narrow, point) = (at(|t| t.0.clone()), at(|t| t.1.clone()), at(|t| t.2.clone()));
            assert!(contains(&wide, &narrow), "{} {}", show(&wide), show(&narrow));
            assert!(contains(&narrow, &point), "{} {}", show(&narrow), show(&point));
        }
    }
}

#[test]
fn refining_approaches_the_hull() {
    // x - x is 0; the interval evaluation of the formula does not know
    let difference: Map = map(Tower::diagonal(1).then(&primitive::difference()));
    let box_ = [interval(0, 1)];
    assert_identical(&derivative(&difference, &box_, &[]), &interval(-1, 1), "as it is");
    for pieces in [2, 16, 64] {
        let refined = difference.with_subdivision(pieces);
        let step = context().hull(&number(-1, i64::from(pieces)), &number(1, i64::from(pieces)));
        assert_identical(&derivative(&refined, &box_, &[]), &step, "in pieces");
        assert_identical(&derivative(&refined, &vector(&[3]), &[vec![interval(0, 1)]]), &step, "in pieces, order 1");
        assert_identical(&derivative(&refined, &vector(&[3]), &[]), &number(0, 1), "on points");
    }
}

/// relu; ⟨id, id⟩; (−) at 0: {0} or [-1, 1] by bracketing (E43). Both enclose the Clarke derivative {0}; equality is
/// refuted, overlap survives.
#[test]
fn composition_is_not_associative_at_a_kink() {
    let (relu, diagonal, minus): (Map, Map, Map) = (primitive::relu(), Tower::diagonal(1), primitive::difference());
    // the inner composite is linear, and its hull-extension is exactly that of its matrix, 0
    let inner = LinearMap::select(1, [0, 0]).then(&LinearMap::difference(1)).unwrap();
    assert_eq!(inner, LinearMap::zero(1, 1));
    let right = map(relu.then(&Tower::linear(&inner)));
    let left = map(map(relu.then(&diagonal)).then(&minus));
    let zero = number(0, 1);
    assert_identical(&along_one(&right, &zero, 1), &zero, "relu;(⟨id, id⟩;(−))");
    assert_identical(&along_one(&left, &zero, 1), &interval(-1, 1), "(relu;⟨id, id⟩);(−)");
    // no refinement of the parts brings the left one nearer, and it brings the right one as near as wanted
    for pieces in [4, 64, 256] {
        let refined = |f: &Map| f.with_subdivision(pieces);
        let left = map(refined(&map(relu.then(&refined(&diagonal)))).then(&refined(&minus)));
        let right = map(relu.then(&refined(&map(diagonal.then(&minus)))));
        let width = i64::from(pieces);
        assert_identical(&along_one(&left, &zero, 1), &interval(-1, 1), "refined");
        let expected = context().hull(&number(-1, width), &number(1, width));
        assert_identical(&along_one(&right, &zero, 1), &expected, "refined");
    }
    // beside the kink both are maximal, and equal
    for x in [number(1, 2), number(-1, 2)] {
        for k in 0..=3 {
            assert_same(&along_one(&left, &x, k), &along_one(&right, &x, k), "beside the kink");
        }
    }
}

/// max(x, 0) + min(0, x) is x, with derivative [0, 2] at 0: the chain rule of Clarke derivatives is ⊑ (S Prop. 4.4).
#[test]
fn the_chain_rule_is_an_order() {
    let x = Variable::fresh();
    let (g, zero) = (Graph::variable(x), Graph::integer(0));
    let max = Graph::binary(Binary::Maximum, &g, &zero);
    let min = Graph::binary(Binary::Minimum, &zero, &g);
    let sum = map(Tower::of_graph(&Graph::binary(Binary::Add, &max, &min), &[x]));
    assert_identical(&along_one(&sum, &number(0, 1), 1), &interval(0, 2), "S §4.4");
    assert_identical(&along_one(&sum, &number(1, 8), 1), &number(1, 1), "beside");
}
