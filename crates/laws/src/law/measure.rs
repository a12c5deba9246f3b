//! Laws of the certified measure semantics, tested on random probabilistic programs.
//!
//! | law | statement |
//! |---|---|
//! | `samples_agree` | mass and mean are those of plain samples, within six standard errors, and those of quadrature on plain `f64` |
//! | `mass_without_scores_is_one` | the mass of a program that ends, and has no scores, contains 1 |
//! | `nothing_is_dropped` | the mass of a program with infinitely many paths contains 1, although not all are followed |
//! | `borders_move` | the derivative of a probability has the density at the border |
//! | `borders_cut` | a curved border leaves the area on its side |
//! | `means_are_absolute` | a mean is claimed only if E of the absolute value is finite; it is true in every order of draws |
//! | `masses_are_kept` | the image of a program under a map has the mass of the program, by the density over 𝒥 (W22) |
//! | `densities_are_sums` | the density of an image is the sum over all preimages, which are known when the map is drawn (W22) |
//! | `means_are_mapped` | the mean of f over an image is that of f ∘ g, by the program, and ∫ f ρ by the density ρ of the image (X7) |
//!
//! The programs are texts of the language, in which the theory `Trace` must be known. The caller of a law provides the
//! reader.
//!
//! # Changes of variables
//!
//! The density over 𝒥 keeps the mass of the original.
//!
//! # Absolute convergence of means
//!
//! A mean is claimed only where that of the absolute value is finite, in every order of
//! draws.
//!
//! The draws are x and y = x·v, where the density of x is a power of x near 0 and v is uniform. The integrand is a
//! polynomial over a power `xᵏ`. Its part of degree d contributes `∫ xᵃ⁺ᵈ⁻ᵏ dx·E p_d(v)`, and `E |p_d(v)|` is positive.
//! So a mean exists where a + d − k > −1 for the least d. In half of the samples `E p_d(v) = 0` for that d. Then
//! iterated integrals have values whether there is a mean or not.

pub mod model;

use super::property::{self, LawSuite, SampleSettings};
use crate::measure::change::{Multiplicity, masses_by_chart, pushforward_density, total_mass};
use crate::measure::{MeasureAnswer, MeasureError, MeasureQuestion, answer_question};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::random::SplitMix64;
use crate::syntax::term::Term;
use crate::verdict::Verdict;
use crate::wrong::{Measure, MeasureMutationHooks};
use model::RandomModel;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// A function that infers a program. `None` if it is ill-typed.
pub type ProgramReader<'r> = &'r dyn Fn(&str) -> Option<Term>;
/// A law, tested on the sample of a stream of random numbers.
pub type MeasureLaw = fn(SplitMix64, ProgramReader<'_>, &'static dyn MeasureMutationHooks) -> Verdict;

/// Returns [`LAWS`] as a suite for quickcheck, with rules that may be wrong. `read` infers the programs that are drawn.
pub fn measure_suite(
    read: impl Fn(&str) -> Option<Term> + Clone + 'static,
    rules: &'static dyn MeasureMutationHooks,
    samples: &SampleSettings,
) -> LawSuite<Infallible> {
    property::suite_of_table(LAWS, samples, move |law: MeasureLaw, random| law(random, &read, rules))
}

/// All laws, with their names.
pub const LAWS: &[(&str, MeasureLaw)] = &[
    ("samples_agree", samples_agree),
    ("mass_without_scores_is_one", mass_without_scores_is_one),
    ("nothing_is_dropped", nothing_is_dropped),
    ("borders_move", borders_move),
    ("borders_cut", borders_cut),
    ("means_are_absolute", means_are_absolute),
    ("masses_are_kept", masses_are_kept),
    ("densities_are_sums", densities_are_sums),
    ("means_are_mapped", means_are_mapped),
];

/// The wrong rules, each with the laws that refute it.
pub const MEASURE_MUTANTS: &[(Measure, &str)] = &[
    (Measure::RestDropped, "nothing_is_dropped"),
    (Measure::TailLost, "nothing_is_dropped"),
    (Measure::WeightForgotten, "samples_agree"),
    (Measure::ScoreTwice, "samples_agree"),
    (Measure::ScoresAdded, "samples_agree"),
    (Measure::IndicatorLost, "mass_without_scores_is_one"),
    (Measure::OtherSide, "samples_agree"),
    (Measure::NotNormalised, "samples_agree"),
    (Measure::BoundaryTermLost, "borders_move"),
    (Measure::BorderCellInside, "borders_cut"),
    (Measure::CancellationTaken, "means_are_absolute"),
    (Measure::DeterminantForMeasure, "masses_are_kept"),
    (Measure::JacobianTransposed, "masses_are_kept"),
    (Measure::OtherPiece, "masses_are_kept"),
    (Measure::PreimageDropped, "densities_are_sums"),
    (Measure::FactorMultiplied, "densities_are_sums"),
    (Measure::TailBySupremum, "densities_are_sums"),
    (Measure::PreimageDropped, "means_are_mapped"),
    (Measure::FactorMultiplied, "means_are_mapped"),
];

