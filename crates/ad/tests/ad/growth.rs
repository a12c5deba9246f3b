//! How functions go beside an end: `sᵖ·N` holds them and their derivatives in another input, all along.

use smoothish_ad::function::SpecialId;
use smoothish_ad::number::accuracy::PassOptions;
use smoothish_ad::number::arithmetic::{Context, Function};
use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::{Magnitude, Mpfr, Rational};
use smoothish_ad::smooth::algebra::Algebra;
use smoothish_ad::smooth::asymptotic::{EndBound, OneSidedLimit};
use smoothish_ad::smooth::graph::{Binary, Graph, Variable};
use smoothish_ad::smooth::jet::Jet;
use smoothish_ad::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use smoothish_ad::smooth::program::CompiledMap;

fn of(f: Function, a: &Graph) -> Graph {
    Graph::function(f, a)
}

fn add(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}

fn subtract(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Subtract, a, b)
}

fn multiply(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, a, b)
}

fn divide(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Divide, a, b)
}

/// n/d
fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

/// 1/(sᵖ·Lᵠ)
fn inverse_monomial(context: &Mpfr, s: &Rational, found: &EndBound<<Mpfr as Context>::Num>) -> <Mpfr as Context>::Num {
    let log = |x: &_| context.apply_function(Function::Log, x);
    let log_s = log(&context.enclose_rational(s));
    let log_l = log(&context.sub(&found.log_at_one, &log_s));
    let (p, q) = (&found.monomial.power, &found.monomial.log_power);
    let [s, l] = [(p, log_s), (q, log_l)].map(|(e, log)| context.mul(&context.enclose_rational(e), &log));
    context.apply_function(Function::Exp, &context.neg(&context.add(&s, &l)))
}

/// The exponents (p, -q) of sᵖ·Lᵠ, which are greater for smaller functions.
fn exponents(found: &EndBound<<Mpfr as Context>::Num>) -> (Rational, Rational) {
    assert!(found.monomial.is_pure());
    (found.monomial.power.clone(), Rational::from(-&found.monomial.log_power))
}

/// The exponents of sᵖ.
fn pure(n: i64, d: i64) -> (Rational, Rational) {
    (q(n, d), q(0, 1))
}

/// The exponents of sᵖ·L.
fn with_log(p: i64) -> (Rational, Rational) {
    (q(p, 1), q(-1, 1))
}

