//! Guards of several normal draws that are linear in two of them: they are drawn themselves. Truths by sums of normal draws, and by quadrature of what is left.

use super::{Ask, PLAIN, holds};

const THREE: &str = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); z <- sample (normal 0 1); if GUARD then return () else score 0; return x }";

#[test]
fn of_three_draws_one_or_two_are_left() {
    let rows = [
        // Φ(1/√3)
        ("x + y + z < 1", "0.718148569174613485634478237774"),
        // E Φ(-x²/√2), E Φ(1/√(1 + z⁴)): y, and not the last draw, is turned
        ("x^2 + y < z", "0.316435133537313215273189387509"),
        ("z^2*x + y < 1", "0.775594508958555444556019058677"),
        // of nothing that the other draws know
        ("sin x + y < 2*z", "0.5"),
    ];
    for (guard, truth) in rows {
        let ask = if guard.contains("z^2") {
            Ask { eps: "1e-4", seconds: 100, ..PLAIN }
        } else {
            Ask { eps: "1e-7", ..PLAIN }
        };
        holds(&THREE.replace("GUARD", guard), None, ask, truth);
    }
    let moved = format!("\\t => {}", THREE.replace("GUARD", "x + y + z < t"));
    let at = Ask { at: Some("1"), ..PLAIN };
    holds(&moved, None, Ask { order: 1, ..at }, "0.194969655722741131393440185003");
    holds(&moved, None, Ask { order: 2, ..at }, "-0.0649898852409137104644800616675");
}

/// Where another guard looks at a draw, it stays: a quarter of the plane and more, ¼ + asin (1/√2)/2π, with the line through the middle: 3/8.
#[test]
fn other_guards_keep_their_draws() {
    let two = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); if x + y > 0 then return () else score 0; if y > 0 then return () else score 0; return x }";
    holds(two, None, PLAIN, "0.375");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// What is drawn later, weighed and given depends on a draw that is another one now, with a mean, a deviation and a slope that are not 0 and 1.
    #[test]
    fn what_depends_on_a_turned_draw_turns_with_it() {
        // g = x - 2y + z, with z around x, is normal with mean -2 and variance 4 + 1/4 + 16, and its covariance with y is -8
        let leaning = "do { x <- sample (normal 0 1); z <- sample (normal x 0.5); y <- sample (normal 1 2);
                   if x - 2*y + z < 1 then return () else score 0; return y }";
        holds(leaning, None, PLAIN, "0.747507462453077086935938175611");
        holds(leaning, Some("\\z => z"), PLAIN, "1.759734977774512283252778");
        // and in the place of the guard, φ(3/√18)/√18, with four draws
        let four = "\\t => do { x <- sample (normal 0 1); z <- sample (normal x 0.5); y <- sample (normal 1 2); w <- sample (normal (0 - z) 1);
                if x - 2*y + z + w < t then return () else score 0; return y }";
        holds(four, None, Ask { at: Some("1"), order: 1, ..PLAIN }, "0.07323188157795373284114366");
        // with weights that look at y: by a draw around it, 1/(2√3), and by the chance of a coin
        let around = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); w <- sample (normal y 1);
                  if x + y > 0 then return () else score 0; score (exp (-(w^2/2))); return x }";
        holds(around, None, PLAIN, "0.288675134594812882254574390251");
        let coin = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); b <- sample (bernoulli (exp (-(y^2))));
                if x + y + 1/2 > 0 then return () else score 0; if b then return () else score 0; return x }";
        holds(coin, None, PLAIN, "0.385379704817026008232026292538");
    }
}