/// The greatest number of samples until a law must refute a wrong rule. A choice.
pub const MAX_LAW_SAMPLES: u64 = 40;
/// The number of samples drawn from a model. A choice.
const MODEL_SAMPLES: u32 = 40_000;
/// The number of standard errors that samples may be off. A choice: beyond six, chance is about 2·10⁻⁹.
const MAX_STANDARD_ERRORS: f64 = 6.0;
/// The time limit of one question. A choice.
const QUESTION_TIME: Duration = Duration::from_secs(4);

/// Returns the number of samples of a seed until a law refutes a wrong rule. Returns `None` if [`MAX_LAW_SAMPLES`] are not enough.
pub fn samples_until_refuted(rule: &'static Measure, law: &str, seed: u64, read: ProgramReader<'_>) -> Option<u64> {
    let (_, law) = LAWS.iter().find(|(own, _)| *own == law)?;
    property::samples_until_refuted(seed, MAX_LAW_SAMPLES, |random| law(random, read, rule))
}

/// Encloses the mass of a program, the mean of its values if `of_value`, or the derivative of the mass at `at`. Returns
/// `None` if the program cannot be read.
fn ask_measure(
    (read, rules): (ProgramReader<'_>, &'static dyn MeasureMutationHooks),
    program: &str,
    of_value: bool,
    at: Option<Rational>,
    eps: &Rational,
) -> Option<Result<Enclosure, MeasureError>> {
    ask_measure_within(QUESTION_TIME, (read, rules), program, of_value, at, eps)
}

/// Like [`asked`], with a time limit.
fn ask_measure_within(
    time: Duration,
    (read, rules): (ProgramReader<'_>, &'static dyn MeasureMutationHooks),
    program: &str,
    of_value: bool,
    at: Option<Rational>,
    eps: &Rational,
) -> Option<Result<Enclosure, MeasureError>> {
    let (term, of) = (read(program)?, read("\\(z : Real) => z")?);
    let takes_parameter = at.is_some();
    let model = crate::measure::ProbabilisticModel {
        program: &term,
        takes_parameter,
        mean_of: of_value.then_some(&of),
        loop_bound: None,
        hooks: rules,
    };
    let question = MeasureQuestion {
        parameter: at,
        derivative_order: u32::from(takes_parameter),
        weight_bound: None,
        eps: eps.clone(),
    };
    let answer = answer_question(&model, &question, &Arc::new(Budget::with_time_limit(time)));
    Some(answer.map(|MeasureAnswer { enclosure, .. }| enclosure))
}

/// Returns both ends of an enclosure as doubles.
fn float_endpoints(found: &Enclosure) -> [f64; 2] {
    [found.lo(), found.hi()].map(|end| end.to_f64())
}

/// Returns `true` if a number lies in an enclosure, up to its error.
fn lies_in(found: &Enclosure, [number, error]: [f64; 2]) -> bool {
    let [lo, hi] = float_endpoints(found);
    lo - error <= number && number <= hi + error
}

/// The result of testing one model.
#[derive(Debug)]
pub struct CheckedModel {
    /// The model.
    pub model: RandomModel,
    /// The conjunction of all comparisons.
    pub verdict: Verdict,
    /// `true` if the enclosures of mass and mean are at most `DECIDED_WIDTH` wide.
    pub is_decided: bool,
}

/// The width that is asked for. [`DECIDED_WIDTH`] is the width up to which an answer counts as decided. Both are a choice.
const REQUESTED_WIDTH: f64 = 0.01;
const DECIDED_WIDTH: f64 = 0.05;