/// What is looked at, with the least power that is to be found at order 2.
fn functions(x: &Graph, c: &Graph) -> Vec<(&'static str, Graph, (Rational, Rational))> {
    let (exp, erf) = (|a: &Graph| of(Function::Exp, a), |a: &Graph| of(Function::Erf, a));
    let [one, two] = [1, 2].map(Graph::integer);
    let far = divide(c, x);
    let large = exp(&far);
    let minus = |a: &Graph| subtract(&Graph::integer(0), a);
    let shifted = add(&multiply(c, &large), &one);
    let square = |a: &Graph| multiply(a, a);
    let near = divide(&one, x);
    let hump = multiply(c, &square(&subtract(&Graph::integer(12), &near)));
    vec![
        ("sin (c x)/x", divide(&of(Function::Sin, &multiply(c, x)), x), pure(0, 1)),
        ("sqrt (c x + x²)", of(Function::Sqrt, &multiply(x, &add(c, x))), pure(1, 2)),
        ("x log (c x)", multiply(x, &of(Function::Log, &multiply(c, x))), with_log(1)),
        ("exp (-c/x)", exp(&minus(&far)), pure(12, 1)),
        ("tanh (c/x)", of(Function::Tanh, &far), pure(0, 1)),
        ("erf (c/x)", erf(&far), pure(0, 1)),
        // beside a peak in the piece: of the square it is known that it is not negative
        ("exp (-1/x²) exp (-c (12 - 1/x)²)", multiply(&exp(&minus(&square(&near))), &exp(&minus(&hump))), pure(12, 1)),
        ("exp (-1/x² - c (12 - 1/x)²)", exp(&minus(&add(&square(&near), &hump))), pure(12, 1)),
        ("1/(1 + exp (c/x))", divide(&one, &add(&one, &large)), pure(9, 1)),
        ("exp (-exp (c/x))", exp(&minus(&large)), pure(12, 1)),
        ("exp (-c exp (c/x) - 1)", exp(&minus(&shifted)), pure(12, 1)),
        ("exp (c exp (c/x) (x - 2))", exp(&multiply(&multiply(c, &large), &subtract(x, &two))), pure(12, 1)),
        ("exp (-exp (c/x)/x²)", exp(&minus(&divide(&large, &multiply(x, x)))), pure(12, 1)),
        ("exp (-c exp (1/x))", exp(&minus(&multiply(c, &exp(&divide(&one, x))))), pure(12, 1)),
        ("erf (exp (1/x)/c)", erf(&divide(&exp(&divide(&one, x)), c)), pure(0, 1)),
        ("erf (exp (c/x))", erf(&large), pure(0, 1)),
        ("erf (-c exp (c/x) - 1)", erf(&minus(&shifted)), pure(0, 1)),
        ("erfc (c exp (c/x))", of(Function::Erfc, &multiply(c, &large)), pure(0, 1)),
        ("erfc (x - exp (c/x))", of(Function::Erfc, &subtract(x, &large)), pure(0, 1)),
        ("x erf (sqrt (exp (c/x) + x))", multiply(x, &erf(&of(Function::Sqrt, &add(&large, x)))), pure(1, 1)),
        ("tanh (exp (1/x)) c", multiply(c, &of(Function::Tanh, &exp(&divide(&one, x)))), pure(0, 1)),
        ("log1p (c x - 1)", of(Function::Log1p, &subtract(&multiply(c, x), &one)), with_log(0)),
        ("atanh (1 - c x)", of(Function::Atanh, &subtract(&one, &multiply(c, x))), with_log(0)),
        ("atanh (c x² - 1)", of(Function::Atanh, &subtract(&multiply(c, &multiply(x, x)), &one)), with_log(0)),
        ("asinh (c/x)", of(Function::Asinh, &far), with_log(0)),
        ("asinh (-c/x²)", of(Function::Asinh, &minus(&divide(&far, x))), with_log(0)),
        ("acosh (c/x)", of(Function::Acosh, &far), with_log(0)),
        ("lgamma (c x)", of(Function::LOG_GAMMA, &multiply(c, x)), with_log(0)),
        ("digamma (c x)", of(Function::DIGAMMA, &multiply(c, x)), pure(-1, 1)),
        ("polygamma 1 (c x²)", of(polygamma(1), &multiply(c, &multiply(x, x))), pure(-4, 1)),
        ("polygamma 2 (c x)", of(polygamma(2), &multiply(c, x)), pure(-3, 1)),
    ]
}

fn polygamma(order: u64) -> Function {
    SpecialId::Gamma.member(order).expect("there are so many")
}

