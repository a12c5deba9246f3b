//! Examples of recursions: lengths of traces, the number of uniform draws until their sum is large, trees that need not end.
//!
//! True values by hand, and found again by mpmath as sums and by exact fractions.

use super::{Ask, PLAIN, asked, holds, rational, typed};
use smoothish::measure::ProbabilisticModel;
use smoothish::measure::explore::PathExplorer;
use smoothish::number::Magnitude;
use smoothish::number::budget::Budget;
use std::sync::Arc;
use std::time::Duration;

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Bounds by high moments of thirty draws that depend on each other took twenty times as long as was allowed; what is allowed here is more than any
    /// machine needs.
    #[test]
    fn chains_that_are_too_long_keep_to_the_time() {
        let walk = "let rec walk (n : Nat) (x : Real) : P Real = if n == 0 then return x else do {
                e <- sample (normal x 1); observe (normal e 1) 0.5; walk (n - 1) e } in walk 30 0";
        let begun = std::time::Instant::now();
        let found = asked(walk, None, Ask { seconds: 1, ..PLAIN }).expect("an answer").enclosure;
        // the mass by the recursion of Kalman's filter, and by a determinant
        let truth = rational("6.2283119183311532e-19");
        assert!(*found.lo() <= truth && *found.hi() >= truth, "{found}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }

    /// Trials until the first success, each of which is a uniform draw: 2⁻ⁿ.
    #[test]
    fn lengths_of_traces() {
        let trials = "let rec trial (n : Nat) = do { u <- sample (uniformOn 0 1);
                  if u < 1/2 then return n else trial (n + 1) } in trial 1";
        for (length, chance) in [(1, "0.5"), (2, "0.25"), (5, "0.03125"), (10, "0.0009765625")] {
            let of = format!("\\n => if n == {length} then 1 else 0");
            holds(trials, Some(&of), PLAIN, chance);
        }
        // to ten: 1 - 2⁻¹⁰; to twenty it is a claim of the theory `Measure`
        let some = "let rec trial (n : Nat) = do { u <- sample (uniformOn 0 1);
                if u < 1/2 then return n else if n == 10 then return 0 else trial (n + 1) } in trial 1";
        holds(some, Some("\\n => if n == 0 then 0 else 1"), PLAIN, "0.9990234375");
    }

    /// Trees that grow with the chance 0.6 end with the chance x = 0.4 + 0.6 x² < 1: 2/3. Those of at most 5 branchings are the Catalan numbers
    /// 1 + 1 + 2 + 5 + 14 + 42 = 65, with the chance Σ Cₖ 0.6ᵏ 0.4ᵏ⁺¹ = 0.60168466432.
    #[test]
    fn trees_are_counted_from_below() {
        let trees = "let rec tree (p : Real) : P Unit = do { b <- sample (bernoulli p);
                 if b then return () else do { tree p; tree p } } in tree 0.4";
        let program = typed(trees).0;
        let model = ProbabilisticModel::new(&program, false, None);
        let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(120)));
        let mut explorer = PathExplorer::new(&model, None, &budget).expect("a program");
        assert!(!explorer.explore_until(Magnitude::ZERO, 65, &budget).expect("no fault"));
        let ended = &explorer.explored.ended;
        let sum: f64 = ended.iter().map(|path| path.probability_bound.to_rational().expect("a number").to_f64()).sum();
        assert!(ended.len() == 65 && (sum - 0.60168466432).abs() < 1e-6, "{} paths, {sum}", ended.len());
        let answer = asked(trees, None, Ask { seconds: 3, ..PLAIN }).expect("an answer");
        let found = &answer.enclosure;
        assert!(answer.paths < 65 || *found.lo() >= 0.6, "{} paths, {found}", answer.paths);
        assert!(*found.lo() > 0.5 && *found.lo() < rational("0.66666666666666666667"), "{found}");
        // it is not shown to end, nor not to
        assert!(
            *found.hi() >= 0.9999 && !found.has_width_at_most(&rational("0.1")) && answer.open_paths > 0,
            "{found}"
        );
    }

    /// The sum of n uniform draws is at most 1 with the chance 1/n!: P(N = n) = 1/(n - 1)! - 1/n!, and E N = Σ 1/n! = e.
    #[test]
    fn uniform_draws_until_the_sum_is_beyond_1() {
        let until = |end: &str| {
            format!(
                "let rec go (n : Nat) (s : Real) : P Nat = do {{ u <- sample (uniformOn 0 1);
             if s + u > 1 then return n else {end} go (n + 1) (s + u) }} in go 1 0"
            )
        };
        let at_most_three = until("if n == 3 then return 4 else");
        for (n, chance) in [(2, "0.5"), (3, "0.333333333333333333333")] {
            let of = format!("\\n => if n == {n} then 1 else 0");
            holds(&at_most_three, Some(&of), Ask { eps: "1e-6", ..PLAIN }, chance);
        }
        // from below: 2 P(N = 2) + 3 P(N = 3) = 2 is known in part at least, and e is not left out
        let answer =
            asked(&until(""), Some("\\n => toReal n"), Ask { eps: "1e-2", seconds: 3, ..PLAIN }).expect("an answer");
        let found = &answer.enclosure;
        assert!(*found.lo() >= 1.0 && *found.lo() <= rational("2.71828182845904523536"), "{found}");
        assert!(*found.hi() >= rational("2.71828182845904523536"), "{found}");
    }
}