/// Compares mass and mean of a random model with samples and with quadrature.
pub fn check_model(
    mut random: SplitMix64,
    read: ProgramReader<'_>,
    rules: &'static dyn MeasureMutationHooks,
) -> CheckedModel {
    let (seed, other) = (random.next(), random.next());
    let model = RandomModel::draw_model(SplitMix64::new(seed), true);
    let program = model.print_program();
    let eps = Rational::from_f64(REQUESTED_WIDTH).unwrap_or_default();
    let [mass, mean] = [false, true].map(|of_value| ask_measure((read, rules), &program, of_value, None, &eps));
    let (sampled, integrated) =
        (model.estimate_by_samples(MODEL_SAMPLES, SplitMix64::new(other)), model.integrate_by_quadrature());
    let mut verdict = Verdict::Vacuous;
    let mut is_decided = true;
    // without mass there is no mean, and the semantics must say so
    let has_mass = integrated[0][0] > 1e-6 && sampled[0][0] > 0.0;
    for (of_value, answer) in [(false, mass), (true, mean)] {
        let told = || format!("the {} of {program}", if of_value { "mean" } else { "mass" });
        let numbers =
            [(sampled, MAX_STANDARD_ERRORS), (integrated, 1.0)].map(|([[mass, error], [sum, other]], errors)| {
                match of_value {
                    false => [mass, errors * error + 1e-9],
                    // first-order error of the quotient sum/mass
                    true => [sum / mass, errors * (other + (sum / mass).abs() * error) / mass + 1e-9],
                }
            });
        let own = match answer {
            None => Verdict::refuted(told(), "a program", "none"),
            Some(Err(MeasureError::ZeroNormalisingConstant)) if !has_mass => Verdict::Survived,
            Some(Err(fault)) => Verdict::refuted(told(), format!("{numbers:?}"), fault),
            Some(Ok(_)) if of_value && !has_mass => Verdict::Vacuous,
            Some(Ok(found)) if found.is_defined() => {
                let [lo, hi] = float_endpoints(&found);
                is_decided &= hi - lo <= DECIDED_WIDTH;
                let ways =
                    ["samples", "quadrature"].into_iter().zip(numbers).find(|(_, number)| !lies_in(&found, *number));
                match ways {
                    Some((way, [number, error])) => {
                        Verdict::refuted(told(), found, format!("{number} ± {error} by {way}"))
                    }
                    // a wide enclosure contains nearly everything, so it does not count as survival
                    None if hi - lo <= DECIDED_WIDTH => Verdict::Survived,
                    None => Verdict::Vacuous,
                }
            }
            Some(Ok(_)) => {
                is_decided = false;
                Verdict::Vacuous
            }
        };
        verdict = verdict.and(own);
    }
    CheckedModel { model, verdict, is_decided }
}

/// Tests that mass and mean of a random model agree with samples and quadrature.
fn samples_agree(random: SplitMix64, read: ProgramReader<'_>, rules: &'static dyn MeasureMutationHooks) -> Verdict {
    check_model(random, read, rules).verdict
}

/// Tests that the enclosure of the mass of a program contains 1.
fn mass_contains_one(program: &str, read: ProgramReader<'_>, rules: &'static dyn MeasureMutationHooks) -> Verdict {
    let eps = Rational::from((1, 1000));
    match ask_measure((read, rules), program, false, None, &eps) {
        Some(Ok(found)) if found.contains(&1.into()) => Verdict::Survived,
        Some(found) => {
            Verdict::refuted(program, 1, found.map_or_else(|fault| fault.to_string(), |found| found.to_string()))
        }
        None => Verdict::refuted(program, "a program", "none"),
    }
}

/// Tests that a program without scores has mass 1.
fn mass_without_scores_is_one(
    random: SplitMix64,
    read: ProgramReader<'_>,
    rules: &'static dyn MeasureMutationHooks,
) -> Verdict {
    // the guard still splits the paths, but every branch returns a value, so no mass is lost
    let program = RandomModel::draw_model(random, false).print_program();
    mass_contains_one(&program, read, rules)
}

/// Tests that programs with infinitely many paths have mass 1, although finitely many are explored.
fn nothing_is_dropped(
    mut random: SplitMix64,
    read: ProgramReader<'_>,
    rules: &'static dyn MeasureMutationHooks,
) -> Verdict {
    let eighths = 1 + random.next_below(7);
    let p = format!("({eighths}/8)");
    let program = match random.next_below(5) {
        0 => format!("do {{ n <- sample (geometric {p}); return (toReal n) }}"),
        1 => format!("do {{ n <- sample (poisson ({eighths} / 2)); return (toReal n) }}"),
        2 => format!(
            "let rec go (n : Nat) : P Real = do {{ b <- sample (bernoulli {p}); if b then return (toReal n) else go (n + 1) }} in go 1"
        ),
        3 => format!(
            "let rec go (n : Nat) : P Real = do {{ u <- sample (uniformOn 0 1); if u < {p} then return (toReal n) else go (n + 1) }} in go 1"
        ),
        _ => "let rec tree (p : Real) : P Real = do { b <- sample (bernoulli p); if b then return 1 else do { x <- tree p; tree p } } in tree 0.8"
            .to_owned(),
    };
    mass_contains_one(&program, read, rules)
}

