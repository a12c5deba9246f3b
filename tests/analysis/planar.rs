//! The angle of a point: the tightest hull on every box, all derivatives off the ray where it jumps, and nothing claimed on it.

use crate::containment::sample::{Random, Tier, interval, part_of};
use rug::Float;
use rug::float::Round;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::real::RefinedEnclosure;
use smoothish::number::{Context, Double, Enclosure, Mpfr, Planar, Rational, decimal};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::smooth::algebra::{Algebra, AlgebraGenerator};
use smoothish::smooth::jet::{Jet, JetArithmetic};
use smoothish::smooth::tower::primitive;
use smoothish::value::Value;
use std::sync::LazyLock;

const INFINITY: f64 = f64::INFINITY;

/// y, x, and the angle. Computed by mpmath 1.3 with 500 digits, by `atan2` and as the imaginary part of the logarithm; 25 digits
/// are right.
const VALUES: &[(&str, &str, &str)] = &[
    ("1", "-1", "2.356194490192344928846983"),
    ("1e-300", "1", "1e-300"),
    ("-3e-20", "-7", "-3.141592653589793238458358"),
    ("3e-20", "-7", "3.141592653589793238458358"),
    ("1e-300", "-1e300", "3.141592653589793238462643"),
    ("2", "1e-20", "1.570796326794896619226322"),
    ("-2", "-1e-20", "-1.570796326794896619236322"),
    ("0.1", "0.7", "0.1418970546041639228128516"),
    ("-5", "0.3", "-1.510868171673688734799506"),
    ("1e200", "-3e200", "2.819842099193151045061239"),
    ("-1e-200", "2e-200", "-0.4636476090008061162142562"),
    ("1", "-1e40", "3.141592653589793238462643"),
];

