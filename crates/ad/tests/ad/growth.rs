//! How functions go beside an end: `sᵖ·N` holds them and their derivatives in another input, all along.

use smoothish_ad::function::SpecialId;
use smoothish_ad::number::accuracy::PassOptions;
use smoothish_ad::number::arithmetic::{Context, Function};
use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::{Magnitude, Mpfr, Rational};
use smoothish_ad::smooth::algebra::Algebra;
use smoothish_ad::smooth::graph::{Binary, Graph, Variable};
use smoothish_ad::smooth::jet::Jet;
use smoothish_ad::smooth::machine::growth::OneSidedLimit;
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

/// sᵖ
fn power(context: &Mpfr, s: &Rational, p: &Rational) -> <Mpfr as Context>::Num {
    let log = context.apply_function(Function::Log, &context.enclose_rational(s));
    context.apply_function(Function::Exp, &context.mul(&context.enclose_rational(p), &log))
}

/// What is looked at, with the least power that is to be found at order 2.
fn functions(x: &Graph, c: &Graph) -> Vec<(&'static str, Graph, Rational)> {
    let (exp, erf) = (|a: &Graph| of(Function::Exp, a), |a: &Graph| of(Function::Erf, a));
    let [one, two] = [1, 2].map(Graph::integer);
    let far = divide(c, x);
    let large = exp(&far);
    let minus = |a: &Graph| subtract(&Graph::integer(0), a);
    let shifted = add(&multiply(c, &large), &one);
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
        ("log1p (c x - 1)", of(Function::Log1p, &subtract(&multiply(c, x), &one)), q(-1, 8)),
        ("atanh (1 - c x)", of(Function::Atanh, &subtract(&one, &multiply(c, x))), q(-1, 8)),
        ("atanh (c x² - 1)", of(Function::Atanh, &subtract(&multiply(c, &multiply(x, x)), &one)), q(-1, 8)),
        ("asinh (c/x)", of(Function::Asinh, &far), q(-1, 8)),
        ("asinh (-c/x²)", of(Function::Asinh, &minus(&divide(&far, x))), q(-1, 8)),
        ("acosh (c/x)", of(Function::Acosh, &far), q(-1, 8)),
        ("lgamma (c x)", of(Function::LOG_GAMMA, &multiply(c, x)), q(-1, 8)),
        ("digamma (c x)", of(Function::DIGAMMA, &multiply(c, x)), q(-1, 1)),
        ("polygamma 1 (c x²)", of(polygamma(1), &multiply(c, &multiply(x, x))), q(-4, 1)),
        ("polygamma 2 (c x)", of(polygamma(2), &multiply(c, x)), q(-3, 1)),
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
                assert!(order > 2 || found.power >= least, "{name}, order {order}: s^{}", found.power);
                for part in [1, 2, 3, 5, 8, 13, 21, 40, 90] {
                    let s = Rational::from((1, part));
                    let here = [Jet::constant(context.enclose_rational(&Rational::from(&length * &s)))];
                    let whole = EvalTarget::Outputs;
                    let mut branches = BranchDecisions::default();
                    let value = machine.eval_block(&body, &algebra, &here, &captures, &mut branches, whole).unwrap();
                    let scale = power(&context, &s, &Rational::from(-&found.power));
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
fn at_a_corner(x: &Graph, c: &Graph) -> Vec<(&'static str, Graph, Rational)> {
    let [one, two] = [1, 2].map(Graph::integer);
    let (sum, squares) = (add(x, c), add(&multiply(x, x), c));
    let log = |a: &Graph| of(Function::Log, a);
    let power = |a: &Graph, p: i64, q: i64| Graph::power(a, &Rational::from((p, q))).unwrap();
    let bent = subtract(&add(&multiply(&two, x), c), &multiply(x, c));
    vec![
        ("1/sqrt (x + c)", divide(&one, &of(Function::Sqrt, &sum)), q(-1, 2)),
        ("x c/(x + c)", divide(&multiply(x, c), &sum), q(0, 1)),
        ("log (x + c)", log(&sum), q(-1, 8)),
        ("log ((x + c)/10⁶)", log(&divide(&sum, &Graph::integer(1_000_000))), q(-1, 8)),
        ("(x + c) log (x + c)", multiply(&sum, &log(&sum)), q(-1, 8)),
        ("(x² + c)^(-1/3)", power(&squares, -1, 3), q(-2, 3)),
        ("log (x² + c)", log(&squares), q(-1, 8)),
        ("(2x + c - xc)^(-3/4)", power(&bent, -3, 4), q(-3, 4)),
        ("(x + c)^(2/3)/(x + c)", divide(&power(&sum, 2, 3), &sum), q(-1, 1)),
        ("1/((x + c) (2x + c - xc))", divide(&one, &multiply(&sum, &bent)), q(-2, 1)),
        ("1/(c + cbrt (x² + c))", divide(&one, &add(c, &of(Function::Cbrt, &squares))), q(-2, 3)),
        ("1/(sqrt (x + c)/2 + (x + c))", divide(&one, &add(&divide(&of(Function::Sqrt, &sum), &two), &sum)), q(-1, 2)),
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
            assert_eq!(found.power, power, "{name}");
            assert!(growth(q(-1, 8)).is_none(), "{name}");
            let all = context.to_enclosure(found.factor.get(0).unwrap());
            for c in [q(0, 1), q(1, 1_000_000), q(1, 1000), q(1, 30), q(1, 4)] {
                for s in [q(1, 1_000_000_000), q(1, 10_000), q(1, 70), q(1, 3), q(1, 1)] {
                    let [place, capture] = [&s, &c].map(|q| [Jet::constant(number(q))]);
                    let mut branches = BranchDecisions::default();
                    let value =
                        machine.eval_block(&body, &real, &place, &capture, &mut branches, EvalTarget::Outputs).unwrap();
                    let scale = self::power(&context, &s, &Rational::from(-&found.power));
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
fn integrals(x: &Graph, c: &Graph) -> Vec<(&'static str, Graph, Graph, Rational)> {
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
        ("c/(x + t)", over(&|t| divide(c, &add(x, t))), multiply(c, &above(x)), q(-1, 2)),
        (
            "c²/(1 + x - t)",
            over(&|t| divide(&square(c), &subtract(&add(x, &one), t))),
            multiply(&square(c), &above(x)),
            q(-1, 2),
        ),
        (
            "c (x + t)^(-3/2)",
            over(&|t| multiply(c, &power(&add(x, t), -3, 2))),
            multiply(c, &add(&steep, &steep)),
            q(-3, 4),
        ),
        ("1/(x + t²)", over(&|t| divide(&one, &add(x, &square(t)))), divide(&angle, &root(x)), q(-2, 3)),
        ("1/(x² + t)", over(&|t| divide(&one, &add(&square(x), t))), above(&square(x)), q(-2, 3)),
        (
            "c/sqrt (x² + t²)",
            over(&|t| divide(c, &root(&add(&square(x), &square(t))))),
            multiply(c, &of(Function::Asinh, &divide(&one, x))),
            q(-1, 2),
        ),
        (
            "c/(x + t)²",
            over(&|t| divide(c, &square(&add(x, t)))),
            multiply(c, &subtract(&divide(&one, x), &divide(&one, &add(x, &one)))),
            q(-9, 8),
        ),
        (
            "sqrt c/sqrt (x + t)",
            over(&|t| divide(&root(c), &root(&add(x, t)))),
            {
                let both = subtract(&root(&add(x, &one)), &root(x));
                multiply(&root(c), &add(&both, &both))
            },
            q(0, 1),
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
                    assert!(found.power >= least, "{name}, order {order}: s^{}", found.power);
                    for part in [1, 2, 3, 5, 8, 13, 21, 40, 90] {
                        let s = Rational::from((1, part));
                        let here = [Jet::constant(context.enclose_rational(&Rational::from(&length * &s)))];
                        let (mut branches, whole) = (BranchDecisions::default(), EvalTarget::Outputs);
                        let value =
                            other.eval_block(&closed, &algebra, &here, &of_closed, &mut branches, whole).unwrap();
                        let scale = power(&context, &s, &Rational::from(-&found.power));
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
