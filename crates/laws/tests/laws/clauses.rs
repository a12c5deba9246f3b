//! Of `law::clauses`: the printed clauses of S §5.2 as towers. Closed forms, random programs, and wrong clauses.

use smoothish_laws::law::clauses::{WrongClause, printed_clauses, survey_clauses};
use smoothish_laws::law::generate::data_library;
use smoothish_laws::meaning::tower::TowerModel;
use smoothish_laws::model::interpret;
use smoothish_laws::number::budget::Budget;
use smoothish_laws::number::{Context, Double, Enclosure, decimal};
use smoothish_laws::smooth::graph::{Graph, SecondOrder, Variable};
use smoothish_laws::smooth::tower::Tower;
use std::sync::Arc;

fn enclose(program: &str) -> Enclosure {
    let (term, _) = data_library().infer_expression(program).unwrap();
    let model = TowerModel::<Double>::new(Arc::new(Budget::unlimited()));
    let tower = interpret(&model, &[], &term).unwrap().cloned_tower.unwrap();
    Double.to_enclosure(&tower.value_at(&[], &Double).unwrap()[0])
}

/// The program is a number, known to `width`.
#[track_caller]
fn assert_number(program: &str, expected: &str, width: f64) {
    let found = enclose(program);
    let expected = decimal::parse(expected).unwrap();
    assert!(found.is_defined() && found.contains(&expected), "{program}: {found} is not {expected}");
    assert!(found.hi().to_f64() - found.lo().to_f64() <= width, "{program}: {found} is wide");
}

#[track_caller]
fn assert_set(program: &str, lo: f64, hi: f64) {
    let found = enclose(program);
    let ends = [found.lo().to_f64(), found.hi().to_f64()];
    assert!((ends[0] - lo).abs() < 1e-9 && (ends[1] - hi).abs() < 1e-9, "{program}: {found} is not [{lo}, {hi}]");
}

#[track_caller]
fn assert_bottom(program: &str) {
    let found = enclose(program);
    assert!(!found.is_defined() && !found.is_bounded(), "{program}: {found} is not ⊥");
}

/// Expected values are closed forms; those with many digits were computed by mpmath at 40 digits.
#[test]
fn printed_clauses_have_their_closed_forms() {
    // ∫ sin(cx) dx = (1 − cos c)/c, and its derivatives at 2
    let sine = r"\c => integral01 (\x => sin (c * x))";
    assert_number(&format!("({sine}) 2"), "0.70807341827357119349878", 1e-4);
    assert_number(&format!("deriv ({sine}) 2"), "0.10061200427605525094862", 1e-3);
    assert_number(&format!("deriv (deriv ({sine})) 2"), "-0.30868542254962644444740", 1e-2);
    // S39: the kink of the integrand
    assert_number(r"deriv (\c => integral01 (\x => max 0 (x - c))) 0.6", "-0.4", 1e-2);
    assert_bottom(r"deriv (deriv (\c => integral01 (\x => max 0 (x - c)))) 0.6");
    // S41, S42: ∛c has the slopes 1/12 and −1/144 at 8
    let root = r"\c => cutRoot (\x => c - x^3)";
    assert_number(&format!("deriv ({root}) 8"), "0.083333333333333333333333333333333333", 1e-10);
    assert_number(&format!("deriv (deriv ({root})) 8"), "-0.0069444444444444444444444444444444", 1e-10);
    assert_bottom(&format!("deriv ({root}) 0"));
    assert_set(r"cutRoot (\x => max (1 - x) (min 0 (2 - x)))", 1.0, 2.0);
    // S43: tStar(y) = 1 − √(1 − y²), and E44
    let star = r"deriv (\y => firstRoot (\t => (t - 1)^2 - (1 - y^2))) (-3/4)";
    assert_number(star, "-1.1338934190276816816435", 1e-9);
    assert_set(r"firstRoot (\x => (x - 1/2)^2)", 0.5, 1.0);
    let line = r"deriv (\c => firstRoot (\x => c - x))";
    assert_number(&format!("{line} 2"), "0", 0.0);
    assert_number(&format!("{line} (-1)"), "0", 0.0);
    assert_number(&format!("{line} 0.5"), "1", 1e-9);
    assert_set(&format!("{line} 1"), 0.0, 1.0);
    assert_set(&format!("{line} 0"), 0.0, 1.0);
    assert_bottom(r"deriv (deriv (\c => firstRoot (\x => c - x))) 1");
    // S44: three cases
    let bump = r"\c => argmax01 (\x => 1/2 - (x-c)^2 + 0.3*c^3*x)";
    assert_number(&format!("({bump}) 0.5"), "0.51875", 1e-6);
    assert_number(&format!("deriv ({bump}) 0.5"), "1.1125", 1e-9);
    assert_number(&format!("deriv (deriv ({bump})) 0.5"), "0.45", 1e-9);
    assert_number(r"deriv (\c => argmax01 (\x => c - x)) 3", "0", 0.0);
    assert_number(r"deriv (\c => argmax01 (\x => x * (1 + c^2))) 3", "0", 0.0);
    assert_set(r"argmax01 (\x => 0)", 0.0, 1.0);
    assert_bottom(r"deriv (\c => argmax01 (\x => 0)) 1");
    // the slope at the end is 0: neither of the end cases
    assert_bottom(r"deriv (\c => argmax01 (\x => -((x - c)^2))) 0");
    // S45
    assert_number(r"deriv (\c => max01 (\x => c/4 - (x-c)^2)) 0.5", "0.25", 1e-9);
    assert_number(r"deriv (\c => min01 (\x => (max 0 (x-c))^2 + (x-1)^2)) 0.3", "-0.7", 1e-9);
    assert_number(r"argmin01 (\x => (x - 1/3)^2)", "0.33333333333333333333333333333333333", 1e-6);
}

