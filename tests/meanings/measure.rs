//! Certified masses and expectations of programs that sample.
//!
//! Each true value has a closed form, which the table names, and was found again by quadrature, by a series or from exact fractions, at 30
//! digits by mpmath.

mod absolute;
mod boxes;
mod chains;
mod change;
mod closed;
mod curves;
mod drawn;
mod ends;
mod estimators;
mod evidence;
mod fibres;
mod gubpi;
mod log_normal;
mod logistic;
mod loops;
mod monad;
mod moves;
mod one_draw;
mod parameters;
mod random;
mod rows;
mod samplers;
mod second;
mod shapes;
mod sheared;
mod sides;
mod student;
mod tails;
mod told;
mod tuples;
mod vocabulary;
mod wrong;

use smoothish::measure::estimator::{EstimatorComparison, GradientEstimator, compare_estimators};
use smoothish::measure::{self, MeasureAnswer, MeasureError, MeasureQuestion};
use smoothish::number::budget::Budget;
use smoothish::number::{Rational, decimal};
use smoothish::sampler::{SamplerSettings, SamplingMethod, estimate_mean};
use smoothish::session::Session;
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::{Ty, TyKind};
use std::sync::Arc;
use std::time::Duration;

fn rational(text: &str) -> Rational {
    decimal::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Compares the estimators of the gradient of a mean, by a parameter at a place.
fn compared_estimators(model: &str, of: &str, at: &str) -> EstimatorComparison {
    let (term, of) = parsed(model, of, true);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(60)));
    compare_estimators(&term, &of, &rational(at), &rational("1e-6"), &budget).expect("an answer")
}

/// Holds that reparametrisation and the score function have the slope of a mean.
#[track_caller]
fn both_estimators_enclose(model: &str, of: &str, at: &str, truth: &str) {
    let found = compared_estimators(model, of, at);
    for name in [GradientEstimator::Reparametrisation, GradientEstimator::Score] {
        let (_, own) = found.estimates.iter().find(|(own, _)| *own == name).expect("each is told of");
        let mean = &own.as_ref().expect("it has a form").mean;
        assert!(mean.is_defined() && mean.has_width_at_most(&rational("1e-6")), "{model}, {name:?}: {mean}");
        let away = (mean.lo().to_rational().expect("finite") - rational(truth)).abs();
        assert!(away < rational("1e-6"), "{model}, {name:?}: {mean}");
    }
}

/// Holds that the samples of each method have about these means of functions.
#[track_caller]
fn every_sampler_is_near(program: &str, rows: &[(&str, f64)]) {
    for (of, truth) in rows {
        let (term, of) = parsed(program, of, false);
        for by in SamplingMethod::ALL {
            let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(60)));
            let found =
                estimate_mean(&term, &of, &SamplerSettings::new(by, 4000, 1), &budget, &mut |_| {}).expect("samples");
            assert!(found.z_score(*truth).abs() < 5.0 && found.effective_samples > 100.0, "{by:?}: {found:?}");
        }
    }
}

/// What is asked: the parameter, the order of the derivative and the width.
#[derive(Clone, Copy)]
struct Ask<'a> {
    at: Option<&'a str>,
    order: u32,
    eps: &'a str,
    weight_at_most: Option<&'a str>,
    seconds: u64,
}

const PLAIN: Ask<'static> = Ask { at: None, order: 0, eps: "1e-9", weight_at_most: None, seconds: 20 };

/// The type of a program, numbers where it is left open.
fn typed(model: &str) -> (Term, Ty) {
    let session = Session::new();
    let (_, ty) = session.infer(model).unwrap_or_else(|error| panic!("{model}: {error}"));
    let ty = ty.with_arguments(&[Ty::real()]);
    (session.infer_at(model, &ty).unwrap_or_else(|error| panic!("{model}: {error}")), ty)
}

/// Reads programs, for laws.
fn reader() -> impl Fn(&str) -> Option<Term> {
    let session = Session::new();
    move |text: &str| Some(session.infer(text).unwrap_or_else(|error| panic!("{text}: {error}")).0)
}

/// A program, and a function of its values.
fn parsed(model: &str, of: &str, takes_parameter: bool) -> (Term, Term) {
    let (term, ty) = typed(model);
    let gives = match (ty.kind(), takes_parameter) {
        (TyKind::Function(_, b), true) => b.clone(),
        _ => ty.clone(),
    };
    let TyKind::Data(_, arguments) = gives.kind() else { panic!("{model}: {ty}") };
    let of = Session::new().infer_at(of, &Ty::function(arguments[0].clone(), Ty::real())).expect("a function");
    (term, of)
}