/// Tests that the derivative of `P(x > t)` in t is the negative density at the border t.
fn borders_move(mut random: SplitMix64, read: ProgramReader<'_>, rules: &'static dyn MeasureMutationHooks) -> Verdict {
    let (m, t) = (random.next_below(9) as f64 / 4.0 - 1.0, random.next_below(8) as f64 / 8.0 + 0.0625);
    let s = [0.5, 1.0, 2.0][random.next_below(3)];
    let z = (t - m) / s;
    // closed forms of the densities, as the second way to the expected value
    let (draw, density) = match random.next_below(3) {
        0 => (format!("uniformOn (-1) {}", s + 1.0), 1.0 / (s + 2.0)),
        1 => (format!("exponential {s}"), s * (-s * t).exp()),
        _ => (format!("normal ({m}) {s}"), (-z * z / 2.0).exp() / (s * std::f64::consts::TAU.sqrt())),
    };
    let program =
        format!("\\(t : Real) => do {{ x <- sample ({draw}); if x > t then score 1 else score 0; return x }}");
    let (at, eps) = (Rational::from_f64(t), Rational::from((1, 1_000_000)));
    match ask_measure((read, rules), &program, false, at, &eps) {
        Some(Ok(found)) if !found.is_defined() => Verdict::Vacuous,
        Some(Ok(found)) if lies_in(&found, [-density, 1e-9]) => Verdict::Survived,
        Some(found) => {
            let found = found.map_or_else(|fault| fault.to_string(), |found| found.to_string());
            Verdict::refuted(format!("{program} at {t}"), -density, found)
        }
        None => Verdict::refuted(program, "a program", "none"),
    }
}

/// Tests areas under curved borders in the unit square. They are c − c log c for `x·y < c`, and Γ(1 + 1/p)²/Γ(1 +
/// 2/p)·c^(2/p) for `xᵖ + yᵖ < c`: a triangle, a disc, and borders of higher degree.
fn borders_cut(mut random: SplitMix64, read: ProgramReader<'_>, rules: &'static dyn MeasureMutationHooks) -> Verdict {
    let eighths = 1 + random.next_below(7);
    let c = eighths as f64 / 8.0;
    let (guard, area) = match 1 + random.next_below(4) {
        1 => ("x * y".to_owned(), c - c * c.ln()),
        p => {
            let [half, whole] = [1.0, 2.0].map(|n| libm::tgamma(1.0 + n / p as f64));
            (format!("x^{p} + y^{p}"), half * half / whole * c.powf(2.0 / p as f64))
        }
    };
    let program = format!(
        "do {{ x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); score (if {guard} < {eighths}/8 then 1 else 0); return x }}"
    );
    match ask_measure((read, rules), &program, false, None, &Rational::from((1, 100))) {
        Some(Ok(found)) if lies_in(&found, [area, 1e-9]) => Verdict::Survived,
        Some(found) => {
            let found = found.map_or_else(|fault| fault.to_string(), |found| found.to_string());
            Verdict::refuted(program, area, found)
        }
        None => Verdict::refuted(program, "a program", "none"),
    }
}

/// The counts over a number of models.
#[derive(Debug, Default)]
pub struct ModelTally {
    /// The number of models.
    pub models: u64,
    /// The number of models with a decided mass and mean.
    pub decided: u64,
    /// The models that contradict samples or quadrature, by index.
    pub refuted: Vec<(u64, Verdict)>,
    /// The numbers of models with each of the [features](ModelTally::FEATURES).
    pub features: [u64; 5],
}

impl ModelTally {
    /// The features that [`ModelTally::features`] counts, in that order.
    pub const FEATURES: [&str; 5] =
        ["with two real draws", "one of which depends on the other", "with a coin", "with a guard", "with scores"];

    /// Tests model number `index`, and counts it.
    pub fn add_model(&mut self, seed: u64, index: u64, read: ProgramReader<'_>) {
        let CheckedModel { model, verdict, is_decided } =
            check_model(SplitMix64::for_sample(seed, index), read, &crate::measure::hooks::DefaultMeasureHooks);
        self.models += 1;
        self.decided += u64::from(is_decided);
        if verdict.is_refuted() {
            self.refuted.push((index, verdict));
        }
        let has = [model.dimension() > 1, model.is_dependent, model.has_coin(), model.has_guard(), model.has_scores()];
        self.features.iter_mut().zip(has).for_each(|(count, has)| *count += u64::from(has));
    }
}

/// Draws a program, and a piecewise affine map of its values.
fn draw_program_and_map(random: &mut SplitMix64) -> (&'static str, String) {
    let mut number = |from: i64, count: usize| from + random.next_below(count) as i64;
    let (a, b, c, d) = (number(2, 3), number(1, 4), number(-2, 6), number(-2, 6));
    let choice = |guard: &str, map: &str| format!("\\(p : Real * Real) => if {guard} then {map} else p");
    match number(0, 3) {
        // the map is (a t, b t) on the diagonal, but its Jacobian off the diagonal depends on c and d
        0 => (
            "do { t <- sample (uniformOn 0 1); return (t, t) }",
            choice("p[0] == p[1]", &format!("({c} * p[0] + {} * p[1], {d} * p[0] + {} * p[1])", a - c, b - d)),
        ),
        // the unit circle, mapped to an ellipse: a support of dimension 1 in the plane
        1 => (
            "do { t <- sample (uniformOn 0 (2 * pi)); return (cos t, sin t) }",
            choice("p[0]^2 + p[1]^2 == 1", &format!("({a} * p[0], {b} * p[1])")),
        ),
        _ => (
            "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); return (x, y) }",
            choice("p[0] + p[1] > 1", &format!("({a} * p[0] + {c} * p[1] + 9, {b} * p[1])")),
        ),
    }
}

