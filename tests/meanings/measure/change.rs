//! Change of variables on supports of any dimension.
//!
//! True values by closed forms; those of the circle and of the normal distribution were found again by mpmath at 30 digits, from the
//! slope of the distribution function of the image.

use super::{rational, typed};
use smoothish::measure::change::{
    ChangeOfVariablesError, Multiplicity, PushforwardDensity, evaluate_coordinates, masses_by_chart,
    pushforward_density, pushforward_of_support, total_mass,
};
use smoothish::measure::hooks::DefaultMeasureHooks;
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational};
use smoothish::session::Session;
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::{Ty, TyKind};
use smoothish::wrong::{Measure, MeasureMutationHooks};
use std::sync::Arc;
use std::time::Duration;

const EPS: &str = "1e-9";

fn gives(model: &str) -> (Term, Ty) {
    let (term, ty) = typed(model);
    let TyKind::Data(_, arguments) = ty.kind() else { panic!("{model}: {ty}") };
    (term, arguments[0].clone())
}

fn map(text: &str, from: &Ty, to: &Ty) -> Term {
    Session::new().infer_at(text, &Ty::function(from.clone(), to.clone())).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn budget() -> Arc<Budget> {
    Arc::new(Budget::with_time_limit(Duration::from_secs(30)))
}

/// The density for a map that has to be injective.
pub(super) fn changed(model: &str, f: &str, at: &str) -> Result<PushforwardDensity, ChangeOfVariablesError> {
    changed_with(Multiplicity::One, model, f, at)
}

/// The density at a point that may have this number of preimages.
pub(super) fn changed_with(
    multiplicity: Multiplicity,
    model: &str,
    f: &str,
    at: &str,
) -> Result<PushforwardDensity, ChangeOfVariablesError> {
    let (program, from) = gives(model);
    let (_, ty) = Session::new().infer(at).unwrap_or_else(|e| panic!("{at}: {e}"));
    let ty = ty.with_arguments(&[Ty::real()]);
    let point = Session::new().infer_at(at, &ty).expect("a point");
    pushforward_density(&program, &map(f, &from, &ty), &point, multiplicity, &rational(EPS), &budget())
}

pub(super) fn is(found: &Enclosure, truth: &str) {
    let (truth, near) = (rational(truth), rational("1e-14"));
    let reaches = *found.lo() <= Rational::from(&truth + &near) && *found.hi() >= Rational::from(&truth - &near);
    assert!(
        found.is_defined() && reaches && found.has_width_at_most(&rational(EPS)),
        "{found}, and the truth is {truth}"
    );
}

/// The densities at the point, by dimension.
fn densities(model: &str, f: &str, at: &str, expected: &[(usize, &str)]) -> PushforwardDensity {
    let found = changed(model, f, at).unwrap_or_else(|fault| panic!("{f}: {fault}"));
    let dimensions: Vec<usize> = found.densities.iter().map(|(d, _)| *d).collect();
    assert_eq!(dimensions, expected.iter().map(|(d, _)| *d).collect::<Vec<_>>(), "{f}: {found:?}");
    for ((_, density), (_, truth)) in found.densities.iter().zip(expected) {
        is(density, truth);
    }
    found
}

fn fault(model: &str, f: &str, at: &str) -> ChangeOfVariablesError {
    changed(model, f, at).expect_err(f)
}

const NORMAL: &str = "do { x <- sample (normal 0 1); return x }";
const DIAGONAL: &str = "do { t <- sample (uniformOn 0 1); return (t, t) }";
const CIRCLE: &str = "do { t <- sample (uniformOn 0 (2 * pi)); return (cos t, sin t) }";
const POLAR: &str = "do { r <- sample (exponential 0.5); t <- sample (uniformOn 0 (2 * pi)); return (sqrt r, t) }";
const MIXTURE: &str = "do { a <- sample (bernoulli 0.3); if a then return (0, 0) else do {
  b <- sample (bernoulli (3/7)); t <- sample (uniformOn 0 1);
  if b then return (t, t) else do { u <- sample (uniformOn 0 1); return (t, u) } } }";