fn asked(model: &str, of: Option<&str>, ask: Ask<'_>) -> Result<MeasureAnswer, MeasureError> {
    let question = MeasureQuestion {
        parameter: ask.at.map(rational),
        derivative_order: ask.order,
        weight_bound: ask.weight_at_most.map(rational),
        eps: rational(ask.eps),
    };
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(ask.seconds)));
    let takes_parameter = ask.at.is_some();
    match of {
        None => measure::normalising_constant(&typed(model).0, takes_parameter, &question, &budget),
        Some(of) => {
            let (term, of) = parsed(model, of, takes_parameter);
            measure::enclose_expectation(&term, takes_parameter, &of, &question, &budget)
        }
    }
}

/// The answer holds the number, and is as narrow as was asked.
fn holds(model: &str, of: Option<&str>, ask: Ask<'_>, truth: &str) {
    let answer = asked(model, of, ask).unwrap_or_else(|fault| panic!("{model}: {fault}"));
    let found = &answer.enclosure;
    let near = rational("1e-13");
    let truth = rational(truth);
    let reaches = *found.lo() <= Rational::from(&truth + &near) && *found.hi() >= Rational::from(&truth - &near);
    assert!(found.is_defined() && reaches, "{model}: {found}, and the truth is {truth}");
    assert!(found.has_width_at_most(&rational(ask.eps)), "{model}: {found}, {:?}", answer.width_reason);
}

const AT_0: Ask<'static> = Ask { at: Some("0"), ..PLAIN };
const AT_3: Ask<'static> = Ask { at: Some("0.3"), ..PLAIN };

const SEEN: &str = "do { m <- sample (normal 0 1); observe (normal m 1) 1; return m }";
const TWO_SEEN: &str =
    "\\m => do { x <- sample (normal m 1); observe (normal x 1) 1; observe (normal x 1) 2; return x }";
const COIN: &str = "do { p <- sample (uniformOn 0 1); score (p^7 * (1 - p)^3); return p }";
const COUNT: &str = "do { l <- sample (exponential 1); observe (poisson l) 3; return l }";
const SPIKE: &str = "do { b <- sample (bernoulli 0.3); x <- if b then return 0 else sample (normal 0 1);
  observe (normal x 1) 0.5; return b }";
const MIXED: &str = "do { b <- sample (bernoulli 0.4); x <- if b then sample (normal (-1) 1) else sample (normal 2 1);
  return b }";
const WHICH: &str = "do { b <- sample (bernoulli 0.4);
  if b then observe (normal (-1) 1) 1 else observe (normal 2 1) 1; return b }";
const BRANCH: &str = "do { x <- sample (normal 0 1); if x > 0 then sample (normal 10 2) else sample (gamma 3 3) }";
const BEYOND: &str = "do { x <- sample (normal 0 1); if x > 1 then return () else score 0; return x }";
const SHIFTED: &str = "\\t => do { e <- sample (normal 0 1); return (t + e) }";
const TT: &str = "\\b => if b then 1 else 0";

#[test]
fn masses_and_means_of_one_draw() {
    // e^(-1/4)/(2√π), and by symmetry
    holds(SEEN, None, PLAIN, "0.219695644733861");
    holds(SEEN, Some("\\m => m"), PLAIN, "0.5");
    // B(8, 4), and 8/12
    holds(COIN, None, PLAIN, "0.000757575757575757576");
    holds(COIN, Some("\\p => p"), PLAIN, "0.666666666666666666667");
    // ∫ l³ e^(-2l)/3! = 1/16; Gamma(4, 2) has the mean 2
    holds(COUNT, None, PLAIN, "0.0625");
    holds(COUNT, Some("\\l => l"), PLAIN, "2");
    // 1 - Φ(1), and φ(1)/(1 - Φ(1))
    holds(BEYOND, None, PLAIN, "0.158655253931457051");
    holds(BEYOND, Some("\\x => x"), PLAIN, "1.525135276160981");
}

