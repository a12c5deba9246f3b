//! What is certified of programs that sample, tried on random ones.
//!
//! | law | statement |
//! |---|---|
//! | `samples_agree` | mass and mean are those of plain samples, within six standard errors, and those of quadrature on plain `f64` |
//! | `mass_without_scores_is_one` | the mass of a program that ends, and has no scores, contains 1 |
//! | `nothing_is_dropped` | so does that of one with infinitely many paths, whatever was not followed |
//! | `borders_move` | the derivative of a chance has the density at the border |
//! | `borders_cut` | a curved border leaves the area on its side |
//! | `means_are_absolute` | a mean is claimed where that of the absolute value is finite, the true one, in every order of the draws |
//! | `masses_are_kept` | what a map makes of a program has the mass that the program has, by the density over 𝒥 (W22) |
//!
//! The programs are texts of the language, in which the theory `Trace` is known: whoever tries a law says how they are read.

pub mod model;

pub mod absolute;
mod change;

use crate::measure::{Answer, Fault, Question, ask};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::random::Random;
use crate::syntax::term::Term;
use crate::verdict::Verdict;
use crate::wrong::Measure;
use crate::wrong::MeasureRules;
use model::Model;
use std::sync::Arc;
use std::time::Duration;

/// How a program is read.
pub type Reader<'r> = &'r dyn Fn(&str) -> Option<Term>;
/// A law, tried on the sample of a stream of random numbers.
pub type Law = fn(Random, Reader<'_>, &'static dyn MeasureRules) -> Verdict;

/// All laws, with their names.
pub const LAWS: &[(&str, Law)] = &[
    ("samples_agree", samples_agree),
    ("mass_without_scores_is_one", mass_without_scores_is_one),
    ("nothing_is_dropped", nothing_is_dropped),
    ("borders_move", borders_move),
    ("borders_cut", borders_cut),
    ("means_are_absolute", absolute::means_are_absolute),
    ("masses_are_kept", change::masses_are_kept),
];

/// Each wrong rule, and the law that notices it.
pub const OF_MEASURES: &[(Measure, &str)] = &[
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
];

/// How many samples a law may need.
pub const SAMPLES: u64 = 40;
/// How many samples are drawn of a model.
const DRAWN: u32 = 40_000;
/// How many standard errors samples may be off.
const ERRORS: f64 = 6.0;
/// What one question may take.
const TIME: Duration = Duration::from_secs(4);

impl Measure {
    /// After how many samples of a seed the law that notices it refutes it; `None` where [`SAMPLES`] are not enough.
    #[must_use]
    pub fn noticed(&'static self, seed: u64, read: Reader<'_>) -> Option<u64> {
        let (_, name) = OF_MEASURES.iter().find(|(rule, _)| rule == self)?;
        let (_, law) = LAWS.iter().find(|(own, _)| own == name)?;
        (0..SAMPLES).find(|index| law(Random::of(seed, *index), read, self).is_refuted()).map(|index| index + 1)
    }
}

/// What is asked of a program: the mass, or the mean of what it gives, or a derivative of the mass.
fn asked(
    (read, rules): (Reader<'_>, &'static dyn MeasureRules),
    program: &str,
    of_value: bool,
    at: Option<Rational>,
    eps: &Rational,
) -> Option<Result<Enclosure, Fault>> {
    asked_within(TIME, (read, rules), program, of_value, at, eps)
}

/// The same, within a time.
fn asked_within(
    time: Duration,
    (read, rules): (Reader<'_>, &'static dyn MeasureRules),
    program: &str,
    of_value: bool,
    at: Option<Rational>,
    eps: &Rational,
) -> Option<Result<Enclosure, Fault>> {
    let (term, of) = (read(program)?, read("\\(z : Real) => z")?);
    let takes_parameter = at.is_some();
    let model = crate::measure::Model { program: &term, takes_parameter, of: of_value.then_some(&of), hooks: rules };
    let question = Question { at, order: u32::from(takes_parameter), weight_at_most: None, eps: eps.clone() };
    let answer = ask(&model, &question, &Arc::new(Budget::within(time)));
    Some(answer.map(|Answer { enclosure, .. }| enclosure))
}

