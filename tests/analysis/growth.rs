//! How functions go beside an end: `sᵖ·N` holds them and their derivatives in another input, all along.

use smoothish::number::budget::Budget;
use smoothish::number::context::{Context, Function};
use smoothish::number::effort::Effort;
use smoothish::number::{Magnitude, Mpfr, Rational};
use smoothish::smooth::algebra::Algebra;
use smoothish::smooth::graph::{Binary, Graph, Variable};
use smoothish::smooth::jet::Jet;
use smoothish::smooth::machine::growth::Approach;
use smoothish::smooth::machine::{Branches, Machine, Target};
use smoothish::smooth::program::Program;

fn of(f: Function, a: &Graph) -> Graph {
    Graph::function(f, a)
}

fn binary(f: Binary) -> impl Fn(&Graph, &Graph) -> Graph {
    move |a, b| Graph::binary(f, a, b)
}

/// What is looked at, with the least power that is to be found at order 2.
fn functions(x: &Graph, c: &Graph) -> Vec<(&'static str, Graph, Rational)> {
    let (add, subtract) = (binary(Binary::Add), binary(Binary::Subtract));
    let (multiply, divide) = (binary(Binary::Multiply), binary(Binary::Divide));
    let (exp, erf) = (|a: &Graph| of(Function::Exp, a), |a: &Graph| of(Function::Erf, a));
    let [one, two] = [1, 2].map(Graph::integer);
    let far = divide(c, x);
    let large = exp(&far);
    let minus = |a: &Graph| subtract(&Graph::integer(0), a);
    let shifted = add(&multiply(c, &large), &one);
    let q = |n: i64, d: i64| Rational::from((n, d));
    vec![
        ("sin (c x)/x", divide(&of(Function::Sin, &multiply(c, x)), x), q(0, 1)),
        ("sqrt (c x + x²)", of(Function::Sqrt, &multiply(x, &add(c, x))), q(1, 2)),
        ("x log (c x)", multiply(x, &of(Function::Log, &multiply(c, x))), q(7, 8)),
        ("exp (-c/x)", exp(&minus(&far)), q(12, 1)),
        ("tanh (c/x)", of(Function::Tanh, &far), q(0, 1)),
        ("erf (c/x)", erf(&far), q(0, 1)),
        ("1/(1 + exp (c/x))", divide(&one, &add(&one, &large)), q(9, 1)),
        ("exp (-exp (c/x))", exp(&minus(&large)), q(12, 1)),
        ("exp (-c exp (c/x) - 1)", exp(&minus(&shifted)), q(12, 1)),
        ("exp (c exp (c/x) (x - 2))", exp(&multiply(&multiply(c, &large), &subtract(x, &two))), q(12, 1)),
        ("exp (-exp (c/x)/x²)", exp(&minus(&divide(&large, &multiply(x, x)))), q(12, 1)),
        ("exp (-c exp (1/x))", exp(&minus(&multiply(c, &exp(&divide(&one, x))))), q(12, 1)),
        ("erf (exp (1/x)/c)", erf(&divide(&exp(&divide(&one, x)), c)), q(0, 1)),
        ("erf (exp (c/x))", erf(&large), q(0, 1)),
        ("erf (-c exp (c/x) - 1)", erf(&minus(&shifted)), q(0, 1)),
        ("erfc (c exp (c/x))", of(Function::Erfc, &multiply(c, &large)), q(0, 1)),
        ("erfc (x - exp (c/x))", of(Function::Erfc, &subtract(x, &large)), q(0, 1)),
        ("x erf (sqrt (exp (c/x) + x))", multiply(x, &erf(&of(Function::Sqrt, &add(&large, x)))), q(1, 1)),
        ("tanh (exp (1/x)) c", multiply(c, &of(Function::Tanh, &exp(&divide(&one, x)))), q(0, 1)),
    ]
}

#[test]
fn a_power_times_something_bounded_holds_a_function_and_its_derivatives() {
    let (x, c) = (Variable::fresh(), Variable::fresh());
    let (context, budget, real) = (Mpfr::new(400), Budget::unlimited(), Algebra::real());
    let effort = Effort::new(Magnitude::power_of_two(-100), &budget);
    let mut falling = 0;
    for (name, body, least) in functions(&Graph::variable(x), &Graph::variable(c)) {
        let program = Program::compile(&[c], &[Graph::integral(x, body)]);
        let body = crate::integrand(&program);
        assert_eq!(body.captures, 1, "{name}");
        let machine = Machine::new(&context, &effort, &real, &program);
        for order in 0..=3 {
            let (algebra, at) = crate::moving(&context, &Rational::from(1), order);
            let captures = [at];
            for length in [Rational::from((1, 10)), Rational::from((1, 40))] {
                let [end, across] = [Rational::new(), length.clone()].map(|q| Jet::constant(context.rational(&q)));
                let approach = Approach { end: &end, length: &across, root: None };
                let found = machine.growth(&body, &algebra, &approach, &captures, &mut Branches::default()).unwrap();
                let found = found.unwrap_or_else(|| panic!("{name}, order {order}: nothing is found"));
                assert!(order > 2 || found.power >= least, "{name}, order {order}: s^{}", found.power);
                for part in [1, 2, 3, 5, 8, 13, 21, 40, 90] {
                    let s = Rational::from((1, part));
                    let here = [Jet::constant(context.rational(&Rational::from(&length * &s)))];
                    let whole = Target::Outputs;
                    let mut branches = Branches::default();
                    let value = machine.run(&body, &algebra, &here, &captures, &mut branches, whole).unwrap();
                    let exponent = context.rational(&Rational::from(-&found.power));
                    let log = context.function(Function::Log, &context.rational(&s));
                    let scale = context.function(Function::Exp, &context.mul(&exponent, &log));
                    for monomial in 0..algebra.len() {
                        let of = |jet: &Jet<_>| jet.get(monomial).cloned().unwrap_or_else(|| context.integer(0));
                        let [own, all] = [context.mul(&of(&value[0]), &scale), of(&found.factor)];
                        let all = context.assert_defined(all);
                        let [own, all] = [own, all].map(|number| context.to_enclosure(&number));
                        assert!(own.lo() <= all.hi() && own.hi() >= all.lo(), "{name}, {order}, {s}: {own} and {all}");
                        falling += usize::from(monomial > 0 && (all.lo().is_zero() || all.hi().is_zero()));
                    }
                }
            }
        }
    }
    // bounds with a sign show the sign of a derivative
    assert!(falling > 800, "{falling}");
}
