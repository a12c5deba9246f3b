//! Densities of images as sums and integrals over fibres: maps that are not injective, and maps with fewer coordinates than draws.
//!
//! True values by closed forms; all were found again by mpmath at 30 digits, from the sum over the roots, from the slope of the
//! distribution function of the image, or by quadrature of the convolution.

use super::change::{changed_with, is};
use super::{PLAIN, holds, rational, typed};
use smoothish::measure::change::{ChangeOfVariablesError, Multiplicity, PushforwardDensity};
use smoothish::measure::{ProbabilisticModel, answer_to_accuracy};
use smoothish::model::answer::AnswerNumber;
use smoothish::number::budget::Budget;
use smoothish::number::{Accuracy, Enclosure, Rational};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::syntax::ty::Ty;
use smoothish::value::Value;
use std::sync::Arc;
use std::time::Duration;

const NORMAL: &str = "do { x <- sample (normal 0 1); return x }";
const UNIFORM: &str = "do { x <- sample (uniformOn 0 1); return x }";
const NORMALS: &str = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x, y) }";
const UNIFORMS: &str = "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); return (x, y) }";

fn fibre(model: &str, f: &str, at: &str) -> Result<PushforwardDensity, ChangeOfVariablesError> {
    changed_with(Multiplicity::Any, model, f, at)
}

/// The only density at the point, with nothing assumed and nothing missing.
fn density(model: &str, f: &str, at: &str) -> (PushforwardDensity, Enclosure) {
    let found = fibre(model, f, at).unwrap_or_else(|fault| panic!("{f} at {at}: {fault}"));
    assert!(found.is_complete && found.assumptions.is_empty() && found.width_reason.is_none(), "{f}: {found:?}");
    let [(_, density)] = &found.densities[..] else { panic!("{f} at {at}: {:?}", found.densities) };
    let density = density.clone();
    (found, density)
}

/// Sums over the roots: φ(1/2)/4, φ(log 2)/2, 2φ(1)/2, three roots of a cubic, two of 1 - 3x + x².
#[test]
fn densities_are_sums_over_the_preimages() {
    for (model, f, at, preimages, truth) in [
        (NORMAL, "\\x => 1/x", "2", 1, "0.08801633169107487"),
        (NORMAL, "\\x => exp x", "2", 1, "0.1568740192789811"),
        (NORMAL, "\\x => x^2", "1", 2, "0.2419707245191433"),
        (NORMAL, "\\x => abs x", "1", 2, "0.4839414490382867"),
        (NORMAL, "\\x => x^3 - 3*x", "1", 3, "0.181873298926381772"),
        (NORMAL, "\\x => x + 1/x", "3", 2, "0.0785254669835759488"),
        (NORMAL, "\\x => x + sin x", "1", 1, "0.187001907704994702"),
        (UNIFORM, "\\u => - (log (- log u))", "0.3", 1, "0.353165596312007164"),
        (UNIFORM, "\\u => tan (pi * (u - 1/2))", "2", 1, "0.0636619772367581343"),
        ("do { x <- sample (uniformOn (-1) 2); return x }", "\\x => x^2", "1/4", 2, "0.666666666666666667"),
        ("do { x <- sample (uniformOn (-1) 2); return x }", "\\x => x^2", "2", 1, "0.117851130197757921"),
        // 20 draws: 20/(20π √(1 - 1/4))
        (UNIFORM, "\\t => cos (20*pi*t)", "1/2", 20, "0.367552596947861"),
    ] {
        let (found, density) = density(model, f, at);
        is(&density, truth);
        assert_eq!(found.parts.len(), preimages, "{f}: {found:?}");
    }
}