#[test]
fn draws_of_other_kinds_are_summed() {
    // 0.3 φ(½) + 0.7 e^(-1/16)/(2√π), and the first part of it
    holds(SPIKE, None, PLAIN, "0.291122070670110");
    holds(SPIKE, Some(TT), PLAIN, "0.362801754556681");
    holds(MIXED, None, PLAIN, "1");
    // 0.4 φ(2) + 0.6 φ(1)
    holds(WHICH, None, PLAIN, "0.166778821316761");
    holds(WHICH, Some(TT), PLAIN, "0.129491181402808");
    // (10 + 1)/2; (Φ(5/2) + Q(3, 15))/2, Q(3, 15) = e^(-15) (1 + 15 + 225/2)
    holds(BRANCH, Some("\\y => y"), PLAIN, "5.5");
    holds(BRANCH, Some("\\y => if y > 5 then 1 else 0"), PLAIN, "0.496914821561204");
    holds("do { n <- sample (poisson 2); return n }", None, PLAIN, "1");
    holds("do { n <- sample (geometric 0.3); return n }", None, PLAIN, "1");
}

#[test]
fn derivatives_have_those_of_borders() {
    // e^(-1)/(2π√3), and d log Z/dm = 1 at 0
    holds(TWO_SEEN, None, AT_0, "0.0338037609915729");
    holds(TWO_SEEN, None, Ask { order: 1, ..AT_0 }, "0.0338037609915729");
    // φ(0.3): the border of what is asked moves
    let positive = "\\z => if z > 0 then 1 else 0";
    holds(SHIFTED, Some(positive), Ask { order: 1, ..AT_3 }, "0.381387815460524");
    // 5 Φ(t) + t Φ(-t) - φ(t), with the slope 5 φ(t) + Φ(-t)
    let jump = "\\z => if z > 0 then 5 else z";
    holds(SHIFTED, Some(jump), AT_3, "2.82279586882755");
    holds(SHIFTED, Some(jump), Ask { order: 1, ..AT_3 }, "2.28902765511367");
    // φ' = -0.3 φ(0.3)
    holds(SHIFTED, Some(positive), Ask { order: 2, ..AT_3 }, "-0.114416344638157");
    // (ln 0.2 - ln 0.8) φ(½)
    let clamped = "\\t => do { z <- sample (normal t 1); return (if z > 1/2 then 0.8 else 0.2) }";
    holds(clamped, Some("\\p => log (1 - p)"), Ask { order: 1, ..AT_0 }, "-0.488066177239180");
    // √t has the slope 1/(2√t), a border that is no quotient of polynomials
    let root = "\\t => do { x <- sample (uniformOn 0 1); if x^2 < t then return () else score 0; return x }";
    holds(root, None, Ask { at: Some("0.5"), order: 1, ..PLAIN }, "0.707106781186547524");
}

/// Beside an end where the density is a root, and a border that is no rational number: by the incomplete beta function; 4/π and -8/π.
#[test]
fn roots_at_the_end_of_a_cell_are_integrated() {
    let beyond = "do { x <- sample (beta 2 2.5); if exp x > 1.12 then return () else score 0; return x }";
    holds(beyond, None, PLAIN, "0.950040651368006265");
    let moving = "\\t => do { x <- sample (beta 1.5 2.5); if x < 1/2 + t then return () else score 0; return x }";
    holds(moving, None, Ask { order: 1, ..AT_0 }, "1.27323954473516269");
    holds(moving, None, Ask { order: 2, ..AT_0 }, "-2.54647908947032537");
}

/// A guard that is 0 at a point, with one sign on both sides, and two borders that touch: what is nowhere else has no chance.
#[test]
fn guards_that_touch_0_do_not_cut() {
    let scored = |guard: &str, draw: &str| {
        format!("do {{ x <- sample ({draw}); if {guard} then return () else score 0; return x }}")
    };
    for (guard, draw) in [
        ("(x - 0.5)^2 > 0", "uniformOn 0 1"),
        ("x^2 > 0", "uniformOn (-1) 1"),
        ("x * x - x^3 / 2 > 0", "uniformOn (-1) 1"),
        ("x^2 - 2 * x + 1 > 0", "uniformOn 0 2"),
        ("x^2 > 0", "normal 1 1"),
        ("x * (1 - x) < 1/4", "beta 2 2"),
    ] {
        holds(&scored(guard, draw), None, PLAIN, "1");
    }
    holds(&scored("(x - 0.5)^2 <= 0", "uniformOn 0 1"), None, PLAIN, "0");
    let uniform = "do { x <- sample (uniformOn (-1) 1); return x }";
    holds(uniform, Some("\\x => if x^2 > 0 then 3 else 7"), PLAIN, "3");
    holds(uniform, Some("\\x => sqrt (x^2)"), PLAIN, "0.5");
    // 4x(1 - x) ≤ 1: the borders touch at 1/2
    let touch = "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1);
                 if y + 1 > 4 * x * (1 - x) then return () else score 0; return x }";
    let answer = asked(touch, None, PLAIN).expect("an answer");
    assert!(answer.enclosure.contains(&Rational::from(1)), "{}", answer.enclosure);
}

