//! The refuter of consistency has teeth, and asks nothing where nothing can be asked (S15).

use super::support::*;
use smoothish_laws::number::{Context, Function, Mpfr, Rational};
use smoothish_laws::smooth::tower::consistency::{CheckOutcome, Consistency, TowerRefutation, ViolatedCondition};
use smoothish_laws::smooth::tower::graph::TowerOperand;
use smoothish_laws::smooth::tower::{Tower, TowerError, primitive};

fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

/// A tower on ℝⁿ from what it is at orders 0, 1, …; 0 beyond.
type Order = fn(&Mpfr, &[Num], &[&[Num]]) -> Num;

fn tower(inputs: usize, orders: &'static [Order]) -> Map {
    Tower::new(inputs, 1, move |c: &Mpfr, x: &[Num], v: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        Ok(vec![orders.get(v.len()).map_or_else(|| c.enclose_integer(0), |f| f(c, x, v))])
    })
}

#[track_caller]
fn refuted(outcome: CheckOutcome) -> Box<TowerRefutation> {
    match outcome {
        CheckOutcome::Refuted(why) => why,
        other => panic!("{other:?}"),
    }
}

/// sin, with the derivative 1.1·cos
fn wrong_sine() -> Map {
    let times = |c: &Mpfr, f: Function, x: &Num| c.mul(&c.enclose_rational(&q(11, 10)), &c.apply_function(f, x));
    Tower::new(1, 1, move |c: &Mpfr, x: &[Num], v: &[&[Num]]| {
        let slope = |v: &[&[Num]]| v.iter().fold(c.enclose_integer(1), |p, v| c.mul(&p, &v[0]));
        Ok(vec![match v.len() {
            0 => c.apply_function(Function::Sin, &x[0]),
            k if k % 4 == 1 => c.mul(&times(c, Function::Cos, &x[0]), &slope(v)),
            k if k % 4 == 2 => c.neg(&c.mul(&times(c, Function::Sin, &x[0]), &slope(v))),
            k if k % 4 == 3 => c.neg(&c.mul(&times(c, Function::Cos, &x[0]), &slope(v))),
            _ => c.mul(&times(c, Function::Sin, &x[0]), &slope(v)),
        }])
    })
}

/// In a box that is a point there is no step, so nothing is asked; in every other box the wrong derivative is found.
#[test]
fn a_point_asks_nothing() {
    let (c, wrong, how) = (context(), wrong_sine(), Consistency::default());
    for x in [q(2, 1), q(0, 1), q(-5, 7)] {
        let found = how.refute_within(&wrong, &c, &[[x.clone(), x]]).unwrap();
        assert_eq!(found, CheckOutcome::Survived { asked: 0 });
    }
    for width in [q(1, 1), q(1, 1 << 20)] {
        let why = refuted(how.refute_within(&wrong, &c, &[[q(2, 1), 2 + width]]).unwrap());
        assert!(why.reason == ViolatedCondition::MeanValue && why.sample.step[0] != 0, "{why}");
    }
    let sine: Map = primitive::elementary_tower(Function::Sin);
    let found = how.refute_within(&sine, &c, &[[q(0, 1), q(1, 1)]]).unwrap();
    assert!(matches!(found, CheckOutcome::Survived { asked } if asked > 150), "{found:?}");
}

#[test]
fn boxes_are_checked() {
    let (c, sine) = (context(), wrong_sine());
    let within = |ranges: &[[Rational; 2]]| Consistency::default().refute_within(&sine, &c, ranges).unwrap_err();
    for ranges in [vec![], vec![[q(0, 1), q(1, 1)]; 2]] {
        let found = within(&ranges);
        let TowerError::Dimension { part: TowerOperand::Box, expected: 1, found } = found else { panic!("{found}") };
        assert_eq!(found, ranges.len());
    }
    let reversed = within(&[[q(1, 1), q(0, 1)]]);
    assert_eq!(reversed.to_string(), "coordinate 0 of the box is [1, 0], with its ends in the wrong order");
}

/// A derivative that is not linear is called that, though it misses rises too.
#[test]
fn what_is_not_linear_or_not_symmetric_is_called_so() {
    let c = context();
    let how = Consistency::default();
    let constant = tower(1, &[|_, x, _| x[0].clone(), |c, _, _| c.enclose_integer(1)]);
    let square = tower(1, &[|_, x, _| x[0].clone(), |c, _, v| c.mul(&v[0][0], &v[0][0])]);
    let one_sided = tower(1, &[|_, x, _| x[0].clone(), |c, _, v| c.max(&v[0][0], &c.enclose_integer(0))]);
    for (what, wrong) in [("constant", constant), ("square", square), ("one-sided", one_sided)] {
        let boxed = refuted(how.refute_within(&wrong, &c, &[[q(0, 1), q(1, 1)]]).unwrap());
        for why in [refuted(how.refute(&wrong, &c).unwrap()), boxed] {
            assert_eq!((why.reason, why.sample.directions.len()), (ViolatedCondition::Linear, 1), "{what}: {why}");
        }
    }
    // (xy)″((a, b), (c, d)) = ad + bc, without its second term
    let half = tower(
        2,
        &[
            |c, x, _| c.mul(&x[0], &x[1]),
            |c, x, v| c.add(&c.mul(&x[0], &v[0][1]), &c.mul(&x[1], &v[0][0])),
            |c, _, v| c.mul(&v[0][0], &v[1][1]),
        ],
    );
    let why = refuted(how.refute(&half, &c).unwrap());
    assert_eq!((why.reason, why.sample.directions.len()), (ViolatedCondition::Symmetric, 2), "{why}");
    // linear and symmetric, and wrong: a rise
    let double = tower(1, &[|_, x, _| x[0].clone(), |c, _, v| c.mul_integer(&v[0][0], 2)]);
    let why = refuted(how.refute(&double, &c).unwrap());
    assert_eq!((why.reason, why.sample.directions.len()), (ViolatedCondition::MeanValue, 0), "{why}");
}

/// The order that is reported is the smallest at which the witness refutes.
#[test]
fn witnesses_have_the_smallest_order() {
    let c = context();
    let why = refuted(Consistency { orders: 2, samples: 200, seed: 0 }.refute(&wrong_sine(), &c).unwrap());
    assert!(why.sample.directions.is_empty(), "{why}");
    for order in 1..4 {
        let sample = smoothish_laws::smooth::tower::consistency::ConsistencySample::draw_random(0, 7, 2, order);
        assert!(sample.smaller_samples().take(order).all(|smaller| smaller.directions.len() == order - 1));
    }
}
