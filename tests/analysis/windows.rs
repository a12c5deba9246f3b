//! Optima inside of optima are known no better than they matter: the same answers as where they are, and sooner.

use super::ends::number;
use smoothish::meaning::presheaf::PresheafInterpreter;
use smoothish::number::accuracy::{PassOptions, SolverOptions};
use smoothish::number::budget::Budget;
use smoothish::number::enclosure::Enclosure;
use smoothish::number::magnitude::Magnitude;
use smoothish::number::real::{ComputableReal, Precision};
use smoothish::prelude::*;
use smoothish::presheaf::dynamic::Element;
use std::sync::Arc;

/// What a program comes to in one pass, with and without windows, and the work of each.
fn both(session: &Session, program: &str, bits: i64, work: u64) -> [(Enclosure, u64); 2] {
    let (term, _) = session.infer(program).unwrap();
    let element =
        PresheafInterpreter::new(Arc::new(Budget::new(1_000_000, None, None))).interpret_program(&term).unwrap();
    let Element::Real(graph) = element else { panic!("{program} is no number") };
    [true, false].map(|windows| {
        let budget = Budget::new(work, None, None);
        let shortcuts = SolverOptions { windows, ..SolverOptions::ALL };
        let effort = PassOptions::new(Magnitude::power_of_two(-bits), &budget).with_solver_options(shortcuts);
        let found = graph.compile_evaluation().unwrap().enclose_in_pass(Precision::Double, &effort).unwrap();
        (found, budget.work_done())
    })
}

