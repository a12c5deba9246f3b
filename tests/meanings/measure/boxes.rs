//! Draws that are integrated over as boxes: guards that are not affine, several coordinates on infinite lines.
//!
//! True values by closed forms, found again by quadrature by mpmath, at 18 digits.

use super::{AT_3, Ask, PLAIN, asked, holds, rational};
use smoothish::measure::cubature::{RestrictedIntegrand, integrate_over_box};
use smoothish::measure::hooks::DefaultMeasureHooks;
use smoothish::number::budget::Budget;
use smoothish::pieces::{GuardCondition, SignGuard, SignTest};
use smoothish::smooth::graph::{Binary, Graph, Variable};
use smoothish::value::SourceId;
use std::time::Duration;

/// Two uniform draws, and where they count.
fn uniform(guard: &str, weight: &str) -> String {
    format!(
        "do {{ x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1);
          if {guard} then score ({weight}) else score 0; return x }}"
    )
}

const COARSE: Ask<'static> = Ask { eps: "1e-3", ..PLAIN };

#[test]
fn guards_that_are_not_affine() {
    // a quarter of a disc, and the mean of x on it; ∬[x² + y² < 0.9] e^(xy) in polar coordinates
    holds(&uniform("x^2 + y^2 < 1", "1"), None, COARSE, "0.785398163397448");
    holds(&uniform("x^2 + y^2 < 1", "1"), Some("\\x => x"), COARSE, "0.424413181578388");
    holds(&uniform("x^2 + y^2 < 0.9", "exp (x * y)"), None, COARSE, "0.821272759071037");
    // 1 - e^(-1/2): a disc below a normal density
    let disc = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); if x^2 + y^2 < 1 then return () else score 0; return x }";
    holds(disc, None, COARSE, "0.393469340287367");
}

/// A product is affine in each of its factors: sections are exact, and move with the parameter.
#[test]
fn hyperbolas_are_cut_along_an_axis() {
    // c (1 - log c), and its slope -log c
    holds(&uniform("x * y < 0.3", "1"), None, PLAIN, "0.661191841297780811");
    let moving = format!("\\c => {}", uniform("x * y < c", "1"));
    holds(&moving, None, Ask { at: Some("0.3"), order: 1, ..PLAIN }, "1.20397280432593599");
}

/// Boxes are divided together on several threads, and the answer is that of one, to the last bit; the volume is that of a ball's eighth, π/6.
#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    let variables = [(); 3].map(|()| Variable::fresh());
    let square = |v: &Variable| Graph::power(&Graph::variable(*v), &2.into()).expect("a square");
    let sum = variables.iter().map(square).reduce(|a, b| Graph::binary(Binary::Add, &a, &b)).expect("three");
    let inside = Graph::binary(Binary::Subtract, &Graph::integer(1), &sum);
    let guard = SignGuard::new(&inside, SignTest::Positive, SourceId::NOWHERE);
    let decided = [GuardCondition { guard, holds: true, is_condition: false }];
    let of = RestrictedIntegrand {
        hooks: &DefaultMeasureHooks,
        variables: &variables,
        map: &Graph::integer(1),
        decided: &decided,
    };
    let eps = rational("0.01");
    let on = |threads| {
        let budget = Budget::with_time_limit(Duration::from_secs(60));
        integrate_over_box(of, &[[0, 1]; 3], &eps, &budget, threads).expect("an enclosure")
    };
    let one = on(1);
    assert!(one.has_width_at_most(&eps) && one.contains(&rational("0.52359877559829887")), "{one}");
    for threads in [2, 3, 7] {
        let other = on(threads);
        assert!(one.lo() == other.lo() && one.hi() == other.hi(), "{threads} threads: {other}, and one: {one}");
    }
}

/// Weights that are no exponentials of polynomials: of two logistic observations, by quadrature.
#[test]
fn logistic_weights() {
    let line = "do { w <- sample (normal 0 1); b <- sample (normal 0 1);
                score (1 / (1 + exp (- (2*w + b)))); score (1 / (1 + exp (b - w))); return w }";
    holds(line, None, Ask { seconds: 60, ..COARSE }, "0.275772664711619");
}

/// A border that does not move, below a density that does: by quadrature in polar coordinates, and along an axis. Where the border moves as well, nothing
/// is claimed: the true slope is e^(-t/2)/2, and that of the density alone is 0.
#[test]
fn derivatives_where_no_border_moves() {
    let slope = Ask { order: 1, eps: "1e-3", ..AT_3 };
    let moved = "\\t => do { x <- sample (normal t 1); y <- sample (normal 0 1);
                 if x^2 + y^2 < 1 then return () else score 0; return x }";
    holds(moved, None, slope, "-0.0879584267093526");
    let border = "\\t => do { x <- sample (normal 0 1); y <- sample (normal 0 1);
                  if x^2 + y^2 < t then return () else score 0; return x }";
    let found = asked(border, None, slope).expect("an answer").enclosure;
    let truth = super::rational("0.430353988212529");
    assert!(!found.is_defined() || *found.lo() <= truth && *found.hi() >= truth, "{found}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Three coordinates; on infinite lines, and where a density is 0 at an end.
    #[test]
    fn borders_between_other_draws() {
        // P(χ²₃ < 2), and with two other draws that a normal one is eliminated from
        let ball = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); z <- sample (normal 0 1);
                if x^2 + y^2 + z^2 < 2 then return () else score 0; return x }";
        holds(ball, None, Ask { eps: "0.05", ..PLAIN }, "0.427593295529120");
        // E (1 - e^(-1/y)), and E √(1/2 - x²), by quadrature
        let product = "do { x <- sample (exponential 1); y <- sample (gamma 3 2); if x * y < 1 then return () else score 0; return x }";
        holds(product, None, COARSE, "0.551097955975808");
        let below = "do { x <- sample (beta 2 3); y <- sample (uniformOn 0 1); if x^2 + y^2 < 1/2 then return () else score 0; return x }";
        holds(below, None, COARSE, "0.518959029751542");
    }
}