pub(super) const IDENTITY: &str = "\\x => x";

/// Four maps that are one on the diagonal, with Jacobians of the determinants 0, 4, -4 and -2.
const SPELLINGS: [(&str, i64); 4] = [
    ("\\p => if p[0] == p[1] then (2 * p[0], 2 * p[0]) else p", 0),
    ("\\p => if p[0] == p[1] then (2 * p[0], 2 * p[1]) else p", 4),
    ("\\p => if p[0] == p[1] then (2 * p[1], 2 * p[0]) else p", -4),
    ("\\p => if p[0] == p[1] then (p[0] + p[1], 2 * p[0]) else p", -2),
];

/// The segment has the length √2, and its image 2√2.
#[test]
fn the_diagonal_has_one_density_however_it_is_spelled() {
    densities(DIAGONAL, IDENTITY, "(0.25, 0.25)", &[(1, "0.707106781186547524")]);
    for (f, _) in SPELLINGS {
        let found = densities(DIAGONAL, f, "(0.5, 0.5)", &[(1, "0.353553390593273762")]);
        is(found.parts[0].factor.as_ref().expect("a factor"), "2");
        is(&found.parts[0].preimage.as_ref().expect("a value")[0], "0.25");
        assert!(found.injectivity_proof.is_some() && found.assumptions.is_empty(), "{found:?}");
        // beside the segment, and beyond its end
        densities(DIAGONAL, f, "(0.5, 0.6)", &[]);
        densities(DIAGONAL, f, "(3, 3)", &[]);
    }
}

/// 1/(2π √(4 sin² + 9 cos²)) at 0.7, for two maps that are one on the circle.
#[test]
fn the_circle_is_stretched() {
    for f in [
        "\\p => if p[0]^2 + p[1]^2 == 1 then (2 * p[0], 3 * p[1]) else p",
        "\\p => if p[0]^2 + p[1]^2 == 1 then (2 * p[0], 3 * p[1] * (p[0]^2 + p[1]^2)) else p",
    ] {
        let found = densities(CIRCLE, f, "(2 * cos 0.7, 3 * sin 0.7)", &[(1, "0.0604801442803179")]);
        assert_eq!(found.injectivity_proof.is_some(), !f.contains("3 * p[1] *"), "{found:?}");
    }
    // 1/(2π √(13/2)) at π/4
    densities(
        CIRCLE,
        "\\p => (2 * p[0], 3 * p[1])",
        "(2 * cos (pi / 4), 3 * sin (pi / 4))",
        &[(1, "0.0624257046546402696")],
    );
}

/// φ(3) φ(4): a Rayleigh radius, the root of twice an exponential draw of rate 1, and a uniform angle.
#[test]
fn polar_coordinates_have_the_determinant_of_the_radius() {
    let f = "\\p => (p[0] * cos p[1], p[0] * sin p[1])";
    let found = densities(POLAR, f, "(3, 4)", &[(2, "5.93115273525412e-7")]);
    is(found.parts[0].factor.as_ref().expect("a factor"), "5");
    assert_eq!(found.assumptions.len(), 1, "{found:?}");
}

