//! Maps as expressions: short, shared, and read back by the language with the same values.

use super::primitives::{Line, Tangent, sine};
use super::support::{q, random_map};
use smoothish::model::answer::AnswerNumber;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::smooth::map::{Map, coordinates};
use smoothish::value::Value;
use typenum::{U1, U2};

#[test]
fn operators_have_the_brackets_they_need() {
    let [x, y] = coordinates::<U2, 2>();
    for (map, expected) in [
        ((&x + &y) * &x, "(x + y) * x"),
        (&x - (&y - &x), "x - (y - x)"),
        (&x / (&y * &x), "x / (y * x)"),
        ((-&x).powi(2) * (-&y), "(-x)^2 * (-y)"),
        (-(&x * &y), "-(x * y)"),
        (x.powi(2).powi(3), "(x^2)^3"),
        (x.sin().powi(-1), "(sin x)^(-1)"),
        (x.abs().max(&(&y + 1)), "max (abs x) (y + 1)"),
        (y.atan2(&(-&x)), "atan2 y (-x)"),
        (&x * q(-1, 3), "x * (-1/3)"),
        (&x + q(-1, 3), "x + -1/3"),
        (Map::pi() * Map::euler(), "pi * e"),
        (x.power(&q(2, 3)).unwrap(), "x^(2/3)"),
    ] {
        assert_eq!(map.to_string(), format!("\\x y => {expected}"));
    }
}

/// A graph of sixty nodes that is a tree of 2⁶⁰ has a short text.
#[test]
fn what_is_shared_is_printed_once() {
    let x = Map::<U1, U1>::id();
    let doubled = (0..60).fold(x.sin(), |f, _| &f + &f);
    let text = doubled.to_string();
    assert!(text.len() < 2500, "{}", text.len());
    assert_eq!(text.matches("let ").count(), 60);
    let lines = format!("{doubled:#}");
    assert_eq!(lines.lines().count(), 61);
}

#[test]
fn very_deep_maps_are_cut_short() {
    let x = Map::<U1, U1>::id();
    let text = x.sin().nth_derivative(1000).to_string();
    assert!(text.contains('…') && text.len() < 10_000, "{}", text.len());
    let long = (0..20_000).fold(x.clone(), |f, i| (f + i).sin());
    assert!(long.to_string().len() < 1_500_000);
}

/// What is printed, asked of the language at a point, is the value of the map there.
#[test]
fn what_is_printed_is_read_back() {
    let session = Session::new();
    let mut random = SplitMix64::new(7);
    let eps = q(1, 1_000_000_000);
    for round in 0..40 {
        let f = random_map::<U2, 2>(&mut random, true);
        let f: Map<U2, U1> = match round % 5 {
            0 => f.gradient().then(&Map::<(U1, U1), U1>::second().reshape()),
            1 => f.reshape::<(U1, U1), U1>().integral01().reshape::<U1, U1>().then(&Map::id()).after_second(),
            2 => f.prime().reshape::<(U2, U2), U1>().at_ones(),
            3 => f.derivative_along([q(1, 1), q(-2, 1)]),
            _ => f,
        };
        let point = [q(3, 7), q(-5, 11)];
        let question = format!("({f}) (3/7) (-5/11)");
        let answer = session.ask(&Evaluate::new(&question).with_width(eps.clone()), &Limits::none());
        let answer = answer.unwrap_or_else(|e| panic!("{question}: {e}"));
        let Value::Real(AnswerNumber::Enclosure(read)) = answer.value() else { panic!("{question}") };
        let direct = f.at(point).enclose(&eps, &Budget::unlimited()).unwrap();
        assert!(read.reached && direct.all_reached(), "{question}");
        assert!(read.enclosure.overlaps(&direct.components[0].enclosure), "{question}");
    }
}

fn named(name: &str) -> Line {
    sine(name, |_| Tangent::first().cos() * Tangent::second()).unwrap()
}

/// `s * s s + s` would mean something else.
#[test]
fn variables_are_not_called_like_primitives() {
    let x = Map::<U1, U1>::id();
    let [s, t, own_x] = ["s", "t", "x"].map(named);
    let shared = x.exp() + 1;
    assert_eq!((&shared * &shared.then(&s) + &shared).to_string(), "\\x => let s1 = exp x + 1 in s1 * s s1 + s1");
    assert_eq!(own_x.to_string(), "\\x0 => x x0");
    assert_eq!((own_x.sin() * named("x0")).to_string(), "\\y0 => sin (x y0) * x0 y0");
    assert_eq!(t.derivative().to_string(), "\\x => deriv (\\t1 => t t1) x");
    // along a line
    let [a, b] = coordinates::<U2, 2>();
    let line = a.then(&named("h")) * b;
    assert_eq!(line.prime().to_string().matches("\\h1 =>").count(), 1, "{}", line.prime());
}

/// Two primitives of one name are two: the second is numbered, in print, in pictures and where they are named.
#[test]
fn primitives_of_one_name_are_numbered() {
    let (first, second, other) = (named("same"), named("same"), named("other"));
    let difference = &second - &first + &other;
    assert_eq!(difference.to_string(), "\\x => same'2 x - same x + other x");
    assert_eq!(difference.trusted_primitives(), ["other", "same", "same'2"]);
    assert_eq!((&first - &first).to_string(), "\\x => let s = same x in s - s");
    assert_eq!(second.trusted_primitives(), ["same"]);
    let dot = difference.picture().to_dot();
    assert!(dot.contains("\"same\"") && dot.contains("\"same'2\""), "{dot}");
    let answers = difference.at([q(0, 1)]).enclose(&q(1, 10), &Budget::unlimited()).unwrap();
    assert_eq!(answers.trusted, ["other", "same", "same'2"]);
}

#[test]
fn numbers_stand_on_either_side() {
    let x = Map::<U1, U1>::id();
    assert_eq!((2 * &x - 1).to_string(), "\\x => 2 * x - 1");
    assert_eq!((1 - x.clone()).to_string(), "\\x => 1 - x");
    assert_eq!((q(1, 3) / (3 + x.sin())).to_string(), "\\x => 1/3 / (3 + sin x)");
    assert_eq!(x.sin().taylor(2)[1].to_string(), "\\x y => deriv (\\t => sin (x + t * y)) 0");
}

trait Shapes {
    fn at_ones(&self) -> Map<U2, U1>;
}

impl Shapes for Map<(U2, U2), U1> {
    /// (x, y) ↦ f((x, y), (1, 1))
    fn at_ones(&self) -> Map<U2, U1> {
        Map::<U2, U2>::id().pair(&Map::constant([Rational::from(1), Rational::from(1)])).then(self)
    }
}

trait After {
    fn after_second(&self) -> Map<U2, U1>;
}

impl After for Map<U1, U1> {
    /// (x, y) ↦ f(y)
    fn after_second(&self) -> Map<U2, U1> {
        let [_, y] = coordinates();
        y.then(self)
    }
}