fn rational(text: &str) -> Rational {
    decimal::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn exactly<C: Context>(c: &C, lo: f64, hi: f64) -> C::Num {
    c.round_enclosure(&Enclosure::new(Float::with_val(53, lo), Float::with_val(53, hi), true).unwrap())
}

/// Runs a check in both tiers.
macro_rules! in_both_tiers {
    ($check:ident) => {
        $check(&Double);
        $check(&Mpfr::new(53));
        $check(&Mpfr::new(200));
    };
}

#[test]
fn angles_are_enclosed_and_narrow() {
    fn check<C: Context>(c: &C) {
        for (y, x, angle) in VALUES {
            let angle = rational(angle);
            let value = c.to_enclosure(&c.apply_binary_function(
                Planar::Atan2,
                &c.enclose_rational(&rational(y)),
                &c.enclose_rational(&rational(x)),
            ));
            let slack = Rational::from(angle.abs_ref()) * rational("2e-24");
            let (least, greatest) = (Rational::from(&angle - &slack), Rational::from(&angle + &slack));
            assert!(value.is_defined() && *value.lo() <= greatest && *value.hi() >= least, "{y} {x}: {value:?}");
            let width = Rational::from(angle.abs_ref()) / (1_u64 << 50);
            assert!(value.has_width_at_most(&width), "{y} {x}: {value:?}");
            assert!(c.precision() < 100 || *value.lo() >= least && *value.hi() <= greatest, "{y} {x}: {value:?}");
        }
    }
    in_both_tiers!(check);
}

/// The angles at the corners, at 300 bits. A box without a point of the ray is convex and does not hold the origin, so that it
/// lies in the angle that its corners span.
fn spanned(y: &Enclosure, x: &Enclosure) -> (Float, Float) {
    let corners = [(y.lo(), x.lo()), (y.lo(), x.hi()), (y.hi(), x.lo()), (y.hi(), x.hi())];
    let angles = corners.map(|(y, x)| {
        // two infinite coordinates are no limit of angles, and never the least or the greatest one
        let both = y.is_infinite() && x.is_infinite();
        let at = |round| Float::with_val_round(300, y.atan2_ref(x), round).0;
        (!both).then(|| (at(Round::Down), at(Round::Up)))
    });
    let mut angles = angles.into_iter().flatten();
    let first = angles.next().expect("a corner");
    angles.fold(first, |(lo, hi), (a, b)| (lo.min(&a), hi.max(&b)))
}

#[test]
fn unbounded_boxes_have_their_limits() {
    fn check<C: Context>(c: &C) {
        let is = |y: (f64, f64), x: (f64, f64), lo: f64, hi: f64| {
            let found =
                c.to_enclosure(&c.apply_binary_function(Planar::Atan2, &exactly(c, y.0, y.1), &exactly(c, x.0, x.1)));
            let near = |found: &Float, wanted: f64| (found.to_f64() - wanted).abs() < 1e-15;
            assert!(found.is_defined() && near(found.lo(), lo) && near(found.hi(), hi), "{y:?} {x:?}: {found:?}");
        };
        use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
        is((1.0, INFINITY), (-INFINITY, INFINITY), 0.0, PI);
        is((-INFINITY, -1.0), (-INFINITY, INFINITY), -PI, 0.0);
        is((-INFINITY, INFINITY), (1.0, INFINITY), -FRAC_PI_2, FRAC_PI_2);
        is((1.0, INFINITY), (-1.0, -1.0), FRAC_PI_2, 3.0 * FRAC_PI_4);
        is((1.0, INFINITY), (1.0, 1.0), FRAC_PI_4, FRAC_PI_2);
        is((-INFINITY, -1.0), (1.0, INFINITY), -FRAC_PI_2, 0.0);
        is((-INFINITY, -1.0), (-INFINITY, -1.0), -PI, -FRAC_PI_2);
        is((0.0, INFINITY), (1.0, INFINITY), 0.0, FRAC_PI_2);
        is((0.0, 0.0), (1.0, INFINITY), 0.0, 0.0);
        // a box that touches the ray from above or from below
        is((0.0, 1.0), (-2.0, -1.0), -PI, PI);
        is((-1.0, 0.0), (-2.0, -1.0), -PI, PI);
        is((0.0, 0.0), (-1.0, -1.0), -PI, PI);
        is((5e-324, 1.0), (-2.0, -1.0), 3.0 * FRAC_PI_4, PI);
    }
    in_both_tiers!(check);
}

/// Every point at every scale takes a moment: quotients that overflow, underflow, or are exact.
#[test]
fn no_point_takes_long() {
    let c = Mpfr::new(128);
    let start = std::time::Instant::now();
    let ends = [-(1 << 29), -100_000, -1000, 0, 1000, 100_000, 1 << 29].map(|e| [-5, -3, -1, 1, 3].map(|m| (m, e)));
    let ends: Vec<Float> = ends.iter().flatten().map(|(m, e)| Float::with_val(128, Float::i_exp(*m, *e))).collect();
    let number = |x: &Float| c.round_enclosure(&Enclosure::point(x.clone()).unwrap());
    for y in &ends {
        for x in &ends {
            assert!(c.is_defined(&c.apply_binary_function(Planar::Atan2, &number(y), &number(x))));
        }
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// The derivatives of the angle of z + t·w at t = 0, up to an order: the imaginary parts of those of log, (-1)ᵏ⁻¹ (k - 1)! (w/z)ᵏ.
fn by_logarithm(c: &Mpfr, z: [i64; 2], w: [i64; 2], orders: usize) -> Vec<<Mpfr as Context>::Num> {
    // in exact rationals
    let complex = |z: [i64; 2]| z.map(Rational::from);
    let times = |[a, b]: &[Rational; 2], [p, q]: &[Rational; 2]| {
        [Rational::from(a * p) - Rational::from(b * q), Rational::from(a * q) + Rational::from(b * p)]
    };
    let norm = Rational::from(z[0] * z[0] + z[1] * z[1]);
    let quotient = times(&complex(w), &complex([z[0], -z[1]])).map(|part| part / &norm);
    let (mut power, mut factor) = (quotient.clone(), Rational::from(1));
    let mut found = Vec::new();
    for k in 1..=orders {
        found.push(c.enclose_rational(&Rational::from(&power[1] * &factor)));
        power = times(&power, &quotient);
        factor *= -(k as i64);
    }
    found
}

#[test]
fn derivatives_are_those_of_the_logarithm() {
    let c = Mpfr::new(160);
    let line = Algebra::real().adjoin(AlgebraGenerator::Direction(6)).expect("a small algebra");
    let jets = JetArithmetic { context: &c, algebra: &line, budget: None };
    let moving = |x: i64, v: i64| Jet::new([Some(c.enclose_integer(x)), (v != 0).then(|| c.enclose_integer(v))]);
    let tower = primitive::planar_tower(Planar::Atan2);
    for [x, y] in [[3, 2], [-3, 2], [-3, -1], [2, -5], [0, 1], [0, -2], [4, 0]] {
        for [dx, dy] in [[1, 0], [0, 1], [1, 1], [-2, 3]] {
            let expected = by_logarithm(&c, [x, y], [dx, dy], 6);
            let jet = jets.apply_binary(Planar::Atan2, &moving(y, dy), &moving(x, dx));
            let mut factorial = 1;
            for (k, expected) in (1..).zip(&expected) {
                factorial *= k;
                let zero = c.enclose_integer(0);
                let found = c.mul_integer(jet.get(k as usize).unwrap_or(&zero), factorial);
                let number = |n: i64| c.enclose_integer(n);
                let directions = vec![vec![number(dy), number(dx)]; k as usize];
                let by_tower = if k <= 5 {
                    tower.derivative(&[number(y), number(x)], &directions, &c).unwrap().swap_remove(0)
                } else {
                    found.clone()
                };
                for found in [found, by_tower] {
                    let (found, expected) = (c.to_enclosure(&found), c.to_enclosure(expected));
                    let narrow = found.has_width_at_most(&(Rational::from(1) >> 120_u32));
                    assert!(
                        found.is_defined() && narrow && found.overlaps(&expected),
                        "order {k} at ({x}, {y}) along ({dx}, {dy}): {found:?}, {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn no_derivative_is_claimed_where_a_box_meets_the_ray() {
    let c = Double;
    let plane = Algebra::real().adjoin(AlgebraGenerator::Direction(3)).expect("a small algebra");
    let jets = JetArithmetic { context: &c, algebra: &plane, budget: None };
    let tower = primitive::planar_tower(Planar::Atan2);
    let unit = || exactly(&c, 1.0, 1.0);
    let zero = || exactly(&c, 0.0, 0.0);
    for (y, x) in [
        ((0.0, 0.0), (-1.0, -1.0)),
        ((0.0, 0.5), (-1.0, -1.0)),
        ((-0.5, 0.0), (-2.0, -1.0)),
        ((-1.0, 1.0), (-2.0, -1.0)),
        ((0.0, 0.0), (0.0, 0.0)),
        ((-1.0, 1.0), (-1.0, 1.0)),
        ((0.0, 1.0), (0.0, 1.0)),
    ] {
        let (y, x) = (exactly(&c, y.0, y.1), exactly(&c, x.0, x.1));
        for (dy, dx) in [(Some(unit()), None), (None, Some(unit())), (Some(unit()), Some(unit()))] {
            let [a, b] = [(&y, &dy), (&x, &dx)].map(|(x, v)| Jet::new([Some(*x), *v]));
            let jet = jets.apply_binary(Planar::Atan2, &a, &b);
            for order in 1..=3 {
                let found = jet.get(order).map(|c| Double.to_enclosure(c));
                assert!(found.is_some_and(|e| e.is_bottom() && !e.is_defined()), "jet of order {order}, {y:?}, {x:?}");
                let direction = vec![dy.unwrap_or_else(zero), dx.unwrap_or_else(zero)];
                let found = tower.derivative(&[y, x], &vec![direction; order], &c).unwrap();
                assert!(c.to_enclosure(&found[0]).is_bottom(), "tower of order {order}, {y:?}, {x:?}");
            }
        }
    }
}

static SESSION: LazyLock<Session> = LazyLock::new(Session::new);

fn ask(question: &str) -> RefinedEnclosure {
    let limits = Limits { work: Some(40_000_000), ..Limits::none() };
    let answer = SESSION.ask(&Evaluate::new(question).with_width("1e-6"), &limits);
    match answer.unwrap_or_else(|e| panic!("{question}: {e}")).into_value() {
        Value::Real(AnswerNumber::Enclosure(found)) => *found,
        other => panic!("{question}: {other:?}"),
    }
}

/// Whether the enclosure of a number holds what lies between two others, and is certainly defined.
fn holds(question: &str, lo: &str, hi: &str) {
    let found = ask(question).enclosure;
    let holds = *found.lo() <= rational(lo) && *found.hi() >= rational(hi) && found.is_defined();
    assert!(holds && found.has_width_at_most(&rational("1e-5")), "{question}: {found:?}");
}

/// Across the jump: ∫ from -1/3 to 2/3 of ±π - arctan s, by the antiderivative of arctan; the heights ±π, which are limits;
/// the place of the jump, where the heights of the hull begin and end.
#[test]
fn what_solvers_find_across_the_jump_is_right() {
    holds("integral01 (\\s => atan2 (s - 1/2) (-1))", "0", "0");
    let parts = "\\s => s * atan s - log (1 + s^2) / 2";
    holds(
        &format!("integral01 (\\s => atan2 (s - 1/3) (-1)) - (pi / 3 - (({parts}) (2/3) - ({parts}) (-1/3)))"),
        "0",
        "0",
    );
    // a saw: the angle of 20 s, whole turns aside, whose integral is that of the last tooth
    holds("integral01 (\\s => atan2 (sin (20 * s)) (cos (20 * s))) - (20 - 6 * pi)^2 / 40", "0", "0");
    // by mpmath's quadrature, in pieces
    holds("integral01 (\\s => atan2 (s - 1/4) (s - 1/2))", "0.455134314020373", "0.455134314020374");
    holds("integral01 (\\s => atan2 ((s - 1/3)^3) (s - 1))", "0.798934590952908", "0.798934590952909");
    // Leibniz: the integrand at the ends, and a whole turn where it jumps
    holds("deriv (\\c => integral01 (\\s => atan2 (s - c) (-1))) (1/2) - (2 * atan (1/2) - 2 * pi)", "0", "0");
    holds("deriv (deriv (\\c => integral01 (\\s => atan2 (s - c) (-1)))) (1/4) - (16/17 - 16/25)", "0", "0");
    holds("max01 (\\s => atan2 (s - 1/2) (-1)) - pi", "0", "0");
    holds("min01 (\\s => atan2 (s - 1/2) (-1)) + pi", "0", "0");
    holds("argmax01 (\\s => atan2 (s - 1/2) (-1))", "0.5", "0.5");
    holds("argmin01 (\\s => atan2 (s - 1/2) (-1))", "0.5", "0.5");
    holds("firstRoot (\\s => atan2 (1/2 - s) (-1))", "0.5", "0.5");
    // under an integral the one place without a slope weighs nothing: -1/(1 + y²) over [-½, ½]
    holds("integral01 (\\s => deriv (\\y => atan2 y (-1)) (s - 1/2)) + 2 * atan (1/2)", "0", "0");
}

#[test]
fn no_slope_and_no_cut_is_claimed_across_the_jump() {
    for question in [
        "deriv (\\y => atan2 y (-1)) 0",
        "deriv (\\x => atan2 0 x) (-1)",
        "deriv (\\x => deriv (\\y => atan2 y x) 0) (-1)",
        "deriv (\\t => atan2 (t^3) (-1)) 0",
        "deriv (\\t => atan2 (t^2) (-1)) 0",
        "deriv (\\t => 0 * atan2 t (-1)) 0",
        "deriv (\\t => atan2 (sin t) (-1)) 0",
        // between the signs there is no root: the function jumps
        "cutRoot (\\s => -(atan2 (s - 1/2) (-1)))",
        "cutRoot (\\s => 3 - atan2 (s - 1/2) (-1) - 6 * s)",
        "deriv (\\c => cutRoot (\\s => -(atan2 (s - c) (-1)))) 0",
        "deriv (\\c => max01 (\\s => atan2 (s - c) (-1))) (1/2)",
        "deriv (\\c => argmax01 (\\s => atan2 (s - c) (-1))) (1/2)",
        "deriv (\\t => atan2 t t) 0",
        "atan2 0 0",
        "integral01 (\\s => atan2 (s - 1/2) 0)",
        "max01 (\\s => atan2 (s - 1/2) (s - 1/2))",
    ] {
        let answer = ask(question);
        assert!(!answer.enclosure.is_defined(), "{question}: {:?}", answer.enclosure);
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn boxes_have_the_tightest_hull() {
        fn check<T: Tier>(tier: &T, seed: u64) {
            let mut random = Random::new(seed);
            let (mut smooth, mut jumps, mut origins) = (0, 0, 0);
            for _ in 0..6000 {
                let [y, x] = [interval(tier, &mut random), interval(tier, &mut random)];
                let (a, b) = (tier.round_enclosure(&y), tier.round_enclosure(&x));
                let found = tier.to_enclosure(&tier.apply_binary_function(Planar::Atan2, &a, &b));
                let shown = || format!("y {y:?}, x {x:?}: {found:?}");
                let zero = Rational::new();
                if !(y.contains(&zero) && *x.lo() <= 0) {
                    smooth += 1;
                    assert!(tier.is_smooth_near(Planar::Atan2, &a, &b), "{}", shown());
                    let (lo, hi) = spanned(&y, &x);
                    assert!(*found.lo() <= lo && hi <= *found.hi(), "{lo} {hi}, {}", shown());
                    // an ulp for the tier, and one since the best result was rounded
                    let best = tier.to_enclosure(&tier.round_enclosure(&Enclosure::new(lo, hi, true).unwrap()));
                    let near = |x: &Float, y: &Float| *y <= tier.after(x, 2);
                    assert!(near(found.lo(), best.lo()) && near(best.hi(), found.hi()), "{best:?}, {}", shown());
                    assert_eq!(found.is_defined(), y.is_defined() && x.is_defined(), "{}", shown());
                } else if x.contains(&zero) {
                    origins += 1;
                    assert!(found.is_bottom() && !found.is_defined(), "{}", shown());
                } else {
                    jumps += 1;
                    assert!(!tier.is_smooth_near(Planar::Atan2, &a, &b), "{}", shown());
                    let turn = tier.to_enclosure(&tier.pi());
                    assert!(found.hi() == turn.hi() && *found.lo() == -turn.hi().clone(), "{}", shown());
                    assert_eq!(found.is_defined(), y.is_defined() && x.is_defined(), "{}", shown());
                }
                let part =
                    [part_of(tier, &y, &mut random), part_of(tier, &x, &mut random)].map(|e| tier.round_enclosure(&e));
                let part = tier.to_enclosure(&tier.apply_binary_function(Planar::Atan2, &part[0], &part[1]));
                assert!(part.is_bottom() || found.contains_enclosure(&part), "isotone: {part:?} in {}", shown());
            }
            assert!(smooth > 2000 && jumps > 50 && origins > 50, "{smooth} {jumps} {origins}");
        }
        check(&Double, 1);
        for bits in [53, 64, 113, 200] {
            check(&Mpfr::new(bits), u64::from(bits));
        }
    }
}