/// φ(2)/12, φ(log 2)/2, ½ and φ(1): along a line.
#[test]
fn maps_of_a_normal_draw() {
    let found = densities(NORMAL, "\\x => x^3", "8", &[(1, "0.00449924720943233")]);
    assert!(found.injectivity_proof.is_some());
    let found = densities(NORMAL, "\\x => exp x", "2", &[(1, "0.156874019278981")]);
    assert!(found.injectivity_proof.is_some());
    densities(NORMAL, "\\x => 3 - 2 * x", "1", &[(1, "0.120985362259571675")]);
    let relu = "\\x => if x > 0 then x else 0";
    densities(NORMAL, relu, "0", &[(0, "0.5")]);
    densities(NORMAL, relu, "1", &[(1, "0.241970724519143349")]);
    densities(NORMAL, relu, "-1", &[]);
    // max x 0 is x at 0, the border of its piece
    densities(NORMAL, "\\x => max x 0", "0", &[(0, "0.5"), (1, "0.398942280401432678")]);
    // a root that is no short number: x³ + x = 3, by the solution of the cubic
    let found = densities(NORMAL, "\\x => x^3 + x", "3", &[(1, "0.0352713681584867873")]);
    assert!(found.injectivity_proof.is_some());
    // outside of a range
    densities(NORMAL, "\\x => exp x", "-1", &[]);
    // one number is moved to another: 3 with no chance, and 3 with all
    densities("do { return 3 }", "\\x => if x == 3 then 7 else x", "7", &[(0, "1")]);
    densities(NORMAL, "\\x => if x == 3 then 7 else x", "2", &[(1, "0.0539909665131880520")]);
}

/// Maps whose slope has no value at an end of where the draw lies, and rise or fall inside. With p the density before: p at the inverse, times the
/// slope of the inverse.
#[test]
fn maps_that_are_monotone_inside_of_an_open_interval_are_proven() {
    let exponential = "do { x <- sample (exponential 1); return x }";
    let unit = "do { x <- sample (uniformOn 0 1); return x }";
    for (model, f, at, truth) in [
        // e^(-1/2)/4
        (exponential, "\\x => 1/x", "2", "0.151632664928158355900"),
        // e^(2 - e²)
        (exponential, "\\x => log x", "2", "0.00456628142013091529"),
        // 4 e^(-4)
        (exponential, "\\x => sqrt x", "2", "0.0732625555549367211"),
        (unit, "\\x => 1/x", "2", "0.25"),
        // e^(-1)
        (unit, "\\x => log (1 - x)", "-1", "0.367879441171442322"),
    ] {
        let found = densities(model, f, at, &[(1, truth)]);
        assert!(found.injectivity_proof.is_some() && found.assumptions.is_empty(), "{f}: {found:?}");
    }
    // on both sides of 0 the form says nothing, and neither is it monotone where it turns
    assert!(changed(NORMAL, "\\x => 1/x", "2").is_ok_and(|found| found.injectivity_proof.is_none()));
    assert!(changed(exponential, "\\x => x + 1/x", "3").is_err(), "it turns at 1");
}

/// An atom, a segment and a square: 0.3, 0.3/√2 and 0.4 before; the map stretches lengths by 2 along the diagonal's and areas by 2.
#[test]
fn densities_of_several_dimensions() {
    densities(MIXTURE, IDENTITY, "(0, 0)", &[(0, "0.3"), (1, "0.212132034355964257"), (2, "0.4")]);
    densities(MIXTURE, IDENTITY, "(0.5, 0.5)", &[(1, "0.212132034355964257"), (2, "0.4")]);
    let f = "\\p => (p[0] + p[1], p[0] - p[1])";
    let found = densities(MIXTURE, f, "(1, 0)", &[(1, "0.15"), (2, "0.2")]);
    assert!(found.injectivity_proof.is_some() && found.charts == 3, "{found:?}");
    densities(MIXTURE, f, "(0, 0)", &[(0, "0.3"), (1, "0.15"), (2, "0.2")]);
    densities(MIXTURE, f, "(1, 0.5)", &[(2, "0.2")]);
}

/// What is forgotten is integrated over: φ again, of a sum of squares Gamma(1/2, 1/2) by its own density, and ∫₀¹ (x + y) dy.
#[test]
fn what_a_map_forgets_is_integrated_over() {
    let two = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x, y) }";
    densities(two, "\\p => 2 * p[0]", "2", &[(1, "0.120985362259571675")]);
    let seen = "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); score (x + y); return (x, y) }";
    densities(seen, "\\p => p[0]", "0.25", &[(1, "0.75")]);
    // y below x: what is left of y is 1 - y
    let below = "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); if x > y then return y else do { score 0; return y } }";
    densities(below, "\\y => y", "0.25", &[(1, "0.75")]);
    let chain = "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 x); return y }";
    // ∫ from y to 1 of 1/x: -log y at 1/4
    densities(chain, "\\y => y", "0.25", &[(1, "1.38629436111989062")]);
}

