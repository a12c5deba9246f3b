//! Random probabilistic programs, as texts and in plain `f64`. Means by samples and by quadrature are independent of
//! the certified semantics.
//!
//! | distribution | is a map of a standard draw z |
//! |---|---|
//! | `uniformOn a b`, `normal m s`, `exponential r` | a + (b - a) z, m + s z, z/r |
//! | `gamma 2 r`, `beta 2 2` | z/r, z, of the densities z e^(-z), 6 z (1 - z) |

use crate::random::SplitMix64;
use std::f64::consts::TAU;

/// A function of both draws, as text and as code. The text contains a `y` if it uses the second draw.
type BivariateFunction = (&'static str, fn(f64, f64) -> f64);

/// The distribution of a standard draw z.
#[derive(Clone, Copy, Debug, PartialEq)]
enum StandardDraw {
    Unit,
    Normal,
    Exponential,
    Gamma,
    Beta,
}

/// A draw, given the earlier one: its text, its standard draw, and the map of that.
type DrawSpec = (&'static str, StandardDraw, fn(f64, f64) -> f64);

/// The distributions of the first draw.
const FIRST_DRAWS: &[DrawSpec] = &[
    ("uniformOn 0 1", StandardDraw::Unit, |_, z| z),
    ("uniformOn (-1) 2", StandardDraw::Unit, |_, z| 3.0 * z - 1.0),
    ("normal 0 1", StandardDraw::Normal, |_, z| z),
    ("normal 0.5 0.5", StandardDraw::Normal, |_, z| 0.5 + 0.5 * z),
    ("exponential 2", StandardDraw::Exponential, |_, z| z / 2.0),
    ("gamma 2 3", StandardDraw::Gamma, |_, z| z / 3.0),
    ("beta 2 2", StandardDraw::Beta, |_, z| z),
];
/// The distributions of a second draw that is independent of the first.
const SECOND_DRAWS: &[DrawSpec] = &[
    ("uniformOn 0 1", StandardDraw::Unit, |_, z| z),
    ("uniformOn (-1) 1", StandardDraw::Unit, |_, z| 2.0 * z - 1.0),
    ("normal 0 1", StandardDraw::Normal, |_, z| z),
    ("exponential 1", StandardDraw::Exponential, |_, z| z),
];
/// The distributions of a second draw that depends on the first.
const DEPENDENT_DRAWS: &[DrawSpec] = &[
    ("normal x 1", StandardDraw::Normal, |x, z| x + z),
    ("normal 0 (exp (x / 2))", StandardDraw::Normal, |x, z| (x / 2.0).exp() * z),
    ("normal x (0.5 + abs x)", StandardDraw::Normal, |x, z| x + (0.5 + x.abs()) * z),
    ("uniformOn x (x + 1)", StandardDraw::Unit, |x, z| x + z),
    ("uniformOn (x - abs x) 1", StandardDraw::Unit, |x, z| {
        let a = x - x.abs();
        a + (1.0 - a) * z
    }),
    ("exponential (1 + x^2)", StandardDraw::Exponential, |x, z| z / (1.0 + x * x)),
];
/// The guards: lines, curves, and functions of the first draw alone.
const GUARDS: &[BivariateFunction] = &[
    ("x + y - 0.7", |x, y| x + y - 0.7),
    ("x - 2 * y", |x, y| x - 2.0 * y),
    ("x * y - 0.2", |x, y| x * y - 0.2),
    ("x^2 + y^2 - 1", |x, y| x * x + y * y - 1.0),
    ("y - x^2", |x, y| y - x * x),
    ("x - 0.4", |x, _| x - 0.4),
    ("exp x - 1.5", |x, _| x.exp() - 1.5),
];
/// The weights, among them 0 and 1.
const WEIGHTS: &[BivariateFunction] = &[
    ("1", |_, _| 1.0),
    ("0", |_, _| 0.0),
    ("exp (- (x - y)^2)", |x, y| (-(x - y).powi(2)).exp()),
    ("1 / (1 + exp (y - x))", |x, y| 1.0 / (1.0 + (y - x).exp())),
    ("exp (- x^2 / 2)", |x, _| (-x * x / 2.0).exp()),
    ("1 / (2 + sin x)", |x, _| 1.0 / (2.0 + x.sin())),
];
/// The values of programs.
const VALUES: &[BivariateFunction] = &[
    ("x", |x, _| x),
    ("x * y", |x, y| x * y),
    ("1", |_, _| 1.0),
    ("x^2 + y", |x, y| x * x + y),
    ("sin x", |x, _| x.sin()),
];
/// The probabilities of a coin.
const COINS: &[(&str, f64)] = &[("0.3", 0.3), ("1/2", 0.5), ("0.9", 0.9)];

/// A random program: one or two real draws, a coin perhaps, a guard that decides between two weights and two values,
/// and a second weight.
#[derive(Clone, Debug)]
pub struct RandomModel {
    draws: Vec<DrawSpec>,
    /// `true` if the second draw depends on the first.
    pub is_dependent: bool,
    coin: Option<(&'static str, f64)>,
    guard: Option<BivariateFunction>,
    weights: Option<[BivariateFunction; 2]>,
    values: [BivariateFunction; 2],
}

/// Picks a function that uses no more draws than there are.
fn pick_function(random: &mut SplitMix64, among: &[BivariateFunction], has_second: bool) -> BivariateFunction {
    let fit: Vec<BivariateFunction> =
        among.iter().copied().filter(|(text, _)| has_second || !text.contains('y')).collect();
    *random.pick(&fit)
}

impl RandomModel {
    /// Draws the program of a stream of random numbers; with scores only if `may_score`.
    #[must_use]
    pub fn draw_model(mut random: SplitMix64, may_score: bool) -> Self {
        let random = &mut random;
        let mut draws = vec![*random.pick(FIRST_DRAWS)];
        let is_dependent = random.random_bool(35);
        if is_dependent || random.random_bool(50) {
            draws.push(*random.pick(if is_dependent { DEPENDENT_DRAWS } else { SECOND_DRAWS }));
        }
        let second = draws.len() > 1;
        let coin = random.random_bool(25).then(|| *random.pick(COINS));
        let guard = random.random_bool(70).then(|| pick_function(random, GUARDS, second));
        let scores = may_score && random.random_bool(70);
        let weights = scores.then(|| [(); 2].map(|()| pick_function(random, WEIGHTS, second)));
        let values = [(); 2].map(|()| pick_function(random, VALUES, second));
        Self { draws, is_dependent, coin, guard, weights, values }
    }

    /// Returns the number of real draws, 1 or 2.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.draws.len()
    }

    /// Returns `true` if a guard decides by the draws.
    #[must_use]
    pub fn has_guard(&self) -> bool {
        self.guard.is_some()
    }

    /// Returns `true` if the runs have weights.
    #[must_use]
    pub fn has_scores(&self) -> bool {
        self.weights.is_some()
    }

    /// Returns `true` if a truth value is drawn.
    #[must_use]
    pub fn has_coin(&self) -> bool {
        self.coin.is_some()
    }

    /// Prints the choice of the guard between two functions, each after `wrap`; the first one if there is no guard.
    fn print_choice(&self, [first, second]: &[BivariateFunction; 2], wrap: &str) -> String {
        match &self.guard {
            Some((guard, _)) => format!("if {guard} > 0 then {wrap}({}) else {wrap}({})", first.0, second.0),
            None => format!("{wrap}({})", first.0),
        }
    }

    /// Prints the program, of type `P Real`.
    #[must_use]
    pub fn print_program(&self) -> String {
        let mut text = String::from("do { ");
        for (name, (draw, ..)) in ["x", "y"].iter().zip(&self.draws) {
            text += &format!("{name} <- sample ({draw}); ");
        }
        if let Some((chance, _)) = self.coin {
            text += &format!("b <- sample (bernoulli ({chance})); ");
        }
        if let Some(weights) = &self.weights {
            text += &format!("{}; score 0.5; ", self.print_choice(weights, "score "));
        }
        let value = self.print_choice(&self.values, "");
        match self.coin {
            Some(_) => text + &format!("return (if b then ({value}) else 1 - ({value})) }}"),
            None => text + &format!("return ({value}) }}"),
        }
    }

    /// Returns the weight, and weight times value, both averaged over the coin.
    fn weighted_value(&self, x: f64, y: f64) -> [f64; 2] {
        let side = usize::from(self.guard.is_some_and(|(_, guard)| guard(x, y) <= 0.0));
        let weight = self.weights.map_or(1.0, |weights| 0.5 * (weights[side].1)(x, y));
        let value = (self.values[side].1)(x, y);
        let value = self.coin.map_or(value, |(_, p)| p * value + (1.0 - p) * (1.0 - value));
        [weight, weight * value]
    }

    /// Returns the second draw; 0 if there is none.
    fn second_draw(&self, x: f64, z: f64) -> f64 {
        self.draws.get(1).map_or(0.0, |(_, _, place)| place(x, z))
    }

    /// Estimates the means of the weight and of weight times value by samples, each with its standard error.
    #[must_use]
    pub fn estimate_by_samples(&self, count: u32, mut random: SplitMix64) -> [[f64; 2]; 2] {
        let mut sums = [[0.0; 2]; 2];
        for _ in 0..count {
            let x = (self.draws[0].2)(0.0, self.draws[0].1.draw_standard(&mut random));
            let y = self.draws.get(1).map_or(0.0, |(_, standard, place)| place(x, standard.draw_standard(&mut random)));
            for (sum, own) in sums.iter_mut().zip(self.weighted_value(x, y)) {
                sum[0] += own;
                sum[1] += own * own;
            }
        }
        let count = f64::from(count);
        sums.map(|[sum, squares]| {
            let mean = sum / count;
            // the variance may come out slightly negative by rounding
            [mean, ((squares / count - mean * mean).max(0.0) / count).sqrt()]
        })
    }

    /// Integrates the same means by Gauss's rule, each with an estimate of its error. Panels end where the guard
    /// changes its sign.
    #[must_use]
    pub fn integrate_by_quadrature(&self) -> [[f64; 2]; 2] {
        let [coarse, middle, fine] = PANEL_COUNTS.map(|panels| self.gauss_rule(panels));
        // a border may enter like a square root: two rules may then agree by chance, three do not
        let apart = |i: usize| (fine[i] - middle[i]).abs().max((middle[i] - coarse[i]).abs());
        // a choice: ten times the spread of the three rules, and a little for rounding
        let error = |i: usize| 10.0 * apart(i) + 1e-6 * (1.0 + fine[i].abs());
        [[fine[0], error(0)], [fine[1], error(1)]]
    }

    /// Integrates with at least this many panels in each draw.
    fn gauss_rule(&self, panels: usize) -> [f64; 2] {
        let (_, outer, place) = self.draws[0];
        let inner = self.draws.get(1).map(|(_, standard, _)| *standard);
        let guard = self.guard.map(|(_, guard)| guard);
        // borders that meet an end or the middle of the inner draw make kinks in the outer integrand, so panels end
        // there too
        let edges = inner.map_or([0.0; 3], |standard| {
            let [a, b] = standard.effective_support();
            [a, f64::midpoint(a, b), b]
        });
        let at_edge = |edge: f64| {
            move |z: f64| guard.map_or(1.0, |guard| guard(place(0.0, z), self.second_draw(place(0.0, z), edge)))
        };
        let of_outer: Vec<_> = edges.iter().map(|edge| at_edge(*edge)).collect();
        let of_outer: Vec<&dyn Fn(f64) -> f64> = of_outer.iter().map(|f| f as &dyn Fn(f64) -> f64).collect();
        integrate_over(outer, panels, &of_outer, &|z| {
            let x = place(0.0, z);
            match inner {
                None => self.weighted_value(x, 0.0),
                Some(standard) => {
                    let side = |z: f64| guard.map_or(1.0, |guard| guard(x, self.second_draw(x, z)));
                    integrate_over(standard, panels, &[&side], &|z| self.weighted_value(x, self.second_draw(x, z)))
                }
            }
        })
    }
}

/// The least numbers of panels of the three rules. A choice: no common factor, so that no node is shared by chance.
const PANEL_COUNTS: [usize; 3] = [16, 27, 45];
/// The number of parts of a panel that are searched for a change of sign. A choice.
const PARTS_PER_PANEL: usize = 4;
/// The nodes and weights of Gauss's rule with five points on [−1, 1].
const GAUSS: [[f64; 2]; 5] = [
    [0.0, 0.568_888_888_888_888_9],
    [0.538_469_310_105_683_1, 0.478_628_670_499_366_47],
    [-0.538_469_310_105_683_1, 0.478_628_670_499_366_47],
    [0.906_179_845_938_664, 0.236_926_885_056_189_08],
    [-0.906_179_845_938_664, 0.236_926_885_056_189_08],
];

/// Integrates a pair of functions against the density of a standard draw. Panels also end at sign changes of the
/// `guards`.
fn integrate_over(
    standard: StandardDraw,
    panels: usize,
    guards: &[&dyn Fn(f64) -> f64],
    f: &dyn Fn(f64) -> [f64; 2],
) -> [f64; 2] {
    let [a, b] = standard.effective_support();
    let place = |i: usize, of: usize| a + (b - a) * i as f64 / of as f64;
    let mut ends: Vec<f64> = (0..=panels).map(|i| place(i, panels)).collect();
    let parts = PARTS_PER_PANEL * panels;
    for guard in guards {
        for i in 0..parts {
            let (mut left, mut right) = (place(i, parts), place(i + 1, parts));
            let sign = guard(left) > 0.0;
            if sign == (guard(right) > 0.0) {
                continue;
            }
            // 60 halvings exhaust the bits of a double
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

/// Draws a uniform number in (0, 1). Neither end occurs, so logarithms are finite.
fn unit_random(random: &mut SplitMix64) -> f64 {
    ((random.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

impl StandardDraw {
    /// Draws a number of the standard distribution.
    fn draw_standard(self, random: &mut SplitMix64) -> f64 {
        match self {
            Self::Unit => unit_random(random),
            // Box and Muller
            Self::Normal => (-2.0 * unit_random(random).ln()).sqrt() * (TAU * unit_random(random)).cos(),
            Self::Exponential => -unit_random(random).ln(),
            // the sum of two exponential draws
            Self::Gamma => -(unit_random(random) * unit_random(random)).ln(),
            Self::Beta => {
                // the median of three uniform draws has the distribution beta 2 2
                let mut three = [unit_random(random), unit_random(random), unit_random(random)];
                three.sort_by(f64::total_cmp);
                three[1]
            }
        }
    }

    /// Returns the density at `z`, which must lie between the ends.
    fn density(self, z: f64) -> f64 {
        match self {
            Self::Unit => 1.0,
            Self::Normal => (-z * z / 2.0).exp() / TAU.sqrt(),
            Self::Exponential => (-z).exp(),
            Self::Gamma => z * (-z).exp(),
            Self::Beta => 6.0 * z * (1.0 - z),
        }
    }

    /// Returns the interval outside of which the density is below the rounding errors of a double.
    fn effective_support(self) -> [f64; 2] {
        match self {
            Self::Unit | Self::Beta => [0.0, 1.0],
            Self::Normal => [-10.0, 10.0],
            Self::Exponential | Self::Gamma => [0.0, 48.0],
        }
    }
}
