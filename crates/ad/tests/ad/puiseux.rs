//! Expansions in a root of the distance from an end: `uʷ·N(u)` holds a function all along, with its derivatives in another input, and
//! N has the coefficients that are told.

use smoothish_ad::number::accuracy::PassOptions;
use smoothish_ad::number::arithmetic::{Context, Function};
use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::{Magnitude, Mpfr, Rational};
use smoothish_ad::smooth::algebra::Algebra;
use smoothish_ad::smooth::asymptotic::OneSidedLimit;
use smoothish_ad::smooth::asymptotic::puiseux::puiseux_expansion;
use smoothish_ad::smooth::graph::{Binary, Graph, Variable};
use smoothish_ad::smooth::jet::Jet;
use smoothish_ad::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use smoothish_ad::smooth::program::CompiledMap;

/// What is looked at, with k and w.
fn functions(x: &Graph, c: &Graph) -> Vec<(&'static str, Graph, (u32, i64))> {
    let binary = |f: Binary| move |a: &Graph, b: &Graph| Graph::binary(f, a, b);
    let (add, subtract) = (binary(Binary::Add), binary(Binary::Subtract));
    let (multiply, divide) = (binary(Binary::Multiply), binary(Binary::Divide));
    let of = |f: Function| move |a: &Graph| Graph::function(f, a);
    let (sqrt, cbrt, exp) = (of(Function::Sqrt), of(Function::Cbrt), of(Function::Exp));
    let (sin, cos) = (of(Function::Sin), of(Function::Cos));
    let one = Graph::integer(1);
    let cx = multiply(c, x);
    let root = sqrt(x);
    let minus = |a: &Graph| subtract(&Graph::integer(0), a);
    let power = |a: &Graph, p: i64, q: i64| Graph::power(a, &Rational::from((p, q))).unwrap();
    vec![
        ("sqrt (x (c + x))", sqrt(&multiply(x, &add(c, x))), (2, 1)),
        ("exp (c x)/sqrt x", divide(&exp(&cx), &root), (2, -1)),
        ("cbrt (sin (c x))", cbrt(&sin(&cx)), (3, 1)),
        ("cbrt (-c x) + x", add(&cbrt(&minus(&cx)), x), (3, 1)),
        ("(x (c + x))^(3/2)", power(&multiply(x, &add(c, x)), 3, 2), (2, 3)),
        ("x^(-2/3) cos (c x)", multiply(&power(x, -2, 3), &cos(&cx)), (3, -2)),
        ("sqrt (c x) cbrt x", multiply(&sqrt(&cx), &cbrt(x)), (6, 5)),
        ("sin (c x)/x", divide(&sin(&cx), x), (1, 0)),
        ("sqrt (1 - cos (c x))", sqrt(&subtract(&one, &cos(&cx))), (1, 1)),
        ("sqrt (sqrt x (c + sqrt x))", sqrt(&multiply(&root, &add(c, &root))), (4, 1)),
        ("sqrt (exp (c x) - 1)", sqrt(&subtract(&exp(&cx), &one)), (2, 1)),
        ("(sqrt x + x)/(c sqrt x + x²)", divide(&add(&root, x), &add(&multiply(c, &root), &multiply(x, x))), (2, 0)),
        ("c/sqrt x - 1/x", subtract(&divide(c, &root), &divide(&one, x)), (2, -2)),
        ("exp (c sqrt x)", exp(&multiply(c, &root)), (2, 0)),
        ("1/(c + cbrt x)", divide(&one, &add(c, &cbrt(x))), (3, 0)),
    ]
}

#[test]
fn expansions_beside_an_end_hold_a_function_with_its_derivatives() {
    let (x, c) = (Variable::fresh(), Variable::fresh());
    let (context, budget, real) = (Mpfr::new(300), Budget::unlimited(), Algebra::real());
    let effort = PassOptions::new(Magnitude::power_of_two(-100), &budget);
    let (mut known, mut sharp) = (0, 0);
    for (name, body, exponents) in functions(&Graph::variable(x), &Graph::variable(c)) {
        let program = CompiledMap::compile(&[c], &[Graph::integral(x, body)]);
        let body = crate::integrand(&program);
        let machine = JetEvaluator::new(&context, &effort, &real, &program);
        for order in 0..=2 {
            let (algebra, at) = crate::moving(&context, &Rational::from((3, 2)), order);
            let captures = [at];
            for length in [Rational::from((1, 10)), Rational::from((1, 40))] {
                let [end, across] =
                    [Rational::new(), length.clone()].map(|q| Jet::constant(context.enclose_rational(&q)));
                let approach = OneSidedLimit { end: &end, length: &across, root: None };
                let found = puiseux_expansion(
                    &machine,
                    &body,
                    (&algebra, 7),
                    &approach,
                    &captures,
                    &mut BranchDecisions::default(),
                );
                let found = found.unwrap().unwrap_or_else(|| panic!("{name}, order {order}: nothing is found"));
                assert_eq!((found.ramification, found.power), exponents, "{name}, order {order}");
                let jets = machine.jets(&found.algebra);
                for part in [1, 2, 3, 5, 8, 13, 40] {
                    let u = context.enclose_rational(&Rational::from((1, part)));
                    let mut moving = Jet::constant(u.clone());
                    moving.set(found.algebra.last_generator(), Some(context.enclose_integer(1)));
                    let here = [jets.multiply(&across, &jets.power(&moving, i64::from(found.ramification), 1))];
                    let mut branches = BranchDecisions::default();
                    let outputs = EvalTarget::Outputs;
                    let value =
                        machine.eval_block(&body, &found.algebra, &here, &captures, &mut branches, outputs).unwrap();
                    let own = jets.multiply(&value[0], &jets.power(&moving, -found.power, 1));
                    let nought = || context.enclose_integer(0);
                    let of = |jet: &Jet<_>, index: usize| jet.get(index).cloned().unwrap_or_else(nought);
                    for monomial in 0..algebra.len() {
                        let (mut partial, mut power) = (nought(), context.enclose_integer(1));
                        for degree in 0.. {
                            let slice = found.algebra.power_slice(degree);
                            let Some((_, here)) = slice.iter().find(|(outer, _)| *outer as usize == monomial) else {
                                break;
                            };
                            let here = *here as usize;
                            let all = of(&found.over, here);
                            let meets = |a: &<Mpfr as Context>::Num, b: &<Mpfr as Context>::Num| {
                                let [a, b] = [a, b].map(|c| context.to_enclosure(&context.mark_defined(c.clone())));
                                assert!(
                                    a.lo() <= b.hi() && a.hi() >= b.lo(),
                                    "{name}, {order}, {part}, {degree}: {a} and {b}"
                                );
                            };
                            // the coefficient at u
                            meets(&of(&own, here), &all);
                            // Taylor's theorem from 0 to u
                            meets(&of(&own, monomial), &context.add(&partial, &context.mul(&power, &all)));
                            let is_known = context.is_defined(&all) && context.is_bounded(&all);
                            known += usize::from(is_known);
                            sharp += usize::from(is_known && !context.contains_zero(&all));
                            partial = context.add(&partial, &context.mul(&power, &of(&found.at, here)));
                            power = context.mul(&power, &u);
                        }
                    }
                }
            }
        }
    }
    // what holds 0 shows little
    assert!(sharp > 3000 && known > sharp, "{sharp} of {known}");
}