/// The mean of f over an image by the program, by `Integral.map` of the language, and for x² by the density of the image. The means are
/// √(π/2) C(√(2/π)) and e^(-1/4) √π erfi(1/2).
#[test]
fn means_over_images_are_integrals_of_the_language() {
    let session = Session::new();
    for (g, f, truth) in [
        ("\\x => x * x", "cos", "0.904524237900272081"),
        // with two preimages of each value
        ("\\x => x * x - x", "exp", "0.848872767004044592"),
    ] {
        let model = format!("do {{ u <- sample (uniformOn 0 1); return (({g}) u) }}");
        holds(&model, Some(&format!("\\y => {f} y")), PLAIN, truth);
        let question = Evaluate::new(&format!("Integral.map ({g}) uniform {f}")).with_width(1e-9);
        let answer = session.ask(&question, &Limits::seconds(20)).expect("an integral");
        let Value::Real(AnswerNumber::Enclosure(found)) = answer.value() else { panic!("{g}: {:?}", answer.value()) };
        is(&found.enclosure, truth);
    }
    // ∫ cos y ρ(y) dy with y = s², where ρ(y) = 1/(2√y), by the five points of Gauss
    let gauss = [
        (0.0, 128.0 / 225.0),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
        (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    ];
    let points = gauss
        .into_iter()
        .flat_map(|(x, weight)| if x == 0.0 { vec![(x, weight)] } else { vec![(x, weight), (-x, weight)] });
    let sum: f64 = points
        .map(|(x, weight)| {
            let s = Rational::from_f64((1.0 + x) / 2.0).expect("a number");
            let y = Rational::from(&s * &s);
            let (_, density) = density(UNIFORM, "\\x => x * x", &y.to_string());
            weight / 2.0 * y.to_f64().cos() * density.lo().to_f64() * 2.0 * s.to_f64()
        })
        .sum();
    assert!((sum - 0.904_524_237_900_272_1).abs() < 1e-6, "{sum}");
}

/// Systems: triangular ones in any dimension, and blocks.
#[test]
fn systems_are_solved_block_by_block() {
    let four =
        "do { a <- sample (normal 0 1); b <- sample (normal 0 1); c <- sample (normal 0 1); d <- sample (normal 0 1);
      return (a, b, c, d) }";
    let ordered = "\\(a, b, c, d) => (a, a + exp b, a + exp b + exp c, a + exp b + exp c + exp d)";
    let three = "do { a <- sample (normal 0 1); b <- sample (normal 0 1); c <- sample (normal 0 1); return (a, b, c) }";
    let box_muller = "\\(u, v) => (sqrt (-2 * log u) * cos (2*pi*v), sqrt (-2 * log u) * sin (2*pi*v))";
    let softmax = "\\(x, y) => (exp x / (exp x + exp y + 1), exp y / (exp x + exp y + 1))";
    for (model, f, at, truth) in [
        // φ(-1) φ(0)² φ(log 2)/2
        (four, ordered, "(-1, 0, 1, 3)", "0.00604134976884904595"),
        // φ(-1) φ(0)²
        (three, "\\(a, b, c) => (a, a + exp b, a + exp b + exp c)", "(-1, 0, 1)", "0.038510836"),
        // φ(1/2) φ(7/10)
        (UNIFORMS, box_muller, "(0.5, 0.7)", "0.109933783084206598"),
        // φ(log (2/5)) φ(log (3/5))/(p₁ p₂ p₃)
        (NORMALS, softmax, "(0.2, 0.3)", "3.06000046921784321"),
        // (x + y, x y) at (3, 2) comes from (1, 2) and (2, 1): 2 φ(1) φ(2)/1
        (NORMALS, "\\(x, y) => (x + y, x * y)", "(3, 2)", "0.0261284665693698394"),
    ] {
        let (_, density) = density(model, f, at);
        let near = if truth.len() < 14 { "1e-9" } else { "1e-14" };
        let (least, most) = (rational(truth) - rational(near), rational(truth) + rational(near));
        assert!(*density.lo() <= most && *density.hi() >= least, "{f} at {at}: {density}");
        assert!(density.has_width_at_most(&rational("1e-8")), "{f} at {at}: {density}");
    }
}

