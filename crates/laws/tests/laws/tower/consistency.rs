//! Consistency (S §4.1, §4.2): the rules for chains, pairs and products as ⊑ (S12–S14), and the refuter on random
//! composites, terms, and second-order primitives (S15, S33, S47).

use super::sample::{GraphGenerator, SplitMix64, formula, kinked_map};
use super::support::*;
use smoothish_laws::law::theorem::smooth::{PiecewiseLinear, one_sided_slopes};
use smoothish_laws::number::{Context, Rational};
use smoothish_laws::smooth::graph::{Binary, Graph, Variable};
use smoothish_laws::smooth::tower::consistency::{CheckOutcome, Consistency};
use smoothish_laws::smooth::tower::{Tower, primitive};

fn op(f: Binary, a: Graph, b: Graph) -> Graph {
    Graph::binary(f, &a, &b)
}

/// How many samples could be asked something; nothing may be refuted.
#[track_caller]
fn asked(f: &Map, samples: usize, orders: usize, what: &str) -> usize {
    let how = Consistency { orders, samples, seed: 33 };
    match how.refute(f, &context()).unwrap() {
        CheckOutcome::Survived { asked } => asked,
        CheckOutcome::Refuted(why) => panic!("{what}: {why}"),
        CheckOutcome::Doubtful(why) => panic!("{what}: {why}"),
    }
}

#[test]
fn the_chain_rule_encloses_the_derivative_of_the_composite() {
    let (c, mut random) = (context(), SplitMix64::new(12));
    let (mut kinks, mut sets) = (0, 0);
    for _ in 0..300 {
        let (f, g) = (PiecewiseLinear::draw_function(&mut random), PiecewiseLinear::draw_function(&mut random));
        let x = PiecewiseLinear::draw_point(&mut random);
        let composite = map(map(f.tower()).then(&map(g.tower())));
        let found = along_one(&composite, &c.enclose_rational(&x), 1);
        let true_slopes = one_sided_slopes(|x| g.value_at(&f.value_at(x)), &x);
        for slope in &true_slopes {
            assert!(show(&found).contains(slope), "{slope} at {x}: {}", show(&found));
        }
        kinks += usize::from(true_slopes[0] != true_slopes[1]);
        sets += usize::from(!is_narrow(&found));
    }
    assert!(kinks > 50 && sets >= kinks, "{kinks}, {sets}");
}

/// ⊑, and no equality: max(x, 0) + min(0, x) is x.
#[test]
fn a_sum_of_sets_may_be_wider_than_the_derivative() {
    let x = Variable::fresh();
    let (at, zero) = (Graph::variable(x), Graph::integer(0));
    let part = |f| op(f, at.clone(), zero.clone());
    let sum = op(Binary::Add, part(Binary::Maximum), part(Binary::Minimum));
    let sum = map(Tower::of_graph(&sum, &[x]));
    assert_identical(&along_one(&sum, &number(0, 1), 1), &interval(0, 2), "at the kink");
    assert_identical(&along_one(&sum, &number(1, 3), 1), &number(1, 1), "beside it");
    assert!(asked(&sum, 100, 1, "max(x, 0) + min(0, x)") > 30);
}

#[test]
fn a_pair_has_the_product_of_the_derivatives() {
    let (c, mut random) = (context(), SplitMix64::new(13));
    for _ in 0..100 {
        let (f, g) = (PiecewiseLinear::draw_function(&mut random), PiecewiseLinear::draw_function(&mut random));
        let x = PiecewiseLinear::draw_point(&mut random);
        let pair = map(map(f.tower()).pair(&map(g.tower())));
        let found = pair.derivative(&[c.enclose_rational(&x)], &[vector(&[1])], &c).unwrap();
        for (h, found) in [f, g].iter().zip(&found) {
            assert_identical(found, &along_one(&map(h.tower()), &c.enclose_rational(&x), 1), "componentwise");
            for slope in one_sided_slopes(|x| h.value_at(x), &x) {
                assert!(show(found).contains(&slope), "{slope} at {x}: {}", show(found));
            }
        }
    }
    // the diagonal segment is in the square, and is not the square: (max(x,0), max(x,0)) has slopes (0,0) and (1,1) only
    let relu: Map = primitive::relu();
    let both = map(relu.pair(&relu)).derivative(&vector(&[0]), &[vector(&[1])], &c).unwrap();
    both.iter().for_each(|found| assert_identical(found, &interval(0, 1), "the square"));
}

