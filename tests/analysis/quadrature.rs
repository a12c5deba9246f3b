//! Integrals by the nodes of Gauss and Legendre: the rule itself, and what panels make of it.

use super::Counted;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::legendre::gauss_legendre_nodes;
use smoothish::number::real::RefinedEnclosure;
use smoothish::number::{Context, Mpfr, Rational};
use smoothish::random::SplitMix64;
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::value::Value;
use std::sync::OnceLock;

/// `Σ wᵢ·xᵢᵈ`, enclosed, against `∫_{-1}^{1} xᵈ dx`: whether they meet, and how wide the sum is.
fn moment(n: u32, bits: u32, degree: u32) -> (bool, i64) {
    let context = Mpfr::new(bits + 64);
    let rule = gauss_legendre_nodes(n, bits).expect("a rule");
    let mut sum = context.enclose_integer(0);
    for node in rule.iter() {
        let power = context.power(&context.round_enclosure(&node.abscissa), degree);
        sum = context.add(&sum, &context.mul(&power, &context.round_enclosure(&node.weight)));
    }
    let exact = if degree.is_multiple_of(2) { Rational::from((2, degree + 1)) } else { Rational::new() };
    (context.to_enclosure(&sum).contains(&exact), context.width(&sum).floor_log2())
}

#[test]
fn a_rule_is_exact_to_degree_2n_minus_1_and_no_further() {
    for (n, bits) in [(1, 64), (2, 64), (3, 128), (8, 192), (18, 192), (19, 320), (40, 128), (60, 512)] {
        for degree in 0..2 * n {
            let (meets, width) = moment(n, bits, degree);
            assert!(meets && width < -i64::from(bits), "{n} nodes of {bits} bits, degree {degree}: 2^{width}");
        }
        // the error there is 2^(2n+1) (n!)⁴ / ((2n+1) (2n)!²), more than 2^(1-2n)
        assert!(!moment(n, bits.max(4 * n), 2 * n).0, "{n} nodes are no rule of degree {}", 2 * n);
    }
}

#[test]
fn nodes_lie_within_those_of_a_lower_precision_in_order() {
    for n in [1, 2, 5, 18, 33] {
        let (few, many) = (gauss_legendre_nodes(n, 96).expect("a rule"), gauss_legendre_nodes(n, 512).expect("a rule"));
        assert_eq!((few.len(), many.len()), (n as usize, n as usize));
        for (coarse, fine) in few.iter().zip(many.iter()) {
            assert!(coarse.abscissa.overlaps(&fine.abscissa) && coarse.weight.overlaps(&fine.weight), "{n}");
            assert!(fine.abscissa.width() < coarse.abscissa.width() || coarse.abscissa.is_point(), "{n}");
            assert!(*fine.weight.lo() > 0, "{n}");
        }
        let ascending = many.windows(2).all(|pair| pair[0].abscissa.hi() < pair[1].abscissa.lo());
        assert!(ascending && *many[0].abscissa.lo() > -1 && *many[n as usize - 1].abscissa.hi() < 1, "{n}");
    }
    assert!(gauss_legendre_nodes(0, 64).is_none());
}

#[test]
fn the_rule_of_five_nodes_is_the_one_in_the_books() {
    // x² = (5 + 2√(10/7))/9 and w = (322 - 13√70)/900 of the outermost
    let context = Mpfr::new(256);
    let root = |q: (i32, i32)| context.root(&context.enclose_rational(&Rational::from(q)), 2);
    let square =
        context.div_integer(&context.add(&context.enclose_integer(5), &context.mul_integer(&root((10, 7)), 2)), 9);
    let place = context.to_enclosure(&context.root(&square, 2));
    let weight =
        context.div_integer(&context.sub(&context.enclose_integer(322), &context.mul_integer(&root((70, 1)), 13)), 900);
    let rule = gauss_legendre_nodes(5, 200).expect("a rule");
    assert!(rule[4].abscissa.overlaps(&place) && rule[4].weight.overlaps(&context.to_enclosure(&weight)));
}

fn ask(question: &str, eps: &str) -> (RefinedEnclosure, u64) {
    static SESSION: OnceLock<Session> = OnceLock::new();
    let session = SESSION.get_or_init(Session::new);
    let limits = Limits { work: Some(400_000_000), ..Limits::none() };
    let answer = session.ask(&Counted(Evaluate::new(question).with_width(eps)), &limits);
    match answer.unwrap_or_else(|e| panic!("{question}: {e}")).into_value() {
        (Value::Real(AnswerNumber::Enclosure(found)), work) => (*found, work),
        other => panic!("{question}: {other:?}"),
    }
}