/// With fewer coordinates than draws the density is an integral: 1/(5π), 1/8, ½, φ(1/√2)/√2, K₀(1/2)/π, log 2, e^(-1/2)/2,
/// 2φΦ(1/2), a beta prime density, and a convolution by quadrature.
#[test]
fn densities_are_integrals_over_fibres() {
    let gammas = "do { x <- sample (gamma 2 1); y <- sample (gamma 3 1); return (x, y) }";
    for (model, f, at, truth) in [
        (NORMALS, "\\(x, y) => x / y", "2", "0.06366197723675813"),
        (UNIFORMS, "\\(x, y) => x / y", "2", "0.125"),
        (UNIFORMS, "\\(x, y) => x / y", "1/2", "0.5"),
        (NORMALS, "\\(x, y) => x + y", "1", "0.219695644733861199"),
        (UNIFORMS, "\\(x, y) => x + y", "1/2", "0.5"),
        (NORMALS, "\\(x, y) => x * y", "1/2", "0.294251729348603802"),
        (UNIFORMS, "\\(x, y) => x * y", "1/2", "0.693147180559945309"),
        (NORMALS, "\\(x, y) => x^2 + y^2", "1", "0.303265329856316712"),
        (NORMALS, "\\(x, y) => max x y", "1/2", "0.486879914747364393"),
        (NORMALS, "\\(x, y) => x - y^2", "1", "0.12590246210550478"),
        (gammas, "\\(x, y) => x / y", "1/2", "0.790123456790123457"),
        // a program that folds its draws is no obstacle
        (
            "do { x <- sample (normal 0 1); y <- sample (normal x 1); return (x + y) }",
            "\\x => x",
            "1",
            "0.161434225871536",
        ),
    ] {
        let (_, density) = density(model, f, at);
        is(&density, truth);
    }
}

/// Where the slope is 0, at the border of a piece and at a limit at infinity there is no density; outside of the image it is 0.
#[test]
fn points_without_a_density_are_told() {
    for (f, at) in [("\\x => x^2", "0"), ("\\x => x^3 - 3*x", "2"), ("\\x => x^3", "0")] {
        let fault = fibre(NORMAL, f, at).expect_err(f);
        assert!(matches!(fault, ChangeOfVariablesError::ZeroFactor) && fault.has_no_answer(), "{f}: {fault:?}");
    }
    for (model, f, at) in [
        (NORMAL, "\\x => abs x", "0"),
        (NORMAL, "\\x => exp x", "0"),
        (NORMAL, "\\x => 1/x", "0"),
        // 0 is the value at 0, and the limit at infinity
        (NORMAL, "\\x => x / (1 + x^2)", "0"),
        (UNIFORM, "\\x => x", "0"),
        (UNIFORM, "\\x => x^2", "1"),
    ] {
        let fault = fibre(model, f, at).expect_err(f);
        assert!(matches!(fault, ChangeOfVariablesError::Border) && fault.has_no_answer(), "{f}: {fault:?}");
    }
    for (model, f, at) in
        [(NORMAL, "\\x => x^2", "-1"), (UNIFORM, "\\x => exp x", "0"), (UNIFORMS, "\\(x, y) => x + y", "3")]
    {
        let found = fibre(model, f, at).expect(f);
        assert!(found.densities.is_empty() && found.is_complete, "{f}: {found:?}");
    }
    // an atom at the border of a chart has its mass
    let found = fibre(NORMAL, "\\x => if x > 0 then x else 0", "0").expect("an atom");
    is(&found.densities[0].1, "0.5");
    assert_eq!((found.densities.len(), &found.without_density[..]), (1, &[1][..]));
}

/// Infinitely many preimages, or charts: what is not listed has a bound. Σ over the periods of a sine by mpmath; e⁻²·2 of
/// Poisson's chance of 2; Σ Poisson(n)·φ(2 - n); and a geometric one, Σ 2⁻ⁿ φ(1 - n).
#[test]
fn infinitely_many_preimages_have_a_bound() {
    let poisson = "do { n <- sample (poisson 2); u <- sample (uniformOn 0 1); return (toReal n + u) }";
    let noisy = "do { n <- sample (poisson 2); x <- sample (normal 0 1); return (toReal n + x) }";
    let geometric = "do { n <- sample (geometric 0.5); x <- sample (normal 0 1); return (x + toReal n) }";
    for (model, f, at, truth) in [
        (NORMAL, "\\x => sin x", "0", "0.4046805752287126"),
        (NORMAL, "\\x => sin x", "1/2", "0.4171721204044463"),
        (poisson, "\\x => x", "2.5", "0.2706705664732254"),
        (noisy, "\\x => x", "2", "0.2294788839168755"),
        (geometric, "\\x => x", "1", "0.26699388814244790589"),
        ("do { x <- sample (exponential 1); return x }", "\\x => cos (2*x)", "1/2", "0.40148024541651661158"),
    ] {
        let (_, density) = density(model, f, at);
        is(&density, truth);
    }
}

