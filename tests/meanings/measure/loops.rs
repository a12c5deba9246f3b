//! Loops: what is left of a mean has a bound.
//!
//! The true values are closed forms: the sums of series that each test names, found again by mpmath as sums of 300 terms and, where there is
//! a density, by quadrature.

use super::{Ask, PLAIN, asked, holds, parsed, rational};
use smoothish::measure::loops::{
    AffineBound, BoundError, BoundViolation, LoopCost, LoopSummary, enclose_calls, summarise_program,
};
use smoothish::measure::{MeasureAnswer, MeasureError, ProbabilisticModel};
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational};
use smoothish::session::{Expectation, Limits, Session};
use std::sync::Arc;
use std::time::Duration;

const SELF: Option<&str> = Some("\\x => x");
const WIDE: Ask<'static> = Ask { eps: "1e-6", ..PLAIN };
/// The first uniform number above c.
const FIRST: &str = "let rec loop (c : Real) : P Real = do { x <- sample (uniformOn 0 1); if x > c then return x else loop c } in loop 0.5";
/// How many uniform numbers are drawn until their sum passes 1.
const PASSES: &str = "let rec go (n : Real) (s : Real) : P Real = do { u <- sample (uniformOn 0 1);
  if s + u > 1 then return n else go (n + 1) (s + u) } in go 1 0";

fn summary(model: &str, of: &str) -> LoopSummary {
    let (term, of) = parsed(model, of, false);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    let summary = summarise_program(&ProbabilisticModel::new(&term, false, Some(&of)), &budget);
    summary.expect("a program").unwrap_or_else(|| panic!("{model}: no loop"))
}

fn bound(constant: i64, slopes: &[i64]) -> AffineBound {
    AffineBound { constant: constant.into(), slopes: slopes.iter().map(|slope| Rational::from(*slope)).collect() }
}

fn check(model: &str, of: &str, given: &AffineBound) -> Result<(), BoundError> {
    let summary = summary(model, of);
    let given = summary.bound_of_affine(given);
    summary.check_bound(LoopCost::Returned, &given, &Budget::with_time_limit(Duration::from_secs(20)))
}

/// The numbers of trials until a coin shows tt: Σ n p (1 - p)ⁿ⁻¹ = 1/p, and -1/p for their opposites.
#[test]
fn counts_without_a_bound_have_means() {
    let count = |p: &str| {
        format!(
            "let rec go (n : Nat) : P Nat = do {{ b <- sample (bernoulli {p}); if b then return n else go (n + 1) }} in go 1"
        )
    };
    holds(&count("0.5"), Some("\\n => toReal n"), WIDE, "2");
    holds(&count("0.3"), Some("\\n => toReal n"), WIDE, "3.33333333333333333333");
    holds(&count("0.3"), Some("\\n => 5 - toReal n"), WIDE, "1.66666666666666666667");
}

/// Whether n is counted as n or as -2 n: the mean of one of both signs is Σ (n - 2 n)/2 · 2⁻ⁿ = -1.
#[test]
fn signed_functions_are_bounded_by_their_absolute_values() {
    let signed = "let rec go (n : Real) : P Real = do { b <- sample (bernoulli 0.5); if b then do {
      c <- sample (bernoulli 0.5); if c then return n else return (- 2 * n) } else go (n + 1) } in go 1";
    holds(signed, SELF, WIDE, "-1");
    // what bounds the mean of n - 2 n/2 ≤ 0 would be 0: a bound of a signed function is none
    assert_eq!(check(signed, "\\x => x", &bound(0, &[0])), Err(BoundError::Signed));
}

/// Σ k (1/2) (1/4)ᵏ over Σ (1/2) (1/4)ᵏ = 2/3: no step has a weight above 1, and this is shown.
#[test]
fn weights_of_steps_are_bounded_by_proof() {
    let scored = "let rec go (x : Real) : P Real = do { b <- sample (bernoulli 0.5);
      if b then return x else do { score 0.5; go (x + 1) } } in go 0";
    holds(scored, None, WIDE, "0.66666666666666666667");
    holds(scored, SELF, WIDE, "0.33333333333333333333");
    assert!(asked(scored, None, WIDE).is_ok_and(|answer| answer.assumptions.is_empty()));
    let growing = scored.replace("score 0.5", "score 1.5");
    assert!(asked(&growing, None, WIDE).is_ok_and(|answer| !answer.enclosure.is_bounded()));
}

