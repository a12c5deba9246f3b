//! The clauses of S Fig. 4, each by values that are known.

use super::{exactly, number, values, variable};
use smoothish::meaning::first_order::denotation::{FirstOrderError, graphs_of_term, tower_of_term};
use smoothish::meaning::first_order::{AdArrow, FirstOrderContext, FirstOrderTerm, FirstOrderType};
use smoothish::number::{Double, Rational};
use smoothish::smooth::graph::Graph;
use smoothish::syntax::constant::Constant;

fn reals(names: &[&str]) -> FirstOrderContext {
    names.iter().fold(FirstOrderContext::new(), |context, name| context.with(name, &FirstOrderType::real()))
}

#[test]
fn variables_arrows_units_and_pairs() {
    let (x, y) = (variable("x"), variable("y"));
    let context = reals(&["x", "y"]);
    exactly(&x, &context, &[7, 8], &[7]);
    exactly(&y.pair(&x), &context, &[7, 8], &[8, 7]);
    exactly(&FirstOrderTerm::unit(), &context, &[7, 8], &[]);
    exactly(&x.minus(&y).times(&number(3)), &context, &[7, 8], &[-3]);
    exactly(&x.over(&number(2)).pair(&number(5)), &context, &[4, 0], &[2, 5]);
    let real = FirstOrderType::real();
    let pair =
        FirstOrderTerm::apply(AdArrow::second(&real, &FirstOrderType::product(&real, &real)), &x.pair(&y.pair(&x)));
    exactly(&pair, &context, &[7, 8], &[8, 7]);
    let pair =
        FirstOrderTerm::apply(AdArrow::first(&FirstOrderType::product(&real, &real), &real), &y.pair(&x).pair(&x));
    exactly(&pair, &context, &[7, 8], &[8, 7]);
    let turned =
        AdArrow::linear(2, vec![vec![Rational::new(), Rational::from(-1)], vec![Rational::from(1), Rational::new()]]);
    exactly(&FirstOrderTerm::apply(turned.unwrap(), &x.pair(&y)), &context, &[7, 8], &[-8, 7]);
    exactly(&FirstOrderTerm::apply(AdArrow::power(3).unwrap(), &y), &context, &[7, 2], &[8]);
    exactly(&FirstOrderTerm::operation(Constant::Max, &[x, y]).unwrap(), &context, &[7, 8], &[8]);
}

#[test]
fn let_binds_the_innermost() {
    let x = variable("x");
    let context = reals(&["x"]);
    // let x ≜ x × x in let x ≜ x + 1 in x × x, at 2: (4 + 1)²
    let inner = FirstOrderTerm::bind("x", &x.plus(&number(1)), &x.times(&x));
    exactly(&FirstOrderTerm::bind("x", &x.times(&x), &inner), &context, &[2], &[25]);
    // a pair under one name
    let p = variable("p");
    let sum = FirstOrderTerm::apply(AdArrow::operation(Constant::Add).unwrap(), &p);
    exactly(&FirstOrderTerm::bind("p", &x.pair(&number(10)), &sum), &context, &[2], &[12]);
}

/// S Fig. 3: ∂(x × x)/∂x|x=3·1 = 6.
#[test]
fn the_slope_of_a_square() {
    let x = variable("x");
    exactly(
        &FirstOrderTerm::derivative(&x.times(&x), "x", &number(3), &number(1)),
        &FirstOrderContext::new(),
        &[],
        &[6],
    );
    exactly(
        &FirstOrderTerm::derivative(&x.times(&x), "x", &number(3), &number(-2)),
        &FirstOrderContext::new(),
        &[],
        &[-12],
    );
}

/// The derivative of x³ along 1, differentiated again: 6x, and then 6.
#[test]
fn nested_derivatives() {
    let (x, y, z) = (variable("x"), variable("y"), variable("z"));
    let cube = z.times(&z).times(&z);
    let first = FirstOrderTerm::derivative(&cube, "z", &y, &number(1));
    let second = FirstOrderTerm::derivative(&first, "y", &x, &number(1));
    let third = FirstOrderTerm::derivative(&second, "x", &variable("w"), &number(1));
    exactly(&first, &reals(&["y"]), &[2], &[12]);
    exactly(&second, &reals(&["x"]), &[2], &[12]);
    exactly(&third, &reals(&["w"]), &[2], &[6]);
}