/// A function that breaks the promise of `cutRoot`, and one without a root, have no value.
#[test]
fn broken_promises_are_undefined() {
    assert_bottom(r"cutRoot (\x => x)");
    assert_bottom(r"cutRoot (\x => 1)");
    assert_bottom(r"cutRoot (\x => -(exp x))");
}

/// The bound variable of a primitive hides an input of the same name.
#[test]
fn graphs_have_the_same_clauses() {
    let x = Variable::fresh();
    let square = Graph::power(&Graph::variable(x), &2.into()).unwrap();
    let integral = Graph::integral(x, square);
    let sum = Graph::binary(smoothish_laws::smooth::graph::Binary::Add, &integral, &Graph::variable(x));
    let tower = Tower::<Double>::of_graph(&sum, &[x]).unwrap();
    let five = [Double.enclose_integer(5)];
    let value = Double.to_enclosure(&tower.value_at(&five, &Double).unwrap()[0]);
    // 1/3 + 5
    assert!(value.contains(&(16, 3).into()) && value.hi().to_f64() - value.lo().to_f64() < 1e-4, "{value}");
    let slope = tower.derivative(&five, &[vec![Double.enclose_integer(1)]], &Double).unwrap();
    assert!(Double.to_enclosure(&slope[0]).contains(&1.into()));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Prints the shares; at least three quarters of the programs have one number in both models.
    #[test]
    fn towers_and_presheaves_agree() {
        for functional in SecondOrder::ALL {
            for order in 0..3 {
                let survey = survey_clauses(1, crate::drawn(20), *functional, order, &printed_clauses()).unwrap();
                println!("{}, order {order}: {survey}", functional.functional().name());
                assert!(survey.refutation.is_none(), "{survey}");
                assert!(survey.survived as u64 >= crate::drawn(15), "{functional:?}, order {order}: {survey}");
            }
        }
    }

    #[test]
    fn wrong_clauses_are_refuted_on_every_seed() {
        for wrong in WrongClause::ALL {
            for seed in crate::seeds() {
                let survey = survey_clauses(seed, 40, wrong.functional(), wrong.order(), &wrong.clauses()).unwrap();
                assert!(survey.refutation.is_some(), "{wrong:?}, seed {seed}: {survey}");
            }
        }
    }
}
