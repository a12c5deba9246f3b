//! `foldDer`, and primitives from outside: Lambert's W of the example, and what is refused.

use super::own::{LambertW, lambert_w};
use super::support::{ask, best, contain, overlap, q, vector};
use smoothish::number::arithmetic::{Context, Extension, Function};
use smoothish::number::{Double, Interval, Mpfr};
use smoothish::smooth::map::{Map, PrimitiveError};
use smoothish::smooth::tower::consistency::ViolatedCondition;
use typenum::{U1, U2};

/// S26: foldDer(f, f′) is f; with another derivative, only the value is that of f.
#[test]
fn fold_der_is_a_section_of_value_and_derivative() {
    let [x, y] = smoothish::smooth::map::coordinates::<U2, 2>();
    let f: Map<U2, U2> = Map::tuple(&[(&x * &y).sin(), x.powi(3) - &y]).unwrap();
    let same = Map::fold_der(&f, &f.prime());
    let point = [q(1, 2), q(2, 3)];
    let directions = [vector(&[1, 2]), vector(&[-1, 1]), vector(&[3, 0])];
    for order in 0..=3 {
        let left = ask(&f.derivative_at(&point, &directions[..order]).unwrap());
        overlap(&left, &ask(&same.derivative_at(&point, &directions[..order]).unwrap()));
        overlap(&left, &same.tower().unwrap().derivative_at(&point, &directions[..order], 128).unwrap());
    }
    // one primitive for each coordinate
    assert_eq!(same.trusted_primitives(), ["foldDer", "foldDer'2"]);
    // sin with the derivative of the exponential, an integral inside the value
    let t = Map::<U1, U1>::id();
    let ramp = Map::<(U1, U1), U1>::first().max(&Map::second()).integral01();
    let odd = Map::fold_der(&ramp, &(Map::<(U1, U1), U1>::first().exp() * Map::second()));
    contain(&ask(&odd.at([q(0, 1)])), &[q(1, 2)]);
    contain(&ask(&odd.derivative().at([q(0, 1)])), &vector(&[1]));
    contain(&ask(&odd.nth_derivative(3).at([q(0, 1)])), &vector(&[1]));
    overlap(&ask(&odd.derivative().at([q(1, 3)])), &ask(&t.exp().at([q(1, 3)])));
}

pub struct Elementary(pub Function);

impl Extension for Elementary {
    fn eval_double(&self, context: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        context.apply_function(self.0, &x[0])
    }

    fn eval_mpfr(&self, context: &Mpfr, x: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        context.apply_function(self.0, &x[0])
    }
}

/// The value at the middle of the box: no enclosure.
struct Midpoint;

impl Extension for Midpoint {
    fn eval_double(&self, context: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        context.midpoint(&x[0])
    }

    fn eval_mpfr(&self, context: &Mpfr, x: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        context.midpoint(&x[0])
    }
}

pub type Line = Map<U1, U1>;
pub type Tangent = Map<(U1, U1), U1>;

/// The sine under another name and with another derivative, tried on two boxes.
pub fn sine(name: &str, derivative: impl Fn(&Line) -> Tangent + Send + Sync + 'static) -> Result<Line, PrimitiveError> {
    Map::primitive(name, Elementary(Function::Sin), derivative, &[vec![[q(0, 1), q(1, 2)]], vec![[q(2, 1), q(3, 1)]]])
}

