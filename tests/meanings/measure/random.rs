//! Random models of two continuous draws against plain Monte Carlo, by code that shares nothing with the library but random bits.
//!
//! A model contradicts where an enclosure and a mean of samples are more than six standard errors apart. `MODELS=2000` asks for more of them,
//! and `SEED` for others.

use super::{Ask, PLAIN, asked};
use smoothish::random::Random;

/// A draw: how it is written, and how it is drawn, given what was drawn before.
type Draw = (&'static str, fn(f64, &mut Random) -> f64);
/// A map of both draws.
type Map = (&'static str, fn(f64, f64) -> f64);

fn unit(random: &mut Random) -> f64 {
    ((random.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

fn normal(random: &mut Random) -> f64 {
    let (radius, angle) = ((-2.0 * unit(random).ln()).sqrt(), std::f64::consts::TAU * unit(random));
    radius * angle.cos()
}

const FIRST: &[Draw] = &[
    ("uniformOn 0 1", |_, r| unit(r)),
    ("uniformOn (-1) 2", |_, r| 3.0 * unit(r) - 1.0),
    ("normal 0 1", |_, r| normal(r)),
    ("normal 0.5 0.5", |_, r| 0.5 + 0.5 * normal(r)),
    ("exponential 2", |_, r| -unit(r).ln() / 2.0),
];
const SECOND: &[Draw] = &[
    ("uniformOn 0 1", |_, r| unit(r)),
    ("uniformOn (-1) 1", |_, r| 2.0 * unit(r) - 1.0),
    ("normal x 1", |x, r| x + normal(r)),
    ("normal 0 1", |_, r| normal(r)),
    ("exponential 1", |_, r| -unit(r).ln()),
];
const GUARDS: &[Map] = &[
    ("x + y - 0.7", |x, y| x + y - 0.7),
    ("x - 2 * y", |x, y| x - 2.0 * y),
    ("x * y - 0.2", |x, y| x * y - 0.2),
    ("x^2 + y^2 - 1", |x, y| x * x + y * y - 1.0),
    ("y - x^2", |x, y| y - x * x),
    ("x - 0.4", |x, _| x - 0.4),
];
const WEIGHTS: &[Map] = &[
    ("1", |_, _| 1.0),
    ("exp (- (x - y)^2)", |x, y| (-(x - y).powi(2)).exp()),
    ("1 / (1 + exp (y - x))", |x, y| 1.0 / (1.0 + (y - x).exp())),
    ("exp (- x^2 / 2)", |x, _| (-x * x / 2.0).exp()),
];
const VALUES: &[Map] = &[("x", |x, _| x), ("x * y", |x, y| x * y), ("1", |_, _| 1.0), ("x^2 + y", |x, y| x * x + y)];

/// A model: both draws, what is asked of them, the weights on both sides, and the values there.
struct Model {
    draws: [Draw; 2],
    guard: Map,
    weights: [Map; 2],
    values: [Map; 2],
}

impl Model {
    fn of(mut random: Random) -> Self {
        let draws = [*random.pick(FIRST), *random.pick(SECOND)];
        let guard = *random.pick(GUARDS);
        let weights = [(); 2].map(|()| *random.pick(WEIGHTS));
        let values = [(); 2].map(|()| *random.pick(VALUES));
        Self { draws, guard, weights, values }
    }

    fn program(&self, scored: bool) -> String {
        let [x, y] = self.draws.map(|(text, _)| text);
        let [inside, outside] = self.values.map(|(text, _)| text);
        let score = |(text, _): Map| if scored { format!("score ({text})") } else { "return ()".to_owned() };
        let [first, second] = self.weights.map(score);
        let guard = self.guard.0;
        format!(
            "do {{ x <- sample ({x}); y <- sample ({y}); if {guard} > 0 then {first} else {second}; \
             return (if {guard} > 0 then {inside} else {outside}) }}"
        )
    }

    /// The mean of the weight, and of weight times value, each with its standard error, by samples.
    fn sampled(&self, count: u32, mut random: Random) -> [(f64, f64); 2] {
        let mut sums = [[0.0; 2]; 2];
        for _ in 0..count {
            let x = (self.draws[0].1)(0.0, &mut random);
            let y = (self.draws[1].1)(x, &mut random);
            let side = usize::from((self.guard.1)(x, y) <= 0.0);
            let weight = (self.weights[side].1)(x, y);
            for (sum, own) in sums.iter_mut().zip([weight, weight * (self.values[side].1)(x, y)]) {
                sum[0] += own;
                sum[1] += own * own;
            }
        }
        let count = f64::from(count);
        sums.map(|[sum, squares]| {
            let mean = sum / count;
            (mean, ((squares / count - mean * mean).max(0.0) / count).sqrt())
        })
    }
}

/// Which of some models contradict their samples, and of how many answers little is known.
fn contradicted(models: u64, seed: u64, samples: u32) -> (Vec<String>, u64) {
    let (mut found, mut unknown) = (Vec::new(), 0);
    for index in 0..models {
        let model = Model::of(Random::of(seed, index));
        let program = model.program(true);
        let ask = Ask { eps: "0.02", seconds: 10, ..PLAIN };
        let masses = asked(&program, None, ask).unwrap_or_else(|fault| panic!("{program}: {fault}"));
        let means = asked(&program, Some("\\z => z"), ask).unwrap_or_else(|fault| panic!("{program}: {fault}"));
        let [(mass, mass_error), (sum, sum_error)] = model.sampled(samples, Random::of(seed + 1, index));
        // the quotient, with the errors of both added
        let (mean, error) = (sum / mass, (sum_error + (sum / mass).abs() * mass_error) / mass);
        for (answer, number, error) in [(masses, mass, mass_error), (means, mean, error)] {
            let [lo, hi] = [answer.enclosure.lo(), answer.enclosure.hi()].map(|end| end.to_f64());
            unknown += u64::from(!answer.enclosure.is_defined() || hi - lo > 0.1);
            let slack = 6.0 * error + 1e-12;
            if answer.enclosure.is_defined() && (number > hi + slack || number < lo - slack) {
                found.push(format!("{program}: {}, and by samples {number} ± {error}", answer.enclosure));
            }
        }
    }
    (found, unknown)
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn random_models_agree_with_samples() {
    let (models, seed) = (number("MODELS", 3), number("SEED", 1));
    let (found, unknown) = contradicted(models, seed, 40_000);
    assert!(found.is_empty(), "{}", found.join("\n"));
    println!("{models} models, {unknown} of {} answers unknown", 2 * models);
    assert!(5 * unknown <= 2 * models, "of {unknown} answers of {models} models nothing is known");
}

/// A program that ends, without scores, has the mass 1, whatever borders cut it.
#[test]
fn the_mass_without_scores_contains_one() {
    for index in 0..number("MODELS", 3) {
        let program = Model::of(Random::of(number("SEED", 5), index)).program(false);
        let answer = asked(&program, None, Ask { eps: "0.01", seconds: 10, ..PLAIN }).expect("an answer");
        assert!(answer.enclosure.contains(&1.into()), "{program}: {}", answer.enclosure);
    }
}