/// A random analytic function F with its derivative, written out.
fn primitive(random: &mut SplitMix64) -> (String, String) {
    let (a, b) = (random.next_below(7) + 1, random.next_below(5) + 1);
    let inner = format!("({a} * x / 4 + x^{b} / 3)");
    let slope = format!("({a} / 4 + {b} * x^{} / 3)", b - 1);
    let (outer, by) = match random.next_below(7) {
        0 => (format!("sin {inner}"), format!("cos {inner}")),
        1 => (format!("exp (sin {inner})"), format!("(cos {inner} * exp (sin {inner}))")),
        2 => (format!("atan {inner}"), format!("(1 / (1 + {inner}^2))")),
        3 => (format!("log (1 + {inner})"), format!("(1 / (1 + {inner}))")),
        4 => (format!("sqrt (1 + {inner}^2)"), format!("({inner} / sqrt (1 + {inner}^2))")),
        5 => (format!("exp (0 - {inner}^2)"), format!("(0 - 2 * {inner} * exp (0 - {inner}^2))")),
        _ => (format!("(1 / (2 + cos {inner}))"), format!("(sin {inner} / (2 + cos {inner})^2)")),
    };
    (outer, format!("{by} * {slope}"))
}

fn compared(samples: u32, seed: u64) {
    let mut random = SplitMix64::new(seed);
    for _ in 0..samples {
        let (whole, slope) = primitive(&mut random);
        let eps = ["1e-19", "1e-24", "1e-30"][random.next_below(3)];
        let (integral, _) = ask(&format!("integral01 (\\x => {slope})"), eps);
        let (rise, _) = ask(&format!("(\\x => {whole}) 1 - (\\x => {whole}) 0"), "1e-40");
        assert!(integral.reached && rise.reached, "{slope} to {eps}");
        assert!(integral.enclosure.overlaps(&rise.enclosure), "{slope}: {:?} {:?}", integral.enclosure, rise.enclosure);
    }
}

#[test]
fn integrals_of_random_derivatives_are_differences() {
    compared(200, 20_261_125);
}

#[test]
#[ignore = "a minute or more"]
fn integrals_of_many_random_derivatives_are_differences() {
    compared(4_000, 7);
}

#[test]
fn each_derivative_has_a_remainder_of_its_own() {
    // ∫exp(cx) = (e^c - 1)/c, and its derivatives at c = 1: 1, e - 2
    for (order, value) in [(1, "1"), (2, "exp 1 - 2"), (3, "6 - 2 * exp 1")] {
        let question = format!("nthDeriv {order} (\\c => integral01 (\\x => exp (c * x))) 1");
        let (found, _) = ask(&question, "1e-30");
        let (value, _) = ask(value, "1e-50");
        assert!(found.reached && found.enclosure.overlaps(&value.enclosure), "{question}: {:?}", found.enclosure);
    }
}

#[test]
fn what_is_not_defined_on_a_panel_has_no_nodes() {
    // no node of any order meets these places, at which there is no value
    for question in [
        r"integral01 (\x => 1 / (x - 1/3))",
        r"integral01 (\x => log (x - 1/7)^2)",
        r"integral01 (\x => sqrt (x - 1/9))",
    ] {
        let (found, _) = ask(question, "1e-19");
        assert!(!found.reached && !found.enclosure.is_defined(), "{question}: {:?}", found.enclosure);
    }
    // x^(5/2) has two bounded derivatives at 0 and no third
    let (found, _) = ask(r"integral01 (\x => x^2 * sqrt x)", "1e-20");
    assert!(found.reached && found.enclosure.contains(&Rational::from((2, 7))), "{:?}", found.enclosure);
}

#[test]
fn integrals_beyond_doubles_take_little_work() {
    for (question, eps, most) in [
        (r"integral01 (\x => sin (x + exp x))", "1e-30", MOST_SINE),
        (r"integral01 (\x => 1 / (1 + x^2))", "1e-30", MOST_QUOTIENT),
        (r"integral01 (\x => integral01 (\y => max 0 (x + y - 0.77)))", "1e-30", MOST_CLIPPED),
        (r"integral01 (\x => integral01 (\y => cos (8.64 * x * y)))", "0.125", MOST_WAVE),
        (r"integral01 (\x => integral01 (\y => cos (8.64 * x * y)))", "1e-20", MOST_FINE_WAVE),
    ] {
        let (found, work) = ask(question, eps);
        println!("{question} {eps} {work}");
        assert!(found.reached && work <= most, "{question} to {eps}: {work}");
    }
}
const MOST_SINE: u64 = 30_000;
const MOST_QUOTIENT: u64 = 90_000;
const MOST_CLIPPED: u64 = 4_500_000;
const MOST_WAVE: u64 = 180_000;
const MOST_FINE_WAVE: u64 = 1_800_000;