#[test]
fn wrong_primitives_are_refused() {
    let point = || Tangent::first();
    let direction = || Tangent::second();
    sine("mySin", move |_| point().cos() * direction()).unwrap();
    let wrong = sine("mySin", move |_| point().sin() * direction());
    let Err(PrimitiveError::Inconsistent { why, .. }) = wrong else { panic!("{wrong:?}") };
    let sample = &why.sample;
    let bits: u32 = sample.point.iter().chain(&sample.step).map(|q| q.denom().significant_bits()).sum();
    assert!(
        why.reason == ViolatedCondition::MeanValue && sample.directions.is_empty() && bits <= 6,
        "the witness is small: {why}"
    );
    let halved = sine("mySin", move |_| point().cos() * direction() / 2);
    assert!(matches!(halved, Err(PrimitiveError::Inconsistent { .. })), "{halved:?}");
    // beside a stationary point the slopes on a wide box allow any factor
    let cosine = |k: i64| {
        let slope = move |_: &Line| -(Tangent::first().sin() * Tangent::second()) * k;
        Line::primitive("myCos", Elementary(Function::Cos), slope, &[vec![[q(-1, 1), q(1, 1)]]])
    };
    cosine(1).unwrap();
    assert!(matches!(cosine(3), Err(PrimitiveError::Inconsistent { .. })), "{:?}", cosine(3));
    assert!(matches!(cosine(100), Err(PrimitiveError::Inconsistent { .. })), "{:?}", cosine(100));
    let quadratic = sine("mySin", move |_| point().cos() * direction().powi(2));
    assert!(matches!(quadratic, Err(PrimitiveError::NotLinear { .. })), "{quadratic:?}");
    let one_sided = sine("mySin", move |_| point().cos() * direction().relu());
    assert!(matches!(one_sided, Err(PrimitiveError::NotLinear { .. })), "{one_sided:?}");
    let constant = sine("mySin", move |_| point().cos());
    assert!(matches!(constant, Err(PrimitiveError::NotLinear { .. })), "{constant:?}");
    assert!(matches!(sine("My sin", move |_| point()), Err(PrimitiveError::Name { .. })));
    let nowhere: &[Vec<[_; 2]>] = &[vec![[q(-2, 1), q(-1, 1)]]];
    let log = |boxes: &[Vec<[smoothish::number::Rational; 2]>]| {
        Line::primitive("myLog", Elementary(Function::Log), move |_| direction() / point(), boxes)
    };
    assert!(matches!(log(nowhere), Err(PrimitiveError::Untested { .. })));
    assert!(matches!(log(&[]), Err(PrimitiveError::Untested { .. })));
    assert!(matches!(log(&[vec![[q(2, 1), q(1, 1)]]]), Err(PrimitiveError::Box { .. })));
    assert!(matches!(log(&[vec![]]), Err(PrimitiveError::Box { .. })));
    let long = log(&[vec![[q(1, 1), q(2, 1)]; 2]]).unwrap_err().to_string();
    assert_eq!(long, "a box to try `myLog` on: the box has 2 intervals, but 1 is needed here");
    log(&[vec![[q(1, 1), q(2, 1)]]]).unwrap();
    let midpoint = Line::primitive("middle", Midpoint, move |_| direction(), &[vec![[q(0, 1), q(1, 1)]]]);
    let Err(e @ PrimitiveError::NotEnclosing { .. }) = midpoint else { panic!("{midpoint:?}") };
    assert!(e.to_string().starts_with("the extension of `middle` does not enclose: at (0) it gives 0"), "{e}");
    use smoothish::smooth::map::DynMap;
    let own = |f: &DynMap| DynMap::of_graphs(&smoothish::smooth::map::coordinate_variables(1), f.outputs()).unwrap();
    let shape = DynMap::primitive("w", 1, LambertW, own, &[]);
    assert!(matches!(shape, Err(PrimitiveError::Dimension { arity: 1, inputs: 1, outputs: 1, .. })), "{shape:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// W⁽ᵏ⁾(0) = (-k)^{k-1}; W(x)·e^{W(x)} = x and its derivatives; W(e) = 1.
    #[test]
    fn a_primitive_of_ones_own_has_every_derivative() {
        let w = lambert_w().unwrap();
        for k in 1..=6u16 {
            let expected = (-i64::from(k)).pow(u32::from(k) - 1);
            contain(&ask(&w.nth_derivative(k).at([q(0, 1)])), &vector(&[expected]));
        }
        let back = &w * &w.exp();
        for x in [q(1, 1), q(5, 2), q(-1, 5)] {
            contain(&ask(&back.at([x.clone()])), std::slice::from_ref(&x));
            contain(&ask(&back.derivative().at([x.clone()])), &vector(&[1]));
            contain(&ask(&back.nth_derivative(2).at([x])), &vector(&[0]));
        }
        contain(&ask(&Map::<U1, U1>::euler().then(&w).at([q(0, 1)])), &vector(&[1]));
        assert!(best(&w.at([q(-1, 1)]))[0].is_bottom());
        assert_eq!(w.sin().trusted_primitives(), ["productLog"]);
        let answers = w.at([q(1, 1)]).enclose(&q(1, 100), &smoothish::number::budget::Budget::unlimited()).unwrap();
        assert_eq!(answers.trusted, ["productLog"]);
        assert!(Map::<U1, U1>::id().sin().trusted_primitives().is_empty());
        // the tower of a primitive from outside
        let tower = w.tower().unwrap().derivative_at(&vector(&[0]), &[vector(&[1]), vector(&[1])], 100).unwrap();
        contain(&tower, &vector(&[-2]));
    }
}