/// Tests that **masses are kept** (W22): ∫ ρ/𝒥 over the image is ∫ ρ.
fn masses_are_kept(
    mut random: SplitMix64,
    read: ProgramReader<'_>,
    rules: &'static dyn MeasureMutationHooks,
) -> Verdict {
    let (program, map) = draw_program_and_map(&mut random);
    let told = || format!("{program} through {map}");
    let Some((term, of)) = read(program).zip(read(&map)) else {
        return Verdict::refuted(told(), "a program and a map", "none");
    };
    let (budget, eps) = (Arc::new(Budget::with_time_limit(QUESTION_TIME)), Rational::from((1, 1000)));
    let support = rules.support_of_map(&term, &of, &budget);
    let found = support.and_then(|support| masses_by_chart(&support, &eps, &budget));
    match found {
        Ok(found) => {
            let [before, after] = [0, 1].map(|i| total_mass(found.iter().map(|both| both[i].clone())));
            match before.intersection(&after) {
                None => Verdict::refuted(told(), before, after),
                // two unbounded masses always meet, so they claim nothing
                Some(both) if both.is_defined() && before.is_bounded() && after.is_bounded() => Verdict::Survived,
                Some(_) => Verdict::Vacuous,
            }
        }
        Err(fault) => Verdict::refuted(told(), "a mass", fault),
    }
}

/// The number of periods of a sine over which a density is summed on each side of 0. A choice: φ is below 10⁻¹⁰⁰ beyond.
const SUMMED_PERIODS: i32 = 4;