/// n + 2 - 2 s bounds the mean of what is returned from n and s on; n + 1 - s does not: at n = 1 and s = 0 it is 2, and one step
/// more needs 1 + 3/2.
#[test]
fn a_wrong_bound_is_refuted_at_a_state() {
    let state = [1, 0].map(Rational::from).to_vec();
    assert_eq!(check(PASSES, "\\x => x", &bound(2, &[1, -2])), Ok(()));
    let violation = BoundViolation { state, bound: 2.into(), needed: Rational::from((5, 2)) };
    assert_eq!(check(PASSES, "\\x => x", &bound(1, &[1, -1])), Err(BoundError::Violated(violation)));
    // 3 - 2 s counts the draws to come alone: it does not bound what n has become
    assert!(matches!(check(PASSES, "\\x => x", &bound(3, &[0, -2])), Err(BoundError::Violated(_))));
    // negative at s = 1
    assert!(matches!(check(PASSES, "\\x => x", &bound(2, &[1, -4])), Err(BoundError::Violated(_))));
}

/// Encloses the mean number of calls of the loop of a program.
fn calls(model: &str, eps: &str) -> Result<MeasureAnswer, MeasureError> {
    let (term, _) = parsed(model, "\\x => x", false);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    enclose_calls(&ProbabilisticModel::new(&term, false, None), &rational(eps), &budget)
}

/// Each call costs 1. From s on 3 - 2 s calls are enough until the sum passes 1, since 3 - 2 s = 1 + ∫ (3 - 2 (s + u)) du at s = 0; 2 - s
/// are not: at s = 0 these are 2, and one call with what is left then needs 1 + ∫ (2 - u) du = 5/2.
#[test]
fn a_wrong_bound_of_calls_is_refuted_at_a_state() {
    let sums = "let rec go (s : Real) : P Real = do { u <- sample (uniformOn 0 1); if s + u > 1 then return s else go (s + u) } in go 0";
    let budget = Budget::with_time_limit(Duration::from_secs(20));
    let found = summary(sums, "\\x => x");
    let check = |constant, slope| {
        found.check_bound(LoopCost::Calls, &found.bound_of_affine(&bound(constant, &[slope])), &budget)
    };
    assert_eq!(check(3, -2), Ok(()));
    let violation = BoundViolation { state: vec![Rational::new()], bound: 2.into(), needed: Rational::from((5, 2)) };
    assert_eq!(check(2, -1), Err(BoundError::Violated(violation)));
    // a loop that never ends has no bound at all: V ≥ 1 + V nowhere holds
    let endless =
        summary("let rec go (s : Real) : P Real = do { u <- sample (uniformOn 0 1); go u } in go 0", "\\x => x");
    assert_eq!(endless.find_bound(LoopCost::Calls, &budget), None);
    let constant = |number| endless.bound_of_affine(&bound(number, &[0]));
    assert!(matches!(endless.check_bound(LoopCost::Calls, &constant(1000), &budget), Err(BoundError::Violated(_))));
    // its mean of what it returns is that of nothing
    assert_eq!(endless.check_bound(LoopCost::Returned, &constant(0), &budget), Ok(()));
}

/// The mean of a function of what a program returns, or of its calls, with a bound that a user gives: the enclosure or the message.
fn bounded(model: &str, of: Option<&str>, given: &str) -> Result<Enclosure, String> {
    let question = of.map_or_else(|| Expectation::of_calls(model), |of| Expectation::new(model, of));
    let found = Session::new().ask(&question.bound(given).within(1e-6), &Limits::seconds(20));
    found
        .map(|answer| answer.value().enclosure.clone())
        .map_err(|fault| fault.message.lines().next().unwrap_or_default().to_owned())
}

