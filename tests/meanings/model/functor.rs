//! `(value, ′)` is a functor (S48), and second-order primitives keep towers consistent (S47), on samples.

use super::{enclosure, float, infer};
use smoothish::meaning::tower::TowerSemantics;
use smoothish::number::budget::Budget;
use smoothish::number::{Context, Double, Rational};
use std::sync::Arc;

const MAPS: [&str; 6] = [
    "(\\x => x^2 - 1)",
    "sin",
    "(\\x => exp (x / 2) + 1)",
    "(\\x => max x (1 - x))",
    "(\\x => x * cos x)",
    "(\\x => integral01 (\\t => sin (x * t)))",
];

/// The tangent map of f, value with derivative, as a function of a pair.
fn with_derivative(f: &str, p: &str) -> String {
    format!("(tangent_R.to (tangent {f} (tangent_R.from {p})))")
}

/// S48: ⟨f, f′⟩ of the identity is the identity; of a composite it is the composite. Both sides in every model: enclosures
/// meet, floating-point numbers are equal but for rounding.
#[test]
fn value_with_derivative_is_a_functor() {
    let both = |program: &str, other: &str, towers: bool| {
        let models = if towers { &["presheaf", "tower"][..] } else { &["presheaf"] };
        for model in models {
            let (left, right) = (enclosure(model, program), enclosure(model, other));
            assert!(left.is_defined() && right.is_defined(), "{model}: {program}: {left}, {other}: {right}");
            assert!(left.overlaps(&right), "{model}: {program}: {left}, {other}: {right}");
        }
        let (left, right) = (float(program), float(other));
        assert!((left - right).abs() <= 1e-13 * (1.0 + left.abs()), "float: {program}: {left}, {other}: {right}");
    };
    for part in ["fst", "snd"] {
        both(&format!("{part} {}", with_derivative("(\\x => x)", "(2, 3)")), &format!("{part} (2, 3)"), true);
        for f in MAPS {
            for g in MAPS {
                let towers = !f.contains("integral01") && !g.contains("integral01");
                let composite = format!("(\\x => {g} ({f} x))");
                let once = with_derivative(&composite, "(3/4, 2)");
                let twice = with_derivative(g, &with_derivative(f, "(3/4, 2)"));
                both(&format!("{part} {once}"), &format!("{part} {twice}"), towers);
            }
        }
    }
}

/// S47: successive consistency. On an interval, each order of the derivative of a primitive's result lies in what the next
/// order allows: the mean value theorem between two points, for orders 0 to 2.
#[test]
fn second_order_primitives_keep_consecutive_orders_consistent() {
    for body in [
        "(\\c => integral01 (\\x => sin (c * x)))",
        "(\\c => integral01 (\\x => exp (c * x) / (1 + x^2)))",
        "(\\c => cutRoot (\\x => c - x - x^3))",
        "(\\c => firstRoot (\\x => c / 4 - x^2))",
        "(\\c => max01 (\\x => x * c - x^2))",
    ] {
        for order in 0..3 {
            let [low, high] =
                ["1", "(17/16)"].map(|at| enclosure("presheaf", &format!("nthDeriv {order} {body} {at}")));
            // the mean of the next order over [1, 17/16], by integration
            let slope = format!("integral01 (\\t => nthDeriv {} {body} (1 + t / 16))", order + 1);
            let mean = enclosure("presheaf", &slope);
            let wide = |e: &smoothish::number::Enclosure| Double.round_enclosure(e);
            let rise = Double.mul(&Double.enclose_integer(16), &Double.sub(&wide(&high), &wide(&low)));
            let rise = Double.to_enclosure(&rise);
            assert!(mean.is_defined() && rise.overlaps(&mean), "{body}, order {order}: {rise}, {mean}");
        }
    }
}

/// The tower of a program is closed under the operations of §4: its value and derivative are those of the program.
#[test]
fn the_tower_of_a_program_is_a_tower() {
    let (term, ty) = infer("(sin 1, 2, exp 0)");
    let tower = TowerSemantics::tower_of_program::<Double>(&term, &ty, &Arc::new(Budget::unlimited())).unwrap();
    assert_eq!((tower.inputs(), tower.outputs()), (0, 3));
    let values = tower.value_at(&[], &Double).unwrap();
    assert!(Double.to_enclosure(&values[1]).contains(&Rational::from(2)));
    let slopes = tower.derivative(&[], &[vec![]], &Double).unwrap();
    assert!(slopes.iter().all(|slope| Double.to_enclosure(slope).contains(&Rational::from(0))));
}
