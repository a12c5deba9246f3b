//! The rules of S Fig. 3, each where it applies and where it does not.

use super::{number, variable};
use smoothish::function::Function;
use smoothish::function::Functional;
use smoothish::meaning::first_order::AdArrowError;
use smoothish::meaning::first_order::typing::{FirstOrderRule, FirstOrderTypingError};
use smoothish::meaning::first_order::{AdArrow, FirstOrderContext, FirstOrderTerm, FirstOrderType};
use smoothish::number::Rational;
use smoothish::syntax::constant::Constant;

fn plane() -> FirstOrderType {
    FirstOrderType::product(&FirstOrderType::real(), &FirstOrderType::real())
}

fn context() -> FirstOrderContext {
    FirstOrderContext::new().with("x", &FirstOrderType::real()).with("p", &plane()).with("v", &FirstOrderType::space(3))
}

fn typed(term: &FirstOrderTerm, expected: &FirstOrderType) {
    assert_eq!(term.type_in(&context()).as_ref(), Ok(expected), "{term}");
}

fn refused(term: &FirstOrderTerm, rule: FirstOrderRule, message: &str) {
    let error = term.type_in(&context()).expect_err(&term.to_string());
    assert_eq!(error.rule(), rule, "{error}");
    assert_eq!(error.to_string(), message);
}

#[test]
fn variables() {
    typed(&variable("x"), &FirstOrderType::real());
    typed(&variable("p"), &plane());
    refused(
        &variable("z"),
        FirstOrderRule::Variable,
        "rule x: expected a variable of the context ·, x : ⌊ℝ⌋, p : ⌊ℝ⌋ × ⌊ℝ⌋, v : ⌊ℝ^3⌋, found `z`",
    );
    // the last of a name counts
    let hidden = context().with("x", &plane());
    assert_eq!(variable("x").type_in(&hidden), Ok(plane()));
}

#[test]
fn arrows() {
    let (real, real_plane) = (FirstOrderType::real(), FirstOrderType::space(2));
    typed(&variable("x").plus(&number(2)), &real);
    typed(&FirstOrderTerm::operation(Constant::Elementary(Function::Sin), &[variable("x")]).unwrap(), &real);
    typed(&FirstOrderTerm::apply(AdArrow::first(&real, &real), &variable("p")), &real);
    let sum = AdArrow::operation(Constant::Add).unwrap();
    // the argument has to denote the domain, under whatever type
    let flat = FirstOrderTerm::apply(AdArrow::identity(&plane(), &real_plane).unwrap(), &variable("p"));
    typed(&flat, &real_plane);
    typed(&FirstOrderTerm::apply(sum.clone(), &flat), &real);
    refused(
        &FirstOrderTerm::apply(sum, &variable("v")),
        FirstOrderRule::Arrow,
        "rule ⌊f⌋(e): ⌊+⌋ expects ⌊ℝ⌋ × ⌊ℝ⌋, which denotes ℝ^2; found `v` of type ⌊ℝ^3⌋, which denotes ℝ^3",
    );
    // the wrong component: fst of something else
    refused(
        &FirstOrderTerm::apply(AdArrow::first(&real, &plane()), &variable("p")),
        FirstOrderRule::Arrow,
        "rule ⌊f⌋(e): ⌊fst⌋ expects ⌊ℝ⌋ × (⌊ℝ⌋ × ⌊ℝ⌋), which denotes ℝ^3; found `p` of type ⌊ℝ⌋ × ⌊ℝ⌋, which denotes ℝ^2",
    );
    refused(
        &FirstOrderTerm::apply(AdArrow::second(&real, &plane()), &variable("v")),
        FirstOrderRule::Arrow,
        "rule ⌊f⌋(e): ⌊snd⌋ expects a term of type ⌊ℝ⌋ × (⌊ℝ⌋ × ⌊ℝ⌋); found `v` of type ⌊ℝ^3⌋",
    );
}

#[test]
fn unit_pairs_and_let() {
    typed(&FirstOrderTerm::unit(), &FirstOrderType::unit());
    typed(&variable("x").pair(&variable("p")), &FirstOrderType::product(&FirstOrderType::real(), &plane()));
    typed(
        &FirstOrderTerm::bind("y", &variable("p"), &variable("y").pair(&variable("x"))),
        &FirstOrderType::product(&plane(), &FirstOrderType::real()),
    );
    // x is not bound in its own value, and not bound any more outside
    typed(&FirstOrderTerm::bind("x", &variable("x").pair(&variable("x")), &variable("x")), &plane());
    let outside = FirstOrderTerm::bind("y", &variable("x"), &variable("y")).pair(&variable("y"));
    assert!(matches!(outside.type_in(&context()), Err(FirstOrderTypingError::Unbound { .. })));
}