/// Σ n² 2⁻ⁿ = 6, with V(n) = n² + 2 n + 3 = (n² + V(n + 1))/2: no affine bound is above n², so that one of one's own is needed.
#[test]
fn a_bound_of_ones_own_may_be_a_polynomial() {
    let model = "let rec go (n : Real) : P Real = do { b <- sample (bernoulli 0.5); if b then return n else go (n + 1) } in go 1";
    let square = Some("\\n => n^2");
    let without = asked(model, square, WIDE).expect("an answer").enclosure;
    assert!(without.hi().is_infinite(), "{without}");
    let found = bounded(model, square, "\\n => n^2 + 2*n + 3").expect("an answer");
    assert!(found.contains(&6.into()) && found.has_width_at_most(&rational("1e-6")), "{found}");
    // one less: n² + 2 n + 5/2 is needed
    let told = bounded(model, square, "\\n => n^2 + 2*n + 2").expect_err("no bound");
    assert!(
        told.ends_with("at the state 1 it is 5, and the cost of a step and the bound after it have the mean 11/2"),
        "{told}"
    );
    let told = bounded(model, Some("\\n => 3 - n"), "\\n => n + 3").expect_err("two signs");
    assert!(told.contains("both on what the loop returns"), "{told}");
    for given in ["\\n => exp n", "\\n => if n > 3 then n else 3", "\\n => abs n"] {
        let told = bounded(model, square, given).expect_err(given);
        assert!(told.contains("is a polynomial in the numbers of its state"), "{given}: {told}");
    }
    let told = bounded("sample (normal 0 1)", square, "\\n => 1").expect_err("no loop");
    assert!(told.contains("no loop whose calls are understood"), "{told}");
    // a bound that is not needed has to be one all the same
    let told = bounded(FIRST, Some("\\x => x"), "\\c => 1/2").expect_err("too small");
    assert!(told.contains("at the state 1/2 it is 1/2, and"), "{told}");
    assert!(bounded(FIRST, Some("\\x => x"), "\\c => 1").is_ok_and(|found| found.contains(&Rational::from((3, 4)))));
}

/// The states of a loop and what it returns.
#[test]
fn invariants_hold_all_states() {
    let found = summary(PASSES, "\\x => x");
    let ends: Vec<_> = found.invariant.iter().map(|range| (range.lo.clone(), range.hi.clone())).collect();
    assert_eq!(ends, [(Some(1.into()), None), (Some(0.into()), Some(1.into()))]);
    let first = summary(FIRST, "\\x => x").returned.expect("values");
    assert_eq!((first.lo, first.hi), (Some(Rational::from((1, 2))), Some(1.into())));
}

/// A loop that doubles its state has the mean Σ (2ⁿ - 1)/2ⁿ = ∞: there is no bound.
#[test]
fn without_a_bound_the_mean_has_no_upper_end() {
    let doubled = "let rec go (n : Real) : P Real = do { b <- sample (bernoulli 0.5);
      if b then return n else go (2 * n + 1) } in go 1";
    let answer = asked(doubled, SELF, WIDE).expect("an answer");
    assert!(answer.enclosure.hi().is_infinite() && *answer.enclosure.lo() > 20, "{}", answer.enclosure);
    assert!(answer.width_reason.is_some_and(|why| why.starts_with("no bound of what is left was found")));
}

/// A loop that never returns gives no mean, at once.
#[test]
fn a_loop_that_never_returns_has_no_mean() {
    let endless = "let rec go (n : Real) : P Real = do { u <- sample (uniformOn 0 1); go (n + u) } in go 0";
    let answer = asked(endless, SELF, Ask { seconds: 2, ..WIDE }).expect("an answer");
    assert!(!answer.enclosure.is_bounded());
    assert_eq!(answer.width_reason.as_deref(), Some("no run of the loop returns a value"));
}