/// Two values that a map takes to one point are shown.
#[test]
fn maps_that_are_not_injective_are_refused() {
    for (model, f, at, told) in [
        (NORMAL, "\\x => abs x", "1", ["-1 and 1", "to 1"]),
        (NORMAL, "\\x => x^2", "4", ["1/2", "-1/2"]),
        (DIAGONAL, "\\p => if p[0] < 1/2 then p else (p[0] - 1/4, p[1] - 1/4)", "(0.3, 0.3)", ["3/8", "5/8"]),
    ] {
        let fault = fault(model, f, at);
        assert!(matches!(fault, ChangeOfVariablesError::NotInjective(_)), "{f}: {fault:?}");
        let text = fault.to_string();
        assert!(told.iter().all(|number| text.contains(number)), "{f}: {text}");
    }
    // it is not what the point has to do with
    assert!(matches!(fault(NORMAL, "\\x => abs x", "-1"), ChangeOfVariablesError::NotInjective(_)));
    let two = "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); return (x, y) }";
    for f in ["\\p => (p[0] + p[1], p[0] + p[1])", "\\p => (p[0] * p[1], (p[0] * p[1])^2)"] {
        let fault = fault(two, f, "(1, 1)");
        assert!(matches!(&fault, ChangeOfVariablesError::Singular(Some(_))), "{f}: {fault:?}");
    }
    assert!(matches!(fault(two, "\\p => p[0] + p[1]", "1"), ChangeOfVariablesError::Singular(Some(_))));
    // a determinant with one sign proves nothing: (eˣ cos y, eˣ sin y)
    let wide = "do { x <- sample (normal 0 1); y <- sample (uniformOn (-9) 9); return (x, y) }";
    let found = fault(wide, "\\p => (exp p[0] * cos p[1], exp p[0] * sin p[1])", "(1, 0)");
    assert!(matches!(found, ChangeOfVariablesError::NotInjective(_)), "{found:?}");
}

/// Where the factor is 0 there is no density; that the Jacobian is 0 on a set without a mass says nothing.
#[test]
fn where_the_factor_is_zero_there_is_no_density() {
    let found = fault(NORMAL, "\\x => x^3", "0");
    assert!(matches!(found, ChangeOfVariablesError::ZeroFactor) && found.has_no_answer(), "{found:?}");
    // the Jacobian of the piece x = 1 is 0, and there is no such chart
    densities(NORMAL, "\\x => if x == 1 then 0 * x + 1 else x", "1", &[(1, "0.241970724519143349")]);
}

fn masses_of(rules: &'static dyn MeasureMutationHooks, model: &str, f: &str) -> [Enclosure; 2] {
    let (program, from) = gives(model);
    let support = rules.support_of_map(&program, &map(f, &from, &from), &budget()).expect("a support");
    let found = masses_by_chart(&support, &rational("1e-9"), &budget()).expect("masses");
    [0, 1].map(|i| total_mass(found.iter().map(|both| both[i].clone())))
}

/// Masses are kept, on supports of any dimension.
#[test]
fn masses_are_those_before() {
    let three = "do { x <- sample (uniformOn 0 1); b <- sample (bernoulli 0.25);
      if b then return (x, x^2) else do { y <- sample (uniformOn 0 2); return (x, y) } }";
    for (model, f) in [
        (DIAGONAL, SPELLINGS[0].0),
        (DIAGONAL, SPELLINGS[3].0),
        (CIRCLE, "\\p => if p[0]^2 + p[1]^2 == 1 then (2 * p[0], 3 * p[1]) else p"),
        (MIXTURE, "\\p => (p[0] + p[1], p[0] - p[1])"),
        (three, "\\p => (p[0] + 1, p[1] * exp p[0])"),
        ("do { x <- sample (uniformOn (-1) 1); return x }", "\\x => x + exp x"),
    ] {
        for mass in masses_of(&DefaultMeasureHooks, model, f) {
            is(&mass, "1");
        }
    }
}

