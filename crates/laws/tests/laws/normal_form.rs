//! Of `pieces::normal_form`.

use smoothish_laws::function::Function;
use smoothish_laws::number::Rational;
use smoothish_laws::smooth::graph::{Binary, Graph, Variable};
use smoothish_laws::smooth::normal_form::*;

fn number(n: i64) -> Graph {
    Graph::integer(n)
}

#[test]
fn algebra_is_seen_and_relations_of_atoms_are_not() {
    let x = Graph::variable(Variable::fresh());
    let binary = Graph::binary;
    let mut normaliser = RationalNormalForm::default();
    // (x + 1)² - x² - 2x - 1
    let sum = binary(Binary::Add, &x, &number(1));
    let square = |g: &Graph| binary(Binary::Multiply, g, g);
    let twice = binary(Binary::Add, &x, &x);
    let rest = binary(Binary::Add, &binary(Binary::Add, &square(&x), &twice), &number(1));
    assert!(normaliser.normal_form(&binary(Binary::Subtract, &square(&sum), &rest)).unwrap().is_zero());
    // sin (x + 1) - sin (1 + x)
    let sine = |g: &Graph| Graph::function(Function::Sin, g);
    let other = binary(Binary::Add, &number(1), &x);
    assert!(normaliser.normal_form(&binary(Binary::Subtract, &sine(&sum), &sine(&other))).unwrap().is_zero());
    // √2·√3 - √6 is 0, and that is not seen; √4 is 2
    let root = |n: i64| Graph::function(Function::Sqrt, &number(n));
    let difference = binary(Binary::Subtract, &binary(Binary::Multiply, &root(2), &root(3)), &root(6));
    assert!(normaliser.normal_form(&difference).unwrap().as_rational().is_none());
    assert_eq!(normaliser.normal_form(&root(4)).unwrap().as_rational(), Some(Rational::from(2)));
    // nothing is divided by 0
    assert!(normaliser.normal_form(&binary(Binary::Divide, &x, &binary(Binary::Subtract, &x, &x))).is_none());
}

/// A square root is one however it is written, and its square is what stands under it, also where that holds square roots.
#[test]
fn squares_of_square_roots_are_seen() {
    let x = Graph::variable(Variable::fresh());
    let binary = Graph::binary;
    let mut normaliser = RationalNormalForm::default();
    let square = |g: &Graph| binary(Binary::Multiply, g, g);
    let multiply = |a: &Graph, b: &Graph| binary(Binary::Multiply, a, b);
    let (root, power) =
        (|g: &Graph| Graph::function(Function::Sqrt, g), |g: &Graph| Graph::power(g, &Rational::from((1, 2))));
    let inner = binary(Binary::Add, &x, &root(&binary(Binary::Subtract, &x, &number(2))));
    let outer = binary(Binary::Add, &root(&inner), &power(&inner).unwrap());
    // (2√(x + √(x-2)))⁴ = 16(x² + 2x√(x-2) + x - 2), and not 16(x² + 2x√(x-2) + x - 1)
    let right = |n: i64| {
        let middle =
            binary(Binary::Multiply, &binary(Binary::Add, &x, &x), &root(&binary(Binary::Subtract, &x, &number(2))));
        let sum =
            binary(Binary::Add, &square(&x), &binary(Binary::Add, &middle, &binary(Binary::Subtract, &x, &number(n))));
        binary(Binary::Multiply, &number(16), &sum)
    };
    let mut is_zero = |n: i64| {
        let difference = binary(Binary::Subtract, &square(&square(&outer)), &right(n));
        normaliser.normal_form(&difference).unwrap().is_zero()
    };
    assert!(is_zero(2) && !is_zero(1));
    // factors that are squares come out: 9√(8x/27) is 2√(6x)
    let scaled =
        |p: i64, q: i64, r: i64| multiply(&number(p), &root(&multiply(&Graph::rational(Rational::from((q, r))), &x)));
    let difference = binary(Binary::Subtract, &scaled(9, 8, 27), &scaled(2, 6, 1));
    assert!(normaliser.normal_form(&difference).unwrap().is_zero());
    let difference = binary(Binary::Subtract, &scaled(9, 8, 27), &scaled(2, 3, 1));
    assert!(!normaliser.normal_form(&difference).unwrap().is_zero());
    // so does the number under a quotient
    let halved = root(&binary(Binary::Divide, &x, &number(2)));
    let difference = binary(Binary::Subtract, &binary(Binary::Multiply, &number(2), &square(&halved)), &x);
    assert!(normaliser.normal_form(&difference).unwrap().is_zero());
}

#[test]
fn derivatives_of_polynomials_are_written_out() {
    let (v, w) = (Variable::fresh(), Variable::fresh());
    let (x, y) = (Graph::variable(v), Graph::variable(w));
    // d/dx (x²y + 1/x) at x = 3 along 2, less 2(6y - 1/9)
    let cube = Graph::binary(Binary::Multiply, &Graph::binary(Binary::Multiply, &x, &x), &y);
    let body = Graph::binary(Binary::Add, &cube, &Graph::binary(Binary::Divide, &number(1), &x));
    let slope = Graph::derivative(vec![v], body, vec![number(3)], vec![number(2)]);
    let expected = Graph::binary(
        Binary::Subtract,
        &Graph::binary(Binary::Multiply, &number(12), &y),
        &Graph::rational(Rational::from((2, 9))),
    );
    let mut normaliser = RationalNormalForm::default();
    assert!(normaliser.normal_form(&Graph::binary(Binary::Subtract, &slope, &expected)).unwrap().is_zero());
}