/// A call whose result its caller uses further is no step of a loop: no bound is claimed.
#[test]
fn calls_that_are_not_last_have_no_bound() {
    let nested = "let rec go (n : Real) : P Real = do { b <- sample (bernoulli 0.5);
      if b then return n else do { x <- go (n + 1); return (2 * x) } } in go 1";
    // Σ n 2ⁿ⁻¹/2ⁿ = ∞
    let answer = asked(nested, SELF, Ask { seconds: 5, ..WIDE }).expect("an answer");
    assert!(!answer.enclosure.is_bounded(), "{}", answer.enclosure);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Recursive functions of numbers whose values are returned are loops as well: their pieces are a countable family, and what is not
    /// followed has its probability times the hull of 0 and of the values as a bound. On (2⁻ⁿ⁻¹, 2⁻ⁿ] the first is 2ⁿ x, with the mean 3/4;
    /// the last has the mean 2 ∫ y² over [1/2, 1] = 7/12 on each piece.
    #[test]
    fn deterministic_recursions_are_loops() {
        let doubled = "let rec f x = if x > 1/2 then x else f (2 * x) in f";
        let ask = Ask { eps: "1e-9", ..PLAIN };
        for (program, truth) in [
            (format!("do {{ u <- sample (uniformOn 0 1); return (({doubled}) u) }}"), "0.75"),
            ("do { u <- sample (uniformOn 0 1); let rec f x = if x > 1/2 then x else f (2 * x) in return (f u) }".to_owned(), "0.75"),
            ("let rec f x = if x > 1/2 then x else f (2 * x) in do { u <- sample (uniformOn 0 1); return (f u) }".to_owned(), "0.75"),
            (
                "do { u <- sample (uniformOn 0 1); let rec f x = if x > 1/2 then x * x else let y = 2 * x in f y in return (f u) }"
                    .to_owned(),
                "0.58333333333333333333",
            ),
        ] {
            holds(&program, SELF, ask, truth);
        }
        // a call that is not the last step is no loop: 1 + f (2 x) is n, and no bound is claimed
        let nested =
            "let rec f x = if x > 1/2 then 0 else 1 + f (2 * x) in do { u <- sample (uniformOn 0 1); return (f u) }";
        let answer = asked(nested, SELF, Ask { seconds: 2, ..ask }).expect("an answer");
        assert!(!answer.enclosure.is_bounded(), "{}", answer.enclosure);
        // V ≥ 1 + V (2 x) has no affine solution, as 0 is never above 1/2: the mean Σ n 2⁻ⁿ = 2 of a count has a lower end alone
        let count = "let rec f (n : Real) x = if x > 1/2 then n else f (n + 1) (2 * x) in do { u <- sample (uniformOn 0 1); return (f 1 u) }";
        let answer = asked(count, SELF, ask).expect("an answer");
        let found = &answer.enclosure;
        assert!(found.hi().is_infinite() && *found.lo() <= 2, "{found}");
    }

    /// The mean number of calls: of a waiting time 1/p. Without V there is a lower end alone: for the doubling, whose mean is 2, for a loop that never ends, and for one that ends after n calls with
    /// the probability 1/(n (n + 1)).
    #[test]
    fn calls_of_loops_are_counted() {
        let coin = "let rec go (n : Real) : P Real = do { b <- sample (bernoulli 0.25); if b then return n else go n } in go 0";
        let doubled =
            "let rec f x = if x > 1/2 then x else f (2 * x) in do { u <- sample (uniformOn 0 1); return (f u) }";
        let three = "let rec go (n : Real) : P Real = if n < 3 then go (n + 1) else return n in go 1";
        for (model, truth) in [(coin, "4"), (three, "3")] {
            let answer = calls(model, "1e-3").unwrap_or_else(|fault| panic!("{model}: {fault}"));
            let found = &answer.enclosure;
            assert!(
                found.is_defined() && found.contains(&rational(truth)) && found.has_width_at_most(&rational("1e-3")),
                "{model}: {found}"
            );
        }
        let endless = "let rec go (n : Real) : P Real = do { u <- sample (uniformOn 0 1); go u } in go 0";
        let rare = "let rec go (n : Real) : P Real = do { b <- sample (bernoulli (1/(n + 1))); if b then return n else go (n + 1) } in go 1";
        for (model, least) in [(endless, 40.0), (rare, 1.5), (doubled, 1.9)] {
            let answer = calls(model, "1e-3").unwrap_or_else(|fault| panic!("{model}: {fault}"));
            let found = &answer.enclosure;
            assert!(found.is_defined() && *found.lo() >= least && found.hi().is_infinite(), "{model}: {found}");
            assert!(
                answer.width_reason.is_some_and(|why| why.starts_with("no bound of what is left was found")),
                "{model}"
            );
        }
        let scored = "let rec go (n : Real) : P Real = do { score 0.5; b <- sample (bernoulli 0.5); if b then return n else go n } in go 0";
        assert!(matches!(calls(scored, "1e-3"), Err(MeasureError::WeightsRuns)));
        assert!(matches!(calls("sample (normal 0 1)", "1e-3"), Err(MeasureError::NoLoop)));
    }

    /// The mean of a uniform number above 1/2.
    #[test]
    fn the_first_above_a_half_has_the_mean_three_quarters() {
        holds(FIRST, SELF, WIDE, "0.75");
    }

    /// P(N > k) = aᵏ/k!, so that E N = eᵃ.
    #[test]
    fn sums_of_uniforms_that_pass_a_number() {
        holds(PASSES, SELF, Ask { eps: "1e-3", ..PLAIN }, "2.71828182845904523536");
        let half = PASSES.replace("> 1 then", "> 1/2 then");
        holds(&half, SELF, Ask { eps: "1e-3", ..PLAIN }, "1.64872127070012814685");
    }

    /// The sum of uniforms passes 1 after e calls, and 1/2 after √e.
    #[test]
    fn calls_until_a_sum_passes_a_number() {
        let sums = "let rec go (s : Real) : P Real = do { u <- sample (uniformOn 0 1); if s + u > 1 then return s else go (s + u) } in go 0";
        for (model, truth) in [
            (sums.to_owned(), "2.71828182845904523536"),
            (sums.replace("> 1 then", "> 1/2 then"), "1.64872127070012814685"),
        ] {
            let answer = calls(&model, "1e-3").expect("an answer");
            let found = &answer.enclosure;
            let [below, above] = ["-1e-13", "1e-13"].map(|slack| rational(truth) + rational(slack));
            assert!(found.is_defined() && *found.lo() <= above && *found.hi() >= below, "{found}");
            assert!(found.has_width_at_most(&rational("1e-3")), "{found}");
        }
    }

    /// The first gap above 1 of a Poisson process begins at e - 2 in the mean.
    #[test]
    fn draws_without_ends_have_means_of_steps() {
        let gap = "let rec go (t : Real) : P Real = do { x <- sample (exponential 1);
          if x > 1 then return (t + 1) else go (t + x) } in go 0";
        let answer = asked(gap, SELF, Ask { eps: "1e-3", seconds: 6, ..PLAIN }).expect("an answer");
        let found = &answer.enclosure;
        assert!(found.is_defined() && found.is_bounded() && found.contains(&rational("1.718281828459045")), "{found}");
    }

    /// Seven draws that have to do with each other: the volume of a simplex is 1/7!, and the mean of its first coordinate 1/8.
    #[test]
    fn uniform_draws_under_affine_guards_are_integrated_exactly() {
        let draws: String = (1..=7).map(|i| format!("u{i} <- sample (uniformOn 0 1); ")).collect();
        let sum = (1..=7).map(|i| format!("u{i}")).collect::<Vec<_>>().join(" + ");
        let inside = format!("do {{ {draws} if {sum} < 1 then return u1 else do {{ score 0; return 0 }} }}");
        holds(&inside, None, PLAIN, "0.000198412698412698413");
        holds(&inside, SELF, PLAIN, "0.125");
        // u < v < w on [0, 2] × [0, 1] × [0, 1]: 1/2 · 1/3! = 1/12
        let ordered = "do { u <- sample (uniformOn 0 2); v <- sample (uniformOn 0 1); w <- sample (uniformOn 0 1);
          if u < v then if v < w then return 1 else return 0 else return 0 }";
        let answer = asked(ordered, SELF, PLAIN).expect("an answer");
        assert!(answer.enclosure.contains(&Rational::from((1, 12))), "{}", answer.enclosure);
        assert!(answer.enclosure.has_width_at_most(&rational("1e-12")));
    }
}