/// The bound P·sup is for charts of a discrete draw. Of the branches of a sine beyond 3π/2 it gives 1.7e-11, and these have at
/// least 2.8e-8.
#[test]
fn a_probability_is_no_bound_of_branches() {
    let (found, _) = density(NORMAL, "\\x => sin x", "1/2");
    let lo = |e: &Enclosure| e.lo().to_rational().unwrap();
    let border = rational("4.71238898");
    let beyond = found.parts.iter().filter(|part| part.preimage.as_ref().is_some_and(|x| lo(&x[0]).abs() > border));
    let listed: Rational = beyond.map(|part| lo(&part.density)).sum();
    // P(|X| > 3π/2) = erfc (3π/(2√2)) and φ(3π/2)/cos (arcsin (1/2)), by mpmath
    let wrong = rational("2.4482947057029095222e-6") * rational("6.9386560967118301254e-6");
    assert!(listed > rational("2.8e-8") && wrong < rational("2e-11") && listed > wrong, "{listed} {wrong}");
    // what the library leaves out is small, and no less than the first branch that it leaves out
    let [(1, rest)] = &found.rests[..] else { panic!("{found:?}") };
    assert!(*rest.lo() == 0 && *rest.hi() > 0 && *rest.hi() < 1e-9, "{rest}");
}

/// A preimage must not get lost where the coefficient of an elimination is 0: x z = z and x² + z² = 2 have (1, ±1), and (±√2, 0)
/// with the factors 2√2 (√2 ∓ 1). The sum is 2/(2π e).
#[test]
fn no_preimage_is_lost_where_a_coefficient_vanishes() {
    let found = fibre(NORMALS, "\\(x, z) => (x*z - z, x^2 + z^2)", "(0, 2)").expect("an answer");
    let truth = rational("0.117099663048638322");
    let [(2, density)] = &found.densities[..] else { panic!("{found:?}") };
    assert!(*density.lo() <= truth && *density.hi() >= rational("0.117099663048638321"), "{density}");
}

/// The mean of an indicator, which knows nothing of preimages: the mass of a window about the point, over its width.
fn mass_per_width(model: &str, f: &str, at: &str, width: &str) -> Enclosure {
    let (program, _) = typed(model);
    let inside = format!(
        "\\x => if ({f}) x > {at} - ({width})/2 then if ({f}) x < {at} + ({width})/2 then 1/({width}) else 0 else 0"
    );
    let inside = Session::new().infer_at(&inside, &Ty::function(Ty::real(), Ty::real())).expect("an indicator");
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(30)));
    let accuracy = Accuracy::within(rational("1e-6"));
    let question = smoothish::measure::MeasureQuestion {
        parameter: None,
        derivative_order: 0,
        weight_bound: None,
        eps: Rational::new(),
    };
    let model = ProbabilisticModel::new(&program, false, Some(&inside));
    answer_to_accuracy(&model, &question, &accuracy, &budget).expect("a mass").enclosure
}

/// A preimage that is dropped, and a factor in the place of its inverse, miss the mass of a window about the point.
#[test]
fn wrong_rules_of_fibres_are_refuted() {
    // the density varies by less than this over the window
    let agrees = |density: &Enclosure, mass: &Enclosure| {
        let slack = rational("1e-4");
        density.hi().to_rational().unwrap() + &slack >= mass.lo().to_rational().unwrap()
            && density.lo().to_rational().unwrap() - &slack <= mass.hi().to_rational().unwrap()
    };
    let mass = mass_per_width(NORMAL, "\\x => x^2", "1", "1/1000");
    let (found, whole) = density(NORMAL, "\\x => x^2", "1");
    assert!(agrees(&whole, &mass), "{whole} {mass}");
    // 0.1209…
    assert!(!agrees(&found.parts[0].density, &mass), "{found:?} {mass}");

    let mass = mass_per_width(NORMAL, "\\x => 1/x", "2", "1/1000");
    let (found, whole) = density(NORMAL, "\\x => 1/x", "2");
    assert!(agrees(&whole, &mass), "{whole} {mass}");
    let [part] = &found.parts[..] else { panic!("{found:?}") };
    // 1.408…, the density before times the factor
    let ends =
        [part.density_before.as_ref().unwrap(), part.factor.as_ref().unwrap()].map(|e| e.lo().to_rational().unwrap());
    let wrong = Rational::from(&ends[0] * &ends[1]);
    assert!(wrong > 1 && mass.hi().to_rational().unwrap() < 1, "{wrong} {mass}");
}
