//! Published examples of GuBPI (Beutner, Ong, Zaiser 2022), with the bounds that it prints.
//!
//! The programs are `benchmarks/{NonRecursive,FurtherExamples}/*/*.spcf` of its repository, and the bounds the files `expected` beside them (commits
//! 8f830ba, b2aa360, 2c89df0, b2146f7): the chance that a value lies in one of the intervals of a histogram, normalised. True values are
//! closed forms or quadratures by mpmath at 25 digits; GuBPI has no derivatives.

use super::{AT_0, Ask, PLAIN, asked, holds, rational};

/// The chance of an interval, as a function of the values.
fn between(a: &str, b: &str) -> String {
    format!("\\z => if z > {a} then (if z < {b} then 1 else 0) else 0")
}

/// The truth lies in both enclosures, and ours is narrower by a factor of ten at least.
fn narrower(model: &str, of: &str, ask: Ask<'_>, truth: &str, [lo, hi]: [&str; 2]) {
    let (truth, lo, hi) = (rational(truth), rational(lo), rational(hi));
    assert!(lo <= truth && truth <= hi, "{model}: GuBPI has [{lo}, {hi}], and the truth is {truth}");
    let found = asked(model, Some(of), ask).unwrap_or_else(|fault| panic!("{model}: {fault}")).enclosure;
    assert!(found.is_defined() && *found.lo() <= truth && *found.hi() >= truth, "{model}: {found}, {truth}");
    assert!(found.has_width_at_most(&((hi - lo) / 10u32)), "{model}: {found}");
}

/// `max`: P(a < max(x, y) < b) = Φ(b)² - Φ(a)², with the slope in the mean of a draw.
#[test]
fn the_maximum_of_two_normal_draws() {
    let max = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (if x > y then x else y) }";
    let ask = Ask { eps: "1e-12", ..PLAIN };
    let published = ["0.0406663767", "0.0421428364"];
    narrower(max, &between("0", "0.1"), ask, "0.04141409389919448078", published);
    // φ(½)Φ(½) - φ(1)Φ(1), by the mean of y
    let moved = format!("\\t => {}", max.replacen("y <- sample (normal 0 1)", "y <- sample (normal t 1)", 1));
    let ask = Ask { order: 1, eps: "1e-9", ..AT_0 };
    holds(&moved, Some(&between("1/2", "1")), ask, "0.03985915959710217600991196753913377687836");
}

/// `coinBias`: Beta(5, 7), a polynomial over a number; with the slope p⁴(1 - p)⁶/B(5, 7) in the right end.
#[test]
fn the_bias_of_a_coin() {
    let coin = "do { b <- sample (beta 2 5); score (b^3 * (1 - b)^2); return b }";
    let published = ["0.12069929", "0.152559104"];
    narrower(coin, &between("0.4", "0.45"), Ask { eps: "1e-6", ..PLAIN }, "0.135634594527001953125", published);
    let end = "\\h => do { b <- sample (beta 2 5); score (b^3 * (1 - b)^2); return (if b < h then (if b > 0.4 then 1 else 0) else 0) }";
    let ask = Ask { at: Some("0.45"), order: 1, eps: "1e-6", ..PLAIN };
    holds(end, Some("\\z => z"), ask, "2.6220331128427734375");
}

/// The densities of what was seen around m, with a standard deviation s, without their constant factor.
fn seen(range: &str, numbers: &[&str], s: &str) -> String {
    let squares: Vec<String> = numbers.iter().map(|number| format!("(m - ({number}))^2")).collect();
    format!(
        "do {{ m <- sample (uniformOn {range}); score (exp (- ({}) / (2 * {s}^2))); return m }}",
        squares.join(" + ")
    )
}

/// `smallLikelihood`: weights near e^(-1115). The slope is that in the last number, 82.
#[test]
fn small_likelihoods() {
    let numbers = ["-23", "26", "38", "3", "39", "20", "25", "11", "-77", "82"];
    let of = between("10", "15");
    let published = ["0.535000981", "1.01376458"];
    let ask = Ask { eps: "1e-6", ..PLAIN };
    narrower(
        &seen("(-50) 50", &numbers, "3"),
        &of,
        ask,
        "0.736453612644854418422341718556126378978326146575859696446944748039229845928737",
        published,
    );
    let last = format!("\\t => {}", seen("(-50) 50", &[&numbers[..9], &["t"]].concat(), "3"));
    let ask = Ask { at: Some("82"), order: 1, seconds: 200, ..ask };
    holds(&last, Some(&of), ask, "-0.03442853966728983032354");
}

