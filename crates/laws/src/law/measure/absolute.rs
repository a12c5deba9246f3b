//! Absolute convergence of means: a mean is claimed only where that of the absolute value is finite, in every order of
//! draws.
//!
//! The draws are x and y = x·v, where the density of x is a power of x near 0 and v is uniform. The integrand is a
//! polynomial over a power `xᵏ`. Its part of degree d contributes `∫ xᵃ⁺ᵈ⁻ᵏ dx·E p_d(v)`, and `E |p_d(v)|` is positive.
//! So a mean exists where a + d − k > −1 for the least d. In half of the samples `E p_d(v) = 0` for that d. Then
//! iterated integrals have values whether there is a mean or not.

use super::{ProgramReader, ask_measure_within};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::verdict::Verdict;
use crate::wrong::MeasureMutationHooks;
use std::time::Duration;

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
pub(super) fn means_are_absolute(
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