#[test]
fn the_product_rule_encloses_the_derivatives_of_products() {
    let (c, mut random) = (context(), SplitMix64::new(14));
    for _ in 0..200 {
        let (f, g) = (PiecewiseLinear::draw_function(&mut random), PiecewiseLinear::draw_function(&mut random));
        let x = PiecewiseLinear::draw_point(&mut random);
        let product = map(map(map(f.tower()).pair(&map(g.tower()))).then(&primitive::product()));
        let found = along_one(&product, &c.enclose_rational(&x), 1);
        // on either side the product is a parabola: its slope at x is its first difference without the square term
        for side in [1, -1] {
            let h = Rational::from((side, 1 << 30));
            let at = |t: i64| {
                let y = &x + Rational::from(&h * t);
                f.value_at(&y) * g.value_at(&y)
            };
            let slope = (4 * at(1) - at(2) - 3 * at(0)) / (Rational::from(&h * 2));
            assert!(show(&found).contains(&slope), "{slope} at {x}: {}", show(&found));
        }
        // higher orders where both factors are smooth: Leibniz
        let y = &x + Rational::from((1, 5));
        let at = |f: &Map, k| along_one(f, &c.enclose_rational(&y), k);
        let (f, g) = (map(f.tower()), map(g.tower()));
        let second = c.mul_integer(&c.mul(&at(&f, 1), &at(&g, 1)), 2);
        assert_same(&at(&product, 2), &second, "fg″ + 2f′g′ + f″g");
        assert_same(&at(&product, 3), &number(0, 1), "order 3");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn random_composites_are_consistent() {
        let mut random = SplitMix64::new(15);
        let mut count = 0;
        for _ in 0..6 {
            let f = kinked_map(&mut random, 2, 2);
            let g = kinked_map(&mut random, 2, 1);
            count += asked(&map(f.then(&g)), 25, 3, "a composite of kinked maps");
        }
        assert!(count > 30, "{count}");
    }

    /// S33, both ways of computing a term: the clauses of Fig. 4, and the jets.
    #[test]
    fn random_terms_are_consistent() {
        let mut random = SplitMix64::new(33);
        let mut count = 0;
        for sample in 0..30 {
            let variables = 1 + random.next_below(2);
            let inputs: Vec<_> = (0..variables).map(|_| Variable::fresh()).collect();
            let graphs = GraphGenerator { derivative_depth: sample % 2, has_kinks: sample % 3 != 0 };
            let operations = 2 + random.next_below(4);
            let graph = graphs.draw_graph(&mut random, &inputs, operations);
            let printed = formula(&graph);
            count += asked(&map(Tower::of_graph(&graph, &inputs)), 20, 2, &printed);
            count += asked(&map(Tower::by_jets(&[graph], &inputs)), 20, 2, &printed);
        }
        assert!(count > 250, "{count}");
    }

    /// S47: integrals, roots and optima of functions with a parameter.
    #[test]
    fn second_order_primitives_preserve_consistency() {
        let (c, x) = (Variable::fresh(), Variable::fresh());
        let (at, parameter) = (Graph::variable(x), Graph::variable(c));
        let minus = |a: &Graph, b: &Graph| op(Binary::Subtract, a.clone(), b.clone());
        let square = |a: Graph| op(Binary::Multiply, a.clone(), a);
        let apart = minus(&at, &parameter);
        let relu = op(Binary::Maximum, apart.clone(), Graph::integer(0));
        let falling =
            minus(&parameter, &op(Binary::Add, at.clone(), op(Binary::Multiply, at.clone(), square(at.clone()))));
        let hill = minus(&Graph::integer(0), &square(apart.clone()));
        let tied = square(minus(&at, &op(Binary::Multiply, parameter.clone(), parameter.clone())));
        for (what, graph, orders, least) in [
            ("∫ max(x − c, 0)", Graph::integral(x, relu), 2, 20),
            ("∫ (x − c)²", Graph::integral(x, square(apart.clone())), 3, 20),
            (
                "∫ |x − c|·x",
                {
                    let length = op(Binary::Maximum, apart.clone(), minus(&parameter, &at));
                    Graph::integral(x, op(Binary::Multiply, length, at.clone()))
                },
                1,
                20,
            ),
            ("the root of c − x − x³", Graph::cut_root(x, falling.clone()), 2, 20),
            ("the first root of c − x − x³", Graph::first_root(x, falling), 1, 15),
            ("max −(x − c)²", Graph::maximum(x, hill.clone()), 1, 15),
            ("argmax −(x − c)²", Graph::maximiser(x, hill), 1, 15),
            ("max (x − c²)²", Graph::maximum(x, tied), 1, 15),
        ] {
            let count = asked(&map(Tower::by_jets(&[graph], &[c])), 60, orders, what);
            assert!(count >= least, "{what}: {count}");
        }
    }
}