/// The density of a normal draw.
fn normal_density(x: f64) -> f64 {
    (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt()
}

/// Draws a map of a normal draw, a point, and the density of the image there: by preimages and slopes that are known by hand.
fn draw_map_with_density(random: &mut SplitMix64) -> (String, String, f64) {
    let a = [1, 2, -2, 3][random.next_below(4)];
    // distinct quarters
    let mut roots: Vec<i32> = (-6..=6).collect();
    for place in 0..3 {
        let other = place + random.next_below(roots.len() - place);
        roots.swap(place, other);
    }
    let [r, s, t] = [0, 1, 2].map(|i| f64::from(roots[i]) / 4.0);
    let factor = |root: i32| format!("(x - ({root})/4)");
    match random.next_below(4) {
        // a (x - r) (x - s) is 0 at r and s, with the slopes a (r - s) and a (s - r)
        0 => {
            let sum = (normal_density(r) + normal_density(s)) / (f64::from(a) * (r - s)).abs();
            (format!("({a}) * {} * {}", factor(roots[0]), factor(roots[1])), "0/1".to_owned(), sum)
        }
        1 => {
            let slopes =
                [(r, s, t), (s, t, r), (t, r, s)].map(|(x, y, z)| normal_density(x) / ((x - y) * (x - z)).abs());
            let map = roots[..3].iter().map(|root| factor(*root)).collect::<Vec<_>>().join(" * ");
            (format!("({a}) * {map}"), "0/1".to_owned(), slopes.iter().sum::<f64>() / f64::from(a).abs())
        }
        // a/x is y at a/y, with the slope -y²/a
        2 => {
            let y = f64::from(1 + random.next_below(4) as i32);
            (format!("({a}) / x"), format!("{y}/1"), normal_density(f64::from(a) / y) * f64::from(a).abs() / (y * y))
        }
        // sin x is y at asin y and π - asin y, up to periods, with the slopes ±√(1 - y²)
        _ => {
            let (text, y) = *random.pick(&[("1/2", 0.5), ("-1/2", -0.5), ("5/8", 0.625), ("-3/4", -0.75)]);
            let first = f64::asin(y);
            let period = |k: i32| std::f64::consts::TAU * f64::from(k);
            let both =
                |k: i32| normal_density(first + period(k)) + normal_density(std::f64::consts::PI - first + period(k));
            let sum: f64 = (-SUMMED_PERIODS..=SUMMED_PERIODS).map(both).sum();
            ("sin x".to_owned(), text.to_owned(), sum / (1.0 - y * y).sqrt())
        }
    }
}

/// Tests that **densities are sums** (W22, area formula): the density of an image at a point is `Σ ρ/𝒥` over all preimages.
fn densities_are_sums(
    mut random: SplitMix64,
    read: ProgramReader<'_>,
    rules: &'static dyn MeasureMutationHooks,
) -> Verdict {
    let (map, point, truth) = draw_map_with_density(&mut random);
    let told = || format!("a normal draw through {map} at {point}");
    let parts = read("do { x <- sample (normal 0 1); return x }").zip(read(&format!("\\(x : Real) => {map}")));
    let Some(((program, of), at)) = parts.zip(read(&point)) else {
        return Verdict::refuted(told(), "a program, a map and a point", "none");
    };
    let (budget, eps) = (Arc::new(Budget::with_time_limit(QUESTION_TIME)), Rational::from(1) >> 40);
    match pushforward_density(&program, &of, &at, Multiplicity::Any, &eps, &budget) {
        Ok(found) => match rules.image_density(&found) {
            Some(density) if !density.is_defined() || !density.is_bounded() => Verdict::Vacuous,
            // what floating point loses is far less
            Some(density) if lies_in(&density, [truth, 1e-12 * (1.0 + truth)]) => Verdict::Survived,
            Some(density) => Verdict::refuted(told(), truth, density),
            None => Verdict::Vacuous,
        },
        Err(fault) => Verdict::refuted(told(), truth, fault),
    }
}

/// The places and the weights of the quadrature of Gauss and Legendre with five points on [-1, 1], from its middle on.
const GAUSS_POINTS: [[f64; 2]; 3] = [
    [0.0, 128.0 / 225.0],
    [0.538_469_310_105_683_1, 0.478_628_670_499_366_47],
    [0.906_179_845_938_664, 0.236_926_885_056_189_08],
];

/// The greatest error of that quadrature for the maps that are drawn, relative to the mean. A choice: it was below 10⁻⁴ for all of them.
const QUADRATURE_ERROR: f64 = 1e-3;

/// A function of y: its text, and its values.
type NamedFunction = (&'static str, fn(f64) -> f64);

/// The functions whose means are compared.
const MEAN_FUNCTIONS: [NamedFunction; 3] =
    [("y", |y| y), ("y^2 + 1", |y| y * y + 1.0), ("cos (y / 4)", |y| (y / 4.0).cos())];

/// Draws a map of a number between 1 and 2, with its values at these ends, and `true` if opposite numbers have one value.
fn draw_monotone_map(random: &mut SplitMix64) -> (String, [f64; 2], bool) {
    let a = f64::from(1 + random.next_below(3) as u32);
    match random.next_below(4) {
        0 => (format!("{a} * x^2"), [a, 4.0 * a], true),
        1 => (format!("x^2 - {a}"), [1.0 - a, 4.0 - a], true),
        2 => (format!("{a} / x"), [a, a / 2.0], false),
        _ => (format!("x^3 + {a} * x"), [1.0 + a, 8.0 + 2.0 * a], false),
    }
}

/// Tests that **means are mapped** (X7): the mean of f over the image of a draw under g is ∫ f ρ, by the density ρ of the image.
fn means_are_mapped(
    mut random: SplitMix64,
    read: ProgramReader<'_>,
    rules: &'static dyn MeasureMutationHooks,
) -> Verdict {
    let (map, [from, to], is_even) = draw_monotone_map(&mut random);
    let (f, value) = *random.pick(&MEAN_FUNCTIONS);
    // an even map takes two opposite numbers to one, and the draw may be either
    let program = match is_even {
        true => "do { b <- sample (bernoulli 0.25); x <- sample (uniformOn 1 2); return (if b then x else -x) }",
        false => "do { x <- sample (uniformOn 1 2); return x }",
    };
    let told = || format!("{f} of {map}, {program}");
    let parts = read(program).zip(read(&format!("\\(x : Real) => {map}")));
    let mean = format!("do {{ x <- ({program}); let y = {map}; return ({f}) }}");
    let mean = ask_measure((read, rules), &mean, true, None, &Rational::from((1, 1 << 20)));
    let (Some((term, of)), Some(Ok(mean))) = (parts, mean) else {
        return Verdict::refuted(told(), "a program with a mean, and a map", "none");
    };
    let (budget, eps) = (Arc::new(Budget::with_time_limit(QUESTION_TIME)), Rational::from((1, 1 << 20)));
    let mut sum = 0.0;
    for [place, weight] in
        GAUSS_POINTS.into_iter().flat_map(|[x, w]| if x == 0.0 { vec![[x, w]] } else { vec![[x, w], [-x, w]] })
    {
        let y = (from + to) / 2.0 + place * (to - from) / 2.0;
        let at = Rational::from_f64(y).and_then(|q| read(&format!("({}) / ({})", q.numer(), q.denom())));
        let Some(at) = at else { return Verdict::Vacuous };
        match pushforward_density(&term, &of, &at, Multiplicity::Any, &eps, &budget) {
            Ok(found) => match rules.image_density(&found) {
                Some(density) if density.is_defined() && density.is_bounded() => {
                    sum += weight * (to - from).abs() / 2.0 * value(y) * density.hi().to_f64();
                }
                _ => return Verdict::Vacuous,
            },
            Err(fault) => return Verdict::refuted(told(), "a density", fault),
        }
    }
    match lies_in(&mean, [sum, QUADRATURE_ERROR * (1.0 + sum.abs())]) {
        true => Verdict::Survived,
        false => Verdict::refuted(told(), mean, sum),
    }
}

/// The time limit of one question. A choice: an answer with a mean takes a part of it.
const POLE_QUESTION_TIME: Duration = Duration::from_secs(1);

/// The place of the pole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PoleLocation {
    /// The left end 0 of the range of x.
    Left,
    /// The right end 1 of the range of x.
    Right,
    /// The interior point 0, the kink of an absolute value.
    Kink,
    /// The corner of a triangle, drawn in two orders.
    Triangle,
    /// The corner of a square.
    Corner,
}

/// A polynomial in two variables, as terms c·xⁱ·yʲ.
#[derive(Clone, Debug)]
struct BivariatePolynomial(Vec<(i64, u32, u32)>);

impl BivariatePolynomial {
    /// Prints the polynomial, with expressions for x and y.
    fn print_in(&self, x: &str, y: &str) -> String {
        let term = |(c, i, j): &(i64, u32, u32)| format!("({c})*({x})^{i}*({y})^{j}");
        self.0.iter().map(term).collect::<Vec<_>>().join(" + ")
    }

    /// Returns the product of two polynomials. Terms of equal powers are not collected.
    fn product_with(&self, other: &Self) -> Self {
        let own = |(c, i, j): &(i64, u32, u32)| {
            let (c, i, j) = (*c, *i, *j);
            other.0.iter().map(move |(d, k, l)| (c * d, i + k, j + l))
        };
        Self(self.0.iter().flat_map(own).collect())
    }

    /// Returns the parts by degree d, each with `E p_d(1, v)` for v uniform between `ends`, and whether p_d is not 0.
    fn graded_means(&self, ends: [i64; 2]) -> Vec<(u32, Rational, bool)> {
        let mut degrees: Vec<u32> = self.0.iter().map(|(_, i, j)| i + j).collect();
        degrees.sort_unstable();
        degrees.dedup();
        let of = |d: u32| {
            let mut powers = vec![0; d as usize + 1];
            self.0.iter().filter(|(_, i, j)| i + j == d).for_each(|(c, _, j)| powers[*j as usize] += c);
            let moment = |j: u32| {
                // E vʲ = (bʲ⁺¹ − aʲ⁺¹)/((b − a)(j + 1))
                let [a, b] = ends.map(|end| Rational::from(end.pow(j + 1)));
                (b - a) / (Rational::from(ends[1] - ends[0]) * (j + 1))
            };
            let sum = (0..).zip(&powers).fold(Rational::new(), |sum, (j, c)| sum + moment(j) * *c);
            (d, sum, powers.iter().any(|c| *c != 0))
        };
        degrees.into_iter().map(of).collect()
    }
}

/// A program with a pole.
#[derive(Clone, Debug)]
pub struct PoleProgram {
    /// The program, or the same program in two orders of its draws.
    pub programs: Vec<String>,
    /// The mean, if there is one.
    pub mean: Option<Rational>,
    /// `true` if the innermost integral cancels at the pole.
    pub cancels: bool,
}

impl PoleProgram {
    /// Draws the program of a stream of random numbers.
    #[must_use]
    pub fn draw_pole(mut random: SplitMix64) -> Self {
        let site = *random.pick(&[
            PoleLocation::Left,
            PoleLocation::Left,
            PoleLocation::Right,
            PoleLocation::Kink,
            PoleLocation::Triangle,
            PoleLocation::Corner,
        ]);
        let k = 1 + random.next_below(4) as u32;
        let cancels = random.random_bool(50);
        if site == PoleLocation::Corner {
            return Self::at_corner(k, cancels);
        }
        // the density of x is (a + 1)·xᵃ
        let a = match site {
            PoleLocation::Triangle => 1,
            PoleLocation::Kink => 0,
            _ => random.next_below(3) as u32,
        };
        let ends =
            *random.pick(if site == PoleLocation::Triangle { &[[0, 1]] } else { &[[-1, 1], [0, 1], [-1, 2], [1, 3]] });
        // 2y − (a + b)x has mean 0 over v, so the leading part cancels; 3x added to a positive term does not
        let mut asked = match cancels {
            true => vec![(2, 0, 1), (-ends[0] - ends[1], 1, 0)],
            false => vec![*random.pick(&[(1, 0, 1), (2, 1, 0)]), (3, 1, 0)],
        };
        if random.random_bool(50) {
            asked.push(*random.pick(&[(1, 2, 0), (-2, 0, 2), (1, 1, 1)]));
        }
        let asked = BivariatePolynomial(asked);
        let weight = match random.next_below(4) {
            0 => BivariatePolynomial(vec![(1, 1, 0)]),
            1 => BivariatePolynomial(vec![(1, 0, 0), (1, 0, 2)]),
            _ => BivariatePolynomial(vec![(1, 0, 0)]),
        };
        // ∫ xᵃ⁺ᵈ⁻ᵏ dx
        let integral = |d: u32, k: u32| {
            let n = i64::from(a + d + 1) - i64::from(k);
            (n > 0).then(|| Rational::from((1, n)))
        };
        // a part that is identically 0 needs no convergence
        let whole = |p: &BivariatePolynomial, k: u32| {
            let parts = p.graded_means(ends).into_iter().filter(|(.., counts)| *counts);
            parts.map(|(d, c, _)| Some(c * integral(d, k)?)).sum::<Option<Rational>>()
        };
        let mean = whole(&asked.product_with(&weight), k).and_then(|sum| Some(sum / whole(&weight, 0)?));
        let [x, y] = match site {
            PoleLocation::Right => ["1 - x", "y"],
            PoleLocation::Kink => ["abs x", "v * abs x"],
            _ => ["x", "y"],
        };
        let score = match weight.0.len() {
            1 if weight.0[0].1 == 0 => String::new(),
            _ => format!("score ({}); ", weight.print_in(x, y)),
        };
        let draw_x = if a == 0 { "uniformOn 0 1".to_owned() } else { format!("beta {} 1", a + 1) };
        let [low, high] = ends.map(|end| format!("(({end})*({x}))"));
        let rest = format!("{score}return (({})/({x})^{k})", asked.print_in(x, y));
        let programs = match site {
            PoleLocation::Left => {
                vec![format!("do {{ x <- sample ({draw_x}); y <- sample (uniformOn {low} {high}); {rest} }}")]
            }
            PoleLocation::Right => {
                let draw_x = if a == 0 { draw_x } else { format!("beta 1 {}", a + 1) };
                vec![format!("do {{ x <- sample ({draw_x}); y <- sample (uniformOn {low} {high}); {rest} }}")]
            }
            PoleLocation::Kink => vec![format!(
                "do {{ x <- sample (uniformOn (-1) 1); v <- sample (uniformOn ({}) {}); {rest} }}",
                ends[0], ends[1]
            )],
            PoleLocation::Triangle | PoleLocation::Corner => vec![
                format!("do {{ x <- sample (beta 2 1); y <- sample (uniformOn 0 x); {rest} }}"),
                format!("do {{ y <- sample (beta 1 2); x <- sample (uniformOn y 1); {rest} }}"),
            ],
        };
        Self { programs, mean, cancels }
    }

    /// Makes a program with two draws on [0, 1], over a power of their sum. For a polynomial of degree d the integral
    /// behaves like that of rᵈ⁺¹⁻ᵏ near r = 0. An integrand that changes its sign when the draws are exchanged has the
    /// mean 0.
    fn at_corner(k: u32, cancels: bool) -> Self {
        let (asked, mean) = match cancels {
            true => ("x - y", (k < 3).then(Rational::new)),
            // E (x + y)^(1 − k) is 1 for k = 1 and 2 log 2 for k = 2. The latter is irrational, and left out below
            false => ("x + y", (k == 1).then(|| Rational::from(1))),
        };
        let program = format!(
            "do {{ x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); return (({asked})/(x + y)^{k}) }}"
        );
        Self { programs: if !cancels && k == 2 { Vec::new() } else { vec![program] }, mean, cancels }
    }
}

/// Tests that **means are absolute** (Fubini, Tonelli): a mean is claimed where E |f| is finite, and it is the true
/// one, in every order of the draws.
fn means_are_absolute(
    random: SplitMix64,
    read: ProgramReader<'_>,
    rules: &'static dyn MeasureMutationHooks,
) -> Verdict {
    let PoleProgram { programs, mean, .. } = PoleProgram::draw_pole(random);
    let eps = Rational::from((1, 1_000_000));
    programs.into_iter().fold(Verdict::Vacuous, |verdict, program| {
        let own = match ask_measure_within(POLE_QUESTION_TIME, (read, rules), &program, true, None, &eps) {
            None => Verdict::refuted(program, "a program", "none"),
            Some(Err(fault)) => Verdict::refuted(program, "an answer", fault),
            // an unbounded enclosure claims no finite mean; of an integrand of one sign it may still bound one side
            Some(Ok(found)) => match &mean {
                _ if !found.is_defined() || !found.is_bounded() => match mean {
                    None => Verdict::Survived,
                    Some(_) => Verdict::Vacuous,
                },
                Some(mean) if found.contains(mean) => Verdict::Survived,
                Some(mean) => Verdict::refuted(program, mean, found),
                None => Verdict::refuted(program, "no mean", found),
            },
        };
        verdict.and(own)
    })
}
