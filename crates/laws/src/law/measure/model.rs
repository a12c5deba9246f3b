//! Random programs that sample, as texts and on plain `f64`: means by samples and by quadrature, by code that shares nothing with what is certified.
//!
//! | distribution | is a map of a standard draw z |
//! |---|---|
//! | `uniformOn a b`, `normal m s`, `exponential r` | a + (b - a) z, m + s z, z/r |
//! | `gamma 2 r`, `beta 2 2` | z/r, z, of the densities z e^(-z), 6 z (1 - z) |

use crate::random::Random;
use std::f64::consts::TAU;

/// A map of both draws: how it is written, and what it is; it mentions the second where it is written with a y.
type Map = (&'static str, fn(f64, f64) -> f64);

/// How a standard draw is spread.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Standard {
    Unit,
    Normal,
    Exponential,
    Gamma,
    Beta,
}

/// A draw, given what was drawn before: how it is written, and as a map of a standard draw.
type Draw = (&'static str, Standard, fn(f64, f64) -> f64);

const FIRST: &[Draw] = &[
    ("uniformOn 0 1", Standard::Unit, |_, z| z),
    ("uniformOn (-1) 2", Standard::Unit, |_, z| 3.0 * z - 1.0),
    ("normal 0 1", Standard::Normal, |_, z| z),
    ("normal 0.5 0.5", Standard::Normal, |_, z| 0.5 + 0.5 * z),
    ("exponential 2", Standard::Exponential, |_, z| z / 2.0),
    ("gamma 2 3", Standard::Gamma, |_, z| z / 3.0),
    ("beta 2 2", Standard::Beta, |_, z| z),
];
const SECOND: &[Draw] = &[
    ("uniformOn 0 1", Standard::Unit, |_, z| z),
    ("uniformOn (-1) 1", Standard::Unit, |_, z| 2.0 * z - 1.0),
    ("normal 0 1", Standard::Normal, |_, z| z),
    ("exponential 1", Standard::Exponential, |_, z| z),
];
/// From what was drawn before.
const DEPENDENT: &[Draw] = &[
    ("normal x 1", Standard::Normal, |x, z| x + z),
    ("normal 0 (exp (x / 2))", Standard::Normal, |x, z| (x / 2.0).exp() * z),
    ("normal x (0.5 + abs x)", Standard::Normal, |x, z| x + (0.5 + x.abs()) * z),
    ("uniformOn x (x + 1)", Standard::Unit, |x, z| x + z),
    ("uniformOn (x - abs x) 1", Standard::Unit, |x, z| {
        let a = x - x.abs();
        a + (1.0 - a) * z
    }),
    ("exponential (1 + x^2)", Standard::Exponential, |x, z| z / (1.0 + x * x)),
];
const GUARDS: &[Map] = &[
    ("x + y - 0.7", |x, y| x + y - 0.7),
    ("x - 2 * y", |x, y| x - 2.0 * y),
    ("x * y - 0.2", |x, y| x * y - 0.2),
    ("x^2 + y^2 - 1", |x, y| x * x + y * y - 1.0),
    ("y - x^2", |x, y| y - x * x),
    ("x - 0.4", |x, _| x - 0.4),
    ("exp x - 1.5", |x, _| x.exp() - 1.5),
];
const WEIGHTS: &[Map] = &[
    ("1", |_, _| 1.0),
    ("0", |_, _| 0.0),
    ("exp (- (x - y)^2)", |x, y| (-(x - y).powi(2)).exp()),
    ("1 / (1 + exp (y - x))", |x, y| 1.0 / (1.0 + (y - x).exp())),
    ("exp (- x^2 / 2)", |x, _| (-x * x / 2.0).exp()),
    ("1 / (2 + sin x)", |x, _| 1.0 / (2.0 + x.sin())),
];
const VALUES: &[Map] = &[
    ("x", |x, _| x),
    ("x * y", |x, y| x * y),
    ("1", |_, _| 1.0),
    ("x^2 + y", |x, y| x * x + y),
    ("sin x", |x, _| x.sin()),
];
const COINS: &[(&str, f64)] = &[("0.3", 0.3), ("1/2", 0.5), ("0.9", 0.9)];

/// A random program: one or two real draws, a coin perhaps, a guard that decides between two weights and two values,
/// and a second weight.
#[derive(Clone, Debug)]
pub struct Model {
    draws: Vec<Draw>,
    /// Whether the second is drawn from what the first was.
    pub is_dependent: bool,
    coin: Option<(&'static str, f64)>,
    guard: Option<Map>,
    weights: Option<[Map; 2]>,
    values: [Map; 2],
}

/// One of these that both draws are there for.
fn picked(random: &mut Random, among: &[Map], has_second: bool) -> Map {
    let fit: Vec<Map> = among.iter().copied().filter(|(text, _)| has_second || !text.contains('y')).collect();
    *random.pick(&fit)
}

impl Model {
    /// The program of a stream of random numbers, with scores or without.
    #[must_use]
    pub fn of(mut random: Random, may_score: bool) -> Self {
        let random = &mut random;
        let mut draws = vec![*random.pick(FIRST)];
        let is_dependent = random.chance(35);
        if is_dependent || random.chance(50) {
            draws.push(*random.pick(if is_dependent { DEPENDENT } else { SECOND }));
        }
        let second = draws.len() > 1;
        let coin = random.chance(25).then(|| *random.pick(COINS));
        let guard = random.chance(70).then(|| picked(random, GUARDS, second));
        let scores = may_score && random.chance(70);
        let weights = scores.then(|| [(); 2].map(|()| picked(random, WEIGHTS, second)));
        let values = [(); 2].map(|()| picked(random, VALUES, second));
        Self { draws, is_dependent, coin, guard, weights, values }
    }

    /// How many real numbers it draws.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.draws.len()
    }

    /// Whether it decides by what was drawn.
    #[must_use]
    pub fn has_guard(&self) -> bool {
        self.guard.is_some()
    }

    /// Whether it weighs its runs.
    #[must_use]
    pub fn has_scores(&self) -> bool {
        self.weights.is_some()
    }

    /// Whether a truth value is drawn.
    #[must_use]
    pub fn has_coin(&self) -> bool {
        self.coin.is_some()
    }

    /// What it is, of one guard.
    fn chosen(&self, [first, second]: &[Map; 2], wrap: &str) -> String {
        match &self.guard {
            Some((guard, _)) => format!("if {guard} > 0 then {wrap}({}) else {wrap}({})", first.0, second.0),
            None => format!("{wrap}({})", first.0),
        }
    }

    /// The program, of type `P Real`.
    #[must_use]
    pub fn program(&self) -> String {
        let mut text = String::from("do { ");
        for (name, (draw, ..)) in ["x", "y"].iter().zip(&self.draws) {
            text += &format!("{name} <- sample ({draw}); ");
        }
        if let Some((chance, _)) = self.coin {
            text += &format!("b <- sample (bernoulli ({chance})); ");
        }
        if let Some(weights) = &self.weights {
            text += &format!("{}; score 0.5; ", self.chosen(weights, "score "));
        }
        let value = self.chosen(&self.values, "");
        match self.coin {
            Some(_) => text + &format!("return (if b then ({value}) else 1 - ({value})) }}"),
            None => text + &format!("return ({value}) }}"),
        }
    }

    /// The weight, and weight times value, in the mean over the coin.
    fn at(&self, x: f64, y: f64) -> [f64; 2] {
        let side = usize::from(self.guard.is_some_and(|(_, guard)| guard(x, y) <= 0.0));
        let weight = self.weights.map_or(1.0, |weights| 0.5 * (weights[side].1)(x, y));
        let value = (self.values[side].1)(x, y);
        let value = self.coin.map_or(value, |(_, p)| p * value + (1.0 - p) * (1.0 - value));
        [weight, weight * value]
    }

    fn second(&self, x: f64, z: f64) -> f64 {
        self.draws.get(1).map_or(0.0, |(_, _, place)| place(x, z))
    }

    /// The mean of the weight, and of weight times value, each with its standard error, by samples.
    #[must_use]
    pub fn sampled(&self, count: u32, mut random: Random) -> [[f64; 2]; 2] {
        let mut sums = [[0.0; 2]; 2];
        for _ in 0..count {
            let x = (self.draws[0].2)(0.0, self.draws[0].1.drawn(&mut random));
            let y = self.draws.get(1).map_or(0.0, |(_, standard, place)| place(x, standard.drawn(&mut random)));
            for (sum, own) in sums.iter_mut().zip(self.at(x, y)) {
                sum[0] += own;
                sum[1] += own * own;
            }
        }
        let count = f64::from(count);
        sums.map(|[sum, squares]| {
            let mean = sum / count;
            [mean, ((squares / count - mean * mean).max(0.0) / count).sqrt()]
        })
    }

    /// The same with how far off they may be, by Gauss's rule on panels whose ends are where the guard changes its sign.
    #[must_use]
    pub fn integrated(&self) -> [[f64; 2]; 2] {
        let [coarse, middle, fine] = PANELS.map(|panels| self.rule(panels));
        // two rules may be near each other by chance where a border comes in as a square root, three are not
        let apart = |i: usize| (fine[i] - middle[i]).abs().max((middle[i] - coarse[i]).abs());
        let error = |i: usize| 10.0 * apart(i) + 1e-6 * (1.0 + fine[i].abs());
        [[fine[0], error(0)], [fine[1], error(1)]]
    }

    fn rule(&self, panels: usize) -> [f64; 2] {
        let (_, outer, place) = self.draws[0];
        let inner = self.draws.get(1).map(|(_, standard, _)| *standard);
        let guard = self.guard.map(|(_, guard)| guard);
        // a border that comes in at an end of the other draw
        let edges = inner.map_or([0.0; 3], |standard| {
            let [a, b] = standard.ends();
            [a, f64::midpoint(a, b), b]
        });
        let at_edge =
            |edge: f64| move |z: f64| guard.map_or(1.0, |guard| guard(place(0.0, z), self.second(place(0.0, z), edge)));
        let of_outer: Vec<_> = edges.iter().map(|edge| at_edge(*edge)).collect();
        let of_outer: Vec<&dyn Fn(f64) -> f64> = of_outer.iter().map(|f| f as &dyn Fn(f64) -> f64).collect();
        over(outer, panels, &of_outer, &|z| {
            let x = place(0.0, z);
            match inner {
                None => self.at(x, 0.0),
                Some(standard) => {
                    let side = |z: f64| guard.map_or(1.0, |guard| guard(x, self.second(x, z)));
                    over(standard, panels, &[&side], &|z| self.at(x, self.second(x, z)))
                }
            }
        })
    }
}

/// How many panels rules have at least.
const PANELS: [usize; 3] = [16, 27, 45];
/// Into how many parts each is divided to look for a change of sign.
const PARTS: usize = 4;
/// Gauss's rule of five points on [-1, 1]: where, and how much.
const GAUSS: [[f64; 2]; 5] = [
    [0.0, 0.568_888_888_888_888_9],
    [0.538_469_310_105_683_1, 0.478_628_670_499_366_47],
    [-0.538_469_310_105_683_1, 0.478_628_670_499_366_47],
    [0.906_179_845_938_664, 0.236_926_885_056_189_08],
    [-0.906_179_845_938_664, 0.236_926_885_056_189_08],
];

/// The mean of a pair over a standard draw.
fn over(standard: Standard, panels: usize, guards: &[&dyn Fn(f64) -> f64], f: &dyn Fn(f64) -> [f64; 2]) -> [f64; 2] {
    let [a, b] = standard.ends();
    let place = |i: usize, of: usize| a + (b - a) * i as f64 / of as f64;
    let mut ends: Vec<f64> = (0..=panels).map(|i| place(i, panels)).collect();
    let parts = PARTS * panels;
    for guard in guards {
        for i in 0..parts {
            let (mut left, mut right) = (place(i, parts), place(i + 1, parts));
            let sign = guard(left) > 0.0;
            if sign == (guard(right) > 0.0) {
                continue;
            }
            for _ in 0..60 {
                let middle = f64::midpoint(left, right);
                *(if (guard(middle) > 0.0) == sign { &mut left } else { &mut right }) = middle;
            }
            ends.push(right);
        }
    }
    ends.sort_by(f64::total_cmp);
    let mut sums = [0.0; 2];
    for pair in ends.windows(2) {
        let (middle, half) = (f64::midpoint(pair[0], pair[1]), (pair[1] - pair[0]) / 2.0);
        for [node, weight] in GAUSS {
            let z = middle + half * node;
            let scale = half * weight * standard.density(z);
            sums.iter_mut().zip(f(z)).for_each(|(sum, own)| *sum += scale * own);
        }
    }
    sums
}

fn unit(random: &mut Random) -> f64 {
    ((random.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

impl Standard {
    fn drawn(self, random: &mut Random) -> f64 {
        match self {
            Self::Unit => unit(random),
            Self::Normal => (-2.0 * unit(random).ln()).sqrt() * (TAU * unit(random)).cos(),
            Self::Exponential => -unit(random).ln(),
            Self::Gamma => -(unit(random) * unit(random)).ln(),
            Self::Beta => {
                // the second of three
                let mut three = [unit(random), unit(random), unit(random)];
                three.sort_by(f64::total_cmp);
                three[1]
            }
        }
    }

    fn density(self, z: f64) -> f64 {
        match self {
            Self::Unit => 1.0,
            Self::Normal => (-z * z / 2.0).exp() / TAU.sqrt(),
            Self::Exponential => (-z).exp(),
            Self::Gamma => z * (-z).exp(),
            Self::Beta => 6.0 * z * (1.0 - z),
        }
    }

    /// Where all of it is that a double sees.
    fn ends(self) -> [f64; 2] {
        match self {
            Self::Unit | Self::Beta => [0.0, 1.0],
            Self::Normal => [-10.0, 10.0],
            Self::Exponential | Self::Gamma => [0.0, 48.0],
        }
    }
}