#[test]
fn derivatives() {
    let (x, p) = (variable("x"), variable("p"));
    typed(&FirstOrderTerm::derivative(&x.times(&x), "x", &number(3), &number(1)), &FirstOrderType::real());
    typed(
        &FirstOrderTerm::derivative(&x.pair(&p), "x", &x, &x),
        &FirstOrderType::product(&FirstOrderType::real(), &plane()),
    );
    // of a pair along a pair
    let swapped = FirstOrderTerm::derivative(&variable("q"), "q", &p, &number(1).pair(&number(0)));
    typed(&swapped, &plane());
    refused(
        &FirstOrderTerm::derivative(&x, "x", &number(3), &p),
        FirstOrderRule::Derivative,
        "rule ∂e_y/∂x|x=e_x·e_dx: the direction must have the type ⌊ℝ⌋ of the point; found `p` of type ⌊ℝ⌋ × ⌊ℝ⌋",
    );
    // in the point and the direction the variable is not bound
    let free = FirstOrderTerm::derivative(&variable("y"), "y", &variable("y"), &number(1));
    assert!(matches!(free.type_in(&context()), Err(FirstOrderTypingError::Unbound { .. })));
}

#[test]
fn what_is_no_arrow() {
    for constant in [
        Constant::Deriv,
        Constant::Functional(Functional::Integral),
        Constant::Fst,
        Constant::Power,
        Constant::Not,
        Constant::TangentR,
    ] {
        assert_eq!(AdArrow::operation(constant), Err(AdArrowError::NotFirstOrder { constant }));
    }
    let first_order = Constant::ALL.iter().filter(|constant| AdArrow::operation(**constant).is_ok()).count();
    // all functions of one number, and arithmetic
    assert_eq!(first_order, Function::ALL.len() + 14);
    let error = AdArrow::identity(&plane(), &FirstOrderType::space(3)).unwrap_err().to_string();
    assert_eq!(error, "there is no identity from ⌊ℝ⌋ × ⌊ℝ⌋, which denotes ℝ^2, to ⌊ℝ^3⌋, which denotes ℝ^3");
    let row = AdArrow::linear(2, vec![vec![Rational::from(1)]]);
    assert_eq!(row, Err(AdArrowError::Row { row: 0, expected: 2, found: 1 }));
    AdArrow::power((1, 3)).unwrap();
    assert!(matches!(AdArrow::power(1_000_000), Err(AdArrowError::Exponent { .. })));
    assert!(FirstOrderTerm::operation(Constant::Elementary(Function::Sin), &[variable("x"), variable("x")]).is_err());
}

#[test]
fn large_terms_are_refused_and_deep_ones_are_not() {
    let mut wide = variable("x");
    let mut deep = variable("x");
    for _ in 0..60 {
        wide = wide.plus(&wide);
    }
    for _ in 0..100_000 {
        deep = deep.plus(&number(1));
    }
    assert!(matches!(wide.type_in(&context()), Err(FirstOrderTypingError::TooLarge { .. })));
    assert!(matches!(deep.type_in(&context()), Err(FirstOrderTypingError::TooLarge { .. })));
    let mut pairs = variable("x");
    for _ in 0..11 {
        pairs = pairs.pair(&pairs);
    }
    pairs.type_in(&context()).unwrap();
    for _ in 0..3 {
        pairs = pairs.pair(&pairs);
    }
    assert!(matches!(
        pairs.type_in(&context()),
        Err(FirstOrderTypingError::TooLarge { rule: FirstOrderRule::Pair, .. })
    ));
    let mut nested = FirstOrderType::unit();
    for _ in 0..200_000 {
        nested = FirstOrderType::product(&nested, &FirstOrderType::unit());
    }
    assert!(variable("x").type_in(&FirstOrderContext::new().with("x", &nested)).is_err());
}

#[test]
fn terms_are_printed_as_in_the_paper() {
    let (x, y) = (variable("x"), variable("y"));
    for (term, expected) in [
        (x.plus(&y.times(&number(2))), "x + (y × 2)"),
        (FirstOrderTerm::operation(Constant::Elementary(Function::Sin), &[x.over(&y)]).unwrap(), "⌊sin⌋(x ÷ y)"),
        (FirstOrderTerm::operation(Constant::Max, &[x.clone(), y.clone()]).unwrap(), "⌊max⌋(x, y)"),
        (FirstOrderTerm::bind("y", &x, &y.minus(&FirstOrderTerm::number((1, 2)))), "let y ≜ x in y − (1/2)"),
        (
            FirstOrderTerm::apply(
                AdArrow::first(&FirstOrderType::real(), &FirstOrderType::unit()),
                &x.pair(&FirstOrderTerm::unit()),
            ),
            "⌊fst⌋(x, !)",
        ),
        (
            FirstOrderTerm::derivative(
                &FirstOrderTerm::derivative(&x.times(&y), "x", &y, &number(1)),
                "y",
                &number(3),
                &y,
            ),
            "∂(∂(x × y)/∂x|x=y·1)/∂y|y=3·y",
        ),
        (FirstOrderTerm::apply(AdArrow::power(2).unwrap(), &x), "⌊^(2)⌋(x)"),
    ] {
        assert_eq!(term.to_string(), expected);
    }
}
