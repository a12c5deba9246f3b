//! Moves of one's own for a sampler: involutions of values with auxiliary numbers, also between values of other forms.
//!
//! Factors were derived by hand: |∂(x u, 1/u)/∂(x, u)| = |u · (-1/u²)| = 1/u. True means have closed forms, which the tests name.

use super::parsed;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::sampler::user_move::{InvolutionEvidence, MoveTree, UserMove};
use smoothish::sampler::{SampleEstimate, SamplerError, SamplerSettings, SamplingMethod, estimate_mean_by_move};
use smoothish::session::Session;
use smoothish::session::question::sampled::{InvolutiveProposal, read_involutive_proposal, read_probabilistic_program};
use smoothish::syntax::source::SourceText;
use smoothish::wrong::Sampler;
use std::sync::Arc;
use std::time::Duration;

const DECAY: &str = "do { x <- sample (exponential 1); return x }";
const NORMAL: &str = "do { x <- sample (normal 0 1); return x }";
/// A second number, with probability 0.3.
const PERHAPS: &str = "do { x <- sample (exponential 1); b <- sample (bernoulli 0.3);
  if b then do { y <- sample (exponential 1); return (x, Just y) } else return (x, Nothing) }";
const SCALE: &str = r"\(x, u) => (x * u, 1 / u)";
const LOG_NORMAL: Option<&str> = Some(r"\x => logNormal 0 1");
const BELL: Option<&str> = Some(r"\x => normal 0 1");

/// Parses a move of the values of a program.
fn proposal(model: &str, involution: &str, auxiliary: Option<&str>) -> InvolutiveProposal {
    let session = Session::new();
    let source = |text: &str| Arc::new(SourceText::new("move", text));
    let program = read_probabilistic_program(&session, false, &source(model)).expect("a program");
    let auxiliary = auxiliary.map(source);
    read_involutive_proposal(&session, &program, &source(involution), auxiliary.as_ref())
        .unwrap_or_else(|fault| panic!("{involution}: {fault}"))
}

fn settings(samples: usize) -> SamplerSettings {
    SamplerSettings::new(SamplingMethod::Involutive, samples, 7)
}

/// Estimates a mean of the values of a program by a move.
fn moved(
    model: &str,
    of: &str,
    involution: &str,
    auxiliary: Option<&str>,
    settings: &SamplerSettings,
) -> Result<(SampleEstimate, InvolutionEvidence), SamplerError> {
    let InvolutiveProposal { pairs, involution } = &proposal(model, involution, auxiliary);
    let (program, of) = parsed(model, of, false);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(60)));
    estimate_mean_by_move(&program, &of, UserMove { pairs, involution }, settings, &budget, &mut |_| {})
}

/// The message of the error of a move.
fn refusal(model: &str, involution: &str, auxiliary: Option<&str>) -> String {
    let found = moved(model, r"\x => 0", involution, auxiliary, &settings(1000));
    found.expect_err(involution).to_string().lines().next().unwrap_or_default().to_owned()
}

/// The factor of (x u, 1/u) at u = 4 is 1/4, and at the image 4.
#[test]
fn the_factor_is_that_of_the_move() {
    let InvolutiveProposal { pairs, involution } = &proposal(DECAY, SCALE, LOG_NORMAL);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    let mut tree = MoveTree::new(UserMove { pairs, involution }, &budget).expect("a tree");
    let pair = tree.draw_pair(&mut SplitMix64::new(1)).expect("a pair");
    let pair = tree.pair_at(&pair, &[3.0, 4.0]).expect("a run").expect("a pair");
    let found = tree.apply_move(&pair).expect("an image");
    assert_eq!(found.numbers, [vec![3.0, 4.0], vec![12.0, 0.25]]);
    assert!((found.log_factor.exp() - 0.25).abs() < 1e-15, "{found:?}");
    let back = tree.apply_move(&found.next.expect("a pair")).expect("an image");
    assert!((back.log_factor.exp() - 4.0).abs() < 1e-14 && back.numbers[1] == [3.0, 4.0], "{back:?}");
}

/// The slopes of (y e^z, x e^z, -z) are (0, e^z, y e^z), (e^z, 0, x e^z) and (0, 0, -1): the determinant is e^(2z).
#[test]
fn the_factor_of_several_draws_is_a_determinant() {
    let model = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x, y) }";
    let swapped = r"\((x, y), z) => ((y * exp z, x * exp z), - z)";
    let InvolutiveProposal { pairs, involution } = &proposal(model, swapped, BELL);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    let mut tree = MoveTree::new(UserMove { pairs, involution }, &budget).expect("a tree");
    let pair = tree.draw_pair(&mut SplitMix64::new(1)).expect("a pair");
    let pair = tree.pair_at(&pair, &[0.3, -2.0, 0.7]).expect("a run").expect("a pair");
    let found = tree.apply_move(&pair).expect("an image");
    assert!((found.log_factor - 1.4).abs() < 1e-14, "{found:?}");
}