/// ⟨0, e_dx⟩: the context is held fixed. ∂(x × y)/∂x|x=y·1 at y = 5 is 5, not the 10 of y ↦ y × y; only the outer
/// derivative moves y, and finds 1. And no two infinitesimals are confused.
#[test]
fn the_context_is_held_fixed() {
    let (x, y) = (variable("x"), variable("y"));
    let inner = FirstOrderTerm::derivative(&x.times(&y), "x", &y, &number(1));
    exactly(&inner, &reals(&["y"]), &[5], &[5]);
    exactly(&FirstOrderTerm::derivative(&inner, "y", &number(5), &number(1)), &FirstOrderContext::new(), &[], &[1]);
    // ∂(x × ∂(x + y)/∂y)/∂x = 1
    let slope = FirstOrderTerm::derivative(&x.plus(&y), "y", &number(1), &number(1));
    exactly(
        &FirstOrderTerm::derivative(&x.times(&slope), "x", &number(1), &number(1)),
        &FirstOrderContext::new(),
        &[],
        &[1],
    );
    // the direction may mention the context
    exactly(&FirstOrderTerm::derivative(&x.times(&x), "x", &number(1), &y), &reals(&["y"]), &[4], &[8]);
}

/// Along a pair: ∂(fst p × snd p)/∂p at (2, 3) along (a, b) is 3a + 2b.
#[test]
fn derivatives_along_pairs() {
    let (p, real) = (variable("p"), FirstOrderType::real());
    let part = |arrow: AdArrow| FirstOrderTerm::apply(arrow, &p);
    let body = part(AdArrow::first(&real, &real)).times(&part(AdArrow::second(&real, &real)));
    let at = number(2).pair(&number(3));
    let along = variable("a").pair(&variable("b"));
    exactly(&FirstOrderTerm::derivative(&body, "p", &at, &along), &reals(&["a", "b"]), &[10, 100], &[230]);
    let both = body.pair(&part(AdArrow::first(&real, &real)));
    exactly(&FirstOrderTerm::derivative(&both, "p", &at, &along), &reals(&["a", "b"]), &[10, 100], &[230, 10]);
}

#[test]
fn at_a_kink_the_set() {
    let x = variable("x");
    let relu = FirstOrderTerm::operation(Constant::Max, &[x, number(0)]).unwrap();
    let slope = values(&FirstOrderTerm::derivative(&relu, "x", &number(0), &number(1)), &FirstOrderContext::new(), &[]);
    assert!(slope[0].contains(&Rational::from(0)) && slope[0].contains(&Rational::from(1)));
    assert!(slope[0].has_width_at_most(&Rational::from(1)));
}

/// Expressions as deep as may be: sums, and names for names.
#[test]
fn deep_terms_have_values() {
    let x = variable("x");
    let (mut sum, mut chain) = (x.clone(), x.clone());
    for i in 0..4_000 {
        sum = sum.plus(&number(1));
        if i < 400 {
            // each name is a coordinate more, and identities carry them all along
            chain = FirstOrderTerm::bind("x", &x.plus(&number(i % 2)), &chain);
        }
    }
    let context = reals(&["x"]);
    exactly(&sum, &context, &[7], &[4007]);
    exactly(&chain, &context, &[7], &[207]);
    let input = Graph::variable(smoothish::smooth::graph::Variable::fresh());
    assert_eq!(graphs_of_term(&sum, &context, std::slice::from_ref(&input)).unwrap().len(), 1);
    smoothish::meaning::first_order::translation::core_term_of(&chain, &context).unwrap();
    assert!(chain.to_string().len() > 4_000);
}

#[test]
fn what_has_no_type_has_no_meaning() {
    let x = variable("x");
    assert!(matches!(tower_of_term::<Double>(&x, &FirstOrderContext::new()), Err(FirstOrderError::Typing(_))));
    assert!(matches!(graphs_of_term(&x, &FirstOrderContext::new(), &[]), Err(FirstOrderError::Typing(_))));
    let context = reals(&["x"]);
    assert!(matches!(graphs_of_term(&x, &context, &[]), Err(FirstOrderError::Tower(_))));
    let found = graphs_of_term(&x, &context, &[Graph::integer(1)]).unwrap();
    assert_eq!(found[0].as_rational(), Some(&1.into()));
}