fn ends(found: &Enclosure) -> [f64; 2] {
    [found.lo(), found.hi()].map(|end| end.to_f64())
}

/// Whether a number that may be off by so much lies in an enclosure.
fn is_in(found: &Enclosure, [number, error]: [f64; 2]) -> bool {
    let [lo, hi] = ends(found);
    lo - error <= number && number <= hi + error
}

/// What was found of a model.
#[derive(Debug)]
pub struct Tried {
    /// The model.
    pub model: Model,
    /// Whether something contradicts something.
    pub verdict: Verdict,
    /// Whether mass and mean are narrower than this.
    pub is_decided: bool,
}

/// How narrow an answer is asked for, and how narrow one is that counts as decided.
const ASKED: f64 = 0.01;
const DECIDED: f64 = 0.05;

/// Mass and mean of a random model, against samples and quadrature.
pub fn tried(mut random: Random, read: Reader<'_>, rules: &'static dyn MeasureRules) -> Tried {
    let (seed, other) = (random.next(), random.next());
    let model = Model::of(Random::new(seed), true);
    let program = model.program();
    let eps = Rational::from_f64(ASKED).unwrap_or_default();
    let [mass, mean] = [false, true].map(|of_value| asked((read, rules), &program, of_value, None, &eps));
    let (sampled, integrated) = (model.sampled(DRAWN, Random::new(other)), model.integrated());
    let mut verdict = Verdict::Vacuous;
    let mut is_decided = true;
    let has_mass = integrated[0][0] > 1e-6 && sampled[0][0] > 0.0;
    for (of_value, answer) in [(false, mass), (true, mean)] {
        let told = || format!("the {} of {program}", if of_value { "mean" } else { "mass" });
        let numbers =
            [(sampled, ERRORS), (integrated, 1.0)].map(|([[mass, error], [sum, other]], errors)| match of_value {
                false => [mass, errors * error + 1e-9],
                true => [sum / mass, errors * (other + (sum / mass).abs() * error) / mass + 1e-9],
            });
        let own = match answer {
            None => Verdict::refuted(told(), "a program", "none"),
            Some(Err(Fault::NoMass)) if !has_mass => Verdict::Survived,
            Some(Err(fault)) => Verdict::refuted(told(), format!("{numbers:?}"), fault),
            Some(Ok(_)) if of_value && !has_mass => Verdict::Vacuous,
            Some(Ok(found)) if found.is_defined() => {
                let [lo, hi] = ends(&found);
                is_decided &= hi - lo <= DECIDED;
                let ways =
                    ["samples", "quadrature"].into_iter().zip(numbers).find(|(_, number)| !is_in(&found, *number));
                match ways {
                    Some((way, [number, error])) => {
                        Verdict::refuted(told(), found, format!("{number} ± {error} by {way}"))
                    }
                    None if hi - lo <= DECIDED => Verdict::Survived,
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
    Tried { model, verdict, is_decided }
}

fn samples_agree(random: Random, read: Reader<'_>, rules: &'static dyn MeasureRules) -> Verdict {
    tried(random, read, rules).verdict
}

/// A program whose mass contains 1.
fn contains_one(program: &str, read: Reader<'_>, rules: &'static dyn MeasureRules) -> Verdict {
    let eps = Rational::from((1, 1000));
    match asked((read, rules), program, false, None, &eps) {
        Some(Ok(found)) if found.contains(&1.into()) => Verdict::Survived,
        Some(found) => {
            Verdict::refuted(program, 1, found.map_or_else(|fault| fault.to_string(), |found| found.to_string()))
        }
        None => Verdict::refuted(program, "a program", "none"),
    }
}

fn mass_without_scores_is_one(random: Random, read: Reader<'_>, rules: &'static dyn MeasureRules) -> Verdict {
    // a guard at an end of a path cuts, whatever is given there
    let program = Model::of(random, false).program();
    contains_one(&program, read, rules)
}

fn nothing_is_dropped(mut random: Random, read: Reader<'_>, rules: &'static dyn MeasureRules) -> Verdict {
    let eighths = 1 + random.below(7);
    let p = format!("({eighths}/8)");
    let program = match random.below(5) {
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
    contains_one(&program, read, rules)
}

fn borders_move(mut random: Random, read: Reader<'_>, rules: &'static dyn MeasureRules) -> Verdict {
    let (m, t) = (random.below(9) as f64 / 4.0 - 1.0, random.below(8) as f64 / 8.0 + 0.0625);
    let s = [0.5, 1.0, 2.0][random.below(3)];
    let z = (t - m) / s;
    let (draw, density) = match random.below(3) {
        0 => (format!("uniformOn (-1) {}", s + 1.0), 1.0 / (s + 2.0)),
        1 => (format!("exponential {s}"), s * (-s * t).exp()),
        _ => (format!("normal ({m}) {s}"), (-z * z / 2.0).exp() / (s * std::f64::consts::TAU.sqrt())),
    };
    let program =
        format!("\\(t : Real) => do {{ x <- sample ({draw}); if x > t then score 1 else score 0; return x }}");
    let (at, eps) = (Rational::from_f64(t), Rational::from((1, 1_000_000)));
    match asked((read, rules), &program, false, at, &eps) {
        Some(Ok(found)) if !found.is_defined() => Verdict::Vacuous,
        Some(Ok(found)) if is_in(&found, [-density, 1e-9]) => Verdict::Survived,
        Some(found) => {
            let found = found.map_or_else(|fault| fault.to_string(), |found| found.to_string());
            Verdict::refuted(format!("{program} at {t}"), -density, found)
        }
        None => Verdict::refuted(program, "a program", "none"),
    }
}

/// Areas under curved borders in the unit square: c - c log c of `x·y < c`, and Γ(1 + 1/p)²/Γ(1 + 2/p)·c^(2/p) of `xᵖ + yᵖ < c`, for the
/// disc and for borders that no axis is followed to.
fn borders_cut(mut random: Random, read: Reader<'_>, rules: &'static dyn MeasureRules) -> Verdict {
    let eighths = 1 + random.below(7);
    let c = eighths as f64 / 8.0;
    let (guard, area) = match 1 + random.below(4) {
        1 => ("x * y".to_owned(), c - c * c.ln()),
        p => {
            let [half, whole] = [1.0, 2.0].map(|n| libm::tgamma(1.0 + n / p as f64));
            (format!("x^{p} + y^{p}"), half * half / whole * c.powf(2.0 / p as f64))
        }
    };
    let program = format!(
        "do {{ x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); score (if {guard} < {eighths}/8 then 1 else 0); return x }}"
    );
    match asked((read, rules), &program, false, None, &Rational::from((1, 100))) {
        Some(Ok(found)) if is_in(&found, [area, 1e-9]) => Verdict::Survived,
        Some(found) => {
            let found = found.map_or_else(|fault| fault.to_string(), |found| found.to_string());
            Verdict::refuted(program, area, found)
        }
        None => Verdict::refuted(program, "a program", "none"),
    }
}

/// What was found of a number of models.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many there were.
    pub models: u64,
    /// Of how many mass and mean are known.
    pub decided: u64,
    /// Those that contradict samples or quadrature.
    pub refuted: Vec<(u64, Verdict)>,
    /// How many draw two real numbers, one of them from the other, a truth value; decide by a guard; weigh their runs.
    pub features: [u64; 5],
}

impl Tally {
    /// What [`Tally::features`] counts.
    pub const FEATURES: [&str; 5] =
        ["with two real draws", "one of which depends on the other", "with a coin", "with a guard", "with scores"];

    /// Counts one more model.
    pub fn add(&mut self, seed: u64, index: u64, read: Reader<'_>) {
        let Tried { model, verdict, is_decided } =
            tried(Random::of(seed, index), read, &crate::measure::hooks::Library);
        self.models += 1;
        self.decided += u64::from(is_decided);
        if verdict.is_refuted() {
            self.refuted.push((index, verdict));
        }
        let has = [model.dimension() > 1, model.is_dependent, model.has_coin(), model.has_guard(), model.has_scores()];
        self.features.iter_mut().zip(has).for_each(|(count, has)| *count += u64::from(has));
    }
}