/// A map that is no involution is refused, at a short point where there is one.
#[test]
fn moves_that_are_no_involutions_are_refused() {
    let told = refusal(NORMAL, r"\(x, u) => (x + u, u)", BELL);
    assert_eq!(told, "T takes (0, 1) to (1, 1) and that to (2, 1)");
    let told = refusal(NORMAL, r"\(x, u) => (x, x)", BELL);
    assert_eq!(told, "T takes (0, 1) to (0, 0) and that to (0, 0)");
    // without a number
    let told = refusal("do { b <- sample (bernoulli 0.3); return b }", r"\b => tt", None);
    assert_eq!(told, "T takes ff to tt and that to tt");
    // only on a part, which is tried all the same
    let told = refusal(NORMAL, r"\x => if x > 2 then x else 1 - 2 * x", None);
    assert!(told.starts_with("T takes ") && told.contains(" and that to "), "{told}");
    // a single point has no probability, and refutes nothing
    let told = moved(NORMAL, r"\x => x", r"\(x, u) => if x == 0 then (5, u) else (x + u, - u)", BELL, &settings(1000));
    assert!(told.is_ok(), "{told:?}");
}

/// A move may change draws alone, and the image has to determine its run.
#[test]
fn moves_of_other_things_than_draws_are_refused() {
    let shift = r"\(x, u) => (x + u, - u)";
    let told = refusal("do { x <- sample (normal 0 1); return (2 * x) }", shift, BELL);
    assert!(told.ends_with("and changes a number that is not drawn"), "{told}");
    // the value 0 of the first branch is no draw
    let spike = "do { b <- sample (bernoulli 0.3); if b then return 0 else sample (normal 0 1) }";
    let told = refusal(spike, shift, BELL);
    assert!(told.starts_with("T takes (0, ") && told.ends_with("and changes a number that is not drawn"), "{told}");
    let told = refusal(PERHAPS, r"\(x, m) => match m with Nothing => (x, Just x) | Just y => (x, Nothing)", None);
    assert!(told.contains("but the runs with these values have") && told.ends_with("real draws in them"), "{told}");
    let hidden = "do { c <- sample (bernoulli 0.5); x <- if c then sample (normal 0 1) else sample (normal 1 2);
      b <- sample (bernoulli 0.3); return (x, b) }";
    let told = refusal(hidden, r"\(x, b) => (x, if b then ff else tt)", None);
    assert!(told.contains("to the other form") && told.contains("several runs have values"), "{told}");
    // as long as the form stays, a hidden draw does no harm
    // its mean is that of half a standard normal draw and half one of mean 1
    let (found, _) = moved(hidden, r"\(x, b) => x", r"\(x, b) => (- x, b)", None, &settings(1000)).expect("samples");
    assert!(found.z_score(0.5).abs() < 5.0, "{found:?}");
    let scored = r"\x => do { u <- sample (normal 0 1); score (exp u); return u }";
    let told = refusal(NORMAL, shift, Some(scored));
    assert!(told.starts_with("the density of the auxiliary numbers is not known"), "{told}");
    let function = "do { x <- sample (normal 0 1); return (x, \\y => x + y) }";
    let told = refusal(function, r"\z => z", None);
    assert!(told.ends_with("not a function"), "{told}");
}

/// The factor 1/x² of the inverse is not finite at draws near 10⁻²⁰⁰.
#[test]
fn factors_that_are_not_finite_are_refused() {
    let told = refusal("do { x <- sample (gamma 0.002 1); return x }", r"\x => 1 / x", None);
    assert!(told.starts_with("the factor 𝒥 of T at ") && told.contains(" is inf, and at its image 0"), "{told}");
}

/// Normal forms show that a rational move is an involution, also between forms. They do not know that e^z e^(-z) is 1.
#[test]
fn normal_forms_show_involutions() {
    let evidence = |model: &str, involution: &str, auxiliary: Option<&str>| {
        moved(model, r"\x => 0", involution, auxiliary, &settings(1000)).expect("samples").1
    };
    let pieces = r"\x => if x > 2 then x else if x < -2 then x else - x";
    assert_eq!(evidence(DECAY, SCALE, LOG_NORMAL), InvolutionEvidence::NormalForms);
    assert_eq!(evidence(NORMAL, pieces, None), InvolutionEvidence::NormalForms);
    assert_eq!(evidence(PERHAPS, JUMP, JUMP_AUXILIARY), InvolutionEvidence::NormalForms);
    assert_eq!(evidence(DECAY, r"\(x, z) => (x * exp z, - z)", BELL), InvolutionEvidence::Points);
}