/// What AD gives along a chart is the slope of the composite, whatever the spelling: the wrong rules have wrong masses.
#[test]
fn wrong_rules_for_the_factor_are_refuted() {
    for (f, determinant) in SPELLINGS {
        let [_, mass] = masses_of(&Measure::DeterminantForMeasure, DIAGONAL, f);
        // √8/(√2·|det|)
        match determinant {
            0 => assert!(!mass.is_bounded() || !mass.is_defined(), "{f}: {mass}"),
            det => is(&mass, &Rational::from((2, det.abs())).to_f64().to_string()),
        }
        // the Jacobian of the other piece is the identity: twice the mass
        is(&masses_of(&Measure::OtherPiece, DIAGONAL, f)[1], "2");
    }
    // rows and columns changed: (2, 2) along the diagonal becomes (4, 0)
    is(&masses_of(&Measure::JacobianTransposed, DIAGONAL, SPELLINGS[0].0)[1], "0.707106781186547524");
}

/// The density at a point under wrong rules: another Jacobian gives another one.
#[test]
fn wrong_rules_give_wrong_densities() {
    let (program, from) = gives(DIAGONAL);
    let point = Session::new().infer_at("(0.5, 0.5)", &from).expect("a point");
    for (rule, f, truth) in [
        (&Measure::OtherPiece, SPELLINGS[1].0, "0.707106781186547524"),
        (&Measure::DeterminantForMeasure, SPELLINGS[1].0, "0.176776695296636881"),
        (&Measure::JacobianTransposed, SPELLINGS[0].0, "0.25"),
    ] {
        let support = rule.support_of_map(&program, &map(f, &from, &from), &budget()).expect("a support");
        let point = evaluate_coordinates(&point, &budget()).expect("a point");
        let found = pushforward_of_support(&support, &point, Multiplicity::One, &rational(EPS), &budget());
        is(&found.expect("a density").densities[0].1, truth);
    }
}

/// What is not supported is said.
#[test]
fn what_is_not_known_is_told() {
    // infinitely many charts: at least what is known of them
    let count = "do { n <- sample (geometric 0.5); x <- sample (normal 0 1); return (x + toReal n) }";
    let found = changed(count, IDENTITY, "1").expect("an answer");
    assert!(
        found.width_reason.is_some() && found.densities.iter().all(|(_, density)| !density.is_bounded()),
        "{found:?}"
    );
    let four =
        "do { a <- sample (normal 0 1); b <- sample (normal 0 1); c <- sample (normal 0 1); d <- sample (normal 0 1);
      return (a, b, c, d) }";
    let found = changed(four, IDENTITY, "(0.5, 0.5, 0.5, 0.5)").expect("an answer");
    assert!(found.width_reason.is_some_and(|why| why.contains("three draws")), "{found:?}");
    let no_value = fault(NORMAL, "\\x => log x", "0");
    assert!(
        matches!(&no_value, ChangeOfVariablesError::Measure(smoothish::measure::MeasureError::Undefined(_))),
        "{no_value:?}"
    );
}

