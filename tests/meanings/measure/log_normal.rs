//! The log-normal distribution: masses, moments and their derivatives, choices, moments that do not exist, changes of variables, samples.
//!
//! True values are closed forms, which each test names, and were found again by quadrature in the logarithm by mpmath, at 40 digits.

use super::change::{changed_with, is};
use super::{Ask, PLAIN, asked, both_estimators_enclose, every_sampler_is_near, holds};
use smoothish::measure::change::Multiplicity;

const STANDARD: &str = "do { x <- sample (logNormal 0 1); return x }";

/// E xᵏ = e^(km + k²s²/2), E √x = e^(1/8), E log x = m, and E 1/(1 + x) = 1/2 for m = 0, as 1/x has the same law.
#[test]
fn moments_are_enclosed() {
    holds(STANDARD, None, PLAIN, "1");
    holds(STANDARD, Some("\\x => x"), PLAIN, "1.648721270700128146849");
    holds(STANDARD, Some("\\x => x^2"), PLAIN, "7.38905609893065022723");
    holds(STANDARD, Some("\\x => sqrt x"), PLAIN, "1.133148453066826316829");
    holds("do { x <- sample (logNormal 1 2); return x }", Some("\\x => log x"), PLAIN, "1");
    holds("do { x <- sample (logNormal 0 0.5); return x }", Some("\\x => 1 / (1 + x)"), PLAIN, "0.5");
    holds(STANDARD, Some("\\x => sin x"), Ask { eps: "1e-6", ..PLAIN }, "0.5071898416918057373531");
    // of both signs
    holds(STANDARD, Some("\\x => x - 3"), PLAIN, "-1.351278729299871853151");
}

/// P(x > 2) = 1 - Φ(log 2), E[x; x < 2] = √e Φ(log 2 - 1), and P(x < y) = Φ(1/√5) for logarithms of the law N(0, 1) and N(1, 4).
#[test]
fn choices_are_enclosed() {
    let greater = "do { x <- sample (logNormal 0 1); score (if x > 2 then 1 else 0); return x }";
    holds(greater, None, PLAIN, "0.244108595785582734005");
    holds(STANDARD, Some("\\x => if x < 2 then x else 0"), PLAIN, "0.6256529575930698324119");
    let less =
        "do { x <- sample (logNormal 0 1); y <- sample (logNormal 1 2); score (if x < y then 1 else 0); return x }";
    holds(less, None, PLAIN, "0.6726395769907114852984");
    // a root of a guard that is not affine: x² < 4
    holds(
        "do { x <- sample (logNormal 0 1); return (x^2 > 4) }",
        Some("\\b => if b then 1 else 0"),
        PLAIN,
        "0.244108595785582734005",
    );
}

/// A datum 2 with a normal mean of the logarithm has the density of N(0, 2) at log 2, over 2.
#[test]
fn what_is_seen_is_weighed() {
    let seen = "do { m <- sample (normal 0 1); observe (logNormal m 1) 2; return m }";
    holds(seen, None, PLAIN, "0.1250836509969378755143");
    let measured = "do { x <- sample (logNormal 0 1); observe (normal x 1) 3; return x }";
    holds(measured, None, PLAIN, "0.100847936667022398149");
    holds(measured, Some("\\x => x"), PLAIN, "2.258398022935470848966");
    let counted = "do { x <- sample (logNormal 0 1); observe (poisson x) 3; return x }";
    holds(counted, None, Ask { eps: "1e-7", ..PLAIN }, "0.08073888335970445855359");
    // where no draw lies
    holds("do { observe (logNormal 0 1) (-1); return 0 }", None, PLAIN, "0");
}

/// d/dm E x = e^(m + s²/2), d/ds E x² = 4 s e^(2s²) at m = 0, and d/dm P(x > 2) = φ(log 2).
#[test]
fn derivatives_in_each_parameter_are_enclosed() {
    let of = |parameters: &str| format!("\\t => do {{ x <- sample (logNormal {parameters}); return x }}");
    let at = |place| Ask { at: Some(place), order: 1, eps: "1e-7", ..PLAIN };
    holds(&of("t 1"), Some("\\x => x"), at("0"), "1.648721270700128146849");
    holds(&of("0 t"), Some("\\x => x^2"), at("0.5"), "3.297442541400256293697");
    holds(&of("t 1"), Some("\\x => if x > 2 then 1 else 0"), at("0"), "0.3137480385579621826884");
}

/// E eˣ is infinite. Of what is nowhere negative it may be said that it is at most ∞; of x minus it nothing.
#[test]
fn no_mean_of_an_exponential_is_claimed() {
    for of in ["\\x => exp x", "\\x => exp x - x"] {
        let found = asked(STANDARD, Some(of), Ask { seconds: 2, ..PLAIN }).expect("an answer").enclosure;
        assert!(!found.is_bounded(), "{of}: {found}");
    }
}

/// 1/x has the same law for m = 0, log x is normal, and x/y has a logarithm of the law N(0, 2). The density falls to 0 at 0.
#[test]
fn images_have_densities() {
    let density = |model: &str, f: &str, at: &str, truth: &str| {
        let found = changed_with(Multiplicity::Any, model, f, at).unwrap_or_else(|fault| panic!("{f}: {fault}"));
        is(&found.densities[0].1, truth);
    };
    density(STANDARD, "\\x => x", "2", "0.1568740192789810913442");
    density(STANDARD, "\\x => 1/x", "2", "0.1568740192789810913442");
    density("do { x <- sample (logNormal 1 2); return x }", "\\x => log x", "0", "0.1760326633821497388873");
    density("do { z <- sample (normal 0 1); return z }", "\\z => exp z", "2", "0.1568740192789810913442");
    let two = "do { x <- sample (logNormal 0 1); y <- sample (logNormal 0 1); return (x, y) }";
    density(two, "\\(x, y) => x / y", "2", "0.1250836509969378755143");
}

/// Both parameters are moved by the map e^(m + s z) of a standard normal z.
#[test]
fn estimators_move_both_parameters() {
    for (parameters, truth) in [("t 1", "1.648721270700128146849"), ("0 t", "1.648721270700128146849")] {
        let model = format!("\\t => do {{ x <- sample (logNormal {parameters}); return x }}");
        both_estimators_enclose(&model, "\\x => x", if parameters == "t 1" { "0" } else { "1" }, truth);
    }
}

/// Samples are near what is certified: E log x = 1, and P(x > 3) = 1 - Φ((log 3 - 1)/2).
#[test]
fn samples_are_near() {
    let rows = [("\\x => log x", 1.0), ("\\x => if x > 3 then 1 else 0", 0.480337661502)];
    every_sampler_is_near("do { x <- sample (logNormal 1 2); return x }", &rows);
}