/// A reversible jump: a number x u is added or taken away, with the factors x and 1/x.
const JUMP: &str = r"\((x, m), v) => match m with
  | Nothing => (match v with Nothing => ((x, m), v) | Just u => ((x, Just (x * u)), Nothing))
  | Just y => ((x, Nothing), Just (y / x))";
const JUMP_AUXILIARY: Option<&str> = Some(
    r"\(x, m) => match m with
  | Nothing => do { u <- sample (exponential 1); return (Just u) }
  | Just y => return Nothing",
);

/// The factor of the jump from (x, u) is |∂(x, x u)/∂(x, u)| = x, and 1/x on the way back.
#[test]
fn a_jump_has_the_factor_of_its_chart() {
    let InvolutiveProposal { pairs, involution } = &proposal(PERHAPS, JUMP, JUMP_AUXILIARY);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    let mut tree = MoveTree::new(UserMove { pairs, involution }, &budget).expect("a tree");
    let random = &mut SplitMix64::new(1);
    // forms are known once a run has them
    tree.try_move(random, &budget).expect("an involution");
    for _ in 0..20 {
        let pair = tree.draw_pair(random).expect("a pair");
        let found = tree.apply_move(&pair).expect("an image");
        let [start, image] = &found.numbers;
        let added = (image[1] - start[0] * start[1]).abs() < 1e-12;
        let factor = if added { start[0] } else { 1.0 / start[0] };
        assert!((found.log_factor.exp() / factor - 1.0).abs() < 1e-12 && found.next.is_some(), "{found:?}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// The mean of Exp(1) is 1. Without the factor the density times x is sampled, in part: 20,000 samples tell it apart.
    #[test]
    fn the_factor_keeps_the_distribution() {
        let (found, _) = moved(DECAY, r"\x => x", SCALE, LOG_NORMAL, &settings(40_000)).expect("samples");
        assert!(found.z_score(1.0).abs() < 5.0 && found.effective_samples > 1000.0, "{found:?}");
        let wrong = SamplerSettings { hooks: &Sampler::AcceptNoJacobian, ..settings(40_000) };
        let (found, _) = moved(DECAY, r"\x => x", SCALE, LOG_NORMAL, &wrong).expect("samples");
        assert!(found.z_score(1.0) > 8.0, "z = {}: {found:?}", found.z_score(1.0));
    }

    /// The second number is there with probability 0.3, and has the mean 1. Without the factor it does not.
    #[test]
    fn jumps_keep_the_probabilities_of_forms() {
        let is_there = r"\(x, m) => match m with Nothing => 0 | Just y => 1";
        let (found, _) = moved(PERHAPS, is_there, JUMP, JUMP_AUXILIARY, &settings(10_000)).expect("samples");
        assert!(found.z_score(0.3).abs() < 5.0 && found.acceptance_rate.is_some_and(|rate| rate > 0.2), "{found:?}");
        // E[x; y is there] = 0.3. Without the factor x the odds of y are 3/(7x), so that x is small where y is there.
        let beside = r"\(x, m) => match m with Nothing => 0 | Just y => x";
        let (found, _) = moved(PERHAPS, beside, JUMP, JUMP_AUXILIARY, &settings(20_000)).expect("samples");
        assert!(found.z_score(0.3).abs() < 5.0 && found.effective_samples > 1000.0, "{found:?}");
        let wrong = SamplerSettings { hooks: &Sampler::AcceptNoJacobian, ..settings(20_000) };
        let (found, _) = moved(PERHAPS, beside, JUMP, JUMP_AUXILIARY, &wrong).expect("samples");
        assert!(found.z_score(0.3) < -6.0, "z = {}: {found:?}", found.z_score(0.3));
    }

    /// With scores, hidden draws and an auxiliary distribution that depends on the value: E[m | 1 seen] = 1/2 by conjugacy.
    #[test]
    fn moves_keep_posteriors() {
        let seen = "do { m <- sample (normal 0 1); h <- sample (exponential 1); observe (normal m 1) 1; return m }";
        let shift = r"\(x, u) => (x + u, - u)";
        let auxiliary = Some(r"\x => normal 0 (1 + x * x)");
        let (found, _) = moved(seen, r"\x => x", shift, auxiliary, &settings(10_000)).expect("samples");
        assert!(found.z_score(0.5).abs() < 5.0 && found.effective_samples > 1000.0, "{found:?}");
    }
}