/// That the inner optimum never wins is seen at the tolerance only, and then all derivatives are those of what does: of d², and of y at 1.
#[test]
fn what_ignores_its_variable_is_seen() {
    for (program, value) in [
        (
            r"deriv (\c => deriv (\d => max01 (\x => max (d^2) (max01 (\y => y * (1 - y) * max01 (\z => x * z))))) c) 0.8",
            "2",
        ),
        (r"deriv (deriv (\c => max01 (\x => max01 (\y => max y ((c - x) * 0))))) 1", "0"),
    ] {
        let budget = Arc::new(Budget::new(1_000_000, None, None));
        let found = Session::new().compile_real(program, &budget).unwrap().enclose(&number("1e-6"), &budget).unwrap();
        assert!(found.reached && found.enclosure.contains(&number(value)), "{program}: {:?}", found.enclosure);
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn optima_are_the_same_through_windows() {
        let session = Session::new();
        let mut saved = [0, 0];
        for (program, value) in [
            // the greater of m² and (1 - m)²
            (r"min01 (\m => max01 (\x => (x - m)^2))", "0.25"),
            // it rises in x and falls in y: the value at (1, 1), whichever is first
            (r"max01 (\x => min01 (\y => (x - y / 2) * (x + 2 - y)))", "1"),
            (r"min01 (\y => max01 (\x => (x - y / 2) * (x + 2 - y)))", "1"),
            // rock, paper, scissors against a third each
            (
                r"min01 (\p => min01 (\r => let q = (1 - p) * r in let s = 1 - p - q in
             max (q - s) (max (s - p) (p - q))))",
                "0",
            ),
            // from a the points of [0, 1/2] are not farther than a, or 1/2 - a, and 2 is farthest of [1, 2]
            (r"min01 (\a => max (max01 (\t => abs (a - t / 2))) (max01 (\t => abs (a - 1 - t))))", "1"),
            // the losing side is flat
            (r"max (1/2) (max01 (\x => max01 (\y => min01 (\z => abs (x * y - z)))))", "0.5"),
            (r"max (max01 (\x => max01 (\y => min01 (\z => abs (x * y - z))))) (1/2)", "0.5"),
            (
                r"deriv (\c => max (c * max01 (\x => max01 (\y => x * y))) (max01 (\x => max01 (\y => min01 (\z => abs (x * y - c * z)))))) 2",
                "1",
            ),
            (r"deriv (\c => min01 (\m => max01 (\x => abs (c * x^2 - m)))) 1", "0.5"),
        ] {
            let found = both(&session, program, 24, 10_000_000);
            let value = number(value);
            for (side, (enclosure, work)) in found.iter().enumerate() {
                assert!(enclosure.contains(&value), "{program}: {enclosure}");
                // without them, some are not found in this time
                assert!(
                    side == 1 || enclosure.is_defined() && enclosure.width().floor_log2() < -16,
                    "{program}: {enclosure}"
                );
                saved[side] += work;
            }
        }
        println!("{saved:?}");
        assert!(20 * saved[0] < saved[1], "{saved:?}");
        // here the windows are those of the searches alone
        let game = r"min01 (\m => max01 (\x => min01 (\n => max01 (\y => (x - m)^2 + (y - n)^2 + x*y*m*n))))";
        let [with, without] = both(&session, game, 12, 100_000_000);
        assert!(with.0.overlaps(&without.0) && [&with, &without].iter().all(|(e, _)| e.width().floor_log2() < -10));
        assert!(20 * with.1 < 19 * without.1);
    }

    #[test]
    fn what_is_not_looked_at_closely_is_defined() {
        let session = Session::new();
        for program in [
            // for m > 9/10 not defined at x = 1, where m alone is too much
            r"min01 (\m => max01 (\x => m + 0 * sqrt (0.9 - x * m)))",
            r"max01 (\m => min01 (\x => 1 - m + 0 * sqrt (0.9 - x * m)))",
            // the side that loses is not defined at x = y = 1
            r"max 3 (max01 (\x => max01 (\y => x * y + sqrt (1.9 - x - y))))",
            r"max (max01 (\x => max01 (\y => x * y + sqrt (1.9 - x - y)))) (max01 (\x => max01 (\y => 3 + x * y)))",
            // nor is this one for c < 0, and this one where x = 1/2
            r"deriv (\c => max (max01 (\x => max01 (\y => 3 + c * x * y))) (max01 (\x => max01 (\y => sqrt (c * x) * y)))) 0",
            r"deriv (\c => min01 (\m => max01 (\x => m + 1 + sqrt ((x - 1/2)^2 + c) / 10))) 0",
        ] {
            for (enclosure, _) in both(&session, program, 20, 2_000_000) {
                assert!(!enclosure.is_defined() || !enclosure.is_bounded(), "{program}: {enclosure}");
            }
        }
        for program in [
            r"min01 (\m => max01 (\x => m + 0 * sqrt (1.1 - x * m)))",
            // x² - x + 0.26 > 0 is seen on small pieces only
            r"min01 (\m => max01 (\x => (m - 1/3)^2 + x^2 / 9 + 0 * sqrt (x^2 - x + 0.26)))",
            r"max 3 (max01 (\x => max01 (\y => x * y + sqrt (2.1 - x - y))))",
            r"deriv (\c => max (max01 (\x => max01 (\y => 3 + c * x * y))) (max01 (\x => max01 (\y => sqrt (1 + c * x) * y)))) 0",
        ] {
            for (enclosure, _) in both(&session, program, 20, 2_000_000) {
                assert!(enclosure.is_defined() && enclosure.is_bounded(), "{program}: {enclosure}");
            }
        }
    }

    /// The corner (1, 1) of the filled unit square is farthest from the filled quarter disc of radius s: √2 - s. No point of the disc is far
    /// from the square, and all are equally near: how that changes nobody need know.
    #[test]
    fn the_side_that_loses_is_flat() {
        let program = r"let disc (s : Real) (f : Real^2 -> Real) : Real =
        max01 (\r => max01 (\t => f (s * r * cos (pi/2 * t), s * r * sin (pi/2 * t)))) in
      let square (f : Real^2 -> Real) : Real = max01 (\x => max01 (\y => f (x, y))) in
      deriv (\s => Maximizer.hausdorffDist R2Dist square (disc s)) 1";
        let budget = Arc::new(Budget::new(400_000_000, None, None));
        let found = Session::new().compile_real(program, &budget).unwrap().enclose(&number("1e-6"), &budget).unwrap();
        assert!(found.reached && found.enclosure.contains(&number("-1")), "{:?}", found.enclosure);
    }
}