/// Poisson's distribution of a rate beyond the range of double precision: nothing is dropped.
#[test]
fn large_rates_are_not_dropped() {
    // begun at the likeliest, from which both sides are followed: r, and r + r²
    let large = "do { n <- sample (poisson 300); return n }";
    holds(large, Some("\\n => toReal n"), Ask { eps: "1e-6", ..PLAIN }, "300");
    holds(large, Some("\\n => toReal n * toReal n"), Ask { eps: "1e-3", ..PLAIN }, "90300");
    for rate in ["200", "300", "800", "1000000"] {
        let model = format!("do {{ n <- sample (poisson {rate}); return n }}");
        let answer = asked(&model, None, Ask { seconds: 2, ..PLAIN }).expect("an answer");
        assert!(answer.enclosure.contains(&Rational::from(1)), "{rate}: {}", answer.enclosure);
    }
}

/// A score that is negative somewhere is refused, and one that is not known not to be is not reached.
#[test]
fn scores_that_may_be_negative_are_told() {
    for score in ["x - 0.5", "x - 0.4", "x^2 - 0.01", "log (x + 0.1)"] {
        let model = format!("do {{ x <- sample (uniformOn 0 1); score ({score}); return x }}");
        let found = asked(&model, None, PLAIN);
        assert!(matches!(found, Err(smoothish::measure::MeasureError::NegativeScore)), "{score}: {found:?}");
    }
    let fine = "do { x <- sample (uniformOn 0 1); score (x - x^2); return x }";
    let answer = asked(fine, None, PLAIN).expect("an answer");
    assert!(!answer.has_unproved_assumption && answer.enclosure.contains(&Rational::from((1, 6))), "{answer:?}");
}

#[test]
fn two_draws_with_a_border_between_them() {
    // ∬[x + y < c] e^(xy), and its slope ∫₀ᶜ e^(x(c - x)) dx: by quadrature, and by the series Σ c^(2k+2)/(2k+2)!·k!
    let program = |c: &str| {
        format!(
            "do {{ x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1);
              if x + y < {c} then score (exp (x * y)) else score 0; return x }}"
        )
    };
    holds(&program("0.77"), None, PLAIN, "0.311694936073251");
    let moving = format!("\\c => {}", program("c"));
    holds(&moving, None, Ask { at: Some("0.77"), order: 1, ..PLAIN }, "0.850797660755952");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn what_is_left_of_a_recursion_is_told() {
        // p/(e - 1 + p), with a bound of the weights that is assumed
        let counted = "\\p => do { n <- sample (geometric p); score (exp (- toReal n)); return n }";
        let ask = Ask { weight_at_most: Some("1"), ..AT_3 };
        holds(counted, None, ask, "0.148641282783113");
        let answer = asked(counted, None, ask).expect("an answer");
        assert_eq!(answer.assumptions, ["no product of weights is greater than 1"]);
        // trees that grow with 0.6 end with the chance 2/3: at least so many do, and no more is claimed
        let trees = "let rec tree p = do { b <- sample (bernoulli p); if b then return () else do { tree p; tree p } } in tree 0.4";
        let answer = asked(trees, None, Ask { seconds: 3, ..PLAIN }).expect("an answer");
        let found = &answer.enclosure;
        assert!(*found.lo() > 0.55 && *found.lo() < 0.6666667 && *found.hi() >= 0.9999, "{found}");
        assert!(
            !found.has_width_at_most(&rational("0.1"))
                && answer.open_paths > 0
                && *answer.unexplored_probability.hi() > 0.33,
            "{found}"
        );
        // one draw for each trial: the mass to 20 is 1 - 2⁻²⁰
        let trials = "let rec trial (n : Nat) = do { u <- sample (uniformOn 0 1); if u < 1/2 then return n else trial (n + 1) } in trial 1";
        let answer = asked(trials, None, Ask { eps: "1e-5", ..PLAIN }).expect("an answer");
        assert!(
            answer.enclosure.contains(&Rational::from(1)) && *answer.enclosure.lo() > 0.99999,
            "{}",
            answer.enclosure
        );
    }
}
