//! Derivatives in the shape of a distribution, and in an exponent: densities are powers whose exponents move.
//!
//! True values in closed form where that is told, all of them by differences of functions of mpmath, at 25 digits.

use super::{Ask, PLAIN, holds};

const fn at(place: &'static str) -> Ask<'static> {
    Ask { at: Some(place), order: 1, ..PLAIN }
}
const SHORT: &str = "\\x => if x > 2 then 1 else 0";
const SMALL: &str = "\\x => if x < 0.3 then 1 else 0";

#[test]
fn derivatives_in_the_shape_of_gamma() {
    let gamma = "\\a => do { x <- sample (gamma a 1); return x }";
    // E x = a, also where the density has no bound; E log x = ψ(a), and ψ″
    holds(gamma, Some("\\x => x"), at("2.5"), "1");
    holds(gamma, Some("\\x => x"), at("0.5"), "1");
    holds(gamma, Some("\\x => log x"), at("2.5"), "0.4903577561002348650");
    holds(gamma, Some("\\x => log x"), Ask { order: 2, ..at("2.5") }, "-0.2362040516417274037");
    holds(gamma, Some(SHORT), at("2.5"), "0.27455132194588155379");
    // E e^(-x) = 2^(-t); Poisson's three are negative binomial
    holds(
        "\\t => do { x <- sample (gamma t 1); score (exp (-x)); return x }",
        None,
        at("0.3"),
        "-0.5630104584373838473",
    );
    holds(
        "\\a => do { x <- sample (gamma a 2); observe (poisson x) 3; return x }",
        None,
        at("3"),
        "0.041467020600841585883",
    );
}

#[test]
fn derivatives_in_the_shapes_of_beta() {
    // a/(a + 2), and E x²
    let first = "\\a => do { x <- sample (beta a 2); return x }";
    holds(first, Some("\\x => x"), at("2.5"), "0.09876543209876543210");
    holds(first, Some("\\x => x^2"), at("0.5"), "0.16979591836734693878");
    let second = "\\b => do { x <- sample (beta 2 b); return x }";
    holds(second, Some(SMALL), at("2"), "0.13263315604796618507");
    holds(second, Some(SMALL), at("0.5"), "0.092180010308570037391");
    // a/(4 (2a + 1))
    let coin = "\\a => do { p <- sample (beta a a); observe (bernoulli p) tt; observe (bernoulli p) tt;
                observe (bernoulli p) ff; return p }";
    holds(coin, None, at("2"), "0.01");
}

#[test]
fn derivatives_in_an_exponent() {
    // 1/(t + 1); Γ(t + 1)
    holds("\\t => do { x <- sample (uniformOn 0 1); score (x^t); return x }", None, at("1.5"), "-0.16");
    holds(
        "\\t => do { x <- sample (exponential 1); score (exp (t * log x)); return x }",
        None,
        at("1.5"),
        "0.93473452162608553439",
    );
}
