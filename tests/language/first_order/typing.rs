//! The rules of S Fig. 3, each where it applies and where it does not.

use super::{number, variable};
use crate::first_order::example::language::arrow::ArrowError;
use crate::first_order::example::language::typing::{Rule, TypingError};
use crate::first_order::example::language::{Arrow, Context, Term, Type};
use smoothish::function::Function;
use smoothish::function::Functional;
use smoothish::number::Rational;
use smoothish::syntax::constant::Constant;

fn plane() -> Type {
    Type::product(&Type::real(), &Type::real())
}

fn context() -> Context {
    Context::new().with("x", &Type::real()).with("p", &plane()).with("v", &Type::space(3))
}

fn typed(term: &Term, expected: &Type) {
    assert_eq!(term.type_in(&context()).as_ref(), Ok(expected), "{term}");
}

fn refused(term: &Term, rule: Rule, message: &str) {
    let error = term.type_in(&context()).expect_err(&term.to_string());
    assert_eq!(error.rule(), rule, "{error}");
    assert_eq!(error.to_string(), message);
}

#[test]
fn variables() {
    typed(&variable("x"), &Type::real());
    typed(&variable("p"), &plane());
    refused(
        &variable("z"),
        Rule::Variable,
        "rule x: expected a variable of the context ·, x : ⌊ℝ⌋, p : ⌊ℝ⌋ × ⌊ℝ⌋, v : ⌊ℝ^3⌋, found `z`",
    );
    // the last of a name counts
    let hidden = context().with("x", &plane());
    assert_eq!(variable("x").type_in(&hidden), Ok(plane()));
}

#[test]
fn arrows() {
    let (real, real_plane) = (Type::real(), Type::space(2));
    typed(&variable("x").plus(&number(2)), &real);
    typed(&Term::operation(Constant::Elementary(Function::Sin), &[variable("x")]).unwrap(), &real);
    typed(&Term::apply(Arrow::first(&real, &real), &variable("p")), &real);
    let sum = Arrow::operation(Constant::Add).unwrap();
    // the argument has to denote the domain, under whatever type
    let flat = Term::apply(Arrow::identity(&plane(), &real_plane).unwrap(), &variable("p"));
    typed(&flat, &real_plane);
    typed(&Term::apply(sum.clone(), &flat), &real);
    refused(
        &Term::apply(sum, &variable("v")),
        Rule::Arrow,
        "rule ⌊f⌋(e): ⌊+⌋ expects ⌊ℝ⌋ × ⌊ℝ⌋, which denotes ℝ^2; found `v` of type ⌊ℝ^3⌋, which denotes ℝ^3",
    );
    // the wrong component: fst of something else
    refused(
        &Term::apply(Arrow::first(&real, &plane()), &variable("p")),
        Rule::Arrow,
        "rule ⌊f⌋(e): ⌊fst⌋ expects ⌊ℝ⌋ × (⌊ℝ⌋ × ⌊ℝ⌋), which denotes ℝ^3; found `p` of type ⌊ℝ⌋ × ⌊ℝ⌋, which denotes ℝ^2",
    );
    refused(
        &Term::apply(Arrow::second(&real, &plane()), &variable("v")),
        Rule::Arrow,
        "rule ⌊f⌋(e): ⌊snd⌋ expects a term of type ⌊ℝ⌋ × (⌊ℝ⌋ × ⌊ℝ⌋); found `v` of type ⌊ℝ^3⌋",
    );
}

#[test]
fn unit_pairs_and_let() {
    typed(&Term::unit(), &Type::unit());
    typed(&variable("x").pair(&variable("p")), &Type::product(&Type::real(), &plane()));
    typed(
        &Term::bind("y", &variable("p"), &variable("y").pair(&variable("x"))),
        &Type::product(&plane(), &Type::real()),
    );
    // x is not bound in its own value, and not bound any more outside
    typed(&Term::bind("x", &variable("x").pair(&variable("x")), &variable("x")), &plane());
    let outside = Term::bind("y", &variable("x"), &variable("y")).pair(&variable("y"));
    assert!(matches!(outside.type_in(&context()), Err(TypingError::Unbound { .. })));
}