/// The image has one density however many draws lead to a value of the program: what was not found is not left out.
#[test]
fn draws_that_lead_to_one_value_all_count() {
    for (model, f, at, truth) in [
        // 20 draws: 20/(20π √(1 - 1/4))
        ("do { t <- sample (uniformOn 0 1); return (cos (20*pi*t)) }", "\\x => x", "1/2", "0.36755259694786"),
        // 10 draws: 10/(30 √(3/4))
        ("do { t <- sample (uniformOn 0 30); return (sin t) }", "\\x => x", "1/2", "0.38490017945975"),
        // t = 1, 1 + 2π, 1 + 4π, stretched by √(4 sin² 1 + cos² 1)
        (
            "do { t <- sample (uniformOn 0 (5*pi)); return (cos t, sin t) }",
            "\\(x, y) => (2*x, y)",
            "(2 * cos 1, sin 1)",
            "0.10805142",
        ),
        // t = 0, 1, 2, 3, each with 1/(20 |p'(t)|), p' = -6, 2, -2, 6, halved: 1/30
        (
            "do { t <- sample (uniformOn 0 20); return (t*(t-1)*(t-2)*(t-3), cos (2*pi*t)) }",
            "\\(x, y) => (2*x, y)",
            "(0, 1)",
            "0.03333333333333333",
        ),
        // roots nearer to each other than is told by floating point
        ("do { t <- sample (normal 0 1); return (t*(t - 1/10000000000000)) }", "\\x => x", "0", "7978845608028.65"),
        ("do { t <- sample (uniformOn 0 1); return ((t-1/3)*(t - 1/3-1/100000000000000)) }", "\\x => x", "0", "2e14"),
    ] {
        let truth = rational(truth);
        let [least, most] = [-1, 1].map(|k| Rational::from((10_000_000 + k, 10_000_000)) * &truth);
        for multiplicity in [Multiplicity::One, Multiplicity::Any] {
            let found = changed_with(multiplicity, model, f, at);
            // t = 0 is an end of the draw
            if at == "(0, 1)" && multiplicity == Multiplicity::Any {
                assert!(matches!(found, Err(ChangeOfVariablesError::Border)), "{found:?}");
                continue;
            }
            let found = found.unwrap_or_else(|e| panic!("{model} at {at}: {e}"));
            let density = &found.densities[0].1;
            assert!(*density.lo() <= most && *density.hi() >= least, "{model} at {at}: {density}");
        }
    }
}

/// A line of draws that is taken to the point, and an end at which a density has no bound.
#[test]
fn what_many_draws_are_taken_to_is_told_in_time() {
    let start = std::time::Instant::now();
    let square = "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); return (x, y) }";
    let (program, from) = gives(square);
    let (point, ty) = Session::new().infer("(0.0, 0.0)").expect("a point");
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(3)));
    let found = pushforward_density(
        &program,
        &map("\\(x, y) => (x*y, y)", &from, &ty),
        &point,
        Multiplicity::One,
        &rational(EPS),
        &budget,
    );
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(
        found.is_err_and(|fault| matches!(
            fault,
            ChangeOfVariablesError::ZeroFactor | ChangeOfVariablesError::NotInjective(_)
        )),
        "a density"
    );
    let at_end = changed("do { x <- sample (gamma 0.5 1); return x }", "\\x => x", "0").unwrap();
    assert!(at_end.densities.iter().all(|(_, density)| *density.hi() > 1), "{:?}", at_end.densities);
}

/// A slope of 0 leaves a value for each connected part of the domain: no point is outside of the support by it.
#[test]
fn what_is_constant_on_parts_is_not_constant() {
    for (value, at) in [("exp (log (x*x) / 2) / x", ["1", "-1"]), ("(x*x)^(1/2) / x", ["1", "-1"])] {
        for (model, shift) in [("normal 0 1", "x"), ("uniformOn 0 1", "(x - 1/2)")] {
            let program = format!(
                "do {{ x <- sample ({model}); return ({}) }}",
                value.replace("x*x", &format!("{shift}*{shift}")).replace("/ x", &format!("/ {shift}"))
            );
            for at in at {
                // half of the mass lies at each of these points
                let Ok(found) = changed(&program, r"\x => x", at) else { continue };
                let claims_nothing = found.densities.iter().all(|(_, density)| *density.hi() == 0);
                assert!(!claims_nothing, "{program} at {at}: {found:?}");
            }
        }
    }
    // constants in disguise, on connected ranges, are substituted
    densities(
        "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x + y - x) }",
        r"\v => 2*v",
        "2",
        &[(1, "0.1209853622595717")],
    );
}
