//! Random programs of the language: consistent towers (S Prop. 5.4, S53), and functionals along curves (X5).

use smoothish::law::consistency::{check_map, check_program, consistency_property};
use smoothish::law::property::{ProgramEquation, TestConfig, TestOutcome};
use smoothish::number::Function;
use smoothish::smooth::graph::{Graph, Variable};
use smoothish::smooth::map::{Map, coordinate_variables};
use smoothish::smooth::tower::consistency::Consistency;
use smoothish::syntax::library::Library;
use smoothish::theory::builtin;
use smoothish::verdict::Verdict;
use std::sync::{Arc, LazyLock};
use typenum::U1;

static LIBRARY: LazyLock<Arc<Library>> = LazyLock::new(|| Arc::new(builtin::library()));

const REFUTER: Consistency = Consistency { orders: 2, samples: 12, seed: 53 };

/// A part that does not depend on the input does not move, even where its value is a set: S §4.1 would have ⊥ for its
/// derivative. So a set that moves with the input is still asked for ⊥, and one that rests is not.
#[test]
fn sets_that_rest_are_not_asked() {
    let of = |text: &str| check_program(&LIBRARY.infer_expression(text).unwrap().0, &REFUTER);
    assert_eq!(of(r"\c => c + argmin01 (\x => 0)"), Verdict::Vacuous);
    assert_eq!(of(r"\c => c * max01 (\x => c * x)"), Verdict::Survived);
    // a set that depends on the input, with the derivative ⊥, and with the derivative 0
    assert!(!of(r"\c => argmin01 (\x => c)").is_refuted());
    let set: Map<U1, U1> = Map::<(U1, U1), U1>::first().argmin01();
    let [at, along] = [Map::<(U1, U1), U1>::first(), Map::second()];
    let frozen = Map::fold_der(&set, &((&at - &at) * along));
    assert!(check_map(frozen.components(), &coordinate_variables(1), &REFUTER).is_refuted());
}

/// The law has teeth: a primitive whose derivative is wrong is refuted, and with it a program that is made of one.
#[test]
fn inconsistent_towers_are_refuted() {
    let x = Variable::fresh();
    let sine = Graph::function(Function::Sin, &Graph::variable(x));
    assert_eq!(check_map(std::slice::from_ref(&sine), &[x], &REFUTER), Verdict::Survived);
    let wrong = wrong_sine(&Graph::variable(x));
    assert!(check_map(&[wrong], &[x], &REFUTER).is_refuted());
    assert!(consistency_property(&LIBRARY, 1, r"\(x : Real) => x", REFUTER).is_err());
}

/// sin, with sin for a derivative.
fn wrong_sine(x: &Graph) -> Graph {
    let sine = Map::<U1, U1>::id().sin();
    let [at, along] = [Map::<(U1, U1), U1>::first(), Map::second()];
    let wrong = Map::fold_der(&sine, &(at.sin() * along));
    wrong.components()[0].substitute(&[(coordinate_variables(1)[0], x.clone())])
}

/// X5, S's side: the derivative of a functional along a curve of functions is the functional's derivative at the function
/// along the curve's velocity. Random functionals, random curves, random places.
#[test]
fn functionals_along_random_curves() {
    let law = |left: &str, right: &str| ProgramEquation::new(&LIBRARY, 3, left, right).unwrap().as_property();
    let trials = TestConfig { samples: 40, max_samples: 900, size: 8, seed: 5 };
    let over = |body: &str| format!(r"\(f : (Real -> Real) -> Real) (g : Real -> Real -> Real) (c : Real) => {body}");
    let der = over(r"der f (g c) (\x => deriv (\s => g s x) c)");
    let deriv = over(r"deriv (\s => f (g s)) c");
    assert_eq!(law(&der, &deriv).run_tests(trials), TestOutcome::Survived);
    // a velocity that forgets to move the curve, or that is the curve itself
    for wrong in [over(r"der f (g c) (\x => deriv (\s => g c x) c)"), over(r"der f (g c) (g c)")] {
        assert!(matches!(law(&wrong, &deriv).run_tests(trials), TestOutcome::Refuted(_)), "{wrong}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// S53: a random functional, at a curve of random functions.
    #[test]
    fn random_higher_order_programs_have_consistent_towers() {
        for (binders, program) in [
            (2, r"\(f : (Real -> Real) -> Real) (g : Real -> Real -> Real) (c : Real) => f (g c)"),
            (1, r"\(f : (Real -> Real) -> Real -> Real) (c : Real) => f (\x => sin (c * x)) c"),
            (1, r"\(f : (Real -> Real) -> Real) (c : Real) => deriv (\s => f (\x => exp (s * x))) c"),
        ] {
            let law = consistency_property(&LIBRARY, binders, program, REFUTER).unwrap();
            let trials = TestConfig { samples: 25, max_samples: 400, size: 8, seed: 54 };
            assert_eq!(law.run_tests(trials), TestOutcome::Survived, "{program}");
        }
    }
}