#[test]
fn derivatives() {
    let (x, p) = (variable("x"), variable("p"));
    typed(&Term::derivative(&x.times(&x), "x", &number(3), &number(1)), &Type::real());
    typed(&Term::derivative(&x.pair(&p), "x", &x, &x), &Type::product(&Type::real(), &plane()));
    // of a pair along a pair
    let swapped = Term::derivative(&variable("q"), "q", &p, &number(1).pair(&number(0)));
    typed(&swapped, &plane());
    refused(
        &Term::derivative(&x, "x", &number(3), &p),
        Rule::Derivative,
        "rule ∂e_y/∂x|x=e_x·e_dx: the direction must have the type ⌊ℝ⌋ of the point; found `p` of type ⌊ℝ⌋ × ⌊ℝ⌋",
    );
    // in the point and the direction the variable is not bound
    let free = Term::derivative(&variable("y"), "y", &variable("y"), &number(1));
    assert!(matches!(free.type_in(&context()), Err(TypingError::Unbound { .. })));
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
        assert_eq!(Arrow::operation(constant), Err(ArrowError::NotFirstOrder { constant }));
    }
    let first_order = Constant::ALL.iter().filter(|constant| Arrow::operation(**constant).is_ok()).count();
    // two of them are the Bessel functions
    assert_eq!(first_order, 38);
    let error = Arrow::identity(&plane(), &Type::space(3)).unwrap_err().to_string();
    assert_eq!(error, "there is no identity from ⌊ℝ⌋ × ⌊ℝ⌋, which denotes ℝ^2, to ⌊ℝ^3⌋, which denotes ℝ^3");
    let row = Arrow::linear(2, vec![vec![Rational::from(1)]]);
    assert_eq!(row, Err(ArrowError::Row { row: 0, expected: 2, found: 1 }));
    assert!(Arrow::power((1, 3)).is_ok());
    assert!(matches!(Arrow::power(1_000_000), Err(ArrowError::Exponent { .. })));
    assert!(Term::operation(Constant::Elementary(Function::Sin), &[variable("x"), variable("x")]).is_err());
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
    assert!(matches!(wide.type_in(&context()), Err(TypingError::TooLarge { .. })));
    assert!(matches!(deep.type_in(&context()), Err(TypingError::TooLarge { .. })));
    let mut pairs = variable("x");
    for _ in 0..11 {
        pairs = pairs.pair(&pairs);
    }
    assert!(pairs.type_in(&context()).is_ok());
    for _ in 0..3 {
        pairs = pairs.pair(&pairs);
    }
    assert!(matches!(pairs.type_in(&context()), Err(TypingError::TooLarge { rule: Rule::Pair, .. })));
    let mut nested = Type::unit();
    for _ in 0..200_000 {
        nested = Type::product(&nested, &Type::unit());
    }
    assert!(variable("x").type_in(&Context::new().with("x", &nested)).is_err());
}

#[test]
fn terms_are_printed_as_in_the_paper() {
    let (x, y) = (variable("x"), variable("y"));
    for (term, expected) in [
        (x.plus(&y.times(&number(2))), "x + (y × 2)"),
        (Term::operation(Constant::Elementary(Function::Sin), &[x.over(&y)]).unwrap(), "⌊sin⌋(x ÷ y)"),
        (Term::operation(Constant::Max, &[x.clone(), y.clone()]).unwrap(), "⌊max⌋(x, y)"),
        (Term::bind("y", &x, &y.minus(&Term::number((1, 2)))), "let y ≜ x in y − (1/2)"),
        (Term::apply(Arrow::first(&Type::real(), &Type::unit()), &x.pair(&Term::unit())), "⌊fst⌋(x, !)"),
        (
            Term::derivative(&Term::derivative(&x.times(&y), "x", &y, &number(1)), "y", &number(3), &y),
            "∂(∂(x × y)/∂x|x=y·1)/∂y|y=3·y",
        ),
        (Term::apply(Arrow::power(2).unwrap(), &x), "⌊^(2)⌋(x)"),
    ] {
        assert_eq!(term.to_string(), expected);
    }
}
