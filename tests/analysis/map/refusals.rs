//! What is refused when a primitive is registered: boxes that show nothing, small errors, words of the language.

use super::primitives::{Elementary, Line, Tangent, sine};
use super::support::q;
use smoothish::number::arithmetic::{Context, Extension, Function};
use smoothish::number::{Double, Interval, Mpfr, Rational};
use smoothish::smooth::map::primitive::reserved_words;
use smoothish::smooth::map::{Map, PrimitiveError};
use smoothish::smooth::tower::consistency::ViolatedCondition;
use smoothish::syntax::constant;
use smoothish::syntax::library::Library;
use typenum::{U1, U2};

fn cosine_times(factor: Rational) -> impl Fn(&Line) -> Tangent + Send + Sync + 'static {
    move |_| Tangent::first().cos() * Tangent::second() * factor.clone()
}

fn sine_on(factor: Rational, boxes: &[[Rational; 2]]) -> Result<Line, PrimitiveError> {
    let boxes: Vec<_> = boxes.iter().map(|range| vec![range.clone()]).collect();
    Map::primitive("mySin", Elementary(Function::Sin), cosine_times(factor), &boxes)
}

/// A point has no step in it, so no derivative can be refuted there, however wrong.
#[test]
fn a_box_that_is_a_point_shows_nothing_of_a_derivative() {
    for point in [q(0, 1), q(1, 1), q(-7, 3)] {
        for factor in [q(0, 1), q(1, 1), q(11, 10)] {
            let refused = sine_on(factor, &[[point.clone(), point.clone()]]).unwrap_err();
            assert!(matches!(refused, PrimitiveError::Point { coordinate: 0, .. }), "{refused}");
            assert!(refused.to_string().contains("give an interval with an interior"), "{refused}");
        }
    }
    // beside an interval a point does no harm, and no good
    let boxes = [[q(1, 1), q(1, 1)], [q(0, 1), q(1, 1)]];
    sine_on(q(1, 1), &boxes).unwrap();
    assert!(matches!(sine_on(q(11, 10), &boxes), Err(PrimitiveError::Inconsistent { .. })));
}

struct Product;

impl Product {
    fn of<C: Context>(context: &C, x: &[C::Num]) -> C::Num {
        context.mul(&x[0], &x[1])
    }
}

impl Extension for Product {
    fn eval_double(&self, context: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        Self::of(context, x)
    }

    fn eval_mpfr(&self, context: &Mpfr, x: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        Self::of(context, x)
    }
}

/// Every partial derivative is tried, or the primitive is refused.
#[test]
fn every_coordinate_has_a_box_with_an_interior() {
    let product = |factor: i64, boxes: &[Vec<[Rational; 2]>]| {
        let slope = move |_: &Map<U2, U1>| {
            let [point, direction] = [Map::<(U2, U2), U2>::first(), Map::second()];
            let [x, y] = smoothish::smooth::map::coordinates::<U2, 2>();
            let part = |of: &Map<(U2, U2), U2>, x: &Map<U2, U1>| of.then(x);
            part(&point, &y) * part(&direction, &x) + part(&point, &x) * part(&direction, &y) * factor
        };
        Map::<U2, U1>::primitive("times", Product, slope, boxes)
    };
    let (wide, point) = ([q(1, 1), q(2, 1)], [q(2, 1), q(2, 1)]);
    let flat = || vec![wide.clone(), point.clone()];
    let tall = || vec![point.clone(), wide.clone()];
    for factor in [1, 100] {
        let refused = product(factor, &[flat()]).unwrap_err();
        assert!(matches!(refused, PrimitiveError::Point { coordinate: 1, .. }), "{refused}");
    }
    product(1, &[flat(), tall()]).unwrap();
    assert!(matches!(product(2, &[flat(), tall()]), Err(PrimitiveError::Inconsistent { .. })));
    product(1, &[vec![wide.clone(), wide.clone()]]).unwrap();
    let refused = product(2, &[vec![wide.clone(), wide.clone()]]).unwrap_err();
    assert!(matches!(refused, PrimitiveError::Inconsistent { .. }), "{refused}");
}

/// At the ends and in the middle of a box the steps are as short as a millionth of its width.
#[test]
fn small_errors_are_found_at_ends_and_middles() {
    let unit = [[q(0, 1), q(1, 1)]];
    sine_on(q(1, 1), &unit).unwrap();
    for error in [q(1, 100), q(1, 10_000), q(1, 1_000_000)] {
        let Err(PrimitiveError::Inconsistent { why, .. }) = sine_on(1 + error.clone(), &unit) else {
            panic!("{error}")
        };
        assert_eq!((why.reason, why.sample.directions.len()), (ViolatedCondition::MeanValue, 0), "{why}");
    }
    // what is smaller than the slope varies by in such a step is not: sin(h)/h = 1 - h²/6 for h = 2⁻²⁰
    sine_on(q(10_000_000_000_001, 10_000_000_000_000), &unit).unwrap();
}

/// log (1 + exp x)
struct Softplus;

impl Softplus {
    fn of<C: Context>(context: &C, x: &[C::Num]) -> C::Num {
        let sum = context.add(&context.enclose_integer(1), &context.apply_function(Function::Exp, &x[0]));
        context.apply_function(Function::Log, &sum)
    }
}

impl Extension for Softplus {
    fn eval_double(&self, context: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        Self::of(context, x)
    }

    fn eval_mpfr(&self, context: &Mpfr, x: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        Self::of(context, x)
    }
}

/// The order that is reported is the smallest at which the witness refutes: of a function that is not its own derivative,
/// it is 0. Softplus is first refuted in a sample of order 1.
#[test]
fn witnesses_have_the_smallest_order() {
    let own = |own: &Line| Tangent::first().then(own) * Tangent::second();
    let softplus = Line::primitive("softplus", Softplus, own, &[vec![[q(-1, 1), q(1, 1)]]]);
    for wrong in [sine("mySin", own), softplus] {
        let Err(PrimitiveError::Inconsistent { why, .. }) = wrong else { panic!("{wrong:?}") };
        assert!(why.sample.directions.is_empty(), "{why}");
    }
}

#[test]
fn words_of_the_language_are_no_names() {
    let refused = |name: &str| matches!(sine(name, cosine_times(q(1, 1))), Err(PrimitiveError::Reserved { .. }));
    for word in constant::constant_names()
        .chain(["let", "rec", "in", "if", "then", "else", "tt", "ff", "match", "with", "foldDer"])
    {
        assert!(refused(word), "{word}");
    }
    // each is refused for a reason: it is a constant, or the language cannot bind it
    for word in reserved_words().filter(|word| constant::Constant::from_name(word).is_none() && *word != "foldDer") {
        assert!(Library::new().infer_expression(&format!("\\{word} => 1")).is_err(), "{word}");
    }
    for name in ["mySin", "sin2", "sinus", "s", "x", "σ"] {
        assert!(sine(name, cosine_times(q(1, 1))).is_ok(), "{name}");
    }
    for name in ["λ", "λx", "f²", "Sin", "_sin", "my'sin", "my'2", "", "a b"] {
        let refused = sine(name, cosine_times(q(1, 1)));
        assert!(matches!(refused, Err(PrimitiveError::Name { .. })), "{name}: {refused:?}");
    }
}