#[test]
fn a_power_times_something_bounded_holds_a_function_and_its_derivatives() {
    let (x, c) = (Variable::fresh(), Variable::fresh());
    let (context, budget, real) = (Mpfr::new(400), Budget::unlimited(), Algebra::real());
    let effort = PassOptions::new(Magnitude::power_of_two(-100), &budget);
    let mut falling = 0;
    for (name, body, least) in functions(&Graph::variable(x), &Graph::variable(c)) {
        let program = CompiledMap::compile(&[c], &[Graph::integral(x, body)]);
        let body = crate::integrand(&program);
        assert_eq!(body.captures, 1, "{name}");
        let machine = JetEvaluator::new(&context, &effort, &real, &program);
        for order in 0..=3 {
            let (algebra, at) = crate::moving(&context, &Rational::from(1), order);
            let captures = [at];
            for length in [Rational::from((1, 10)), Rational::from((1, 40))] {
                let [end, across] =
                    [Rational::new(), length.clone()].map(|q| Jet::constant(context.enclose_rational(&q)));
                let approach = OneSidedLimit { end: &end, length: &across, root: None };
                let found = machine
                    .power_bound_at_end(&body, &algebra, &approach, &captures, &mut BranchDecisions::default())
                    .unwrap();
                let found = found.unwrap_or_else(|| panic!("{name}, order {order}: nothing is found"));
                assert!(order > 2 || exponents(&found) >= least, "{name}, order {order}: {:?}", found.monomial);
                for part in [1, 2, 3, 5, 8, 13, 21, 40, 90] {
                    let s = Rational::from((1, part));
                    let here = [Jet::constant(context.enclose_rational(&Rational::from(&length * &s)))];
                    let whole = EvalTarget::Outputs;
                    let mut branches = BranchDecisions::default();
                    let value = machine.eval_block(&body, &algebra, &here, &captures, &mut branches, whole).unwrap();
                    let scale = inverse_monomial(&context, &s, &found);
                    for monomial in 0..algebra.len() {
                        let of =
                            |jet: &Jet<_>| jet.get(monomial).cloned().unwrap_or_else(|| context.enclose_integer(0));
                        let [own, all] = [context.mul(&of(&value[0]), &scale), of(&found.factor)];
                        let all = context.mark_defined(all);
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

/// What vanishes where an input that comes to 0 does, with the power that is to be found.
fn at_a_corner(x: &Graph, c: &Graph) -> Vec<(&'static str, Graph, (Rational, Rational))> {
    let [one, two] = [1, 2].map(Graph::integer);
    let (sum, squares) = (add(x, c), add(&multiply(x, x), c));
    let log = |a: &Graph| of(Function::Log, a);
    let power = |a: &Graph, p: i64, q: i64| Graph::power(a, &Rational::from((p, q))).unwrap();
    let bent = subtract(&add(&multiply(&two, x), c), &multiply(x, c));
    vec![
        ("1/sqrt (x + c)", divide(&one, &of(Function::Sqrt, &sum)), pure(-1, 2)),
        ("x c/(x + c)", divide(&multiply(x, c), &sum), pure(0, 1)),
        ("log (x + c)", log(&sum), with_log(0)),
        ("log ((x + c)/10⁶)", log(&divide(&sum, &Graph::integer(1_000_000))), with_log(0)),
        ("(x + c) log (x + c)", multiply(&sum, &log(&sum)), with_log(0)),
        ("(x² + c)^(-1/3)", power(&squares, -1, 3), pure(-2, 3)),
        ("log (x² + c)", log(&squares), with_log(0)),
        ("(2x + c - xc)^(-3/4)", power(&bent, -3, 4), pure(-3, 4)),
        ("(x + c)^(2/3)/(x + c)", divide(&power(&sum, 2, 3), &sum), pure(-1, 1)),
        ("1/((x + c) (2x + c - xc))", divide(&one, &multiply(&sum, &bent)), pure(-2, 1)),
        ("1/(c + cbrt (x² + c))", divide(&one, &add(c, &of(Function::Cbrt, &squares))), pure(-2, 3)),
        (
            "1/(sqrt (x + c)/2 + (x + c))",
            divide(&one, &add(&divide(&of(Function::Sqrt, &sum), &two), &sum)),
            pure(-1, 2),
        ),
    ]
}

/// For all c of an interval that ends at 0; where c may be negative nothing is found.
#[test]
fn what_stays_above_a_power_has_an_inverse_and_a_logarithm() {
    let (x, c) = (Variable::fresh(), Variable::fresh());
    let (context, budget, real) = (Mpfr::new(200), Budget::unlimited(), Algebra::real());
    let effort = PassOptions::new(Magnitude::power_of_two(-100), &budget);
    let number = |q: &Rational| context.enclose_rational(q);
    let mut tight = 0;
    for (name, body, power) in at_a_corner(&Graph::variable(x), &Graph::variable(c)) {
        let program = CompiledMap::compile(&[c], &[Graph::integral(x, body)]);
        let body = crate::integrand(&program);
        assert_eq!(body.captures, 1, "{name}");
        let machine = JetEvaluator::new(&context, &effort, &real, &program);
        let [end, across] = [0, 1].map(|n| Jet::constant(context.enclose_integer(n)));
        let approach = OneSidedLimit { end: &end, length: &across, root: None };
        for order in 0..=1 {
            let (algebra, at) = crate::moving(&context, &q(0, 1), order);
            let growth = |from: Rational| {
                let mut wide = at.clone();
                wide.set(0, Some(context.hull(&number(&from), &number(&q(1, 4)))));
                machine
                    .power_bound_at_end(&body, &algebra, &approach, &[wide], &mut BranchDecisions::default())
                    .unwrap()
            };
            let found = growth(q(0, 1)).unwrap_or_else(|| panic!("{name}: nothing is found"));
            assert_eq!(exponents(&found), power, "{name}");
            assert!(growth(q(-1, 8)).is_none(), "{name}");
            let all = context.to_enclosure(found.factor.get(0).unwrap());
            for c in [q(0, 1), q(1, 1_000_000), q(1, 1000), q(1, 30), q(1, 4)] {
                for s in [q(1, 1_000_000_000), q(1, 10_000), q(1, 70), q(1, 3), q(1, 1)] {
                    let [place, capture] = [&s, &c].map(|q| [Jet::constant(number(q))]);
                    let mut branches = BranchDecisions::default();
                    let value =
                        machine.eval_block(&body, &real, &place, &capture, &mut branches, EvalTarget::Outputs).unwrap();
                    let scale = inverse_monomial(&context, &s, &found);
                    let own = context.to_enclosure(&context.mul(value[0].get(0).unwrap(), &scale));
                    assert!(
                        own.is_defined() && own.lo() <= all.hi() && own.hi() >= all.lo(),
                        "{name}, {c}, {s}: {own}, {all}"
                    );
                    let [own, all] = [own.hi(), all.hi()].map(|end| end.to_f64());
                    tight += usize::from(order == 0 && all - own <= all.abs() / 1000.0);
                }
            }
        }
    }
    assert!(tight > 25, "{tight}");
}

/// Integrands over t in [0, 1] that have no bound at a corner, with their integrals, and the least power that is to be found.
fn integrals(x: &Graph, c: &Graph) -> Vec<(&'static str, Graph, Graph, (Rational, Rational))> {
    let one = Graph::integer(1);
    let (log, root) = (|a: &Graph| of(Function::Log, a), |a: &Graph| of(Function::Sqrt, a));
    let square = |a: &Graph| multiply(a, a);
    let power = |a: &Graph, p: i64, q: i64| Graph::power(a, &Rational::from((p, q))).unwrap();
    let over = |body: &dyn Fn(&Graph) -> Graph| {
        let t = Variable::fresh();
        Graph::integral(t, body(&Graph::variable(t)))
    };
    let above = |a: &Graph| log(&divide(&add(a, &one), a));
    let steep = subtract(&power(x, -1, 2), &power(&add(x, &one), -1, 2));
    let angle = of(Function::Atan, &divide(&one, &root(x)));
    vec![
        ("c/(x + t)", over(&|t| divide(c, &add(x, t))), multiply(c, &above(x)), pure(-1, 2)),
        (
            "c²/(1 + x - t)",
            over(&|t| divide(&square(c), &subtract(&add(x, &one), t))),
            multiply(&square(c), &above(x)),
            pure(-1, 2),
        ),
        (
            "c (x + t)^(-3/2)",
            over(&|t| multiply(c, &power(&add(x, t), -3, 2))),
            multiply(c, &add(&steep, &steep)),
            pure(-3, 4),
        ),
        ("1/(x + t²)", over(&|t| divide(&one, &add(x, &square(t)))), divide(&angle, &root(x)), pure(-2, 3)),
        ("1/(x² + t)", over(&|t| divide(&one, &add(&square(x), t))), above(&square(x)), pure(-2, 3)),
        (
            "c/sqrt (x² + t²)",
            over(&|t| divide(c, &root(&add(&square(x), &square(t))))),
            multiply(c, &of(Function::Asinh, &divide(&one, x))),
            pure(-1, 2),
        ),
        (
            "c/(x + t)²",
            over(&|t| divide(c, &square(&add(x, t)))),
            multiply(c, &subtract(&divide(&one, x), &divide(&one, &add(x, &one)))),
            pure(-9, 8),
        ),
        (
            "sqrt c/sqrt (x + t)",
            over(&|t| divide(&root(c), &root(&add(x, t)))),
            {
                let both = subtract(&root(&add(x, &one)), &root(x));
                multiply(&root(c), &add(&both, &both))
            },
            pure(0, 1),
        ),
    ]
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn an_integral_goes_as_its_integrand_does_at_a_corner() {
        let (x, c) = (Variable::fresh(), Variable::fresh());
        let (context, budget, real) = (Mpfr::new(200), Budget::unlimited(), Algebra::real());
        let effort = PassOptions::new(Magnitude::power_of_two(-20), &budget);
        let mut tight = 0;
        for (name, body, integral, least) in integrals(&Graph::variable(x), &Graph::variable(c)) {
            let [program, known] = [body, integral].map(|body| CompiledMap::compile(&[c], &[Graph::integral(x, body)]));
            let (body, closed) = (crate::integrand(&program), crate::integrand(&known));
            let [machine, other] =
                [&program, &known].map(|program| JetEvaluator::new(&context, &effort, &real, program));
            for order in [0, 2] {
                let (algebra, at) = crate::moving(&context, &Rational::from((3, 2)), order);
                let [captures, of_closed] = [&body, &closed].map(|block| vec![at.clone(); block.captures]);
                for length in [Rational::from((1, 4)), Rational::from((1, 1000))] {
                    let [end, across] =
                        [Rational::new(), length.clone()].map(|q| Jet::constant(context.enclose_rational(&q)));
                    let approach = OneSidedLimit { end: &end, length: &across, root: None };
                    let found = machine
                        .power_bound_at_end(&body, &algebra, &approach, &captures, &mut BranchDecisions::default())
                        .unwrap();
                    let found = found.unwrap_or_else(|| panic!("{name}, order {order}: nothing is found"));
                    assert!(exponents(&found) >= least, "{name}, order {order}: {:?}", found.monomial);
                    for part in [1, 2, 3, 5, 8, 13, 21, 40, 90] {
                        let s = Rational::from((1, part));
                        let here = [Jet::constant(context.enclose_rational(&Rational::from(&length * &s)))];
                        let (mut branches, whole) = (BranchDecisions::default(), EvalTarget::Outputs);
                        let value =
                            other.eval_block(&closed, &algebra, &here, &of_closed, &mut branches, whole).unwrap();
                        let scale = inverse_monomial(&context, &s, &found);
                        for monomial in 0..algebra.len() {
                            let of =
                                |jet: &Jet<_>| jet.get(monomial).cloned().unwrap_or_else(|| context.enclose_integer(0));
                            let [own, all] = [context.mul(&of(&value[0]), &scale), of(&found.factor)];
                            let [own, all] = [own, all].map(|number| context.to_enclosure(&number));
                            assert!(all.is_defined(), "{name}, order {order}: {all}");
                            assert!(
                                own.lo() <= all.hi() && own.hi() >= all.lo(),
                                "{name}, {order}, {s}: {own} and {all}"
                            );
                            tight += usize::from(all.hi().to_f64().abs() < 3.0 * own.hi().to_f64().abs());
                        }
                    }
                }
            }
        }
        // of 576 bounds, those that are less than three times as large
        assert!(tight > 120, "{tight}");
    }
}