/// `constantSigma`: the slope is that in the last number, 3.
#[test]
fn a_constant_deviation() {
    let of = between("10.9", "11");
    let published = ["0.0358580158", "0.0442372474"];
    let ask = Ask { eps: "1e-6", ..PLAIN };
    narrower(&seen("(-20) 20", &["-23", "26", "38", "3"], "2"), &of, ask, "0.0398278372770289814699", published);
    let last = format!("\\t => {}", seen("(-20) 20", &["-23", "26", "38", "t"], "2"));
    let ask = Ask { at: Some("3"), order: 1, seconds: 100, ..ask };
    holds(&last, Some(&of), ask, "-0.0004974332311052280971747");
}

/// `nonConstantSigma`: the same with a deviation that is drawn. The truth is an integral of differences of Φ over the deviation; the slope is that
/// in the last number, 3.
#[test]
fn a_deviation_that_is_drawn() {
    let model = "do { m <- sample (uniformOn (-20) 20); s <- sample (uniformOn 1.9999 2.0001); \
        score (exp (-(((-23 - m)^2 + (26 - m)^2 + (38 - m)^2 + (3 - m)^2)/(2*s^2)))/s^4); return m }";
    let published = ["0.03397", "0.04669"];
    narrower(model, &between("10.9", "11"), Ask { eps: "1e-7", ..PLAIN }, "0.03982781943142193095528925", published);
    let last = format!("\\t => {}", model.replacen("(3 - m)", "(t - m)", 1));
    let ask = Ask { at: Some("3"), order: 1, eps: "1e-7", ..PLAIN };
    holds(&last, Some(&between("10.9", "11")), ask, "-0.0004974324302810247284084401035320121581197");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// `nealsFunnel`, of which nine draws are not looked at: ∫ φ₃(x) (Φ(e^(-x/2)/4) - ½) dx. With the slopes in the deviation of x, here at 3,
    /// and in the left border, `-∫ φ₃(x) e^(-x/2) φ(e^(-x/2)/4) dx` at ¼, whose slope is `¼ ∫ φ₃(x) e^(-3x/2) φ(e^(-x/2)/4) dx`.
    #[test]
    fn a_funnel() {
        let funnel = "do { x <- sample (normal 0 3); y <- sample (normal 0 (exp (x/2))); return y }";
        let ask = Ask { eps: "1e-9", seconds: 100, ..PLAIN };
        let published = ["0.148209256", "0.177347595"];
        narrower(funnel, &between("0", "0.25"), ask, "0.1626639925802352199933", published);
        let wider = funnel.replacen('3', "t", 1);
        let ask = Ask { at: Some("3"), order: 1, ..ask };
        holds(&format!("\\t => {wider}"), Some(&between("0", "0.25")), ask, "0.0213317022767942510590374882135");
        let border = "do { x <- sample (normal 0 3); y <- sample (normal 0 (exp (x/2))); return (y - t) }";
        let ask = Ask { at: Some("0.25"), ..ask };
        let of = "\\z => if z > 0 then 1 else 0";
        let moved = format!("\\t => {border}");
        holds(&moved, Some(of), ask, "-0.384233606609446828823263693307");
        holds(&moved, Some(of), Ask { order: 2, ..ask }, "1.08185811119950995936692169134");
    }

    /// `binaryGmm`: ten numbers seen around one of two means, normal draws cut off at ±4. The truth is a sum over the 2¹⁰ ways to share them out,
    /// each a product of two differences of Φ. With the slope in
    /// the last number, by differences of that sum at 40 digits.
    #[test]
    fn a_mixture_of_two() {
        let numbers = ["-2.0", "-2.5", "-1.7", "-1.9", "-2.2", "1.5", "2.2", "3.0", "1.2", "t"];
        let density = |of: &str, number: &str| format!("exp (-(({of} - ({number}))^2/2))");
        let either = |number: &&str| format!("(({} + {})/2)", density("a", number), density("b", number));
        let seen: Vec<String> = numbers.iter().map(either).collect();
        let model = format!(
            "do {{ a <- sample (uniformOn (-4) 4); b <- sample (uniformOn (-4) 4); score (exp (-((a^2 + b^2)/8)) * {}); return a }}",
            seen.join(" * ")
        );
        let published = ["0.0817541128", "0.129251544"];
        let of = between("-2.25", "-2");
        let ask = Ask { eps: "1e-6", ..PLAIN };
        narrower(&model.replace("(t)", "2.8"), &of, ask, "0.10279888094754185801", published);
        let moved = format!("\\t => {model}");
        let ask = Ask { at: Some("2.8"), order: 1, seconds: 100, ..ask };
        holds(&moved, Some(&of), ask, "-0.00035509294424223418935");
    }
}
